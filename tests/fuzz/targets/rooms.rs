//! Any bytes as a rooms file; the result is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wallcrawler::format::{Text, rooms};
use wallcrawler_fuzz::{check, text};

fuzz_target!(|bytes: &[u8]| {
    let text = text(bytes);
    let mut parsed = rooms::parse(&text);
    check(&parsed, &text);
    let written = rooms::write(&parsed.value).expect("what was read can be written");
    parsed.value.limits = parsed.value.limits.raised_for(&parsed.value);
    let again = rooms::parse(&Text::new("again", written));
    assert_eq!(again.value, parsed.value);
});
