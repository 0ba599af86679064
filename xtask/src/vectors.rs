//! `cargo xtask vectors PATH…`: vector files through every kernel that this CPU has.
//!
//! The program is `vectors` of the crate of that name, built with optimisation. It runs in the
//! user's folder, so that a relative path is the user's, and its exit status is passed on: 1 for
//! a failure, 2 for wrong usage.

use crate::run::{Failure, cargo, root};

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let mut command = cargo();
    command.current_dir(std::env::current_dir()?);
    command.args(["run", "--quiet", "--release", "--package", "vectors", "--bin", "vectors"]);
    command.arg("--manifest-path").arg(root().join("Cargo.toml")).arg("--").args(arguments);
    match command.status()?.code() {
        Some(0) => Ok(()),
        Some(2) => std::process::exit(2),
        _ => Err(Failure::said()),
    }
}
