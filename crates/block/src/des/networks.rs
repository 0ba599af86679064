//! The S-boxes of DES as networks of gates, found by `cargo xtask sboxes --seed 1 --steps 12000`.
//!
//! Constant time: yes. a1 to a6 are the bits of a row and column of FIPS 46-3, a1 and a6 the row; the
//! results are the four bits of the entry, the most significant first.

use super::bitsliced::Word;

/// S1: 64 gates.
#[inline]
pub(super) fn s1<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a1 ^ a3;
    let x2 = a6 ^ x1;
    let x3 = a4 ^ a5;
    let x4 = a1 | x2;
    let x5 = x4.and_not(a5);
    let x6 = x2 ^ x5;
    let x7 = !x6;
    let x8 = x6 ^ a4;
    let x9 = x7.and_not(a6);
    let x10 = a5 ^ x9;
    let x11 = x10 ^ x7;
    let x12 = x11 & a3;
    let x13 = x1 & x12;
    let x14 = x13 ^ x10;
    let x15 = a2 & x14;
    let x16 = x6 ^ x15;
    let x17 = x16.and_not(a3);
    let x18 = x2 & x17;
    let x19 = x11 | a1;
    let x20 = x19.and_not(a2);
    let x21 = x10 & x14;
    let x22 = x20 ^ x21;
    let x23 = x22 ^ x18;
    let x24 = x23 & a4;
    let x25 = x20 & x23;
    let x26 = a5 ^ x25;
    let x27 = x26.and_not(a3);
    let x28 = a6 & x27;
    let x29 = x23 ^ x28;
    let x30 = a4 ^ x29;
    let x31 = x30.and_not(a2);
    let x32 = x1 ^ x31;
    let x33 = a2 | x24;
    let x34 = a5 & x28;
    let x35 = x30.and_not(x9);
    let x36 = x27 ^ x35;
    let x37 = x14 ^ x36;
    let x38 = x37 & a4;
    let x39 = x38 ^ x32;
    let x40 = x16 | x39;
    let x41 = x39 ^ x34;
    let x42 = x13 ^ x41;
    let x43 = x42 & a2;
    let x44 = x23 ^ x43;
    let x45 = x8.and_not(x44);
    let x46 = x45 & a2;
    let x47 = x44 & a3;
    let x48 = x44 ^ x3;
    let x49 = x33 ^ x47;
    let x50 = x49 & a6;
    let x51 = x49.and_not(x28);
    let x52 = x39 ^ x51;
    let x53 = x52 ^ x46;
    let x54 = x24 ^ x16;
    let x55 = x40.and_not(x54);
    let x56 = x55 ^ x44;
    let x57 = x6 | x56;
    let x58 = x10 ^ x57;
    let x59 = x32 ^ x58;
    let x60 = x59.and_not(a6);
    let x61 = x56.and_not(a1);
    let x62 = x48 ^ x61;
    let x63 = x62 ^ x50;
    let x64 = x53 ^ x60;
    [x63, x42, x64, x54]
}

/// S2: 55 gates.
#[inline]
pub(super) fn s2<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a1 ^ a6;
    let x2 = a2 & a5;
    let x3 = x2 & x1;
    let x4 = x3 | a6;
    let x5 = x4 & a3;
    let x6 = a2 ^ x4;
    let x7 = a3 ^ x5;
    let x8 = a5 ^ x1;
    let x9 = a5 | a2;
    let x10 = a6.and_not(x5);
    let x11 = a5 & x10;
    let x12 = x6 ^ x11;
    let x13 = x12 & a1;
    let x14 = x12 ^ a4;
    let x15 = x14 | x4;
    let x16 = x11 ^ x15;
    let x17 = x5 ^ x3;
    let x18 = x17 ^ x13;
    let x19 = x16 & a4;
    let x20 = x9.and_not(a4);
    let x21 = x18 ^ x20;
    let x22 = a1 & x21;
    let x23 = !a3;
    let x24 = x23.and_not(a2);
    let x25 = x2 ^ x24;
    let x26 = x8 ^ x24;
    let x27 = x26 ^ x7;
    let x28 = x27 ^ x19;
    let x29 = x27 & x28;
    let x30 = x8 ^ x29;
    let x31 = x30 & a1;
    let x32 = x25 ^ x31;
    let x33 = x32.and_not(a6);
    let x34 = x33 ^ x21;
    let x35 = x8 | x34;
    let x36 = x6.and_not(x34);
    let x37 = x36 ^ x22;
    let x38 = x16.and_not(x35);
    let x39 = x21 ^ x38;
    let x40 = x12 ^ x35;
    let x41 = x40.and_not(a1);
    let x42 = x27 ^ x37;
    let x43 = a2 & x42;
    let x44 = x14 ^ x43;
    let x45 = x44 ^ x41;
    let x46 = x37 | x45;
    let x47 = a2 & x46;
    let x48 = x33.and_not(x47);
    let x49 = x7 ^ x48;
    let x50 = x45.and_not(x9);
    let x51 = x26 ^ x50;
    let x52 = x47 ^ x51;
    let x53 = x39 ^ x49;
    let x54 = x53.and_not(a1);
    let x55 = x52 ^ x54;
    [x34, x28, x55, x45]
}

/// S3: 54 gates.
#[inline]
pub(super) fn s3<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a3.and_not(a5);
    let x2 = a3 & a1;
    let x3 = a4.and_not(a5);
    let x4 = a2 ^ a6;
    let x5 = x4 ^ x1;
    let x6 = x2 ^ x5;
    let x7 = x6 ^ a3;
    let x8 = x7 ^ x3;
    let x9 = x4.and_not(a1);
    let x10 = a6 ^ x9;
    let x11 = a6.and_not(x5);
    let x12 = a5 ^ x11;
    let x13 = a4 & x12;
    let x14 = x6 ^ x13;
    let x15 = x14 ^ a2;
    let x16 = x15 ^ x2;
    let x17 = x6.and_not(x15);
    let x18 = x14.and_not(a1);
    let x19 = !x18;
    let x20 = x19 ^ x12;
    let x21 = x13 & x19;
    let x22 = x18.and_not(a5);
    let x23 = x22 | x10;
    let x24 = x23 | x5;
    let x25 = x24.and_not(a2);
    let x26 = x23.and_not(a4);
    let x27 = x10 ^ x26;
    let x28 = x27 ^ x17;
    let x29 = a1 ^ x22;
    let x30 = a4 & x29;
    let x31 = x29 ^ x27;
    let x32 = x31.and_not(a3);
    let x33 = x14 ^ x32;
    let x34 = x3 | x31;
    let x35 = x34.and_not(a2);
    let x36 = x31 ^ x20;
    let x37 = x36.and_not(a4);
    let x38 = x16 ^ x37;
    let x39 = x25 ^ x38;
    let x40 = a3 ^ x39;
    let x41 = x38 & a3;
    let x42 = x40 ^ x21;
    let x43 = x28 | x42;
    let x44 = x7 ^ x43;
    let x45 = x44 ^ x35;
    let x46 = x45 & a1;
    let x47 = x8 ^ x46;
    let x48 = x41.and_not(a4);
    let x49 = x28 ^ x48;
    let x50 = x49.and_not(a6);
    let x51 = x42 ^ x50;
    let x52 = x41 ^ x25;
    let x53 = x20 ^ x52;
    let x54 = x53 ^ x30;
    [x54, x33, x51, x47]
}

/// S4: 40 gates.
#[inline]
pub(super) fn s4<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a3 ^ a5;
    let x2 = x1 | a1;
    let x3 = x2 ^ a3;
    let x4 = a1 ^ x3;
    let x5 = !a5;
    let x6 = a2 & x3;
    let x7 = a4.and_not(x6);
    let x8 = x2.and_not(a2);
    let x9 = x1 & a2;
    let x10 = x5 ^ x9;
    let x11 = x10.and_not(a4);
    let x12 = a4 ^ x4;
    let x13 = x12 & a5;
    let x14 = x7 ^ x13;
    let x15 = x14 ^ x8;
    let x16 = !x15;
    let x17 = a2 | a3;
    let x18 = x9 ^ x17;
    let x19 = x4 & x18;
    let x20 = a5 ^ x19;
    let x21 = x20 | a1;
    let x22 = x7 ^ x21;
    let x23 = x22 ^ x11;
    let x24 = x18 ^ x23;
    let x25 = x23.and_not(a4);
    let x26 = x24 ^ x16;
    let x27 = x26 & a4;
    let x28 = a2.and_not(x26);
    let x29 = a2 ^ x20;
    let x30 = x29 ^ x25;
    let x31 = x30.and_not(a6);
    let x32 = a6.and_not(x30);
    let x33 = x15 ^ x31;
    let x34 = x33 ^ x32;
    let x35 = x34 ^ x27;
    let x36 = x35 ^ x28;
    let x37 = a6 & x36;
    let x38 = x24 ^ x37;
    let x39 = x32 ^ x16;
    let x40 = x36 ^ x38;
    [x40, x38, x33, x39]
}

/// S5: 61 gates.
#[inline]
pub(super) fn s5<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = !a1;
    let x2 = a6 & x1;
    let x3 = x1 | a3;
    let x4 = a1 | a3;
    let x5 = x4.and_not(a6);
    let x6 = x1 & x5;
    let x7 = x4 ^ a4;
    let x8 = x5 & x7;
    let x9 = x8 ^ a3;
    let x10 = a5 | x9;
    let x11 = x3 ^ x7;
    let x12 = x9 ^ a1;
    let x13 = a4 | x12;
    let x14 = x13.and_not(a2);
    let x15 = x7 ^ x6;
    let x16 = x15 ^ x2;
    let x17 = x5 ^ x16;
    let x18 = x15 ^ x5;
    let x19 = x18 & a3;
    let x20 = x1.and_not(x13);
    let x21 = x17 ^ x20;
    let x22 = x21 | x3;
    let x23 = x22.and_not(a5);
    let x24 = x23 & x16;
    let x25 = x23.and_not(x8);
    let x26 = x2 | x24;
    let x27 = x1 & x26;
    let x28 = x10 ^ x27;
    let x29 = x28 ^ x19;
    let x30 = a4 ^ x3;
    let x31 = x30.and_not(x2);
    let x32 = x31 ^ x24;
    let x33 = x32 | x25;
    let x34 = x32 & x1;
    let x35 = x28 ^ x33;
    let x36 = x34 ^ x10;
    let x37 = x19 | x36;
    let x38 = x37.and_not(a2);
    let x39 = x32 ^ x16;
    let x40 = x8 | x39;
    let x41 = x40.and_not(a2);
    let x42 = x41 & x11;
    let x43 = x25 ^ x42;
    let x44 = x39 ^ a4;
    let x45 = x34 | x44;
    let x46 = x45.and_not(a5);
    let x47 = x21 ^ x46;
    let x48 = x47 ^ x14;
    let x49 = x41 ^ x35;
    let x50 = x43.and_not(a2);
    let x51 = x29 ^ x50;
    let x52 = a1.and_not(x43);
    let x53 = x7 ^ x52;
    let x54 = x9 & a5;
    let x55 = x15 ^ x54;
    let x56 = x55 ^ x38;
    let x57 = x9 ^ x23;
    let x58 = x57.and_not(a2);
    let x59 = x53 ^ x58;
    let x60 = x59 & a6;
    let x61 = x49 ^ x60;
    [x61, x48, x56, x51]
}

/// S6: 62 gates.
#[inline]
pub(super) fn s6<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a1.and_not(a5);
    let x2 = !a3;
    let x3 = a5.and_not(a4);
    let x4 = x3 ^ a1;
    let x5 = a5 ^ a6;
    let x6 = x5 & a1;
    let x7 = a4 ^ x6;
    let x8 = x2 & x7;
    let x9 = x5 ^ x8;
    let x10 = x1 ^ x9;
    let x11 = a3 & x10;
    let x12 = a4.and_not(x11);
    let x13 = x4 ^ x7;
    let x14 = x11 ^ x4;
    let x15 = x5 ^ a1;
    let x16 = x15 ^ x12;
    let x17 = x2.and_not(x15);
    let x18 = a2 ^ x16;
    let x19 = x3 & x15;
    let x20 = a3 ^ x19;
    let x21 = x20.and_not(a4);
    let x22 = x10 ^ x21;
    let x23 = x13 ^ x22;
    let x24 = x23 | x8;
    let x25 = x24 | a6;
    let x26 = x25.and_not(a4);
    let x27 = x23.and_not(a6);
    let x28 = x27 ^ x14;
    let x29 = x17 ^ x26;
    let x30 = x29 ^ x24;
    let x31 = x6 & x29;
    let x32 = x1 & x31;
    let x33 = x31 ^ x18;
    let x34 = x33 ^ x14;
    let x35 = x13 ^ x29;
    let x36 = x28.and_not(a2);
    let x37 = x22 ^ x36;
    let x38 = x37 & x34;
    let x39 = x38.and_not(a1);
    let x40 = x33 ^ x39;
    let x41 = x27 | x40;
    let x42 = a4 & x41;
    let x43 = x42.and_not(a1);
    let x44 = a6 & x43;
    let x45 = x2 ^ x44;
    let x46 = x45 ^ x32;
    let x47 = x46.and_not(a2);
    let x48 = !x39;
    let x49 = x47.and_not(a4);
    let x50 = x48 ^ x49;
    let x51 = x50.and_not(a6);
    let x52 = x40 ^ x51;
    let x53 = x47 ^ x28;
    let x54 = x24 ^ x53;
    let x55 = x9.and_not(x45);
    let x56 = x22 ^ x55;
    let x57 = x56.and_not(a5);
    let x58 = x54 ^ x57;
    let x59 = x58 | x35;
    let x60 = x43 ^ x59;
    let x61 = x60 & a2;
    let x62 = x30 ^ x61;
    [x58, x62, x37, x52]
}

/// S7: 54 gates.
#[inline]
pub(super) fn s7<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a4 & a5;
    let x2 = !a2;
    let x3 = a6 ^ a3;
    let x4 = a2 ^ x3;
    let x5 = x4 ^ x1;
    let x6 = x5 & a6;
    let x7 = x3 ^ x6;
    let x8 = x7 & a5;
    let x9 = x7 | a4;
    let x10 = x4 & a3;
    let x11 = a4 ^ x10;
    let x12 = x11 ^ x8;
    let x13 = x2.and_not(x11);
    let x14 = x12 & x2;
    let x15 = a4 ^ x14;
    let x16 = a5 | x15;
    let x17 = x5 ^ x14;
    let x18 = x17 | x7;
    let x19 = x1 ^ x18;
    let x20 = x19 ^ x13;
    let x21 = a5 ^ x19;
    let x22 = x21 & a4;
    let x23 = a3 ^ x21;
    let x24 = x16 ^ x22;
    let x25 = x6 ^ x24;
    let x26 = a2 ^ x25;
    let x27 = x20 ^ x9;
    let x28 = a2 ^ x27;
    let x29 = x28 ^ a3;
    let x30 = x27 | x12;
    let x31 = x30 | x26;
    let x32 = x31 & x28;
    let x33 = x31 ^ x16;
    let x34 = a1 & x33;
    let x35 = x32 ^ x34;
    let x36 = x34.and_not(x22);
    let x37 = a1 ^ x36;
    let x38 = x32 & a1;
    let x39 = x23 ^ x38;
    let x40 = x20.and_not(a6);
    let x41 = x39 ^ x40;
    let x42 = a6 & x26;
    let x43 = x16 ^ x42;
    let x44 = x43.and_not(a1);
    let x45 = x17 ^ x44;
    let x46 = x12 & x39;
    let x47 = a2.and_not(x46);
    let x48 = x47 & a6;
    let x49 = x35 ^ x48;
    let x50 = x49 ^ x41;
    let x51 = x23 ^ x49;
    let x52 = x51.and_not(a4);
    let x53 = x29 ^ x52;
    let x54 = x53 ^ x37;
    [x50, x41, x45, x54]
}

/// S8: 50 gates.
#[inline]
pub(super) fn s8<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a2 ^ a1;
    let x2 = a1 & x1;
    let x3 = a6 ^ a3;
    let x4 = !a6;
    let x5 = x4 | a2;
    let x6 = x5.and_not(a4);
    let x7 = x6.and_not(a5);
    let x8 = a1.and_not(x7);
    let x9 = x4 & x8;
    let x10 = a4 & x9;
    let x11 = a3 ^ x7;
    let x12 = x11 ^ x8;
    let x13 = a2 & x12;
    let x14 = a5 ^ x13;
    let x15 = x14.and_not(a4);
    let x16 = a5 & x12;
    let x17 = a3.and_not(x16);
    let x18 = x1 ^ x17;
    let x19 = x17 & x2;
    let x20 = x19 | x10;
    let x21 = x18 ^ x15;
    let x22 = x3 | a6;
    let x23 = x22 & x16;
    let x24 = a4 ^ x23;
    let x25 = x14 ^ x24;
    let x26 = x25 ^ x4;
    let x27 = x13.and_not(x26);
    let x28 = x26 ^ x20;
    let x29 = a2 & a5;
    let x30 = x28 | x4;
    let x31 = x30 & x27;
    let x32 = x21 ^ x31;
    let x33 = x30 ^ x3;
    let x34 = a4 | x33;
    let x35 = x34.and_not(a2);
    let x36 = x2 ^ x30;
    let x37 = x36 & a5;
    let x38 = x32 ^ x9;
    let x39 = x28 ^ x38;
    let x40 = x4.and_not(x39);
    let x41 = x14 ^ x40;
    let x42 = x32 & x29;
    let x43 = x22 & x28;
    let x44 = x43 ^ x11;
    let x45 = x44.and_not(a2);
    let x46 = x41 ^ x45;
    let x47 = x46 ^ x37;
    let x48 = x39 ^ x47;
    let x49 = x48 ^ x35;
    let x50 = x49 ^ x42;
    [x47, x28, x38, x50]
}
