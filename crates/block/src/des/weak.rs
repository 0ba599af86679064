//! Weak keys of DES: FIPS 74, section 3.6.
//!
//! Keys of 8 bytes, whose parity bits (the lowest of each byte) do not matter.
//!
//! Constant time: yes. A key is compared with every entry of every list.

use cinder_burn::declassify;

/// What the lists of weak keys say about a key of DES: see [`classify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// On none of the lists.
    Ordinary,
    /// One of 48 keys with only four different round keys. A key drawn at random is one of them
    /// with probability 2^-50, and no attack gains from that; [`Des`](crate::Des) takes them.
    PossiblyWeak,
    /// One of 12 keys with two different round keys: six pairs, each of which undoes what the
    /// other does.
    SemiWeak,
    /// One of 4 keys with a single round key: encrypting twice gives the plaintext.
    Weak,
}

/// Which list of weak keys this key of DES is on. The parity bits do not matter.
///
/// Constant time: yes.
///
/// ```
/// use cinder_block::des::{Class, classify};
///
/// assert_eq!(classify(&[0; 8]), Class::Weak);
/// assert_eq!(classify(b"ordinary"), Class::Ordinary);
/// ```
pub fn classify(key: &[u8; 8]) -> Class {
    let key = u64::from_be_bytes(*key);
    // The class itself is no secret: it is what this function tells.
    let is_any = |key, list| declassify(is_any(key, list).into()) == 1;
    if is_any(key, &WEAK) {
        Class::Weak
    } else if is_any(key, &SEMI_WEAK) {
        Class::SemiWeak
    } else if is_any(key, &POSSIBLY_WEAK) {
        Class::PossiblyWeak
    } else {
        Class::Ordinary
    }
}

/// Whether the key is weak or semi-weak.
#[inline(always)]
pub(super) fn is_weak(key: u64) -> bool {
    is_any(key, &WEAK) | is_any(key, &SEMI_WEAK)
}

/// All bits but those of parity.
const BITS: u64 = 0xfefe_fefe_fefe_fefe;

/// Whether two keys are the same but for their parity.
#[inline(always)]
pub(super) fn same(a: u64, b: u64) -> bool {
    (a ^ b) & BITS == 0
}

/// Whether the key is on the list, its parity aside.
#[inline(always)]
fn is_any(key: u64, list: &[u64]) -> bool {
    // The compiler knows the lists and would make a decision tree of the comparisons, with
    // branches on the key. So the list goes through a black box.
    let mut all_differ = 1;
    for entry in core::hint::black_box(list) {
        let difference = (key ^ entry) & BITS;
        // The top bit of d | -d is 0 for d = 0 alone.
        all_differ &= (difference | difference.wrapping_neg()) >> 63;
    }
    all_differ == 0
}

pub(super) static WEAK: [u64; 4] =
    [0x0101_0101_0101_0101, 0x1f1f_1f1f_0e0e_0e0e, 0xe0e0_e0e0_f1f1_f1f1, 0xfefe_fefe_fefe_fefe];

pub(super) static SEMI_WEAK: [u64; 12] = [
    0x011f_011f_010e_010e,
    0x01e0_01e0_01f1_01f1,
    0x01fe_01fe_01fe_01fe,
    0x1f01_1f01_0e01_0e01,
    0x1fe0_1fe0_0ef1_0ef1,
    0x1ffe_1ffe_0efe_0efe,
    0xe001_e001_f101_f101,
    0xe01f_e01f_f10e_f10e,
    0xe0fe_e0fe_f1fe_f1fe,
    0xfe01_fe01_fe01_fe01,
    0xfe1f_fe1f_fe0e_fe0e,
    0xfee0_fee0_fef1_fef1,
];

pub(super) static POSSIBLY_WEAK: [u64; 48] = [
    0x0101_1f1f_0101_0e0e,
    0x0101_e0e0_0101_f1f1,
    0x0101_fefe_0101_fefe,
    0x011f_1f01_010e_0e01,
    0x011f_e0fe_010e_f1fe,
    0x011f_fee0_010e_fef1,
    0x01e0_1ffe_01f1_0efe,
    0x01e0_e001_01f1_f101,
    0x01e0_fe1f_01f1_fe0e,
    0x01fe_1fe0_01fe_0ef1,
    0x01fe_e01f_01fe_f10e,
    0x01fe_fe01_01fe_fe01,
    0x1f01_011f_0e01_010e,
    0x1f01_e0fe_0e01_f1fe,
    0x1f01_fee0_0e01_fef1,
    0x1f1f_0101_0e0e_0101,
    0x1f1f_e0e0_0e0e_f1f1,
    0x1f1f_fefe_0e0e_fefe,
    0x1fe0_01fe_0ef1_01fe,
    0x1fe0_e01f_0ef1_f10e,
    0x1fe0_fe01_0ef1_fe01,
    0x1ffe_01e0_0efe_01f1,
    0x1ffe_e001_0efe_f101,
    0x1ffe_fe1f_0efe_fe0e,
    0xe001_01e0_f101_01f1,
    0xe001_1ffe_f101_0efe,
    0xe001_fe1f_f101_fe0e,
    0xe01f_01fe_f10e_01fe,
    0xe01f_1fe0_f10e_0ef1,
    0xe01f_fe01_f10e_fe01,
    0xe0e0_0101_f1f1_0101,
    0xe0e0_1f1f_f1f1_0e0e,
    0xe0e0_fefe_f1f1_fefe,
    0xe0fe_011f_f1fe_010e,
    0xe0fe_1f01_f1fe_0e01,
    0xe0fe_fee0_f1fe_fef1,
    0xfe01_01fe_fe01_01fe,
    0xfe01_1fe0_fe01_0ef1,
    0xfe01_e01f_fe01_f10e,
    0xfe1f_01e0_fe0e_01f1,
    0xfe1f_1ffe_fe0e_0efe,
    0xfe1f_e001_fe0e_f101,
    0xfee0_011f_fef1_010e,
    0xfee0_1f01_fef1_0e01,
    0xfee0_e0fe_fef1_f1fe,
    0xfefe_0101_fefe_0101,
    0xfefe_1f1f_fefe_0e0e,
    0xfefe_e0e0_fefe_f1f1,
];
