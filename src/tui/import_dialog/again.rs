//! Re-import of the drawings that the open design was made from. When a drawing's file changes, the footer offers to
//! import it again; on request, all drawings are imported again as one undo step.

use std::sync::Arc;

use super::ImportState;
use crate::background::{JobError, ReimportReply, ReimportRequest, Ticket};
use crate::text::counted;
use crate::tui::commands::{Action, ImportCommand};
use crate::tui::editor::Editor;
use crate::tui::jobs::JobHandle;

/// The state of re-imports.
#[derive(Debug, Default)]
pub(super) struct ReimportState {
    /// The request in progress. The flag says whether to apply its result rather than offer it.
    checking: Option<JobHandle<bool>>,
    /// The text of the last offer in the footer.
    offered: Option<String>,
}

/// Checks whether the design's drawings have changed on disk, and offers to import the changes.
pub(in crate::tui) fn check(state: &mut ImportState, editor: &mut Editor) {
    if !editor.document.sources().is_empty() {
        let takes = state.again.checking.as_ref().is_some_and(|job| job.purpose);
        ask(state, editor, takes);
    }
}

/// Imports the design's drawings again.
pub(super) fn again(state: &mut ImportState, editor: &mut Editor) {
    if editor.document.sources().is_empty() {
        editor.warn("no drawing has been imported since this design was opened");
    } else {
        ask(state, editor, true);
    }
}

fn ask(state: &mut ImportState, editor: &mut Editor, takes: bool) {
    let request = ReimportRequest {
        design: editor.document.shared(),
        sources: editor.document.sources().to_vec(),
        only_new: !takes,
    };
    state.again.checking = Some(editor.start(request, takes));
}

/// Handles the result of reading the drawings: applies it if the user asked for that, otherwise offers it.
pub(in crate::tui) fn handle_reply(
    state: &mut ImportState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<Box<ReimportReply>, JobError>,
) {
    let checking = &mut state.again.checking;
    let Some(job) = checking.take_if(|job| job.has(ticket)) else {
        return;
    };
    let takes = job.purpose;
    let reimported = match reply {
        Ok(reimported) => *reimported,
        Err(error) => {
            let text = format!("cannot read the drawings: {error}");
            return editor.fail(text);
        }
    };
    if !Arc::ptr_eq(&reimported.before, &editor.document.shared()) {
        // The design was edited while the drawings were read, so they are read again for the edited design.
        ask(state, editor, takes);
    } else if takes {
        apply(state, editor, reimported);
    } else {
        offer(state, editor, reimported);
    }
}

/// Describes how many squares a re-import changes, and how many edited squares it keeps.
fn squares(changed: usize, kept: usize) -> String {
    let count = |number: usize| counted(number, "square");
    if kept == 0 {
        count(changed)
    } else {
        format!("{}; your edits to {} are kept", count(changed), count(kept))
    }
}

/// Offers to import the changes. The new offer replaces the previous one.
fn offer(state: &mut ImportState, editor: &mut Editor, reimported: ReimportReply) {
    if reimported.description.is_empty() {
        return;
    }
    // Remembers the contents that were read, so that the same change is not offered again.
    for (source, seen) in editor.document.sources_mut().iter_mut().zip(&reimported.sources) {
        source.digest = seen.digest;
    }
    let key = editor.keymap.key_of(Action::Import(ImportCommand::Again));
    let is_other = reimported.after != *reimported.before;
    let changes = reimported.description.into_iter();
    let changes = changes.filter_map(|(name, change)| match change {
        Ok((0, 0)) if !is_other => None,
        Ok((new, kept)) => Some(format!(
            "{name} was changed on disk: {key} imports it again ({})",
            squares(new, kept)
        )),
        Err(why) => Some(format!("{name} was changed on disk and cannot be imported: {why}")),
    });
    let changes: Vec<String> = changes.collect();
    withdraw_offer(state, editor);
    if !changes.is_empty() {
        let text = changes.join("; ");
        state.again.offered = Some(text.clone());
        editor.status.alert = Some(text);
        // Removes the last notice, which would hide the offer until the next key; an error stays visible.
        if !editor.has_failed() {
            editor.status.notice = None;
        }
    }
}

/// Removes the offer from the footer.
fn withdraw_offer(state: &mut ImportState, editor: &mut Editor) {
    if let Some(offered) = state.again.offered.take() {
        editor.status.alert.take_if(|alert| *alert == offered);
    }
}

/// Applies the re-import to the design in one undo step, and reports it.
fn apply(state: &mut ImportState, editor: &mut Editor, reimported: ReimportReply) {
    let ReimportReply {
        after,
        sources,
        description,
        ..
    } = reimported;
    withdraw_offer(state, editor);
    let mut taken = Vec::new();
    let mut failed = Vec::new();
    for (name, description) in description {
        match description {
            Ok((changed, kept)) => taken.push((name, changed, kept)),
            Err(why) => failed.push(format!("cannot import {name}: {why}")),
        }
    }
    let names: Vec<&str> = taken.iter().map(|(name, ..)| name.as_str()).collect();
    let names = names.join(", ");
    editor.edit(format!("{names} imported again"), |design| *design = after);
    *editor.document.sources_mut() = sources;
    if !failed.is_empty() {
        editor.fail(failed.join("; "));
    } else if names.is_empty() {
        editor.warn(
            "the design no longer contains any square of the drawing; open the drawing to import it from scratch",
        );
    } else if !editor.regrows() {
        editor.done(format!("{names}: the design is up to date"));
    } else if editor.document.valid().is_some() {
        let sum = |of: fn(&(String, usize, usize)) -> usize| taken.iter().map(of).sum();
        let squares = squares(sum(|change| change.1), sum(|change| change.2));
        editor.done(format!("{names} imported again: {squares}"));
    }
}
