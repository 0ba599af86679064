//! ring: AES-GCM. It opens in place alone, so that its figure for opening includes a copy of the
//! ciphertext.

use crate::job::{Direction, Job, Mode};
use crate::measure::Task;
use ring::aead::{AES_128_GCM, AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use std::hint::black_box;

/// The job's task.
pub(crate) fn task(job: &Job) -> Option<Task> {
    let algorithm = match job.cipher.name {
        "AES" => &AES_128_GCM,
        "AES256" => &AES_256_GCM,
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
