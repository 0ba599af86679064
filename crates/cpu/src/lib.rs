//! Proof tokens for CPU features, detected once at run time.
//!
//! A kernel that needs an instruction set takes a token of this crate. A token can only be had
//! from its `detect`, which returns `None` where the CPU or the operating system lacks the
//! feature. So holding one proves that the kernel's instructions exist, and the SAFETY comment
//! at a kernel's call names the token.
//!
//! Tokens are zero-sized and `Copy`. Detection is cached: one relaxed atomic load a call.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(doctest, doc = include_str!("../README.md"))]

#[cfg(target_arch = "aarch64")]
pub mod aarch64;
#[cfg(target_arch = "arm")]
#[allow(unsafe_code, reason = "getauxval, where there is Linux")]
pub mod arm;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[expect(unsafe_code, reason = "CPUID is unsafe in older Rust")]
pub mod x86;
