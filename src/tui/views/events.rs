//! The view Events: what happened in the turn that is shown.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::list::{self, Lead, Row};
use super::{Page, words};
use crate::engine::{Event, Kind};
use crate::tui::app::App;

/// What the view remembers.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) list: list::State,
}

/// The view's lines.
pub(super) fn page(app: &App, inside: Rect) -> Page {
    let theme = app.theme;
    let clock = app.time.clock();
    let events = app
        .time
        .recording()
        .map_or_else(Vec::new, |recording| recording.events_of(clock.turn));
    let head = vec![Line::styled(words::moment(clock), theme.heading())];
    let mut rows = Vec::new();
    for event in &events {
        let text = format!(
            "{} {}",
            words::name(Kind::Crawler, event.builder()),
            words::event(event)
        );
        let place = match *event {
            Event::Born { birth, .. } => Some(birth.at),
            Event::Laid { at, .. } => Some(at),
            Event::Moved { to, .. } => Some(to),
            _ => None,
        };
        let lead = place.map(|at| Lead::Moment(clock.turn, at));
        rows.extend(Row::wrapped(&Span::raw(""), &text, theme.text(), inside.width, lead));
    }
    Page::new(head, rows, 0, app.views.events.list, inside)
}
