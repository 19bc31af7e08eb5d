//! Tests of the seed gallery, driven by keys and mouse.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use super::*;
use crate::analysis::evaluate;
use crate::background::Message;
use crate::design::expect::{DungeonMetric, parse_condition};
use crate::document::Document;
use crate::presets::Preset;
use crate::tui::fixture::{TestApp, assert_list_keys, drawn_at_any_size};
use crate::tui::theme::{Depth, Theme};

/// Opens the gallery of a small design and waits for its results.
fn filled(width: u16, height: u16) -> TestApp {
    let design = Preset::find("catacombs").unwrap().design();
    let mut desk = TestApp::with(Document::new(design, None), width, height);
    desk.keys("Y");
    desk.settle();
    desk
}

fn numbers(desk: &TestApp, metric: DungeonMetric) -> Vec<f64> {
    let gallery = &desk.app.screens.gallery;
    let number = |seed: &u64| {
        gallery
            .results
            .metrics_of(*seed)
            .and_then(|values| values.number(metric))
    };
    gallery.order.iter().filter_map(number).collect()
}

#[test]
fn the_gallery_looks_like_this() {
    for (width, height) in [(120, 40), (80, 24), (200, 60), (40, 12)] {
        let mut desk = filled(width, height);
        assert_eq!(desk.app.screens.gallery.results.done(), 100);
        insta::assert_snapshot!(format!("gallery_{width}x{height}"), desk.text());
        desk.keys("s m");
        desk.settle();
        insta::assert_snapshot!(format!("gallery_marked_{width}x{height}"), desk.text());
    }
}

#[test]
fn it_keeps_to_its_place_at_any_size() {
    let mut desk = filled(120, 40);
    for keys in ["", "/", "path > 9 x", "", "v"] {
        if keys == "v" {
            desk.press(KeyCode::Esc);
        }
        desk.keys(keys);
        desk.settle();
        drawn_at_any_size(
            |area, buf| draw::draw_within(&desk.app.screens.gallery, &desk.app.editor, area, buf),
            (70, 20),
        );
    }
    desk.press(KeyCode::Esc);
    desk.keys("f");
    for (width, height) in [(0, 0), (1, 1), (39, 12), (40, 12), (41, 13), (300, 100)] {
        desk.send(Message::Input(crossterm::event::Event::Resize(width, height)));
        desk.settle();
        desk.text();
    }
}

#[test]
fn dungeons_grow_while_one_looks() {
    let design = Preset::find("catacombs").unwrap().design();
    let mut desk = TestApp::with(Document::new(design, None), 120, 40);
    desk.keys("Y");
    assert!(desk.text().contains("of 100 seeds measured"));
    desk.press(KeyCode::Home);
    desk.settle();
    let walls = |desk: &TestApp, seed: u64| {
        let shot = &desk.app.screens.gallery.results.pictures[&seed];
        shot.pixels.iter().flatten().flatten().count()
    };
    let grown = walls(&desk, 3);
    desk.app.screens.gallery.results.pictures.clear();
    desk.keys("p");
    // The first picture of the animation shows the beginning of growth.
    let mut seen = Vec::new();
    desk.settle_by(|app| {
        if let Some(shot) = app.screens.gallery.results.pictures.get(&3) {
            seen.push((shot.pixels.iter().flatten().flatten().count(), shot.is_grown));
        }
    });
    assert!(seen[0].0 < grown && !seen[0].1, "{seen:?}");
    assert_eq!(seen.last(), Some(&(grown, true)));
    assert!(seen.is_sorted());
}

#[test]
fn they_are_sorted_by_any_figure_and_turned_round() {
    let mut desk = filled(120, 40);
    assert!(desk.app.screens.gallery.order.is_sorted());
    desk.keys("s");
    assert_eq!(desk.app.screens.gallery.by, SeedOrder::Metric(DungeonMetric::Path));
    let paths = numbers(&desk, DungeonMetric::Path);
    assert!(
        paths.len() > 90 && paths.is_sorted_by(|a, b| a >= b),
        "the longest first"
    );
    assert!(desk.text().contains("by path ↓"));
    desk.keys("r");
    assert!(numbers(&desk, DungeonMetric::Path).is_sorted());
    desk.keys("ssSr");
    assert_eq!(desk.app.screens.gallery.by, SeedOrder::Metric(DungeonMetric::Detour));
    desk.keys("f");
    assert_eq!(desk.app.contexts(), [Context::MetricList]);
    insta::assert_snapshot!("gallery_figures", desk.text());
    desk.keys("jj");
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.screens.gallery.by, SeedOrder::Metric(DungeonMetric::Fill));
    desk.keys("fj");
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.screens.gallery.by, SeedOrder::Metric(DungeonMetric::Fill));
}

#[test]
fn a_condition_is_tried_at_every_key_and_its_slips_are_reported() {
    let mut desk = filled(120, 40);
    let all = desk.app.screens.gallery.order.len();
    desk.keys("/path > 170 and dead-ends < 45");
    let condition = parse_condition("path > 170 and dead-ends < 45").unwrap();
    let gallery = &desk.app.screens.gallery;
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
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains(&format!("{} of {all}", expected.len())));
    // An error is shown, and the last valid condition stays in effect.
    desk.keys("/ and crosses room 99");
    assert!(desk.text().contains("there is no room 99"), "{}", desk.text());
    desk.settle();
    insta::assert_snapshot!("gallery_slip", desk.text());
    assert_eq!(desk.app.screens.gallery.order, expected);
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.contexts(), [Context::SeedFilter], "it is not taken");
    desk.press(KeyCode::Esc);
    assert_eq!(desk.app.screens.gallery.order, expected);
    // Without a condition all are shown again; one that no dungeon meets is reported.
    desk.keys("/");
    for _ in 0..40 {
        desk.press(KeyCode::Backspace);
    }
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.screens.gallery.order.len(), all);
    desk.keys("/path < 1");
    desk.press(KeyCode::Enter);
    assert!(desk.text().contains("no seed satisfies the condition"));
    desk.send(Message::Input(crossterm::event::Event::Paste("nothing".into())));
}

#[test]
fn a_seed_is_opened_as_an_edit_and_nothing_is_judged_again() {
    let mut desk = filled(120, 40);
    desk.press(KeyCode::Right);
    desk.press(KeyCode::Down);
    let seed = desk.app.screens.gallery.current().unwrap();
    let before = desk.app.editor.document.design().seed;
    assert_ne!(seed, before);
    desk.press(KeyCode::Enter);
    assert!(!desk.app.screens.gallery.is_open());
    assert_eq!(desk.app.editor.document.design().seed, seed);
    desk.keys("Y");
    assert_eq!(
        desk.requested("gallery metrics"),
        None,
        "another seed is no other design"
    );
    desk.keys("u");
    assert_eq!(
        (
            desk.app.editor.document.design().seed,
            desk.requested("gallery metrics")
        ),
        (before, None)
    );
    desk.settle();
    assert_eq!(desk.app.screens.gallery.results.done(), 100);
    // A seed that is not among the first is shown and measured too.
    desk.app.editor.edit("seed", |design| design.seed = 4_000_000_000);
    desk.perform(Vec::new());
    desk.want();
    desk.settle();
    assert!(desk.app.screens.gallery.results.measured[&4_000_000_000].is_some());
}

#[test]
fn an_edit_begins_it_afresh_and_marks_stay() {
    let mut desk = filled(120, 40);
    desk.keys(" l ll ");
    assert_eq!(desk.app.screens.gallery.marks.len(), 3);
    desk.keys("m");
    assert_eq!(desk.app.screens.gallery.order.len(), 3);
    desk.press(KeyCode::Esc);
    desk.keys("Y");
    assert_eq!(
        (desk.app.screens.gallery.order.len(), desk.requested("gallery metrics")),
        (3, None)
    );
    desk.keys("m");
    let before = desk.app.screens.gallery.results.metrics_of(5).unwrap().clone();
    let change = |design: &mut crate::design::Design| design.layout.size.y = 120;
    desk.app.editor.edit("wider", change);
    desk.perform(Vec::new());
    desk.want();
    assert!(desk.requested("gallery metrics").is_some() && desk.app.screens.gallery.results.done() == 0);
    desk.settle();
    assert_ne!(*desk.app.screens.gallery.results.metrics_of(5).unwrap(), before);
    assert_eq!(desk.app.screens.gallery.marks.len(), 3);
    // Replies to an earlier batch are ignored.
    desk.keys("n");
    let late = SeedBatchReply::Measured(vec![(5, None)]);
    handle_metrics(
        &mut desk.app.screens.gallery,
        &mut desk.app.editor,
        &Ticket::new(),
        Ok(late),
    );
    assert!(desk.app.screens.gallery.results.metrics_of(5).is_some());
}

#[test]
fn more_seeds_come_by_keys_and_past_the_last() {
    let mut desk = filled(120, 40);
    desk.keys("n");
    desk.settle();
    assert_eq!(desk.app.screens.gallery.results.done(), 200);
    desk.press(KeyCode::End);
    assert_eq!(desk.app.screens.gallery.current(), Some(199));
    desk.press(KeyCode::Down);
    assert_eq!(desk.app.screens.gallery.results.seeds.len(), 300);
    desk.settle();
    desk.press(KeyCode::Home);
    desk.press(KeyCode::PageDown);
    let plan = SeedGalleryAreas::of(&desk.app.screens.gallery, &desk.app.editor);
    assert_eq!(
        desk.app.screens.gallery.current(),
        Some((plan.columns * (plan.rows - 1)) as u64),
        "one row of a page stays visible, as in lists"
    );
}

#[test]
fn dungeons_are_drawn_larger_and_smaller() {
    let mut desk = filled(120, 40);
    let before = SeedGalleryAreas::of(&desk.app.screens.gallery, &desk.app.editor);
    desk.keys("+");
    desk.settle();
    assert!(SeedGalleryAreas::of(&desk.app.screens.gallery, &desk.app.editor).wide > before.wide);
    desk.keys("--");
    desk.settle();
    let plan = SeedGalleryAreas::of(&desk.app.screens.gallery, &desk.app.editor);
    assert!(plan.wide < before.wide);
    assert!(
        desk.app
            .screens
            .gallery
            .seen(&plan)
            .iter()
            .all(|seed| desk.app.screens.gallery.results.pictures[seed].is_grown)
    );
    for _ in 0..30 {
        desk.keys("-");
    }
    for _ in 0..30 {
        desk.keys("+");
    }
    desk.settle();
    assert_eq!(
        SeedGalleryAreas::of(&desk.app.screens.gallery, &desk.app.editor).level,
        0
    );
}

#[test]
fn the_mouse_selects_opens_marks_and_scrolls() {
    let mut desk = filled(120, 40);
    desk.press(KeyCode::Home);
    desk.settle();
    let plan = SeedGalleryAreas::of(&desk.app.screens.gallery, &desk.app.editor);
    let place = |number: usize| {
        let cell = plan.cell(number);
        (cell.x + 1, cell.y + 1)
    };
    let (x, y) = place(5);
    desk.mouse(MouseEventKind::Down(MouseButton::Right), x, y);
    let fifth = desk.app.screens.gallery.order[5];
    assert!(desk.app.screens.gallery.marks.contains(&fifth));
    let (x, y) = place(6);
    desk.click(x, y);
    assert_eq!(
        desk.app.screens.gallery.current(),
        Some(desk.app.screens.gallery.order[6])
    );
    desk.mouse(MouseEventKind::ScrollDown, x, y);
    assert_eq!(desk.app.screens.gallery.place(), 6 + plan.columns);
    desk.mouse(MouseEventKind::ScrollUp, x, y);
    // Clicking the heading opens the list, clicking a line selects it, and again sorts.
    desk.click(60, 0);
    assert_eq!(desk.app.contexts(), [Context::MetricList]);
    let text = desk.text();
    let row = text.lines().position(|line| line.contains(" dead-ends ")).unwrap();
    desk.click(40, row as u16);
    assert_eq!(desk.app.contexts(), [Context::MetricList]);
    desk.click(40, row as u16);
    assert_eq!(desk.app.screens.gallery.by, SeedOrder::Metric(DungeonMetric::DeadEnds));
    desk.click(60, 0);
    desk.click(0, 0);
    assert_eq!(desk.app.contexts(), [Context::Gallery], "a click beside it closes it");
    let (x, y) = place(2);
    desk.click(x, y);
    desk.click(x, y);
    assert!(!desk.app.screens.gallery.is_open(), "a second click opens the seed");
}

#[test]
fn flaws_are_shown_with_the_expectations_that_they_fail() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.expect.that = vec![
        "path > 150".into(),
        "median path > 3".into(),
        "path > 900 in 50 %".into(),
    ];
    let mut desk = TestApp::with(Document::new(design, None), 120, 40);
    desk.keys("Ysr");
    desk.settle();
    let (gallery, text) = (&desk.app.screens.gallery, desk.text());
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
    // Without colours a sign marks it.
    desk.app.editor.theme = Theme::new(Depth::None);
    assert!(desk.text().matches('✗').count() > 1);
}

#[test]
fn designs_that_cannot_be_shown_say_why() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.layout.size = crate::geometry::Size::new(30_000, 30_000);
    let mut desk = TestApp::with(Document::new(design, None), 120, 40);
    desk.keys("Y");
    assert!(desk.text().contains("use `wallcrawler survey` for dungeons"));
    assert_eq!(
        (desk.requested("gallery metrics"), desk.requested("gallery pictures")),
        (None, None)
    );
    for keys in ["s", "lhjk", " ", "m", "g", "+-"] {
        desk.keys(keys);
    }
    desk.press(KeyCode::Enter);
}

#[test]
fn the_palette_leads_out_of_it() {
    let mut desk = filled(120, 40);
    desk.keys(":");
    desk.keys("small map");
    desk.press(KeyCode::Enter);
    assert!(!desk.app.screens.gallery.is_open());
    desk.keys("Y");
    desk.chord(KeyModifiers::CONTROL, 'c');
    assert!(!desk.app.screens.gallery.is_open() && desk.quit.is_none());
}

#[test]
fn the_list_of_metrics_pages_and_scrolls_like_every_list() {
    let mut desk = filled(80, 16);
    desk.keys("f");
    assert_list_keys(&mut desk, |desk| {
        metrics::visible(desk.app.screens.gallery.list.unwrap(), desk.app.editor.screen)
    });
}

#[test]
fn the_range_looks_like_this() {
    for (width, height) in [(120, 40), (80, 24), (200, 60), (40, 12)] {
        let mut desk = filled(width, height);
        desk.keys("v");
        desk.settle();
        insta::assert_snapshot!(format!("range_{width}x{height}"), desk.text());
    }
    let mut desk = filled(80, 24);
    desk.app.editor.theme = Theme::new(Depth::None);
    desk.keys("v");
    let text = desk.text();
    assert!(
        text.contains('█') && text.contains("[]") && text.contains("·· 1"),
        "{text}"
    );
}

#[test]
fn the_range_has_the_cells_of_the_command_line() {
    let mut desk = filled(80, 24);
    desk.keys("v");
    let gallery = &desk.app.screens.gallery;
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
    let text = desk.text();
    for axis in map.axes() {
        let lowest = axis.ticks(4).next().unwrap().1;
        assert!(text.contains(&lowest), "{lowest}: {text}");
    }
    // Every step selects the sample of a cell.
    let samples: Vec<u64> = map.cells().iter().map(|cell| cell.sample as u64).collect();
    for keys in ["g", "k", "l", "k", "h", "j", "G"] {
        desk.keys(keys);
        let seed = desk.app.screens.gallery.current().unwrap();
        assert!(samples.contains(&seed), "{keys} {seed}");
    }
    assert_eq!(desk.app.screens.gallery.current(), samples.last().copied());
    desk.press(KeyCode::Enter);
    assert_eq!(desk.app.editor.document.design().seed, *samples.last().unwrap());
}

#[test]
fn the_axes_of_the_range_are_chosen_from_the_list_and_the_mouse_opens_a_sample() {
    let mut desk = filled(120, 40);
    desk.keys("x");
    assert_eq!(desk.app.contexts(), [Context::MetricList]);
    assert!(desk.text().contains("Axis across"));
    desk.keys("j");
    desk.press(KeyCode::Enter);
    let axes = desk.app.screens.gallery.range.axes;
    assert_eq!(axes[0], SeedOrder::Metric(DungeonMetric::Detour));
    assert_eq!(desk.app.screens.gallery.by, SeedOrder::Seed, "the order stays");
    assert!(desk.text().contains("detour"));
    let plan = SeedGalleryAreas::of(&desk.app.screens.gallery, &desk.app.editor);
    let sheet = plan.sheet;
    let mut places = sheet.positions();
    let hit = places.find_map(|at| {
        let (seed, is_selected) = range::sample_at(&desk.app.screens.gallery, &plan, at)?;
        (!is_selected).then_some((seed, at))
    });
    let (seed, at) = hit.unwrap();
    desk.click(at.x, at.y);
    assert_eq!(desk.app.screens.gallery.current(), Some(seed));
    desk.mouse(MouseEventKind::Down(MouseButton::Right), at.x, at.y);
    assert!(desk.app.screens.gallery.marks.contains(&seed));
    desk.click(at.x, at.y);
    assert!(!desk.app.screens.gallery.is_open());
    assert_eq!(desk.app.editor.document.design().seed, seed);
    desk.keys("Yv");
    assert!(
        !desk.app.screens.gallery.range.is_shown,
        "the view is as it was left, and v toggles it"
    );
}
