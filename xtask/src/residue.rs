//! `cargo xtask residue` and `cargo xtask depth`: the programs of the crate `residue-matrix`, built
//! in each profile, for this host or another target; and its peer, which is in `benches/peers`, a
//! workspace of its own.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::rc::Rc;

use crate::cross::targets::{Cpu, TARGETS};
use crate::cross::{Prepared, Source, prepare};
use crate::run::{Failure, capture, cargo, root, say};

/// cargo's names of the profiles, all of them.
const PROFILES: &[&str] = &["dev", "release", "size", "fat", "abort", "dev1", "deps", "mixed"];

/// Those that are scanned if none is named: under an emulator the others would take an hour.
const EMULATED_PROFILES: &[&str] = &["dev", "release"];

/// cargo's variable for the profile dev.
const DEV_OPT_LEVEL: &str = "CARGO_PROFILE_DEV_OPT_LEVEL";

const HELP: &str = "\
cargo xtask residue [OPTION…] [FILTER…]
cargo xtask depth [OPTION…]

Runs every cipher in every mode on every kernel of the CPU on a private stack, and prints how many
bytes of secrets each step left on it, in vector registers and in general registers. Exits with 1
on any byte; on a control that does not find what it must; and if no cell matches the filters.
depth exits with 1 if a burn ends less than 64 bytes below what was written, or if a depth is more
than 4 times what was written; in dev1 and mixed, where margins differ, only for the former.

  --quick           few message lengths
  --only-dirty      print only the cells in which something was found, the controls and the sums
  --json FILE       residue: the cells of all profiles and CPU models as one array of objects with
                    target, profile, cipher, mode, kernel, step, stack, vector, general (bytes
                    left behind) and depth (bytes of stack written); controls and the peer are not
                    in it, so in a good run every stack, vector and general is 0
  --profile NAME    only this profile of dev, release, size (opt-level z), fat (fat LTO and one
                    codegen unit), abort (panic=abort), dev1 (dev, but opt-level 1), deps (dev, but
                    the libraries optimised), mixed (release, but ciphers and hashes unoptimised);
                    may be repeated.
                    Default: all of them; for a --target dev and release
  --target NAME     armv7 or aarch64 instead of this host, under qemu, on each CPU model of
                    cross-test
  --no-peer         do without the peer
  --leak            residue: add a cipher to the matrix that burns half as deep as it should, to
                    see the command fail
  FILTER            what has a cipher/mode/kernel that contains it

Controls are run before each matrix: 4 bytes of a key left in each kind of place that the CPU has
must be found, a cipher that burns as deep as it worked must be clean, and one that burns half as
deep must not. The peer is RustCrypto (release profile, zeroize features on): something must be
found in it. Its crates come from the registry; if they cannot be had, that is said and is no
failure.
";

#[derive(Default)]
struct Options {
    passed_on: Vec<String>,
    json: Option<PathBuf>,
    profiles: Vec<String>,
    target: Option<String>,
    no_peer: bool,
}

/// Residue: fails on any byte.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let Some(options) = parse(arguments)? else {
        print!("{HELP}");
        return Ok(());
    };
    let machines = machines(&options)?;
    let mut sums = every_profile(&options, &machines, "residue")?;
    for machine in &machines {
        sums.push(peer(&options, machine)?);
    }
    finish(&sums)
}

/// Depths: fails if a burn would fall short of what was written, or go much too deep.
pub(crate) fn depth(arguments: &[String]) -> Result<(), Failure> {
    let Some(options) = parse(arguments)? else {
        print!("{HELP}");
        return Ok(());
    };
    let sums = every_profile(&options, &machines(&options)?, "depth")?;
    finish(&sums)
}

/// What one program found.
struct Sum {
    /// Its last line.
    line: String,
    is_fine: bool,
}

/// Shows the sums, and fails if one of them does.
fn finish(sums: &[Sum]) -> Result<(), Failure> {
    say("sums");
    for sum in sums {
        say(&format!("  {}{}", if sum.is_fine { "" } else { "FAILED: " }, sum.line));
    }
    let failed = sums.iter().filter(|sum| !sum.is_fine).count();
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} failed", sums.len()).into()) }
}

/// This host, or a CPU model of another target.
struct Machine {
    /// For the table.
    name: String,
    emulated: Option<(Rc<Prepared>, &'static Cpu)>,
}

impl Machine {
    /// A cargo command whose programs run on this machine.
    fn cargo(&self, command: &str) -> Command {
        let Some((prepared, cpu)) = &self.emulated else {
            let mut cargo = cargo();
            cargo.arg(command);
            return cargo;
        };
        let mut cargo = prepared.cargo(command, cpu);
        // Tests are optimised a little under an emulator; here the profile is what is tested.
        if std::env::var_os(DEV_OPT_LEVEL).is_none() {
            cargo.env_remove(DEV_OPT_LEVEL);
        }
        cargo
    }
}

fn machines(options: &Options) -> Result<Vec<Machine>, Failure> {
    let Some(name) = &options.target else {
        return Ok(vec![Machine { name: std::env::consts::ARCH.to_owned(), emulated: None }]);
    };
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        return Err(format!("no target `{name}`").into());
    };
    let prepared = Rc::new(prepare(target, Source::Any)?);
    let machine = |cpu: &'static Cpu| Machine {
        name: format!("{name} {}", cpu.name),
        emulated: Some((prepared.clone(), cpu)),
    };
    Ok(target.cpus.iter().map(machine).collect())
}

fn every_profile(
    options: &Options,
    machines: &[Machine],
    program: &str,
) -> Result<Vec<Sum>, Failure> {
    // A file of this process: another may be scanning in the same checkout.
    let json = root().join(format!("target/residue-{}.json", std::process::id()));
    let (mut rows, mut sums) = (Vec::new(), Vec::new());
    for profile in &options.profiles {
        for machine in machines {
            let mut command = machine.cargo("run");
            command.args(["--quiet", "--package", "residue-matrix", "--bin", program]);
            command.args(["--profile", profile, "--"]).args(&options.passed_on);
            if program == "depth" {
                observe_burns(&mut command);
            }
            command.args(["--profile", profile, "--target", &machine.name]);
            if options.json.is_some() {
                command.arg("--json").arg(&json);
            }
            let mut sum = last_line(&mut command)?;
            if !sum.is_fine && sum.line.is_empty() {
                sum.line = format!("{}, {profile}", machine.name);
            }
            sums.push(sum);
            if options.json.is_some() {
                // There is none of a program that died, which its sum tells.
                let cells = std::fs::read_to_string(&json).unwrap_or_default();
                rows.extend(inside(&cells));
                let _ = std::fs::remove_file(&json);
            }
            say("");
        }
    }
    if let Some(file) = &options.json {
        std::fs::write(file, format!("[\n{}\n]\n", rows.join(",\n")))?;
    }
    Ok(sums)
}

/// Has burns look at what they find, in a build of its own.
fn observe_burns(command: &mut Command) {
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    command.env("RUSTFLAGS", format!("{flags} --cfg burn_observed").trim_start());
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
    command.env("CARGO_TARGET_DIR", target.join("depth"));
}

/// What stands between an array's brackets, if anything.
fn inside(array: &str) -> Option<String> {
    let inside = array.trim().trim_start_matches('[').trim_end_matches(']').trim();
    (!inside.is_empty()).then(|| format!("  {inside}"))
}

/// Runs a program, shows what it prints, and keeps the last line of it.
fn last_line(command: &mut Command) -> Result<Sum, Failure> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut last = String::new();
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        last = line?;
        say(&last);
    }
    Ok(Sum { line: last, is_fine: child.wait()?.success() })
}

/// Builds the peer and runs it. That it cannot be built, for want of its crates, is said.
fn peer(options: &Options, machine: &Machine) -> Result<Sum, Failure> {
    let name = &machine.name;
    let without = |why: &str| {
        say(&format!("{name}: the peer was NOT RUN: {why}\n"));
        Ok(Sum { line: format!("{name}: peer NOT RUN: {why}"), is_fine: true })
    };
    if options.no_peer {
        return without("--no-peer");
    }
    let command = |command| {
        let mut cargo = machine.cargo(command);
        cargo.args(["--quiet", "--release", "--no-default-features", "--features", "residue"]);
        cargo.args(["--bin", "residue", "--manifest-path"]);
        cargo.arg(root().join("benches/peers/Cargo.toml"));
        cargo
    };
    let (is_built, output) = capture(&mut command("build"));
    if !is_built {
        say(&output);
        return without("it could not be built");
    }
    let sum = last_line(command("run").args(["--", "--target", name]));
    say("");
    sum
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
            "--no-peer" => options.no_peer = true,
            "--quick" | "--only-dirty" | "--leak" => options.passed_on.push(argument.clone()),
            option if option.starts_with('-') => return Err(format!("no option {option}").into()),
            filter => options.passed_on.push(filter.to_owned()),
        }
    }
    if let Some(profile) = options.profiles.iter().find(|p| !PROFILES.contains(&p.as_str())) {
        return Err(format!("no profile `{profile}`").into());
    }
    if options.profiles.is_empty() {
        let profiles = if options.target.is_some() { EMULATED_PROFILES } else { PROFILES };
        options.profiles = profiles.iter().map(|&profile| profile.to_owned()).collect();
    }
    Ok(Some(options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profiles(words: &[&str]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        parse(&words).unwrap().unwrap().profiles
    }

    #[test]
    fn the_host_has_all_profiles_and_a_target_two() {
        assert_eq!(profiles(&[]), PROFILES);
        assert_eq!(profiles(&["--quick", "--target", "armv7"]), ["dev", "release"]);
        assert_eq!(profiles(&["--target", "armv7", "--profile", "fat"]), ["fat"]);
        assert!(parse(&["--profile".into(), "fast".into()]).is_err());
        assert!(parse(&["--jsn".into()]).is_err());
    }

    #[test]
    fn one_failure_fails() {
        let sum = |is_fine| Sum { line: String::new(), is_fine };
        assert!(finish(&[sum(true), sum(true)]).is_ok());
        assert!(finish(&[sum(true), sum(false), sum(true)]).is_err());
    }

    #[test]
    fn arrays_are_joined_by_what_is_inside() {
        assert_eq!(
            inside("[\n  {\"a\":1},\n  {\"a\":2}\n]\n").unwrap(),
            "  {\"a\":1},\n  {\"a\":2}"
        );
        assert_eq!(inside("[\n\n]\n"), None);
    }
}
