//! RustCrypto's.

use super::Sealing;
use crate::job::{Job, Mode};
use crate::measure::Task;
use rc_aes::{Aes128, Aes192, Aes256};
use rc_aes_gcm::aead::{AeadCore, AeadInOut};
use rc_cipher::consts::{U12, U16};
use rc_cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use rc_cmac::Mac;

pub(crate) fn task(job: &Job) -> Option<Task> {
    match (job.cipher.name, job.mode) {
        ("AES", Mode::Siv) => {
            super::task(job, Headed(keyed::<rc_aes_siv::siv::Aes128Siv>(job), *job))
        }
        ("AES256", Mode::Siv) => {
            super::task(job, Headed(keyed::<rc_aes_siv::siv::Aes256Siv>(job), *job))
        }
        ("AES", Mode::Cmac) => super::task(job, Tagging(keyed::<rc_cmac::Cmac<Aes128>>(job))),
        ("AES256", Mode::Cmac) => super::task(job, Tagging(keyed::<rc_cmac::Cmac<Aes256>>(job))),
        ("AES", _) => aes::<Aes128>(job),
        ("AES192", _) => aes::<Aes192>(job),
        ("AES256", _) => aes::<Aes256>(job),
        ("CHACHA20", _) => aead::<rc_chacha20poly1305::ChaCha20Poly1305>(job),
        _ => None,
    }
}

fn keyed<C: KeyInit>(job: &Job) -> C {
    C::new_from_slice(job.key()).expect("the key is good")
}

fn aes<C>(job: &Job) -> Option<Task>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
    C: KeyInit + Clone + 'static,
{
    match job.mode {
        Mode::Ccm => aead::<rc_ccm::Ccm<C, U16, U12>>(job),
        Mode::Eax => aead::<rc_eax::Eax<C>>(job),
        Mode::Ocb => aead::<rc_ocb3::Ocb3<C, U12>>(job),
        Mode::GcmSiv => aead::<rc_aes_gcm_siv::AesGcmSiv<C>>(job),
        Mode::Xts => {
            let (data, tweak) = job.key().split_at(job.cipher.key);
            let cipher = |key| C::new_from_slice(key).expect("the key is good");
            super::task(job, Sector(rc_xts::Xts128::new(cipher(data), cipher(tweak)), *job))
        }
        _ => None,
    }
}

fn aead<A: AeadCore<TagSize = U16> + AeadInOut + KeyInit + 'static>(job: &Job) -> Option<Task> {
    let nonce = Array::try_from(job.sealing_nonce()).expect("the nonce's length");
    super::task(job, Nonced(keyed::<A>(job), nonce))
}

struct Nonced<A: AeadCore>(A, Array<u8, A::NonceSize>);

impl<A: AeadCore<TagSize = U16> + AeadInOut + 'static> Sealing for Nonced<A> {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        *tag = self.0.encrypt_inout_detached(&self.1, &[], data.into()).expect("lengths").into();
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        let opened = self.0.decrypt_inout_detached(&self.1, &[], data.into(), &Array(*tag));
        opened.expect("the tag is good");
    }
}

struct Headed<S>(S, Job);

macro_rules! headed {
    ($siv:ty) => {
        impl Sealing for Headed<$siv> {
            fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
                let headers = [self.1.sealing_nonce()];
                *tag = self.0.encrypt_inout_detached(headers, data.into()).expect("lengths").into();
            }

            fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
                let headers = [self.1.sealing_nonce()];
                let opened = self.0.decrypt_inout_detached(headers, data.into(), &Array(*tag));
                opened.expect("the tag is good");
            }
        }
    };
}
headed!(rc_aes_siv::siv::Aes128Siv);
headed!(rc_aes_siv::siv::Aes256Siv);

struct Tagging<M>(M);

impl<M: Mac<OutputSize = U16> + rc_cmac::digest::FixedOutputReset + 'static> Sealing
    for Tagging<M>
{
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        Mac::update(&mut self.0, data);
        *tag = self.0.finalize_reset().into_bytes().into();
    }

    fn open(&mut self, _: &mut [u8], _: &[u8; 16]) {}
}

struct Sector<C>(rc_xts::Xts128<C>, Job);

impl<C> Sealing for Sector<C>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
{
    fn seal(&mut self, data: &mut [u8], _: &mut [u8; 16]) {
        self.0.encrypt_sector(data, Array(*self.1.iv()));
    }

    fn open(&mut self, data: &mut [u8], _: &[u8; 16]) {
        self.0.decrypt_sector(data, Array(*self.1.iv()));
    }
}
