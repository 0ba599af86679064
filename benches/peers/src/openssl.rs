//! The system's OpenSSL, version 3, through EVP. Its provider of legacy ciphers is loaded too.

use crate::dynamic::{Library, functions};
use crate::job::{Direction, Job, Mode};
use crate::measure::Task;
use crate::sealing;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::hint::black_box;
use std::ptr;

/// What to install where it is missing.
pub(crate) const INSTALL: &str = "OpenSSL 3 is missing: install libssl3 (openssl on others)";

pub(crate) const NAMES: &[&CStr] = &[c"libcrypto.so.3", c"libcrypto.3.dylib"];

type Context = *mut c_void;
type Bytes = *const u8;
type Pointer = *mut c_void;

functions!(pub(crate) Functions {
    OpenSSL_version: unsafe extern "C" fn(c_int) -> *const c_char,
    OSSL_PROVIDER_load: unsafe extern "C" fn(Pointer, *const c_char) -> Pointer,
    EVP_CIPHER_fetch: unsafe extern "C" fn(Pointer, *const c_char, *const c_char) -> Pointer,
    EVP_CIPHER_free: unsafe extern "C" fn(Pointer),
    EVP_CIPHER_CTX_new: unsafe extern "C" fn() -> Context,
    EVP_CIPHER_CTX_free: unsafe extern "C" fn(Context),
    EVP_CIPHER_CTX_set_flags: unsafe extern "C" fn(Context, c_int),
    EVP_CIPHER_CTX_set_padding: unsafe extern "C" fn(Context, c_int) -> c_int,
    EVP_CIPHER_CTX_set_key_length: unsafe extern "C" fn(Context, c_int) -> c_int,
    EVP_CIPHER_CTX_ctrl: unsafe extern "C" fn(Context, c_int, c_int, Pointer) -> c_int,
    EVP_CipherInit_ex:
        unsafe extern "C" fn(Context, Pointer, Pointer, Bytes, Bytes, c_int) -> c_int,
    EVP_CipherUpdate: unsafe extern "C" fn(Context, *mut u8, *mut c_int, Bytes, c_int) -> c_int,
    EVP_CipherFinal_ex: unsafe extern "C" fn(Context, *mut u8, *mut c_int) -> c_int,
});

/// A counter of 0, and the nonce.
const CHACHA20_IV: &[u8; 16] = &[0, 0, 0, 0, 9, 8, 7, 6, 0, 0, 0, 1, 3, 2, 1, 0];

const SET_RC2_KEY_BITS: c_int = 0x3;
const AEAD_GET_TAG: c_int = 0x10;
const AEAD_SET_TAG: c_int = 0x11;

/// The library, ready for use.
#[derive(Clone, Copy)]
pub(crate) struct Openssl {
    functions: Functions,
}

impl Openssl {
    pub(crate) fn load() -> Option<Self> {
        let functions = Functions::load(Library::open(NAMES)?)?;
        for provider in [c"default", c"legacy"] {
            // SAFETY: the null pointer is the default library context; the name ends in a zero.
            // Without the provider of legacy ciphers those are not found, and have no task.
            unsafe { (functions.OSSL_PROVIDER_load)(ptr::null_mut(), provider.as_ptr()) };
        }
        Some(Openssl { functions })
    }

    pub(crate) fn version(&self) -> String {
        // SAFETY: returns a static string. "OpenSSL 3.0.11 19 Sep 2023": the second word.
        let version = unsafe { CStr::from_ptr((self.functions.OpenSSL_version)(0)) };
        version.to_string_lossy().split(' ').nth(1).unwrap_or("3").to_owned()
    }

    /// The job's task.
    pub(crate) fn task(&self, job: &Job) -> Option<Task> {
        if sealing::has(job) {
            return crate::sealing::openssl::task(self.functions, job);
        }
        let cipher = Cipher::new(self.functions, job)?;
        let (key, nonce) = (job.key(), job.nonce::<12>());
        if job.direction == Direction::Setup {
            return Some(Task::new(0, move |_| cipher.rekey(black_box(key))));
        }
        match (job.mode, job.encrypts()) {
            (Mode::CtrMessage, _) => {
                let iv = job.iv::<16>();
                Some(Task::new(job.bytes, move |data| {
                    cipher.restart(black_box(iv));
                    cipher.update(data);
                }))
            }
            (Mode::Gmac, _) => Some(Task::new(job.bytes, move |data| {
                cipher.restart(nonce);
                cipher.authenticate(data);
                let mut tag = [0; 16];
                cipher.finish();
                cipher.tag(&mut tag);
                data[..16].copy_from_slice(&tag);
            })),
            (Mode::Gcm, true) => Some(Task::new(job.bytes, move |data| {
                let mut tag = [0; 16];
                cipher.seal(nonce, data, &mut tag);
                black_box(&tag);
            })),
            (Mode::Gcm, false) => {
                let mut ciphertext = vec![0x3c; job.bytes];
                let mut tag = [0; 16];
                let sealer = Job { direction: Direction::Encrypt, ..*job };
                Cipher::new(self.functions, &sealer)?.seal(nonce, &mut ciphertext, &mut tag);
                Some(Task::new(job.bytes, move |data| {
                    cipher.restart(nonce);
                    cipher.update_to(black_box(&ciphertext), data);
                    cipher.expect_tag(&mut tag);
                    cipher.finish();
                }))
            }
            (Mode::KeyWrap, true) => {
                let key = vec![0xa5; job.bytes];
                Some(Task::new(job.bytes + 8, move |output| {
                    cipher.restart_default();
                    cipher.update_to(black_box(&key), output);
                }))
            }
            (Mode::KeyWrap, false) => {
                let mut wrapped = vec![0; job.bytes + 8];
                let wrapper = Job { direction: Direction::Encrypt, ..*job };
                let key = vec![0xa5; job.bytes];
                Cipher::new(self.functions, &wrapper)?.update_to(&key, &mut wrapped);
                Some(Task::new(job.bytes, move |output| {
                    cipher.restart_default();
                    cipher.update_to(black_box(&wrapped), output);
                }))
            }
            _ => Some(Task::new(job.bytes, move |data| cipher.update(data))),
        }
    }
}

/// The name by which EVP fetches a cipher in a mode.
fn name(job: &Job) -> Option<String> {
    let cipher = match job.cipher.name {
        "CHACHA20" => return (job.mode == Mode::Stream).then(|| "ChaCha20".to_owned()),
        "ARCFOUR" => return (job.mode == Mode::Stream).then(|| "RC4".to_owned()),
        "IDEA" => "IDEA",
        "3DES" => "DES-EDE3",
        "CAST5" => "CAST5",
        "BLOWFISH" => "BF",
        "AES" => "AES-128",
        "AES192" => "AES-192",
        "AES256" => "AES-256",
        "DES" => "DES",
        "RFC2268_40" => "RC2",
        "SEED" => "SEED",
        "CAMELLIA128" => "CAMELLIA-128",
        "CAMELLIA192" => "CAMELLIA-192",
        "CAMELLIA256" => "CAMELLIA-256",
        "ARIA128" => "ARIA-128",
        "ARIA192" => "ARIA-192",
        "ARIA256" => "ARIA-256",
        _ => return None,
    };
    let mode = match job.mode {
        Mode::Ecb => "ECB",
        Mode::Cbc => "CBC",
        Mode::Cfb => "CFB",
        Mode::Ofb => "OFB",
        Mode::Ctr | Mode::CtrMessage => "CTR",
        Mode::Gcm | Mode::Gmac => "GCM",
        Mode::KeyWrap => "WRAP",
        _ => return None,
    };
    Some(format!("{cipher}-{mode}"))
}

/// A context with a key and an IV.
struct Cipher {
    functions: Functions,
    context: Context,
    encrypts: c_int,
}

impl Cipher {
    fn new(functions: Functions, job: &Job) -> Option<Self> {
        let name = CString::new(name(job)?).ok()?;
        let encrypts = c_int::from(job.direction != Direction::Decrypt);
        // SAFETY: null pointers stand for the default context, no properties, no key and no IV
        // yet; the name ends in a zero byte; the context takes a reference to the cipher.
        unsafe {
            let cipher = (functions.EVP_CIPHER_fetch)(ptr::null_mut(), name.as_ptr(), ptr::null());
            if cipher.is_null() {
                return None;
            }
            const WRAP_ALLOW: c_int = 1;
            let this = Cipher { functions, context: (functions.EVP_CIPHER_CTX_new)(), encrypts };
            (functions.EVP_CIPHER_CTX_set_flags)(this.context, WRAP_ALLOW);
            let good = (functions.EVP_CipherInit_ex)(
                this.context,
                cipher,
                ptr::null_mut(),
                ptr::null(),
                ptr::null(),
                encrypts,
            );
            (functions.EVP_CIPHER_free)(cipher);
            check(good);
            if job.cipher.name == "RFC2268_40" {
                let null = ptr::null_mut();
                check((functions.EVP_CIPHER_CTX_set_key_length)(this.context, 5));
                check((functions.EVP_CIPHER_CTX_ctrl)(this.context, SET_RC2_KEY_BITS, 40, null));
            }
            this.rekey(job.key());
            match job.mode {
                Mode::Stream if job.cipher.name == "CHACHA20" => this.restart(CHACHA20_IV),
                Mode::Ecb | Mode::Stream | Mode::KeyWrap => {}
                Mode::Gcm | Mode::Gmac => this.restart(job.nonce::<12>()),
                _ => this.restart(job.iv::<16>()),
            }
            check((functions.EVP_CIPHER_CTX_set_padding)(this.context, 0));
            Some(this)
        }
    }

    fn init(&self, key: Bytes, iv: Bytes) {
        let (context, null) = (self.context, ptr::null_mut());
        // SAFETY: the context has a cipher; key and IV are null or as long as it takes.
        check(unsafe {
            (self.functions.EVP_CipherInit_ex)(context, null, null, key, iv, self.encrypts)
        });
    }

    fn rekey(&self, key: &[u8]) {
        self.init(key.as_ptr(), ptr::null());
    }

    /// The IV has as many bytes as the cipher reads, or more.
    fn restart(&self, iv: &[u8]) {
        self.init(ptr::null(), iv.as_ptr());
    }

    /// With the IV that RFC 3394 fixes.
    fn restart_default(&self) {
        self.init(ptr::null(), ptr::null());
    }

    fn update(&self, data: &mut [u8]) {
        let (data, length, mut written) = (data.as_mut_ptr(), data.len() as c_int, 0);
        // SAFETY: whole blocks in place, in a buffer good for its length.
        check(unsafe {
            (self.functions.EVP_CipherUpdate)(self.context, data, &mut written, data, length)
        });
    }

    fn update_to(&self, input: &[u8], output: &mut [u8]) {
        let (from, length, mut written) = (input.as_ptr(), input.len() as c_int, 0);
        let to = output.as_mut_ptr();
        // SAFETY: both slices are good for their lengths, and the output has room for what the
        // mode writes.
        check(unsafe {
            (self.functions.EVP_CipherUpdate)(self.context, to, &mut written, from, length)
        });
    }

    fn authenticate(&self, data: &[u8]) {
        let (from, length, mut written) = (data.as_ptr(), data.len() as c_int, 0);
        let null = ptr::null_mut();
        // SAFETY: no output means additional data; the slice is good for its length.
        check(unsafe {
            (self.functions.EVP_CipherUpdate)(self.context, null, &mut written, from, length)
        });
    }

    fn finish(&self) {
        let (mut rest, mut written) = ([0; 16], 0);
        let (context, rest) = (self.context, rest.as_mut_ptr());
        // SAFETY: room for a block, of which GCM writes nothing.
        check(unsafe { (self.functions.EVP_CipherFinal_ex)(context, rest, &mut written) });
    }

    fn tag(&self, tag: &mut [u8; 16]) {
        let (context, tag) = (self.context, tag.as_mut_ptr().cast());
        // SAFETY: room for 16 bytes.
        check(unsafe { (self.functions.EVP_CIPHER_CTX_ctrl)(context, AEAD_GET_TAG, 16, tag) });
    }

    fn expect_tag(&self, tag: &mut [u8; 16]) {
        let (context, tag) = (self.context, tag.as_mut_ptr().cast());
        // SAFETY: 16 bytes, which it copies.
        check(unsafe { (self.functions.EVP_CIPHER_CTX_ctrl)(context, AEAD_SET_TAG, 16, tag) });
    }

    fn seal(&self, nonce: &[u8; 12], data: &mut [u8], tag: &mut [u8; 16]) {
        self.restart(nonce);
        self.update(data);
        self.finish();
        self.tag(tag);
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: made by `EVP_CIPHER_CTX_new`, and not used again.
        unsafe { (self.functions.EVP_CIPHER_CTX_free)(self.context) };
    }
}

#[inline]
fn check(good: c_int) {
    assert_eq!(good, 1, "OpenSSL refused");
}
