//! Proof tokens for CPU features, detected once at run time.
//!
//! A kernel that needs an instruction set takes a token of this crate. A token can only be had
//! from its `detect`, which returns `None` where the CPU or the operating system lacks the
//! feature. So holding one proves that the kernel's instructions exist, and the SAFETY comment
//! at a kernel's call names the token.
//!
//! Tokens are zero-sized and `Copy`. Detection is cached: one relaxed atomic load a call.
//!
//! # Who is asked
//!
//! | target | who says what there is |
//! |---|---|
//! | x86, x86-64 | the CPU (CPUID), and what registers the operating system saves (XGETBV) |
//! | aarch64, Linux, Android, FreeBSD | the kernel, by the auxiliary vector |
//! | aarch64, Apple's systems | the kernel, by `sysctlbyname` |
//! | aarch64, Windows | `IsProcessorFeaturePresent` |
//! | arm, Linux, Android | the kernel, by the auxiliary vector |
//! | aarch64 and arm elsewhere, bare metal among them; SGX | nobody can be asked: the build's flags |
//!
//! Build flags decide nothing else. `-C target-cpu` or `-C target-feature` for a larger CPU than
//! the one that runs the program lets the compiler use what is not there; it does not make a token.
//!
//! A target whose code keeps out of the vector registers (a kernel's, without SSE or NEON) has no
//! tokens, whatever its CPU has.
//!
//! # Less than there is
//!
//! [`Level::hold_back`] makes a program choose kernels as on a narrower CPU: to test them, to measure them,
//! or to keep out of one that is broken.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[allow(unsafe_code, reason = "asks the operating system, where there is one")]
pub mod aarch64;
#[cfg(target_arch = "arm")]
#[allow(unsafe_code, reason = "asks the operating system, where there is one")]
pub mod arm;
#[allow(dead_code, reason = "nothing is cached where nobody can be asked")]
#[cfg(target_has_atomic = "32")]
mod cache;
mod level;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
#[allow(unsafe_code, reason = "asks the CPU; CPUID is unsafe in older Rust")]
pub mod x86;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "intrinsics, whose instructions the kernels' tokens prove")]
pub mod x86_lanes;

pub use level::Level;

/// Each target has `LEVELS`, and a function `ask` for the bits of what there is.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use aarch64 as target;
#[cfg(target_arch = "arm")]
use arm as target;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
use x86 as target;
#[cfg(not(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    target_arch = "arm",
    target_arch = "x86",
    target_feature = "sse2",
)))]
mod target {
    pub(crate) const LEVELS: &[crate::Level] = &[];

    pub(crate) fn ask() -> u32 {
        0
    }
}
