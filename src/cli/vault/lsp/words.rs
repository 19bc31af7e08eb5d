//! One-sentence descriptions of headers and Lua functions.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::vault::lua::library;
use crate::vault::source::Keyword;

/// The game's Lua modules that level files use, with short descriptions.
pub(super) static MODULES: [(&str, &str); 5] = [
    ("crawl", "random numbers, text and messages"),
    ("dgn", "the map, its level and other maps"),
    ("you", "the player, and the level that the map is for"),
    ("feat", "properties of features"),
    ("util", "lists and choices"),
];

/// The statements that are not headers, with their meanings.
pub(super) static STATEMENTS: [(&str, &str); 9] = [
    ("NAME", "begins a map; the value is the name of the map, a single word"),
    ("MAP", "begins the rows of a map"),
    ("ENDMAP", "ends the rows of a map"),
    (
        "default-depth",
        "the DEPTH of all later maps without a DEPTH of their own",
    ),
    ("lua", "a block of Lua, between `{{` and `}}`, that belongs to the map"),
    ("prelude", "a block of Lua that runs before the map's other Lua"),
    (
        "validate",
        "a block of Lua that returns whether a resolved map is usable",
    ),
    ("veto", "a block of Lua that returns true to reject the map"),
    ("epilogue", "a block of Lua that runs after the level is built"),
];

/// The meaning of each header, keyed by the Lua function that the header calls.
static MEANINGS: &str = "\
subst: replaces glyphs: `=` chooses a random replacement for each cell, `:` chooses one for all cells
nsubst: replaces the glyphs in a given number of cells, which are chosen at random
shuffle: permutes glyphs, or blocks of glyphs, at random
clear: removes the cells with these glyphs from the map
tags: words by which maps are chosen, and flags that control how the game places a map
mons: the monsters of the glyphs `1` to `7`, in this order
item: the items of the glyphs `d` to `k`, in this order
kmons: places a monster on each cell with the given glyph
kitem: places items on each cell with the given glyph
kfeat: gives a glyph a feature, or the meaning of another glyph
kmask: sets flags for the level builder on the cells with the given glyph
kprop: sets flags on the cells with the given glyph; the flags apply during play
depth: the levels for which the map may be chosen at random
place: the level that always contains this map, or a list of levels, one of which contains it
orient: where on its level the game places the map; a map without ORIENT is a minivault
desc: describes the map in the game's menus
order: determines the position of the map in the game's menus
weight: how often the map is chosen, compared with other maps [default: 10]
chance: the chance that a level contains the map, decided before maps are chosen by weight
ftile: the tile of the floor
rtile: the tile of the rock
tile: the tile of the feature
colour: the colour of the cells with the given glyph
fheight: the height of the floor
marker: places a marker on the cells with the given glyph: a portal, properties, a trigger
subvault: fills the cells that have the given glyphs with another map, which is chosen by its tag
lfloortile: the tile of the level's floor
lfloorcol: the colour of the level's floor
lrocktile: the tile of the level's rock
lrockcol: the colour of the level's rock
welcome: a message on arrival
lflags: flags of the level, from older releases
bflags: flags of the branch, from older releases
";

/// Functions of the game: signatures and meanings. The functions of the helper library are documented in its source.
static FUNCTIONS: &str = "\
crawl.random2(n): A random number from 0 to n - 1.
crawl.random_range(low, high[, rolls]): A random number from low to high; with `rolls`, the mean of several rolls.
crawl.random2avg(n, rolls): The mean of several random numbers from 0 to n - 1.
crawl.random_real(): A random number from 0 to 1.
crawl.coinflip(): True with a probability of 1/2.
crawl.one_chance_in(n): True with a probability of 1/n.
crawl.x_chance_in_y(x, y): True with a probability of x/y.
crawl.roll_dice(count, sides): The sum of `count` dice with `sides` sides.
crawl.div_rand_round(n, by): n divided by `by`, rounded up with the probability remainder/`by`, otherwise down.
crawl.random_element(list): A random value of a list.
crawl.simplex(x, y, z, w): Smooth noise, from -1 to 1.
crawl.worley(x, y, z): The distances to the two nearest of many scattered points, and the ids of these points.
crawl.worley_diff(x, y, z): The distance to the second nearest of many scattered points minus the distance to the \
    nearest.
crawl.game_started(): False in the first run of each file, true when a level is built.
crawl.mpr(text): Shows a message in the game.
crawl.regex(pattern): A regular expression; its method `:matches(text)` returns whether a text matches.
you.depth(): The level within its branch, from 1.
you.absdepth(): The depth below the surface.
you.branch(): The short name of the branch.
you.in_branch(name): Whether the level is in the given branch.
you.where(): The level, such as `D:5`.
you.depth_fraction(): 0 on the first level of the branch, 1 on the last.
you.xl(): The experience level of the player.
you.race(): The species of the player.
you.class(): The background of the player.
you.god(): The god of the player.
dgn.level_name(level): The name of a level.
dgn.br_entrance(branch): The level that contains the entrance to the given branch.
dgn.br_depth(branch): The number of levels of the given branch.
dgn.max_bounds(): The width and height of a level.
dgn.br_exists(branch): Whether this game has the given branch.
dgn.grid(x, y): The number that identifies the feature at a cell of the level.
dgn.terrain_changed(x, y, feature): Changes the feature at a cell of the level.
dgn.create_monster(x, y, monster): Creates a monster at a cell of the level.
dgn.feature_name(number): The name of the feature with this number.
you.uniques(name): Whether the unique monster with this name has been created already.
dgn.place_map(map, careful, no_exits, x, y): Places a map on the level.
dgn.place_maps { tag = …, count = … }: Chooses `count` maps that have the tag, by weight, and places them on the level.
dgn.map_by_tag(tags): A map that has the tags, chosen by weight.
dgn.map_by_name(name): The map with this name.
dgn.resolve_map(map): Resolves a map.
dgn.point(x, y): A point that supports arithmetic and comparison.
tags(words): Adds tags; without an argument, returns all tags.
tags_remove(words): Removes tags.
mapgrd[x][y]: The glyph of a cell, to read and to set; x and y count from 0.
width(): The number of columns of the map.
height(): The number of rows of the map.
lua_marker(glyphs, marker): Places a marker, or the result of a function, on each cell with one of the glyphs.
hook(name, function): Runs a function at a later stage; `name` is `post_place`, `post_main`, `post_epilogue`, …
is_validating(): True in the first run of each file, before the game starts.
set_feature_name(feature, name): Renames a feature on this level.
extend_map { width = …, height = …, fill = … }: Makes the map larger.
fill_area { x1, y1, x2, y2, fill, border }: Fills a rectangle.
make_box { x1, y1, x2, y2, wall, floor, width }: Draws a box.
make_circle { x, y, radius, fill }: Draws a circle.
octa_room { x1, y1, x2, y2, oblique }: Draws a room with oblique corners.
find_in_area { x1, y1, x2, y2, find }: Whether the glyph `find` occurs in a rectangle.
replace_area { x1, y1, x2, y2, find, replace }: Replaces glyphs in a rectangle.
spotty_map { … }: Turns walls next to open cells into floor, at random.
smear_map { iterations, smear, onto, boxy }: Spreads a glyph over its neighbours, at random.
delve(least, most, join, cells, newest): Digs winding tunnels.
glyphs_connected(a, b, …): Whether a path leads from the first glyph to each of the others.
has_exit_from_glyph(glyph): Whether a player can leave the map from a glyph.
points_connected(x1, y1, x2, y2, …): Whether a path leads from the first point to each of the others.
gly_point(glyph): The first cell that has the given glyph.
gly_points(glyph): All cells that have the given glyph.
subvault_size(): In a subvault: the width and height of the area that it fills.
subvault_cell_valid(x, y): In a subvault: whether the subvault fills a cell.
";

/// Returns the rows of a table: the text in front of the first colon, and the text after it.
fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|row| row.split_once(": "))
}

/// Returns the functions of the game: name, signature and meaning. The name is the part of the signature in front of
/// the arguments.
fn functions() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    rows(FUNCTIONS).map(move |(signature, meaning)| {
        let name = signature.split(|c: char| !is_of_name(c)).next().unwrap_or_default();
        (name, signature, meaning)
    })
}

/// Returns what a header does.
pub(super) fn meaning(keyword: Keyword) -> &'static str {
    let found = rows(MEANINGS).find(|(call, _)| *call == keyword.call());
    found.map_or("", |(_, meaning)| meaning)
}

/// Returns the signature and the meaning of a function. The prefix `dgn.` may be left out.
pub(super) fn function(name: &str) -> Option<(&'static str, &'static str)> {
    let known = functions().find(|(known, ..)| {
        *known == name || known.strip_prefix("dgn.") == Some(name) || name.strip_prefix("dgn.") == Some(*known)
    });
    let known = known.map(|(_, signature, meaning)| (signature, meaning));
    known
        // Every header can also be called as a function, with the header's value as the argument.
        .or_else(|| rows(MEANINGS).find(|(call, _)| *call == name))
        .or_else(|| {
            helpers()
                .get(name)
                .map(|(signature, text)| (signature.as_str(), text.as_str()))
        })
}

/// Returns the functions that are called without a module, with their meanings: functions of the game, headers, and
/// functions of the helper library.
pub(super) fn bare_functions() -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = functions().map(|(name, _, meaning)| (name, meaning));
    let helpers = helpers().iter().map(|(name, (_, text))| (name.as_str(), text.as_str()));
    own.chain(rows(MEANINGS))
        .chain(helpers)
        .filter(|(name, _)| !name.contains('.'))
}

/// Returns the functions of the helper library: name, signature and documentation.
fn helpers() -> &'static BTreeMap<String, (String, String)> {
    static HELPERS: OnceLock<BTreeMap<String, (String, String)>> = OnceLock::new();
    HELPERS.get_or_init(library::documentation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_header_has_a_meaning_and_every_function_one_row() {
        for keyword in Keyword::all() {
            assert!(!meaning(keyword).is_empty(), "{keyword:?}");
        }
        let names: std::collections::BTreeSet<&str> = functions().map(|(name, ..)| name).collect();
        assert_eq!(names.len(), FUNCTIONS.lines().count());
        assert_eq!(function("place_maps"), function("dgn.place_maps"));
        assert!(function("kfeat").is_some() && function("nothing").is_none());
        let (signature, text) = function("util.random_from").expect("a helper");
        assert_eq!(
            (signature, text),
            (
                "util.random_from(list)",
                "One value of a list, each equally likely; nil for an empty one."
            )
        );
        assert!(function("props_marker").is_some(), "constructors are documented");
    }

    #[test]
    fn every_described_function_exists() {
        use crate::vault::Library;
        use crate::vault::lua::{Runtime, RuntimeOptions};

        // An undefined name would only cause a note and not fail the run, so the Lua code tests each name.
        let lua = functions().map(|(name, ..)| format!(": if {name} == nil then error('no {name}') end\n"));
        let text = format!("NAME: a\nTAGS: a\n{}MAP\n.\nENDMAP\n", lua.collect::<String>());
        let file = crate::vault::source::read("a.des", text.as_bytes());
        let library = std::sync::Arc::new(Library::new(vec![file]));
        let map = library.by_name("a").expect("the map");
        let runtime = Runtime::new(library, RuntimeOptions::default()).expect("a runtime");
        let report = runtime.compile(map);
        assert_eq!(report.failure, None);
        let undefined: Vec<String> = runtime.undefined_names().into_keys().collect();
        assert_eq!(undefined, [""; 0]);
    }
}
