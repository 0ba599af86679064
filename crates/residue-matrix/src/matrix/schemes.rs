//! CMAC, the schemes of the crate `aead`, XTS and the little-endian counter, which run on the cipher's kernels.

use super::{Matrix, boxed};
use cinder_aead::{Aead, Ccm, ChaCha20Poly1305, Eax, GcmSiv, Ocb3, Siv, XChaCha20Poly1305};
use cinder_block::{
    Aes128, Aria, BlockDecrypt, BlockEncrypt, Camellia, Depth, Idea, InPlace, Refusal, Seed,
    Serpent, Slot, TripleDes, camellia,
};
use cinder_burn::scope;
use cinder_mac::{Cmac, Poly1305};
use cinder_modes::ctr::Ctr;
use cinder_modes::xts::Xts;
use cinder_residue::{Trial, scan};
use cinder_stream::{ChaCha20, Kernel, XChaCha20};

/// One block, some, and more than the scratches hold.
const LENGTHS: [usize; 4] = [0, 16, 75, 1200];

/// What stands where the kernel does.
const KERNEL: &str = "best";

impl Matrix<'_> {
    pub(super) fn all_schemes(&mut self) {
        self.steps_of("AES-128", "CCM", |trial, key| {
            aead::<Ccm<Aes128, 16>, 16>(trial, &key[..16], 13)
        });
        self.steps_of("Serpent", "CCM", |trial, key| {
            aead::<Ccm<Serpent, 4>, 4>(trial, &key[..32], 7)
        });
        self.steps_of("AES-128", "EAX", |trial, key| {
            aead::<Eax<Aes128, 16>, 16>(trial, &key[..16], 16)
        });
        self.steps_of("3DES", "EAX", |trial, key| {
            aead::<Eax<TripleDes, 8>, 8>(trial, &key[..24], 9)
        });
        self.steps_of("IDEA", "EAX", |trial, key| aead::<Eax<Idea, 8>, 8>(trial, &key[..16], 8));
        self.steps_of("AES-128", "OCB3", |trial, key| {
            aead::<Ocb3<Aes128, 16>, 16>(trial, &key[..16], 12)
        });
        self.steps_of("Serpent", "OCB3", |trial, key| {
            aead::<Ocb3<Serpent, 12>, 12>(trial, &key[..32], 15)
        });
        self.steps_of("AES-128", "SIV", |trial, key| {
            aead::<Siv<Aes128>, 16>(trial, &key[..32], 16)
        });
        self.steps_of("AES-128", "GCM-SIV", |trial, key| {
            aead::<GcmSiv<Aes128>, 16>(trial, &key[..16], 12)
        });
        self.steps_of("Serpent", "GCM-SIV", |trial, key| {
            aead::<GcmSiv<Serpent>, 16>(trial, &key[..32], 12)
        });
        self.steps_of("ChaCha20", "Poly1305", |trial, key| {
            aead::<ChaCha20Poly1305, 16>(trial, &key[..32], 12)
        });
        self.steps_of("XChaCha20", "Poly1305", |trial, key| {
            aead::<XChaCha20Poly1305, 16>(trial, &key[..32], 24)
        });
        self.steps_of("ChaCha20", "XOR", |trial, key| chacha20(trial, &key[..32]));
        self.steps_of("Poly1305", "MAC", |trial, key| poly1305(trial, &key[..32]));
        self.steps_of("AES-128", "CMAC", |trial, key| cmac::<Aes128, 16>(trial, &key[..16]));
        self.steps_of("IDEA", "CMAC", |trial, key| cmac::<Idea, 8>(trial, &key[..16]));
        self.steps_of("AES-128", "XTS", |trial, key| xts(trial, &key[..32]));
        self.steps_of("AES-128", "CTR-LE", |trial, key| counter::<Aes128>(trial, &key[..16]));
        // Names of their own: of the ciphers as a whole nobody says that they take constant time.
        self.steps_of("wide Camellia", "sets", |trial, key| {
            sets(trial, &key[..32], Camellia::rekey_with_kernel)
        });
        self.steps_of("wide ARIA", "sets", |trial, key| {
            sets(trial, &key[..32], Aria::rekey_with_kernel)
        });
        self.steps_of("wide SEED", "sets", |trial, key| {
            sets(trial, &key[..16], Seed::rekey_with_kernel)
        });
        self.steps_of("Serpent", "CTR-LE", |trial, key| counter::<Serpent>(trial, &key[..32]));
    }

    fn steps_of(
        &mut self,
        cipher: &'static str,
        mode: &'static str,
        operate: fn(&mut Trial<'_>, &[u8; 64]),
    ) {
        if (self.filter)(cipher, mode, KERNEL) {
            let report = scan(|trial| {
                let key = trial.key::<64>();
                trial.secret("key", &key);
                operate(trial, &key);
            });
            self.cells(cipher, mode, KERNEL, &report);
        }
    }
}

fn aead<A: Aead<T> + InPlace, const T: usize>(trial: &mut Trial<'_>, key: &[u8], nonce: usize) {
    let nonce = &[5; 24][..nonce];
    let mut slot = Box::new(Slot::<A>::empty());
    trial.watch("setup", || slot.init(key).map(drop)).expect("a legal key");
    trial.watch("refused key", || slot.init(&[1; 200]).map(drop)).expect_err("no key");
    trial.watch("setup", || slot.init(key).map(drop)).expect("a legal key");
    let aead = slot.cipher().expect("a key");
    for len in LENGTHS {
        let (mut data, mut tag) = (trial.message(1, len), [0; T]);
        trial.secret("plaintext", &data.clone());
        let seal = || aead.seal_in_place(nonce, b"header", &mut data, &mut tag);
        trial.watch("encrypt", seal).expect("within limits");
        trial.public(&tag);
        trial.public(&data);
        let mut forged = tag;
        forged[0] ^= 1;
        let open = || aead.open_in_place(nonce, b"header", &mut data, &forged);
        trial.watch("failed open", open).expect_err("a forged tag");
        let open = || aead.open_in_place(nonce, b"header", &mut data, &tag);
        trial.watch("decrypt", open).expect("a good tag");
    }
    trial.watch("drop", || slot.clear());
}

/// With each kernel; and XChaCha20.
fn chacha20(trial: &mut Trial<'_>, key: &[u8]) {
    let mut slot = Box::new(Slot::<ChaCha20>::empty());
    let mut x_slot = Box::new(Slot::<XChaCha20>::empty());
    for kernel in Kernel::available() {
        let init = || slot.init_with(|c| c.rekey_with_kernel(key, kernel)).map(drop);
        trial.watch("setup", init).expect("a legal key");
        let cipher = slot.cipher().expect("a key");
        for len in LENGTHS {
            let text = trial.message(1, len);
            trial.secret("plaintext", &text);
            let mut stream = boxed(|| cipher.keystream(&[7; 12]));
            let mut data = text.clone();
            trial.watch("encrypt", || stream.apply(&mut data)).expect("a short message");
            trial.public(&data);
            for piece in data.chunks_mut(100) {
                trial.watch("stream encrypt", || stream.apply(piece)).expect("a short message");
            }
            trial.watch("seek", || stream.seek(5)).expect("inside");
            trial.watch("encrypt", || stream.apply_to(&text, &mut data)).expect("as long");
            trial.watch("stream drop", || drop(stream));
        }
        trial.watch("drop", || slot.clear());
    }
    trial.watch("setup", || x_slot.init(key).map(drop)).expect("a legal key");
    let cipher = x_slot.cipher_mut().expect("a key");
    let mut data = trial.message(1, 300);
    trial.watch("XChaCha20", || cipher.keystream(&[7; 24]).apply(&mut data)).expect("short");
    trial.watch("drop", || x_slot.clear());
}

/// With each kernel.
fn poly1305(trial: &mut Trial<'_>, key: &[u8]) {
    cinder_mac::Kernel::available().for_each(|kernel| poly1305_on(trial, key, kernel));
}

fn poly1305_on(trial: &mut Trial<'_>, key: &[u8], kernel: cinder_mac::Kernel) {
    let mut slot = Box::new(Slot::<Poly1305>::empty());
    let init =
        |slot: &mut Slot<Poly1305>| slot.init_with(|c| c.rekey_with_kernel(key, kernel)).map(drop);
    for len in LENGTHS {
        let message = trial.message(2, len);
        let mut tag = [0; 16];
        trial.watch("setup", || init(&mut slot)).expect("a legal key");
        let poly1305 = slot.cipher_mut().expect("a key");
        trial.watch("update", || poly1305.update(&message));
        trial.watch("finish", || poly1305.finish(&mut tag)).expect("a fresh key");
        trial.public(&tag);
        trial.watch("setup", || init(&mut slot)).expect("a legal key");
        let poly1305 = slot.cipher_mut().expect("a key");
        trial.watch("update", || poly1305.update(&message));
        trial.watch("verify", || poly1305.verify(&tag)).expect("a good tag");
    }
    trial.watch("setup", || init(&mut slot)).expect("a legal key");
    trial.watch("drop", || slot.clear());
}

fn cmac<C: InPlace + BlockEncrypt<N>, const N: usize>(trial: &mut Trial<'_>, key: &[u8]) {
    let mut slot = Box::new(Slot::<Cmac<C, N>>::empty());
    trial.watch("setup", || slot.init(key).map(drop)).expect("a legal key");
    let cmac = slot.cipher_mut().expect("a key");
    for len in LENGTHS {
        let message = trial.message(2, len);
        let mut tag = [0; N];
        trial.watch("update", || cmac.update(&message));
        trial.watch("finish", || cmac.finish(&mut tag));
        trial.public(&tag);
        trial.watch("update", || cmac.update(&message));
        trial.watch("verify", || cmac.verify(&tag)).expect("a good tag");
        tag[N - 1] ^= 1;
        trial.watch("failed verify", || cmac.verify(&tag)).expect_err("a forged tag");
    }
    trial.watch("drop", || slot.clear());
}

fn xts(trial: &mut Trial<'_>, key: &[u8]) {
    let mut slot = Box::new(Slot::<Xts<Aes128>>::empty());
    trial.watch("setup", || slot.init(key).map(drop)).expect("a legal key");
    let equal = [&key[..16]; 2].concat();
    trial.watch("weak key", || slot.init(&equal).map(drop)).expect_err("two equal halves");
    trial.watch("setup", || slot.init(key).map(drop)).expect("a legal key");
    let xts = slot.cipher().expect("a key");
    for len in [16, 75, 512] {
        let mut data = trial.message(3, 4 * len);
        trial.secret("sectors", &data.clone());
        trial.watch("encrypt", || xts.encrypt_sectors(7, len, &mut data)).expect("legal");
        trial.public(&data);
        trial.watch("decrypt", || xts.decrypt_sectors(7, len, &mut data)).expect("legal");
    }
    trial.watch("drop", || slot.clear());
}

/// As many blocks at a time as go without tables, on each kernel that has none. Setting a key up takes
/// tables.
fn sets<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
    trial: &mut Trial<'_>,
    key: &[u8],
    rekey: fn(&mut C, &[u8], camellia::Kernel) -> Result<Depth, Refusal>,
) {
    let mut slot = Box::new(Slot::<C>::empty());
    for kernel in camellia::Kernel::available().filter(|k| *k != camellia::Kernel::Portable) {
        let cipher = slot.init_with(|c| rekey(c, key, kernel)).expect("a legal key");
        for count in [9, 16, 25, 32, 48, 64] {
            let message = trial.message(4, 16 * count);
            let mut data = message.clone();
            let blocks = data.as_chunks_mut().0;
            trial.watch("encrypt", || scope(|| ((), cipher.encrypt_blocks(blocks))));
            trial.public(blocks.as_flattened());
            trial.watch("decrypt", || scope(|| ((), cipher.decrypt_blocks(blocks))));
            assert_eq!(data, message);
        }
    }
}

/// The counter of WinZip, where four bytes wrap, too.
fn counter<C: InPlace + BlockEncrypt<16>>(trial: &mut Trial<'_>, key: &[u8]) {
    let mut slot = Box::new(Slot::<C>::empty());
    let cipher = &*slot.init(key).expect("a legal key");
    let iv = [0xff; 16];
    for len in LENGTHS {
        let text = trial.message(1, len);
        trial.secret("plaintext", &text);
        let mut data = text.clone();
        let mut ctr = boxed(|| Ctr::little_endian(cipher, &iv));
        trial.watch("encrypt", || ctr.apply_keystream(&mut data)).expect("a short message");
        trial.public(&data);
        trial.watch("restart", || ctr.restart(&iv));
        for piece in data.chunks_mut(7) {
            trial.watch("stream decrypt", || ctr.apply_keystream(piece)).expect("a short message");
        }
        assert_eq!(data, text);
        trial.watch("seek", || ctr.seek(5)).expect("inside");
        let half = &mut data[..len / 2];
        trial.watch("encrypt", || ctr.apply_keystream_to(&text[..len / 2], half)).expect("short");
        trial.watch("stream drop", || drop(ctr));
    }
}
