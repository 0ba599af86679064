//! The files of `data/`, in the binary: a test under an emulator has no file system to ask.

macro_rules! files {
    ($($owner:ident { $($name:literal,)* })*) => {
        /// Name and text of each vector file of the project.
        pub const FILES: &[(&str, &str)] =
            &[$($(($name, include_str!(concat!("../data/", $name))),)*)*];

        /// Which files the tests of each crate run.
        pub const OWNERS: &[(&str, &[&str])] = &[$((stringify!($owner), &[$($name),*]),)*];
    };
}

include!("../data/index.in");
