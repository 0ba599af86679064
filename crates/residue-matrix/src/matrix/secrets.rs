//! What the window search looks for.

use cinder_block::BlockEncrypt;
use cinder_residue::Trial;
use testkit::ghash::multiply;

/// The key, and for AES its round keys in the byte order of FIPS 197.
pub(super) fn name_key(trial: &mut Trial<'_>, cipher: &str, key: &[u8]) {
    trial.secret("key", key);
    if cipher.starts_with("AES") {
        trial.secret("round keys", &aes_round_keys(key));
    }
}

/// GHASH's H and its powers, as bytes and reversed.
pub(super) fn name_subkey<C: BlockEncrypt<16>>(trial: &mut Trial<'_>, cipher: &C) {
    let mut h = [0; 16];
    let _ = cipher.encrypt_block(&mut h);
    name_powers(trial, &h);
}

/// The same, of H itself.
pub(super) fn name_powers(trial: &mut Trial<'_>, h: &[u8; 16]) {
    let h = u128::from_be_bytes(*h);
    let mut power = h;
    for name in ["H", "H^2", "H^3", "H^4", "H^5", "H^6", "H^7", "H^8"] {
        trial.secret(name, &power.to_be_bytes());
        trial.secret(name, &power.to_le_bytes());
        power = multiply(power, h);
    }
}

/// The ciphertext is public; what it differs by from the plaintext is keystream in the modes that
/// have one, and harmless to look for in the others.
pub(super) fn name_keystream(trial: &mut Trial<'_>, text: &[u8], ciphertext: &[u8]) {
    trial.public(ciphertext);
    let keystream: Vec<u8> = text.iter().zip(ciphertext).map(|(a, b)| a ^ b).collect();
    trial.secret("keystream", &keystream);
}

/// FIPS 197, section 5.2.
fn aes_round_keys(key: &[u8]) -> Vec<u8> {
    let (sbox, words) = (aes_sbox(), key.len() / 4);
    let mut keys = key.to_vec();
    let mut rcon = 1;
    for i in words..4 * (words + 7) {
        let mut temp = [0, 1, 2, 3].map(|j| keys[4 * (i - 1) + j]);
        if i % words == 0 {
            temp.rotate_left(1);
            temp = temp.map(|byte| sbox[usize::from(byte)]);
            temp[0] ^= rcon;
            rcon = double(rcon);
        } else if words > 6 && i % words == 4 {
            temp = temp.map(|byte| sbox[usize::from(byte)]);
        }
        for (j, byte) in temp.into_iter().enumerate() {
            keys.push(keys[4 * (i - words) + j] ^ byte);
        }
    }
    keys
}

fn double(x: u8) -> u8 {
    x << 1 ^ if x & 0x80 != 0 { 0x1b } else { 0 }
}

/// Walks the powers of 3 and of its inverse together.
fn aes_sbox() -> [u8; 256] {
    let mut sbox = [0x63; 256];
    let (mut p, mut q) = (1u8, 1u8);
    loop {
        p ^= double(p);
        q ^= q << 1;
        q ^= q << 2;
        q ^= q << 4;
        if q & 0x80 != 0 {
            q ^= 0x09;
        }
        let affine = q ^ q.rotate_left(1) ^ q.rotate_left(2) ^ q.rotate_left(3) ^ q.rotate_left(4);
        sbox[usize::from(p)] = affine ^ 0x63;
        if p == 1 {
            return sbox;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 197, appendix A.1 and A.3: the last round key's last word.
    #[test]
    fn round_keys() {
        let key = 0x2b7e151628aed2a6abf7158809cf4f3c_u128.to_be_bytes();
        assert!(aes_round_keys(&key).ends_with(&[0xb6, 0x63, 0x0c, 0xa6]));
        let mut key = 0x603deb1015ca71be2b73aef0857d7781_u128.to_be_bytes().to_vec();
        key.extend(0x1f352c073b6108d72d9810a30914dff4_u128.to_be_bytes());
        assert!(aes_round_keys(&key).ends_with(&[0x70, 0x6c, 0x63, 0x1e]));
    }
}
