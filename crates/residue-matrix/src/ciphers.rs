//! Every cipher with each of its kernels: what the matrix and the depths go through.

pub(crate) use testkit::ciphers::{Subject, Visitor};

/// Shows all of them to `visitor`, on the kernels of this CPU, held back to the level in `CINDER_CPU`.
pub(crate) fn every_cipher(visitor: &mut impl Visitor) {
    testkit::level::hold_back();
    testkit::ciphers::every_cipher(visitor);
}
