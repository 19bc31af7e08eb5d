//! The keys and actions that the player of recordings offers.

use super::binding::{Binding, Context};
use super::{Keymap, table};
use crate::tui::commands::{Action, MapCommand, ViewCommand};

/// Returns whether the player allows an action. The allowed actions only change what is shown, show help, suspend or
/// quit.
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

/// Returns whether help lists the keys of a context: in the player if `plays` is true, otherwise in the designer.
pub(in crate::tui) const fn lists(plays: bool, context: Context) -> bool {
    match context {
        Context::Player => plays,
        Context::Map | Context::Everywhere | Context::Moment | Context::Alert | Context::Help | Context::HelpSearch => {
            true
        }
        _ => !plays,
    }
}

/// Returns whether the player offers a binding: its action is allowed, it has a key, and no binding of
/// [`Context::Player`] runs the same action.
pub(in crate::tui) fn has(binding: &'static Binding, keymap: &Keymap) -> bool {
    let own = binding.context == Context::Player;
    let replaced = !own && table().any(|other| other.context == Context::Player && other.action == binding.action);
    is_viewing(binding.action) && !replaced && !keymap.keys(binding).is_empty()
}
