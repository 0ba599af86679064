//! Tokens for 32-bit ARM, from the auxiliary vector on Linux and Android.
//!
//! Elsewhere (bare metal) a feature is present exactly when the build enabled it: there is no
//! portable way to ask, and firmware knows its chip.

#[cfg(any(target_os = "linux", target_os = "android"))]
mod detect {
    use core::sync::atomic::{AtomicU32, Ordering};

    const KNOWN: u32 = 1 << 31;
    pub(super) const NEON: u32 = 1;
    pub(super) const AES: u32 = 1 << 1;
    pub(super) const PMULL: u32 = 1 << 2;

    static FEATURES: AtomicU32 = AtomicU32::new(0);

    unsafe extern "C" {
        fn getauxval(kind: core::ffi::c_ulong) -> core::ffi::c_ulong;
    }

    #[inline(always)]
    pub(super) fn has(bit: u32) -> bool {
        features() & bit != 0
    }

    #[inline(always)]
    pub(super) fn so_far() -> u32 {
        FEATURES.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(super) fn features() -> u32 {
        let features = so_far();
        if features != 0 { features } else { detect_all() }
    }

    /// Two threads that race here store the same value.
    #[cold]
    #[inline(never)]
    fn detect_all() -> u32 {
        // Linux, arch/arm/include/uapi/asm/hwcap.h.
        const AT_HWCAP: core::ffi::c_ulong = 16;
        const AT_HWCAP2: core::ffi::c_ulong = 26;
        // SAFETY: getauxval takes any number and returns 0 for one that it does not know.
        let (hwcap, hwcap2) = unsafe { (getauxval(AT_HWCAP), getauxval(AT_HWCAP2)) };
        let mut features = KNOWN;
        if hwcap & (1 << 12) != 0 {
            features |= NEON;
            if hwcap2 & 1 != 0 {
                features |= AES;
            }
            if hwcap2 & 2 != 0 {
                features |= PMULL;
            }
        }
        FEATURES.store(features, Ordering::Relaxed);
        features
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod detect {
    pub(super) const NEON: bool = cfg!(target_feature = "neon");
    pub(super) const AES: bool = cfg!(target_feature = "aes");
    pub(super) const PMULL: bool = cfg!(target_feature = "aes");

    #[inline(always)]
    pub(super) fn has(feature: bool) -> bool {
        feature
    }
}

/// The features as bits, for a naked function that tests them itself.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub mod bits {
    use super::detect;

    /// [`Neon`](super::Neon).
    pub const NEON: u32 = detect::NEON;

    /// The bits that are set, and some others; 0 if nobody has looked yet.
    #[inline(always)]
    pub fn so_far() -> u32 {
        detect::so_far()
    }

    /// The same, and never 0.
    #[inline]
    pub fn detect() -> u32 {
        detect::features()
    }
}

/// NEON: the registers d0 to d31 and their integer instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neon(());

impl Neon {
    /// The token, where this CPU and operating system have the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        detect::has(detect::NEON).then_some(Self(()))
    }
}

/// The AES instructions of ARMv8 in 32-bit mode, with NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aes(());

impl Aes {
    /// The token, where this CPU and operating system have the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        detect::has(detect::AES).then_some(Self(()))
    }
}

/// VMULL.P64 of ARMv8 in 32-bit mode, with NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pmull(());

impl Pmull {
    /// The token, where this CPU and operating system have the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        detect::has(detect::PMULL).then_some(Self(()))
    }
}
