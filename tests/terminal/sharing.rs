//! Exports from the designer, in the real program; third-party programs read the results.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use tempfile::TempDir;
use wallcrawler::presets::Preset;

use crate::harness::{DOWN, ENTER, ESC, Session, TAB, home, set_step_length, turn, turns};

/// Starts the designer on a preset, in a home that is also its working directory.
fn session(home: &Rc<TempDir>) -> Session {
    let mut session = Session::at_home(home, 40, 120, &["--preset", "first-steps"]);
    session.go_to_the_end();
    session
}

/// Returns the files in a folder that an export may have left behind, hidden ones included.
fn left_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut left: Vec<String> = names
        .filter(|name| name.contains('.') && name != ".config" && name != ".local")
        .collect();
    left.sort();
    left
}

#[test]
fn exported_pictures_and_maps_are_read_by_other_programs() {
    let home = home();
    let mut session = session(&home);
    let design = Preset::find("first-steps").unwrap().design();
    let stem = format!("first-steps-{}", design.seed);
    let (rows, columns) = (design.layout.size.x as u32, design.layout.size.y as u32);
    // Four pixels per square, typed.
    session.press_for("P", "A picture.");
    session.press_for(TAB, "‹");
    session.press(DOWN);
    session.press(DOWN);
    session.press_for(DOWN, "Pixels along");
    session.press_for("4", "4 pixels per square");
    session.wait_for_text(&format!("{} × {} pixels", columns * 4, rows * 4));
    session.press_for(ENTER, &format!("written: {stem}.png"));
    let file = fs::File::open(home.path().join(format!("{stem}.png"))).unwrap();
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((frame.width, frame.height), (columns * 4, rows * 4));
    let colours: std::collections::HashSet<u8> = pixels.iter().copied().collect();
    assert!(colours.len() > 2, "walls of generations on a ground");
    // A Tiled map, chosen by mouse, with its tileset.
    // The buttons are drawn last.
    session.press_for("P", "Esc cancel ─");
    session.click(session.place("   tmx"));
    session.wait_for_text(&format!("also writes {stem}.tiles.png ("));
    session.press_for(ENTER, &format!("written: {stem}.tmx"));
    let map = tiled::Loader::new()
        .load_tmx_map(home.path().join(format!("{stem}.tmx")))
        .unwrap();
    assert_eq!((map.width, map.height), (columns, rows));
    // The same file again with another dungeon, without a question.
    let before = fs::read(home.path().join(format!("{stem}.tmx"))).unwrap();
    let grown = turns(session.screen());
    set_step_length(&mut session, '7');
    session.wait_for_another_growth(grown);
    session.wait_for("its end", |screen| turn(screen) == turns(screen));
    session.press_for("\x05", &format!("written: {stem}.tmx"));
    assert_ne!(fs::read(home.path().join(format!("{stem}.tmx"))).unwrap(), before);
    assert_eq!(
        left_in(home.path()),
        [
            format!("{stem}.png"),
            format!("{stem}.tiles.png"),
            format!("{stem}.tmx")
        ]
    );
    session.leave_it_unsaved();
    // The next session begins with the options of this one.
    let mut session = self::session(&home);
    session.press_for("P", "A Tiled map, and");
    session.press_away(ESC, "A Tiled map, and");
    session.leave();
}

#[test]
fn a_cancelled_export_leaves_no_file_and_quitting_asks() {
    let home = home();
    let mut session = session(&home);
    let giant = |session: &mut Session| {
        session.press_for("P", "A picture.");
        session.press_for(TAB, "‹");
        session.press(DOWN);
        session.press(DOWN);
        session.press_for(DOWN, "Pixels along");
        session.press_for("4096", "4,096 pixels per square");
        // So large that it is cancelled before it is finished.
        session.press_for(ENTER, "% ×");
    };
    giant(&mut session);
    assert_eq!(left_in(home.path()).len(), 1, "it is written under another name");
    // Work continues meanwhile.
    session.press_for("gG", "turn");
    session.press_for("\x18", "was not written");
    crate::harness::wait_until("the half file to be gone", || left_in(home.path()).is_empty());
    giant(&mut session);
    session.press_for("q", "has not been written");
    session.press_away(ESC, "has not been written");
    session.press_for("q", "has not been written");
    session.press("e");
    assert_eq!(session.wait_for_end(), 0);
    assert!(left_in(home.path()).is_empty(), "{:?}", left_in(home.path()));
}
