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
    Context::Views, "to the map", [Key::plain(KeyCode::Esc)], Action::View(ViewCommand::Back), true, "Return to the map.";
    Context::Views, "go there", [Key::plain(KeyCode::Enter)], Action::View(ViewCommand::Go), true, "Follow the line's link: to its moment and square, its entry in the design, or its step in the history.";
    Context::Views, "up", [Key::plain(KeyCode::Up), Key::char('k')], Action::View(ViewCommand::Select(ListStep::By(-1))), false, "Select the line above.";
    Context::Views, "down", [Key::plain(KeyCode::Down), Key::char('j')], Action::View(ViewCommand::Select(ListStep::By(1))), false, "Select the line below.";
    Context::Views, "page up", [Key::plain(KeyCode::PageUp)], Action::View(ViewCommand::Select(ListStep::Page(-1))), false, "Move up one page.";
    Context::Views, "page down", [Key::plain(KeyCode::PageDown)], Action::View(ViewCommand::Select(ListStep::Page(1))), false, "Move down one page.";
    Context::Views, "first", [Key::plain(KeyCode::Home)], Action::View(ViewCommand::Select(ListStep::First)), false, "Go to the first line.";
    Context::Everywhere, "follow", [Key::char('F')], Action::View(ViewCommand::Follow), false, "Follow the Builder under the cursor: the map keeps it in the middle while time moves forward or back; press again to stop.";
    Context::Everywhere, "next Builder", [Key::char('B')], Action::View(ViewCommand::NextBuilder(1)), false, "Go to the next living Builder, awake ones first; if you follow a Builder, the map follows the new one instead.";
    Context::Everywhere, "previous Builder", [], Action::View(ViewCommand::NextBuilder(-1)), false, "Go to the previous living Builder.";
    Context::Everywhere, "what if", [Key::char('Q')], Action::View(ViewCommand::Why), false, "In the Inspect view, list small changes to the growth that would each change the wall or open square under the cursor; if a Builder is there, list what would be different without it. Follow a line's link to see the dungeon with that change.";
    EVENTS, "births", [Key::char('1')], Action::View(ViewCommand::Kind(EventKind::Birth)), true, "Show or hide births.";
    EVENTS, "deaths", [Key::char('2')], Action::View(ViewCommand::Kind(EventKind::Death)), true, "Show or hide deaths.";
    EVENTS, "turns", [Key::char('3')], Action::View(ViewCommand::Kind(EventKind::Turn)), true, "Show or hide where Builders turned left or right.";
    EVENTS, "walls", [Key::char('4')], Action::View(ViewCommand::Kind(EventKind::Wall)), true, "Show or hide the tiles that were built.";
    EVENTS, "joined", [Key::char('5')], Action::View(ViewCommand::Kind(EventKind::Join)), true, "Show or hide where Crawlers joined a wall, and where they left a gap at the start of their own wall.";
    EVENTS, "wakings", [Key::char('6')], Action::View(ViewCommand::Kind(EventKind::Wake)), true, "Show or hide where Builders woke.";
    EVENTS, "not born", [Key::char('7')], Action::View(ViewCommand::Kind(EventKind::Unborn)), true, "Show or hide babies that were not born because the limit maxCrawlers was reached.";
    EVENTS, "all kinds", [Key::char('0')], Action::View(ViewCommand::AllKinds), false, "Show every kind of event.";
    EVENTS, "next generation", [Key::plain(KeyCode::Right), Key::char('l')], Action::View(ViewCommand::Generation(1)), true, "Show only the events of the next generation; after the last generation, show all events.";
    EVENTS, "previous generation", [Key::plain(KeyCode::Left), Key::char('h')], Action::View(ViewCommand::Generation(-1)), false, "Show only the events of the previous generation; before the first generation, show all events.";
    EVENTS, "area", [Key::char('w')], Action::View(ViewCommand::Place), true, "List events in the whole dungeon, only in the part that the map shows, or only near the cursor.";
    Context::Views, "last", [Key::plain(KeyCode::End)], Action::View(ViewCommand::Select(ListStep::Last)), false, "Go to the last line.";
};
