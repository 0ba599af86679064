//! The command line.

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
    pub(crate) json: Option<String>,
    /// Where it runs, for the records; of use where several runs are one report.
    pub(crate) cpu: Option<String>,
}

pub(crate) const HELP: &str = include_str!("help.txt");

impl Options {
    /// `None` for a request for help.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let mut options = Options {
            filters: Vec::new(),
            quick: false,
            peers: true,
            each: false,
            slope: false,
            unit: Unit::NsPerByte,
            kernel: None,
            json: None,
            cpu: None,
        };
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--help" | "-h" => return Ok(None),
                "--quick" => options.quick = true,
                "--peers" => options.peers = true,
                "--no-peers" => options.peers = false,
                "--each" => options.each = true,
                "--slope" => options.slope = true,
                "--kernel" => options.kernel = Some(value()?),
                "--cpu" => options.cpu = Some(value()?),
                "--json" => options.json = Some(value()?),
                "--unit" => {
                    options.unit = match value()?.as_str() {
                        "ns" | "ns/B" => Unit::NsPerByte,
                        "mib" | "MiB/s" => Unit::MibPerSecond,
                        "cycles" | "cycles/B" => Unit::CyclesPerByte,
                        unit => return Err(format!("no unit {unit}")),
                    }
                }
                option if option.starts_with('-') => return Err(format!("no option {option}")),
                filter => options.filters.push(filter.to_lowercase()),
            }
        }
        Ok(Some(options))
    }

    /// Whether a row is wanted.
    pub(crate) fn wants(&self, table: &str, cipher: &str) -> bool {
        let row = format!("{table}/{cipher}").to_lowercase();
        self.filters.is_empty() || self.filters.iter().any(|filter| row.contains(filter))
    }
}
