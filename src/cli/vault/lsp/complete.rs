//! Completion: the names that may be written at a position.

use std::collections::BTreeSet;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionParams, CompletionTextEdit, TextEdit};

use super::place::{Part, byte_at, line, part_at, range, word_at};
use super::words;
use super::workspace::Workspace;
use crate::design::feature::Feature;
use crate::vault::lint;
use crate::vault::source::Keyword;
use crate::vault::spec::{Branch, MASKS, Orient, PROPS};

/// A proposed name, its kind, and a short description.
struct Candidate {
    name: String,
    kind: CompletionItemKind,
    detail: String,
}

/// Returns the names that may be written at a position. A chosen name replaces the word before the cursor; the editor
/// uses this word to filter the names.
pub(super) fn complete(workspace: &mut Workspace, params: &CompletionParams) -> Vec<CompletionItem> {
    let at = params.text_document_position.position;
    let Some(document) = workspace.document(&params.text_document_position.text_document.uri) else {
        return Vec::new();
    };
    let row = line(&document.text, at.line).to_owned();
    let end = byte_at(&row, at.character);
    let before = &row[..end];
    let part = part_at(&document.parsed, &document.text, at);
    let candidates = match part {
        Part::Row | Part::Other => Vec::new(),
        Part::Header => headers(),
        Part::Value(keyword) => values(workspace, keyword, before),
        Part::Lua if is_in_text(before) => in_text(workspace),
        Part::Lua => functions(workspace, before),
    };
    // Names consist of letters, digits and `_`; whether they also contain hyphens or spaces depends on the position.
    let has_hyphens = part != Part::Lua || is_in_text(before);
    let has_spaces = matches!(part, Part::Value(keyword) if is_thing(keyword));
    let is_part = |letter: char| {
        letter.is_alphanumeric() || letter == '_' || (letter == '-' && has_hyphens) || (letter == ' ' && has_spaces)
    };
    let start = before.trim_end_matches(is_part).len();
    // A name may contain spaces, but does not begin with a space.
    let start = end - before[start..].trim_start().len();
    let start = start + name_start(&before[start..], &candidates);
    let replaced = range(at.line, &row, start..end);
    let items = candidates.into_iter().map(|candidate| CompletionItem {
        kind: Some(candidate.kind),
        detail: Some(candidate.detail).filter(|detail| !detail.is_empty()),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(
            replaced,
            candidate.name.clone(),
        ))),
        label: candidate.name,
        ..CompletionItem::default()
    });
    items.collect()
}

/// Returns the index in `words` at which the name being typed begins. The words before it, such as a weight or
/// `generate_awake`, do not belong to the name.
fn name_start(words: &str, candidates: &[Candidate]) -> usize {
    let after_spaces = words.match_indices(' ').map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(after_spaces).collect();
    let begins_name = |start: &usize| {
        let typed = words[*start..].to_lowercase().replace('_', " ");
        candidates.iter().any(|candidate| candidate.name.starts_with(&typed))
    };
    let found = starts.iter().find(|start| begins_name(start));
    found.or(starts.last()).copied().unwrap_or_default()
}

/// Returns whether the value of a header consists of monsters or items, whose names may contain spaces.
fn is_thing(keyword: Keyword) -> bool {
    matches!(keyword.call(), "mons" | "kmons" | "item" | "kitem")
}

/// Returns whether a position is inside a Lua string. `before` is the text of the line up to the position.
fn is_in_text(before: &str) -> bool {
    let mut quote = None;
    let mut letters = before.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            _ => {}
        }
    }
    quote.is_some()
}

fn candidate(name: &str, kind: CompletionItemKind, detail: &str) -> Candidate {
    Candidate {
        name: name.to_owned(),
        kind,
        detail: detail.to_owned(),
    }
}

/// Returns candidates without descriptions.
fn plain<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Candidate> {
    let names = names.into_iter();
    names
        .map(|name| candidate(name, CompletionItemKind::VALUE, ""))
        .collect()
}

/// Returns all statements and headers with their meanings.
fn headers() -> Vec<Candidate> {
    let statements = words::STATEMENTS.iter().map(|(name, meaning)| {
        let has_value = matches!(*name, "NAME" | "default-depth");
        let colon = if has_value { ":" } else { "" };
        candidate(&format!("{name}{colon}"), CompletionItemKind::KEYWORD, meaning)
    });
    let headers = Keyword::all().map(|keyword| {
        let name = format!("{}:", keyword.name());
        candidate(&name, CompletionItemKind::KEYWORD, words::meaning(keyword))
    });
    statements.chain(headers).collect()
}

/// Returns the names that the value of a header may contain.
fn values(workspace: &mut Workspace, keyword: Keyword, before: &str) -> Vec<Candidate> {
    match keyword.call() {
        "marker" if is_in_text(before) => in_text(workspace),
        "kfeat" => features(),
        "marker" => features().into_iter().chain(bare_functions()).collect(),
        "depth" | "place" | "weight" | "chance" => {
            let branches = Branch::all();
            let named =
                branches.map(|branch| candidate(branch.name(), CompletionItemKind::ENUM_MEMBER, branch.long_name()));
            named.collect()
        }
        "orient" => plain(Orient::all().map(Orient::name)),
        "kmask" => plain(MASKS),
        "kprop" => plain(PROPS),
        "colour" | "lfloorcol" | "lrockcol" => plain(lint::colours()),
        "tags" => {
            let mut all: BTreeSet<String> = lint::flags().map(str::to_owned).collect();
            all.extend(tags(workspace));
            plain(all.iter().map(String::as_str))
        }
        "subvault" => plain(tags(workspace).iter().map(String::as_str)),
        "mons" | "kmons" => {
            let known = workspace.names().into_iter().flat_map(|names| &names.monsters);
            plain(known.map(String::as_str))
        }
        "item" | "kitem" => {
            let known = workspace.names().into_iter().flat_map(|names| &names.items);
            plain(known.map(String::as_str))
        }
        "tile" | "ftile" | "rtile" | "lfloortile" | "lrocktile" => {
            let known = workspace.names().into_iter().flat_map(|names| &names.tiles);
            plain(known.map(String::as_str))
        }
        _ => Vec::new(),
    }
}

fn features() -> Vec<Candidate> {
    let feature = |feature: Feature| candidate(feature.name(), CompletionItemKind::ENUM_MEMBER, feature.class().name());
    Feature::all().map(feature).collect()
}

/// Returns the names that a Lua string may contain: tags and maps of level files, and features.
fn in_text(workspace: &mut Workspace) -> Vec<Candidate> {
    let mut all = tags(workspace);
    for (_, document) in workspace.documents() {
        all.extend(document.parsed.maps.iter().map(|map| map.name.clone()));
    }
    let mut named = plain(all.iter().map(String::as_str));
    named.extend(features());
    named
}

/// Returns the tags of all maps, from their headers.
fn tags(workspace: &Workspace) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (_, document) in workspace.documents() {
        let values = document.parsed.maps.iter().flat_map(|map| map.values("TAGS"));
        let words = values.flat_map(|value| value.split(u8::is_ascii_whitespace));
        let words = words.filter_map(|word| std::str::from_utf8(word).ok());
        all.extend(words.filter(|word| !word.is_empty()).map(str::to_owned));
    }
    all
}

fn bare_functions() -> impl Iterator<Item = Candidate> {
    words::bare_functions().map(|(name, text)| candidate(name, CompletionItemKind::FUNCTION, text))
}

/// Returns the names that Lua code can use at the cursor: after a module name and a dot, the functions of that module;
/// otherwise, all modules and the functions that need no module.
fn functions(workspace: &mut Workspace, before: &str) -> Vec<Candidate> {
    let typed = before.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    let Some(rest) = typed.strip_suffix('.') else {
        let modules = words::MODULES.iter();
        let modules = modules.map(|(name, text)| candidate(name, CompletionItemKind::MODULE, text));
        return modules.chain(bare_functions()).collect();
    };
    let module = word_at(rest, rest.len(), "").to_owned();
    let Some(loaded) = workspace.loaded() else {
        return Vec::new();
    };
    let functions = loaded.runtime.functions(&module).into_iter();
    let candidates = functions.map(|name| {
        let meaning = words::function(&format!("{module}.{name}")).map_or("", |(_, meaning)| meaning);
        candidate(&name, CompletionItemKind::FUNCTION, meaning)
    });
    candidates.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_apostrophe_in_a_string_begins_no_string() {
        for (before, is_inside) in [
            (r#"crawl.mpr("it's") you.de"#, false),
            (r#"crawl.mpr("it's"#, true),
            (r#"crawl.mpr('say "no"') you.de"#, false),
            (r#"crawl.mpr("a \" b"#, true),
            (r"crawl.mpr('it\'s') you.de", false),
        ] {
            assert_eq!(is_in_text(before), is_inside, "{before}");
        }
    }
}
