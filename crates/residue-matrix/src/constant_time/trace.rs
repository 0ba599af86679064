//! Traces of this program under an emulator: qemu's user mode with the plugin `benches/qemu-count`,
//! which hashes the address of each block of instructions that is entered, and each address that is
//! read or written.
//!
//! The program runs once for each of [`RUNS`], and nothing but the keys and messages differs, so a step
//! whose hash differs has a branch or an address that depends on them. A branch that all these secrets
//! take alike is not seen: that is why one run has keys that are mostly zeros, and why memcheck, which
//! misses none, is the first choice where there is one.

use super::{Cell, ended};
use cinder_residue::Observer;
use std::error::Error;
use std::ffi::c_long;
use std::fs::File;
use std::io::{BufRead, BufReader, Error as IoError};
use std::os::unix::fs::FileExt;
use std::process::Command;

/// The command of the emulator, with the plugin in its own variable; `cargo xtask` sets it.
const EMULATOR: &str = "CINDER_EMULATOR";
/// The file that the plugin writes a hash to; `cargo xtask` sets it.
const FILE: &str = "CINDER_COUNT_FILE";
/// Which of [`RUNS`] this is.
const RUN: &str = "CINDER_TRACE_RUN";

/// The number of each run's keys. The last one's are sparse.
const RUNS: [usize; 3] = [0, 1, SPARSE];
const SPARSE: usize = 2;

/// The plugin's mark.
const MARK: c_long = 1999;

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

/// One of the runs.
pub(super) struct Trace {
    key: usize,
    hash: File,
}

impl Trace {
    /// `None` where nobody compares traces.
    pub(super) fn of_this_run() -> Option<Result<Self, IoError>> {
        let key = std::env::var(RUN).ok()?.parse().ok()?;
        Some(File::open(std::env::var_os(FILE)?).map(|hash| Trace { key, hash }))
    }
}

impl Observer for Trace {
    fn step(&self, name: &'static str, run: &mut dyn FnMut()) {
        mark(0);
        run();
        mark(1);
        let mut hash = [0; 8];
        // An empty file: the plugin did not see the marks.
        self.hash.read_exact_at(&mut hash, 0).expect("the plugin wrote a hash");
        ended(name, u64::from_le_bytes(hash));
    }

    fn key_number(&self) -> usize {
        self.key
    }

    /// Of four words of 16 bits one stays, so that a DES key is not weak, nor are two keys of XTS equal.
    fn key(&self, bytes: &mut [u8]) {
        if self.key == SPARSE {
            let words = bytes.chunks_mut(2).enumerate();
            words.filter(|(i, _)| i % 4 != 1).for_each(|(_, word)| word.fill(0));
        }
    }
}

fn mark(end: c_long) {
    // SAFETY: no system call has this number, so that the kernel does nothing.
    unsafe { syscall(MARK, end) };
}

/// The cells, with how many of the other runs' traces differ from the first. `None` where no emulator
/// is named.
pub(super) fn compared() -> Result<Option<Vec<Cell>>, Box<dyn Error>> {
    let Ok(emulator) = std::env::var(EMULATOR) else { return Ok(None) };
    let mut cells = traced(&emulator, RUNS[0])?;
    let first: Vec<_> = cells.iter_mut().map(|cell| std::mem::take(&mut cell.findings)).collect();
    for key in &RUNS[1..] {
        let others = traced(&emulator, *key)?;
        if cells.len() != others.len() {
            return Err("the runs have different cells".into());
        }
        for ((cell, hash), other) in cells.iter_mut().zip(&first).zip(others) {
            cell.findings += u64::from(*hash != other.findings);
        }
    }
    Ok(Some(cells))
}

/// Runs this program with the keys of that number: its cells, with their hashes.
fn traced(emulator: &str, key: usize) -> Result<Vec<Cell>, Box<dyn Error>> {
    let mut words = emulator.split(' ');
    let (reader, writer) = std::io::pipe()?;
    let mut program = Command::new(words.next().unwrap_or_default());
    program.args(words).arg(std::env::current_exe()?).args(std::env::args_os().skip(1));
    program.env(RUN, key.to_string()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = program.spawn()?;
    // It holds the writing ends, and the pipe would not end.
    drop(program);
    let (mut cells, mut last) = (vec![], String::new());
    for line in BufReader::new(reader).lines() {
        let line = line?;
        match Cell::parse(&line) {
            Some(cell) => cells.push(cell),
            None => last = line,
        }
    }
    if !child.wait()?.success() {
        return Err(format!("under {emulator}: {last}").into());
    }
    Ok(cells)
}
