//! Helpers of the fuzz targets: the text of any bytes, and the properties of everything that is read.
//!
//! `tests/fuzz/run` documents how the targets are built and run.

use wallcrawler::design::Diagnostic;
use wallcrawler::format::{Parsed, Text};

/// Returns the bytes as the program reads a file.
pub fn text(bytes: &[u8]) -> Text {
    Text::decode("f", bytes.to_vec())
}

/// Checks that every diagnostic has a position inside the text.
pub fn check<T>(parsed: &Parsed<T>, text: &Text) {
    assert!(parsed.end <= text.content().len());
    for diagnostic in &parsed.diagnostics {
        check_place(diagnostic, text);
    }
}

fn check_place(diagnostic: &Diagnostic, text: &Text) {
    let source = diagnostic
        .source
        .as_ref()
        .expect("a problem of a text has a place in it");
    assert!(source.line > 0 && source.column > 0, "{diagnostic}");
    assert!(text.content().get(source.span.clone()).is_some(), "{diagnostic}");
    assert!(!diagnostic.message.is_empty());
}
