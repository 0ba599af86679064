//! How a message ends: paddings and ciphertext stealing.

mod common;

use cinder_modes::{
    CounterError, LengthError, Padding, PaddingError, Stealing, UnwrapError, cbc, ecb,
};
use common::{Identity, Toy, model};
use proptest::prelude::*;

const ALL: [Padding; 5] =
    [Padding::Pkcs7, Padding::Iso7816, Padding::AnsiX923, Padding::Zero, Padding::None];

/// What is at the end of a padded message, as the documents write it.
fn padded<const N: usize>(padding: Padding, message: &[u8]) -> Option<Vec<u8>> {
    let count = N - message.len() % N;
    let mut out = message.to_vec();
    match padding {
        Padding::Pkcs7 => out.extend(vec![count as u8; count]),
        Padding::Iso7816 => {
            out.push(0x80);
            out.extend(vec![0; count - 1]);
        }
        Padding::AnsiX923 => {
            out.extend(vec![0; count - 1]);
            out.push(count as u8);
        }
        Padding::Zero => out.extend(vec![0; count % N]),
        Padding::None if count == N => {}
        _ => return None,
    }
    Some(out)
}

/// Every message that pads to the given one; the shortest but none if there is none.
fn unpadded<const N: usize>(padding: Padding, data: &[u8]) -> Option<usize> {
    let shortest = data.len().saturating_sub(N);
    (shortest..=data.len()).find(|len| padded::<N>(padding, &data[..*len]).as_deref() == Some(data))
}

#[test]
fn every_length() {
    fn check<const N: usize>(toy: &Toy<N>) {
        let iv = [0x77; N];
        for padding in ALL {
            for len in 0..3 * N + 2 {
                let message: Vec<u8> = (1..=len as u8).collect();
                let Some(expected) = padded::<N>(padding, &message) else {
                    let mut buffer = vec![1; 4 * N];
                    let result = ecb::Encryptor::new(toy).encrypt_padded(padding, &mut buffer, len);
                    assert_eq!(result, Err(LengthError::Partial));
                    assert_eq!(buffer, vec![1; 4 * N]);
                    continue;
                };
                assert_eq!(padding.padded_len(len, N), Ok(expected.len()));
                let total = expected.len();
                let expected_ecb = model::ecb_encrypt(toy, &expected);
                let expected_cbc = model::cbc_encrypt(toy, &iv, &expected);

                // In place, with room to spare, which stays.
                let mut buffer = message.clone();
                buffer.resize(total + 5, 0xee);
                let mut encryptor = ecb::Encryptor::new(toy);
                let ciphertext = encryptor.encrypt_padded(padding, &mut buffer, len).unwrap();
                assert_eq!(ciphertext, expected_ecb);
                let mut decryptor = ecb::Decryptor::new(toy);
                assert_eq!(decryptor.decrypt_padded(padding, ciphertext).unwrap(), message);
                assert_eq!(buffer[total..], [0xee; 5]);

                let mut buffer = message.clone();
                buffer.resize(total + 5, 0xee);
                let mut encryptor = cbc::Encryptor::new(toy, &iv);
                let ciphertext = encryptor.encrypt_padded(padding, &mut buffer, len).unwrap();
                assert_eq!(ciphertext, expected_cbc);
                let mut decryptor = cbc::Decryptor::new(toy, &iv);
                assert_eq!(decryptor.decrypt_padded(padding, ciphertext).unwrap(), message);

                // Buffer to buffer.
                let mut output = vec![0xdd; total + 5];
                let mut plain = vec![0xcc; total + 5];
                let ciphertext = ecb::Encryptor::new(toy)
                    .encrypt_padded_to(padding, &message, &mut output)
                    .unwrap();
                assert_eq!(ciphertext, expected_ecb);
                let found = ecb::Decryptor::new(toy)
                    .decrypt_padded_to(padding, ciphertext, &mut plain)
                    .unwrap();
                assert_eq!(found, message);
                let ciphertext = cbc::Encryptor::new(toy, &iv)
                    .encrypt_padded_to(padding, &message, &mut output)
                    .unwrap();
                assert_eq!(ciphertext, expected_cbc);
                let found = cbc::Decryptor::new(toy, &iv)
                    .decrypt_padded_to(padding, ciphertext, &mut plain)
                    .unwrap();
                assert_eq!(found, message);
                assert_eq!(output[total..], [0xdd; 5]);
                assert_eq!(plain[total..], [0xcc; 5]);

                // One byte too little.
                if total == 0 {
                    continue;
                }
                let mut small = vec![0xbb; total - 1];
                let (buffer, none) = (Err(LengthError::Buffer), PaddingError::Length);
                assert_eq!(
                    ecb::Encryptor::new(toy).encrypt_padded(padding, &mut small, len),
                    buffer
                );
                assert_eq!(
                    cbc::Encryptor::new(toy, &iv).encrypt_padded(padding, &mut small, len),
                    buffer
                );
                assert_eq!(
                    cbc::Encryptor::new(toy, &iv).encrypt_padded_to(padding, &message, &mut small),
                    buffer
                );
                assert_eq!(
                    cbc::Decryptor::new(toy, &iv).decrypt_padded_to(
                        padding,
                        &expected_cbc,
                        &mut small
                    ),
                    Err(none(LengthError::Buffer))
                );
                assert_eq!(small, vec![0xbb; total - 1]);
            }
        }
    }
    check(&Toy { key: [0x61; 8] });
    check(&Toy { key: [0x16; 16] });
}

/// A streamed beginning, whole blocks, and a padded end are one message.
#[test]
fn stream_then_finish() {
    let toy = Toy { key: *b"some key" };
    let message = b"sixteen bytes...and some";
    let mut one = [0; 32];
    cbc::Encryptor::new(&toy, &[1; 8])
        .encrypt_padded_to(Padding::Pkcs7, message, &mut one)
        .unwrap();
    let mut two = [0; 32];
    two[..24].copy_from_slice(message);
    let mut encryptor = cbc::Encryptor::new(&toy, &[1; 8]);
    encryptor.encrypt(&mut two[..16]).unwrap();
    encryptor.encrypt_padded(Padding::Pkcs7, &mut two[16..], 8).unwrap();
    assert_eq!(one, two);
    let mut decryptor = cbc::Decryptor::new(&toy, &[1; 8]);
    decryptor.decrypt(&mut two[..16]).unwrap();
    assert_eq!(decryptor.decrypt_padded(Padding::Pkcs7, &mut two[16..]).unwrap(), b"and some");
}

fn check_unpadding<const N: usize>(padding: Padding, data: &[u8]) {
    let expected = unpadded::<N>(padding, data);
    let mut buffer = data.to_vec();
    let mut decryptor = ecb::Decryptor::<_, N>::new(Identity);
    let found = decryptor.decrypt_padded(padding, &mut buffer).map(|message| message.len());
    match expected {
        Some(len) => assert_eq!(found, Ok(len), "{padding:?} {data:x?}"),
        None => {
            assert_eq!(found, Err(PaddingError::Padding), "{padding:?} {data:x?}");
            assert!(buffer.iter().all(|byte| *byte == 0), "something is left");
        }
    }
    let mut output = vec![0xee; data.len() + 1];
    let found = decryptor.decrypt_padded_to(padding, data, &mut output);
    assert_eq!(found.map(|message| message.len()), expected.ok_or(PaddingError::Padding));
    assert_eq!(output.pop(), Some(0xee));
    assert!(expected.is_some() || output.iter().all(|byte| *byte == 0), "something is left");
}

/// `Zero` strips up to N - 1 zeros, so it never refuses, and agrees with the shortest message that
/// pads to the data. The others are refused unless some message pads to the data.
#[test]
fn unpadding_every_short_tail() {
    for last in 0..=255 {
        for filler in [0, 1, 8, 0x10, 0x80, last] {
            for wrong in 0..16 {
                let mut data = [filler; 32];
                data[31] = last;
                data[16 + wrong] ^= 0x80;
                for padding in ALL {
                    check_unpadding::<16>(padding, &data);
                    check_unpadding::<8>(padding, &data[..24]);
                    check_unpadding::<8>(padding, &data);
                }
                data[16 + wrong] ^= 0x81;
                for padding in ALL {
                    check_unpadding::<16>(padding, &data[16..]);
                    check_unpadding::<8>(padding, &data);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn unpadding_equals_its_definition(
        padding in prop::sample::select(&ALL[..]),
        data in prop::collection::vec(prop_oneof![Just(0u8), Just(0x80), 1u8..=17, any::<u8>()], 16..=16),
        tail in prop::sample::select(vec![0u8, 1, 3, 8, 16, 0x80]), from in 0usize..16,
    ) {
        let mut data = data;
        data[from..].fill(tail);
        check_unpadding::<16>(padding, &data);
        check_unpadding::<8>(padding, &data);
    }
}

#[test]
fn lengths_that_no_padding_makes() {
    let toy = Toy { key: *b"some key" };
    for padding in ALL {
        let mut data = [0x5a; 9];
        let partial = Err(PaddingError::Length(LengthError::Partial));
        assert_eq!(cbc::Decryptor::new(&toy, &[0; 8]).decrypt_padded(padding, &mut data), partial);
        assert_eq!(ecb::Decryptor::<_, 8>::new(&toy).decrypt_padded(padding, &mut data), partial);
        let mut output = [0x5a; 9];
        let mut decryptor = cbc::Decryptor::new(&toy, &[0; 8]);
        assert_eq!(decryptor.decrypt_padded_to(padding, &data, &mut output), partial);
        assert_eq!((data, output), ([0x5a; 9], [0x5a; 9]));

        let empty = decryptor.decrypt_padded(padding, &mut []).map(|message| message.len());
        let expected = match padding {
            Padding::Zero | Padding::None => Ok(0),
            _ => Err(PaddingError::Length(LengthError::Short)),
        };
        assert_eq!(empty, expected);
    }
    assert_eq!(Padding::Pkcs7.padded_len(usize::MAX, 16), Err(LengthError::Long));
    assert_eq!(Padding::Pkcs7.padded_len(1, 0), Err(LengthError::Partial));
}

#[test]
fn stealing_every_length() {
    fn check<const N: usize>(toy: &Toy<N>) {
        let iv = [0x77; N];
        for len in N..5 * N + 1 {
            let message: Vec<u8> = (1..=len as u8).collect();
            let cs1 = model::cs1_encrypt(toy, &iv, &message);
            // CS2 and CS3: the last two in the other order.
            let d = (len - 1) % N + 1;
            let mut swapped = cs1.clone();
            if len > N {
                swapped[len - N - d..].rotate_left(d);
            }
            let cs2 = if d == N { &cs1 } else { &swapped };
            for (stealing, expected) in
                [(Stealing::Cs1, &cs1), (Stealing::Cs2, cs2), (Stealing::Cs3, &swapped)]
            {
                let mut data = message.clone();
                cbc::Encryptor::new(toy, &iv).encrypt_stealing(stealing, &mut data).unwrap();
                assert_eq!(&data, expected, "{stealing:?} {len}");
                let mut other = vec![0; len];
                cbc::Encryptor::new(toy, &iv)
                    .encrypt_stealing_to(stealing, &message, &mut other)
                    .unwrap();
                assert_eq!(&other, expected, "{stealing:?} {len}");
                cbc::Decryptor::new(toy, &iv)
                    .decrypt_stealing_to(stealing, expected, &mut other)
                    .unwrap();
                assert_eq!(other, message, "{stealing:?} {len}");
                cbc::Decryptor::new(toy, &iv).decrypt_stealing(stealing, &mut data).unwrap();
                assert_eq!(data, message, "{stealing:?} {len}");

                // After a streamed beginning.
                let begun = (len - 1) / N * N - N * usize::from(len > N);
                if begun > 0 {
                    let mut data = message.clone();
                    let mut encryptor = cbc::Encryptor::new(toy, &iv);
                    encryptor.encrypt(&mut data[..begun]).unwrap();
                    encryptor.encrypt_stealing(stealing, &mut data[begun..]).unwrap();
                    assert_eq!(&data, expected, "{stealing:?} {len}");
                    let mut decryptor = cbc::Decryptor::new(toy, &iv);
                    decryptor.decrypt(&mut data[..begun]).unwrap();
                    decryptor.decrypt_stealing(stealing, &mut data[begun..]).unwrap();
                    assert_eq!(data, message, "{stealing:?} {len}");
                }
            }
        }
    }
    check(&Toy { key: [0x61; 8] });
    check(&Toy { key: [0x16; 16] });
}

#[test]
fn stealing_refused() {
    let toy = Toy { key: [9; 16] };
    let iv = [0; 16];
    let mut data = [0x5a; 15];
    let mut output = [0x5b; 15];
    for stealing in [Stealing::Cs1, Stealing::Cs2, Stealing::Cs3] {
        let mut encryptor = cbc::Encryptor::new(&toy, &iv);
        let mut decryptor = cbc::Decryptor::new(&toy, &iv);
        let (short, unequal) = (Err(LengthError::Short), Err(LengthError::Unequal));
        assert_eq!(encryptor.encrypt_stealing(stealing, &mut data), short);
        assert_eq!(decryptor.decrypt_stealing(stealing, &mut data), short);
        assert_eq!(encryptor.encrypt_stealing_to(stealing, &data, &mut output), short);
        assert_eq!(decryptor.decrypt_stealing_to(stealing, &data, &mut output), short);
        assert_eq!(encryptor.encrypt_stealing_to(stealing, &[0; 16], &mut output), unequal);
        assert_eq!(decryptor.decrypt_stealing_to(stealing, &[0; 16], &mut output), unequal);
        assert_eq!((data, output), ([0x5a; 15], [0x5b; 15]));
        assert_eq!((encryptor.chain(), decryptor.chain()), (&iv, &iv));
    }
}

#[test]
fn each_error_has_a_text() {
    use LengthError::{Buffer, Long, Partial, Short, Unequal};
    let lengths = [Partial, Unequal, Buffer, Short, Long];
    testkit::texts_differ(&[
        &Partial,
        &Unequal,
        &Buffer,
        &Short,
        &Long,
        &CounterError::Width,
        &CounterError::Exhausted,
        &PaddingError::Padding,
        &UnwrapError,
    ]);
    // What is wrong with a length reads the same wherever it is found.
    for error in lengths {
        assert_eq!(CounterError::from(error).to_string(), error.to_string());
        assert_eq!(PaddingError::from(error).to_string(), error.to_string());
    }
}
