//! What RustCrypto's modes leave over our ciphers, beside what they leave over theirs: by
//! `cargo test -p cinder-rustcrypto --all-features --test residue -- --nocapture` a table, as it
//! stands in the crate's documentation.
#![cfg(all(feature = "all", feature = "aead05", feature = "aead06"))]

use cinder_residue::{Left, scan};
use cinder_rustcrypto as ours;

#[global_allocator]
static HEAP: cinder_residue::Heap = cinder_residue::Heap;

/// Set-up, 1 KiB and drop as one step, by value, as most programs have it.
fn left(work: impl Fn(&[u8; 32], &mut [u8])) -> Left {
    let report = scan(|trial| {
        let key = trial.key::<32>();
        let mut text = trial.message(1, 1024);
        trial.secret("key", &key);
        trial.secret("text", &text);
        trial.watch("all", || work(&key, &mut text));
        trial.public(&text);
    });
    report.step("all").left
}

/// One row: over our cipher, and over theirs. Says whether ours is clean.
fn row(name: &str, ours: Left, theirs: Left) -> bool {
    let text =
        |left: Left| format!("{}/{}/{}/{}", left.stack, left.vector, left.general, left.heap);
    println!("| {name} | {} | {} |", text(ours), text(theirs));
    ours.total() == 0
}

#[test]
fn what_is_left() {
    if !cinder_residue::supported() {
        return;
    }
    println!("| stack/vector/general/freed memory | over Cinder | over `aes` |\n|---|---|---|");
    let clean = [old::clean(), new::clean()];
    old::others();
    new::others();
    assert_eq!(clean, [true; 2]);
}

/// One generation: its version, modules of ours, what its traits are called, and its crates.
macro_rules! generation {
    (
        $name:ident, $version:literal, $cipher:ident, $aead:ident,
        $encrypt:ident, $mode:ident, $encrypt_block:ident,
        $aes:ident, $ctr:ident, $cbc:ident, $cfb:ident, $gcm:ident, $cmac:ident
    ) => {
        mod $name {
            use super::*;
            use cinder_rustcrypto::$aead::aead::{Aead, consts::U12};
            use cinder_rustcrypto::$cipher::cipher::{
                Block, KeyInit, KeyIvInit, StreamCipher, $encrypt, $mode,
            };
            use $cmac::{Cmac, Mac};

            fn name(what: &str) -> String {
                format!("{what}, `cipher` {}", $version)
            }

            fn key<T: KeyInit>(key: &[u8]) -> T {
                T::new_from_slice(key).unwrap()
            }

            fn key_iv<T: KeyIvInit>(key: &[u8]) -> T {
                T::new_from_slices(key, &[7; 16]).unwrap()
            }

            fn blocks<T: KeyInit + $encrypt>(text_key: &[u8; 32], text: &mut [u8]) {
                let cipher: T = key(text_key);
                for chunk in text.chunks_exact_mut(16) {
                    let block: &mut Block<T> = chunk.try_into().ok().unwrap();
                    cipher.encrypt_block(block);
                }
            }

            fn stream<T: KeyIvInit + StreamCipher>(key: &[u8; 32], text: &mut [u8]) {
                key_iv::<T>(key).apply_keystream(text);
            }

            fn block_mode<T: KeyIvInit + $mode>(key: &[u8; 32], text: &mut [u8]) {
                let mut mode: T = key_iv(key);
                for chunk in text.chunks_exact_mut(16) {
                    let block: &mut Block<T> = chunk.try_into().ok().unwrap();
                    mode.$encrypt_block(block);
                }
            }

            /// What has to be clean: no mode of RustCrypto's, or one that keeps nothing.
            pub(super) fn clean() -> bool {
                type Ours = ours::Aes256;
                type Theirs = $aes::Aes256;
                let block =
                    row(&name("a block at a time"), left(blocks::<Ours>), left(blocks::<Theirs>));
                let ctr = row(
                    &name("`ctr`"),
                    left(stream::<$ctr::Ctr128BE<Ours>>),
                    left(stream::<$ctr::Ctr128BE<Theirs>>),
                );
                let ours = row(
                    &name("our `Ctr128BE` beside `ctr`"),
                    left(stream::<ours::Ctr128BE<Ours>>),
                    left(stream::<$ctr::Ctr128BE<Theirs>>),
                );
                block && ctr && ours
            }

            /// What is as RustCrypto's mode leaves it.
            pub(super) fn others() {
                type Ours = ours::Aes256;
                type Theirs = $aes::Aes256;
                row(
                    &name("`cbc`"),
                    left(block_mode::<$cbc::Encryptor<Ours>>),
                    left(block_mode::<$cbc::Encryptor<Theirs>>),
                );
                row(
                    &name("our `cbc::Encryptor` beside `cbc`"),
                    left(block_mode::<ours::cbc::Encryptor<Ours>>),
                    left(block_mode::<$cbc::Encryptor<Theirs>>),
                );
                row(
                    &name("`cfb-mode`, buffered"),
                    left(|key, text| key_iv::<$cfb::BufDecryptor<Ours>>(key).decrypt(text)),
                    left(|key, text| key_iv::<$cfb::BufDecryptor<Theirs>>(key).decrypt(text)),
                );
                row(
                    &name("our `cfb::Decryptor` beside `cfb-mode`"),
                    left(|key, text| key_iv::<ours::cfb::Decryptor<Ours>>(key).decrypt(text)),
                    left(|key, text| key_iv::<$cfb::BufDecryptor<Theirs>>(key).decrypt(text)),
                );
                fn seal<T: KeyInit + Aead>(text_key: &[u8; 32], text: &mut [u8]) {
                    let nonce = &[7; 12][..];
                    let sealed = key::<T>(text_key).encrypt(nonce.try_into().unwrap(), &text[16..]);
                    text.copy_from_slice(&sealed.unwrap());
                }
                row(
                    &name("`aes-gcm`"),
                    left(seal::<$gcm::AesGcm<Ours, U12>>),
                    left(seal::<$gcm::AesGcm<Theirs, U12>>),
                );
                row(
                    &name("our `Gcm` beside `aes-gcm`"),
                    left(seal::<ours::Gcm<Ours>>),
                    left(seal::<$gcm::AesGcm<Theirs, U12>>),
                );
                fn mac<T: KeyInit + Mac>(text_key: &[u8; 32], text: &mut [u8]) {
                    let tag = key::<T>(text_key).chain_update(&*text);
                    let tag = tag.finalize().into_bytes();
                    text.fill(0);
                    text[..16].copy_from_slice(&tag);
                }
                row(&name("`cmac`"), left(mac::<Cmac<Ours>>), left(mac::<Cmac<Theirs>>));
            }
        }
    };
}

generation!(
    old,
    "0.4",
    cipher04,
    aead05,
    BlockEncrypt,
    BlockEncryptMut,
    encrypt_block_mut,
    aes08,
    ctr09,
    cbc01,
    cfb_mode08,
    aes_gcm10,
    cmac07
);
generation!(
    new,
    "0.5",
    cipher05,
    aead06,
    BlockCipherEncrypt,
    BlockModeEncrypt,
    encrypt_block,
    aes09,
    ctr010,
    cbc02,
    cfb_mode09,
    aes_gcm11,
    cmac08
);
