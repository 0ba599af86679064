//! Jobs through the crate `modes`.

use crate::record::Mode;
use crate::registry::{BlockCipher, Keyed};
use crate::run::{Direction, Form, Job, Outcome};
use cinder_modes::{Padding, Stealing, cbc, cfb, cfb8, ctr, ecb, key_wrap, ofb};

/// The modes for blocks of any size.
pub(crate) const HAS: [Mode; 11] = [
    Mode::Ecb,
    Mode::Cbc,
    Mode::CbcPkcs7,
    Mode::CbcCs1,
    Mode::CbcCs2,
    Mode::CbcCs3,
    Mode::Cfb,
    Mode::Cfb8,
    Mode::Ofb,
    Mode::Ctr,
    Mode::CtrLittleEndian,
];

/// A step that works in place, or from the input it is given.
macro_rules! twins {
    ($mode:ident, $in_place:ident, $apart:ident) => {
        |input: Option<&[u8]>, data: &mut [u8]| match input {
            None => $mode.$in_place(data),
            Some(input) => $mode.$apart(input, data),
        }
    };
}

/// The same where the method that works in place cannot fail.
macro_rules! sure {
    ($mode:ident, $in_place:ident, $apart:ident) => {
        |input: Option<&[u8]>, data: &mut [u8]| match input {
            None => {
                $mode.$in_place(data);
                Ok(())
            }
            Some(input) => $mode.$apart(input, data),
        }
    };
}

pub(crate) fn run(cipher: &Keyed, job: &Job<'_>, form: Form) -> Outcome {
    match cipher {
        Keyed::Narrow(cipher) if job.mode == Mode::TripleDesKeyWrap => {
            wrap(&key_wrap::Tkw::new(&**cipher), job, form)
        }
        Keyed::Wide(cipher) if job.mode == Mode::KeyWrap => {
            wrap(&key_wrap::Kw::new(&**cipher), job, form)
        }
        Keyed::Wide(cipher) if job.mode == Mode::KeyWrapPadded => {
            wrap(&key_wrap::Kwp::new(&**cipher), job, form)
        }
        Keyed::Narrow(cipher) => any_size(&**cipher, job, form),
        Keyed::Wide(cipher) => any_size(&**cipher, job, form),
    }
}

fn any_size<const N: usize>(cipher: &dyn BlockCipher<N>, job: &Job<'_>, form: Form) -> Outcome {
    let encrypts = job.direction == Direction::Encrypt;
    if !HAS.contains(&job.mode) {
        return Outcome::Unsupported;
    }
    if job.mode == Mode::Ecb {
        let (mut e, mut d) = (ecb::Encryptor::new(cipher), ecb::Decryptor::new(cipher));
        return if encrypts {
            blocks::<N, _>(form, job, twins!(e, encrypt, encrypt_to))
        } else {
            blocks::<N, _>(form, job, twins!(d, decrypt, decrypt_to))
        };
    }
    let iv: &[u8; N] = match job.iv.try_into() {
        Ok(iv) => iv,
        Err(_) => return Outcome::refused("IV is not one block"),
    };
    match (job.mode, encrypts) {
        (Mode::Cbc, true) => {
            let mut cbc = cbc::Encryptor::new(cipher, iv);
            blocks::<N, _>(form, job, twins!(cbc, encrypt, encrypt_to))
        }
        (Mode::Cbc, false) => {
            let mut cbc = cbc::Decryptor::new(cipher, iv);
            blocks::<N, _>(form, job, twins!(cbc, decrypt, decrypt_to))
        }
        (Mode::CbcPkcs7, true) => pad(cbc::Encryptor::new(cipher, iv), form, job),
        (Mode::CbcPkcs7, false) => unpad(cbc::Decryptor::new(cipher, iv), form, job),
        (Mode::CbcCs1, _) => steal(cipher, iv, job, form, Stealing::Cs1),
        (Mode::CbcCs2, _) => steal(cipher, iv, job, form, Stealing::Cs2),
        (Mode::CbcCs3, _) => steal(cipher, iv, job, form, Stealing::Cs3),
        (Mode::Cfb, true) => {
            let mut cfb = cfb::Encryptor::new(cipher, iv);
            bytes(form, job, sure!(cfb, encrypt, encrypt_to))
        }
        (Mode::Cfb, false) => {
            let mut cfb = cfb::Decryptor::new(cipher, iv);
            bytes(form, job, sure!(cfb, decrypt, decrypt_to))
        }
        (Mode::Cfb8, true) => {
            let mut cfb8 = cfb8::Encryptor::new(cipher, iv);
            bytes(form, job, sure!(cfb8, encrypt, encrypt_to))
        }
        (Mode::Cfb8, false) => {
            let mut cfb8 = cfb8::Decryptor::new(cipher, iv);
            bytes(form, job, sure!(cfb8, decrypt, decrypt_to))
        }
        (Mode::Ofb, _) => {
            let mut ofb = ofb::Ofb::new(cipher, iv);
            bytes(form, job, sure!(ofb, apply_keystream, apply_keystream_to))
        }
        (Mode::CtrLittleEndian, _) => counter(ctr::Ctr::little_endian(cipher, iv), job, form),
        _ => {
            let ctr = match job.counter_bytes {
                None => Ok(ctr::Ctr::new(cipher, iv)),
                Some(width) => ctr::Ctr::with_width(cipher, iv, width),
            };
            match ctr {
                Ok(ctr) => counter(ctr, job, form),
                Err(error) => Outcome::refused(error),
            }
        }
    }
}

/// Runs a text through a mode of whole blocks.
fn blocks<const N: usize, E: ToString>(
    form: Form,
    job: &Job<'_>,
    step: impl FnMut(Option<&[u8]>, &mut [u8]) -> Result<(), E>,
) -> Outcome {
    drive(form, job.text, &sizes::<N>(job), step).into()
}

/// Runs a text through a mode of bytes.
fn bytes<E: ToString>(
    form: Form,
    job: &Job<'_>,
    step: impl FnMut(Option<&[u8]>, &mut [u8]) -> Result<(), E>,
) -> Outcome {
    drive(form, job.text, job.pieces, step).into()
}

/// The job's pieces of whole blocks, in bytes.
fn sizes<const N: usize>(job: &Job<'_>) -> Vec<usize> {
    job.pieces.iter().map(|blocks| blocks * N).collect()
}

fn drive<E>(
    form: Form,
    text: &[u8],
    pieces: &[usize],
    mut step: impl FnMut(Option<&[u8]>, &mut [u8]) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    let mut out = text.to_vec();
    match form {
        Form::InPlace => step(None, &mut out)?,
        Form::Apart => {
            out.fill(0xee);
            step(Some(text), &mut out)?;
        }
        Form::Pieces => {
            let (mut input, mut output) = (text, out.as_mut_slice());
            for (index, size) in pieces.iter().cycle().enumerate() {
                if input.is_empty() {
                    break;
                }
                let size = (*size).min(input.len());
                let (now, later) = output.split_at_mut(size);
                step((index % 2 == 1).then_some(&input[..size]), now)?;
                (input, output) = (&input[size..], later);
            }
        }
    }
    Ok(out)
}

fn pad<const N: usize>(
    mut cbc: cbc::Encryptor<&dyn BlockCipher<N>, N>,
    form: Form,
    job: &Job<'_>,
) -> Outcome {
    let text = job.text;
    let (head, tail) = text.split_at(if form == Form::Pieces { text.len() / N * N } else { 0 });
    let head = match drive(form, head, &sizes::<N>(job), twins!(cbc, encrypt, encrypt_to)) {
        Ok(head) => head,
        Err(error) => return Outcome::refused(error),
    };
    let mut buffer = vec![0xee; tail.len() + N];
    let result = if form == Form::Apart {
        cbc.encrypt_padded_to(Padding::Pkcs7, tail, &mut buffer)
    } else {
        buffer[..tail.len()].copy_from_slice(tail);
        cbc.encrypt_padded(Padding::Pkcs7, &mut buffer, tail.len())
    };
    result.map(|tail| [&head, &*tail].concat()).into()
}

fn unpad<const N: usize>(
    mut cbc: cbc::Decryptor<&dyn BlockCipher<N>, N>,
    form: Form,
    job: &Job<'_>,
) -> Outcome {
    let text = job.text;
    // The last block is for the end.
    let before = if form == Form::Pieces { text.len().saturating_sub(1) / N * N } else { 0 };
    let (head, tail) = text.split_at(before);
    let head = match drive(form, head, &sizes::<N>(job), twins!(cbc, decrypt, decrypt_to)) {
        Ok(head) => head,
        Err(error) => return Outcome::refused(error),
    };
    let mut buffer = tail.to_vec();
    let result = if form == Form::Apart {
        buffer.fill(0xee);
        cbc.decrypt_padded_to(Padding::Pkcs7, tail, &mut buffer)
    } else {
        cbc.decrypt_padded(Padding::Pkcs7, &mut buffer)
    };
    result.map(|tail| [&head, &*tail].concat()).into()
}

fn steal<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    iv: &[u8; N],
    job: &Job<'_>,
    form: Form,
    stealing: Stealing,
) -> Outcome {
    // More than one block is for the end.
    let before = (job.text.len().saturating_sub(1) / N).saturating_sub(1) * N;
    let (head, tail) = job.text.split_at(if form == Form::Pieces { before } else { 0 });
    let sizes = sizes::<N>(job);
    let end = if form == Form::Apart { Form::Apart } else { Form::InPlace };
    let result = if job.direction == Direction::Encrypt {
        let mut cbc = cbc::Encryptor::new(cipher, iv);
        drive(form, head, &sizes, twins!(cbc, encrypt, encrypt_to)).and_then(|head| {
            let step = |input: Option<&[u8]>, data: &mut [u8]| match input {
                None => cbc.encrypt_stealing(stealing, data),
                Some(input) => cbc.encrypt_stealing_to(stealing, input, data),
            };
            Ok([head, drive(end, tail, &[], step)?].concat())
        })
    } else {
        let mut cbc = cbc::Decryptor::new(cipher, iv);
        drive(form, head, &sizes, twins!(cbc, decrypt, decrypt_to)).and_then(|head| {
            let step = |input: Option<&[u8]>, data: &mut [u8]| match input {
                None => cbc.decrypt_stealing(stealing, data),
                Some(input) => cbc.decrypt_stealing_to(stealing, input, data),
            };
            Ok([head, drive(end, tail, &[], step)?].concat())
        })
    };
    result.into()
}

fn counter<const N: usize, const LITTLE_ENDIAN: bool>(
    mut ctr: ctr::Ctr<&dyn BlockCipher<N>, N, LITTLE_ENDIAN>,
    job: &Job<'_>,
    form: Form,
) -> Outcome {
    if form == Form::Pieces {
        // There and back, so that seeking is a test as well.
        let middle = job.text.len() as u128 / 2;
        if let Err(error) = ctr.seek(middle).and_then(|()| ctr.seek(0)) {
            return Outcome::refused(error);
        }
    }
    bytes(form, job, twins!(ctr, apply_keystream, apply_keystream_to))
}

fn wrap<const PADDED: bool, const N: usize, const H: usize>(
    kw: &key_wrap::KeyWrap<&dyn BlockCipher<N>, PADDED, N, H>,
    job: &Job<'_>,
    form: Form,
) -> Outcome {
    let text = job.text;
    // A semiblock more, and up to seven bytes of padding.
    let mut buffer = [text, &[0xee; 15]].concat();
    let wrapped = |result: Result<&mut [u8], cinder_modes::LengthError>| -> Outcome {
        result.map(|wrapped| wrapped.to_vec()).into()
    };
    let key = |result: Result<&mut [u8], cinder_modes::UnwrapError>| -> Outcome {
        result.map(|key| key.to_vec()).into()
    };
    match (form, job.direction) {
        (Form::Pieces, _) => Outcome::Unsupported,
        (Form::InPlace, Direction::Encrypt) => wrapped(kw.wrap(&mut buffer, text.len())),
        (Form::Apart, Direction::Encrypt) => wrapped(kw.wrap_to(text, &mut buffer)),
        (Form::InPlace, Direction::Decrypt) => key(kw.unwrap(&mut buffer[..text.len()])),
        (Form::Apart, Direction::Decrypt) => key(kw.unwrap_to(text, &mut buffer)),
    }
}
