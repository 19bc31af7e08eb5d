//! Any bytes as a stats file; the result is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wallcrawler::format::{Text, stats};
use wallcrawler_fuzz::{check, text};

fuzz_target!(|bytes: &[u8]| {
    let text = text(bytes);
    let parsed = stats::parse(&text);
    check(&parsed, &text);
    let again = stats::parse(&Text::new("again", stats::write(&parsed.value)));
    assert!(again.diagnostics.is_empty(), "{:?}", again.diagnostics);
    assert_eq!(again.value, parsed.value);
});
