//! RustCrypto's AES-128-GCM: key, open, drop.
#![no_std]
#![no_main]

use bare::gcm::{AAD, CIPHERTEXT, IV, KEY, TAG};
use rc_aes_gcm::Aes128Gcm;
use rc_aes_gcm::aead::{AeadInOut, KeyInit};

bare::operation!({
    let gcm = Aes128Gcm::new(&KEY.into());
    let mut data = CIPHERTEXT;
    gcm.decrypt_inout_detached(&IV.into(), &AAD, (&mut data[..]).into(), &TAG.into()).is_ok()
});
