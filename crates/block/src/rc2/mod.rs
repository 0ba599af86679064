//! RC2, for old data alone, and with 40 bits broken: take AES. RFC 2268.
//!
//! Blocks of 8 bytes, words of 16 bits, little endian; keys of 1 to 128 bytes, whose search space
//! is reduced to 1 to 1024 *effective bits*, a separate argument. 16 mixing rounds with a mashing
//! round after the fifth and the eleventh.
//!
//! Constant time: yes. The mashing rounds look up one of 64 subkeys by secret data, and the key
//! expansion one of 256 bytes; both read the whole table, and choose halves by masks that the
//! compiler cannot tell for masks ([`opaque`]). With AVX-512 an instruction looks up.
//!
//! One code for one block and for several at a time: loops over lanes, which the compiler turns
//! into 16-bit vector instructions where the target has them. Without AVX-512 the look-ups make a block
//! alone slower than an index would, and many at a time several times faster.
//!
//! | [`Kernel`] | where | blocks at a time |
//! |---|---|---|
//! | `Avx512` | x86-64 with AVX-512 | 64 and 32 |
//! | `Portable` | everywhere | 32 and 8 with SSE2 or NEON, else 2 or 1 |
//!
//! A block of 64 bits repeats among 2^32 blocks by the birthday bound (Sweet32), and 40 effective
//! bits fall to exhaustive search: RC2 is here for PKCS#12 and S/MIME data of its time.

#![allow(clippy::needless_range_loop, reason = "a lane runs through four words at once")]

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86_avx512;

use core::ops::{BitAnd, BitXor};

use crate::lanes::{VECTOR, VECTORS, WIDE, each_width};
use crate::permutation::{Permutation, block_traits};
use crate::slot::by_value;
use crate::{Depth, InPlace, KeyError, Refusal, Vacancy};
use cinder_burn::{opaque, opaque_word};
use core::{array, fmt};

/// RFC 2268, section 2: a random permutation of the bytes, derived from the expansion of pi.
#[rustfmt::skip]
static PITABLE: [u8; 256] = [
    0xd9, 0x78, 0xf9, 0xc4, 0x19, 0xdd, 0xb5, 0xed, 0x28, 0xe9, 0xfd, 0x79, 0x4a, 0xa0, 0xd8, 0x9d,
    0xc6, 0x7e, 0x37, 0x83, 0x2b, 0x76, 0x53, 0x8e, 0x62, 0x4c, 0x64, 0x88, 0x44, 0x8b, 0xfb, 0xa2,
    0x17, 0x9a, 0x59, 0xf5, 0x87, 0xb3, 0x4f, 0x13, 0x61, 0x45, 0x6d, 0x8d, 0x09, 0x81, 0x7d, 0x32,
    0xbd, 0x8f, 0x40, 0xeb, 0x86, 0xb7, 0x7b, 0x0b, 0xf0, 0x95, 0x21, 0x22, 0x5c, 0x6b, 0x4e, 0x82,
    0x54, 0xd6, 0x65, 0x93, 0xce, 0x60, 0xb2, 0x1c, 0x73, 0x56, 0xc0, 0x14, 0xa7, 0x8c, 0xf1, 0xdc,
    0x12, 0x75, 0xca, 0x1f, 0x3b, 0xbe, 0xe4, 0xd1, 0x42, 0x3d, 0xd4, 0x30, 0xa3, 0x3c, 0xb6, 0x26,
    0x6f, 0xbf, 0x0e, 0xda, 0x46, 0x69, 0x07, 0x57, 0x27, 0xf2, 0x1d, 0x9b, 0xbc, 0x94, 0x43, 0x03,
    0xf8, 0x11, 0xc7, 0xf6, 0x90, 0xef, 0x3e, 0xe7, 0x06, 0xc3, 0xd5, 0x2f, 0xc8, 0x66, 0x1e, 0xd7,
    0x08, 0xe8, 0xea, 0xde, 0x80, 0x52, 0xee, 0xf7, 0x84, 0xaa, 0x72, 0xac, 0x35, 0x4d, 0x6a, 0x2a,
    0x96, 0x1a, 0xd2, 0x71, 0x5a, 0x15, 0x49, 0x74, 0x4b, 0x9f, 0xd0, 0x5e, 0x04, 0x18, 0xa4, 0xec,
    0xc2, 0xe0, 0x41, 0x6e, 0x0f, 0x51, 0xcb, 0xcc, 0x24, 0x91, 0xaf, 0x50, 0xa1, 0xf4, 0x70, 0x39,
    0x99, 0x7c, 0x3a, 0x85, 0x23, 0xb8, 0xb4, 0x7a, 0xfc, 0x02, 0x36, 0x5b, 0x25, 0x55, 0x97, 0x31,
    0x2d, 0x5d, 0xfa, 0x98, 0xe3, 0x8a, 0x92, 0xae, 0x05, 0xdf, 0x29, 0x10, 0x67, 0x6c, 0xba, 0xc9,
    0xd3, 0x00, 0xe6, 0xcf, 0xe1, 0x9e, 0xa8, 0x2c, 0x63, 0x16, 0x01, 0x3f, 0x58, 0xe2, 0x89, 0xa9,
    0x0d, 0x38, 0x34, 0x1b, 0xab, 0x33, 0xff, 0xb0, 0xbb, 0x48, 0x0c, 0x5f, 0xb9, 0xb1, 0xcd, 0x2e,
    0xc5, 0xf3, 0xdb, 0x47, 0xe5, 0xa5, 0x9c, 0x77, 0x0a, 0xa6, 0x20, 0x68, 0xfe, 0x7f, 0xc1, 0xad,
];

/// From this many blocks on, a padded vector is quicker than one after the other.
const WORTH: usize = if VECTORS { 4 } else { 2 };

/// RC2 with its 64 subkeys. For old data alone.
///
/// Holds 128 bytes of subkeys, wiped when it drops. A move leaves a copy behind, and `mem::forget`
/// and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// ```
/// use cinder_block::{BlockEncrypt, Rc2, Slot};
///
/// // RC2-40 as PKCS#12 uses it: five bytes, 40 effective bits.
/// let mut slot = Slot::<Rc2>::empty();
/// let rc2 = slot.init(&[1, 2, 3, 4, 5])?;
/// let mut block = *b"plain!!!";
/// let depth = rc2.encrypt_block(&mut block);
/// cinder_burn::burn(depth);
///
/// // Eight bytes reduced to 63 effective bits, the first vector of RFC 2268.
/// let mut slot = Slot::<Rc2>::empty();
/// let rc2 = slot.init_with(|rc2| rc2.rekey_effective(&[0; 8], 63))?;
/// let mut block = [0; 8];
/// let depth = rc2.encrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(block, [0xeb, 0xb7, 0x73, 0xf9, 0x93, 0x27, 0x8e, 0xff]);
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Rc2 {
    subkeys: [u16; 64],
    kernel: Kernel,
}

impl Drop for Rc2 {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.subkeys);
    }
}

impl zeroize::ZeroizeOnDrop for Rc2 {}

impl fmt::Debug for Rc2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rc2").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

/// What runs RC2: a variant for each kernel of this target, with the proof that the CPU has its
/// instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// General registers and the vectors that every CPU of the target has.
    Portable,
    /// AVX-512.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512(cinder_cpu::x86::Avx512),
}

impl Kernel {
    /// The kernels that this CPU can run, best first. The last one is [`Kernel::Portable`].
    pub fn available() -> impl Iterator<Item = Kernel> {
        [
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Avx512::detect().map(Kernel::Avx512),
            Some(Kernel::Portable),
        ]
        .into_iter()
        .flatten()
    }

    /// The first of [`available`](Self::available): what a key uses unless told otherwise.
    #[inline]
    pub fn best() -> Kernel {
        Self::available().next().unwrap_or(Kernel::Portable)
    }

    /// A short name for reports: "portable", "AVX-512".
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx512(_) => "AVX-512",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Rc2 {
    /// RC2 by value, with as many effective bits as the key has. The move out of this function
    /// may leave a copy of the subkeys on the stack; [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 128 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// The same with the effective key bits given.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 128 bytes, [`KeyError::EffectiveBits`] unless
    /// `bits` is 1 to 1024.
    pub fn new_effective(key: &[u8], bits: u16) -> Result<Self, KeyError> {
        by_value(|rc2: &mut Self| rc2.rekey_effective(key, bits))
    }

    /// Replaces the key, with the effective key bits given (RFC 2268's T1). The caller burns the
    /// depth; [`Slot::init_with`](crate::Slot::init_with) does.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 128 bytes, [`KeyError::EffectiveBits`] unless
    /// `bits` is 1 to 1024. The former key then stays.
    pub fn rekey_effective(&mut self, key: &[u8], bits: u16) -> Result<Depth, Refusal> {
        self.rekey_effective_with_kernel(key, bits, Kernel::best())
    }

    /// The same, on a kernel of the caller's choice: for tests and measurements.
    ///
    /// # Errors
    ///
    /// As [`rekey_effective`](Self::rekey_effective).
    pub fn rekey_effective_with_kernel(
        &mut self,
        key: &[u8],
        bits: u16,
        kernel: Kernel,
    ) -> Result<Depth, Refusal> {
        if !(1..=128).contains(&key.len()) {
            return Err(KeyError::Length.into());
        }
        if !(1..=1024).contains(&bits) {
            return Err(KeyError::EffectiveBits.into());
        }
        self.kernel = kernel;
        Ok(expand(key, bits, &mut self.subkeys))
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }
}

/// The effective key bits that a parameter version stands for in PKCS#5, PKCS#12, S/MIME and CMS
/// (`rc2ParameterVersion`: RFC 8018, appendix B.2.3, and RFC 3370, section 5.2): 160 is 40 bits, 120 is 64,
/// 58 is 128, and from 256 on the number is the bits. Where the parameters are an IV alone, it is 32 bits.
///
/// ```
/// use cinder_block::{Rc2, Slot, rc2};
///
/// let version = 160; // from the parameters of the OID rc2CBC
/// let bits = rc2::effective_bits(version).ok_or("no such parameter version")?;
/// let mut slot = Slot::<Rc2>::empty();
/// let rc2 = slot.init_with(|rc2| rc2.rekey_effective(&[1, 2, 3, 4, 5], bits))?;
/// # let _ = rc2;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub const fn effective_bits(version: u32) -> Option<u16> {
    match version {
        160 => Some(40),
        120 => Some(64),
        58 => Some(128),
        256..=1024 => Some(version as u16),
        _ => None,
    }
}

/// The parameter version of effective key bits: the inverse of [`effective_bits`].
pub const fn parameter_version(bits: u16) -> Option<u32> {
    match bits {
        40 => Some(160),
        64 => Some(120),
        128 => Some(58),
        256..=1024 => Some(bits as u32),
        _ => None,
    }
}

impl InPlace for Rc2 {
    fn vacant(_: Vacancy) -> Self {
        Rc2 { subkeys: [0; 64], kernel: Kernel::Portable }
    }

    /// All bits of the key are effective; see [`Rc2::rekey_effective`] for fewer or more.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        // A key of more than 128 bytes is refused before the product could matter.
        self.rekey_effective(key, 8 * key.len().min(128) as u16)
    }
}

impl Permutation<8> for Rc2 {
    #[inline(always)]
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 8]]) -> Depth {
        let k = &self.subkeys;
        match self.kernel {
            Kernel::Portable => each_width::<WIDE, VECTOR, WORTH>(
                blocks,
                |blocks| crypt::<DECRYPT, _>(k, blocks),
                |blocks| crypt::<DECRYPT, _>(k, blocks),
                |block| self.block::<DECRYPT>(block),
            ),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx512(token) => {
                x86_avx512::crypt_blocks::<DECRYPT>(token, k, blocks, |block| {
                    self.block::<DECRYPT>(block)
                })
            }
        }
    }

    #[inline(always)]
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; 8]) -> Depth {
        let (k, input) = (&self.subkeys, u64::from_le_bytes(*block));
        let (output, depth) = match self.kernel {
            Kernel::Portable => crypt_block::<DECRYPT>(k, input),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx512(token) => x86_avx512::crypt_block::<DECRYPT>(token, k, input),
        };
        *block = output.to_le_bytes();
        depth.max(Depth::here())
    }
}

block_traits!(Rc2, 8);

#[inline(never)]
fn crypt<const DECRYPT: bool, const L: usize>(k: &[u16; 64], blocks: &mut [[u8; 8]; L]) -> Depth {
    if DECRYPT {
        decrypt(k, blocks, |r| mash_back(r, |index| look_up(k, index)));
    } else {
        encrypt(k, blocks, |r| mash(r, |index| look_up(k, index)));
    }
    Depth::here()
}

/// One block, in a register: in memory the parts in which one function writes it and the other one reads
/// it would have to agree, or the reads wait.
#[inline(never)]
fn crypt_block<const DECRYPT: bool>(k: &[u16; 64], block: u64) -> (u64, Depth) {
    let mut blocks = [block.to_le_bytes()];
    if DECRYPT {
        decrypt(k, &mut blocks, |r| mash_back(r, |index| look_up(k, index)));
    } else {
        encrypt(k, &mut blocks, |r| mash(r, |index| look_up(k, index)));
    }
    (u64::from_le_bytes(blocks[0]), Depth::here())
}

/// Section 3: how far the words R[0] to R[3] rotate.
const S: [u32; 4] = [1, 2, 3, 5];

/// Which of the 16 mixing rounds a mashing round follows (section 3: 5, 6 and 5 of them).
const MASH_AFTER: [usize; 2] = [4, 10];

#[inline(always)]
fn load<const L: usize>(blocks: &[[u8; 8]; L]) -> [[u16; L]; 4] {
    let mut r = [[0; L]; 4];
    for (lane, block) in blocks.iter().enumerate() {
        for (word, bytes) in r.iter_mut().zip(block.as_chunks::<2>().0) {
            word[lane] = u16::from_le_bytes(*bytes);
        }
    }
    r
}

#[inline(always)]
fn store<const L: usize>(r: &[[u16; L]; 4], blocks: &mut [[u8; 8]; L]) {
    for (lane, block) in blocks.iter_mut().enumerate() {
        for (word, bytes) in r.iter().zip(block.as_chunks_mut::<2>().0) {
            *bytes = word[lane].to_le_bytes();
        }
    }
}

/// The table's entry at an index whose bit `b` comes as a word, `mask(b)`: 0 or all ones. Each bit,
/// from the topmost down, chooses between the halves that are left, so all of the table is read.
#[inline(always)]
fn entry<T, const N: usize>(mut table: [T; N], mask: impl Fn(u32) -> T) -> T
where
    T: Copy + BitAnd<Output = T> + BitXor<Output = T>,
{
    for bit in (0..N.ilog2()).rev() {
        let (mask, half) = (mask(bit), 1 << bit);
        for i in 0..half {
            table[i] = table[i] ^ (table[i] ^ table[half + i]) & mask;
        }
    }
    table[0]
}

/// The same for a table of words of `1 << low` entries each, the first in the lowest bits: `index`
/// counts entries, and what it says is in the lowest bits of the result.
#[inline(always)]
fn entry_in_words<const N: usize>(words: [usize; N], index: u32, low: u32) -> usize {
    let word = entry(words, |bit| {
        let bit_as_sign = index << (31 - low - bit);
        opaque((bit_as_sign as i32 >> 31) as u32) as i32 as usize
    });
    // A word that the compiler knows to be in memory, it could load in part, from an address that
    // tells the index.
    opaque_word(word) >> ((usize::BITS >> low) * (index & ((1 << low) - 1)))
}

/// K[R & 63] for each lane.
#[inline(always)]
fn look_up<const L: usize>(k: &[u16; 64], r: &[u16; L]) -> [u16; L] {
    if L == 1 {
        const PER_WORD: usize = size_of::<usize>() / 2;
        let words: [usize; 64 / PER_WORD] = array::from_fn(|i| {
            (0..PER_WORD).fold(0, |word, j| word | usize::from(k[PER_WORD * i + j]) << (16 * j))
        });
        let index = u32::from(r[0] & 63);
        return [entry_in_words(words, index, PER_WORD.ilog2()) as u16; L];
    }
    // The compiler makes no vectors of a loop with assembly in it. So what it does not know is how
    // far a bit is shifted to fill its word.
    let fifteen = opaque(15);
    let mut found = [0; L];
    for (found, r) in found.iter_mut().zip(r) {
        *found = entry(*k, |bit| ((r << (15 - bit)) as i16 >> fifteen) as u16);
    }
    found
}

/// (R[i-1] & R[i-2]) + (~R[i-1] & R[i-3]), which have no bit in common.
#[inline(always)]
fn choose([r1, r2, r3]: [u16; 3]) -> u16 {
    (r2 ^ r3) & r1 ^ r3
}

/// Section 3: encryption.
#[inline(always)]
fn encrypt<const L: usize>(
    k: &[u16; 64],
    blocks: &mut [[u8; 8]; L],
    mash: impl Fn(&mut [[u16; L]; 4]),
) {
    let mut r = load(blocks);
    for (round, k_round) in k.as_chunks::<4>().0.iter().enumerate() {
        for i in 0..4 {
            for lane in 0..L {
                let last = [1, 2, 3].map(|back| r[(i + 4 - back) % 4][lane]);
                let sum = r[i][lane].wrapping_add(k_round[i]).wrapping_add(choose(last));
                r[i][lane] = sum.rotate_left(S[i]);
            }
        }
        if MASH_AFTER.contains(&round) {
            mash(&mut r);
        }
    }
    store(&r, blocks);
}

/// Section 4: decryption, each step of the encryption undone in reverse order.
#[inline(always)]
fn decrypt<const L: usize>(
    k: &[u16; 64],
    blocks: &mut [[u8; 8]; L],
    mash_back: impl Fn(&mut [[u16; L]; 4]),
) {
    let mut r = load(blocks);
    for (round, k_round) in k.as_chunks::<4>().0.iter().enumerate().rev() {
        if MASH_AFTER.contains(&round) {
            mash_back(&mut r);
        }
        for i in (0..4).rev() {
            for lane in 0..L {
                let last = [1, 2, 3].map(|back| r[(i + 4 - back) % 4][lane]);
                let sum = r[i][lane].rotate_right(S[i]);
                r[i][lane] = sum.wrapping_sub(k_round[i]).wrapping_sub(choose(last));
            }
        }
    }
    store(&r, blocks);
}

/// R[i] = R[i] + K[R[i-1] & 63]. `look_up` is K at the six lowest bits of each lane.
#[inline(always)]
fn mash<const L: usize>(r: &mut [[u16; L]; 4], look_up: impl Fn(&[u16; L]) -> [u16; L]) {
    for i in 0..4 {
        let k = look_up(&r[(i + 3) % 4]);
        for lane in 0..L {
            r[i][lane] = r[i][lane].wrapping_add(k[lane]);
        }
    }
}

/// The same undone.
#[inline(always)]
fn mash_back<const L: usize>(r: &mut [[u16; L]; 4], look_up: impl Fn(&[u16; L]) -> [u16; L]) {
    for i in (0..4).rev() {
        let k = look_up(&r[(i + 3) % 4]);
        for lane in 0..L {
            r[i][lane] = r[i][lane].wrapping_sub(k[lane]);
        }
    }
}

/// PITABLE[x].
#[inline(always)]
fn pi(x: u8) -> u8 {
    const PER_WORD: usize = size_of::<usize>();
    let words: [usize; 256 / PER_WORD] =
        array::from_fn(|i| usize::from_le_bytes(PITABLE.as_chunks().0[i]));
    entry_in_words(words, x.into(), PER_WORD.ilog2()) as u8
}

/// Section 2: key expansion of T = `key.len()` bytes and T1 = `bits`.
#[inline(never)]
fn expand(key: &[u8], bits: u16, k: &mut [u16; 64]) -> Depth {
    let t = key.len();
    let mut l = [0; 128];
    l[..t].copy_from_slice(key);
    for i in t..128 {
        l[i] = pi(l[i - 1].wrapping_add(l[i - t]));
    }
    // T8 bytes hold the effective bits; TM keeps those of the topmost: 255 mod 2^(8 + T1 - 8·T8).
    let t8 = usize::from(bits).div_ceil(8);
    let tm = 0xff >> (8 * t8 - usize::from(bits));
    l[128 - t8] = pi(l[128 - t8] & tm);
    for i in (0..128 - t8).rev() {
        l[i] = pi(l[i + 1] ^ l[i + t8]);
    }
    for (k, bytes) in k.iter_mut().zip(l.as_chunks::<2>().0) {
        *k = u16::from_le_bytes(*bytes);
    }
    Depth::here()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockDecrypt, BlockEncrypt};

    #[test]
    fn pitable_is_a_permutation() {
        let mut seen = [false; 256];
        for entry in PITABLE {
            assert!(!core::mem::replace(&mut seen[usize::from(entry)], true));
        }
    }

    #[test]
    fn masked_look_ups_are_look_ups() {
        for x in 0..=255 {
            assert_eq!(pi(x), PITABLE[usize::from(x)]);
        }
        let k: [u16; 64] = core::array::from_fn(|i| (i * 0x1357) as u16);
        for x in 0..=u16::MAX {
            assert_eq!(look_up(&k, &[x]), [k[usize::from(x & 63)]]);
            assert_eq!(look_up(&k, &[x, !x]), [k[usize::from(x & 63)], k[usize::from(!x & 63)]]);
        }
    }

    /// RFC 2268, section 5.
    #[test]
    fn rfc_vectors() {
        const LONG: [u8; 33] = [
            0x88, 0xbc, 0xa9, 0x0e, 0x90, 0x87, 0x5a, 0x7f, 0x0f, 0x79, 0xc3, 0x84, 0x62, 0x7b,
            0xaf, 0xb2, 0x16, 0xf8, 0x0a, 0x6f, 0x85, 0x92, 0x05, 0x84, 0xc4, 0x2f, 0xce, 0xb0,
            0xbe, 0x25, 0x5d, 0xaf, 0x1e,
        ];
        for (key, bits, plaintext, ciphertext) in [
            (&[0; 8][..], 63, 0, 0xebb7_73f9_9327_8eff_u64),
            (&[0xff; 8], 64, u64::MAX, 0x278b_27e4_2e2f_0d49),
            (&[0x30, 0, 0, 0, 0, 0, 0, 0], 64, 0x1000_0000_0000_0001, 0x3064_9edf_9be7_d2c2),
            (&LONG[..1], 64, 0, 0x61a8_a244_adac_ccf0),
            (&LONG[..7], 64, 0, 0x6ccf_4308_974c_267f),
            (&LONG[..16], 64, 0, 0x1a80_7d27_2bbe_5db1),
            (&LONG[..16], 128, 0, 0x2269_552a_b0f8_5ca6),
            (&LONG, 129, 0, 0x5b78_d3a4_3dff_f1f1),
        ] {
            let rc2 = Rc2::new_effective(key, bits).unwrap();
            let mut block = u64::to_be_bytes(plaintext);
            cinder_burn::burn(rc2.encrypt_block(&mut block));
            assert_eq!(u64::from_be_bytes(block), ciphertext);
            cinder_burn::burn(rc2.decrypt_block(&mut block));
            assert_eq!(u64::from_be_bytes(block), plaintext);
        }
    }

    fn with_kernel(kernel: Kernel) -> Rc2 {
        let mut rc2 = crate::slot::vacant::<Rc2>();
        cinder_burn::burn(rc2.rekey_effective_with_kernel(b"key", 24, kernel).unwrap());
        assert_eq!(rc2.kernel(), kernel);
        rc2
    }

    #[test]
    fn counts_of_blocks_agree_and_invert() {
        const COUNT: usize = 2 * 64 + 35;
        let portable = with_kernel(Kernel::Portable);
        for kernel in Kernel::available() {
            let rc2 = with_kernel(kernel);
            for count in 0..=COUNT {
                let mut blocks = [[0u8; 8]; COUNT];
                for (i, block) in blocks.iter_mut().enumerate() {
                    *block = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
                }
                let plaintext = blocks;
                cinder_burn::burn(rc2.encrypt_blocks(&mut blocks[..count]));
                for (block, plain) in blocks.iter().zip(&plaintext).take(count) {
                    let [mut one, mut other] = [*plain; 2];
                    cinder_burn::burn(portable.encrypt_block(&mut one));
                    cinder_burn::burn(rc2.encrypt_block(&mut other));
                    assert_eq!([*block; 2], [one, other], "{kernel} {count}");
                    cinder_burn::burn(rc2.decrypt_block(&mut other));
                    assert_eq!(other, *plain);
                }
                assert_eq!(blocks[count..], plaintext[count..]);
                cinder_burn::burn(rc2.decrypt_blocks(&mut blocks[..count]));
                assert_eq!(blocks, plaintext, "{kernel} {count}");
            }
        }
    }

    #[test]
    fn the_best_kernel_is_the_default() {
        assert_eq!(Rc2::new(&[0; 16]).unwrap().kernel(), Kernel::best());
        assert_eq!(Kernel::available().last(), Some(Kernel::Portable));
        assert_eq!(Kernel::Portable.name(), "portable");
    }

    #[test]
    fn parameter_versions_are_inverse() {
        let known: [(u32, u16); 5] = [(160, 40), (120, 64), (58, 128), (256, 256), (1024, 1024)];
        for (version, bits) in known {
            assert_eq!(effective_bits(version), Some(bits));
        }
        for bits in 0..=u16::MAX {
            let version = parameter_version(bits);
            assert_eq!(
                version.is_some(),
                [40, 64, 128].contains(&bits) || (256..=1024).contains(&bits)
            );
            assert!(version.is_none_or(|version| effective_bits(version) == Some(bits)));
        }
        for version in [0, 40, 64, 128, 255, 1025, u32::MAX] {
            assert_eq!(effective_bits(version), None);
        }
    }

    #[test]
    fn refused_keys_leave_the_former_one() {
        let mut rc2 = Rc2::new(b"former").unwrap();
        let former = rc2.subkeys;
        for (key, bits, error) in [
            (&[0; 129][..0], 8, KeyError::Length),
            (&[0; 129], 1024, KeyError::Length),
            (&[0; 8], 0, KeyError::EffectiveBits),
            (&[0; 8], 1025, KeyError::EffectiveBits),
        ] {
            assert_eq!(rc2.rekey_effective(key, bits).unwrap_err().error, error);
            assert_eq!(rc2.subkeys, former);
        }
        assert_eq!(rc2.rekey(&[0; 129]).unwrap_err().error, KeyError::Length);
    }
}
