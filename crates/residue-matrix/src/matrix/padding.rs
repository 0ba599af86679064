//! ECB and CBC with a padding, good and bad.

use super::Work;
use super::boxed;
use cinder_block::{BlockDecrypt, BlockEncrypt};
use cinder_modes::{Padding, PaddingError};

/// The paddings, with the names of ECB and CBC with them.
pub(super) const PADDINGS: [(Padding, [&str; 2]); 4] = [
    (Padding::Pkcs7, ["ECB-PKCS7", "CBC-PKCS7"]),
    (Padding::Iso7816, ["ECB-7816", "CBC-7816"]),
    (Padding::AnsiX923, ["ECB-X9.23", "CBC-X9.23"]),
    (Padding::Zero, ["ECB-zeros", "CBC-zeros"]),
];

/// A function for a mode, with an IV or without.
macro_rules! padded {
    ($mode:ident $(, $iv:ident)?) => {
        pub(super) fn $mode<C: BlockEncrypt<N> + BlockDecrypt<N>, const N: usize>(
            work: &mut Work<'_, '_, C>,
            padding: Padding,
        ) {
            use cinder_modes::$mode::{Decryptor, Encryptor};
            $(let $iv = work.iv::<N>();)?
            let (cipher, panics) = (work.cipher, work.panics);
            let trial = &mut *work.trial;
            let encryptor = || Encryptor::<_, N>::new(cipher $(, &$iv)?);
            let decryptor = || Decryptor::<_, N>::new(cipher $(, &$iv)?);
            for len in [3, N, 5 * N + 1] {
                let text = &work.text[..len];
                let mut buffer = vec![0; len + N];
                buffer[..len].copy_from_slice(text);
                let total = trial.watch("encrypt", || {
                    encryptor().encrypt_padded(padding, &mut buffer, len).map(|c| c.len())
                });
                let sealed = buffer[..total.expect("room")].to_vec();
                trial.public(&sealed);
                let mut output = vec![0; len + N];
                let total = trial.watch("encrypt", || {
                    encryptor().encrypt_padded_to(padding, text, &mut output).map(|c| c.len())
                });
                assert_eq!(output[..total.expect("room")], sealed);

                let data = &mut buffer[..sealed.len()];
                let found = trial.watch("decrypt", || {
                    decryptor().decrypt_padded(padding, data).map(|p| p.len())
                });
                assert_eq!(&data[..found.expect("a good padding")], text);
                let found = trial.watch("decrypt", || {
                    decryptor().decrypt_padded_to(padding, &sealed, &mut output).map(|p| p.len())
                });
                assert_eq!(&output[..found.expect("a good padding")], text);

                // No padding ends like this. Zeros are never wrong.
                let end = sealed.len();
                let mut forged = work.text[..end].to_vec();
                forged[end - 1] = 0xaa;
                encryptor().encrypt(&mut forged).expect("whole blocks");
                trial.public(&forged);
                let bad = padding != Padding::Zero;
                let data = &mut output[..end];
                let result = trial.watch(if bad { "failed unpad" } else { "decrypt" }, || {
                    decryptor().decrypt_padded_to(padding, &forged, data).map(|p| p.len())
                });
                assert_eq!(result, if bad { Err(PaddingError::Padding) } else { Ok(end) });
                let result = trial.watch(if bad { "failed unpad" } else { "decrypt" }, || {
                    decryptor().decrypt_padded(padding, &mut forged).map(|p| p.len())
                });
                assert_eq!(result, if bad { Err(PaddingError::Padding) } else { Ok(end) });
                assert!(!bad || forged.iter().chain(&*data).all(|byte| *byte == 0));

                buffer[..len].copy_from_slice(text);
                let mut way = boxed(|| Encryptor::<_, N>::new(panics $(, &$iv)?));
                panics.after(end / N - 1);
                trial.watch_panic("panic", || {
                    way.encrypt_padded(padding, &mut buffer, len).map(|c| c.len())
                });
                trial.watch("stream drop", || drop(way));
                buffer[..end].copy_from_slice(&sealed);
                let mut way = boxed(|| Decryptor::<_, N>::new(panics $(, &$iv)?));
                panics.after(end / N - 1);
                trial.watch_panic("panic", || {
                    way.decrypt_padded(padding, &mut buffer[..end]).map(|p| p.len())
                });
                trial.watch("stream drop", || drop(way));
            }

            let mut data = work.text[..N + 1].to_vec();
            let result = trial.watch("refused", || {
                encryptor().encrypt_padded(padding, &mut data, N + 1).map(|c| c.len())
            });
            result.expect_err("no room");
            let result = trial.watch("refused", || {
                decryptor().decrypt_padded(padding, &mut data).map(|p| p.len())
            });
            result.expect_err("not whole blocks");
            assert_eq!(data, work.text[..N + 1]);
        }
    };
}

padded!(ecb);
padded!(cbc, iv);
