//! The key table: every key of the designer, its action and its help text.
//!
//! Each part of the screen lists its own bindings (`KEYS`); [`table`] joins them. Input handling looks keys up here;
//! the help overlay, the palette and the footer are generated from the table, and no other code names a key. The
//! [`Keymap`] holds the user's changes.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::{self, Action};
use super::tabs::Panel;
use super::tabs::View;
use super::{
    compare, dialog, export_dialog, files, import_dialog, map, metrics, palette, panels, player, seed_gallery, time,
    tools, tour, tuning, vault_browser, views,
};
use crate::settings::KeyChange;

/// Modifiers, and their prefixes in a key's name.
const MODIFIERS: [(KeyModifiers, &str); 3] = [
    (KeyModifiers::CONTROL, "Ctrl-"),
    (KeyModifiers::ALT, "Alt-"),
    (KeyModifiers::SHIFT, "Shift-"),
];

/// Keys that are not printable characters: the key, its name in the settings and its text in help.
const NAMES: [(KeyCode, &str, &str); 16] = [
    (KeyCode::Char(' '), "Space", "Space"),
    (KeyCode::Enter, "Enter", "Enter"),
    (KeyCode::Esc, "Esc", "Esc"),
    (KeyCode::Tab, "Tab", "Tab"),
    (KeyCode::BackTab, "Shift-Tab", "Shift-Tab"),
    (KeyCode::Backspace, "Backspace", "Backspace"),
    (KeyCode::Up, "Up", "↑"),
    (KeyCode::Down, "Down", "↓"),
    (KeyCode::Left, "Left", "←"),
    (KeyCode::Right, "Right", "→"),
    (KeyCode::Home, "Home", "Home"),
    (KeyCode::End, "End", "End"),
    (KeyCode::PageUp, "PageUp", "PgUp"),
    (KeyCode::PageDown, "PageDown", "PgDn"),
    (KeyCode::Delete, "Delete", "Del"),
    (KeyCode::Insert, "Insert", "Ins"),
];

/// A key with its modifiers. Characters include their Shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// Returns a key without modifiers.
    pub(super) const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::NONE,
        }
    }

    /// Returns the key of a character as typed.
    pub(super) const fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    /// Returns a character with Ctrl.
    pub(super) const fn ctrl(c: char) -> Self {
        Self {
            code: KeyCode::Char(c),
            modifiers: KeyModifiers::CONTROL,
        }
    }

    /// Returns a key with Shift; not for characters.
    pub(super) const fn shift(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::SHIFT,
        }
    }

    /// Returns a character with Alt.
    pub(super) const fn alt(c: char) -> Self {
        Self {
            code: KeyCode::Char(c),
            modifiers: KeyModifiers::ALT,
        }
    }

    /// Returns a key with Alt; not for characters.
    pub(super) const fn alt_code(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::ALT,
        }
    }

    /// Returns the event that the terminal sends for the key.
    #[cfg(test)]
    pub(super) const fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    /// Parses a key's name as [`Self::name`] writes it or as help shows it. Case matters only in single characters.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        'more: loop {
            for (modifier, prefix) in MODIFIERS {
                if let Some((head, tail)) = rest.split_at_checked(prefix.len())
                    && head.eq_ignore_ascii_case(prefix)
                    && !tail.is_empty()
                {
                    modifiers |= modifier;
                    rest = tail;
                    continue 'more;
                }
            }
            break;
        }
        let mut characters = rest.chars();
        let code = if let (Some(c), None) = (characters.next(), characters.next()) {
            match NAMES.iter().find(|(_, _, shown)| shown.starts_with(c)) {
                Some((code, _, _)) if !c.is_ascii() => *code,
                _ if c.is_control() || c == ' ' => return None,
                // Terminals send the lower-case letter.
                _ if modifiers.contains(KeyModifiers::CONTROL) => KeyCode::Char(c.to_ascii_lowercase()),
                _ => KeyCode::Char(c),
            }
        } else {
            let is = |name: &str| name.eq_ignore_ascii_case(rest);
            let function = || {
                let number = rest.strip_prefix(['F', 'f'])?.parse().ok()?;
                (1..=24).contains(&number).then_some(KeyCode::F(number))
            };
            let found = NAMES.iter().find(|(_, name, shown)| is(name) || is(shown));
            found.map(|(code, _, _)| *code).or_else(function)?
        };
        // A character includes its Shift; Shift-Tab is a key of its own.
        if modifiers.contains(KeyModifiers::SHIFT) {
            match code {
                KeyCode::Char(_) => return None,
                KeyCode::Tab | KeyCode::BackTab => {
                    modifiers.remove(KeyModifiers::SHIFT);
                    return Some(Self {
                        code: KeyCode::BackTab,
                        modifiers,
                    });
                }
                _ => {}
            }
        }
        Some(Self { code, modifiers })
    }

    /// Returns the key's name in the settings, in plain letters: `Ctrl-Up`.
    pub(super) fn name(self) -> String {
        let shown = self.to_string();
        let named = NAMES.iter().find(|(code, _, _)| *code == self.code);
        named.map_or(shown.clone(), |(_, name, sign)| {
            let modifiers = shown.strip_suffix(sign).unwrap_or_default();
            format!("{modifiers}{name}")
        })
    }

    /// Returns whether a key event is this key.
    pub(super) fn matches(self, event: &KeyEvent) -> bool {
        let relevant = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        let mut modifiers = event.modifiers & relevant;
        // Terminals disagree on whether a capital letter or a back tab comes with Shift.
        if matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab) {
            modifiers.remove(KeyModifiers::SHIFT);
        }
        self.code == event.code && self.modifiers == modifiers
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for (modifier, prefix) in MODIFIERS {
            if self.modifiers.contains(modifier) {
                name.push_str(prefix);
            }
        }
        let key = match self.code {
            KeyCode::Char(c) if c != ' ' && self.modifiers.contains(KeyModifiers::CONTROL) => {
                c.to_uppercase().to_string()
            }
            KeyCode::Char(c) if c != ' ' => c.to_string(),
            KeyCode::F(n) => format!("F{n}"),
            code => match NAMES.iter().find(|(named, _, _)| *named == code) {
                Some((_, _, shown)) => (*shown).to_owned(),
                None => format!("{code:?}"),
            },
        };
        name.push_str(&key);
        f.pad(&name)
    }
}

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// Wherever no dialog is open and no text is being typed.
    Everywhere,
    /// While the map has the focus.
    Map,
    /// While the tools draw on the map.
    Tools,
    /// While any panel has the focus.
    Panels,
    /// While this panel has the focus.
    Panel(Panel),
    /// While any view has the focus.
    Views,
    /// While this view has the focus.
    View(View),
    /// While the app is only a player.
    Player,
    /// While the user types a moment to seek to.
    Moment,
    /// While a message waits to be dismissed.
    Alert,
    /// While the user types a value.
    Typing,
    /// While the designer asks where to copy a generation to.
    Copying,
    /// While the user tries a variation of the character.
    Varying,
    /// While the list of remedies is open.
    Remedies,
    /// While the search for a character is open.
    Tuning,
    /// While the user types text for that search.
    TuneText,
    /// While the help overlay is open.
    Help,
    /// While the user types words to search help for.
    HelpSearch,
    /// While the command palette is open.
    Palette,
    /// During the tour.
    Tour,
    /// While the designer asks about unsaved changes.
    Leaving,
    /// While the designer asks about a conflict between the file and the open design.
    Conflict,
    /// While the designer asks whether to overwrite a file.
    Replacing,
    /// While the designer asks whether to quit before exports are written.
    Unfinished,
    /// While an action waits for the design to be saved.
    Saving,
    /// While the export dialog is open.
    Export,
    /// While the user types the path of an export.
    ExportPath,
    /// While the import dialog is open.
    Import,
    /// While the user types text in the import dialog.
    ImportText,
    /// While a note is shown that must be read.
    Note,
    /// While the user types paths in the form for files.
    Form,
    /// While the list of presets is open.
    Presets,
    /// While work that a crash left unsaved is offered.
    Leftovers,
    /// While the vault browser is open.
    Vaults,
    /// While ten rolls of a vault are compared.
    Rolls,
    /// While the user types text in the vault browser.
    VaultText,
    /// While the user places a vault on the map.
    Placing,
    /// While the seed gallery is open.
    Gallery,
    /// While the user types a condition of the seed gallery.
    SeedFilter,
    /// While the user chooses a metric of the seed gallery.
    FigureList,
    /// While two dungeons are compared.
    Compare,
}

impl Context {
    /// Returns the context's name in the settings: `map`, `rooms`, `vault-text`.
    pub(super) fn id(self) -> String {
        match self {
            Self::Panel(panel) => dashed(panel.title()),
            Self::View(view) => dashed(view.title()),
            other => {
                let name = format!("{other:?}");
                let mut id = String::new();
                for c in name.chars() {
                    if c.is_uppercase() && !id.is_empty() {
                        id.push('-');
                    }
                    id.extend(c.to_lowercase());
                }
                id
            }
        }
    }

    /// Returns whether the user types text in this context: a character is text there, not a key.
    pub(super) const fn takes_text(self) -> bool {
        matches!(
            self,
            Self::Typing
                | Self::Palette
                | Self::Form
                | Self::Moment
                | Self::ExportPath
                | Self::ImportText
                | Self::Presets
                | Self::VaultText
                | Self::SeedFilter
                | Self::HelpSearch
        )
    }

    /// Returns the heading of the context's bindings in help.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "Everywhere",
            Self::Map => "On the map",
            Self::Tools => "While drawing on the map",
            Self::Panels => "In every panel",
            Self::Panel(panel) => panel.title(),
            Self::Views => "In every view",
            Self::View(view) => view.title(),
            Self::Player => "In the player",
            Self::Moment => "When a moment to go to is typed",
            Self::Alert => "While a message waits to be read",
            Self::Typing => "While a value is typed",
            Self::Copying => "While a generation is copied",
            Self::Varying => "While a variation is tried",
            Self::Remedies => "Among the remedies",
            Self::Tuning => "While a character is searched for",
            Self::TuneText => "While something is typed for that search",
            Self::Help => "In this help",
            Self::HelpSearch => "While help is searched",
            Self::Palette => "In the command palette",
            Self::Tour => "During the tour",
            Self::Leaving => "When changes are unsaved",
            Self::Conflict => "When a file changed on both sides",
            Self::Replacing => "Before a file is written over",
            Self::Unfinished => "When an export is not written yet",
            Self::Saving => "While something waits for a saving",
            Self::Export => "When something is exported",
            Self::ExportPath => "While the path of an export is typed",
            Self::Import => "When a drawing is imported",
            Self::ImportText => "While it is typed what is wall in it",
            Self::Note => "When something is told",
            Self::Form => "When files are named",
            Self::Presets => "When a design is chosen",
            Self::Leftovers => "When unsaved work was left behind",
            Self::Vaults => "In the browser of vaults",
            Self::Rolls => "While ten rolls of a vault are compared",
            Self::VaultText => "While something is typed in the browser of vaults",
            Self::Placing => "While a vault is put in its place",
            Self::Gallery => "In the gallery of seeds",
            Self::SeedFilter => "While the gallery's condition is typed",
            Self::Compare => "While two are compared",
            Self::FigureList => "While the gallery's figure is chosen",
        }
    }
}

/// A row of the key table.
#[derive(Debug)]
pub(super) struct Binding {
    /// Where the binding holds.
    pub context: Context,
    /// Name of the action, a word or two.
    pub name: &'static str,
    /// The default keys. An action without keys is in the palette or on the mouse.
    pub keys: &'static [Key],
    /// The action.
    pub action: Action,
    /// One sentence for help.
    pub help: &'static str,
    /// Whether the footer shows it.
    pub foot: bool,
}

impl Binding {
    /// Returns the action's name in the settings: `zoom-in`.
    pub(super) fn id(&self) -> String {
        dashed(self.name)
    }
}

/// Returns a name in lower case, with dashes between its words.
fn dashed(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Rows of the key table, one per line: context, name, keys, action, whether the footer shows it, help.
macro_rules! bindings {
    ($($context:expr, $name:literal, [$($key:expr),*], $action:expr, $foot:literal, $help:literal;)*) => {
        &[$($crate::tui::keys::Binding {
            context: $context,
            name: $name,
            keys: &[$($key),*],
            action: $action,
            help: $help,
            foot: $foot,
        }),*]
    };
}
pub(super) use bindings;

/// Returns every binding, in the order of help.
pub(super) fn table() -> impl Iterator<Item = &'static Binding> {
    time::KEYS
        .iter()
        .chain(time::MOMENT_KEYS)
        .chain(player::KEYS)
        .chain(action::KEYS)
        .chain(files::KEYS)
        .chain(export_dialog::KEYS)
        .chain(import_dialog::KEYS)
        .chain(map::KEYS)
        .chain(map::LEGEND_KEYS)
        .chain(metrics::KEYS)
        .chain(map::LUCK_KEYS)
        .chain(tools::KEYS)
        .chain(panels::KEYS)
        .chain(views::KEYS)
        .chain(tuning::KEYS)
        .chain(vault_browser::KEYS)
        .chain(seed_gallery::KEYS)
        .chain(compare::KEYS)
        .chain(dialog::KEYS)
        .chain(dialog::ANSWERS)
        .chain(dialog::FORM_KEYS)
        .chain(export_dialog::DIALOG_KEYS)
        .chain(import_dialog::DIALOG_KEYS)
        .chain(dialog::PRESET_KEYS)
        .chain(dialog::LEFTOVER_KEYS)
        .chain(palette::KEYS)
        .chain(tour::KEYS)
}

/// The keys in force: those of the table, and the user's changes.
#[derive(Debug, Default)]
pub(super) struct Keymap {
    changed: Vec<(&'static Binding, Vec<Key>)>,
}

impl Keymap {
    /// Applies the changes of the settings; ignores unknown actions and keys.
    pub(super) fn with(changes: &[KeyChange]) -> Self {
        let row =
            |change: &KeyChange| table().find(|row| row.context.id() == change.context && row.id() == change.action);
        let keys = |change: &KeyChange| change.keys.iter().filter_map(|key| Key::parse(key)).collect();
        let rows = changes.iter().filter_map(|change| Some((row(change)?, keys(change))));
        Self {
            changed: rows.collect(),
        }
    }

    /// Returns the keys of a binding.
    pub(super) fn keys(&self, binding: &'static Binding) -> &[Key] {
        let changed = self.changed.iter().find(|(row, _)| std::ptr::eq(*row, binding));
        changed.map_or(binding.keys, |(_, keys)| keys)
    }

    /// Returns the keys of a binding as text for people: `← h`.
    pub(super) fn text(&self, binding: &'static Binding) -> String {
        let keys = self.keys(binding).iter().map(ToString::to_string);
        keys.collect::<Vec<_>>().join(" ")
    }

    /// Returns a binding's first key as text, its name and its action, for a button.
    pub(super) fn button(&self, binding: &'static Binding) -> (String, &'static str, Action) {
        let key = self.keys(binding).first().map(ToString::to_string);
        (key.unwrap_or_default(), binding.name, binding.action)
    }

    /// Returns the action of a key in the first of these contexts that has it.
    pub(super) fn find(&self, contexts: &[Context], event: &KeyEvent) -> Option<Action> {
        contexts.iter().find_map(|context| {
            table()
                .filter(|binding| binding.context == *context)
                .find(|binding| self.keys(binding).iter().any(|key| key.matches(event)))
                .map(|binding| binding.action)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_place() {
        let all: Vec<_> = table().flat_map(|b| b.keys.iter().map(move |key| (b, *key))).collect();
        for (i, (a, key)) in all.iter().enumerate() {
            for (b, other) in &all[i + 1..] {
                assert!(
                    a.context != b.context || key != other,
                    "{key} is both {} and {}",
                    a.name,
                    b.name
                );
            }
        }
    }

    #[test]
    fn every_binding_is_told_and_can_be_pressed() {
        for binding in table() {
            assert!(!binding.name.is_empty() && binding.help.len() > 10, "{binding:?}");
            for key in binding.keys {
                let event = KeyEvent::new(key.code, key.modifiers);
                assert_eq!(
                    Keymap::default().find(&[binding.context], &event),
                    Some(binding.action),
                    "{key}"
                );
            }
        }
    }

    #[test]
    fn every_action_has_a_name_of_its_own_in_the_settings() {
        let mut seen = std::collections::BTreeSet::new();
        for row in table() {
            let name = format!("{}.{}", row.context.id(), row.id());
            assert!(name.chars().all(|c| c.is_alphanumeric() || "-.".contains(c)), "{name}");
            assert!(seen.insert(name.clone()), "{name} is two actions");
        }
    }

    #[test]
    fn no_key_stands_where_it_would_be_text() {
        for row in table().filter(|row| row.context.takes_text()) {
            let text = |key: &Key| matches!(key.code, KeyCode::Char(_)) && key.modifiers.is_empty();
            assert!(!row.keys.iter().any(text), "{row:?}");
        }
    }

    #[test]
    fn keys_are_read_as_they_are_written() {
        for key in table().flat_map(|row| row.keys) {
            assert_eq!(Key::parse(&key.to_string()), Some(*key), "{key}");
            assert_eq!(Key::parse(&key.name()), Some(*key), "{}", key.name());
            assert!(key.name().is_ascii(), "{}", key.name());
        }
        assert_eq!(Key::parse("ctrl-UP").map(|key| key.to_string()), Some("Ctrl-↑".into()));
        assert_eq!(Key::parse("Ctrl-s"), Key::parse("Ctrl-S"));
        assert_ne!(Key::parse("s"), Key::parse("S"));
        assert_eq!(Key::parse("Shift-Tab"), Some(Key::plain(KeyCode::BackTab)));
        assert_eq!(Key::parse("-"), Some(Key::char('-')));
        assert_eq!(Key::parse("Ctrl--").map(Key::name), Some("Ctrl--".into()));
        for none in ["", " ", "Shift-s", "Ctrl-", "F0", "F99", "Nowhere", "ab", "Ctrl-Alt"] {
            assert_eq!(Key::parse(none), None, "{none:?}");
        }
    }

    #[test]
    fn keys_are_written_as_people_say_them() {
        let text = |key: Key| key.to_string();
        assert_eq!(text(Key::char(' ')), "Space");
        assert_eq!(text(Key::ctrl('s')), "Ctrl-S");
        assert_eq!(text(Key::shift(KeyCode::Left)), "Shift-←");
        assert_eq!(text(Key::alt('1')), "Alt-1");
        assert_eq!(text(Key::plain(KeyCode::F(5))), "F5");
    }
}
