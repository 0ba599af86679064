//! x86-64: SSE2 stores, AVX ones where the CPU has them, and zmm16 to zmm31 and the mask
//! registers cleared where it has AVX-512.
//!
//! All of the routines are `sysv64` on every system, so that a Windows caller saves xmm6 to xmm15
//! itself.
//!
//! A build without SSE (an operating system's kernel) keeps out of the vector registers, which are
//! those of the program that it interrupted: it burns with general registers.

use crate::Depth;
#[cfg(target_feature = "sse2")]
use cinder_cpu::x86::bits;
use core::arch::naked_asm;

/// The red zone of the System V ABI is 128 bytes; the rest is for what is called below
/// [`Depth::here`](crate::Depth::here): `memcpy`, a small function that was not inlined.
pub(crate) const MARGIN: usize = 320;

pub(crate) const PROBES: bool = true;

super::stack_pointer_by!("mov {sp}, rsp");

#[inline(always)]
pub(crate) fn burn(depth: Depth) {
    // SAFETY: the routine writes only below its own return address, that is, to stack that
    // no frame owns (a caller keeps no red zone across a call).
    unsafe {
        #[cfg(target_feature = "sse2")]
        burn_routine(depth.unbounded_low(), bits::so_far());
        #[cfg(not(target_feature = "sse2"))]
        burn_general(depth.low(stack_pointer()));
    }
}

/// Clears the stack and the rest, with one kind of registers.
///
/// Stores go from high to low addresses: Windows grows a stack one guard page at a time, and a
/// burn past the end of a stack must meet the guard page before it meets anything else.
///
/// At entry rsp is 8 modulo 16, so that every other store of 32 bytes from there on would cross a
/// cache line and take twice as long. So a first store reaches down to a line, and the loop goes
/// on from there, two lines a turn.
macro_rules! with {
    (
        [$($clear_first:literal)*], [$($first:literal)*], [$($turn:literal)*],
        [$($clear_last:literal)*]
    ) => {
        concat!(
            "xor eax, eax\n",
            $($clear_first, "\n",)*
            $($first, "\n",)*
            "mov rcx, rsp\n",
            "and rcx, -64\n",
            "2:\n",
            "sub rcx, 128\n",
            $($turn, "\n",)*
            "cmp rcx, rdi\n",
            "ja 2b\n",
            $($clear_last, "\n",)*
            "xor ecx, ecx\n",
            "xor edx, edx\n",
            "xor esi, esi\n",
            "xor edi, edi\n",
            "xor r8d, r8d\n",
            "xor r9d, r9d\n",
            "xor r10d, r10d\n",
            "xor r11d, r11d\n",
            "ret",
        )
    };
}

#[cfg(any(test, not(target_feature = "sse2")))]
#[unsafe(naked)]
unsafe extern "sysv64" fn burn_general(low: usize) {
    naked_asm!(
        cfi!(".cfi_startproc"),
        with!(
        [],
        [
            "mov [rsp - 8], rax" "mov [rsp - 16], rax" "mov [rsp - 24], rax" "mov [rsp - 32], rax"
            "mov [rsp - 40], rax" "mov [rsp - 48], rax" "mov [rsp - 56], rax" "mov [rsp - 64], rax"
        ],
        [
            "mov [rcx + 120], rax" "mov [rcx + 112], rax" "mov [rcx + 104], rax"
            "mov [rcx + 96], rax" "mov [rcx + 88], rax" "mov [rcx + 80], rax"
            "mov [rcx + 72], rax" "mov [rcx + 64], rax" "mov [rcx + 56], rax"
            "mov [rcx + 48], rax" "mov [rcx + 40], rax" "mov [rcx + 32], rax"
            "mov [rcx + 24], rax" "mov [rcx + 16], rax" "mov [rcx + 8], rax" "mov [rcx], rax"
        ],
        []
    ),
        cfi!(".cfi_endproc"),
    )
}

/// The bits prove the instructions. Where nobody has looked at the CPU yet, `detect` does; it finds
/// the stack as a function does that is called from here.
#[cfg(target_feature = "sse2")]
#[unsafe(naked)]
unsafe extern "sysv64" fn burn_routine(low: usize, features: u32) {
    naked_asm!(
        cfi!(".cfi_startproc"),
        "mov rcx, rsp",
        "sub rcx, rdi",
        "cmp rcx, {limit}",
        "ja 7f",
        "3:",
        "test esi, {avx512}",
        "jz 4f",
        // Stores of 32 bytes here too: around ones of 64 bytes code on narrower registers was
        // slower, by up to 10 ns a call. Masks are cleared by a XOR with themselves, which takes
        // Zen 4 no time; a move from a general register takes it a cycle or two each.
        with!(
            [
                "vpxor xmm0, xmm0, xmm0" "vpxor xmm1, xmm1, xmm1" "vpxor xmm2, xmm2, xmm2"
                "vpxor xmm3, xmm3, xmm3" "vpxor xmm4, xmm4, xmm4" "vpxor xmm5, xmm5, xmm5"
                "vpxor xmm6, xmm6, xmm6" "vpxor xmm7, xmm7, xmm7" "vpxor xmm8, xmm8, xmm8"
                "vpxor xmm9, xmm9, xmm9" "vpxor xmm10, xmm10, xmm10" "vpxor xmm11, xmm11, xmm11"
                "vpxor xmm12, xmm12, xmm12" "vpxor xmm13, xmm13, xmm13"
                "vpxor xmm14, xmm14, xmm14" "vpxor xmm15, xmm15, xmm15"
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
            ["vmovups [rsp - 32], ymm0" "vmovups [rsp - 64], ymm0"],
            [
                "vmovaps [rcx + 96], ymm0" "vmovaps [rcx + 64], ymm0"
                "vmovaps [rcx + 32], ymm0" "vmovaps [rcx], ymm0"
            ],
            ["vzeroupper"]
        ),
        "4:",
        "test esi, {avx}",
        "jz 5f",
        // Sixteen XORs, which clear the upper halves too, and `vzeroupper`, which lets SSE code
        // run at its speed again, are faster than the one `vzeroall` that does both.
        with!(
            [
                "vpxor xmm0, xmm0, xmm0" "vpxor xmm1, xmm1, xmm1" "vpxor xmm2, xmm2, xmm2"
                "vpxor xmm3, xmm3, xmm3" "vpxor xmm4, xmm4, xmm4" "vpxor xmm5, xmm5, xmm5"
                "vpxor xmm6, xmm6, xmm6" "vpxor xmm7, xmm7, xmm7" "vpxor xmm8, xmm8, xmm8"
                "vpxor xmm9, xmm9, xmm9" "vpxor xmm10, xmm10, xmm10" "vpxor xmm11, xmm11, xmm11"
                "vpxor xmm12, xmm12, xmm12" "vpxor xmm13, xmm13, xmm13"
                "vpxor xmm14, xmm14, xmm14" "vpxor xmm15, xmm15, xmm15"
            ],
            ["vmovups [rsp - 32], ymm0" "vmovups [rsp - 64], ymm0"],
            [
                "vmovaps [rcx + 96], ymm0" "vmovaps [rcx + 64], ymm0"
                "vmovaps [rcx + 32], ymm0" "vmovaps [rcx], ymm0"
            ],
            ["vzeroupper"]
        ),
        "5:",
        "test esi, esi",
        "jz 6f",
        with!(
            [
                "xorps xmm0, xmm0" "xorps xmm1, xmm1" "xorps xmm2, xmm2" "xorps xmm3, xmm3"
                "xorps xmm4, xmm4" "xorps xmm5, xmm5" "xorps xmm6, xmm6" "xorps xmm7, xmm7"
                "xorps xmm8, xmm8" "xorps xmm9, xmm9" "xorps xmm10, xmm10" "xorps xmm11, xmm11"
                "xorps xmm12, xmm12" "xorps xmm13, xmm13" "xorps xmm14, xmm14"
                "xorps xmm15, xmm15"
            ],
            [
                "movups [rsp - 16], xmm0" "movups [rsp - 32], xmm0"
                "movups [rsp - 48], xmm0" "movups [rsp - 64], xmm0"
            ],
            [
                "movaps [rcx + 112], xmm0" "movaps [rcx + 96], xmm0"
                "movaps [rcx + 80], xmm0" "movaps [rcx + 64], xmm0"
                "movaps [rcx + 48], xmm0" "movaps [rcx + 32], xmm0"
                "movaps [rcx + 16], xmm0" "movaps [rcx], xmm0"
            ],
            []
        ),
        "6:",
        "push rdi",
        cfi!(".cfi_adjust_cfa_offset 8"),
        "call {detect}",
        "pop rdi",
        cfi!(".cfi_adjust_cfa_offset -8"),
        "mov esi, eax",
        "jmp 3b",
        "7:",
        "lea rcx, [rsp - {limit}]",
        "cmp rdi, rsp",
        "lea rdi, [rsp - {margin}]",
        "cmovb rdi, rcx",
        "jmp 3b",
        cfi!(".cfi_endproc"),
        limit = const Depth::LIMIT,
        margin = const MARGIN,
        avx512 = const bits::ZMM,
        avx = const bits::AVX,
        detect = sym detect,
    )
}

#[cfg(target_feature = "sse2")]
extern "sysv64" fn detect() -> u32 {
    bits::detect()
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use core::arch::asm;

    /// The stack below rsp, the low 32 bytes of each vector register, and the general registers
    /// that a callee may use, after a burn down to `depth` bytes below rsp.
    #[repr(C, align(64))]
    struct After {
        stack: [u8; 2048],
        vectors: [[u8; 32]; 16],
        general: [u64; 9],
    }

    /// Fills everything with ones and burns, as if the CPU had these features.
    fn burnt(depth: usize, features: u32) -> After {
        // A routine with one parameter may be given two.
        burnt_by(burn_routine as *const (), depth, features)
    }

    #[inline(never)]
    fn burnt_by(routine: *const (), depth: usize, features: u32) -> After {
        let mut after = After { stack: [0; 2048], vectors: [[0; 32]; 16], general: [0; 9] };
        macro_rules! each {
            ($before:literal, $between:literal, $after:literal) => {
                concat!(
                    $before, "0", $between, "0", $after, $before, "1", $between, "1", $after,
                    $before, "2", $between, "2", $after, $before, "3", $between, "3", $after,
                    $before, "4", $between, "4", $after, $before, "5", $between, "5", $after,
                    $before, "6", $between, "6", $after, $before, "7", $between, "7", $after,
                    $before, "8", $between, "8", $after, $before, "9", $between, "9", $after,
                    $before, "10", $between, "10", $after, $before, "11", $between, "11", $after,
                    $before, "12", $between, "12", $after, $before, "13", $between, "13", $after,
                    $before, "14", $between, "14", $after, $before, "15", $between, "15", $after,
                )
            };
        }
        // SAFETY: the caller has AVX. Below rsp there is nobody's stack, and more of it than is
        // written; `after` has room for all that is stored.
        unsafe {
            asm!(
                // The stack below, down to 2048 bytes.
                "mov rcx, -2048",
                "2:",
                "mov qword ptr [rsp + rcx], -1",
                "add rcx, 8",
                "jnz 2b",
                each!("vpcmpeqd xmm", ", xmm0, xmm0\nvinsertf128 ymm", ", ymm0, xmm0, 1\n"),
                "mov rdi, rsp",
                "sub rdi, r12",
                "mov rax, -1", "mov rcx, -1", "mov rdx, -1", "mov r8, -1", "mov r9, -1",
                "mov r10, -1", "mov r11, -1",
                "call r14",
                "mov [r13 + 2560], rax", "mov [r13 + 2568], rcx", "mov [r13 + 2576], rdx",
                "mov [r13 + 2584], rsi", "mov [r13 + 2592], rdi", "mov [r13 + 2600], r8",
                "mov [r13 + 2608], r9", "mov [r13 + 2616], r10", "mov [r13 + 2624], r11",
                each!("vmovups [r13 + 2048 + 32*", "], ymm", "\n"),
                "lea rsi, [rsp - 2048]",
                "mov rdi, r13",
                "mov rcx, 2048",
                "rep movsb",
                in("esi") features,
                in("r12") depth,
                in("r13") &raw mut after,
                in("r14") routine,
                clobber_abi("sysv64"),
            );
        }
        after
    }

    /// For a debugger, or a profiler.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn there_is_unwind_information() {
        unsafe extern "C" {
            fn _Unwind_FindEnclosingFunction(pc: *const ()) -> *const ();
        }
        for routine in [burn_routine as *const (), burn_general as *const ()] {
            // SAFETY: takes any address.
            let found = unsafe { _Unwind_FindEnclosingFunction(routine.wrapping_byte_add(9)) };
            assert_eq!(found, routine);
        }
    }

    #[test]
    fn each_kind_of_registers() {
        if cinder_cpu::x86::Avx::detect().is_none() {
            return;
        }
        const NEITHER: u32 = 1 << 31;
        for features in [0, NEITHER, bits::AVX, bits::AVX | bits::ZMM] {
            if features & bits::ZMM != 0 && cinder_cpu::x86::Zmm::detect().is_none() {
                continue;
            }
            for depth in (0..1500).step_by(8).chain([usize::MAX, 1 << 63, (1 << 63) - 1]) {
                let after = burnt(depth, features);
                assert_eq!(after.general, [0; 9], "{features} {depth}");
                // SSE alone does not reach the upper halves, and there are none without AVX.
                let width = if features == NEITHER { 16 } else { 32 };
                for vector in &after.vectors {
                    assert_eq!(vector[..width], [0; 32][..width], "{features} {depth}");
                }
                // Above is the return address, below no more than the margin is touched.
                let wanted = if depth > 1 << 20 { MARGIN } else { depth.max(MARGIN / 2) };
                let low = 2048 - wanted;
                assert!(after.stack[low..2040].iter().all(|&byte| byte == 0), "{features} {depth}");
                let far = &after.stack[..low - MARGIN];
                assert!(far.iter().all(|&byte| byte == 0xff), "{features} {depth}");
            }
        }
    }

    /// What a build without SSE has leaves the vector registers as they are.
    #[test]
    fn general_registers_alone() {
        if cinder_cpu::x86::Avx::detect().is_none() {
            return;
        }
        for depth in (MARGIN..1500).step_by(8) {
            let after = burnt_by(burn_general as *const (), depth, 0);
            assert_eq!(after.general, [0; 9], "{depth}");
            assert_eq!(after.vectors, [[0xff; 32]; 16], "{depth}");
            assert!(after.stack[2048 - depth..2040].iter().all(|&byte| byte == 0), "{depth}");
            let far = &after.stack[..2048 - depth - 256];
            assert!(far.iter().all(|&byte| byte == 0xff), "{depth}");
        }
    }

    /// zmm16 to zmm31, whole, and the masks: few functions use the last of them.
    #[test]
    fn registers_of_avx512() {
        if cinder_cpu::x86::Zmm::detect().is_none() {
            return;
        }
        let mut vectors = [[0xff_u8; 64]; 16];
        let mut masks = [u64::MAX; 8];
        // SAFETY: the token proves the instructions. The arrays have room for all that is stored.
        unsafe {
            asm!(
                ".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                "vmovdqu64 zmm\\i, [r12 - 1024 + 64*\\i]",
                ".endr",
                ".irp i, 0, 1, 2, 3, 4, 5, 6, 7",
                "kmovq k\\i, [r13 + 8*\\i]",
                ".endr",
                "lea rdi, [rsp - 512]",
                "call {routine}",
                ".irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                "vmovdqu64 [r12 - 1024 + 64*\\i], zmm\\i",
                ".endr",
                ".irp i, 0, 1, 2, 3, 4, 5, 6, 7",
                "kmovq [r13 + 8*\\i], k\\i",
                ".endr",
                routine = sym burn_routine,
                in("esi") bits::AVX | bits::ZMM,
                in("r12") &raw mut vectors,
                in("r13") &raw mut masks,
                clobber_abi("sysv64"),
            );
        }
        assert_eq!((vectors, masks), ([[0; 64]; 16], [0; 8]));
    }
}
