//! A cipher that is chosen at run time: from its name, its OpenPGP number or an OID to a `dyn`
//! cipher, built in place in storage that the caller provides.
//!
//! The ciphers are those whose features are on; an identifier of another finds nothing. Blocks
//! are of 8 or 16 bytes, and [`DynCipher`] says which, so that code for both is two match arms.
//! Constant time: finding the algorithm is not secret; the ciphers say it of themselves.
//!
//! ```
//! # #[cfg(feature = "aes")] {
//! use cinder_block::any::{Algorithm, AnySlot, DynCipher};
//! use cinder_block::BlockEncrypt;
//!
//! let algorithm = Algorithm::from_openpgp(7).ok_or("not compiled in")?; // AES-128
//! let mut slot = AnySlot::empty();
//! let DynCipher::Block16(cipher) = slot.init(algorithm, &[0x42; 16])? else {
//!     return Err("a cipher with blocks of 8 bytes".into());
//! };
//! let mut block = [0; 16];
//! let depth = cipher.encrypt_block(&mut block); // or a mode of the crate `modes` over `cipher`
//! cinder_burn::burn(depth);
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod algorithm;
mod object;
mod oid;

#[cfg(test)]
mod tests;

pub use algorithm::Algorithm;
#[cfg(feature = "alloc")]
pub use object::BoxedCipher;
pub use object::{AnySlot, BlockCipher, DynCipher};
pub use oid::{Mode, Oid};
