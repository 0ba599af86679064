//! GCM against published test cases, a naive model and the promises of its documentation.

use cinder_block::{Aes128, Aes192, Aes256, BlockEncrypt, Depth, InPlace, KeyError, Refusal, Slot};
use cinder_gcm::{Error, Gcm, Kernel, Opener, Sealer};
use proptest::prelude::*;
use testkit::ghash::multiply;
use testkit::hex::decode as hex;

/// Every kernel that this CPU has and that goes with the cipher; the default first.
fn every_kernel<C: BlockEncrypt<16> + InPlace>(key: &[u8], check: impl Fn(&Gcm<C>, &str)) {
    let mut slot = Slot::<Gcm<C>>::empty();
    check(slot.init(key).unwrap(), "default");
    every_kernel_of(slot.cipher_mut().unwrap(), check);
}

fn every_kernel_of<C: BlockEncrypt<16>>(gcm: &mut Gcm<C>, check: impl Fn(&Gcm<C>, &str)) {
    for kernel in Kernel::available() {
        let before = gcm.kernel();
        if let Some(depth) = gcm.use_kernel(kernel) {
            cinder_burn::burn(depth);
            assert_eq!(gcm.kernel(), kernel);
            check(gcm, &kernel.to_string());
        } else {
            assert!(!matches!(kernel, Kernel::TwoPass(_)));
            assert_eq!(gcm.kernel(), before);
        }
    }
}

/// The same key and kernel with tags of another length.
fn with_tag<C: BlockEncrypt<16>, const T: usize>(gcm: &Gcm<C>) -> Gcm<&C, T> {
    let mut other = Gcm::new(gcm.cipher());
    cinder_burn::burn(other.use_kernel(gcm.kernel()).unwrap());
    other
}

struct Case {
    key: &'static str,
    iv: &'static str,
    aad: &'static str,
    plaintext: &'static str,
    ciphertext: &'static str,
    tag: &'static str,
}

const PLAIN: &str = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
    1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255";
const PLAIN_60: &str = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
    1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
const AAD: &str = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
const LONG_IV: &str = "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728
    c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b";

/// McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B, test cases 1 to 18.
const CASES: &[Case] = &[
    Case {
        key: "00000000000000000000000000000000",
        iv: "000000000000000000000000",
        aad: "",
        plaintext: "",
        ciphertext: "",
        tag: "58e2fccefa7e3061367f1d57a4e7455a",
    },
    Case {
        key: "00000000000000000000000000000000",
        iv: "000000000000000000000000",
        aad: "",
        plaintext: "00000000000000000000000000000000",
        ciphertext: "0388dace60b6a392f328c2b971b2fe78",
        tag: "ab6e47d42cec13bdf53a67b21257bddf",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308",
        iv: "cafebabefacedbaddecaf888",
        aad: "",
        plaintext: PLAIN,
        ciphertext: "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
            21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985",
        tag: "4d5c2af327cd64a62cf35abd2ba6fab4",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308",
        iv: "cafebabefacedbaddecaf888",
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e
            21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
        tag: "5bc94fbc3221a5db94fae95ae7121a47",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308",
        iv: "cafebabefacedbad",
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423
            73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
        tag: "3612d2e79e3b0785561be14aaca2fccb",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308",
        iv: LONG_IV,
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7
            01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5",
        tag: "619cc5aefffe0bfa462af43c1699d050",
    },
    Case {
        key: "000000000000000000000000000000000000000000000000",
        iv: "000000000000000000000000",
        aad: "",
        plaintext: "",
        ciphertext: "",
        tag: "cd33b28ac773f74ba00ed1f312572435",
    },
    Case {
        key: "000000000000000000000000000000000000000000000000",
        iv: "000000000000000000000000",
        aad: "",
        plaintext: "00000000000000000000000000000000",
        ciphertext: "98e7247c07f0fe411c267e4384b0f600",
        tag: "2ff58d80033927ab8ef4d4587514f0fb",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308feffe9928665731c",
        iv: "cafebabefacedbaddecaf888",
        aad: "",
        plaintext: PLAIN,
        ciphertext: "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c
            7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710acade256",
        tag: "9924a7c8587336bfb118024db8674a14",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308feffe9928665731c",
        iv: "cafebabefacedbaddecaf888",
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c
            7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
        tag: "2519498e80f1478f37ba55bd6d27618c",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308feffe9928665731c",
        iv: "cafebabefacedbad",
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057
            fddc29df9a471f75c66541d4d4dad1c9e93a19a58e8b473fa0f062f7",
        tag: "65dcc57fcf623a24094fcca40d3533f8",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308feffe9928665731c",
        iv: LONG_IV,
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "d27e88681ce3243c4830165a8fdcf9ff1de9a1d8e6b447ef6ef7b79828666e45
            81e79012af34ddd9e2f037589b292db3e67c036745fa22e7e9b7373b",
        tag: "dcf566ff291c25bbb8568fc3d376a6d9",
    },
    Case {
        key: "0000000000000000000000000000000000000000000000000000000000000000",
        iv: "000000000000000000000000",
        aad: "",
        plaintext: "",
        ciphertext: "",
        tag: "530f8afbc74536b9a963b4f1c4cb738b",
    },
    Case {
        key: "0000000000000000000000000000000000000000000000000000000000000000",
        iv: "000000000000000000000000",
        aad: "",
        plaintext: "00000000000000000000000000000000",
        ciphertext: "cea7403d4d606b6e074ec5d3baf39d18",
        tag: "d0d1c8a799996bf0265b98b5d48ab919",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        iv: "cafebabefacedbaddecaf888",
        aad: "",
        plaintext: PLAIN,
        ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
            8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad",
        tag: "b094dac5d93471bdec1a502270e3cc6c",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        iv: "cafebabefacedbaddecaf888",
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
            8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
        tag: "76fc6ece0f4e1768cddf8853bb2d551b",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        iv: "cafebabefacedbad",
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0
            feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
        tag: "3a337dbf46a792c45e454913fe2ea8f2",
    },
    Case {
        key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
        iv: LONG_IV,
        aad: AAD,
        plaintext: PLAIN_60,
        ciphertext: "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf4
            0fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f",
        tag: "a44a8266ee1c8eb0c8b5d4cf5ae9f19a",
    },
];

#[test]
fn published_cases() {
    assert_eq!(CASES.len(), 18);
    for (number, case) in (1..).zip(CASES) {
        match hex(case.key).len() {
            16 => published_case::<Aes128>(number, case),
            24 => published_case::<Aes192>(number, case),
            _ => published_case::<Aes256>(number, case),
        }
    }
}

fn published_case<C: BlockEncrypt<16> + InPlace>(number: usize, case: &Case) {
    let [iv, aad, plaintext] = [hex(case.iv), hex(case.aad), hex(case.plaintext)];
    let [ciphertext, tag] = [hex(case.ciphertext), hex(case.tag)];
    every_kernel::<C>(&hex(case.key), |gcm, kernel| {
        // A shorter tag is the beginning of the whole one.
        macro_rules! with_tags {
            ($($length:literal)*) => {$(
                let short = with_tag::<_, $length>(gcm);
                let (mut data, mut got) = (plaintext.clone(), [0; $length]);
                short.seal_in_place(&iv, &aad, &mut data, &mut got).unwrap();
                assert_eq!(data, ciphertext, "{number} {kernel}");
                assert_eq!(got, tag[..$length], "{number} {kernel}");
                short.open_in_place(&iv, &aad, &mut data, &got).unwrap();
                assert_eq!(data, plaintext, "{number} {kernel}");
                let mut sealer = Sealer::new(&short);
                sealer.start(&iv, &aad).unwrap();
                sealer.update(&mut data).unwrap();
                let mut in_pieces = [0; $length];
                sealer.finish(&mut in_pieces).unwrap();
                assert_eq!(in_pieces, got, "{number} {kernel}");
                let mut opener = Opener::new(&short);
                opener.start(&iv, &aad).unwrap();
                opener.update_unverified(&mut data).unwrap();
                opener.verify(&got).unwrap();
            )*};
        }
        with_tags!(16 15 14 13 12 8 4);
    });
}

fn model_ghash(h: u128, parts: &[&[u8]]) -> u128 {
    let mut y = 0;
    for part in parts {
        for chunk in part.chunks(16) {
            let mut block = [0; 16];
            block[..chunk.len()].copy_from_slice(chunk);
            y = multiply(y ^ u128::from_be_bytes(block), h);
        }
    }
    y
}

fn model_lengths(a: usize, c: usize) -> [u8; 16] {
    (((a as u128 * 8) << 64) | (c as u128 * 8)).to_be_bytes()
}

/// SP 800-38D, algorithm 4, block by block.
fn model(
    cipher: &dyn BlockEncrypt<16>,
    iv: &[u8],
    aad: &[u8],
    plaintext: &[u8],
) -> (Vec<u8>, [u8; 16]) {
    let encrypt = |block: u128| {
        let mut bytes = block.to_be_bytes();
        cinder_burn::burn(cipher.encrypt_block(&mut bytes));
        u128::from_be_bytes(bytes)
    };
    let h = encrypt(0);
    let j_0 = if iv.len() == 12 {
        let mut block = [0; 16];
        block[..12].copy_from_slice(iv);
        block[15] = 1;
        u128::from_be_bytes(block)
    } else {
        model_ghash(h, &[iv, &model_lengths(0, iv.len())])
    };
    let mut ciphertext = plaintext.to_vec();
    let mut counter = j_0;
    for chunk in ciphertext.chunks_mut(16) {
        let low = (counter as u32).wrapping_add(1);
        counter = counter >> 32 << 32 | u128::from(low);
        for (byte, key) in chunk.iter_mut().zip(encrypt(counter).to_be_bytes()) {
            *byte ^= key;
        }
    }
    let s = model_ghash(h, &[aad, &ciphertext, &model_lengths(aad.len(), ciphertext.len())]);
    (ciphertext, (s ^ encrypt(j_0)).to_be_bytes())
}

/// A cipher whose H is whatever a test wants: E(x) = x · 3 + H, with x · 3 modulo 2^128.
struct Chosen {
    h: u128,
}

impl BlockEncrypt<16> for Chosen {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        for block in blocks {
            *block = u128::from_be_bytes(*block).wrapping_mul(3).wrapping_add(self.h).to_be_bytes();
        }
        Depth::here()
    }
}

/// An IV of 16 bytes for a chosen J_0: J_0 = (IV·H + L)·H, so IV = (J_0/H + L)/H.
fn iv_for(h: u128, j_0: u128) -> [u8; 16] {
    // 1/H = H^(2^128 - 2).
    let (mut inverse, mut square) = (1 << 127, h);
    for _ in 1..128 {
        square = multiply(square, square);
        inverse = multiply(inverse, square);
    }
    assert_eq!(multiply(inverse, h), 1 << 127);
    let lengths = u128::from_be_bytes(model_lengths(0, 16));
    multiply(multiply(j_0, inverse) ^ lengths, inverse).to_be_bytes()
}

/// J_0's last four bytes wrap in the middle of the message, and must not carry.
#[test]
fn counter_wraps_within_32_bits() {
    let cipher = Chosen { h: 0x0123456789abcdef_fedcba9876543210 };
    counter_wraps(&cipher, cipher.h, &Gcm::new(&cipher));
    let aes = Aes192::new(&[0x39; 24]).unwrap();
    let mut h = [0; 16];
    cinder_burn::burn(aes.encrypt_block(&mut h));
    every_kernel_of(&mut Gcm::new(&aes), |gcm, _| counter_wraps(&aes, u128::from_be_bytes(h), gcm));
}

fn counter_wraps<C: BlockEncrypt<16>>(cipher: &dyn BlockEncrypt<16>, h: u128, gcm: &Gcm<C>) {
    for before in [0, 1, 2, 3, 4, 5, 14, 31, 40, 255, 256, 257] {
        let j_0 = 0x1122334455667788_ffffffff00000000 | u128::from(u32::MAX - before);
        let iv = iv_for(h, j_0);
        for length in [1, 16, 33, 48, 49, 80, 250, 4095, 4096, 4097, 5000] {
            let plaintext: Vec<u8> = (0..length).map(|i| (i * 7) as u8).collect();
            let expected = model(cipher, &iv, b"aad", &plaintext);
            let (mut data, mut tag) = (plaintext.clone(), [0; 16]);
            gcm.seal_in_place(&iv, b"aad", &mut data, &mut tag).unwrap();
            assert_eq!((&data, tag), (&expected.0, expected.1), "{before} {length}");
            let mut wrong = tag;
            wrong[length % 16] ^= 1;
            let refused = gcm.open_in_place(&iv, b"aad", &mut data, &wrong);
            assert_eq!((refused, &data), (Err(Error::Unverified), &expected.0));
            gcm.open_in_place(&iv, b"aad", &mut data, &tag).unwrap();
            assert_eq!(data, plaintext);

            let mut sealer = Sealer::new(gcm);
            sealer.start(&iv, b"aad").unwrap();
            for piece in data.chunks_mut(23) {
                sealer.update(piece).unwrap();
            }
            sealer.finish(&mut tag).unwrap();
            assert_eq!((data, tag), expected, "stream {before} {length}");
        }
    }
}

/// One-shot in every shape against the model, with lengths around each path's edges.
#[test]
fn all_short_lengths() {
    let cipher = Chosen { h: 0x5a5a_1234 << 64 | 77 };
    short_lengths(&cipher, &mut Gcm::new(&cipher), &[1, 11, 12, 13, 16, 17, 64]);
    let aes = Aes128::new(&[0x93; 16]).unwrap();
    short_lengths(&aes, &mut Gcm::new(&aes), &[12, 17]);
}

fn short_lengths<C: BlockEncrypt<16>>(
    cipher: &dyn BlockEncrypt<16>,
    gcm: &mut Gcm<C>,
    ivs: &[usize],
) {
    let data: Vec<u8> = (0..600).map(|i| (i * 11 + 5 + i / 256) as u8).collect();
    every_kernel_of(gcm, |gcm, _| {
        for length in (0..=100).chain([127, 128, 129, 255, 256, 257, 300, 511, 512, 513]) {
            for aad in [0, 1, 16, 17, 32, 33, 48, 100] {
                for &iv in ivs {
                    let (iv, aad) = (&data[..iv], &data[..aad]);
                    one_shot_equals_model(gcm, cipher, iv, aad, &data[..length]);
                }
            }
        }
    });
}

fn one_shot_equals_model<C: BlockEncrypt<16>>(
    gcm: &Gcm<C>,
    cipher: &dyn BlockEncrypt<16>,
    iv: &[u8],
    aad: &[u8],
    plaintext: &[u8],
) {
    let (ciphertext, tag) = model(cipher, iv, aad, plaintext);
    let at = format!("iv {} aad {} data {}", iv.len(), aad.len(), plaintext.len());

    let (mut data, mut got) = (plaintext.to_vec(), [0; 16]);
    gcm.seal_in_place(iv, aad, &mut data, &mut got).unwrap();
    assert_eq!((&data, got), (&ciphertext, tag), "{at}");
    gcm.open_in_place(iv, aad, &mut data, &tag).unwrap();
    assert_eq!(data, plaintext, "{at}");

    let (mut out, mut got) = (vec![0xee; plaintext.len()], [0; 16]);
    gcm.seal(iv, aad, plaintext, &mut out, &mut got).unwrap();
    assert_eq!((&out, got), (&ciphertext, tag), "{at}");
    out.fill(0xee);
    gcm.open(iv, aad, &ciphertext, &mut out, &tag).unwrap();
    assert_eq!(out, plaintext, "{at}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn one_shot_is_the_model(
        h: u128,
        iv in prop::collection::vec(any::<u8>(), 1..40),
        aad in prop::collection::vec(any::<u8>(), 0..300),
        plaintext in prop::collection::vec(any::<u8>(), 0..9000),
    ) {
        let cipher = Chosen { h };
        one_shot_equals_model(&Gcm::new(&cipher), &cipher, &iv, &aad, &plaintext);
        let aes = Aes256::new([h.to_be_bytes(); 2].as_flattened()).unwrap();
        let mut kernels: Vec<Kernel> = Kernel::available().collect();
        kernels.truncate(3);
        for kernel in kernels {
            let mut gcm = Gcm::new(&aes);
            if let Some(depth) = gcm.use_kernel(kernel) {
                cinder_burn::burn(depth);
                one_shot_equals_model(&gcm, &aes, &iv, &aad, &plaintext);
            }
        }
    }

    #[test]
    fn any_cut_of_a_stream_is_one_shot(
        h: u128,
        iv in prop::collection::vec(any::<u8>(), 1..20),
        aad in prop::collection::vec(any::<u8>(), 0..40),
        plaintext in prop::collection::vec(any::<u8>(), 0..6000),
        cuts in prop::collection::vec(0usize..700, 0..20),
    ) {
        cut_equals_one_shot(&Gcm::new(Chosen { h }), &iv, &aad, &plaintext, &cuts);
        let mut gcm = Gcm::new(Aes128::new(&h.to_be_bytes()).unwrap());
        every_kernel_of(&mut gcm, |gcm, _| {
            cut_equals_one_shot(gcm, &iv, &aad, &plaintext, &cuts);
        });
    }
}

fn cut_equals_one_shot<C: BlockEncrypt<16>>(
    gcm: &Gcm<C>,
    iv: &[u8],
    aad: &[u8],
    plaintext: &[u8],
    cuts: &[usize],
) {
    let (mut expected, mut expected_tag) = (plaintext.to_vec(), [0; 16]);
    gcm.seal_in_place(iv, aad, &mut expected, &mut expected_tag).unwrap();

    let mut sealer = Sealer::new(gcm);
    let (mut data, mut tag) = (plaintext.to_vec(), [0; 16]);
    // A message that is given up leaves nothing behind.
    sealer.start(&[1], b"").unwrap();
    sealer.update(&mut [0; 5]).unwrap();
    sealer.start(iv, aad).unwrap();
    in_pieces(&mut data, cuts, |piece| sealer.update(piece).unwrap());
    sealer.finish(&mut tag).unwrap();
    assert_eq!((&data, tag), (&expected, expected_tag));

    let mut opener = Opener::new(gcm);
    opener.start(iv, aad).unwrap();
    in_pieces(&mut data, cuts, |piece| opener.update_unverified(piece).unwrap());
    opener.verify(&tag).unwrap();
    assert_eq!(data, plaintext);
}

fn in_pieces(data: &mut [u8], cuts: &[usize], mut each: impl FnMut(&mut [u8])) {
    let mut rest = data;
    for &cut in cuts {
        let (piece, after) = rest.split_at_mut(cut.min(rest.len()));
        each(piece);
        rest = after;
    }
    each(rest);
}

#[test]
fn streams_with_aes_and_every_kernel() {
    every_kernel::<Aes256>(&[0x21; 32], |gcm, kernel| {
        for length in [0, 1, 15, 16, 17, 100, 5000] {
            let plaintext: Vec<u8> = (0..length).map(|i| i as u8).collect();
            let (mut expected, mut tag) = (plaintext.clone(), [0; 16]);
            gcm.seal_in_place(&[3; 12], b"x", &mut expected, &mut tag).unwrap();
            for size in [1, 7, 16, 33, 4096] {
                let mut data = expected.clone();
                let mut opener = Opener::new(gcm);
                opener.start(&[3; 12], b"x").unwrap();
                for piece in data.chunks_mut(size) {
                    opener.update_unverified(piece).unwrap();
                }
                opener.verify(&tag).unwrap();
                assert_eq!(data, plaintext, "{kernel}");
            }
        }
    });
}

/// Every single-bit change of tag, additional data, ciphertext and IV is refused, and no
/// plaintext is left.
#[test]
fn every_bit_counts() {
    every_kernel::<Aes128>(&[0x61; 16], |gcm, kernel| {
        for length in [0, 5, 40, 70, 300] {
            every_bit_of(gcm, length, kernel);
            if length == 5 {
                every_bit_of(&with_tag::<_, 4>(gcm), length, kernel);
                every_bit_of(&with_tag::<_, 8>(gcm), length, kernel);
                every_bit_of(&with_tag::<_, 12>(gcm), length, kernel);
                every_bit_of(&with_tag::<_, 13>(gcm), length, kernel);
                every_bit_of(&with_tag::<_, 14>(gcm), length, kernel);
                every_bit_of(&with_tag::<_, 15>(gcm), length, kernel);
            }
        }
    });
}

fn every_bit_of<C: BlockEncrypt<16>, const T: usize>(gcm: &Gcm<C, T>, length: usize, kernel: &str) {
    let (iv, aad) = ([9; 12], [4; 18]);
    let (mut ciphertext, mut tag) = (vec![0xa5; length], [0; T]);
    gcm.seal_in_place(&iv, &aad, &mut ciphertext, &mut tag).unwrap();
    let refused = |iv: &[u8], aad: &[u8], ciphertext: &[u8], tag: &[u8]| {
        let tag = tag.try_into().unwrap();
        let mut data = ciphertext.to_vec();
        let result = gcm.open_in_place(iv, aad, &mut data, tag);
        assert_eq!(result, Err(Error::Unverified), "{kernel} {length}");
        assert_eq!(data, ciphertext, "in place: unchanged");
        let mut out = vec![0xee; length];
        let result = gcm.open(iv, aad, ciphertext, &mut out, tag);
        assert_eq!(result, Err(Error::Unverified), "{kernel} {length}");
        assert!(out.iter().all(|&byte| byte == 0), "buffer to buffer: zeros");
    };
    let flipped = |bytes: &[u8], bit: usize| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    for bit in 0..8 * T {
        refused(&iv, &aad, &ciphertext, &flipped(&tag, bit));
    }
    if T != 16 {
        return;
    }
    for bit in 0..8 * aad.len() {
        refused(&iv, &flipped(&aad, bit), &ciphertext, &tag);
    }
    for bit in 0..8 * iv.len() {
        refused(&flipped(&iv, bit), &aad, &ciphertext, &tag);
    }
    for bit in 0..8 * length {
        refused(&iv, &aad, &flipped(&ciphertext, bit), &tag);
    }
    refused(&iv, &aad[1..], &ciphertext, &tag);
    refused(&iv[1..], &aad, &ciphertext, &tag);
}

#[test]
fn a_stream_that_was_changed_does_not_verify() {
    let gcm = Gcm::new(Aes128::new(&[1; 16]).unwrap());
    let (mut data, mut tag) = ([7; 20], [0; 16]);
    gcm.seal_in_place(&[2; 12], b"", &mut data, &mut tag).unwrap();
    data[19] ^= 0x80;
    let before = tag;
    let mut opener = Opener::new(&gcm);
    opener.start(&[2; 12], b"").unwrap();
    opener.update_unverified(&mut data).unwrap();
    assert_eq!(opener.verify(&tag), Err(Error::Unverified));
    assert_eq!(tag, before);
    assert_eq!(opener.verify(&tag), Err(Error::NotStarted));
}

/// Each bad argument has its error, and not one byte changes.
#[test]
fn bad_arguments() {
    let gcm = Gcm::new(Aes128::new(&[1; 16]).unwrap());
    let iv = [2; 12];
    let check = |iv: &[u8], buffers: [usize; 2], error: Error| {
        let mut tag = [0x11; 16];
        let (input, mut output) = (vec![0x22; buffers[0]], vec![0x33; buffers[1]]);
        assert_eq!(gcm.seal(iv, b"", &input, &mut output, &mut tag), Err(error));
        assert_eq!(gcm.open(iv, b"", &input, &mut output, &tag), Err(error));
        if buffers[0] == buffers[1] {
            assert_eq!(gcm.seal_in_place(iv, b"", &mut output, &mut tag), Err(error));
            assert_eq!(gcm.open_in_place(iv, b"", &mut output, &tag), Err(error));
        }
        assert_eq!(tag, [0x11; 16]);
        assert_eq!(output, vec![0x33; buffers[1]]);
    };
    check(&[], [20, 20], Error::EmptyIv);
    for buffers in [[20, 19], [20, 21], [0, 1], [1, 0], [4097, 4096]] {
        check(&iv, buffers, Error::BufferLengths);
    }
}

#[test]
fn streams_refuse_misuse() {
    let gcm = Gcm::new(Aes128::new(&[1; 16]).unwrap());
    let (mut data, mut tag) = ([7; 20], [0x11; 16]);
    let mut sealer = Sealer::new(&gcm);
    assert_eq!(sealer.update(&mut data), Err(Error::NotStarted));
    assert_eq!(sealer.finish(&mut tag), Err(Error::NotStarted));
    assert_eq!(sealer.start(&[], b""), Err(Error::EmptyIv));
    assert_eq!(sealer.update(&mut data), Err(Error::NotStarted));
    sealer.start(&[1; 12], b"").unwrap();
    assert_eq!(sealer.start(&[], b""), Err(Error::EmptyIv));
    assert_eq!((data, tag), ([7; 20], [0x11; 16]));
    sealer.update(&mut data).unwrap();
    sealer.finish(&mut tag).unwrap();
    assert_eq!(sealer.update(&mut data), Err(Error::NotStarted));
    let mut opener = Opener::new(&gcm);
    assert_eq!(opener.update_unverified(&mut data), Err(Error::NotStarted));
    opener.start(&[1; 12], b"").unwrap();
    opener.update_unverified(&mut data).unwrap();
    opener.verify(&tag).unwrap();
    assert_eq!(data, [7; 20]);
}

/// By value, by reference, as `dyn`, in a slot, in a box: all the same.
#[test]
fn every_way_to_a_key() {
    fn sealed<C: BlockEncrypt<16>>(gcm: &Gcm<C>) -> ([u8; 50], [u8; 16]) {
        let (mut data, mut tag) = ([0x6b; 50], [0; 16]);
        gcm.seal_in_place(&[5; 12], b"aad", &mut data, &mut tag).unwrap();
        (data, tag)
    }
    let key = [0x17; 32];
    let aes = Aes256::new(&key).unwrap();
    let expected = sealed(&Gcm::new(&aes));
    let cipher: &dyn BlockEncrypt<16> = &aes;
    assert_eq!(sealed(&Gcm::new(cipher)), expected);
    assert_eq!(Gcm::with(cipher, sealed), expected);
    let boxed: Box<dyn BlockEncrypt<16>> = Box::new(Aes256::new(&key).unwrap());
    assert_eq!(sealed(&Gcm::new(boxed)), expected);
    assert_eq!(sealed(&*Slot::<Gcm<Aes256>>::boxed(&key).unwrap()), expected);
    let mut slot = Slot::<Gcm<Aes256>>::empty();
    assert_eq!(sealed(slot.init(&key).unwrap()), expected);
    assert!(slot.init(&key[1..]).is_err());
    assert!(slot.cipher().is_none(), "a refused key leaves the slot empty");
    slot.init(&[0; 32]).unwrap();
    assert_ne!(sealed(slot.cipher().unwrap()), expected);
    let rekeyed = slot.init_with(|gcm| gcm.rekey_with(|cipher| cipher.rekey(&key))).unwrap();
    assert_eq!(sealed(rekeyed), expected);
    assert_eq!(sealed(&Gcm::new(aes)), expected);
}

/// Nobody asks, and the best that goes with the cipher is there; a new key goes back to it.
#[test]
fn the_best_kernel_is_the_default() {
    let two_pass = Kernel::TwoPass(cinder_ghash::Kernel::best());
    assert_eq!(Gcm::<_>::new(Chosen { h: 1 }).kernel(), two_pass);
    let best = Kernel::available().next().unwrap();
    let mut slot = Slot::<Gcm<Aes256>>::empty();
    for kernel in cinder_block::aes::Kernel::available() {
        let keyed =
            |gcm: &mut Gcm<Aes256>| gcm.rekey_with(|aes| aes.rekey_with_kernel(&[6; 32], kernel));
        let gcm = slot.init_with(keyed).unwrap();
        let expected = if gcm.cipher().aes_round_keys().is_some() { best } else { two_pass };
        assert_eq!(gcm.kernel(), expected, "{kernel}");
        cinder_burn::burn(
            gcm.use_kernel(Kernel::TwoPass(cinder_ghash::Kernel::Portable32)).unwrap(),
        );
        assert_eq!(slot.init_with(keyed).unwrap().kernel(), expected, "{kernel}");
    }
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if std::arch::is_x86_feature_detected!("aes")
        && std::arch::is_x86_feature_detected!("pclmulqdq")
    {
        assert!(matches!(best, Kernel::Stitched(_)), "{best}");
    }
}

#[test]
fn debug_shows_no_secret() {
    let gcm = Gcm::<_>::new(Aes128::new(&[0xab; 16]).unwrap());
    let shown = format!("{gcm:?} {:?} {:?}", Sealer::new(&gcm), Opener::new(&gcm));
    assert!(!shown.contains("171") && !shown.contains('['), "{shown}");
}

/// A cipher that refuses a key may have another one then. H is that one's, never the former's.
#[test]
fn h_is_derived_anew_after_a_refused_key() {
    let seal = |gcm: &Gcm<Aes128>| {
        let (mut data, mut tag) = (*b"sixteen bytes of", [0; 16]);
        gcm.seal_in_place(&[1; 12], b"aad", &mut data, &mut tag).unwrap();
        (data, tag)
    };
    let mut gcm = Gcm::<Aes128>::new(Aes128::new(&[1; 16]).unwrap());
    let refused = gcm.rekey_with(|aes| {
        let depth = aes.rekey(&[2; 16])?;
        Err(Refusal { error: KeyError::Weak, depth })
    });
    assert_eq!(refused.unwrap_err().burn(), KeyError::Weak);
    assert_eq!(seal(&gcm), seal(&Gcm::new(Aes128::new(&[2; 16]).unwrap())));
}

#[test]
fn each_error_and_kernel_has_a_text() {
    use Error::{BufferLengths, EmptyIv, NotStarted, TooLong, Unverified};
    testkit::texts_differ(&[
        &EmptyIv,
        &TooLong,
        &BufferLengths,
        &NotStarted,
        &Unverified,
        &cinder_gcm::NoncesExhausted,
        &cinder_gcm::FixedFieldLength,
    ]);
    let kernels: Vec<_> = Kernel::available().collect();
    testkit::texts_differ(&kernels.iter().map(|kernel| kernel as _).collect::<Vec<_>>());
}
