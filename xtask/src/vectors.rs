//! `cargo xtask vectors PATH…`: vector files through every kernel that this CPU has.
//!
//! The program is `vectors` of the crate of that name, built with optimisation. It runs in the
//! user's folder, so that a relative path is the user's.

use crate::run::{Failure, cargo, pass_on, root};

pub(crate) const HELP: &str = "PATH…
Runs vector files, or folders of them, through every kernel of this CPU.

crates/vectors/data/FORMAT.md describes the format; of folders the .txt files are read. Prints for
each file passed/failed/skipped, and the Id of each record that failed.

Exits with 1 if a record failed or a file is not of the format, with 2 if there is nothing to run.";

pub(crate) fn run(mut arguments: lexopt::Parser) -> Result<(), Failure> {
    let mut command = cargo("run");
    command.current_dir(std::env::current_dir()?);
    command.args(["--quiet", "--release", "--package", "vectors", "--bin", "vectors"]);
    command.arg("--manifest-path").arg(root().join("Cargo.toml"));
    pass_on(command.arg("--").args(arguments.raw_args()?))
}
