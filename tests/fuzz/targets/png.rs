//! PNG pictures whose chunks are any bytes, with correct lengths and checksums, so that a decoder looks into them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wallcrawler::import::{self, DrawingKind, ImportOptions};

#[path = "../../common/png.rs"]
mod png;

fuzz_target!(|bytes: &[u8]| {
    let options = ImportOptions {
        kind: Some(DrawingKind::Png),
        ..ImportOptions::default()
    };
    let picture = png::joined(&png::parted(bytes));
    let read = import::read("a.png", picture, &options, &mut |_| Err(std::io::ErrorKind::NotFound.into()));
    assert!(read.drawing.is_some() || !read.diagnostics.is_empty());
    // A caught panic is a bug, too: of the decoder, or of the check before it.
    assert!(
        read.diagnostics
            .iter()
            .all(|d| !d.message.contains("internal error"))
    );
});
