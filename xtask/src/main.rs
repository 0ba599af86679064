//! The workspace's own commands: `cargo xtask`.

fn main() {}
