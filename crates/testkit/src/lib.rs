//! What the tests, tools and benchmarks of several crates share. Not published.

pub mod ciphers;
pub mod ghash;
pub mod hex;
pub mod level;
#[expect(unsafe_code, reason = "it looks at memory that was dropped")]
pub mod look;

/// Each prints something, and no two print the same.
pub fn texts_differ(things: &[&dyn std::fmt::Display]) {
    let texts: Vec<_> = things.iter().map(|thing| thing.to_string()).collect();
    for (i, text) in texts.iter().enumerate() {
        assert!(!text.is_empty() && !texts[..i].contains(text), "{texts:?}");
    }
}
