//! Tokens for x86 and x86-64.
//!
//! `cpufeatures` 0.3 reports `vaes`, `vpclmulqdq` and `gfni` only where the operating system
//! saves the 512-bit registers, so it would never find them on a CPU that has their 256-bit
//! forms without AVX-512 (Zen 3, Alder Lake). Here the CPUID bits are read directly and paired
//! with the width that is needed: AVX2 for 256 bits, AVX-512 for 512.

#[cfg(target_arch = "x86")]
use core::arch::x86::__cpuid_count;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__cpuid_count;
use core::sync::atomic::{AtomicU32, Ordering};

cpufeatures::new!(cpuid_ssse3, "ssse3");
cpufeatures::new!(cpuid_avx, "avx");
cpufeatures::new!(cpuid_avx2, "avx2", "bmi1", "bmi2");
cpufeatures::new!(cpuid_avx512, "avx512f", "avx512vl", "avx512bw", "avx512dq");
cpufeatures::new!(cpuid_aes, "aes", "ssse3", "sse4.1");
cpufeatures::new!(cpuid_clmul, "pclmulqdq", "ssse3", "sse4.1");

const KNOWN: u32 = 1 << 31;
const SSSE3: u32 = 1;
const AVX: u32 = 1 << 1;
const AVX2: u32 = 1 << 2;
const AVX512: u32 = 1 << 3;
const AES: u32 = 1 << 4;
const CLMUL: u32 = 1 << 5;
const VAES: u32 = 1 << 6;
const VPCLMUL: u32 = 1 << 7;
const GFNI: u32 = 1 << 8;

/// Zero until detection has run; then `KNOWN` and a bit for each feature.
static FEATURES: AtomicU32 = AtomicU32::new(0);

#[inline(always)]
fn features() -> u32 {
    let features = FEATURES.load(Ordering::Relaxed);
    if features != 0 { features } else { detect_all() }
}

/// The features as bits, for a naked function that tests them itself.
pub mod bits {
    /// [`Avx`](super::Avx).
    pub const AVX: u32 = super::AVX;
    /// [`Avx512`](super::Avx512).
    pub const AVX512: u32 = super::AVX512;

    /// The bits that are set, and some others; 0 if nobody has looked yet.
    #[inline(always)]
    pub fn so_far() -> u32 {
        super::FEATURES.load(super::Ordering::Relaxed)
    }

    /// The same, and never 0.
    #[inline]
    pub fn detect() -> u32 {
        super::features()
    }
}

/// Two threads that race here store the same value.
#[cold]
#[inline(never)]
fn detect_all() -> u32 {
    let mut features = KNOWN;
    let mut set = |present: bool, bit: u32| features |= if present { bit } else { 0 };
    set(cpuid_ssse3::get(), SSSE3);
    set(cpuid_avx::get(), AVX);
    let avx2 = cpuid_avx2::get();
    set(avx2, AVX2);
    set(avx2 && cpuid_avx512::get(), AVX512);
    set(cpuid_aes::get(), AES);
    set(cpuid_clmul::get(), CLMUL);
    if avx2 {
        // A CPU with AVX2 has leaf 7.
        #[allow(unused_unsafe, reason = "__cpuid_count is unsafe before Rust 1.94")]
        // SAFETY: a CPU with AVX2 has the CPUID instruction, and CPUID has no side effect.
        let ecx = unsafe { __cpuid_count(7, 0) }.ecx;
        set(ecx & (1 << 8) != 0, GFNI);
        set(ecx & (1 << 9) != 0, VAES);
        set(ecx & (1 << 10) != 0, VPCLMUL);
    }
    FEATURES.store(features, Ordering::Relaxed);
    features
}

macro_rules! token {
    ($($(#[$doc:meta])* $name:ident: $bits:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(());

        impl $name {
            /// The token, where this CPU and operating system have the feature.
            #[inline(always)]
            pub fn detect() -> Option<Self> {
                const BITS: u32 = $bits;
                (features() & BITS == BITS).then_some(Self(()))
            }
        }
    )*};
}

token! {
    /// SSSE3 (byte shuffles).
    Ssse3: SSSE3;
    /// AVX, with the upper halves of the 256-bit registers saved by the operating system.
    Avx: AVX;
    /// AVX2, BMI1 and BMI2.
    Avx2: AVX2;
    /// AVX-512 F, VL, BW and DQ.
    Avx512: AVX512;
    /// AES-NI, with SSSE3 and SSE4.1.
    AesNi: AES;
    /// PCLMULQDQ, with SSSE3 and SSE4.1.
    Clmul: CLMUL;
    /// VAES on 256-bit registers, with AVX2 and AES-NI.
    Vaes: VAES | AVX2 | AES;
    /// VAES on 512-bit registers, with AVX-512 F, VL, BW and DQ.
    Vaes512: VAES | AES | AVX512;
    /// VPCLMULQDQ on 256-bit registers, with AVX2 and PCLMULQDQ.
    Vpclmul: VPCLMUL | AVX2 | CLMUL;
    /// VPCLMULQDQ on 512-bit registers, with AVX-512 F, VL, BW and DQ.
    Vpclmul512: VPCLMUL | CLMUL | AVX512;
    /// GFNI on 256-bit registers, with AVX2.
    Gfni: GFNI | AVX2;
    /// GFNI on 512-bit registers, with AVX-512 F, VL, BW and DQ.
    Gfni512: GFNI | AVX512;
}

/// A feature that another one brings with it.
macro_rules! implies {
    ($($more:ident => $less:ident;)*) => {$(
        impl From<$more> for $less {
            #[inline(always)]
            fn from(_: $more) -> Self {
                Self(())
            }
        }
    )*};
}

implies! {
    Vaes => AesNi;
    Vaes512 => AesNi;
    Vaes512 => Vaes;
}
