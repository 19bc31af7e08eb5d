//! Replies of jobs. The app passes each reply to the component that requested the job, and handles the replies about
//! the run and the resolved vaults in this module.

use super::app::App;
use super::dialog::Dialog;
use super::{compare, export_dialog, import_dialog, map, metrics, search, seed_gallery, tuning, vault_browser};
use crate::background::{GrowthReply, JobError, JobReply, Ticket};
use crate::document::VaultReply;
use crate::recording::RegrownSegments;
use crate::tui::commands::Effect;

impl App {
    /// Applies resolved vaults and grows the design. A reply to an earlier request is ignored.
    fn handle_vaults(&mut self, ticket: &Ticket, reply: Result<Box<VaultReply>, JobError>) {
        if self.editor.jobs.resolving.as_ref().is_none_or(|job| !job.has(ticket)) {
            return;
        }
        match reply {
            Ok(reply) => {
                self.editor.jobs.resolving = None;
                self.editor.document.store_vaults(*reply);
                self.editor.regrow();
            }
            Err(error) => {
                let text = format!("cannot resolve the vaults: {error}");
                self.editor.fail(text);
            }
        }
    }

    /// Shows the progress of the run. Replies from earlier runs are ignored.
    fn handle_growth(&mut self, ticket: &Ticket, reply: Result<GrowthReply, JobError>) {
        if self.editor.jobs.run.as_ref().is_none_or(|run| !run.has(ticket)) {
            return;
        }
        match reply {
            Ok(GrowthReply::Started { recording, diagnostics }) => {
                self.editor.time.started(*recording);
                if !self.tools.is_previewing() {
                    self.editor.document.note_stage_one(diagnostics);
                }
            }
            Ok(GrowthReply::Grown(chunk)) => self.editor.time.append(chunk),
            Ok(GrowthReply::Finished) => self.editor.time.finished(),
            Ok(GrowthReply::Reproduced(check)) => self.set_reproduction(check),
            Err(error) => {
                self.editor.time.finished();
                let text = format!("growth failed: {error}");
                self.editor.fail(text);
            }
        }
    }

    /// Shows segments of the recording that were regrown.
    fn handle_regrowth(&mut self, ticket: &Ticket, reply: Result<RegrownSegments, JobError>) {
        if self.editor.jobs.regrowth.take_if(|job| job.has(ticket)).is_none() {
            return;
        }
        match reply {
            Ok(segments) => self.editor.time.regrown(segments),
            Err(error) => {
                self.editor.time.regrowth_failed();
                let text = format!("cannot show this moment, because the growth could not be repeated: {error}");
                self.editor.fail(text);
            }
        }
    }

    /// Passes the reply of a job to the component that requested it.
    pub(super) fn handle_reply(&mut self, ticket: &Ticket, reply: JobReply) -> Vec<Effect> {
        match reply {
            JobReply::Story(reply) => self.views.handle_story(ticket, reply),
            JobReply::Counterfactual(reply) => {
                self.views.handle_counterfactual(&mut self.editor, ticket, reply);
            }
            JobReply::Metrics(reply) => self.metrics.handle_reply(ticket, reply),
            JobReply::Scatter(reply) => metrics::handle_squares(&mut self.metrics, &mut self.editor, ticket, reply),
            JobReply::Expectations(reply) => metrics::handle_reply(&mut self.metrics, &mut self.editor, ticket, reply),
            JobReply::Growth(reply) => self.handle_growth(ticket, reply),
            JobReply::Regrowth(reply) => self.handle_regrowth(ticket, reply),
            JobReply::VaultResolution(reply) => self.handle_vaults(ticket, reply),
            JobReply::VaultRuns(reply) => {
                vault_browser::handle_reply(&mut self.screens.vaults, &mut self.editor, ticket, reply);
            }
            JobReply::Search(reply) => search::handle_reply(&mut self.search, &mut self.editor, ticket, reply),
            JobReply::Trials(reply) => tuning::handle_reply(&mut self.tune, &mut self.editor, ticket, reply),
            JobReply::GalleryMetrics(reply) => {
                seed_gallery::handle_metrics(&mut self.screens.gallery, &mut self.editor, ticket, reply);
            }
            JobReply::GalleryPictures(reply) => {
                seed_gallery::handle_pictures(&mut self.screens.gallery, &mut self.editor, ticket, reply);
            }
            JobReply::Atlas(reply) => {
                seed_gallery::handle_atlas(&mut self.screens.gallery, &mut self.editor, ticket, reply);
            }
            JobReply::AtlasFile(reply) => {
                seed_gallery::handle_atlas_file(&mut self.screens.gallery, &mut self.editor, ticket, reply);
            }
            JobReply::Folder(reply) => self.handle_folder(ticket, reply),
            JobReply::Picture(reply) => {
                if let Some(Dialog::Open(open)) = &mut self.dialogs.open {
                    open.handle_picture(&mut self.editor, ticket, reply);
                }
            }
            JobReply::Opening(reply) => return self.handle_opened(ticket, reply),
            JobReply::Reload(reply) => self.handle_check(ticket, reply),
            JobReply::Save(reply) => self.handle_saved(ticket, reply),
            JobReply::Copy(reply) => return self.handle_copied(ticket, reply),
            JobReply::ExportTarget(reply) => {
                let now = (self.dialogs.open.as_ref(), self.files.copying());
                let outcome =
                    export_dialog::handle_target(&mut self.dialogs.export, &mut self.editor, now, ticket, reply);
                return self.finish_export(outcome);
            }
            JobReply::Export(reply) => {
                let copying = self.files.copying();
                let outcome =
                    export_dialog::handle_reply(&mut self.dialogs.export, &mut self.editor, copying, ticket, reply);
                return self.finish_export(outcome);
            }
            JobReply::ExportPreview(reply) => export_dialog::handle_preview(&mut self.dialogs.export, ticket, reply),
            JobReply::Import(reply) => {
                let imported = import_dialog::handle_preview(&mut self.dialogs.import, &mut self.editor, ticket, reply);
                return self.finish_import(imported);
            }
            JobReply::Reimport(reply) => {
                import_dialog::handle_reimport(&mut self.dialogs.import, &mut self.editor, ticket, reply);
            }
            JobReply::WallFrequency(reply) => map::handle_wall_frequency(&mut self.editor, ticket, reply),
            JobReply::Traces(reply) => {
                compare::handle_trace(&mut self.screens.compare, &mut self.editor, ticket, reply);
            }
            JobReply::Comparison(reply) => {
                compare::handle_comparison(&mut self.screens.compare, &mut self.editor, ticket, reply);
            }
        }
        Vec::new()
    }
}
