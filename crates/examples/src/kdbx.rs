//! KeePass's databases of version 3.1, as KeePassXC writes them by default: AES or Twofish in CBC, a key
//! derived by AES, and passwords under Salsa20 inside.

use crate::{Encryption, Result, Secret, array, take};
use base64ct::{Base64, Encoding};
use cinder_block::any::{Algorithm, Oid};
use cinder_block::{Aes256, Slot};
use cinder_modes::{Padding, ecb};
use cinder_stream::Salsa20;
use sha2::{Digest, Sha256};
use std::io::Read;
use zeroize::Zeroizing;

const MAGIC: [u8; 8] = [0x03, 0xd9, 0xa2, 0x9a, 0x67, 0xfb, 0x4b, 0xb5];
const AES: [u8; 16] = 0x31c1f2e6bf714350be5805216afc5aff_u128.to_be_bytes();
const TWOFISH: [u8; 16] = 0xad68f29f576f4bb9a36ad47af965346c_u128.to_be_bytes();
const SALSA20_NONCE: [u8; 8] = [0xe8, 0x30, 0x09, 0x4b, 0x97, 0x20, 0x5d, 0x2a];

/// A database that is open.
pub struct Database {
    /// The XML.
    pub xml: Zeroizing<String>,
    /// The protected values of the XML, in order, decrypted.
    pub protected: Vec<Secret>,
}

/// Opens a database.
///
/// # Errors
///
/// If the file is no such file, or the password is wrong.
pub fn open(mut file: &[u8], password: &[u8]) -> Result<Database> {
    let input = &mut file;
    if array(input)? != MAGIC || array(input)? != [1, 0, 3, 0] {
        return Err("not a KeePass database of version 3.1".into());
    }
    let mut fields: [&[u8]; 11] = [&[]; 11];
    loop {
        let [id] = array(input)?;
        let len = u16::from_le_bytes(array(input)?);
        let field = take(input, len.into())?;
        match id {
            0 => break,
            id => *fields.get_mut(usize::from(id)).ok_or("unknown field")? = field,
        }
    }
    let [_, _, cipher, compression, seed, transform, rounds, iv, stream_key, start, stream] =
        fields;

    let transformed = transform_key(password, transform, u64::from_le_bytes(rounds.try_into()?))?;
    let key = Sha256::new().chain_update(seed).chain_update(*transformed).finalize();
    let key = Zeroizing::new(<[u8; 32]>::from(key));
    let named = cipher_of(cipher)?;
    let mut data = Zeroizing::new(input.to_vec());
    Encryption { named, iv: iv.to_vec() }.decrypt(&*key, Padding::Pkcs7, &mut data)?;
    let blocks = data.strip_prefix(start).ok_or("wrong password")?;
    let content = joined(blocks)?;

    let mut xml = Zeroizing::new(String::new());
    if compression == [1, 0, 0, 0] {
        flate2::read::GzDecoder::new(content.as_slice()).read_to_string(&mut xml)?;
    } else {
        xml.push_str(str::from_utf8(&content)?);
    }
    if stream != [2, 0, 0, 0] {
        return Err("values under another cipher than Salsa20".into());
    }
    let key = Zeroizing::new(<[u8; 32]>::from(Sha256::digest(stream_key)));
    let salsa20 = Slot::<Salsa20>::boxed(&*key)?;
    let mut keystream = salsa20.keystream(&SALSA20_NONCE);
    let protected = unprotect(&xml, |value| Ok(keystream.apply(value)?))?;
    Ok(Database { xml, protected })
}

/// The cipher that the header names.
pub(crate) fn cipher_of(id: &[u8]) -> Result<Oid> {
    let name = match <[u8; 16]>::try_from(id)? {
        AES => "AES-256-CBC",
        TWOFISH => "Twofish-CBC",
        _ => return Err("unknown cipher".into()),
    };
    Ok(Algorithm::from_name_with_mode(name).ok_or("not compiled in")?)
}

/// The hash of the password's hash, which AES encrypted many times.
pub(crate) fn transform_key(
    password: &[u8],
    transform: &[u8],
    rounds: u64,
) -> Result<Zeroizing<[u8; 32]>> {
    let mut key = Zeroizing::new(<[u8; 32]>::from(Sha256::digest(Sha256::digest(password))));
    let aes = Slot::<Aes256>::boxed(transform)?;
    let mut ecb = ecb::Encryptor::new(&*aes);
    for _ in 0..rounds {
        ecb.encrypt_blocks(key.as_chunks_mut().0);
    }
    Ok(Zeroizing::new(Sha256::digest(*key).into()))
}

/// The content of the blocks, each of which has a number, a hash and a length in front.
fn joined(mut blocks: &[u8]) -> Result<Secret> {
    let mut content = Zeroizing::new(Vec::with_capacity(blocks.len()));
    loop {
        take(&mut blocks, 4)?;
        let hash: [u8; 32] = array(&mut blocks)?;
        let len = u32::from_le_bytes(array(&mut blocks)?);
        if len == 0 {
            return Ok(content);
        }
        let block = take(&mut blocks, len as usize)?;
        if <[u8; 32]>::from(Sha256::digest(block)) != hash {
            return Err("a block was changed".into());
        }
        content.extend_from_slice(block);
    }
}

/// All protected values lie on one keystream, in the order of the file.
pub(crate) fn unprotect(
    xml: &str,
    mut apply: impl FnMut(&mut [u8]) -> Result<()>,
) -> Result<Vec<Secret>> {
    let mut values = Vec::new();
    for after in xml.split("Protected=\"True\"").skip(1) {
        if after.starts_with('/') {
            values.push(Zeroizing::default()); // An empty element.
            continue;
        }
        let text = after.split(['<', '>']).nth(1).ok_or("no value")?;
        let mut value = Zeroizing::new(Base64::decode_vec(text).map_err(|_| "not base64")?);
        apply(&mut value)?;
        values.push(value);
    }
    Ok(values)
}
