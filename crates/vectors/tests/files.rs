//! The vector files of the project, which the tests of the crates run.

use std::collections::BTreeSet;

#[test]
fn each_file_begins_with_its_source() {
    for (name, text) in vectors::FILES {
        assert!(text.starts_with("# source: "), "{name}");
    }
}

/// Files that are there but not compiled in would never run.
#[test]
fn the_folder_holds_no_other_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("skipped: the folder is not on this machine");
        return;
    };
    let known = vectors::FILES.iter().map(|(name, _)| (*name).to_owned());
    let found = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let found: BTreeSet<String> = found.filter(|name| name.ends_with(".txt")).collect();
    assert_eq!(found, known.collect());
}

/// Files of a crate without such a test would never run.
#[test]
fn each_crate_runs_its_files() {
    for (owner, files) in vectors::OWNERS {
        assert!(!files.is_empty(), "{owner}");
        let test = format!("{}/../{owner}/tests/vectors.rs", env!("CARGO_MANIFEST_DIR"));
        let Ok(test) = std::fs::read_to_string(test) else {
            println!("skipped: the folder is not on this machine");
            return;
        };
        assert!(test.contains(&format!("vectors::check_files_of(\"{owner}\");")), "{owner}");
    }
}

/// What a key gets when nobody asks is the best that this CPU has.
#[test]
fn the_best_kernel_is_the_default() {
    for entry in vectors::Registry::project().blocks {
        let kernels = &entry.kernels;
        assert_eq!(entry.default_kernel, kernels[0], "{}: {kernels:?}", entry.cipher);
    }
}

/// The hardware is there, says the standard library: then the portable kernel is not first, unless
/// somebody wants it so.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#[test]
fn hardware_is_used() {
    if std::env::var_os("CINDER_CPU").is_some() {
        return;
    }
    if std::arch::is_x86_feature_detected!("aes") {
        let mut blocks = vectors::Registry::project().blocks.into_iter();
        let aes = blocks.find(|entry| entry.cipher.name() == "AES").unwrap();
        assert_ne!(aes.default_kernel, "portable", "AES");
    }
    if std::arch::is_x86_feature_detected!("pclmulqdq") {
        let best = cinder_ghash::Kernel::best().to_string();
        assert!(!best.starts_with("portable"), "GHASH runs on {best}");
    }
}
