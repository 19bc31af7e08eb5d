//! The state of the designer and how messages and actions change it.
//!
//! An [`App`] needs no terminal, clock or thread: messages come in by [`App::handle`], time by
//! [`App::advance`], and what must be done outside (grow, watch, quit) goes out as [`Effect`]s. Tests
//! drive it the same way the event loop does.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::dialog::{self, Dialog};
use super::keys::{Binding, Context, Key, Keymap, bindings};
use super::panels::{self, Panel};
use super::screen::{self, Areas};
use super::theme::Theme;
use super::views::View;
use super::{compare, files, gallery, judge, map, palette, recovery, search, time, tools, tour, tune, vaults, views};
use crate::design::ValidDesign;
use crate::document::{Document, Prospect};
use crate::engine::Options;
use crate::geometry::Size;
use crate::recording::Errand;
use crate::settings::{self, Settings};
use crate::storage::{DesignFiles, Slot};
use crate::worker::{Case, Check, Film, Inquiry, Lot, Message, Order, Pair, RunId, Subject, Trials};

/// Everything a key, a click or a menu can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Leave the designer.
    Quit,
    /// Give the terminal back to the shell until `fg`.
    Suspend,
    /// Open help.
    Help,
    /// Open the command palette.
    Palette,
    /// Begin the tour, or go on to its next step.
    Tour,
    /// Leave the tour.
    LeaveTour,
    /// Close the dialog on top.
    CloseDialog,
    /// Put away a message that stays until it is read.
    PutAway,
    /// Move the focus to the next pane.
    NextPane,
    /// Move the focus to the pane before.
    PreviousPane,
    /// Move the focus to the map.
    FocusMap,
    /// Move the focus to a panel.
    FocusPanel(Panel),
    /// Move the focus to a view.
    FocusView(View),
    /// The next tab of the panels or views, on when positive.
    Tab(i32),
    /// Take the last edit back.
    Undo,
    /// Do the edit that was taken back again.
    Redo,
    /// Grow with another seed, drawn by chance.
    Reroll,
    /// Look for a seed from which every vault stands and can be reached, or stop looking.
    Search,
    /// Something in the browser of vaults.
    Vaults(vaults::Command),
    /// Something in the gallery of seeds.
    Gallery(gallery::Command),
    /// Something while two are compared.
    Compare(compare::Command),
    /// Something with the design's files.
    File(files::Command),
    /// Something on the map.
    Map(map::Command),
    /// Something with the tools that draw on the map.
    Tools(tools::Command),
    /// Something about how the dungeon is judged.
    Judge(judge::Command),
    /// Something with time.
    Time(time::Command),
    /// Something in the focused panel.
    Panel(panels::Command),
    /// Something in the focused view.
    View(views::Command),
    /// Something with curves, remedies or the search for a character.
    Tune(tune::Command),
    /// Something in the dialog on top.
    Dialog(dialog::Command),
}

/// Keys that hold everywhere.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "help", [Key::char('?'), Key::plain(KeyCode::F(1))], Action::Help, true, "Show every key and what it does.";
    Context::Everywhere, "palette", [Key::char(':'), Key::ctrl('p')], Action::Palette, true, "Look an action up by its name, and do it.";
    Context::Everywhere, "quit", [Key::char('q'), Key::ctrl('c')], Action::Quit, true, "Leave the designer; asks when there are unsaved changes.";
    Context::Everywhere, "next pane", [Key::plain(KeyCode::Tab)], Action::NextPane, true, "Move to the next pane: the map, the panels, the views.";
    Context::Everywhere, "previous pane", [Key::plain(KeyCode::BackTab)], Action::PreviousPane, false, "Move to the pane before.";
    Context::Everywhere, "next tab", [Key::alt('.')], Action::Tab(1), false, "Show the next panel or view of the pane.";
    Context::Everywhere, "tab before", [Key::alt(',')], Action::Tab(-1), false, "Show the panel or view before.";
    Context::Everywhere, "stats", [Key::alt('1')], Action::FocusPanel(Panel::Stats), false, "Go to the panel Stats.";
    Context::Everywhere, "rooms", [Key::alt('2')], Action::FocusPanel(Panel::Rooms), false, "Go to the panel Rooms.";
    Context::Everywhere, "constants", [Key::alt('3')], Action::FocusPanel(Panel::Constants), false, "Go to the panel Constants.";
    Context::Everywhere, "design", [Key::alt('4')], Action::FocusPanel(Panel::Design), false, "Go to the panel Design.";
    Context::Everywhere, "problems", [Key::alt('5')], Action::FocusPanel(Panel::Problems), false, "Go to the panel Problems.";
    Context::Everywhere, "expectations", [Key::char('E')], Action::FocusPanel(Panel::Expect), false, "Go to the panel Expect: what shall hold of the dungeons, and whether it does.";
    Context::Everywhere, "legend", [Key::alt('6')], Action::FocusView(View::Legend), false, "Go to the view Legend: what the colours mean.";
    Context::Everywhere, "inspect", [Key::char('i'), Key::alt('7')], Action::FocusView(View::Inspect), false, "Go to the view Inspect: what stands under the map's cursor, who laid it, when and why.";
    Context::Everywhere, "events", [Key::char('e'), Key::alt('8')], Action::FocusView(View::Events), false, "Go to the view Events: what happened around the moment shown.";
    Context::Everywhere, "plots", [Key::alt('9')], Action::FocusView(View::Plots), false, "Go to the view Plots: Builders, births, deaths and tiles over time.";
    Context::Everywhere, "history", [Key::alt('0'), Key::char('y')], Action::FocusView(View::History), false, "Go to the view History: every edit, to go back and forth in.";
    Context::Everywhere, "figures", [Key::char('A')], Action::FocusView(View::Figures), false, "Go to the view Figures: what the dungeon at this moment is like.";
    Context::Map, "inspect", [Key::plain(KeyCode::Enter)], Action::FocusView(View::Inspect), true, "Tell what stands under the cursor, who laid it, when and why.";
    Context::Everywhere, "reroll", [Key::char('R')], Action::Reroll, true, "Grow the design with another seed, drawn by chance; undo brings the old one back.";
    Context::Everywhere, "sound seed", [Key::char('T')], Action::Search, false, "Try the seeds that follow until every vault stands and its exits can be reached; again to stop.";
    Context::Everywhere, "vaults", [Key::char('v')], Action::Vaults(vaults::Command::Open), true, "Browse level files: see their vaults rolled, and place them.";
    Context::Everywhere, "undo", [Key::char('u')], Action::Undo, false, "Take the last edit back and grow again.";
    Context::Everywhere, "redo", [Key::char('U'), Key::ctrl('r')], Action::Redo, false, "Do again what was taken back.";
    Context::Everywhere, "suspend", [Key::ctrl('z')], Action::Suspend, false, "Go back to the shell; fg returns here.";
};

/// Which part of the screen takes the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    /// The map.
    Map,
    /// The panel that is shown.
    Panel,
    /// The view that is shown.
    View,
}

/// What the outside is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Grow a design; [`App::run_started`] is told the number of the run.
    Grow(ValidDesign, Options),
    /// Run the Lua of level files; [`App::order_placed`] is told the number of the run.
    Resolve(Order),
    /// Look up the story of a Builder; [`App::inquiry_made`] is told the number of the inquiry.
    Inquire(Box<Inquiry>),
    /// The answer to the inquiry under way is not wanted any more.
    EndInquiry,
    /// Judge a dungeon; [`App::case_begun`] is told the number of the case.
    Judge(Box<Case>),
    /// Check expectations over seeds; [`App::check_begun`] is told the number of the check.
    Check(Box<Check>),
    /// End the check that is under way.
    EndCheck,
    /// Look for a seed; [`App::search_begun`] is told the number of the search.
    Search(Prospect, Options),
    /// End the search that is under way.
    EndSearch,
    /// Judge dungeons of many seeds; [`App::lot_begun`] is told the number of the lot.
    Assess(Lot),
    /// Show dungeons as they grow; [`App::film_begun`] is told the number of the film.
    Film(Film),
    /// Nobody looks at dungeons of many seeds any more.
    LeaveSheet,
    /// Grow two designs; [`App::traces_begun`] is told the number.
    Trace(Pair),
    /// Compare the dungeons of two designs over so many seeds; [`App::comparison_begun`] is told the number.
    Contrast(Pair, u64),
    /// Nobody compares them any more.
    LeaveDuel,
    /// Count how often each square is wall; [`App::count_begun`] is told the number of the count.
    Count(Prospect, Options),
    /// Nobody looks at that any more.
    LeaveOdds,
    /// Grow again what the recording gave up; [`App::errand_begun`] is told the number of the run.
    Regrow(Errand),
    /// Try variants of the design; [`App::trials_begun`] is told the number of the request.
    Try(Box<Trials>),
    /// End the trials that are under way.
    EndTrials,
    /// Watch exactly these files.
    Watch(Vec<PathBuf>),
    /// Remember these files as those of the design that was opened last.
    Remember(DesignFiles),
    /// Grow a design for a picture in so many pixels; [`App::picture_begun`] is told the number of the wish.
    Show(Subject, Size, Options),
    /// The picture that was asked for is not wanted any more.
    TurnAway,
    /// Tell what a folder holds; [`App::listing_begun`] is told the number of the wish.
    List(PathBuf),
    /// Remember that the tour was taken.
    Toured,
    /// Read the settings again; [`App::configure`] is told them.
    Configure,
    /// Look for what other runs left unsaved; the answer is a message.
    Look,
    /// Keep unsaved work in this slot from now on, which another run left behind.
    Adopt(Arc<Slot>),
    /// Give the terminal back to the shell until the process is continued.
    Suspend,
    /// Take the terminal again, after the process was stopped and continued.
    Resume,
    /// End the loop with this exit status.
    Quit(u8),
    /// End the loop because the terminal failed, for this reason.
    Fail(String),
}

/// How a notice at the foot is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// Something was done.
    Done,
    /// Something to know.
    Warning,
    /// Something failed.
    Error,
}

/// The state of the designer.
#[derive(Debug)]
pub struct App {
    pub(super) document: Document,
    pub(super) options: Options,
    /// The settings in force, where they were read, and what is wrong with them.
    pub(super) configured: settings::Loaded,
    pub(super) keymap: Keymap,
    pub(super) theme: Theme,
    pub(super) screen: Rect,
    pub(super) focus: Focus,
    pub(super) map: map::State,
    pub(super) tools: tools::State,
    pub(super) time: time::State,
    pub(super) panels: panels::State,
    pub(super) views: views::State,
    pub(super) judge: judge::State,
    pub(super) vaults: vaults::State,
    pub(super) tune: tune::State,
    pub(super) gallery: gallery::State,
    pub(super) luck: map::Luck,
    pub(super) compare: compare::State,
    pub(super) search: Option<search::State>,
    pub(super) recovery: recovery::State,
    pub(super) dialog: Option<Dialog>,
    pub(super) tour: Option<tour::State>,
    /// What was chosen in the palette, the last first.
    pub(super) recent: Vec<&'static Binding>,
    /// What the last action did; the next action clears it, unless it failed.
    pub(super) notice: Option<(Tone, String)>,
    /// Whether a change on both sides waits to be asked about.
    pub(super) conflict_waits: bool,
    /// Something that must not be missed: it stays until it is put away.
    pub(super) alert: Option<String>,
    pub(super) run: Option<RunId>,
    /// What is being grown again.
    errand: Option<RunId>,
    /// Whether the screen is out of date, and whether because of something the user did.
    stale: bool,
    urgent: bool,
}

impl App {
    /// The designer with a document, on a screen of a size (characters).
    pub fn new(document: Document, options: Options, theme: Theme, width: u16, height: u16) -> Self {
        let size = document.design().layout.size;
        Self {
            document,
            options,
            configured: settings::Loaded::default(),
            keymap: Keymap::default(),
            theme,
            screen: Rect::new(0, 0, width, height),
            focus: Focus::Map,
            map: map::State::new(size),
            tools: tools::State::default(),
            time: time::State::new(size),
            panels: panels::State::default(),
            views: views::State::default(),
            judge: judge::State::default(),
            vaults: vaults::State::default(),
            tune: tune::State::default(),
            gallery: gallery::State::default(),
            luck: map::Luck::default(),
            compare: compare::State::default(),
            search: None,
            recovery: recovery::State::default(),
            dialog: None,
            tour: None,
            recent: Vec::new(),
            notice: None,
            conflict_waits: false,
            alert: None,
            run: None,
            errand: None,
            stale: true,
            urgent: true,
        }
    }

    /// The settings in force.
    pub const fn settings(&self) -> &Settings {
        &self.configured.settings
    }

    /// What must be done before anything else: grow the design, watch its files and look for work that was lost.
    pub fn start(&mut self) -> Vec<Effect> {
        let mut effects = self.begin();
        effects.push(Effect::Look);
        effects
    }

    /// What a document that was just opened needs.
    pub(super) fn begin(&mut self) -> Vec<Effect> {
        let mut effects = self.regrow();
        effects.push(self.watch());
        effects.extend(self.document.design_files().cloned().map(Effect::Remember));
        effects
    }

    /// The open design.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// The wish to watch every file that is looked at: those of the design, and those of the browser of vaults.
    pub(super) fn watch(&self) -> Effect {
        let mut files = self.document.watched();
        for file in self.vaults.files().chain(self.configured.path.clone()) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        Effect::Watch(files)
    }

    /// Tells whether the terminal is known to draw octants, the blocks of eight parts of Unicode 16.
    pub const fn know_octants(&mut self, known: bool) {
        self.map.know_octants(known);
    }

    /// The screen's parts.
    pub(super) fn areas(&self) -> Areas {
        Areas::of_app(self, self.screen)
    }

    /// Whether the screen must be drawn anew.
    pub const fn is_stale(&self) -> bool {
        self.stale
    }

    /// Whether it must be drawn at once, because the user waits for it.
    pub const fn is_urgent(&self) -> bool {
        self.stale && self.urgent
    }

    /// Notes that the screen has been drawn.
    pub const fn drawn(&mut self) {
        self.stale = false;
        self.urgent = false;
    }

    /// Asks for the screen to be drawn anew when it suits.
    pub(super) const fn redraw(&mut self) {
        self.stale = true;
    }

    /// Does what is due once for each frame, however many messages came before it. The frame is drawn after it.
    pub fn before_frame(&mut self) -> Vec<Effect> {
        self.time.keep_origins(self.wants_origins());
        let mut effects = tools::frame(self);
        effects.extend(views::tick(self));
        effects.extend(judge::tick(self));
        effects.extend(panels::frame(self));
        effects.extend(tune::frame(self));
        effects.extend(gallery::tick(self));
        effects.extend(map::count_luck(self));
        effects.extend(compare::tick(self));
        map::count_colours(self);
        effects
    }

    /// Draws the designer.
    pub fn draw(&self, area: Rect, buf: &mut ratatui::buffer::Buffer) {
        screen::draw(self, area, buf);
    }

    /// In what time [`App::advance`] has something to do; `None`: never, unless a message comes.
    pub fn next_change(&self) -> Option<Duration> {
        let (time, views) = (self.time.next_change(), views::next_change(self));
        time.into_iter()
            .chain(views)
            .chain(tune::next_change(self))
            .chain(compare::next_change(self))
            .min()
    }

    /// The number of the last inquiry. The answers of others are dropped.
    pub fn inquiry_made(&mut self, run: RunId) {
        self.views.inquiry_made(run);
    }

    /// The number of the last check. What is told of others is dropped.
    pub const fn check_begun(&mut self, run: RunId) {
        self.judge.check_begun(run);
    }

    /// The number of the last case. What is found of others is dropped.
    pub const fn case_begun(&mut self, run: RunId) {
        self.judge.begun(run);
    }

    /// Lets time pass; what must be done then.
    pub fn advance(&mut self, elapsed: Duration) -> Vec<Effect> {
        if self.time.advance(elapsed) {
            self.stale = true;
            time::tell_end(self);
        }
        self.stale |= compare::advance(self, elapsed);
        self.follow_size();
        // A search that was not done in one frame goes on in the next.
        self.stale |= views::next_change(self).is_some();
        let mut effects: Vec<Effect> = self.time.errand().map(Effect::Regrow).into_iter().collect();
        effects.extend(tune::advance(self, elapsed));
        effects
    }

    /// Whether something on the screen tells who laid which tile.
    fn wants_origins(&self) -> bool {
        self.map.needs_origins() || views::needs_origins(self) || judge::needs_origins(self)
    }

    /// The number of the run that the last [`Effect::Regrow`] became. What others bring is dropped.
    pub const fn errand_begun(&mut self, run: RunId) {
        self.errand = Some(run);
    }

    /// Keeps the map's size that of the dungeon on the screen: a run with another may be on its way.
    fn follow_size(&mut self) {
        if let Some(frame) = self.time.frame() {
            self.map.resized(frame.grid().size());
        }
    }

    /// The number of the run that the last [`Effect::Resolve`] became. What is told of others is dropped.
    pub fn order_placed(&mut self, run: RunId) {
        self.vaults.order_placed(run);
    }

    /// The number of the wish that the last [`Effect::Show`] became. Other pictures are dropped.
    pub fn picture_begun(&mut self, run: RunId) {
        if let Some(Dialog::Open(open)) = &mut self.dialog {
            open.picture_begun(run);
        }
    }

    /// The number of the wish that the last [`Effect::List`] became. What is told of other folders is dropped.
    pub fn listing_begun(&mut self, run: RunId) {
        if let Some(Dialog::Open(open)) = &mut self.dialog {
            open.listing_begun(run);
        }
    }

    /// The number of the lot that the last [`Effect::Assess`] became. What is told of others is dropped.
    pub const fn lot_begun(&mut self, run: RunId) {
        self.gallery.lot_begun(run);
    }

    /// The number of the film that the last [`Effect::Film`] became. Pictures of others are dropped.
    pub const fn film_begun(&mut self, run: RunId) {
        self.gallery.film_begun(run);
    }

    /// The number of the growth that the last [`Effect::Trace`] became. What is told of others is dropped.
    pub const fn traces_begun(&mut self, run: RunId) {
        self.compare.traces_begun(run);
    }

    /// The number of the comparison that the last [`Effect::Contrast`] became. What is told of others is dropped.
    pub const fn comparison_begun(&mut self, run: RunId) {
        self.compare.comparison_begun(run);
    }

    /// The number of the count that the last [`Effect::Count`] became. What is told of others is dropped.
    pub const fn count_begun(&mut self, run: RunId) {
        self.luck.begun(run);
    }

    /// The number of the search that the last [`Effect::Search`] became. The outcome of others is dropped.
    pub fn search_begun(&mut self, run: RunId) {
        if let Some(search) = &mut self.search {
            search.begun(run);
        }
    }

    /// The number of the run that the last [`Effect::Grow`] became. Messages of others are dropped.
    pub const fn run_started(&mut self, run: RunId) {
        self.run = Some(run);
    }

    /// The number of the request that the last [`Effect::Try`] became. The outcomes of others are dropped.
    pub const fn trials_begun(&mut self, run: RunId) {
        self.tune.begun(run);
    }

    /// Pauses at a share of the run, in percent of the turns recorded.
    pub fn seek_share(&mut self, percent: u64) {
        self.time.seek(self.time.turns() * percent.min(100) / 100);
        self.stale = true;
    }

    /// Takes a message.
    pub fn handle(&mut self, message: Message<Event>) -> Vec<Effect> {
        let effects = self.take(message);
        files::ask_conflict(self);
        recovery::offer(self);
        effects
    }

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
                self.say(Tone::Error, format!("growth broke off, a fault of the program: {why}"));
            }
            Message::Started { .. } | Message::Grown { .. } | Message::Finished { .. } | Message::Broken { .. } => {
                return Vec::new();
            }
            Message::Told { run, told } => self.views.told(run, told),
            Message::Tried { run, trial } => {
                self.stale = true;
                return tune::hear(self, run, trial);
            }
            Message::Rung => return Vec::new(),
            Message::Checked { run, checked } => judge::hear(self, run, checked),
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
                        self.say(Tone::Error, text);
                    }
                }
            }
            Message::Vaults(news) => vaults::hear(self, news),
            Message::Sought { run, found } => {
                self.stale = true;
                return search::over(self, run, found);
            }
            Message::FilesChanged(paths) => {
                self.stale = true;
                return self.look_at_files(&paths);
            }
            Message::Gallery(exhibit) => {
                self.stale = true;
                return dialog::hear(self, exhibit);
            }
            Message::Sheet(proof) => gallery::hear(self, proof),
            Message::Luck(count) => map::hear_luck(self, count),
            Message::Duel(bout) => compare::hear(self, bout),
            Message::Leftovers(found) => recovery::found(self, found),
            Message::NotKept(why) => {
                self.alert = Some(format!("unsaved work is not kept safe from a crash: {why}"));
            }
            Message::WatchFailed(why) => {
                self.alert = Some(format!("changes of the files are not seen any more: {why}"));
            }
        }
        self.stale = true;
        Vec::new()
    }

    /// Reads all files that are looked at again, where they changed.
    fn look_at_files(&mut self, changed: &[PathBuf]) -> Vec<Effect> {
        let mut effects = files::reload(self);
        if !changed.is_empty() {
            // Folders may have come that were not there to be watched; what is read after this is seen to change.
            effects.push(self.watch());
        }
        if self.configured.path.as_ref().is_some_and(|path| changed.contains(path)) {
            effects.push(Effect::Configure);
        }
        effects.extend(vaults::reload(self));
        effects
    }

    fn input(&mut self, event: &Event) -> Vec<Effect> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Resize(width, height) => {
                self.screen = Rect::new(0, 0, *width, *height);
                panels::keep_in_view(self);
                vaults::keep_in_view(self);
                gallery::keep_in_view(self);
                dialog::resized(self)
            }
            Event::Paste(text) => {
                if self.dialog.is_some() {
                    dialog::paste(self, text)
                } else if self.compare.is_open() {
                    Vec::new()
                } else if self.gallery.is_open() {
                    gallery::paste(self, text)
                } else if self.vaults.is_open() {
                    vaults::paste(self, text)
                } else if self.focus == Focus::Panel && self.tune.has_sheet() {
                    tune::paste(self, text);
                    Vec::new()
                } else {
                    panels::paste(self, text)
                }
            }
            // Whoever comes back may have been at the files; a watcher can miss that, on network drives above all.
            Event::FocusGained => self.look_at_files(&[]),
            Event::Key(_) | Event::FocusLost => Vec::new(),
        }
    }

    /// The contexts whose keys hold, the narrowest first.
    pub(super) fn contexts(&self) -> Vec<Context> {
        let dialog = self.dialog.as_ref();
        dialog.map_or_else(|| self.contexts_below(), |dialog| vec![dialog.context()])
    }

    /// The contexts whose keys would hold were there no dialog, the narrowest first.
    pub(super) fn contexts_below(&self) -> Vec<Context> {
        let mut contexts = match self.focus {
            _ if self.compare.is_open() => return vec![Context::Compare],
            _ if self.gallery.is_open() => return vec![self.gallery.context()],
            _ if self.vaults.is_open() => return vec![self.vaults.context()],
            Focus::Panel if self.tune.context() == Some(Context::TuneText) => return vec![Context::TuneText],
            Focus::Panel if let Some(context) = self.tune.context() => vec![context, Context::Everywhere],
            Focus::Map if self.vaults.is_placing() => vec![Context::Placing, Context::Map, Context::Everywhere],
            Focus::Panel if self.panels.is_typing() => return vec![Context::Typing],
            Focus::Map if self.tools.is_on() => vec![Context::Tools, Context::Map, Context::Everywhere],
            Focus::Map => vec![Context::Map, Context::Everywhere],
            Focus::Panel if panels::task(self) == Some(Context::Copying) => return vec![Context::Copying],
            Focus::Panel if panels::task(self) == Some(Context::Varying) => {
                vec![Context::Varying, Context::Everywhere]
            }
            Focus::Panel => panels::contexts(self.panels.shown).to_vec(),
            Focus::View => views::contexts(self.views.shown).to_vec(),
        };
        if self.tour.is_some() {
            contexts.insert(0, Context::Tour);
        }
        if self.alert.is_some() || self.has_failed() {
            contexts.insert(0, Context::Alert);
        }
        contexts
    }

    /// Does what a key asks for.
    pub(super) fn key(&mut self, key: &KeyEvent) -> Vec<Effect> {
        // What failed stays until it is put away or something else is told.
        if !self.has_failed() {
            self.notice = None;
        }
        // Text that is being typed takes the keys that it knows, before the table.
        let typed = if self.dialog.is_some() {
            dialog::typed(self, key)
        } else if self.compare.is_open() {
            None
        } else if self.gallery.is_open() {
            gallery::typed(self, key)
        } else if self.vaults.is_open() {
            vaults::typed(self, key)
        } else if self.focus == Focus::Panel && self.tune.has_sheet() {
            tune::typed(self, key)
        } else if self.focus == Focus::Panel {
            panels::typed(self, key)
        } else {
            None
        };
        if let Some(effects) = typed {
            return effects;
        }
        self.keymap
            .find(&self.contexts(), key)
            .map_or_else(Vec::new, |action| self.update(action))
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let at = Position::new(mouse.column, mouse.row);
        let areas = self.areas();
        if self.dialog.is_some() {
            return dialog::mouse(self, mouse);
        }
        if self.compare.is_open() {
            return compare::mouse(self, mouse);
        }
        if self.gallery.is_open() {
            return gallery::mouse(self, mouse);
        }
        if self.vaults.is_open() {
            return vaults::mouse(self, mouse);
        }
        if let Some(effects) = tour::mouse(self, mouse) {
            return effects;
        }
        if matches!(mouse.kind, MouseEventKind::Down(_)) {
            // The end of a drag may have been lost on the way, to another window.
            self.panels.release();
        }
        // A drag belongs to where it began, wherever the pointer is now.
        if self.panels.is_dragged() {
            return panels::mouse(self, mouse);
        }
        if self.time.is_dragged() {
            return time::mouse(self, mouse);
        }
        if self.map.is_dragged() || self.tools.is_dragged() || areas.map.contains(at) {
            map::mouse(self, mouse)
        } else if areas.time.contains(at) {
            time::mouse(self, mouse)
        } else if areas.tools.contains(at) {
            tools::bar_mouse(self, mouse)
        } else if areas.panel.contains(at) && self.tune.has_sheet() {
            tune::mouse(self, mouse)
        } else if areas.panel.contains(at) {
            panels::mouse(self, mouse)
        } else if areas.view.contains(at) {
            views::mouse(self, mouse)
        } else {
            Vec::new()
        }
    }

    /// Does what an action asks for.
    pub(super) fn update(&mut self, action: Action) -> Vec<Effect> {
        let mut effects = self.obey(action);
        effects.extend(tour::saw(self, action));
        effects
    }

    fn obey(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Tour => return tour::next(self),
            Action::LeaveTour => return tour::leave(self),
            Action::Quit => return files::update(self, files::Command::Quit),
            Action::File(command) => return files::update(self, command),
            Action::Suspend => return vec![Effect::Suspend],
            Action::Help => self.dialog = Some(Dialog::help(self.contexts_below())),
            Action::Palette => self.dialog = Some(Dialog::Palette(Box::new(palette::State::new()))),
            Action::CloseDialog => return dialog::close(self),
            Action::PutAway if self.has_failed() => self.notice = None,
            Action::PutAway => self.alert = None,
            Action::NextPane => self.cycle_pane(1),
            Action::PreviousPane => self.cycle_pane(-1),
            Action::FocusMap => self.focus = Focus::Map,
            Action::FocusPanel(panel) => {
                self.panels.shown = panel;
                self.focus = Focus::Panel;
                self.tune.tuck();
                panels::keep_in_view(self);
            }
            Action::FocusView(view) => {
                self.views.shown = view;
                self.focus = Focus::View;
            }
            Action::Tab(by) => self.cycle_tab(by),
            // What is held is given up first: it is the last thing that was begun.
            Action::Undo | Action::Redo if let Some(effects) = tools::give_up(self) => return effects,
            Action::Undo => return self.undo(),
            Action::Redo => return self.redo(),
            Action::Reroll => return self.reroll(),
            Action::Search => return search::toggle(self),
            Action::Vaults(command) => return vaults::update(self, command),
            Action::Gallery(command) => return gallery::update(self, command),
            Action::Compare(command) => return compare::update(self, command),
            Action::Map(command) => {
                map::update(self, command);
                tools::follow(self);
            }
            Action::Tools(command) => return tools::update(self, command),
            Action::Judge(command) => return judge::update(self, command),
            Action::Time(command) => time::update(self, command),
            Action::Panel(command) => return panels::update(self, command),
            Action::View(command) => return views::update(self, command),
            Action::Tune(command) => return tune::update(self, command),
            Action::Dialog(command) => return dialog::update(self, command),
        }
        Vec::new()
    }

    /// The ring of panes: the map, the panels, the views.
    fn cycle_pane(&mut self, by: i32) {
        const PANES: [Focus; 3] = [Focus::Map, Focus::Panel, Focus::View];
        let now = PANES.iter().position(|pane| *pane == self.focus).unwrap_or(0);
        let next = PANES[(now as i32 + by).rem_euclid(PANES.len() as i32) as usize];
        if next == Focus::Panel && self.tune.has_sheet() {
            self.focus = next;
            return;
        }
        self.update(match next {
            Focus::Map => Action::FocusMap,
            Focus::Panel => Action::FocusPanel(self.panels.shown),
            Focus::View => Action::FocusView(self.views.shown),
        });
    }

    /// The next tab in the ring of the panels, or of the views when they have the focus.
    fn cycle_tab(&mut self, by: i32) {
        fn next<T: Copy + PartialEq>(all: &[T], shown: T, by: i32) -> T {
            let now = all.iter().position(|tab| *tab == shown).unwrap_or(0);
            all[(now as i32 + by).rem_euclid(all.len() as i32) as usize]
        }
        self.update(match self.focus {
            Focus::View => Action::FocusView(next(&View::ALL, self.views.shown, by)),
            Focus::Map | Focus::Panel => Action::FocusPanel(next(&Panel::ALL, self.panels.shown, by)),
        });
    }

    /// Whether the user is amid a drag or a text that a question would take the mouse or the keys from.
    pub(super) fn is_busy(&self) -> bool {
        self.panels.is_dragged()
            || self.panels.is_typing()
            || self.map.is_dragged()
            || self.tools.is_dragged()
            || self.time.is_dragged()
    }

    /// Whether the foot tells of something that failed.
    pub(super) const fn has_failed(&self) -> bool {
        matches!(self.notice, Some((Tone::Error, _)))
    }

    /// Tells the user something at the foot.
    pub(super) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some((tone, text.into()));
    }
}
