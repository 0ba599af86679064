//! What burning costs, once a call and after each block; and what several blocks at a time gain.

use super::wanted;
use crate::bench::{Bench, Candidate, Implementation, Record};
use crate::job::{Cipher, Direction, Job, Mode};
use crate::ours::Burning;
use crate::text;

const SIZES: [usize; 4] = [16, 64, 1 << 10, 16 << 10];

/// The times of a call on one kernel, one for each way to burn.
struct Times(Vec<Record>);

impl Times {
    fn of(&self, how: Burning) -> f64 {
        self.0.iter().find(|record| record.mode == how.name()).map_or(f64::NAN, |record| record.ns)
    }

    /// Per cent of the time that burning once a call takes.
    fn share_per_call(&self) -> f64 {
        let (never, once) = (self.of(Burning::Never), self.of(Burning::PerCall));
        (once - never) / once * 100.0
    }

    /// Per cent of the time that burning after each block takes.
    fn share_per_block(&self) -> f64 {
        let (never, each) = (self.of(Burning::BlocksNever), self.of(Burning::PerBlock));
        (each - never) / each * 100.0
    }

    /// How many times as long it takes to burn after each block as once, all else equal.
    fn ratio(&self) -> f64 {
        self.of(Burning::PerBlock) / self.of(Burning::BlocksPerCall)
    }

    /// How many times as fast several blocks at a time are.
    fn lanes(&self) -> f64 {
        self.of(Burning::BlocksNever) / self.of(Burning::Never)
    }
}

/// Three tables of one measurement: ECB encryption that burns never, once, and after each block.
pub(crate) fn shares(bench: &mut Bench) {
    let ciphers = wanted(bench, "burn");
    if ciphers.is_empty() {
        return;
    }
    println!("\nburn: ECB encryption by the cipher's own call, burnt or not");
    println!("share of the time, and burning each block against once a call, block by block both");
    let titles = ["% once a call", "% each block", "each block / once"];
    println!("{:<39}{}", "", titles.map(|title| format!("{title:>36}")).concat());
    let sizes = SIZES.iter().map(|&bytes| text::size(bytes));
    let sizes: Vec<String> = sizes.collect();
    text::row("", "", &[sizes.clone(), sizes.clone(), sizes].concat());
    for cipher in ciphers {
        let all: Vec<Vec<Times>> = SIZES
            .iter()
            .map(|&bytes| measure(bench, "burn", cipher, bytes, &Burning::ALL))
            .collect();
        for (index, first) in all[0].iter().enumerate() {
            let times: Vec<&Times> = all.iter().map(|kernels| &kernels[index]).collect();
            let mut figures = Vec::new();
            figures.extend(times.iter().map(|times| format!("{:.2}", times.share_per_call())));
            figures.extend(times.iter().map(|times| format!("{:.1}", times.share_per_block())));
            figures.extend(times.iter().map(|times| format!("{:.2} x", times.ratio())));
            text::row(cipher.name, &first.0[0].kernel, &figures);
        }
    }
}

/// Each mode over a cipher that takes one block a call: how many times as long it takes if the
/// cipher burns after each block as if the mode burns once.
pub(crate) fn modes(bench: &mut Bench) {
    const TABLE: &str = "burn-each";
    const ENCRYPT: Direction = Direction::Encrypt;
    const DECRYPT: Direction = Direction::Decrypt;
    const COLUMNS: [(&str, Mode, Direction); 8] = [
        ("ECB", Mode::Ecb, ENCRYPT),
        ("CBC enc", Mode::Cbc, ENCRYPT),
        ("CBC dec", Mode::Cbc, DECRYPT),
        ("CFB enc", Mode::Cfb, ENCRYPT),
        ("CFB dec", Mode::Cfb, DECRYPT),
        ("OFB", Mode::Ofb, ENCRYPT),
        ("CTR", Mode::Ctr, ENCRYPT),
        ("GCM", Mode::Gcm, ENCRYPT),
    ];
    let ciphers: Vec<_> =
        wanted(bench, TABLE).into_iter().filter(|cipher| cipher.block != 0).collect();
    if ciphers.is_empty() {
        return;
    }
    println!("\n{TABLE}: burning after each block against once a call, block by block both");
    for bytes in [64, 16 << 10] {
        let titles = COLUMNS.map(|(title, ..)| title.to_owned());
        text::row(&text::size(bytes), "", &titles);
        for &cipher in &ciphers {
            let mut kernel = None;
            let figures = COLUMNS.map(|(_, mode, direction)| {
                let job = Job { cipher, mode, direction, bytes };
                let [each, once] = [true, false].map(|burns| bench.ours.singly(&job, burns));
                let (Some((name, each)), Some((_, once))) =
                    (each.into_iter().next(), once.into_iter().next())
                else {
                    return String::new();
                };
                kernel.get_or_insert(name);
                let candidates =
                    [("burn per block", each), ("burn per call", once)].map(|(how, task)| {
                        Candidate {
                            implementation: Implementation::Ours,
                            kernel: how.to_owned(),
                            task,
                        }
                    });
                let label = (TABLE, cipher.name, mode.name(), direction.name());
                let records = bench.measure(label, bytes, candidates.into());
                format!("{:.2} x", records[0].ns / records[1].ns)
            });
            text::row(cipher.name, kernel.as_deref().unwrap_or_default(), &figures);
        }
    }
}

/// One block at a time against as many as the kernel takes.
pub(crate) fn lanes(bench: &mut Bench) {
    let ciphers = wanted(bench, "lanes");
    if ciphers.is_empty() {
        return;
    }
    const BYTES: usize = 16 << 10;
    let scale = bench.scale();
    println!(
        "\nlanes: {}, ECB encryption of 16 KiB: a call a block, one call, the gain",
        scale.name()
    );
    for cipher in ciphers {
        let how = [Burning::BlocksNever, Burning::Never];
        for times in measure(bench, "lanes", cipher, BYTES, &how) {
            let mut figures: Vec<String> =
                how.iter().map(|&how| scale.figure(times.of(how) / BYTES as f64)).collect();
            figures.push(format!("{:.2} x", times.lanes()));
            text::row(cipher.name, &times.0[0].kernel, &figures);
        }
    }
}

/// The times of each kernel.
fn measure(
    bench: &mut Bench,
    table: &'static str,
    cipher: &'static Cipher,
    bytes: usize,
    how: &[Burning],
) -> Vec<Times> {
    let job = Job { cipher, mode: Mode::Ecb, direction: Direction::Encrypt, bytes };
    // One after the other in the same rounds, each under a name of its own.
    let mut candidates = Vec::new();
    let mut names = Vec::new();
    for &how in how {
        for (kernel, task) in bench.ours.burning(&job, how) {
            candidates.push(Candidate { implementation: Implementation::Ours, kernel, task });
            names.push(how.name());
        }
    }
    let start = bench.records.len();
    let label = (table, cipher.name, Mode::Ecb.name(), Direction::Encrypt.name());
    let _ = bench.measure(label, bytes, candidates);
    let records = &mut bench.records[start..];
    for (record, name) in records.iter_mut().zip(names) {
        record.mode = name;
    }
    let kernels = records.len() / how.len();
    let of_kernel = |index| Times(records[index..].iter().step_by(kernels).cloned().collect());
    (0..kernels).map(of_kernel).collect()
}
