//! ring: AES-GCM and ChaCha20-Poly1305. It opens in place alone, so that its figure for opening includes a copy of the
//! ciphertext.

use crate::job::{Direction, Job, Mode};
use crate::measure::Task;
use crate::sealing::{self, Sealing};
use ring::aead::{
    AES_128_GCM, AES_256_GCM, Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey,
};
use std::hint::black_box;

/// The job's task.
pub(crate) fn task(job: &Job) -> Option<Task> {
    let algorithm = match job.cipher.name {
        "AES" => &AES_128_GCM,
        "AES256" => &AES_256_GCM,
        "CHACHA20" if job.mode == Mode::Poly1305 => {
            let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, job.key()).ok()?);
            return sealing::task(job, ChaCha20Poly1305(key, *job.nonce()));
        }
        _ => return None,
    };
    let secret = job.key();
    let key = move || {
        let key = UnboundKey::new(algorithm, black_box(secret)).expect("the key is good");
        LessSafeKey::new(key)
    };
    let bytes = *job.nonce::<12>();
    let nonce = move || Nonce::assume_unique_for_key(bytes);
    match (job.mode, job.direction) {
        (Mode::Gcm, Direction::Setup) => Some(Task::new(0, move |_| {
            black_box(&key());
        })),
        (Mode::Gcm, Direction::Encrypt) => {
            let key = key();
            Some(Task::new(job.bytes, move |data| {
                let tag = key.seal_in_place_separate_tag(nonce(), Aad::empty(), data);
                black_box(&tag.expect("the lengths are good"));
            }))
        }
        (Mode::Gcm, Direction::Decrypt) => {
            let key = key();
            let mut sealed = vec![0x3c; job.bytes];
            let tag = key.seal_in_place_separate_tag(nonce(), Aad::empty(), &mut sealed).ok()?;
            Some(Task::new(job.bytes, move |data| {
                data.copy_from_slice(black_box(&sealed));
                let plain = key.open_in_place_separate_tag(nonce(), Aad::empty(), tag, data, 0..);
                plain.expect("the tag is good");
            }))
        }
        (Mode::Gmac, Direction::Encrypt) => {
            let key = key();
            Some(Task::new(job.bytes, move |data| {
                let tag = key.seal_in_place_separate_tag(nonce(), Aad::from(&*data), &mut []);
                data[..16].copy_from_slice(tag.expect("the lengths are good").as_ref());
            }))
        }
        _ => None,
    }
}

struct ChaCha20Poly1305(LessSafeKey, [u8; 12]);

impl Sealing for ChaCha20Poly1305 {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        let nonce = Nonce::assume_unique_for_key(self.1);
        let sealed = self.0.seal_in_place_separate_tag(nonce, Aad::empty(), data);
        tag.copy_from_slice(sealed.expect("the lengths are good").as_ref());
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        let nonce = Nonce::assume_unique_for_key(self.1);
        let tag = (*tag).into();
        let opened = self.0.open_in_place_separate_tag(nonce, Aad::empty(), tag, data, 0..);
        opened.expect("the tag is good");
    }
}
