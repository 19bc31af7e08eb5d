//! Serializes grids, and validates them when they are read.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Grid, Mark, Tile};
use crate::geometry::{Point, Size};

/// The serialized form of a grid, as in the JSON export: one string of tiles per row, and for each tile the generation
/// of the Builder that laid it, or -1 if the tile comes from the design.
#[derive(Serialize, Deserialize)]
struct GridData {
    size: Size,
    tiles: Vec<String>,
    generations: Vec<Vec<i16>>,
}

impl Serialize for Grid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let size = self.size();
        let generation = |x, y| match self.mark(Point::new(x, y)) {
            Mark::Design => -1,
            Mark::Generation(generation) => i16::from(generation),
        };
        let tile = |x, y| self.tile(Point::new(x, y)).plain();
        let wire = GridData {
            size,
            tiles: (0..size.x).map(|x| (0..size.y).map(|y| tile(x, y)).collect()).collect(),
            generations: (0..size.x)
                .map(|x| (0..size.y).map(|y| generation(x, y)).collect())
                .collect(),
        };
        wire.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Grid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        GridData::deserialize(deserializer)?.grid().map_err(de::Error::custom)
    }
}

impl GridData {
    fn grid(self) -> Result<Grid, String> {
        let Size { x: rows, y: columns } = self.size;
        let is = |length: usize, wanted: i32| usize::try_from(wanted) == Ok(length);
        if !is(self.tiles.len(), rows) || !is(self.generations.len(), rows) {
            return Err(format!(
                "a dungeon of {rows} rows needs {rows} rows in `tiles` and {rows} rows in `generations`"
            ));
        }
        // Check all lengths before allocating a grid of the given size.
        let fits = |(tiles, generations): (&String, &Vec<i16>)| {
            is(tiles.chars().count(), columns) && is(generations.len(), columns)
        };
        if columns < 0 || !self.tiles.iter().zip(&self.generations).all(fits) {
            return Err(format!(
                "each row of `tiles` needs {columns} characters, and each row of `generations` {columns} numbers"
            ));
        }
        let mut grid = Grid::new(self.size);
        for (x, (tiles, generations)) in (0..).zip(self.tiles.iter().zip(&self.generations)) {
            for (y, (tile, generation)) in (0..).zip(tiles.chars().zip(generations)) {
                let known = Tile::ALL.into_iter().find(|known| known.plain() == tile);
                let tile = known.ok_or_else(|| format!("`{tile}` is not a tile; use one of . o X Y C"))?;
                let mark = match u8::try_from(*generation) {
                    Ok(generation @ ..=Mark::LAST) => Mark::Generation(generation),
                    _ if *generation == -1 => Mark::Design,
                    _ => return Err(format!("{generation} is not a generation; use -1 to {}", Mark::LAST)),
                };
                grid.set(Point::new(x, y), tile, mark);
            }
        }
        Ok(grid)
    }
}
