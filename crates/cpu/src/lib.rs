//! Proof tokens for CPU features, detected once at run time.
//!
//! A kernel that needs an instruction set takes a token of this crate. A token can only be had
//! from its `detect`, which returns `None` where the CPU or the operating system lacks the
//! feature. So holding one proves that the kernel's instructions exist, and the SAFETY comment
//! at a kernel's call names the token.
//!
//! Tokens are zero-sized and `Copy`. Detection is cached: one relaxed atomic load a call.
//!
//! A target whose code keeps out of the vector registers (a kernel's, without SSE or NEON) has no
//! tokens, whatever its CPU has.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub mod aarch64;
#[cfg(target_arch = "arm")]
#[allow(unsafe_code, reason = "getauxval, where there is Linux")]
pub mod arm;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "CPUID is unsafe in older Rust")]
pub mod x86;
