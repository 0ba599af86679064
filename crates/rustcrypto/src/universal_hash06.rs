//! `universal-hash` 0.6: its traits on [`GHash`].

crate::ghash::universal_hash!(universal_hash06, common, block => &block.0);
