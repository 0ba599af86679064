//! Records of the crates `mac` and `aead` and of XTS: known answers, and what must be refused.

use crate::record::{Cipher, Mode, Record, Verdict};
use crate::registry::{BlockCipher, BlockEntry, Cipher16, Keyed, Params};
use cinder_aead::{Aead, Ccm, ChaCha20Poly1305, Eax, Error, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use cinder_block::{BlockEncrypt, Depth, InPlace, KeyError, Refusal, Slot, Vacancy};
use cinder_mac::{Cmac, Poly1305};
use cinder_modes::xts::Xts;
use cinder_stream::Kernel;
use std::cell::RefCell;

/// Whether a record is for this file.
pub(crate) fn has(mode: Mode) -> bool {
    matches!(
        mode,
        Mode::Ccm | Mode::Eax | Mode::Ocb | Mode::Siv | Mode::GcmSiv | Mode::Xts | Mode::Cmac
    )
}

/// A length of a tag, as the parameter of a type. What is none of the scheme's is refused.
macro_rules! with_tag {
    ($len:expr, [$($n:literal)*], $scheme:ident => $run:expr) => {
        match $len {
            $($n => { const $scheme: usize = $n; $run })*
            _ => refused("the tag has a length that the scheme does not have"),
        }
    };
}

fn refused<T>(why: impl ToString) -> Result<T, String> {
    Err(why.to_string())
}

/// Runs a record over a cipher on one of its kernels. The key is the scheme's: SIV and XTS have two
/// of the cipher's in one.
///
/// # Errors
///
/// What is wrong.
pub(crate) fn run(record: &Record, entry: &BlockEntry, kernel: usize) -> Result<(), String> {
    OF_MESSAGES.set(Some((entry.clone(), kernel)));
    let build =
        |key: &[u8]| entry.build(&Params { key, bits: record.bits, allow_weak: true }, kernel);
    judge(record.verdict, known_answer(record, build))
}

/// Runs a record of Poly1305, or of ChaCha20-Poly1305 on a kernel.
///
/// # Errors
///
/// What is wrong.
pub(crate) fn run_without_blocks(record: &Record, kernel: Kernel) -> Result<(), String> {
    judge(record.verdict, without_blocks(record, kernel))
}

fn without_blocks(record: &Record, kernel: Kernel) -> Result<(), String> {
    let key = record.key.as_deref().unwrap_or_default();
    let refused_key = |error: KeyError| error.to_string();
    match (record.mode, record.cipher) {
        (Mode::Poly1305, _) => poly1305(record, key),
        (_, Cipher::XCHACHA20) => {
            let mut slot = Slot::<XChaCha20Poly1305>::empty();
            let aead = slot.init_with(|aead| aead.rekey_with_kernel(key, kernel));
            sealed::<16>(record, aead.map_err(refused_key)?)
        }
        _ => {
            let mut slot = Slot::<ChaCha20Poly1305>::empty();
            let aead = slot.init_with(|aead| aead.rekey_with_kernel(key, kernel));
            sealed::<16>(record, aead.map_err(refused_key)?)
        }
    }
}

fn judge(verdict: Verdict, result: Result<(), String>) -> Result<(), String> {
    match (verdict, result) {
        (Verdict::Valid, Err(why)) => Err(why),
        (Verdict::Invalid, Ok(())) => refused("accepted what is invalid"),
        _ => Ok(()),
    }
}

fn poly1305(record: &Record, key: &[u8]) -> Result<(), String> {
    let (message, tag) = (text(&record.plaintext), text(&record.tag));
    let tag: &[u8; 16] = tag.as_slice().try_into().map_err(|_| "the tag's length")?;
    let mut slot = Slot::<Poly1305>::empty();
    for kernel in cinder_mac::Kernel::available() {
        let mut begin = || slot.init_with(|c| c.rekey_with_kernel(key, kernel)).map(drop);
        begin().map_err(|error| error.to_string())?;
        let poly1305 = slot.cipher_mut().ok_or("a key")?;
        for piece in message.chunks(1 + record.line % 40) {
            poly1305.update(piece);
        }
        poly1305.verify(tag).map_err(|error| format!("{kernel}: {error}"))?;
        let mut begin = || slot.init_with(|c| c.rekey_with_kernel(key, kernel)).map(drop);
        begin().map_err(|error| error.to_string())?;
        let poly1305 = slot.cipher_mut().ok_or("a key")?;
        poly1305.update(&message);
        let mut found = [0; 16];
        poly1305.finish(&mut found).map_err(|error| error.to_string())?;
        same("Poly1305", &found, tag)?;
    }
    Ok(())
}

/// `Err` if the record is refused or comes out otherwise.
fn known_answer(
    record: &Record,
    build: impl Fn(&[u8]) -> Result<Keyed, KeyError>,
) -> Result<(), String> {
    let key = record.key.as_deref().unwrap_or_default();
    let keyed = |key: &[u8]| build(key).map_err(|error| error.to_string());
    let wide = |key: &[u8]| match keyed(key)? {
        Keyed::Wide(cipher) => Ok(cipher),
        Keyed::Narrow(_) => refused("blocks of 8 bytes"),
    };
    let (first, second) = key.split_at(key.len() / 2);
    let tag = record.tag.as_deref().unwrap_or_default();
    match record.mode {
        Mode::Ccm => {
            let cipher = wide(key)?;
            with_tag!(tag.len(), [4 6 8 10 12 14 16], T => sealed(record, &Ccm::<_, T>::new(cipher)))
        }
        Mode::Ocb => {
            let cipher = wide(key)?;
            with_tag!(tag.len(), [8 12 16], T => sealed(record, &Ocb3::<_, T>::new(cipher)))
        }
        Mode::Eax => match keyed(key)? {
            Keyed::Wide(cipher) => {
                with_tag!(tag.len(), [8 16], T => sealed(record, &Eax::<_, 16, T>::new(cipher)))
            }
            Keyed::Narrow(cipher) => {
                with_tag!(tag.len(), [4 8], T => sealed(record, &Eax::<_, 8, T>::new(cipher)))
            }
        },
        Mode::Siv => siv(record, &Siv::new(wide(first)?, wide(second)?)),
        Mode::GcmSiv => {
            let mut slot = Slot::<GcmSiv<OfMessages>>::empty();
            let siv = slot.init(key).map_err(|error| error.to_string())?;
            with_tag!(tag.len(), [16], T => sealed::<T>(record, siv))
        }
        Mode::Xts => xts(record, &Xts::new(wide(first)?, wide(second)?)),
        _ => match keyed(key)? {
            Keyed::Wide(cipher) => {
                with_tag!(tag.len(), [4 8 12 16], T => mac(record, Cmac::<_, 16, T>::new(cipher)))
            }
            Keyed::Narrow(cipher) => {
                with_tag!(tag.len(), [4 8], T => mac(record, Cmac::<_, 8, T>::new(cipher)))
            }
        },
    }
}

thread_local! {
    static OF_MESSAGES: RefCell<Option<(BlockEntry, usize)>> = const { RefCell::new(None) };
}

/// The cipher that a scheme keys itself, for every message: that of `OF_MESSAGES`.
struct OfMessages(Option<Box<Cipher16>>);

impl InPlace for OfMessages {
    fn vacant(_: Vacancy) -> Self {
        OfMessages(None)
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let params = Params { key, bits: None, allow_weak: true };
        let keyed = OF_MESSAGES.with_borrow(|of_messages| {
            let (entry, kernel) = of_messages.as_ref().expect("a record runs");
            entry.build(&params, *kernel)
        });
        match keyed? {
            Keyed::Wide(cipher) => self.0 = Some(cipher),
            Keyed::Narrow(_) => return Err(KeyError::Length.into()),
        }
        Ok(Depth::here())
    }
}

impl BlockEncrypt<16> for OfMessages {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        self.0.as_ref().expect("it has a key").encrypt_blocks(blocks)
    }

    fn ctr_xor_little_endian(&self, counter: &mut [u8; 16], data: &mut [[u8; 16]]) -> Depth {
        self.0.as_ref().expect("it has a key").ctr_xor_little_endian(counter, data)
    }
}

fn text(field: &Option<Vec<u8>>) -> Vec<u8> {
    field.clone().unwrap_or_default()
}

fn same(what: &str, found: &[u8], expected: &[u8]) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} gives {found:02x?}")) }
}

fn sealed<const T: usize>(record: &Record, aead: &dyn Aead<T>) -> Result<(), String> {
    let (nonce, tag) = (text(&record.iv), text(&record.tag));
    let aad = record.aad.first().map_or(&[][..], Vec::as_slice);
    let ciphertext = text(&record.ciphertext);
    let tag: &[u8; T] = tag.as_slice().try_into().map_err(|_| "the tag's length")?;
    let mut data = ciphertext.clone();
    let opened = aead.open_in_place(&nonce, aad, &mut data, tag);
    if opened == Err(Error::Unverified) {
        same("a refusal", &data, &ciphertext)?;
    }
    opened.map_err(|error| error.to_string())?;
    same("opening", &data, &text(&record.plaintext))?;
    let mut found = [0; T];
    aead.seal_in_place(&nonce, aad, &mut data, &mut found).map_err(|error| error.to_string())?;
    same("sealing", &data, &ciphertext)?;
    same("sealing", &found, tag)
}

fn siv<C: cinder_block::BlockEncrypt<16>>(record: &Record, siv: &Siv<C>) -> Result<(), String> {
    let nonce = record.iv.as_deref();
    let headers: Vec<&[u8]> = record.aad.iter().map(Vec::as_slice).chain(nonce).collect();
    let (ciphertext, tag) = (text(&record.ciphertext), text(&record.tag));
    let tag: &[u8; 16] = tag.as_slice().try_into().map_err(|_| "the tag's length")?;
    let mut data = ciphertext.clone();
    siv.open_with(&headers, &mut data, tag).map_err(|error| error.to_string())?;
    same("opening", &data, &text(&record.plaintext))?;
    let mut found = [0; 16];
    siv.seal_with(&headers, &mut data, &mut found).map_err(|error| error.to_string())?;
    same("sealing", &data, &ciphertext)?;
    same("sealing", &found, tag)
}

fn xts(record: &Record, xts: &Xts<Box<dyn BlockCipher<16>>>) -> Result<(), String> {
    let tweak = text(&record.iv);
    let tweak: &[u8; 16] = tweak.as_slice().try_into().map_err(|_| "the tweak's length")?;
    let mut data = text(&record.plaintext);
    xts.encrypt_unit(tweak, &mut data).map_err(|error| error.to_string())?;
    same("encryption", &data, &text(&record.ciphertext))?;
    xts.decrypt_unit(tweak, &mut data).map_err(|error| error.to_string())?;
    same("decryption", &data, &text(&record.plaintext))
}

fn mac<C: cinder_block::BlockEncrypt<N>, const N: usize, const T: usize>(
    record: &Record,
    mut cmac: Cmac<C, N, T>,
) -> Result<(), String> {
    let (message, tag) = (text(&record.plaintext), text(&record.tag));
    let tag: &[u8; T] = tag.as_slice().try_into().map_err(|_| "the tag's length")?;
    for piece in message.chunks(1 + record.line % 40) {
        cmac.update(piece);
    }
    cmac.verify(tag).map_err(|error| error.to_string())?;
    let mut found = [0; T];
    cmac.update(&message);
    cmac.finish(&mut found);
    same("CMAC", &found, tag)
}
