//! The command line of the programs that print a matrix: `residue [--quick] [--leak] [--json FILE]
//! [--profile NAME] [--target NAME] [FILTER…]`. A filter is a part of "cipher/mode/kernel". They exit
//! with 1 on any byte, on a control that fails, and if no cell matches.
//!
//! `--constant-time` looks for branches and addresses that depend on secrets instead: see the module
//! `constant_time`.
//!
//! The row of a clean cell begins with a space, that of a dirty one with `!`. `--leak` adds a cipher
//! that leaks to the matrix. `--json` writes one object a line.

use crate::constant_time;
use crate::controls::{self, Deep};
use crate::matrix::{Cell, Extent, Filter, run_cipher};
use crate::tally::Tally;
use cinder_residue::Left;
use std::error::Error;
use std::process::ExitCode;

/// A `main`, whose matrix is `run`: [`matrix::run`](crate::matrix::run) or a part of it.
///
/// # Errors
///
/// What is wrong with the arguments or the file.
pub fn main(
    run: impl FnOnce(Extent, &Filter<'_>, &mut dyn FnMut(Cell)) + Send,
) -> Result<ExitCode, Box<dyn Error>> {
    use lexopt::prelude::*;
    let mut extent = Extent::Full;
    let (mut json, mut filters, mut leak) = (None, vec![], false);
    let mut is_constant_time = false;
    let mut profile = if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned();
    let mut target = std::env::consts::ARCH.to_owned();
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("quick") => extent = Extent::Quick,
            Long("leak") => leak = true,
            Long("constant-time") => is_constant_time = true,
            Long("json") => json = Some(arguments.value()?),
            Long("profile") => profile = arguments.value()?.string()?,
            Long("target") => target = arguments.value()?.string()?,
            Value(filter) => filters.push(filter.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let selected = |cipher: &str, mode: &str, kernel: &str| {
        let name = format!("{cipher}/{mode}/{kernel}");
        filters.is_empty() || filters.iter().any(|filter| name.contains(filter))
    };
    if is_constant_time {
        return constant_time::main(extent, &format!("{target}, {profile}"), selected, run);
    }
    if !cinder_residue::supported() {
        println!("residue: no scanner for {target}");
        return Ok(ExitCode::SUCCESS);
    }

    let mut tally = Tally::default();
    println!("{target}, {profile}: controls, bytes that the scanner must find");
    println!("{:<30} {:<34} {}", "control", "expected", Left::HEAD);
    controls::run(|control| {
        println!("{control}");
        tally.control(&control);
    });

    println!("\n{target}, {profile}: bytes left behind, and how deep the stack was written");
    println!(
        "{:<14} {:<10} {:<32} {:<22} {}   depth",
        "cipher",
        "mode",
        "kernel",
        "step",
        Left::HEAD
    );
    let mut rows = vec![];
    let mut each = |cell: Cell| {
        println!("{cell}");
        tally.cell(&cell);
        rows.push(row(&target, &profile, &cell));
    };
    run(extent, &selected, &mut each);
    if leak {
        run_cipher::<Deep<false>>(extent, "leaky", 16, &selected, &mut each);
    }
    println!("{target}, {profile}: {tally}");

    if let Some(file) = json {
        std::fs::write(file, rows.concat())?;
    }
    Ok(if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Names have no characters that JSON escapes.
fn row(target: &str, profile: &str, cell: &Cell) -> String {
    let Cell { cipher, mode, kernel, step, left, depth, .. } = cell;
    let Left { stack, vector, general, heap } = left;
    format!(
        "{{\"target\":\"{target}\",\"profile\":\"{profile}\",\"cipher\":\"{cipher}\",\
         \"mode\":\"{mode}\",\"kernel\":\"{kernel}\",\"step\":\"{step}\",\"stack\":{stack},\
         \"vector\":{vector},\"general\":{general},\"heap\":{heap},\"depth\":{depth}}}\n"
    )
}
