//! A cipher that is dropped leaves zeros where its key schedule was.
#![cfg(any(
    feature = "blowfish",
    feature = "camellia",
    feature = "cast5",
    feature = "des",
    feature = "idea",
    feature = "rc2",
    feature = "seed",
    feature = "serpent",
    feature = "twofish"
))]

use block::{Depth, InPlace, KeyError};
use std::mem::MaybeUninit;

/// Keys a cipher in place, drops it there, and looks at the bytes before and after.
fn drop_and_look<C: InPlace>(rekey: impl FnOnce(&mut C, &[u8]) -> Result<Depth, KeyError>) {
    let mut place = MaybeUninit::<C>::zeroed();
    // SAFETY: a vacant cipher is all zeros. It is not written here, because that would copy
    // padding, which has no value and would be found after the drop.
    let cipher = unsafe { place.assume_init_mut() };
    burn::burn(rekey(cipher, b"sixteen byte key").expect("the key is legal"));
    assert!(bytes(&place).any(|byte| byte != 0), "not keyed");
    // SAFETY: `write` initialised it, and nothing uses it afterwards.
    unsafe { place.assume_init_drop() };
    assert!(bytes(&place).all(|byte| byte == 0), "left in memory");
}

/// The bytes of a place that was zeroed, so that padding is zeros too.
fn bytes<C>(place: &MaybeUninit<C>) -> impl Iterator<Item = u8> {
    let first: *const u8 = place.as_ptr().cast();
    // SAFETY: the offset is inside the place.
    (0..size_of::<C>()).map(move |i| unsafe { first.add(i).read_volatile() })
}

#[test]
#[cfg(feature = "blowfish")]
fn blowfish() {
    drop_and_look(block::Blowfish::rekey);
}

#[test]
#[cfg(feature = "cast5")]
fn cast5() {
    drop_and_look(block::Cast5::rekey);
}

#[test]
#[cfg(feature = "twofish")]
fn twofish() {
    drop_and_look(block::Twofish::rekey);
}

#[test]
#[cfg(feature = "idea")]
fn idea() {
    drop_and_look(block::Idea::rekey);
}

#[test]
#[cfg(feature = "rc2")]
fn rc2() {
    drop_and_look(block::Rc2::rekey);
}

/// The kernel is no secret and stays; `Vartime` is zeros.
#[test]
#[cfg(feature = "des")]
fn des() {
    use block::des::Kernel;
    drop_and_look::<block::Des>(|c, key| c.rekey_with_kernel(&key[..8], Kernel::Vartime));
    drop_and_look::<block::TripleDes>(|c, key| c.rekey_with_kernel(key, Kernel::Vartime));
}

/// The kernel is no secret and stays; the portable one is zeros.
#[test]
#[cfg(feature = "serpent")]
fn serpent() {
    use block::serpent::Kernel;
    drop_and_look::<block::Serpent>(|c, key| c.rekey_with_kernel(key, Kernel::Portable));
}

#[test]
#[cfg(feature = "seed")]
fn seed() {
    drop_and_look(block::Seed::rekey);
}

#[test]
#[cfg(feature = "camellia")]
fn camellia() {
    drop_and_look(block::Camellia::rekey);
}
