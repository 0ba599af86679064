//! `cipher` 0.4: its traits on the types of this crate, and [`Foreign`], the other way.
//!
//! A call of `*_with_backend`, which is a call of a RustCrypto mode, runs in one
//! [`burn::scope`](cinder_burn::scope) and burns once, at its end. The arrays of this generation
//! cannot be taken for Rust's without unsafe code, so blocks are copied to and from stack that is
//! burnt.

use crate::streams::Keystream;
use crate::{BlockMode, CfbDecrypt, CfbEncrypt, ChaCha, Cipher, Ctr, Ofb, Rc4, Salsa};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};
use cipher04::consts::{U8, U64};
use cipher04::crypto_common::InnerUser;
use cipher04::generic_array::ArrayLength;
use cipher04::inout::{InOut, InOutBuf};
use cipher04::typenum::Unsigned;
use cipher04::{
    AsyncStreamCipher, Block, BlockBackend, BlockClosure, BlockSizeUser, InnerIvInit, Iv,
    IvSizeUser, IvState, ParBlocks, ParBlocksSizeUser, StreamCipher, StreamCipherError,
};
use core::fmt;
use core::marker::PhantomData;

pub use cipher04 as cipher;

#[allow(clippy::duplicate_mod, reason = "the other generation has it too")]
#[path = "keystreams.rs"]
mod keystreams;

/// The number of the first block, to `SeekNum`.
const FIRST: u8 = 0;

/// Blocks that a mode of RustCrypto's hands over at a time. It keeps as many on its stack; a wide
/// kernel gains from more, and short messages from fewer.
type Parallel = U8;
const PARALLEL: usize = 8;

/// Runs blocks of `N` bytes, which is `S`, through `run`, keeps the deepest depth, and does not burn.
pub(crate) struct Backend<F, S, const N: usize> {
    run: F,
    depth: Depth,
    size: PhantomData<S>,
}

impl<F, S, const N: usize> Backend<F, S, N>
where
    F: FnMut(&mut [[u8; N]]) -> Depth,
    S: ArrayLength<u8> + 'static,
{
    /// What `f` makes of a backend, in frames that are burnt.
    #[inline(always)]
    pub(crate) fn scope(run: F, f: impl BlockClosure<BlockSize = S>) {
        cinder_burn::scope(|| {
            let mut backend = Self { run, depth: Depth::here(), size: PhantomData };
            f.call(&mut backend);
            ((), backend.depth)
        });
    }

    fn run(&mut self, blocks: &mut [[u8; N]]) {
        let depth = (self.run)(blocks);
        self.depth = self.depth.max(depth).max(Depth::here());
    }
}

impl<F, S: ArrayLength<u8> + 'static, const N: usize> BlockSizeUser for Backend<F, S, N> {
    type BlockSize = S;
}

impl<F, S: ArrayLength<u8> + 'static, const N: usize> ParBlocksSizeUser for Backend<F, S, N> {
    type ParBlocksSize = Parallel;
}

impl<F, S, const N: usize> BlockBackend for Backend<F, S, N>
where
    F: FnMut(&mut [[u8; N]]) -> Depth,
    S: ArrayLength<u8> + 'static,
{
    fn proc_block(&mut self, mut block: InOut<'_, '_, Block<Self>>) {
        let mut copy = [[0; N]];
        copy[0].copy_from_slice(block.get_in());
        self.run(&mut copy);
        block.get_out().copy_from_slice(&copy[0]);
    }

    fn proc_par_blocks(&mut self, mut blocks: InOut<'_, '_, ParBlocks<Self>>) {
        let mut copies = [[0; N]; PARALLEL];
        for (copy, block) in copies.iter_mut().zip(blocks.get_in()) {
            copy.copy_from_slice(block);
        }
        self.run(&mut copies);
        for (copy, block) in copies.iter().zip(blocks.get_out()) {
            block.copy_from_slice(copy);
        }
    }

    fn proc_tail_blocks(&mut self, mut blocks: InOutBuf<'_, '_, Block<Self>>) {
        let mut copies = [[0; N]; PARALLEL];
        let copies = &mut copies[..blocks.len()];
        for (copy, block) in copies.iter_mut().zip(blocks.get_in()) {
            copy.copy_from_slice(block);
        }
        self.run(copies);
        for (copy, block) in copies.iter().zip(blocks.get_out()) {
            block.copy_from_slice(copy);
        }
    }
}

/// A block cipher: its directions, the bytes in a block as a number and as a type, and `KeySize`.
#[allow(unused_macros, reason = "each cipher is behind its feature")]
macro_rules! block_cipher {
    ($name:ident, both $n:literal $block:ident, $key:ident) => {
        crate::cipher04::block_cipher!($name, forward $n $block, $key);

        impl cipher04::BlockDecrypt for $name {
            fn decrypt_with_backend(
                &self,
                f: impl cipher04::BlockClosure<BlockSize = Self::BlockSize>,
            ) {
                let run = |blocks: &mut [[u8; $n]]| {
                    cinder_block::BlockDecrypt::decrypt_blocks(self.cinder(), blocks)
                };
                crate::cipher04::Backend::scope(run, f);
            }
        }
    };
    ($name:ident, forward $n:literal $block:ident, $key:ident) => {
        impl cipher04::KeySizeUser for $name {
            type KeySize = cipher04::consts::$key;
        }

        impl cipher04::KeyInit for $name {
            fn new(key: &cipher04::Key<Self>) -> Self {
                Self::key(key).expect("a key of KeySize")
            }

            fn new_from_slice(key: &[u8]) -> Result<Self, cipher04::InvalidLength> {
                Self::key(key).map_err(|_| cipher04::InvalidLength)
            }
        }

        impl cipher04::BlockSizeUser for $name {
            type BlockSize = cipher04::consts::$block;
        }

        impl cipher04::BlockCipher for $name {}

        impl cipher04::AlgorithmName for $name {
            fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        impl cipher04::BlockEncrypt for $name {
            fn encrypt_with_backend(
                &self,
                f: impl cipher04::BlockClosure<BlockSize = Self::BlockSize>,
            ) {
                let run = |blocks: &mut [[u8; $n]]| {
                    cinder_block::BlockEncrypt::encrypt_blocks(self.cinder(), blocks)
                };
                crate::cipher04::Backend::scope(run, f);
            }
        }
    };
}
#[allow(unused_imports, reason = "each cipher is behind its feature")]
pub(crate) use block_cipher;

/// A mode in whole blocks, in one direction.
macro_rules! block_mode {
    ($mode:ident, Encrypts, $text:literal) => {
        crate::cipher04::block_mode!($mode, $text, BlockEncryptMut, encrypt_with_backend_mut);
    };
    ($mode:ident, Decrypts, $text:literal) => {
        crate::cipher04::block_mode!($mode, $text, BlockDecryptMut, decrypt_with_backend_mut);
    };
    ($mode:ident, $text:literal, $trait:ident, $with:ident) => {
        impl<C, const N: usize> cipher04::$trait for BlockMode<$mode, C, N>
        where
            C: Cipher<N> + cipher04::BlockSizeUser,
            $mode: Step<C::Inner, N>,
        {
            fn $with(&mut self, f: impl cipher04::BlockClosure<BlockSize = Self::BlockSize>) {
                crate::cipher04::Backend::scope(|blocks: &mut [[u8; N]]| self.step(blocks), f);
            }
        }

        impl<C: Cipher<N> + cipher04::AlgorithmName, const N: usize> cipher04::AlgorithmName
            for BlockMode<$mode, C, N>
        {
            fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!($text, "<"))?;
                C::write_alg_name(f)?;
                f.write_str(">")
            }
        }
    };
}
pub(crate) use block_mode;

/// What has a cipher and an IV of a block, and is made of them.
macro_rules! over {
    ($name:ident<$(($mode:ident),)? C, N $(, $width:ident)?>) => {
        impl<$($mode,)? C: Cipher<N>, const N: usize $(, const $width: usize)?> InnerUser
            for $name<$($mode,)? C, N $(, $width)?>
        {
            type Inner = C;
        }

        impl<$($mode,)? C, const N: usize $(, const $width: usize)?> BlockSizeUser
            for $name<$($mode,)? C, N $(, $width)?>
        where
            C: Cipher<N> + BlockSizeUser,
        {
            type BlockSize = C::BlockSize;
        }

        impl<$($mode,)? C, const N: usize $(, const $width: usize)?> IvSizeUser
            for $name<$($mode,)? C, N $(, $width)?>
        where
            C: Cipher<N> + BlockSizeUser,
        {
            type IvSize = C::BlockSize;
        }

        impl<$($mode,)? C, const N: usize $(, const $width: usize)?> InnerIvInit
            for $name<$($mode,)? C, N $(, $width)?>
        where
            C: Cipher<N> + BlockSizeUser,
        {
            fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
                let iv = iv.as_slice().try_into().expect("an IV of a block");
                Self::over(&cipher, iv)
            }
        }
    };
}

over!(BlockMode<(M), C, N>);
over!(Ctr<C, N, WIDTH>);
over!(Ofb<C, N>);

impl<M, C: Cipher<N> + BlockSizeUser, const N: usize> IvState for BlockMode<M, C, N> {
    fn iv_state(&self) -> Iv<Self> {
        Iv::<Self>::clone_from_slice(self.chain())
    }
}

impl<C: Cipher<N> + BlockSizeUser, const N: usize> AsyncStreamCipher
    for BlockMode<CfbEncrypt, C, N>
{
    fn encrypt_inout(self, data: InOutBuf<'_, '_, u8>) {
        self.encrypt(out(data));
    }
}

impl<C: Cipher<N> + BlockSizeUser, const N: usize> AsyncStreamCipher
    for BlockMode<CfbDecrypt, C, N>
{
    fn decrypt_inout(self, data: InOutBuf<'_, '_, u8>) {
        self.decrypt(out(data));
    }
}

/// The output, which holds the input.
fn out<'a>(mut data: InOutBuf<'_, 'a, u8>) -> &'a mut [u8] {
    if !core::ptr::eq(data.get_in(), data.get_out()) {
        let (chunks, mut tail) = data.reborrow().into_chunks::<U64>();
        for mut chunk in chunks {
            chunk.xor_in2out(&Default::default());
        }
        let len = tail.len();
        tail.xor_in2out(&[0; 64][..len]);
    }
    data.into_out()
}

/// A keystream's traits.
macro_rules! stream {
    ([$($generics:tt)*] $name:ty) => {
        impl<$($generics)*> StreamCipher for $name {
            fn try_apply_keystream_inout(
                &mut self,
                data: InOutBuf<'_, '_, u8>,
            ) -> Result<(), StreamCipherError> {
                if !Keystream::has(self, data.len()) || !Keystream::apply(self, out(data)) {
                    return Err(StreamCipherError);
                }
                Ok(())
            }
        }
    };
}

stream!([C: Cipher<N>, const N: usize, const WIDTH: usize] Ctr<C, N, WIDTH>);
stream!([C: Cipher<N>, const N: usize] Ofb<C, N>);
stream!([] Rc4);
stream!([const ROUNDS: usize] Salsa<ROUNDS>);
stream!([const NONCE: usize] ChaCha<NONCE>);

/// A cipher of RustCrypto's, or any that has its traits, under Cinder's modes.
///
/// It has no [`Depth`] to return. `stack` is how many bytes it uses below the function that calls it;
/// the modes burn as many. Measure it in your own binary, in each profile that you ship, with
/// [`probe::depth_of`](cinder_burn::probe::depth_of), and add a good margin: what is below stays on
/// the stack. The key schedule lies in the value, by value, and is wiped if the cipher does that
/// itself.
///
/// ```
/// use cinder_rustcrypto::cipher04::{Foreign, cipher::KeyInit};
///
/// let aes = Foreign::new(aes08::Aes128::new(&[0x42; 16].into()), 16 * 1024);
/// let mut ctr = cinder_modes::ctr::Ctr::new(&aes, &[0; 16]);
/// let mut message = *b"attack at dawn";
/// ctr.apply_keystream(&mut message)?;
/// # assert_ne!(&message, b"attack at dawn");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub struct Foreign<C> {
    cipher: C,
    stack: usize,
}

impl<C> Foreign<C> {
    /// A cipher that uses so many bytes of stack.
    pub fn new(cipher: C, stack: usize) -> Self {
        Foreign { cipher, stack }
    }
}

/// Another `N` than the cipher's does not compile.
impl<C: cipher04::BlockEncrypt, const N: usize> BlockEncrypt<N> for Foreign<C> {
    #[inline(never)]
    fn encrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        const { assert!(N == C::BlockSize::USIZE, "the cipher has blocks of another size") };
        let (blocks, _) = InOutBuf::from(blocks.as_flattened_mut()).into_chunks();
        self.cipher.encrypt_blocks_inout(blocks);
        Depth::here().deeper(self.stack)
    }
}

/// Another `N` than the cipher's does not compile.
impl<C: cipher04::BlockDecrypt, const N: usize> BlockDecrypt<N> for Foreign<C> {
    #[inline(never)]
    fn decrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        const { assert!(N == C::BlockSize::USIZE, "the cipher has blocks of another size") };
        let (blocks, _) = InOutBuf::from(blocks.as_flattened_mut()).into_chunks();
        self.cipher.decrypt_blocks_inout(blocks);
        Depth::here().deeper(self.stack)
    }
}

impl<C: zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Foreign<C> {}

impl<C> fmt::Debug for Foreign<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Foreign").field("stack", &self.stack).finish_non_exhaustive()
    }
}
