//! Code that the examples and the test of the guide share: the program makes pictures and animations of itself.
//!
//! Every picture of the README and of the guide has its recipe in the page, in a comment above it (see [`recipe`]);
//! the example `guide` makes them all, and the test `guide` checks that none is stale.

#![allow(dead_code, reason = "each program that shares it uses a part of it")]
#![allow(unreachable_pub, reason = "no crate uses it")]

pub mod dungeons;
pub mod film;
#[allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the terminal of the tests panics on commands that it does not know"
)]
#[path = "../../tests/common/kitty.rs"]
pub mod kitty;
pub mod metrics;
pub mod output;
pub mod paint;
pub mod recipe;
pub mod screen;
pub mod sheet;
