//! `cargo xtask residue` and `cargo xtask depth`: the programs of the crate `residue-matrix`, built
//! in each profile, for this host or another target; a user's program outside of the workspace; and
//! the peer, which is in `benches/peers`, a workspace of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::bench::Plugin;
use crate::cross::{Cpu, HOST, Target};
use crate::run::{Failure, Outcome, Rows, Step, Steps, build_apart, lines, root, say};

/// cargo's names of the profiles, all of them.
const PROFILES: &[&str] = &["dev", "release", "size", "fat", "abort", "dev1", "deps", "mixed"];

/// Builds of the crate in `residue-matrix/outside`: the name, the crate's profile, and flags for the
/// compiler. The first one inlines all that may be inlined, as into a program that has one call of
/// it: what leaks into a user's frame or registers in one of the others does so there.
const OUTSIDE: &[[&str; 3]] = &[
    ["outside-eager", "fat", "-C llvm-args=-inline-threshold=3000"],
    ["outside-fat", "fat", ""],
    ["outside-thin", "thin", ""],
    ["outside-native", "release", "-C target-cpu=native"],
    ["outside-native-fat", "fat", "-C target-cpu=native"],
    ["outside-s", "s", ""],
    ["outside-1", "level-1", ""],
    ["outside-dev", "dev", ""],
];

/// Those that are scanned if none is named: under an emulator the others would take an hour.
const EMULATED_PROFILES: &[&str] = &["dev", "release"];

pub(crate) const HELP: &str = include_str!("../../crates/residue-matrix/src/help.txt");

pub(crate) const DEPTH_HELP: &str = "[FILTER…]
Measures how deep each function goes, and whether its burn reaches as far.

Exits with 1 if a burn ends less than 64 bytes below what was written, or if a depth is more than 4
times what was written; in dev1 and mixed, where margins differ, only for the former.

  --quick, --profile NAME, --target NAME, FILTER   as for residue";

pub(crate) const CONSTANT_TIME_HELP: &str =
    include_str!("../../crates/residue-matrix/src/constant_time/help.txt");

/// The profiles of `constant-time`, as [`parse`] takes them.
const CONSTANT_TIME: [&[&str]; 3] =
    [&["dev1", "release", "size", "s", "fat", "deps"], &["dev1", "size"], &["release", "size"]];

#[derive(Default)]
struct Options {
    passed_on: Vec<OsString>,
    json: Option<PathBuf>,
    profiles: Vec<String>,
    target: Option<String>,
    no_peer: bool,
    only_dirty: bool,
    quick: bool,
    /// What traces the programs of constant-time on another machine.
    witness: Option<Plugin>,
}

/// Residue: fails on any byte.
pub(crate) fn run(arguments: lexopt::Parser) -> Result<(), Failure> {
    let all: Vec<_> =
        PROFILES.iter().chain(OUTSIDE.iter().map(|[name, ..]| name)).copied().collect();
    scan("residue", &parse(arguments, [&all, PROFILES, EMULATED_PROFILES])?)
}

/// Depths: fails if a burn would fall short of what was written, or go much too deep.
pub(crate) fn depth(arguments: lexopt::Parser) -> Result<(), Failure> {
    let profiles = [PROFILES, PROFILES, EMULATED_PROFILES];
    scan("depth", &Options { no_peer: true, ..parse(arguments, profiles)? })
}

/// Constant time: fails on what depends on a secret.
pub(crate) fn constant_time(arguments: lexopt::Parser) -> Result<(), Failure> {
    let mut options = Options { no_peer: true, ..parse(arguments, CONSTANT_TIME)? };
    options.passed_on.push("--constant-time".into());
    if let Some(name) = options.target.as_ref().filter(|name| *name != "i686") {
        options.witness = Some(Plugin::of(Target::find(name)?)?);
    }
    scan("residue", &options)
}

/// Runs a program in every profile on every machine, and the peer on every machine.
fn scan(program: &str, options: &Options) -> Result<(), Failure> {
    let target = options.target.as_deref().map_or(Ok(&HOST), Target::find)?;
    let machine = |cpu: &'static Cpu| match &options.target {
        None => (target.name.to_owned(), cpu),
        Some(_) => (format!("{} {}", target.name, cpu.name), cpu),
    };
    let machines: Vec<_> = target.cpus.iter().map(machine).collect();
    let peers = if options.no_peer { 0 } else { machines.len() };
    let mut steps = Steps::new(options.profiles.len() * machines.len() + peers);
    let mut rows = Rows::new();
    let mut sums = Vec::new();
    for profile in &options.profiles {
        for (name, cpu) in &machines {
            let command = |command: &str| {
                let mut cargo = target.cargo(command, cpu);
                cargo.args(["--bin", program]);
                match OUTSIDE.iter().find(|[name, ..]| name == profile) {
                    Some([_, profile, flags]) => outside(&mut cargo, profile, flags),
                    None => _ = cargo.args(["--package", "residue-matrix", "--profile", profile]),
                }
                if program == "depth" {
                    // Burns look at what they find.
                    build_apart(&mut cargo, "depth", "--cfg burn_observed");
                }
                if let Some(plugin) = &options.witness {
                    plugin.load(cargo.env("CINDER_EMULATOR", target.runner), ",trace=on");
                } else if target.name == "i686" {
                    // Valgrind itself is to start it, without a loader that it has no symbols of.
                    build_apart(&mut cargo, "static", "-C target-feature=+crt-static");
                    cargo.env("CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_RUNNER", "env");
                }
                cargo
            };
            let mut arguments = options.passed_on.clone();
            arguments.extend(["--profile", profile, "--target", name].map(Into::into));
            if options.json.is_some() {
                arguments.extend(["--json".into(), rows.part.clone().into()]);
            }
            steps.step(&format!("{name}, {profile}"), |step| {
                show(step, command, &arguments, options.only_dirty, &mut sums)
            });
            rows.collect();
            say("");
        }
    }
    for (name, cpu) in machines.iter().filter(|_| !options.no_peer) {
        steps.step(&format!("{name}, peer"), |step| peer(step, target, cpu, name, &mut sums));
    }
    if let Some(file) = &options.json {
        rows.write(file)?;
    }
    say(&format!("\nsums\n  {}", sums.join("\n  ")));
    steps.end()
}

/// Has the program outside of the workspace built.
fn outside(command: &mut Command, profile: &str, flags: &str) {
    let directory = root().join("crates/residue-matrix/outside");
    // With the versions that the workspace is tested with, which are at hand.
    let _ = std::fs::copy(root().join("Cargo.lock"), directory.join("Cargo.lock"));
    command.args(["--profile", profile, "--manifest-path"]).arg(directory.join("Cargo.toml"));
    build_apart(command, "outside", flags);
}

/// Builds a program, runs it, shows what it prints, and keeps its last line, which is its sum. A
/// line that begins with a space is the row of a clean cell. Fails with a text if it is not built.
fn show(
    step: &Step,
    command: impl Fn(&str) -> Command,
    arguments: &[OsString],
    only_dirty: bool,
    sums: &mut Vec<String>,
) -> Outcome {
    let built = step.run(&mut command("build"));
    if let Outcome::Failed(_) = built {
        return built;
    }
    let (mut rows, mut last) = (0, String::new());
    let (is_fine, _) = lines(command("run").args(["--quiet", "--"]).args(arguments), |line| {
        rows += 1;
        step.note(format!("{rows} rows, {}", line.trim()));
        last = line.to_owned();
        if !(only_dirty && line.starts_with(' ')) {
            say(line);
        }
    });
    sums.push(if is_fine { last } else { format!("FAILED: {last}") });
    if is_fine { Outcome::Fine } else { Outcome::Failed(String::new()) }
}

/// The peer. That it cannot be built, for want of its crates, is no failure.
fn peer(step: &Step, target: &Target, cpu: &Cpu, name: &str, sums: &mut Vec<String>) -> Outcome {
    let command = |command: &str| {
        let mut cargo = target.cargo(command, cpu);
        cargo.args(["--release", "--no-default-features", "--features", "residue"]);
        cargo.args(["--bin", "residue", "--manifest-path"]);
        cargo.arg(root().join("benches/peers/Cargo.toml"));
        cargo
    };
    let arguments = ["--target".into(), name.into()];
    match show(step, command, &arguments, false, sums) {
        Outcome::Failed(log) if !log.is_empty() => {
            say(&log);
            sums.push(format!("{name}: peer NOT RUN: it could not be built"));
            Outcome::Skipped("it could not be built".into())
        }
        outcome => outcome,
    }
}

/// `profiles`: all, those of `--quick`, and those of a `--target`.
fn parse(mut arguments: lexopt::Parser, profiles: [&[&str]; 3]) -> Result<Options, Failure> {
    use lexopt::prelude::*;
    let mut options = Options::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("json") => options.json = Some(std::path::absolute(arguments.value()?)?),
            Long("profile") => options.profiles.push(arguments.value()?.string()?),
            Long("target") => options.target = Some(arguments.value()?.string()?),
            Long("no-peer") => options.no_peer = true,
            Long("only-dirty") => options.only_dirty = true,
            Long(flag @ ("quick" | "leak")) => {
                options.quick |= flag == "quick";
                options.passed_on.push(format!("--{flag}").into());
            }
            Value(filter) => options.passed_on.push(filter),
            other => return Err(other.unexpected().into()),
        }
    }
    let [all, quick, emulated] = profiles;
    if let Some(profile) = options.profiles.iter().find(|p| !all.contains(&p.as_str())) {
        return Err(format!("no profile `{profile}`").into());
    }
    if options.profiles.is_empty() {
        let profiles = match options.target {
            Some(_) => emulated,
            None if options.quick => quick,
            None => all,
        };
        options.profiles = profiles.iter().map(|&profile| profile.to_owned()).collect();
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_has_all_profiles_and_a_target_two() {
        let profiles: [&[_]; 3] = [&["dev", "fat", "s"], &["fat"], &["dev"]];
        let parse = |words: &[&str]| parse(lexopt::Parser::from_args(words), profiles);
        assert_eq!(parse(&[]).unwrap().profiles, profiles[0]);
        assert_eq!(parse(&["--quick"]).unwrap().profiles, profiles[1]);
        assert_eq!(parse(&["--quick", "--target", "armv7"]).unwrap().profiles, profiles[2]);
        assert_eq!(parse(&["--target", "armv7", "--profile", "fat"]).unwrap().profiles, ["fat"]);
        assert!(parse(&["--profile", "fast"]).is_err());
        assert!(parse(&["--jsn"]).is_err());
    }
}
