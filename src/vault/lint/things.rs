//! Lists the monsters, items and shops in a map's headers, including the equipment of monsters and the wares of shops.

use crate::vault::source::Header;
use crate::vault::spec::{Keyed, items};

/// The kind of thing that a text describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A monster.
    Monster,
    /// An item on a cell, carried by a monster, or for sale.
    Item,
    /// A shop.
    Shop,
}

/// Returns the texts that describe the monsters, items and shops in a header, in order and without weights.
pub(super) fn things(header: &Header) -> Vec<(Kind, String)> {
    let (is_keyed, kind) = match header.keyword.call() {
        "mons" => (false, Kind::Monster),
        "kmons" => (true, Kind::Monster),
        "item" => (false, Kind::Item),
        "kitem" => (true, Kind::Item),
        "kfeat" => (true, Kind::Shop),
        _ => return Vec::new(),
    };
    let value = if is_keyed {
        Keyed::parse(&header.value).map_or(&[][..], |keyed| keyed.value)
    } else {
        &header.value
    };
    let texts = items(value)
        .unwrap_or_default()
        .into_iter()
        .map(String::from_utf8_lossy);
    let mut found = Vec::new();
    for text in texts {
        for alternative in text.split('/') {
            add(kind, alternative, &mut found);
        }
    }
    found.retain(|(_, text)| !text.is_empty());
    found
}

fn add(kind: Kind, text: &str, found: &mut Vec<(Kind, String)>) {
    let (head, tail) = at_semicolon(text);
    match kind {
        Kind::Shop if !words(head).any(|word| word == "shop") => return,
        Kind::Item => return found.push((kind, unweighted(text))),
        Kind::Monster | Kind::Shop => found.push((kind, unweighted(head))),
    }
    // `|` separates items. A dot also separates the items of a monster, except in text with spells, because spells
    // contain dots themselves.
    let dots: &[char] = if tail.contains("spells:") { &['|'] } else { &['|', '.'] };
    let wares = tail.split(if kind == Kind::Shop { &['|'][..] } else { dots });
    found.extend(wares.map(|item| (Kind::Item, unweighted(item))));
}

/// Splits a text at its first semicolon, ignoring those that separate spells, as in
/// `spells:blink.20.wizard;pain.10.wizard`.
fn at_semicolon(text: &str) -> (&str, &str) {
    let separates = |at: usize| {
        let word = text[..at].rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_last = text[at + 1..].chars().next().is_none_or(char::is_whitespace);
        !word.contains("spells:") || is_last
    };
    let at = text.match_indices(';').map(|(at, _)| at).find(|at| separates(*at));
    at.map_or((text, ""), |at| (&text[..at], &text[at + 1..]))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

/// Returns a text without its weight (`w:` or `weight:`).
fn unweighted(text: &str) -> String {
    let is_weight = |word: &str| word.starts_with("w:") || word.starts_with("weight:");
    words(text)
        .filter(|word| !is_weight(word))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(kind: Kind, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        add(kind, text, &mut found);
        found.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn equipment_and_wares_are_items_of_their_own() {
        let orc = split(Kind::Monster, "orc hd:3 w:5 ; dagger w:2 | hand axe . robe ego:fire");
        assert_eq!(orc, ["orc hd:3", "dagger", "hand axe", "robe ego:fire"]);
        let mage = split(
            Kind::Monster,
            "orc spells:blink.20.wizard;pain.10.wizard ; staff of fire",
        );
        assert_eq!(mage, ["orc spells:blink.20.wizard;pain.10.wizard", "staff of fire"]);
        let shop = split(Kind::Shop, "general shop count:2 w:1 ; any ring | randbook spells:a.b");
        assert_eq!(shop, ["general shop count:2", "any ring", "randbook spells:a.b"]);
        assert_eq!(split(Kind::Shop, "altar_zin"), [""; 0]);
        assert_eq!(split(Kind::Item, "w:3 dagger q:2"), ["dagger q:2"]);
    }
}
