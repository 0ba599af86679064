//! The schemes of the table `aead` in each library: CCM, EAX, OCB3, SIV, GCM-SIV, ChaCha20-Poly1305,
//! and, in the same shape, CMAC, which writes a tag alone, and XTS, which writes none.

#[cfg(feature = "aws-lc")]
pub(crate) mod aws_lc;
pub(crate) mod botan;
pub(crate) mod libgcrypt;
pub(crate) mod openssl;
pub(crate) mod ours;
#[cfg(feature = "rustcrypto")]
pub(crate) mod rustcrypto;

use crate::job::{Direction, Job, Mode};
use crate::measure::Task;
use std::hint::black_box;

/// One scheme under one key, with one nonce for all messages, and no additional data but SIV's nonce.
pub(crate) trait Sealing: 'static {
    /// Encrypts in place, and writes the tag.
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]);

    /// Decrypts in place what verifies.
    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]);
}

/// Whether a job is of these schemes.
pub(crate) fn has(job: &Job) -> bool {
    matches!(
        job.mode,
        Mode::Ccm
            | Mode::Eax
            | Mode::Ocb
            | Mode::Siv
            | Mode::GcmSiv
            | Mode::Poly1305
            | Mode::Cmac
            | Mode::Xts
    )
}

/// A job's task. Sealing writes the tag behind the message, so that tags are compared too. Opening
/// copies the ciphertext first, in every library.
pub(crate) fn task(job: &Job, mut scheme: impl Sealing) -> Option<Task> {
    let bytes = job.bytes;
    match job.direction {
        Direction::Setup => None,
        Direction::Encrypt => Some(Task::new(bytes + 16, move |buffer| {
            let (data, tag) = buffer.split_at_mut(bytes);
            scheme.seal(data, tag.try_into().expect("16 bytes"));
        })),
        Direction::Decrypt => {
            let (mut sealed, mut tag) = (vec![0x3c; bytes], [0; 16]);
            scheme.seal(&mut sealed, &mut tag);
            Some(Task::new(bytes, move |data| {
                data.copy_from_slice(black_box(&sealed));
                scheme.open(data, &tag);
            }))
        }
    }
}
