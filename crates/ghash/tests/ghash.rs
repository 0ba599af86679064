//! Every kernel that this CPU has, against a naive model, against published values, and against
//! the laws of a field.

use cinder_ghash::{Ghash, GhashKey, Kernel, lengths};
use proptest::prelude::*;
use testkit::ghash::{multiply, update};

fn model(h: &[u8; 16], y: &[u8; 16], blocks: &[[u8; 16]]) -> [u8; 16] {
    update(h, *y, blocks)
}

fn key(h: &[u8; 16], kernel: Kernel) -> GhashKey {
    let mut key = GhashKey::vacant();
    cinder_burn::burn(key.rekey_with_kernel(h, kernel));
    assert_eq!(key.kernel(), kernel);
    key
}

fn ghash(h: &[u8; 16], kernel: Kernel, blocks: &[[u8; 16]]) -> [u8; 16] {
    let mut y = [0; 16];
    cinder_burn::burn(key(h, kernel).update_blocks(&mut y, blocks));
    y
}

/// Blocks that are all different, so that one taken for another shows.
fn pattern(count: usize) -> Vec<[u8; 16]> {
    (0..count).map(|i| core::array::from_fn(|j| (i * 31 + j * 7 + i * i) as u8)).collect()
}

/// x^0: the first bit of the first byte.
const ONE: [u8; 16] = [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// All lengths around every kernel's width, and several widths.
#[test]
fn every_kernel_equals_the_model() {
    let h = core::array::from_fn(|i| (i * 83 + 29) as u8);
    let blocks = pattern(140);
    for kernel in Kernel::available() {
        let key = key(&h, kernel);
        for count in 0..=140 {
            let mut y = [0x5a; 16];
            cinder_burn::burn(key.update_blocks(&mut y, &blocks[..count]));
            assert_eq!(y, model(&h, &[0x5a; 16], &blocks[..count]), "{kernel}, {count} blocks");
        }
    }
}

/// Every bit of H and every bit of X reaches the right place.
#[test]
fn every_bit() {
    for kernel in Kernel::available() {
        for i in 0..128 {
            let h = (1u128 << i).to_be_bytes();
            let key = key(&h, kernel);
            for j in 0..128 {
                let mut y = [0; 16];
                let x = (1u128 << j).to_be_bytes();
                cinder_burn::burn(key.update_blocks(&mut y, &[x]));
                assert_eq!(y, multiply(1 << i, 1 << j).to_be_bytes(), "{kernel} {i} {j}");
            }
        }
    }
}

#[test]
fn all_ones() {
    for kernel in Kernel::available() {
        let blocks = [[0xff; 16]; 40];
        assert_eq!(ghash(&[0xff; 16], kernel, &blocks), model(&[0xff; 16], &[0; 16], &blocks));
    }
}

#[test]
fn zero_and_one() {
    let blocks = pattern(37);
    let sum = blocks.iter().fold(0, |sum, x| sum ^ u128::from_be_bytes(*x)).to_be_bytes();
    for kernel in Kernel::available() {
        assert_eq!(ghash(&[0; 16], kernel, &blocks), [0; 16], "{kernel}: H = 0");
        assert_eq!(ghash(&ONE, kernel, &blocks), sum, "{kernel}: H = 1");
        assert_eq!(ghash(&[7; 16], kernel, &[]), [0; 16], "{kernel}: nothing");
    }
    let mut y = [3; 16];
    cinder_burn::burn(GhashKey::vacant().update_blocks(&mut y, &blocks));
    assert_eq!(y, [0; 16]);
}

proptest! {
    #[test]
    fn model_holds(
        h: [u8; 16],
        y: [u8; 16],
        blocks in prop::collection::vec(any::<[u8; 16]>(), 0..=70),
    ) {
        for kernel in Kernel::available() {
            let mut got = y;
            cinder_burn::burn(key(&h, kernel).update_blocks(&mut got, &blocks));
            prop_assert_eq!(got, model(&h, &y, &blocks), "{}", kernel);
        }
    }

    /// GHASH(A + B) = GHASH(A) + GHASH(B) for messages of one length.
    #[test]
    fn linear(
        h: [u8; 16],
        pairs in prop::collection::vec(any::<([u8; 16], [u8; 16])>(), 0..=40),
    ) {
        let xor = |a: &[u8; 16], b: &[u8; 16]| core::array::from_fn(|i| a[i] ^ b[i]);
        let (a, b): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let sum: Vec<_> = pairs.iter().map(|(a, b)| xor(a, b)).collect();
        for kernel in Kernel::available() {
            let hashes = xor(&ghash(&h, kernel, &a), &ghash(&h, kernel, &b));
            prop_assert_eq!(ghash(&h, kernel, &sum), hashes, "{}", kernel);
        }
    }

    #[test]
    fn any_cut_is_one_shot(
        h: [u8; 16],
        blocks in prop::collection::vec(any::<[u8; 16]>(), 0..=70),
        cut: prop::sample::Index,
    ) {
        let (first, second) = blocks.split_at(cut.index(blocks.len() + 1));
        for kernel in Kernel::available() {
            let key = key(&h, kernel);
            let mut hash = Ghash::new(&key);
            cinder_burn::burn(hash.update_blocks(first).max(hash.update_blocks(second)));
            let mut tag = [0; 16];
            hash.tag(&mut tag);
            prop_assert_eq!(tag, ghash(&h, kernel, &blocks), "{}", kernel);
        }
    }
}

#[test]
fn padding_is_zeros() {
    let data: Vec<u8> = (0..100).collect();
    for kernel in Kernel::available() {
        let key = key(&[0x3c; 16], kernel);
        for length in 0..=100 {
            let mut padded = data[..length].to_vec();
            padded.resize(length.next_multiple_of(16), 0);
            let mut hash = Ghash::new(&key);
            cinder_burn::burn(hash.update_padded(&data[..length]));
            let mut tag = [0; 16];
            hash.tag(&mut tag);
            assert_eq!(tag, ghash(&[0x3c; 16], kernel, padded.as_chunks().0), "{length}");
        }
    }
}

/// McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B: H and GHASH(H, A, C) of
/// test cases 1, 2 and 4.
#[test]
fn published_values() {
    let h1 = 0x66e94bd4ef8a2c3b884cfa59ca342b2e_u128.to_be_bytes();
    let h4 = 0xb83b533708bf535d0aa6e52980d53b78_u128.to_be_bytes();
    let c2 = 0x0388dace60b6a392f328c2b971b2fe78_u128.to_be_bytes();
    let aad: Vec<u8> = [0xfeed_face_u32, 0xdead_beef, 0xfeed_face, 0xdead_beef, 0xabad_dad2]
        .iter()
        .flat_map(|word| word.to_be_bytes())
        .collect();
    let c4: Vec<u8> = [
        0x42831ec2217774244b7221b784d0d49c_u128,
        0xe3aa212f2c02a4e035c17e2329aca12e,
        0x21d514b25466931c7d8f6a5aac84aa05,
        0x1ba30b396a0aac973d58e09100000000,
    ]
    .iter()
    .flat_map(|block| block.to_be_bytes())
    .take(60)
    .collect();
    let cases: [(_, &[u8], &[u8], u128); 3] = [
        (h1, &[], &[], 0),
        (h1, &[], &c2, 0xf38cbb1ad69223dcc3457ae5b6b0f885),
        (h4, &aad, &c4, 0x698e57f70e6ecc7fd9463b7260a9ae5f),
    ];
    for kernel in Kernel::available() {
        for (h, aad, ciphertext, expected) in cases {
            let key = key(&h, kernel);
            let mut hash = Ghash::new(&key);
            let depth = hash.update_padded(aad);
            let depth = depth.max(hash.update_padded(ciphertext));
            let bits = |data: &[u8]| 8 * data.len() as u64;
            cinder_burn::burn(depth.max(hash.update_lengths(bits(aad), bits(ciphertext))));
            let mut tag = [0; 16];
            hash.tag(&mut tag);
            assert_eq!(tag, expected.to_be_bytes(), "{kernel}");
        }
    }
}

#[test]
fn lengths_are_big_endian() {
    assert_eq!(lengths(1, 0x0203), [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 3]);
}

#[test]
fn the_default_is_the_best_and_constant_time() {
    assert_eq!(GhashKey::new(&[1; 16]).kernel(), Kernel::best());
    assert_ne!(Kernel::best(), Kernel::Table4Vartime);
    assert_eq!(Kernel::available().next(), Some(Kernel::best()));
    assert_eq!(Kernel::available().last(), Some(Kernel::Table4Vartime));
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    let hardware = cinder_cpu::x86::Clmul::detect().is_some();
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    let hardware = cinder_cpu::aarch64::Aes::detect().is_some();
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    let hardware = cinder_cpu::arm::Neon::detect().is_some();
    #[cfg(not(any(
        target_arch = "x86",
        target_feature = "sse2",
        all(
            target_arch = "arm",
            target_endian = "little",
            any(target_os = "linux", target_os = "android")
        ),
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
    )))]
    let hardware = false;
    let portable = Kernel::best().name().starts_with("portable");
    assert_eq!(portable, !hardware, "the hardware is there and not used, or the other way round");
}

/// A key expanded again is as one that is new, whatever kernel it had.
#[test]
fn rekey_replaces() {
    let blocks = pattern(33);
    let mut key = GhashKey::new(&[9; 16]);
    for kernel in Kernel::available().chain(Kernel::available()) {
        cinder_burn::burn(key.rekey_with_kernel(&[0x77; 16], kernel));
        let mut y = [0; 16];
        cinder_burn::burn(key.update_blocks(&mut y, &blocks));
        assert_eq!(y, model(&[0x77; 16], &[0; 16], &blocks), "{kernel}");
    }
}

#[test]
fn debug_shows_no_secret() {
    let key = GhashKey::new(&[0xab; 16]);
    let shown = format!("{key:?} {:?}", Ghash::new(&key));
    assert!(!shown.contains("171") && !shown.contains("ab, "), "{shown}");
}
