//! A private key in OpenSSL's own PEM format: encrypted if it has a `DEK-Info` line (RFC 1421, section
//! 4.6.1.3).
//!
//! The key is MD5 of password and salt, and the padding is all that tells a wrong password: once in 256
//! it looks right. For old files; PKCS#8 is the format to write.

use crate::{Encryption, Result, Secret};
use base64ct::{Base64, Encoding};
use cinder_block::any::Algorithm;
use cinder_modes::Padding;
use md5::{Digest, Md5};
use zeroize::Zeroizing;

/// The key in DER.
///
/// # Errors
///
/// If the file is no such file, or the password is wrong.
pub fn open(pem: &str, password: &[u8]) -> Result<Secret> {
    let body = pem.lines().skip(1).take_while(|line| !line.starts_with("-----END"));
    let info = pem.lines().find_map(|line| line.strip_prefix("DEK-Info: "));
    let base64: Zeroizing<String> =
        Zeroizing::new(body.filter(|line| !line.contains(':')).collect());
    let mut data = Zeroizing::new(Base64::decode_vec(&base64).map_err(|_| "not base64")?);
    let Some(info) = info else { return Ok(data) };

    let (cipher, iv) = info.split_once(',').ok_or("no IV")?;
    let named = Algorithm::from_name_with_mode(cipher).ok_or("unknown cipher")?;
    let encryption = Encryption { named, iv: from_hex(iv)? };
    let key = derive(password, encryption.iv.get(..8).ok_or("no salt")?, encryption.key_len()?);
    encryption.decrypt(&key, Padding::Pkcs7, &mut data)?;
    Ok(data)
}

/// OpenSSL's EVP_BytesToKey with MD5 and one iteration.
fn derive(password: &[u8], salt: &[u8], len: usize) -> Secret {
    let mut key = Zeroizing::new(Vec::with_capacity(len + 16));
    let mut last = Zeroizing::new([0; 16]);
    let mut md5 = Md5::new();
    while key.len() < len {
        md5.update(password);
        md5.update(salt);
        *last = md5.finalize_reset().into();
        md5.update(*last);
        key.extend_from_slice(&*last);
    }
    key.truncate(len);
    key
}

fn from_hex(text: &str) -> Result<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| Ok(u8::from_str_radix(str::from_utf8(pair)?, 16)?)).collect()
}
