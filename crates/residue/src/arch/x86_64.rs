//! x86-64, System V: zmm0 to zmm31 and k0 to k7 with AVX-512, ymm0 to ymm15 with AVX, else xmm0 to
//! xmm15.

use super::{Bank, IN_GENERAL, IN_VECTOR, KEPT_SIZE, ON_STACK, Plant, Registers};
use crate::stack::WHOLE;
use cinder_cpu::x86::{Avx, Zmm};
use core::arch::{asm, naked_asm};
use core::ffi::c_void;

pub(crate) const SUPPORTED: bool = true;

pub(crate) const GENERAL: &[Bank] =
    &[Bank { names: &["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"], width: 8 }];

pub(crate) const KEPT: &[Bank] =
    &[Bank { names: &["rbx", "rbp", "r12", "r13", "r14", "r15"], width: 8 }];

pub(crate) const VECTOR: &[Bank] = &[
    Bank {
        names: &[
            "zmm0", "zmm1", "zmm2", "zmm3", "zmm4", "zmm5", "zmm6", "zmm7", "zmm8", "zmm9",
            "zmm10", "zmm11", "zmm12", "zmm13", "zmm14", "zmm15", "zmm16", "zmm17", "zmm18",
            "zmm19", "zmm20", "zmm21", "zmm22", "zmm23", "zmm24", "zmm25", "zmm26", "zmm27",
            "zmm28", "zmm29", "zmm30", "zmm31",
        ],
        width: 64,
    },
    Bank { names: &["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"], width: 8 },
];

/// # Safety
///
/// `f` may be called with `data`, does not unwind, and finds enough stack below `stack_top`,
/// which is a multiple of 64.
pub(crate) unsafe fn call_on(
    f: Entry,
    data: *mut c_void,
    stack_top: *mut u8,
    registers: &mut Registers,
) {
    // SAFETY: as promised by the caller; Zmm or Avx proves the wider stores.
    unsafe {
        if Zmm::detect().is_some() {
            call_avx512(f, data, stack_top, registers);
        } else if Avx::detect().is_some() {
            call_avx(f, data, stack_top, registers);
        } else {
            call_sse2(f, data, stack_top, registers);
        }
    }
}

type Entry = extern "C" fn(*mut c_void);

macro_rules! call {
    ($name:ident, [$($clear:literal)*], [$($store:literal)*], [$($last:literal)*]) => {
        #[unsafe(naked)]
        unsafe extern "sysv64" fn $name(
            f: Entry,
            data: *mut c_void,
            stack_top: *mut u8,
            registers: &mut Registers,
        ) {
            naked_asm!(
                "push rbp",
                "push rbx",
                "push r12",
                "push r13",
                "push r14",
                "push r15",
                "mov rbp, rsp",
                "mov rbx, rcx",
                "mov rsp, rdx",
                "mov rax, rdi",
                "mov rdi, rsi",
                $($clear,)*
                "xor ecx, ecx",
                "xor edx, edx",
                "xor esi, esi",
                "xor r8d, r8d",
                "xor r9d, r9d",
                "xor r10d, r10d",
                "xor r11d, r11d",
                "xor r12d, r12d",
                "xor r13d, r13d",
                "xor r14d, r14d",
                "xor r15d, r15d",
                "call rax",
                "mov [rbx], rax",
                "mov [rbx + 8], rcx",
                "mov [rbx + 16], rdx",
                "mov [rbx + 24], rsi",
                "mov [rbx + 32], rdi",
                "mov [rbx + 40], r8",
                "mov [rbx + 48], r9",
                "mov [rbx + 56], r10",
                "mov [rbx + 64], r11",
                $($store,)*
                $($last,)*
                "mov rsp, rbp",
                "pop r15",
                "pop r14",
                "pop r13",
                "pop r12",
                "pop rbx",
                "pop rbp",
                "ret",
            )
        }
    };
}

call!(
    call_sse2,
    [
        "xorps xmm0, xmm0" "xorps xmm1, xmm1" "xorps xmm2, xmm2" "xorps xmm3, xmm3"
        "xorps xmm4, xmm4" "xorps xmm5, xmm5" "xorps xmm6, xmm6" "xorps xmm7, xmm7"
        "xorps xmm8, xmm8" "xorps xmm9, xmm9" "xorps xmm10, xmm10" "xorps xmm11, xmm11"
        "xorps xmm12, xmm12" "xorps xmm13, xmm13" "xorps xmm14, xmm14" "xorps xmm15, xmm15"
    ],
    [
        "movups [rbx + 256 + 64*0], xmm0" "movups [rbx + 256 + 64*1], xmm1"
        "movups [rbx + 256 + 64*2], xmm2" "movups [rbx + 256 + 64*3], xmm3"
        "movups [rbx + 256 + 64*4], xmm4" "movups [rbx + 256 + 64*5], xmm5"
        "movups [rbx + 256 + 64*6], xmm6" "movups [rbx + 256 + 64*7], xmm7"
        "movups [rbx + 256 + 64*8], xmm8" "movups [rbx + 256 + 64*9], xmm9"
        "movups [rbx + 256 + 64*10], xmm10" "movups [rbx + 256 + 64*11], xmm11"
        "movups [rbx + 256 + 64*12], xmm12" "movups [rbx + 256 + 64*13], xmm13"
        "movups [rbx + 256 + 64*14], xmm14" "movups [rbx + 256 + 64*15], xmm15"
    ],
    []
);

call!(
    call_avx,
    ["vzeroall"],
    [
        "vmovups [rbx + 256 + 64*0], ymm0" "vmovups [rbx + 256 + 64*1], ymm1"
        "vmovups [rbx + 256 + 64*2], ymm2" "vmovups [rbx + 256 + 64*3], ymm3"
        "vmovups [rbx + 256 + 64*4], ymm4" "vmovups [rbx + 256 + 64*5], ymm5"
        "vmovups [rbx + 256 + 64*6], ymm6" "vmovups [rbx + 256 + 64*7], ymm7"
        "vmovups [rbx + 256 + 64*8], ymm8" "vmovups [rbx + 256 + 64*9], ymm9"
        "vmovups [rbx + 256 + 64*10], ymm10" "vmovups [rbx + 256 + 64*11], ymm11"
        "vmovups [rbx + 256 + 64*12], ymm12" "vmovups [rbx + 256 + 64*13], ymm13"
        "vmovups [rbx + 256 + 64*14], ymm14" "vmovups [rbx + 256 + 64*15], ymm15"
    ],
    ["vzeroupper"]
);

call!(
    call_avx512,
    [
        "vzeroall"
        "vpxord zmm16, zmm16, zmm16" "vpxord zmm17, zmm17, zmm17" "vpxord zmm18, zmm18, zmm18"
        "vpxord zmm19, zmm19, zmm19" "vpxord zmm20, zmm20, zmm20" "vpxord zmm21, zmm21, zmm21"
        "vpxord zmm22, zmm22, zmm22" "vpxord zmm23, zmm23, zmm23" "vpxord zmm24, zmm24, zmm24"
        "vpxord zmm25, zmm25, zmm25" "vpxord zmm26, zmm26, zmm26" "vpxord zmm27, zmm27, zmm27"
        "vpxord zmm28, zmm28, zmm28" "vpxord zmm29, zmm29, zmm29" "vpxord zmm30, zmm30, zmm30"
        "vpxord zmm31, zmm31, zmm31"
        "kxorq k0, k0, k0" "kxorq k1, k1, k1" "kxorq k2, k2, k2" "kxorq k3, k3, k3"
        "kxorq k4, k4, k4" "kxorq k5, k5, k5" "kxorq k6, k6, k6" "kxorq k7, k7, k7"
    ],
    [
        "vmovups [rbx + 256 + 64*0], zmm0" "vmovups [rbx + 256 + 64*1], zmm1"
        "vmovups [rbx + 256 + 64*2], zmm2" "vmovups [rbx + 256 + 64*3], zmm3"
        "vmovups [rbx + 256 + 64*4], zmm4" "vmovups [rbx + 256 + 64*5], zmm5"
        "vmovups [rbx + 256 + 64*6], zmm6" "vmovups [rbx + 256 + 64*7], zmm7"
        "vmovups [rbx + 256 + 64*8], zmm8" "vmovups [rbx + 256 + 64*9], zmm9"
        "vmovups [rbx + 256 + 64*10], zmm10" "vmovups [rbx + 256 + 64*11], zmm11"
        "vmovups [rbx + 256 + 64*12], zmm12" "vmovups [rbx + 256 + 64*13], zmm13"
        "vmovups [rbx + 256 + 64*14], zmm14" "vmovups [rbx + 256 + 64*15], zmm15"
        "vmovups [rbx + 256 + 64*16], zmm16" "vmovups [rbx + 256 + 64*17], zmm17"
        "vmovups [rbx + 256 + 64*18], zmm18" "vmovups [rbx + 256 + 64*19], zmm19"
        "vmovups [rbx + 256 + 64*20], zmm20" "vmovups [rbx + 256 + 64*21], zmm21"
        "vmovups [rbx + 256 + 64*22], zmm22" "vmovups [rbx + 256 + 64*23], zmm23"
        "vmovups [rbx + 256 + 64*24], zmm24" "vmovups [rbx + 256 + 64*25], zmm25"
        "vmovups [rbx + 256 + 64*26], zmm26" "vmovups [rbx + 256 + 64*27], zmm27"
        "vmovups [rbx + 256 + 64*28], zmm28" "vmovups [rbx + 256 + 64*29], zmm29"
        "vmovups [rbx + 256 + 64*30], zmm30" "vmovups [rbx + 256 + 64*31], zmm31"
        "kmovq [rbx + 2304], k0" "kmovq [rbx + 2304 + 8], k1"
        "kmovq [rbx + 2304 + 16], k2" "kmovq [rbx + 2304 + 24], k3"
        "kmovq [rbx + 2304 + 32], k4" "kmovq [rbx + 2304 + 40], k5"
        "kmovq [rbx + 2304 + 48], k6" "kmovq [rbx + 2304 + 56], k7"
    ],
    ["vzeroupper"]
);

/// # Safety
///
/// It runs on a private stack.
#[unsafe(naked)]
pub(crate) unsafe extern "sysv64" fn keep() {
    naked_asm!(
        "push rax",
        "mov rax, rsp",
        "or rax, {whole} - 1",
        "sub rax, {kept} - 1",
        "mov [rax], rbx",
        "mov [rax + 8], rbp",
        "mov [rax + 16], r12",
        "mov [rax + 24], r13",
        "mov [rax + 32], r14",
        "mov [rax + 40], r15",
        "pop rax",
        "ret",
        whole = const WHOLE,
        kept = const KEPT_SIZE,
    )
}

pub(crate) const HELD: &str = "r14";

#[inline(always)]
pub(crate) fn hold(bytes: &[u8; 4]) {
    // SAFETY: loads 4 bytes into a register that is named as an output.
    unsafe {
        asm!(
            "mov r14d, dword ptr [{}]", in(reg) bytes, out("r14") _,
            options(readonly, nostack, preserves_flags),
        );
    }
}

pub(crate) fn plants() -> Vec<Plant> {
    let mut plants = vec![
        Plant { place: "stack, 4 KiB down", left: ON_STACK, leave: leave_on_stack },
        Plant { place: "xmm13", left: IN_VECTOR, leave: leave_in_xmm13 },
        Plant { place: "r11", left: IN_GENERAL, leave: leave_in_r11 },
    ];
    if Avx::detect().is_some() {
        plants.push(Plant { place: "ymm13, upper half", left: IN_VECTOR, leave: leave_in_ymm13 });
    }
    if Zmm::detect().is_some() {
        plants.push(Plant { place: "zmm13, upper half", left: IN_VECTOR, leave: leave_in_zmm13 });
        plants.push(Plant { place: "zmm29", left: IN_VECTOR, leave: leave_in_zmm29 });
        plants.push(Plant { place: "k5", left: IN_VECTOR, leave: leave_in_k5 });
    }
    plants
}

macro_rules! leave {
    ($name:ident, $($line:literal)*) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name(bytes: &[u8; 4]) {
            naked_asm!($($line,)* "ret")
        }
    };
}

leave!(
    leave_on_stack,
    "mov eax, [rdi]"
    "sub rsp, 4096"
    "mov [rsp], eax"
    "add rsp, 4096"
    "xor eax, eax"
);
leave!(leave_in_r11, "mov r11d, [rdi]");
leave!(leave_in_xmm13, "movd xmm13, dword ptr [rdi]");
leave!(
    leave_in_ymm13,
    "vxorps xmm12, xmm12, xmm12"
    "vmovd xmm13, dword ptr [rdi]"
    "vinsertf128 ymm13, ymm12, xmm13, 1"
);
leave!(
    leave_in_zmm13,
    "vxorps xmm12, xmm12, xmm12"
    "vmovd xmm13, dword ptr [rdi]"
    "vinserti64x4 zmm13, zmm12, ymm13, 1"
);
leave!(leave_in_zmm29, "vmovd xmm29, dword ptr [rdi]");
leave!(leave_in_k5, "kmovd k5, dword ptr [rdi]");
