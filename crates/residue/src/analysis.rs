//! From snapshots to residue.

use crate::arch::{self, Bank, Registers};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// Bytes in a row that count as a trace of a secret.
const WINDOW: usize = 4;

/// Where a snapshot's byte was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// So many bytes below the top of the private stack.
    Stack(usize),
    /// A vector register (or a mask register).
    Vector(&'static str),
    /// A general register.
    General(&'static str),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Stack(below) => write!(f, "stack, {below} bytes down"),
            Place::Vector(name) | Place::General(name) => f.write_str(name),
        }
    }
}

/// Residue that lies together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Of its lowest byte.
    pub place: Place,
    /// Bytes in a row.
    pub bytes: usize,
    /// The named secret it is, or `None` if it is only known to change with the key.
    pub secret: Option<&'static str>,
}

/// What a step left behind: bytes of residue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// As given to [`Trial::watch`](crate::Trial::watch).
    pub name: &'static str,
    /// On the stack.
    pub stack: usize,
    /// In vector registers.
    pub vector: usize,
    /// In general registers.
    pub general: usize,
    /// How far down the stack was written.
    pub depth: usize,
    /// The details.
    pub findings: Vec<Finding>,
}

impl Step {
    /// All of it.
    pub fn total(&self) -> usize {
        self.stack + self.vector + self.general
    }

    /// Nothing.
    pub fn is_clean(&self) -> bool {
        self.total() == 0
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}/{}/{} bytes", self.name, self.stack, self.vector, self.general)?;
        write!(f, " (stack/vector/general), {} deep", self.depth)?;
        for finding in &self.findings {
            let secret = finding.secret.unwrap_or("changes with the key");
            write!(f, "\n    {}, {} bytes: {secret}", finding.place, finding.bytes)?;
        }
        Ok(())
    }
}

/// What all steps of a scan left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// In the order in which they ran.
    pub steps: Vec<Step>,
}

impl Report {
    /// The step of this name.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn step(&self, name: &str) -> &Step {
        match self.steps.iter().find(|step| step.name == name) {
            Some(step) => step,
            None => panic!("no step {name}"),
        }
    }

    /// No step left anything.
    pub fn is_clean(&self) -> bool {
        self.steps.iter().all(Step::is_clean)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        Ok(())
    }
}

/// Everything from one trial.
pub(crate) struct Evidence {
    key: usize,
    round: usize,
    pub(crate) snapshots: Vec<Snapshot>,
    pub(crate) secrets: Vec<(&'static str, Vec<u8>)>,
    pub(crate) public: Vec<(&'static str, Vec<u8>)>,
}

impl Evidence {
    pub(crate) fn new(key: usize, round: usize) -> Self {
        Evidence { key, round, snapshots: vec![], secrets: vec![], public: vec![] }
    }
}

/// What was there when a step returned.
pub(crate) struct Snapshot {
    step: &'static str,
    /// From the lowest byte that was written to the top.
    stack: Vec<u8>,
    vector: Vec<u8>,
    general: Vec<u8>,
}

impl Snapshot {
    pub(crate) fn new(step: &'static str, stack: Vec<u8>, registers: &Registers) -> Self {
        let len = |banks: &[Bank]| banks.iter().map(|b| b.names.len() * b.width).sum::<usize>();
        Snapshot {
            step,
            stack,
            vector: registers.0[Registers::VECTOR_AT..][..len(arch::VECTOR)].to_vec(),
            general: registers.0[..len(arch::GENERAL)].to_vec(),
        }
    }
}

/// Bytes that are looked at together, to skip what is the same in one comparison: an unoptimised
/// build has to get through this too.
const STRIDE: usize = 64;

/// The windows of some texts.
struct Windows<'a> {
    texts: Vec<(&'static str, &'a [u8])>,
    /// A bit for each value of a window's first three bytes.
    bits: Vec<u8>,
}

impl<'a> Windows<'a> {
    fn new(texts: Vec<(&'static str, &'a [u8])>) -> Self {
        let mut bits = vec![0; 1 << 21];
        for (_, text) in &texts {
            let mut i = 0;
            while i + WINDOW <= text.len() {
                let (byte, bit) = Self::bit(text, i);
                bits[byte] |= 1 << bit;
                i += 1;
            }
        }
        Windows { texts, bits }
    }

    fn bit(text: &[u8], i: usize) -> (usize, usize) {
        (
            usize::from(text[i]) << 13
                | usize::from(text[i + 1]) << 5
                | usize::from(text[i + 2] >> 3),
            usize::from(text[i + 2] & 7),
        )
    }

    /// The name of the text that this window is from.
    fn find(&self, window: &[u8]) -> Option<&'static str> {
        // Four equal bytes are padding more often than a secret.
        if window.iter().all(|byte| *byte == window[0]) {
            return None;
        }
        let contains = |text: &[u8]| text.windows(WINDOW).any(|other| other == window);
        self.texts.iter().find(|(_, text)| contains(text)).map(|(name, _)| *name)
    }

    /// The bytes of `text` that belong to such a window, with the name of the text that has it.
    fn cover(&self, text: &[u8]) -> BTreeMap<usize, &'static str> {
        let mut cover = BTreeMap::new();
        let mut i = 0;
        while i + WINDOW <= text.len() {
            // What was burnt, or never written.
            if text[i] == text[i + 1] && text[i..].starts_with(&[text[i]; STRIDE]) {
                i += STRIDE - WINDOW + 1;
                continue;
            }
            let (byte, bit) = Self::bit(text, i);
            if self.bits[byte] >> bit & 1 == 1
                && let Some(name) = self.find(&text[i..i + WINDOW])
            {
                cover.extend((i..i + WINDOW).map(|i| (i, name)));
            }
            i += 1;
        }
        cover
    }
}

/// Evidence that has been prepared for the search.
struct Trials<'a> {
    evidence: &'a [Evidence],
    /// By key.
    secrets: Vec<Windows<'a>>,
}

pub(crate) fn analyse(evidence: &[Evidence]) -> Report {
    let first_round = evidence.iter().filter(|e| e.round == 0);
    let secrets = first_round.map(|e| Windows::new(by_name(&e.secrets))).collect();
    let trials = Trials { evidence, secrets };
    let steps = evidence[0].snapshots.len();
    let steps = (0..steps).map(|step| {
        let name = evidence[0].snapshots[step].step;
        for e in evidence {
            assert!(
                e.snapshots.get(step).is_some_and(|s| s.step == name)
                    && e.snapshots.len() == evidence[0].snapshots.len(),
                "the trials watch different steps"
            );
        }
        let look = |part: fn(&Snapshot) -> &[u8]| {
            let texts: Vec<_> = evidence.iter().map(|e| part(&e.snapshots[step])).collect();
            trials.residue(&texts)
        };
        let mut findings = vec![];
        let depth = evidence.iter().map(|e| e.snapshots[step].stack.len()).max().unwrap_or(0);
        let stack = look(|s| &s.stack);
        let stack = collect(&stack, &mut findings, |i| (Place::Stack(depth - i), 0));
        let vector = look(|s| &s.vector);
        let vector = collect(&vector, &mut findings, |i| {
            let (name, register) = register(arch::VECTOR, i);
            (Place::Vector(name), register)
        });
        let general = look(|s| &s.general);
        let general = collect(&general, &mut findings, |i| {
            let (name, register) = register(arch::GENERAL, i);
            (Place::General(name), register)
        });
        Step { name, stack, vector, general, depth, findings }
    });
    Report { steps: steps.collect() }
}

fn by_name<'a>(texts: &'a [(&'static str, Vec<u8>)]) -> Vec<(&'static str, &'a [u8])> {
    texts.iter().map(|(name, text)| (*name, text.as_slice())).collect()
}

/// The bytes that are residue, and of what, if that is known.
type Residue = BTreeMap<usize, Option<&'static str>>;

impl Trials<'_> {
    /// What of the longest text is residue. Texts, one from each trial, end at the same place
    /// (the top of the stack) and may begin at different ones.
    fn residue(&self, texts: &[&[u8]]) -> Residue {
        let len = texts.iter().map(|text| text.len()).max().unwrap_or(0);
        // What was never written is paint, of which 0 is as good as any here.
        let texts: Vec<Cow<'_, [u8]>> = texts
            .iter()
            .map(|text| {
                if text.len() == len {
                    return Cow::Borrowed(*text);
                }
                let mut padded = vec![0; len - text.len()];
                padded.extend_from_slice(text);
                Cow::Owned(padded)
            })
            .collect();
        let mut residue = self.differential(&texts);
        residue.append(&mut self.windows(&texts));
        residue
    }

    /// A window counts if two keys have theirs at the same place.
    fn windows(&self, texts: &[Cow<'_, [u8]>]) -> Residue {
        let mut seen = BTreeMap::new();
        let first_round = self.evidence.iter().zip(texts).filter(|(e, _)| e.round == 0);
        for (secrets, (_, text)) in self.secrets.iter().zip(first_round) {
            for (i, name) in secrets.cover(text) {
                seen.entry(i).or_insert((0, name)).0 += 1;
            }
        }
        let twice = seen.into_iter().filter(|(_, (count, _))| *count > 1);
        twice.map(|(i, (_, name))| (i, Some(name))).collect()
    }

    /// A byte counts if it changes with the key, does not change from round to round, and is not
    /// part of a public output every time.
    fn differential(&self, texts: &[Cow<'_, [u8]>]) -> Residue {
        let mut suspects = vec![];
        let len = texts[0].len();
        for start in (0..len).step_by(STRIDE) {
            let stride = start..len.min(start + STRIDE);
            if texts.iter().any(|text| text[stride.clone()] != texts[0][stride.clone()]) {
                suspects.extend(stride.filter(|&i| {
                    texts.iter().any(|text| text[i] != texts[0][i]) && !self.is_noise(texts, i)
                }));
            }
        }
        if suspects.is_empty() {
            return Residue::new();
        }
        let public: Vec<_> = self
            .evidence
            .iter()
            .zip(texts)
            .map(|(e, text)| Windows::new(by_name(&e.public)).cover(text))
            .collect();
        suspects.retain(|i| public.iter().any(|cover| !cover.contains_key(i)));
        suspects.into_iter().map(|i| (i, None)).collect()
    }

    fn is_noise(&self, texts: &[Cow<'_, [u8]>], i: usize) -> bool {
        let byte_of = |e: &Evidence| {
            let first = self.evidence.iter().position(|other| other.key == e.key);
            first.map(|first| texts[first][i])
        };
        self.evidence.iter().zip(texts).any(|(e, text)| byte_of(e) != Some(text[i]))
    }
}

/// Counts, and joins neighbours that are of one register and one secret.
fn collect(
    residue: &Residue,
    findings: &mut Vec<Finding>,
    place: impl Fn(usize) -> (Place, usize),
) -> usize {
    let mut last = None;
    for (&i, &secret) in residue {
        let (place, register) = place(i);
        match findings.last_mut() {
            Some(finding) if last == Some((i, register, secret)) => finding.bytes += 1,
            _ => findings.push(Finding { place, bytes: 1, secret }),
        }
        last = Some((i + 1, register, secret));
    }
    residue.len()
}

/// The register that byte `i` of a snapshot belongs to, and its number.
fn register(banks: &[Bank], mut i: usize) -> (&'static str, usize) {
    let mut before = 0;
    for bank in banks {
        if let Some(name) = bank.names.get(i / bank.width) {
            return (name, before + i / bank.width);
        }
        i -= bank.names.len() * bank.width;
        before += bank.names.len();
    }
    unreachable!("a snapshot is as long as its banks")
}
