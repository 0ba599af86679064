//! Salsa20: D. J. Bernstein, Salsa20 specification (2005), with 20, 12 or 8 rounds.
//!
//! Keys of 16 or 32 bytes, nonces of 8 bytes, words of 32 bits, little endian. The keystream
//! comes in blocks of 64 bytes, numbered by a counter of 64 bits, so any position can be sought.
//!
//! Constant time: yes: additions, XORs and rotations by fixed distances.
//!
//! Kernels: SSE2, AVX2 and AVX-512, which take 4, 8 and 16 blocks at a time; one code over vectors; and
//! NEON on ARM, which takes 4. The portable one is loops over lanes, four blocks at a time with SSE2, else
//! one, and takes one or two blocks for the others.

#![allow(clippy::needless_range_loop, reason = "a lane runs through several words at once")]

#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    )
))]
use crate::neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use crate::x86;
use crate::{Kernel, StreamError};
use cinder_block::{Depth, InPlace, KeyError, Refusal, Vacancy, by_value};
use core::fmt;

/// Bytes in a block of the keystream.
pub(crate) const BLOCK: usize = 64;

/// Blocks in the portable kernel's wide path: a vector of four 32-bit lanes.
const WIDE: usize = if cfg!(target_feature = "sse2") { 4 } else { 1 };

/// A Salsa20 key; [`keystream`](Self::keystream) starts a message. `ROUNDS` is 20, 12 or 8;
/// another number does not compile.
///
/// Holds the key, wiped when it drops. A move leaves a copy behind, and `mem::forget` and a panic
/// that aborts leave it all: see [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There
/// is no `Clone`.
///
/// ```
/// use cinder_stream::{Salsa20, Slot};
///
/// let mut slot = Slot::<Salsa20>::empty();
/// let salsa20 = slot.init(&[0x42; 32])?;
/// let mut data = *b"attack at dawn";
/// salsa20.keystream(&[1; 8]).apply(&mut data)?;
/// assert_ne!(&data, b"attack at dawn");
///
/// let mut keystream = salsa20.keystream(&[1; 8]);
/// keystream.seek(7)?;
/// keystream.apply(&mut data[7..])?;
/// assert_eq!(&data[7..], b"at dawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Salsa20<const ROUNDS: usize = 20> {
    /// The initial state with a nonce and a counter of zero (section 9: the constants and the
    /// key in their places).
    state: [u32; 16],
    kernel: Kernel,
}

impl<const ROUNDS: usize> Salsa20<ROUNDS> {
    /// A key by value. The move out of this function may leave a copy of the key on the stack;
    /// [`Slot`](cinder_block::Slot) leaves none.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] unless the key has 16 or 32 bytes.
    pub fn new(key: &[u8]) -> Result<Self, KeyError> {
        by_value(|cipher: &mut Self| cipher.rekey(key))
    }

    /// Like [`InPlace::rekey`], on a kernel of the caller's choice: for tests and measurements.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] as for [`new`](Self::new); the former key then stays.
    #[inline(never)]
    pub fn rekey_with_kernel(&mut self, key: &[u8], kernel: Kernel) -> Result<Depth, Refusal> {
        // Section 9: sigma with 32 bytes of key, tau with 16 bytes that stand twice.
        let constants: &[u8; 16] = match key.len() {
            32 => b"expand 32-byte k",
            16 => b"expand 16-byte k",
            _ => return Err(KeyError::Length.into()),
        };
        let (words, _) = key.as_chunks::<4>();
        for i in 0..4 {
            self.state[1 + i] = u32::from_le_bytes(words[i]);
            self.state[11 + i] = u32::from_le_bytes(words[words.len() - 4 + i]);
        }
        for (i, word) in constants.as_chunks::<4>().0.iter().enumerate() {
            self.state[5 * i] = u32::from_le_bytes(*word);
        }
        self.kernel = kernel;
        Ok(Depth::here())
    }

    /// The kernel that this key runs on.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The keystream of a message, from its first byte. Never use a nonce twice with one key.
    pub fn keystream(&self, nonce: &[u8; 8]) -> Salsa20Keystream<'_, ROUNDS> {
        let [a, b, c, d, rest @ ..] = *nonce;
        Salsa20Keystream {
            key: self,
            nonce: [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes(rest)],
            position: 0,
            block: [0; BLOCK],
        }
    }
}

impl<const ROUNDS: usize> InPlace for Salsa20<ROUNDS> {
    fn vacant(_: Vacancy) -> Self {
        const { assert!(ROUNDS == 20 || ROUNDS == 12 || ROUNDS == 8) };
        Salsa20 { state: [0; 16], kernel: Kernel::Portable }
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        self.rekey_with_kernel(key, Kernel::best())
    }
}

impl<const ROUNDS: usize> Drop for Salsa20<ROUNDS> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.state);
    }
}

impl<const ROUNDS: usize> zeroize::ZeroizeOnDrop for Salsa20<ROUNDS> {}

impl<const ROUNDS: usize> fmt::Debug for Salsa20<ROUNDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Salsa20<{ROUNDS}> {{ .. }}")
    }
}

/// The keystream of one message and the position in it.
///
/// Has the key by reference; holds the nonce, the position and a block of keystream, wiped when it
/// drops. A move leaves a copy behind, and `mem::forget` and a panic that aborts leave it all: see
/// [what burning cannot reach](cinder_burn#what-burning-cannot-reach). There is no `Clone`.
pub struct Salsa20Keystream<'a, const ROUNDS: usize = 20> {
    key: &'a Salsa20<ROUNDS>,
    nonce: [u32; 2],
    /// In bytes, at most [`END`].
    position: u128,
    /// The block that `position` is inside of; of no meaning where it is at a block's start.
    block: [u8; BLOCK],
}

/// The keystream's length in bytes: 2^64 blocks.
const END: u128 = (BLOCK as u128) << 64;

impl<const ROUNDS: usize> Salsa20Keystream<'_, ROUNDS> {
    /// XORs the next bytes of the keystream into `data`.
    ///
    /// # Errors
    ///
    /// [`StreamError::EndOfKeystream`] if fewer than `data.len()` of the keystream's 2^70 bytes
    /// are left. Nothing was changed.
    pub fn apply(&mut self, data: &mut [u8]) -> Result<(), StreamError> {
        if data.len() as u128 > END - self.position {
            return Err(StreamError::EndOfKeystream);
        }
        cinder_burn::scope(|| ((), self.xor(data)));
        Ok(())
    }

    /// XORs the next bytes of the keystream with `input` into `output`.
    ///
    /// # Errors
    ///
    /// [`StreamError::BufferLengths`] if the two differ in length, and as
    /// [`apply`](Self::apply).
    pub fn apply_to(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), StreamError> {
        if input.len() != output.len() {
            return Err(StreamError::BufferLengths);
        }
        if input.len() as u128 > END - self.position {
            return Err(StreamError::EndOfKeystream);
        }
        output.copy_from_slice(input);
        self.apply(output)
    }

    /// The position, in bytes from the keystream's start.
    pub fn position(&self) -> u128 {
        self.position
    }

    /// Goes to a position, in bytes from the keystream's start.
    ///
    /// # Errors
    ///
    /// [`StreamError::EndOfKeystream`] if `position` is more than 2^70. Nothing was changed.
    pub fn seek(&mut self, position: u128) -> Result<(), StreamError> {
        if position > END {
            return Err(StreamError::EndOfKeystream);
        }
        self.position = position;
        if !position.is_multiple_of(BLOCK as u128) {
            cinder_burn::scope(|| ((), self.fill()));
        }
        Ok(())
    }

    /// The number of the block that the position is in.
    fn counter(&self) -> u64 {
        (self.position / BLOCK as u128) as u64
    }

    fn offset(&self) -> usize {
        (self.position % BLOCK as u128) as usize
    }

    /// XORs the keystream from the start of the block that the position is in into `blocks`, and keeps
    /// the block after them if that is wanted.
    #[inline(always)]
    fn xor_blocks(&mut self, blocks: &mut [[u8; BLOCK]], keep_next: bool) -> Depth {
        let mut state = self.key.state;
        (state[6], state[7]) = (self.nonce[0], self.nonce[1]);
        let (state, counter) = (&state, self.counter());
        let next = keep_next.then_some(&mut self.block);
        let depth = match self.key.kernel {
            Kernel::Portable => portable::<ROUNDS>(state, counter, blocks, next),
            #[cfg(any(
                all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
                all(
                    target_arch = "arm",
                    target_endian = "little",
                    any(target_os = "linux", target_os = "android")
                )
            ))]
            Kernel::Neon(token) => neon::salsa20::<ROUNDS>(token, state, counter, blocks, next),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Sse2(token) => x86::sse2::<ROUNDS>(token, state, counter, blocks, next),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Ssse3(token) => x86::sse2::<ROUNDS>(token.into(), state, counter, blocks, next),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx2(token) => x86::avx2::<ROUNDS>(token, state, counter, blocks, next),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Kernel::Avx512(token) => x86::avx512::<ROUNDS>(token, state, counter, blocks, next),
        };
        depth.max(Depth::here())
    }

    /// Computes the block that the position is inside of.
    #[inline(never)]
    fn fill(&mut self) -> Depth {
        self.xor_blocks(&mut [], true)
    }

    #[inline(never)]
    fn xor(&mut self, data: &mut [u8]) -> Depth {
        let mut depth = Depth::here();
        let offset = self.offset();
        let mut data = data;
        if offset != 0 {
            let (head, rest) = data.split_at_mut(data.len().min(BLOCK - offset));
            xor_bytes(head, &self.block[offset..]);
            self.position += head.len() as u128;
            data = rest;
        }
        let (blocks, tail) = data.as_chunks_mut::<BLOCK>();
        if !blocks.is_empty() || !tail.is_empty() {
            depth = depth.max(self.xor_blocks(blocks, !tail.is_empty()));
            xor_bytes(tail, &self.block);
            self.position += data.len() as u128;
        }
        depth
    }
}

impl<const ROUNDS: usize> Drop for Salsa20Keystream<'_, ROUNDS> {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.block);
        cinder_burn::wipe(&mut self.nonce);
        cinder_burn::wipe(&mut self.position);
    }
}

impl<const ROUNDS: usize> zeroize::ZeroizeOnDrop for Salsa20Keystream<'_, ROUNDS> {}

impl<const ROUNDS: usize> fmt::Debug for Salsa20Keystream<'_, ROUNDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Salsa20Keystream").field("position", &self.position).finish_non_exhaustive()
    }
}

#[inline(always)]
fn xor_bytes(into: &mut [u8], from: &[u8]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a ^= b;
    }
}

/// Section 3: the quarterround.
#[inline(always)]
fn quarterround<const L: usize>(x: &mut [[u32; L]; 16], [a, b, c, d]: [usize; 4]) {
    for lane in 0..L {
        x[b][lane] ^= x[a][lane].wrapping_add(x[d][lane]).rotate_left(7);
    }
    for lane in 0..L {
        x[c][lane] ^= x[b][lane].wrapping_add(x[a][lane]).rotate_left(9);
    }
    for lane in 0..L {
        x[d][lane] ^= x[c][lane].wrapping_add(x[b][lane]).rotate_left(13);
    }
    for lane in 0..L {
        x[a][lane] ^= x[d][lane].wrapping_add(x[c][lane]).rotate_left(18);
    }
}

/// XORs the keystream blocks from number `counter` on into `blocks`, and writes the one after them
/// to `next`. The last block's number is at most 2^64 - 1.
pub(crate) fn portable<const ROUNDS: usize>(
    state: &[u32; 16],
    mut counter: u64,
    blocks: &mut [[u8; BLOCK]],
    next: Option<&mut [u8; BLOCK]>,
) -> Depth {
    let mut depth = Depth::here();
    let (wide, narrow) = blocks.as_chunks_mut::<WIDE>();
    for blocks in wide {
        depth = depth.max(xor_blocks::<ROUNDS, WIDE>(state, counter, blocks));
        counter = counter.wrapping_add(WIDE as u64);
    }
    for block in narrow {
        depth = depth.max(xor_blocks::<ROUNDS, 1>(state, counter, core::array::from_mut(block)));
        counter = counter.wrapping_add(1);
    }
    if let Some(next) = next {
        *next = [0; BLOCK];
        depth = depth.max(xor_blocks::<ROUNDS, 1>(state, counter, core::array::from_mut(next)));
    }
    depth
}

/// XORs the `L` keystream blocks from number `counter` on into `blocks`.
#[inline(never)]
fn xor_blocks<const ROUNDS: usize, const L: usize>(
    state: &[u32; 16],
    counter: u64,
    blocks: &mut [[u8; BLOCK]; L],
) -> Depth {
    let mut input = [[0; L]; 16];
    for (input, word) in input.iter_mut().zip(state) {
        *input = [*word; L];
    }
    for lane in 0..L {
        // The last block's number is 2^64 - 1, so this does not wrap.
        let counter = counter + lane as u64;
        (input[8][lane], input[9][lane]) = (counter as u32, (counter >> 32) as u32);
    }
    let mut x = input;
    for _ in 0..ROUNDS / 2 {
        // Section 6: the columnround.
        quarterround(&mut x, [0, 4, 8, 12]);
        quarterround(&mut x, [5, 9, 13, 1]);
        quarterround(&mut x, [10, 14, 2, 6]);
        quarterround(&mut x, [15, 3, 7, 11]);
        // Section 5: the rowround.
        quarterround(&mut x, [0, 1, 2, 3]);
        quarterround(&mut x, [5, 6, 7, 4]);
        quarterround(&mut x, [10, 11, 8, 9]);
        quarterround(&mut x, [15, 12, 13, 14]);
    }
    for (lane, block) in blocks.iter_mut().enumerate() {
        for (bytes, (x, input)) in block.as_chunks_mut::<4>().0.iter_mut().zip(x.iter().zip(&input))
        {
            let word = x[lane].wrapping_add(input[lane]);
            *bytes = (u32::from_le_bytes(*bytes) ^ word).to_le_bytes();
        }
    }
    Depth::here()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 3's examples of the quarterround.
    #[test]
    fn quarterround_examples() {
        let run = |words: [u32; 4]| {
            let mut x = [[0]; 16];
            for (x, word) in x.iter_mut().zip(words) {
                *x = [word];
            }
            quarterround(&mut x, [0, 1, 2, 3]);
            [x[0][0], x[1][0], x[2][0], x[3][0]]
        };
        assert_eq!(run([0; 4]), [0; 4]);
        assert_eq!(run([1, 0, 0, 0]), [0x08008145, 0x80, 0x10200, 0x20500000]);
        assert_eq!(
            run([0xe7e8c006, 0xc4f9417d, 0x6479b4b2, 0x68c67137]),
            [0xe876d72b, 0x9361dfd5, 0xf1460244, 0x948541a3]
        );
    }

    /// eSTREAM, set 1, vector 0, for 256 and 128 bits: the keystream's first 16 bytes.
    #[test]
    fn estream_first_blocks() {
        let mut key = [0; 32];
        key[0] = 0x80;
        let mut first = [0; 16];
        Salsa20::<20>::new(&key).unwrap().keystream(&[0; 8]).apply(&mut first).unwrap();
        assert_eq!(u128::from_be_bytes(first), 0xe3be8fdd8beca2e3ea8ef9475b29a6e7);
        let mut first = [0; 16];
        Salsa20::<20>::new(&key[..16]).unwrap().keystream(&[0; 8]).apply(&mut first).unwrap();
        assert_eq!(u128::from_be_bytes(first), 0x4dfa5e481da23ea09a31022050859936);
    }

    fn with_kernel<const ROUNDS: usize>(kernel: Kernel) -> Salsa20<ROUNDS> {
        let mut salsa20 = Salsa20::new(&[3; 32]).unwrap();
        cinder_burn::burn(salsa20.rekey_with_kernel(&[7; 32], kernel).unwrap());
        assert_eq!(salsa20.kernel(), kernel);
        salsa20
    }

    /// The keystream from `start` on, of single blocks by the portable kernel.
    fn reference<const ROUNDS: usize>(start: u64, len: usize) -> [u8; LEN] {
        let salsa20 = with_kernel::<ROUNDS>(Kernel::Portable);
        let mut stream = [0; LEN];
        for (counter, block) in stream[..len].chunks_mut(BLOCK).enumerate() {
            let mut keystream = salsa20.keystream(&[1, 2, 3, 4, 5, 6, 7, 8]);
            keystream.seek((u128::from(start) + counter as u128) * BLOCK as u128).unwrap();
            keystream.apply(block).unwrap();
        }
        stream
    }

    /// Two passes of the widest kernel, another one that is not full, and a part of a block.
    const LEN: usize = 43 * BLOCK + 17;

    fn any_cut<const ROUNDS: usize>(kernel: Kernel) {
        let expected = reference::<ROUNDS>(0, LEN);
        let salsa20 = with_kernel::<ROUNDS>(kernel);
        for cut in (0..=LEN).step_by(29) {
            let mut stream = [0; LEN];
            let mut keystream = salsa20.keystream(&[1, 2, 3, 4, 5, 6, 7, 8]);
            keystream.apply_to(&[0; LEN][..cut], &mut stream[..cut]).unwrap();
            assert_eq!(keystream.position(), cut as u128);
            assert!(stream[cut..].iter().all(|byte| *byte == 0));
            keystream.apply(&mut stream[cut..]).unwrap();
            assert_eq!(stream, expected, "{kernel} {cut}");

            let mut sought = [0; 30];
            keystream.seek(cut as u128).unwrap();
            let len = 30.min(LEN - cut);
            keystream.apply(&mut sought[..len]).unwrap();
            assert_eq!(sought[..len], expected[cut..cut + len]);
        }
    }

    #[test]
    fn any_cut_and_seek_agree_with_single_blocks() {
        for kernel in Kernel::available() {
            any_cut::<8>(kernel);
            any_cut::<12>(kernel);
            any_cut::<20>(kernel);
        }
    }

    /// Every count of blocks with and without a part of one, where the counter's low word wraps after
    /// each of them, and at its end.
    #[test]
    fn counters_carry_at_every_place() {
        const COUNT: u64 = 20;
        for kernel in Kernel::available() {
            let salsa20 = with_kernel::<8>(kernel);
            for start in
                [(1u64 << 32) - COUNT, (5 << 32) - COUNT / 2, (1 << 32) - 1, u64::MAX - COUNT]
            {
                let expected = reference::<8>(start, COUNT as usize * BLOCK + 9);
                for len in (0..COUNT as usize * BLOCK + 9).step_by(32) {
                    let mut keystream = salsa20.keystream(&[1, 2, 3, 4, 5, 6, 7, 8]);
                    keystream.seek(u128::from(start) * BLOCK as u128).unwrap();
                    let mut stream = [0; LEN];
                    keystream.apply(&mut stream[..len + 3]).unwrap();
                    assert_eq!(stream[..len + 3], expected[..len + 3], "{kernel} {start} {len}");
                    assert!(stream[len + 3..].iter().all(|byte| *byte == 0));
                }
            }
        }
    }

    #[test]
    fn the_best_kernel_is_the_default() {
        assert_eq!(Salsa20::<20>::new(&[0; 16]).unwrap().kernel(), Kernel::best());
        assert_eq!(Kernel::available().last(), Some(Kernel::Portable));
        assert_eq!(Kernel::Portable.name(), "portable");
    }

    #[test]
    fn rounds_differ() {
        assert_ne!(reference::<8>(0, 64), reference::<12>(0, 64));
        assert_ne!(reference::<12>(0, 64), reference::<20>(0, 64));
    }

    #[test]
    fn the_keystream_ends() {
        let salsa20 = Salsa20::<20>::new(&[3; 16]).unwrap();
        let mut keystream = salsa20.keystream(&[0; 8]);
        assert_eq!(keystream.seek(END + 1), Err(StreamError::EndOfKeystream));
        keystream.seek(END - 300).unwrap();
        let mut data = [9; 301];
        assert_eq!(keystream.apply(&mut data), Err(StreamError::EndOfKeystream));
        assert_eq!(data, [9; 301]);
        keystream.apply(&mut data[..300]).unwrap();
        assert_eq!(keystream.position(), END);
        assert_eq!(keystream.apply(&mut data[..1]), Err(StreamError::EndOfKeystream));
        keystream.apply(&mut []).unwrap();
        assert_eq!(keystream.apply_to(&[0; 1], &mut []), Err(StreamError::BufferLengths));
    }

    #[test]
    fn key_lengths() {
        for len in (0..40).filter(|len| ![16, 32].contains(len)) {
            assert_eq!(Salsa20::<20>::new(&[0; 40][..len]).unwrap_err(), KeyError::Length);
        }
    }
}
