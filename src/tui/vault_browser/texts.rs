//! Text fields of the vault browser: the filter, the path of a level file, and the game's values.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::BrowserState;
use crate::tui::commands::BrowserCommand;
use crate::tui::dialog::expanded;
use crate::tui::editor::Editor;
use crate::tui::keymap::Context;
use crate::tui::widget::form::{draw_field, ring};
use crate::tui::widget::layout::with_head;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::popup::{after, popup, shrunk};
use crate::tui::widget::prompt::{TextField, TextKind};
use crate::tui::widget::text::put_wrapped;
use crate::vault::VaultWorld;

/// The game's values, with a description of what each accepts.
const VALUES: [(&str, &str); 5] = [
    ("place", "a branch and a level: D:5, Lair:2, Temple"),
    ("xl", "experience level, 1 to 27; empty: by depth"),
    ("race", "species, as you.race() returns it"),
    ("class", "background, as you.class() returns it"),
    ("god", "god, as you.god() returns it; No God for none"),
];

const WIDTH: u16 = 64;
const LABEL_WIDTH: u16 = 8;
/// Rows for the description of a field, or its error.
const ABOUT: u16 = 3;

/// The text being typed.
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
    /// The error that prevents applying them.
    why: String,
    /// The filter before typing began.
    before: String,
}

impl TypedTexts {
    fn new(what: TypedText, texts: Vec<String>) -> Self {
        Self {
            what,
            before: texts.first().cloned().unwrap_or_default(),
            fields: texts
                .into_iter()
                .map(|text| TextField::new(TextKind::Line, text))
                .collect(),
            at: 0,
            why: String::new(),
        }
    }

    /// Returns the field that receives the keys.
    pub(super) fn typing(&self) -> &TextField {
        &self.fields[self.at]
    }

    fn labels(&self) -> Vec<(&'static str, &'static str)> {
        match self.what {
            TypedText::Filter => Vec::new(),
            TypedText::Path => vec![("file", "path of a level file; ~/ is the home folder")],
            TypedText::Values => VALUES.to_vec(),
        }
    }
}

/// Opens the text fields of a command.
pub(super) fn begin(state: &mut BrowserState, command: BrowserCommand) {
    let texts = match command {
        BrowserCommand::Filter => TypedTexts::new(TypedText::Filter, vec![state.filter.clone()]),
        BrowserCommand::OpenFile => TypedTexts::new(TypedText::Path, vec![String::new()]),
        _ => {
            let world = &state.world;
            let usual = VaultWorld::on(world.level);
            let xl = if world.xl == usual.xl {
                String::new()
            } else {
                world.xl.to_string()
            };
            let texts = [&world.level.to_string(), &xl, &world.race, &world.class, &world.god];
            TypedTexts::new(TypedText::Values, texts.map(Clone::clone).to_vec())
        }
    };
    state.texts = Some(texts);
}

/// Passes a key to the active field. Returns whether it was consumed.
pub(in crate::tui) fn typed(state: &mut BrowserState, editor: &mut Editor, key: &KeyEvent) -> bool {
    if editor.keymap.find(&[Context::VaultText], key).is_some() {
        return false;
    }
    change(state, editor, |typing| typing.press(key))
}

/// Passes pasted text to the active field.
pub(in crate::tui) fn paste(state: &mut BrowserState, editor: &mut Editor, text: &str) {
    change(state, editor, |typing| {
        typing.paste(text);
        true
    });
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

/// Sets the filter; if the selected map does not pass, selects another and requests its rolls.
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

/// Moves to another field, or to another map while a filter is typed.
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
        TypedText::Values => parse_world(&fields).map(|world| {
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

/// Returns the world of the typed values, or an error message with the index of the invalid field.
fn parse_world(fields: &[String]) -> Result<VaultWorld, (String, usize)> {
    let [place, xl, race, class, god] = fields else {
        return Ok(VaultWorld::default());
    };
    let mut world = match place.as_str() {
        "" => VaultWorld::default(),
        place => VaultWorld::at(place).map_err(|error| (error.to_string(), 0))?,
    };
    if !xl.is_empty() {
        let levels = |xl: &u32| (1..=27).contains(xl);
        let wrong = || ("an experience level is 1 to 27".to_owned(), 1);
        world.xl = xl.parse().ok().filter(levels).ok_or_else(wrong)?;
    }
    for (text, value) in [
        (race, &mut world.race),
        (class, &mut world.class),
        (god, &mut world.god),
    ] {
        if !text.is_empty() {
            value.clone_from(text);
        }
    }
    Ok(world)
}

/// Draws the fields over the browser; the list draws the filter.
pub(super) fn draw(state: &BrowserState, editor: &Editor, screen: Rect, buf: &mut Buffer) {
    let theme = editor.theme;
    let Some(texts) = state.texts.as_ref().filter(|texts| texts.what != TypedText::Filter) else {
        return;
    };
    let labels = texts.labels();
    let title = match texts.what {
        TypedText::Path => "Open a level file",
        _ => "Values of the game for vaults",
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
