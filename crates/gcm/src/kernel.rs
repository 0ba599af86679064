//! The ways to compute GCM, and which of them this CPU has.

use core::fmt;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub use crate::x86_stitched::Stitched;

/// A way to compute GCM. One that needs instructions carries the proof that they are there.
///
/// A [`Gcm`](crate::Gcm) takes the best that goes with its cipher;
/// [`Gcm::use_kernel`](crate::Gcm::use_kernel) takes another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// The rounds of AES and GHASH interleaved, in one pass. For ciphers that offer their round
    /// keys by [`aes_round_keys`](cinder_block::BlockEncrypt::aes_round_keys): AES, unless it runs on its
    /// portable kernel. The width of the registers is chosen here and not by the cipher's kernel,
    /// which works on the same round keys.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Stitched(Stitched),
    /// Counter mode on whatever the cipher runs on, and this kernel of GHASH. For every cipher.
    TwoPass(cinder_ghash::Kernel),
}

impl Kernel {
    /// Every kernel that this CPU has, best first. Not each goes with every cipher. The one whose
    /// GHASH is not constant time is last.
    pub fn available() -> impl Iterator<Item = Kernel> {
        let two_pass = cinder_ghash::Kernel::available().map(Kernel::TwoPass);
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        let two_pass = Stitched::available().map(Kernel::Stitched).chain(two_pass);
        two_pass
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Stitched(kernel) => kernel.fmt(f),
            Kernel::TwoPass(kernel) => write!(f, "two passes, {kernel}"),
        }
    }
}
