//! Wiping: every byte of the value, and not one beside it.

#[test]
fn every_length_and_alignment() {
    for start in 0..9 {
        for len in (0..300).chain([511, 1024, 4097]) {
            let mut bytes = vec![0x5a; start + len + 9];
            cinder_burn::wipe(&mut bytes[start..start + len]);
            assert!(bytes[start..start + len].iter().all(|&byte| byte == 0), "{start} {len}");
            assert!(bytes[..start].iter().all(|&byte| byte == 0x5a), "{start} {len}");
            assert!(bytes[start + len..].iter().all(|&byte| byte == 0x5a), "{start} {len}");
        }
    }
}

#[test]
fn other_types() {
    let mut words = [[u32::MAX; 4]; 15];
    cinder_burn::wipe(&mut words);
    assert_eq!(words, [[0; 4]; 15]);
    let mut flag = true;
    cinder_burn::wipe(&mut flag);
    assert!(!flag);
    let mut wide = [u128::MAX; 3];
    cinder_burn::wipe(&mut wide[1..2]);
    assert_eq!(wide, [u128::MAX, 0, u128::MAX]);
    cinder_burn::wipe(&mut [0u64; 0]);
}
