//! OpenSSL's. It has GCM-SIV from version 3.2 on.

use super::Sealing;
use crate::dynamic::{Library, functions};
use crate::job::{Job, Mode};
use crate::measure::Task;
use crate::openssl::{Functions, NAMES};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

type Pointer = *mut c_void;

functions!(MacFunctions {
    EVP_MAC_fetch: unsafe extern "C" fn(Pointer, *const c_char, *const c_char) -> Pointer,
    EVP_MAC_CTX_new: unsafe extern "C" fn(Pointer) -> Pointer,
    EVP_MAC_CTX_free: unsafe extern "C" fn(Pointer),
    EVP_MAC_init: unsafe extern "C" fn(Pointer, *const u8, usize, *const Parameter) -> c_int,
    EVP_MAC_update: unsafe extern "C" fn(Pointer, *const u8, usize) -> c_int,
    EVP_MAC_final: unsafe extern "C" fn(Pointer, *mut u8, *mut usize, usize) -> c_int,
});

/// OSSL_PARAM.
#[repr(C)]
struct Parameter {
    key: *const c_char,
    data_type: u32,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

const SET_IVLEN: c_int = 0x9;
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;

pub(crate) fn task(functions: Functions, job: &Job) -> Option<Task> {
    let aes = match job.cipher.name {
        "AES" => "AES-128",
        "AES192" => "AES-192",
        "AES256" => "AES-256",
        _ => "ChaCha20",
    };
    let mode = match job.mode {
        Mode::Ccm => "CCM",
        Mode::Ocb => "OCB",
        Mode::Siv => "SIV",
        Mode::GcmSiv => "GCM-SIV",
        Mode::Poly1305 => "Poly1305",
        Mode::Xts => "XTS",
        Mode::Cmac => return cmac(job, aes),
        _ => return None,
    };
    let context = |encrypts| Context::new(functions, job, &format!("{aes}-{mode}"), encrypts);
    super::task(job, Both(context(1)?, context(0)?))
}

/// A context to encrypt and one to decrypt.
struct Both(Context, Context);

struct Context {
    functions: Functions,
    context: Pointer,
    encrypts: c_int,
    job: Job,
}

impl Context {
    fn new(functions: Functions, job: &Job, name: &str, encrypts: c_int) -> Option<Self> {
        let (name, null) = (CString::new(name).ok()?, ptr::null_mut());
        // SAFETY: null pointers stand for the default context, no properties, no key and no IV yet;
        // the name ends in a zero byte; the key is as long as the cipher's.
        unsafe {
            let cipher = (functions.EVP_CIPHER_fetch)(null, name.as_ptr(), ptr::null());
            if cipher.is_null() {
                return None;
            }
            let context = (functions.EVP_CIPHER_CTX_new)();
            let this = Context { functions, context, encrypts, job: *job };
            let init = functions.EVP_CipherInit_ex;
            check(init(context, cipher, null, ptr::null(), ptr::null(), encrypts));
            (functions.EVP_CIPHER_free)(cipher);
            if job.mode == Mode::Ccm {
                this.control(SET_IVLEN, 12, null);
                this.control(SET_TAG, 16, null);
            }
            check(init(context, null, null, job.key().as_ptr(), ptr::null(), encrypts));
            Some(this)
        }
    }

    fn control(&self, what: c_int, number: c_int, pointer: Pointer) {
        // SAFETY: the pointer is null or good for as many bytes as the number says.
        check(unsafe { (self.functions.EVP_CIPHER_CTX_ctrl)(self.context, what, number, pointer) });
    }

    fn restart(&self) {
        let (null, nonce) = (ptr::null_mut(), self.job.sealing_nonce());
        if self.job.mode == Mode::Siv {
            // Its context takes one message for each key that is set.
            let key = self.job.key().as_ptr();
            // SAFETY: the key is as long as the cipher's.
            check(unsafe {
                let init = self.functions.EVP_CipherInit_ex;
                init(self.context, null, null, key, ptr::null(), self.encrypts)
            });
            return;
        }
        // SAFETY: the nonce is as long as the cipher's.
        check(unsafe {
            let init = self.functions.EVP_CipherInit_ex;
            init(self.context, null, null, ptr::null(), nonce.as_ptr(), self.encrypts)
        });
    }

    fn update(&self, data: &mut [u8]) {
        let mut written = 0;
        let (context, update) = (self.context, self.functions.EVP_CipherUpdate);
        // SAFETY: the slices are good for their lengths; no output means additional data.
        unsafe {
            if self.job.mode == Mode::Siv {
                let header = self.job.sealing_nonce();
                let len = header.len() as c_int;
                check(update(context, ptr::null_mut(), &mut written, header.as_ptr(), len));
            }
            let (at, len) = (data.as_mut_ptr(), data.len() as c_int);
            check(update(context, at, &mut written, at, len));
            // All but OCB's last bytes are written by then; those come at the end.
            if !(self.job.mode == Mode::Ccm && self.encrypts == 0) {
                let end = at.add(written as usize);
                check((self.functions.EVP_CipherFinal_ex)(context, end, &mut written));
            }
        }
    }
}

impl Sealing for Both {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        self.0.restart();
        self.0.update(data);
        if self.0.job.mode != Mode::Xts {
            self.0.control(GET_TAG, 16, tag.as_mut_ptr().cast());
        }
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        let mut tag = *tag;
        let set_tag = |context: &Context, tag: &mut [u8; 16]| {
            context.control(SET_TAG, 16, tag.as_mut_ptr().cast());
        };
        // CCM wants the tag before the nonce, SIV behind its key, the others do not mind.
        if self.1.job.mode == Mode::Ccm {
            set_tag(&self.1, &mut tag);
        }
        self.1.restart();
        if !matches!(self.1.job.mode, Mode::Ccm | Mode::Xts) {
            set_tag(&self.1, &mut tag);
        }
        self.1.update(data);
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: made by `EVP_CIPHER_CTX_new`, and not used again.
        unsafe { (self.functions.EVP_CIPHER_CTX_free)(self.context) };
    }
}

struct Cmac(MacFunctions, Pointer);

fn cmac(job: &Job, aes: &str) -> Option<Task> {
    let functions = MacFunctions::load(Library::open(NAMES)?)?;
    const UTF8_STRING: u32 = 4;
    let cipher = CString::new(format!("{aes}-CBC")).ok()?;
    let end = Parameter {
        key: ptr::null(),
        data_type: 0,
        data: ptr::null_mut(),
        data_size: 0,
        return_size: 0,
    };
    let parameters = [
        Parameter {
            key: c"cipher".as_ptr(),
            data_type: UTF8_STRING,
            data: cipher.as_ptr().cast_mut().cast(),
            data_size: cipher.as_bytes().len(),
            return_size: 0,
        },
        end,
    ];
    // SAFETY: names end in zero bytes, the parameters in one without a key; all outlive the calls.
    unsafe {
        let mac = (functions.EVP_MAC_fetch)(ptr::null_mut(), c"CMAC".as_ptr(), ptr::null());
        let context = (functions.EVP_MAC_CTX_new)(mac);
        let key = job.key();
        check((functions.EVP_MAC_init)(context, key.as_ptr(), key.len(), parameters.as_ptr()));
        super::task(job, Cmac(functions, context))
    }
}

impl Sealing for Cmac {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        let (functions, mut len) = (self.0, 0);
        // SAFETY: no key means the former one; the slices are good for their lengths.
        unsafe {
            check((functions.EVP_MAC_init)(self.1, ptr::null(), 0, ptr::null()));
            check((functions.EVP_MAC_update)(self.1, data.as_ptr(), data.len()));
            check((functions.EVP_MAC_final)(self.1, tag.as_mut_ptr(), &mut len, 16));
        }
    }

    fn open(&mut self, _: &mut [u8], _: &[u8; 16]) {}
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: made by `EVP_MAC_CTX_new`, and not used again.
        unsafe { (self.0.EVP_MAC_CTX_free)(self.1) };
    }
}

#[inline]
fn check(good: c_int) {
    assert_eq!(good, 1, "OpenSSL refused");
}
