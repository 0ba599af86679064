//! Camellia: RFC 3713.
//!
//! Blocks of 16 bytes, two big-endian words of 64 bits; keys of 16 bytes (18 rounds), 24 and 32
//! bytes (24 rounds).
//!
//! Constant time: no as a whole. The kernels with AES instructions or GFNI are. They take sets of 16
//! blocks and more, and a rest from nine blocks on (AES-NI, VAES) or five (GFNI). A smaller rest, fewer
//! blocks, the modes that take one after the other, the key schedule and the portable kernel look up
//! tables of 1 KiB at places that depend on the data, in the key schedule on the key.
//!
//! # Kernels
//!
//! One is chosen at run time when a key is set, the best that the CPU has;
//! [`kernel`](Camellia::kernel) says which.
//!
//! | [`Kernel`] | where | blocks at a time | constant time |
//! |---|---|---|---|
//! | `Gfni512` | x86-64 with GFNI and AVX-512 | 64, 32 and 16 | yes |
//! | `Gfni` | x86-64 with GFNI and AVX2 | 32 and 16 | yes |
//! | `Vaes` | x86-64 with VAES and AVX2 | 32 and 16 | yes |
//! | `Avx2` | x86-64 with AES-NI and AVX2 | 32 and 16 | yes |
//! | `AesNi` | x86-64 with AES-NI | 16 | yes |
//! | `Portable` | everywhere | 4, 2 and 1 | no |
//!
//! The portable kernel has four tables of 32-bit words, 4 KiB, which join the S-boxes with the
//! P-function, so that F is eight look-ups.

mod tables;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86;

use crate::permutation::{Permutation, block_traits};
use crate::schedule::secret;
use crate::sets::in_sets;
use crate::slices::{self, Tables};
use crate::slot::by_value;
use crate::{Depth, InPlace, KeyError, Refusal, Vacancy};
use core::array;
use tables::SP;

pub use crate::slices::Kernel;

/// Blocks in a set of the portable kernel.
const LANES: usize = 4;

/// Camellia, with a key of 16, 24 or 32 bytes.
///
/// Holds 336 bytes of round keys, wiped when it drops. A move leaves a copy behind, and
/// `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// # Constant time
///
/// No: it looks up tables at places that depend on the key and on the data, so an attacker who
/// shares the cache may learn both. Sets of 16 independent blocks, and a rest of nine or more (five with
/// GFNI), take no tables on any kernel but the portable one. A smaller rest does, and the key schedule.
///
/// ```
/// use cinder_block::{BlockDecrypt, BlockEncrypt, Camellia, Slot};
///
/// // RFC 3713, appendix A, 128-bit key.
/// let key = 0x0123456789abcdeffedcba9876543210_u128.to_be_bytes();
/// let mut slot = Slot::<Camellia>::empty();
/// let camellia = slot.init(&key)?;
/// let mut block = key;
/// cinder_burn::burn(camellia.encrypt_block(&mut block));
/// assert_eq!(u128::from_be_bytes(block), 0x67673138549669730857065648eabe43);
/// cinder_burn::burn(camellia.decrypt_block(&mut block));
/// assert_eq!(block, key);
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Camellia {
    // Each is two of the RFC's subkeys, a 64-bit half of the block in two words.
    /// kw1 and kw2, kw3 and kw4.
    kw: [[u32; 4]; 2],
    /// For each group of six rounds with subkeys k1 to k6, the pairs (k1, k2), (k1 ⊕ k3, k2 ⊕ k4),
    /// (k3 ⊕ k5, k4 ⊕ k6) and (k5, k6); zeros for a group that the key does not have.
    steps: [[[u32; 4]; 4]; 4],
    /// ke1 to ke4 or ke6, a pair between groups; then zeros.
    ke: [[u32; 4]; 3],
    /// Groups of six rounds: 3 or 4. (0 while there is no key.)
    groups: usize,
    kernel: Kernel,
}

secret!(Camellia { kw, steps, ke, groups });

impl Camellia {
    /// Camellia by value. The move out of this function may leave a copy of the round keys on the
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
        let Some((kl, rest)) = key.split_first_chunk::<16>() else {
            return Err(KeyError::Length.into());
        };
        let depth = if rest.is_empty() {
            self.expand_128(kl)
        } else if let Ok(rest) = rest.try_into() {
            self.expand_192(kl, rest)
        } else if let Ok(kr) = rest.try_into() {
            self.expand_256(kl, kr)
        } else {
            return Err(KeyError::Length.into());
        };
        self.kernel = kernel;
        Ok(depth)
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Section 2.3 on `N` blocks side by side.
    ///
    /// A half of the block enters a group of rounds with its first subkey added, and goes from one
    /// subkey to the next by their difference while F waits for its tables. So no subkey is added
    /// between one F and the next.
    #[inline(always)]
    fn encrypt<const N: usize>(&self, set: &mut [[u8; 16]; N]) {
        let mut states: [_; N] = array::from_fn(|i| xor(load(&set[i]), self.kw[0]));
        for (i, [first, steps @ ..]) in self.steps.iter().take(self.groups).enumerate() {
            if let Some(ke) = self.ke.get(i.wrapping_sub(1)) {
                layer(&mut states, *ke);
            }
            add(&mut states, *first);
            for step in steps {
                rounds(&mut states, *step);
            }
        }
        for (block, state) in set.iter_mut().zip(states) {
            *block = store(xor(swap(state), self.kw[1]));
        }
    }

    /// The same with the subkeys backwards.
    #[inline(always)]
    fn decrypt<const N: usize>(&self, set: &mut [[u8; 16]; N]) {
        let mut states: [_; N] = array::from_fn(|i| xor(load(&set[i]), self.kw[1]));
        for (i, [steps @ .., first]) in self.steps.iter().take(self.groups).enumerate().rev() {
            add(&mut states, swap(*first));
            for step in steps.iter().rev() {
                rounds(&mut states, swap(*step));
            }
            if let Some(ke) = self.ke.get(i.wrapping_sub(1)) {
                layer(&mut states, swap(*ke));
            }
        }
        for (block, state) in set.iter_mut().zip(states) {
            *block = store(xor(swap(state), self.kw[0]));
        }
    }

    #[inline(never)]
    fn encrypt_sets<const N: usize>(&self, sets: &mut [[[u8; 16]; N]]) -> Depth {
        for set in sets {
            self.encrypt(set);
        }
        Depth::here()
    }

    #[inline(never)]
    fn decrypt_sets<const N: usize>(&self, sets: &mut [[[u8; 16]; N]]) -> Depth {
        for set in sets {
            self.decrypt(set);
        }
        Depth::here()
    }
}

/// Two rounds, so that the halves need not be swapped. Each half has its subkey in it, and
/// afterwards the sum of that and `step`.
#[inline(always)]
fn rounds<const N: usize>(states: &mut [[u32; 4]; N], step: [u32; 4]) {
    for [d1, d2, d3, d4] in &mut *states {
        [*d3, *d4] = add_f::<N>([*d3, *d4], [*d1, *d2]);
        (*d1, *d2) = (*d1 ^ step[0], *d2 ^ step[1]);
    }
    for [d1, d2, d3, d4] in states {
        [*d1, *d2] = add_f::<N>([*d1, *d2], [*d3, *d4]);
        (*d3, *d4) = (*d3 ^ step[2], *d4 ^ step[3]);
    }
}

/// The layer of FL and FLINV between groups of rounds.
#[inline(always)]
fn layer<const N: usize>(states: &mut [[u32; 4]; N], [k1, k2, k3, k4]: [u32; 4]) {
    for [d1, d2, d3, d4] in states {
        [*d1, *d2] = fl([*d1, *d2], [k1, k2]);
        [*d3, *d4] = fl_inverse([*d3, *d4], [k3, k4]);
    }
}

#[inline(always)]
fn add<const N: usize>(states: &mut [[u32; 4]; N], keys: [u32; 4]) {
    for state in states {
        *state = xor(*state, keys);
    }
}

/// Keeps an operand of XOR together. The compiler knows that XOR is associative, and rewrites a
/// tree of XORs as a row, so that each table look-up is one operand in memory, where the CPU has
/// such. In a row of four the first look-up waits for three XORs, and where a cipher is one long
/// chain, that is most of what its round has besides the look-ups.
#[inline(always)]
fn operand(x: u32) -> u32 {
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) { cinder_burn::opaque(x) } else { x }
}

/// Section 2.4.1: `to` plus the F-function of `left` and `right`, which have its subkey in them.
///
/// P is written with one matrix for both halves. If A is what x1 to x4 add to y1 to y4, and B what
/// x5 to x8 do, then y1 to y4 are A ⊕ B, and y5 to y8 are B ⊕ A ⊕ (A >>> 8). The tables for x5 to
/// x8 are those for x1 to x4, begun at the second.
///
/// For one block the XORs are trees, each with what comes last on top. Of `N` > 1 blocks side by
/// side none waits, and rows are fewer instructions.
#[inline(always)]
fn add_f<const N: usize>([to1, to2]: [u32; 2], [left, right]: [u32; 2]) -> [u32; 2] {
    let [x1, x2, x3, x4] = left.to_be_bytes().map(usize::from);
    let [x5, x6, x7, x8] = right.to_be_bytes().map(usize::from);
    if N == 1 {
        let a = operand(SP[3][x4] ^ SP[2][x3]) ^ operand(SP[0][x1] ^ SP[1][x2]);
        let b = operand(SP[0][x8] ^ SP[3][x7]) ^ operand(SP[1][x5] ^ SP[2][x6]);
        let (a, b) = (operand(a), operand(b));
        [operand(to1 ^ b) ^ a, operand(to2 ^ b) ^ operand(a ^ a.rotate_right(8))]
    } else {
        let a = SP[0][x1] ^ SP[1][x2] ^ SP[2][x3] ^ SP[3][x4];
        let b = SP[1][x5] ^ SP[2][x6] ^ SP[3][x7] ^ SP[0][x8];
        [to1 ^ (a ^ b), to2 ^ (a ^ b ^ a.rotate_right(8))]
    }
}

/// Section 2.4.2: the FL-function.
#[inline(always)]
fn fl([x1, x2]: [u32; 2], [k1, k2]: [u32; 2]) -> [u32; 2] {
    let x2 = x2 ^ (x1 & k1).rotate_left(1);
    let x1 = x1 ^ (x2 | k2);
    [x1, x2]
}

/// Section 2.4.3: the FLINV-function.
#[inline(always)]
fn fl_inverse([y1, y2]: [u32; 2], [k1, k2]: [u32; 2]) -> [u32; 2] {
    let y1 = y1 ^ (y2 | k2);
    let y2 = y2 ^ (y1 & k1).rotate_left(1);
    [y1, y2]
}

#[inline(always)]
fn xor(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    array::from_fn(|i| a[i] ^ b[i])
}

/// The two halves exchanged.
#[inline(always)]
fn swap([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    [c, d, a, b]
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

/// Section 2.2: Sigma1 to Sigma6.
const SIGMA: [[u64; 2]; 3] = [
    [0xA09E667F3BCC908B, 0xB67AE8584CAA73B2],
    [0xC6EF372FE94F82BE, 0x54FF53A5F1D36F1C],
    [0x10E527FADE682D1D, 0xB05688C2B3E6C1FD],
];

/// K <<< n, a pair of subkeys.
#[inline(always)]
fn rotated(k: u128, n: u32) -> [u32; 4] {
    let k = k.rotate_left(n);
    [(k >> 96) as u32, (k >> 64) as u32, (k >> 32) as u32, k as u32]
}

/// Two rounds of D1 || D2 with two of the constants.
#[inline(always)]
fn mixed(d: u128, [sigma1, sigma2]: [u64; 2]) -> u128 {
    let sigma = u128::from(sigma1) << 64 | u128::from(sigma2);
    let mut state = [rotated(d ^ sigma, 0)];
    rounds(&mut state, rotated(sigma, 0));
    let [words] = state;
    words.iter().fold(0, |d, word| d << 32 | u128::from(*word))
}

/// Section 2.2: KA of KL and KR.
#[inline(always)]
fn ka(kl: u128, kr: u128) -> u128 {
    mixed(mixed(kl ^ kr, SIGMA[0]) ^ kl, SIGMA[1])
}

/// The pairs of a group of six rounds, as [`Camellia::steps`] keeps them.
#[inline(always)]
fn steps([k12, k34, k56]: [[u32; 4]; 3]) -> [[u32; 4]; 4] {
    [k12, xor(k12, k34), xor(k34, k56), k56]
}

impl Camellia {
    /// Section 2.2 for a key of 128 bits.
    #[inline(never)]
    fn expand_128(&mut self, kl: &[u8; 16]) -> Depth {
        let kl = u128::from_be_bytes(*kl);
        let ka = ka(kl, 0);
        // k9 is of KA and k10 of KL.
        let ([k9, k9_low, ..], [.., k10, k10_low]) = (rotated(ka, 45), rotated(kl, 60));
        self.kw = [rotated(kl, 0), rotated(ka, 111)];
        self.steps = [
            steps([rotated(ka, 0), rotated(kl, 15), rotated(ka, 15)]),
            steps([rotated(kl, 45), [k9, k9_low, k10, k10_low], rotated(ka, 60)]),
            steps([rotated(kl, 94), rotated(ka, 94), rotated(kl, 111)]),
            [[0; 4]; 4],
        ];
        self.ke = [rotated(ka, 30), rotated(kl, 77), [0; 4]];
        self.groups = 3;
        Depth::here()
    }

    /// Section 2.2 for a key of 256 bits.
    #[inline(never)]
    fn expand_256(&mut self, kl: &[u8; 16], kr: &[u8; 16]) -> Depth {
        let (kl, kr) = (u128::from_be_bytes(*kl), u128::from_be_bytes(*kr));
        let ka = ka(kl, kr);
        let kb = mixed(ka ^ kr, SIGMA[2]);
        self.kw = [rotated(kl, 0), rotated(kb, 111)];
        self.steps = [
            steps([rotated(kb, 0), rotated(kr, 15), rotated(ka, 15)]),
            steps([rotated(kb, 30), rotated(kl, 45), rotated(ka, 45)]),
            steps([rotated(kr, 60), rotated(kb, 60), rotated(kl, 77)]),
            steps([rotated(kr, 94), rotated(ka, 94), rotated(kl, 111)]),
        ];
        self.ke = [rotated(kr, 30), rotated(kl, 60), rotated(ka, 77)];
        self.groups = 4;
        Depth::here()
    }

    /// Section 2.2 for a key of 192 bits, whose last 64 bits are followed by their complement.
    #[inline(never)]
    fn expand_192(&mut self, kl: &[u8; 16], rest: &[u8; 8]) -> Depth {
        let mut kr = [0; 16];
        let (first, second) = kr.split_at_mut(8);
        for ((first, second), byte) in first.iter_mut().zip(second).zip(rest) {
            *first = *byte;
            *second = !*byte;
        }
        self.expand_256(kl, &kr).max(Depth::here())
    }
}

impl InPlace for Camellia {
    fn vacant(_: Vacancy) -> Self {
        Camellia {
            kw: [[0; 4]; 2],
            steps: [[[0; 4]; 4]; 4],
            ke: [[0; 4]; 3],
            groups: 0,
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

impl Tables for Camellia {
    const LEAST: usize = 5;

    #[inline(always)]
    fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline(always)]
    fn by_tables(&self, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
        if decrypt {
            in_sets::<16, LANES>(
                blocks,
                |sets| self.decrypt_sets(sets),
                |pair| self.decrypt_sets(pair),
                |one| self.decrypt_sets(one),
            )
        } else {
            in_sets::<16, LANES>(
                blocks,
                |sets| self.encrypt_sets(sets),
                |pair| self.encrypt_sets(pair),
                |one| self.encrypt_sets(one),
            )
        }
    }
}

impl Permutation<16> for Camellia {
    #[inline(always)]
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 16]]) -> Depth {
        slices::crypt(self, DECRYPT, blocks)
    }

    #[inline(always)]
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; 16]) -> Depth {
        if DECRYPT {
            self.decrypt(array::from_mut(block));
        } else {
            self.encrypt(array::from_mut(block));
        }
        Depth::here()
    }

    #[inline(always)]
    fn takes_64(&self) -> bool {
        self.kernel.takes_64()
    }
}

block_traits!(Camellia, 16);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    /// RFC 3713, appendix A.
    #[test]
    fn rfc_vectors() {
        let plaintext = "0123456789abcdeffedcba9876543210";
        for (key, ciphertext) in [
            ("0123456789abcdeffedcba9876543210", "67673138549669730857065648eabe43"),
            (
                "0123456789abcdeffedcba98765432100011223344556677",
                "b4993401b3e996f84ee5cee7d79b09b9",
            ),
            (
                "0123456789abcdeffedcba987654321000112233445566778899aabbccddeeff",
                "9acc237dff16d76c20ef7c919e3a7509",
            ),
        ] {
            laws::vector::<Camellia, 16>(key, plaintext, ciphertext);
        }
    }

    #[test]
    fn laws() {
        crate::slices::tests::check(&[16, 24, 32], Camellia::rekey_with_kernel);
        laws::key_lengths::<Camellia>(|length| [16, 24, 32].contains(&length));
    }

    #[test]
    fn layers_are_inverse() {
        for i in 0..32 {
            let x = [0x0123_4567_u32.rotate_left(i), 0x89ab_cdef_u32.rotate_left(3 * i)];
            let ke = [0x5a71_03c6_u32.rotate_left(5 * i), 0x96d0_b42f_u32.rotate_left(i)];
            assert_eq!(fl_inverse(fl(x, ke), ke), x);
            assert_eq!(fl(fl_inverse(x, ke), ke), x);
        }
    }

    #[test]
    fn a_key_of_192_bits_is_one_of_256() {
        let key: [u8; 24] = array::from_fn(|i| (101 * i) as u8);
        let mut long = [0; 32];
        long[..24].copy_from_slice(&key);
        for i in 24..32 {
            long[i] = !long[i - 8];
        }
        let (short, long) = (Camellia::new(&key).unwrap(), Camellia::new(&long).unwrap());
        assert_eq!((short.kw, short.steps, short.ke), (long.kw, long.steps, long.ke));
    }

    /// A shorter schedule leaves nothing of a longer one, and a refused key leaves all.
    #[test]
    fn keys_replace_each_other() {
        let mut camellia = Camellia::new(&[1; 32]).unwrap();
        cinder_burn::burn(camellia.rekey(&[2; 16]).unwrap());
        assert_eq!((camellia.steps[3], camellia.ke[2]), ([[0; 4]; 4], [0; 4]));
        let former = (camellia.kw, camellia.steps, camellia.ke, camellia.groups);
        for length in [0, 15, 17, 23, 25, 31, 33, 40] {
            assert_eq!(camellia.rekey(&[0; 40][..length]).unwrap_err().error, KeyError::Length);
            assert_eq!((camellia.kw, camellia.steps, camellia.ke, camellia.groups), former);
        }
    }
}
