//! Exports a dungeon as text: one line per row, one character per square.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{DungeonView, ExportError, ExportOptions, ExportTask};
use crate::design::feature::{Class, Feature};
use crate::design::{PlacedVault, ValidDesign};
use crate::engine::{Grid, Mark, Tile};
use crate::geometry::Point;

/// A style of writing squares as characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextStyle {
    /// One character per square: `.` open, `X` wall, `Y` high wall (a pyramid or the decoration of a door), `C` column,
    /// `o` guaranteed open, and the glyphs of vault features. Features whose glyph in the game is one of these
    /// characters or a digit have another glyph.
    Plain,
    /// Like `Plain`, but each wall tile is the digit of its generation (9 for generation 9 and later).
    Digits,
    /// Block characters in the colour of the tile's generation, for terminals with 256 colours.
    Ansi,
}

/// The designer's colours of generations 0 to 9, as the nearest of 256 terminal colours; later generations repeat the
/// cycle.
const COLOURS: [u8; 10] = [81, 208, 29, 227, 97, 63, 130, 195, 141, 107];

/// Terminal colour of the design's walls.
const GREY: u8 = 102;

impl TextStyle {
    /// Returns every character that represents a square in this style.
    pub(super) fn characters(self) -> BTreeSet<char> {
        let tiles = Tile::ALL.iter().map(|tile| match self {
            Self::Plain | Self::Digits => tile.plain(),
            Self::Ansi => block(*tile),
        });
        let digits = ('0'..='9').filter(|_| self != Self::Ansi);
        tiles.chain(digits).chain(Feature::all().filter_map(glyph)).collect()
    }
}

/// Returns the character of a tile in [`TextStyle::Ansi`].
const fn block(tile: Tile) -> char {
    match tile {
        Tile::Open => ' ',
        Tile::Guaranteed => '·',
        Tile::Wall => '█',
        Tile::HighWall => '▲',
        Tile::Column => '●',
    }
}

/// Returns the glyph of a vault's feature, which states whether the square is a wall: see [`glyph_means_wall`]. If the
/// feature's own glyph means something else, returns a glyph of the same class with the right meaning. Returns `None`
/// if there is none, and for a vault's walls and floor: these squares are written as their tiles.
fn glyph(feature: Feature) -> Option<char> {
    static GLYPHS: LazyLock<Vec<Option<char>>> = LazyLock::new(|| {
        let glyph = |feature: Feature| {
            let class = Feature::all().filter(|other| is_written(*other) && other.class() == feature.class());
            let glyphs = std::iter::once(feature)
                .chain(class)
                .map(|like| char::from(like.glyph()));
            let is_wall = Some(PlacedVault::is_wall(feature));
            is_written(feature)
                .then_some(glyphs)?
                .find(|glyph| glyph_means_wall(*glyph) == is_wall)
        };
        Feature::all().map(glyph).collect()
    });
    GLYPHS.get(usize::from(feature.number())).copied().flatten()
}

/// Returns whether a feature is written as a glyph: all are, except the walls and the floor of vaults.
fn is_written(feature: Feature) -> bool {
    !matches!(feature.class(), Class::Wall | Class::Floor)
}

/// Returns whether a glyph stands for a feature that is a wall; `None` if it stands for no feature. If several features
/// have the glyph, the first in the table of features decides. The characters of tiles and generations, such as `Y`,
/// stand for no feature, although the game uses some of them.
pub(crate) fn glyph_means_wall(glyph: char) -> Option<bool> {
    let is_tile = glyph.is_ascii_digit() || Tile::ALL.iter().any(|tile| tile.plain() == glyph);
    let of_glyph = |feature: &Feature| is_written(*feature) && char::from(feature.glyph()) == glyph;
    let first = Feature::all().find(of_glyph).filter(|_| !is_tile)?;
    Some(PlacedVault::is_wall(first))
}

/// Writes the rows of a dungeon as text.
#[derive(Debug, Clone, Copy)]
pub struct TextWriter<'a> {
    /// Style of the text.
    pub style: TextStyle,
    /// Whether walls show their generation.
    pub generations: bool,
    /// Design of the dungeon; the features of its placed vaults are written as glyphs.
    pub design: &'a ValidDesign,
}

impl TextWriter<'_> {
    /// Returns the glyph of a vault's feature on a square, if there is one.
    fn glyph(&self, at: Point) -> Option<char> {
        glyph(self.design.feature(at)?)
    }

    /// Returns a row of the dungeon, without a line break.
    pub fn row(&self, grid: &Grid, x: i32) -> String {
        let mut row = String::with_capacity(grid.size().y as usize);
        let mut colour = None;
        for y in 0..grid.size().y {
            let at = Point::new(x, y);
            let (tile, mark) = (grid.tile(at), grid.mark(at));
            let generation = match mark {
                Mark::Generation(g) if self.generations => Some(g),
                _ => None,
            };
            let wall = tile == Tile::Wall;
            let glyph = self.glyph(at);
            match self.style {
                TextStyle::Plain | TextStyle::Digits if glyph.is_some() => row.extend(glyph),
                TextStyle::Plain => row.push(tile.plain()),
                TextStyle::Digits => row.push(match generation {
                    Some(g) if wall => char::from(b'0' + g.min(9)),
                    _ => tile.plain(),
                }),
                TextStyle::Ansi => {
                    let own = generation.map_or(GREY, |g| COLOURS[usize::from(g) % COLOURS.len()]);
                    let next = (!tile.is_open()).then_some(own);
                    if next != colour {
                        colour = next;
                        // Writing to a string cannot fail.
                        let _ = match colour {
                            Some(colour) => write!(row, "\x1b[38;5;{colour}m"),
                            None => write!(row, "\x1b[0m"),
                        };
                    }
                    row.push(glyph.unwrap_or(block(tile)));
                }
            }
        }
        if colour.is_some() {
            row.push_str("\x1b[0m");
        }
        row
    }
}

pub(super) fn write(
    dungeon: &DungeonView<'_>,
    style: TextStyle,
    options: &ExportOptions,
    job: &mut ExportTask<'_>,
) -> Result<(), ExportError> {
    let text = TextWriter {
        style,
        generations: options.generations,
        design: dungeon.design(),
    };
    let rows = dungeon.size().x;
    for x in 0..rows {
        job.at(x as u64, rows as u64)?;
        job.text(&text.row(dungeon.grid(), x))?;
        job.text("\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;
    use crate::geometry::Size;

    fn rows(style: TextStyle, generations: bool) -> Vec<String> {
        let mut grid = Grid::new(Size::new(20, 20));
        grid.set(Point::new(1, 1), Tile::Wall, Mark::Generation(3));
        grid.set(Point::new(1, 2), Tile::Wall, Mark::Generation(12));
        grid.set(Point::new(1, 3), Tile::Column, Mark::Generation(1));
        grid.set(Point::new(1, 4), Tile::HighWall, Mark::Design);
        grid.set(Point::new(1, 5), Tile::Guaranteed, Mark::Design);
        let text = TextWriter {
            style,
            generations,
            design: &ValidDesign::try_from(&Design::default()).unwrap(),
        };
        (0..2).map(|x| text.row(&grid, x)).collect()
    }

    #[test]
    fn no_feature_is_written_as_a_character_with_another_meaning() {
        let tiles = Tile::ALL.map(Tile::plain);
        for feature in Feature::all() {
            let Some(glyph) = glyph(feature) else { continue };
            assert!(!tiles.contains(&glyph) && !glyph.is_ascii_digit(), "{feature}: {glyph}");
            assert_eq!(
                glyph_means_wall(glyph),
                Some(PlacedVault::is_wall(feature)),
                "{feature}: {glyph}"
            );
        }
        let glyphs = |name| Feature::by_name(name).and_then(glyph);
        for (name, written) in [
            ("clear_permarock_wall", Some('m')),
            ("fountain_blood", Some('T')),
            ("random_altar", Some('_')),
            ("iron_grate", Some('#')),
            ("open_sea", None),
            ("malign_gateway", None),
            ("rock_wall", None),
        ] {
            assert_eq!(glyphs(name), written, "{name}");
        }
    }

    #[test]
    fn every_style_has_a_character_for_each_square() {
        assert_eq!(rows(TextStyle::Plain, true)[1], "XXXCYo.............X");
        assert_eq!(rows(TextStyle::Digits, true)[1], "X39CYo.............X");
        assert_eq!(rows(TextStyle::Digits, false)[1], "XXXCYo.............X");
        assert_eq!(
            rows(TextStyle::Ansi, true)[1],
            "\x1b[38;5;102m█\x1b[38;5;227m█\x1b[38;5;29m█\x1b[38;5;208m●\x1b[38;5;102m▲\x1b[0m·             \x1b[38;5;102m█\x1b[0m"
        );
        assert_eq!(
            rows(TextStyle::Ansi, false)[0],
            format!("\x1b[38;5;102m{}\x1b[0m", "█".repeat(20))
        );
    }
}
