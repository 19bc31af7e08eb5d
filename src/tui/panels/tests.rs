//! Tests of the panels: sliders, defaults, copies, rules and variations, by keys and mouse.

use crossterm::event::{Event, KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use super::accept_typed;
use super::typing::{FieldEdit, TypingTarget, typed_at};
use crate::background::Message;
use crate::design::{Design, Dimension, Entry, EntryText, NamedPlace, Place, style};
use crate::document::Document;
use crate::geometry::{Point, Size};
use crate::tui::commands::{Action, PanelCommand, VariationCommand};
use crate::tui::fixture::TestApp;
use crate::tui::stories::{alt, changed, elsewhere, foot, on_file, step_length, test_app};
use crate::tui::tabs::Panel;
use crate::tui::widget::prompt::{TextField, TextKind};

/// Returns the first column, the last column and the row of the selected field's slider track.
fn track(designer: &TestApp) -> (u16, u16, u16) {
    let panel = designer.app.editor.areas.panel;
    let text = designer.text();
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
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Down);
    insta::assert_snapshot!("a_slider_80x24", designer.text());
    let turning = |designer: &TestApp| designer.app.editor.document.design().character.generations[0].change_dir_prob;
    let (first, last, row) = track(&designer);
    let left = MouseButton::Left;
    let run = designer.run();
    designer.mouse(MouseEventKind::Down(left), last, row);
    assert_eq!(turning(&designer), 100);
    assert_ne!(designer.run(), run, "it is grown while the pointer holds it");
    for column in (first..last).rev() {
        designer.mouse(MouseEventKind::Drag(left), column, row);
    }
    // The drag continues off the slider and over the map.
    designer.mouse(MouseEventKind::Drag(left), 3, 3);
    assert_eq!(turning(&designer), 0);
    designer.mouse(MouseEventKind::Drag(left), first + 1, 3);
    designer.mouse(MouseEventKind::Up(left), 3, 3);
    let dragged = turning(&designer);
    assert!(dragged > 0);
    assert_eq!(designer.app.editor.document.step(), 1, "a drag is one step");
    designer.mouse(MouseEventKind::ScrollUp, first + 5, row);
    designer.mouse(MouseEventKind::ScrollUp, first + 5, row);
    designer.mouse(MouseEventKind::ScrollDown, first + 5, row);
    assert_eq!(turning(&designer), dragged + 1);
    let names: Vec<&str> = designer.app.editor.document.steps().collect();
    assert_eq!(
        names,
        [
            format!("ChangeDirProb of generation 0: 30 → {dragged}"),
            format!("ChangeDirProb of generation 0: {dragged} → {}", dragged + 1)
        ]
    );
    designer.keys("uu");
    assert_eq!(turning(&designer), 30);
}

#[test]
fn a_drag_continues_when_the_file_is_reloaded() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    let (first, last, row) = track(&designer);
    let left = MouseButton::Left;
    // The knob is held without changing the value, so the file is reloaded without a question.
    let knob = (first..=last)
        .find(|column| {
            designer.mouse(MouseEventKind::Down(left), *column, row);
            designer.mouse(MouseEventKind::Up(left), *column, row);
            step_length(&designer) == 4
        })
        .unwrap();
    designer.chord(KeyModifiers::CONTROL, 's');
    let steps = designer.app.editor.document.step();
    designer.mouse(MouseEventKind::Down(left), knob, row);
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 7);
    changed(&mut designer);
    assert_eq!(step_length(&designer), 7);
    designer.mouse(MouseEventKind::Drag(left), last - 1, row);
    designer.mouse(MouseEventKind::Drag(left), last, row);
    assert_eq!(
        designer.app.editor.document.steps().last(),
        Some("StepLength of generation 0: 7 → 20")
    );
    // If the file changes after the value was dragged, the drag continues, and the question appears when it ends.
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 9);
    changed(&mut designer);
    assert!(designer.app.dialogs.open.is_none());
    designer.mouse(MouseEventKind::Drag(left), first, row);
    assert!(designer.app.dialogs.open.is_none());
    designer.mouse(MouseEventKind::Up(left), first, row);
    assert!(designer.app.dialogs.open.is_some());
    designer.press(KeyCode::Esc);
    let names: Vec<&str> = designer.app.editor.document.steps().skip(steps).collect();
    assert_eq!(
        names,
        ["halls.toml changed on disk", "StepLength of generation 0: 7 → 1"]
    );
}

#[test]
fn typed_text_survives_a_reload_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = on_file(folder.path());
    alt(&mut designer, '1');
    designer.keys("1");
    elsewhere(folder.path(), |design| design.character.generations[0].step_length = 7);
    changed(&mut designer);
    designer.keys("2");
    designer.press(KeyCode::Enter);
    assert_eq!(
        designer.app.editor.document.steps().last(),
        Some("StepLength of generation 0: 7 → 12")
    );
    // While a variation is tried, changes in the file are still applied to the design.
    designer.keys("V");
    designer.chord(KeyModifiers::CONTROL, 's');
    elsewhere(folder.path(), |design| design.character.generations[9].max_age = 77);
    changed(&mut designer);
    assert!(super::varied_design(&designer.app.panels, &designer.app.editor).is_some());
    designer.press(KeyCode::Esc);
    assert_eq!(
        designer.app.editor.document.design().character.generations[9].max_age,
        77
    );
}

#[test]
fn fields_and_records_are_reset() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("]r");
    assert_eq!(step_length(&designer), 4);
    assert!(foot(&designer).contains("StepLength of generation 0: 14 → 4"));
    designer.keys("r");
    assert!(foot(&designer).contains("already has its default, 4"));
    designer.keys("]");
    designer.press(KeyCode::Down);
    designer.keys("]");
    designer.app.update(Action::Panel(PanelCommand::ResetAll));
    assert!(designer.app.editor.regrows());
    let stats = designer.app.editor.document.design().character.generations[0];
    assert_eq!(stats, crate::design::Generation::default());
    assert!(foot(&designer).contains("generation 0: all reset to defaults"));
    // A switch of a room's style is reset, too.
    designer.app.panels = super::PanelsState::default();
    alt(&mut designer, '2');
    for _ in 0..3 {
        designer.press(KeyCode::Down);
    }
    designer.press(KeyCode::Enter);
    for _ in 0..13 {
        designer.press(KeyCode::Down);
    }
    let style = |designer: &TestApp| designer.app.editor.document.design().layout.rooms[0].style;
    designer.keys("-");
    assert_eq!(style(&designer) & style::WALLS, 0);
    designer.keys("r");
    assert_eq!(style(&designer) & style::WALLS, style::WALLS);
}

#[test]
fn the_name_of_a_place_is_reset_with_its_numbers() {
    let mut design = Design::default();
    design.layout.places.push(NamedPlace {
        name: "gate".into(),
        at: Point::new(5, 6),
        ..NamedPlace::default()
    });
    let mut designer = TestApp::with(Document::new(design, None), 80, 24);
    alt(&mut designer, '2');
    designer.press(KeyCode::End);
    designer.press(KeyCode::Up);
    designer.app.update(Action::Panel(PanelCommand::ResetAll));
    let place = &designer.app.editor.document.design().layout.places[0];
    assert_eq!((place.name.as_str(), place.at), ("", Point::new(10, 10)));
}

#[test]
fn text_typed_for_a_removed_entry_is_not_lost() {
    let mut designer = test_app(80, 24);
    designer.app.panels.editing = Some(FieldEdit {
        target: TypingTarget::Word(Entry::NamedPlace(0), EntryText::Name),
        typing: TextField::new(TextKind::Line, "gate"),
    });
    assert!(!accept_typed(&mut designer.app.panels, &mut designer.app.editor));
    assert!(
        foot(&designer).contains("place 1 no longer exists"),
        "{}",
        foot(&designer)
    );
}

#[test]
fn long_numbers_are_not_cut() {
    let mut design = Design::default();
    design.layout.limits.rooms = 100_000_000;
    let mut designer = TestApp::with(Document::new(design, None), 80, 24);
    alt(&mut designer, '2');
    designer.press(KeyCode::Down);
    let text = designer.text();
    let is_whole = |line: &str| line.contains("numRooms") && line.contains(" 100000000");
    assert!(text.lines().any(is_whole), "{text}");
}

#[test]
fn the_number_of_an_entry_in_a_long_list_is_apart_from_its_square() {
    let mut design = Design::default();
    let layout = &mut design.layout;
    layout.size = Size::new(200, 200);
    layout.walls = (0..12_345).map(|i| Point::new(1 + i / 198, 1 + i % 198)).collect();
    layout.limits = layout.limits.raised_for(layout);
    let mut designer = TestApp::with(Document::new(design, None), 80, 24);
    alt(&mut designer, '2');
    designer.press(KeyCode::End);
    for _ in 0..5 {
        designer.press(KeyCode::Up);
    }
    assert!(
        designer.text().contains("12345 row 63, column 69"),
        "{}",
        designer.text()
    );
}

#[test]
fn a_place_but_no_open_square_can_be_added_at_row_0_column_0() {
    let mut designer = test_app(80, 24);
    designer.app.editor.map.move_cursor(Point::new(0, 0));
    alt(&mut designer, '2');
    designer.press(KeyCode::End);
    designer.press(KeyCode::Up);
    designer.keys("a");
    let layout = |designer: &TestApp| designer.app.editor.document.design().layout.clone();
    assert_eq!(layout(&designer).places[0].at, Point::new(0, 0));
    designer.press(KeyCode::Home);
    for _ in 0..5 {
        designer.press(KeyCode::Down);
    }
    let open = layout(&designer).open;
    designer.keys("a");
    assert_eq!(layout(&designer).open, open);
    // The warning is longer than the footer, so it is shown above it.
    assert!(
        designer.text().contains("a rooms file cannot store"),
        "{}",
        designer.text()
    );
}

#[test]
fn digits_start_typing_in_another_panel_while_a_generation_waits_to_be_copied() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("C");
    designer.keys("5");
    assert!(!designer.app.panels.is_typing());
    designer.click(10, 8);
    alt(&mut designer, '3');
    designer.keys("5");
    assert!(designer.app.panels.is_typing(), "{}", designer.text());
}

#[test]
fn a_generation_is_copied_to_others() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.press(KeyCode::Right);
    designer.keys("17");
    designer.press(KeyCode::Enter);
    designer.keys("C");
    insta::assert_snapshot!("where_is_it_copied_to", designer.text());
    designer.keys("n");
    let lengths = |designer: &TestApp| {
        designer
            .app
            .editor
            .document
            .design()
            .character
            .generations
            .map(|stats| stats.step_length)
    };
    assert_eq!(lengths(&designer), [4, 17, 17, 4, 4, 4, 4, 4, 4, 4]);
    designer.keys("Cl");
    assert_eq!(lengths(&designer), [4, 17, 17, 17, 17, 17, 17, 17, 17, 17]);
    designer.keys("u");
    // The button of the last choice is clicked with the mouse.
    designer.keys("C");
    let text = designer.text();
    let (row, line) = text
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("to all others"))
        .unwrap();
    let column = line.split("to all others").next().unwrap().chars().count();
    designer.click(column as u16, row as u16);
    assert_eq!(lengths(&designer), [17; 10]);
    assert!(foot(&designer).contains("generation 1 copied to all others"));
    designer.keys("C");
    designer.press(KeyCode::Esc);
    designer.keys("uu");
    assert_eq!(designer.app.editor.document.step(), 1);
}

#[test]
fn buttons_below_the_table_do_what_their_keys_do() {
    let mut designer = test_app(120, 40);
    alt(&mut designer, '1');
    designer.keys("]");
    click_button(&mut designer, "r reset");
    assert_eq!(step_length(&designer), 4);
    click_button(&mut designer, "search and replace");
    assert!(designer.app.panels.is_typing());
    designer.press(KeyCode::Esc);
    click_button(&mut designer, "V variation");
    assert!(super::varied_design(&designer.app.panels, &designer.app.editor).is_some());
    click_button(&mut designer, "discard");
    assert!(super::varied_design(&designer.app.panels, &designer.app.editor).is_none());
}

/// Clicks the first place on the screen that shows `name`.
fn click_button(designer: &mut TestApp, name: &str) {
    let text = designer.text();
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains(name)).unwrap();
    let column = line.split(name).next().unwrap().chars().count();
    designer.click(column as u16, row as u16);
}

#[test]
fn a_button_of_a_variation_applies_the_number_being_typed() {
    let mut designer = test_app(120, 40);
    alt(&mut designer, '1');
    designer.keys("V77");
    click_button(&mut designer, "Enter keep");
    assert!(!designer.app.panels.is_typing());
    assert!(
        foot(&designer).contains("variation 77 of all generations: values changed by up to 25%"),
        "{}",
        foot(&designer)
    );
    // An invalid number is not kept, but can be discarded.
    designer.keys("V99999999999");
    click_button(&mut designer, "Enter keep");
    assert!(designer.app.panels.is_typing());
    click_button(&mut designer, "Esc discard");
    assert!(!designer.app.panels.is_typing());
    assert!(super::varied_design(&designer.app.panels, &designer.app.editor).is_none());
    assert_eq!(designer.app.editor.document.step(), 1);
}

#[test]
fn text_being_typed_is_not_hidden_when_a_key_shows_another_panel() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("12");
    designer.click(10, 8);
    alt(&mut designer, '2');
    assert_eq!(step_length(&designer), 12);
    assert_eq!(designer.app.editor.panel, Panel::Rooms);
    assert!(!designer.app.panels.is_typing());
    // The panel with an invalid value stays, and a rule is cancelled.
    alt(&mut designer, '1');
    designer.keys("0");
    designer.click(10, 8);
    alt(&mut designer, '2');
    assert_eq!(designer.app.editor.panel, Panel::Stats);
    assert!(designer.app.panels.is_typing());
    designer.press(KeyCode::Esc);
    designer.keys("/Max");
    designer.click(10, 8);
    alt(&mut designer, '2');
    assert_eq!(designer.app.editor.panel, Panel::Rooms);
    assert!(!designer.app.panels.is_typing());
}

#[test]
fn only_enter_applies_a_rule() {
    let end: [fn(&mut TestApp); 3] = [
        |designer| {
            let vary = PanelCommand::Vary(VariationCommand::Roll);
            super::update(&mut designer.app.panels, &mut designer.app.editor, vary);
        },
        |designer| {
            let size = Place::field(Entry::Dimensions, Dimension::X);
            super::show(&mut designer.app.panels, &mut designer.app.editor, size);
        },
        |designer| {
            designer.click(10, 8);
            designer.chord(KeyModifiers::CONTROL, 's');
        },
    ];
    for end in end {
        let mut designer = test_app(80, 24);
        alt(&mut designer, '1');
        designer.keys("/Corr 3 -> 5");
        assert!(designer.app.panels.is_typing());
        end(&mut designer);
        assert!(!designer.app.panels.is_typing());
        assert_eq!(designer.app.editor.document.step(), 0);
    }
}

#[test]
fn a_rule_is_not_typed_in_place_of_another_text() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    designer.keys("12");
    super::update(
        &mut designer.app.panels,
        &mut designer.app.editor,
        PanelCommand::Replace,
    );
    assert_eq!(step_length(&designer), 12);
    assert!(typed_at(&designer.app.panels, TypingTarget::Rule).is_some());
}

#[test]
fn values_are_replaced_across_generations_by_a_rule() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '2');
    designer.keys("/");
    assert_eq!(designer.app.editor.panel, Panel::Stats);
    insta::assert_snapshot!("a_rule_is_asked_for", designer.text());
    designer.keys("Corr 3 -> ");
    assert!(designer.text().contains("the new value is missing"));
    designer.keys("5 in 4-6");
    insta::assert_snapshot!("a_rule_is_being_typed", designer.text());
    let before = designer.run();
    designer.press(KeyCode::Down);
    assert_eq!(designer.run(), before, "only Enter accepts a rule");
    designer.press(KeyCode::Enter);
    let widths = |designer: &TestApp| {
        designer
            .app
            .editor
            .document
            .design()
            .character
            .generations
            .map(|stats| stats.corridor_width)
    };
    assert_eq!(widths(&designer), [3, 3, 3, 3, 5, 5, 5, 3, 3, 3]);
    assert!(
        foot(&designer).contains("Corr 3 -> 5 in 4-6: 3 values"),
        "{}",
        foot(&designer)
    );
    designer.keys("u");
    assert_eq!(widths(&designer), [3; 10]);
    designer.keys("/all *2");
    designer.press(KeyCode::Enter);
    assert!(
        designer.app.panels.is_typing(),
        "a rule that leads out of a range is rejected"
    );
    // The whole message is above the footer, which has no room for it.
    assert!(designer.text().contains("would be 120"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.editor.document.step(), 0);
}

#[test]
fn a_rule_is_visible_while_it_is_typed_in_the_smallest_window() {
    let mut designer = test_app(40, 12);
    alt(&mut designer, '1');
    designer.keys("/Corr 3 -> ");
    insta::assert_snapshot!("a_rule_is_being_typed_40x12", designer.text());
    assert!(designer.text().contains("Corr 3 ->"));
    assert!(designer.text().contains("the new value is missing"));
}

#[test]
fn long_notes_are_not_cut_without_a_message() {
    let mut designer = test_app(120, 40);
    let notes = |designer: &TestApp| designer.app.editor.document.design().notes.len();
    let paste = |designer: &mut TestApp, length: usize| {
        designer.app.panels.editing = Some(FieldEdit {
            target: TypingTarget::Notes,
            typing: TextField::new(TextKind::Text, ""),
        });
        designer.send(Message::Input(Event::Paste("x".repeat(length))));
    };
    alt(&mut designer, '4');
    paste(&mut designer, 9_000);
    assert!(!foot(&designer).contains("cut"), "{}", foot(&designer));
    accept_typed(&mut designer.app.panels, &mut designer.app.editor);
    assert_eq!(notes(&designer), 9_000);
    paste(&mut designer, 200_000);
    assert!(foot(&designer).contains("the pasted text was shortened: this field holds at most 100,000 bytes"));
    designer.keys("x");
    assert!(foot(&designer).contains("this field is full"), "{}", foot(&designer));
    designer.press(KeyCode::Backspace);
    designer.keys("x");
    accept_typed(&mut designer.app.panels, &mut designer.app.editor);
    assert_eq!(notes(&designer), 100_000);
}

#[test]
fn a_variation_is_tried_and_kept_or_discarded() {
    let mut designer = test_app(80, 24);
    alt(&mut designer, '1');
    let before = designer.app.editor.document.design().clone();
    let run = designer.run();
    designer.keys("V");
    assert_ne!(designer.run(), run, "it is grown at once");
    // Types a fixed number, so that the snapshot does not depend on chance.
    designer.keys("48213");
    designer.press(KeyCode::Enter);
    insta::assert_snapshot!("a_variation_is_tried", designer.text());
    designer.keys("+");
    let run = designer.run();
    designer.press(KeyCode::Esc);
    assert_ne!(designer.run(), run, "the design itself is grown again");
    assert_eq!(
        (
            designer.app.editor.document.step(),
            designer.app.editor.document.design()
        ),
        (0, &before)
    );
    designer.press(KeyCode::Right);
    designer.keys("Vg7");
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Enter);
    assert!(
        foot(&designer).contains("variation 7 of generation 1: values changed by up to 25%"),
        "{}",
        foot(&designer)
    );
    let after = designer.app.editor.document.design().clone();
    for (generation, (a, b)) in before
        .character
        .generations
        .iter()
        .zip(&after.character.generations)
        .enumerate()
    {
        assert_eq!(a != b, generation == 1);
    }
    designer.keys("u");
    assert_eq!(*designer.app.editor.document.design(), before);
    // Undo while a variation is tried changes the design to which the variation is applied.
    designer.keys("]V");
    designer.keys("u");
    designer.press(KeyCode::Esc);
    assert_eq!(*designer.app.editor.document.design(), before);
}

#[test]
fn parameters_without_effect_are_explained() {
    let mut designer = test_app(120, 40);
    alt(&mut designer, '1');
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Down);
    designer.keys("0");
    designer.press(KeyCode::Enter);
    designer.press(KeyCode::Down);
    designer.press(KeyCode::Down);
    assert!(
        designer.text().contains("no effect now: ChangeDirProb is 0"),
        "{}",
        designer.text()
    );
    insta::assert_snapshot!("a_parameter_without_effect", designer.text());
}
