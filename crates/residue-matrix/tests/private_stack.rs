//! `cinder_burn::PrivateStack` under the scanner: code that declares no depth leaves nothing, neither on
//! the caller's stack nor in registers nor in the private stack's memory.

#![allow(unsafe_code, reason = "private stacks, where there are any, are unsafe to use")]
#![cfg(all(
    any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "arm"),
    target_os = "linux"
))]

use cinder_burn::PrivateStack;
use cinder_residue::{scan, supported};
use std::fmt::Write;
use std::hint::black_box;

/// More than a panic with a backtrace takes, or a signal.
type Stack = PrivateStack<{ 256 * 1024 }>;

/// Fills a frame of `LEN` bytes with the key and says nothing of it.
#[inline(never)]
fn soil<const LEN: usize>(key: &[u8; 32]) {
    let mut frame = [0u8; LEN];
    for chunk in frame.chunks_exact_mut(32) {
        chunk.copy_from_slice(key);
    }
    black_box(&mut frame);
}

/// Formats the key, to nowhere: code of another crate, with spilt registers of its own.
#[inline(never)]
fn format(key: &[u8; 32]) {
    struct Nowhere;
    impl Write for Nowhere {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let mut copy = [0u8; 64];
            copy[..text.len().min(64)].copy_from_slice(&text.as_bytes()[..text.len().min(64)]);
            black_box(&mut copy);
            Ok(())
        }
    }
    let word = u128::from_le_bytes(*key.first_chunk().expect("32 bytes"));
    write!(Nowhere, "{key:02x?} {word} {}", word as f64).expect("it has room for all");
}

fn wiped(stack: &Stack) -> bool {
    // SAFETY: plain bytes without padding, all written by `new`. The first 64 are the canary.
    let bytes =
        unsafe { std::slice::from_raw_parts((&raw const *stack).cast::<u8>(), size_of::<Stack>()) };
    bytes[64..].iter().all(|&byte| byte == 0)
}

#[test]
fn nothing_is_left() {
    if !supported() {
        return;
    }
    let mut stack = Box::new(Stack::new());
    let report = scan(|trial| {
        let key = trial.key::<32>();
        trial.secret("key", &key);
        let mut on_stack = |step, f: fn(&[u8; 32])| {
            // SAFETY: 20 KiB of frame or some 10 KiB of formatting; the stack has 256 KiB.
            trial.watch(step, || unsafe { stack.run(|| f(&key)) });
            assert!(wiped(&stack), "{step}");
        };
        on_stack("shallow", soil::<32>);
        on_stack("deep", soil::<20000>);
        on_stack("foreign", format);
        trial.watch("control, deep", || soil::<20000>(&key));
        trial.watch("control, foreign", || format(&key));
        // SAFETY: a panic with its message takes 20 KiB, with a backtrace 100.
        trial.watch_panic("panic", || unsafe {
            stack.run(|| {
                soil::<3000>(&key);
                assert!(!black_box(true), "on purpose");
            });
        });
        assert!(wiped(&stack), "panic");
    });
    for step in &report.steps {
        if step.name.starts_with("control") {
            assert!(step.left.stack >= 8, "{report}");
        } else {
            assert!(step.is_clean(), "{report}");
        }
    }
}

/// A signal stores the registers on the stack, deeper than any depth says.
#[test]
fn a_signal_leaves_nothing() {
    unsafe extern "C" {
        safe fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
        safe fn raise(number: i32) -> i32;
    }
    const SIGUSR2: i32 = 12;
    extern "C" fn handler(_: i32) {}
    if !supported() {
        return;
    }
    signal(SIGUSR2, handler);
    let mut stack = Box::new(Stack::new());
    let report = scan(|trial| {
        let key = trial.key::<32>();
        trial.secret("key", &key);
        let interrupted = || {
            format(&key);
            soil::<64>(&key);
            raise(SIGUSR2);
        };
        // SAFETY: the registers and the handler's frame take 16 KiB at most.
        trial.watch("signal", || unsafe { stack.run(interrupted) });
        assert!(wiped(&stack));
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: as above.
            trial.watch("full registers", || unsafe { stack.run(|| signalled(&key)) });
            assert!(wiped(&stack));
            trial.watch("scope", || {
                cinder_burn::scope(|| (signalled(&key), cinder_burn::Depth::here()))
            });
        }
    });
    assert!(report.step("signal").is_clean(), "{report}");
    if cfg!(target_arch = "x86_64") {
        assert!(report.step("full registers").is_clean(), "{report}");
        // The control. An unoptimised build's margin happens to reach that far.
        assert!(cfg!(debug_assertions) || report.step("scope").left.stack >= 16, "{report}");
    }
}

/// Sends a signal to the own thread with the key in a register: getpid, gettid, tgkill.
#[cfg(target_arch = "x86_64")]
fn signalled(key: &[u8; 32]) {
    // SAFETY: Linux system calls, which keep all registers but rax, rcx and r11; the handler keeps
    // those too. All registers written are named.
    unsafe {
        core::arch::asm!(
            "movdqu xmm13, [{0}]",
            "mov eax, 39", "syscall", "mov r8d, eax",
            "mov eax, 186", "syscall", "mov esi, eax",
            "mov edi, r8d", "mov edx, 12", "mov eax, 234", "syscall",
            in(reg) key.as_ptr(),
            out("xmm13") _, out("rax") _, out("rcx") _, out("rdx") _, out("rsi") _, out("rdi") _,
            out("r8") _, out("r11") _,
        );
    }
}
