//! A plugin of qemu's user emulators that counts the instructions between two marks, for
//! `cargo xtask bench --target`, or hashes what they do, for `cargo xtask constant-time --target`.
//!
//! A mark is a system call of the unused number [`MARK`], with 0 as argument to begin and 1 to
//! end. At the end the count is written to the file that the plugin's argument `out=FILE` names,
//! as eight bytes, little endian: a program under qemu reads the host's files, and so its own
//! count. Translation blocks are counted whole as they are entered; nothing but a fault leaves
//! one early.
//!
//! With the argument `trace=on` the file gets a hash of the trace instead: the address of each
//! translation block that is entered and each address that is read or written, in their order. A
//! block ends at each branch, so two runs with equal hashes took the same way through the program
//! and used the same memory. An instruction that is skipped by its condition ends no block: of
//! these, those that use memory are seen.
//!
//! The few functions of qemu's plugin interface that are needed are declared here, after the
//! interface's documentation (docs/devel/tcg-plugins).

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of the system call that marks. No architecture of Linux has as many.
pub const MARK: i64 = 1999;

/// Instructions, or the hash.
static COUNT: AtomicU64 = AtomicU64::new(0);
static IS_TRACED: AtomicBool = AtomicBool::new(false);
static OUT: OnceLock<File> = OnceLock::new();

/// qemu's number of a plugin.
type Id = u64;

type OnTranslation = extern "C" fn(Id, *mut c_void);
type OnExecution = extern "C" fn(c_uint, *mut c_void);
type OnAccess = extern "C" fn(c_uint, u32, u64, *mut c_void);
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
    fn qemu_plugin_register_vcpu_mem_cb(
        instruction: *mut c_void,
        call: OnAccess,
        flags: c_int,
        kinds: c_int,
        data: *mut c_void,
    );
    fn qemu_plugin_tb_n_insns(block: *const c_void) -> usize;
    fn qemu_plugin_tb_vaddr(block: *const c_void) -> u64;
    fn qemu_plugin_tb_get_insn(block: *const c_void, index: usize) -> *mut c_void;
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
        IS_TRACED.fetch_or(argument == "trace=on", Ordering::Relaxed);
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
    /// Reads and writes.
    const ALL_KINDS: c_int = 3;
    // SAFETY: the block and its instructions are qemu's, for the time of this call. The last argument
    // is no pointer but a number, for the function that is registered.
    unsafe {
        let instructions = qemu_plugin_tb_n_insns(block);
        if !IS_TRACED.load(Ordering::Relaxed) {
            let data = std::ptr::without_provenance_mut(instructions);
            qemu_plugin_register_vcpu_tb_exec_cb(block, on_execution, NO_REGISTERS, data);
            return;
        }
        let address = qemu_plugin_tb_vaddr(block) as usize;
        let data = std::ptr::without_provenance_mut(address);
        qemu_plugin_register_vcpu_tb_exec_cb(block, on_entry, NO_REGISTERS, data);
        for index in 0..instructions {
            let instruction = qemu_plugin_tb_get_insn(block, index);
            let data = std::ptr::null_mut();
            qemu_plugin_register_vcpu_mem_cb(instruction, on_access, NO_REGISTERS, ALL_KINDS, data);
        }
    }
}

extern "C" fn on_execution(_cpu: c_uint, instructions: *mut c_void) {
    COUNT.fetch_add(instructions.addr() as u64, Ordering::Relaxed);
}

extern "C" fn on_entry(_cpu: c_uint, address: *mut c_void) {
    take(address.addr() as u64);
}

extern "C" fn on_access(_cpu: c_uint, _kind: u32, address: u64, _data: *mut c_void) {
    take(!address);
}

/// Takes an address into the hash, the inverse of one of data. One thread runs between two marks.
fn take(address: u64) {
    let hash = COUNT.load(Ordering::Relaxed);
    // Odd, and 2^64 over the golden ratio: no step loses what came before.
    let hash = (hash ^ address).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    COUNT.store(hash, Ordering::Relaxed);
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
