//! The export queue: one file is written at a time, the others wait. The footer shows the export in progress, which can
//! be cancelled there.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::{report, subject};
use crate::background::{
    ExportPreview, ExportProgress, ExportReply, ExportReport, ExportRequest, ExportTarget, JobError, Ticket,
};
use crate::export::{ExportKind, ExportOptions};
use crate::storage::DesignFiles;
use crate::text::counted;
use crate::text::thousands;
use crate::tui::app::{App, NoticeLevel};
use crate::tui::commands::Effect;
use crate::tui::dialog::{Dialog, Question};
use crate::tui::editor::Editor;
use crate::tui::files::{self, AfterSave};
use crate::tui::jobs::JobHandle;
use crate::tui::widget::text::shortened;

/// Columns of the footer's progress bar, and the maximum of the file name before it.
const BAR: usize = 12;
const NAME: usize = 24;

/// The last export, for repeating it.
#[derive(Debug, Clone)]
pub(super) enum LastExport {
    /// A dungeon.
    Dungeon {
        kind: ExportKind,
        options: ExportOptions,
        at_end: bool,
        to: PathBuf,
    },
    /// The design.
    Design(DesignFiles),
}

/// The export in progress and those waiting.
#[derive(Debug, Default)]
pub(super) struct ExportQueue {
    now: Option<JobHandle<CurrentExport>>,
    waiting: VecDeque<ExportRequest>,
    /// Whether to quit when all exports are written.
    leaves: bool,
}

/// The export in progress.
#[derive(Debug)]
struct CurrentExport {
    to: PathBuf,
    progress: Option<ExportProgress>,
}

impl ExportQueue {
    /// Starts the next export, unless one is in progress.
    fn next(&mut self, editor: &mut Editor) {
        if self.now.is_none()
            && let Some(export) = self.waiting.pop_front()
        {
            let current = CurrentExport {
                to: export.to.clone(),
                progress: None,
            };
            self.now = Some(editor.start(export, current));
        }
    }
}

/// Describes what is not written yet; `None` if nothing is pending.
fn under_way(app: &App) -> Option<String> {
    let share = &app.export;
    let Some(now) = &share.queue.now else {
        let located = || {
            share
                .locating
                .as_ref()
                .map(|locating| name(&locating.purpose.export.to))
        };
        return app.files.copying().or_else(located);
    };
    Some(match share.queue.waiting.len() {
        0 => name(&now.purpose.to),
        1 => format!("{}, with another one after it,", name(&now.purpose.to)),
        more => format!("{}, with {more} others after it,", name(&now.purpose.to)),
    })
}

/// Queues the export of a dungeon.
pub(in crate::tui) fn order(app: &mut App, export: ExportRequest) -> Vec<Effect> {
    let share = &mut app.export;
    let at_end = export.turn.is_none() && share.form.at_end;
    share.last = Some(LastExport::Dungeon {
        kind: export.kind,
        options: export.options.clone(),
        at_end,
        to: export.to.clone(),
    });
    let name = name(&export.to);
    // A second export to the same file replaces the one waiting.
    share.queue.waiting.retain(|waiting| waiting.to != export.to);
    share.queue.waiting.push_back(export);
    if let Some(now) = &share.queue.now {
        let text = format!("{name} is written after {}", self::name(&now.purpose.to));
        app.editor.say(NoticeLevel::Done, text);
    } else {
        app.editor.notice = None;
    }
    app.export.queue.next(&mut app.editor);
    Vec::new()
}

/// Repeats the last export with what the screen shows now, over the same file.
pub(super) fn again(app: &mut App) -> Vec<Effect> {
    let Some(last) = app.export.last.clone() else {
        return report(
            app,
            NoticeLevel::Warning,
            "nothing was exported yet: P opens the dialog",
        );
    };
    match last {
        LastExport::Design(named) => {
            files::copy(&mut app.files, &mut app.editor, named, false);
            Vec::new()
        }
        LastExport::Dungeon {
            kind,
            options,
            at_end,
            to,
        } => match subject(app) {
            None => report(app, NoticeLevel::Warning, "nothing has grown yet"),
            Some(subject) => {
                let export = subject.export(kind, options, at_end, &to);
                // A design at that path may have been opened since.
                let site = ExportTarget {
                    kind,
                    typed: to.clone(),
                    inside: to.clone(),
                    file: Ok(to),
                    again: true,
                    own: app.editor.document.watched(),
                };
                app.export.again_at_end = at_end;
                super::locate(app, site, export, false)
            }
        },
    }
}

/// Queues the repeated export without changing the dialog's choices.
pub(super) fn order_again(app: &mut App, export: ExportRequest) -> Vec<Effect> {
    let at_end = std::mem::replace(&mut app.export.form.at_end, app.export.again_at_end);
    let effects = order(app, export);
    app.export.form.at_end = at_end;
    effects
}

/// Cancels the export in progress; the next one starts.
pub(super) fn end(app: &mut App) -> Vec<Effect> {
    let queue = &mut app.export.queue;
    let Some(now) = queue.now.take() else {
        return report(app, NoticeLevel::Warning, "nothing is being exported");
    };
    queue.leaves = false;
    queue.next(&mut app.editor);
    app.editor.say(
        NoticeLevel::Warning,
        format!("ended: {} was not written", name(&now.purpose.to)),
    );
    Vec::new()
}

/// Quits, or asks first if something is being written.
pub(in crate::tui) fn leave(app: &mut App) -> Vec<Effect> {
    app.export.queue.leaves = false;
    let Some(what) = under_way(app) else {
        return vec![Effect::Quit(0)];
    };
    app.dialog = Some(Dialog::Question(Question::unfinished(&what)));
    Vec::new()
}

/// Quits once everything is written.
pub(in crate::tui) fn leave_later(app: &mut App) -> Vec<Effect> {
    // The export may have finished while the question was open.
    if under_way(app).is_none() {
        return app.leave(AfterSave::Quit);
    }
    app.export.queue.leaves = true;
    report(app, NoticeLevel::Done, "leaves when it is written")
}

/// Handles the preview of an export.
pub(in crate::tui) fn handle_preview(
    app: &mut App,
    ticket: &Ticket,
    reply: Result<Result<Box<ExportPreview>, String>, JobError>,
) {
    let form = &mut app.export.form;
    if let Some(job) = form.awaited.take_if(|job| job.has(ticket)) {
        let preview = reply.unwrap_or_else(|error| Err(error.to_string()));
        form.sample = Some((job.purpose, preview));
    }
}

/// Handles a reply of the export in progress, or the end of one that was complete before it was cancelled.
pub(in crate::tui) fn handle_reply(
    app: &mut App,
    ticket: &Ticket,
    reply: Result<ExportReply, JobError>,
) -> Vec<Effect> {
    let queue = &mut app.export.queue;
    let written = match reply {
        Ok(ExportReply::Going(progress)) => {
            if let Some(now) = queue.now.as_mut().filter(|now| now.has(ticket)) {
                now.purpose.progress = Some(progress);
            }
            return Vec::new();
        }
        Ok(ExportReply::Over(written)) => written,
        Err(error) => Err(error.to_string()),
    };
    let ours = queue.now.take_if(|now| now.has(ticket));
    if ours.is_none() && written.is_err() {
        return Vec::new();
    }
    let is_well = written.is_ok();
    match (written, ours) {
        // A file that was complete before it was cancelled exists as well.
        (Ok(delivery), _) => match &delivery.warning {
            None => app.editor.say(NoticeLevel::Done, description(&delivery)),
            Some(why) => app
                .editor
                .say(NoticeLevel::Warning, format!("{}, but {why}", description(&delivery))),
        },
        (Err(why), Some(now)) => {
            let text = format!("{} was not written: {why}", name(&now.purpose.to));
            app.editor.say(NoticeLevel::Error, text);
        }
        (Err(_), None) => {}
    }
    let queue = &mut app.export.queue;
    queue.leaves &= is_well;
    queue.next(&mut app.editor);
    if queue.now.is_some() {
        return Vec::new();
    }
    settled(app, true)
}

/// Quits if that was requested and nothing is pending; a failed export cancels the request.
pub(in crate::tui) fn settled(app: &mut App, is_well: bool) -> Vec<Effect> {
    app.export.queue.leaves &= is_well;
    if !app.export.queue.leaves || under_way(app).is_some() {
        return Vec::new();
    }
    app.export.queue.leaves = false;
    app.leave(AfterSave::Quit)
}

/// Describes what was written: names, sizes and the folder.
fn description(delivery: &ExportReport) -> String {
    let beside = delivery.beside.as_ref();
    let beside = beside.map_or_else(String::new, |(path, size)| {
        format!(", and {} ({})", name(path), bytes(*size))
    });
    let folder = delivery.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(String::new, |folder| format!(", in {}", folder.display()));
    format!(
        "written: {} ({}){beside}{folder}",
        name(&delivery.path),
        bytes(delivery.bytes)
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

/// The sign in the footer that cancels the export on a click.
const END: &str = "×";

/// Returns the footer's texts for the export in progress: name, bar and percentage.
fn words(app: &App) -> Option<[String; 3]> {
    let queue = &app.export.queue;
    let now = queue.now.as_ref()?;
    let more = match queue.waiting.len() {
        0 => String::new(),
        more => format!(" +{more}"),
    };
    let (bar, share) = match now.purpose.progress {
        None => (0, "begins".to_owned()),
        Some(ExportProgress::Growing(turns)) => (0, format!("turn {}", thousands(turns))),
        Some(ExportProgress::Writing(done, all)) => {
            let percent = u128::from(done) * 100 / u128::from(all.max(1));
            (percent as usize * BAR / 100, format!("{percent:>3} %"))
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
pub(in crate::tui) fn foot(app: &App) -> Line<'static> {
    let theme = app.editor.theme;
    let Some([name, bar, share]) = words(app) else {
        return Line::default();
    };
    Line::from(vec![
        Span::styled(name, theme.text()),
        Span::styled(bar, theme.accent()),
        Span::styled(share, theme.quiet()),
        Span::styled(END, theme.warning()),
        Span::raw("   "),
    ])
}

/// Cancels the export in progress on a click on its sign; `None` if the click is elsewhere.
pub(in crate::tui) fn foot_mouse(app: &mut App, mouse: MouseEvent) -> Option<Vec<Effect>> {
    let foot = app.editor.areas.foot;
    let words = words(app).filter(|_| mouse.row == foot.y && !foot.is_empty())?;
    let width: usize = words.iter().map(|word| word.width()).sum();
    let sign = usize::from(foot.x) + 1 + width;
    let hits = mouse.kind == MouseEventKind::Down(MouseButton::Left) && usize::from(mouse.column) == sign;
    hits.then(|| end(app))
}
