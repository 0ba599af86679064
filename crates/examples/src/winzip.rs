//! The first file of a ZIP archive that WinZip's AES encrypts ("AES Encryption Information", version 1.04,
//! WinZip Computing): AES in a counter mode whose counter is little endian, with HMAC-SHA-1 over the
//! ciphertext.

use crate::{Result, Secret, array, take};
use cinder_block::any::BlockCipher;
use cinder_block::{Aes128, Aes192, Aes256, Slot};
use cinder_modes::ctr::Ctr;
use hmac::{Hmac, Mac};
use sha1::Sha1;
use zeroize::Zeroizing;

/// The method of a file that is encrypted, and the extra field that says how.
const ENCRYPTED: u16 = 99;
const AES: u16 = 0x9901;

/// The file as the archive holds it: of a method other than `stored`, it is compressed still.
///
/// # Errors
///
/// If the archive begins otherwise, the password is wrong, or the file was changed.
pub fn open(mut zip: &[u8], password: &[u8]) -> Result<Secret> {
    let input = &mut zip;
    if array(input)? != *b"PK\x03\x04" {
        return Err("no ZIP archive".into());
    }
    take(input, 4)?;
    if u16::from_le_bytes(array(input)?) != ENCRYPTED {
        return Err("not encrypted by AES".into());
    }
    take(input, 8)?;
    let len = u32::from_le_bytes(array(input)?) as usize;
    take(input, 4)?;
    let [name, extra] = [array(input)?, array(input)?].map(u16::from_le_bytes);
    take(input, name.into())?;
    let mut extra = take(input, extra.into())?;
    let strength = strength(&mut extra)?;
    let key_len = 8 + 8 * strength;

    let mut data = take(input, len)?;
    let salt = take(&mut data, key_len / 2)?;
    let check: [u8; 2] = array(&mut data)?;
    let len = data.len().checked_sub(10).ok_or("too short")?;
    let ciphertext = take(&mut data, len)?;
    let tag = data;

    let mut keys = Zeroizing::new(vec![0; 2 * key_len + 2]);
    pbkdf2::pbkdf2_hmac::<Sha1>(password, salt, 1000, &mut keys);
    let (encryption, rest) = keys.split_at(key_len);
    let (authentication, verifier) = rest.split_at(key_len);
    if verifier != check {
        return Err("wrong password".into());
    }
    let mac = Hmac::<Sha1>::new_from_slice(authentication)?.chain_update(ciphertext);
    mac.verify_truncated_left(tag)?;

    let mut data = Zeroizing::new(ciphertext.to_vec());
    match strength {
        1 => decrypt(&*Slot::<Aes128>::boxed(encryption)?, &mut data)?,
        2 => decrypt(&*Slot::<Aes192>::boxed(encryption)?, &mut data)?,
        _ => decrypt(&*Slot::<Aes256>::boxed(encryption)?, &mut data)?,
    }
    Ok(data)
}

/// The counter begins at 1.
fn decrypt(aes: &dyn BlockCipher<16>, data: &mut [u8]) -> Result<()> {
    Ok(Ctr::little_endian(aes, &1_u128.to_le_bytes()).apply_keystream(data)?)
}

/// 1, 2 or 3, for keys of 128, 192 or 256 bits.
fn strength(extra: &mut &[u8]) -> Result<usize> {
    loop {
        let [id, len] = [array(extra)?, array(extra)?].map(u16::from_le_bytes);
        let field = take(extra, len.into())?;
        if id == AES {
            let strength = *field.get(4).ok_or("the field ends too soon")?;
            return if (1..=3).contains(&strength) {
                Ok(strength.into())
            } else {
                Err("strength".into())
            };
        }
    }
}
