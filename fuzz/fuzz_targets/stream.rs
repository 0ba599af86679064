//! ARCFOUR, Salsa20, ChaCha20 and XChaCha20 against RustCrypto, in pieces and from any place.
#![no_main]

use cinder_fuzz::Input;
use cinder_stream::{Arc4, ChaCha20, ChaCha20Keystream, Salsa20, Slot, XChaCha20};
use rc_cipher::{KeyInit, KeyIvInit, StreamCipher, StreamCipherSeek};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (which, at) = (input.byte() % 4, input.bytes(8));
    let (key, nonce, sizes) = (input.counted(), input.bytes([8, 0, 12, 24][which]), input.sizes());
    let (mut ours, mut theirs) = (input.0.to_vec(), input.0.to_vec());
    // ChaCha20 has 2^38 bytes of keystream.
    let at_bytes = at.try_into().map_or(0, u64::from_le_bytes);
    let at_chacha20 = at_bytes % ((1 << 38) - (1 << 20));
    if which == 0 {
        let mut slot = Slot::<Salsa20>::empty();
        let (Ok(cipher), Ok(nonce)) = (slot.init(key), <&[u8; 8]>::try_from(nonce)) else { return };
        // RustCrypto has it with 32 bytes of key, and seeks to 64 bits of bytes.
        let Ok(mut peer) = rc_salsa20::Salsa20::new_from_slices(key, nonce) else { return };
        let at = at_bytes >> 1;
        let mut keystream = cipher.keystream(nonce);
        keystream.seek(at.into()).expect("it is not past the end");
        peer.seek(at);
        peer.apply_keystream(&mut theirs);
        pieces(&mut ours, input.0, &sizes, |input, output| match input {
            None => keystream.apply(output),
            Some(input) => keystream.apply_to(input, output),
        });
    } else if which == 2 {
        let mut slot = Slot::<ChaCha20>::empty();
        let (Ok(cipher), Ok(nonce)) = (slot.init(key), <&[u8; 12]>::try_from(nonce)) else {
            return;
        };
        let mut peer = rc_chacha20::ChaCha20::new_from_slices(key, nonce).expect("32 bytes");
        peer.seek(at_chacha20);
        peer.apply_keystream(&mut theirs);
        chacha20(cipher.keystream(nonce), at_chacha20, &mut ours, input.0, &sizes);
    } else if which == 3 {
        let mut slot = Slot::<XChaCha20>::empty();
        let (Ok(cipher), Ok(nonce)) = (slot.init(key), <&[u8; 24]>::try_from(nonce)) else {
            return;
        };
        let mut peer = rc_chacha20::XChaCha20::new_from_slices(key, nonce).expect("32 bytes");
        peer.seek(at_chacha20);
        peer.apply_keystream(&mut theirs);
        chacha20(cipher.keystream(nonce), at_chacha20, &mut ours, input.0, &sizes);
    } else {
        let mut slot = Slot::<Arc4>::empty();
        let Ok(cipher) = slot.init(key) else { return };
        let Ok(mut peer) = rc_rc4::Rc4::new_from_slice(key) else { return };
        let skipped = usize::from(at.first().copied().unwrap_or_default());
        cipher.skip(skipped);
        peer.apply_keystream(&mut [0; 256][..skipped]);
        peer.apply_keystream(&mut theirs);
        pieces(&mut ours, input.0, &sizes, |input, output| match input {
            None => {
                cipher.apply(output);
                Ok(())
            }
            Some(input) => cipher.apply_to(input, output),
        });
    }
    assert_eq!(ours, theirs);
});

fn chacha20(
    mut keystream: ChaCha20Keystream<'_>,
    at: u64,
    output: &mut [u8],
    input: &[u8],
    sizes: &[usize],
) {
    keystream.seek(at).expect("it is not past the end");
    pieces(output, input, sizes, |input, output| match input {
        None => keystream.apply(output),
        Some(input) => keystream.apply_to(input, output),
    });
}

/// Calls with pieces of the text, in place and from buffer to buffer by turns.
fn pieces<E: std::fmt::Debug>(
    mut output: &mut [u8],
    mut input: &[u8],
    sizes: &[usize],
    mut call: impl FnMut(Option<&[u8]>, &mut [u8]) -> Result<(), E>,
) {
    for (index, size) in sizes.iter().cycle().enumerate() {
        if input.is_empty() {
            break;
        }
        let (from, input_rest) = input.split_at((*size).min(input.len()));
        let (to, output_rest) = output.split_at_mut(from.len());
        call((index % 2 == 1).then_some(from), to).expect("the keystream is long enough");
        (input, output) = (input_rest, output_rest);
    }
}
