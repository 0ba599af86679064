//! Tokens for 32-bit ARM, from the auxiliary vector on Linux and Android.
//!
//! Elsewhere (bare metal) a feature is present exactly when the build enabled it: there is no
//! portable way to ask, and firmware knows its chip.

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
mod asked {
    use crate::Level;
    use crate::cache::{features, so_far};
    use core::ffi::c_ulong;

    /// d0 to d31 are there. It is not held back: a burn clears them.
    const REGISTERS: u32 = 1;
    pub(super) const NEON: u32 = 1 << 1;
    pub(super) const AES: u32 = 1 << 2;
    pub(super) const PMULL: u32 = 1 << 3;

    pub(crate) const LEVELS: &[Level] = &[
        Level::new("none", REGISTERS),
        Level::new("neon", REGISTERS | NEON),
        Level::new("aes", REGISTERS | NEON | AES | PMULL),
    ];

    unsafe extern "C" {
        fn getauxval(kind: c_ulong) -> c_ulong;
    }

    pub(crate) fn ask() -> u32 {
        // Linux, arch/arm/include/uapi/asm/hwcap.h.
        const AT_HWCAP: c_ulong = 16;
        const AT_HWCAP2: c_ulong = 26;
        // SAFETY: getauxval takes any number and returns 0 for one that it does not know.
        let (hwcap, hwcap2) = unsafe { (getauxval(AT_HWCAP), getauxval(AT_HWCAP2)) };
        let mut found = 0;
        if hwcap & 1 << 12 != 0 {
            found |= REGISTERS | NEON;
            if hwcap2 & 1 != 0 {
                found |= AES;
            }
            if hwcap2 & 2 != 0 {
                found |= PMULL;
            }
        }
        found
    }

    #[inline(always)]
    pub(super) fn has(bit: u32) -> bool {
        features() & bit != 0
    }

    /// The features as bits, for a naked function that tests them itself.
    pub mod bits {
        /// The registers d0 to d31 and NEON's instructions, held back or not.
        pub const NEON: u32 = super::REGISTERS;

        /// The bits that are set, and some others; 0 if nobody has asked yet.
        #[inline(always)]
        pub fn so_far() -> u32 {
            super::so_far()
        }

        /// The same, and never 0.
        #[inline]
        pub fn detect() -> u32 {
            super::features()
        }
    }
}
#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
pub use asked::bits;

#[cfg(any(not(any(target_os = "linux", target_os = "android")), miri))]
mod asked {
    pub(super) const NEON: bool = cfg!(all(target_feature = "neon", not(miri)));
    pub(super) const AES: bool = cfg!(all(target_feature = "aes", not(miri)));
    pub(super) const PMULL: bool = AES;

    pub(crate) const LEVELS: &[crate::Level] = &[];

    #[allow(dead_code, reason = "where there are atomics, and nobody to ask")]
    pub(crate) fn ask() -> u32 {
        0
    }

    #[inline(always)]
    pub(super) fn has(feature: bool) -> bool {
        feature
    }
}
#[allow(unused_imports, reason = "`ask`, where there are no atomics")]
pub(crate) use asked::{LEVELS, ask};

/// NEON: the registers d0 to d31 and their integer instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neon(());

impl Neon {
    /// The token, where this CPU and operating system have the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        asked::has(asked::NEON).then_some(Self(()))
    }
}

/// The AES instructions of ARMv8 in 32-bit mode, with NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aes(());

impl Aes {
    /// The token, where this CPU and operating system have the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        asked::has(asked::AES).then_some(Self(()))
    }
}

/// VMULL.P64 of ARMv8 in 32-bit mode, with NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pmull(());

impl Pmull {
    /// The token, where this CPU and operating system have the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        asked::has(asked::PMULL).then_some(Self(()))
    }
}
