//! The figures as JSON.

use crate::bench::{Bench, Record};

/// One object a line. No name holds a character that JSON would escape.
pub(crate) fn lines(bench: &Bench) -> String {
    let value = if bench.counts() { "instructions" } else { "ns" };
    let cpu = bench.options.cpu.as_ref().map(|cpu| format!("\"cpu\": \"{cpu}\", "));
    let cpu = cpu.unwrap_or_default();
    let object =
        |record: &Record| format!("{{{cpu}{}, \"{value}\": {:.3}}}\n", names(record), record.ns);
    bench.records.iter().map(object).collect()
}

fn names(record: &Record) -> String {
    let Record { table, cipher, mode, direction, implementation, kernel, bytes, .. } = record;
    let implementation = implementation.name();
    format!(
        "\"table\": \"{table}\", \"cipher\": \"{cipher}\", \"mode\": \"{mode}\", \
         \"direction\": \"{direction}\", \"implementation\": \"{implementation}\", \
         \"kernel\": \"{kernel}\", \"bytes\": {bytes}"
    )
}
