//! The layout of the screen, and the drawing of all its parts.
//!
//! [`Areas::of`] is pure: the same arguments give the same areas, for drawing and for the mouse. Drawing takes `&App`
//! and changes nothing.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Rect, Size};
use ratatui::widgets::{Paragraph, Widget, Wrap};

use super::app::App;
use super::overlay::{MapOverlays, SquareMarks};
use super::tabs::View;
use super::{export_dialog, files, footer, map, metrics, panels, time, tools, tour, tuning, vault_browser};
use crate::text::is_control;
use crate::tui::areas::{self, Areas};
use crate::tui::editor::Focus;

/// The smallest screen that the designer supports.
pub(super) const LEAST: Size = Size::new(40, 12);

/// Screens with fewer columns show either the map or the panel.
const BOTH: u16 = 72;

/// Screens with fewer rows have a timeline without a border.
const TALL: u16 = 20;

/// Screens of at least this many rows have a timeline with a sparkline of one row, and of two rows.
const SPARKLINE: [u16; 2] = [32, 48];

/// Side columns with fewer rows show either the panel or the view.
const STACKED_FROM: u16 = 30;

impl Areas {
    /// Returns the areas for a screen; all are empty when it is too small. `alone`: show only the map while it has the
    /// focus; `shown`: the view shown; `drawing`: the tools draw on the map.
    pub(super) fn of(screen: Rect, focus: Focus, alone: bool, shown: View, drawing: bool) -> Self {
        let mut areas = Self::without_tools(screen, focus, alone, shown);
        if drawing && !areas.map.is_empty() {
            let rows = tools::height(areas.map.width, areas.map.height);
            [areas.map, areas.tools] =
                Layout::vertical([Constraint::Min(0), Constraint::Length(rows)]).areas(areas.map);
        }
        areas
    }

    /// Returns the areas with the panel extended over that of the view.
    fn with_side(self) -> Self {
        if self.panel.is_empty() || self.view.is_empty() {
            return self;
        }
        Self {
            panel: self.panel.union(self.view),
            view: Rect::default(),
            ..self
        }
    }

    fn without_tools(screen: Rect, focus: Focus, alone: bool, shown: View) -> Self {
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
        if screen.width < BOTH || (alone && focus == Focus::Map) {
            let mut areas = Self {
                time,
                foot,
                ..Self::default()
            };
            match focus {
                Focus::Map => areas.map = body,
                Focus::Panel => areas.panel = body,
                Focus::View => areas.view = body,
            }
            return areas;
        }
        let side_width = (screen.width * 2 / 5).clamp(39, 62);
        let [map, side] = Layout::horizontal([Constraint::Min(0), Constraint::Length(side_width)]).areas(body);
        let view_height = match focus {
            _ if side.height >= STACKED_FROM => shown.height(side.height),
            Focus::View => side.height,
            Focus::Map | Focus::Panel => 0,
        };
        let [panel, view] = Layout::vertical([Constraint::Min(0), Constraint::Length(view_height)]).areas(side);
        Self {
            map,
            panel,
            view,
            time,
            foot,
            tools: Rect::default(),
        }
    }
}

impl App {
    /// Draws the designer into an area.
    pub fn draw(&self, area: Rect, buf: &mut Buffer) {
        draw(self, area, buf);
        make_inert(buf);
    }

    /// Returns the areas for a screen in the designer's present state.
    pub(super) fn areas(&self, screen: Rect) -> Areas {
        if self.editor.plays_only() {
            return Areas::of_player(screen);
        }
        let areas = Areas::of(
            screen,
            self.editor.focus,
            self.editor.map.is_alone(),
            self.editor.view,
            self.tools.is_on(),
        );
        if tuning::wants_side(&self.tune, &self.editor) {
            areas.with_side()
        } else {
            areas
        }
    }
}

/// Draws the map with its border, which contains the legend if no view shows it.
pub(super) fn draw_map(app: &App, area: Rect, has_legend: bool, buf: &mut Buffer) {
    map::draw(&app.editor, &overlays(app), area, has_legend, buf);
}

/// Draws the map's legend.
pub(super) fn draw_legend(app: &App, area: Rect, buf: &mut Buffer) {
    map::draw_legend(&app.editor, &overlays(app), area, buf);
}

/// Collects what the parts draw on the map.
fn overlays(app: &App) -> MapOverlays<'_> {
    let is_drawing = app.tools.is_on();
    MapOverlays {
        title: files::mark(&app.files, &app.editor),
        layer: metrics::shown(&app.metrics, &app.editor),
        ends: metrics::marks(&app.metrics, &app.editor),
        is_drawing,
        selected: if is_drawing {
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
        vault: vault_browser::ghost(&app.screens.vaults, &app.editor),
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
    draw_map(app, areas.map, areas.view.is_empty(), buf);
    tools::draw(&app.tools, &app.editor, &areas, buf);
    if !tuning::draw(&app.tune, &app.editor, areas.panel, buf) {
        draw_panel(app, areas.panel, buf);
    }
    draw_view(app, areas.view, buf);
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
        area,
        buf,
    );
    footer::draw_long(&app.editor, screen, area, buf);
}

/// Returns the keys of the footer.
pub(super) fn footer_keys(app: &App) -> footer::FooterKeys {
    footer::keys(&app.editor, &app.contexts(), |binding| {
        app.why_unavailable(binding).is_some()
    })
}

/// Draws the panel shown, with the curves of the selected number.
pub(super) fn draw_panel(app: &App, area: Rect, buf: &mut Buffer) {
    let curves = panels::draw(&app.panels, &app.editor, area, buf);
    let track = |line| panels::track(&app.panels, &app.editor, line);
    tuning::draw_curves(&app.tune, &app.editor, track, curves, buf);
}

/// Replaces characters that a terminal might act on, wherever they came from: names of files and maps, designs and Lua
/// messages are drawn in many places, and all of them pass through here.
///
/// A symbol with a [control](is_control) becomes the replacement character as a whole.
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
                    let a = Areas::of(screen, focus, alone, shown, drawing);
                    let parts = [a.map, a.panel, a.view, a.time, a.foot, a.tools];
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

    #[test]
    fn no_control_leaves_the_buffer() {
        let mut buf = Buffer::empty(Rect::new(0, 0, 12, 2));
        // A span appends zero-width characters to the character before.
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
