//! The second view of the seed gallery: the expressive range, a heat map that counts the dungeons by two metrics.
//!
//! The view has the same bins as `wallcrawler range` (see [`crate::analysis::RangeMap`]), or fewer if the screen is too
//! small for them. The selected cell is the cell that contains the dungeon of the selected seed. Moving to another cell
//! selects its sample seed, whose dungeon is the nearest to the middle of the cell. Marks, the filter and opening a
//! seed therefore work as in the view of the dungeons.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::SeedGalleryState;
use super::areas::SeedGalleryAreas;
use super::heat_map::{CellLook, HeatMap, HeatMapAreas, HeatMapHead, axis_name};
use super::pixels::draw_picture;
use super::results::SeedOrder;
use crate::analysis::RangeCell;
use crate::design::expect::DungeonMetric;
use crate::export::{class_labels, shade_of_five};
use crate::text::counted;
use crate::tui::commands::SeedGalleryCommand;
use crate::tui::editor::Editor;
use crate::tui::widget::list::ListStep;
use crate::tui::widget::text::shortened;

/// State of the range view.
#[derive(Debug)]
pub(super) struct RangeView {
    /// Whether the view is shown instead of the dungeons.
    pub is_shown: bool,
    /// The sort keys on the horizontal and the vertical axis.
    pub axes: [SeedOrder; 2],
}

impl Default for RangeView {
    fn default() -> Self {
        Self {
            is_shown: false,
            axes: [DungeonMetric::Path, DungeonMetric::DeadEnds].map(SeedOrder::Metric),
        }
    }
}

/// The map of the shown seeds.
struct ShownMap {
    heat: HeatMap,
    /// Seed of each point of the heat map.
    seeds: Vec<u64>,
}

impl ShownMap {
    /// Counts the shown seeds in the cells of a map; `None` if no seed has a value on both axes, or if the area is too
    /// small.
    fn of(state: &SeedGalleryState, area: Rect) -> Option<Self> {
        let seeds: Vec<u64> = state.order.clone();
        let value = |seed: u64| {
            state
                .range
                .axes
                .map(|axis| state.results.metrics_of(seed).and(state.results.value(seed, axis)))
        };
        let points: Vec<_> = seeds.iter().map(|seed| value(*seed)).collect();
        let heat = HeatMap::new(&points, None, area)?;
        Some(Self { heat, seeds })
    }

    /// Returns the bins of a seed's dungeon; `None` if the dungeon is in no cell.
    fn place(&self, state: &SeedGalleryState, seed: u64) -> Option<[usize; 2]> {
        let [x, y] = state.range.axes.map(|axis| state.results.value(seed, axis));
        state.results.metrics_of(seed)?;
        self.heat.place([x?, y?])
    }

    /// Returns the bins of the selected dungeon.
    fn selected(&self, state: &SeedGalleryState) -> Option<[usize; 2]> {
        state.current().and_then(|seed| self.place(state, seed))
    }

    /// Returns the seed of a cell's sample.
    fn sample(&self, cell: &RangeCell) -> u64 {
        self.seeds[cell.sample]
    }
}

/// Returns the sample seed of the cell at a screen position, and whether that cell is selected.
pub(super) fn sample_at(state: &SeedGalleryState, plan: &SeedGalleryAreas, at: Position) -> Option<(u64, bool)> {
    let shown = ShownMap::of(state, HeatMapAreas::of(plan).map)?;
    let cell = shown.heat.cell_at(at)?;
    let is_selected = shown.selected(state) == Some([cell.across, cell.up]);
    Some((shown.sample(cell), is_selected))
}

/// Returns the sample seed of the cell that a step from the selected cell leads to. The step goes to the right or left
/// if `across` is not 0, otherwise up or down.
pub(super) fn sample_beside(state: &SeedGalleryState, plan: &SeedGalleryAreas, across: i32, up: i32) -> Option<u64> {
    let shown = ShownMap::of(state, HeatMapAreas::of(plan).map)?;
    let cell = shown.heat.beside(shown.selected(state), across, up)?;
    Some(shown.sample(cell))
}

/// Returns the sample seed of the cell that a list step reaches from the selected cell.
pub(super) fn sample_after(state: &SeedGalleryState, plan: &SeedGalleryAreas, step: ListStep) -> Option<u64> {
    let shown = ShownMap::of(state, HeatMapAreas::of(plan).map)?;
    let cell = shown.heat.after(shown.selected(state), step)?;
    Some(shown.sample(cell))
}

/// Draws the view.
pub(super) fn draw(state: &SeedGalleryState, editor: &Editor, plan: &SeedGalleryAreas, buf: &mut Buffer) {
    let theme = editor.theme;
    let areas = HeatMapAreas::of(plan);
    if areas.map.is_empty() {
        return;
    }
    let Some(shown) = ShownMap::of(state, areas.map) else {
        let key = |command| super::key(editor, command);
        let text = if state.measuring.is_some() {
            "growing …".to_owned()
        } else {
            format!(
                "no dungeon has a value on both axes, or the screen is too small; {} and {} change the axes",
                key(SeedGalleryCommand::Axis(0)),
                key(SeedGalleryCommand::Axis(1))
            )
        };
        let text = shortened(&text, areas.map.width.into());
        buf.set_string(areas.map.x, areas.map.y, text, theme.quiet());
        return;
    };
    let selected = shown.selected(state);
    let map = &shown.heat.map;
    for cell in map.cells() {
        let look = CellLook {
            shade: shade_of_five(map, cell.count),
            text: &cell.count.to_string(),
            is_selected: selected == Some([cell.across, cell.up]),
        };
        shown.heat.draw_cell(theme, cell, look, buf);
    }
    let names = state.range.axes.map(axis_name);
    shown.heat.draw_axes(theme, &names[0], areas.map, buf);
    draw_sample(state, editor, plan, &areas, buf);
    let shades = map.classes().into_iter().map(|[count, _]| shade_of_five(map, count));
    let cell = selected.and_then(|[across, up]| map.cell(across, up));
    let head = HeatMapHead {
        name: &names[1],
        legend: shades.zip(class_labels(map)).collect(),
        selected: cell.map(|cell| {
            let [x, y] = map.axes();
            let [across, up] = state.range.axes.map(SeedOrder::name);
            let count = counted(cell.count, "dungeon");
            [
                format!("{across} {}", x.label(cell.across)),
                format!("{up} {}: {count}", y.label(cell.up)),
                count,
            ]
        }),
        all: format!(" of {}", counted(map.dungeons(), "dungeon")),
    };
    head.draw(theme, &areas, buf);
}

/// Draws the selected dungeon beside the map.
fn draw_sample(
    state: &SeedGalleryState,
    editor: &Editor,
    plan: &SeedGalleryAreas,
    areas: &HeatMapAreas,
    buf: &mut Buffer,
) {
    let Some(size) = areas.picture(editor) else {
        return;
    };
    let picture = state.current().and_then(|seed| state.results.pictures.get(&seed));
    if let Some(picture) = picture {
        draw_picture(editor, plan, &picture.pixels, size, areas.picture, buf);
    }
}

/// Returns the seeds whose pictures the view needs.
pub(super) fn needed(state: &SeedGalleryState, plan: &SeedGalleryAreas, editor: &Editor) -> Vec<u64> {
    let has_room = HeatMapAreas::of(plan).picture(editor).is_some();
    state.current().filter(|_| has_room).into_iter().collect()
}
