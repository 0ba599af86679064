//! Cinder's AES-128-CCM: key, open, clear.
#![no_std]
#![no_main]

use bare::ccm::{AAD, CIPHERTEXT, KEY, NONCE, TAG};
use cinder_aead::{Aead, Ccm};
use cinder_block::{Aes128, Slot};

bare::operation!({
    let mut slot = Slot::<Ccm<Aes128, 8>>::empty();
    let mut data = CIPHERTEXT;
    slot.init(&KEY).is_ok_and(|ccm| ccm.open_in_place(&NONCE, &AAD, &mut data, &TAG).is_ok())
});
