//! Key wrap.

use super::Work;
use cinder_block::{BlockDecrypt, BlockEncrypt};

/// A function for one of them, with its blocks, the lengths of its keys and one that it refuses.
macro_rules! wrap {
    ($name:ident, $kind:ident, $n:literal, $lengths:expr, $short:expr) => {
        pub(super) fn $name<C: BlockEncrypt<$n> + BlockDecrypt<$n>>(work: &mut Work<'_, '_, C>) {
            use cinder_modes::key_wrap::$kind;
            let Work { trial, cipher, panics, text, .. } = work;
            let (kw, faulty) = ($kind::new(*cipher), $kind::new(*panics));
            for len in $lengths {
                let total = $kind::<C>::wrapped_len(len).expect("a legal length");
                let key = &text[..len];
                let mut buffer = vec![0; total];
                buffer[..len].copy_from_slice(key);
                let result = trial.watch("wrap", || kw.wrap(&mut buffer, len).map(drop));
                result.expect("a legal length");
                trial.public(&buffer);
                let wrapped = buffer.clone();
                let result = trial.watch("wrap", || kw.wrap_to(key, &mut buffer).map(drop));
                result.expect("a legal length");
                assert_eq!(buffer, wrapped);
                let found = trial.watch("unwrap", || kw.unwrap(&mut buffer).map(|key| key.len()));
                assert_eq!(&buffer[..found.expect("a good key")], key);
                let mut output = vec![0; total - $n / 2];
                let found = trial
                    .watch("unwrap", || kw.unwrap_to(&wrapped, &mut output).map(|key| key.len()));
                assert_eq!(&output[..found.expect("a good key")], key);

                let mut forged = wrapped.clone();
                forged[3] ^= 4;
                trial.public(&forged);
                trial
                    .watch("failed unwrap", || kw.unwrap_to(&forged, &mut output).map(drop))
                    .expect_err("forged");
                trial
                    .watch("failed unwrap", || kw.unwrap(&mut forged).map(drop))
                    .expect_err("forged");
                assert!(forged.iter().chain(&output).all(|byte| *byte == 0));

                for done in [0, 3] {
                    // A key of one semiblock is one block.
                    let done = if total == 16 { 0 } else { done };
                    panics.after(done);
                    trial.watch_panic("panic", || faulty.wrap_to(key, &mut buffer).map(drop));
                    panics.after(done);
                    trial
                        .watch_panic("panic", || faulty.unwrap_to(&wrapped, &mut output).map(drop));
                    output.fill(0);
                }
            }
            let mut buffer = text[..29].to_vec();
            trial.watch("refused", || kw.wrap(&mut buffer, $short).map(drop)).expect_err("short");
            trial.watch("refused", || kw.unwrap(&mut buffer).map(drop)).expect_err("semiblocks");
            assert_eq!(buffer, text[..29]);
        }
    };
}

wrap!(plain, Kw, 16, [16, 40, 64], 15);
wrap!(padded, Kwp, 16, [5, 20, 61], 0);
wrap!(tdea, Tkw, 8, [8, 20, 64], 7);
