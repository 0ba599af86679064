//! Blocks of 16 bytes cut into slices, and S-boxes on slices, for ciphers whose S-boxes are inversion
//! in a field: [`inversion`](crate::inversion).
//!
//! Sixteen registers hold 16 blocks for each of their lanes. Slice i is byte i of every block. So a
//! step of a cipher that is the same for each byte is an instruction for as many blocks, and moving
//! bytes about inside of a block takes none.
//!
//! Constant time: yes. Shuffles look up in registers, and AES's instructions take no table.

use crate::inversion::Nibbles;
use cinder_cpu::x86_lanes::Lanes;
use core::arch::x86_64::*;

/// Where AESENCLAST's ShiftRows takes the byte for each place from (FIPS 197, section 5.1.2), and
/// where AESDECLAST's inverse does.
const SHIFT_ROWS: [[u8; 16]; 2] = {
    let mut places = [[0; 16]; 2];
    let mut i = 0;
    while i < 16 {
        places[0][i] = (5 * i % 16) as u8;
        places[1][i] = (13 * i % 16) as u8;
        i += 1;
    }
    places
};

/// A register and how it inverts. AES's instructions permute the blocks of a slice besides.
///
/// # Safety
///
/// The methods need the target features of the register, and of the instruction.
pub(crate) trait Inversion {
    type V: Lanes;

    /// AESENCLAST without a key.
    unsafe fn sub_bytes(x: Self::V) -> Self::V;
    /// AESDECLAST without a key.
    unsafe fn inverse_sub_bytes(x: Self::V) -> Self::V;
}

/// By AES-NI, or VAES for the wide ones.
pub(crate) struct Aes<V>(V);

/// By AES-NI, on the halves of a register of 256 bits.
pub(crate) struct AesHalves;

impl<V: Lanes> Inversion for Aes<V> {
    type V = V;

    #[inline(always)]
    unsafe fn sub_bytes(x: V) -> V {
        // SAFETY: by the trait's contract.
        unsafe { x.aes_last_round(x.xor(x)) }
    }

    #[inline(always)]
    unsafe fn inverse_sub_bytes(x: V) -> V {
        // SAFETY: by the trait's contract.
        unsafe { x.aes_last_inverse_round(x.xor(x)) }
    }
}

impl Inversion for AesHalves {
    type V = __m256i;

    #[inline(always)]
    unsafe fn sub_bytes(x: __m256i) -> __m256i {
        // SAFETY: by the trait's contract.
        unsafe {
            let (low, high) = (_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
            _mm256_set_m128i(Aes::sub_bytes(high), Aes::sub_bytes(low))
        }
    }

    #[inline(always)]
    unsafe fn inverse_sub_bytes(x: __m256i) -> __m256i {
        // SAFETY: by the trait's contract.
        unsafe {
            let (low, high) = (_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
            _mm256_set_m128i(Aes::inverse_sub_bytes(high), Aes::inverse_sub_bytes(low))
        }
    }
}

/// The block in every lane.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
pub(crate) unsafe fn splat<V: Lanes>(block: &[u8; 16]) -> V {
    // SAFETY: by the function's contract.
    unsafe { V::splat(__m128i::load(block.as_ptr())) }
}

/// An affine map of each byte.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
pub(crate) unsafe fn map<V: Lanes>(x: V, Nibbles([low, high]): &Nibbles) -> V {
    // SAFETY: by the function's contract.
    unsafe {
        let low = splat::<V>(low).shuffle(x.and(V::splat_byte(0x0f)));
        low.xor(splat::<V>(high).shuffle(x.high_nibbles()))
    }
}

/// The blocks of a slice, permuted as AESENCLAST does, or back as AESDECLAST does.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
pub(crate) unsafe fn shift_rows<V: Lanes, const BACK: bool>(x: V) -> V {
    // SAFETY: by the function's contract.
    unsafe { x.shuffle(splat(&SHIFT_ROWS[usize::from(BACK)])) }
}

/// From blocks to slices, or back: byte i of register j and byte j of register i of each lane are
/// exchanged.
///
/// If t, i, h, c are the bits of a byte's place, one for the half of the registers, three for the
/// register in it, one for the half of that and three for the byte in it, then a step moves it to i,
/// h, c, t. Four steps exchange the number of the register and that of the byte.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
pub(crate) unsafe fn transpose<V: Lanes>(x: &mut [V; 16]) {
    for _ in 0..4 {
        // SAFETY: by the function's contract.
        unsafe { step(x) }
    }
}

/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn step<V: Lanes>(x: &mut [V; 16]) {
    // Written out: of a loop over places the compiler makes copies in memory.
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *x;
    // SAFETY: by the function's contract.
    unsafe {
        let [a, i] = [a.low_bytes(i), a.high_bytes(i)];
        let [b, j] = [b.low_bytes(j), b.high_bytes(j)];
        let [c, k] = [c.low_bytes(k), c.high_bytes(k)];
        let [d, l] = [d.low_bytes(l), d.high_bytes(l)];
        let [e, m] = [e.low_bytes(m), e.high_bytes(m)];
        let [f, n] = [f.low_bytes(n), f.high_bytes(n)];
        let [g, o] = [g.low_bytes(o), g.high_bytes(o)];
        let [h, p] = [h.low_bytes(p), h.high_bytes(p)];
        *x = [a, i, b, j, c, k, d, l, e, m, f, n, g, o, h, p];
    }
}
