//! `cargo xtask vectors PATH…`: runs vector files through every kernel.
//!
//! Exit status: 0 if all is well, 1 if a record failed or a file could not be read or is not of
//! the format, 2 if there is nothing to run.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask vectors PATH…

Runs vector files, and the .txt files below folders, through every kernel that this CPU has.
The format is described in crates/vectors/data/FORMAT.md.
Prints for each file passed/failed/skipped, and the Id of each record that failed.
";

fn main() -> ExitCode {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let is_option = |path: &PathBuf| path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if paths.iter().any(|path| path.as_os_str() == "--help" || path.as_os_str() == "-h") {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    if paths.is_empty() || paths.iter().any(is_option) {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    }
    let mut out = io::stdout().lock();
    let result = vectors::run_paths(&paths, &mut out).and_then(|summary| {
        if summary.files > 1 {
            let (passed, failed, skipped) = (summary.passed, summary.failed, summary.skipped);
            writeln!(out, "all {} files: {passed}/{failed}/{skipped}", summary.files)?;
        }
        out.flush()?;
        Ok(summary)
    });
    match result {
        Ok(summary) if summary.is_good() => ExitCode::SUCCESS,
        // Nobody reads any more: not a failure of a vector, but not a success either.
        _ => ExitCode::FAILURE,
    }
}
