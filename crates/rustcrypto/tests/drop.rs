//! What setting up, using and dropping each type leaves: nothing that depends on the key, on the
//! stack, in registers, or in memory that is given back.
#![cfg(all(
    feature = "all",
    feature = "cipher05",
    feature = "aead06",
    feature = "universal-hash06"
))]

use cinder_rustcrypto::aead06::aead::AeadInOut;
use cinder_rustcrypto::cipher05::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit,
    StreamCipher,
};
use cinder_rustcrypto::universal_hash06::universal_hash::UniversalHash;
use cinder_rustcrypto::*;

#[global_allocator]
static HEAP: cinder_residue::Heap = cinder_residue::Heap;

/// Makes a value of a key of 64 bytes, works with it on a text, and drops it.
fn check<T>(name: &str, make: impl Fn(&[u8; 64]) -> T, work: impl Fn(&mut T, &mut [u8])) {
    if !cinder_residue::supported() {
        return;
    }
    let report = cinder_residue::scan(|trial| {
        let key = trial.key::<64>();
        let mut text = trial.message(1, 320);
        trial.secret("key", &key);
        trial.secret("text", &text);
        let mut value = None;
        trial.watch("set up", || value = Some(make(&key)));
        let mut value = Box::new(value.expect("it is set up"));
        trial.watch("work", || work(&mut value, &mut text));
        trial.public(&text);
        trial.watch("drop", || drop(value));
    });
    assert!(report.is_clean(), "{name}\n{report}");
}

/// A key of the first bytes.
fn key<T: KeyInit>(key: &[u8; 64]) -> T {
    T::new(key[..T::key_size()].try_into().expect("at most 64 bytes"))
}

fn old_key<T: cipher04::cipher::KeyInit>(key: &[u8; 64]) -> T {
    T::new(key[..T::key_size()].into())
}

fn key_iv<T: KeyIvInit>(key: &[u8; 64]) -> T {
    let iv = &[7; 32][..T::iv_size()];
    T::new(key[..T::key_size()].try_into().unwrap(), iv.try_into().unwrap())
}

fn blocks<T: BlockCipherEncrypt>(text: &mut [u8]) -> &mut [cipher05::cipher::Block<T>] {
    cipher05::cipher::Array::slice_as_chunks_mut(text).0
}

fn cipher<T>(name: &str)
where
    T: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt,
    T: cipher04::cipher::KeyInit + cipher04::cipher::BlockEncrypt + cipher04::cipher::BlockDecrypt,
{
    check(name, key::<T>, |cipher, text| {
        let blocks = blocks::<T>(text);
        BlockCipherEncrypt::encrypt_blocks(cipher, blocks);
        BlockCipherEncrypt::encrypt_block(cipher, &mut blocks[0]);
        // Past the methods that take slices: as RustCrypto's modes call it.
        BlockCipherEncrypt::encrypt_blocks(&&*cipher, blocks);
        BlockCipherDecrypt::decrypt_blocks(&&*cipher, blocks);
    });
    check(name, old_key::<T>, |cipher, text| {
        use cinder_rustcrypto::cipher04::cipher::inout::InOutBuf;
        let (mut blocks, _) = InOutBuf::from(text).into_chunks();
        cipher04::cipher::BlockEncrypt::encrypt_blocks_inout(cipher, blocks.reborrow());
        cipher04::cipher::BlockDecrypt::decrypt_blocks_inout(cipher, blocks.reborrow());
        cipher04::cipher::BlockEncrypt::encrypt_block_inout(cipher, blocks.get(0));
    });
}

#[test]
fn ciphers() {
    cipher::<Aes128>("Aes128");
    cipher::<Aes192>("Aes192");
    cipher::<Aes256>("Aes256");
    cipher::<Blowfish>("Blowfish");
    cipher::<Camellia256>("Camellia256");
    cipher::<Cast5>("Cast5");
    cipher::<Des>("Des");
    cipher::<TdesEde2>("TdesEde2");
    cipher::<TdesEde3>("TdesEde3");
    cipher::<Idea>("Idea");
    cipher::<Rc2>("Rc2");
    cipher::<Aria192>("Aria192");
    cipher::<Seed>("Seed");
    cipher::<Serpent>("Serpent");
    cipher::<Twofish>("Twofish");
}

#[test]
fn a_clone() {
    check("clone", key::<Aes256>, |aes, text| aes.clone().encrypt_blocks(blocks::<Aes256>(text)));
}

#[test]
fn block_modes() {
    check(
        "BlockMode, CBC",
        key_iv::<cbc::Encryptor<Aes128>>,
        |mode: &mut BlockMode<_, _, 16>, text| {
            mode.encrypt_blocks(blocks::<Aes128>(text));
            mode.encrypt_block(&mut blocks::<Aes128>(text)[0]);
        },
    );
    check("BlockMode, CFB", key_iv::<cfb::Encryptor<Aes128>>, |mode, text| {
        mode.encrypt_blocks(blocks::<Aes128>(text));
    });
    // The plaintext is what an attacker wants: it is made of a public ciphertext.
    check("decryption", key_iv::<cbc::Decryptor<TdesEde3, 8>>, |mode, text| {
        mode.decrypt_blocks(blocks::<TdesEde3>(text));
    });
}

#[test]
fn streams() {
    let pieces = |stream: &mut dyn FnMut(&mut [u8]), text: &mut [u8]| {
        let (a, b) = text.split_at_mut(77);
        stream(a);
        stream(b);
    };
    check("Ctr", key_iv::<Ctr<Aes256, 16, 16>>, |stream, text| {
        pieces(&mut |text| stream.apply_keystream(text), text);
    });
    check("Ofb", key_iv::<Ofb<Aes256>>, |stream, text| {
        pieces(&mut |text| stream.apply_keystream(text), text);
    });
    check("Salsa", key_iv::<Salsa<20>>, |stream, text| {
        pieces(&mut |text| stream.apply_keystream(text), text);
    });
    check("ChaCha", key_iv::<ChaCha<12>>, |stream, text| {
        pieces(&mut |text| stream.apply_keystream(text), text);
    });
    check("XChaCha", key_iv::<ChaCha<24>>, |stream, text| {
        pieces(&mut |text| stream.apply_keystream(text), text);
    });
    check("Rc4", key::<Rc4>, |stream, text| {
        pieces(&mut |text| stream.apply_keystream(text), text);
    });
}

#[test]
fn authenticated_encryption() {
    fn scheme<T: KeyInit + AeadInOut>(name: &str) {
        check(name, key::<T>, |scheme, text| {
            let nonce = (&[7; 32][..T::NonceSize::USIZE]).try_into().unwrap();
            let (text, tag_copy) = text.split_at_mut(300);
            let tag = scheme.encrypt_inout_detached(nonce, b"aad", text.into()).unwrap();
            // The tag is public, as the ciphertext is.
            tag_copy.fill(0);
            tag_copy[..tag.len()].copy_from_slice(&tag);
        });
    }
    use cinder_rustcrypto::cipher05::cipher::typenum::Unsigned;
    scheme::<Gcm<Aes128>>("Gcm");
    scheme::<Ccm<Aes128, 8>>("Ccm");
    scheme::<Eax<Aes128>>("Eax");
    scheme::<Ocb3<Aes128>>("Ocb3");
    scheme::<Siv<Aes128>>("Siv");
    scheme::<GcmSiv<Aes128>>("GcmSiv");
    scheme::<ChaCha20Poly1305>("ChaCha20Poly1305");
    scheme::<XChaCha20Poly1305>("XChaCha20Poly1305");
}

#[test]
fn universal_hash() {
    check(
        "GHash",
        |key| GHash::new(key[..16].try_into().unwrap()),
        |hash, text| {
            hash.update_padded(&text[..304]);
            text.fill(0);
        },
    );
}

/// A cipher of somebody else's wipes itself; the mode over it burns as deep as it was told.
#[test]
fn foreign_ciphers() {
    // Not the set-up, which is by value and theirs.
    fn foreign(
        name: &str,
        make: impl Fn(&[u8; 64], &mut dyn FnMut(&dyn cinder_block::BlockEncrypt<16>)),
    ) {
        if !cinder_residue::supported() {
            return;
        }
        let report = cinder_residue::scan(|trial| {
            let key = trial.key::<64>();
            let mut text = trial.message(1, 320);
            trial.secret("text", &text);
            make(&key, &mut |cipher| {
                let mut ctr = Box::new(cinder_modes::ctr::Ctr::new(cipher, &[7; 16]));
                trial.watch("work", || ctr.apply_keystream(&mut text).is_ok());
                trial.public(&text);
            });
        });
        assert!(report.is_clean(), "{name}\n{report}");
    }
    const STACK: usize = 48 * 1024;
    foreign("cipher05::Foreign", |key, run| {
        let aes: aes09::Aes256 = self::key(key);
        run(&cipher05::Foreign::new(aes, STACK));
    });
    foreign("cipher04::Foreign", |key, run| {
        use cinder_rustcrypto::cipher04::cipher::KeyInit;
        let aes = aes08::Aes256::new(key[..32].into());
        run(&cipher04::Foreign::new(aes, STACK));
    });
}
