//! GHASH (SP 800-38D, section 6.4) by a table of 16 multiples of H, on bytes: the baseline that
//! the table on 64-bit words was once measured by.

/// M(n) = n·H for a nibble n, whose highest bit is x^0.
pub(crate) struct Table([[u8; 16]; 16]);

impl Table {
    pub(crate) fn new(h: &[u8; 16]) -> Self {
        let mut table = [[0; 16]; 16];
        let mut power = *h;
        for i in [8, 4, 2, 1] {
            table[i] = power;
            power = times_x(power);
        }
        for i in [2, 4, 8] {
            for j in 1..i {
                table[i + j] = core::array::from_fn(|k| table[i][k] ^ table[j][k]);
            }
        }
        Table(table)
    }

    /// For each block X in turn, Y = (Y ⊕ X) · H.
    pub(crate) fn update(&self, y: &mut [u8; 16], blocks: &[[u8; 16]]) {
        for block in blocks {
            let mut z = [0; 16];
            // Horner's rule, from the highest power of x down.
            for i in (0..16).rev() {
                let byte = y[i] ^ block[i];
                for nibble in [byte & 15, byte >> 4] {
                    z = times_x4(z);
                    for (z, m) in z.iter_mut().zip(&self.0[usize::from(nibble)]) {
                        *z ^= m;
                    }
                }
            }
            *y = z;
        }
    }
}

/// z · x^4: a shift by four bits; what falls off is x^128 to x^131.
fn times_x4(z: [u8; 16]) -> [u8; 16] {
    let mut shifted = [0; 16];
    shifted[0] = z[0] >> 4;
    for i in 1..16 {
        shifted[i] = z[i] >> 4 | z[i - 1] << 4;
    }
    let [a, b] = REMAINDERS[usize::from(z[15] & 15)].to_be_bytes();
    shifted[0] ^= a;
    shifted[1] ^= b;
    shifted
}

fn times_x(z: [u8; 16]) -> [u8; 16] {
    let z = u128::from_be_bytes(z);
    (z >> 1 ^ (0xe1 << 120 & (z & 1).wrapping_neg())).to_be_bytes()
}

/// REMAINDERS[n] is n·x^4 for a nibble n at the low end of a block: the product's high 16 bits.
static REMAINDERS: [u16; 16] = {
    let mut table = [0; 16];
    let mut n = 0;
    while n < 16 {
        let mut z = n as u128;
        let mut i = 0;
        while i < 4 {
            z = z >> 1 ^ (0xe1 << 120 & (z & 1).wrapping_neg());
            i += 1;
        }
        table[n] = (z >> 112) as u16;
        n += 1;
    }
    table
};
