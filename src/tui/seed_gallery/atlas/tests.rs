//! Tests of the atlas, driven by keys and mouse.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};

use super::*;
use crate::background::Message;
use crate::document::Document;
use crate::presets::Preset;
use crate::tui::fixture::{TestApp, drawn_at_any_size};
use crate::tui::seed_gallery::draw::draw_within;
use crate::tui::seed_gallery::heat_map::HeatMapAreas;
use crate::tui::theme::{Depth, Theme};

/// Number of batches of 50 candidates that are drawn at random before the widths of the cells are known.
const FIRST: usize = 4;

fn opened(preset: &str, width: u16, height: u16) -> TestApp {
    let design = Preset::find(preset).unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), width, height);
    designer.chord(KeyModifiers::ALT, 'a');
    designer
}

/// Runs the job with a name. Returns false if no such job was requested.
fn run(designer: &mut TestApp, name: &str) -> bool {
    let Some((ticket, request)) = designer.take_request(name) else {
        return false;
    };
    designer.run_job(&ticket, request);
    true
}

/// Opens an atlas, and measures a number of batches of candidates.
fn filled(preset: &str, batches: usize) -> TestApp {
    let mut designer = opened(preset, 120, 40);
    for _ in 0..batches {
        assert!(run(&mut designer, "atlas"));
    }
    designer
}

fn view(designer: &TestApp) -> &AtlasView {
    &designer.app.screens.gallery.atlas
}

fn state(designer: &TestApp) -> AtlasState {
    view(designer).search().unwrap().atlas().state()
}

fn selected(designer: &TestApp) -> ([i64; 2], ShownCell) {
    let (place, cell) = view(designer).current().unwrap();
    (place, cell.clone())
}

/// Replaces the suggested path of the atlas file with another.
fn name_file(designer: &mut TestApp, path: &std::path::Path) {
    designer.keys("w");
    assert_eq!(designer.app.contexts(), [Context::AtlasFile]);
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys(&path.display().to_string());
    designer.press(KeyCode::Enter);
    run(designer, "atlas file");
}

#[test]
fn it_fills_while_one_watches_and_looks_like_this() {
    let mut designer = opened("catacombs", 120, 40);
    assert!(designer.text().contains("growing the first random candidates"));
    for _ in 0..FIRST {
        run(&mut designer, "atlas");
    }
    let before = view(&designer).search().unwrap().shown().len();
    for _ in 0..2 {
        run(&mut designer, "atlas");
    }
    assert!(view(&designer).search().unwrap().shown().len() > before);
    designer.keys("p");
    assert!(designer.text().contains("300 of 2,500 candidates, stopped"));
    for (width, height) in [(160, 48), (80, 24), (60, 16)] {
        designer.send(Message::Input(crossterm::event::Event::Resize(width, height)));
        while run(&mut designer, "gallery pictures") {}
        insta::assert_snapshot!(format!("atlas_{width}x{height}"), designer.text());
    }
    // Without colours the shades are characters.
    designer.app.editor.theme = Theme::new(Depth::None);
    let text = designer.text();
    assert!(
        text.contains('█') && text.contains('░') && text.contains("[]"),
        "{text}"
    );
}

#[test]
fn it_keeps_to_its_place_at_any_size() {
    let mut designer = filled("first-steps", FIRST + 1);
    for keys in ["", " lb", "w"] {
        designer.keys(keys);
        run(&mut designer, "atlas");
        drawn_at_any_size(
            |area, buf| draw_within(&designer.app.screens.gallery, &designer.app.editor, area, buf),
            (70, 20),
        );
    }
}

#[test]
fn stopping_and_closing_lose_nothing() {
    let whole = state(&filled("first-steps", FIRST + 2));
    let mut designer = filled("first-steps", 1);
    designer.keys("p");
    assert!(!run(&mut designer, "atlas"));
    assert_eq!(state(&designer).tried, 50);
    designer.keys("p");
    for _ in 1..FIRST {
        assert!(run(&mut designer, "atlas"));
    }
    designer.press(KeyCode::Esc);
    assert!(!designer.app.screens.gallery.is_open() && designer.requested("atlas").is_none());
    designer.keys("Y");
    assert!(
        view(&designer).is_shown,
        "the gallery opens in the view in which it was left"
    );
    for _ in 0..2 {
        assert!(run(&mut designer, "atlas"));
    }
    assert_eq!(state(&designer), whole);
}

#[test]
fn a_cell_opens_as_one_edit_and_the_atlas_stays_until_something_else_changes() {
    let mut designer = filled("first-steps", FIRST + 1);
    let found = state(&designer);
    designer.keys("G");
    let (place, shown) = selected(&designer);
    let before = designer.app.editor.document.design().clone();
    designer.press(KeyCode::Enter);
    assert!(!designer.app.screens.gallery.is_open());
    let after = designer.app.editor.document.design().clone();
    assert_eq!(after.seed, shown.cell.seed);
    let search = view(&designer).search().unwrap();
    for (one, value) in search.parameters().iter().zip(&shown.cell.values) {
        assert_eq!(after.get(one.entry, one.parameter), Some(*value));
    }
    // A second cell of the same atlas replaces all numbers of the first.
    designer.keys("Y");
    assert_eq!((state(&designer), selected(&designer).0), (found.clone(), place));
    designer.keys("g");
    let (_, other) = selected(&designer);
    designer.press(KeyCode::Enter);
    let search = view(&designer).search().unwrap();
    let design = designer.app.editor.document.design();
    let values: Vec<i32> = search
        .parameters()
        .iter()
        .map(|one| design.get(one.entry, one.parameter).unwrap())
        .collect();
    assert_eq!(values, other.cell.values);
    designer.keys("uu");
    assert_eq!(*designer.app.editor.document.design(), before);
    // Another design has another atlas; undoing the edit brings the first atlas back.
    designer.app.editor.edit("size", |design| design.layout.size.x += 4);
    designer.keys("Y");
    assert_eq!(state(&designer).tried, 0);
    designer.press(KeyCode::Esc);
    designer.keys("uY");
    assert_eq!(state(&designer), found);
}

#[test]
fn after_an_edit_of_a_varied_number_changes_are_listed_from_the_open_design() {
    let mut designer = filled("first-steps", FIRST + 1);
    let found = state(&designer);
    assert!(designer.text().contains("the design itself"), "{}", designer.text());
    let search = view(&designer).search().unwrap();
    let (one, value) = (search.parameters()[0], search.atlas().own_values()[0] + 1);
    designer.press(KeyCode::Esc);
    designer.app.editor.edit("longer", |design| {
        design.set(one.entry, one.parameter, value);
    });
    designer.keys("Y");
    assert_eq!(state(&designer), found);
    let text = designer.text();
    assert!(
        text.contains("the initial design") && !text.contains("the design itself"),
        "{text}"
    );
    let other = |shown: &ShownCell| shown.cell.values[0] != value;
    let shown = view(&designer).search().unwrap().shown();
    let place = *shown.iter().find(|(_, shown)| other(shown)).unwrap().0;
    designer.app.screens.gallery.atlas.selected = Some(place);
    let change = format!(": {value} → {}", selected(&designer).1.cell.values[0]);
    assert!(designer.text().contains(&change), "{change}\n{}", designer.text());
    designer.press(KeyCode::Enter);
    designer.keys("Y");
    let text = designer.text();
    assert!(
        text.contains("the design itself") && text.contains("no number changed"),
        "{text}"
    );
}

#[test]
fn two_marked_cells_breed_a_child_that_opens() {
    let mut designer = filled("first-steps", FIRST + 1);
    designer.keys("b");
    assert!(designer.text().contains("mark two cells"));
    designer.keys("g ");
    let (low, a) = selected(&designer);
    designer.keys("G ");
    let (high, b) = selected(&designer);
    assert_eq!(view(&designer).marks, [low, high]);
    assert!(designer.text().contains('★') && designer.text().contains("b breeds"));
    designer.keys("b");
    assert!(run(&mut designer, "atlas"));
    let (_, child) = selected(&designer);
    assert!(child.is_child && designer.text().contains('◆'));
    let search = view(&designer).search().unwrap();
    let mixed = |values: &[i32]| {
        let both = values.iter().zip(a.cell.values.iter().zip(&b.cell.values));
        both.clone().all(|(value, (a, b))| value == a || value == b)
    };
    assert!(mixed(&child.cell.values) && child.cell.values != a.cell.values);
    assert!(search.is_paused && view(&designer).marks.is_empty());
    let name = draw::place_of(search, &child.cell);
    designer.press(KeyCode::Enter);
    assert!(
        designer.text().contains(&format!("atlas: {name}")),
        "{}",
        designer.text()
    );
    designer.keys("Y");
    assert_eq!(selected(&designer).1.cell, child.cell);
    // The search continues as if nothing had been bred.
    designer.keys("p");
    assert!(run(&mut designer, "atlas"));
    assert_eq!(state(&designer), state(&filled("first-steps", FIRST + 2)));
    assert_eq!(view(&designer).search().unwrap().children(), 0);
    // A cell has no child with itself, and a third mark replaces the first.
    designer.keys("g ");
    designer.keys("G ");
    designer.keys("j ");
    assert_eq!(view(&designer).marks.len(), 2);
}

#[test]
fn the_search_continues_after_cancelled_offspring_and_after_parents_without_a_child() {
    let mut designer = filled("first-steps", FIRST + 1);
    designer.keys("g ");
    designer.keys("G b");
    assert!(designer.text().contains("measuring offspring"), "{}", designer.text());
    designer.press(KeyCode::Esc);
    designer.keys("Yp");
    assert!(run(&mut designer, "atlas"));
    assert_eq!(state(&designer), state(&filled("first-steps", FIRST + 2)));
    let (place, _) = selected(&designer);
    designer.app.screens.gallery.atlas.marks = vec![place, place];
    designer.keys("b");
    assert!(
        designer.text().contains("these cells have no child"),
        "{}",
        designer.text()
    );
    designer.keys("p");
    assert!(run(&mut designer, "atlas"));
    assert_eq!(state(&designer), state(&filled("first-steps", FIRST + 3)));
}

#[test]
fn a_mark_disappears_with_its_cell() {
    let mut designer = filled("first-steps", FIRST + 1);
    let (place, _) = selected(&designer);
    designer.app.screens.gallery.atlas.marks = vec![place, [9_999, 9_999]];
    assert!(run(&mut designer, "atlas"));
    assert_eq!(view(&designer).marks, [place]);
}

#[test]
fn the_picture_of_a_cell_grows_again_after_an_interruption_and_leaves_with_its_design() {
    let mut designer = filled("first-steps", FIRST + 1);
    assert!(designer.requested("gallery pictures").is_some());
    designer.press(KeyCode::Esc);
    assert!(designer.requested("gallery pictures").is_none());
    designer.keys("Y");
    assert!(run(&mut designer, "gallery pictures"));
    assert!(view(&designer).picture().is_some_and(|pixels| !pixels.is_empty()));
    designer.app.editor.edit("wider", |design| design.layout.size.y += 2);
    designer.perform(Vec::new());
    designer.want();
    assert!(view(&designer).picture().is_none());
}

#[test]
fn a_file_keeps_the_atlas_and_another_run_continues_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.json");
    let mut designer = filled("first-steps", FIRST);
    name_file(&mut designer, &path);
    assert!(designer.text().contains("· steps.json"), "{}", designer.text());
    // The file is written now, and after each batch.
    assert!(run(&mut designer, "atlas file"));
    let read = || AtlasFile::read(&path).unwrap().unwrap();
    assert_eq!(read().state, state(&designer));
    run(&mut designer, "atlas");
    assert!(run(&mut designer, "atlas file"));
    assert_eq!((read().state.tried, read().state), (250, state(&designer)));

    // Another run of the designer continues the atlas in the file, with the metrics that the file names.
    let mut file = read();
    let mut other = opened("first-steps", 120, 40);
    other.keys("x");
    other.keys("j");
    other.press(KeyCode::Enter);
    assert_eq!(view(&other).search().unwrap().subject.x, "detour");
    name_file(&mut other, &path);
    assert_eq!(view(&other).search().unwrap().subject, file.subject);
    assert_eq!(state(&other), file.state);
    run(&mut other, "atlas");
    run(&mut other, "atlas file");
    assert_eq!(read().state.tried, 300);

    // At the end the cells are measured over fresh seeds, and more candidates can be tried.
    file.state.tried = 2_500;
    std::fs::write(&path, file.text().unwrap()).unwrap();
    let mut last = opened("first-steps", 120, 40);
    name_file(&mut last, &path);
    run(&mut last, "atlas");
    assert!(last.text().contains("measured over fresh seeds") && last.text().contains("20 fresh seeds"));
    run(&mut last, "atlas file");
    assert_eq!(read().state.verified, state(&last).verified);
    assert!(!read().state.verified.is_empty() && last.requested("atlas").is_none());
    last.keys("p");
    assert!(last.text().contains("come to its end"));
    last.keys("n");
    run(&mut last, "atlas");
    assert_eq!(state(&last).tried, 2_550);

    // A file that was edited is rejected if its numbers are impossible.
    file.subject.seeds = u64::MAX;
    std::fs::write(&path, file.text().unwrap()).unwrap();
    name_file(&mut other, &path);
    assert!(other.text().contains("cannot be used"), "{}", other.text());
}

#[test]
fn a_changed_level_file_reports_that_the_atlas_is_no_longer_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (level, path) = (folder.path().join("live.des"), folder.path().join("steps.json"));
    let text = "NAME: live_room\nMAP\nxxxxx\nx...+\nxxxxx\nENDMAP\n";
    std::fs::write(&level, text).unwrap();
    let mut design = Preset::find("first-steps").unwrap().design();
    design.layout.vaults.push(crate::design::VaultEntry {
        file: "live.des".into(),
        map: "live_room".into(),
        ..Default::default()
    });
    let mut document = Document::new(design, None);
    let files = crate::storage::DesignFiles::Toml(folder.path().join("steps.toml"));
    document.save_as(files).unwrap();
    let mut designer = TestApp::with(document, 120, 40);
    designer.chord(KeyModifiers::ALT, 'a');
    assert!(run(&mut designer, "atlas"));
    name_file(&mut designer, &path);
    assert!(run(&mut designer, "atlas file"));
    assert!(designer.text().contains("· steps.json"), "{}", designer.text());
    let atlas = &mut designer.app.screens.gallery.atlas;
    (atlas.marks, atlas.selected) = (vec![[1, 2]], Some([3, 4]));
    std::fs::write(&level, format!("{text}# changed\n")).unwrap();
    designer.send(Message::FilesChanged(vec![level.clone()]));
    let notice = designer.app.editor.status.notice.clone().unwrap().1;
    assert_eq!(
        notice,
        format!(
            "a level file was changed on disk: the atlas was started again and is no longer kept in {}",
            path.display()
        )
    );
    assert!(!designer.text().contains("· steps.json"), "{}", designer.text());
    assert!(view(&designer).marks.is_empty() && view(&designer).selected != Some([3, 4]));
    assert_eq!(state(&designer).tried, 0);
}

#[test]
fn a_finished_atlas_counts_hidden_offspring_and_names_the_key_that_continues_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.json");
    let mut designer = filled("first-steps", FIRST + 1);
    name_file(&mut designer, &path);
    assert!(run(&mut designer, "atlas file"));
    let mut file = AtlasFile::read(&path).unwrap().unwrap();
    file.state.tried = 2_500;
    std::fs::write(&path, file.text().unwrap()).unwrap();
    let mut last = opened("first-steps", 120, 40);
    name_file(&mut last, &path);
    assert!(run(&mut last, "atlas"));
    // As after a failure to write the file.
    let open = last.app.screens.gallery.atlas.open.as_mut().unwrap();
    open.search.stop();
    assert!(!last.text().contains("stopped"), "{}", last.text());
    last.keys("g ");
    last.keys("G b");
    assert!(run(&mut last, "atlas"));
    let text = last.text();
    let shown = view(&last).search().unwrap().children();
    let hidden = text.split_once("filled cells hide ").unwrap().1;
    let (hidden, rest) = hidden.split_once(" of ").unwrap();
    let born = rest.split_once(" offspring").unwrap().0;
    let [hidden, born] = [hidden, born].map(|number| number.parse::<usize>().unwrap());
    assert_eq!((hidden > 0, hidden + shown), (true, born), "{text}");
    assert!(
        text.contains("are shown until you continue the search with n"),
        "{text}"
    );
    last.keys("n");
    assert!(run(&mut last, "atlas"));
    assert_eq!(view(&last).search().unwrap().children(), 0);
}

#[test]
fn files_that_are_no_atlas_of_this_design_are_refused_and_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "my notes").unwrap();
    let mut designer = filled("first-steps", 1);
    name_file(&mut designer, &path);
    assert!(designer.text().contains("is not an atlas"), "{}", designer.text());
    let other = folder.path().join("weave.json");
    let mut weave = filled("weave", 0);
    name_file(&mut weave, &other);
    run(&mut weave, "atlas file");
    name_file(&mut designer, &other);
    assert!(designer.text().contains("another design"), "{}", designer.text());
    // A file that cannot be written stops the search, since its results would not be saved.
    name_file(&mut designer, &folder.path().join("missing").join("atlas.json"));
    run(&mut designer, "atlas file");
    assert!(designer.text().contains("no longer kept"), "{}", designer.text());
    assert!(view(&designer).search().unwrap().is_paused);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes");
    // Esc changes nothing, and an empty path ends saving to the file.
    designer.keys("w");
    designer.press(KeyCode::Esc);
    assert_eq!(designer.app.contexts(), [Context::Atlas]);
}

#[test]
fn the_axes_are_those_of_the_range_and_every_pair_keeps_its_atlas() {
    let mut designer = filled("first-steps", 2);
    designer.keys("v");
    assert!(!view(&designer).is_shown && designer.app.screens.gallery.range.is_shown);
    designer.keys("x");
    designer.keys("j");
    designer.press(KeyCode::Enter);
    designer.keys("a");
    assert_eq!(
        (&*view(&designer).search().unwrap().subject.x, state(&designer).tried),
        ("detour", 0)
    );
    assert!(designer.text().contains("detour"));
    designer.keys("x");
    designer.keys("g");
    designer.press(KeyCode::Enter);
    assert!(designer.text().contains("must be a metric, not the seed"));
    designer.keys("x");
    designer.keys("k");
    designer.press(KeyCode::Enter);
    assert_eq!(
        (&*view(&designer).search().unwrap().subject.x, state(&designer).tried),
        ("path", 100)
    );
    designer.keys("a");
    assert_eq!(designer.app.contexts(), [Context::Gallery]);
}

#[test]
fn the_mouse_selects_opens_and_marks() {
    let mut designer = filled("first-steps", FIRST + 1);
    let gallery = &designer.app.screens.gallery;
    let plan = SeedGalleryAreas::of(gallery, &designer.app.editor);
    let (heat, _) = heat_map(&gallery.atlas, &plan).unwrap();
    let bins = selected_bins(&gallery.atlas, &heat);
    let mut places = HeatMapAreas::of(&plan).map.positions();
    let at = places
        .find(|at| {
            heat.cell_at(*at)
                .is_some_and(|cell| bins != Some([cell.across, cell.up]))
        })
        .unwrap();
    let (before, _) = selected(&designer);
    designer.click(at.x, at.y);
    let (place, _) = selected(&designer);
    assert_ne!(place, before);
    designer.mouse(MouseEventKind::Down(MouseButton::Right), at.x, at.y);
    assert_eq!(view(&designer).marks, [place]);
    designer.mouse(MouseEventKind::ScrollDown, at.x, at.y);
    designer.mouse(MouseEventKind::ScrollUp, at.x, at.y);
    designer.click(at.x, at.y);
    designer.click(at.x, at.y);
    assert!(!designer.app.screens.gallery.is_open());
}

#[test]
fn a_design_that_is_too_large_says_why() {
    let mut design = Preset::find("catacombs").unwrap().design();
    design.layout.size = crate::geometry::Size::new(30_000, 30_000);
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.chord(KeyModifiers::ALT, 'a');
    assert!(
        designer.text().contains("use `wallcrawler survey`"),
        "{}",
        designer.text()
    );
    for keys in ["l", "j", " ", "b", "p", "n", "w", "G"] {
        designer.keys(keys);
    }
    designer.press(KeyCode::Enter);
    assert!(designer.requested("atlas").is_none());
}
