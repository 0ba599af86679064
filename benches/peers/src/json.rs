//! The figures as JSON.

use crate::bench::Record;

/// One array of objects, one a line. No name holds a character that JSON would escape.
pub(crate) fn array(records: &[Record]) -> String {
    let rows: Vec<String> = records.iter().map(object).collect();
    format!("[\n{}\n]\n", rows.join(",\n"))
}

fn object(record: &Record) -> String {
    let Record { table, cipher, mode, direction, implementation, kernel, bytes, ns } = record;
    let implementation = implementation.name();
    format!(
        "  {{\"table\": \"{table}\", \"cipher\": \"{cipher}\", \"mode\": \"{mode}\", \
         \"direction\": \"{direction}\", \"implementation\": \"{implementation}\", \
         \"kernel\": \"{kernel}\", \"bytes\": {bytes}, \"ns\": {ns:.3}}}"
    )
}
