//! `cipher` 0.5: RustCrypto's own modes over our ciphers agree with those over `aes`, and with ours.
#![cfg(all(feature = "all", feature = "cipher05"))]

use cinder_block::{BlockDecrypt, BlockEncrypt};
use cinder_rustcrypto::cipher05::Foreign;
use cinder_rustcrypto::cipher05::cipher::{self, block_padding::Pkcs7};
use cinder_rustcrypto::cipher05::cipher::{
    AlgorithmName, Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt,
    BlockModeEncrypt, Iv, IvSizeUser, Key, KeyInit, KeyIvInit, KeySizeUser, StreamCipher,
    array::ArraySize,
};
use cinder_rustcrypto::{self as ours, Cipher};
use std::fmt;
use {aes09 as aes, chacha20_10 as chacha20, ctr010 as ctr, ofb07 as ofb};

mod keystreams;

/// Lengths in blocks: none, one, around what is handed over at a time, and beyond wide kernels.
const COUNTS: &[usize] = &[0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 67, 130];

/// Lengths in bytes, cut at any place.
const LENGTHS: &[usize] = &[0, 1, 15, 16, 17, 100, 127, 128, 129, 300, 1000, 4113];

fn bytes(len: usize, seed: u8) -> Vec<u8> {
    (0..len).map(|i| (i as u8).wrapping_mul(31).wrapping_add((i >> 8) as u8) ^ seed).collect()
}

fn key<T: KeySizeUser>() -> Key<T> {
    Array::from_fn(|i| (i as u8).wrapping_mul(37) ^ 0x5a)
}

/// An IV of which the last four bytes soon wrap, and with it the last eight and all sixteen.
fn iv<T: IvSizeUser>() -> Iv<T> {
    let len = T::iv_size();
    Array::from_fn(|i| if i == len - 1 { 0xfb } else { 0xff })
}

fn name<T: AlgorithmName>() -> String {
    struct Name<T>(std::marker::PhantomData<T>);
    impl<T: AlgorithmName> fmt::Display for Name<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            T::write_alg_name(f)
        }
    }
    Name::<T>(std::marker::PhantomData).to_string()
}

/// In place, from buffer to buffer, a block and any count of them, through the closure and past it:
/// all as Cinder's own.
fn cipher<C, const N: usize>()
where
    C: Cipher<N> + KeyInit + BlockCipherEncrypt + BlockCipherDecrypt,
    C::Inner: BlockDecrypt<N>,
    C::BlockSize: ArraySize<ArrayType<u8> = [u8; N]>,
{
    let cipher = C::new(&key::<C>());
    assert!(C::new_from_slice(&key::<C>()).is_ok());
    assert!(C::new_from_slice(&[0; 129]).is_err());
    for &count in COUNTS {
        let text = bytes(count * N, 1);
        let (blocks, _) = Array::slice_as_chunks(&text);
        let mut expected = text.clone();
        let (chunks, _) = expected.as_chunks_mut();
        cinder_burn::burn(cipher.shared().encrypt_blocks(chunks));

        let mut data = blocks.to_vec();
        cipher.encrypt_blocks(&mut data);
        assert_eq!(Array::slice_as_flattened(&data), expected);
        cipher.decrypt_blocks(&mut data);
        assert_eq!(data, blocks);

        let mut other = vec![Array::default(); count];
        cipher.encrypt_blocks_b2b(blocks, &mut other).unwrap();
        assert_eq!(Array::slice_as_flattened(&other), expected);
        cipher.decrypt_blocks_b2b(&other, &mut data).unwrap();
        assert_eq!(data, blocks);

        for (block, expected) in data.iter_mut().zip(&other) {
            cipher.encrypt_block(block);
            assert_eq!(block, expected);
            let mut plain = Array::default();
            cipher.decrypt_block_b2b(block, &mut plain);
            cipher.decrypt_block(block);
            assert_eq!(*block, plain);
        }
        assert_eq!(data, blocks);

        // `&C` has the provided methods, which go through the closure.
        let by_closure = &cipher;
        BlockCipherEncrypt::encrypt_blocks(&by_closure, &mut data);
        assert_eq!(data, other);
        BlockCipherDecrypt::decrypt_blocks(&by_closure, &mut data);
        assert_eq!(data, blocks);
    }
}

#[test]
fn every_cipher_agrees_with_cinder() {
    cipher::<ours::Aes128, 16>();
    cipher::<ours::Aes192, 16>();
    cipher::<ours::Aes256, 16>();
    cipher::<ours::Blowfish, 8>();
    cipher::<ours::Camellia128, 16>();
    cipher::<ours::Camellia192, 16>();
    cipher::<ours::Camellia256, 16>();
    cipher::<ours::Cast5, 8>();
    cipher::<ours::Des, 8>();
    cipher::<ours::TdesEde2, 8>();
    cipher::<ours::TdesEde3, 8>();
    cipher::<ours::Idea, 8>();
    cipher::<ours::Rc2, 8>();
    cipher::<ours::Aria128, 16>();
    cipher::<ours::Aria256, 16>();
    cipher::<ours::Seed, 16>();
    cipher::<ours::Serpent, 16>();
    cipher::<ours::Twofish, 16>();
}

#[test]
fn keys_are_of_rustcryptos_lengths() {
    fn takes<C: KeyInit>() -> Vec<usize> {
        (0..=130).filter(|&len| C::new_from_slice(&vec![0x5a; len]).is_ok()).collect()
    }
    assert_eq!(takes::<ours::Aes256>(), [32]);
    assert_eq!(takes::<ours::Camellia192>(), [24]);
    assert_eq!(takes::<ours::TdesEde2>(), [16]);
    assert_eq!(takes::<ours::TdesEde3>(), [24]);
    assert_eq!(takes::<ours::Twofish>(), [16, 24, 32]);
    assert_eq!(takes::<ours::Serpent>(), (16..=32).collect::<Vec<_>>());
    assert_eq!(takes::<ours::Cast5>(), (5..=16).collect::<Vec<_>>());
    assert_eq!(takes::<ours::Blowfish>(), (4..=56).collect::<Vec<_>>());
    assert_eq!(takes::<ours::Rc2>(), (1..=128).collect::<Vec<_>>());
}

#[test]
fn weak_keys_are_refused_only_where_asked_for() {
    assert!(ours::Des::new_from_slice(&[1; 8]).is_ok());
    assert!(ours::Des::new_strict(&[1; 8]).is_err());
    assert!(ours::TdesEde3::new_from_slice(&[0; 24]).is_ok());
    assert!(ours::TdesEde3::new_strict(&[0; 24]).is_err());
    assert!(ours::Aes128::new_strict(&[0; 16]).is_ok());
}

#[test]
fn aes_agrees_with_aes() {
    fn check<O, T, E>()
    where
        O: KeyInit + BlockCipherEncrypt<BlockSize = T::BlockSize> + BlockCipherDecrypt,
        E: KeyInit + BlockCipherEncrypt<BlockSize = T::BlockSize>,
        T: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt,
    {
        let (ours, theirs) = (O::new_from_slice(&key::<T>()), T::new(&key::<T>()));
        let forward = E::new_from_slice(&key::<T>()).unwrap();
        let ours = ours.unwrap();
        for &count in COUNTS {
            let text = bytes(16 * count, 2);
            let mut expected = Array::slice_as_chunks(&text).0.to_vec();
            let (mut data, mut other) = (expected.clone(), expected.clone());
            theirs.encrypt_blocks(&mut expected);
            ours.encrypt_blocks(&mut data);
            forward.encrypt_blocks(&mut other);
            assert_eq!((&data, &other), (&expected, &expected));
            theirs.decrypt_blocks(&mut expected);
            ours.decrypt_blocks(&mut data);
            assert_eq!(data, expected);
        }
    }
    check::<ours::Aes128, aes::Aes128, ours::Aes128Enc>();
    check::<ours::Aes192, aes::Aes192, ours::Aes192Enc>();
    check::<ours::Aes256, aes::Aes256, ours::Aes256Enc>();
}

#[test]
fn what_is_left_of_a_keystream_is_known() {
    let mut ctr = ours::Ctr::<ours::Aes128, 16, 1>::new(&[1; 16].into(), &[0; 16].into());
    assert!(ctr.check_remaining(4096).is_ok() && ctr.check_remaining(4097).is_err());
    ctr.try_write_keystream(&mut [0; 4096]).unwrap();
    assert!(ctr.check_remaining(1).is_err());
}

/// Modes in whole blocks: theirs over their cipher, theirs over ours, and ours, in pieces.
fn block_modes<EA, DA, EB, DB, E, D>()
where
    EA: KeyIvInit + BlockModeEncrypt,
    DA: KeyIvInit + BlockModeDecrypt<BlockSize = EA::BlockSize>,
    EB: KeyIvInit + BlockModeEncrypt<BlockSize = EA::BlockSize>,
    DB: KeyIvInit + BlockModeDecrypt<BlockSize = EA::BlockSize>,
    E: KeyIvInit + BlockModeEncrypt<BlockSize = EA::BlockSize>,
    D: KeyIvInit + BlockModeDecrypt<BlockSize = EA::BlockSize>,
{
    let (key, iv) = (key::<EA>(), iv::<EA>());
    for &count in COUNTS {
        let text = bytes(count * EA::block_size(), 6);
        let text = Array::slice_as_chunks(&text).0;
        let mut expected = text.to_vec();
        EA::new(&key, &iv).encrypt_blocks(&mut expected);
        for cut in [0, 1, count / 2, count].map(|cut| cut.min(count)) {
            let (mut b, mut ours) = (text.to_vec(), text.to_vec());
            let mut mode = EB::new_from_slices(&key, &iv).unwrap();
            mode.encrypt_blocks(&mut b[..cut]);
            mode.encrypt_blocks_b2b(&text[cut..], &mut b[cut..]).unwrap();
            let mut mode = E::new_from_slices(&key, &iv).unwrap();
            mode.encrypt_blocks(&mut ours[..cut]);
            mode.encrypt_blocks_b2b(&text[cut..], &mut ours[cut..]).unwrap();
            assert_eq!((&b, &ours), (&expected, &expected));

            let mut mode = DB::new_from_slices(&key, &iv).unwrap();
            mode.decrypt_blocks(&mut b[..cut]);
            mode.decrypt_blocks_b2b(&expected[cut..], &mut b[cut..]).unwrap();
            let mut mode = D::new_from_slices(&key, &iv).unwrap();
            for block in &mut ours[..cut] {
                mode.decrypt_block(block);
            }
            mode.decrypt_blocks_b2b(&expected[cut..], &mut ours[cut..]).unwrap();
            assert_eq!((&b[..], &ours[..]), (text, text));
        }
        let mut back = expected.clone();
        DA::new_from_slices(&key, &iv).unwrap().decrypt_blocks(&mut back);
        assert_eq!(back, text);
    }
    for len in [0, 1, 15, 16, 17, 100] {
        let text = bytes(len, 7);
        let padded = EA::new(&key, &iv).encrypt_padded_vec::<Pkcs7>(&text);
        let ours = E::new_from_slices(&key, &iv).unwrap();
        assert_eq!(ours.encrypt_padded_vec::<Pkcs7>(&text), padded);
        let ours = D::new_from_slices(&key, &iv).unwrap();
        assert_eq!(ours.decrypt_padded_vec::<Pkcs7>(&padded).unwrap(), text);
        let mut bad = padded;
        let last = bad.len() - 1;
        bad.truncate(last);
        let ours = D::new_from_slices(&key, &iv).unwrap();
        assert!(ours.decrypt_padded_vec::<Pkcs7>(&bad).is_err());
    }
}

#[test]
fn cbc_agrees() {
    use cbc02::{Decryptor, Encryptor};
    use ours::cbc;
    block_modes::<
        Encryptor<aes::Aes128>,
        Decryptor<aes::Aes128>,
        Encryptor<ours::Aes128>,
        Decryptor<ours::Aes128>,
        cbc::Encryptor<ours::Aes128>,
        cbc::Decryptor<ours::Aes128>,
    >();
    block_modes::<
        Encryptor<ours::TdesEde3>,
        Decryptor<ours::TdesEde3>,
        Encryptor<ours::TdesEde3>,
        Decryptor<ours::TdesEde3>,
        cbc::Encryptor<ours::TdesEde3, 8>,
        cbc::Decryptor<ours::TdesEde3, 8>,
    >();
}

#[test]
fn cfb_agrees() {
    use cfb_mode09::{BufDecryptor, BufEncryptor, Decryptor, Encryptor};
    use ours::cfb;
    block_modes::<
        Encryptor<aes::Aes256>,
        Decryptor<aes::Aes256>,
        Encryptor<ours::Aes256>,
        Decryptor<ours::Aes256>,
        cfb::Encryptor<ours::Aes256>,
        cfb::Decryptor<ours::Aes256>,
    >();
    let (key, iv) = ([5; 32].into(), [6; 16].into());
    for &len in LENGTHS {
        let text = bytes(len, 8);
        let (mut a, mut b, mut c) = (text.clone(), text.clone(), text.clone());
        Encryptor::<aes::Aes256>::new(&key, &iv).encrypt(&mut a);
        BufEncryptor::<ours::Aes256>::new(&key, &iv).encrypt(&mut b);
        cfb::Encryptor::<ours::Aes256>::new(&key, &iv).encrypt(&mut c);
        assert!(a == b && a == c, "{len}");
        BufDecryptor::<ours::Aes256>::new(&key, &iv).decrypt(&mut b);
        cfb::Decryptor::<ours::Aes256>::new(&key, &iv).decrypt(&mut c);
        assert!(b == text && c == text, "{len}");
    }
}

#[test]
fn cmac_agrees() {
    use cmac08::{Cmac, Mac};
    for &len in LENGTHS {
        let text = bytes(len, 9);
        let theirs = Cmac::<aes::Aes128>::new(&[1; 16].into()).chain_update(&text);
        let ours = Cmac::<ours::Aes128>::new(&[1; 16].into()).chain_update(&text);
        assert_eq!(ours.clone().finalize().into_bytes(), theirs.finalize().into_bytes());
        assert!(ours.verify_slice(&[0; 16]).is_err());
    }
}

#[test]
fn xts_agrees() {
    use xts_mode06::{Xts128, get_tweak_default};
    let theirs = Xts128::new(aes::Aes128::new(&[1; 16].into()), aes::Aes128::new(&[2; 16].into()));
    let ours = Xts128::new(ours::Aes128::new(&[1; 16].into()), ours::Aes128::new(&[2; 16].into()));
    for len in [16, 17, 31, 512, 600, 4096] {
        let text = bytes(len, 10);
        let (mut a, mut b) = (text.clone(), text.clone());
        theirs.encrypt_area(&mut a, 512, 3, get_tweak_default);
        ours.encrypt_area(&mut b, 512, 3, get_tweak_default);
        assert_eq!(a, b);
        ours.decrypt_area(&mut b, 512, 3, get_tweak_default);
        assert_eq!(b, text);
    }
}

#[test]
fn names_are_rustcryptos() {
    assert_eq!(name::<ours::Aes128>(), name::<aes::Aes128>());
    assert_eq!(
        name::<ours::Ctr128BE<ours::Aes128>>(),
        name::<ctr::CtrCore<aes::Aes128, ctr::flavors::Ctr128BE>>()
    );
    assert_eq!(
        name::<ours::cbc::Encryptor<ours::Aes256>>(),
        name::<cbc02::Encryptor<aes::Aes256>>()
    );
}

#[test]
fn a_foreign_cipher_under_our_modes_agrees() {
    let foreign = Foreign::new(aes::Aes128::new(&[1; 16].into()), 16 * 1024);
    let ours = ours::Aes128::new(&[1; 16].into());
    for &len in LENGTHS {
        let text = bytes(len, 11);
        let (mut a, mut b) = (text.clone(), text.clone());
        cinder_modes::ctr::Ctr::new(&foreign, &[0xff; 16]).apply_keystream(&mut a).unwrap();
        cinder_modes::ctr::Ctr::new(ours.cinder(), &[0xff; 16]).apply_keystream(&mut b).unwrap();
        assert!(a == b, "{len}");
        let len = len & !15;
        let mut decryptor = cinder_modes::cbc::Decryptor::new(&foreign, &[7; 16]);
        decryptor.decrypt(&mut a[..len]).unwrap();
        let mut decryptor = cinder_modes::cbc::Decryptor::new(ours.cinder(), &[7; 16]);
        decryptor.decrypt(&mut b[..len]).unwrap();
        assert!(a == b, "{len}");
    }
}

#[test]
fn a_clone_outlives_what_it_was_cloned_from() {
    let aes = ours::Aes128::new(&[1; 16].into());
    let clone = aes.clone();
    let (mut a, mut b) = (Array::from([0; 16]), Array::from([0; 16]));
    aes.encrypt_block(&mut a);
    drop(aes);
    clone.encrypt_block(&mut b);
    assert_eq!(a, b);
}
