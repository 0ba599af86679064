//! Files of real programs, opened with these crates: a module a format, each as a user would copy it.
//!
//! What is secret lies in [`Zeroizing`] buffers and in boxes that wipe themselves. The crates burn what
//! their calls leave on the stack; parsers and key derivations are other crates, and do not. The README
//! says how much of each example is whose.

#![cfg_attr(doctest, doc = include_str!("../../../docs/cookbook.md"))]

pub mod cms;
pub mod kdbx;
pub mod kdbx4;
pub mod openssh;
pub mod pem;
pub mod pkcs12;
pub mod ssh_packet;
pub mod winzip;

use cinder_block::any::{Algorithm, BlockCipher, BoxedCipher, Mode, Oid};
use cinder_block::rc2;
use cinder_modes::{Padding, cbc, cfb, ctr::Ctr, ofb::Ofb};
use der::asn1::OctetString;
use der::{Decode, Sequence};
use zeroize::Zeroizing;

/// What may go wrong is of many kinds.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Text, or a key, that is wiped when it drops.
pub type Secret = Zeroizing<Vec<u8>>;

/// A cipher with a mode, and the IV that goes with them.
#[derive(Debug)]
pub struct Encryption {
    /// The cipher and the mode.
    pub named: Oid,
    /// The IV.
    pub iv: Vec<u8>,
}

/// RFC 8018, appendix B.2.3.
#[derive(Sequence)]
struct Rc2Parameters {
    version: u32,
    iv: OctetString,
}

impl Encryption {
    /// The cipher of an algorithm identifier whose parameters are the IV, or those of RC2.
    ///
    /// # Errors
    ///
    /// If there is no such cipher.
    pub fn from_identifier(id: &spki::AlgorithmIdentifierOwned) -> Result<Self> {
        let mut named = Algorithm::from_oid(&id.oid.to_string()).ok_or("unknown cipher")?;
        let parameters = id.parameters.as_ref().ok_or("no IV")?;
        if named.algorithm == Algorithm::Rc2_128 && named.key_len.is_none() {
            let Rc2Parameters { version, iv } = parameters.decode_as()?;
            let bits = rc2::effective_bits(version).ok_or("unknown RC2 version")?;
            named.algorithm = match bits {
                40 => Algorithm::Rc2_40,
                64 => Algorithm::Rc2_64,
                128 => Algorithm::Rc2_128,
                _ => return Err("RC2 with unusual effective bits".into()),
            };
            named.key_len = Some(usize::from(bits / 8));
            return Ok(Encryption { named, iv: iv.into_bytes() });
        }
        let iv = parameters.decode_as::<OctetString>()?.into_bytes();
        Ok(Encryption { named, iv })
    }

    /// The length of the key.
    ///
    /// # Errors
    ///
    /// If the file leaves it open.
    pub fn key_len(&self) -> Result<usize> {
        Ok(self.named.key_len.ok_or("a key of which length?")?)
    }

    /// Decrypts in place, and takes the padding away.
    ///
    /// # Errors
    ///
    /// If key or IV have the wrong length, or the padding is wrong, as it is with a wrong password.
    pub fn decrypt(&self, key: &[u8], padding: Padding, data: &mut Vec<u8>) -> Result<()> {
        // Whoever made the file chose the key, so weak ones are taken.
        match &self.named.algorithm.boxed_allow_weak(key)? {
            BoxedCipher::Block8(cipher) => self.run(&**cipher, padding, data),
            BoxedCipher::Block16(cipher) => self.run(&**cipher, padding, data),
        }
    }

    fn run<const N: usize>(
        &self,
        cipher: &dyn BlockCipher<N>,
        padding: Padding,
        data: &mut Vec<u8>,
    ) -> Result<()> {
        let iv: &[u8; N] = self.iv.as_slice().try_into()?;
        match self.named.mode {
            Mode::Cbc => {
                let len = cbc::Decryptor::new(cipher, iv).decrypt_padded(padding, data)?.len();
                data.truncate(len);
            }
            Mode::Cfb => cfb::Decryptor::new(cipher, iv).decrypt(data),
            Mode::Ofb => Ofb::new(cipher, iv).apply_keystream(data),
            Mode::Ctr => Ctr::new(cipher, iv).apply_keystream(data)?,
            _ => return Err("a mode that has no place here".into()),
        }
        Ok(())
    }
}

/// The next bytes of a format that counts them.
fn take<'a>(input: &mut &'a [u8], len: usize) -> Result<&'a [u8]> {
    Ok(input.split_off(..len).ok_or("the file ends too soon")?)
}

/// The next bytes, as many as an array has.
fn array<const LEN: usize>(input: &mut &[u8]) -> Result<[u8; LEN]> {
    Ok(take(input, LEN)?.try_into()?)
}

/// A whole DER value.
fn from_der<'a, T: Decode<'a>>(der: &'a [u8]) -> Result<T> {
    Ok(T::from_der(der)?)
}
