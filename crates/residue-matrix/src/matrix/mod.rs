//! The residue matrix: cipher × mode × kernel × step.
//!
//! Steps: the key set up in its place, each way through the mode over several lengths (a block, a
//! few, more than the widest kernel takes at once, and no whole number of them), what happens on
//! forged input, and the wiping of the key.

mod aead;
mod any;
#[expect(unsafe_code, reason = "a caller with the features of a CPU is unsafe to call")]
mod callers;
mod faults;
mod hash;
mod keys;
mod modes;
mod padding;
mod schemes;
mod secrets;
mod streams;
mod wrap;

use crate::ciphers::{Subject, Visitor, every_cipher};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, Slot};
use cinder_residue::{Left, Report, Trial, scan};
use faults::Panics;
use std::fmt;

/// Residue of one step, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The cipher, with its key length.
    pub cipher: &'static str,
    /// The mode of operation; "XOR" for a stream cipher.
    pub mode: &'static str,
    /// What it ran on.
    pub kernel: String,
    /// "setup", "encrypt", "decrypt", "drop" and the failures.
    pub step: &'static str,
    /// How much.
    pub left: Left,
    /// How far down the step wrote, its burn included. 0 for a panic, after which the burn is as
    /// deep as it may have to be.
    pub depth: usize,
    /// Where it lies, for a reader.
    pub details: String,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { cipher, mode, kernel, step, left, depth, details } = self;
        let mark = if *left == Left::NOTHING { ' ' } else { '!' };
        write!(
            f,
            "{mark} {cipher:<12} {mode:<10} {kernel:<32} {step:<22} {left} {depth:>7}{details}"
        )
    }
}

/// How much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Three lengths.
    Quick,
    /// Lengths around every kernel's width.
    Full,
}

impl Extent {
    /// In bytes. The modes for whole blocks take what is left without the rest.
    fn lengths(self) -> &'static [usize] {
        match self {
            Extent::Quick => &[16, 80, 1024 + 13],
            Extent::Full => &[16, 32, 48, 61, 80, 128, 240, 272, 528, 1024 + 13, 4096 + 48],
        }
    }

    /// In calls of the cipher, of a message where one follows from another.
    fn serial(self) -> usize {
        match self {
            Extent::Quick => 10,
            Extent::Full => usize::MAX,
        }
    }

    /// In bytes, of a message that comes in pieces.
    fn streamed(self) -> usize {
        match self {
            Extent::Quick => 200,
            Extent::Full => 1024 + 13,
        }
    }
}

/// Picks by cipher, mode and kernel.
pub type Filter<'a> = dyn Fn(&str, &str, &str) -> bool + 'a;

/// Runs the matrix and hands each cell to `each`.
///
/// # Panics
///
/// On a target without a scanner, and if an operation fails.
#[cfg(feature = "whole")]
pub fn run(extent: Extent, filter: impl Fn(&str, &str, &str) -> bool, mut each: impl FnMut(Cell)) {
    whole(Matrix { extent, filter: &filter, each: &mut each });
}

/// Not generic, so that it is compiled in this crate, and once for all programs and tests.
#[cfg(feature = "whole")]
#[inline(never)]
fn whole(mut matrix: Matrix<'_>) {
    every_cipher(&mut matrix);
    matrix.any();
    matrix.streams();
    matrix.ghash();
    matrix.all_schemes();
    matrix.scopes();
}

/// Runs the part of the matrix that is as a user's program calls ciphers, which compiles in a
/// fraction of the time.
///
/// # Panics
///
/// As [`run`].
pub fn run_callers(filter: impl Fn(&str, &str, &str) -> bool, mut each: impl FnMut(Cell)) {
    let mut matrix = Matrix { extent: Extent::Quick, filter: &filter, each: &mut each };
    every_cipher(&mut Callers(&mut matrix));
    matrix.scopes();
    matrix.schemes();
    matrix.any();
    matrix.streams();
}

/// Runs the matrix over one cipher with blocks of 16 bytes, as [`run`] does over all: for ciphers
/// from elsewhere, and for ones that are wrong on purpose.
///
/// # Panics
///
/// As [`run`].
pub fn run_cipher<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
    extent: Extent,
    cipher: &'static str,
    key_len: usize,
    filter: impl Fn(&str, &str, &str) -> bool,
    mut each: impl FnMut(Cell),
) {
    let subject = Subject {
        cipher,
        family: cipher,
        kernel: "",
        is_default: true,
        key_len,
        key_lens: &[],
        rekey: &|c: &mut C, key| c.rekey(key),
        rekey_with: &|c, key, _| c.rekey(key),
        rekey_for_one: None,
    };
    Matrix { extent, filter: &filter, each: &mut each }.all_of_16(&subject);
}

struct Matrix<'a> {
    extent: Extent,
    filter: &'a Filter<'a>,
    each: &'a mut dyn FnMut(Cell),
}

/// One trial's view of a keyed cipher.
struct Work<'t, 's, C> {
    trial: &'t mut Trial<'s>,
    cipher: &'t C,
    /// The same, but it panics.
    panics: &'t Panics<'t, C>,
    text: Vec<u8>,
    lengths: &'static [usize],
    /// Calls of the cipher at most, where one follows from another.
    serial: usize,
    /// Of a message in pieces.
    streamed: usize,
}

struct Callers<'a, 'b>(&'a mut Matrix<'b>);

impl Visitor for Callers<'_, '_> {
    fn blocks_of_8<C: InPlace + BlockEncrypt<8> + BlockDecrypt<8>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.0.callers::<C, 8>(subject);
    }

    fn blocks_of_16<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.0.callers::<C, 16>(subject);
        self.0.gcm_callers(subject);
    }
}

impl Visitor for Matrix<'_> {
    fn blocks_of_8<C: InPlace + BlockEncrypt<8> + BlockDecrypt<8>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.modes::<C, 8>(subject);
        self.mode(subject, "TKW", wrap::tdea);
    }

    fn blocks_of_16<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.all_of_16(subject);
    }
}

impl Matrix<'_> {
    /// All for blocks of 16 bytes, of ciphers from elsewhere too.
    fn all_of_16<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.modes::<C, 16>(subject);
        self.mode(subject, "KW", wrap::plain);
        self.mode(subject, "KWP", wrap::padded);
        self.gcm(subject);
    }

    /// The modes for any block.
    fn modes<C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.keys(subject);
        self.mode(subject, "ECB", modes::ecb::<C, N>);
        self.mode(subject, "CBC", modes::cbc::<C, N>);
        self.mode(subject, "CFB", modes::cfb::<C, N>);
        self.mode(subject, "CFB8", modes::cfb8::<C, N>);
        self.mode(subject, "OFB", modes::ofb::<C, N>);
        self.mode(subject, "CTR", modes::ctr::<C, N>);
        for (order, name) in modes::STEALING {
            self.mode(subject, name, |work| modes::stealing::<C, N>(work, order));
        }
        for (padding, [in_ecb, in_cbc]) in padding::PADDINGS {
            self.mode(subject, in_ecb, |work| padding::ecb::<C, N>(work, padding));
            self.mode(subject, in_cbc, |work| padding::cbc::<C, N>(work, padding));
        }
    }

    fn mode<C: InPlace>(
        &mut self,
        subject: &Subject<'_, C>,
        mode: &'static str,
        operate: impl Fn(&mut Work<'_, '_, C>),
    ) {
        if !(self.filter)(subject.cipher, mode, subject.kernel) {
            return;
        }
        let (lengths, streamed) = (self.extent.lengths(), self.extent.streamed());
        let serial = self.extent.serial();
        let report = scan(|trial| {
            let key = &trial.key::<56>()[..subject.key_len];
            secrets::name_key(trial, subject.cipher, key);
            let mut slot = Box::new(Slot::<C>::empty());
            trial.watch("setup", || slot.init_with(|c| (subject.rekey)(c, key)).is_ok());
            let cipher = slot.cipher().expect("the key is of the right length");
            let text = trial.message(1, lengths.iter().copied().max().unwrap_or(0));
            trial.secret("plaintext", &text);
            let panics = &Panics::new(cipher);
            operate(&mut Work { trial, cipher, panics, text, lengths, serial, streamed });
            trial.watch("drop", || slot.clear());
        });
        self.cells(subject.cipher, mode, subject.kernel, &report);
    }

    /// Steps of one name, over all lengths, are one cell.
    fn cells(&mut self, cipher: &'static str, mode: &'static str, kernel: &str, report: &Report) {
        let mut cells: Vec<Cell> = vec![];
        for step in &report.steps {
            let index = cells.iter().position(|cell| cell.step == step.name).unwrap_or_else(|| {
                cells.push(Cell {
                    cipher,
                    mode,
                    kernel: kernel.to_owned(),
                    step: step.name,
                    left: Left::NOTHING,
                    depth: 0,
                    details: String::new(),
                });
                cells.len() - 1
            });
            let cell = &mut cells[index];
            cell.left += step.left;
            if !step.name.ends_with("panic") {
                cell.depth = cell.depth.max(step.depth);
            }
            if !step.is_clean() {
                cell.details.push_str(&format!("\n  {step}").replace('\n', "\n! "));
            }
        }
        cells.into_iter().for_each(&mut *self.each);
    }
}

/// A mode in a box, as a program has it. What a move brings along into padding, from stack that the
/// program itself left dirty, is no residue: so the stack is clean.
fn boxed<T>(make: impl FnOnce() -> T) -> Box<T> {
    #[inline(never)]
    fn on_clean_stack<T>(make: impl FnOnce() -> T) -> Box<T> {
        Box::new(make())
    }
    cinder_burn::burn(Depth::here().deeper(32 * 1024));
    on_clean_stack(make)
}
