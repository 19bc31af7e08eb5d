//! Why an action does nothing where the user is; the footer, help and the palette follow this.

use super::app::App;
use super::{metrics, panels};
use crate::tui::commands::{Action, MapCommand};
use crate::tui::keymap::{Binding, Context};

/// Returns why the action of a binding has nothing to act on; `None` if it has.
pub(super) fn refusal(app: &App, binding: &Binding) -> Option<&'static str> {
    match (binding.action, binding.context) {
        (Action::PutAway, _) => (!app.editor.has_message()).then_some("no message waits to be read"),
        // The selection of a panel or view that is not shown is unknown.
        (_, Context::Panel(panel)) if panel != app.editor.panel => None,
        (_, Context::View(view)) if view != app.editor.view => None,
        (Action::Map(MapCommand::ShowAll), _) => app.editor.map.shows_all().then_some("no generation is hidden"),
        (Action::Panel(command), _) => panels::refusal(&app.panels, &app.editor, command),
        (Action::View(command), _) => {
            let latest = metrics::latest(&app.metrics, &app.editor);
            app.views.refusal(&app.editor, latest, command)
        }
        _ => None,
    }
}
