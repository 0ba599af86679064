//! The figures as a picture: how many times our time the best other library takes.

use crate::bench::{Bench, Implementation, Record};
use crate::chart::{Bar, Chart, Row};

/// A mode and direction of the table `modes`, and the name and colour of its bar. Parallel work is
/// shown by CBC decryption, for which most libraries have a kernel.
const SERIES: [(&str, &str, &str, &str); 3] = [
    ("CBC", "decrypt", "CBC decryption: blocks side by side", "#1f6f8b"),
    ("CBC", "encrypt", "CBC encryption: one block after another", "#99c2cf"),
    ("GCM", "encrypt", "GCM seal", "#e0a458"),
];

/// Nothing, where a cipher was not measured beside another library.
pub(crate) fn svg(bench: &Bench) -> String {
    let mut rows: Vec<Row> = Vec::new();
    for record in &bench.records {
        if record.table != "modes" || rows.iter().any(|row| row.name == record.cipher) {
            continue;
        }
        let bars = SERIES.map(|(mode, direction, ..)| ratio(bench, record.cipher, mode, direction));
        if bars.iter().any(Option::is_some) {
            rows.push(Row { name: record.cipher.to_owned(), bars: bars.into() });
        }
    }
    let level = bench.options.level.as_ref();
    let level = level.map(|level| format!(" {level}.")).unwrap_or_default();
    let subtitle = format!(
        "The best other library's time over Cinder's, calls of 16 KiB, burning included: to the \
         right Cinder is faster.{level}"
    );
    Chart {
        title: "Speed beside libgcrypt, OpenSSL, ring and RustCrypto",
        subtitle: &subtitle,
        series: &SERIES.map(|(.., name, colour)| (name, colour)),
        marks: &[
            (0.25, "1/4"),
            (0.5, "1/2"),
            (1.0, "as fast"),
            (2.0, "2x"),
            (4.0, "4x"),
            (8.0, "8x"),
            (16.0, "16x"),
        ],
        rows,
    }
    .svg()
}

fn ratio(bench: &Bench, cipher: &str, mode: &str, direction: &str) -> Option<Bar> {
    let fits = |record: &&Record| {
        record.table == "modes"
            && record.cipher == cipher
            && record.mode == mode
            && record.direction == direction
    };
    let least = |ours: bool| {
        bench
            .records
            .iter()
            .filter(fits)
            .filter(|record| (record.implementation == Implementation::Ours) == ours)
            .min_by(|a, b| a.ns.total_cmp(&b.ns))
    };
    let (ours, best) = (least(true)?, least(false)?);
    let value = best.ns / ours.ns;
    Some(Bar { value, words: format!("{value:.2} x {}", best.implementation.name()) })
}
