//! Less than there is.

/// A part of what CPUs of this target have, each level with what the levels before it have.
///
/// A program that holds itself back to a level chooses its kernels as on a CPU that has no more:
/// to test a narrow kernel on a wide CPU, to measure it, or to keep out of one that is broken.
///
/// ```
/// use cinder_cpu::Level;
///
/// // By an environment variable, say, before the first key is set up.
/// # #[cfg(any(target_arch = "x86", target_arch = "x86_64"))] {
/// let level = Level::named("ssse3").expect("one of Level::ALL");
/// level.hold_back();
/// assert!(cinder_cpu::x86::AesNi::detect().is_none());
/// # }
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Level {
    name: &'static str,
    /// The bits of the features that it has.
    #[allow(dead_code, reason = "not read where nothing is cached")]
    has: u32,
}

impl Level {
    /// The levels of this target, the narrowest first: on x86 and x86-64 `sse2`, `ssse3`, `aes`
    /// (AES-NI and PCLMULQDQ), `avx2`, `vaes` (with VPCLMULQDQ), `avx512` and `gfni`; on aarch64
    /// `neon` and `aes`; on 32-bit ARM with Linux or Android `none`, `neon` and `aes`. None where
    /// build flags say what there is.
    pub const ALL: &'static [Self] = crate::target::LEVELS;

    #[allow(dead_code, reason = "there are none where build flags say what there is")]
    pub(crate) const fn new(name: &'static str, has: u32) -> Self {
        Self { name, has }
    }

    /// The level of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|level| level.name == name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// From now on no `detect` returns a token of a feature that is not in this level, in this
    /// process.
    ///
    /// It adds nothing that the CPU has not, and nothing that was held back before. Tokens that
    /// somebody has already, and keys that were set up with them, stay as they are. What
    /// `cinder_burn` clears stays the same, too.
    pub fn hold_back(&self) {
        #[cfg(target_has_atomic = "32")]
        crate::cache::keep(self.has);
    }
}
