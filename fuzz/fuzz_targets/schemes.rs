//! The schemes of the crate `aead` against RustCrypto's; forged messages too.
#![no_main]

use cinder_aead::{Aead, Ccm, ChaCha20Poly1305, Eax, Error, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use cinder_block::{Aes128, Slot};
use cinder_fuzz::Input;
use rc_aead::array::typenum::Unsigned;
use rc_aead::{AeadInOut, Key, KeyInit};
use rc_cipher::consts::{U8, U13, U16};
use vectors::Registry;
use vectors::registry::{Cipher16, Keyed, Params};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let [scheme, kernel] = [input.byte(), input.byte()];
    let mut key = [0; 32];
    let given = input.bytes(32);
    key[..given.len()].copy_from_slice(given);
    let half = key.as_chunks::<16>().0[0];
    let aes = |key: &[u8]| aes(key, kernel);
    match scheme % 9 {
        0 => judge(
            input,
            &Ccm::<_, 16>::new(aes(&half)),
            &peer::<rc_ccm::Ccm<rc_aes::Aes128, U16, U13>>(&half),
        ),
        1 => judge(
            input,
            &Ccm::<_, 8>::new(aes(&half)),
            &peer::<rc_ccm::Ccm<rc_aes::Aes128, U8, U13>>(&half),
        ),
        2 => judge(
            input,
            &Eax::<_, 16>::new(aes(&half)),
            &peer::<rc_eax::Eax<rc_aes::Aes128>>(&half),
        ),
        3 => judge(
            input,
            &Ocb3::<_, 16>::new(aes(&half)),
            &peer::<rc_ocb3::Ocb3<rc_aes::Aes128>>(&half),
        ),
        4 => {
            let siv = Siv::new(aes(&half), aes(&key[16..]));
            judge(input, &siv, &peer::<rc_aes_siv::Aes128SivAead>(&key));
        }
        5 => {
            let mut slot = Slot::<GcmSiv<Aes128>>::empty();
            let siv = slot.init(&half).expect("16 bytes");
            judge(input, &*siv, &peer::<rc_aes_gcm_siv::Aes128GcmSiv>(&half));
        }
        6 | 7 => {
            let kernels: Vec<_> = cinder_stream::Kernel::available().collect();
            let mut slot = Slot::<ChaCha20Poly1305>::empty();
            let kernel = kernels[kernel % kernels.len()];
            let aead =
                slot.init_with(|aead| aead.rekey_with_kernel(&key, kernel)).expect("32 bytes");
            judge(input, &*aead, &peer::<rc_chacha20poly1305::ChaCha20Poly1305>(&key));
        }
        _ => {
            let kernels: Vec<_> = cinder_stream::Kernel::available().collect();
            let mut slot = Slot::<XChaCha20Poly1305>::empty();
            let kernel = kernels[kernel % kernels.len()];
            let aead =
                slot.init_with(|aead| aead.rekey_with_kernel(&key, kernel)).expect("32 bytes");
            judge(input, &*aead, &peer::<rc_chacha20poly1305::XChaCha20Poly1305>(&key));
        }
    }
});

/// AES on one of its kernels.
fn aes(key: &[u8], kernel: usize) -> Box<Cipher16> {
    let registry = Registry::project();
    let entry = registry.blocks.iter().find(|entry| entry.cipher.name() == "AES").expect("has AES");
    let params = Params { key, bits: None, allow_weak: true };
    match entry.build(&params, kernel % entry.kernels.len()) {
        Ok(Keyed::Wide(cipher)) => cipher,
        _ => unreachable!("blocks of 16 bytes, and a key that it takes"),
    }
}

fn peer<P: KeyInit>(key: &[u8]) -> P {
    P::new(&Key::<P>::try_from(key).expect("a key of its length"))
}

/// Both seal alike, and ours opens that, but nothing with one bit changed.
fn judge<const T: usize, P: AeadInOut>(mut input: Input<'_>, ours: &dyn Aead<T>, theirs: &P) {
    let (place, bit) = (input.byte(), 1 << (input.byte() % 8));
    let mut nonce = input.bytes(P::NonceSize::USIZE).to_vec();
    nonce.resize(P::NonceSize::USIZE, 0);
    let (mut aad, text) = (input.counted().to_vec(), input.0);
    let (mut sealed, mut expected, mut tag) = (text.to_vec(), text.to_vec(), [0; T]);
    ours.seal_in_place(&nonce, &aad, &mut sealed, &mut tag).expect("lengths that it takes");
    let their_nonce = rc_aead::Nonce::<P>::try_from(&*nonce).expect("of its length");
    let their_tag = theirs
        .encrypt_inout_detached(&their_nonce, &aad, (&mut *expected).into())
        .expect("lengths that it takes");
    assert_eq!((&sealed, &tag[..]), (&expected, &*their_tag));
    let mut apart = vec![0; text.len()];
    let mut tag_apart = [0; T];
    ours.seal(&nonce, &aad, text, &mut apart, &mut tag_apart).expect("it has been sealed in place");
    assert_eq!((&apart, tag_apart), (&sealed, tag));

    let mut opened = sealed.clone();
    assert_eq!(ours.open_in_place(&nonce, &aad, &mut opened, &tag), Ok(()));
    assert_eq!(opened, text);
    let mut bytes = tag.iter_mut().chain(&mut nonce).chain(&mut aad).chain(&mut sealed);
    match bytes.nth(place) {
        Some(byte) => *byte ^= bit,
        None => tag[0] ^= bit,
    }
    // The IV of SIV has two bits that are not used as such; a changed one is refused all the same.
    let mut opened = sealed.clone();
    assert_eq!(ours.open_in_place(&nonce, &aad, &mut opened, &tag), Err(Error::Unverified));
    assert_eq!(opened, sealed);
    assert_eq!(ours.open(&nonce, &aad, &sealed, &mut opened, &tag), Err(Error::Unverified));
    assert!(opened.iter().all(|byte| *byte == 0));
}
