//! The look-ups of a round of CAST5 on x86-64, in assembly.
//!
//! Words in general registers, which every x86-64 has.
//!
//! Constant time: no, as the portable look-ups.
//!
//! The compiler takes a shift and a mask for each index. Here two of the four are second bytes of a
//! register, before and after a shift by 16. And what waits for the last load is short: the look-ups
//! that need one step less are joined with each other, or with the half block, first.

use super::sboxes::ROUNDS;
use core::arch::asm;

/// `l` ^ f for I = `i` <<< `kr`, with f of `TYPE` 1, 2 or 3.
#[inline(always)]
pub(super) fn look_up<const TYPE: u8>(i: u32, kr: u8, l: u32) -> u32 {
    /// Ia is in rdx, Ib in rax, Ic in rsi, Id in `{d}`; the result comes in edx.
    macro_rules! round {
        ($($step:literal)*) => {{
            let result;
            // SAFETY: reads entries 0 to 255 of the four boxes, by indices of a byte each.
            unsafe {
                asm!(
                    "rol eax, cl",
                    "mov edx, eax",
                    "movzx esi, ah",
                    "movzx {d:e}, al",
                    "shr eax, 16",
                    "shr edx, 24",
                    "movzx eax, al",
                    $($step,)*
                    boxes = in(reg) ROUNDS.as_ptr(),
                    l = in(reg) l,
                    d = out(reg) _,
                    inout("eax") i => _,
                    in("cl") kr,
                    out("esi") _,
                    out("edx") result,
                    options(pure, readonly, nostack),
                );
            }
            result
        }};
    }
    match TYPE {
        // (S1[Ia] ^ S2[Ib]) + (S4[Id] - S3[Ic])
        1 => round!(
            "mov {d:e}, [{boxes} + 4 * {d} + 3072]"
            "sub {d:e}, [{boxes} + 4 * rsi + 2048]"
            "mov edx, [{boxes} + 4 * rdx]"
            "xor edx, [{boxes} + 4 * rax + 1024]"
            "add edx, {d:e}"
            "xor edx, {l:e}"
        ),
        // ((S1[Ia] + S3[Ic]) - S2[Ib]) ^ (S4[Id] ^ l)
        2 => round!(
            "mov {d:e}, [{boxes} + 4 * {d} + 3072]"
            "xor {d:e}, {l:e}"
            "mov edx, [{boxes} + 4 * rdx]"
            "add edx, [{boxes} + 4 * rsi + 2048]"
            "sub edx, [{boxes} + 4 * rax + 1024]"
            "xor edx, {d:e}"
        ),
        // ((S1[Ia] + S2[Ib]) ^ S3[Ic]) - S4[Id]
        _ => round!(
            "mov {d:e}, [{boxes} + 4 * {d} + 3072]"
            "mov edx, [{boxes} + 4 * rdx]"
            "add edx, [{boxes} + 4 * rax + 1024]"
            "xor edx, [{boxes} + 4 * rsi + 2048]"
            "sub edx, {d:e}"
            "xor edx, {l:e}"
        ),
    }
}
