//! The entries of the palette: the actions that match the typed text, the best match first, and how each action can be
//! reached.

use super::{PaletteAction, PalettePlace, PaletteState, fuzzy};
use crate::tui::commands::Action;
use crate::tui::keymap::{Binding, Context, Keymap};

/// How an action can be reached from the current focus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tui) enum ActionReach {
    /// The action is available at the current focus.
    Here,
    /// The action is available after these actions, which move the focus.
    By(Vec<Action>),
    /// The action is unavailable now; contains the reason.
    Not(String),
}

/// An action in the list.
#[derive(Debug)]
pub(super) struct PaletteEntry {
    pub binding: &'static Binding,
    pub reach: ActionReach,
    /// The action's context in words; empty if the action is available everywhere.
    pub place: String,
    /// Indexes of the matched characters in the action's name.
    pub letters: Vec<usize>,
}

/// Returns the actions that match a text, the best match first. If the text is empty, returns recent actions, then
/// those shown in the footer, then those of the nearest contexts; unavailable actions come last.
pub(super) fn entries(state: &PaletteState, keymap: &Keymap, text: &str) -> Vec<PaletteEntry> {
    let mut found: Vec<(Rank, PaletteEntry)> = state
        .actions
        .iter()
        .enumerate()
        .filter_map(|(row, action)| {
            let (score, letters) = score(keymap, action, text)?;
            let (binding, reach) = (action.binding, action.reach.clone());
            let recent = state.recent.iter().position(|recent| std::ptr::eq(*recent, binding));
            let near = state.here.iter().position(|context| *context == binding.context);
            let rank = Rank {
                not: matches!(reach, ActionReach::Not(_)),
                score: -score,
                recent: recent.unwrap_or(usize::MAX),
                rare: !binding.foot,
                near: near.unwrap_or(usize::MAX),
                row,
            };
            let place = match binding.context {
                Context::Everywhere => String::new(),
                context => context.title().to_owned(),
            };
            let entry = PaletteEntry {
                binding,
                reach,
                place,
                letters,
            };
            Some((rank, entry))
        })
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    // Bindings with the same name and action are merged if they are reached in the same way, or if one of them is
    // available here and the other is not.
    let mut list: Vec<PaletteEntry> = Vec::with_capacity(found.len());
    for (_, entry) in found {
        let same = |other: &PaletteEntry| {
            other.binding.action == entry.binding.action
                && (other.reach == entry.reach
                    || (other.reach == ActionReach::Here) != (entry.reach == ActionReach::Here))
                && other.binding.name == entry.binding.name
        };
        if !list.iter().any(same) {
            list.push(entry);
        }
    }
    list
}

/// The sort key of an entry, with the most important field first. Smaller keys come first in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    not: bool,
    score: i32,
    recent: usize,
    rare: bool,
    near: usize,
    row: usize,
}

/// Returns how well an action matches a text, and which letters of the action's name match. Every word of the text
/// must match the name (which may have other letters between those of the word), equal a key, or begin a word of the
/// context's title or of the help text. A text that equals a synonym of the action scores highest. The beginning of a
/// synonym scores slightly less than the beginning of a word of the name.
fn score(keymap: &Keymap, action: &PaletteAction, text: &str) -> Option<(i32, Vec<usize>)> {
    const SYNONYM: i32 = 1000;
    const SYNONYM_START: i32 = 100;
    const LETTER: i32 = 6;
    let typed = text.trim().to_lowercase();
    let letters = typed.chars().count();
    let by_synonym = if action.synonyms.contains(&typed.as_str()) {
        Some(SYNONYM)
    } else {
        let starts = letters >= 3 && action.synonyms.iter().any(|word| word.starts_with(&typed));
        starts.then_some(SYNONYM_START + LETTER * letters as i32)
    };
    let by_words = words_score(keymap, action.binding, text);
    by_synonym
        .map(|score| (score, Vec::new()))
        .into_iter()
        .chain(by_words)
        .max_by_key(|(score, _)| *score)
}

/// Returns how well the words of a text match an action's name, keys, context and help text.
fn words_score(keymap: &Keymap, binding: &'static Binding, text: &str) -> Option<(i32, Vec<usize>)> {
    const NAME: i32 = 100;
    const KEY: i32 = 90;
    const PLACE: i32 = 50;
    const HELP: i32 = 20;
    let mut sum = 0;
    let mut letters = Vec::new();
    for word in text.split_whitespace() {
        let name = fuzzy::score(word, binding.name).filter(|(score, _)| *score > 0);
        let key = keymap.keys(binding).iter().any(|key| key.to_string() == word);
        let began = |sentence: &str| {
            let word = word.to_lowercase();
            let sentence = sentence.to_lowercase();
            let mut found = sentence.match_indices(&word);
            found.any(|(at, _)| !sentence[..at].ends_with(char::is_alphanumeric))
        };
        let score = [
            name.as_ref().map(|(score, _)| NAME + score),
            key.then_some(KEY + if word.chars().count() == 1 { NAME } else { 0 }),
            began(binding.context.title()).then_some(PLACE),
            began(binding.help).then_some(HELP),
        ];
        sum += score.into_iter().flatten().max()?;
        letters.extend(name.into_iter().flat_map(|(_, letters)| letters));
    }
    Some((sum, letters))
}

/// Returns how an action is reached. If the action has nothing to act on, `unavailable` contains the reason.
pub(in crate::tui) fn reach(place: &PalettePlace, unavailable: Option<&'static str>, binding: &Binding) -> ActionReach {
    if let Some(why) = unavailable {
        return ActionReach::Not(why.into());
    }
    let context = binding.context;
    if place.here.contains(&context) {
        return ActionReach::Here;
    }
    let focus = match context {
        Context::Everywhere => None,
        Context::Map => Some(Action::FocusMap),
        Context::Panels => Some(Action::FocusPanel(place.panel)),
        Context::Panel(panel) => Some(Action::FocusPanel(panel)),
        Context::Views => Some(Action::FocusView(place.view)),
        Context::View(view) => Some(Action::FocusView(view)),
        other => {
            let mut title = other.title().to_owned();
            title[..1].make_ascii_lowercase();
            return ActionReach::Not(format!("it is available {title}"));
        }
    };
    ActionReach::By(place.close.iter().copied().chain(focus).collect())
}
