//! A burn takes nothing that belongs to anybody: registers that a callee must keep, the frames of
//! its callers, the stack beyond what it was asked for.
#![expect(unsafe_code, reason = "sends depths to other threads")]

use cinder_burn::probe::{self, ProbeError};
use cinder_burn::{Depth, burn, scope};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::Builder;

/// Fills some stack and as many registers as the compiler likes to use.
#[inline(never)]
fn soil<const LEN: usize>(seed: u64) -> Depth {
    let mut words = [seed; LEN];
    for (i, word) in words.iter_mut().enumerate() {
        *word = word.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32);
    }
    black_box(&mut words);
    Depth::here()
}

/// Depths as they come, and as they should not: none, of a caller, of another thread.
fn depths() -> [Depth; 5] {
    [soil::<4>(1), soil::<700>(2), Depth::NONE, Depth::here(), Depth::here().deeper(20_000)]
}

/// More of each kind than there are registers, so that some live in registers that a callee
/// keeps and the others in the frame.
#[inline(never)]
fn live_values(seed: u64, depth: Depth, how: fn(Depth)) {
    let ints: [u64; 24] = std::array::from_fn(|i| black_box(seed ^ (i as u64) << 40));
    let floats: [f64; 24] = std::array::from_fn(|i| black_box(seed as f64 + i as f64 / 4.0));
    let [a, b, c, d, e, f, g, h, ..] = ints.map(|x| x.rotate_left(9));
    let [p, q, r, s, t, u, v, w, ..] = floats.map(|x| x * 1.5);
    how(depth);
    let int = |i: usize| seed ^ (i as u64) << 40;
    let float = |i: usize| seed as f64 + i as f64 / 4.0;
    assert_eq!([a, b, c, d, e, f, g, h], std::array::from_fn(|i| int(i).rotate_left(9)));
    assert_eq!([p, q, r, s, t, u, v, w], std::array::from_fn(|i| float(i) * 1.5));
    assert_eq!(ints, std::array::from_fn(int));
    assert_eq!(floats, std::array::from_fn(float));
}

#[test]
fn live_values_survive() {
    for seed in 0..50 {
        for depth in depths() {
            live_values(seed, depth, burn);
            live_values(seed, depth, |depth| scope(|| ((), depth.max(soil::<90>(3)))));
            live_values(seed, depth, |_| scope(|| (scope(|| ((), soil::<9>(3))), soil::<900>(4))));
        }
    }
}

/// A depth that cannot be is cut to the limit: no less is cleared, and hardly more.
#[test]
fn no_deeper_than_the_limit() {
    for bytes in [Depth::LIMIT, Depth::LIMIT + 4096, 1 << 20, usize::MAX] {
        let result = probe::verify_within(Depth::LIMIT + 64 * 1024, || {
            burn(Depth::here().deeper(bytes));
            Depth::NONE
        });
        match result {
            Err(ProbeError::Short(report)) => {
                let over = report.dirtied.checked_sub(Depth::LIMIT);
                assert!(over.is_some_and(|over| over < 8192), "{bytes}: {report:?}");
            }
            other => assert_eq!(other, Err(ProbeError::Unsupported)),
        }
    }
}

/// Frames of every alignment above a burn.
#[inline(never)]
fn frames_above<const LEN: usize>(count: usize, depth: Depth) {
    let mut frame = [0xa5_u8; LEN];
    black_box(&mut frame);
    match count {
        0 => burn(depth),
        n if n % 2 == 0 => frames_above::<LEN>(n - 1, depth),
        n => scope(|| (frames_above::<LEN>(n - 1, depth), Depth::here())),
    }
    assert!(black_box(&frame).iter().all(|&byte| byte == 0xa5));
}

#[test]
fn frames_above_survive() {
    for depth in depths() {
        for count in 0..12 {
            frames_above::<1>(count, depth);
            frames_above::<24>(count, depth);
            frames_above::<40>(count, depth);
            frames_above::<136>(count, depth);
            frames_above::<5000>(count, depth);
        }
    }
}

fn on_a_stack_of<R: Send>(bytes: usize, run: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|threads| {
        let thread = Builder::new().stack_size(bytes).spawn_scoped(threads, run);
        thread.expect("a thread").join().expect("no panic")
    })
}

#[test]
fn small_stacks() {
    on_a_stack_of(64 * 1024, || {
        live_values(7, soil::<700>(2), burn);
        scope(|| (scope(|| (scope(|| ((), soil::<30>(1))), soil::<60>(2))), soil::<90>(3)));
        frames_above::<136>(9, Depth::NONE);
    });
}

/// A panic passes through the scopes, which burn and let it go on; one that is caught between two
/// scopes leaves the outer one as it was.
#[test]
fn panics_pass_through() {
    on_a_stack_of(64 * 1024, || {
        let mut steps = 0;
        let result = catch_unwind(AssertUnwindSafe(|| {
            scope(|| {
                steps += 1;
                scope(|| {
                    steps += 1;
                    let depth = soil::<300>(5);
                    if black_box(true) {
                        resume_unwind(Box::new(42_u8));
                    }
                    ((), depth)
                });
                steps += 1;
                ((), Depth::here())
            });
        }));
        assert_eq!(result.unwrap_err().downcast_ref(), Some(&42_u8));
        assert_eq!(steps, 2);

        let caught = scope(|| {
            let inner = catch_unwind(|| scope(|| -> ((), Depth) { resume_unwind(Box::new(())) }));
            (inner.is_err(), soil::<30>(1))
        });
        assert!(caught);
    });
}

/// A depth of another thread's stack clears no more than the limit, of this thread's stack.
#[test]
fn a_depth_of_another_thread() {
    struct Sent(Depth);
    // SAFETY: it is an address. What a burn makes of that of another stack is tested here.
    unsafe impl Send for Sent {}
    // SAFETY: as above.
    unsafe impl Sync for Sent {}
    let there = on_a_stack_of(128 * 1024, || Sent(soil::<30>(1))).0;
    let here = soil::<30>(1);
    for depth in [there, here, there.max(here)] {
        let sent = Sent(depth);
        on_a_stack_of(1024 * 1024, move || {
            let Sent(depth) = { sent };
            live_values(3, depth, burn);
        });
    }
}

/// What is inlined into the frame that [`scope`] makes for its closure lies below the burn's
/// frame, and is burnt if the closure names no depth at all. Nothing is inlined without optimisation.
#[test]
fn the_frame_of_a_closure_is_burnt() {
    if cfg!(debug_assertions) {
        return;
    }
    let result = probe::verify_burnt(|| {
        scope(|| {
            let mut frame = [7u8; 12288];
            black_box(&mut frame);
            ((), Depth::NONE)
        });
    });
    match result {
        Ok(depth) => assert!(depth > 12288, "{depth}"),
        Err(ProbeError::Unsupported) => {}
        Err(error) => panic!("{error}"),
    }
}

/// A panic burns 96 KiB, as [`scope`] says: of what an operation may use there is nothing left, nor of
/// the frames of the unwinder below.
#[test]
fn what_panicked_is_burnt() {
    const BURNT: usize = 96 * 1024;
    #[inline(never)]
    fn fails() {
        // Nearly two thirds, in words.
        let _ = soil::<{ BURNT * 5 / 8 / 8 }>(9);
        resume_unwind(Box::new(()));
    }
    fn caught() {
        let result = catch_unwind(|| scope(|| -> ((), Depth) { (fails(), Depth::NONE) }));
        assert!(black_box(result).is_err());
    }
    // The first panic loads the unwinder's tables.
    caught();
    match probe::verify_burnt_within(2 * BURNT, caught) {
        Ok(depth) => assert!(depth >= BURNT, "{depth}"),
        Err(ProbeError::Unsupported) => {}
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn texts_say_something_and_no_address() {
    assert_eq!(format!("{:?} {:?}", Depth::NONE, Depth::here()), "Depth::NONE Depth");
    let report = probe::Report { dirtied: 1234, declared: 0, burnt: 567 };
    let texts = [ProbeError::Short(report), ProbeError::NotBurnt(89), ProbeError::TooDeep]
        .map(|error| error.to_string());
    assert!(texts[0].contains("1234") && texts[0].contains("567") && texts[1].contains("89"));
    assert!(!texts[2].is_empty() && !ProbeError::Unsupported.to_string().is_empty());
}
