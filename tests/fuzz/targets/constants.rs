//! Any bytes as a constants file; the result is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wallcrawler::format::{Text, constants};
use wallcrawler_fuzz::{check, text};

fuzz_target!(|bytes: &[u8]| {
    let text = text(bytes);
    let parsed = constants::parse(&text);
    check(&parsed, &text);
    let again = constants::parse(&Text::new("again", constants::write(&parsed.value)));
    assert!(again.diagnostics.is_empty(), "{:?}", again.diagnostics);
    assert_eq!(again.value, parsed.value);
});
