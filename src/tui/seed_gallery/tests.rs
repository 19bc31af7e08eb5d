//! Tests of the seed gallery, driven by keys and mouse.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use super::*;
use crate::analysis::evaluate;
use crate::background::Message;
use crate::design::VaultEntry;
use crate::design::expect::{DungeonMetric, parse_condition};
use crate::document::Document;
use crate::presets::Preset;
use crate::recording::Recording;
use crate::recording_file::RecordingFile;
use crate::tui::editor::NoticeLevel;
use crate::tui::fixture::{TestApp, assert_list_keys, drawn_at_any_size};
use crate::tui::theme::{Depth, Theme};
use crate::tui::viewport::{CellSize, PictureSupport};

/// Opens the gallery of a small design and waits for its results.
fn filled(width: u16, height: u16) -> TestApp {
    let design = Preset::find("catacombs").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), width, height);
    designer.keys("Y");
    designer.run_jobs();
    designer
}

fn numbers(designer: &TestApp, metric: DungeonMetric) -> Vec<f64> {
    let gallery = &designer.app.screens.gallery;
    let number = |seed: &u64| {
        gallery
            .results
            .metrics_of(*seed)
            .and_then(|values| values.number(metric))
    };
    gallery.order.iter().filter_map(number).collect()
}

#[test]
fn the_gallery_matches_the_snapshots() {
    for (width, height) in [(120, 40), (80, 24), (200, 60), (40, 12)] {
        let mut designer = filled(width, height);
        assert_eq!(designer.app.screens.gallery.results.done(), 100);
        insta::assert_snapshot!(format!("gallery_{width}x{height}"), designer.text());
        designer.keys("s m");
        designer.run_jobs();
        insta::assert_snapshot!(format!("gallery_marked_{width}x{height}"), designer.text());
    }
}

#[test]
fn the_gallery_stays_inside_any_screen() {
    let mut designer = filled(120, 40);
    for keys in ["", "/", "path > 9 x", "", "v"] {
        if keys == "v" {
            designer.press(KeyCode::Esc);
        }
        designer.keys(keys);
        designer.run_jobs();
        drawn_at_any_size(
            |area, buf| draw::draw_within(&designer.app.screens.gallery, &designer.app.editor, area, buf),
            (70, 20),
        );
    }
    designer.press(KeyCode::Esc);
    designer.keys("f");
    for (width, height) in [(0, 0), (1, 1), (39, 12), (40, 12), (41, 13), (300, 100)] {
        designer.send(Message::Input(crossterm::event::Event::Resize(width, height)));
        designer.run_jobs();
        designer.text();
    }
}

#[test]
fn dungeons_are_pixels_where_the_terminal_shows_pictures() {
    let cell = CellSize { width: 8, height: 16 };
    let mut designer = filled(120, 40);
    let characters = designer.text();
    designer.app.editor.offered = Some(PictureSupport { cell, first: 5_000 });
    designer.app.editor.choose_pictures();
    let effects = designer.app.before_frame();
    designer.perform(effects);
    designer.run_jobs();
    for (keys, least) in [("", 6), ("+", 2), ("--", 4), ("v", 0)] {
        designer.keys(keys);
        designer.run_jobs();
        let screen = designer.screen();
        let picture = designer.app.screen_picture().expect("the gallery is a picture");
        let place = picture.place();
        let pixels = picture.paint(place.area);
        let width = usize::from(place.area.width) * usize::from(cell.width);
        // Pixels are painted only where the placeholder characters are, in the colours of several dungeons.
        let (mut placeholders, mut coloured) = (0, 0);
        for at in place.area.positions() {
            let is_placeholder = screen[at].symbol().starts_with('\u{10EEEE}');
            placeholders += usize::from(is_placeholder);
            let (left, top) = (
                usize::from(at.x - place.area.x) * 8,
                usize::from(at.y - place.area.y) * 16,
            );
            let rows = (top..top + 16).flat_map(|row| &pixels[row * width + left..][..8]);
            let has_color = rows.into_iter().any(|pixel| pixel[3] > 0);
            assert!(is_placeholder || !has_color, "{keys}: {at}");
            coloured += usize::from(has_color);
        }
        assert!(
            coloured >= 40 * least && coloured * 3 >= placeholders,
            "{keys}: {coloured} of {placeholders}"
        );
    }
    designer.app.editor.offered = None;
    designer.app.editor.choose_pictures();
    let effects = designer.app.before_frame();
    designer.perform(effects);
    designer.keys("v");
    designer.run_jobs();
    assert!(designer.app.screen_picture().is_none());
    assert!(!characters.contains('\u{10EEEE}') && !designer.text().contains('\u{10EEEE}'));
}

#[test]
fn dungeons_grow_while_the_gallery_is_open() {
    let design = Preset::find("catacombs").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.keys("Y");
    assert!(designer.text().contains("of 100 seeds measured"));
    designer.press(KeyCode::Home);
    designer.run_jobs();
    let walls = |designer: &TestApp, seed: u64| {
        let shot = &designer.app.screens.gallery.results.pictures[&seed];
        shot.pixels.iter().flatten().flatten().count()
    };
    let grown = walls(&designer, 3);
    designer.app.screens.gallery.results.pictures.clear();
    designer.keys("p");
    // The first picture of the animation shows the beginning of growth.
    let mut seen = Vec::new();
    designer.run_jobs_by(|app| {
        if let Some(shot) = app.screens.gallery.results.pictures.get(&3) {
            seen.push((shot.pixels.iter().flatten().flatten().count(), shot.is_grown));
        }
    });
    assert!(seen[0].0 < grown && !seen[0].1, "{seen:?}");
    assert_eq!(seen.last(), Some(&(grown, true)));
    assert!(seen.is_sorted());
}

#[test]
fn dungeons_are_sorted_by_any_metric_and_reversed() {
    let mut designer = filled(120, 40);
    assert!(designer.app.screens.gallery.order.is_sorted());
    designer.keys("s");
    assert_eq!(designer.app.screens.gallery.by, SeedOrder::Metric(DungeonMetric::Path));
    let paths = numbers(&designer, DungeonMetric::Path);
    assert!(
        paths.len() > 90 && paths.is_sorted_by(|a, b| a >= b),
        "the longest first"
    );
    assert!(designer.text().contains("by path ↓"));
    designer.keys("r");
    assert!(numbers(&designer, DungeonMetric::Path).is_sorted());
    designer.keys("ssSr");
    assert_eq!(
        designer.app.screens.gallery.by,
        SeedOrder::Metric(DungeonMetric::Detour)
    );
    designer.keys("f");
    assert_eq!(designer.app.contexts(), [Context::MetricList]);
    insta::assert_snapshot!("gallery_figures", designer.text());
    designer.keys("jj");
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.screens.gallery.by, SeedOrder::Metric(DungeonMetric::Fill));
    designer.keys("fj");
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.screens.gallery.by, SeedOrder::Metric(DungeonMetric::Fill));
}

#[test]
fn a_condition_is_applied_at_every_key_and_its_errors_are_reported() {
    let mut designer = filled(120, 40);
    let all = designer.app.screens.gallery.order.len();
    designer.keys("/path > 170 and dead-ends < 45");
    let condition = parse_condition("path > 170 and dead-ends < 45").unwrap();
    let gallery = &designer.app.screens.gallery;
    let holds = |seed: &u64| evaluate(&condition, gallery.results.metrics_of(*seed).unwrap(), &()).holds();
    let expected: Vec<u64> = gallery
        .results
        .seeds
        .iter()
        .filter(|seed| holds(seed))
        .copied()
        .collect();
    assert_eq!(gallery.order, expected);
    assert!(!expected.is_empty() && expected.len() < all, "{}", expected.len());
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains(&format!("{} of {all}", expected.len())));
    // An error is shown, and the last valid condition stays in effect.
    designer.keys("/ and crosses room 99");
    assert!(designer.text().contains("there is no room 99"), "{}", designer.text());
    designer.run_jobs();
    insta::assert_snapshot!("gallery_slip", designer.text());
    assert_eq!(designer.app.screens.gallery.order, expected);
    designer.press(KeyCode::Enter);
    assert_eq!(
        designer.app.contexts(),
        [Context::SeedFilter],
        "the condition is not accepted"
    );
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.screens.gallery.order, expected);
    // Without a condition all dungeons are shown again; a condition that no dungeon meets is reported.
    designer.keys("/");
    for _ in 0..40 {
        designer.press(KeyCode::Backspace);
    }
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.screens.gallery.order.len(), all);
    designer.keys("/path < 1");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("no seed satisfies the condition"));
    designer.send(Message::Input(crossterm::event::Event::Paste("nothing".into())));
}

#[test]
fn a_seed_is_opened_as_an_edit_and_nothing_is_measured_again() {
    let mut designer = filled(120, 40);
    designer.press(KeyCode::Right);
    designer.press(KeyCode::Down);
    let seed = designer.app.screens.gallery.current().unwrap();
    let before = designer.app.editor.document.design().seed;
    assert_ne!(seed, before);
    designer.press(KeyCode::Enter);
    assert!(!designer.app.screens.gallery.is_open());
    assert_eq!(designer.app.editor.document.design().seed, seed);
    designer.keys("Y");
    assert_eq!(
        designer.requested("gallery metrics"),
        None,
        "another seed is not another design"
    );
    designer.keys("u");
    assert_eq!(
        (
            designer.app.editor.document.design().seed,
            designer.requested("gallery metrics")
        ),
        (before, None)
    );
    designer.run_jobs();
    assert_eq!(designer.app.screens.gallery.results.done(), 100);
    // The design's seed is shown and measured, too, even if it is not among the first seeds.
    designer.app.editor.edit("seed", |design| design.seed = 4_000_000_000);
    designer.perform(Vec::new());
    designer.want();
    designer.run_jobs();
    assert!(designer.app.screens.gallery.results.measured[&4_000_000_000].is_some());
}

#[test]
fn an_edit_restarts_the_gallery_and_marks_stay() {
    let mut designer = filled(120, 40);
    designer.keys(" l ll ");
    assert_eq!(designer.app.screens.gallery.marks.len(), 3);
    designer.keys("m");
    assert_eq!(designer.app.screens.gallery.order.len(), 3);
    designer.press(KeyCode::Esc);
    designer.keys("Y");
    assert_eq!(
        (
            designer.app.screens.gallery.order.len(),
            designer.requested("gallery metrics")
        ),
        (3, None)
    );
    designer.keys("m");
    let before = designer.app.screens.gallery.results.metrics_of(5).unwrap().clone();
    let change = |design: &mut crate::design::Design| design.layout.size.y = 120;
    designer.app.editor.edit("wider", change);
    designer.perform(Vec::new());
    designer.want();
    assert!(designer.requested("gallery metrics").is_some() && designer.app.screens.gallery.results.done() == 0);
    designer.run_jobs();
    assert_ne!(*designer.app.screens.gallery.results.metrics_of(5).unwrap(), before);
    assert_eq!(designer.app.screens.gallery.marks.len(), 3);
    // Replies to an earlier batch are ignored.
    designer.keys("n");
    let late = SeedBatchReply::Measured(vec![(5, None)]);
    handle_metrics(
        &mut designer.app.screens.gallery,
        &mut designer.app.editor,
        &Ticket::new(),
        Ok(late),
    );
    assert!(designer.app.screens.gallery.results.metrics_of(5).is_some());
}

#[test]
fn an_edit_keeps_the_seeds_that_the_gallery_covers() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.seed = 1_000;
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.keys("Y");
    let seeds = designer.app.screens.gallery.results.seeds.clone();
    assert_eq!((seeds.len(), seeds.last()), (101, Some(&1_000)));
    for height in [120, 130] {
        let change = |design: &mut Design| design.layout.size.y = height;
        designer.app.editor.edit("wider", change);
        designer.perform(Vec::new());
        designer.want();
        assert_eq!(designer.app.screens.gallery.results.done(), 0);
        assert_eq!(designer.app.screens.gallery.results.seeds, seeds);
    }
}

#[test]
fn a_filter_that_names_a_removed_room_is_removed_with_a_message() {
    let mut designer = filled(120, 40);
    let rooms = designer.app.editor.document.shared().layout.rooms.len();
    designer.keys(&format!("/crosses room {rooms}"));
    designer.press(KeyCode::Enter);
    assert!(designer.app.screens.gallery.order.len() < 100);
    let remove = |designer: &mut TestApp| {
        designer.app.editor.edit("fewer rooms", |design| {
            design.layout.rooms.truncate(design.layout.rooms.len() - 1);
        });
        designer.perform(Vec::new());
        designer.want();
        designer.run_jobs();
    };
    remove(&mut designer);
    let message = format!("the filter `crosses room {rooms}` was removed: there is no room {rooms}");
    assert!(designer.text().contains(&message), "{}", designer.text());
    assert_eq!(designer.app.screens.gallery.order.len(), 100);
    assert!(designer.app.screens.gallery.filter.is_empty());
    // A condition that is being typed is evaluated again.
    let rooms = rooms - 1;
    designer.keys(&format!("/crosses room {rooms}"));
    assert_eq!(designer.app.screens.gallery.why_rejected(), "");
    remove(&mut designer);
    let why = designer.app.screens.gallery.why_rejected();
    assert_eq!(why, format!("there is no room {rooms}"));
    assert_eq!(designer.app.screens.gallery.order.len(), 100);
}

#[test]
fn learning_without_a_dungeon_keeps_the_gallery_open() {
    let mut designer = filled(120, 40);
    designer.keys("/path > 9999");
    designer.press(KeyCode::Enter);
    designer.keys("L");
    assert!(designer.app.screens.gallery.is_open());
    assert!(
        designer
            .text()
            .contains("there is no dungeon to learn from: none is marked or shown"),
        "{}",
        designer.text()
    );
}

#[test]
fn a_dungeon_that_is_not_measured_has_no_verdict() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.expect.that = vec!["path >= 1".into()];
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.keys("Y");
    let text = designer.text();
    assert!(text.contains("growing …") && !text.contains("as expected"), "{text}");
    designer.run_jobs();
    assert!(designer.text().contains("as expected"), "{}", designer.text());
    let gallery = &mut designer.app.screens.gallery;
    let seed = gallery.current().unwrap();
    gallery.results.measured.insert(seed, None);
    let text = designer.text();
    let about = format!("seed {seed}   nothing grows");
    assert!(text.contains(&about) && !text.contains("as expected"), "{text}");
}

#[test]
fn more_seeds_are_added_by_keys_and_past_the_last() {
    let mut designer = filled(120, 40);
    designer.keys("n");
    designer.run_jobs();
    assert_eq!(designer.app.screens.gallery.results.done(), 200);
    designer.press(KeyCode::End);
    assert_eq!(designer.app.screens.gallery.current(), Some(199));
    designer.press(KeyCode::Down);
    assert_eq!(designer.app.screens.gallery.results.seeds.len(), 300);
    designer.run_jobs();
    designer.press(KeyCode::Home);
    designer.press(KeyCode::PageDown);
    let plan = SeedGalleryAreas::of(&designer.app.screens.gallery, &designer.app.editor);
    assert_eq!(
        designer.app.screens.gallery.current(),
        Some((plan.columns * (plan.rows - 1)) as u64),
        "one row of a page stays visible, as in lists"
    );
}

#[test]
fn dungeons_are_drawn_larger_and_smaller() {
    let mut designer = filled(120, 40);
    let before = SeedGalleryAreas::of(&designer.app.screens.gallery, &designer.app.editor);
    designer.keys("+");
    designer.run_jobs();
    assert!(SeedGalleryAreas::of(&designer.app.screens.gallery, &designer.app.editor).wide > before.wide);
    designer.keys("--");
    designer.run_jobs();
    let plan = SeedGalleryAreas::of(&designer.app.screens.gallery, &designer.app.editor);
    assert!(plan.wide < before.wide);
    assert!(
        designer
            .app
            .screens
            .gallery
            .seen(&plan)
            .iter()
            .all(|seed| designer.app.screens.gallery.results.pictures[seed].is_grown)
    );
    for _ in 0..30 {
        designer.keys("-");
    }
    for _ in 0..30 {
        designer.keys("+");
    }
    designer.run_jobs();
    assert_eq!(
        SeedGalleryAreas::of(&designer.app.screens.gallery, &designer.app.editor).level,
        0
    );
}

#[test]
fn the_mouse_selects_opens_marks_and_scrolls() {
    let mut designer = filled(120, 40);
    designer.press(KeyCode::Home);
    designer.run_jobs();
    let plan = SeedGalleryAreas::of(&designer.app.screens.gallery, &designer.app.editor);
    let place = |number: usize| {
        let cell = plan.cell(number);
        (cell.x + 1, cell.y + 1)
    };
    let (x, y) = place(5);
    designer.mouse(MouseEventKind::Down(MouseButton::Right), x, y);
    let fifth = designer.app.screens.gallery.order[5];
    assert!(designer.app.screens.gallery.marks.contains(&fifth));
    let (x, y) = place(6);
    designer.click(x, y);
    assert_eq!(
        designer.app.screens.gallery.current(),
        Some(designer.app.screens.gallery.order[6])
    );
    designer.mouse(MouseEventKind::ScrollDown, x, y);
    assert_eq!(designer.app.screens.gallery.place(), 6 + plan.columns);
    designer.mouse(MouseEventKind::ScrollUp, x, y);
    // A click on the heading opens the list, a click on a line selects it, and a second click sorts by it.
    designer.click(60, 0);
    assert_eq!(designer.app.contexts(), [Context::MetricList]);
    let text = designer.text();
    let row = text.lines().position(|line| line.contains(" dead-ends ")).unwrap();
    designer.click(40, row as u16);
    assert_eq!(designer.app.contexts(), [Context::MetricList]);
    designer.click(40, row as u16);
    assert_eq!(
        designer.app.screens.gallery.by,
        SeedOrder::Metric(DungeonMetric::DeadEnds)
    );
    designer.click(60, 0);
    designer.click(0, 0);
    assert_eq!(
        designer.app.contexts(),
        [Context::Gallery],
        "a click beside it closes it"
    );
    let (x, y) = place(2);
    designer.click(x, y);
    designer.click(x, y);
    assert!(!designer.app.screens.gallery.is_open(), "a second click opens the seed");
}

#[test]
fn unmet_expectations_are_marked_and_listed() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.expect.that = vec![
        "path > 150".into(),
        "median path > 3".into(),
        "path > 900 in 50%".into(),
        "path > 3 * median path".into(),
    ];
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.keys("Ysr");
    designer.run_jobs();
    let (gallery, text) = (&designer.app.screens.gallery, designer.text());
    let failed = |seed| gallery.results.failed(seed, &gallery.expectations);
    assert_eq!(failed(gallery.order[0]), ["path > 150"], "the shortest");
    assert!(
        failed(
            *gallery
                .order
                .iter()
                .rfind(|seed| gallery
                    .results
                    .metrics_of(**seed)
                    .unwrap()
                    .number(DungeonMetric::Path)
                    .is_some())
                .unwrap()
        )
        .is_empty()
    );
    assert!(text.contains("✗ not as expected: path > 150"), "{text}");
    // Without colours, a symbol marks the dungeons that fail expectations.
    designer.app.editor.theme = Theme::new(Depth::None);
    assert!(designer.text().matches('✗').count() > 1);
}

#[test]
fn designs_that_cannot_be_shown_are_explained() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.layout.size = crate::geometry::Size::new(30_000, 30_000);
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.keys("Y");
    assert!(designer.text().contains("use `wallcrawler survey` for dungeons"));
    assert_eq!(
        (
            designer.requested("gallery metrics"),
            designer.requested("gallery pictures")
        ),
        (None, None)
    );
    for keys in ["s", "lhjk", " ", "m", "g", "+-"] {
        designer.keys(keys);
    }
    designer.press(KeyCode::Enter);
}

#[test]
fn the_palette_leads_out_of_the_gallery() {
    let mut designer = filled(120, 40);
    designer.keys(":");
    designer.keys("small map");
    designer.press(KeyCode::Enter);
    assert!(!designer.app.screens.gallery.is_open());
    designer.keys("Y");
    designer.chord(KeyModifiers::CONTROL, 'c');
    assert!(!designer.app.screens.gallery.is_open() && designer.quit.is_none());
}

#[test]
fn the_list_of_metrics_pages_and_scrolls_like_every_list() {
    let mut designer = filled(80, 16);
    designer.keys("f");
    assert_list_keys(&mut designer, |designer| {
        metrics::visible(designer.app.screens.gallery.list.unwrap(), designer.app.editor.screen)
    });
}

#[test]
fn the_range_matches_the_snapshots() {
    for (width, height) in [(120, 40), (80, 24), (200, 60), (40, 12)] {
        let mut designer = filled(width, height);
        designer.keys("v");
        designer.run_jobs();
        insta::assert_snapshot!(format!("range_{width}x{height}"), designer.text());
    }
    let mut designer = filled(80, 24);
    designer.app.editor.theme = Theme::new(Depth::None);
    designer.keys("v");
    let text = designer.text();
    assert!(
        text.contains('█') && text.contains("[]") && text.contains("·· 1"),
        "{text}"
    );
}

#[test]
fn the_range_has_the_cells_of_the_command_line() {
    let mut designer = filled(80, 24);
    designer.keys("v");
    let gallery = &designer.app.screens.gallery;
    let points: Vec<_> = (0..100)
        .map(|seed| {
            [DungeonMetric::Path, DungeonMetric::DeadEnds].map(|metric| {
                gallery
                    .results
                    .metrics_of(seed)
                    .and_then(|values| values.number(metric))
            })
        })
        .collect();
    let map = crate::analysis::RangeMap::new(&points, crate::analysis::MOST_BINS).unwrap();
    let text = designer.text();
    for axis in map.axes() {
        let lowest = axis.ticks(4).next().unwrap().1;
        assert!(text.contains(&lowest), "{lowest}: {text}");
    }
    // Every step selects the sample of a cell.
    let samples: Vec<u64> = map.cells().iter().map(|cell| cell.sample as u64).collect();
    for keys in ["g", "k", "l", "k", "h", "j", "G"] {
        designer.keys(keys);
        let seed = designer.app.screens.gallery.current().unwrap();
        assert!(samples.contains(&seed), "{keys} {seed}");
    }
    assert_eq!(designer.app.screens.gallery.current(), samples.last().copied());
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.document.design().seed, *samples.last().unwrap());
}

#[test]
fn the_axes_of_the_range_are_chosen_from_the_list_and_the_mouse_opens_a_sample() {
    let mut designer = filled(120, 40);
    designer.keys("x");
    assert_eq!(designer.app.contexts(), [Context::MetricList]);
    assert!(designer.text().contains("Horizontal axis"));
    designer.keys("j");
    designer.press(KeyCode::Enter);
    let axes = designer.app.screens.gallery.range.axes;
    assert_eq!(axes[0], SeedOrder::Metric(DungeonMetric::Detour));
    assert_eq!(designer.app.screens.gallery.by, SeedOrder::Seed, "the order stays");
    assert!(designer.text().contains("detour"));
    let plan = SeedGalleryAreas::of(&designer.app.screens.gallery, &designer.app.editor);
    let sheet = plan.sheet;
    let mut places = sheet.positions();
    let hit = places.find_map(|at| {
        let (seed, is_selected) = range::sample_at(&designer.app.screens.gallery, &plan, at)?;
        (!is_selected).then_some((seed, at))
    });
    let (seed, at) = hit.unwrap();
    designer.click(at.x, at.y);
    assert_eq!(designer.app.screens.gallery.current(), Some(seed));
    designer.mouse(MouseEventKind::Down(MouseButton::Right), at.x, at.y);
    assert!(designer.app.screens.gallery.marks.contains(&seed));
    designer.click(at.x, at.y);
    assert!(!designer.app.screens.gallery.is_open());
    assert_eq!(designer.app.editor.document.design().seed, seed);
    designer.keys("Yv");
    assert!(
        !designer.app.screens.gallery.range.is_shown,
        "the view is as it was left, and v toggles it"
    );
}

#[test]
fn the_gallery_warns_of_vaults_that_only_the_recorded_dungeon_has() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.layout.vaults.push(VaultEntry {
        file: "missing.des".into(),
        map: "missing".into(),
        ..VaultEntry::default()
    });
    let design = design.validate(None).design.unwrap();
    let (mut growth, mut recording) = Recording::begin(&design, Options::default());
    growth.finish(&mut recording);
    recording.count();
    recording.finish();
    let recording_file = RecordingFile {
        program: "0.0.9".into(),
        design,
        diagnostics: Vec::new(),
        options: Options::default(),
        sources: Vec::new(),
        recording,
    };
    let mut designer = TestApp::with(Document::recorded(recording_file, None, None), 160, 40);
    designer.keys("Y");
    designer.run_jobs();
    let warning = "of seed 0 is not recorded: cannot read missing.des";
    assert!(designer.text().contains(warning), "{}", designer.text());
    // More dungeons of the same design do not repeat the warning.
    designer.app.editor.status.notice = None;
    designer.keys("N");
    designer.run_jobs();
    assert!(!designer.text().contains("not recorded"), "{}", designer.text());
}

#[test]
fn a_gallery_of_only_marked_seeds_says_that_none_is_marked() {
    let mut designer = filled(120, 40);
    for key in [" ", "m", " "] {
        designer.keys(key);
    }
    let text = designer.text();
    assert!(text.contains("no seed is marked; press m to show all seeds"), "{text}");
}

#[test]
fn a_negative_whole_value_keeps_its_sign() {
    let text = |value| description(value, SeedOrder::Metric(DungeonMetric::Intelligibility));
    assert_eq!([-1.0, -0.0, 0.25, 12_345.0].map(text), ["-1", "0", "0.25", "12,345"]);
}

#[test]
fn seeds_that_are_not_shown_cannot_be_selected_or_opened() {
    let mut designer = filled(120, 40);
    designer
        .app
        .editor
        .edit("impossible size", |design| design.layout.size.x = -5);
    designer.perform(Vec::new());
    designer.want();
    designer.run_jobs();
    let text = designer.text();
    assert!(
        text.contains("this design cannot be grown: see Problems") && !text.contains("growing …"),
        "{text}"
    );
    let seed = designer.app.editor.document.design().seed;
    let seeds = designer.app.screens.gallery.results.seeds.len();
    designer.click(20, 20);
    designer.click(20, 20);
    designer.mouse(MouseEventKind::ScrollDown, 20, 20);
    for keys in ["l", "G", "n", " "] {
        designer.keys(keys);
    }
    designer.app.editor.status.notice = None;
    designer.press(KeyCode::Enter);
    let (level, text) = designer.app.editor.status.notice.clone().unwrap();
    assert_eq!(
        (level, text.as_str()),
        (NoticeLevel::Warning, "this design cannot be grown: see Problems")
    );
    let gallery = &designer.app.screens.gallery;
    assert!(gallery.is_open() && gallery.marks.is_empty() && gallery.results.seeds.len() == seeds);
    assert_eq!(designer.app.editor.document.design().seed, seed);
}
