//! One job in every library, in turn: builds the tasks, checks that all wrote the same, measures
//! them, and keeps the figures.

use crate::count::Counter;
use crate::job::Job;
use crate::libgcrypt::{self, Libgcrypt};
use crate::measure::{Measure, Plan, Task};
use crate::openssl::{self, Openssl};
use crate::options::Options;
use crate::ours::Ours;
use crate::sealing::{self, botan::Botan};
use crate::text::Scale;

/// Who did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Implementation {
    Ours,
    Libgcrypt,
    Openssl,
    Botan,
    Ring,
    AwsLc,
    RustCrypto,
}

impl Implementation {
    pub(crate) const ALL: [Implementation; 7] = [
        Implementation::Ours,
        Implementation::Libgcrypt,
        Implementation::Openssl,
        Implementation::Botan,
        Implementation::Ring,
        Implementation::AwsLc,
        Implementation::RustCrypto,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Implementation::Ours => "cinder",
            Implementation::Libgcrypt => "libgcrypt",
            Implementation::Openssl => "OpenSSL",
            Implementation::Botan => "Botan",
            Implementation::Ring => "ring",
            Implementation::AwsLc => "AWS-LC",
            Implementation::RustCrypto => "RustCrypto",
        }
    }

    /// One letter, for a figure that is the best of several.
    pub(crate) fn letter(self) -> char {
        match self {
            Implementation::Ours => ' ',
            Implementation::Libgcrypt => 'G',
            Implementation::Openssl => 'O',
            Implementation::Botan => 'B',
            Implementation::Ring => 'R',
            Implementation::AwsLc => 'A',
            Implementation::RustCrypto => 'C',
        }
    }
}

/// A figure.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) table: &'static str,
    pub(crate) cipher: &'static str,
    pub(crate) mode: &'static str,
    pub(crate) direction: &'static str,
    pub(crate) implementation: Implementation,
    /// Ours alone: the others do not say.
    pub(crate) kernel: String,
    /// Of a call; 0 for a key setup.
    pub(crate) bytes: usize,
    /// Of a call; instructions, where those are counted.
    pub(crate) ns: f64,
}

/// What a record says of a figure's place: table, cipher, mode, direction.
pub(crate) type Label = (&'static str, &'static str, &'static str, &'static str);

/// A task and who it is of.
pub(crate) struct Candidate {
    pub(crate) implementation: Implementation,
    pub(crate) kernel: String,
    pub(crate) task: Task,
}

/// The libraries, and what was measured so far.
pub(crate) struct Bench {
    pub(crate) options: Options,
    pub(crate) ours: Ours,
    libgcrypt: Option<Libgcrypt>,
    openssl: Option<Openssl>,
    botan: Option<Botan>,
    pub(crate) measure: Measure,
    pub(crate) records: Vec<Record>,
    /// Jobs in which a library's output differed from ours.
    pub(crate) differences: Vec<String>,
}

impl Bench {
    /// Loads the system's libraries, and says which are there and which are not.
    pub(crate) fn new(options: Options) -> Self {
        let (mut libgcrypt, mut openssl, mut botan) = (None, None, None);
        if options.peers {
            libgcrypt = Libgcrypt::load();
            openssl = Openssl::load();
            botan = Botan::load();
            match &libgcrypt {
                Some(library) => println!("libgcrypt {} (G)", library.version()),
                None => println!("{}", libgcrypt::INSTALL),
            }
            match &openssl {
                Some(library) => println!("OpenSSL {} (O)", library.version()),
                None => println!("{}", openssl::INSTALL),
            }
            match &botan {
                Some(library) => println!("Botan {} (B)", library.version()),
                None => println!("{}", sealing::botan::INSTALL),
            }
            if cfg!(feature = "aws-lc") {
                println!("AWS-LC (A)");
            }
            if cfg!(feature = "ring") {
                println!("ring (R)");
            }
            if cfg!(feature = "rustcrypto") {
                println!("RustCrypto (C)");
            }
        }
        Bench {
            ours: Ours { kernel: options.kernel.clone() },
            libgcrypt,
            openssl,
            botan,
            measure: match Counter::open() {
                Some(counter) => Measure::Instructions(counter),
                None if options.quick => Measure::Time(Plan::QUICK),
                None => Measure::Time(Plan::FULL),
            },
            options,
            records: Vec::new(),
            differences: Vec::new(),
        }
    }

    /// Whether instructions are counted, not time.
    pub(crate) fn counts(&self) -> bool {
        matches!(self.measure, Measure::Instructions(_))
    }

    /// How figures of a byte are printed.
    pub(crate) fn scale(&self) -> Scale {
        if self.counts() { Scale::instructions() } else { Scale::new(self.options.unit) }
    }

    /// Measures a job in every library.
    pub(crate) fn compare(&mut self, table: &'static str, job: &Job) -> Vec<Record> {
        self.compare_with(table, job, None)
    }

    /// The same with one candidate more.
    pub(crate) fn compare_with(
        &mut self,
        table: &'static str,
        job: &Job,
        more: Option<Candidate>,
    ) -> Vec<Record> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for (kernel, task) in self.ours.tasks(job) {
            candidates.push(Candidate { implementation: Implementation::Ours, kernel, task });
        }
        candidates.extend(more);
        candidates.extend(self.peers(job));
        self.check(job, &mut candidates);
        let label = (table, job.cipher.name, job.mode.name(), job.direction.name());
        self.measure(label, job.bytes, candidates)
    }

    /// Measures candidates side by side and keeps the figures.
    pub(crate) fn measure(
        &mut self,
        label: Label,
        bytes: usize,
        candidates: Vec<Candidate>,
    ) -> Vec<Record> {
        self.measure_calls(label, std::iter::repeat(bytes), candidates)
    }

    /// The same, where each candidate's call has a length of its own.
    pub(crate) fn measure_calls(
        &mut self,
        (table, cipher, mode, direction): Label,
        bytes: impl IntoIterator<Item = usize>,
        mut candidates: Vec<Candidate>,
    ) -> Vec<Record> {
        let mut tasks: Vec<&mut Task> =
            candidates.iter_mut().map(|candidate| &mut candidate.task).collect();
        let times = self.measure.each(&mut tasks);
        let record = |((candidate, ns), bytes): ((Candidate, f64), usize)| Record {
            table,
            cipher,
            mode,
            direction,
            implementation: candidate.implementation,
            kernel: candidate.kernel,
            bytes,
            ns,
        };
        let records: Vec<Record> =
            candidates.into_iter().zip(times).zip(bytes).map(record).collect();
        self.records.extend(records.iter().cloned());
        records
    }

    fn peers(&self, job: &Job) -> Vec<Candidate> {
        let mut peers = Vec::new();
        let mut add = |implementation, task: Option<Task>| {
            if let Some(task) = task {
                peers.push(Candidate { implementation, kernel: String::new(), task });
            }
        };
        if self.options.peers {
            add(
                Implementation::Libgcrypt,
                self.libgcrypt.and_then(|libgcrypt| libgcrypt.task(job)),
            );
            add(Implementation::Openssl, self.openssl.and_then(|openssl| openssl.task(job)));
            add(Implementation::Botan, self.botan.and_then(|botan| botan.task(job)));
            #[cfg(feature = "ring")]
            add(Implementation::Ring, crate::ring_gcm::task(job));
            #[cfg(feature = "aws-lc")]
            add(Implementation::AwsLc, sealing::aws_lc::task(job));
            #[cfg(feature = "rustcrypto")]
            add(Implementation::RustCrypto, crate::rustcrypto::task(job));
        }
        peers
    }

    /// Whoever does something else must not be measured against us.
    fn check(&mut self, job: &Job, candidates: &mut Vec<Candidate>) {
        for candidate in candidates.iter_mut() {
            candidate.task.run();
        }
        let Some(first) = candidates.first() else { return };
        let expected = first.task.output().to_vec();
        let differences = &mut self.differences;
        candidates.retain(|candidate| {
            let agrees = candidate.task.output() == expected;
            if !agrees {
                differences.push(format!(
                    "{} {} {} {}: {} differs",
                    job.cipher.name,
                    job.mode.name(),
                    job.direction.name(),
                    candidate.kernel,
                    candidate.implementation.name(),
                ));
            }
            agrees
        });
    }
}
