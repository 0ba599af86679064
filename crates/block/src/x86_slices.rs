//! Ciphers on sixteen registers of blocks, by AES-NI, VAES or GFNI, if their S-boxes are inversion in
//! a field: [`inversion`](crate::inversion).
//!
//! Sixteen registers hold 16 blocks for each of their lanes. Cut into slices, slice i is byte i of
//! every block. So a step of a cipher that is the same for each byte is an instruction for as many
//! blocks, and moving bytes about inside of a block takes none.
//!
//! Constant time: yes. Shuffles look up in registers, and AES's instructions take no table.

use crate::Depth;
use crate::inversion::{Maps, Nibbles};
use crate::slices::Tables;
use cinder_cpu::x86::{AesNi, Avx2, Gfni, Gfni512, Vaes};
use cinder_cpu::x86_lanes::Lanes;
use core::arch::x86_64::*;
use core::marker::PhantomData;

/// A cipher that can run on sixteen registers.
pub(crate) trait Sliced: Tables {
    /// From so many blocks on, a set of sixteen by AES-NI, though not full, is quicker than the tables.
    const WORTH: usize;

    /// The same by GFNI.
    const WORTH_BY_GFNI: usize;

    /// Whether the registers come as slices. If not, each has a block in each lane.
    const BYTES: bool;

    /// As many blocks as the registers hold.
    ///
    /// No closures in here, nor in what it calls: they have no target features, so the compiler would
    /// inline no instruction into them.
    ///
    /// # Safety
    ///
    /// As for [`Substitution`].
    unsafe fn crypt<S: Substitution>(&self, decrypt: bool, registers: &mut [S::V; 16]);
}

/// Where AESENCLAST's ShiftRows, done so often, takes the byte for each place from (FIPS 197, section
/// 5.1.2). Four times are none, and three are AESDECLAST's inverse of it.
pub(crate) const SHIFT_ROWS: [[u8; 16]; 4] = {
    let mut places = [[0; 16]; 4];
    let (mut times, mut factor) = (0, 1);
    while times < 4 {
        let mut i = 0;
        while i < 16 {
            places[times][i] = (factor * i % 16) as u8;
            i += 1;
        }
        (times, factor) = (times + 1, 5 * factor);
    }
    places
};

/// S-boxes on the bytes of a register.
///
/// # Safety
///
/// The methods need the target features of the register, and of the instruction.
pub(crate) trait Substitution {
    type V: Lanes;

    /// Whether an S-box permutes the bytes of each lane: as AESENCLAST does and, with `BACK`, as
    /// AESDECLAST.
    const PERMUTES: bool;

    /// By [`sbox`](crate::x86_slices::sbox), which knows the constants.
    unsafe fn substitute<const BACK: bool, const BEFORE: i32, const AFTER: i32>(
        x: Self::V,
        maps: &Maps,
    ) -> Self::V;
}

/// The S-box, a constant, of each byte of the register.
macro_rules! sbox {
    ($substitution:ty, $back:expr, $x:expr, $sbox:expr) => {{
        const MAPS: &crate::inversion::Maps = &$sbox.maps();
        <$substitution>::substitute::<
            $back,
            { $sbox.before.constant() },
            { $sbox.after.constant() },
        >($x, MAPS)
    }};
}
pub(crate) use sbox;

/// A register and how AES's instructions run on it.
///
/// # Safety
///
/// As for [`Substitution`].
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

impl<I: Inversion> Substitution for I {
    type V = I::V;

    const PERMUTES: bool = true;

    #[inline(always)]
    unsafe fn substitute<const BACK: bool, const BEFORE: i32, const AFTER: i32>(
        x: I::V,
        maps: &Maps,
    ) -> I::V {
        // SAFETY: by the trait's contract.
        unsafe {
            if BACK {
                let [before, after] = &maps.around_inverse_sub_bytes;
                map(I::inverse_sub_bytes(map(x, before)), after)
            } else {
                let [before, after] = &maps.around_sub_bytes;
                map(I::sub_bytes(map(x, before)), after)
            }
        }
    }
}

/// GFNI, on registers of this type.
pub(crate) struct Galois<V>(PhantomData<V>);

impl<V: Lanes> Substitution for Galois<V> {
    type V = V;

    const PERMUTES: bool = false;

    #[inline(always)]
    unsafe fn substitute<const BACK: bool, const BEFORE: i32, const AFTER: i32>(
        x: V,
        maps: &Maps,
    ) -> V {
        // SAFETY: by the trait's contract.
        unsafe {
            let x = match &maps.matrix_before {
                Some(matrix) => x.affine::<BEFORE>(splat(matrix)),
                None => x,
            };
            x.inverse_affine::<AFTER>(splat(&maps.matrix_after))
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

/// Byte `i` of four big-endian words, everywhere.
///
/// # Safety
///
/// As for [`Lanes`]; `i` is less than 16.
#[inline(always)]
pub(crate) unsafe fn splat_byte_of<V: Lanes>(words: &[u32; 4], i: usize) -> V {
    // SAFETY: by the function's contract. The places of the bytes are those of little-endian words.
    unsafe { V::splat_byte(words.as_ptr().cast::<u8>().add(i / 4 * 4 + 3 - i % 4).read()) }
}

/// An affine map of each byte.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn map<V: Lanes>(x: V, map: &Option<Nibbles>) -> V {
    let Some(Nibbles([low, high])) = map else { return x };
    // SAFETY: by the function's contract.
    unsafe {
        let low = splat::<V>(low).shuffle(x.and(V::splat_byte(0x0f)));
        low.xor(splat::<V>(high).shuffle(x.high_nibbles()))
    }
}

/// The blocks of a slice, permuted as AESENCLAST does, so often.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
pub(crate) unsafe fn shift_rows<V: Lanes, const TIMES: usize>(x: V) -> V {
    // SAFETY: by the function's contract.
    unsafe { x.shuffle(splat(&SHIFT_ROWS[TIMES])) }
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
unsafe fn transpose<V: Lanes>(x: &mut [V; 16]) {
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

/// # Safety
///
/// As for [`Substitution`]; so many blocks as sixteen registers hold may be read and written.
#[inline(always)]
unsafe fn crypt<C: Sliced, S: Substitution>(cipher: &C, decrypt: bool, blocks: *mut u8) {
    // SAFETY: by the function's contract.
    unsafe {
        let mut registers = [S::V::lane_numbers(); 16];
        for (i, x) in registers.iter_mut().enumerate() {
            *x = S::V::load_blocks(blocks, i);
        }
        if !C::BYTES {
            cipher.crypt::<S>(decrypt, &mut registers);
        } else if const { S::V::LANES == 4 } {
            // A loop, so that an unoptimised build has the transposition in its frame once: it is
            // large there. Narrower registers are too few for a loop.
            for are_slices in [false, true] {
                if are_slices {
                    cipher.crypt::<S>(decrypt, &mut registers);
                }
                transpose(&mut registers);
            }
        } else {
            transpose(&mut registers);
            cipher.crypt::<S>(decrypt, &mut registers);
            transpose(&mut registers);
        }
        for (i, x) in registers.iter().enumerate() {
            x.store_blocks(blocks, i);
        }
    }
}

/// A set of blocks, on a kernel and a width. It is one only: over several the compiler would keep
/// what they have in common, which is many vectors, on the stack.
macro_rules! set {
    ($name:ident, $blocks:literal, $substitution:ty, $features:literal) => {
        #[target_feature(enable = $features)]
        #[inline(never)]
        fn $name<C: Sliced>(cipher: &C, decrypt: bool, set: &mut [[u8; 16]; $blocks]) -> Depth {
            // SAFETY: the function has the target features, and 16 registers hold the set.
            unsafe { crypt::<C, $substitution>(cipher, decrypt, set.as_mut_ptr().cast()) };
            Depth::here()
        }
    };
}

set!(aes_128, 16, Aes<__m128i>, "aes,ssse3,sse4.1");
set!(aes_128_avx2, 16, Aes<__m128i>, "aes,avx2");
set!(aes_256, 32, AesHalves, "aes,avx2");
set!(vaes_256, 32, Aes<__m256i>, "vaes,aes,avx2");
set!(gfni_128, 16, Galois<__m128i>, "gfni,avx2");
set!(gfni_256, 32, Galois<__m256i>, "gfni,avx2");
set!(gfni_512, 64, Galois<__m512i>, "gfni,avx512f,avx512bw,avx512vl");

/// Whole sets of `N` blocks; then, from `from` blocks on, another one that zeros fill, or what takes
/// fewer.
#[inline(always)]
fn each<const N: usize>(
    blocks: &mut [[u8; 16]],
    from: usize,
    set: impl Fn(&mut [[u8; 16]; N]) -> Depth,
    fewer: impl Fn(&mut [[u8; 16]]) -> Depth,
) -> Depth {
    let mut depth = Depth::here();
    let (whole, rest) = blocks.as_chunks_mut();
    for whole in whole {
        depth = depth.max(set(whole));
    }
    if rest.len() >= from {
        depth.max(padded(rest, set))
    } else if !rest.is_empty() {
        depth.max(fewer(rest))
    } else {
        depth
    }
}

/// Not inlined: the padding is in a frame of its own, so that whole sets do not clear it.
#[inline(never)]
fn padded<const N: usize>(
    blocks: &mut [[u8; 16]],
    set: impl Fn(&mut [[u8; 16]; N]) -> Depth,
) -> Depth {
    let mut padded = [[0; 16]; N];
    padded[..blocks.len()].copy_from_slice(blocks);
    let depth = Depth::here().max(set(&mut padded));
    blocks.copy_from_slice(&padded[..blocks.len()]);
    depth
}

/// Sets of sixteen by AES-NI, and the rest by tables.
#[inline(always)]
fn by_sixteen<C: Sliced>(
    cipher: &C,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
    set: impl Fn(&mut [[u8; 16]; 16]) -> Depth,
) -> Depth {
    each(blocks, C::WORTH, set, |rest| cipher.by_tables(decrypt, rest))
}

#[inline(always)]
pub(crate) fn aes_ni<C: Sliced>(
    _: AesNi,
    cipher: &C,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
) -> Depth {
    // SAFETY: the token proves aes, ssse3 and sse4.1.
    by_sixteen(cipher, decrypt, blocks, |set| unsafe { aes_128(cipher, decrypt, set) })
}

#[inline(always)]
pub(crate) fn avx2<C: Sliced>(
    _: (AesNi, Avx2),
    cipher: &C,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
) -> Depth {
    each::<32>(
        blocks,
        17,
        // SAFETY: the tokens prove aes and avx2.
        |set| unsafe { aes_256(cipher, decrypt, set) },
        |rest| {
            // SAFETY: likewise.
            by_sixteen(cipher, decrypt, rest, |set| unsafe { aes_128_avx2(cipher, decrypt, set) })
        },
    )
}

#[inline(always)]
pub(crate) fn vaes<C: Sliced>(
    _: Vaes,
    cipher: &C,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
) -> Depth {
    each::<32>(
        blocks,
        17,
        // SAFETY: the token proves vaes, aes and avx2.
        |set| unsafe { vaes_256(cipher, decrypt, set) },
        |rest| {
            // SAFETY: likewise.
            by_sixteen(cipher, decrypt, rest, |set| unsafe { aes_128_avx2(cipher, decrypt, set) })
        },
    )
}

/// Sets of sixteen, and the rest by tables.
#[inline(always)]
fn narrow_gfni<C: Sliced>(_: Gfni, cipher: &C, decrypt: bool, blocks: &mut [[u8; 16]]) -> Depth {
    each::<16>(
        blocks,
        C::WORTH_BY_GFNI,
        // SAFETY: the token proves gfni and avx2.
        |set| unsafe { gfni_128(cipher, decrypt, set) },
        |rest| cipher.by_tables(decrypt, rest),
    )
}

#[inline(always)]
pub(crate) fn gfni<C: Sliced>(
    token: Gfni,
    cipher: &C,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
) -> Depth {
    each::<32>(
        blocks,
        17,
        // SAFETY: the token proves gfni and avx2.
        |set| unsafe { gfni_256(cipher, decrypt, set) },
        |rest| narrow_gfni(token, cipher, decrypt, rest),
    )
}

/// More than sixteen blocks are no slower in a set of 64 than in a smaller one.
#[inline(always)]
pub(crate) fn gfni512<C: Sliced>(
    token: Gfni512,
    cipher: &C,
    decrypt: bool,
    blocks: &mut [[u8; 16]],
) -> Depth {
    each::<64>(
        blocks,
        17,
        // SAFETY: the token proves gfni, and AVX-512 F, BW and VL.
        |set| unsafe { gfni_512(cipher, decrypt, set) },
        |rest| narrow_gfni(token.into(), cipher, decrypt, rest),
    )
}
