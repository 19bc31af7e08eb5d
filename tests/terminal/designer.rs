//! “The parts of the designer” of the guide, paragraph by paragraph.

use crate::harness::{
    ALT_9, CTRL_N, CTRL_S, CTRL_U, DOWN, ENTER, ESC, Session, TAB, castle, colours, home, marked, replace,
    set_step_length, text_of, turn, turns,
};
use crate::readme::{Chapter, says};
use wallcrawler::design::Design;

/// The stories of each paragraph, by the words with which the paragraph begins in the guide.
pub(crate) const STORIES: [Chapter; 11] = [
    ("The map", colours_and_zoom),
    ("Builders.", builders),
    ("Panes.", panes),
    ("Pixels.", crate::pixels::the_keep_fills_its_pane_at_120_by_40),
    ("Time", time_both_ways),
    ("Views", views),
    ("Parameters", numbers),
    ("Files.", files),
    ("Files.", other_programs),
    (
        "The terminal.",
        crate::conduct::the_terminal_is_asked_once_and_gets_whole_frames,
    ),
    ("Settings", settings),
];

/// The story of each paragraph about a new design.
pub(crate) const NEW_STORIES: [Chapter; 1] = [("A new design.", from_nothing_to_a_saved_file)];

#[test]
fn from_nothing_to_a_saved_file() {
    says(
        "If castle.toml does not exist, wallcrawler castle.toml also begins a new design, provided that its folder \
         exists; the file is written when you save.",
    );
    says("press d, C and Space to place a first Crawler at the cursor; its walls grow at once.");
    let home = home();
    let file = home.path().join("castle.toml");
    let mut session = Session::at_home(&home, 40, 120, &["castle.toml"]);
    session.wait_for_text("new file: castle.toml is written when you save it");
    session.wait_for_text("Press d, then C, then Space to place a Crawler");
    assert!(!file.exists(), "nothing is written before it is saved");
    session.press_for("dC ", "Crawler at row 30, column 45 added");
    session.wait_for("the first wall growing", |screen| {
        screen.contents().contains('▶') && turn(screen) > Some(3) && turn(screen) < turns(screen)
    });
    session.press_for(CTRL_S, "saved: castle.toml");
    let design: Design = text_of(&file).parse().unwrap();
    assert_eq!((design.name.as_str(), design.layout.crawlers.len()), ("castle", 1));
    // The dialog `New design` begins another design.
    session.press_away(ESC, "s select");
    session.press_for(CTRL_N, "New design");
    session.press(DOWN);
    session.press("40");
    session.press_for(ENTER, "untitled · 40 × 90");
    session.wait_for("its first wall", |screen| turn(screen) > Some(3));
    session.leave();
    // A file that was never saved does not exist.
    let session = Session::at_home(&home, 40, 120, &["other.toml"]);
    session.leave();
    assert!(!home.path().join("other.toml").exists());
}

#[test]
fn colours_and_zoom() {
    says("colours walls by generation, by age, by lineage");
    says(
        "x hides the generation of the tile under the cursor, and X hides all other generations. + and - or the mouse \
         wheel zoom from two characters per square to many squares per character, and a small map (n) shows which part \
         is visible.",
    );
    let mut session = Session::grown(40, 120, &[]);
    let by_generation = colours(session.screen()).len();
    for rule in ["age", "lineage", "kind", "digits"] {
        session.press_for("t", rule);
    }
    assert!(by_generation > 4, "generations have colours of their own");
    session.press("\x1bt\x1bt\x1bt\x1bt");
    // Generation 0 laid most of the walls; they disappear when this generation is hidden.
    let (row, col) = session.wall();
    let wall = move |screen: &vt100::Screen| screen.cell(row + 1, col).is_some_and(|cell| cell.contents() == "█");
    session.click((row, col));
    session.press("x");
    session.wait_for("generation 0 hidden", move |screen| !wall(screen));
    session.press("x");
    session.wait_for("generation 0 again", wall);
    session.press_for("X", "generation 0 only");
    session.press_away("X", "generation 0 only");
    for (key, size) in [
        ("+", "· full blocks"),
        ("-", "· half blocks"),
        ("-", "· 4 × 2 squares per character"),
    ] {
        session.press_for(key, size);
    }
    session.wheel_up((15, 30));
    session.wait_for_text("· half blocks");
    session.press_for("+", "· full blocks");
    session.press_and_see("n");
    session.press_and_see("n");
    session.leave();
}

#[test]
fn builders() {
    says(
        "B goes to the next living Builder, awake ones first. F follows the Builder under the cursor: the map keeps \
         it in the middle while time runs forwards or backwards. If you go to a time before its birth or after its death, \
         the designer still follows it when you return.",
    );
    let mut session = Session::grown(40, 120, &[]);
    session.press("g");
    session.wait_for("the start", |screen| turn(screen) == Some(0));
    session.press(".....");
    session.wait_for("a Builder at work", |screen| turn(screen) == Some(5));
    session.press_for("BF", "following");
    session.press("g");
    session.wait_for("the start", |screen| turn(screen) == Some(0));
    session.press_for("F", "stopped following");
    session.leave();
}

#[test]
fn panes() {
    says(
        "To set the width of the map yourself, drag its border or press Alt-→ and Alt-←. The next session uses the \
         same width; automatic panes in the palette resets it. Alt-f folds the views so that only their tabs remain, \
         and m hides all other panes",
    );
    let home = home();
    let mut session = Session::at_home(&home, 48, 160, &["--preset", "keep"]);
    session.wait_for_text("The keep · 55 × 110 · half blocks");
    let panel = |session: &Session| session.place("╭Stats").1;
    let automatic = panel(&session);
    session.press_away("\x1b[1;3D", "half blocks");
    session.wait_for_text("4 × 2 squares per character");
    session.press_for("\x1b[1;3C", "half blocks");
    assert_eq!(panel(&session), automatic);
    // The mouse drags the border, and back from outside it.
    session.drag(&[(20, automatic - 1), (20, 40), (20, automatic + 1)]);
    let dragged = automatic + 2;
    session.wait_for("a larger map", |screen| {
        screen.rows(dragged, 8).any(|row| row.starts_with("╭Stats"))
    });
    session.press_away("\x1bf", "Builder, asleep");
    session.leave();
    // The next session has the same panes.
    let mut session = Session::at_home(&home, 48, 160, &["--preset", "keep"]);
    session.wait_for_text("The keep · 55 × 110 · half blocks");
    assert_eq!(panel(&session), dragged);
    assert!(
        !session.screen().contents().contains("Builder, asleep"),
        "the views are folded"
    );
    session.press_for("\x1bf", "Builder, asleep");
    session.press(":");
    session.press_for("automatic panes", "as large as possible");
    session.press(ENTER);
    session.wait_for("the automatic panes", |screen| {
        screen.rows(automatic, 8).any(|row| row.starts_with("╭Stats"))
    });
    session.leave();
}

#[test]
fn time_both_ways() {
    says(
        "bookmarks (b); ( and ) go to the previous and the next change near the cursor; @ plays the growth in a \
         loop.",
    );
    says(
        "the designer keeps only checkpoints for turns that are far from the turn shown, and grows these turns again \
         when you go to them.",
    );
    let mut session = Session::grown(40, 120, &[]);
    let end = turns(session.screen()).unwrap();
    session.click(session.wall());
    session.wait_for_text("wall of generation 0");
    session.press("(");
    session.wait_for("the change before", |screen| turn(screen) < Some(end));
    let change = turn(session.screen()).unwrap();
    session.press_and_see("b");
    session.press("g");
    session.wait_for("the start", |screen| turn(screen) == Some(0));
    session.press(")");
    session.wait_for("a change", |screen| {
        turn(screen) > Some(0) && turn(screen) <= Some(change)
    });
    session.press_and_see("@");
    session.press("g]]]]]] ");
    session.wait_for("the end", |screen| turn(screen) > Some(end / 2));
    session.wait_for("the start again", |screen| turn(screen) < Some(end / 2));
    session.leave();
}

#[test]
fn views() {
    says(
        "Legend, Inspect (why a wall is there), Events (what happened, by kind, generation and place), Plots \
         (Builders, births, deaths and tiles over time), Plan (computed from the design alone: when each first \
         Crawler and its descendants act, and which generation spawns which), History (every edit; select one to \
         return to it)",
    );
    let mut session = Session::grown(40, 120, &[]);
    session.press_for("e", "Events");
    session.wait_for_text("1 births");
    session.press_and_see("1");
    session.press_and_see("1");
    session.press_for(ALT_9, "deaths");
    session.press_for("i", "at (");
    session.press_for("y", "as it was opened");
    set_step_length(&mut session, '7');
    session.press_for("y", "6 → 7");
    // Back to the design as it was opened, and forward again.
    session.press_and_see("\x1b[H");
    session.press_away(ENTER, "● ·");
    session.press(DOWN);
    session.press_for(ENTER, "● ·");
    session.press_for("\x1b6", "Builder, asleep");
    session.leave_it_unsaved();
}

#[test]
fn numbers() {
    says(
        "can be reset (r), copied to other generations (C), changed by a rule such as CorridorWidth 4 -> 3 (/), and \
         varied at random until you like the dungeon (V).",
    );
    let mut session = Session::grown(40, 120, &[]);
    session.press_for(TAB, "Enter edit");
    session.press_for("r", "6 → 4");
    session.press_for("C", "to the next");
    session.press_away("n", "to the next");
    session.wait_for_text("generation 1");
    session.press_for("/", "MaxAge *2");
    session.press_for("StepLength 4 -> 5\r", "4 -> 5: 2 values");
    session.press_for("V", "another");
    session.press_for("V", "discard");
    session.press_away(ENTER, "discard");
    session.leave_it_unsaved();
}

#[test]
fn files() {
    says(
        "The open dialog (o) lists recent designs, folders and presets, and shows a picture of the selected design's \
         dungeon. If you open a rooms file (a layout in the format of DungeonMaker), the designer also opens the \
         matching stats file in the same folder, such as stats4 for rooms4.",
    );
    says(
        "The first save of a file in a session keeps the previous version as a backup, for instance castle.toml~ beside \
         castle.toml. P exports text, pictures, animations, maps for game tools, or a copy of the design in other \
         formats.",
    );
    let home = home();
    let path = castle(&home);
    let mut session = Session::at_home(&home, 40, 120, &["castle.toml"]);
    set_step_length(&mut session, '7');
    session.press_for("\x13", "saved: castle.toml");
    assert!(text_of(&path).contains("step_length = 7"));
    assert!(text_of(&home.path().join("castle.toml~")).contains("step_length = 4"));
    session.press_for("PG", "A copy in rooms, stats and constants files.");
    // To the first path field.
    session.press(TAB);
    session.press(CTRL_U);
    session.press("rooms4");
    session.press(DOWN);
    session.press(CTRL_U);
    session.press("stats4");
    session.press(DOWN);
    session.press(CTRL_U);
    session.press_for(ENTER, "Written, with exceptions");
    session.press_away(ESC, "Written, with exceptions");
    assert!(home.path().join("stats4").exists(), "the copy is there");
    session.press_for("o", "Built-in presets");
    session.wait_for_text("rooms4");
    // Found by a part of its name; its picture is grown.
    session.press("rooms4");
    session.wait_for_text("squares · ");
    session.press_away(ENTER, "squares · ");
    session.wait_for_text("rooms4 ·");
    session.leave();
}

#[test]
fn other_programs() {
    says(
        "You can edit the file in your own editor while the designer is open: it reloads the file whenever you save \
         it.",
    );
    let home = home();
    let path = castle(&home);
    let mut session = Session::at_home(&home, 40, 120, &["castle.toml"]);
    session.go_to_the_end();
    set_step_length(&mut session, '7');
    session.press_for("\x13", "saved: castle.toml");
    replace(&path, &marked(9));
    session.wait_for_text("changed on disk; the dungeon was grown again");
    // Undo restores the design from before the reload, and the other program's version is not lost.
    session.press_for("u", "undone");
    replace(&path, &marked(8));
    session.wait_for_text("mine");
    session.press_for("t", "using the file's version; undo restores yours");
    session.press_for("u", "undone");
    // A broken file leaves the last valid design as it is.
    replace(&path, "seed = [");
    session.wait_for_text("(see Problems); showing the last valid version");
    replace(&path, &marked(6));
    session.wait_for_text("Changed on both sides");
    session.wait_until_gone("has errors");
    session.press_for("m", "using your version, not saved yet");
    session.press("q");
    session.wait_for_text("Unsaved changes");
    session.press("s");
    assert_eq!(session.wait_for_end(), 0);
    assert!(text_of(&path).contains("step_length = 7"));
}

#[test]
fn settings() {
    says(
        "wallcrawler settings --write writes a commented file for keys, colours, pixels, mouse, the memory limit of \
         recordings, autosave and backups. The designer reads this file at startup and whenever it is created or \
         changed; invalid entries are reported, and their defaults apply.",
    );
    let home = home();
    let config = home.path().join("config/wallcrawler/config.toml");
    let mut session = Session::at_home(&home, 40, 120, &[]);
    session.go_to_the_end();
    // A settings file created while the designer runs is read, even if its folders did not exist.
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    replace(&config, "[keys]\neverywhere.play = \"F9\"\n");
    session.wait_for_text("F9 play");
    // Settings about the mouse also apply immediately.
    replace(&config, "[recording]\nmemory = 64\n[screen]\nmouse = false\n");
    session.wait_for("the mouse to be the terminal's", |screen| {
        screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    });
    replace(&config, "");
    session.wait_for("the mouse to be the designer's", |screen| {
        screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None
    });
    replace(&config, "[keys]\neverywhere.play = \"F8\"\n");
    session.wait_for_text("F8 play");
    replace(&config, "[keys]\neverywhere.plai = \"F8\"\n");
    session.wait_for_text("settings: 1 problem");
    session.press_for("\x1b5", "plai");
    session.press_away(ESC, "settings: 1 problem");
    session.leave();
}
