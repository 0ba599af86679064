//! Our counts of instructions beside those of a file that is committed, the baseline: what grew.
//!
//! A line of the file is a row: CPU model, table, cipher and kernel, then its cells, each with the
//! instructions of a call, all parted by ` | `. Counts depend on the compiler, so its version is the
//! file's name.

use crate::bench::{Bench, Implementation, Record};
use std::collections::BTreeMap;
use std::path::Path;

/// A cell may grow by a hundredth.
const MORE: f64 = 1.01;

/// The cells, by row and name.
type Cells = BTreeMap<String, f64>;

/// Compares what was counted with the file, or, if `renew` is set, writes it there. Returns a line for
/// each cell that takes more instructions, is new or is gone.
pub(crate) fn check(bench: &Bench, file: &Path, renew: bool) -> std::io::Result<Vec<String>> {
    let model = bench.options.model.as_deref().unwrap_or_default();
    let is_ours = |record: &&Record| record.implementation == Implementation::Ours;
    let ours: Vec<&Record> = bench.records.iter().filter(is_ours).collect();
    let rows = rows(model, &ours);
    let former = match std::fs::read_to_string(file) {
        Err(error) if renew && error.kind() == std::io::ErrorKind::NotFound => String::new(),
        text => text?,
    };
    let of_model = |line: &&str| line.split(" | ").next() == Some(model);
    if renew {
        let others = former.lines().filter(|line| !of_model(line)).map(str::to_owned);
        let lines: Vec<String> = others.chain(rows).collect();
        std::fs::write(file, lines.join("\n") + "\n")?;
        return Ok(Vec::new());
    }
    let names = |line: &str| line.split(" | ").take(4).map(str::to_owned).collect::<Vec<_>>();
    // Filters choose tables and ciphers; a scheme of the table `aead` they may choose by its own name.
    let wanted = |line: &&str| match &names(line)[..] {
        [_, table, cipher, ..] if bench.options.wants(table, cipher) => true,
        row => rows.iter().any(|counted| names(counted) == row),
    };
    let before = cells(former.lines().filter(of_model).filter(wanted));
    Ok(compare(&before, &cells(rows.iter().map(String::as_str))))
}

/// One line for neighbours that differ in their cells alone.
fn rows(model: &str, records: &[&Record]) -> Vec<String> {
    let is_row =
        |a: &&Record, b: &&Record| (a.table, a.cipher, &a.kernel) == (b.table, b.cipher, &b.kernel);
    let cell = |record: &&Record| {
        let Record { mode, direction, bytes, ns, .. } = record;
        format!(" | {mode} {direction} {bytes}: {ns}")
    };
    let row = |row: &[&Record]| {
        let Record { table, cipher, kernel, .. } = row[0];
        let cells: String = row.iter().map(cell).collect();
        format!("{model} | {table} | {cipher} | {kernel}{cells}")
    };
    records.chunk_by(is_row).map(row).collect()
}

fn cells<'a>(rows: impl Iterator<Item = &'a str>) -> Cells {
    let mut cells = Cells::new();
    for row in rows {
        let fields: Vec<&str> = row.split(" | ").collect();
        let Some((names, counts)) = fields.split_at_checked(4) else { continue };
        for (name, count) in counts.iter().filter_map(|cell| cell.rsplit_once(": ")) {
            // What is no number is a cell that is gone.
            if let Ok(count) = count.parse() {
                cells.insert(format!("{}, {name}", names.join(", ")), count);
            }
        }
    }
    cells
}

fn compare(before: &Cells, now: &Cells) -> Vec<String> {
    let mut lines = Vec::new();
    for (cell, count) in now {
        match before.get(cell) {
            None => lines.push(format!("{cell}: {count} instructions, not in the baseline")),
            Some(former) if *count > former * MORE => {
                let more = (count / former - 1.0) * 100.0;
                lines.push(format!("{cell}: {count} instructions, {more:.1} % more than {former}"));
            }
            Some(_) => {}
        }
    }
    let gone = before.keys().filter(|cell| !now.contains_key(*cell));
    lines.extend(gone.map(|cell| format!("{cell}: in the baseline, and not counted")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grew_is_new_or_is_gone_is_told() {
        let of = |row: &str| cells([row].into_iter());
        let before = of("m | modes | AES | NEON | ECB encrypt 64: 1000 | CTR encrypt 64: 2000");
        assert_eq!(compare(&before, &before), [""; 0]);
        let less = of("m | modes | AES | NEON | ECB encrypt 64: 10 | CTR encrypt 64: 2020");
        assert_eq!(compare(&before, &less), [""; 0]);
        let more = of("m | modes | AES | NEON | ECB encrypt 64: 1000 | CTR encrypt 64: 2030");
        let line = "m, modes, AES, NEON, CTR encrypt 64: 2030 instructions, 1.5 % more than 2000";
        assert_eq!(compare(&before, &more), [line]);
        let other = of("m | modes | AES | AES | ECB encrypt 64: 1000");
        assert_eq!(compare(&before, &other).len(), 3);
    }
}
