//! How much stack each public entry uses, its burn included.
//!
//! Every cipher with every kernel goes through every mode; an operation runs as a user's program
//! would call it, and [`cinder_burn::probe`] looks how far below the caller's frame it wrote.
//!
//! ```
//! residue_matrix::frames::run(16, |row| {
//!     if row.mode == "GCM" && row.step == "encrypt" {
//!         println!("{row}");
//!     }
//! });
//! ```

use crate::ciphers::{Subject, Visitor, every_cipher};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, Slot};
use cinder_burn::probe;
use cinder_ghash::{Ghash, GhashKey};
use cinder_stream::{Arc4, Salsa20};
use std::fmt;
use std::hint::black_box;

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The cipher, with its key length.
    pub cipher: &'static str,
    /// The mode of operation; "XOR" for a stream cipher, "key" for what all modes share.
    pub mode: &'static str,
    /// What it ran on.
    pub kernel: String,
    /// What was done.
    pub step: &'static str,
    /// Bytes written below the caller's frame.
    pub depth: usize,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { cipher, mode, kernel, step, depth } = self;
        write!(f, "{cipher:<12} {mode:<13} {kernel:<34} {step:<14} {depth:>6}")
    }
}

/// What a burn of nothing writes below its caller's frame: its margin and what it is rounded up
/// by. `None` where there is no probe.
pub fn of_a_burn() -> Option<usize> {
    depth_of(&[], |_| cinder_burn::scope(|| ((), Depth::NONE)))
}

/// Runs every operation on a message of `len` bytes, a multiple of 16, and hands each row to
/// `each`. Does nothing where there is no probe.
///
/// # Panics
///
/// If an operation fails, or uses more than 64 KiB.
pub fn run(len: usize, mut each: impl FnMut(Row)) {
    if of_a_burn().is_none() {
        return;
    }
    let mut frames = Frames { len, each: &mut each };
    every_cipher(&mut frames);
    frames.ghash();
    frames.streams();
}

/// Bytes of a message in the modes that take one block after the other, however long it is. The
/// kernels in bit slices take as long for a block as for many.
const SERIAL: usize = 64;

/// A key for every cipher: 0, 1, 2, …, of which no part is weak.
static KEY: [u8; 56] = {
    let mut key = [0; 56];
    let mut i = 0;
    while i < 56 {
        key[i] = i as u8;
        i += 1;
    }
    key
};

struct Frames<'a> {
    len: usize,
    each: &'a mut dyn FnMut(Row),
}

/// One cipher on one kernel in one mode.
struct Cell<'a, 'b> {
    frames: &'a mut Frames<'b>,
    cipher: &'static str,
    mode: &'static str,
    kernel: &'a str,
}

impl Cell<'_, '_> {
    fn probe(&mut self, step: &'static str, text: &[u8], f: impl FnMut(&mut [u8])) {
        let Cell { cipher, mode, kernel, .. } = *self;
        let depth = depth_of(text, f).unwrap_or_else(|| {
            panic!("{cipher} {mode} {kernel}, {step}: deeper than what is painted")
        });
        (self.frames.each)(Row { cipher, mode, kernel: kernel.to_owned(), step, depth });
    }
}

/// How deep `f` goes on a copy of `text`: the least of four runs, at stack addresses of 16 bytes'
/// difference, because a burn ends at a boundary of cache lines.
fn depth_of(text: &[u8], mut f: impl FnMut(&mut [u8])) -> Option<usize> {
    let mut data = text.to_vec();
    // One call of `f`, so that an optimised build inlines it into the frame that is measured from.
    let mut measure = || {
        data.copy_from_slice(text);
        probe::depth_of(|| f(&mut data))
    };
    // The first run may detect CPU features.
    measure();
    let depths = [
        further_down::<16>(&mut measure),
        further_down::<32>(&mut measure),
        further_down::<48>(&mut measure),
        further_down::<64>(&mut measure),
    ];
    depths.into_iter().min().flatten()
}

#[inline(never)]
fn further_down<const N: usize>(f: &mut dyn FnMut() -> Option<usize>) -> Option<usize> {
    let mut room = [0u8; N];
    black_box(&mut room);
    let depth = f();
    black_box(&mut room);
    depth
}

impl Visitor for Frames<'_> {
    fn blocks_of_8<C: InPlace + BlockEncrypt<8> + BlockDecrypt<8>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.modes::<C, 8>(subject);
    }

    fn blocks_of_16<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.modes::<C, 16>(subject);
        self.key_wrap(subject);
        for kernel in cinder_gcm::Kernel::available() {
            self.gcm(subject, kernel);
        }
    }
}

impl Frames<'_> {
    fn modes<C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        let Subject { cipher, kernel, key_len, rekey, .. } = *subject;
        let text = &vec![0x77; self.len][..];
        let serial = &text[..self.len.min(SERIAL)];
        let mut cell = Cell { frames: self, cipher, mode: "key", kernel };
        let key = &KEY[..key_len];
        let mut slot = Box::new(Slot::<C>::empty());
        cell.probe("setup", &[], |_| {
            slot.init_with(|c| rekey(c, key)).map(drop).expect("a legal key");
        });
        cell.probe("drop", &[], |_| slot.clear());
        slot.init_with(|c| rekey(c, key)).map(drop).expect("a legal key");
        let c = slot.cipher().expect("a legal key");
        let iv = &[0x36; N];

        let mut encryptor = cinder_modes::ecb::Encryptor::new(c);
        let mut decryptor = cinder_modes::ecb::Decryptor::new(c);
        cell.mode = "ECB";
        cell.probe("encrypt", text, |data| encryptor.encrypt(data).expect("whole blocks"));
        cell.probe("decrypt", text, |data| decryptor.decrypt(data).expect("whole blocks"));
        let mut encryptor = cinder_modes::cbc::Encryptor::new(c, iv);
        let mut decryptor = cinder_modes::cbc::Decryptor::new(c, iv);
        cell.mode = "CBC";
        cell.probe("encrypt", serial, |data| encryptor.encrypt(data).expect("whole blocks"));
        cell.probe("decrypt", text, |data| decryptor.decrypt(data).expect("whole blocks"));
        let mut encryptor = cinder_modes::cfb::Encryptor::new(c, iv);
        let mut decryptor = cinder_modes::cfb::Decryptor::new(c, iv);
        cell.mode = "CFB";
        cell.probe("encrypt", serial, |data| encryptor.encrypt(data));
        cell.probe("decrypt", text, |data| decryptor.decrypt(data));
        let mut encryptor = cinder_modes::cfb8::Encryptor::new(c, iv);
        let mut decryptor = cinder_modes::cfb8::Decryptor::new(c, iv);
        cell.mode = "CFB8";
        cell.probe("encrypt", serial, |data| encryptor.encrypt(data));
        cell.probe("decrypt", serial, |data| decryptor.decrypt(data));
        let mut ofb = cinder_modes::ofb::Ofb::new(c, iv);
        cell.mode = "OFB";
        cell.probe("encrypt", serial, |data| ofb.apply_keystream(data));
        let mut ctr = cinder_modes::ctr::Ctr::new(c, iv);
        cell.mode = "CTR";
        cell.probe("encrypt", text, |data| ctr.apply_keystream(data).expect("a short message"));
    }

    fn key_wrap<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        let Subject { cipher, kernel, key_len, rekey, .. } = *subject;
        let len = self.len.min(SERIAL);
        let mut slot = Box::new(Slot::<C>::empty());
        let c = &*slot.init_with(|c| rekey(c, &KEY[..key_len])).expect("a legal key");
        let mut cell = Cell { frames: self, cipher, mode: "KW", kernel };
        let text = &vec![0x77; len + 8][..];
        let mut wrapped = text.to_vec();

        let kw = cinder_modes::key_wrap::Kw::new(c);
        kw.wrap(&mut wrapped, len).expect("a legal length");
        cell.probe("wrap", text, |data| kw.wrap(data, len).map(drop).expect("a legal length"));
        cell.probe("unwrap", &wrapped, |data| kw.unwrap(data).map(drop).expect("a good key"));
        wrapped[3] ^= 4;
        cell.probe("failed unwrap", &wrapped, |data| {
            kw.unwrap(data).map(drop).expect_err("forged");
        });

        cell.mode = "KWP";
        wrapped.copy_from_slice(text);
        let kwp = cinder_modes::key_wrap::Kwp::new(c);
        kwp.wrap(&mut wrapped, len).expect("a legal length");
        cell.probe("wrap", text, |data| kwp.wrap(data, len).map(drop).expect("a legal length"));
        cell.probe("unwrap", &wrapped, |data| kwp.unwrap(data).map(drop).expect("a good key"));
        wrapped[3] ^= 4;
        cell.probe("failed unwrap", &wrapped, |data| {
            kwp.unwrap(data).map(drop).expect_err("forged");
        });
    }

    fn gcm<C: InPlace + BlockEncrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
        way: cinder_gcm::Kernel,
    ) {
        let Subject { cipher, kernel, key_len, rekey, .. } = *subject;
        let key = &KEY[..key_len];
        let mut slot = Box::new(Slot::<cinder_gcm::Gcm<C>>::empty());
        let keyed = slot.init_with(|gcm| gcm.rekey_with(|c| rekey(c, key)));
        if keyed.expect("a legal key").use_kernel(way).is_none() {
            return;
        }
        let len = self.len;
        let kernel = format!("{kernel}, {way}");
        let mut cell = Cell { frames: self, cipher, mode: "GCM", kernel: &kernel };
        cell.probe("setup", &[], |_| {
            slot.init_with(|gcm| {
                let depth = gcm.rekey_with(|c| rekey(c, key))?;
                Ok(depth.max(gcm.use_kernel(way).expect("it went before")))
            })
            .map(drop)
            .expect("a legal key");
        });
        let gcm = slot.cipher().expect("a legal key");
        let (iv, aad, text) = (&[0x36; 12], &[0x11; 16], &vec![0x77; len][..]);
        let (mut sealed, mut tag) = (text.to_vec(), [0; 16]);
        gcm.seal_in_place(iv, aad, &mut sealed, &mut tag).expect("within limits");
        let (sealed, mut forged) = (&sealed[..], tag);
        forged[5] ^= 1;
        cell.probe("encrypt", text, |data| {
            gcm.seal_in_place(iv, aad, data, &mut tag).expect("within limits");
        });
        cell.probe("encrypt to", text, |data| {
            gcm.seal(iv, aad, text, data, &mut tag).expect("within limits");
        });
        cell.probe("decrypt", sealed, |data| {
            gcm.open_in_place(iv, aad, data, &tag).expect("a good tag");
        });
        cell.probe("decrypt to", text, |data| {
            gcm.open(iv, aad, sealed, data, &tag).expect("a good tag");
        });
        cell.probe("failed open", sealed, |data| {
            gcm.open_in_place(iv, aad, data, &forged).expect_err("a forged tag");
        });
        cell.probe("failed open to", text, |data| {
            gcm.open(iv, aad, sealed, data, &forged).expect_err("a forged tag");
        });

        let mut sealer = Box::new(cinder_gcm::Sealer::new(gcm));
        let mut opener = Box::new(cinder_gcm::Opener::new(gcm));
        cell.mode = "GCM in pieces";
        cell.probe("start", &[], |_| sealer.start(iv, aad).expect("within limits"));
        cell.probe("encrypt", text, |data| sealer.update(data).expect("a short message"));
        cell.probe("finish", &[], |_| {
            sealer.start(iv, aad).expect("within limits");
            sealer.finish(&mut tag).expect("a whole tag");
        });
        opener.start(iv, aad).expect("within limits");
        cell.probe("decrypt", text, |data| {
            opener.update_unverified(data).expect("a short message");
        });
        cell.probe("verify", &[], |_| {
            opener.start(iv, aad).expect("within limits");
            opener.verify(&tag).expect("a good tag");
        });
        drop((sealer, opener));
        cell.mode = "GCM";
        cell.probe("drop", &[], |_| slot.clear());
    }

    /// The functions of the crate itself, which burn nothing.
    fn ghash(&mut self) {
        let text = vec![0x77; self.len];
        for kernel in cinder_ghash::Kernel::available() {
            let mut key = Box::new(GhashKey::vacant());
            let mut cell = Cell { frames: self, cipher: "GHASH", mode: "", kernel: kernel.name() };
            cell.probe("setup", &[], |_| {
                cinder_burn::scope(|| ((), key.rekey_with_kernel(&[0x5c; 16], kernel)));
            });
            let mut hash = Ghash::new(&key);
            cell.probe("hash", &text, |data| cinder_burn::scope(|| ((), hash.update_padded(data))));
        }
    }

    fn streams(&mut self) {
        let text = vec![0x77; self.len];
        let mut slot = Box::new(Slot::<Arc4>::empty());
        let mut cell = Cell { frames: self, cipher: "ARCFOUR", mode: "XOR", kernel: "" };
        cell.probe("setup", &[], |_| slot.init(&KEY[..16]).map(drop).expect("a legal key"));
        let arc4 = slot.cipher_mut().expect("a legal key");
        cell.probe("encrypt", &text, |data| arc4.apply(data));
        cell.probe("drop", &[], |_| slot.clear());
        for kernel in cinder_stream::Kernel::available() {
            self.salsa20::<20>(kernel, 32);
            self.salsa20::<12>(kernel, 32);
            self.salsa20::<8>(kernel, 16);
        }
    }

    fn salsa20<const ROUNDS: usize>(&mut self, kernel: cinder_stream::Kernel, key_len: usize) {
        let text = vec![0x77; self.len];
        let mut slot = Box::new(Slot::<Salsa20<ROUNDS>>::empty());
        let mut cell = Cell { frames: self, cipher: "Salsa20", mode: "XOR", kernel: kernel.name() };
        let key = &KEY[..key_len];
        cell.probe("setup", &[], |_| {
            let rekey = |salsa20: &mut Salsa20<ROUNDS>| salsa20.rekey_with_kernel(key, kernel);
            slot.init_with(rekey).map(drop).expect("a legal key");
        });
        let salsa20 = slot.cipher().expect("a legal key");
        let mut stream = Box::new(salsa20.keystream(&[0x36; 8]));
        cell.probe("encrypt", &text, |data| stream.apply(data).expect("a short message"));
        drop(stream);
        cell.probe("drop", &[], |_| slot.clear());
    }
}
