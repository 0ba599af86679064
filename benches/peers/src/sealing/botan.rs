//! The system's Botan, version 2, through its C interface.

use super::Sealing;
use crate::dynamic::{Library, functions};
use crate::job::{Job, Mode};
use crate::measure::Task;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

/// What to install where it is missing.
pub(crate) const INSTALL: &str = "Botan 2 is missing: install libbotan-2-19 (botan2 on others)";

const NAMES: &[&CStr] = &[c"libbotan-2.so.19", c"libbotan-2.19.dylib"];

type Handle = *mut c_void;

functions!(Functions {
    botan_version_string: unsafe extern "C" fn() -> *const c_char,
    botan_cipher_init: unsafe extern "C" fn(*mut Handle, *const c_char, u32) -> c_int,
    botan_cipher_destroy: unsafe extern "C" fn(Handle) -> c_int,
    botan_cipher_set_key: unsafe extern "C" fn(Handle, *const u8, usize) -> c_int,
    botan_cipher_set_associated_data: unsafe extern "C" fn(Handle, *const u8, usize) -> c_int,
    botan_cipher_start: unsafe extern "C" fn(Handle, *const u8, usize) -> c_int,
    botan_cipher_update: unsafe extern "C" fn(
        Handle, u32, *mut u8, usize, *mut usize, *const u8, usize, *mut usize
    ) -> c_int,
    botan_mac_init: unsafe extern "C" fn(*mut Handle, *const c_char, u32) -> c_int,
    botan_mac_destroy: unsafe extern "C" fn(Handle) -> c_int,
    botan_mac_set_key: unsafe extern "C" fn(Handle, *const u8, usize) -> c_int,
    botan_mac_update: unsafe extern "C" fn(Handle, *const u8, usize) -> c_int,
    botan_mac_final: unsafe extern "C" fn(Handle, *mut u8) -> c_int,
});

/// The library, ready for use.
#[derive(Clone, Copy)]
pub(crate) struct Botan {
    functions: Functions,
}

impl Botan {
    pub(crate) fn load() -> Option<Self> {
        Some(Botan { functions: Functions::load(Library::open(NAMES)?)? })
    }

    pub(crate) fn version(&self) -> String {
        // SAFETY: returns a static string. "Botan 2.19.3 (…": the second word.
        let version = unsafe { CStr::from_ptr((self.functions.botan_version_string)()) };
        version.to_string_lossy().split(' ').nth(1).unwrap_or("2").to_owned()
    }

    /// The job's task.
    pub(crate) fn task(&self, job: &Job) -> Option<Task> {
        let aes = match job.cipher.name {
            "AES" => "AES-128",
            "AES192" => "AES-192",
            "AES256" => "AES-256",
            "CHACHA20" => "ChaCha20",
            _ => return None,
        };
        let name = match job.mode {
            Mode::Ccm => format!("{aes}/CCM(16,3)"),
            Mode::Eax => format!("{aes}/EAX"),
            Mode::Ocb => format!("{aes}/OCB"),
            Mode::Siv => format!("{aes}/SIV"),
            Mode::Xts => format!("{aes}/XTS"),
            Mode::Poly1305 => "ChaCha20Poly1305".to_owned(),
            Mode::Cmac => return self.cmac(job, &CString::new(format!("CMAC({aes})")).ok()?),
            _ => return None,
        };
        let name = CString::new(name).ok()?;
        let cipher = |direction| Cipher::new(self.functions, job, &name, direction);
        super::task(job, Both(cipher(0)?, cipher(1)?))
    }

    fn cmac(&self, job: &Job, name: &CStr) -> Option<Task> {
        let (mut handle, key) = (ptr::null_mut(), job.key());
        // SAFETY: the name ends in a zero byte and the key is good for its length.
        unsafe {
            check((self.functions.botan_mac_init)(&mut handle, name.as_ptr(), 0));
            check((self.functions.botan_mac_set_key)(handle, key.as_ptr(), key.len()));
        }
        super::task(job, Cmac(self.functions, handle))
    }
}

/// A handle to encrypt and one to decrypt, and a buffer for its output, which may not be its input.
struct Both(Cipher, Cipher);

struct Cipher {
    functions: Functions,
    handle: Handle,
    job: Job,
    scratch: Vec<u8>,
}

impl Cipher {
    fn new(functions: Functions, job: &Job, name: &CStr, direction: u32) -> Option<Self> {
        let (mut handle, key) = (ptr::null_mut(), job.key());
        // SAFETY: the name ends in a zero byte and the key is good for its length.
        unsafe {
            if (functions.botan_cipher_init)(&mut handle, name.as_ptr(), direction) != 0 {
                return None;
            }
            let scratch = vec![0; job.bytes + 16];
            let this = Cipher { functions, handle, job: *job, scratch };
            check((functions.botan_cipher_set_key)(handle, key.as_ptr(), key.len()));
            Some(this)
        }
    }

    /// From one buffer to another.
    fn run(&mut self, input: &[u8]) {
        const FINAL: u32 = 1;
        let (handle, mut nonce) = (self.handle, self.job.sealing_nonce());
        let (mut written, mut read) = (0, 0);
        let (to, room) = (self.scratch.as_mut_ptr(), self.scratch.len());
        // SAFETY: the handle is open and the pointers are good for their lengths.
        unsafe {
            if self.job.mode == Mode::Siv {
                let set = self.functions.botan_cipher_set_associated_data;
                check(set(handle, nonce.as_ptr(), nonce.len()));
                nonce = &[];
            }
            check((self.functions.botan_cipher_start)(handle, nonce.as_ptr(), nonce.len()));
            let update = self.functions.botan_cipher_update;
            let (from, len) = (input.as_ptr(), input.len());
            check(update(handle, FINAL, to, room, &mut written, from, len, &mut read));
        }
    }
}

impl Sealing for Both {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        self.0.run(data);
        let (mut text, mut own) = self.0.scratch.split_at(data.len());
        // The tag of SIV comes first.
        if self.0.job.mode == Mode::Siv {
            (own, text) = self.0.scratch.split_at(16);
        }
        data.copy_from_slice(text);
        if self.0.job.mode != Mode::Xts {
            tag.copy_from_slice(own);
        }
    }

    fn open(&mut self, data: &mut [u8], tag: &[u8; 16]) {
        let sealed = match self.1.job.mode {
            Mode::Siv => [tag, &*data].concat(),
            Mode::Xts => data.to_vec(),
            _ => [&*data, tag].concat(),
        };
        self.1.run(&sealed);
        data.copy_from_slice(&self.1.scratch[..data.len()]);
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and is not used again.
        unsafe { (self.functions.botan_cipher_destroy)(self.handle) };
    }
}

struct Cmac(Functions, Handle);

impl Sealing for Cmac {
    fn seal(&mut self, data: &mut [u8], tag: &mut [u8; 16]) {
        // SAFETY: the handle is open and the slices are good for their lengths.
        unsafe {
            check((self.0.botan_mac_update)(self.1, data.as_ptr(), data.len()));
            check((self.0.botan_mac_final)(self.1, tag.as_mut_ptr()));
        }
    }

    fn open(&mut self, _: &mut [u8], _: &[u8; 16]) {}
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and is not used again.
        unsafe { (self.0.botan_mac_destroy)(self.1) };
    }
}

#[inline]
fn check(error: c_int) {
    assert_eq!(error, 0, "Botan refused");
}
