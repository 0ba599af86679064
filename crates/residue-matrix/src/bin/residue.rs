//! Prints the residue matrix of this build and its controls: `residue [--quick] [--only-dirty]
//! [--leak] [--json FILE] [--profile NAME] [--target NAME] [FILTER…]`. A filter is a part of
//! "cipher/mode/kernel". Exits with 1 on any byte, on a control that fails, and if no cell matches.
//!
//! `--only-dirty` prints no clean cells. `--leak` adds a cipher that leaks to the matrix.

use residue_matrix::controls::{self, Deep};
use residue_matrix::matrix::{Cell, Extent, run, run_cipher};
use residue_matrix::tally::Tally;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut extent = Extent::Full;
    let (mut json, mut filters) = (None, vec![]);
    let (mut only_dirty, mut leak) = (false, false);
    let mut profile = if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned();
    let mut target = std::env::consts::ARCH.to_owned();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--quick" => extent = Extent::Quick,
            "--only-dirty" => only_dirty = true,
            "--leak" => leak = true,
            "--json" => json = Some(value()),
            "--profile" => profile = value(),
            "--target" => target = value(),
            option if option.starts_with('-') => {
                eprintln!("residue: no option {option}");
                return ExitCode::FAILURE;
            }
            filter => filters.push(filter.to_owned()),
        }
    }
    if !cinder_residue::supported() {
        println!("residue: no scanner for {target}");
        return ExitCode::SUCCESS;
    }

    let mut tally = Tally::default();
    println!("{target}, {profile}: controls, bytes that the scanner must find");
    println!(
        "{:<30} {:<34} {:>6} {:>6} {:>7}",
        "control", "expected", "stack", "vector", "general"
    );
    controls::run(|control| {
        println!("{control}");
        tally.control(&control);
    });

    println!("\n{target}, {profile}: bytes left behind, and how deep the stack was written");
    println!(
        "{:<12} {:<9} {:<32} {:<14} {:>6} {:>6} {:>7} {:>7}",
        "cipher", "mode", "kernel", "step", "stack", "vector", "general", "depth"
    );
    let mut rows = vec![];
    let selected = |cipher: &str, mode: &str, kernel: &str| {
        let name = format!("{cipher}/{mode}/{kernel}");
        filters.is_empty() || filters.iter().any(|filter| name.contains(filter))
    };
    let mut each = |cell: Cell| {
        if !only_dirty || cell.total() != 0 {
            println!("{cell}");
        }
        tally.cell(&cell);
        rows.push(row(&target, &profile, &cell));
    };
    run(extent, selected, &mut each);
    if leak {
        run_cipher::<Deep<false>>(extent, "leaky", 16, selected, &mut each);
    }
    println!("{target}, {profile}: {tally}");

    if let Some(file) = json
        && let Err(error) = std::fs::write(&file, format!("[\n{}\n]\n", rows.join(",\n")))
    {
        eprintln!("residue: {file}: {error}");
        return ExitCode::FAILURE;
    }
    if tally.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Names have no characters that JSON escapes.
fn row(target: &str, profile: &str, cell: &Cell) -> String {
    let Cell { cipher, mode, kernel, step, stack, vector, general, depth, .. } = cell;
    format!(
        "  {{\"target\":\"{target}\",\"profile\":\"{profile}\",\"cipher\":\"{cipher}\",\
         \"mode\":\"{mode}\",\"kernel\":\"{kernel}\",\"step\":\"{step}\",\"stack\":{stack},\
         \"vector\":{vector},\"general\":{general},\"depth\":{depth}}}"
    )
}
