//! IVs that do not repeat: the deterministic construction, NIST SP 800-38D, section 8.2.1.
//!
//! An IV of 12 bytes is a fixed field, which names the device or context and differs between all
//! that share a key, and then an invocation field, a big-endian counter.
//!
//! Constant time does not apply: IVs are public.

use core::fmt;

/// A generator of IVs that refuses to come round.
///
/// ```
/// use cinder_gcm::Nonces;
///
/// let mut nonces = Nonces::new(b"dev7")?; // 4 bytes of 12: 2^64 IVs are left
/// assert_eq!(nonces.next_nonce()?, *b"dev7\0\0\0\0\0\0\0\0");
/// assert_eq!(nonces.next_nonce()?, *b"dev7\0\0\0\0\0\0\0\x01");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// A protocol that has the first IV given starts [there](Self::starting_at).
///
/// Not `Clone`: two generators with the same fields make the same IVs. For the same reason a
/// program that stops and starts again with the same key must [`resume`](Self::resume) where it
/// left off.
#[derive(Debug)]
pub struct Nonces {
    /// The fixed field, and zeros.
    fixed: [u8; 12],
    /// The invocation field of the next IV, and then up to what it may come to, inclusive.
    next: Option<u64>,
    last: u64,
    /// The bits of the invocation field, modulo which it counts.
    mask: u64,
}

impl Nonces {
    /// Starts at invocation 0. The fixed field has 4 to 11 bytes; the standard recommends 4,
    /// which leaves 8 for the counter.
    ///
    /// # Errors
    ///
    /// [`FixedFieldLength`] if the fixed field has another length.
    pub fn new(fixed: &[u8]) -> Result<Self, FixedFieldLength> {
        Self::resume(fixed, 0)
    }

    /// Starts at a later invocation: that which [`invocation`](Self::invocation) returned.
    ///
    /// An invocation beyond what the field holds makes a generator that is exhausted.
    ///
    /// # Errors
    ///
    /// [`FixedFieldLength`] if the fixed field has not 4 to 11 bytes.
    pub fn resume(fixed: &[u8], invocation: u64) -> Result<Self, FixedFieldLength> {
        let mask = mask(fixed.len())?;
        let next = if invocation <= mask { Some(invocation) } else { None };
        let mut nonces = Nonces { fixed: [0; 12], next, last: mask, mask };
        for (to, from) in nonces.fixed.iter_mut().zip(fixed) {
            *to = *from;
        }
        Ok(nonces)
    }

    /// Starts at an IV that is given, of which the first `fixed` bytes are the fixed field, 4 to 11.
    /// The bytes behind it count from there, wrap, and are exhausted where they come to the first IV
    /// again: with 4 bytes fixed they count modulo 2^64, with 8 modulo 2^32.
    ///
    /// For keys that live no longer than the generator, as in SSH (RFC 5647, section 7.1). What counts
    /// from anywhere cannot be told to [`resume`](Self::resume).
    ///
    /// ```
    /// use cinder_gcm::Nonces;
    ///
    /// // SSH's "Initial IV client to server", and a counter that happens to begin near its end.
    /// let first = [0x53, 0x53, 0x48, 0x21, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
    /// let mut nonces = Nonces::starting_at(&first, 4)?;
    /// assert_eq!(nonces.next_nonce()?, first);
    /// assert_eq!(nonces.next_nonce()?, *b"SSH!\0\0\0\0\0\0\0\0");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FixedFieldLength`] unless `fixed` is 4 to 11.
    pub fn starting_at(first: &[u8; 12], fixed: usize) -> Result<Self, FixedFieldLength> {
        let mask = mask(fixed)?;
        let [_, _, _, _, counter @ ..] = *first;
        let invocation = u64::from_be_bytes(counter) & mask;
        let last = invocation.wrapping_sub(1) & mask;
        let mut nonces = Nonces { fixed: *first, next: Some(invocation), last, mask };
        nonces.fixed[fixed..].fill(0);
        Ok(nonces)
    }

    /// The next IV.
    ///
    /// # Errors
    ///
    /// [`NoncesExhausted`] once every value of the invocation field has been used: time for a new
    /// key.
    pub fn next_nonce(&mut self) -> Result<[u8; 12], NoncesExhausted> {
        let invocation = self.next.ok_or(NoncesExhausted)?;
        self.next = if invocation == self.last {
            None
        } else {
            Some(invocation.wrapping_add(1) & self.mask)
        };
        let mut nonce = self.fixed;
        // The bytes above the invocation field are zero in it: it is at most `mask`.
        for (to, from) in nonce[4..].iter_mut().zip(invocation.to_be_bytes()) {
            *to |= from;
        }
        Ok(nonce)
    }

    /// The invocation field of the next IV, to save; `None` if there is none left.
    pub fn invocation(&self) -> Option<u64> {
        self.next
    }
}

/// All ones in the invocation field that goes with a fixed field of so many bytes.
fn mask(fixed: usize) -> Result<u64, FixedFieldLength> {
    match fixed {
        4..=11 => Ok(u64::MAX >> (64 - 8 * (12 - fixed))),
        _ => Err(FixedFieldLength),
    }
}

/// Every IV of this fixed field has been used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoncesExhausted;

impl fmt::Display for NoncesExhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("every IV of this fixed field has been used")
    }
}

impl core::error::Error for NoncesExhausted {}

/// The fixed field of an IV has 4 to 11 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedFieldLength;

impl fmt::Display for FixedFieldLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fixed field of an IV has 4 to 11 bytes")
    }
}

impl core::error::Error for FixedFieldLength {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_to_wrap() {
        for length in 4..=11 {
            let bytes = 12 - length;
            let last = u64::MAX >> (64 - 8 * bytes);
            let mut nonces = Nonces::resume(&[0xab; 11][..length], last - 1).unwrap();
            let mut expected = [0xff; 12];
            expected[..length].fill(0xab);
            expected[11] = 0xfe;
            assert_eq!(nonces.next_nonce(), Ok(expected));
            assert_eq!(nonces.invocation(), Some(last));
            expected[11] = 0xff;
            assert_eq!(nonces.next_nonce(), Ok(expected));
            for _ in 0..3 {
                assert_eq!(nonces.invocation(), None);
                assert_eq!(nonces.next_nonce(), Err(NoncesExhausted));
            }
        }
    }

    #[test]
    fn one_byte_of_counter_is_256_nonces() {
        let mut nonces = Nonces::new(&[1; 11]).unwrap();
        let mut count = 0;
        while let Ok(nonce) = nonces.next_nonce() {
            assert_eq!(nonce, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, count as u8]);
            count += 1;
        }
        assert_eq!(count, 256);
    }

    /// From anywhere, over the end, up to the IV before the first: no carry into the fixed field.
    #[test]
    fn starts_anywhere_and_comes_round() {
        for first in [0, 1, 0x7f, 0xfe, 0xff] {
            let mut iv = [0xff; 12];
            iv[11] = first;
            let mut nonces = Nonces::starting_at(&iv, 11).unwrap();
            for i in 0..=255 {
                assert_eq!(nonces.invocation(), Some(first.wrapping_add(i).into()));
                iv[11] = first.wrapping_add(i);
                assert_eq!(nonces.next_nonce(), Ok(iv));
            }
            assert_eq!(nonces.invocation(), None);
            assert_eq!(nonces.next_nonce(), Err(NoncesExhausted));
        }
        for fixed in 4..=11 {
            let iv = core::array::from_fn(|i| if i < fixed { i as u8 } else { 0xff });
            let mut nonces = Nonces::starting_at(&iv, fixed).unwrap();
            assert_eq!(nonces.next_nonce(), Ok(iv));
            let zero = core::array::from_fn(|i| if i < fixed { i as u8 } else { 0 });
            assert_eq!(nonces.next_nonce(), Ok(zero));
            // The last one is that before the first.
            let mut nonces = Nonces { next: Some(nonces.last), ..nonces };
            let mut last = iv;
            last[11] = 0xfe;
            assert_eq!(nonces.next_nonce(), Ok(last));
            assert_eq!(nonces.next_nonce(), Err(NoncesExhausted));
        }
        for fixed in [0, 3, 12, usize::MAX] {
            assert_eq!(Nonces::starting_at(&[0; 12], fixed).err(), Some(FixedFieldLength));
        }
    }

    #[test]
    fn bad_fields_are_refused() {
        for length in [0, 1, 3, 12, 13] {
            assert_eq!(Nonces::new(&[0; 13][..length]).err(), Some(FixedFieldLength));
        }
        let mut beyond = Nonces::resume(&[0; 11], 256).unwrap();
        assert_eq!(beyond.next_nonce(), Err(NoncesExhausted));
    }
}
