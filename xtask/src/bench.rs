//! `cargo xtask bench`: the ciphers beside other libraries, measured in one process.
//!
//! The program is `benches/peers`, a workspace of its own with a lock file of its own, built with
//! optimisation. It runs in the user's folder, so that a relative path is the user's.
//!
//! For another target the same program runs under qemu, whose plugin `benches/qemu-count` counts
//! instructions: a speed under emulation says nothing, and counts repeat to the instruction. With
//! `trace=on` it is the witness of `cargo xtask constant-time --target`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::cross::Target;
use crate::run::{Failure, Outcome, Rows, cargo, pass_on, root, say, stdout, watch};

pub(crate) const HELP: &str = include_str!("../../benches/peers/src/help.txt");

pub(crate) fn run(mut arguments: lexopt::Parser) -> Result<(), Failure> {
    let (mut rest, mut json, mut target) = (Vec::new(), None, None);
    let mut words = arguments.raw_args()?;
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{} needs a value", word.display()));
        match word.to_str() {
            Some("--json") => json = Some(PathBuf::from(value()?)),
            Some("--target") => target = Some(value()?),
            _ => rest.push(word),
        }
    }
    let mut rows = Rows::new();
    if json.is_some() {
        rest.extend(["--json".into(), rows.part.clone().into()]);
    }
    let result = match target {
        Some(name) => counted(&name.display().to_string(), rest, &mut rows),
        None => {
            let result = pass_on(program(&mut cargo("run"), &rest)?);
            rows.collect();
            result
        }
    };
    if let Some(file) = json {
        rows.write(&file)?;
    }
    result
}

/// Completes a `cargo run`.
fn program<'a>(
    command: &'a mut Command,
    arguments: &[OsString],
) -> Result<&'a mut Command, Failure> {
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

/// Counts instructions on each of a target's CPU models.
fn counted(name: &str, mut arguments: Vec<OsString>, rows: &mut Rows) -> Result<(), Failure> {
    let target = Target::find(name)?;
    let plugin = Plugin::of(target)?;
    if !arguments.iter().any(|argument| argument == "--peers") {
        arguments.push("--no-peers".into());
    }
    let mut result = Ok(());
    for cpu in target.cpus {
        say(&format!("\n{} on {}", target.name, cpu.name));
        let mut command = target.cargo("run", cpu);
        let mut arguments = arguments.clone();
        arguments.extend(["--model".into(), cpu.name.into()]);
        program(&mut command, &arguments)?;
        plugin.load(&mut command, "");
        result = result.and(pass_on(&mut command));
        rows.collect();
    }
    result
}

/// The plugin, and the file that it writes to.
pub(crate) struct Plugin([PathBuf; 2]);

impl Plugin {
    /// Builds it for this host and the version of its interface that the target's emulator wants.
    pub(crate) fn of(target: &Target) -> Result<Self, Failure> {
        let qemu = target.runner.split(' ').next().filter(|runner| runner.starts_with("qemu"));
        let qemu = qemu.ok_or_else(|| format!("`{}` is not emulated", target.name))?;
        let version = stdout(Command::new(qemu).arg("--version")).unwrap_or_default();
        let folder = root().join("target/qemu-count");
        let mut command = cargo("build");
        command.args(["--release", "--manifest-path"]);
        command.arg(root().join("benches/qemu-count/Cargo.toml"));
        command.arg("--target-dir").arg(&folder);
        if major(&version).is_some_and(|major| major >= 9) {
            command.args(["--features", "v2"]);
        }
        if let Outcome::Failed(log) = watch("qemu-count", |step| step.run(&mut command)) {
            return Err(log.into());
        }
        // A file of this process: another may be counting in the same checkout.
        let file = root().join(format!("target/qemu-count-{}", std::process::id()));
        Ok(Self([folder.join("release/libqemu_count.so"), file]))
    }

    /// Has the emulators that a command starts load it. `more` are its arguments.
    pub(crate) fn load(&self, command: &mut Command, more: &str) {
        let [plugin, file] = self.0.each_ref().map(|path| path.display());
        command.env("QEMU_PLUGIN", format!("file={plugin},out={file}{more}"));
        command.env("CINDER_COUNT_FILE", &self.0[1]);
    }
}

impl Drop for Plugin {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0[1]);
    }
}

/// `qemu-arm version 7.2.22 (Debian …)`.
fn major(version: &str) -> Option<u32> {
    version.split("version ").nth(1)?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qemu_says_its_version() {
        assert_eq!(major("qemu-arm version 7.2.22 (Debian 1:7.2+dfsg-7)"), Some(7));
        assert_eq!(major("qemu-arm version 10.0.2"), Some(10));
        assert_eq!(major(""), None);
    }
}
