//! `universal-hash` 0.5: its traits on [`GHash`].

crate::ghash::universal_hash!(universal_hash05, crypto_common, block => block.as_ref());
