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
    let mut gcm = Gcm::new(&**cipher);
    if let Some(kernel) = kernel
        && gcm.use_kernel(kernel).is_none()
    {
        return Outcome::Unsupported;
    }
    match job.direction {
        Direction::Encrypt => seal(&gcm, job, form),
        Direction::Decrypt => open(&gcm, job, form).into(),
    }
}

fn seal(gcm: &Gcm<&Cipher16>, job: &Job<'_>, form: Form) -> Outcome {
    let mut tag = vec![0; job.tag.len()];
    let mut result = seal_for(gcm, job, form, &mut tag);
    if result == Err(Error::TagLength) && tag.len() < 16 {
        // A length that SP 800-38D does not have: the leftmost bytes are still right or wrong.
        tag = vec![0; 16];
        result = seal_for(gcm, job, form, &mut tag);
    }
    tag.truncate(job.tag.len());
    match result {
        Ok(text) => Outcome::Sealed(text, tag),
        Err(error) => Outcome::refused(error),
    }
}

fn seal_for(
    gcm: &Gcm<&Cipher16>,
    job: &Job<'_>,
    form: Form,
    tag: &mut [u8],
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

fn open(gcm: &Gcm<&Cipher16>, job: &Job<'_>, form: Form) -> Result<Vec<u8>, Error> {
    let mut text = job.text.to_vec();
    match form {
        Form::InPlace => gcm.open_in_place(job.iv, job.aad, &mut text, job.tag)?,
        Form::Apart => {
            text.fill(0xee);
            gcm.open(job.iv, job.aad, job.text, &mut text, job.tag)?;
        }
        Form::Pieces => {
            let mut opener = Opener::new(gcm);
            opener.start(job.iv, job.aad)?;
            let mut result = Ok(());
            each(&mut text, job.pieces, |piece| {
                result = result.and(opener.update_unverified(piece))
            });
            result.and_then(|()| opener.verify(job.tag))?;
        }
    }
    Ok(text)
}
