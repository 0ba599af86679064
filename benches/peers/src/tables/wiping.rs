//! What a burn and a wipe cost by themselves, beside a loop over bytes that the compiler may not
//! remove.

use crate::bench::{Bench, Candidate, Implementation};
use crate::job::Direction;
use crate::measure::Task;
use crate::text;
use cinder_burn::Depth;
use std::hint::black_box;
use std::mem::MaybeUninit;

/// What clears: its name, the task for a length, and the same without clearing.
type Row = (&'static str, fn(usize) -> Task, fn(usize) -> Task);

/// Burning to a depth: the stack to there and the margin, and the registers.
pub(crate) fn burns(bench: &mut Bench) {
    let rows: [Row; 2] = [
        (
            "burn",
            |bytes| Task::new(0, move |_| cinder_burn::burn(dive(black_box(bytes)))),
            |bytes| Task::new(0, move |_| _ = dive(black_box(bytes))),
        ),
        (
            "bytes, the stack alone",
            |bytes| match bytes {
                64 => Task::new(0, |_| stack_by_bytes::<64>()),
                256 => Task::new(0, |_| stack_by_bytes::<256>()),
                512 => Task::new(0, |_| stack_by_bytes::<512>()),
                _ => Task::new(0, |_| stack_by_bytes::<4096>()),
            },
            nothing,
        ),
    ];
    run(bench, "burn-depth", "a burn of a depth", &rows, &[64, 256, 512, 4096]);
}

/// Wiping memory.
pub(crate) fn wipes(bench: &mut Bench) {
    let rows: [Row; 3] = [
        ("wipe", |bytes| Task::new(bytes, cinder_burn::wipe), nothing),
        ("zeroize", |bytes| Task::new(bytes, zeroize::Zeroize::zeroize), nothing),
        ("bytes", |bytes| Task::new(bytes, memory_by_bytes), nothing),
    ];
    run(bench, "wipe", "wiping memory", &rows, &[16, 64, 256, 1 << 10, 4 << 10, 64 << 10]);
}

/// Prints what clearing adds to each call.
fn run(bench: &mut Bench, table: &'static str, what: &str, rows: &[Row], sizes: &[usize]) {
    if !bench.options.wants(table, "") {
        return;
    }
    println!("\n{table}: {} of {what}", bench.scale().of_a_call());
    text::row("", "", &sizes.iter().map(|&bytes| text::size(bytes)).collect::<Vec<_>>());
    let mut figures = vec![Vec::new(); rows.len()];
    for &bytes in sizes {
        let mut candidates = Vec::new();
        for &(name, clear, keep) in rows {
            for (kernel, task) in [(name.to_owned(), clear), (format!("{name}: without"), keep)] {
                let implementation = Implementation::Ours;
                candidates.push(Candidate { implementation, kernel, task: task(bytes) });
            }
        }
        let label = (table, "memory", "clear", Direction::Encrypt.name());
        let records = bench.measure(label, bytes, candidates);
        for (row, pair) in figures.iter_mut().zip(records.chunks(2)) {
            row.push(format!("{:.1}", pair[0].ns - pair[1].ns));
        }
    }
    for ((name, ..), figures) in rows.iter().zip(&figures) {
        text::row("", name, figures);
    }
}

fn nothing(_bytes: usize) -> Task {
    Task::new(0, |_| ())
}

/// A call that goes so deep, as far as a burn can tell.
#[inline(never)]
fn dive(bytes: usize) -> Depth {
    Depth::here().deeper(bytes)
}

#[inline(never)]
fn stack_by_bytes<const BYTES: usize>() {
    let mut frame = MaybeUninit::<[u8; BYTES]>::uninit();
    // SAFETY: the frame has so many bytes.
    unsafe { zero_by_bytes(frame.as_mut_ptr().cast(), BYTES) }
}

fn memory_by_bytes(data: &mut [u8]) {
    // SAFETY: a reference is valid for writes.
    unsafe { zero_by_bytes(data.as_mut_ptr(), data.len()) }
}

/// # Safety
///
/// `pointer` is valid for writes of `len` bytes.
#[inline(always)]
unsafe fn zero_by_bytes(pointer: *mut u8, len: usize) {
    for i in 0..len {
        // SAFETY: by the caller.
        unsafe { pointer.add(i).write_volatile(0) }
    }
}
