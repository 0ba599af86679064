//! What burning costs, once a call and after each block; and what several blocks at a time gain.

use super::wanted;
use crate::bench::{Bench, Candidate, Implementation, Record};
use crate::job::{Cipher, Direction, Job, Mode};
use crate::ours::Burning;
use crate::text;

const SIZES: [usize; 4] = [16, 64, 1 << 10, 16 << 10];

/// The times of a call, one for each of [`Burning::ALL`], of our best kernel or the one chosen.
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
pub(crate) fn run(bench: &mut Bench) {
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
        let times: Vec<Times> = SIZES
            .iter()
            .map(|&bytes| measure(bench, "burn", cipher, bytes, &Burning::ALL))
            .collect();
        let Some(kernel) = times[0].0.first().map(|record| record.kernel.clone()) else { continue };
        let mut figures = Vec::new();
        figures.extend(times.iter().map(|times| format!("{:.2}", times.share_per_call())));
        figures.extend(times.iter().map(|times| format!("{:.1}", times.share_per_block())));
        figures.extend(times.iter().map(|times| format!("{:.2} x", times.ratio())));
        text::row(cipher.name, &kernel, &figures);
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
        let times = measure(bench, "lanes", cipher, BYTES, &how);
        let Some(record) = times.0.first() else { continue };
        let mut figures: Vec<String> =
            how.iter().map(|&how| scale.figure(times.of(how) / BYTES as f64)).collect();
        figures.push(format!("{:.2} x", times.lanes()));
        text::row(cipher.name, &record.kernel, &figures);
    }
}

fn measure(
    bench: &mut Bench,
    table: &'static str,
    cipher: &'static Cipher,
    bytes: usize,
    how: &[Burning],
) -> Times {
    let job = Job { cipher, mode: Mode::Ecb, direction: Direction::Encrypt, bytes };
    // One after the other in the same rounds, each under a name of its own.
    let mut candidates = Vec::new();
    let mut names = Vec::new();
    for &how in how {
        for (kernel, task) in bench.ours.burning(&job, how).into_iter().take(1) {
            candidates.push(Candidate { implementation: Implementation::Ours, kernel, task });
            names.push(how.name());
        }
    }
    let start = bench.records.len();
    let label = (table, Mode::Ecb.name(), Direction::Encrypt.name());
    let _ = bench.measure(label, &job, candidates);
    for (record, name) in bench.records[start..].iter_mut().zip(names) {
        record.mode = name;
    }
    Times(bench.records[start..].to_vec())
}
