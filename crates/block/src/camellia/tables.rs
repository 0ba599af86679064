//! The S-box of RFC 3713, and the tables that join it with the P-function.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::inversion::{Affine, Sbox, multiply, power, root, rotation, xor};

/// Section 2.4.1: SBOX1.
#[rustfmt::skip]
const SBOX1: [u8; 256] = [
    112, 130,  44, 236, 179,  39, 192, 229, 228, 133,  87,  53, 234,  12, 174,  65,
     35, 239, 107, 147,  69,  25, 165,  33, 237,  14,  79,  78,  29, 101, 146, 189,
    134, 184, 175, 143, 124, 235,  31, 206,  62,  48, 220,  95,  94, 197,  11,  26,
    166, 225,  57, 202, 213,  71,  93,  61, 217,   1,  90, 214,  81,  86, 108,  77,
    139,  13, 154, 102, 251, 204, 176,  45, 116,  18,  43,  32, 240, 177, 132, 153,
    223,  76, 203, 194,  52, 126, 118,   5, 109, 183, 169,  49, 209,  23,   4, 215,
     20,  88,  58,  97, 222,  27,  17,  28,  50,  15, 156,  22,  83,  24, 242,  34,
    254,  68, 207, 178, 195, 181, 122, 145,  36,   8, 232, 168,  96, 252, 105,  80,
    170, 208, 160, 125, 161, 137,  98, 151,  84,  91,  30, 149, 224, 255, 100, 210,
     16, 196,   0,  72, 163, 247, 117, 219, 138,   3, 230, 218,   9,  63, 221, 148,
    135,  92, 131,   2, 205,  74, 144,  51, 115, 103, 246, 243, 157, 127, 191, 226,
     82, 155, 216,  38, 200,  55, 198,  59, 129, 150, 111,  75,  19, 190,  99,  46,
    233, 121, 167, 140, 159, 110, 188, 142,  41, 245, 249, 182,  47, 253, 180,  89,
    120, 152,   6, 106, 231,  70, 113, 186, 212,  37, 171,  66, 136, 162, 141, 250,
    114,   7, 185,  85, 248, 238, 172,  10,  54,  73,  42, 104,  60,  56, 241, 164,
     64,  40, 211, 123, 187, 201,  67, 193,  21, 227, 173, 244, 119, 199, 128, 158,
];

/// SBOX2 to SBOX4 are defined by SBOX1.
const fn sbox(number: usize, x: u8) -> u8 {
    match number {
        1 => SBOX1[x as usize],
        2 => SBOX1[x as usize].rotate_left(1),
        3 => SBOX1[x as usize].rotate_left(7),
        _ => SBOX1[x.rotate_left(1) as usize],
    }
}

/// P[j] has a 1 for each of y1 to y4 that t_{j+1}, SBOX_{j+1} of x_{j+1}, is in.
const P: [[u8; 4]; 4] = [[1, 1, 1, 0], [0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1]];

/// SP[j][x] is what the first four bytes of F's result have of its byte x_{j+1}, x: the byte of the
/// S-box in each place that P has a 1 for.
pub(super) static SP: [[u32; 256]; 4] = {
    let mut sp = [[0; 256]; 4];
    let mut j = 0;
    while j < 4 {
        let places = u32::from_be_bytes(P[j]);
        let mut x = 0;
        while x < 256 {
            sp[j][x] = sbox(j + 1, x as u8) as u32 * places;
            x += 1;
        }
        j += 1;
    }
    sp
};

/// S1 to S4, as inversion in the field of AES between affine maps.
///
/// The specification (K. Aoki et al., 2000), section 5.2: s1(x) = h(g(f(0xc5 ⊕ x))) ⊕ 0x6e, where f
/// and h are linear and g inverts in GF(2^8) modulo β^8 + β^6 + β^5 + β^3 + 1, written over the powers
/// of α = β^238 from the least significant bit: 1, α, α², α³, β, αβ, α²β, α³β.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const S1: Sbox = {
    // y1 = x2 ⊕ x6, and so on; the first bit is the most significant one.
    let f = Affine::of_rows([
        0b_0100_0100,
        0b_1000_0010,
        0b_0010_1001,
        0b_0010_0001,
        0b_0001_0010,
        0b_0100_1000,
        0b_1000_0001,
        0b_0001_0100,
    ]);
    let beta = root(0x69);
    let alpha = power(beta, 238);
    let mut basis = [0; 8];
    let mut i = 0;
    while i < 8 {
        basis[i] = multiply(power(alpha, i as u32 % 4), power(beta, i as u32 / 4));
        i += 1;
    }
    let to_aes = Affine::new(basis, 0);
    Sbox::of_table(&SBOX1, to_aes.after(&f).after(&xor(0xc5)))
};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const S2: Sbox = Sbox { before: S1.before, after: rotation(1).after(&S1.after) };
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const S3: Sbox = Sbox { before: S1.before, after: rotation(7).after(&S1.after) };
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const S4: Sbox = Sbox { before: S1.before.after(&rotation(1)), after: S1.after };

#[cfg(test)]
mod tests {
    use super::super::add_f;
    use super::*;

    #[test]
    fn sbox1_is_a_permutation() {
        let mut seen = [false; 256];
        for y in SBOX1 {
            assert!(!core::mem::replace(&mut seen[usize::from(y)], true));
        }
    }

    /// In GF(2^8) modulo β^8 + β^6 + β^5 + β^3 + 1.
    fn multiply(a: u8, b: u8) -> u8 {
        (0..8).rev().fold(0, |product: u8, bit| {
            (product << 1) ^ ((product >> 7) * 0x69) ^ (a & (b >> bit & 1).wrapping_neg())
        })
    }

    fn power(x: u8, exponent: usize) -> u8 {
        (0..exponent).fold(1, |y, _| multiply(y, x))
    }

    /// A matrix over bits: each row lists the bits of x that it sums, 1 the most significant.
    fn linear(rows: [&[u32]; 8], x: u8) -> u8 {
        rows.iter().fold(0, |y, row| y << 1 | row.iter().fold(0, |sum, i| sum ^ x >> (8 - i) & 1))
    }

    /// The specification (K. Aoki et al., 2000), section 5.2: s1(x) = h(g(f(0xc5 ⊕ x))) ⊕ 0x6e,
    /// where f and h are linear and g inverts in GF(2^8), written over the powers of α = β^238 from
    /// the least significant bit: 1, α, α², α³, β, αβ, α²β, α³β.
    #[test]
    fn sbox1_is_inversion_between_affine_maps() {
        let f: [&[u32]; 8] =
            [&[6, 2], &[7, 1], &[8, 5, 3], &[8, 3], &[7, 4], &[5, 2], &[8, 1], &[6, 4]];
        let h: [&[u32]; 8] =
            [&[5, 6, 2], &[6, 2], &[7, 4], &[8, 2], &[7, 3], &[8, 1], &[5, 1], &[6, 3]];
        let alpha = power(2, 238);
        let basis: [u8; 8] =
            core::array::from_fn(|i| multiply(power(alpha, i % 4), if i < 4 { 1 } else { 2 }));
        let element = |x: u8| (0..8).fold(0, |sum, i| sum ^ basis[i] & (x >> i & 1).wrapping_neg());
        let mut bits = [0; 256];
        for x in 0..=255 {
            bits[usize::from(element(x))] = x;
        }
        for x in 0..=255 {
            let inverse = power(element(linear(f, 0xc5 ^ x)), 254);
            let y = linear(h, bits[usize::from(inverse)]) ^ 0x6e;
            assert_eq!(SBOX1[usize::from(x)], y, "{x}");
        }
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[test]
    fn maps_are_the_tables() {
        for (i, s) in [S1, S2, S3, S4].iter().enumerate() {
            crate::inversion::tests::is_the_table(s, |x| sbox(i + 1, x));
        }
    }

    /// Section 2.4.1, F as it is printed.
    #[test]
    fn tables_are_f() {
        for seed in 0..=255u8 {
            let x: [u8; 8] =
                core::array::from_fn(|i| seed.rotate_left(i as u32).wrapping_mul(2 * i as u8 + 1));
            let s = |number, i: usize| sbox(number, x[i - 1]);
            let (t1, t2, t3, t4) = (s(1, 1), s(2, 2), s(3, 3), s(4, 4));
            let (t5, t6, t7, t8) = (s(2, 5), s(3, 6), s(4, 7), s(1, 8));
            let y = [
                t1 ^ t3 ^ t4 ^ t6 ^ t7 ^ t8,
                t1 ^ t2 ^ t4 ^ t5 ^ t7 ^ t8,
                t1 ^ t2 ^ t3 ^ t5 ^ t6 ^ t8,
                t2 ^ t3 ^ t4 ^ t5 ^ t6 ^ t7,
                t1 ^ t2 ^ t6 ^ t7 ^ t8,
                t2 ^ t3 ^ t5 ^ t7 ^ t8,
                t3 ^ t4 ^ t5 ^ t6 ^ t8,
                t1 ^ t4 ^ t5 ^ t6 ^ t7,
            ];
            let word =
                |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
            let (x, y) = ([word(&x[..4]), word(&x[4..])], [word(&y[..4]), word(&y[4..])]);
            assert_eq!(add_f::<1>([0, 0], x), y);
            assert_eq!(add_f::<4>([1, 2], x), [1 ^ y[0], 2 ^ y[1]]);
        }
    }
}
