//! AWS-LC's.

use super::Sealing;
use crate::job::{Job, Mode};
use crate::measure::Task;
use aws_lc_rs::aead::{
    AES_128_GCM_SIV, AES_256_GCM_SIV, Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey,
};
use aws_lc_rs::cmac;

pub(crate) fn task(job: &Job) -> Option<Task> {
    let algorithm = match (job.cipher.name, job.mode) {
        ("AES", Mode::GcmSiv) => &AES_128_GCM_SIV,
        ("AES256", Mode::GcmSiv) => &AES_256_GCM_SIV,
        ("CHACHA20", Mode::Poly1305) => &CHACHA20_POLY1305,
        ("AES", Mode::Cmac) => return tagging(job, cmac::AES_128),
        ("AES256", Mode::Cmac) => return tagging(job, cmac::AES_256),
        _ => return None,
    };
    let key = LessSafeKey::new(UnboundKey::new(algorithm, job.key()).ok()?);
    super::task(job, Key(key, *job))
}

struct Key(LessSafeKey, Job);

impl Key {
    fn nonce(&self) -> Nonce {
        Nonce::assume_unique_for_key(*self.1.nonce::<12>())
    }
}

impl Sealing for Key {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        let sealed = self.0.seal_in_place_separate_tag(self.nonce(), Aad::empty(), data);
        tag.copy_from_slice(sealed.expect("the lengths are good").as_ref());
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        let mut sealed = [&*data, tag].concat();
        let opened = self.0.open_in_place(self.nonce(), Aad::empty(), &mut sealed);
        data.copy_from_slice(opened.expect("the tag is good"));
    }
}

fn tagging(job: &Job, algorithm: cmac::Algorithm) -> Option<Task> {
    super::task(job, Tagging(cmac::Key::new(algorithm, job.key()).ok()?))
}

struct Tagging(cmac::Key);

impl Sealing for Tagging {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        tag.copy_from_slice(cmac::sign(&self.0, data).expect("the lengths are good").as_ref());
    }

    fn open(&mut self, _: &mut [u8], _: &[u8; 16]) {}
}
