//! AES key wrap, RFC 3394 ([`Kw`]), and AES key wrap with padding, RFC 5649 ([`Kwp`]);
//! SP 800-38F sections 6.2 and 6.3.
//!
//! A key is wrapped under another, the KEK, that is: encrypted and authenticated, always to the
//! same bytes. Semiblocks of 8 bytes; integers big endian. The wrapped key is 8 bytes longer than
//! the key (with padding: than the key filled up to whole semiblocks). Any cipher with blocks of
//! 16 bytes can be the KEK's: AES; Camellia (RFC 3657) and SEED (RFC 4010) too. Constant time: yes,
//! if the cipher is; the check of an unwrapped key is, and tells only whether it failed. The 6n
//! block operations are serial.
//!
//! Use it to store or send keys where a protocol asks for it (CMS, JOSE's A128KW, OpenPGP's ECDH).
//! For messages use `gcm`: key wrap takes six passes.
//!
//! ```
//! use cinder_block::Aes128;
//! use cinder_modes::key_wrap::Kw;
//!
//! // RFC 3394, 4.1.
//! let kek = Aes128::new(&0x000102030405060708090a0b0c0d0e0f_u128.to_be_bytes())?;
//! let key = 0x00112233445566778899aabbccddeeff_u128.to_be_bytes();
//! let mut buffer = [0; 24];
//! let wrapped = Kw::new(&kek).wrap_to(&key, &mut buffer)?;
//! assert_eq!(wrapped[..8], 0x1fa68b0a8112b447_u64.to_be_bytes());
//! assert_eq!(Kw::new(&kek).unwrap(wrapped)?, key);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use crate::padding::REFUSED;
use crate::{LengthError, UnwrapError};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};
use core::hint::black_box;
use subtle::{Choice, ConstantTimeEq, ConstantTimeGreater, ConstantTimeLess};

/// RFC 3394 section 2.2.3.1.
const DEFAULT_IV: [u8; 8] = [0xa6; 8];
/// The first half of RFC 5649's alternative initial value (section 3); the length follows.
const ALTERNATIVE_IV: [u8; 4] = [0xa6, 0x59, 0x59, 0xa6];

/// AES key wrap, RFC 3394, over a cipher or a reference to one: for keys of two semiblocks or
/// more.
///
/// Holds the cipher, or a reference, and the initial value, wiped when it drops. A move leaves a
/// copy behind, and `mem::forget` and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Kw<C> {
    cipher: C,
    iv: [u8; 8],
}

impl<C> Kw<C> {
    /// With the initial value A6A6A6A6A6A6A6A6.
    pub fn new(cipher: C) -> Self {
        Self::with_iv(cipher, &DEFAULT_IV)
    }

    /// With an initial value of the caller's. Unwrapping checks that it is the same: it is no
    /// nonce, but says what the key is for, and its 64 bits are the integrity check.
    pub fn with_iv(cipher: C, iv: &[u8; 8]) -> Self {
        Kw { cipher, iv: *iv }
    }

    /// The length of a wrapped key, for a key of `len` bytes: 8 more.
    ///
    /// # Errors
    ///
    /// [`LengthError::Short`] if `len` is less than 16, [`LengthError::Partial`] if it is not a
    /// multiple of 8, [`LengthError::Long`] if the sum overflows.
    pub const fn wrapped_len(len: usize) -> Result<usize, LengthError> {
        if len < 16 {
            return Err(LengthError::Short);
        }
        if !len.is_multiple_of(8) {
            return Err(LengthError::Partial);
        }
        match len.checked_add(8) {
            Some(sum) => Ok(sum),
            None => Err(LengthError::Long),
        }
    }
}

impl<C: BlockEncrypt<16>> Kw<C> {
    /// Wraps the key in `buffer[..len]` in place, and returns the wrapped key, the first `len + 8`
    /// bytes of `buffer`.
    ///
    /// # Errors
    ///
    /// As [`wrapped_len`](Self::wrapped_len), and [`LengthError::Buffer`] if `buffer` is too small.
    pub fn wrap<'a>(&self, buffer: &'a mut [u8], len: usize) -> Result<&'a mut [u8], LengthError> {
        let total = Self::wrapped_len(len)?;
        let data = buffer.get_mut(..total).ok_or(LengthError::Buffer)?;
        cinder_burn::scope(|| {
            data.copy_within(..len, 8);
            ((), wrap(&self.cipher, &self.iv, data))
        });
        Ok(data)
    }

    /// Wraps `key` to the front of `output`, and returns the wrapped key.
    ///
    /// # Errors
    ///
    /// As [`wrap`](Self::wrap).
    pub fn wrap_to<'a>(
        &self,
        key: &[u8],
        output: &'a mut [u8],
    ) -> Result<&'a mut [u8], LengthError> {
        let total = Self::wrapped_len(key.len())?;
        let data = output.get_mut(..total).ok_or(LengthError::Buffer)?;
        cinder_burn::scope(|| {
            let depth = cinder_burn::guarded(data, cinder_burn::wipe, |data| {
                fill(data, key);
                wrap(&self.cipher, &self.iv, data)
            });
            ((), depth)
        });
        Ok(data)
    }
}

impl<C: BlockDecrypt<16>> Kw<C> {
    /// Unwraps in place, and returns the key, which is the front of `data`, 8 bytes shorter.
    ///
    /// # Errors
    ///
    /// [`UnwrapError`] if `data` is not the length of a wrapped key (then nothing was changed) or
    /// the integrity check fails (then `data` was wiped).
    pub fn unwrap<'a>(&self, data: &'a mut [u8]) -> Result<&'a mut [u8], UnwrapError> {
        self.unwrapped_len(data.len())?;
        let len = cinder_burn::scope(|| {
            cinder_burn::guarded(data, cinder_burn::wipe, |data| {
                unwrap_in_place(&self.cipher, data, |a, key| self.check(a, key))
            })
        });
        found(data, len)
    }

    /// Unwraps to the front of `output`, which has room for 8 bytes less than `wrapped`, and
    /// returns the key.
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
        let len = self.unwrapped_len(wrapped.len())?;
        let output = output.get_mut(..len).ok_or(UnwrapError)?;
        let len = cinder_burn::scope(|| {
            cinder_burn::guarded(output, cinder_burn::wipe, |output| {
                unwrap_to(&self.cipher, wrapped, output, |a, key| self.check(a, key))
            })
        });
        found(output, len)
    }

    #[inline(always)]
    fn check(&self, a: &[u8; 8], key: &[u8]) -> (Choice, usize) {
        (a.ct_eq(&self.iv), key.len())
    }

    fn unwrapped_len(&self, len: usize) -> Result<usize, UnwrapError> {
        if len >= 24 && len.is_multiple_of(8) { Ok(len - 8) } else { Err(UnwrapError) }
    }
}

/// AES key wrap with padding, RFC 5649, over a cipher or a reference to one: for keys of 1 to
/// 2^32 - 1 bytes.
///
/// Holds the cipher, which wipes itself when it drops, or a reference, and then no secret at all.
/// There is no `Clone`.
pub struct Kwp<C> {
    cipher: C,
}

impl<C> Kwp<C> {
    /// With the initial value of the RFC, A65959A6 and the key's length.
    pub fn new(cipher: C) -> Self {
        Kwp { cipher }
    }

    /// The length of a wrapped key, for a key of `len` bytes: 8 more than the next multiple of 8.
    ///
    /// # Errors
    ///
    /// [`LengthError::Short`] if `len` is 0, [`LengthError::Long`] if it is 2^32 or more, or the
    /// sum overflows.
    pub const fn wrapped_len(len: usize) -> Result<usize, LengthError> {
        if len == 0 {
            return Err(LengthError::Short);
        }
        if len as u64 > u32::MAX as u64 {
            return Err(LengthError::Long);
        }
        match len.div_ceil(8).checked_mul(8) {
            Some(padded) => match padded.checked_add(8) {
                Some(sum) => Ok(sum),
                None => Err(LengthError::Long),
            },
            None => Err(LengthError::Long),
        }
    }
}

impl<C: BlockEncrypt<16>> Kwp<C> {
    /// Wraps the key in `buffer[..len]` in place, and returns the wrapped key, the front of
    /// `buffer`, [`wrapped_len`](Self::wrapped_len) bytes.
    ///
    /// # Errors
    ///
    /// As [`wrapped_len`](Self::wrapped_len), and [`LengthError::Buffer`] if `buffer` is too small.
    pub fn wrap<'a>(&self, buffer: &'a mut [u8], len: usize) -> Result<&'a mut [u8], LengthError> {
        let total = Self::wrapped_len(len)?;
        let data = buffer.get_mut(..total).ok_or(LengthError::Buffer)?;
        cinder_burn::scope(|| {
            data.copy_within(..len, 8);
            ((), wrap_padded(&self.cipher, data, len))
        });
        Ok(data)
    }

    /// Wraps `key` to the front of `output`, and returns the wrapped key.
    ///
    /// # Errors
    ///
    /// As [`wrap`](Self::wrap).
    pub fn wrap_to<'a>(
        &self,
        key: &[u8],
        output: &'a mut [u8],
    ) -> Result<&'a mut [u8], LengthError> {
        let total = Self::wrapped_len(key.len())?;
        let data = output.get_mut(..total).ok_or(LengthError::Buffer)?;
        cinder_burn::scope(|| {
            let depth = cinder_burn::guarded(data, cinder_burn::wipe, |data| {
                fill(data, key);
                wrap_padded(&self.cipher, data, key.len())
            });
            ((), depth)
        });
        Ok(data)
    }
}

impl<C: BlockDecrypt<16>> Kwp<C> {
    /// Unwraps in place, and returns the key, which is the front of `data`, 8 to 15 bytes shorter.
    ///
    /// # Errors
    ///
    /// [`UnwrapError`] if `data` is not the length of a wrapped key (then nothing was changed) or
    /// the integrity check fails (then `data` was wiped).
    pub fn unwrap<'a>(&self, data: &'a mut [u8]) -> Result<&'a mut [u8], UnwrapError> {
        self.padded_len(data.len())?;
        let len = cinder_burn::scope(|| {
            cinder_burn::guarded(data, cinder_burn::wipe, |data| {
                unwrap_in_place(&self.cipher, data, check_padded)
            })
        });
        found(data, len)
    }

    /// Unwraps to the front of `output`, which has room for 8 bytes less than `wrapped`, and
    /// returns the key, which may be up to 7 bytes shorter still.
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
        let padded = self.padded_len(wrapped.len())?;
        let output = output.get_mut(..padded).ok_or(UnwrapError)?;
        let len = cinder_burn::scope(|| {
            cinder_burn::guarded(output, cinder_burn::wipe, |output| {
                unwrap_to(&self.cipher, wrapped, output, check_padded)
            })
        });
        found(output, len)
    }

    fn padded_len(&self, len: usize) -> Result<usize, UnwrapError> {
        if len >= 16 && len.is_multiple_of(8) { Ok(len - 8) } else { Err(UnwrapError) }
    }
}

/// The key behind the first semiblock, and zeros behind the key.
#[inline(always)]
fn fill(data: &mut [u8], key: &[u8]) {
    if let Some((room, rest)) = data.get_mut(8..).and_then(|r| r.split_at_mut_checked(key.len())) {
        room.copy_from_slice(key);
        rest.fill(0);
    }
}

/// Wraps the key in `data[8..]` with initial value `iv`.
#[inline(always)]
fn wrap<C: BlockEncrypt<16>>(cipher: &C, iv: &[u8; 8], data: &mut [u8]) -> Depth {
    let Some((a, r)) = data.split_first_chunk_mut() else { return Depth::NONE };
    *a = *iv;
    w(cipher, a, r.as_chunks_mut().0)
}

/// Wraps the key of `len` bytes in `data[8..]` after padding it.
#[inline(always)]
fn wrap_padded<C: BlockEncrypt<16>>(cipher: &C, data: &mut [u8], len: usize) -> Depth {
    let Some((a, r)) = data.split_first_chunk_mut::<8>() else { return Depth::NONE };
    r.iter_mut().skip(len).for_each(|byte| *byte = 0);
    let (constant, mli) = a.split_at_mut(4);
    constant.copy_from_slice(&ALTERNATIVE_IV);
    mli.copy_from_slice(&(len as u32).to_be_bytes()); // `wrapped_len` has refused 2^32.
    if let Ok(block) = <&mut [u8; 16]>::try_from(&mut *data) {
        // Section 4.1, step 2: one semiblock is one ECB block.
        return cipher.encrypt_block(block);
    }
    let Some((a, r)) = data.split_first_chunk_mut() else { return Depth::NONE };
    w(cipher, a, r.as_chunks_mut().0)
}

/// Keeps A, the most significant half.
const A: [u8; 16] = {
    let mut mask = [0; 16];
    let (a, _) = mask.split_at_mut(8);
    a.copy_from_slice(&[0xff; 8]);
    mask
};

/// t || R as a block.
#[inline(always)]
fn join(t: u64, r: &[u8; 8]) -> [u8; 16] {
    (u128::from(t) << 64 | u128::from(u64::from_be_bytes(*r))).to_be_bytes()
}

/// A ⊕ t || R, given t || R and the block that has A: all 16 bytes in one.
///
/// A block that is stored as two halves and then loaded whole by the cipher waits until both
/// stores have reached the cache, which costs half as much as the block operation itself. So
/// t || R is put together in memory before the operation that gives A, and its stores are done
/// when it is over. `black_box` keeps it there: the compiler would put the halves together
/// afterwards.
#[inline(always)]
fn next(block: &mut [u8; 16], t_r: &[u8; 16]) {
    for ((byte, mask), t_r) in block.iter_mut().zip(&A).zip(black_box(t_r)) {
        *byte = *byte & mask ^ t_r;
    }
}

#[inline(always)]
fn most_significant(block: &[u8; 16]) -> [u8; 8] {
    ((u128::from_be_bytes(*block) >> 64) as u64).to_be_bytes()
}

#[inline(always)]
fn least_significant(block: &[u8; 16]) -> [u8; 8] {
    (u128::from_be_bytes(*block) as u64).to_be_bytes()
}

/// RFC 3394 section 2.2.1, index based; SP 800-38F's W. At least two registers.
#[inline(never)]
fn w<C: BlockEncrypt<16>>(cipher: &C, first: &mut [u8; 8], registers: &mut [[u8; 8]]) -> Depth {
    let mut depth = Depth::here();
    let n = registers.len();
    let mut block = join(u64::from_be_bytes(*first), &[0; 8]);
    // A = MSB(B) ⊕ t, the last part of a step, is done by the next one, as is its look at R[i].
    let mut t = 0;
    let mut t_r = join(t, registers.first().unwrap_or(&[0; 8]));
    for _ in 0..6 {
        for i in 0..n {
            next(&mut block, &t_r);
            t += 1;
            let following = if i + 1 < n { i + 1 } else { 0 };
            t_r = join(t, &registers[following]);
            depth = depth.max(cipher.encrypt_block(&mut block));
            registers[i] = least_significant(&block);
        }
    }
    next(&mut block, &t_r);
    *first = most_significant(&block);
    depth
}

/// RFC 3394 section 2.2.2, index based; SP 800-38F's W^-1. At least two registers.
#[inline(never)]
fn w_inverse<C: BlockDecrypt<16>>(
    cipher: &C,
    first: &mut [u8; 8],
    registers: &mut [[u8; 8]],
) -> Depth {
    let mut depth = Depth::here();
    let n = registers.len();
    let mut block = join(u64::from_be_bytes(*first), &[0; 8]);
    let mut t = 6 * n as u64;
    let mut t_r = join(t, registers.last().unwrap_or(&[0; 8]));
    for _ in 0..6 {
        for i in (0..n).rev() {
            next(&mut block, &t_r);
            t -= 1;
            t_r = join(t, &registers[if i == 0 { n - 1 } else { i - 1 }]);
            depth = depth.max(cipher.decrypt_block(&mut block));
            registers[i] = least_significant(&block);
        }
    }
    // t is 0 now: there is nothing to add to A.
    *first = most_significant(&block);
    depth
}

/// Unwraps `data`, checks, moves the key to its front and wipes the rest; its length. If the check
/// fails, wipes all and returns [`REFUSED`].
#[inline(always)]
fn unwrap_in_place<C: BlockDecrypt<16>>(
    cipher: &C,
    data: &mut [u8],
    check: impl FnOnce(&[u8; 8], &[u8]) -> (Choice, usize),
) -> (usize, Depth) {
    let Some((a, key)) = data.split_first_chunk_mut::<8>() else { return (REFUSED, Depth::NONE) };
    let depth = invert(cipher, a, key);
    let (good, len) = check(a, key);
    let end = key.len();
    if bool::from(good) {
        data.copy_within(8.., 0);
        cinder_burn::wipe(&mut data[end..]);
        (len, depth)
    } else {
        cinder_burn::wipe(data);
        (REFUSED, depth)
    }
}

/// Unwraps `wrapped` to `key`, which is 8 bytes shorter, and checks; the key's length. If the check
/// fails, wipes it and returns [`REFUSED`].
#[inline(always)]
fn unwrap_to<C: BlockDecrypt<16>>(
    cipher: &C,
    wrapped: &[u8],
    key: &mut [u8],
    check: impl FnOnce(&[u8; 8], &[u8]) -> (Choice, usize),
) -> (usize, Depth) {
    let Some((first, rest)) = wrapped.split_first_chunk::<8>() else {
        return (REFUSED, Depth::NONE);
    };
    let mut a = *first;
    key.copy_from_slice(rest);
    let depth = invert(cipher, &mut a, key);
    let (good, len) = check(&a, key);
    if bool::from(good) {
        (len, depth)
    } else {
        cinder_burn::wipe(key);
        (REFUSED, depth)
    }
}

/// The key in `data`, if one was found.
#[inline(always)]
fn found(data: &mut [u8], len: usize) -> Result<&mut [u8], UnwrapError> {
    data.get_mut(..len).ok_or(UnwrapError)
}

/// W^-1, or one ECB block if there is one semiblock (RFC 5649 section 4.2, step 1). Leaves A in
/// `a` and the key in `r`.
#[inline(always)]
fn invert<C: BlockDecrypt<16>>(cipher: &C, a: &mut [u8; 8], r: &mut [u8]) -> Depth {
    match r.as_chunks_mut().0 {
        [only] => {
            let mut block = join(u64::from_be_bytes(*a), only);
            let depth = cipher.decrypt_block(&mut block);
            *a = most_significant(&block);
            *only = least_significant(&block);
            depth.max(Depth::here())
        }
        registers => w_inverse(cipher, a, registers),
    }
}

/// RFC 5649 section 3: whether `a` is the alternative initial value for this padded key, and the
/// padding is zeros; and the key's length, which means nothing if not.
#[inline(always)]
fn check_padded(a: &[u8; 8], padded: &[u8]) -> (Choice, usize) {
    let (constant, mli) = a.split_at(4);
    let mut good = constant.ct_eq(&ALTERNATIVE_IV);
    let mli = mli.iter().fold(0, |mli, byte| mli << 8 | u64::from(*byte));
    // 8(n - 1) < MLI <= 8n, that is, 0 to 7 bytes of padding. Wraps to a large number if MLI > 8n.
    let padding = (padded.len() as u64).wrapping_sub(mli);
    good &= padding.ct_lt(&8);
    for (i, byte) in (0..7u64).zip(padded.iter().rev()) {
        good &= !padding.ct_gt(&i) | byte.ct_eq(&0);
    }
    (good, mli as usize)
}

impl<C> Drop for Kw<C> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.iv);
    }
}

impl<C> zeroize::ZeroizeOnDrop for Kw<C> {}

impl<C> core::fmt::Debug for Kw<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Kw").finish_non_exhaustive()
    }
}

impl<C> zeroize::ZeroizeOnDrop for Kwp<C> {}

impl<C> core::fmt::Debug for Kwp<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Kwp").finish_non_exhaustive()
    }
}
