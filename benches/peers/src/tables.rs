//! The tables, in the order in which they are printed.

mod aead;
mod burning;
mod cliffs;
mod messages;
mod modes;
mod short;
mod wiping;

use crate::bench::{Bench, Implementation, Record};
use crate::job::{CIPHERS, Cipher};
use crate::text;

/// Measures and prints what the filters want.
pub(crate) fn all(bench: &mut Bench) {
    modes::run(bench);
    messages::gcm(bench);
    messages::ctr(bench);
    aead::run(bench);
    short::ghash(bench);
    short::keys(bench);
    short::wrap(bench);
    burning::shares(bench);
    burning::modes(bench);
    burning::lanes(bench);
    wiping::burns(bench);
    wiping::wipes(bench);
    cliffs::run(bench);
}

/// The ciphers of a table that the filters want.
fn wanted(bench: &Bench, table: &str) -> Vec<&'static Cipher> {
    CIPHERS.iter().filter(|cipher| bench.options.wants(table, cipher.name)).collect()
}

fn cipher(name: &str) -> &'static Cipher {
    CIPHERS.iter().find(|cipher| cipher.name == name).expect("a row's name")
}

/// One column of a table, and one row of it: what a library reached, a byte or a call.
type Column = Vec<(Implementation, String, f64)>;

/// A column of records, each figure divided by `divisor`.
fn column(records: &[Record], divisor: f64) -> Column {
    let figure =
        |record: &Record| (record.implementation, record.kernel.clone(), record.ns / divisor);
    records.iter().map(figure).collect()
}

/// Prints the rows of a cipher: each of our kernels, the peers (or the best of them in each
/// column, with its letter), and how many times our time the best peer takes.
fn rows(bench: &Bench, first: &str, columns: &[Column], figure: impl Fn(usize, f64) -> String) {
    let is_ours = |implementation| implementation == Implementation::Ours;
    let mut title = first;
    let mut print = |second: &str, figures: &[String]| {
        text::row(title, second, figures);
        title = "";
    };
    let mut names: Vec<(Implementation, &str)> = Vec::new();
    for (implementation, kernel, _) in columns.iter().flatten() {
        if !names.contains(&(*implementation, kernel)) {
            names.push((*implementation, kernel));
        }
    }
    // In the order of the libraries, not of the columns in which they first appear.
    names.sort_by_key(|(implementation, _)| {
        Implementation::ALL.iter().position(|other| other == implementation)
    });
    for (implementation, kernel) in names {
        if !is_ours(implementation) && !bench.options.each {
            continue;
        }
        let cell = |(index, column): (usize, &Column)| {
            let found = column.iter().find(|(i, k, _)| *i == implementation && k == kernel);
            found.map_or(String::new(), |(_, _, value)| figure(index, *value))
        };
        let figures: Vec<String> = columns.iter().enumerate().map(cell).collect();
        print(if is_ours(implementation) { kernel } else { implementation.name() }, &figures);
    }
    let least = |column: &Column, ours: bool| {
        let figures = column.iter().filter(|(implementation, ..)| is_ours(*implementation) == ours);
        figures
            .min_by(|a, b| a.2.total_cmp(&b.2))
            .map(|(implementation, _, v)| (*implementation, *v))
    };
    let best: Vec<Option<(Implementation, f64)>> =
        columns.iter().map(|column| least(column, false)).collect();
    if best.iter().all(Option::is_none) {
        return;
    }
    let cell = |(index, best): (usize, &Option<(Implementation, f64)>)| match best {
        Some((implementation, value)) => {
            format!("{} {}", figure(index, *value), implementation.letter())
        }
        None => String::new(),
    };
    print("best peer", &best.iter().enumerate().map(cell).collect::<Vec<_>>());
    let ratios: Vec<String> = columns
        .iter()
        .zip(&best)
        .map(|(column, best)| match (least(column, true), best) {
            (Some((_, ours)), Some((_, peer))) => format!("{:.2} x", peer / ours),
            _ => String::new(),
        })
        .collect();
    if ratios.iter().any(|ratio| !ratio.is_empty()) {
        print("  / ours", &ratios);
    }
}
