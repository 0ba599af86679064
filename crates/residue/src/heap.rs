//! A global allocator that keeps what a watched operation frees until it was looked at.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

/// The system's allocator, and a look at each block that a watched operation frees.
///
/// ```
/// #[global_allocator]
/// static HEAP: cinder_residue::Heap = cinder_residue::Heap;
/// # if !cinder_residue::supported() { return }
/// let report = cinder_residue::scan(|trial| {
///     let key = Box::new(trial.key::<16>());
///     trial.watch("forgotten", || drop(key));
/// });
/// assert_eq!(report.step("forgotten").left.heap, 16);
/// ```
///
/// Blocks begin as zeros, so that what the operation does not write there is nothing that an earlier
/// owner left.
#[derive(Debug)]
pub struct Heap;

type Block = (*mut u8, Layout);

/// Blocks that one operation may free.
const MOST: usize = 1024;

thread_local! {
    /// The list of the operation that this thread is watching.
    static FREED: Cell<*mut Vec<Block>> = const { Cell::new(ptr::null_mut()) };
}

// SAFETY: the system's allocator, whose blocks are given back later.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let freed = FREED.try_with(Cell::get).unwrap_or(ptr::null_mut());
        // SAFETY: `watching` has put its own list there, and uses it when it has taken it away.
        match unsafe { freed.as_mut() } {
            // Within its capacity, or it would come back here.
            Some(freed) if freed.len() < MOST => freed.push((block, layout)),
            // SAFETY: the caller's promise.
            _ => unsafe { System.dealloc(block, layout) },
        }
    }
}

/// Runs `f` and returns what was in the blocks that it freed, one after the other.
pub(crate) fn watching(f: impl FnOnce()) -> Vec<u8> {
    let mut freed = Vec::with_capacity(MOST);
    FREED.set(&raw mut freed);
    f();
    FREED.set(ptr::null_mut());
    assert!(freed.len() < MOST, "the operation frees {MOST} blocks or more");
    let mut bytes = vec![];
    for (block, layout) in freed {
        // SAFETY: a block of this size, all of which was written when it was allocated, and which
        // nobody else has any more.
        unsafe {
            bytes.extend_from_slice(std::slice::from_raw_parts(block, layout.size()));
            System.dealloc(block, layout);
        }
    }
    bytes
}

/// Whether [`Heap`] is the program's allocator.
pub(crate) fn is_looked_at() -> bool {
    let block = Box::new(1);
    !watching(|| drop(std::hint::black_box(block))).is_empty()
}
