//! Completion of folder names in an export path. As in a shell, the name is completed to the longest common prefix of
//! all matching folders.
//!
//! A background thread lists the folder, so that a slow drive does not block typing.

use std::path::PathBuf;

use super::ExportState;
use super::form::ExportForm;
use crate::background::{FolderReply, FolderRequest, JobError, Ticket};
use crate::storage::folder::{EntryKind, FolderEntry};
use crate::tui::editor::Editor;
use crate::tui::widget::prompt::expanded;
use crate::tui::widget::prompt::{TextField, TextKind};

/// Splits a typed path into the folder as typed, the folder's path with `~` expanded, and the beginning of the name
/// to complete.
fn place(text: &str) -> (&str, PathBuf, &str) {
    let at = text.rfind(std::path::is_separator).map_or(0, |slash| slash + 1);
    let (typed, begun) = text.split_at(at);
    let folder = expanded(typed).unwrap_or_else(|| ".".into());
    (typed, folder, begun)
}

/// Requests a listing of the folder in the typed path.
pub(super) fn complete(form: &mut ExportForm, editor: &mut Editor) {
    form.clear();
    // `~` alone completes to the home folder.
    if form.typing().text() == "~" {
        *form.typing() = TextField::new(TextKind::Line, "~/");
        form.is_named |= form.what.kind().is_some();
    }
    let (_, folder, _) = place(form.typing().text());
    form.listing = Some(editor.start(FolderRequest(folder.clone()), folder));
}

/// Completes the path from a folder listing. Does nothing if the user has typed another folder meanwhile.
pub(in crate::tui) fn handle_folder(state: &mut ExportState, ticket: &Ticket, reply: Result<FolderReply, JobError>) {
    let form = &mut state.form;
    let Some(listing) = form.listing.take_if(|job| job.has(ticket)) else {
        return;
    };
    let text = form.typing().text().to_owned();
    let (typed, folder, begun) = place(&text);
    if folder != listing.purpose {
        return;
    }
    match reply.map_or_else(
        |error| Err(error.to_string()),
        |reply| reply.found.map_err(|error| error.to_string()),
    ) {
        Err(why) => form.why = format!("{}: {why}", folder.display()),
        Ok(entries) => continued(form, typed, begun, &entries),
    }
}

fn continued(form: &mut ExportForm, typed: &str, begun: &str, entries: &[FolderEntry]) {
    let folders = entries.iter().filter(|entry| entry.kind == EntryKind::Folder);
    let names: Vec<&str> = folders.map(|entry| entry.name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| name.starts_with(begun)).collect();
    let Some(common) = common(&names) else {
        form.hint = if begun.is_empty() {
            "this folder contains no folders".into()
        } else {
            format!("no folder begins with `{begun}`")
        };
        return;
    };
    let slash = if names.len() == 1 { "/" } else { "" };
    if common != begun || names.len() == 1 {
        *form.typing() = TextField::new(TextKind::Line, format!("{typed}{common}{slash}"));
        form.is_named |= form.what.kind().is_some();
    }
    if names.len() > 1 {
        form.hint = format!("{}/", names.join("/  "));
    }
}

/// Returns the longest common prefix of the names; `None` if there are no names.
fn common(names: &[&str]) -> Option<String> {
    let (first, others) = names.split_first()?;
    let agree = |(at, c): &(usize, char)| others.iter().all(|name| name[(*at).min(name.len())..].starts_with(*c));
    Some(first.char_indices().take_while(agree).map(|(_, c)| c).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_completed_to_their_common_prefix() {
        assert_eq!(common(&["maps", "mazes"]).as_deref(), Some("ma"));
        assert_eq!(common(&["maps"]).as_deref(), Some("maps"));
        assert_eq!(common(&["größe", "größer", "gr"]).as_deref(), Some("gr"));
        assert_eq!(common(&[]), None);
        assert_eq!(place("a/b"), ("a/", "a/".into(), "b"));
        assert_eq!(place("b"), ("", ".".into(), "b"));
        assert_eq!(place(""), ("", ".".into(), ""));
    }
}
