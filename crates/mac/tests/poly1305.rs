//! Poly1305: RFC 8439, section 2.5.2 and appendix A.3, and what its API promises.

use cinder_block::{KeyError, Slot};
use cinder_mac::{Kernel, KeyUsed, Poly1305, Unverified};
use proptest::prelude::*;

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(16)).map(|d| d as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// The tag, which every kernel agrees on.
fn tag(key: &[u8], message: &[u8], piece: usize) -> [u8; 16] {
    let mut slot = Slot::<Poly1305>::empty();
    let tags = Kernel::available().map(|kernel| {
        let poly1305 = slot.init_with(|mac| mac.rekey_with_kernel(key, kernel)).unwrap();
        assert_eq!(poly1305.kernel(), kernel);
        message.chunks(piece).for_each(|piece| poly1305.update(piece));
        let mut tag = [0; 16];
        poly1305.finish(&mut tag).unwrap();
        (kernel, tag)
    });
    let tags: Vec<_> = tags.collect();
    for (kernel, tag) in &tags {
        assert_eq!(tag, &tags[0].1, "{kernel} and {}: {} bytes", tags[0].0, message.len());
    }
    tags[0].1
}

const IETF: &str = "416e79207375626d697373696f6e20746f20746865204945544620696e74656e6465642062792074686520436f
    6e7472696275746f7220666f72207075626c69636174696f6e20617320616c6c206f722070617274206f6620616e204945544620496e
    7465726e65742d4472616674206f722052464320616e6420616e792073746174656d656e74206d6164652077697468696e2074686520
    636f6e74657874206f6620616e204945544620616374697669747920697320636f6e7369646572656420616e20224945544620436f6e
    747269627574696f6e222e20537563682073746174656d656e747320696e636c756465206f72616c2073746174656d656e747320696e
    20494554462073657373696f6e732c2061732077656c6c206173207772697474656e20616e6420656c656374726f6e696320636f6d6d
    756e69636174696f6e73206d61646520617420616e792074696d65206f7220706c6163652c20776869636820617265206164647265737365
    6420746f";

#[test]
fn rfc_8439() {
    let cases = [
        // 2.5.2.
        (
            "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
            "43727970746f6772617068696320466f72756d205265736561726368204772
             6f7570",
            "a8061dc1305136c6c22b8baf0c0127a9",
        ),
        // A.3, 1 to 4.
        (&"00".repeat(32), &"00".repeat(64), &"00".repeat(16)),
        (
            &format!("{}36e5f6b5c5e06070f0efca96227a863e", "00".repeat(16)),
            IETF,
            "36e5f6b5c5e06070f0efca96227a863e",
        ),
        (
            &format!("36e5f6b5c5e06070f0efca96227a863e{}", "00".repeat(16)),
            IETF,
            "f3477e7cd95417af89a6b8794c310cf0",
        ),
        (
            "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
            "2754776173206272696c6c69672c20616e642074686520736c6974687920746f7665730a446964206779726520616e
             642067696d626c6520696e2074686520776162653a0a416c6c206d696d737920776572652074686520626f726f676f
             7665732c0a416e6420746865206d6f6d65207261746873206f757467726162652e",
            "4541669a7eaaee61e708dc7cbcc5eb62",
        ),
        // 7: 2^130 - 5 and around, where the sum must be reduced in full.
        (
            &format!("02{}", "00".repeat(31)),
            &"ff".repeat(16),
            &format!("03{}", "00".repeat(15)),
        ),
        // 8: the sum with s wraps.
        (
            &format!("02{}{}", "00".repeat(15), "ff".repeat(16)),
            &format!("02{}", "00".repeat(15)),
            &format!("03{}", "00".repeat(15)),
        ),
        // 9: a carry that runs through all limbs.
        (
            &format!("01{}", "00".repeat(31)),
            &format!("{}f0{}11{}", "ff".repeat(16), "ff".repeat(15), "00".repeat(15)),
            &format!("05{}", "00".repeat(15)),
        ),
        // 10.
        (
            &format!("01{}", "00".repeat(31)),
            &format!("{}fbfefefefefefefefefefefefefefefe{}", "ff".repeat(16), "01".repeat(16)),
            &"00".repeat(16),
        ),
        // 11.
        (
            &format!("02{}", "00".repeat(31)),
            &format!("fd{}", "ff".repeat(15)),
            &format!("fa{}", "ff".repeat(15)),
        ),
    ];
    for (i, (key, message, expected)) in cases.iter().enumerate() {
        let (key, message, expected) = (hex(key), hex(message), hex(expected));
        for piece in [1, 3, 16, 17, 1000] {
            assert_eq!(tag(&key, &message, piece)[..], expected, "{i} {piece}");
        }
    }
}

#[test]
fn a_key_has_one_message() {
    let mut slot = Slot::<Poly1305>::empty();
    let poly1305 = slot.init(&[7; 32]).unwrap();
    let mut tag = [0; 16];
    poly1305.update(b"one");
    poly1305.finish(&mut tag).unwrap();
    poly1305.update(b"two");
    let mut other = [9; 16];
    assert_eq!(poly1305.finish(&mut other), Err(KeyUsed));
    assert_eq!(other, [9; 16]);
    assert_eq!(poly1305.verify(&tag), Err(Unverified));
    assert_eq!(poly1305.verify(&[0; 16]), Err(Unverified));

    let poly1305 = slot.init(&[7; 32]).unwrap();
    poly1305.update(b"one");
    assert_eq!(poly1305.verify(&tag), Ok(()));
    assert_eq!(poly1305.verify(&tag), Err(Unverified));
    for bit in 0..128 {
        let poly1305 = slot.init(&[7; 32]).unwrap();
        poly1305.update(b"one");
        let forged = (u128::from_ne_bytes(tag) ^ 1 << bit).to_ne_bytes();
        assert_eq!(poly1305.verify(&forged), Err(Unverified));
    }
    for len in (0..40).filter(|len| *len != 32) {
        assert_eq!(slot.init(&vec![1; len]).err(), Some(KeyError::Length));
    }
}

/// Numbers of up to 260 bits as 20 limbs of 13 bits: the definition, slowly.
fn model(key: &[u8], message: &[u8]) -> [u8; 16] {
    // Bits, the lowest first, modulo 2^130 - 5 by counting on 2^130 = 5.
    type Number = [u64; 10];
    fn number(bytes: &[u8]) -> Number {
        core::array::from_fn(|i| {
            (0..13).fold(0, |limb, bit| {
                let at = 13 * i + bit;
                let set = bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
                limb | u64::from(set) << bit
            })
        })
    }
    fn reduce(n: &mut Number) {
        for _ in 0..4 {
            let mut carry = 0;
            for limb in n.iter_mut() {
                *limb += carry;
                carry = *limb >> 13;
                *limb &= 0x1fff;
            }
            n[0] += 5 * carry;
        }
    }
    let mut clamped: [u8; 16] = key[..16].try_into().unwrap();
    clamped = (u128::from_le_bytes(clamped) & 0x0ffffffc0ffffffc0ffffffc0fffffff).to_le_bytes();
    let (r, mut h) = (number(&clamped), [0; 10]);
    for block in message.chunks(16) {
        let c = number(&[block, &[1]].concat());
        let sum: Number = core::array::from_fn(|i| h[i] + c[i]);
        h = core::array::from_fn(|i| {
            (0..10).map(|j| sum[j] * if j <= i { r[i - j] } else { 5 * r[10 + i - j] }).sum()
        });
        reduce(&mut h);
    }
    reduce(&mut h);
    let p: Number = core::array::from_fn(|i| if i == 0 { 0x1ffb } else { 0x1fff });
    if h.iter().rev().ge(p.iter().rev()) {
        // h - p = h + 5 - 2^130.
        h[0] += 5;
        let mut carry = 0;
        for limb in &mut h {
            *limb += carry;
            carry = *limb >> 13;
            *limb &= 0x1fff;
        }
    }
    let low =
        h.iter().enumerate().fold(0_u128, |sum, (i, limb)| sum | u128::from(*limb) << (13 * i));
    let s = u128::from_le_bytes(key[16..].try_into().unwrap());
    low.wrapping_add(s).to_le_bytes()
}

#[test]
fn extremes() {
    for key in [[0xff; 32], [0; 32], [0x0f; 32], core::array::from_fn(|i| (i * 37) as u8)] {
        for len in (0..600).chain([1000, 1023, 1024, 1025, 4096]) {
            for byte in [0xff, 0, 0xfb] {
                let mut message = vec![byte; len];
                assert_eq!(tag(&key, &message, 4096), model(&key, &message), "{len} {byte}");
                if let Some(first) = message.first_mut() {
                    *first = 0xfa;
                }
                assert_eq!(tag(&key, &message, 4096), model(&key, &message), "{len} {byte}");
            }
        }
    }
}

proptest! {
    #[test]
    fn as_defined(
        key: [u8; 32],
        message in prop::collection::vec(any::<u8>(), 0..1500),
        piece in 1usize..1000,
    ) {
        prop_assert_eq!(tag(&key, &message, piece), model(&key, &message));
    }
}
