//! A program for a Cortex-M without an operating system: it paints its stack, opens a message, looks
//! how deep the stack was written, and prints that and its own size through semihosting.
#![no_std]

use core::arch::asm;
use core::hint::black_box;
use core::panic::PanicInfo;

unsafe extern "C" {
    static mut __data: u32;
    static mut __data_end: u32;
    static __data_in_flash: u32;
    static mut __bss: u32;
    static mut __bss_end: u32;
    static __flash_end: u32;
}

/// What no stack holds by chance.
const PAINT: u32 = 0xa5c3_9617;

/// The vectors behind the initial stack pointer: reset, NMI, hard fault. Any fault ends the run.
#[used]
#[unsafe(link_section = ".vectors")]
static VECTORS: [extern "C" fn() -> !; 3] = [reset, fault, fault];

unsafe extern "Rust" {
    /// The operation of this program; whether it did what it should.
    safe fn operation() -> bool;
}

/// Gives a program its operation.
#[macro_export]
macro_rules! operation {
    ($run:expr) => {
        // SAFETY: no other function of this program has the name.
        #[unsafe(no_mangle)]
        fn operation() -> bool {
            $run
        }
    };
}

/// Switches the FPU on, before any function may use it, by the coprocessor access control register
/// (ARMv7-M, B3.2.20).
#[cfg(target_abi = "eabihf")]
#[unsafe(naked)]
extern "C" fn reset() -> ! {
    core::arch::naked_asm!(
        "movw r0, #0xed88",
        "movt r0, #0xe000",
        "ldr r1, [r0]",
        "orr r1, r1, #0xf00000",
        "str r1, [r0]",
        "dsb",
        "isb",
        "b {start}",
        start = sym start,
    )
}

#[cfg(not(target_abi = "eabihf"))]
use start as reset;

extern "C" fn start() -> ! {
    // SAFETY: the linker script lays these sections out in whole words, and nothing has run yet that
    // uses them.
    unsafe {
        // Compared by order: the compiler takes two symbols for two places, even if a section is empty.
        let (mut to, mut from) = (&raw mut __data, &raw const __data_in_flash);
        while to < &raw mut __data_end {
            to.write_volatile(from.read_volatile());
            (to, from) = (to.add(1), from.add(1));
        }
        let mut to = &raw mut __bss;
        while to < &raw mut __bss_end {
            to.write_volatile(0);
            to = to.add(1);
        }
    }
    match measure() {
        Some(stack) => {
            print(b"flash ", (&raw const __flash_end).addr());
            print(b"stack ", stack);
            exit(true)
        }
        None => exit(false),
    }
}

/// How many bytes of stack the operation takes, from the frame that calls it; none if it failed.
#[inline(never)]
fn measure() -> Option<usize> {
    let top: *mut u32;
    // SAFETY: it reads a register.
    unsafe { asm!("mov {}, sp", out(reg) top, options(nomem, nostack, preserves_flags)) };
    let bottom = &raw mut __bss_end;
    let mut word = bottom;
    while word < top {
        // SAFETY: between .bss and the stack pointer there is RAM that nobody uses: no interrupt is on,
        // and this loop calls nothing.
        unsafe {
            word.write_volatile(PAINT);
            word = word.add(1);
        }
    }
    let is_fine = black_box(operation as fn() -> bool)();
    let mut word = bottom;
    // SAFETY: as above; the loop ends at the stack pointer, where there is a frame.
    while word < top && unsafe { word.read_volatile() } == PAINT {
        word = word.wrapping_add(1);
    }
    // A stack that was written to its end may have been too short.
    (is_fine && word != bottom).then(|| top.addr() - word.addr())
}

extern "C" fn fault() -> ! {
    exit(false)
}

fn semihosting(operation: usize, parameter: usize) {
    // SAFETY: a call to the debugger (Arm's semihosting specification), which changes nothing but r0;
    // it reads what `parameter` points at.
    unsafe { asm!("bkpt 0xab", inout("r0") operation => _, in("r1") parameter) };
}

/// Prints a word and a number, each on a line of its own with the other.
fn print(name: &[u8], mut number: usize) {
    let mut line = [0; 20];
    line[..name.len()].copy_from_slice(name);
    for digit in line[name.len()..name.len() + 6].iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    line[name.len() + 6] = b'\n';
    semihosting(0x04, line.as_ptr().addr()); // SYS_WRITE0, up to a zero
}

fn exit(is_fine: bool) -> ! {
    // SYS_EXIT: the application's end, or a run-time error.
    semihosting(0x18, if is_fine { 0x20026 } else { 0x20023 });
    loop {
        core::hint::spin_loop();
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    exit(false)
}

/// AES-128-GCM: test case 4 of McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B.
pub mod gcm {
    /// The key.
    pub static KEY: [u8; 16] = 0xfeffe9928665731c6d6a8f9467308308_u128.to_be_bytes();
    /// The IV.
    pub static IV: [u8; 12] =
        [0xca, 0xfe, 0xba, 0xbe, 0xfa, 0xce, 0xdb, 0xad, 0xde, 0xca, 0xf8, 0x88];
    /// The additional data.
    pub static AAD: [u8; 20] = [
        0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe,
        0xef, 0xab, 0xad, 0xda, 0xd2,
    ];
    /// The ciphertext.
    pub static CIPHERTEXT: [u8; 60] = [
        0x42, 0x83, 0x1e, 0xc2, 0x21, 0x77, 0x74, 0x24, 0x4b, 0x72, 0x21, 0xb7, 0x84, 0xd0, 0xd4,
        0x9c, 0xe3, 0xaa, 0x21, 0x2f, 0x2c, 0x02, 0xa4, 0xe0, 0x35, 0xc1, 0x7e, 0x23, 0x29, 0xac,
        0xa1, 0x2e, 0x21, 0xd5, 0x14, 0xb2, 0x54, 0x66, 0x93, 0x1c, 0x7d, 0x8f, 0x6a, 0x5a, 0xac,
        0x84, 0xaa, 0x05, 0x1b, 0xa3, 0x0b, 0x39, 0x6a, 0x0a, 0xac, 0x97, 0x3d, 0x58, 0xe0, 0x91,
    ];
    /// The tag.
    pub static TAG: [u8; 16] = 0x5bc94fbc3221a5db94fae95ae7121a47_u128.to_be_bytes();
}

/// AES-128-CCM: example 3 of SP 800-38C, appendix C.3; tags of 8 bytes.
pub mod ccm {
    /// The key.
    pub static KEY: [u8; 16] = 0x404142434445464748494a4b4c4d4e4f_u128.to_be_bytes();
    /// The nonce.
    pub static NONCE: [u8; 12] =
        [0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b];
    /// The additional data.
    pub static AAD: [u8; 20] =
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
    /// The ciphertext.
    pub static CIPHERTEXT: [u8; 24] = [
        0xe3, 0xb2, 0x01, 0xa9, 0xf5, 0xb7, 0x1a, 0x7a, 0x9b, 0x1c, 0xea, 0xec, 0xcd, 0x97, 0xe7,
        0x0b, 0x61, 0x76, 0xaa, 0xd9, 0xa4, 0x42, 0x8a, 0xa5,
    ];
    /// The tag.
    pub static TAG: [u8; 8] = 0x484392fbc1b09951_u64.to_be_bytes();
}
