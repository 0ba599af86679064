//! Serpent: R. Anderson, E. Biham, L. Knudsen, "Serpent: A Proposal for the Advanced Encryption
//! Standard", 1998.
//!
//! Blocks of 16 bytes, four little-endian words; keys of 16, 24 and 32 bytes, and shorter ones by
//! the submission's padding; 32 rounds.
//!
//! Constant time: yes, every kernel. The S-boxes are Boolean circuits, without tables, branches or
//! addresses that depend on key or data.
//!
//! # Kernels
//!
//! One is chosen at run time when a key is set, the best that the CPU has;
//! [`kernel`](Serpent::kernel) says which.
//!
//! | [`Kernel`] | where | blocks at a time |
//! |---|---|---|
//! | `Avx512` | x86-64 with AVX-512 | 32 and 16 |
//! | `Avx2` | x86-64 with AVX2 | 16 and 8 |
//! | `Neon` | 32-bit ARM on Linux and Android, with NEON | 8 |
//! | `Portable` | everywhere | 8 with SSE2 or aarch64's NEON, else 1 |
//!
//! All but `Neon` are the same code, in which the compiler turns loops over blocks into vector
//! instructions. One block alone, as in CBC and CFB encryption and OFB, waits for the latency of
//! the circuits on general registers.
//!
//! # Byte order
//!
//! Two orders of bytes are about. Here it is that of NESSIE, which is in general use: the first
//! four bytes are the word X_0, the least significant first, and the first byte of the key is the
//! least significant byte of the least significant word. The vectors in the AES submission print
//! each block and each key as one number, the most significant byte first: reverse all bytes of
//! key, plaintext and ciphertext to get from one to the other. (What other libraries call
//! "tnepres" is the submission's order.)
//!
//! The submission's bitslice form is used throughout: the initial and the final permutation only
//! convert between it and the form with one 4-bit S-box at a time, so that neither is needed.

#[cfg(all(
    target_arch = "arm",
    target_endian = "little",
    any(target_os = "linux", target_os = "android")
))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod arm_neon;
mod portable;
mod rounds;
mod sboxes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(unsafe_code, reason = "a kernel: its tokens prove the CPU's features")]
mod x86_avx512;

use crate::permutation::{Permutation, block_traits};
use crate::slot::by_value;
use crate::{Depth, InPlace, KeyError, Refusal, Vacancy};
use core::fmt;
use rounds::{Keys, ROUND_KEYS};

/// What runs Serpent: a variant for each kernel of this target, with the proof that the CPU has
/// its instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// General registers and the vectors that every CPU of the target has.
    Portable,
    /// AVX2.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(cinder_cpu::x86::Avx2),
    /// AVX-512.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512(cinder_cpu::x86::Avx512),
    /// NEON.
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
            cinder_cpu::x86::Avx512::detect().map(Kernel::Avx512),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            cinder_cpu::x86::Avx2::detect().map(Kernel::Avx2),
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
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(token) = cinder_cpu::x86::Avx512::detect() {
            return Kernel::Avx512(token);
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if let Some(token) = cinder_cpu::x86::Avx2::detect() {
            return Kernel::Avx2(token);
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

    /// A short name for reports: "portable", "AVX2", …
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx2(_) => "AVX2",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx512(_) => "AVX-512",
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

/// Serpent, with a key of 16, 24 or 32 bytes.
///
/// Holds 33 round keys, 528 bytes, wiped when it drops. A move leaves a copy behind, and
/// `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// ```
/// use cinder_block::{BlockDecrypt, BlockEncrypt, Serpent, Slot};
///
/// let mut slot = Slot::<Serpent>::empty();
/// let serpent = slot.init(&[0x42; 32])?;
/// let mut block = *b"sixteen bytes...";
/// let depth = serpent.encrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// let depth = serpent.decrypt_block(&mut block);
/// cinder_burn::burn(depth);
/// assert_eq!(&block, b"sixteen bytes...");
///
/// // A shorter key, padded as the submission says.
/// let mut slot = Slot::<Serpent>::empty();
/// slot.init_with(|serpent| serpent.rekey_padded(b"ten bytes."))?;
/// # Ok::<(), cinder_block::KeyError>(())
/// ```
pub struct Serpent {
    keys: Keys,
    kernel: Kernel,
}

impl Serpent {
    /// Serpent by value. The move out of this function may leave a copy of the round keys on the
    /// stack; [`Slot`](crate::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16, 24 or 32 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// The same with a key of any length up to 32 bytes; see
    /// [`rekey_padded`](Self::rekey_padded).
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 32 bytes.
    pub fn new_padded(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|serpent: &mut Self| serpent.rekey_padded(key))
    }

    /// Replaces the key by one of 1 to 32 bytes. A shorter key than 32 bytes is padded by a one
    /// bit and zeros, as the submission says for any length (keys of 16 and 24 bytes are, too: for
    /// those this is [`rekey`](InPlace::rekey)). A short key falls to exhaustive search. The caller
    /// burns the depth; [`Slot::init_with`](crate::Slot::init_with) does.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 32 bytes; the former key then stays.
    pub fn rekey_padded(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        if !(1..=32).contains(&key.len()) {
            return Err(KeyError::Length.into());
        }
        self.kernel = Kernel::best();
        Ok(rounds::expand(key, &mut self.keys))
    }

    /// Like [`InPlace::rekey`], on a kernel of the caller's choice: for tests and measurements.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] as for [`new`](Self::new); the former key then stays.
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        if ![16, 24, 32].contains(&key.len()) {
            return Err(KeyError::Length.into());
        }
        self.kernel = kernel;
        Ok(rounds::expand(key, &mut self.keys))
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }
}

impl InPlace for Serpent {
    fn vacant(_: Vacancy) -> Self {
        Serpent { keys: [[0; 4]; ROUND_KEYS], kernel: Kernel::Portable }
    }

    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16, 24 or 32 bytes; the former key then stays.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

impl Permutation<16> for Serpent {
    #[inline(always)]
    fn blocks<const DECRYPT: bool>(&self, blocks: &mut [[u8; 16]]) -> Depth {
        let keys = &self.keys;
        match (self.kernel, DECRYPT) {
            (Kernel::Portable, false) => portable::encrypt_blocks(keys, blocks),
            (Kernel::Portable, true) => portable::decrypt_blocks(keys, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Kernel::Avx2(token), false) => x86_avx2::encrypt_blocks(token, keys, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Kernel::Avx2(token), true) => x86_avx2::decrypt_blocks(token, keys, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Kernel::Avx512(token), false) => x86_avx512::encrypt_blocks(token, keys, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Kernel::Avx512(token), true) => x86_avx512::decrypt_blocks(token, keys, blocks),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            (Kernel::Neon(token), false) => arm_neon::encrypt_blocks(token, keys, blocks),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            (Kernel::Neon(token), true) => arm_neon::decrypt_blocks(token, keys, blocks),
        }
    }

    #[inline(always)]
    fn block<const DECRYPT: bool>(&self, block: &mut [u8; 16]) -> Depth {
        if DECRYPT {
            portable::decrypt(&self.keys, core::array::from_mut(block))
        } else {
            portable::encrypt(&self.keys, core::array::from_mut(block))
        }
    }
}

block_traits!(Serpent, 16);

impl Drop for Serpent {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.keys);
    }
}

impl zeroize::ZeroizeOnDrop for Serpent {}

impl fmt::Debug for Serpent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serpent").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::laws;
    use crate::{BlockDecrypt, BlockEncrypt};
    use std::string::ToString;
    use std::vec::Vec;

    fn with_kernel(key: &[u8], kernel: Kernel) -> Serpent {
        let mut serpent = crate::slot::vacant::<Serpent>();
        cinder_burn::burn(serpent.rekey_with_kernel(key, kernel).unwrap());
        serpent
    }

    /// NESSIE's vectors, set 3 (a key and a plaintext of one byte repeated).
    #[test]
    fn nessie_vectors() {
        for (key, plaintext, ciphertext) in [
            ("00".repeat(16), "00".repeat(16), "3620b17ae6a993d09618b8768266bae9"),
            ("00".repeat(24), "00".repeat(16), "a583ef976a292b406bbd5dc8256b0442"),
            ("08".repeat(24), "08".repeat(16), "80f250b4ee37e370b5956a6a4698d27f"),
            ("00".repeat(32), "00".repeat(16), "49672ba898d98df95019180445491089"),
            ("08".repeat(32), "08".repeat(16), "74bfd6c979cd2d673748fd242a8d6500"),
        ] {
            laws::vector::<Serpent, 16>(&key, &plaintext, ciphertext);
        }
    }

    /// A vector of the AES submission with its bytes reversed.
    #[test]
    fn submission_vectors() {
        laws::vector::<Serpent, 16>(
            "ffeeddccbbaa99887766554433221100",
            "1032547698badcfeefcdab8967452301",
            "d5baa00a4bb9d8a7c981c8dc90d89d92",
        );
    }

    #[test]
    fn laws_on_every_kernel() {
        let key: [u8; 32] = core::array::from_fn(|i| (37 * i) as u8);
        for kernel in Kernel::available() {
            laws::counts(&with_kernel(&key, kernel));
        }
    }

    #[test]
    fn kernels_agree() {
        let key: [u8; 24] = core::array::from_fn(|i| (101 * i) as u8);
        let plaintext: Vec<[u8; 16]> = (0..133u32)
            .map(|i| core::array::from_fn(|j| (i * 151 + j as u32 * 43) as u8))
            .collect();
        let portable = with_kernel(&key, Kernel::Portable);
        for kernel in Kernel::available() {
            let serpent = with_kernel(&key, kernel);
            for count in 0..=plaintext.len() {
                let mut expected = plaintext.clone();
                for block in &mut expected[..count] {
                    cinder_burn::burn(portable.encrypt_block(block));
                }
                let mut blocks = plaintext.clone();
                cinder_burn::burn(serpent.encrypt_blocks(&mut blocks[..count]));
                assert_eq!(blocks, expected, "{kernel} {count}");
                cinder_burn::burn(serpent.decrypt_blocks(&mut blocks[..count]));
                assert_eq!(blocks, plaintext, "{kernel} {count}");
            }
        }
    }

    #[test]
    fn the_best_kernel_is_the_default() {
        assert_eq!(Serpent::new(&[0; 16]).unwrap().kernel(), Kernel::best());
        assert_eq!(Kernel::available().next(), Some(Kernel::best()));
        assert_eq!(Kernel::available().last(), Some(Kernel::Portable));
        assert_eq!(Kernel::Portable.to_string(), "portable");
    }

    #[test]
    fn key_lengths() {
        laws::key_lengths::<Serpent>(|length| [16, 24, 32].contains(&length));
        for length in 0..80 {
            let legal = (1..=32).contains(&length);
            assert_eq!(Serpent::new_padded(&[7; 80][..length]).is_ok(), legal, "{length}");
        }
    }

    /// A padded key is the key of 32 bytes with a one bit after it, whatever its length.
    #[test]
    fn short_keys_are_padded() {
        let key: [u8; 32] = core::array::from_fn(|i| 0xa5 ^ i as u8);
        for length in 1..=32 {
            let mut padded = [0; 32];
            padded[..length].copy_from_slice(&key[..length]);
            if length < 32 {
                padded[length] = 1;
            }
            let full = Serpent::new(&padded).unwrap();
            assert_eq!(Serpent::new_padded(&key[..length]).unwrap().keys, full.keys);
            if [16, 24, 32].contains(&length) {
                assert_eq!(Serpent::new(&key[..length]).unwrap().keys, full.keys);
            }
        }
    }

    #[test]
    fn refused_keys_leave_the_former_one() {
        let mut serpent = with_kernel(b"sixteen byte key", Kernel::Portable);
        let former = serpent.keys;
        for length in [0, 1, 15, 17, 31, 33] {
            assert_eq!(serpent.rekey(&[0; 33][..length]).unwrap_err().error, KeyError::Length);
        }
        for length in [0, 33] {
            assert_eq!(
                serpent.rekey_padded(&[0; 33][..length]).unwrap_err().error,
                KeyError::Length
            );
        }
        assert_eq!((serpent.keys, serpent.kernel), (former, Kernel::Portable));
    }

    /// The deepest is that of a padded set, 32 blocks with AVX-512; one block takes none to speak
    /// of.
    #[test]
    fn frames_are_small() {
        let limit = |bytes: usize| if cfg!(debug_assertions) { 65536 } else { bytes };
        for kernel in Kernel::available() {
            let mut serpent = crate::slot::vacant::<Serpent>();
            let depth = serpent.rekey_with_kernel(&[1; 32], kernel).unwrap();
            assert!(depth.bytes() <= limit(512), "setup {}", depth.bytes());
            let mut blocks = [[0; 16]; 63];
            for count in [63, 31, 17, 9, 1] {
                for depth in [
                    serpent.encrypt_blocks(&mut blocks[..count]),
                    serpent.decrypt_blocks(&mut blocks[..count]),
                ] {
                    assert!(depth.bytes() <= limit(1280), "{kernel} {count} {}", depth.bytes());
                }
            }
            for depth in
                [serpent.encrypt_block(&mut blocks[0]), serpent.decrypt_block(&mut blocks[0])]
            {
                assert!(depth.bytes() <= limit(256), "{kernel} one block {}", depth.bytes());
            }
        }
    }

    #[test]
    fn debug_tells_no_secret() {
        let serpent = with_kernel(&[1; 32], Kernel::Portable);
        assert_eq!(std::format!("{serpent:?}"), "Serpent { kernel: Portable, .. }");
    }
}
