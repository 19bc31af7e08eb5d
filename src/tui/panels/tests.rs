//! Tests of the panels: sliders, defaults, copies, rules and variations, by keys and mouse.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use crate::design::style;
use crate::tui::commands::{Action, PanelCommand};
use crate::tui::fixture::TestApp;
use crate::tui::stories::{alt, changed, desk, elsewhere, foot, on_file, step_length};
use crate::tui::tabs::Panel;

/// Returns the track of the selected field's slider: its first column, its last, and its row.
fn track(desk: &TestApp) -> (u16, u16, u16) {
    let panel = desk.app.editor.areas.panel;
    let text = desk.text();
    let on_track = |c: &char| "●▶◀━─┴".contains(*c);
    let (row, columns) = text
        .lines()
        .enumerate()
        .map(|(row, line)| {
            let inside = line
                .chars()
                .enumerate()
                .filter(|(x, _)| *x > usize::from(panel.x) && *x + 1 < usize::from(panel.right()));
            (
                row,
                inside
                    .filter(|(_, c)| on_track(c))
                    .map(|(x, _)| x as u16)
                    .collect::<Vec<_>>(),
                line.to_owned(),
            )
        })
        .filter(|(row, _, line)| {
            *row < usize::from(panel.bottom()) && line.chars().skip(panel.x.into()).any(|c| "●▶◀".contains(c))
        })
        .map(|(row, columns, _)| (row, columns))
        .next()
        .unwrap();
    (columns[0], *columns.last().unwrap(), row as u16)
}

#[test]
fn a_slider_is_clicked_dragged_and_stepped_by_the_wheel() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Down);
    insta::assert_snapshot!("a_slider_80x24", desk.text());
    let turning = |desk: &TestApp| desk.app.editor.document.design().character.generations[0].change_dir_prob;
    let (first, last, row) = track(&desk);
    let left = MouseButton::Left;
    let run = desk.run();
    desk.mouse(MouseEventKind::Down(left), last, row);
    assert_eq!(turning(&desk), 100);
    assert_ne!(desk.run(), run, "it is grown while the pointer holds it");
    for column in (first..last).rev() {
        desk.mouse(MouseEventKind::Drag(left), column, row);
    }
    // Off the slider, and over the map: the drag continues.
    desk.mouse(MouseEventKind::Drag(left), 3, 3);
    assert_eq!(turning(&desk), 0);
    desk.mouse(MouseEventKind::Drag(left), first + 1, 3);
    desk.mouse(MouseEventKind::Up(left), 3, 3);
    let dragged = turning(&desk);
    assert!(dragged > 0);
    assert_eq!(desk.app.editor.document.step(), 1, "a drag is one step");
    desk.mouse(MouseEventKind::ScrollUp, first + 5, row);
    desk.mouse(MouseEventKind::ScrollUp, first + 5, row);
    desk.mouse(MouseEventKind::ScrollDown, first + 5, row);
    assert_eq!(turning(&desk), dragged + 1);
    let names: Vec<&str> = desk.app.editor.document.steps().collect();
    assert_eq!(
        names,
        [
            format!("ChangeDirProb of generation 0: 30 → {dragged}"),
            format!("ChangeDirProb of generation 0: {dragged} → {}", dragged + 1)
        ]
    );
    desk.keys("uu");
    assert_eq!(turning(&desk), 30);
}

#[test]
fn a_drag_goes_on_over_a_file_that_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    alt(&mut desk, '1');
    let (first, last, row) = track(&desk);
    let left = MouseButton::Left;
    // Held at its value: nothing changes, and the file is read without a question.
    let knob = (first..=last)
        .find(|column| {
            desk.mouse(MouseEventKind::Down(left), *column, row);
            desk.mouse(MouseEventKind::Up(left), *column, row);
            step_length(&desk) == 4
        })
        .unwrap();
    desk.chord(KeyModifiers::CONTROL, 's');
    let steps = desk.app.editor.document.step();
    desk.mouse(MouseEventKind::Down(left), knob, row);
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 7);
    changed(&mut desk);
    assert_eq!(step_length(&desk), 7);
    desk.mouse(MouseEventKind::Drag(left), last - 1, row);
    desk.mouse(MouseEventKind::Drag(left), last, row);
    assert_eq!(
        desk.app.editor.document.steps().last(),
        Some("StepLength of generation 0: 7 → 20")
    );
    // With changes on both sides the drag continues, and the question comes when it ends.
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut desk);
    assert!(desk.app.dialogs.open.is_none());
    desk.mouse(MouseEventKind::Drag(left), first, row);
    assert!(desk.app.dialogs.open.is_none());
    desk.mouse(MouseEventKind::Up(left), first, row);
    assert!(desk.app.dialogs.open.is_some());
    desk.press(KeyCode::Esc);
    let names: Vec<&str> = desk.app.editor.document.steps().skip(steps).collect();
    assert_eq!(
        names,
        ["halls.toml changed on disk", "StepLength of generation 0: 7 → 1"]
    );
}

#[test]
fn what_is_typed_outlives_a_file_that_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut desk = on_file(folder.path());
    alt(&mut desk, '1');
    desk.keys("1");
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 7);
    changed(&mut desk);
    desk.keys("2");
    desk.press(KeyCode::Enter);
    assert_eq!(
        desk.app.editor.document.steps().last(),
        Some("StepLength of generation 0: 7 → 12")
    );
    // Changes read from the file show through a variation.
    desk.keys("V");
    desk.chord(KeyModifiers::CONTROL, 's');
    elsewhere(folder.path(), |design| design.character.generations[9].max_age = 77);
    changed(&mut desk);
    assert!(super::varied_design(&desk.app.panels, &desk.app.editor).is_some());
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.editor.document.design().character.generations[9].max_age, 77);
}

#[test]
fn fields_and_records_are_reset() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    desk.keys("]r");
    assert_eq!(step_length(&desk), 4);
    assert!(foot(&desk).contains("StepLength of generation 0: 14 → 4"));
    desk.keys("r");
    assert!(foot(&desk).contains("already has its default, 4"));
    desk.keys("]");
    desk.press(KeyCode::Down);
    desk.keys("]");
    desk.app.update(Action::Panel(PanelCommand::ResetAll));
    assert!(desk.app.editor.regrows());
    let stats = desk.app.editor.document.design().character.generations[0];
    assert_eq!(stats, crate::design::Generation::default());
    assert!(foot(&desk).contains("generation 0: all reset to defaults"));
    // A switch of a room's style, too.
    desk.app.panels = super::PanelsState::default();
    alt(&mut desk, '2');
    for _ in 0..3 {
        desk.press(KeyCode::Down);
    }
    desk.press(KeyCode::Enter);
    for _ in 0..13 {
        desk.press(KeyCode::Down);
    }
    let style = |desk: &TestApp| desk.app.editor.document.design().layout.rooms[0].style;
    desk.keys("-");
    assert_eq!(style(&desk) & style::WALLS, 0);
    desk.keys("r");
    assert_eq!(style(&desk) & style::WALLS, style::WALLS);
}

#[test]
fn a_generation_is_copied_to_others() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    desk.press(KeyCode::Right);
    desk.keys("17");
    desk.press(KeyCode::Enter);
    desk.keys("C");
    insta::assert_snapshot!("where_is_it_copied_to", desk.text());
    desk.keys("n");
    let lengths = |desk: &TestApp| {
        desk.app
            .editor
            .document
            .design()
            .character
            .generations
            .map(|stats| stats.step_length)
    };
    assert_eq!(lengths(&desk), [4, 17, 17, 4, 4, 4, 4, 4, 4, 4]);
    desk.keys("Cl");
    assert_eq!(lengths(&desk), [4, 17, 17, 17, 17, 17, 17, 17, 17, 17]);
    desk.keys("u");
    // With the mouse: the button of the last choice.
    desk.keys("C");
    let text = desk.text();
    let (row, line) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("to all others"))
        .unwrap();
    let column = line.split("to all others").next().unwrap().chars().count();
    desk.click(column as u16, row as u16);
    assert_eq!(lengths(&desk), [17; 10]);
    assert!(foot(&desk).contains("generation 1 copied to all others"));
    desk.keys("C");
    desk.press(KeyCode::Esc);
    desk.keys("uu");
    assert_eq!(desk.app.editor.document.step(), 1);
}

#[test]
fn buttons_below_the_table_do_what_their_keys_do() {
    let mut desk = desk(120, 40);
    alt(&mut desk, '1');
    desk.keys("]");
    let button = |desk: &TestApp, name: &str| {
        let text = desk.text();
        let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains(name)).unwrap();
        (line.split(name).next().unwrap().chars().count() as u16, row as u16)
    };
    let (column, row) = button(&desk, "r reset");
    desk.click(column, row);
    assert_eq!(step_length(&desk), 4);
    let (column, row) = button(&desk, "search and replace");
    desk.click(column, row);
    assert!(desk.app.panels.is_typing());
    desk.press(KeyCode::Esc);
    let (column, row) = button(&desk, "V variation");
    desk.click(column, row);
    assert!(super::varied_design(&desk.app.panels, &desk.app.editor).is_some());
    let (column, row) = button(&desk, "discard");
    desk.click(column, row);
    assert!(super::varied_design(&desk.app.panels, &desk.app.editor).is_none());
}

#[test]
fn values_are_replaced_across_generations_by_a_rule() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '2');
    desk.keys("/");
    assert_eq!(desk.app.editor.panel, Panel::Stats);
    insta::assert_snapshot!("a_rule_is_asked_for", desk.text());
    desk.keys("Corr 3 -> ");
    assert!(desk.text().contains("the new value is missing"));
    desk.keys("5 in 4-6");
    insta::assert_snapshot!("a_rule_is_being_typed", desk.text());
    let before = desk.run();
    desk.press(KeyCode::Down);
    assert_eq!(desk.run(), before, "only Enter takes a rule");
    desk.press(KeyCode::Enter);
    let widths = |desk: &TestApp| {
        desk.app
            .editor
            .document
            .design()
            .character
            .generations
            .map(|stats| stats.corridor_width)
    };
    assert_eq!(widths(&desk), [3, 3, 3, 3, 5, 5, 5, 3, 3, 3]);
    assert!(foot(&desk).contains("Corr 3 -> 5 in 4-6: 3 values"), "{}", foot(&desk));
    desk.keys("u");
    assert_eq!(widths(&desk), [3; 10]);
    desk.keys("/all *2");
    desk.press(KeyCode::Enter);
    assert!(
        desk.app.panels.is_typing(),
        "a rule that leads out of a range is refused"
    );
    assert!(
        foot(&desk).contains("would be 120, outside 0 to 100"),
        "{}",
        foot(&desk)
    );
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.editor.document.step(), 0);
}

#[test]
fn a_variation_is_tried_and_kept_or_thrown_away() {
    let mut desk = desk(80, 24);
    alt(&mut desk, '1');
    let before = desk.app.editor.document.design().clone();
    let run = desk.run();
    desk.keys("V");
    assert_ne!(desk.run(), run, "it is grown at once");
    // Another by its number: the snapshot never changes.
    desk.keys("48213");
    desk.press(KeyCode::Enter);
    insta::assert_snapshot!("a_variation_is_tried", desk.text());
    desk.keys("+");
    let run = desk.run();
    desk.press(KeyCode::Esc);
    assert_ne!(desk.run(), run, "the design itself is grown again");
    assert_eq!(
        (desk.app.editor.document.step(), desk.app.editor.document.design()),
        (0, &before)
    );
    desk.press(KeyCode::Right);
    desk.keys("Vg7");
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Enter);
    assert!(
        foot(&desk).contains("variation 7 of generation 1 within 25 %"),
        "{}",
        foot(&desk)
    );
    let after = desk.app.editor.document.design().clone();
    for (generation, (a, b)) in before
        .character
        .generations
        .iter()
        .zip(&after.character.generations)
        .enumerate()
    {
        assert_eq!(a != b, generation == 1);
    }
    desk.keys("u");
    assert_eq!(*desk.app.editor.document.design(), before);
    // Undo while a variation is tried shows through it.
    desk.keys("]V");
    desk.keys("u");
    desk.press(KeyCode::Esc);
    assert_eq!(*desk.app.editor.document.design(), before);
}

#[test]
fn parameters_without_effect_say_so() {
    let mut desk = desk(120, 40);
    alt(&mut desk, '1');
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Down);
    desk.keys("0");
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Down);
    assert!(
        desk.text().contains("no effect now: ChangeDirProb is 0"),
        "{}",
        desk.text()
    );
    insta::assert_snapshot!("a_parameter_without_effect", desk.text());
}
