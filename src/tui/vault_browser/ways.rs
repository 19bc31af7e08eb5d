//! Ways out of a map: selecting, entering and leaving portals.

use super::BrowserState;
use super::library::ChosenMap;
use crate::tui::commands::{Action, BrowserCommand};
use crate::tui::editor::Editor;
use crate::vault::portals::PortalEdge;

/// The message about a way out that leads to no map.
const NOWHERE: &str = "this exit leads nowhere: its destination is not in these level files";

/// A way out of a map: the portal, and one of the maps that it leads to (`None` if it leads to no known map).
pub(super) struct WayOut<'a> {
    pub(super) edge: &'a PortalEdge,
    pub(super) to: Option<ChosenMap>,
}

impl BrowserState {
    /// Returns the ways out of the selected map.
    pub(super) fn exits(&self) -> Vec<WayOut<'_>> {
        let Some((place, map)) = self.selected else {
            return Vec::new();
        };
        let portals = self.group().and_then(|group| group.portals.as_ref());
        let edges = portals.into_iter().flat_map(|portals| portals.from(map));
        edges
            .flat_map(|edge| {
                let to = edge.to.iter().map(|&to| Some((place, to)));
                let nowhere = edge.to.is_empty().then_some(None);
                to.chain(nowhere).map(move |to| WayOut { edge, to })
            })
            .collect()
    }
}

/// Selects the next way out; clears the selection after the last one.
pub(super) fn next(state: &mut BrowserState, editor: &mut Editor) {
    let count = state.exits().len();
    let next = state.portal.map_or(0, |at| at + 1);
    state.portal = Some(next).filter(|next| *next < count);
    if count == 0 {
        editor.warn("this vault has no exit to another map");
    } else if state.portal.is_some() && destination(state).is_none() {
        editor.warn(NOWHERE);
    } else if state.portal.is_some() {
        let enter = editor.keymap.key_of(Action::Vaults(BrowserCommand::Enter));
        editor.done(format!("{enter} shows the map that this exit leads to"));
    }
}

/// Returns the map to which the selected way out leads.
fn destination(state: &BrowserState) -> Option<ChosenMap> {
    state.exits().get(state.portal?)?.to
}

/// Selects the map to which the selected way out leads.
pub(super) fn enter(state: &mut BrowserState, editor: &mut Editor) {
    let (Some(from), Some(to)) = (state.selected, destination(state)) else {
        editor.warn(NOWHERE);
        return;
    };
    state.entered.push(from);
    if !state.listed().contains(&to) {
        state.filter.clear();
    }
    state.choose(Some(to));
    let name = state.library.groups[to.0].library.map(to.1).name.clone();
    let back = editor.keymap.key_of(Action::Vaults(BrowserCommand::Back));
    editor.done(format!("entered {name}; {back} goes back"));
    state.request_rolls(editor);
}

/// Returns to the map that was left last.
pub(super) fn go_back(state: &mut BrowserState, editor: &mut Editor) {
    if let Some(from) = state.entered.pop() {
        state.choose(Some(from));
        state.request_rolls(editor);
        return;
    }
    editor.warn("no portal was entered");
}
