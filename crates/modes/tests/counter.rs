//! CTR: which bytes count, what wraps, seeking, and the end of a counter.

mod common;

use cinder_block::{Aes128, BlockEncrypt};
use cinder_modes::CounterError;
use cinder_modes::ctr::Ctr;
use common::{Toy, model};
use proptest::prelude::*;
use testkit::hex::decode as hex;

fn ctr<'a, const N: usize>(
    cipher: &'a dyn BlockEncrypt<N>,
    iv: &[u8; N],
    width: usize,
) -> Ctr<&'a dyn BlockEncrypt<N>, N> {
    Ctr::with_width(cipher, iv, width).unwrap()
}

/// The counter wraps inside a call, at every width, 0 to 40 blocks after the start; bytes that do
/// not count stay.
#[test]
fn wrap_at_every_width() {
    fn check<const N: usize>(toy: &Toy<N>) {
        for width in 1..=N {
            // The bytes before the wrapping ones: 3c stays, ff would show a carry.
            for front in [0x3c, 0xff] {
                for before in [0, 1, 2, 31, 32, 33, 40] {
                    let mut iv = [0xff; N];
                    iv[..N - width].fill(front);
                    iv[N - 1] -= before;
                    let data = vec![0x11; 45 * N + 3];
                    let mut ours = data.clone();
                    ctr(toy, &iv, width).apply_keystream(&mut ours).unwrap();
                    assert_eq!(ours, model::ctr(toy, &iv, width, &data), "{width} {before}");

                    // In pieces of a block or less: the tail's own counting.
                    let mut ours = data.clone();
                    let mut pieces = ctr(toy, &iv, width);
                    for piece in ours.chunks_mut(N - 1) {
                        pieces.apply_keystream(piece).unwrap();
                    }
                    assert_eq!(ours, model::ctr(toy, &iv, width, &data), "{width} {before}");
                    let mut counter = iv;
                    (0..46).for_each(|_| model::increment(&mut counter, width));
                    assert_eq!(pieces.counter(), &counter);
                }
            }
        }
    }
    check(&Toy { key: [0x61; 8] });
    check(&Toy { key: [0x16; 16] });
}

/// Inside the block the four bytes that `ctr_xor` counts wrap into the fifth and all the others.
#[test]
fn default_counts_the_whole_block() {
    let aes = Aes128::new(&[5; 16]).unwrap();
    let mut data = [0; 48];
    Ctr::new(&aes, &[0xff; 16]).apply_keystream(&mut data).unwrap();
    let mut expected = [[0xff; 16], [0; 16], [0; 16]];
    expected[2][15] = 1;
    let _ = aes.encrypt_blocks(&mut expected);
    assert_eq!(data, expected.as_flattened());
    assert_eq!(Ctr::new(&aes, &[0; 16]).width(), 16);
    assert_eq!(Ctr::new(&Toy { key: [1; 8] }, &[0; 8]).width(), 8);
}

/// Little endian, the counter carries from the first byte to the last and wraps: as arithmetic on
/// the whole block says, in one call and in pieces. The vectors are in the crate `vectors`.
#[test]
fn little_endian() {
    fn check<const N: usize>(toy: &Toy<N>) {
        for ones in 0..=N {
            for before in [0, 1, 2, 31, 32, 33, 40] {
                let mut iv = [0x3c; N];
                iv[..ones].fill(0xff);
                iv[0] -= before;
                let data = vec![0x11; 45 * N + 3];
                let block = |index: usize| {
                    let mut counter = iv;
                    let mut carry = index;
                    for byte in &mut counter {
                        carry += usize::from(*byte);
                        *byte = carry as u8;
                        carry >>= 8;
                    }
                    counter
                };
                let mut expected = data.clone();
                for (index, part) in expected.chunks_mut(N).enumerate() {
                    let mut keystream = block(index);
                    let _ = toy.encrypt_block(&mut keystream);
                    part.iter_mut().zip(keystream).for_each(|(byte, k)| *byte ^= k);
                }
                let mut ours = data.clone();
                let mut ctr = Ctr::little_endian(toy, &iv);
                ctr.apply_keystream(&mut ours).unwrap();
                assert_eq!(ours, expected, "{ones} {before}");
                assert_eq!(ctr.counter(), &block(46));
                assert_eq!(ctr.width(), N);

                let mut ours = data.clone();
                ctr.restart(&iv);
                for piece in ours.chunks_mut(N - 1) {
                    ctr.apply_keystream(piece).unwrap();
                }
                assert_eq!(ours, expected, "{ones} {before}");
                ctr.seek(33 * N as u128 + 5).unwrap();
                let mut ours = data[33 * N + 5..].to_vec();
                ctr.apply_keystream(&mut ours).unwrap();
                assert_eq!(ours, expected[33 * N + 5..], "{ones} {before}");
            }
        }
    }
    check(&Toy { key: [0x61; 8] });
    check(&Toy { key: [0x16; 16] });
}

/// RFC 3686, test vector 3: nonce, IV, and a counter of 4 bytes that begins at 1.
#[test]
fn rfc_3686() {
    let aes = Aes128::new(&hex("7691be035e5020a8ac6e618529f9a0dc")).unwrap();
    let iv: [u8; 16] = hex("00e0017b27777f3f4a1786f000000001").try_into().unwrap();
    let mut data: Vec<u8> = (0..36).collect();
    Ctr::with_width(&aes, &iv, 4).unwrap().apply_keystream(&mut data).unwrap();
    assert_eq!(
        data,
        hex("c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f")
    );
}

#[test]
fn bad_width() {
    let toy = Toy { key: [1; 8] };
    for width in [0, 9, 16, 256, 264, usize::MAX] {
        assert_eq!(Ctr::with_width(&toy, &[0; 8], width).err(), Some(CounterError::Width));
    }
}

/// A counter of one byte gives 256 blocks and no byte more, from wherever it starts.
#[test]
fn exhausted() {
    let toy = Toy { key: *b"some key" };
    for first in [0, 1, 200, 255] {
        let iv = [9, 8, 7, 6, 5, 4, 3, first];
        let mut data = vec![0; 256 * 8 + 1];
        let mut ctr = ctr(&toy, &iv, 1);
        assert_eq!(ctr.remaining(), 256 * 8);
        let untouched = data.clone();
        assert_eq!(ctr.apply_keystream(&mut data), Err(CounterError::Exhausted));
        assert_eq!(data, untouched);
        let mut output = data.clone();
        assert_eq!(ctr.apply_keystream_to(&data, &mut output), Err(CounterError::Exhausted));
        assert_eq!(output, untouched);
        assert_eq!(ctr.position(), 0);

        data.pop();
        let expected = model::ctr(&toy, &iv, 1, &data);
        ctr.apply_keystream(&mut data[..5]).unwrap();
        assert_eq!(ctr.remaining(), 256 * 8 - 5);
        assert_eq!(ctr.apply_keystream(&mut [0; 256 * 8 - 4]), Err(CounterError::Exhausted));
        ctr.apply_keystream(&mut data[5..]).unwrap();
        assert_eq!(data, expected);
        assert_eq!(ctr.remaining(), 0);
        assert_eq!(ctr.apply_keystream(&mut [0]), Err(CounterError::Exhausted));
        assert_eq!(ctr.apply_keystream(&mut []), Ok(()));
        // Going back is allowed, and so is standing at the end.
        assert_eq!(ctr.seek(256 * 8), Ok(()));
        assert_eq!(ctr.seek(256 * 8 + 1), Err(CounterError::Exhausted));
        assert_eq!(ctr.position(), 256 * 8);
        assert_eq!(ctr.seek(256 * 8 - 1), Ok(()));
        assert_eq!(ctr.apply_keystream(&mut [0; 2]), Err(CounterError::Exhausted));
        assert_eq!(ctr.apply_keystream(&mut [0]), Ok(()));
    }
}

/// The last block of a counter of any width, by seeking, equals the block before the first.
#[test]
fn end_of_every_width() {
    fn check<const N: usize>(toy: &Toy<N>) {
        let iv = core::array::from_fn(|i| (i * 3) as u8);
        for width in 1..=N {
            let mut ctr = ctr(toy, &iv, width);
            let end = ctr.remaining();
            if width == 16 {
                // 2^132 bytes; the position counts 2^128.
                assert_eq!(end, u128::MAX);
                continue;
            }
            assert_eq!(end, (N as u128) << (8 * width));
            ctr.seek(end - N as u128).unwrap();
            let mut last = [0; N];
            ctr.apply_keystream(&mut last).unwrap();
            // iv - 1 in the bytes that count: the one that `increment` takes to `iv`.
            let mut before = iv;
            for byte in before.iter_mut().rev().take(width) {
                *byte = byte.wrapping_sub(1);
                if *byte != 0xff {
                    break;
                }
            }
            let mut check = before;
            model::increment(&mut check, width);
            assert_eq!(check, iv);
            let _ = toy.encrypt_block(&mut before);
            assert_eq!(last, before, "{width}");
            assert_eq!(ctr.apply_keystream(&mut [0]), Err(CounterError::Exhausted));
        }
    }
    check(&Toy { key: [3; 8] });
    check(&Toy { key: [4; 16] });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Seeking, forwards and backwards, is the same as discarding from the start.
    #[test]
    fn seek_equals_discard(
        iv: [u8; 8], low: [bool; 8], width in 1usize..=8,
        places in prop::collection::vec((0usize..1500, 0usize..300), 1..6),
    ) {
        // Many ff bytes, so that carries happen.
        let iv: [u8; 8] = core::array::from_fn(|i| if low[i] { 0xff } else { iv[i] });
        let toy = Toy { key: *b"some key" };
        let keystream = model::ctr(&toy, &iv, width, &[0; 1800]);
        let mut ctr = ctr(&toy, &iv, width);
        for (position, len) in places {
            ctr.seek(position as u128).unwrap();
            prop_assert_eq!(ctr.position(), position as u128);
            let mut data = vec![0; len];
            ctr.apply_keystream(&mut data).unwrap();
            prop_assert_eq!(&data, &keystream[position..position + len]);
            prop_assert_eq!(ctr.position(), (position + len) as u128);
            // The counter is that of the next whole block.
            let blocks = (position + len).div_ceil(8);
            let mut counter = iv;
            (0..blocks).for_each(|_| model::increment(&mut counter, width));
            prop_assert_eq!(ctr.counter(), &counter);
        }
    }

    /// Seeking over 2^32 blocks and more carries like arithmetic on the whole counter.
    #[test]
    fn seek_far(iv: u128, block in 0u128..1 << 124, inside in 0u128..16) {
        let aes = Toy { key: iv.wrapping_mul(3).to_be_bytes() };
        let mut ctr = Ctr::new(&aes, &iv.to_be_bytes());
        ctr.seek(block * 16 + inside).unwrap();
        let mut data = [0; 16];
        ctr.apply_keystream(&mut data[inside as usize..]).unwrap();
        let mut expected = iv.wrapping_add(block).to_be_bytes();
        let _ = aes.encrypt_block(&mut expected);
        prop_assert_eq!(&data[inside as usize..], &expected[inside as usize..]);

        let mut ctr = Ctr::little_endian(&aes, &iv.to_le_bytes());
        ctr.seek(block * 16 + inside).unwrap();
        let mut data = [0; 16];
        ctr.apply_keystream(&mut data[inside as usize..]).unwrap();
        let mut expected = iv.wrapping_add(block).to_le_bytes();
        let _ = aes.encrypt_block(&mut expected);
        prop_assert_eq!(&data[inside as usize..], &expected[inside as usize..]);
    }
}
