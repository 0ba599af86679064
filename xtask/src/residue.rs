//! `cargo xtask residue` and `cargo xtask depth`: the program of the crate `residue`, built in
//! each profile, for this host or another target.

use std::path::PathBuf;

use crate::cross::targets::{Cpu, TARGETS};
use crate::cross::{Source, prepare};
use crate::run::{Failure, cargo, root, say};

/// cargo's names of the profiles, all of them.
const PROFILES: &[&str] = &["dev", "release", "size", "fat", "abort"];

const HELP: &str = "\
cargo xtask residue [OPTION…] [FILTER…]
cargo xtask depth [OPTION…]

  --quick           few message lengths
  --json FILE       residue: the cells as one array of objects
  --profile NAME    only this profile of dev, release, size, fat, abort (may be repeated)
  --target NAME     armv7 or aarch64 instead of this host, on each CPU model of cross-test
  FILTER            residue: cells whose cipher/mode/kernel contains it
";

#[derive(Default)]
struct Options {
    passed_on: Vec<String>,
    json: Option<PathBuf>,
    profiles: Vec<String>,
    target: Option<String>,
}

/// Residue: fails on any byte.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    every_profile(arguments, &[])
}

/// Depths: fails if a burn would fall short of what was written.
pub(crate) fn depth(arguments: &[String]) -> Result<(), Failure> {
    every_profile(arguments, &["--depth"])
}

fn every_profile(arguments: &[String], extra: &[&str]) -> Result<(), Failure> {
    let Some(options) = parse(arguments)? else {
        print!("{HELP}");
        return Ok(());
    };
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for profile in &options.profiles {
        for (name, mut command) in commands(&options)? {
            let json = root().join(format!("target/residue-{profile}.json"));
            command.args(["--quiet", "--package", "residue", "--bin", "residue"]);
            command.args(["--profile", profile, "--"]).args(extra).args(&options.passed_on);
            command.args(["--profile", profile, "--target", &name]);
            if options.json.is_some() {
                command.arg("--json").arg(&json);
            }
            if !command.status()?.success() {
                failed.push(format!("{name} {profile}"));
            }
            if options.json.is_some() {
                let text = std::fs::read_to_string(&json)?;
                let inside = text.trim().trim_start_matches('[').trim_end_matches(']').trim();
                if !inside.is_empty() {
                    rows.push(format!("  {inside}"));
                }
                std::fs::remove_file(&json)?;
            }
            say("");
        }
    }
    if let Some(file) = &options.json {
        std::fs::write(file, format!("[\n{}\n]\n", rows.join(",\n")))?;
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", ")).into()) }
}

/// `cargo run` for this host, or for each CPU model of a target, with a name for the table.
fn commands(options: &Options) -> Result<Vec<(String, std::process::Command)>, Failure> {
    let Some(name) = &options.target else {
        let mut command = cargo();
        command.arg("run");
        return Ok(vec![(std::env::consts::ARCH.to_owned(), command)]);
    };
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        return Err(format!("no target `{name}`").into());
    };
    let prepared = prepare(target, Source::Any)?;
    let command = |cpu: &Cpu| (format!("{name} {}", cpu.name), prepared.cargo("run", cpu));
    Ok(target.cpus.iter().map(command).collect())
}

/// `None` for a request for help.
fn parse(arguments: &[String]) -> Result<Option<Options>, Failure> {
    let mut options = Options::default();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--json" => options.json = Some(root().join(value()?)),
            "--profile" => options.profiles.push(value()?.clone()),
            "--target" => options.target = Some(value()?.clone()),
            "--quick" => options.passed_on.push(argument.clone()),
            option if option.starts_with('-') => return Err(format!("no option {option}").into()),
            filter => options.passed_on.push(filter.to_owned()),
        }
    }
    if let Some(profile) = options.profiles.iter().find(|p| !PROFILES.contains(&p.as_str())) {
        return Err(format!("no profile `{profile}`").into());
    }
    if options.profiles.is_empty() {
        options.profiles = PROFILES.iter().map(|&profile| profile.to_owned()).collect();
    }
    Ok(Some(options))
}
