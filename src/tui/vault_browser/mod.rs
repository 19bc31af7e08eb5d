//! The vault browser: lists level files with their maps. The selected map is *rolled*: resolved with the random choices
//! of a seed. The roll is drawn beside the map's source, in the style of the map view; commands place it in the
//! design.
//!
//! Lua runs on another thread: the browser requests rolls and draws those that have arrived. The browser covers the
//! screen while it is open, and keeps its state while it is closed.

mod areas;
mod draw;
mod library;
mod list;
mod picture;
mod place;
mod rolls;
mod source;
#[cfg(test)]
mod tests;
mod texts;
mod ways;

use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::MouseEvent;

pub(super) use draw::draw;
pub(super) use place::{place_at_cursor, preview};
pub(super) use texts::{paste, typed};

use self::areas::BrowserAreas;
use self::library::{ChosenMap, MapGroup, VaultLibrary};
use self::place::VaultPlacing;
use self::rolls::RolledMaps;
use self::texts::TypedTexts;
use super::editor::{Editor, NoticeLevel};
use super::widget::list::{ListClick, ListState, ListStep};
use crate::background::{JobError, Ticket, VaultRunReply, VaultRunRequest};
use crate::document::LevelFileBytes;
use crate::tui::commands::BrowserCommand;
use crate::tui::commands::COMPARED;
use crate::tui::keymap::Context;
use crate::tui::widget::mouse::{click, position, wheel};
use crate::vault::VaultWorld;

/// State of the vault browser.
#[derive(Debug)]
pub(super) struct BrowserState {
    open: bool,
    library: VaultLibrary,
    pub(super) filter: String,
    selected: Option<ChosenMap>,
    /// The scroll position of the list; `selected` says which row is selected.
    list: ListState,
    /// The text fields, while any are open.
    texts: Option<TypedTexts>,
    world: VaultWorld,
    seed: u64,
    orientation: i32,
    rolls: RolledMaps,
    /// The index of the selected roll while several rolls are compared; `None` while a single roll is shown.
    compared: Option<usize>,
    /// Whether the source is toggled from its default visibility, which depends on the screen.
    source_toggled: bool,
    /// The first visible line of the source, counted from 0; `None` for the beginning of the map.
    source_top: Option<usize>,
    /// The index of the selected way out of the map.
    portal: Option<usize>,
    /// The maps whose portals were entered, in the order of entering.
    entered: Vec<ChosenMap>,
    placing: Option<VaultPlacing>,
}

impl Default for BrowserState {
    fn default() -> Self {
        Self {
            open: false,
            library: VaultLibrary::default(),
            filter: String::new(),
            selected: None,
            list: ListState::default(),
            texts: None,
            world: VaultWorld::default(),
            seed: 1,
            orientation: 0,
            rolls: RolledMaps::default(),
            compared: None,
            source_toggled: false,
            source_top: None,
            portal: None,
            entered: Vec::new(),
            placing: None,
        }
    }
}

impl BrowserState {
    /// Returns whether the browser covers the screen.
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Closes the browser and cancels a placement.
    pub(super) fn close(&mut self) {
        (self.open, self.texts, self.placing) = (false, None, None);
    }

    /// Returns whether a vault is being placed on the map.
    pub(super) const fn is_placing(&self) -> bool {
        self.placing.is_some()
    }

    /// Returns the files to watch.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.library.files()
    }

    /// Returns the key context of the browser.
    pub(super) const fn context(&self) -> Context {
        match (&self.texts, self.compared) {
            (Some(_), _) => Context::VaultText,
            (None, Some(_)) => Context::Rolls,
            (None, None) => Context::Vaults,
        }
    }

    /// Returns why the typed text is invalid; empty if it was not rejected.
    pub(super) fn why_rejected(&self) -> &str {
        self.texts.as_ref().map_or("", TypedTexts::why)
    }

    fn group(&self) -> Option<&MapGroup> {
        self.library.groups.get(self.selected?.0)
    }

    fn listed(&self) -> Vec<ChosenMap> {
        self.library.listed(&self.filter)
    }

    /// Selects a map.
    fn choose(&mut self, chosen: Option<ChosenMap>) {
        if self.selected != chosen {
            self.selected = chosen;
            (self.source_top, self.portal) = (None, None);
        }
    }

    /// Selects the first map that passes the filter, unless the selected map passes it.
    fn keep_selection(&mut self) {
        let listed = self.listed();
        let still = self.selected.filter(|chosen| listed.contains(chosen));
        self.choose(still.or(listed.first().copied()));
    }

    /// Moves the selection in the list.
    fn step(&mut self, editor: &mut Editor, step: ListStep) {
        let rows = list::BrowserRows::of(self, BrowserAreas::of(self, editor).list);
        self.list.step_over(step, rows.visible, |row| rows.map(row).is_none());
        self.select_row(editor, &rows);
    }

    /// Selects the map of the list's selected row, and requests its rolls.
    fn select_row(&mut self, editor: &mut Editor, rows: &list::BrowserRows) {
        let row = self.list.selected(rows.visible.all);
        self.choose(rows.map(row).or(self.selected));
        self.entered.clear();
        self.request_rolls(editor);
    }

    /// Requests the rolls to show.
    fn request_rolls(&mut self, editor: &mut Editor) {
        let Some((place, map)) = self.selected else {
            self.rolls.clear();
            return;
        };
        let count = if self.compared.is_some() { COMPARED } else { 1 };
        let seeds = self.seed..self.seed.saturating_add(count);
        let library = self.library.groups[place].library.clone();
        let request = VaultRunRequest {
            library: Arc::clone(&library),
            map: Some(map),
            world: self.world.clone(),
            seeds: seeds.clone(),
            orientation: self.orientation,
        };
        let job = editor.start(request, ());
        self.rolls.expect(job, &library, map, seeds);
    }
}

/// Runs a command of the vault browser.
pub(super) fn update(state: &mut BrowserState, editor: &mut Editor, command: BrowserCommand) {
    match command {
        BrowserCommand::Open => open(state, editor),
        BrowserCommand::Close => state.close(),
        BrowserCommand::Select(step) => state.step(editor, step),
        BrowserCommand::Enter if state.portal.is_some() => ways::enter(state, editor),
        BrowserCommand::Place => place::at_cursor(state, editor),
        BrowserCommand::Enter | BrowserCommand::ByHand => place::by_hand(state, editor),
        BrowserCommand::Filter | BrowserCommand::OpenFile | BrowserCommand::Values => texts::begin(state, command),
        BrowserCommand::Accept => texts::accept(state, editor),
        BrowserCommand::Cancel => texts::cancel(state, editor),
        BrowserCommand::Field(by) => texts::field(state, editor, by),
        BrowserCommand::Seed(by) => {
            // Designs store a vault's seed in 31 bits, and 0 means random.
            let most = i64::from(i32::MAX) - COMPARED as i64;
            state.seed = (state.seed as i64).saturating_add(by).clamp(1, most) as u64;
            state.request_rolls(editor);
        }
        BrowserCommand::Mirror => {
            // An orientation mirrors the map before it turns it. To mirror the turned map, the turn must be reversed.
            let (mirrored, quarters) = ((state.orientation.max(1) - 1) / 4, (state.orientation.max(1) - 1) % 4);
            state.orientation = (1 - mirrored) * 4 + (4 - quarters) % 4 + 1;
            state.request_rolls(editor);
        }
        BrowserCommand::Turn => {
            let turned = state.orientation.max(1) - 1;
            state.orientation = turned / 4 * 4 + (turned + 1) % 4 + 1;
            state.request_rolls(editor);
        }
        BrowserCommand::ByChance => {
            state.orientation = 0;
            state.request_rolls(editor);
        }
        BrowserCommand::Compare => {
            state.compared = if state.compared.is_some() { None } else { Some(0) };
            state.request_rolls(editor);
        }
        BrowserCommand::Roll(right, down) => {
            let columns = picture::sheet_columns(state, editor);
            let by = right + down * columns as i32;
            if let Some(at) = &mut state.compared {
                let last = COMPARED as usize - 1;
                *at = at.saturating_add_signed(by as isize).min(last);
            }
        }
        BrowserCommand::Pick => {
            state.seed += state.compared.take().unwrap_or(0) as u64;
            state.request_rolls(editor);
        }
        BrowserCommand::Source => state.source_toggled = !state.source_toggled,
        BrowserCommand::ScrollSource(by) => source::scroll(state, editor, by),
        BrowserCommand::NextPortal => ways::next(state, editor),
        BrowserCommand::Back => ways::go_back(state, editor),
        BrowserCommand::PutDown => place::place_at_cursor(state, editor),
        BrowserCommand::GiveUp => {
            state.placing = None;
            state.open = true;
        }
    }
}

/// Returns why a command would do nothing now; `None` if it would do something.
pub(super) fn why_unavailable(state: &BrowserState, command: BrowserCommand) -> Option<&'static str> {
    match command {
        BrowserCommand::NextPortal => state
            .exits()
            .is_empty()
            .then_some("this vault has no exit to another map"),
        BrowserCommand::Back => state.entered.is_empty().then_some("no portal was entered"),
        _ => None,
    }
}

fn open(state: &mut BrowserState, editor: &mut Editor) {
    let folder = editor.document.folder();
    let chosen = state.identity();
    state.library.fill(editor.document.design(), &folder);
    state.open = true;
    state.identify(chosen);
    state.keep_selection();
    state.request_rolls(editor);
    // Level files may have changed while the browser was closed.
    editor.check_files();
}

impl BrowserState {
    /// Returns the file and name of the selected map, and the number of earlier maps with this name. They remain valid
    /// when files are reloaded.
    fn identity(&self) -> Option<(String, String, usize)> {
        let (group, map) = (self.group()?, self.selected?.1);
        let name = &group.library.map(map).name;
        let earlier = group.named_maps(name).position(|other| other == map)?;
        Some((group.file.clone(), name.clone(), earlier))
    }

    /// Selects the map with this identity; clears the selection if there is no such map.
    fn identify(&mut self, identity: Option<(String, String, usize)>) {
        self.entered.clear();
        let found = identity.and_then(|(file, name, earlier)| {
            let place = self.library.groups.iter().position(|group| group.file == file)?;
            let map = self.library.groups[place].named_maps(&name).take(earlier + 1).last()?;
            Some((place, map))
        });
        match found {
            // Unlike `choose`, keeps the scroll position of the source.
            Some(_) => self.selected = found,
            None => self.choose(None),
        }
    }
}

/// Reloads the level files that changed on disk, and reports those that cannot be read; the selection and the source's
/// scroll position are kept.
pub(super) fn reload(state: &mut BrowserState, editor: &mut Editor, levels: &LevelFileBytes) {
    let identity = state.identity();
    let changed = state.library.reread(levels);
    if changed.is_empty() {
        return;
    }
    state.identify(identity);
    if state.selected.is_some_and(|(place, _)| changed.contains(&place)) {
        state.portal = None;
    }
    state.keep_selection();
    if state.open {
        report_reloaded(state, editor, &changed);
    }
    // If the placement is cancelled, the browser shows the rolls again.
    if state.open || state.is_placing() {
        state.request_rolls(editor);
    }
}

fn report_reloaded(state: &BrowserState, editor: &mut Editor, changed: &[usize]) {
    let groups = changed.iter().map(|place| &state.library.groups[*place]);
    let (unreadable, read): (Vec<&MapGroup>, Vec<&MapGroup>) = groups.partition(|group| group.why.is_some());
    let mut texts: Vec<String> = unreadable.iter().filter_map(|group| group.why.clone()).collect();
    if !read.is_empty() {
        let names: Vec<String> = read.into_iter().map(MapGroup::title).collect();
        texts.push(format!("reloaded after a change on disk: {}", names.join(", ")));
    }
    let level = if unreadable.is_empty() {
        NoticeLevel::Done
    } else {
        NoticeLevel::Error
    };
    editor.say(level, texts.join("; "));
}

/// Handles a reply of the vault service.
pub(super) fn handle_reply(
    state: &mut BrowserState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<VaultRunReply, JobError>,
) {
    match reply {
        Ok(reply @ (VaultRunReply::Studied { .. } | VaultRunReply::Ways { .. })) => {
            state.library.apply_reply(reply);
        }
        Ok(VaultRunReply::Rolled { index, outcome }) => state.rolls.receive(ticket, index, outcome),
        Ok(VaultRunReply::Done) => {
            state.rolls.done(ticket);
        }
        Err(error) => {
            if state.rolls.done(ticket) {
                editor.fail(format!("rolling failed: {error}"));
            }
        }
    }
}

/// Handles the mouse: a click selects a map or a roll, a second click accepts it, and the wheel scrolls the pane under
/// the pointer.
pub(super) fn mouse(state: &mut BrowserState, editor: &mut Editor, mouse: MouseEvent) {
    let (at, wheel) = (position(mouse), wheel(mouse));
    let parts = BrowserAreas::of(state, editor);
    if state.texts.is_some() || wheel == 0 && click(mouse).is_none() {
        return;
    }
    if parts.list.contains(at) {
        let rows = list::BrowserRows::of(state, parts.list);
        match state.list.mouse(mouse, rows.visible, |row| rows.map(row).is_none()) {
            Some(ListClick::Accepted) => update(state, editor, BrowserCommand::Enter),
            Some(ListClick::Selected) => state.select_row(editor, &rows),
            None => {}
        }
    } else if parts.source.contains(at) {
        update(state, editor, BrowserCommand::ScrollSource(3 * wheel));
    } else if state.compared.is_some() && wheel != 0 {
        update(state, editor, BrowserCommand::Roll(0, wheel));
    } else if let Some(roll) = picture::roll_at(state, editor, at) {
        if state.compared == Some(roll) {
            update(state, editor, BrowserCommand::Pick);
        } else {
            state.compared = Some(roll);
        }
    }
}
