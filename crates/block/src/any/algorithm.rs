//! The algorithms: a row each in [`algorithms!`].

#[cfg(feature = "alloc")]
use super::BoxedCipher;
use super::{AnySlot, DynCipher};
#[cfg(feature = "alloc")]
use crate::Slot;
use crate::slot::{key_in_place, vacant};
use crate::{Depth, InPlace, KeyError, Refusal};
use cinder_burn::Place;
use core::fmt;

/// What does not depend on a key.
struct Facts {
    /// The first is canonical.
    names: &'static [&'static str],
    /// OpenPGP's number, and the length of its key.
    openpgp: Option<(u8, usize)>,
    key_lens: KeyLens,
}

/// From the first length to the last one, in steps; in bytes.
struct KeyLens {
    first: usize,
    last: usize,
    step: usize,
}

#[allow(dead_code, reason = "without a cipher there is no key")]
const fn one(len: usize) -> KeyLens {
    from_to(len, len, 1)
}

#[allow(dead_code, reason = "without a cipher there is no key")]
const fn from_to(first: usize, last: usize, step: usize) -> KeyLens {
    KeyLens { first, last, step }
}

/// One row an algorithm: its feature, its variant and type, the variant of [`DynCipher`], and in
/// braces its names (the first is canonical) and the lengths of its keys; then, if there are such,
/// its OpenPGP number with the length of OpenPGP's key, how it is keyed if not by
/// [`InPlace::rekey`], and how if weak keys are allowed.
macro_rules! algorithms {
    ($(
        $(#[$doc:meta])* $feature:literal $variant:ident: $cipher:ty, $block:ident {
            names: $names:expr, key_lens: $key_lens:expr,
            $(openpgp: $openpgp:literal with $openpgp_key_len:literal,)?
            $(rekey: $rekey:expr,)?
            $(allow_weak: $allow_weak:expr,)?
        }
    )*) => {
        /// A block cipher, with its key length where that is part of its identity.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Algorithm {
            $(#[cfg(feature = $feature)] $(#[$doc])* $variant,)*
        }

        impl Algorithm {
            /// Every algorithm that is compiled in.
            pub const ALL: &'static [Algorithm] =
                &[$(#[cfg(feature = $feature)] Algorithm::$variant,)*];

            const fn facts(self) -> Facts {
                match self {
                    $(#[cfg(feature = $feature)]
                    Algorithm::$variant => Facts {
                        names: &$names,
                        openpgp: optional!($($openpgp, $openpgp_key_len)?),
                        key_lens: $key_lens,
                    },)*
                }
            }

            /// The size of a block in bytes: 8 or 16.
            pub fn block_len(self) -> usize {
                match self {
                    $(#[cfg(feature = $feature)]
                    Algorithm::$variant => block_len!($block),)*
                }
            }

            /// A cipher in a box, its key expanded in the box.
            ///
            /// # Errors
            ///
            /// [`KeyError`] if the key is refused.
            #[cfg(feature = "alloc")]
            pub fn boxed(self, key: &[u8]) -> Result<BoxedCipher, KeyError> {
                self.in_box(key, false)
            }

            /// [`boxed`](Self::boxed) that takes weak keys too.
            ///
            /// # Errors
            ///
            /// [`KeyError`] if the key is refused.
            #[cfg(feature = "alloc")]
            pub fn boxed_allow_weak(self, key: &[u8]) -> Result<BoxedCipher, KeyError> {
                self.in_box(key, true)
            }

            #[cfg(feature = "alloc")]
            fn in_box(self, key: &[u8], weak: bool) -> Result<BoxedCipher, KeyError> {
                match self {
                    $(#[cfg(feature = $feature)]
                    Algorithm::$variant => {
                        let rekey: Rekey<$cipher> = match weak {
                            true => keyed_by!($($allow_weak)?; $($rekey)?),
                            false => keyed_by!(; $($rekey)?),
                        };
                        let cipher = Slot::<$cipher>::boxed_with(|cipher| rekey(cipher, key))?;
                        Ok(BoxedCipher::$block(cipher))
                    })*
                }
            }
        }

        /// The storage: as large as the largest cipher that is compiled in.
        #[allow(clippy::large_enum_variant, reason = "a box would allocate")]
        pub(super) enum Any {
            $(#[cfg(feature = $feature)] $variant($cipher),)*
        }

        impl AnySlot {
            pub(super) fn rekey(
                &mut self,
                algorithm: Algorithm,
                key: &[u8],
                weak: bool,
            ) -> Result<(), KeyError> {
                match algorithm {
                    $(#[cfg(feature = $feature)]
                    Algorithm::$variant => {
                        // Not inlined: without optimisation the frame of all would have places
                        // for the values of each.
                        #[inline(never)]
                        fn fill(place: &mut Place<Any>) {
                            place.fill(|| Any::$variant(vacant()));
                        }
                        fill(&mut self.place);
                        #[allow(irrefutable_let_patterns, reason = "with one feature alone")]
                        if let Some(Any::$variant(cipher)) = self.place.get_mut() {
                            let rekey: Rekey<$cipher> = match weak {
                                true => keyed_by!($($allow_weak)?; $($rekey)?),
                                false => keyed_by!(; $($rekey)?),
                            };
                            key_in_place(cipher, |cipher| rekey(cipher, key))?;
                        }
                        Ok(())
                    })*
                }
            }

            /// The cipher, once a key is there.
            pub fn cipher(&self) -> Option<DynCipher<'_>> {
                match self.place.get()? {
                    $(#[cfg(feature = $feature)]
                    Any::$variant(cipher) => Some(DynCipher::$block(cipher)),)*
                }
            }
        }
    };
}

macro_rules! block_len {
    (Block8) => {
        8
    };
    (Block16) => {
        16
    };
}

macro_rules! optional {
    () => {
        None
    };
    ($($value:expr),*) => {
        Some(($($value),*))
    };
}

macro_rules! keyed_by {
    (;) => {
        InPlace::rekey
    };
    (; $rekey:expr) => {
        $rekey
    };
    ($allow_weak:expr; $($rekey:expr)?) => {
        $allow_weak
    };
}

type Rekey<C> = fn(&mut C, &[u8]) -> Result<Depth, Refusal>;

/// A cipher whose key lengths are algorithms of their own, for one of them.
#[allow(dead_code, reason = "only some ciphers have such keys")]
fn fixed<const LEN: usize, C: InPlace>(cipher: &mut C, key: &[u8]) -> Result<Depth, Refusal> {
    if key.len() == LEN { cipher.rekey(key) } else { Err(KeyError::Length.into()) }
}

algorithms! {
    /// AES with 128-bit keys.
    "aes" Aes128: crate::Aes128, Block16 {
        names: ["AES-128", "AES"], key_lens: one(16), openpgp: 7 with 16,
    }
    /// AES with 192-bit keys.
    "aes" Aes192: crate::Aes192, Block16 {
        names: ["AES-192", "AES"], key_lens: one(24), openpgp: 8 with 24,
    }
    /// AES with 256-bit keys.
    "aes" Aes256: crate::Aes256, Block16 {
        names: ["AES-256", "AES"], key_lens: one(32), openpgp: 9 with 32,
    }
    /// ARIA with 128-bit keys.
    "aria" Aria128: crate::Aria, Block16 {
        names: ["ARIA-128", "ARIA"], key_lens: one(16),
        rekey: fixed::<16, _>,
    }
    /// ARIA with 192-bit keys.
    "aria" Aria192: crate::Aria, Block16 {
        names: ["ARIA-192", "ARIA"], key_lens: one(24),
        rekey: fixed::<24, _>,
    }
    /// ARIA with 256-bit keys.
    "aria" Aria256: crate::Aria, Block16 {
        names: ["ARIA-256", "ARIA"], key_lens: one(32),
        rekey: fixed::<32, _>,
    }
    /// Blowfish; OpenPGP's has 16 bytes of key.
    "blowfish" Blowfish: crate::Blowfish, Block8 {
        names: ["Blowfish", "BF"], key_lens: from_to(1, 56, 1), openpgp: 4 with 16,
        allow_weak: crate::Blowfish::rekey_allow_weak,
    }
    /// Camellia with 128-bit keys.
    "camellia" Camellia128: crate::Camellia, Block16 {
        names: ["Camellia-128", "Camellia"], key_lens: one(16), openpgp: 11 with 16,
        rekey: fixed::<16, _>,
    }
    /// Camellia with 192-bit keys.
    "camellia" Camellia192: crate::Camellia, Block16 {
        names: ["Camellia-192", "Camellia"], key_lens: one(24), openpgp: 12 with 24,
        rekey: fixed::<24, _>,
    }
    /// Camellia with 256-bit keys.
    "camellia" Camellia256: crate::Camellia, Block16 {
        names: ["Camellia-256", "Camellia"], key_lens: one(32), openpgp: 13 with 32,
        rekey: fixed::<32, _>,
    }
    /// CAST5; OpenPGP's has 16 bytes of key.
    "cast5" Cast5: crate::Cast5, Block8 {
        names: ["CAST5", "CAST-128"], key_lens: from_to(5, 16, 1), openpgp: 3 with 16,
    }
    /// DES.
    "des" Des: crate::Des, Block8 {
        names: ["DES"], key_lens: one(8),
        allow_weak: crate::Des::rekey_allow_weak,
    }
    /// 3DES with two or three keys; OpenPGP's has three.
    "des" TripleDes: crate::TripleDes, Block8 {
        names: ["3DES", "TripleDES", "DES-EDE3", "DES-EDE"], key_lens: from_to(16, 24, 8),
        openpgp: 2 with 24,
        allow_weak: crate::TripleDes::rekey_allow_weak,
    }
    /// IDEA.
    "idea" Idea: crate::Idea, Block8 {
        names: ["IDEA"], key_lens: one(16), openpgp: 1 with 16,
    }
    /// RC2 with as many effective key bits as the key has.
    "rc2" Rc2: crate::Rc2, Block8 {
        names: ["RC2"], key_lens: from_to(1, 128, 1),
    }
    /// RC2 with 40 effective key bits, as PKCS#12 has it with keys of 5 bytes.
    "rc2" Rc2_40: crate::Rc2, Block8 {
        names: ["RC2-40", "RFC2268-40"], key_lens: from_to(1, 128, 1),
        rekey: |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 40),
    }
    /// RC2 with 64 effective key bits.
    "rc2" Rc2_64: crate::Rc2, Block8 {
        names: ["RC2-64"], key_lens: from_to(1, 128, 1),
        rekey: |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 64),
    }
    /// RC2 with 128 effective key bits.
    "rc2" Rc2_128: crate::Rc2, Block8 {
        names: ["RC2-128", "RFC2268-128"], key_lens: from_to(1, 128, 1),
        rekey: |rc2: &mut crate::Rc2, key: &[u8]| rc2.rekey_effective(key, 128),
    }
    /// SEED.
    "seed" Seed: crate::Seed, Block16 {
        names: ["SEED", "SEED-128"], key_lens: one(16),
    }
    /// Serpent.
    "serpent" Serpent: crate::Serpent, Block16 {
        names: ["Serpent"], key_lens: from_to(16, 32, 8),
    }
    /// Twofish; OpenPGP's has 32 bytes of key.
    "twofish" Twofish: crate::Twofish, Block16 {
        names: ["Twofish"], key_lens: from_to(16, 32, 8), openpgp: 10 with 32,
    }
}

impl Algorithm {
    /// The canonical name.
    pub fn name(self) -> &'static str {
        self.facts().names.first().copied().unwrap_or_default()
    }

    pub(super) fn names(self) -> &'static [&'static str] {
        self.facts().names
    }

    /// The algorithm of a name for keys of `key_len` bytes. Upper and lower case are the same,
    /// and dashes and underscores do not count: `aes256`, `AES-256`, and `AES` with 32 bytes.
    pub fn from_name(name: &str, key_len: usize) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|algorithm| algorithm.accepts_key_len(key_len) && algorithm.is_named(name))
    }

    pub(super) fn is_named(self, name: &str) -> bool {
        fn letters(name: &str) -> impl Iterator<Item = u8> + '_ {
            name.bytes().filter(|c| !b"-_".contains(c)).map(|c| c.to_ascii_uppercase())
        }
        self.names().iter().any(|known| letters(known).eq(letters(name)))
    }

    /// The length in bytes of the key of a program that writes this name, without a mode, for it.
    pub(super) fn named_key_len(self, name: &str) -> Option<usize> {
        let mut lens = self.key_lens();
        let first = lens.next();
        if lens.next().is_none() {
            return first; // The only one.
        }
        #[cfg(feature = "des")]
        if self == Algorithm::TripleDes {
            return Some(if name.eq_ignore_ascii_case("DES-EDE") { 16 } else { 24 });
        }
        #[cfg(feature = "rc2")]
        match self {
            Algorithm::Rc2_40 => return Some(5),
            Algorithm::Rc2_64 => return Some(8),
            _ => {}
        }
        let _ = name;
        self.key_lens().find(|&len| len == 16)
    }

    /// The algorithm of an OpenPGP symmetric-key algorithm number (RFC 9580, section 9.3).
    pub fn from_openpgp(number: u8) -> Option<Self> {
        Self::ALL.iter().copied().find(|algorithm| algorithm.openpgp() == Some(number))
    }

    /// The OpenPGP number, where there is one.
    pub fn openpgp(self) -> Option<u8> {
        self.facts().openpgp.map(|(number, _)| number)
    }

    /// The length in bytes of the key that OpenPGP has for the algorithm.
    pub fn openpgp_key_len(self) -> Option<usize> {
        self.facts().openpgp.map(|(_, key_len)| key_len)
    }

    /// The lengths in bytes of the cipher's keys, the shortest first.
    ///
    /// ```
    /// # #[cfg(feature = "serpent")]
    /// assert!(cinder_block::any::Algorithm::Serpent.key_lens().eq([16, 24, 32]));
    /// ```
    pub fn key_lens(self) -> impl Iterator<Item = usize> + Clone {
        let KeyLens { first, last, step } = self.facts().key_lens;
        (first..=last).step_by(step)
    }

    /// Whether the cipher has keys of this length in bytes.
    pub fn accepts_key_len(self, len: usize) -> bool {
        self.key_lens().any(|known| known == len)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
