//! The keys and actions that the player of recordings has.

use super::binding::{Binding, Context};
use super::{Keymap, table};
use crate::tui::commands::{Action, MapCommand, ViewCommand};

/// Returns whether an action only views.
pub(in crate::tui) const fn is_viewing(action: Action) -> bool {
    match action {
        Action::Time(_)
        | Action::Player(_)
        | Action::View(ViewCommand::Follow | ViewCommand::NextBuilder(_))
        | Action::Quit
        | Action::Suspend
        | Action::PutAway
        | Action::Help
        | Action::CloseDialog
        // The player opens only the help and seek dialogs.
        | Action::Dialog(_) => true,
        Action::Map(command) => !matches!(
            command,
            MapCommand::Alone
                | MapCommand::Widen(_)
                | MapCommand::AutoPanes
                | MapCommand::FoldViews
                | MapCommand::Changes
                | MapCommand::WallFrequency
                | MapCommand::Legend(_)
        ),
        _ => false,
    }
}

/// Returns whether the help lists the keys of a context, in the player or in the designer.
pub(in crate::tui) const fn lists(plays: bool, context: Context) -> bool {
    match context {
        Context::Player => plays,
        Context::Map | Context::Everywhere | Context::Moment | Context::Alert | Context::Help | Context::HelpSearch => {
            true
        }
        _ => !plays,
    }
}

/// Returns whether the player has a row of the key table: its action is available, it has a key, and no row of the
/// player's own replaces it.
pub(in crate::tui) fn has(binding: &'static Binding, keymap: &Keymap) -> bool {
    let own = binding.context == Context::Player;
    let replaced = !own && table().any(|other| other.context == Context::Player && other.action == binding.action);
    is_viewing(binding.action) && !replaced && !keymap.keys(binding).is_empty()
}
