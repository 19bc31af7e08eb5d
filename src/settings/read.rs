//! Reads settings from TOML.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::table::TABLE;
use super::vocabulary::{ActionName, Vocabulary, problem, unknown};
use super::{Colour, KeyChange, Settings};
use crate::design::{Diagnostic, Severity};
use crate::format::Text;
use crate::format::native::in_order;

/// Index of an action in the vocabulary, and the keys that the file sets for it, each with its byte range in the text.
type Set = (usize, Vec<(String, Range<usize>)>);

type Value<'i> = Spanned<DeValue<'i>>;

/// Parses settings. Missing and invalid entries get their defaults; invalid entries are reported with their position.
/// If the text is not valid TOML, the parts that can be parsed still take effect.
pub fn parse(text: &Text, vocabulary: &Vocabulary) -> (Settings, Vec<Diagnostic>) {
    let mut reader = Reader {
        text,
        vocabulary,
        settings: Settings::default(),
        set: Vec::new(),
        diagnostics: Vec::new(),
    };
    let problem = text.problem();
    if problem.is_none_or(|problem| problem.severity < Severity::Error) {
        reader.read();
        reader.resolve_key_conflicts();
    }
    reader.diagnostics.extend(problem.map(|problem| Diagnostic {
        severity: Severity::Warning,
        ..problem.clone()
    }));
    let place = |diagnostic: &Diagnostic| diagnostic.source.as_ref().map_or(0, |source| source.span.start);
    reader.diagnostics.sort_by_key(place);
    (reader.settings, reader.diagnostics)
}

struct Reader<'t> {
    text: &'t Text,
    vocabulary: &'t Vocabulary,
    settings: Settings,
    set: Vec<Set>,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn report(&mut self, diagnostic: Diagnostic, span: Range<usize>) {
        self.diagnostics.push(diagnostic.from_source(self.text.source(span)));
    }

    fn read(&mut self) {
        let (root, errors) = DeTable::parse_recoverable(self.text.content());
        for error in errors {
            let message = format!("this is not TOML: {}", error.message());
            let help = "fix the line; until then, it and the lines below it may have no effect";
            self.report(problem(message, help), error.span().unwrap_or(0..0));
        }
        for (name, span, value) in in_order(root.get_ref()) {
            let Some(table) = value.get_ref().as_table() else {
                let names = tables();
                let error = if names.contains(&name) {
                    problem(
                        format!("{name} must be a table"),
                        format!("write [{name}] on a line of its own"),
                    )
                } else {
                    let own = TABLE.iter().find(|row| row.key == name);
                    let help = own.map_or_else(
                        || format!("there is no such setting; the tables are {}", names.join(", ")),
                        |row| format!("write it below the line [{}]", row.table),
                    );
                    problem(format!("{name} is not in a table"), help)
                };
                self.report(error, span);
                continue;
            };
            match name {
                "colours" => self.read_colours(table),
                "keys" => self.read_keys(table),
                plain if TABLE.iter().any(|row| row.table == plain) => self.read_plain(plain, table),
                _ => self.report(unknown("table", name, tables()), span),
            }
        }
    }

    fn read_plain(&mut self, name: &str, table: &DeTable<'_>) {
        for (key, span, value) in in_order(table) {
            let rows = TABLE.iter().filter(|row| row.table == name);
            let Some(row) = rows.clone().find(|row| row.key == key) else {
                self.report(unknown("setting", key, rows.map(|row| row.key)), span);
                continue;
            };
            if !(row.set)(&mut self.settings, value.get_ref()) {
                let message = format!("invalid value for {name}.{key}; {} is used", (row.get)(&self.settings));
                self.report(problem(message, format!("write {}", row.takes)), value.span());
            }
        }
    }

    fn read_colours(&mut self, table: &DeTable<'_>) {
        for (name, span, value) in in_order(table) {
            let colours = &self.vocabulary.colours;
            let known = colours
                .iter()
                .find(|known| known.name == name || known.former == Some(name));
            let Some(known) = known else {
                let names = colours.iter().map(|colour| colour.name.as_str());
                let error = unknown("colour", name, names);
                self.report(error, span);
                continue;
            };
            if self.settings.colours.iter().any(|colour| colour.name == known.name) {
                self.report(already_set(&known.name), span);
            } else if let Some(rgb) = value.get_ref().as_str().and_then(rgb) {
                let name = known.name.clone();
                self.settings.colours.push(Colour { name, rgb });
            } else {
                let message = format!("invalid colour for {name}; the default is used");
                let error = problem(message, "write \"#rrggbb\" with six hexadecimal digits");
                self.report(error, value.span());
            }
        }
    }

    fn read_keys(&mut self, table: &DeTable<'_>) {
        let vocabulary = self.vocabulary;
        for (context, span, value) in in_order(table) {
            let actions = || {
                vocabulary
                    .actions
                    .iter()
                    .enumerate()
                    .filter(|(_, action)| action.is_in(context))
            };
            let Some(table) = value.get_ref().as_table().filter(|_| actions().next().is_some()) else {
                let mut contexts: Vec<&str> = vocabulary
                    .actions
                    .iter()
                    .map(|action| action.context.as_str())
                    .collect();
                contexts.dedup();
                let error = if contexts.contains(&context) {
                    let help = format!(
                        "write keys.{context}.ACTION = [\"…\"], or write [keys.{context}] and the actions on the lines \
                         below it"
                    );
                    problem(format!("{context} must be a table of actions"), help)
                } else {
                    unknown("key context", context, contexts)
                };
                self.report(error, span);
                continue;
            };
            for (name, span, value) in in_order(table) {
                let Some((number, action)) = actions().find(|(_, action)| action.is_called(name)) else {
                    let error = unknown("action", name, actions().map(|(_, action)| action.name.as_str()));
                    self.report(error, span);
                    continue;
                };
                if self.set.iter().any(|(set, _)| *set == number) {
                    self.report(already_set(&format!("keys.{}.{}", action.context, action.name)), span);
                    continue;
                }
                self.read_action(number, action, value);
            }
        }
    }

    /// Reads the keys of an action, written as a list of key names or as a single name.
    fn read_action(&mut self, number: usize, action: &ActionName, value: &Value<'_>) {
        let single = [value.clone()];
        let values: &[Value<'_>] = match value.get_ref() {
            DeValue::Array(values) => values,
            _ => &single,
        };
        let mut keys = Vec::new();
        for value in values {
            let name = value.get_ref().as_str();
            let key = name.and_then(|name| (self.vocabulary.key)(name));
            let bare = |key: &String| key == "Space" || key.chars().count() == 1;
            let wrong = match &key {
                None => problem(
                    "this is not a key".into(),
                    "write a character, or Enter, Space, Up, PageDown, F5 …; Ctrl- or Alt- may precede any key, and \
                     Shift- any key except characters and Space: write R, not Shift-r",
                ),
                Some(key) if action.amid_text && bare(key) => problem(
                    format!(
                        "`{key}` cannot be a key of {}, which must also work while you type text",
                        action.name
                    ),
                    "use a key with Ctrl- or Alt-, or one that is not a character",
                ),
                Some(key) => {
                    keys.push((key.clone(), value.span()));
                    continue;
                }
            };
            self.report(wrong, value.span());
        }
        if keys.is_empty() && (action.needed || !values.is_empty()) {
            if values.is_empty() {
                let message = format!("{} must have a key; the default is used", action.name);
                self.report(problem(message, "name at least one key"), value.span());
            }
            return;
        }
        self.set.push((number, keys));
    }

    /// Gives each key to at most one action of a context. If the file sets a key for several actions, the first of them
    /// keeps it. A key set in the file is no longer a default key of another action, unless that action must have a key
    /// and would lose its last one. If an action loses all the keys that the file sets for it, its default keys apply
    /// instead.
    fn resolve_key_conflicts(&mut self) {
        let vocabulary = self.vocabulary;
        let mut set: Vec<Set> = Vec::new();
        for (number, keys) in std::mem::take(&mut self.set) {
            let was_empty = keys.is_empty();
            let (lost, kept): (Vec<_>, Vec<_>) = keys
                .into_iter()
                .map(|key| (owner(vocabulary, &set, number, &key.0), key))
                .partition(|(owner, _)| owner.is_some());
            let kept: Vec<_> = kept.into_iter().map(|(_, key)| key).collect();
            let instead = if kept.is_empty() { "; the default is used" } else { "" };
            for (owner, (key, span)) in lost {
                let other = owner.map_or("", |(other, _)| vocabulary.actions[other].name.as_str());
                let message = format!("`{key}` is already set for {other} in the same context{instead}");
                self.report(problem(message, "set another key for one of the two actions"), span);
            }
            if was_empty || !kept.is_empty() {
                set.push((number, kept));
            }
        }
        let mut lost = lost_defaults(vocabulary, &set);
        // An action that must have a key, but has lost its last one, gets its default keys back. Another action can lose
        // all the keys that the file sets for it to this action; its own default keys then apply again. The file may
        // have set these for a third action, so all actions are checked again.
        while let Some(at) = lost
            .iter()
            .position(|lost| lost.rest.is_empty() && vocabulary.actions[lost.number].needed)
        {
            let number = lost[at].number;
            self.report_lost(lost.swap_remove(at));
            let action = &vocabulary.actions[number];
            set.retain_mut(|(other, keys)| {
                let before = keys.len();
                keys.retain(|(key, _)| {
                    vocabulary.actions[*other].context != action.context || !action.keys.contains(key)
                });
                keys.len() == before || !keys.is_empty()
            });
            lost = lost_defaults(vocabulary, &set);
        }
        let named = |number: usize, keys: Vec<String>| KeyChange {
            context: vocabulary.actions[number].context.clone(),
            action: vocabulary.actions[number].name.clone(),
            keys,
        };
        self.settings.keys = set
            .into_iter()
            .map(|(number, keys)| named(number, keys.into_iter().map(|(key, _)| key).collect()))
            .chain(lost.iter().map(|lost| named(lost.number, lost.rest.clone())))
            .collect();
        for lost in lost {
            self.report_lost(lost);
        }
    }

    /// Reports that an action loses default keys, or would lose them, because the file sets these keys for other
    /// actions of the same context.
    fn report_lost(&mut self, lost: LostDefaults) {
        let LostDefaults {
            number,
            rest,
            key,
            span,
        } = lost;
        let action = &self.vocabulary.actions[number];
        let outcome = if !rest.is_empty() {
            format!("keeps only {}", rest.join(" "))
        } else if action.needed {
            "must have a key and keeps this one".into()
        } else {
            "now has no key".into()
        };
        let none = if action.needed { "" } else { "; [] means no key" };
        let message = format!(
            "`{key}` is a default key of `{0}` in the same context; `{0}` {outcome}",
            action.name
        );
        let help = format!("set keys.{}.{} as well{none}", action.context, action.name);
        self.report(problem(message, help), span);
    }
}

/// An action that loses default keys, because the file sets these keys for other actions of the same context.
struct LostDefaults {
    /// Index of the action in the vocabulary.
    number: usize,
    /// The default keys that the action keeps.
    rest: Vec<String>,
    /// The first default key that the action loses.
    key: String,
    /// The byte range in the text where the file sets `key` for another action.
    span: Range<usize>,
}

/// Returns the actions that lose default keys because of the keys in `set`. Leaves out the actions in `set` themselves,
/// because their default keys are not in effect.
fn lost_defaults(vocabulary: &Vocabulary, set: &[Set]) -> Vec<LostDefaults> {
    let unset = vocabulary.actions.iter().enumerate();
    let unset = unset.filter(|(number, _)| set.iter().all(|(other, _)| other != number));
    let lost = unset.filter_map(|(number, action)| {
        let mut first = None;
        let mut rest = action.keys.clone();
        rest.retain(|key| {
            let Some((_, span)) = owner(vocabulary, set, number, key) else {
                return true;
            };
            first.get_or_insert((key.clone(), span));
            false
        });
        let (key, span) = first?;
        Some(LostDefaults {
            number,
            rest,
            key,
            span,
        })
    });
    lost.collect()
}

/// Returns the action for which `set` contains `key`, and the key's byte range in the text. Considers only actions in
/// the same context as the action `number`.
fn owner(vocabulary: &Vocabulary, set: &[Set], number: usize, key: &str) -> Option<(usize, Range<usize>)> {
    let context = &vocabulary.actions[number].context;
    set.iter()
        .filter(|(other, _)| vocabulary.actions[*other].context == *context)
        .find_map(|(other, keys)| Some((*other, keys.iter().find(|(own, _)| own == key)?.1.clone())))
}

/// Returns a warning about a colour or an action that an earlier line sets under another of its names. `name` is its
/// current name; for an action, this includes the table, since the table may have a former name as well.
fn already_set(name: &str) -> Diagnostic {
    let message = format!("{name} is already set under another name; this line has no effect");
    problem(
        message,
        format!("remove one of the two lines; the current name is {name}"),
    )
}

/// Returns the names of the tables that a settings file can contain.
pub(super) fn tables() -> Vec<&'static str> {
    let mut tables: Vec<&str> = TABLE.iter().map(|row| row.table).collect();
    tables.dedup();
    tables.extend(["colours", "keys"]);
    tables
}

/// Parses a colour written as `#rrggbb`.
fn rgb(text: &str) -> Option<[u8; 3]> {
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    // `from_str_radix` accepts a sign, which is invalid here.
    if digits.contains(['+', '-']) {
        return None;
    }
    Some([part(0)?, part(2)?, part(4)?])
}
