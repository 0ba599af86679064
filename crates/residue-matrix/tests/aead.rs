//! CMAC, the schemes of the crate `aead` and XTS, in every step, leave nothing.

use cinder_aead::{Aead, Ccm, Eax, GcmSiv, Ocb3, Siv};
use cinder_block::{Aes128, BlockEncrypt, InPlace, Serpent, Slot, TripleDes};
use cinder_mac::Cmac;
use cinder_modes::ctr::Ctr;
use cinder_modes::xts::Xts;
use cinder_residue::{Trial, scan, supported};

/// One block, some, and more than the scratches hold.
const LENGTHS: [usize; 4] = [0, 16, 75, 1200];

fn watch_aead<A: Aead<T> + InPlace, const T: usize>(trial: &mut Trial, key: &[u8], nonce: usize) {
    let nonce = &[5; 16][..nonce];
    let mut slot = Slot::<A>::empty();
    trial.watch("init", || slot.init(key).map(drop)).expect("a legal key");
    trial.watch("refused", || slot.init(&[1; 200]).map(drop)).expect_err("no key");
    trial.watch("init", || slot.init(key).map(drop)).expect("a legal key");
    let aead = slot.cipher().expect("a key");
    for len in LENGTHS {
        let (mut data, mut tag) = (trial.message(1, len), [0; T]);
        trial.secret("plaintext", &data.clone());
        let seal = || aead.seal_in_place(nonce, b"header", &mut data, &mut tag);
        trial.watch("seal", seal).expect("within limits");
        trial.public(&tag);
        trial.public(&data);
        let mut forged = tag;
        forged[0] ^= 1;
        let open = || aead.open_in_place(nonce, b"header", &mut data, &forged);
        trial.watch("open, forged", open).expect_err("a forged tag");
        let open = || aead.open_in_place(nonce, b"header", &mut data, &tag);
        trial.watch("open", open).expect("a good tag");
    }
    trial.watch("clear", || slot.clear());
}

#[test]
fn schemes() {
    if !supported() {
        return;
    }
    let report = scan(|trial| {
        let key = trial.key::<64>();
        trial.secret("key", &key);
        watch_aead::<Ccm<Aes128, 16>, 16>(trial, &key[..16], 13);
        watch_aead::<Ccm<Serpent, 4>, 4>(trial, &key[..32], 7);
        watch_aead::<Eax<Aes128, 16>, 16>(trial, &key[..16], 16);
        watch_aead::<Eax<TripleDes, 8>, 8>(trial, &key[..24], 9);
        watch_aead::<Ocb3<Aes128, 16>, 16>(trial, &key[..16], 12);
        watch_aead::<Ocb3<Serpent, 12>, 12>(trial, &key[..32], 15);
        watch_aead::<Siv<Aes128>, 16>(trial, &key[..32], 16);
        watch_aead::<GcmSiv<Aes128>, 16>(trial, &key[..16], 12);
        watch_aead::<GcmSiv<Serpent>, 16>(trial, &key[..32], 12);
    });
    assert!(report.is_clean(), "{report}");
}

/// The counter of WinZip, where four bytes wrap, too.
#[test]
fn little_endian_counter() {
    if !supported() {
        return;
    }
    let report = scan(|trial| {
        let key = trial.key::<32>();
        trial.secret("key", &key);
        let mut slot = Slot::<Serpent>::empty();
        watch_counter(trial, slot.init(&key).expect("a legal key"));
        let mut slot = Slot::<Aes128>::empty();
        watch_counter(trial, slot.init(&key[..16]).expect("a legal key"));
    });
    assert!(report.is_clean(), "{report}");
}

fn watch_counter(trial: &mut Trial, cipher: &impl BlockEncrypt<16>) {
    let iv = [0xff; 16];
    for len in LENGTHS {
        let text = trial.message(1, len);
        trial.secret("plaintext", &text);
        let mut data = text.clone();
        let mut ctr = Box::new(Ctr::little_endian(cipher, &iv));
        trial.watch("CTR-LE", || ctr.apply_keystream(&mut data)).expect("a short message");
        trial.public(&data);
        trial.watch("CTR-LE restart", || ctr.restart(&iv));
        for piece in data.chunks_mut(7) {
            trial.watch("CTR-LE pieces", || ctr.apply_keystream(piece)).expect("a short message");
        }
        assert_eq!(data, text);
        trial.watch("CTR-LE seek", || ctr.seek(5)).expect("inside");
        trial
            .watch("CTR-LE to", || ctr.apply_keystream_to(&text[..len / 2], &mut data[..len / 2]))
            .expect("a short message");
        trial.watch("CTR-LE drop", || drop(ctr));
    }
}

#[test]
fn cmac_and_xts() {
    if !supported() {
        return;
    }
    let report = scan(|trial| {
        let key = trial.key::<32>();
        trial.secret("key", &key);
        let mut slot = Slot::<Cmac<Aes128, 16>>::empty();
        trial.watch("CMAC init", || slot.init(&key[..16]).map(drop)).expect("a legal key");
        let cmac = slot.cipher_mut().expect("a key");
        for len in LENGTHS {
            let message = trial.message(2, len);
            let mut tag = [0; 16];
            trial.watch("CMAC update", || cmac.update(&message));
            trial.watch("CMAC finish", || cmac.finish(&mut tag));
            trial.public(&tag);
            trial.watch("CMAC update", || cmac.update(&message));
            trial.watch("CMAC verify", || cmac.verify(&tag)).expect("a good tag");
        }
        trial.watch("CMAC clear", || slot.clear());

        let mut slot = Slot::<Xts<Aes128>>::empty();
        trial.watch("XTS init", || slot.init(&key).map(drop)).expect("a legal key");
        let xts = slot.cipher().expect("a key");
        for len in [16, 75, 512] {
            let mut data = trial.message(3, 4 * len);
            trial.secret("sectors", &data.clone());
            trial.watch("XTS encrypt", || xts.encrypt_sectors(7, len, &mut data)).expect("legal");
            trial.public(&data);
            trial.watch("XTS decrypt", || xts.decrypt_sectors(7, len, &mut data)).expect("legal");
        }
        trial.watch("XTS clear", || slot.clear());
    });
    assert!(report.is_clean(), "{report}");
}
