//! The layers over the workspace: full screens (the vault browser, the seed gallery and the comparison), and at most
//! one dialog above them. The topmost layer determines which key contexts apply, and handles keys, pasted text and
//! mouse events.
//!
//! Dialogs and full screens do not refer to each other. If an action in a dialog or a full screen concerns another
//! dialog or another full screen, this module carries out the action. Closing a dialog cancels its requests.

use std::path::Path;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::App;
use super::dialog::{Dialog, FilesForm, FormPurpose, OpenChoice, OpenDialog, OpenFilter, Question, QuestionKind};
use super::editor::AfterSave;
use super::export_dialog::ExportOutcome;
use super::import_dialog::{ImportPurpose, Imported};
use super::palette::PaletteState;
use super::tools::PendingDrawing;
use super::tuning::{self, LearnExamples};
use super::widget::list::{ListClick, ListStep};
use super::widget::prompt::PasteCut;
use super::{
    compare, export_dialog, files, help, import_dialog, palette, panels, seed_gallery, time, tools, vault_browser,
};
use crate::background::{FolderReply, JobError, Ticket};
use crate::document::Side;
use crate::tui::commands::{Action, Answer, DialogCommand, Effect};
use crate::tui::keymap::{self, Binding, Context};
use crate::tui::screens::Screen;

impl App {
    /// Adds newly opened full screens to the layers, and removes closed ones.
    pub(super) fn stack_screens(&mut self) {
        self.screens.open.set(Screen::Vaults, self.screens.vaults.is_open());
        self.screens.open.set(Screen::Gallery, self.screens.gallery.is_open());
        self.screens.open.set(Screen::Compare, self.screens.compare.is_open());
    }

    /// Returns whether a dialog or a full screen covers the workspace.
    pub(super) fn has_layer(&self) -> bool {
        self.dialogs.open.is_some() || self.screens.open.top().is_some()
    }

    /// Returns the contexts whose keys apply, the most specific first.
    pub(super) fn contexts(&self) -> Vec<Context> {
        let dialog = self.dialogs.open.as_ref();
        dialog.map_or_else(|| self.contexts_below(), |dialog| vec![self.dialog_context(dialog)])
    }

    /// Returns the contexts whose keys would apply if no dialog were open, the most specific first.
    pub(super) fn contexts_below(&self) -> Vec<Context> {
        match self.screens.open.top() {
            Some(Screen::Vaults) => vec![self.screens.vaults.context()],
            Some(Screen::Gallery) => vec![self.screens.gallery.context()],
            Some(Screen::Compare) => vec![Context::Compare],
            None => self.workspace_contexts(),
        }
    }

    fn dialog_context(&self, dialog: &Dialog) -> Context {
        match dialog {
            Dialog::Help(state) => state.context(),
            Dialog::Question(question) => question.context(),
            Dialog::Form(_) => Context::Form,
            Dialog::New(_) => Context::New,
            Dialog::Open(open) => open.context(),
            Dialog::Recover(_) => Context::Leftovers,
            Dialog::Palette(_) => Context::Palette,
            Dialog::Moment(_) => Context::Moment,
            Dialog::Scatter(_) => Context::Scatter,
            Dialog::Export => self.dialogs.export.context(),
            Dialog::Import => self.dialogs.import.context(),
        }
    }

    /// Opens the help: every key, those of the focused part of the screen first.
    pub(super) fn show_help(&mut self) {
        let here = self.contexts_below();
        let idle = keymap::table().filter(|binding| here.contains(&binding.context));
        let idle = idle.filter(|binding| self.why_unavailable(binding).is_some()).collect();
        self.dialogs.open = Some(Dialog::Help(help::HelpState::new(here, idle)));
    }

    /// Returns the palette, which lists every action and how it can be reached now.
    pub(super) fn palette(&self) -> PaletteState {
        let here = self.contexts_below();
        PaletteState::new(&self.palette_place(&here), |binding| self.why_unavailable(binding))
    }

    /// Returns what the palette needs to know about where the user is; `here` contains the contexts whose keys apply.
    pub(super) fn palette_place<'a>(&'a self, here: &'a [Context]) -> palette::PalettePlace<'a> {
        palette::PalettePlace {
            here,
            panel: self.editor.panel,
            view: self.editor.view,
            close: self.screens.open.close(),
            recent: &self.dialogs.recent,
        }
    }

    /// Opens the list of designs.
    pub(super) fn show_designs(&mut self, filter: OpenFilter) {
        let open = OpenDialog::begin(&mut self.editor, filter);
        self.dialogs.open = Some(Dialog::Open(Box::new(open)));
    }

    /// Closes the dialog, and cancels its requests.
    pub(super) fn close_dialog(&mut self) {
        self.cancel_files();
        match self.dialogs.open.take() {
            Some(Dialog::Export) => self.dialogs.export.cancel_preview(),
            Some(Dialog::Import) => self.dialogs.import.close(),
            _ => {}
        }
    }

    /// Shows why a design could not be opened. If the dialog for opening designs or a form is on the screen, the reason
    /// is shown there, otherwise in a note.
    pub(super) fn not_opened(&mut self, why: String) {
        match self.dialogs.open.as_mut() {
            Some(Dialog::Open(open)) => open.reject(why),
            Some(Dialog::Form(form)) => form.reject(why),
            _ => self.dialogs.open = Some(Dialog::Question(Question::note("Not opened", why))),
        }
    }

    /// Requests previews in the new size after the screen was resized.
    pub(super) fn resize_dialog(&mut self) {
        match self.dialogs.open.as_mut() {
            Some(Dialog::Open(open)) => open.resized(&mut self.editor),
            Some(Dialog::Export) => export_dialog::resized(&mut self.dialogs.export, &mut self.editor),
            Some(Dialog::Import) => import_dialog::request_preview(&mut self.dialogs.import, &mut self.editor),
            _ => {}
        }
    }

    /// Passes a reply about a folder to the dialog on the screen, which may have requested it.
    pub(super) fn handle_folder(&mut self, ticket: &Ticket, reply: Result<FolderReply, JobError>) {
        match &mut self.dialogs.open {
            Some(Dialog::Export) => export_dialog::handle_folder(&mut self.dialogs.export, ticket, reply),
            Some(Dialog::Open(open)) => open.handle_folder(&mut self.editor, ticket, reply),
            _ => {}
        }
    }

    /// Runs a dialog command. Every command except `Accept` cancels pending requests for files.
    pub(super) fn update_dialog(&mut self, command: DialogCommand) -> Vec<Effect> {
        if command != DialogCommand::Accept {
            self.cancel_files();
        }
        let editor = &mut self.editor;
        match (self.dialogs.open.as_mut(), command) {
            (_, DialogCommand::Accept) => return self.accept_dialog(),
            (_, DialogCommand::Answer(answer)) => return self.reply(answer),
            (Some(Dialog::Help(state)), DialogCommand::Select(step)) => state.scroll(step, editor),
            (Some(Dialog::Help(state)), DialogCommand::Search) => state.search(),
            (Some(Dialog::Help(state)), DialogCommand::ShowAll) => state.end_search(false),
            (Some(Dialog::New(form)), DialogCommand::Select(step)) => form.step(step, editor.screen),
            (Some(Dialog::New(form)), DialogCommand::Change(by)) => form.change(by),
            (Some(Dialog::Open(open)), DialogCommand::Select(step)) => open.step(editor, step),
            (Some(Dialog::Open(open)), DialogCommand::Complete) => open.complete(editor),
            (Some(Dialog::Open(open)), DialogCommand::Combine(part)) => {
                open.copy_part(Some(part));
                let choice = open.accept(editor);
                return self.open_chosen(choice);
            }
            (Some(Dialog::Open(open)), DialogCommand::OtherFormat) if open.filter() == OpenFilter::Drawings => {
                open.reject("a drawing is a single file; type its path here".into());
            }
            (Some(Dialog::Open(open)), DialogCommand::OtherFormat) => {
                open.copy_part(None);
                let choice = open.files_choice();
                return self.open_chosen(choice);
            }
            (Some(Dialog::Recover(list)), DialogCommand::Select(step)) => list.step(editor.screen, step),
            (Some(Dialog::Recover(list)), DialogCommand::ThrowAway) => {
                let is_last = list.discard(editor);
                if is_last {
                    self.dialogs.open.take();
                }
            }
            (Some(Dialog::Palette(state)), DialogCommand::Select(step)) => state.step(editor, step),
            (Some(Dialog::Form(form)), DialogCommand::Select(step)) => form.step(step),
            (Some(Dialog::Form(form)), DialogCommand::OtherFormat) => form.other_format(),
            _ => {}
        }
        Vec::new()
    }

    /// Accepts the form or the selected entry of the dialog.
    fn accept_dialog(&mut self) -> Vec<Effect> {
        match self.dialogs.open.as_mut() {
            Some(Dialog::Help(state)) => state.end_search(true),
            Some(Dialog::Moment(state)) => {
                let accepted = state.accept(&mut self.editor);
                if accepted {
                    self.dialogs.open = None;
                }
            }
            Some(Dialog::Scatter(state)) => {
                let accepted = state.accept(&mut self.metrics, &mut self.editor);
                if accepted {
                    self.dialogs.open = None;
                }
            }
            Some(Dialog::Form(form)) => {
                let is_opened = form.opens();
                return match form.accept() {
                    Some(files) if is_opened => {
                        files::open(&mut self.files, &mut self.editor, files.into());
                        Vec::new()
                    }
                    Some(files) => {
                        match self.dialogs.export.conflict(&files) {
                            Some(why) => form.reject(why),
                            None => {
                                files::save_as_named(&mut self.files, &mut self.editor, &mut self.dialogs.open, files);
                            }
                        }
                        Vec::new()
                    }
                    None => Vec::new(),
                };
            }
            Some(Dialog::New(form)) => {
                if let Some(document) = form.accept() {
                    self.dialogs.open = None;
                    return self.run_when_safe(AfterSave::Open(Box::new(document)));
                }
            }
            Some(Dialog::Open(open)) => {
                open.copy_part(None);
                let choice = open.accept(&mut self.editor);
                return self.open_chosen(choice);
            }
            Some(Dialog::Recover(list)) => {
                if let Some(work) = list.accept() {
                    self.dialogs.open.take();
                    return self.accept_recovered(work);
                }
            }
            Some(Dialog::Palette(state)) => {
                if let Some((way, binding)) = state.accept(&mut self.editor) {
                    return self.run_chosen(way, binding);
                }
            }
            _ => {}
        }
        Vec::new()
    }

    /// Opens the entry that is selected in the list of designs.
    pub(super) fn open_listed(&mut self) -> Vec<Effect> {
        let Some(Dialog::Open(open)) = self.dialogs.open.as_mut() else {
            return Vec::new();
        };
        let choice = open.choose(&mut self.editor);
        self.open_chosen(choice)
    }

    fn open_chosen(&mut self, choice: OpenChoice) -> Vec<Effect> {
        match choice {
            OpenChoice::Nothing => Vec::new(),
            OpenChoice::Design(document) => self.open_or_combine(document),
            OpenChoice::Read(request) => {
                files::open(&mut self.files, &mut self.editor, *request);
                Vec::new()
            }
            OpenChoice::Drawing(path) => self.open_drawing(&path),
            OpenChoice::Files(named) => {
                let part = self.dialogs.open.as_ref().and_then(Dialog::part);
                let purpose = FormPurpose::Open(self.open_filter(), part);
                let mut form = FilesForm::new(purpose, &self.editor.document);
                form.name(named.as_ref());
                self.dialogs.open = Some(Dialog::Form(Box::new(form)));
                Vec::new()
            }
        }
    }

    /// Opens the import dialog for a drawing.
    pub(super) fn show_import(&mut self, path: &Path, purpose: ImportPurpose) {
        import_dialog::begin(&mut self.dialogs.import, &mut self.editor, path, purpose);
        self.dialogs.open = Some(Dialog::Import);
    }

    /// Uses an imported drawing as the user chose: opens it as a design, searches for parameter values whose dungeons
    /// are like the drawing, or places it on the map. Closes the import dialog.
    pub(super) fn finish_import(&mut self, imported: Option<Imported>) -> Vec<Effect> {
        let Some(imported) = imported else {
            return Vec::new();
        };
        self.dialogs.open = None;
        match imported {
            Imported::Design(document) => self.run_when_safe(AfterSave::Open(document)),
            Imported::Example { name, document } => {
                let examples = LearnExamples::of_drawing(name, &document);
                tuning::learn(&mut self.tune, &mut self.editor, examples);
                Vec::new()
            }
            Imported::Tiles { path, import, made } => {
                self.editor.show_square(import.placing.at.unwrap_or_default());
                let drawing = PendingDrawing {
                    path,
                    import,
                    drawing: made.drawing,
                    digest: made.digest,
                };
                let in_panel = panels::entry(&self.panels, &self.editor);
                tools::place_drawing(&mut self.tools, &mut self.editor, in_panel, drawing);
                Vec::new()
            }
        }
    }

    /// Opens the export dialog.
    pub(super) fn show_export(&mut self) {
        export_dialog::begin(&mut self.dialogs.export, &mut self.editor);
        self.dialogs.open = Some(Dialog::Export);
    }

    /// Does what an outcome of the export dialog or the export queue requires.
    pub(super) fn finish_export(&mut self, outcome: Option<ExportOutcome>) -> Vec<Effect> {
        match outcome {
            None => {}
            Some(ExportOutcome::Copy(named, is_named)) => match self.dialogs.export.conflict(&named) {
                None => files::copy(&mut self.files, &mut self.editor, named, is_named),
                Some(why) if is_named => self.dialogs.export.reject(why),
                Some(why) => self.editor.fail(format!("no copy was written: {why}")),
            },
            Some(ExportOutcome::Close) => self.dialogs.open = None,
            Some(ExportOutcome::Ask(question)) => self.dialogs.open = Some(Dialog::Question(question)),
            Some(ExportOutcome::Leave) => return self.run_when_safe(AfterSave::Quit),
            Some(ExportOutcome::Quit) => return vec![Effect::Quit(0)],
        }
        Vec::new()
    }

    /// Closes the palette. Then runs the actions in `way`, which move the focus to the context of the chosen action,
    /// and finally the chosen action.
    fn run_chosen(&mut self, way: Vec<Action>, binding: &'static Binding) -> Vec<Effect> {
        palette::remember(&mut self.dialogs.recent, binding);
        self.dialogs.open.take();
        self.run_action(way, binding)
    }

    /// Runs the actions in `way`, which move the focus to the context of `binding`, and then the action of `binding`.
    /// If nothing changed, shows a warning.
    pub(super) fn run_action(&mut self, way: Vec<Action>, binding: &'static Binding) -> Vec<Effect> {
        let before = self.picture();
        let mut effects: Vec<Effect> = way.into_iter().flat_map(|action| self.update(action)).collect();
        effects.extend(self.update(binding.action));
        let effects = self.finish(effects);
        if effects.is_empty() && self.picture() == before {
            palette::say_nothing_to_do(&mut self.editor, binding);
        }
        effects
    }

    /// Draws the current screen into a buffer, to detect whether an action changed anything.
    pub(super) fn picture(&self) -> Buffer {
        let mut picture = Buffer::empty(self.editor.screen);
        self.draw(self.editor.screen, &mut picture);
        picture
    }

    /// Carries out the user's answer to the open question.
    fn reply(&mut self, answer: Answer) -> Vec<Effect> {
        if let Some(Dialog::Question(question)) = self.dialogs.open.as_mut()
            && question.loses_work(answer)
            && !question.confirm()
        {
            return Vec::new();
        }
        let Some(Dialog::Question(question)) = self.dialogs.open.take() else {
            return Vec::new();
        };
        match (question.into_kind(), answer) {
            (QuestionKind::Leaving(then), Answer::Save) => self.save(false, then),
            (QuestionKind::Leaving(then), Answer::Discard) | (QuestionKind::Saving(then), Answer::Continue) => {
                return self.follow(then);
            }
            (QuestionKind::Conflict, Answer::Mine) => files::resolve(&mut self.editor, Side::Mine),
            (QuestionKind::Conflict, Answer::Theirs) => files::resolve(&mut self.editor, Side::Theirs),
            (QuestionKind::Conflict, Answer::Both) => files::merge(&mut self.editor),
            (QuestionKind::Unreadable(then), Answer::Replace) => self.save(true, then),
            (QuestionKind::Replacing(files, then), Answer::Replace) => {
                files::save_over(&mut self.files, &mut self.editor, &mut self.dialogs.open, files, then);
            }
            (QuestionKind::Exporting(files), Answer::Replace) => {
                files::copy(&mut self.files, &mut self.editor, files, false);
            }
            (QuestionKind::Export(export), Answer::Replace) => {
                export_dialog::enqueue(&mut self.dialogs.export, &mut self.editor, *export);
            }
            (QuestionKind::Unfinished, Answer::Wait) => {
                let copying = self.files.copying();
                let outcome = export_dialog::quit_when_written(&mut self.dialogs.export, &mut self.editor, copying);
                return self.finish_export(outcome);
            }
            (QuestionKind::Unfinished, Answer::End) => return vec![Effect::Quit(0)],
            _ => {}
        }
        Vec::new()
    }

    /// Passes a key to a text field of the topmost layer. Returns whether a field handled it.
    pub(super) fn type_into_layer(&mut self, key: &KeyEvent) -> bool {
        if self.dialogs.open.is_none() {
            return match self.screens.open.top() {
                Some(Screen::Vaults) => vault_browser::typed(&mut self.screens.vaults, &mut self.editor, key),
                Some(Screen::Gallery) => seed_gallery::typed(&mut self.screens.gallery, &self.editor, key),
                Some(Screen::Compare) | None => false,
            };
        }
        let is_text = self.type_into_dialog(key);
        if is_text {
            self.cancel_files();
        }
        is_text
    }

    fn type_into_dialog(&mut self, key: &KeyEvent) -> bool {
        // The dialog's own keys take precedence over text.
        if self.editor.keymap.find(&self.contexts(), key).is_some() {
            return false;
        }
        let Some(dialog) = self.dialogs.open.as_mut() else {
            return false;
        };
        match dialog {
            Dialog::Export => export_dialog::typed(&mut self.dialogs.export, &mut self.editor, key),
            Dialog::Import => import_dialog::typed(&mut self.dialogs.import, &mut self.editor, key),
            Dialog::New(form) => form.typed(key),
            Dialog::Open(open) => open.typed(&mut self.editor, key),
            Dialog::Form(form) => form.typed(key),
            Dialog::Help(state) => state.typed(key),
            Dialog::Palette(state) => state.typed(key),
            Dialog::Moment(state) => state.prompt.typed(key),
            Dialog::Scatter(state) => state.prompt.typed(key),
            Dialog::Question(_) | Dialog::Recover(_) => false,
        }
    }

    /// Passes pasted text to the topmost layer. Returns which part of the text was cut, if any.
    pub(super) fn paste_into_layer(&mut self, text: &str) -> Option<PasteCut> {
        if self.dialogs.open.is_none() {
            return match self.screens.open.top()? {
                Screen::Vaults => vault_browser::paste(&mut self.screens.vaults, &mut self.editor, text),
                Screen::Gallery => seed_gallery::paste(&mut self.screens.gallery, &self.editor, text),
                Screen::Compare => None,
            };
        }
        self.cancel_files();
        match self.dialogs.open.as_mut() {
            Some(Dialog::Export) => export_dialog::paste(&mut self.dialogs.export, &mut self.editor, text),
            Some(Dialog::Import) => import_dialog::paste(&mut self.dialogs.import, &mut self.editor, text),
            Some(Dialog::Open(open)) => open.paste(&mut self.editor, text),
            Some(Dialog::Form(form)) => form.paste(text),
            Some(Dialog::Help(state)) => state.paste(text),
            Some(Dialog::Palette(state)) => state.paste(text),
            Some(Dialog::Moment(state)) => state.prompt.paste(text),
            Some(Dialog::Scatter(state)) => state.prompt.paste(text),
            Some(Dialog::Question(_) | Dialog::Recover(_) | Dialog::New(_)) | None => None,
        }
    }

    /// Passes a mouse event to the topmost layer; returns `None` if no layer handles it.
    pub(super) fn layer_mouse(&mut self, mouse: MouseEvent) -> Option<Vec<Effect>> {
        if self.dialogs.open.is_some() {
            return Some(self.dialog_mouse(mouse));
        }
        if export_dialog::progress_mouse(&mut self.dialogs.export, &mut self.editor, mouse) {
            return Some(Vec::new());
        }
        match self.screens.open.top()? {
            Screen::Vaults => vault_browser::mouse(&mut self.screens.vaults, &mut self.editor, mouse),
            Screen::Gallery => seed_gallery::mouse(&mut self.screens.gallery, &mut self.editor, mouse),
            Screen::Compare => compare::mouse(&mut self.screens.compare, &mut self.editor, mouse),
        }
        Some(Vec::new())
    }

    fn dialog_mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let editor = &mut self.editor;
        let clicked = match self.dialogs.open.as_mut() {
            Some(Dialog::Export) => {
                export_dialog::mouse(&mut self.dialogs.export, editor, mouse);
                None
            }
            Some(Dialog::Import) => {
                import_dialog::mouse(&mut self.dialogs.import, editor, mouse);
                None
            }
            Some(Dialog::Question(question)) => {
                let action = question.action_at(mouse, editor.screen);
                return action.map_or_else(Vec::new, |action| self.update(action));
            }
            Some(Dialog::Recover(list)) => {
                if let Some(action) = list.action_at(mouse, editor.screen) {
                    return self.update(action);
                }
                list.mouse(editor.screen, mouse)
            }
            Some(Dialog::Open(open)) => open.mouse(editor, mouse),
            Some(Dialog::Palette(state)) => state.mouse(editor, mouse),
            Some(Dialog::Form(form)) => {
                form.mouse(editor.screen, mouse);
                None
            }
            Some(Dialog::New(form)) => {
                form.mouse(editor.screen, mouse);
                None
            }
            Some(Dialog::Help(state)) => {
                if let Some(step) = ListStep::of_wheel(mouse) {
                    state.scroll(step, editor);
                }
                None
            }
            _ => None,
        };
        match clicked {
            Some(ListClick::Accepted) => self.update(Action::Dialog(DialogCommand::Accept)),
            Some(ListClick::Selected) => {
                self.cancel_files();
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    /// Draws the topmost full screen; returns whether there is one.
    pub(super) fn draw_screen(&self, screen: Rect, buf: &mut Buffer) -> bool {
        match self.screens.open.top() {
            Some(Screen::Vaults) => vault_browser::draw(&self.screens.vaults, &self.editor, screen, buf),
            Some(Screen::Gallery) => seed_gallery::draw(&self.screens.gallery, &self.editor, screen, buf),
            Some(Screen::Compare) => compare::draw(&self.screens.compare, &self.editor, screen, buf),
            None => return false,
        }
        true
    }

    /// Draws the dialog, if one is open.
    pub(super) fn draw_dialog(&self, screen: Rect, buf: &mut Buffer) {
        let editor = &self.editor;
        let reading = self.files.opening().map(|name| format!("reading {name} …"));
        match self.dialogs.open.as_ref() {
            Some(Dialog::Help(state)) => state.draw(editor, screen, buf),
            Some(Dialog::Question(question)) => question.draw(editor, screen, buf),
            Some(Dialog::Form(form)) => {
                let saving = || self.files.saving_as_named().map(|name| format!("saving {name} …"));
                form.draw(editor, reading.or_else(saving).as_deref(), screen, buf);
            }
            Some(Dialog::New(form)) => form.draw(editor, screen, buf),
            Some(Dialog::Open(open)) => open.draw(editor, reading, screen, buf),
            Some(Dialog::Recover(list)) => list.draw(editor, screen, buf),
            Some(Dialog::Palette(state)) => state.draw(editor, screen, buf),
            Some(Dialog::Moment(state)) => time::draw_moment(&self.editor, state, screen, buf),
            Some(Dialog::Scatter(state)) => state.draw(editor, screen, buf),
            Some(Dialog::Export) => export_dialog::draw(&self.dialogs.export, editor, screen, buf),
            Some(Dialog::Import) => import_dialog::draw(&self.dialogs.import, editor, screen, buf),
            None => {}
        }
    }
}
