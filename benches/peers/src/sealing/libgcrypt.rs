//! libgcrypt's, from version 1.10 on.

use super::Sealing;
use crate::dynamic::{Library, functions};
use crate::job::{Job, Mode};
use crate::libgcrypt::{Functions, NAMES};
use crate::measure::Task;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr;

type Handle = *mut c_void;

functions!(MoreFunctions {
    gcry_cipher_ctl: unsafe extern "C" fn(Handle, c_int, *mut c_void, usize) -> c_uint,
    gcry_mac_open: unsafe extern "C" fn(*mut Handle, c_int, c_uint, *mut c_void) -> c_uint,
    gcry_mac_close: unsafe extern "C" fn(Handle),
    gcry_mac_setkey: unsafe extern "C" fn(Handle, *const u8, usize) -> c_uint,
    gcry_mac_ctl: unsafe extern "C" fn(Handle, c_int, *mut c_void, usize) -> c_uint,
    gcry_mac_write: unsafe extern "C" fn(Handle, *const u8, usize) -> c_uint,
    gcry_mac_read: unsafe extern "C" fn(Handle, *mut u8, *mut usize) -> c_uint,
});

const RESET: c_int = 4;
const FINALIZE: c_int = 5;
const SET_CCM_LENGTHS: c_int = 69;
const SET_DECRYPTION_TAG: c_int = 80;

pub(crate) fn task(functions: Functions, job: &Job) -> Option<Task> {
    let more = MoreFunctions::load(Library::open(NAMES)?)?;
    let mode = match job.mode {
        Mode::Ccm => 8,
        Mode::Poly1305 => 10,
        Mode::Ocb => 11,
        Mode::Xts => 13,
        Mode::Eax => 14,
        Mode::Siv => 15,
        Mode::GcmSiv => 16,
        Mode::Cmac => return cmac(more, job),
        _ => return None,
    };
    let algorithm = match job.cipher.name {
        "AES" => 7,
        "AES192" => 8,
        "AES256" => 9,
        "CHACHA20" => 316,
        _ => return None,
    };
    let (mut handle, key) = (ptr::null_mut(), job.key());
    // SAFETY: the pointers are good for their lengths; arguments are checked by the library.
    unsafe {
        if (functions.gcry_cipher_open)(&mut handle, algorithm, mode, 0) != 0 {
            return None;
        }
        check((functions.gcry_cipher_setkey)(handle, key.as_ptr(), key.len()));
    }
    super::task(job, Cipher { functions, more, handle, job: *job })
}

struct Cipher {
    functions: Functions,
    more: MoreFunctions,
    handle: Handle,
    job: Job,
}

impl Cipher {
    fn begin(&self, len: usize) {
        let (handle, nonce) = (self.handle, self.job.sealing_nonce());
        // SAFETY: the handle is open and the pointers are good for their lengths.
        unsafe {
            if self.job.mode == Mode::Siv {
                check((self.more.gcry_cipher_ctl)(handle, RESET, ptr::null_mut(), 0));
                let authenticate = self.functions.gcry_cipher_authenticate;
                check(authenticate(handle, nonce.as_ptr(), nonce.len()));
                return;
            }
            if matches!(self.job.mode, Mode::Eax | Mode::GcmSiv) {
                // Else EAX of 1.10 goes on with the keystream that the last message left of a block, and
                // GCM-SIV takes no second nonce.
                check((self.more.gcry_cipher_ctl)(handle, RESET, ptr::null_mut(), 0));
            }
            check((self.functions.gcry_cipher_setiv)(handle, nonce.as_ptr(), nonce.len()));
            if self.job.mode == Mode::Ccm {
                let mut lengths = [len as u64, 0, 16];
                let pointer = lengths.as_mut_ptr().cast();
                check((self.more.gcry_cipher_ctl)(handle, SET_CCM_LENGTHS, pointer, 24));
            }
        }
    }

    /// The next bytes are the last.
    fn finalize(&self) {
        if self.job.mode == Mode::Ocb {
            // SAFETY: the handle is open.
            check(unsafe {
                (self.more.gcry_cipher_ctl)(self.handle, FINALIZE, ptr::null_mut(), 0)
            });
        }
    }
}

impl Sealing for Cipher {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        self.begin(data.len());
        self.finalize();
        let (at, len) = (data.as_mut_ptr(), data.len());
        // SAFETY: the handle is open; no input means in place; the tag has 16 bytes.
        unsafe {
            check((self.functions.gcry_cipher_encrypt)(self.handle, at, len, ptr::null(), 0));
            if self.job.mode != Mode::Xts {
                check((self.functions.gcry_cipher_gettag)(self.handle, tag.as_mut_ptr(), 16));
            }
        }
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        self.begin(data.len());
        self.finalize();
        let (at, len) = (data.as_mut_ptr(), data.len());
        let with_tag = matches!(self.job.mode, Mode::Siv | Mode::GcmSiv);
        // SAFETY: as above.
        unsafe {
            if with_tag {
                let pointer = tag.as_ptr().cast_mut().cast();
                check((self.more.gcry_cipher_ctl)(self.handle, SET_DECRYPTION_TAG, pointer, 16));
            }
            check((self.functions.gcry_cipher_decrypt)(self.handle, at, len, ptr::null(), 0));
            if self.job.mode != Mode::Xts {
                check((self.functions.gcry_cipher_checktag)(self.handle, tag.as_ptr(), 16));
            }
        }
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and is not used again.
        unsafe { (self.functions.gcry_cipher_close)(self.handle) };
    }
}

struct Cmac(MoreFunctions, Handle);

fn cmac(functions: MoreFunctions, job: &Job) -> Option<Task> {
    const CMAC_AES: c_int = 201;
    let (mut handle, key) = (ptr::null_mut(), job.key());
    // SAFETY: the pointers are good for their lengths.
    unsafe {
        check((functions.gcry_mac_open)(&mut handle, CMAC_AES, 0, ptr::null_mut()));
        check((functions.gcry_mac_setkey)(handle, key.as_ptr(), key.len()));
    }
    super::task(job, Cmac(functions, handle))
}

impl Sealing for Cmac {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        let mut len = 16;
        // SAFETY: the handle is open and the slices are good for their lengths.
        unsafe {
            check((self.0.gcry_mac_ctl)(self.1, RESET, ptr::null_mut(), 0));
            check((self.0.gcry_mac_write)(self.1, data.as_ptr(), data.len()));
            check((self.0.gcry_mac_read)(self.1, tag.as_mut_ptr(), &mut len));
        }
    }

    fn open(&mut self, _: &mut [u8], _: &[u8; 16]) {}
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and is not used again.
        unsafe { (self.0.gcry_mac_close)(self.1) };
    }
}

#[inline]
fn check(error: c_uint) {
    assert_eq!(error, 0, "libgcrypt refused");
}
