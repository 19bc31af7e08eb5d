//! Drawings that were imported into the open design: which files they came from, and how newer versions are merged.
//!
//! A reimport is a three-way merge of an imported version of the drawing, the new version and the design. Squares that
//! changed in the drawing are updated, unless the user has edited them since the import; all other squares stay
//! unchanged. The imported version is the one that the design resembles most. This is not always the latest one, since
//! undo may have reverted the latest import.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::drawing::DrawingImport;
use crate::design::{CrawlerStart, Design, Layout};
use crate::geometry::{Point, Size};
use crate::import::{Drawing, DrawnSquare, Placed, Placement};

/// Maximum number of imported versions of a drawing that are stored.
const TAKES: usize = 8;

/// A version of a drawing, and where it was placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedTiles {
    drawing: Arc<Drawing>,
    placing: Placement,
    /// Square of the dungeon at the drawing's top left corner.
    at: Point,
    /// Dimensions of the dungeon at the time of the import.
    size: Size,
    /// First Crawlers of the design that was made from the drawing; `None` if the drawing was placed into a design.
    crawlers: Option<Vec<CrawlerStart>>,
}

impl ImportedTiles {
    /// Creates a version of a drawing that was placed into an existing design of dimensions `size`.
    pub const fn laid(drawing: Arc<Drawing>, placing: Placement, at: Point, size: Size) -> Self {
        Self {
            drawing,
            placing,
            at,
            size,
            crawlers: None,
        }
    }

    /// Creates a version of a drawing that the whole design was made from.
    pub fn alone(drawing: Arc<Drawing>, placing: Placement, placed: &Placed) -> Self {
        Self {
            drawing,
            placing,
            at: placed.at,
            size: placed.design.layout.size,
            crawlers: Some(placed.design.layout.crawlers.clone()),
        }
    }

    /// Returns the tiles of the drawing, keyed by their squares in a dungeon of dimensions `size`.
    fn tiles(&self, size: Size) -> HashMap<Point, DrawnSquare> {
        self.placing.tiles(&self.drawing, self.at, size).collect()
    }
}

/// A file from which a drawing was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingSource {
    /// Path of the file.
    pub path: PathBuf,
    /// Import settings. For a drawing that was placed into an existing design, they include its position.
    pub import: DrawingImport,
    /// Digest of the file's content when it was last imported, or when a change to the file was last reported.
    pub digest: u64,
    /// Imported versions, from the oldest to the latest.
    takes: Vec<ImportedTiles>,
}

/// Result of merging a newer version of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingMerge {
    /// The merged design.
    pub design: Design,
    /// Number of squares that the merge changes in the design.
    pub changed: usize,
    /// Number of squares that keep the user's edits although they also changed in the drawing.
    pub kept: usize,
}

impl DrawingSource {
    /// Creates a source for a file's first import.
    pub fn new(path: PathBuf, import: DrawingImport, digest: u64, taken: ImportedTiles) -> Self {
        Self {
            path,
            import,
            digest,
            takes: vec![taken],
        }
    }

    /// Returns the name of the file.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Returns whether the whole design was made from the drawing.
    pub fn is_whole(&self) -> bool {
        self.takes.iter().any(|taken| taken.crawlers.is_some())
    }

    /// Records a version as the latest. If more than `TAKES` versions are stored, the oldest are removed.
    pub fn take(&mut self, taken: ImportedTiles) {
        self.takes.retain(|before| *before != taken);
        self.takes.push(taken);
        let surplus = self.takes.len().saturating_sub(TAKES);
        self.takes.drain(..surplus);
    }

    /// Returns the imported version that is most similar to the hand-placed tiles `there`, and the tiles of that
    /// version. Returns `None` if the design contains no tile of that version.
    fn shown(&self, there: &HashMap<Point, DrawnSquare>) -> Option<(&ImportedTiles, HashMap<Point, DrawnSquare>)> {
        let known = self.takes.iter().map(|taken| (taken, taken.tiles(taken.size)));
        let known: Vec<_> = known.collect();
        let all: HashSet<Point> = known.iter().flat_map(|(_, tiles)| tiles.keys().copied()).collect();
        let alike =
            |tiles: &HashMap<Point, DrawnSquare>| all.iter().filter(|at| tiles.get(at) == there.get(at)).count();
        let best = known.into_iter().max_by_key(|(_, tiles)| alike(tiles));
        best.filter(|(_, tiles)| tiles.iter().any(|(at, square)| there.get(at) == Some(square)))
    }

    /// Merges a new version of the drawing into the design. Returns `None` if the design no longer contains any tile of
    /// the drawing.
    pub fn merged(&self, design: &Design, new: &ImportedTiles) -> Option<DrawingMerge> {
        let there = placed(&design.layout);
        let (old, before) = self.shown(&there)?;
        let mut design = design.clone();
        let layout = &mut design.layout;
        let is_whole = old.crawlers.is_some();
        if is_whole && layout.size == old.size {
            layout.size = new.size;
        }
        if let (Some(old), Some(new)) = (&old.crawlers, &new.crawlers)
            && layout.crawlers == *old
        {
            layout.crawlers.clone_from(new);
        }
        let after = new.tiles(layout.size);
        let mut changes = BTreeMap::new();
        let mut kept = 0;
        for at in before.keys().chain(after.keys().filter(|at| !before.contains_key(at))) {
            let (old, new, now) = (before.get(at), after.get(at), there.get(at));
            if old == new || new == now {
                continue;
            }
            if now == old {
                changes.insert(*at, new.copied());
            } else {
                kept += 1;
            }
        }
        apply(layout, &changes);
        Some(DrawingMerge {
            changed: changes.len(),
            design,
            kept,
        })
    }
}

/// Returns the hand-placed tiles and guaranteed-open squares of a layout by position.
pub(super) fn placed(layout: &Layout) -> HashMap<Point, DrawnSquare> {
    let lists = [
        (&layout.open, DrawnSquare::Kept),
        (&layout.walls, DrawnSquare::Wall),
        (&layout.columns, DrawnSquare::Column),
    ];
    let all = lists
        .into_iter()
        .flat_map(|(list, square)| list.iter().map(move |at| (*at, square)));
    all.collect()
}

/// Replaces the hand-placed tile on each square of `changes`; `None` removes it.
pub(super) fn apply(layout: &mut Layout, changes: &BTreeMap<Point, Option<DrawnSquare>>) {
    for (list, own) in [
        (&mut layout.open, DrawnSquare::Kept),
        (&mut layout.walls, DrawnSquare::Wall),
        (&mut layout.columns, DrawnSquare::Column),
    ] {
        list.retain(|at| !changes.contains_key(at));
        let new = changes.iter().filter(|(_, square)| **square == Some(own));
        list.extend(new.map(|(at, _)| *at));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::document::drawing_of;

    fn drawing(rows: &[&str]) -> Arc<Drawing> {
        let options = crate::import::ImportOptions {
            walls: Some("#".into()),
            ..crate::import::ImportOptions::default()
        };
        let bytes = rows.join("\n").into_bytes();
        Arc::new(drawing_of(Path::new("a.txt"), bytes, &options).unwrap().drawing)
    }

    /// Places a drawing at (10, 10) of an empty dungeon, and returns its source and the design.
    fn laid(rows: &[&str]) -> (DrawingSource, Design) {
        let mut design = Design::default();
        design.layout.size = Size::new(30, 30);
        let taken = again(rows);
        let mut placing = taken.placing;
        placing.at = Some(taken.at);
        let with = placing.over(&taken.drawing, &design);
        let source = DrawingSource::new("a.txt".into(), DrawingImport::default(), 0, taken);
        (source, with)
    }

    fn again(rows: &[&str]) -> ImportedTiles {
        let at = Point::new(10, 10);
        ImportedTiles::laid(drawing(rows), Placement::default(), at, Size::new(30, 30))
    }

    fn walls(design: &Design) -> Vec<(i32, i32)> {
        let mut walls: Vec<_> = design.layout.walls.iter().map(|at| (at.x - 10, at.y - 10)).collect();
        walls.sort_unstable();
        walls
    }

    #[test]
    fn squares_are_updated_from_the_drawing_and_edits_are_kept() {
        let (source, mut design) = laid(&["###", "#.#"]);
        // The user removes a wall tile, adds another inside the drawing, and adds one outside it.
        design.layout.walls.retain(|at| *at != Point::new(10, 11));
        design.layout.walls.extend([Point::new(11, 11), Point::new(20, 20)]);
        let merged = source.merged(&design, &again(&["##.", "#.#", "..#"])).unwrap();
        assert_eq!(
            walls(&merged.design),
            [(0, 0), (1, 0), (1, 1), (1, 2), (2, 2), (10, 10)]
        );
        assert_eq!((merged.changed, merged.kept), (2, 0));
        // A square that the user edited keeps the edit, even if it also changed in the drawing.
        let merged = source.merged(&design, &again(&["#.#", "#C#"])).unwrap();
        assert_eq!(
            (merged.changed, merged.kept),
            (0, 0),
            "both sides removed the same wall"
        );
        design.layout.walls.retain(|at| *at != Point::new(10, 12));
        design.layout.columns.push(Point::new(10, 12));
        let merged = source.merged(&design, &again(&["##.", "#.#"])).unwrap();
        assert_eq!((merged.changed, merged.kept), (0, 1));
        assert_eq!(merged.design, design);
    }

    #[test]
    fn the_version_restored_by_undo_is_the_base_of_the_merge() {
        let (mut source, first) = laid(&["###", "#.#"]);
        source.take(again(&["#.#", "###"]));
        let third = again(&["#.#", "#.#"]);
        let merged = source.merged(&first, &third).unwrap();
        assert_eq!((merged.changed, merged.kept), (1, 0), "from the first state");
        assert_eq!(walls(&merged.design), [(0, 0), (0, 2), (1, 0), (1, 2)]);
        // Once the design contains no tile of the drawing, the drawing is not reimported.
        let mut empty = first;
        empty.layout.walls.clear();
        assert_eq!(source.merged(&empty, &third), None);
        for _ in 0..2 * TAKES {
            source.take(third.clone());
        }
        assert_eq!(source.takes.len(), 3, "one state is remembered once");
    }

    #[test]
    fn a_design_of_a_drawing_grows_with_it_unless_it_was_resized() {
        let ring = |rows: usize| {
            let mut ring = vec!["#".repeat(40)];
            ring.extend(vec![format!("#{}#", ".".repeat(38)); rows]);
            ring.push("#".repeat(40));
            ring[9].replace_range(12..16, "####");
            ring.join("\n")
        };
        let import = DrawingImport::default();
        let read = |rows: usize| drawing(&[&ring(rows)]);
        let taken = |rows: usize| {
            let placed = import.alone(&read(rows), "a").unwrap();
            (ImportedTiles::alone(read(rows), import.placing, &placed), placed.design)
        };
        let ((first, design), (second, larger)) = (taken(28), taken(38));
        let source = DrawingSource::new("a.txt".into(), import.clone(), 0, first);
        assert!(source.is_whole());
        let merged = source.merged(&design, &second).unwrap();
        assert_eq!(merged.design.layout.size, Size::new(40, 40));
        assert_eq!(merged.design, larger, "the first Crawler goes with it");
        let mut edited = design;
        edited.layout.size = Size::new(60, 60);
        edited.layout.crawlers.clear();
        let merged = source.merged(&edited, &second).unwrap();
        assert_eq!(
            (merged.design.layout.size, merged.design.layout.crawlers.len()),
            (Size::new(60, 60), 0)
        );
    }
}
