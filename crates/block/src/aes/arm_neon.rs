//! AES on NEON, bitsliced: eight blocks in eight registers, for 32-bit ARM.
//!
//! The cipher and its circuits are as in [`bitsliced`](super::bitsliced), fixsliced too; here is how they
//! lie in NEON's registers.
//!
//! Layout: register p holds bit p of every state byte; the byte in row r and column c of block b is bit
//! b of byte 4r+c. So going down a row is a rotation of the register by four bytes, and right a column is
//! one of the bytes in each of its words. VLD4 and VST4 bring rows together and apart.
//!
//! Round keys: ShiftRows^-i(K_i) ⊕ 63…63 (the first one plain), row by row. A call widens all of
//! them once, on its stack, to a register of all ones or zeros in each byte for each bit.
//!
//! The circuits need more than the 16 registers. Six values at most wait in memory, each at the address in a
//! register of its own, r4 to r9; the order of the gates is the best that a search found, and some sums are
//! computed twice rather than stored.
//!
//! Constant time: yes. No table, no branch and no address depends on key or data.

use super::bitsliced;
use crate::Depth;
use cinder_cpu::arm::Neon;
use core::arch::naked_asm;
use core::mem::{MaybeUninit, offset_of};
use core::ptr::{null, null_mut};

/// What [`encrypt`] and [`decrypt`] save below their caller's frame and have there: nine words, d8 to d15,
/// the circuit's six values, a batch of counters, and padding.
const SAVED: usize = 36 + 64 + FRAME;
const FRAME: usize = 6 * 16 + BATCH + 4;

/// Bytes in a batch of eight blocks, and in a round key at full width.
const BATCH: usize = 128;

/// Round keys of AES-256.
const MOST: usize = 15;

/// Work for [`encrypt`] or [`decrypt`]: on each batch, to = cipher(from) ⊕ add.
#[repr(C)]
struct Work {
    /// The first round key at full width.
    keys: *const [u8; BATCH],
    rounds: usize,
    /// Unused if there is a counter.
    from: *const [u8; 16],
    /// Null: nothing is added.
    add: *const [u8; 16],
    to: *mut [u8; 16],
    /// Encrypted instead of `from`, unless null: it goes up by one for each block, in its last four bytes.
    counter: *mut [u8; 16],
    batches: usize,
    /// From one batch to the next, in bytes.
    step: isize,
}

/// A direction: [`encrypt`] or [`decrypt`].
type Cipher = unsafe extern "C" fn(&Work);

/// Round keys at full width.
struct Wide<'a> {
    keys: &'a [[u8; BATCH]],
    /// The token that `with` was given: it proves NEON.
    _proof: Neon,
}

impl Wide<'_> {
    /// `batches` batches, each `step` bytes behind the former.
    ///
    /// # Safety
    ///
    /// For so many batches `from` (or else `counter`) and `add`, unless it is null, are readable, and `to`
    /// is writable. They may overlap if what a batch writes is not read by a later one.
    unsafe fn run(
        &self,
        cipher: Cipher,
        [from, add]: [*const [u8; 16]; 2],
        to: *mut [u8; 16],
        counter: *mut [u8; 16],
        batches: usize,
        step: isize,
    ) -> Depth {
        if batches > 0 {
            let (keys, rounds) = (self.keys.as_ptr(), self.keys.len() - 1);
            let work = Work { keys, rounds, from, add, to, counter, batches, step };
            // SAFETY: the token proves NEON; the rest is the caller's promise.
            unsafe { cipher(&work) }
        }
        Depth::here().deeper(SAVED)
    }

    /// Eight blocks or fewer in place, with `add` added if it is there.
    fn few(&self, cipher: Cipher, blocks: &mut [[u8; 16]], add: Option<&[[u8; 16]; 8]>) -> Depth {
        let mut batch = [[0; 16]; 8];
        for (to, from) in batch.iter_mut().zip(&*blocks) {
            *to = *from;
        }
        let (all, add) = (batch.as_mut_ptr(), add.map_or(null(), |add| add.as_ptr()));
        // SAFETY: a batch is eight blocks.
        let depth = unsafe { self.run(cipher, [all, add], all, null_mut(), 1, 0) };
        for (to, from) in blocks.iter_mut().zip(&batch) {
            *to = *from;
        }
        depth.max(Depth::here())
    }

    /// Each block by itself.
    fn blocks(&self, cipher: Cipher, blocks: &mut [[u8; 16]]) -> Depth {
        let (batches, tail) = blocks.as_chunks_mut::<8>();
        let all = batches.as_mut_ptr().cast();
        // SAFETY: so many batches are there.
        let mut depth = unsafe {
            self.run(cipher, [all, null()], all, null_mut(), batches.len(), BATCH as isize)
        };
        if !tail.is_empty() {
            depth = depth.max(self.few(cipher, tail, None));
        }
        depth.max(Depth::here())
    }

    fn ctr_xor(&self, counter: &mut [u8; 16], data: &mut [[u8; 16]]) -> Depth {
        let (batches, tail) = data.as_chunks_mut::<8>();
        let all = batches.as_mut_ptr().cast();
        // SAFETY: so many batches are there.
        let mut depth = unsafe {
            self.run(encrypt, [null(), all], all, counter, batches.len(), BATCH as isize)
        };
        if !tail.is_empty() {
            let mut counters = [*counter; 8];
            for (block, i) in counters.iter_mut().zip(0..) {
                let low = &mut block[12..];
                let next = u32::from_be_bytes([low[0], low[1], low[2], low[3]]).wrapping_add(i);
                low.copy_from_slice(&next.to_be_bytes());
            }
            if let Some(next) = counters.get(tail.len()) {
                *counter = *next;
            }
            let mut batch = [[0; 16]; 8];
            for (to, from) in batch.iter_mut().zip(&*tail) {
                *to = *from;
            }
            depth = depth.max(self.few(encrypt, &mut counters, Some(&batch)));
            for (to, from) in tail.iter_mut().zip(&counters) {
                *to = *from;
            }
        }
        depth.max(Depth::here())
    }

    /// CBC, whose plaintext is D(ciphertext) ⊕ the ciphertext before it, and CFB, whose is
    /// E(the ciphertext before it) ⊕ ciphertext: from the last block to the first, so that the
    /// ciphertext before it is still there.
    fn chain_decrypt(&self, is_cbc: bool, chain: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
        let cipher = if is_cbc { decrypt } else { encrypt };
        let mut depth = Depth::here();
        let Some(&last) = blocks.last() else { return depth };
        // Few blocks and what is before each of them.
        let mut few = |before: &[u8; 16], blocks: &mut [[u8; 16]]| {
            let mut former = [*before; 8];
            let mut batch = [[0; 16]; 8];
            for (i, block) in blocks.iter().enumerate() {
                batch[i] = *block;
                if i < 7 {
                    former[i + 1] = *block;
                }
            }
            if !is_cbc {
                core::mem::swap(&mut former, &mut batch);
            }
            depth = depth.max(self.few(cipher, &mut batch, Some(&former)));
            for (to, from) in blocks.iter_mut().zip(&batch) {
                *to = *from;
            }
            depth = depth.max(Depth::here());
        };
        let count = blocks.len();
        if !count.is_multiple_of(8) {
            let (most, tail) = blocks.split_at_mut(count / 8 * 8);
            few(most.last().unwrap_or(chain), tail);
        }
        if count >= 8 {
            // The second batch and those after it, from the last on.
            let batches = count / 8 - 1;
            if batches > 0 {
                let first = blocks.as_mut_ptr();
                // SAFETY: the last whole batch is in `blocks`, and a block before it.
                let (to, before) =
                    unsafe { (first.add(8 * batches), first.add(8 * batches - 1).cast_const()) };
                let sources = if is_cbc { [to.cast_const(), before] } else { [before, to] };
                // SAFETY: so many batches are there, the last of them being the second in `blocks`, with
                // a block before each. What a batch writes is not before a block of an earlier one.
                let below = unsafe {
                    self.run(cipher, sources, to, null_mut(), batches, -(BATCH as isize))
                };
                few(chain, &mut blocks[..8]);
                depth = depth.max(below);
            } else {
                few(chain, &mut blocks[..8]);
            }
        }
        *chain = last;
        depth.max(Depth::here())
    }
}

/// Widens the round keys and does `work` with them.
#[inline(always)]
fn with(token: Neon, keys: &[[u8; 16]], work: impl FnOnce(&Wide<'_>) -> Depth) -> Depth {
    let mut wide = [const { MaybeUninit::<[u8; BATCH]>::uninit() }; MOST];
    let count = keys.len().min(MOST);
    // SAFETY: the token proves NEON; there is room for so many keys, and they are written.
    let keys = unsafe {
        widen(keys.as_ptr(), count, wide.as_mut_ptr().cast());
        core::slice::from_raw_parts(wide.as_ptr().cast(), count)
    };
    Depth::here().max(work(&Wide { keys, _proof: token }))
}

#[inline(never)]
pub(super) fn encrypt_blocks(token: Neon, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    with(token, keys, |wide| wide.blocks(encrypt, blocks))
}

#[inline(never)]
pub(super) fn decrypt_blocks(token: Neon, keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    with(token, keys, |wide| wide.blocks(decrypt, blocks))
}

#[inline(always)]
pub(super) fn encrypt_block(token: Neon, keys: &[[u8; 16]], block: &mut [u8; 16]) -> Depth {
    encrypt_blocks(token, keys, core::slice::from_mut(block))
}

#[inline(always)]
pub(super) fn decrypt_block(token: Neon, keys: &[[u8; 16]], block: &mut [u8; 16]) -> Depth {
    decrypt_blocks(token, keys, core::slice::from_mut(block))
}

#[inline(never)]
pub(super) fn ctr_xor(
    token: Neon,
    keys: &[[u8; 16]],
    counter: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    with(token, keys, |wide| wide.ctr_xor(counter, data))
}

#[inline(never)]
pub(super) fn cbc_decrypt(
    token: Neon,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    with(token, keys, |wide| wide.chain_decrypt(true, chain, blocks))
}

#[inline(never)]
pub(super) fn cfb_decrypt(
    token: Neon,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    with(token, keys, |wide| wide.chain_decrypt(false, chain, blocks))
}

fn xor(to: &mut [u8; 16], block: &[u8; 16]) {
    *to = (u128::from_ne_bytes(*to) ^ u128::from_ne_bytes(*block)).to_ne_bytes();
}

#[inline(never)]
pub(super) fn cbc_encrypt(
    token: Neon,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    with(token, keys, |wide| {
        let mut depth = Depth::here();
        for block in blocks {
            xor(chain, block);
            depth = depth.max(wide.few(encrypt, core::slice::from_mut(chain), None));
            *block = *chain;
        }
        depth
    })
}

#[inline(never)]
pub(super) fn cfb_encrypt(
    token: Neon,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    with(token, keys, |wide| {
        let mut depth = Depth::here();
        for block in blocks {
            depth = depth.max(wide.few(encrypt, core::slice::from_mut(chain), None));
            xor(chain, block);
            *block = *chain;
        }
        depth
    })
}

#[inline(never)]
pub(super) fn ofb_xor(
    token: Neon,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    with(token, keys, |wide| {
        let mut depth = Depth::here();
        for block in data {
            depth = depth.max(wide.few(encrypt, core::slice::from_mut(chain), None));
            xor(block, chain);
        }
        depth
    })
}

/// `key` has 16, 24 or 32 bytes, and `keys` the number of round keys that goes with it.
#[inline(never)]
pub(super) fn expand(_: Neon, key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
    let depth = bitsliced::expand_words(key, keys);
    for (i, key) in keys.iter_mut().enumerate() {
        let plain = *key;
        for (n, byte) in key.iter_mut().enumerate() {
            // ShiftRows^-i moves row r right by i·r.
            let (r, c) = (n / 4, n % 4);
            *byte = plain[4 * ((c + 3 * i * r) % 4) + r] ^ if i == 0 { 0 } else { 0x63 };
        }
    }
    depth.max(Depth::here())
}

/// Decryption uses the forward keys.
#[inline(always)]
pub(super) fn invert(_: Neon, keys: &[[u8; 16]], inverse: &mut [[u8; 16]]) -> Depth {
    bitsliced::invert(keys, inverse)
}

/// # Safety
///
/// There are NEON, `count` keys, at least one, and room for as many.
#[unsafe(naked)]
unsafe extern "C" fn widen(keys: *const [u8; 16], count: usize, wide: *mut [u8; BATCH]) {
    naked_asm!(
        ".fpu neon",
        "vmov.i8 q8, #1",
        "vmov.i8 q9, #2",
        "vmov.i8 q10, #4",
        "vmov.i8 q11, #8",
        "vmov.i8 q12, #16",
        "vmov.i8 q13, #32",
        "vmov.i8 q14, #64",
        "vmov.i8 q15, #128",
        "2:",
        "vld1.8 {{d0, d1}}, [r0]!",
        "vtst.8 q1, q0, q8",
        "vtst.8 q2, q0, q9",
        "vst1.8 {{d2-d5}}, [r2]!",
        "vtst.8 q1, q0, q10",
        "vtst.8 q2, q0, q11",
        "vst1.8 {{d2-d5}}, [r2]!",
        "vtst.8 q1, q0, q12",
        "vtst.8 q2, q0, q13",
        "vst1.8 {{d2-d5}}, [r2]!",
        "vtst.8 q1, q0, q14",
        "vtst.8 q2, q0, q15",
        "vst1.8 {{d2-d5}}, [r2]!",
        "subs r1, r1, #1",
        "bne 2b",
        "bx lr",
    )
}

/// Exchanges the upper bits of $a, by the mask's complement, with the lower ones of $b.
#[rustfmt::skip]
macro_rules! exchange {
    ($a:literal, $b:literal, $by:literal, $mask:literal) => {
        concat!(
            "vshl.i8 q8, ", $b, ", #", $by, "\n",
            "vshr.u8 q9, ", $a, ", #", $by, "\n",
            "vbif ", $a, ", q8, ", $mask, "\n",
            "vbit ", $b, ", q9, ", $mask, "\n",
        )
    };
}

/// The same for halves of bytes.
#[rustfmt::skip]
macro_rules! exchange_halves {
    ($a:literal, $b:literal) => {
        concat!(
            "vmov q8, ", $a, "\n",
            "vsli.8 ", $a, ", ", $b, ", #4\n",
            "vsri.8 ", $b, ", q8, #4\n",
        )
    };
}

/// In each byte position, transposes the 8 by 8 bits of q0 to q7.
macro_rules! transpose {
    () => {
        concat!(
            "vmov.i8 q14, #0x55\nvmov.i8 q15, #0x33\n",
            exchange!("q0", "q1", "1", "q14"),
            exchange!("q2", "q3", "1", "q14"),
            exchange!("q4", "q5", "1", "q14"),
            exchange!("q6", "q7", "1", "q14"),
            exchange!("q0", "q2", "2", "q15"),
            exchange!("q1", "q3", "2", "q15"),
            exchange!("q4", "q6", "2", "q15"),
            exchange!("q5", "q7", "2", "q15"),
            exchange_halves!("q0", "q4"),
            exchange_halves!("q1", "q5"),
            exchange_halves!("q2", "q6"),
            exchange_halves!("q3", "q7"),
        )
    };
}

/// $to = the byte a row further down and $slant columns further right, for every byte of $a. $temp is used
/// up.
#[rustfmt::skip]
macro_rules! down {
    (0, $to:literal, $a:literal, $temp:literal) => {
        concat!("vext.8 ", $to, ", ", $a, ", ", $a, ", #4\n")
    };
    (1, $to:literal, $a:literal, $temp:literal) => {
        concat!(
            "vext.8 ", $temp, ", ", $a, ", ", $a, ", #4\n",
            "vshl.i32 ", $to, ", ", $temp, ", #24\n",
            "vsri.32 ", $to, ", ", $temp, ", #8\n",
        )
    };
    (2, $to:literal, $a:literal, $temp:literal) => {
        concat!(
            "vext.8 ", $to, ", ", $a, ", ", $a, ", #4\n",
            "vrev32.16 ", $to, ", ", $to, "\n",
        )
    };
    (3, $to:literal, $a:literal, $temp:literal) => {
        concat!(
            "vext.8 ", $temp, ", ", $a, ", ", $a, ", #4\n",
            "vshl.i32 ", $to, ", ", $temp, ", #8\n",
            "vsri.32 ", $to, ", ", $temp, ", #24\n",
        )
    };
}

/// $to = the byte two rows down and twice $slant columns right.
#[rustfmt::skip]
macro_rules! down_twice {
    (0, $to:literal, $a:literal) => {
        concat!("vext.8 ", $to, ", ", $a, ", ", $a, ", #8\n")
    };
    (1, $to:literal, $a:literal) => {
        concat!(
            "vext.8 ", $to, ", ", $a, ", ", $a, ", #8\n",
            "vrev32.16 ", $to, ", ", $to, "\n",
        )
    };
    (2, $to:literal, $a:literal) => { down_twice!(0, $to, $a) };
    (3, $to:literal, $a:literal) => { down_twice!(1, $to, $a) };
}

#[rustfmt::skip]
macro_rules! add {
    ($to:literal, $($a:literal),+) => {
        concat!($("veor ", $to, ", ", $to, ", ", $a, "\n",)+)
    };
}

/// M_i of the state $a0 to $a7, to q0 to q7, for i = $slant modulo 4. As in `bitsliced`, with t = a ⊕ a_1
/// in place of a: 2·t ⊕ a_1 ⊕ t_2. What t is needed for is done as early as can be, to free its register.
macro_rules! mix_columns {
    ($slant:tt, $a0:literal $a1:literal $a2:literal $a3:literal
     $a4:literal $a5:literal $a6:literal $a7:literal) => {
        concat!(
            down!($slant, "q7", $a7, "q6"),
            add!($a7, "q7"),
            down!($slant, "q0", $a0, "q6"),
            add!($a0, "q0"),
            // x^8 = x^4 + x^3 + x + 1.
            add!("q0", $a7),
            down!($slant, "q1", $a1, "q6"),
            add!($a1, "q1"),
            add!("q1", $a0, $a7),
            down_twice!($slant, $a0, $a0),
            add!("q0", $a0),
            down!($slant, "q2", $a2, $a0),
            add!($a2, "q2"),
            add!("q2", $a1),
            down_twice!($slant, $a1, $a1),
            add!("q1", $a1),
            down!($slant, "q3", $a3, $a0),
            add!($a3, "q3"),
            add!("q3", $a2, $a7),
            down_twice!($slant, $a2, $a2),
            add!("q2", $a2),
            down!($slant, "q4", $a4, $a0),
            add!($a4, "q4"),
            add!("q4", $a3, $a7),
            down_twice!($slant, $a3, $a3),
            add!("q3", $a3),
            down!($slant, "q5", $a5, $a0),
            add!($a5, "q5"),
            add!("q5", $a4),
            down_twice!($slant, $a4, $a4),
            add!("q4", $a4),
            down!($slant, "q6", $a6, $a0),
            add!($a6, "q6"),
            add!("q6", $a5),
            down_twice!($slant, $a5, $a5),
            add!("q5", $a5),
            add!("q7", $a6),
            down_twice!($slant, $a6, $a6),
            add!("q6", $a6),
            down_twice!($slant, $a7, $a7),
            add!("q7", $a7),
        )
    };
}

/// M_i^-1, likewise: first a ⊕ 4·t with t = a ⊕ a_2, as in `bitsliced`.
macro_rules! inv_mix_columns {
    ($slant:tt, $a0:literal $a1:literal $a2:literal $a3:literal
     $a4:literal $a5:literal $a6:literal $a7:literal) => {
        concat!(
            down_twice!($slant, "q0", $a0),
            down_twice!($slant, "q1", $a1),
            down_twice!($slant, "q2", $a2),
            down_twice!($slant, "q3", $a3),
            down_twice!($slant, "q4", $a4),
            down_twice!($slant, "q5", $a5),
            down_twice!($slant, "q6", $a6),
            down_twice!($slant, "q7", $a7),
            add!("q0", $a0),
            add!("q1", $a1),
            add!("q2", $a2),
            add!("q3", $a3),
            add!("q4", $a4),
            add!("q5", $a5),
            add!("q6", $a6),
            add!("q7", $a7),
            add!($a0, "q6"),
            add!($a3, "q1", "q6"),
            add!($a2, "q0", "q7"),
            add!($a5, "q3", "q7"),
            add!("q6", "q7"),
            add!($a1, "q6"),
            add!($a4, "q2", "q6"),
            add!($a6, "q4"),
            add!($a7, "q5"),
            mix_columns!($slant, $a0 $a1 $a2 $a3 $a4 $a5 $a6 $a7),
        )
    };
}

/// The next round key, from r0 on, to q8 to q15 or q0 to q7.
#[rustfmt::skip]
macro_rules! load_key {
    (upper) => {
        "vld1.64 {{d16-d19}}, [r0]!\nvld1.64 {{d20-d23}}, [r0]!\n\
         vld1.64 {{d24-d27}}, [r0]!\nvld1.64 {{d28-d31}}, [r0]!\n"
    };
    (lower) => {
        "vld1.64 {{d0-d3}}, [r0]!\nvld1.64 {{d4-d7}}, [r0]!\n\
         vld1.64 {{d8-d11}}, [r0]!\nvld1.64 {{d12-d15}}, [r0]!\n"
    };
}

/// q0 to q7 += the next round key.
macro_rules! add_key {
    () => {
        concat!(
            load_key!(upper),
            add!("q0", "q8"),
            add!("q1", "q9"),
            add!("q2", "q10"),
            add!("q3", "q11"),
            add!("q4", "q12"),
            add!("q5", "q13"),
            add!("q6", "q14"),
            add!("q7", "q15"),
        )
    };
}

/// q0 to q7 = the next round key + $a0 to $a7.
macro_rules! add_to_key {
    ($a0:literal $a1:literal $a2:literal $a3:literal
     $a4:literal $a5:literal $a6:literal $a7:literal) => {
        concat!(
            load_key!(lower),
            add!("q0", $a0),
            add!("q1", $a1),
            add!("q2", $a2),
            add!("q3", $a3),
            add!("q4", $a4),
            add!("q5", $a5),
            add!("q6", $a6),
            add!("q7", $a7),
        )
    };
}

/// $a0 to $a7 += the round key, of which r0 moves to the one before it.
macro_rules! add_key_backwards {
    ($a0:literal $a1:literal $a2:literal $a3:literal
     $a4:literal $a5:literal $a6:literal $a7:literal) => {
        concat!(
            load_key!(lower),
            "sub r0, r0, #256\n",
            add!($a0, "q0"),
            add!($a1, "q1"),
            add!($a2, "q2"),
            add!($a3, "q3"),
            add!($a4, "q4"),
            add!($a5, "q5"),
            add!($a6, "q6"),
            add!($a7, "q7"),
        )
    };
}

/// SubBytes ⊕ 63 of the state in q0 to q7, to the registers in `sub_bytes_output`.
#[rustfmt::skip]
macro_rules! sub_bytes {
    () => {
        "veor q13, q4, q2\n veor q14, q6, q5\n veor q5, q7, q1\n veor q12, q14, q0\n \
         veor q1, q12, q1\n veor q15, q5, q13\n veor q9, q7, q4\n veor q4, q12, q4\n \
         veor q3, q3, q15\n veor q8, q3, q2\n vand q11, q4, q0\n veor q2, q7, q2\n \
         veor q10, q1, q2\n vst1.64 {{d8, d9}}, [r4]\n veor q4, q8, q0\n veor q6, q3, q6\n \
         vand q3, q15, q8\n vst1.64 {{d30, d31}}, [r5]\n vand q15, q10, q4\n veor q15, q15, q3\n \
         vst1.64 {{d8, d9}}, [r6]\n veor q4, q6, q9\n vst1.64 {{d20, d21}}, [r7]\n \
         veor q10, q0, q4\n vst1.64 {{d0, d1}}, [r8]\n vand q0, q9, q4\n veor q9, q8, q14\n \
         vst1.64 {{d16, d17}}, [r9]\n veor q8, q9, q4\n veor q4, q14, q4\n veor q3, q11, q3\n \
         vand q14, q5, q4\n vand q1, q1, q12\n veor q1, q1, q14\n vand q11, q13, q8\n \
         veor q11, q11, q0\n veor q15, q15, q11\n veor q6, q15, q6\n vand q15, q2, q9\n \
         veor q1, q1, q11\n veor q11, q5, q4\n veor q15, q15, q0\n veor q0, q1, q11\n \
         veor q1, q12, q7\n vand q11, q1, q10\n veor q7, q7, q4\n veor q3, q3, q15\n \
         veor q11, q11, q14\n veor q14, q9, q2\n veor q3, q3, q14\n veor q14, q6, q3\n \
         veor q15, q11, q15\n veor q7, q15, q7\n veor q11, q0, q7\n vand q15, q6, q0\n \
         veor q6, q3, q15\n veor q15, q7, q15\n vand q6, q6, q11\n veor q6, q6, q7\n \
         vand q11, q14, q15\n veor q3, q11, q3\n veor q11, q15, q6\n vand q11, q7, q11\n \
         veor q7, q15, q11\n vand q7, q3, q7\n veor q0, q0, q6\n veor q7, q14, q7\n \
         veor q15, q3, q7\n veor q14, q1, q5\n vand q14, q7, q14\n vand q4, q15, q4\n \
         vand q12, q7, q12\n veor q11, q11, q0\n veor q7, q7, q11\n vand q0, q3, q10\n \
         veor q10, q3, q6\n vand q5, q15, q5\n veor q14, q0, q14\n vand q1, q3, q1\n \
         veor q3, q2, q13\n vand q3, q10, q3\n veor q15, q8, q9\n vand q15, q10, q15\n \
         veor q10, q10, q7\n vand q9, q7, q9\n vand q7, q7, q2\n vand q2, q10, q13\n \
         vld1.64 {{d26, d27}}, [r8]\n vand q13, q6, q13\n veor q3, q3, q2\n vand q10, q10, q8\n \
         veor q2, q2, q7\n veor q7, q13, q0\n vld1.64 {{d0, d1}}, [r4]\n vand q8, q6, q0\n \
         veor q0, q10, q9\n veor q9, q5, q14\n veor q10, q15, q10\n veor q6, q6, q11\n \
         vld1.64 {{d30, d31}}, [r9]\n vand q15, q6, q15\n veor q15, q15, q4\n veor q5, q13, q5\n \
         vld1.64 {{d26, d27}}, [r5]\n vand q6, q6, q13\n veor q13, q4, q10\n \
         vld1.64 {{d8, d9}}, [r7]\n vand q4, q11, q4\n veor q10, q4, q8\n \
         vld1.64 {{d16, d17}}, [r6]\n vand q11, q11, q8\n veor q8, q12, q3\n veor q0, q0, q8\n \
         veor q6, q6, q4\n veor q4, q5, q15\n veor q9, q9, q0\n veor q5, q3, q4\n \
         veor q3, q6, q8\n veor q6, q12, q13\n veor q14, q14, q5\n veor q5, q1, q4\n \
         veor q1, q5, q0\n veor q0, q11, q3\n veor q11, q10, q1\n veor q12, q7, q0\n \
         veor q8, q13, q3\n veor q15, q15, q0\n veor q10, q6, q15\n veor q7, q6, q1\n \
         veor q13, q2, q7\n"
    };
}

/// InvSubBytes of the state ⊕ 63 in q0 to q7, to the registers in `inv_sub_bytes_output`.
#[rustfmt::skip]
macro_rules! inv_sub_bytes {
    () => {
        "veor q0, q3, q0\n veor q11, q7, q6\n veor q8, q11, q0\n veor q10, q7, q4\n \
         veor q13, q4, q11\n veor q9, q8, q13\n vand q14, q10, q13\n veor q7, q7, q2\n \
         veor q12, q1, q9\n veor q15, q6, q4\n veor q3, q4, q3\n veor q4, q15, q12\n \
         veor q6, q3, q4\n vand q2, q15, q9\n vst1.64 {{d30, d31}}, [r4]\n veor q13, q5, q6\n \
         veor q15, q9, q13\n vst1.64 {{d18, d19}}, [r5]\n veor q9, q4, q7\n vand q4, q4, q13\n \
         vand q12, q12, q15\n veor q2, q2, q12\n veor q1, q1, q13\n veor q9, q11, q3\n \
         vand q13, q11, q8\n vst1.64 {{d22, d23}}, [r6]\n veor q11, q6, q7\n veor q4, q4, q12\n \
         veor q12, q8, q11\n veor q7, q5, q7\n veor q15, q15, q12\n veor q5, q5, q3\n \
         vand q8, q3, q11\n veor q13, q13, q8\n veor q4, q4, q13\n veor q5, q4, q5\n \
         vand q4, q9, q12\n veor q4, q4, q8\n veor q2, q2, q4\n veor q8, q10, q6\n \
         veor q2, q2, q1\n vand q1, q8, q15\n veor q14, q14, q1\n veor q4, q14, q4\n \
         vand q14, q6, q7\n veor q1, q14, q1\n veor q14, q3, q11\n veor q4, q4, q14\n \
         vand q14, q4, q2\n veor q1, q1, q13\n veor q0, q1, q0\n veor q1, q2, q5\n \
         veor q13, q0, q14\n vand q1, q13, q1\n veor q1, q1, q5\n veor q13, q5, q14\n \
         veor q4, q4, q0\n veor q14, q13, q1\n vand q5, q5, q14\n veor q14, q13, q5\n \
         vand q13, q4, q13\n veor q0, q13, q0\n vand q14, q0, q14\n veor q2, q2, q1\n \
         veor q13, q6, q3\n vand q13, q0, q13\n veor q4, q4, q14\n veor q14, q0, q4\n \
         veor q2, q5, q2\n veor q5, q7, q15\n vand q5, q2, q5\n vand q6, q1, q6\n \
         vst1.64 {{d12, d13}}, [r7]\n veor q6, q8, q9\n vand q6, q14, q6\n \
         vst1.64 {{d12, d13}}, [r8]\n veor q6, q12, q15\n vand q6, q14, q6\n vand q14, q2, q10\n \
         veor q10, q7, q11\n vand q10, q0, q10\n vand q7, q1, q7\n veor q0, q0, q1\n \
         veor q1, q1, q2\n vand q3, q0, q3\n vand q8, q1, q8\n vand q1, q1, q15\n \
         veor q2, q4, q2\n veor q15, q6, q13\n veor q13, q12, q11\n vand q13, q2, q13\n \
         vand q11, q0, q11\n veor q0, q0, q2\n vand q12, q0, q12\n vand q0, q0, q9\n \
         vld1.64 {{d18, d19}}, [r5]\n vand q9, q4, q9\n veor q11, q11, q3\n veor q12, q9, q12\n \
         veor q14, q7, q14\n veor q9, q9, q13\n veor q5, q5, q9\n vld1.64 {{d18, d19}}, [r4]\n \
         vand q4, q4, q9\n veor q15, q14, q15\n veor q9, q1, q10\n veor q10, q10, q13\n \
         veor q14, q14, q12\n veor q1, q1, q13\n veor q7, q7, q1\n vld1.64 {{d2, d3}}, [r8]\n \
         veor q1, q1, q11\n veor q11, q8, q11\n veor q13, q4, q11\n veor q4, q4, q1\n \
         veor q15, q5, q15\n veor q1, q0, q1\n veor q0, q0, q4\n veor q11, q0, q7\n \
         veor q7, q6, q0\n veor q14, q4, q14\n vld1.64 {{d12, d13}}, [r6]\n vand q4, q2, q6\n \
         vld1.64 {{d4, d5}}, [r7]\n veor q6, q2, q4\n veor q10, q7, q10\n veor q4, q4, q15\n \
         veor q5, q0, q5\n veor q13, q4, q13\n veor q15, q15, q1\n veor q12, q12, q7\n \
         veor q1, q9, q6\n veor q9, q9, q5\n veor q15, q2, q15\n veor q14, q1, q14\n \
         veor q2, q8, q6\n veor q8, q3, q2\n"
    };
}

/// Applies a macro to the registers that SubBytes leaves the state in.
macro_rules! sub_bytes_output {
    ($name:ident $($slant:tt)?) => {
        $name!($($slant,)? "q14" "q9" "q11" "q12" "q15" "q13" "q10" "q8")
    };
}

/// The same for InvSubBytes.
macro_rules! inv_sub_bytes_output {
    ($name:ident $($slant:tt)?) => {
        $name!($($slant,)? "q8" "q12" "q9" "q14" "q11" "q15" "q13" "q10")
    };
}

/// Saves registers, and sets up the frame and what addresses it.
macro_rules! prologue {
    () => {
        "push {{r4-r11, lr}}
         vpush {{d8-d15}}
         sub sp, sp, #{frame}
         mov r2, r0
         mov r4, sp
         add r5, sp, #16
         add r6, sp, #32
         add r7, sp, #48
         add r8, sp, #64
         add r9, sp, #80
         ldr r10, [r2, #{batches}]
         mov r11, #0
"
    };
}

macro_rules! epilogue {
    () => {
        "add sp, sp, #{frame}
         vpop {{d8-d15}}
         pop {{r4-r11, pc}}
"
    };
}

/// Eight blocks from r3 on: pairs of blocks row by row, both blocks' in one.
macro_rules! load_pairs {
    () => {
        "vld4.8 {{d0-d3}}, [r3]!
         vld4.8 {{d4-d7}}, [r3]!
         vld4.8 {{d8-d11}}, [r3]!
         vld4.8 {{d12-d15}}, [r3]!
"
    };
}

/// ShiftRows twice, of pairs, if the number of rounds in r1 is 10 or 14, to make up for as many that
/// were left out: rows 1 and 3 go round by two columns. Once more is back.
macro_rules! shift_rows {
    () => {
        "tst r1, #2
         beq 7f
         vrev32.16 d1, d1
         vrev32.16 d3, d3
         vrev32.16 d5, d5
         vrev32.16 d7, d7
         vrev32.16 d9, d9
         vrev32.16 d11, d11
         vrev32.16 d13, d13
         vrev32.16 d15, d15
         7:
"
    };
}

/// A block in each register, from pairs.
macro_rules! part {
    () => {
        "vuzp.32 q0, q1
         vuzp.32 q2, q3
         vuzp.32 q4, q5
         vuzp.32 q6, q7
"
    };
}

/// The reverse.
macro_rules! pair {
    () => {
        "vzip.32 q0, q1
         vzip.32 q2, q3
         vzip.32 q4, q5
         vzip.32 q6, q7
"
    };
}

/// Adds what is to be added and stores the output; both lie r11 bytes from their beginning, which goes on
/// to the next batch.
macro_rules! store_pairs {
    () => {
        "ldr r3, [r2, #{add}]
         cmp r3, #0
         beq 8f
         add r3, r3, r11
         vld4.8 {{d16-d19}}, [r3]!
         vld4.8 {{d20-d23}}, [r3]!
         vld4.8 {{d24-d27}}, [r3]!
         vld4.8 {{d28-d31}}, [r3]!
         veor q0, q0, q8
         veor q1, q1, q9
         veor q2, q2, q10
         veor q3, q3, q11
         veor q4, q4, q12
         veor q5, q5, q13
         veor q6, q6, q14
         veor q7, q7, q15
         8:
         ldr r3, [r2, #{to}]
         ldr r12, [r2, #{step}]
         add r3, r3, r11
         add r11, r11, r12
         vst4.8 {{d0-d3}}, [r3]!
         vst4.8 {{d4-d7}}, [r3]!
         vst4.8 {{d8-d11}}, [r3]!
         vst4.8 {{d12-d15}}, [r3]!
"
    };
}

/// Eight counters, to memory that r3 points to.
macro_rules! counters {
    () => {
        "vld1.8 {{d16, d17}}, [r3]
         vmov.i32 q9, #1
         vmov.i32 d18, #0
         vshl.i64 d19, d19, #32
         vrev32.8 q8, q8
         vrev32.8 q0, q8
         vadd.i32 q8, q8, q9
         vrev32.8 q1, q8
         vadd.i32 q8, q8, q9
         vrev32.8 q2, q8
         vadd.i32 q8, q8, q9
         vrev32.8 q3, q8
         vadd.i32 q8, q8, q9
         vrev32.8 q4, q8
         vadd.i32 q8, q8, q9
         vrev32.8 q5, q8
         vadd.i32 q8, q8, q9
         vrev32.8 q6, q8
         vadd.i32 q8, q8, q9
         vrev32.8 q7, q8
         vadd.i32 q8, q8, q9
         vrev32.8 q8, q8
         vst1.8 {{d16, d17}}, [r3]
         add r3, sp, #{counters}
         vst1.8 {{d0-d3}}, [r3]!
         vst1.8 {{d4-d7}}, [r3]!
         vst1.8 {{d8-d11}}, [r3]!
         vst1.8 {{d12-d15}}, [r3]
         sub r3, r3, #96
"
    };
}

/// # Safety
///
/// There is NEON, the pointers of the work are good for as much as it says, and there is a batch at least.
#[unsafe(naked)]
unsafe extern "C" fn encrypt(work: &Work) {
    naked_asm!(
        ".fpu neon",
        prologue!(),
        "2:",
        "ldr r3, [r2, #{counter}]",
        "cmp r3, #0",
        "beq 3f",
        counters!(),
        "b 4f",
        "3:",
        "ldr r3, [r2, #{from}]",
        "add r3, r3, r11",
        "4:",
        load_pairs!(),
        part!(),
        transpose!(),
        "ldr r0, [r2, #{keys}]",
        "ldr r1, [r2, #{rounds}]",
        add_key!(),
        // All rounds but the last: 9, 11 or 13. r1 counts every other one, from 10, 12 or 14 on.
        "5:",
        "bl 20f",
        sub_bytes_output!(mix_columns 1),
        add_key!(),
        "subs r1, r1, #2",
        "beq 6f",
        "bl 20f",
        sub_bytes_output!(mix_columns 2),
        add_key!(),
        "bl 20f",
        sub_bytes_output!(mix_columns 3),
        add_key!(),
        "subs r1, r1, #2",
        "beq 6f",
        "bl 20f",
        sub_bytes_output!(mix_columns 0),
        add_key!(),
        "b 5b",
        "6:",
        "bl 20f",
        sub_bytes_output!(add_to_key),
        transpose!(),
        "ldr r1, [r2, #{rounds}]",
        pair!(),
        shift_rows!(),
        store_pairs!(),
        "subs r10, r10, #1",
        "bne 2b",
        epilogue!(),
        "20:",
        sub_bytes!(),
        "bx lr",
        frame = const FRAME,
        counters = const 6 * 16,
        keys = const offset_of!(Work, keys),
        rounds = const offset_of!(Work, rounds),
        from = const offset_of!(Work, from),
        add = const offset_of!(Work, add),
        to = const offset_of!(Work, to),
        counter = const offset_of!(Work, counter),
        batches = const offset_of!(Work, batches),
        step = const offset_of!(Work, step),
    )
}

/// # Safety
///
/// As for [`encrypt`], and there is no counter.
#[unsafe(naked)]
unsafe extern "C" fn decrypt(work: &Work) {
    naked_asm!(
        ".fpu neon",
        prologue!(),
        "2:",
        "ldr r3, [r2, #{from}]",
        "ldr r1, [r2, #{rounds}]",
        "add r3, r3, r11",
        load_pairs!(),
        shift_rows!(),
        part!(),
        transpose!(),
        "ldr r0, [r2, #{keys}]",
        "add r0, r0, r1, lsl #7",
        add_key!(),
        "sub r0, r0, #256",
        "bl 20f",
        // From round 9 or 13 on, which is 1 modulo 4, or from 11. r1 counts the former kind.
        "tst r1, #2",
        "add r1, r1, #2",
        "lsr r1, r1, #2",
        "beq 4f",
        "3:",
        inv_sub_bytes_output!(add_key_backwards),
        inv_sub_bytes_output!(inv_mix_columns 1),
        "bl 20f",
        "subs r1, r1, #1",
        "beq 5f",
        inv_sub_bytes_output!(add_key_backwards),
        inv_sub_bytes_output!(inv_mix_columns 0),
        "bl 20f",
        "4:",
        inv_sub_bytes_output!(add_key_backwards),
        inv_sub_bytes_output!(inv_mix_columns 3),
        "bl 20f",
        inv_sub_bytes_output!(add_key_backwards),
        inv_sub_bytes_output!(inv_mix_columns 2),
        "bl 20f",
        "b 3b",
        "5:",
        inv_sub_bytes_output!(add_to_key),
        transpose!(),
        pair!(),
        store_pairs!(),
        "subs r10, r10, #1",
        "bne 2b",
        epilogue!(),
        "20:",
        inv_sub_bytes!(),
        "bx lr",
        frame = const FRAME,
        keys = const offset_of!(Work, keys),
        rounds = const offset_of!(Work, rounds),
        from = const offset_of!(Work, from),
        add = const offset_of!(Work, add),
        to = const offset_of!(Work, to),
        batches = const offset_of!(Work, batches),
        step = const offset_of!(Work, step),
    )
}
