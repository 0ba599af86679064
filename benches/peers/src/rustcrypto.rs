//! RustCrypto: its ciphers, and its crates of modes over them, as they are by default.

use crate::job::{Direction, H, Job, Mode};
use crate::measure::Task;
use rc_aes::{Aes128, Aes128Enc, Aes192, Aes192Enc, Aes256, Aes256Enc};
use rc_aes_gcm::AesGcm;
use rc_aes_gcm::aead::{AeadInOut, inout::InOutBuf};
use rc_cipher::array::ArraySize;
use rc_cipher::consts::{U12, U16};
use rc_cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, InnerIvInit, KeyInit, KeyIvInit, StreamCipher, StreamCipherCore,
    StreamCipherCoreWrapper,
};
use rc_ctr::flavors::{Ctr32BE, CtrFlavor};
use rc_ghash::universal_hash::UniversalHash;
use std::hint::black_box;

/// The job's task.
pub(crate) fn task(job: &Job) -> Option<Task> {
    match job.mode {
        Mode::Ghash => return Some(ghash_task(job)),
        Mode::Stream => return stream_task(job),
        _ if crate::sealing::has(job) => return crate::sealing::rustcrypto::task(job),
        _ => {}
    }
    match job.cipher.name {
        "IDEA" => block::<rc_idea::Idea>(job),
        "3DES" => block::<rc_des::TdesEde3>(job),
        "CAST5" => block::<rc_cast5::Cast5>(job),
        "BLOWFISH" => block::<rc_blowfish::Blowfish>(job),
        "AES" => aes::<Aes128, Aes128Enc>(job),
        "AES192" => aes::<Aes192, Aes192Enc>(job),
        "AES256" => aes::<Aes256, Aes256Enc>(job),
        "TWOFISH" | "TWOFISH128" => wide::<rc_twofish::Twofish>(job),
        "DES" => block::<rc_des::Des>(job),
        "SERPENT128" | "SERPENT192" | "SERPENT256" => wide::<rc_serpent::Serpent>(job),
        "RFC2268_40" => block::<rc_rc2::Rc2>(job),
        "CAMELLIA128" => wide::<rc_camellia::Camellia128>(job),
        "CAMELLIA192" => wide::<rc_camellia::Camellia192>(job),
        "CAMELLIA256" => wide::<rc_camellia::Camellia256>(job),
        _ => None,
    }
}

fn keyed<C: KeyInit>(job: &Job) -> C {
    C::new_from_slice(black_box(job.key())).expect("the key is good")
}

/// By value, and dropped at once.
fn setup<C: KeyInit>(job: Job) -> Task {
    Task::new(0, move |_| {
        black_box(&keyed::<C>(&job));
    })
}

/// AES, whose type for encryption alone serves the modes that never invert.
fn aes<Both, Encrypt>(job: &Job) -> Option<Task>
where
    Both: Wide + BlockCipherDecrypt,
    Encrypt: Wide,
{
    match (job.mode, job.direction) {
        (Mode::Ctr, Direction::Setup) => Some(setup::<Encrypt>(*job)),
        (Mode::Ctr, _) => Some(ctr::<Encrypt>(job)),
        (Mode::CtrMessage, _) => Some(ctr_message::<Encrypt>(job)),
        (Mode::Gcm | Mode::Gmac, _) => Some(gcm::<Encrypt>(job)),
        (Mode::KeyWrap, _) => Some(key_wrap::<Both>(job)),
        _ => block::<Both>(job),
    }
}

trait Wide: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit + 'static {}

impl<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit + 'static> Wide for C {}

fn wide<C: Wide + BlockCipherDecrypt>(job: &Job) -> Option<Task> {
    match job.mode {
        Mode::Gcm => Some(gcm::<C>(job)),
        _ => block::<C>(job),
    }
}

fn block<C>(job: &Job) -> Option<Task>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit + 'static,
    Ctr32BE: CtrFlavor<C::BlockSize>,
{
    // Not every cipher takes every length of key that its standard has.
    C::new_from_slice(job.key()).ok()?;
    if job.direction == Direction::Setup {
        return (job.mode == Mode::Ecb).then(|| setup::<C>(*job));
    }
    let cipher = || keyed::<C>(job);
    let iv = || iv::<C::BlockSize>(job);
    Some(match (job.mode, job.encrypts()) {
        (Mode::Ecb, true) => {
            let cipher = cipher();
            Task::new(job.bytes, move |data| cipher.encrypt_blocks(blocks(data)))
        }
        (Mode::Ecb, false) => {
            let cipher = cipher();
            Task::new(job.bytes, move |data| cipher.decrypt_blocks(blocks(data)))
        }
        (Mode::Cbc, true) => {
            let mut cbc = rc_cbc::Encryptor::inner_iv_init(cipher(), &iv());
            Task::new(job.bytes, move |data| cbc.encrypt_blocks(blocks(data)))
        }
        (Mode::Cbc, false) => {
            let mut cbc = rc_cbc::Decryptor::inner_iv_init(cipher(), &iv());
            Task::new(job.bytes, move |data| cbc.decrypt_blocks(blocks(data)))
        }
        (Mode::Cfb, true) => {
            let mut cfb = rc_cfb::Encryptor::inner_iv_init(cipher(), &iv());
            Task::new(job.bytes, move |data| cfb.encrypt_blocks(blocks(data)))
        }
        (Mode::Cfb, false) => {
            let mut cfb = rc_cfb::Decryptor::inner_iv_init(cipher(), &iv());
            Task::new(job.bytes, move |data| cfb.decrypt_blocks(blocks(data)))
        }
        (Mode::Ofb, _) => {
            let mut ofb = rc_ofb::OfbCore::inner_iv_init(cipher(), &iv());
            Task::new(job.bytes, move |data| ofb.apply_keystream_blocks(blocks(data)))
        }
        (Mode::Ctr, _) => return Some(ctr::<C>(job)),
        _ => return None,
    })
}

/// The block modes are generic over the block's size, and so over the IV's.
fn iv<N: ArraySize>(job: &Job) -> Array<u8, N> {
    Array::from_fn(|i| job.iv::<16>()[i])
}

fn blocks<N: ArraySize>(data: &mut [u8]) -> &mut [Array<u8, N>] {
    Array::slice_as_chunks_mut(data).0
}

/// A counter of 32 bits is the fastest that there is.
type CtrCore<C> = rc_ctr::CtrCore<C, Ctr32BE>;

fn ctr<C>(job: &Job) -> Task
where
    C: BlockCipherEncrypt + KeyInit + 'static,
    Ctr32BE: CtrFlavor<C::BlockSize>,
{
    let mut ctr = CtrCore::inner_iv_init(keyed::<C>(job), &iv::<C::BlockSize>(job));
    Task::new(job.bytes, move |data| ctr.apply_keystream_blocks(blocks(data)))
}

fn ctr_message<C: Wide>(job: &Job) -> Task {
    let (cipher, iv) = (keyed::<C>(job), iv::<U16>(job));
    Task::new(job.bytes, move |data| {
        let core = CtrCore::<&C>::inner_iv_init(&cipher, black_box(&iv));
        StreamCipherCoreWrapper::from_core(core).apply_keystream(data);
    })
}

fn gcm<C: Wide>(job: &Job) -> Task {
    type Gcm<C> = AesGcm<C, U12>;
    if job.direction == Direction::Setup {
        return setup::<Gcm<C>>(*job);
    }
    let gcm = Gcm::from(keyed::<C>(job));
    let nonce = Array(*job.nonce::<12>());
    if job.mode == Mode::Gmac {
        return Task::new(job.bytes, move |data| {
            let tag = gcm.encrypt_inout_detached(&nonce, data, InOutBuf::from(&mut [][..]));
            data[..16].copy_from_slice(&tag.expect("the lengths are good"));
        });
    }
    if job.encrypts() {
        return Task::new(job.bytes, move |data| {
            let tag = gcm.encrypt_inout_detached(&nonce, &[], data.into());
            black_box(&tag.expect("the lengths are good"));
        });
    }
    let mut ciphertext = vec![0x3c; job.bytes];
    let tag = gcm.encrypt_inout_detached(&nonce, &[], ciphertext.as_mut_slice().into());
    let tag = tag.expect("the lengths are good");
    Task::new(job.bytes, move |data| {
        let buffers = InOutBuf::new(black_box(&ciphertext), data).expect("of one length");
        gcm.decrypt_inout_detached(&nonce, &[], buffers, &tag).expect("the tag is good");
    })
}

fn key_wrap<C: Wide + BlockCipherDecrypt>(job: &Job) -> Task {
    use rc_aes_kw::InnerInit;
    let kw = rc_aes_kw::AesKw::inner_init(keyed::<C>(job));
    let key = vec![0xa5; job.bytes];
    if job.encrypts() {
        return Task::new(job.bytes + 8, move |output| {
            kw.wrap_key(black_box(&key), output).expect("the lengths are good");
        });
    }
    let mut wrapped = vec![0; job.bytes + 8];
    kw.wrap_key(&key, &mut wrapped).expect("the lengths are good");
    Task::new(job.bytes, move |output| {
        kw.unwrap_key(black_box(&wrapped), output).expect("it was wrapped");
    })
}

fn ghash_task(job: &Job) -> Task {
    let key = rc_ghash::GHash::new(&Array(H));
    Task::new(job.bytes, move |data| {
        let mut hash = key.clone();
        hash.update(Array::slice_as_chunks(data).0);
        data[..16].copy_from_slice(&hash.finalize());
    })
}

fn stream_task(job: &Job) -> Option<Task> {
    match (job.cipher.name, job.direction) {
        ("ARCFOUR", Direction::Setup) => Some(setup::<rc_rc4::Rc4>(*job)),
        ("ARCFOUR", _) => {
            let mut rc4 = keyed::<rc_rc4::Rc4>(job);
            Some(Task::new(job.bytes, move |data| rc4.apply_keystream(data)))
        }
        ("SALSA20", Direction::Setup) => None,
        ("SALSA20", _) => {
            let nonce = job.nonce::<8>();
            let mut salsa20 = rc_salsa20::Salsa20::new_from_slices(job.key(), nonce).ok()?;
            Some(Task::new(job.bytes, move |data| salsa20.apply_keystream(data)))
        }
        _ => None,
    }
}
