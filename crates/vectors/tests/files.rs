//! Every vector file of the project, through every kernel that this CPU has.

use std::collections::BTreeSet;

macro_rules! files {
    ($($test:ident: $file:literal;)*) => {
        $(
            #[test]
            fn $test() {
                vectors::check($file);
            }
        )*

        #[test]
        fn no_file_is_forgotten() {
            let tested = BTreeSet::from([$($file),*]);
            let known: BTreeSet<&str> = vectors::FILES.iter().map(|(name, _)| *name).collect();
            assert_eq!(tested, known);
        }
    };
}

files! {
    aes_cbc_cts: "aes-cbc-cts.txt";
    aes_cbc_pkcs7: "aes-cbc-pkcs7.txt";
    aes_cbc: "aes-cbc.txt";
    aes_ccm: "aes-ccm.txt";
    aes_cfb: "aes-cfb.txt";
    aes_ctr_le: "aes-ctr-le.txt";
    aes_ctr: "aes-ctr.txt";
    aes_eax: "aes-eax.txt";
    aes_ecb: "aes-ecb.txt";
    aes_gcm: "aes-gcm.txt";
    aes_kw: "aes-kw.txt";
    aes_ocb: "aes-ocb.txt";
    aes_ofb: "aes-ofb.txt";
    aes_siv: "aes-siv.txt";
    aes_xts: "aes-xts.txt";
    arc4: "arc4.txt";
    blowfish: "blowfish.txt";
    camellia: "camellia.txt";
    cast5: "cast5.txt";
    cmac: "cmac.txt";
    des: "des.txt";
    ghash: "ghash.txt";
    idea: "idea.txt";
    rc2: "rc2.txt";
    salsa20: "salsa20.txt";
    seed: "seed.txt";
    serpent: "serpent.txt";
    tdes_kw: "tdes-kw.txt";
    tdes: "tdes.txt";
    twofish: "twofish.txt";
}

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

/// What a key gets when nobody asks is the best that this CPU has.
#[test]
fn the_best_kernel_is_the_default() {
    for entry in vectors::Registry::PROJECT.blocks {
        let kernels = (entry.kernels)();
        assert_eq!((entry.default_kernel)(), kernels[0], "{}: {kernels:?}", entry.cipher);
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
        let mut blocks = vectors::Registry::PROJECT.blocks.iter();
        let aes = blocks.find(|entry| entry.cipher == vectors::Cipher::Aes).unwrap();
        assert_ne!((aes.default_kernel)(), "portable", "AES");
    }
    if std::arch::is_x86_feature_detected!("pclmulqdq") {
        let best = cinder_ghash::Kernel::best().to_string();
        assert!(!best.starts_with("portable"), "GHASH runs on {best}");
    }
}
