//! SEED on sets of 16, 32 and 64 blocks, by AES-NI, VAES or GFNI.
//!
//! Constant time: yes. The S-boxes are an instruction for inversion between affine maps, which are
//! shuffles or an instruction too; all else is logic, additions and shuffles by fixed places.
//!
//! A register holds one word of each block, not one byte: G's results are added modulo 2^32, and between
//! slices of bytes carries would make the chain of 48 G long. The registers are four chains side by
//! side, of a quarter of the blocks each. A byte goes through both S-boxes, of which its place keeps one.

use super::tables::{M, SBOXES};
use super::{ROUNDS, Seed};
use crate::x86_slices::{SHIFT_ROWS, Sliced, Substitution, sbox, splat};
use cinder_cpu::x86_lanes::Lanes;

impl Sliced for Seed {
    const WORTH: usize = 9;
    const WORTH_BY_GFNI: usize = 5;
    const BYTES: bool = false;

    #[inline(always)]
    unsafe fn crypt<S: Substitution>(&self, decrypt: bool, registers: &mut [S::V; 16]) {
        let (chains, _) = registers.as_chunks_mut::<4>();
        let Some(chains) = chains.first_chunk_mut::<4>() else { return };
        // SAFETY: by the method's contract.
        unsafe {
            for chain in &mut *chains {
                swap_bytes(chain);
                *chain = transpose(*chain);
            }
            // Two rounds instead of the swap.
            for round in (0..ROUNDS).step_by(2) {
                let [first, second] =
                    if decrypt { [15 - round, 14 - round] } else { [round, round + 1] };
                step::<S, 0>(chains, self.keys[first]);
                step::<S, 2>(chains, self.keys[second]);
            }
            for chain in &mut *chains {
                let [l0, l1, r0, r1] = *chain;
                *chain = transpose([r0, r1, l0, l1]);
                swap_bytes(chain);
            }
        }
    }
}

/// The bytes of each word.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn swap_bytes<V: Lanes>(words: &mut [V; 4]) {
    for x in words {
        // SAFETY: by the function's contract.
        *x = unsafe { x.shuffle(splat(&BIG_ENDIAN)) };
    }
}

/// Where the bytes of a big-endian word come from.
static BIG_ENDIAN: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

/// From four blocks in each lane to their four words, or back.
///
/// # Safety
///
/// As for [`Lanes`].
#[inline(always)]
unsafe fn transpose<V: Lanes>([a, b, c, d]: [V; 4]) -> [V; 4] {
    // SAFETY: by the function's contract.
    unsafe {
        let (ab, cd) = (a.low_words(b), c.low_words(d));
        let (ab_high, cd_high) = (a.high_words(b), c.high_words(d));
        [
            ab.low_halves(cd),
            ab.high_halves(cd),
            ab_high.low_halves(cd_high),
            ab_high.high_halves(cd_high),
        ]
    }
}

/// One round, F of the words other than those from `L` on: L ⊕= F(R), with K_0 and K_0 ⊕ K_1.
///
/// Each G adds to its result what came before it, T to a first: G(a + T), then G(b + a), then c + b.
///
/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn step<S: Substitution, const L: usize>(chains: &mut [[S::V; 4]; 4], [k0, sum]: [u32; 2]) {
    let (mut x, mut before) = (chains[0], chains[0]);
    // SAFETY: by the function's contract.
    unsafe {
        let [k0, sum] = [S::V::splat32(k0), S::V::splat32(sum)];
        for (i, words) in chains.iter().enumerate() {
            let [c, d] = [words[2 - L], words[3 - L]];
            before[i] = c.xor(k0);
            x[i] = c.xor(d).xor(sum);
        }
        for _ in 0..3 {
            for i in 0..4 {
                let y = g::<S>(x[i]);
                x[i] = y.add32(before[i]);
                before[i] = y;
            }
        }
        for (i, words) in chains.iter_mut().enumerate() {
            words[L] = words[L].xor(x[i]);
            words[L + 1] = words[L + 1].xor(before[i]);
        }
    }
}

/// PLACES[k] takes byte j + k of a word for byte j.
const PLACES: [[u8; 16]; 4] = {
    let mut places = [[0; 16]; 4];
    let mut n = 0;
    while n < 64 {
        let (k, j) = (n / 16, n % 16);
        places[k][j] = (j / 4 * 4 + (j + k) % 4) as u8;
        n += 1;
    }
    places
};

/// The same of bytes that AESENCLAST has permuted.
const PLACES_AFTER_AES: [[u8; 16]; 4] = {
    let mut places = PLACES;
    let mut n = 0;
    while n < 64 {
        places[n / 16][n % 16] = SHIFT_ROWS[3][places[n / 16][n % 16] as usize];
        n += 1;
    }
    places
};

/// MASKS[k] is for byte i of a word what it has of the S-box of byte j = i + k: m_{(i + j) mod 4}.
const MASKS: [[u8; 16]; 4] = {
    let mut masks = [[0; 16]; 4];
    let mut n = 0;
    while n < 64 {
        let (k, i) = (n / 16, n % 16);
        masks[k][i] = M[(2 * i + k) % 4];
        n += 1;
    }
    masks
};

/// Section 2.2: the function G.
///
/// # Safety
///
/// As for [`Substitution`].
#[inline(always)]
unsafe fn g<S: Substitution>(x: S::V) -> S::V {
    // SAFETY: by the function's contract.
    unsafe {
        // The compiler computes once what the two have in common. No byte goes from an even place to
        // an odd one.
        let y = sbox!(S, false, x, SBOXES[0]).alternate(sbox!(S, false, x, SBOXES[1]));
        let mut parts = [y; 4];
        for (k, part) in parts.iter_mut().enumerate() {
            if S::PERMUTES {
                *part = part.shuffle(splat(&PLACES_AFTER_AES[k]));
            } else if k > 0 {
                *part = part.shuffle(splat(&PLACES[k]));
            }
            *part = part.and(splat(&MASKS[k]));
        }
        let [a, b, c, d] = parts;
        a.xor(b).xor(c.xor(d))
    }
}
