//! Imports in the designer, in the real program: a picture is chosen, imported, edited elsewhere and imported again.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use tempfile::TempDir;
use wallcrawler::Design;
use wallcrawler::geometry::Size;

use crate::harness::{CTRL_S, CTRL_U, DOWN, ENTER, ESC, Session, home, text_of};

/// Writes a picture in shades of grey, row by row.
fn picture(path: &Path, rows: u32, columns: u32, shade: impl Fn(u32, u32) -> u8) {
    let pixels: Vec<u8> = (0..rows)
        .flat_map(|x| (0..columns).map(move |y| (x, y)))
        .map(|(x, y)| shade(x, y))
        .collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, columns, rows);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&pixels).unwrap();
    writer.finish().unwrap();
    // Written whole or not at all, as drawing programs save.
    let beside = path.with_extension("part");
    fs::write(&beside, bytes).unwrap();
    fs::rename(beside, path).unwrap();
}

/// Writes a hall of 26 × 40 squares with a black ring, and in its sixth row a grey wall of a given length.
fn hall(home: &Rc<TempDir>, length: u32) {
    picture(&home.path().join("hall.png"), 26, 40, |x, y| {
        let is_ring = x == 0 || y == 0 || x == 25 || y == 39;
        match () {
            () if is_ring => 0,
            () if x == 5 && (10..10 + length).contains(&y) => 93,
            () => 255,
        }
    });
}

/// Opens a file in the import dialog.
fn open(session: &mut Session, name: &str) {
    session.press_for("o", "Open a design");
    session.press_for(&format!("./{name}{ENTER}"), &format!("Import {name}"));
}

#[test]
fn a_picture_is_imported_saved_and_imported_again_when_it_changes() {
    let home = home();
    hall(&home, 7);
    let mut session = Session::at_home(&home, 40, 120, &["--preset", "first-steps"]);
    session.go_to_the_end();
    open(&mut session, "hall.png");
    session.wait_for_text("26 × 40 squares · 7 wall tiles");
    // The import is what the preview shows: twice as large.
    session.press_for(&DOWN.repeat(6), "Enlarge each square to");
    session.press_for("2", "52 × 80 squares · 280 wall tiles");
    session.press_for(ENTER, "hall: a new design with 280 wall tiles");
    session.go_to_the_end();
    session.press_for("S", "hall.toml");
    session.press_for(ENTER, "saved: hall.toml");
    let saved = |home: &TempDir| text_of(&home.path().join("hall.toml")).parse::<Design>().unwrap();
    let first = saved(&home);
    assert_eq!((first.layout.size, first.layout.walls.len()), (Size::new(52, 80), 280));
    // The file changes: a new import is offered, and nothing changes until the user accepts it.
    hall(&home, 9);
    session.wait_for_text("hall.png was changed on disk: I imports it again (8 squares)");
    session.press_for("I", "hall.png imported again: 8 squares");
    session.press_for(CTRL_S, "saved: hall.toml");
    assert_eq!(saved(&home).layout.walls.len(), 288);
    // It is one undo step.
    session.press_for("u", "undone: hall.png imported again");
    session.press_for(CTRL_S, "saved: hall.toml");
    assert_eq!(saved(&home), first);
    // A broken file is reported, and the design stays as it is.
    fs::write(home.path().join("hall.png"), b"\x89PNG\r\n\x1a\nbroken").unwrap();
    session.wait_for_text("hall.png was changed on disk and cannot be imported");
    session.press_away(ESC, "cannot be imported");
    session.leave();
    assert_eq!(saved(&home), first);
}

#[test]
fn broken_and_huge_pictures_are_reported_while_keys_still_work() {
    let home = home();
    fs::write(home.path().join("broken.png"), b"\x89PNG\r\n\x1a\nbroken").unwrap();
    // Noise in which each pixel is a square: most of its millions of squares become walls.
    picture(&home.path().join("huge.png"), 3000, 3000, |x, y| {
        if (x * 7919 + y * 104_729) % 11 < 6 { 0 } else { 255 }
    });
    picture(&home.path().join("over.png"), 1, 40_000, |_, y| {
        if y % 3 == 0 { 0 } else { 255 }
    });
    let mut session = Session::at_home(&home, 40, 120, &["--preset", "first-steps"]);
    session.go_to_the_end();
    open(&mut session, "broken.png");
    session.wait_for_text("nothing to import");
    session.wait_for_text("cannot be read as a PNG picture");
    // There is nothing to import: the dialog stays open and responsive.
    session.press(ENTER);
    session.press_away(ESC, "Import broken.png");
    open(&mut session, "over.png");
    session.wait_for_text("40000 squares");
    session.press_away(ESC, "Import over.png");
    open(&mut session, "huge.png");
    // Options change while the file is read.
    session.press_for(&DOWN.repeat(3), "N × N pixels in");
    session.press_for("30", "100 × 100 squares");
    session.press_away(ESC, "Import huge.png");
    session.press_for("o", "Open a design");
    session.press(CTRL_U);
    session.press_away(ESC, "Open a design");
    session.leave();
}
