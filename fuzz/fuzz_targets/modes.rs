//! Every mode that does not authenticate, over every cipher and kernel.
#![no_main]

use cinder_fuzz::{Input, run};
use vectors::Mode;

const MODES: [Mode; 11] = [
    Mode::Ecb,
    Mode::Cbc,
    Mode::CbcPkcs7,
    Mode::CbcCs1,
    Mode::CbcCs2,
    Mode::CbcCs3,
    Mode::Cfb,
    Mode::Cfb8,
    Mode::Ofb,
    Mode::Ctr,
    Mode::CtrLittleEndian,
];

libfuzzer_sys::fuzz_target!(|data: &[u8]| run(&mut Input(data), &MODES));
