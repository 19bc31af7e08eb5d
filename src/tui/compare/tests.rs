//! Tests of the comparison, by keys and mouse.

use std::collections::BTreeSet;

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use ratatui::layout::Rect;

use super::*;
use crate::design::Design;
use crate::presets::Preset;
use crate::tui::fixture::{TestApp, assert_list_keys, drawn_at_any_size};
use crate::tui::keymap::Context;
use crate::tui::theme::{Depth, Theme};

fn desk(width: u16, height: u16) -> TestApp {
    let design = Preset::find("first-steps").unwrap().design();
    TestApp::with(Document::new(design, None), width, height)
}

fn edit(desk: &mut TestApp, change: impl FnOnce(&mut Design)) {
    desk.app.editor.edit("wider corridors", change);
    desk.perform(Vec::new());
    desk.want();
}

fn widened(design: &mut Design) {
    design.character.generations[1].corridor_width = 6;
}

/// Starts the app with a completed comparison of an edit.
fn compared(width: u16, height: u16) -> TestApp {
    let mut desk = desk(width, height);
    edit(&mut desk, widened);
    desk.keys("Z");
    desk.settle();
    desk
}

#[test]
fn before_and_after_an_edit_look_like_this() {
    for (width, height) in [(120, 40), (80, 24), (200, 60)] {
        let mut desk = compared(width, height);
        insta::assert_snapshot!(format!("compare_{width}x{height}"), desk.text());
        desk.press(KeyCode::Tab);
        desk.keys("ss");
        insta::assert_snapshot!(format!("compare_figures_{width}x{height}"), desk.text());
    }
}

#[test]
fn it_keeps_to_its_place_at_any_size() {
    let mut desk = compared(120, 40);
    for keys in ["", "t", "+++", "g"] {
        desk.keys(keys);
        drawn_at_any_size(
            |area, buf| draw::draw_within(&desk.app.screens.compare, &desk.app.editor, area, buf),
            (70, 20),
        );
    }
    desk.app.editor.theme = Theme::new(Depth::None);
    desk.press(KeyCode::Tab);
    drawn_at_any_size(
        |area, buf| draw::draw_within(&desk.app.screens.compare, &desk.app.editor, area, buf),
        (110, 40),
    );
}

#[test]
fn without_colours_signs_show_what_differs_at_every_zoom() {
    let mut desk = compared(120, 40);
    desk.app.editor.theme = Theme::new(Depth::None);
    let mut seen = BTreeSet::new();
    for _ in 0..6 {
        let map = draw::CompareAreas::of(&desk.app.screens.compare, &desk.app.editor).maps[0];
        seen.insert(format!("{:?}", maps::zoom(&desk.app.screens.compare, map)));
        let screen = desk.screen();
        let sides = draw::CompareAreas::of(&desk.app.screens.compare, &desk.app.editor)
            .maps
            .into_iter()
            .zip(["<", ">"]);
        let signs = |(side, sign): (Rect, &str)| {
            let squares = maps::inside(side).positions();
            squares.filter(|at| screen[*at].symbol() == sign).count()
        };
        assert!(sides.map(signs).sum::<usize>() > 0, "{seen:?}\n{}", desk.text());
        desk.keys("+");
    }
    assert!(seen.len() >= 3, "{seen:?}");
}

#[test]
fn of_one_design_the_maps_take_the_room() {
    let mut desk = compared(120, 40);
    let with_metrics = draw::CompareAreas::of(&desk.app.screens.compare, &desk.app.editor);
    desk.app.screens.compare.sides = desk
        .app
        .screens
        .compare
        .sides
        .take()
        .map(|[_, right]| [right.clone(), right]);
    let alone = draw::CompareAreas::of(&desk.app.screens.compare, &desk.app.editor);
    assert!(alone.maps[0].height > with_metrics.maps[0].height + 10);
    assert!(alone.heading.height > 0 && alone.list.is_empty());
    assert!(desk.text().contains("One design:"), "{}", desk.text());
}

#[test]
fn what_differs_is_more_than_chance_and_said_so() {
    let desk = compared(120, 40);
    let state = &desk.app.screens.compare;
    let first = state.ordered()[0];
    assert!(first.difference == Difference::Shift && first.p < 0.001);
    let text = desk.text();
    assert!(
        text.contains("lower in 76 of 100") && text.contains("not significant"),
        "{text}"
    );
    assert_eq!(state.dungeons, [100, 100]);
}

#[test]
fn both_maps_show_the_same_moment_and_the_same_squares() {
    let mut desk = compared(120, 40);
    let walls = |desk: &TestApp, side: usize| {
        let look = maps::CompareMap::of(&desk.app.screens.compare, &desk.app.editor, side).unwrap();
        let Size { x, y } = desk.app.screens.compare.size();
        let squares = (0..x).flat_map(|x| (0..y).map(move |y| Point::new(x, y)));
        squares.filter(|at| look.here(*at).is_some()).count()
    };
    let grown = [walls(&desk, 0), walls(&desk, 1)];
    desk.keys("g");
    let counts = maps::counts(&desk.app.screens.compare, &desk.app.editor).unwrap();
    assert_eq!((counts[0], counts[1]), (0, 0), "they begin alike");
    assert_eq!(walls(&desk, 0), walls(&desk, 1));
    desk.keys("}");
    assert_eq!(desk.app.screens.compare.now(), 100);
    desk.keys("..,>");
    assert_eq!(desk.app.screens.compare.now(), 111);
    desk.keys("G");
    assert_eq!([walls(&desk, 0), walls(&desk, 1)], grown);
    let [left, right, both] = maps::counts(&desk.app.screens.compare, &desk.app.editor).unwrap();
    assert_eq!([left + both, right + both], grown.map(|walls| walls as u64));
    assert!(left > 0 && right > 0);
    // Playback runs to the end by itself.
    desk.keys("g ");
    assert!(desk.app.next_change().is_some());
    desk.app.advance(Duration::from_secs(2));
    let now = desk.app.screens.compare.now();
    assert!(now > 0 && now < desk.app.screens.compare.last());
    desk.app.advance(Duration::from_mins(1));
    assert_eq!(
        (desk.app.screens.compare.now(), desk.app.screens.compare.playing),
        (desk.app.screens.compare.last(), None)
    );
}

#[test]
fn the_mouse_moves_both_and_goes_to_moments() {
    let mut desk = compared(120, 40);
    let plan = CompareAreas::of(&desk.app.screens.compare, &desk.app.editor);
    desk.keys("+++");
    let right = plan.maps[1];
    let before = desk.app.screens.compare.cursor;
    desk.click(right.x + 5, right.y + 5);
    assert_ne!(desk.app.screens.compare.cursor, before);
    let zoom = desk.app.screens.compare.zoom;
    desk.mouse(MouseEventKind::ScrollDown, right.x + 5, right.y + 5);
    assert_ne!(desk.app.screens.compare.zoom, zoom);
    desk.keys("0++");
    let origin = maps::view(&desk.app.screens.compare, plan.maps[0]).origin;
    desk.mouse(MouseEventKind::Down(MouseButton::Left), right.x + 9, right.y + 9);
    desk.mouse(MouseEventKind::Drag(MouseButton::Left), right.x + 9, right.y + 3);
    desk.mouse(MouseEventKind::Up(MouseButton::Left), right.x + 9, right.y + 3);
    let views = plan.maps.map(|map| maps::view(&desk.app.screens.compare, map));
    assert!(views[0].origin != origin && views[0].origin == views[1].origin);
    desk.click(plan.time.right() - 1, plan.time.y);
    assert_eq!(desk.app.screens.compare.now(), desk.app.screens.compare.last());
    desk.click(plan.time.x + plan.time.width / 2, plan.time.y);
    assert!((1..desk.app.screens.compare.last()).contains(&desk.app.screens.compare.now()));
    desk.click(plan.list.x + 3, plan.list.y + 2);
    assert_eq!(desk.app.screens.compare.visible(plan.list).selected, 2);
    // Keys and wheel move the selection of metrics like that of any list.
    let list = |desk: &TestApp| {
        let plan = CompareAreas::of(&desk.app.screens.compare, &desk.app.editor);
        desk.app.screens.compare.visible(plan.list)
    };
    assert_list_keys(&mut compared(120, 40), list);
}

#[test]
fn it_follows_the_design() {
    let mut desk = compared(120, 40);
    edit(&mut desk, |design| design.layout.size.y += 10);
    assert!(desk.requested("comparison").is_some() && desk.app.screens.compare.comparisons.is_empty());
    desk.settle();
    let sides = desk.app.screens.compare.sides.as_ref().unwrap();
    let columns = sides.each_ref().map(|side| side.seeded.design().layout.size.y);
    assert_eq!(columns, [60, 70]);
    // The left side is the design before the edit: continuing with it undoes the edit.
    desk.keys("1");
    assert!(!desk.app.screens.compare.is_open());
    assert_eq!(desk.app.editor.document.design().layout.size.y, 60);
    desk.keys("Zn");
    desk.settle();
    assert_eq!(desk.app.screens.compare.dungeons, [200, 200]);
    desk.press(KeyCode::Esc);
    assert_eq!(desk.requested("comparison"), None);
}

#[test]
fn two_seeds_of_the_gallery_are_compared() {
    let mut desk = desk(120, 40);
    desk.keys("Y");
    desk.settle();
    desk.press(KeyCode::Home);
    desk.keys("c");
    assert!(desk.text().contains("mark a seed first"), "{}", desk.text());
    desk.keys(" llc");
    desk.settle();
    assert_eq!(desk.app.contexts(), [Context::Compare]);
    let text = desk.text();
    assert!(text.contains("seed 0") && text.contains("seed 2"), "{text}");
    assert!(text.contains("One design"), "what differs is chance, and said so");
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.contexts(), [Context::Gallery], "back to where one came from");
    desk.keys("c2");
    assert_eq!(desk.app.editor.document.design().seed, 2);
    assert!(!desk.app.screens.gallery.is_open());
}

#[test]
fn another_design_is_chosen_and_the_open_one_stays() {
    let mut desk = desk(120, 40);
    let title = desk.app.editor.document.title();
    desk.keys("Zo");
    desk.settle();
    desk.keys("two ways");
    desk.press(KeyCode::Enter);
    desk.settle();
    assert_eq!(desk.app.editor.document.title(), title);
    assert_eq!(desk.app.contexts(), [Context::Compare]);
    let text = desk.text();
    assert!(text.contains("two designs") && text.contains("Two ways"), "{text}");
    assert!(desk.app.screens.compare.ordered()[0].difference != Difference::Chance);
}

#[test]
fn the_other_design_is_opened_after_asking_for_unsaved_changes() {
    let mut desk = desk(120, 40);
    edit(&mut desk, widened);
    let title = desk.app.editor.document.title();
    let choose = |desk: &mut TestApp| {
        desk.keys("Zo");
        desk.settle();
        desk.keys("two ways");
        desk.press(KeyCode::Enter);
        desk.settle();
    };
    choose(&mut desk);
    desk.keys("2");
    assert!(desk.text().contains("Unsaved changes"), "{}", desk.text());
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.editor.document.title(), title, "nothing is lost");
    choose(&mut desk);
    desk.keys("1");
    assert_eq!(desk.app.editor.document.title(), title, "the left one is what is open");
    assert!(!desk.app.screens.compare.is_open());
    choose(&mut desk);
    desk.press(KeyCode::Enter);
    desk.keys("d");
    assert!(
        desk.app.editor.document.title().to_lowercase().contains("two"),
        "{}",
        desk.app.editor.document.title()
    );
    assert!(!desk.app.screens.compare.is_open() && desk.app.screens.compare.other.is_none());
    desk.keys("Zo");
    desk.settle();
    assert_eq!(desk.app.contexts(), [Context::Presets]);
}
