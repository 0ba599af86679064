//! GHASH of 16 KiB on each kernel that this CPU has.

use cinder_ghash::{GhashKey, Kernel};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const BYTES: usize = 16 << 10;

fn kernels(c: &mut Criterion) {
    testkit::level::hold_back();
    let mut group = c.benchmark_group("GHASH");
    group.throughput(Throughput::Bytes(BYTES as u64));
    for kernel in Kernel::available() {
        let mut key = GhashKey::vacant();
        cinder_burn::burn(key.rekey_with_kernel(&[0x42; 16], kernel));
        let (mut y, data) = ([0; 16], vec![[0x5a; 16]; BYTES / 16]);
        group.bench_function(kernel.name(), |bencher| {
            bencher.iter(|| cinder_burn::scope(|| ((), key.update_blocks(&mut y, &data))));
        });
    }
    group.finish();
}

criterion_group!(ghash, kernels);
criterion_main!(ghash);
