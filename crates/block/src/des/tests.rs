//! What the parts of DES are by their nature, and how the kernels agree.

extern crate std;

use super::tables::{E, FP, IP, P, PC1, PC2, S, SHIFTS};
use super::*;
use crate::{BlockDecrypt, BlockEncrypt};
use crate::{Slot, laws};
use proptest::prelude::*;
use std::vec::Vec;

fn des(key: u64) -> Des {
    Des::new_allow_weak(&key.to_be_bytes()).unwrap()
}

fn encrypt(cipher: &impl BlockEncrypt<8>, block: u64) -> u64 {
    let mut block = block.to_be_bytes();
    cinder_burn::burn(cipher.encrypt_block(&mut block));
    u64::from_be_bytes(block)
}

fn decrypt(cipher: &impl BlockDecrypt<8>, block: u64) -> u64 {
    let mut block = block.to_be_bytes();
    cinder_burn::burn(cipher.decrypt_block(&mut block));
    u64::from_be_bytes(block)
}

/// FIPS 46-3 to the letter, on bits in the standard's order, the first first.
fn by_the_letter(key: u64, block: u64) -> u64 {
    let bits = |word: u64| (0..64).map(|i| word >> (63 - i) & 1 == 1).collect::<Vec<_>>();
    let select = |from: &[bool], table: &[u8]| {
        table.iter().map(|&bit| from[usize::from(bit) - 1]).collect::<Vec<_>>()
    };
    let xor = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| a ^ b).collect::<Vec<_>>();
    let number = |bits: &[bool]| bits.iter().fold(0, |n, &bit| n << 1 | u64::from(bit));

    let mut cd = select(&bits(key), &PC1);
    let block = select(&bits(block), &IP);
    let (mut l, mut r) = (block[..32].to_vec(), block[32..].to_vec());
    for shift in SHIFTS {
        cd[..28].rotate_left(shift as usize);
        cd[28..].rotate_left(shift as usize);
        let b = xor(&select(&r, &E), &select(&cd, &PC2));
        let mut output = Vec::new();
        for (i, b) in b.chunks(6).enumerate() {
            let (row, column) = (number(&[b[0], b[5]]), number(&b[1..5]));
            let entry = S[i][16 * row as usize + column as usize];
            output.extend((0..4).map(|bit| entry >> (3 - bit) & 1 == 1));
        }
        (l, r) = (r.clone(), xor(&l, &select(&output, &P)));
    }
    r.extend(l);
    number(&select(&r, &FP))
}

#[test]
fn rows_of_the_s_boxes_are_permutations() {
    for (i, s) in S.iter().enumerate() {
        for row in s.as_chunks::<16>().0 {
            let mut seen = [false; 16];
            for entry in row {
                assert!(!core::mem::replace(&mut seen[usize::from(*entry)], true), "S{}", i + 1);
            }
        }
        // What its designers asked of each: inputs that differ in one bit, or in the two middle
        // bits, give outputs that differ in two bits at least. A row with two entries exchanged
        // is still a permutation but fails here.
        let at = |x: usize| s[16 * (x >> 4 & 2 | x & 1) + (x >> 1 & 15)];
        for x in 0..64 {
            for difference in [1, 2, 4, 8, 16, 32, 0b001100] {
                let change = at(x) ^ at(x ^ difference);
                assert!(change.count_ones() >= 2, "S{} {x} {difference}", i + 1);
            }
        }
    }
}

#[test]
fn networks_are_the_s_boxes() {
    fn check(i: usize, network: impl Fn(&[u64; 6]) -> [u64; 4]) {
        // Bit x of input b is that bit of x.
        let input =
            array::from_fn(|b| (0..64).fold(0, |map, x: u64| map | (x >> (5 - b) & 1) << x));
        let output = network(&input);
        for x in 0..64 {
            let entry = output.iter().fold(0, |entry, map| entry << 1 | (map >> x & 1) as u8);
            assert_eq!(entry, S[i][16 * (x >> 4 & 2 | x & 1) + (x >> 1 & 15)], "S{} {x}", i + 1);
        }
    }
    check(0, networks::s1);
    check(1, networks::s2);
    check(2, networks::s3);
    check(3, networks::s4);
    check(4, networks::s5);
    check(5, networks::s6);
    check(6, networks::s7);
    check(7, networks::s8);
}

#[test]
fn tables_are_what_they_are() {
    let mut sorted = IP;
    sorted.sort_unstable();
    assert_eq!(sorted, array::from_fn(|i| i as u8 + 1));
    for i in 0..64 {
        assert_eq!(usize::from(FP[usize::from(IP[i]) - 1]), i + 1, "FP inverts IP");
    }
    // IP: a row of each table is a column of the block from the bottom up, the even ones first.
    for (i, bit) in IP.iter().enumerate() {
        let (row, column) = (i / 8, i % 8);
        let from = if row < 4 { 2 * row + 2 } else { 2 * row - 7 };
        assert_eq!(usize::from(*bit), 8 * (7 - column) + from);
    }
    let mut sorted = P;
    sorted.sort_unstable();
    assert_eq!(sorted, array::from_fn(|i| i as u8 + 1));
    // No two outputs of one S-box go to the same S-box's middle, and none to the same box twice.
    for (i, bits) in P_INVERSE_BY_BOX.iter().enumerate() {
        for (at, bit) in bits.iter().enumerate() {
            assert!(bits[..at].iter().all(|other| other / 4 != bit / 4), "S{}", i + 1);
        }
    }
    // E: groups of four bits, with the neighbours on both sides.
    for (i, bit) in E.iter().enumerate() {
        assert_eq!(usize::from(*bit), (4 * (i / 6) + i % 6 + 31) % 32 + 1);
    }
    // PC-1 takes every bit but those of parity, PC-2 24 of 28 bits of each half.
    let mut sorted = PC1;
    sorted.sort_unstable();
    assert_eq!(sorted, array::from_fn(|i| (i / 7 * 8 + i % 7) as u8 + 1));
    let mut sorted = PC2;
    sorted.sort_unstable();
    assert!(sorted.is_sorted_by(|a, b| a < b));
    assert!(PC2[..24].iter().all(|bit| (1..=28).contains(bit)));
    assert!(PC2[24..].iter().all(|bit| (29..=56).contains(bit)));
    // After sixteen rounds C and D are where they began.
    assert_eq!(SHIFTS.iter().sum::<u32>(), 28);
}

/// Where P puts the four output bits of each S-box.
const P_INVERSE_BY_BOX: [[usize; 4]; 8] = {
    let mut boxes = [[0; 4]; 8];
    let mut i = 0;
    while i < 32 {
        boxes[i / 4][i % 4] = tables::P_INVERSE[i];
        i += 1;
    }
    boxes
};

/// Key, plaintext and ciphertext of the certification tests of SP 500-20: at least one for each
/// entry of each S-box in all of them together, which is the last table there.
#[test]
fn published_vectors() {
    for (key, plaintext, ciphertext) in [
        (0x1334_5779_9bbc_dff1, 0x0123_4567_89ab_cdef, 0x85e8_1354_0f0a_b405),
        (0x7ca1_1045_4a1a_6e57, 0x01a1_d6d0_3977_6742, 0x690f_5b0d_9a26_939b),
        (0x0131_d961_9dc1_376e, 0x5cd5_4ca8_3def_57da, 0x7a38_9d10_354b_d271),
        (0x07a1_133e_4a0b_2686, 0x0248_d438_06f6_7172, 0x868e_bb51_cab4_599a),
        (0x3849_674c_2602_319e, 0x5145_4b58_2ddf_440a, 0x7178_876e_01f1_9b2a),
        (0x04b9_15ba_43fe_b5b6, 0x42fd_4430_5957_7fa2, 0xaf37_fb42_1f8c_4095),
        (0x0113_b970_fd34_f2ce, 0x059b_5e08_51cf_143a, 0x86a5_60f1_0ec6_d85b),
        (0x0170_f175_468f_b5e6, 0x0756_d8e0_7747_61d2, 0x0cd3_da02_0021_dc09),
        (0x4329_7fad_38e3_73fe, 0x7625_14b8_29bf_486a, 0xea67_6b2c_b7db_2b7a),
        (0x07a7_1370_45da_2a16, 0x3bdd_1190_4937_2802, 0xdfd6_4a81_5caf_1a0f),
        (0x0468_9104_c2fd_3b2f, 0x2695_5f68_35af_609a, 0x5c51_3c9c_4886_c088),
        (0x37d0_6bb5_16cb_7546, 0x164d_5e40_4f27_5232, 0x0a2a_eeae_3ff4_ab77),
        (0x1f08_260d_1ac2_465e, 0x6b05_6e18_759f_5cca, 0xef1b_f03e_5dfa_575a),
        (0x5840_2364_1aba_6176, 0x004b_d6ef_0917_6062, 0x88bf_0db6_d70d_ee56),
        (0x0258_1616_4629_b007, 0x480d_3900_6ee7_62f2, 0xa1f9_9155_4102_0b56),
        (0x4979_3ebc_79b3_258f, 0x4375_40c8_698f_3cfa, 0x6fbf_1caf_cffd_0556),
        (0x4fb0_5e15_15ab_73a7, 0x072d_43a0_7707_5292, 0x2f22_e49b_ab7c_a1ac),
        (0x49e9_5d6d_4ca2_29bf, 0x02fe_5577_8117_f12a, 0x5a6b_612c_c26c_ce4a),
        (0x0183_10dc_409b_26d6, 0x1d9d_5c50_18f7_28c2, 0x5f4c_038e_d12b_2e41),
        (0x1c58_7f1c_1392_4fef, 0x3055_3228_6d6f_295a, 0x63fa_c0d0_34d9_f793),
    ] {
        assert_eq!(by_the_letter(key, plaintext), ciphertext);
        for kernel in Kernel::available() {
            let mut slot = Slot::<Des>::empty();
            let des =
                slot.init_with(|des| des.rekey_with_kernel(&key.to_be_bytes(), kernel)).unwrap();
            assert_eq!(des.kernel(), kernel);
            assert_eq!(encrypt(des, plaintext), ciphertext);
            assert_eq!(decrypt(des, ciphertext), plaintext);
        }
    }
}

/// R. Rivest, "Testing implementations of DES" (1985).
#[test]
fn rivest() {
    let mut x = 0x9474_b8e8_c73b_ca7d;
    for i in 0..16 {
        x = if i % 2 == 0 { encrypt(&des(x), x) } else { decrypt(&des(x), x) };
    }
    assert_eq!(x, 0x1b1a_2ddb_4c64_2438);
}

/// SP 800-67, Appendix B.1.
#[test]
fn sp_800_67() {
    let key = laws::hex("0123456789abcdef23456789abcdef01456789abcdef0123");
    for kernel in Kernel::available() {
        let mut tdes = crate::slot::vacant::<TripleDes>();
        cinder_burn::burn(tdes.rekey_with_kernel(&key, kernel).unwrap());
        let mut blocks = [*b"The qufc", *b"k brown ", *b"fox jump"];
        cinder_burn::burn(tdes.encrypt_blocks(&mut blocks));
        let expected = laws::hex("a826fd8ce53b855fcce21c8112256fe668d5c05dd9b6b900");
        assert_eq!(blocks.as_flattened(), expected);
        cinder_burn::burn(tdes.decrypt_blocks(&mut blocks));
        assert_eq!(blocks.as_flattened(), b"The qufck brown fox jump");
    }
}

#[test]
fn two_keys_are_three_with_the_first_again() {
    let key: [u8; 24] = array::from_fn(|i| (11 * (i % 16) + 3) as u8);
    let (two, three) = (TripleDes::new(&key[..16]).unwrap(), TripleDes::new(&key).unwrap());
    assert_eq!(two.schedule, three.schedule);
}

#[test]
fn one_key_three_times_is_des() {
    let key = [0x13, 0x34, 0x57, 0x79, 0x9b, 0xbc, 0xdf, 0xf1];
    let (des, tdes) = (Des::new(&key).unwrap(), TripleDes::new_allow_weak(&[key; 3].concat()));
    let tdes = tdes.unwrap();
    let mut blocks: Vec<[u8; 8]> = (0..200u64).map(|i| (i * i * i).to_be_bytes()).collect();
    let mut others = blocks.clone();
    cinder_burn::burn(des.encrypt_blocks(&mut blocks));
    cinder_burn::burn(tdes.encrypt_blocks(&mut others));
    assert_eq!(blocks, others);
}

/// These bit slices are the table kernel, for counts around every batch; all up to 300 where that
/// takes no minutes.
fn are_tables(slices: impl Fn(&[[RoundKey; 16]], bool, &mut [[u8; 8]]) -> Depth) {
    let key: [u8; 24] = array::from_fn(|i| (73 * i + 5) as u8);
    let (des, tdes) = (Des::new(&key[..8]).unwrap(), TripleDes::new(&key).unwrap());
    let edges = [0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300];
    for count in (0..=300).filter(|count| !cfg!(debug_assertions) || edges.contains(count)) {
        let blocks: Vec<[u8; 8]> =
            (1..=count).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()).collect();
        let (mut by_tables, mut by_slices) = (blocks.clone(), blocks.clone());
        cinder_burn::burn(tables::<1, false>(&des.schedule, &mut by_tables));
        cinder_burn::burn(slices(&des.schedule, false, &mut by_slices));
        assert_eq!(by_tables, by_slices, "{count}");
        cinder_burn::burn(slices(&des.schedule, true, &mut by_slices));
        assert_eq!(by_slices, blocks, "{count}");
        cinder_burn::burn(tables::<1, true>(&des.schedule, &mut by_tables));
        cinder_burn::burn(tables::<3, false>(&tdes.schedule, &mut by_tables));
        cinder_burn::burn(slices(&tdes.schedule, false, &mut by_slices));
        assert_eq!(by_tables, by_slices, "{count}");
        cinder_burn::burn(tables::<3, true>(&tdes.schedule, &mut by_tables));
        cinder_burn::burn(slices(&tdes.schedule, true, &mut by_slices));
        assert_eq!((&by_tables, &by_slices), (&blocks, &blocks), "{count}");
    }
}

#[test]
fn slices_of_each_kernel_are_tables() {
    for kernel in Kernel::available() {
        are_tables(|schedule, decrypt, blocks| kernel.slices(schedule, decrypt, blocks));
    }
}

#[test]
fn slices_of_64_bits_are_tables() {
    are_tables(bitsliced::crypt_baseline::<u64>);
}

#[test]
fn slices_of_32_bits_are_tables() {
    are_tables(bitsliced::crypt_baseline::<u32>);
}

#[test]
fn laws_of_a_block_cipher() {
    let key: [u8; 24] = array::from_fn(|i| (29 * i + 1) as u8);
    for kernel in Kernel::available() {
        let (mut des, mut tdes) =
            (crate::slot::vacant::<Des>(), crate::slot::vacant::<TripleDes>());
        cinder_burn::burn(des.rekey_with_kernel(&key[..8], kernel).unwrap());
        cinder_burn::burn(tdes.rekey_with_kernel(&key, kernel).unwrap());
        let blocks: Vec<[u8; 8]> =
            (0..300).map(|i| array::from_fn(|j| (i * 89 + j * 57) as u8)).collect();
        // Counts around the sets of the tables, the batch, and the scratch of the chained modes.
        for count in [0, 1, 3, 4, 5, 39, 40, 64, 65, 128, 129, 256, 257, 300] {
            if cfg!(debug_assertions) && kernel.is_constant_time() && count > 5 {
                // One block at a time, each a batch: minutes without optimisation.
                continue;
            }
            let iv = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xf0];
            laws::check(&des, iv, &blocks[..count]);
            laws::check(&tdes, iv, &blocks[..count]);
        }
    }
}

#[test]
fn keys_of_other_lengths_are_refused() {
    laws::key_lengths::<Des>(|length| length == 8);
    laws::key_lengths::<TripleDes>(|length| length == 16 || length == 24);
    for length in (0..40).filter(|&length| length != 8) {
        assert_eq!(Des::new_allow_weak(&[1; 40][..length]).err(), Some(KeyError::Length));
    }
    for length in (0..40).filter(|&length| length != 16 && length != 24) {
        assert_eq!(TripleDes::new_allow_weak(&[1; 40][..length]).err(), Some(KeyError::Length));
    }
}

#[test]
fn lists_of_weak_keys_are_what_they_say() {
    let count = |keys: &Des| {
        let mut keys = keys.schedule[0].to_vec();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    };
    let with_parity = |key: &u64| key.to_be_bytes().iter().all(|byte| byte.count_ones() % 2 == 1);
    for (list, class, round_keys) in [
        (&weak::WEAK[..], Class::Weak, 1),
        (&weak::SEMI_WEAK, Class::SemiWeak, 2),
        (&weak::POSSIBLY_WEAK, Class::PossiblyWeak, 4),
    ] {
        assert!(list.is_sorted_by(|a, b| a < b), "no entry twice");
        assert!(list.iter().all(with_parity));
        for &key in list {
            assert_eq!(count(&des(key)), round_keys, "{key:x}");
            for parity in [0, 0x0101_0101_0101_0101, 0x0001_0001_0100_0100] {
                let key = (key ^ parity).to_be_bytes();
                assert_eq!(classify(&key), class);
                let refused = class != Class::PossiblyWeak;
                assert_eq!(Des::new(&key).err(), refused.then_some(KeyError::Weak));
                assert!(Des::new_allow_weak(&key).is_ok());
                // Anywhere in a key of 3DES.
                for at in 0..3 {
                    let mut keys = [*b"one key,", *b"another,", *b"a third."];
                    keys[at] = key;
                    let result = TripleDes::new(&keys.concat()).err();
                    assert_eq!(result, refused.then_some(KeyError::Weak));
                    assert!(TripleDes::new_allow_weak(&keys.concat()).is_ok());
                }
            }
        }
    }
    for key in weak::WEAK {
        assert_eq!(encrypt(&des(key), encrypt(&des(key), 0x0123_4567)), 0x0123_4567);
    }
    for key in weak::SEMI_WEAK {
        let undoes =
            |other: &u64| encrypt(&des(*other), encrypt(&des(key), 0x0123_4567)) == 0x0123_4567;
        assert_eq!(weak::SEMI_WEAK.iter().filter(|other| undoes(other)).count(), 1);
    }
    assert_eq!(classify(b"ordinary"), Class::Ordinary);
}

#[test]
fn keys_of_3des_that_are_equal_are_weak() {
    let (a, b) = (*b"one key,", *b"another,");
    // The same but for parity.
    let c = a.map(|byte| byte ^ 1);
    for keys in [[a, a, b], [b, a, a], [a, c, b], [b, a, c], [a, a, a]] {
        assert_eq!(TripleDes::new(&keys.concat()).err(), Some(KeyError::Weak));
        assert!(TripleDes::new_allow_weak(&keys.concat()).is_ok());
    }
    assert_eq!(TripleDes::new(&[a, a].concat()).err(), Some(KeyError::Weak));
    assert!(TripleDes::new(&[a, b, a].concat()).is_ok());
    assert!(TripleDes::new(&[a, b].concat()).is_ok());
}

#[test]
fn refused_keys_leave_the_former_one() {
    let mut des = Des::new(b"ordinary").unwrap();
    let former = des.schedule;
    assert_eq!(des.rekey(&[0; 8]).unwrap_err().error, KeyError::Weak);
    assert_eq!(
        des.rekey_with_kernel(&[0; 8], Kernel::Bitsliced).unwrap_err().error,
        KeyError::Weak
    );
    assert_eq!(des.rekey_allow_weak(&[0; 9]).unwrap_err().error, KeyError::Length);
    assert_eq!((des.schedule, des.kernel()), (former, Kernel::best()));
    let mut tdes = TripleDes::new(b"0123456789abcdef").unwrap();
    let former = tdes.schedule;
    assert_eq!(tdes.rekey(&[0; 24]).unwrap_err().error, KeyError::Weak);
    assert_eq!(
        tdes.rekey_with_kernel(&[7; 24], Kernel::Bitsliced).unwrap_err().error,
        KeyError::Weak
    );
    assert_eq!(tdes.rekey_allow_weak(&[0; 8]).unwrap_err().error, KeyError::Length);
    assert_eq!((tdes.schedule, tdes.kernel()), (former, Kernel::best()));
}

#[test]
fn kernels_say_what_they_are() {
    assert_eq!(Kernel::available().next(), Some(Kernel::best()));
    let constant_time = Kernel::available().find(|kernel| kernel.is_constant_time());
    assert_eq!(constant_time, Some(Kernel::constant_time()));
    for kernel in Kernel::available() {
        assert_eq!(kernel.is_constant_time(), kernel.name().starts_with("bitsliced"));
        assert_ne!(kernel.is_constant_time(), kernel.name().starts_with("vartime"));
    }
}

#[test]
fn frames_are_small() {
    let limit = |bytes: usize| if cfg!(debug_assertions) { 65536 } else { bytes };
    let key: [u8; 24] = array::from_fn(|i| (29 * i + 1) as u8);
    for kernel in Kernel::available() {
        let mut tdes = crate::slot::vacant::<TripleDes>();
        let depth = tdes.rekey_with_kernel(&key, kernel).unwrap();
        assert!(depth.bytes() <= limit(1024), "setup {}", depth.bytes());
        let mut blocks = [[0; 8]; WIDEST];
        let depth = tdes.encrypt_blocks(&mut blocks);
        assert!(depth.bytes() <= limit(6144), "{kernel}: a batch {}", depth.bytes());
        if !kernel.is_constant_time() {
            let depth = tdes.encrypt_block(&mut blocks[0]);
            assert!(depth.bytes() <= limit(512), "one block {}", depth.bytes());
            let depth = tdes.encrypt_blocks(&mut blocks[..4]);
            assert!(depth.bytes() <= limit(512), "few blocks {}", depth.bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn is_the_standard(key: u64, block: u64) {
        let ciphertext = by_the_letter(key, block);
        prop_assert_eq!(encrypt(&des(key), block), ciphertext);
        prop_assert_eq!(decrypt(&des(key), ciphertext), block);
        // The complementation property.
        prop_assert_eq!(encrypt(&des(!key), !block), !ciphertext);
    }

    #[test]
    fn three_keys_are_encrypt_decrypt_encrypt(keys: [[u8; 8]; 3], block: u64) {
        let tdes = TripleDes::new_allow_weak(&keys.concat()).unwrap();
        let [k1, k2, k3] = keys.map(|key| des(u64::from_be_bytes(key)));
        let ciphertext = encrypt(&k3, decrypt(&k2, encrypt(&k1, block)));
        prop_assert_eq!(encrypt(&tdes, block), ciphertext);
        prop_assert_eq!(decrypt(&tdes, ciphertext), block);
    }
}
