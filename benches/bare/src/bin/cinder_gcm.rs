//! Cinder's AES-128-GCM: key, open, clear.
#![no_std]
#![no_main]

use bare::gcm::{AAD, CIPHERTEXT, IV, KEY, TAG};
use cinder_block::{Aes128, Slot};
use cinder_gcm::Gcm;

bare::operation!({
    let mut slot = Slot::<Gcm<Aes128>>::empty();
    let mut data = CIPHERTEXT;
    slot.init(&KEY).is_ok_and(|gcm| gcm.open_in_place(&IV, &AAD, &mut data, &TAG).is_ok())
});
