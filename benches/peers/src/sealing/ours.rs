//! This project's.

use super::Sealing;
use crate::job::{Job, Mode};
use crate::measure::Task;
use crate::ours::boxed;
use cinder_aead::{Aead, Ccm, ChaCha20Poly1305, Eax, GcmSiv, Ocb3, Siv};
use cinder_block::aes::{Aes, AesEncrypt, Kernel};
use cinder_block::{Depth, InPlace, Refusal};
use cinder_mac::Cmac;
use cinder_modes::xts::Xts;

/// The kernels of AES, and with ChaCha20 those of the level of CPU that goes with the first.
pub(crate) fn kernels() -> Vec<String> {
    Kernel::available().map(|kernel| kernel.to_string()).take(1).collect()
}

pub(crate) fn task(job: &Job, _: usize) -> Option<Task> {
    match job.cipher.name {
        "AES" => aes::<11>(job),
        "AES192" => aes::<13>(job),
        "AES256" => aes::<15>(job),
        "CHACHA20" => aead::<ChaCha20Poly1305>(job),
        _ => None,
    }
}

fn aes<const ROUND_KEYS: usize>(job: &Job) -> Option<Task> {
    match job.mode {
        Mode::Ccm => aead::<Ccm<AesEncrypt<ROUND_KEYS>, 16>>(job),
        Mode::Eax => aead::<Eax<AesEncrypt<ROUND_KEYS>, 16>>(job),
        Mode::Ocb => aead::<Ocb3<Aes<ROUND_KEYS>, 16>>(job),
        Mode::Siv => super::task(job, OneHeader(keyed::<Siv<AesEncrypt<ROUND_KEYS>>>(job), *job)),
        Mode::GcmSiv => aead::<GcmSiv<AesEncrypt<ROUND_KEYS>>>(job),
        Mode::Cmac => super::task(job, Tagging(keyed::<Cmac<AesEncrypt<ROUND_KEYS>, 16>>(job))),
        Mode::Xts => super::task(job, Sector(keyed::<Xts<Aes<ROUND_KEYS>>>(job), *job)),
        _ => None,
    }
}

fn keyed<C: InPlace>(job: &Job) -> Box<C> {
    boxed(|c: &mut C, key: &[u8]| -> Result<Depth, Refusal> { c.rekey(key) }, job.key())
}

fn aead<A: Aead<16> + InPlace + 'static>(job: &Job) -> Option<Task> {
    super::task(job, Nonced(keyed::<A>(job), *job))
}

struct Nonced<A>(Box<A>, Job);

impl<A: Aead<16> + 'static> Sealing for Nonced<A> {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        self.0.seal_in_place(self.1.sealing_nonce(), &[], data, tag).expect("the lengths are good");
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        self.0.open_in_place(self.1.sealing_nonce(), &[], data, tag).expect("the tag is good");
    }
}

struct OneHeader<C>(Box<Siv<C>>, Job);

impl<C: cinder_block::BlockEncrypt<16> + 'static> Sealing for OneHeader<C> {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        self.0.seal_with(&[self.1.sealing_nonce()], data, tag).expect("one header");
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        self.0.open_with(&[self.1.sealing_nonce()], data, tag).expect("the tag is good");
    }
}

struct Tagging<C>(Box<Cmac<C, 16>>);

impl<C: cinder_block::BlockEncrypt<16> + 'static> Sealing for Tagging<C> {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        self.0.update(data);
        self.0.finish(tag);
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        self.0.update(data);
        self.0.verify(tag).expect("the tag is good");
    }
}

struct Sector<C>(Box<Xts<C>>, Job);

impl<C> Sealing for Sector<C>
where
    C: cinder_block::BlockEncrypt<16> + cinder_block::BlockDecrypt<16> + 'static,
{
    fn seal(&mut self, data: &mut [u8], _: &mut [u8; 16]) {
        self.0.encrypt_unit(self.1.iv(), data).expect("a legal length");
    }

    fn open(&mut self, data: &mut [u8], _: &[u8; 16]) {
        self.0.decrypt_unit(self.1.iv(), data).expect("a legal length");
    }
}
