//! The parser of vector files: it answers, and an error is in the file.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| match vectors::parse(text) {
    Ok(records) => assert!(records.len() <= text.len()),
    Err(error) => assert!((1..=text.lines().count() + 1).contains(&error.line)),
});
