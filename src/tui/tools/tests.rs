//! Tests of drawing with keys and mouse, and invariants under arbitrary input.

use std::collections::BTreeSet;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use proptest::prelude::*;

use super::preview::PlanAtCursor;
use super::{bar, height};
use crate::background::Message;
use crate::design::{CrawlerStart, Design, Entry, NamedPlace, Room, style};
use crate::document::Document;
use crate::engine::Tile;
use crate::format::native;
use crate::geometry::{Point, Size};
use crate::presets::Preset;
use crate::settings::KeyChange;
use crate::storage::DesignFiles;
use crate::tui::areas::Areas;
use crate::tui::commands::Tool;
use crate::tui::editor::Focus;
use crate::tui::fixture::{TestApp, drawn_at_any_size, spiral};
use crate::tui::keymap::{self, Context, Keymap};
use crate::tui::tabs::Panel;

fn p(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

/// Returns a design of 40 × 60 squares with two rooms, a wall, an open square, a column and a first Crawler.
fn design() -> Design {
    let mut design = Design {
        name: "Drawn".into(),
        ..Design::default()
    };
    let layout = &mut design.layout;
    layout.size = Size::new(40, 60);
    layout.rooms = vec![
        Room {
            div: 4,
            xdiv: 1,
            ydiv: 1,
            width: 4,
            ..Room::default()
        },
        Room {
            div: 4,
            xdiv: 3,
            ydiv: 3,
            width: 3,
            sites: [23, 0, 0, 2, 0, 0, 0, 0],
            style: style::WALLS,
            ..Room::default()
        },
    ];
    layout.walls = vec![p(20, 20), p(20, 21)];
    layout.open = vec![p(22, 30)];
    layout.columns = vec![p(24, 30)];
    layout.crawlers = vec![CrawlerStart {
        at: p(0, 50),
        ..CrawlerStart::default()
    }];
    layout.limits = layout.limits.raised_for(layout);
    design
}

/// Starts the app in drawing mode on the design of [`design`], at the largest zoom that shows the whole dungeon.
fn drawing(width: u16, height: u16) -> TestApp {
    let mut designer = TestApp::with(Document::new(design(), None), width, height);
    designer.receive_run(spiral(5));
    designer.keys("d");
    assert!(designer.app.tools.is_on());
    designer
}

fn layout(designer: &TestApp) -> &crate::design::Layout {
    &designer.app.editor.document.design().layout
}

fn press(designer: &mut TestApp, modifiers: KeyModifiers, code: KeyCode) {
    designer.send(Message::Input(Event::Key(KeyEvent::new(code, modifiers))));
}

/// Moves the cursor with the arrow keys.
fn walk(designer: &mut TestApp, to: Point) {
    for _ in 0..200 {
        let at = designer.app.editor.map.cursor();
        let code = match (to.x - at.x, to.y - at.y) {
            (x, _) if x > 0 => KeyCode::Down,
            (x, _) if x < 0 => KeyCode::Up,
            (_, y) if y > 0 => KeyCode::Right,
            (_, y) if y < 0 => KeyCode::Left,
            _ => return,
        };
        designer.press(code);
    }
    panic!("{to} was not reached");
}

/// Sends a mouse event on a square.
fn at(designer: &mut TestApp, kind: MouseEventKind, square: Point) {
    at_with(designer, kind, square, KeyModifiers::NONE);
}

fn at_with(designer: &mut TestApp, kind: MouseEventKind, square: Point, modifiers: KeyModifiers) {
    let (column, row) = designer
        .app
        .editor
        .map
        .character_of(designer.app.editor.areas.map, square)
        .unwrap();
    designer.send(Message::Input(Event::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers,
    })));
}

const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

fn click(designer: &mut TestApp, square: Point) {
    at(designer, DOWN, square);
    at(designer, UP, square);
}

fn drag(designer: &mut TestApp, from: Point, over: &[Point]) {
    at(designer, DOWN, from);
    for square in over {
        at(designer, DRAG, *square);
    }
    at(designer, UP, *over.last().unwrap());
}

/// Starts the app on a screen that shows the whole dungeon with two characters per square.
fn large() -> TestApp {
    drawing(220, 60)
}

/// Undoes the last step and returns the notice that names it.
fn undone(designer: &mut TestApp) -> String {
    designer.keys("u");
    designer.app.editor.status.notice.clone().unwrap().1
}

fn bar_text(designer: &TestApp) -> String {
    let area = designer.app.editor.areas.tools;
    let text = designer.text();
    let rows = text.lines().skip(area.y.into()).take(area.height.into());
    let part = |row: &str| {
        row.chars()
            .skip(area.x.into())
            .take(area.width.into())
            .collect::<String>()
    };
    rows.map(part).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_wall_line_is_drawn_by_keys_in_one_step() {
    let mut designer = large();
    walk(&mut designer, p(30, 10));
    designer.keys("w2");
    let run = designer.run();
    designer.press(KeyCode::Enter);
    for _ in 0..11 {
        designer.press(KeyCode::Right);
    }
    assert_eq!(layout(&designer).walls.len(), 2, "the document changes only at the end");
    assert_ne!(designer.run(), run, "but the dungeon is grown with it");
    assert!(
        bar_text(&designer).contains("wall line of 12 squares"),
        "{}",
        bar_text(&designer)
    );
    designer.press(KeyCode::Enter);
    assert_eq!(
        layout(&designer).walls[2..],
        (10..22).map(|y| p(30, y)).collect::<Vec<_>>()
    );
    assert_eq!(undone(&mut designer), "undone: wall line of 12 squares");
    assert_eq!(*designer.app.editor.document.design(), design());
}

#[test]
fn strokes_of_every_shape_are_drawn_by_the_mouse() {
    for (keys, from, to, squares, name) in [
        ("w1", p(30, 10), p(30, 14), 5, "wall stroke of 5 squares"),
        ("w3", p(30, 10), p(33, 14), 14, "wall rectangle of 14 squares"),
        ("o4", p(30, 10), p(33, 14), 20, "open block of 20 squares"),
        ("c2", p(30, 10), p(33, 13), 4, "column line of 4 squares"),
    ] {
        let mut designer = large();
        designer.keys(keys);
        drag(&mut designer, from, &[p(31, 12), to]);
        let all = layout(&designer);
        let new = (all.walls.len() + all.open.len() + all.columns.len()) - 4;
        if keys != "w1" {
            assert_eq!(new, squares, "{keys}");
            assert_eq!(undone(&mut designer), format!("undone: {name}"));
        }
        designer.keys("u");
        assert_eq!(*designer.app.editor.document.design(), design(), "{keys}");
    }
}

#[test]
fn a_pencil_covers_every_square_and_avoids_the_outer_wall() {
    let mut designer = large();
    designer.keys("w");
    drag(&mut designer, p(3, 30), &[p(0, 33), p(3, 36)]);
    let drawn: Vec<Point> = layout(&designer).walls[2..].to_vec();
    assert_eq!(drawn, [p(3, 30), p(2, 31), p(1, 32), p(1, 34), p(2, 35), p(3, 36)]);
    // Keys draw a stroke: Enter begins it, the arrow keys extend it, Enter ends it. Space draws a single square.
    walk(&mut designer, p(35, 30));
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Right);
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Enter);
    assert_eq!(layout(&designer).walls[8..], [p(35, 30), p(35, 31), p(36, 31)]);
    designer.press(KeyCode::Right);
    designer.keys(" ");
    assert_eq!(layout(&designer).walls[11..], [p(36, 32)]);
    assert_eq!(undone(&mut designer), "undone: wall tile at row 36, column 32");
    // Shift with an arrow key starts the stroke.
    for _ in 0..2 {
        press(&mut designer, KeyModifiers::SHIFT, KeyCode::Left);
    }
    designer.press(KeyCode::Enter);
    assert_eq!(
        layout(&designer).walls[11..],
        [p(36, 32), p(36, 30)],
        "existing tiles stay"
    );
    assert_eq!(layout(&designer).limits.closed, 14, "the limit follows");
}

#[test]
fn drawing_replaces_squares_and_erasing_removes_them() {
    let mut designer = large();
    designer.keys("o");
    click(&mut designer, p(20, 20));
    assert_eq!((layout(&designer).walls.len(), layout(&designer).open.len()), (1, 2));
    designer.keys("e4");
    drag(&mut designer, p(19, 19), &[p(25, 31)]);
    let all = layout(&designer);
    assert!(all.walls.is_empty() && all.open.is_empty() && all.columns.is_empty());
    assert_eq!(undone(&mut designer), "undone: 4 entries erased");
    designer.keys("u1");
    walk(&mut designer, p(0, 50));
    designer.keys(" ");
    assert!(layout(&designer).crawlers.is_empty());
    assert_eq!(undone(&mut designer), "undone: Crawler 1 at row 0, column 50 erased");
}

#[test]
fn a_room_is_placed_on_the_grid_and_dragged_wide() {
    let mut designer = large();
    designer.keys("r");
    // The preview shows what will be built: the wall of the room with its doors.
    at(&mut designer, MouseEventKind::Moved, p(21, 14));
    let PlanAtCursor::Preview(preview) = designer.app.tools.preview.found.clone() else {
        panic!("{:?}", designer.app.tools.preview.found);
    };
    click(&mut designer, p(21, 14));
    let room = layout(&designer).rooms[2];
    assert_eq!((room.div, room.xdiv, room.ydiv, room.width), (8, 4, 2, 5));
    let base = crate::engine::stage_one::build(&design().validate(None).design.unwrap());
    let built = crate::engine::stage_one::build(designer.app.editor.document.valid().unwrap());
    let squares: Vec<_> = built
        .grid
        .differences(&base.grid)
        .map(|at| (at, built.grid.tile(at)))
        .collect();
    assert_eq!(preview.squares, squares);
    assert!(
        squares.len() > 30 && !squares.iter().any(|(at, _)| *at == p(14, 15)),
        "a door in each wall"
    );
    assert_eq!(designer.app.editor.panel, Panel::Rooms);
    assert!(designer.app.tools.selection.contains(&Entry::Room(2)));
    assert_eq!(undone(&mut designer), "undone: room at 4/8, 2/8 added");
    // Drags from the centre of a new room to its wall.
    drag(&mut designer, p(20, 30), &[p(20, 33), p(20, 39)]);
    let room = layout(&designer).rooms[2];
    assert_eq!(room.center_and_reach(Size::new(40, 60)), Some((p(20, 30), 9)));
    designer.keys("u");
    // Places a room with the keys; with free placement it can be on any square.
    designer.keys("f]");
    walk(&mut designer, p(21, 17));
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Enter);
    let room = layout(&designer).rooms[2];
    assert_eq!(room.center_and_reach(Size::new(40, 60)), Some((p(21, 17), 7)));
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), design());
}

#[test]
fn entries_that_cannot_be_placed_are_rejected_with_the_reason() {
    let mut designer = large();
    designer.keys("C");
    walk(&mut designer, p(0, 0));
    assert!(
        bar_text(&designer).contains("row 0, column 0 marks the end of the list"),
        "{}",
        bar_text(&designer)
    );
    designer.keys(" ");
    assert!(designer.text().contains("no Crawler can start there"));
    designer.press(KeyCode::Esc);
    designer.keys("w ");
    assert!(designer.text().contains("is on the outer wall"));
    assert_eq!(*designer.app.editor.document.design(), design());
    // A room that is too narrow for its dungeon is rejected with the engine's reason.
    designer
        .app
        .editor
        .document
        .edit("narrow", |design| design.constants.smallest_room_width = 9);
    designer.keys("r");
    walk(&mut designer, p(20, 30));
    assert!(bar_text(&designer).contains("too small"), "{}", bar_text(&designer));
    designer.keys(" ");
    assert_eq!(layout(&designer).rooms.len(), 2);
}

#[test]
fn a_click_selects_and_a_drag_moves_the_selection() {
    let mut designer = large();
    click(&mut designer, p(20, 20));
    assert_eq!(designer.app.tools.selection, [Entry::Wall(0)].into());
    assert_eq!(designer.app.editor.panel, Panel::Rooms);
    let run = designer.run();
    drag(&mut designer, p(10, 15), &[p(14, 20), p(19, 31)]);
    assert_eq!(designer.app.tools.selection, [Entry::Room(0)].into());
    let room = layout(&designer).rooms[0];
    assert_eq!(
        (room.div, room.xdiv, room.ydiv),
        (4, 2, 2),
        "it snaps to its own divisions"
    );
    assert_ne!(designer.run(), run);
    assert_eq!(undone(&mut designer), "undone: room 1 moved to 2/4, 2/4");
    drag(&mut designer, p(0, 50), &[p(0, 40), p(0, 30)]);
    assert_eq!(layout(&designer).crawlers[0].at, p(0, 30));
    assert_eq!(undone(&mut designer), "undone: Crawler 1 moved to row 0, column 30");
    assert_eq!(*designer.app.editor.document.design(), design());
    // With keys, Enter starts a move, a second Enter finishes it, and Esc cancels it.
    walk(&mut designer, p(20, 21));
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Esc);
    assert_eq!(*designer.app.editor.document.design(), design());
    designer.keys("g");
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Enter);
    assert_eq!(layout(&designer).walls, [p(20, 20), p(21, 21)]);
    press(&mut designer, KeyModifiers::ALT, KeyCode::Right);
    press(&mut designer, KeyModifiers::ALT, KeyCode::Right);
    assert_eq!(layout(&designer).walls, [p(20, 20), p(21, 23)]);
    assert_eq!(undone(&mut designer), "undone: wall tile 2 moved to row 21, column 23");
    assert_eq!(
        layout(&designer).walls,
        [p(20, 20), p(21, 21)],
        "consecutive nudges are one undo step"
    );
}

#[test]
fn several_entries_are_selected_moved_copied_and_removed() {
    let mut designer = large();
    drag(&mut designer, p(18, 18), &[p(25, 31)]);
    let four = [Entry::Open(0), Entry::Wall(0), Entry::Wall(1), Entry::Column(0)];
    assert_eq!(designer.app.tools.selection, four.into());
    drag(&mut designer, p(20, 20), &[p(21, 21), p(22, 19)]);
    assert_eq!(layout(&designer).walls, [p(22, 19), p(22, 20)]);
    assert_eq!(layout(&designer).columns, [p(26, 29)]);
    assert_eq!(
        undone(&mut designer),
        "undone: 4 entries moved 2 rows down and 1 column left"
    );
    designer.keys("y");
    walk(&mut designer, p(30, 10));
    designer.keys("p");
    designer.press(KeyCode::Right);
    designer.press(KeyCode::Enter);
    assert_eq!(layout(&designer).walls[2..], [p(30, 11), p(30, 12)]);
    assert_eq!(
        (layout(&designer).open[1], layout(&designer).columns[1]),
        (p(32, 21), p(34, 21))
    );
    designer.keys("d");
    assert_eq!(undone(&mut designer), "undone: 4 entries removed");
    assert_eq!(undone(&mut designer), "undone: 4 entries placed at row 30, column 11");
    // Ctrl with a click adds to the selection.
    click(&mut designer, p(20, 20));
    at_with(&mut designer, DOWN, p(24, 30), KeyModifiers::CONTROL);
    at(&mut designer, UP, p(24, 30));
    assert_eq!(designer.app.tools.selection.len(), 2);
    press(&mut designer, KeyModifiers::CONTROL, KeyCode::Char('a'));
    assert_eq!(designer.app.tools.selection.len(), 7);
    designer.press(KeyCode::Delete);
    assert!(layout(&designer).rooms.is_empty() && layout(&designer).crawlers.is_empty());
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), design());
}

#[test]
fn shift_and_arrows_select_a_rectangle() {
    let mut designer = large();
    walk(&mut designer, p(19, 19));
    for _ in 0..2 {
        press(&mut designer, KeyModifiers::SHIFT, KeyCode::Down);
        press(&mut designer, KeyModifiers::SHIFT, KeyCode::Right);
    }
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.tools.selection, [Entry::Wall(0), Entry::Wall(1)].into());
}

#[test]
fn clicks_change_the_sites_of_a_room_and_doors_get_wider() {
    let mut designer = large();
    click(&mut designer, p(10, 15));
    assert_eq!(designer.app.tools.selection, [Entry::Room(0)].into());
    // The wall is five squares from the centre; its northern center site has a door.
    click(&mut designer, p(5, 15));
    assert_eq!(layout(&designer).rooms[0].sites[1], 2);
    assert!(
        designer.text().contains("North center of room 1: closed Crawler North"),
        "{}",
        designer.text()
    );
    click(&mut designer, p(5, 15));
    click(&mut designer, p(5, 15));
    assert_eq!(layout(&designer).rooms[0].sites[1], 0);
    at(&mut designer, MouseEventKind::Down(MouseButton::Right), p(5, 15));
    assert_eq!(layout(&designer).rooms[0].sites[1], 3, "the right button goes back");
    // With keys, the cursor moves from site to site.
    walk(&mut designer, p(10, 15));
    designer.keys("nx");
    assert_eq!(
        (designer.app.editor.map.cursor(), layout(&designer).rooms[0].sites[0]),
        (p(5, 10), 1)
    );
    designer.keys("W");
    assert_eq!(
        layout(&designer).rooms[0].style,
        style::WALLS | style::LARGE_CORNER_DOORS
    );
    designer.keys("nnW");
    let extra = style::EXTRA_LARGE_CORNER_DOORS;
    assert_eq!(layout(&designer).rooms[0].style, style::WALLS | extra, "a corner again");
    designer.keys("nW");
    let doors = style::LARGE_CENTER_DOORS;
    assert_eq!(layout(&designer).rooms[0].style & doors, doors);
    designer.keys("]");
    assert_eq!(layout(&designer).rooms[0].width, 5);
    designer.keys("uuuuuuuu");
    assert_eq!(*designer.app.editor.document.design(), design());
}

#[test]
fn first_crawlers_are_turned_by_keys_and_dragged_by_mouse() {
    let mut designer = large();
    designer.keys("CtT ");
    let cursor = designer.app.editor.map.cursor();
    let new = layout(&designer).crawlers[1];
    assert_eq!(new.at, cursor);
    let turned = super::headings::redirected(super::headings::turned(CrawlerStart::default()));
    assert_eq!(new.direction, turned.direction);
    drag(&mut designer, p(12, 40), &[p(12, 44), p(14, 45)]);
    let (forward, direction) = layout(&designer).crawlers[2].headings().unwrap();
    assert_eq!(
        (forward.to_string(), direction.unwrap().to_string()),
        ("East".into(), "East".into())
    );
    // Selected Crawlers turn in place.
    designer.keys("s");
    click(&mut designer, p(0, 50));
    designer.keys("t");
    assert_eq!(layout(&designer).crawlers[0].headings().unwrap().0.to_string(), "West");
    designer.keys("x");
    assert_eq!(layout(&designer).crawlers[0].termination, 2);
    assert_eq!(undone(&mut designer), "undone: Crawler 1: West → NorthWest, closed end");
}

#[test]
fn a_crawler_about_to_be_placed_is_changed_even_on_a_site_of_the_selected_room() {
    let mut designer = large();
    click(&mut designer, p(10, 15));
    designer.keys("C");
    walk(&mut designer, p(5, 15));
    designer.keys("x");
    assert_eq!(*designer.app.editor.document.design(), design());
    assert_eq!(designer.app.tools.crawler.termination, 2);
    // With the Select tool, the same key changes the site.
    designer.keys("sx");
    assert_eq!(layout(&designer).rooms[0].sites[1], 2);
}

#[test]
fn the_right_button_changes_sites_only_with_the_tool_that_marks_them() {
    let mut designer = large();
    click(&mut designer, p(10, 15));
    designer.keys("w");
    at(&mut designer, MouseEventKind::Down(MouseButton::Right), p(5, 15));
    assert_eq!(*designer.app.editor.document.design(), design());
    designer.keys("s");
    at(&mut designer, MouseEventKind::Down(MouseButton::Right), p(5, 15));
    assert_eq!(layout(&designer).rooms[0].sites[1], 0);
}

#[test]
fn a_nudge_of_a_freely_placed_room_does_not_blame_the_grid() {
    let mut design = design();
    let corner = Room {
        div: 8,
        xdiv: 1,
        ydiv: 2,
        ..design.layout.rooms[0]
    };
    design.layout.rooms[0] = corner;
    let mut designer = TestApp::with(Document::new(design, None), 220, 60);
    designer.receive_run(spiral(5));
    designer.keys("df");
    click(&mut designer, p(5, 15));
    press(&mut designer, KeyModifiers::ALT, KeyCode::Up);
    assert_eq!(layout(&designer).rooms[0], corner, "its wall is on the border");
    let notice = designer.app.editor.status.notice.clone().unwrap().1;
    assert_eq!(notice, "the selection cannot move farther in this direction");
}

#[test]
fn different_edits_of_one_entry_are_different_steps() {
    let mut designer = large();
    click(&mut designer, p(0, 50));
    let (before, alt) = (designer.app.editor.document.step(), KeyModifiers::ALT);
    for _ in 0..3 {
        press(&mut designer, alt, KeyCode::Right);
    }
    designer.keys("t");
    press(&mut designer, alt, KeyCode::Down);
    designer.keys("x");
    assert_eq!(designer.app.editor.document.step(), before + 4);
    designer.keys("uuu");
    assert_eq!(layout(&designer).crawlers[0].at, p(0, 53));
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), design());
    click(&mut designer, p(10, 15));
    press(&mut designer, alt, KeyCode::Right);
    designer.keys("}");
    press(&mut designer, alt, KeyCode::Right);
    assert_eq!(designer.app.editor.document.step(), before + 3);
}

#[test]
fn nudges_of_several_entries_are_one_step_named_after_the_whole_way() {
    let mut designer = large();
    press(&mut designer, KeyModifiers::CONTROL, KeyCode::Char('a'));
    for code in [
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Right,
    ] {
        press(&mut designer, KeyModifiers::ALT, code);
    }
    let name = "7 entries moved 2 rows down and 3 columns right";
    assert_eq!(designer.app.editor.document.steps().collect::<Vec<_>>(), [name]);
    // After undo, the next nudge begins a new step.
    designer.keys("u");
    press(&mut designer, KeyModifiers::ALT, KeyCode::Right);
    assert_eq!(undone(&mut designer), "undone: 7 entries moved 1 column right");
}

#[test]
fn edits_of_several_entries_report_the_values_of_all() {
    let mut design = design();
    design.layout.rooms[1].width = 7;
    design.layout.crawlers.push(CrawlerStart {
        at: p(0, 20),
        direction: 3,
        termination: 2,
        ..CrawlerStart::default()
    });
    design.layout.limits = design.layout.limits.raised_for(&design.layout);
    let mut designer = TestApp::with(Document::new(design, None), 200, 60);
    designer.receive_run(spiral(5));
    designer.keys("d");
    press(&mut designer, KeyModifiers::CONTROL, KeyCode::Char('a'));
    designer.keys("]");
    assert_eq!(undone(&mut designer), "undone: width of 2 rooms: 5 and 8");
    designer.keys("}");
    assert_eq!(undone(&mut designer), "undone: div of 2 rooms: 5");
    designer.keys("t");
    let turned = undone(&mut designer);
    assert!(
        turned.contains(" and ") && turned.ends_with(", open end and closed end"),
        "{turned}"
    );
    designer.keys("x");
    assert!(undone(&mut designer).ends_with(", closed end and open end"));
}

#[test]
fn the_help_of_selecting_names_the_places_that_are_selected_and_removed_too() {
    let mut design = design();
    design.layout.places.push(NamedPlace {
        name: "boss".into(),
        at: p(15, 15),
        ..NamedPlace::default()
    });
    let mut designer = TestApp::with(Document::new(design, None), 200, 60);
    designer.receive_run(spiral(5));
    designer.keys("d");
    designer.chord(KeyModifiers::CONTROL, 'a');
    assert!(designer.app.tools.selection.contains(&Entry::NamedPlace(0)));
    designer.press(KeyCode::Delete);
    assert!(layout(&designer).places.is_empty());
    for name in ["select", "select all"] {
        let mut rows = keymap::table();
        let row = rows.find(|row| row.context == Context::Tools && row.name == name);
        assert!(row.unwrap().help.contains("named place"), "{name}");
    }
}

#[test]
fn numbers_of_rooms_in_places_and_expectations_follow_the_rooms() {
    let mut design = design();
    design.layout.places.push(NamedPlace {
        name: "boss".into(),
        room: 2,
        ..NamedPlace::default()
    });
    design.expect.that.push("crosses room 2".into());
    let before = design.clone();
    let mut designer = TestApp::with(Document::new(design, None), 200, 60);
    designer.receive_run(spiral(5));
    designer.keys("d");
    click(&mut designer, p(10, 15));
    assert_eq!(designer.app.tools.selection, [Entry::Room(0)].into());
    let references = |designer: &TestApp| {
        let design = designer.app.editor.document.design();
        (design.layout.places[0].room, design.expect.that[0].clone())
    };
    designer.press(KeyCode::Delete);
    assert_eq!(references(&designer), (1, "crosses room 1".into()));
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), before, "one step");
    // The Rooms panel does the same.
    designer.chord(KeyModifiers::ALT, '2');
    designer.keys("J");
    assert_eq!(references(&designer), (1, "crosses room 1".into()));
    designer.keys("u");
    click(&mut designer, p(10, 15));
    designer.chord(KeyModifiers::ALT, '2');
    designer.keys("D");
    assert_eq!(references(&designer), (3, "crosses room 3".into()));
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), before);
    // The room of the place itself: no other room gets its number.
    click(&mut designer, p(30, 45));
    assert_eq!(designer.app.tools.selection, [Entry::Room(1)].into());
    designer.press(KeyCode::Delete);
    assert_eq!(references(&designer), (2, "crosses room 2".into()));
    assert!(
        designer
            .text()
            .contains("place 1 and expectation 1 now name a room or vault that does not exist"),
        "{}",
        designer.text()
    );
}

#[test]
fn the_rooms_panel_and_the_map_share_the_selection() {
    let mut designer = large();
    designer.chord(KeyModifiers::ALT, '2');
    for _ in 0..4 {
        designer.press(KeyCode::Down);
    }
    let entry = crate::tui::panels::entry(&designer.app.panels, &designer.app.editor).unwrap();
    assert_eq!(designer.app.tools.selection, [entry].into());
    assert_eq!(designer.app.editor.focus, Focus::Panel);
    click(&mut designer, p(24, 30));
    assert_eq!(
        crate::tui::panels::entry(&designer.app.panels, &designer.app.editor),
        Some(Entry::Column(0))
    );
}

#[test]
fn a_drag_survives_a_reload_of_the_file_and_a_new_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawn.toml");
    std::fs::write(&path, native::write(&design())).unwrap();
    let document = Document::from_files(DesignFiles::Toml(path.clone()), None, None).unwrap();
    let mut designer = TestApp::with(document, 220, 60);
    designer.receive_run(spiral(5));
    designer.keys("d");
    at(&mut designer, DOWN, p(24, 30));
    at(&mut designer, DRAG, p(26, 33));
    let mut theirs = design();
    theirs.layout.open.push(p(30, 30));
    theirs.constants.join_dist = 3;
    std::fs::write(&path, native::write(&theirs)).unwrap();
    designer.send(Message::FilesChanged(Vec::new()));
    assert!(
        designer.app.dialogs.open.is_none(),
        "no conflict: the drag has changed nothing yet"
    );
    designer.receive_run(spiral(4));
    at(&mut designer, DRAG, p(27, 33));
    at(&mut designer, UP, p(27, 33));
    assert_eq!(layout(&designer).columns, [p(27, 33)]);
    assert_eq!(designer.app.editor.document.design().constants.join_dist, 3);
    assert_eq!(undone(&mut designer), "undone: column 1 moved to row 27, column 33");
    // If a reload removes the dragged entry, the drag ends without an edit.
    at(&mut designer, DOWN, p(24, 30));
    at(&mut designer, DRAG, p(26, 33));
    theirs.layout.columns.clear();
    std::fs::write(&path, native::write(&theirs)).unwrap();
    designer.send(Message::FilesChanged(Vec::new()));
    assert!(designer.app.tools.held.is_none());
    at(&mut designer, UP, p(26, 33));
    assert!(layout(&designer).columns.is_empty());
}

#[test]
fn a_drag_away_and_back_changes_nothing() {
    let mut designer = large();
    click(&mut designer, p(10, 15));
    // On a site of the selected room, a click would change the site.
    drag(&mut designer, p(5, 15), &[p(9, 18), p(5, 15)]);
    assert_eq!(*designer.app.editor.document.design(), design());
    assert_eq!(designer.app.tools.selection, [Entry::Room(0)].into());
    assert!(designer.app.tools.held.is_none() && !designer.app.tools.is_previewing());
    click(&mut designer, p(5, 15));
    assert_eq!(layout(&designer).rooms[0].sites[1], 2);
}

#[test]
fn a_click_changes_a_site_after_a_cancelled_drag_selected_the_room() {
    let mut designer = large();
    at(&mut designer, DOWN, p(10, 15));
    designer.press(KeyCode::Esc);
    at(&mut designer, UP, p(10, 15));
    assert_eq!(designer.app.tools.selection, [Entry::Room(0)].into());
    click(&mut designer, p(5, 15));
    assert_eq!(layout(&designer).rooms[0].sites[1], 2);
}

#[test]
fn a_drag_is_cancelled_by_escape_undo_or_the_right_button() {
    for how in 0..3 {
        let mut designer = large();
        at(&mut designer, DOWN, p(24, 30));
        at(&mut designer, DRAG, p(26, 33));
        assert!(designer.app.tools.is_previewing());
        let run = designer.run();
        match how {
            0 => designer.press(KeyCode::Esc),
            1 => designer.keys("u"),
            _ => at(&mut designer, MouseEventKind::Down(MouseButton::Right), p(26, 33)),
        }
        assert!(!designer.app.tools.is_previewing());
        assert_ne!(designer.run(), run, "the dungeon is grown as it was");
        at(&mut designer, UP, p(26, 33));
        assert_eq!(*designer.app.editor.document.design(), design());
        assert!(designer.app.tools.is_on());
        designer.press(KeyCode::Esc);
        assert!(!designer.app.tools.is_on());
    }
}

#[test]
fn many_moves_between_two_frames_cost_one_run() {
    let mut designer = large();
    at(&mut designer, DOWN, p(24, 30));
    let mut asked = 0;
    for y in 31..50 {
        let (column, row) = designer
            .app
            .editor
            .map
            .character_of(designer.app.editor.areas.map, p(24, y))
            .unwrap();
        let message = Message::Input(Event::Mouse(MouseEvent {
            kind: DRAG,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
        asked += designer.app.handle(message).len();
    }
    assert_eq!(asked, 0);
    assert_eq!(designer.app.before_frame().len(), 1);
    assert_eq!(designer.app.before_frame().len(), 0, "nothing moved since");
}

#[test]
fn items_of_the_bar_can_be_clicked() {
    let mut designer = large();
    for (column, row) in designer
        .app
        .editor
        .areas
        .tools
        .positions()
        .map(|at| (at.x, at.y))
        .step_by(3)
    {
        designer.click(column, row);
        if designer.app.screens.vaults.is_open() || designer.app.dialogs.open.is_some() {
            designer.press(KeyCode::Esc);
        }
    }
    assert_eq!(*designer.app.editor.document.design(), design());
    let area = designer.app.editor.areas.tools;
    let text = bar_text(&designer);
    let row = text.lines().next().unwrap();
    let column = row[..row.find("wall").unwrap()].chars().count() as u16;
    designer.click(area.x + column, area.y);
    assert_eq!(designer.app.tools.tool, Tool::Wall);
}

#[test]
fn the_bar_names_the_keys_that_the_settings_set() {
    let mut designer = large();
    let change = |action: &str, keys: &[&str]| KeyChange {
        context: "tools".into(),
        action: action.into(),
        keys: keys.iter().map(ToString::to_string).collect(),
    };
    designer.app.editor.keymap = Keymap::with(&[change("wall", &["F9"]), change("grab", &["m"])]);
    let text = bar_text(&designer);
    assert!(text.contains(" F9 wall ") && text.contains(" m grab "), "{text}");
}

#[test]
fn at_far_zooms_the_bar_reports_the_squares_per_character() {
    let mut designer = drawing(80, 24);
    designer.keys("---w");
    assert!(
        bar_text(&designer).contains("squares per character"),
        "{}",
        bar_text(&designer)
    );
    designer.keys(" ");
    assert_eq!(layout(&designer).walls.len(), 3, "keys still move square by square");
}

#[test]
fn a_stroke_is_cancelled_when_a_dialog_opens() {
    let mut designer = large();
    designer.keys("w4");
    at(&mut designer, DOWN, p(30, 10));
    at(&mut designer, DRAG, p(33, 14));
    assert!(designer.app.tools.is_previewing());
    designer.keys("?");
    assert!(designer.app.dialogs.open.is_some() && !designer.app.tools.is_previewing());
    at(&mut designer, UP, p(33, 14));
    designer.press(KeyCode::Esc);
    at(&mut designer, MouseEventKind::Moved, p(20, 40));
    assert!(designer.app.tools.is_on() && designer.app.tools.held.is_none());
    assert_eq!(*designer.app.editor.document.design(), design());
}

#[test]
fn a_stroke_whose_release_was_not_reported_ends_where_the_pointer_was() {
    let mut designer = large();
    designer.keys("w2");
    at(&mut designer, DOWN, p(30, 10));
    at(&mut designer, DRAG, p(30, 12));
    at(&mut designer, MouseEventKind::Moved, p(33, 40));
    assert_eq!(layout(&designer).walls[2..], [p(30, 10), p(30, 11), p(30, 12)]);
    designer.keys("u");
    // A press ends the stroke and begins the next one.
    at(&mut designer, DOWN, p(30, 10));
    at(&mut designer, DRAG, p(30, 12));
    drag(&mut designer, p(33, 40), &[p(33, 41)]);
    assert_eq!(
        layout(&designer).walls[2..],
        [p(30, 10), p(30, 11), p(30, 12), p(33, 40), p(33, 41)]
    );
    // A press outside the map ends the stroke as well, and is a click there.
    at(&mut designer, DOWN, p(36, 10));
    let panel = designer.app.editor.areas.panel;
    designer.click(panel.x + 3, panel.y + 3);
    assert_eq!(designer.app.editor.focus, Focus::Panel);
    assert_eq!(layout(&designer).walls.last(), Some(&p(36, 10)));
}

#[test]
fn in_half_blocks_the_mouse_reaches_both_squares_of_a_character() {
    let mut designer = drawing(120, 40);
    designer.keys("w");
    let per = designer
        .app
        .editor
        .map
        .squares_of_a_character(designer.app.editor.areas.map);
    assert_eq!(per, Some((2, 1)), "half blocks");
    let upper = p(30, 20);
    click(&mut designer, upper);
    assert_eq!(layout(&designer).walls[2..], [upper]);
    // A second click at the same place draws the other square of the character.
    let lower = p(31, 20);
    click(&mut designer, upper);
    assert_eq!(layout(&designer).walls[2..], [upper, lower]);
    // The keys choose the exact square, and a drag begins there.
    let from = p(34, 10);
    at(&mut designer, MouseEventKind::Moved, from);
    designer.press(KeyCode::Down);
    drag(&mut designer, from, &[p(34, 12), p(34, 14)]);
    let drawn: Vec<Point> = (10..=14).map(|y| p(35, y)).collect();
    assert_eq!(layout(&designer).walls[4..], drawn);
    // A click selects an entry in the upper or the lower square of the character.
    designer.keys("s");
    let corner = p(34, 30);
    walk(&mut designer, p(2, 2));
    click(&mut designer, p(34, 12));
    assert_eq!(designer.app.tools.selection.len(), 1);
    assert!(matches!(designer.app.tools.selection.first(), Some(Entry::Wall(_))));
    // The eraser finds an entry in either square, too.
    designer.keys("e");
    at(&mut designer, MouseEventKind::Moved, corner);
    click(&mut designer, p(34, 13));
    assert!(!layout(&designer).walls.contains(&p(35, 13)));
}

#[test]
fn half_of_a_pair_causes_a_warning() {
    let mut design = design();
    let start = |x: i32, termination: i32| CrawlerStart {
        at: p(x, 0),
        direction: 1,
        termination,
        ..CrawlerStart::default()
    };
    design.layout.crawlers = vec![start(6, 3), start(12, 4), start(30, 1)];
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.receive_run(spiral(5));
    designer.keys("ds");
    let warned = |designer: &TestApp| {
        designer
            .app
            .editor
            .status
            .notice
            .as_ref()
            .is_some_and(|(_, text)| text.contains("half of an open/closed pair"))
    };
    walk(&mut designer, p(30, 0));
    designer.press(KeyCode::Enter);
    designer.keys("d");
    assert!(!warned(&designer) && layout(&designer).crawlers.len() == 2);
    designer.keys("u");
    walk(&mut designer, p(6, 0));
    designer.press(KeyCode::Enter);
    designer.keys("d");
    assert!(warned(&designer), "{:?}", designer.app.editor.status.notice);
    assert!(
        designer
            .app
            .editor
            .status
            .notice
            .as_ref()
            .unwrap()
            .1
            .contains("Crawler 1 is now half")
    );
    designer.keys("u");
    // Removing both halves leaves nothing behind.
    drag(&mut designer, p(4, 4), &[p(4, 5)]);
    designer.chord(KeyModifiers::CONTROL, 'a');
    designer.keys("d");
    assert!(!warned(&designer) && layout(&designer).crawlers.is_empty());
}

#[test]
fn a_dungeon_too_large_for_a_preview_is_reported() {
    let mut designer = drawing(120, 40);
    designer.keys("w");
    designer.app.tools.preview.found = super::preview::PlanAtCursor::Preview(super::preview::PreviewTiles::default());
    assert!(!bar_text(&designer).contains("no preview"));
    designer.app.tools.preview.large = true;
    assert!(
        bar_text(&designer).contains("no preview in a dungeon"),
        "{}",
        bar_text(&designer)
    );
}

#[test]
fn a_dungeon_too_large_for_a_preview_is_not_grown_during_a_gesture() {
    let large = Design {
        layout: crate::design::Layout {
            size: Size::new(4_100, 4_100),
            ..design().layout
        },
        ..design()
    };
    let mut designer = TestApp::with(Document::new(large, None), 120, 40);
    designer.keys("dw");
    designer.app.editor.show_square(p(30, 30));
    press(&mut designer, KeyModifiers::SHIFT, KeyCode::Down);
    press(&mut designer, KeyModifiers::SHIFT, KeyCode::Down);
    assert!(designer.app.tools.held.is_some() && designer.app.tools.preview.large);
    assert!(!designer.app.tools.is_previewing());
}

#[test]
fn the_preview_shows_only_the_plan_after_a_level_file_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let level = folder.path().join("own.des");
    let text = "NAME: den\nMAP\nxxxxx\nx...+\nxxxxx\nENDMAP\n";
    std::fs::write(&level, text).unwrap();
    let mut design = design();
    design.layout.vaults.push(crate::design::VaultEntry {
        file: "own.des".into(),
        map: "den".into(),
        ..Default::default()
    });
    let mut document = Document::new(design, None);
    document
        .save_as(DesignFiles::Toml(folder.path().join("own.toml")))
        .unwrap();
    let mut designer = TestApp::with(document, 220, 60);
    designer.keys("dw");
    let squares = |designer: &mut TestApp, at: Point| {
        walk(designer, at);
        let PlanAtCursor::Preview(preview) = &designer.app.tools.preview.found else {
            panic!("{:?}", designer.app.tools.preview.found);
        };
        preview.squares.iter().map(|(at, _)| *at).collect::<Vec<_>>()
    };
    assert_eq!(squares(&mut designer, p(5, 30)), [p(5, 30)]);
    let before = designer.app.editor.document.valid().unwrap().pieces().to_vec();
    std::fs::write(&level, text.replace("x...+", "+...+")).unwrap();
    designer.send(Message::FilesChanged(vec![level]));
    assert_ne!(designer.app.editor.document.valid().unwrap().pieces(), before);
    assert_eq!(squares(&mut designer, p(5, 31)), [p(5, 31)]);
}

#[test]
fn a_long_selection_follows_an_edit_that_removes_another_entry() {
    let mut after = design();
    after.layout.size = Size::new(400, 400);
    after.layout.walls = (1..251).flat_map(|x| (1..399).map(move |y| p(x, y))).collect();
    let walls = after.layout.walls.len();
    let before = std::sync::Arc::new(after.clone());
    after.layout.walls.remove(0);
    let mut designer = TestApp::with(Document::new(after, None), 80, 24);
    let tools = &mut designer.app.tools;
    tools.known = Some(before);
    tools.selection = (0..walls).map(Entry::Wall).collect();
    tools.selection.insert(Entry::Room(1));
    super::select::sync(tools, &mut designer.app.editor, None);
    let expected: BTreeSet<Entry> = (0..walls - 1).map(Entry::Wall).chain([Entry::Room(1)]).collect();
    assert!(tools.selection == expected);
}

#[test]
fn a_room_from_the_panel_goes_to_the_division_at_the_cursor() {
    let mut designer = TestApp::with(Document::new(design(), None), 120, 40);
    designer.receive_run(spiral(2));
    walk(&mut designer, p(11, 47));
    designer.chord(KeyModifiers::ALT, '2');
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Down);
    designer.keys("a");
    let room = layout(&designer).rooms[2];
    assert_eq!((room.div, room.xdiv, room.ydiv), (8, 2, 6));
    assert!(designer.text().contains("room at 2/8, 6/8 added"));
}

#[test]
fn drawing_mode_matches_the_snapshots() {
    let mut designer = drawing(80, 24);
    insta::assert_snapshot!("drawing_at_80_24", designer.text());
    designer.keys("r");
    insta::assert_snapshot!("a_room_is_about_to_be_placed", designer.text());
    let mut designer = drawing(120, 40);
    walk(&mut designer, p(10, 15));
    designer.press(KeyCode::Enter);
    insta::assert_snapshot!("a_room_with_its_sites", designer.text());
    designer.keys("w3");
    walk(&mut designer, p(24, 40));
    designer.press(KeyCode::Enter);
    walk(&mut designer, p(30, 50));
    insta::assert_snapshot!("a_rectangle_is_drawn", designer.text());
}

#[test]
fn the_mouse_does_not_draw_during_a_walk() {
    let design = Preset::find("first-steps").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer.keys("Gdw");
    let editor = &designer.app.editor;
    let grid = editor.time.frame().unwrap().grid();
    let size = grid.size();
    let mut inside = (2..size.x - 2).flat_map(|x| (2..size.y - 2).map(move |y| p(x, y)));
    let is_visible = |at: Point| editor.map.character_of(editor.areas.map, at).is_some();
    let square = inside.find(|at| grid.tile(*at) == Tile::Open && is_visible(*at));
    let square = square.unwrap();
    let before = designer.app.editor.document.shared();
    // The stroke in progress is cancelled. Its preview was grown, so the dungeon of the design has to grow again.
    at(&mut designer, DOWN, square);
    designer.chord(KeyModifiers::ALT, 'g');
    assert!(!designer.app.tools.is_dragged());
    designer.grow();
    // A seek to the end may take several frames.
    for _ in 0..20 {
        designer.app.advance(Duration::from_millis(1));
    }
    designer.want();
    assert!(designer.app.editor.walk.is_some() && designer.app.tools.is_on());
    at(&mut designer, UP, square);
    // The walk may have scrolled the map.
    designer.app.editor.show_square(square);
    click(&mut designer, square);
    assert_eq!(*designer.app.editor.document.design(), *before);
    designer.press(KeyCode::Esc);
    click(&mut designer, square);
    assert_ne!(*designer.app.editor.document.design(), *before);
}

#[test]
fn the_bar_is_drawn_at_any_size() {
    let mut designer = large();
    for keys in ["s", "r", "w", "C"] {
        designer.keys(keys);
        drawn_at_any_size(
            |tools, buf| {
                let areas = Areas {
                    tools,
                    ..designer.app.editor.areas
                };
                bar::draw(&designer.app.tools, &designer.app.editor, &areas, buf);
            },
            (41, 4),
        );
    }
    assert_eq!((height(41, 15), height(41, 30), height(90, 30)), (2, 4, 3));
}

/// An input event of a user.
#[derive(Debug, Clone)]
enum Deed {
    Key(KeyModifiers, KeyCode),
    Mouse(MouseEventKind, Point),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let plain = "srwocCe1234 gdypDbnNxXWtT[]{}fhjklHJKLuU+-";
    let key = prop_oneof![
        6 => proptest::sample::select(plain.chars().collect::<Vec<_>>())
            .prop_map(|c| Deed::Key(KeyModifiers::NONE, KeyCode::Char(c))),
        2 => Just(Deed::Key(KeyModifiers::NONE, KeyCode::Enter)),
        1 => Just(Deed::Key(KeyModifiers::NONE, KeyCode::Esc)),
        1 => Just(Deed::Key(KeyModifiers::CONTROL, KeyCode::Char('a'))),
        2 => (proptest::sample::select(vec![KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right]),
            proptest::sample::select(vec![KeyModifiers::NONE, KeyModifiers::SHIFT, KeyModifiers::ALT]))
            .prop_map(|(code, modifiers)| Deed::Key(modifiers, code)),
    ];
    let kind = proptest::sample::select(vec![
        DOWN,
        DOWN,
        DRAG,
        DRAG,
        UP,
        UP,
        MouseEventKind::Moved,
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::Drag(MouseButton::Middle),
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollUp,
    ]);
    let mouse = (kind, 0..40i32, 0..60i32).prop_map(|(kind, x, y)| Deed::Mouse(kind, p(x, y)));
    proptest::collection::vec(prop_oneof![key, mouse], 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn everything_drawn_can_be_saved_and_undone(deeds in deeds(), small in any::<bool>()) {
        let mut designer = if small { drawing(60, 16) } else { drawing(130, 44) };
        for deed in deeds {
            match deed {
                Deed::Key(modifiers, code) => press(&mut designer, modifiers, code),
                Deed::Mouse(kind, square) => {
                    let (column, row) = designer.app.editor.map.character_of(designer.app.editor.areas.map, square).unwrap_or((square.y as u16, square.x as u16));
                    designer.mouse(kind, column, row);
                }
            }
            if !designer.app.tools.is_on() {
                designer.keys("d");
            }
            designer.screen();
            let layout = layout(&designer);
            prop_assert_eq!(layout.limits, layout.limits.raised_for(layout), "a list is past its limit");
        }
        // Both file formats can hold the result.
        designer.press(KeyCode::Esc);
        let drawn = designer.app.editor.document.design().clone();
        let text = crate::format::Text::new("drawn.toml", native::write(&drawn));
        let mut read = native::parse(&text).value;
        // TOML files do not store limits, so those of the drawn design are used for the comparison.
        read.layout.limits = drawn.layout.limits;
        prop_assert_eq!(&read, &drawn);
        prop_assert!(crate::format::rooms::write(&drawn.layout).is_ok());
        // All selected entries exist.
        for entry in &designer.app.tools.selection {
            prop_assert!(super::objects::LayoutObject::of(&drawn.layout, *entry).is_some(), "{:?}", entry);
        }
        // Everything can be undone and redone.
        let mut steps = 0;
        while designer.app.editor.document.undo().is_some() {
            steps += 1;
        }
        prop_assert_eq!(designer.app.editor.document.design(), &design());
        for _ in 0..steps {
            designer.app.editor.document.redo();
        }
        prop_assert_eq!(designer.app.editor.document.design(), &drawn);
    }
}

#[test]
fn a_vault_can_be_moved_but_not_onto_another_one() {
    let preset = crate::presets::Preset::find("stronghold").unwrap();
    let design = preset.design();
    let mut designer = TestApp::with(Document::new(design.clone(), None), 220, 60);
    designer.keys("d");
    let pieces = designer.app.editor.document.valid().unwrap().pieces().to_vec();
    let (first, second) = (&pieces[0], &pieces[1]);
    let (wall, _) = first.features().next().unwrap();
    designer.app.editor.show_square(wall);
    designer.keys("g");
    assert_eq!(designer.app.tools.selection, [Entry::Vault(first.vault)].into());
    // Moved onto the other vault, the plan is rejected: stage one would leave one of them out.
    let over = p(wall.x + second.at.x - first.at.x, wall.y + second.at.y - first.at.y);
    designer.app.editor.show_square(over);
    let effects = designer.app.before_frame();
    assert!(
        effects.is_empty() && !designer.app.editor.regrows(),
        "what is rejected is not grown"
    );
    assert!(matches!(&designer.app.tools.preview.found, PlanAtCursor::Rejected(why) if why.contains("overlaps")));
    designer.press(KeyCode::Enter);
    assert_eq!(*designer.app.editor.document.design(), design);
    // Moved back and one square down, the plan is accepted.
    designer.app.editor.show_square(p(wall.x + 1, wall.y));
    designer.press(KeyCode::Enter);
    let moved = &layout(&designer).vaults[first.vault];
    assert_eq!((moved.div, moved.at), (0, p(first.at.x + 1, first.at.y)));
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), design);
}

#[test]
fn hjkl_move_the_cursor_while_drawing() {
    let mut designer = drawing(120, 40);
    let before = designer.app.editor.map.cursor();
    for (keys, x, y) in [
        ("jj", 2, 0),
        ("lll", 2, 3),
        ("k", 1, 3),
        ("h", 1, 2),
        ("J", 9, 2),
        ("L", 9, 10),
    ] {
        designer.keys(keys);
        let now = designer.app.editor.map.cursor();
        assert_eq!((now.x - before.x, now.y - before.y), (x, y), "{keys}");
        assert!(designer.app.dialogs.open.is_none(), "{}", designer.text());
    }
}
