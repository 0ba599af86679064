//! XTS against its definition, block by block; lengths around the kernels' widths; refusals.

use cinder_block::{Aes128, Aes256, BlockEncrypt, KeyError, Slot};
use cinder_modes::LengthError;
use cinder_modes::xts::Xts;

fn key(len: usize) -> Vec<u8> {
    (0..len).map(|i| (7 * i + 1) as u8).collect()
}

/// IEEE 1619, 5.3 and 5.4, one block at a time.
fn model(key: &[u8], tweak: &[u8; 16], unit: &[u8]) -> Vec<u8> {
    let (mut data, mut other) = (Slot::<Aes128>::empty(), Slot::<Aes128>::empty());
    let data = data.init(&key[..16]).unwrap();
    let mut t = *tweak;
    cinder_burn::burn(other.init(&key[16..]).unwrap().encrypt_block(&mut t));
    let twice = |t: &mut [u8; 16]| {
        let mut carry = 0;
        for byte in t.iter_mut() {
            (*byte, carry) = (*byte << 1 | carry, *byte >> 7);
        }
        if carry == 1 {
            t[0] ^= 0x87;
        }
    };
    let one = |block: &[u8], t: &[u8; 16]| {
        let mut out: [u8; 16] = core::array::from_fn(|i| block[i] ^ t[i]);
        cinder_burn::burn(data.encrypt_block(&mut out));
        core::array::from_fn::<u8, 16, _>(|i| out[i] ^ t[i])
    };
    let mut out = vec![];
    let mut blocks = unit.chunks_exact(16);
    for block in &mut blocks {
        out.extend_from_slice(&one(block, &t));
        twice(&mut t);
    }
    let rest = blocks.remainder();
    if !rest.is_empty() {
        let at = out.len() - 16;
        let previous = out[at..].to_vec();
        let mut last = rest.to_vec();
        last.extend_from_slice(&previous[rest.len()..]);
        out.truncate(at);
        out.extend_from_slice(&one(&last, &t));
        out.extend_from_slice(&previous[..rest.len()]);
    }
    out
}

#[test]
fn every_length_is_the_definition_and_comes_back() {
    let key = key(32);
    let mut slot = Slot::<Xts<Aes128>>::empty();
    let xts = slot.init(&key).unwrap();
    // One block, stolen ones, and both sides of the scratch of 32 blocks.
    for len in (16..100).chain(500..550).chain([1023, 1024, 1025, 4096]) {
        let tweak = [len as u8; 16];
        let unit: Vec<u8> = (0..len).map(|i| (i * i) as u8).collect();
        let mut text = unit.clone();
        xts.encrypt_unit(&tweak, &mut text).unwrap();
        assert_eq!(text, model(&key, &tweak, &unit), "{len}");
        xts.decrypt_unit(&tweak, &mut text).unwrap();
        assert_eq!(text, unit, "{len}");
    }
}

#[test]
fn sectors_are_units_whose_tweak_is_their_number() {
    let mut slot = Slot::<Xts<Aes256>>::empty();
    let xts = slot.init(&key(64)).unwrap();
    for (first, len) in [(0, 512), (u128::MAX - 1, 16), (1 << 64, 520), (u128::MAX, 33)] {
        let mut sectors = vec![9; 4 * len];
        let mut units = sectors.clone();
        xts.encrypt_sectors(first, len, &mut sectors).unwrap();
        for (i, unit) in units.chunks_mut(len).enumerate() {
            xts.encrypt_unit(&first.wrapping_add(i as u128).to_le_bytes(), unit).unwrap();
        }
        assert_eq!(sectors, units);
        xts.decrypt_sectors(first, len, &mut sectors).unwrap();
        assert!(sectors.iter().all(|&byte| byte == 9));
    }
}

#[test]
fn refused_lengths_change_nothing() {
    let mut slot = Slot::<Xts<Aes128>>::empty();
    let xts = slot.init(&key(32)).unwrap();
    let check = |len: usize, sector: usize, expected| {
        let mut data = vec![3; len];
        if len == sector {
            assert_eq!(xts.encrypt_unit(&[0; 16], &mut data), Err(expected));
            assert_eq!(xts.decrypt_unit(&[0; 16], &mut data), Err(expected));
        }
        assert_eq!(xts.encrypt_sectors(0, sector, &mut data), Err(expected));
        assert_eq!(xts.decrypt_sectors(0, sector, &mut data), Err(expected));
        assert!(data.iter().all(|&byte| byte == 3));
    };
    check(0, 0, LengthError::Short);
    check(15, 15, LengthError::Short);
    check(32, 8, LengthError::Short);
    check((1 << 24) + 1, (1 << 24) + 1, LengthError::Long);
    check(1000, 512, LengthError::Partial);
    assert_eq!(xts.encrypt_sectors(0, 512, &mut []), Ok(()));
}

#[test]
fn keys_with_equal_halves_are_refused_unless_allowed() {
    let mut slot = Slot::<Xts<Aes128>>::empty();
    assert_eq!(slot.init(&[5; 32]).err(), Some(KeyError::Weak));
    assert!(slot.cipher().is_none());
    assert!(slot.init_with(|xts| xts.rekey_allow_equal(&[5; 32])).is_ok());
    for len in [0, 1, 16, 31, 33, 48, 64] {
        assert_eq!(slot.init(&key(len)).err(), Some(KeyError::Length), "{len}");
    }
}

/// Over references, and over what can only be had as an object.
#[test]
fn over_objects() {
    let (mut data, mut tweak) = (Slot::<Aes128>::empty(), Slot::<Aes128>::empty());
    let key = key(32);
    let data: &dyn BlockEncrypt<16> = data.init(&key[..16]).unwrap();
    let tweak: &dyn BlockEncrypt<16> = tweak.init(&key[16..]).unwrap();
    let mut unit = [1; 40];
    Xts::new(data, tweak).encrypt_unit(&[2; 16], &mut unit).unwrap();
    assert_eq!(unit[..], model(&key, &[2; 16], &[1; 40]));
}
