//! The residue matrix: cipher × mode × kernel × step.
//!
//! Steps: the key set up in its place, each way through the mode over several lengths (a block, a
//! few, more than the widest kernel takes at once, and no whole number of them), what happens on
//! forged input, and the wiping of the key.

mod secrets;
mod streams;

use crate::ciphers::{Subject, Visitor, every_cipher};
use crate::{Report, Trial, scan};
use block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, KeyError, Slot};
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
    /// On the stack.
    pub stack: usize,
    /// In vector registers.
    pub vector: usize,
    /// In general registers.
    pub general: usize,
    /// How far down the step wrote, its burn included.
    pub depth: usize,
    /// Where it lies, for a reader.
    pub details: String,
}

impl Cell {
    /// All of it.
    pub fn total(&self) -> usize {
        self.stack + self.vector + self.general
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { cipher, mode, kernel, step, stack, vector, general, depth, details } = self;
        write!(f, "{cipher:<12} {mode:<5} {kernel:<32} {step:<13}")?;
        write!(f, " {stack:>6} {vector:>6} {general:>7} {depth:>7}{details}")
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
}

/// Runs the matrix and hands each cell to `each`. `filter` picks by cipher, mode and kernel.
///
/// # Panics
///
/// On a target without a scanner, and if an operation fails.
pub fn run(extent: Extent, filter: impl Fn(&str, &str, &str) -> bool, mut each: impl FnMut(Cell)) {
    let mut matrix = Matrix { extent, filter: &filter, each: &mut each };
    every_cipher(&mut matrix);
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
    let subject = Subject { cipher, kernel: "", key_len, rekey: &|c: &mut C, key| c.rekey(key) };
    Matrix { extent, filter: &filter, each: &mut each }.blocks_of_16(&subject);
}

struct Matrix<'a> {
    extent: Extent,
    filter: &'a dyn Fn(&str, &str, &str) -> bool,
    each: &'a mut dyn FnMut(Cell),
}

/// One trial's view of a keyed cipher.
struct Work<'t, 's, C> {
    trial: &'t mut Trial<'s>,
    cipher: &'t C,
    text: Vec<u8>,
    lengths: &'static [usize],
}

impl Visitor for Matrix<'_> {
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
        self.mode(subject, "KW", key_wrap);
        self.mode(subject, "KWP", key_wrap_padded);
        self.gcm(subject, "best", |_| Some(Depth::NONE));
        let mut slot = Slot::<gcm::Gcm<C>>::empty();
        for kernel in gcm::Kernel::available() {
            // By this key: whether the kernel goes with the cipher at all.
            let key = &[0x5a; 56][..subject.key_len];
            let keyed = slot.init_with(|gcm| gcm.rekey_with(|c| (subject.rekey)(c, key)));
            if keyed.is_ok_and(|gcm| gcm.use_kernel(kernel).is_some()) {
                self.gcm(subject, &kernel.to_string(), |gcm| gcm.use_kernel(kernel));
            }
        }
    }
}

impl Matrix<'_> {
    /// The modes for any block.
    fn modes<C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.mode(subject, "ECB", ecb::<C, N>);
        self.mode(subject, "CBC", cbc::<C, N>);
        self.mode(subject, "CFB", cfb::<C, N>);
        self.mode(subject, "CFB8", cfb8::<C, N>);
        self.mode(subject, "OFB", ofb::<C, N>);
        self.mode(subject, "CTR", ctr::<C, N>);
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
        let lengths = self.extent.lengths();
        let report = scan(|trial| {
            let key = &trial.key::<56>()[..subject.key_len];
            secrets::name_key(trial, subject.cipher, key);
            let mut slot = Box::new(Slot::<C>::empty());
            trial.watch("setup", || slot.init_with(|c| (subject.rekey)(c, key)).is_ok());
            let cipher = slot.cipher().expect("the key is of the right length");
            let text = trial.fixed(1, lengths.iter().copied().max().unwrap_or(0));
            trial.secret("plaintext", &text);
            operate(&mut Work { trial, cipher, text, lengths });
            trial.watch("drop", || slot.clear());
        });
        self.cells(subject.cipher, mode, subject.kernel, &report);
    }

    fn gcm<C: InPlace + BlockEncrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
        kernel: &str,
        choose: impl Fn(&mut gcm::Gcm<C>) -> Option<Depth>,
    ) {
        let kernel = format!("{}, {kernel}", subject.kernel);
        if !(self.filter)(subject.cipher, "GCM", &kernel) {
            return;
        }
        let lengths = self.extent.lengths();
        let report = scan(|trial| {
            let key = &trial.key::<56>()[..subject.key_len];
            secrets::name_key(trial, subject.cipher, key);
            let mut slot = Box::new(Slot::<gcm::Gcm<C>>::empty());
            trial.watch("setup", || {
                slot.init_with(|gcm| {
                    let depth = gcm.rekey_with(|c| (subject.rekey)(c, key))?;
                    let chosen = choose(gcm).expect("it went with another key");
                    Ok::<_, KeyError>(depth.max(chosen))
                })
                .is_ok()
            });
            let gcm = slot.cipher().expect("the key is of the right length");
            secrets::name_subkey(trial, gcm.cipher());
            let text = trial.fixed(1, lengths.iter().copied().max().unwrap_or(0));
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
                gcm_stream(trial, gcm, [iv, &aad], &mut data, &tag);
            }
            trial.watch("drop", || slot.clear());
        });
        self.cells(subject.cipher, "GCM", &kernel, &report);
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
                    stack: 0,
                    vector: 0,
                    general: 0,
                    depth: 0,
                    details: String::new(),
                });
                cells.len() - 1
            });
            let cell = &mut cells[index];
            cell.stack += step.stack;
            cell.vector += step.vector;
            cell.general += step.general;
            cell.depth = cell.depth.max(step.depth);
            if !step.is_clean() {
                cell.details.push_str(&format!("\n  {step}"));
            }
        }
        cells.into_iter().for_each(&mut *self.each);
    }
}

impl<C> Work<'_, '_, C> {
    /// Encrypts and decrypts messages of every length, `whole` blocks alone if told so.
    fn both_ways(
        &mut self,
        whole: Option<usize>,
        encrypt: impl Fn(&C, &[u8], &mut [u8]),
        decrypt: impl Fn(&C, &[u8], &mut [u8]),
    ) {
        let iv = self.trial.fixed(2, 16);
        for &len in self.lengths {
            let len = whole.map_or(len, |block| len - len % block);
            let text = &self.text[..len];
            let mut data = text.to_vec();
            let cipher = self.cipher;
            self.trial.watch("encrypt", || encrypt(cipher, &iv, &mut data));
            secrets::name_keystream(self.trial, text, &data);
            self.trial.watch("decrypt", || decrypt(cipher, &iv, &mut data));
            assert_eq!(data, text);
        }
    }
}

/// A message in pieces: `sealed` is opened, sealed, and opened in vain.
fn gcm_stream<C: BlockEncrypt<16>>(
    trial: &mut Trial<'_>,
    gcm: &gcm::Gcm<C>,
    [iv, aad]: [&[u8]; 2],
    sealed: &mut [u8],
    tag: &[u8],
) {
    let cut = sealed.len() / 3;
    let mut opener = Box::new(gcm::Opener::new(gcm));
    let mut sealer = Box::new(gcm::Sealer::new(gcm));
    trial.watch("decrypt", || opener.start(iv, aad)).expect("arguments within limits");
    for piece in <[_; 2]>::from(sealed.split_at_mut(cut)) {
        trial.watch("decrypt", || opener.update_unverified(piece)).expect("a short message");
    }
    trial.watch("decrypt", || opener.verify(tag)).expect("a good tag");
    trial.watch("encrypt", || sealer.start(iv, aad)).expect("arguments within limits");
    for piece in <[_; 2]>::from(sealed.split_at_mut(cut)) {
        trial.watch("encrypt", || sealer.update(piece)).expect("a short message");
    }
    let mut again = [0; 16];
    trial.watch("encrypt", || sealer.finish(&mut again)).expect("a whole tag");
    assert_eq!(again, tag);
    again[0] ^= 1;
    opener.start(iv, aad).expect("arguments within limits");
    opener.update_unverified(sealed).expect("a short message");
    trial.watch("failed open", || opener.verify(&again)).expect_err("a forged tag");
}

/// The first block of an IV that is long enough for every cipher.
fn iv<const N: usize>(iv: &[u8]) -> &[u8; N] {
    iv.first_chunk().expect("an IV of 16 bytes")
}

fn ecb<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(work: &mut Work<'_, '_, C>) {
    work.both_ways(
        Some(N),
        |c, _, data| modes::ecb::Encryptor::new(c).encrypt(data).expect("whole blocks"),
        |c, _, data| modes::ecb::Decryptor::new(c).decrypt(data).expect("whole blocks"),
    );
}

fn cbc<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(work: &mut Work<'_, '_, C>) {
    work.both_ways(
        Some(N),
        |c, v, data| modes::cbc::Encryptor::new(c, iv(v)).encrypt(data).expect("whole blocks"),
        |c, v, data| modes::cbc::Decryptor::new(c, iv(v)).decrypt(data).expect("whole blocks"),
    );
}

fn cfb<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(work: &mut Work<'_, '_, C>) {
    work.both_ways(
        None,
        |c, v, data| modes::cfb::Encryptor::new(c, iv(v)).encrypt(data),
        |c, v, data| modes::cfb::Decryptor::new(c, iv(v)).decrypt(data),
    );
}

fn cfb8<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(work: &mut Work<'_, '_, C>) {
    work.lengths = &[3, 40];
    work.both_ways(
        None,
        |c, v, data| modes::cfb8::Encryptor::new(c, iv(v)).encrypt(data),
        |c, v, data| modes::cfb8::Decryptor::new(c, iv(v)).decrypt(data),
    );
}

fn ofb<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(work: &mut Work<'_, '_, C>) {
    work.both_ways(
        None,
        |c, v, data| modes::ofb::Ofb::new(c, iv(v)).apply_keystream(data),
        |c, v, data| modes::ofb::Ofb::new(c, iv(v)).apply_keystream(data),
    );
}

fn ctr<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(work: &mut Work<'_, '_, C>) {
    let xor = |c: &C, v: &[u8], data: &mut [u8]| {
        modes::ctr::Ctr::new(c, iv(v)).apply_keystream(data).expect("a short message");
    };
    work.both_ways(None, xor, xor);
}

fn key_wrap<C: BlockEncrypt<16> + BlockDecrypt<16>>(work: &mut Work<'_, '_, C>) {
    let Work { trial, cipher, text, .. } = work;
    for len in [16, 40, 64] {
        let kw = modes::key_wrap::Kw::new(*cipher);
        let mut buffer = vec![0; len + 8];
        buffer[..len].copy_from_slice(&text[..len]);
        trial.watch("wrap", || kw.wrap(&mut buffer, len).map(drop)).expect("a legal length");
        trial.public(&buffer);
        let wrapped = buffer.clone();
        trial.watch("unwrap", || kw.unwrap(&mut buffer).map(drop)).expect("a good key");
        buffer.copy_from_slice(&wrapped);
        buffer[3] ^= 4;
        trial.watch("failed unwrap", || kw.unwrap(&mut buffer).map(drop)).expect_err("forged");
    }
}

fn key_wrap_padded<C: BlockEncrypt<16> + BlockDecrypt<16>>(work: &mut Work<'_, '_, C>) {
    let Work { trial, cipher, text, .. } = work;
    for len in [5_usize, 20, 61] {
        let kwp = modes::key_wrap::Kwp::new(*cipher);
        let mut buffer = vec![0; len.next_multiple_of(8) + 8];
        buffer[..len].copy_from_slice(&text[..len]);
        trial.watch("wrap", || kwp.wrap(&mut buffer, len).map(drop)).expect("a legal length");
        trial.public(&buffer);
        let wrapped = buffer.clone();
        trial.watch("unwrap", || kwp.unwrap(&mut buffer).map(drop)).expect("a good key");
        buffer.copy_from_slice(&wrapped);
        buffer[3] ^= 4;
        trial.watch("failed unwrap", || kwp.unwrap(&mut buffer).map(drop)).expect_err("forged");
    }
}
