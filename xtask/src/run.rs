//! Running other programs, and showing how far they are.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Why a command failed, for the user; empty when the screen says it already.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl<T: Display> From<T> for Failure {
    fn from(message: T) -> Self {
        Self(message.to_string())
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// A command of the cargo that runs this program, at the workspace's root.
pub(crate) fn cargo(command: &str) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()).arg(command);
    // `cargo xtask` sets them for this program; they would make cargo build the others anew.
    for name in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME"] {
        cargo.env_remove(name);
    }
    cargo
}

/// Has a program built with more flags, in a directory of its own.
pub(crate) fn build_apart(command: &mut Command, directory: &str, more: &str) {
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    command.env("RUSTFLAGS", format!("{flags} {more}").trim());
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
    command.env("CARGO_TARGET_DIR", target.join(directory));
}

/// Standard output of a command that succeeded.
pub(crate) fn stdout(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program whose output is the command's, and whose exit status 2 (wrong usage) is, too.
pub(crate) fn pass_on(command: &mut Command) -> Result<(), Failure> {
    match command.status()?.code() {
        Some(0) => Ok(()),
        Some(2) => std::process::exit(2),
        _ => Err(Failure(String::new())),
    }
}

/// Runs a program with both its outputs in one pipe, so that their lines keep their order, and
/// hands on each line. Returns whether it succeeded, and all that it wrote.
pub(crate) fn lines(command: &mut Command, mut each: impl FnMut(&str)) -> (bool, String) {
    let spawned = io::pipe().and_then(|(reader, writer)| {
        let command = command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let child = command.spawn();
        // The command holds the writing ends, and the pipe would not end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Ok((child?, reader))
    });
    let (mut child, reader) = match spawned {
        Ok(spawned) => spawned,
        Err(error) => return (false, format!("{}: {error}\n", command.get_program().display())),
    };
    let mut log = String::new();
    for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        each(line.trim_end());
        log.push_str(line.trim_end());
        log.push('\n');
    }
    (child.wait().is_ok_and(|status| status.success()), log)
}

/// Prints a line at once. It takes the place of a [`Step`] that a terminal shows.
pub(crate) fn say(line: &str) {
    let clear = if io::stdout().is_terminal() { "\r\x1b[2K" } else { "" };
    println!("{clear}{line}");
}

/// What a running step is at.
#[derive(Debug, Default)]
pub(crate) struct Step(Mutex<String>);

impl Step {
    /// Says what it is at.
    pub(crate) fn note(&self, what: impl Into<String>) {
        *self.0.lock().unwrap() = what.into();
    }

    /// Runs cargo and shows which crate it is at, a line that it indents. Prints nothing else,
    /// unless it fails.
    pub(crate) fn run(&self, command: &mut Command) -> Outcome {
        let show = |line: &str| {
            if line.starts_with("  ") {
                self.note(line.trim());
            }
        };
        match lines(command, show) {
            (true, _) => Outcome::Fine,
            (false, log) => Outcome::Failed(log),
        }
    }

    /// Runs `cargo test` and shows how many tests have ended.
    pub(crate) fn tests(&self, command: &mut Command) -> Outcome {
        let (mut totals, mut at) = (Totals::default(), String::new());
        let (is_fine, log) = lines(command, |line| {
            totals.add_line(line);
            if line.starts_with("  ") {
                at = line.trim().to_owned();
            }
            self.note(format!("{totals}; {at}"));
        });
        if !is_fine {
            say(&log);
        }
        Outcome::Tests(is_fine, totals)
    }
}

/// Shows what `work` is at: on a terminal in place, elsewhere by a line now and then.
pub(crate) fn watch<T>(label: &str, work: impl FnOnce(&Step) -> T) -> T {
    let (step, start) = (Step::default(), Instant::now());
    let is_terminal = io::stdout().is_terminal();
    let period = Duration::from_secs(if is_terminal { 1 } else { 20 });
    let show = || {
        let seconds = start.elapsed().as_secs();
        let note = step.0.lock().unwrap();
        let line = format!("{label}, {seconds} s: {note}");
        if is_terminal {
            print!("\r\x1b[2K{line:.79}");
            let _ = io::stdout().flush();
        } else {
            println!("{line}");
        }
    };
    thread::scope(|scope| {
        let (is_running, has_ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            while has_ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                show();
            }
        });
        let result = work(&step);
        drop(is_running);
        result
    })
}

/// How a step ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    Fine,
    /// It ran tests; cargo says whether all is well.
    Tests(bool, Totals),
    /// It could not run, and why.
    Skipped(String),
    /// With what the program wrote.
    Failed(String),
}

/// The steps of a command. Each is watched while it runs, and has a line when it has ended.
#[derive(Debug)]
pub(crate) struct Steps {
    count: usize,
    begun: usize,
    totals: Totals,
    failed: Vec<String>,
    start: Instant,
}

impl Steps {
    /// So many.
    pub(crate) fn new(count: usize) -> Self {
        let (totals, start) = (Totals::default(), Instant::now());
        Self { count, begun: 0, totals, failed: Vec::new(), start }
    }

    /// Runs one. True if it did not fail.
    pub(crate) fn step(&mut self, name: &str, work: impl FnOnce(&Step) -> Outcome) -> bool {
        self.begun += 1;
        let label = format!("[{}/{}] {name}", self.begun, self.count);
        let start = Instant::now();
        let (word, rest) = match watch(&label, work) {
            Outcome::Fine => ("ok", String::new()),
            Outcome::Skipped(why) => {
                self.totals.skipped += 1;
                ("-", format!("skipped: {why}"))
            }
            Outcome::Tests(is_fine, totals) => {
                self.totals.passed += totals.passed;
                self.totals.failed += totals.failed;
                (if is_fine { "ok" } else { "FAILED" }, totals.to_string())
            }
            Outcome::Failed(output) => {
                if !output.is_empty() {
                    say(&output);
                }
                ("FAILED", String::new())
            }
        };
        if word == "FAILED" {
            self.failed.push(name.to_owned());
        }
        let seconds = start.elapsed().as_secs_f64();
        say(format!("{label:<36} {word:<6} {seconds:>7.1} s   {rest}").trim_end());
        word != "FAILED"
    }

    /// Prints the sum, and fails if a step has.
    pub(crate) fn end(self) -> Result<(), Failure> {
        say(&format!("{:<36} {:<6} {:>7.1} s", "all", "", self.start.elapsed().as_secs_f64()));
        if self.totals != Totals::default() {
            say(&format!("\n{}", self.totals));
        }
        match self.failed.as_slice() {
            [] => Ok(()),
            failed => Err(format!("failed: {}", failed.join(", ")).into()),
        }
    }
}

/// How many tests passed and failed, and how many steps could not run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Totals {
    /// Adds a test that a test binary reports in a line.
    fn add_line(&mut self, line: &str) {
        let end = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... "));
        self.passed += u64::from(end.is_some_and(|(_, end)| end == "ok"));
        self.failed += u64::from(end.is_some_and(|(_, end)| end == "FAILED"));
    }
}

impl Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// A published crate.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// Without `default`.
    pub(crate) features: Vec<String>,
    /// It has the category no-std.
    pub(crate) is_no_std: bool,
    /// What it depends on at run time.
    pub(crate) dependencies: Vec<String>,
}

/// The published crates, by `cargo metadata`.
pub(crate) fn libraries() -> Result<Vec<Library>, Failure> {
    let text = stdout(cargo("metadata").args(["--no-deps", "--format-version", "1"]));
    let metadata: serde_json::Value = serde_json::from_str(&text.ok_or("cargo metadata failed")?)?;
    let string = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let published = packages.filter(|package| package["publish"].is_null());
    Ok(published
        .map(|package| Library {
            name: string(&package["name"]),
            folder: PathBuf::from(string(&package["manifest_path"])).with_file_name(""),
            features: (package["features"].as_object().into_iter().flatten())
                .map(|(name, _)| name.clone())
                .filter(|name| name != "default")
                .collect(),
            is_no_std: (package["categories"].as_array().into_iter().flatten())
                .any(|category| category == "no-std"),
            dependencies: (package["dependencies"].as_array().into_iter().flatten())
                .filter(|dependency| dependency["kind"].is_null())
                .map(|dependency| string(&dependency["name"]))
                .collect(),
        })
        .collect())
}

/// Rows of JSON, one a line, that programs write to a file of this process in turn.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The file.
    pub(crate) part: PathBuf,
    rows: Vec<String>,
}

impl Rows {
    /// None yet.
    pub(crate) fn new() -> Self {
        let part = root().join(format!("target/rows-{}.jsonl", std::process::id()));
        Self { part, rows: Vec::new() }
    }

    /// Takes what a program wrote; one that died wrote nothing, which its exit status says.
    pub(crate) fn collect(&mut self) {
        let text = std::fs::read_to_string(&self.part).unwrap_or_default();
        self.rows.extend(text.lines().map(|line| format!("  {line}")));
        let _ = std::fs::remove_file(&self.part);
    }

    /// Writes all as one array.
    pub(crate) fn write(&self, file: &Path) -> Result<(), Failure> {
        let array = format!("[\n{}\n]\n", self.rows.join(",\n"));
        std::fs::write(file, array).map_err(|error| format!("{}: {error}", file.display()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_by_their_lines() {
        let mut totals = Totals::default();
        for line in ["running 3 tests", "test a ... ok", "test b - should panic ... FAILED"] {
            totals.add_line(line);
        }
        totals.add_line("test src/lib.rs - c (line 3) ... ignored");
        totals.add_line("test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured");
        assert_eq!(totals.to_string(), "1 passed, 1 failed");
    }

    #[test]
    fn a_program_that_fails_or_is_not_there_fails_its_step() {
        let mut steps = Steps::new(2);
        assert!(!steps.step("no such option", |step| step.run(cargo("--no-such-option").arg("x"))));
        assert!(
            !steps.step("no such program", |step| step.run(&mut Command::new("no-such-program")))
        );
        assert_eq!(steps.end().unwrap_err().0, "failed: no such option, no such program");
    }

    #[test]
    fn the_published_crates_are_known() {
        let libraries = libraries().unwrap();
        let modes = libraries.iter().find(|library| library.name == "cinder-modes").unwrap();
        assert!(modes.dependencies.iter().any(|name| name == "cinder-burn"));
        assert!(modes.folder.join("src/lib.rs").is_file());
        assert!(libraries.iter().all(|library| library.name.starts_with("cinder-")));
    }
}
