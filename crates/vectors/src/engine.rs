//! Runs records through every kernel and every way, and counts.

use crate::iterated::{self, Complaint};
use crate::record::{Cipher, Class, Mode, Record, Test, Verdict};
use crate::registry::{BlockEntry, GhashEntry, Keyed, Params, Registry, StreamCipher, StreamEntry};
use crate::report::{Failure, Report};
use crate::run::{self, Direction, Job, Outcome, Way};
use crate::{hex, model, through_aead};
use cinder_block::KeyError;
use cinder_stream::Kernel;
use std::collections::HashSet;

/// What to leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether to run records of more than 100 000 steps (there is one: RFC 2144 B.2, with two
    /// million keys). Off in a debug build, where it takes minutes.
    pub long: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { long: !cfg!(debug_assertions) }
    }
}

/// Runs every record through every kernel of its cipher that this CPU has, held back to the level in
/// `CINDER_CPU`.
///
/// # Panics
///
/// If the variable names no level.
pub fn run(registry: &Registry, records: &[Record], options: Options) -> Report {
    testkit::level::hold_back();
    let mut report = Report::default();
    let mut bench = Bench { model: run::model(), ways: run::ways(), stretched: HashSet::new() };
    for record in records {
        report.add(record, bench.run(registry, record, options));
    }
    report
}

/// What records are run with.
struct Bench {
    model: Way,
    ways: Vec<Way>,
    /// Cipher, key length, mode and kernel that were seen already: the first record of a kind
    /// goes through long texts too.
    stretched: HashSet<(Cipher, usize, Mode, usize)>,
}

/// How a record fared, over all kernels.
#[derive(Default)]
pub(crate) struct Fate {
    pub(crate) kernels: Vec<String>,
    pub(crate) failures: Vec<Failure>,
    pub(crate) skipped: Option<String>,
}

/// What a record asks of the project's own code, as against the model: GCM may refuse tags of
/// lengths that SP 800-38D does not have.
fn own_verdict(record: &Record) -> Verdict {
    let is_odd = record.mode == Mode::Gcm && !matches!(bytes(&record.tag).len(), 4 | 8 | 12..=16);
    match record.verdict {
        Verdict::Valid if is_odd => Verdict::Acceptable,
        verdict => verdict,
    }
}

impl Bench {
    fn run(&mut self, registry: &Registry, record: &Record, options: Options) -> Fate {
        let mut fate = Fate::default();
        if iterated::is_long(record) && !options.long {
            fate.skipped = Some("left to release builds".into());
        } else if record.mode == Mode::Ghash {
            match registry.ghash {
                Some(entry) => ghash(record, &entry, &mut fate),
                None => fate.skipped = Some("GHASH is not there yet".into()),
            }
            if let Err(what) = ghash_model(record) {
                fate.fail(record, "", &self.model.name, what);
            }
        } else if record.mode == Mode::Stream {
            match registry.stream(record.cipher) {
                Some(entry) => stream(record, entry, &mut fate),
                None => fate.skipped = Some(format!("cipher {} is not there yet", record.cipher)),
            }
        } else if matches!(record.mode, Mode::Poly1305 | Mode::ChaCha20Poly1305) {
            // Poly1305 goes with ChaCha20.
            let is_mac = record.mode == Mode::Poly1305;
            let cipher = if is_mac { Cipher::CHACHA20 } else { record.cipher };
            match registry.stream(cipher) {
                Some(_) => without_blocks(record, &mut fate),
                None => fate.skipped = Some(format!("cipher {cipher} is not there yet")),
            }
        } else if through_aead::has(record.mode) {
            match registry.block(record.cipher) {
                Some(entry) => aead(record, entry, &mut fate),
                None => fate.skipped = Some(format!("cipher {} is not there yet", record.cipher)),
            }
        } else if !run::has(record.mode) {
            fate.skipped = Some(format!("mode {} is not there yet", record.mode));
        } else {
            match registry.block(record.cipher) {
                Some(entry) => self.block_cipher(record, entry, options, &mut fate),
                None => fate.skipped = Some(format!("cipher {} is not there yet", record.cipher)),
            }
        }
        fate
    }

    fn block_cipher(
        &mut self,
        record: &Record,
        entry: &BlockEntry,
        options: Options,
        fate: &mut Fate,
    ) {
        for (index, kernel) in entry.kernels.iter().enumerate() {
            if index > 0 && iterated::is_slow(record) && !options.long {
                // Left to release builds; the best kernel runs it here.
                continue;
            }
            match record.test {
                Some(Test::Weak) => {
                    if let Err(what) = weak(record, entry, index) {
                        fate.fail(record, kernel, "key", what);
                    }
                }
                Some(_) => {
                    if let Err(what) = iterated::run(record, entry, index) {
                        fate.fail(record, kernel, "steps", what);
                    }
                }
                None => self.known_answer(record, entry, (index, kernel), fate),
            }
            fate.kernels.push(kernel.clone());
        }
    }

    fn known_answer(
        &mut self,
        record: &Record,
        entry: &BlockEntry,
        (index, kernel): (usize, &str),
        fate: &mut Fate,
    ) {
        let params = Params { key: bytes(&record.key), bits: record.bits, allow_weak: true };
        let cipher = match entry.build(&params, index) {
            Ok(cipher) => cipher,
            Err(error) => {
                if record.verdict == Verdict::Valid {
                    fate.fail(record, kernel, "key", format!("key refused: {error}"));
                }
                return;
            }
        };
        if let Err(what) = both_directions(record, record.verdict, &cipher, &self.model) {
            fate.fail(record, kernel, &self.model.name, what);
        }
        let is_first = record.verdict == Verdict::Valid
            && self.stretched.insert((record.cipher, params.key.len(), record.mode, index));
        let mut is_there = false;
        for way in &self.ways {
            match self.own_way(record, &cipher, way, is_first, !is_there) {
                Ok(supports) => is_there |= supports,
                Err(what) => fate.fail(record, kernel, &way.name, what),
            }
        }
        if !is_there {
            fate.skipped = Some(format!("mode {} is not there yet", record.mode));
        }
    }

    /// `Ok(false)`: this way does not have the mode.
    fn own_way(
        &self,
        record: &Record,
        cipher: &Keyed,
        way: &Way,
        is_first: bool,
        is_direct: bool,
    ) -> Result<bool, Complaint> {
        let supports = both_directions(record, own_verdict(record), cipher, way)?;
        // The first way to ECB is the shortest way to the kernel.
        if supports && is_direct {
            repeated(record, cipher, way)?;
        }
        if supports && is_first {
            self.long_text(record, cipher, way)?;
        }
        Ok(supports)
    }

    /// A text longer than every kernel is wide, different in every block, against the model.
    fn long_text(&self, record: &Record, cipher: &Keyed, way: &Way) -> Result<(), Complaint> {
        // 67 blocks of 16 bytes: 64 and 3; 134 of 8: 128 and 6. Five bytes more where they may be.
        let length = match record.mode {
            Mode::Ecb | Mode::Cbc | Mode::KeyWrap | Mode::TripleDesKeyWrap => 67 * 16,
            _ => 67 * 16 + 5,
        };
        let seed = bytes(&record.plaintext);
        let byte = |i: usize| seed.get(i % seed.len().max(1)).unwrap_or(&0) ^ (i / 8) as u8;
        let plaintext: Vec<u8> = (0..length).map(byte).collect();
        let mut record = Record { plaintext: Some(plaintext.clone()), ..record.clone() };
        match (self.model.run)(cipher, &job(&record, Direction::Encrypt, &plaintext)) {
            Outcome::Text(text) => record.ciphertext = Some(text),
            Outcome::Sealed(text, tag) => {
                record.ciphertext = Some(text);
                record.tag = Some(tag);
            }
            other => return Err(format!("the model gives {} for a long text", show(&other))),
        }
        both_directions(&record, own_verdict(&record), cipher, way)
            .map(|_| ())
            .map_err(|what| format!("a text of {length} bytes: {what}"))
    }
}

impl Fate {
    fn fail(&mut self, record: &Record, kernel: &str, way: &str, what: Complaint) {
        self.failures.push(Failure {
            id: record.id.clone(),
            line: record.line,
            kernel: kernel.to_owned(),
            way: way.to_owned(),
            what,
        });
    }
}

fn bytes(field: &Option<Vec<u8>>) -> &[u8] {
    field.as_deref().unwrap_or_default()
}

/// Runs a record of Poly1305, which goes through its own kernels, or of ChaCha20-Poly1305.
fn without_blocks(record: &Record, fate: &mut Fate) {
    for (index, kernel) in Kernel::available().enumerate() {
        if let Err(what) = through_aead::run_without_blocks(record, kernel) {
            fate.fail(record, kernel.name(), "aead", what);
        }
        if index == 0 || record.mode == Mode::ChaCha20Poly1305 {
            fate.kernels.push(kernel.to_string());
        }
    }
}

/// On each kernel.
fn aead(record: &Record, entry: &BlockEntry, fate: &mut Fate) {
    for (index, kernel) in entry.kernels.iter().enumerate() {
        if let Err(what) = through_aead::run(record, entry, index) {
            fate.fail(record, kernel, "aead", what);
        }
        fate.kernels.push(kernel.clone());
    }
}

/// Weak and semi-weak keys are refused unless allowed. Possibly weak ones may be: libraries
/// differ on them. A key on no list is not refused.
fn weak(record: &Record, entry: &BlockEntry, kernel: usize) -> Result<(), Complaint> {
    let key = bytes(&record.key);
    let build = |allow_weak| {
        entry.build(&Params { key, bits: record.bits, allow_weak }, kernel).map(|_| ())
    };
    if let Err(error) = build(true) {
        return Err(format!("allowed, but refused: {error}"));
    }
    match (record.weak, record.class, build(false)) {
        (Some(true), Some(Class::PossiblyWeak), Ok(()) | Err(KeyError::Weak)) => Ok(()),
        (Some(true), _, Err(KeyError::Weak)) => Ok(()),
        (Some(true), _, Ok(())) => Err("a weak key was accepted".into()),
        (_, _, Ok(())) => Ok(()),
        (_, _, Err(error)) => Err(format!("key refused: {error}")),
    }
}

fn job<'a>(record: &'a Record, direction: Direction, text: &'a [u8]) -> Job<'a> {
    Job {
        mode: record.mode,
        direction,
        iv: bytes(&record.iv),
        aad: record.aad.first().map_or(&[], Vec::as_slice),
        text,
        tag: bytes(&record.tag),
        counter_bytes: record.counter_bytes,
        pieces: &run::PIECES,
    }
}

/// Holds an outcome against what the file says. `Ok(false)`: this way does not have the mode.
fn judge(
    what: &str,
    verdict: Verdict,
    expected: Option<&Outcome>,
    found: Outcome,
) -> Result<bool, Complaint> {
    match (verdict, found) {
        (_, Outcome::Unsupported) => Ok(false),
        (Verdict::Invalid | Verdict::Acceptable, Outcome::Refused(_)) => Ok(true),
        (Verdict::Invalid, _) => Err(format!("{what} accepted what is invalid")),
        (_, Outcome::Refused(why)) => Err(format!("{what} refused: {why}")),
        (_, found) if Some(&found) == expected => Ok(true),
        (_, found) => {
            let expected = expected.map_or("nothing".to_owned(), show);
            Err(format!("{what} gives {}, not {expected}", show(&found)))
        }
    }
}

fn show(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Text(text) => hex(text),
        Outcome::Sealed(text, tag) => format!("{} tag {}", hex(text), hex(tag)),
        Outcome::Refused(why) => format!("a refusal ({why})"),
        Outcome::Unsupported => "nothing".to_owned(),
    }
}

/// Encrypts what is plaintext and decrypts what is ciphertext. `Ok(false)`: this way does not
/// have the mode.
fn both_directions(
    record: &Record,
    verdict: Verdict,
    cipher: &Keyed,
    way: &Way,
) -> Result<bool, Complaint> {
    let mut supports = false;
    let (plaintext, ciphertext) = (record.plaintext.as_ref(), record.ciphertext.as_ref());
    // An invalid record with both texts speaks of decryption.
    if let Some(plaintext) = plaintext
        && (record.verdict != Verdict::Invalid || ciphertext.is_none())
    {
        let expected = ciphertext.map(|text| match record.mode {
            Mode::Gcm => Outcome::Sealed(text.clone(), bytes(&record.tag).to_vec()),
            _ => Outcome::Text(text.clone()),
        });
        let found = (way.run)(cipher, &job(record, Direction::Encrypt, plaintext));
        supports |= judge("encryption", verdict, expected.as_ref(), found)?;
    }
    if let Some(ciphertext) = ciphertext {
        let expected = plaintext.map(|text| Outcome::Text(text.clone()));
        let found = (way.run)(cipher, &job(record, Direction::Decrypt, ciphertext));
        supports |= judge("decryption", verdict, expected.as_ref(), found)?;
    }
    Ok(supports)
}

/// A single block of ECB, as often as there are lanes: its known answer from every lane.
fn repeated(record: &Record, cipher: &Keyed, way: &Way) -> Result<(), Complaint> {
    const COUNTS: [usize; 9] = [2, 3, 4, 5, 8, 16, 17, 33, 64];
    let size = match cipher {
        Keyed::Narrow(_) => 8,
        Keyed::Wide(_) => 16,
    };
    let (Some(plaintext), Some(ciphertext)) = (&record.plaintext, &record.ciphertext) else {
        return Ok(());
    };
    if record.mode != Mode::Ecb || record.verdict != Verdict::Valid || plaintext.len() != size {
        return Ok(());
    }
    let count = COUNTS[record.line / 5 % COUNTS.len()];
    let record = Record {
        plaintext: Some(plaintext.repeat(count)),
        ciphertext: Some(ciphertext.repeat(count)),
        ..record.clone()
    };
    both_directions(&record, Verdict::Valid, cipher, way)
        .map(|_| ())
        .map_err(|what| format!("{count} times the block: {what}"))
}

fn ghash_input(record: &Record) -> Result<([u8; 16], &[u8]), Complaint> {
    let h = bytes(&record.key).try_into().map_err(|_| "H is not 16 bytes")?;
    match bytes(&record.data) {
        data if data.len().is_multiple_of(16) => Ok((h, data)),
        _ => Err("Data is not whole blocks".into()),
    }
}

fn ghash_judge(record: &Record, found: [u8; 16]) -> Result<(), Complaint> {
    match bytes(&record.tag) {
        expected if expected == found => Ok(()),
        expected => Err(format!("Tag is {}, not {}", hex(&found), hex(expected))),
    }
}

fn ghash_model(record: &Record) -> Result<(), Complaint> {
    let (h, data) = ghash_input(record)?;
    ghash_judge(record, model::ghash(h, data)?)
}

fn ghash(record: &Record, entry: &GhashEntry, fate: &mut Fate) {
    for (index, kernel) in (entry.kernels)().into_iter().enumerate() {
        let result = ghash_input(record).and_then(|(h, data)| {
            ghash_judge(record, (entry.run)(&h, data, index))?;
            // Longer than every kernel aggregates.
            let long: Vec<u8> = (0..67 * 16)
                .map(|i: usize| h[i % 16] ^ (i / 16) as u8)
                .chain(data.iter().copied())
                .collect();
            let (expected, found) = (model::ghash(h, &long)?, (entry.run)(&h, &long, index));
            if expected == found { Ok(()) } else { Err("differs from the model when long".into()) }
        });
        if let Err(what) = result {
            fate.fail(record, &kernel, "ghash", what);
        }
        fate.kernels.push(kernel);
    }
}

fn stream(record: &Record, entry: &StreamEntry, fate: &mut Fate) {
    for (index, kernel) in (entry.kernels)().into_iter().enumerate() {
        for (way, seeks, pieces) in [
            ("one call", false, &[usize::MAX][..]),
            ("in pieces", false, &[1, 3, 64, 17, 2, 63, 65, 128, 5]),
            ("sought", true, &[usize::MAX]),
        ] {
            if let Err(what) = stream_once(record, entry, index, seeks, pieces) {
                fate.fail(record, &kernel, way, what);
            }
        }
        fate.kernels.push(kernel);
    }
}

fn stream_once(
    record: &Record,
    entry: &StreamEntry,
    kernel: usize,
    seeks: bool,
    pieces: &[usize],
) -> Result<(), Complaint> {
    let ciphertext = bytes(&record.ciphertext);
    let zeros = vec![0; ciphertext.len()];
    let plaintext = record.plaintext.as_ref().unwrap_or(&zeros);
    let offset = record.offset.unwrap_or(0);
    let mut text = None;
    let result = (entry.with)(bytes(&record.key), bytes(&record.iv), kernel, &mut |cipher| {
        if seeks {
            // Somewhere else first, so that going to 0 is a test as well.
            cipher.apply(&mut [0; 7]);
            if !cipher.seek(offset) {
                return;
            }
        } else if offset <= WALKED {
            discard(cipher, offset);
        } else if !cipher.seek(offset) {
            return;
        }
        text = Some(stream_text(cipher, plaintext, pieces));
    });
    match (result, record.verdict, text) {
        (Ok(()), Verdict::Invalid, _) => Err("accepted what is invalid".into()),
        (Err(_), Verdict::Invalid | Verdict::Acceptable, _) => Ok(()),
        (Err(why), Verdict::Valid, _) => Err(format!("key or IV refused: {why}")),
        (Ok(()), _, None) if !seeks => {
            Err(format!("cannot seek to {offset}, and it is too far to walk"))
        }
        // The cipher cannot seek.
        (Ok(()), _, None) => Ok(()),
        (Ok(()), _, Some(text)) if text == ciphertext => Ok(()),
        (Ok(()), _, Some(text)) => Err(format!("gives {}, not {}", hex(&text), hex(ciphertext))),
    }
}

/// Every second piece from buffer to buffer.
fn stream_text(cipher: &mut dyn StreamCipher, text: &[u8], pieces: &[usize]) -> Vec<u8> {
    let mut out = text.to_vec();
    let (mut input, mut output) = (text, out.as_mut_slice());
    for (index, size) in pieces.iter().cycle().enumerate() {
        if input.is_empty() {
            break;
        }
        let size = (*size).min(input.len());
        let (now, later) = output.split_at_mut(size);
        if index % 2 == 0 {
            cipher.apply(now);
        } else {
            now.fill(0xee);
            cipher.apply_to(&input[..size], now);
        }
        (input, output) = (&input[size..], later);
    }
    out
}

/// How far a keystream is produced to get to an offset. One further on has to be sought.
const WALKED: u64 = 4 << 20;

fn discard(cipher: &mut dyn StreamCipher, offset: u64) {
    let mut left = offset;
    let mut sink = [0; 1024];
    while left > 0 {
        let now = left.min(sink.len() as u64);
        cipher.apply(&mut sink[..now as usize]);
        left -= now;
    }
}
