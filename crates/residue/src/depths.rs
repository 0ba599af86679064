//! How deep each function of a block cipher goes, what it says, and what a burn would clear.

use crate::ciphers::{Subject, Visitor, every_cipher};
use crate::matrix::Extent;
use block::{BlockDecrypt, BlockEncrypt, Depth, InPlace};
use burn::probe::{self, ProbeError, Report};
use std::fmt;

/// One function of a cipher, at the worst of several lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The cipher, with its key length.
    pub cipher: &'static str,
    /// What it ran on.
    pub kernel: String,
    /// The function.
    pub function: &'static str,
    /// What the probe saw: the length with the least slack.
    pub report: Report,
}

impl Row {
    /// Whether a burn of the returned depth clears all.
    pub fn is_covered(&self) -> bool {
        self.report.dirtied <= self.report.burnt
    }

    /// How far below its declared depth it wrote: what the margin is for.
    pub fn overshoot(&self) -> usize {
        self.report.dirtied.saturating_sub(self.report.declared)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { cipher, kernel, function, report } = self;
        write!(f, "{cipher:<12} {kernel:<12} {function:<15} {:>7}", report.declared)?;
        write!(f, " {:>7} {:>7} {:>9}", report.dirtied, report.burnt, self.overshoot())?;
        if self.is_covered() { Ok(()) } else { f.write_str("  SHORT") }
    }
}

/// Probes every function and hands each row to `each`.
///
/// # Panics
///
/// If a probe cannot see: no assembly for this target, or more than 64 KiB of stack used.
pub fn run(extent: Extent, mut each: impl FnMut(Row)) {
    every_cipher(&mut Depths { extent, each: &mut each });
}

struct Depths<'a> {
    extent: Extent,
    each: &'a mut dyn FnMut(Row),
}

impl Visitor for Depths<'_> {
    fn blocks_of_8<C: InPlace + BlockEncrypt<8> + BlockDecrypt<8>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        probe_cipher::<C, 8>(self.extent, subject, self.each);
    }

    fn blocks_of_16<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        probe_cipher::<C, 16>(self.extent, subject, self.each);
    }
}

fn probe_cipher<C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
    extent: Extent,
    subject: &Subject<'_, C>,
    each: &mut dyn FnMut(Row),
) {
    let mut row = |function, report| {
        let (cipher, kernel) = (subject.cipher, subject.kernel.to_owned());
        each(Row { cipher, kernel, function, report });
    };
    let key: &[u8] = &(0x5c..).take(subject.key_len).collect::<Vec<u8>>();
    let mut cipher = Box::new(C::vacant());
    row("rekey", seen(|| (subject.rekey)(&mut cipher, key).expect("a key of the right length")));

    let counts: &[usize] = match extent {
        Extent::Quick => &[1, 5, 65],
        Extent::Full => &[0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130],
    };
    let (mut iv, mut data) = ([0x36; N], vec![[0x77; N]; 130]);
    let cipher = &*cipher;
    let mut chained = |function, f: fn(&C, &mut [u8; N], &mut [[u8; N]]) -> Depth| {
        let calls = counts.iter().map(|&n| {
            let (iv, data) = (&mut iv, &mut data[..n]);
            seen(|| f(cipher, iv, data))
        });
        row(function, least_slack(calls));
    };
    chained("encrypt_blocks", |c, _, data| c.encrypt_blocks(data));
    chained("decrypt_blocks", |c, _, data| c.decrypt_blocks(data));
    chained("encrypt_block", |c, iv, _| c.encrypt_block(iv));
    chained("decrypt_block", |c, iv, _| c.decrypt_block(iv));
    chained("ctr_xor", C::ctr_xor);
    chained("cbc_encrypt", C::cbc_encrypt);
    chained("cbc_decrypt", C::cbc_decrypt);
    chained("cfb_encrypt", C::cfb_encrypt);
    chained("cfb_decrypt", C::cfb_decrypt);
    chained("ofb_xor", C::ofb_xor);
}

/// Runs `f` twice, and looks at the second time: the first may detect CPU features.
fn seen(mut f: impl FnMut() -> Depth) -> Report {
    let _ = f();
    match probe::verify(f) {
        Ok(report) | Err(ProbeError::Short(report)) => report,
        Err(error) => panic!("{error}"),
    }
}

fn least_slack(reports: impl Iterator<Item = Report>) -> Report {
    let slack = |report: &Report| report.burnt as isize - report.dirtied as isize;
    reports.min_by_key(slack).unwrap_or(Report { dirtied: 0, declared: 0, burnt: 0 })
}
