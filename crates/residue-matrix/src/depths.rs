//! How deep each function goes, what it says, and what a burn would clear.
//!
//! Functions that return a [`Depth`] are probed one by one. Public entries return none and burn
//! before they return; in a build with `--cfg burn_observed`, which `cargo xtask depth` makes,
//! each burn looks at what it finds, and the residue matrix calls every entry.
//!
//! A depth is wrong if a burn of it ends less than [`SLACK`] bytes below the lowest byte that was
//! written, and if it is more than [`EXCESS`] times what was written, its margin not counted: that
//! costs time. Up to [`SHALLOW`] bytes, and of a key that is refused, nothing is excessive.

use crate::ciphers::{Subject, Visitor, every_cipher};
use crate::matrix::Extent;
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace};
use cinder_burn::probe::{self, ProbeError, Report};
use cinder_gcm::Gcm;
use cinder_ghash::{Ghash, GhashKey};
use cinder_stream::{Arc4, Salsa20};
use std::fmt;

/// How far below the lowest byte that was written a burn has to go, in bytes.
pub const SLACK: isize = 64;

/// How many times what was written a declared depth may be.
pub const EXCESS: usize = 4;

/// Up to this depth, in bytes, there is no excess: a burn of that much is a few stores.
pub const SHALLOW: usize = 256;

/// One function, at the worst of several lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The cipher, with its key length.
    pub cipher: &'static str,
    /// What it ran on.
    pub kernel: String,
    /// The function; of an entry, the mode and what it did.
    pub function: String,
    /// The call with the least slack.
    pub tightest: Report,
    /// The call with the greatest excess.
    pub loosest: Report,
}

impl Row {
    /// The worst of some calls.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn new(
        cipher: &'static str,
        kernel: &str,
        function: impl Into<String>,
        calls: &[Report],
    ) -> Self {
        let tightest = calls.iter().min_by_key(|report| slack(report)).expect("a call");
        let loosest = calls.iter().max_by_key(|report| percent(report)).expect("a call");
        Row {
            cipher,
            kernel: kernel.to_owned(),
            function: function.into(),
            tightest: *tightest,
            loosest: *loosest,
        }
    }

    /// How far below the lowest byte that was written a burn would go, in bytes.
    pub fn slack(&self) -> isize {
        slack(&self.tightest)
    }

    /// How far below its declared depth it wrote, in bytes: what the margin is for.
    pub fn overshoot(&self) -> usize {
        self.tightest.dirtied.saturating_sub(self.tightest.declared)
    }

    /// A burn would end short of what was written, or too near.
    pub fn is_short(&self) -> bool {
        self.slack() < SLACK
    }

    /// A burn would go much further down than it needs to. A refused key's may: it carries no
    /// depth, and need not be fast.
    pub fn is_excessive(&self) -> bool {
        let refusal = ["refused key", "weak key"].iter().any(|step| self.function.ends_with(step));
        !refusal && percent(&self.loosest) > 100 * EXCESS
    }

    /// Neither.
    pub fn is_fine(&self) -> bool {
        !self.is_short() && !self.is_excessive()
    }
}

fn slack(report: &Report) -> isize {
    report.burnt as isize - report.dirtied as isize
}

/// The declared depth in percent of what was written; 0 for a shallow one.
fn percent(report: &Report) -> usize {
    if report.declared <= SHALLOW { 0 } else { 100 * report.declared / report.dirtied.max(1) }
}

/// The heads of the columns of a [`Row`].
pub const HEAD: &str = "cipher       kernel                           function                    \
                        says   wrote   burnt  slack  excess";

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { cipher, kernel, function, tightest, loosest } = self;
        write!(f, "{cipher:<12} {kernel:<32} {function:<24} {:>7}", tightest.declared)?;
        write!(f, " {:>7} {:>7} {:>6}", tightest.dirtied, tightest.burnt, self.slack())?;
        match percent(loosest) {
            0 => write!(f, "       -")?,
            percent => write!(f, " {:>7.2}", percent as f64 / 100.0)?,
        }
        if self.is_short() {
            f.write_str("  SHORT")?;
        }
        if self.is_excessive() {
            write!(f, "  EXCESSIVE ({} for {})", loosest.declared, loosest.dirtied)?;
        }
        Ok(())
    }
}

/// Probes every function that returns a depth, and in a build with `--cfg burn_observed` looks at
/// the burns of every entry. Hands each row to `each`. `filter` picks by cipher, mode and kernel;
/// a function that is no mode's has an empty one.
///
/// # Panics
///
/// If a probe cannot see: no assembly for this target, or more than 64 KiB of stack used.
pub fn run(extent: Extent, filter: impl Fn(&str, &str, &str) -> bool, mut each: impl FnMut(Row)) {
    let mut selected = |row: Row| {
        if filter(row.cipher, "", &row.kernel) {
            each(row);
        }
    };
    let mut depths = Depths { extent, each: &mut selected };
    every_cipher(&mut depths);
    depths.other_keys();
    depths.ghash();
    depths.streams();
    #[cfg(burn_observed)]
    if cinder_residue::supported() {
        entries::run(extent, filter, &mut each);
    }
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
        self.block_cipher::<C, 8>(subject);
    }

    fn blocks_of_16<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        self.block_cipher::<C, 16>(subject);
        self.gcm(subject);
    }
}

/// A key of no structure.
fn key(len: usize) -> Vec<u8> {
    (0x5c..).take(len).collect()
}

impl Depths<'_> {
    fn row(&mut self, cipher: &'static str, kernel: &str, function: &str, calls: &[Report]) {
        (self.each)(Row::new(cipher, kernel, function, calls));
    }

    /// In blocks.
    fn counts(&self) -> &'static [usize] {
        match self.extent {
            Extent::Quick => &[1, 5, 65],
            Extent::Full => &[0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130],
        }
    }

    fn block_cipher<C: InPlace + BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
        &mut self,
        subject: &Subject<'_, C>,
    ) {
        let Subject { cipher: name, kernel, .. } = *subject;
        let key = &key(subject.key_len);
        let mut cipher = vacant_box::<C>();
        let report = seen(|| (subject.rekey)(&mut cipher, key).expect("a legal key"));
        self.row(name, kernel, "rekey", &[report]);

        let counts = self.counts();
        let (mut iv, mut data) = ([0x36; N], vec![[0x77; N]; 130]);
        let cipher = &*cipher;
        let mut chained = |function, f: fn(&C, &mut [u8; N], &mut [[u8; N]]) -> Depth| {
            let calls = counts.iter().map(|&n| {
                let (iv, data) = (&mut iv, &mut data[..n]);
                seen(|| f(cipher, iv, data))
            });
            self.row(name, kernel, function, &calls.collect::<Vec<_>>());
        };
        chained("encrypt_blocks", |c, _, data| c.encrypt_blocks(data));
        chained("decrypt_blocks", |c, _, data| c.decrypt_blocks(data));
        chained("encrypt_block", |c, iv, _| c.encrypt_block(iv));
        chained("decrypt_block", |c, iv, _| c.decrypt_block(iv));
        chained("ctr_xor", C::ctr_xor);
        chained("ctr_xor_little_endian", C::ctr_xor_little_endian);
        chained("cbc_encrypt", C::cbc_encrypt);
        chained("cbc_decrypt", C::cbc_decrypt);
        chained("cfb_encrypt", C::cfb_encrypt);
        chained("cfb_decrypt", C::cfb_decrypt);
        chained("ofb_xor", C::ofb_xor);
    }

    /// GCM's key, for each of its kernels.
    fn gcm<C: InPlace + BlockEncrypt<16>>(&mut self, subject: &Subject<'_, C>) {
        let Subject { cipher: name, kernel, .. } = *subject;
        let key = &key(subject.key_len);
        let mut gcm = vacant_box::<Gcm<C>>();
        let rekey = |gcm: &mut Gcm<C>| gcm.rekey_with(|c| (subject.rekey)(c, key));
        let report = seen(|| rekey(&mut gcm).expect("a legal key"));
        self.row(name, kernel, "gcm rekey", &[report]);
        for way in cinder_gcm::Kernel::available() {
            if gcm.use_kernel(way).is_some() {
                let report = seen(|| gcm.use_kernel(way).expect("it went a moment ago"));
                self.row(name, &format!("{kernel}, {way}"), "gcm use_kernel", &[report]);
            }
        }
    }

    /// The other ways to set up a key.
    fn other_keys(&mut self) {
        for kernel in cinder_block::aes::Kernel::available() {
            let mut aes = vacant_box::<cinder_block::Aes256Encrypt>();
            let report = legal(|| aes.rekey_with_kernel(&key(32), kernel));
            self.row("AES-256", kernel.name(), "rekey, one direction", &[report]);
        }
        let key = key(24);
        let mut rekey = |cipher, function, report| self.row(cipher, "best", function, &[report]);
        let mut serpent = vacant_box::<cinder_block::Serpent>();
        rekey("Serpent", "rekey_padded", legal(|| serpent.rekey_padded(&key)));
        let mut blowfish = vacant_box::<cinder_block::Blowfish>();
        rekey("Blowfish", "rekey_allow_weak", legal(|| blowfish.rekey_allow_weak(&key)));
        rekey("Blowfish", "rekey_long", legal(|| blowfish.rekey_long(&key)));
        rekey("Blowfish", "rekey_salted", legal(|| blowfish.rekey_salted(&key, &key[..16])));
        rekey("Blowfish", "mix", legal(|| blowfish.mix(&key)));
        let mut des = vacant_box::<cinder_block::Des>();
        rekey("DES", "rekey_allow_weak", legal(|| des.rekey_allow_weak(&key[..8])));
        let mut tdes = vacant_box::<cinder_block::TripleDes>();
        rekey("3DES", "rekey_allow_weak", legal(|| tdes.rekey_allow_weak(&key)));
        let mut rc2 = vacant_box::<cinder_block::Rc2>();
        rekey("RC2", "rekey_effective", legal(|| rc2.rekey_effective(&key, 61)));
    }

    fn ghash(&mut self) {
        let data = vec![0x77; 130 * 16];
        for kernel in cinder_ghash::Kernel::available() {
            let mut key = Box::new(GhashKey::vacant());
            let report = seen(|| key.rekey_with_kernel(&[0x5c; 16], kernel));
            self.row("GHASH", kernel.name(), "rekey", &[report]);
            let mut hash = Ghash::new(&key);
            let blocks = data.as_chunks().0;
            let calls = self.counts().iter().map(|&n| seen(|| hash.update_blocks(&blocks[..n])));
            let calls = calls.collect::<Vec<_>>();
            self.row("GHASH", kernel.name(), "update_blocks", &calls);
            let mut hash = Ghash::new(&key);
            let lengths = self.counts().iter().map(|&n| (16 * n).saturating_sub(3));
            let calls = lengths.map(|len| seen(|| hash.update_padded(&data[..len])));
            let calls = calls.collect::<Vec<_>>();
            self.row("GHASH", kernel.name(), "update_padded", &calls);
            let report = seen(|| hash.update_lengths(8, 800));
            self.row("GHASH", kernel.name(), "update_lengths", &[report]);
        }
    }

    fn streams(&mut self) {
        let key = key(32);
        let mut arc4 = vacant_box::<Arc4>();
        self.row("ARCFOUR", "best", "rekey", &[legal(|| arc4.rekey(&key))]);
        self.salsa20::<20>("20 rounds", &key);
        self.salsa20::<12>("12 rounds", &key);
        self.salsa20::<8>("8 rounds", &key[..16]);
    }

    fn salsa20<const ROUNDS: usize>(&mut self, kernel: &str, key: &[u8]) {
        let mut salsa20 = vacant_box::<Salsa20<ROUNDS>>();
        self.row("Salsa20", kernel, "rekey", &[legal(|| salsa20.rekey(key))]);
    }
}

fn vacant_box<C: InPlace>() -> Box<C> {
    cinder_block::Slot::boxed_with(|_| Ok(Depth::NONE)).expect("no key")
}

fn legal<E: fmt::Debug>(mut rekey: impl FnMut() -> Result<Depth, E>) -> Report {
    seen(|| rekey().expect("a legal key"))
}

/// Runs `f` twice, and looks at the second time: the first may detect CPU features.
fn seen(mut f: impl FnMut() -> Depth) -> Report {
    apart(&mut f)
}

/// Not inlined, nor is `f` into it: what `f` needs is not to lie in the frame it is measured from.
#[inline(never)]
fn apart(f: &mut dyn FnMut() -> Depth) -> Report {
    let _ = f();
    match probe::verify(f) {
        Ok(report) | Err(ProbeError::Short(report)) => report,
        Err(error) => panic!("{error}"),
    }
}

/// The public entries, by way of the matrix: what it calls in a step, that step's burns.
#[cfg(burn_observed)]
mod entries {
    use super::{Extent, Report, Row};
    use std::cell::RefCell;

    thread_local! {
        static SEEN: RefCell<Vec<(&'static str, Report)>> = const { RefCell::new(vec![]) };
    }

    struct Burns;

    impl cinder_residue::Observer for Burns {
        /// Runs a step of the matrix and keeps what its burns saw.
        fn step(&self, step: &'static str, run: &mut dyn FnMut()) {
            let mut reports = vec![];
            cinder_burn::observer::observe(run, |report| reports.push((step, report)));
            SEEN.with_borrow_mut(|seen| seen.append(&mut reports));
        }
    }

    pub(super) fn run(
        extent: Extent,
        filter: impl Fn(&str, &str, &str) -> bool,
        each: &mut dyn FnMut(Row),
    ) {
        cinder_residue::observe(&Burns);
        crate::matrix::run(extent, filter, |cell| {
            // The cells of a scan come after the whole of it, one for each name of a step.
            let calls = SEEN.with_borrow_mut(|seen| {
                let of_step = seen.extract_if(.., |(step, _)| *step == cell.step);
                of_step.map(|(_, report)| report).collect::<Vec<_>>()
            });
            if !calls.is_empty() {
                let function = format!("{} {}", cell.mode, cell.step);
                each(Row::new(cell.cipher, &cell.kernel, function, &calls));
            }
        });
    }
}
