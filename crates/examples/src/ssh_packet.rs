//! A packet under chacha20-poly1305@openssh.com ("PROTOCOL.chacha20poly1305" of OpenSSH's sources): four bytes
//! of length under a key of their own, the payload, and a tag over both.

use crate::Result;
use cinder_block::Slot;
use cinder_mac::Poly1305;
use cinder_stream::ChaCha20;
use zeroize::Zeroizing;

const LENGTH: usize = 4;
const TAG: usize = 16;

/// The length of the payload. A receiver reads it before the rest of the packet has come, so it is not
/// authenticated yet: refuse one that is too long, and say nothing of it to the sender.
///
/// # Errors
///
/// If the key is not of 64 bytes.
pub fn length(key: &[u8], number: u32, length: [u8; LENGTH]) -> Result<u32> {
    let (_, length_key) = split(key)?;
    let mut length = length;
    let chacha20 = Slot::<ChaCha20>::boxed(length_key)?;
    chacha20.keystream(&nonce(number)).apply(&mut length)?;
    Ok(u32::from_be_bytes(length))
}

/// Opens the packet of this number in place. Rekey before the numbers come round.
///
/// # Errors
///
/// If the packet was changed; it is left as it was.
pub fn open<'a>(key: &[u8], number: u32, packet: &'a mut [u8]) -> Result<&'a mut [u8]> {
    let (main_key, _) = split(key)?;
    let (sealed, tag) = packet.split_last_chunk_mut::<TAG>().ok_or("too short")?;
    let announced = length(key, number, *sealed.first_chunk().ok_or("too short")?)?;
    let chacha20 = Slot::<ChaCha20>::boxed(main_key)?;
    poly1305(&chacha20, number, sealed)?.verify(tag)?;
    let payload = &mut sealed[LENGTH..];
    if announced as usize != payload.len() {
        return Err("not one packet".into());
    }
    payload_keystream(&chacha20, number, payload)?;
    Ok(payload)
}

/// Seals a packet in place: four bytes, the payload (padded already), and sixteen bytes for the tag.
///
/// # Errors
///
/// If there is no room, or the payload is longer than a length can say.
pub fn seal(key: &[u8], number: u32, packet: &mut [u8]) -> Result<()> {
    let (main_key, length_key) = split(key)?;
    let (sealed, tag) = packet.split_last_chunk_mut::<TAG>().ok_or("too short")?;
    let (length, payload) = sealed.split_first_chunk_mut::<LENGTH>().ok_or("too short")?;
    *length = u32::try_from(payload.len())?.to_be_bytes();
    Slot::<ChaCha20>::boxed(length_key)?.keystream(&nonce(number)).apply(length)?;
    let chacha20 = Slot::<ChaCha20>::boxed(main_key)?;
    payload_keystream(&chacha20, number, payload)?;
    poly1305(&chacha20, number, sealed)?.finish(tag)?;
    Ok(())
}

/// The key of payload and tag, and the key of the length.
fn split(key: &[u8]) -> Result<(&[u8], &[u8])> {
    if key.len() != 64 { Err("the key has 64 bytes".into()) } else { Ok(key.split_at(32)) }
}

/// SSH's nonce is the packet's number in eight bytes, and its counter has eight; the number is less than
/// 2^32, so this is the same as RFC 8439's nonce of twelve and its counter of four.
fn nonce(number: u32) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[8..].copy_from_slice(&number.to_be_bytes());
    nonce
}

/// The payload begins with the second block of keystream.
fn payload_keystream(chacha20: &ChaCha20, number: u32, payload: &mut [u8]) -> Result<()> {
    let mut keystream = chacha20.keystream(&nonce(number));
    keystream.seek(64)?;
    Ok(keystream.apply(payload)?)
}

/// Over what is sent; its key is the start of the first block of keystream.
fn poly1305(chacha20: &ChaCha20, number: u32, sealed: &[u8]) -> Result<Box<Poly1305>> {
    let mut key = Zeroizing::new([0; 32]);
    chacha20.keystream(&nonce(number)).apply(&mut *key)?;
    let mut poly1305 = Slot::<Poly1305>::boxed(&*key)?;
    poly1305.update(sealed);
    Ok(poly1305)
}
