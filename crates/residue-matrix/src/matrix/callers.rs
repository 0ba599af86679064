//! Ciphers as a user's program calls them, whose own frame and registers are looked at, too: calls
//! of the traits that burn in the caller's frame, slots, and boxes that are freed.
//!
//! Each call is made from a wrapper that is always inlined, from a function for which the compiler
//! may use the kernels' instructions, so that it may inline kernels there, and from one that is
//! called by `dyn`.

use super::{Matrix, secrets};
use crate::ciphers::Subject;
use cinder_aead::{Ccm, Eax, Ocb3, Siv};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, KeyError, Serpent, Slot};
use cinder_burn::{burn, opaque_word};
use cinder_gcm::Gcm;
use cinder_mac::Cmac;
use cinder_modes::xts::Xts;
use cinder_modes::{cbc, cfb, cfb8, ctr, ecb, ofb};
use cinder_residue::{Trial, scan};
use std::hint::black_box;

/// Watches a call from each kind of caller.
macro_rules! watch {
    ($trial:ident, $step:literal, $call:expr) => {
        $trial.watch($step, || inlined(|| $call));
        if has_features() {
            // SAFETY: the CPU has them.
            $trial.watch(concat!($step, ", features"), || unsafe { with_features(|| $call) });
        }
        $trial.watch(concat!($step, ", dyn"), || by_dyn(&mut || $call));
    };
}

/// A function of a user's for one kind of CPU.
///
/// # Safety
///
/// The CPU has the features.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,aes,pclmulqdq"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "aes"))]
unsafe fn with_features(call: impl FnOnce()) {
    call();
}

fn has_features() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("aes")
        && std::arch::is_x86_feature_detected!("pclmulqdq");
    #[cfg(target_arch = "aarch64")]
    return std::arch::is_aarch64_feature_detected!("aes");
    #[allow(unreachable_code, reason = "the other architectures")]
    false
}

#[inline(always)]
fn inlined(call: impl FnOnce()) {
    call();
}

#[inline(never)]
fn by_dyn(call: &mut dyn FnMut()) {
    black_box(call)();
}

impl Matrix<'_> {
    pub(super) fn callers<C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        if !(self.filter)(subject.cipher, "caller", subject.kernel) {
            return;
        }
        let report = scan(|trial| {
            let key = &trial.key::<56>()[..subject.key_len];
            secrets::name_key(trial, subject.cipher, key);
            let mut slot = Box::new(Slot::<C>::empty());
            slot.init_with(|c| (subject.rekey)(c, key)).map(drop).expect("a legal key");
            let cipher = slot.cipher().expect("it has a key");
            let text = trial.message(1, 5 * N);
            trial.secret("plaintext", &text);
            let mut data = text.clone();
            let blocks = data.as_chunks_mut::<N>().0;
            burn(cipher.encrypt_blocks(blocks));
            trial.public(blocks.as_flattened());
            let sealed = blocks.to_vec();
            let block = &mut [0; N];

            // The block is read where it is to stay.
            let plain: &[u8; N] = text.first_chunk().expect("5 blocks");
            watch!(trial, "encrypt one", {
                block.copy_from_slice(plain);
                burn(cipher.encrypt_block(block));
            });
            watch!(trial, "decrypt one", {
                block.copy_from_slice(&sealed[0]);
                burn(cipher.decrypt_block(block));
            });
            watch!(trial, "several", {
                burn(cipher.encrypt_blocks(blocks));
                burn(cipher.encrypt_block(block));
            });
            let pointers: [fn(&C, &mut [u8; N]) -> Depth; 2] = [C::encrypt_block, C::decrypt_block];
            for pointer in black_box(pointers) {
                trial.watch("by pointer", || burn(pointer(cipher, block)));
            }
            watch!(trial, "encrypt", {
                blocks.as_flattened_mut().copy_from_slice(&text);
                burn(cipher.encrypt_blocks(blocks));
            });
            watch!(trial, "decrypt", {
                blocks.copy_from_slice(&sealed);
                burn(cipher.decrypt_blocks(blocks));
            });

            let slot = &mut Box::new(Slot::<C>::empty());
            let result = &mut Ok(());
            watch!(trial, "program", *result = program(slot, key, &text, &mut data));
            assert_eq!(*result, Ok(()));
            slots::<C>(trial, key);
        });
        self.cells(subject.cipher, "caller", subject.kernel, &report);
    }

    pub(super) fn gcm_callers<C: InPlace + BlockEncrypt<16>>(&mut self, subject: &Subject<'_, C>) {
        if !(self.filter)(subject.cipher, "GCM caller", subject.kernel) {
            return;
        }
        let report = scan(|trial| {
            let key = &trial.key::<56>()[..subject.key_len];
            secrets::name_key(trial, subject.cipher, key);
            let text = trial.message(1, 100);
            trial.secret("plaintext", &text);
            let mut slot = Box::new(Slot::<Gcm<C>>::empty());
            let gcm = slot.init_with(|gcm| gcm.rekey_with(|c| (subject.rekey)(c, key)));
            let gcm = gcm.expect("a legal key");
            secrets::name_subkey(trial, gcm.cipher());
            let (mut data, mut tag) = (text.clone(), [0; 16]);
            gcm.seal_in_place(&[0x36; 12], &[], &mut data, &mut tag).expect("within limits");
            trial.public(&data);
            trial.public(&tag);
            let sealed = data.clone();
            let done = &mut true;
            watch!(trial, "seal", {
                data.copy_from_slice(&text);
                *done &= gcm.seal_in_place(&[0x36; 12], &[], &mut data, &mut tag).is_ok();
            });
            watch!(trial, "open", {
                data.copy_from_slice(&sealed);
                *done &= gcm.open_in_place(&[0x36; 12], &[], &mut data, &tag).is_ok();
            });
            assert!(*done && data == text);
            slots::<Gcm<C>>(trial, key);
        });
        self.cells(subject.cipher, "GCM caller", subject.kernel, &report);
    }
}

impl Matrix<'_> {
    /// What holds a cipher, or two, in slots and boxes. Serpent's schedule has padding.
    pub(super) fn schemes(&mut self) {
        self.scheme::<Cmac<Serpent, 16>>("CMAC", 32);
        self.scheme::<Ccm<Serpent, 16>>("CCM", 32);
        self.scheme::<Eax<Serpent, 16>>("EAX", 32);
        self.scheme::<Ocb3<Serpent, 16>>("OCB3", 32);
        self.scheme::<Siv<Serpent>>("SIV", 64);
        self.scheme::<Xts<Serpent>>("XTS", 64);
    }

    /// What a scope returns is one byte, in a register whose other bytes are the key's: it must not
    /// cross the burn in that register.
    pub(super) fn scopes(&mut self) {
        if !(self.filter)("none", "scope", "best") {
            return;
        }
        let report = scan(|trial| {
            let key = &trial.key::<{ size_of::<usize>() }>();
            trial.secret("key", key);
            let done = &mut 0;
            watch!(trial, "result in a register", *done = one_byte(key));
            assert_eq!(*done, ONE_BYTE);
        });
        self.cells("none", "scope", "best", &report);
    }

    fn scheme<C: InPlace>(&mut self, mode: &'static str, key_len: usize) {
        if !(self.filter)("Serpent", mode, "best") {
            return;
        }
        let report = scan(|trial| {
            let key = &trial.key::<64>()[..key_len];
            trial.secret("key", key);
            slots::<C>(trial, key);
        });
        self.cells("Serpent", mode, "best", &report);
    }
}

const ONE_BYTE: u8 = 3;

#[inline(always)]
fn one_byte(key: &[u8; size_of::<usize>()]) -> u8 {
    cinder_burn::scope(|| {
        let word = usize::from_ne_bytes(*key) & !0xff | usize::from(ONE_BYTE);
        (opaque_word(word) as u8, Depth::here())
    })
}

/// What a user's program does, with all that it needs in one frame.
#[inline(always)]
fn program<C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    slot: &mut Slot<C>,
    key: &[u8],
    text: &[u8],
    data: &mut [u8],
) -> Result<(), KeyError> {
    let cipher = &*slot.init(key)?;
    data.copy_from_slice(text);
    let (first, rest) = data.split_first_chunk_mut::<N>().ok_or(KeyError::Length)?;
    burn(cipher.decrypt_block(first));
    burn(cipher.encrypt_block(first));
    every_mode(cipher, rest).ok_or(KeyError::Length)?;
    slot.clear();
    Ok(())
}

/// There and back again.
#[inline(always)]
fn every_mode<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    cipher: &C,
    data: &mut [u8],
) -> Option<()> {
    let iv = &[0x36; N];
    ecb::Encryptor::new(cipher).encrypt(data).ok()?;
    ecb::Decryptor::new(cipher).decrypt(data).ok()?;
    cbc::Encryptor::new(cipher, iv).encrypt(data).ok()?;
    cbc::Decryptor::new(cipher, iv).decrypt(data).ok()?;
    cfb::Encryptor::new(cipher, iv).encrypt(data);
    cfb::Decryptor::new(cipher, iv).decrypt(data);
    cfb8::Encryptor::new(cipher, iv).encrypt(data);
    cfb8::Decryptor::new(cipher, iv).decrypt(data);
    ofb::Ofb::new(cipher, iv).apply_keystream(data);
    ofb::Ofb::new(cipher, iv).apply_keystream(data);
    let mut ctr = ctr::Ctr::new(cipher, iv);
    ctr.apply_keystream(data).ok()?;
    ctr.seek(0).ok()?;
    ctr.apply_keystream(data).ok()
}

/// Keys that a caller keeps in slots and boxes, whose blocks are freed.
pub(super) fn slots<C: InPlace>(trial: &mut Trial<'_>, key: &[u8]) {
    let done = &mut true;
    let slot = &mut Box::new(Slot::<C>::empty());
    watch!(trial, "init", *done &= slot.init(key).is_ok());
    watch!(trial, "boxed slot", {
        let mut slot = Box::new(Slot::<C>::empty());
        *done &= slot.init(key).is_ok();
    });
    watch!(trial, "cleared slot", {
        let mut slot = Box::new(Slot::<C>::empty());
        *done &= slot.init(key).is_ok();
        slot.clear();
    });
    watch!(trial, "boxed", *done &= Slot::<C>::boxed(key).is_ok());
    assert!(*done);
}
