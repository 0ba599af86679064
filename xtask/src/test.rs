//! `cargo xtask test`: lints and tests for this host, a step after the other.
//!
//! A step's output is shown only if it fails; the steps after it run all the same.

use std::process::Command;

use crate::cross::{TARGETS, Target, X86_64, build_libraries};
use crate::run::{
    Failure, Library, Outcome, Step, Steps, build_apart, cargo, libraries, root, stdout,
};
use crate::tidy;

pub(crate) const HELP: &str = "[--quick]
Lints and tests this host's build.

Steps: tidy; format; clippy, warnings denied; all tests of the workspace with all features. Without
--quick also: the same tests optimised; clippy over each published crate with each of its features
alone; what CPUs are found to have, in builds for larger ones; documentation, warnings denied; the
published crates that are no_std, for thumbv7em; and all of them with the oldest Rust that they
promise. A step that lacks a target or toolchain is skipped and counted so.

Not among them: residue and cross-test, which .ci/run runs besides; depth; bench.

  --quick   the first four steps";

pub(crate) const FEATURES_HELP: &str = "
Lints each published crate with each of its features alone.";

/// Bare metal: what builds for it needs no std.
const NO_STD_TARGET: &str = "thumbv7em";

/// The workspaces of their own that are checked without what they compare with.
const APART: &[&str] = &["benches/peers/Cargo.toml", "benches/qemu-count/Cargo.toml"];

/// The command.
pub(crate) fn run(mut arguments: lexopt::Parser) -> Result<(), Failure> {
    let mut is_quick = false;
    while let Some(argument) = arguments.next()? {
        match argument {
            lexopt::Arg::Long("quick") => is_quick = true,
            other => return Err(other.unexpected().into()),
        }
    }
    let libraries = libraries()?;
    let mut steps = Steps::new(if is_quick { 4 } else { 10 });
    steps.step("tidy", |_| match tidy::check() {
        Ok(findings) if findings.is_empty() => Outcome::Fine,
        Ok(findings) => Outcome::Failed(findings.join("\n")),
        Err(Failure(why)) => Outcome::Failed(why),
    });
    steps.step("format", |step| step.run(cargo("fmt").args(["--all", "--check"])));
    steps.step("clippy", |step| {
        let deny = ["--", "--deny", "warnings"];
        let all = ["--workspace", "--all-targets", "--all-features"];
        let mut outcome = step.run(cargo("clippy").args(all).args(deny));
        for manifest in APART {
            if let Outcome::Fine = outcome {
                let apart = ["--no-default-features", "--manifest-path", manifest];
                outcome = step.run(cargo("clippy").args(apart).args(deny));
            }
        }
        outcome
    });
    let tests = |step: &Step, profile: &[&str]| {
        let all = ["--workspace", "--all-features", "--no-fail-fast"];
        step.tests(cargo("test").args(all).args(profile))
    };
    steps.step("tests", |step| tests(step, &[]));
    if !is_quick {
        steps.step("tests, optimised", |step| tests(step, &["--release"]));
        steps.step("each feature alone", |step| each_feature(step, &libraries));
        steps.step("detection", detection);
        steps.step("documentation", |step| {
            let all = ["--workspace", "--no-deps", "--all-features"];
            step.run(cargo("doc").args(all).env("RUSTDOCFLAGS", "--deny warnings"))
        });
        steps.step("no_std", |step| match Target::find(NO_STD_TARGET) {
            Ok(target) => build_libraries(step, target, &libraries),
            Err(Failure(why)) => Outcome::Skipped(why),
        });
        steps.step("oldest Rust", |step| oldest_rust(step, &libraries));
    }
    steps.end()
}

/// `cargo xtask features`: that step alone.
pub(crate) fn features(mut arguments: lexopt::Parser) -> Result<(), Failure> {
    if let Some(other) = arguments.next()? {
        return Err(other.unexpected().into());
    }
    let libraries = libraries()?;
    let mut steps = Steps::new(1);
    steps.step("each feature alone", |step| each_feature(step, &libraries));
    steps.end()
}

/// Each published crate without features, and with each of its features alone, has no warning.
fn each_feature(step: &Step, libraries: &[Library]) -> Outcome {
    for library in libraries {
        for feature in std::iter::once("").chain(library.features.iter().map(String::as_str)) {
            let mut command = cargo("clippy");
            command.args(["--lib", "--package", &library.name, "--no-default-features"]);
            command.args(["--features", feature, "--", "--deny", "warnings"]);
            if let Outcome::Failed(output) = step.run(&mut command) {
                return Outcome::Failed(format!("{} {feature:?}\n{output}", library.name));
            }
        }
    }
    Outcome::Fine
}

/// What is built for a larger CPU than the one that runs it asks what there is, all the same.
fn detection(step: &Step) -> Outcome {
    let aarch64 = TARGETS.iter().find(|target| target.name == "aarch64");
    let mut builds = vec![(aarch64, 0, "-C target-cpu=cortex-a72 -C target-feature=+aes")];
    if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        // On a Core 2 with no feature whose instructions the compiler puts in by itself.
        builds.push((Some(&X86_64), 0, "-C target-feature=+aes,+pclmulqdq"));
        builds.push((Some(&X86_64), 1, "-C target-feature=+aes,+ssse3,+sse4.1,+pclmulqdq"));
    }
    let mut outcome = Outcome::Fine;
    for (target, cpu, flags) in builds {
        let Some(target) = target else { continue };
        if let Some(line) = target.missing() {
            outcome = Outcome::Skipped(format!("{}: run `{line}`", target.name));
            continue;
        }
        let mut command = target.cargo("test", &target.cpus[cpu]);
        command.args(["--package", "cinder-cpu", "--tests"]);
        build_apart(&mut command, "detection", flags);
        if let Outcome::Failed(log) = step.run(&mut command) {
            return Outcome::Failed(log);
        }
    }
    outcome
}

/// The published crates with the oldest Rust that they promise. Clippy's lint says what of the
/// standard library is newer than that, but nothing of the language.
fn oldest_rust(step: &Step, libraries: &[Library]) -> Outcome {
    let version = env!("CARGO_PKG_RUST_VERSION");
    let cargo = |arguments: &[&str]| {
        let mut rustup = Command::new("rustup");
        rustup.current_dir(root()).args(["run", version, "cargo"]).args(arguments);
        // What cargo and rustup set for this toolchain.
        for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
            rustup.env_remove(name);
        }
        rustup
    };
    if stdout(&mut cargo(&["--version"])).is_none() {
        return Outcome::Skipped(format!("run `rustup toolchain install {version}`"));
    }
    let mut check = cargo(&["check", "--lib", "--all-features"]);
    for library in libraries {
        check.args(["--package", &library.name]);
    }
    step.run(&mut check)
}
