//! What the others have besides their operation.
#![no_std]
#![no_main]

bare::operation!(core::hint::black_box(true));
