//! x86 in 32-bit mode: AVX stores and `vzeroall`, SSE ones, or plain ones on a CPU without SSE.
//!
//! The routines are `fastcall`, which passes its arguments in ecx and edx: one on the stack would
//! move it.

use crate::Depth;
use core::arch::naked_asm;
use cinder_cpu::x86::{Avx, Sse2, Zmm};

/// No red zone. A call's arguments are pushed below the frame, and the called function's frame
/// comes below them.
pub(crate) const MARGIN: usize = 448;

pub(crate) const PROBES: bool = true;

super::stack_pointer_by!("mov {sp}, esp");

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    let low = depth.low(stack_pointer());
    // SAFETY: the routines write only below their own return address, to stack that no frame
    // owns; Zmm, Avx or Sse2, or the build, proves the instructions.
    unsafe {
        if Zmm::detect().is_some() {
            burn_avx512(low);
        } else if Avx::detect().is_some() {
            burn_avx(low);
        } else if cfg!(target_feature = "sse2") || Sse2::detect().is_some() {
            burn_sse(low);
        } else {
            burn_plain(low);
        }
    }
}

/// From high to low: a burn past the end of a stack must meet the guard page first.
macro_rules! burn_routine {
    ($name:ident, [$($clear_first:literal)*], [$($store:literal)*], [$($clear_last:literal)*]) => {
        #[unsafe(naked)]
        unsafe extern "fastcall" fn $name(low: usize) {
            naked_asm!(
                cfi!(".cfi_startproc"),
                $($clear_first,)*
                "mov eax, esp",
                "xor edx, edx",
                "2:",
                "sub eax, 64",
                $($store,)*
                "cmp eax, ecx",
                "ja 2b",
                $($clear_last,)*
                "xor eax, eax",
                "xor ecx, ecx",
                "ret",
                cfi!(".cfi_endproc"),
            )
        }
    };
}

burn_routine!(
    burn_plain,
    [],
    [
        "mov [eax + 60], edx" "mov [eax + 56], edx" "mov [eax + 52], edx" "mov [eax + 48], edx"
        "mov [eax + 44], edx" "mov [eax + 40], edx" "mov [eax + 36], edx" "mov [eax + 32], edx"
        "mov [eax + 28], edx" "mov [eax + 24], edx" "mov [eax + 20], edx" "mov [eax + 16], edx"
        "mov [eax + 12], edx" "mov [eax + 8], edx" "mov [eax + 4], edx" "mov [eax], edx"
    ],
    []
);

burn_routine!(
    burn_sse,
    [
        "xorps xmm0, xmm0" "xorps xmm1, xmm1" "xorps xmm2, xmm2" "xorps xmm3, xmm3"
        "xorps xmm4, xmm4" "xorps xmm5, xmm5" "xorps xmm6, xmm6" "xorps xmm7, xmm7"
    ],
    [
        "movups [eax + 48], xmm0" "movups [eax + 32], xmm0"
        "movups [eax + 16], xmm0" "movups [eax], xmm0"
    ],
    []
);

burn_routine!(
    burn_avx,
    ["vzeroall"],
    ["vmovups [eax + 32], ymm0" "vmovups [eax], ymm0"],
    ["vzeroupper"]
);

// In 32-bit mode there are only zmm0 to zmm7, and `vzeroall` clears them whole.
burn_routine!(
    burn_avx512,
    [
        "vzeroall"
        "kxorq k0, k0, k0" "kxorq k1, k1, k1" "kxorq k2, k2, k2" "kxorq k3, k3, k3"
        "kxorq k4, k4, k4" "kxorq k5, k5, k5" "kxorq k6, k6, k6" "kxorq k7, k7, k7"
    ],
    ["vmovups [eax + 32], ymm0" "vmovups [eax], ymm0"],
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
unsafe extern "fastcall" fn paint_routine(low: usize) {
    naked_asm!(
        "mov eax, esp",
        "2:",
        "sub eax, 4",
        "mov dword ptr [eax], 0x5bd1e995",
        "cmp eax, ecx",
        "ja 2b",
        "ret",
    )
}

#[unsafe(naked)]
unsafe extern "fastcall" fn first_changed_routine(low: usize, high: usize) -> usize {
    naked_asm!(
        "mov eax, ecx",
        "2:",
        "cmp eax, edx",
        "jae 3f",
        "cmp dword ptr [eax], 0x5bd1e995",
        "jne 3f",
        "add eax, 4",
        "jmp 2b",
        "3:",
        "ret",
    )
}
