//! The crate `burn` under the scanner, and the scanner's own controls: what is planted must be
//! found, and what is burnt must be gone.

#![expect(unsafe_code, reason = "private stacks are unsafe to use")]

use cinder_burn::Depth;
use cinder_residue::{Report, scan, supported};
use std::hint::black_box;

fn clean(report: &Report) {
    assert!(report.is_clean(), "{report}");
}

/// Fills a frame of about `LEN` bytes, vector and general registers with the key.
#[inline(never)]
fn soil<const LEN: usize>(key: &[u8; 32]) -> Depth {
    let mut frame = [0u8; LEN];
    for chunk in frame.chunks_exact_mut(32) {
        chunk.copy_from_slice(key);
    }
    black_box(&mut frame);
    let words: [u64; 4] =
        core::array::from_fn(|i| u64::from_le_bytes(key[8 * i..][..8].try_into().unwrap()));
    black_box(words[0].wrapping_mul(words[1]) ^ words[2].rotate_left(7).wrapping_mul(words[3]));
    Depth::here()
}

#[test]
fn half_the_depth_is_seen() {
    if !supported() {
        return;
    }
    let report = scan(|trial| {
        let key = trial.key::<32>();
        trial.secret("key", &key);
        trial.watch("none", || _ = soil::<20000>(&key));
        trial.watch("half", || {
            // Both have the margin of the frames in them, which is wide in an unoptimised build.
            let here = Depth::here();
            let used = soil::<20000>(&key).bytes() - here.bytes();
            cinder_burn::burn(here.deeper(used / 2 - here.bytes()));
        });
        trial.watch("whole", || cinder_burn::burn(soil::<20000>(&key)));
    });
    assert!(report.step("none").left.stack > 19900, "{report}");
    assert!(report.step("none").findings.iter().any(|f| f.secret == Some("key") && f.bytes > 1000));
    let half = report.step("half");
    assert!(half.left.stack > 5000 && half.left.stack < 11000, "{report}");
    assert_eq!((half.left.vector, half.left.general), (0, 0), "{report}");
    assert!(report.step("whole").is_clean(), "{report}");
}

/// One place for 4 bytes of the key: the stack by a frame slot, or a register by assembly.
#[test]
fn four_planted_bytes_are_found() {
    if !supported() {
        return;
    }
    #[inline(never)]
    fn plant(key: &[u8; 32]) {
        let mut word = [0u8; 64];
        word[20..24].copy_from_slice(&key[8..12]);
        black_box(&mut word);
    }
    let report = scan(|trial| {
        let key = trial.key::<32>();
        trial.secret("key", &key);
        trial.watch("stack", || {
            plant(&key);
            black_box(());
        });
        #[cfg(target_arch = "x86_64")]
        trial.watch("vector", || {
            // SAFETY: loads 4 bytes of the key into registers that are named as outputs.
            unsafe {
                core::arch::asm!(
                    "movd xmm13, dword ptr [{}]", in(reg) key.as_ptr(), out("xmm13") _,
                    options(readonly, nostack, preserves_flags),
                );
            }
        });
        #[cfg(target_arch = "x86_64")]
        trial.watch("general", || {
            // SAFETY: as above.
            unsafe {
                core::arch::asm!(
                    "mov r11d, dword ptr [{}]", in(reg) key.as_ptr(), out("r11") _,
                    options(readonly, nostack, preserves_flags),
                );
            }
        });
        #[cfg(target_arch = "x86_64")]
        if cinder_cpu::x86::Avx512::detect().is_some() {
            trial.watch("mask", || {
                // SAFETY: as above; Avx512 proves the instruction.
                unsafe {
                    core::arch::asm!(
                        "kmovq k5, qword ptr [{}]", in(reg) key.as_ptr(), out("k5") _,
                        options(readonly, nostack, preserves_flags),
                    );
                }
            });
        }
        #[cfg(target_arch = "aarch64")]
        trial.watch("vector", || {
            // SAFETY: as above.
            unsafe {
                core::arch::asm!(
                    "ldr s29, [{}]", in(reg) key.as_ptr(), out("v29") _,
                    options(readonly, nostack, preserves_flags),
                );
            }
        });
        #[cfg(target_arch = "aarch64")]
        trial.watch("general", || {
            // SAFETY: as above.
            unsafe {
                core::arch::asm!(
                    "ldr w13, [{}]", in(reg) key.as_ptr(), out("x13") _,
                    options(readonly, nostack, preserves_flags),
                );
            }
        });
    });
    for step in &report.steps {
        assert!(step.left.total() >= 4, "{report}");
        assert!(step.findings.iter().any(|f| f.secret == Some("key") && f.bytes >= 4), "{report}");
    }
    if cfg!(target_arch = "x86_64") {
        assert_eq!(report.step("vector").left.vector, 4, "{report}");
        assert!(report.step("general").left.general >= 4, "{report}");
    }
}

/// `memcpy` alone leaves a key in vector registers, and the burn reaches all of them.
#[test]
fn burnt_registers_are_clean() {
    if !supported() {
        return;
    }
    clean(&scan(|trial| {
        let key = trial.key::<32>();
        let text = trial.fixed(1, 4096);
        let mut out = vec![0; 4096];
        trial.secret("text", &text);
        trial.watch("copy", || {
            cinder_burn::scope(|| {
                out[..4096].copy_from_slice(black_box(&text));
                out[..32].copy_from_slice(black_box(&key));
                ((), Depth::here())
            });
        });
        #[cfg(target_arch = "x86_64")]
        if cinder_cpu::x86::Avx512::detect().is_some() {
            trial.watch("all of AVX-512", || {
                cinder_burn::scope(|| {
                    // SAFETY: Avx512 proves the instructions; all registers written are named.
                    unsafe {
                        core::arch::asm!(
                            "vbroadcasti32x4 zmm0, [{0}]", "vmovdqa64 zmm7, zmm0",
                            "vmovdqa64 zmm15, zmm0", "vmovdqa64 zmm16, zmm0",
                            "vmovdqa64 zmm24, zmm0", "vmovdqa64 zmm31, zmm0",
                            "kmovq k1, [{0}]", "kmovq k7, [{0}]", "mov r8, [{0}]", "mov r11, [{0}]",
                            in(reg) key.as_ptr(),
                            out("zmm0") _, out("zmm7") _, out("zmm15") _, out("zmm16") _,
                            out("zmm24") _, out("zmm31") _, out("k1") _, out("k7") _,
                            out("r8") _, out("r11") _,
                            options(readonly, nostack, preserves_flags),
                        );
                    }
                    ((), Depth::here())
                });
            });
        }
        #[cfg(target_arch = "aarch64")]
        trial.watch("high halves", || {
            cinder_burn::scope(|| {
                // SAFETY: all registers written are named.
                unsafe {
                    core::arch::asm!(
                        "ldr q8, [{0}]", "ldr q15, [{0}]", "ldr q31, [{0}]", "ldr x17, [{0}]",
                        in(reg) key.as_ptr(),
                        out("v8") _, out("v15") _, out("v31") _, out("x17") _,
                        options(readonly, nostack, preserves_flags),
                    );
                }
                ((), Depth::here())
            });
        });
    }));
}

/// A function whose work is in a branch: the compiler sets its frame up in that branch, and
/// `Depth::here()` behind it must see the frame all the same.
#[test]
fn depth_behind_a_branch() {
    #[inline(never)]
    fn work(blocks: &mut [[u8; 16]], key: &[u8; 32]) -> Depth {
        if !blocks.is_empty() {
            let mut pad = [0u8; 1024];
            for (i, byte) in pad.iter_mut().enumerate() {
                *byte = key[i % 32] ^ blocks[0][i % 16].rotate_left(3);
            }
            black_box(&mut pad);
            for (block, pad) in blocks.iter_mut().zip(pad.as_chunks::<16>().0) {
                for (byte, pad) in block.iter_mut().zip(pad) {
                    *byte ^= pad;
                }
            }
        }
        Depth::here()
    }
    if !supported() {
        return;
    }
    clean(&scan(|trial| {
        let key = trial.key::<32>();
        let mut blocks = [[7u8; 16]; 9];
        trial.secret("key", &key);
        trial.watch("work", || cinder_burn::scope(|| ((), work(&mut blocks, &key))));
        trial.watch("no work", || cinder_burn::scope(|| ((), work(&mut [], &key))));
    }));
}

#[test]
fn every_way_out_burns() {
    if !supported() {
        return;
    }
    #[inline(never)]
    fn fails<const LEN: usize>(key: &[u8; 32]) -> Depth {
        let depth = soil::<LEN>(key);
        let frame = [*key; 8];
        black_box(&frame);
        assert!(black_box(&frame)[1] != *key, "on purpose");
        depth
    }
    /// Values that are wanted after the call live in the registers that it must keep, and the
    /// panic's own frames save those.
    #[inline(never)]
    fn holds(key: &[u8; 32]) -> Depth {
        #[inline(never)]
        fn fails(now: bool) {
            assert!(!now, "on purpose");
        }
        let words: [u64; 4] =
            core::array::from_fn(|i| u64::from_le_bytes(key[8 * i..][..8].try_into().unwrap()));
        let [a, b, c, d] = words.map(|word| word.rotate_left(11));
        fails(black_box(true));
        black_box(a ^ b.wrapping_mul(c) ^ d);
        black_box([a, b, c, d]);
        Depth::here()
    }
    fn early(key: &[u8; 32]) -> Option<()> {
        cinder_burn::scope(|| {
            let depth = soil::<9000>(key);
            if black_box(true) {
                return (None, depth);
            }
            (Some(()), depth.max(soil::<90>(key)))
        })
    }
    fn several(key: &[u8; 32]) {
        cinder_burn::scope(|| {
            let depth = soil::<300>(key).max(soil::<9000>(key));
            ((), depth.max(soil::<30>(key)))
        });
    }
    clean(&scan(|trial| {
        let key = trial.key::<32>();
        trial.secret("key", &key);
        trial.watch("error", || {
            cinder_burn::scope(|| (Err::<(), ()>(()), soil::<5000>(&key))).unwrap_err();
        });
        trial.watch("early return", || early(&key));
        trial.watch("several", || several(&key));
        trial.watch_panic("panic", || cinder_burn::scope(|| ((), fails::<64>(&key))));
        trial.watch_panic("deep panic", || cinder_burn::scope(|| ((), fails::<6000>(&key))));
        trial.watch_panic("panic with full registers", || cinder_burn::scope(|| ((), holds(&key))));
        trial.watch("after a panic", || cinder_burn::scope(|| ((), soil::<64>(&key))));
    }));
}

/// What a drop leaves in memory: the compiler sees that nobody reads a dropped value, and must
/// not take that as leave to keep it.
#[test]
fn dropped_memory_is_zero() {
    struct Key<const N: usize>([u8; N]);
    impl<const N: usize> Drop for Key<N> {
        fn drop(&mut self) {
            cinder_burn::wipe(&mut self.0);
        }
    }
    fn check<const N: usize>() {
        let mut place = std::mem::MaybeUninit::<Key<N>>::uninit();
        let bytes = place.as_mut_ptr().cast::<u8>();
        place.write(Key([0xa7; N]));
        // SAFETY: initialised above, dropped once; the bytes stay initialised after the drop,
        // and are read through the pointer that the place was given up to.
        let left = unsafe {
            place.assume_init_drop();
            std::slice::from_raw_parts(black_box(bytes), N).iter().filter(|&&b| b != 0).count()
        };
        assert_eq!(left, 0, "{N}");
    }
    check::<1>();
    check::<16>();
    check::<33>();
    check::<240>();
    check::<4168>();

    // On the stack of a function that has returned, where nothing else would keep the stores.
    if supported() {
        #[inline(never)]
        fn uses(key: &[u8; 32]) {
            let mut own = Key([0u8; 32]);
            own.0.copy_from_slice(key);
            black_box(&mut own);
        }
        let report = scan(|trial| {
            let key = trial.key::<32>();
            trial.secret("key", &key);
            trial.watch("drop", || uses(&key));
        });
        assert_eq!(report.step("drop").left.stack, 0, "{report}");
    }
}
