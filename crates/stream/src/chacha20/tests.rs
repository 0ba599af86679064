//! ChaCha20 and XChaCha20: each kernel against single blocks, cuts, ends, and examples of the RFC.

use super::*;

fn with(kernel: Kernel, key: &[u8; 32]) -> ChaCha20 {
    let mut chacha20 = by_value::<ChaCha20>(|_| Ok(Depth::NONE)).unwrap();
    cinder_burn::burn(chacha20.rekey_with_kernel(key, kernel).unwrap());
    assert_eq!(chacha20.kernel(), kernel);
    chacha20
}

/// RFC 8439, section 2.4.2: the first 16 bytes of the ciphertext, from the block 1.
#[test]
fn rfc_8439() {
    let key = core::array::from_fn(|i| i as u8);
    for kernel in Kernel::available() {
        let chacha20 = with(kernel, &key);
        let mut nonce = [0; 12];
        nonce[7] = 0x4a;
        let mut data = *b"Ladies and Gentl";
        let mut keystream = chacha20.keystream(&nonce);
        keystream.seek(64).unwrap();
        keystream.apply(&mut data).unwrap();
        assert_eq!(u128::from_be_bytes(data), 0x6e2e359a2568f98041ba0728dd0d6981, "{kernel}");
    }
}

/// Every length around the widths of the kernels, from a counter that is about to wrap.
#[test]
fn kernels_agree() {
    let (key, nonce) = ([7; 32], [9; 12]);
    for first in [0, 1, u32::MAX - 5] {
        let mut expected = [0; 5000];
        for (number, block) in (0..).zip(expected.chunks_mut(BLOCK)) {
            let portable = with(Kernel::Portable, &key);
            cinder_burn::burn(portable.xor(&nonce, first.wrapping_add(number), block));
        }
        for kernel in Kernel::available() {
            let chacha20 = with(kernel, &key);
            for len in (0..200).chain((200..1300).step_by(13)).chain([1023, 1024, 1025, 1536, 5000])
            {
                let mut data = [0x5a; 5000];
                cinder_burn::burn(chacha20.xor(&nonce, first, &mut data[..len]));
                let right = |(data, expected): (&u8, &u8)| data ^ 0x5a == *expected;
                assert!(data[..len].iter().zip(&expected).all(right), "{kernel} {len}");
                assert!(data[len..].iter().all(|byte| *byte == 0x5a), "{kernel} {len}");
            }
        }
    }
}

#[test]
fn any_cut_and_seek_agree() {
    for kernel in Kernel::available() {
        let chacha20 = with(kernel, &[3; 32]);
        let mut expected = [0; 1500];
        cinder_burn::burn(chacha20.xor(&[1; 12], 0, &mut expected));
        for cut in (0..=1500).step_by(11) {
            let mut stream = [0; 1500];
            let mut keystream = chacha20.keystream(&[1; 12]);
            keystream.apply_to(&[0; 1500][..cut], &mut stream[..cut]).unwrap();
            assert_eq!(keystream.position(), cut as u64);
            keystream.apply(&mut stream[cut..]).unwrap();
            assert_eq!(stream, expected);

            let mut sought = [0; 30];
            keystream.seek(cut as u64).unwrap();
            let len = 30.min(1500 - cut);
            keystream.apply(&mut sought[..len / 2]).unwrap();
            keystream.apply(&mut sought[len / 2..len]).unwrap();
            assert_eq!(sought[..len], expected[cut..cut + len]);
        }
    }
}

#[test]
fn the_keystream_ends() {
    let chacha20 = ChaCha20::new(&[3; 32]).unwrap();
    let mut keystream = chacha20.keystream(&[0; 12]);
    assert_eq!(keystream.seek(END + 1), Err(StreamError::EndOfKeystream));
    keystream.seek(END - 300).unwrap();
    let mut data = [9; 301];
    assert_eq!(keystream.apply(&mut data), Err(StreamError::EndOfKeystream));
    let mut output = [8; 301];
    assert_eq!(keystream.apply_to(&data, &mut output), Err(StreamError::EndOfKeystream));
    assert_eq!((data, output), ([9; 301], [8; 301]));
    keystream.apply(&mut data[..300]).unwrap();
    assert_eq!(keystream.position(), END);
    assert_eq!(keystream.apply(&mut data[..1]), Err(StreamError::EndOfKeystream));
    keystream.apply(&mut []).unwrap();
    assert_eq!(keystream.apply_to(&[0; 1], &mut []), Err(StreamError::BufferLengths));
}

/// The nonce's first 16 bytes give the key, the last 8 the nonce.
#[test]
fn xchacha20_is_chacha20_under_a_derived_key() {
    let nonce = core::array::from_fn(|i| i as u8);
    let mut xchacha20 = XChaCha20::new(&[5; 32]).unwrap();
    let mut data = [0; 300];
    xchacha20.keystream(&nonce).apply(&mut data).unwrap();
    let mut again = [0; 300];
    xchacha20.keystream(&[1; 24]).apply(&mut [0; 3]).unwrap();
    xchacha20.keystream(&nonce).apply(&mut again).unwrap();
    assert_eq!(data, again);

    let mut subkey = ChaCha20::new(&[0; 32]).unwrap();
    let key = ChaCha20::new(&[5; 32]).unwrap();
    cinder_burn::burn(key.derive(&core::array::from_fn(|i| i as u8), &mut subkey));
    subkey.keystream(&[0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23]).apply(&mut again).unwrap();
    assert_eq!(again, [0; 300]);
}

#[test]
fn key_lengths() {
    for len in (0..40).filter(|len| *len != 32) {
        assert_eq!(ChaCha20::new(&[0; 40][..len]).unwrap_err(), KeyError::Length);
        assert_eq!(XChaCha20::new(&[0; 40][..len]).unwrap_err(), KeyError::Length);
    }
}
