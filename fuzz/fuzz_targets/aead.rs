//! GCM over every cipher and kernel, whole and in pieces; forged messages too.
#![no_main]

use cinder_fuzz::{Input, run};
use vectors::Mode;

libfuzzer_sys::fuzz_target!(|data: &[u8]| run(&mut Input(data), &[Mode::Gcm]));
