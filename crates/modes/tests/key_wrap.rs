//! RFC 3394 section 4 and RFC 5649 section 6, and what must be refused.

use cinder_block::{Aes128, Aes192, Aes256, BlockDecrypt, BlockEncrypt, TripleDes};
use cinder_modes::key_wrap::{KeyWrap, Kw, Kwp, Tkw};
use cinder_modes::{LengthError, UnwrapError};
use proptest::prelude::*;
use testkit::hex::decode as hex;

trait Both: BlockEncrypt<16> + BlockDecrypt<16> {}
impl<C: BlockEncrypt<16> + BlockDecrypt<16>> Both for C {}

fn kek(len: usize) -> Box<dyn Both> {
    let bytes: Vec<u8> = (0..len as u8).collect();
    match len {
        16 => Box::new(Aes128::new(&bytes).unwrap()),
        24 => Box::new(Aes192::new(&bytes).unwrap()),
        _ => Box::new(Aes256::new(&bytes).unwrap()),
    }
}

#[test]
fn rfc_3394() {
    let key = hex("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f");
    for (kek_len, len, wrapped) in [
        (16, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
        (24, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
        (32, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
        (24, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"),
        (32, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"),
        (
            32,
            32,
            "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43b\
             fb988b9b7a02dd21",
        ),
    ] {
        Kw::new(&*kek(kek_len)).check(&key[..len], &hex(wrapped));
    }
}

/// The vectors are in the crate `vectors`: NIST's, of section 7 of SP 800-38F.
#[test]
fn tkw() {
    let kek = TripleDes::new(&hex("12b84c663120c196f8fc17428bc86a110d92cc7c4d3cb695")).unwrap();
    Tkw::new(&kek).check(&hex("ef7da3da918d0679"), &hex("7a72bbca3aa323aa1ac231ba"));
    let iv = *b"this";
    let mut wrapped = [0; 16];
    Tkw::with_iv(&kek, &iv).wrap(&mut wrapped, 12).unwrap();
    assert_eq!(Tkw::with_iv(&kek, &iv).unwrap_to(&wrapped, &mut [9; 12]).unwrap(), [0; 12]);
    for bit in 0..32 {
        let other = (u32::from_be_bytes(iv) ^ 1 << bit).to_be_bytes();
        let refused = Tkw::with_iv(&kek, &other).unwrap_to(&wrapped, &mut [9; 12]).is_err();
        assert!(refused, "bit {bit}");
    }
    let mut buffer = [0x77; 32];
    for (len, error) in [
        (0, LengthError::Short),
        (4, LengthError::Short),
        (7, LengthError::Short),
        (9, LengthError::Partial),
        (32, LengthError::Buffer),
        // 2^28 semiblocks, one too many.
        (1 << 30, LengthError::Long),
        ((1 << 30) - 4, LengthError::Buffer),
        (usize::MAX - 3, LengthError::Long),
    ] {
        assert_eq!(Tkw::new(&kek).wrap(&mut buffer, len), Err(error), "{len}");
    }
    for len in [0, 4, 8, 11, 13] {
        assert_eq!(Tkw::new(&kek).unwrap(&mut buffer[..len]), Err(UnwrapError));
    }
    assert_eq!(buffer, [0x77; 32]);
}

#[test]
fn rfc_5649() {
    let kek = Aes192::new(&hex("5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8")).unwrap();
    Kwp::new(&kek).check(
        &hex("c37b7e6492584340bed12207808941155068f738"),
        &hex("138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a"),
    );
    Kwp::new(&kek).check(&hex("466f7250617369"), &hex("afbeb0f07dfbf5419200f2ccb50bb24f"));
}

/// Both directions, in place and buffer to buffer, with room to spare.
trait Check {
    fn check(self, key: &[u8], wrapped: &[u8]) -> Self;
}

impl<C: BlockEncrypt<N> + BlockDecrypt<N>, const PADDED: bool, const N: usize, const H: usize> Check
    for KeyWrap<C, PADDED, N, H>
{
    fn check(self, key: &[u8], wrapped: &[u8]) -> Self {
        let mut buffer = key.to_vec();
        buffer.resize(wrapped.len() + 3, 0xee);
        assert_eq!(self.wrap(&mut buffer, key.len()).unwrap(), wrapped);
        assert_eq!(buffer[wrapped.len()..], [0xee; 3]);
        let mut other = vec![0xee; wrapped.len() + 3];
        assert_eq!(self.wrap_to(key, &mut other).unwrap(), wrapped);
        assert_eq!(other, buffer);

        assert_eq!(self.unwrap_to(wrapped, &mut other).unwrap(), key);
        assert_eq!(other[wrapped.len()..], [0xee; 3]);
        let data = &mut buffer[..wrapped.len()];
        assert_eq!(self.unwrap(data).unwrap(), key);
        // Behind the padded key there is nothing of A.
        assert_eq!(data[wrapped.len() - H..], [0; H]);

        // Every changed byte is noticed, and nothing is left.
        for i in 0..wrapped.len() {
            let mut bad = wrapped.to_vec();
            bad[i] ^= 0x40;
            let mut output = vec![0xee; wrapped.len() - H + 1];
            assert_eq!(self.unwrap_to(&bad, &mut output), Err(UnwrapError));
            assert_eq!(output.split_last(), Some((&0xee, &*vec![0; wrapped.len() - H])));
            assert_eq!(self.unwrap(&mut bad), Err(UnwrapError));
            assert!(bad.iter().all(|byte| *byte == 0));
        }

        // Buffers that are one byte too small: nothing changes.
        let mut small = vec![0xee; wrapped.len() - 1];
        assert_eq!(self.wrap(&mut small, key.len()), Err(LengthError::Buffer));
        assert_eq!(self.wrap_to(key, &mut small), Err(LengthError::Buffer));
        let small = &mut small[..wrapped.len() - H - 1];
        assert_eq!(self.unwrap_to(wrapped, small), Err(UnwrapError));
        assert!(small.iter().all(|byte| *byte == 0xee));
        self
    }
}

#[test]
fn refused_lengths() {
    let kek = Aes128::new(&[1; 16]).unwrap();
    let mut buffer = [0x77; 64];
    for (len, error) in [
        (0, LengthError::Short),
        (8, LengthError::Short),
        (15, LengthError::Short),
        (17, LengthError::Partial),
        (usize::MAX - 7, LengthError::Long),
        (64, LengthError::Buffer),
    ] {
        assert_eq!(Kw::new(&kek).wrap(&mut buffer, len), Err(error));
    }
    assert_eq!(Kwp::new(&kek).wrap(&mut buffer, 0), Err(LengthError::Short));
    assert_eq!(Kwp::new(&kek).wrap(&mut buffer, 57), Err(LengthError::Buffer));
    #[cfg(target_pointer_width = "64")]
    assert_eq!(Kwp::new(&kek).wrap(&mut buffer, 1 << 32), Err(LengthError::Long));
    for len in [0, 8, 16, 23, 25] {
        assert_eq!(Kw::new(&kek).unwrap(&mut buffer[..len]), Err(UnwrapError));
    }
    for len in [0, 8, 15, 17] {
        assert_eq!(Kwp::new(&kek).unwrap(&mut buffer[..len]), Err(UnwrapError));
    }
    assert_eq!(buffer, [0x77; 64]);
}

/// The initial value is checked: each bit of it.
#[test]
fn initial_value() {
    let kek = Aes128::new(&[1; 16]).unwrap();
    let iv = *b"a key of";
    let mut wrapped = [0; 24];
    Kw::with_iv(&kek, &iv).wrap(&mut wrapped, 16).unwrap();
    assert_eq!(Kw::with_iv(&kek, &iv).unwrap_to(&wrapped, &mut [9; 16]).unwrap(), [0; 16]);
    for bit in 0..64 {
        let other = (u64::from_be_bytes(iv) ^ 1 << bit).to_be_bytes();
        let refused = Kw::with_iv(&kek, &other).unwrap_to(&wrapped, &mut [9; 16]).is_err();
        assert!(refused, "bit {bit}");
    }
    assert_eq!(Kw::new(&kek).unwrap(&mut wrapped), Err(UnwrapError));
}

/// Wraps with each length indicator and each padding byte, and finds only the right ones good:
/// `Kw` with the alternative initial value makes what a wrong or hostile `Kwp` would.
#[test]
fn length_indicator_and_padding() {
    let kek = Aes256::new(&[1; 32]).unwrap();
    for mli in (0..40u32).chain([1 << 31, u32::MAX, u32::MAX - 7]) {
        let iv = (0xa65959a6 << 32 | u64::from(mli)).to_be_bytes();
        let mut wrapped = [0; 32];
        Kw::with_iv(&kek, &iv).wrap(&mut wrapped, 24).unwrap();
        let len = Kwp::new(&kek).unwrap_to(&wrapped, &mut [0; 24]).map(|key| key.len());
        let good = (17..=24).contains(&mli);
        assert_eq!(len.ok(), good.then_some(mli as usize), "{mli}");
        if !good {
            continue;
        }
        // One byte of the last semiblock is not zero: good if it belongs to the key.
        for i in 16..24 {
            let mut wrapped = [0; 32];
            wrapped[i] = 0x80;
            Kw::with_iv(&kek, &iv).wrap(&mut wrapped, 24).unwrap();
            let found = Kwp::new(&kek).unwrap_to(&wrapped, &mut [0; 24]).is_ok();
            assert_eq!(found, i < mli as usize, "{mli} {i}");
        }
    }
    // The constant: every bit.
    for bit in 0..32 {
        let iv = ((0xa65959a6_u64 ^ 1 << bit) << 32 | 24).to_be_bytes();
        let mut wrapped = [0; 32];
        Kw::with_iv(&kek, &iv).wrap(&mut wrapped, 24).unwrap();
        assert_eq!(Kwp::new(&kek).unwrap(&mut wrapped), Err(UnwrapError));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn round_trip(key in prop::collection::vec(any::<u8>(), 1..100), kek_key: [u8; 16]) {
        let kek = Aes128::new(&kek_key).unwrap();
        let mut wrapped = vec![0; Kwp::<&Aes128>::wrapped_len(key.len()).unwrap()];
        Kwp::new(&kek).wrap_to(&key, &mut wrapped).unwrap();
        prop_assert_eq!(Kwp::new(&kek).unwrap(&mut wrapped).unwrap(), &*key);
        let key = &key[..key.len() / 8 * 8];
        if key.len() >= 16 {
            let mut wrapped = vec![0; key.len() + 8];
            Kw::new(&kek).wrap_to(key, &mut wrapped).unwrap();
            prop_assert_eq!(Kw::new(&kek).unwrap(&mut wrapped).unwrap(), key);
        }
    }
}
