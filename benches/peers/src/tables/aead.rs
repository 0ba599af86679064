//! The schemes of the crate `aead`, CMAC and XTS: messages of their own, nanoseconds a message.

use super::{Column, cipher, column, rows};
use crate::bench::Bench;
use crate::job::{Direction, Job, Mode};
use crate::text;

const TABLE: &str = "aead";

/// Bytes of a message, and of a sector.
const SIZES: [usize; 3] = [64, 1350, 16 << 10];
const SECTORS: [usize; 2] = [512, 4096];

const MODES: [Mode; 7] =
    [Mode::Ccm, Mode::Eax, Mode::Ocb, Mode::Siv, Mode::GcmSiv, Mode::Cmac, Mode::Xts];

pub(crate) fn run(bench: &mut Bench) {
    let mut schemes: Vec<_> =
        MODES.iter().flat_map(|&mode| [("AES", mode), ("AES256", mode)]).collect();
    schemes.push(("CHACHA20", Mode::Poly1305));
    let name = |(cipher, mode): (&str, Mode)| format!("{}-{cipher}", mode.name());
    schemes.retain(|&scheme| bench.options.wants(TABLE, &name(scheme)));
    if schemes.is_empty() {
        return;
    }
    println!("\n{TABLE}: {} for each message, of which XTS has others", bench.scale().of_a_call());
    for (title, sizes) in [("", &SIZES[..]), ("XTS", &SECTORS)] {
        let schemes = schemes.iter().filter(|(_, mode)| (*mode == Mode::Xts) != title.is_empty());
        let mut titles = sizes.iter().map(|&bytes| text::size(bytes)).collect::<Vec<_>>();
        for &scheme in schemes {
            text::row("", "", &std::mem::take(&mut titles));
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                if scheme.1 == Mode::Cmac && direction == Direction::Decrypt {
                    continue;
                }
                let verb = if direction == Direction::Encrypt { "seal" } else { "open" };
                let columns: Vec<Column> = sizes
                    .iter()
                    .map(|&bytes| {
                        let job =
                            Job { cipher: cipher(scheme.0), mode: scheme.1, direction, bytes };
                        column(&bench.compare(TABLE, &job), 1.0)
                    })
                    .collect();
                rows(bench, &format!("{} {verb}", name(scheme)), &columns, |_, ns| {
                    text::number(ns)
                });
            }
        }
    }
}
