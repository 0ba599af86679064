//! Public test vectors, their parser, and the engine that runs them through every kernel.
//!
//! The files are in `data/`, their format in `data/FORMAT.md`, where they come from in
//! `data/PROVENANCE.md`. A test of a crate is one line, [`check_files_of`]; `cargo xtask vectors`
//! runs files that users bring, [`run_paths`].
//!
//! Every record runs with every kernel that this CPU has. A known answer runs in both
//! directions, each in every way there is: by a model of the mode written from its definition
//! (one block at a time on the kernel), by the chained methods of the block traits in one call
//! and in pieces, and by the crates `modes` and `gcm`. The first record of each kind also runs
//! with a text longer than any kernel is wide, against the model.
//!
//! Where the format leaves room:
//!
//! - GCM with a tag of a length that SP 800-38D does not have may be refused; if not, the tag
//!   must match. The first bytes of a whole tag must match in any case.
//! - A possibly weak key of DES may be refused. A weak or semi-weak one must be, unless allowed.
//! - In a debug build, records of more than 100 000 steps are skipped; see [`Options`].
//!
//! For development only: needs std, is not published, and burns nothing.

mod engine;
mod files;
mod iterated;
mod model;
mod parse;
mod paths;
mod record;
pub mod registry;
mod report;
pub mod run;
mod through_aead;
mod through_gcm;
mod through_modes;

pub use engine::{Options, run};
pub use files::{FILES, OWNERS};
pub use parse::{ParseError, parse};
pub use paths::{Summary, run_paths};
pub use record::{Cipher, Class, Mode, Op, Record, Test, Verdict};
pub use registry::{Cipher16, Registry};
pub use report::{Failure, Report};

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The text of a file of the project.
///
/// # Panics
///
/// If there is no such file.
pub fn file(name: &str) -> &'static str {
    match FILES.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => text,
        None => panic!("no vector file {name}"),
    }
}

/// Runs a file of the project through every kernel that this CPU has, and prints what came of it.
///
/// # Panics
///
/// If a record fails, or there is no such file, or it is not of the format.
pub fn check(name: &str) -> Report {
    let records = match parse(file(name)) {
        Ok(records) => records,
        Err(error) => panic!("{name}: {error}"),
    };
    let report = run(&Registry::project(), &records, Options::default());
    println!("{name}: {report}");
    assert!(report.failed == 0, "{name}: {report}");
    report
}

/// Runs the files that belong to a crate, named as its folder: what its `tests/vectors.rs` does.
///
/// # Panics
///
/// As [`check`], and if there is no such crate.
pub fn check_files_of(owner: &str) {
    let files = OWNERS.iter().find(|(known, _)| *known == owner);
    let (_, files) = files.unwrap_or_else(|| panic!("no files of a crate {owner}"));
    // Some files take long, so the threads take one after the other.
    let next = AtomicUsize::new(0);
    let check_all = || {
        while let Some(name) = files.get(next.fetch_add(1, Relaxed)) {
            check(name);
        }
    };
    if cfg!(target_family = "wasm") {
        // No threads there.
        return check_all();
    }
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(check_all);
        }
    });
}

/// Lower-case hex; of a long string the beginning.
fn hex(bytes: &[u8]) -> String {
    const SHOWN: usize = 64;
    let mut text: String = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    if bytes.len() > SHOWN {
        text += &format!("… ({} bytes)", bytes.len());
    }
    if text.is_empty() { "nothing".to_owned() } else { text }
}
