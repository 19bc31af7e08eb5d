//! The state of the designer and how messages and actions change it.
//!
//! An [`App`] needs no terminal, clock or thread: messages come in by [`App::handle`], time by
//! [`App::advance`], and what must be done outside (grow, watch, quit) goes out as [`Effect`]s. Tests
//! drive it the same way the event loop does.

use std::path::PathBuf;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, MouseEvent};
use ratatui::layout::{Position, Rect};

use super::dialog::{self, Dialog};
use super::keys::{self, Binding, Context, Key};
use super::panels::{self, Panel};
use super::screen::{self, Areas};
use super::theme::Theme;
use super::{files, map, time};
use crate::design::ValidDesign;
use crate::document::Document;
use crate::engine::Options;
use crate::worker::{Message, RunId};

/// Everything a key, a click or a menu can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// Leave the designer.
    Quit,
    /// Give the terminal back to the shell until `fg`.
    Suspend,
    /// Open help.
    Help,
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
    /// Take the last edit back.
    Undo,
    /// Do the edit that was taken back again.
    Redo,
    /// Grow with another seed, drawn by chance.
    Reroll,
    /// Something with the design's files.
    File(files::Command),
    /// Something on the map.
    Map(map::Command),
    /// Something with time.
    Time(time::Command),
    /// Something in the focused panel.
    Panel(panels::Command),
    /// Something in the dialog on top.
    Dialog(dialog::Command),
}

/// Keys that hold everywhere.
pub(super) static KEYS: &[Binding] = &[
    Binding {
        context: Context::Everywhere,
        name: "help",
        keys: &[Key::char('?'), Key::plain(KeyCode::F(1))],
        action: Action::Help,
        help: "Show every key and what it does.",
        foot: true,
    },
    Binding {
        context: Context::Everywhere,
        name: "quit",
        keys: &[Key::char('q'), Key::ctrl('c')],
        action: Action::Quit,
        help: "Leave the designer; asks when there are unsaved changes.",
        foot: true,
    },
    Binding {
        context: Context::Everywhere,
        name: "next pane",
        keys: &[Key::plain(KeyCode::Tab)],
        action: Action::NextPane,
        help: "Move to the next pane: the map, then each panel.",
        foot: true,
    },
    Binding {
        context: Context::Everywhere,
        name: "previous pane",
        keys: &[Key::plain(KeyCode::BackTab)],
        action: Action::PreviousPane,
        help: "Move to the pane before.",
        foot: false,
    },
    Binding {
        context: Context::Everywhere,
        name: "stats",
        keys: &[Key::alt('1')],
        action: Action::FocusPanel(Panel::Stats),
        help: "Go to the panel Stats.",
        foot: false,
    },
    Binding {
        context: Context::Everywhere,
        name: "rooms",
        keys: &[Key::alt('2')],
        action: Action::FocusPanel(Panel::Rooms),
        help: "Go to the panel Rooms.",
        foot: false,
    },
    Binding {
        context: Context::Everywhere,
        name: "constants",
        keys: &[Key::alt('3')],
        action: Action::FocusPanel(Panel::Constants),
        help: "Go to the panel Constants.",
        foot: false,
    },
    Binding {
        context: Context::Everywhere,
        name: "design",
        keys: &[Key::alt('4')],
        action: Action::FocusPanel(Panel::Design),
        help: "Go to the panel Design.",
        foot: false,
    },
    Binding {
        context: Context::Everywhere,
        name: "problems",
        keys: &[Key::alt('5')],
        action: Action::FocusPanel(Panel::Problems),
        help: "Go to the panel Problems.",
        foot: false,
    },
    Binding {
        context: Context::Everywhere,
        name: "reroll",
        keys: &[Key::char('R')],
        action: Action::Reroll,
        help: "Grow the design with another seed, drawn by chance; undo brings the old one back.",
        foot: true,
    },
    Binding {
        context: Context::Everywhere,
        name: "undo",
        keys: &[Key::char('u')],
        action: Action::Undo,
        help: "Take the last edit back and grow again.",
        foot: false,
    },
    Binding {
        context: Context::Everywhere,
        name: "redo",
        keys: &[Key::char('U'), Key::ctrl('r')],
        action: Action::Redo,
        help: "Do again what was taken back.",
        foot: false,
    },
    Binding {
        context: Context::Everywhere,
        name: "suspend",
        keys: &[Key::ctrl('z')],
        action: Action::Suspend,
        help: "Go back to the shell; fg returns here.",
        foot: false,
    },
];

/// Which part of the screen takes the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    /// The map.
    Map,
    /// The panel that is shown.
    Panel,
}

/// What the outside is asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Grow a design; [`App::run_started`] is told the number of the run.
    Grow(ValidDesign, Options),
    /// Watch exactly these files.
    Watch(Vec<PathBuf>),
    /// Give the terminal back to the shell until the process is continued.
    Suspend,
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
    pub(super) theme: Theme,
    pub(super) screen: Rect,
    pub(super) focus: Focus,
    pub(super) map: map::State,
    pub(super) time: time::State,
    pub(super) panels: panels::State,
    pub(super) dialog: Option<Dialog>,
    /// What the last action did; the next action clears it.
    pub(super) notice: Option<(Tone, String)>,
    /// Something that must not be missed: it stays until it is put away.
    pub(super) alert: Option<String>,
    pub(super) run: Option<RunId>,
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
            theme,
            screen: Rect::new(0, 0, width, height),
            focus: Focus::Map,
            map: map::State::new(size),
            time: time::State::new(size),
            panels: panels::State::default(),
            dialog: None,
            notice: None,
            alert: None,
            run: None,
            stale: true,
            urgent: true,
        }
    }

    /// What must be done before anything else: grow the design and watch its files.
    pub fn start(&mut self) -> Vec<Effect> {
        let mut effects = self.regrow();
        effects.push(Effect::Watch(self.document.watched()));
        effects
    }

    /// The screen's parts.
    pub(super) fn areas(&self) -> Areas {
        Areas::of(self.screen, self.focus, self.map.is_alone())
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

    /// Draws the designer.
    pub fn draw(&self, area: Rect, buf: &mut ratatui::buffer::Buffer) {
        screen::draw(self, area, buf);
    }

    /// In what time [`App::advance`] has something to do; `None`: never, unless a message comes.
    pub fn next_change(&self) -> Option<Duration> {
        self.time.next_change()
    }

    /// Lets time pass.
    pub fn advance(&mut self, elapsed: Duration) {
        self.stale |= self.time.advance(elapsed);
        self.follow_size();
    }

    /// Keeps the map's size that of the dungeon on the screen: a run with another may be on its way.
    fn follow_size(&mut self) {
        if let Some(frame) = self.time.frame() {
            self.map.resized(frame.grid().size());
        }
    }

    /// The number of the run that the last [`Effect::Grow`] became. Messages of others are dropped.
    pub const fn run_started(&mut self, run: RunId) {
        self.run = Some(run);
    }

    /// Pauses at a share of the run, in percent of the turns recorded.
    pub fn seek_share(&mut self, percent: u64) {
        self.time.seek(self.time.turns() * percent.min(100) / 100);
        self.stale = true;
    }

    /// Takes a message.
    pub fn handle(&mut self, message: Message<Event>) -> Vec<Effect> {
        match message {
            Message::Input(event) => {
                let effects = self.input(&event);
                self.stale = true;
                self.urgent = true;
                return effects;
            }
            Message::InputEnded(why) => return vec![Effect::Fail(why)],
            // The shell's convention for a program ended by a signal.
            Message::Signal(number) => return vec![Effect::Quit(128_u8.saturating_add(number as u8))],
            Message::Started {
                run,
                recording,
                diagnostics,
            } if Some(run) == self.run => {
                self.time.started(*recording);
                self.document.note_stage_one(diagnostics);
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
            Message::FilesChanged(_) => {
                self.stale = true;
                return files::reload(self);
            }
            Message::WatchFailed(why) => {
                self.alert = Some(format!("changes of the files are not seen any more: {why}"));
            }
        }
        self.stale = true;
        Vec::new()
    }

    fn input(&mut self, event: &Event) -> Vec<Effect> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Resize(width, height) => {
                self.screen = Rect::new(0, 0, *width, *height);
                panels::keep_in_view(self);
                Vec::new()
            }
            Event::Paste(text) => {
                if self.dialog.is_some() {
                    dialog::paste(self, text)
                } else {
                    panels::paste(self, text)
                }
            }
            Event::Key(_) | Event::FocusGained | Event::FocusLost => Vec::new(),
        }
    }

    /// The contexts whose keys hold, the narrowest first.
    pub(super) fn contexts(&self) -> Vec<Context> {
        let mut contexts = match (&self.dialog, self.focus) {
            (Some(dialog), _) => return vec![dialog.context()],
            (None, Focus::Panel) if self.panels.is_typing() => return vec![Context::Typing],
            (None, Focus::Map) => vec![Context::Map, Context::Everywhere],
            (None, Focus::Panel) => panels::contexts(self.panels.shown).to_vec(),
        };
        if self.alert.is_some() {
            contexts.insert(0, Context::Alert);
        }
        contexts
    }

    /// Does what a key asks for.
    pub(super) fn key(&mut self, key: &KeyEvent) -> Vec<Effect> {
        self.notice = None;
        // Text that is being typed takes the keys that it knows, before the table.
        let typed = if self.dialog.is_some() {
            dialog::typed(self, key)
        } else if self.focus == Focus::Panel {
            panels::typed(self, key)
        } else {
            None
        };
        if let Some(effects) = typed {
            return effects;
        }
        keys::find(&self.contexts(), key).map_or_else(Vec::new, |action| self.update(action))
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let at = Position::new(mouse.column, mouse.row);
        let areas = self.areas();
        if self.dialog.is_some() {
            return dialog::mouse(self, mouse);
        }
        // A drag belongs to where it began, wherever the pointer is now.
        if self.map.is_dragged() || areas.map.contains(at) {
            map::mouse(self, mouse)
        } else if self.time.is_dragged() || areas.time.contains(at) {
            time::mouse(self, mouse)
        } else if areas.panel.contains(at) {
            panels::mouse(self, mouse)
        } else {
            Vec::new()
        }
    }

    /// Does what an action asks for.
    pub(super) fn update(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Quit => return files::update(self, files::Command::Quit),
            Action::File(command) => return files::update(self, command),
            Action::Suspend => return vec![Effect::Suspend],
            Action::Help => self.dialog = Some(Dialog::help()),
            Action::CloseDialog => self.dialog = None,
            Action::PutAway => self.alert = None,
            Action::NextPane => self.cycle_pane(1),
            Action::PreviousPane => self.cycle_pane(-1),
            Action::FocusMap => self.focus = Focus::Map,
            Action::FocusPanel(panel) => {
                self.panels.shown = panel;
                self.focus = Focus::Panel;
                panels::keep_in_view(self);
            }
            Action::Undo => return self.undo(),
            Action::Redo => return self.redo(),
            Action::Reroll => return self.reroll(),
            Action::Map(command) => map::update(self, command),
            Action::Time(command) => time::update(self, command),
            Action::Panel(command) => return panels::update(self, command),
            Action::Dialog(command) => return dialog::update(self, command),
        }
        Vec::new()
    }

    /// The ring of panes: the map, then the panels.
    fn cycle_pane(&mut self, by: i32) {
        let count = Panel::ALL.len() as i32 + 1;
        let now = match self.focus {
            Focus::Map => 0,
            Focus::Panel => self.panels.shown as i32 + 1,
        };
        let next = (now + by).rem_euclid(count);
        match next.checked_sub(1).and_then(|i| Panel::ALL.get(i as usize)) {
            Some(panel) => {
                self.update(Action::FocusPanel(*panel));
            }
            None => self.focus = Focus::Map,
        }
    }

    /// Tells the user something at the foot.
    pub(super) fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some((tone, text.into()));
    }
}
