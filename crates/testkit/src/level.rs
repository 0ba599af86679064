//! What reads `CINDER_CPU`: tests, benchmarks and tools. The library crates do not.

use cinder_cpu::Level;

/// Holds this program back to the level that `CINDER_CPU` names, if it is set. Keys that exist already
/// keep their kernels; a second call changes nothing.
///
/// # Panics
///
/// As [`hold_back_to`].
pub fn hold_back() {
    if let Ok(name) = std::env::var("CINDER_CPU") {
        hold_back_to(&name);
    }
}

/// Holds this program back to the level of that name.
///
/// # Panics
///
/// If this target has none, so that nobody takes one CPU's results for another's.
pub fn hold_back_to(name: &str) {
    let Some(level) = Level::named(name) else {
        let names: Vec<_> = Level::ALL.iter().map(Level::name).collect();
        panic!("no level `{name}` of {}: {names:?}", std::env::consts::ARCH);
    };
    level.hold_back();
}
