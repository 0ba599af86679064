//! What the tests share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};

/// A toy with blocks of `N` bytes that implements only the two required methods. Invertible, and
/// every byte of a block depends on every other; a cipher it is not.
pub struct Toy<const N: usize> {
    pub key: [u8; N],
}

const ROUNDS: u8 = 5;

impl<const N: usize> Toy<N> {
    fn step(&self, block: &[u8; N], round: u8, i: usize) -> u8 {
        (block[(i + 1) % N] ^ self.key[i]).wrapping_mul(0x5d).rotate_left(3) ^ round
    }
}

impl<const N: usize> BlockEncrypt<N> for Toy<N> {
    #[inline(never)]
    fn encrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        for block in blocks {
            for round in 0..ROUNDS {
                for i in 0..N {
                    block[i] = block[i].wrapping_add(self.step(block, round, i));
                }
            }
        }
        Depth::here()
    }
}

impl<const N: usize> BlockDecrypt<N> for Toy<N> {
    #[inline(never)]
    fn decrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        for block in blocks {
            for round in (0..ROUNDS).rev() {
                for i in (0..N).rev() {
                    block[i] = block[i].wrapping_sub(self.step(block, round, i));
                }
            }
        }
        Depth::here()
    }
}

/// No cipher at all: what a mode gives to it comes out.
pub struct Identity;

impl<const N: usize> BlockEncrypt<N> for Identity {
    fn encrypt_blocks(&self, _: &mut [[u8; N]]) -> Depth {
        Depth::here()
    }
}

impl<const N: usize> BlockDecrypt<N> for Identity {
    fn decrypt_blocks(&self, _: &mut [[u8; N]]) -> Depth {
        Depth::here()
    }
}

/// The modes as the standard writes them: one block or byte after the other.
pub mod model {
    use super::{BlockDecrypt, BlockEncrypt};

    fn e<const N: usize>(cipher: &dyn BlockEncrypt<N>, block: &[u8]) -> Vec<u8> {
        let mut block: [u8; N] = block.try_into().unwrap();
        let _ = cipher.encrypt_blocks(std::slice::from_mut(&mut block));
        block.to_vec()
    }

    fn d<const N: usize>(cipher: &dyn BlockDecrypt<N>, block: &[u8]) -> Vec<u8> {
        let mut block: [u8; N] = block.try_into().unwrap();
        let _ = cipher.decrypt_blocks(std::slice::from_mut(&mut block));
        block.to_vec()
    }

    fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
        a.iter().zip(b).map(|(a, b)| a ^ b).collect()
    }

    pub fn ecb_encrypt<const N: usize>(c: &dyn BlockEncrypt<N>, data: &[u8]) -> Vec<u8> {
        data.chunks(N).flat_map(|block| e(c, block)).collect()
    }

    pub fn ecb_decrypt<const N: usize>(c: &dyn BlockDecrypt<N>, data: &[u8]) -> Vec<u8> {
        data.chunks(N).flat_map(|block| d(c, block)).collect()
    }

    pub fn cbc_encrypt<const N: usize>(c: &dyn BlockEncrypt<N>, iv: &[u8], data: &[u8]) -> Vec<u8> {
        let mut out = iv.to_vec();
        for block in data.chunks(N) {
            let chain = out[out.len() - N..].to_vec();
            out.extend(e(c, &xor(block, &chain)));
        }
        out.split_off(N)
    }

    pub fn cbc_decrypt<const N: usize>(c: &dyn BlockDecrypt<N>, iv: &[u8], data: &[u8]) -> Vec<u8> {
        let all = [iv, data].concat();
        (N..all.len()).step_by(N).flat_map(|i| xor(&d(c, &all[i..i + N]), &all[i - N..i])).collect()
    }

    pub fn cfb_encrypt<const N: usize>(c: &dyn BlockEncrypt<N>, iv: &[u8], data: &[u8]) -> Vec<u8> {
        let mut out = iv.to_vec();
        for block in data.chunks(N) {
            let keystream = e(c, &out[out.len() - N..]);
            out.extend(xor(block, &keystream));
        }
        out.split_off(N)
    }

    pub fn cfb_decrypt<const N: usize>(c: &dyn BlockEncrypt<N>, iv: &[u8], data: &[u8]) -> Vec<u8> {
        let all = [iv, data].concat();
        data.chunks(N).zip(all.chunks(N)).flat_map(|(now, last)| xor(now, &e(c, last))).collect()
    }

    pub fn cfb8_encrypt<const N: usize>(
        c: &dyn BlockEncrypt<N>,
        iv: &[u8],
        data: &[u8],
    ) -> Vec<u8> {
        let mut out = iv.to_vec();
        for byte in data {
            out.push(byte ^ e(c, &out[out.len() - N..])[0]);
        }
        out.split_off(N)
    }

    pub fn cfb8_decrypt<const N: usize>(
        c: &dyn BlockEncrypt<N>,
        iv: &[u8],
        data: &[u8],
    ) -> Vec<u8> {
        let all = [iv, data].concat();
        all.windows(N).zip(data).map(|(window, byte)| byte ^ e(c, window)[0]).collect()
    }

    pub fn ofb<const N: usize>(c: &dyn BlockEncrypt<N>, iv: &[u8], data: &[u8]) -> Vec<u8> {
        let mut chain = iv.to_vec();
        let mut out = vec![];
        for block in data.chunks(N) {
            chain = e(c, &chain);
            out.extend(xor(block, &chain));
        }
        out
    }

    /// One added to the last `width` bytes, carried by hand.
    pub fn increment(counter: &mut [u8], width: usize) {
        for byte in counter.iter_mut().rev().take(width) {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                return;
            }
        }
    }

    pub fn ctr<const N: usize>(
        c: &dyn BlockEncrypt<N>,
        iv: &[u8],
        width: usize,
        data: &[u8],
    ) -> Vec<u8> {
        let mut counter = iv.to_vec();
        let mut out = vec![];
        for block in data.chunks(N) {
            out.extend(xor(block, &e(c, &counter)));
            increment(&mut counter, width);
        }
        out
    }

    /// The addendum's CBC-CS1 with its definition: pad with zeros, encrypt, cut C_{n-1}.
    pub fn cs1_encrypt<const N: usize>(c: &dyn BlockEncrypt<N>, iv: &[u8], data: &[u8]) -> Vec<u8> {
        let mut padded = data.to_vec();
        padded.resize(data.len().next_multiple_of(N), 0);
        let mut out = cbc_encrypt(c, iv, &padded);
        let last = out.split_off(out.len() - N);
        out.truncate(data.len() - N);
        out.extend(last);
        out
    }
}
