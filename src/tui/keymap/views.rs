//! Key bindings of the views.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::tui::commands::{Action, EventKind, ViewCommand};
use crate::tui::tabs::View;
use crate::tui::widget::list::ListStep;

const EVENTS: Context = Context::View(View::Events);

/// Key bindings of the views.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Views, "to the map", [Key::plain(KeyCode::Esc)], Action::View(ViewCommand::Back), true, "Back to the map.";
    Context::Views, "go there", [Key::plain(KeyCode::Enter)], Action::View(ViewCommand::Go), true, "Go where the line leads: to its moment and square, to its entry of the design, or to its step of the history.";
    Context::Views, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::View(ViewCommand::Select(ListStep::By(-1))), false, "Select the line above.";
    Context::Views, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::View(ViewCommand::Select(ListStep::By(1))), false, "Select the line below.";
    Context::Views, "page up", [Key::plain(KeyCode::PageUp)], Action::View(ViewCommand::Select(ListStep::Page(-1))), false, "Move up by a window.";
    Context::Views, "page down", [Key::plain(KeyCode::PageDown)], Action::View(ViewCommand::Select(ListStep::Page(1))), false, "Move down by a window.";
    Context::Views, "first", [Key::plain(KeyCode::Home)], Action::View(ViewCommand::Select(ListStep::First)), false, "To the first line.";
    Context::Everywhere, "follow", [Key::char('F')], Action::View(ViewCommand::Follow), false, "Follow the Builder under the cursor: the map keeps it in the middle as time goes on; again to end it.";
    EVENTS, "births", [Key::char('1')], Action::View(ViewCommand::Kind(EventKind::Birth)), true, "Show or hide births.";
    EVENTS, "deaths", [Key::char('2')], Action::View(ViewCommand::Kind(EventKind::Death)), true, "Show or hide deaths.";
    EVENTS, "turns", [Key::char('3')], Action::View(ViewCommand::Kind(EventKind::Turn)), true, "Show or hide turns to a side.";
    EVENTS, "walls", [Key::char('4')], Action::View(ViewCommand::Kind(EventKind::Wall)), true, "Show or hide what was built.";
    EVENTS, "joined", [Key::char('5')], Action::View(ViewCommand::Kind(EventKind::Join)), true, "Show or hide walls joined and gaps left at a start.";
    EVENTS, "wakings", [Key::char('6')], Action::View(ViewCommand::Kind(EventKind::Wake)), true, "Show or hide who woke.";
    EVENTS, "not born", [Key::char('7')], Action::View(ViewCommand::Kind(EventKind::Unborn)), true, "Show or hide babies that were not born because maxCrawlers live.";
    EVENTS, "every kind", [Key::char('0')], Action::View(ViewCommand::AllKinds), false, "Show every kind of event.";
    EVENTS, "next generation", [Key::plain(KeyCode::Right), Key::char('l')], Action::View(ViewCommand::Generation(1)), true, "Show the events of the next generation only; after the last, of all.";
    EVENTS, "generation before", [Key::plain(KeyCode::Left), Key::char('h')], Action::View(ViewCommand::Generation(-1)), false, "Show the events of the generation before only; before the first, of all.";
    EVENTS, "place", [Key::char('w')], Action::View(ViewCommand::Place), true, "Show the events everywhere, in the map's window only, or near the cursor only.";
    Context::Views, "last", [Key::plain(KeyCode::End)], Action::View(ViewCommand::Select(ListStep::Last)), false, "To the last line.";
};
