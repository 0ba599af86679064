//! `cargo xtask cross-test`: the tests on other targets, under qemu where the CPU is another.
//!
//! rustup has the targets' standard libraries, the system's packages have linkers and emulators.
//! What is missing is said in one line that installs it. Other commands that need a program for
//! another target call [`Target::find`] and then [`Target::cargo`].

use std::ffi::OsString;
use std::process::Command;

use crate::run::{Failure, Library, Outcome, Step, Steps, cargo, libraries, stdout};

pub(crate) const HELP: &str = "TARGET…
Builds and tests for other targets.

  -p, --package CRATE   only this crate (may be repeated)
  --release             optimised
  -- ARGUMENT…          for the test binaries: a filter, --nocapture, …

TARGET: all, or any of armv7, aarch64, s390x, riscv64, powerpc64le, i686, wasip1; or of these, which
are built only: thumbv7em, thumbv6m, wasm32, x86_64-none, aarch64-softfloat.
Where a compiler, linker or emulator is missing, the command says in one line what to install.

Under an emulator PROPTEST_CASES is 16 and CARGO_PROFILE_DEV_OPT_LEVEL is 1, unless they are set.";

/// A target.
#[derive(Debug)]
pub(crate) struct Target {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// rustc's name.
    pub(crate) triple: &'static str,
    /// Debian's and Ubuntu's packages of the next two.
    pub(crate) packages: &'static str,
    /// Empty: rustc's own.
    linker: &'static str,
    /// What runs a program. Empty: the host does.
    pub(crate) runner: &'static str,
    /// The CPU models to run the tests on; empty: build only.
    pub(crate) cpus: &'static [Cpu],
}

/// A CPU model of a target.
#[derive(Debug)]
pub(crate) struct Cpu {
    /// For the user.
    pub(crate) name: &'static str,
    /// `QEMU_CPU`, empty for the default.
    qemu: &'static str,
    /// The features that the tokens of the crate `cpu` must find and no others; `None`: whatever
    /// is there. Reaches the tests as `CINDER_CPU_FEATURES`.
    features: Option<&'static str>,
}

/// The default model, or the host.
const DEFAULT: &[Cpu] = &[Cpu { name: "default", qemu: "", features: None }];

/// This machine: cargo's own target.
pub(crate) static HOST: Target = Target { cpus: DEFAULT, ..built(std::env::consts::ARCH, "") };

/// x86-64 on an x86-64: without AES-NI, and with all that is emulated.
pub(crate) static X86_64: Target = Target {
    packages: "qemu-user",
    runner: "qemu-x86_64",
    cpus: &[
        Cpu { name: "core2duo", qemu: "core2duo", features: Some("ssse3") },
        Cpu { name: "max", qemu: "max", features: None },
    ],
    ..built("x86_64", "x86_64-unknown-linux-gnu")
};

/// Every target, in the order of `all`: first those whose tests run, then those that are built.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "armv7",
        triple: "armv7-unknown-linux-gnueabihf",
        packages: "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user",
        linker: "arm-linux-gnueabihf-gcc",
        runner: "qemu-arm -L /usr/arm-linux-gnueabihf",
        cpus: &[
            Cpu { name: "cortex-a8", qemu: "cortex-a8", features: Some("neon") },
            Cpu { name: "cortex-a9 without neon", qemu: "cortex-a9,neon=off", features: Some("") },
            Cpu { name: "armv8, 32 bit", qemu: "max", features: Some("neon,aes,pmull") },
        ],
    },
    Target {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user",
        linker: "aarch64-linux-gnu-gcc",
        runner: "qemu-aarch64 -L /usr/aarch64-linux-gnu",
        cpus: &[Cpu { name: "max", qemu: "max", features: Some("aes") }],
    },
    // Big endian.
    Target {
        name: "s390x",
        triple: "s390x-unknown-linux-gnu",
        packages: "gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user",
        linker: "s390x-linux-gnu-gcc",
        runner: "qemu-s390x -L /usr/s390x-linux-gnu",
        cpus: DEFAULT,
    },
    Target {
        name: "riscv64",
        triple: "riscv64gc-unknown-linux-gnu",
        packages: "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user",
        linker: "riscv64-linux-gnu-gcc",
        runner: "qemu-riscv64 -L /usr/riscv64-linux-gnu",
        cpus: DEFAULT,
    },
    Target {
        name: "powerpc64le",
        triple: "powerpc64le-unknown-linux-gnu",
        packages: "gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross qemu-user",
        linker: "powerpc64le-linux-gnu-gcc",
        runner: "qemu-ppc64le -L /usr/powerpc64le-linux-gnu",
        cpus: DEFAULT,
    },
    // An x86-64 runs it, by the target's own loader. gcc-multilib would be in the way: Debian
    // installs it beside no cross compiler.
    Target {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        packages: "gcc-i686-linux-gnu libc6-dev-i386-cross",
        linker: "i686-linux-gnu-gcc",
        runner: "/usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib",
        cpus: DEFAULT,
    },
    Target {
        packages: "nodejs",
        runner: concat!("node --no-warnings ", env!("CARGO_MANIFEST_DIR"), "/wasi.mjs"),
        cpus: DEFAULT,
        ..built("wasip1", "wasm32-wasip1")
    },
    built("thumbv7em", "thumbv7em-none-eabihf"),
    built("thumbv6m", "thumbv6m-none-eabi"),
    built("wasm32", "wasm32-unknown-unknown"),
    // No floating point, so no vector registers either: kernels of operating systems.
    built("x86_64-none", "x86_64-unknown-none"),
    built("aarch64-softfloat", "aarch64-unknown-none-softfloat"),
];

/// A target whose tests nobody runs here.
const fn built(name: &'static str, triple: &'static str) -> Target {
    Target { name, triple, packages: "", linker: "", runner: "", cpus: &[] }
}

/// Set for tests, unless the user has set them, under an emulator, which is some thirty times slower
/// than this CPU: how many cases a property is tried with, and a little optimisation (debug
/// assertions and overflow checks stay).
const EMULATED: &[(&str, &str)] = &[("PROPTEST_CASES", "16"), ("CARGO_PROFILE_DEV_OPT_LEVEL", "1")];

impl Target {
    /// The target of that name, short or rustc's, if all is there that it needs.
    pub(crate) fn find(name: &str) -> Result<&'static Self, Failure> {
        let mut targets = TARGETS.iter();
        let target = targets.find(|target| target.name == name || target.triple == name);
        let target = target.ok_or_else(|| format!("no target `{name}`; see cross-test --help"))?;
        match target.missing() {
            None => Ok(target),
            Some(line) => Err(format!("{}: run `{line}`", target.name).into()),
        }
    }

    /// The line that installs what is missing, if anything is.
    pub(crate) fn missing(&self) -> Option<String> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut rustc = Command::new(rustc);
        let folder = stdout(rustc.args(["--print", "target-libdir", "--target", self.triple]));
        let files = folder.and_then(|folder| std::fs::read_dir(folder.trim()).ok());
        let has_core = files
            .into_iter()
            .flatten()
            .flatten()
            .any(|file| file.file_name().as_encoded_bytes().starts_with(b"libcore-"));
        let has_tools = self.tools().iter().all(|(_, tool)| {
            let program = tool.split(' ').next().unwrap_or_default();
            let paths = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
        });
        let rustup = format!("rustup target add {}", self.triple);
        let apt = format!("apt-get install --no-install-recommends {}", self.packages);
        match (has_core, has_tools) {
            (true, true) => None,
            (false, true) => Some(rustup),
            (true, false) => Some(apt),
            (false, false) => Some(format!("{rustup} && {apt}")),
        }
    }

    /// cargo's variables for the linker and the runner, but for those that the user has set.
    fn tools(&self) -> Vec<(String, &'static str)> {
        let triple = self.triple.to_uppercase().replace('-', "_");
        [("LINKER", self.linker), ("RUNNER", self.runner)]
            .map(|(what, tool)| (format!("CARGO_TARGET_{triple}_{what}"), tool))
            .into_iter()
            .filter(|(name, tool)| !tool.is_empty() && std::env::var_os(name).is_none())
            .collect()
    }

    /// A cargo command for the target, whose programs run on `cpu`.
    pub(crate) fn cargo(&self, command: &str, cpu: &Cpu) -> Command {
        let mut cargo = cargo(command);
        if !self.triple.is_empty() {
            cargo.args(["--target", self.triple]).envs(self.tools());
        }
        if (self.runner.starts_with("qemu") || self.runner.starts_with("node")) && command == "test"
        {
            let is_free = |(name, _): &&(&str, &str)| std::env::var_os(name).is_none();
            cargo.envs(EMULATED.iter().filter(is_free).copied());
            cargo.envs(cpu.features.map(|features| ("CINDER_CPU_FEATURES", features)));
        }
        if !cpu.qemu.is_empty() {
            cargo.env("QEMU_CPU", cpu.qemu);
        }
        cargo
    }
}

#[derive(Default)]
struct Options {
    targets: Vec<String>,
    /// For `cargo test`.
    selection: Vec<OsString>,
    /// For the test binaries.
    extra: Vec<OsString>,
}

/// The command.
pub(crate) fn run(arguments: lexopt::Parser) -> Result<(), Failure> {
    let options = parse(arguments)?;
    let targets: Result<Vec<_>, _> =
        options.targets.iter().map(|name| Target::find(name)).collect();
    let (targets, libraries) = (targets?, libraries()?);
    let mut steps = Steps::new(targets.iter().map(|target| 1 + target.cpus.len()).sum());
    for target in targets {
        if target.cpus.is_empty() {
            steps.step(target.name, |step| build_libraries(step, target, &libraries));
        } else {
            test_target(&mut steps, target, &options);
        }
    }
    steps.end()
}

fn parse(mut arguments: lexopt::Parser) -> Result<Options, Failure> {
    use lexopt::prelude::*;
    let mut options = Options::default();
    loop {
        if let Some(mut rest) = arguments.try_raw_args()
            && rest.next_if(|word| word == "--").is_some()
        {
            options.extra = rest.collect();
        }
        match arguments.next()? {
            None => break,
            Some(Short('p') | Long("package")) => {
                options.selection.extend(["--package".into(), arguments.value()?]);
            }
            Some(Long("release")) => options.selection.push("--release".into()),
            Some(Value(name)) if name == "all" => {
                options.targets.extend(TARGETS.iter().map(|target| target.name.to_owned()));
            }
            Some(Value(name)) => options.targets.push(name.string()?),
            Some(other) => return Err(other.unexpected().into()),
        }
    }
    if !options.selection.iter().any(|word| word == "--package") {
        let all =
            ["--workspace", "--exclude", "xtask", "--exclude", "benches", "--exclude", "examples"];
        options.selection.extend(all.map(Into::into));
    }
    if options.targets.is_empty() { Err("which target? see --help".into()) } else { Ok(options) }
}

/// What is tested where a panic ends the program and there are no threads: all vectors.
const ALONE: [&str; 6] =
    ["--package", "vectors", "--package", "cinder-ghash", "--package", "cinder-stream"];

/// Builds a target's tests, and runs them on each of its CPU models.
fn test_target(steps: &mut Steps, target: &'static Target, options: &Options) {
    let is_alone = target.triple.starts_with("wasm32");
    let cargo = |cpu| {
        let mut cargo = target.cargo("test", cpu);
        let selection = options.selection.iter();
        if is_alone && options.selection.iter().any(|word| word == "--workspace") {
            cargo.args(ALONE).args(selection.filter(|&word| word == "--release"));
        } else {
            cargo.args(selection);
        }
        cargo.args(["--all-features", "--no-fail-fast"]);
        cargo
    };
    let is_built = steps.step(&format!("{}, build", target.name), |step| {
        step.run(cargo(&target.cpus[0]).arg("--no-run"))
    });
    for (index, cpu) in target.cpus.iter().enumerate() {
        let mut command = cargo(cpu);
        if index > 0 {
            // Doctests are compiled at each run: one CPU model is enough for examples.
            command.args(["--lib", "--bins", "--tests"]);
        }
        command.arg("--").args(&options.extra);
        steps.step(&format!("{}, {}", target.name, cpu.name), |step| match is_built {
            true => step.tests(&mut command),
            false => Outcome::Skipped("it did not build".into()),
        });
    }
}

/// Builds the published crates that are no_std, with every feature that needs no operating system.
pub(crate) fn build_libraries(step: &Step, target: &Target, libraries: &[Library]) -> Outcome {
    let mut command = target.cargo("build", &DEFAULT[0]);
    command.args(["--lib", "--no-default-features"]);
    for library in libraries.iter().filter(|library| library.is_no_std) {
        command.args(["--package", &library.name]);
        for feature in library.features.iter().filter(|&feature| feature != "std") {
            command.args(["--features", &format!("{}/{feature}", library.name)]);
        }
    }
    step.run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &[&str]) -> Result<Options, Failure> {
        parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn options_come_in_any_order() {
        let words = ["armv7", "-p", "cinder-burn", "--release", "s390x", "--", "a", "--b"];
        let options = parsed(&words).unwrap();
        assert_eq!(options.targets, ["armv7", "s390x"]);
        assert_eq!(options.selection, ["--package", "cinder-burn", "--release"]);
        assert_eq!(options.extra, ["a", "--b"]);
        assert_eq!(parsed(&["all"]).unwrap().targets.len(), TARGETS.len());
        assert!(parsed(&[]).is_err() && parsed(&["--relase"]).is_err());
    }

    #[test]
    fn the_hosted_workflow_installs_what_the_table_names() {
        let workflow = include_str!("../../.github/workflows/ci.yml");
        for target in TARGETS {
            let Target { name, triple, packages, .. } = target;
            let row = format!("{{ target: {name}, triple: {triple}, packages: {packages} }}");
            let row = row.replace(", packages:  }", " }");
            assert!(workflow.contains(&row), "ci.yml has no row {row}");
            assert!(HELP.contains(name), "--help does not name {name}");
        }
        let script = include_str!("../../.ci/run");
        assert!(script.contains(TARGETS[0].packages) && script.contains(TARGETS[0].triple));
    }
}
