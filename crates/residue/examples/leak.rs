//! Finds the leak of a function that forgets a copy of its key, and shows that burning mends it.

use cinder_burn::Depth;
use std::hint::black_box;

/// Sums a key up, and leaves a copy of it in its frame.
#[inline(never)]
fn checksum(key: &[u8; 32], sum: &mut u8) -> Depth {
    let mut copy = *key;
    copy.sort_unstable();
    black_box(&mut copy);
    *sum = copy.iter().fold(0, |sum, byte| sum ^ byte);
    Depth::here()
}

fn main() {
    if !cinder_residue::supported() {
        println!("no residue scanner for this target");
        return;
    }
    let report = cinder_residue::scan(|trial| {
        let key = trial.key::<32>();
        let mut sum = 0;
        trial.secret("key", &key);
        trial.watch("forgotten", || {
            let _ = checksum(&key, &mut sum);
        });
        trial.watch("burnt", || cinder_burn::scope(|| ((), checksum(&key, &mut sum))));
    });
    print!("{report}");
    assert!(!report.step("forgotten").is_clean() && report.step("burnt").is_clean());
}
