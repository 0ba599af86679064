//! GCM, over each of its kernels, and over a cipher that panics.

use super::boxed;
use super::faults::Panics;
use super::modes::pieces;
use super::{Matrix, secrets};
use crate::ciphers::Subject;
use cinder_block::{BlockEncrypt, Depth, InPlace, Slot};
use cinder_residue::{Trial, scan};

/// Sets the key up and picks a kernel.
type Choose<'a, C> = dyn Fn(&mut cinder_gcm::Gcm<C>) -> Option<Depth> + 'a;

impl Matrix<'_> {
    /// GCM on the best kernel, and on each other that goes with the cipher.
    pub(super) fn gcm<C: InPlace + BlockEncrypt<16>>(&mut self, subject: &Subject<'_, C>) {
        self.gcm_on(subject, "best", &|_| Some(Depth::NONE));
        let mut slot = Slot::<cinder_gcm::Gcm<C>>::empty();
        for kernel in cinder_gcm::Kernel::available() {
            // By this key: whether the kernel goes with the cipher at all.
            let key = &[0x5a; 56][..subject.key_len];
            let keyed = slot.init_with(|gcm| gcm.rekey_with(|c| (subject.rekey)(c, key)));
            if keyed.is_ok_and(|gcm| gcm.use_kernel(kernel).is_some()) {
                self.gcm_on(subject, &kernel.to_string(), &|gcm| gcm.use_kernel(kernel));
            }
        }
        self.gcm_panicking(subject);
    }

    fn gcm_on<C: InPlace + BlockEncrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
        kernel: &str,
        choose: &Choose<'_, C>,
    ) {
        let kernel = format!("{}, {kernel}", subject.kernel);
        if !(self.filter)(subject.cipher, "GCM", &kernel) {
            return;
        }
        let lengths = self.extent.lengths();
        let report = scan(|trial| {
            let key = &trial.key::<56>()[..subject.key_len];
            secrets::name_key(trial, subject.cipher, key);
            let mut slot = Box::new(Slot::<cinder_gcm::Gcm<C>>::empty());
            trial.watch("setup", || {
                slot.init_with(|gcm| {
                    let depth = gcm.rekey_with(|c| (subject.rekey)(c, key))?;
                    let chosen = choose(gcm).expect("it went with another key");
                    Ok(depth.max(chosen))
                })
                .is_ok()
            });
            let gcm = slot.cipher().expect("the key is of the right length");
            secrets::name_subkey(trial, gcm.cipher());
            let text = trial.message(1, lengths.iter().copied().max().unwrap_or(0));
            trial.secret("plaintext", &text);
            let (iv, aad) = (trial.fixed(2, 12), trial.fixed(3, 21));
            for (i, &len) in lengths.iter().enumerate() {
                // The last one has an IV that goes through GHASH.
                let iv = if i + 1 == lengths.len() { &iv[..9] } else { &iv[..] };
                let (text, mut tag) = (&text[..len], [0; 16]);
                let mut data = text.to_vec();
                trial
                    .watch("encrypt", || gcm.seal_in_place(iv, &aad, &mut data, &mut tag))
                    .expect("arguments within limits");
                secrets::name_keystream(trial, text, &data);
                trial.public(&tag);
                let sealed = data.clone();
                trial
                    .watch("decrypt", || gcm.open_in_place(iv, &aad, &mut data, &tag))
                    .expect("a good tag");
                assert_eq!(data, text);
                tag[5] ^= 1;
                data.copy_from_slice(&sealed);
                trial
                    .watch("failed open", || gcm.open_in_place(iv, &aad, &mut data, &tag))
                    .expect_err("a forged tag");
                let mut output = vec![0; len];
                tag[5] ^= 1;
                trial
                    .watch("decrypt", || gcm.open(iv, &aad, &sealed, &mut output, &tag))
                    .expect("a good tag");
                tag[15] ^= 0x80;
                trial
                    .watch("failed open", || gcm.open(iv, &aad, &sealed, &mut output, &tag))
                    .expect_err("a forged tag");
                tag[15] ^= 0x80;
                let mut other = vec![0; len];
                let mut short = [0; 12];
                let mut shorter = boxed(|| cinder_gcm::Gcm::<_, 12>::new(gcm.cipher()));
                let depth = shorter.use_kernel(gcm.kernel()).expect("it went before");
                cinder_burn::burn(depth);
                trial
                    .watch("encrypt", || shorter.seal(iv, &aad, text, &mut other, &mut short))
                    .expect("arguments within limits");
                assert!(other == sealed && tag.starts_with(&short));
                let refused = trial.watch("refused", || {
                    gcm.seal_in_place(&[], &aad, &mut other, &mut [0; 16]).is_err()
                        && gcm.open_in_place(&[], &aad, &mut other, &tag).is_err()
                        && gcm.open(iv, &aad, &sealed, &mut other[1..], &tag).is_err()
                });
                assert!(refused && other == sealed);
                gcm_stream(trial, gcm, [iv, &aad], &mut data, &tag);
            }
            trial.watch("drop", || slot.clear());
        });
        self.cells(subject.cipher, "GCM", &kernel, &report);
    }

    /// A user's cipher that panics. No kernel that knows AES comes into it.
    fn gcm_panicking<C: InPlace + BlockEncrypt<16>>(&mut self, subject: &Subject<'_, C>) {
        if cfg!(panic = "abort") || !(self.filter)(subject.cipher, "GCM", subject.kernel) {
            return;
        }
        let report = scan(|trial| {
            let key = &trial.key::<56>()[..subject.key_len];
            secrets::name_key(trial, subject.cipher, key);
            let mut slot = Box::new(Slot::<C>::empty());
            slot.init_with(|c| (subject.rekey)(c, key)).map(drop).expect("a legal key");
            let cipher = slot.cipher().expect("it has a key");
            let panics = &Panics::new(cipher);
            let whole = cinder_gcm::Gcm::new(panics);
            let gcm = &Box::new(whole);
            secrets::name_subkey(trial, gcm.cipher());
            let (iv, aad) = (&trial.fixed(2, 12)[..], &trial.fixed(3, 21)[..]);
            // Blocks done, bytes: in E(J_0), in a short message, in a long one.
            for (done, len) in [(0, 40), (1, 40), (1, 300), (17, 300)] {
                let text = trial.message(1, len);
                trial.secret("plaintext", &text);
                let (mut data, mut tag) = (text.clone(), [0; 16]);
                panics.after(usize::MAX);
                gcm.seal_in_place(iv, aad, &mut data, &mut tag).expect("within limits");
                secrets::name_keystream(trial, &text, &data);
                trial.public(&tag);

                panics.after(done);
                trial.watch_panic("panic", || gcm.open_in_place(iv, aad, &mut data, &tag));
                data.copy_from_slice(&text);
                panics.after(done);
                trial.watch_panic("panic", || gcm.seal_in_place(iv, aad, &mut data, &mut tag));

                let mut sealer = boxed(|| cinder_gcm::Sealer::new(gcm));
                panics.after(0);
                trial.watch_panic("panic", || sealer.start(iv, aad));
                // E(J_0) comes first.
                panics.after(1 + done);
                sealer.start(iv, aad).expect("within limits");
                trial.watch_panic("panic", || sealer.update(&mut data));
                trial.watch("refused", || sealer.update(&mut data)).expect_err("given up");
                trial.watch("stream drop", || drop(sealer));
                let mut opener = boxed(|| cinder_gcm::Opener::new(gcm));
                panics.after(1 + done);
                opener.start(iv, aad).expect("within limits");
                trial.watch_panic("panic", || opener.update_unverified(&mut data));
                trial.watch("stream drop", || drop(opener));
            }
            panics.after(0);
            trial.watch_panic("panic", || cinder_gcm::Gcm::<_>::with(panics, |_| ()));
        });
        self.cells(
            subject.cipher,
            "GCM",
            &format!("{}, a cipher that panics", subject.kernel),
            &report,
        );
    }
}

/// A message in pieces: `sealed` is opened, sealed, and opened in vain.
fn gcm_stream<C: BlockEncrypt<16>>(
    trial: &mut Trial<'_>,
    gcm: &cinder_gcm::Gcm<C>,
    [iv, aad]: [&[u8]; 2],
    sealed: &mut [u8],
    tag: &[u8; 16],
) {
    let mut opener = boxed(|| cinder_gcm::Opener::new(gcm));
    let mut sealer = boxed(|| cinder_gcm::Sealer::new(gcm));
    trial.watch("stream decrypt", || opener.start(iv, aad)).expect("arguments within limits");
    for piece in pieces(sealed, 1) {
        let done = trial.watch("stream decrypt", || opener.update_unverified(piece));
        done.expect("a short message");
    }
    trial.watch("refused", || opener.start(&[], aad)).expect_err("no IV");
    trial.watch("stream decrypt", || opener.verify(tag)).expect("a good tag");
    trial.watch("refused", || opener.update_unverified(sealed)).expect_err("it is over");

    trial.watch("stream encrypt", || sealer.start(iv, aad)).expect("arguments within limits");
    for piece in pieces(sealed, 1) {
        trial.watch("stream encrypt", || sealer.update(piece)).expect("a short message");
    }
    let mut again = [0; 16];
    trial.watch("refused", || sealer.start(&[], aad)).expect_err("no IV");
    trial.watch("stream encrypt", || sealer.finish(&mut again)).expect("a whole tag");
    assert_eq!(&again, tag);

    again[0] ^= 1;
    opener.start(iv, aad).expect("arguments within limits");
    opener.update_unverified(sealed).expect("a short message");
    trial.watch("failed open", || opener.verify(&again)).expect_err("a forged tag");

    // Given up in the middle of a block.
    let given_up = &mut [0x5c; 21];
    opener.start(iv, aad).expect("arguments within limits");
    opener.update_unverified(given_up).expect("a short message");
    sealer.start(iv, aad).expect("arguments within limits");
    sealer.update(given_up).expect("a short message");
    trial.watch("stream drop", || drop(opener));
    trial.watch("stream drop", || drop(sealer));
}
