//! The schemes against published vectors, on every kernel that this CPU has.

// Under Miri they would take hours.
#![cfg(not(miri))]

#[test]
fn vectors() {
    vectors::check_files_of("aead");
}
