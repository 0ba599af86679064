//! What a mode costs, in nanoseconds a byte: Cinder's own, RustCrypto's over Cinder's cipher, and
//! RustCrypto's over its own; for pieces of 64, 1024 and 16384 bytes, the best of many runs.

use std::hint::black_box;
use std::time::Instant;

use cinder_rustcrypto as ours;
use ours::aead06::aead::AeadInOut;
use ours::cipher05::cipher::{
    Array, Block, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser, KeyInit,
    KeyIvInit, StreamCipher, consts::U12,
};

fn row(name: &str, mut work: impl FnMut(&mut [u8])) {
    let mut best = |len: usize| {
        let mut data = vec![1; len];
        let calls = (1 << 16) / len;
        let run = |_| {
            let start = Instant::now();
            (0..calls).for_each(|_| work(black_box(&mut data)));
            start.elapsed().as_nanos() as f64 / (calls * len) as f64
        };
        (0..300).map(run).fold(f64::MAX, f64::min)
    };
    println!("| {name} | {:.3} | {:.3} | {:.3} |", best(64), best(1024), best(16384));
}

fn blocks<T: BlockSizeUser>(data: &mut [u8]) -> &mut [Block<T>] {
    Array::slice_as_chunks_mut(data).0
}

fn stream<T: KeyIvInit + StreamCipher>(name: &str, key: &[u8]) {
    let mut stream = T::new_from_slices(key, &[2; 16][..T::iv_size()]).expect("its lengths");
    row(name, |data| stream.apply_keystream(data));
}

fn encrypt<T: KeyIvInit + BlockModeEncrypt>(name: &str) {
    let mut mode = T::new_from_slices(&[1; 32], &[2; 16]).expect("its lengths");
    row(name, |data| mode.encrypt_blocks(blocks::<T>(data)));
}

fn decrypt<T: KeyIvInit + BlockModeDecrypt>(name: &str) {
    let mut mode = T::new_from_slices(&[1; 32], &[2; 16]).expect("its lengths");
    row(name, |data| mode.decrypt_blocks(blocks::<T>(data)));
}

fn block<T: KeyInit + BlockCipherEncrypt>(name: &str) {
    let cipher = T::new_from_slice(&[1; 32]).expect("its length");
    row(name, |data| blocks::<T>(data).iter_mut().for_each(|block| cipher.encrypt_block(block)));
}

fn seal<T: KeyInit + AeadInOut<NonceSize = U12>>(name: &str) {
    let aead = T::new_from_slice(&[1; 32]).expect("its length");
    row(name, |data| {
        let tag = aead.encrypt_inout_detached(&[3; 12].into(), b"", data.into());
        black_box(tag).expect("a short message");
    });
}

fn main() {
    type Ours = ours::Aes256;
    type Theirs = aes09::Aes256;
    println!("| AES-256 | 64 | 1024 | 16384 |\n|---|---|---|---|");
    stream::<ours::Ctr128BE<Ours>>("`Ctr128BE`", &[1; 32]);
    stream::<ctr010::Ctr128BE<Ours>>("`ctr` over ours", &[1; 32]);
    stream::<ctr010::Ctr128BE<Theirs>>("`ctr` over `aes`", &[1; 32]);
    encrypt::<ours::cbc::Encryptor<Ours>>("`cbc::Encryptor`");
    encrypt::<cbc02::Encryptor<Ours>>("`cbc` over ours, encryption");
    encrypt::<cbc02::Encryptor<Theirs>>("`cbc` over `aes`, encryption");
    decrypt::<ours::cbc::Decryptor<Ours>>("`cbc::Decryptor`");
    decrypt::<cbc02::Decryptor<Ours>>("`cbc` over ours, decryption");
    decrypt::<cbc02::Decryptor<Theirs>>("`cbc` over `aes`, decryption");
    seal::<ours::Gcm<Ours>>("`Gcm`");
    seal::<aes_gcm11::AesGcm<Ours, U12>>("`aes-gcm` over ours");
    seal::<aes_gcm11::AesGcm<Theirs, U12>>("`aes-gcm` over `aes`");
    block::<Ours>("a block a call, ours");
    block::<Theirs>("a block a call, `aes`");
    println!("| 3DES | | | |");
    stream::<ours::Ctr64BE<ours::TdesEde3, 8>>("`Ctr64BE`", b"three keys of 8 bytes ea");
    stream::<ctr010::Ctr64BE<ours::TdesEde3>>("`ctr` over ours", b"three keys of 8 bytes ea");
}
