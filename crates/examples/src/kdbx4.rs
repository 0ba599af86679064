//! KeePass's databases of version 4, as KeePassXC writes them: AES or Twofish in CBC, every block
//! authenticated by HMAC-SHA-256 before it is decrypted, a key derived by AES, and passwords under ChaCha20
//! inside. A key derived by Argon2 is
//! refused: that needs a crate for it.

use crate::kdbx::{Database, cipher_of, transform_key, unprotect};
use crate::{Encryption, Result, Secret, array, take};
use cinder_block::Slot;
use cinder_modes::Padding;
use cinder_stream::ChaCha20;
use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256, Sha512};
use std::io::Read;
use zeroize::Zeroizing;

const MAGIC: [u8; 8] = [0x03, 0xd9, 0xa2, 0x9a, 0x67, 0xfb, 0x4b, 0xb5];
const AES_KDFS: [[u8; 16]; 2] = [
    0xc9d9f39a628a4460bf740d08c18a4fea_u128.to_be_bytes(),
    0x7c02bb8279a74ac0927d114a00648238_u128.to_be_bytes(),
];
/// The block number under which the header is authenticated.
const HEADER: u64 = u64::MAX;

/// Opens a database.
///
/// # Errors
///
/// If the file is no such file, the password is wrong, or the file was changed.
pub fn open(file: &[u8], password: &[u8]) -> Result<Database> {
    let input = &mut &*file;
    if array(input)? != MAGIC {
        return Err("not a KeePass database".into());
    }
    let [_minor, major] = [array(input)?, array(input)?].map(u16::from_le_bytes);
    if major != 4 {
        return Err("not of version 4".into());
    }
    let mut fields: [&[u8]; 13] = [&[]; 13];
    while let Some((id, field)) = field(input)? {
        *fields.get_mut(id).ok_or("unknown field")? = field;
    }
    let [_, _, cipher, compression, seed, _, _, iv, _, _, _, parameters, _] = fields;
    let header = file.strip_suffix(*input).ok_or("no header")?;

    let transformed = kdf(password, parameters)?;
    let hashed =
        |end: &[u8]| Sha512::new().chain_update(seed).chain_update(*transformed).chain_update(end);
    let mac_key = Zeroizing::new(<[u8; 64]>::from(hashed(&[1]).finalize()));
    if *Sha256::digest(header) != array::<32>(input)? {
        return Err("the header was changed".into());
    }
    mac(&mac_key, HEADER)?.chain_update(header).verify_slice(take(input, 32)?)?; // Or the password is wrong.

    let mut data = authenticated(input, &mac_key)?;
    let key = Sha256::new().chain_update(seed).chain_update(*transformed).finalize();
    let key = Zeroizing::new(<[u8; 32]>::from(key));
    let encryption = Encryption { named: cipher_of(cipher)?, iv: iv.to_vec() };
    encryption.decrypt(&*key, Padding::Pkcs7, &mut data)?;
    if compression == [1, 0, 0, 0] {
        let mut inflated = Zeroizing::new(Vec::new());
        flate2::read::GzDecoder::new(data.as_slice()).read_to_end(&mut inflated)?;
        data = inflated;
    }

    let input = &mut data.as_slice();
    let (mut stream, mut stream_key): (&[u8], &[u8]) = (&[], &[]);
    while let Some((id, field)) = field(input)? {
        match id {
            1 => stream = field,
            2 => stream_key = field,
            _ => {} // An attachment.
        }
    }
    let xml = Zeroizing::new(str::from_utf8(input)?.to_owned());
    if stream != [3, 0, 0, 0] {
        return Err("values under another cipher than ChaCha20".into());
    }
    let keys = Zeroizing::new(<[u8; 64]>::from(Sha512::digest(stream_key)));
    let (key, nonce) = keys.split_at(32);
    let chacha20 = Slot::<ChaCha20>::boxed(key)?;
    let mut keystream = chacha20.keystream(nonce[..12].try_into()?);
    let protected = unprotect(&xml, |value| Ok(keystream.apply(value)?))?;
    Ok(Database { xml, protected })
}

/// A field of a header and its number, or none at its end.
fn field<'a>(input: &mut &'a [u8]) -> Result<Option<(usize, &'a [u8])>> {
    let [id] = array(input)?;
    let len = u32::from_le_bytes(array(input)?);
    let field = take(input, len as usize)?;
    Ok((id != 0).then_some((id.into(), field)))
}

/// The key that the parameters, a dictionary, make of the password.
fn kdf(password: &[u8], mut parameters: &[u8]) -> Result<Zeroizing<[u8; 32]>> {
    let input = &mut parameters;
    take(input, 2)?;
    let (mut id, mut rounds, mut seed): (&[u8], &[u8], &[u8]) = (&[], &[], &[]);
    while array(input)? != [0] {
        let [name, value] = [string(input)?, string(input)?];
        match name {
            b"$UUID" => id = value,
            b"R" => rounds = value,
            b"S" => seed = value,
            _ => {}
        }
    }
    if !AES_KDFS.contains(&id.try_into()?) {
        return Err("a key derived by another function than AES".into());
    }
    transform_key(password, seed, u64::from_le_bytes(rounds.try_into()?))
}

fn string<'a>(input: &mut &'a [u8]) -> Result<&'a [u8]> {
    let len = u32::from_le_bytes(array(input)?);
    take(input, len as usize)
}

/// Each block has a key of its own.
fn mac(key: &[u8; 64], number: u64) -> Result<Hmac<Sha256>> {
    let key = Sha512::new().chain_update(number.to_le_bytes()).chain_update(key).finalize();
    let key = Zeroizing::new(<[u8; 64]>::from(key));
    Ok(Hmac::new_from_slice(&*key)?)
}

/// The ciphertext of the blocks, each of which has its MAC and its length in front.
fn authenticated(input: &mut &[u8], key: &[u8; 64]) -> Result<Secret> {
    let mut data = Zeroizing::new(Vec::with_capacity(input.len()));
    for number in 0_u64.. {
        let tag = take(input, 32)?;
        let len: [u8; 4] = array(input)?;
        let block = take(input, u32::from_le_bytes(len) as usize)?;
        let mac = mac(key, number)?.chain_update(number.to_le_bytes()).chain_update(len);
        mac.chain_update(block).verify_slice(tag)?;
        if block.is_empty() {
            break;
        }
        data.extend_from_slice(block);
    }
    Ok(data)
}
