//! Libraries of the system, loaded at run time: nothing need be installed to build this program.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem;

unsafe extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Resolve all symbols at once. The same on Linux, the BSDs and macOS but for its value.
const RTLD_NOW: c_int = 2;

/// A loaded library. It is never unloaded.
#[derive(Clone, Copy)]
pub(crate) struct Library(*mut c_void);

impl Library {
    /// The first of the names that can be loaded.
    pub(crate) fn open(names: &[&CStr]) -> Option<Library> {
        names.iter().find_map(|name| {
            // SAFETY: the name ends in a zero byte. The initialisers of these libraries run here
            // as they do in every program that links them.
            let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
            (!library.is_null()).then_some(Library(library))
        })
    }

    /// The function of a name.
    ///
    /// # Safety
    ///
    /// `F` is the type of a pointer to a C function, and that of the function in the library's
    /// header.
    pub(crate) unsafe fn function<F: Copy>(self, name: &CStr) -> Option<F> {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        // SAFETY: the library is loaded and the name ends in a zero byte.
        let symbol = unsafe { dlsym(self.0, name.as_ptr()) };
        // SAFETY: not null, and by the caller a pointer to a function of this type.
        (!symbol.is_null()).then(|| unsafe { mem::transmute_copy(&symbol) })
    }
}

/// A struct of a library's functions by their C names, and its `load`.
macro_rules! functions {
    ($visibility:vis $name:ident { $($function:ident: $type:ty,)* }) => {
        #[derive(Clone, Copy)]
        #[allow(non_snake_case, reason = "the names of the library's header")]
        $visibility struct $name {
            $($visibility $function: $type,)*
        }

        impl $name {
            $visibility fn load(library: crate::dynamic::Library) -> Option<Self> {
                let name = |bytes: &'static str| {
                    std::ffi::CStr::from_bytes_with_nul(bytes.as_bytes()).ok()
                };
                Some($name {
                    // SAFETY: the types are those of the library's header.
                    $($function: unsafe {
                        library.function(name(concat!(stringify!($function), "\0"))?)?
                    },)*
                })
            }
        }
    };
}
pub(crate) use functions;
