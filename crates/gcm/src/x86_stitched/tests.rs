//! Every kernel against GCM written as SP 800-38D has it: one bit at a time, one block at a time.

use super::*;
use cinder_block::{Aes128, Aes192, Aes256, BlockEncrypt};
use std::vec::Vec;
use std::{eprintln, format, println, vec};

type Block = [u8; 16];

/// The kernels of this CPU. Those that it lacks are printed.
fn kernels() -> Vec<Stitched> {
    let kernels: Vec<_> = Stitched::available().collect();
    if kernels.len() < 3 {
        eprintln!("only these kernels are tested on this CPU: {kernels:?}");
    }
    assert_eq!(kernels.first().copied(), Stitched::best());
    kernels
}

/// Algorithm 1: the product of two blocks.
fn product(x: u128, y: u128) -> u128 {
    let (mut z, mut v) = (0, y);
    for i in 0..128 {
        z ^= v & ((x >> (127 - i)) & 1).wrapping_neg();
        v = (v >> 1) ^ ((0xe1 << 120) & (v & 1).wrapping_neg());
    }
    z
}

fn ghash(h: u128, mut y: u128, data: &[u8]) -> u128 {
    for chunk in data.chunks(16) {
        let mut block = [0; 16];
        block[..chunk.len()].copy_from_slice(chunk);
        y = product(y ^ u128::from_be_bytes(block), h);
    }
    y
}

struct Model {
    cipher: std::boxed::Box<dyn BlockEncrypt<16>>,
    h: u128,
}

impl Model {
    fn new(key: &[u8]) -> Self {
        let cipher: std::boxed::Box<dyn BlockEncrypt<16>> = match key.len() {
            16 => std::boxed::Box::new(Aes128::new(key).unwrap()),
            24 => std::boxed::Box::new(Aes192::new(key).unwrap()),
            _ => std::boxed::Box::new(Aes256::new(key).unwrap()),
        };
        let mut model = Model { cipher, h: 0 };
        model.h = u128::from_be_bytes(model.encrypt([0; 16]));
        model
    }

    fn round_keys(&self) -> &[Block] {
        self.cipher.aes_round_keys().expect("a kernel without AES instructions")
    }

    fn encrypt(&self, mut block: Block) -> Block {
        let _ = self.cipher.encrypt_block(&mut block);
        block
    }

    /// E of so many counters from J_0 on.
    fn stream(&self, j0: Block, blocks: usize) -> Vec<u8> {
        let (fixed, low) = j0.split_at(12);
        let low = u32::from_be_bytes(low.try_into().unwrap());
        (0..blocks as u32)
            .flat_map(|i| {
                let counter = low.wrapping_add(i).to_be_bytes();
                self.encrypt([fixed, &counter].concat().try_into().unwrap())
            })
            .collect()
    }

    /// The tag, `stream` as above.
    fn tag(&self, stream: &[u8], aad: &[u8], text: &[u8]) -> Block {
        let y = ghash(self.h, ghash(self.h, 0, aad), text);
        let bits = ((aad.len() as u128 * 8) << 64) | (text.len() as u128 * 8);
        let mask = u128::from_be_bytes(stream[..16].try_into().unwrap());
        (product(y ^ bits, self.h) ^ mask).to_be_bytes()
    }
}

/// Bytes that no two positions near each other share.
fn pattern(len: usize, seed: u32) -> Vec<u8> {
    (0..len as u32)
        .map(|i| ((i + seed).wrapping_mul(0x9e37_79b1).rotate_left(13) >> 7) as u8)
        .collect()
}

/// A kernel, its key, and the round keys.
struct Keyed<'a> {
    kernel: Stitched,
    key: GhashKey,
    round_keys: &'a [Block],
}

impl<'a> Keyed<'a> {
    fn new(kernel: Stitched, model: &'a Model) -> Self {
        let mut key = GhashKey::vacant();
        let _ = key.rekey_with_kernel(&model.h.to_be_bytes(), kernel.ghash());
        Keyed { kernel, key, round_keys: model.round_keys() }
    }

    fn whole(
        &self,
        direction: Direction,
        j0: &Block,
        aad: &[u8],
        data: &mut [u8],
        tag: &mut Block,
    ) -> Depth {
        let kernel = self.kernel;
        dispatch!(kernel, whole(&self.key, self.round_keys, j0, aad, data, direction, tag))
    }
}

/// Both directions in place, between bytes that must stay as they are.
fn check(key: &Keyed<'_>, model: &Model, stream: &[u8], j0: &Block, aad: &[u8], plain: &[u8]) {
    let what = || format!("{:?}, {} and {} bytes, J_0 {j0:?}", key.kernel, aad.len(), plain.len());
    let cipher: Vec<u8> = plain.iter().zip(&stream[16..]).map(|(a, b)| a ^ b).collect();
    let expected = model.tag(stream, aad, &cipher);
    let mut buffer = vec![0xa5; plain.len() + 128];
    let end = 64 + plain.len();
    buffer[64..end].copy_from_slice(plain);
    let mut tag = [0; 16];
    let _ = key.whole(Direction::Seal, j0, aad, &mut buffer[64..end], &mut tag);
    assert!(buffer[64..end] == cipher, "sealed text: {}", what());
    assert_eq!(tag, expected, "tag of seal: {}", what());
    let mut tag = [0; 16];
    let _ = key.whole(Direction::Open, j0, aad, &mut buffer[64..end], &mut tag);
    assert!(buffer[64..end] == *plain, "opened text: {}", what());
    assert_eq!(tag, expected, "tag of open: {}", what());
    assert!(buffer[..64].iter().chain(&buffer[end..]).all(|byte| *byte == 0xa5), "{}", what());
}

fn keys() -> [Vec<u8>; 3] {
    [pattern(16, 1), pattern(24, 2), pattern(32, 3)]
}

const J0: Block = [7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 0, 0, 1];

#[test]
fn the_model_is_right() {
    // The GCM specification's test case 4.
    let key = 0xfeff_e992_8665_731c_6d6a_8f94_6730_8308_u128.to_be_bytes();
    let model = Model::new(&key);
    let j0 = 0xcafe_babe_face_dbad_deca_f888_0000_0001_u128.to_be_bytes();
    let plain: Vec<u8> = [
        0xd931_3225_f884_06e5_a559_09c5_aff5_269a_u128,
        0x86a7_a953_1534_f7da_2e4c_303d_8a31_8a72,
        0x1c3c_0c95_9568_0953_2fcf_0e24_49a6_b525,
        0xb16a_edf5_aa0d_e657_ba63_7b39_0000_0000,
    ]
    .iter()
    .flat_map(|block| block.to_be_bytes())
    .take(60)
    .collect();
    let aad: Vec<u8> =
        [0xfeed_face_dead_beef_feed_face_dead_beef_u128, 0xabad_dad2_0000_0000_0000_0000_0000_0000]
            .iter()
            .flat_map(|block| block.to_be_bytes())
            .take(20)
            .collect();
    let stream = model.stream(j0, 5);
    let cipher: Vec<u8> = plain.iter().zip(&stream[16..]).map(|(a, b)| a ^ b).collect();
    assert_eq!(cipher[..4], [0x42, 0x83, 0x1e, 0xc2]);
    let tag = u128::from_be_bytes(model.tag(&stream, &aad, &cipher));
    assert_eq!(tag, 0x5bc9_4fbc_3221_a5db_94fa_e95a_e712_1a47);
    for kernel in kernels() {
        check(&Keyed::new(kernel, &model), &model, &stream, &j0, &aad, &plain);
    }
}

/// Around every width, and several turns of the widest kernel with every remainder.
#[test]
fn every_length() {
    let plain = pattern(1300, 4);
    for key in keys() {
        let model = Model::new(&key);
        let stream = model.stream(J0, 90);
        for kernel in kernels() {
            let key = Keyed::new(kernel, &model);
            let step = if model.round_keys().len() == 13 { 7 } else { 1 };
            for len in (0..=700).step_by(step).chain([767, 768, 769, 1023, 1024, 1025, 1300]) {
                check(&key, &model, &stream, &J0, &plain[..len % 23], &plain[..len]);
            }
        }
    }
}

#[test]
fn every_length_of_additional_data() {
    let bytes = pattern(700, 5);
    let model = Model::new(&keys()[0]);
    let stream = model.stream(J0, 40);
    for kernel in kernels() {
        let key = Keyed::new(kernel, &model);
        for len in (0..=70).chain([127, 128, 129, 143, 144, 145, 255, 256, 257, 272, 273, 511, 700])
        {
            for text in [0, 1, 16, 100, 128, 256, 500] {
                check(&key, &model, &stream, &J0, &bytes[..len], &bytes[..text]);
            }
        }
    }
}

/// The counter's last four bytes wrap at each position in each batch, and carry nowhere.
#[test]
fn the_counter_wraps_anywhere() {
    let plain = pattern(800, 6);
    let model = Model::new(&keys()[0]);
    for left in 0..51_u32 {
        let mut j0 = [0xff; 16];
        j0[0] = 1;
        j0[12..].copy_from_slice(&(u32::MAX - left).to_be_bytes());
        let stream = model.stream(j0, 52);
        for kernel in kernels() {
            let key = Keyed::new(kernel, &model);
            for len in [15, 47, 64, 128, 200, 256, 300, 800] {
                check(&key, &model, &stream, &j0, &plain[..3], &plain[..len]);
            }
        }
    }
}

#[test]
fn long_messages() {
    let plain = pattern(70_000, 7);
    for key in [&keys()[0], &keys()[2]] {
        let model = Model::new(key);
        let stream = model.stream(J0, 4377);
        for kernel in kernels() {
            let key = Keyed::new(kernel, &model);
            for len in [4096, 16_384, 65_537, 70_000] {
                check(&key, &model, &stream, &J0, &plain[..13], &plain[..len]);
            }
        }
    }
}

/// Blocks in any cutting, with the counter and Y carried over, give the same text and Y.
#[test]
fn cut_anywhere() {
    let model = Model::new(&keys()[2]);
    let stream = model.stream(J0, 101);
    let plain = pattern(1600, 8);
    let cipher: Vec<u8> = plain.iter().zip(&stream[16..]).map(|(a, b)| a ^ b).collect();
    for kernel in kernels() {
        let key = Keyed::new(kernel, &model);
        for cut in [1, 2, 3, 5, 8, 9, 16, 17, 24, 31, 33, 48, 63, 99, 100] {
            for direction in [Direction::Seal, Direction::Open] {
                let mut counter = J0;
                add32(&mut counter, 1);
                let mut y = [0x11; 16];
                let (from, to) = match direction {
                    Direction::Seal => (&plain, &cipher),
                    Direction::Open => (&cipher, &plain),
                };
                let mut data = from.clone();
                let mut go = |part: &mut [Block]| {
                    let (key, keys) = (&key.key, key.round_keys);
                    let _ = blocks(kernel, key, keys, direction, &mut counter, &mut y, part);
                };
                data.as_chunks_mut().0.chunks_mut(cut).for_each(&mut go);
                go(&mut []);
                assert!(data == *to, "{kernel}, {cut} blocks, {direction:?}");
                let expected = ghash(model.h, u128::from_be_bytes([0x11; 16]), &cipher);
                assert_eq!(u128::from_be_bytes(y), expected, "{kernel}, {cut}, {direction:?}");
                let mut end = J0;
                add32(&mut end, 101);
                assert_eq!(counter, end);
            }
        }
    }
}

/// What the caller has to burn: little for a short message, and not too much without
/// optimisation.
#[test]
fn frames_are_small() {
    let model = Model::new(&keys()[2]);
    for kernel in kernels() {
        let key = Keyed::new(kernel, &model);
        let limit = if cfg!(debug_assertions) { 64 << 10 } else { 768 };
        for len in [0, 16, 33, 64, 100, 256, 300, 1350] {
            let (mut data, mut tag) = (vec![0; len], [0; 16]);
            let depth = key.whole(Direction::Seal, &J0, &[1; 20], &mut data, &mut tag).bytes();
            println!("{kernel}: {depth} for {len} bytes");
            assert!(depth <= limit, "{kernel}: {depth} for {len} bytes");
        }
    }
}
