//! One block of AES-128 with nothing burnt, under `cinder_burn::scope`, on private stacks, and probed.

#![expect(unsafe_code, reason = "private stacks are unsafe to use")]

use cinder_block::{Aes128, BlockEncrypt, Slot};
use criterion::{Criterion, criterion_group, criterion_main};

fn one_block(c: &mut Criterion) {
    testkit::level::hold_back();
    let mut slot = Slot::<Aes128>::empty();
    let aes: &Aes128 = slot.init(&[0x42; 16]).expect("16 bytes are a key");
    let mut block = [0x5a; 16];
    let mut group = c.benchmark_group("AES-128, 16 bytes");
    group.bench_function("not burnt", |bencher| {
        bencher.iter(|| _ = aes.encrypt_block(&mut block));
    });
    group.bench_function("scope", |bencher| {
        bencher.iter(|| cinder_burn::scope(|| ((), aes.encrypt_block(&mut block))));
    });
    group.bench_function("probe::verify", |bencher| {
        bencher.iter(|| {
            cinder_burn::probe::verify(|| aes.encrypt_block(&mut block)).expect("no signal")
        });
    });
    group.finish();
    #[cfg(target_os = "linux")]
    private_stacks::one_block(c, aes);
}

#[cfg(target_os = "linux")]
mod private_stacks {
    use super::*;
    use cinder_burn::PrivateStack;

    pub(super) fn one_block(c: &mut Criterion, aes: &Aes128) {
        sized::<2048>(c, aes);
        sized::<4096>(c, aes);
        sized::<16384>(c, aes);
    }

    fn sized<const N: usize>(c: &mut Criterion, aes: &Aes128) {
        let mut stack = Box::new(PrivateStack::<N>::new());
        let mut block = [0x5a; 16];
        let mut group = c.benchmark_group("AES-128, 16 bytes");
        group.bench_function(format!("private stack of {N}"), |bencher| {
            // SAFETY: one block needs less than 1 KiB, and no signal is sent.
            bencher.iter(|| unsafe { stack.run(|| _ = aes.encrypt_block(&mut block)) });
        });
        group.finish();
    }
}

criterion_group!(burn, one_block);
criterion_main!(burn);
