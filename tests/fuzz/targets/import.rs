//! Any bytes as a drawing of any kind; the result becomes a design that can be grown.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wallcrawler::import::{self, ImportOptions, Placement};

fuzz_target!(|bytes: &[u8]| {
    let Some((how, bytes)) = bytes.split_first() else {
        return;
    };
    let options = ImportOptions {
        invert: how & 1 != 0,
        trim: how & 2 != 0,
        scale: (how & 4 != 0).then_some(2),
        walls: (how & 8 != 0).then(|| "1-3".into()),
        ..ImportOptions::default()
    };
    let names = ["a.txt", "a.png", "a.tmx", "a.tmj", "a.csv"];
    let name = names[usize::from(how >> 4) % names.len()];
    // Every file that the drawing refers to is the drawing itself; no such chain may be endless.
    let read = import::read(name, bytes.to_vec(), &options, &mut |_| Ok(bytes.to_vec()));
    let Some(drawing) = read.drawing else {
        assert!(!read.diagnostics.is_empty(), "an unreadable drawing has no diagnostic");
        return;
    };
    if let Ok(mut placed) = Placement::default().alone(&drawing, "a") {
        let first = import::first_crawler(&placed.design);
        placed.design.layout.crawlers.extend(first);
        assert!(placed.design.validate(None).design.is_some());
    }
});
