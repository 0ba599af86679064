//! AES (FIPS 197): [`Aes128`], [`Aes192`] and [`Aes256`] for both directions, and
//! [`Aes128Encrypt`], [`Aes192Encrypt`] and [`Aes256Encrypt`] for the modes that never invert
//! (CTR, CFB, OFB, GCM, CMAC), which do not pay for the inverse key schedule.
//!
//! Blocks are 16 bytes, keys 16, 24 or 32, both in the standard's byte order.
//!
//! Constant time: yes, every kernel. The hardware's AES instructions take the same time for all
//! operands; the bitsliced kernels are Boolean circuits, without tables, branches or addresses
//! that depend on key or data.
//!
//! # Kernels
//!
//! One is chosen at run time when a key is set, the best that the CPU has;
//! [`kernel`](Aes::kernel) answers "is hardware used?".
//!
//! | [`Kernel`] | where | blocks at a time |
//! |---|---|---|
//! | `Vaes512` | x86-64 with VAES and AVX-512 | 32 |
//! | `Vaes` | x86-64 with VAES and AVX2 | 16 |
//! | `AesNi` | x86 and x86-64 with AES-NI | 8 (4 on 32-bit x86) |
//! | `Armv8` | aarch64, and 32-bit ARM on Linux and Android, with the AES extension | 8 |
//! | `Neon` | 32-bit ARM on Linux and Android, with NEON; bitsliced | 8 |
//! | `Portable` | everywhere | 4 (2 on 32-bit targets) |
//!
//! ECB, CTR, CBC decryption and CFB decryption run at the full width for as many blocks as there
//! are and take the rest in halves, so that no count has a slow tail. CBC encryption, CFB
//! encryption and OFB are one chain of blocks: they wait for the latency of the rounds, in every
//! kernel, whatever its width.
//!
//! ```
//! use cinder_block::aes::Kernel;
//! use cinder_block::{Aes128, BlockEncrypt, Slot};
//!
//! // FIPS 197, Appendix C.1.
//! let mut slot = Slot::<Aes128>::empty();
//! let aes = slot.init(&core::array::from_fn::<u8, 16, _>(|i| i as u8))?;
//! let mut block = core::array::from_fn(|i| 0x11 * i as u8);
//! let depth = aes.encrypt_block(&mut block);
//! cinder_burn::burn(depth);
//! assert_eq!(u128::from_be_bytes(block), 0x69c4e0d86a7b0430d8cdb78070b4c55a);
//!
//! println!("AES runs on {}", aes.kernel());
//! assert_eq!(aes.kernel(), Kernel::best());
//! # Ok::<(), cinder_block::KeyError>(())
//! ```

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod aarch64_ce;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod arm_ce;
#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod arm_neon;
#[cfg(any(target_arch = "x86", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86;

mod bitsliced;

#[cfg(test)]
mod tests;

use crate::slot::by_value;
use crate::{BlockDecrypt, BlockEncrypt, Depth, InPlace, KeyError, Refusal, Vacancy, chain};
use core::fmt;

/// What runs AES: a variant for each kernel of this target, with the proof that the CPU has its
/// instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// Bitsliced on general registers; runs everywhere.
    Portable,
    /// AES-NI on 128-bit registers.
    #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
    AesNi(cinder_cpu::x86::AesNi),
    /// VAES on 256-bit registers.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Vaes(cinder_cpu::x86::Vaes),
    /// VAES on 512-bit registers.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Vaes512(cinder_cpu::x86::Vaes512),
    /// The AES extension of ARMv8.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Armv8(cinder_cpu::aarch64::Aes),
    /// The AES extension of ARMv8, in 32-bit mode.
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    Armv8(cinder_cpu::arm::Aes),
    /// Bitsliced on the registers of NEON.
    #[cfg(all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ))]
    Neon(cinder_cpu::arm::Neon),
}

impl Kernel {
    /// The kernels that this CPU can run, best first. The last one is [`Kernel::Portable`].
    pub fn available() -> impl Iterator<Item = Kernel> {
        [
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Vaes512::detect().map(Kernel::Vaes512),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Vaes::detect().map(Kernel::Vaes),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            cinder_cpu::x86::AesNi::detect().map(Kernel::AesNi),
            #[cfg(all(
                target_arch = "aarch64",
                target_endian = "little",
                target_feature = "neon"
            ))]
            cinder_cpu::aarch64::Aes::detect().map(Kernel::Armv8),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            cinder_cpu::arm::Aes::detect().map(Kernel::Armv8),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            cinder_cpu::arm::Neon::detect().map(Kernel::Neon),
            Some(Kernel::Portable),
        ]
        .into_iter()
        .flatten()
    }

    /// The first of [`available`](Self::available): what a key uses unless told otherwise.
    #[inline]
    pub fn best() -> Kernel {
        // Spelled out: the compiler does not fold the iterator away, and this runs for each key.
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(token) = cinder_cpu::x86::Vaes512::detect() {
            return Kernel::Vaes512(token);
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(token) = cinder_cpu::x86::Vaes::detect() {
            return Kernel::Vaes(token);
        }
        #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
        if let Some(token) = cinder_cpu::x86::AesNi::detect() {
            return Kernel::AesNi(token);
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        if let Some(token) = cinder_cpu::aarch64::Aes::detect() {
            return Kernel::Armv8(token);
        }
        #[cfg(all(
            target_arch = "arm",
            target_endian = "little",
            any(target_os = "linux", target_os = "android")
        ))]
        if let Some(token) = cinder_cpu::arm::Aes::detect() {
            return Kernel::Armv8(token);
        }
        #[cfg(all(
            target_arch = "arm",
            target_endian = "little",
            any(target_os = "linux", target_os = "android")
        ))]
        if let Some(token) = cinder_cpu::arm::Neon::detect() {
            return Kernel::Neon(token);
        }
        Kernel::Portable
    }

    /// A short name for reports: "portable", "AES-NI", …
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::AesNi(_) => "AES-NI",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes(_) => "VAES",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes512(_) => "VAES-512",
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Armv8(_) => "ARMv8 AES",
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Armv8(_) => "ARMv8 AES",
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Neon(_) => "NEON",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Calls the function of that name in a kernel's module, its token before the arguments.
/// `wide` functions exist in each module. `narrow` ones treat one block at a time, so that the
/// wider registers have nothing to offer, and all x86 kernels share those of AES-NI.
macro_rules! dispatch {
    ($kernel:expr, wide $function:ident($($argument:expr),*)) => {
        match $kernel {
            Kernel::Portable => bitsliced::$function($($argument),*),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::AesNi(token) => x86::$function(token, $($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes(token) => x86::$function(token, $($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes512(token) => x86::$function(token, $($argument),*),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Armv8(token) => aarch64_ce::$function(token, $($argument),*),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Armv8(token) => arm_ce::$function(token, $($argument),*),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Neon(token) => arm_neon::$function(token, $($argument),*),
        }
    };
    ($kernel:expr, narrow $function:ident($($argument:expr),*)) => {
        match $kernel {
            Kernel::Portable => bitsliced::$function($($argument),*),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::AesNi(token) => x86::$function(token, $($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes(token) => x86::$function(token.into(), $($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes512(token) => x86::$function(token.into(), $($argument),*),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Armv8(token) => aarch64_ce::$function(token, $($argument),*),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Armv8(token) => arm_ce::$function(token, $($argument),*),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Neon(token) => arm_neon::$function(token, $($argument),*),
        }
    };
}

/// The same where x86 alone has a function of its own.
macro_rules! on_x86 {
    ($kernel:expr, narrow $function:ident($($argument:expr),*), else $other:expr) => {
        match $kernel {
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::AesNi(token) => x86::$function(token, $($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes(token) => x86::$function(token.into(), $($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes512(token) => x86::$function(token.into(), $($argument),*),
            _ => $other,
        }
    };
    ($kernel:expr, wide $function:ident($($argument:expr),*), else $other:expr) => {
        match $kernel {
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::AesNi(token) => x86::$function(token, $($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes(token) => x86::$function(token, $($argument),*),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Vaes512(token) => x86::$function(token, $($argument),*),
            _ => $other,
        }
    };
}

/// Round keys, the first AddRoundKey's first.
///
/// For a hardware kernel they are the bytes of FIPS 197. Their inverse, for the equivalent
/// inverse cipher (FIPS 197, 5.3.5), begins with the key that decryption adds first. The
/// bitsliced kernels have formats of their own, of the same size.
#[repr(align(16))]
struct Schedule<const ROUND_KEYS: usize>([[u8; 16]; ROUND_KEYS]);

impl<const ROUND_KEYS: usize> Schedule<ROUND_KEYS> {
    /// Bytes in a key: N_r + 1 round keys go with N_k = N_r - 6 words of key.
    const KEY: usize = {
        assert!(ROUND_KEYS == 11 || ROUND_KEYS == 13 || ROUND_KEYS == 15);
        4 * (ROUND_KEYS - 7)
    };

    const ZERO: Self = Schedule([[0; 16]; ROUND_KEYS]);
}

impl<const ROUND_KEYS: usize> Drop for Schedule<ROUND_KEYS> {
    #[inline]
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.0);
    }
}

/// AES for encryption alone; use it by one of its names [`Aes128Encrypt`], [`Aes192Encrypt`] and
/// [`Aes256Encrypt`].
///
/// Holds the round keys, 16 · `ROUND_KEYS` bytes, and which kernel they are for. Wiped when it
/// drops. A move leaves a copy behind, and `mem::forget` and a panic that aborts leave it all: see
/// [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct AesEncrypt<const ROUND_KEYS: usize> {
    keys: Schedule<ROUND_KEYS>,
    kernel: Kernel,
}

/// AES-128 for encryption alone: a key of 16 bytes, 10 rounds, 11 round keys.
pub type Aes128Encrypt = AesEncrypt<11>;
/// AES-192 for encryption alone: a key of 24 bytes, 12 rounds, 13 round keys.
pub type Aes192Encrypt = AesEncrypt<13>;
/// AES-256 for encryption alone: a key of 32 bytes, 14 rounds, 15 round keys.
pub type Aes256Encrypt = AesEncrypt<15>;

impl<const ROUND_KEYS: usize> AesEncrypt<ROUND_KEYS> {
    /// The cipher by value, for convenience. Each move of the value leaves a copy of the round
    /// keys behind, this return too; a [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16, 24 or 32 bytes, as the cipher's name says.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// Like [`InPlace::rekey`], on a kernel of the caller's choice: for tests and measurements.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] as for [`new`](Self::new); the former key then stays.
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        if key.len() != Schedule::<ROUND_KEYS>::KEY {
            return Err(KeyError::Length.into());
        }
        self.kernel = kernel;
        Ok(dispatch!(kernel, narrow expand(key, &mut self.keys.0)))
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl<const ROUND_KEYS: usize> InPlace for AesEncrypt<ROUND_KEYS> {
    fn vacant(_: Vacancy) -> Self {
        Self { keys: Schedule::ZERO, kernel: Kernel::Portable }
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

/// The forward direction, the same for both types. Never inlined into a user's frame: what a frame
/// that burns has in it lies above the burn.
macro_rules! block_encrypt {
    ($name:ident, |$self:ident| $forward:expr) => {
        impl<const ROUND_KEYS: usize> BlockEncrypt<16> for $name<ROUND_KEYS> {
            #[inline(never)]
            fn encrypt_blocks(&$self, blocks: &mut [[u8; 16]]) -> Depth {
                dispatch!($forward.kernel, wide encrypt_blocks(&$forward.keys.0, blocks))
            }

            #[inline(never)]
            fn encrypt_block(&$self, block: &mut [u8; 16]) -> Depth {
                dispatch!($forward.kernel, narrow encrypt_block(&$forward.keys.0, block))
            }

            #[inline(never)]
            fn ctr_xor(&$self, counter: &mut [u8; 16], data: &mut [[u8; 16]]) -> Depth {
                dispatch!($forward.kernel, wide ctr_xor(&$forward.keys.0, counter, data))
            }

            #[inline(never)]
            fn ctr_xor_little_endian(
                &$self,
                counter: &mut [u8; 16],
                data: &mut [[u8; 16]],
            ) -> Depth {
                on_x86!(
                    $forward.kernel,
                    wide ctr_xor_little_endian(&$forward.keys.0, counter, data),
                    else chain::ctr_xor::<_, 16, true>($self, counter, data)
                )
            }

            #[inline(never)]
            fn cbc_mac(&$self, chain: &mut [u8; 16], blocks: &[[u8; 16]]) -> Depth {
                on_x86!(
                    $forward.kernel,
                    narrow cbc_mac(&$forward.keys.0, chain, blocks),
                    else chain::cbc_mac($self, chain, blocks)
                )
            }

            #[inline(never)]
            fn xex_encrypt(
                &$self,
                base: &[u8; 16],
                masks: &[[u8; 16]],
                blocks: &mut [[u8; 16]],
            ) -> Depth {
                on_x86!(
                    $forward.kernel,
                    wide xex_encrypt(&$forward.keys.0, base, masks, blocks),
                    else chain::xex_encrypt($self, base, masks, blocks)
                )
            }

            #[inline(never)]
            fn xts_encrypt(&$self, mask: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
                on_x86!(
                    $forward.kernel,
                    wide xts_encrypt(&$forward.keys.0, mask, blocks),
                    else chain::xts_encrypt($self, mask, blocks)
                )
            }

            #[inline(never)]
            fn cbc_encrypt(&$self, chain: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
                dispatch!($forward.kernel, narrow cbc_encrypt(&$forward.keys.0, chain, blocks))
            }

            #[inline(never)]
            fn cfb_encrypt(&$self, chain: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
                dispatch!($forward.kernel, narrow cfb_encrypt(&$forward.keys.0, chain, blocks))
            }

            #[inline(never)]
            fn cfb_decrypt(&$self, chain: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
                dispatch!($forward.kernel, wide cfb_decrypt(&$forward.keys.0, chain, blocks))
            }

            #[inline(never)]
            fn ofb_xor(&$self, chain: &mut [u8; 16], data: &mut [[u8; 16]]) -> Depth {
                dispatch!($forward.kernel, narrow ofb_xor(&$forward.keys.0, chain, data))
            }

            fn aes_round_keys(&$self) -> Option<&[[u8; 16]]> {
                match $forward.kernel {
                    Kernel::Portable => None,
                    #[cfg(all(
                        target_arch = "arm",
                        target_endian = "little",
                        any(target_os = "linux", target_os = "android")
                    ))]
                    Kernel::Neon(_) => None,
                    #[allow(unreachable_patterns, reason = "not every target has another")]
                    _ => Some(&$forward.keys.0),
                }
            }
        }
    };
}

block_encrypt!(AesEncrypt, |self| self);
block_encrypt!(Aes, |self| self.forward);

impl<const ROUND_KEYS: usize> zeroize::ZeroizeOnDrop for AesEncrypt<ROUND_KEYS> {}

impl<const ROUND_KEYS: usize> fmt::Debug for AesEncrypt<ROUND_KEYS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AesEncrypt")
            .field("key_bits", &(8 * Schedule::<ROUND_KEYS>::KEY))
            .field("kernel", &self.kernel)
            .finish_non_exhaustive()
    }
}

/// AES in both directions; use it by one of its names [`Aes128`], [`Aes192`] and [`Aes256`].
///
/// Holds the round keys of both directions, 32 · `ROUND_KEYS` bytes, and which kernel they are
/// for. Wiped when it drops. A move leaves a copy behind, and `mem::forget` and a panic that
/// aborts leave it all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is
/// no `Clone`.
pub struct Aes<const ROUND_KEYS: usize> {
    forward: AesEncrypt<ROUND_KEYS>,
    /// Stays zero in the bitsliced kernels, which invert with the forward keys.
    inverse: Schedule<ROUND_KEYS>,
}

/// AES-128: a key of 16 bytes, 10 rounds, 11 round keys.
pub type Aes128 = Aes<11>;
/// AES-192: a key of 24 bytes, 12 rounds, 13 round keys.
pub type Aes192 = Aes<13>;
/// AES-256: a key of 32 bytes, 14 rounds, 15 round keys.
pub type Aes256 = Aes<15>;

impl<const ROUND_KEYS: usize> Aes<ROUND_KEYS> {
    /// The cipher by value, for convenience. Each move of the value leaves a copy of the round
    /// keys behind, this return too; a [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16, 24 or 32 bytes, as the cipher's name says.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// Like [`InPlace::rekey`], on a kernel of the caller's choice: for tests and measurements.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] as for [`new`](Self::new); the former key then stays.
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        let depth = self.forward.rekey_with_kernel(key, kernel)?;
        Ok(depth.max(dispatch!(kernel, narrow invert(&self.forward.keys.0, &mut self.inverse.0))))
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.forward.kernel
    }

    /// The round keys that decryption uses.
    fn inverse(&self) -> &[[u8; 16]; ROUND_KEYS] {
        match self.forward.kernel {
            Kernel::Portable => &self.forward.keys.0,
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Neon(_) => &self.forward.keys.0,
            #[cfg(any(
                target_arch = "x86",
                target_feature = "sse2",
                all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
                all(
                    target_arch = "arm",
                    target_endian = "little",
                    any(target_os = "linux", target_os = "android")
                )
            ))]
            _ => &self.inverse.0,
        }
    }
}

impl<const ROUND_KEYS: usize> InPlace for Aes<ROUND_KEYS> {
    fn vacant(vacancy: Vacancy) -> Self {
        Self { forward: AesEncrypt::vacant(vacancy), inverse: Schedule::ZERO }
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

impl<const ROUND_KEYS: usize> BlockDecrypt<16> for Aes<ROUND_KEYS> {
    #[inline(never)]
    fn decrypt_blocks(&self, blocks: &mut [[u8; 16]]) -> Depth {
        dispatch!(self.forward.kernel, wide decrypt_blocks(self.inverse(), blocks))
    }

    #[inline(never)]
    fn decrypt_block(&self, block: &mut [u8; 16]) -> Depth {
        dispatch!(self.forward.kernel, narrow decrypt_block(self.inverse(), block))
    }

    #[inline(never)]
    fn xex_decrypt(&self, base: &[u8; 16], masks: &[[u8; 16]], blocks: &mut [[u8; 16]]) -> Depth {
        on_x86!(
            self.forward.kernel,
            wide xex_decrypt(self.inverse(), base, masks, blocks),
            else chain::xex_decrypt(self, base, masks, blocks)
        )
    }

    #[inline(never)]
    fn xts_decrypt(&self, mask: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
        on_x86!(
            self.forward.kernel,
            wide xts_decrypt(self.inverse(), mask, blocks),
            else chain::xts_decrypt(self, mask, blocks)
        )
    }

    #[inline(never)]
    fn cbc_decrypt(&self, chain: &mut [u8; 16], blocks: &mut [[u8; 16]]) -> Depth {
        dispatch!(self.forward.kernel, wide cbc_decrypt(self.inverse(), chain, blocks))
    }
}

impl<const ROUND_KEYS: usize> zeroize::ZeroizeOnDrop for Aes<ROUND_KEYS> {}

impl<const ROUND_KEYS: usize> fmt::Debug for Aes<ROUND_KEYS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aes")
            .field("key_bits", &(8 * Schedule::<ROUND_KEYS>::KEY))
            .field("kernel", &self.kernel())
            .finish_non_exhaustive()
    }
}
