//! The rounds on `L` blocks side by side, for every kernel, and the key schedule.
//!
//! The words of `L` blocks lie side by side, and each step is a loop over the lanes, which the
//! compiler turns into vector instructions of the kernel's target features: one vector for each
//! gate, or two that hide each other's latency. (With `L` = 4 it unrolls the loops instead, and
//! finds no vectors in them any more: four blocks go as eight.)

#![allow(clippy::needless_range_loop, reason = "a lane runs through four words at once")]

use super::sboxes::*;
use crate::Depth;
use core::array;

/// Four words X_0 to X_3, each for `L` blocks.
type State<const L: usize> = [[u32; L]; 4];

pub(super) const ROUND_KEYS: usize = 33;

/// K_0 to K_32.
pub(super) type Keys = [[u32; 4]; ROUND_KEYS];

#[inline(always)]
fn load<const L: usize>(blocks: &[[u8; 16]; L]) -> State<L> {
    let mut x = [[0; L]; 4];
    for (lane, block) in blocks.iter().enumerate() {
        for (word, bytes) in x.iter_mut().zip(block.as_chunks::<4>().0) {
            word[lane] = u32::from_le_bytes(*bytes);
        }
    }
    x
}

#[inline(always)]
fn store<const L: usize>(x: &State<L>, blocks: &mut [[u8; 16]; L]) {
    for (lane, block) in blocks.iter_mut().enumerate() {
        for (word, bytes) in x.iter().zip(block.as_chunks_mut::<4>().0) {
            *bytes = word[lane].to_le_bytes();
        }
    }
}

/// Replaces the four words of each lane by `f` of them.
#[inline(always)]
fn mix<const L: usize>(x: &mut State<L>, f: impl Fn([u32; 4]) -> [u32; 4]) {
    for lane in 0..L {
        let y = f([x[0][lane], x[1][lane], x[2][lane], x[3][lane]]);
        for i in 0..4 {
            x[i][lane] = y[i];
        }
    }
}

/// The linear transformation.
#[inline(always)]
fn linear([x0, x1, x2, x3]: [u32; 4]) -> [u32; 4] {
    let x0 = x0.rotate_left(13);
    let x2 = x2.rotate_left(3);
    let x1 = (x1 ^ x0 ^ x2).rotate_left(1);
    let x3 = (x3 ^ x2 ^ x0 << 3).rotate_left(7);
    let x0 = (x0 ^ x1 ^ x3).rotate_left(5);
    let x2 = (x2 ^ x3 ^ x1 << 7).rotate_left(22);
    [x0, x1, x2, x3]
}

#[inline(always)]
fn inverse_linear([x0, x1, x2, x3]: [u32; 4]) -> [u32; 4] {
    let x2 = x2.rotate_right(22) ^ x3 ^ x1 << 7;
    let x0 = x0.rotate_right(5) ^ x1 ^ x3;
    let x3 = x3.rotate_right(7) ^ x2 ^ x0 << 3;
    let x1 = x1.rotate_right(1) ^ x0 ^ x2;
    [x0.rotate_right(13), x1, x2.rotate_right(3), x3]
}

#[inline(always)]
fn add(x: [u32; 4], k: &[u32; 4]) -> [u32; 4] {
    array::from_fn(|i| x[i] ^ k[i])
}

/// Section 2: encryption. The eight S-boxes in turn, four times.
#[inline(always)]
pub(super) fn encrypt<const L: usize>(keys: &Keys, blocks: &mut [[u8; 16]; L]) {
    let x = &mut load(blocks);
    let (rounds, [last]) = keys.as_chunks::<8>() else { return };
    for (i, k) in rounds.iter().enumerate() {
        if i > 0 {
            mix(x, linear);
        }
        mix(x, |x| linear(s0(add(x, &k[0]))));
        mix(x, |x| linear(s1(add(x, &k[1]))));
        mix(x, |x| linear(s2(add(x, &k[2]))));
        mix(x, |x| linear(s3(add(x, &k[3]))));
        mix(x, |x| linear(s4(add(x, &k[4]))));
        mix(x, |x| linear(s5(add(x, &k[5]))));
        mix(x, |x| linear(s6(add(x, &k[6]))));
        mix(x, |x| s7(add(x, &k[7])));
    }
    mix(x, |x| add(x, last));
    store(x, blocks);
}

/// Section 2: decryption, each step of the encryption undone in reverse order.
#[inline(always)]
pub(super) fn decrypt<const L: usize>(keys: &Keys, blocks: &mut [[u8; 16]; L]) {
    let x = &mut load(blocks);
    let (rounds, [last]) = keys.as_chunks::<8>() else { return };
    mix(x, |x| add(x, last));
    for (i, k) in rounds.iter().enumerate().rev() {
        mix(x, |x| add(inverse_s7(x), &k[7]));
        mix(x, |x| add(inverse_s6(inverse_linear(x)), &k[6]));
        mix(x, |x| add(inverse_s5(inverse_linear(x)), &k[5]));
        mix(x, |x| add(inverse_s4(inverse_linear(x)), &k[4]));
        mix(x, |x| add(inverse_s3(inverse_linear(x)), &k[3]));
        mix(x, |x| add(inverse_s2(inverse_linear(x)), &k[2]));
        mix(x, |x| add(inverse_s1(inverse_linear(x)), &k[1]));
        mix(x, |x| add(inverse_s0(inverse_linear(x)), &k[0]));
        if i > 0 {
            mix(x, inverse_linear);
        }
    }
    store(x, blocks);
}

/// Runs `blocks` through the widest kernel, again and again, and the rest through the narrowest
/// that takes it, padded if it does not fill it; fewer than `WORTH` blocks go one after the other.
#[inline(always)]
pub(super) fn each_width<const WIDE: usize, const VECTOR: usize, const WORTH: usize>(
    blocks: &mut [[u8; 16]],
    wide: impl Fn(&mut [[u8; 16]; WIDE]) -> Depth,
    vector: impl Fn(&mut [[u8; 16]; VECTOR]) -> Depth,
    one: impl Fn(&mut [[u8; 16]; 1]) -> Depth,
) -> Depth {
    let mut depth = Depth::here();
    let (chunks, rest) = blocks.as_chunks_mut();
    for blocks in chunks {
        depth = depth.max(wide(blocks));
    }
    let last = if rest.len() < WORTH {
        rest.as_chunks_mut().0.iter_mut().map(one).fold(Depth::NONE, Depth::max)
    } else if let Ok(blocks) = (&mut *rest).try_into() {
        vector(blocks)
    } else if rest.len() < VECTOR {
        padded(rest, vector)
    } else {
        padded(rest, wide)
    };
    depth.max(last)
}

/// Not inlined: the padding is in a frame of its own, so that whole sets do not clear it.
#[inline(never)]
fn padded<const L: usize>(
    blocks: &mut [[u8; 16]],
    kernel: impl Fn(&mut [[u8; 16]; L]) -> Depth,
) -> Depth {
    let mut padded = [[0; 16]; L];
    padded[..blocks.len()].copy_from_slice(blocks);
    let depth = kernel(&mut padded);
    blocks.copy_from_slice(&padded[..blocks.len()]);
    depth.max(Depth::here())
}

/// Section 4: prekeys, and the round keys that the S-boxes make of them. The key has at most 32
/// bytes.
#[inline(never)]
pub(super) fn expand(key: &[u8], keys: &mut Keys) -> Depth {
    // φ, the fractional part of the golden ratio.
    const PHI: u32 = 0x9e37_79b9;
    let mut padded = [0; 32];
    padded[..key.len()].copy_from_slice(key);
    if let Some(next) = padded.get_mut(key.len()) {
        *next = 1;
    }
    // w_-8 to w_-1, at places 0 to 7.
    let mut w = [0; 8];
    for (w, bytes) in w.iter_mut().zip(padded.as_chunks::<4>().0) {
        *w = u32::from_le_bytes(*bytes);
    }
    // w_i goes to the place of w_{i-8}. Eight at a time, so that the places are registers.
    let (eights, last) = keys.as_flattened_mut().as_chunks_mut::<8>();
    let mut i = 0;
    let mut next = |j: usize, prekey: &mut u32| {
        let sum = w[j] ^ w[(j + 3) % 8] ^ w[(j + 5) % 8] ^ w[(j + 7) % 8] ^ PHI ^ i;
        w[j] = sum.rotate_left(11);
        *prekey = w[j];
        i += 1;
    };
    for prekeys in eights {
        for (j, prekey) in prekeys.iter_mut().enumerate() {
            next(j, prekey);
        }
    }
    for (j, prekey) in last.iter_mut().enumerate() {
        next(j, prekey);
    }
    // K_i is S_{3 - i mod 8} of the prekeys w_4i to w_4i+3.
    let (rounds, last) = keys.as_chunks_mut::<8>();
    for k in rounds {
        k[0] = s3(k[0]);
        k[1] = s2(k[1]);
        k[2] = s1(k[2]);
        k[3] = s0(k[3]);
        k[4] = s7(k[4]);
        k[5] = s6(k[5]);
        k[6] = s5(k[6]);
        k[7] = s4(k[7]);
    }
    for k in last {
        *k = s3(*k);
    }
    Depth::here()
}

#[cfg(test)]
mod tests {
    use super::super::sboxes::S;
    use super::*;

    /// The initial permutation: bit i goes to 32·i mod 127.
    fn initial(block: u128) -> u128 {
        (0..127).fold(block & 1 << 127, |out, i| out | (block >> (32 * i % 127) & 1) << i)
    }

    /// The final permutation: bit i comes from 4·i mod 127's place.
    fn last(block: u128) -> u128 {
        (0..127).fold(block & 1 << 127, |out, i| out | (block >> (4 * i % 127) & 1) << i)
    }

    fn substitute(s: usize, x: u128) -> u128 {
        (0..32).fold(0, |y, i| y | u128::from(S[s % 8][(x >> (4 * i) & 15) as usize]) << (4 * i))
    }

    /// The submission's section 3 to the letter: IP, 32 rounds of 4-bit S-boxes side by side, FP,
    /// with the round keys permuted by IP and the linear transformation between FP and IP.
    fn by_definition(keys: &Keys, block: [u8; 16]) -> [u8; 16] {
        let words = |x: [u32; 4]| (0..4).fold(0, |n, i| n | u128::from(x[i]) << (32 * i));
        let mut b = initial(u128::from_le_bytes(block));
        for (round, k) in keys[..32].iter().enumerate() {
            b = substitute(round, b ^ initial(words(*k)));
            b = if round < 31 {
                let x = last(b);
                initial(words(linear(array::from_fn(|i| (x >> (32 * i)) as u32))))
            } else {
                b ^ initial(words(keys[32]))
            };
        }
        last(b).to_le_bytes()
    }

    /// So the bitslice form needs neither permutation, and each round takes its own S-box.
    #[test]
    fn bitslice_is_the_definition() {
        let mut keys = [[0; 4]; ROUND_KEYS];
        for i in 0..20u8 {
            cinder_burn::burn(expand(
                &array::from_fn::<u8, 32, _>(|j| (7 * j as u8) ^ i),
                &mut keys,
            ));
            let block = array::from_fn(|j| (j as u8).wrapping_mul(29) ^ i);
            let expected = by_definition(&keys, block);
            let mut blocks = [block];
            encrypt(&keys, &mut blocks);
            assert_eq!(blocks, [expected]);
            decrypt(&keys, &mut blocks);
            assert_eq!(blocks, [block]);
        }
    }

    #[test]
    fn permutations_are_inverse() {
        for i in 0..128 {
            assert_eq!(last(initial(1 << i)), 1 << i);
            assert_eq!(initial(last(1 << i)), 1 << i);
        }
    }

    #[test]
    fn linear_transformation_is_inverted() {
        for bit in 0..128 {
            let x = array::from_fn(|i| if i == bit / 32 { 1 << (bit % 32) } else { 0 });
            assert_eq!(inverse_linear(linear(x)), x);
        }
    }
}
