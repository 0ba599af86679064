//! A plugin of qemu's user emulators that counts the instructions between two marks, for
//! `cargo xtask bench --target`.
//!
//! A mark is a system call of the unused number [`MARK`], with 0 as argument to begin and 1 to
//! end. At the end the count is written to the file that the plugin's argument `out=FILE` names,
//! as eight bytes, little endian: a program under qemu reads the host's files, and so its own
//! count. Translation blocks are counted whole as they are entered; nothing but a fault leaves
//! one early.
//!
//! The few functions of qemu's plugin interface that are needed are declared here, after the
//! interface's documentation (docs/devel/tcg-plugins).

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of the system call that marks. No architecture of Linux has as many.
pub const MARK: i64 = 1999;

static COUNT: AtomicU64 = AtomicU64::new(0);
static OUT: OnceLock<File> = OnceLock::new();

/// qemu's number of a plugin.
type Id = u64;

type OnTranslation = extern "C" fn(Id, *mut c_void);
type OnExecution = extern "C" fn(c_uint, *mut c_void);
type OnSystemCall = extern "C" fn(Id, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);

unsafe extern "C" {
    fn qemu_plugin_register_vcpu_tb_trans_cb(id: Id, call: OnTranslation);
    fn qemu_plugin_register_vcpu_tb_exec_cb(
        block: *mut c_void,
        call: OnExecution,
        flags: c_int,
        data: *mut c_void,
    );
    fn qemu_plugin_register_vcpu_syscall_cb(id: Id, call: OnSystemCall);
    fn qemu_plugin_tb_n_insns(block: *const c_void) -> usize;
}

/// The version of the interface, which qemu looks up by name.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "qemu's name")]
pub static qemu_plugin_version: c_int = if cfg!(feature = "v2") { 2 } else { 1 };

/// Called by qemu when it loads the plugin.
///
/// # Safety
///
/// `arguments` are `count` strings.
// SAFETY: no other symbol has this name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: Id,
    _info: *const c_void,
    count: c_int,
    arguments: *const *const c_char,
) -> c_int {
    for i in 0..usize::try_from(count).unwrap_or(0) {
        // SAFETY: by the caller.
        let argument = unsafe { CStr::from_ptr(*arguments.add(i)) }.to_string_lossy();
        let file = argument.strip_prefix("out=").and_then(|path| File::create(path).ok());
        if let Some(file) = file {
            let _ = OUT.set(file);
        }
    }
    if OUT.get().is_none() {
        eprintln!("qemu-count: out=FILE is missing, or cannot be written");
        return 1;
    }
    // SAFETY: these functions are there for as long as qemu is, and have the types that it calls.
    unsafe {
        qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
        qemu_plugin_register_vcpu_syscall_cb(id, on_system_call);
    }
    0
}

extern "C" fn on_translation(_id: Id, block: *mut c_void) {
    /// The call reads no registers of the CPU.
    const NO_REGISTERS: c_int = 0;
    // SAFETY: the block is qemu's, for the time of this call. The last argument is no pointer but
    // a number, for `on_execution`.
    unsafe {
        let instructions = qemu_plugin_tb_n_insns(block);
        let data = std::ptr::without_provenance_mut(instructions);
        qemu_plugin_register_vcpu_tb_exec_cb(block, on_execution, NO_REGISTERS, data);
    }
}

extern "C" fn on_execution(_cpu: c_uint, instructions: *mut c_void) {
    COUNT.fetch_add(instructions.addr() as u64, Ordering::Relaxed);
}

#[allow(clippy::too_many_arguments, reason = "qemu's type")]
extern "C" fn on_system_call(
    _id: Id,
    _cpu: c_uint,
    number: i64,
    end: u64,
    _a2: u64,
    _a3: u64,
    _a4: u64,
    _a5: u64,
    _a6: u64,
    _a7: u64,
    _a8: u64,
) {
    if number != MARK {
        return;
    }
    if end == 0 {
        COUNT.store(0, Ordering::Relaxed);
    } else if let Some(file) = OUT.get() {
        let _ = file.write_all_at(&COUNT.load(Ordering::Relaxed).to_le_bytes(), 0);
    }
}
