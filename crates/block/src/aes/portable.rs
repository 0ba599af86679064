//! Placeholder: one byte at a time.

use crate::Depth;

fn mul(mut a: u8, b: u8) -> u8 {
    let mut product = 0;
    for bit in 0..8 {
        product ^= a & (b >> bit & 1).wrapping_neg();
        a = a << 1 ^ 0x1b & (a >> 7).wrapping_neg();
    }
    product
}

fn inverse(x: u8) -> u8 {
    // x^254
    let mut square = mul(x, x);
    let mut result = square;
    for _ in 0..6 {
        square = mul(square, square);
        result = mul(result, square);
    }
    result
}

fn sub(x: u8) -> u8 {
    let y = inverse(x);
    y ^ y.rotate_left(1) ^ y.rotate_left(2) ^ y.rotate_left(3) ^ y.rotate_left(4) ^ 0x63
}

fn inverse_sub(x: u8) -> u8 {
    inverse(x.rotate_left(1) ^ x.rotate_left(3) ^ x.rotate_left(6) ^ 0x05)
}

pub(super) fn expand(key: &[u8], keys: &mut [[u8; 16]]) -> Depth {
    let bytes = keys.as_flattened_mut();
    bytes[..key.len()].copy_from_slice(key);
    let mut rcon = 1;
    for i in (key.len()..bytes.len()).step_by(4) {
        let mut word = [bytes[i - 4], bytes[i - 3], bytes[i - 2], bytes[i - 1]];
        if i % key.len() == 0 {
            word.rotate_left(1);
            word = word.map(sub);
            word[0] ^= rcon;
            rcon = mul(rcon, 2);
        } else if key.len() == 32 && i % 32 == 16 {
            word = word.map(sub);
        }
        for j in 0..4 {
            bytes[i + j] = bytes[i + j - key.len()] ^ word[j];
        }
    }
    Depth::here().deeper(1024)
}

fn add(block: &mut [u8; 16], key: &[u8; 16]) {
    for (a, b) in block.iter_mut().zip(key) {
        *a ^= b;
    }
}

fn mix(block: &mut [u8; 16], factors: [u8; 4]) {
    for column in block.as_chunks_mut::<4>().0 {
        let old = *column;
        for (i, byte) in column.iter_mut().enumerate() {
            *byte = (0..4).fold(0, |sum, j| sum ^ mul(old[j], factors[(4 + j - i) % 4]));
        }
    }
}

#[inline(never)]
pub(super) fn encrypt_blocks(keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    let last = keys.len() - 1;
    for block in blocks {
        add(block, &keys[0]);
        for (round, key) in keys.iter().enumerate().skip(1) {
            let old = *block;
            *block = core::array::from_fn(|i| sub(old[(i + 4 * (i % 4)) % 16]));
            if round < last {
                mix(block, [2, 3, 1, 1]);
            }
            add(block, key);
        }
    }
    Depth::here().deeper(1024)
}

#[inline(never)]
pub(super) fn decrypt_blocks(keys: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
    let last = keys.len() - 1;
    for block in blocks {
        for (round, key) in keys.iter().enumerate().skip(1).rev() {
            add(block, key);
            if round < last {
                mix(block, [14, 11, 13, 9]);
            }
            let old = *block;
            *block = core::array::from_fn(|i| inverse_sub(old[(i + 12 * (i % 4)) % 16]));
        }
        add(block, &keys[0]);
    }
    Depth::here().deeper(1024)
}

#[cfg(test)]
mod tests {
    use crate::{Aes128, BlockDecrypt, BlockEncrypt};

    #[test]
    fn fips_197_appendix_c1() {
        let key: [u8; 16] = core::array::from_fn(|i| i as u8);
        let mut block: [u8; 16] = core::array::from_fn(|i| 0x11 * i as u8);
        let aes = Aes128::new(&key).unwrap();
        burn::burn(aes.encrypt_block(&mut block));
        assert_eq!(u128::from_be_bytes(block), 0x69c4e0d86a7b0430d8cdb78070b4c55a);
        burn::burn(aes.decrypt_block(&mut block));
        assert_eq!(u128::from_be_bytes(block), 0x00112233445566778899aabbccddeeff);
    }
}
