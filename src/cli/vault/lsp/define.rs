//! Go to definition: finds functions and maps by name, and maps by tag.

use std::ops::Range;
use std::sync::Arc;

use lsp_types::{GotoDefinitionParams, Location};

use super::place::{Part, byte_at, line, part_at, range, word_at};
use super::workspace::Workspace;
use crate::vault::MapId;

/// Returns the places that define the word at a position: functions with this name, otherwise the map with this name,
/// otherwise the maps with this tag.
pub(super) fn define(workspace: &mut Workspace, params: &GotoDefinitionParams) -> Vec<Location> {
    let at = params.text_document_position_params.position;
    let uri = &params.text_document_position_params.text_document.uri;
    let Some(document) = workspace.document(uri) else {
        return Vec::new();
    };
    let row = line(&document.text, at.line);
    let part = part_at(&document.parsed, &document.text, at);
    if part == Part::Row {
        return Vec::new();
    }
    let byte = byte_at(row, at.character);
    // A tag may contain hyphens, but in Lua a hyphen is a minus sign; so try the word with hyphens, then without.
    let words = [word_at(row, byte, "-").to_owned(), word_at(row, byte, "").to_owned()];
    words
        .iter()
        .map(|word| definitions(workspace, word))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

fn definitions(workspace: &mut Workspace, word: &str) -> Vec<Location> {
    if word.is_empty() {
        return Vec::new();
    }
    let functions = functions(workspace, word);
    if !functions.is_empty() {
        return functions;
    }
    let tagged = workspace.tagged(word);
    let Some(loaded) = workspace.loaded() else {
        return Vec::new();
    };
    let library = Arc::clone(loaded.runtime.library());
    let maps: Vec<MapId> = library.by_name(word).map_or(tagged, |map| vec![map]);
    let places = maps.into_iter().filter_map(|map| workspace.place_of(&library, map));
    places.map(|(uri, range)| Location::new(uri, range)).collect()
}

/// Returns the places where Lua defines a function of this name.
fn functions(workspace: &Workspace, name: &str) -> Vec<Location> {
    let mut found = Vec::new();
    for (uri, document) in workspace.documents() {
        for (number, line) in document.text.lines().enumerate() {
            if let Some(head) = defined(line).filter(|head| line[head.clone()].rsplit(['.', ':']).next() == Some(name))
            {
                found.push(Location::new(uri.clone(), range(number as u32, line, head)));
            }
        }
    }
    found
}

/// Returns the byte range of the name of the function that a line defines: `function name(…)` or `name = function(…)`.
/// Comments of level files (`#`) and of Lua (`--`) define nothing.
fn defined(line: &str) -> Option<Range<usize>> {
    const WORD: &str = "function";
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let is_word = |at: &usize| !line[..*at].ends_with(is_part) && !line[at + WORD.len()..].starts_with(is_part);
    let at = line.match_indices(WORD).map(|(at, _)| at).find(is_word)?;
    if line.trim_start().starts_with('#') || line[..at].contains("--") {
        return None;
    }
    let after = &line[at + WORD.len()..];
    let start = line.len() - after.trim_start().len();
    let name = line[start..].split('(').next().unwrap_or_default().trim_end();
    if !name.is_empty() {
        return Some(start..start + name.len());
    }
    let before = line[..at].trim_end().strip_suffix('=')?.trim_end();
    let start = before.trim_end_matches(is_part).len();
    (start < before.len()).then_some(start..before.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_define_a_function_are_known() {
        for (line, name) in [
            ("function setup(e)", Some("setup")),
            ("  local function a.b:c ()", Some("a.b:c")),
            (": util.pick = function(list)", Some("util.pick")),
            ("local on_function = function(e)", Some("on_function")),
            ("local at = function_at_spot(e)", None),
            ("call(function() end)", None),
            ("function(x)", None),
            ("-- no such thing", None),
            ("# old: function setup(e)", None),
            (": setup(e) -- function setup(e) is in base.des", None),
            (": -- setup = function(e)", None),
        ] {
            assert_eq!(defined(line).map(|head| &line[head]), name, "{line}");
        }
    }
}
