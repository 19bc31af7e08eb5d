//! The key table: every key of the designer, its action and its help text.
//!
//! Each submodule defines the bindings for one part of the screen; [`table`] joins them. Input handling looks keys up
//! in this table. The help overlay, the palette and the footer are generated from it. [`Keymap`] applies the key
//! changes from the user's settings.

mod binding;
mod compare;
mod dialogs;
mod everywhere;
mod export;
mod files;
mod import;
mod key;
mod map;
mod metrics;
mod panels;
pub(in crate::tui) mod playback;
mod player;
mod seed_gallery;
pub(in crate::tui) mod task;
#[cfg(test)]
mod texts;
mod time;
mod tools;
mod tuning;
mod vault_browser;
mod views;
mod walk;

use crossterm::event::KeyEvent;

pub(in crate::tui) use self::binding::{Binding, Context};
pub(in crate::tui) use self::key::Key;
use super::commands::Action;
use crate::settings::KeyChange;

/// Returns every binding, in the order in which help lists them.
pub(in crate::tui) fn table() -> impl Iterator<Item = &'static Binding> {
    [
        time::KEYS,
        time::MOMENT_KEYS,
        player::KEYS,
        everywhere::KEYS,
        files::KEYS,
        export::KEYS,
        import::KEYS,
        map::KEYS,
        map::LEGEND_KEYS,
        metrics::KEYS,
        walk::KEYS,
        map::PANE_KEYS,
        map::WALL_FREQUENCY_KEYS,
        tools::KEYS,
        panels::KEYS,
        views::KEYS,
        tuning::KEYS,
        vault_browser::KEYS,
        seed_gallery::KEYS,
        compare::KEYS,
        dialogs::HELP_KEYS,
        dialogs::ANSWER_KEYS,
        dialogs::FORM_KEYS,
        export::DIALOG_KEYS,
        import::DIALOG_KEYS,
        dialogs::NEW_KEYS,
        dialogs::OPEN_KEYS,
        dialogs::CHOOSE_KEYS,
        dialogs::RECOVER_KEYS,
        dialogs::PALETTE_KEYS,
        dialogs::TOUR_KEYS,
    ]
    .into_iter()
    .flatten()
}

/// The keys in effect: those of the table, with the user's changes applied.
#[derive(Debug, Default)]
pub(in crate::tui) struct Keymap {
    changed: Vec<(&'static Binding, Vec<Key>)>,
}

impl Keymap {
    /// Returns the keymap with the key changes from the settings; ignores unknown actions and keys.
    pub(in crate::tui) fn with(changes: &[KeyChange]) -> Self {
        let row =
            |change: &KeyChange| table().find(|row| row.context.id() == change.context && row.id() == change.action);
        let keys = |change: &KeyChange| change.keys.iter().filter_map(|key| Key::parse(key)).collect();
        let rows = changes.iter().filter_map(|change| Some((row(change)?, keys(change))));
        Self {
            changed: rows.collect(),
        }
    }

    /// Returns the keys of a binding.
    pub(in crate::tui) fn keys(&self, binding: &'static Binding) -> &[Key] {
        let changed = self.changed.iter().find(|(row, _)| std::ptr::eq(*row, binding));
        changed.map_or(binding.keys, |(_, keys)| keys)
    }

    /// Returns the keys of a binding as text for display, separated by spaces: `← h`.
    pub(in crate::tui) fn text(&self, binding: &'static Binding) -> String {
        let keys = self.keys(binding).iter().map(ToString::to_string);
        keys.collect::<Vec<_>>().join(" ")
    }

    /// Returns the first key of an action as text for display; `None` if the action has no key.
    pub(in crate::tui) fn first(&self, action: Action) -> Option<String> {
        let row = table().find(|row| row.action == action)?;
        self.keys(row).first().map(ToString::to_string)
    }

    /// Returns the first of an action's current keys, such as `G`, for use in a sentence. If the action has no key,
    /// returns words that refer to the action's entry in the palette instead. Use [`Self::key_in`] for an action that
    /// has bindings in several contexts.
    pub(in crate::tui) fn key_of(&self, action: Action) -> String {
        self.words(table().find(|row| row.action == action))
    }

    /// Like [`Self::key_of`], for the binding of an action in one context.
    pub(in crate::tui) fn key_in(&self, context: Context, action: Action) -> String {
        self.words(table().find(|row| row.context == context && row.action == action))
    }

    fn words(&self, row: Option<&'static Binding>) -> String {
        match row.map(|row| (row.name, self.keys(row).first())) {
            Some((_, Some(key))) => key.to_string(),
            Some((name, None)) => format!("`{name}` in the palette"),
            None => "the palette".to_owned(),
        }
    }

    /// Returns the action of a key event, in the first of the contexts that binds the key.
    pub(in crate::tui) fn find(&self, contexts: &[Context], event: &KeyEvent) -> Option<Action> {
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
    use crossterm::event::{KeyCode, KeyModifiers};

    use super::*;
    use crate::tui::commands::{
        BrowserCommand, CompareCommand, DialogCommand, ExportCommand, ImportCommand, PanelCommand, SearchedEvent,
        SeedGalleryCommand, TimeCommand, TuneCommand, ViewCommand,
    };
    use crate::tui::widget::list::ListStep;

    #[test]
    fn no_key_has_two_actions_in_one_context() {
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
    fn every_binding_has_help_and_can_be_pressed() {
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

    /// Returns the step by which an action moves the selection in a list; `None` for other actions.
    fn list_step(action: Action) -> Option<ListStep> {
        match action {
            Action::Dialog(DialogCommand::Select(step))
            | Action::Export(ExportCommand::Select(step))
            | Action::Import(ImportCommand::Select(step))
            | Action::Vaults(BrowserCommand::Select(step))
            | Action::Gallery(SeedGalleryCommand::Select(step) | SeedGalleryCommand::Field(step))
            | Action::Compare(CompareCommand::Metric(step))
            | Action::Panel(PanelCommand::Row(step))
            | Action::View(ViewCommand::Select(step))
            | Action::Tune(TuneCommand::Select(step)) => Some(step),
            _ => None,
        }
    }

    #[test]
    fn the_same_keys_move_in_every_list() {
        let mut lists: Vec<Context> = Vec::new();
        for row in table().filter(|row| list_step(row.action).is_some()) {
            if !lists.contains(&row.context) {
                lists.push(row.context);
            }
        }
        assert!(lists.len() >= 14, "{lists:?}");
        for context in lists {
            let step = |key: Key| {
                let event = KeyEvent::new(key.code, key.modifiers);
                Keymap::default().find(&[context], &event).and_then(list_step)
            };
            let expect = |code, expected| assert_eq!(step(Key::plain(code)), Some(expected), "{context:?} {code:?}");
            // In the comparison of two designs, the arrows move the cursor on the maps.
            if context != Context::Compare {
                expect(KeyCode::Down, ListStep::By(1));
                expect(KeyCode::Up, ListStep::By(-1));
            }
            // While a variation is tried, and while the user types into a form, only the arrows move the selection.
            let searches = matches!(
                context,
                Context::HelpSearch | Context::Palette | Context::Presets | Context::ChooseList
            );
            if context == Context::Varying || context.takes_text() && !searches {
                continue;
            }
            expect(KeyCode::PageDown, ListStep::Page(1));
            expect(KeyCode::PageUp, ListStep::Page(-1));
            // While the user types a search, Home and End move the cursor of the text field.
            if searches {
                continue;
            }
            expect(KeyCode::Home, ListStep::First);
            expect(KeyCode::End, ListStep::Last);
            // In the lists beside the map, g and G go to the start and the end of growth.
            let ends = [step(Key::char('g')), step(Key::char('G'))];
            let is_beside_the_map = matches!(
                context,
                Context::Panels
                    | Context::Views
                    | Context::Compare
                    | Context::Remedies
                    | Context::Tuning
                    | Context::Learning
            );
            let expected = if is_beside_the_map {
                [None, None]
            } else {
                [Some(ListStep::First), Some(ListStep::Last)]
            };
            assert_eq!(ends, expected, "{context:?}");
        }
    }

    #[test]
    fn every_action_has_a_unique_name_in_the_settings() {
        let mut seen = std::collections::BTreeSet::new();
        for row in table() {
            let name = format!("{}.{}", row.context.id(), row.id());
            assert!(name.chars().all(|c| c.is_alphanumeric() || "-.".contains(c)), "{name}");
            assert!(seen.insert(name.clone()), "{name} is two actions");
        }
    }

    #[test]
    fn no_character_is_a_key_while_text_is_typed() {
        for row in table().filter(|row| row.context.takes_text()) {
            let text = |key: &Key| matches!(key.code, KeyCode::Char(_)) && key.modifiers.is_empty();
            assert!(!row.keys.iter().any(text), "{row:?}");
        }
    }

    #[test]
    fn key_names_are_parsed_as_they_are_written() {
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
    fn a_lower_case_letter_with_shift_and_alt_is_the_capital_letter_with_alt() {
        let shift = KeyModifiers::SHIFT;
        let action = |modifiers| {
            let event = KeyEvent::new(KeyCode::Char('b'), modifiers);
            Keymap::default().find(&[Context::Everywhere], &event)
        };
        let birth = |forward| Some(Action::Time(TimeCommand::find(SearchedEvent::Birth, forward)));
        assert_eq!(action(KeyModifiers::ALT), birth(true));
        assert_eq!(action(KeyModifiers::ALT | shift), birth(false));
        // With Ctrl, Shift makes no difference.
        let event = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL | shift);
        assert!(Key::ctrl('s').matches(&event));
    }

    #[test]
    fn keys_are_displayed_in_readable_form() {
        let text = |key: Key| key.to_string();
        assert_eq!(text(Key::char(' ')), "Space");
        assert_eq!(text(Key::ctrl('s')), "Ctrl-S");
        assert_eq!(text(Key::shift(KeyCode::Left)), "Shift-←");
        assert_eq!(text(Key::alt('1')), "Alt-1");
        assert_eq!(text(Key::plain(KeyCode::F(5))), "F5");
    }
}
