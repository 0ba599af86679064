//! Hexadecimal text.

/// The bytes of digits of either case. White space between them does not count.
///
/// # Panics
///
/// If there is anything else, or half a byte.
pub fn decode(text: &str) -> Vec<u8> {
    let digit = |c: char| c.to_digit(16).unwrap_or_else(|| panic!("{c:?} is no digit"));
    let digits: Vec<u32> = text.chars().filter(|c| !c.is_whitespace()).map(digit).collect();
    let (pairs, rest) = digits.as_chunks::<2>();
    assert!(rest.is_empty(), "{text:?} ends in half a byte");
    pairs.iter().map(|[high, low]| (high << 4 | low) as u8).collect()
}

/// Lower-case digits.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&bytes)), bytes);
        assert_eq!(decode("0a BC\n dE"), [0x0a, 0xbc, 0xde]);
        assert_eq!(encode(&[0x0a, 0xbc]), "0abc");
    }
}
