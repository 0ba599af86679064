//! IDEA: X. Lai, On the Design and Security of Block Ciphers (1992), chapter 3.
//!
//! Blocks of 8 bytes, keys of 16 bytes, all words 16 bits and big endian; 8 rounds and an output
//! transformation, 52 subkeys.
//!
//! Constant time: yes. The multiplication has no branch and no table, and the compiler cannot see
//! that it tells the word 0 ([`opaque`]); the decryption subkeys' inverses are powers with a fixed
//! exponent.
//!
//! One code for one block and for several at a time: loops over lanes, which the compiler turns
//! into 16-bit vector instructions where the target has them.
//!
//! A block of 64 bits repeats among 2^32 blocks by the birthday bound (Sweet32): do not encrypt
//! more than a few hundred megabytes under one key. IDEA is here for OpenPGP and other data of
//! its time.

use crate::lanes::{VECTOR, VECTORS, WIDE, each_width};
use crate::permutation::{Permutation, block_traits};
use crate::schedule::secret;
use crate::slot::by_value;
use crate::{Depth, InPlace, KeyError, Refusal, Vacancy};
use cinder_burn::opaque;

const ROUNDS: usize = 8;
const SUBKEYS: usize = 6 * ROUNDS + 4;

/// From this many blocks on, a padded vector is quicker than one after the other.
const WORTH: usize = if VECTORS { 3 } else { 2 };

/// IDEA with its encryption and decryption subkeys.
///
/// Holds 208 bytes of subkeys, wiped when it drops. A move leaves a copy behind, and `mem::forget`
/// and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// ```
/// use cinder_block::{BlockDecrypt, BlockEncrypt, Idea, Slot};
///
/// let mut slot = Slot::<Idea>::empty();
/// let idea = slot.init(&[0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8])?;
/// let mut block = [0, 0, 0, 1, 0, 2, 0, 3];
/// let depth = idea.encrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(block, [0x11, 0xfb, 0xed, 0x2b, 0x01, 0x98, 0x6d, 0xe5]);
/// let depth = idea.decrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(block, [0, 0, 0, 1, 0, 2, 0, 3]);
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Idea {
    encrypt: [u16; SUBKEYS],
    decrypt: [u16; SUBKEYS],
}

secret!(Idea { encrypt, decrypt });

impl Idea {
    /// IDEA by value. The move out of this function may leave a copy of the subkeys on the
    /// stack; [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    fn subkeys<const DECRYPT: bool>(&self) -> &[u16; SUBKEYS] {
        if DECRYPT { &self.decrypt } else { &self.encrypt }
    }
}

impl InPlace for Idea {
    fn vacant(_: Vacancy) -> Self {
        Idea { encrypt: [0; SUBKEYS], decrypt: [0; SUBKEYS] }
    }

    #[inline(never)]
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let key: &[u8; 16] = key.try_into().map_err(|_| KeyError::Length)?;
        expand(key, &mut self.encrypt);
        Ok(Depth::here().max(invert(&self.encrypt, &mut self.decrypt)))
    }
}

impl Permutation<8> for Idea {
    #[inline(always)]
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 8]]) -> Depth {
        let subkeys = self.subkeys::<DECRYPT>();
        each_width::<WIDE, VECTOR, WORTH>(
            blocks,
            |blocks| crypt(subkeys, blocks),
            |blocks| crypt(subkeys, blocks),
            |block| crypt(subkeys, core::array::from_mut(block)),
        )
    }

    #[inline(always)]
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; 8]) -> Depth {
        crypt(self.subkeys::<DECRYPT>(), core::array::from_mut(block))
    }
}

block_traits!(Idea, 8);

/// Multiplication modulo 2^16 + 1 of nonzero residues, where the word 0 stands for 2^16.
///
/// With a·b = hi·2^16 + lo and 2^16 ≡ -1, the product is lo - hi, plus 2^16 + 1 if that is
/// negative. If a or b stands for 2^16, hi and lo are 0, and 2^16·b ≡ -b ≡ 2^16 + 1 - b, whose
/// word is 1 - b = 1 - a - b, since a is the word 0. That term depends on the operands alone, so
/// it is ready before the product is.
///
/// `L` is how many are done side by side. One alone is shortest on whole registers: there x - 1 is
/// negative for the word 0 alone, and 1 - a - b = !((a - 1) + (b - 1)), since -x = !(x - 1).
///
/// Vectors want 16-bit words throughout, and the compiler makes none of a loop with assembly in it.
/// There the uppermost bit of x | -x tells the word 0, and fills its word: `fifteen` is how far it
/// is shifted, but [`opaque`], so that the compiler does not know that it makes a mask.
#[inline(always)]
fn mul<const L: usize>(fifteen: u32, a: u16, b: u16) -> u16 {
    if L == 1 || !VECTORS {
        let (a, b) = (u32::from(a), u32::from(b));
        let product = a * b;
        let (lo, hi) = (product & 0xffff, product >> 16);
        let (less_a, less_b) = (a.wrapping_sub(1), b.wrapping_sub(1));
        let is_zero = opaque(((less_a | less_b) as i32 >> 31) as u32);
        let for_zero = is_zero & !less_a.wrapping_add(less_b);
        let sum = for_zero.wrapping_sub(hi).wrapping_add(lo);
        return sum.wrapping_add(u32::from(lo < hi)) as u16;
    }
    let nonzero = |x: u16| ((x | x.wrapping_neg()) as i16 >> fifteen) as u16;
    let for_zero = !(nonzero(a) & nonzero(b)) & 1u16.wrapping_sub(b).wrapping_sub(a);
    let product = u32::from(a) * u32::from(b);
    let (lo, hi) = (product as u16, (product >> 16) as u16);
    for_zero.wrapping_sub(hi).wrapping_add(lo).wrapping_add(u16::from(lo < hi))
}

/// The cipher on `L` blocks side by side: the 8 rounds and the output transformation, the same
/// for both directions.
#[inline(never)]
fn crypt<const L: usize>(subkeys: &[u16; SUBKEYS], blocks: &mut [[u8; 8]; L]) -> Depth {
    let mut x = [[0u16; L]; 4];
    for (lane, block) in blocks.iter().enumerate() {
        for (word, bytes) in x.iter_mut().zip(block.as_chunks::<2>().0) {
            word[lane] = u16::from_be_bytes(*bytes);
        }
    }
    let fifteen = opaque(15);
    let [mut x1, mut x2, mut x3, mut x4] = x;

    let (rounds, last) = subkeys.as_chunks::<6>();
    for z in rounds {
        for lane in 0..L {
            let (a, b) = (mul::<L>(fifteen, x1[lane], z[0]), x2[lane].wrapping_add(z[1]));
            let (c, d) = (x3[lane].wrapping_add(z[2]), mul::<L>(fifteen, x4[lane], z[3]));
            // The MA structure.
            let t0 = mul::<L>(fifteen, a ^ c, z[4]);
            let t1 = mul::<L>(fifteen, (b ^ d).wrapping_add(t0), z[5]);
            let t2 = t0.wrapping_add(t1);
            (x1[lane], x2[lane], x3[lane], x4[lane]) = (a ^ t1, c ^ t1, b ^ t2, d ^ t2);
        }
    }
    // The last round's swap of the middle words is undone by taking x3 before x2.
    let z = last;
    for lane in 0..L {
        let block = &mut blocks[lane];
        block[0..2].copy_from_slice(&mul::<L>(fifteen, x1[lane], z[0]).to_be_bytes());
        block[2..4].copy_from_slice(&x3[lane].wrapping_add(z[1]).to_be_bytes());
        block[4..6].copy_from_slice(&x2[lane].wrapping_add(z[2]).to_be_bytes());
        block[6..8].copy_from_slice(&mul::<L>(fifteen, x4[lane], z[3]).to_be_bytes());
    }
    Depth::here()
}

/// The encryption subkeys: the key's eight words, then the key rotated left by 25 bits, and so
/// on. Word i of a rotated key is made of the words i + 1 and i + 2 of the one before.
#[inline(always)]
fn expand(key: &[u8; 16], subkeys: &mut [u16; SUBKEYS]) {
    for (subkey, bytes) in subkeys.iter_mut().zip(key.as_chunks::<2>().0) {
        *subkey = u16::from_be_bytes(*bytes);
    }
    for i in 8..SUBKEYS {
        let before = i / 8 * 8 - 8;
        // 25 bits are one word and nine bits.
        let high = subkeys[before + (i + 1) % 8];
        let low = subkeys[before + (i + 2) % 8];
        subkeys[i] = high << 9 | low >> 7;
    }
}

/// The decryption subkeys: each group of the output transformation's kind, taken from the end,
/// with its multiplicative keys inverted, its additive ones negated and, inside, swapped; the MA
/// structure's keys as they are.
#[inline(never)]
fn invert(encrypt: &[u16; SUBKEYS], decrypt: &mut [u16; SUBKEYS]) -> Depth {
    // Side by side, in whole vectors. The group's order is 2^16, so the inverse of x is
    // x^(2^16 - 1). If y = x^(2^k - 1), then y^(2^k)·y = x^(2^2k - 1).
    const COUNT: usize = (2 * (ROUNDS + 1)).next_multiple_of(VECTOR);
    let mut y = [0u16; COUNT];
    for group in 0..=ROUNDS {
        (y[2 * group], y[2 * group + 1]) = (encrypt[6 * group], encrypt[6 * group + 3]);
    }
    let fifteen = opaque(15);
    for k in [1, 2, 4, 8] {
        let x = y;
        for _ in 0..k {
            for y in &mut y {
                *y = mul::<COUNT>(fifteen, *y, *y);
            }
        }
        for (y, x) in y.iter_mut().zip(&x) {
            *y = mul::<COUNT>(fifteen, *y, *x);
        }
    }

    for group in 0..=ROUNDS {
        let from = 6 * (ROUNDS - group);
        let to = 6 * group;
        let swap = usize::from(group != 0 && group != ROUNDS);
        decrypt[to] = y[from / 3]; // Two of a group of six.
        decrypt[to + 1] = encrypt[from + 1 + swap].wrapping_neg();
        decrypt[to + 2] = encrypt[from + 2 - swap].wrapping_neg();
        decrypt[to + 3] = y[from / 3 + 1];
        if group < ROUNDS {
            decrypt[to + 4] = encrypt[from - 2];
            decrypt[to + 5] = encrypt[from - 1];
        }
    }
    Depth::here()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockDecrypt, BlockEncrypt};

    /// The definition: residues of 2^16 + 1, with 2^16 for the word 0.
    fn mul_by_definition(a: u16, b: u16) -> u16 {
        let residue = |x: u16| if x == 0 { 1u64 << 16 } else { u64::from(x) };
        (residue(a) * residue(b) % 65537) as u16
    }

    #[test]
    fn multiplication_is_the_definition() {
        let edges = [0, 1, 2, 3, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff];
        for a in edges {
            for b in 0..=u16::MAX {
                let both = |a, b| [mul::<1>(15, a, b), mul::<8>(15, a, b)];
                for product in [both(a, b), both(b, a)].concat() {
                    assert_eq!(product, mul_by_definition(a, b), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn inverses_are_inverses() {
        let key: [u8; 16] = core::array::from_fn(|i| (37 * i) as u8);
        let mut encrypt = [0; SUBKEYS];
        expand(&key, &mut encrypt);
        // Operands whose word is 0, 1 and 2^16 - 1 as well.
        (encrypt[0], encrypt[3], encrypt[6]) = (0, 1, 0xffff);
        let mut decrypt = [0; SUBKEYS];
        cinder_burn::burn(invert(&encrypt, &mut decrypt));
        for group in 0..=ROUNDS {
            for key in [0, 3] {
                let product = mul_by_definition(
                    encrypt[6 * group + key],
                    decrypt[6 * (ROUNDS - group) + key],
                );
                assert_eq!(product, 1, "group {group} key {key}");
            }
        }
    }

    #[test]
    fn subkeys_are_the_rotated_key() {
        let key = *b"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f";
        let mut subkeys = [0; SUBKEYS];
        expand(&key, &mut subkeys);
        for (i, subkey) in subkeys.iter().enumerate() {
            let rotated = u128::from_be_bytes(key).rotate_left(25 * (i as u32 / 8));
            assert_eq!(*subkey, (rotated >> (112 - 16 * (i % 8))) as u16, "{i}");
        }
    }

    #[test]
    fn counts_of_blocks_agree_and_invert() {
        let idea = Idea::new(b"sixteen byte key").unwrap();
        for count in 0..=2 * WIDE + 15 {
            let mut blocks = [[0u8; 8]; 2 * WIDE + 15];
            for (i, block) in blocks.iter_mut().enumerate() {
                *block = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
            }
            let plaintext = blocks;
            cinder_burn::burn(idea.encrypt_blocks(&mut blocks[..count]));
            for (block, plain) in blocks.iter().zip(&plaintext).take(count) {
                let mut one = *plain;
                cinder_burn::burn(idea.encrypt_block(&mut one));
                assert_eq!(*block, one);
            }
            assert_eq!(blocks[count..], plaintext[count..]);
            cinder_burn::burn(idea.decrypt_blocks(&mut blocks[..count]));
            assert_eq!(blocks, plaintext);
        }
    }

    /// The designers' test data: key, plaintext, ciphertext.
    #[test]
    fn published_vectors() {
        for (key, plaintext, ciphertext) in [
            (0x00010002000300040005000600070008_u128, 0x0000000100020003_u64, 0x11fbed2b01986de5),
            (0x0005000a000f00140019001e00230028, 0x0102030405060708, 0x3ec04780beff6e20),
            (0x3a984e2000195db32ee501c8c47cea60, 0x0102030405060708, 0x97bcd8200780da86),
        ] {
            let idea = Idea::new(&key.to_be_bytes()).unwrap();
            let mut block = plaintext.to_be_bytes();
            cinder_burn::burn(idea.encrypt_block(&mut block));
            assert_eq!(u64::from_be_bytes(block), ciphertext);
            cinder_burn::burn(idea.decrypt_block(&mut block));
            assert_eq!(u64::from_be_bytes(block), plaintext);
        }
    }

    #[test]
    fn key_lengths() {
        for len in (0..64).filter(|len| *len != 16) {
            assert_eq!(Idea::new(&[0; 64][..len]).unwrap_err(), KeyError::Length);
        }
    }
}
