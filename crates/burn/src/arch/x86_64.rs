//! x86-64: SSE2 stores, AVX ones where the CPU has them, and zmm16 to zmm31 and the mask
//! registers cleared where it has AVX-512.
//!
//! All of the routines are `sysv64` on every system, so that a Windows caller saves xmm6 to xmm15
//! itself.

use core::arch::{asm, naked_asm};
use core::mem::MaybeUninit;
use cpu::x86::{Avx, Avx512};

/// The red zone of the System V ABI is 128 bytes; the rest is for what is called below
/// [`Depth::here`](crate::Depth::here): `memcpy`, a small function that was not inlined.
pub(crate) const MARGIN: usize = 256;

pub(crate) const PROBES: bool = true;

#[expect(clippy::pointers_in_nomem_asm_block, reason = "the address is not used, see `arch`")]
#[inline(always)]
pub(crate) fn stack_pointer() -> usize {
    let in_frame = MaybeUninit::<u8>::uninit();
    let sp: usize;
    // SAFETY: reads a register.
    unsafe {
        asm!(
            "mov {sp}, rsp",
            sp = inout(reg) in_frame.as_ptr() => sp,
            options(nomem, nostack, preserves_flags),
        );
    }
    sp
}

#[inline(always)]
pub(crate) fn burn(low: usize) {
    // SAFETY: the routines write only below their own return address, that is, to stack that
    // no frame owns (a caller keeps no red zone across a call), and Avx or Avx512 proves
    // the instructions of the wider two.
    unsafe {
        if Avx512::detect().is_some() {
            burn_avx512(low);
        } else if Avx::detect().is_some() {
            burn_avx(low);
        } else {
            burn_sse2(low);
        }
    }
}

/// Stores go from high to low addresses: Windows grows a stack one guard page at a time, and a
/// burn past the end of a stack must meet the guard page before it meets anything else.
///
/// At entry rsp is 8 modulo 16, so that every other store of 32 bytes from there on would cross a
/// cache line and take twice as long. So a first store reaches down to a line, and the loop goes
/// on from there, two lines a turn.
macro_rules! burn_routine {
    (
        $name:ident, [$($clear_first:literal)*], [$($first:literal)*], [$($turn:literal)*],
        [$($clear_last:literal)*]
    ) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(low: usize) {
            naked_asm!(
                $($clear_first,)*
                "mov rax, rsp",
                $($first,)*
                "and rax, -64",
                "2:",
                "sub rax, 128",
                $($turn,)*
                "cmp rax, rdi",
                "ja 2b",
                $($clear_last,)*
                "xor eax, eax",
                "xor ecx, ecx",
                "xor edx, edx",
                "xor esi, esi",
                "xor edi, edi",
                "xor r8d, r8d",
                "xor r9d, r9d",
                "xor r10d, r10d",
                "xor r11d, r11d",
                "ret",
            )
        }
    };
}

burn_routine!(
    burn_sse2,
    [
        "xorps xmm0, xmm0" "xorps xmm1, xmm1" "xorps xmm2, xmm2" "xorps xmm3, xmm3"
        "xorps xmm4, xmm4" "xorps xmm5, xmm5" "xorps xmm6, xmm6" "xorps xmm7, xmm7"
        "xorps xmm8, xmm8" "xorps xmm9, xmm9" "xorps xmm10, xmm10" "xorps xmm11, xmm11"
        "xorps xmm12, xmm12" "xorps xmm13, xmm13" "xorps xmm14, xmm14" "xorps xmm15, xmm15"
    ],
    [
        "movups [rax - 16], xmm0" "movups [rax - 32], xmm0"
        "movups [rax - 48], xmm0" "movups [rax - 64], xmm0"
    ],
    [
        "movaps [rax + 112], xmm0" "movaps [rax + 96], xmm0"
        "movaps [rax + 80], xmm0" "movaps [rax + 64], xmm0"
        "movaps [rax + 48], xmm0" "movaps [rax + 32], xmm0"
        "movaps [rax + 16], xmm0" "movaps [rax], xmm0"
    ],
    []
);

// Sixteen XORs, which clear the upper halves too, and `vzeroupper`, which lets SSE code run at
// its speed again, are faster than the one `vzeroall` that does both.
burn_routine!(
    burn_avx,
    [
        "vpxor xmm0, xmm0, xmm0" "vpxor xmm1, xmm1, xmm1" "vpxor xmm2, xmm2, xmm2"
        "vpxor xmm3, xmm3, xmm3" "vpxor xmm4, xmm4, xmm4" "vpxor xmm5, xmm5, xmm5"
        "vpxor xmm6, xmm6, xmm6" "vpxor xmm7, xmm7, xmm7" "vpxor xmm8, xmm8, xmm8"
        "vpxor xmm9, xmm9, xmm9" "vpxor xmm10, xmm10, xmm10" "vpxor xmm11, xmm11, xmm11"
        "vpxor xmm12, xmm12, xmm12" "vpxor xmm13, xmm13, xmm13" "vpxor xmm14, xmm14, xmm14"
        "vpxor xmm15, xmm15, xmm15"
    ],
    ["vmovups [rax - 32], ymm0" "vmovups [rax - 64], ymm0"],
    [
        "vmovaps [rax + 96], ymm0" "vmovaps [rax + 64], ymm0"
        "vmovaps [rax + 32], ymm0" "vmovaps [rax], ymm0"
    ],
    ["vzeroupper"]
);

// Stores of 32 bytes here too: 64-byte ones lower the clock of some CPUs.
burn_routine!(
    burn_avx512,
    [
        "vpxor xmm0, xmm0, xmm0" "vpxor xmm1, xmm1, xmm1" "vpxor xmm2, xmm2, xmm2"
        "vpxor xmm3, xmm3, xmm3" "vpxor xmm4, xmm4, xmm4" "vpxor xmm5, xmm5, xmm5"
        "vpxor xmm6, xmm6, xmm6" "vpxor xmm7, xmm7, xmm7" "vpxor xmm8, xmm8, xmm8"
        "vpxor xmm9, xmm9, xmm9" "vpxor xmm10, xmm10, xmm10" "vpxor xmm11, xmm11, xmm11"
        "vpxor xmm12, xmm12, xmm12" "vpxor xmm13, xmm13, xmm13" "vpxor xmm14, xmm14, xmm14"
        "vpxor xmm15, xmm15, xmm15"
        "vpxord xmm16, xmm16, xmm16" "vpxord xmm17, xmm17, xmm17"
        "vpxord xmm18, xmm18, xmm18" "vpxord xmm19, xmm19, xmm19"
        "vpxord xmm20, xmm20, xmm20" "vpxord xmm21, xmm21, xmm21"
        "vpxord xmm22, xmm22, xmm22" "vpxord xmm23, xmm23, xmm23"
        "vpxord xmm24, xmm24, xmm24" "vpxord xmm25, xmm25, xmm25"
        "vpxord xmm26, xmm26, xmm26" "vpxord xmm27, xmm27, xmm27"
        "vpxord xmm28, xmm28, xmm28" "vpxord xmm29, xmm29, xmm29"
        "vpxord xmm30, xmm30, xmm30" "vpxord xmm31, xmm31, xmm31"
        "kxorq k0, k0, k0" "kxorq k1, k1, k1" "kxorq k2, k2, k2" "kxorq k3, k3, k3"
        "kxorq k4, k4, k4" "kxorq k5, k5, k5" "kxorq k6, k6, k6" "kxorq k7, k7, k7"
    ],
    ["vmovups [rax - 32], ymm0" "vmovups [rax - 64], ymm0"],
    [
        "vmovaps [rax + 96], ymm0" "vmovaps [rax + 64], ymm0"
        "vmovaps [rax + 32], ymm0" "vmovaps [rax], ymm0"
    ],
    ["vzeroupper"]
);

/// # Safety
///
/// `pointer` is valid for writes of `len` bytes.
#[inline(always)]
pub(crate) unsafe fn wipe(pointer: *mut u8, len: usize) {
    // SAFETY: the caller's own promise.
    unsafe { super::wipe_by_memset(pointer, len) }
}

#[inline(always)]
pub(crate) fn paint(low: usize) {
    // SAFETY: writes only below its own return address.
    unsafe { paint_routine(low) }
}

#[inline(always)]
pub(crate) fn first_changed(low: usize, high: usize) -> usize {
    // SAFETY: reads stack that `paint` has written.
    unsafe { first_changed_routine(low, high) }
}

#[unsafe(naked)]
unsafe extern "sysv64" fn paint_routine(low: usize) {
    naked_asm!(
        "mov rcx, 0x5bd1e995c3a5966d",
        "mov rax, rsp",
        "2:",
        "sub rax, 8",
        "mov [rax], rcx",
        "cmp rax, rdi",
        "ja 2b",
        "ret",
    )
}

#[unsafe(naked)]
unsafe extern "sysv64" fn first_changed_routine(low: usize, high: usize) -> usize {
    naked_asm!(
        "mov rcx, 0x5bd1e995c3a5966d",
        "mov rax, rdi",
        "2:",
        "cmp rax, rsi",
        "jae 3f",
        "cmp [rax], rcx",
        "jne 3f",
        "add rax, 8",
        "jmp 2b",
        "3:",
        "ret",
    )
}
