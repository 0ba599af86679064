//! ARCFOUR, broken: for old data alone; take ChaCha20-Poly1305 or GCM. The cipher that RFC 6229 gives test
//! vectors for, known as RC4 since 1994.
//!
//! Keys of 1 to 256 bytes, no nonce; the keystream is a sequence of bytes.
//!
//! Constant time: no, because every step indexes its state of 256 bytes by secret data.
//!
//! One portable kernel. The keystream is biased (RFC 7465 forbids the cipher in TLS): it is here
//! for PKCS#12, PDF and other data of its time.

use crate::StreamError;
use cinder_block::{Depth, InPlace, KeyError, Refusal, Vacancy, by_value};
use core::fmt;

/// ARCFOUR and its position in the keystream. Broken: for old data alone.
///
/// Holds the state, 258 bytes, wiped when it drops. A move leaves a copy behind, and `mem::forget`
/// and a panic that aborts leave it all: see [what burning cannot
/// reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
///
/// ```
/// use cinder_stream::{Arc4, Slot};
///
/// let mut slot = Slot::<Arc4>::empty();
/// let arc4 = slot.init(b"Key")?;
/// let mut data = *b"Plaintext";
/// arc4.apply(&mut data);
/// assert_eq!(data, [0xbb, 0xf3, 0x16, 0xe8, 0xd9, 0x40, 0xaf, 0x0a, 0xd3]);
/// # Ok::<(), cinder_stream::KeyError>(())
/// ```
pub struct Arc4 {
    s: [u8; 256],
    i: u8,
    j: u8,
}

impl Arc4 {
    /// ARCFOUR by value. The move out of this function may leave a copy of the state on the
    /// stack; [`Slot`](cinder_block::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 1 to 256 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// XORs the next bytes of the keystream into `data`.
    pub fn apply(&mut self, data: &mut [u8]) {
        cinder_burn::scope(|| ((), self.xor(data)));
    }

    /// XORs the next bytes of the keystream with `input` into `output`.
    ///
    /// # Errors
    ///
    /// [`StreamError::BufferLengths`] if the two differ in length.
    pub fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), StreamError> {
        if input.len() != output.len() {
            return Err(StreamError::BufferLengths);
        }
        output.copy_from_slice(input);
        self.apply(output);
        Ok(())
    }

    /// Discards the next `count` bytes of the keystream, as RC4-drop does.
    pub fn skip(&mut self, count: usize) {
        cinder_burn::scope(|| ((), self.discard(count)));
    }

    #[inline(never)]
    fn xor(&mut self, data: &mut [u8]) -> Depth {
        let mut state = State::load(self);
        let (words, bytes) = data.as_chunks_mut::<8>();
        // A load of a word, a store of a word, and no other of the data's between those of the state.
        for word in words {
            let mut keystream = 0;
            for i in 0..8 {
                keystream |= u64::from(state.step()) << (8 * i);
            }
            *word = (u64::from_le_bytes(*word) ^ keystream).to_le_bytes();
        }
        for byte in bytes {
            *byte ^= state.step();
        }
        state.store();
        Depth::here()
    }

    #[inline(never)]
    fn discard(&mut self, count: usize) -> Depth {
        let mut state = State::load(self);
        for _ in 0..count {
            state.step();
        }
        state.store();
        Depth::here()
    }
}

/// The cipher with what changes at each step in registers.
struct State<'a> {
    cipher: &'a mut Arc4,
    i: u8,
    j: u8,
    /// S[i + 1].
    next: u8,
}

impl<'a> State<'a> {
    #[inline(always)]
    fn load(cipher: &'a mut Arc4) -> Self {
        let (i, j) = (cipher.i, cipher.j);
        let next = cipher.s[usize::from(i.wrapping_add(1))];
        State { cipher, i, j, next }
    }

    #[inline(always)]
    fn store(self) {
        (self.cipher.i, self.cipher.j) = (self.i, self.j);
    }

    /// One byte of the keystream. The next step's S[i] is read before this one's stores, of which
    /// one at most can change it: so it need not wait for them.
    #[inline(always)]
    fn step(&mut self) -> u8 {
        let s = &mut self.cipher.s;
        self.i = self.i.wrapping_add(1);
        let a = self.next;
        self.j = self.j.wrapping_add(a);
        let b = s[usize::from(self.j)];
        let after = self.i.wrapping_add(1);
        let next = s[usize::from(after)];
        s[usize::from(self.i)] = b;
        s[usize::from(self.j)] = a;
        self.next = if self.j == after { a } else { next };
        s[usize::from(a.wrapping_add(b))]
    }
}

impl InPlace for Arc4 {
    fn vacant(_: Vacancy) -> Self {
        Arc4 { s: [0; 256], i: 0, j: 0 }
    }

    /// Replaces the key and goes back to the keystream's first byte.
    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        if !(1..=256).contains(&key.len()) {
            return Err(KeyError::Length.into());
        }
        (self.i, self.j) = (0, 0);
        Ok(schedule(&mut self.s, key))
    }
}

/// The key schedule: the identity permutation, shuffled by the key.
#[inline(never)]
fn schedule(s: &mut [u8; 256], key: &[u8]) -> Depth {
    for (i, entry) in s.iter_mut().enumerate() {
        *entry = i as u8;
    }
    let mut j = 0u8;
    for (i, key) in (0..256).zip(key.iter().cycle()) {
        j = j.wrapping_add(s[i]).wrapping_add(*key);
        s.swap(i, usize::from(j));
    }
    Depth::here()
}

impl Drop for Arc4 {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.s);
        cinder_burn::wipe(&mut self.i);
        cinder_burn::wipe(&mut self.j);
    }
}

impl zeroize::ZeroizeOnDrop for Arc4 {}

impl fmt::Debug for Arc4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arc4").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6229, section 2, key 0x0102030405: the first 16 bytes, and 16 from offset 4096.
    #[test]
    fn rfc_6229() {
        for skip in [false, true] {
            let mut arc4 = Arc4::new(&[1, 2, 3, 4, 5]).unwrap();
            let mut stream = [0; 16];
            arc4.apply(&mut stream);
            assert_eq!(u128::from_be_bytes(stream), 0xb2396305f03dc027ccc3524a0a1118a8);
            if skip {
                arc4.skip(4096 - 16);
            } else {
                arc4.apply(&mut [0; 4096 - 16]);
            }
            let mut stream = [0; 16];
            arc4.apply(&mut stream);
            assert_eq!(u128::from_be_bytes(stream), 0xff25b58995996707e51fbdf08b34d875);
        }
    }

    #[test]
    fn any_cut_and_two_buffers_agree() {
        let whole = {
            let mut data = [0; 100];
            Arc4::new(b"key").unwrap().apply(&mut data);
            data
        };
        for cut in 0..=100 {
            let mut arc4 = Arc4::new(b"key").unwrap();
            let mut data = [0; 100];
            arc4.apply_to(&[0; 100][..cut], &mut data[..cut]).unwrap();
            arc4.apply(&mut data[cut..]);
            assert_eq!(data, whole);
        }
    }

    #[test]
    fn refusals_change_nothing() {
        let mut arc4 = Arc4::new(b"key").unwrap();
        assert_eq!(arc4.rekey(&[]).unwrap_err().error, KeyError::Length);
        assert_eq!(arc4.rekey(&[0; 257]).unwrap_err().error, KeyError::Length);
        let mut output = [7; 3];
        assert_eq!(arc4.apply_to(&[0; 2], &mut output), Err(StreamError::BufferLengths));
        assert_eq!(output, [7; 3]);
        let mut expected = [0; 3];
        Arc4::new(b"key").unwrap().apply(&mut expected);
        let mut stream = [0; 3];
        arc4.apply(&mut stream);
        assert_eq!(stream, expected);
    }
}
