//! GHASH (SP 800-38D, section 6.4) by PCLMULQDQ on 128-bit registers, and by VPCLMULQDQ on 256-bit
//! and 512-bit ones, with one or several blocks in each register.
//!
//! Constant time: yes. The instruction's time does not depend on its operands, and nothing else
//! does but the length.
//!
//! Groups of eight (128 bits) or sixteen blocks share a reduction and multiply by Karatsuba, with
//! the key's half of the middle product prepared. Fewer blocks are one reduction too, but multiply
//! as schoolbooks do, which is shorter in latency: [`Hash`]. The lanes of a register are added after
//! the reduction, which costs the same for all as for one.
//!
//! The powers of H end the table, H last, so that n blocks go with the last n of them, and a
//! register of blocks meets a register of powers. The Karatsuba sums lie beside them: of two
//! registers of powers the sums are one register, those of the first in the low halves of its lanes,
//! those of the second in the high ones, each where the instruction's immediate reaches it.
//!
//! The interleaved kernels of the crate `gcm` read the same table and use the parts here that are
//! public. They are for them alone, and may change in any version.

use crate::{Depth, GhashKey, load, times_y};
use cinder_cpu::x86::{Clmul, Vpclmul, Vpclmul512};
use cinder_cpu::x86_lanes::Lanes;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::mem::offset_of;

/// Blocks for each reduction, and powers of H in the table.
const fn powers<V: Lanes>() -> usize {
    if V::LANES == 1 { 8 } else { 16 }
}

/// Where the powers begin in the key, in bytes.
const fn start<V: Lanes>() -> usize {
    offset_of!(GhashKey, powers) + 16 * (16 - powers::<V>())
}

/// The highest power in the table: H^8 for registers of 128 bits, else H^16.
#[inline(always)]
pub const fn highest_power<V: Lanes>(key: &GhashKey) -> *const u8 {
    // Derived from the whole key: a register of powers may reach into what follows them.
    core::ptr::from_ref(key).cast::<u8>().wrapping_add(start::<V>())
}

/// Where the Karatsuba sums begin, in bytes from the highest power on.
pub const fn karatsuba_sums<V: Lanes>() -> usize {
    offset_of!(GhashKey, karatsuba_sums) + 8 * (16 - powers::<V>()) - start::<V>()
}

/// A sum of products that is not yet reduced, in each lane: low + middle · y^64 + high · y^128.
#[derive(Clone, Copy)]
struct Sum<V> {
    low: V,
    middle: V,
    high: V,
}

/// # Safety
///
/// Each as for [`Lanes`].
impl<V: Lanes> Sum<V> {
    /// Four products.
    #[inline(always)]
    unsafe fn schoolbook(x: V, h: V) -> Self {
        // SAFETY: by the contract.
        unsafe {
            Sum {
                low: x.multiply::<0x00>(h),
                middle: x.multiply::<0x01>(h).xor(x.multiply::<0x10>(h)),
                high: x.multiply::<0x11>(h),
            }
        }
    }

    /// (a + b · y^64)^2 = a^2 + b^2 · y^128: two products.
    #[inline(always)]
    unsafe fn square(x: V) -> Self {
        // SAFETY: by the contract.
        unsafe { Sum { low: x.multiply::<0x00>(x), middle: x.xor(x), high: x.multiply::<0x11>(x) } }
    }

    /// Two registers of blocks, six products. The middle is short of low + high, which are added
    /// once for all blocks, by [`correct`](Self::correct).
    #[inline(always)]
    unsafe fn karatsuba(a: V, b: V, h: V, k: V, sums: V) -> Self {
        // SAFETY: by the contract.
        unsafe {
            let (a_sum, b_sum) = (halves_added(a), halves_added(b));
            Sum {
                low: a.multiply::<0x00>(h).xor(b.multiply::<0x00>(k)),
                middle: a_sum.multiply::<0x00>(sums).xor(b_sum.multiply::<0x10>(sums)),
                high: a.multiply::<0x11>(h).xor(b.multiply::<0x11>(k)),
            }
        }
    }

    #[inline(always)]
    unsafe fn add(&mut self, other: Self) {
        // SAFETY: by the contract.
        unsafe {
            self.low = self.low.xor(other.low);
            self.middle = self.middle.xor(other.middle);
            self.high = self.high.xor(other.high);
        }
    }

    #[inline(always)]
    unsafe fn correct(&mut self) {
        // SAFETY: by the contract.
        unsafe { self.middle = self.middle.xor(self.low.xor(self.high)) }
    }

    /// The sum divided by y^128, as derived at the head of the crate, lane by lane.
    ///
    /// The middle product straddles: its low word belongs to w1, its high word to w2. Instead of
    /// shifting it into place, w0 is folded into it first:
    ///
    /// ```text
    /// middle += swap(low) + w0 · 0xc2<<56     (swap: low's w1 joins the middle's low word, and
    /// high   += swap(middle) + w1 · 0xc2<<56   w0, which is w0 · y^128, its high word)
    /// ```
    #[inline(always)]
    unsafe fn reduce(self) -> V {
        // SAFETY: by the contract.
        unsafe {
            let g = V::splat(core::mem::transmute::<[u64; 2], __m128i>([FOLD, 0]));
            let low = self.low.swap_halves().xor(self.low.multiply::<0x00>(g));
            let middle = self.middle.xor(low);
            self.high.xor(middle.swap_halves()).xor(middle.multiply::<0x00>(g))
        }
    }
}

/// y^57 + y^62 + y^63, what the reduction multiplies by.
pub const FOLD: u64 = 0xc2 << 56;

/// The sum of the two words, in both places.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn halves_added<V: Lanes>(x: V) -> V {
    // SAFETY: by the function's contract.
    unsafe { x.xor(x.swap_halves()) }
}

/// Elements in Montgomery form to their product in Montgomery form, lane by lane.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn multiply<V: Lanes>(a: V, b: V) -> V {
    // SAFETY: by the function's contract.
    unsafe { Sum::schoolbook(a, b).reduce() }
}

/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn square<V: Lanes>(a: V) -> V {
    // SAFETY: by the function's contract.
    unsafe { Sum::square(a).reduce() }
}

/// How many of `blocks` blocks to hash before the next reduction: all if the powers suffice,
/// otherwise first the odd ones, in whole registers, so that the groups after it are full.
#[inline(always)]
fn group<V: Lanes>(blocks: usize) -> usize {
    if blocks <= powers::<V>() {
        blocks
    } else {
        ((blocks - 1) % powers::<V>() + 1).next_multiple_of(V::LANES)
    }
}

/// GHASH of blocks whose number is known beforehand, with as few reductions as the powers allow.
#[derive(Clone, Copy)]
pub struct Hash<V> {
    /// Blocks still to come.
    blocks: usize,
    /// Blocks still to come before the next reduction: the power for the next block is so many
    /// places before `end`.
    left: usize,
    /// Of the powers.
    end: *const u8,
    /// Y, until it has been added to the first block of a group.
    y: V,
    sum: Sum<V>,
}

impl<V> core::fmt::Debug for Hash<V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Hash").field("blocks", &self.blocks).finish_non_exhaustive()
    }
}

impl<V: Lanes> Hash<V> {
    /// `y`, to which `blocks` blocks are going to come.
    ///
    /// # Safety
    ///
    /// As for [`Lanes`]. The key, expanded for a kernel of this width, stays where it is.
    #[inline(always)]
    pub unsafe fn new(key: &GhashKey, y: &[u8; 16], blocks: usize) -> Self {
        // SAFETY: by the function's contract.
        unsafe {
            let y = V::first(__m128i::load(y.as_ptr()).swap_bytes());
            let zero = y.xor(y);
            let sum = Sum { low: zero, middle: zero, high: zero };
            let end = highest_power::<V>(key).add(16 * powers::<V>());
            Hash { blocks, left: group::<V>(blocks), end, y, sum }
        }
    }

    /// The next `count` blocks; lanes after them are zero.
    ///
    /// # Safety
    ///
    /// As for [`new`](Self::new); not more blocks come than were announced.
    #[inline(always)]
    pub unsafe fn update(&mut self, blocks: V, count: usize) {
        // SAFETY: by the function's contract: at most `powers` blocks are left, and after the
        // powers the table goes on for more than a register.
        unsafe {
            let zero = blocks.xor(blocks);
            if self.left == 0 {
                self.left = group::<V>(self.blocks);
                self.y = V::first(self.sum.reduce().sum_lanes());
                self.sum = Sum { low: zero, middle: zero, high: zero };
            }
            let power = V::load(self.end.sub(16 * self.left));
            self.sum.add(Sum::schoolbook(blocks.swap_bytes().xor(self.y), power));
            self.y = zero;
            self.left -= count;
            self.blocks -= count;
        }
    }

    /// Y after all blocks have come.
    ///
    /// # Safety
    ///
    /// As for [`new`](Self::new).
    #[inline(always)]
    pub unsafe fn finish(self) -> __m128i {
        // SAFETY: by the function's contract.
        unsafe { self.sum.reduce().sum_lanes().swap_bytes() }
    }
}

/// A block's integer, low word first: GHASH reads the bytes in reverse, POLYVAL as they are.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn in_order<V: Lanes, const POLYVAL: bool>(blocks: V) -> V {
    // SAFETY: by the function's contract.
    if POLYVAL { blocks } else { unsafe { blocks.swap_bytes() } }
}

/// Z after data of at most as many blocks as there are powers, at least one byte; zeros fill the
/// last block.
///
/// # Safety
///
/// As for [`Lanes`], for a register of at most 256 bits; the key is expanded for its kernel.
#[inline(always)]
unsafe fn few<V: Lanes, const POLYVAL: bool>(key: &GhashKey, z: V, data: &[u8]) -> __m128i {
    // SAFETY: by the function's contract; the reads follow the slice's length, and after the
    // powers the key goes on for more than a register.
    unsafe {
        let blocks = data.len().div_ceil(16);
        let mut power = highest_power::<V>(key).add(16 * (powers::<V>() - blocks));
        let (mut from, mut len) = (data.as_ptr(), data.len());
        let mut z = z;
        let zero = z.xor(z);
        let mut sum = Sum { low: zero, middle: zero, high: zero };
        while len >= V::WIDTH {
            sum.add(Sum::schoolbook(in_order::<V, POLYVAL>(V::load(from)).xor(z), V::load(power)));
            z = zero;
            (from, power, len) = (from.add(V::WIDTH), power.add(V::WIDTH), len - V::WIDTH);
        }
        if V::LANES == 2 && len >= 16 {
            let x = V::first(in_order::<_, POLYVAL>(__m128i::load(from)));
            sum.add(Sum::schoolbook(x.xor(z), V::first(__m128i::load(power))));
            z = zero;
            (from, power, len) = (from.add(16), power.add(16), len - 16);
        }
        if len > 0 {
            let x = V::first(in_order::<_, POLYVAL>(__m128i::load_partial(from, len)));
            sum.add(Sum::schoolbook(x.xor(z), V::first(__m128i::load(power))));
        }
        sum.reduce().sum_lanes()
    }
}

/// Whole groups, then what is left.
///
/// # Safety
///
/// As for [`few`].
#[inline(always)]
unsafe fn many<V: Lanes, const POLYVAL: bool>(key: &GhashKey, y: &mut [u8; 16], data: &[u8]) {
    let (groups, rest) = data.split_at(data.len() - data.len() % (16 * powers::<V>()));
    // SAFETY: by the function's contract; a group is four pairs of registers, as the powers are.
    unsafe {
        let powers = highest_power::<V>(key);
        let sums = powers.add(karatsuba_sums::<V>());
        let mut z = V::first(in_order::<_, POLYVAL>(__m128i::load(y.as_ptr())));
        let (mut from, end) = (groups.as_ptr(), groups.as_ptr_range().end);
        while from != end {
            let zero = z.xor(z);
            let mut sum = Sum { low: zero, middle: zero, high: zero };
            // The pair that waits for the group before is the last, so that the others need not.
            for i in [1, 2, 3, 0] {
                let (x, h) = (from.add(2 * i * V::WIDTH), powers.add(2 * i * V::WIDTH));
                let mut a = in_order::<V, POLYVAL>(V::load(x));
                if i == 0 {
                    a = a.xor(z);
                }
                let b = in_order::<V, POLYVAL>(V::load(x.add(V::WIDTH)));
                let (h, k) = (V::load(h), V::load(h.add(V::WIDTH)));
                sum.add(Sum::karatsuba(a, b, h, k, V::load(sums.add(i * V::WIDTH))));
            }
            sum.correct();
            z = V::first(sum.reduce().sum_lanes());
            from = from.add(8 * V::WIDTH);
        }
        let mut y_in_order = z.sum_lanes();
        if !rest.is_empty() {
            y_in_order = few::<V, POLYVAL>(key, z, rest);
        }
        in_order::<_, POLYVAL>(y_in_order).store(y.as_mut_ptr());
    }
}

/// Whole groups, at least one, of registers whose latency counts: the lanes are not added after
/// each reduction. Each lane runs Horner's rule by itself over every `LANES`th block, with the same
/// power of H in all lanes, until the last group puts the missing powers in. With four lanes, for
/// lane i:
///
/// ```text
/// Z_i = (Z_i + X_i)·H^16     + X_(i+4)·H^12    + X_(i+8)·H^8     + X_(i+12)·H^4       every group
/// Z_i = (Z_i + X_i)·H^(16-i) + X_(i+4)·H^(12-i) + X_(i+8)·H^(8-i) + X_(i+12)·H^(4-i)   the last
/// ```
///
/// There are registers enough to keep the powers and their sums. `N` of them make a group.
///
/// # Safety
///
/// As for [`Lanes`]; the key is expanded for its kernel.
#[inline(always)]
unsafe fn lane_by_lane<V: Lanes, const N: usize, const POLYVAL: bool>(
    key: &GhashKey,
    y: &mut [u8; 16],
    data: &[u8],
) {
    const { assert!(N * V::LANES == powers::<V>()) };
    // SAFETY: by the function's contract; a group is as many registers as the powers are.
    unsafe {
        let table = highest_power::<V>(key);
        let mut z = V::first(in_order::<_, POLYVAL>(__m128i::load(y.as_ptr())));
        let mut powers = [z; N];
        let (mut from, mut groups) = (data.as_ptr(), data.len() / (N * V::WIDTH));
        if groups > 1 {
            for (i, power) in powers.iter_mut().enumerate() {
                *power = V::splat(__m128i::load(table.add(i * V::WIDTH)));
            }
            while groups > 1 {
                z = step::<V, N, POLYVAL>(z, from, &powers);
                from = from.add(N * V::WIDTH);
                groups -= 1;
            }
        }
        for (i, power) in powers.iter_mut().enumerate() {
            *power = V::load(table.add(i * V::WIDTH));
        }
        let z = step::<V, N, POLYVAL>(z, from, &powers).sum_lanes();
        in_order::<_, POLYVAL>(z).store(y.as_mut_ptr());
    }
}

/// `N` registers of blocks, each lane by itself. The powers' sums do not change from step to step,
/// and are computed once.
///
/// # Safety
///
/// As for [`Lanes`]; so many bytes are there.
#[inline(always)]
unsafe fn step<V: Lanes, const N: usize, const POLYVAL: bool>(
    z: V,
    from: *const u8,
    powers: &[V; N],
) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        let zero = z.xor(z);
        let mut sum = Sum { low: zero, middle: zero, high: zero };
        // The blocks that wait for the step before are the last, so that the others need not.
        for i in 1..=N {
            let mut x = in_order::<V, POLYVAL>(V::load(from.add(i % N * V::WIDTH)));
            if i == N {
                x = x.xor(z);
            }
            let power = powers[i % N];
            sum.low = sum.low.xor(x.multiply::<0x00>(power));
            sum.high = sum.high.xor(x.multiply::<0x11>(power));
            let middle = halves_added(x).multiply::<0x00>(halves_added(power));
            sum.middle = sum.middle.xor(middle);
        }
        sum.correct();
        sum.reduce()
    }
}

/// From H^n, H^(n-1) and H^(n-2), H^(n-3) to H^2n, H^(2n-1) and H^(2n-2), H^(2n-3): the even
/// ones are squares, which take two products less.
///
/// # Safety
///
/// Needs AVX2 and VPCLMULQDQ.
#[inline(always)]
unsafe fn double(a: __m256i, b: __m256i) -> [__m256i; 2] {
    // SAFETY: by the function's contract.
    unsafe {
        let (even, odd) = (square(a), multiply(a, _mm256_permute2x128_si256::<0x21>(a, b)));
        [_mm256_permute2x128_si256::<0x20>(even, odd), _mm256_permute2x128_si256::<0x31>(even, odd)]
    }
}

/// The powers, highest first, and if a kernel reads them their Karatsuba sums.
///
/// # Safety
///
/// As for [`Lanes`]; the powers are as many as those of a kernel of this width.
#[inline(always)]
unsafe fn store<V: Lanes>(key: &mut GhashKey, powers: &[V; 8], with_sums: bool) {
    // SAFETY: by the function's contract, 8 registers from the highest power on are the table's
    // powers, and 4 from their sums on its sums.
    unsafe {
        let table = core::ptr::from_mut(key).cast::<u8>().add(start::<V>());
        for (i, power) in powers.iter().enumerate() {
            power.store(table.add(i * V::WIDTH));
        }
        if with_sums {
            let sums = table.add(karatsuba_sums::<V>());
            for (i, [a, b]) in powers.as_chunks::<2>().0.iter().enumerate() {
                a.low_halves(*b).xor(a.high_halves(*b)).store(sums.add(i * V::WIDTH));
            }
        }
    }
}

/// H in the form that the kernels multiply by.
#[inline(always)]
fn first_power(h: &[u8; 16]) -> __m128i {
    // SAFETY: plain bits of one size.
    unsafe { core::mem::transmute(times_y(load(h))) }
}

#[inline(always)]
pub(crate) fn expand_128(_proof: Clmul, h: &[u8; 16], key: &mut GhashKey) -> Depth {
    #[target_feature(enable = "pclmulqdq,ssse3,sse4.1")]
    #[inline(never)]
    fn expand(h: &[u8; 16], key: &mut GhashKey) -> Depth {
        let h1 = first_power(h);
        // SAFETY: the function has the target features.
        unsafe {
            let h2 = square(h1);
            let (h3, h4) = (multiply(h2, h1), square(h2));
            let (h5, h6, h7, h8) = (multiply(h4, h1), square(h3), multiply(h4, h3), square(h4));
            store(key, &[h8, h7, h6, h5, h4, h3, h2, h1], true);
        }
        Depth::here()
    }
    // SAFETY: the token proves pclmulqdq, ssse3 and sse4.1.
    unsafe { expand(h, key) }
}

/// For registers of 256 bits, and of 512 bits, for which no kernel reads the sums.
#[inline(always)]
pub(crate) fn expand_256(
    _proof: Vpclmul,
    h: &[u8; 16],
    key: &mut GhashKey,
    with_sums: bool,
) -> Depth {
    #[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
    #[inline(never)]
    fn expand(h: &[u8; 16], key: &mut GhashKey, with_sums: bool) -> Depth {
        let h1 = first_power(h);
        // SAFETY: the function has the target features.
        unsafe {
            let h2 = square(h1);
            let h21 = _mm256_set_m128i(h1, h2);
            let h43 = multiply(h21, __m256i::splat(h2));
            let [h87, h65] = double(h43, h21);
            let [h16, h14] = double(h87, h65);
            let [h12, h10] = double(h65, h43);
            store(key, &[h16, h14, h12, h10, h87, h65, h43, h21], with_sums);
        }
        Depth::here()
    }
    // SAFETY: the token proves vpclmulqdq, pclmulqdq and avx2.
    unsafe { expand(h, key, with_sums) }
}

/// GHASH of data whose last block zeros fill. Short data has a function of its own, whose frame is
/// smaller: there the registers suffice.
macro_rules! update {
    ($name:ident, $token:ty, $register:ty, $features:literal) => {
        #[inline(always)]
        pub(crate) fn $name<const POLYVAL: bool>(
            _proof: $token,
            key: &GhashKey,
            y: &mut [u8; 16],
            data: &[u8],
        ) -> Depth {
            #[target_feature(enable = $features)]
            #[inline(never)]
            fn short<const POLYVAL: bool>(key: &GhashKey, y: &mut [u8; 16], data: &[u8]) -> Depth {
                // SAFETY: the function has the target features.
                unsafe {
                    let z = in_order::<_, POLYVAL>(__m128i::load(y.as_ptr()));
                    let z = few::<$register, POLYVAL>(key, <$register>::first(z), data);
                    in_order::<_, POLYVAL>(z).store(y.as_mut_ptr());
                }
                Depth::here()
            }
            #[target_feature(enable = $features)]
            #[inline(never)]
            fn long<const POLYVAL: bool>(key: &GhashKey, y: &mut [u8; 16], data: &[u8]) -> Depth {
                // SAFETY: the function has the target features.
                unsafe { many::<$register, POLYVAL>(key, y, data) };
                Depth::here()
            }
            if data.is_empty() {
                return Depth::NONE;
            }
            // SAFETY: the token proves the target features.
            unsafe {
                if data.len() < 16 * powers::<$register>() {
                    short::<POLYVAL>(key, y, data)
                } else {
                    long::<POLYVAL>(key, y, data)
                }
            }
        }
    };
}

update!(update_128, Clmul, __m128i, "pclmulqdq,ssse3,sse4.1");
update!(update_256, Vpclmul, __m256i, "vpclmulqdq,pclmulqdq,avx2");

/// Whole groups on 512 bits, and the rest on 256: fewer than sixteen blocks do not repay the wider
/// registers.
#[inline(always)]
pub(crate) fn update_512<const POLYVAL: bool>(
    proof: Vpclmul512,
    key: &GhashKey,
    y: &mut [u8; 16],
    data: &[u8],
) -> Depth {
    #[target_feature(enable = "vpclmulqdq,avx512f,avx512bw,avx512vl")]
    #[inline(never)]
    fn groups<const POLYVAL: bool>(key: &GhashKey, y: &mut [u8; 16], data: &[u8]) -> Depth {
        // SAFETY: the function has the target features.
        unsafe { lane_by_lane::<__m512i, 4, POLYVAL>(key, y, data) };
        Depth::here()
    }
    let (whole, rest) = data.split_at(data.len() - data.len() % 256);
    let mut depth = Depth::NONE;
    if !whole.is_empty() {
        // SAFETY: the token proves vpclmulqdq, and AVX-512 F, VL and BW.
        depth = unsafe { groups::<POLYVAL>(key, y, whole) };
    }
    depth.max(update_256::<POLYVAL>(proof.into(), key, y, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 512-bit kernel's order of work on the registers that this CPU has.
    #[test]
    fn lane_by_lane_is_group_by_group() {
        #[target_feature(enable = "vpclmulqdq,pclmulqdq,avx2")]
        fn on_256(key: &GhashKey, y: &mut [u8; 16], data: &[u8]) {
            // SAFETY: the function has the target features.
            unsafe { lane_by_lane::<__m256i, 8, false>(key, y, data) }
        }
        let Some(token) = Vpclmul::detect() else { return };
        let mut key = GhashKey::vacant();
        let h = core::array::from_fn(|i| (i * 83 + 29) as u8);
        cinder_burn::burn(key.rekey_with_kernel(&h, crate::Kernel::Vpclmulqdq256(token)));
        let data: [u8; 256 * 5] = core::array::from_fn(|i| (i * i + i * 31) as u8);
        for groups in 1..=5 {
            let (mut one, mut other) = ([0x5a; 16], [0x5a; 16]);
            let data = &data[..256 * groups];
            // SAFETY: the token proves the target features.
            unsafe { on_256(&key, &mut one, data) };
            cinder_burn::burn(update_256::<false>(token, &key, &mut other, data));
            assert_eq!(one, other, "{groups} groups");
        }
    }
}
