//! The ways to run one operation of a mode: the model, the chained methods of the block traits,
//! the crates `modes` and `gcm`; in place, from buffer to buffer, and in pieces. All must agree.

use crate::record::Mode;
use crate::registry::{BlockCipher, Keyed};
use crate::{model, through_gcm, through_modes};

/// To ciphertext or to plaintext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To ciphertext, and a tag where there is one.
    Encrypt,
    /// To plaintext, if it is authentic where that can be known.
    Decrypt,
}

/// One operation, whatever carries it out.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// What to run.
    pub mode: Mode,
    /// Which way.
    pub direction: Direction,
    /// The IV, or nothing.
    pub iv: &'a [u8],
    /// The associated data, or nothing.
    pub aad: &'a [u8],
    /// Plaintext to encrypt, ciphertext to decrypt.
    pub text: &'a [u8],
    /// The tag to check; to encrypt, only its length counts.
    pub tag: &'a [u8],
    /// How many bytes of the counter block count, if not all.
    pub counter_bytes: Option<usize>,
    /// The sizes of calls in pieces, over and over, not all 0: in blocks where a mode takes whole
    /// ones, else in bytes.
    pub pieces: &'a [usize],
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The other text.
    Text(Vec<u8>),
    /// Ciphertext and tag.
    Sealed(Vec<u8>, Vec<u8>),
    /// The operation refused its input.
    Refused(String),
    /// This way does not have the mode.
    Unsupported,
}

impl<E: ToString> From<Result<Vec<u8>, E>> for Outcome {
    fn from(result: Result<Vec<u8>, E>) -> Self {
        match result {
            Ok(text) => Outcome::Text(text),
            Err(refusal) => Outcome::refused(refusal),
        }
    }
}

impl Outcome {
    pub(crate) fn refused(refusal: impl ToString) -> Self {
        Outcome::Refused(refusal.to_string())
    }
}

/// How a call takes its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    InPlace,
    /// From one buffer to another.
    Apart,
    /// In several calls, in place and apart by turns where there are both.
    Pieces,
}

/// Whether the project has the mode at all.
pub(crate) fn has(mode: Mode) -> bool {
    through_modes::HAS.contains(&mode)
        || matches!(mode, Mode::KeyWrap | Mode::KeyWrapPadded | Mode::TripleDesKeyWrap | Mode::Gcm)
}

/// See [`Way`].
pub type Run = dyn Fn(&Keyed, &Job<'_>) -> Outcome;

/// A way to run a job.
pub struct Way {
    /// For a person to read.
    pub name: String,
    /// Runs a job over a cipher.
    pub run: Box<Run>,
}

impl core::fmt::Debug for Way {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.name)
    }
}

impl Way {
    fn new(name: &str, run: impl Fn(&Keyed, &Job<'_>) -> Outcome + 'static) -> Self {
        Way { name: name.to_owned(), run: Box::new(run) }
    }
}

/// The definition: what it says the others are compared with.
pub fn model() -> Way {
    Way::new("model", by_model)
}

/// The project's own code. To hook up an implementation of some modes: one function, one line.
pub fn ways() -> Vec<Way> {
    let mut ways = vec![
        Way::new("block traits", |cipher, job| by_traits(cipher, job, &[])),
        Way::new("block traits, in pieces", |cipher, job| by_traits(cipher, job, job.pieces)),
        Way::new("modes", |cipher, job| through_modes::run(cipher, job, Form::InPlace)),
        Way::new("modes, apart", |cipher, job| through_modes::run(cipher, job, Form::Apart)),
        Way::new("modes, in pieces", |cipher, job| through_modes::run(cipher, job, Form::Pieces)),
        Way::new("gcm", |cipher, job| through_gcm::run(cipher, job, Form::InPlace, None)),
        Way::new("gcm, apart", |cipher, job| through_gcm::run(cipher, job, Form::Apart, None)),
        Way::new("gcm, in pieces", |cipher, job| through_gcm::run(cipher, job, Form::Pieces, None)),
    ];
    for kernel in cinder_gcm::Kernel::available() {
        for form in [Form::InPlace, Form::Apart, Form::Pieces] {
            ways.push(Way::new(&format!("gcm, {kernel}, {form:?}"), move |cipher, job| {
                through_gcm::run(cipher, job, form, Some(kernel))
            }));
        }
    }
    ways
}

/// Pieces around the widths of the kernels, in blocks, and around a block and a wide kernel, in
/// bytes.
pub(crate) const PIECES: [usize; 12] = [1, 3, 16, 2, 17, 5, 33, 0, 8, 100, 15, 600];

fn by_model(cipher: &Keyed, job: &Job<'_>) -> Outcome {
    match cipher {
        Keyed::Narrow(cipher) => model::run_narrow(&**cipher, job),
        Keyed::Wide(cipher) => model::run_wide(&**cipher, job),
    }
}

fn by_traits(cipher: &Keyed, job: &Job<'_>, pieces: &[usize]) -> Outcome {
    match cipher {
        Keyed::Narrow(cipher) => traits(&**cipher, job, pieces),
        Keyed::Wide(cipher) => traits(&**cipher, job, pieces),
    }
}

/// Cuts `blocks` into pieces and runs each.
pub(crate) fn each<T>(mut blocks: &mut [T], pieces: &[usize], mut run: impl FnMut(&mut [T])) {
    let mut sizes = pieces.iter().cycle();
    while !blocks.is_empty() {
        let size = sizes.next().map_or(blocks.len(), |size| blocks.len().min(*size));
        let (now, later) = blocks.split_at_mut(size);
        run(now);
        blocks = later;
    }
}

fn traits<const N: usize>(cipher: &dyn BlockCipher<N>, job: &Job<'_>, pieces: &[usize]) -> Outcome {
    let encrypts = job.direction == Direction::Encrypt;
    if !matches!(job.mode, Mode::Ecb | Mode::Cbc | Mode::Cfb | Mode::Ofb | Mode::Ctr) {
        return Outcome::Unsupported;
    }
    let is_short = !job.text.len().is_multiple_of(N);
    if is_short && matches!(job.mode, Mode::Ecb | Mode::Cbc) {
        return Outcome::refused("not whole blocks");
    }
    let mut chain = [0; N];
    if job.mode.has_iv() {
        match job.iv.try_into() {
            Ok(iv) => chain = iv,
            Err(_) => return Outcome::refused("IV is not one block"),
        }
    }
    // A last block that is short runs as a whole one: its bytes do not depend on what follows.
    let mut text = job.text.to_vec();
    text.resize(job.text.len().next_multiple_of(N), 0);
    let blocks = text.as_chunks_mut::<N>().0;
    if job.mode == Mode::Ctr {
        let bytes = job.counter_bytes.unwrap_or(N);
        if bytes > N || bytes < 4 && is_exhausted(bytes, blocks.len()) {
            return Outcome::refused("the counter is exhausted or wider than the block");
        }
        each(blocks, pieces, |blocks| counter(cipher, bytes, &mut chain, blocks));
    } else {
        each(blocks, pieces, |blocks| {
            let _ = match (job.mode, encrypts) {
                (Mode::Ecb, true) => cipher.encrypt_blocks(blocks),
                (Mode::Ecb, false) => cipher.decrypt_blocks(blocks),
                (Mode::Cbc, true) => cipher.cbc_encrypt(&mut chain, blocks),
                (Mode::Cbc, false) => cipher.cbc_decrypt(&mut chain, blocks),
                (Mode::Cfb, true) => cipher.cfb_encrypt(&mut chain, blocks),
                (Mode::Cfb, false) => cipher.cfb_decrypt(&mut chain, blocks),
                _ => cipher.ofb_xor(&mut chain, blocks),
            };
        });
    }
    text.truncate(job.text.len());
    Outcome::Text(text)
}

fn is_exhausted(bytes: usize, blocks: usize) -> bool {
    blocks as u64 > 1 << (8 * bytes)
}

/// Counter mode of `bytes` bytes on a method whose counter has four: split where it wraps, and
/// carry by hand.
fn counter<const N: usize>(
    cipher: &dyn BlockCipher<N>,
    bytes: usize,
    counter: &mut [u8; N],
    mut blocks: &mut [[u8; N]],
) {
    // The bits of the four low bytes that count.
    let mask = if bytes < 4 { (1 << (8 * bytes)) - 1 } else { u32::MAX };
    while !blocks.is_empty() {
        let before = *counter;
        let low = counter.last_chunk::<4>().map_or(0, |low| u32::from_be_bytes(*low));
        let to_wrap = u64::from(mask - (low & mask)) + 1;
        let now = blocks.len().min(usize::try_from(to_wrap).unwrap_or(usize::MAX));
        let (head, tail) = blocks.split_at_mut(now);
        let _ = cipher.ctr_xor(counter, head);
        if now as u64 == to_wrap {
            let fixed = N - bytes;
            if bytes > 4 {
                for byte in counter[fixed..N - 4].iter_mut().rev() {
                    *byte = byte.wrapping_add(1);
                    if *byte != 0 {
                        break;
                    }
                }
            } else {
                counter[..fixed].copy_from_slice(&before[..fixed]);
            }
        }
        blocks = tail;
    }
}
