//! What a program asks of valgrind's memcheck that runs it: `valgrind.h` and `memcheck.h`.
//!
//! A request is a sequence of instructions that changes nothing. A CPU answers each with 0.

/// Whether valgrind runs this program.
pub(crate) fn is_running() -> bool {
    ask([0x1001, 0, 0, 0, 0, 0]) != 0
}

/// How many errors it has found that no suppression names.
pub(crate) fn errors() -> usize {
    ask([0x1201, 0, 0, 0, 0, 0])
}

/// Whether it looks for errors in this thread. Calls nest.
pub(crate) fn look(yes: bool) {
    ask([0x1801, if yes { usize::MAX } else { 1 }, 0, 0, 0, 0]);
}

/// Takes the bytes for undefined: it is an error then to branch on them, and to use them for an
/// address.
pub(crate) fn undefine(bytes: &mut [u8]) {
    ask([0x4d43_0001, bytes.as_mut_ptr().addr(), bytes.len(), 0, 0, 0]);
}

/// Takes the bytes for defined.
pub(crate) fn define(bytes: &[u8]) {
    ask([0x4d43_0002, bytes.as_ptr().addr(), bytes.len(), 0, 0, 0]);
}

/// Whether requests are known on this architecture.
pub(crate) const IS_KNOWN: bool = cfg!(any(
    target_arch = "x86_64",
    target_arch = "x86",
    target_arch = "aarch64",
    target_arch = "arm",
));

/// The number of the request, and its arguments.
#[inline(never)]
fn ask(request: [usize; 6]) -> usize {
    let mut answer = 0usize;
    #[allow(unused_macros, reason = "on other architectures")]
    macro_rules! ask {
        ($pointer:tt, $answer:tt, $($line:tt)*) => {
            // SAFETY: four rotations turn a register all the way round, and the last instruction
            // leaves one as it is.
            unsafe {
                core::arch::asm!(
                    $($line,)*
                    in($pointer) &raw const request,
                    inout($answer) answer,
                );
            }
        };
    }
    #[cfg(target_arch = "x86_64")]
    ask!("rax", "rdx", "rol rdi, 3" "rol rdi, 13" "rol rdi, 61" "rol rdi, 51" "xchg rbx, rbx");
    #[cfg(target_arch = "x86")]
    ask!("eax", "edx", "rol edi, 3" "rol edi, 13" "rol edi, 29" "rol edi, 19" "xchg ebx, ebx");
    #[cfg(target_arch = "aarch64")]
    ask!("x4", "x3", "ror x12, x12, 3" "ror x12, x12, 13" "ror x12, x12, 51" "ror x12, x12, 61"
        "orr x10, x10, x10");
    #[cfg(target_arch = "arm")]
    ask!("r4", "r3", "mov r12, r12, ror #3" "mov r12, r12, ror #13" "mov r12, r12, ror #29"
        "mov r12, r12, ror #19" "orr r10, r10, r10");
    let _ = (&mut answer, request);
    answer
}
