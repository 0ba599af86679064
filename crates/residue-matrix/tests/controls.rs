//! The controls hold, and the command fails when it should.

use cinder_residue::controls::Control;
use residue_matrix::controls;
use std::process::{Command, Output};

#[test]
fn controls_hold() {
    if !cinder_residue::supported() {
        return;
    }
    let mut controls: Vec<Control> = vec![];
    controls::run(|control| controls.push(control));
    for control in &controls {
        assert!(control.is_fine, "{control}");
    }
    // The stack, two parts of a vector register, a general register, one that is given back, a freed
    // block, and the two depths.
    assert!(controls.len() >= 8);
}

/// `None` where an emulator runs this test: it starts no other program of the target.
fn command(arguments: &[&str]) -> Option<Output> {
    const ENOEXEC: i32 = 8;
    /// What a child says that could not be started, where `vfork` is emulated by `fork`.
    const NOT_STARTED: i32 = 127;
    let emulated = !cfg!(target_arch = "x86_64");
    let mut command = Command::new(env!("CARGO_BIN_EXE_residue"));
    match command.args(arguments).output() {
        Ok(output) if emulated && output.status.code() == Some(NOT_STARTED) => None,
        Ok(output) => Some(output),
        Err(error) if error.raw_os_error() == Some(ENOEXEC) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The last line but for the errors: the sums.
fn sums(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_command_exits_with_1_on_any_byte() {
    if !cinder_residue::supported() {
        return;
    }
    let Some(clean) = command(&["--quick", "ARCFOUR"]) else { return };
    assert!(clean.status.success(), "{clean:?}");
    assert!(sums(&clean).contains(" 0 with residue, 0 bytes;"), "{}", sums(&clean));

    let json = concat!(env!("CARGO_TARGET_TMPDIR"), "/leaky.json");
    let leaky = command(&["--quick", "--leak", "--json", json, "leaky/CTR"]).unwrap();
    assert_eq!(leaky.status.code(), Some(1), "{leaky:?}");
    assert!(!sums(&leaky).contains(" 0 with residue"), "{}", sums(&leaky));

    let rows = std::fs::read_to_string(json).unwrap();
    assert!(sums(&leaky).contains(&format!(": {} cells, ", rows.lines().count())));
    for row in rows.lines() {
        let names = ["target", "profile", "cipher", "mode", "kernel", "step"];
        let bytes = ["stack", "vector", "general", "heap", "depth"];
        for name in names.iter().chain(&bytes) {
            assert!(row.contains(&format!("\"{name}\":")), "no {name} in {row}");
        }
    }
    assert!(rows.lines().any(|row| !row.contains("\"stack\":0,")), "{rows}");
}
