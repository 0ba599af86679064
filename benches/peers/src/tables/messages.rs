//! Messages of their own, short and long: nanoseconds a message up to 4 KiB, the unit of the other
//! tables from there on, and the key's setup.

use super::{Column, column, rows, wanted};
use crate::bench::Bench;
use crate::job::{Direction, Job, Mode};
use crate::text;

/// From this many bytes on, a figure is one of a byte.
const LONG: usize = 4 << 10;

/// AES-GCM, without additional data.
pub(crate) fn gcm(bench: &mut Bench) {
    let sizes = [16, 64, 256, 1350, 16 << 10, 1 << 20];
    let directions = [Direction::Encrypt, Direction::Decrypt];
    messages(bench, "gcm", Mode::Gcm, &sizes, &directions);
}

/// AES-CTR: sets the counter and encrypts.
pub(crate) fn ctr(bench: &mut Bench) {
    let sizes = [16, 64, 256, 1350, 16 << 10];
    messages(bench, "ctr", Mode::CtrMessage, &sizes, &[Direction::Encrypt]);
}

fn messages(
    bench: &mut Bench,
    table: &'static str,
    mode: Mode,
    sizes: &[usize],
    directions: &[Direction],
) {
    let ciphers = wanted(bench, table).into_iter().filter(|cipher| cipher.name.starts_with("AES"));
    let ciphers: Vec<_> = ciphers.collect();
    if ciphers.is_empty() {
        return;
    }
    let scale = bench.scale();
    println!(
        "\n{table}: {} for each message: {} below 4 KiB and for the key, else {}",
        if mode == Mode::Gcm { "AES-GCM, a nonce and a tag" } else { "AES-CTR, a counter" },
        scale.of_a_call(),
        scale.name()
    );
    let titles = sizes.iter().chain(&[0]).map(|&bytes| text::size(bytes));
    text::row("", "", &titles.collect::<Vec<_>>());
    for cipher in ciphers {
        for &direction in directions {
            let mut columns: Vec<Column> = Vec::new();
            for &bytes in sizes {
                let records = bench.compare(table, &Job { cipher, mode, direction, bytes });
                columns.push(column(&records, if bytes < LONG { 1.0 } else { bytes as f64 }));
            }
            if direction == Direction::Encrypt {
                let mode = if mode == Mode::Gcm { Mode::Gcm } else { Mode::Ctr };
                let job = Job { cipher, mode, direction: Direction::Setup, bytes: 0 };
                columns.push(column(&bench.compare(table, &job), 1.0));
            }
            let figure = |index: usize, value| match sizes.get(index) {
                Some(&bytes) if bytes >= LONG => scale.figure(value),
                _ => text::number(value),
            };
            let verb = match (mode, direction) {
                (Mode::Gcm, Direction::Encrypt) => " seal",
                (Mode::Gcm, _) => " open",
                _ => "",
            };
            rows(bench, &format!("{}{verb}", cipher.name), &columns, figure);
        }
    }
}
