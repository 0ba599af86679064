//! The workspace's own commands: `cargo xtask COMMAND`.
//!
//! Each command is a module with one entry, which takes a parser of its arguments, and one row of
//! [`COMMANDS`]. This program depends on a parser of options and one of JSON alone, so that a
//! first `cargo xtask` costs seconds. A command that needs the library crates builds them by
//! calling cargo ([`run::cargo`]); it does not link them.

mod bench;
mod cross;
mod residue;
mod run;
mod test;
mod tidy;
mod vectors;

use std::process::ExitCode;

use run::Failure;

/// A row of the help text and of the dispatch.
struct Command {
    name: &'static str,
    arguments: &'static str,
    /// One line.
    about: &'static str,
    /// What `--help` prints after the usage and that line.
    help: &'static str,
    run: fn(lexopt::Parser) -> Result<(), Failure>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "test",
        arguments: "[--quick]",
        about: "lint and test this host's build, optimised too; see --help for each step",
        help: test::HELP,
        run: test::run,
    },
    Command {
        name: "cross-test",
        arguments: "TARGET…",
        about: "build and test for other targets",
        help: cross::HELP,
        run: cross::run,
    },
    Command {
        name: "features",
        arguments: "",
        about: "lint each published crate with each of its features alone",
        help: "",
        run: test::features,
    },
    Command {
        name: "bench",
        arguments: "[FILTER…]",
        about: "measure the ciphers' speed beside other libraries",
        help: bench::HELP,
        run: bench::run,
    },
    Command {
        name: "residue",
        arguments: "[FILTER…]",
        about: "find what each operation leaves behind, in each profile; fail on any byte",
        help: residue::HELP,
        run: residue::run,
    },
    Command {
        name: "depth",
        arguments: "[FILTER…]",
        about: "measure how deep each function goes, and whether its burn reaches that far",
        help: residue::HELP,
        run: residue::depth,
    },
    Command {
        name: "tidy",
        arguments: "",
        about: "check the rules of this repository that no other tool checks",
        help: "",
        run: tidy::run,
    },
    Command {
        name: "vectors",
        arguments: "PATH…",
        about: "run vector files, or folders of them, through every kernel",
        help: vectors::HELP,
        run: vectors::run,
    },
];

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let name = arguments.next().unwrap_or_default();
    let Some(command) = COMMANDS.iter().find(|command| name == command.name) else {
        println!("cargo xtask COMMAND\n");
        for Command { name, arguments, about, .. } in COMMANDS {
            println!("  {:<22} {about}", format!("{name} {arguments}"));
        }
        println!("\n`cargo xtask COMMAND --help` says more.");
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
        let Command { name, arguments, about, help, .. } = command;
        println!("cargo xtask {name} {arguments}: {about}\n{help}");
        return ExitCode::SUCCESS;
    }
    match (command.run)(lexopt::Parser::from_args(arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            if !message.is_empty() {
                eprintln!("{}: {message}", command.name);
            }
            ExitCode::FAILURE
        }
    }
}
