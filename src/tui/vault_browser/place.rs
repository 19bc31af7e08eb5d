//! Places a vault into the design, as an entry at the map's cursor: either immediately, or after the user has chosen
//! the place with a preview.
//!
//! The entry contains the seed, orientation and level of the roll, so that the placed vault looks like the roll. An
//! entry does not contain the values of the player character. If the map reads one that the user changed, the user is
//! warned that the placed vault may look different.

use super::BrowserState;
use crate::design::{PlacedVault, VaultEntry};
use crate::geometry::{Point, Size};
use crate::tui::commands::{Action, BrowserCommand};
use crate::tui::editor::{Editor, Focus};
use crate::tui::keymap::Context;
use crate::vault::lua::ResolveOutcome;
use crate::vault::{ResolvedMap, VaultWorld, place};

/// A vault being placed.
#[derive(Debug)]
pub(super) struct VaultPlacing {
    entry: VaultEntry,
    resolved: Box<ResolvedMap>,
    /// The values that the roll may depend on, but that a design cannot store: `god Zin`.
    not_stored: Vec<String>,
}

impl VaultPlacing {
    /// Returns the vault with its top left square at `at`, moved inside the outer wall if needed; `None` if it is too
    /// large.
    fn piece(&self, at: Point, dungeon: Size) -> Option<PlacedVault> {
        let entry = VaultEntry {
            at,
            ..self.entry.clone()
        };
        place::piece(&self.resolved, &entry, 0, dungeon)
    }
}

/// Returns the shown roll ready to be placed, or why it cannot be placed.
fn ready(state: &BrowserState, editor: &Editor) -> Result<VaultPlacing, String> {
    let (Some(group), Some((_, map))) = (state.group(), state.selected) else {
        return Err("no map is selected".into());
    };
    let name = &group.library.map(map).name;
    if group.library.by_name(name) != Some(map) {
        let why = if name.is_empty() {
            "this map has no name"
        } else {
            "an earlier map has the same name"
        };
        let (title, line) = (group.title(), group.library.map(map).line);
        return Err(format!(
            "{why}, so it cannot be placed: give the map at {title}:{line} a name of its own"
        ));
    }
    let resolved = match state.rolls.first() {
        Some(ResolveOutcome::Resolved(resolved)) if !state.rolls.is_waiting() => resolved.clone(),
        _ if state.rolls.is_waiting() => return Err(format!("{name} is being resolved; try again in a moment")),
        Some(ResolveOutcome::Vetoed) => return Err(format!("{name} cannot be placed on {}", state.world.level)),
        Some(ResolveOutcome::Invalid(_)) => {
            let reroll = editor
                .keymap
                .key_in(Context::Vaults, Action::Vaults(BrowserCommand::Seed(1)));
            return Err(format!("{name} failed its validation: reroll it with {reroll}"));
        }
        Some(ResolveOutcome::Failed(failure)) => return Err(format!("{name} cannot be placed: {failure}")),
        Some(ResolveOutcome::Resolved(_)) | None => return Err(format!("{name} has no result")),
    };
    let usual = VaultWorld::default().level;
    let place = match state.world.level {
        level if level == usual => String::new(),
        level => level.to_string(),
    };
    let entry = VaultEntry {
        file: group
            .named(&editor.document.folder())
            .ok_or("the file's path is not valid text")?,
        map: name.clone(),
        tag: String::new(),
        place,
        div: 0,
        seed: i32::try_from(state.seed).unwrap_or(0),
        orientation: state.orientation,
        ..VaultEntry::default()
    };
    Ok(VaultPlacing {
        entry,
        resolved,
        not_stored: state.changed_values(),
    })
}

/// Places the shown vault with its top left square at the map's cursor.
pub(super) fn at_cursor(state: &mut BrowserState, editor: &mut Editor) {
    match ready(state, editor) {
        Ok(placing) => place(state, editor, placing),
        Err(why) => editor.fail(why),
    }
}

/// Closes the browser and focuses the map, where the user chooses the vault's place.
pub(super) fn by_hand(state: &mut BrowserState, editor: &mut Editor) {
    let dungeon = editor.document.design().layout.size;
    match ready(state, editor) {
        Ok(placing) if placing.piece(Point::new(1, 1), dungeon).is_none() => {
            editor.fail(too_large(&placing, dungeon));
        }
        Ok(placing) => {
            let name = placing.entry.map.clone();
            state.close();
            state.placing = Some(placing);
            editor.focus = Focus::Map;
            let [place, back] = [BrowserCommand::PutDown, BrowserCommand::GiveUp]
                .map(|command| editor.keymap.key_of(Action::Vaults(command)));
            editor.done(format!(
                "move {name} on the map; {place} or a click places it, {back} goes back"
            ));
        }
        Err(why) => editor.fail(why),
    }
}

/// Places the vault at the map's cursor, where its preview is.
pub(in crate::tui) fn place_at_cursor(state: &mut BrowserState, editor: &mut Editor) {
    if let Some(placing) = state.placing.take() {
        place(state, editor, placing);
    }
}

fn place(state: &mut BrowserState, editor: &mut Editor, placing: VaultPlacing) {
    let dungeon = editor.document.design().layout.size;
    let Some(piece) = placing.piece(editor.map.cursor(), dungeon) else {
        editor.fail(too_large(&placing, dungeon));
        return;
    };
    state.close();
    editor.focus = Focus::Map;
    let entry = VaultEntry {
        at: piece.at,
        ..placing.entry
    };
    let name = entry.map.clone();
    editor.edit(format!("vault {name} at {} added", entry.at), |design| {
        design.layout.vaults.push(entry);
    });
    if !placing.not_stored.is_empty() {
        let values = placing.not_stored.join(", ");
        editor.warn(format!(
            "vault {name} added without {values}, which a design cannot store; it may differ from its preview"
        ));
    }
}

fn too_large(placing: &VaultPlacing, dungeon: Size) -> String {
    let (rows, columns) = (placing.resolved.height, placing.resolved.width);
    format!(
        "{} has {rows} rows and {columns} columns, too many for a dungeon of {dungeon}",
        placing.entry.map
    )
}

/// Returns the preview: the vault being placed, at its current position.
pub(in crate::tui) fn preview(state: &BrowserState, editor: &Editor) -> Option<PlacedVault> {
    let placing = state.placing.as_ref()?;
    placing.piece(editor.map.cursor(), editor.document.design().layout.size)
}
