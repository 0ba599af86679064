//! Every kernel that this CPU has, against FIPS 197 and against the portable one.

use super::*;
use crate::Slot;
use proptest::prelude::*;
extern crate std;
use std::vec::Vec;
use std::{format, println};

/// FIPS 197, Appendix A: a key, the first word of its schedule that is not the key's, the last.
pub(super) const APPENDIX_A: [(&[u8], u32, u32); 3] = [
    (&0x2b7e151628aed2a6abf7158809cf4f3cu128.to_be_bytes(), 0xa0fafe17, 0xb6630ca6),
    (
        &[
            0x8e, 0x73, 0xb0, 0xf7, 0xda, 0x0e, 0x64, 0x52, 0xc8, 0x10, 0xf3, 0x2b, 0x80, 0x90,
            0x79, 0xe5, 0x62, 0xf8, 0xea, 0xd2, 0x52, 0x2c, 0x6b, 0x7b,
        ],
        0xfe0c91f7,
        0x01002202,
    ),
    (
        &[
            0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d,
            0x77, 0x81, 0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3,
            0x09, 0x14, 0xdf, 0xf4,
        ],
        0x9ba35411,
        0x706c631e,
    ),
];

/// A cipher on a kernel of the test's choice.
fn keyed<const N: usize>(key: &[u8], kernel: Kernel) -> Aes<N> {
    let mut aes = crate::slot::vacant::<Aes<_>>();
    cinder_burn::burn(aes.rekey_with_kernel(key, kernel).unwrap());
    assert_eq!(aes.kernel(), kernel);
    aes
}

/// FIPS 197, Appendices B and C.
fn appendix_c<const N: usize>(ciphertext: u128, kernel: Kernel) {
    let key: [u8; 32] = core::array::from_fn(|i| i as u8);
    let aes = keyed::<N>(&key[..4 * N - 28], kernel);
    let plaintext = core::array::from_fn(|i| 0x11 * i as u8);
    let mut block = plaintext;
    cinder_burn::burn(aes.encrypt_block(&mut block));
    assert_eq!(u128::from_be_bytes(block), ciphertext, "{kernel}");
    cinder_burn::burn(aes.decrypt_block(&mut block));
    assert_eq!(block, plaintext, "{kernel}");
}

#[test]
fn fips_197_appendix_b_and_c() {
    for kernel in Kernel::available() {
        println!("{kernel}");
        let aes = keyed::<11>(APPENDIX_A[0].0, kernel);
        let mut block = 0x3243f6a8885a308d313198a2e0370734u128.to_be_bytes();
        cinder_burn::burn(aes.encrypt_block(&mut block));
        assert_eq!(u128::from_be_bytes(block), 0x3925841d02dc09fbdc118597196a0b32, "{kernel}");

        appendix_c::<11>(0x69c4e0d86a7b0430d8cdb78070b4c55a, kernel);
        appendix_c::<13>(0xdda97ca4864cdfe06eaf70a0ec0d7191, kernel);
        appendix_c::<15>(0x8ea2b7ca516745bfeafc49904b496089, kernel);
    }
}

#[test]
fn fips_197_appendix_a_in_hardware() {
    fn check<const N: usize>((key, first, last): (&[u8], u32, u32), kernel: Kernel) {
        let aes = keyed::<N>(key, kernel);
        if let Some(round_keys) = aes.aes_round_keys() {
            let words = round_keys.as_flattened().as_chunks::<4>().0;
            assert_eq!(words.len(), 4 * N);
            assert_eq!(words[..key.len() / 4].as_flattened(), key);
            assert_eq!(words[key.len() / 4], first.to_be_bytes(), "{kernel}");
            assert_eq!(words[4 * N - 1], last.to_be_bytes(), "{kernel}");
        } else {
            assert!(["portable", "NEON"].contains(&kernel.name()));
        }
    }
    for kernel in Kernel::available() {
        check::<11>(APPENDIX_A[0], kernel);
        check::<13>(APPENDIX_A[1], kernel);
        check::<15>(APPENDIX_A[2], kernel);
    }
}

type Method = fn(&dyn Both, &mut [u8; 16], &mut [[u8; 16]]) -> Depth;

trait Both: BlockEncrypt<16> + BlockDecrypt<16> {}
impl<C: BlockEncrypt<16> + BlockDecrypt<16>> Both for C {}

const METHODS: [(&str, Method); 10] = [
    ("encrypt_blocks", |aes, _, blocks| aes.encrypt_blocks(blocks)),
    ("decrypt_blocks", |aes, _, blocks| aes.decrypt_blocks(blocks)),
    ("encrypt_block", |aes, _, blocks| {
        blocks.iter_mut().map(|block| aes.encrypt_block(block)).fold(Depth::NONE, Depth::max)
    }),
    ("decrypt_block", |aes, _, blocks| {
        blocks.iter_mut().map(|block| aes.decrypt_block(block)).fold(Depth::NONE, Depth::max)
    }),
    ("ctr_xor", |aes, counter, blocks| aes.ctr_xor(counter, blocks)),
    ("cbc_encrypt", |aes, chain, blocks| aes.cbc_encrypt(chain, blocks)),
    ("cbc_decrypt", |aes, chain, blocks| aes.cbc_decrypt(chain, blocks)),
    ("cfb_encrypt", |aes, chain, blocks| aes.cfb_encrypt(chain, blocks)),
    ("cfb_decrypt", |aes, chain, blocks| aes.cfb_decrypt(chain, blocks)),
    ("ofb_xor", |aes, chain, blocks| aes.ofb_xor(chain, blocks)),
];

/// The same method on every kernel: same blocks, same chaining value or counter.
fn kernels_agree<const N: usize>(key: &[u8], register: &[u8; 16], blocks: &[[u8; 16]]) {
    let portable = keyed::<N>(key, Kernel::Portable);
    for (name, method) in METHODS {
        let mut expected = (*register, blocks.to_vec());
        cinder_burn::burn(method(&portable, &mut expected.0, &mut expected.1));
        for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::Portable) {
            let aes = keyed::<N>(key, kernel);
            let mut found = (*register, blocks.to_vec());
            cinder_burn::burn(method(&aes, &mut found.0, &mut found.1));
            assert_eq!(found, expected, "{name}, {kernel}, {} blocks", blocks.len());
        }
    }
}

/// Counts around every kernel's width and every sum of half widths; each block differs.
#[test]
fn every_count_of_blocks() {
    let key: [u8; 32] = core::array::from_fn(|i| (i * 7 + 5) as u8);
    let blocks: Vec<[u8; 16]> =
        (0..70u8).map(|j| core::array::from_fn(|i| j.wrapping_mul(31) ^ i as u8)).collect();
    for n in 0..=blocks.len() {
        // The counter wraps in the first batch, or in the middle of whatever comes.
        for before in [16, n as u32 / 2] {
            let low = u128::from(before.wrapping_neg());
            let register = (0xfedcba98_76543210_ffffffff_00000000 | low).to_be_bytes();
            kernels_agree::<11>(&key[..16], &register, &blocks[..n]);
        }
    }
    for n in [0, 1, 2, 3, 5, 8, 17, 33, 70] {
        kernels_agree::<13>(&key[..24], &[0x5a; 16], &blocks[..n]);
        kernels_agree::<15>(&key, &[0xa5; 16], &blocks[..n]);
    }
}

/// What a register holds after a call, stated without any kernel.
#[test]
fn registers_are_left_as_documented() {
    for kernel in Kernel::available() {
        let aes = keyed::<15>(&[9; 32], kernel);
        for n in 0..70u8 {
            let input: Vec<[u8; 16]> = (0..n).map(|j| [j; 16]).collect();
            let iv = [0xff; 16];
            let expect = |name: &str, (_, method): (&str, Method)| {
                let (mut register, mut blocks) = (iv, input.clone());
                cinder_burn::burn(method(&aes, &mut register, &mut blocks));
                let last = match name {
                    "plain" => input.last().copied(),
                    _ => blocks.last().copied(),
                };
                assert_eq!(register, last.unwrap_or(iv), "{kernel} {n}");
            };
            expect("cipher", METHODS[5]);
            expect("plain", METHODS[6]);
            expect("cipher", METHODS[7]);
            expect("plain", METHODS[8]);

            let mut counter = iv;
            cinder_burn::burn(aes.ctr_xor(&mut counter, &mut input.clone()));
            let after = u32::from(n).wrapping_sub(1).to_be_bytes();
            assert_eq!(counter[..12], iv[..12], "{kernel} {n}");
            assert_eq!(counter[12..], after, "{kernel} {n}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn kernels_agree_on_anything(
        key: [u8; 32],
        register: [u8; 16],
        blocks in proptest::collection::vec(any::<[u8; 16]>(), 0..=70),
    ) {
        kernels_agree::<11>(&key[..16], &register, &blocks);
        kernels_agree::<13>(&key[..24], &register, &blocks);
        kernels_agree::<15>(&key, &register, &blocks);
    }

    #[test]
    fn encryption_alone_is_the_same(key: [u8; 24], block: [u8; 16]) {
        for kernel in Kernel::available() {
            let both = keyed::<13>(&key, kernel);
            let mut alone = crate::slot::vacant::<Aes192Encrypt>();
            cinder_burn::burn(alone.rekey_with_kernel(&key, kernel).unwrap());
            let (mut a, mut b) = (block, block);
            cinder_burn::burn(both.encrypt_block(&mut a).max(alone.encrypt_block(&mut b)));
            prop_assert_eq!(a, b);
            cinder_burn::burn(both.decrypt_block(&mut a));
            prop_assert_eq!(a, block);
        }
    }
}

/// A fast kernel that is never chosen would pass every other test.
#[test]
fn hardware_is_used_where_it_is() {
    let aes = Aes128::new(&[0; 16]).unwrap();
    assert_eq!(aes.kernel(), Kernel::best());
    assert_eq!(Some(Kernel::best()), Kernel::available().next());
    assert_eq!(Kernel::available().last(), Some(Kernel::Portable));
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    let present = std::is_x86_feature_detected!("aes");
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    let present = std::arch::is_aarch64_feature_detected!("aes");
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    let present = cinder_cpu::arm::Aes::detect().is_some();
    #[cfg(not(any(
        target_arch = "x86",
        target_feature = "sse2",
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        all(
            target_arch = "arm",
            target_endian = "little",
            any(target_os = "linux", target_os = "android")
        )
    )))]
    let present = false;
    let is_bitsliced = ["portable", "NEON"].contains(&aes.kernel().name());
    assert_eq!(!is_bitsliced, present);
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    assert_eq!(aes.kernel() == Kernel::Portable, cinder_cpu::arm::Neon::detect().is_none());
    assert_eq!(aes.aes_round_keys().is_some(), present);
}

#[test]
fn a_key_of_another_length_changes_nothing() {
    let mut slot = Slot::<Aes192>::empty();
    for len in (0..=40).filter(|&len| len != 24) {
        assert_eq!(slot.init(&[1; 40][..len]).unwrap_err(), KeyError::Length);
        assert!(slot.cipher().is_none());
    }
    let mut aes = Aes192::new(&[1; 24]).unwrap();
    let encrypt = |aes: &Aes192| {
        let mut block = [0; 16];
        cinder_burn::burn(aes.encrypt_block(&mut block));
        block
    };
    let before = encrypt(&aes);
    assert_eq!(aes.rekey(&[2; 32]).unwrap_err().error, KeyError::Length);
    assert_eq!(encrypt(&aes), before);
    cinder_burn::burn(aes.rekey(&[2; 24]).unwrap());
    assert_ne!(encrypt(&aes), before);
    // A slot lets go of the former key.
    slot.init(&[1; 24]).unwrap();
    assert_eq!(slot.init(&[2; 32]).unwrap_err(), KeyError::Length);
    assert!(slot.cipher().is_none());
    assert_eq!(Aes128::new(&[0; 15]).unwrap_err(), KeyError::Length);
    assert_eq!(Aes256Encrypt::new(&[0; 16]).unwrap_err(), KeyError::Length);
}

#[test]
fn debug_prints_no_keys() {
    let key = [0x42; 16];
    let aes = Aes128::new(&key).unwrap();
    let alone = Aes128Encrypt::new(&key).unwrap();
    let text = format!("{aes:?} {alone:?}");
    assert!(text.contains("Aes { key_bits: 128"), "{text}");
    assert!(!text.contains("66") && !text.contains("42"), "{text}");
}

#[test]
fn sizes() {
    assert!(size_of::<Aes128Encrypt>() <= 11 * 16 + 16);
    assert!(size_of::<Aes256>() <= 2 * 15 * 16 + 16);
}
