//! AES-128 in each mode, on each kernel that this CPU has: calls of 16 KiB.

use cinder_block::aes::Kernel;
use cinder_block::{Aes128, Slot};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

const BYTES: usize = 16 << 10;

fn modes(c: &mut Criterion) {
    testkit::level::hold_back();
    for kernel in Kernel::available() {
        let mut slot = Slot::<Aes128>::empty();
        let aes = slot.init_with(|aes| aes.rekey_with_kernel(&[0x42; 16], kernel));
        let aes: &Aes128 = aes.expect("16 bytes are a key");
        let iv = &[7; 16];
        let mut group = c.benchmark_group(format!("AES-128/{kernel}"));
        group.throughput(Throughput::Bytes(BYTES as u64));

        let mut ecb = cinder_modes::ecb::Encryptor::new(aes);
        measure(&mut group, "ECB encrypt", |blocks| ecb.encrypt_blocks(blocks));
        let mut ecb = cinder_modes::ecb::Decryptor::new(aes);
        measure(&mut group, "ECB decrypt", |blocks| ecb.decrypt_blocks(blocks));
        let mut cbc = cinder_modes::cbc::Encryptor::new(aes, iv);
        measure(&mut group, "CBC encrypt", |blocks| cbc.encrypt_blocks(blocks));
        let mut cbc = cinder_modes::cbc::Decryptor::new(aes, iv);
        measure(&mut group, "CBC decrypt", |blocks| cbc.decrypt_blocks(blocks));
        let mut cfb = cinder_modes::cfb::Encryptor::new(aes, iv);
        measure(&mut group, "CFB encrypt", |blocks| cfb.encrypt(blocks.as_flattened_mut()));
        let mut cfb = cinder_modes::cfb::Decryptor::new(aes, iv);
        measure(&mut group, "CFB decrypt", |blocks| cfb.decrypt(blocks.as_flattened_mut()));
        let mut ofb = cinder_modes::ofb::Ofb::new(aes, iv);
        measure(&mut group, "OFB", |blocks| ofb.apply_keystream(blocks.as_flattened_mut()));
        let mut ctr = cinder_modes::ctr::Ctr::new(aes, iv);
        measure(&mut group, "CTR", |blocks| {
            ctr.apply_keystream(blocks.as_flattened_mut()).expect("counters are left");
        });
        group.finish();
    }
}

fn measure(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut call: impl FnMut(&mut [[u8; 16]]),
) {
    let mut blocks = vec![[0x5a; 16]; BYTES / 16];
    group.bench_function(name, |bencher| bencher.iter(|| call(&mut blocks)));
}

criterion_group!(aes, modes);
criterion_main!(aes);
