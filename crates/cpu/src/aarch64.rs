//! Tokens for aarch64, from the operating system.

use crate::Level;

const AES: u32 = 1;

pub(crate) const LEVELS: &[Level] = &[Level::new("neon", 0), Level::new("aes", AES)];

/// NEON, which every build has that uses floating-point registers at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neon(());

impl Neon {
    /// The token, where this build has the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        cfg!(all(target_feature = "neon", not(miri))).then_some(Self(()))
    }
}

/// AESE, AESMC and PMULL on 64-bit operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aes(());

impl Aes {
    /// The token, where this CPU and operating system have the feature.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        (crate::cache::features() & AES != 0).then_some(Self(()))
    }
}

pub(crate) fn ask() -> u32 {
    if has_aes_and_pmull() { AES } else { 0 }
}

/// Linux, arch/arm64/include/uapi/asm/hwcap.h; FreeBSD has the same.
#[allow(dead_code, reason = "for systems with an auxiliary vector")]
const HWCAP_AES_AND_PMULL: core::ffi::c_ulong = 1 << 3 | 1 << 4;

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
fn has_aes_and_pmull() -> bool {
    use core::ffi::c_ulong;
    unsafe extern "C" {
        fn getauxval(kind: c_ulong) -> c_ulong;
    }
    const AT_HWCAP: c_ulong = 16;
    // SAFETY: getauxval takes any number and returns 0 for one that it does not know.
    let bits = unsafe { getauxval(AT_HWCAP) };
    bits & HWCAP_AES_AND_PMULL == HWCAP_AES_AND_PMULL
}

#[cfg(all(target_os = "freebsd", not(miri)))]
fn has_aes_and_pmull() -> bool {
    use core::ffi::{c_int, c_ulong, c_void};
    unsafe extern "C" {
        fn elf_aux_info(kind: c_int, buffer: *mut c_void, len: c_int) -> c_int;
    }
    const AT_HWCAP: c_int = 25;
    let mut bits: c_ulong = 0;
    // SAFETY: the buffer is as long as it is said to be. What fails writes nothing.
    unsafe { elf_aux_info(AT_HWCAP, (&raw mut bits).cast(), size_of::<c_ulong>() as c_int) };
    bits & HWCAP_AES_AND_PMULL == HWCAP_AES_AND_PMULL
}

/// A system from before these names (macOS 11) does not say, and gets no token.
#[cfg(all(target_vendor = "apple", not(miri)))]
fn has_aes_and_pmull() -> bool {
    use core::ffi::{CStr, c_char, c_int, c_void};
    unsafe extern "C" {
        fn sysctlbyname(
            name: *const c_char,
            old: *mut c_void,
            old_len: *mut usize,
            new: *mut c_void,
            new_len: usize,
        ) -> c_int;
    }
    let has = |name: &CStr| {
        let (mut value, mut len): (c_int, _) = (0, size_of::<c_int>());
        // SAFETY: the name ends with a zero, the buffer is as long as it is said to be, and nothing
        // is set.
        let status = unsafe {
            let new = core::ptr::null_mut();
            sysctlbyname(name.as_ptr(), (&raw mut value).cast(), &raw mut len, new, 0)
        };
        status == 0 && value != 0
    };
    has(c"hw.optional.arm.FEAT_AES") && has(c"hw.optional.arm.FEAT_PMULL")
}

#[cfg(all(windows, not(miri)))]
fn has_aes_and_pmull() -> bool {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn IsProcessorFeaturePresent(feature: u32) -> i32;
    }
    const PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE: u32 = 30;
    // SAFETY: takes any number.
    unsafe { IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE) != 0 }
}

/// There is nobody to ask: firmware knows its chip. rustc's `aes` has PMULL in it.
#[cfg(any(
    not(any(
        target_os = "linux",
        target_os = "android",
        target_os = "freebsd",
        target_vendor = "apple",
        windows,
    )),
    miri,
))]
fn has_aes_and_pmull() -> bool {
    cfg!(all(target_feature = "aes", not(miri)))
}
