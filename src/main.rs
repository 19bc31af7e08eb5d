//! The `wallcrawler` program.

fn main() {}
