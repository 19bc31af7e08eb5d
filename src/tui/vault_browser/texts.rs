//! Text fields of the vault browser: the filter, the path of a level file, and values of the simulated game (the place
//! and the player character) that vaults can read.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::BrowserState;
use crate::tui::commands::BrowserCommand;
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::widget::form::{draw_field, ring};
use crate::tui::widget::layout::with_head;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::popup::{after, popup, shrunk};
use crate::tui::widget::prompt::expanded;
use crate::tui::widget::prompt::{PasteCut, TextField, TextKind};
use crate::tui::widget::text::put_wrapped;
use crate::vault::VaultWorld;

/// The names of the game's values, each with a description of the accepted text.
const VALUES: [(&str, &str); 5] = [
    ("place", "a branch and a level: D:5, Lair:2, Temple"),
    (
        "xl",
        "experience level, 1 to 27; leave empty to derive it from the depth",
    ),
    ("race", "species, as you.race() returns it"),
    ("class", "background, as you.class() returns it"),
    ("god", "god, as you.god() returns it; No God for none"),
];

/// The names of the player character's values, each with the Lua functions that read it.
const READERS: [(&str, &[&str]); 4] = [
    ("xl", &["you.xl"]),
    ("race", &["you.race", "you.genus", "you.species"]),
    ("class", &["you.class", "you.job"]),
    ("god", &["you.god", "you.good_god"]),
];

const WIDTH: u16 = 64;
const LABEL_WIDTH: u16 = 8;
/// Rows for the description of a field, or its error.
const ABOUT: u16 = 3;

/// The purpose of the open text fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypedText {
    /// The filter of the list.
    Filter,
    /// The path of a level file.
    Path,
    /// The game's values.
    Values,
}

/// The open text fields.
#[derive(Debug)]
pub(super) struct TypedTexts {
    pub(super) what: TypedText,
    fields: Vec<TextField>,
    at: usize,
    /// Names and descriptions of the fields.
    labels: Vec<(&'static str, &'static str)>,
    /// The error in the typed text; empty if there is none.
    why: String,
    /// The filter before typing began.
    before: String,
}

impl TypedTexts {
    fn new(what: TypedText, texts: Vec<String>, labels: Vec<(&'static str, &'static str)>) -> Self {
        Self {
            what,
            labels,
            before: texts.first().cloned().unwrap_or_default(),
            fields: texts
                .into_iter()
                .map(|text| TextField::new(TextKind::Line, text))
                .collect(),
            at: 0,
            why: String::new(),
        }
    }

    /// Returns why the text was rejected; empty if it was not.
    pub(super) fn why(&self) -> &str {
        &self.why
    }

    /// Returns the field that receives the keys.
    pub(super) fn typing(&self) -> &TextField {
        &self.fields[self.at]
    }
}

impl BrowserState {
    /// Returns the names of the player character's values that the selected map reads. Searches the Lua code of the map
    /// and of its file for the functions in [`READERS`].
    pub(super) fn asked(&self) -> Vec<&'static str> {
        let Some((group, (_, map))) = self.group().zip(self.selected) else {
            return Vec::new();
        };
        let chunks = group.library.map(map).chunks().map(|(_, chunk)| chunk);
        let prelude = group.library.file(map).prelude.iter();
        let codes: Vec<&[u8]> = chunks.chain(prelude).map(|chunk| chunk.code.as_slice()).collect();
        let reads = |function: &&str| {
            let function = function.as_bytes();
            codes
                .iter()
                .any(|code| code.windows(function.len()).any(|part| part == function))
        };
        let asked = READERS.iter().filter(|(_, functions)| functions.iter().any(reads));
        asked.map(|(name, _)| *name).collect()
    }

    /// Returns the player character's values that the selected map reads and that the user changed, each with its name:
    /// `god Zin`.
    pub(super) fn changed_values(&self) -> Vec<String> {
        let usual = VaultWorld::on(self.world.level);
        let changed = self.asked().into_iter().filter_map(|name| {
            let value = value_of(&self.world, name);
            (value != value_of(&usual, name)).then(|| format!("{name} {value}"))
        });
        changed.collect()
    }
}

/// Opens the text fields for a command.
pub(super) fn begin(state: &mut BrowserState, command: BrowserCommand) {
    let texts = match command {
        BrowserCommand::Filter => TypedTexts::new(TypedText::Filter, vec![state.filter.clone()], Vec::new()),
        BrowserCommand::OpenFile => {
            let label = ("file", "path of a level file; ~/ is the home folder");
            TypedTexts::new(TypedText::Path, vec![String::new()], vec![label])
        }
        _ => {
            let asked = state.asked();
            let is_shown = |(name, _): &(&str, &str)| *name == "place" || asked.contains(name);
            let labels: Vec<_> = VALUES.into_iter().filter(is_shown).collect();
            let texts = labels.iter().map(|(name, _)| value_of(&state.world, name)).collect();
            TypedTexts::new(TypedText::Values, texts, labels)
        }
    };
    state.texts = Some(texts);
}

/// Returns a value of the game as the user would type it; empty if it is the usual experience level of the place.
fn value_of(world: &VaultWorld, name: &str) -> String {
    match name {
        "place" => world.level.to_string(),
        "xl" if world.xl == VaultWorld::on(world.level).xl => String::new(),
        "xl" => world.xl.to_string(),
        "race" => world.race.clone(),
        "class" => world.class.clone(),
        _ => world.god.clone(),
    }
}

/// Passes a key to the active field. Returns whether it was consumed.
pub(in crate::tui) fn typed(state: &mut BrowserState, editor: &mut Editor, key: &KeyEvent) -> bool {
    if editor.keymap.find(&[Context::VaultText], key).is_some() {
        return false;
    }
    change(state, editor, |typing| typing.press(key))
}

/// Passes pasted text to the active field.
pub(in crate::tui) fn paste(state: &mut BrowserState, editor: &mut Editor, text: &str) -> Option<PasteCut> {
    let mut cut = None;
    change(state, editor, |typing| {
        cut = typing.paste(text);
        true
    });
    cut
}

/// Changes the active field, if there is one. Returns whether it was changed.
fn change(state: &mut BrowserState, editor: &mut Editor, press: impl FnOnce(&mut TextField) -> bool) -> bool {
    let Some(texts) = &mut state.texts else { return false };
    let at = texts.at;
    if !press(&mut texts.fields[at]) {
        return false;
    }
    texts.why.clear();
    if texts.what == TypedText::Filter {
        let filter = texts.fields[0].text().to_owned();
        filtered(state, editor, filter);
    }
    true
}

/// Sets the filter. If the selected map does not pass it, selects the first map that does and requests its rolls.
fn filtered(state: &mut BrowserState, editor: &mut Editor, filter: String) {
    let before = state.selected;
    state.filter = filter;
    state.keep_selection();
    if state.selected == before {
        return;
    }
    state.entered.clear();
    state.request_rolls(editor);
}

/// Moves to another text field. If the user is typing the filter, selects another map instead.
pub(super) fn field(state: &mut BrowserState, editor: &mut Editor, by: i32) {
    let Some(texts) = &mut state.texts else {
        return;
    };
    if texts.what == TypedText::Filter {
        return state.step(editor, ListStep::By(by));
    }
    texts.at = ring(texts.at, by, texts.fields.len());
}

/// Discards the typed text and restores the previous filter.
pub(super) fn cancel(state: &mut BrowserState, editor: &mut Editor) {
    match state.texts.take() {
        Some(texts) if texts.what == TypedText::Filter => filtered(state, editor, texts.before),
        _ => {}
    }
}

/// Applies the typed text, or shows why it is invalid.
pub(super) fn accept(state: &mut BrowserState, editor: &mut Editor) {
    let Some(mut texts) = state.texts.take() else {
        return;
    };
    let fields: Vec<String> = texts
        .fields
        .iter()
        .map(|typing| typing.text().trim().to_owned())
        .collect();
    let applied = match texts.what {
        TypedText::Filter => Ok(()),
        TypedText::Path => open(state, editor, &fields[0]).map_err(|why| (why, 0)),
        TypedText::Values => parse_world(&texts.labels, &fields, &state.world).map(|world| {
            state.world = world;
            state.request_rolls(editor);
        }),
    };
    if let Err((why, at)) = applied {
        (texts.why, texts.at) = (why, at);
        state.texts = Some(texts);
    }
}

fn open(state: &mut BrowserState, editor: &mut Editor, text: &str) -> Result<(), String> {
    let path = expanded(text).ok_or("type the path of a level file")?;
    let folder = editor.document.folder();
    let place = state.library.open(&path, &folder)?;
    state.filter.clear();
    let first = state.listed().into_iter().find(|chosen| chosen.0 == place);
    state.choose(first);
    let title = state.library.groups[place].title();
    state.request_rolls(editor);
    editor.watch();
    editor.done(format!("{title} opened"));
    Ok(())
}

/// Parses the typed values. On failure, returns an error message and the index of the invalid field. Values without a
/// field are copied from `before`.
pub(super) fn parse_world(
    labels: &[(&str, &str)],
    fields: &[String],
    before: &VaultWorld,
) -> Result<VaultWorld, (String, usize)> {
    let at = |name: &str| labels.iter().position(|(label, _)| *label == name);
    let typed = |name: &str| at(name).and_then(|at| fields.get(at));
    let level = typed("place").filter(|place| !place.is_empty());
    let mut world = match level {
        None => VaultWorld::default(),
        Some(place) => VaultWorld::at(place).map_err(|error| (error.to_string(), at("place").unwrap_or(0)))?,
    };
    match typed("xl") {
        None if before.xl != VaultWorld::on(before.level).xl => world.xl = before.xl,
        Some(xl) if !xl.is_empty() => {
            let levels = |xl: &u32| (1..=27).contains(xl);
            let wrong = || {
                (
                    "an experience level must be from 1 to 27".to_owned(),
                    at("xl").unwrap_or(0),
                )
            };
            world.xl = xl.parse().ok().filter(levels).ok_or_else(wrong)?;
        }
        _ => {}
    }
    for (name, old, value) in [
        ("race", &before.race, &mut world.race),
        ("class", &before.class, &mut world.class),
        ("god", &before.god, &mut world.god),
    ] {
        match typed(name) {
            None => value.clone_from(old),
            Some(text) if !text.is_empty() => value.clone_from(text),
            Some(_) => {}
        }
    }
    Ok(world)
}

/// Draws the fields over the browser, except the filter, which the list draws.
pub(super) fn draw(state: &BrowserState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let Some(texts) = state.texts.as_ref().filter(|texts| texts.what != TypedText::Filter) else {
        return;
    };
    let labels = &texts.labels;
    let title = match texts.what {
        TypedText::Path => "Open a level file",
        _ => "The game's state, as vaults see it",
    };
    let height = labels.len() as u16 + 1 + ABOUT + 2;
    let inside = popup(editor.theme, title, WIDTH, height, screen, buf);
    let fields = labels.iter().zip(&texts.fields).enumerate();
    for (row, (i, ((label, _), field))) in inside.rows().zip(fields) {
        let row = after(row, 1);
        draw_field(theme, row, LABEL_WIDTH - 1, label, field, i == texts.at, buf);
    }
    let (about, style) = if texts.why.is_empty() {
        (labels[texts.at].1, theme.quiet())
    } else {
        (texts.why.as_str(), theme.error())
    };
    let [_, below] = with_head(shrunk(inside), labels.len() as u16 + 1);
    put_wrapped(about, below, style, buf);
}
