//! At the narrowest level there is no token, whatever the build's flags say that the CPU has: what
//! `detect` answers is not folded to a constant. `cargo xtask test` runs this in builds with such
//! flags, too.

use cinder_cpu::Level;

#[test]
fn nothing_is_had_at_the_narrowest_level() {
    let Some(narrowest) = Level::ALL.first() else {
        println!("skipped: build flags say what there is");
        return;
    };
    narrowest.hold_back();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        use cinder_cpu::x86::{AesNi, Avx2, Avx512, Clmul, Gfni, Gfni512, Ssse3};
        use cinder_cpu::x86::{Vaes, Vaes512, Vpclmul, Vpclmul512};
        assert_eq!(Ssse3::detect(), None);
        assert_eq!(AesNi::detect(), None);
        assert_eq!(Clmul::detect(), None);
        assert_eq!(Avx2::detect(), None);
        assert_eq!(Avx512::detect(), None);
        assert_eq!((Vaes::detect(), Vaes512::detect()), (None, None));
        assert_eq!((Vpclmul::detect(), Vpclmul512::detect()), (None, None));
        assert_eq!((Gfni::detect(), Gfni512::detect()), (None, None));
    }
    #[cfg(target_arch = "aarch64")]
    assert_eq!(cinder_cpu::aarch64::Aes::detect(), None);
    #[cfg(target_arch = "arm")]
    {
        use cinder_cpu::arm::{Aes, Neon, Pmull};
        assert_eq!((Neon::detect(), Aes::detect(), Pmull::detect()), (None, None, None));
    }
}
