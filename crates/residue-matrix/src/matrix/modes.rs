//! The modes for any block: one-shot calls, in place and from buffer to buffer, messages in
//! pieces, what is refused, and a cipher that panics.

use super::boxed;
use super::faults::Panics;
use super::{Work, secrets};
use cinder_block::{BlockDecrypt, BlockEncrypt};
use cinder_modes::Stealing;

/// The three orders of ciphertext stealing, and their names.
pub(super) const STEALING: [(Stealing, &str); 3] =
    [(Stealing::Cs1, "CBC-CS1"), (Stealing::Cs2, "CBC-CS2"), (Stealing::Cs3, "CBC-CS3")];

/// Where a message is cut, for ever: no bytes, less than a block, a block, more than a kernel
/// takes at once, and hardly anything between blocks.
const CUTS: [usize; 9] = [1, 15, 17, 0, 16, 3, 100, 24, 529];

/// The pieces of `data`: so many times `unit` bytes each.
pub(super) fn pieces(data: &mut [u8], unit: usize) -> impl Iterator<Item = &mut [u8]> {
    let mut cuts = CUTS.iter().cycle();
    let mut rest = data;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let cut = (cuts.next()? * unit).min(rest.len());
        let (piece, after) = std::mem::take(&mut rest).split_at_mut(cut);
        rest = after;
        Some(piece)
    })
}

/// One direction of a mode over a cipher: what all of them have.
pub(super) trait Way<'c, C, const N: usize>: Sized {
    /// Bytes that a piece is a multiple of.
    const UNIT: usize;
    /// Bytes of a call of the cipher, if one follows from another: a kernel in bit slices takes as
    /// long for one block as for many. 0 if many blocks go at once.
    const SERIAL: usize;
    /// At the start of a message.
    fn start(cipher: &'c C, iv: &[u8; N]) -> Self;
    /// In place; whether it was done.
    fn apply(&mut self, data: &mut [u8]) -> bool;
    /// From buffer to buffer; whether it was done.
    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> bool;
}

/// What a call returns, whether or not it can refuse.
trait Outcome {
    fn done(self) -> bool;
}

impl Outcome for () {
    fn done(self) -> bool {
        true
    }
}

impl<E> Outcome for Result<(), E> {
    fn done(self) -> bool {
        self.is_ok()
    }
}

/// [`Way`] for a type of `modes`: what it needs of a cipher, its unit, in what steps it is serial, how
/// it starts, its methods.
macro_rules! way {
    (
        $mode:ident::$name:ident: $bound:ident, $unit:expr, $serial:expr, $new:expr,
        $apply:ident, $to:ident
    ) => {
        impl<'c, C: $bound<N>, const N: usize> Way<'c, C, N>
            for cinder_modes::$mode::$name<&'c C, N>
        {
            const UNIT: usize = $unit;
            const SERIAL: usize = $serial;
            fn start(cipher: &'c C, iv: &[u8; N]) -> Self {
                ($new)(cipher, iv)
            }
            fn apply(&mut self, data: &mut [u8]) -> bool {
                self.$apply(data).done()
            }
            fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> bool {
                self.$to(input, output).done()
            }
        }
    };
}

way!(ecb::Encryptor: BlockEncrypt, N, 0, |c, _| Self::new(c), encrypt, encrypt_to);
way!(ecb::Decryptor: BlockDecrypt, N, 0, |c, _| Self::new(c), decrypt, decrypt_to);
way!(cbc::Encryptor: BlockEncrypt, N, N, Self::new, encrypt, encrypt_to);
way!(cbc::Decryptor: BlockDecrypt, N, 0, Self::new, decrypt, decrypt_to);
way!(cfb::Encryptor: BlockEncrypt, 1, N, Self::new, encrypt, encrypt_to);
way!(cfb::Decryptor: BlockEncrypt, 1, 0, Self::new, decrypt, decrypt_to);
way!(cfb8::Encryptor: BlockEncrypt, 1, 1, Self::new, encrypt, encrypt_to);
way!(cfb8::Decryptor: BlockEncrypt, 1, 0, Self::new, decrypt, decrypt_to);
way!(ofb::Ofb: BlockEncrypt, 1, N, Self::new, apply_keystream, apply_keystream_to);
way!(ctr::Ctr: BlockEncrypt, 1, 0, Self::new, apply_keystream, apply_keystream_to);

impl<'t, C> Work<'t, '_, C> {
    /// All steps of a mode: `E` and `D` are its directions, `PE` and `PD` the same over a cipher
    /// that panics.
    fn mode<const N: usize, E, D, PE, PD>(&mut self)
    where
        E: Way<'t, C, N>,
        D: Way<'t, C, N>,
        PE: Way<'t, Panics<'t, C>, N>,
        PD: Way<'t, Panics<'t, C>, N>,
    {
        let iv = self.iv::<N>();
        for &len in self.lengths {
            let len = len - len % E::UNIT;
            if len <= self.serial.saturating_mul(E::SERIAL) || E::SERIAL == 0 {
                self.one_shot::<N, E, D>(&iv, len);
            } else if D::SERIAL == 0 {
                self.way_back::<N, D>(&iv, len);
            }
        }
        let len = self.streamed - self.streamed % N;
        let mut data = self.text[..len].to_vec();
        self.pieces::<N, E, C>("stream encrypt", self.cipher, &iv, &mut data);
        secrets::name_keystream(self.trial, &self.text[..len], &data);
        let sealed = data.clone();
        self.pieces::<N, D, C>("stream decrypt", self.cipher, &iv, &mut data);
        assert_eq!(data, self.text[..len]);

        self.refused::<N, E>(&iv);
        self.refused::<N, D>(&iv);
        for done in [0, 3] {
            data.copy_from_slice(&self.text[..len]);
            self.panicking::<N, PE>(done, &iv, &mut data);
            data.copy_from_slice(&sealed);
            self.panicking::<N, PD>(done, &iv, &mut data);
        }
    }

    fn one_shot<const N: usize, E: Way<'t, C, N>, D: Way<'t, C, N>>(
        &mut self,
        iv: &[u8; N],
        len: usize,
    ) {
        let (trial, cipher, text) = (&mut *self.trial, self.cipher, &self.text[..len]);
        let mut data = text.to_vec();
        assert!(trial.watch("encrypt", || E::start(cipher, iv).apply(&mut data)));
        secrets::name_keystream(trial, text, &data);
        let sealed = data.clone();
        assert!(trial.watch("decrypt", || D::start(cipher, iv).apply(&mut data)));
        assert_eq!(data, text);
        if len > self.streamed {
            return;
        }
        assert!(trial.watch("encrypt", || E::start(cipher, iv).apply_to(text, &mut data)));
        assert_eq!(data, sealed);
        assert!(trial.watch("decrypt", || D::start(cipher, iv).apply_to(&sealed, &mut data)));
        assert_eq!(data, text);
    }

    /// Decryption alone, of what nobody has encrypted.
    fn way_back<const N: usize, D: Way<'t, C, N>>(&mut self, iv: &[u8; N], len: usize) {
        let (trial, cipher) = (&mut *self.trial, self.cipher);
        let sealed = trial.message(3, len);
        let mut text = sealed.clone();
        assert!(D::start(cipher, iv).apply(&mut text));
        trial.secret("plaintext", &text);
        secrets::name_keystream(trial, &text, &sealed);
        let mut data = sealed;
        assert!(trial.watch("decrypt", || D::start(cipher, iv).apply(&mut data)));
        assert_eq!(data, text);
    }

    /// A message in pieces, by turns in place and from another buffer.
    fn pieces<const N: usize, W: Way<'t, D, N>, D>(
        &mut self,
        step: &'static str,
        cipher: &'t D,
        iv: &[u8; N],
        data: &mut [u8],
    ) {
        let mut way = boxed(|| W::start(cipher, iv));
        for (i, piece) in pieces(data, W::UNIT).enumerate() {
            let done = if i % 2 == 0 {
                self.trial.watch(step, || way.apply(piece))
            } else {
                let input = piece.to_vec();
                self.trial.watch(step, || way.apply_to(&input, piece))
            };
            assert!(done);
        }
        self.trial.watch("stream drop", || drop(way));
    }

    /// Lengths that the mode does not take. It has looked at nothing then.
    fn refused<const N: usize, W: Way<'t, C, N>>(&mut self, iv: &[u8; N]) {
        let mut way = boxed(|| W::start(self.cipher, iv));
        let text = &self.text[..W::UNIT + 1];
        let mut data = text.to_vec();
        assert!(!self.trial.watch("refused", || way.apply_to(&text[1..], &mut data)));
        if W::UNIT > 1 {
            assert!(!self.trial.watch("refused", || way.apply(&mut data)));
        }
        assert_eq!(data, text);
    }

    /// The cipher panics after `done` blocks. What the mode keeps then is dropped.
    fn panicking<const N: usize, W: Way<'t, Panics<'t, C>, N>>(
        &mut self,
        done: usize,
        iv: &[u8; N],
        data: &mut [u8],
    ) {
        let mut way = boxed(|| W::start(self.panics, iv));
        self.panics.after(done);
        self.trial.watch_panic("panic", || way.apply(data));
        self.trial.watch("stream drop", || drop(way));
    }

    /// The same for every message.
    pub(super) fn iv<const N: usize>(&self) -> [u8; N] {
        *self.trial.fixed(2, N).first_chunk().expect("N bytes")
    }
}

pub(super) fn ecb<'t, C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    work: &mut Work<'t, '_, C>,
) {
    use cinder_modes::ecb::{Decryptor, Encryptor};
    work.mode::<N, Encryptor<&'t C, N>, Decryptor<&'t C, N>, Encryptor<_, N>, Decryptor<_, N>>();
}

pub(super) fn cbc<'t, C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    work: &mut Work<'t, '_, C>,
) {
    use cinder_modes::cbc::{Decryptor, Encryptor};
    work.mode::<N, Encryptor<&'t C, N>, Decryptor<&'t C, N>, Encryptor<_, N>, Decryptor<_, N>>();
}

pub(super) fn cfb<'t, C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    work: &mut Work<'t, '_, C>,
) {
    use cinder_modes::cfb::{Decryptor, Encryptor};
    work.mode::<N, Encryptor<&'t C, N>, Decryptor<&'t C, N>, Encryptor<_, N>, Decryptor<_, N>>();

    // OpenPGP's: a message that goes on inside a block, and the step between two.
    let (iv, cipher) = (work.iv::<N>(), work.cipher);
    let trial = &mut *work.trial;
    let mut way = boxed(|| Encryptor::new(cipher, &iv));
    let mut data = work.text[..N + 2].to_vec();
    trial.watch("resume", || way.resume(&iv, &[0x77; 3])).expect("less than a block");
    trial.watch("stream encrypt", || way.encrypt(&mut data));
    secrets::name_keystream(trial, &work.text[..N + 2], &data);
    trial.watch("resume", || way.resynchronize());
    trial.watch("stream encrypt", || way.encrypt(&mut data));
    trial.public(&data);
    trial.watch("stream drop", || drop(way));
}

/// A block for each byte, so that messages are short.
pub(super) fn cfb8<'t, C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    work: &mut Work<'t, '_, C>,
) {
    use cinder_modes::cfb8::{Decryptor, Encryptor};
    (work.lengths, work.streamed) = (&[3, 40], 34);
    work.mode::<N, Encryptor<&'t C, N>, Decryptor<&'t C, N>, Encryptor<_, N>, Decryptor<_, N>>();
}

pub(super) fn ofb<'t, C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    work: &mut Work<'t, '_, C>,
) {
    use cinder_modes::ofb::Ofb;
    work.mode::<N, Ofb<&'t C, N>, Ofb<&'t C, N>, Ofb<_, N>, Ofb<_, N>>();

    // What is saved to go on from is keystream.
    let iv = work.iv::<N>();
    let mut way = boxed(|| Ofb::new(work.cipher, &iv));
    way.apply_keystream(&mut [0; 5]);
    let (chain, used) = (Box::new(*way.chain()), way.used());
    let trial = &mut *work.trial;
    trial.secret("keystream", &*chain);
    trial.watch("resume", || way.resume(&chain, used)).expect("not more than a block");
    trial.watch("restart", || way.restart(&iv));
    trial.watch("stream drop", || drop(way));
}

pub(super) fn ctr<'t, C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    work: &mut Work<'t, '_, C>,
) {
    use cinder_modes::ctr::Ctr;
    work.mode::<N, Ctr<&'t C, N>, Ctr<&'t C, N>, Ctr<_, N>, Ctr<_, N>>();

    // The counter wraps, at each width, and ends, at the smallest.
    let mut iv = work.iv::<N>();
    iv[N / 2..].fill(0xff);
    iv[N - 1] = 0xfb;
    for width in [1, 3, 4, 5, N] {
        let (trial, cipher) = (&mut *work.trial, work.cipher);
        let mut way = boxed(|| Ctr::with_width(cipher, &iv, width).expect("a legal width"));
        let text = &work.text[..9 * N + 5];
        let mut data = text.to_vec();
        for piece in pieces(&mut data, 1) {
            trial.watch("stream encrypt", || way.apply_keystream(piece)).expect("far from the end");
        }
        secrets::name_keystream(trial, text, &data);
        let sealed = data.clone();
        for position in [7 * N, 5] {
            trial.watch("seek", || way.seek(position as u128)).expect("far from the end");
            let rest = &mut data[position..];
            trial.watch("stream decrypt", || way.apply_keystream(rest)).expect("the same");
            assert_eq!(rest, &text[position..]);
            data.copy_from_slice(&sealed);
        }
        if let Some(end) = 1u128.checked_shl(8 * width as u32 + N.trailing_zeros()) {
            trial.watch("seek", || way.seek(end - 5)).expect("not beyond the end");
            data.copy_from_slice(text);
            trial.watch("refused", || way.apply_keystream(&mut data[..6])).expect_err("the end");
            trial.watch("refused", || way.seek(end + 1)).expect_err("beyond the end");
            assert_eq!(data, text);
        }
        trial.watch("stream drop", || drop(way));
    }
}

/// Ciphertext stealing.
pub(super) fn stealing<'t, C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    work: &mut Work<'t, '_, C>,
    order: Stealing,
) {
    use cinder_modes::cbc::{Decryptor, Encryptor};
    let (iv, cipher) = (work.iv::<N>(), work.cipher);
    let trial = &mut *work.trial;
    for len in [N, N + 1, 2 * N, 7 * N - 1] {
        let text = &work.text[..len];
        let mut data = text.to_vec();
        let result = trial
            .watch("encrypt", || Encryptor::new(cipher, &iv).encrypt_stealing(order, &mut data));
        result.expect("a block or more");
        trial.public(&data);
        let sealed = data.clone();
        let result = trial
            .watch("decrypt", || Decryptor::new(cipher, &iv).decrypt_stealing(order, &mut data));
        result.expect("a block or more");
        assert_eq!(data, text);
        let result = trial.watch("encrypt", || {
            Encryptor::new(cipher, &iv).encrypt_stealing_to(order, text, &mut data)
        });
        result.expect("a block or more");
        let result = trial.watch("decrypt", || {
            Decryptor::new(cipher, &iv).decrypt_stealing_to(order, &sealed, &mut data)
        });
        result.expect("a block or more");
        assert_eq!(data, text);

        // Some blocks before the end, which is two blocks at least.
        let before = len.saturating_sub(2 * N) / N * N;
        let (front, end) = data.split_at_mut(before);
        let mut encryptor = boxed(|| Encryptor::new(cipher, &iv));
        trial.watch("stream encrypt", || encryptor.encrypt(front)).expect("whole blocks");
        trial.watch("stream encrypt", || encryptor.encrypt_stealing(order, end)).expect("enough");
        trial.watch("stream drop", || drop(encryptor));
        let mut decryptor = boxed(|| Decryptor::new(cipher, &iv));
        trial.watch("stream decrypt", || decryptor.decrypt(front)).expect("whole blocks");
        trial.watch("stream decrypt", || decryptor.decrypt_stealing(order, end)).expect("enough");
        trial.watch("stream drop", || drop(decryptor));
        assert_eq!(data, text);

        for done in [0, len / N] {
            data.copy_from_slice(text);
            let mut encryptor = boxed(|| Encryptor::new(work.panics, &iv));
            work.panics.after(done);
            // As many blocks as the message has, and no panic.
            if done * N < len {
                trial.watch_panic("panic", || encryptor.encrypt_stealing(order, &mut data));
            }
            trial.watch("stream drop", || drop(encryptor));
            data.copy_from_slice(&sealed);
            let mut decryptor = boxed(|| Decryptor::new(work.panics, &iv));
            work.panics.after(done);
            if done * N < len {
                trial.watch_panic("panic", || decryptor.decrypt_stealing(order, &mut data));
            }
            trial.watch("stream drop", || drop(decryptor));
        }
    }
    let mut data = work.text[..N - 1].to_vec();
    trial
        .watch("refused", || Encryptor::new(cipher, &iv).encrypt_stealing(order, &mut data))
        .expect_err("less than a block");
    trial
        .watch("refused", || Decryptor::new(cipher, &iv).decrypt_stealing(order, &mut data))
        .expect_err("less than a block");
    assert_eq!(data, work.text[..N - 1]);
}
