//! GHASH under both generations of `universal-hash` is Cinder's.
#![cfg(all(feature = "universal-hash05", feature = "universal-hash06"))]

use cinder_ghash::{Ghash, GhashKey};
use cinder_rustcrypto::GHash;

#[test]
fn both_generations_agree_with_cinder() {
    let key = GhashKey::new(b"0123456789abcdef");
    for len in [0, 1, 15, 16, 17, 127, 128, 129, 1000] {
        let text: Vec<u8> = (0..len).map(|i| i as u8).collect();
        let (mut hash, mut expected) = (Ghash::new(&key), [0; 16]);
        cinder_burn::burn(hash.update_padded(&text));
        hash.tag(&mut expected);
        {
            use cinder_rustcrypto::universal_hash05::universal_hash::{
                KeyInit, Reset, UniversalHash,
            };
            let mut ours = GHash::new(b"0123456789abcdef".into());
            ours.update_padded(b"something else");
            ours.reset();
            ours.update_padded(&text);
            assert_eq!(ours.finalize()[..], expected);
        }
        {
            use cinder_rustcrypto::universal_hash06::universal_hash::{KeyInit, UniversalHash};
            let mut ours = GHash::new(b"0123456789abcdef".into());
            ours.update_padded(&text);
            assert_eq!(ours.finalize().0, expected);
            let mut ours = GHash::new(b"0123456789abcdef".into());
            ours.update_padded(&text);
            assert!(ours.verify(&expected.into()).is_ok());
        }
    }
}
