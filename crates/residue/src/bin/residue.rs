//! Prints the residue matrix of this build: `residue [--quick] [--json FILE] [--profile NAME]
//! [--target NAME] [FILTER…]`. A filter is a part of "cipher/mode/kernel". Exits with 1 on any
//! byte.
//!
//! With `--depth` it prints how deep each function of each cipher goes instead, and exits with 1
//! if a burn of what it says would not clear what it wrote.

use residue::matrix::{Cell, Extent, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut extent = Extent::Full;
    let (mut json, mut filters, mut is_depth) = (None, vec![], false);
    let mut profile = if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned();
    let mut target = std::env::consts::ARCH.to_owned();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--quick" => extent = Extent::Quick,
            "--depth" => is_depth = true,
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
    if is_depth {
        return depth(extent, &target, &profile);
    }
    if !residue::supported() {
        println!("residue: no scanner for {target}");
        return ExitCode::SUCCESS;
    }

    println!("{target}, {profile}: bytes left behind, and how deep the stack was written");
    println!(
        "{:<12} {:<9} {:<32} {:<14} {:>6} {:>6} {:>7} {:>7}",
        "cipher", "mode", "kernel", "step", "stack", "vector", "general", "depth"
    );
    let (mut rows, mut dirty, mut deepest) = (vec![], 0, 0);
    let selected = |cipher: &str, mode: &str, kernel: &str| {
        let name = format!("{cipher}/{mode}/{kernel}");
        filters.is_empty() || filters.iter().any(|filter| name.contains(filter))
    };
    run(extent, selected, |cell| {
        println!("{cell}");
        dirty += usize::from(cell.total() != 0);
        deepest = deepest.max(cell.depth);
        rows.push(row(&target, &profile, &cell));
    });
    println!("{} cells, {dirty} with residue, {deepest} bytes of stack at most", rows.len());

    if let Some(file) = json
        && let Err(error) = std::fs::write(&file, format!("[\n{}\n]\n", rows.join(",\n")))
    {
        eprintln!("residue: {file}: {error}");
        return ExitCode::FAILURE;
    }
    if dirty == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn depth(extent: Extent, target: &str, profile: &str) -> ExitCode {
    println!("{target}, {profile}: bytes of stack below the caller");
    println!(
        "{:<12} {:<12} {:<15} {:>7} {:>7} {:>7} {:>9}",
        "cipher", "kernel", "function", "says", "wrote", "burnt", "overshoot"
    );
    let (mut is_covered, mut overshoot) = (true, 0);
    residue::depths::run(extent, |row| {
        println!("{row}");
        is_covered &= row.is_covered();
        overshoot = overshoot.max(row.overshoot());
    });
    println!("at most {overshoot} bytes below what a function says");
    if is_covered { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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
