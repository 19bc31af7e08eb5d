//! Key bindings for metrics on the map: layers, the entrance and exit, and named places.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::analysis::LayerKind;
use crate::tui::commands::{Action, DialogCommand, Endpoint, MetricsCommand};

/// Key bindings for layers, the entrance and exit, and named places.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Map, "layer", [Key::char('s')], Action::Metrics(MetricsCommand::Turn(1)), false, "Show the next layer over the map: shortest path, reachable squares, enclosed areas, dead ends, junctions, corridors along the outer wall, widths, visible area, squares seen from the path, choke points, an explorer's walk, none.";
    Context::Map, "previous layer", [Key::alt('s')], Action::Metrics(MetricsCommand::Turn(-1)), false, "Show the previous layer.";
    Context::Map, "entrance here", [Key::alt('e')], Action::Metrics(MetricsCommand::End(Endpoint::Entrance)), false, "Set the entrance to the square under the cursor; press again to use the open square nearest to the top left corner.";
    Context::Map, "exit here", [Key::alt('x')], Action::Metrics(MetricsCommand::End(Endpoint::Exit)), false, "Set the exit to the square under the cursor; press again to use the open square nearest to the bottom right corner.";
    Context::Map, "name place", [Key::alt('n')], Action::Metrics(MetricsCommand::Name), false, "Give the square under the cursor a name, such as boss. A name in a vault moves with the vault; a name at the centre of a room moves with the room. Expectations can use the name, as in `reaches boss` or `path to boss >= 80`.";
    Context::Everywhere, "scatter places", [], Action::Metrics(MetricsCommand::Scatter), false, "Add named places, on which a game can place its objects: reachable squares chosen at random, at least a given number of steps apart. On request, the ends of dead ends are used first.";
    Context::Everywhere, "shortest path", [], Action::Metrics(MetricsCommand::Show(LayerKind::Way)), false, "Show or hide the shortest path from the entrance to the exit.";
    Context::Everywhere, "reachable squares", [], Action::Metrics(MetricsCommand::Show(LayerKind::Reached)), false, "Show or hide the squares reachable from the entrance. A game can place objects on these squares.";
    Context::Everywhere, "enclosed areas", [], Action::Metrics(MetricsCommand::Show(LayerKind::Enclosed)), false, "Show or hide the areas that are not connected to the largest one.";
    Context::Everywhere, "dead ends", [], Action::Metrics(MetricsCommand::Show(LayerKind::DeadEnds)), false, "Show or hide dead ends, each with a line at its mouth.";
    Context::Everywhere, "junctions", [], Action::Metrics(MetricsCommand::Show(LayerKind::Junctions)), false, "Show or hide junctions.";
    Context::Everywhere, "outer corridors", [], Action::Metrics(MetricsCommand::Show(LayerKind::Outer)), false, "Show or hide the straight corridors along the outer wall.";
    Context::Everywhere, "widths", [], Action::Metrics(MetricsCommand::Show(LayerKind::Widths)), false, "Show or hide the widths of passages.";
    Context::Everywhere, "visible area", [], Action::Metrics(MetricsCommand::Show(LayerKind::VisibleArea)), false, "Show or hide a heat map of how much of the dungeon is visible from each square.";
    Context::Everywhere, "seen from the path", [], Action::Metrics(MetricsCommand::Show(LayerKind::Seen)), false, "Show or hide the squares visible from the shortest path; only a player who leaves the path sees the others.";
    Context::Everywhere, "walk of an explorer", [], Action::Metrics(MetricsCommand::Show(LayerKind::Walk)), false, "Show or hide the walk of an explorer who remembers what has been seen and goes to the nearest unknown square until the exit is in sight.";
    Context::Everywhere, "choke points", [], Action::Metrics(MetricsCommand::Show(LayerKind::ChokePoints)), false, "Show or hide choke points: squares whose removal would disconnect other squares from each other.";
    Context::Scatter, "add", [Key::plain(KeyCode::Enter)], Action::Dialog(DialogCommand::Accept), true, "Add the places, in one step that can be undone.";
    Context::Scatter, "cancel", [Key::plain(KeyCode::Esc), Key::ctrl('c')], Action::CloseDialog, true, "Close without adding anything.";
};
