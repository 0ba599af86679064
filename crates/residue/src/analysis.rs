//! From snapshots to residue.

use crate::arch::{self, Bank, Registers};
use crate::stack::PAINT;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

/// Bytes in a row that count as a trace of a secret.
const WINDOW: usize = 4;

/// Bytes of paint in a row that were copied from the stack, and are there by no chance.
const PAINTED: usize = 3;

/// Where a snapshot's byte was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// So many bytes below the top of the private stack.
    Stack(usize),
    /// A vector register (or a mask register).
    Vector(&'static str),
    /// A general register.
    General(&'static str),
    /// So many bytes into the freed heap blocks, one after the other.
    Heap(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Stack(below) => write!(f, "stack, {below} bytes down"),
            Place::Vector(name) | Place::General(name) => f.write_str(name),
            Place::Heap(at) => write!(f, "freed blocks, byte {at}"),
        }
    }
}

/// Bytes of residue, by kind of place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// On the stack.
    pub stack: usize,
    /// In vector registers.
    pub vector: usize,
    /// In general registers.
    pub general: usize,
    /// In freed heap blocks.
    pub heap: usize,
}

impl Left {
    /// Nothing anywhere.
    pub const NOTHING: Left = Left { stack: 0, vector: 0, general: 0, heap: 0 };

    /// The heads of the columns of a table.
    pub const HEAD: &str = " stack vector general   heap";

    /// All of it.
    pub fn total(&self) -> usize {
        self.stack + self.vector + self.general + self.heap
    }
}

impl AddAssign for Left {
    fn add_assign(&mut self, more: Left) {
        self.stack += more.stack;
        self.vector += more.vector;
        self.general += more.general;
        self.heap += more.heap;
    }
}

/// In columns.
impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Left { stack, vector, general, heap } = self;
        write!(f, "{stack:>6} {vector:>6} {general:>7} {heap:>6}")
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
    /// How much.
    pub left: Left,
    /// How far down the stack was written.
    pub depth: usize,
    /// The details.
    pub findings: Vec<Finding>,
}

impl Step {
    /// Nothing.
    pub fn is_clean(&self) -> bool {
        self.left == Left::NOTHING
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Left { stack, vector, general, heap } = self.left;
        write!(f, "{}: {stack}/{vector}/{general}/{heap} bytes", self.name)?;
        write!(f, " (stack/vector/general/heap), {} deep", self.depth)?;
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
    kept: Vec<u8>,
    /// The freed blocks, one after the other.
    heap: Vec<u8>,
}

impl Snapshot {
    pub(crate) fn new(
        step: &'static str,
        stack: Vec<u8>,
        registers: &Registers,
        kept: &[u8],
        heap: Vec<u8>,
    ) -> Self {
        Snapshot {
            step,
            stack,
            vector: registers.0[Registers::VECTOR_AT..][..len(arch::VECTOR)].to_vec(),
            general: registers.0[..len(arch::GENERAL)].to_vec(),
            kept: kept[..len(arch::KEPT)].to_vec(),
            heap,
        }
    }
}

/// Bytes of some registers.
fn len(banks: &[Bank]) -> usize {
    banks.iter().map(|bank| bank.names.len() * bank.width).sum()
}

/// Bytes that are looked at together, to skip what is the same in one comparison: a few vector
/// instructions, if that many are compared as an array.
const STRIDE: usize = 64;

/// The windows of some texts.
struct Windows {
    /// Each window once, sorted, with the name of the first text that has it.
    names: Vec<(u32, &'static str)>,
    /// A bit for each hash of a window: most of what is looked up is not there, and this much
    /// stays in a cache.
    bits: Vec<u8>,
}

impl Windows {
    fn new(texts: &[(&'static str, Vec<u8>)]) -> Self {
        let mut names = vec![];
        let mut bits = vec![0; 1 << (Self::HASH_BITS - 3)];
        for (name, text) in texts {
            for i in 0..(text.len() + 1).saturating_sub(WINDOW) {
                let window = window(text, i);
                // Four equal bytes are padding more often than a secret.
                if !is_uniform(window) {
                    names.push((window, *name));
                    let (byte, bit) = Self::bit(window);
                    bits[byte] |= 1 << bit;
                }
            }
        }
        names.sort_by_key(|(window, _)| *window);
        names.dedup_by_key(|(window, _)| *window);
        Windows { names, bits }
    }

    const HASH_BITS: u32 = 20;

    /// The byte and the bit in it, of a multiplicative hash (Knuth, volume 3, section 6.4).
    fn bit(window: u32) -> (usize, u32) {
        let hash = window.wrapping_mul(0x9e37_79b1) >> (u32::BITS - Self::HASH_BITS);
        ((hash >> 3) as usize, hash & 7)
    }

    /// The name of the text that has this window.
    fn find(&self, window: u32) -> Option<&'static str> {
        let (byte, bit) = Self::bit(window);
        if self.bits[byte] >> bit & 1 == 0 {
            return None;
        }
        let index = self.names.binary_search_by_key(&window, |(window, _)| *window).ok()?;
        Some(self.names[index].1)
    }

    /// Where in `text` there are windows, from first to last, and the name of a text of each.
    fn search(&self, text: &[u8]) -> Vec<(usize, &'static str)> {
        let mut found = vec![];
        let mut i = 0;
        while i + WINDOW <= text.len() {
            let window = window(text, i);
            // What was burnt, or never written.
            if is_uniform(window) && text[i..].first_chunk() == Some(&[text[i]; STRIDE]) {
                i += STRIDE - WINDOW + 1;
                continue;
            }
            if let Some(name) = self.find(window) {
                found.push((i, name));
            }
            i += 1;
        }
        found
    }

    /// Whether byte `i` of `text` belongs to a window.
    fn covers(&self, text: &[u8], i: usize) -> bool {
        let last = i.min(text.len().saturating_sub(WINDOW));
        text.len() >= WINDOW
            && (i.saturating_sub(WINDOW - 1)..=last)
                .any(|start| self.find(window(text, start)).is_some())
    }
}

/// The first byte is the highest.
fn window(text: &[u8], i: usize) -> u32 {
    u32::from_be_bytes([text[i], text[i + 1], text[i + 2], text[i + 3]])
}

/// Whether its bytes are equal.
fn is_uniform(window: u32) -> bool {
    window == window.rotate_left(8)
}

/// Evidence that has been prepared for the search.
struct Trials<'a> {
    evidence: &'a [Evidence],
    /// By key.
    secrets: Vec<Windows>,
    /// By trial; made when they are needed.
    public: OnceCell<Vec<Windows>>,
}

pub(crate) fn analyse(evidence: &[Evidence]) -> Report {
    let first_round = evidence.iter().filter(|e| e.round == 0);
    let secrets = first_round.map(|e| Windows::new(&e.secrets)).collect();
    let trials = Trials { evidence, secrets, public: OnceCell::new() };
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
        let mut findings = vec![];
        let depth = evidence.iter().map(|e| e.snapshots[step].stack.len()).max().unwrap_or(0);
        let texts = |part: fn(&Snapshot) -> &[u8]| {
            evidence.iter().map(|e| part(&e.snapshots[step])).collect::<Vec<_>>()
        };
        let mut count = |residue: Residue, place: &dyn Fn(usize) -> (Place, usize)| {
            collect(&residue, &mut findings, place)
        };
        let general = |banks, i| {
            let (name, register) = register(banks, i);
            (Place::General(name), register)
        };
        let left = Left {
            stack: count(trials.residue(&texts(|s| &s.stack)), &|i| (Place::Stack(depth - i), 0)),
            vector: count(trials.residue(&texts(|s| &s.vector)), &|i| {
                let (name, register) = register(arch::VECTOR, i);
                (Place::Vector(name), register)
            }),
            general: count(trials.residue(&texts(|s| &s.general)), &|i| general(arch::GENERAL, i))
                + count(trials.residue(&texts(|s| &s.kept)), &|i| general(arch::KEPT, i)),
            heap: count(trials.freed(&texts(|s| &s.heap)), &|i| (Place::Heap(i), 0)),
        };
        Step { name, left, depth, findings }
    });
    Report { steps: steps.collect() }
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

    /// The same of freed blocks. What was copied there from stack that nobody had written counts,
    /// too: on a user's stack it would be whatever lay there.
    fn freed(&self, texts: &[&[u8]]) -> Residue {
        let mut residue = self.residue(texts);
        let mut start = 0;
        for run in texts[0].chunk_by(|a, b| a == b) {
            if run[0] == PAINT && run.len() >= PAINTED {
                residue.extend((start..start + run.len()).map(|i| (i, Some("dead stack"))));
            }
            start += run.len();
        }
        residue
    }

    /// A window counts if two keys have theirs at the same place.
    fn windows(&self, texts: &[Cow<'_, [u8]>]) -> Residue {
        let mut seen = BTreeMap::new();
        let first_round = self.evidence.iter().zip(texts).filter(|(e, _)| e.round == 0);
        for (secrets, (_, text)) in self.secrets.iter().zip(first_round) {
            let mut end = 0;
            for (start, name) in secrets.search(text) {
                for i in end.max(start)..start + WINDOW {
                    seen.entry(i).or_insert((0, name)).0 += 1;
                }
                end = start + WINDOW;
            }
        }
        let twice = seen.into_iter().filter(|(_, (count, _))| *count > 1);
        twice.map(|(i, (_, name))| (i, Some(name))).collect()
    }

    /// A byte counts if it changes with the key, does not change from round to round, and is not
    /// part of a public output every time.
    fn differential(&self, texts: &[Cow<'_, [u8]>]) -> Residue {
        let mut suspects = vec![];
        let is_suspect = |&i: &usize| {
            texts.iter().any(|text| text[i] != texts[0][i]) && !self.is_noise(texts, i)
        };
        let strides: Vec<_> = texts.iter().map(|text| text.as_chunks::<STRIDE>()).collect();
        let (first, rest) = strides[0];
        for (i, stride) in first.iter().enumerate() {
            if strides.iter().any(|(others, _)| others[i] != *stride) {
                suspects.extend((STRIDE * i..STRIDE * (i + 1)).filter(is_suspect));
            }
        }
        let len = texts[0].len();
        suspects.extend((len - rest.len()..len).filter(is_suspect));
        suspects.retain(|&i| {
            let public = self
                .public
                .get_or_init(|| self.evidence.iter().map(|e| Windows::new(&e.public)).collect());
            public.iter().zip(texts).any(|(public, text)| !public.covers(text, i))
        });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KEYS;

    /// What a trial with this key, in this round, leaves on the stack, names as secret, and names
    /// as public.
    type Texts = [Vec<u8>; 3];

    fn evidence(trial: impl Fn(usize, usize) -> Texts) -> Vec<Evidence> {
        let trials = (0..2).flat_map(|round| (0..KEYS).map(move |key| (key, round)));
        trials
            .map(|(key, round)| {
                let [stack, secret, public] = trial(key, round);
                let mut evidence = Evidence::new(key, round);
                evidence.secrets.push(("secret", secret));
                evidence.public.push(("", public));
                evidence.snapshots.push(Snapshot {
                    step: "step",
                    stack,
                    vector: vec![0; len(arch::VECTOR)],
                    general: vec![0; len(arch::GENERAL)],
                    kept: vec![0; len(arch::KEPT)],
                    heap: vec![],
                });
                evidence
            })
            .collect()
    }

    /// The findings on the stack: how far down, bytes, secret.
    fn found(trial: impl Fn(usize, usize) -> Texts) -> Vec<(usize, usize, Option<&'static str>)> {
        let report = analyse(&evidence(trial));
        let step = report.step("step");
        let findings = step.findings.iter().map(|finding| {
            let Place::Stack(below) = finding.place else { panic!("{finding:?}") };
            (below, finding.bytes, finding.secret)
        });
        let findings: Vec<_> = findings.collect();
        let stack = findings.iter().map(|(_, bytes, _)| bytes).sum::<usize>();
        assert_eq!(step.left, Left { stack, ..Left::NOTHING });
        findings
    }

    /// 300 bytes that are the same always, and in them `bytes` at `at`.
    fn stack(at: usize, bytes: &[u8]) -> Vec<u8> {
        let mut stack: Vec<u8> =
            (0..300).map(|i| if i < 200 { 0 } else { (i as u8).wrapping_mul(29) }).collect();
        stack[at..at + bytes.len()].copy_from_slice(bytes);
        stack
    }

    /// 8 bytes by the key.
    fn of(key: usize) -> [u8; 8] {
        let mut bytes = [0; 8];
        crate::fill(key as u64 + 1, &mut bytes);
        bytes
    }

    #[test]
    fn a_byte_that_changes_with_the_key_is_residue() {
        for at in [0, 63, 64, 150, 299] {
            let left = |key: usize, _| [stack(at, &[key as u8 ^ 0x55]), vec![], vec![]];
            assert_eq!(found(left), [(300 - at, 1, None)]);
        }
        // Two keys of six that differ from the rest suffice.
        let left = |key: usize, _| [stack(9, &[u8::from(key > 3)]), vec![], vec![]];
        assert_eq!(found(left), [(291, 1, None)]);
    }

    #[test]
    fn a_byte_that_changes_without_the_key_is_not() {
        let left = |key: usize, round: usize| [stack(9, &[(key + round) as u8]), vec![], vec![]];
        assert_eq!(found(left), []);
        let left = |_, round: usize| [stack(9, &[round as u8]), vec![], vec![]];
        assert_eq!(found(left), []);
    }

    #[test]
    fn four_bytes_of_a_secret_are_residue_though_they_never_change() {
        let secret = [0, 0, 7, 8, 9, 10, 11];
        for at in [0, 60, 61, 62, 63, 64, 65, 140, 193, 293] {
            let left = |bytes: &[u8]| found(|_, _| [stack(at, bytes), secret.to_vec(), vec![]]);
            assert_eq!(left(&secret), [(300 - at, 7, Some("secret"))], "{at}");
            assert_eq!(left(&secret[3..]), [(300 - at, 4, Some("secret"))], "{at}");
            assert_eq!(left(&secret[4..]), [], "{at}");
        }
    }

    #[test]
    fn a_window_must_be_seen_with_two_keys() {
        let left = |key: usize, _| {
            let bytes = if key == 2 { of(key) } else { [0x44; 8] };
            [stack(9, &bytes), of(key).to_vec(), vec![]]
        };
        assert!(found(left).iter().all(|(_, _, secret)| secret.is_none()));
        let left = |key: usize, _| {
            let bytes = if key > 3 { of(key) } else { [0x44; 8] };
            [stack(9, &bytes), of(key).to_vec(), vec![]]
        };
        assert_eq!(found(left), [(291, 8, Some("secret"))]);
        // Another key's secret is none of this one's.
        let left = |_, _| [stack(9, &of(0)), of(0).to_vec(), vec![]];
        assert_eq!(found(left), [(291, 8, Some("secret"))]);
        let left = |key: usize, _| [stack(9, &of(0)), of(key).to_vec(), vec![]];
        assert_eq!(found(left), []);
    }

    #[test]
    fn four_equal_bytes_are_no_window() {
        assert_eq!(found(|_, _| [stack(9, &[5; 8]), vec![5; 8], vec![]]), []);
    }

    #[test]
    fn public_bytes_are_masked_if_four_stand_in_a_row_each_time() {
        let left = |key: usize, _| [stack(9, &of(key)), vec![], of(key).to_vec()];
        assert_eq!(found(left), []);
        let left = |key: usize, _| [stack(9, &of(key)[2..6]), vec![], of(key).to_vec()];
        assert_eq!(found(left), []);
        let left = |key: usize, _| [stack(296, &of(key)[..4]), vec![], of(key).to_vec()];
        assert_eq!(found(left), []);
        // The mask ends where the output does.
        let left = |key: usize, _| [stack(9, &of(key)[..6]), vec![], of(key)[1..5].to_vec()];
        assert_eq!(found(left), [(291, 1, None), (286, 1, None)]);
        let left = |key: usize, _| [stack(9, &of(key)[2..5]), vec![], of(key).to_vec()];
        assert_eq!(found(left), [(291, 3, None)]);
        let left = |key: usize, round| {
            let public = if (key, round) == (4, 1) { vec![] } else { of(key).to_vec() };
            [stack(9, &of(key)), vec![], public]
        };
        assert_eq!(found(left), [(291, 8, None)]);
    }

    #[test]
    fn a_secret_is_found_though_it_is_public_too() {
        let left = |key: usize, _| [stack(9, &of(key)), of(key).to_vec(), of(key).to_vec()];
        assert_eq!(found(left), [(291, 8, Some("secret"))]);
    }

    #[test]
    fn stacks_of_different_depths_meet_at_the_top() {
        let left = |key: usize, _| [stack(9, &of(key))[9 - key..].to_vec(), vec![], vec![]];
        assert_eq!(found(left), [(291, 8, None)]);
    }

    #[test]
    fn registers_are_found_by_their_names() {
        let mut evidence = evidence(|_, _| [stack(0, &[]), vec![], vec![]]);
        let Some(last) = arch::VECTOR.last() else { return };
        for e in &mut evidence {
            let (key, snapshot) = (of(e.key), &mut e.snapshots[0]);
            let at = snapshot.vector.len() - 1;
            snapshot.vector[at] = key[0];
            let width = arch::GENERAL[0].width;
            // The last byte of one register and the first of the next.
            snapshot.general[width - 1..=width].copy_from_slice(&key[1..3]);
            snapshot.kept[0] = key[3];
        }
        let report = analyse(&evidence);
        let step = report.step("step");
        assert_eq!(step.left, Left { vector: 1, general: 3, ..Left::NOTHING }, "{report}");
        let places: Vec<_> = step.findings.iter().map(|f| (f.place, f.bytes)).collect();
        let general = arch::GENERAL[0].names;
        let vector = Place::Vector(last.names[last.names.len() - 1]);
        assert_eq!(
            places,
            [
                (vector, 1),
                (Place::General(general[0]), 1),
                (Place::General(general[1]), 1),
                (Place::General(arch::KEPT[0].names[0]), 1)
            ]
        );
    }

    #[test]
    fn freed_blocks_hold_neither_secrets_nor_paint() {
        let mut evidence = evidence(|_, _| [vec![], vec![9, 8, 7, 6], vec![]]);
        for e in &mut evidence {
            e.snapshots[0].heap = [&of(e.key)[..2], &[PAINT; 2], &[0; 5], &[PAINT; 3]].concat();
            e.snapshots[0].heap.extend([9, 8, 7, 6]);
        }
        let report = analyse(&evidence);
        let step = report.step("step");
        assert_eq!(step.left, Left { heap: 9, ..Left::NOTHING }, "{report}");
        let findings: Vec<_> = step.findings.iter().map(|f| (f.place, f.secret)).collect();
        assert_eq!(
            findings,
            [
                (Place::Heap(0), None),
                (Place::Heap(9), Some("dead stack")),
                (Place::Heap(12), Some("secret"))
            ]
        );
    }

    #[test]
    #[should_panic(expected = "different steps")]
    fn trials_watch_the_same_steps() {
        let mut evidence = evidence(|_, _| [vec![], vec![], vec![]]);
        evidence[7].snapshots.clear();
        analyse(&evidence);
    }
}
