//! The command line.

use std::path::PathBuf;

/// The unit of the figures of long messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    NsPerByte,
    MibPerSecond,
    CyclesPerByte,
    /// Under qemu alone.
    InstructionsPerByte,
}

/// What was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) filters: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) peers: bool,
    /// A row for each library, not for the best alone.
    pub(crate) each: bool,
    pub(crate) slope: bool,
    pub(crate) unit: Unit,
    pub(crate) kernel: Option<String>,
    pub(crate) json: Option<PathBuf>,
    pub(crate) svg: Option<PathBuf>,
    /// What ours is held back to.
    pub(crate) level: Option<String>,
    /// Our counts, committed, to compare with.
    pub(crate) baseline: Option<PathBuf>,
    /// The baseline is written, not compared with.
    pub(crate) renew: bool,
    /// The emulated CPU, for the records.
    pub(crate) model: Option<String>,
}

impl Options {
    /// The command line's.
    pub(crate) fn parse(mut arguments: lexopt::Parser) -> Result<Self, lexopt::Error> {
        use lexopt::prelude::*;
        let mut options = Options {
            filters: Vec::new(),
            quick: false,
            peers: true,
            each: false,
            slope: false,
            unit: Unit::NsPerByte,
            kernel: None,
            json: None,
            svg: None,
            level: None,
            baseline: None,
            renew: false,
            model: None,
        };
        while let Some(argument) = arguments.next()? {
            match argument {
                Long("quick") => options.quick = true,
                Long("peers") => options.peers = true,
                Long("no-peers") => options.peers = false,
                Long("each") => options.each = true,
                Long("slope") => options.slope = true,
                Long("kernel") => options.kernel = Some(arguments.value()?.string()?),
                Long("cpu") => options.level = Some(arguments.value()?.string()?),
                Long("model") => options.model = Some(arguments.value()?.string()?),
                Long("baseline") => options.baseline = Some(arguments.value()?.into()),
                Long("renew") => options.renew = true,
                Long("json") => options.json = Some(arguments.value()?.into()),
                Long("svg") => options.svg = Some(arguments.value()?.into()),
                Long("unit") => {
                    options.unit = arguments.value()?.parse_with(|unit| match unit {
                        "ns" | "ns/B" => Ok(Unit::NsPerByte),
                        "mib" | "MiB/s" => Ok(Unit::MibPerSecond),
                        "cycles" | "cycles/B" => Ok(Unit::CyclesPerByte),
                        _ => Err("no such unit"),
                    })?;
                }
                Value(filter) => options.filters.push(filter.string()?.to_lowercase()),
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }

    /// Whether a row is wanted.
    pub(crate) fn wants(&self, table: &str, cipher: &str) -> bool {
        let row = format!("{table}/{cipher}").to_lowercase();
        self.filters.is_empty() || self.filters.iter().any(|filter| row.contains(filter))
    }
}
