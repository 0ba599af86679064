//! Authenticated encryption of both generations: RustCrypto's `aes-gcm` over our ciphers, and ours
//! under its traits, agree, and so do GCM-SIV and ChaCha20-Poly1305; the other schemes are Cinder's.
#![cfg(all(feature = "all", feature = "aead05", feature = "aead06"))]

use cinder_block::Slot;
use cinder_rustcrypto::{self as ours};

const LENGTHS: &[usize] = &[0, 1, 15, 16, 17, 100, 300, 4113];

fn bytes(len: usize, seed: u8) -> Vec<u8> {
    (0..len).map(|i| (i as u8).wrapping_mul(31).wrapping_add((i >> 8) as u8) ^ seed).collect()
}

/// One generation: the module with its traits, and its `aes-gcm`, `aes`, `aes-gcm-siv` and
/// `chacha20poly1305`.
macro_rules! generation {
    ($generation:ident, $gcm:ident, $aes:ident, $siv:ident, $chacha:ident) => {
        mod $generation {
            use super::*;
            use cinder_rustcrypto::$generation::aead::consts::U12;
            use cinder_rustcrypto::$generation::aead::{Aead, Key, KeyInit, Nonce, Payload};

            type Theirs<Aes> = $gcm::AesGcm<Aes, U12>;

            fn key<T: KeyInit>() -> Key<T> {
                let mut key = Key::<T>::default();
                key.iter_mut().zip(1u8..).for_each(|(byte, i)| *byte = i.wrapping_mul(37));
                key
            }

            fn nonce<T: Aead>() -> Nonce<T> {
                let mut nonce = Nonce::<T>::default();
                nonce.iter_mut().zip(1u8..).for_each(|(byte, i)| *byte = i.wrapping_mul(91));
                nonce
            }

            /// Sealed messages, each of which opens, and of which none opens if a byte of it, of the
            /// nonce or of the additional data is another.
            fn sealed<T: KeyInit + Aead>() -> Vec<Vec<u8>> {
                let (key, nonce) = (key::<T>(), nonce::<T>());
                let scheme = T::new(&key);
                let seal = |&len: &usize| {
                    let (msg, aad) = (&bytes(len, 1)[..], &bytes(len % 40, 2)[..]);
                    let mut sealed = scheme.encrypt(&nonce, Payload { msg, aad }).unwrap();
                    let open = |sealed: &[u8], nonce: &_, aad: &[u8]| {
                        T::new_from_slice(&key)
                            .unwrap()
                            .decrypt(nonce, Payload { msg: sealed, aad })
                    };
                    assert_eq!(open(&sealed, &nonce, aad).unwrap(), msg);
                    assert!(open(&sealed, &nonce, b"another").is_err());
                    assert!(open(&sealed[1..], &nonce, aad).is_err());
                    assert!(open(&[], &nonce, aad).is_err());
                    let mut other = nonce.clone();
                    other[0] ^= 1;
                    assert!(open(&sealed, &other, aad).is_err());
                    for i in [0, sealed.len() / 2, sealed.len() - 1] {
                        sealed[i] ^= 1;
                        assert!(open(&sealed, &nonce, aad).is_err());
                        sealed[i] ^= 1;
                    }
                    sealed
                };
                LENGTHS.iter().map(seal).collect()
            }

            /// The same by Cinder's own interface.
            fn cinders<T: KeyInit + Aead, S, const TAG: usize>(is_prefix: bool) -> Vec<Vec<u8>>
            where
                S: cinder_block::InPlace + cinder_aead::Aead<TAG>,
            {
                let mut slot = Slot::<S>::empty();
                let scheme = slot.init(&key::<T>()).unwrap();
                let seal = |&len: &usize| {
                    let (mut data, aad, mut tag) = (bytes(len, 1), bytes(len % 40, 2), [0; TAG]);
                    scheme.seal_in_place(&nonce::<T>(), &aad, &mut data, &mut tag).unwrap();
                    if is_prefix { [&tag[..], &data].concat() } else { [&data, &tag[..]].concat() }
                };
                LENGTHS.iter().map(seal).collect()
            }

            #[test]
            fn gcm_agrees() {
                let theirs = sealed::<Theirs<$aes::Aes128>>();
                assert!(sealed::<Theirs<ours::Aes128>>() == theirs);
                assert!(sealed::<Theirs<ours::Aes128Enc>>() == theirs);
                assert!(sealed::<ours::Aes128Gcm>() == theirs);
                let theirs = sealed::<Theirs<$aes::Aes256>>();
                assert!(sealed::<Theirs<ours::Aes256>>() == theirs);
                assert!(sealed::<ours::Aes256Gcm>() == theirs);
                let theirs = sealed::<Theirs<ours::Twofish>>();
                assert!(sealed::<ours::Gcm<ours::Twofish>>() == theirs);
            }

            #[test]
            fn gcm_siv_agrees() {
                assert!(sealed::<ours::Aes128GcmSiv>() == sealed::<$siv::Aes128GcmSiv>());
                assert!(sealed::<ours::Aes256GcmSiv>() == sealed::<$siv::Aes256GcmSiv>());
            }

            #[test]
            fn chacha20_poly1305_agrees() {
                use $chacha::{ChaCha20Poly1305, XChaCha20Poly1305};
                assert!(sealed::<ours::ChaCha20Poly1305>() == sealed::<ChaCha20Poly1305>());
                assert!(sealed::<ours::XChaCha20Poly1305>() == sealed::<XChaCha20Poly1305>());
            }

            #[test]
            fn the_others_are_cinders() {
                use cinder_aead as aead;
                use cinder_block::{Aes128, Aes256};
                use ours::{Ccm, Eax, Ocb3, Siv};

                type A = ours::Aes128;
                type B = ours::Aes256;
                assert!(
                    sealed::<Ccm<A, 16, 12>>()
                        == cinders::<Ccm<A, 16, 12>, aead::Ccm<Aes128, 16>, 16>(false)
                );
                assert!(
                    sealed::<Ccm<B, 16, 13>>()
                        == cinders::<Ccm<B, 16, 13>, aead::Ccm<Aes256, 16>, 16>(false)
                );
                assert!(
                    sealed::<Ccm<A, 8, 12>>()
                        == cinders::<Ccm<A, 8, 12>, aead::Ccm<Aes128, 8>, 8>(false)
                );
                assert!(
                    sealed::<Ccm<A, 8>>() == cinders::<Ccm<A, 8>, aead::Ccm<Aes128, 8>, 8>(false)
                );
                assert!(
                    sealed::<Ccm<A, 4>>() == cinders::<Ccm<A, 4>, aead::Ccm<Aes128, 4>, 4>(false)
                );
                assert!(sealed::<Eax<A>>() == cinders::<Eax<A>, aead::Eax<Aes128, 16>, 16>(false));
                assert!(
                    sealed::<Ocb3<A>>() == cinders::<Ocb3<A>, aead::Ocb3<Aes128, 16>, 16>(false)
                );
                assert!(
                    sealed::<Ocb3<B, 15>>()
                        == cinders::<Ocb3<B, 15>, aead::Ocb3<Aes256, 16>, 16>(false)
                );
                assert!(sealed::<Siv<A>>() == cinders::<Siv<A>, aead::Siv<Aes128>, 16>(true));
                assert!(
                    sealed::<ours::Aes256SivAead>()
                        == cinders::<Siv<B>, aead::Siv<Aes256>, 16>(true)
                );
            }
        }
    };
}

generation!(aead05, aes_gcm10, aes08, aes_gcm_siv11, chacha20poly1305_10);
generation!(aead06, aes_gcm11, aes09, aes_gcm_siv12, chacha20poly1305_11);

#[test]
fn both_generations_agree() {
    use cinder_rustcrypto::{aead05::aead as old, aead06::aead as new};
    let sealed = <ours::Aes128Gcm as old::KeyInit>::new(&[1; 16].into());
    let sealed = old::Aead::encrypt(&sealed, &[2; 12].into(), &b"attack at dawn"[..]).unwrap();
    let opened = <ours::Aes128Gcm as new::KeyInit>::new(&[1; 16].into());
    let opened = new::Aead::decrypt(&opened, &[2; 12].into(), &sealed[..]).unwrap();
    assert_eq!(opened, b"attack at dawn");
}
