//! What memcheck says of this program, or what its traces do, by kernels.

use super::{Cell, Memcheck, kernels, memcheck, trace};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::{BufRead, BufReader, ErrorKind};
use std::process::{Command, ExitCode};

/// What memcheck must not report: the burns, and what is made public.
const SUPPRESSIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../burn/memcheck.supp");

/// Frames of a report of memcheck's that are shown.
const FRAMES: usize = 4;

/// A step of a mode on a kernel.
type Name = [String; 4];

/// Runs this program under valgrind or the emulator and prints a row for each kernel, and where something was found in
/// what claims constant time.
pub(super) fn print(title: &str) -> Result<ExitCode, Box<dyn Error>> {
    let found = match trace::compared()? {
        Some(cells) => Some((cells, BTreeMap::new())),
        None if memcheck::IS_KNOWN => look()?,
        None => None,
    };
    let Some((cells, places)) = found else {
        println!("{title}: no valgrind for this program: apt-get install valgrind");
        return Ok(ExitCode::FAILURE);
    };
    println!("{title}: branches and addresses that depend on secrets");
    println!(" {:<12} {:<28} {:>6} {:>9}  constant time", "cipher", "kernel", "cells", "findings");
    let mut rows: BTreeMap<_, Vec<&Cell>> = BTreeMap::new();
    for cell in &cells {
        rows.entry((row(cell), cell.claims())).or_default().push(cell);
    }
    let (mut bad, mut controls, mut silent) = (0, 0, 0);
    for (((cipher, kernel), claims), cells) in &rows {
        let found: Vec<_> = cells.iter().filter(|cell| cell.findings > 0).collect();
        let findings: u64 = found.iter().map(|cell| cell.findings).sum();
        let (is_fine, answer) = match (claims, findings) {
            (true, 0) => (true, "yes"),
            (true, _) => (false, "NO"),
            (false, 0) => (false, "a control that was not found"),
            (false, _) => (true, "no"),
        };
        let mark = if is_fine { ' ' } else { '!' };
        println!("{mark}{cipher:<12} {kernel:<28} {:>6} {findings:>9}  {answer}", cells.len());
        if !claims {
            (controls, silent) = (controls + 1, silent + usize::from(findings == 0));
            continue;
        }
        bad += found.len();
        for cell in found {
            let name = name(cell);
            println!("!   {}: {}", name.join(" "), cell.findings);
            // Memcheck reports a place once; it may have done so in another step.
            places.get(&name).into_iter().flatten().for_each(|place| println!("!     {place}"));
        }
    }
    let run: BTreeSet<_> = cells.iter().map(row).collect();
    for (cipher, kernel) in kernels() {
        if !run.contains(&(cipher, &kernel)) {
            println!(" {cipher:<12} {kernel:<28} not run");
        }
    }
    let claiming = cells.iter().filter(|cell| cell.claims()).count();
    println!(
        "{title}: {claiming} cells that claim constant time, {bad} with findings; {controls} controls, \
         {silent} not found"
    );
    let is_fine = claiming > 0 && bad == 0 && controls > 0 && silent == 0;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The row of a cell. GCM has kernels of its own, over those of all ciphers.
fn row(cell: &Cell) -> (&str, &str) {
    match cell.kernel.split_once(", ") {
        Some((_, kernel)) if cell.mode == "GCM" => ("GCM", kernel),
        _ => (&cell.cipher, &cell.kernel),
    }
}

fn name(Cell { cipher, mode, kernel, step, .. }: &Cell) -> Name {
    [cipher, mode, kernel, step].map(String::clone)
}

/// Runs this program under valgrind: its cells, and where memcheck found something. `None` without
/// valgrind.
#[expect(clippy::type_complexity, reason = "it is used once")]
fn look() -> Result<Option<(Vec<Cell>, BTreeMap<Name, BTreeSet<String>>)>, Box<dyn Error>> {
    let (reader, writer) = std::io::pipe()?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--error-limit=no", "--num-callers=8"]);
    valgrind.arg(format!("--suppressions={SUPPRESSIONS}"));
    valgrind.arg(std::env::current_exe()?).args(std::env::args_os().skip(1));
    valgrind.stdout(writer.try_clone()?).stderr(writer);
    let mut child = match valgrind.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        child => child?,
    };
    // It holds the writing ends, and the pipe would not end.
    drop(valgrind);
    let (mut cells, mut places) = (vec![], BTreeMap::new());
    let mut parser = Parser::default();
    let mut last = String::new();
    for line in BufReader::new(reader).lines() {
        let line = line?;
        if let Some(cell) = Cell::parse(&line) {
            places.extend(parser.steps.remove(&cell.step).map(|found| (name(&cell), found)));
            cells.push(cell);
        } else if !parser.takes(&line) {
            last = line;
        }
    }
    if !child.wait()?.success() {
        return Err(format!("under valgrind: {last}").into());
    }
    Ok(Some((cells, places)))
}

/// Puts memcheck's reports together.
#[derive(Default)]
struct Parser {
    /// The frames of the last one.
    frames: Vec<String>,
    /// Those of the step that runs.
    reports: BTreeSet<String>,
    /// Those of the steps of the scan that runs.
    steps: BTreeMap<String, BTreeSet<String>>,
}

impl Parser {
    /// Whether the line is memcheck's, or ends a step's.
    fn takes(&mut self, line: &str) -> bool {
        if let Some(step) = line.strip_prefix(Memcheck::MARK) {
            self.end();
            self.steps.entry(step.to_owned()).or_default().append(&mut self.reports);
            return true;
        }
        let Some((_, line)) = line.strip_prefix("==").and_then(|line| line.split_once("== "))
        else {
            return line.starts_with("==");
        };
        match line.trim_start().split_once(": ") {
            Some((at, frame)) if at.starts_with("at 0x") => {
                self.end();
                self.frames.push(frame.to_owned());
            }
            Some((by, frame)) if by.starts_with("by 0x") && self.frames.len() < FRAMES => {
                self.frames.push(frame.to_owned());
            }
            _ => {}
        }
        true
    }

    fn end(&mut self) {
        if !self.frames.is_empty() {
            self.reports.insert(std::mem::take(&mut self.frames).join(" < "));
        }
    }
}
