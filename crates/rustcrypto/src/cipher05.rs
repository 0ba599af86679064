//! `cipher` 0.5: its traits on the types of this crate, and [`Foreign`], the other way.
//!
//! A call of `*_with_backend`, which is a call of a RustCrypto mode, runs in one
//! [`burn::scope`](cinder_burn::scope) and burns once, at its end.

use crate::streams::Keystream;
use crate::{ChaCha, Cipher, Ctr, Ofb, Rc4, Salsa};
use cinder_block::{BlockDecrypt, BlockEncrypt, Depth};
use cipher05::array::{Array, ArraySize};
use cipher05::common::{InnerUser, SetIvState};
use cipher05::consts::U8;
use cipher05::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockModeDecBackend, BlockModeEncBackend,
    BlockSizeUser, InOut, InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, ParBlocks,
    ParBlocksSizeUser, StreamCipher, StreamCipherError,
};
use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;

pub use cipher05 as cipher;

#[allow(clippy::duplicate_mod, reason = "the other generation has it too")]
#[path = "keystreams.rs"]
mod keystreams;

/// The number of the first block, to `SeekNum`: a position is the end of its block.
const FIRST: u8 = 1;

/// Blocks that a mode of RustCrypto's hands over at a time. It keeps as many on its stack; a wide
/// kernel gains from more, and short messages from fewer.
type Parallel = U8;

/// Runs blocks through `run`, keeps the deepest depth, and does not burn.
pub(crate) struct Backend<F, S> {
    run: F,
    depth: Cell<Depth>,
    size: PhantomData<S>,
}

impl<F, S: ArraySize> Backend<F, S> {
    fn new(run: F) -> Self {
        Backend { run, depth: Cell::new(Depth::here()), size: PhantomData }
    }

    /// What `f` made of a backend, in frames that are burnt.
    #[inline(always)]
    pub(crate) fn scope(run: F, f: impl FnOnce(&mut Self)) {
        cinder_burn::scope(|| {
            let mut backend = Self::new(run);
            f(&mut backend);
            ((), backend.depth.get())
        });
    }

    fn reached(&self, depth: Depth) {
        self.depth.set(self.depth.get().max(depth).max(Depth::here()));
    }
}

impl<F, S: ArraySize> BlockSizeUser for Backend<F, S> {
    type BlockSize = S;
}

impl<F, S: ArraySize> ParBlocksSizeUser for Backend<F, S> {
    type ParBlocksSize = Parallel;
}

/// The output, which holds the input.
#[inline(always)]
fn out<'a, T: Clone>(block: &'a mut InOut<'_, '_, T>) -> &'a mut T {
    if !core::ptr::eq(block.get_in(), block.get_out()) {
        *block.get_out() = block.clone_in();
    }
    block.get_out()
}

/// The four traits of a backend differ in their names alone.
macro_rules! backend {
    ($name:ident, $function:ident, $($mut:ident)?: $block:ident, $par:ident, $tail:ident) => {
        impl<F, S, const N: usize> $name for Backend<F, S>
        where
            F: $function(&mut [[u8; N]]) -> Depth,
            S: ArraySize<ArrayType<u8> = [u8; N]>,
        {
            fn $block(&$($mut)? self, mut block: InOut<'_, '_, Block<Self>>) {
                let block = core::slice::from_mut(out(&mut block));
                let depth = (self.run)(Array::cast_slice_to_core_mut(block));
                self.reached(depth);
            }

            fn $par(&$($mut)? self, mut blocks: InOut<'_, '_, ParBlocks<Self>>) {
                let blocks = out(&mut blocks).as_mut_slice();
                let depth = (self.run)(Array::cast_slice_to_core_mut(blocks));
                self.reached(depth);
            }

            fn $tail(&$($mut)? self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                let blocks = blocks.into_out_with_copied_in();
                let depth = (self.run)(Array::cast_slice_to_core_mut(blocks));
                self.reached(depth);
            }
        }
    };
}

backend!(BlockCipherEncBackend, Fn,: encrypt_block, encrypt_par_blocks, encrypt_tail_blocks);
backend!(BlockCipherDecBackend, Fn,: decrypt_block, decrypt_par_blocks, decrypt_tail_blocks);
backend!(BlockModeEncBackend, FnMut, mut: encrypt_block, encrypt_par_blocks, encrypt_tail_blocks);
backend!(BlockModeDecBackend, FnMut, mut: decrypt_block, decrypt_par_blocks, decrypt_tail_blocks);

/// The methods for whole slices, past the closure: the widest kernel sees all of the blocks.
macro_rules! whole {
    (
        [$($mut:ident)?] $n:expr, $one:ident, $many:ident, $inout:ident,
        $self:ident, $blocks:ident => $run:expr
    ) => {
        fn $one(&$($mut)? $self, block: &mut cipher05::Block<Self>) {
            let block = core::slice::from_mut(block);
            let $blocks: &mut [[u8; $n]] = cipher05::Array::cast_slice_to_core_mut(block);
            cinder_burn::scope(|| ((), $run));
        }

        fn $many(&$($mut)? $self, blocks: &mut [cipher05::Block<Self>]) {
            let $blocks: &mut [[u8; $n]] = cipher05::Array::cast_slice_to_core_mut(blocks);
            cinder_burn::scope(|| ((), $run));
        }

        fn $inout(&$($mut)? $self, blocks: cipher05::InOutBuf<'_, '_, cipher05::Block<Self>>) {
            cinder_burn::scope(|| {
                let blocks = blocks.into_out_with_copied_in();
                let $blocks: &mut [[u8; $n]] = cipher05::Array::cast_slice_to_core_mut(blocks);
                ((), $run)
            });
        }
    };
}
pub(crate) use whole;

/// A block cipher: its directions, the bytes in a block as a number and as a type, and `KeySize`.
#[allow(unused_macros, reason = "each cipher is behind its feature")]
macro_rules! block_cipher {
    ($name:ident, both $n:literal $block:ident, $key:ident) => {
        crate::cipher05::block_cipher!($name, forward $n $block, $key);

        impl cipher05::BlockCipherDecrypt for $name {
            fn decrypt_with_backend(
                &self,
                f: impl cipher05::BlockCipherDecClosure<BlockSize = Self::BlockSize>,
            ) {
                crate::cipher05::decrypt::<_, $n>(self.cinder(), f);
            }

            crate::cipher05::whole!([] $n, decrypt_block, decrypt_blocks, decrypt_blocks_inout,
                self, blocks => cinder_block::BlockDecrypt::decrypt_blocks(self.cinder(), blocks));
        }
    };
    ($name:ident, forward $n:literal $block:ident, $key:ident) => {
        impl cipher05::KeySizeUser for $name {
            type KeySize = cipher05::consts::$key;
        }

        impl cipher05::KeyInit for $name {
            fn new(key: &cipher05::Key<Self>) -> Self {
                Self::key(key).expect("a key of KeySize")
            }

            fn new_from_slice(key: &[u8]) -> Result<Self, cipher05::InvalidLength> {
                Self::key(key).map_err(|_| cipher05::InvalidLength)
            }
        }

        impl cipher05::BlockSizeUser for $name {
            type BlockSize = cipher05::consts::$block;
        }

        impl cipher05::AlgorithmName for $name {
            fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        impl cipher05::BlockCipherEncrypt for $name {
            fn encrypt_with_backend(
                &self,
                f: impl cipher05::BlockCipherEncClosure<BlockSize = Self::BlockSize>,
            ) {
                crate::cipher05::encrypt::<_, $n>(self.cinder(), f);
            }

            crate::cipher05::whole!([] $n, encrypt_block, encrypt_blocks, encrypt_blocks_inout,
                self, blocks => cinder_block::BlockEncrypt::encrypt_blocks(self.cinder(), blocks));
        }
    };
}
#[allow(unused_imports, reason = "each cipher is behind its feature")]
pub(crate) use block_cipher;

#[allow(dead_code, reason = "each cipher is behind its feature")]
pub(crate) fn encrypt<S: ArraySize<ArrayType<u8> = [u8; N]>, const N: usize>(
    cipher: &impl BlockEncrypt<N>,
    f: impl BlockCipherEncClosure<BlockSize = S>,
) {
    let run = |blocks: &mut [[u8; N]]| cipher.encrypt_blocks(blocks);
    Backend::<_, S>::scope(run, |backend| f.call(&*backend));
}

#[allow(dead_code, reason = "each cipher is behind its feature")]
pub(crate) fn decrypt<S: ArraySize<ArrayType<u8> = [u8; N]>, const N: usize>(
    cipher: &impl BlockDecrypt<N>,
    f: impl BlockCipherDecClosure<BlockSize = S>,
) {
    let run = |blocks: &mut [[u8; N]]| cipher.decrypt_blocks(blocks);
    Backend::<_, S>::scope(run, |backend| f.call(&*backend));
}

/// A mode in whole blocks, in one direction.
macro_rules! block_mode {
    ($mode:ident, Encrypts, $text:literal) => {
        crate::cipher05::block_mode!(
            $mode, $text, BlockModeEncrypt, BlockModeEncClosure,
            encrypt_with_backend, encrypt_block, encrypt_blocks, encrypt_blocks_inout
        );
    };
    ($mode:ident, Decrypts, $text:literal) => {
        crate::cipher05::block_mode!(
            $mode, $text, BlockModeDecrypt, BlockModeDecClosure,
            decrypt_with_backend, decrypt_block, decrypt_blocks, decrypt_blocks_inout
        );
    };
    (
        $mode:ident, $text:literal, $trait:ident, $closure:ident,
        $with:ident, $one:ident, $many:ident, $inout:ident
    ) => {
        impl<C, const N: usize> cipher05::$trait for BlockMode<$mode, C, N>
        where
            C: Cipher<N> + cipher05::BlockSizeUser,
            C::BlockSize: cipher05::array::ArraySize<ArrayType<u8> = [u8; N]>,
            $mode: Step<C::Inner, N>,
        {
            fn $with(&mut self, f: impl cipher05::$closure<BlockSize = Self::BlockSize>) {
                let run = |blocks: &mut [[u8; N]]| self.step(blocks);
                crate::cipher05::Backend::<_, C::BlockSize>::scope(run, |backend| f.call(backend));
            }

            crate::cipher05::whole!([mut] N, $one, $many, $inout, self, blocks => self.step(blocks));
        }

        impl<C: Cipher<N> + cipher05::AlgorithmName, const N: usize> cipher05::AlgorithmName
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
            for crate::$name<$($mode,)? C, N $(, $width)?>
        {
            type Inner = C;
        }

        impl<$($mode,)? C, const N: usize $(, const $width: usize)?> BlockSizeUser
            for crate::$name<$($mode,)? C, N $(, $width)?>
        where
            C: Cipher<N> + BlockSizeUser,
        {
            type BlockSize = C::BlockSize;
        }

        impl<$($mode,)? C, const N: usize $(, const $width: usize)?> IvSizeUser
            for crate::$name<$($mode,)? C, N $(, $width)?>
        where
            C: Cipher<N> + BlockSizeUser,
        {
            type IvSize = C::BlockSize;
        }

        impl<$($mode,)? C, const N: usize $(, const $width: usize)?> InnerIvInit
            for crate::$name<$($mode,)? C, N $(, $width)?>
        where
            C: Cipher<N> + BlockSizeUser,
            C::BlockSize: ArraySize<ArrayType<u8> = [u8; N]>,
        {
            fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
                Self::over(&cipher, iv.as_ref())
            }
        }
    };
}

over!(BlockMode<(M), C, N>);
over!(Ctr<C, N, WIDTH>);
over!(Ofb<C, N>);

impl<M, C, const N: usize> IvState for crate::BlockMode<M, C, N>
where
    C: Cipher<N> + BlockSizeUser,
    C::BlockSize: ArraySize<ArrayType<u8> = [u8; N]>,
{
    fn iv_state(&self) -> Iv<Self> {
        (*self.chain()).into()
    }
}

impl<M, C, const N: usize> SetIvState for crate::BlockMode<M, C, N>
where
    C: Cipher<N> + BlockSizeUser,
    C::BlockSize: ArraySize<ArrayType<u8> = [u8; N]>,
{
    fn set_iv(&mut self, iv: &Iv<Self>) {
        self.restart(iv.as_ref());
    }
}

/// A keystream's traits.
macro_rules! stream {
    ([$($generics:tt)*] $name:ty) => {
        impl<$($generics)*> StreamCipher for $name {
            fn check_remaining(&self, len: usize) -> Result<(), StreamCipherError> {
                if Keystream::has(self, len) { Ok(()) } else { Err(StreamCipherError) }
            }

            fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
                let done = Keystream::apply(self, data.into_out_with_copied_in());
                assert!(done, "end of keystream reached");
            }

            fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
                data.fill(0);
                self.unchecked_apply_keystream_inout(data.into());
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
/// use cinder_rustcrypto::cipher05::{Foreign, cipher::KeyInit};
///
/// let aes = Foreign::new(aes09::Aes128::new(&[0x42; 16].into()), 16 * 1024);
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

impl<C, const N: usize> BlockEncrypt<N> for Foreign<C>
where
    C: BlockCipherEncrypt,
    C::BlockSize: ArraySize<ArrayType<u8> = [u8; N]>,
{
    #[inline(never)]
    fn encrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        self.cipher.encrypt_blocks(Array::cast_slice_from_core_mut(blocks));
        Depth::here().deeper(self.stack)
    }
}

impl<C, const N: usize> BlockDecrypt<N> for Foreign<C>
where
    C: BlockCipherDecrypt,
    C::BlockSize: ArraySize<ArrayType<u8> = [u8; N]>,
{
    #[inline(never)]
    fn decrypt_blocks(&self, blocks: &mut [[u8; N]]) -> Depth {
        self.cipher.decrypt_blocks(Array::cast_slice_from_core_mut(blocks));
        Depth::here().deeper(self.stack)
    }
}

impl<C: zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Foreign<C> {}

impl<C> fmt::Debug for Foreign<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Foreign").field("stack", &self.stack).finish_non_exhaustive()
    }
}
