//! The system's libgcrypt, version 1.8 or newer.

use crate::dynamic::{Library, functions};
use crate::job::{Direction, Job, Mode};
use crate::measure::Task;
use crate::sealing;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::hint::black_box;
use std::ptr;

/// What to install where it is missing.
pub(crate) const INSTALL: &str = "libgcrypt is missing: install libgcrypt20 (libgcrypt on others)";

pub(crate) const NAMES: &[&CStr] = &[c"libgcrypt.so.20", c"libgcrypt.20.dylib"];

type Handle = *mut c_void;
type Bytes = *const u8;

functions!(pub(crate) Functions {
    gcry_check_version: unsafe extern "C" fn(*const c_char) -> *const c_char,
    gcry_control: unsafe extern "C" fn(c_int, ...) -> c_uint,
    gcry_cipher_open: unsafe extern "C" fn(*mut Handle, c_int, c_int, c_uint) -> c_uint,
    gcry_cipher_close: unsafe extern "C" fn(Handle),
    gcry_cipher_setkey: unsafe extern "C" fn(Handle, Bytes, usize) -> c_uint,
    gcry_cipher_setiv: unsafe extern "C" fn(Handle, Bytes, usize) -> c_uint,
    gcry_cipher_setctr: unsafe extern "C" fn(Handle, Bytes, usize) -> c_uint,
    gcry_cipher_encrypt: unsafe extern "C" fn(Handle, *mut u8, usize, Bytes, usize) -> c_uint,
    gcry_cipher_decrypt: unsafe extern "C" fn(Handle, *mut u8, usize, Bytes, usize) -> c_uint,
    gcry_cipher_authenticate: unsafe extern "C" fn(Handle, Bytes, usize) -> c_uint,
    gcry_cipher_gettag: unsafe extern "C" fn(Handle, *mut u8, usize) -> c_uint,
    gcry_cipher_checktag: unsafe extern "C" fn(Handle, Bytes, usize) -> c_uint,
});

/// The library, ready for use.
#[derive(Clone, Copy)]
pub(crate) struct Libgcrypt {
    functions: Functions,
}

impl Libgcrypt {
    pub(crate) fn load() -> Option<Self> {
        const DISABLE_SECMEM: c_int = 37;
        const INITIALIZATION_FINISHED: c_int = 38;
        let functions = Functions::load(Library::open(NAMES)?)?;
        // SAFETY: the order that the manual asks for, before any other call, on one thread.
        unsafe {
            (functions.gcry_check_version)(ptr::null());
            (functions.gcry_control)(DISABLE_SECMEM, 0 as c_int);
            (functions.gcry_control)(INITIALIZATION_FINISHED, 0 as c_int);
        }
        Some(Libgcrypt { functions })
    }

    pub(crate) fn version(&self) -> String {
        // SAFETY: a null pointer asks for the version, which is a static string.
        let version = unsafe { CStr::from_ptr((self.functions.gcry_check_version)(ptr::null())) };
        version.to_string_lossy().into_owned()
    }

    /// The job's task.
    pub(crate) fn task(&self, job: &Job) -> Option<Task> {
        if sealing::has(job) {
            return sealing::libgcrypt::task(self.functions, job);
        }
        let handle = self.open(job)?;
        if job.direction == Direction::Setup {
            let key = job.key();
            return Some(Task::new(0, move |_| handle.set_key(black_box(key))));
        }
        handle.set_key(job.key());
        match job.mode {
            Mode::Ecb => {}
            Mode::Cbc | Mode::Cfb | Mode::Ofb if job.cipher.block == 16 => {
                handle.set_iv(job.iv::<16>());
            }
            Mode::Cbc | Mode::Cfb | Mode::Ofb => handle.set_iv(job.iv::<8>()),
            Mode::Ctr if job.cipher.block == 16 => handle.set_counter(job.iv::<16>()),
            Mode::Ctr => handle.set_counter(job.iv::<8>()),
            Mode::Stream if job.cipher.name == "SALSA20" => handle.set_iv(job.nonce::<8>()),
            Mode::Stream if job.cipher.name == "CHACHA20" => handle.set_iv(job.nonce::<12>()),
            Mode::Stream => {}
            Mode::CtrMessage => {
                let iv = job.iv::<16>();
                return Some(Task::new(job.bytes, move |data| {
                    handle.set_counter(black_box(iv));
                    handle.encrypt(data);
                }));
            }
            Mode::Gcm => return Some(gcm(handle, job)),
            Mode::Gmac => {
                let nonce = job.nonce::<12>();
                return Some(Task::new(job.bytes, move |data| {
                    handle.set_iv(nonce);
                    handle.authenticate(data);
                    let mut tag = [0; 16];
                    handle.tag(&mut tag);
                    data[..16].copy_from_slice(&tag);
                }));
            }
            Mode::KeyWrap => return Some(key_wrap(handle, job)),
            _ => return None,
        }
        Some(if job.encrypts() {
            Task::new(job.bytes, move |data| handle.encrypt(data))
        } else {
            Task::new(job.bytes, move |data| handle.decrypt(data))
        })
    }

    fn open(&self, job: &Job) -> Option<Cipher> {
        let algorithm = match job.cipher.name {
            "IDEA" => 1,
            "3DES" => 2,
            "CAST5" => 3,
            "BLOWFISH" => 4,
            "AES" => 7,
            "AES192" => 8,
            "AES256" => 9,
            "TWOFISH" => 10,
            "ARCFOUR" => 301,
            "DES" => 302,
            "TWOFISH128" => 303,
            "SERPENT128" => 304,
            "SERPENT192" => 305,
            "SERPENT256" => 306,
            "RFC2268_40" => 307,
            "SEED" => 309,
            "CAMELLIA128" => 310,
            "CAMELLIA192" => 311,
            "CAMELLIA256" => 312,
            "SALSA20" => 313,
            "CHACHA20" => 316,
            // From 1.11 on.
            "ARIA128" => 319,
            "ARIA192" => 320,
            "ARIA256" => 321,
            _ => return None,
        };
        let mode = match job.mode {
            Mode::Ecb => 1,
            Mode::Cfb => 2,
            Mode::Cbc => 3,
            Mode::Stream => 4,
            Mode::Ofb => 5,
            Mode::Ctr | Mode::CtrMessage => 6,
            Mode::KeyWrap => 7,
            Mode::Gcm | Mode::Gmac => 9,
            _ => return None,
        };
        let mut handle = ptr::null_mut();
        // SAFETY: the pointer to the handle is good; other arguments are checked by the library.
        let error = unsafe { (self.functions.gcry_cipher_open)(&mut handle, algorithm, mode, 0) };
        (error == 0).then_some(Cipher { functions: self.functions, handle })
    }
}

fn gcm(handle: Cipher, job: &Job) -> Task {
    let nonce = job.nonce::<12>();
    let mut tag = [0; 16];
    if job.encrypts() {
        return Task::new(job.bytes, move |data| {
            handle.set_iv(nonce);
            handle.encrypt(data);
            handle.tag(&mut tag);
            black_box(&tag);
        });
    }
    let mut ciphertext = vec![0x3c; job.bytes];
    handle.set_iv(nonce);
    handle.encrypt(&mut ciphertext);
    handle.tag(&mut tag);
    Task::new(job.bytes, move |data| {
        handle.set_iv(nonce);
        handle.decrypt_to(black_box(&ciphertext), data);
        handle.check_tag(&tag);
    })
}

fn key_wrap(handle: Cipher, job: &Job) -> Task {
    let key = vec![0xa5; job.bytes];
    if job.encrypts() {
        return Task::new(job.bytes + 8, move |output| handle.encrypt_to(black_box(&key), output));
    }
    let mut wrapped = vec![0; job.bytes + 8];
    handle.encrypt_to(&key, &mut wrapped);
    Task::new(job.bytes, move |output| handle.decrypt_to(black_box(&wrapped), output))
}

/// An open handle.
struct Cipher {
    functions: Functions,
    handle: Handle,
}

impl Cipher {
    fn set_key(&self, key: &[u8]) {
        // SAFETY: the handle is open and the slice is good for its length.
        check(unsafe { (self.functions.gcry_cipher_setkey)(self.handle, key.as_ptr(), key.len()) });
    }

    fn set_iv(&self, iv: &[u8]) {
        // SAFETY: the handle is open and the slice is good for its length.
        check(unsafe { (self.functions.gcry_cipher_setiv)(self.handle, iv.as_ptr(), iv.len()) });
    }

    fn set_counter(&self, iv: &[u8]) {
        // SAFETY: the handle is open and the slice is good for its length.
        check(unsafe { (self.functions.gcry_cipher_setctr)(self.handle, iv.as_ptr(), iv.len()) });
    }

    fn encrypt(&self, data: &mut [u8]) {
        let (data, length) = (data.as_mut_ptr(), data.len());
        // SAFETY: the handle is open; no input means in place, in a buffer good for its length.
        check(unsafe {
            (self.functions.gcry_cipher_encrypt)(self.handle, data, length, ptr::null(), 0)
        });
    }

    fn decrypt(&self, data: &mut [u8]) {
        let (data, length) = (data.as_mut_ptr(), data.len());
        // SAFETY: the handle is open; no input means in place, in a buffer good for its length.
        check(unsafe {
            (self.functions.gcry_cipher_decrypt)(self.handle, data, length, ptr::null(), 0)
        });
    }

    fn encrypt_to(&self, input: &[u8], output: &mut [u8]) {
        let (to, room) = (output.as_mut_ptr(), output.len());
        // SAFETY: the handle is open and both slices are good for their lengths.
        check(unsafe {
            (self.functions.gcry_cipher_encrypt)(self.handle, to, room, input.as_ptr(), input.len())
        });
    }

    fn decrypt_to(&self, input: &[u8], output: &mut [u8]) {
        let (to, room) = (output.as_mut_ptr(), output.len());
        // SAFETY: the handle is open and both slices are good for their lengths.
        check(unsafe {
            (self.functions.gcry_cipher_decrypt)(self.handle, to, room, input.as_ptr(), input.len())
        });
    }

    fn authenticate(&self, data: &[u8]) {
        // SAFETY: the handle is open and the slice is good for its length.
        check(unsafe {
            (self.functions.gcry_cipher_authenticate)(self.handle, data.as_ptr(), data.len())
        });
    }

    fn tag(&self, tag: &mut [u8; 16]) {
        // SAFETY: the handle is open and the array is good for its length.
        check(unsafe { (self.functions.gcry_cipher_gettag)(self.handle, tag.as_mut_ptr(), 16) });
    }

    fn check_tag(&self, tag: &[u8; 16]) {
        // SAFETY: the handle is open and the array is good for its length.
        check(unsafe { (self.functions.gcry_cipher_checktag)(self.handle, tag.as_ptr(), 16) });
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and is not used again.
        unsafe { (self.functions.gcry_cipher_close)(self.handle) };
    }
}

#[inline]
fn check(error: c_uint) {
    assert_eq!(error, 0, "libgcrypt refused");
}
