use crossterm::event::{KeyCode, KeyModifiers, MouseEventKind};

use super::*;
use crate::tui::dialog::Dialog;
use crate::tui::editor::Focus;
use crate::tui::fixture::{TestApp, drawn_at_any_size};
use crate::tui::keymap;
use crate::tui::tabs::Panel;

/// Returns the names in the list, in order.
fn names(designer: &TestApp, text: &str) -> Vec<&'static str> {
    entries(&designer.app.palette(), &designer.app.editor.keymap, text)
        .iter()
        .map(|entry| entry.binding.name)
        .collect()
}

fn notice(designer: &TestApp) -> &str {
    designer.app.editor.status.notice.as_ref().map_or("", |(_, text)| text)
}

#[test]
fn every_action_of_the_table_can_be_found() {
    let designer = TestApp::grown(80, 24);
    let list = entries(&designer.app.palette(), &designer.app.editor.keymap, "");
    for binding in keymap::table() {
        assert!(
            list.iter().any(|entry| entry.binding.action == binding.action),
            "{} is not listed",
            binding.name
        );
        assert!(
            names(&designer, binding.name).contains(&binding.name),
            "{}",
            binding.name
        );
    }
}

/// Texts that users type, each with the action that must come first.
const TYPED: &[(&str, &str)] = &[
    ("why not", "what if"),
    ("what if", "what if"),
    ("cause", "what if"),
    ("speed", "faster"),
    ("speed up", "faster"),
    ("faster", "faster"),
    ("slower", "slower"),
    ("slow down", "slower"),
    ("pause", "play"),
    ("stop", "play"),
    ("replay", "play"),
    ("animate", "play"),
    ("rewind", "to the start"),
    ("restart", "to the start"),
    ("beginning", "to the start"),
    ("skip", "to the end"),
    ("fast forward", "to the end"),
    ("step", "turn"),
    ("next step", "turn"),
    ("step back", "previous turn"),
    ("previous frame", "previous turn"),
    ("seek", "go to"),
    ("jump", "go to"),
    ("scrub", "go to"),
    ("marker", "bookmark"),
    ("repeat", "loop"),
    ("track", "follow"),
    ("camera", "follow"),
    ("random", "reroll"),
    ("random seed", "reroll"),
    ("randomize", "reroll"),
    ("new seed", "reroll"),
    ("generate", "reroll"),
    ("shuffle", "reroll"),
    ("thumbnails", "gallery"),
    ("many seeds", "gallery"),
    ("new", "new"),
    ("new design", "new"),
    ("template", "new"),
    ("examples", "presets"),
    ("load", "open"),
    ("recent", "open"),
    ("import", "open"),
    ("open file", "open"),
    ("write", "save"),
    ("save", "save"),
    ("save as", "save as"),
    ("save a copy", "save as"),
    ("export", "export"),
    ("screenshot", "export"),
    ("png", "export"),
    ("gif", "export"),
    ("svg", "export"),
    ("pdf", "export"),
    ("json", "export"),
    ("tmx", "export"),
    ("ldtk", "export"),
    ("picture", "export"),
    ("print", "export"),
    ("video", "export"),
    ("cancel export", "cancel export"),
    ("restore", "recover"),
    ("crash", "recover"),
    ("backup", "recover"),
    ("undo", "undo"),
    ("revert", "undo"),
    ("redo", "redo"),
    ("versions", "history"),
    ("exit", "quit"),
    ("leave", "quit"),
    ("keys", "help"),
    ("shortcuts", "help"),
    ("manual", "help"),
    ("settings", "help"),
    ("preferences", "help"),
    ("tutorial", "tour"),
    ("shell", "suspend"),
    ("focus", "next pane"),
    ("prefab", "vaults"),
    ("resize", "resize"),
    ("size", "resize"),
    ("dimensions", "resize"),
    ("add room", "rooms"),
    ("parameters", "stats"),
    ("sliders", "stats"),
    ("blank", "new"),
    ("empty", "new"),
    ("create", "new"),
    ("rename", "design"),
    ("notes", "design"),
    ("set seed", "design"),
    ("errors", "problems"),
    ("warnings", "problems"),
    ("goals", "expectations"),
    ("constraints", "expectations"),
    ("figures", "metrics"),
    ("statistics", "metrics"),
    ("charts", "plots"),
    ("graph", "plots"),
    ("log", "events"),
    ("why", "inspect"),
    ("explain", "inspect"),
    ("path", "shortest path"),
    ("route", "shortest path"),
    ("reachable", "reachable squares"),
    ("fix", "remedies"),
    ("improve", "remedies"),
    ("optimize", "tune"),
    ("learn", "learn"),
    ("more like this", "learn"),
    ("similar", "learn"),
    ("imitate", "learn"),
    ("more like the marked ones", "more like these"),
    ("breed", "atlas"),
    ("atlas", "atlas"),
    ("explore variety", "atlas"),
    ("variety", "atlas"),
    ("what else", "atlas"),
    ("map elites", "atlas"),
    ("diff", "compare"),
    ("heat map", "wall frequency"),
    ("heatmap", "wall frequency"),
    ("color", "colour by"),
    ("colours", "colour by"),
    ("theme", "light background"),
    ("dark mode", "light background"),
    ("zoom", "zoom in"),
    ("magnify", "zoom in"),
    ("zoom out", "zoom out"),
    ("shrink", "zoom out"),
    ("fit to screen", "fit"),
    ("fullscreen", "map only"),
    ("full screen", "map only"),
    ("maximize", "map only"),
    ("minimap", "small map"),
    ("center", "centre"),
    ("paint", "draw"),
    ("eraser", "draw"),
    ("paste", "draw"),
    ("delete", "remove"),
    ("mutate", "variation"),
    ("replace", "search and replace"),
    ("dead ends", "dead ends"),
    ("widths", "widths"),
];

#[test]
fn what_people_type_finds_the_action() {
    let designer = TestApp::grown(80, 24);
    let wrong: Vec<_> = TYPED
        .iter()
        .map(|&(typed, name)| {
            (
                typed,
                name,
                names(&designer, typed).first().copied().unwrap_or_default(),
            )
        })
        .filter(|(_, name, first)| name != first)
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(TYPED.len() >= 100);
}

#[test]
fn why_finds_the_view_that_explains_and_then_the_action_that_lists_causes() {
    let designer = TestApp::grown(80, 24);
    let found = names(&designer, "why");
    assert_eq!(found[0], "inspect");
    assert!(found[..3].contains(&"what if"), "{found:?}");
}

#[test]
fn the_palette_finds_and_runs_an_action() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys(":");
    insta::assert_snapshot!("open", designer.text());
    designer.keys("zoom in");
    insta::assert_snapshot!("typed", designer.text());
    let before = designer.text();
    designer.press(KeyCode::Enter);
    assert!(designer.app.dialogs.open.is_none());
    assert_ne!(designer.text(), before);
    // A recently used action comes first the next time.
    designer.chord(KeyModifiers::CONTROL, 'p');
    assert_eq!(names(&designer, "")[0], "zoom in");
}

#[test]
fn an_action_runs_in_its_own_context() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys(":");
    designer.keys("another seed");
    let seed = designer.app.editor.document.design().seed;
    designer.press(KeyCode::Enter);
    assert_eq!(
        (designer.app.editor.focus, designer.app.editor.panel),
        (Focus::Panel, Panel::Design)
    );
    assert_ne!(designer.app.editor.document.design().seed, seed);
    designer.keys(":");
    designer.keys("centre");
    designer.press(KeyCode::Enter);
    assert_eq!(designer.app.editor.focus, Focus::Map);
}

#[test]
fn an_unavailable_action_shows_why_and_the_palette_stays_open() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys(":");
    designer.keys("choose roll");
    designer.press(KeyCode::Enter);
    assert!(
        notice(&designer).contains("while you compare ten rolls of a vault"),
        "{}",
        notice(&designer)
    );
    assert!(designer.app.dialogs.open.is_some());
    designer.chord(KeyModifiers::CONTROL, 'u');
    designer.keys("qqqq");
    designer.press(KeyCode::Enter);
    assert!(notice(&designer).contains("no action"));
    designer.press(KeyCode::Esc);
    assert!(designer.app.dialogs.open.is_none());
}

#[test]
fn an_action_without_an_effect_is_never_silent() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys("g:");
    designer.keys("to the start");
    designer.press(KeyCode::Enter);
    assert!(notice(&designer).contains("nothing to do"), "{}", notice(&designer));
}

#[test]
fn typed_text_is_text_and_keys_are_found_by_their_names() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys(":");
    designer.keys("q:?");
    assert!(designer.app.dialogs.open.is_some() && designer.quit.is_none());
    assert_eq!(names(&designer, "R")[0], "reroll");
    assert_eq!(names(&designer, "Ctrl-S")[0], "save");
    assert_eq!(names(&designer, "undo")[0], "undo");
    assert!(names(&designer, "seed").contains(&"reroll"), "by its help sentence");
}

#[test]
fn the_palette_obeys_the_mouse() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys(":");
    designer.keys("undo");
    let inside = popup_inside(WIDTH, height(), designer.app.editor.screen);
    designer.mouse(MouseEventKind::ScrollDown, inside.x, inside.y);
    designer.mouse(MouseEventKind::ScrollUp, inside.x, inside.y);
    designer.click(inside.x + 2, inside.y + HEAD);
    assert_eq!(notice(&designer), "nothing to undo");
    assert!(designer.app.dialogs.open.is_none());
}

#[test]
fn the_palette_opens_over_panels_views_and_the_browser() {
    let mut designer = TestApp::grown(120, 40);
    for way in ["\t", "\t", "v"] {
        designer.keys(way);
        designer.keys(":");
        assert!(
            matches!(designer.app.dialogs.open, Some(Dialog::Palette(_))),
            "after {way:?}"
        );
        designer.press(KeyCode::Esc);
    }
    // From the vault browser, the palette can run an action outside the browser.
    designer.keys(":");
    designer.keys("constants");
    designer.press(KeyCode::Enter);
    assert_eq!(
        (designer.app.editor.focus, designer.app.editor.panel),
        (Focus::Panel, Panel::Constants)
    );
    assert!(!designer.app.screens.vaults.is_open());
    // While a number is typed, `:` does not open the palette, and Ctrl-P accepts the number first.
    designer.keys("12:");
    assert!(designer.app.dialogs.open.is_none());
    designer.press(KeyCode::Backspace);
    designer.chord(KeyModifiers::CONTROL, 'p');
    assert!(matches!(designer.app.dialogs.open, Some(Dialog::Palette(_))));
}

#[test]
fn the_palette_stays_inside_any_screen() {
    let mut designer = TestApp::grown(80, 24);
    designer.keys(":");
    insta::assert_snapshot!(drawn_at_any_size(
        |area, buf| designer.app.draw_dialog(area, buf),
        (60, 20)
    ));
}
