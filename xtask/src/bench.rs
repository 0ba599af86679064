//! `cargo xtask bench`: the ciphers beside other libraries, measured in one process.
//!
//! The program is `benches/peers`, a workspace of its own with a lock file of its own, built with
//! optimisation. It runs in the user's folder, so that a relative path is the user's.
//!
//! For another target the same program runs under qemu, whose plugin `benches/qemu-count` counts
//! instructions: a speed under emulation says nothing, and counts repeat to the instruction.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cross::targets::Target;
use crate::cross::{Source, prepare};
use crate::run::{Failure, capture, cargo, root, say, stdout};

/// The program prints it, too, but would have to be compiled first.
const HELP: &str = include_str!("../../benches/peers/src/help.txt");

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        print!("{HELP}");
        return Ok(());
    }
    let mut rest = arguments.to_vec();
    let target = take(&mut rest, "--target")?;
    match target {
        Some(name) => run_emulated(&name, rest),
        None => finish(program(cargo().arg("run"), &rest)?),
    }
}

/// Completes a `cargo run`.
fn program<'a>(command: &'a mut Command, arguments: &[String]) -> Result<&'a mut Command, Failure> {
    let is_given = |option: &str| arguments.iter().any(|argument| argument == option);
    command.current_dir(std::env::current_dir()?).arg("--release");
    command.arg("--manifest-path").arg(root().join("benches/peers/Cargo.toml"));
    // RustCrypto and ring are compiled, for which half a minute is too short on a fresh machine;
    // libgcrypt and OpenSSL are the system's, loaded at run time.
    if is_given("--no-peers") || is_given("--quick") && !is_given("--peers") {
        command.arg("--no-default-features");
    }
    Ok(command.arg("--").args(arguments))
}

fn finish(command: &mut Command) -> Result<(), Failure> {
    match command.status()?.code() {
        Some(0) => Ok(()),
        Some(2) => std::process::exit(2),
        _ => Err(Failure::said()),
    }
}

/// Takes an option and its value out of the arguments.
fn take(arguments: &mut Vec<String>, option: &str) -> Result<Option<String>, Failure> {
    let Some(index) = arguments.iter().position(|argument| argument == option) else {
        return Ok(None);
    };
    if index + 1 == arguments.len() {
        return Err(format!("{option} needs a value").into());
    }
    arguments.remove(index);
    Ok(Some(arguments.remove(index)))
}

/// Counts instructions on each of a target's CPU models.
fn run_emulated(name: &str, mut arguments: Vec<String>) -> Result<(), Failure> {
    let target = Target::find(name).filter(|target| !target.qemu.is_empty());
    let target = target.ok_or_else(|| format!("no emulated target `{name}`"))?;
    let json = take(&mut arguments, "--json")?;
    if !arguments.iter().any(|argument| argument == "--peers") {
        arguments.push("--no-peers".into());
    }
    let prepared = prepare(target, Source::Any)?;
    let plugin = plugin(prepared.emulator().ok_or("the emulator is not qemu's")?)?;
    // Two files a process: another may be counting in the same checkout.
    let folder = root().join("target");
    let count = folder.join(format!("qemu-count-{}", std::process::id()));
    let part = folder.join(format!("bench-{}.json", std::process::id()));
    let mut parts = Vec::new();
    let mut result = Ok(());
    for cpu in target.cpus {
        say(&format!("\n{} on {}", target.name, cpu.name));
        let mut command = prepared.cargo("run", cpu);
        let mut arguments = arguments.clone();
        arguments.extend(["--cpu".into(), cpu.name.into()]);
        if json.is_some() {
            arguments.extend(["--json".into(), part.to_string_lossy().into_owned()]);
        }
        program(&mut command, &arguments)?;
        command.env("CINDER_COUNT_FILE", &count);
        command.env("QEMU_PLUGIN", format!("file={},out={}", plugin.display(), count.display()));
        result = result.and(finish(&mut command));
        if json.is_some() {
            let text = std::fs::read_to_string(&part)?;
            let rows = text.trim().trim_start_matches('[').trim_end_matches(']').trim();
            if !rows.is_empty() {
                parts.push(format!("  {rows}"));
            }
        }
    }
    for file in [&count, &part] {
        let _ = std::fs::remove_file(file);
    }
    if let Some(file) = json {
        std::fs::write(file, format!("[\n{}\n]\n", parts.join(",\n")))?;
    }
    result
}

/// Builds the plugin for this host and the version of its interface that the emulator wants.
fn plugin(qemu: &Path) -> Result<PathBuf, Failure> {
    let version = stdout(Command::new(qemu).arg("--version")).unwrap_or_default();
    let folder = root().join("target/qemu-count");
    let mut command = cargo();
    command.args(["build", "--release", "--manifest-path"]);
    command.arg(root().join("benches/qemu-count/Cargo.toml"));
    command.arg("--target-dir").arg(&folder);
    if major(&version).is_some_and(|major| major >= 9) {
        command.args(["--features", "v2"]);
    }
    let (fine, output) = capture(&mut command);
    if fine { Ok(folder.join("release/libqemu_count.so")) } else { Err(output.into()) }
}

/// `qemu-arm version 7.2.22 (Debian …)`.
fn major(version: &str) -> Option<u32> {
    version.split("version ").nth(1)?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_a_value_are_taken_out() {
        let mut words = ["a", "--json", "f", "b"].map(String::from).to_vec();
        assert_eq!(take(&mut words, "--json").unwrap().as_deref(), Some("f"));
        assert_eq!(words, ["a", "b"]);
        assert!(take(&mut words, "--json").unwrap().is_none());
        assert!(take(&mut vec![String::from("--json")], "--json").is_err());
    }

    #[test]
    fn a_qemu_says_its_version() {
        assert_eq!(major("qemu-arm version 7.2.22 (Debian 1:7.2+dfsg-7)"), Some(7));
        assert_eq!(major("qemu-arm version 10.0.2"), Some(10));
        assert_eq!(major(""), None);
    }
}
