//! Finds probable misspellings of words for which the game has a fixed list: tags, kinds of shops, colours. Also finds
//! tags that no map has, and DEPTH and PLACE values that match no level.
//!
//! A newer version of the game may have more words, so every finding is a warning, and a map's own tag is reported only
//! if it resembles one of the game's flags.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::placeable::FLAGS;
use super::{Finding, Rule};
use crate::design::Diagnostic;
use crate::text::{counted, suggest, with_suggestion};
use crate::vault::Library;
use crate::vault::map::MapState;
use crate::vault::source::{Header, MapSource, VaultFile};
use crate::vault::spec::{Branch, Kfeat, Level, MASKS, Overlay, PROPS, Ranges, SubvaultSpec, What, items};

/// The kinds of shops.
const SHOPS: [&str; 18] = [
    "any",
    "random",
    "general",
    "weapon",
    "armour",
    "antique weapon",
    "antique armour",
    "antique",
    "antiques",
    "talisman",
    "jewellery",
    "gadget",
    "wand",
    "book",
    "scroll",
    "distillery",
    "food",
    "evoker",
];

/// The 16 colours of the game, and the words `none` and `random`.
const COLOURS: [&str; 18] = [
    "black",
    "blue",
    "green",
    "cyan",
    "red",
    "magenta",
    "brown",
    "lightgrey",
    "darkgrey",
    "lightblue",
    "lightgreen",
    "lightcyan",
    "lightred",
    "lightmagenta",
    "yellow",
    "white",
    "none",
    "random",
];

/// Colours that change during play, and alternative spellings.
const MORE_COLOURS: [&str; 48] = [
    "lightgray",
    "darkgray",
    "fire",
    "ice",
    "earth",
    "electricity",
    "air",
    "poison",
    "water",
    "magic",
    "mutagenic",
    "warp",
    "enchant",
    "heal",
    "holy",
    "dark",
    "death",
    "necro",
    "unholy",
    "vehumet",
    "beogh",
    "crystal",
    "blood",
    "smoke",
    "slime",
    "jewel",
    "elven",
    "dwarven",
    "orcish",
    "flash",
    "floor",
    "rock",
    "mist",
    "shimmer_blue",
    "decay",
    "silver",
    "gold",
    "iron",
    "bone",
    "elven_brick",
    "waves",
    "tree",
    "mangrove",
    "tornado",
    "liquefied",
    "disjunction",
    "rainbow",
    "any",
];

/// Returns a finding for each word in a map's headers and tags that is probably misspelt, and for each DEPTH or PLACE
/// value that matches no level. `state` is the map's state after the compile run.
pub fn misspelt(file: &VaultFile, source: &MapSource, state: &MapState) -> Vec<Finding> {
    let mut found: Vec<Finding> = tags(file, source, state).collect();
    for header in &source.headers {
        match header.keyword.call() {
            "kfeat" => found.extend(shops(file, source, header)),
            "colour" | "lfloorcol" | "lrockcol" => found.extend(unknown_colours(file, source, header)),
            "depth" | "place" => found.extend(levels(file, source, header, state)),
            _ => {}
        }
    }
    found
}

/// Reports each word in a SUBVAULT header that is neither a tag of any map nor the name of one.
pub fn unknown_tags(library: &Library, file: &VaultFile, source: &MapSource, tags: &BTreeSet<String>) -> Vec<Finding> {
    let has = |tag: &str| tags.contains(tag) || library.by_name(tag).is_some();
    let headers = source.headers.iter();
    let mut found = Vec::new();
    for header in headers.filter(|header| header.keyword.call() == "subvault") {
        let choices = SubvaultSpec::parse(&header.value).map_or_else(|_| Vec::new(), |spec| spec.choices);
        for tag in choices.iter().flat_map(|(tags, _)| tags).filter(|tag| !has(tag)) {
            let message = with_suggestion("no map has this tag", tag, tags.iter().map(String::as_str));
            let diagnostic = Diagnostic::warning(message).help(
                "correct the tag; if it is the tag of a map in another file, check that file together with this one",
            );
            found.push(at(file, source, header, tag, Rule::Selection, diagnostic));
        }
    }
    found
}

/// Returns a finding positioned at `part` in the lines of a header.
pub(super) fn at(
    file: &VaultFile,
    source: &MapSource,
    header: &Header,
    part: &str,
    rule: Rule,
    diagnostic: Diagnostic,
) -> Finding {
    let end = source
        .headers
        .iter()
        .map(|other| other.line)
        .filter(|line| *line > header.line)
        .min();
    // The value may continue on all lines up to the next header.
    let last = end.map_or(source.last_line, |next| next - 1);
    Finding::of_lines(rule, file, source, header.line..=last, part, diagnostic)
}

/// Returns the tags that are flags: the game gives them a fixed meaning.
pub fn flags() -> impl Iterator<Item = &'static str> {
    FLAGS.into_iter().chain(MASKS).chain(PROPS).chain(["unrand"])
}

/// Returns the names of all colours, with alternative spellings.
pub fn colours() -> impl Iterator<Item = &'static str> {
    COLOURS.into_iter().chain(MORE_COLOURS)
}

/// Reports tags that are not flags but resemble one.
fn tags<'a>(file: &'a VaultFile, source: &'a MapSource, state: &'a MapState) -> impl Iterator<Item = Finding> + 'a {
    let unknown = state.tags.iter().filter(move |tag| !flags().any(|flag| flag == *tag));
    unknown.filter_map(move |tag| {
        let flag = suggest(tag, flags())?;
        let lines = source.line..=source.last_line;
        let diagnostic = Diagnostic::warning(format!("the game has no such tag; did you mean `{flag}`?"))
            .help("correct the tag; if you made up this tag so that Lua or SUBVAULT lines can select maps by it, choose a name that resembles no tag of the game");
        // A tag that Lua adds does not occur in the map's text, so there is no position to report.
        file.has_text(lines.clone(), tag)
            .then(|| Finding::of_lines(Rule::Selection, file, source, lines, tag, diagnostic))
    })
}

/// Reports unknown kinds of shops.
fn shops(file: &VaultFile, source: &MapSource, header: &Header) -> Vec<Finding> {
    let Ok(Some(kfeat)) = Kfeat::parse(&header.value) else {
        return Vec::new();
    };
    let choices = kfeat.choices.0.into_iter();
    let kinds = choices.filter_map(|(choice, _)| match choice.what {
        What::Shop(text) => {
            // Modifiers may come before the kind.
            let words = text.split_whitespace().take_while(|word| *word != "shop");
            let kind: Vec<&str> = words.filter(|word| !word.contains(':') && *word != "use_all").collect();
            Some(kind.join(" "))
        }
        What::Glyph(_) | What::Feature(_) => None,
    });
    let unknown = kinds.filter(|kind| !kind.is_empty() && !SHOPS.contains(&kind.as_str()));
    unknown
        .map(|kind| {
            let diagnostic = Diagnostic::warning(with_suggestion("unknown kind of shop", &kind, SHOPS))
                .help("write one such as `weapon shop`, `antique armour shop` or `any shop`");
            at(file, source, header, &kind, Rule::Name, diagnostic)
        })
        .collect()
}

/// Reports unknown colours.
fn unknown_colours(file: &VaultFile, source: &MapSource, header: &Header) -> Vec<Finding> {
    let overlays = items(&header.value)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|item| Overlay::parse(item).ok());
    let names: Vec<Arc<str>> = if header.keyword.call() == "colour" {
        let looks = overlays.flat_map(|overlay| overlay.looks.0);
        looks.filter_map(|(look, _)| look).collect()
    } else {
        vec![Arc::from(String::from_utf8_lossy(&header.value).trim())]
    };
    let is_known = |name: &str| colours().any(|known| known.eq_ignore_ascii_case(name));
    names
        .into_iter()
        .filter(|name| !is_known(name))
        .map(|name| {
            let diagnostic = Diagnostic::warning(with_suggestion("unknown colour", &name, colours()))
                .help("write one of the 16 colours, such as `lightred`, or an animated one, such as `fire`");
            at(file, source, header, &name, Rule::Name, diagnostic)
        })
        .collect()
}

/// Reports ranges that contain no level of their branch, and header values that match no level, for instance because of
/// their exclusions (`!`).
fn levels(file: &VaultFile, source: &MapSource, header: &Header, state: &MapState) -> Vec<Finding> {
    let text = String::from_utf8_lossy(&header.value).into_owned();
    let has_level = |text: &str| {
        let ranges = Ranges::parse(text).ok().filter(|ranges| !ranges.is_empty());
        ranges.is_none_or(|ranges| Level::all().any(|level| ranges.matches(&level)))
    };
    let parts = text.split(',').map(str::trim).filter(|part| !part.starts_with('!'));
    let beyond = parts.clone().filter_map(|part| {
        let branch = Branch::by_name(part.split_once(':')?.0.trim())?;
        if has_level(part) {
            return None;
        }
        let message = format!(
            "this lies outside {}, which has {}",
            branch.name(),
            counted(branch.levels(), "level")
        );
        let diagnostic =
            Diagnostic::warning(message).help("name only levels that the branch has; `$` is its last level");
        Some(at(file, source, header, part, Rule::Selection, diagnostic))
    });
    let mut found: Vec<Finding> = beyond.collect();
    let included: Vec<&str> = parts.collect();
    // A DEPTH header with exclusions alone restricts the other DEPTH headers of the map.
    let restricts_others = included.is_empty()
        && header.keyword.call() == "depth"
        && Level::all().any(|level| state.depths.matches(&level));
    if found.is_empty() && !has_level(&text) && !restricts_others {
        let diagnostic = if has_level(&included.join(",")) {
            Diagnostic::warning("the exclusions (`!`) leave no level")
                .help("exclude fewer levels, so that some are left, such as `D:2-8, !D:5`")
        } else {
            Diagnostic::warning("no branch has such a level").help("write levels that exist, such as `D:2-8`")
        };
        found.push(at(file, source, header, &text, Rule::Selection, diagnostic));
    }
    found
}
