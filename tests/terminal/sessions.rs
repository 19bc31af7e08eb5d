//! Five typical first sessions of a user who has never opened the help. Each counts its keys: at one key per second,
//! none takes two minutes.

use wallcrawler::design::Design;

use crate::harness::{
    CTRL_S, CTRL_U, DOWN, ENTER, ESC, RIGHT, Session, TAB, hall, home, is_grown, replace, text_of, turn, turns,
    wait_until,
};

/// A session that counts the keys pressed in it.
struct Counted {
    session: Session,
    keys: usize,
}

/// The most keys of a session.
const MOST: usize = 60;

impl Counted {
    fn new(session: Session) -> Self {
        Self { session, keys: 0 }
    }

    /// Presses keys, each an item, and waits for a text.
    fn keys(&mut self, keys: &[&str], text: &str) {
        self.count(keys);
        for key in keys {
            self.session.press(key);
        }
        self.session.wait_for_text(text);
    }

    /// Types a text, and waits for another one.
    fn types(&mut self, typed: &str, text: &str) {
        let letters: Vec<String> = typed.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        self.keys(&letters, text);
    }

    fn count(&mut self, keys: &[&str]) {
        assert!(
            keys.iter().all(|key| *key != "?" && *key != "\x1bOP"),
            "no help is opened"
        );
        self.keys += keys.len();
    }

    /// Ends the session, which has no unsaved changes.
    #[expect(clippy::print_stdout, reason = "the sessions measure the numbers of keys")]
    fn ends(mut self, name: &str) {
        self.keys += 1;
        assert!(self.keys <= MOST, "{name}: {} keys", self.keys);
        // Shown with --nocapture: the numbers in the guide and in reports.
        println!("{name}: {} keys", self.keys);
        self.session.leave();
    }
}

#[test]
fn from_a_new_design_to_a_saved_file() {
    let home = home();
    let file = home.path().join("castle.toml");
    let mut user = Counted::new(Session::at_home(&home, 40, 120, &["castle.toml"]));
    user.session
        .wait_for_text("Press d, then C, then Space to place a Crawler");
    user.keys(&["d", "C", " "], "Crawler at row 30, column 45 added");
    user.session.wait_for("its wall", |screen| turn(screen) > Some(3));
    user.keys(&[ESC], "Space play");
    // The palette finds the command by this word.
    user.keys(&[":"], "Commands");
    user.types("resize", "resize");
    user.keys(&[ENTER], "dimX");
    user.types("50", "Enter accept");
    user.keys(&[ENTER], "60 → 50");
    user.keys(&[CTRL_S], "saved: castle.toml");
    let design: Design = text_of(&file).parse().unwrap();
    assert_eq!((design.layout.size.x, design.layout.crawlers.len()), (50, 1));
    user.ends("new design to saved file");
}

#[test]
fn tweak_and_compare() {
    let home = home();
    let mut user = Counted::new(Session::at_home(&home, 40, 120, &["--preset", "first-steps"]));
    user.session.go_to_the_end();
    user.keys += 1;
    let before = turns(user.session.screen());
    user.keys(&[TAB], "Enter edit");
    user.keys(&["9", ENTER], "→ 9");
    user.session.wait_for_another_growth(before);
    user.keys(&["Z"], "before and after the last edit");
    user.session.wait_for_text("chance alone causes such a difference");
    // The maps alone, then the metrics, then both.
    user.keys(&[TAB], "Tab metrics or maps");
    user.session.wait_until_gone("chance alone");
    user.keys(&[TAB], "chance alone");
    user.keys(&["1"], "undone: StepLength of generation 0");
    user.session.wait_for("the growth before", |screen| {
        is_grown(screen) && turns(screen) == before
    });
    user.ends("tweak and compare");
}

#[test]
fn find_out_why_and_change_it() {
    let home = home();
    let mut user = Counted::new(Session::at_home(&home, 40, 120, &[]));
    user.session.go_to_the_end();
    user.keys += 1;
    let before = turns(user.session.screen());
    // A click on a wall.
    user.session.click(user.session.wall());
    user.session.wait_for_text("wall of generation 0");
    user.keys += 1;
    user.keys(&[ENTER], "by Crawler #1");
    user.session.wait_for_text(" of 300, heading");
    user.keys(&["\x1b1"], "Enter edit");
    user.keys(&["9", ENTER], "StepLength of generation 0: 6 → 9");
    user.session.wait_for_another_growth(before);
    user.keys(&[ESC], "Space play");
    user.keys(&["w"], "changed by the edit");
    user.keys(&["w", "u"], "undone: StepLength of generation 0");
    user.ends("find out why and change it");
}

#[test]
fn draw_rooms_and_doors() {
    let home = home();
    let file = home.path().join("rooms.toml");
    let mut user = Counted::new(Session::at_home(&home, 40, 120, &["rooms.toml"]));
    user.session
        .wait_for_text("Press d, then C, then Space to place a Crawler");
    // Draw a room around the cursor, from its centre to a wall four squares to the right.
    user.keys(&["d", "r"], "W doors");
    user.keys(&[ENTER], "Enter applies, Esc cancels");
    user.keys(&[RIGHT, RIGHT, RIGHT, RIGHT, ENTER], "added (limit raised to");
    // Larger doors, then one site less.
    user.keys(&["W"], "doors of room 1");
    user.keys(&["n", "x"], "of room 1");
    // A wall by hand.
    user.keys(&["w", ENTER, DOWN, DOWN, ENTER], "wall");
    user.keys(&[ESC], "Space play");
    user.keys(&[CTRL_S], "saved: rooms.toml");
    let design: Design = text_of(&file).parse().unwrap();
    assert_eq!(design.layout.rooms.len(), 1);
    assert_eq!(design.layout.walls.len(), 3, "{:?}", design.layout.walls);
    user.ends("draw rooms and doors");
}

#[test]
fn open_break_and_repair_a_file() {
    let home = home();
    let file = hall(&home, "\"reachable\"");
    let text = text_of(&file);
    let mut user = Counted::new(Session::at_home(&home, 40, 120, &[]));
    user.session.go_to_the_end();
    user.keys += 1;
    user.keys(&["o"], "Built-in presets");
    user.keys(&[CTRL_U], "Built-in presets");
    user.types("hall.toml", "hall.toml");
    user.keys(&[ENTER], "hall.toml · 30 × 30");
    // An editor breaks the file; the message says where.
    replace(&file, &text.replace("dim_x = 30", "dim_x = = 30"));
    user.session
        .wait_for_text("(see Problems); showing the last valid version");
    user.keys(&["\x1b5"], "hall.toml:5");
    replace(&file, &text.replace("dim_x = 30", "dim_x = 40"));
    user.session.wait_for_text("hall.toml · 40 × 30");
    user.keys(&["\x1b2"], "40 × 30");
    user.session.wait_until_gone("has errors");
    // The user's own change, saved over the repaired file.
    user.keys(&["\x1b1"], "Enter edit");
    user.keys(&["7", ENTER], "→ 7");
    user.keys(&[CTRL_S], "saved: hall.toml");
    wait_until("the file", || text_of(&file).contains("dim_x = 40"));
    user.ends("open, break and repair a file");
}
