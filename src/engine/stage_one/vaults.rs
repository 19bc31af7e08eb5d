//! Places resolved vaults in the dungeon: their walls, their open squares, and the squares kept open around their
//! exits.
//!
//! A vault replaces the tiles of rooms and hand-placed tiles. Its solid squares, except doors, become wall. All its
//! other squares are guaranteed open, so that no Crawler builds inside. To leave room for a corridor at each exit, up
//! to minCorrWidth squares in each direction from the exit are also guaranteed open, or 1 square if minCorrWidth is
//! less than 1.

use crate::design::{Diagnostic, Entry, Place, PlacedVault, PlacementError, ValidDesign, standing, way_out};
use crate::geometry::Point;

use super::layout::{BuiltLayout, put};
use crate::engine::grid::Tile;

/// Places the vaults that fit. A vault that overlaps an earlier one is left out and reported.
pub(super) fn place(design: &ValidDesign, built: &mut BuiltLayout) {
    let size = design.layout.size;
    let (placed, others) = standing(design.pieces(), size);
    built
        .diagnostics
        .extend(others.iter().map(|(piece, why)| rejection(piece, why)));
    built
        .left_out
        .extend(others.iter().map(|(piece, _)| Entry::Vault(piece.vault)));
    for (at, feature) in placed.iter().flat_map(|piece| piece.features()) {
        let tile = if PlacedVault::is_wall(feature) {
            Tile::Wall
        } else {
            Tile::Guaranteed
        };
        put(&mut built.grid, at, tile);
    }
    for piece in &placed {
        let ways: Vec<Point> = piece
            .exits
            .iter()
            .flat_map(|exit| way_out(*exit, design.constants.way_out(), &placed, size))
            .collect();
        for at in &ways {
            put(&mut built.grid, *at, Tile::Guaranteed);
        }
        if ways.is_empty() && !piece.exits.is_empty() {
            built.diagnostics.push(
                Diagnostic::warning(format!(
                    "every exit of {} faces the outer wall or another vault",
                    vault_label(piece)
                ))
                .at(Place::entry(Entry::Vault(piece.vault)))
                .help("move the vault further inwards, or turn it"),
            );
        }
    }
    warn_of_starts(&placed, design, built);
}

/// Returns a vault's label: `vault 2 (lich_hall)`.
fn vault_label(piece: &PlacedVault) -> String {
    format!("{} ({})", Entry::Vault(piece.vault).label(), piece.name)
}

fn rejection(piece: &PlacedVault, why: &PlacementError<'_>) -> Diagnostic {
    let (message, help) = match why {
        PlacementError::Overlaps(other) => (
            format!(
                "{} is left out, because it overlaps {}",
                vault_label(piece),
                vault_label(other)
            ),
            "move one of them",
        ),
        PlacementError::TooFar => (
            format!("{} reaches past the outer wall; it is left out", vault_label(piece)),
            "move it inwards, or make the dungeon larger",
        ),
    };
    let at = Place::entry(Entry::Vault(piece.vault));
    Diagnostic::warning(message).at(at).help(help)
}

/// Warns about first Crawlers that start inside a vault, where no Builder can build.
fn warn_of_starts(placed: &[&PlacedVault], design: &ValidDesign, built: &mut BuiltLayout) {
    for (index, crawler) in design.layout.crawlers.iter().enumerate() {
        let inside = placed.iter().find(|piece| piece.feature(crawler.at).is_some());
        if let Some(piece) = inside.filter(|_| built.grid.tile(crawler.at).is_open()) {
            built.diagnostics.push(
                Diagnostic::warning(format!(
                    "{} starts inside {}, where no Builder can build",
                    Entry::Crawler(index).label(),
                    vault_label(piece)
                ))
                .at(Place::entry(Entry::Crawler(index)))
                .help("start the Crawler on the vault's wall or outside the vault"),
            );
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::design::{CrawlerStart, Design, Feature};
    use crate::engine::stage_one::build;
    use crate::geometry::Size;

    /// Builds a vault from rows: `x` is a wall, `.` floor, `+` a door that is an exit, and a space lies outside the
    /// map.
    pub(in crate::engine::stage_one) fn piece(vault: usize, at: Point, rows: &[&str]) -> PlacedVault {
        let size = Size::new(rows.len() as i32, rows[0].len() as i32);
        let mut squares = Vec::new();
        let mut exits = Vec::new();
        for (x, row) in (at.x..).zip(rows) {
            for (y, glyph) in (at.y..).zip(row.bytes()) {
                squares.push(Feature::of_glyph(glyph).filter(|_| glyph != b' '));
                if glyph == b'+' {
                    exits.push(Point::new(x, y));
                }
            }
        }
        PlacedVault {
            vault,
            name: "test".into(),
            at,
            size,
            squares,
            exits,
            contents: Vec::new(),
        }
    }

    const CELL: [&str; 4] = ["xxxx ", "x..xx", "x...+", "xxxxx"];

    fn built(pieces: Vec<PlacedVault>, change: impl FnOnce(&mut Design)) -> BuiltLayout {
        let mut design = Design::default();
        design.layout.size = Size::new(30, 30);
        change(&mut design);
        build(&design.validate(None).design.unwrap().with_pieces(pieces))
    }

    #[test]
    fn vaults_have_walls_and_keep_their_insides_and_exits_open() {
        let built = built(vec![piece(0, Point::new(5, 7), &CELL)], |design| {
            design.constants.min_corr_width = 3;
            design.layout.walls = vec![Point::new(6, 8), Point::new(7, 12)];
        });
        let tile = |x, y| built.grid.tile(Point::new(x, y));
        assert_eq!(tile(5, 7), Tile::Wall);
        assert_eq!(tile(6, 8), Tile::Guaranteed);
        assert_eq!(tile(7, 11), Tile::Guaranteed);
        assert_eq!(
            [12, 13, 14, 15].map(|y| tile(7, y)),
            [Tile::Guaranteed, Tile::Guaranteed, Tile::Guaranteed, Tile::Open]
        );
        // A space in the map leaves the dungeon's square unchanged.
        assert_eq!(tile(5, 11), Tile::Open);
        assert!(built.diagnostics.is_empty(), "{:?}", built.diagnostics);
    }

    #[test]
    fn vaults_that_do_not_fit_are_left_out_and_reported() {
        let pieces = vec![
            piece(0, Point::new(5, 7), &CELL),
            piece(1, Point::new(8, 11), &CELL),
            piece(2, Point::new(26, 3), &CELL),
            piece(3, Point::new(20, 24), &CELL),
        ];
        let built = built(pieces, |design| {
            design.layout.crawlers = vec![CrawlerStart {
                at: Point::new(6, 8),
                ..CrawlerStart::default()
            }];
        });
        let messages = built.diagnostics.iter().map(|d| d.message.clone());
        let messages: Vec<String> = messages.filter(|message| message.contains(" (test)")).collect();
        assert_eq!(messages.len(), 4, "{messages:#?}");
        assert!(messages[0].contains("vault 2 (test) is left out, because it overlaps vault 1"));
        assert!(messages[1].contains("vault 3 (test) reaches past the outer wall"));
        assert!(messages[2].contains("every exit of vault 4"));
        assert!(messages[3].contains("Crawler 1 starts inside vault 1"));
        assert_eq!(built.grid.tile(Point::new(10, 15)), Tile::Open);
    }
}
