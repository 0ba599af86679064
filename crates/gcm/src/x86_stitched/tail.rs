//! What stands around the big loops: the first batch of a message and the last, the tag. Generic
//! over the width of the registers; see [`Lanes`].
//!
//! Constant time: yes. Lengths alone decide branches.
//!
//! All functions here are `#[inline(always)]`: each kernel inlines them into functions that have
//! its target features, and those say how deep they went. A loop over the rounds is a loop at
//! run time, so that the compiler cannot undo the interleaving of the blocks inside it.

use super::Counter;
use crate::key::Direction;
use cinder_cpu::x86_lanes::Lanes;
use cinder_ghash::GhashKey;
use cinder_ghash::x86::Hash;
use core::arch::x86_64::*;

/// The rest of a message, shorter than the kernel's batch or as long.
pub(super) struct Tail<'a> {
    /// Its block is J_0, if this is the end of a message.
    pub(super) counter: Counter<'a>,
    /// Becomes the tag, if this is the end of a message.
    pub(super) y: &'a mut [u8; 16],
    pub(super) data: &'a mut [u8],
    pub(super) direction: Direction,
    /// Bits of additional data and of text at the end of a message. `None` if more is to come;
    /// then `data` is whole blocks.
    pub(super) bits: Option<[u64; 2]>,
}

impl Tail<'_> {
    /// One batch of at most `N * LANES` blocks: all counter blocks and J_0 are encrypted together,
    /// and the text and the length block share a reduction.
    ///
    /// # Safety
    ///
    /// As for [`Lanes`]; the key is expanded for the kernel of GHASH of this width.
    #[inline(always)]
    pub(super) unsafe fn run<V: Lanes, const N: usize>(
        &mut self,
        key: &GhashKey,
        round_keys: &[[u8; 16]],
    ) {
        let (mut at, mut len) = (self.data.as_mut_ptr(), self.data.len());
        debug_assert!(len <= N * V::WIDTH);
        // SAFETY: by the function's contract; reads and writes follow the slice's length.
        unsafe {
            let mut stream = [counters::<V>(self.counter); N];
            let mut tag_mask = __m128i::load(self.counter.block.as_ptr());
            keystream(round_keys, &mut stream, &mut tag_mask);
            let blocks = len.div_ceil(16) + usize::from(self.bits.is_some());
            let mut hash = Hash::<V>::new(key, self.y, blocks);
            // The partial register comes after the loop, which then is short enough to be
            // unrolled: otherwise the keystream lies in memory.
            let mut last = stream[0];
            for stream in stream {
                last = stream;
                if len < V::WIDTH {
                    break;
                }
                let text = xor_whole(at, stream, self.direction);
                hash.update(text, V::LANES);
                at = at.add(V::WIDTH);
                len -= V::WIDTH;
            }
            if len > 0 {
                let text = xor_partial(at, len, last, self.direction);
                hash.update(text, len.div_ceil(16));
            }
            match self.bits {
                Some(bits) => {
                    let [aad, text] = bits.map(|bits| bits.swap_bytes() as i64);
                    hash.update(V::first(_mm_set_epi64x(text, aad)), 1);
                    hash.finish().xor(tag_mask).store(self.y.as_mut_ptr());
                }
                None => hash.finish().store(self.y.as_mut_ptr()),
            }
        }
    }
}

/// The counters from `counter` on, lane by lane, bytes reversed.
///
/// The counter's last four bytes, reversed, are the first 32-bit word of a lane: addition there
/// is inc32.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
pub(super) unsafe fn counters<V: Lanes>(counter: Counter<'_>) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        let block = __m128i::load(counter.block.as_ptr()).swap_bytes();
        let first = block.add32(_mm_cvtsi32_si128(counter.ahead as i32));
        V::splat(first).add32(V::lane_numbers())
    }
}

/// E of `N * LANES` counters, of which the first lanes are in `x[0]`, and of `also`, in place.
///
/// # Safety
///
/// As for [`Lanes`]; there are 11, 13 or 15 round keys.
#[inline(always)]
unsafe fn keystream<V: Lanes, const N: usize>(
    round_keys: &[[u8; 16]],
    x: &mut [V; N],
    also: &mut __m128i,
) {
    let (keys, rounds) = (round_keys.as_ptr().cast::<u8>(), round_keys.len() - 1);
    // SAFETY: by the function's contract; there are `rounds + 1` keys of 16 bytes.
    unsafe {
        let mut next = x[0];
        let k = __m128i::load(keys);
        let mut other = also.xor(k);
        let first = V::splat(k);
        for x in &mut *x {
            *x = next.swap_bytes().xor(first);
            next = next.add32(V::lane_count());
        }
        for i in 1..rounds {
            let k = __m128i::load(keys.add(16 * i));
            other = other.aes_round(k);
            let k = V::splat(k);
            for x in &mut *x {
                *x = x.aes_round(k);
            }
        }
        let k = __m128i::load(keys.add(16 * rounds));
        *also = other.aes_last_round(k);
        let k = V::splat(k);
        for x in x {
            *x = x.aes_last_round(k);
        }
    }
}

/// Counter mode alone for exactly `16 * N * LANES` bytes.
///
/// # Safety
///
/// As for [`Lanes`]; `data` is good for that many bytes.
#[inline(always)]
pub(super) unsafe fn counter_mode<V: Lanes, const N: usize>(
    round_keys: &[[u8; 16]],
    counter: Counter<'_>,
    data: *mut u8,
) {
    // SAFETY: by the function's contract.
    unsafe {
        let mut x = [counters::<V>(counter); N];
        let mut unused = __m128i::load(counter.block.as_ptr());
        keystream(round_keys, &mut x, &mut unused);
        for (i, x) in x.iter().enumerate() {
            let at = data.add(i * V::WIDTH);
            V::load(at).xor(*x).store(at);
        }
    }
}

/// XORs the keystream into a whole register of text; returns the ciphertext.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn xor_whole<V: Lanes>(at: *mut u8, stream: V, direction: Direction) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        let old = V::load(at);
        let new = old.xor(stream);
        new.store(at);
        if direction == Direction::Seal { new } else { old }
    }
}

/// The same for the first `len` bytes of a register, fewer than a whole one; zeros follow.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn xor_partial<V: Lanes>(at: *mut u8, len: usize, stream: V, direction: Direction) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        let old = V::load_partial(at, len);
        let new = old.xor(stream).truncate(len);
        new.store_partial(at, len);
        if direction == Direction::Seal { new } else { old }
    }
}
