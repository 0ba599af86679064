//! Every vector file of the project at each level of CPU that this one has, from the widest down to
//! the narrowest: what a narrower CPU chooses, on this one.

use cinder_cpu::Level;
use vectors::{FILES, Registry, check};

/// One test, since a process can be held back more, and not less.
#[test]
#[cfg_attr(debug_assertions, ignore = "it takes minutes; the files' own tests are not optimised")]
fn each_level() {
    testkit::level::hold_back();
    let mut last = kernels();
    run("as it is", &last);
    for level in Level::ALL.iter().rev() {
        level.hold_back();
        let kernels = kernels();
        if kernels != last {
            for (less, more) in kernels.iter().zip(&last) {
                assert!(less.iter().all(|kernel| more.contains(kernel)), "{less:?} of {more:?}");
            }
            run(level.name(), &kernels);
            last = kernels;
        }
    }
    #[cfg(target_arch = "x86_64")]
    assert_eq!(last[0], ["portable"], "AES at the narrowest level");
}

fn run(level: &str, kernels: &[Vec<String>]) {
    println!("{level}: {kernels:?}");
    for entry in Registry::project().blocks {
        assert_eq!(entry.default_kernel, entry.kernels[0], "{level}: {}", entry.cipher);
    }
    for (name, _) in FILES {
        check(name);
    }
}

/// What each cipher that has vectors, GCM and GHASH would run on.
fn kernels() -> Vec<Vec<String>> {
    let mut all: Vec<_> =
        Registry::project().blocks.into_iter().map(|entry| entry.kernels).collect();
    all.push(cinder_gcm::Kernel::available().map(|kernel| kernel.to_string()).collect());
    all.push(cinder_ghash::Kernel::available().map(|kernel| kernel.to_string()).collect());
    all
}
