//! Translates keys, mouse events and pasted text into actions, and passes actions to the parts of the designer that
//! carry them out.
//!
//! Input goes to the topmost part: an open dialog, else a full screen such as the seed gallery, else the focused pane
//! (keys) or the pane under the pointer (mouse).

use crossterm::event::{Event, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use super::app::App;
use super::copying;
use super::dialog::{Dialog, OpenFilter};
use super::panels;
use super::tabs::Panel;
use super::tabs::View;
use super::views;
use super::{
    compare, export_dialog, import_dialog, map, metrics, player, search, seed_gallery, time, tools, tour, tuning,
    vault_browser,
};
use crate::design::{Dimension, Entry, Place};
use crate::document::DungeonCode;
use crate::tui::areas::Areas;
use crate::tui::commands::{
    Action, CompareCommand, DrawCommand, Effect, FileCommand, MapCommand, MetricsCommand, SeedGalleryCommand,
    TimeCommand, TuneCommand, WalkCommand,
};
use crate::tui::editor::{Focus, Request};
use crate::tui::keymap::{Binding, Context};
use crate::tui::viewport::window;
use crate::tui::walk::WalkState;
use crate::tui::widget::form::next;
use crate::tui::widget::mouse::position;

impl App {
    pub(super) fn input(&mut self, event: &Event) -> Vec<Effect> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(*mouse),
            Event::Resize(width, height) => {
                self.editor.screen = Rect::new(0, 0, *width, *height);
                seed_gallery::keep_in_view(&mut self.screens.gallery, &self.editor);
                self.resize_dialog();
                Vec::new()
            }
            Event::Paste(text) => {
                let cut = if self.has_layer() {
                    self.paste_into_layer(text)
                } else if self.editor.focus == Focus::Panel && self.tune.has_sheet() {
                    tuning::paste(&mut self.tune, text)
                } else if DungeonCode::is_code(text) && !self.panels.is_typing() && !self.editor.plays_only() {
                    return self.open_code(text);
                } else {
                    panels::paste(&mut self.panels, &self.editor, text)
                };
                if let Some(cut) = cut {
                    self.editor.warn(cut.to_string());
                }
                Vec::new()
            }
            // While the terminal had no focus, the user may have changed files in another program. The watcher can miss
            // such changes, especially on network drives.
            Event::FocusGained => self.reload_watched(&[]),
            Event::Key(_) | Event::FocusLost => Vec::new(),
        }
    }

    /// Returns the contexts whose keys apply while no dialog and no full screen covers the workspace. The most
    /// specific context comes first.
    pub(super) fn workspace_contexts(&self) -> Vec<Context> {
        let mut contexts = match self.editor.focus {
            _ if self.editor.plays_only() => vec![Context::Player, Context::Map, Context::Everywhere],
            Focus::Panel if self.tune.context() == Some(Context::TuneText) => return vec![Context::TuneText],
            Focus::Panel if let Some(context) = self.tune.context() => vec![context, Context::Everywhere],
            Focus::Map if self.screens.vaults.is_placing() => vec![Context::Placing, Context::Map, Context::Everywhere],
            Focus::Panel if self.panels.is_typing() => return vec![Context::Typing],
            Focus::Map if self.editor.walk.is_some() => vec![Context::Walk, Context::Map, Context::Everywhere],
            Focus::Map if self.tools.is_on() => vec![Context::Tools, Context::Map, Context::Everywhere],
            Focus::Map => vec![Context::Map, Context::Everywhere],
            Focus::Panel if panels::task(&self.panels, &self.editor) == Some(Context::Copying) => {
                return vec![Context::Copying];
            }
            Focus::Panel if panels::task(&self.panels, &self.editor) == Some(Context::Varying) => {
                vec![Context::Varying, Context::Everywhere]
            }
            Focus::Panel => panels::contexts(self.editor.panel).to_vec(),
            Focus::View => views::contexts(self.editor.view).to_vec(),
        };
        if self.tour.is_some() {
            contexts.insert(0, Context::Tour);
        }
        if self.editor.has_message() {
            contexts.insert(0, Context::Alert);
        }
        contexts
    }

    /// Returns why the action of a binding is unavailable in the current state, for the footer, help and the palette.
    /// Returns `None` if the action is available.
    pub(super) fn why_unavailable(&self, binding: &Binding) -> Option<&'static str> {
        let editor = &self.editor;
        match (binding.action, binding.context) {
            (Action::PutAway, _) => (!editor.has_message()).then_some("there is no message to dismiss"),
            // The actions of a panel or view that is not shown count as available: the checks below look only at the
            // panel and the view shown.
            (_, Context::Panel(panel)) if panel != editor.panel => None,
            (_, Context::View(view)) if view != editor.view => None,
            (Action::Map(MapCommand::Nearer), _) => {
                let can = editor.map.can_zoom_in(window(editor.areas.map));
                (!can).then_some("squares cannot be drawn larger")
            }
            (Action::Map(MapCommand::ShowAll), _) => editor.map.shows_all().then_some("no generation is hidden"),
            (Action::Panel(command), _) => panels::why_unavailable(&self.panels, editor, command),
            (Action::Vaults(command), _) => vault_browser::why_unavailable(&self.screens.vaults, command),
            (Action::View(command), _) => {
                let latest = metrics::latest(&self.metrics, editor);
                self.views.why_unavailable(editor, latest, command)
            }
            _ => None,
        }
    }

    /// Handles a key.
    pub(super) fn key(&mut self, key: &KeyEvent) -> Vec<Effect> {
        // Clears the last notice unless it is an error, which stays until the user dismisses it or another notice
        // replaces it.
        if !self.editor.has_failed() {
            self.editor.status.notice = None;
        }
        // A text field handles the keys that edit text, except those that its own context binds. All other keys are
        // looked up in the key table.
        let is_typed = if self.has_layer() {
            self.type_into_layer(key)
        } else if self.editor.focus == Focus::Panel && self.tune.has_sheet() {
            tuning::typed(&mut self.tune, &self.editor, key)
        } else if self.editor.focus == Focus::Panel {
            panels::typed(&mut self.panels, &mut self.editor, key)
        } else {
            false
        };
        if is_typed {
            return Vec::new();
        }
        self.editor
            .keymap
            .find(&self.contexts(), key)
            .filter(|action| self.accepts(*action))
            .map_or_else(Vec::new, |action| self.update(action))
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let at = position(mouse);
        let areas = self.editor.areas;
        self.end_missed_drags(mouse.kind);
        if let Some(effects) = self.layer_mouse(mouse) {
            return effects;
        }
        if !self.is_dragged() && tour::mouse(&mut self.tour, &mut self.editor, mouse) {
            return Vec::new();
        }
        if self.drag_division(mouse) {
            return Vec::new();
        }
        // All events of a drag go to the part where it began, wherever the pointer is now.
        if self.panels.is_dragged() {
            panels::mouse(&mut self.panels, &mut self.editor, mouse);
            return Vec::new();
        }
        let is_walk_dragged = self.editor.walk.as_ref().is_some_and(WalkState::is_dragged);
        if self.editor.time.is_dragged() || is_walk_dragged {
            time::mouse(&mut self.editor, mouse);
            return Vec::new();
        }
        if self.editor.map.is_dragged() || self.tools.is_dragged() || areas.map.contains(at) {
            self.map_mouse(mouse)
        } else if areas.time.contains(at) {
            time::mouse(&mut self.editor, mouse);
            Vec::new()
        } else if areas.tools.contains(at) {
            tools::bar_mouse(&mut self.tools, &mut self.editor, mouse);
            Vec::new()
        } else if areas.panel.contains(at) && self.tune.has_sheet() {
            tuning::mouse(&mut self.tune, &mut self.editor, mouse);
            Vec::new()
        } else if areas.panel.contains(at) {
            panels::mouse(&mut self.panels, &mut self.editor, mouse);
            Vec::new()
        } else if areas.second.contains(at) {
            if matches!(mouse.kind, MouseEventKind::Down(MouseButton::Left)) {
                return self.update(Action::FocusView(self.editor.view.second()));
            }
            Vec::new()
        } else if areas.view.contains(at) {
            let latest = metrics::latest(&self.metrics, &self.editor);
            self.views.mouse(&mut self.editor, latest, mouse);
            if self.editor.view == View::Legend {
                map::legend_mouse(&mut self.editor, mouse);
            }
            Vec::new()
        } else {
            Vec::new()
        }
    }

    /// Moves the border between the map and the panes while the mouse drags it. Returns whether the event belongs to
    /// such a drag.
    fn drag_division(&mut self, mouse: MouseEvent) -> bool {
        let at = position(mouse);
        let Areas { map, panel, .. } = self.editor.areas;
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.editor.is_dividing = !panel.is_empty()
                    && if self.editor.has_panes_below() {
                        map.contains(at) && at.y + 1 == map.bottom()
                    } else {
                        map.contains(at) && at.x + 1 == map.right()
                    };
            }
            MouseEventKind::Drag(MouseButton::Left) if self.editor.is_dividing => {
                self.editor.divide_at(at.x, at.y);
            }
            MouseEventKind::Up(MouseButton::Left) => return std::mem::take(&mut self.editor.is_dividing),
            _ => {}
        }
        self.editor.is_dividing
    }

    fn tools_mouse(&mut self, mouse: MouseEvent) -> bool {
        let in_panel = panels::entry(&self.panels, &self.editor);
        tools::mouse(&mut self.tools, &mut self.editor, in_panel, mouse)
    }

    /// Passes a mouse event on the map to the vault being placed, to the selected tool, or to the map itself.
    fn map_mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        if self.screens.vaults.is_placing()
            && matches!(
                mouse.kind,
                MouseEventKind::Moved | MouseEventKind::Down(MouseButton::Left)
            )
        {
            // The preview of the vault follows the pointer.
            let at = self.editor.map.pointed(self.editor.areas.map, mouse.column, mouse.row);
            self.editor.map.move_cursor(at);
            if mouse.kind != MouseEventKind::Moved {
                vault_browser::place_at_cursor(&mut self.screens.vaults, &mut self.editor);
            }
        } else {
            // During a walk, the map hides the marks of the drawing tools, so the tools do not handle the mouse.
            let is_drawing = self.tools.is_on() && self.editor.walk.is_none() && !self.screens.vaults.is_placing();
            if !is_drawing || !self.tools_mouse(mouse) {
                map::mouse(&mut self.editor, mouse);
            }
        }
        Vec::new()
    }

    /// Carries out an action, and returns the effects that the action requests.
    pub(super) fn update(&mut self, action: Action) -> Vec<Effect> {
        let effects = self.run(action);
        tour::observe(&mut self.tour, &mut self.editor, action);
        self.stack_screens();
        effects
    }

    /// Replaces the dialog on the screen; `None` keeps it.
    fn replace_dialog(&mut self, dialog: Option<Dialog>) {
        if dialog.is_some() {
            self.dialogs.open = dialog;
        }
    }

    fn run(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Tour => tour::next(&mut self.tour, &mut self.editor),
            Action::LeaveTour => tour::end(&mut self.tour, &mut self.editor),
            Action::Quit => return self.file_command(FileCommand::Quit),
            Action::File(command) => return self.file_command(command),
            Action::Suspend => return vec![Effect::Suspend],
            Action::Help => self.show_help(),
            Action::Palette => self.dialogs.open = Some(Dialog::Palette(Box::new(self.palette()))),
            Action::CloseDialog => self.close_dialog(),
            Action::PutAway => self.editor.dismiss_message(),
            Action::NextPane => self.cycle_pane(1),
            Action::PreviousPane => self.cycle_pane(-1),
            Action::FocusMap => self.editor.focus = Focus::Map,
            Action::FocusPanel(panel) => {
                panels::focus(&mut self.panels, &mut self.editor, panel);
                self.tune.tuck();
            }
            Action::FocusView(view) => {
                self.editor.view = view;
                self.editor.focus = Focus::View;
            }
            Action::Tab(by) => self.cycle_tab(by),
            // A stroke or drag in progress is the latest change, so undo and redo only cancel it.
            Action::Undo | Action::Redo if tools::cancel_gesture(&mut self.tools, &mut self.editor) => {}
            Action::Undo => self.editor.undo(),
            Action::Redo => self.editor.redo(),
            Action::Copy(what) => copying::copy(&self.views, &mut self.editor, what),
            Action::Resize => {
                let size = Place::field(Entry::Dimensions, Dimension::X);
                self.editor.ask(Request::ShowEntry(size));
            }
            Action::Reroll => self.editor.reroll(),
            Action::Search => search::toggle(&mut self.search, &mut self.editor),
            Action::Vaults(command) => vault_browser::update(&mut self.screens.vaults, &mut self.editor, command),
            Action::Gallery(command) => {
                seed_gallery::update(&mut self.screens.gallery, &mut self.editor, command);
                if command == SeedGalleryCommand::Learn {
                    self.learn_from_seeds();
                }
                if self.screens.gallery.is_open() {
                    self.tour = None;
                }
            }
            Action::Compare(command) => {
                match command {
                    CompareCommand::Other => self.show_designs(OpenFilter::Compared),
                    CompareCommand::Seeds => {
                        compare::seeds(&mut self.screens.compare, &mut self.editor, self.screens.gallery.pair());
                    }
                    _ => compare::update(&mut self.screens.compare, &mut self.editor, command),
                }
                if self.screens.compare.is_open() {
                    self.tour = None;
                }
            }
            Action::Map(command) => {
                map::update(&mut self.editor, command);
                tools::follow(&mut self.tools, &self.editor);
            }
            Action::Tools(command) => {
                let in_panel = panels::entry(&self.panels, &self.editor);
                tools::update(&mut self.tools, &mut self.editor, in_panel, command);
                if command == DrawCommand::ImportDrawing {
                    self.show_designs(OpenFilter::Drawings);
                }
            }
            Action::Metrics(MetricsCommand::Scatter) => {
                let scatter = metrics::ScatterState::new(&mut self.editor);
                self.replace_dialog(scatter.map(Dialog::Scatter));
            }
            Action::Metrics(command) => metrics::update(&mut self.metrics, &mut self.editor, command),
            Action::Time(TimeCommand::GoTo) => {
                let moment = time::Moment::new(&self.editor);
                self.replace_dialog(moment.map(Dialog::Moment));
            }
            Action::Time(command) => time::update(&mut self.editor, command),
            Action::Walk(command) => self.walk(command),
            Action::Panel(command) => panels::update(&mut self.panels, &mut self.editor, command),
            Action::View(command) => {
                let latest = metrics::latest(&self.metrics, &self.editor);
                self.views.update(&mut self.editor, latest, command);
            }
            Action::Tune(TuneCommand::Learn) if !tuning::is_learning(&self.tune) => {
                self.show_designs(OpenFilter::Examples);
            }
            Action::Tune(command) => tuning::update(&mut self.tune, &mut self.editor, command),
            Action::Export(command) => {
                let is_open = matches!(self.dialogs.open, Some(Dialog::Export));
                let outcome = export_dialog::update(&mut self.dialogs.export, &mut self.editor, is_open, command);
                return self.finish_export(outcome);
            }
            Action::Player(command) => player::update(self, command),
            Action::Import(command) => {
                let imported = import_dialog::update(&mut self.dialogs.import, &mut self.editor, command);
                return self.finish_import(imported);
            }
            Action::Dialog(command) => return self.update_dialog(command),
        }
        Vec::new()
    }

    /// Runs a command of a walk. During a walk, the map hides the marks of the drawing tools, so a gesture in progress
    /// is cancelled.
    fn walk(&mut self, command: WalkCommand) {
        if command == WalkCommand::Toggle {
            tools::cancel_gesture(&mut self.tools, &mut self.editor);
        }
        time::walk::update(&mut self.editor, command);
    }

    /// Moves the focus to the next or previous pane; the map, the panels and the views form a ring.
    fn cycle_pane(&mut self, by: i32) {
        const PANES: [Focus; 3] = [Focus::Map, Focus::Panel, Focus::View];
        let pane = next(&PANES, self.editor.focus, by);
        if pane == Focus::Panel && self.tune.has_sheet() {
            self.editor.focus = pane;
            return;
        }
        self.update(match pane {
            Focus::Map => Action::FocusMap,
            Focus::Panel => Action::FocusPanel(self.editor.panel),
            Focus::View => Action::FocusView(self.editor.view),
        });
    }

    /// Shows the next or previous panel or, if the views have the focus, the next or previous view; the last is
    /// followed by the first.
    fn cycle_tab(&mut self, by: i32) {
        self.update(match self.editor.focus {
            Focus::View => Action::FocusView(next(&View::ALL, self.editor.view, by)),
            Focus::Map | Focus::Panel => Action::FocusPanel(next(&Panel::ALL, self.editor.panel, by)),
        });
    }
}
