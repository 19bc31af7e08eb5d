//! Any bytes as a TOML design: read, edited, and updated.
//!
//! The edits are derived from the end of the text itself, so that a corpus consists of plain files.

#![no_main]

use libfuzzer_sys::{arbitrary::Unstructured, fuzz_target};
use wallcrawler::design::{Design, List};
use wallcrawler::format::{Text, native};
use wallcrawler::geometry::Point;
use wallcrawler_fuzz::{check, text};

fuzz_target!(|bytes: &[u8]| {
    let text = text(bytes);
    check(&native::parse(&text), &text);
    // Saving works on characters, whatever the bytes were.
    let text = Text::new("f", text.content());
    let parsed = native::parse(&text);
    let unchanged = native::update(text.content(), &parsed.value);
    assert_eq!(unchanged.is_ok(), parsed.is_usable(), "{:?}", parsed.diagnostics);
    if !parsed.is_usable() {
        return;
    }
    holds(&unchanged.unwrap_or_default(), &parsed.value);
    holds(&native::write(&parsed.value), &parsed.value);
    let mut design = parsed.value;
    edit(&mut design, &bytes[bytes.len().saturating_sub(12)..]);
    let updated = native::update(text.content(), &design).expect("a usable text can be updated");
    holds(&updated, &design);
});

/// Checks that reading the text gives the design.
fn holds(updated: &str, design: &Design) {
    let raised = |design: &Design| {
        let mut design = design.clone();
        design.layout.limits = design.layout.limits.raised_for(&design.layout);
        design
    };
    let again = native::parse(&Text::new("again", updated));
    assert!(again.is_usable(), "{:?}\n{updated}", again.diagnostics);
    assert_eq!(raised(&again.value), raised(design), "{updated}");
}

/// Applies two changes that an author makes in the panels.
fn edit(design: &mut Design, choices: &[u8]) {
    let mut choices = Unstructured::new(choices);
    let mut below = |n: usize| choices.int_in_range(0..=n.saturating_sub(1)).unwrap_or(0);
    for _ in 0..2 {
        let list = List::ALL[below(List::ALL.len())];
        let length = list.len(&design.layout);
        match below(5) {
            0 => list.insert(
                &mut design.layout,
                below(length + 1),
                Some(Point::new(below(90) as i32, 7)),
            ),
            1 => list.remove(&mut design.layout, below(length.max(1))),
            2 => list.swap(&mut design.layout, below(length.max(1)), below(length.max(1))),
            3 => design.name = ["", "new", "'\"\\\n"][below(3)].into(),
            _ => {
                let entries = design.entries();
                let entry = entries[below(entries.len())];
                let parameter = entry.parameters()[below(entry.parameters().len())];
                design.set(entry, parameter, below(200) as i32 - 100);
            }
        }
    }
}
