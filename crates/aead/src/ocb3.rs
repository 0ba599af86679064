//! OCB3: T. Krovetz, P. Rogaway: The OCB authenticated-encryption algorithm, RFC 7253.
//!
//! Offset_i = Offset_{i-1} ⊕ L_{ntz(i)}, C_i = E(P_i ⊕ Offset_i) ⊕ Offset_i, and the tag comes from
//! the sum of the plaintext blocks. All blocks are independent, in both directions, so the cipher's
//! widest kernel runs.
//!
//! Constant time: yes, if the cipher is, for messages of one length. (A nonce is public.)

use crate::common::{PIECE, key, xor};
use crate::{Aead, Error};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth, InPlace, Refusal, Vacancy};
use cinder_mac::parts::double;
use subtle::ConstantTimeEq;

type Block = [u8; 16];

/// Blocks at a time: covers the widest kernel.
const WIDE: usize = 32;
/// Powers that are kept: L_0 to L_15. Every 2^16th block needs a further one.
const KEPT: usize = 16;

/// OCB3 over a cipher `C` with blocks of 16 bytes, or a reference to one, with tags of `T` bytes, 1
/// to 16.
///
/// A nonce has 1 to 15 bytes. RFC 7253 allows 2^48 blocks under one key.
///
/// ```
/// use cinder_aead::{Aead, Ocb3};
/// use cinder_block::{Aes128, Slot};
///
/// let mut slot = Slot::<Ocb3<Aes128, 16>>::empty();
/// let ocb = slot.init(&[0x42; 16])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// ocb.seal_in_place(&[1; 15], b"header", &mut data, &mut tag)?;
/// # ocb.open_in_place(&[1; 15], b"header", &mut data, &tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Ocb3<C, const T: usize> {
    cipher: C,
    masks: Masks,
}

key!(Ocb3<C, T>);

/// What is computed from the key: L_*, L_$ and the first of L_0, L_1, …; and the offsets of the blocks 1 to
/// 32 without Offset_0, which are those of any 32 blocks behind a multiple of 32, but for the last.
struct Masks {
    star: Block,
    dollar: Block,
    l: [Block; KEPT],
    sums: [Block; WIDE],
}

impl Drop for Masks {
    fn drop(&mut self) {
        cinder_burn::wipe(&mut self.star);
        cinder_burn::wipe(&mut self.dollar);
        cinder_burn::wipe(&mut self.l);
        cinder_burn::wipe(&mut self.sums);
    }
}

impl Masks {
    const fn new() -> Self {
        Masks { star: [0; 16], dollar: [0; 16], l: [[0; 16]; KEPT], sums: [[0; 16]; WIDE] }
    }

    #[inline(never)]
    fn derive(&mut self, cipher: &impl BlockEncrypt<16>) -> Depth {
        self.star = [0; 16];
        let depth = Depth::here().max(cipher.encrypt_block(&mut self.star));
        self.dollar = self.star;
        double(&mut self.dollar);
        let mut last = self.dollar;
        for l in &mut self.l {
            double(&mut last);
            *l = last;
        }
        let mut sum = [0; 16];
        for (i, to) in (1..).zip(&mut self.sums) {
            add(&mut sum, &self.l[(i as u64).trailing_zeros() as usize]);
            *to = sum;
        }
        depth
    }

    /// L_ntz(i).
    #[inline(always)]
    fn l_of(&self, i: u64) -> Block {
        let ntz = i.trailing_zeros() as usize;
        if let Some(l) = self.l.get(ntz) {
            return *l;
        }
        let mut l = self.l[KEPT - 1];
        for _ in KEPT..=ntz {
            double(&mut l);
        }
        l
    }
}

/// By the halves of a block: a loop over bytes would wait for memory.
#[inline(always)]
fn add(into: &mut Block, from: &Block) {
    *into = (u128::from_ne_bytes(*into) ^ u128::from_ne_bytes(*from)).to_ne_bytes();
}

/// The sum of all blocks and `sum`.
#[inline(always)]
fn add_all(sum: &mut Block, blocks: &[Block]) {
    let mut total = *sum;
    for block in blocks {
        add(&mut total, block);
    }
    *sum = total;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Encrypt,
    Decrypt,
}

impl<C: BlockEncrypt<16> + BlockDecrypt<16>, const T: usize> Ocb3<C, T> {
    /// OCB3 over a cipher that has its key, or a reference to one; derives the masks.
    pub fn new(cipher: C) -> Self {
        let mut ocb = Self::without_masks(cipher);
        cinder_burn::scope(|| ((), ocb.masks.derive(&ocb.cipher)));
        ocb
    }

    fn without_masks(cipher: C) -> Self {
        const { assert!(T > 0 && T <= 16) };
        Ocb3 { cipher, masks: Masks::new() }
    }

    /// Offset_0 (RFC 7253, section 4.2).
    #[inline(never)]
    fn start(&self, nonce: &[u8], offset: &mut Block) -> Depth {
        let mut top = [0; 16];
        top[0] = ((8 * T % 128) << 1) as u8;
        top[15 - nonce.len()] |= 1;
        top[16 - nonce.len()..].copy_from_slice(nonce);
        let bottom = top[15] & 63;
        top[15] &= !63;
        let depth = Depth::here().max(self.cipher.encrypt_block(&mut top));
        // Stretch is Ktop and 64 bits more; Offset_0 is the 128 bits behind `bottom`, 0 to 63.
        let top = u128::from_be_bytes(top);
        let more = ((top >> 64) ^ (top >> 56)) as u64;
        let stretched = (top << bottom) | (u128::from(more) << bottom >> 64);
        *offset = stretched.to_be_bytes();
        depth
    }

    /// HASH(K, A).
    #[inline(never)]
    fn hash(&self, aad: &[u8], sum: &mut Block) -> Depth {
        let mut depth = Depth::here();
        let (blocks, rest) = aad.as_chunks::<16>();
        let mut offset = [0; 16];
        let mut scratch = [[0; 16]; WIDE];
        for (blocks, number) in blocks.chunks(WIDE).zip(1..) {
            let scratch = &mut scratch[..blocks.len()];
            scratch.copy_from_slice(blocks);
            let mut next = offset;
            for (block, mask) in scratch.iter_mut().zip(&self.masks.sums) {
                next = offset;
                add(&mut next, mask);
                add(block, &next);
            }
            if let [.., last] = scratch
                && blocks.len() == WIDE
            {
                // The last one is not that of the table.
                add(last, &next);
                next = offset;
                add(&mut next, &self.masks.sums[WIDE - 2]);
                add(&mut next, &self.masks.l_of(WIDE as u64 * number));
                add(last, &next);
            }
            offset = next;
            depth = depth.max(self.cipher.encrypt_blocks(scratch));
            add_all(sum, scratch);
        }
        if !rest.is_empty() {
            add(&mut offset, &self.masks.star);
            xor(&mut offset, rest);
            offset[rest.len()] ^= 0x80;
            depth = depth.max(self.cipher.encrypt_block(&mut offset));
            add(sum, &offset);
        }
        depth
    }

    /// Encrypts or decrypts, and computes the tag.
    #[inline(never)]
    fn run(
        &self,
        direction: Direction,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &mut Block,
    ) -> Depth {
        let (mut offset, mut checksum) = ([0; 16], [0; 16]);
        let mut depth = Depth::here().max(self.start(nonce, &mut offset));
        let (blocks, rest) = data.as_chunks_mut();
        for (piece, number) in blocks.chunks_mut(PIECE / 16).zip(0..) {
            if direction == Direction::Encrypt {
                add_all(&mut checksum, piece);
            }
            depth = depth.max(if piece.len() <= WIDE && number == 0 {
                self.blocks(direction, &self.masks.sums, piece, &mut offset)
            } else {
                self.many(direction, number, piece, &mut offset)
            });
            // Not after each of the cipher's calls: what was just written is not there to be read yet.
            if direction == Direction::Decrypt {
                add_all(&mut checksum, piece);
            }
        }
        if !rest.is_empty() {
            add(&mut offset, &self.masks.star);
            let mut pad = offset;
            depth = depth.max(self.cipher.encrypt_block(&mut pad));
            if direction == Direction::Encrypt {
                xor(&mut checksum, rest);
            }
            xor(rest, &pad);
            if direction == Direction::Decrypt {
                xor(&mut checksum, rest);
            }
            checksum[rest.len()] ^= 0x80;
        }
        add(&mut checksum, &offset);
        add(&mut checksum, &self.masks.dollar);
        depth = depth.max(self.cipher.encrypt_block(&mut checksum));
        *tag = checksum;
        if aad.is_empty() { depth } else { depth.max(self.hash(aad, tag)) }
    }

    /// The blocks of a piece, which need a last mask of their own for each 32.
    #[inline(never)]
    fn many(
        &self,
        direction: Direction,
        piece: u64,
        blocks: &mut [Block],
        offset: &mut Block,
    ) -> Depth {
        let mut depth = Depth::here();
        let mut masks = self.masks.sums;
        let mut last = piece * (PIECE / 16) as u64;
        for blocks in blocks.chunks_mut(WIDE) {
            last += WIDE as u64;
            masks[WIDE - 1] = masks[WIDE - 2];
            add(&mut masks[WIDE - 1], &self.masks.l_of(last));
            depth = depth.max(self.blocks(direction, &masks, blocks, offset));
        }
        depth
    }

    /// At most 32 blocks behind a multiple of 32.
    #[inline(never)]
    fn blocks(
        &self,
        direction: Direction,
        masks: &[Block; WIDE],
        blocks: &mut [Block],
        offset: &mut Block,
    ) -> Depth {
        let Some(last) = blocks.len().checked_sub(1) else { return Depth::NONE };
        let masks = &masks[..blocks.len()];
        let depth = Depth::here().max(if direction == Direction::Encrypt {
            self.cipher.xex_encrypt(offset, masks, blocks)
        } else {
            self.cipher.xex_decrypt(offset, masks, blocks)
        });
        add(offset, &masks[last]);
        depth
    }
}

impl<C: BlockEncrypt<16> + BlockDecrypt<16>, const T: usize> Aead<T> for Ocb3<C, T> {
    fn check(&self, nonce: usize, _: usize, _: usize) -> Result<(), Error> {
        if (1..=15).contains(&nonce) { Ok(()) } else { Err(Error::NonceLength) }
    }

    #[inline(never)]
    fn encrypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &mut [u8; T]) -> Depth {
        let mut whole = [0; 16];
        let depth = self.run(Direction::Encrypt, nonce, aad, data, &mut whole);
        tag.copy_from_slice(&whole[..T]);
        depth.max(Depth::here())
    }

    #[inline(never)]
    fn decrypt(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; T],
        verified: &mut bool,
    ) -> Depth {
        let mut whole = [0; 16];
        let mut depth =
            self.run(Direction::Decrypt, nonce, aad, data, &mut whole).max(Depth::here());
        *verified = cinder_burn::declassify(whole[..T].ct_eq(tag).unwrap_u8()) == 1;
        if !*verified {
            depth = depth.max(self.run(Direction::Encrypt, nonce, aad, data, &mut whole));
        }
        depth
    }
}

impl<C: BlockEncrypt<16> + BlockDecrypt<16> + InPlace, const T: usize> InPlace for Ocb3<C, T> {
    fn vacant(vacancy: Vacancy) -> Self {
        Self::without_masks(C::vacant(vacancy))
    }

    fn rekey(&mut self, key: &[u8]) -> Result<Depth, Refusal> {
        let result = self.cipher.rekey(key);
        // Of a refusal, too: the cipher may have lost its former key.
        let derived = self.masks.derive(&self.cipher);
        match result {
            Ok(depth) => Ok(depth.max(derived)),
            Err(refusal) => {
                Err(Refusal { depth: refusal.depth.max(derived), error: refusal.error })
            }
        }
    }
}
