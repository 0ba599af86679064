//! The private stack: in one allocation, from low to high, the guard, the stack and the kept
//! registers.

use crate::arch::{self, KEPT_SIZE, Registers};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ffi::c_void;

/// Bytes of it all, and its alignment: from any address in it, a mask leads to its end.
pub(crate) const WHOLE: usize = 256 * 1024;
/// Bytes of private stack: room for an operation of 64 KiB and a panic with a backtrace in an
/// unoptimised build.
const SIZE: usize = WHOLE - GUARD - KEPT_SIZE;
const PAGE: usize = 4096;
/// What no operation has written is this byte.
pub(crate) const PAINT: u8 = 0xb7;

/// Bytes below the stack that nothing may touch: an operation that is too deep dies there, as it
/// would on any stack, and does not write over the heap. The largest page of the targets.
const GUARD: usize = 64 * 1024;

pub(crate) struct Stack {
    /// The lowest byte above the guard.
    base: *mut u8,
}

impl Stack {
    const LAYOUT: Layout = match Layout::from_size_align(WHOLE, WHOLE) {
        Ok(layout) => layout,
        Err(_) => panic!(),
    };

    pub(crate) fn new() -> Self {
        // SAFETY: the layout is not empty.
        let lowest = unsafe { alloc(Self::LAYOUT) };
        if lowest.is_null() {
            handle_alloc_error(Self::LAYOUT);
        }
        // SAFETY: the allocation has more than GUARD bytes.
        let base = unsafe { lowest.add(GUARD) };
        // SAFETY: and SIZE of them are left.
        unsafe { base.write_bytes(PAINT, SIZE) };
        let stack = Stack { base };
        stack.guard(false);
        stack
    }

    /// Lets the guard be touched, or not.
    #[cfg(unix)]
    fn guard(&self, touchable: bool) {
        unsafe extern "C" {
            fn mprotect(address: *mut c_void, len: usize, protection: i32) -> i32;
        }
        /// `PROT_READ | PROT_WRITE`, and `PROT_NONE` is 0.
        const READ_AND_WRITE: i32 = 3;
        let protection = if touchable { READ_AND_WRITE } else { 0 };
        // SAFETY: the guard is whole pages of our allocation, and nobody has a reference to it.
        let result = unsafe { mprotect(self.base.sub(GUARD).cast(), GUARD, protection) };
        assert_eq!(result, 0, "mprotect failed");
    }

    #[cfg(not(unix))]
    fn guard(&self, _touchable: bool) {}

    /// Runs `f`, which must not unwind, on this stack.
    pub(crate) fn run(&mut self, mut f: &mut dyn FnMut(), registers: &mut Registers) {
        extern "C" fn enter(data: *mut c_void) {
            // SAFETY: `run` below passes its own `f`.
            let f = unsafe { &mut *data.cast::<&mut dyn FnMut()>() };
            f();
        }
        // SAFETY: the kept registers stand above the stack, up to the end of the allocation.
        unsafe { self.base.add(SIZE).write_bytes(0, KEPT_SIZE) };
        // SAFETY: `enter` gets `f`. An unwinding f would abort at `extern "C"`. The top is KEPT_SIZE, a
        // multiple of 64, below the end of an allocation with the alignment of a page.
        unsafe { arch::call_on(enter, (&raw mut f).cast(), self.base.add(SIZE), registers) };
    }

    /// The registers that a callee must give back, as the last operation left them.
    pub(crate) fn kept(&self) -> [u8; KEPT_SIZE] {
        // SAFETY: they stand above the stack, written by `run`.
        unsafe { self.base.add(SIZE).cast::<[u8; KEPT_SIZE]>().read() }
    }

    /// What was written since the last time, from the lowest address to the top; paints it over.
    pub(crate) fn take_dirty(&mut self) -> Vec<u8> {
        // SAFETY: the allocation has SIZE bytes, all written by `new`, and nobody runs on it.
        let stack = unsafe { std::slice::from_raw_parts_mut(self.base, SIZE) };
        let clean_page = [PAINT; PAGE];
        let clean = stack.chunks_exact(PAGE).take_while(|page| **page == clean_page).count();
        assert!(clean > 0, "the operation needs more than {} KiB of stack", (SIZE - PAGE) / 1024);
        let dirty = &mut stack[clean * PAGE..];
        let start = dirty.iter().position(|&byte| byte != PAINT).unwrap_or(dirty.len());
        let dirty = &mut dirty[start..];
        let copy = dirty.to_vec();
        dirty.fill(PAINT);
        copy
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        self.guard(true);
        // SAFETY: allocated in `new` with this layout, GUARD below the base.
        unsafe { dealloc(self.base.sub(GUARD), Self::LAYOUT) };
    }
}
