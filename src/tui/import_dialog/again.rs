//! Re-import of the open design's drawings: files that change are examined, offered in the footer, and imported again
//! on request, as one undo step.

use std::sync::Arc;

use crate::background::{JobError, ReimportReply, ReimportRequest, Ticket};
use crate::text::counted;
use crate::tui::app::{App, NoticeLevel};
use crate::tui::commands::{Action, Effect, ImportCommand};
use crate::tui::jobs::JobHandle;
use crate::tui::keymap;

/// State of re-imports.
#[derive(Debug, Default)]
pub(super) struct ReimportState {
    /// The request in progress, and whether its result is applied at once.
    looking: Option<JobHandle<bool>>,
    /// The offer shown in the footer, until it is dismissed or outdated.
    offered: Option<String>,
}

/// Checks whether the design's drawings have changed.
pub(in crate::tui) fn look(app: &mut App) -> Vec<Effect> {
    if app.editor.document.sources().is_empty() {
        return Vec::new();
    }
    let takes = app.import.again.looking.as_ref().is_some_and(|job| job.purpose);
    ask(app, takes)
}

/// Imports the design's drawings again.
pub(super) fn again(app: &mut App) -> Vec<Effect> {
    if app.editor.document.sources().is_empty() {
        app.editor.say(
            NoticeLevel::Warning,
            "this design has no drawing that was taken since it was opened",
        );
        return Vec::new();
    }
    ask(app, true)
}

fn ask(app: &mut App, takes: bool) -> Vec<Effect> {
    let request = ReimportRequest {
        design: app.editor.document.shared(),
        sources: app.editor.document.sources().to_vec(),
        only_new: !takes,
    };
    app.import.again.looking = Some(app.editor.start(request, takes));
    Vec::new()
}

/// Handles the result of examining the drawings.
pub(in crate::tui) fn handle_reply(
    app: &mut App,
    ticket: &Ticket,
    reply: Result<Box<ReimportReply>, JobError>,
) -> Vec<Effect> {
    let looking = &mut app.import.again.looking;
    let Some(job) = looking.take_if(|job| job.has(ticket)) else {
        return Vec::new();
    };
    let takes = job.purpose;
    let reimported = match reply {
        Ok(reimported) => *reimported,
        Err(error) => {
            let text = format!("the drawings cannot be read, {error}");
            app.editor.say(NoticeLevel::Error, text);
            return Vec::new();
        }
    };
    if !Arc::ptr_eq(&reimported.before, &app.editor.document.shared()) {
        // The design was edited in the meantime.
        return ask(app, takes);
    }
    if takes {
        take(app, reimported)
    } else {
        offer(app, reimported)
    }
}

/// Describes how many squares a drawing would change, and how many edited ones stay.
fn squares(changed: usize, kept: usize) -> String {
    let count = |number: usize| counted(number, "square");
    if kept == 0 {
        count(changed)
    } else {
        format!("{}; {} that you edited since stay", count(changed), count(kept))
    }
}

/// Offers what has changed, and replaces the previous offer.
fn offer(app: &mut App, reimported: ReimportReply) -> Vec<Effect> {
    if reimported.description.is_empty() {
        return Vec::new();
    }
    // The same change is not offered again.
    for (source, seen) in app.editor.document.sources_mut().iter_mut().zip(&reimported.sources) {
        source.digest = seen.digest;
    }
    let binding = keymap::table().find(|row| row.action == Action::Import(ImportCommand::Again));
    let key = binding
        .and_then(|row| app.editor.keymap.keys(row).first())
        .map(ToString::to_string);
    let key = key.unwrap_or_else(|| "import again".into());
    let is_other = reimported.after != *reimported.before;
    let description = reimported
        .description
        .into_iter()
        .filter_map(|(name, description)| match description {
            Ok((0, 0)) if !is_other => None,
            Ok((changed, kept)) => Some(format!(
                "{name} was changed elsewhere: {key} takes it again ({})",
                squares(changed, kept)
            )),
            Err(why) => Some(format!("{name} was changed elsewhere and cannot be taken: {why}")),
        });
    let description: Vec<String> = description.collect();
    put_away(app);
    if !description.is_empty() {
        let description = description.join("; ");
        app.import.again.offered = Some(description.clone());
        app.editor.alert = Some(description);
        // The last notice would hide the offer until a key is pressed; an error stays visible.
        if !app.editor.has_failed() {
            app.editor.notice = None;
        }
    }
    Vec::new()
}

/// Removes the offer.
fn put_away(app: &mut App) {
    if let Some(offered) = app.import.again.offered.take() {
        app.editor.alert.take_if(|alert| *alert == offered);
    }
}

/// Changes the design in one undo step.
fn take(app: &mut App, reimported: ReimportReply) -> Vec<Effect> {
    let ReimportReply {
        after,
        sources,
        description,
        ..
    } = reimported;
    put_away(app);
    let mut taken = Vec::new();
    let mut failed = Vec::new();
    for (name, description) in description {
        match description {
            Ok((changed, kept)) => taken.push((name, changed, kept)),
            Err(why) => failed.push(format!("{name} cannot be taken: {why}")),
        }
    }
    let names: Vec<&str> = taken.iter().map(|(name, ..)| name.as_str()).collect();
    let names = names.join(", ");
    let effects = app
        .editor
        .edit(format!("{names} taken again"), |design| *design = after);
    *app.editor.document.sources_mut() = sources;
    if !failed.is_empty() {
        app.editor.say(NoticeLevel::Error, failed.join("; "));
    } else if names.is_empty() {
        app.editor.say(
            NoticeLevel::Warning,
            "nothing of the drawing is left in the design; open it again",
        );
    } else if effects.is_empty() && !app.editor.regrows() {
        app.editor
            .say(NoticeLevel::Done, format!("{names}: the design holds what it shows"));
    } else if app.editor.document.valid().is_some() {
        let sum = |of: fn(&(String, usize, usize)) -> usize| taken.iter().map(of).sum();
        let squares = squares(sum(|description| description.1), sum(|description| description.2));
        app.editor
            .say(NoticeLevel::Done, format!("{names} taken again: {squares}"));
    }
    effects
}
