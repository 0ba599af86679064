//! The S-boxes of DES as networks of gates, found by `cargo xtask sboxes --seed 2 --steps 60000`.
//!
//! Constant time: yes. a1 to a6 are the six bits of FIPS 46-3, a1 and a6 the row and the rest the
//! column; the results are the four bits of the entry, the most significant first.

use super::bitsliced::Word;

/// S1: 57 gates.
#[inline(always)]
pub(super) fn s1<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a4 ^ a1;
    let x2 = !a3;
    let x3 = a4 & a1;
    let x4 = x2 | x3;
    let x5 = x4 ^ x1;
    let x6 = a6 ^ x5;
    let x7 = x5 & a1;
    let x8 = x1 ^ x7;
    let x9 = a5 & x8;
    let x10 = x6 ^ x9;
    let x11 = a5 ^ x10;
    let x12 = a6 | x8;
    let x13 = a3.and_not(x12);
    let x14 = x13 ^ x12;
    let x15 = x13 & a2;
    let x16 = x14 ^ a5;
    let x17 = x14.and_not(a2);
    let x18 = x17 ^ x6;
    let x19 = x12 ^ x18;
    let x20 = x19 & a2;
    let x21 = x20 ^ x2;
    let x22 = x1 ^ x21;
    let x23 = x20 | x22;
    let x24 = x4 ^ x23;
    let x25 = a6 & x24;
    let x26 = x25 ^ x4;
    let x27 = x16 & x26;
    let x28 = x9.and_not(x25);
    let x29 = x16.and_not(x19);
    let x30 = x25 ^ x29;
    let x31 = x22 ^ x30;
    let x32 = x31 ^ x16;
    let x33 = x3 | x32;
    let x34 = x31 & a5;
    let x35 = x19 ^ x34;
    let x36 = x35 ^ x33;
    let x37 = x19 | x36;
    let x38 = a2 & x37;
    let x39 = x11 ^ x38;
    let x40 = x36 ^ x28;
    let x41 = x40 ^ a6;
    let x42 = x41 ^ x15;
    let x43 = x6 | x40;
    let x44 = a6 & x43;
    let x45 = x44 ^ x31;
    let x46 = x36 & x17;
    let x47 = x45 ^ x46;
    let x48 = x11 & x47;
    let x49 = x48 ^ x27;
    let x50 = x49 & a4;
    let x51 = x39 ^ x50;
    let x52 = x22 ^ x51;
    let x53 = x51 & x17;
    let x54 = x44.and_not(x53);
    let x55 = x52 ^ x54;
    let x56 = x55.and_not(a5);
    let x57 = x42 ^ x56;
    [x51, x47, x35, x57]
}

/// S2: 52 gates.
#[inline(always)]
pub(super) fn s2<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a1 | a2;
    let x2 = !a1;
    let x3 = x2 ^ a5;
    let x4 = x2 ^ x1;
    let x5 = a3 | x4;
    let x6 = a3 & x4;
    let x7 = x3 | x1;
    let x8 = a2 ^ x7;
    let x9 = a4.and_not(x8);
    let x10 = x3 ^ x9;
    let x11 = x6 ^ x10;
    let x12 = x11 | x2;
    let x13 = x12.and_not(x6);
    let x14 = a4 ^ x5;
    let x15 = x14 ^ x4;
    let x16 = x14 ^ x11;
    let x17 = x16 ^ x8;
    let x18 = a1 & x17;
    let x19 = x18 | x15;
    let x20 = x13 ^ x19;
    let x21 = a2 & x20;
    let x22 = x18 & x3;
    let x23 = x5 ^ x22;
    let x24 = x23 & a6;
    let x25 = x24 ^ x11;
    let x26 = x8 ^ x25;
    let x27 = x12 & x26;
    let x28 = x27.and_not(a5);
    let x29 = a2 | x25;
    let x30 = a1 ^ x29;
    let x31 = x30.and_not(a6);
    let x32 = x16 ^ x31;
    let x33 = x32 ^ x28;
    let x34 = x1 | x33;
    let x35 = x33 ^ x19;
    let x36 = x35.and_not(a3);
    let x37 = a4 ^ x36;
    let x38 = x21 ^ x36;
    let x39 = x38.and_not(a6);
    let x40 = x39 | x33;
    let x41 = x24 & x40;
    let x42 = x41.and_not(a4);
    let x43 = x34 ^ x42;
    let x44 = x43.and_not(a1);
    let x45 = x39 ^ x37;
    let x46 = x3 ^ x45;
    let x47 = x6 ^ x40;
    let x48 = x47.and_not(a5);
    let x49 = a6 ^ x13;
    let x50 = x21 ^ x49;
    let x51 = x50 ^ x48;
    let x52 = x51 ^ x44;
    [x25, x46, x52, x33]
}

/// S3: 53 gates.
#[inline(always)]
pub(super) fn s3<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a5 ^ a3;
    let x2 = a4 & a6;
    let x3 = a1 ^ x2;
    let x4 = a3 & x1;
    let x5 = a6 ^ x1;
    let x6 = !a1;
    let x7 = x6.and_not(x4);
    let x8 = x5 ^ x6;
    let x9 = x3.and_not(a2);
    let x10 = a5 & x7;
    let x11 = a5 | x5;
    let x12 = a4 ^ x11;
    let x13 = a2.and_not(x12);
    let x14 = x13.and_not(a3);
    let x15 = a2 ^ x14;
    let x16 = x15.and_not(a1);
    let x17 = x16 ^ x9;
    let x18 = x16 | x13;
    let x19 = x5 ^ x18;
    let x20 = x7 ^ x19;
    let x21 = x7 | a3;
    let x22 = a6 & x21;
    let x23 = x22 | x4;
    let x24 = a4 & a5;
    let x25 = x24 ^ a6;
    let x26 = x25 | x7;
    let x27 = x26.and_not(a2);
    let x28 = x22 | x25;
    let x29 = x28 ^ x17;
    let x30 = x29.and_not(x22);
    let x31 = x6 | x30;
    let x32 = x4 ^ x29;
    let x33 = x29 | x24;
    let x34 = x33.and_not(a2);
    let x35 = x30 ^ a4;
    let x36 = x3 | x35;
    let x37 = x31 ^ x10;
    let x38 = x37.and_not(a4);
    let x39 = x20 ^ x38;
    let x40 = x36 | x39;
    let x41 = x40.and_not(a4);
    let x42 = x8 ^ x41;
    let x43 = x36 ^ x5;
    let x44 = x43 ^ x34;
    let x45 = a3 & x35;
    let x46 = x45 ^ x27;
    let x47 = x46 ^ x28;
    let x48 = x6.and_not(x47);
    let x49 = x46.and_not(a6);
    let x50 = x23 ^ x48;
    let x51 = x50.and_not(a2);
    let x52 = x42 ^ x51;
    let x53 = x44 ^ x49;
    [x52, x32, x53, x39]
}

/// S4: 38 gates.
#[inline(always)]
pub(super) fn s4<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a3 ^ a1;
    let x2 = a5 ^ a4;
    let x3 = x2 & a4;
    let x4 = a2 ^ x2;
    let x5 = x1 | x4;
    let x6 = x5.and_not(a1);
    let x7 = !x4;
    let x8 = x1 ^ x3;
    let x9 = x8 & x7;
    let x10 = a5 ^ x9;
    let x11 = a3.and_not(a2);
    let x12 = x10.and_not(x11);
    let x13 = a1 | x12;
    let x14 = x13 ^ x7;
    let x15 = x9 | x14;
    let x16 = x15 & x1;
    let x17 = x15.and_not(a5);
    let x18 = x17 & x9;
    let x19 = x3 | x7;
    let x20 = x11 ^ x19;
    let x21 = x8.and_not(x20);
    let x22 = x20 ^ x13;
    let x23 = x16 | x21;
    let x24 = x20 ^ x18;
    let x25 = a4 ^ x24;
    let x26 = x24 ^ x23;
    let x27 = x25 & x4;
    let x28 = x21 ^ x27;
    let x29 = x28 ^ x17;
    let x30 = a6 ^ x29;
    let x31 = a6 & x30;
    let x32 = x22 ^ x31;
    let x33 = x25 ^ x30;
    let x34 = x33 ^ x6;
    let x35 = x34.and_not(a6);
    let x36 = x26 ^ x35;
    let x37 = x36 ^ x34;
    let x38 = x32 ^ x30;
    [x38, x32, x37, x36]
}

/// S5: 57 gates.
#[inline(always)]
pub(super) fn s5<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a1 ^ a5;
    let x2 = x1 | a3;
    let x3 = a5 & x2;
    let x4 = a3 ^ a1;
    let x5 = a6 ^ x4;
    let x6 = x5 ^ x3;
    let x7 = x4 & x6;
    let x8 = !x7;
    let x9 = x8 & x1;
    let x10 = x9 ^ a5;
    let x11 = x10.and_not(a4);
    let x12 = x11 ^ x6;
    let x13 = x8 | a4;
    let x14 = x11 & x8;
    let x15 = x10 ^ a2;
    let x16 = x15 & x12;
    let x17 = x16 | a6;
    let x18 = x17.and_not(a4);
    let x19 = x18 ^ x15;
    let x20 = a3 ^ x19;
    let x21 = a1 ^ x20;
    let x22 = a4 & x21;
    let x23 = x21.and_not(x16);
    let x24 = x19 ^ a6;
    let x25 = a6 & a3;
    let x26 = a4 | x25;
    let x27 = x26 ^ x14;
    let x28 = x27.and_not(a2);
    let x29 = x12 ^ x28;
    let x30 = x13.and_not(x29);
    let x31 = x30.and_not(x22);
    let x32 = x9 ^ x31;
    let x33 = x32.and_not(a5);
    let x34 = x32.and_not(x16);
    let x35 = x30 ^ x26;
    let x36 = x35 ^ x34;
    let x37 = x13 ^ x36;
    let x38 = x37.and_not(a1);
    let x39 = a2.and_not(x35);
    let x40 = x28 ^ x23;
    let x41 = x40 ^ x38;
    let x42 = x29 ^ x41;
    let x43 = x42 & x1;
    let x44 = x42 ^ x33;
    let x45 = x32 | x24;
    let x46 = x45 ^ x39;
    let x47 = x46.and_not(a5);
    let x48 = x20 ^ x47;
    let x49 = !x48;
    let x50 = a2 ^ x49;
    let x51 = x41 ^ x50;
    let x52 = x51.and_not(x34);
    let x53 = x51 | x18;
    let x54 = a2 & x53;
    let x55 = x43 ^ x54;
    let x56 = x55 & a3;
    let x57 = x52 ^ x56;
    [x44, x29, x48, x57]
}

/// S6: 54 gates.
#[inline(always)]
pub(super) fn s6<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a3 | a4;
    let x2 = x1 | a5;
    let x3 = a1 ^ x2;
    let x4 = !a2;
    let x5 = a6 ^ x4;
    let x6 = x1 & a2;
    let x7 = a4 ^ a1;
    let x8 = x7 ^ a3;
    let x9 = a5 ^ x8;
    let x10 = x3.and_not(x8);
    let x11 = x9 & x8;
    let x12 = a4 ^ x11;
    let x13 = x7.and_not(a5);
    let x14 = x5 ^ x13;
    let x15 = x14.and_not(a3);
    let x16 = x9 ^ x15;
    let x17 = x10 ^ x6;
    let x18 = x17 ^ x12;
    let x19 = x12 & x16;
    let x20 = a1 & x19;
    let x21 = x4.and_not(a4);
    let x22 = x10 | a3;
    let x23 = x4 | x22;
    let x24 = x14 ^ x23;
    let x25 = x24 ^ x20;
    let x26 = x25 ^ x8;
    let x27 = x4 & x26;
    let x28 = x17 ^ x25;
    let x29 = x21 ^ x28;
    let x30 = x25 & x29;
    let x31 = x30 | a1;
    let x32 = x17 ^ x31;
    let x33 = x5 ^ x32;
    let x34 = x33 & a6;
    let x35 = x18 ^ x34;
    let x36 = a1.and_not(x35);
    let x37 = x22 ^ x36;
    let x38 = x37 & a5;
    let x39 = x36 | x12;
    let x40 = x21 ^ x39;
    let x41 = x4 | x29;
    let x42 = a6 & x41;
    let x43 = x42.and_not(x30);
    let x44 = a3 & x43;
    let x45 = x42.and_not(x37);
    let x46 = x45.and_not(x7);
    let x47 = x16 ^ x46;
    let x48 = x47 ^ x44;
    let x49 = x48.and_not(x39);
    let x50 = x49 ^ x27;
    let x51 = x50 & a5;
    let x52 = x25 ^ x51;
    let x53 = x42 ^ x40;
    let x54 = x53 ^ x38;
    [x48, x54, x52, x35]
}

/// S7: 49 gates.
#[inline(always)]
pub(super) fn s7<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = a4 ^ a1;
    let x2 = a5 ^ a3;
    let x3 = a6.and_not(a2);
    let x4 = a4.and_not(a5);
    let x5 = a2 ^ x4;
    let x6 = x5 | x1;
    let x7 = a2 & x6;
    let x8 = x1 ^ x7;
    let x9 = a2.and_not(a3);
    let x10 = x1 ^ x2;
    let x11 = x5 & a4;
    let x12 = a1 | x11;
    let x13 = a3 & x12;
    let x14 = x13 ^ x8;
    let x15 = !x14;
    let x16 = x14.and_not(a6);
    let x17 = x16 & a3;
    let x18 = x15.and_not(a3);
    let x19 = x10 ^ x17;
    let x20 = a1.and_not(x19);
    let x21 = x7 ^ x20;
    let x22 = a6 & x21;
    let x23 = x15 & x21;
    let x24 = a4 ^ x23;
    let x25 = x24.and_not(a2);
    let x26 = a3 ^ x22;
    let x27 = x5.and_not(x26);
    let x28 = x10 ^ x27;
    let x29 = x28 ^ x3;
    let x30 = x2 | x12;
    let x31 = x30 ^ x25;
    let x32 = a6 ^ x31;
    let x33 = x32 & x31;
    let x34 = x14 ^ x33;
    let x35 = x19 ^ x4;
    let x36 = x35.and_not(a6);
    let x37 = x9 ^ x36;
    let x38 = x37 & a1;
    let x39 = x30 ^ x38;
    let x40 = x39 ^ x22;
    let x41 = x40 ^ x18;
    let x42 = x41 | x28;
    let x43 = x39 ^ x32;
    let x44 = x19 ^ x43;
    let x45 = x33 ^ x42;
    let x46 = x25 ^ x45;
    let x47 = x46 & a4;
    let x48 = x11 ^ x47;
    let x49 = x41 ^ x48;
    [x44, x49, x34, x29]
}

/// S8: 53 gates.
#[inline(always)]
pub(super) fn s8<W: Word>([a1, a2, a3, a4, a5, a6]: [W; 6]) -> [W; 4] {
    let x1 = !a5;
    let x2 = a1.and_not(a3);
    let x3 = a3 | a2;
    let x4 = x3.and_not(a4);
    let x5 = !a1;
    let x6 = a6 | x5;
    let x7 = x6 & a3;
    let x8 = a1 | a5;
    let x9 = x8 ^ x6;
    let x10 = x9 & x4;
    let x11 = a3 ^ a6;
    let x12 = a4 ^ x11;
    let x13 = a6 | x12;
    let x14 = x3.and_not(x12);
    let x15 = a1 ^ x14;
    let x16 = x7 ^ a2;
    let x17 = x7 ^ x9;
    let x18 = x1 & x17;
    let x19 = x8.and_not(x13);
    let x20 = x2.and_not(x19);
    let x21 = x12 ^ x20;
    let x22 = x19 ^ x16;
    let x23 = x10 ^ x7;
    let x24 = x20 ^ x23;
    let x25 = a2 & x24;
    let x26 = x21 ^ x25;
    let x27 = x26 ^ x18;
    let x28 = x27 & x25;
    let x29 = x28.and_not(a3);
    let x30 = x27.and_not(a4);
    let x31 = x13 & x30;
    let x32 = x22 ^ x29;
    let x33 = x1.and_not(x32);
    let x34 = x7 ^ x33;
    let x35 = x27 ^ x34;
    let x36 = x35.and_not(a6);
    let x37 = x1 ^ x36;
    let x38 = x37 | x28;
    let x39 = x38 & x5;
    let x40 = x21 | x37;
    let x41 = x40 ^ x39;
    let x42 = x41 & a6;
    let x43 = x32 ^ x42;
    let x44 = x1 & x38;
    let x45 = x15 ^ x44;
    let x46 = x45 ^ x31;
    let x47 = x46 ^ a4;
    let x48 = x34 | x47;
    let x49 = x10 ^ x48;
    let x50 = x49.and_not(a2);
    let x51 = x46 ^ x35;
    let x52 = x17 ^ x51;
    let x53 = x52 ^ x50;
    [x53, x27, x43, x46]
}
