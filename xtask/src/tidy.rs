//! `cargo xtask tidy`: the two rules of this repository that no other tool checks.
//!
//! Each module says what it is: its first line begins with `//!`. And what holds a secret is
//! dropped and looked at: a public type that holds secrets writes its own `Debug` and is no `Copy`,
//! so it derives nothing; such a type, in a crate that burns, must be named in that crate's
//! `tests/drop.rs`, with its module if the crate has several of the name, or in the list of ciphers if
//! that test goes through it.
//!
//! The rest is other tools' work: `[workspace.lints]` in `Cargo.toml`, clippy, rustfmt, deny.toml.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Failure, libraries, root, say};

pub(crate) const HELP: &str = "
Checks that modules have heads, and that tests drop each secret.";

/// The folders that hold Rust.
const FOLDERS: &[&str] = &["benches", "crates", "xtask"];

/// The list of ciphers.
const CIPHERS: &str = "crates/testkit/src/ciphers.rs";

/// The command.
pub(crate) fn run(mut arguments: lexopt::Parser) -> Result<(), Failure> {
    if let Some(other) = arguments.next()? {
        return Err(other.unexpected().into());
    }
    let findings = check()?;
    for finding in &findings {
        say(finding);
    }
    say(&format!("tidy: {} findings", findings.len()));
    if findings.is_empty() { Ok(()) } else { Err(Failure(String::new())) }
}

/// Checks the repository; each finding as `file:line: what`.
pub(crate) fn check() -> Result<Vec<String>, Failure> {
    let mut findings = Vec::new();
    for folder in FOLDERS {
        for (file, text) in sources(&root().join(folder)) {
            if !text.starts_with("//!") {
                findings.push(format!("{}:1: no `//!` on the first line", file.display()));
            }
        }
    }
    for library in libraries()? {
        if library.dependencies.iter().any(|name| name == "cinder-burn") {
            let test = fs::read_to_string(library.folder.join("tests/drop.rs"));
            let mut test = test.unwrap_or_default();
            if test.contains("testkit::ciphers") {
                test += &fs::read_to_string(root().join(CIPHERS))?;
            }
            let sources = sources(&library.folder.join("src"));
            findings.extend(not_dropped(&sources, &test));
        }
    }
    Ok(findings)
}

/// The Rust files below a folder, but for what cargo built.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && entry.file_name() != "target" {
            sources.extend(self::sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.extend(fs::read_to_string(&path).map(|text| (path, text)));
        }
    }
    sources
}

/// The types that hold secrets and that the test does not name.
fn not_dropped(sources: &[(PathBuf, String)], test: &str) -> Vec<String> {
    let code = test.lines().filter(|line| !line.trim_start().starts_with("//"));
    let paths: Vec<String> = code
        .flat_map(|line| line.split(|c| !is_part(c) && c != ':'))
        .map(|path| format!("::{path}::"))
        .collect();
    let types: Vec<_> = sources
        .iter()
        .flat_map(|(file, text)| underived(text).map(move |(line, name)| (file, line, name)))
        .collect();
    let mut findings = Vec::new();
    for &(file, line, name) in &types {
        let module = file.file_stem().unwrap_or_default().display();
        let is_only = types.iter().filter(|(.., other)| *other == name).count() == 1;
        let name = if is_only { name.to_owned() } else { format!("{module}::{name}") };
        let is_named = paths.iter().any(|path| path.contains(&format!("::{name}::")));
        if !is_named {
            findings.push(format!("{}:{line}: tests/drop.rs drops no {name}", file.display()));
        }
    }
    findings
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The public types that derive nothing, with their lines.
fn underived(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut derives = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let item = ["pub struct ", "pub enum "].iter().find_map(|kind| line.strip_prefix(kind));
        let name = item.filter(|_| !derives).and_then(|item| item.split(|c| !is_part(c)).next());
        derives = line.starts_with("#[derive(") || derives && line.starts_with(['#', ' ', ')']);
        name.map(|name| (index + 1, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let findings = check().unwrap();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }

    #[test]
    fn a_secret_that_no_test_drops_is_found() {
        let source =
            |module: &str, text: &str| (PathBuf::from(format!("{module}.rs")), text.into());
        let key = source("ctr", "pub struct Key {\n}\n\n#[derive(Debug)]\npub enum Error {}\n");
        let of = |test| not_dropped(std::slice::from_ref(&key), test);
        assert_eq!(of("// Key\ndrops::<KeyError>();"), ["ctr.rs:1: tests/drop.rs drops no Key"]);
        assert!(of("drops::<Key<1>>();").is_empty());
        let two = [key.clone(), source("ecb", "pub struct Key;")];
        let both = not_dropped(&two, "drops::<ctr::Key>(); drops::<Key>();");
        assert_eq!(both, ["ecb.rs:1: tests/drop.rs drops no ecb::Key"]);
    }
}
