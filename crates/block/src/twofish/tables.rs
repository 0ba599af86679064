//! The fixed permutations q0 and q1 and the matrix MDS (sections 4.3.5 and 4.3.2 of the paper),
//! and the table that joins them.

/// t_0 to t_3 of q0.
const Q0: [[u8; 16]; 4] = [
    [0x8, 0x1, 0x7, 0xD, 0x6, 0xF, 0x3, 0x2, 0x0, 0xB, 0x5, 0x9, 0xE, 0xC, 0xA, 0x4],
    [0xE, 0xC, 0xB, 0x8, 0x1, 0x2, 0x3, 0x5, 0xF, 0x4, 0xA, 0x6, 0x7, 0x0, 0x9, 0xD],
    [0xB, 0xA, 0x5, 0xE, 0x6, 0xD, 0x9, 0x0, 0xC, 0x8, 0xF, 0x3, 0x2, 0x4, 0x7, 0x1],
    [0xD, 0x7, 0xF, 0x4, 0x1, 0x2, 0x6, 0xE, 0x9, 0xB, 0x3, 0x0, 0x8, 0x5, 0xC, 0xA],
];

/// t_0 to t_3 of q1.
const Q1: [[u8; 16]; 4] = [
    [0x2, 0x8, 0xB, 0xD, 0xF, 0x7, 0x6, 0xE, 0x3, 0x1, 0x9, 0x4, 0x0, 0xA, 0xC, 0x5],
    [0x1, 0xE, 0x2, 0xB, 0x4, 0xC, 0x3, 0x7, 0x6, 0xD, 0xA, 0x5, 0xF, 0x9, 0x0, 0x8],
    [0x4, 0xC, 0x7, 0x5, 0x1, 0x6, 0x9, 0xA, 0x0, 0xE, 0xD, 0x8, 0x2, 0xB, 0x3, 0xF],
    [0xB, 0x9, 0x5, 0x1, 0xC, 0x3, 0xD, 0xE, 0x6, 0x4, 0x7, 0xF, 0x2, 0x0, 0x8, 0xA],
];

/// MDS, row by row.
pub(super) const MDS: [[u8; 4]; 4] = [
    [0x01, 0xEF, 0x5B, 0x5B],
    [0x5B, 0xEF, 0xEF, 0x01],
    [0xEF, 0x5B, 0x01, 0xEF],
    [0xEF, 0x01, 0xEF, 0x5B],
];

/// v(x) = x^8 + x^6 + x^5 + x^3 + 1, the field of MDS.
pub(super) const V: u16 = 0x169;

/// ROR_4(b, 1) of a nibble.
const fn ror4(b: usize) -> usize {
    (b >> 1 | b << 3) & 15
}

/// Section 4.3.5: twice mix the nibbles a and b and pass them through two of the tables.
const fn q(t: &[[u8; 16]; 4]) -> [u8; 256] {
    let mut q = [0; 256];
    let mut x = 0;
    while x < 256 {
        let (a0, b0) = (x / 16, x % 16);
        let a1 = a0 ^ b0;
        let b1 = a0 ^ ror4(b0) ^ (8 * a0 % 16);
        let (a2, b2) = (t[0][a1] as usize, t[1][b1] as usize);
        let a3 = a2 ^ b2;
        let b3 = a2 ^ ror4(b2) ^ (8 * a2 % 16);
        let (a4, b4) = (t[2][a3], t[3][b3]);
        q[x] = 16 * b4 + a4;
        x += 1;
    }
    q
}

/// The product of two polynomials modulo `modulus`, of degree 8.
pub(super) const fn multiply(a: u8, b: u8, modulus: u16) -> u8 {
    let mut product = 0;
    let mut bit = 8;
    while bit > 0 {
        bit -= 1;
        product <<= 1;
        if product & 0x100 != 0 {
            product ^= modulus;
        }
        if b >> bit & 1 != 0 {
            product ^= a as u16;
        }
    }
    product as u8
}

/// Column j of MDS times each q[x], the column's first row in the least significant byte.
const fn mds_q(j: usize, q: &[u8; 256]) -> [u32; 256] {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        table[x] = u32::from_le_bytes([
            multiply(MDS[0][j], q[x], V),
            multiply(MDS[1][j], q[x], V),
            multiply(MDS[2][j], q[x], V),
            multiply(MDS[3][j], q[x], V),
        ]);
        x += 1;
    }
    table
}

/// q0 and q1.
pub(super) static Q: [[u8; 256]; 2] = [q(&Q0), q(&Q1)];

/// MDS_Q[j][x] is column j of MDS times what h's last permutation of byte j makes of x: q1, q0,
/// q1, q0.
pub(super) static MDS_Q: [[u32; 256]; 4] =
    [mds_q(0, &q(&Q1)), mds_q(1, &q(&Q0)), mds_q(2, &q(&Q1)), mds_q(3, &q(&Q0))];
