//! Converts a drawing to hand-placed tiles of a new or an existing design.
//!
//! Walls become wall tiles and columns become columns. Open squares stay free for Crawlers to build on, unless they are
//! drawn or requested as guaranteed open. No tiles are placed on the outer ring of the dungeon, which is wall. Squares
//! of the ring that are open in the drawing are reported.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::square::{Drawing, DrawnSquare};
use crate::design::{Design, Diagnostic, Layout, MAX_DIMENSION, MIN_DIMENSION};
use crate::geometry::{Point, Size};
use crate::text::counted;

/// How to place a drawing in a dungeon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Placement {
    /// Dimensions of the dungeon. With `None`, an existing design keeps its dimensions, and a new design gets the
    /// dimensions that the drawing needs.
    pub size: Option<Size>,
    /// Square of the dungeon for the drawing's top left square; `None` to centre the drawing.
    pub at: Option<Point>,
    /// Whether open squares of the drawing are guaranteed to stay open.
    pub keep_open: bool,
}

/// A design with a drawing placed in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The resulting design.
    pub design: Design,
    /// Square of the dungeon that contains the drawing's top left square.
    pub at: Point,
    /// A note with the numbers of placed tiles, and a warning if open squares were lost on the outer ring.
    pub diagnostics: Vec<Diagnostic>,
}

impl Placement {
    /// Creates a design from a drawing.
    ///
    /// If `size` is `None`, the drawing determines the dimensions of the dungeon: if at least half of the drawing's
    /// edge is solid, this edge becomes the dungeon's outer ring; otherwise the dungeon extends one square beyond the
    /// drawing on each side. If `at` is set, however, it alone determines how far the dungeon extends above and to the
    /// left of the drawing. A dungeon that would be too small gets the minimum dimensions.
    ///
    /// # Errors
    ///
    /// Fails if the dimensions are out of range or the drawing does not fit.
    pub fn alone(&self, drawing: &Drawing, name: &str) -> Result<Placed, Box<Diagnostic>> {
        let edge = drawing.edge();
        let (walls, all) = edge.fold((0, 0), |(walls, all), (_, square)| {
            (walls + usize::from(square.is_solid()), all + 1)
        });
        let ring = i32::from(walls * 2 < all);
        let side = |drawn: i32, at: Option<i32>| match at {
            Some(at) => at.saturating_add(drawn).saturating_add(ring),
            None => drawn.saturating_add(2 * ring),
        };
        let drawn = drawing.size();
        let needed = Size::new(
            side(drawn.x, self.at.map(|at| at.x)).max(MIN_DIMENSION),
            side(drawn.y, self.at.map(|at| at.y)).max(MIN_DIMENSION),
        );
        let mut design = Design {
            name: name.to_owned(),
            ..Design::default()
        };
        design.layout.size = self.size.unwrap_or(needed);
        self.place(drawing, design)
    }

    /// Merges a drawing into a copy of a design. The walls, columns and guaranteed open squares of the drawing replace
    /// hand-placed tiles on the same squares; everything else in the design is unchanged.
    ///
    /// # Errors
    ///
    /// Fails if the dimensions are out of range or the drawing does not fit.
    pub fn within(&self, drawing: &Drawing, design: &Design) -> Result<Placed, Box<Diagnostic>> {
        let mut design = design.clone();
        design.layout.size = self.size.unwrap_or(design.layout.size);
        self.place(drawing, design)
    }

    /// Merges a drawing into a copy of a design, without errors or diagnostics. Leaves out the part of the drawing that
    /// lies outside the dungeon. Ignores `size`; if `at` is `None`, places the drawing's top left square at (0, 0).
    #[must_use]
    pub fn over(&self, drawing: &Drawing, design: &Design) -> Design {
        let mut design = design.clone();
        let at = self.at.unwrap_or_default();
        lay(&mut design.layout, drawing, at, self.keep_open);
        design
    }

    /// Returns the tiles that a drawing becomes in a dungeon of `size` if its top left square is placed at `at`. Yields
    /// each tile with its place, row by row. Leaves out squares that need no tile (blank or open), and squares outside
    /// the dungeon or on its outer ring.
    pub fn tiles(self, drawing: &Drawing, at: Point, size: Size) -> impl Iterator<Item = (Point, DrawnSquare)> {
        tiles(drawing, at, size, self.keep_open)
    }

    fn place(&self, drawing: &Drawing, mut design: Design) -> Result<Placed, Box<Diagnostic>> {
        let (size, drawn) = (design.layout.size, drawing.size());
        let range = MIN_DIMENSION..=MAX_DIMENSION;
        if !range.contains(&size.x) || !range.contains(&size.y) {
            let description = Diagnostic::error(format!("a dungeon cannot have {size} squares"));
            let help = format!("use dimensions from {MIN_DIMENSION} to {MAX_DIMENSION}");
            return Err(Box::new(description.help(help)));
        }
        let middle = |side: i32, drawn: i32| (side - drawn) / 2;
        let at = self
            .at
            .unwrap_or(Point::new(middle(size.x, drawn.x), middle(size.y, drawn.y)));
        let ends =
            |from: i32, drawn: i32, side: i32| from >= 0 && i64::from(from) + i64::from(drawn) <= i64::from(side);
        if !ends(at.x, drawn.x, size.x) || !ends(at.y, drawn.y, size.y) {
            let from = self.at.map_or_else(String::new, |at| format!(" at {at}"));
            let description = format!("a drawing of {drawn} squares{from} does not fit into a dungeon of {size}");
            let help = "use --size for a larger dungeon, or --at to move the drawing";
            return Err(Box::new(Diagnostic::error(description).help(help)));
        }
        let mut diagnostics = Vec::new();
        let laid = lay(&mut design.layout, drawing, at, self.keep_open);
        let mut description = vec![counted(laid.walls, "wall tile")];
        description.extend((laid.columns > 0).then(|| counted(laid.columns, "column")));
        description.extend((laid.open > 0).then(|| counted(laid.open, "open square")));
        diagnostics.push(Diagnostic::note(format!(
            "placed {} in a dungeon of {size}, with the drawing's top left square at {at}",
            description.join(", ")
        )));
        if let Some((first, openings)) = laid.openings {
            let squares = if openings == 1 {
                format!("an open square of the drawing lies at {first} on the outer wall, which stays closed")
            } else {
                format!(
                    "{openings} open squares of the drawing lie on the outer wall, which stays closed; \
                     the first is at {first}"
                )
            };
            diagnostics.push(
                Diagnostic::warning(squares)
                    .help("use a larger --size, with --at 1,1 or more, to place the drawing inside the outer wall"),
            );
        }
        Ok(Placed {
            design,
            at,
            diagnostics,
        })
    }
}

/// Number of tiles placed, by kind.
#[derive(Debug, Default)]
struct LaidTiles {
    walls: usize,
    columns: usize,
    open: usize,
    /// The first square on the outer ring that is open in the drawing, and the number of such squares; `None` if there
    /// are none.
    openings: Option<(Point, usize)>,
}

/// Returns the tiles that a drawing becomes, with their places in the dungeon. Leaves out blank and open squares, which
/// need no tile, and squares on the outer ring.
fn tiles(drawing: &Drawing, at: Point, size: Size, keep_open: bool) -> impl Iterator<Item = (Point, DrawnSquare)> {
    placed(drawing, at, size, keep_open)
        .filter(move |(to, square)| !size.on_border(*to) && !matches!(square, DrawnSquare::Blank | DrawnSquare::Open))
}

/// Returns the squares of a drawing that lie inside a dungeon, with their places in the dungeon.
fn placed(drawing: &Drawing, at: Point, size: Size, keep_open: bool) -> impl Iterator<Item = (Point, DrawnSquare)> {
    let squares = drawing.squares().map(move |(from, square)| {
        let to = Point::new(from.x.saturating_add(at.x), from.y.saturating_add(at.y));
        match square {
            DrawnSquare::Open if keep_open => (to, DrawnSquare::Kept),
            square => (to, square),
        }
    });
    squares.filter(move |(to, _)| size.contains(*to))
}

/// Adds the tiles of a drawing to a layout and removes hand-placed tiles that contradict the drawing.
fn lay(layout: &mut Layout, drawing: &Drawing, at: Point, keep_open: bool) -> LaidTiles {
    let size = layout.size;
    let mut laid = LaidTiles::default();
    let order: Vec<(Point, DrawnSquare)> = tiles(drawing, at, size, keep_open).collect();
    for (_, square) in &order {
        match square {
            DrawnSquare::Wall => laid.walls += 1,
            DrawnSquare::Column => laid.columns += 1,
            _ => laid.open += 1,
        }
    }
    let drawn: HashMap<Point, DrawnSquare> = order.iter().copied().collect();
    let ring = placed(drawing, at, size, keep_open).filter(|(to, _)| size.on_border(*to));
    for (to, _) in ring.filter(|(_, square)| matches!(square, DrawnSquare::Open | DrawnSquare::Kept)) {
        let (_, openings) = laid.openings.get_or_insert((to, 0));
        *openings += 1;
    }
    for (list, own) in [
        (&mut layout.open, DrawnSquare::Kept),
        (&mut layout.walls, DrawnSquare::Wall),
        (&mut layout.columns, DrawnSquare::Column),
    ] {
        list.retain(|at| drawn.get(at).is_none_or(|square| *square == own));
        // Do not add a tile that the layout already contains.
        let there: std::collections::HashSet<Point> = list.iter().copied().collect();
        let new = order
            .iter()
            .filter(|(at, square)| *square == own && !there.contains(at));
        list.extend(new.map(|(at, _)| *at));
    }
    laid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Tile;
    use crate::engine::stage_one::build;

    /// Parses rows: `#` is a wall, `C` a column, `o` guaranteed open, `.` open; any other character is blank.
    fn drawing(rows: &[String]) -> Drawing {
        let square = |c| match c {
            '#' => DrawnSquare::Wall,
            'C' => DrawnSquare::Column,
            'o' => DrawnSquare::Kept,
            '.' => DrawnSquare::Open,
            _ => DrawnSquare::Blank,
        };
        let rows: Vec<Vec<DrawnSquare>> = rows.iter().map(|row| row.chars().map(square).collect()).collect();
        Drawing::of_rows(&rows)
    }

    fn ringed(x: usize, y: usize) -> Vec<String> {
        let inner = format!("#{}#", ".".repeat(y - 2));
        let mut rows = vec!["#".repeat(y)];
        rows.extend(vec![inner; x - 2]);
        rows.push("#".repeat(y));
        rows
    }

    #[test]
    fn a_drawing_with_a_ring_becomes_the_dungeon() {
        let mut rows = ringed(22, 31);
        rows[5].replace_range(3..7, "##Co");
        rows[0].replace_range(9..10, ".");
        let placed = Placement::default().alone(&drawing(&rows), "maze").unwrap();
        let layout = &placed.design.layout;
        assert_eq!((layout.size, placed.at), (Size::new(22, 31), Point::new(0, 0)));
        assert_eq!(layout.walls, [Point::new(5, 3), Point::new(5, 4)]);
        assert_eq!(layout.columns, [Point::new(5, 5)]);
        assert_eq!(layout.open, [Point::new(5, 6)]);
        assert_eq!(placed.design.name, "maze");
        let description: Vec<String> = placed.diagnostics.iter().map(ToString::to_string).collect();
        assert!(
            description[0].contains("placed 2 wall tiles, 1 column, 1 open square in a dungeon of 22 × 31"),
            "{description:?}"
        );
        assert!(
            description[1].contains("an open square of the drawing lies at row 0, column 9"),
            "{description:?}"
        );
        // Stage one builds the same tiles, without diagnostics.
        let valid = placed.design.validate(None).design.unwrap();
        let built = build(&valid);
        assert_eq!(built.diagnostics, []);
        assert_eq!(built.grid.tile(Point::new(5, 4)), Tile::Wall);
        assert_eq!(built.grid.tile(Point::new(4, 5)), Tile::Open);
    }

    #[test]
    fn an_open_or_small_drawing_gets_a_ring_and_room() {
        let scattered = vec!["#...........................#".to_owned(); 25];
        let placed = Placement::default().alone(&drawing(&scattered), "").unwrap();
        let layout = &placed.design.layout;
        assert_eq!((layout.size, placed.at), (Size::new(27, 31), Point::new(1, 1)));
        assert_eq!(layout.walls.len(), 50);
        assert!(layout.walls.contains(&Point::new(25, 29)));
        let small = Placement::default().alone(&drawing(&ringed(4, 30)), "").unwrap();
        assert_eq!(
            (small.design.layout.size, small.at),
            (Size::new(20, 30), Point::new(8, 0))
        );
        let asked = Placement {
            at: Some(Point::new(2, 3)),
            ..Placement::default()
        };
        let placed = asked.alone(&drawing(&scattered), "").unwrap();
        assert_eq!(
            (placed.design.layout.size, placed.at),
            (Size::new(28, 33), Point::new(2, 3))
        );
    }

    #[test]
    fn a_drawing_that_does_not_fit_is_reported() {
        let placing = |size: Option<Size>, at: Option<Point>| Placement {
            size,
            at,
            keep_open: false,
        };
        let rows = drawing(&ringed(22, 31));
        let description = |placing: Placement| placing.alone(&rows, "").unwrap_err().message;
        assert!(
            description(placing(Some(Size::new(31, 22)), None))
                .contains("22 × 31 squares does not fit into a dungeon of 31 × 22")
        );
        assert!(description(placing(None, Some(Point::new(-1, 0)))).contains("squares at row -1, column 0 does"));
        assert!(description(placing(Some(Size::new(5, 40)), None)).contains("cannot have 5 × 40"));
        assert!(description(placing(None, Some(Point::new(i32::MAX, 0)))).contains("cannot have"));
    }

    #[test]
    fn a_merged_drawing_replaces_only_the_squares_that_it_draws() {
        let mut design = Design::default();
        let layout = &mut design.layout;
        layout.size = Size::new(30, 40);
        let [a, b, c, d] = [(5, 6), (5, 7), (5, 8), (9, 9)].map(|(x, y)| Point::new(x, y));
        layout.walls = vec![d, a, c];
        layout.open = vec![b];
        let before = design.clone();
        let placing = Placement {
            at: Some(a),
            ..Placement::default()
        };
        let drawn = drawing(&["##.".into(), "C o".into()]);
        let placed = placing.within(&drawn, &design).unwrap();
        let layout = &placed.design.layout;
        assert_eq!(layout.walls, [d, a, c, b]);
        assert_eq!(layout.columns, [Point::new(6, 6)]);
        assert_eq!(layout.open, [Point::new(6, 8)]);
        assert_eq!(placed.design.character, before.character);
        let kept = Placement {
            keep_open: true,
            ..placing
        };
        let layout = kept.within(&drawn, &design).unwrap().design.layout;
        assert_eq!(layout.walls, [d, a, b]);
        assert_eq!(layout.open, [c, Point::new(6, 8)]);
    }
}
