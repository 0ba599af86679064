//! For old data and old protocols alone, and DES is broken: take AES.
//!
//! DES (FIPS 46-3) and 3DES (SP 800-67, also "Triple DES", TDEA, DES-EDE): [`Des`] and
//! [`TripleDes`].
//!
//! Blocks are 8 bytes. Keys are 8 bytes for DES, 24 (K1, K2, K3) or 16 (K1, K2, and K3 = K1) for
//! 3DES, in the standards' byte order. The lowest bit of each byte of a key is for parity and is
//! ignored.
//!
//! Constant time: no, unless asked for. A few blocks at a time go through tables at places that
//! depend on key and data. [`Kernel::constant_time`] has none, for any count of blocks; and
//! setting a key, also the test for weak keys, is constant time always.
//!
//! # Kernels
//!
//! | [`Kernel`] | few blocks | many blocks | constant time |
//! |---|---|---|---|
//! | `VartimeAvx2` | tables, one block or three | bit slices of 256 blocks | no |
//! | `VartimeNeon` | tables, one block or three | bit slices of 128 blocks | no |
//! | `Vartime` | tables, one block or three | bit slices | no |
//! | `BitslicedAvx2` | bit slices of 256 blocks | bit slices of 256 blocks | yes |
//! | `BitslicedNeon` | bit slices of 128 blocks | bit slices of 128 blocks | yes |
//! | `Bitsliced` | bit slices | bit slices | yes |
//!
//! Bit slices hold 128 blocks on x86 and on 64-bit ARM, and elsewhere as many as a general register has bits. A
//! batch that is not full takes as long as a full one: on x86-64 as long as 40 blocks by tables,
//! so that shorter messages go by tables unless told otherwise. CBC encryption, CFB encryption
//! and OFB encrypt one block at a time: in bit slices each of them costs as much as a batch.
//!
//! # Is it safe?
//!
//! No, except to read and to serve what others have written in it. DES falls to exhaustive search
//! of its 56 key bits. 3DES does not, but blocks of 64 bits repeat among 2^32 by the birthday
//! bound, which betrays plaintext (the Sweet32 attack): SP 800-67 allows 2^20 blocks, 8 MiB,
//! under one key. NIST has withdrawn both.
//!
//! ```
//! use cinder_block::des::Kernel;
//! use cinder_block::{BlockEncrypt, Slot, TripleDes};
//!
//! // Without tables at secret places, for every count of blocks.
//! let mut slot = Slot::<TripleDes>::empty();
//! let tdes = slot.init_with(|tdes| {
//!     tdes.rekey_with_kernel(b"0123456789abcdefghijklmn", Kernel::constant_time())
//! })?;
//! let mut blocks = [*b"plain!!!"; 500];
//! let depth = tdes.encrypt_blocks(&mut blocks);
//! cinder_burn::burn(depth);
//! # Ok::<(), cinder_block::KeyError>(())
//! ```

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
#[expect(unsafe_code, reason = "a kernel: the target has its feature")]
mod aarch64_neon;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
#[expect(unsafe_code, reason = "a kernel: its token proves the CPU's feature")]
mod arm_neon;
mod bitsliced;
mod keys;
mod networks;
mod table_vartime;
mod tables;
mod weak;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86_avx2;
#[cfg(target_feature = "sse2")]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86_sse2;

#[cfg(test)]
mod tests;

use crate::chain::WIDE_8;
use crate::permutation::{Inlined, Permutation, block_traits};
use crate::schedule::secret;
use crate::slot::by_value;
use crate::{Depth, InPlace, KeyError, Refusal, Vacancy, chain};
use cinder_burn::declassify;
use core::{array, fmt};
use keys::RoundKey;
pub use weak::{Class, classify};

/// The word of the bit slices.
#[cfg(target_feature = "sse2")]
type Word = x86_sse2::Sse2;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
type Word = aarch64_neon::Neon;
#[cfg(all(
    not(target_feature = "sse2"),
    not(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")),
    target_pointer_width = "64"
))]
type Word = u64;
#[cfg(all(not(target_feature = "sse2"), not(target_pointer_width = "64")))]
type Word = u32;

/// Blocks in a batch of bit slices in words that the target always has.
const BATCH: usize = bitsliced::batch::<Word>();

/// Blocks in the largest batch.
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
const WIDEST: usize = bitsliced::batch::<x86_avx2::Avx2>();
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
const WIDEST: usize = bitsliced::batch::<arm_neon::Neon>();
#[cfg(not(any(
    target_arch = "x86",
    target_feature = "sse2",
    all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    )
)))]
const WIDEST: usize = BATCH;

/// From this many blocks on, a batch of bit slices that is not full is quicker than tables.
/// Measured on x86-64 in each of the words; about the same for DES and 3DES.
const WORTH: usize = match BATCH {
    64 => 35,
    128 => 40,
    _ => BATCH,
};

/// What runs DES and 3DES: see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// Tables for few blocks, bit slices for many. Not constant time.
    Vartime,
    /// The same, with bit slices of 256 bits: AVX2. Not constant time.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    VartimeAvx2(cinder_cpu::x86::Avx2),
    /// The same as [`Vartime`](Self::Vartime), with bit slices of 128 bits: NEON. Not constant time.
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    VartimeNeon(cinder_cpu::arm::Neon),
    /// Bit slices for any count of blocks. Constant time.
    Bitsliced,
    /// The same, of 256 bits: AVX2. Constant time.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    BitslicedAvx2(cinder_cpu::x86::Avx2),
    /// The same as [`Bitsliced`](Self::Bitsliced), of 128 bits: NEON. Constant time.
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    BitslicedNeon(cinder_cpu::arm::Neon),
}

impl Kernel {
    /// The kernels that this CPU can run, the quickest first; those that are constant time come
    /// after those that are not.
    pub fn available() -> impl Iterator<Item = Kernel> {
        [
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            cinder_cpu::x86::Avx2::detect().map(Kernel::VartimeAvx2),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            cinder_cpu::arm::Neon::detect().map(Kernel::VartimeNeon),
            Some(Kernel::Vartime),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            cinder_cpu::x86::Avx2::detect().map(Kernel::BitslicedAvx2),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            cinder_cpu::arm::Neon::detect().map(Kernel::BitslicedNeon),
            Some(Kernel::Bitsliced),
        ]
        .into_iter()
        .flatten()
    }

    /// The first of [`available`](Self::available): what a key uses unless told otherwise.
    #[inline]
    pub fn best() -> Kernel {
        #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
        if let Some(token) = cinder_cpu::x86::Avx2::detect() {
            return Kernel::VartimeAvx2(token);
        }
        #[cfg(all(
            target_arch = "arm",
            target_endian = "little",
            any(target_os = "linux", target_os = "android")
        ))]
        if let Some(token) = cinder_cpu::arm::Neon::detect() {
            return Kernel::VartimeNeon(token);
        }
        Kernel::Vartime
    }

    /// The best kernel that is constant time for any count of blocks.
    #[inline]
    pub fn constant_time() -> Kernel {
        #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
        if let Some(token) = cinder_cpu::x86::Avx2::detect() {
            return Kernel::BitslicedAvx2(token);
        }
        #[cfg(all(
            target_arch = "arm",
            target_endian = "little",
            any(target_os = "linux", target_os = "android")
        ))]
        if let Some(token) = cinder_cpu::arm::Neon::detect() {
            return Kernel::BitslicedNeon(token);
        }
        Kernel::Bitsliced
    }

    /// Whether it is constant time for any count of blocks.
    #[inline(always)]
    pub fn is_constant_time(self) -> bool {
        match self {
            Kernel::Vartime => false,
            Kernel::Bitsliced => true,
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::VartimeAvx2(_) => false,
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::VartimeNeon(_) => false,
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::BitslicedAvx2(_) => true,
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::BitslicedNeon(_) => true,
        }
    }

    /// Blocks in a batch of bit slices.
    #[inline(always)]
    fn batch(self) -> usize {
        match self {
            Kernel::Vartime | Kernel::Bitsliced => BATCH,
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::VartimeAvx2(_) | Kernel::BitslicedAvx2(_) => WIDEST,
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::VartimeNeon(_) | Kernel::BitslicedNeon(_) => WIDEST,
        }
    }

    /// The bit slices, on any count of blocks.
    #[inline(always)]
    fn slices(self, schedule: &[[RoundKey; 16]], decrypt: bool, blocks: &mut [[u8; 8]]) -> Depth {
        match self {
            Kernel::Vartime | Kernel::Bitsliced => {
                bitsliced::crypt_baseline::<Word>(schedule, decrypt, blocks)
            }
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::VartimeAvx2(token) | Kernel::BitslicedAvx2(token) => {
                x86_avx2::crypt(token, schedule, decrypt, blocks)
            }
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::VartimeNeon(token) | Kernel::BitslicedNeon(token) => {
                arm_neon::crypt(token, schedule, decrypt, blocks)
            }
        }
    }

    /// A short name for reports.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Vartime => "vartime",
            Kernel::Bitsliced => "bitsliced",
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::VartimeAvx2(_) => "vartime AVX2",
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::VartimeNeon(_) => "vartime NEON",
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::BitslicedAvx2(_) => "bitsliced AVX2",
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::BitslicedNeon(_) => "bitsliced NEON",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// DES, with a key of 8 bytes.
///
/// Holds 128 bytes of round keys, wiped when it drops. A move leaves a copy behind, and
/// `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// For old data and old protocols only: see the [module](self), also on constant time.
///
/// # Weak keys
///
/// The 4 weak and 12 semi-weak keys of FIPS 74 are [`KeyError::Weak`], unless
/// [`rekey_allow_weak`](Des::rekey_allow_weak) or [`new_allow_weak`](Des::new_allow_weak) is
/// used. The 48 "possibly weak" keys are taken; [`classify`] tells them for who must refuse them.
///
/// ```
/// use cinder_block::{BlockDecrypt, BlockEncrypt, Des, Slot};
///
/// let mut slot = Slot::<Des>::empty();
/// let des = slot.init(&[0x13, 0x34, 0x57, 0x79, 0x9b, 0xbc, 0xdf, 0xf1])?;
/// let mut block = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef];
/// let depth = des.encrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(block, [0x85, 0xe8, 0x13, 0x54, 0x0f, 0x0a, 0xb4, 0x05]);
/// let depth = des.decrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(block, [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]);
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Des {
    schedule: [[RoundKey; 16]; 1],
    kernel: Kernel,
}

secret!(Des { schedule });

/// 3DES, with a key of 24 or 16 bytes: encryption is E_K3(D_K2(E_K1(block))).
///
/// Holds 384 bytes of round keys, wiped when it drops. A move leaves a copy behind, and
/// `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// Two-key 3DES is a key of 16 bytes, K1 and K2; K3 = K1 then.
///
/// For old data and old protocols only: see the [module](self), also on constant time.
///
/// # Weak keys
///
/// A key is [`KeyError::Weak`] if one of its parts is a weak or semi-weak key of DES, or if
/// K1 = K2 or K2 = K3, so that two of the three DES cancel, parity bits not counted.
/// [`rekey_allow_weak`](TripleDes::rekey_allow_weak) and
/// [`new_allow_weak`](TripleDes::new_allow_weak) take all keys: with K1 = K2 = K3, 3DES is DES.
///
/// ```
/// use cinder_block::{BlockEncrypt, Slot, TripleDes};
///
/// // SP 800-67, Appendix B.1, the first block.
/// let key = 0x0123456789abcdef_23456789abcdef01_u128.to_be_bytes();
/// let key = [&key[..], &0x456789abcdef0123_u64.to_be_bytes()].concat();
/// let mut slot = Slot::<TripleDes>::empty();
/// let tdes = slot.init(&key)?;
/// let mut block = *b"The qufc";
/// let depth = tdes.encrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(block, [0xa8, 0x26, 0xfd, 0x8c, 0xe5, 0x3b, 0x85, 0x5f]);
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct TripleDes {
    schedule: [[RoundKey; 16]; 3],
    kernel: Kernel,
}

secret!(TripleDes { schedule });

impl Des {
    /// By value: moving the value leaves a copy of its 128 bytes of key schedule where it was. A
    /// [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 8 bytes; [`KeyError::Weak`] if it is weak or
    /// semi-weak.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// [`new`](Self::new) that takes weak keys too.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 8 bytes.
    pub fn new_allow_weak(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|des: &mut Self| des.rekey_allow_weak(key))
    }

    /// [`rekey`](InPlace::rekey) that takes weak keys too.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 8 bytes; the former key then stays.
    pub fn rekey_allow_weak(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_allow_weak_with_kernel(key, Kernel::best())
    }

    /// [`rekey`](InPlace::rekey), for a kernel of the caller's choice.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 8 bytes; [`KeyError::Weak`] if it is weak or
    /// semi-weak. The former key then stays.
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        let depth = refuse_weak(weak_des(key)?)?;
        Ok(depth.max(self.rekey_allow_weak_with_kernel(key, kernel)?))
    }

    /// [`rekey_allow_weak`](Self::rekey_allow_weak), for a kernel of the caller's choice.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 8 bytes; the former key then stays.
    #[inline(never)]
    pub fn rekey_allow_weak_with_kernel(
        &mut self,
        key: &[u8],
        kernel: Kernel,
    ) -> Result<Depth, Refusal> {
        let key = parse_des(key)?;
        self.kernel = kernel;
        let [keys] = &mut self.schedule;
        Ok(Depth::here().max(keys::expand(key, false, keys)))
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl TripleDes {
    /// By value: moving the value leaves a copy of its 384 bytes of key schedule where it was. A
    /// [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 or 24 bytes; [`KeyError::Weak`] if it is weak.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// [`new`](Self::new) that takes weak keys too.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 or 24 bytes.
    pub fn new_allow_weak(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|tdes: &mut Self| tdes.rekey_allow_weak(key))
    }

    /// [`rekey`](InPlace::rekey) that takes weak keys too.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 or 24 bytes; the former key then stays.
    pub fn rekey_allow_weak(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_allow_weak_with_kernel(key, Kernel::best())
    }

    /// [`rekey`](InPlace::rekey), for a kernel of the caller's choice.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 or 24 bytes; [`KeyError::Weak`] if it is weak.
    /// The former key then stays.
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        let depth = refuse_weak(weak_tdes(key)?)?;
        Ok(depth.max(self.rekey_allow_weak_with_kernel(key, kernel)?))
    }

    /// [`rekey_allow_weak`](Self::rekey_allow_weak), for a kernel of the caller's choice.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 or 24 bytes; the former key then stays.
    #[inline(never)]
    pub fn rekey_allow_weak_with_kernel(
        &mut self,
        key: &[u8],
        kernel: Kernel,
    ) -> Result<Depth, Refusal> {
        let keys = parse_tdes(key)?;
        self.kernel = kernel;
        let mut depth = Depth::here();
        // E, D, E.
        for (i, (key, round_keys)) in keys.iter().zip(&mut self.schedule).enumerate() {
            depth = depth.max(keys::expand(*key, i == 1, round_keys));
        }
        Ok(depth)
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }
}

fn parse_des(key: &[u8]) -> Result<u64, KeyError> {
    key.try_into().map(u64::from_be_bytes).map_err(|_| KeyError::Length)
}

fn parse_tdes(key: &[u8]) -> Result<[u64; 3], KeyError> {
    match key.as_chunks() {
        (&[k1, k2], []) => Ok([k1, k2, k1].map(u64::from_be_bytes)),
        (&[k1, k2, k3], []) => Ok([k1, k2, k3].map(u64::from_be_bytes)),
        _ => Err(KeyError::Length),
    }
}

/// Whether the key is weak. Not inlined: the key is in this frame and not in the caller's.
#[inline(never)]
fn weak_des(key: &[u8]) -> Result<(bool, Depth), KeyError> {
    let weak = weak::is_weak(parse_des(key)?);
    Ok((declassify(weak.into()) == 1, Depth::here()))
}

/// The same for 3DES.
#[inline(never)]
fn weak_tdes(key: &[u8]) -> Result<(bool, Depth), KeyError> {
    let [k1, k2, k3] = parse_tdes(key)?;
    let weak = weak::is_weak(k1) | weak::is_weak(k2) | weak::is_weak(k3);
    let weak = weak | weak::same(k1, k2) | weak::same(k2, k3);
    Ok((declassify(weak.into()) == 1, Depth::here()))
}

fn refuse_weak((weak, depth): (bool, Depth)) -> Result<Depth, Refusal> {
    if weak {
        return Err(Refusal { error: KeyError::Weak, depth: depth.max(Depth::here()) });
    }
    Ok(depth)
}

impl InPlace for Des {
    fn vacant(_: Vacancy) -> Self {
        Des { schedule: [[[0; 2]; 16]; 1], kernel: Kernel::best() }
    }

    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 8 bytes; [`KeyError::Weak`] if it is weak or
    /// semi-weak. The former key then stays.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

impl InPlace for TripleDes {
    fn vacant(_: Vacancy) -> Self {
        TripleDes { schedule: [[[0; 2]; 16]; 3], kernel: Kernel::best() }
    }

    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 or 24 bytes; [`KeyError::Weak`] if it is weak.
    /// The former key then stays.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

/// The same for both ciphers. The scratch of a mode is a batch, unless the blocks fill a smaller one: pieces
/// of a batch would take as long as the whole.
macro_rules! permutation {
    ($name:ident) => {
        impl Permutation<8> for $name {
            #[inline(always)]
            fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 8]]) -> Depth {
                crypt_blocks::<_, DECRYPT>(&self.schedule, self.kernel, blocks)
            }

            #[inline(always)]
            fn block<const DECRYPT: bool>(&self, block: &mut [u8; 8]) -> Depth {
                crypt_block::<_, DECRYPT>(&self.schedule, self.kernel, block)
            }

            fn ctr(&self, counter: &mut [u8; 8], data: &mut [[u8; 8]]) -> Depth {
                let cipher = &Inlined(self);
                match self.kernel.batch() {
                    _ if data.len() <= WIDE_8 => {
                        chain::ctr_xor::<_, 8, false>(cipher, counter, data)
                    }
                    BATCH => chain::ctr_xor_by::<_, 8, false, BATCH>(cipher, counter, data),
                    _ => chain::ctr_xor_by::<_, 8, false, WIDEST>(cipher, counter, data),
                }
            }

            fn decrypt_cfb(&self, chain: &mut [u8; 8], blocks: &mut [[u8; 8]]) -> Depth {
                let cipher = &Inlined(self);
                match self.kernel.batch() {
                    _ if blocks.len() <= WIDE_8 => chain::cfb_decrypt(cipher, chain, blocks),
                    BATCH => chain::cfb_decrypt_by::<_, 8, BATCH>(cipher, chain, blocks),
                    _ => chain::cfb_decrypt_by::<_, 8, WIDEST>(cipher, chain, blocks),
                }
            }

            fn decrypt_cbc(&self, chain: &mut [u8; 8], blocks: &mut [[u8; 8]]) -> Depth {
                let cipher = &Inlined(self);
                match self.kernel.batch() {
                    _ if blocks.len() <= WIDE_8 => chain::cbc_decrypt(cipher, chain, blocks),
                    BATCH => chain::cbc_decrypt_by::<_, 8, BATCH>(cipher, chain, blocks),
                    _ => chain::cbc_decrypt_by::<_, 8, WIDEST>(cipher, chain, blocks),
                }
            }
        }

        block_traits!($name, 8);
    };
}

permutation!(Des);
permutation!(TripleDes);

#[inline(always)]
fn crypt_block<const PASSES: usize, const DECRYPT: bool>(
    schedule: &[[RoundKey; 16]; PASSES],
    kernel: Kernel,
    block: &mut [u8; 8],
) -> Depth {
    let block = array::from_mut(block);
    if kernel.is_constant_time() {
        kernel.slices(schedule, DECRYPT, block)
    } else {
        table_vartime::crypt::<PASSES, DECRYPT, 1>(schedule, block)
    }
}

fn crypt_blocks<const PASSES: usize, const DECRYPT: bool>(
    schedule: &[[RoundKey; 16]; PASSES],
    kernel: Kernel,
    blocks: &mut [[u8; 8]],
) -> Depth {
    let rest = blocks.len() % kernel.batch();
    let few = if rest < WORTH && !kernel.is_constant_time() { rest } else { 0 };
    let (many, few) = blocks.split_at_mut(blocks.len() - few);
    let mut depth = Depth::here();
    if !many.is_empty() {
        depth = depth.max(kernel.slices(schedule, DECRYPT, many));
    }
    if !few.is_empty() {
        depth = depth.max(tables::<PASSES, DECRYPT>(schedule, few));
    }
    depth
}

/// Blocks in a set of the table kernel.
const LANES: usize = 3;

#[inline(never)]
fn tables<const PASSES: usize, const DECRYPT: bool>(
    schedule: &[[RoundKey; 16]; PASSES],
    blocks: &mut [[u8; 8]],
) -> Depth {
    let mut depth = Depth::here();
    let (sets, rest) = blocks.as_chunks_mut::<LANES>();
    for set in sets {
        depth = depth.max(table_vartime::crypt::<PASSES, DECRYPT, LANES>(schedule, set));
    }
    // Three side by side wait no longer than one: two take less than one after the other.
    if let [a, b] = rest {
        let mut set = [*a, *b, [0; 8]];
        depth = depth.max(table_vartime::crypt::<PASSES, DECRYPT, LANES>(schedule, &mut set));
        [*a, *b, _] = set;
    } else if let [block] = rest {
        let block = array::from_mut(block);
        depth = depth.max(table_vartime::crypt::<PASSES, DECRYPT, 1>(schedule, block));
    }
    depth
}
