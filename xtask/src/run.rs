//! Running other programs: steps with a time, captured output, `cargo test` totals.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, PipeReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Why a command failed, for the user; empty when everything has been said already.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl Failure {
    /// A failure whose reason is on the screen already.
    pub(crate) fn said() -> Self {
        Self(String::new())
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// The cargo that runs this program, at the workspace's root.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    // Set by `cargo xtask` for this program; they would make cargo build the others anew.
    for name in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME"] {
        command.env_remove(name);
    }
    command
}

/// Seconds, as steps print them.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Prints one line and flushes it, so that a log shows how far a long step is.
pub(crate) fn say(line: &str) {
    println!("{line}");
    let _ = std::io::stdout().flush();
}

/// Runs a command without a terminal and returns whether it succeeded, and all its output.
pub(crate) fn capture(command: &mut Command) -> (bool, String) {
    match command.stdin(Stdio::null()).output() {
        Ok(output) => {
            let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.push_str(&String::from_utf8_lossy(&output.stderr));
            (output.status.success(), text)
        }
        Err(error) => (false, format!("{}: {error}\n", command.get_program().display())),
    }
}

/// Standard output of a command that succeeded.
pub(crate) fn stdout(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command for at most `limit`, its output thrown away; true if it succeeded in time.
pub(crate) fn succeeds_within(command: &mut Command, limit: Duration) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if start.elapsed() < limit => thread::sleep(Duration::from_millis(50)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

/// The file that a program's name stands for on this machine.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// What `cargo test` reported, summed over its test binaries and doctests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Totals {
    /// Adds a line of cargo's output, if it is a `test result:` line.
    pub(crate) fn add_line(&mut self, line: &str) {
        let Some(result) = line.trim().strip_prefix("test result:") else { return };
        let words: Vec<&str> = result.split([' ', ';']).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(count) = pair[0].parse::<u64>() else { continue };
            match pair[1] {
                "passed" => self.passed += count,
                "failed" => self.failed += count,
                _ => {}
            }
        }
    }

    /// The sum of two.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// What of a `cargo test` that passes is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// Each test binary's result, as it comes.
    Each,
    /// Nothing.
    Sum,
}

/// Runs `cargo test` and sums its results. All its output is printed if it fails. True if cargo
/// said that all is well.
pub(crate) fn tests(command: &mut Command, report: Report) -> (bool, Totals) {
    let (mut child, lines) = match spawn_merged(command) {
        Ok(spawned) => spawned,
        Err(error) => {
            say(&format!("{}: {error}", command.get_program().display()));
            return (false, Totals::default());
        }
    };
    let mut totals = Totals::default();
    let mut log = String::new();
    let mut unit = String::new();
    for line in BufReader::new(lines).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        let trimmed = line.trim();
        if let Some(name) = unit_name(trimmed) {
            unit = name;
        }
        if let Some(result) = trimmed.strip_prefix("test result:") {
            totals.add_line(trimmed);
            let is_empty = result.contains(" 0 passed; 0 failed; 0 ignored");
            if report == Report::Each && !is_empty {
                say(&format!("    {unit}: test result:{result}"));
            }
        }
        log.push_str(line);
        log.push('\n');
    }
    let fine = child.wait().is_ok_and(|status| status.success());
    if !fine {
        say(&log);
    }
    (fine, totals)
}

/// `Running unittests src/lib.rs (target/debug/deps/burn-0123)` and `Doc-tests burn`.
fn unit_name(line: &str) -> Option<String> {
    if let Some(name) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{name} (doc)"));
    }
    let (source, binary) = line.strip_prefix("Running ")?.split_once(" (")?;
    let binary = binary.trim_end_matches(')').rsplit(['/', '\\']).next()?;
    let name = binary.rsplit_once('-').map_or(binary, |(name, _)| name);
    let source = source.strip_prefix("unittests ").unwrap_or(source);
    Some(format!("{name} ({source})"))
}

/// Starts a program with both its outputs in one pipe: cargo names a test binary on one and the
/// binary reports on the other, and which report is whose is a matter of their order.
fn spawn_merged(command: &mut Command) -> io::Result<(Child, PipeReader)> {
    let (reader, writer) = io::pipe()?;
    let child = command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).spawn();
    // The command holds the writing ends, and the pipe would not end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Ok((child?, reader))
}

/// Joins two lists of library paths.
pub(crate) fn join_paths(paths: &[&OsStr]) -> std::ffi::OsString {
    std::env::join_paths(paths).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_read_cargos_result_lines() {
        let mut totals = Totals::default();
        totals.add_line("running 3 tests");
        totals.add_line(
            "test result: FAILED. 21 passed; 2 failed; 4 ignored; 0 measured; 7 filtered out; \
             finished in 0.50s",
        );
        totals.add_line("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured");
        assert_eq!(totals, Totals { passed: 24, failed: 2 });
        assert_eq!(totals.to_string(), "24 passed, 2 failed");
    }

    #[test]
    fn units_are_named_by_crate_and_source() {
        let name = unit_name("Running unittests src/lib.rs (target/debug/deps/burn-0a1b)");
        assert_eq!(name.as_deref(), Some("burn (src/lib.rs)"));
        let name = unit_name("Running tests/laws.rs (target/debug/deps/laws-0a1b)");
        assert_eq!(name.as_deref(), Some("laws (tests/laws.rs)"));
        assert_eq!(unit_name("Doc-tests burn").as_deref(), Some("burn (doc)"));
        assert_eq!(unit_name("Compiling burn v0.1.0"), None);
    }
}
