//! Whether a block less ever costs more, and what a block more costs: ours alone, call by call.

use super::wanted;
use crate::bench::{Bench, Candidate, Implementation, Record};
use crate::job::{Direction, Job, Mode};
use crate::text;

const TABLE: &str = "cliffs";

/// Around the widths of all kernels.
const COUNTS: [usize; 75] = {
    let more = [96, 127, 128, 129, 255, 256, 257];
    let mut counts = [0; 75];
    let mut i = 0;
    while i < 75 {
        counts[i] = if i < 68 { i + 1 } else { more[i - 68] };
        i += 1;
    }
    counts
};

/// What is printed of each row, besides its cliffs.
const SHOWN: [usize; 10] = [1, 2, 3, 4, 8, 16, 32, 64, 128, 256];

/// A longer call is cheaper by more than what two medians differ by.
const CHEAPER: f64 = 1.05;

/// Not unless a filter asks for it: it takes longer than all others together.
pub(crate) fn run(bench: &mut Bench) {
    let ciphers = wanted(bench, TABLE);
    if ciphers.is_empty() || !bench.options.filters.iter().any(|filter| filter.contains(TABLE)) {
        return;
    }
    println!(
        "\n{TABLE}: {} a call of 1 to 256 blocks; n > m, where n blocks take longer than m, and n + 1,\n\
         where one block more takes as long as three alone",
        bench.scale().of_a_call(),
    );
    text::row("", "", &SHOWN.map(|count| count.to_string()));
    for cipher in ciphers {
        let modes: &[_] = match cipher.block {
            0 => &[(Mode::Stream, Direction::Encrypt)],
            _ => &[
                (Mode::Ecb, Direction::Encrypt),
                (Mode::Ecb, Direction::Decrypt),
                (Mode::Cbc, Direction::Decrypt),
                (Mode::Ctr, Direction::Encrypt),
            ],
        };
        for &(mode, direction) in modes {
            let block = if cipher.block == 0 { 64 } else { cipher.block };
            let tasks = COUNTS.map(|count| {
                let job = Job { cipher, mode, direction, bytes: block * count };
                bench.ours.tasks(&job).into_iter().next()
            });
            let mut candidates = Vec::new();
            for (kernel, task) in tasks.into_iter().flatten() {
                let implementation = Implementation::Ours;
                candidates.push(Candidate { implementation, kernel, task });
            }
            if candidates.len() != COUNTS.len() {
                continue;
            }
            let label = (TABLE, cipher.name, mode.name(), direction.name());
            let records = bench.measure_calls(label, COUNTS.map(|count| block * count), candidates);
            let ns = |wanted: usize| {
                COUNTS.iter().position(|count| *count == wanted).map_or(f64::NAN, |i| records[i].ns)
            };
            let second = format!("{} {} {}", mode.name(), direction.name(), records[0].kernel);
            let figures = SHOWN.map(|count| text::number(ns(count)));
            text::row(cipher.name, &second, &[&figures[..], &[cliffs(&records)]].concat());
        }
    }
}

fn cliffs(records: &[Record]) -> String {
    let one = records.first().map_or(0.0, |record| record.ns);
    let mut found = String::new();
    for (i, record) in records.iter().enumerate() {
        let later = records.iter().enumerate().skip(i + 1).min_by(|a, b| a.1.ns.total_cmp(&b.1.ns));
        if let Some((j, cheapest)) = later
            && record.ns > CHEAPER * cheapest.ns
        {
            found.push_str(&format!("  {} > {}", COUNTS[i], COUNTS[j]));
        }
        if let Some(next) = records.get(i + 1)
            && COUNTS[i + 1] == COUNTS[i] + 1
            && next.ns - record.ns > 3.0 * one
        {
            found.push_str(&format!("  {} + 1", COUNTS[i]));
        }
    }
    found
}
