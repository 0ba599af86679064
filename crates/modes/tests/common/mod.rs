//! What the tests share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

/// The bytes of a hexadecimal string.
pub fn hex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2));
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}
