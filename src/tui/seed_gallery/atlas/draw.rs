//! Drawing of the atlas: its title, its cells, and the candidate in the selected cell.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::search::{AtlasSearch, ShownCell};
use super::{AtlasView, heat_map, key, selected_bins};
use crate::analysis::decimal;
use crate::analysis::tune::{AtlasCell, FRESH_SEEDS};
use crate::text::{counted, thousands};
use crate::tui::commands::SeedGalleryCommand;
use crate::tui::editor::Editor;
use crate::tui::seed_gallery::SeedGalleryState;
use crate::tui::seed_gallery::areas::SeedGalleryAreas;
use crate::tui::seed_gallery::heat_map::{CellLook, HeatMapAreas, HeatMapHead, axis_name};
use crate::tui::seed_gallery::pixels::draw_picture;
use crate::tui::seed_gallery::results::SeedOrder;
use crate::tui::widget::popup::after;
use crate::tui::widget::text::shortened;

/// Shade of a cell whose candidate meets all expectations.
const GOOD: usize = 4;
/// Shade of every cell if the design has no expectations.
const NEUTRAL: usize = 2;
/// Shade that the legend shows for cells whose candidates fail some expectations.
const FAILING: usize = 1;

/// Describes a cell by its values of both metrics, such as `loops 4, dead-ends 75`.
pub(super) fn place_of(search: &AtlasSearch, cell: &AtlasCell) -> String {
    let [x, y] = cell.medians.map(number);
    format!("{} {x}, {} {y}", search.subject.x, search.subject.y)
}

/// Formats a median.
fn number(median: f64) -> String {
    decimal((median * 10_000.0).round() as i64)
}

/// Returns the spans of the title: the document, the progress of the search, and the atlas file.
pub(in crate::tui::seed_gallery) fn title(state: &SeedGalleryState, editor: &Editor) -> Vec<Span<'static>> {
    let theme = editor.theme;
    let mut title = vec![Span::raw(format!(" Atlas · {} ", editor.document.title()))];
    let Some(open) = &state.atlas.open else {
        return title;
    };
    let search = &open.search;
    let (tried, all) = (thousands(search.tried()), search.atlas().request().candidates);
    let of = format!("· {tried} of {} candidates", thousands(all));
    title.push(if search.is_breeding() {
        Span::styled(format!("· {tried} candidates, measuring offspring … "), theme.warning())
    } else if search.is_finished() {
        Span::styled(format!("· {tried} candidates "), theme.quiet())
    } else if search.is_running() && search.atlas().is_verifying() {
        Span::styled(format!("{of}, verifying over fresh seeds … "), theme.warning())
    } else if search.is_running() {
        Span::styled(format!("{of} … "), theme.warning())
    } else {
        Span::styled(format!("{of}, stopped "), theme.warning())
    });
    if let Some(file) = open.file.as_ref().and_then(|file| file.file_name()) {
        title.push(Span::styled(format!("· {} ", file.to_string_lossy()), theme.accent()));
    }
    title
}

/// Returns the shade of a cell: the more expectations its candidate meets, the stronger.
fn shade(search: &AtlasSearch, cell: &AtlasCell) -> usize {
    match search.subject.expectations.len() {
        0 => NEUTRAL,
        all if cell.met >= all => GOOD,
        // The shade is 0 if no expectation is met, and at most 2 × `FAILING` if all but one are met.
        all => cell.met * (2 * FAILING + 1) / all,
    }
}

/// Returns which symbols a cell has: one for a marked cell, one for a child, one for the cell of the design.
fn signs(view: &AtlasView, search: &AtlasSearch, place: [i64; 2], shown: &ShownCell) -> [bool; 3] {
    [
        view.marks.contains(&place),
        shown.is_child,
        search.place_of_design() == Some(place),
    ]
}

/// Draws the view.
pub(in crate::tui::seed_gallery) fn draw(
    state: &SeedGalleryState,
    editor: &Editor,
    plan: &SeedGalleryAreas,
    buf: &mut Buffer,
) {
    let (theme, view) = (editor.theme, &state.atlas);
    draw_path(view, editor, plan.filter, buf);
    let areas = HeatMapAreas::of(plan);
    if areas.map.is_empty() {
        return;
    }
    let drawn = view.search().zip(heat_map(view, plan));
    let Some((search, (heat, places))) = drawn else {
        let text = shortened(&nothing(view, editor), areas.map.width.into());
        buf.set_string(areas.map.x, areas.map.y, text, theme.quiet());
        return;
    };
    // On a small screen, one cell of the heat map may cover several cells of the atlas and shows the symbols of all.
    let mut bins: Vec<([usize; 2], [bool; 3])> = Vec::new();
    for (place, shown) in search.shown() {
        let signs = signs(view, search, *place, shown);
        if let Some(bin) = heat.place(shown.cell.medians).filter(|_| signs.contains(&true)) {
            bins.push((bin, signs));
        }
    }
    let selected = selected_bins(view, &heat);
    for cell in heat.map.cells() {
        let Some(shown) = places.get(cell.sample).and_then(|place| search.shown().get(place)) else {
            continue;
        };
        let bin = [cell.across, cell.up];
        let has = |sign: usize| bins.iter().any(|(other, signs)| *other == bin && signs[sign]);
        let text: String = ["★", "◆", "@"]
            .into_iter()
            .enumerate()
            .filter(|(sign, _)| has(*sign))
            .map(|(_, text)| text)
            .collect();
        let look = CellLook {
            shade: shade(search, &shown.cell),
            text: &text,
            is_selected: selected == Some(bin),
        };
        heat.draw_cell(theme, cell, look, buf);
    }
    let names = [&search.subject.x, &search.subject.y].map(|name| match super::metric_named(name) {
        Some(metric) => axis_name(SeedOrder::Metric(metric)),
        None => name.clone(),
    });
    heat.draw_axes(theme, &names[0], areas.map, buf);
    let texts = HeatMapHead {
        name: &names[1],
        legend: legend(search, areas.picture.is_empty()),
        selected: view.current().map(|(_, shown)| {
            let [x, y] = shown.cell.medians.map(number);
            let [across, up] = [format!("{} {x}", search.subject.x), format!("{} {y}", search.subject.y)];
            [across, up, String::new()]
        }),
        all: format!("  {}", counted(search.shown().len(), "cell")),
    };
    texts.draw(theme, &areas, buf);
    if let (Some(size), Some(picture)) = (areas.picture(editor), &view.picture) {
        draw_picture(editor, plan, &picture.pixels, size, areas.picture, buf);
    }
}

/// Returns the shades of the legend with their meanings.
fn legend(search: &AtlasSearch, is_narrow: bool) -> Vec<(usize, String)> {
    let all = search.subject.expectations.len();
    let texts = match (all, is_narrow) {
        (0, _) => return vec![(NEUTRAL, "a candidate".into())],
        (_, true) => ["as expected", "not"],
        (_, false) => ["all expectations met", "not all met"],
    };
    let [good, failing] = texts.map(str::to_owned);
    vec![(GOOD, good), (FAILING, failing)]
}

/// Returns the text to show in place of the map: why there is none.
fn nothing(view: &AtlasView, editor: &Editor) -> String {
    let key = |command| key(editor, command);
    match view.search() {
        None => view.why_not.clone(),
        Some(search) if search.is_broken => "the search has failed".into(),
        Some(search) if search.is_finished() || search.atlas().widths().is_some() => {
            format!(
                "no candidate has a value on both axes, or the screen is too small; {} and {} change the axes",
                key(SeedGalleryCommand::Axis(0)),
                key(SeedGalleryCommand::Axis(1))
            )
        }
        Some(search) if search.is_paused => format!("stopped: {} continues", key(SeedGalleryCommand::Pause)),
        Some(search) => format!(
            "{} and {}: growing the first random candidates, which determine the width of the cells …",
            search.subject.x, search.subject.y
        ),
    }
}

/// Draws the text field in which the user types the path of the atlas file.
fn draw_path(view: &AtlasView, editor: &Editor, area: Rect, buf: &mut Buffer) {
    const LABEL: &str = "file  ";
    let Some(typing) = view.typing.as_ref().filter(|_| !area.is_empty()) else {
        return;
    };
    let theme = editor.theme;
    let line = Rect { height: 1, ..area };
    buf.set_stringn(line.x, line.y, LABEL, line.width.into(), theme.quiet());
    let text = after(line, LABEL.width() as u16);
    typing.draw(theme, text, buf);
    if area.height > 1 {
        let help = "save this atlas to a new file, or open the atlas in an existing file";
        let help = shortened(help, text.width.into());
        buf.set_string(text.x, text.y + 1, help, theme.quiet());
    }
}

/// Draws the details of the selected cell's candidate: its metrics, and how it differs from the design.
pub(in crate::tui::seed_gallery) fn draw_about(
    state: &SeedGalleryState,
    editor: &Editor,
    area: Rect,
    buf: &mut Buffer,
) {
    let (theme, view) = (editor.theme, &state.atlas);
    let width = usize::from(area.width);
    let Some(((place, shown), search)) = view.current().zip(view.search()) else {
        return;
    };
    let cell = &shown.cell;
    let mut line = Line::from(Span::styled(place_of(search, cell), theme.heading()));
    let mut add = |text: String, style| {
        if line.width() + text.width() <= width {
            line.push_span(Span::styled(text, style));
        }
    };
    let all = search.subject.expectations.len();
    let design = editor.document.design();
    let first = if search.has_values(design, search.atlas().own_values()) {
        "the design itself"
    } else {
        "the initial design"
    };
    if shown.is_child {
        add("   ◆ a child".into(), theme.accent());
    } else if search.has_values(design, &cell.values) {
        add("   the design itself".into(), theme.accent());
    } else if search.is_design(cell) {
        add(format!("   {first}"), theme.accent());
    } else if search.place_of_design() == Some(place) {
        add(format!("   in the cell of {first}"), theme.accent());
    }
    if all > 0 {
        let style = if cell.met >= all { theme.good() } else { theme.error() };
        add(format!("   {} of {} met", cell.met, counted(all, "expectation")), style);
    }
    let seeds = if shown.is_child || search.is_verified() {
        format!("{FRESH_SEEDS} fresh seeds")
    } else {
        counted(search.subject.seeds as usize, "seed")
    };
    add(format!("   medians over {seeds}"), theme.quiet());
    add(format!("   typical: seed {}", cell.seed), theme.quiet());
    // The changes that opening the cell would make.
    let changes = search.atlas().variant_from(design, &cell.values).name(design);
    let changes = if changes.is_empty() {
        "no number changed".into()
    } else {
        changes
    };
    let go_on = if search.is_finished() {
        SeedGalleryCommand::More(500)
    } else {
        SeedGalleryCommand::Pause
    };
    let [mark, breed, go_on] =
        [SeedGalleryCommand::Mark, SeedGalleryCommand::Breed, go_on].map(|command| key(editor, command));
    let hint = match (view.marks.len(), search.children()) {
        (2, _) => format!("{breed} breeds the two marked cells (★)"),
        (1, _) => format!("{mark} marks a second cell (★); then {breed} breeds them"),
        (_, 1..) => format!("offspring (◆) are shown until you continue the search with {go_on}"),
        _ if search.is_paused && !search.is_finished() => format!("stopped: {go_on} continues the search"),
        _ => format!("the search varies {}", counted(search.parameters().len(), "number")),
    };
    let mut lines = vec![
        line,
        Line::styled(shortened(&changes, width), theme.text()),
        Line::styled(shortened(&hint, width), theme.quiet()),
    ];
    // Leaves a blank row below the cells if there are several rows.
    if area.height > 1 {
        lines.insert(0, Line::default());
    }
    for (row, line) in area.rows().zip(lines) {
        buf.set_line(row.x, row.y, &line, row.width);
    }
}
