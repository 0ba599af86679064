//! PKCS#12 (RFC 7292): keys and certificates under a password, with the old encryption of its appendix C
//! or with PBES2 (RFC 8018).

use crate::{Encryption, Result, Secret, from_der};
use ::cms::content_info::ContentInfo;
use ::cms::encrypted_data::EncryptedData;
use ::pkcs12::kdf::{Pkcs12KeyType, derive_key_utf8};
use ::pkcs12::mac_data::MacData;
use ::pkcs12::pbe_params::{EncryptedPrivateKeyInfo, Pbes2Params, Pbkdf2Params, Pkcs12PbeParams};
use ::pkcs12::pfx::Pfx;
use ::pkcs12::safe_bag::SafeContents;
use cinder_block::Slot;
use cinder_block::any::Algorithm;
use cinder_modes::Padding;
use cinder_stream::Arc4;
use der::asn1::{ContextSpecific, OctetString};
use hmac::{Hmac, Mac};
use sha1::Sha1;
use sha2::Sha256;
use spki::AlgorithmIdentifierOwned;
use zeroize::Zeroizing;

const DATA: &str = "1.2.840.113549.1.7.1";
const ENCRYPTED_DATA: &str = "1.2.840.113549.1.7.6";
const SHROUDED_KEY_BAG: &str = "1.2.840.113549.1.12.10.1.2";
const PBES2: &str = "1.2.840.113549.1.5.13";
const RC4_128: &str = "1.2.840.113549.1.12.1.1";
const RC4_40: &str = "1.2.840.113549.1.12.1.2";
const SHA1: &str = "1.3.14.3.2.26";
const SHA256: &str = "2.16.840.1.101.3.4.2.1";
const HMAC_SHA1: &str = "1.2.840.113549.2.7";
const HMAC_SHA256: &str = "1.2.840.113549.2.9";

/// The private keys of a file, in PKCS#8, and the number of its other bags, which are certificates.
///
/// # Errors
///
/// If the file is no such file, or the password is wrong.
pub fn open(pfx: &[u8], password: &str) -> Result<(Vec<Secret>, usize)> {
    let pfx: Pfx = from_der(pfx)?;
    let safes = pfx.auth_safe.content.decode_as::<OctetString>()?;
    verify(&pfx.mac_data.ok_or("no MAC")?, password, safes.as_bytes())?;

    let (mut keys, mut others) = (Vec::new(), 0);
    for safe in from_der::<Vec<ContentInfo>>(safes.as_bytes())? {
        let contents = match safe.content_type.to_string().as_str() {
            DATA => Zeroizing::new(safe.content.decode_as::<OctetString>()?.into_bytes()),
            ENCRYPTED_DATA => {
                let info = safe.content.decode_as::<EncryptedData>()?.enc_content_info;
                let ciphertext = info.encrypted_content.ok_or("no content")?;
                decrypt(&info.content_enc_alg, password, ciphertext.as_bytes())?
            }
            _ => return Err("a safe that asks for more than a password".into()),
        };
        for bag in from_der::<SafeContents>(&contents)? {
            if bag.bag_id.to_string() == SHROUDED_KEY_BAG {
                let info: ContextSpecific<EncryptedPrivateKeyInfo> = from_der(&bag.bag_value)?;
                let EncryptedPrivateKeyInfo { encryption_algorithm, encrypted_data } = info.value;
                keys.push(decrypt(&encryption_algorithm, password, encrypted_data.as_bytes())?);
            } else {
                others += 1;
            }
        }
    }
    Ok((keys, others))
}

/// Checks the MAC, before anything is decrypted.
fn verify(mac: &MacData, password: &str, data: &[u8]) -> Result<()> {
    let (salt, count) = (mac.mac_salt.as_bytes(), mac.iterations);
    let tag = mac.mac.digest.as_bytes();
    match mac.mac.algorithm.oid.to_string().as_str() {
        SHA1 => {
            let key = derive_key_utf8::<Sha1>(password, salt, Pkcs12KeyType::Mac, count, 20)?;
            let key = Zeroizing::new(key);
            Hmac::<Sha1>::new_from_slice(&key)?.chain_update(data).verify_slice(tag)?;
        }
        SHA256 => {
            let key = derive_key_utf8::<Sha256>(password, salt, Pkcs12KeyType::Mac, count, 32)?;
            let key = Zeroizing::new(key);
            Hmac::<Sha256>::new_from_slice(&key)?.chain_update(data).verify_slice(tag)?;
        }
        _ => return Err("a MAC of another hash".into()),
    }
    Ok(())
}

fn decrypt(id: &AlgorithmIdentifierOwned, password: &str, ciphertext: &[u8]) -> Result<Secret> {
    let mut data = Zeroizing::new(ciphertext.to_vec());
    let parameters = id.parameters.as_ref().ok_or("no parameters")?;
    let oid = id.oid.to_string();
    if oid == PBES2 {
        let Pbes2Params { kdf, encryption } = parameters.decode_as()?;
        let encryption = Encryption::from_identifier(&encryption)?;
        let kdf = kdf.parameters.ok_or("no parameters")?.decode_as::<Pbkdf2Params>()?;
        let mut key = Zeroizing::new(vec![0; encryption.key_len()?]);
        let (password, salt) = (password.as_bytes(), kdf.salt.as_bytes());
        match kdf.prf.oid.to_string().as_str() {
            HMAC_SHA1 => pbkdf2::pbkdf2_hmac::<Sha1>(password, salt, kdf.iteration_count, &mut key),
            HMAC_SHA256 => {
                pbkdf2::pbkdf2_hmac::<Sha256>(password, salt, kdf.iteration_count, &mut key);
            }
            _ => return Err("PBKDF2 with another hash".into()),
        }
        encryption.decrypt(&key, Padding::Pkcs7, &mut data)?;
        return Ok(data);
    }

    let Pkcs12PbeParams { salt, iterations } = parameters.decode_as()?;
    let derive = |purpose, len| -> Result<Secret> {
        let salt = salt.as_bytes();
        Ok(derive_key_utf8::<Sha1>(password, salt, purpose, iterations, len)?.into())
    };
    // RC4 is a stream cipher: no IV, and no padding.
    if let Some(len) = match oid.as_str() {
        RC4_128 => Some(16),
        RC4_40 => Some(5),
        _ => None,
    } {
        let key = derive(Pkcs12KeyType::EncryptionKey, len)?;
        Slot::<Arc4>::boxed(&key)?.apply(&mut data);
        return Ok(data);
    }
    let named = Algorithm::from_oid(&oid).ok_or("unknown encryption")?;
    let iv = derive(Pkcs12KeyType::Iv, named.algorithm.block_len())?.to_vec();
    let encryption = Encryption { named, iv };
    let key = derive(Pkcs12KeyType::EncryptionKey, encryption.key_len()?)?;
    encryption.decrypt(&key, Padding::Pkcs7, &mut data)?;
    Ok(data)
}
