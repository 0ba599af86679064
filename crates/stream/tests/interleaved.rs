//! Random sequences of all that a stream cipher can be asked to do, refused calls among them, at
//! every alignment, against the whole keystream.

use cinder_stream::{Arc4, KeyError, Salsa20, Salsa20Keystream, Slot, StreamError};
use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use zeroize::ZeroizeOnDrop;

/// Numbers that differ from call to call.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn len(&mut self) -> usize {
        let limit = [2, 64, 65, 400][self.below(4)];
        self.below(limit)
    }
}

/// A text of which most bits change from byte to byte.
fn text(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i as u8).wrapping_mul(167)).collect()
}

/// The text between other bytes, at an alignment, given to `call`; the others must not change.
/// Returns what was XORed into the text.
fn guarded(len: usize, offset: usize, call: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut bytes = vec![0xa5; 256 + len];
    let from = 64 + bytes.as_ptr().align_offset(64) + offset % 64;
    bytes[from..from + len].copy_from_slice(&text(len));
    call(&mut bytes[from..from + len]);
    assert!(bytes[..from].iter().all(|byte| *byte == 0xa5));
    assert!(bytes[from + len..].iter().all(|byte| *byte == 0xa5));
    bytes[from..from + len].iter().zip(text(len)).map(|(byte, text)| byte ^ text).collect()
}

fn salsa20<const ROUNDS: usize>(numbers: &mut Numbers) {
    const LEN: usize = 4000;
    let salsa20 = Salsa20::<ROUNDS>::new(&[0x42; 32]).unwrap();
    let nonce = core::array::from_fn(|_| numbers.below(256) as u8);
    let mut whole = vec![0; LEN];
    for (i, byte) in whole.iter_mut().enumerate() {
        // A byte at a time, each from its block alone.
        let mut keystream = salsa20.keystream(&nonce);
        keystream.seek(i as u128).unwrap();
        keystream.apply(std::slice::from_mut(byte)).unwrap();
    }
    let (mut at, mut keystream) = (0, salsa20.keystream(&nonce));
    for _ in 0..300 {
        let len = numbers.len().min(LEN - at);
        match numbers.below(6) {
            0 | 1 => {
                let data = guarded(len, numbers.below(64), |data| keystream.apply(data).unwrap());
                assert_eq!(data, whole[at..at + len]);
                at += len;
            }
            2 => {
                let data = guarded(len, numbers.below(64), |data| {
                    data.fill(0x77);
                    keystream.apply_to(&text(len), data).unwrap();
                });
                assert_eq!(data, whole[at..at + len]);
                at += len;
            }
            3 => {
                let data = guarded(len + 1, 0, |data| {
                    let result = keystream.apply_to(&vec![9; len], data);
                    assert_eq!(result, Err(StreamError::BufferLengths));
                });
                assert_eq!(data, vec![0; len + 1]);
            }
            4 => {
                let refused = keystream.seek((1 << 70) + 1 + numbers.below(9) as u128);
                assert_eq!(refused, Err(StreamError::EndOfKeystream));
                assert_eq!(keystream.seek(u128::MAX), Err(StreamError::EndOfKeystream));
            }
            _ => {
                at = numbers.below(LEN);
                keystream.seek(at as u128).unwrap();
            }
        }
        assert_eq!(keystream.position(), at as u128);
    }
}

#[test]
fn salsa20_in_any_order_of_calls() {
    let mut numbers = Numbers(1);
    salsa20::<20>(&mut numbers);
    salsa20::<12>(&mut numbers);
    salsa20::<8>(&mut numbers);
}

/// Each distance from the end, in the last wide sets too; the counter's low word wraps as well.
#[test]
fn salsa20_at_the_end_and_at_the_carry() {
    const END: u128 = 1 << 70;
    let salsa20 = Salsa20::<8>::new(&[0x42; 16]).unwrap();
    for place in [END, 1 << 38] {
        let mut by_bytes = [0; 600];
        for (i, byte) in by_bytes.iter_mut().enumerate() {
            let mut keystream = salsa20.keystream(&[7; 8]);
            keystream.seek(place - 600 + i as u128).unwrap();
            keystream.apply(std::slice::from_mut(byte)).unwrap();
        }
        for back in 0..=600 {
            let mut keystream = salsa20.keystream(&[7; 8]);
            keystream.seek(place - back as u128).unwrap();
            let mut data = vec![0; back];
            keystream.apply(&mut data).unwrap();
            assert_eq!(data, by_bytes[600 - back..]);
            if place == END {
                assert_eq!(keystream.apply(&mut [0]), Err(StreamError::EndOfKeystream));
                assert_eq!(keystream.apply(&mut []), Ok(()));
                let refused = keystream.apply_to(&[1], &mut [0]);
                assert_eq!(refused, Err(StreamError::EndOfKeystream));
                assert_eq!(keystream.apply_to(&[], &mut []), Ok(()));
                assert_eq!(keystream.position(), END);
            }
        }
    }
}

/// Where the counter needs its high word, by libsodium 1.0.18's `crypto_stream_salsa20_xor_ic` over
/// zeros. Key: 1, 2, … 32. Nonce: 3, 1, 4, 1, 5, 9, 2, 6.
#[test]
fn salsa20_beyond_2_to_the_38_bytes() {
    const BLOCKS: [(u64, &str); 4] = [
        (
            0xffff_ffff,
            "fe6424fbcec4ecab5beea6dfdce9b23324f4f7caae6110e63289411aefb164a1\
             615e0c71fe2b849bd3c8df0da0d4402d07eea4d713928976bfa963c3f752658b",
        ),
        (
            0x1_0000_0000,
            "b21234c0a9e7fcbf0b4e505fa214d64070d7985fce6c296691d29b7e980afde8\
             fa702596923db652e790c58c4137953c14ad888c4112d7eaa7b64bce0c910cce",
        ),
        (
            0x0123_4567_89ab_cdef,
            "1695d2ec1cd20648a38f04f70ef082209afd86edd1e659a1cd116a6aa0931eb4\
             b295dea5a5bfece43d6000ddce706e80b0731413f48221282228407959c65c2e",
        ),
        (
            u64::MAX,
            "7b0e7da71b4c23cfed41f9a2f19dbce466cc00f2597c35cdb9e97f7f9924098a\
             7651cf4bdc8fd1b48be7bc6efe07b462b3828e032e8f7fc236c587584ecdaf18",
        ),
    ];
    let salsa20 = Salsa20::<20>::new(&core::array::from_fn::<_, 32, _>(|i| i as u8 + 1)).unwrap();
    let mut keystream = salsa20.keystream(&[3, 1, 4, 1, 5, 9, 2, 6]);
    for (block, expected) in BLOCKS {
        // Alone, and in each place of a wide set.
        for before in 0..5 {
            let after = 5.min(u64::MAX - block);
            let mut data = vec![0; 64 * (before + 1 + after) as usize];
            keystream.seek(u128::from(block - before) * 64).unwrap();
            keystream.apply(&mut data).unwrap();
            let found = &data[64 * before as usize..][..64];
            let found: String = found.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, expected, "{before}");
        }
        // From inside of the block.
        let mut byte = [0];
        keystream.seek(u128::from(block) * 64 + 63).unwrap();
        keystream.apply(&mut byte).unwrap();
        assert_eq!(format!("{:02x}", byte[0]), expected[126..]);
    }
}

#[test]
fn arc4_in_any_order_of_calls() {
    let mut numbers = Numbers(2);
    let mut slot = Slot::<Arc4>::empty();
    for round in 0..20 {
        let key: Vec<u8> = (0..1 + numbers.below(256)).map(|i| (i * 5 + round) as u8).collect();
        let mut whole = vec![0; 20000];
        Arc4::new(&key).unwrap().apply(&mut whole);
        let (arc4, mut at) = (slot.init(&key).unwrap(), 0);
        for _ in 0..40 {
            let len = numbers.len();
            match numbers.below(4) {
                0 => {
                    let data = guarded(len, numbers.below(64), |data| arc4.apply(data));
                    assert_eq!(data, whole[at..at + len]);
                }
                1 => {
                    let text = text(len);
                    let data = guarded(len, numbers.below(64), |data| {
                        data.fill(3);
                        arc4.apply_to(&text, data).unwrap();
                    });
                    assert_eq!(data, whole[at..at + len]);
                }
                2 => arc4.skip(len),
                _ => {
                    let result = arc4.apply_to(&[1], &mut []);
                    assert_eq!(result, Err(StreamError::BufferLengths));
                    continue;
                }
            }
            at += len;
        }
        // Empty after a refused key, and keyed anew from the first byte.
        assert_eq!(slot.init(&[]).unwrap_err(), KeyError::Length);
        assert!(slot.cipher().is_none());
    }
}

#[test]
fn debug_does_not_depend_on_the_key() {
    let texts = [1, 0x42].map(|byte| {
        let (arc4, salsa20) = (Arc4::new(&[byte; 16]), Salsa20::<20>::new(&[byte; 16]).unwrap());
        let mut keystream = salsa20.keystream(&[byte; 8]);
        keystream.apply(&mut [0; 3]).unwrap();
        format!("{arc4:?} {salsa20:?} {keystream:?}")
    });
    assert_eq!(texts[0], texts[1]);
    assert!(!texts[0].contains("0x"));
    for part in ["Arc4", "Salsa20<20>", "Salsa20Keystream { position: 3"] {
        assert!(texts[0].contains(part), "{}", texts[0]);
    }
    for error in [StreamError::BufferLengths, StreamError::EndOfKeystream] {
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn types_have_the_traits_that_users_count_on() {
    fn secret<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + Debug + ZeroizeOnDrop>() {}
    secret::<Arc4>();
    secret::<Salsa20>();
    secret::<Salsa20<8>>();
    secret::<Salsa20Keystream<'_>>();
}

#[test]
fn each_error_and_kernel_has_a_text() {
    testkit::texts_differ(&[&StreamError::BufferLengths, &StreamError::EndOfKeystream]);
    let kernels: Vec<_> = cinder_stream::Kernel::available().collect();
    testkit::texts_differ(&kernels.iter().map(|kernel| kernel as _).collect::<Vec<_>>());
}
