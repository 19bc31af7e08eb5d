//! Tests that operate the comparison with keys and the mouse.

use std::collections::BTreeSet;

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::Rect;

use super::*;
use crate::background::{JobReply, Message};
use crate::design::Design;
use crate::format::native;
use crate::presets::Preset;
use crate::storage::DesignFiles;
use crate::tui::fixture::{TestApp, assert_list_keys, drawn_at_any_size};
use crate::tui::keymap::{self, Context};
use crate::tui::theme::{Depth, Theme};
use crate::tui::viewport::{CellSize, PictureSupport};

fn test_app(width: u16, height: u16) -> TestApp {
    let design = Preset::find("first-steps").unwrap().design();
    TestApp::with(Document::new(design, None), width, height)
}

fn edit(designer: &mut TestApp, change: impl FnOnce(&mut Design)) {
    designer.app.editor.edit("wider corridors", change);
    designer.perform(Vec::new());
    designer.want();
}

fn widened(design: &mut Design) {
    design.character.generations[1].corridor_width = 6;
}

/// Starts the app with a completed comparison of an edit.
fn compared(width: u16, height: u16) -> TestApp {
    let mut designer = test_app(width, height);
    edit(&mut designer, widened);
    designer.keys("Z");
    designer.run_jobs();
    designer
}

#[test]
fn a_comparison_of_an_edit_matches_the_snapshots() {
    for (width, height) in [(120, 40), (80, 24), (200, 60)] {
        let mut designer = compared(width, height);
        insta::assert_snapshot!(format!("compare_{width}x{height}"), designer.text());
        designer.press(KeyCode::Tab);
        if height >= 40 {
            // The first Tab shows the maps alone; the second, below, the metrics alone.
            insta::assert_snapshot!(format!("compare_maps_{width}x{height}"), designer.text());
            designer.press(KeyCode::Tab);
        }
        designer.keys("ss");
        insta::assert_snapshot!(format!("compare_figures_{width}x{height}"), designer.text());
    }
}

#[test]
fn the_square_under_the_cursor_is_named_from_its_beginning_below_narrow_maps() {
    let mut designer = compared(60, 16);
    // A wall of the outer wall, which both sides have.
    designer.app.screens.compare.cursor = Point::new(15, 59);
    let text = designer.text();
    let bottom = text.lines().find(|line| line.starts_with("│╰")).unwrap();
    assert_eq!(bottom.matches(" (15, 59) wall, on both").count(), 2, "{text}");
}

#[test]
fn the_comparison_stays_inside_any_screen() {
    let mut designer = compared(120, 40);
    for keys in ["", "t", "+++", "g"] {
        designer.keys(keys);
        drawn_at_any_size(
            |area, buf| draw::draw_within(&designer.app.screens.compare, &designer.app.editor, area, buf),
            (70, 20),
        );
    }
    designer.app.editor.theme = Theme::new(Depth::None);
    designer.press(KeyCode::Tab);
    drawn_at_any_size(
        |area, buf| draw::draw_within(&designer.app.screens.compare, &designer.app.editor, area, buf),
        (110, 40),
    );
}

#[test]
fn without_colours_symbols_mark_differences_at_every_zoom() {
    let mut designer = compared(120, 40);
    designer.app.editor.theme = Theme::new(Depth::None);
    let mut seen = BTreeSet::new();
    for _ in 0..6 {
        let map = draw::CompareAreas::of(&designer.app.screens.compare, &designer.app.editor).maps[0];
        seen.insert(format!(
            "{:?}",
            maps::scale(&designer.app.screens.compare, &designer.app.editor, map)
        ));
        let screen = designer.screen();
        let sides = draw::CompareAreas::of(&designer.app.screens.compare, &designer.app.editor)
            .maps
            .into_iter()
            .zip(["<", ">"]);
        let signs = |(side, sign): (Rect, &str)| {
            let squares = maps::inside(side).positions();
            squares.filter(|at| screen[*at].symbol() == sign).count()
        };
        assert!(sides.map(signs).sum::<usize>() > 0, "{seen:?}\n{}", designer.text());
        designer.keys("+");
    }
    assert!(seen.len() >= 3, "{seen:?}");
}

#[test]
fn the_maps_alone_take_the_whole_screen_and_are_stacked_where_that_is_larger() {
    let mut designer = compared(120, 40);
    let areas = |designer: &TestApp| draw::CompareAreas::of(&designer.app.screens.compare, &designer.app.editor);
    let with_metrics = areas(&designer).maps;
    designer.press(KeyCode::Tab);
    let alone = areas(&designer);
    assert!(alone.list.is_empty() && alone.heading.is_empty());
    let zoom = |map: Rect| maps::scale(&designer.app.screens.compare, &designer.app.editor, map);
    assert!(zoom(alone.maps[0]) < zoom(with_metrics[0]), "squares are larger");
    assert_eq!(alone.maps[0].as_size(), alone.maps[1].as_size());
    // For a wide dungeon, one map is above the other.
    edit(&mut designer, |design| design.layout.size = Size::new(30, 120));
    designer.run_jobs();
    let [first, second] = areas(&designer).maps;
    assert!(second.y >= first.bottom() && first.width > 100, "{first:?} {second:?}");
    designer.press(KeyCode::Tab);
    assert!(areas(&designer).maps[0].is_empty() && !areas(&designer).list.is_empty());
    designer.press(KeyCode::Tab);
    assert!(!areas(&designer).maps[0].is_empty() && !areas(&designer).list.is_empty());
}

#[test]
fn both_maps_are_pixels_where_the_terminal_shows_pictures() {
    let cell = CellSize { width: 8, height: 16 };
    let mut designer = compared(120, 40);
    designer.app.editor.offered = Some(PictureSupport { cell, first: 5_000 });
    designer.app.editor.choose_pictures();
    let effects = designer.app.before_frame();
    designer.perform(effects);
    let colors = |designer: &TestApp| {
        let changes = designer.app.editor.theme.changes();
        changes.map(|color| Theme::rgb(color).unwrap())
    };
    for keys in ["", "+", "0------", "+0t", "t\t"] {
        for key in keys.chars() {
            match key {
                '\t' => designer.press(KeyCode::Tab),
                key => designer.keys(&key.to_string()),
            }
        }
        let screen = designer.screen();
        let picture = designer.app.screen_picture().expect("the maps are a picture");
        let place = picture.place();
        let pixels = picture.paint(place.area);
        let width = usize::from(place.area.width) * 8;
        let state = &designer.app.screens.compare;
        let maps = CompareAreas::of(state, &designer.app.editor).maps;
        let mut counts = [[0; 3]; 2];
        for at in place.area.positions() {
            let is_placeholder = screen[at].symbol().starts_with('\u{10EEEE}');
            let views = maps.map(|map| maps::view(state, &designer.app.editor, map));
            let side = views.iter().position(|view| view.area.contains(at));
            assert_eq!(is_placeholder, side.is_some(), "{keys:?}: {at}");
            let (left, top) = (
                usize::from(at.x - place.area.x) * 8,
                usize::from(at.y - place.area.y) * 16,
            );
            for pixel in (top..top + 16).flat_map(|row| &pixels[row * width + left..][..8]) {
                assert!(is_placeholder || pixel[3] == 0, "{keys:?}: {at}");
                for (i, color) in colors(&designer).iter().enumerate() {
                    if let Some(side) = side {
                        counts[side][i] += usize::from(pixel[..3] == color[..] && pixel[3] == 255);
                    }
                }
            }
        }
        // Each map contains its own side's colour and the colour of common walls, but not the other side's colour.
        let [[right_left, left, both], [right, left_right, both_right]] = counts;
        assert_eq!((right_left, left_right), (0, 0), "{keys:?}");
        if keys != "+0t" {
            assert!(
                left > 50 && right > 50 && both > 50 && both_right > 50,
                "{keys:?}: {counts:?}"
            );
        }
        // A part that is painted separately equals the same part of the whole picture.
        let part = Rect::new(place.area.x + 3, place.area.y + 2, 20, 4);
        let painted = picture.paint(part);
        for (row, line) in painted.chunks(20 * 8).enumerate() {
            assert_eq!(
                line,
                &pixels[(row + 2 * 16) * width + 3 * 8..][..20 * 8],
                "{keys:?}: {row}"
            );
        }
    }
    designer.app.editor.map.pictures = None;
    assert!(designer.app.screen_picture().is_none());
    assert!(!designer.text().contains('\u{10EEEE}'));
}

#[test]
fn two_seeds_of_one_design_show_maps_without_metrics() {
    let mut designer = compared(120, 40);
    let with_metrics = draw::CompareAreas::of(&designer.app.screens.compare, &designer.app.editor);
    designer.app.screens.compare.sides = designer
        .app
        .screens
        .compare
        .sides
        .take()
        .map(|[_, right]| [right.clone(), right]);
    let alone = draw::CompareAreas::of(&designer.app.screens.compare, &designer.app.editor);
    assert!(alone.maps[0].height > with_metrics.maps[0].height + 10);
    assert!(alone.heading.height > 0 && alone.list.is_empty());
    assert!(designer.text().contains("Both sides have"), "{}", designer.text());
}

#[test]
fn more_seeds_are_offered_only_between_two_designs() {
    let mut designer = test_app(120, 40);
    designer.keys("Z");
    designer.run_jobs();
    designer.keys("n");
    assert!(
        designer.text().contains("both sides have the same design"),
        "{}",
        designer.text()
    );
    let mut designer = compared(120, 40);
    let state = &mut designer.app.screens.compare;
    (state.seeds, state.dungeons) = (MOST_SEEDS, Some([1_600; 2]));
    let text = designer.text();
    assert!(text.contains("Over 1,600 seeds"), "{text}");
    designer.keys("n");
    let notice = designer.app.editor.status.notice.clone().unwrap().1;
    assert_eq!(
        notice,
        "the maximum of 1,600 seeds is already compared; `wallcrawler compare --seeds 0..10000` compares more"
    );
    let more = keymap::table().find(|row| row.context == Context::Compare && row.name == "more seeds");
    assert!(more.unwrap().help.contains(&thousands(MOST_SEEDS)));
}

#[test]
fn significant_differences_are_reported() {
    let designer = compared(120, 40);
    let state = &designer.app.screens.compare;
    let first = state.ordered()[0];
    assert!(first.difference == Difference::Shift && first.p < 0.001);
    let text = designer.text();
    assert!(
        text.contains("lower in 76 of 100") && text.contains("not significant"),
        "{text}"
    );
    assert_eq!(state.dungeons, Some([100, 100]));
}

#[test]
fn seeds_with_equal_values_count_as_neither_higher_nor_lower_below_the_histograms() {
    let designer = compared(200, 60);
    let text = designer.text();
    assert!(text.contains("▶ higher in 3, lower in 76 of 100 seeds"), "{text}");
}

#[test]
fn a_square_that_only_the_larger_dungeon_has_is_named_as_outside_the_other() {
    let mut designer = compared(120, 40);
    edit(&mut designer, |design| design.layout.size.y += 10);
    designer.run_jobs();
    designer.app.screens.compare.cursor = Point::new(15, 69);
    let text = designer.text();
    assert_eq!(text.matches("(15, 69) outside this dungeon").count(), 1, "{text}");
    assert!(text.contains("(15, 69) wall"), "{text}");
}

#[test]
fn both_maps_show_the_same_moment_and_the_same_squares() {
    let mut designer = compared(120, 40);
    let walls = |designer: &TestApp, side: usize| {
        let look = maps::CompareMap::of(&designer.app.screens.compare, &designer.app.editor, side).unwrap();
        let squares = designer.app.screens.compare.size().points();
        squares.filter(|at| look.here(*at).is_some()).count()
    };
    let grown = [walls(&designer, 0), walls(&designer, 1)];
    designer.keys("g");
    let counts = maps::counts(&designer.app.screens.compare, &designer.app.editor).unwrap();
    assert_eq!((counts[0], counts[1]), (0, 0), "they begin alike");
    assert_eq!(walls(&designer, 0), walls(&designer, 1));
    designer.keys("}");
    assert_eq!(designer.app.screens.compare.now(), 100);
    designer.keys("..,>");
    assert_eq!(designer.app.screens.compare.now(), 111);
    designer.keys("G");
    assert_eq!([walls(&designer, 0), walls(&designer, 1)], grown);
    let [left, right, both] = maps::counts(&designer.app.screens.compare, &designer.app.editor).unwrap();
    assert_eq!([left + both, right + both], grown.map(|walls| walls as u64));
    assert!(left > 0 && right > 0);
    // Playback runs to the end by itself.
    designer.keys("g ");
    assert!(designer.app.next_change().is_some());
    designer.app.advance(Duration::from_secs(2));
    let now = designer.app.screens.compare.now();
    assert!(now > 0 && now < designer.app.screens.compare.last());
    designer.app.advance(Duration::from_mins(1));
    assert_eq!(
        (designer.app.screens.compare.now(), designer.app.screens.compare.playing),
        (designer.app.screens.compare.last(), None)
    );
}

#[test]
fn a_release_in_a_dialog_ends_the_drag_of_the_maps() {
    let mut designer = compared(120, 40);
    let map = CompareAreas::of(&designer.app.screens.compare, &designer.app.editor).maps[1];
    designer.mouse(MouseEventKind::Down(MouseButton::Left), map.x + 9, map.y + 9);
    assert!(designer.app.screens.compare.held.is_some());
    designer.keys("?");
    designer.mouse(MouseEventKind::Up(MouseButton::Left), map.x + 9, map.y + 9);
    designer.press(KeyCode::Esc);
    assert!(designer.app.screens.compare.held.is_none());
    // The same applies to a release that is not reported.
    designer.mouse(MouseEventKind::Down(MouseButton::Left), map.x + 9, map.y + 9);
    designer.mouse(MouseEventKind::Moved, map.x + 12, map.y + 9);
    assert!(designer.app.screens.compare.held.is_none());
}

#[test]
fn the_mouse_scrolls_both_maps_and_seeks() {
    let mut designer = compared(120, 40);
    let plan = CompareAreas::of(&designer.app.screens.compare, &designer.app.editor);
    designer.keys("+++");
    let right = plan.maps[1];
    let before = designer.app.screens.compare.cursor;
    designer.click(right.x + 5, right.y + 5);
    assert_ne!(designer.app.screens.compare.cursor, before);
    let zoom = designer.app.screens.compare.scale;
    designer.mouse(MouseEventKind::ScrollDown, right.x + 5, right.y + 5);
    assert_ne!(designer.app.screens.compare.scale, zoom);
    designer.keys("0++");
    let origin = maps::view(&designer.app.screens.compare, &designer.app.editor, plan.maps[0]).origin;
    designer.mouse(MouseEventKind::Down(MouseButton::Left), right.x + 9, right.y + 9);
    designer.mouse(MouseEventKind::Drag(MouseButton::Left), right.x + 9, right.y + 3);
    designer.mouse(MouseEventKind::Up(MouseButton::Left), right.x + 9, right.y + 3);
    let views = plan
        .maps
        .map(|map| maps::view(&designer.app.screens.compare, &designer.app.editor, map));
    assert!(views[0].origin != origin && views[0].origin == views[1].origin);
    designer.click(plan.time.right() - 1, plan.time.y);
    assert_eq!(designer.app.screens.compare.now(), designer.app.screens.compare.last());
    designer.click(plan.time.x + plan.time.width / 2, plan.time.y);
    assert!((1..designer.app.screens.compare.last()).contains(&designer.app.screens.compare.now()));
    designer.click(plan.list.x + 3, plan.list.y + 2);
    assert_eq!(designer.app.screens.compare.visible(plan.list).selected, 2);
    // Keys and the mouse wheel move the selection in the list of metrics as in any other list.
    let list = |designer: &TestApp| {
        let plan = CompareAreas::of(&designer.app.screens.compare, &designer.app.editor);
        designer.app.screens.compare.visible(plan.list)
    };
    assert_list_keys(&mut compared(120, 40), list);
}

#[test]
fn the_comparison_follows_the_design() {
    let mut designer = compared(120, 40);
    edit(&mut designer, |design| design.layout.size.y += 10);
    assert!(designer.requested("comparison").is_some() && designer.app.screens.compare.comparisons.is_empty());
    designer.run_jobs();
    let sides = designer.app.screens.compare.sides.as_ref().unwrap();
    let columns = sides.each_ref().map(|side| side.seeded.design().layout.size.y);
    assert_eq!(columns, [60, 70]);
    // The left side is the design before the edit: continuing with it undoes the edit.
    designer.keys("1");
    assert!(!designer.app.screens.compare.is_open());
    assert_eq!(designer.app.editor.document.design().layout.size.y, 60);
    designer.keys("Zn");
    designer.run_jobs();
    assert_eq!(designer.app.screens.compare.dungeons, Some([200, 200]));
    designer.press(KeyCode::Esc);
    assert_eq!(designer.requested("comparison"), None);
}

#[test]
fn two_seeds_of_the_gallery_are_compared() {
    let mut designer = test_app(120, 40);
    designer.keys("Y");
    designer.run_jobs();
    designer.press(KeyCode::Home);
    designer.keys("c");
    assert!(designer.text().contains("mark a seed first"), "{}", designer.text());
    designer.keys(" llc");
    designer.run_jobs();
    assert_eq!(designer.app.contexts(), [Context::Compare]);
    let text = designer.text();
    assert!(text.contains("seed 0") && text.contains("seed 2"), "{text}");
    assert!(text.contains("Both sides have"), "differences are attributed to chance");
    designer.press(KeyCode::Esc);
    assert_eq!(
        designer.app.contexts(),
        [Context::Gallery],
        "closing returns to the previous screen"
    );
    designer.keys("c2");
    assert_eq!(designer.app.editor.document.design().seed, 2);
    assert!(!designer.app.screens.gallery.is_open());
}

#[test]
fn another_design_is_compared_while_the_open_one_stays_open() {
    let mut designer = test_app(120, 40);
    let title = designer.app.editor.document.title();
    designer.keys("Zo");
    designer.run_jobs();
    designer.keys("two ways");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    assert_eq!(designer.app.editor.document.title(), title);
    assert_eq!(designer.app.contexts(), [Context::Compare]);
    let text = designer.text();
    assert!(text.contains("two designs") && text.contains("Two ways"), "{text}");
    assert!(designer.app.screens.compare.ordered()[0].difference != Difference::Chance);
}

#[test]
fn a_design_that_is_too_large_to_compare_does_not_replace_the_right_side() {
    let mut designer = test_app(120, 40);
    designer.keys("Zo");
    designer.run_jobs();
    designer.keys("two ways");
    designer.press(KeyCode::Enter);
    designer.run_jobs();
    let large = Document::new(Design::sized(4_096, 4_096), None);
    let app = &mut designer.app;
    with(&mut app.screens.compare, &mut app.editor, Box::new(large));
    let notice = designer.app.editor.status.notice.clone().unwrap().1;
    assert!(notice.contains("16,000,000 squares"), "{notice}");
    designer.keys("2");
    let title = designer.app.editor.document.title();
    assert!(title.to_lowercase().contains("two"), "{title}");
}

#[test]
fn the_other_design_is_opened_after_asking_for_unsaved_changes() {
    let mut designer = test_app(120, 40);
    edit(&mut designer, widened);
    let title = designer.app.editor.document.title();
    let choose = |designer: &mut TestApp| {
        designer.keys("Zo");
        designer.run_jobs();
        designer.keys("two ways");
        designer.press(KeyCode::Enter);
        designer.run_jobs();
    };
    choose(&mut designer);
    designer.keys("2");
    assert!(designer.text().contains("Unsaved changes"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.editor.document.title(), title, "nothing is lost");
    choose(&mut designer);
    designer.keys("1");
    assert_eq!(
        designer.app.editor.document.title(),
        title,
        "the left side is the open design"
    );
    assert!(!designer.app.screens.compare.is_open());
    choose(&mut designer);
    designer.press(KeyCode::Enter);
    designer.keys("dd");
    assert!(
        designer.app.editor.document.title().to_lowercase().contains("two"),
        "{}",
        designer.app.editor.document.title()
    );
    assert!(!designer.app.screens.compare.is_open() && designer.app.screens.compare.other.is_none());
    designer.keys("Zo");
    designer.run_jobs();
    assert_eq!(designer.app.contexts(), [Context::ChooseList]);
}

#[test]
fn a_side_that_cannot_be_grown_is_named_and_nothing_is_said_about_its_metrics() {
    let mut designer = test_app(120, 40);
    edit(&mut designer, |design| design.layout.size.x = -5);
    designer.keys("Z");
    designer.run_jobs();
    for _ in 0..3 {
        let text = designer.text();
        let areas = CompareAreas::of(&designer.app.screens.compare, &designer.app.editor);
        assert!(!text.contains("growing …") && !text.contains("difference"), "{text}");
        assert!(
            areas.maps[0].is_empty() || text.contains("cannot be grown: see Problems"),
            "{text}"
        );
        assert!(!text.contains("on both sides"), "{text}");
        assert!(
            areas.heading.is_empty() || text.contains("no seed grows a dungeon on the right side"),
            "{text}"
        );
        designer.press(KeyCode::Tab);
    }
    // The problems of the other side are not in the Problems panel.
    designer.keys("u");
    designer.press(KeyCode::Esc);
    edit(&mut designer, |design| design.layout.size.x = 60);
    designer.keys("Z");
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("cannot be grown") && !text.contains("see Problems"),
        "{text}"
    );
    assert!(text.contains("no seed grows a dungeon on the left side"), "{text}");
    // Two sides of an impossible size can be shown, too.
    let mut design = Preset::find("first-steps").unwrap().design();
    design.layout.size.x = -5;
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.keys("Z");
    designer.run_jobs();
    assert!(designer.text().contains("cannot be grown"), "{}", designer.text());
}

#[test]
fn a_comparison_that_failed_does_not_wait_for_results() {
    let mut designer = test_app(120, 40);
    edit(&mut designer, widened);
    designer.keys("Z");
    let error = || JobError::Panicked("lost".into());
    let (ticket, _) = designer.take_request("traces").unwrap();
    designer.send(Message::Reply(ticket, JobReply::Traces(Err(error()))));
    let (ticket, _) = designer.take_request("comparison").unwrap();
    designer.send(Message::Reply(ticket, JobReply::Comparison(Err(error()))));
    let text = designer.text();
    assert!(!text.contains("growing …") && !text.contains("measuring"), "{text}");
    assert!(text.contains("The metrics were not measured."), "{text}");
}

#[test]
fn the_comparison_does_not_hide_that_the_file_became_invalid() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.toml");
    let design = Preset::find("first-steps").unwrap().design();
    std::fs::write(&path, native::write(&design)).unwrap();
    let document = Document::from_files(DesignFiles::Toml(path.clone()), None, None).unwrap();
    let mut designer = TestApp::with(document, 120, 40);
    designer.keys("Z");
    assert!(
        designer.text().contains("no edit to compare yet"),
        "{}",
        designer.text()
    );
    std::fs::write(&path, "[layout\n").unwrap();
    designer.send(Message::FilesChanged(vec![path]));
    let text = designer.text();
    assert!(
        text.contains("errors in steps.toml") && text.contains("last valid version"),
        "{text}"
    );
}

#[test]
fn the_list_of_designs_to_compare_with_cannot_change_the_open_design() {
    let mut designer = test_app(120, 40);
    let before = designer.app.editor.document.design().clone();
    designer.keys("Zo");
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("Compare with another design") && text.contains("Enter choose"),
        "{text}"
    );
    assert!(!text.contains("copy its"), "{text}");
    designer.keys("two ways");
    for key in ['g', 'r'] {
        designer.chord(KeyModifiers::CONTROL, key);
        designer.run_jobs();
        assert_eq!(*designer.app.editor.document.design(), before);
        assert_eq!(designer.app.contexts(), [Context::ChooseList]);
    }
}
