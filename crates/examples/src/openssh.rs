//! OpenSSH's private keys ("PROTOCOL.key" and "PROTOCOL.chacha20poly1305" of its sources): a key of
//! bcrypt_pbkdf, which stands on Blowfish's salted schedule, and the ciphers of SSH.

use crate::{Encryption, Result, Secret, array, take};
use base64ct::{Base64, Encoding};
use cinder_block::any::{Algorithm, Mode};
use cinder_block::{Aes256, BlockEncrypt, Blowfish, Slot};
use cinder_gcm::Gcm;
use cinder_mac::Poly1305;
use cinder_modes::Padding;
use cinder_stream::ChaCha20;
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

/// The key, in SSH's wire format: its type, its numbers and its comment.
///
/// # Errors
///
/// If the file is no such file, or the password is wrong.
pub fn open(file: &str, password: &[u8]) -> Result<Secret> {
    let base64: String = file.lines().filter(|line| !line.starts_with("-----")).collect();
    let data = Base64::decode_vec(&base64).map_err(|_| "not base64")?;
    let input = &mut data.strip_prefix(b"openssh-key-v1\0").ok_or("not an OpenSSH key")?;
    let cipher = str::from_utf8(string(input)?)?;
    let kdf = string(input)?;
    let mut options = string(input)?;
    let (1, _public) = (u32::from_be_bytes(array(input)?), string(input)?) else {
        return Err("more than one key".into());
    };
    let mut secret = Zeroizing::new(string(input)?.to_vec());
    let tag = *input;
    if kdf != b"bcrypt" {
        return Err("not encrypted, or by something new".into());
    }
    let salt = string(&mut options)?;
    let rounds = u32::from_be_bytes(array(&mut options)?);
    decrypt(cipher, |len| bcrypt_pbkdf(password, salt, rounds, len), &mut secret, tag)?;

    // A number, twice, and at the end 1, 2, 3, … up to a whole block.
    let input = &mut secret.as_slice();
    if array::<4>(input)? != array::<4>(input)? {
        return Err("wrong password".into());
    }
    Ok(Zeroizing::new(input.to_vec()))
}

fn decrypt(
    cipher: &str,
    derive: impl Fn(usize) -> Result<Secret>,
    data: &mut Vec<u8>,
    tag: &[u8],
) -> Result<()> {
    if cipher == "chacha20-poly1305@openssh.com" {
        // The second half of the key would be for the length of a packet.
        return chacha20_poly1305(&derive(64)?[..32], 0, data, tag.try_into()?);
    }
    let named = Algorithm::from_name_with_mode(cipher).ok_or("unknown cipher")?;
    let key_len = named.key_len.ok_or("unknown length")?;
    if named.algorithm == Algorithm::Aes256 && named.mode == Mode::Gcm {
        let key = derive(key_len + 12)?;
        let (key, nonce) = key.split_at(key_len);
        let gcm = Slot::<Gcm<Aes256>>::boxed(key)?;
        return Ok(gcm.open_in_place(nonce, b"", data, tag.try_into()?)?);
    }
    let key = derive(key_len + named.algorithm.block_len())?;
    let (key, iv) = key.split_at(key_len);
    Encryption { named, iv: iv.to_vec() }.decrypt(key, Padding::None, data)
}

/// chacha20-poly1305@openssh.com without the length that a packet has. The nonce is the packet's number,
/// in eight bytes, and the counter has the other eight; the number is less than 2^32, so this is the
/// same as RFC 8439's nonce of twelve.
fn chacha20_poly1305(key: &[u8], number: u32, data: &mut [u8], tag: &[u8; 16]) -> Result<()> {
    let mut nonce = [0; 12];
    nonce[8..].copy_from_slice(&number.to_be_bytes());
    let key = Slot::<ChaCha20>::boxed(key)?;
    let mut keystream = key.keystream(&nonce);
    let mut poly1305_key = Zeroizing::new([0; 32]);
    keystream.apply(&mut *poly1305_key)?;

    let mut poly1305 = Slot::<Poly1305>::boxed(&*poly1305_key)?;
    poly1305.update(data);
    poly1305.verify(tag)?;
    keystream.seek(64)?;
    Ok(keystream.apply(data)?)
}

/// OpenBSD's bcrypt_pbkdf(3).
///
/// # Errors
///
/// If no rounds or no bytes are asked for.
pub fn bcrypt_pbkdf(password: &[u8], salt: &[u8], rounds: u32, len: usize) -> Result<Secret> {
    if rounds == 0 || len == 0 {
        return Err("nothing to derive".into());
    }
    let password = Zeroizing::new(<[u8; 64]>::from(Sha512::digest(password)));
    let parts = len.div_ceil(32);
    let mut key = Zeroizing::new(vec![0; len]);
    let mut blowfish = Slot::<Blowfish>::empty();
    for part in 0..parts {
        let number = (part as u32 + 1).to_be_bytes();
        let mut salt = Sha512::new().chain_update(salt).chain_update(number).finalize();
        let mut sum = Zeroizing::new([0; 32]);
        for _ in 0..rounds {
            let hash = bcrypt_hash(&mut blowfish, &password, &salt)?;
            salt = Sha512::digest(*hash);
            sum.iter_mut().zip(&*hash).for_each(|(sum, hash)| *sum ^= hash);
        }
        // The parts are interleaved.
        for (to, from) in key.iter_mut().skip(part).step_by(parts).zip(&*sum) {
            *to = *from;
        }
    }
    Ok(key)
}

fn bcrypt_hash(
    slot: &mut Slot<Blowfish>,
    password: &[u8; 64],
    salt: &[u8],
) -> Result<Zeroizing<[u8; 32]>> {
    let blowfish = slot.init_with(|state| {
        let mut depth = state.rekey_salted(password, salt)?;
        for _ in 0..64 {
            depth = depth.max(state.mix(salt)?).max(state.mix(password)?);
        }
        Ok(depth)
    })?;
    let mut text = Zeroizing::new(*b"OxychromaticBlowfishSwatDynamite");
    for _ in 0..64 {
        let depth = blowfish.encrypt_blocks(text.as_chunks_mut().0);
        cinder_burn::burn(depth);
    }
    // The words come out in the other order of bytes.
    text.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
    Ok(text)
}

/// A length, and so many bytes.
fn string<'a>(input: &mut &'a [u8]) -> Result<&'a [u8]> {
    let len = u32::from_be_bytes(array(input)?);
    take(input, len as usize)
}
