//! Key wrap with and without padding over every cipher and kernel; forged keys too.
#![no_main]

use cinder_fuzz::{Input, run};
use vectors::Mode;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    run(&mut Input(data), &[Mode::KeyWrap, Mode::KeyWrapPadded, Mode::TripleDesKeyWrap]);
});
