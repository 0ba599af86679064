//! Files and folders that users bring.

use crate::{Options, Registry, parse, run};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What came of all files together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files that were run.
    pub files: usize,
    /// Files that could not be read or are not of the format.
    pub unreadable: usize,
    /// Records that passed.
    pub passed: usize,
    /// Records that failed.
    pub failed: usize,
    /// Records that were skipped.
    pub skipped: usize,
}

impl Summary {
    /// Whether every file could be read and no record failed.
    pub fn is_good(&self) -> bool {
        self.failed == 0 && self.unreadable == 0 && self.files > 0
    }
}

/// Runs every file, and every `*.txt` below every folder, through every kernel that this CPU
/// has. Writes a line `file: passed/failed/skipped` for each file, and below it each failure.
///
/// # Errors
///
/// What `out` returned. What is wrong with a file is written and counted.
pub fn run_paths(paths: &[PathBuf], out: &mut dyn Write) -> io::Result<Summary> {
    let mut summary = Summary::default();
    for path in paths {
        match files_below(path) {
            Ok(files) if files.is_empty() => {
                summary.unreadable += 1;
                writeln!(out, "{}: no .txt files", path.display())?;
            }
            Ok(files) => {
                for file in files {
                    run_file(&file, &mut summary, out)?;
                }
            }
            Err(error) => {
                summary.unreadable += 1;
                writeln!(out, "{}: {error}", path.display())?;
            }
        }
    }
    Ok(summary)
}

/// The file itself, or the vector files below a folder, in the order of their names. Symbolic
/// links to folders are not followed: they may form a ring.
fn files_below(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries = path.read_dir()?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            files.extend(files_below(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "txt") && path.is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

fn run_file(path: &Path, summary: &mut Summary, out: &mut dyn Write) -> io::Result<()> {
    let records = std::fs::read(path).map_err(|error| error.to_string()).and_then(|bytes| {
        // Bytes beyond ASCII become a character that the parser refuses, with its line.
        parse(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())
    });
    match records {
        Ok(records) => {
            let report = run(&Registry::project(), &records, Options::default());
            writeln!(out, "{}: {report}", path.display())?;
            summary.files += 1;
            summary.passed += report.passed;
            summary.failed += report.failed;
            summary.skipped += report.skipped;
        }
        Err(error) => {
            writeln!(out, "{}: {error}", path.display())?;
            summary.unreadable += 1;
        }
    }
    Ok(())
}
