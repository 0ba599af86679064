//! The workspace's own commands: `cargo xtask COMMAND`.
//!
//! Each command is a module with one entry, `run(&[String]) -> Result<(), Failure>`, and one row
//! in [`COMMANDS`]. This program has no dependency, so that a first `cargo xtask` costs seconds;
//! a command that needs the library crates or their dev-dependencies builds them by calling
//! cargo ([`run::cargo`]) rather than by linking them.

mod bench;
mod cross;
mod manifest;
mod residue;
mod run;
mod sboxes;
mod test;
mod tidy;
mod vectors;

use std::process::ExitCode;

use run::Failure;

/// A row of the help text and of the dispatch.
struct Command {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        arguments: "[--quick]",
        help: "everything that CI checks on this host",
        run: test::run,
    },
    Command {
        name: "cross-test",
        arguments: "TARGET…",
        help: "build and test for other targets (cross-test --help lists them)",
        run: cross::run,
    },
    Command {
        name: "features",
        arguments: "",
        help: "each feature of each published crate alone has no warning",
        run: test::run_features,
    },
    Command {
        name: "bench",
        arguments: "[FILTER…]",
        help: "the ciphers' speed beside other libraries (bench --help lists the options)",
        run: bench::run,
    },
    Command {
        name: "residue",
        arguments: "[FILTER…]",
        help: "what each operation leaves behind, in each profile; fails on any byte",
        run: residue::run,
    },
    Command {
        name: "depth",
        arguments: "",
        help: "how deep each function goes, and whether a burn of what it says suffices",
        run: residue::depth,
    },
    Command {
        name: "sboxes",
        arguments: "[--seed N] [--steps N]",
        help: "search gate networks for the S-boxes of DES; prints their module",
        run: sboxes::run,
    },
    Command {
        name: "tidy",
        arguments: "",
        help: "the rules of this repository that no compiler checks",
        run: tidy::run,
    },
    Command {
        name: "vectors",
        arguments: "PATH…",
        help: "run vector files, or folders of them, through every kernel",
        run: vectors::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        print!("{}", help());
        return ExitCode::FAILURE;
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", help());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("xtask: no command `{name}`\n\n{}", help());
        return ExitCode::FAILURE;
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            if !message.is_empty() {
                eprintln!("{name}: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn help() -> String {
    let mut text = String::from("cargo xtask COMMAND\n\n");
    for command in COMMANDS {
        let usage = format!("{} {}", command.name, command.arguments);
        text.push_str(&format!("  {usage:<22} {}\n", command.help));
    }
    text
}
