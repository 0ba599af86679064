//! ARIA: RFC 5794.
//!
//! Blocks of 16 bytes, four big-endian words; keys of 16 bytes (12 rounds), 24 bytes (14 rounds) and
//! 32 bytes (16 rounds).
//!
//! Constant time: no as a whole. The kernels with AES instructions or GFNI are. They take sets of 16
//! blocks and more, and a rest from three blocks on. A smaller rest, one or two blocks, the modes that
//! take one after the other, the key schedule and the portable kernel look up tables of 1 KiB at places
//! that depend on the data, in the key schedule on the key.
//!
//! # Kernels
//!
//! One is chosen at run time when a key is set, the best that the CPU has;
//! [`kernel`](Aria::kernel) says which.
//!
//! | [`Kernel`] | where | blocks at a time | constant time |
//! |---|---|---|---|
//! | `Gfni512` | x86-64 with GFNI and AVX-512 | 64, 32 and 16 | yes |
//! | `Gfni` | x86-64 with GFNI and AVX2 | 32 and 16 | yes |
//! | `Vaes` | x86-64 with VAES and AVX2 | 32 and 16 | yes |
//! | `Avx2` | x86-64 with AES-NI and AVX2 | 32 and 16 | yes |
//! | `AesNi` | x86-64 with AES-NI | 16 | yes |
//! | `Portable` | everywhere | 1 | no |
//!
//! The portable kernel takes a block at a time: the sixteen look-ups of a round do not wait for each
//! other, so a second block beside it would gain little. Four tables of 32-bit words, 4 KiB, join the
//! S-boxes with the part of A that stays in a word.

mod tables;

#[cfg(test)]
mod tests;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86;

use crate::permutation::{Permutation, block_traits};
use crate::schedule::secret;
use crate::slices::{self, Tables};
use crate::slot::by_value;
use crate::{Depth, InPlace, KeyError, Refusal, Vacancy};
use core::array;
use tables::S;

pub use crate::slices::Kernel;

/// Round keys of a key of 32 bytes: a key for each of 16 rounds, and one after the last.
const MOST: usize = 17;

/// ARIA, with a key of 16, 24 or 32 bytes.
///
/// Holds 544 bytes of round keys, wiped when it drops. A move leaves a copy behind, and
/// `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// # Constant time
///
/// No: it looks up tables at places that depend on the key and on the data, so an attacker who
/// shares the cache may learn both. Sets of 16 independent blocks, and a rest of three or more, take no
/// tables on any kernel but the portable one. A smaller rest does, and the key schedule.
///
/// ```
/// use cinder_block::{Aria, BlockDecrypt, BlockEncrypt, Slot};
///
/// // RFC 5794, appendix A.1.
/// let key = 0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes();
/// let mut slot = Slot::<Aria>::empty();
/// let aria = slot.init(&key)?;
/// let mut block = 0x00112233445566778899aabbccddeeff_u128.to_be_bytes();
/// cinder_burn::burn(aria.encrypt_block(&mut block));
/// assert_eq!(u128::from_be_bytes(block), 0xd718fbd6ab644c739da95f3be6451778);
/// cinder_burn::burn(aria.decrypt_block(&mut block));
/// assert_eq!(u128::from_be_bytes(block), 0x00112233445566778899aabbccddeeff);
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Aria {
    /// The RFC's ek1 and so on; then zeros.
    encrypt: [[u32; 4]; MOST],
    /// Its dk1 and so on.
    decrypt: [[u32; 4]; MOST],
    /// 12, 14 or 16. (0 while there is no key.)
    rounds: usize,
    kernel: Kernel,
}

secret!(Aria { encrypt, decrypt, rounds });

impl Aria {
    /// ARIA by value. The move out of this function may leave a copy of the round keys on the
    /// stack; [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16, 24 or 32 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// Like [`InPlace::rekey`], on a kernel of the caller's choice: for tests and measurements.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] as for [`new`](Self::new); the former key then stays.
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        let depth = match key.len() {
            16 => self.expand(key, 12),
            24 => self.expand(key, 14),
            32 => self.expand(key, 16),
            _ => return Err(KeyError::Length.into()),
        };
        self.kernel = kernel;
        Ok(depth)
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The round keys of a direction: the one that is added after the last round, too.
    #[inline(always)]
    fn keys(&self, decrypt: bool) -> &[[u32; 4]] {
        let keys = if decrypt { &self.decrypt } else { &self.encrypt };
        keys.get(..=self.rounds).unwrap_or_default()
    }

    /// Section 2.3; decryption is the same with its own round keys.
    #[inline(always)]
    fn crypt<const DECRYPT: bool>(&self, block: &mut [u8; 16]) {
        let [keys @ .., before_last, last] = self.keys(DECRYPT) else { return };
        let mut state = load(block);
        let (pairs, odd) = keys.as_chunks::<2>();
        for [first, second] in pairs {
            state = even_round(odd_round(state, first), second);
        }
        for key in odd {
            state = odd_round(state, key);
        }
        let [a, b, c, d] = xor(state, *before_last);
        let words = [substitute(a), substitute(b), substitute(c), substitute(d)];
        *block = store(xor(words, *last));
    }
}

/// Section 2.4: FO, A(SL1(D ⊕ RK)).
#[inline(always)]
fn odd_round(state: [u32; 4], key: &[u32; 4]) -> [u32; 4] {
    let [a, b, c, d] = xor(state, *key);
    diffuse([layer_1(a), layer_1(b), layer_1(c), layer_1(d)])
}

/// Section 2.4: FE, A(SL2(D ⊕ RK)).
#[inline(always)]
fn even_round(state: [u32; 4], key: &[u32; 4]) -> [u32; 4] {
    let [a, b, c, d] = xor(state, *key);
    diffuse([layer_2(a), layer_2(b), layer_2(c), layer_2(d)])
}

/// Byte `i` of a word, the uppermost first.
#[inline(always)]
fn byte(word: u32, i: u32) -> usize {
    (word >> (24 - 8 * i)) as usize & 0xff
}

/// Section 2.4: a word of SL1, of which each byte then becomes the sum of the other three.
#[inline(always)]
fn layer_1(word: u32) -> u32 {
    S[0][byte(word, 0)] ^ S[1][byte(word, 1)] ^ S[2][byte(word, 2)] ^ S[3][byte(word, 3)]
}

/// The same of SL2. It has the S-boxes two places further: so are the tables, and what they make is
/// rotated by two bytes.
#[inline(always)]
fn layer_2(word: u32) -> u32 {
    layer_1(word.rotate_left(16)).rotate_left(16)
}

/// Section 2.4: a word of SL2 alone, for the last round, from bytes of the tables that have them.
#[inline(always)]
fn substitute(word: u32) -> u32 {
    (S[2][byte(word, 0)] & 0xff00_0000)
        | (S[3][byte(word, 1)] & 0xff_0000)
        | (S[0][byte(word, 2)] & 0xff00)
        | (S[1][byte(word, 3)] & 0xff)
}

/// Section 2.4: the rest of A.
///
/// With J what makes each byte of a word the sum of the other three, M what makes the words
/// (a, b, c, d) (a ⊕ b ⊕ c, a ⊕ c ⊕ d, a ⊕ b ⊕ d, b ⊕ c ⊕ d), and P what exchanges the bytes of b in
/// pairs, the halves of c, and turns d around, A is M ∘ P ∘ M ∘ J.
#[inline(always)]
fn diffuse(words: [u32; 4]) -> [u32; 4] {
    let [a, b, c, d] = mix(words);
    mix([a, b.swap_bytes().rotate_left(16), c.rotate_left(16), d.swap_bytes()])
}

#[inline(always)]
fn mix([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    let (ab, cd) = (a ^ b, c ^ d);
    [ab ^ c, a ^ cd, ab ^ d, b ^ cd]
}

#[inline(always)]
fn xor(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]]
}

#[inline(always)]
fn load(block: &[u8; 16]) -> [u32; 4] {
    let (words, _) = block.as_chunks::<4>();
    array::from_fn(|i| u32::from_be_bytes(words[i]))
}

#[inline(always)]
fn store(words: [u32; 4]) -> [u8; 16] {
    let mut block = [0; 16];
    let (bytes, _) = block.as_chunks_mut::<4>();
    for (bytes, word) in bytes.iter_mut().zip(words) {
        *bytes = word.to_be_bytes();
    }
    block
}

/// Section 2.2: C1, C2 and C3, which are CK1, CK2 and CK3 for a key of 16 bytes.
const C: [[u32; 4]; 3] = [
    [0x517cc1b7, 0x27220a94, 0xfe13abe8, 0xfa9a6ee0],
    [0x6db14acc, 0x9e21c820, 0xff28b1d5, 0xef5de2b0],
    [0xdb92371d, 0x2126e970, 0x03249775, 0x04e8c90e],
];

/// Section 2.2: how far the second word is rotated to the left for round keys 1 to 4, 5 to 8, and so
/// on.
const ROTATIONS: [u32; 5] = [128 - 19, 128 - 31, 61, 31, 19];

/// x <<< n.
#[inline(always)]
fn rotated(x: [u32; 4], n: u32) -> [u32; 4] {
    let whole = x.iter().fold(0, |whole, word| whole << 32 | u128::from(*word)).rotate_left(n);
    [(whole >> 96) as u32, (whole >> 64) as u32, (whole >> 32) as u32, whole as u32]
}

/// A alone.
#[inline(always)]
fn a(words: [u32; 4]) -> [u32; 4] {
    // J: the sum of all four bytes, less the byte.
    let others = |x: u32| {
        let halves = x ^ x.rotate_left(16);
        x ^ halves ^ halves.rotate_left(8)
    };
    let [a, b, c, d] = words;
    diffuse([others(a), others(b), others(c), others(d)])
}

impl Aria {
    /// Section 2.2, with a key whose length is that of 12, 14 or 16 rounds.
    #[inline(never)]
    fn expand(&mut self, key: &[u8], rounds: usize) -> Depth {
        // KL and KR: the key, and zeros after it.
        let mut halves = [[0; 4]; 2];
        for (word, bytes) in halves.as_flattened_mut().iter_mut().zip(key.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        let [w0, kr] = halves;
        // 12, 14 and 16 rounds begin with C1, C2 and C3.
        let ck = |i: usize| &C[(i + rounds / 2) % 3];
        let w1 = xor(odd_round(w0, ck(0)), kr);
        let w2 = xor(even_round(w1, ck(1)), w0);
        let w3 = xor(odd_round(w2, ck(2)), w1);
        let w = [w0, w1, w2, w3];
        self.encrypt = [[0; 4]; MOST];
        for (i, key) in self.encrypt.iter_mut().take(rounds + 1).enumerate() {
            // In a ring: ek4 is W3 ⊕ (W0 >>> 19).
            *key = xor(w[i % 4], rotated(w[(i + 1) % 4], ROTATIONS[i / 4]));
        }
        self.decrypt = [[0; 4]; MOST];
        let backwards = self.encrypt.iter().take(rounds + 1).rev();
        for (i, (to, from)) in self.decrypt.iter_mut().zip(backwards).enumerate() {
            *to = if i == 0 || i == rounds { *from } else { a(*from) };
        }
        self.rounds = rounds;
        Depth::here()
    }
}

impl InPlace for Aria {
    fn vacant(_: Vacancy) -> Self {
        Aria {
            encrypt: [[0; 4]; MOST],
            decrypt: [[0; 4]; MOST],
            rounds: 0,
            kernel: Kernel::Portable,
        }
    }

    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16, 24 or 32 bytes; the former key then stays.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

impl Aria {
    #[inline(never)]
    fn crypt_each<const DECRYPT: bool>(&self, blocks: &mut [[u8; 16]]) -> Depth {
        for block in blocks {
            self.crypt::<DECRYPT>(block);
        }
        Depth::here()
    }
}

impl Tables for Aria {
    const LEAST: usize = 3;

    #[inline(always)]
    fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline(always)]
    fn by_tables(&self, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
        if decrypt { self.crypt_each::<true>(blocks) } else { self.crypt_each::<false>(blocks) }
    }
}

impl Permutation<16> for Aria {
    #[inline(always)]
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 16]]) -> Depth {
        slices::crypt(self, DECRYPT, blocks)
    }

    #[inline(always)]
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; 16]) -> Depth {
        self.crypt::<DECRYPT>(block);
        Depth::here()
    }

    #[inline(always)]
    fn takes_64(&self) -> bool {
        self.kernel.takes_64()
    }
}

block_traits!(Aria, 16);
