//! AES and TDEA key wrap: encrypt and authenticate keys, always to the same bytes. Not for messages:
//! they make six passes; use GCM.
//!
//! RFC 3394 ([`Kw`]), and with padding RFC 5649 ([`Kwp`]); SP 800-38F sections 6.2 and 6.3, and 7
//! for [`Tkw`], the same over blocks of 8 bytes. A key is wrapped under another, the KEK. Use it to
//! store or send keys where a protocol prescribes it: CMS, JOSE's A128KW, OpenPGP's ECDH.
//!
//! Semiblocks of half a block, 8 bytes or in [`Tkw`] 4; integers big endian. A wrapped key is a
//! semiblock longer than the key, which [`Kwp`] first fills up to whole semiblocks. The KEK's cipher
//! is any with blocks of 16 bytes, AES, and also Camellia (RFC 3657) and SEED (RFC 4010); of 8 bytes,
//! triple DES. Constant time: yes, if the cipher is; the check of an unwrapped key too, which tells
//! only whether it failed. The 6n block operations are serial.
//!
//! ```
//! use cinder_block::{Aes128, Slot};
//! use cinder_modes::key_wrap::Kw;
//!
//! // RFC 3394, 4.1.
//! let mut slot = Slot::<Aes128>::empty();
//! let kek = &*slot.init(&0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes())?;
//! let key = 0x00112233445566778899aabbccddeeff_u128.to_be_bytes();
//! let mut buffer = [0; 24];
//! let wrapped = Kw::new(kek).wrap_to(&key, &mut buffer)?;
//! assert_eq!(wrapped[..8], 0x1fa68b0a8112b447_u64.to_be_bytes());
//! assert_eq!(Kw::new(kek).unwrap(wrapped)?, key);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::padding::REFUSED;
use crate::{LengthError, UnwrapError, copy_then_end, prefix};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};
use cinder_burn::declassify;
use core::hint::black_box;
use subtle::{Choice, ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};

/// RFC 3394 section 2.2.3.1, and SP 800-38F's ICV1 and ICV3: all bytes of the initial value.
const DEFAULT_IV: u8 = 0xa6;
/// RFC 5649 section 3, the alternative initial value; the key's length follows in four bytes.
const ALTERNATIVE_IV: [u8; 4] = [0xa6, 0x59, 0x59, 0xa6];

/// Key wrap over a cipher, the KEK, with blocks of `N` bytes and semiblocks of `H`, half a block:
/// [`Kw`], with padding [`Kwp`], and [`Tkw`].
///
/// Holds the cipher, or a reference to one, and the initial value: see
/// [what stays in memory](crate#what-stays-in-memory).
pub struct KeyWrap<C, const PADDED: bool, const N: usize = 16, const H: usize = 8> {
    cipher: C,
    iv: [u8; H],
}

/// AES key wrap, RFC 3394: for keys of 16 bytes or more, in whole semiblocks of 8. See [`KeyWrap`].
pub type Kw<C> = KeyWrap<C, false>;

/// AES key wrap with padding, RFC 5649: for keys of 1 to 2^32 - 1 bytes. See [`KeyWrap`].
pub type Kwp<C> = KeyWrap<C, true>;

/// TDEA key wrap, SP 800-38F section 7: over a cipher with blocks of 8 bytes, for keys of 8 bytes
/// or more, in whole semiblocks of 4. See [`KeyWrap`].
///
/// Its integrity check has 32 bits: one forgery in 2^32 is accepted. For data of old systems.
///
/// ```
/// use cinder_block::{Slot, TripleDes};
/// use cinder_modes::key_wrap::Tkw;
///
/// let mut slot = Slot::<TripleDes>::empty();
/// let kek = &*slot.init(b"24 bytes of key: not so!")?;
/// let mut buffer = [0; 20];
/// let wrapped = Tkw::new(kek).wrap_to(&[0x42; 16], &mut buffer)?;
/// assert_eq!(Tkw::new(kek).unwrap(wrapped)?, [0x42; 16]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Tkw<C> = KeyWrap<C, false, 8, 4>;

impl<C, const N: usize, const H: usize> KeyWrap<C, false, N, H> {
    /// With an initial value of the caller's, which unwrapping checks. It is no nonce: it says what
    /// the key is for, and its 64 bits, in [`Tkw`] 32, are the integrity check.
    pub fn with_iv(cipher: C, iv: &[u8; H]) -> Self {
        const { assert!(Self::IS_POSSIBLE) };
        KeyWrap { cipher, iv: *iv }
    }
}

impl<C, const PADDED: bool, const N: usize, const H: usize> KeyWrap<C, PADDED, N, H> {
    const IS_POSSIBLE: bool = 2 * H == N && (H == 8 || H == 4 && !PADDED);
    /// Semiblocks of a key, at least.
    const LEAST: usize = if PADDED { 1 } else { 2 };
    /// In bytes: RFC 5649, section 1; SP 800-38F, table 1: of TKW's semiblocks less than 2^28, of
    /// KW's less than 2^54, which are more than a memory holds.
    const MOST: u64 = match (PADDED, H) {
        (true, _) => u32::MAX as u64,
        (_, 4) => 4 * ((1 << 28) - 1),
        _ => 8 * ((1 << 54) - 1),
    };

    /// Over a cipher, or a reference to one, with the initial value of the document: A6 in every
    /// byte, with padding A65959A6 and the key's length.
    pub fn new(cipher: C) -> Self {
        const { assert!(Self::IS_POSSIBLE) };
        let mut iv = [DEFAULT_IV; H];
        if PADDED {
            iv[..4].copy_from_slice(&ALTERNATIVE_IV);
        }
        KeyWrap { cipher, iv }
    }

    /// The length of a wrapped key, for a key of `len` bytes: a semiblock more, with padding a
    /// semiblock more than the next multiple of one.
    ///
    /// # Errors
    ///
    /// [`LengthError::Short`] if `len` is less than two semiblocks, [`LengthError::Partial`] if it is
    /// not a multiple of one, [`LengthError::Long`] if it is more than the document allows or the sum
    /// overflows. With padding [`LengthError::Short`] if `len` is 0, [`LengthError::Long`] if it is
    /// 2^32 or more.
    pub const fn wrapped_len(len: usize) -> Result<usize, LengthError> {
        if len < if PADDED { 1 } else { Self::LEAST * H } {
            return Err(LengthError::Short);
        }
        if !PADDED && !len.is_multiple_of(H) {
            return Err(LengthError::Partial);
        }
        if len > usize::MAX - 15 || len as u64 > Self::MOST {
            return Err(LengthError::Long);
        }
        Ok(len.next_multiple_of(H) + H)
    }

    /// A, and the key's semiblocks, if a wrapped key has this length.
    #[inline(always)]
    fn split(wrapped: &[u8]) -> Result<(&[u8; H], &[u8]), UnwrapError> {
        match wrapped.split_first_chunk() {
            Some((a, rest))
                if rest.len() >= Self::LEAST * H
                    && rest.len().is_multiple_of(H)
                    && (H == 8 || rest.len() as u64 <= Self::MOST) =>
            {
                Ok((a, rest))
            }
            _ => Err(UnwrapError),
        }
    }
}

impl<C: BlockEncrypt<N>, const PADDED: bool, const N: usize, const H: usize>
    KeyWrap<C, PADDED, N, H>
{
    /// Wraps the key in `buffer[..len]` in place, and returns the wrapped key, the front of
    /// `buffer`, [`wrapped_len`](Self::wrapped_len) bytes.
    ///
    /// # Errors
    ///
    /// Those of [`wrapped_len`](Self::wrapped_len), and [`LengthError::Buffer`] if `buffer` is too
    /// small.
    pub fn wrap<'a>(&self, buffer: &'a mut [u8], len: usize) -> Result<&'a mut [u8], LengthError> {
        let data = prefix(buffer, Self::wrapped_len(len)?)?;
        cinder_burn::scope(|| ((), self.encrypt(data, len)));
        Ok(data)
    }

    /// Wraps `key` to the front of `output`, and returns the wrapped key.
    ///
    /// # Errors
    ///
    /// Those of [`wrap`](Self::wrap).
    pub fn wrap_to<'a>(
        &self,
        key: &[u8],
        output: &'a mut [u8],
    ) -> Result<&'a mut [u8], LengthError> {
        let data = prefix(output, Self::wrapped_len(key.len())?)?;
        copy_then_end(key, data, |data| ((), self.encrypt(data, key.len())));
        Ok(data)
    }

    /// Wraps the key in `data[..len]`.
    #[inline(always)]
    fn encrypt(&self, data: &mut [u8], len: usize) -> Depth {
        data.copy_within(..len, H);
        let Some((a, r)) = data.split_first_chunk_mut::<H>() else { return Depth::NONE };
        *a = self.iv;
        if PADDED {
            // `wrapped_len` has refused 2^32.
            a[4..].copy_from_slice(&(len as u32).to_be_bytes());
            r[len..].fill(0);
        }
        w::<N, H, false>(a, r.as_chunks_mut().0, |block| self.cipher.encrypt_block(block))
    }
}

impl<C: BlockDecrypt<N>, const PADDED: bool, const N: usize, const H: usize>
    KeyWrap<C, PADDED, N, H>
{
    /// Unwraps in place, and returns the key, which is the front of `data`, a semiblock
    /// shorter; with padding 8 to 15 bytes.
    ///
    /// # Errors
    ///
    /// [`UnwrapError`] if `data` is not the length of a wrapped key (then nothing was changed) or
    /// the integrity check fails (then `data` was wiped).
    pub fn unwrap<'a>(&self, data: &'a mut [u8]) -> Result<&'a mut [u8], UnwrapError> {
        let (a, rest) = Self::split(data)?;
        let (a, len) = (*a, rest.len());
        let len = cinder_burn::scope(|| {
            cinder_burn::on_unwind(data, cinder_burn::wipe, |data| {
                data.copy_within(H.., 0);
                data[len..].fill(0);
                self.decrypt(a, &mut data[..len])
            })
        });
        data.get_mut(..len).ok_or(UnwrapError)
    }

    /// Unwraps to the front of `output`, which has room for a semiblock less than `wrapped`, and
    /// returns the key, which with padding may be up to 7 bytes shorter still.
    ///
    /// # Errors
    ///
    /// [`UnwrapError`] if `wrapped` is not the length of a wrapped key or `output` is too small
    /// (then nothing was changed), or the integrity check fails (then what was written to `output`
    /// was wiped).
    pub fn unwrap_to<'a>(
        &self,
        wrapped: &[u8],
        output: &'a mut [u8],
    ) -> Result<&'a mut [u8], UnwrapError> {
        let (a, rest) = Self::split(wrapped)?;
        let data = output.get_mut(..rest.len()).ok_or(UnwrapError)?;
        let len = copy_then_end(rest, data, |key| self.decrypt(*a, key));
        data.get_mut(..len).ok_or(UnwrapError)
    }

    /// Unwraps the semiblocks in `key`, before which `a` stood, and checks them. Returns the key's
    /// length; if the check fails, wipes them and returns [`REFUSED`].
    #[inline(always)]
    fn decrypt(&self, mut a: [u8; H], key: &mut [u8]) -> (usize, Depth) {
        let registers = key.as_chunks_mut().0;
        let depth = w::<N, H, true>(&mut a, registers, |block| self.cipher.decrypt_block(block));
        let (good, padding) = if PADDED { check_padded(&a, key) } else { (a.ct_eq(&self.iv), 0) };
        if declassify(good.unwrap_u8()) == 1 {
            (key.len().saturating_sub(declassify(padding).into()), depth)
        } else {
            cinder_burn::wipe(key);
            (REFUSED, depth)
        }
    }
}

/// t || R as a block, and likewise A || R.
#[inline(always)]
fn join<const N: usize, const H: usize>(t: u64, r: &[u8; H]) -> [u8; N] {
    let block = (u128::from(t) << (8 * H) | u128::from(integer(r))).to_be_bytes();
    *block.last_chunk().expect("blocks have 8 or 16 bytes")
}

/// A ⊕ t || R, given t || R and the block that has A: a block in one.
///
/// A block that is stored as two halves and then loaded whole by the cipher waits until both
/// stores have reached the cache, which costs half as much as the block operation itself. So
/// t || R is put together in memory before the operation that gives A, and its stores are done
/// when it is over. `black_box` keeps it there: the compiler would put the halves together
/// afterwards.
#[inline(always)]
fn next<const N: usize, const H: usize>(block: &mut [u8; N], t_r: &[u8; N]) {
    // Keeps A, the most significant half.
    let a = const {
        let mut mask = [0; N];
        mask.split_at_mut(H).0.copy_from_slice(&[0xff; H]);
        mask
    };
    for ((byte, mask), t_r) in block.iter_mut().zip(&a).zip(black_box(t_r)) {
        *byte = *byte & mask ^ t_r;
    }
}

#[inline(always)]
fn integer(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    let (_, low) = all.split_at_mut(8 - bytes.len());
    low.copy_from_slice(bytes);
    u64::from_be_bytes(all)
}

#[inline(always)]
fn most_significant<const N: usize, const H: usize>(block: &[u8; N]) -> [u8; H] {
    *block.first_chunk().expect("half a block")
}

#[inline(always)]
fn least_significant<const N: usize, const H: usize>(block: &[u8; N]) -> [u8; H] {
    *block.last_chunk().expect("half a block")
}

/// RFC 3394 sections 2.2.1 and 2.2.2, index based; SP 800-38F's W, or its inverse W^-1, and TW.
/// `cipher` is it in that direction. One semiblock is one block (RFC 5649 sections 4.1 and 4.2).
#[inline(never)]
fn w<const N: usize, const H: usize, const INVERSE: bool>(
    a: &mut [u8; H],
    registers: &mut [[u8; H]],
    cipher: impl Fn(&mut [u8; N]) -> Depth,
) -> Depth {
    let mut depth = Depth::here();
    if let [only] = registers {
        let mut block = join(integer(a), only);
        depth = depth.max(cipher(&mut block));
        (*a, *only) = (most_significant(&block), least_significant(&block));
        return depth;
    }
    let n = registers.len();
    let index = |i| if INVERSE { n - 1 - i } else { i };
    let mut block = join(integer(a), &[0; H]);
    // W adds t = 1 to 6n after the block operation, its inverse 6n to 1 before it. Here the addition
    // always comes before the next operation: W begins, and the inverse ends, by adding 0.
    let mut t = if INVERSE { 6 * n as u64 } else { 0 };
    let mut t_r = join(t, &registers[index(0)]);
    for _ in 0..6 {
        for i in 0..n {
            next::<N, H>(&mut block, &t_r);
            t = if INVERSE { t - 1 } else { t + 1 };
            let following = if i + 1 < n { i + 1 } else { 0 };
            t_r = join(t, &registers[index(following)]);
            depth = depth.max(cipher(&mut block));
            registers[index(i)] = least_significant(&block);
        }
    }
    next::<N, H>(&mut block, &t_r);
    *a = most_significant(&block);
    depth
}

/// RFC 5649 section 3: whether `a` is the alternative initial value for this padded key, and the
/// padding is zeros; and the bytes of padding, which mean nothing if not.
#[inline(always)]
fn check_padded(a: &[u8], padded: &[u8]) -> (Choice, u8) {
    let (constant, mli) = a.split_at(4);
    let mut good = constant.ct_eq(&ALTERNATIVE_IV);
    let mli = mli.iter().fold(0, |mli, byte| mli << 8 | u64::from(*byte));
    // 8(n - 1) < MLI <= 8n, that is, 0 to 7 bytes of padding. Wraps to a large number if MLI > 8n.
    let padding = (padded.len() as u64).wrapping_sub(mli);
    good &= padding.ct_lt(&8);
    for (i, byte) in (0..7u64).zip(padded.iter().rev()) {
        good &= !padding.ct_gt(&i) | byte.ct_eq(&0);
    }
    (good, padding as u8)
}

crate::state!(KeyWrap<C, const PADDED: bool, const N: usize, const H: usize> { iv });
