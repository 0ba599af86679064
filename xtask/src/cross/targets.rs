//! The targets of `cross-test`, and the CPU models that each is run on.

/// A target and how Debian and qemu name it.
#[derive(Debug)]
pub(crate) struct Target {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// rustc's name.
    pub(crate) triple: &'static str,
    /// What Debian calls the architecture.
    pub(crate) debian: &'static str,
    /// The GNU toolchain's prefix, empty for bare metal.
    pub(crate) gnu: &'static str,
    /// qemu's user emulator, empty where this host's own CPU runs the programs.
    pub(crate) qemu: &'static str,
    /// The CPU models to run the tests on; empty: build only.
    pub(crate) cpus: &'static [Cpu],
}

/// A CPU model of a target.
#[derive(Debug)]
pub(crate) struct Cpu {
    /// For the table.
    pub(crate) name: &'static str,
    /// qemu's `-cpu`, empty for its default.
    pub(crate) qemu: &'static str,
    /// The features that the tokens of the crate `cpu` must find and no others; `None`: whatever
    /// is there. Reaches the tests as `CINDER_CPU_FEATURES`.
    pub(crate) features: Option<&'static str>,
}

const DEFAULT: Cpu = Cpu { name: "default", qemu: "", features: None };

/// Every target, in the order of `all`.
pub(crate) const TARGETS: &[Target] = &[
    Target {
        name: "armv7",
        triple: "armv7-unknown-linux-gnueabihf",
        debian: "armhf",
        gnu: "arm-linux-gnueabihf",
        qemu: "qemu-arm",
        cpus: &[
            Cpu { name: "cortex-a8", qemu: "cortex-a8", features: Some("neon") },
            Cpu { name: "cortex-a9 without neon", qemu: "cortex-a9,neon=off", features: Some("") },
            Cpu { name: "armv8, 32 bit", qemu: "max", features: Some("neon,aes,pmull") },
        ],
    },
    Target {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        debian: "arm64",
        gnu: "aarch64-linux-gnu",
        qemu: "qemu-aarch64",
        cpus: &[Cpu { name: "max", qemu: "max", features: Some("aes") }],
    },
    Target {
        name: "s390x",
        triple: "s390x-unknown-linux-gnu",
        debian: "s390x",
        gnu: "s390x-linux-gnu",
        qemu: "qemu-s390x",
        cpus: &[Cpu { name: "big endian", qemu: "", features: None }],
    },
    Target {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        debian: "i386",
        gnu: "i686-linux-gnu",
        qemu: "",
        cpus: &[Cpu { name: "this cpu", qemu: "", features: None }],
    },
    Target {
        name: "riscv64",
        triple: "riscv64gc-unknown-linux-gnu",
        debian: "riscv64",
        gnu: "riscv64-linux-gnu",
        qemu: "qemu-riscv64",
        cpus: &[DEFAULT],
    },
    Target {
        name: "powerpc64le",
        triple: "powerpc64le-unknown-linux-gnu",
        debian: "ppc64el",
        gnu: "powerpc64le-linux-gnu",
        qemu: "qemu-ppc64le",
        cpus: &[DEFAULT],
    },
    Target {
        name: "thumbv7em",
        triple: "thumbv7em-none-eabihf",
        debian: "",
        gnu: "",
        qemu: "",
        cpus: &[],
    },
];

impl Target {
    /// The target of that name, short or rustc's.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name || target.triple == name)
    }

    /// Without an operating system: no std, nothing to run.
    pub(crate) fn is_bare(&self) -> bool {
        self.gnu.is_empty()
    }

    /// The triple in the names of cargo's environment variables.
    pub(crate) fn cargo_variable(&self, what: &str) -> String {
        format!("CARGO_TARGET_{}_{what}", self.triple.to_uppercase().replace('-', "_"))
    }
}
