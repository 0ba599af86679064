//! SEED: RFC 4269.
//!
//! Blocks and keys of 16 bytes, four big-endian words; 16 rounds.
//!
//! Constant time: no as a whole. The kernels with AES instructions or GFNI are. They take sets of 16
//! blocks and more, and a rest from nine blocks on (AES-NI, VAES) or five (GFNI). A smaller rest, fewer
//! blocks, the modes that take one after the other, the key schedule and the portable kernel look up
//! tables of 1 KiB at places that depend on the data, in the key schedule on the key.
//!
//! # Kernels
//!
//! One is chosen at run time when a key is set, the best that the CPU has;
//! [`kernel`](Seed::kernel) says which.
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
//! The portable kernel has four tables of words, which join the S-boxes with the permutation of G.

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
use tables::SS;

pub use crate::slices::Kernel;

/// Blocks in a set of the portable kernel.
const LANES: usize = 4;

const ROUNDS: usize = 16;

/// SEED, with a key of 16 bytes.
///
/// Holds 128 bytes of round keys, wiped when it drops. A move leaves a copy behind, and
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
/// use cinder_block::{BlockDecrypt, BlockEncrypt, Seed, Slot};
///
/// // RFC 4269, appendix B.1.
/// let mut slot = Slot::<Seed>::empty();
/// let seed = slot.init(&[0; 16])?;
/// let mut block = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// cinder_burn::burn(seed.encrypt_block(&mut block));
/// assert_eq!(u128::from_be_bytes(block), 0x5ebac6e0054e166819aff1cc6d346cdb);
/// cinder_burn::burn(seed.decrypt_block(&mut block));
/// assert_eq!(block, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Seed {
    /// K_{i,0} and K_{i,0} ⊕ K_{i,1} of each round, as the rounds use them.
    keys: [[u32; 2]; ROUNDS],
    kernel: Kernel,
}

secret!(Seed { keys });

impl Seed {
    /// SEED by value. The move out of this function may leave a copy of the round keys on the
    /// stack; [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// Like [`InPlace::rekey`], on a kernel of the caller's choice: for tests and measurements.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] as for [`new`](Self::new); the former key then stays.
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        let key = key.try_into().map_err(|_| KeyError::Length)?;
        let depth = expand(key, &mut self.keys);
        self.kernel = kernel;
        Ok(depth)
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The 16 rounds on `N` blocks side by side; decryption takes the round keys backwards.
    ///
    /// F(C, D) of the RFC is C' = b + c, D' = c, where with T = C ⊕ K_0
    ///
    ///   a = G(T ⊕ D ⊕ K_1), b = G(a + T), c = G(b + a).
    ///
    /// The rounds are one chain of G after G. Their x = C ⊕ D ⊕ K_0 ⊕ K_1 for the next round is
    /// (L_0 ⊕ L_1 ⊕ K_0 ⊕ K_1) ⊕ c ⊕ (b + c), of which the bracket is ready early.
    #[inline(always)]
    fn crypt<const DECRYPT: bool, const N: usize>(&self, set: &mut [[u8; 16]; N]) {
        // The last round asks for a key after its own, and takes any.
        let keys = |round: usize| {
            let i = if DECRYPT { (ROUNDS - 1).wrapping_sub(round) } else { round };
            &self.keys[i % ROUNDS]
        };
        let mut states: [[u32; 4]; N] = array::from_fn(|i| load(&set[i]));
        let mut xs: [u32; N] = array::from_fn(|i| states[i][2] ^ states[i][3] ^ keys(0)[1]);
        // Two rounds instead of the swap.
        for round in (0..ROUNDS).step_by(2) {
            for ([l0, l1, r0, r1], x) in states.iter_mut().zip(&mut xs) {
                step([l0, l1], [*r0, *r1], x, keys(round), keys(round + 1));
            }
            for ([l0, l1, r0, r1], x) in states.iter_mut().zip(&mut xs) {
                step([r0, r1], [*l0, *l1], x, keys(round + 1), keys(round + 2));
            }
        }
        for (block, [l0, l1, r0, r1]) in set.iter_mut().zip(states) {
            *block = store([r0, r1, l0, l1]);
        }
    }

    #[inline(never)]
    fn crypt_sets<const DECRYPT: bool, const N: usize>(&self, sets: &mut [[[u8; 16]; N]]) -> Depth {
        for set in sets {
            self.crypt::<DECRYPT, N>(set);
        }
        Depth::here()
    }
}

/// One round: L ⊕= F(R), and `x` for the next one.
#[inline(always)]
fn step([l0, l1]: [&mut u32; 2], [c, _]: [u32; 2], x: &mut u32, k: &[u32; 2], next: &[u32; 2]) {
    let t = c ^ k[0];
    let early = *l0 ^ *l1 ^ next[1];
    let a = g(*x);
    let b = g(a.wrapping_add(t));
    let d = g(b.wrapping_add(a));
    let c = b.wrapping_add(d);
    *x = early ^ d ^ c;
    *l0 ^= c;
    *l1 ^= d;
}

/// Section 2.2: the function G.
///
/// Four XORs in a row would make the last byte wait for the others. The rotation keeps the compiler
/// from putting the two pairs in one row, and is of the pair whose places are known first.
#[inline(always)]
fn g(x: u32) -> u32 {
    let [x0, x1, x2, x3] = x.to_le_bytes().map(usize::from);
    (SS[0][x0] ^ SS[3][x3]).rotate_left(16) ^ (SS[1][x1] ^ SS[2][x2])
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

/// Section 2.3: the key schedule.
#[inline(never)]
fn expand(key: &[u8; 16], keys: &mut [[u32; 2]; ROUNDS]) -> Depth {
    // KC_0 is the fractional part of the golden ratio, and KC_i the same rotated left by i bits.
    const KC_0: u32 = 0x9e37_79b9;
    let [k0, k1, k2, k3] = load(key);
    let join = |high, low| u64::from(high) << 32 | u64::from(low);
    let (mut k01, mut k23): (u64, u64) = (join(k0, k1), join(k2, k3));
    for (i, k) in keys.iter_mut().enumerate() {
        let kc = KC_0.rotate_left(i as u32);
        let [k0, k1] = [(k01 >> 32) as u32, k01 as u32];
        let [k2, k3] = [(k23 >> 32) as u32, k23 as u32];
        k[0] = g(k0.wrapping_add(k2).wrapping_sub(kc));
        k[1] = k[0] ^ g(k1.wrapping_sub(k3).wrapping_add(kc));
        if i % 2 == 0 {
            k01 = k01.rotate_right(8);
        } else {
            k23 = k23.rotate_left(8);
        }
    }
    Depth::here()
}

impl InPlace for Seed {
    fn vacant(_: Vacancy) -> Self {
        Seed { keys: [[0; 2]; ROUNDS], kernel: Kernel::Portable }
    }

    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 bytes; the former key then stays.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

impl Seed {
    #[inline(always)]
    fn in_sets<const DECRYPT: bool>(&self, blocks: &mut [[u8; 16]]) -> Depth {
        in_sets::<16, LANES>(
            blocks,
            |sets| self.crypt_sets::<DECRYPT, LANES>(sets),
            |pair| self.crypt_sets::<DECRYPT, 2>(pair),
            |one| self.crypt_sets::<DECRYPT, 1>(one),
        )
    }
}

impl Tables for Seed {
    const LEAST: usize = 5;

    #[inline(always)]
    fn kernel(&self) -> Kernel {
        self.kernel
    }

    #[inline(always)]
    fn by_tables(&self, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
        if decrypt { self.in_sets::<true>(blocks) } else { self.in_sets::<false>(blocks) }
    }
}

impl Permutation<16> for Seed {
    #[inline(always)]
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 16]]) -> Depth {
        slices::crypt(self, DECRYPT, blocks)
    }

    #[inline(always)]
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; 16]) -> Depth {
        self.crypt::<DECRYPT, 1>(array::from_mut(block));
        Depth::here()
    }

    #[inline(always)]
    fn takes_64(&self) -> bool {
        self.kernel.takes_64()
    }
}

block_traits!(Seed, 16);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    /// RFC 4269, appendix B.
    #[test]
    fn rfc_vectors() {
        for (key, plaintext, ciphertext) in [
            (
                "00000000000000000000000000000000",
                "000102030405060708090a0b0c0d0e0f",
                "5ebac6e0054e166819aff1cc6d346cdb",
            ),
            (
                "000102030405060708090a0b0c0d0e0f",
                "00000000000000000000000000000000",
                "c11f22f20140505084483597e4370f43",
            ),
            (
                "4706480851e61be85d74bfb3fd956185",
                "83a2f8a288641fb9a4e9a5cc2f131c7d",
                "ee54d13ebcae706d226bc3142cd40d4a",
            ),
            (
                "28dbc3bc49ffd87dcfa509b11d422be7",
                "b41e6be2eba84a148e2eed84593c5ec7",
                "9b9b7bfcd1813cb95d0b3618f40f5122",
            ),
        ] {
            laws::vector::<Seed, 16>(key, plaintext, ciphertext);
        }
    }

    #[test]
    fn laws() {
        crate::slices::tests::check(&[16], Seed::rekey_with_kernel);
        laws::key_lengths::<Seed>(|length| length == 16);
    }

    #[test]
    fn refused_keys_leave_the_former_one() {
        let mut seed = Seed::new(b"sixteen byte key").unwrap();
        let former = seed.keys;
        for length in [0, 15, 17, 32] {
            assert_eq!(seed.rekey(&[0; 32][..length]).unwrap_err().error, KeyError::Length);
            assert_eq!(seed.keys, former);
        }
    }
}
