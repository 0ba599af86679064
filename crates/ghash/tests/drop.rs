//! What is left of a [`GhashKey`] and a [`Ghash`] that have dropped, and of a key that was
//! replaced, with every kernel of this CPU.

// They look at padding, which Miri takes for uninitialised memory.
#![cfg(not(miri))]

use cinder_ghash::{Ghash, GhashKey, Kernel};
use testkit::look::{Looking, drops, empties, replaces, secret};

#[global_allocator]
static ALLOCATOR: Looking = Looking;

fn rekey(kernel: Kernel) -> impl Fn(&mut GhashKey, u8) {
    move |key, trial| cinder_burn::burn(key.rekey_with_kernel(&secret(trial), kernel))
}

#[test]
fn keys() {
    for kernel in Kernel::available() {
        let expected = match kernel {
            Kernel::Portable64 | Kernel::Portable32 => 16,
            Kernel::Table4Vartime => 15 * 16,
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Pclmulqdq(_) => 8 * (16 + 8),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Kernel::Pmull(_) => 8 * (16 + 8),
            #[cfg(all(
                target_arch = "arm",
                target_endian = "little",
                any(target_os = "linux", target_os = "android")
            ))]
            Kernel::Vmull64(_) | Kernel::Vmull8(_) => 8 * (16 + 8),
            #[cfg(any(target_arch = "x86", target_feature = "sse2"))]
            Kernel::Vpclmulqdq512(_) => 16 * 16,
            _ => 16 * (16 + 8),
        };
        assert_eq!(drops(GhashKey::vacant, rekey(kernel)), expected, "{kernel}");
        for other in Kernel::available() {
            println!("{other} after {kernel}");
            replaces(GhashKey::vacant, rekey(kernel), |key, _| rekey(other)(key, 0));
        }
    }
}

#[test]
fn messages() {
    let key = GhashKey::new(&[0x42; 16]);
    let new = || Ghash::new(&key);
    let fill =
        |hash: &mut Ghash<'_>, trial| cinder_burn::burn(hash.update_padded(&secret::<21>(trial)));
    assert_eq!(drops(new, fill), 16);
    assert_eq!(empties(new, fill, |hash, _| hash.reset()), 16);
}
