//! Reads and writes what `gpg --symmetric` writes: a message encrypted with a passphrase, by any
//! of OpenPGP's ciphers, with and without the modification detection code.
//!
//! ```text
//! cargo run --release --example openpgp -- decrypt PASSPHRASE FILE.gpg OUT
//! cargo run --release --example openpgp -- encrypt CIPHER PASSPHRASE FILE OUT.gpg
//! ```
//!
//! `CIPHER` is OpenPGP's number (9 is AES-256) or a name. What it shows: a cipher picked at run
//! time in a slot on the stack, CFB with OpenPGP's resynchronisation, and code that is written
//! once for blocks of 8 and of 16 bytes. It knows just enough of RFC 4880 for that: one
//! passphrase, no compression (`gpg --compress-algo none`).

use cinder_block::BlockEncrypt;
use cinder_block::any::{Algorithm, AnySlot, DynCipher};
use cinder_modes::cfb;
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};
use std::error::Error;
use std::fs::{self, File};
use std::io::Read;
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Packet tags (RFC 4880, section 4.3).
const SESSION_KEY: u8 = 3;
const ENCRYPTED: u8 = 9;
const LITERAL: u8 = 11;
const ENCRYPTED_WITH_MDC: u8 = 18;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["decrypt", passphrase, input, output] => fs::read(input)
            .map_err(Into::into)
            .and_then(|message| decrypt(passphrase.as_bytes(), &message))
            .and_then(|content| Ok(fs::write(output, content)?)),
        ["encrypt", cipher, passphrase, input, output] => fs::read(input)
            .map_err(Into::into)
            .and_then(|content| encrypt(algorithm(cipher)?, passphrase.as_bytes(), &content, true))
            .and_then(|message| Ok(fs::write(output, message)?)),
        _ => Err("usage: decrypt PASSPHRASE IN OUT, or encrypt CIPHER PASSPHRASE IN OUT".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("openpgp: {error}");
            ExitCode::FAILURE
        }
    }
}

fn algorithm(cipher: &str) -> Result<Algorithm> {
    let by_number = cipher.parse().ok().and_then(Algorithm::from_openpgp);
    let by_name = || Algorithm::ALL.iter().copied().find(|known| known.name() == cipher);
    by_number.or_else(by_name).ok_or("no such cipher".into())
}

/// The content of a message.
pub(crate) fn decrypt(passphrase: &[u8], message: &[u8]) -> Result<Vec<u8>> {
    let (tag, session_key, rest) = packet(message)?;
    if tag != SESSION_KEY {
        return Err("not a message encrypted with a passphrase alone".into());
    }
    let [4, number, s2k @ ..] = session_key.as_slice() else {
        return Err("an unknown version of session key".into());
    };
    let (s2k, []) = S2k::parse(s2k)? else {
        return Err("an encrypted session key is not supported".into());
    };
    let algorithm = Algorithm::from_openpgp(*number).ok_or("a cipher that is not here")?;

    let (tag, mut body, _) = packet(rest)?;
    let mut slot = AnySlot::empty();
    match keyed(&mut slot, algorithm, &s2k, passphrase)? {
        DynCipher::Block8(cipher) => decrypt_body::<8>(cipher, tag, &mut body)?,
        DynCipher::Block16(cipher) => decrypt_body::<16>(cipher, tag, &mut body)?,
    }
    let content = &body[algorithm.block_len() + 2..];
    let content = match tag {
        ENCRYPTED => content,
        // The modification detection code: a packet of tag 19 and 20 bytes, the SHA-1 of all
        // before its digest, the prefix too.
        ENCRYPTED_WITH_MDC => {
            let digest_at = body.len().checked_sub(20).ok_or("the message is cut off")?;
            let content = content.strip_suffix(&body[digest_at - 2..]).ok_or("cut off")?;
            let is_good = body[digest_at - 2..digest_at] == [0xd3, 0x14]
                && Sha1::digest(&body[..digest_at])[..] == body[digest_at..];
            if !is_good {
                return Err("the message was modified".into());
            }
            content
        }
        _ => return Err("no encrypted data".into()),
    };
    let (tag, literal, _) = packet(content)?;
    if tag != LITERAL {
        return Err("compressed or signed data is not supported".into());
    }
    // Format, the file's name with its length before it, a date of four bytes.
    let name_len = usize::from(*literal.get(1).ok_or("cut off")?);
    Ok(literal.get(2 + name_len + 4..).ok_or("cut off")?.to_vec())
}

/// A message of one content.
pub(crate) fn encrypt(
    algorithm: Algorithm,
    passphrase: &[u8],
    content: &[u8],
    with_mdc: bool,
) -> Result<Vec<u8>> {
    let number = algorithm.openpgp().ok_or("OpenPGP does not have this cipher")?;
    let n = algorithm.block_len();
    let mut random = File::open("/dev/urandom")?;

    let mut salt = [0; 8];
    random.read_exact(&mut salt)?;
    let s2k = S2k { hash: 8, salt: Some(salt), count: Some(0x60) };

    // The prefix, the literal data, and the MDC packet.
    let mut body = vec![0; n];
    random.read_exact(&mut body)?;
    body.extend_from_within(n - 2..n);
    let mut literal = vec![b'b', 0, 0, 0, 0, 0];
    literal.extend_from_slice(content);
    write_packet(&mut body, LITERAL, &literal);
    if with_mdc {
        body.extend([0xd3, 0x14]);
        let digest = Sha1::digest(&body);
        body.extend(digest);
    }

    let tag = if with_mdc { ENCRYPTED_WITH_MDC } else { ENCRYPTED };
    let mut slot = AnySlot::empty();
    match keyed(&mut slot, algorithm, &s2k, passphrase)? {
        DynCipher::Block8(cipher) => encrypt_body::<8>(cipher, with_mdc, &mut body),
        DynCipher::Block16(cipher) => encrypt_body::<16>(cipher, with_mdc, &mut body),
    }
    if with_mdc {
        body.insert(0, 1); // The packet's version.
    }

    let mut message = vec![];
    write_packet(&mut message, SESSION_KEY, &[&[4, number][..], &s2k.to_bytes()].concat());
    write_packet(&mut message, tag, &body);
    Ok(message)
}

/// A slot with the cipher that the passphrase keys.
fn keyed<'a>(
    slot: &'a mut AnySlot,
    algorithm: Algorithm,
    s2k: &S2k,
    passphrase: &[u8],
) -> Result<DynCipher<'a>> {
    let mut key = vec![0; algorithm.openpgp_key_len().ok_or("no key length")?];
    s2k.derive(passphrase, &mut key)?;
    // A key that is derived is not chosen: OpenPGP takes it even if it is weak.
    let cipher = slot.init_allow_weak(algorithm, &key);
    cinder_burn::wipe(key.as_mut_slice());
    Ok(cipher?)
}

/// RFC 4880, section 13.9: zeros for an IV, a prefix of N + 2 bytes, and, without the MDC, a
/// resynchronisation after it. Leaves the prefix in front of the plaintext.
fn decrypt_body<const N: usize>(
    cipher: impl BlockEncrypt<N>,
    tag: u8,
    body: &mut Vec<u8>,
) -> Result<()> {
    if tag == ENCRYPTED_WITH_MDC && (body.is_empty() || body.remove(0) != 1) {
        return Err("an unknown version of encrypted data".into());
    }
    let (prefix, data) = body.split_at_mut_checked(N + 2).ok_or("the message is cut off")?;
    let mut cfb = cfb::Decryptor::new(cipher, &[0; N]);
    cfb.decrypt(prefix);
    if prefix[N - 2..N] != prefix[N..] {
        return Err("a wrong passphrase".into());
    }
    if tag == ENCRYPTED {
        cfb.resynchronize();
    }
    cfb.decrypt(data);
    Ok(())
}

/// The other direction of [`decrypt_body`].
fn encrypt_body<const N: usize>(cipher: impl BlockEncrypt<N>, with_mdc: bool, body: &mut [u8]) {
    let (prefix, data) = body.split_at_mut(N + 2);
    let mut cfb = cfb::Encryptor::new(cipher, &[0; N]);
    cfb.encrypt(prefix);
    if !with_mdc {
        cfb.resynchronize();
    }
    cfb.encrypt(data);
}

/// RFC 4880, section 3.7: how a passphrase becomes a key.
struct S2k {
    /// The hash's number.
    hash: u8,
    salt: Option<[u8; 8]>,
    /// Salt and passphrase are hashed over and over for so many bytes, in the RFC's coding.
    count: Option<u8>,
}

impl S2k {
    /// The specifier in front of `bytes`, and what follows it.
    fn parse(bytes: &[u8]) -> Result<(S2k, &[u8])> {
        let (kind, hash, rest) = match bytes {
            [kind, hash, rest @ ..] => (*kind, *hash, rest),
            _ => return Err("cut off".into()),
        };
        let mut s2k = S2k { hash, salt: None, count: None };
        let mut rest = rest;
        if let 1 | 3 = kind {
            let (salt, after) = rest.split_first_chunk().ok_or("cut off")?;
            (s2k.salt, rest) = (Some(*salt), after);
        }
        if kind == 3 {
            let (count, after) = rest.split_first().ok_or("cut off")?;
            (s2k.count, rest) = (Some(*count), after);
        }
        if let 0 | 1 | 3 = kind { Ok((s2k, rest)) } else { Err("an unknown S2K".into()) }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let kind = match (self.salt, self.count) {
            (_, Some(_)) => 3,
            (Some(_), None) => 1,
            (None, None) => 0,
        };
        let mut bytes = vec![kind, self.hash];
        bytes.extend(self.salt.iter().flatten());
        bytes.extend(self.count);
        bytes
    }

    fn derive(&self, passphrase: &[u8], key: &mut [u8]) -> Result<()> {
        match self.hash {
            2 => self.derive_by::<Sha1>(passphrase, key),
            8 => self.derive_by::<Sha256>(passphrase, key),
            10 => self.derive_by::<Sha512>(passphrase, key),
            _ => return Err("an unknown hash".into()),
        }
        Ok(())
    }

    /// Hash after hash, the first with no zero byte in front, the second with one, and so on.
    fn derive_by<D: Digest>(&self, passphrase: &[u8], key: &mut [u8]) {
        let mut once = self.salt.map_or(vec![], |salt| salt.to_vec());
        once.extend_from_slice(passphrase);
        let coded = |c: u8| (16 + usize::from(c & 15)) << ((c >> 4) + 6);
        let total = self.count.map_or(0, coded).max(once.len());
        let mut written = 0;
        for zeros in 0.. {
            let mut hash = D::new();
            hash.update(vec![0; zeros]);
            let mut left = total;
            while left > 0 {
                let take = left.min(once.len().max(1));
                hash.update(&once[..take.min(once.len())]);
                left -= take;
            }
            for byte in hash.finalize() {
                if written == key.len() {
                    cinder_burn::wipe(once.as_mut_slice());
                    return;
                }
                key[written] = byte;
                written += 1;
            }
        }
    }
}

/// The first packet's tag and body, and what follows it (RFC 4880, section 4.2).
fn packet(bytes: &[u8]) -> Result<(u8, Vec<u8>, &[u8])> {
    let (first, mut rest) = bytes.split_first().ok_or("a packet is missing")?;
    let mut body = vec![];
    match first >> 6 {
        // The new format: lengths of one, two or five bytes, and pieces of powers of two.
        3 => loop {
            let (len, after) = match rest {
                [len @ 0..=191, after @ ..] => (usize::from(*len), after),
                [a @ 192..=223, b, after @ ..] => {
                    ((usize::from(*a) - 192) * 256 + usize::from(*b) + 192, after)
                }
                [255, a, b, c, d, after @ ..] => {
                    (u32::from_be_bytes([*a, *b, *c, *d]) as usize, after)
                }
                [piece, after @ ..] => (1 << (piece & 31), after),
                [] => return Err("cut off".into()),
            };
            let is_piece = (224..255).contains(&rest[0]);
            let (part, after) = after.split_at_checked(len).ok_or("cut off")?;
            body.extend_from_slice(part);
            rest = after;
            if !is_piece {
                return Ok((first & 63, body, rest));
            }
        },
        // The old format: lengths of one, two or four bytes, or up to the end.
        2 => {
            let (len, after) = match (first & 3, rest) {
                (0, [a, after @ ..]) => (usize::from(*a), after),
                (1, [a, b, after @ ..]) => (usize::from(u16::from_be_bytes([*a, *b])), after),
                (2, [a, b, c, d, after @ ..]) => {
                    (u32::from_be_bytes([*a, *b, *c, *d]) as usize, after)
                }
                (3, after) => (after.len(), after),
                _ => return Err("cut off".into()),
            };
            let (part, after) = after.split_at_checked(len).ok_or("cut off")?;
            Ok((first >> 2 & 15, part.to_vec(), after))
        }
        _ => Err("not a packet".into()),
    }
}

/// A packet of the new format, its length in five bytes.
fn write_packet(to: &mut Vec<u8>, tag: u8, body: &[u8]) {
    to.extend([0xc0 | tag, 255]);
    to.extend((body.len() as u32).to_be_bytes());
    to.extend_from_slice(body);
}
