//! The figures as JSON.

use crate::bench::{Bench, Record};

/// One object a line. No name holds a character that JSON would escape.
pub(crate) fn lines(bench: &Bench) -> String {
    let value = if bench.counts() { "instructions" } else { "ns" };
    let (model, level) = (&bench.options.model, &bench.options.level);
    let cpu: Vec<_> = [model, level].into_iter().flatten().map(String::as_str).collect();
    let cpu = match cpu.join(", ") {
        cpu if cpu.is_empty() => cpu,
        cpu => format!("\"cpu\": \"{cpu}\", "),
    };
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
