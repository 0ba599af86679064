//! What keeps a tree of XORs a tree.
//!
//! The compiler knows that XOR is associative, and rewrites a balanced tree of XORs as a row, so
//! that each table look-up is one operand in memory. In a row of four the first look-up waits for
//! three XORs, and where a cipher is one long chain, that is most of what its round has besides
//! the look-ups. A value that has been through no instruction at all, but that the compiler may
//! not look into, stays in its place.

#![expect(unsafe_code, reason = "assembly, of no instruction")]

use core::arch::asm;

/// The value itself, of which the compiler knows nothing. Takes no instruction.
#[inline(always)]
pub(crate) fn opaque(mut x: u32) -> u32 {
    // SAFETY: the template is a comment; it changes neither the register nor anything else.
    unsafe {
        asm!("/* {0:e} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}
