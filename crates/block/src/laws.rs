//! Laws that every cipher keeps, for the tests of each.

extern crate std;

use crate::{BlockDecrypt, BlockEncrypt, Depth, InPlace, KeyError, Slot};
use std::vec::Vec;
pub(crate) use testkit::hex::decode as hex;

fn burnt(depth: Depth) {
    cinder_burn::burn(depth);
}

/// One block as by the trait's own words: `encrypt_blocks` of a single one.
fn encrypt<C: BlockEncrypt<N>, const N: usize>(cipher: &C, mut block: [u8; N]) -> [u8; N] {
    burnt(cipher.encrypt_blocks(core::slice::from_mut(&mut block)));
    block
}

fn xor<const N: usize>(a: [u8; N], b: [u8; N]) -> [u8; N] {
    core::array::from_fn(|i| a[i] ^ b[i])
}

/// Several blocks at a time are what they are one at a time, in both directions and in every
/// chained method, and decryption inverts encryption.
pub(crate) fn check<C, const N: usize>(cipher: &C, iv: [u8; N], plaintext: &[[u8; N]])
where
    C: BlockEncrypt<N> + BlockDecrypt<N>,
{
    let expected: Vec<_> = plaintext.iter().map(|&block| encrypt(cipher, block)).collect();
    let mut blocks = plaintext.to_vec();
    burnt(cipher.encrypt_blocks(&mut blocks));
    assert_eq!(blocks, expected, "encrypt_blocks");
    for (block, plain) in blocks.iter().zip(plaintext) {
        let mut one = *block;
        burnt(cipher.decrypt_block(&mut one));
        assert_eq!(one, *plain, "decrypt_block");
        burnt(cipher.encrypt_block(&mut one));
        assert_eq!(one, *block, "encrypt_block");
    }
    burnt(cipher.decrypt_blocks(&mut blocks));
    assert_eq!(blocks, plaintext, "decrypt_blocks");

    let mut chain = iv;
    let expected: Vec<_> = plaintext
        .iter()
        .map(|&block| {
            chain = encrypt(cipher, xor(chain, block));
            chain
        })
        .collect();
    let (mut state, mut blocks) = (iv, plaintext.to_vec());
    burnt(cipher.cbc_encrypt(&mut state, &mut blocks));
    assert_eq!((state, &blocks), (chain, &expected), "cbc_encrypt");
    let mut state = iv;
    burnt(cipher.cbc_decrypt(&mut state, &mut blocks));
    assert_eq!((state, &blocks[..]), (chain, plaintext), "cbc_decrypt");

    let mut chain = iv;
    let expected: Vec<_> = plaintext
        .iter()
        .map(|&block| {
            chain = xor(encrypt(cipher, chain), block);
            chain
        })
        .collect();
    let (mut state, mut blocks) = (iv, plaintext.to_vec());
    burnt(cipher.cfb_encrypt(&mut state, &mut blocks));
    assert_eq!((state, &blocks), (chain, &expected), "cfb_encrypt");
    let mut state = iv;
    burnt(cipher.cfb_decrypt(&mut state, &mut blocks));
    assert_eq!((state, &blocks[..]), (chain, plaintext), "cfb_decrypt");

    let mut chain = iv;
    let expected: Vec<_> = plaintext
        .iter()
        .map(|&block| {
            chain = encrypt(cipher, chain);
            xor(chain, block)
        })
        .collect();
    let (mut state, mut blocks) = (iv, plaintext.to_vec());
    burnt(cipher.ofb_xor(&mut state, &mut blocks));
    assert_eq!((state, blocks), (chain, expected), "ofb_xor");

    let mut counter = iv;
    let expected: Vec<_> = plaintext
        .iter()
        .map(|&block| {
            let keystream = encrypt(cipher, counter);
            let (_, low) = counter.split_last_chunk_mut::<4>().unwrap();
            *low = u32::from_be_bytes(*low).wrapping_add(1).to_be_bytes();
            xor(keystream, block)
        })
        .collect();
    let (mut state, mut blocks) = (iv, plaintext.to_vec());
    burnt(cipher.ctr_xor(&mut state, &mut blocks));
    assert_eq!((state, blocks), (counter, expected), "ctr_xor");

    // The four bytes wrap in the middle, and the fifth stays.
    let mut counter = iv;
    counter[..4].copy_from_slice(&0xffff_fffb_u32.to_le_bytes());
    let (mut state, mut blocks) = (counter, plaintext.to_vec());
    let expected: Vec<_> = plaintext
        .iter()
        .map(|&block| {
            let keystream = encrypt(cipher, counter);
            let (low, _) = counter.split_first_chunk_mut::<4>().unwrap();
            *low = u32::from_le_bytes(*low).wrapping_add(1).to_le_bytes();
            xor(keystream, block)
        })
        .collect();
    burnt(cipher.ctr_xor_little_endian(&mut state, &mut blocks));
    assert_eq!((state, blocks), (counter, expected), "ctr_xor_little_endian");
}

/// [`check`] for each count of blocks up to 40 and around the scratch of the provided methods.
pub(crate) fn counts<C, const N: usize>(cipher: &C)
where
    C: BlockEncrypt<N> + BlockDecrypt<N>,
{
    let blocks: Vec<[u8; N]> =
        (0..100).map(|i| core::array::from_fn(|j| (i * 89 + j * 57) as u8)).collect();
    // The counter's four low bytes wrap.
    let mut iv = [0xff; N];
    iv[N - 1] = 0xf0;
    for count in (0..=40).chain([47, 48, 49, 95, 97, 100]) {
        check(cipher, iv, &blocks[..count]);
    }
}

/// A published vector of one block, in both directions, by both constructors. Hexadecimal digits.
pub(crate) fn vector<C, const N: usize>(key: &str, plaintext: &str, ciphertext: &str)
where
    C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>,
{
    let mut slot = Slot::<C>::empty();
    let cipher = slot.init(&hex(key)).expect("the key is legal");
    let plaintext: [u8; N] = hex(plaintext).try_into().expect("a block");
    let mut block = plaintext;
    burnt(cipher.encrypt_block(&mut block));
    assert_eq!(block, *hex(ciphertext), "key {key}");
    burnt(cipher.decrypt_block(&mut block));
    assert_eq!(block, plaintext, "key {key}");
}

/// A key of each length is taken if `legal` says so and refused otherwise. A refused one leaves a
/// slot empty.
pub(crate) fn key_lengths<C: InPlace>(legal: impl Fn(usize) -> bool) {
    let key: Vec<u8> = (0..80).map(|i| 0x5a ^ i).collect();
    let good = (0..80).find(|&length| legal(length)).expect("a legal length");
    for length in 0..80 {
        let mut slot = Slot::<C>::empty();
        assert!(slot.init(&key[..good]).is_ok());
        let result = slot.init(&key[..length]).map(|_| ());
        if legal(length) {
            assert_eq!(result, Ok(()), "{length}");
            assert!(slot.cipher().is_some());
        } else {
            assert_eq!(result, Err(KeyError::Length), "{length}");
            assert!(slot.cipher().is_none(), "{length}");
        }
    }
}

/// The key setup and the block functions keep to small frames: 768 bytes in an optimised build
/// (at most 512 on x86-64, but some ABIs add a save area of 160 bytes to each), 16 KiB in any
/// other.
pub(crate) fn frames<C, const N: usize>(key: &[u8])
where
    C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>,
{
    let limit = if cfg!(debug_assertions) { 65536 } else { 768 };
    let mut cipher = crate::slot::vacant::<C>();
    let setup = cipher.rekey(key).expect("the key is legal");
    let mut blocks = [[0; N]; 40];
    for (name, depth) in [
        ("setup", setup),
        ("encrypt_blocks", cipher.encrypt_blocks(&mut blocks)),
        ("decrypt_blocks", cipher.decrypt_blocks(&mut blocks)),
        ("encrypt_block", cipher.encrypt_block(&mut blocks[0])),
        ("decrypt_block", cipher.decrypt_block(&mut blocks[0])),
    ] {
        assert!(depth.bytes() <= limit, "{name}: {}", depth.bytes());
    }
}
