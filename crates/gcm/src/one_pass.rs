//! GCM (SP 800-38D, algorithms 4 and 5) in one pass, on the stitched kernels: what stands
//! between their interface, whole tags and J_0 in place, and that of this crate.
//!
//! Constant time: yes. That a tag was wrong may be seen from the time it takes to undo the
//! decryption; it is the result of the call.
//!
//! Opening decrypts before the tag is known. If the tag is wrong the caller has the text encrypted
//! again, so that the buffer holds what it held; nothing in between can fail.

use crate::Depth;
use crate::error::length;
use crate::two_pass::{Message, copy, copy_input, equal};
use crate::x86_stitched::{Keyed, j0};
use cinder_block::BlockEncrypt;
use cinder_ghash::lengths;

type Block = [u8; 16];

/// The round keys, if the cipher offers them and their count is one of AES.
#[inline(always)]
pub(crate) fn round_keys<C: BlockEncrypt<16> + ?Sized>(cipher: &C) -> Option<&[Block]> {
    let round_keys = cipher.aes_round_keys()?;
    matches!(round_keys.len(), 11 | 13 | 15).then_some(round_keys)
}

/// Seals a message whose arguments were checked. `message.input`, where there is one, is copied
/// to `data` first.
#[inline(never)]
pub(crate) fn seal(
    key: Keyed<'_>,
    round_keys: &[Block],
    message: &Message<'_>,
    data: &mut [u8],
    tag: &mut [u8],
) -> Depth {
    let (mut counter, mut computed) = ([0; 16], [0; 16]);
    let mut depth = Depth::here();
    copy_input(message.input, data);
    depth = depth.max(counter_0(key, message.iv, &mut counter));
    depth = depth.max(key.seal(round_keys, &counter, message.aad, data, &mut computed));
    match <&mut Block>::try_from(&mut *tag) {
        Ok(tag) => *tag = computed,
        Err(_) => copy(tag, &computed),
    }
    depth
}

/// Opens a message whose arguments were checked. If it does not verify, `data` holds what the
/// caller must wipe or [`seal`] again.
#[inline(never)]
pub(crate) fn open(
    key: Keyed<'_>,
    round_keys: &[Block],
    message: &Message<'_>,
    data: &mut [u8],
    tag: &[u8],
) -> (bool, Depth) {
    let (mut counter, mut computed) = ([0; 16], [0; 16]);
    let mut depth = Depth::here();
    copy_input(message.input, data);
    depth = depth.max(counter_0(key, message.iv, &mut counter));
    depth = depth.max(key.open(round_keys, &counter, message.aad, data, &mut computed));
    (equal(&computed, tag), depth)
}

/// J_0.
#[inline(always)]
pub(crate) fn counter_0(key: Keyed<'_>, iv: &[u8], counter: &mut Block) -> Depth {
    match <&[u8; 12]>::try_from(iv) {
        Ok(iv) => {
            *counter = j0(iv);
            Depth::NONE
        }
        Err(_) => counter_0_hashed(key, iv, counter),
    }
}

#[inline(never)]
fn counter_0_hashed(key: Keyed<'_>, iv: &[u8], counter: &mut Block) -> Depth {
    *counter = [0; 16];
    let depth = Depth::here().max(key.hash(counter, iv));
    depth.max(key.hash(counter, &lengths(0, 8 * length(iv))))
}
