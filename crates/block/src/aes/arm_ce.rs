//! AES on the AES instructions of ARMv8 in 32-bit mode, eight blocks at a time, then four, then one.
//!
//! Constant time: yes. The instructions' time does not depend on their operands, and nothing else does
//! but the length.
//!
//! AESE is AddRoundKey, ShiftRows and SubBytes, AESMC is MixColumns; AESD and AESIMC are their inverse.
//! Most CPUs join each pair of them into one operation if they follow one another.
//!
//! Where blocks are independent, keys come from memory two at a time, for all blocks. In a chain they
//! stay in registers: up to 15, beside the state.
//!
//! The instructions are written out, because Rust has no stable intrinsics for this target.

use crate::Depth;
use cinder_cpu::arm::Aes;
use core::arch::naked_asm;

/// What the functions here save below their caller's frame: four words, and d8 to d15.
const SAVED: usize = 16 + 64;

/// The modes whose blocks are independent, and those whose blocks are not: by token.
macro_rules! entries {
    ($($name:ident($($register:ident)?) by $function:ident;)*) => {
        $(
            #[inline(never)]
            pub(super) fn $name<const N: usize>(
                _: Aes,
                keys: &[[u8; 16]; N],
                $($register: &mut [u8; 16],)?
                blocks: &mut [[u8; 16]],
            ) -> Depth {
                #[allow(unused_mut, unused_assignments, reason = "ECB has no register")]
                let mut pointer = core::ptr::null_mut();
                $(pointer = core::ptr::from_mut($register);)?
                // SAFETY: the token proves the AES instructions and NEON; N keys and so many blocks
                // are there.
                unsafe {
                    $function(keys.as_ptr(), N, pointer, blocks.as_mut_ptr(), blocks.len());
                }
                Depth::here().deeper(SAVED)
            }
        )*
    };
}

entries! {
    encrypt_blocks() by ecb_encrypt;
    decrypt_blocks() by ecb_decrypt;
    ctr_xor(counter) by ctr;
    cbc_decrypt(chain) by cbc_inverse;
    cfb_decrypt(chain) by cfb_inverse;
    cbc_encrypt(chain) by cbc_chain;
    cfb_encrypt(chain) by cfb_chain;
    ofb_xor(chain) by ofb_chain;
}

#[inline(always)]
pub(super) fn encrypt_block<const N: usize>(
    token: Aes,
    keys: &[[u8; 16]; N],
    block: &mut [u8; 16],
) -> Depth {
    encrypt_blocks(token, keys, core::slice::from_mut(block))
}

#[inline(always)]
pub(super) fn decrypt_block<const N: usize>(
    token: Aes,
    keys: &[[u8; 16]; N],
    block: &mut [u8; 16],
) -> Depth {
    decrypt_blocks(token, keys, core::slice::from_mut(block))
}

/// The key schedule of FIPS 197, 5.2. `key` has 16, 24 or 32 bytes, and `keys` the number of
/// round keys that goes with it.
///
/// Words are little endian here, so that RotWord is a rotation to the right and the byte that
/// Rcon changes is the lowest.
#[inline(never)]
pub(super) fn expand(_: Aes, key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
    let (key, _) = key.as_chunks::<4>();
    let nk = key.len();
    let w = keys.as_flattened_mut().as_chunks_mut::<4>().0;
    let mut temp = 0u32;
    let mut rcon = 1;
    for i in 0..w.len() {
        if let Some(word) = key.get(i) {
            w[i] = *word;
        } else {
            if i % nk == 0 {
                // SAFETY: the token proves the AES instructions.
                temp = unsafe { sub_word(temp.rotate_right(8)) } ^ rcon;
                rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
            } else if nk > 6 && i % nk == 4 {
                // SAFETY: the token proves the AES instructions.
                temp = unsafe { sub_word(temp) };
            }
            w[i] = (u32::from_le_bytes(w[i - nk]) ^ temp).to_le_bytes();
        }
        temp = u32::from_le_bytes(w[i]);
    }
    Depth::here()
}

/// The round keys of the equivalent inverse cipher, FIPS 197, 5.3.5, in the order of their use.
#[inline(never)]
pub(super) fn invert<const N: usize>(
    _: Aes,
    keys: &[[u8; 16]; N],
    inverse: &mut [[u8; 16]; N],
) -> Depth {
    for (to, from) in inverse.iter_mut().zip(keys.iter().rev()) {
        *to = *from;
    }
    // SAFETY: the token proves the AES instructions; so many keys are there.
    unsafe { inverse_mix_columns(inverse[1..].as_mut_ptr(), N - 2) }
    Depth::here()
}

/// SubWord. AESE with a key of zeros is SubBytes and ShiftRows, which does nothing to four equal
/// columns.
///
/// # Safety
///
/// There are the AES instructions.
#[unsafe(naked)]
unsafe extern "C" fn sub_word(word: u32) -> u32 {
    naked_asm!(
        ".arch armv8-a",
        ".fpu crypto-neon-fp-armv8",
        "vdup.32 q0, r0",
        "vmov.i32 q1, #0",
        "aese.8 q0, q1",
        "vmov.32 r0, d0[0]",
        "bx lr",
    )
}

/// # Safety
///
/// There are the AES instructions, and `count` keys, at least one.
#[unsafe(naked)]
unsafe extern "C" fn inverse_mix_columns(keys: *mut [u8; 16], count: usize) {
    naked_asm!(
        ".arch armv8-a",
        ".fpu crypto-neon-fp-armv8",
        "2:",
        "vld1.8 {{d0, d1}}, [r0]",
        "aesimc.8 q0, q0",
        "vst1.8 {{d0, d1}}, [r0]!",
        "subs r1, r1, #1",
        "bne 2b",
        "bx lr",
    )
}

/// A routine that runs the whole cipher on the states in the registers that are named. r0 points to the
/// keys and r1 is half of their number but three; r5 and r12 and q8 to q10 are used up.
macro_rules! rounds {
    ($name:ident, $round:literal, $mix:literal, $($state:literal)+) => {
        /// # Safety
        ///
        /// For assembly alone.
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(
                ".arch armv8-a",
                ".fpu crypto-neon-fp-armv8",
                "mov r5, r0",
                "mov r12, r1",
                "2:",
                "vld1.8 {{d16-d19}}, [r5]!",
                "subs r12, r12, #1",
                $(concat!($round, " ", $state, ", q8"), concat!($mix, " ", $state, ", ", $state),)+
                $(concat!($round, " ", $state, ", q9"), concat!($mix, " ", $state, ", ", $state),)+
                "bne 2b",
                "vld1.8 {{d16-d19}}, [r5]!",
                "vld1.8 {{d20, d21}}, [r5]",
                $(concat!($round, " ", $state, ", q8"), concat!($mix, " ", $state, ", ", $state),)+
                $(concat!($round, " ", $state, ", q9"),)+
                $(concat!("veor ", $state, ", ", $state, ", q10"),)+
                "bx lr",
            )
        }
    };
}

rounds!(encrypt_8, "aese.8", "aesmc.8", "q0" "q1" "q2" "q3" "q4" "q5" "q6" "q7");
rounds!(encrypt_4, "aese.8", "aesmc.8", "q0" "q1" "q2" "q3");
rounds!(encrypt_1, "aese.8", "aesmc.8", "q0");
rounds!(decrypt_8, "aesd.8", "aesimc.8", "q0" "q1" "q2" "q3" "q4" "q5" "q6" "q7");
rounds!(decrypt_4, "aesd.8", "aesimc.8", "q0" "q1" "q2" "q3");
rounds!(decrypt_1, "aesd.8", "aesimc.8", "q0");

/// A mode whose blocks are independent. Before and after the rounds of eight blocks, of four and of one
/// there is what loads states, from r3 on, and what stores output, from r6 on; r2 points to the register.
macro_rules! wide {
    ($name:ident,
     [$($begin:literal)*] [$($end:literal)*]
     $rounds8:ident [$($load8:literal)*] [$($store8:literal)*]
     $rounds4:ident [$($load4:literal)*] [$($store4:literal)*]
     $rounds1:ident [$($load1:literal)*] [$($store1:literal)*]) => {
        /// # Safety
        ///
        /// There are the AES instructions, `key_count` keys (11, 13 or 15), and `count` blocks.
        #[unsafe(naked)]
        unsafe extern "C" fn $name(
            keys: *const [u8; 16],
            key_count: usize,
            register: *mut [u8; 16],
            blocks: *mut [u8; 16],
            count: usize,
        ) {
            naked_asm!(
                ".arch armv8-a",
                ".fpu crypto-neon-fp-armv8",
                "push {{r4, r5, r6, lr}}",
                "vpush {{d8-d15}}",
                "ldr r4, [sp, #{saved}]",
                "mov r6, r3",
                "sub r1, r1, #3",
                "lsr r1, r1, #1",
                $($begin,)*
                "subs r4, r4, #8",
                "blo 3f",
                "2:",
                $($load8,)*
                "bl {rounds8}",
                $($store8,)*
                "subs r4, r4, #8",
                "bhs 2b",
                "3:",
                "adds r4, r4, #4",
                "bmi 4f",
                $($load4,)*
                "bl {rounds4}",
                $($store4,)*
                "sub r4, r4, #4",
                "4:",
                "adds r4, r4, #4",
                "beq 6f",
                "5:",
                $($load1,)*
                "bl {rounds1}",
                $($store1,)*
                "subs r4, r4, #1",
                "bne 5b",
                "6:",
                $($end,)*
                "vpop {{d8-d15}}",
                "pop {{r4, r5, r6, pc}}",
                saved = const SAVED,
                rounds8 = sym $rounds8,
                rounds4 = sym $rounds4,
                rounds1 = sym $rounds1,
            )
        }
    };
}

/// ECB.
macro_rules! ecb {
    ($name:ident, $rounds8:ident, $rounds4:ident, $rounds1:ident) => {
        wide!(
            $name, [] []
            $rounds8
            [
                "vld1.8 {{d0-d3}}, [r3]!" "vld1.8 {{d4-d7}}, [r3]!"
                "vld1.8 {{d8-d11}}, [r3]!" "vld1.8 {{d12-d15}}, [r3]!"
            ]
            [
                "vst1.8 {{d0-d3}}, [r6]!" "vst1.8 {{d4-d7}}, [r6]!"
                "vst1.8 {{d8-d11}}, [r6]!" "vst1.8 {{d12-d15}}, [r6]!"
            ]
            $rounds4
            ["vld1.8 {{d0-d3}}, [r3]!" "vld1.8 {{d4-d7}}, [r3]!"]
            ["vst1.8 {{d0-d3}}, [r6]!" "vst1.8 {{d4-d7}}, [r6]!"]
            $rounds1
            ["vld1.8 {{d0, d1}}, [r3]!"]
            ["vst1.8 {{d0, d1}}, [r6]!"]
        );
    };
}

ecb!(ecb_encrypt, encrypt_8, encrypt_4, encrypt_1);
ecb!(ecb_decrypt, decrypt_8, decrypt_4, decrypt_1);

// The counter is in q15, the bytes of each word reversed, so that its last four bytes are the uppermost
// lane, which q14 adds 1 to.
wide!(
    ctr,
    [
        "vld1.8 {{d30, d31}}, [r2]" "vrev32.8 q15, q15"
        "vmov.i32 q14, #1" "vmov.i32 d28, #0" "vshl.i64 d29, d29, #32"
    ]
    ["vrev32.8 q15, q15" "vst1.8 {{d30, d31}}, [r2]"]
    encrypt_8
    [
        "vrev32.8 q0, q15" "vadd.i32 q15, q15, q14" "vrev32.8 q1, q15" "vadd.i32 q15, q15, q14"
        "vrev32.8 q2, q15" "vadd.i32 q15, q15, q14" "vrev32.8 q3, q15" "vadd.i32 q15, q15, q14"
        "vrev32.8 q4, q15" "vadd.i32 q15, q15, q14" "vrev32.8 q5, q15" "vadd.i32 q15, q15, q14"
        "vrev32.8 q6, q15" "vadd.i32 q15, q15, q14" "vrev32.8 q7, q15" "vadd.i32 q15, q15, q14"
    ]
    [
        "vld1.8 {{d16-d19}}, [r3]!" "vld1.8 {{d20-d23}}, [r3]!"
        "veor q0, q0, q8" "veor q1, q1, q9" "veor q2, q2, q10" "veor q3, q3, q11"
        "vld1.8 {{d16-d19}}, [r3]!" "vld1.8 {{d20-d23}}, [r3]!"
        "veor q4, q4, q8" "veor q5, q5, q9" "veor q6, q6, q10" "veor q7, q7, q11"
        "vst1.8 {{d0-d3}}, [r6]!" "vst1.8 {{d4-d7}}, [r6]!"
        "vst1.8 {{d8-d11}}, [r6]!" "vst1.8 {{d12-d15}}, [r6]!"
    ]
    encrypt_4
    [
        "vrev32.8 q0, q15" "vadd.i32 q15, q15, q14" "vrev32.8 q1, q15" "vadd.i32 q15, q15, q14"
        "vrev32.8 q2, q15" "vadd.i32 q15, q15, q14" "vrev32.8 q3, q15" "vadd.i32 q15, q15, q14"
    ]
    [
        "vld1.8 {{d16-d19}}, [r3]!" "vld1.8 {{d20-d23}}, [r3]!"
        "veor q0, q0, q8" "veor q1, q1, q9" "veor q2, q2, q10" "veor q3, q3, q11"
        "vst1.8 {{d0-d3}}, [r6]!" "vst1.8 {{d4-d7}}, [r6]!"
    ]
    encrypt_1
    ["vrev32.8 q0, q15" "vadd.i32 q15, q15, q14"]
    ["vld1.8 {{d16, d17}}, [r3]!" "veor q0, q0, q8" "vst1.8 {{d0, d1}}, [r6]!"]
);

// The ciphertext is read again before plaintext replaces it, into q8 to q15; the last block of it becomes
// the chaining value.
wide!(
    cbc_inverse,
    [] []
    decrypt_8
    [
        "vld1.8 {{d0-d3}}, [r3]!" "vld1.8 {{d4-d7}}, [r3]!"
        "vld1.8 {{d8-d11}}, [r3]!" "vld1.8 {{d12-d15}}, [r3]!"
    ]
    [
        "vld1.8 {{d16, d17}}, [r2]" "mov r3, r6" "veor q0, q0, q8"
        "vld1.8 {{d16-d19}}, [r3]!" "vld1.8 {{d20-d23}}, [r3]!"
        "vld1.8 {{d24-d27}}, [r3]!" "vld1.8 {{d28-d31}}, [r3]!"
        "veor q1, q1, q8" "veor q2, q2, q9" "veor q3, q3, q10" "veor q4, q4, q11"
        "veor q5, q5, q12" "veor q6, q6, q13" "veor q7, q7, q14"
        "vst1.8 {{d30, d31}}, [r2]"
        "vst1.8 {{d0-d3}}, [r6]!" "vst1.8 {{d4-d7}}, [r6]!"
        "vst1.8 {{d8-d11}}, [r6]!" "vst1.8 {{d12-d15}}, [r6]!"
    ]
    decrypt_4
    ["vld1.8 {{d0-d3}}, [r3]!" "vld1.8 {{d4-d7}}, [r3]!"]
    [
        "vld1.8 {{d16, d17}}, [r2]" "mov r3, r6" "veor q0, q0, q8"
        "vld1.8 {{d16-d19}}, [r3]!" "vld1.8 {{d20-d23}}, [r3]!"
        "veor q1, q1, q8" "veor q2, q2, q9" "veor q3, q3, q10"
        "vst1.8 {{d22, d23}}, [r2]"
        "vst1.8 {{d0-d3}}, [r6]!" "vst1.8 {{d4-d7}}, [r6]!"
    ]
    decrypt_1
    ["vld1.8 {{d0, d1}}, [r3]!"]
    [
        "vld1.8 {{d16, d17}}, [r2]" "vld1.8 {{d18, d19}}, [r6]" "veor q0, q0, q8"
        "vst1.8 {{d18, d19}}, [r2]" "vst1.8 {{d0, d1}}, [r6]!"
    ]
);

// The states are the chaining value and all ciphertext but the last block, which becomes the chaining
// value.
wide!(
    cfb_inverse,
    [] []
    encrypt_8
    [
        "vld1.8 {{d0, d1}}, [r2]" "vld1.8 {{d2-d5}}, [r3]!" "vld1.8 {{d6-d9}}, [r3]!"
        "vld1.8 {{d10-d13}}, [r3]!" "vld1.8 {{d14, d15}}, [r3]!"
    ]
    [
        "mov r3, r6"
        "vld1.8 {{d16-d19}}, [r3]!" "vld1.8 {{d20-d23}}, [r3]!"
        "vld1.8 {{d24-d27}}, [r3]!" "vld1.8 {{d28-d31}}, [r3]!"
        "veor q0, q0, q8" "veor q1, q1, q9" "veor q2, q2, q10" "veor q3, q3, q11"
        "veor q4, q4, q12" "veor q5, q5, q13" "veor q6, q6, q14" "veor q7, q7, q15"
        "vst1.8 {{d30, d31}}, [r2]"
        "vst1.8 {{d0-d3}}, [r6]!" "vst1.8 {{d4-d7}}, [r6]!"
        "vst1.8 {{d8-d11}}, [r6]!" "vst1.8 {{d12-d15}}, [r6]!"
    ]
    encrypt_4
    [
        "vld1.8 {{d0, d1}}, [r2]" "vld1.8 {{d2-d5}}, [r3]!" "vld1.8 {{d6, d7}}, [r3]!"
    ]
    [
        "mov r3, r6"
        "vld1.8 {{d16-d19}}, [r3]!" "vld1.8 {{d20-d23}}, [r3]!"
        "veor q0, q0, q8" "veor q1, q1, q9" "veor q2, q2, q10" "veor q3, q3, q11"
        "vst1.8 {{d22, d23}}, [r2]"
        "vst1.8 {{d0-d3}}, [r6]!" "vst1.8 {{d4-d7}}, [r6]!"
    ]
    encrypt_1
    ["vld1.8 {{d0, d1}}, [r2]"]
    [
        "vld1.8 {{d16, d17}}, [r3]!" "veor q0, q0, q8"
        "vst1.8 {{d16, d17}}, [r2]" "vst1.8 {{d0, d1}}, [r6]!"
    ]
);

/// Nine rounds with the keys in q5 to q13, and the last, on the state in q0.
macro_rules! last_rounds {
    () => {
        "aese.8 q0, q5\n aesmc.8 q0, q0\n aese.8 q0, q6\n aesmc.8 q0, q0\n\
         aese.8 q0, q7\n aesmc.8 q0, q0\n aese.8 q0, q8\n aesmc.8 q0, q0\n\
         aese.8 q0, q9\n aesmc.8 q0, q0\n aese.8 q0, q10\n aesmc.8 q0, q0\n\
         aese.8 q0, q11\n aesmc.8 q0, q0\n aese.8 q0, q12\n aesmc.8 q0, q0\n\
         aese.8 q0, q13\n aesmc.8 q0, q0\n aese.8 q0, q14\n veor q0, q0, q15\n"
    };
}

/// A mode in which a block waits for the one before it, of which the state is in q0. Before the rounds of
/// each block there is `$before`, after them `$after`; q1 is theirs. So the first key of AES-256,
/// which would be there, is loaded anew for each block.
macro_rules! chain {
    ($name:ident, [$($before:literal)*] [$($after:literal)*]) => {
        /// # Safety
        ///
        /// There are the AES instructions, `key_count` keys (11, 13 or 15), and `count` blocks.
        #[unsafe(naked)]
        unsafe extern "C" fn $name(
            keys: *const [u8; 16],
            key_count: usize,
            register: *mut [u8; 16],
            blocks: *mut [u8; 16],
            count: usize,
        ) {
            naked_asm!(
                ".arch armv8-a",
                ".fpu crypto-neon-fp-armv8",
                "push {{r4, r5, r6, lr}}",
                "vpush {{d8-d15}}",
                "ldr r4, [sp, #{saved}]",
                "cmp r4, #0",
                "beq 9f",
                "vld1.8 {{d0, d1}}, [r2]",
                "mov r5, r0",
                "cmp r1, #13",
                "blo 3f",
                "beq 2f",
                "vld1.8 {{d2-d5}}, [r5]!",
                "2:",
                "vld1.8 {{d6-d9}}, [r5]!",
                "3:",
                "vld1.8 {{d10-d13}}, [r5]!",
                "vld1.8 {{d14-d17}}, [r5]!",
                "vld1.8 {{d18-d21}}, [r5]!",
                "vld1.8 {{d22-d25}}, [r5]!",
                "vld1.8 {{d26-d29}}, [r5]!",
                "vld1.8 {{d30, d31}}, [r5]",
                "blo 4f",
                "beq 5f",
                "6:",
                $($before,)*
                "vld1.8 {{d2, d3}}, [r0]",
                "aese.8 q0, q1", "aesmc.8 q0, q0", "aese.8 q0, q2", "aesmc.8 q0, q0",
                "aese.8 q0, q3", "aesmc.8 q0, q0", "aese.8 q0, q4", "aesmc.8 q0, q0",
                last_rounds!(),
                $($after,)*
                "subs r4, r4, #1",
                "bne 6b",
                "b 7f",
                "5:",
                $($before,)*
                "aese.8 q0, q3", "aesmc.8 q0, q0", "aese.8 q0, q4", "aesmc.8 q0, q0",
                last_rounds!(),
                $($after,)*
                "subs r4, r4, #1",
                "bne 5b",
                "b 7f",
                "4:",
                $($before,)*
                last_rounds!(),
                $($after,)*
                "subs r4, r4, #1",
                "bne 4b",
                "7:",
                "vst1.8 {{d0, d1}}, [r2]",
                "9:",
                "vpop {{d8-d15}}",
                "pop {{r4, r5, r6, pc}}",
                saved = const SAVED,
            )
        }
    };
}

chain!(
    cbc_chain,
    ["vld1.8 {{d2, d3}}, [r3]" "veor q0, q0, q1"]
    ["vst1.8 {{d0, d1}}, [r3]!"]
);
chain!(
    cfb_chain,
    []
    ["vld1.8 {{d2, d3}}, [r3]" "veor q0, q0, q1" "vst1.8 {{d0, d1}}, [r3]!"]
);
chain!(
    ofb_chain,
    []
    ["vld1.8 {{d2, d3}}, [r3]" "veor q1, q1, q0" "vst1.8 {{d2, d3}}, [r3]!"]
);
