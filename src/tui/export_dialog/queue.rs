//! The export queue: one export is written at a time, while the others wait. The footer shows the export in progress,
//! with a symbol that cancels it when clicked.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crossterm::event::MouseEvent;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::{ExportOutcome, ExportState, subject};
use crate::background::{
    ExportPreview, ExportProgress, ExportReply, ExportReport, ExportRequest, ExportTarget, JobError, Ticket, files_of,
};
use crate::export::{ExportKind, ExportOptions};
use crate::storage::{DesignFiles, is_same_path};
use crate::text::counted;
use crate::text::thousands;
use crate::tui::commands::{Action, FileCommand};
use crate::tui::dialog::Question;
use crate::tui::editor::Editor;
use crate::tui::jobs::JobHandle;
use crate::tui::theme::Theme;
use crate::tui::widget::mouse::click;
use crate::tui::widget::text::shortened;

/// Width in columns of the footer's progress bar, and maximum width of the file name before it.
const BAR: usize = 12;
const NAME: usize = 24;

/// The last export of this session, which the user can repeat.
#[derive(Debug, Clone)]
pub(super) enum LastExport {
    Dungeon {
        kind: ExportKind,
        options: ExportOptions,
        at_end: bool,
        to: PathBuf,
    },
    Design(DesignFiles),
}

/// The export in progress, and the exports that wait for it.
#[derive(Debug, Default)]
pub(super) struct ExportQueue {
    now: Option<JobHandle<CurrentExport>>,
    waiting: VecDeque<ExportRequest>,
    /// Whether to quit once all exports are written.
    quits: bool,
    /// Whether the last export or copy of the design failed.
    pub(super) has_failed: bool,
}

/// The export in progress.
#[derive(Debug)]
struct CurrentExport {
    kind: ExportKind,
    to: PathBuf,
    progress: Option<ExportProgress>,
}

impl ExportQueue {
    /// Returns the files that are being written or wait to be written.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let now = self.now.iter().map(|now| (now.purpose.kind, &now.purpose.to));
        let waiting = self.waiting.iter().map(|export| (export.kind, &export.to));
        let files = now.chain(waiting).flat_map(|(kind, to)| files_of(kind, to));
        files.map(|(path, _)| path).collect()
    }

    /// Returns why the design cannot be saved to these files: an export to one of them is not written yet, and would
    /// replace the design. `None` if there is no such export.
    pub(super) fn conflict(&self, named: &DesignFiles) -> Option<String> {
        let exported = self.files();
        let paths = named.paths();
        let taken = paths
            .iter()
            .find(|path| exported.iter().any(|other| is_same_path(other, path)))?;
        Some(format!(
            "an export to {} is not written yet; wait for it or cancel it, or choose another name",
            name(taken)
        ))
    }

    /// Starts the next export, unless one is in progress.
    fn start_next(&mut self, editor: &mut Editor) {
        if self.now.is_none()
            && let Some(export) = self.waiting.pop_front()
        {
            let current = CurrentExport {
                kind: export.kind,
                to: export.to.clone(),
                progress: None,
            };
            self.now = Some(editor.start(export, current));
        }
    }
}

/// Describes the files that are not written yet; `None` if nothing is pending. `copying` is the name of the file to
/// which the design is being copied, if any.
pub(in crate::tui) fn unwritten(state: &ExportState, copying: Option<String>) -> Option<String> {
    let Some(now) = &state.queue.now else {
        let located = || {
            let resolving = state.resolving.as_ref()?;
            Some(name(&resolving.purpose.export.to))
        };
        return copying.or_else(located);
    };
    Some(match state.queue.waiting.len() {
        0 => name(&now.purpose.to),
        1 => format!("{} (and one more file after it)", name(&now.purpose.to)),
        more => format!("{} (and {more} more files after it)", name(&now.purpose.to)),
    })
}

/// Queues the export of a dungeon.
pub(in crate::tui) fn enqueue(state: &mut ExportState, editor: &mut Editor, export: ExportRequest) {
    let at_end = export.turn.is_none() && state.at_end;
    state.last = Some(LastExport::Dungeon {
        kind: export.kind,
        options: export.options.clone(),
        at_end,
        to: export.to.clone(),
    });
    state.queue.has_failed = false;
    let name = name(&export.to);
    // The new export replaces a waiting export to the same file.
    state.queue.waiting.retain(|waiting| waiting.to != export.to);
    state.queue.waiting.push_back(export);
    if let Some(now) = &state.queue.now {
        let text = format!("{name} will be written after {}", self::name(&now.purpose.to));
        editor.done(text);
    } else {
        editor.status.notice = None;
    }
    state.queue.start_next(editor);
}

/// Repeats the last export with the dungeon now on the screen, and overwrites the same file.
pub(super) fn again(state: &mut ExportState, editor: &mut Editor) -> Option<ExportOutcome> {
    match state.last.clone() {
        None => {
            let key = editor.keymap.key_of(Action::File(FileCommand::Export));
            editor.warn(format!("nothing exported yet: {key} opens the export dialog"));
        }
        Some(LastExport::Design(named)) => return Some(ExportOutcome::Copy(named, false)),
        Some(LastExport::Dungeon {
            kind,
            options,
            at_end,
            to,
        }) => match subject(editor) {
            None => editor.warn("nothing has grown yet"),
            Some(subject) => {
                let export = subject.export(kind, options, at_end, &to);
                // Checks the path again, as the user may have opened a design from it since the export.
                let target = ExportTarget {
                    kind,
                    typed: to.clone(),
                    inside: to.clone(),
                    file: Ok(to),
                    again: true,
                    own: editor.document.watched(),
                    unwritten: Vec::new(),
                };
                state.at_end = at_end;
                super::resolve_target(state, editor, target, export, false);
            }
        },
    }
    None
}

/// Cancels the export in progress, and starts the next waiting export.
pub(super) fn cancel_current(state: &mut ExportState, editor: &mut Editor) {
    let queue = &mut state.queue;
    let Some(now) = queue.now.take() else {
        return editor.warn("nothing is being exported");
    };
    queue.quits = false;
    queue.start_next(editor);
    editor.warn(format!("export cancelled: {} was not written", name(&now.purpose.to)));
}

/// Quits, or asks first if a file is being written. `copying` is the name of the file to which the design is being
/// copied, if any.
pub(in crate::tui) fn quit(state: &mut ExportState, copying: Option<String>) -> ExportOutcome {
    state.queue.quits = false;
    match unwritten(state, copying) {
        Some(what) => ExportOutcome::Ask(Question::unfinished(&what)),
        None => ExportOutcome::Quit,
    }
}

/// Quits once all exports and copies are written.
pub(in crate::tui) fn quit_when_written(
    state: &mut ExportState,
    editor: &mut Editor,
    copying: Option<String>,
) -> Option<ExportOutcome> {
    // Leaves now if the export finished while the question was open.
    if unwritten(state, copying).is_none() {
        return Some(ExportOutcome::Leave);
    }
    state.queue.quits = true;
    editor.done("the designer quits when the export is written");
    None
}

/// Handles the preview of an export.
pub(in crate::tui) fn handle_preview(
    state: &mut ExportState,
    ticket: &Ticket,
    reply: Result<Result<Box<ExportPreview>, String>, JobError>,
) {
    let form = &mut state.form;
    if let Some(job) = form.awaited.take_if(|job| job.has(ticket)) {
        let preview = reply.unwrap_or_else(|error| Err(error.to_string()));
        form.sample = Some((job.purpose, preview));
    }
}

/// Handles a reply about the export in progress. Also reports an export that was already complete when it was
/// cancelled.
pub(in crate::tui) fn handle_reply(
    state: &mut ExportState,
    editor: &mut Editor,
    copying: Option<String>,
    ticket: &Ticket,
    reply: Result<ExportReply, JobError>,
) -> Option<ExportOutcome> {
    let queue = &mut state.queue;
    let written = match reply {
        Ok(ExportReply::Going(progress)) => {
            if let Some(now) = queue.now.as_mut().filter(|now| now.has(ticket)) {
                now.purpose.progress = Some(progress);
            }
            return None;
        }
        Ok(ExportReply::Over(written)) => written.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let ours = queue.now.take_if(|now| now.has(ticket));
    if ours.is_none() && written.is_err() {
        return None;
    }
    let is_well = written.is_ok();
    match (written, ours) {
        // Also reports a cancelled export whose file was already complete, because that file exists.
        (Ok(report), _) => match &report.warning {
            None => editor.done(describe(&report)),
            Some(why) => editor.warn(format!("{}, but {why}", describe(&report))),
        },
        (Err(why), Some(now)) => {
            let text = format!("{} was not written: {why}", name(&now.purpose.to));
            editor.fail(text);
            queue.has_failed = true;
        }
        (Err(_), None) => {}
    }
    queue.quits &= is_well;
    queue.start_next(editor);
    if queue.now.is_some() {
        return None;
    }
    quit_if_written(state, copying, true)
}

/// Quits if the user requested that and nothing is pending. If the last export failed (`is_well` is false), cancels the
/// user's request to quit.
pub(in crate::tui) fn quit_if_written(
    state: &mut ExportState,
    copying: Option<String>,
    is_well: bool,
) -> Option<ExportOutcome> {
    state.queue.quits &= is_well;
    if !state.queue.quits || unwritten(state, copying).is_some() {
        return None;
    }
    state.queue.quits = false;
    Some(ExportOutcome::Leave)
}

/// Describes what was written: the names and sizes of the files, and their folder.
fn describe(report: &ExportReport) -> String {
    let beside = report.beside.as_ref();
    let beside = beside.map_or_else(String::new, |(path, size)| {
        format!(", and {} ({})", name(path), bytes(*size))
    });
    let folder = report.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(String::new, |folder| format!(", in {}", folder.display()));
    format!(
        "written: {} ({}){beside}{folder}",
        name(&report.path),
        bytes(report.bytes)
    )
}

/// Returns a path's file name.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Formats a number of bytes with its unit (decimal kB or MB).
pub(super) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => counted(bytes, "byte"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", thousands(bytes / 1_000_000), bytes % 1_000_000 / 100_000),
    }
}

/// The symbol in the footer that cancels the export when clicked.
const CANCEL_SIGN: &str = "×";

/// Returns the footer's texts for the export in progress: file name, progress bar, and percentage or turn.
fn progress_texts(queue: &ExportQueue) -> Option<[String; 3]> {
    let now = queue.now.as_ref()?;
    let more = match queue.waiting.len() {
        0 => String::new(),
        more => format!(" +{more}"),
    };
    let (bar, share) = match now.purpose.progress {
        None => (0, "starting".to_owned()),
        Some(ExportProgress::Growing(turns)) => (0, format!("turn {}", thousands(turns))),
        Some(ExportProgress::Writing(done, all)) => {
            let percent = u128::from(done) * 100 / u128::from(all.max(1));
            (percent as usize * BAR / 100, format!("{percent:>3}%"))
        }
    };
    let bar = bar.min(BAR);
    Some([
        format!("{}{more} ", shortened(&name(&now.purpose.to), NAME)),
        format!("{}{}", "█".repeat(bar), "░".repeat(BAR - bar)),
        format!(" {share} "),
    ])
}

/// Returns the footer line of the export in progress.
pub(in crate::tui) fn progress_line(state: &ExportState, theme: Theme) -> Line<'static> {
    let Some([name, bar, share]) = progress_texts(&state.queue) else {
        return Line::default();
    };
    Line::from(vec![
        Span::styled(name, theme.text()),
        Span::styled(bar, theme.accent()),
        Span::styled(share, theme.quiet()),
        Span::styled(CANCEL_SIGN, theme.warning()),
        Span::raw("   "),
    ])
}

/// Cancels the export in progress if the cancel symbol in the footer was clicked. Returns whether it was clicked.
pub(in crate::tui) fn progress_mouse(state: &mut ExportState, editor: &mut Editor, mouse: MouseEvent) -> bool {
    let foot = editor.areas.foot;
    let Some(texts) = progress_texts(&state.queue).filter(|_| mouse.row == foot.y && !foot.is_empty()) else {
        return false;
    };
    let width: usize = texts.iter().map(|text| text.width()).sum();
    let sign = usize::from(foot.x) + 1 + width;
    let hits = click(mouse).is_some_and(|at| usize::from(at.x) == sign);
    if hits {
        cancel_current(state, editor);
    }
    hits
}
