//! Figures as text.

use crate::clock;
use crate::options::Unit;

/// Turns nanoseconds a byte into the unit that was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    unit: Unit,
    cycles_per_ns: f64,
}

impl Scale {
    /// Measures the clock where cycles are asked for.
    pub(crate) fn new(unit: Unit) -> Self {
        let mut scale = Scale { unit, cycles_per_ns: 1.0 };
        if unit == Unit::CyclesPerByte {
            match clock::cycles_per_ns() {
                Some(cycles) => scale.cycles_per_ns = cycles,
                None => scale.unit = Unit::NsPerByte,
            }
        }
        scale
    }

    /// Instructions are counted.
    pub(crate) fn instructions() -> Self {
        Scale { unit: Unit::InstructionsPerByte, cycles_per_ns: 1.0 }
    }

    /// What a figure of a whole call is of.
    pub(crate) fn of_a_call(self) -> &'static str {
        if self.unit == Unit::InstructionsPerByte { "instructions" } else { "ns" }
    }

    pub(crate) fn name(self) -> String {
        match self.unit {
            Unit::InstructionsPerByte => "instructions/B".to_owned(),
            Unit::NsPerByte => "ns/B".to_owned(),
            Unit::MibPerSecond => "MiB/s".to_owned(),
            Unit::CyclesPerByte => format!("cycles/B at {:.2} GHz", self.cycles_per_ns),
        }
    }

    pub(crate) fn figure(self, ns_per_byte: f64) -> String {
        match self.unit {
            Unit::NsPerByte | Unit::InstructionsPerByte => number(ns_per_byte),
            Unit::MibPerSecond => format!("{:.0}", 1e9 / ns_per_byte / f64::from(1 << 20)),
            Unit::CyclesPerByte => number(ns_per_byte * self.cycles_per_ns),
        }
    }
}

/// Three or four digits of a number.
pub(crate) fn number(value: f64) -> String {
    match value {
        ..1.0 => format!("{value:.4}").trim_start_matches('0').to_owned(),
        ..10.0 => format!("{value:.3}"),
        ..100.0 => format!("{value:.2}"),
        ..1000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A number of bytes: "64", "16 KiB", "1 MiB".
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        0 => "key".to_owned(),
        _ if bytes.is_multiple_of(1 << 20) => format!("{} MiB", bytes >> 20),
        _ if bytes.is_multiple_of(1 << 10) => format!("{} KiB", bytes >> 10),
        _ => format!("{bytes} B"),
    }
}

/// A row of a table: two words and right-aligned figures.
pub(crate) fn row(first: &str, second: &str, figures: &[String]) {
    let mut line = format!("{first:<12} {second:<26}");
    for figure in figures {
        line.push_str(&format!("{figure:>9}"));
    }
    println!("{}", line.trim_end());
}
