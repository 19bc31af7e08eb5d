//! Draws the map: its border, its squares, and the overlays.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::changes;
use super::lookahead::LookaheadOverlay;
use super::scene::Scene;
use super::{content, empty, legend, minimap, pixels, wall_frequency};
use crate::design::Feature;
use crate::engine::{BuilderKind, Mark};
use crate::geometry::Point;
use crate::recording::{BuilderState, Frame};
use crate::text::thousands;
use crate::tui::commands::{Action, ColourMode, MapCommand};
use crate::tui::editor::{Editor, Focus};
use crate::tui::overlay::MapOverlays;
use crate::tui::pictures;
use crate::tui::theme::Depth;
use crate::tui::viewport::{Lookahead, MapWindow, window};
use crate::tui::widget::popup::block;
use crate::tui::widget::text::{shorten_line, shortened};
use crate::tui::wording;
use unicode_width::UnicodeWidthStr as _;

/// Minimum width to which the design's name is shortened, in columns.
const SHORTEST_NAME: usize = 8;

/// Draws the map with its border. If `has_legend` is true, the border contains the legend.
pub(crate) fn draw(editor: &Editor, overlays: &MapOverlays<'_>, area: Rect, has_legend: bool, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let window = window(area);
    let view = editor.map.view(window);
    let scene = editor
        .time
        .frame()
        .map(|frame| (Scene::new(editor, frame, view.zoom, overlays.is_drawing), frame));
    let lookahead = scene
        .as_ref()
        .and_then(|(_, frame)| LookaheadOverlay::of(editor, overlays.followed, frame, &view));
    draw_border(
        editor,
        overlays,
        &view,
        scene.as_ref().map(|(scene, _)| scene),
        lookahead.as_ref(),
        area,
        has_legend,
        buf,
    );
    let Some((scene, frame)) = scene else { return };
    let place = pixels::place(editor, &view);
    if let Some(place) = place {
        pictures::fill(place, buf);
    } else {
        let lookahead = lookahead.as_ref();
        content::draw(editor, overlays, (&scene, frame), lookahead, &view, buf);
    }
    empty::draw(editor, frame, overlays.is_drawing, window, buf);
    if view.pixels.is_none() {
        content::draw_cursor(editor, &view, buf);
    }
    minimap::draw(editor, &scene, &view, window, place, buf);
}

/// Returns the part of the map's title that names the colour mode; `None` in the usual mode, which colours tiles by
/// generation.
fn colours_part(editor: &Editor) -> Option<Span<'static>> {
    let theme = editor.theme;
    let ends = || format!("{} ends this", editor.keymap.key_of(Action::Map(MapCommand::Changes)));
    let (text, style) = match editor.map.colours {
        ColourMode::Generation => return None,
        ColourMode::Changes if changes::shown(editor) != ColourMode::Changes => {
            (format!("no earlier dungeon of this size: {}", ends()), theme.warning())
        }
        ColourMode::Changes
            if editor
                .time
                .frame()
                .is_some_and(|frame| changes::alternative(editor, frame).is_some()) =>
        {
            let what = editor.map.alternative.as_ref();
            let what = what.map(|shown| shown.alternative.subject.to_string());
            (format!("{}: {}", what.unwrap_or_default(), ends()), theme.warning())
        }
        ColourMode::Changes => {
            let moment = if editor.time.has_moved() { " or over time" } else { "" };
            (format!("changed by the edit{moment}: {}", ends()), theme.warning())
        }
        ColourMode::WallFrequency => return Some(Span::styled(wall_frequency::title(editor), theme.warning())),
        colours => (format!("by {}", colours.name()), Style::default()),
    };
    Some(Span::styled(format!("· {text} "), style))
}

#[expect(clippy::too_many_arguments, reason = "each is drawn")]
fn draw_border(
    editor: &Editor,
    overlays: &MapOverlays<'_>,
    view: &MapWindow,
    scene: Option<&Scene<'_>>,
    lookahead: Option<&LookaheadOverlay>,
    area: Rect,
    has_legend: bool,
    buf: &mut Buffer,
) {
    let theme = editor.theme;
    let plain = theme.title(false).remove_modifier(Modifier::BOLD);
    let size = editor.map.dungeon;
    let name = format!(" {}{} ", editor.document.title(), overlays.title);
    // The player of recordings has no panel that shows the seed.
    let seed = if editor.plays_only() {
        format!("· seed {} ", editor.document.design().seed)
    } else {
        String::new()
    };
    let measures = format!("{seed}· {size} · {} ", view.name());
    let mut title = Line::from(vec![Span::raw(name.clone()), Span::raw(measures)]);
    if let Some(colours) = colours_part(editor) {
        title.push_span(colours);
    }
    if let Some(shown) = &overlays.layer {
        let (name, summary) = (
            wording::layer_name(shown.layer),
            wording::layer_summary(shown.layer, shown.metrics),
        );
        title.push_span(Span::styled(format!("· {name} {summary} "), theme.accent()));
    }
    if let Some(lookahead) = lookahead {
        title.push_span(Span::styled(
            format!("· {} ", lookahead.title(view.zoom)),
            theme.accent(),
        ));
    }
    if let Some(hidden) = editor.map.hidden.description() {
        title.push_span(Span::styled(format!("· {hidden} "), theme.warning()));
    }
    // If there is no room for everything, size and zoom are left out first: the colour mode matters more.
    let room = usize::from(area.width.saturating_sub(2));
    let shorter = [format!("{seed}· {} ", view.name()), seed, String::new()];
    for measures in shorter {
        if title.width() > room {
            title.spans[1] = Span::raw(measures);
        }
    }
    // Without colours, digits show the wall frequency in tenths. At far zoom levels, a square is smaller than a
    // character and has no room for its digit, so a hint names the key that zooms in.
    let hint = format!(
        "· {} shows digits ",
        editor.keymap.key_of(Action::Map(MapCommand::Nearer))
    );
    let shows_wall_frequency = changes::shown(editor) == ColourMode::WallFrequency && theme.depth() == Depth::None;
    if shows_wall_frequency
        && view.zoom.rows() > 1
        && title.width() + hint.width() <= room + name.width().saturating_sub(SHORTEST_NAME)
    {
        title.push_span(Span::raw(hint));
    }
    let over = title.width().saturating_sub(room);
    if over > 0 {
        let short = shortened(&name, name.width().saturating_sub(over + 1).max(SHORTEST_NAME));
        title.spans[0] = Span::raw(format!("{short} "));
    }
    if title.width() > room {
        shorten_line(&mut title, room.saturating_sub(1));
        title.push_span(Span::raw(" "));
    }
    let mut block = block(theme, editor.focus == Focus::Map).title(title);
    if let Some((frame, scene)) = editor.time.frame().zip(scene) {
        let at = editor.map.cursor();
        let vault = editor.time.run().and_then(|run| run.design.feature(at));
        let what = match (wall_frequency::shown(editor, frame.grid().size()), vault) {
            (Some(wall_frequency), _) => wall_frequency::describe(wall_frequency, at),
            (None, Some(feature)) => format!("{at:#} {}", description(feature)),
            (None, None) => describe(editor, frame, at),
        };
        let what = shortened(&what, usize::from(area.width).saturating_sub(4));
        let here = Line::styled(format!(" {what} "), plain);
        let room = usize::from(area.width.saturating_sub(2)).saturating_sub(here.width());
        if has_legend && let Some(legend) = legend::line(editor, overlays, scene, room) {
            block = block.title_bottom(legend.left_aligned());
        }
        block = block.title_bottom(here.right_aligned());
    }
    block.render(area, buf);
}

/// Returns a feature's name in words.
pub(super) fn description(feature: Feature) -> String {
    feature.name().replace('_', " ")
}

/// Describes a square: its tile, which Builder laid the tile and in which turn, and the Builder on the square, with
/// the Builder's next turn if the look-ahead is shown.
fn describe(editor: &Editor, frame: &Frame, at: Point) -> String {
    let tile = wording::tile_name(frame.grid().tile(at));
    let generation = match frame.grid().mark(at) {
        Mark::Generation(generation) => format!(" of {}", wording::marked_generation(generation)),
        Mark::Design => String::new(),
    };
    let origin = editor
        .time
        .origins()
        .and_then(|origins| origins.of(at, editor.time.turn()));
    let laid = origin.map_or_else(String::new, |origin| {
        let kind = frame
            .builder(origin.builder)
            .map_or(BuilderKind::Crawler, |builder| builder.birth.kind);
        let (name, turn) = (wording::builder_name(kind, origin.builder), thousands(origin.turn));
        format!(" · by {name} in turn {turn}")
    });
    let builder = frame.living().find(|(_, builder)| builder.at == at);
    let builder = builder.map_or_else(String::new, |(id, builder)| {
        let asleep = if builder.state == BuilderState::Asleep {
            ", asleep"
        } else {
            ""
        };
        let name = wording::builder_name(builder.birth.kind, id);
        let next = editor
            .time
            .describe_next_turn(id)
            .filter(|_| editor.map.lookahead == Lookahead::Shown);
        let next = next.map_or_else(String::new, |next| format!(": {next}"));
        format!(" · {name} {}{asleep}{next}", builder.forward.arrow())
    });
    format!("{at:#} {tile}{generation}{laid}{builder}")
}
