//! The view Inspect: what stands on the square under the map's cursor, and the Builders there.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::list::{self, Lead, Row};
use super::{Page, words};
use crate::design::{Entry, GENERATIONS, Place};
use crate::engine::{BuilderId, Mark};
use crate::geometry::Point;
use crate::recording::{Frame, Shown, State as Living};
use crate::tui::app::App;
use crate::tui::theme::Theme;

/// What the view remembers.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) list: list::State,
}

/// The view's lines.
pub(super) fn page(app: &App, inside: Rect) -> Page {
    let theme = app.theme;
    let Some(frame) = app.time.frame() else {
        let waiting = Line::styled("waiting for the first run", theme.quiet());
        return Page::new(vec![waiting], Vec::new(), 0, app.views.inspect.list, inside);
    };
    let at = app.map.cursor();
    let head = vec![square(app, frame, at)];
    let mut rows = Vec::new();
    for (id, builder) in frame.living().filter(|(_, builder)| builder.at == at) {
        rows.extend(state(theme, id, builder, inside.width));
        rows.extend(line_of(theme, frame, id, inside.width));
    }
    if let Mark::Generation(generation) = frame.grid().mark(at) {
        rows.extend(parameters(app, u32::from(generation), inside.width));
    }
    Page::new(head, rows, 0, app.views.inspect.list, inside)
}

/// What stands on a square.
fn square(app: &App, frame: &Frame, at: Point) -> Line<'static> {
    let theme = app.theme;
    let (tile, mark) = (frame.grid().tile(at), frame.grid().mark(at));
    let color = theme
        .tile(tile, mark)
        .map_or(theme.quiet(), |color| Style::new().fg(color));
    let whose = match mark {
        Mark::Generation(generation) => format!(" of generation {generation}"),
        Mark::Design if tile.is_open() => String::new(),
        Mark::Design => " of the design".into(),
    };
    Line::from(vec![
        Span::styled("■ ", color),
        Span::styled(format!("{}{whose}", words::tile(tile)), theme.heading()),
        Span::styled(format!(" at {at}"), theme.quiet()),
    ])
}

/// How a Builder is now.
fn state(theme: Theme, id: BuilderId, builder: &Shown, width: u16) -> Vec<Row> {
    let doing = match builder.state {
        Living::Asleep => format!("asleep until iteration {}", builder.birth.wakes),
        Living::Awake => "awake".into(),
        Living::Dead(cause) => format!("dead: {}", words::death(cause)),
    };
    let text = format!(
        "{} of generation {}, {doing}; heading {}, {}, {}; {} laid",
        words::name(builder.birth.kind, id),
        builder.birth.generation,
        builder.forward,
        words::direction(builder.birth.direction),
        words::opening(builder.opening),
        words::count(u64::from(builder.laid), "tile"),
    );
    let sign = Span::styled(format!("{} ", builder.forward.arrow()), theme.builder());
    Row::wrapped(&sign, &text, theme.text(), width, None)
}

/// A Builder's ancestors, back to the first.
fn line_of(theme: Theme, frame: &Frame, id: BuilderId, width: u16) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut next = frame.builder(id).and_then(|builder| builder.birth.parent);
    while let Some((parent, builder)) = next.and_then(|id| Some((id, frame.builder(id)?))) {
        let text = format!(
            "spawned by {} of generation {}",
            words::name(builder.birth.kind, parent),
            builder.birth.generation
        );
        rows.extend(Row::wrapped(&Span::raw("  "), &text, theme.quiet(), width, None));
        next = builder.birth.parent;
    }
    rows
}

/// The parameters of a generation that decide what its Builders do.
fn parameters(app: &App, generation: u32, width: u16) -> Vec<Row> {
    let theme = app.theme;
    let column = (generation as usize).min(GENERATIONS - 1);
    let entry = Entry::Generation(column);
    let values = entry.fields().into_iter().enumerate().filter_map(|(i, field)| {
        let value = app.document.design().get(entry, i)?;
        Some(format!("{} {value}", field.name))
    });
    let text = values.collect::<Vec<_>>().join(", ");
    let title = Span::styled(format!("generation {generation} "), theme.heading());
    let lead = Some(Lead::Entry(Place::entry(entry)));
    Row::wrapped(&title, &text, theme.quiet(), width, lead)
}
