//! A value that the compiler knows nothing of, so that it makes no branch of a mask.
//!
//! Constant time: yes. By inline assembly where there is some, else by `black_box`.

/// Where there is inline assembly, and where there is not.
macro_rules! by_assembly {
    ($with:item $without:item) => {
        #[cfg(all(
            any(
                target_arch = "aarch64",
                target_arch = "arm",
                target_arch = "loongarch64",
                target_arch = "riscv32",
                target_arch = "riscv64",
                target_arch = "s390x",
                target_arch = "x86",
                target_arch = "x86_64",
            ),
            not(miri),
        ))]
        $with
        #[cfg(not(all(
            any(
                target_arch = "aarch64",
                target_arch = "arm",
                target_arch = "loongarch64",
                target_arch = "riscv32",
                target_arch = "riscv64",
                target_arch = "s390x",
                target_arch = "x86",
                target_arch = "x86_64",
            ),
            not(miri),
        )))]
        $without
    };
}

by_assembly! {
    macro_rules! hide {
        ($x:ident) => {{
            let mut x = $x;
            // SAFETY: the template is a comment; it changes neither the register nor anything else.
            unsafe {
                core::arch::asm!(
                    "/* {0} */",
                    inout(reg) x,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            x
        }};
    }

    macro_rules! hide {
        ($x:ident) => {
            core::hint::black_box($x)
        };
    }
}

/// The value itself, of which the compiler knows nothing: for a mask, or the bit it is made of,
/// that picks one of two values by a secret.
///
/// A compiler that knows a mask to be 0 or all ones takes `mask & x` for a choice. Where it cares
/// for size, or where the mask stays the same in a loop, it may choose by a branch, and not load
/// an `x` that it does not want: then time tells the mask.
///
/// Takes no instruction, but where there is no inline assembly (wasm, PowerPC, Miri, …): there it
/// is [`core::hint::black_box`].
///
/// ```
/// use cinder_burn::opaque;
///
/// /// `a` if the lowest bit of `secret` is 0, else `b`.
/// fn pick(secret: u32, a: u32, b: u32) -> u32 {
///     a ^ (a ^ b) & opaque((secret & 1).wrapping_neg())
/// }
/// assert_eq!([pick(2, 7, 9), pick(3, 7, 9)], [7, 9]);
/// ```
#[inline(always)]
#[allow(asm_sub_register, reason = "the template says nothing of the register's width")]
pub fn opaque(x: u32) -> u32 {
    hide!(x)
}

/// [`opaque`] for a whole register.
#[inline(always)]
pub fn opaque_word(x: usize) -> usize {
    hide!(x)
}
