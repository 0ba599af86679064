//! What the tests, tools and benchmarks of several crates share. Not published.

pub mod ciphers;
pub mod ghash;
pub mod hex;
pub mod level;
#[expect(unsafe_code, reason = "it looks at memory that was dropped")]
pub mod look;
