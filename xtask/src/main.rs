//! The workspace's own commands: `cargo xtask COMMAND`.
//!
//! Each command has an entry, which takes a parser of its arguments, and one row of [`COMMANDS`].
//! This program depends on a parser of options and one of JSON alone, so that a first `cargo xtask`
//! costs seconds. A command that needs the library crates calls cargo; it does not link them.

mod bench;
mod cross;
mod residue;
mod run;
mod test;
mod tidy;
mod vectors;

use std::process::ExitCode;

use run::Failure;

/// What a command does: its name, its help (the first line has its arguments, the second what it
/// does), and its entry.
type Command = (&'static str, &'static str, fn(lexopt::Parser) -> Result<(), Failure>);

const COMMANDS: &[Command] = &[
    ("test", test::HELP, test::run),
    ("features", test::FEATURES_HELP, test::features),
    ("cross-test", cross::HELP, cross::run),
    ("residue", residue::HELP, residue::run),
    ("depth", residue::DEPTH_HELP, residue::depth),
    ("constant-time", residue::CONSTANT_TIME_HELP, residue::constant_time),
    ("vectors", vectors::HELP, vectors::run),
    ("bench", bench::HELP, bench::run),
    ("tidy", tidy::HELP, tidy::run),
];

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let name = arguments.next().unwrap_or_default();
    let Some((name, help, run)) = COMMANDS.iter().find(|(command, ..)| name == *command) else {
        println!("cargo xtask COMMAND, of which `cargo xtask COMMAND --help` says more\n");
        for (name, help, _) in COMMANDS {
            let mut lines = help.lines().map(|line| line.trim_end_matches('.'));
            let usage = format!("{name} {}", lines.next().unwrap_or_default());
            println!("  {usage:<20} {}", lines.next().unwrap_or_default());
        }
        if ["help", "--help", "-h"].iter().any(|&help| name == help) {
            return ExitCode::SUCCESS;
        }
        if !name.is_empty() {
            eprintln!("\nxtask: no command `{}`", name.display());
        }
        return ExitCode::FAILURE;
    };
    let arguments: Vec<_> = arguments.collect();
    let mut own = arguments.iter().take_while(|&word| word != "--");
    if own.any(|word| word == "--help" || word == "-h") {
        println!("cargo xtask {name} {}", help.trim_end());
        return ExitCode::SUCCESS;
    }
    match run(lexopt::Parser::from_args(arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            if !message.is_empty() {
                eprintln!("{name}: {message}");
            }
            ExitCode::FAILURE
        }
    }
}
