//! Jobs through the crate `gcm`.

use crate::record::Mode;
use crate::registry::{Cipher16, Keyed};
use crate::run::{Direction, Form, Job, Outcome, each};
use cinder_gcm::{Error, Gcm, Opener, Sealer};

/// With the given kernel, if it goes with the cipher, or with what the crate chooses.
pub(crate) fn run(
    cipher: &Keyed,
    job: &Job<'_>,
    form: Form,
    kernel: Option<cinder_gcm::Kernel>,
) -> Outcome {
    let Keyed::Wide(cipher) = cipher else { return Outcome::Unsupported };
    if job.mode != Mode::Gcm {
        return Outcome::Unsupported;
    }
    match job.tag.len() {
        4 => with_tag::<4>(&**cipher, job, form, kernel),
        8 => with_tag::<8>(&**cipher, job, form, kernel),
        12 => with_tag::<12>(&**cipher, job, form, kernel),
        13 => with_tag::<13>(&**cipher, job, form, kernel),
        14 => with_tag::<14>(&**cipher, job, form, kernel),
        15 => with_tag::<15>(&**cipher, job, form, kernel),
        // A length that SP 800-38D does not have: the leftmost bytes are still right or wrong.
        1..=16 => with_tag::<16>(&**cipher, job, form, kernel),
        _ => Outcome::refused("the tag's length"),
    }
}

fn with_tag<const T: usize>(
    cipher: &Cipher16,
    job: &Job<'_>,
    form: Form,
    kernel: Option<cinder_gcm::Kernel>,
) -> Outcome {
    let mut gcm = Gcm::<_, T>::new(cipher);
    if let Some(kernel) = kernel
        && gcm.use_kernel(kernel).is_none()
    {
        return Outcome::Unsupported;
    }
    match (job.direction, job.tag.try_into()) {
        (Direction::Encrypt, _) => seal(&gcm, job, form),
        (Direction::Decrypt, Ok(tag)) => open(&gcm, job, form, tag).into(),
        (Direction::Decrypt, Err(_)) => Outcome::refused("the tag has another length"),
    }
}

fn seal<const T: usize>(gcm: &Gcm<&Cipher16, T>, job: &Job<'_>, form: Form) -> Outcome {
    let mut tag = [0; T];
    match seal_for(gcm, job, form, &mut tag) {
        Ok(text) => {
            let mut tag = tag.to_vec();
            tag.truncate(job.tag.len());
            Outcome::Sealed(text, tag)
        }
        Err(error) => Outcome::refused(error),
    }
}

fn seal_for<const T: usize>(
    gcm: &Gcm<&Cipher16, T>,
    job: &Job<'_>,
    form: Form,
    tag: &mut [u8; T],
) -> Result<Vec<u8>, Error> {
    let mut text = job.text.to_vec();
    match form {
        Form::InPlace => gcm.seal_in_place(job.iv, job.aad, &mut text, tag)?,
        Form::Apart => {
            text.fill(0xee);
            gcm.seal(job.iv, job.aad, job.text, &mut text, tag)?;
        }
        Form::Pieces => {
            let mut sealer = Sealer::new(gcm);
            sealer.start(job.iv, job.aad)?;
            let mut result = Ok(());
            each(&mut text, job.pieces, |piece| result = result.and(sealer.update(piece)));
            result.and_then(|()| sealer.finish(tag))?;
        }
    }
    Ok(text)
}

fn open<const T: usize>(
    gcm: &Gcm<&Cipher16, T>,
    job: &Job<'_>,
    form: Form,
    tag: &[u8; T],
) -> Result<Vec<u8>, Error> {
    let mut text = job.text.to_vec();
    match form {
        Form::InPlace => gcm.open_in_place(job.iv, job.aad, &mut text, tag)?,
        Form::Apart => {
            text.fill(0xee);
            gcm.open(job.iv, job.aad, job.text, &mut text, tag)?;
        }
        Form::Pieces => {
            let mut opener = Opener::new(gcm);
            opener.start(job.iv, job.aad)?;
            let mut result = Ok(());
            each(&mut text, job.pieces, |piece| {
                result = result.and(opener.update_unverified(piece))
            });
            result.and_then(|()| opener.verify(tag))?;
        }
    }
    Ok(text)
}
