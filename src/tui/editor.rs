//! The state that all parts of the designer share, and the edits to the open design.
//!
//! A part is a panel, a view, a tool, a dialog or a full screen. It has its own state and receives `&mut Editor` to
//! edit the design, seek, show a notice, or request something that only the shell ([`super::app`]) can do. The shell
//! carries out the collected requests after the part has returned, so that no part calls another.

use std::sync::Arc;

use rand::TryRng as _;
use rand::rngs::SysRng;
use ratatui::layout::Rect;

use super::jobs::JobHandle;
use super::tabs::{Panel, View};
use super::theme::{Ground, Theme};
use super::wording;
use crate::background::{GrowthRequest, JobRequest, Ticket};
use crate::design::{Design, Entry, NamedPlace, Parameter, Place, ValidDesign};
use crate::document::{Document, EditGroup, VaultRequest};
use crate::engine::Options;
use crate::geometry::Point;
use crate::recording_file::RecordingFile;
use crate::settings::{self, Settings};
use crate::storage::RecoverableWork;
use crate::tui::areas::{Areas, FOLDED, PaneSplit};
use crate::tui::commands::{Action, Effect};
use crate::tui::keymap::Keymap;
use crate::tui::playback::TimeState;
use crate::tui::played_file::PlayedFile;
use crate::tui::viewport::{MapViewState, PictureSupport};
use crate::tui::walk::WalkState;

/// The pane that receives the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    Map,
    /// The panel on the screen.
    Panel,
    /// The view on the screen.
    View,
}

/// The level of a notice in the footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoticeLevel {
    /// An action succeeded.
    Done,
    /// A warning or a hint.
    Warning,
    /// An action failed.
    Error,
}

/// The number selected in a panel, and the range of the number's slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SliderRange {
    /// The record that contains the number.
    pub entry: Entry,
    pub parameter: Parameter,
    /// The smallest value of the slider.
    pub least: i32,
    /// The largest value of the slider.
    pub most: i32,
    /// The current value.
    pub now: i32,
}

/// A request from a part to the shell. The shell carries out requests in order after the part has returned.
#[derive(Debug)]
pub(super) enum Request {
    /// Carry out an action, as if the user had pressed its key.
    Do(Action),
    /// Run an action that would lose unsaved changes, after asking about them.
    Leave(AfterSave),
    /// Run the action that waited for the end of a save.
    Follow(AfterSave),
    /// Read the watched files again, as they may have changed.
    CheckFiles,
    /// Grow the design with the first seed for which the expectation at this index fails.
    OpenFailing(usize),
    /// Close the screens that cover the workspace.
    CloseScreens,
    /// Show an entry of the design in the panel that edits it.
    ShowEntry(Place),
    /// Select an entry of the layout in the Rooms panel.
    SelectEntry(Entry),
}

/// The action to run after the open design was saved or its changes were discarded.
#[derive(Debug, Default)]
pub(super) enum AfterSave {
    /// No action.
    #[default]
    Stay,
    /// Quits the app.
    Quit,
    /// Opens another design.
    Open(Box<Document>),
    /// Opens unsaved work recovered from a run that crashed or was killed.
    Recover(Box<RecoverableWork>),
}

/// The messages in the footer.
#[derive(Debug, Default)]
pub(super) struct Status {
    /// The result of the last action. The next action clears it, unless it is an error.
    pub(super) notice: Option<(NoticeLevel, String)>,
    /// Whether the user must still be asked how to resolve a conflict between the file and the open design.
    pub(super) conflict_waits: bool,
    /// A message that stays until the user dismisses it, another design is opened, or another alert replaces it.
    pub(super) alert: Option<String>,
    /// Why autosaving failed. The message stays until the user dismisses it or an autosave succeeds; no other message
    /// replaces it.
    pub(super) unkept: Option<String>,
    /// Whether the latest autosave failed.
    pub(super) autosave_failed: bool,
}

/// The jobs for the dungeon shown. Replies from earlier jobs of the same kinds are dropped.
#[derive(Debug, Default)]
pub(super) struct DungeonJobs {
    /// The growth of the run shown.
    pub(super) run: Option<JobHandle>,
    /// The resolution of the design's vaults, in progress or failed.
    pub(super) resolving: Option<JobHandle<VaultRequest>>,
    /// The regrowth of segments that the recording dropped.
    pub(super) regrowth: Option<JobHandle>,
}

/// The pending redraw of the screen.
#[derive(Debug)]
pub(super) struct Redraw {
    /// Whether the screen is out of date.
    pub(super) is_due: bool,
    /// Whether the user waits for the redraw. If so, the limit on the frame rate does not delay it.
    pub(super) is_urgent: bool,
}

/// State that every part of the designer may read and change.
#[derive(Debug)]
pub(super) struct Editor {
    pub(super) document: Document,
    pub(super) options: Options,
    /// The settings in effect, the file that they were read from, and the diagnostics about that file.
    pub(super) configured: settings::LoadedSettings,
    pub(super) keymap: Keymap,
    pub(super) theme: Theme,
    /// The terminal's background; `None` if the terminal has not reported it.
    pub(super) ground: Option<Ground>,
    /// How the terminal supports pictures; `None` if it does not.
    pub(super) offered: Option<PictureSupport>,
    pub(super) screen: Rect,
    /// The areas of the panes, laid out by the shell before the current event.
    pub(super) areas: Areas,
    /// The pane sizes that the user chose, and whether the views are folded.
    pub(super) split: PaneSplit,
    /// Whether the mouse is dragging the divider between the map and the panes.
    pub(super) is_dividing: bool,
    pub(super) focus: Focus,
    /// The panel on the screen.
    pub(super) panel: Panel,
    /// The view on the screen.
    pub(super) view: View,
    pub(super) map: MapViewState,
    pub(super) time: TimeState,
    /// The walk through the dungeon shown; `None` unless the user is walking.
    pub(super) walk: Option<WalkState>,
    /// Whether a walk begins as soon as the latest dungeon is shown.
    pub(super) walk_waits: bool,
    /// The messages in the footer.
    pub(super) status: Status,
    /// The jobs for the dungeon shown.
    pub(super) jobs: DungeonJobs,
    /// The recording being played if the app is the player (see [`super::player`]); `None` in the designer.
    pub(super) played: Option<PlayedFile>,
    pub(super) redraw: Redraw,
    /// Work that the shell still has to do.
    pub(super) pending: Pending,
}

/// The requests from parts that the shell has not carried out yet.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// Requests, in the order in which they were made.
    pub(super) requests: Vec<Request>,
    /// Effects for the services, in the order in which they were requested.
    pub(super) effects: Vec<Effect>,
    /// Whether the design must be grown again.
    pub(super) regrow: bool,
    /// Whether the set of watched files may have changed.
    pub(super) watch: bool,
}

impl Editor {
    /// Creates the state for a document and a screen. If the document contains a recording, its options are used.
    pub(super) fn new(document: Document, theme: Theme, screen: Rect) -> Self {
        let size = document.design().layout.size;
        let options = document
            .recording_file()
            .map_or_else(Options::default, |recording_file| recording_file.options);
        Self {
            document,
            options,
            configured: settings::LoadedSettings::default(),
            keymap: Keymap::default(),
            theme,
            ground: None,
            offered: None,
            screen,
            areas: Areas::default(),
            split: PaneSplit::default(),
            is_dividing: false,
            focus: Focus::Map,
            panel: Panel::default(),
            view: View::default(),
            map: MapViewState::new(size),
            time: TimeState::new(size),
            walk: None,
            walk_waits: false,
            status: Status::default(),
            jobs: DungeonJobs::default(),
            played: None,
            redraw: Redraw {
                is_due: true,
                is_urgent: true,
            },
            pending: Pending::default(),
        }
    }

    /// Asks the shell to carry out an action.
    pub(super) fn act(&mut self, action: Action) {
        self.pending.requests.push(Request::Do(action));
    }

    /// Asks the shell to replace the open document, once the user has decided about unsaved changes.
    pub(super) fn open_asking(&mut self, document: Box<Document>) {
        self.pending.requests.push(Request::Leave(AfterSave::Open(document)));
    }

    /// Asks the shell to read the watched files again, as a change may have been missed.
    pub(super) fn check_files(&mut self) {
        self.pending.requests.push(Request::CheckFiles);
    }

    /// Closes the full screens and grows the design with a seed.
    pub(super) fn use_seed(&mut self, seed: u64) {
        self.pending.requests.push(Request::CloseScreens);
        let before = self.document.design().seed;
        if before == seed {
            self.done(format!("the design already has seed {seed}"));
        } else {
            self.edit(format!("seed: {before} → {seed}"), |design| design.seed = seed);
        }
    }

    /// Asks the shell for something other than an action.
    pub(super) fn ask(&mut self, request: Request) {
        self.pending.requests.push(request);
    }

    /// Requests an effect from the services.
    pub(super) fn emit(&mut self, effect: Effect) {
        self.pending.effects.push(effect);
    }

    /// Starts a job and returns its handle. The job's replies arrive with the handle's ticket.
    pub(super) fn start<T>(&mut self, job: impl Into<JobRequest>, purpose: T) -> JobHandle<T> {
        let ticket = Ticket::new();
        self.emit(Effect::Start(ticket.clone(), job.into()));
        JobHandle::new(ticket, purpose)
    }

    /// Starts the growth of a design, which is shown as it grows.
    pub(super) fn grow(&mut self, design: ValidDesign) {
        let (options, limit) = (self.options, self.settings().recording.limit());
        self.jobs.run = Some(self.start(GrowthRequest::Grow { design, options, limit }, ()));
    }

    /// Starts the replay of a recording file, which is shown as it is read.
    pub(super) fn replay(&mut self, file: Arc<RecordingFile>) {
        let limit = self.settings().recording.limit();
        self.jobs.run = Some(self.start(GrowthRequest::Replay { file, limit }, ()));
    }

    /// Asks the shell to grow the design again.
    pub(super) const fn regrow(&mut self) {
        self.pending.regrow = true;
    }

    /// Returns whether the design will be grown again, because an edit changed it.
    pub(super) const fn regrows(&self) -> bool {
        self.pending.regrow
    }

    /// Asks the shell to watch the files that are now in use.
    pub(super) fn watch(&mut self) {
        self.pending.watch = true;
    }

    /// Returns whether the app is the player of a recording, which edits nothing.
    pub(super) const fn plays_only(&self) -> bool {
        self.played.is_some()
    }

    /// Pauses and seeks to a position in the run, in percent of the turns recorded; values above 100 mean the end.
    pub(super) fn seek_share(&mut self, percent: u64) {
        self.time.seek(self.time.turns() * percent.min(100) / 100);
        self.redraw.is_due = true;
    }

    /// Returns whether a view is on the screen.
    pub(super) fn shows_view(&self, view: View) -> bool {
        (self.view == view && !self.areas.view.is_empty())
            || (self.view.second() == view && !self.areas.second.is_empty())
    }

    /// Returns whether the panes are below the map rather than beside it.
    pub(super) const fn has_panes_below(&self) -> bool {
        self.areas.panel.y >= self.areas.map.y + self.areas.map.height && self.areas.map.height > 0
    }

    /// Moves the divider between the map and the panes: to `row` if the panes are below the map, otherwise to `column`.
    pub(super) fn divide_at(&mut self, column: u16, row: u16) {
        let Areas { map, panel, view, .. } = self.areas;
        let body = map.union(panel).union(view);
        if panel.is_empty() && view.is_empty() {
            return;
        }
        if panel.height <= FOLDED && self.has_panes_below() {
            // The panes are folded to make the map larger. Moving the divider unfolds them beside the map, at their
            // usual width.
            let is_inside = body.contains((column, row).into()) && row + 1 < map.bottom();
            self.split.side = is_inside.then_some(body.width * 2 / 5);
            // The drag ends, because the divider is elsewhere now.
            self.is_dividing = false;
        } else if self.has_panes_below() {
            self.split.below = Some(body.bottom().saturating_sub(row + 1));
        } else {
            self.split.side = Some(body.right().saturating_sub(column + 1));
        }
    }

    /// Returns the design's named places that lie inside the dungeon, with their squares.
    pub(super) fn named_places(&self) -> impl Iterator<Item = (Entry, &NamedPlace, Point)> {
        let layout = &self.document.design().layout;
        let pieces = self.document.valid().map_or(&[][..], ValidDesign::pieces);
        let places = layout.places.iter().enumerate();
        places.filter_map(move |(i, place)| {
            let at = layout.square_of(place, pieces).filter(|at| layout.size.contains(*at))?;
            Some((Entry::NamedPlace(i), place, at))
        })
    }

    /// Moves the map's cursor to a square, or to the nearest square inside the dungeon, and scrolls to show it.
    pub(super) fn show_square(&mut self, at: Point) {
        self.map.show(at, self.areas.map);
    }

    /// Returns why the design cannot be grown now.
    pub(super) const fn why_not_grown(&self) -> &'static str {
        if self.document.is_resolving() {
            "the vaults of this design are still being resolved"
        } else {
            "this design cannot be grown: see Problems"
        }
    }

    /// Returns whether the footer shows an error.
    pub(super) const fn has_failed(&self) -> bool {
        matches!(self.status.notice, Some((NoticeLevel::Error, _)))
    }

    /// Returns whether there is a message that stays until the user dismisses it.
    pub(super) const fn has_message(&self) -> bool {
        self.status.alert.is_some() || self.status.unkept.is_some() || self.has_failed()
    }

    /// Dismisses one message: the most important of those that stay until the user dismisses them.
    pub(super) fn dismiss_message(&mut self) {
        if self.has_failed() {
            self.status.notice = None;
        } else if self.status.unkept.take().is_none() {
            self.status.alert = None;
        }
    }

    /// Shows a notice in the footer.
    pub(super) fn say(&mut self, level: NoticeLevel, text: impl Into<String>) {
        self.status.notice = Some((level, text.into()));
    }

    /// Reports in the footer that an action succeeded.
    pub(super) fn done(&mut self, text: impl Into<String>) {
        self.say(NoticeLevel::Done, text);
    }

    /// Shows a warning or a hint in the footer.
    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.say(NoticeLevel::Warning, text);
    }

    /// Reports in the footer that an action failed.
    pub(super) fn fail(&mut self, text: impl Into<String>) {
        self.say(NoticeLevel::Error, text);
    }

    /// Returns the settings in effect.
    pub(super) const fn settings(&self) -> &Settings {
        &self.configured.settings
    }

    /// Marks the screen as out of date, without urgency.
    pub(super) const fn redraw(&mut self) {
        self.redraw.is_due = true;
    }

    /// Edits the design and regrows it. `name` is the edit's name in the history, such as "room 2 added". Every edit
    /// passes through [`Self::edit_in`].
    pub(super) fn edit(&mut self, name: impl Into<String>, change: impl FnOnce(&mut Design)) {
        let name = name.into();
        self.edit_in(None, |_, _| name, change);
    }

    /// Like [`Self::edit`], but consecutive changes to the same place are one undo step.
    pub(super) fn edit_at(&mut self, place: Place, name: impl Into<String>, change: impl FnOnce(&mut Design)) {
        let name = name.into();
        self.edit_in(Some(place.into()), |_, _| name, change);
    }

    /// Like [`Self::edit`], but consecutive changes in the same edit group are one undo step. `name` receives the
    /// design before the first of these changes and the design after the last, and returns the step's name, such as
    /// "CorridorWidth of generation 2: 4 → 3".
    pub(super) fn edit_in(
        &mut self,
        group: Option<EditGroup>,
        name: impl FnOnce(&Design, &Design) -> String,
        change: impl FnOnce(&mut Design),
    ) {
        let mut described = None;
        let changed = self.document.edit_in(
            group,
            |before, after| described.insert(name(before, after)).clone(),
            change,
        );
        if !changed {
            return;
        }
        // A group whose changes cancel out is not an undo step and has no name.
        self.done(described.unwrap_or_else(|| "the changes cancel each other out".into()));
        self.regrow();
    }

    /// Sets a parameter; consecutive changes to the same parameter are one undo step.
    pub(super) fn edit_parameter(&mut self, entry: Entry, parameter: Parameter, value: i32) {
        let place = Place::field(entry, parameter);
        self.edit_in(
            Some(place.into()),
            |before, after| wording::change_name(entry, parameter.into(), before, after),
            |design| {
                design.set(entry, parameter, value);
            },
        );
    }

    /// Sets the seed; consecutive changes to the seed are one undo step.
    pub(super) fn edit_seed(&mut self, seed: u64) {
        self.edit_in(
            Some(EditGroup::Seed),
            |before, after| format!("seed: {} → {}", before.seed, after.seed),
            |design| design.seed = seed,
        );
    }

    /// Undoes or redoes until `step` undo steps are applied.
    pub(super) fn go_to(&mut self, step: usize) {
        if !self.document.go_to(step) {
            return;
        }
        let last = step.checked_sub(1).and_then(|last| self.document.steps().nth(last));
        let name = last.map_or_else(
            || "the design as it was opened".to_owned(),
            |name| format!("after: {name}"),
        );
        self.done(name);
        self.regrow();
    }

    /// Undoes the last edit.
    pub(super) fn undo(&mut self) {
        let name = self.document.undo();
        self.report_step(name, "undone", "nothing to undo");
    }

    /// Redoes the edit that was undone last.
    pub(super) fn redo(&mut self) {
        let name = self.document.redo();
        self.report_step(name, "redone", "nothing to redo");
    }

    fn report_step(&mut self, name: Option<String>, done: &str, nothing: &str) {
        if let Some(name) = name {
            self.done(format!("{done}: {name}"));
            self.regrow();
        } else {
            self.warn(nothing);
        }
    }

    /// Sets a random seed.
    pub(super) fn reroll(&mut self) {
        match SysRng.try_next_u32() {
            // 32 bits offer enough seeds and are short enough to write down.
            Ok(seed) => {
                let name = format!("seed: {} → {seed}", self.document.design().seed);
                self.edit(name, |design| design.seed = u64::from(seed));
            }
            Err(error) => {
                self.fail(format!("cannot get a random number from the system: {error}"));
            }
        }
    }
}
