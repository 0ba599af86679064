//! The tokens on a CPU whose features are known: `cargo xtask cross-test` and `cargo xtask test` name
//! them in `CINDER_CPU_FEATURES`. Without that variable this only shows what is there.

#[test]
fn tokens_are_those_of_this_cpu() {
    let found = found();
    println!("found: {found:?}");
    if let Ok(expected) = std::env::var("CINDER_CPU_FEATURES") {
        let expected: Vec<&str> = expected.split(',').filter(|name| !name.is_empty()).collect();
        assert_eq!(found, expected);
    }
}

fn found() -> Vec<&'static str> {
    #[cfg(target_arch = "arm")]
    let all = [
        ("neon", cinder_cpu::arm::Neon::detect().is_some()),
        ("aes", cinder_cpu::arm::Aes::detect().is_some()),
        ("pmull", cinder_cpu::arm::Pmull::detect().is_some()),
    ];
    #[cfg(target_arch = "aarch64")]
    let all = [("aes", cinder_cpu::aarch64::Aes::detect().is_some())];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let all = [
        ("ssse3", cinder_cpu::x86::Ssse3::detect().is_some()),
        ("aes", cinder_cpu::x86::AesNi::detect().is_some()),
        ("clmul", cinder_cpu::x86::Clmul::detect().is_some()),
        ("avx2", cinder_cpu::x86::Avx2::detect().is_some()),
        ("vaes", cinder_cpu::x86::Vaes::detect().is_some()),
        ("vpclmul", cinder_cpu::x86::Vpclmul::detect().is_some()),
        ("avx512", cinder_cpu::x86::Avx512::detect().is_some()),
        ("gfni", cinder_cpu::x86::Gfni::detect().is_some()),
    ];
    #[cfg(not(any(
        target_arch = "arm",
        target_arch = "aarch64",
        target_arch = "x86",
        target_arch = "x86_64",
    )))]
    let all = [("", false); 0];
    all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
}
