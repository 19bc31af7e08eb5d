//! How the app handles the open design's files: commands, questions before the design is closed, and updates to
//! other parts after a read or write.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::app::App;
use super::dialog::{Dialog, FormPurpose, OpenFilter, Question, RecoverDialog};
use super::editor::AfterSave;
use super::files;
use super::files::{CheckedFiles, Copied, Opened};
use super::import_dialog::ImportPurpose;
use super::tuning::{self, LearnExamples};
use super::{compare, export_dialog, import_dialog, panels, recovery, vault_browser};
use crate::background::{JobError, ReadReply, Ticket};
use crate::design::MemoryUse;
use crate::document::{Document, DungeonCode, Saved, available_memory};
use crate::storage::{RecoverableWork, move_level_files};
use crate::tui::commands::{DesignPart, Effect, FileCommand};
use crate::tui::screens::Screen;

impl App {
    /// Ends typing in the panels, and then runs a command for files. Does not run the command if the text is rejected.
    pub(super) fn file_command(&mut self, command: FileCommand) -> Vec<Effect> {
        if !panels::end_typing(&mut self.panels, &mut self.editor) {
            return Vec::new();
        }
        match command {
            FileCommand::Save => self.save(false, AfterSave::Stay),
            FileCommand::SaveAs => {
                let purpose = FormPurpose::SaveAs(AfterSave::Stay);
                self.dialogs.open = Some(Dialog::form(purpose, &self.editor.document));
            }
            FileCommand::Export => self.show_export(),
            FileCommand::New => self.dialogs.open = Some(Dialog::New(Box::default())),
            FileCommand::Open => self.show_designs(OpenFilter::All),
            FileCommand::Presets => self.show_designs(OpenFilter::Presets),
            FileCommand::Recover => self.recovery.search(&mut self.editor),
            FileCommand::Quit => return self.run_when_safe(AfterSave::Quit),
        }
        Vec::new()
    }

    /// Opens the design of a pasted dungeon code, after asking about unsaved changes.
    pub(super) fn open_code(&mut self, text: &str) -> Vec<Effect> {
        match DungeonCode::read(text) {
            Ok(code) => {
                let document = Document::of_code(code, available_memory(MemoryUse::Showing));
                self.run_when_safe(AfterSave::Open(Box::new(document)))
            }
            Err(error) => {
                self.editor.fail(format!("cannot open the pasted code: {error}"));
                Vec::new()
            }
        }
    }

    /// Saves the design to its files, and runs `then` on success. With `replace`, overwrites what another program
    /// wrote.
    pub(super) fn save(&mut self, replace: bool, then: AfterSave) {
        files::save(&mut self.files, &mut self.editor, &mut self.dialogs.open, replace, then);
    }

    /// Runs `then`, or asks first if there are unsaved changes or a save in progress.
    pub(super) fn run_when_safe(&mut self, then: AfterSave) -> Vec<Effect> {
        // While the comparison is open, the chosen design is compared with the open design and does not replace it.
        let then = match then {
            AfterSave::Open(document) if self.screens.open.top() == Some(Screen::Compare) => {
                self.dialogs.open = None;
                compare::with(&mut self.screens.compare, &mut self.editor, document);
                return Vec::new();
            }
            then => then,
        };
        if self.files.saving().is_some() && !matches!(then, AfterSave::Stay) {
            files::wait(&self.files, &self.editor, &mut self.dialogs.open, then);
            return Vec::new();
        }
        if self.editor.document.is_dirty() {
            let title = self.editor.document.title();
            self.dialogs.open = Some(Dialog::Question(Question::leaving(&title, then)));
            return Vec::new();
        }
        self.follow(then)
    }

    /// Runs `then` regardless of unsaved changes.
    pub(super) fn follow(&mut self, then: AfterSave) -> Vec<Effect> {
        match then {
            AfterSave::Stay => Vec::new(),
            AfterSave::Quit => {
                let outcome = export_dialog::quit(&mut self.dialogs.export, self.files.copying());
                self.finish_export(Some(outcome))
            }
            AfterSave::Open(document) => {
                let effects = self.open(*document);
                // The files may have changed since the document was read, so they are checked.
                files::request_check(&mut self.files, false);
                effects
            }
            AfterSave::Recover(work) => self.open_recovered(*work),
        }
    }

    /// Cancels the reads and writes that the dialog on the screen waits for.
    pub(super) fn cancel_files(&mut self) {
        self.files.cancel_opening();
        files::cancel_named(&mut self.files);
        self.dialogs.export.cancel();
    }

    /// Opens recoverable work, after asking about unsaved changes. Shows a note if the work cannot be read.
    pub(super) fn accept_recovered(&mut self, work: RecoverableWork) -> Vec<Effect> {
        if let Some(why) = recovery::why_unrecoverable(&work) {
            self.dialogs.open = Some(Dialog::Question(Question::note("Not recovered", why)));
            return Vec::new();
        }
        self.run_when_safe(AfterSave::Recover(Box::new(work)))
    }

    fn open_recovered(&mut self, work: RecoverableWork) -> Vec<Effect> {
        let Some((slot, document)) = recovery::document(work) else {
            return Vec::new();
        };
        let mut effects = vec![Effect::Adopt(Arc::new(slot))];
        effects.extend(self.open(document));
        if self.editor.document.valid().is_some() {
            let text = recovery::notice(&self.editor.document);
            self.editor.done(text);
        }
        effects
    }

    /// Opens the conflict question or the list of recoverable work if one of them is waiting, unless a dialog is open or
    /// the user is dragging or typing.
    pub(super) fn offer_waiting(&mut self) {
        let is_busy = self.is_busy();
        files::ask_conflict(&mut self.editor, &mut self.dialogs.open, is_busy);
        if !is_busy
            && self.dialogs.open.is_none()
            && let Some(found) = self.recovery.take()
        {
            self.dialogs.open = Some(Dialog::Recover(RecoverDialog::new(found)));
        }
    }

    /// Handles the reply about a file to be opened.
    pub(super) fn handle_opened(&mut self, ticket: &Ticket, reply: Result<Box<ReadReply>, JobError>) -> Vec<Effect> {
        match files::handle_opened(&mut self.files, ticket, reply) {
            None => Vec::new(),
            Some(Opened::Drawing(path)) => self.open_drawing(&path),
            Some(Opened::Listed) => self.open_listed(),
            Some(Opened::Design(document)) => self.open_or_combine(document),
            Some(Opened::Failed(why)) => {
                self.not_opened(why);
                Vec::new()
            }
        }
    }

    /// Uses a design that was chosen in the dialog for opening designs: opens it, copies a part of it into the open
    /// design, or begins a search for parameter values whose dungeons are like those of the chosen design.
    pub(super) fn open_or_combine(&mut self, document: Box<Document>) -> Vec<Effect> {
        let filter = self.open_filter();
        if filter == OpenFilter::Drawings {
            let why = format!("`{}` is a design; choose a drawing to import", document.title());
            self.not_opened(why);
            return Vec::new();
        }
        let Some(part) = self.dialogs.open.take().and_then(|dialog| dialog.part()) else {
            if filter == OpenFilter::Examples {
                let examples = LearnExamples::of_design(&document);
                tuning::learn(&mut self.tune, &mut self.editor, examples);
                return Vec::new();
            }
            return self.run_when_safe(AfterSave::Open(document));
        };
        let (mut other, title) = (document.design().clone(), document.title());
        match part {
            DesignPart::Stats => self.editor.edit(format!("stats of {title}"), |design| {
                design.character = other.character;
                design.constants = other.constants;
            }),
            DesignPart::Layout => {
                move_level_files(&mut other, &document.folder(), &self.editor.document.folder());
                self.editor
                    .edit(format!("rooms of {title}"), |design| design.layout = other.layout);
            }
        }
        Vec::new()
    }

    /// Returns the purpose for which the user is choosing a design or a drawing; [`OpenFilter::All`] if the screen
    /// shows no dialog for that.
    pub(super) fn open_filter(&self) -> OpenFilter {
        self.dialogs
            .open
            .as_ref()
            .and_then(Dialog::filter)
            .unwrap_or(OpenFilter::All)
    }

    /// Opens the import dialog for a drawing that was chosen in the dialog for opening designs.
    pub(super) fn open_drawing(&mut self, path: &Path) -> Vec<Effect> {
        self.show_import(
            path,
            match self.open_filter() {
                OpenFilter::All | OpenFilter::Presets | OpenFilter::Compared => ImportPurpose::Design,
                OpenFilter::Drawings => ImportPurpose::Tiles,
                OpenFilter::Examples => ImportPurpose::Example,
            },
        );
        Vec::new()
    }

    /// Learns from the seeds chosen in the seed gallery.
    pub(super) fn learn_from_seeds(&mut self) {
        let seeds = self.screens.gallery.chosen();
        let name = match seeds[..] {
            [] => return,
            [seed] => format!("seed {seed}"),
            _ => format!("{} marked dungeons", seeds.len()),
        };
        let examples = LearnExamples::of_seeds(name, self.editor.document.seeded(), seeds);
        tuning::learn(&mut self.tune, &mut self.editor, examples);
    }

    /// Handles the reply with the contents of the open files: reloads them, and updates the parts that depend on them.
    pub(super) fn handle_check(&mut self, ticket: &Ticket, reply: Result<Box<ReadReply>, JobError>) {
        let checked = files::handle_check(&mut self.files, &mut self.editor, &mut self.dialogs.open, ticket, reply);
        let Some(CheckedFiles {
            levels,
            is_other_level,
            is_broken,
        }) = checked
        else {
            return;
        };
        if is_other_level {
            // The gallery comes last, so that its warning about an atlas replaces the warning from `tuning`, which is
            // less important.
            tuning::forget(&mut self.tune, &mut self.editor);
            self.editor.map.frequency.forget();
            self.screens.gallery.forget(&mut self.editor);
        }
        if is_broken {
            self.panels.show_problems(&mut self.editor);
        } else if !self.editor.document.has_broken_files() {
            self.panels.leave_problems(&mut self.editor);
        }
        vault_browser::reload(&mut self.screens.vaults, &mut self.editor, &levels);
    }

    /// Handles the result of a save.
    pub(super) fn handle_saved(&mut self, ticket: &Ticket, saved: Result<Box<Saved>, JobError>) {
        let is_busy = self.is_busy();
        let dialog = &mut self.dialogs.open;
        files::handle_saved(&mut self.files, &mut self.editor, dialog, is_busy, ticket, saved);
    }

    /// Handles the result of a copy.
    pub(super) fn handle_copied(&mut self, ticket: &Ticket, saved: Result<Box<Saved>, JobError>) -> Vec<Effect> {
        let is_busy = self.is_busy();
        let dialog = &mut self.dialogs.open;
        let copied = files::handle_copied(&mut self.files, &mut self.editor, dialog, is_busy, ticket, saved);
        if let Some(copied) = &copied {
            let is_written = matches!(copied, Copied::Written(..));
            self.dialogs.export.record_copy(is_written);
        }
        match copied {
            Some(Copied::Written(named, is_whole)) => {
                self.dialogs.export.copied(named);
                return self.finish_copy(is_whole);
            }
            Some(Copied::Failed) => return self.finish_copy(false),
            Some(Copied::Rejected(why)) => self.dialogs.export.reject(why),
            Some(Copied::Asking) => self.dialogs.export.cancel_preview(),
            None => {}
        }
        Vec::new()
    }

    /// Quits after a copy if the user requested that and nothing is left to write. If `is_well` is false, stays open,
    /// because the user should read the message about the copy.
    fn finish_copy(&mut self, is_well: bool) -> Vec<Effect> {
        let outcome = export_dialog::quit_if_written(&mut self.dialogs.export, self.files.copying(), is_well);
        self.finish_export(outcome)
    }

    /// Returns the effect that watches every file in use: the files of the design, its drawings, the files of the vault
    /// browser, and the settings file.
    pub(super) fn watched(&self) -> Effect {
        let mut files = self.editor.document.watched();
        let drawings = self.editor.document.sources().iter().map(|source| source.path.clone());
        for file in self
            .screens
            .vaults
            .files()
            .chain(drawings)
            .chain(self.editor.configured.path.clone())
        {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        Effect::Watch(files)
    }

    /// Requests that the watched files are read again; their contents arrive later as messages.
    pub(super) fn reload_watched(&mut self, changed: &[PathBuf]) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !changed.is_empty() {
            // Folders that were missing when watching began may exist now, so all files are watched again. This happens
            // before they are read, so that any change after the read is noticed.
            self.editor.watch();
        }
        files::request_check(&mut self.files, !changed.is_empty());
        import_dialog::check(&mut self.dialogs.import, &mut self.editor);
        if self
            .editor
            .configured
            .path
            .as_ref()
            .is_some_and(|path| changed.contains(path))
        {
            effects.push(Effect::Configure);
        }
        effects
    }

    /// Requests that all watched files are read again, because changes made just before watching began may have been
    /// missed.
    pub(super) fn reload_all_watched(&mut self) -> Vec<Effect> {
        files::request_check(&mut self.files, false);
        let mut effects = Vec::new();
        import_dialog::check(&mut self.dialogs.import, &mut self.editor);
        if self.editor.configured.path.is_some() {
            effects.push(Effect::Configure);
        }
        effects
    }
}
