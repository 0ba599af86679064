//! `cargo xtask tidy`: the rules of this repository that no compiler checks.
//!
//! A rule is a function that reads the [`Tree`] and reports [`Finding`]s; [`RULES`] lists them.
//! They run as a test of this crate too, and each rule has a test that plants a violation.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::manifest::Manifest;
use crate::run::{Failure, root, say, stdout};

/// Where `unsafe` may stand: wiping, CPU detection, the probe that looks at dead stacks, the
/// benchmarks that call on private stacks and C libraries, and the plugin that qemu calls.
const UNSAFE_FOLDERS: &[&str] = &[
    "crates/burn/",
    "crates/cpu/",
    "crates/residue/",
    "benches/benches/burn.rs",
    "benches/peers/",
    "benches/qemu-count/",
];

/// A kernel file is named by architecture and technique.
const KERNEL_PREFIXES: &[&str] = &["x86_", "aarch64_", "arm_"];

/// What a published crate may depend on, besides the workspace's own crates.
const DEPENDENCIES: &[&str] = &["cpufeatures", "subtle", "zeroize"];

/// Crates of other people's traits, which an optional feature may bring in.
const INTEROP: &[&str] = &["aead", "cipher", "universal-hash"];

/// Names that do not tell what a file is.
const VAGUE_NAMES: &[&str] = &["fast", "v2", "soft", "generic"];

/// Wiping is the product, never a feature.
const PRODUCT_FEATURES: &[&str] = &["burn", "wipe", "zeroize", "secure"];

/// The files of the repository.
#[derive(Debug, Default)]
struct Tree {
    files: Vec<File>,
}

/// A text file.
#[derive(Debug)]
struct File {
    /// From the root, with `/`.
    path: String,
    text: String,
    /// For Rust: the text with comments and literals blanked out, line for line.
    code: String,
}

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    line: usize,
    what: String,
}

/// A rule's name and what checks it.
type Rule = (&'static str, fn(&Tree, &mut Vec<Finding>));

const RULES: &[Rule] = &[
    ("unsafe stands in burn, cpu and kernel files", unsafe_is_fenced),
    ("modes forbids unsafe", modes_forbids_unsafe),
    ("library crates are no_std", libraries_are_no_std),
    ("library crates have no build script", no_build_script),
    ("library crates depend on little", dependencies_are_few),
    ("crates take the workspace's lints", lints_are_the_workspaces),
    ("features are ciphers, std and interop", features_are_additive),
    ("no path of one machine", no_machine_paths),
    ("no registry's host", no_registry_hosts),
    ("nothing is left for later", nothing_is_left_for_later),
    ("a module says what it is", modules_have_heads),
    ("no vague file names", names_are_telling),
    ("a lint is off for one module at most, with a reason", no_crate_wide_allow),
    ("at most two macros in a file", macros_are_few),
    ("no get_ in public names", no_get_prefix),
    ("what holds secrets is dropped and looked at", secrets_are_looked_at),
    ("vector files name their source", vectors_name_their_source),
    ("lines end where they end", white_space_is_clean),
];

/// The command.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(word) = arguments.first() {
        return Err(format!("no option `{word}`").into());
    }
    let findings = check();
    for finding in &findings {
        say(finding);
    }
    say(&format!("tidy: {} rules, {} findings", RULES.len(), findings.len()));
    if findings.is_empty() { Ok(()) } else { Err(Failure::said()) }
}

/// Checks the repository; each finding as `file:line: what`.
pub(crate) fn check() -> Vec<String> {
    Tree::read(&root()).check().iter().map(Finding::to_string).collect()
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

impl Tree {
    /// What git tracks, and what it would if told to add everything.
    fn read(root: &Path) -> Self {
        let mut git = Command::new("git");
        git.current_dir(root).args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ]);
        let paths = match stdout(&mut git) {
            Some(text) => text.split('\0').filter(|p| !p.is_empty()).map(str::to_owned).collect(),
            // An unpacked archive: no repository.
            None => walk(root, Path::new("")),
        };
        let mut tree = Self::default();
        for path in paths {
            if let Ok(text) = fs::read_to_string(root.join(&path)) {
                tree.files.push(File::new(&path, &text));
            }
        }
        tree
    }

    fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (name, rule) in RULES {
            let before = findings.len();
            rule(self, &mut findings);
            for finding in &mut findings[before..] {
                finding.what = format!("{} ({name})", finding.what);
            }
        }
        findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        findings
    }

    /// The manifests of `crates/*`, with their paths.
    fn crates(&self) -> impl Iterator<Item = (&File, Manifest)> {
        self.files.iter().filter_map(|file| {
            let folder = file.path.strip_suffix("/Cargo.toml")?;
            (folder.starts_with("crates/") && folder.matches('/').count() == 1)
                .then(|| (file, Manifest::parse(Path::new(folder), &file.text)))
        })
    }

    /// The crates that are published.
    fn libraries(&self) -> impl Iterator<Item = (&File, Manifest)> {
        self.crates().filter(|(_, manifest)| manifest.is_published())
    }

    fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.is_rust())
    }
}

fn walk(root: &Path, folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let path = folder.join(entry.file_name());
        let name = entry.file_name();
        if entry.path().is_dir() {
            if name != "target" && name != ".git" {
                paths.extend(walk(root, &path));
            }
        } else {
            paths.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    paths
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        let code = if path.ends_with(".rs") { code_of(text) } else { String::new() };
        Self { path: path.into(), text: text.into(), code }
    }

    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Rust of a library crate, not of its tests folder.
    fn is_library_source(&self) -> bool {
        self.is_rust() && self.path.starts_with("crates/") && self.path.contains("/src/")
    }

    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    fn find(&self, line: usize, what: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, what: what.into() }
    }
}

fn unsafe_is_fenced(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in tree.rust() {
        let is_kernel = file.path.starts_with("crates/")
            && KERNEL_PREFIXES.iter().any(|prefix| file.name().starts_with(prefix));
        // A test that drops a key and looks at the bytes is not shipped.
        let is_test = file.path.starts_with("crates/")
            && (file.path.contains("/tests/") || file.name() == "tests.rs");
        if is_kernel || is_test || UNSAFE_FOLDERS.iter().any(|folder| file.path.starts_with(folder))
        {
            continue;
        }
        for (line, _) in lines_with_word(&file.code, "unsafe") {
            findings.push(file.find(line, "unsafe outside of burn, cpu and kernel files"));
        }
    }
}

fn modes_forbids_unsafe(tree: &Tree, findings: &mut Vec<Finding>) {
    let file = tree.file("crates/modes/src/lib.rs");
    if let Some(file) = file.filter(|file| !file.code.contains("#![forbid(unsafe_code)]")) {
        findings.push(file.find(1, "#![forbid(unsafe_code)] is missing"));
    }
}

fn libraries_are_no_std(tree: &Tree, findings: &mut Vec<Finding>) {
    for (manifest, library) in tree.libraries() {
        let source = format!("{}/src/lib.rs", library.folder.display());
        let Some(file) = tree.file(&source) else {
            findings.push(manifest.find(1, "src/lib.rs is missing"));
            continue;
        };
        if !file.code.lines().any(|line| line == "#![no_std]") {
            findings.push(file.find(1, "#![no_std] is missing"));
        }
        let mut before = "";
        for (index, line) in file.code.lines().enumerate() {
            if line.contains("extern crate std") && !before.contains("#[cfg(") {
                findings.push(file.find(index + 1, "std is there without a cfg"));
            }
            before = line;
        }
    }
}

fn no_build_script(tree: &Tree, findings: &mut Vec<Finding>) {
    for (manifest, library) in tree.crates() {
        let script = format!("{}/build.rs", library.folder.display());
        if let Some(file) = tree.file(&script) {
            findings.push(file.find(1, "a build script"));
        }
        for entry in library.entries() {
            let is_script = entry.section == "package" && entry.key == "build";
            if is_script || entry.section.contains("build-dependencies") {
                findings.push(manifest.find(entry.line, "a build script or its dependency"));
            }
        }
    }
}

fn dependencies_are_few(tree: &Tree, findings: &mut Vec<Finding>) {
    let own: Vec<String> = tree.libraries().map(|(_, library)| library.name().to_owned()).collect();
    for (manifest, library) in tree.libraries() {
        for (line, name) in library.dependencies() {
            let text = manifest.text.lines().nth(line - 1).unwrap_or_default();
            let is_interop = text.contains("optional = true")
                && INTEROP.iter().any(|prefix| name.starts_with(prefix));
            if !DEPENDENCIES.contains(&name) && !own.iter().any(|own| own == name) && !is_interop {
                findings.push(manifest.find(line, format!("a dependency on {name}")));
            }
        }
    }
}

fn lints_are_the_workspaces(tree: &Tree, findings: &mut Vec<Finding>) {
    for (manifest, library) in tree.crates() {
        if library.value("lints", "workspace") != Some("true") {
            findings.push(manifest.find(1, "[lints] workspace = true is missing"));
        }
    }
}

fn features_are_additive(tree: &Tree, findings: &mut Vec<Finding>) {
    for (manifest, library) in tree.crates() {
        for entry in library.entries().iter().filter(|entry| entry.section == "features") {
            if PRODUCT_FEATURES.contains(&entry.key.as_str()) {
                findings.push(manifest.find(entry.line, format!("a feature `{}`", entry.key)));
            }
        }
    }
    for file in tree.rust().filter(|file| file.is_library_source()) {
        for (line, _) in lines_with_word(&file.code, "compile_error") {
            findings.push(file.find(line, "features or targets that exclude each other"));
        }
    }
}

fn no_machine_paths(tree: &Tree, findings: &mut Vec<Finding>) {
    let folders = ["work", "root", "home", "tmp", "Users"];
    for file in tree.files.iter().filter(|file| is_prose_or_code(file)) {
        for (index, line) in file.text.lines().enumerate() {
            for folder in folders {
                let path = format!("/{folder}");
                let is_absolute = line.match_indices(&path).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    let after = line[at + path.len()..].chars().next();
                    !before.is_some_and(|c| c.is_alphanumeric() || "_.-~$}/)>*".contains(c))
                        && !after.is_some_and(|c| c.is_alphanumeric() || "_-".contains(c))
                });
                if is_absolute {
                    findings.push(file.find(index + 1, format!("the path {path}")));
                }
            }
        }
    }
}

fn no_registry_hosts(tree: &Tree, findings: &mut Vec<Finding>) {
    // In two parts, or this file would break its own rule.
    let hosts = [
        ("crates", ".io"),
        ("deb.debian", ".org"),
        ("security.debian", ".org"),
        ("snapshot.debian", ".org"),
        ("static.rust-lang", ".org"),
        ("pypi", ".org"),
        ("pythonhosted", ".org"),
        ("npmjs", ".org"),
        ("npmjs", ".com"),
        ("proxy.golang", ".org"),
    ];
    for file in tree.files.iter().filter(|file| is_prose_or_code(file)) {
        for (index, line) in file.text.lines().enumerate() {
            for (name, end) in hosts {
                let host = format!("{name}{end}");
                if line.contains(&host) {
                    findings.push(file.find(index + 1, format!("the host {host}")));
                }
            }
        }
    }
}

fn nothing_is_left_for_later(tree: &Tree, findings: &mut Vec<Finding>) {
    let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    for file in tree.files.iter().filter(|file| is_prose_or_code(file)) {
        for word in words {
            for (line, _) in lines_with_word(&file.text, word) {
                findings.push(file.find(line, format!("a {word}")));
            }
        }
        for word in ["todo", "unimplemented"] {
            for (line, rest) in lines_with_word(&file.code, word) {
                if rest.starts_with('!') {
                    findings.push(file.find(line, format!("a {word}!")));
                }
            }
        }
        for (line, text) in file.code.lines().enumerate() {
            if text.contains(concat!("#[ig", "nore")) {
                findings.push(file.find(line + 1, "a test that does not run"));
            }
        }
    }
}

fn modules_have_heads(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in tree.rust().filter(|file| !file.text.starts_with("//!")) {
        findings.push(file.find(1, "a module without `//!` on its first line"));
    }
}

fn names_are_telling(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in tree.rust() {
        let stems = file.path.trim_end_matches(".rs").split('/').flat_map(|part| part.split('_'));
        if let Some(name) = stems.into_iter().find(|part| VAGUE_NAMES.contains(part)) {
            findings.push(file.find(1, format!("`{name}` does not tell what this is")));
        }
    }
}

fn no_crate_wide_allow(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in tree.rust().filter(|file| file.path.contains("/src/")) {
        let is_root = ["lib.rs", "main.rs"].contains(&file.name());
        for (index, line) in file.code.lines().enumerate() {
            if line.trim_start().starts_with("#![allow(") && (is_root || !line.contains("reason ="))
            {
                findings.push(file.find(index + 1, "a lint is off"));
            }
        }
    }
}

fn macros_are_few(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in tree.rust().filter(|file| file.is_library_source()) {
        for (line, _) in lines_with_word(&file.code, "macro_rules").into_iter().skip(2) {
            findings.push(file.find(line, "a third macro in this file"));
        }
    }
}

fn no_get_prefix(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in tree.rust().filter(|file| file.is_library_source()) {
        for (index, line) in file.code.lines().enumerate() {
            if line.contains("pub fn get_") {
                findings.push(file.find(index + 1, "a method is named by what it returns"));
            }
        }
    }
}

/// A type that holds secrets writes its own `Debug` and is no `Copy`: it derives nothing. So a public
/// type of that kind, in a crate that burns, must be named in the crate's test that drops them
/// all; with its module, if the crate has several of the name.
fn secrets_are_looked_at(tree: &Tree, findings: &mut Vec<Finding>) {
    for (_, library) in tree.libraries() {
        if !library.dependencies().iter().any(|(_, name)| *name == "cinder-burn") {
            continue;
        }
        let folder = library.folder.display();
        let test = tree.file(&format!("{folder}/tests/drop.rs")).map_or("", |file| &file.code);
        let sources = format!("{folder}/src/");
        let types: Vec<_> = tree
            .rust()
            .filter(|file| file.path.starts_with(&sources))
            .flat_map(|file| underived_types(file).map(move |(line, name)| (file, line, name)))
            .collect();
        for &(file, line, name) in &types {
            let module = file.name().trim_end_matches(".rs");
            let of_the_name = types.iter().filter(|(_, _, other)| *other == name).count();
            let name = if of_the_name == 1 { name.into() } else { format!("{module}::{name}") };
            if lines_with_word(test, &name).is_empty() {
                findings.push(file.find(line, format!("tests/drop.rs does not drop a {name}")));
            }
        }
    }
}

/// Public types that derive nothing, with their lines.
fn underived_types(file: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut derives = false;
    file.code.lines().enumerate().filter_map(move |(index, line)| {
        let item = ["pub struct ", "pub enum "].iter().find_map(|kind| line.strip_prefix(kind));
        let name = item
            .filter(|_| !derives)
            .and_then(|item| item.split(|c: char| !(c.is_alphanumeric() || c == '_')).next());
        derives = line.starts_with("#[derive(")
            || derives && (line.starts_with('#') || line.trim().is_empty());
        name.map(|name| (index + 1, name))
    })
}

fn vectors_name_their_source(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in tree.files.iter().filter(|file| file.path.starts_with("crates/vectors/data/")) {
        if !file.text.starts_with('#') {
            findings.push(file.find(1, "the first line is not `# source:` or another comment"));
        }
    }
}

fn white_space_is_clean(tree: &Tree, findings: &mut Vec<Finding>) {
    let kinds = [".rs", ".toml", ".md", ".yml", ".sh", "/run"];
    for file in tree.files.iter().filter(|file| kinds.iter().any(|k| file.path.ends_with(k))) {
        for (index, line) in file.text.split('\n').enumerate() {
            if line.ends_with([' ', '\t', '\r']) {
                findings.push(file.find(index + 1, "white space at the end of the line"));
            }
        }
        if !file.text.is_empty() && !file.text.ends_with('\n') {
            findings.push(file.find(file.text.lines().count(), "no newline at the end"));
        }
    }
}

/// Everything but lock files, licences, and the vectors' data.
fn is_prose_or_code(file: &File) -> bool {
    let name = file.name();
    !name.ends_with(".lock")
        && !name.starts_with("LICENSE")
        && !file.path.starts_with("crates/vectors/data/")
}

/// The lines, from 1, that have `word` as a word, with what follows it.
fn lines_with_word<'a>(text: &'a str, word: &str) -> Vec<(usize, &'a str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (at, _) in line.match_indices(word) {
            let rest = &line[at + word.len()..];
            if !line[..at].ends_with(is_part) && !rest.starts_with(is_part) {
                found.push((index + 1, rest));
            }
        }
    }
    found
}

/// Rust source with comments, strings and characters blanked out, newlines kept.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let is_word = before.is_alphanumeric() || before == '_';
        let length = skipped(rest, is_word);
        if length == 0 {
            code.push(c);
            before = c;
            rest = &rest[c.len_utf8()..];
        } else {
            let (literal, after) = rest.split_at(length);
            code.extend(literal.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            before = ' ';
            rest = after;
        }
    }
    code
}

/// The length of the comment or literal that `text` begins with; 0 if it begins with code.
fn skipped(text: &str, is_inside_word: bool) -> usize {
    let until = |end: &str, from: usize| {
        text[from..].find(end).map_or(text.len(), |at| from + at + end.len())
    };
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return block_comment(text);
    }
    if text.starts_with('"') {
        return quoted(text, 1);
    }
    if let Some(rest) = text.strip_prefix('\'') {
        // A character, not a lifetime or a label.
        let mut chars = rest.chars();
        return match (chars.next(), chars.next()) {
            (Some('\\'), Some(escaped)) => until("'", 2 + escaped.len_utf8()),
            (Some(c), Some('\'')) => c.len_utf8() + 2,
            _ => 0,
        };
    }
    if is_inside_word {
        return 0;
    }
    for prefix in ["r", "br", "cr"] {
        let Some(rest) = text.strip_prefix(prefix) else { continue };
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        if rest[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            return until(&end, prefix.len() + hashes + 1);
        }
    }
    0
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// The length of a string that begins with its quote at `from - 1`.
fn quoted(text: &str, from: usize) -> usize {
    let mut is_escaped = false;
    for (at, c) in text[from..].char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return from + at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n";
    const LIBRARY: &str = "//! A.\n#![no_std]\n";

    /// A repository that no rule has anything against, plus or instead these files.
    fn tree(planted: &[(&str, &str)]) -> Tree {
        let mut files = vec![
            File::new("crates/a/Cargo.toml", MANIFEST),
            File::new("crates/a/src/lib.rs", LIBRARY),
        ];
        for (path, text) in planted {
            files.retain(|file| file.path != *path);
            files.push(File::new(path, text));
        }
        Tree { files }
    }

    /// The rule must find exactly these, as `path:line`.
    fn check(planted: &[(&str, &str)], expected: &[&str]) {
        let findings = tree(planted).check();
        let places: Vec<String> =
            findings.iter().map(|finding| format!("{}:{}", finding.path, finding.line)).collect();
        assert_eq!(places, expected, "{findings:#?}");
    }

    #[test]
    fn the_repository_is_tidy() {
        let findings = super::check();
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }

    #[test]
    fn nothing_is_found_where_nothing_is_wrong() {
        check(&[], &[]);
    }

    #[test]
    fn unsafe_is_found_outside_of_kernels() {
        let text = "//! M.\n// unsafe\nfn f() {\n    unsafe {}\n    \"unsafe\";\n}\n";
        check(&[("crates/a/src/m.rs", text)], &["crates/a/src/m.rs:4"]);
        check(&[("crates/a/src/x86_ni.rs", text), ("crates/burn/src/m.rs", text)], &[]);
        check(&[("crates/a/tests/drop.rs", text), ("crates/a/src/m/tests.rs", text)], &[]);
        check(&[("xtask/src/x86_ni.rs", text)], &["xtask/src/x86_ni.rs:4"]);
        check(&[("crates/a/src/m.rs", "//! M.\n#![deny(unsafe_code)]\n")], &[]);
    }

    #[test]
    fn modes_must_forbid_unsafe() {
        let path = "crates/modes/src/lib.rs";
        check(&[(path, LIBRARY)], &["crates/modes/src/lib.rs:1"]);
        check(&[(path, "//! A.\n#![no_std]\n#![forbid(unsafe_code)]\n")], &[]);
    }

    #[test]
    fn std_is_found_in_a_library() {
        check(&[("crates/a/src/lib.rs", "//! A.\n")], &["crates/a/src/lib.rs:1"]);
        let text = "//! A.\n#![no_std]\nextern crate std;\n#[cfg(test)]\nextern crate std;\n";
        check(&[("crates/a/src/lib.rs", text)], &["crates/a/src/lib.rs:3"]);
        let private = format!("{MANIFEST}[package]\npublish = false\n");
        check(&[("crates/a/Cargo.toml", &private), ("crates/a/src/lib.rs", "//! A.\n")], &[]);
    }

    #[test]
    fn build_scripts_are_found() {
        check(&[("crates/a/build.rs", "//! B.\n")], &["crates/a/build.rs:1"]);
        let manifest = format!("{MANIFEST}[build-dependencies]\ncc = \"1\"\n");
        check(&[("crates/a/Cargo.toml", &manifest)], &["crates/a/Cargo.toml:7"]);
    }

    #[test]
    fn dependencies_are_found() {
        let manifest = format!("{MANIFEST}[dependencies]\nzeroize = \"1\"\nlibc = \"1\"\n");
        check(&[("crates/a/Cargo.toml", &manifest)], &["crates/a/Cargo.toml:8"]);
        let manifest = format!("{MANIFEST}[target.'cfg(unix)'.dependencies]\nlibc = \"1\"\n");
        check(&[("crates/a/Cargo.toml", &manifest)], &["crates/a/Cargo.toml:7"]);
        let manifest = format!("{MANIFEST}[dependencies]\ncipher = \"1\"\n");
        check(&[("crates/a/Cargo.toml", &manifest)], &["crates/a/Cargo.toml:7"]);
        let manifest = format!(
            "{MANIFEST}[dependencies]\ncipher = {{ version = \"1\", optional = true }}\n\
             a.workspace = true\n\n[dev-dependencies]\nproptest = \"1\"\n"
        );
        check(&[("crates/a/Cargo.toml", &manifest)], &[]);
    }

    #[test]
    fn lints_must_be_the_workspaces() {
        let manifest = "[package]\nname = \"a\"\n";
        check(&[("crates/a/Cargo.toml", manifest)], &["crates/a/Cargo.toml:1"]);
    }

    #[test]
    fn features_that_exclude_are_found() {
        let manifest = format!("{MANIFEST}[features]\naes = []\nzeroize = []\n");
        check(&[("crates/a/Cargo.toml", &manifest)], &["crates/a/Cargo.toml:8"]);
        let text = "//! M.\ncompile_error!(\"not both\");\n";
        check(&[("crates/a/src/m.rs", text)], &["crates/a/src/m.rs:2"]);
    }

    #[test]
    fn machine_paths_are_found() {
        let folder = concat!("/ho", "me");
        let text = format!("see {folder}/me/x\na{folder}\nhttps://x{folder}/\n{folder}stead\n");
        check(&[("README.md", &text)], &["README.md:1"]);
        let text = format!("\"{}\"\n", concat!("/t", "mp"));
        check(&[(".ci/run", &text)], &[".ci/run:1"]);
        check(&[("Cargo.lock", &text)], &[]);
    }

    #[test]
    fn registry_hosts_are_found() {
        let text = format!("a\nhttps://{}/x\n", concat!("crates", ".io"));
        check(&[("README.md", &text)], &["README.md:2"]);
        check(&[("benches/peers/Cargo.lock", &text)], &[]);
    }

    #[test]
    fn what_is_left_for_later_is_found() {
        let text = format!("//! M.\n// {}: x\n", concat!("TO", "DO"));
        check(&[("crates/a/src/m.rs", &text)], &["crates/a/src/m.rs:2"]);
        let text = "//! M.\nfn f() {\n    todo!()\n}\n#[cfg(test)]\n#[ignore = \"slow\"]\n";
        check(&[("xtask/src/m.rs", text)], &["xtask/src/m.rs:3", "xtask/src/m.rs:6"]);
        check(&[("a.md", "the MASTODON, todo list\n")], &[]);
    }

    #[test]
    fn secrets_that_nobody_looks_at_are_found() {
        let manifest = format!("{MANIFEST}[dependencies]\ncinder-burn.workspace = true\n");
        let burn = MANIFEST.replace("\"a\"", "\"cinder-burn\"");
        let text =
            "//! M.\n#[derive(Debug)]\n\n#[repr(C)]\npub struct Open;\npub struct Key<C>(C);\n";
        let check = |test: &str, expected: &[&str]| {
            let planted = [
                ("crates/burn/Cargo.toml", &*burn),
                ("crates/burn/src/lib.rs", "//! B.\n#![no_std]\npub struct Key;\n"),
                ("crates/a/Cargo.toml", &manifest),
                ("crates/a/src/m.rs", text),
                ("crates/a/tests/drop.rs", test),
            ];
            check(&planted, expected);
        };
        check("//! T. Key\n", &["crates/a/src/m.rs:6"]);
        check("//! T.\nfn f(_: a::Key<u8>) {}\n", &[]);
        let planted = [
            ("crates/burn/Cargo.toml", &*burn),
            ("crates/burn/src/lib.rs", LIBRARY),
            ("crates/a/Cargo.toml", &manifest),
            ("crates/a/src/m.rs", text),
            ("crates/a/src/n.rs", text),
            ("crates/a/tests/drop.rs", "//! T.\nfn f(_: m::Key<u8>) {}\n"),
        ];
        super::tests::check(&planted, &["crates/a/src/n.rs:6"]);
    }

    #[test]
    fn a_module_without_a_head_is_found() {
        check(&[("crates/a/tests/t.rs", "fn f() {}\n")], &["crates/a/tests/t.rs:1"]);
    }

    #[test]
    fn vague_names_are_found() {
        for path in ["crates/a/src/aes_fast.rs", "crates/a/src/soft/mod.rs", "xtask/src/v2.rs"] {
            check(&[(path, "//! M.\n")], &[&format!("{path}:1")]);
        }
        check(&[("crates/a/src/breakfast.rs", "//! M.\n")], &[]);
    }

    #[test]
    fn allow_is_found_where_it_is_wide() {
        let text = "//! A.\n#![no_std]\n#![allow(dead_code, reason = \"r\")]\n";
        check(&[("crates/a/src/lib.rs", text)], &["crates/a/src/lib.rs:3"]);
        check(&[("crates/a/src/m.rs", text)], &[]);
        let text = "//! A.\n#![allow(dead_code)]\n";
        check(&[("crates/a/src/m.rs", text)], &["crates/a/src/m.rs:2"]);
    }

    #[test]
    fn a_third_macro_is_found() {
        let text = "//! M.\nmacro_rules! a {}\nmacro_rules! b {}\nmacro_rules! c {}\n";
        check(&[("crates/a/src/m.rs", text)], &["crates/a/src/m.rs:4"]);
    }

    #[test]
    fn get_is_found() {
        let text = "//! M.\npub fn get_key() {}\nfn get_it() {}\n";
        check(&[("crates/a/src/m.rs", text)], &["crates/a/src/m.rs:2"]);
    }

    #[test]
    fn vectors_without_a_source_are_found() {
        let path = "crates/vectors/data/aes.txt";
        check(&[(path, "Key = 00\n")], &["crates/vectors/data/aes.txt:1"]);
        check(&[(path, "# source: FIPS 197\nKey = 00\n")], &[]);
    }

    #[test]
    fn white_space_is_found() {
        check(&[("a.md", "a \nb\r\nc")], &["a.md:1", "a.md:2", "a.md:3"]);
    }

    #[test]
    fn code_is_told_from_comments_and_literals() {
        let blank = |text: &str| code_of(text).replace(' ', "");
        assert_eq!(blank("a // b\nc"), "a\nc");
        assert_eq!(blank("a /* b /* c */ d */ e"), "ae");
        assert_eq!(blank(r##"a("b\"c") d"##), "a()d");
        assert_eq!(blank(r###"a(r#"b"c"#) d br"e" f"###), "a()df");
        assert_eq!(blank(r"a('b', '\'', '\\') 'c: d"), "a(,,)'c:d");
        assert_eq!(blank("fn f<'a>(x: &'a str)"), "fnf<'a>(x:&'astr)");
        assert_eq!(blank("for\"x\""), "for");
    }
}
