//! The vault browser: level files with their maps, each rolled from a seed as the map view would show it, with its
//! source beside it and commands to place it into the design.
//!
//! Lua runs on another thread: the browser requests rolls and draws those that have arrived. It covers the screen while
//! it is open, and keeps its state while it is closed.

mod draw;
mod keys;
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

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

pub(super) use draw::draw;
pub(super) use keys::KEYS;
pub(super) use place::{ghost, put_down};
pub(super) use texts::{paste, typed};

use self::draw::BrowserAreas;
use self::library::{ChosenMap, MapGroup, VaultLibrary};
use self::place::VaultPlacing;
use self::rolls::RolledMaps;
use self::texts::TypedTexts;
use super::app::{App, Effect, NoticeLevel};
use super::files;
use super::keys::Context;
use crate::background::{RunId, VaultRunReply, VaultRunRequest};
use crate::document::LevelFileBytes;
use crate::vault::VaultWorld;

/// Number of rolls compared at once.
const COMPARED: u64 = 10;

/// A command of the vault browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BrowserCommand {
    /// Open the browser.
    Open,
    /// Close the browser.
    Close,
    /// Move the selection by this many maps.
    Select(i32),
    /// Enter the selected portal, or without one place the vault at the map's cursor.
    Enter,
    /// Place the vault at the map's cursor.
    Place,
    /// Choose the vault's place on the map.
    ByHand,
    /// Type a filter.
    Filter,
    /// Type the path of a level file.
    OpenFile,
    /// Type the game's values (place, experience level, species, …).
    Values,
    /// Change the seed by this number.
    Seed(i64),
    /// Mirror the vault.
    Mirror,
    /// Rotate the vault by a quarter turn.
    Turn,
    /// Choose mirroring and rotation at random.
    ByChance,
    /// Toggle between ten rolls and one.
    Compare,
    /// Move the selection among the compared rolls, by columns and rows.
    Roll(i32, i32),
    /// Keep the selected roll.
    Pick,
    /// Toggle the source.
    Source,
    /// Scroll the source by this many lines.
    ScrollSource(i32),
    /// Select the next portal.
    NextPortal,
    /// Return to the map from which the last portal was entered.
    Back,
    /// Apply the typed text.
    Accept,
    /// Discard the typed text.
    Cancel,
    /// Move to another field, or to another map while a filter is typed.
    Field(i32),
    /// Place the vault where its preview is.
    PutDown,
    /// Cancel the placement.
    GiveUp,
}

/// State of the vault browser.
#[derive(Debug)]
pub(super) struct BrowserState {
    open: bool,
    shelf: VaultLibrary,
    pub(super) filter: String,
    selected: Option<ChosenMap>,
    /// The first visible row of the list.
    list_top: usize,
    /// The text fields, while any are open.
    texts: Option<TypedTexts>,
    world: VaultWorld,
    seed: u64,
    orientation: i32,
    rolls: RolledMaps,
    /// The selected roll while ten are compared.
    compared: Option<usize>,
    /// Whether the source is toggled from its default visibility, which depends on the screen.
    source_turned: bool,
    /// The first visible line of the source, from 0; `None` for the beginning of the map.
    source_top: Option<usize>,
    /// The selected way out of the map.
    portal: Option<usize>,
    /// The maps whose portals were entered, the last one last.
    entered: Vec<ChosenMap>,
    placing: Option<VaultPlacing>,
}

impl Default for BrowserState {
    fn default() -> Self {
        Self {
            open: false,
            shelf: VaultLibrary::default(),
            filter: String::new(),
            selected: None,
            list_top: 0,
            texts: None,
            world: VaultWorld::default(),
            seed: 1,
            orientation: 0,
            rolls: RolledMaps::default(),
            compared: None,
            source_turned: false,
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
        self.shelf.files()
    }

    /// Returns the key context of the browser.
    pub(super) const fn context(&self) -> Context {
        match (&self.texts, self.compared) {
            (Some(_), _) => Context::VaultText,
            (None, Some(_)) => Context::Rolls,
            (None, None) => Context::Vaults,
        }
    }

    /// Records the number of the last request for rolls.
    pub(super) fn order_placed(&mut self, run: RunId) {
        self.rolls.ordered(run);
    }

    fn group(&self) -> Option<&MapGroup> {
        self.shelf.groups.get(self.selected?.0)
    }

    fn listed(&self) -> Vec<ChosenMap> {
        self.shelf.listed(&self.filter)
    }

    /// Selects a map.
    fn choose(&mut self, chosen: Option<ChosenMap>) {
        if self.selected != chosen {
            self.selected = chosen;
            (self.source_top, self.portal) = (None, None);
        }
    }

    /// Keeps the selection on a map that passes the filter.
    fn keep_selection(&mut self) {
        let listed = self.listed();
        let still = self.selected.filter(|chosen| listed.contains(chosen));
        self.choose(still.or(listed.first().copied()));
    }

    fn step(&mut self, by: i32) {
        let listed = self.listed();
        let at = self
            .selected
            .and_then(|chosen| listed.iter().position(|one| *one == chosen));
        let last = listed.len().saturating_sub(1);
        let next = at.map_or(0, |at| at.saturating_add_signed(by as isize).min(last));
        self.choose(listed.get(next).copied());
        self.entered.clear();
    }

    /// Requests the rolls to show.
    fn order(&mut self) -> Vec<Effect> {
        let Some((place, map)) = self.selected else {
            self.rolls.clear();
            return Vec::new();
        };
        let count = if self.compared.is_some() { COMPARED } else { 1 };
        let seeds = self.seed..self.seed.saturating_add(count);
        let library = self.shelf.groups[place].library.clone();
        self.rolls.expect(&library, map, seeds.clone());
        vec![Effect::Resolve(VaultRunRequest {
            library,
            map: Some(map),
            world: self.world.clone(),
            seeds,
            orientation: self.orientation,
        })]
    }
}

/// Runs a command.
pub(super) fn update(app: &mut App, command: BrowserCommand) -> Vec<Effect> {
    let effects = perform(app, command);
    keep_in_view(app);
    effects
}

fn perform(app: &mut App, command: BrowserCommand) -> Vec<Effect> {
    let state = &mut app.vaults;
    match command {
        BrowserCommand::Open => return open(app),
        BrowserCommand::Close => state.close(),
        BrowserCommand::Select(by) => {
            state.step(by);
            return state.order();
        }
        BrowserCommand::Enter if state.portal.is_some() => return ways::enter(app),
        BrowserCommand::Enter | BrowserCommand::Place => return place::at_cursor(app),
        BrowserCommand::ByHand => return place::by_hand(app),
        BrowserCommand::Filter | BrowserCommand::OpenFile | BrowserCommand::Values => texts::begin(state, command),
        BrowserCommand::Accept => return texts::accept(app),
        BrowserCommand::Cancel => return texts::cancel(state),
        BrowserCommand::Field(by) => return texts::field(state, by),
        BrowserCommand::Seed(by) => {
            // Designs store a vault's seed in 31 bits, and 0 means random.
            let most = i64::from(i32::MAX) - COMPARED as i64;
            state.seed = (state.seed as i64).saturating_add(by).clamp(1, most) as u64;
            return state.order();
        }
        BrowserCommand::Mirror => {
            state.orientation = (state.orientation.max(1) + 3) % 8 + 1;
            return state.order();
        }
        BrowserCommand::Turn => {
            let turned = state.orientation.max(1) - 1;
            state.orientation = turned / 4 * 4 + (turned + 1) % 4 + 1;
            return state.order();
        }
        BrowserCommand::ByChance => {
            state.orientation = 0;
            return state.order();
        }
        BrowserCommand::Compare => {
            state.compared = if state.compared.is_some() { None } else { Some(0) };
            return state.order();
        }
        BrowserCommand::Roll(right, down) => {
            let columns = picture::sheet_columns(app);
            let by = right + down * columns as i32;
            if let Some(at) = &mut app.vaults.compared {
                let last = COMPARED as usize - 1;
                *at = at.saturating_add_signed(by as isize).min(last);
            }
        }
        BrowserCommand::Pick => {
            state.seed += state.compared.take().unwrap_or(0) as u64;
            return state.order();
        }
        BrowserCommand::Source => state.source_turned = !state.source_turned,
        BrowserCommand::ScrollSource(by) => source::scroll(app, by),
        BrowserCommand::NextPortal => ways::next(app),
        BrowserCommand::Back => return ways::leave(app),
        BrowserCommand::PutDown => return place::put_down(app),
        BrowserCommand::GiveUp => {
            state.placing = None;
            state.open = true;
        }
    }
    Vec::new()
}

fn open(app: &mut App) -> Vec<Effect> {
    let folder = app.editor.document.folder();
    let chosen = app.vaults.identity();
    app.vaults.shelf.fill(app.editor.document.design(), &folder);
    app.vaults.open = true;
    app.vaults.identify(chosen);
    app.vaults.keep_selection();
    // Level files may have changed while the browser was closed.
    let mut effects = app.vaults.order();
    effects.extend(files::look(app, true));
    effects
}

impl BrowserState {
    /// Returns the file and name of the selected map, which remain valid when files are reloaded.
    fn identity(&self) -> Option<(String, String)> {
        let group = self.group()?;
        Some((group.file.clone(), group.library.map(self.selected?.1).name.clone()))
    }

    /// Selects a map by its file and name; clears the selection if it is gone.
    fn identify(&mut self, identity: Option<(String, String)>) {
        self.entered.clear();
        let found = identity.and_then(|(file, map)| {
            let place = self.shelf.groups.iter().position(|group| group.file == file)?;
            Some((place, self.shelf.groups[place].library.by_name(&map)?))
        });
        // Unlike `choose`, keeps the scroll position of the source.
        self.selected = found;
    }
}

/// Reloads the level files that changed on disk; the selection and the source's scroll position are kept.
pub(super) fn reload(app: &mut App, levels: &LevelFileBytes) -> Vec<Effect> {
    let identity = app.vaults.identity();
    let changed = app.vaults.shelf.reread(levels);
    if changed.is_empty() {
        return Vec::new();
    }
    let scrolled = app.vaults.source_top;
    app.vaults.identify(identity);
    app.vaults.keep_selection();
    app.vaults.source_top = scrolled;
    keep_in_view(app);
    if !app.vaults.open {
        return Vec::new();
    }
    let names: Vec<String> = changed
        .iter()
        .map(|(place, _)| app.vaults.shelf.groups[*place].title())
        .collect();
    app.editor.say(
        NoticeLevel::Done,
        format!("{} was changed elsewhere: read again", names.join(", ")),
    );
    app.vaults.order()
}

/// Handles a reply about vaults.
pub(super) fn hear(app: &mut App, news: VaultRunReply) {
    match news {
        VaultRunReply::Studied { .. } | VaultRunReply::Ways { .. } => {
            if app.vaults.shelf.learn(news) {
                // The reply may contain tags that the filter matches.
                keep_in_view(app);
            }
        }
        VaultRunReply::Rolled { run, index, outcome } => app.vaults.rolls.take(run, index, outcome),
        VaultRunReply::Done { run } => {
            app.vaults.rolls.done(run);
        }
        VaultRunReply::Broken { run, why } => {
            if app.vaults.rolls.done(run) {
                app.editor.say(
                    NoticeLevel::Error,
                    format!("rolling broke off, a fault of the program: {why}"),
                );
            }
        }
    }
}

/// Scrolls the list so that the selected map is visible.
pub(super) fn keep_in_view(app: &mut App) {
    let parts = BrowserAreas::of(app);
    list::keep_in_view(&mut app.vaults, list::rows_of(parts.list).height.into());
}

/// Handles the mouse: a click selects, and the wheel scrolls the part under the pointer.
pub(super) fn mouse(app: &mut App, mouse: MouseEvent) -> Vec<Effect> {
    let at = Position::new(mouse.column, mouse.row);
    let parts = BrowserAreas::of(app);
    if app.vaults.texts.is_some() {
        return Vec::new();
    }
    let wheel = match mouse.kind {
        MouseEventKind::ScrollDown => 1,
        MouseEventKind::ScrollUp => -1,
        MouseEventKind::Down(MouseButton::Left) => 0,
        _ => return Vec::new(),
    };
    if parts.list.contains(at) {
        if wheel != 0 {
            return update(app, BrowserCommand::Select(wheel));
        }
        let chosen = list::at(&app.vaults, list::rows_of(parts.list), at);
        if let Some(chosen) = chosen {
            app.vaults.entered.clear();
            app.vaults.choose(Some(chosen));
            return app.vaults.order();
        }
    } else if parts.source.contains(at) {
        return update(app, BrowserCommand::ScrollSource(3 * wheel));
    } else if app.vaults.compared.is_some() && wheel != 0 {
        return update(app, BrowserCommand::Roll(0, wheel));
    } else if let Some(roll) = picture::roll_at(app, at) {
        if app.vaults.compared == Some(roll) {
            return update(app, BrowserCommand::Pick);
        }
        app.vaults.compared = Some(roll);
    }
    Vec::new()
}
