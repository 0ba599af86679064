//! AES with AES-NI on 128-bit registers, and with VAES on 256-bit and 512-bit ones, with two or four
//! blocks in each. Intel SDM, AESENC and VAESENC and their families.
//!
//! Round keys are the bytes of FIPS 197 (for decryption, of its equivalent inverse cipher,
//! first-used first); blocks are byte arrays of any alignment.
//!
//! Constant time: yes, these instructions take no time that depends on their operands.
//!
//! Where blocks are independent there are eight registers at a time, what a core with two AES units
//! of latency 3 or 4 asks for (four on 32-bit x86, which has eight registers in all). Their rounds
//! are in `asm!`: left to itself LLVM reorders eight interleaved chains into eight chains one after
//! the other. What is left of a call goes by four, two and one register, then in narrower ones;
//! those short runs of rounds overlap in the CPU by themselves. One chain of blocks gains nothing
//! from wide registers, and the kernels share the code for it.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::Depth;
use cinder_cpu::x86::AesNi;
#[cfg(target_arch = "x86_64")]
use cinder_cpu::x86::{Vaes, Vaes512};
use cinder_cpu::x86_lanes::Lanes;

// What `Parallel::run` does to each block.
const ENCRYPT: u8 = 0;
const DECRYPT: u8 = 1;
const CTR: u8 = 2;
const CBC_DECRYPT: u8 = 3;
const CFB_DECRYPT: u8 = 4;
const CTR_LITTLE_ENDIAN: u8 = 8;
const XEX_ENCRYPT: u8 = 9;
const XEX_DECRYPT: u8 = 10;
const XTS_ENCRYPT: u8 = 11;
const XTS_DECRYPT: u8 = 12;

// What `chain` does to each block.
const CBC_ENCRYPT: u8 = 5;
const CFB_ENCRYPT: u8 = 6;
const OFB: u8 = 7;

#[inline(always)]
pub(super) fn encrypt_blocks(
    token: impl Parallel,
    keys: &[[u8; 16]],
    blocks: &mut [[u8; 16]],
) -> Depth {
    token.run::<ENCRYPT>(keys, &mut [0; 16], &[], blocks)
}

#[inline(always)]
pub(super) fn decrypt_blocks(
    token: impl Parallel,
    keys: &[[u8; 16]],
    blocks: &mut [[u8; 16]],
) -> Depth {
    token.run::<DECRYPT>(keys, &mut [0; 16], &[], blocks)
}

#[inline(always)]
pub(super) fn ctr_xor(
    token: impl Parallel,
    keys: &[[u8; 16]],
    counter: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    token.run::<CTR>(keys, counter, &[], data)
}

#[inline(always)]
pub(super) fn ctr_xor_little_endian(
    token: impl Parallel,
    keys: &[[u8; 16]],
    counter: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    token.run::<CTR_LITTLE_ENDIAN>(keys, counter, &[], data)
}

/// What has no mask stays as it is.
#[inline(always)]
pub(super) fn xex_encrypt(
    token: impl Parallel,
    keys: &[[u8; 16]],
    base: &[u8; 16],
    masks: &[[u8; 16]],
    blocks: &mut [[u8; 16]],
) -> Depth {
    let count = blocks.len().min(masks.len());
    token.run::<XEX_ENCRYPT>(keys, &mut { *base }, masks, &mut blocks[..count])
}

/// As [`xex_encrypt`].
#[inline(always)]
pub(super) fn xex_decrypt(
    token: impl Parallel,
    keys: &[[u8; 16]],
    base: &[u8; 16],
    masks: &[[u8; 16]],
    blocks: &mut [[u8; 16]],
) -> Depth {
    let count = blocks.len().min(masks.len());
    token.run::<XEX_DECRYPT>(keys, &mut { *base }, masks, &mut blocks[..count])
}

#[inline(always)]
pub(super) fn xts_encrypt(
    token: impl Parallel,
    keys: &[[u8; 16]],
    mask: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    token.run::<XTS_ENCRYPT>(keys, mask, &[], blocks)
}

#[inline(always)]
pub(super) fn xts_decrypt(
    token: impl Parallel,
    keys: &[[u8; 16]],
    mask: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    token.run::<XTS_DECRYPT>(keys, mask, &[], blocks)
}

#[inline(always)]
pub(super) fn cbc_decrypt(
    token: impl Parallel,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    token.run::<CBC_DECRYPT>(keys, chain, &[], blocks)
}

#[inline(always)]
pub(super) fn cfb_decrypt(
    token: impl Parallel,
    keys: &[[u8; 16]],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    token.run::<CFB_DECRYPT>(keys, chain, &[], blocks)
}

#[inline(always)]
pub(super) fn encrypt_block<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    block: &mut [u8; 16],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { one::<false, N>(keys, block) }
}

#[inline(always)]
pub(super) fn decrypt_block<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    block: &mut [u8; 16],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { one::<true, N>(keys, block) }
}

#[inline(always)]
pub(super) fn cbc_encrypt<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::chain::<CBC_ENCRYPT, N>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn cbc_mac<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &[[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { mac(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn cfb_encrypt<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::chain::<CFB_ENCRYPT, N>(keys, chain, blocks) }
}

#[inline(always)]
pub(super) fn ofb_xor<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    data: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::chain::<OFB, N>(keys, chain, data) }
}

/// The key schedule of FIPS 197, 5.2. `key` has 16, 24 or 32 bytes, and `N`, the number of round
/// keys, goes with it.
#[inline(always)]
pub(super) fn expand<const N: usize>(_: AesNi, key: &[u8], keys: &mut [[u8; 16]; N]) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::schedule::expand(key, keys) }
}

/// The round keys of the equivalent inverse cipher, FIPS 197, 5.3.5, in the order of their use.
#[inline(always)]
pub(super) fn invert<const N: usize>(
    _: AesNi,
    keys: &[[u8; 16]; N],
    inverse: &mut [[u8; 16]; N],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    unsafe { self::schedule::invert(keys, inverse) }
}

/// A kernel for blocks that are independent: the token of a CPU with AES on registers of some width.
pub(super) trait Parallel {
    /// Does `OP` to any count of blocks. XEX has as many masks.
    fn run<const OP: u8>(
        self,
        keys: &[[u8; 16]],
        chain_or_counter: &mut [u8; 16],
        masks: &[[u8; 16]],
        blocks: &mut [[u8; 16]],
    ) -> Depth;
}

/// The kernel of registers of one width.
macro_rules! parallel {
    ($token:ty, $register:ty, $features:literal) => {
        impl Parallel for $token {
            #[inline(always)]
            fn run<const OP: u8>(
                self,
                keys: &[[u8; 16]],
                chain_or_counter: &mut [u8; 16],
                masks: &[[u8; 16]],
                blocks: &mut [[u8; 16]],
            ) -> Depth {
                #[inline(never)]
                #[target_feature(enable = $features)]
                fn run<const OP: u8>(
                    keys: &[[u8; 16]],
                    chain_or_counter: &mut [u8; 16],
                    masks: &[[u8; 16]],
                    blocks: &mut [[u8; 16]],
                ) -> Depth {
                    // SAFETY: the function has the target features.
                    unsafe { any_count::<$register, OP>(keys, chain_or_counter, masks, blocks) };
                    Depth::here()
                }
                // SAFETY: the token proves the target features.
                unsafe { run::<OP>(keys, chain_or_counter, masks, blocks) }
            }
        }
    };
}

parallel!(AesNi, __m128i, "aes,ssse3,sse4.1");
#[cfg(target_arch = "x86_64")]
parallel!(Vaes, __m256i, "vaes,avx2,aes");
#[cfg(target_arch = "x86_64")]
parallel!(Vaes512, __m512i, "vaes,avx512f,avx512bw,avx512dq,avx512vl,aes");

/// Does `OP` to all blocks, as many registers at a time as are useful.
///
/// # Safety
///
/// As for [`Lanes`] and all registers that are not wider than `V`.
#[inline(always)]
unsafe fn any_count<V: Rounds, const OP: u8>(
    keys: &[[u8; 16]],
    chain_or_counter: &mut [u8; 16],
    masks: &[[u8; 16]],
    blocks: &mut [[u8; 16]],
) {
    // SAFETY: by the function's contract; the pointers are good for as many bytes as they say.
    unsafe {
        let mut message = Message {
            chain_or_counter: load_halves(chain_or_counter),
            masks: masks.as_ptr().cast(),
            at: blocks.as_mut_ptr().cast(),
            left: blocks.as_flattened().len(),
        };
        if OP == CTR {
            message.chain_or_counter = message.chain_or_counter.swap_bytes();
        }
        if cfg!(target_arch = "x86_64") {
            message.advance::<V, OP, 8>(keys);
        }
        message.advance::<V, OP, 4>(keys);
        message.advance::<V, OP, 2>(keys);
        message.advance::<V, OP, 1>(keys);
        if V::LANES > 2 {
            message.advance::<__m256i, OP, 1>(keys);
        }
        if V::LANES > 1 {
            message.advance::<__m128i, OP, 1>(keys);
        }
        if OP == CTR {
            message.chain_or_counter = message.chain_or_counter.swap_bytes();
        }
        message.chain_or_counter.store(chain_or_counter.as_mut_ptr());
    }
}

/// What is left of a call.
struct Message {
    /// The ciphertext block before `at`; or the counter, if it is big endian with its bytes reversed:
    /// the four bytes that count are then the lowest 32-bit word; or what XEX adds to each mask; or the
    /// mask of XTS at `at`.
    chain_or_counter: __m128i,
    /// Of XEX, for the blocks from `at` on.
    masks: *const u8,
    at: *mut u8,
    /// Bytes, a multiple of 16.
    left: usize,
}

impl Message {
    /// Does `OP` to `W` registers of blocks as long as so many are left.
    ///
    /// # Safety
    ///
    /// As for [`Lanes`]; `left` bytes from `at` on may be read and written, and, for XEX, as many from
    /// `masks` on read.
    #[inline(always)]
    unsafe fn advance<V: Rounds, const OP: u8, const W: usize>(&mut self, keys: &[[u8; 16]]) {
        if self.left < W * V::WIDTH {
            return;
        }
        // SAFETY: by the function's contract.
        let mut xts = unsafe {
            match OP {
                XTS_ENCRYPT | XTS_DECRYPT => doubled_by_lane(self.chain_or_counter),
                _ => V::first(self.chain_or_counter),
            }
        };
        while self.left >= W * V::WIDTH {
            // SAFETY: by the function's contract.
            unsafe {
                step::<V, OP, W>(keys, &mut self.chain_or_counter, &mut xts, self.masks, self.at);
                if matches!(OP, XEX_ENCRYPT | XEX_DECRYPT) {
                    self.masks = self.masks.add(W * V::WIDTH);
                }
                self.at = self.at.add(W * V::WIDTH);
            }
            self.left -= W * V::WIDTH;
        }
        if matches!(OP, XTS_ENCRYPT | XTS_DECRYPT) {
            // SAFETY: by the function's contract; the first lane is the first block.
            self.chain_or_counter = unsafe {
                let mut lanes = [0; 64];
                xts.store(lanes.as_mut_ptr());
                __m128i::load(lanes.as_ptr())
            };
        }
    }
}

/// Does `OP` to `W` registers of blocks.
///
/// # Safety
///
/// As for [`Lanes`]; that many bytes may be read and written, and of XEX's masks read.
#[inline(always)]
unsafe fn step<V: Rounds, const OP: u8, const W: usize>(
    keys: &[[u8; 16]],
    chain_or_counter: &mut __m128i,
    xts: &mut V,
    masks: *const u8,
    blocks: *mut u8,
) {
    let [first, middle @ .., last] = keys else { return };
    let mut last = last;
    // SAFETY: by the function's contract.
    unsafe {
        let mut first = __m128i::load(first.as_ptr());
        let last_with_base: [u8; 16];
        if matches!(OP, XEX_ENCRYPT | XEX_DECRYPT) {
            // What each mask has added goes into the first and the last key.
            first = first.xor(*chain_or_counter);
            let mut bytes = [0; 16];
            __m128i::load(last.as_ptr()).xor(*chain_or_counter).store(bytes.as_mut_ptr());
            last_with_base = bytes;
            last = &last_with_base;
        }
        let first = V::splat(first);
        let mut state = [first; W];
        let mut xts_masks = [first; W];
        if matches!(OP, XTS_ENCRYPT | XTS_DECRYPT) {
            for mask in &mut xts_masks {
                *mask = *xts;
                *xts = doubled(*xts, V::LANES as u32);
            }
        }
        let mut counters = V::splat(*chain_or_counter).add32(V::lane_numbers());
        for (i, s) in state.iter_mut().enumerate() {
            let input = match OP {
                CTR => counters.swap_bytes(),
                CTR_LITTLE_ENDIAN => counters,
                XEX_ENCRYPT | XEX_DECRYPT => {
                    V::load(blocks.add(i * V::WIDTH)).xor(V::load(masks.add(i * V::WIDTH)))
                }
                XTS_ENCRYPT | XTS_DECRYPT => V::load(blocks.add(i * V::WIDTH)).xor(xts_masks[i]),
                CFB_DECRYPT => before(blocks, i, *chain_or_counter),
                _ => V::load(blocks.add(i * V::WIDTH)),
            };
            counters = counters.add32(V::lane_count());
            *s = s.xor(input);
        }
        match OP {
            DECRYPT | CBC_DECRYPT | XEX_DECRYPT | XTS_DECRYPT => {
                rounds::<V, true, W>(middle, last, &mut state)
            }
            _ => rounds::<V, false, W>(middle, last, &mut state),
        }
        let former = *chain_or_counter;
        match OP {
            CTR | CTR_LITTLE_ENDIAN => {
                let count = _mm_cvtsi32_si128((W * V::LANES) as i32);
                *chain_or_counter = former.add32(count);
            }
            CBC_DECRYPT | CFB_DECRYPT => {
                *chain_or_counter = __m128i::load(blocks.add(W * V::WIDTH - 16));
            }
            _ => {}
        }
        for i in 0..W {
            // From the last to the first, where the ciphertext before what is written is still read.
            let i = if OP == CBC_DECRYPT { W - 1 - i } else { i };
            let (s, block) = (state[i], blocks.add(i * V::WIDTH));
            let output = match OP {
                CTR | CTR_LITTLE_ENDIAN | CFB_DECRYPT => s.xor(V::load(block)),
                XEX_ENCRYPT | XEX_DECRYPT => s.xor(V::load(masks.add(i * V::WIDTH))),
                XTS_ENCRYPT | XTS_DECRYPT => s.xor(xts_masks[i]),
                CBC_DECRYPT => s.xor(before(blocks, i, former)),
                _ => s,
            };
            output.store(block);
        }
    }
}

/// The block in the first lane, and in each further one the double of the lane before.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn doubled_by_lane<V: Lanes>(block: __m128i) -> V {
    // SAFETY: by the function's contract; four blocks are a register at least.
    unsafe {
        let mut lanes = [block; 4];
        for i in 1..V::LANES {
            lanes[i] = doubled(lanes[i - 1], 1);
        }
        V::load(lanes.as_ptr().cast())
    }
}

/// Each lane times x^`bits`, 1 to 32, in XTS's field: a shift to the left, and what goes out, c, comes
/// down as c·(x^7 + x^2 + x + 1).
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn doubled<V: Lanes>(x: V, bits: u32) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        // What each half loses is the other's: the low half's c.
        let out = x.shift_right64(64 - bits).swap_halves();
        let low = out.low_halves(out.xor(out));
        let down = low.shift_left64(1).xor(low.shift_left64(2)).xor(low.shift_left64(7));
        x.shift_left64(bits).xor(out).xor(down)
    }
}

/// For each block of register `i` the ciphertext block before it; before the first one stands
/// `chain`.
///
/// # Safety
///
/// As for [`Lanes`]; so many bytes may be read.
#[inline(always)]
unsafe fn before<V: Lanes>(blocks: *const u8, i: usize, chain: __m128i) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        if i == 0 {
            V::load(blocks).preceded_by(V::splat(chain))
        } else {
            V::load(blocks.add(i * V::WIDTH - 16))
        }
    }
}

/// The rounds after the first AddRoundKey, on `W` registers. `middle` has 9, 11 or 13 keys.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn rounds<V: Rounds, const INVERSE: bool, const W: usize>(
    middle: &[[u8; 16]],
    last: &[u8; 16],
    state: &mut [V; W],
) {
    let Some((more, nine)) = middle.split_last_chunk::<9>() else { return };
    // SAFETY: by the function's contract.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if let Ok(state) = <&mut [V; 8]>::try_from(&mut state[..]) {
            return V::eight::<INVERSE>(middle, last, state);
        }
        // Two and nine, which the optimiser spells out: a short call takes as long as its
        // instructions, and a loop of so few rounds has half as many again.
        for two in more.as_chunks::<2>().0 {
            for key in two {
                round::<V, INVERSE, W>(key, state);
            }
        }
        for key in nine {
            round::<V, INVERSE, W>(key, state);
        }
        let key = V::splat(__m128i::load(last.as_ptr()));
        for s in state.iter_mut() {
            *s = if INVERSE { s.aes_last_inverse_round(key) } else { s.aes_last_round(key) };
        }
    }
}

/// One of the rounds in the middle.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn round<V: Rounds, const INVERSE: bool, const W: usize>(
    key: &[u8; 16],
    state: &mut [V; W],
) {
    // SAFETY: by the function's contract.
    unsafe {
        let key = V::splat(__m128i::load(key.as_ptr()));
        for s in state.iter_mut() {
            *s = if INVERSE { s.aes_inverse_round(key) } else { s.aes_round(key) };
        }
    }
}

/// 32-bit x86 has no room for eight registers at a time.
#[cfg(target_arch = "x86")]
use cinder_cpu::x86_lanes::Lanes as Rounds;

/// Registers whose rounds are interleaved, eight at a time.
#[cfg(target_arch = "x86_64")]
trait Rounds: Lanes {
    /// The rounds after the first AddRoundKey. `middle` is not empty.
    ///
    /// # Safety
    ///
    /// As for [`Lanes`].
    unsafe fn eight<const INVERSE: bool>(
        middle: &[[u8; 16]],
        last: &[u8; 16],
        state: &mut [Self; 8],
    );
}

/// `$round` of eight registers with `{k}`.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
macro_rules! each {
    (sse $round:literal) => {
        concat!(
            $round, " {a}, {k}\n", $round, " {b}, {k}\n", $round, " {c}, {k}\n",
            $round, " {d}, {k}\n", $round, " {e}, {k}\n", $round, " {f}, {k}\n",
            $round, " {g}, {k}\n", $round, " {h}, {k}"
        )
    };
    (avx $round:literal) => {
        concat!(
            "v", $round, " {a}, {a}, {k}\nv", $round, " {b}, {b}, {k}\nv",
            $round, " {c}, {c}, {k}\nv", $round, " {d}, {d}, {k}\nv",
            $round, " {e}, {e}, {k}\nv", $round, " {f}, {f}, {k}\nv",
            $round, " {g}, {g}, {k}\nv", $round, " {h}, {h}, {k}"
        )
    };
}

/// One pass over the middle keys and the last one.
#[cfg(target_arch = "x86_64")]
macro_rules! pass {
    (
        $register:ty, $class:ident, $form:ident, $load:literal,
        $round:literal, $last_round:literal, $middle:ident, $last:ident, $state:ident
    ) => {{
        let [a, b, c, d, e, f, g, h] = $state;
        // Typed: for `_` rustc picks a type of its own, which with AVX512-FP16 for the whole crate
        // gets no vector register (1.95).
        let _key: $register;
        // SAFETY: reads `$middle`, which is not empty, and `$last`; the function has the target
        // features.
        unsafe {
            core::arch::asm!(
                "2:",
                concat!($load, " [{key}]"),
                "add {key}, 16",
                each!($form $round),
                "cmp {key}, {end}",
                "jne 2b",
                concat!($load, " [{last}]"),
                each!($form $last_round),
                key = inout(reg) $middle.as_ptr() => _,
                end = in(reg) $middle.as_ptr_range().end,
                last = in(reg) $last,
                k = out($class) _key,
                a = inout($class) *a, b = inout($class) *b,
                c = inout($class) *c, d = inout($class) *d,
                e = inout($class) *e, f = inout($class) *f,
                g = inout($class) *g, h = inout($class) *h,
                options(pure, readonly, nostack),
            );
        }
    }};
}

/// Registers of a class; `$load` brings a round key into all lanes.
#[cfg(target_arch = "x86_64")]
macro_rules! eight {
    ($register:ty, $class:ident, $features:literal, $form:ident, $load:literal) => {
        impl Rounds for $register {
            #[inline]
            #[target_feature(enable = $features)]
            unsafe fn eight<const INVERSE: bool>(
                middle: &[[u8; 16]],
                last: &[u8; 16],
                state: &mut [Self; 8],
            ) {
                if INVERSE {
                    pass!(
                        $register,
                        $class,
                        $form,
                        $load,
                        "aesdec",
                        "aesdeclast",
                        middle,
                        last,
                        state
                    )
                } else {
                    pass!(
                        $register,
                        $class,
                        $form,
                        $load,
                        "aesenc",
                        "aesenclast",
                        middle,
                        last,
                        state
                    )
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
eight!(__m128i, xmm_reg, "aes", sse, "movups {k},");
#[cfg(target_arch = "x86_64")]
eight!(__m256i, ymm_reg, "vaes,avx2", avx, "vbroadcasti128 {k}, xmmword ptr");
#[cfg(target_arch = "x86_64")]
eight!(__m512i, zmm_reg, "vaes,avx512f", avx, "vbroadcasti32x4 {k}, xmmword ptr");

/// One block, with the rounds unrolled.
#[inline(never)]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn one<const INVERSE: bool, const N: usize>(keys: &[[u8; 16]; N], block: &mut [u8; 16]) -> Depth {
    let mut state = [_mm_xor_si128(load(&keys[0]), load(block))];
    // SAFETY: the function has the target features.
    unsafe { rounds::<__m128i, INVERSE, 1>(&keys[1..N - 1], &keys[N - 1], &mut state) };
    store(block, state[0]);
    Depth::here()
}

/// The modes in which a block waits for the one before it.
///
/// With X_j the cipher's input for block j, the chain runs through s_j = X_j ⊕ K_0. What joins
/// two blocks goes into the last round's key, so that between the last AESENCLAST of a block and
/// the first AESENC of the next there is no XOR to wait for:
///
/// - CBC: X_{j+1} = C_j ⊕ P_{j+1}, so s_{j+1} = LastRound(…) ⊕ (K_Nr ⊕ K_0 ⊕ P_{j+1});
/// - CFB: X_{j+1} = C_j = E(X_j) ⊕ P_j, so s_{j+1} = LastRound(…) ⊕ (K_Nr ⊕ K_0 ⊕ P_j);
/// - OFB: X_{j+1} = E(X_j), so s_{j+1} = LastRound(…) ⊕ (K_Nr ⊕ K_0).
#[inline(never)]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn chain<const OP: u8, const N: usize>(
    keys: &[[u8; 16]; N],
    chain: &mut [u8; 16],
    blocks: &mut [[u8; 16]],
) -> Depth {
    let first = load(&keys[0]);
    let joint = _mm_xor_si128(first, load(&keys[N - 1]));
    let mut state = _mm_xor_si128(first, load_halves(chain));
    if let (CBC_ENCRYPT, Some(block)) = (OP, blocks.first()) {
        state = _mm_xor_si128(state, load(block));
    }
    for i in 0..blocks.len() {
        for key in &keys[1..N - 1] {
            state = _mm_aesenc_si128(state, load(key));
        }
        let data = match OP {
            // After the last block nothing joins: the state is then C_j ⊕ K_0.
            CBC_ENCRYPT => blocks.get(i + 1).map_or(_mm_setzero_si128(), |block| load(block)),
            _ => load(&blocks[i]),
        };
        let output;
        if OP == OFB {
            state = _mm_aesenclast_si128(state, joint);
            output = _mm_xor_si128(_mm_xor_si128(state, first), data);
        } else {
            state = _mm_aesenclast_si128(state, _mm_xor_si128(joint, data));
            output = match OP {
                CBC_ENCRYPT => _mm_xor_si128(state, _mm_xor_si128(first, data)),
                _ => _mm_xor_si128(state, first),
            };
        }
        store(&mut blocks[i], output);
    }
    store(chain, _mm_xor_si128(state, first));
    Depth::here()
}

#[inline]
#[target_feature(enable = "sse2")]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: 16 bytes are readable there, and the load is for any alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// What somebody has just stored, maybe in two halves: a load of 16 bytes would wait until both have
/// left the store buffer. Volatile, for LLVM would make one load of the two.
#[inline]
#[target_feature(enable = "sse2")]
fn load_halves(bytes: &[u8; 16]) -> __m128i {
    #[repr(C, packed)]
    struct Half(i64);
    let at = bytes.as_ptr().cast::<Half>();
    // SAFETY: 16 bytes are readable there, and a packed struct has any alignment.
    let (low, high) = unsafe { (at.read_volatile(), at.add(1).read_volatile()) };
    _mm_set_epi64x(high.0, low.0)
}

#[inline]
#[target_feature(enable = "sse2")]
fn store(bytes: &mut [u8; 16], value: __m128i) {
    // SAFETY: 16 bytes are writable there, and the store is for any alignment.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), value) }
}

mod schedule {
    use super::*;

    /// The round keys of which each has four words more than the one before: all of AES-128's, and
    /// every other one of AES-256's.
    ///
    /// A round key is (w0, w1, w2, w3) with w0' = w0 ⊕ s and wi' = wi ⊕ w(i-1)', where s comes from
    /// SubWord. Call the last word of key j t_j. Then w2 = t_j ⊕ t_(j-1), w1 = w2 ⊕ w2 of the key
    /// before = t_j ⊕ t_(j-2), w0 = t_j ⊕ t_(j-1) ⊕ t_(j-2) ⊕ t_(j-3), and so
    ///
    /// t_(j+1) = t_(j-3) ⊕ s.
    ///
    /// In AES-128 s = SubWord(RotWord(t_j)) ⊕ Rcon. Four times RotWord is nothing, so for
    /// T_j = RotWord^(-j)(t_j), as SubWord takes each byte by itself,
    ///
    /// T_(j+1) = SubWord(T_j) ⊕ T_(j-3) ⊕ RotWord^(-j-1)(Rcon),
    ///
    /// which is one AESENCLAST: it is SubBytes, ShiftRows, which does nothing to four equal columns,
    /// and the XOR of a key. One waits for the other and for nothing else. In AES-256 the two halves
    /// of the key take turns, t by SubWord(RotWord(u)) ⊕ Rcon and u by SubWord(t), which with
    /// U_j = RotWord^(-j)(u_j) is the same.
    struct Words {
        /// T_(j-3) to T_j, each in all four columns.
        chain: [__m128i; 4],
        /// t_j in all four columns.
        last: __m128i,
        /// e_(j-1) and e_j; e_j is (t_j ⊕ t_(j-1), t_j) twice. A round key is e_j and, in its first
        /// two words, e_(j-2) too.
        pairs: [__m128i; 2],
    }

    impl Words {
        /// j = 0.
        #[inline]
        #[target_feature(enable = "ssse3")]
        fn new(key: __m128i) -> Self {
            // (…, w1 ⊕ w2, w2 ⊕ w3, w3), (…, w1 ⊕ w3, …) and (w0 ⊕ w1 ⊕ w2 ⊕ w3, …).
            let near = _mm_xor_si128(key, _mm_srli_si128::<4>(key));
            let far = _mm_xor_si128(key, _mm_srli_si128::<8>(key));
            let all = _mm_xor_si128(far, _mm_srli_si128::<4>(far));
            let last = column(key, 3, 0);
            Words {
                chain: [column(all, 0, 3), column(far, 1, 2), column(near, 2, 1), last],
                last,
                pairs: [_mm_srli_si128::<4>(near), _mm_unpackhi_epi64(key, key)],
            }
        }

        /// Round key `j`, where `input` is what SubWord takes.
        #[inline]
        #[target_feature(enable = "aes,ssse3")]
        fn next(&mut self, j: usize, input: __m128i, rcon: u8) -> __m128i {
            let j = j as u32 % 4;
            let [oldest, a, b, c] = self.chain;
            let rcon = _mm_set1_epi32((u32::from(rcon) << (8 * j)) as i32);
            let new = _mm_aesenclast_si128(input, _mm_xor_si128(oldest, rcon));
            self.chain = [a, b, c, new];

            let last = column(new, 0, j);
            let pair = _mm_xor_si128(last, _mm_srli_epi64::<32>(self.last));
            let [older, old] = self.pairs;
            self.last = last;
            self.pairs = [old, pair];
            _mm_xor_si128(pair, _mm_move_epi64(older))
        }

        /// T_j.
        #[inline]
        fn newest(&self) -> __m128i {
            self.chain[3]
        }
    }

    /// RotWord^`rot` of a column, in all four.
    #[inline]
    #[target_feature(enable = "ssse3")]
    fn column(x: __m128i, column: u32, rot: u32) -> __m128i {
        // RotWord: the bytes (a0, a1, a2, a3) become (a1, a2, a3, a0).
        let bytes = 0x0302_0100_u32.rotate_right(8 * rot) + 0x0404_0404 * column;
        _mm_shuffle_epi8(x, _mm_set1_epi32(bytes as i32))
    }

    /// SubWord(RotWord(w)) ⊕ Rcon in all four columns, where w is column 1. By AESENCLAST, which is
    /// several times faster than AESKEYGENASSIST.
    #[inline]
    #[target_feature(enable = "aes,ssse3")]
    fn sub_word(x: __m128i, rcon: u8) -> __m128i {
        _mm_aesenclast_si128(column(x, 1, 1), _mm_set1_epi32(rcon.into()))
    }

    /// Column i becomes the sum of the columns 0 to i.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn sums(x: __m128i) -> __m128i {
        let x = _mm_xor_si128(x, _mm_slli_si128::<4>(x));
        _mm_xor_si128(x, _mm_slli_si128::<8>(x))
    }

    #[inline(never)]
    #[target_feature(enable = "aes,ssse3,sse4.1")]
    pub(super) fn expand<const N: usize>(key: &[u8], keys: &mut [[u8; 16]; N]) -> Depth {
        // FIPS 197, table 5: x^(j-1) in GF(2^8), from j = 1 on.
        const RCON: [u8; 11] = [0, 1, 2, 4, 8, 16, 32, 64, 0x80, 0x1b, 0x36];
        match (N, key.as_chunks::<8>().0) {
            (11, &[k0, k1]) => {
                let key = join(k0, k1);
                let mut words = Words::new(key);
                store(&mut keys[0], key);
                for (to, j) in keys[1..].iter_mut().zip(1..) {
                    store(to, words.next(j, words.newest(), RCON[j]));
                }
            }
            (13, &[k0, k1, k2]) => {
                let mut a = join(k0, k1);
                let mut b = join(k2, [0; 8]);
                // Six words, (a0, a1, a2, a3, b0, b1), a step: three half keys.
                let halves = keys.as_flattened_mut().as_chunks_mut::<8>().0;
                for (halves, rcon) in halves.chunks_mut(3).zip(&RCON[1..]) {
                    let words = [a, _mm_unpackhi_epi64(a, a), b];
                    for (half, word) in halves.iter_mut().zip(words) {
                        // SAFETY: 8 bytes are writable there, at any alignment.
                        unsafe { _mm_storeu_si64(half.as_mut_ptr(), word) };
                    }
                    a = _mm_xor_si128(sums(a), sub_word(b, *rcon));
                    b = _mm_xor_si128(b, _mm_slli_si128::<4>(b));
                    b = _mm_xor_si128(b, _mm_shuffle_epi32::<0xff>(a));
                }
            }
            (15, &[k0, k1, k2, k3]) => {
                let (a, b) = (join(k0, k1), join(k2, k3));
                let (mut t, mut u) = (Words::new(a), Words::new(b));
                store(&mut keys[0], a);
                store(&mut keys[1], b);
                for (pair, j) in keys[2..].chunks_mut(2).zip(1..) {
                    let [first, second @ ..] = pair else { break };
                    store(first, t.next(j, u.newest(), RCON[j]));
                    if let [second] = second {
                        store(second, u.next(j, t.newest(), 0));
                    }
                }
            }
            _ => {}
        }
        Depth::here()
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn join(low: [u8; 8], high: [u8; 8]) -> __m128i {
        _mm_set_epi64x(i64::from_le_bytes(high), i64::from_le_bytes(low))
    }

    #[inline(never)]
    #[target_feature(enable = "aes,ssse3,sse4.1")]
    pub(super) fn invert<const N: usize>(
        keys: &[[u8; 16]; N],
        inverse: &mut [[u8; 16]; N],
    ) -> Depth {
        for (i, (to, from)) in inverse.iter_mut().zip(keys.iter().rev()).enumerate() {
            let key = load(from);
            store(to, if i == 0 || i == N - 1 { key } else { _mm_aesimc_si128(key) });
        }
        Depth::here()
    }
}

/// CBC-MAC, as [`chain`] has CBC: C_j = E(C_(j-1) ⊕ P_j), of which the last is kept.
#[inline(never)]
#[target_feature(enable = "aes,ssse3,sse4.1")]
fn mac<const N: usize>(keys: &[[u8; 16]; N], chain: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
    let Some((block, later)) = blocks.split_first() else { return Depth::here() };
    let first = load(&keys[0]);
    let joint = _mm_xor_si128(first, load(&keys[N - 1]));
    let mut state = _mm_xor_si128(_mm_xor_si128(first, load(chain)), load(block));
    for block in later {
        for key in &keys[1..N - 1] {
            state = _mm_aesenc_si128(state, load(key));
        }
        state = _mm_aesenclast_si128(state, _mm_xor_si128(joint, load(block)));
    }
    for key in &keys[1..N - 1] {
        state = _mm_aesenc_si128(state, load(key));
    }
    store(chain, _mm_aesenclast_si128(state, load(&keys[N - 1])));
    Depth::here()
}
