//! Checks header values against their grammars while the file is read, so that errors are reported with their column
//! before any Lua runs.

use super::keyword::Keyword;
use super::translate;
use crate::design::feature::Feature;
use crate::text::is_similar;
use crate::vault::spec::{
    self, KeyedThings, Kfeat, Kmask, Kprop, MarkerSpec, Nsubst, Orient, Overlay, Ranges, Shuffle, SpecError, Subst,
    SubvaultSpec, Thing,
};

/// Returns the errors in a header's value, with their byte ranges.
pub(super) fn problems(keyword: Keyword, value: &[u8]) -> Vec<(std::ops::Range<usize>, SpecError)> {
    if let Some(at) = empty_statement(keyword, value) {
        let message =
            "there is nothing on one side of this comma; a comma separates statements here and cannot be a glyph";
        return vec![(at..at + 1, SpecError::new(message, ","))];
    }
    translate::arguments(keyword, value)
        .into_iter()
        .filter_map(|argument| {
            let error = argument_problem(keyword, &value[argument.clone()])?;
            let inner = find(&value[argument.clone()], error.text.as_bytes()).unwrap_or(0..argument.len());
            Some((argument.start + inner.start..argument.start + inner.end, error))
        })
        .collect()
}

/// Finds a comma with an empty item beside it in lists of SUBST, NSUBST or SHUFFLE statements: the author probably
/// meant the comma as a glyph.
fn empty_statement(keyword: Keyword, value: &[u8]) -> Option<usize> {
    if !matches!(keyword.call(), "subst" | "nsubst" | "shuffle") {
        return None;
    }
    let mut start = 0;
    for part in value.split(|b| *b == b',') {
        let end = start + part.len();
        if part.trim_ascii().is_empty() && value.contains(&b',') {
            // The comma after the empty item, or before it if the item is the last.
            return Some(if end < value.len() { end } else { start - 1 });
        }
        start = end + 1;
    }
    None
}

fn argument_problem(keyword: Keyword, argument: &[u8]) -> Option<SpecError> {
    let text = String::from_utf8_lossy(argument);
    match keyword.call() {
        "subst" => Subst::parse(argument).err(),
        "nsubst" => Nsubst::parse(argument).err(),
        "shuffle" => Shuffle::parse(argument).err(),
        "mons" | "item" => Thing::parse(argument).err(),
        "kmons" | "kitem" => KeyedThings::parse(argument).err(),
        "kfeat" => Kfeat::parse(argument).err().filter(is_slip),
        "kmask" => Kmask::parse(argument).err(),
        "kprop" => Kprop::parse(argument).err(),
        "colour" | "ftile" | "rtile" | "tile" => Overlay::parse(argument).err(),
        "fheight" => Overlay::heights(argument).err(),
        "marker" => MarkerSpec::parse(argument).err().filter(is_slip),
        "subvault" => SubvaultSpec::parse(argument).err(),
        "depth" | "place" => Ranges::parse(&text).err(),
        "orient" => Orient::parse(&text).err(),
        "weight" => by_depth(&text, spec::weight),
        "chance" => by_depth(&text, spec::chance),
        _ => None,
    }
}

/// Returns whether an error is reported while the file is read. An unknown name with an underscore may belong to a
/// release of the game that Wallcrawler does not support. The name is not reported while the file is read; instead, the
/// map that contains the name fails when the map is resolved. But a name that is very similar to a feature's name must
/// be a typing error, and is reported.
fn is_slip(error: &SpecError) -> bool {
    let unknown = error.text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && error.text.contains('_');
    !unknown || Feature::nearest(&error.text).is_some_and(|(near, _)| is_similar(&near, &error.text))
}

/// Returns the first error in a list of numbers with ranges, if any.
fn by_depth(text: &str, number: fn(&str) -> Result<u32, SpecError>) -> Option<SpecError> {
    let items = match spec::numbers_by_depth(text) {
        Ok(items) => items,
        Err(error) => return Some(error),
    };
    items
        .into_iter()
        .find_map(|(value, ranges)| number(value).err().or_else(|| Ranges::parse(ranges?).err()))
}

/// Returns the range of the first occurrence of `part` in a text.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<std::ops::Range<usize>> {
    let found = !part.is_empty() && part.len() <= text.len();
    let start = found.then(|| text.windows(part.len()).position(|window| window == part))??;
    Some(start..start + part.len())
}

/// Returns advice on how to write the value of a header.
pub fn help(keyword: Keyword) -> &'static str {
    match keyword.call() {
        "depth" | "place" => "write ranges such as `D:2-4, Lair, !Lair:$`",
        "orient" => "write an orientation such as `north`, or leave the line out for a minivault",
        "weight" => "write a number, or numbers with ranges such as `5 (D:1-3), 10`",
        "chance" => "write `10%` or `1000`, or numbers with ranges such as `5% (D:1-3), 10%`",
        "subst" => {
            "write `glyphs = new` (each cell by itself) or `glyphs : new` (all alike), where `new` is, for example, `x.` or `x:30 .:5`"
        }
        "nsubst" => "write `glyphs = 2=a / 3=b / *=c`: each count is 1 or more, and `*` means all remaining cells",
        "shuffle" => "write glyphs such as `abc`, or blocks of equal length such as `ab/cd`",
        "mons" => "separate the monsters for the glyphs `1` to `7` with `,`, and alternatives with `/`",
        "item" => "separate the items for the glyphs `d` to `k` with `,`, and alternatives with `/`",
        "kmons" => "write `glyphs = monsters`, such as `x = rat`, or `x = rat / bat w:5` with weights",
        "kitem" => "write `glyphs = items`, such as `x = scarf`, or `x = boots / scarf w:5` with weights",
        "tags" | "lflags" | "bflags" => "write words, separated by spaces",
        "desc" | "welcome" => "write the text",
        "order" => "write a whole number",
        "clear" => "write the glyphs",
        "colour" => "write `glyphs = colours`, such as `x = lightred`, or `x = red / blue:5` with weights",
        "fheight" => "write `glyphs = height`, such as `x = 2`, with `/` between alternatives",
        "lfloorcol" | "lrockcol" => "write a colour, such as `lightred`",
        "lfloortile" | "lrocktile" => "write the name of a tile",
        "kmask" | "kprop" => "write `glyphs = mark`, with `/` between several marks",
        "kfeat" => "write `glyphs = feature / other feature w:5`, where a feature is a name from the game or a glyph",
        "marker" => "write `O = lua:one_way_stair { dst = \"tag\" }` or `O = feat:stone_arch`",
        "subvault" => "write `A : tag`, with `/` between alternatives",
        _ => "write `glyphs = value`, with `/` between alternatives",
    }
}
