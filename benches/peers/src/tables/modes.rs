//! The seeds' table: a row for each cipher, a column for each mode and direction.

use super::{Column, column, rows, wanted};
use crate::bench::{Bench, Implementation};
use crate::job::{Cipher, Direction, Job, Mode};
use crate::text;

const TABLE: &str = "modes";

/// Bytes of a call.
const BYTES: usize = 16 << 10;

const MODES: [Mode; 6] = [Mode::Ecb, Mode::Cbc, Mode::Cfb, Mode::Ofb, Mode::Ctr, Mode::Gcm];

pub(crate) fn run(bench: &mut Bench) {
    let ciphers = wanted(bench, TABLE);
    if ciphers.is_empty() {
        return;
    }
    let scale = bench.scale();
    let how = if bench.options.slope {
        "a byte more, from 4 KiB to 16 KiB a call"
    } else {
        "calls of 16 KiB"
    };
    println!("\n{TABLE}: {}, {how}, burning included", scale.name());
    let titles = ["ECB/Stream", "CBC", "CFB", "OFB", "CTR", "GCM"];
    text::row("", "", &titles.map(|title| format!("{title:>12}      ")));
    let titles = MODES.iter().flat_map(|_| ["encrypt".to_owned(), "decrypt".to_owned()]);
    text::row("", "", &titles.collect::<Vec<_>>());
    for cipher in ciphers {
        let mut columns = Vec::new();
        for mode in MODES {
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                columns.push(per_byte(bench, cipher, mode, direction));
            }
        }
        if bench.options.kernel.is_none() {
            one_row(&mut columns);
        }
        rows(bench, cipher.name, &columns, |_, ns| scale.figure(ns));
    }
}

/// Our best kernels in one row, under the name of the first: GCM's has a name of its own.
fn one_row(columns: &mut [Column]) {
    let is_ours = |figure: &&mut (Implementation, String, f64)| figure.0 == Implementation::Ours;
    let mut name: Option<String> = None;
    for (_, kernel, _) in columns.iter_mut().flatten().filter(is_ours) {
        *kernel = name.get_or_insert_with(|| kernel.clone()).clone();
    }
}

/// Nanoseconds a byte.
fn per_byte(
    bench: &mut Bench,
    cipher: &'static Cipher,
    mode: Mode,
    direction: Direction,
) -> Column {
    let mode = match (mode, cipher.block) {
        (Mode::Ecb, 0) => Mode::Stream,
        (_, 0) | (Mode::Gcm, 8) => return Column::new(),
        _ => mode,
    };
    let job = Job { cipher, mode, direction, bytes: BYTES };
    let long = column(&bench.compare(TABLE, &job), 1.0);
    if !bench.options.slope {
        return long.into_iter().map(|(i, kernel, ns)| (i, kernel, ns / BYTES as f64)).collect();
    }
    const SHORT: usize = BYTES / 4;
    let short = column(&bench.compare(TABLE, &Job { bytes: SHORT, ..job }), 1.0);
    let slope = |(long, short): (_, _)| {
        let ((implementation, kernel, long), (_, _, short)): ((_, _, f64), (_, _, f64)) =
            (long, short);
        (implementation, kernel, (long - short) / (BYTES - SHORT) as f64)
    };
    long.into_iter().zip::<Column>(short).map(slope).collect()
}
