//! Every cipher once: setting up a key, and encrypting 16 KiB in CTR, or by the stream.

use cinder_block::{BlockEncrypt, InPlace, Slot};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const BYTES: usize = 16 << 10;

/// Each cipher is a line.
fn ciphers(c: &mut Criterion) {
    level::hold_back();
    block_cipher::<cinder_block::Aes128, 16>(c, "AES-128", 16);
    block_cipher::<cinder_block::Aes256, 16>(c, "AES-256", 32);
    block_cipher::<cinder_block::Blowfish, 8>(c, "Blowfish", 16);
    block_cipher::<cinder_block::Camellia, 16>(c, "Camellia-128", 16);
    block_cipher::<cinder_block::Cast5, 8>(c, "CAST5", 16);
    block_cipher::<cinder_block::Des, 8>(c, "DES", 8);
    block_cipher::<cinder_block::Idea, 8>(c, "IDEA", 16);
    block_cipher::<cinder_block::Rc2, 8>(c, "RC2", 16);
    block_cipher::<cinder_block::Seed, 16>(c, "SEED", 16);
    block_cipher::<cinder_block::Serpent, 16>(c, "Serpent", 32);
    block_cipher::<cinder_block::TripleDes, 8>(c, "3DES", 24);
    block_cipher::<cinder_block::Twofish, 16>(c, "Twofish", 32);
    run(c, "ARC4", 16, |arc4: &mut cinder_stream::Arc4, data| arc4.apply(data));
    run(c, "Salsa20", 32, |salsa20: &mut cinder_stream::Salsa20, data| {
        salsa20.keystream(&[7; 8]).apply(data).expect("the keystream is longer");
    });
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
