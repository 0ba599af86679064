//! Tokens for x86 and x86-64, from CPUID and XGETBV.
//!
//! VAES, VPCLMULQDQ and GFNI have 256-bit forms on CPUs without AVX-512 (Zen 3, Alder Lake), so
//! each is paired with the width that is needed: AVX2 for 256 bits, AVX-512 for 512.

use crate::Level;
use crate::cache::features;
#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid_count, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid_count, _xgetbv};

const SSE2: u32 = 1;
const SSSE3: u32 = 1 << 1;
const AVX: u32 = 1 << 2;
const AVX2: u32 = 1 << 3;
const AVX512: u32 = 1 << 4;
const AES: u32 = 1 << 5;
const CLMUL: u32 = 1 << 6;
const VAES: u32 = 1 << 7;
const VPCLMUL: u32 = 1 << 8;
const GFNI: u32 = 1 << 9;
/// What AVX-512 has registers for. It is not held back, as AVX is not: a burn clears them.
const ZMM: u32 = 1 << 10;

const IFMA: u32 = 1 << 11;

pub(crate) const LEVELS: &[Level] = {
    const BASE: u32 = SSE2 | AVX | ZMM;
    const WITH_SSSE3: u32 = BASE | SSSE3;
    const WITH_AES: u32 = WITH_SSSE3 | AES | CLMUL;
    const WITH_AVX2: u32 = WITH_AES | AVX2;
    const WITH_VAES: u32 = WITH_AVX2 | VAES | VPCLMUL;
    const WITH_AVX512: u32 = WITH_VAES | AVX512 | IFMA;
    &[
        Level::new("sse2", BASE),
        Level::new("ssse3", WITH_SSSE3),
        Level::new("aes", WITH_AES),
        Level::new("avx2", WITH_AVX2),
        Level::new("vaes", WITH_VAES),
        Level::new("avx512", WITH_AVX512),
        Level::new("gfni", WITH_AVX512 | GFNI),
    ]
};

/// The features as bits, for a naked function that tests them itself.
pub mod bits {
    /// [`Avx`](super::Avx).
    pub const AVX: u32 = super::AVX;
    /// [`Zmm`](super::Zmm).
    pub const ZMM: u32 = super::ZMM;

    /// The bits that are set, and some others; 0 if nobody has looked yet.
    #[inline(always)]
    pub fn so_far() -> u32 {
        crate::cache::so_far()
    }

    /// The same, and never 0.
    #[inline]
    pub fn detect() -> u32 {
        crate::cache::features()
    }
}

/// What CPUID and XGETBV say.
#[derive(Clone, Copy, Default)]
struct Answers {
    leaf_1_ecx: u32,
    leaf_1_edx: u32,
    leaf_7_ebx: u32,
    leaf_7_ecx: u32,
    /// The registers that the operating system saves.
    xcr0: u64,
}

/// Nobody, where CPUID may not be asked: in an SGX enclave and under Miri; nor where a program keeps
/// out of the vector registers: 32-bit UEFI.
pub(crate) fn ask() -> u32 {
    let nobody = cfg!(any(target_env = "sgx", miri, all(target_arch = "x86", target_os = "uefi")));
    if nobody {
        return 0;
    }
    // `__cpuid_count` is safe from Rust 1.94 on and unsafe before; hence the allow.
    #[allow(unused_unsafe, reason = "CPUID is unsafe before Rust 1.94")]
    // SAFETY: every CPU that runs Rust's targets has CPUID, which has no side effect.
    let leaf = |number| unsafe { __cpuid_count(number, 0) };
    let (last, one) = (leaf(0).eax, leaf(1));
    let mut answers = Answers { leaf_1_ecx: one.ecx, leaf_1_edx: one.edx, ..Answers::default() };
    if last >= 7 {
        let seven = leaf(7);
        (answers.leaf_7_ebx, answers.leaf_7_ecx) = (seven.ebx, seven.ecx);
    }
    if one.ecx & 1 << 27 != 0 {
        // SAFETY: OSXSAVE says that there is XGETBV, and the register 0.
        answers.xcr0 = unsafe { _xgetbv(0) };
    }
    answers.features()
}

impl Answers {
    /// Intel's SDM, volume 2, CPUID; volume 1, 13.3 and 14.3 for what the operating system does.
    fn features(self) -> u32 {
        let has = |word: u32, bits: &[u32]| bits.iter().all(|bit| word >> bit & 1 != 0);
        let saves = |parts: u64| self.xcr0 & parts == parts;
        let sse2 = has(self.leaf_1_edx, &[26]);
        let ssse3 = sse2 && has(self.leaf_1_ecx, &[9]);
        let sse41 = ssse3 && has(self.leaf_1_ecx, &[19]);
        // XMM and YMM.
        let avx = sse41 && has(self.leaf_1_ecx, &[27, 28]) && saves(0b110);
        // AVX2, BMI1 and BMI2.
        let avx2 = avx && has(self.leaf_7_ebx, &[5, 3, 8]);
        // F, DQ, BW and VL; the masks, the upper halves of ZMM0 to ZMM15, and ZMM16 to ZMM31.
        let avx512 = avx2 && has(self.leaf_7_ebx, &[16, 17, 30, 31]) && saves(0b1110_0110);
        [
            (SSE2, sse2),
            (SSSE3, ssse3),
            (AVX, avx),
            (AVX2, avx2),
            (AVX512 | ZMM, avx512),
            (IFMA, avx512 && has(self.leaf_7_ebx, &[21])),
            (AES, sse41 && has(self.leaf_1_ecx, &[25])),
            (CLMUL, sse41 && has(self.leaf_1_ecx, &[1])),
            (GFNI, avx2 && has(self.leaf_7_ecx, &[8])),
            (VAES, avx2 && has(self.leaf_7_ecx, &[9])),
            (VPCLMUL, avx2 && has(self.leaf_7_ecx, &[10])),
        ]
        .into_iter()
        .fold(0, |features, (bit, is_there)| if is_there { features | bit } else { features })
    }
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
    /// SSE2. Not held back.
    Sse2: SSE2;
    /// SSSE3 (byte shuffles).
    Ssse3: SSSE3;
    /// AVX, with the upper halves of the 256-bit registers saved by the operating system. Not held
    /// back.
    Avx: AVX;
    /// AVX2, BMI1 and BMI2.
    Avx2: AVX2;
    /// AVX-512 F, VL, BW and DQ.
    Avx512: AVX512;
    /// AVX-512 IFMA (products of 52 bits), with F, VL, BW and DQ.
    Ifma: IFMA | AVX512;
    /// AVX-512 F, VL, BW and DQ, and not held back: for what clears or reads the registers.
    Zmm: ZMM;
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
    Ssse3 => Sse2;
    Vaes => AesNi;
    Vaes512 => AesNi;
    Vaes512 => Vaes;
    Vpclmul512 => Vpclmul;
    Gfni512 => Gfni;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a CPU with everything says.
    const ALL: Answers = Answers {
        leaf_1_ecx: 1 << 1 | 1 << 9 | 1 << 19 | 1 << 25 | 1 << 27 | 1 << 28,
        leaf_1_edx: 1 << 26,
        leaf_7_ebx: 1 << 3 | 1 << 5 | 1 << 8 | 1 << 16 | 1 << 17 | 1 << 21 | 1 << 30 | 1 << 31,
        leaf_7_ecx: 1 << 8 | 1 << 9 | 1 << 10,
        xcr0: 0b1110_0110,
    };
    const EVERYTHING: u32 = (IFMA << 1) - 1;
    const WIDE: u32 = AVX512 | ZMM | IFMA;
    const WITH_AVX2: u32 = AVX2 | WIDE | VAES | VPCLMUL | GFNI;

    /// Each bit is needed, for what it is said to be needed for and for nothing else.
    #[test]
    fn each_bit_counts() {
        assert_eq!(ALL.features(), EVERYTHING);
        assert_eq!(Answers::default().features(), 0);
        let sse41 = AVX | AES | CLMUL | WITH_AVX2;
        let without = [
            (26, EVERYTHING, (|answers| &mut answers.leaf_1_edx) as fn(&mut Answers) -> &mut u32),
            (9, SSSE3 | sse41, |answers| &mut answers.leaf_1_ecx),
            (19, sse41, |answers| &mut answers.leaf_1_ecx),
            (25, AES, |answers| &mut answers.leaf_1_ecx),
            (1, CLMUL, |answers| &mut answers.leaf_1_ecx),
            (27, AVX | WITH_AVX2, |answers| &mut answers.leaf_1_ecx),
            (28, AVX | WITH_AVX2, |answers| &mut answers.leaf_1_ecx),
            (5, WITH_AVX2, |answers| &mut answers.leaf_7_ebx),
            (3, WITH_AVX2, |answers| &mut answers.leaf_7_ebx),
            (8, WITH_AVX2, |answers| &mut answers.leaf_7_ebx),
            (16, WIDE, |answers| &mut answers.leaf_7_ebx),
            (17, WIDE, |answers| &mut answers.leaf_7_ebx),
            (21, IFMA, |answers| &mut answers.leaf_7_ebx),
            (30, WIDE, |answers| &mut answers.leaf_7_ebx),
            (31, WIDE, |answers| &mut answers.leaf_7_ebx),
            (8, GFNI, |answers| &mut answers.leaf_7_ecx),
            (9, VAES, |answers| &mut answers.leaf_7_ecx),
            (10, VPCLMUL, |answers| &mut answers.leaf_7_ecx),
        ];
        for (bit, lost, word) in without {
            let mut answers = ALL;
            *word(&mut answers) ^= 1 << bit;
            assert_eq!(answers.features(), EVERYTHING & !lost, "{bit}");
        }
        for (bit, lost) in
            [(1, AVX | WITH_AVX2), (2, AVX | WITH_AVX2), (5, WIDE), (6, WIDE), (7, WIDE)]
        {
            let answers = Answers { xcr0: ALL.xcr0 ^ 1 << bit, ..ALL };
            assert_eq!(answers.features(), EVERYTHING & !lost, "XCR0 {bit}");
        }
    }
}
