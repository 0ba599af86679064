//! AES-GCM (SP 800-38D) on x86-64 with the rounds of AES and the multiplications of GHASH
//! interleaved ("stitched"), for the CPUs' AES and carry-less multiplication instructions.
//!
//! Messages are bytes in place; blocks, counters, Y and tags are 16 bytes in the standard's
//! order; the counter is inc32, modulo 2^32 at every position in a batch.
//!
//! Constant time: yes. Nothing but lengths decides a branch or an address.
//!
//! Kernels: [`Kernel`], by width of register. They differ in the blocks of a turn (8, 16, 16),
//! the powers of H they keep (8, 16, 16) and in Karatsuba's multiplication (yes, yes, no).
//! Callers build J_0 with [`j0`]: the reason is there.
//!
//! # The field
//!
//! GCM numbers bits backwards: with the bytes of a block reversed and the result read as a
//! 128-bit integer, bit 127 - i is the coefficient of x^i. Carry-less multiplication of two such
//! integers gives the product shifted right by one: x^i x^j sits at 254 - i - j, where 255 - i - j
//! belongs. So one of the factors is kept divided by x, H^k / x for H^k: one bit further left,
//! and what falls out, x^-1, comes back as x^127 + x^6 + x + 1 (bits 0, 121, 126 and 127:
//! 0xc2000000_00000000_00000000_00000001).
//!
//! Then a product P = P_3 P_2 P_1 P_0 (words of 64 bits, P_0 the highest powers of x) is reduced
//! by adding multiples of the field's polynomial that clear P_0 and then P_1. The lowest word
//! holds x^192 to x^255. x^(128 + i) = x^i (1 + x + x^2 + x^7): the term 1 moves the word up by
//! two places, and the others, as an integer 0xc2 2^56, multiply it into the two words above:
//!
//! ```text
//! P_2 P_1  +=  P_0 P_0'   where P_0 P_0' = P_0 2^64 + P_0 * 0xc2 2^56
//! ```
//!
//! With a sum of products as low + middle 2^64 + high 2^128 (128 bits each) that is, twice over:
//!
//! ```text
//! middle += swap(low)    + low.low_half    * 0xc2 2^56
//! high   += swap(middle) + middle.low_half * 0xc2 2^56
//! ```
//!
//! where `swap` exchanges the halves: the upper half goes where it belongs, the lower half is the
//! term 1. `high` is the result. It works lane by lane; the sum of the lanes follows it.
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
//! # The turn
//!
//! A turn encrypts one batch of counters while it hashes one batch of blocks: decrypting, the
//! very blocks it is about to decrypt; encrypting, those of the turn before. So encryption has a
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
//! [`Keyed::open`] decrypts while it hashes. A pass of GHASH and then one of counter mode would
//! take 10 % (256-bit registers) to 35 % (512-bit) longer. It only computes the tag: the caller
//! compares it, in constant time, and if it differs wipes the text, or seals it again, which
//! makes it the ciphertext that it was.
//!
//! # Why so many powers
//!
//! Sixteen powers instead of eight save the wide kernels one reduction in two, a twentieth of
//! the loop, and cost some twelve nanoseconds when the key is set up.

#[cfg(test)]
mod tests;
mod x86_around;
mod x86_avx512;
mod x86_lanes;
mod x86_ni_clmul;
mod x86_vaes_vpclmul;

use cinder_burn::Depth;
use cinder_cpu::x86::{AesNi, Clmul, Vaes, Vaes512, Vpclmul, Vpclmul512};
use core::arch::x86_64::{_mm_set_epi64x, _mm_storeu_si128};
use core::fmt;
use core::marker::PhantomData;
use x86_around::Tail;

type Block = [u8; 16];

/// J_0 for an IV of 12 bytes: the IV, 0, 0, 0, 1.
///
/// Written with one store of 16 bytes, so that a load of 16 bytes right after it does not wait.
#[inline(always)]
pub(crate) fn j0(iv: &[u8; 12]) -> Block {
    let [a, b, c, d, e, f, g, h, rest @ ..] = *iv;
    let low = i64::from_le_bytes([a, b, c, d, e, f, g, h]);
    let high = i64::from(u32::from_le_bytes(rest)) | (1 << 56);
    let mut j0 = [0; 16];
    // SAFETY: SSE2 is part of x86-64; the store is as long as the array.
    unsafe { _mm_storeu_si128(j0.as_mut_ptr().cast(), _mm_set_epi64x(high, low)) };
    j0
}

/// x + x^2 + x^7 where the reduction wants them: 0xc2 2^56.
const FOLD: i64 = 0xc2_u64.rotate_left(56) as i64;

/// The ways to do it, each with the proof that this CPU can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// 128-bit registers.
    NiClmul(AesNi, Clmul),
    /// 256-bit registers, without AVX-512.
    VaesVpclmul(Vaes, Vpclmul),
    /// 512-bit registers.
    Avx512(Vaes512, Vpclmul512),
}

impl Kernel {
    /// Those that this CPU has, best first.
    pub fn available() -> impl Iterator<Item = Kernel> {
        let avx512 = Vaes512::detect().zip(Vpclmul512::detect());
        let avx2 = Vaes::detect().zip(Vpclmul::detect());
        let sse = AesNi::detect().zip(Clmul::detect());
        [
            avx512.map(|(aes, clmul)| Kernel::Avx512(aes, clmul)),
            avx2.map(|(aes, clmul)| Kernel::VaesVpclmul(aes, clmul)),
            sse.map(|(aes, clmul)| Kernel::NiClmul(aes, clmul)),
        ]
        .into_iter()
        .flatten()
    }

    /// The best that this CPU has.
    #[inline]
    pub fn best() -> Option<Kernel> {
        if let (Some(aes), Some(clmul)) = (Vaes512::detect(), Vpclmul512::detect()) {
            Some(Kernel::Avx512(aes, clmul))
        } else if let (Some(aes), Some(clmul)) = (Vaes::detect(), Vpclmul::detect()) {
            Some(Kernel::VaesVpclmul(aes, clmul))
        } else if let (Some(aes), Some(clmul)) = (AesNi::detect(), Clmul::detect()) {
            Some(Kernel::NiClmul(aes, clmul))
        } else {
            None
        }
    }

    /// Its name, for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::NiClmul(..) => "stitched, x86-ni-clmul",
            Kernel::VaesVpclmul(..) => "stitched, x86-vaes-vpclmul",
            Kernel::Avx512(..) => "stitched, x86-avx512",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// AES round keys of a legal count.
#[derive(Clone, Copy)]
struct Schedule<'a> {
    keys: *const Block,
    rounds: usize,
    borrow: PhantomData<&'a [Block]>,
}

impl<'a> Schedule<'a> {
    /// # Panics
    ///
    /// Unless there are 11, 13 or 15 round keys. [`aes_round_keys`](cinder_block::BlockEncrypt::aes_round_keys) has no
    /// other.
    #[inline(always)]
    fn new(keys: &'a [Block]) -> Self {
        assert!(matches!(keys.len(), 11 | 13 | 15), "AES has 11, 13 or 15 round keys");
        Schedule { keys: keys.as_ptr(), rounds: keys.len() - 1, borrow: PhantomData }
    }

    /// The first of `rounds() + 1` keys of 16 bytes.
    #[inline(always)]
    fn pointer(self) -> *const u8 {
        self.keys.cast()
    }

    #[inline(always)]
    fn rounds(self) -> usize {
        self.rounds
    }
}

/// Powers of H in the layout of the kernel that computed them.
#[repr(C, align(64))]
pub(crate) struct Key {
    /// H^8 / x or H^16 / x first, H / x after it in the end, bytes reversed; then three blocks or
    /// more of zeros, so that a register can be read from any power on.
    powers: [Block; 20],
    /// For Karatsuba: the halves of the powers added up, two and two packed into one register.
    middles: [Block; 8],
    kernel: Option<Kernel>,
}

impl Key {
    /// No key yet: all zeros, and safe to move.
    pub(crate) const fn vacant() -> Self {
        Key { powers: [[0; 16]; 20], middles: [[0; 16]; 8], kernel: None }
    }

    /// Computes H and its powers for the AES key whose round keys these are.
    ///
    /// # Panics
    ///
    /// Unless there are 11, 13 or 15 round keys.
    #[inline]
    pub(crate) fn rekey(&mut self, kernel: Kernel, round_keys: &[Block]) -> Depth {
        let keys = Schedule::new(round_keys);
        self.kernel = Some(kernel);
        // SAFETY: the kernel's tokens prove its target features.
        unsafe {
            match kernel {
                Kernel::NiClmul(..) => x86_ni_clmul::NiClmul::rekey(self, keys),
                Kernel::VaesVpclmul(..) => x86_vaes_vpclmul::VaesVpclmul::rekey(self, keys),
                Kernel::Avx512(..) => x86_avx512::Avx512::rekey(self, keys),
            }
        }
    }

    /// What a key can do, once it is there.
    #[inline]
    pub(crate) fn keyed(&self) -> Option<Keyed<'_>> {
        self.kernel.map(|kernel| Keyed { key: self, kernel })
    }

    /// The kernel whose layout the powers have.
    pub(crate) fn kernel(&self) -> Option<Kernel> {
        self.kernel
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.powers);
        cinder_burn::wipe(&mut self.middles);
    }
}

impl zeroize::ZeroizeOnDrop for Key {}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

/// A [`Key`] that has its powers.
///
/// Every method takes the round keys that the powers were computed from (11, 13 or 15; it panics
/// on another count), and returns how deep it went, for the caller to burn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyed<'a> {
    key: &'a Key,
    kernel: Kernel,
}

/// Calls the kernel's instance of a function that is generic over [`Engine`].
macro_rules! dispatch {
    ($self:ident, $function:ident($($argument:expr),*)) => {
        // SAFETY: the kernel's tokens prove its target features, and the key's powers are in its
        // layout.
        unsafe {
            match $self.kernel {
                Kernel::NiClmul(..) => {
                    $function::<x86_ni_clmul::NiClmul>($self.key, $($argument),*)
                }
                Kernel::VaesVpclmul(..) => {
                    $function::<x86_vaes_vpclmul::VaesVpclmul>($self.key, $($argument),*)
                }
                Kernel::Avx512(..) => $function::<x86_avx512::Avx512>($self.key, $($argument),*),
            }
        }
    };
}

impl Keyed<'_> {
    /// Encrypts `data` and computes the tag of it and of `aad`.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn seal(
        self,
        round_keys: &[Block],
        j0: &Block,
        aad: &[u8],
        data: &mut [u8],
        tag: &mut Block,
    ) -> Depth {
        let keys = Schedule::new(round_keys);
        dispatch!(self, message(keys, j0, aad, data, true, tag))
    }

    /// Decrypts `data` and computes the tag that it and `aad` should have. The caller compares. If
    /// the tag is another, it must wipe `data`, or [`seal`](Self::seal) it back to what it was.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn open(
        self,
        round_keys: &[Block],
        j0: &Block,
        aad: &[u8],
        data: &mut [u8],
        tag: &mut Block,
    ) -> Depth {
        let keys = Schedule::new(round_keys);
        dispatch!(self, message(keys, j0, aad, data, false, tag))
    }

    /// Encrypts blocks with the counters from `counter` on and hashes the ciphertext into `y`.
    /// `counter` becomes that of the next block.
    pub(crate) fn encrypt_blocks(
        self,
        round_keys: &[Block],
        counter: &mut Block,
        y: &mut Block,
        data: &mut [Block],
    ) -> Depth {
        let keys = Schedule::new(round_keys);
        dispatch!(self, blocks(keys, counter, y, data.as_flattened_mut(), true))
    }

    /// Hashes blocks of ciphertext into `y` and decrypts them with the counters from `counter`
    /// on. `counter` becomes that of the next block.
    pub(crate) fn decrypt_blocks(
        self,
        round_keys: &[Block],
        counter: &mut Block,
        y: &mut Block,
        data: &mut [Block],
    ) -> Depth {
        let keys = Schedule::new(round_keys);
        dispatch!(self, blocks(keys, counter, y, data.as_flattened_mut(), false))
    }

    /// GHASH of `data` alone into `y`; zeros fill the last block.
    pub(crate) fn hash(self, y: &mut Block, data: &[u8]) -> Depth {
        dispatch!(self, hash(y, data))
    }
}

/// The parts of a kernel, each a function of its own that has the target features.
///
/// # Safety
///
/// Each needs the kernel's target features and a key in the kernel's layout. `data` and `hash`
/// of `counter_turn` and `turns` are good for so many turns of `TURN` bytes; they may be the
/// same, or `hash` may be one turn before `data`.
trait Engine {
    /// Bytes of a turn of the loop, and the most that `wide` takes.
    const TURN: usize;
    /// The most bytes that `narrow` takes.
    const NARROW: usize;

    unsafe fn rekey(key: &mut Key, keys: Schedule<'_>) -> Depth;
    unsafe fn hash(key: &Key, y: &mut Block, data: &[u8]) -> Depth;
    unsafe fn narrow(key: &Key, keys: Schedule<'_>, tail: &mut Tail<'_>) -> Depth;
    unsafe fn wide(key: &Key, keys: Schedule<'_>, tail: &mut Tail<'_>) -> Depth;
    /// Counter mode alone, one turn.
    unsafe fn counter_turn(keys: Schedule<'_>, counter: Counter<'_>, data: *mut u8) -> Depth;
    /// Counter mode on `data` and GHASH of `hash` before it is overwritten.
    unsafe fn turns(
        key: &Key,
        keys: Schedule<'_>,
        counter: Counter<'_>,
        y: &mut Block,
        hash: *const u8,
        data: *mut u8,
        turns: usize,
    ) -> Depth;
}

/// A counter block and how far to count from it.
///
/// Counting happens in vector registers. In memory, a store of four bytes would make the load of
/// sixteen after it wait until the store has left for the cache: some fifteen cycles.
#[derive(Clone, Copy)]
struct Counter<'a> {
    block: &'a Block,
    ahead: u32,
}

impl Counter<'_> {
    /// inc32, `blocks` times; 2^32 blocks are none, so the count may be cut to 32 bits.
    #[inline(always)]
    fn plus(self, blocks: usize) -> Self {
        Counter { ahead: self.ahead.wrapping_add(blocks as u32), ..self }
    }
}

/// The depth of a kernel's function, and of its helpers where they are functions of their own: with
/// debug assertions, and without optimisation, where 512-bit operands and results all lie in
/// memory and the helpers' frames together exceed the margin.
#[inline(always)]
fn reached() -> Depth {
    let here = Depth::here();
    if cfg!(debug_assertions) {
        here.deeper(2560)
    } else if here == outlined_here() {
        here
    } else {
        here.deeper(4096)
    }
}

/// Inlined, and then equal to the caller's, if there is optimisation.
#[inline]
fn outlined_here() -> Depth {
    Depth::here()
}

/// inc32, `blocks` times.
#[inline(always)]
fn advance(counter: &mut Block, blocks: usize) {
    if let Some(low) = counter.last_chunk_mut::<4>() {
        *low = u32::from_be_bytes(*low).wrapping_add(blocks as u32).to_be_bytes();
    }
}

/// # Safety
///
/// As for [`Engine`].
#[inline]
unsafe fn hash<E: Engine>(key: &Key, y: &mut Block, data: &[u8]) -> Depth {
    // SAFETY: by the function's contract.
    unsafe { E::hash(key, y, data) }
}

/// As many whole turns as there are in `data`; returns what is left, and its counter.
///
/// # Safety
///
/// As for [`Engine`].
#[inline]
unsafe fn whole_turns<'a, E: Engine>(
    key: &Key,
    keys: Schedule<'_>,
    counter: Counter<'a>,
    y: &mut Block,
    data: &'a mut [u8],
    encrypt: bool,
) -> (&'a mut [u8], Counter<'a>, Depth) {
    let turns = data.len() / E::TURN;
    let (whole, rest) = data.split_at_mut(turns * E::TURN);
    if turns == 0 {
        return (rest, counter, Depth::NONE);
    }
    // SAFETY: by the function's contract; `whole` has `turns` turns, at least one.
    let depth = unsafe {
        let first = whole.as_mut_ptr();
        if encrypt {
            let depth = E::counter_turn(keys, counter, first);
            let counter = counter.plus(E::TURN / 16);
            let second = first.add(E::TURN);
            let turned = E::turns(key, keys, counter, y, first, second, turns - 1);
            let last = core::slice::from_raw_parts(first.add((turns - 1) * E::TURN), E::TURN);
            depth.max(turned).max(E::hash(key, y, last))
        } else {
            E::turns(key, keys, counter, y, first, first, turns)
        }
    };
    (rest, counter.plus(turns * (E::TURN / 16)), depth)
}

/// # Safety
///
/// As for [`Engine`]; `tail.data` is not longer than a turn.
#[inline(always)]
unsafe fn rest<E: Engine>(key: &Key, keys: Schedule<'_>, tail: &mut Tail<'_>) -> Depth {
    // SAFETY: by the function's contract.
    unsafe {
        if tail.data.len() <= E::NARROW {
            E::narrow(key, keys, tail)
        } else {
            E::wide(key, keys, tail)
        }
    }
}

/// A whole message.
///
/// # Safety
///
/// As for [`Engine`].
#[inline(always)]
unsafe fn message<E: Engine>(
    key: &Key,
    keys: Schedule<'_>,
    j0: &Block,
    aad: &[u8],
    data: &mut [u8],
    encrypt: bool,
    tag: &mut Block,
) -> Depth {
    let bits = [8 * aad.len() as u64, 8 * data.len() as u64];
    // Y until the end, so that there is one place for both.
    *tag = [0; 16];
    let mut counter = Counter { block: j0, ahead: 1 };
    let mut data = data;
    let mut depth = Depth::here();
    // SAFETY: by the function's contract; `whole_turns` leaves less than a turn.
    unsafe {
        if !aad.is_empty() {
            depth = depth.max(E::hash(key, tag, aad));
        }
        if data.len() > E::TURN {
            let turned;
            (data, counter, turned) = whole_turns::<E>(key, keys, counter, tag, data, encrypt);
            depth = depth.max(turned);
        }
        let mut tail = Tail { counter, y: tag, data, encrypt, bits: Some(bits) };
        depth.max(rest::<E>(key, keys, &mut tail))
    }
}

/// Whole blocks of a message of which more is to come.
///
/// # Safety
///
/// As for [`Engine`]; `data` is whole blocks.
#[inline]
unsafe fn blocks<E: Engine>(
    key: &Key,
    keys: Schedule<'_>,
    counter: &mut Block,
    y: &mut Block,
    data: &mut [u8],
    encrypt: bool,
) -> Depth {
    let count = data.len() / 16;
    let from = Counter { block: counter, ahead: 0 };
    // SAFETY: by the function's contract; `whole_turns` leaves less than a turn.
    let depth = unsafe {
        let (data, counter, depth) = whole_turns::<E>(key, keys, from, y, data, encrypt);
        if data.is_empty() {
            depth
        } else {
            let mut tail = Tail { counter, y, data, encrypt, bits: None };
            depth.max(rest::<E>(key, keys, &mut tail))
        }
    };
    advance(counter, count);
    depth.max(Depth::here())
}
