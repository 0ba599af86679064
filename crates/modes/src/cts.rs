//! Ciphertext stealing for CBC, the addendum to SP 800-38A (October 2010).
//!
//! A message of n blocks whose last has d bytes, 1 <= d <= N. CBC over the message padded with
//! zeros gives C_1 … C_n; of C_{n-1} only the first d bytes, C*, are kept, because the rest is
//! recovered from D(C_n) = (P_n || 0) ⊕ C_{n-1}. Constant time: yes, if the cipher is; the
//! length is public.

use crate::cbc::{Decryptor, Encryptor};
use crate::{LengthError, begin, check_same_len, copy_then_end, xor};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};

/// The three orders in which ciphertext stealing writes its last two blocks.
///
/// A message of one block alone is plain CBC in all three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stealing {
    /// C*_{n-1} (the short one), then C_n. Plain CBC if the message is whole blocks.
    Cs1,
    /// As CS1 if the message is whole blocks, as CS3 if not.
    Cs2,
    /// C_n, then C*_{n-1}, always. Kerberos (RFC 3962) uses this.
    Cs3,
}

impl Stealing {
    /// Whether C_n comes first. `d`: bytes in the last block.
    #[inline(always)]
    fn swaps(self, d: usize, n: usize) -> bool {
        match self {
            Stealing::Cs1 => false,
            Stealing::Cs2 => d < n,
            Stealing::Cs3 => true,
        }
    }
}

impl<C: BlockEncrypt<N>, const N: usize> Encryptor<C, N> {
    /// Ends a message with ciphertext stealing, in place. `data` is at least one block, and the
    /// ciphertext is as long.
    ///
    /// The last two blocks are written together. So if [`encrypt`](Self::encrypt) has encrypted the
    /// blocks before, leave more than one block for this call.
    ///
    /// # Errors
    ///
    /// [`LengthError::Short`] if `data` is less than a block.
    pub fn encrypt_stealing(
        &mut self,
        stealing: Stealing,
        data: &mut [u8],
    ) -> Result<(), LengthError> {
        check_len::<N>(data)?;
        cinder_burn::scope(|| ((), self.steal(stealing, data)));
        Ok(())
    }

    /// Ends a message as [`encrypt_stealing`](Self::encrypt_stealing) does, from `input` to
    /// `output`.
    ///
    /// # Errors
    ///
    /// Those of [`encrypt_stealing`](Self::encrypt_stealing), and [`LengthError::Unequal`] if the
    /// lengths differ.
    pub fn encrypt_stealing_to(
        &mut self,
        stealing: Stealing,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), LengthError> {
        check_same_len(input, output)?;
        check_len::<N>(input)?;
        copy_then_end(input, output, |output| ((), self.steal(stealing, output)));
        Ok(())
    }

    #[inline(always)]
    fn steal(&mut self, stealing: Stealing, data: &mut [u8]) -> Depth {
        begin(&mut self.lost);
        let depth = steal_encrypting(&self.cipher, &mut self.chain, stealing, data);
        self.lost = false;
        depth
    }
}

impl<C: BlockDecrypt<N>, const N: usize> Decryptor<C, N> {
    /// Ends a message with ciphertext stealing, in place. `data` is at least one block. If
    /// [`decrypt`](Self::decrypt) has decrypted the blocks before, leave more than one block for
    /// this call.
    ///
    /// # Errors
    ///
    /// [`LengthError::Short`] if `data` is less than a block.
    pub fn decrypt_stealing(
        &mut self,
        stealing: Stealing,
        data: &mut [u8],
    ) -> Result<(), LengthError> {
        check_len::<N>(data)?;
        cinder_burn::scope(|| ((), self.steal(stealing, data)));
        Ok(())
    }

    /// Ends a message as [`decrypt_stealing`](Self::decrypt_stealing) does, from `input` to
    /// `output`.
    ///
    /// # Errors
    ///
    /// Those of [`decrypt_stealing`](Self::decrypt_stealing), and [`LengthError::Unequal`] if the
    /// lengths differ.
    pub fn decrypt_stealing_to(
        &mut self,
        stealing: Stealing,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), LengthError> {
        check_same_len(input, output)?;
        check_len::<N>(input)?;
        copy_then_end(input, output, |output| ((), self.steal(stealing, output)));
        Ok(())
    }

    #[inline(always)]
    fn steal(&mut self, stealing: Stealing, data: &mut [u8]) -> Depth {
        begin(&mut self.lost);
        let depth = steal_decrypting(&self.cipher, &mut self.chain, stealing, data);
        self.lost = false;
        depth
    }
}

#[inline(always)]
fn check_len<const N: usize>(data: &[u8]) -> Result<(), LengthError> {
    if data.len() < N { Err(LengthError::Short) } else { Ok(()) }
}

#[inline(never)]
fn steal_encrypting<C: BlockEncrypt<N>, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    stealing: Stealing,
    data: &mut [u8],
) -> Depth {
    let depth = Depth::here();
    // All blocks but the last, which may be short, are plain CBC.
    let first = (data.len() - 1) / N * N;
    if first == 0 {
        return depth.max(cipher.cbc_encrypt(chain, data.as_chunks_mut().0));
    }
    let blocks = data[..first].as_chunks_mut().0;
    let depth = depth.max(cipher.cbc_encrypt(chain, blocks));
    let Some((before, last)) = data[first - N..].split_first_chunk_mut::<N>() else {
        return depth;
    };

    // `chain` is C_{n-1}; C_n = E((P_n || 0) ⊕ C_{n-1}).
    let d = last.len();
    xor(chain, last);
    let depth = depth.max(cipher.encrypt_block(chain));
    last.copy_from_slice(&before[..d]);
    *before = *chain;
    // Now the order is C_n, C*_{n-1}.
    if !stealing.swaps(d, N) {
        first_block_last::<N>(&mut data[first - N..]);
    }
    depth
}

#[inline(never)]
fn steal_decrypting<C: BlockDecrypt<N>, const N: usize>(
    cipher: &C,
    chain: &mut [u8; N],
    stealing: Stealing,
    data: &mut [u8],
) -> Depth {
    let depth = Depth::here();
    let first = (data.len() - 1) / N * N;
    if first == 0 {
        return depth.max(cipher.cbc_decrypt(chain, data.as_chunks_mut().0));
    }
    let d = data.len() - first;
    if !stealing.swaps(d, N) {
        // To the order C_n, C*_{n-1}.
        last_block_first::<N>(&mut data[first - N..]);
    }
    let (front, end) = data.split_at_mut(first - N);
    let Some((before, last)) = end.split_first_chunk_mut::<N>() else { return depth };
    let blocks = front.as_chunks_mut().0;
    let depth = depth.max(cipher.cbc_decrypt(chain, blocks));

    // `chain` is C_{n-2}. D(C_n) = (P_n || 0) ⊕ C_{n-1}: its first d bytes ⊕ C* are P_n,
    // the rest is the rest of C_{n-1}.
    let next = *before;
    let depth = depth.max(cipher.decrypt_block(before));
    for (byte, stolen) in before.iter_mut().zip(last) {
        let plain = *byte ^ *stolen;
        *byte = *stolen;
        *stolen = plain;
    }
    // `before` is C_{n-1}.
    let depth = depth.max(cipher.decrypt_block(before));
    xor(before, chain);
    *chain = next;
    depth
}

/// Moves the first block of `data` behind the rest, which is at most as long. Not `rotate_left`,
/// which has a frame of 256 bytes.
#[inline(always)]
fn first_block_last<const N: usize>(data: &mut [u8]) {
    let mut block = [0; N];
    block.copy_from_slice(&data[..N]);
    data.copy_within(N.., 0);
    let rest = data.len() - N;
    data[rest..].copy_from_slice(&block);
}

/// Moves the last block of `data` in front of the rest, which is at most as long.
#[inline(always)]
fn last_block_first<const N: usize>(data: &mut [u8]) {
    let mut block = [0; N];
    let rest = data.len() - N;
    block.copy_from_slice(&data[rest..]);
    data.copy_within(..rest, N);
    data[..N].copy_from_slice(&block);
}
