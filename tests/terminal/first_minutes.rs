//! “The first five minutes” of the guide, step by step.

use wallcrawler::design::Design;
use wallcrawler::storage::DesignFiles;

use crate::harness::{
    ALT_1, ALT_2, CTRL_S, CTRL_T, CTRL_U, DOWN, ENTER, ESC, LEFT, RIGHT, Session, TAB, UP, generation, home, is_grown,
    kept, replace, text_of, turn, turns, wait_until,
};
use crate::readme::{Chapter, says};

/// The story of each step, by the step's name in the guide.
pub(crate) const STORIES: [Chapter; 8] = [
    ("Watch.", watch),
    ("Step.", step),
    ("Ask why.", ask_why),
    ("Change a number.", change_a_number),
    ("Draw.", draw),
    ("Roll again.", roll_again),
    ("Place a vault.", place_a_vault),
    ("Save.", save),
];

#[test]
fn watch() {
    says(
        "one Crawler winds inwards lap by lap, and then its babies wake. Space pauses and plays; [ and ] slow down \
         and speed up.",
    );
    let mut session = Session::start(40, 120);
    session.wait_for_text("Ammonite");
    session.wait_for("growth that plays by itself", |screen| turn(screen) > Some(20));
    session.press_for(" ", "‖ turn");
    session.press_for(" ", "▶ turn");
    session.press_for("]", "100 turns a second");
    session.press_for("[", "50 turns a second");
    session.press("]]]");
    // At this speed a generation may begin and end between two frames on a busy machine.
    session.wait_for("babies that wake", |screen| generation(screen) >= Some(1));
    session.leave();
}

#[test]
fn step() {
    says(
        ", and . go one turn back or forward, < and > one iteration (a turn of every Builder that is awake), { and \
         } one generation; g and G go to the start and the end. You can also drag the timeline.",
    );
    let mut session = Session::grown(40, 120, &[]);
    let end = turns(session.screen()).unwrap();
    for (key, at) in [
        (",", end - 1),
        (",", end - 2),
        (".", end - 1),
        ("g", 0),
        (".", 1),
        ("G", end),
    ] {
        session.press(key);
        session.wait_for("the turn", |screen| turn(screen) == Some(at));
    }
    session.press("g");
    session.wait_for_text("iteration 0 ");
    session.press_for(">", "iteration 1 ");
    session.press_for("<", "iteration 0 ");
    session.press_for("}", "generation 1  ");
    session.press_for("{", "generation 0  ");
    session.push_down(session.bar(100));
    session.wait_for("a late turn", |screen| turn(screen) > Some(end / 2));
    session.drag_to(session.bar(40));
    session.wait_for("an early turn", |screen| turn(screen) < Some(end / 2));
    // A drag belongs to the part of the screen where it began.
    session.drag_to((2, 0));
    session.wait_for("the start", |screen| turn(screen) == Some(0));
    session.let_go((2, 0));
    session.leave();
}

#[test]
fn ask_why() {
    says(
        "Move the cursor (arrow keys or a click) to a wall and press Enter to see which Builder laid it, when, \
         and which decisions led to the wall, with the numbers rolled for them. The Builder's ancestors follow, back \
         to a first Crawler, which was on the grid before the growth began. Select a line to go to the moment that it \
         describes. F follows the living Builder under the cursor: the map scrolls to keep it in the middle.",
    );
    let mut session = Session::grown(40, 120, &[]);
    let end = turns(session.screen()).unwrap();
    session.click(session.wall());
    session.wait_for_text("wall of generation 0");
    session.press_for(ENTER, "Enter go there");
    session.wait_for_text("by Crawler #1");
    // The decisions arrive from the background; until then the view shows other lines.
    session.wait_for_text(" of 300, heading");
    // A line leads to its moment.
    session.press(DOWN);
    session.press(ENTER);
    session.wait_for("its moment", |screen| turn(screen) < Some(end));
    // The arrow keys move the cursor on the map, and F follows a living Builder.
    session.press_away(ESC, "Esc to the map");
    session.press("g");
    session.wait_for("the start", |screen| turn(screen) == Some(0));
    for key in [LEFT, RIGHT, UP, DOWN] {
        session.press_and_see(key);
    }
    session.press(".....");
    session.wait_for("a Builder at work", |screen| turn(screen) == Some(5));
    session.wait_until_gone("looking up");
    session.press_for("F", "follow");
    session.leave();
}

#[test]
fn change_a_number() {
    says(
        "Type a number and press Enter, step with + and -, or drag the slider. The dungeon grows again at once, from \
         the same seed, and the map shows the same iteration as before, or the end if it showed the end.",
    );
    says("u undoes an edit, U redoes it, and y lists every edit. On the map, w shows what the last edit changed.");
    let mut session = Session::grown(40, 120, &[]);
    let before = turns(session.screen());
    session.press_for(TAB, "Enter edit");
    session.press_for("7", "Enter accept");
    session.press_for(ENTER, "StepLength of generation 0: 6 → 7");
    session.wait_for_another_growth(before);
    session.press_for("u", "undone: StepLength of generation 0: 6 → 7");
    session.wait_for("the growth before", |screen| {
        is_grown(screen) && turns(screen) == before
    });
    session.press_for("U", "redone");
    session.press_for("+", "7 → 8");
    session.press_for("-", "the changes cancel each other out");
    // The slider: press on its handle, drag it to its left end.
    let (row, col) = session.place("●─");
    session.drag(&[(row, col), (row, col - 4), (row, col - 8)]);
    session.wait_for("the value of the slider", |screen| {
        screen.contents().contains("StepLength of generation 0: 7 → ")
    });
    session.press_for("y", "as it was opened");
    session.wait_for_text("6 → 7");
    session.press_away(ESC, "Esc to the map");
    session.press_for("w", "changed by the edit");
    session.leave_it_unsaved();
}

#[test]
fn draw() {
    says(
        "On the map (Esc moves the focus there) d opens the drawing tools. With the mouse or the keyboard, you can \
         draw rooms (including their doors), walls, open squares, columns and first Crawlers; a preview shows each before \
         you place it. Esc closes the tools. The Rooms panel (Alt-2) lists the same objects.",
    );
    let mut session = Session::grown(40, 120, &["--preset", "keep"]);
    session.press_for("d", "s select");
    session.press_for("r", "W doors");
    session.press_for(ENTER, "Enter applies, Esc cancels");
    session.press_for(ENTER, "added (limit raised to");
    let room = session.screen().contents();
    let room = room.lines().last().unwrap().to_owned();
    session.press_for("W", "doors of room");
    session.press_for("u", "undone: center doors of room");
    session.press_for("u", "undone: room at");
    assert!(room.contains("room at"), "{room}");
    // By mouse: a wall drawn in one stroke is one undo step.
    session.press_for("w", "collides with a high wall");
    session.drag(&[(14, 20), (14, 21), (14, 22)]);
    session.wait_for_text("wall stroke of");
    session.press_for("u", "undone: wall stroke of");
    session.press_away(ESC, "s select");
    session.press_for(ALT_2, "a add");
    session.leave();
}

#[test]
fn roll_again() {
    says("R grows a dungeon from another seed. p lists the presets, each with a sentence about what it demonstrates.");
    let mut session = Session::grown(40, 120, &[]);
    session.press_for("R", "seed: 38 →");
    session.press_for("u", "undone: seed");
    session.press_for("p", "Built-in presets");
    session.wait_for_text("curls inward lap after lap");
    session.press(DOWN);
    session.press(DOWN);
    session.press_away("\r", "Built-in presets");
    session.wait_for_text("Winding halls");
    session.leave();
}

#[test]
fn place_a_vault() {
    says(
        "v opens the vault browser. Vaults are hand-made maps with random parts that the seed determines. Enter \
         previews the selected vault at the map's cursor, and a second Enter places it.",
    );
    let mut session = Session::grown(40, 120, &[]);
    session.press_for("v", "drowned_causeway");
    session.wait_for_text("seed 1");
    let picture = |screen: &vt100::Screen| screen.rows(36, 34).collect::<Vec<_>>()[2..].concat();
    let before = picture(session.screen());
    session.press_for("r", "seed 2");
    session.wait_for("another roll", |screen| {
        let now = picture(screen);
        now != before && now.contains('≈')
    });
    session.press_for(ENTER, "move drowned_causeway on the map");
    session.press_for(ENTER, "vault drowned_causeway at row 30, column 30 added");
    // The vault's walls are thicker than those of Crawlers.
    session.wait_for_text("██████▀");
    session.leave_it_unsaved();
}

#[test]
fn save() {
    says(
        "S saves as one TOML file, or as the files of DungeonMaker, the original program; Ctrl-S saves to \
         the same place again. q quits. You can edit the file in your own editor while the designer is open: it reloads the \
         file whenever you save it.",
    );
    let home = home();
    let path = |name: &str| home.path().join(name);
    let mut session = Session::at_home(&home, 40, 120, &[]);
    session.go_to_the_end();
    session.press_for("S", "one TOML file with everything");
    session.press(CTRL_U);
    session.press("mine.toml");
    session.press_for(ENTER, "saved: mine.toml");
    session.press_for(ALT_1, "Enter edit");
    session.press_for("7\r", "→ 7");
    session.press_for(CTRL_S, "saved: mine.toml");
    assert!(text_of(&path("mine.toml")).contains("step_length = 7"));
    // As an external editor would.
    replace(
        &path("mine.toml"),
        &text_of(&path("mine.toml")).replacen("step_length = 7", "step_length = 9", 1),
    );
    session.wait_for_text("changed on disk; the dungeon was grown again");
    let step_length = |design: &Design| design.character.generations[0].step_length;
    // The files of DungeonMaker cannot hold all of it, which is reported.
    session.press_for("S", "one TOML file with everything");
    session.press_for(CTRL_T, "DungeonMaker files; constants");
    session.press_for(ENTER, "Saved, with exceptions");
    let pair = DesignFiles::Legacy {
        rooms: path("ammonite.rooms"),
        stats: Some(path("ammonite.stats")),
        constants: None,
    };
    wait_until("the files of DungeonMaker", || path("ammonite.stats").exists());
    assert_eq!(step_length(&pair.load().design.unwrap()), 9);
    session.press_away(ESC, "Saved, with exceptions");
    session.leave();
    assert_eq!(kept(&home), [""; 0]);
}
