//! Where a value keeps secrets, and what is left of them once it has dropped, or has others. A
//! program that uses it has [`Looking`] as its global allocator.
//!
//! A value is filled a few times, each time with other secrets and everything else equal. The
//! bytes that differ are secrets or came of secrets: where they are need not be known, and keys
//! in another form are found too. Padding is read as well, volatile, for whatever it holds.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;

/// That two bytes of secrets are equal by chance in all trials has a chance of 2^-56.
const TRIALS: u8 = 8;

/// The bytes of a value before it was filled, after, and at the end.
pub type Trial = [Vec<u8>; 3];

/// Bytes of no meaning that differ from trial to trial.
pub fn secret<const N: usize>(trial: u8) -> [u8; N] {
    std::array::from_fn(|i| {
        let mixed = (i as u32 + 1 + (u32::from(trial) << 8)).wrapping_mul(0x9e37_79b1);
        (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b).to_be_bytes()[1]
    })
}

/// Fills a value where it stands, drops it there, and finds zeros where secrets were; the same in
/// a box. Counts the bytes of secrets.
#[track_caller]
pub fn drops<T>(vacant: impl Fn() -> T, fill: impl Fn(&mut T, u8)) -> usize {
    // SAFETY: `in_place` does not use the value again.
    let drop_there = |place: &mut MaybeUninit<T>, _| unsafe { place.assume_init_drop() };
    let there = in_place(&vacant, &fill, drop_there);
    there.assert_wiped();
    let boxed = Look::new(|trial| {
        let mut boxed = Box::new(vacant());
        let before = bytes(&raw const *boxed, size_of::<T>());
        fill(&mut boxed, trial);
        let filled = bytes(&raw const *boxed, size_of::<T>());
        [before, filled, freed(&raw const *boxed, size_of::<T>(), || drop(boxed))]
    });
    boxed.assert_wiped();
    assert_eq!(there.secret, boxed.secret, "a box is as any place");
    there.secret.len()
}

/// Fills a value where it stands, then lets `empty` take the secrets out, or be about to put others
/// there, and finds zeros where they were. Counts the bytes of secrets.
#[track_caller]
pub fn empties<T>(
    vacant: impl Fn() -> T,
    fill: impl Fn(&mut T, u8),
    empty: impl Fn(&mut T, u8),
) -> usize {
    end_by(vacant, fill, empty).assert_wiped()
}

/// Fills a value where it stands, then lets `replace` put others in the secrets' place, and finds
/// none that has stayed. Counts the bytes of secrets.
#[track_caller]
pub fn replaces<T>(
    vacant: impl Fn() -> T,
    fill: impl Fn(&mut T, u8),
    replace: impl Fn(&mut T, u8),
) -> usize {
    let look = end_by(vacant, fill, replace);
    let stays = |i: &usize| look.trials.iter().all(|[_, filled, end]| filled[*i] == end[*i]);
    let left: Vec<_> = look.secret.iter().copied().filter(stays).collect();
    assert!(left.is_empty(), "of {} bytes {left:?} have stayed", look.secret.len());
    look.secret.len()
}

fn end_by<T>(vacant: impl Fn() -> T, fill: impl Fn(&mut T, u8), end: impl Fn(&mut T, u8)) -> Look {
    in_place(vacant, fill, |place, trial| {
        // SAFETY: `in_place` has written it.
        end(unsafe { place.assume_init_mut() }, trial);
    })
}

/// What so many trials showed.
#[derive(Debug)]
pub struct Look {
    trials: Vec<Trial>,
    /// Offsets.
    secret: Vec<usize>,
}

impl Look {
    /// Runs the trials.
    pub fn new(trial: impl FnMut(u8) -> Trial) -> Self {
        let trials: Vec<_> = (1..=TRIALS).map(trial).collect();
        let mut look = Look { trials, secret: Vec::new() };
        let is_secret =
            |&i: &usize| look.differs(1, i) && look.trials.iter().any(|[a, b, _]| a[i] != b[i]);
        look.secret = (0..look.trials[0][1].len()).filter(is_secret).collect();
        look
    }

    fn differs(&self, which: usize, i: usize) -> bool {
        self.trials.iter().any(|trial| trial[which][i] != self.trials[0][which][i])
    }

    /// Zeros where the secrets were; their number.
    #[track_caller]
    pub fn assert_wiped(&self) -> usize {
        let is_left = |i: &usize| self.trials.iter().any(|trial| trial[2][*i] != 0);
        let left: Vec<_> = self.secret.iter().copied().filter(is_left).collect();
        assert!(left.is_empty(), "of {} bytes {left:?} are left", self.secret.len());
        self.secret.len()
    }
}

/// All trials at one place: a value with references differs by the secrets alone. `end` may drop
/// the value; it is not used again.
fn in_place<T>(
    vacant: impl Fn() -> T,
    fill: impl Fn(&mut T, u8),
    end: impl Fn(&mut MaybeUninit<T>, u8),
) -> Look {
    let mut place = MaybeUninit::uninit();
    Look::new(|trial| {
        place = MaybeUninit::zeroed();
        place.write(vacant());
        let before = bytes(place.as_ptr(), size_of::<T>());
        // SAFETY: written above.
        fill(unsafe { place.assume_init_mut() }, trial);
        let filled = bytes(place.as_ptr(), size_of::<T>());
        clean_stack();
        end(&mut place, trial);
        [before, filled, bytes(place.as_ptr(), size_of::<T>())]
    })
}

/// Clears the stack below, of which a move may copy something into padding, or into the part of an
/// enum that its variant does not use. What the test itself has left there is no finding. Inlined: a
/// frame of its own would not be cleared.
#[inline(always)]
pub fn clean_stack() {
    cinder_burn::burn(cinder_burn::Depth::here().deeper(32 * 1024));
}

/// The bytes of a value, or of where it was.
pub fn bytes<T: ?Sized>(value: *const T, len: usize) -> Vec<u8> {
    // SAFETY: every caller has the value's place, which is as long, for itself.
    (0..len).map(|i| unsafe { value.cast::<u8>().add(i).read_volatile() }).collect()
}

/// The bytes of a box's content when its memory is given back, which `drop` must do.
pub fn freed<T: ?Sized>(content: *const T, len: usize, drop: impl FnOnce()) -> Vec<u8> {
    let mut copy = vec![0xee; len];
    WATCHED.set((content.cast(), copy.as_mut_ptr(), len));
    drop();
    assert!(WATCHED.get().0.is_null(), "it was not freed");
    copy
}

/// Panics without a message.
pub fn unwind() -> ! {
    resume_unwind(Box::new(()))
}

/// Whether `work` panics.
pub fn unwinds<R>(work: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(|| drop(work()))).is_err()
}

thread_local! {
    /// A block of memory, and where to copy what it holds when it is freed.
    static WATCHED: Cell<(*const u8, *mut u8, usize)> = const { Cell::new(NOTHING) };
}

const NOTHING: (*const u8, *mut u8, usize) = (ptr::null(), ptr::null_mut(), 0);

/// The system's allocator, and a look at what it frees. It gives zeros, so that padding is zeros.
#[derive(Debug)]
pub struct Looking;

// SAFETY: the system's own, which reads a block once before it is freed.
unsafe impl GlobalAlloc for Looking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let (watched, copy, len) = WATCHED.get();
        if watched == block.cast_const() {
            WATCHED.set(NOTHING);
            // SAFETY: `freed` set this block and a copy of its length, which lives until then.
            (0..len.min(layout.size()))
                .for_each(|i| unsafe { copy.add(i).write(watched.add(i).read_volatile()) });
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}
