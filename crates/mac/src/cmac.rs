//! CMAC: NIST SP 800-38B. OMAC1 is the same function; AES-CMAC (RFC 4493) is CMAC over AES.
//!
//! C_0 = 0, C_i = E(C_{i-1} ⊕ M_i), and the tag is the front of C_n, where the last block M_n is
//! masked by a subkey: by K1 if it is whole, and by K2, behind a one bit and zeros, if it is not.
//!
//! Constant time: yes, if the cipher is: only the message's length decides which subkey is used.

use cinder_block::{BlockEncrypt, Depth, InPlace, Refusal, Vacancy};
use core::fmt;
use subtle::ConstantTimeEq;

/// CMAC over the cipher `C` with blocks of `N` bytes, 8 or 16, and tags of `T` bytes.
///
/// `T` is `N` unless it is given. SP 800-38B asks for 8 bytes at least in most cases; a `T` of 0 or
/// more than `N` does not compile.
///
/// After [`finish`](Self::finish) and [`verify`](Self::verify) the next message begins. With a
/// cipher of 8 bytes no more than 2^21 messages, with one of 16 no more than 2^48, should have one
/// key (SP 800-38B, appendix B).
///
/// ```
/// use cinder_block::{Slot, TripleDes};
/// use cinder_mac::Cmac;
///
/// let mut slot = Slot::<TripleDes>::empty();
/// let cipher = slot.init(b"24 bytes of key: not so!")?;
///
/// let mut cmac = Cmac::<_, 8, 4>::new(&*cipher); // tags of 4 bytes, for EMV
/// let mut tag = [0; 4];
/// cmac.update(b"a message");
/// cmac.finish(&mut tag);
/// # cmac.update(b"a message");
/// # cmac.verify(&tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Cmac<C, const N: usize, const T: usize = N> {
    cipher: C,
    subkey: Subkey<N>,
    state: State<N>,
    /// The cipher panicked in this message.
    lost: bool,
}

impl<C: BlockEncrypt<N>, const N: usize, const T: usize> Cmac<C, N, T> {
    /// CMAC over a cipher, or a reference to one; derives the subkey.
    pub fn new(cipher: C) -> Self {
        let mut cmac = Self::without_subkey(cipher);
        cinder_burn::scope(|| ((), cmac.subkey.derive(&cmac.cipher)));
        cmac
    }

    /// The next bytes of the message.
    ///
    /// # Panics
    ///
    /// If a cipher of somebody else's panicked in this message and [`reset`](Self::reset) has not
    /// been called since.
    pub fn update(&mut self, data: &[u8]) {
        self.run(|cmac| cmac.state.absorb(&cmac.cipher, data));
    }

    /// Ends the message and writes its tag.
    ///
    /// # Panics
    ///
    /// As [`update`](Self::update).
    pub fn finish(&mut self, tag: &mut [u8; T]) {
        self.run(|cmac| {
            let mut whole = [0; N];
            let depth = cmac.state.digest(&cmac.cipher, &cmac.subkey, &mut whole);
            tag.copy_from_slice(&whole[..T]);
            depth.max(Depth::here())
        });
    }

    /// Ends the message and compares its tag, in constant time.
    ///
    /// # Errors
    ///
    /// [`Unverified`] if the tag is not this message's.
    ///
    /// # Panics
    ///
    /// As [`update`](Self::update).
    pub fn verify(&mut self, tag: &[u8; T]) -> Result<(), Unverified> {
        let mut good = false;
        self.run(|cmac| {
            let mut whole = [0; N];
            let depth = cmac.state.digest(&cmac.cipher, &cmac.subkey, &mut whole);
            good = cinder_burn::declassify(whole[..T].ct_eq(tag).unwrap_u8()) == 1;
            depth.max(Depth::here())
        });
        if good { Ok(()) } else { Err(Unverified) }
    }

    /// Gives up the message and begins another.
    pub fn reset(&mut self) {
        self.state.reset();
        self.lost = false;
    }

    fn without_subkey(cipher: C) -> Self {
        const { assert!(T > 0 && T <= N) };
        Cmac { cipher, subkey: Subkey::new(), state: State::new(), lost: false }
    }

    #[inline(always)]
    fn run(&mut self, work: impl FnOnce(&mut Self) -> Depth) {
        assert!(!self.lost, "the cipher panicked in this message");
        self.lost = true;
        cinder_burn::scope(|| ((), work(self)));
        self.lost = false;
    }
}

/// K1, for a mode that is built on CMAC. K2 is its double.
pub struct Subkey<const N: usize>([u8; N]);

impl<const N: usize> Subkey<N> {
    /// Before it is derived.
    pub const fn new() -> Self {
        const { assert!(N == 8 || N == 16) };
        Subkey([0; N])
    }

    /// K1 = 2 · E(0). Not burnt: returns how deep it went.
    #[inline(never)]
    pub fn derive(&mut self, cipher: &(impl BlockEncrypt<N> + ?Sized)) -> Depth {
        self.0 = [0; N];
        let depth = Depth::here().max(cipher.encrypt_block(&mut self.0));
        double(&mut self.0);
        depth
    }
}

/// A message under way, for a mode that is built on CMAC and burns once, itself.
pub struct State<const N: usize> {
    /// C_i of the blocks before `last`.
    chain: [u8; N],
    /// The last bytes so far: which block is the last is known at the end only.
    last: [u8; N],
    /// How many there are: 0 before the first byte of a message, then 1 to N.
    used: usize,
    /// There is something to wipe. Wiping twice would show in short messages.
    dirty: bool,
}

impl<const N: usize> State<N> {
    /// An empty message.
    pub const fn new() -> Self {
        State { chain: [0; N], last: [0; N], used: 0, dirty: false }
    }

    /// The next bytes of the message. Not burnt: returns how deep it went.
    #[inline(never)]
    pub fn absorb(&mut self, cipher: &(impl BlockEncrypt<N> + ?Sized), mut data: &[u8]) -> Depth {
        let mut depth = Depth::here();
        self.dirty = true;
        // At most a block is held back, and only once more bytes follow is it not the last.
        let room = if self.used == 0 { 0 } else { N - self.used };
        let (front, rest) = data.split_at(room.min(data.len()));
        self.hold_back(front);
        data = rest;
        if data.is_empty() {
            return depth;
        }
        if self.used == N {
            depth = depth.max(cipher.cbc_mac(&mut self.chain, core::slice::from_ref(&self.last)));
        }
        let (blocks, rest) = data.split_at((data.len() - 1) / N * N);
        depth = depth.max(cipher.cbc_mac(&mut self.chain, blocks.as_chunks().0));
        self.used = 0;
        self.hold_back(rest);
        depth
    }

    /// Ends the message: the whole block of which a tag is the front. The next message begins. Not
    /// burnt: returns how deep it went.
    #[inline(never)]
    pub fn digest(
        &mut self,
        cipher: &(impl BlockEncrypt<N> + ?Sized),
        subkey: &Subkey<N>,
        tag: &mut [u8; N],
    ) -> Depth {
        let mut mask = subkey.0;
        self.dirty = true;
        if self.used < N {
            self.last[self.used..].fill(0);
            self.last[self.used] = 0x80;
            double(&mut mask);
        }
        xor(&mut self.last, &mask);
        let depth =
            Depth::here().max(cipher.cbc_mac(&mut self.chain, core::slice::from_ref(&self.last)));
        *tag = self.chain;
        self.reset();
        depth
    }

    /// Gives up the message and begins another.
    pub fn reset(&mut self) {
        if self.dirty {
            cinder_burn::wipe(&mut self.chain);
            cinder_burn::wipe(&mut self.last);
            self.used = 0;
            self.dirty = false;
        }
    }

    fn hold_back(&mut self, data: &[u8]) {
        self.last[self.used..][..data.len()].copy_from_slice(data);
        self.used += data.len();
    }
}

/// Doubles in GF(2^(8·N)), the first bit of a block being the coefficient of the highest power:
/// modulo x^128 + x^7 + x^2 + x + 1 for 16 bytes, and x^64 + x^4 + x^3 + x + 1 for 8.
pub fn double<const N: usize>(block: &mut [u8; N]) {
    const { assert!(N == 8 || N == 16) };
    let mut carry = 0;
    for byte in block.iter_mut().rev() {
        (*byte, carry) = (*byte << 1 | carry, *byte >> 7);
    }
    // A product of the secret carry, not a choice by it; and no check of overflow, which would be one.
    block[N - 1] ^= if N == 16 { 0x87u8 } else { 0x1b }.wrapping_mul(carry);
}

fn xor<const N: usize>(into: &mut [u8; N], from: &[u8; N]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a ^= b;
    }
}

impl<C: BlockEncrypt<N> + InPlace, const N: usize, const T: usize> InPlace for Cmac<C, N, T> {
    fn vacant(vacancy: Vacancy) -> Self {
        Self::without_subkey(C::vacant(vacancy))
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.reset();
        let result = self.cipher.rekey(key);
        // Of a refusal, too: the cipher may have lost its former key.
        let derived = self.subkey.derive(&self.cipher);
        match result {
            Ok(depth) => Ok(depth.max(derived)),
            Err(refusal) => {
                Err(Refusal { depth: refusal.depth.max(derived), error: refusal.error })
            }
        }
    }
}

impl<const N: usize> Drop for Subkey<N> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.0);
    }
}

impl<const N: usize> Drop for State<N> {
    fn drop(&mut self) {
        self.reset();
    }
}

impl<const N: usize> Default for Subkey<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Default for State<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> zeroize::ZeroizeOnDrop for Subkey<N> {}
impl<const N: usize> zeroize::ZeroizeOnDrop for State<N> {}
impl<C: zeroize::ZeroizeOnDrop, const N: usize, const T: usize> zeroize::ZeroizeOnDrop
    for Cmac<C, N, T>
{
}

impl<C, const N: usize, const T: usize> fmt::Debug for Cmac<C, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cmac").finish_non_exhaustive()
    }
}

impl<const N: usize> fmt::Debug for Subkey<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subkey").finish_non_exhaustive()
    }
}

impl<const N: usize> fmt::Debug for State<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

/// The tag is not that of this message and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unverified;

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the message does not verify")
    }
}

impl core::error::Error for Unverified {}
