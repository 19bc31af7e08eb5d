//! The state of the designer, and the functions by which messages and actions change it.
//!
//! An [`App`] needs no terminal, clock or thread. It receives messages through [`App::handle`] and elapsed time through
//! [`App::advance`], and returns requests to the event loop (such as to start a job, watch files or quit) as
//! [`Effect`]s. Tests drive it in the same way as the event loop does. Keys and the mouse are handled in
//! [`super::input`], replies of jobs in [`super::replies`].

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::Event;
use ratatui::layout::Rect;

use super::dialog::Dialog;
use super::jobs::JobHandle;
use super::panels::PanelInputs;
use super::tabs::View;
use super::theme::Theme;
use super::{
    compare, export_dialog, files, import_dialog, map, metrics, panels, recorded, recovery, seed_gallery, time, tools,
    tour, tuning, vault_browser, views,
};
use crate::background::Message;
use crate::document::{Document, SeededDesign};
use crate::engine::Options;
use crate::recording_file::ReproductionCheck;
use crate::settings::LoadedSettings;
use crate::tui::commands::Effect;
use crate::tui::editor::{Editor, NoticeLevel, Request};
use crate::tui::keymap::{Binding, Context};
use crate::tui::screens::Screens;
use crate::tui::viewport::{CellSize, PictureSupport};
use crate::tui::waiting::WaitingRequest;
use crate::tui::walk::WalkState;

/// Exit status of a designer that runs without a terminal, if the client that drives it disconnects. The status is the
/// same as after SIGHUP.
pub(super) const HANG_UP: u8 = 129;

/// Exit status of such a designer if the last save or the last export failed, since the client may not have learned it.
const UNWRITTEN: u8 = 1;

/// The dialog on the screen, and the state that dialogs keep while they are closed.
#[derive(Debug, Default)]
pub(super) struct Dialogs {
    pub(super) open: Option<Dialog>,
    pub(super) export: export_dialog::ExportState,
    pub(super) import: import_dialog::ImportState,
    /// Actions chosen in the palette, the latest first.
    pub(super) recent: Vec<&'static Binding>,
}

/// The screens that cover the workspace. They keep their state while they are closed.
#[derive(Debug, Default)]
pub(super) struct FullScreens {
    /// The screens that are open.
    pub(super) open: Screens,
    pub(super) vaults: vault_browser::BrowserState,
    pub(super) gallery: seed_gallery::SeedGalleryState,
    pub(super) compare: compare::CompareState,
}

/// The state of the designer.
#[derive(Debug)]
pub struct App {
    /// State that every component may read and change.
    pub(super) editor: Editor,
    pub(super) tools: tools::DrawState,
    pub(super) panels: panels::PanelsState,
    pub(super) views: views::ViewsState,
    pub(super) metrics: metrics::MetricsState,
    pub(super) tune: tuning::TuneState,
    /// The running search for a valid seed, if any, and the design that the seed is for.
    pub(super) search: Option<JobHandle<SeededDesign>>,
    pub(super) recovery: recovery::RecoveryState,
    /// Open files, and the reads and writes in progress.
    pub(super) files: files::FilesState,
    pub(super) dialogs: Dialogs,
    pub(super) screens: FullScreens,
    pub(super) tour: Option<tour::TourState>,
    /// Requests from the control socket that wait for an answer.
    pub(super) waiting: Vec<WaitingRequest>,
    /// Whether the client that drives this designer has disconnected. If so, the designer ends as soon as no save or
    /// export is in progress.
    is_abandoned: bool,
}

impl App {
    /// Creates the app with a document, on a screen of `width` × `height` characters.
    pub fn new(document: Document, theme: Theme, width: u16, height: u16) -> Self {
        Self {
            editor: Editor::new(document, theme, Rect::new(0, 0, width, height)),
            tools: tools::DrawState::default(),
            panels: panels::PanelsState::default(),
            views: views::ViewsState::default(),
            metrics: metrics::MetricsState::default(),
            tune: tuning::TuneState::default(),
            search: None,
            recovery: recovery::RecoveryState::default(),
            files: files::FilesState::default(),
            dialogs: Dialogs::default(),
            screens: FullScreens::default(),
            tour: None,
            waiting: Vec::new(),
            is_abandoned: false,
        }
        .laid_out()
    }

    /// Starts the designer: requests the growth of the design, and returns the first effects.
    pub fn start(&mut self) -> Vec<Effect> {
        let effects = self.begin();
        self.resolve_vaults();
        self.finish(effects)
    }

    /// Prepares a newly opened document: requests its growth, has its files watched, reports what the user should know
    /// about it, and returns the effect that adds its files to the recently opened designs.
    pub(super) fn begin(&mut self) -> Vec<Effect> {
        self.editor.regrow();
        self.editor.watch();
        if let Some(turn) = self.editor.document.take_moment() {
            self.editor.time.open_at(turn);
        }
        let effects = recorded::files(&self.editor.document)
            .map(Effect::Remember)
            .into_iter()
            .collect();
        if self.editor.document.is_new_file() {
            let text = format!("new file: {} is written when you save it", self.editor.document.title());
            self.editor.done(text);
        }
        if let Some(description) = self
            .editor
            .document
            .recording_file()
            .and_then(|recording_file| recorded::program_notice(recording_file))
        {
            self.editor.status.alert = Some(description);
        }
        effects
    }

    /// Returns the open design's document.
    pub const fn document(&self) -> &Document {
        &self.editor.document
    }

    /// Replaces the open document with another.
    pub(super) fn open(&mut self, document: Document) -> Vec<Effect> {
        let size = document.design().layout.size;
        self.editor.options = document
            .recording_file()
            .map_or_else(Options::default, |recording_file| recording_file.options);
        let backups = std::mem::take(self.editor.document.backups_mut());
        self.editor.document = document;
        *self.editor.document.backups_mut() = backups;
        self.editor.map.renew(size);
        self.tools = tools::DrawState::default();
        self.editor.time = self.editor.time.renewed(size);
        self.panels = panels::PanelsState::default();
        self.tune = self.tune.renewed();
        self.metrics = self.metrics.renewed();
        self.editor.jobs.run = None;
        self.editor.walk_waits = false;
        self.search = None;
        self.screens.vaults.close();
        self.screens.gallery.leave();
        self.screens.compare = compare::CompareState::default();
        self.dialogs.open = None;
        self.files.reset();
        self.dialogs.import.reset();
        self.editor.status.alert = None;
        let opened = || (NoticeLevel::Done, format!("{} opened", self.editor.document.title()));
        let (level, description) = files::describe_drawing(&self.editor.document).unwrap_or_else(opened);
        self.editor.say(level, description);
        self.begin()
    }

    /// Grows the variant of the design that is previewed or tried out, if there is one, otherwise the design itself. If
    /// the design is invalid, the dungeon of the last valid design stays on the screen.
    fn grow_design(&mut self) {
        if let Some(design) = tuning::tuned_design(&self.tune, &self.editor)
            .or_else(|| panels::varied_design(&self.panels, &self.editor))
            .or_else(|| self.editor.document.valid().cloned())
        {
            let grown =
                self.editor.time.ordered().filter(|run| {
                    run.design.expect != design.expect || run.design.layout.places != design.layout.places
                });
            if grown.is_some_and(|run| run.design.grows_like(&design) && run.design.pieces() == design.pieces()) {
                // Only the expectations or the named places have changed, so the dungeon is the same and need not be
                // grown again.
                self.editor.time.order_alike(design);
                return;
            }
            if let Some(recording_file) = self
                .editor
                .document
                .recording_file()
                .filter(|recording_file| recorded::shows_growth_of(recording_file, &design, self.editor.options))
            {
                let recording_file = Arc::clone(recording_file);
                self.editor.time.order_recorded(design, self.editor.options);
                self.editor.replay(recording_file);
                return;
            }
            let has_vaults = !design.layout.vaults.is_empty();
            self.editor.time.order(design.clone(), self.editor.options);

            if has_vaults {
                // The edit may have named another level file, which must be watched.
                self.editor.watch();
            }
            self.editor.grow(design);
            return;
        }
        if self.editor.document.is_resolving() {
            // The design will be grown once its vaults are resolved.
            self.editor.watch();
            return;
        }
        let error = self
            .editor
            .document
            .diagnostics()
            .max_by_key(|problem| problem.severity);
        let why = error.map_or_else(String::new, |problem| format!(": {}", problem.message));
        self.editor.fail(format!("this design cannot grow{why}"));
    }

    /// Closes the screens that cover the workspace.
    fn close_screens(&mut self) -> Vec<Effect> {
        let close = self.screens.open.close();
        close.into_iter().flat_map(|action| self.update(action)).collect()
    }

    /// Grows the current design again, which makes a new recording.
    pub fn grow_again(&mut self) -> Vec<Effect> {
        self.editor.regrow();
        self.finish(Vec::new())
    }

    /// Applies settings. Where the settings say `auto`, environment variables decide; `environment` looks them up.
    pub fn configure(&mut self, loaded: LoadedSettings, environment: impl Fn(&str) -> Option<String>) {
        self.editor.configure(loaded, environment);
    }

    /// Pauses playback, and seeks to a position in the run, given in percent of the recorded turns. Values above 100
    /// mean the end.
    pub fn seek_share(&mut self, percent: u64) {
        self.editor.seek_share(percent);
    }

    /// Sets whether the terminal is known to draw octants, the eight-part block characters of Unicode 16.
    pub const fn set_octants_known(&mut self, known: bool) {
        self.editor.map.set_octants_known(known);
    }

    /// Draws the map in pixels from now on if the settings and the theme allow it. The terminal must show pictures with
    /// kitty's protocol; a character cell has `width` × `height` pixels. If this size is implausible, the map is drawn
    /// with characters. [`Self::picture_commands`] returns the pictures.
    pub fn show_pictures(&mut self, width: u16, height: u16) {
        /// The id of the first picture. Queries to the terminal use smaller ids.
        const FIRST: u32 = 1 << 10;
        self.editor.offered = CellSize::plausible(width, height).map(|cell| PictureSupport { cell, first: FIRST });
        self.editor.choose_pictures();
    }

    /// Sets the size of a character cell in pixels, which changes with the terminal's font size. An implausible size is
    /// ignored.
    pub(super) fn set_cell(&mut self, cell: Option<(u16, u16)>) {
        let cell = cell.and_then(|(width, height)| CellSize::plausible(width, height));
        if let (Some(offered), Some(cell)) = (&mut self.editor.offered, cell) {
            offered.cell = cell;
            self.editor.choose_pictures();
        }
    }

    /// Draws the map with characters from now on, because the terminal has refused a picture.
    pub(super) fn lose_pictures(&mut self) {
        if self.editor.offered.take().is_some() {
            self.editor.choose_pictures();
            self.editor.redraw.is_due = true;
            self.editor
                .warn("the terminal refused a picture: the map is drawn with characters");
        }
    }

    /// Returns whether the screen must be redrawn.
    pub const fn is_stale(&self) -> bool {
        self.editor.redraw.is_due
    }

    /// Returns whether the screen must be redrawn without delay, because it must show the result of the user's input.
    pub const fn is_urgent(&self) -> bool {
        self.editor.redraw.is_due && self.editor.redraw.is_urgent
    }

    /// Records that the screen has been drawn and is up to date.
    pub const fn drawn(&mut self) {
        self.editor.redraw.is_due = false;
        self.editor.redraw.is_urgent = false;
    }

    /// Does the work that is needed once per frame, however many messages were handled since the last frame. The event
    /// loop calls this before it draws a frame.
    pub fn before_frame(&mut self) -> Vec<Effect> {
        self.lay_out();
        self.editor.time.keep_origins(self.wants_origins());
        time::walk::before_frame(&mut self.editor);
        let in_panel = panels::entry(&self.panels, &self.editor);
        tools::before_frame(&mut self.tools, &mut self.editor, in_panel);
        let latest = metrics::latest(&self.metrics, &self.editor);
        self.views.before_frame(&mut self.editor, latest);
        metrics::tick(&mut self.metrics, &mut self.editor);
        panels::frame(&mut self.panels, &mut self.editor);
        self.tune.ranged = panels::ranged(&self.panels, &self.editor);
        tuning::frame(&mut self.tune, &mut self.editor);
        seed_gallery::tick(&mut self.screens.gallery, &mut self.editor);
        map::count_walls(&mut self.editor);
        compare::tick(&mut self.screens.compare, &mut self.editor);
        map::count_colours(&mut self.editor);
        let effects = self.finish(Vec::new());
        self.answer_waiting();
        effects
    }

    /// Returns the time until [`App::advance`] next has work to do; `None` if nothing changes until a message arrives.
    pub fn next_change(&self) -> Option<Duration> {
        let (time, views) = (self.editor.time.next_change(), self.views.next_change(&self.editor));
        time.into_iter()
            .chain(views)
            .chain(tuning::next_change(&self.tune, &self.editor))
            .chain(compare::next_change(&self.screens.compare))
            .chain(self.editor.walk.as_ref().and_then(WalkState::next_change))
            .min()
    }

    /// Advances playback and all timers by `elapsed`, and returns the resulting effects.
    pub fn advance(&mut self, elapsed: Duration) -> Vec<Effect> {
        if self.editor.time.advance(elapsed) {
            self.editor.redraw.is_due = true;
            time::report_search_end(&mut self.editor);
        }
        self.editor.redraw.is_due |= compare::advance(&mut self.screens.compare, elapsed);
        self.editor.redraw.is_due |= time::walk::advance(&mut self.editor, elapsed);
        self.follow_size();
        // If the Events view's search did not finish within one frame, it continues in the next.
        self.editor.redraw.is_due |= self.views.next_change(&self.editor).is_some();
        if let Some(request) = self.editor.time.regrow_request() {
            self.editor.jobs.regrowth = Some(self.editor.start(request, ()));
        }
        tuning::advance(&mut self.tune, &mut self.editor, elapsed);
        let effects = Vec::new();
        self.finish(effects)
    }

    /// Returns whether anything on the screen needs to know which Builder laid which tile.
    fn wants_origins(&self) -> bool {
        self.editor.plays_only()
            || self.editor.map.needs_origins()
            || self.editor.shows_view(View::Inspect)
            || metrics::needs_origins(&self.metrics, &self.editor)
    }

    /// Sets the map's size to that of the dungeon shown, which may differ from the design's until the next run arrives.
    fn follow_size(&mut self) {
        if let Some(frame) = self.editor.time.frame() {
            self.editor.map.resized(frame.grid().size());
        }
    }

    /// Returns whether the design is being saved. While this is the case, autosave keeps the unsaved work, because the
    /// user may quit without waiting for the save.
    pub fn is_saving(&self) -> bool {
        self.files.saving().is_some()
    }

    /// Returns whether a requested export or copy of the design has not been completely written yet.
    fn is_exporting(&self) -> bool {
        export_dialog::unwritten(&self.dialogs.export, self.files.copying()).is_some()
    }

    /// Handles a message, and returns the effects that it causes.
    pub fn handle(&mut self, message: Message<Event>) -> Vec<Effect> {
        self.lay_out();
        let effects = self.dispatch(message);
        let effects = self.finish(effects);
        self.offer_waiting();
        self.end_covered_drags();
        self.resolve_vaults();
        let mut effects = self.finish(effects);
        // The answers to the client have reported that its saves and exports have begun, so these are completed first.
        if self.is_abandoned && !self.is_saving() && !self.is_exporting() {
            let has_failed = self.files.save_failed || self.dialogs.export.has_failed();
            effects.push(Effect::Quit(if has_failed { UNWRITTEN } else { HANG_UP }));
        }
        effects
    }

    /// Starts resolving the design's vaults, if that is necessary and has not already been requested.
    fn resolve_vaults(&mut self) {
        let pending = self.editor.jobs.resolving.as_ref().map(|job| &job.purpose);
        if let Some(request) = self.editor.document.vault_request(pending) {
            self.editor.jobs.resolving = Some(self.editor.start(request.clone(), request));
        } else if !self.editor.document.is_resolving() {
            self.editor.jobs.resolving = None;
        }
    }

    fn dispatch(&mut self, message: Message<Event>) -> Vec<Effect> {
        match message {
            Message::Input(event) => {
                self.tune.note_input();
                let effects = self.input(&event);
                self.editor.redraw.is_due = true;
                self.editor.redraw.is_urgent = true;
                return effects;
            }
            Message::InputEnded(why) => return vec![Effect::Fail(why)],
            Message::Stop => return vec![Effect::Suspend],
            Message::Continued => return vec![Effect::Resume],
            // By the shell's convention, the exit status of a program that was ended by a signal is 128 plus the
            // signal's number.
            Message::Signal(number) => return vec![Effect::Quit(128_u8.saturating_add(number as u8))],
            Message::Reply(ticket, reply) => {
                self.editor.redraw.is_due = true;
                return self.handle_reply(&ticket, reply);
            }
            Message::Request(request) => return self.handle_request(*request),
            // Like the hang-up of a terminal, this ends the designer without discarding unsaved work.
            Message::ClientGone => self.is_abandoned = true,
            Message::Wake => return Vec::new(),
            Message::FilesChanged(paths) => {
                self.editor.redraw.is_due = true;
                return self.reload_watched(&paths);
            }
            Message::Watching => return self.reload_all_watched(),
            Message::Recoverable(found) => self.recovery.handle_found(&mut self.editor, found),
            Message::AutosaveFailed(why) => {
                self.editor.status.autosave_failed = true;
                self.editor.status.unkept = Some(format!("unsaved work is not protected from a crash: {why}"));
            }
            Message::AutosaveWorks => {
                self.editor.status.autosave_failed = false;
                self.editor.status.unkept = None;
            }
            Message::Polled(why) => {
                self.editor.status.alert = Some(format!(
                    "open files are checked twice a second, because the system does not report changes: {why}"
                ));
            }
            Message::WatchFailed(why) => {
                self.editor.status.alert = Some(format!("changes to the open files are no longer detected: {why}"));
            }
        }
        self.editor.redraw.is_due = true;
        Vec::new()
    }

    /// Applies the result of the reproduction check for the recording that is open in the designer or the player.
    pub(super) fn set_reproduction(&mut self, again: ReproductionCheck) {
        self.editor.time.set_reproduction(again);
        if let Some(played) = &mut self.editor.played {
            self.editor.status.alert = played.set_reproduction(again);
        } else if let Some(description) = self
            .editor
            .document
            .recording_file()
            .and_then(|recording_file| recorded::reproduction_text(&recording_file.program, again))
        {
            self.editor.status.alert = Some(format!("{description}; any edit grows the design again"));
        }
    }

    /// Gives each component the data that it shows but that other components own, and lays out the panes for the
    /// current focus and screen.
    pub(super) fn lay_out(&mut self) {
        let latest = metrics::latest(&self.metrics, &self.editor);
        self.metrics.pointed = self.views.selected_layer(&self.editor, latest);
        let size = self.editor.document.design().layout.size;
        let at = self.editor.map.cursor();
        self.tune.ranged = panels::ranged(&self.panels, &self.editor);
        self.panels.inputs = PanelInputs {
            expectations: metrics::reports(&mut self.metrics, &self.editor),
            curves: tuning::curves_are_shown(&self.tune),
            is_saving: self.is_saving(),
            new_room: tools::placed(self.tools.next_room(), at, size, tools::RoomPlacing::Grid),
        };
        self.editor.areas = self.areas(self.editor.screen);
    }

    fn laid_out(mut self) -> Self {
        self.lay_out();
        self
    }

    /// Carries out the requests of the components. Returns `effects`, followed by the effects that the requests cause.
    pub(super) fn finish(&mut self, mut effects: Vec<Effect>) -> Vec<Effect> {
        while !self.editor.pending.requests.is_empty() {
            for request in std::mem::take(&mut self.editor.pending.requests) {
                effects.extend(match request {
                    Request::Do(action) => self.update(action),
                    Request::Leave(then) => self.run_when_safe(then),
                    Request::Follow(then) => self.follow(then),
                    Request::CheckFiles => {
                        files::request_check(&mut self.files, true);
                        Vec::new()
                    }
                    Request::OpenFailing(index) => {
                        metrics::open_failing(&self.metrics, &mut self.editor, index);
                        Vec::new()
                    }
                    Request::CloseScreens => self.close_screens(),
                    Request::ShowEntry(place) => {
                        panels::show(&mut self.panels, &mut self.editor, place);
                        Vec::new()
                    }
                    Request::SelectEntry(entry) => {
                        panels::select(&mut self.panels, &mut self.editor, entry);
                        self.tools.note_panel(panels::entry(&self.panels, &self.editor));
                        Vec::new()
                    }
                });
            }
        }
        files::begin_check(&mut self.files, &mut self.editor, self.screens.vaults.files());
        if std::mem::take(&mut self.editor.pending.regrow) {
            self.grow_design();
        }
        if std::mem::take(&mut self.editor.pending.watch) {
            effects.push(self.watched());
        }
        effects.append(&mut self.editor.pending.effects);
        self.stack_screens();
        self.lay_out();
        effects
    }

    /// Returns whether the user is dragging or typing in the workspace or in a full screen, even if a dialog covers it.
    /// A question must not interrupt that.
    pub(super) fn is_busy(&self) -> bool {
        self.is_dragged()
            || self.screens.compare.is_dragged()
            || self.contexts_below().into_iter().any(Context::takes_text)
    }
}
