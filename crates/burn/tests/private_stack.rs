//! Calls on a stack of their own: the value comes back, a panic comes through, nothing stays.

#![expect(unsafe_code, reason = "private stacks are unsafe to use")]
#![cfg(all(
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm"),
    target_os = "linux",
    not(miri)
))]

use cinder_burn::{Depth, PrivateStack, probe, scope};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// All of the value but the canary below the stack.
fn is_wiped<const N: usize>(stack: &PrivateStack<N>) -> bool {
    let len = size_of_val(stack) - 64;
    // SAFETY: plain bytes, all of them written by `new`; the padding of an odd N by `returns`.
    let bytes =
        unsafe { std::slice::from_raw_parts((&raw const *stack).cast::<u8>().add(64), len) };
    bytes.iter().all(|&byte| byte == 0)
}

/// A frame of `LEN` bytes of a secret, and aligned vectors and floats in it.
#[inline(never)]
fn foreign<const LEN: usize>(seed: u8) -> u64 {
    #[repr(align(64))]
    struct Aligned([f64; 8]);
    let mut frame = [seed; LEN];
    let mut aligned = Aligned([f64::from(seed); 8]);
    black_box(&mut aligned);
    assert!((&raw const aligned).addr().is_multiple_of(64));
    black_box(&mut frame);
    frame.iter().map(|&byte| u64::from(byte)).sum::<u64>() + aligned.0[black_box(7)] as u64
}

fn returns<const N: usize>() {
    let mut stack = Box::new(PrivateStack::<N>::new());
    // SAFETY: zeros are what `new` writes, but for the padding.
    unsafe { (&raw mut *stack).write_bytes(0, 1) };
    for seed in 1..20 {
        let outside = black_box(seed);
        let mut sum = 0;
        // SAFETY: `foreign` needs its frame and a few words, unoptimised some iterators besides.
        let result = unsafe {
            stack.run(|| {
                sum = foreign::<500>(seed);
                [sum, 1, 2, 3, 4, 5, u64::from(outside)]
            })
        };
        assert_eq!(result, [501 * u64::from(seed), 1, 2, 3, 4, 5, u64::from(seed)]);
        assert_eq!((sum, outside), (501 * u64::from(seed), seed));
        assert!(is_wiped(&stack));
    }
}

#[test]
fn values_come_back() {
    returns::<8192>();
    returns::<8191>();
    returns::<8129>();
    returns::<65536>();
}

/// What `f` used lies in the value, and the caller's stack has next to nothing of it.
#[test]
fn it_is_another_stack() {
    let mut stack = Box::new(PrivateStack::<65536>::new());
    let place = (&raw const *stack).addr()..(&raw const *stack).addr() + size_of_val(&*stack);
    let mut local = 0;
    // SAFETY: less than a page.
    unsafe { stack.run(|| local = (&raw const *black_box(&mut 7)).addr()) };
    assert!(place.contains(&local));
    // SAFETY: 33000 bytes of frame, and 4 KiB for what is called in it.
    let depth = probe::depth_of(|| unsafe { _ = stack.run(|| foreign::<33000>(3)) });
    let burnt = Depth::MARGIN_UNOPTIMISED + 4096;
    assert!(depth.expect("a probe") < burnt, "{depth:?}");
    assert!(is_wiped(&stack));
}

#[test]
fn stacks_in_stacks() {
    let mut outer = Box::new(PrivateStack::<65536>::new());
    let mut inner = Box::new(PrivateStack::<16384>::new());
    for seed in 0..9 {
        // SAFETY: the inner one needs 4 KiB; the outer one that and what a burn reaches.
        let sum = unsafe {
            outer.run(|| {
                let sum = scope(|| (foreign::<300>(seed), Depth::here().deeper(2000)));
                // On a stack on a stack.
                let mut third = PrivateStack::<8192>::new();
                sum + inner.run(|| foreign::<700>(seed)) + third.run(|| foreign::<90>(seed))
            })
        };
        assert_eq!(sum, (301 + 701 + 91) * u64::from(seed));
        assert!(is_wiped(&inner) && is_wiped(&outer));
    }
}

/// A value of each kind that a callee keeps, live over the call.
#[test]
fn live_values_survive() {
    let mut stack = Box::new(PrivateStack::<16384>::new());
    for seed in 0..50_u64 {
        let ints: [u64; 24] = std::array::from_fn(|i| black_box(seed ^ (i as u64) << 40));
        let floats: [f64; 24] = std::array::from_fn(|i| black_box(seed as f64 + i as f64 / 4.0));
        // SAFETY: 4 KiB at most.
        let sum = unsafe { stack.run(|| foreign::<64>(ints[5] as u8)) };
        assert_eq!(sum, 65 * seed);
        assert_eq!(ints, std::array::from_fn(|i| seed ^ (i as u64) << 40));
        assert_eq!(floats, std::array::from_fn(|i| seed as f64 + i as f64 / 4.0));
    }
}

#[test]
fn a_panic_comes_through() {
    struct Dropped<'a>(&'a mut u32);
    impl Drop for Dropped<'_> {
        fn drop(&mut self) {
            *self.0 += 1;
        }
    }
    let mut stack = Box::new(PrivateStack::<{ 128 * 1024 }>::new());
    let mut inner = Box::new(PrivateStack::<65536>::new());
    for _ in 0..3 {
        let mut drops = 0;
        let result = catch_unwind(AssertUnwindSafe(|| {
            let counter = &mut drops;
            // SAFETY: unwinding needs 8 KiB, a scope burns 36 KiB meanwhile.
            unsafe {
                stack.run(|| {
                    let _dropped = Dropped(counter);
                    scope(|| {
                        let depth = Depth::here();
                        inner.run(|| {
                            let sum = foreign::<300>(5);
                            if black_box(sum) != 0 {
                                resume_unwind(Box::new(sum));
                            }
                        });
                        ((), depth)
                    });
                });
            }
        }));
        assert_eq!(result.unwrap_err().downcast_ref(), Some(&(301 * 5_u64)));
        assert_eq!(drops, 1);
        assert!(is_wiped(&stack) && is_wiped(&inner));
    }
    // Caught on the private stack itself, and with a backtrace that looks through it.
    // SAFETY: a backtrace needs less than 64 KiB in an unoptimised build, too.
    let lines = unsafe {
        stack.run(|| {
            let caught = catch_unwind(|| resume_unwind(Box::new(())));
            assert!(caught.is_err());
            std::backtrace::Backtrace::force_capture().to_string().lines().count()
        })
    };
    assert!(lines > 4, "{lines}");
    assert!(is_wiped(&stack));
}

/// A closure that owns something is dropped once, and its result too.
#[test]
fn owned_values_are_dropped_once() {
    let mut stack = Box::new(PrivateStack::<16384>::new());
    let shared = std::sync::Arc::new(5);
    let moved = shared.clone();
    // SAFETY: less than 4 KiB.
    let back = unsafe { stack.run(move || (moved.clone(), moved)) };
    assert_eq!(std::sync::Arc::strong_count(&shared), 3);
    drop(back);
    assert_eq!(std::sync::Arc::strong_count(&shared), 1);
}

#[test]
fn every_thread_has_its_own() {
    std::thread::scope(|threads| {
        for seed in 1..5 {
            let mut stack = Box::new(PrivateStack::<65536>::new());
            let thread = std::thread::Builder::new().stack_size(32 * 1024);
            let spawned = thread.spawn_scoped(threads, move || {
                for _ in 0..100 {
                    // SAFETY: more than the thread's own stack has, and less than this one.
                    let sum = unsafe { stack.run(|| foreign::<40000>(seed)) };
                    assert_eq!(sum, 40001 * u64::from(seed));
                    assert!(is_wiped(&stack));
                }
            });
            spawned.expect("a thread");
        }
    });
}

/// In a process of its own, which it ends: an overflow into memory that happens to be spare.
#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "an emulator does not start itself again")]
fn an_overflow_aborts() {
    const VARIABLE: &str = "BURN_TEST_OVERFLOW";
    #[repr(C)]
    struct Spare {
        below: [u8; 65536],
        stack: PrivateStack<4096>,
    }
    if std::env::var_os(VARIABLE).is_some() {
        let mut spare = Box::new(Spare { below: [0; 65536], stack: PrivateStack::new() });
        black_box(&mut spare.below);
        // SAFETY: the room that the stack lacks lies below it and belongs to nothing else.
        unsafe { spare.stack.run(|| foreign::<30000>(1)) };
        return;
    }
    let mut child = std::process::Command::new(std::env::current_exe().expect("this program"));
    child.args(["--exact", "an_overflow_aborts", "--nocapture"]).env(VARIABLE, "1");
    let output = child.output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("a private stack overflowed"), "{text}");
}
