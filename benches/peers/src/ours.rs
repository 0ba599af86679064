//! This project's crates.

use crate::ghash_bytes;
use crate::job::{Direction, H, Job, Mode};
use crate::measure::Task;
use crate::sealing;
use crate::singly::Singly;
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, Refusal, Slot};
use cinder_gcm::Gcm;
use std::hint::black_box;

/// Both directions of a block cipher, as one object.
trait BlockCipher<const N: usize>: BlockEncrypt<N> + BlockDecrypt<N> {}

impl<const N: usize, C: BlockEncrypt<N> + BlockDecrypt<N>> BlockCipher<N> for C {}

enum Keyed {
    Narrow(Box<dyn BlockCipher<8>>),
    Wide(Box<dyn BlockCipher<16>>),
}

impl From<Box<dyn BlockCipher<8>>> for Keyed {
    fn from(cipher: Box<dyn BlockCipher<8>>) -> Self {
        Keyed::Narrow(cipher)
    }
}

impl From<Box<dyn BlockCipher<16>>> for Keyed {
    fn from(cipher: Box<dyn BlockCipher<16>>) -> Self {
        Keyed::Wide(cipher)
    }
}

/// Where an ECB encryption burns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Burning {
    /// All blocks in one call of the cipher; nowhere.
    Never,
    /// All blocks in one call of the cipher; once, as the modes do.
    PerCall,
    /// One block a call of the cipher; nowhere.
    BlocksNever,
    /// One block a call of the cipher; once at the end.
    BlocksPerCall,
    /// One block a call of the cipher; after each.
    PerBlock,
}

impl Burning {
    pub(crate) const ALL: [Burning; 5] = [
        Burning::Never,
        Burning::PerCall,
        Burning::BlocksNever,
        Burning::BlocksPerCall,
        Burning::PerBlock,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Burning::Never => "no burn",
            Burning::PerCall => "burn per call",
            Burning::BlocksNever => "single blocks, no burn",
            Burning::BlocksPerCall => "single blocks, burn per call",
            Burning::PerBlock => "single blocks, burn per block",
        }
    }
}

/// A block cipher: the name of its row, the kernels that this CPU has, best first, and what is
/// built for a key and an index of `kernels`.
struct Entry {
    name: &'static str,
    kernels: fn() -> Vec<String>,
    keyed: fn(&'static [u8], usize) -> Keyed,
    setup: fn(&'static [u8], usize) -> Task,
    /// Burns after each block, or not.
    singly: fn(&'static [u8], usize, bool) -> Keyed,
    burning: fn(&'static [u8], usize, Burning, usize) -> Task,
}

/// A line of [`ENTRIES`]: the row's name and the type; then, for a cipher with several kernels,
/// their type, or, for one that is not keyed by `rekey`, how it is keyed.
macro_rules! entry {
    ($name:literal, $cipher:ty) => {
        entry!($name, $cipher, |cipher, key| cipher.rekey(key))
    };
    ($name:literal, $cipher:ty, |$c:ident, $key:ident| $rekey:expr) => {
        entry!(
            @ $name, || vec!["portable".to_owned()],
            |_index| |$c: &mut $cipher, $key: &[u8]| $rekey
        )
    };
    ($name:literal, $cipher:ty, $kernels:ty, |$c:ident, $key:ident, $kernel:ident| $rekey:expr) => {
        entry!(
            @ $name, || <$kernels>::available().map(|kernel| kernel.to_string()).collect(),
            |index| {
                let $kernel = <$kernels>::available().nth(index).expect("an index of `kernels`");
                move |$c: &mut $cipher, $key: &[u8]| $rekey
            }
        )
    };
    ($name:literal, $cipher:ty, $kernel:ty) => {
        entry!(
            @ $name, || <$kernel>::available().map(|kernel| kernel.to_string()).collect(),
            |index| {
                let kernel = <$kernel>::available().nth(index).expect("an index of `kernels`");
                // The best one by the road that a user takes.
                move |c: &mut $cipher, key: &[u8]| match index {
                    0 => c.rekey(key),
                    _ => c.rekey_with_kernel(key, kernel),
                }
            }
        )
    };
    (@ $name:literal, $kernels:expr, |$index:ident| $rekey:expr) => {
        Entry {
            name: $name,
            kernels: $kernels,
            keyed: |key, $index| keyed($rekey, key),
            setup: |key, $index| setup($rekey, key),
            singly: |key, $index, burns| singly($rekey, key, burns),
            burning: |key, $index, how, bytes| burning($rekey, key, how, bytes),
        }
    };
}

/// The block ciphers that there are. A new one is one line.
const ENTRIES: &[Entry] = &[
    entry!("IDEA", cinder_block::Idea),
    entry!("3DES", cinder_block::TripleDes, cinder_block::des::Kernel),
    entry!("CAST5", cinder_block::Cast5),
    entry!("BLOWFISH", cinder_block::Blowfish),
    entry!("AES", cinder_block::Aes128, cinder_block::aes::Kernel),
    entry!("AES192", cinder_block::Aes192, cinder_block::aes::Kernel),
    entry!("AES256", cinder_block::Aes256, cinder_block::aes::Kernel),
    entry!("TWOFISH", cinder_block::Twofish),
    entry!("DES", cinder_block::Des, cinder_block::des::Kernel),
    entry!("TWOFISH128", cinder_block::Twofish),
    entry!("SERPENT128", cinder_block::Serpent, cinder_block::serpent::Kernel),
    entry!("SERPENT192", cinder_block::Serpent, cinder_block::serpent::Kernel),
    entry!("SERPENT256", cinder_block::Serpent, cinder_block::serpent::Kernel),
    entry!("RFC2268_40", cinder_block::Rc2, cinder_block::rc2::Kernel, |rc2, key, kernel| {
        rc2.rekey_effective_with_kernel(key, 40, kernel)
    }),
    entry!("SEED", cinder_block::Seed, cinder_block::seed::Kernel),
    entry!("CAMELLIA128", cinder_block::Camellia, cinder_block::camellia::Kernel),
    entry!("CAMELLIA192", cinder_block::Camellia, cinder_block::camellia::Kernel),
    entry!("CAMELLIA256", cinder_block::Camellia, cinder_block::camellia::Kernel),
    // The counts of instructions on ARM do not have it.
    #[cfg(target_arch = "x86_64")]
    entry!("ARIA128", cinder_block::Aria, cinder_block::aria::Kernel),
    #[cfg(target_arch = "x86_64")]
    entry!("ARIA192", cinder_block::Aria, cinder_block::aria::Kernel),
    #[cfg(target_arch = "x86_64")]
    entry!("ARIA256", cinder_block::Aria, cinder_block::aria::Kernel),
];

pub(crate) fn boxed<C: InPlace>(
    rekey: impl Fn(&mut C, &[u8]) -> Result<Depth, Refusal>,
    key: &[u8],
) -> Box<C> {
    Slot::boxed_with(|cipher| rekey(cipher, key)).expect("the key is good")
}

fn keyed<C, const N: usize>(
    rekey: impl Fn(&mut C, &[u8]) -> Result<Depth, Refusal>,
    key: &[u8],
) -> Keyed
where
    C: InPlace + BlockCipher<N> + 'static,
    Keyed: From<Box<dyn BlockCipher<N>>>,
{
    let cipher: Box<dyn BlockCipher<N>> = boxed(rekey, key);
    cipher.into()
}

fn singly<C, const N: usize>(
    rekey: impl Fn(&mut C, &[u8]) -> Result<Depth, Refusal>,
    key: &[u8],
    burns: bool,
) -> Keyed
where
    C: InPlace + BlockCipher<N> + 'static,
    Keyed: From<Box<dyn BlockCipher<N>>>,
{
    let cipher = boxed(rekey, key);
    let cipher: Box<dyn BlockCipher<N>> = if burns {
        Box::new(Singly::<C, true>(cipher))
    } else {
        Box::new(Singly::<C, false>(cipher))
    };
    cipher.into()
}

/// Sets the key anew in a slot, and burns.
fn setup<C: InPlace + 'static>(
    rekey: impl Fn(&mut C, &[u8]) -> Result<Depth, Refusal> + 'static,
    key: &'static [u8],
) -> Task {
    let mut slot = Box::new(Slot::<C>::empty());
    Task::new(0, move |_| {
        let cipher = slot.init_with(|cipher| rekey(cipher, black_box(key)));
        black_box(cipher.expect("the key is good"));
    })
}

fn burning<C, const N: usize>(
    rekey: impl Fn(&mut C, &[u8]) -> Result<Depth, Refusal>,
    key: &[u8],
    how: Burning,
    bytes: usize,
) -> Task
where
    C: InPlace + BlockCipher<N> + 'static,
    Keyed: From<Box<dyn BlockCipher<N>>>,
{
    let cipher = boxed(rekey, key);
    let singly = |cipher: &C, blocks: &mut [[u8; N]]| {
        let mut depth = Depth::NONE;
        for block in blocks {
            depth = depth.max(cipher.encrypt_block(block));
        }
        depth
    };
    match how {
        Burning::Never => Task::new(bytes, move |data| {
            let _ = cipher.encrypt_blocks(data.as_chunks_mut().0);
        }),
        Burning::PerCall => Task::new(bytes, move |data| {
            cinder_burn::scope(|| ((), cipher.encrypt_blocks(data.as_chunks_mut().0)));
        }),
        Burning::BlocksNever => Task::new(bytes, move |data| {
            let _ = singly(&cipher, data.as_chunks_mut().0);
        }),
        Burning::BlocksPerCall => Task::new(bytes, move |data| {
            cinder_burn::scope(|| ((), singly(&cipher, data.as_chunks_mut().0)));
        }),
        Burning::PerBlock => Task::new(bytes, move |data| {
            for block in data.as_chunks_mut::<N>().0 {
                cinder_burn::scope(|| ((), cipher.encrypt_block(block)));
            }
        }),
    }
}

/// This project, on the kernels that were asked for.
pub(crate) struct Ours {
    /// A kernel's name, or "all"; the best one if none.
    pub(crate) kernel: Option<String>,
}

impl Ours {
    /// The job's tasks, with the names of their kernels.
    pub(crate) fn tasks(&self, job: &Job) -> Vec<(String, Task)> {
        if let Mode::Ghash = job.mode {
            let kernels = cinder_ghash::Kernel::available().map(|kernel| kernel.to_string());
            return self.chosen(kernels.collect(), |index| Some(ghash_task(job, index)));
        }
        if sealing::has(job) {
            return self.chosen(sealing::ours::kernels(), |index| sealing::ours::task(job, index));
        }
        if job.cipher.block == 0 {
            let kernels = match job.cipher.name {
                "SALSA20" | "CHACHA20" => {
                    cinder_stream::Kernel::available().map(|kernel| kernel.to_string()).collect()
                }
                _ => vec!["portable".to_owned()],
            };
            return self.chosen(kernels, |index| stream_task(job, index));
        }
        let Some(entry) = entry(job) else { return Vec::new() };
        // GCM over AES has kernels of its own, which join the two.
        if let (Mode::Gcm | Mode::Gmac, Some(task)) = (job.mode, aes_gcm(entry)) {
            let kernels = cinder_gcm::Kernel::available().map(|kernel| kernel.to_string());
            return self.chosen(kernels.collect(), |index| task(job, index));
        }
        self.chosen((entry.kernels)(), |index| block_task(entry, job, index))
    }

    /// An ECB encryption of `job.bytes` that burns in the given way.
    pub(crate) fn burning(&self, job: &Job, how: Burning) -> Vec<(String, Task)> {
        let Some(entry) = entry(job) else { return Vec::new() };
        self.chosen((entry.kernels)(), |index| {
            Some((entry.burning)(job.key(), index, how, job.bytes))
        })
    }

    /// The job block by block, burnt after each or once a call.
    pub(crate) fn singly(&self, job: &Job, burns: bool) -> Vec<(String, Task)> {
        let Some(entry) = entry(job) else { return Vec::new() };
        self.chosen((entry.kernels)(), |index| {
            keyed_task((entry.singly)(job.key(), index, burns), job)
        })
    }

    fn chosen(
        &self,
        kernels: Vec<String>,
        mut task: impl FnMut(usize) -> Option<Task>,
    ) -> Vec<(String, Task)> {
        let is_wanted = |index: usize, name: &str| match self.kernel.as_deref() {
            None => index == 0,
            Some("all") => true,
            Some(wanted) => wanted.eq_ignore_ascii_case(name),
        };
        let wanted =
            kernels.into_iter().enumerate().filter(|(index, name)| is_wanted(*index, name));
        wanted.filter_map(|(index, name)| Some((name, task(index)?))).collect()
    }
}

fn entry(job: &Job) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == job.cipher.name)
}

type IndexedTask = fn(&Job, usize) -> Option<Task>;

fn aes_gcm(entry: &Entry) -> Option<IndexedTask> {
    match entry.name {
        "AES" => Some(aes_gcm_task::<11>),
        "AES192" => Some(aes_gcm_task::<13>),
        "AES256" => Some(aes_gcm_task::<15>),
        _ => None,
    }
}

fn block_task(entry: &Entry, job: &Job, index: usize) -> Option<Task> {
    // Where a call is short enough that a virtual one would count: the type itself.
    if job.mode == Mode::CtrMessage || job.direction == Direction::Setup && job.mode == Mode::Ctr {
        return match entry.name {
            "AES" => aes_ctr_task::<11>(job, index),
            "AES192" => aes_ctr_task::<13>(job, index),
            "AES256" => aes_ctr_task::<15>(job, index),
            _ => None,
        };
    }
    if job.direction == Direction::Setup {
        return (job.mode == Mode::Ecb).then(|| (entry.setup)(job.key(), index));
    }
    keyed_task((entry.keyed)(job.key(), index), job)
}

fn keyed_task(cipher: Keyed, job: &Job) -> Option<Task> {
    match (cipher, job.mode) {
        (Keyed::Wide(cipher), Mode::Gcm) => Some(gcm_task(Box::new(Gcm::new(cipher)), job)),
        (Keyed::Wide(cipher), Mode::KeyWrap) => Some(key_wrap_task(cipher, job)),
        (Keyed::Wide(cipher), _) => mode_task(cipher, job),
        (Keyed::Narrow(cipher), _) => mode_task(cipher, job),
    }
}

fn mode_task<const N: usize>(cipher: Box<dyn BlockCipher<N>>, job: &Job) -> Option<Task> {
    let iv = job.iv();
    Some(match (job.mode, job.encrypts()) {
        (Mode::Ecb, true) => {
            let mut ecb = cinder_modes::ecb::Encryptor::new(cipher);
            Task::new(job.bytes, move |data| ecb.encrypt(data).expect("whole blocks"))
        }
        (Mode::Ecb, false) => {
            let mut ecb = cinder_modes::ecb::Decryptor::new(cipher);
            Task::new(job.bytes, move |data| ecb.decrypt(data).expect("whole blocks"))
        }
        (Mode::Cbc, true) => {
            let mut cbc = cinder_modes::cbc::Encryptor::new(cipher, iv);
            Task::new(job.bytes, move |data| cbc.encrypt(data).expect("whole blocks"))
        }
        (Mode::Cbc, false) => {
            let mut cbc = cinder_modes::cbc::Decryptor::new(cipher, iv);
            Task::new(job.bytes, move |data| cbc.decrypt(data).expect("whole blocks"))
        }
        (Mode::Cfb, true) => {
            let mut cfb = cinder_modes::cfb::Encryptor::new(cipher, iv);
            Task::new(job.bytes, move |data| cfb.encrypt(data))
        }
        (Mode::Cfb, false) => {
            let mut cfb = cinder_modes::cfb::Decryptor::new(cipher, iv);
            Task::new(job.bytes, move |data| cfb.decrypt(data))
        }
        (Mode::Ofb, _) => {
            let mut ofb = cinder_modes::ofb::Ofb::new(cipher, iv);
            Task::new(job.bytes, move |data| ofb.apply_keystream(data))
        }
        (Mode::Ctr, _) => {
            let mut ctr = cinder_modes::ctr::Ctr::new(cipher, iv);
            Task::new(job.bytes, move |data| ctr.apply_keystream(data).expect("counters are left"))
        }
        _ => return None,
    })
}

fn gcm_task<C: BlockEncrypt<16> + 'static>(gcm: Box<Gcm<C>>, job: &Job) -> Task {
    let nonce = job.nonce::<12>();
    let mut tag = [0; 16];
    if job.encrypts() {
        return Task::new(job.bytes, move |data| {
            gcm.seal_in_place(nonce, &[], data, &mut tag).expect("the lengths are good");
            black_box(&tag);
        });
    }
    let mut ciphertext = vec![0x3c; job.bytes];
    gcm.seal_in_place(nonce, &[], &mut ciphertext, &mut tag).expect("the lengths are good");
    Task::new(job.bytes, move |data| {
        gcm.open(nonce, &[], black_box(&ciphertext), data, &tag).expect("the tag is good");
    })
}

type Aes<const ROUND_KEYS: usize> = cinder_block::aes::AesEncrypt<ROUND_KEYS>;

/// AES by its type: messages of their own, and the key for encryption alone.
fn aes_ctr_task<const ROUND_KEYS: usize>(job: &Job, index: usize) -> Option<Task> {
    let kernel = cinder_block::aes::Kernel::available().nth(index)?;
    let rekey = move |aes: &mut Aes<ROUND_KEYS>, key: &[u8]| match index {
        0 => aes.rekey(key),
        _ => aes.rekey_with_kernel(key, kernel),
    };
    if job.direction == Direction::Setup {
        return Some(setup(rekey, job.key()));
    }
    let iv = job.iv();
    let mut ctr = cinder_modes::ctr::Ctr::new(boxed(rekey, job.key()), iv);
    Some(Task::new(job.bytes, move |data| {
        ctr.restart(black_box(iv));
        ctr.apply_keystream(data).expect("counters are left");
    }))
}

/// GCM over AES by its type, on one of GCM's kernels.
fn aes_gcm_task<const ROUND_KEYS: usize>(job: &Job, index: usize) -> Option<Task> {
    let rekey = |gcm: &mut Gcm<Aes<ROUND_KEYS>>, key: &[u8]| gcm.rekey(key);
    if job.direction == Direction::Setup {
        return (index == 0).then(|| setup(rekey, job.key()));
    }
    let mut gcm = boxed(rekey, job.key());
    let _ = gcm.use_kernel(cinder_gcm::Kernel::available().nth(index)?)?;
    if job.mode == Mode::Gcm {
        return Some(gcm_task(gcm, job));
    }
    let nonce = job.nonce::<12>();
    Some(Task::new(job.bytes, move |data| {
        let mut tag = [0; 16];
        gcm.seal_in_place(nonce, data, &mut [], &mut tag).expect("the lengths are good");
        data[..16].copy_from_slice(&tag);
    }))
}

/// The buffer has room for the wrapped key, or for the key.
fn key_wrap_task(cipher: Box<dyn BlockCipher<16>>, job: &Job) -> Task {
    let kw = cinder_modes::key_wrap::Kw::new(cipher);
    let key = vec![0xa5; job.bytes];
    if job.encrypts() {
        return Task::new(job.bytes + 8, move |output| {
            kw.wrap_to(black_box(&key), output).expect("the lengths are good");
        });
    }
    let mut wrapped = vec![0; job.bytes + 8];
    kw.wrap_to(&key, &mut wrapped).expect("the lengths are good");
    Task::new(job.bytes, move |output| {
        kw.unwrap_to(black_box(&wrapped), output).expect("it was wrapped");
    })
}

fn ghash_task(job: &Job, index: usize) -> Task {
    let mut key = cinder_ghash::GhashKey::vacant();
    let kernel = cinder_ghash::Kernel::available().nth(index).expect("an index of `available`");
    let _ = key.rekey_with_kernel(&H, kernel);
    Task::new(job.bytes, move |data| {
        let mut y = [0; 16];
        cinder_burn::scope(|| ((), key.update_blocks(&mut y, data.as_chunks().0)));
        data[..16].copy_from_slice(&y);
    })
}

/// GHASH as it was before words: a table of 16 multiples, added and shifted byte by byte.
pub(crate) fn ghash_by_bytes(job: &Job) -> Task {
    let table = ghash_bytes::Table::new(&H);
    Task::new(job.bytes, move |data| {
        let mut y = [0; 16];
        table.update(&mut y, data.as_chunks().0);
        data[..16].copy_from_slice(&y);
    })
}

fn stream_task(job: &Job, index: usize) -> Option<Task> {
    let key = job.key();
    let kernel = cinder_stream::Kernel::available().nth(index);
    // The best one by the road that a user takes.
    let salsa20 = move |salsa20: &mut cinder_stream::Salsa20, key: &[u8]| match kernel {
        Some(kernel) if index > 0 => salsa20.rekey_with_kernel(key, kernel),
        _ => salsa20.rekey(key),
    };
    let chacha20 = move |chacha20: &mut cinder_stream::ChaCha20, key: &[u8]| match kernel {
        Some(kernel) if index > 0 => chacha20.rekey_with_kernel(key, kernel),
        _ => chacha20.rekey(key),
    };
    match (job.cipher.name, job.direction) {
        ("ARCFOUR", Direction::Setup) => {
            Some(setup(|arc4: &mut cinder_stream::Arc4, key: &[u8]| arc4.rekey(key), key))
        }
        ("SALSA20", Direction::Setup) => Some(setup(salsa20, key)),
        ("CHACHA20", Direction::Setup) => Some(setup(chacha20, key)),
        ("ARCFOUR", _) => {
            let mut arc4 = boxed(|arc4: &mut cinder_stream::Arc4, key| arc4.rekey(key), key);
            Some(Task::new(job.bytes, move |data| arc4.apply(data)))
        }
        // A keystream borrows its key, and lives as long as this program.
        ("SALSA20", _) => {
            let mut keystream = Box::leak(boxed(salsa20, key)).keystream(job.nonce());
            Some(Task::new(job.bytes, move |data| {
                keystream.apply(data).expect("the keystream does not end");
            }))
        }
        ("CHACHA20", _) => {
            let mut keystream = Box::leak(boxed(chacha20, key)).keystream(job.nonce());
            Some(Task::new(job.bytes, move |data| {
                keystream.apply(data).expect("the keystream does not end");
            }))
        }
        _ => None,
    }
}
