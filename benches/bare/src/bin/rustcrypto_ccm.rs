//! RustCrypto's AES-128-CCM: key, open, drop.
#![no_std]
#![no_main]

use bare::ccm::{AAD, CIPHERTEXT, KEY, NONCE, TAG};
use rc_aes::Aes128;
use rc_ccm::Ccm;
use rc_ccm::aead::{AeadInOut, KeyInit};
use rc_ccm::consts::{U8, U12};

bare::operation!({
    let ccm = Ccm::<Aes128, U8, U12>::new(&KEY.into());
    let mut data = CIPHERTEXT;
    ccm.decrypt_inout_detached(&NONCE.into(), &AAD, (&mut data[..]).into(), &TAG.into()).is_ok()
});
