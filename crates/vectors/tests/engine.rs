//! The engine itself: it must see what is wrong, with the project's ciphers and with wrong ones.

use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, KeyError};
use std::path::{Path, PathBuf};
use vectors::registry::{BlockEntry, GhashEntry, Keyed, StreamCipher, StreamEntry};
use vectors::{Cipher, Options, Registry, Report, file, parse, run, run_paths};

const APPENDIX_B: &str = "# source: FIPS 197 Appendix B\n\nId = appB\nCipher = AES\nMode = ECB\n\
    Key = 2b7e151628aed2a6abf7158809cf4f3c\nPT = 3243f6a8885a308d313198a2e0370734\n\
    CT = 3925841d02dc09fbdc118597196a0b32\n";

fn run_text(registry: &Registry, text: &str) -> Report {
    run(registry, &parse(text).unwrap(), Options { long: true })
}

fn counts(report: &Report) -> (usize, usize, usize) {
    (report.passed, report.failed, report.skipped)
}

fn ids(report: &Report) -> Vec<&str> {
    let mut ids: Vec<&str> = report.failures.iter().map(|failure| failure.id.as_str()).collect();
    ids.dedup();
    ids
}

#[test]
fn a_good_record_passes() {
    let report = run_text(&Registry::project(), APPENDIX_B);
    assert_eq!(counts(&report), (1, 0, 0), "{report}");
    assert!(!report.kernels.is_empty());
}

/// One digit changed in each field in turn.
#[test]
fn a_corrupted_record_fails() {
    for field in ["Key = 2", "PT = 3", "CT = 3"] {
        let corrupted = APPENDIX_B.replace(field, &format!("{}4", &field[..field.len() - 1]));
        assert_ne!(corrupted, APPENDIX_B);
        let report = run_text(&Registry::project(), &corrupted);
        assert_eq!(counts(&report), (0, 1, 0), "{field}: {report}");
        assert_eq!(ids(&report), ["appB"]);
    }
}

/// Every record of every kind that the project runs, with one digit of the result changed.
#[test]
fn every_kind_of_record_fails_when_corrupted() {
    for (name, text) in vectors::FILES {
        let good = parse(text).unwrap();
        let mut bad = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for record in &good {
            let kind = (record.cipher, record.mode, record.test, record.op, record.verdict);
            if record.verdict != vectors::Verdict::Valid || !seen.insert(kind) {
                continue;
            }
            let mut record = record.clone();
            let [_, _, a_end, _] = &mut record.maintenance;
            let (first, second) = (&mut record.ciphertext, &mut record.plaintext);
            // The result of a Monte Carlo test that decrypts is a plaintext; that of a MAC is a tag.
            let decrypts = record.op == Some(vectors::Op::Decrypt);
            let tag = &mut record.tag;
            let results =
                if decrypts { [second, first, tag, a_end] } else { [first, tag, a_end, second] };
            let result = results.into_iter().flatten().find(|result| !result.is_empty());
            match (result, &mut record.weak) {
                (Some(result), _) => result[0] ^= 1,
                (None, Some(weak)) => {
                    *weak = !*weak;
                    // A possibly weak key may be refused, so that there is nothing to be wrong.
                    if record.class == Some(vectors::Class::PossiblyWeak) {
                        continue;
                    }
                }
                (None, None) => panic!("{name}: nothing to corrupt in {}", record.id),
            }
            bad.push(record);
        }
        let report = run(&Registry::project(), &bad, Options::default());
        assert_eq!(report.passed, 0, "{name}: {report}");
    }
}

#[test]
fn an_invalid_record_that_is_accepted_is_reported() {
    let text = APPENDIX_B.replace("Mode = ECB\n", "Mode = ECB\nResult = invalid\n");
    let report = run_text(&Registry::project(), &text);
    assert_eq!(counts(&report), (0, 1, 0), "{report}");
    assert!(report.failures[0].what.contains("accepted"), "{report}");
}

#[test]
fn an_invalid_record_that_is_refused_passes() {
    let text = APPENDIX_B.replace("Mode = ECB\n", "Mode = ECB\nResult = invalid\n");
    let report = run_text(&Registry::project(), &text.replace("CT = 39", "CT = "));
    assert_eq!(counts(&report), (1, 0, 0), "{report}");
}

#[test]
fn a_valid_record_that_is_refused_fails() {
    for (from, to) in [("PT = 32", "PT = "), ("Key = 2b", "Key = ")] {
        let report = run_text(&Registry::project(), &APPENDIX_B.replace(from, to));
        assert_eq!(counts(&report), (0, 1, 0), "{report}");
        assert!(report.failures[0].what.contains("refused"), "{report}");
    }
}

#[test]
fn an_acceptable_record_may_be_refused_but_not_differ() {
    let text = APPENDIX_B.replace("Mode = ECB\n", "Mode = ECB\nResult = acceptable\n");
    assert_eq!(counts(&run_text(&Registry::project(), &text)), (1, 0, 0));
    let refused = text.replace("CT = 39", "CT = ").replace("PT = 32", "PT = ");
    assert_eq!(counts(&run_text(&Registry::project(), &refused)), (1, 0, 0));
    let differs = text.replace("CT = 39", "CT = 38");
    assert_eq!(counts(&run_text(&Registry::project(), &differs)), (0, 1, 0));
}

#[test]
fn what_is_not_there_is_skipped() {
    let nothing = Registry { blocks: Vec::new(), streams: &[], ghash: None };
    for (name, text) in vectors::FILES {
        let report = run_text(&nothing, text);
        let records = parse(text).unwrap().len();
        assert_eq!(counts(&report), (0, 0, records), "{name}: {report}");
    }
}

/// A cipher that adds the key: E(x) = x + K, with a wrong method.
struct Wrong {
    key: u8,
    method: &'static str,
}

impl BlockEncrypt<8> for Wrong {
    fn encrypt_blocks(&self, blocks: &mut [[u8; 8]]) -> Depth {
        let is_wrong = self.method == "wide" && blocks.len() > 64;
        for block in blocks.iter_mut() {
            block[0] = block[0].wrapping_add(self.key);
        }
        if is_wrong {
            blocks.swap(62, 63);
        }
        Depth::NONE
    }

    fn cfb_decrypt(&self, chain: &mut [u8; 8], blocks: &mut [[u8; 8]]) -> Depth {
        for block in blocks {
            let ciphertext = *block;
            chain[0] = chain[0].wrapping_add(self.key);
            for (a, b) in block.iter_mut().zip(&*chain) {
                *a ^= b;
            }
            *chain = ciphertext;
        }
        // Forgets to carry the chain over to the next call.
        if self.method == "chain" {
            *chain = [0; 8];
        }
        Depth::NONE
    }
}

impl BlockDecrypt<8> for Wrong {
    fn decrypt_blocks(&self, blocks: &mut [[u8; 8]]) -> Depth {
        let is_wrong = self.method == "decrypt";
        for block in blocks {
            block[0] = block[0].wrapping_sub(self.key).wrapping_add(u8::from(is_wrong));
        }
        Depth::NONE
    }
}

fn methods() -> Vec<String> {
    ["right", "decrypt", "wide", "chain"].map(str::to_owned).to_vec()
}

fn wrong() -> Registry {
    let blowfish = BlockEntry {
        cipher: Cipher::from_name("Blowfish").unwrap(),
        kernels: methods(),
        default_kernel: "right".to_owned(),
        build: |_, params, kernel| {
            let key = *params.key.first().ok_or(KeyError::Length)?;
            let method = ["right", "decrypt", "wide", "chain"][kernel];
            Ok(Keyed::Narrow(Box::new(Wrong { key, method })))
        },
    };
    Registry { blocks: vec![blowfish], streams: &[], ghash: None }
}

/// Which of the kernels of `wrong` fail.
fn failing(text: &str) -> Vec<String> {
    let report = run_text(&wrong(), text);
    let mut kernels: Vec<String> =
        report.failures.into_iter().map(|failure| failure.kernel).collect();
    kernels.dedup();
    kernels
}

#[test]
fn a_wrong_kernel_is_named() {
    let text = "Id = a\nCipher = Blowfish\nMode = ECB\nKey = 05\n\
        PT = 0000000000000000\nCT = 0500000000000000\n";
    assert_eq!(failing(text), ["decrypt", "wide"]);
    assert_eq!(failing(&text.replace("CT = 05", "CT = 06")), methods());
}

#[test]
fn a_chain_that_is_not_carried_over_is_seen() {
    let text = "Id = a\nCipher = Blowfish\nMode = CFB\nKey = 05\nIV = 0000000000000000\n\
        PT = 0000000000000000\nCT = 0500000000000000\n";
    assert_eq!(failing(text), ["chain"]);
}

/// Keystream 0, 1, 2, … plus key, that cannot or wrongly seek.
struct Counting {
    at: u64,
    seeks: bool,
}

impl StreamCipher for Counting {
    fn apply(&mut self, data: &mut [u8]) {
        for byte in data {
            *byte ^= self.at as u8;
            self.at += 1;
        }
    }

    fn apply_to(&mut self, input: &[u8], output: &mut [u8]) {
        output.copy_from_slice(input);
        self.apply(output);
    }

    fn seek(&mut self, offset: u64) -> bool {
        // Off by one.
        self.at = offset + 1;
        self.seeks
    }
}

#[test]
fn a_stream_that_seeks_wrongly_is_seen() {
    let registry = Registry {
        streams: &[StreamEntry {
            cipher: Cipher::ARC4,
            kernels: || vec!["no seek".to_owned(), "bad seek".to_owned()],
            with: |_, _, kernel, run| {
                run(&mut Counting { at: 0, seeks: kernel == 1 });
                Ok(())
            },
        }],
        ..wrong()
    };
    let text = "Id = a\nCipher = ARC4\nMode = STREAM\nKey = 00\nOffset = 4\nCT = 040506\n";
    let report = run_text(&registry, text);
    assert_eq!(report.failures.len(), 1, "{report}");
    assert_eq!((&*report.failures[0].kernel, &*report.failures[0].way), ("bad seek", "sought"));
    let report = run_text(&registry, &text.replace("CT = 04", "CT = 05"));
    assert_eq!(report.failures.len(), 5, "{report}");
    // Too far to walk: only a seek gets there, and every way must.
    let far = text.replace("Offset = 4", "Offset = 274877906944");
    let report = run_text(&registry, &far);
    let what = &report.failures[0].what;
    assert!(what.contains("cannot seek to 274877906944"), "{what}");
    assert_eq!(report.failures.len(), 5, "{report}");
}

#[test]
fn a_wrong_ghash_is_seen() {
    let ghash = GhashEntry { kernels: || vec!["zero".to_owned()], run: |_, _, _| [0; 16] };
    let registry = Registry { ghash: Some(ghash), ..wrong() };
    let report = run_text(&registry, file("ghash.txt"));
    // tc1 hashes zeros to zero, but not when the text is long.
    assert_eq!(report.passed, 0, "{report}");
}

/// A folder of its own in cargo's place for such things.
fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn run_folder(folder: &Path) -> (bool, String) {
    let mut out = Vec::new();
    let summary = run_paths(&[folder.to_owned()], &mut out).unwrap();
    (summary.is_good(), String::from_utf8(out).unwrap())
}

#[test]
fn folders_run_file_by_file() {
    let files: &[(&str, &[u8])] = &[
        ("a.txt", APPENDIX_B.as_bytes()),
        ("below/b.txt", APPENDIX_B.as_bytes()),
        ("FORMAT.md", b"no vectors"),
    ];
    let folder = folder("good", files);
    let (is_good, out) = run_folder(&folder);
    assert!(is_good, "{out}");
    let starts = |file: &str| format!("{}: 1/0/0", folder.join(file).display());
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with(&starts("a.txt")), "{out}");
    assert!(lines[1].starts_with(&starts("below/b.txt")), "{out}");
    assert_eq!(lines.len(), 2, "{out}");
    // A file is run whatever its name.
    assert!(run_folder(&folder.join("a.txt")).0);
    assert!(!run_folder(&folder.join("FORMAT.md")).0);
    assert!(!run_folder(&folder.join("none.txt")).0);
}

#[test]
fn failures_and_bad_files_are_written_and_counted() {
    let corrupted = APPENDIX_B.replace("CT = 39", "CT = 38");
    let (is_good, out) = run_folder(&folder("corrupted", &[("a.txt", corrupted.as_bytes())]));
    assert!(!is_good && out.contains("a.txt: 0/1/0") && out.contains("FAILED appB"), "{out}");

    let unknown = APPENDIX_B.replace("Mode = ECB", "Mode = EBC");
    let (is_good, out) = run_folder(&folder("unknown", &[("a.txt", unknown.as_bytes())]));
    assert!(!is_good && out.contains("line 5: unknown Mode"), "{out}");

    let (is_good, out) = run_folder(&folder("binary", &[("a.txt", b"Id = a\n\xff\xfe\n")]));
    assert!(!is_good && out.contains("line 2: "), "{out}");

    let (is_good, out) = run_folder(&folder("empty", &[("FORMAT.md", b"")]));
    assert!(!is_good && out.contains("no .txt files"), "{out}");
}
