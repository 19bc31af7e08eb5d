//! Key bindings of layers.

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::analysis::LayerKind;
use crate::tui::commands::{Action, Endpoint, MetricsCommand};

/// Key bindings of layers.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Map, "layer", [Key::char('s')], Action::Metrics(MetricsCommand::Turn(1)), false, "Show figures over the map: the shortest way, what can be reached, enclosed areas, dead ends, junctions, corridors along the outer wall, widths; then none.";
    Context::Map, "layer before", [Key::alt('s')], Action::Metrics(MetricsCommand::Turn(-1)), false, "Show the layer before in that ring.";
    Context::Map, "entrance here", [Key::alt('e')], Action::Metrics(MetricsCommand::End(Endpoint::Entrance)), false, "The dungeon is entered at the cursor; again there, at the open square nearest the left top corner.";
    Context::Map, "exit here", [Key::alt('x')], Action::Metrics(MetricsCommand::End(Endpoint::Exit)), false, "The dungeon is left at the cursor; again there, at the open square nearest the right bottom corner.";
    Context::Everywhere, "shortest way", [], Action::Metrics(MetricsCommand::Show(LayerKind::Way)), false, "Show the shortest way from the entrance to the exit over the map, or no longer.";
    Context::Everywhere, "reached squares", [], Action::Metrics(MetricsCommand::Show(LayerKind::Reached)), false, "Show over the map which squares can be walked to from the entrance, where objects may be placed; or no longer.";
    Context::Everywhere, "enclosed areas", [], Action::Metrics(MetricsCommand::Show(LayerKind::Enclosed)), false, "Show the areas over the map that cannot be walked to from the largest one, or no longer.";
    Context::Everywhere, "dead ends", [], Action::Metrics(MetricsCommand::Show(LayerKind::DeadEnds)), false, "Show dead ends over the map, with the line that each is entered across; or no longer.";
    Context::Everywhere, "junctions", [], Action::Metrics(MetricsCommand::Show(LayerKind::Junctions)), false, "Show the junctions over the map, or no longer.";
    Context::Everywhere, "outer corridors", [], Action::Metrics(MetricsCommand::Show(LayerKind::Outer)), false, "Show the straight corridors along the outer wall over the map, or no longer.";
    Context::Everywhere, "widths", [], Action::Metrics(MetricsCommand::Show(LayerKind::Widths)), false, "Show over the map how wide the passages are, or no longer.";
};
