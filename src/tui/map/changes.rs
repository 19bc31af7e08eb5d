//! What the last edit changed: compares the dungeon shown with the one that it replaced.
//!
//! The replaced dungeon is the one that was on the screen at the time of the edit ([`crate::tui::time`] stores it);
//! playback does not change it. Dungeons of different sizes are not compared.

use super::wall_frequency;
use crate::engine::{Grid, Tile};
use crate::recording::Frame;
use crate::tui::commands::ColourMode;
use crate::tui::editor::Editor;
use crate::tui::viewport::{AlternativeDungeon, LegendEntry, LegendRow, SquareChange};

impl SquareChange {
    /// Every variant, in the order of the theme's colours.
    const ALL: [Self; 3] = [Self::Appeared, Self::Vanished, Self::Same];

    /// Returns the change from one tile to another; `None` if both are open.
    pub(super) fn of(before: Tile, now: Tile) -> Option<Self> {
        match (before.is_open(), now.is_open()) {
            (true, true) => None,
            (false, true) => Some(Self::Vanished),
            (false, false) if before == now => Some(Self::Same),
            (_, false) => Some(Self::Appeared),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Appeared => "appeared",
            Self::Vanished => "vanished",
            Self::Same => "the same",
        }
    }
}

/// Returns the dungeon from before the last edit, with which the frame is compared; `None` if there is none or its size
/// differs from the frame's.
pub(super) fn compared<'a>(editor: &'a Editor, frame: &Frame) -> Option<&'a Grid> {
    editor
        .time
        .before()
        .filter(|before| before.size() == frame.grid().size())
}

/// Returns the alternative dungeon (grown with a single change to the run) that is shown in place of the run's own.
/// `None` before the run's end, or if there is no alternative for this run.
pub(super) fn alternative<'a>(editor: &'a Editor, frame: &Frame) -> Option<&'a AlternativeDungeon> {
    let shown = editor.map.alternative.as_ref()?;
    let is_at_end = editor.time.turn() == editor.time.turns();
    let fits = shown.run == editor.time.run_number() && shown.grid.size() == frame.grid().size();
    (is_at_end && fits).then_some(shown)
}

/// Returns the two dungeons that are compared. The first is the dungeon from before the last edit or, if an alternative
/// dungeon is shown, the run's own.
pub(super) fn pair<'a>(editor: &'a Editor, frame: &'a Frame) -> Option<[&'a Grid; 2]> {
    if let Some(shown) = alternative(editor, frame) {
        return Some([frame.grid(), &shown.grid]);
    }
    compared(editor, frame).map(|before| [before, frame.grid()])
}

/// Returns the colour mode in effect. The mode for changes falls back to generations while there is no dungeon to
/// compare with; so does the mode for wall frequency while there is no wall count.
pub(super) fn shown(editor: &Editor) -> ColourMode {
    let colours = editor.map.colours;
    let compares = || editor.time.frame().is_some_and(|frame| pair(editor, frame).is_some());
    let counts = || {
        let frame = editor.time.frame();
        frame.is_some_and(|frame| wall_frequency::shown(editor, frame.grid().size()).is_some())
    };
    if colours == ColourMode::Changes && !compares() || colours == ColourMode::WallFrequency && !counts() {
        ColourMode::Generation
    } else {
        colours
    }
}

/// Returns the legend's rows for the tiles that appeared, vanished or stayed.
pub(super) fn rows(editor: &Editor, frame: &Frame) -> Vec<LegendRow> {
    let Some([before, grid]) = pair(editor, frame) else {
        return Vec::new();
    };
    let [mut appeared, mut vanished, mut replaced] = [0; 3];
    for at in grid.differences(before) {
        match SquareChange::of(before.tile(at), grid.tile(at)) {
            Some(SquareChange::Appeared) => {
                appeared += 1;
                replaced += u64::from(!before.tile(at).is_open());
            }
            Some(SquareChange::Vanished) => vanished += 1,
            // The tile is the same, but another generation may have laid it.
            Some(SquareChange::Same) | None => {}
        }
    }
    let kinds = frame.kinds().into_iter();
    let standing: u64 = Tile::ALL
        .into_iter()
        .zip(kinds)
        .filter(|(tile, _)| !tile.is_open())
        .map(|(_, tiles)| tiles)
        .sum();
    // The frame is the later dungeon, unless an alternative dungeon is shown in its place.
    let is_other = alternative(editor, frame).is_some();
    // A tile that replaces one of another kind counts as appeared.
    let both = standing.saturating_sub(if is_other { vanished + replaced } else { appeared });
    let counts = [appeared, vanished, both];
    let rows = SquareChange::ALL.into_iter().zip(counts);
    rows.map(|(change, tiles)| LegendRow::new(LegendEntry::Change(change), change.name(), tiles))
        .collect()
}

/// Toggles the colours for the last edit's changes. Warns if there is no earlier dungeon of the same size.
pub(super) fn toggle(editor: &mut Editor) {
    if editor.map.colours == ColourMode::Changes {
        editor.map.colours = editor.map.chosen_colours;
        return;
    }
    let now = editor.time.frame().map(|frame| frame.grid().size());
    match (editor.time.before().map(Grid::size), now) {
        (Some(before), Some(now)) if before == now => {
            if editor.map.colours != ColourMode::WallFrequency {
                editor.map.chosen_colours = editor.map.colours;
            }
            editor.map.colours = ColourMode::Changes;
        }
        (Some(before), Some(_)) => editor.warn(format!(
            "cannot compare: the previous dungeon had a different size, {before}; try again after the next edit"
        )),
        _ => editor.warn("no earlier dungeon to compare with: edit the design first"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::analysis::counterfactual::{Alternative, AlternativeSubject};
    use crate::design::List;
    use crate::engine::{Intervention, Mark};
    use crate::geometry::{Point, Size};
    use crate::recording::EventChunk;
    use crate::tui::fixture::{TestApp, spiral};
    use crate::tui::map::scene::Scene;
    use crate::tui::theme::{Depth, Theme};

    use super::*;
    use crate::tui::viewport::Zoom;

    /// Returns an app in which a run of five generations was replaced by a run of three generations with one more
    /// column tile in its design.
    fn edited(width: u16, height: u16) -> TestApp {
        let mut designer = TestApp::grown(width, height);
        let (mut start, prelude, track) = spiral(3);
        start.set(Point::new(20, 26), Tile::Column, Mark::Design);
        designer.receive_run((start, prelude, track));
        designer
    }

    fn counts(designer: &TestApp) -> [u64; 3] {
        let frame = designer.app.editor.time.frame().unwrap();
        rows(&designer.app.editor, frame)
            .iter()
            .map(|row| row.tiles)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap()
    }

    #[test]
    fn squares_are_counted_as_they_are_drawn() {
        let before = TestApp::grown(120, 40);
        let old = before.app.editor.time.frame().unwrap().grid();
        let mut designer = edited(120, 40);
        designer.keys("w");
        let frame = designer.app.editor.time.frame().unwrap();
        let (new, scene) = (
            frame.grid(),
            Scene::new(&designer.app.editor, frame, Zoom::Double, false),
        );
        let squares = new.size().points();
        let mut expected = [0; 3];
        for at in squares {
            let change = match (old.tile(at).is_open(), new.tile(at).is_open()) {
                (true, true) => None,
                (true, false) => Some(SquareChange::Appeared),
                (false, true) => Some(SquareChange::Vanished),
                (false, false) => Some(SquareChange::Same),
            };
            assert_eq!(scene.entry(at), change.map(LegendEntry::Change), "{at}");
            expected[change.map_or(2, |change| change as usize)] += u64::from(change.is_some());
        }
        assert_eq!(counts(&designer), expected);
        assert_eq!(expected[0], 1, "the column");
        assert!(expected[1] > 10, "what two generations laid: {expected:?}");
    }

    #[test]
    fn changes_match_the_snapshot() {
        let mut designer = edited(120, 40);
        designer.keys("w");
        insta::assert_snapshot!("what_changed", designer.text());
        let colours = designer.app.editor.theme.changes();
        let screen = designer.screen();
        for color in colours {
            assert!(screen.content().iter().any(|cell| cell.fg == color));
        }
        let shown =
            |designer: &TestApp, sign: &str| designer.screen().content().iter().any(|cell| cell.symbol() == sign);
        designer.app.editor.theme = Theme::new(Depth::None);
        designer.keys("0+");
        assert!(shown(&designer, "-"), "without colours vanished tiles have a sign");
        // On a narrow screen, the map's border shows the numbers of changed tiles.
        let mut designer = edited(100, 24);
        designer.keys("w");
        let vanished = counts(&designer)[1];
        assert!(
            designer.text().contains(&format!("changes +1 −{vanished} =")),
            "{}",
            designer.text()
        );
        designer.keys("w");
        assert!(!designer.text().contains(&format!("−{vanished}")));
    }

    #[test]
    fn changes_are_visible_at_far_zooms() {
        let mut designer = edited(120, 40);
        designer.keys("w");
        let frame = designer.app.editor.time.frame().unwrap();
        for zoom in [Zoom::Half, Zoom::Dots(1), Zoom::Dots(8)] {
            let scene = Scene::new(&designer.app.editor, frame, zoom, false);
            let block = scene.sample(Point::new(19, 25), Size::new(4, 4));
            assert_eq!(block, Some(LegendEntry::Change(SquareChange::Appeared)), "{zoom:?}");
        }
    }

    #[test]
    fn only_edits_are_compared() {
        let mut designer = TestApp::grown(120, 40);
        designer.keys("w");
        assert!(designer.text().contains("no earlier dungeon to compare with"));
        assert_eq!(shown(&designer.app.editor), ColourMode::Generation);
        designer.keys("g");
        designer.keys("w");
        assert!(designer.text().contains("no earlier dungeon"), "a seek is no edit");
        designer.keys("G");
        designer.receive_run(spiral(5));
        designer.keys("tw");
        let same = counts(&designer);
        assert_eq!(same[..2], [0, 0], "the same run again");
        assert!(!designer.text().contains("or over time"));
        designer.keys("g");
        assert!(counts(&designer)[1] > 0);
        assert!(designer.text().contains("or over time"));
        designer.keys("w");
        assert_eq!(shown(&designer.app.editor), ColourMode::Age, "as it was before");
    }

    #[test]
    fn the_comparison_uses_the_moment_that_was_shown() {
        let mut designer = TestApp::grown(120, 40);
        designer.app.editor.time.seek(23);
        designer.receive_run(spiral(5));
        designer.keys("w");
        assert_eq!(counts(&designer)[..2], [0, 0]);
        // A run that is still growing at the next edit does not become the dungeon to compare with.
        let seen = designer.app.editor.time.frame().unwrap().grid().clone();
        designer.receive_part(spiral(5), 1);
        designer.app.advance(std::time::Duration::from_secs(1));
        assert_eq!(designer.app.editor.time.turn(), 0, "the new run is shown as it grows");
        assert_eq!(designer.app.editor.time.before(), Some(&seen));
        designer.receive_run(spiral(5));
        assert_eq!(designer.app.editor.time.before(), Some(&seen));
        assert_eq!(counts(&designer)[..2], [0, 0]);
        assert!(!designer.app.editor.time.has_moved());
    }

    #[test]
    fn another_size_is_reported() {
        let mut designer = edited(120, 40);
        designer.keys("w");
        let small = (
            Grid::new(Size::new(30, 30)),
            EventChunk::default(),
            EventChunk::default(),
        );
        designer.receive_run(small);
        assert!(designer.text().contains("no earlier dungeon of this size"));
        assert_eq!(shown(&designer.app.editor), ColourMode::Generation);
        designer.keys("ww");
        assert!(designer.text().contains("the previous dungeon had a different size"));
    }

    /// Shows a dungeon as the result of removing the tile on a square.
    fn show_without(designer: &mut TestApp, at: Point, grid: Grid) {
        let editor = &mut designer.app.editor;
        let subject = AlternativeSubject::Tile { list: List::Walls, at };
        editor.map.alternative = Some(AlternativeDungeon {
            alternative: Alternative {
                intervention: Intervention::Bare(at),
                subject,
            },
            grid: Arc::new(grid),
            run: editor.time.run_number(),
        });
        editor.map.colours = ColourMode::Changes;
        designer.want();
    }

    #[test]
    fn the_legend_counts_the_alternative_dungeon_shown() {
        let mut designer = TestApp::grown(120, 40);
        designer.want();
        let own = designer.app.editor.time.frame().unwrap().grid().clone();
        let squares = own.size().points();
        let walls: Vec<Point> = squares.filter(|at| own.tile(*at) == Tile::Wall).collect();
        let columns = 4;
        let all = walls.len() as u64 + columns;
        let mut other = own.clone();
        other.set(walls[0], Tile::Open, Mark::Design);
        other.set(walls[1], Tile::Column, Mark::Design);
        let tiles = |designer: &TestApp| -> Vec<u64> {
            let rows = crate::tui::map::colours::rows(&designer.app.editor);
            rows.iter().map(|row| row.tiles).collect()
        };
        show_without(&mut designer, walls[0], other);
        assert_eq!(tiles(&designer), [1, 1, all - 2]);
        show_without(&mut designer, walls[1], own);
        assert_eq!(tiles(&designer), [0, 0, all], "the next alternative");
    }

    #[test]
    fn another_colour_mode_ends_the_alternative_dungeon() {
        let mut designer = TestApp::grown(120, 40);
        designer.want();
        let own = designer.app.editor.time.frame().unwrap().grid().clone();
        show_without(&mut designer, Point::new(3, 1), own);
        assert!(designer.app.editor.map.alternative.is_some());
        designer.keys("t");
        assert!(designer.app.editor.map.alternative.is_none());
    }

    #[test]
    fn a_tile_that_changed_its_kind_counts_as_appeared() {
        assert_eq!(SquareChange::of(Tile::Wall, Tile::Column), Some(SquareChange::Appeared));
        assert_eq!(SquareChange::of(Tile::Wall, Tile::Wall), Some(SquareChange::Same));
        assert_eq!(SquareChange::of(Tile::Guaranteed, Tile::Open), None);
        assert_eq!(
            SquareChange::of(Tile::HighWall, Tile::Guaranteed),
            Some(SquareChange::Vanished)
        );
    }
}
