//! `cargo xtask test`: everything that CI checks on this host, one line a step.
//!
//! A step's output is shown only if it fails; the steps after it run all the same.

use std::process::Command;
use std::time::Instant;

use crate::cross::targets::Target;
use crate::cross::{Source, build_libraries, prepare};
use crate::manifest::{self, Manifest};
use crate::run::{Failure, Report, Totals, capture, cargo, root, say, seconds, stdout, tests};
use crate::tidy;

const HELP: &str = "\
cargo xtask test [--quick]

  --quick   leave out what takes long: optimised tests, one feature at a time, documentation,
            no_std and the minimum supported Rust version
";

/// Bare metal: what builds for it needs no std.
const NO_STD_TARGET: &str = "thumbv7em";

/// How a step ended.
enum Outcome {
    Fine,
    /// It ran tests; cargo says whether all is well.
    Tests(bool, Totals),
    /// It could not run, and why.
    Skipped(String),
    /// What the failed program wrote.
    Failed(String),
}

/// The steps so far.
#[derive(Default)]
struct Steps {
    totals: Totals,
    failed: Vec<&'static str>,
}

impl Steps {
    fn step(&mut self, name: &'static str, work: impl FnOnce() -> Outcome) {
        let start = Instant::now();
        let outcome = work();
        let time = seconds(start.elapsed());
        let (word, rest) = match outcome {
            Outcome::Fine => ("ok", String::new()),
            Outcome::Skipped(why) => ("-", format!("left out: {why}")),
            Outcome::Tests(is_fine, totals) => {
                self.totals = self.totals.plus(totals);
                (if is_fine { "ok" } else { "FAILED" }, totals.to_string())
            }
            Outcome::Failed(output) => {
                say(&output);
                ("FAILED", String::new())
            }
        };
        if word == "FAILED" {
            self.failed.push(name);
        }
        say(format!("{name:<24} {word:<6} {time:>9}   {rest}").trim_end());
    }
}

/// The command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let mut is_quick = false;
    for argument in arguments {
        match argument.as_str() {
            "--quick" => is_quick = true,
            "-h" | "--help" => {
                print!("{HELP}");
                return Ok(());
            }
            other => return Err(format!("no option `{other}`; see --help").into()),
        }
    }
    let libraries = libraries();
    let start = Instant::now();
    let mut steps = Steps::default();
    steps.step("tidy", || match tidy::check() {
        findings if findings.is_empty() => Outcome::Fine,
        findings => Outcome::Failed(findings.join("\n")),
    });
    steps.step("format", || quiet(cargo().args(["fmt", "--all", "--check"])));
    steps.step("clippy", || {
        let all = ["clippy", "--quiet", "--workspace", "--all-targets", "--all-features"];
        quiet(cargo().args(all).args(["--", "--deny", "warnings"]))
    });
    steps.step("tests", || run_tests(&[]));
    if !is_quick {
        steps.step("tests, optimised", || run_tests(&["--release"]));
        steps.step("each feature alone", || each_feature(&libraries));
        steps.step("documentation", || {
            let arguments = ["doc", "--quiet", "--workspace", "--no-deps", "--all-features"];
            quiet(cargo().args(arguments).env("RUSTDOCFLAGS", "--deny warnings"))
        });
        steps.step("no_std", no_std);
        steps.step("oldest Rust", || oldest_rust(&libraries));
    }
    say(&format!("{:<24} {:<6} {:>9}", "all", "", seconds(start.elapsed())));
    say(&format!("\n{}", steps.totals));
    if steps.failed.is_empty() {
        Ok(())
    } else {
        Err(format!("failed: {}", steps.failed.join(", ")).into())
    }
}

/// `cargo xtask features`: that step alone.
pub(crate) fn run_features(arguments: &[String]) -> Result<(), Failure> {
    if let Some(word) = arguments.first() {
        return Err(format!("no option `{word}`").into());
    }
    let mut steps = Steps::default();
    steps.step("each feature alone", || each_feature(&libraries()));
    if steps.failed.is_empty() { Ok(()) } else { Err(Failure::said()) }
}

fn libraries() -> Vec<Manifest> {
    manifest::crates(&root()).into_iter().filter(Manifest::is_published).collect()
}

fn quiet(command: &mut Command) -> Outcome {
    let (fine, output) = capture(command);
    if fine { Outcome::Fine } else { Outcome::Failed(output) }
}

/// All tests of the workspace. A log of CI shows each test binary's result.
fn run_tests(arguments: &[&str]) -> Outcome {
    let mut command = cargo();
    command.args(["test", "--workspace", "--all-features", "--no-fail-fast"]).args(arguments);
    let report = if std::env::var_os("CI").is_some() { Report::Each } else { Report::Sum };
    let (is_fine, totals) = tests(&mut command, report);
    Outcome::Tests(is_fine, totals)
}

/// Each published crate without features, and with each of its features alone, has no warning.
fn each_feature(libraries: &[Manifest]) -> Outcome {
    for library in libraries {
        for feature in std::iter::once("").chain(library.features()) {
            let mut command = cargo();
            command.args(["clippy", "--quiet", "--lib", "--package", library.name()]);
            command.args(["--no-default-features", "--features", feature]);
            command.args(["--", "--deny", "warnings"]);
            let (fine, output) = capture(&mut command);
            if !fine {
                return Outcome::Failed(format!(
                    "{} --features {feature:?}\n{output}",
                    library.name()
                ));
            }
        }
    }
    Outcome::Fine
}

/// The published crates build where there is no std.
fn no_std() -> Outcome {
    let Some(target) = Target::find(NO_STD_TARGET) else {
        return Outcome::Failed(format!("no target {NO_STD_TARGET}"));
    };
    match prepare(target, Source::Any) {
        Ok(prepared) => match build_libraries(&prepared) {
            Ok(()) => Outcome::Fine,
            Err(output) => Outcome::Failed(output),
        },
        Err(Failure(why)) => Outcome::Skipped(why),
    }
}

/// The published crates with the oldest Rust that they promise, or else clippy's word that they
/// use nothing newer of the standard library.
fn oldest_rust(libraries: &[Manifest]) -> Outcome {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap_or_default();
    let workspace = Manifest::parse(&root(), &text);
    let Some(version) = workspace.value("workspace.package", "rust-version") else {
        return Outcome::Failed("Cargo.toml has no rust-version".into());
    };
    let installed = stdout(Command::new("rustup").args(["toolchain", "list"])).unwrap_or_default();
    let toolchain =
        installed.lines().filter_map(|line| line.split_whitespace().next()).find(|name| {
            let rest = name.strip_prefix(version);
            rest.is_some_and(|rest| rest.starts_with(['.', '-']))
        });
    let mut command = match toolchain {
        Some(toolchain) => {
            let mut command = Command::new("rustup");
            command.current_dir(root()).args(["run", toolchain, "cargo", "check", "--lib"]);
            for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
                command.env_remove(name);
            }
            command.env("CARGO_TARGET_DIR", root().join("target/oldest"));
            command
        }
        None => {
            let mut command = cargo();
            command.args(["clippy", "--lib"]);
            command
        }
    };
    command.args(["--quiet", "--all-features"]);
    for library in libraries {
        command.args(["--package", library.name()]);
    }
    if toolchain.is_none() {
        command.args(["--", "--deny", "clippy::incompatible_msrv"]);
    }
    quiet(&mut command)
}
