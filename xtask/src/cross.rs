//! `cargo xtask cross-test`: the tests on other targets, under qemu where the CPU is another.
//!
//! Tried in order, and the first that works is used:
//!
//! 1. the active toolchain with the target's standard library, there already or by
//!    `rustup target add`;
//! 2. Debian's `rustc-web` with the same version's standard library for the target, unpacked into
//!    the user's cache ([`debian`]).
//!
//! Linker and emulator likewise: the system's, else Debian's packages in the cache. A target's
//! tests are built once and run on each of its CPU models.
//!
//! Other commands that need a program for another target call [`prepare`] and then
//! [`Prepared::cargo`].

mod debian;
pub(crate) mod targets;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use self::debian::Cache;
use self::targets::{Cpu, TARGETS, Target};
use crate::manifest;
use crate::run::{
    Failure, Report, Totals, capture, cargo, root, say, seconds, stdout, succeeds_within, tests,
    which,
};

const HELP: &str = "\
cargo xtask cross-test TARGET… [OPTION…] [-- ARGUMENT…]

  -p, --package CRATE   only this crate (may be repeated)
  --release             optimised
  --debian              compiler, linker and emulator from Debian's packages even if others are
                        there
  -- ARGUMENT…          for the test binaries: a filter, --nocapture, …

For emulated targets PROPTEST_CASES is 16 and CARGO_PROFILE_DEV_OPT_LEVEL is 1, unless they are set.

targets: all, or any of
";

/// Set, unless the user has set them, for an emulated target, which is some thirty times slower
/// than this CPU: how many cases a property is tried with, and a little optimisation (debug
/// assertions and overflow checks stay).
const EMULATED: &[(&str, &str)] = &[("PROPTEST_CASES", "16"), ("CARGO_PROFILE_DEV_OPT_LEVEL", "1")];

/// How long `rustup target add` may take.
const RUSTUP_LIMIT: Duration = Duration::from_secs(90);

/// A row of the table at the end.
struct Row {
    target: &'static str,
    cpu: &'static str,
    result: Result<Totals, String>,
    time: Duration,
}

#[derive(Default)]
struct Options {
    targets: Vec<&'static Target>,
    packages: Vec<String>,
    release: bool,
    only_debian: bool,
    extra: Vec<String>,
}

/// The command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let Some(options) = parse(arguments)? else { return Ok(()) };
    let mut rows = Vec::new();
    for target in &options.targets {
        rows.extend(test_target(target, &options));
    }
    let mut sum = Totals::default();
    let mut is_fine = true;
    say(&format!(
        "\n{:<12} {:<24} {:>8} {:>8} {:>10}",
        "target", "cpu", "passed", "failed", "time"
    ));
    for row in &rows {
        let (passed, failed) = match &row.result {
            Ok(totals) => {
                sum = sum.plus(*totals);
                (totals.passed.to_string(), totals.failed.to_string())
            }
            Err(what) => {
                is_fine &= what == BUILT;
                (what.clone(), String::new())
            }
        };
        is_fine &= failed.is_empty() || failed == "0";
        let time = seconds(row.time);
        say(&format!("{:<12} {:<24} {passed:>8} {failed:>8} {time:>10}", row.target, row.cpu));
    }
    say(&format!("\n{sum}"));
    if is_fine { Ok(()) } else { Err(Failure::said()) }
}

/// In a row: there was nothing to run.
const BUILT: &str = "built";

fn parse(arguments: &[String]) -> Result<Option<Options>, Failure> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-h" | "--help" => {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                println!("{HELP}  {}", names.join(", "));
                return Ok(None);
            }
            "--release" => options.release = true,
            "--debian" => options.only_debian = true,
            "-p" | "--package" => {
                options.packages.push(words.next().ok_or("-p needs a crate")?.clone());
            }
            "--" => options.extra = words.by_ref().cloned().collect(),
            "all" => options.targets = TARGETS.iter().collect(),
            name => {
                let target = Target::find(name);
                let target = target.ok_or_else(|| format!("no target `{name}`; see --help"))?;
                options.targets.push(target);
            }
        }
    }
    if options.targets.is_empty() {
        return Err("which target? see cross-test --help".into());
    }
    Ok(Some(options))
}

/// Builds a target's tests, and runs them on each of its CPU models.
fn test_target(target: &'static Target, options: &Options) -> Vec<Row> {
    say(&format!("{}: {}", target.name, target.triple));
    let start = Instant::now();
    let row = |cpu, result, start: Instant| {
        vec![Row { target: target.name, cpu, result, time: start.elapsed() }]
    };
    let source = if options.only_debian { Source::Debian } else { Source::Any };
    let prepared = match prepare(target, source) {
        Ok(prepared) => prepared,
        Err(Failure(message)) => {
            say(&format!("    {message}"));
            return row("", Err("missing".into()), start);
        }
    };
    say(&format!("    {} ({})", prepared.compiler, seconds(start.elapsed())));
    if target.cpus.is_empty() {
        let result = match build_libraries(&prepared) {
            Ok(()) => BUILT,
            Err(output) => {
                say(&output);
                "failed"
            }
        };
        return row("", Err(result.into()), start);
    }

    say("    building the tests");
    let start = Instant::now();
    let mut build = prepared.cargo("test", &target.cpus[0]);
    let (fine, output) = capture(select(&mut build, options).arg("--no-run"));
    if !fine {
        say(&output);
        return row("", Err("no build".into()), start);
    }
    say(&format!("    tests built ({})", seconds(start.elapsed())));

    let mut rows = Vec::new();
    for (index, cpu) in target.cpus.iter().enumerate() {
        say(&format!("  {} on {}", target.name, cpu.name));
        let start = Instant::now();
        let mut command = prepared.cargo("test", cpu);
        select(&mut command, options).arg("--no-fail-fast");
        if index > 0 {
            // Doctests are compiled at each run: one CPU model is enough for examples.
            command.args(["--lib", "--tests"]);
        }
        command.arg("--").args(&options.extra);
        let (fine, totals) = tests(&mut command, Report::Each);
        say(&format!(
            "    {} on {}: {totals} ({})",
            target.name,
            cpu.name,
            seconds(start.elapsed())
        ));
        let result = match (fine, totals.failed) {
            (false, 0) => Err("failed".into()),
            _ => Ok(totals),
        };
        rows.extend(row(cpu.name, result, start));
    }
    rows
}

/// The crates that `cross-test` tests.
fn select<'a>(command: &'a mut Command, options: &Options) -> &'a mut Command {
    if options.packages.is_empty() {
        command.args(["--workspace", "--exclude", "xtask", "--exclude", "benches"]);
    }
    for package in &options.packages {
        command.args(["--package", package]);
    }
    if options.release {
        command.arg("--release");
    }
    command.arg("--all-features")
}

/// Builds the published crates with every feature that needs no operating system; what cargo
/// wrote if it fails.
pub(crate) fn build_libraries(prepared: &Prepared) -> Result<(), String> {
    for library in manifest::crates(&root()).iter().filter(|library| library.is_published()) {
        let mut features = library.features();
        features.retain(|&feature| feature != "std");
        let mut command = prepared.cargo("build", &NO_CPU);
        command.args(["--lib", "--package", library.name(), "--no-default-features"]);
        let (fine, output) = capture(command.args(["--features", &features.join(",")]));
        if !fine {
            return Err(output);
        }
    }
    Ok(())
}

/// For commands that run nothing.
const NO_CPU: Cpu = Cpu { name: "", qemu: "", features: None };

/// Where a compiler, a linker and an emulator may come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// What is there, then rustup, then Debian.
    Any,
    /// Debian's packages alone.
    Debian,
}

/// A target that can be built for and run.
#[derive(Debug)]
pub(crate) struct Prepared {
    target: &'static Target,
    /// `rustc 1.96.0 (…)`.
    pub(crate) compiler: String,
    variables: Vec<(String, OsString)>,
    arguments: Vec<&'static str>,
    runner: Vec<String>,
    is_emulated: bool,
}

impl Prepared {
    /// qemu, where it runs the target's programs.
    pub(crate) fn emulator(&self) -> Option<&Path> {
        self.runner.first().filter(|_| self.is_emulated).map(Path::new)
    }

    /// A cargo command for the target whose programs run on `cpu`. It builds into a folder of
    /// its own, so that the host's builds stay.
    pub(crate) fn cargo(&self, command: &str, cpu: &Cpu) -> Command {
        let mut cargo = cargo();
        cargo.arg(command).args(["--target", self.target.triple]).args(&self.arguments);
        for (name, value) in &self.variables {
            cargo.env(name, value);
        }
        if !self.runner.is_empty() {
            let mut runner = self.runner.clone();
            if !cpu.qemu.is_empty() {
                runner.extend(["-cpu".into(), cpu.qemu.into()]);
            }
            let words: Vec<String> = runner.iter().map(|word| format!("{word:?}")).collect();
            let key = format!("target.{}.runner", self.target.triple);
            cargo.arg("--config").arg(format!("{key}=[{}]", words.join(",")));
        }
        if self.is_emulated {
            for (name, value) in EMULATED {
                if std::env::var_os(name).is_none() {
                    cargo.env(name, value);
                }
            }
        }
        if let Some(features) = cpu.features.filter(|_| self.is_emulated) {
            cargo.env("CINDER_CPU_FEATURES", features);
        }
        cargo
    }
}

/// Finds or fetches all that `target` needs.
pub(crate) fn prepare(target: &'static Target, source: Source) -> Result<Prepared, Failure> {
    let mut prepared = Prepared {
        target,
        compiler: String::new(),
        variables: Vec::new(),
        arguments: Vec::new(),
        runner: Vec::new(),
        is_emulated: false,
    };
    find_compiler(&mut prepared, source)?;
    if !target.is_bare() && host_triple() != target.triple {
        find_tools(&mut prepared, source)?;
    }
    let folder = root().join("target/cross").join(slug(&prepared.compiler));
    prepared.variables.push(("CARGO_TARGET_DIR".into(), folder.into()));
    Ok(prepared)
}

/// `rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)` as a folder's name.
fn slug(version: &str) -> String {
    let words = version.replace(['(', ')'], "");
    let parts: Vec<&str> = words.split_whitespace().filter(|&word| word != "rustc").collect();
    parts.join("-").replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-")
}

fn find_compiler(prepared: &mut Prepared, source: Source) -> Result<(), Failure> {
    let target = prepared.target;
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = |rustc: &Path| stdout(Command::new(rustc).arg("--version"));
    let rustc = Path::new(&rustc);
    if source == Source::Any && (has_library(rustc, target) || rustup_target_add(rustc, target)) {
        prepared.compiler = version(rustc).unwrap_or_default().trim().to_owned();
        return Ok(());
    }
    let compiler = Cache::open().and_then(|cache| cache.compiler(target)).map_err(|reason| {
        format!(
            "no standard library for {}: run `rustup target add {}` ({})",
            target.triple,
            target.triple,
            reason.trim_end()
        )
    })?;
    prepared.compiler = version(&compiler.rustc).unwrap_or_default().trim().to_owned();
    prepared.variables.push(("RUSTC".into(), compiler.rustc.into()));
    prepared.variables.push(("RUSTDOC".into(), compiler.rustdoc.into()));
    if compiler.from_source {
        prepared.variables.push(("RUSTC_BOOTSTRAP".into(), "1".into()));
        prepared.arguments.push("-Zbuild-std=core,alloc");
    }
    Ok(())
}

/// Whether `rustc` has the target's `core`.
fn has_library(rustc: &Path, target: &Target) -> bool {
    let mut command = Command::new(rustc);
    let Some(folder) =
        stdout(command.args(["--print", "target-libdir", "--target", target.triple]))
    else {
        return false;
    };
    let files = std::fs::read_dir(folder.trim()).into_iter().flatten().flatten();
    files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"))
}

fn rustup_target_add(rustc: &Path, target: &Target) -> bool {
    if which("rustup").is_none() && which("rustup.exe").is_none() {
        return false;
    }
    say(&format!("    rustup target add {}", target.triple));
    let mut rustup = Command::new("rustup");
    succeeds_within(rustup.args(["target", "add", target.triple]), RUSTUP_LIMIT)
        && has_library(rustc, target)
}

fn find_tools(prepared: &mut Prepared, source: Source) -> Result<(), Failure> {
    let target = prepared.target;
    let linker_variable = target.cargo_variable("LINKER");
    let runner_variable = target.cargo_variable("RUNNER");
    prepared.is_emulated = !target.qemu.is_empty();
    // The user knows better.
    if std::env::var_os(&linker_variable).is_some() && std::env::var_os(&runner_variable).is_some()
    {
        return Ok(());
    }
    let system = if source == Source::Any { system_tools(target) } else { None };
    let tools = match system {
        Some(tools) => tools,
        None => Cache::open().and_then(|cache| cache.tools(target)).map_err(|reason| {
            let qemu = if target.qemu.is_empty() { "" } else { " qemu-user" };
            format!(
                "no linker or emulator: install gcc-{} libc6-dev-{}-cross{qemu} ({})",
                target.gnu,
                target.debian,
                reason.trim_end()
            )
        })?,
    };
    prepared.variables.push((linker_variable, tools.linker.into()));
    let sysroot = tools.sysroot.to_string_lossy().into_owned();
    match tools.qemu {
        Some(qemu) => {
            prepared.runner = vec![qemu.to_string_lossy().into_owned(), "-L".into(), sysroot];
        }
        // This CPU runs it, by the target's own loader unless the system has one.
        None => {
            let loader = Path::new(&sysroot).join("lib/ld-linux.so.2");
            if !Path::new("/lib/ld-linux.so.2").exists() {
                let loader = loader.to_string_lossy().into_owned();
                prepared.runner = vec![loader, "--library-path".into(), format!("{sysroot}/lib")];
            }
        }
    }
    Ok(())
}

/// The system's cross linker and emulator, if both are installed.
fn system_tools(target: &Target) -> Option<debian::Tools> {
    let linker = which(&format!("{}-gcc", target.gnu))?;
    let sysroot = PathBuf::from("/usr").join(target.gnu);
    if !sysroot.join("lib/crt1.o").is_file() {
        return None;
    }
    let qemu = match target.qemu {
        "" => None,
        name => Some(which(name).or_else(|| which(&format!("{name}-static")))?),
    };
    Some(debian::Tools { linker, qemu, sysroot })
}

fn host_triple() -> String {
    let text = stdout(Command::new("rustc").arg("-vV")).unwrap_or_default();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let words = ["armv7", "-p", "cinder-burn", "--release", "s390x", "--", "a", "b"];
        let options = parse(&words.map(String::from)).unwrap().unwrap();
        let names: Vec<&str> = options.targets.iter().map(|target| target.name).collect();
        assert_eq!(names, ["armv7", "s390x"]);
        assert_eq!(options.packages, ["cinder-burn"]);
        assert!(options.release && !options.only_debian);
        assert_eq!(options.extra, ["a", "b"]);
        assert!(parse(&[String::from("vax")]).is_err());
        assert!(parse(&[]).is_err());
    }

    #[test]
    fn a_compiler_has_a_folder_of_its_own() {
        let version = "rustc 1.96.0 (ac68faa20 2026-05-25) (built from a source tarball)";
        assert_eq!(slug(version), "1.96.0-ac68faa20-2026-05-25-built-from-a-source-tarball");
        assert_ne!(slug(version), slug("rustc 1.96.0 (ac68faa20 2026-05-25)"));
    }

    #[test]
    fn names_of_targets_and_cpus_are_unique() {
        for (index, target) in TARGETS.iter().enumerate() {
            assert!(TARGETS[..index].iter().all(|other| other.name != target.name));
            for (index, cpu) in target.cpus.iter().enumerate() {
                assert!(target.cpus[..index].iter().all(|other| other.name != cpu.name));
            }
        }
    }
}
