//! Every cipher once: setting up a key, and encrypting 16 KiB in CTR, or by the stream.

use cinder_block::{BlockEncrypt, InPlace, Slot};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use testkit::ciphers::{Cipher, Subject, Visitor, every_cipher};

const BYTES: usize = 16 << 10;

fn ciphers(c: &mut Criterion) {
    testkit::level::hold_back();
    every_cipher(&mut Benches(c));
    run(c, "ARC4", 16, |arc4: &mut cinder_stream::Arc4, data| arc4.apply(data));
    run(c, "Salsa20", 32, |salsa20: &mut cinder_stream::Salsa20, data| {
        salsa20.keystream(&[7; 8]).apply(data).expect("the keystream is longer");
    });
}

/// Each cipher on the kernel that it chooses.
struct Benches<'a>(&'a mut Criterion);

impl Visitor for Benches<'_> {
    fn blocks_of_8<C: Cipher<8>>(&mut self, subject: &Subject<'_, C>) {
        if subject.is_default {
            block_cipher::<C, 8>(self.0, subject.cipher, subject.key_len);
        }
    }

    fn blocks_of_16<C: Cipher<16>>(&mut self, subject: &Subject<'_, C>) {
        if subject.is_default {
            block_cipher::<C, 16>(self.0, subject.cipher, subject.key_len);
        }
    }
}

/// Odd parity in each byte, no half like another: a good key for every cipher.
const KEY: [u8; 32] = [
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
    0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67, 0x76, 0x54, 0x32, 0x10, 0xfe, 0xdc, 0xba, 0x98,
];

fn block_cipher<C: InPlace + BlockEncrypt<N>, const N: usize>(
    c: &mut Criterion,
    name: &str,
    key: usize,
) {
    run(c, name, key, |cipher: &mut C, data| {
        let mut ctr = cinder_modes::ctr::Ctr::new(&*cipher, &[7; N]);
        ctr.apply_keystream(data).expect("counters are left");
    });
}

fn run<C: InPlace>(
    c: &mut Criterion,
    name: &str,
    key: usize,
    mut apply: impl FnMut(&mut C, &mut [u8]),
) {
    let mut slot = Slot::<C>::empty();
    let mut group = c.benchmark_group(name);
    group.bench_function("key", |bencher| {
        bencher.iter(|| slot.init(&KEY[..key]).is_ok());
    });
    let cipher = slot.init(&KEY[..key]).expect("the key is good");
    let mut data = vec![0x5a; BYTES];
    group.throughput(Throughput::Bytes(BYTES as u64));
    group.bench_function("16 KiB", |bencher| bencher.iter(|| apply(cipher, &mut data)));
    group.finish();
}

criterion_group!(all, ciphers);
criterion_main!(all);
