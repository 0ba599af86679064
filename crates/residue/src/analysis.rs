//! From snapshots to residue.

use crate::arch::{self, Bank, Registers};
use std::collections::HashMap;
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
    pub(crate) public: Vec<Vec<u8>>,
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

/// A set of windows with what they belong to.
struct Windows {
    names: HashMap<[u8; WINDOW], &'static str>,
    /// By the first two bytes, to skip most lookups.
    start: Vec<bool>,
}

impl Windows {
    fn new<'a>(texts: impl Iterator<Item = (&'static str, &'a [u8])>) -> Self {
        let mut windows = Windows { names: HashMap::new(), start: vec![false; 1 << 16] };
        for (name, text) in texts {
            for window in text.array_windows_of() {
                // Four equal bytes are padding more often than a secret.
                if window.iter().any(|&byte| byte != window[0]) {
                    windows.start[start(&window)] = true;
                    windows.names.entry(window).or_insert(name);
                }
            }
        }
        windows
    }

    /// For each byte of `text`, the name of a window that it belongs to.
    fn cover(&self, text: &[u8]) -> Vec<Option<&'static str>> {
        let mut cover = vec![None; text.len()];
        for (i, window) in text.array_windows_of().enumerate() {
            if self.start[start(&window)]
                && let Some(&name) = self.names.get(&window)
            {
                cover[i..i + WINDOW].fill(Some(name));
            }
        }
        cover
    }
}

fn start(window: &[u8; WINDOW]) -> usize {
    usize::from(window[0]) << 8 | usize::from(window[1])
}

trait ArrayWindows {
    fn array_windows_of(&self) -> impl Iterator<Item = [u8; WINDOW]>;
}

impl ArrayWindows for [u8] {
    fn array_windows_of(&self) -> impl Iterator<Item = [u8; WINDOW]> {
        self.windows(WINDOW).map(|window| [window[0], window[1], window[2], window[3]])
    }
}

pub(crate) fn analyse(evidence: &[Evidence]) -> Report {
    let secrets: Vec<_> = evidence
        .iter()
        .map(|e| Windows::new(e.secrets.iter().map(|(name, text)| (*name, text.as_slice()))))
        .collect();
    let public: Vec<_> = evidence
        .iter()
        .map(|e| Windows::new(e.public.iter().map(|text| ("", text.as_slice()))))
        .collect();
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
            residue(evidence, &texts, &secrets, &public)
        };
        let mut findings = vec![];
        let depth = evidence.iter().map(|e| e.snapshots[step].stack.len()).max().unwrap_or(0);
        let stack = look(|s| &s.stack);
        let len = stack.len();
        let stack = collect(&stack, &mut findings, |i| (Place::Stack(len - i), 0));
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

/// What is known about one byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Byte {
    Innocent,
    Residue(Option<&'static str>),
}

/// Texts end at the same place (the top of the stack) and may begin at different ones.
fn residue(
    evidence: &[Evidence],
    texts: &[&[u8]],
    secrets: &[Windows],
    public: &[Windows],
) -> Vec<Byte> {
    let len = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    // Byte i of the longest text, in another one. What was never written is paint there.
    let at = |trial: usize, i: usize| (i + texts[trial].len()).checked_sub(len);
    let byte = |trial: usize, i: usize| at(trial, i).map(|i| texts[trial][i]);
    let cover = |windows: &[Windows]| -> Vec<_> {
        windows.iter().zip(texts).map(|(windows, text)| windows.cover(text)).collect()
    };
    let (secret, public) = (cover(secrets), cover(public));
    let trials = 0..texts.len();

    let same_key = |a: usize, b: usize| evidence[a].key == evidence[b].key;
    (0..len)
        .map(|i| {
            let mut seen = trials
                .clone()
                .filter(|&trial| evidence[trial].round == 0)
                .filter_map(|trial| at(trial, i).and_then(|i| secret[trial][i]));
            if let (Some(name), Some(_)) = (seen.next(), seen.next()) {
                return Byte::Residue(Some(name));
            }
            if trials.clone().all(|trial| byte(trial, i) == byte(0, i)) {
                return Byte::Innocent;
            }
            let noise = trials
                .clone()
                .any(|a| trials.clone().any(|b| same_key(a, b) && byte(a, i) != byte(b, i)));
            let is_public = trials
                .clone()
                .all(|trial| at(trial, i).is_some_and(|i| public[trial][i].is_some()));
            if noise || is_public { Byte::Innocent } else { Byte::Residue(None) }
        })
        .collect()
}

/// Counts, and joins neighbours that are of one register and one secret.
fn collect(
    bytes: &[Byte],
    findings: &mut Vec<Finding>,
    place: impl Fn(usize) -> (Place, usize),
) -> usize {
    let mut count = 0;
    let mut last = None;
    for (i, &byte) in bytes.iter().enumerate() {
        let Byte::Residue(secret) = byte else {
            last = None;
            continue;
        };
        count += 1;
        let (place, register) = place(i);
        if last == Some((register, secret)) {
            if let Some(finding) = findings.last_mut() {
                finding.bytes += 1;
            }
        } else {
            findings.push(Finding { place, bytes: 1, secret });
        }
        last = Some((register, secret));
    }
    count
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
