//! Tables of one column a library: GHASH, key setup, key wrap.

use super::{cipher, column, wanted};
use crate::bench::{Bench, Candidate, Implementation, Record};
use crate::job::{Cipher, Direction, Job, Mode};
use crate::ours::{Ours, ghash_by_bytes};
use crate::text;

/// GHASH by each kernel, beside the bytewise baseline; and GCM of additional data alone, which is
/// the nearest that libraries without a GHASH of its own come.
pub(crate) fn ghash(bench: &mut Bench) {
    if !bench.options.wants("ghash", "ghash") {
        return;
    }
    const BYTES: usize = 16 << 10;
    let scale = bench.scale();
    println!("\nghash: {}, 16 KiB, and how many times as fast as byte by byte", scale.name());
    let (direction, aes) = (Direction::Encrypt, cipher("AES"));
    let job = Job { cipher: aes, mode: Mode::Ghash, direction, bytes: BYTES };
    let chosen = bench.ours.kernel.clone();
    bench.ours = Ours { kernel: Some(chosen.clone().unwrap_or("all".to_owned())) };
    let baseline = Candidate {
        implementation: Implementation::Ours,
        kernel: "bytes, table of 4 bits".to_owned(),
        task: ghash_by_bytes(&job),
    };
    let records = bench.compare_with("ghash", &job, Some(baseline));
    bench.ours = Ours { kernel: chosen };
    let slowest = records.iter().map(|record| record.ns).fold(0.0, f64::max);
    let gmac = bench.compare("ghash", &Job { mode: Mode::Gmac, ..job });
    for record in records.iter().chain(&gmac) {
        let what = match (record.implementation, record.mode) {
            (Implementation::Ours, "GHASH") => record.kernel.clone(),
            (implementation, mode) => format!("{}, {mode}", implementation.name()),
        };
        let figure = scale.figure(record.ns / BYTES as f64);
        println!("{what:<28} {figure:>9} {:>8.1} x", slowest / record.ns);
    }
}

/// Setting up a key where it stays, ours with the burn after it.
pub(crate) fn keys(bench: &mut Bench) {
    let ciphers = wanted(bench, "keys");
    if ciphers.is_empty() {
        return;
    }
    println!("\nkeys: {} to set up a key", bench.scale().of_a_call());
    titles(bench);
    for cipher in ciphers {
        let mode = if cipher.block == 0 { Mode::Stream } else { Mode::Ecb };
        let job = Job { cipher, mode, direction: Direction::Setup, bytes: 0 };
        let records = bench.compare("keys", &job);
        line(bench, cipher.name, &records);
        if cipher.name.starts_with("AES") {
            for (mode, what) in [(Mode::Ctr, "to encrypt"), (Mode::Gcm, "GCM")] {
                let records = bench.compare("keys", &Job { mode, ..job });
                line(bench, &format!("{} {what}", cipher.name), &records);
            }
        }
    }
}

/// RFC 3394 of a key of 64 bytes.
pub(crate) fn wrap(bench: &mut Bench) {
    let is_aes = |cipher: &&Cipher| cipher.name.starts_with("AES");
    let ciphers: Vec<_> = wanted(bench, "wrap").into_iter().filter(is_aes).collect();
    if ciphers.is_empty() {
        return;
    }
    println!("\nwrap: {} to wrap a key of 64 bytes (RFC 3394)", bench.scale().of_a_call());
    titles(bench);
    for cipher in ciphers {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let job = Job { cipher, mode: Mode::KeyWrap, direction, bytes: 64 };
            let records = bench.compare("wrap", &job);
            let verb = if direction == Direction::Encrypt { "wrap" } else { "unwrap" };
            line(bench, &format!("{} {verb}", cipher.name), &records);
        }
    }
}

/// The libraries that there may be a figure of.
fn columns(bench: &Bench) -> &'static [Implementation] {
    if bench.options.peers { &Implementation::ALL } else { &Implementation::ALL[..1] }
}

fn titles(bench: &Bench) {
    let names =
        columns(bench).iter().map(|implementation| format!("{:>11}", implementation.name()));
    println!("{:<20}{}", "", names.collect::<String>());
}

fn line(bench: &Bench, first: &str, records: &[Record]) {
    let figures = column(records, 1.0);
    if figures.is_empty() {
        return;
    }
    let best = |wanted: Implementation| {
        let own = figures.iter().filter(|(implementation, ..)| *implementation == wanted);
        own.map(|(.., ns)| *ns).min_by(f64::total_cmp)
    };
    let cells = columns(bench).iter().map(|&implementation| {
        let figure = best(implementation).map(text::number).unwrap_or_default();
        format!("{figure:>11}")
    });
    println!("{}", format!("{first:<20}{}", cells.collect::<String>()).trim_end());
}
