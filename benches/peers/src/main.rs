//! Measures the project's ciphers side by side with other libraries, in one process: a sample of
//! each in turn, and medians. Every output is compared with the others' before it is measured.
//!
//! `cargo xtask bench` builds and runs this.

mod baseline;
mod bench;
mod chart;
mod clock;
mod count;
mod dynamic;
mod ghash_bytes;
mod job;
mod json;
mod libgcrypt;
mod measure;
mod openssl;
mod options;
mod ours;
mod picture;
#[cfg(feature = "ring")]
mod ring_gcm;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;
mod sealing;
mod singly;
mod tables;
mod text;

use bench::Bench;
use options::Options;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let options = match Options::parse(lexopt::Parser::from_env()) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("bench: {error}; see cargo xtask bench --help");
            return ExitCode::from(2);
        }
    };
    testkit::level::hold_back();
    options.level.as_deref().map(testkit::level::hold_back_to);
    let start = Instant::now();
    let mut bench = Bench::new(options);
    tables::all(&mut bench);
    println!("{} figures in {:.0} s", bench.records.len(), start.elapsed().as_secs_f64());
    type Write = fn(&Bench) -> String;
    let files: [(_, Write); 2] =
        [(&bench.options.json, json::lines), (&bench.options.svg, picture::svg)];
    for (file, write) in files {
        if let Some(file) = file
            && let Err(error) = std::fs::write(file, write(&bench))
        {
            eprintln!("bench: {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    let mut faults = bench.differences.clone();
    if let Some(file) = &bench.options.baseline {
        match baseline::check(&bench, file, bench.options.renew) {
            Ok(lines) => {
                // What `.ci/run` adds up.
                let passed = bench.records.len().saturating_sub(lines.len());
                println!("{passed} passed, {} failed", lines.len());
                faults.extend(lines);
            }
            Err(error) => faults.push(format!("{}: {error}", file.display())),
        }
    }
    for fault in &faults {
        eprintln!("bench: {fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
