//! Twofish: B. Schneier, J. Kelsey, D. Whiting, D. Wagner, C. Hall, N. Ferguson, "Twofish: A
//! 128-Bit Block Cipher", 15 June 1998.
//!
//! Blocks of 16 bytes, four little-endian words; keys of 16, 24 and 32 bytes; 16 rounds.
//!
//! Constant time: no, because g looks up tables of 4 KiB at places that depend on the data, and
//! the key schedule looks up q0 and q1 at places that depend on the key.
//!
//! One portable kernel: sets of `LANES` blocks, pairs, and one. Each key has its own four tables
//! that join its S-boxes with the matrix MDS (the paper's "full keying", section 5.1).

mod tables;

use crate::permutation::{Permutation, block_traits};
use crate::schedule::secret;
use crate::sets::in_sets;
use crate::slot::by_value;
use crate::{Depth, InPlace, KeyError, Refusal, Vacancy};
use core::array;
use tables::{MDS_Q, Q};

/// Blocks in a set.
const LANES: usize = 4;

/// Twofish, with a key of 16, 24 or 32 bytes.
///
/// Holds 4256 bytes of subkeys and S-boxes, wiped when it drops. A move leaves a copy behind, and
/// `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// # Constant time
///
/// No: it looks up tables at places that depend on the key and on the data, so an attacker who
/// shares the cache may learn both.
///
/// ```
/// use cinder_block::{BlockDecrypt, BlockEncrypt, Slot, Twofish};
///
/// let mut slot = Slot::<Twofish>::empty();
/// let twofish = slot.init(&[0x42; 32])?;
/// let mut block = *b"sixteen bytes...";
/// let depth = twofish.encrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// let depth = twofish.decrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(&block, b"sixteen bytes...");
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Twofish {
    /// The expanded key words K_0 to K_39.
    k: [u32; 40],
    /// s[j][x] is column j of MDS times s_j[x]: g(X) is the XOR of one entry of each.
    s: [[u32; 256]; 4],
}

secret!(Twofish { k, s });

impl Twofish {
    /// By value: moving the value leaves a copy of its 4256 bytes of key schedule where it was.
    /// A [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16, 24 or 32 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// Section 4.3 for a key of N bits, K = N / 64.
    #[inline(never)]
    fn expand<const K: usize>(&mut self, key: &[[u8; 8]; K]) -> Depth {
        // M_e = (M_0, M_2, …), M_o = (M_1, M_3, …), S = (S_{k-1}, …, S_0).
        let mut even = [[0; 4]; K];
        let mut odd = [[0; 4]; K];
        let mut s = [[0; 4]; K];
        for (i, m) in key.iter().enumerate() {
            let [a, b, c, d, e, f, g, h] = *m;
            even[i] = [a, b, c, d];
            odd[i] = [e, f, g, h];
            s[K - 1 - i] = rs(m);
        }
        let depth = self.subkeys(&even, &odd);
        let depth = depth.max(self.sboxes(&s));
        depth.max(Depth::here())
    }

    /// K_2i = A_i + B_i, K_2i+1 = ROL(A_i + 2 B_i, 9), where A_i = h(2i ρ, M_e) and
    /// B_i = ROL(h((2i + 1) ρ, M_o), 8). Every byte of a ρ is a.
    #[inline(never)]
    fn subkeys<const K: usize>(&mut self, even: &[[u8; 4]; K], odd: &[[u8; 4]; K]) -> Depth {
        let (pairs, _) = self.k.as_chunks_mut::<2>();
        for (k, i) in pairs.iter_mut().zip((0..).step_by(2)) {
            let a = h(i, even);
            let b = h(i + 1, odd).rotate_left(8);
            k[0] = a.wrapping_add(b);
            k[1] = a.wrapping_add(b).wrapping_add(b).rotate_left(9);
        }
        Depth::here()
    }

    #[inline(never)]
    fn sboxes<const K: usize>(&mut self, l: &[[u8; 4]; K]) -> Depth {
        let [s0, s1, s2, s3] = &mut self.s;
        for x in 0..=255 {
            s0[usize::from(x)] = column::<K>(0, x, l);
            s1[usize::from(x)] = column::<K>(1, x, l);
            s2[usize::from(x)] = column::<K>(2, x, l);
            s3[usize::from(x)] = column::<K>(3, x, l);
        }
        Depth::here()
    }

    /// g(X).
    #[inline(always)]
    fn g(&self, x: u32) -> u32 {
        let [x0, x1, x2, x3] = x.to_le_bytes().map(usize::from);
        let [s0, s1, s2, s3] = &self.s;
        s0[x0] ^ s1[x1] ^ (s2[x2] ^ s3[x3])
    }

    /// g(ROL(X, 8)).
    #[inline(always)]
    fn g_rol8(&self, x: u32) -> u32 {
        let [x1, x2, x3, x0] = x.to_le_bytes().map(usize::from);
        let [s0, s1, s2, s3] = &self.s;
        s0[x0] ^ s1[x1] ^ (s2[x2] ^ s3[x3])
    }

    /// F of round r: F_0 = T_0 + T_1 + K_{2r+8}, F_1 = T_0 + 2 T_1 + K_{2r+9}, where
    /// T_0 = g(R_0) and T_1 = g(ROL(R_1, 8)). `k` is K_{2r+8} and K_{2r+9}.
    #[inline(always)]
    fn f(&self, r0: u32, r1: u32, k: &[u32; 2]) -> (u32, u32) {
        let t1 = self.g_rol8(r1);
        let t0 = self.g(r0);
        let f0 = t0.wrapping_add(t1.wrapping_add(k[0]));
        let f1 = t0.wrapping_add(t1.wrapping_add(t1).wrapping_add(k[1]));
        (f0, f1)
    }

    #[inline(always)]
    fn encrypt_set<const N: usize>(&self, set: &mut [[u8; 16]; N]) {
        let (k, _) = self.k.as_chunks::<2>();
        let mut states: [[u32; 4]; N] = array::from_fn(|i| load(&set[i]));
        for [r0, r1, r2, r3] in &mut states {
            *r0 ^= self.k[0];
            *r1 ^= self.k[1];
            *r2 ^= self.k[2];
            *r3 ^= self.k[3];
        }
        // Two rounds instead of the swap.
        for r in (0..16).step_by(2) {
            for [r0, r1, r2, r3] in &mut states {
                let (f0, f1) = self.f(*r0, *r1, &k[r + 4]);
                *r2 = (*r2 ^ f0).rotate_right(1);
                *r3 = r3.rotate_left(1) ^ f1;
            }
            for [r0, r1, r2, r3] in &mut states {
                let (f0, f1) = self.f(*r2, *r3, &k[r + 5]);
                *r0 = (*r0 ^ f0).rotate_right(1);
                *r1 = r1.rotate_left(1) ^ f1;
            }
        }
        for (block, [r0, r1, r2, r3]) in set.iter_mut().zip(states) {
            *block = store([r2 ^ self.k[4], r3 ^ self.k[5], r0 ^ self.k[6], r1 ^ self.k[7]]);
        }
    }

    #[inline(always)]
    fn decrypt_set<const N: usize>(&self, set: &mut [[u8; 16]; N]) {
        let (k, _) = self.k.as_chunks::<2>();
        let mut states: [[u32; 4]; N] = array::from_fn(|i| load(&set[i]));
        for [r2, r3, r0, r1] in &mut states {
            *r2 ^= self.k[4];
            *r3 ^= self.k[5];
            *r0 ^= self.k[6];
            *r1 ^= self.k[7];
        }
        for r in (0..16).rev().step_by(2) {
            for [r2, r3, r0, r1] in &mut states {
                let (f0, f1) = self.f(*r2, *r3, &k[r + 4]);
                *r0 = r0.rotate_left(1) ^ f0;
                *r1 = (*r1 ^ f1).rotate_right(1);
            }
            for [r2, r3, r0, r1] in &mut states {
                let (f0, f1) = self.f(*r0, *r1, &k[r + 3]);
                *r2 = r2.rotate_left(1) ^ f0;
                *r3 = (*r3 ^ f1).rotate_right(1);
            }
        }
        for (block, [r2, r3, r0, r1]) in set.iter_mut().zip(states) {
            *block = store([r0 ^ self.k[0], r1 ^ self.k[1], r2 ^ self.k[2], r3 ^ self.k[3]]);
        }
    }

    #[inline(never)]
    fn encrypt_sets<const N: usize>(&self, sets: &mut [[[u8; 16]; N]]) -> Depth {
        for set in sets {
            self.encrypt_set(set);
        }
        Depth::here()
    }

    #[inline(never)]
    fn decrypt_sets<const N: usize>(&self, sets: &mut [[[u8; 16]; N]]) -> Depth {
        for set in sets {
            self.decrypt_set(set);
        }
        Depth::here()
    }
}

/// RS times eight bytes of the key, in GF(2^8) modulo w(x) = x^8 + x^6 + x^3 + x^2 + 1: the
/// remainder of the bytes, as a polynomial in X with the last byte as its highest coefficient,
/// times X^4, modulo the Reed-Solomon generator X^4 + (α + 1/α) X^3 + α X^2 + (α + 1/α) X + 1,
/// where α = x.
#[inline(always)]
fn rs(m: &[u8; 8]) -> [u8; 4] {
    let mut remainder = 0u32;
    for &byte in m.iter().rev() {
        let top = (remainder >> 24) ^ u32::from(byte);
        // α top and top / α, without branches.
        let times = (top << 1) ^ ((top >> 7) * 0x14D);
        let over = (top >> 1) ^ ((top & 1) * (0x14D >> 1));
        remainder = remainder << 8 ^ (times ^ over) << 24 ^ times << 16 ^ (times ^ over) << 8 ^ top;
    }
    remainder.to_le_bytes()
}

/// h(X, L) where every byte of X is `x`.
#[inline(always)]
fn h<const K: usize>(x: u8, l: &[[u8; 4]; K]) -> u32 {
    column::<K>(0, x, l) ^ column::<K>(1, x, l) ^ column::<K>(2, x, l) ^ column::<K>(3, x, l)
}

/// Byte j of h's argument on its way through h, up to its column of MDS: q0 or q1 and a byte of L
/// in turn, from L_{k-1} down to L_0. (Section 4.3.2; figure 6.)
#[inline(always)]
fn column<const K: usize>(j: usize, x: u8, l: &[[u8; 4]; K]) -> u32 {
    let mut y = usize::from(x);
    for i in (0..K).rev() {
        // Which of q0 and q1 comes before L_i is XORed in.
        let q = [[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0], [1, 0, 0, 1]][i % 4][j];
        y = usize::from(Q[q][y] ^ l[i][j]);
    }
    MDS_Q[j][y]
}

#[inline(always)]
fn load(block: &[u8; 16]) -> [u32; 4] {
    let (words, _) = block.as_chunks::<4>();
    array::from_fn(|i| u32::from_le_bytes(words[i]))
}

#[inline(always)]
fn store(words: [u32; 4]) -> [u8; 16] {
    let mut block = [0; 16];
    let (bytes, _) = block.as_chunks_mut::<4>();
    for (bytes, word) in bytes.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    block
}

impl InPlace for Twofish {
    fn vacant(_: Vacancy) -> Self {
        Twofish { k: [0; 40], s: [[0; 256]; 4] }
    }

    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16, 24 or 32 bytes; the former key then stays.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let (words, rest) = key.as_chunks::<8>();
        if !rest.is_empty() {
            Err(KeyError::Length.into())
        } else if let Ok(key) = <&[_; 2]>::try_from(words) {
            Ok(self.expand(key))
        } else if let Ok(key) = <&[_; 3]>::try_from(words) {
            Ok(self.expand(key))
        } else if let Ok(key) = <&[_; 4]>::try_from(words) {
            Ok(self.expand(key))
        } else {
            Err(KeyError::Length.into())
        }
    }
}

impl Permutation<16> for Twofish {
    #[inline(always)]
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 16]]) -> Depth {
        if DECRYPT {
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

    #[inline(always)]
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; 16]) -> Depth {
        if DECRYPT {
            self.decrypt_set(array::from_mut(block));
        } else {
            self.encrypt_set(array::from_mut(block));
        }
        Depth::here()
    }
}

block_traits!(Twofish, 16);

#[cfg(test)]
mod tests {
    extern crate std;

    use super::tables::{MDS, V, multiply};
    use super::*;
    use crate::laws;
    use proptest::prelude::*;
    use std::{format, vec::Vec};

    /// Both are permutations; the paper's implementations list q0(0) = A9 and q1(0) = 75 first.
    #[test]
    fn q0_and_q1_are_permutations() {
        for q in &Q {
            let mut seen = [false; 256];
            for &y in q {
                assert!(!seen[usize::from(y)]);
                seen[usize::from(y)] = true;
            }
        }
        assert_eq!([&Q[0][..4], &Q[1][..4]], [[0xa9, 0x67, 0xb3, 0xe8], [0x75, 0xf3, 0xc6, 0xf4]]);
    }

    /// Maximum distance separable: every square submatrix is nonsingular, that is, every
    /// determinant of one to four rows and as many columns is not zero.
    #[test]
    fn mds_is_maximum_distance_separable() {
        fn determinant(rows: &[usize], columns: &[usize]) -> u8 {
            let [first, rows @ ..] = rows else { return 1 };
            columns.iter().enumerate().fold(0, |sum, (i, &column)| {
                let mut others = columns.to_vec();
                others.remove(i);
                sum ^ multiply(MDS[*first][column], determinant(rows, &others), V)
            })
        }
        let subsets =
            || (1..16).map(|set| (0..4).filter(|i| set >> i & 1 != 0).collect::<Vec<usize>>());
        for rows in subsets() {
            for columns in subsets().filter(|columns| columns.len() == rows.len()) {
                assert_ne!(determinant(&rows, &columns), 0, "{rows:?} {columns:?}");
            }
        }
    }

    /// MDS has the elements 01, 5B = 1 + 1/x^2 and EF = 1 + 1/x + 1/x^2 alone.
    #[test]
    fn elements_of_mds() {
        let times_x2 = |a: u8| multiply(multiply(a, 2, V), 2, V);
        assert_eq!(times_x2(0x5B), 4 ^ 1);
        assert_eq!(times_x2(0xEF), 4 ^ 2 ^ 1);
        assert!(MDS.as_flattened().iter().all(|a| [0x01, 0x5B, 0xEF].contains(a)));
    }

    /// The table is MDS times q1, q0, q1, q0.
    #[test]
    fn mds_q_joins_mds_and_q() {
        for (j, table) in MDS_Q.iter().enumerate() {
            for (x, entry) in table.iter().enumerate() {
                let y = Q[(j + 1) % 2][x];
                let rows = entry.to_le_bytes();
                assert!((0..4).all(|row| rows[row] == multiply(MDS[row][j], y, V)));
            }
        }
    }

    /// Section 4.3, the matrix as the paper prints it.
    #[test]
    fn rs_is_the_matrix() {
        const RS: [[u8; 8]; 4] = [
            [0x01, 0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E],
            [0xA4, 0x56, 0x82, 0xF3, 0x1E, 0xC6, 0x68, 0xE5],
            [0x02, 0xA1, 0xFC, 0xC1, 0x47, 0xAE, 0x3D, 0x19],
            [0xA4, 0x55, 0x87, 0x5A, 0x58, 0xDB, 0x9E, 0x03],
        ];
        // It is linear: each bit of the eight bytes alone.
        for column in 0..8 {
            for bit in 0..8 {
                let mut m = [0; 8];
                m[column] = 1 << bit;
                let product = RS.map(|row| multiply(row[column], m[column], 0x14D));
                assert_eq!(rs(&m), product, "{column} {bit}");
            }
        }
    }

    #[test]
    fn published_vectors() {
        // The paper's Appendix A.2, and the last entries of its tables.
        for (key, plaintext, ciphertext) in [
            (
                "00000000000000000000000000000000",
                "00000000000000000000000000000000",
                "9f589f5cf6122c32b6bfec2f2ae8c35a",
            ),
            (
                "0123456789abcdeffedcba98765432100011223344556677",
                "00000000000000000000000000000000",
                "cfd1d2e5a9be9cdf501f13b892bd2248",
            ),
            (
                "0123456789abcdeffedcba987654321000112233445566778899aabbccddeeff",
                "00000000000000000000000000000000",
                "37527be0052334b89f0cfccae87cfa20",
            ),
            (
                "d491db16e7b1c39e86cb086b789f5419",
                "019f9809de1711858faac3a3ba20fbc3",
                "6363977de839486297e661c6c9d668eb",
            ),
            (
                "248a7f3528b168acfdd1386e3f51e30c2e2158bc3e5fc714c1eeeca0ea696d48",
                "431058f4dbc7f734da4f02f04cc4f459",
                "37fe26ff1cf66175f5ddf4c33b97a205",
            ),
        ] {
            laws::vector::<Twofish, 16>(key, plaintext, ciphertext);
        }
    }

    #[test]
    fn key_lengths() {
        laws::key_lengths::<Twofish>(|length| [16, 24, 32].contains(&length));
        for length in [0, 8, 17, 31, 40] {
            assert_eq!(Twofish::new(&[1; 40][..length]).unwrap_err(), KeyError::Length);
        }
    }

    #[test]
    fn every_count_of_blocks() {
        laws::counts(&Twofish::new(b"sixteen byte key").unwrap());
    }

    #[test]
    fn frames_are_small() {
        laws::frames::<Twofish, 16>(b"sixteen byte key");
        laws::frames::<Twofish, 16>(&[1; 32]);
    }

    #[test]
    fn debug_prints_no_secret() {
        let cipher = Twofish::new(b"sixteen byte key").unwrap();
        assert_eq!(format!("{cipher:?}"), "Twofish { .. }");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn laws_hold(
            key: [u8; 32],
            length in prop::sample::select(std::vec![16usize, 24, 32]),
            iv: [u8; 16],
            blocks in prop::collection::vec(any::<[u8; 16]>(), 0..=100),
        ) {
            laws::check(&Twofish::new(&key[..length]).unwrap(), iv, &blocks);
        }
    }
}
