//! AES-GCM: messages of their own from 16 bytes to 16 KiB, sealed and opened, and the key.

use cinder_block::{Aes128Encrypt, Aes256Encrypt, BlockEncrypt, InPlace, Slot};
use cinder_gcm::Gcm;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn messages(c: &mut Criterion) {
    testkit::level::hold_back();
    run::<Aes128Encrypt>(c, "AES-128", 16);
    run::<Aes256Encrypt>(c, "AES-256", 32);
}

fn run<C: InPlace + BlockEncrypt<16>>(c: &mut Criterion, name: &str, key: usize) {
    let mut slot = Slot::<Gcm<C>>::empty();
    let mut group = c.benchmark_group(format!("GCM/{name}"));
    group.bench_function("key", |bencher| {
        bencher.iter(|| slot.init(&[0x42; 32][..key]).is_ok());
    });
    let gcm = slot.init(&[0x42; 32][..key]).expect("the key is good");
    let (nonce, mut tag) = ([7; 12], [0; 16]);
    for bytes in [16, 64, 256, 1350, 16 << 10] {
        let (mut data, mut opened) = (vec![0x5a; bytes], vec![0; bytes]);
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(format!("{bytes} seal"), |bencher| {
            bencher.iter(|| gcm.seal_in_place(&nonce, b"", &mut data, &mut tag));
        });
        let sealed = gcm.seal_in_place(&nonce, b"", &mut data, &mut tag);
        sealed.expect("the lengths are good");
        group.bench_function(format!("{bytes} open"), |bencher| {
            bencher.iter(|| gcm.open(&nonce, b"", &data, &mut opened, &tag));
        });
    }
    group.finish();
}

criterion_group!(gcm, messages);
criterion_main!(gcm);
