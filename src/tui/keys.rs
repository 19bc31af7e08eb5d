//! The key table: every key the designer obeys, what it does and how help tells it.
//!
//! Each part of the screen lists its own bindings (`KEYS`); [`table`] puts them together. The program
//! looks keys up here, the help overlay, the palette and the line at the foot are written from here, and nobody
//! else names a key. The [`Keymap`] holds what the user changed of it.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::{self, Action};
use super::panels::Panel;
use super::views::View;
use super::{
    compare, dialog, export_dialog, files, import_dialog, map, metrics, palette, panels, player, seed_gallery, time,
    tools, tour, tuning, vault_browser, views,
};
use crate::settings::KeyChange;

/// Modifiers, and what stands for them before a key's name.
const MODIFIERS: [(KeyModifiers, &str); 3] = [
    (KeyModifiers::CONTROL, "Ctrl-"),
    (KeyModifiers::ALT, "Alt-"),
    (KeyModifiers::SHIFT, "Shift-"),
];

/// Keys that are no characters of their own: the name in the settings, and what help shows.
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

/// A key with its modifiers. Characters carry their Shift in themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// A key without modifiers.
    pub(super) const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::NONE,
        }
    }

    /// A character, as it is typed.
    pub(super) const fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    /// A character with Ctrl.
    pub(super) const fn ctrl(c: char) -> Self {
        Self {
            code: KeyCode::Char(c),
            modifiers: KeyModifiers::CONTROL,
        }
    }

    /// A key with Shift that is no character.
    pub(super) const fn shift(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::SHIFT,
        }
    }

    /// A character with Alt.
    pub(super) const fn alt(c: char) -> Self {
        Self {
            code: KeyCode::Char(c),
            modifiers: KeyModifiers::ALT,
        }
    }

    /// A key with Alt that is no character.
    pub(super) const fn alt_code(code: KeyCode) -> Self {
        Self {
            code,
            modifiers: KeyModifiers::ALT,
        }
    }

    /// Returns what the terminal sends for the key.
    #[cfg(test)]
    pub(super) const fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    /// The key of a name as [`Self::name`] gives it, or as help shows it; case tells only in single characters.
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
                // Terminals send the small letter.
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
        // A character has its Shift in itself; with Tab it is a key of its own.
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

    /// The key's name in the settings, in plain letters: `Ctrl-Up`.
    pub(super) fn name(self) -> String {
        let shown = self.to_string();
        let named = NAMES.iter().find(|(code, _, _)| *code == self.code);
        named.map_or(shown.clone(), |(_, name, sign)| {
            let modifiers = shown.strip_suffix(sign).unwrap_or_default();
            format!("{modifiers}{name}")
        })
    }

    /// Whether a key event is this key.
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
    /// While the map is drawn on.
    Tools,
    /// While any panel has the focus.
    Panels,
    /// While this panel has the focus.
    Panel(Panel),
    /// While any view has the focus.
    Views,
    /// While this view has the focus.
    View(View),
    /// While only a recording is played.
    Player,
    /// While a moment to go to is typed.
    Moment,
    /// While a message waits to be read.
    Alert,
    /// While a value is being typed.
    Typing,
    /// While it is asked where a generation is copied to.
    Copying,
    /// While a variation of the character is tried.
    Varying,
    /// Among the remedies.
    Remedies,
    /// While a character is searched for.
    Tuning,
    /// While something is typed for that search.
    TuneText,
    /// While the help overlay is open.
    Help,
    /// While words are typed that help is searched for.
    HelpSearch,
    /// While the command palette is open.
    Palette,
    /// During the tour.
    Tour,
    /// While unsaved changes are asked about.
    Leaving,
    /// While a change on both sides is asked about.
    Conflict,
    /// While it is asked whether to write over a file.
    Replacing,
    /// While it is asked whether to leave before exports are written.
    Unfinished,
    /// While something waits for the design to be saved.
    Saving,
    /// While something is chosen to be exported.
    Export,
    /// While the path of an export is typed.
    ExportPath,
    /// While it is chosen how a drawing is taken.
    Import,
    /// While a text is typed for that.
    ImportText,
    /// While something is told that must be read.
    Note,
    /// While paths are typed in the form for files.
    Form,
    /// While the list of presets is open.
    Presets,
    /// While work that a crash left unsaved is offered.
    Leftovers,
    /// While the browser of vaults is open.
    Vaults,
    /// While ten rolls of a vault are compared.
    Rolls,
    /// While something is typed in the browser of vaults.
    VaultText,
    /// While a vault is put in its place on the map.
    Placing,
    /// While the gallery of seeds is open.
    Gallery,
    /// While its condition is typed.
    SeedFilter,
    /// While its figure is chosen.
    FigureList,
    /// While two dungeons are compared.
    Compare,
}

impl Context {
    /// Its name in the settings: `map`, `rooms`, `vault-text`.
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

    /// Whether text is typed where it holds: a character is text there, and no key.
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

    /// The heading of its bindings in help.
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
    /// Where it holds.
    pub context: Context,
    /// What the action is called, in a word or two.
    pub name: &'static str,
    /// The keys that do it unless the user set others; without any, the palette and the mouse do it.
    pub keys: &'static [Key],
    /// What is done.
    pub action: Action,
    /// One sentence for help.
    pub help: &'static str,
    /// Whether the line at the foot shows it.
    pub foot: bool,
}

impl Binding {
    /// The action's name in the settings: `zoom-in`.
    pub(super) fn id(&self) -> String {
        dashed(self.name)
    }
}

/// A name in small letters, with dashes between its words.
fn dashed(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Rows of the key table, one a line: context, name, keys, action, whether it stands at the foot, help.
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

/// Every binding, in the order in which help shows them.
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

/// The keys in force: those of the table, but for the actions that were given others.
#[derive(Debug, Default)]
pub(super) struct Keymap {
    changed: Vec<(&'static Binding, Vec<Key>)>,
}

impl Keymap {
    /// The keys that settings ask for; what they name and nobody knows is left out.
    pub(super) fn with(changes: &[KeyChange]) -> Self {
        let row =
            |change: &KeyChange| table().find(|row| row.context.id() == change.context && row.id() == change.action);
        let keys = |change: &KeyChange| change.keys.iter().filter_map(|key| Key::parse(key)).collect();
        let rows = changes.iter().filter_map(|change| Some((row(change)?, keys(change))));
        Self {
            changed: rows.collect(),
        }
    }

    /// The keys that do what a row says.
    pub(super) fn keys(&self, binding: &'static Binding) -> &[Key] {
        let changed = self.changed.iter().find(|(row, _)| std::ptr::eq(*row, binding));
        changed.map_or(binding.keys, |(_, keys)| keys)
    }

    /// The same as a person reads them: `← h`.
    pub(super) fn text(&self, binding: &'static Binding) -> String {
        let keys = self.keys(binding).iter().map(ToString::to_string);
        keys.collect::<Vec<_>>().join(" ")
    }

    /// What a key does where the first of these contexts that knows it holds.
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
