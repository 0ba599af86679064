//! Tokens for aarch64.

cpufeatures::new!(aes, "aes");

/// AESE, AESMC and PMULL on 64-bit operands. `cpufeatures` reports `aes` only where both are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aes(());

impl Aes {
    /// The token, where this CPU and operating system have the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        aes::get().then_some(Self(()))
    }
}
