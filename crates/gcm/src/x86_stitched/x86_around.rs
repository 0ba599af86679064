//! What stands around the big loops: GHASH of additional data, the first batch of a message and
//! the last, the tag. Generic over the width of the registers; see [`Lanes`].
//!
//! All functions here are `#[inline(always)]`: each kernel inlines them into functions that have
//! its target features, and those say how deep they went. A loop over the rounds is a loop at
//! run time, so that the compiler cannot undo the interleaving of the blocks inside it.
//!
//! Without optimisation each value that is ever made in such a function has a place of its own in
//! its frame, 64 bytes wide. So with debug assertions the larger pieces are functions of their
//! own, and `reached` counts them in.

use super::x86_lanes::{Lanes, Sum};
use super::{Block, Counter, FOLD, Key, Schedule};
use core::arch::x86_64::*;

/// The rest of a message, shorter than the kernel's batch or as long.
pub(super) struct Tail<'a> {
    /// Its block is J_0, if this is the end of a message.
    pub(super) counter: Counter<'a>,
    /// Becomes the tag, if this is the end of a message.
    pub(super) y: &'a mut Block,
    pub(super) data: &'a mut [u8],
    pub(super) encrypt: bool,
    /// Bits of additional data and of text at the end of a message. `None` if more is to come;
    /// then `data` is whole blocks.
    pub(super) bits: Option<[u64; 2]>,
}

/// # Safety
///
/// As for [`Lanes`].
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn multiply<V: Lanes>(a: V, b: V) -> V {
    // SAFETY: by the function's contract.
    unsafe { V::reduce(V::product(a, b)) }
}

/// # Safety
///
/// As for [`Lanes`].
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn square<V: Lanes>(a: V) -> V {
    // SAFETY: by the function's contract.
    unsafe { V::reduce(V::square(a)) }
}

/// H = E(0) and then H / x: see the module's head.
///
/// # Safety
///
/// Needs AES-NI and SSE4.1.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn first_power(keys: Schedule<'_>) -> __m128i {
    // SAFETY: by the function's contract; a schedule has `rounds() + 1` keys.
    unsafe {
        let key = |i: usize| __m128i::load(keys.pointer().add(16 * i));
        let mut h = key(0);
        for i in 1..keys.rounds() {
            h = h.aes_round(key(i));
        }
        h = h.aes_last_round(key(keys.rounds())).swap_bytes();
        // The bits move up by one; the one that falls out is x^-1 = 1 + x + x^6 + x^127.
        let out = _mm_shuffle_epi32::<0xff>(_mm_srai_epi32::<31>(h));
        let carry = _mm_slli_si128::<8>(_mm_srli_epi64::<63>(h));
        let shifted = _mm_or_si128(_mm_slli_epi64::<1>(h), carry);
        _mm_xor_si128(shifted, _mm_and_si128(out, _mm_set_epi64x(FOLD, 1)))
    }
}

/// How many of `blocks` blocks to hash before the next reduction, with `powers` powers of H at
/// hand: all if they suffice, otherwise first the odd ones, in whole registers, so that the
/// groups after it are full.
#[inline(always)]
fn group(blocks: usize, powers: usize, lanes: usize) -> usize {
    if blocks <= powers { blocks } else { ((blocks - 1) % powers + 1).next_multiple_of(lanes) }
}

/// Feeds blocks to GHASH with as few reductions as the powers allow.
struct Hash<V> {
    /// Blocks still to come.
    blocks: usize,
    /// Blocks still to come before the next reduction.
    left: usize,
    /// Powers of H that the key has.
    powers: usize,
    /// The power of H for the next block.
    power: *const u8,
    /// Y, until it has been added to the first block of a group.
    y: V,
    sum: Sum<V>,
}

impl<V: Lanes> Hash<V> {
    /// # Safety
    ///
    /// As for [`Lanes`]; `key` holds `powers` powers.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn new(key: &Key, powers: usize, y: &Block, blocks: usize) -> Self {
        // SAFETY: by the function's contract. The group is not larger than `powers`.
        unsafe {
            let y = V::first(__m128i::load(y.as_ptr()).swap_bytes());
            let zero = y.xor(y);
            let left = group(blocks, powers, V::LANES);
            let power = key.powers.as_ptr().cast::<u8>().add(16 * (powers - left));
            Hash {
                blocks,
                left,
                powers,
                power,
                y,
                sum: Sum { low: zero, middle: zero, high: zero },
            }
        }
    }

    /// Hashes the next `count` blocks; lanes after the message's last are zero.
    ///
    /// # Safety
    ///
    /// As for [`Lanes`]; `key` is the one of [`new`](Self::new), and not more blocks come than
    /// were announced.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn update(&mut self, key: &Key, blocks: V, count: usize) {
        // SAFETY: by the function's contract. The powers lie in descending order and three
        // blocks follow H^1, so that a register read at any power is inside.
        unsafe {
            let reduce = self.left == 0;
            if reduce {
                self.left = group(self.blocks, self.powers, V::LANES);
                let end = key.powers.as_ptr().cast::<u8>().add(16 * self.powers);
                self.power = end.sub(16 * self.left);
            }
            V::hash(&mut self.sum, &mut self.y, reduce, blocks, self.power);
            self.power = self.power.add(16 * V::LANES);
            self.left -= count;
            self.blocks -= count;
        }
    }

    /// # Safety
    ///
    /// As for [`Lanes`]; all blocks have come.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn finish(&self) -> __m128i {
        // SAFETY: by the function's contract.
        unsafe { V::reduce(self.sum).sum_lanes() }
    }
}

/// GHASH of `data`, zeros added to fill the last block; `y` before and after.
///
/// # Safety
///
/// As for [`Lanes`]; `key` holds `powers` powers.
#[inline(always)]
pub(super) unsafe fn hash<V: Lanes>(key: &Key, powers: usize, y: &mut Block, data: &[u8]) {
    if data.is_empty() {
        return;
    }
    // SAFETY: by the function's contract; the reads follow the slice's length.
    unsafe {
        let width = 16 * V::LANES;
        let mut hash = Hash::<V>::new(key, powers, y, data.len().div_ceil(16));
        let (mut from, mut len) = (data.as_ptr(), data.len());
        while len >= width {
            hash.update(key, V::load(from), V::LANES);
            from = from.add(width);
            len -= width;
        }
        if len > 0 {
            hash.update(key, V::load_partial(from, len), len.div_ceil(16));
        }
        hash.finish().swap_bytes().store(y.as_mut_ptr());
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
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
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
/// As for [`Lanes`].
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn keystream<V: Lanes, const N: usize>(
    keys: Schedule<'_>,
    x: &mut [V; N],
    also: &mut __m128i,
) {
    // SAFETY: by the function's contract; a schedule has `rounds() + 1` keys.
    unsafe {
        let key = |i: usize| __m128i::load(keys.pointer().add(16 * i));
        let mut next = x[0];
        let first = V::splat(key(0));
        let mut other = also.xor(key(0));
        for x in &mut *x {
            *x = next.swap_bytes().xor(first);
            next = next.add32(V::lane_count());
        }
        for i in 1..keys.rounds() {
            let k = key(i);
            other = other.aes_round(k);
            let k = V::splat(k);
            for x in &mut *x {
                *x = x.aes_round(k);
            }
        }
        let k = key(keys.rounds());
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
    keys: Schedule<'_>,
    counter: Counter<'_>,
    data: *mut u8,
) {
    // SAFETY: by the function's contract.
    unsafe {
        let mut x = [counters::<V>(counter); N];
        let mut unused = __m128i::load(counter.block.as_ptr());
        keystream(keys, &mut x, &mut unused);
        for (i, x) in x.iter().enumerate() {
            let at = data.add(16 * V::LANES * i);
            V::load(at).xor(*x).store(at);
        }
    }
}

/// XORs the keystream into a whole register of text; returns the ciphertext.
///
/// # Safety
///
/// As for [`Lanes`].
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn xor_whole<V: Lanes>(at: *mut u8, stream: V, encrypt: bool) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        let old = V::load(at);
        let new = old.xor(stream);
        new.store(at);
        if encrypt { new } else { old }
    }
}

/// The same for the first `len` bytes of a register, fewer than a whole one; zeros follow.
///
/// # Safety
///
/// As for [`Lanes`].
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn xor_partial<V: Lanes>(at: *mut u8, len: usize, stream: V, encrypt: bool) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        let old = V::load_partial(at, len);
        let new = old.xor(stream).truncate(len);
        new.store_partial(at, len);
        if encrypt { new } else { old }
    }
}

/// One batch of at most `N * LANES` blocks: all counter blocks and J_0 are encrypted together,
/// and the text and the length block share a reduction.
///
/// # Safety
///
/// As for [`Lanes`]; `key` holds `powers` powers.
#[inline(always)]
pub(super) unsafe fn tail<V: Lanes, const N: usize>(
    key: &Key,
    powers: usize,
    keys: Schedule<'_>,
    tail: &mut Tail<'_>,
) {
    let width = 16 * V::LANES;
    let (mut at, mut len) = (tail.data.as_mut_ptr(), tail.data.len());
    debug_assert!(len <= N * width);
    // SAFETY: by the function's contract; reads and writes follow the slice's length.
    unsafe {
        let mut stream = [counters::<V>(tail.counter); N];
        let mut mask = __m128i::load(tail.counter.block.as_ptr());
        keystream(keys, &mut stream, &mut mask);
        let blocks = len.div_ceil(16) + usize::from(tail.bits.is_some());
        let mut hash = Hash::<V>::new(key, powers, tail.y, blocks);
        // The partial register comes after the loop, which then is short enough to be unrolled:
        // otherwise the keystream lies in memory.
        let mut last = stream[0];
        for stream in stream {
            last = stream;
            if len < width {
                break;
            }
            let text = xor_whole(at, stream, tail.encrypt);
            hash.update(key, text, V::LANES);
            at = at.add(width);
            len -= width;
        }
        if len > 0 {
            let text = xor_partial(at, len, last, tail.encrypt);
            hash.update(key, text, len.div_ceil(16));
        }
        match tail.bits {
            Some(bits) => {
                let [aad, text] = bits.map(|bits| bits.swap_bytes() as i64);
                let bits = _mm_set_epi64x(text, aad);
                hash.power = key.powers.as_ptr().cast::<u8>().add(16 * (powers - 1));
                hash.update(key, V::first(bits), 1);
                hash.finish().swap_bytes().xor(mask).store(tail.y.as_mut_ptr());
            }
            None => hash.finish().swap_bytes().store(tail.y.as_mut_ptr()),
        }
    }
}
