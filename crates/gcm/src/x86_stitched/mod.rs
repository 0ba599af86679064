//! AES-GCM (SP 800-38D) on x86-64 with the rounds of AES and the multiplications of GHASH
//! interleaved ("stitched"), for the CPUs' AES and carry-less multiplication instructions.
//!
//! Messages are bytes in place; blocks, counters, Y and tags are 16 bytes in the standard's
//! order; the counter is inc32, modulo 2^32 at every position in a batch.
//!
//! Constant time: yes. Nothing but lengths decides a branch or an address.
//!
//! Kernels: [`Stitched`], by width of register. They differ in the blocks of a batch (8, 16, 16),
//! the powers of H they use (8, 16, 16) and in Karatsuba's multiplication (yes, yes, no).
//!
//! The arithmetic is that of the crate `ghash`, and so is the key: the loops read its table of powers
//! and Karatsuba sums, and what stands around them feeds blocks to its [`Hash`](cinder_ghash::x86::Hash).
//! A sum of products is low + middle · y^64 + high · y^128, 128 bits each; its reduction is
//!
//! ```text
//! middle += swap(low)    + low.low_half    · 0xc2<<56
//! high   += swap(middle) + middle.low_half · 0xc2<<56
//! ```
//!
//! lane by lane, where `swap` exchanges the halves; the sum of the lanes follows it.
//!
//! # One reduction for many blocks
//!
//! ```text
//! Y' = (Y + C_1) H^n + C_2 H^(n-1) + … + C_n H
//! ```
//!
//! with the products added before they are reduced. The powers lie in descending order, so that a
//! register of blocks meets a register of powers, and those for the last n blocks are read from n
//! before the end. The length block is one of the blocks, C_n; its product does not wait for AES.
//!
//! # The batch
//!
//! The loop encrypts one batch of counters while it hashes one batch of blocks: decrypting, the
//! very blocks it is about to decrypt; encrypting, those of the batch before. So encryption has a
//! batch of counter mode alone before the loop and one of GHASH alone after it. The loop is one
//! piece of assembly for both, which reads what it hashes from a pointer of its own; it is
//! assembly because LLVM would put the rounds of one block behind the other and then run out of
//! registers. It has no stack. Rounds 1 to 9 of all key lengths have multiplications between
//! them; the reduction comes before their end, and while its latency passes there are AES rounds
//! to run.
//!
//! # Short messages
//!
//! What fits into one batch skips the loop: all counter blocks and J_0 are encrypted at once, and
//! there is one reduction for text and length, as far as the powers suffice. Up to two or four
//! blocks a narrow batch with a smaller frame does the same. Nothing is set up but the key's
//! powers.
//!
//! # Opening
//!
//! [`open`] decrypts while it hashes. A pass of GHASH and then one of counter mode would
//! take 10 % (256-bit registers) to 35 % (512-bit) longer. If the tag differs, the
//! caller wipes the text, or seals it again, which makes it the ciphertext that it was; nothing in
//! between can fail.
//!
//! # Why so many powers
//!
//! Sixteen powers instead of eight save the wide kernels one reduction in two, a twentieth of
//! the loop, and cost some twelve nanoseconds when the key is set up.

mod aes_ni;
mod tail;
mod vaes_256;
mod vaes_512;

use crate::key::Direction;
use crate::message::{Message, add32, copy_input, equal, j_0, truncate};
use cinder_burn::Depth;
use cinder_cpu::x86::{AesNi, Clmul, Vaes, Vaes512, Vpclmul, Vpclmul512};
use cinder_cpu::x86_lanes::Lanes;
use cinder_ghash::GhashKey;
use core::arch::x86_64::{__m128i, __m256i, __m512i};
use core::fmt;
use tail::Tail;

/// The rounds of AES and GHASH interleaved, by width of register, each with the proof that this
/// CPU can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stitched {
    /// 128-bit registers.
    AesNi(AesNi, Clmul),
    /// 256-bit registers, without AVX-512.
    Vaes256(Vaes, Vpclmul),
    /// 512-bit registers.
    Vaes512(Vaes512, Vpclmul512),
}

impl Stitched {
    /// Those that this CPU has, best first.
    pub fn available() -> impl Iterator<Item = Stitched> {
        let on_512 = Vaes512::detect().zip(Vpclmul512::detect());
        let on_256 = Vaes::detect().zip(Vpclmul::detect());
        let on_128 = AesNi::detect().zip(Clmul::detect());
        [
            on_512.map(|(aes, clmul)| Stitched::Vaes512(aes, clmul)),
            on_256.map(|(aes, clmul)| Stitched::Vaes256(aes, clmul)),
            on_128.map(|(aes, clmul)| Stitched::AesNi(aes, clmul)),
        ]
        .into_iter()
        .flatten()
    }

    /// The best that this CPU has.
    #[inline]
    pub fn best() -> Option<Stitched> {
        if let (Some(aes), Some(clmul)) = (Vaes512::detect(), Vpclmul512::detect()) {
            Some(Stitched::Vaes512(aes, clmul))
        } else if let (Some(aes), Some(clmul)) = (Vaes::detect(), Vpclmul::detect()) {
            Some(Stitched::Vaes256(aes, clmul))
        } else if let (Some(aes), Some(clmul)) = (AesNi::detect(), Clmul::detect()) {
            Some(Stitched::AesNi(aes, clmul))
        } else {
            None
        }
    }

    /// Its name, for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Stitched::AesNi(..) => "AES-NI + PCLMULQDQ",
            Stitched::Vaes256(..) => "VAES-256 + VPCLMULQDQ-256",
            Stitched::Vaes512(..) => "VAES-512 + VPCLMULQDQ-512",
        }
    }

    /// The kernel of GHASH that has its key in common with this one.
    pub(crate) fn ghash(self) -> cinder_ghash::Kernel {
        match self {
            Stitched::AesNi(_, token) => cinder_ghash::Kernel::Pclmulqdq(token),
            Stitched::Vaes256(_, token) => cinder_ghash::Kernel::Vpclmulqdq256(token),
            Stitched::Vaes512(_, token) => cinder_ghash::Kernel::Vpclmulqdq512(token),
        }
    }
}

impl fmt::Display for Stitched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Calls the instance of a function that is generic over [`Width`], for this kernel.
macro_rules! dispatch {
    ($kernel:ident, $function:ident($($argument:expr),*)) => {
        // SAFETY: the kernel's tokens prove its target features; `GcmKey` expands H for the kernel
        // of GHASH that goes with it, and has counted the round keys.
        unsafe {
            match $kernel {
                Stitched::AesNi(..) => $function::<__m128i>($($argument),*),
                Stitched::Vaes256(..) => $function::<__m256i>($($argument),*),
                Stitched::Vaes512(..) => $function::<__m512i>($($argument),*),
            }
        }
    };
}

/// Seals a message whose arguments were checked. `message.input`, where there is one, is copied
/// to `data` first. There are 11, 13 or 15 round keys.
#[inline(never)]
pub(crate) fn seal(
    kernel: Stitched,
    key: &GhashKey,
    round_keys: &[[u8; 16]],
    message: &Message<'_>,
    data: &mut [u8],
    tag: &mut [u8],
) -> Depth {
    let (mut counter, mut computed) = ([0; 16], [0; 16]);
    let mut depth = Depth::here();
    copy_input(message.input, data);
    depth = depth.max(j_0(key, message.iv, &mut counter));
    let aad = message.aad;
    depth = depth.max(dispatch!(
        kernel,
        whole(key, round_keys, &counter, aad, data, Direction::Seal, &mut computed)
    ));
    truncate(&computed, tag);
    depth
}

/// Opens a message whose arguments were checked. If it does not verify, `data` holds what the
/// caller must wipe or [`seal`] again.
#[inline(never)]
pub(crate) fn open(
    kernel: Stitched,
    key: &GhashKey,
    round_keys: &[[u8; 16]],
    message: &Message<'_>,
    data: &mut [u8],
    tag: &[u8],
) -> (bool, Depth) {
    let (mut counter, mut computed) = ([0; 16], [0; 16]);
    let mut depth = Depth::here();
    copy_input(message.input, data);
    depth = depth.max(j_0(key, message.iv, &mut counter));
    let aad = message.aad;
    depth = depth.max(dispatch!(
        kernel,
        whole(key, round_keys, &counter, aad, data, Direction::Open, &mut computed)
    ));
    (equal(&computed, tag), depth)
}

/// Whole blocks of a message of which more is to come. `counter` becomes that of the next block.
pub(crate) fn blocks(
    kernel: Stitched,
    key: &GhashKey,
    round_keys: &[[u8; 16]],
    direction: Direction,
    counter: &mut [u8; 16],
    y: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    let data = blocks.as_flattened_mut();
    let depth = dispatch!(kernel, piece(key, round_keys, direction, counter, y, data));
    // At most 2^32 - 2 blocks: the sum modulo 2^32 is what inc32 comes to.
    add32(counter, blocks.len() as u32);
    depth
}

/// The parts of a kernel, each a function of its own that has the target features.
///
/// # Safety
///
/// Each needs the kernel's target features, a key expanded for its kernel of GHASH, and 11, 13 or
/// 15 round keys. `data` and `hash` of `counter_batch` and `batches` are good for so many batches
/// of `BATCH` bytes; they may be the same, or `hash` may be one batch before `data`.
trait Width: Lanes {
    /// Bytes of a batch of the loop, and the most that `wide` takes.
    const BATCH: usize;
    /// The most bytes that `narrow` takes.
    const NARROW: usize;

    unsafe fn narrow(key: &GhashKey, round_keys: &[[u8; 16]], tail: &mut Tail<'_>) -> Depth;
    unsafe fn wide(key: &GhashKey, round_keys: &[[u8; 16]], tail: &mut Tail<'_>) -> Depth;
    /// Counter mode alone, one batch.
    unsafe fn counter_batch(round_keys: &[[u8; 16]], counter: Counter<'_>, data: *mut u8) -> Depth;
    /// Counter mode on `data` and GHASH of `hash` before it is overwritten.
    unsafe fn batches(
        key: &GhashKey,
        round_keys: &[[u8; 16]],
        counter: Counter<'_>,
        y: &mut [u8; 16],
        hash: *const u8,
        data: *mut u8,
        batches: usize,
    ) -> Depth;
}

/// The parts of a [`Width`] that are the same for all, with the target features of one; the
/// narrow part takes `$narrow` registers and the wide one `$wide`, which make a batch.
macro_rules! around_the_loop {
    ($features:literal, $narrow:literal, $wide:literal) => {
        const BATCH: usize = $wide * Self::WIDTH;
        const NARROW: usize = $narrow * Self::WIDTH;

        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn narrow(key: &GhashKey, round_keys: &[[u8; 16]], tail: &mut Tail<'_>) -> Depth {
            // SAFETY: the function has the target features; the rest is the caller's.
            unsafe { tail.run::<Self, $narrow>(key, round_keys) };
            Depth::here()
        }

        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn wide(key: &GhashKey, round_keys: &[[u8; 16]], tail: &mut Tail<'_>) -> Depth {
            // SAFETY: the function has the target features; the rest is the caller's.
            unsafe { tail.run::<Self, $wide>(key, round_keys) };
            Depth::here()
        }

        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn counter_batch(
            round_keys: &[[u8; 16]],
            counter: Counter<'_>,
            data: *mut u8,
        ) -> Depth {
            // SAFETY: the function has the target features; the rest is the caller's.
            unsafe { counter_mode::<Self, $wide>(round_keys, counter, data) };
            Depth::here()
        }
    };
}
use around_the_loop;

/// A counter block and how far to count from it.
///
/// Counting happens in vector registers. In memory, a store of four bytes would make the load of
/// sixteen after it wait until the store has left for the cache: some fifteen cycles.
#[derive(Clone, Copy)]
struct Counter<'a> {
    block: &'a [u8; 16],
    ahead: u32,
}

impl Counter<'_> {
    /// inc32, `blocks` times. It wraps at 2^32, so only the low 32 bits of the count matter.
    #[inline(always)]
    fn plus(self, blocks: usize) -> Self {
        Counter { ahead: self.ahead.wrapping_add(blocks as u32), ..self }
    }
}

/// A whole message.
///
/// # Safety
///
/// As for [`Width`].
#[inline(always)]
unsafe fn whole<V: Width>(
    key: &GhashKey,
    round_keys: &[[u8; 16]],
    j_0: &[u8; 16],
    aad: &[u8],
    data: &mut [u8],
    direction: Direction,
    tag: &mut [u8; 16],
) -> Depth {
    let bits = [8 * aad.len() as u64, 8 * data.len() as u64];
    // Y until the end, so that there is one place for both.
    let y = tag;
    let mut counter = Counter { block: j_0, ahead: 1 };
    let mut data = data;
    let mut depth = Depth::here();
    if !aad.is_empty() {
        depth = depth.max(key.update_padded(y, aad));
    }
    // SAFETY: by the function's contract; `batches` leaves less than a batch.
    unsafe {
        if data.len() > V::BATCH {
            let reached;
            (data, counter, reached) = batches::<V>(key, round_keys, counter, y, data, direction);
            depth = depth.max(reached);
        }
        rest::<V>(key, round_keys, Tail { counter, y, data, direction, bits: Some(bits) }, depth)
    }
}

/// Whole blocks of a message of which more is to come.
///
/// # Safety
///
/// As for [`Width`]; `data` is whole blocks.
#[inline]
unsafe fn piece<V: Width>(
    key: &GhashKey,
    round_keys: &[[u8; 16]],
    direction: Direction,
    counter: &[u8; 16],
    y: &mut [u8; 16],
    data: &mut [u8],
) -> Depth {
    let counter = Counter { block: counter, ahead: 0 };
    // SAFETY: by the function's contract; `batches` leaves less than a batch.
    unsafe {
        let (data, counter, depth) = batches::<V>(key, round_keys, counter, y, data, direction);
        let depth = depth.max(Depth::here());
        if data.is_empty() {
            return depth;
        }
        rest::<V>(key, round_keys, Tail { counter, y, data, direction, bits: None }, depth)
    }
}

/// As many whole batches as there are in `data`; returns what is left, and its counter.
///
/// # Safety
///
/// As for [`Width`].
#[inline]
unsafe fn batches<'a, V: Width>(
    key: &GhashKey,
    round_keys: &[[u8; 16]],
    counter: Counter<'a>,
    y: &mut [u8; 16],
    data: &'a mut [u8],
    direction: Direction,
) -> (&'a mut [u8], Counter<'a>, Depth) {
    let count = data.len() / V::BATCH;
    let (whole, rest) = data.split_at_mut(count * V::BATCH);
    if count == 0 {
        return (rest, counter, Depth::NONE);
    }
    let first = whole.as_mut_ptr();
    // SAFETY: by the function's contract; `whole` has `count` batches, at least one.
    let depth = unsafe {
        match direction {
            Direction::Seal => {
                let depth = V::counter_batch(round_keys, counter, first);
                let (counter, second) = (counter.plus(V::BATCH / 16), first.add(V::BATCH));
                let depth =
                    depth.max(V::batches(key, round_keys, counter, y, first, second, count - 1));
                let last = &whole[(count - 1) * V::BATCH..];
                depth.max(key.update_padded(y, last))
            }
            Direction::Open => V::batches(key, round_keys, counter, y, first, first, count),
        }
    };
    (rest, counter.plus(count * (V::BATCH / 16)), depth)
}

/// # Safety
///
/// As for [`Width`]; `tail.data` is not longer than a batch.
#[inline(always)]
unsafe fn rest<V: Width>(
    key: &GhashKey,
    round_keys: &[[u8; 16]],
    mut tail: Tail<'_>,
    depth: Depth,
) -> Depth {
    // SAFETY: by the function's contract.
    depth.max(unsafe {
        if tail.data.len() <= V::NARROW {
            V::narrow(key, round_keys, &mut tail)
        } else {
            V::wide(key, round_keys, &mut tail)
        }
    })
}

#[cfg(test)]
mod tests;
