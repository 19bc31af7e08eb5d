//! The map in pixels, in a terminal that shows pictures.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::harness::{ENTER, ESC, Session, TAB, argument, castle, home, is_grown, set_step_length, wait_until};
use super::outside::{made, run};
use super::pictures::{CELL, Pictures, compose, placeholder};
use super::readme::says;

/// The terminal core of Ghostty and the other packages that `ghostty.py` needs, which pip installs once into the build
/// folder.
const PACKAGES: [&str; 4] = ["pyghostty==0.1.3", "cffi", "pycparser", "pillow"];

#[test]
fn the_terminal_core_of_ghostty_stores_and_places_what_is_sent() {
    let make = |folder: &Path| {
        run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip.args(["--timeout", "10", "--retries", "0"]).args(PACKAGES);
        run(&mut pip).map(drop)
    };
    let usable = |folder: &Path| {
        let mut python = Command::new(folder.join("bin/python"));
        run(python.args(["-c", "import pyghostty.core, PIL.Image"])).map(drop)
    };
    let Some(folder) = made("terminal-ghostty", &PACKAGES, make, usable) else {
        return;
    };
    let home = home();
    let mut python = Command::new(folder.join("bin/python"));
    python.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal/ghostty.py"));
    python.arg(env!("CARGO_BIN_EXE_wallcrawler")).arg(home.path());
    python.args(std::env::var_os("WALLCRAWLER_PICTURES"));
    run(&mut python).unwrap();
}

/// Starts the designer in a terminal that shows pictures. On a busy machine the terminal may answer too late; the
/// designer then draws the map with characters, and is started again.
pub(crate) fn opened(start: impl Fn() -> Session, name: &'static str, refuses: Option<&'static str>) -> Session {
    for _ in 0..20 {
        let mut session = start();
        let mut pictures = Pictures::new(name, CELL);
        pictures.refuses = refuses;
        session.pictures = Some(pictures);
        session.wait_for("the map", |screen| {
            let text = screen.contents();
            ["per square", "per pixel", "per character", " blocks "]
                .iter()
                .any(|scale| text.contains(scale))
        });
        // The title of a map that is drawn with characters states squares per character instead.
        let text = session.screen().contents();
        if [" pixels per square", " pixel per square", " squares per pixel"]
            .iter()
            .any(|scale| text.contains(scale))
        {
            return session;
        }
    }
    panic!("the terminal never answered in time");
}

/// Starts the designer in a terminal that shows pictures, and pauses it at the end of a fully recorded growth.
fn grown(rows: u16, cols: u16, arguments: &[&str]) -> Session {
    let mut session = opened(|| Session::open(rows, cols, arguments), "kitty(0.40.0)", None);
    session.go_to_the_end();
    session
}

/// Waits until every placeholder has its picture and nothing more is sent, and returns the screen in pixels.
fn composed(session: &mut Session) -> Vec<Vec<[u8; 3]>> {
    let mut last = (None, 0);
    loop {
        session.wait_a_moment();
        let pictures = session.pictures.as_ref().unwrap();
        let now = (compose(pictures, session.screen()), pictures.sent);
        if now == last
            && let Some(image) = now.0
        {
            return image;
        }
        last = now;
    }
}

/// Returns the columns and rows of the screen that the picture covers.
fn covered(session: &Session) -> (usize, usize) {
    let (rows, cols) = session.screen().size();
    let is_picture = |row, col| session.screen().cell(row, col).and_then(placeholder).is_some();
    let columns = (0..cols.get()).filter(|col| (0..rows.get()).any(|row| is_picture(row, *col)));
    let lines = (0..rows.get()).filter(|row| (0..cols.get()).any(|col| is_picture(*row, col)));
    (columns.count(), lines.count())
}

/// Writes a picture to the folder in WALLCRAWLER_PICTURES, for inspection.
fn keep(name: &str, image: &[Vec<[u8; 3]>]) {
    let Some(folder) = std::env::var_os("WALLCRAWLER_PICTURES") else {
        return;
    };
    let file = std::fs::File::create(std::path::Path::new(&folder).join(name)).unwrap();
    let mut encoder = png::Encoder::new(file, image[0].len() as u32, image.len() as u32);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let bytes: Vec<u8> = image.iter().flatten().flatten().copied().collect();
    writer.write_image_data(&bytes).unwrap();
}

#[test]
pub(crate) fn the_keep_fills_its_pane_at_120_by_40() {
    says("A square can be any whole number of pixels wide, so the dungeon fills its pane at every size");
    says("Text and dialogs are drawn over the picture.");
    let mut session = grown(40, 120, &["--preset", "keep"]);
    session.wait_for_text("pixels per square");
    let image = composed(&mut session);
    keep("keep.png", &image);
    let (columns, rows) = covered(&session);
    assert!(columns >= 65 && rows >= 17, "{columns} × {rows}");
    // Walls of several generations are there, in their colours.
    let mut colors: Vec<[u8; 3]> = image.concat();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() > 8, "{}", colors.len());
    // A key changes the tiles around the cursor and no others.
    let (bytes, sent) = session.pictures.as_ref().map(|all| (all.bytes, all.sent)).unwrap();
    session.press_and_see("l");
    let moved = composed(&mut session);
    assert_ne!(moved, image);
    let pictures = session.pictures.as_ref().unwrap();
    assert!((1..=4).contains(&(pictures.sent - sent)), "{}", pictures.sent - sent);
    assert!(pictures.bytes - bytes < 12_000, "{}", pictures.bytes - bytes);
    session.press_and_see("h");
    assert!(composed(&mut session) == image, "the picture is as it was");
    // The palette covers a part of the picture, which is shown again when the palette closes.
    session.press_for(":", "type part of a name");
    keep("palette.png", &composed(&mut session));
    session.press_away(ESC, "type part of a name");
    assert!(composed(&mut session) == image, "the picture is as it was");
    // Zooming in and out goes through numbers of pixels.
    session.press_for("+", "pixels per square");
    composed(&mut session);
    session.press_for("------", "2 × 2 squares per pixel");
    keep("far.png", &composed(&mut session));
    session.press_for("0", "pixels per square");
    // A command of the palette draws the map with characters.
    session.press(":");
    session.press_for("pixels and characters", "between pixels and characters");
    session.press_for(ENTER, "map drawn with characters");
    assert_eq!(covered(&session), (0, 0));
    session.press("q");
    session.wait_for_end();
    assert_eq!(
        session.pictures.as_ref().unwrap().count(),
        0,
        "the pictures are removed"
    );
}

#[test]
fn both_maps_of_a_comparison_are_pixels() {
    let mut session = grown(40, 120, &["--preset", "first-steps"]);
    set_step_length(&mut session, '6');
    session.press_for("Z", "Over 100 seeds");
    let both = composed(&mut session);
    keep("compare.png", &both);
    let (columns, rows) = covered(&session);
    assert!(columns > 90, "{columns}");
    session.press_away(TAB, "Over 100 seeds");
    let maps = composed(&mut session);
    keep("compare-maps.png", &maps);
    assert_ne!(both, maps);
    assert!(covered(&session).1 > rows, "{rows}");
    // Playback redraws both maps from their start.
    let sent = session.pictures.as_ref().unwrap().sent;
    session.press("g ");
    session.wait_for_pictures("the growing walls", |pictures| pictures.sent > sent + 20);
    session.press_away(ESC, "Compare");
    session.wait_for_text("pixels per square");
    composed(&mut session);
    session.leave_it_unsaved();
}

#[test]
fn a_dungeon_is_shown_in_pixels_while_it_grows() {
    let mut session = opened(|| Session::open(40, 120, &["--preset", "keep"]), "ghostty 1.1.3", None);
    session.wait_for("the growth", is_grown);
    let sent = session.pictures.as_ref().unwrap().sent;
    session.press("g ");
    session.wait_for_pictures("the growing walls", |pictures| pictures.sent > sent + 100);
    session.leave();
}

#[test]
fn suspending_removes_the_pictures_and_continuing_sends_them_again() {
    let home = home();
    let path = castle(&home);
    let start = || Session::at_home(&home, 40, 120, &[argument(&path)]);
    let mut session = opened(start, "kitty(0.28.0)", None);
    session.go_to_the_end();
    let image = composed(&mut session);
    session.press(":");
    session.press_for("suspend", "Suspend the program");
    session.press(ENTER);
    session.wait_for("the shell's screen", |screen| !screen.alternate_screen());
    wait_until("its stop", || session.is_stopped());
    assert_eq!(session.pictures.as_ref().unwrap().count(), 0);
    session.signal("-CONT");
    session.wait_for("the designer", |screen| screen.alternate_screen() && is_grown(screen));
    assert!(composed(&mut session) == image, "the picture is as it was");
    session.leave();
}

#[test]
fn another_size_of_the_window_gets_another_picture() {
    let mut session = grown(40, 120, &["--preset", "keep"]);
    composed(&mut session);
    let before = covered(&session);
    session.resize(24, 80);
    session.wait_for("the smaller map", |screen| {
        screen.size().0.get() == 24 && screen.contents().contains("per square")
    });
    keep("small.png", &composed(&mut session));
    let after = covered(&session);
    assert!(after.0 < before.0 && after.1 < before.1, "{before:?} {after:?}");
    session.leave();
}

#[test]
fn a_terminal_that_refuses_a_picture_gets_characters() {
    let start = || Session::open(40, 120, &["--preset", "keep"]);
    let mut session = opened(start, "kitty(0.40.0)", Some("ENOSPC:no room"));
    session.wait_for_text("the terminal refused a picture");
    session.wait_for_text("half blocks");
    assert_eq!(covered(&session), (0, 0));
    session.leave();
}

/// Returns all output of a session until the map is shown.
fn output_of(settings: &str, name: &'static str, script: &str) -> Vec<u8> {
    let home = home();
    let folder = home.path().join("config/wallcrawler");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), settings).unwrap();
    let mut session = Session::scripted(&home, 40, 120, script);
    session.pictures = Some(Pictures::new(name, CELL));
    session.go_to_the_end();
    thread::sleep(Duration::from_millis(1));
    session.drain()
}

#[test]
fn pictures_are_shown_where_the_terminal_and_the_settings_allow_it() {
    let shows = |output: &[u8]| String::from_utf8_lossy(output).contains('\u{10eeee}');
    let asks = |output: &[u8]| String::from_utf8_lossy(output).contains("\x1b_G");
    let plain = "exec \"$0\" --preset keep";
    // A terminal that answers but may not know placeholders gets pictures only if the settings say so.
    let wezterm = output_of("", "WezTerm 20240203", plain);
    assert!(asks(&wezterm) && !shows(&wezterm));
    // On a busy machine the terminal may answer too late.
    let wanted = || output_of("[screen]\npixels = \"on\"\n", "WezTerm 20240203", plain);
    assert!((0..20).any(|_| shows(&wanted())));
    assert!(!asks(&output_of(
        "[screen]\npixels = \"off\"\n",
        "kitty(0.40.0)",
        plain
    )));
    // tmux would show the question as its title.
    assert!(!asks(&output_of(
        "",
        "kitty(0.40.0)",
        "TMUX=/tmp/t,1,0 exec \"$0\" --preset keep"
    )));
    // Without colours or with only sixteen, characters show signs that a map in pixels lacks.
    assert!(!shows(&output_of(
        "",
        "kitty(0.40.0)",
        "NO_COLOR=1 exec \"$0\" --preset keep"
    )));
}

#[test]
fn a_square_is_selected_by_a_click_on_its_pixels() {
    let mut session = grown(40, 120, &["--preset", "keep"]);
    session.wait_for_text("pixels per square");
    let before = composed(&mut session);
    let (row, col) = (12, 20);
    assert!(session.screen().cell(row, col).and_then(placeholder).is_some());
    session.click((row, col));
    session.wait_for_text("squares");
    let after = composed(&mut session);
    // The frame of the cursor is now around that character.
    let changed = |x: usize, y: usize| before[y][x] != after[y][x];
    let around = (usize::from(row) * CELL.1, usize::from(col) * CELL.0);
    let near = (around.0..around.0 + CELL.1).any(|y| (around.1..around.1 + CELL.0).any(|x| changed(x, y)));
    assert!(near);
    session.leave();
}
