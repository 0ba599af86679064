//! `cargo xtask bench`: the ciphers beside other libraries, measured in one process.
//!
//! The program is `benches/peers`, a workspace of its own with a lock file of its own, built with
//! optimisation. It runs in the user's folder, so that a relative path is the user's.

use crate::run::{Failure, cargo, root};

/// Peers that are compiled; the others are libraries of the system, loaded at run time.
const COMPILED: &str = "--no-default-features";

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let is_given = |option: &str| arguments.iter().any(|argument| argument == option);
    let mut command = cargo();
    command.current_dir(std::env::current_dir()?);
    command.args(["run", "--release"]);
    command.arg("--manifest-path").arg(root().join("benches/peers/Cargo.toml"));
    // Half a minute is too short to compile RustCrypto and ring on a fresh machine.
    if is_given("--no-peers") || is_given("--quick") && !is_given("--peers") {
        command.arg(COMPILED);
    }
    command.arg("--").args(arguments);
    match command.status()?.code() {
        Some(0) => Ok(()),
        Some(2) => std::process::exit(2),
        _ => Err(Failure::said()),
    }
}
