//! The state of the designer, and how messages and actions change it.
//!
//! An [`App`] needs no terminal, clock or thread: messages come in through [`App::handle`], time through
//! [`App::advance`], and work for the outside (grow, watch, quit) goes out as [`Effect`]s. Tests drive it the same way
//! as the event loop. Keys and the mouse are handled in [`super::input`].

use std::path::PathBuf;
use std::time::Duration;

use crossterm::event::Event;
use ratatui::layout::Rect;

pub(super) use super::action::Action;
pub use super::action::Effect;
use super::dialog::{self, Dialog};
use super::keys::{Binding, Keymap};
use super::screen::{self, Areas};
use super::theme::Theme;
use super::{
    compare, export_dialog, files, import_dialog, map, metrics, panels, player, recorded, recovery, search,
    seed_gallery, time, tools, tour, tuning, vault_browser, views,
};
use crate::background::{Message, RunId};
use crate::document::{Document, VaultReply, VaultRequest};
use crate::engine::Options;
use crate::reel::ReproductionCheck;
use crate::settings::{self, Settings};

/// The pane that receives the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    /// The map.
    Map,
    /// The panel shown.
    Panel,
    /// The view shown.
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

/// The state of the designer.
#[derive(Debug)]
pub struct App {
    pub(super) document: Document,
    pub(super) options: Options,
    /// The settings in force, the file they came from, and its diagnostics.
    pub(super) configured: settings::LoadedSettings,
    pub(super) keymap: Keymap,
    pub(super) theme: Theme,
    pub(super) screen: Rect,
    pub(super) focus: Focus,
    pub(super) map: map::MapViewState,
    pub(super) tools: tools::DrawState,
    pub(super) time: time::TimeState,
    pub(super) panels: panels::PanelsState,
    pub(super) views: views::ViewsState,
    pub(super) judge: metrics::MetricsState,
    pub(super) vaults: vault_browser::BrowserState,
    pub(super) tune: tuning::TuneState,
    pub(super) gallery: seed_gallery::SeedGalleryState,
    pub(super) luck: map::Luck,
    pub(super) compare: compare::CompareState,
    pub(super) share: export_dialog::ExportState,
    pub(super) intake: import_dialog::ImportState,
    pub(super) search: Option<search::SearchState>,
    pub(super) recovery: recovery::RecoveryState,
    /// Open files, and the reads and writes under way.
    pub(super) files: files::FilesState,
    pub(super) dialog: Option<Dialog>,
    pub(super) tour: Option<tour::TourState>,
    /// Actions chosen in the palette, the latest first.
    pub(super) recent: Vec<&'static Binding>,
    /// The result of the last action. The next action clears it, unless it is an error.
    pub(super) notice: Option<(NoticeLevel, String)>,
    /// Whether a conflict between the file and the open design waits for its question.
    pub(super) conflict_waits: bool,
    /// A message that stays until the user dismisses it.
    pub(super) alert: Option<String>,
    /// Why autosaving failed. It stays until the user dismisses it, whatever else is reported meanwhile.
    pub(super) unkept: Option<String>,
    pub(super) run: Option<RunId>,
    /// The vaults being resolved, and the number of the request once it is known.
    pub(super) resolving: Option<(VaultRequest, Option<RunId>)>,
    /// The recording being played, when the app is only a player: see [`super::player`].
    pub(super) played: Option<player::PlayedFile>,
    /// The number of the request to regrow segments.
    errand: Option<RunId>,
    /// Whether the screen is out of date, and whether because of a user action.
    stale: bool,
    urgent: bool,
}

impl App {
    /// Creates the designer with a document, for a screen of a size in characters.
    pub fn new(document: Document, options: Options, theme: Theme, width: u16, height: u16) -> Self {
        let size = document.design().layout.size;
        let options = document.reel().map_or(options, |reel| reel.options);
        Self {
            document,
            options,
            configured: settings::LoadedSettings::default(),
            keymap: Keymap::default(),
            theme,
            screen: Rect::new(0, 0, width, height),
            focus: Focus::Map,
            map: map::MapViewState::new(size),
            tools: tools::DrawState::default(),
            time: time::TimeState::new(size),
            panels: panels::PanelsState::default(),
            views: views::ViewsState::default(),
            judge: metrics::MetricsState::default(),
            vaults: vault_browser::BrowserState::default(),
            tune: tuning::TuneState::default(),
            gallery: seed_gallery::SeedGalleryState::default(),
            luck: map::Luck::default(),
            compare: compare::CompareState::default(),
            share: export_dialog::ExportState::default(),
            intake: import_dialog::ImportState::default(),
            search: None,
            recovery: recovery::RecoveryState::default(),
            files: files::FilesState::default(),
            dialog: None,
            tour: None,
            recent: Vec::new(),
            notice: None,
            conflict_waits: false,
            alert: None,
            unkept: None,
            run: None,
            resolving: None,
            played: None,
            errand: None,
            stale: true,
            urgent: true,
        }
    }

    /// Returns the settings in force.
    pub const fn settings(&self) -> &Settings {
        &self.configured.settings
    }

    /// Returns the first effects: grow the design, watch its files and look for recoverable work.
    pub fn start(&mut self) -> Vec<Effect> {
        let mut effects = self.begin();
        effects.push(Effect::Look);
        effects.extend(self.resolve_vaults());
        effects
    }

    /// Returns the effects that a newly opened document needs: grow it, watch its files and remember them.
    pub(super) fn begin(&mut self) -> Vec<Effect> {
        let mut effects = self.regrow();
        effects.push(self.watch());
        effects.extend(recorded::files(&self.document).map(Effect::Remember));
        if let Some(told) = self.document.reel().and_then(|reel| recorded::told_at_once(reel)) {
            self.alert = Some(told);
        }
        effects
    }

    /// Returns the open design's document.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// Returns the effect that watches every file in use: those of the design and its drawings, of the vault browser,
    /// and of the settings.
    pub(super) fn watch(&self) -> Effect {
        let mut files = self.document.watched();
        let drawings = self.document.sources().iter().map(|source| source.path.clone());
        for file in self.vaults.files().chain(drawings).chain(self.configured.path.clone()) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        Effect::Watch(files)
    }

    /// Sets whether the terminal is known to draw octants, the eight-part block characters of Unicode 16.
    pub const fn know_octants(&mut self, known: bool) {
        self.map.know_octants(known);
    }

    /// Returns the areas of the screen's parts.
    pub(super) fn areas(&self) -> Areas {
        Areas::of_app(self, self.screen)
    }

    /// Returns whether the screen must be redrawn.
    pub const fn is_stale(&self) -> bool {
        self.stale
    }

    /// Returns whether the screen must be redrawn at once, because the user waits for it.
    pub const fn is_urgent(&self) -> bool {
        self.stale && self.urgent
    }

    /// Marks the screen as drawn.
    pub const fn drawn(&mut self) {
        self.stale = false;
        self.urgent = false;
    }

    /// Marks the screen as out of date, without urgency.
    pub(super) const fn redraw(&mut self) {
        self.stale = true;
    }

    /// Runs what is due once per frame, however many messages were handled before it. Called before the frame is drawn.
    pub fn before_frame(&mut self) -> Vec<Effect> {
        self.time.keep_origins(self.wants_origins());
        let mut effects = tools::frame(self);
        effects.extend(views::tick(self));
        effects.extend(metrics::tick(self));
        effects.extend(panels::frame(self));
        effects.extend(tuning::frame(self));
        effects.extend(seed_gallery::tick(self));
        effects.extend(map::count_luck(self));
        effects.extend(compare::tick(self));
        map::count_colours(self);
        effects
    }

    /// Draws the designer into an area.
    pub fn draw(&self, area: Rect, buf: &mut ratatui::buffer::Buffer) {
        screen::draw(self, area, buf);
        screen::make_inert(buf);
    }

    /// Returns the time until [`App::advance`] has something to do; `None` if only a message can change anything.
    pub fn next_change(&self) -> Option<Duration> {
        let (time, views) = (self.time.next_change(), views::next_change(self));
        time.into_iter()
            .chain(views)
            .chain(tuning::next_change(self))
            .chain(compare::next_change(self))
            .min()
    }

    /// Sets the number of the last story request; replies to others are dropped.
    pub fn inquiry_made(&mut self, run: RunId) {
        self.views.inquiry_made(run);
    }

    /// Sets the number of the last check; replies to others are dropped.
    pub const fn check_begun(&mut self, run: RunId) {
        self.judge.check_begun(run);
    }

    /// Sets the number of the last metrics request; replies to others are dropped.
    pub const fn case_begun(&mut self, run: RunId) {
        self.judge.begun(run);
    }

    /// Advances the time by `elapsed`, and returns the effects due.
    pub fn advance(&mut self, elapsed: Duration) -> Vec<Effect> {
        if self.time.advance(elapsed) {
            self.stale = true;
            time::tell_end(self);
        }
        self.stale |= compare::advance(self, elapsed);
        self.follow_size();
        // A search that did not finish within one frame continues in the next.
        self.stale |= views::next_change(self).is_some();
        let mut effects: Vec<Effect> = self.time.errand().map(Effect::Regrow).into_iter().collect();
        effects.extend(tuning::advance(self, elapsed));
        effects
    }

    /// Returns whether something on the screen shows which Builder laid which tile.
    fn wants_origins(&self) -> bool {
        self.plays_only() || self.map.needs_origins() || views::needs_origins(self) || metrics::needs_origins(self)
    }

    /// Sets the number of the last [`Effect::Regrow`]; replies to others are dropped.
    pub const fn errand_begun(&mut self, run: RunId) {
        self.errand = Some(run);
    }

    /// Keeps the map's size equal to that of the dungeon shown: a run of another size may be on its way.
    fn follow_size(&mut self) {
        if let Some(frame) = self.time.frame() {
            self.map.resized(frame.grid().size());
        }
    }

    /// Sets the number of the last [`Effect::Resolve`]; replies to others are dropped.
    pub fn order_placed(&mut self, run: RunId) {
        self.vaults.order_placed(run);
    }

    /// Sets the number of the last [`Effect::Show`]; other previews are dropped.
    pub fn picture_begun(&mut self, run: RunId) {
        if let Some(Dialog::Open(open)) = &mut self.dialog {
            open.picture_begun(run);
        }
    }

    /// Sets the number of the last [`Effect::List`]; other listings are dropped.
    pub fn listing_begun(&mut self, run: RunId) {
        match &mut self.dialog {
            Some(Dialog::Open(open)) => open.listing_begun(run),
            Some(Dialog::Share) => self.share.listing_begun(run),
            _ => {}
        }
    }

    /// Sets the number of the last [`Effect::Export`]; reports of others are dropped.
    pub fn export_begun(&mut self, run: RunId) {
        self.share.begun(run);
    }

    /// Sets the number of the last [`Effect::Sample`]; replies to others are dropped.
    pub const fn sample_begun(&mut self, run: RunId) {
        self.share.sample_begun(run);
    }

    /// Sets the number of the last [`Effect::Propose`]; replies to others are dropped.
    pub const fn proposal_begun(&mut self, run: RunId) {
        self.intake.proposal_begun(run);
    }

    /// Sets the number of the last [`Effect::Reimport`]; replies to others are dropped.
    pub const fn reimport_begun(&mut self, run: RunId) {
        self.intake.reimport_begun(run);
    }

    /// Sets the number of the last [`Effect::Open`]; replies to others are dropped.
    pub const fn opening_begun(&mut self, run: RunId) {
        self.files.opening_begun(run);
    }

    /// Sets the number of the last [`Effect::LookAgain`]; replies to others are dropped.
    pub const fn look_begun(&mut self, run: RunId) {
        self.files.look_begun(run);
    }

    /// Sets the number of the last [`Effect::Save`]; replies to others are dropped.
    pub const fn save_begun(&mut self, run: RunId) {
        self.files.save_begun(run);
    }

    /// Sets the number of the last [`Effect::Copy`]; replies to others are dropped.
    pub const fn copy_begun(&mut self, run: RunId) {
        self.files.copy_begun(run);
    }

    /// Returns whether the design is being saved: its unsaved work is still wanted, though the user may quit without
    /// waiting for the save.
    pub fn is_saving(&self) -> bool {
        self.files.saving().is_some()
    }

    /// Sets the number of the last [`Effect::Locate`]; replies to others are dropped.
    pub const fn locating_begun(&mut self, run: RunId) {
        self.share.locating_begun(run);
    }

    /// Sets the number of the last [`Effect::Assess`]; replies to others are dropped.
    pub const fn lot_begun(&mut self, run: RunId) {
        self.gallery.lot_begun(run);
    }

    /// Sets the number of the last [`Effect::Film`]; frames of others are dropped.
    pub const fn film_begun(&mut self, run: RunId) {
        self.gallery.film_begun(run);
    }

    /// Sets the number of the last [`Effect::Trace`]; replies to others are dropped.
    pub const fn traces_begun(&mut self, run: RunId) {
        self.compare.traces_begun(run);
    }

    /// Sets the number of the last [`Effect::Contrast`]; replies to others are dropped.
    pub const fn comparison_begun(&mut self, run: RunId) {
        self.compare.comparison_begun(run);
    }

    /// Sets the number of the last [`Effect::Count`]; replies to others are dropped.
    pub const fn count_begun(&mut self, run: RunId) {
        self.luck.begun(run);
    }

    /// Sets the number of the last [`Effect::Search`]; outcomes of others are dropped.
    pub fn search_begun(&mut self, run: RunId) {
        if let Some(search) = &mut self.search {
            search.begun(run);
        }
    }

    /// Sets the number of the last [`Effect::Grow`] or [`Effect::Replay`]; messages of other runs are dropped.
    pub const fn run_started(&mut self, run: RunId) {
        self.run = Some(run);
    }

    /// Sets the number of the last [`Effect::Try`]; outcomes of others are dropped.
    pub const fn trials_begun(&mut self, run: RunId) {
        self.tune.begun(run);
    }

    /// Pauses and seeks to a position of the run, in percent of the turns recorded; more than 100 is the end.
    pub fn seek_share(&mut self, percent: u64) {
        self.time.seek(self.time.turns() * percent.min(100) / 100);
        self.stale = true;
    }

    /// Handles a message, and returns the effects that it causes.
    pub fn handle(&mut self, message: Message<Event>) -> Vec<Effect> {
        let mut effects = self.take(message);
        files::ask_conflict(self);
        recovery::offer(self);
        effects.extend(self.resolve_vaults());
        effects
    }

    /// Requests the design's vaults to be resolved, if needed and not already under way.
    fn resolve_vaults(&mut self) -> Option<Effect> {
        let asked = self.resolving.as_ref().map(|(request, _)| request);
        if let Some(request) = self.document.vault_request(asked) {
            self.resolving = Some((request.clone(), None));
            return Some(Effect::ResolveVaults(Box::new(request)));
        }
        if self.document.is_resolving() {
            return None;
        }
        self.resolving.take().map(|_| Effect::EndResolving)
    }

    /// Returns why the design cannot be grown now.
    pub(super) const fn why_not_grown(&self) -> &'static str {
        if self.document.is_resolving() {
            "the vaults of this design are still being resolved"
        } else {
            "this design cannot be grown: see Problems"
        }
    }

    /// Sets the number of the last [`Effect::ResolveVaults`]; replies to others are dropped.
    pub const fn resolving_begun(&mut self, run: RunId) {
        if let Some((_, number)) = &mut self.resolving {
            *number = Some(run);
        }
    }

    /// Applies resolved vaults and grows the design; a reply to another request is dropped.
    fn resolved(&mut self, run: RunId, reply: Result<Box<VaultReply>, String>) -> Vec<Effect> {
        if self.resolving.as_ref().is_none_or(|(_, number)| *number != Some(run)) {
            return Vec::new();
        }
        self.stale = true;
        match reply {
            Ok(reply) => {
                self.resolving = None;
                self.document.take_vaults(*reply);
                self.regrow()
            }
            Err(why) => {
                let text = format!("the vaults cannot be resolved, a fault of the program: {why}");
                self.say(NoticeLevel::Error, text);
                Vec::new()
            }
        }
    }

    #[expect(clippy::too_many_lines, reason = "a few lines for each message")]
    fn take(&mut self, message: Message<Event>) -> Vec<Effect> {
        match message {
            Message::Input(event) => {
                self.tune.stir();
                let effects = self.input(&event);
                self.stale = true;
                self.urgent = true;
                return effects;
            }
            Message::InputEnded(why) => return vec![Effect::Fail(why)],
            Message::Stop => return vec![Effect::Suspend],
            Message::Continued => return vec![Effect::Resume],
            // The shell's convention for a program ended by a signal.
            Message::Signal(number) => return vec![Effect::Quit(128_u8.saturating_add(number as u8))],
            Message::Started {
                run,
                recording,
                diagnostics,
            } if Some(run) == self.run => {
                self.time.started(*recording);
                if !self.tools.is_previewing() {
                    self.document.note_stage_one(diagnostics);
                }
            }
            Message::Grown { run, track } if Some(run) == self.run => self.time.grown(track),
            Message::Finished { run } if Some(run) == self.run => self.time.finished(),
            Message::Broken { run, why } if Some(run) == self.run => {
                self.time.finished();
                self.say(
                    NoticeLevel::Error,
                    format!("growth broke off, a fault of the program: {why}"),
                );
            }
            Message::Again { run, again } if Some(run) == self.run => self.grown_again(again),
            Message::Started { .. }
            | Message::Grown { .. }
            | Message::Finished { .. }
            | Message::Broken { .. }
            | Message::Again { .. } => {
                return Vec::new();
            }
            Message::Told { run, told } => self.views.told(run, told),
            Message::Tried { run, trial } => {
                self.stale = true;
                return tuning::hear(self, run, trial);
            }
            Message::Rung => return Vec::new(),
            Message::Checked { run, checked } => metrics::hear(self, run, checked),
            Message::Judged { run, judged } => self.judge.take(run, judged),
            Message::Regrown { run, retake } => {
                if Some(run) != self.errand {
                    return Vec::new();
                }
                match retake {
                    Ok(retake) => self.time.regrown(retake),
                    Err(why) => {
                        self.time.regrowth_failed();
                        let text = format!("this moment cannot be grown again, a fault of the program: {why}");
                        self.say(NoticeLevel::Error, text);
                    }
                }
            }
            Message::Resolved { run, reply } => return self.resolved(run, reply),
            Message::Vaults(news) => vault_browser::hear(self, news),
            Message::Sought { run, found } => {
                self.stale = true;
                return search::over(self, run, found);
            }
            Message::FilesChanged(paths) => {
                self.stale = true;
                return self.look_at_files(&paths);
            }
            Message::Fetched { run, fetched } => {
                self.stale = true;
                return files::opened(self, run, fetched);
            }
            Message::Seen { run, fetched } => {
                self.stale = true;
                return files::seen(self, run, fetched);
            }
            Message::Saved { run, saved } => {
                self.stale = true;
                return files::saved(self, run, saved);
            }
            Message::Copied { run, saved } => {
                self.stale = true;
                return files::copied(self, run, saved);
            }
            Message::Located { run, located } => {
                self.stale = true;
                return export_dialog::located(self, run, located);
            }
            Message::Gallery(exhibit) => {
                self.stale = true;
                return dialog::hear(self, exhibit);
            }
            Message::Exported(exported) => {
                self.stale = true;
                return export_dialog::hear(self, exported);
            }
            Message::Imported(imported) => {
                self.stale = true;
                return import_dialog::hear(self, imported);
            }
            Message::Sheet(proof) => seed_gallery::hear(self, proof),
            Message::Luck(count) => map::hear_luck(self, count),
            Message::Duel(bout) => compare::hear(self, bout),
            Message::Watching => return self.look_since_watched(),
            Message::Leftovers(found) => recovery::found(self, found),
            Message::NotKept(why) => {
                self.unkept = Some(format!("unsaved work is not kept safe from a crash: {why}"));
            }
            Message::Polled(why) => {
                self.alert = Some(format!(
                    "open files are checked twice a second, as the system reports no changes: {why}"
                ));
            }
            Message::WatchFailed(why) => {
                self.alert = Some(format!("changes of the files are not seen any more: {why}"));
            }
        }
        self.stale = true;
        Vec::new()
    }

    /// Applies the result of reproducing the recording that is open or played.
    fn grown_again(&mut self, again: ReproductionCheck) {
        self.time.grown_again(again);
        if let Some(played) = &mut self.played {
            self.alert = played.grown_again(again);
        } else if let Some(told) = self
            .document
            .reel()
            .and_then(|reel| recorded::told_of(&reel.program, again))
        {
            self.alert = Some(format!("{told}; an edit grows anew"));
        }
    }

    /// Requests every watched file to be read again; the contents arrive later as messages.
    pub(super) fn look_at_files(&mut self, changed: &[PathBuf]) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !changed.is_empty() {
            // Folders may exist now that did not when watching began. Changes after the coming read will be noticed.
            effects.push(self.watch());
        }
        effects.extend(files::look(self, !changed.is_empty()));
        effects.extend(import_dialog::look(self));
        if self.configured.path.as_ref().is_some_and(|path| changed.contains(path)) {
            effects.push(Effect::Configure);
        }
        effects
    }

    /// Reads all files that are watched from now on, because changes just before that went unnoticed.
    fn look_since_watched(&mut self) -> Vec<Effect> {
        let mut effects = files::look(self, false);
        effects.extend(import_dialog::look(self));
        if self.configured.path.is_some() {
            effects.push(Effect::Configure);
        }
        effects
    }

    /// Returns whether the user is in the middle of a drag or of typing, which a question would interrupt.
    pub(super) fn is_busy(&self) -> bool {
        self.panels.is_dragged()
            || self.panels.is_typing()
            || self.map.is_dragged()
            || self.tools.is_dragged()
            || self.time.is_dragged()
    }

    /// Returns whether the footer shows an error.
    pub(super) const fn has_failed(&self) -> bool {
        matches!(self.notice, Some((NoticeLevel::Error, _)))
    }

    /// Returns whether a message waits to be dismissed.
    pub(super) const fn has_message(&self) -> bool {
        self.alert.is_some() || self.unkept.is_some() || self.has_failed()
    }

    /// Dismisses the message that the footer shows first.
    pub(super) fn put_away(&mut self) {
        if self.has_failed() {
            self.notice = None;
        } else if self.unkept.take().is_none() {
            self.alert = None;
        }
    }

    /// Shows a notice in the footer.
    pub(super) fn say(&mut self, tone: NoticeLevel, text: impl Into<String>) {
        self.notice = Some((tone, text.into()));
    }
}
