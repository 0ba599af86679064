//! The one way from a secret to what everybody may know.
//!
//! Constant time: no, by purpose, in what it makes public.

use core::hint::black_box;

/// `x` itself, which is public from here on: whether a tag matches, how long a padding is, whether a
/// key is weak.
///
/// A tool that follows secrets through a program ends the trace here. It reads `x` from a table, and
/// valgrind's memcheck, which is told that keys are undefined, reports that address and takes what was
/// read for defined; so one suppression, of this function, names all that Cinder makes public. `cargo
/// xtask constant-time` has it, and finds what goes another way.
///
/// ```
/// use cinder_burn::declassify;
///
/// /// Whether the two are equal, and nothing else of them.
/// fn are_equal(a: &[u8; 4], b: &[u8; 4]) -> bool {
///     let differences = a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b));
///     // 1 if it is 0, of which the borrow's bit tells.
///     declassify((u16::from(differences).wrapping_sub(1) >> 8) as u8 & 1) == 1
/// }
/// assert!(are_equal(b"1234", b"1234"));
/// assert!(!are_equal(b"1234", b"1274"));
/// ```
#[inline(never)]
pub fn declassify(x: u8) -> u8 {
    static EACH: [u8; 256] = {
        let mut each = [0; 256];
        let mut i = 0;
        while i < 256 {
            each[i] = i as u8;
            i += 1;
        }
        each
    };
    black_box(&EACH)[usize::from(x)]
}
