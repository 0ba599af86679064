//! Benchmarks by criterion, to see whether a change made something faster or slower:
//! `cargo bench -p benches`, or `cargo bench -p benches --bench gcm -- "AES-256/1350"`.
//!
//! Each measures what a user calls, burning included, on the kernels that `CINDER_CPU` leaves. `cargo xtask bench` compares with other
//! libraries instead.
