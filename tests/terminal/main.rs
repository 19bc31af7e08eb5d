//! The real program in a pseudo-terminal: keys go in, the screen that a terminal would show comes out.
//!
//! Each story of the guide's page on the designer is driven here in its own words: `first_minutes` has the numbered
//! steps, `designer` the paragraphs on its parts, and `readme` fails when one of them has no story. `conduct` tests the
//! effects of the terminal, the system and other programs.

#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a terminal that fails fails its test"
)]

mod conduct;
mod control;
mod designer;
#[cfg(target_os = "linux")]
mod drives;
mod first_minutes;
mod harness;
mod importing;
mod judging;
#[path = "../common/kitty.rs"]
#[allow(unreachable_pub, reason = "the examples share it")]
mod kitty;
#[path = "../exports/outside.rs"]
#[allow(dead_code, reason = "the exports look for more programs")]
mod outside;
mod pictures;
mod pixels;
mod playing;
mod readme;
mod seeds;
mod sessions;
mod sharing;
mod soak;
mod speed;
mod tuning;
