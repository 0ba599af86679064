//! Frames stay small: without optimisation no operation uses more than 64 KiB of stack, and in an
//! optimised build a call on 16 bytes uses at most 512, but for those listed here.

use residue_matrix::frames::{Row, of_a_burn, run};

/// Of any operation in a build without optimisation, the burn with its margin included.
const UNOPTIMISED: usize = 64 * 1024;

/// Of a call on 16 bytes in an optimised build, beyond what a burn of nothing writes.
const SHORT: usize = 512;

/// What goes deeper than [`SHORT`], and how deep. The first line that fits counts; an empty name
/// fits all.
struct Exception {
    cipher: &'static str,
    mode: &'static str,
    kernel: &'static str,
    step: &'static str,
    ceiling: usize,
}

#[rustfmt::skip]
const EXCEPTIONS: &[Exception] = &[
    // Eight blocks in bit slices, and the round keys of one round: the state is 1 KiB.
    Exception { cipher: "AES", mode: "", kernel: "portable", step: "", ceiling: 2176 },
    // 64 words of 32 bytes.
    Exception { cipher: "DES", mode: "", kernel: "bitsliced AVX2", step: "", ceiling: 3264 },
    // 64 words of 16 bytes.
    Exception { cipher: "DES", mode: "", kernel: "bitsliced", step: "", ceiling: 2240 },
    // Sixteen bytes are sixteen blocks, in a scratch of 128 or 256 bytes.
    Exception { cipher: "Camellia", mode: "CFB8", kernel: "portable", step: "decrypt", ceiling: 576 },
    // The same, in as many registers, which the compiler spills where there are no more.
    Exception { cipher: "Camellia", mode: "CFB8", kernel: "", step: "decrypt", ceiling: 960 },
    // The same, with less that is spilt.
    Exception { cipher: "ARIA", mode: "CFB8", kernel: "", step: "decrypt", ceiling: 736 },
    Exception { cipher: "SEED", mode: "CFB8", kernel: "", step: "decrypt", ceiling: 912 },
    // The same, eight or more blocks at a time.
    Exception { cipher: "Serpent", mode: "CFB8", kernel: "", step: "decrypt", ceiling: 576 },
    // The same, six blocks at a time, of which the compiler spills most.
    Exception { cipher: "CAST5", mode: "CFB8", kernel: "", step: "decrypt", ceiling: 832 },
    // The same, eight blocks at a time. The 64 subkeys of the look-up, each spread over a vector, are
    // another 1 KiB.
    Exception { cipher: "RC2", mode: "CFB8", kernel: "", step: "decrypt", ceiling: 1664 },
    // A batch of sixteen blocks, padded, below the message's frame.
    Exception { cipher: "Serpent", mode: "GCM", kernel: "AVX-512, two passes", step: "", ceiling: 928 },
    // H is split into the classes of its bits: 192 bytes.
    Exception { cipher: "", mode: "GCM", kernel: "two passes, portable-64", step: "", ceiling: 672 },
    // The same, and a product of words takes nine of half as many bits.
    Exception { cipher: "", mode: "GCM", kernel: "two passes, portable-32", step: "", ceiling: 800 },
    // A batch of eight blocks, padded, below the message's frame.
    Exception { cipher: "Serpent", mode: "GCM", kernel: "AVX2, two passes", step: "", ceiling: 672 },
];

impl Exception {
    fn fits(&self, row: &Row) -> bool {
        row.cipher.contains(self.cipher)
            && row.mode.contains(self.mode)
            && row.kernel.contains(self.kernel)
            && row.step.contains(self.step)
    }
}

/// Not the setting up of a key, which is larger than 16 bytes, nor parts of a call.
fn is_one_shot(row: &Row) -> bool {
    !matches!(row.step, "setup" | "drop") && row.mode != "GCM in pieces"
}

#[test]
fn no_operation_uses_more_than_64_kib() {
    for len in [16, 80, 4096 + 48] {
        run(len, |row| assert!(row.depth <= UNOPTIMISED, "{len} bytes: {row}"));
    }
}

#[test]
fn a_call_on_16_bytes_uses_at_most_512() {
    // The table is that of one architecture.
    if cfg!(debug_assertions) || cfg!(not(target_arch = "x86_64")) {
        return;
    }
    let burn = of_a_burn().expect("there is a probe");
    let (mut rows, mut too_deep) = (0, vec![]);
    run(16, |row| {
        if !is_one_shot(&row) {
            return;
        }
        rows += 1;
        let exception = EXCEPTIONS.iter().find(|exception| exception.fits(&row));
        let ceiling = exception.map_or(SHORT, |exception| exception.ceiling);
        let depth = row.depth.saturating_sub(burn);
        if depth > ceiling {
            too_deep.push(format!("{row}: {depth} beyond the burn, {ceiling} allowed"));
        }
    });
    assert!(rows > 300, "only {rows} rows");
    assert!(too_deep.is_empty(), "{}", too_deep.join("\n"));
}
