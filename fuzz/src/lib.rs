//! What the targets share: an input's parts, the peers, and how a job is judged.
//!
//! A job is run over a cipher of the project on one of its kernels, in every way that the crate
//! `vectors` knows: by the traits' methods, by the crates `modes` and `gcm`, in place, from buffer
//! to buffer, and in calls of the input's sizes. What is right is said by that crate's model of the
//! mode over RustCrypto's cipher, one block at a time.

use rc_cipher::consts::{U8, U16};
use rc_cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use vectors::registry::{BlockEntry, Keyed, Params};
use vectors::run::{Direction, Job, Outcome, model, ways};
use vectors::{Mode, Registry};

/// The input, taken from its front. What is missing is 0.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next byte.
    pub fn byte(&mut self) -> usize {
        self.bytes(1).first().copied().unwrap_or_default().into()
    }

    /// Up to so many bytes.
    pub fn bytes(&mut self, len: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        head
    }

    /// A byte says how many.
    pub fn counted(&mut self) -> &'a [u8] {
        let len = self.byte();
        self.bytes(len)
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.byte() % of.len()]
    }

    /// Sizes, of which one at least is not 0.
    pub fn sizes(&mut self) -> Vec<usize> {
        self.counted().iter().map(|size| usize::from(*size)).chain([1]).collect()
    }
}

/// RustCrypto's cipher under the traits of the project, by their one required method.
struct Peer<C>(C);

macro_rules! peer {
    ($len:literal, $size:ty) => {
        impl<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = $size>>
            cinder_block::BlockEncrypt<$len> for Peer<C>
        {
            fn encrypt_blocks(&self, blocks: &mut [[u8; $len]]) -> cinder_block::Depth {
                for block in blocks {
                    self.0.encrypt_block(Array::cast_from_core_mut(block));
                }
                cinder_block::Depth::NONE
            }
        }

        impl<C: BlockCipherDecrypt + BlockSizeUser<BlockSize = $size>>
            cinder_block::BlockDecrypt<$len> for Peer<C>
        {
            fn decrypt_blocks(&self, blocks: &mut [[u8; $len]]) -> cinder_block::Depth {
                for block in blocks {
                    self.0.decrypt_block(Array::cast_from_core_mut(block));
                }
                cinder_block::Depth::NONE
            }
        }
    };
}
peer!(8, U8);
peer!(16, U16);

fn narrow<C>(key: &[u8]) -> Option<Keyed>
where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U8> + 'static,
{
    Some(Keyed::Narrow(Box::new(Peer(C::new_from_slice(key).ok()?))))
}

fn wide<C>(key: &[u8]) -> Option<Keyed>
where
    C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static,
{
    Some(Keyed::Wide(Box::new(Peer(C::new_from_slice(key).ok()?))))
}

/// RustCrypto's cipher with the key, or the project's where it has none. It takes fewer lengths of
/// keys than the project does, for some.
fn peer(entry: &BlockEntry, params: &Params<'_>) -> Option<Keyed> {
    let key = params.key;
    match (entry.cipher.name(), key.len()) {
        ("AES", 16) => wide::<rc_aes::Aes128>(key),
        ("AES", 24) => wide::<rc_aes::Aes192>(key),
        ("AES", 32) => wide::<rc_aes::Aes256>(key),
        ("Blowfish", 4..=56) => narrow::<rc_blowfish::Blowfish>(key),
        ("Camellia", 16) => wide::<rc_camellia::Camellia128>(key),
        ("Camellia", 24) => wide::<rc_camellia::Camellia192>(key),
        ("Camellia", 32) => wide::<rc_camellia::Camellia256>(key),
        ("CAST5", 5..=16) => narrow::<rc_cast5::Cast5>(key),
        ("DES", 8) => narrow::<rc_des::Des>(key),
        ("3DES", 16) => narrow::<rc_des::TdesEde2>(key),
        ("3DES", 24) => narrow::<rc_des::TdesEde3>(key),
        ("IDEA", 16) => narrow::<rc_idea::Idea>(key),
        ("RC2", 1..=128) => {
            let bits = params.bits? as usize;
            let rc2 = rc_rc2::Rc2::new_with_eff_key_len(key, bits);
            Some(Keyed::Narrow(Box::new(Peer(rc2))))
        }
        ("Serpent", 16 | 24 | 32) => wide::<rc_serpent::Serpent>(key),
        ("Twofish", 16 | 24 | 32) => wide::<rc_twofish::Twofish>(key),
        _ => entry.build(params, 0).ok(),
    }
}

/// Runs the job that the input describes, in one of these modes.
pub fn run(input: &mut Input<'_>, modes: &[Mode]) {
    let registry = Registry::project();
    let entry = &registry.blocks[input.byte() % registry.blocks.len()];
    let kernel = input.byte() % entry.kernels.len();
    let mode = input.pick(modes);
    let bits = (entry.cipher.name() == "RC2")
        .then(|| 1 + (256 * input.byte() + input.byte()) as u32 % 1024);
    let [width, tag_len, flipped] = [input.byte(), input.byte(), input.byte()];
    let (key, iv, aad, pieces) = (input.counted(), input.counted(), input.counted(), input.sizes());
    let params = Params { key, bits, allow_weak: true };
    let Ok(cipher) = entry.build(&params, kernel) else { return };
    let Some(peer) = peer(entry, &params) else { return };
    let tag = &[0; 17][..tag_len % 18];
    let counter_bytes = (mode == Mode::Ctr && width > 0).then_some(width);
    let direction = Direction::Encrypt;
    let text = input.0;
    let job = Job { mode, direction, iv, aad, text, tag, counter_bytes, pieces: &pieces };
    let sealed = judge(&cipher, &peer, &job);

    // What nobody has encrypted, what the model has, and that with one bit changed.
    let job = Job { direction: Direction::Decrypt, ..job };
    judge(&cipher, &peer, &job);
    let (mut text, mut tag) = match sealed {
        Outcome::Text(text) => (text, Vec::new()),
        Outcome::Sealed(text, tag) => (text, tag),
        _ => return,
    };
    judge(&cipher, &peer, &Job { text: &text, tag: &tag, ..job });
    let mut bytes = text.iter_mut().chain(&mut tag);
    if let Some(byte) = bytes.by_ref().rev().nth(flipped / 8) {
        *byte ^= 1 << (flipped % 8);
    }
    judge(&cipher, &peer, &Job { text: &text, tag: &tag, ..job });
}

/// Every way gives what the model gives.
fn judge(cipher: &Keyed, peer: &Keyed, job: &Job<'_>) -> Outcome {
    let expected = (model().run)(peer, job);
    for way in ways() {
        match (&expected, (way.run)(cipher, job)) {
            (_, Outcome::Unsupported) | (Outcome::Refused(_), Outcome::Refused(_)) => {}
            // A length of tag that SP 800-38D does not have.
            (_, Outcome::Refused(_))
                if job.mode == Mode::Gcm && !matches!(job.tag.len(), 4 | 8 | 12..=16) => {}
            (expected, found) => assert_eq!(&found, expected, "{way:?}: {job:?}"),
        }
    }
    expected
}
