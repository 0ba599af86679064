//! S-boxes that are inversion in a field of 2^8 elements between two affine maps over bits.
//!
//! All fields of 2^8 elements are one but for the names of their elements. So each such S-box is
//! inversion in the field of AES between maps of its own, and CPUs have an instruction for that
//! inversion: AESENCLAST and AESDECLAST, with AES's own affine map after or before it, and
//! GF2P8AFFINEINVQB. All is computed by the compiler.

/// x → M·x ⊕ c, over the bits of a byte.
#[derive(Clone, Copy)]
pub(crate) struct Affine {
    /// M·2^i.
    columns: [u8; 8],
    constant: u8,
}

/// An affine map as two tables: the map of a byte is the sum of the first one's entry for its lower
/// four bits and the second one's for its upper four.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Nibbles(pub(crate) [[u8; 16]; 2]);

impl Affine {
    pub(crate) const fn new(columns: [u8; 8], constant: u8) -> Self {
        Affine { columns, constant }
    }

    /// The map whose matrix has these rows, the first for the most significant bit of the result.
    pub(crate) const fn of_rows(rows: [u8; 8]) -> Self {
        let mut columns = [0; 8];
        let mut i = 0;
        while i < 64 {
            columns[i % 8] |= (rows[7 - i / 8] >> (i % 8) & 1) << (i / 8);
            i += 1;
        }
        Affine { columns, constant: 0 }
    }

    pub(crate) const fn apply(&self, x: u8) -> u8 {
        let mut y = self.constant;
        let mut i = 0;
        while i < 8 {
            y ^= self.columns[i] * (x >> i & 1);
            i += 1;
        }
        y
    }

    /// `self` of `first`.
    pub(crate) const fn after(&self, first: &Self) -> Self {
        let constant = self.apply(first.constant);
        let mut columns = [0; 8];
        let mut i = 0;
        while i < 8 {
            columns[i] = self.apply(first.columns[i]) ^ self.constant;
            i += 1;
        }
        Affine { columns, constant }
    }

    /// The inverse, of a map that has one.
    pub(crate) const fn inverse(&self) -> Self {
        let mut table = [0; 256];
        let mut x = 0;
        while x < 256 {
            table[self.apply(x as u8) as usize] = x as u8;
            x += 1;
        }
        Affine::of_table(&table)
    }

    /// The map that has these values, of which there must be one.
    const fn of_table(table: &[u8; 256]) -> Self {
        let mut columns = [0; 8];
        let mut i = 0;
        while i < 8 {
            columns[i] = table[1 << i] ^ table[0];
            i += 1;
        }
        Affine { columns, constant: table[0] }
    }

    /// Whether it changes nothing.
    const fn is_identity(&self) -> bool {
        let (mut is_identity, mut i) = (self.constant == 0, 0);
        while i < 8 {
            is_identity &= self.columns[i] == 1 << i;
            i += 1;
        }
        is_identity
    }

    /// `None` for the identity, which takes no instruction.
    const fn nibbles(&self) -> Option<Nibbles> {
        if self.is_identity() {
            return None;
        }
        let mut tables = [[0; 16]; 2];
        let mut x = 0;
        while x < 16 {
            tables[0][x] = self.apply(x as u8);
            tables[1][x] = self.apply((x as u8) << 4) ^ self.constant;
            x += 1;
        }
        Some(Nibbles(tables))
    }

    /// The matrix as GF2P8AFFINEQB takes it, in both halves of a block: byte 7 - i is the row for bit
    /// i of the result.
    const fn matrix(&self) -> [u8; 16] {
        let mut rows = [0; 16];
        let mut i = 0;
        while i < 64 {
            let bit = (self.columns[i % 8] >> (i / 8) & 1) << (i % 8);
            rows[7 - i / 8] |= bit;
            rows[15 - i / 8] |= bit;
            i += 1;
        }
        rows
    }

    /// As the immediate operand of GF2P8AFFINEQB.
    pub(crate) const fn constant(&self) -> i32 {
        self.constant as i32
    }
}

/// A rotation to the left.
pub(crate) const fn rotation(bits: u32) -> Affine {
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = (1u8 << i).rotate_left(bits);
        i += 1;
    }
    Affine::new(columns, 0)
}

/// x → x ⊕ `constant`.
pub(crate) const fn xor(constant: u8) -> Affine {
    Affine { constant, ..rotation(0) }
}

/// In the field of AES (FIPS 197, section 4): modulo x^8 + x^4 + x^3 + x + 1.
pub(crate) const fn multiply(a: u8, b: u8) -> u8 {
    let mut product = 0u8;
    let mut i = 8;
    while i > 0 {
        i -= 1;
        let carry = product >> 7;
        product = (product << 1) ^ (carry * 0x1b) ^ (a * (b >> i & 1));
    }
    product
}

pub(crate) const fn power(x: u8, exponent: u32) -> u8 {
    let mut y = 1;
    let mut i = 32;
    while i > 0 {
        i -= 1;
        y = multiply(y, y);
        if exponent >> i & 1 != 0 {
            y = multiply(y, x);
        }
    }
    y
}

/// What x is in the field of AES, for a field modulo another polynomial, whose coefficients below
/// x^8 are the bits of `polynomial`: a root of that.
pub(crate) const fn root(polynomial: u8) -> u8 {
    let mut x = 2;
    loop {
        let (mut value, mut i) = (1, 8);
        while i > 0 {
            i -= 1;
            value = multiply(value, x) ^ (polynomial >> i & 1);
        }
        if value == 0 {
            return x;
        }
        x += 1;
    }
}

/// FIPS 197, section 5.1.1: SubBytes is this map of the inverse.
const SUB_BYTES: Affine = {
    let mut columns = [0; 8];
    let mut i = 0;
    while i < 8 {
        columns[i] = 0x1fu8.rotate_left(i as u32);
        i += 1;
    }
    Affine::new(columns, 0x63)
};

/// An S-box: inversion in the field of AES between two affine maps.
#[derive(Clone, Copy)]
pub(crate) struct Sbox {
    pub(crate) before: Affine,
    pub(crate) after: Affine,
}

impl Sbox {
    /// The S-box that is this table, with the map before the inversion. The one after it follows.
    pub(crate) const fn of_table(table: &[u8; 256], before: Affine) -> Self {
        let back = before.inverse();
        let mut after = [0; 256];
        let mut y = 0;
        while y < 256 {
            after[y] = table[back.apply(power(y as u8, 254)) as usize];
            y += 1;
        }
        Sbox { before, after: Affine::of_table(&after) }
    }

    pub(crate) const fn inverse(&self) -> Self {
        Sbox { before: self.after.inverse(), after: self.before.inverse() }
    }

    pub(crate) const fn maps(&self) -> Maps {
        Maps {
            around_sub_bytes: [
                self.before.nibbles(),
                self.after.after(&SUB_BYTES.inverse()).nibbles(),
            ],
            around_inverse_sub_bytes: [
                SUB_BYTES.after(&self.before).nibbles(),
                self.after.nibbles(),
            ],
            matrix_before: if self.before.is_identity() {
                None
            } else {
                Some(self.before.matrix())
            },
            matrix_after: self.after.matrix(),
        }
    }
}

/// The maps of an S-box, the one before the instruction and the one after it, in the form that each
/// instruction wants. `None` is the identity.
pub(crate) struct Maps {
    /// AESENCLAST.
    pub(crate) around_sub_bytes: [Option<Nibbles>; 2],
    /// AESDECLAST.
    pub(crate) around_inverse_sub_bytes: [Option<Nibbles>; 2],
    /// GF2P8AFFINEQB, without its constant.
    pub(crate) matrix_before: Option<[u8; 16]>,
    /// GF2P8AFFINEINVQB, likewise.
    pub(crate) matrix_after: [u8; 16],
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// FIPS 197, figure 7, by its definition.
    fn sub_bytes(x: u8) -> u8 {
        let inverse = power(x, 254);
        [1, 2, 3, 4].iter().fold(inverse ^ 0x63, |y, &i| y ^ inverse.rotate_left(i))
    }

    fn inverse_sub_bytes(y: u8) -> u8 {
        (0..=255).find(|&x| sub_bytes(x) == y).unwrap()
    }

    fn look_up(map: &Option<Nibbles>, x: u8) -> u8 {
        let Some(Nibbles([low, high])) = map else { return x };
        low[usize::from(x & 15)] ^ high[usize::from(x >> 4)]
    }

    /// GF2P8AFFINEQB, as Intel's manual has it.
    fn affine(matrix: [u8; 16], x: u8, constant: i32) -> u8 {
        (0..8).fold(constant as u8, |y, i| y ^ (((matrix[7 - i] & x).count_ones() as u8 & 1) << i))
    }

    /// For every byte, in each form in which the maps are used.
    pub(crate) fn is_the_table(sbox: &Sbox, table: impl Fn(u8) -> u8) {
        let maps = sbox.maps();
        let [before, after] = &maps.around_sub_bytes;
        let [before_inverse, after_inverse] = &maps.around_inverse_sub_bytes;
        for x in 0..=255 {
            let y = table(x);
            assert_eq!(look_up(after, sub_bytes(look_up(before, x))), y, "{x}");
            let inverse = inverse_sub_bytes(look_up(before_inverse, x));
            assert_eq!(look_up(after_inverse, inverse), y, "{x}");
            let before =
                maps.matrix_before.map_or(x, |matrix| affine(matrix, x, sbox.before.constant()));
            let inverse = power(before, 254);
            assert_eq!(affine(maps.matrix_after, inverse, sbox.after.constant()), y, "{x}");
        }
    }

    #[test]
    fn examples_of_the_standard() {
        // FIPS 197, sections 4.2 and 5.1.1.
        assert_eq!(multiply(0x57, 0x83), 0xc1);
        assert_eq!(multiply(0x57, 0x13), 0xfe);
        assert_eq!((sub_bytes(0x53), sub_bytes(0), sub_bytes(0xff)), (0xed, 0x63, 0x16));
        for x in 0..=255 {
            assert_eq!(sub_bytes(x), SUB_BYTES.apply(power(x, 254)));
        }
    }

    #[test]
    fn maps_compose_and_invert() {
        let f = SUB_BYTES.after(&rotation(3)).after(&xor(0x5a));
        for x in 0..=255u8 {
            assert_eq!(f.apply(x), SUB_BYTES.apply((x ^ 0x5a).rotate_left(3)));
            assert_eq!(f.inverse().apply(f.apply(x)), x);
            assert_eq!(look_up(&f.nibbles(), x), f.apply(x));
        }
    }

    /// So the map from its field to that of AES is one of fields.
    #[test]
    fn roots_are_roots() {
        for polynomial in [0x1b, 0x69, 0x63] {
            let x = root(polynomial);
            let sum = (0..8)
                .filter(|i| polynomial >> i & 1 != 0)
                .fold(power(x, 8), |sum, i| sum ^ power(x, i));
            assert_eq!(sum, 0, "{polynomial:#x}");
        }
    }
}
