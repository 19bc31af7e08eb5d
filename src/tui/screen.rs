//! The layout of the screen, and the drawing of its panes.
//!
//! [`Areas::of`] is pure: drawing and mouse handling call it with the same arguments and get the same areas. Drawing
//! borrows the [`App`] immutably.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Rect, Size};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::app::App;
use super::overlay::{MapOverlays, SquareMarks};
use super::pictures::{Painter, PictureReplies, PictureSender};
use super::screens::Screen;
use super::tabs::View;
use super::{
    compare, export_dialog, files, footer, map, metrics, panels, seed_gallery, time, tools, tour, tuning, vault_browser,
};
use crate::geometry::Size as DungeonSize;
use crate::text::is_control;
use crate::tui::areas::{self, Areas, FOLDED, PaneSplit};
use crate::tui::editor::Focus;
use crate::tui::viewport::{CellSize, MapScale, Zoom, window};

/// The smallest screen that the designer supports.
pub(super) const LEAST: Size = Size::new(40, 12);

/// Screens with fewer columns show only the pane that has the focus: the map, the panel or the view.
const BOTH: u16 = 72;

/// Screens with fewer rows have a timeline without a border.
const TALL: u16 = 20;

/// Minimum number of rows of a screen whose timeline has a sparkline: for a sparkline of one row, and of two rows.
const SPARKLINE: [u16; 2] = [32, 48];

/// A stack of panes with fewer rows shows either the panel or the view.
const STACKED_FROM: u16 = 30;

/// Minimum and default maximum width of the panes beside the map, in columns; the user can exceed the maximum.
const SIDE: [u16; 2] = [39, 80];

/// On screens with fewer columns, the default width of the panes beside the map is at most two fifths of the screen, or
/// the minimum in [`SIDE`] if that is more.
const WIDE: u16 = 150;

/// Minimum columns and rows of the map when the user resizes the panes.
const LEAST_MAP: [u16; 2] = [24, 8];

/// Rows that a panel needs to show everything, and the minimum number of rows of the panes below the map.
const PANEL: u16 = 26;
const LEAST_BELOW: u16 = 12;

/// Minimum number of rows of a stack of panes that shows a second view, and minimum number of rows of that view.
const SECOND_FROM: u16 = 48;
const LEAST_SECOND: u16 = 8;

/// Number of rows of the panel, and number of rows of the legend below it, if the legend is kept short so that a second
/// view fits below the legend.
const LEAST_PANEL: u16 = 25;
const LEAST_LEGEND: u16 = 8;

/// The inputs of the layout besides the size of the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct LayoutInputs {
    focus: Focus,
    /// Whether the map covers the other panes while it has the focus.
    alone: bool,
    shown: View,
    /// Whether the drawing tools are on; their bar needs rows below the map.
    drawing: bool,
    /// Whether the panes must be visible while the map has the focus.
    needs_panes: bool,
    dungeon: DungeonSize,
    /// The size of a character in pixels, if the map is drawn in pixels.
    pixels: Option<CellSize>,
    split: PaneSplit,
}

impl LayoutInputs {
    /// Returns the zoom at which the whole dungeon fits into a map of this size, border included.
    fn zoom(&self, width: u16, height: u16) -> MapScale {
        MapScale::fitting(self.dungeon, window(Rect::new(0, 0, width, height)), self.pixels)
    }

    /// Returns the size of a map that shows the whole dungeon at a zoom, border included.
    fn needed(&self, zoom: MapScale) -> (u16, u16) {
        let (width, height) = zoom.characters_of(self.dungeon);
        let with_border = |characters: i32| u16::try_from(characters.saturating_add(2)).unwrap_or(u16::MAX);
        (with_border(width), with_border(height))
    }

    /// Returns the height of the panes if they are placed below the map; `None` if they are placed beside it. They are
    /// placed below if the dungeon is then drawn larger, or if it is drawn equally large, is wide, and leaves enough
    /// rows for a whole panel.
    fn below(&self, body: Rect) -> Option<u16> {
        let beside = self.zoom(body.width - SIDE[0], body.height);
        let below = self.zoom(body.width, body.height.saturating_sub(LEAST_BELOW));
        let (columns, rows) = self.needed(below);
        let rest = body.height.saturating_sub(rows);
        let is_wide = columns.saturating_mul(5) >= body.width.saturating_mul(2);
        let suits = below < beside || (below == beside && is_wide && rest >= PANEL);
        (suits && rest >= LEAST_BELOW).then(|| {
            let most = body.height.saturating_sub(LEAST_MAP[1]).max(LEAST_BELOW);
            self.split.below.map_or(rest, |rows| rows.clamp(LEAST_BELOW, most))
        })
    }

    /// Returns the height of the panes if they are folded below the map; `None` if they are not. The panes are folded
    /// only while the map has the focus, and only if the squares of the dungeon would otherwise be smaller than half a
    /// character. Folding must also make the squares larger, with at least one dot for each square. The panes are not
    /// folded if the user has divided the screen or chosen a view other than the legend.
    fn folded(&self, body: Rect) -> Option<u16> {
        let is_divided = self.split.side.is_some() || self.split.below.is_some();
        let is_idle = self.focus == Focus::Map && self.shown == View::Legend && !self.needs_panes;
        if is_divided || !is_idle || self.pixels.is_some() {
            return None;
        }
        let beside = self.zoom(body.width - SIDE[0], body.height);
        let below = self.zoom(body.width, body.height.saturating_sub(LEAST_BELOW));
        let unfolded = if below < beside { below } else { beside };
        if !unfolded.is_small() {
            return None;
        }
        // The tool bar keeps its usual height, at which it shows the tool's options, even if no rows are left for the
        // tabs. The bar is made lower only if the panes could not be folded otherwise.
        let usual = |height: u16| {
            if self.drawing {
                tools::height(body.width, height)
            } else {
                0
            }
        };
        let low = |height: u16| self.tools(body.width, height);
        let find = |bar: &dyn Fn(u16) -> u16| {
            [FOLDED, 0].into_iter().find(|folded| {
                let height = body.height.saturating_sub(*folded);
                let zoom = self.zoom(body.width, height.saturating_sub(bar(height)));
                zoom < unfolded && zoom <= MapScale::Characters(Zoom::Dots(1))
            })
        };
        find(&usual).or_else(|| find(&low))
    }

    /// Returns the height of the tool bar below the map; 0 while the drawing tools are off. `width` and `height` are
    /// the size of the map with its border and the bar. The bar has only [`tools::LOW`] rows if the dungeon can then be
    /// drawn larger.
    fn tools(&self, width: u16, height: u16) -> u16 {
        if !self.drawing {
            return 0;
        }
        let usual = tools::height(width, height).min(height);
        let zoom = |rows: u16| self.zoom(width, height.saturating_sub(rows));
        if zoom(tools::LOW) < zoom(usual) && self.pixels.is_none() {
            tools::LOW
        } else {
            usual
        }
    }

    /// Returns the width of the panes beside the map: the width that the user has set, or else the columns that are
    /// left when the dungeon is drawn as large as possible, within limits.
    fn side(&self, body: Rect) -> u16 {
        if let Some(side) = self.split.side {
            return side.clamp(SIDE[0], body.width.saturating_sub(LEAST_MAP[0]).max(SIDE[0]));
        }
        let usual = (body.width * 2 / 5).clamp(SIDE[0], 62);
        let best = self.zoom(body.width - SIDE[0], body.height);
        let left = body.width.saturating_sub(self.needed(best).0);
        if best < self.zoom(body.width - usual, body.height) {
            left.clamp(SIDE[0], usual)
        } else if body.width < WIDE || best.is_small() {
            usual
        } else {
            left.clamp(usual, SIDE[1].max(usual)).min(body.width / 2)
        }
    }

    /// Divides a column into the areas of the panel, the view and a second view. A folded view has rows for its tabs
    /// only, unless it has the focus.
    fn stacked(&self, column: Rect, panel: u16) -> [Rect; 3] {
        let is_folded = self.split.folded && self.focus != Focus::View;
        let legend = View::Legend.height(column.height);
        let rest = column.height.saturating_sub(panel);
        let has_second = !is_folded && column.height >= SECOND_FROM.min(panel + 2 * legend);
        // If the legend is short and the panel has only `LEAST_PANEL` rows, which are enough for the Stats panel, some
        // metrics fit below the legend.
        let has_low_legend = !is_folded
            && !has_second
            && self.shown == View::Legend
            && panel > 0
            && column.height >= LEAST_PANEL + LEAST_LEGEND + LEAST_SECOND;
        let [view, second] = match self.focus {
            _ if is_folded && column.height >= STACKED_FROM => [FOLDED, 0],
            _ if has_low_legend => [LEAST_LEGEND, column.height - LEAST_PANEL - LEAST_LEGEND],
            _ if is_folded => [0, 0],
            _ if has_second && rest >= legend + LEAST_SECOND => match self.shown {
                View::Legend => [legend, rest - legend],
                _ => [rest - legend, legend],
            },
            _ if panel == 0 => [rest, 0],
            _ if column.height >= STACKED_FROM => [self.shown.height(column.height), 0],
            Focus::View => [column.height, 0],
            Focus::Map | Focus::Panel => [0, 0],
        };
        Layout::vertical([Constraint::Min(0), Constraint::Length(view), Constraint::Length(second)]).areas(column)
    }
}

impl Areas {
    /// Returns the areas for a screen; all areas are empty if the screen is too small.
    pub(super) fn of(screen: Rect, inputs: &LayoutInputs) -> Self {
        let mut areas = Self::without_tools(screen, inputs);
        if inputs.drawing && !areas.map.is_empty() {
            let rows = inputs.tools(areas.map.width, areas.map.height);
            [areas.map, areas.tools] =
                Layout::vertical([Constraint::Min(0), Constraint::Length(rows)]).areas(areas.map);
        }
        areas
    }

    /// Returns the areas with the panel extended over the views below or beside it.
    fn with_side(self) -> Self {
        if self.panel.is_empty() || self.view.is_empty() {
            return self;
        }
        Self {
            panel: self.panel.union(self.view).union(self.second),
            view: Rect::default(),
            second: Rect::default(),
            ..self
        }
    }

    fn without_tools(screen: Rect, inputs: &LayoutInputs) -> Self {
        if screen.width < LEAST.width || screen.height < LEAST.height {
            return Self::default();
        }
        let sparkline = SPARKLINE.iter().filter(|rows| screen.height >= **rows).count() as u16;
        let time_height = if screen.height < TALL { 2 } else { 4 + sparkline };
        let [body, time, foot] = Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(time_height),
            Constraint::Length(1),
        ])
        .areas(screen);
        let mut areas = Self {
            time,
            foot,
            ..Self::default()
        };
        if screen.width < BOTH || (inputs.alone && inputs.focus == Focus::Map) {
            match inputs.focus {
                Focus::Map => areas.map = body,
                Focus::Panel => areas.panel = body,
                Focus::View => areas.view = body,
            }
            return areas;
        }
        if let Some(folded) = inputs.folded(body) {
            let strip;
            [areas.map, strip] = Layout::vertical([Constraint::Min(0), Constraint::Length(folded)]).areas(body);
            [areas.panel, areas.view] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(strip);
            return areas;
        }
        if let Some(below) = inputs.below(body) {
            let strip;
            [areas.map, strip] = Layout::vertical([Constraint::Min(0), Constraint::Length(below)]).areas(body);
            if inputs.split.folded && inputs.focus != Focus::View {
                areas.panel = strip;
                return areas;
            }
            let column;
            [areas.panel, column] = Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).areas(strip);
            [_, areas.view, areas.second] = inputs.stacked(column, 0);
            return areas;
        }
        let side;
        [areas.map, side] = Layout::horizontal([Constraint::Min(0), Constraint::Length(inputs.side(body))]).areas(body);
        [areas.panel, areas.view, areas.second] = inputs.stacked(side, PANEL);
        areas
    }
}

impl App {
    /// Draws the designer into an area.
    pub fn draw(&self, area: Rect, buf: &mut Buffer) {
        draw(self, area, buf);
        make_inert(buf);
    }

    /// Returns the areas for a screen in the designer's current state.
    pub(super) fn areas(&self, screen: Rect) -> Areas {
        if self.editor.plays_only() {
            return Areas::of_player(screen);
        }
        let wants_side = tuning::wants_side(&self.tune, &self.editor);
        let areas = Areas::of(
            screen,
            &LayoutInputs {
                needs_panes: wants_side || self.tour.is_some(),
                focus: self.editor.focus,
                alone: self.editor.map.is_alone(),
                shown: self.editor.view,
                drawing: self.tools.is_on(),
                dungeon: self.editor.map.dungeon,
                pixels: self.editor.map.pixels(),
                split: self.editor.split,
            },
        );
        if wants_side { areas.with_side() } else { areas }
    }
}

impl App {
    /// Returns the painter of the picture on the screen, which shows the map, the dungeons of the seed gallery or the
    /// compared dungeons; `None` if everything is drawn with characters.
    pub(super) fn screen_picture(&self) -> Option<Box<dyn Painter + '_>> {
        self.editor.map.pixels()?;
        match self.screens.open.top() {
            None => Some(Box::new(map::MapPicture::of(&self.editor, overlays(self))?)),
            Some(Screen::Gallery) => {
                let picture = seed_gallery::GalleryPicture::of(&self.screens.gallery, &self.editor)?;
                Some(Box::new(picture))
            }
            Some(Screen::Compare) => {
                let picture = compare::ComparePicture::of(&self.screens.compare, &self.editor)?;
                Some(Box::new(picture))
            }
            Some(Screen::Vaults) => None,
        }
    }
}

impl App {
    /// Returns the commands of kitty's protocol that send the pictures of a screen drawn by [`Self::draw`]; empty if
    /// the whole screen is drawn with characters.
    pub fn picture_commands(&self, screen: &Buffer) -> Vec<u8> {
        /// Simulated time between two batches. It is longer than the sender's timeout: no terminal answers a batch, so
        /// the sender sends the next batch only after the timeout.
        const PAUSE: Duration = Duration::from_mins(1);
        let mut bytes = Vec::new();
        if let Some(picture) = self.screen_picture() {
            let mut sender = PictureSender::new(PictureReplies::default());
            sender.frame(Some(picture.place()), screen, &mut bytes);
            let mut now = Instant::now();
            while sender.has_more() {
                sender.send(picture.as_ref(), now, &mut bytes);
                now += PAUSE;
            }
        }
        bytes
    }
}

/// Draws the map with its border. With `has_legend`, the border contains the legend, because no view shows it.
pub(super) fn draw_map(app: &App, area: Rect, has_legend: bool, buf: &mut Buffer) {
    map::draw(&app.editor, &overlays(app), area, has_legend, buf);
}

/// Draws the map's legend.
pub(super) fn draw_legend(app: &App, area: Rect, buf: &mut Buffer) {
    map::draw_legend(&app.editor, &overlays(app), area, buf);
}

/// Collects the overlays that the layers, tools and views draw on the map.
fn overlays(app: &App) -> MapOverlays<'_> {
    let is_drawing = app.tools.is_on() && app.editor.walk.is_none();
    MapOverlays {
        title: files::mark(&app.files, &app.editor),
        // A layer would reveal squares that the walker has not seen yet.
        layer: metrics::shown(&app.metrics, &app.editor).filter(|_| app.editor.walk.is_none()),
        ends: time::walk::seen_marks(&app.editor, metrics::marks(&app.metrics, &app.editor)),
        is_drawing,
        selected: if app.editor.walk.is_some() {
            Vec::new()
        } else if is_drawing {
            tools::marked(&app.tools, &app.editor)
        } else {
            let entry = panels::entry(&app.panels, &app.editor);
            let design = app.editor.document.design();
            entry.map(|entry| SquareMarks::of(design, entry)).into_iter().collect()
        },
        marks: if is_drawing {
            tools::marks(&app.tools, &app.editor)
        } else {
            Vec::new()
        },
        vault: vault_browser::preview(&app.screens.vaults, &app.editor),
        followed: app.views.followed(),
    }
}

/// Draws the view shown, with the tabs in its border.
pub(super) fn draw_view(app: &App, area: Rect, buf: &mut Buffer) {
    let latest = metrics::latest(&app.metrics, &app.editor);
    app.views.draw(&app.editor, latest, area, buf);
    if app.editor.view == View::Legend {
        draw_legend(app, areas::legend(area), buf);
    }
}

/// Draws the second view, if there is room for one.
fn draw_second(app: &App, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let latest = metrics::latest(&app.metrics, &app.editor);
    app.views.draw_second(&app.editor, latest, area, buf);
    if app.editor.view.second() == View::Legend {
        draw_legend(app, areas::legend(area), buf);
    }
}

/// Draws the whole screen.
pub(super) fn draw(app: &App, screen: Rect, buf: &mut Buffer) {
    if app.editor.plays_only() {
        app.draw_player(screen, buf);
        return;
    }
    let areas = app.areas(screen);
    if areas == Areas::default() {
        too_small(screen, buf);
        return;
    }
    if app.draw_screen(screen, buf) {
        draw_footer(app, screen, areas.foot, buf);
        app.draw_dialog(screen, buf);
        return;
    }
    draw_map(app, areas.map, areas.view.height <= FOLDED, buf);
    tools::draw(&app.tools, &app.editor, &areas, buf);
    if !tuning::draw(&app.tune, &app.editor, areas.panel, buf) {
        draw_panel(app, areas.panel, buf);
    }
    draw_view(app, areas.view, buf);
    draw_second(app, areas.second, buf);
    time::draw(&app.editor, areas.time, buf);
    draw_footer(app, screen, areas.foot, buf);
    tour::draw(app.tour.as_ref(), &app.editor, &areas, screen, buf);
    app.draw_dialog(screen, buf);
}

/// Draws the footer, and above it the messages that do not fit into it.
pub(super) fn draw_footer(app: &App, screen: Rect, area: Rect, buf: &mut Buffer) {
    let progress = export_dialog::progress_line(&app.dialogs.export, app.editor.theme);
    footer::draw(
        &app.editor,
        &footer_keys(app),
        progress,
        app.search.is_some(),
        screen,
        area,
        buf,
    );
}

/// Returns the keys that the footer lists.
pub(super) fn footer_keys(app: &App) -> footer::FooterKeys {
    footer::keys(&app.editor, &app.contexts(), |binding| {
        app.why_unavailable(binding).is_some()
    })
}

/// Draws the panel shown, with the tuning curves of the selected number.
pub(super) fn draw_panel(app: &App, area: Rect, buf: &mut Buffer) {
    let curves = panels::draw(&app.panels, &app.editor, area, buf);
    let track = |line| panels::track(&app.panels, &app.editor, line);
    tuning::draw_curves(&app.tune, &app.editor, track, curves, buf);
}

/// Replaces characters that a terminal might interpret as commands. File names, map names, designs and Lua messages may
/// contain them and are drawn in many places, so the whole buffer is checked.
///
/// A symbol that contains a [control character](is_control) is replaced by U+FFFD as a whole.
pub(super) fn make_inert(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let symbol = cell.symbol();
        let is_plain = matches!(symbol.as_bytes(), [b' '..=b'~']);
        if !is_plain && symbol.contains(is_control) {
            cell.set_symbol("\u{fffd}");
        }
    }
}

fn too_small(screen: Rect, buf: &mut Buffer) {
    let message = format!(
        "Wallcrawler needs at least {} × {} characters; this is {} × {}.",
        LEAST.width, LEAST.height, screen.width, screen.height
    );
    Paragraph::new(message)
        .wrap(Wrap { trim: true })
        .alignment(Alignment::Center)
        .render(screen, buf);
}

#[cfg(test)]
mod tests {
    use ratatui::text::Line;

    use super::*;
    use crate::document::Document;
    use crate::presets::Preset;
    use crate::tui::commands::{Action, MapCommand};
    use crate::tui::fixture::TestApp;

    #[test]
    fn the_parts_fill_any_screen_without_overlap() {
        for width in (0..42).chain((42..260).step_by(9)) {
            for height in (0..22).chain((22..90).step_by(7)) {
                let cases = [
                    (Focus::Map, false),
                    (Focus::Map, true),
                    (Focus::Panel, true),
                    (Focus::View, false),
                ];
                let shown = cases.into_iter().flat_map(|case| View::ALL.map(|view| (case, view)));
                for (((focus, alone), shown), drawing) in shown.flat_map(|case| [(case, false), (case, true)]) {
                    let screen = Rect::new(0, 0, width, height);
                    let dungeons = [(60, 60), (40, 160), (1000, 30)];
                    let (x, y) = dungeons[usize::from(width + height) % 3];
                    let split = PaneSplit {
                        side: [None, Some(0), Some(70), Some(999)][usize::from(width) % 4],
                        below: [None, Some(0), Some(20), Some(999)][usize::from(height) % 4],
                        folded: width % 5 == 0,
                    };
                    let inputs = LayoutInputs {
                        focus,
                        alone,
                        shown,
                        drawing,
                        needs_panes: width % 2 == 0,
                        dungeon: DungeonSize::new(x, y),
                        pixels: (height % 2 == 0).then_some(CellSize { width: 8, height: 16 }),
                        split,
                    };
                    let a = Areas::of(screen, &inputs);
                    let parts = [a.map, a.panel, a.view, a.second, a.time, a.foot, a.tools];
                    let total: u32 = parts.iter().map(|r| r.area()).sum();
                    let large = width >= LEAST.width && height >= LEAST.height;
                    assert_eq!(total, if large { screen.area() } else { 0 }, "{width} × {height}");
                    for (i, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(screen), *part);
                        assert!(parts[i + 1..].iter().all(|other| !part.intersects(*other)));
                    }
                }
            }
        }
    }

    /// Returns the inputs of the layout of a finished dungeon, with the drawing tools off and the map drawn in
    /// characters.
    fn layout_inputs(dungeon: DungeonSize, focus: Focus, split: PaneSplit) -> LayoutInputs {
        LayoutInputs {
            focus,
            alone: false,
            shown: View::default(),
            drawing: false,
            needs_panes: false,
            dungeon,
            pixels: None,
            split,
        }
    }

    /// Returns the map's zoom and the areas for a preset on a screen.
    fn of_preset(preset: &Preset, width: u16, height: u16) -> (MapScale, Areas, DungeonSize) {
        let dungeon = preset.design().layout.size;
        let inputs = layout_inputs(dungeon, Focus::Map, PaneSplit::default());
        let areas = Areas::of(Rect::new(0, 0, width, height), &inputs);
        (inputs.zoom(areas.map.width, areas.map.height), areas, dungeon)
    }

    #[test]
    fn most_presets_are_shown_with_half_blocks_or_larger_beside_the_panels() {
        let large = |width, height| {
            let all = Preset::all().iter();
            all.filter(|preset| !of_preset(preset, width, height).0.is_small())
                .count()
        };
        assert!(large(120, 40) >= 21, "{}", large(120, 40));
        assert!(large(160, 48) >= 20, "{}", large(160, 48));
        assert!(large(200, 60) >= 24, "{}", large(200, 60));
    }

    #[test]
    fn panes_fold_to_their_tabs_where_that_shows_small_squares_larger() {
        let keep = Preset::all().iter().find(|preset| preset.name == "keep").unwrap();
        let (zoom, areas, dungeon) = of_preset(keep, 120, 40);
        assert_eq!(zoom, MapScale::Characters(Zoom::Half));
        let (width, height) = zoom.characters_of(dungeon);
        let window = window(areas.map);
        assert!(
            width * 10 >= i32::from(window.width) * 9 && height * 10 >= i32::from(window.height) * 9,
            "{window}"
        );
        assert_eq!((areas.panel.height, areas.view.height), (FOLDED, FOLDED));
        // The panes unfold when the user works in them. They are not folded if the user has divided the screen.
        let inputs = |focus, split| layout_inputs(dungeon, focus, split);
        let screen = Rect::new(0, 0, 120, 40);
        let is_folded = |inputs: LayoutInputs| Areas::of(screen, &inputs).panel.height <= FOLDED;
        let divided = PaneSplit {
            side: Some(40),
            ..PaneSplit::default()
        };
        assert!(is_folded(inputs(Focus::Map, PaneSplit::default())));
        assert!(!is_folded(inputs(Focus::Map, divided)));
        assert!(!is_folded(inputs(Focus::Panel, PaneSplit::default())));
        assert!(!is_folded(inputs(Focus::View, PaneSplit::default())));
        // In drawing mode, the tool bar takes the rows of the tabs.
        let drawing = LayoutInputs {
            drawing: true,
            ..inputs(Focus::Map, PaneSplit::default())
        };
        let areas = Areas::of(screen, &drawing);
        assert!(areas.panel.is_empty() && areas.tools.height > 0, "{areas:?}");
        assert!(i32::from(areas.map.height) - 2 >= height, "{areas:?}");
        // A dungeon of a new design's size fits only if the bar has fewer rows than usual.
        let new = LayoutInputs {
            dungeon: DungeonSize::new(60, 90),
            ..drawing
        };
        let areas = Areas::of(screen, &new);
        assert_eq!((areas.tools.height, areas.map.height), (tools::LOW, 32), "{areas:?}");
    }

    #[test]
    fn dividing_the_screen_unfolds_the_panes_until_they_are_automatic_again() {
        let keep = Preset::find("keep").unwrap().design();
        let mut designer = TestApp::with(Document::new(keep, None), 120, 40);
        let mut heights = |command: Option<MapCommand>| {
            if let Some(command) = command {
                let effects = designer.app.update(Action::Map(command));
                designer.perform(effects);
            }
            designer.want();
            designer.text();
            (designer.app.editor.areas.panel.height, designer.app.editor.split)
        };
        assert_eq!(heights(None), (FOLDED, PaneSplit::default()));
        assert_eq!(
            heights(Some(MapCommand::Widen(4))),
            (FOLDED, PaneSplit::default()),
            "the map is already as large as it can be"
        );
        let (height, split) = heights(Some(MapCommand::Widen(-4)));
        assert!(
            height > 20 && split.side == Some(48) && split.below.is_none(),
            "{height} {split:?}"
        );
        assert_eq!(heights(Some(MapCommand::Widen(-4))).1.side, Some(52));
        assert_eq!(heights(Some(MapCommand::AutoPanes)), (FOLDED, PaneSplit::default()));
    }

    #[test]
    fn on_a_small_screen_most_presets_have_a_dot_for_each_square_or_more() {
        let all = Preset::all().iter();
        let large = all.filter(|preset| of_preset(preset, 80, 24).0 <= MapScale::Characters(Zoom::Dots(1)));
        assert!(large.count() >= 20);
    }

    #[test]
    fn the_rows_that_the_stats_do_not_need_show_metrics() {
        for preset in Preset::all() {
            let (_, areas, _) = of_preset(preset, 160, 48);
            let is_beside = areas.panel.y == areas.map.y && areas.panel.x > areas.map.x;
            if is_beside {
                assert!(areas.panel.height <= PANEL, "{}: {areas:?}", preset.name);
                assert!(areas.second.height >= LEAST_SECOND, "{}: {areas:?}", preset.name);
            }
        }
    }

    #[test]
    fn on_a_large_screen_the_dungeon_has_half_of_the_rows_of_its_pane() {
        for preset in Preset::all() {
            let (zoom, areas, dungeon) = of_preset(preset, 200, 60);
            let (width, height) = zoom.characters_of(dungeon);
            let window = window(areas.map);
            assert!(
                height * 2 + 2 >= i32::from(window.height),
                "{}: {height} of {window}",
                preset.name
            );
            assert!(
                width * 5 >= i32::from(window.width) * 2,
                "{}: {width} of {window}",
                preset.name
            );
        }
    }

    #[test]
    fn no_control_character_reaches_the_terminal() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 12, 2));
        // A span appends zero-width characters to the preceding character.
        Line::raw("evil\u{202e}gpj.ä").render(Rect::new(0, 0, 12, 1), &mut buf);
        buf[(0, 1)].set_symbol("\u{1b}]0;x\u{7}");
        buf[(1, 1)].set_symbol("e\u{301}");
        let before: String = buf.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert!(before.contains('\u{202e}'), "{before:?}");
        make_inert(&mut buf);
        let after: String = buf.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(after, "evi\u{fffd}gpj.ä   \u{fffd}e\u{301}          ");
    }
}
