//! Finds the names of tiles, brands and spells within the values of headers.

use crate::vault::source::Header;
use crate::vault::spec::{Overlay, items};

/// The kind of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// A tile named in TILE, FTILE, RTILE, LFLOORTILE or LROCKTILE, or in the `tile:` modifier of a monster or item.
    Tile,
    /// A brand or other ego of an item (`ego:`).
    Brand,
    /// A spell of a monster or book (`spells:`).
    Spell,
}

/// Words in tile headers that are not names of tiles.
const TILE_WORDS: [&str; 3] = ["no_random", "last_tile", "none"];

/// Returns the tiles, brands and spells that a header names.
pub(super) fn details(header: &Header) -> Vec<(Detail, String)> {
    let tile = |name: &str| (Detail::Tile, name.to_owned());
    match header.keyword.call() {
        "tile" | "ftile" | "rtile" => {
            let items = items(&header.value).unwrap_or_default();
            let overlays = items.into_iter().filter_map(|item| Overlay::parse(item).ok());
            let looks = overlays
                .flat_map(|overlay| overlay.looks.0)
                .filter_map(|(look, _)| look);
            looks
                .flat_map(|look| look.split_whitespace().map(tile).collect::<Vec<_>>())
                .filter(|(_, name)| !TILE_WORDS.contains(&name.as_str()))
                .collect()
        }
        "lfloortile" | "lrocktile" => {
            let text = String::from_utf8_lossy(&header.value);
            text.split_whitespace().map(tile).collect()
        }
        "mons" | "kmons" | "item" | "kitem" => {
            let text = String::from_utf8_lossy(&header.value);
            text.split_whitespace().flat_map(of_word).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the names in one word of the text that describes a monster or item, such as `ego:flaming` or
/// `spells:blink.20.wizard`.
fn of_word(word: &str) -> Vec<(Detail, String)> {
    let is_sign = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '.' | '-'));
    let Some((key, value)) = word.split_once(':') else {
        return Vec::new();
    };
    let mut names = value.split(is_sign).filter(|name| !name.is_empty());
    let found = |detail: Detail, name: &str| (detail, name.to_owned());
    match key {
        "tile" => names.next().map(|name| found(Detail::Tile, name)).into_iter().collect(),
        "ego" => {
            let brand = names.next().filter(|name| *name != "none");
            brand.map(|name| found(Detail::Brand, name)).into_iter().collect()
        }
        "spells" => names
            // After the name come the frequency and the manner in which the spell is cast.
            .filter_map(|name| name.split('.').next())
            .filter(|name| *name != "none" && name.chars().filter(|c| c.is_alphabetic()).count() > 2)
            .map(|name| found(Detail::Spell, name))
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_within_the_words_of_things() {
        let names = |word: &str| of_word(word).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names("ego:flaming,"), ["flaming"]);
        assert_eq!(names("spells:blink.20.wizard;pain.10.wizard"), ["blink", "pain"]);
        assert_eq!(names("spells:magic_dart&orb's_grip|"), ["magic_dart", "orb's_grip"]);
        for none in ["ego:none", "spells:none", "spells:6", "hd:3", "orc"] {
            assert_eq!(names(none), Vec::<String>::new(), "{none}");
        }
    }
}
