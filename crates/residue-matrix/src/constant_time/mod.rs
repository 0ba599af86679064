//! Branches and addresses that depend on secrets, by one of two witnesses. Each step of the residue
//! matrix is one here, too.
//!
//! - Valgrind's memcheck, with every key and message undefined, reports each branch on a secret and
//!   each address made of one. What a call makes known (a tag that matches, a padding that is wrong, a
//!   key that is weak) goes through [`cinder_burn::declassify`], which `memcheck.supp` names; nothing
//!   else may.
//! - Under an emulator the matrix runs several times, each time with other secrets, and its traces are
//!   compared: see [`trace`].
//!
//! What does not claim constant time is a control: it must be found. So must two that are planted.
//!
//! Memcheck takes what it reads from a table for as defined as the table is, so what follows a
//! look-up by a secret is not seen; the look-up is. It has neither VAES nor AVX-512: such kernels are
//! listed as not run.

#[expect(unsafe_code, reason = "valgrind is asked by instructions")]
mod memcheck;
mod report;
#[expect(unsafe_code, reason = "a mark for the emulator is a system call")]
mod trace;

use crate::ciphers::{Subject, Visitor, every_cipher};
use crate::matrix::{self, Extent, Filter};
use cinder_block::{BlockDecrypt, BlockEncrypt, InPlace};
use cinder_residue::{Observer, scan};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::hint::black_box;
use std::process::ExitCode;
use std::thread;

/// One step with all its calls.
#[derive(Debug)]
struct Cell {
    cipher: String,
    mode: String,
    kernel: String,
    step: String,
    /// Branches and addresses that depend on secrets, as often as they were met; or how many of the
    /// other traces differ from the first. In the row of one trace, its hash.
    findings: u64,
}

impl Cell {
    /// The cells' rows between this program under valgrind and itself.
    const MARK: &str = "cell\t";

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.strip_prefix(Self::MARK)?.split('\t').map(str::to_owned);
        let mut next = || fields.next();
        let (cipher, mode, kernel, step) = (next()?, next()?, next()?, next()?);
        Some(Cell { cipher, mode, kernel, step, findings: next()?.parse().ok()? })
    }

    /// Whether no time in it may depend on a secret, by the documentation of what runs.
    fn claims(&self) -> bool {
        let mut tables = ["planted", "ARCFOUR"].iter().chain(testkit::ciphers::TABLES);
        if tables.any(|name| self.cipher.starts_with(name)) || self.kernel.ends_with("4-bit table")
        {
            return false;
        }
        // Few blocks go through tables, unless a kernel is asked for. Keys never do, but EAX's, for
        // which a block is encrypted.
        let tables = matches!(&*self.cipher, "DES" | "3DES") && !self.kernel.starts_with("bits");
        let keys = matches!(&*self.step, "setup" | "refused key" | "weak key" | "drop");
        !tables || keys && self.mode != "EAX"
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cell { cipher, mode, kernel, step, findings } = self;
        write!(f, "{}{cipher}\t{mode}\t{kernel}\t{step}\t{findings}", Self::MARK)
    }
}

/// A `main`: runs this program again, under valgrind or the emulator, and prints what came of it; there
/// it runs the matrix. A row that is as it should be begins with a space, others with `!`.
///
/// # Errors
///
/// If valgrind or an operation fails.
pub(crate) fn main(
    extent: Extent,
    title: &str,
    filter: impl Fn(&str, &str, &str) -> bool + Sync,
    run: impl FnOnce(Extent, &Filter<'_>, &mut dyn FnMut(matrix::Cell)) + Send,
) -> Result<ExitCode, Box<dyn Error>> {
    let observer: &dyn Observer = match trace::Trace::of_this_run() {
        _ if memcheck::is_running() => &Memcheck,
        Some(trace) => Box::leak(Box::new(trace?)),
        None => return report::print(title),
    };
    // Valgrind does not let the main thread's stack grow under a burn.
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(16 << 20);
        let looking = builder.spawn_scoped(scope, || look(observer, extent, &filter, run))?;
        looking.join().map_err(|_| "an operation failed")?;
        Ok(ExitCode::SUCCESS)
    })
}

thread_local! {
    /// What the steps of one scan came to.
    static STEPS: RefCell<Vec<(&'static str, u64)>> = const { RefCell::new(vec![]) };
}

fn ended(name: &'static str, findings: u64) {
    STEPS.with_borrow_mut(|steps| steps.push((name, findings)));
}

/// Looks while a step runs.
struct Memcheck;

impl Memcheck {
    /// Ends memcheck's own lines on what a step did.
    const MARK: &str = "found\t";
}

impl Observer for Memcheck {
    fn step(&self, name: &'static str, run: &mut dyn FnMut()) {
        let before = memcheck::errors();
        memcheck::look(true);
        run();
        memcheck::look(false);
        let findings = memcheck::errors() - before;
        if findings > 0 {
            eprintln!("{}{name}", Self::MARK);
        }
        ended(name, findings as u64);
    }

    fn secret(&self, bytes: &mut [u8]) {
        memcheck::undefine(bytes);
    }

    fn public(&self, bytes: &[u8]) {
        memcheck::define(bytes);
    }
}

/// Runs the matrix and prints its cells, those that are planted first.
fn look(
    observer: &'static dyn Observer,
    extent: Extent,
    filter: &Filter<'_>,
    run: impl FnOnce(Extent, &Filter<'_>, &mut dyn FnMut(matrix::Cell)),
) {
    cinder_residue::observe(observer);
    memcheck::look(false);
    let print = |cipher: &str, mode: &str, kernel: &str, name: &str| {
        let findings = STEPS.with_borrow_mut(|steps| {
            let all = steps.extract_if(.., |(step, _)| *step == name);
            // Hashes are as good when they are added up.
            all.fold(0, |sum: u64, (_, findings)| sum.wrapping_add(findings))
        });
        let [cipher, mode, kernel, step] = [cipher, mode, kernel, name].map(str::to_owned);
        eprintln!("{}", Cell { cipher, mode, kernel, step, findings });
    };
    let planted = scan(|trial| {
        let (secret, table) = (trial.key::<1>(), [0; 256]);
        trial.watch("branch", || (0..secret[0]).for_each(|i| _ = black_box(i)));
        trial.watch("address", || black_box(black_box(&table)[usize::from(secret[0])]));
    });
    planted.steps.iter().for_each(|step| print("planted", step.name, step.name, step.name));
    run(extent, filter, &mut |cell| print(cell.cipher, cell.mode, &cell.kernel, cell.step));
}

/// The ciphers and hashes with their kernels on the CPU that runs this.
fn kernels() -> BTreeSet<(&'static str, String)> {
    struct Names(BTreeSet<(&'static str, String)>);
    impl Visitor for Names {
        fn blocks_of_8<C: InPlace + BlockEncrypt<8> + BlockDecrypt<8>>(
            &mut self,
            subject: &Subject<'_, C>,
        ) {
            self.0.insert((subject.cipher, subject.kernel.to_owned()));
        }
        fn blocks_of_16<C: InPlace + BlockEncrypt<16> + BlockDecrypt<16>>(
            &mut self,
            subject: &Subject<'_, C>,
        ) {
            self.0.insert((subject.cipher, subject.kernel.to_owned()));
        }
    }
    let mut names = Names(BTreeSet::new());
    every_cipher(&mut names);
    let hashes = cinder_ghash::Kernel::available().map(|kernel| ("GHASH", kernel.to_string()));
    let gcm = cinder_gcm::Kernel::available().map(|kernel| ("GCM", kernel.to_string()));
    let streams = cinder_stream::Kernel::available().map(|kernel| ("Salsa20", kernel.to_string()));
    names.0.extend(hashes.chain(gcm).chain(streams));
    names.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_claims_what_its_documentation_says() {
        let claims = |cipher: &str, kernel: &str, step: &str| {
            let line = format!("{}{cipher}\tCBC\t{kernel}\t{step}\t7", Cell::MARK);
            let cell = Cell::parse(&line).expect("a cell");
            assert_eq!((cell.to_string(), cell.findings), (line, 7));
            cell.claims()
        };
        assert!(claims("AES-128", "AES-NI", "encrypt"));
        assert!(!claims("AES-128", "AES-NI, two passes, 4-bit table", "encrypt"));
        assert!(!claims("Camellia-128", "dyn", "setup"));
        assert!(claims("DES", "bitsliced AVX2", "encrypt"));
        assert!(!claims("3DES", "vartime", "encrypt"));
        assert!(!claims("3DES", "dyn", "encrypt"));
        assert!(claims("DES", "vartime", "weak key"));
    }
}
