//! The tasks by which help groups the keys of a context.

use super::table;
use super::{Binding, Context};
use crate::tui::commands::{Action, FileCommand, MapCommand, MetricsCommand, ViewCommand};

/// The task that an action serves. Help groups actions by task, in the order of the variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tui) enum Task {
    Play,
    Move,
    Look,
    Explain,
    Edit,
    Measure,
    Panes,
    Files,
    Share,
    Program,
}

impl Task {
    /// Returns the task's heading in help.
    pub(in crate::tui) const fn title(self) -> &'static str {
        match self {
            Self::Play => "Play the growth",
            Self::Move => "Move over the map",
            Self::Look => "Change what the map shows",
            Self::Explain => "Find out why",
            Self::Edit => "Edit and undo",
            Self::Measure => "Measure and compare dungeons",
            Self::Panes => "Panels and views",
            Self::Files => "Files and new designs",
            Self::Share => "Export and share",
            Self::Program => "Help, palette, leaving",
        }
    }

    /// Returns the task of an action.
    pub(in crate::tui) const fn of(action: Action) -> Self {
        match action {
            Action::Time(_) => Self::Play,
            Action::Map(command) => match command {
                MapCommand::Step(_) | MapCommand::Stride(_) | MapCommand::Page(_) | MapCommand::Center => Self::Move,
                MapCommand::Alone | MapCommand::Widen(_) | MapCommand::AutoPanes | MapCommand::FoldViews => Self::Panes,
                MapCommand::WallFrequency => Self::Measure,
                _ => Self::Look,
            },
            Action::View(ViewCommand::Follow | ViewCommand::NextBuilder(_) | ViewCommand::Why) => Self::Explain,
            Action::Metrics(MetricsCommand::Turn(_) | MetricsCommand::Show(_)) | Action::Walk(_) => Self::Look,
            Action::Metrics(MetricsCommand::End(_) | MetricsCommand::Name | MetricsCommand::Scatter)
            | Action::Undo
            | Action::Redo
            | Action::Reroll
            | Action::Search
            | Action::Resize
            | Action::Tools(_)
            | Action::Vaults(_)
            | Action::Import(_) => Self::Edit,
            Action::Metrics(MetricsCommand::Check) | Action::Gallery(_) | Action::Compare(_) | Action::Tune(_) => {
                Self::Measure
            }
            Action::NextPane
            | Action::PreviousPane
            | Action::FocusMap
            | Action::FocusPanel(_)
            | Action::FocusView(_)
            | Action::Tab(_)
            | Action::Panel(_)
            | Action::View(_) => Self::Panes,
            Action::File(FileCommand::Export) | Action::Export(_) | Action::Copy(_) => Self::Share,
            Action::File(FileCommand::Quit)
            | Action::Quit
            | Action::Suspend
            | Action::Help
            | Action::Palette
            | Action::Tour
            | Action::LeaveTour
            | Action::CloseDialog
            | Action::PutAway
            | Action::Player(_)
            | Action::Dialog(_) => Self::Program,
            Action::File(_) => Self::Files,
        }
    }
}

/// The bindings that a new user should learn first, by context and name.
const FIRST: [(Context, &str); 5] = [
    (Context::Everywhere, "play"),
    (Context::Everywhere, "next pane"),
    (Context::Map, "inspect"),
    (Context::Everywhere, "palette"),
    (Context::Everywhere, "save"),
];

/// Returns the bindings that a new user should learn first, in the order of [`FIRST`].
pub(in crate::tui) fn first() -> impl Iterator<Item = &'static Binding> {
    FIRST
        .into_iter()
        .filter_map(|(context, name)| table().find(|binding| (binding.context, binding.name) == (context, name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::commands::WalkCommand;

    #[test]
    fn help_lists_the_walk_among_the_actions_that_change_what_the_map_shows() {
        assert_eq!(Task::of(Action::Walk(WalkCommand::Toggle)), Task::Look);
    }

    #[test]
    fn the_first_keys_are_in_the_table() {
        assert_eq!(first().count(), FIRST.len());
    }
}
