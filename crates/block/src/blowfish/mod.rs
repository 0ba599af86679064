//! Blowfish: B. Schneier, "Description of a New Variable-Length Key, 64-Bit Block Cipher
//! (Blowfish)", Fast Software Encryption 1993, LNCS 809.
//!
//! Blocks of 8 bytes, two big-endian words; keys of 1 to 56 bytes; a state of 4168 bytes.
//!
//! Constant time: no, because F looks up tables of 4 KiB at places that depend on key and data.
//!
//! One portable kernel: sets of `LANES` blocks, pairs, and one. A round waits some eleven cycles
//! for its four loads, so one block alone leaves most of a core idle; blocks that are interleaved
//! round by round fill it.

mod pi;

use crate::permutation::{Permutation, block_traits};
use crate::schedule::secret;
use crate::sets::in_sets;
use crate::slot::by_value;
use crate::{Depth, InPlace, KeyError, Refusal, Vacancy};
use core::array;

/// Blocks in a set. A set takes as long as sixteen rounds wait one after the other, about twelve
/// cycles each, until six blocks or so have enough instructions to fill them; more, and the
/// halves no longer fit in sixteen registers.
const LANES: usize = 6;

/// Words of the P-array.
const SUBKEYS: usize = 18;

/// Blowfish, with a key of 1 to 56 bytes.
///
/// Holds 4168 bytes of subkeys and S-boxes, wiped when it drops. A move leaves a copy behind, and
/// `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// The cipher's paper has keys of up to 448 bits; 4 to 56 bytes is the normal range, and 16 the
/// least that resists a search. Shorter ones are there for old data, and longer ones, up to 72 bytes, by
/// [`rekey_long`](Blowfish::rekey_long).
///
/// A key is expanded by 521 encryptions, some 10 to 30 µs: keep the expanded key, not the bytes,
/// if it is used often.
///
/// # Weak keys
///
/// About one key in 2^15 leads to two equal entries in one S-box (S. Vaudenay, "On the Weak Keys
/// of Blowfish", FSE 1996), which the paper's author advises to reject. They are
/// [`KeyError::Weak`], unless [`rekey_allow_weak`](Blowfish::rekey_allow_weak) or
/// [`new_allow_weak`](Blowfish::new_allow_weak) is used.
///
/// # Small blocks
///
/// With blocks of 64 bits, 2^32 blocks (32 GiB) under one key are bound to hold two equal ones,
/// which betrays plaintext (the Sweet32 attack). Change the key long before, after a few GiB at
/// most, and take AES for anything new.
///
/// # Constant time
///
/// No: it looks up tables at places that depend on the key and on the data, so an attacker who
/// shares the cache may learn both.
///
/// ```
/// use cinder_block::{BlockDecrypt, BlockEncrypt, Blowfish, Slot};
///
/// let mut slot = Slot::<Blowfish>::empty();
/// let blowfish = slot.init(b"0123456789abcdef")?;
/// let mut block = *b"8 bytes.";
/// let depth = blowfish.encrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// let depth = blowfish.decrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(&block, b"8 bytes.");
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Blowfish {
    p: [u32; SUBKEYS],
    s: [[u32; 256]; 4],
}

secret!(Blowfish { p, s });

impl Blowfish {
    /// By value: moving the value leaves a copy of its 4168 bytes of key schedule where it was.
    /// A [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 56 bytes; [`KeyError::Weak`] if it is weak.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// [`new`](Self::new) that takes weak keys too.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 56 bytes.
    pub fn new_allow_weak(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey_allow_weak(key))
    }

    /// [`rekey`](InPlace::rekey) that takes weak keys too.
    ///
    /// ```
    /// use cinder_block::{Blowfish, Slot};
    ///
    /// let mut slot = Slot::<Blowfish>::empty();
    /// let blowfish = slot.init_with(|cipher| cipher.rekey_allow_weak(&[0; 16]))?;
    /// # let _ = blowfish;
    /// # Ok::<(), cinder_block::KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 56 bytes; the former key then stays.
    pub fn rekey_allow_weak(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        match key.len() {
            1..=56 => Ok(self.expand(key).1),
            _ => Err(KeyError::Length.into()),
        }
    }

    /// [`rekey`](InPlace::rekey) with a key of 1 to 72 bytes: so many fill the P-array, and other libraries
    /// take them. The cipher's paper stops at 56, for the bits beyond do not touch every bit of the
    /// ciphertext.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 72 bytes; the former key then stays.
    /// [`KeyError::Weak`] if the key is weak: there is no key then.
    pub fn rekey_long(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        check_long(key)?;
        self.expand_strong(key)
    }

    /// Expands a key with a salt: `ExpandKey(state, salt, key)` of N. Provos and D. Mazières, "A
    /// Future-Adaptable Password Scheme", USENIX 1999, section 3, on which bcrypt and bcrypt_pbkdf stand.
    /// They then [mix](Self::mix) key and salt in many times. No key is weak here: there are passwords
    /// in them. An empty salt is none.
    ///
    /// ```
    /// use cinder_block::{Blowfish, BlockEncrypt, Slot};
    ///
    /// // bcrypt's EksBlowfishSetup with cost 4: 2^4 rounds.
    /// let (password, salt) = (b"a password and its NUL\0", [7; 16]);
    /// let mut slot = Slot::<Blowfish>::empty();
    /// let state = slot.init_with(|state| {
    ///     let mut depth = state.rekey_salted(password, &salt)?;
    ///     for _ in 0..1 << 4 {
    ///         depth = depth.max(state.mix(password)?);
    ///         depth = depth.max(state.mix(&salt)?);
    ///     }
    ///     Ok(depth)
    /// })?;
    /// # let _ = state;
    /// # Ok::<(), cinder_block::KeyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 72 bytes; the former key then stays.
    pub fn rekey_salted(&mut self, key: &[u8], salt: &[u8]) -> Result<Depth, Refusal> {
        check_long(key)?;
        self.reset();
        Ok(self.expand_key(key, salt).1)
    }

    /// `ExpandKey(state, 0, key)`: expands one more key on top of what is there. See
    /// [`rekey_salted`](Self::rekey_salted).
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 72 bytes; nothing was changed then.
    pub fn mix(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        check_long(key)?;
        Ok(self.expand_key(key, &[]).1)
    }

    /// The digits of pi.
    fn reset(&mut self) {
        self.p = pi::P;
        self.s.copy_from_slice(&pi::S);
    }

    fn expand(&mut self, key: &[u8]) -> (bool, Depth) {
        self.reset();
        self.expand_key(key, &[])
    }

    /// Expands a key, but leaves none if it is weak.
    fn expand_strong(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let (weak, depth) = self.expand(key);
        if weak {
            cinder_burn::wipe(&mut self.p);
            cinder_burn::wipe(&mut self.s);
            return Err(Refusal { error: KeyError::Weak, depth });
        }
        Ok(depth)
    }

    /// "The exact method": XOR the key, repeated, into the P-array; then encrypt the all-zero
    /// string over and over, each output replacing two more subkeys. `key` is not empty. A salt, repeated
    /// too, is XORed into what is encrypted.
    ///
    /// Also says whether the key is weak. A processor has the time for that check while it waits
    /// for the encryption's loads.
    #[inline(never)]
    fn expand_key(&mut self, key: &[u8], salt: &[u8]) -> (bool, Depth) {
        let mut bytes = key.iter().cycle();
        for p in &mut self.p {
            *p ^= word(&mut bytes);
        }

        let mut depth = Depth::here();
        let mut salt = salt.iter().cycle();
        let (mut l, mut r) = (0, 0);
        for i in (0..SUBKEYS).step_by(2) {
            l ^= word(&mut salt);
            r ^= word(&mut salt);
            depth = depth.max(self.next(&mut l, &mut r));
            self.p[i] = l;
            self.p[i + 1] = r;
        }
        let mut weak = false;
        for i in 0..4 {
            let mut seen = Seen([0; 64]);
            for j in (0..256).step_by(2) {
                l ^= word(&mut salt);
                r ^= word(&mut salt);
                depth = depth.max(self.next(&mut l, &mut r));
                for (j, entry) in [(j, l), (j + 1, r)] {
                    if seen.maybe(entry) {
                        weak |= self.s[i][..j].contains(&entry);
                    }
                    self.s[i][j] = entry;
                }
            }
        }
        (weak, depth)
    }

    /// Encrypts one block of two words. Not inlined: a few kilobytes of code once are enough.
    #[inline(never)]
    fn next(&self, l: &mut u32, r: &mut u32) -> Depth {
        self.crypt::<false, 1>(array::from_mut(l), array::from_mut(r));
        Depth::here()
    }

    /// F divides xL into four quarters: a, b, c and d.
    /// F(xL) = ((S_1,a + S_2,b mod 2^32) XOR S_3,c) + S_4,d mod 2^32.
    #[inline(always)]
    fn f(&self, x: u32) -> u32 {
        let [a, b, c, d] = [x >> 24, x >> 16 & 0xff, x >> 8 & 0xff, x & 0xff].map(|i| i as usize);
        let [s1, s2, s3, s4] = &self.s;
        (s1[a].wrapping_add(s2[b]) ^ s3[c]).wrapping_add(s4[d])
    }

    /// P_i for i = `i` + 1; for decryption "P_1, P_2, …, P_18 are used in the reverse order".
    #[inline(always)]
    fn p<const DECRYPT: bool>(&self, i: usize) -> u32 {
        self.p[if DECRYPT { SUBKEYS - 1 - i } else { i }]
    }

    /// Sixteen rounds of `xL = xL XOR P_i; xR = F(xL) XOR xR; swap`.
    ///
    /// Each round XORs the subkey after the next one into what will be xL by then. So it is
    /// there before F(xL), which is late, and the wait for the one does not add to the other.
    #[inline(always)]
    fn crypt<const DECRYPT: bool, const N: usize>(&self, l: &mut [u32; N], r: &mut [u32; N]) {
        for (l, r) in l.iter_mut().zip(r.iter_mut()) {
            *l ^= self.p::<DECRYPT>(0);
            *r ^= self.p::<DECRYPT>(1);
        }
        for i in 2..SUBKEYS {
            for (l, r) in l.iter_mut().zip(r.iter_mut()) {
                (*l, *r) = (*r ^ self.f(*l), *l ^ self.p::<DECRYPT>(i));
            }
        }
        // Undo the last swap.
        for (l, r) in l.iter_mut().zip(r) {
            core::mem::swap(l, r);
        }
    }

    #[inline(always)]
    fn encrypt_set<const N: usize>(&self, set: &mut [[u8; 8]; N]) {
        let (mut l, mut r) = load(set);
        self.crypt::<false, N>(&mut l, &mut r);
        store(set, &l, &r);
    }

    #[inline(always)]
    fn decrypt_set<const N: usize>(&self, set: &mut [[u8; 8]; N]) {
        let (mut l, mut r) = load(set);
        self.crypt::<true, N>(&mut l, &mut r);
        store(set, &l, &r);
    }

    #[inline(never)]
    fn encrypt_sets<const N: usize>(&self, sets: &mut [[[u8; 8]; N]]) -> Depth {
        for set in sets {
            self.encrypt_set(set);
        }
        Depth::here()
    }

    #[inline(never)]
    fn decrypt_sets<const N: usize>(&self, sets: &mut [[[u8; 8]; N]]) -> Depth {
        for set in sets {
            self.decrypt_set(set);
        }
        Depth::here()
    }
}

/// The next four bytes, big endian; 0 if there are none.
#[inline(always)]
fn word<'a>(bytes: &mut impl Iterator<Item = &'a u8>) -> u32 {
    bytes.take(4).fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// Whether the key fits in the P-array.
fn check_long(key: &[u8]) -> Result<(), KeyError> {
    if (1..=4 * SUBKEYS).contains(&key.len()) { Ok(()) } else { Err(KeyError::Length) }
}

/// Which entries an S-box has so far: two bits of a map for each, picked by different bits of the
/// entry. Equal entries pick equal bits, so an entry with a bit that is not set is new. Of 256
/// random ones, about 5 find both bits set by others: the map fills up to a quarter, and
/// 256 · (1/4)² / 3 ≈ 5.
struct Seen([u32; 64]);

impl Seen {
    /// Whether `entry` may be there already. Adds it.
    #[inline(always)]
    fn maybe(&mut self, entry: u32) -> bool {
        let mut maybe = true;
        for bits in [entry, entry >> 11] {
            let word = &mut self.0[(bits >> 5) as usize % 64];
            let bit = 1 << (bits % 32);
            maybe &= *word & bit != 0;
            *word |= bit;
        }
        maybe
    }
}

/// xL and xR of each block.
#[inline(always)]
fn load<const N: usize>(blocks: &[[u8; 8]; N]) -> ([u32; N], [u32; N]) {
    let word = |i: usize, at: usize| u32::from_be_bytes(blocks[i].as_chunks().0[at]);
    (array::from_fn(|i| word(i, 0)), array::from_fn(|i| word(i, 1)))
}

#[inline(always)]
fn store<const N: usize>(blocks: &mut [[u8; 8]; N], l: &[u32; N], r: &[u32; N]) {
    for (block, (l, r)) in blocks.iter_mut().zip(l.iter().zip(r)) {
        let (words, _) = block.as_chunks_mut();
        words[0] = l.to_be_bytes();
        words[1] = r.to_be_bytes();
    }
}

impl InPlace for Blowfish {
    fn vacant(_: Vacancy) -> Self {
        Blowfish { p: [0; SUBKEYS], s: [[0; 256]; 4] }
    }

    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 56 bytes; the former key then stays.
    /// [`KeyError::Weak`] if the key is weak, which only the finished schedule tells: there is
    /// no key then, neither this one nor the former.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        match key.len() {
            1..=56 => self.expand_strong(key),
            _ => Err(KeyError::Length.into()),
        }
    }
}

impl Permutation<8> for Blowfish {
    #[inline(always)]
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 8]]) -> Depth {
        if DECRYPT {
            in_sets::<8, LANES>(
                blocks,
                |sets| self.decrypt_sets(sets),
                |pair| self.decrypt_sets(pair),
                |one| self.decrypt_sets(one),
            )
        } else {
            in_sets::<8, LANES>(
                blocks,
                |sets| self.encrypt_sets(sets),
                |pair| self.encrypt_sets(pair),
                |one| self.encrypt_sets(one),
            )
        }
    }

    #[inline(always)]
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; 8]) -> Depth {
        if DECRYPT {
            self.decrypt_set(array::from_mut(block));
        } else {
            self.encrypt_set(array::from_mut(block));
        }
        Depth::here()
    }
}

block_traits!(Blowfish, 8);

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::{BlockEncrypt, Slot, laws};
    use proptest::prelude::*;
    use std::{format, vec::Vec};

    /// Fixed-point numbers of 32-bit words, the first of which is the integer part.
    mod fixed {
        extern crate std;
        use std::vec::Vec;

        /// P and S are 18 + 4 · 256 words. A sum of 7000 quotients, each rounded down, is off by
        /// less than 2^13 · 20 units: one word more would do.
        pub(super) const WORDS: usize = 1 + 18 + 4 * 256 + 2;

        fn divide(x: &mut [u32], by: u32) {
            x.iter_mut().fold(0, |remainder, word| {
                let part = u64::from(remainder) << 32 | u64::from(*word);
                *word = (part / u64::from(by)) as u32;
                (part % u64::from(by)) as u32
            });
        }

        fn add(x: &mut [u32], y: &[u32]) {
            x.iter_mut().zip(y).rev().fold(false, |carry, (x, y)| {
                let (sum, over) = x.overflowing_add(*y);
                let (sum, over_again) = sum.overflowing_add(carry.into());
                *x = sum;
                over | over_again
            });
        }

        pub(super) fn subtract(x: &mut [u32], y: &[u32]) {
            x.iter_mut().zip(y).rev().fold(false, |borrow, (x, y)| {
                let (difference, under) = x.overflowing_sub(*y);
                let (difference, under_again) = difference.overflowing_sub(borrow.into());
                *x = difference;
                under | under_again
            });
        }

        /// n · arctan(1/x) = n/x - n/(3 x^3) + n/(5 x^5) - …
        pub(super) fn arctan_of_reciprocal(n: u32, x: u32) -> Vec<u32> {
            let mut power = std::vec![0; WORDS];
            power[0] = n;
            divide(&mut power, x);
            let mut sum = power.clone();
            let mut k = 1;
            while power.iter().any(|&word| word != 0) {
                divide(&mut power, x * x);
                let mut term = power.clone();
                divide(&mut term, 2 * k + 1);
                if k % 2 == 1 {
                    subtract(&mut sum, &term)
                } else {
                    add(&mut sum, &term)
                }
                k += 1;
            }
            sum
        }
    }

    #[test]
    fn tables_are_the_digits_of_pi() {
        // Machin: π = 16 arctan(1/5) - 4 arctan(1/239).
        let mut digits = fixed::arctan_of_reciprocal(16, 5);
        fixed::subtract(&mut digits, &fixed::arctan_of_reciprocal(4, 239));
        assert_eq!(digits[0], 3);
        let tables: Vec<u32> = pi::P.iter().chain(pi::S.as_flattened()).copied().collect();
        assert_eq!(digits[1..fixed::WORDS - 2], tables);
    }

    #[test]
    fn published_vectors() {
        // Schneier's test vectors, "ecb" and "set_key", and one key of 56 bytes on which several
        // libraries agree.
        for (key, plaintext, ciphertext) in [
            ("0000000000000000", "0000000000000000", "4ef997456198dd78"),
            ("ffffffffffffffff", "ffffffffffffffff", "51866fd5b85ecb8a"),
            ("3000000000000000", "1000000000000001", "7d856f9a613063f2"),
            ("0123456789abcdef", "1111111111111111", "61f9c3802281b096"),
            ("fedcba9876543210", "0123456789abcdef", "0aceab0fc6a0a28d"),
            ("f0", "fedcba9876543210", "f9ad597c49db005e"),
            ("f0e1", "fedcba9876543210", "e91d21c1d961a6d6"),
            ("f0e1d2", "fedcba9876543210", "e9c2b70a1bc65cf3"),
            (
                "150415056f50c7e9803bb497817da35267adfd4b195b31d1dde95f70b04eb74d\
                 300fcfccc2ff9b0194d597f517abdbdc5a2deef270423996",
                "06df906d352762f6",
                "3a92753847be7524",
            ),
        ] {
            laws::vector::<Blowfish, 8>(key, plaintext, ciphertext);
        }
    }

    #[test]
    fn key_lengths() {
        laws::key_lengths::<Blowfish>(|length| (1..=56).contains(&length));
        for length in [0, 57, 80] {
            assert_eq!(Blowfish::new(&[1; 80][..length]).unwrap_err(), KeyError::Length);
            assert_eq!(Blowfish::new_allow_weak(&[1; 80][..length]).unwrap_err(), KeyError::Length);
        }
    }

    /// By definition, without the map of what was seen.
    fn has_equal_entries(cipher: &Blowfish) -> bool {
        cipher.s.iter().any(|s| (0..256).any(|i| s[..i].contains(&s[i])))
    }

    /// Weak keys, found by trying all keys of two bytes and the first of four.
    const WEAK: [&[u8]; 4] =
        [&[0x23, 0x3d], &[0, 0, 0x22, 0x97], &[0, 0, 0x70, 0xa7], &[0, 0, 0xd9, 0x11]];

    #[test]
    fn weak_keys_are_refused() {
        for key in WEAK {
            assert!(has_equal_entries(&Blowfish::new_allow_weak(key).unwrap()));
            assert_eq!(Blowfish::new(key).unwrap_err(), KeyError::Weak);

            let mut slot = Slot::<Blowfish>::empty();
            assert!(slot.init(b"a strong key").is_ok());
            assert_eq!(slot.init(key).unwrap_err(), KeyError::Weak);
            assert!(slot.cipher().is_none());
            assert!(slot.init_with(|cipher| cipher.rekey_allow_weak(key)).is_ok());

            // Neither this key nor the former is left.
            let mut cipher = Blowfish::new(b"a strong key").unwrap();
            assert_eq!(cipher.rekey(key).unwrap_err().error, KeyError::Weak);
            assert_eq!(cipher.p, [0; SUBKEYS]);
            assert_eq!(cipher.s.as_flattened(), [0; 1024]);
        }
    }

    #[test]
    fn refused_length_keeps_the_former_key() {
        let mut cipher = Blowfish::new(b"a strong key").unwrap();
        assert_eq!(cipher.rekey(&[]).unwrap_err().error, KeyError::Length);
        assert_eq!(cipher.p, Blowfish::new(b"a strong key").unwrap().p);
    }

    /// The checksums of bcrypt, of which the last byte is cut off. From the tests of crypt_blowfish; the
    /// second password is of 72 bytes, its NUL cut off.
    #[test]
    fn bcrypt_stands_on_it() {
        const LONG: &str =
            "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        for (password, hash) in [
            ("U*U\0", "CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
            (LONG, "abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui"),
        ] {
            let (salt, checksum) = hash.split_at(22);
            let (password, salt) = (password.as_bytes(), from_base64(salt));
            let mut slot = Slot::<Blowfish>::empty();
            let state = slot
                .init_with(|state| {
                    let mut depth = state.rekey_salted(password, &salt)?;
                    for _ in 0..1 << 5 {
                        depth = depth.max(state.mix(password)?).max(state.mix(&salt)?);
                    }
                    Ok(depth)
                })
                .unwrap();
            let mut text = *b"OrpheanBeholderScryDoubt";
            for _ in 0..64 {
                cinder_burn::burn(state.encrypt_blocks(text.as_chunks_mut().0));
            }
            assert_eq!(text[..23], from_base64(checksum));
        }
    }

    /// bcrypt's alphabet; the bits that are left over fall away.
    fn from_base64(text: &str) -> Vec<u8> {
        const ALPHABET: &str = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        let mut bits = text.chars().flat_map(|c| {
            let value = ALPHABET.find(c).unwrap();
            (0..6).rev().map(move |bit| (value >> bit & 1) as u8)
        });
        (0..text.len() * 6 / 8)
            .map(|_| bits.by_ref().take(8).fold(0, |byte, bit| byte << 1 | bit))
            .collect()
    }

    #[test]
    fn keys_of_up_to_72_bytes() {
        let key: [u8; 73] = array::from_fn(|i| 3 * i as u8 + 1);
        for length in 1..=72 {
            let [mut long, mut salted] = [(), ()].map(|()| crate::slot::vacant::<Blowfish>());
            cinder_burn::burn(long.rekey_long(&key[..length]).unwrap());
            cinder_burn::burn(salted.rekey_salted(&key[..length], &[0; 16]).unwrap());
            assert_eq!((long.p, long.s), (salted.p, salted.s));
            if length <= 56 {
                assert_eq!(long.p, Blowfish::new(&key[..length]).unwrap().p);
            }
        }
        let mut cipher = Blowfish::new(b"a strong key").unwrap();
        let former = cipher.p;
        for key in [&[][..], &key] {
            assert_eq!(cipher.rekey_long(key).unwrap_err().error, KeyError::Length);
            assert_eq!(cipher.rekey_salted(key, &[1]).unwrap_err().error, KeyError::Length);
            assert_eq!(cipher.mix(key).unwrap_err().error, KeyError::Length);
            assert_eq!(cipher.p, former);
        }
        assert_eq!(cipher.rekey_long(WEAK[0]).unwrap_err().error, KeyError::Weak);
        assert_eq!(cipher.p, [0; SUBKEYS]);
    }

    #[test]
    fn seen_misses_no_equal_entry() {
        let mut seen = Seen([0; 64]);
        for i in 0..256u32 {
            let entry = i.wrapping_mul(0x9e37_79b9);
            seen.maybe(entry);
            for before in 0..=i {
                assert!(Seen(seen.0).maybe(before.wrapping_mul(0x9e37_79b9)));
            }
        }
        assert!(!Seen([0; 64]).maybe(0));
    }

    #[test]
    fn every_count_of_blocks() {
        laws::counts(&Blowfish::new(b"sixteen byte key").unwrap());
    }

    #[test]
    fn frames_are_small() {
        laws::frames::<Blowfish, 8>(b"sixteen byte key");
    }

    #[test]
    fn debug_prints_no_secret() {
        let cipher = Blowfish::new(b"sixteen byte key").unwrap();
        assert_eq!(format!("{cipher:?}"), "Blowfish { .. }");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn laws_hold(
            key in prop::collection::vec(any::<u8>(), 1..=56),
            iv: [u8; 8],
            blocks in prop::collection::vec(any::<[u8; 8]>(), 0..=100),
        ) {
            let cipher = Blowfish::new_allow_weak(&key).unwrap();
            laws::check(&cipher, iv, &blocks);
        }

        #[test]
        fn weak_is_equal_entries(key in prop::collection::vec(any::<u8>(), 1..=4)) {
            let cipher = Blowfish::new_allow_weak(&key).unwrap();
            prop_assert_eq!(Blowfish::new(&key).is_err(), has_equal_entries(&cipher));
        }
    }
}
