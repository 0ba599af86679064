//! GHASH bit by bit, as SP 800-38D writes it down: what every kernel is compared with.
//!
//! Elements are the integers of their 16 bytes, big endian: bit 0 of the standard is the highest.

/// SP 800-38D, 6.3: X • Y, with R = 0xe1 || 0^120.
pub fn multiply(x: u128, y: u128) -> u128 {
    let (mut z, mut v) = (0, y);
    for i in 0..128 {
        if x >> (127 - i) & 1 == 1 {
            z ^= v;
        }
        v = v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    z
}

/// SP 800-38D, 6.4: Y after these blocks have followed it.
pub fn update(h: &[u8; 16], y: [u8; 16], blocks: &[[u8; 16]]) -> [u8; 16] {
    let h = u128::from_be_bytes(*h);
    let step = |y, x: &[u8; 16]| multiply(y ^ u128::from_be_bytes(*x), h);
    blocks.iter().fold(u128::from_be_bytes(y), step).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test case 2 of D. McGrew and J. Viega, "The Galois/Counter Mode of Operation".
    #[test]
    fn a_published_case() {
        let h = 0x66e94bd4ef8a2c3b884cfa59ca342b2e_u128.to_be_bytes();
        let blocks = [0x0388dace60b6a392f328c2b971b2fe78_u128, 0x80].map(u128::to_be_bytes);
        let y = u128::from_be_bytes(update(&h, [0; 16], &blocks));
        assert_eq!(y, 0xf38cbb1ad69223dcc3457ae5b6b0f885);
    }
}
