//! The search for a valid seed: starts it, reports its outcome, and applies the seed as one undo step.
//!
//! A background thread tries the seeds. If the user edits the design meanwhile, the outcome is discarded, because it
//! applies to the earlier design.

use super::editor::Editor;
use super::jobs::JobHandle;
use crate::background::{ATTEMPTS, JobError, SeedSearchReply, SeedSearchRequest, Ticket};
use crate::document::SeededDesign;

/// Starts a search, or cancels the search in progress.
pub(super) fn toggle(search: &mut Option<JobHandle<SeededDesign>>, editor: &mut Editor) {
    if search.take().is_some() {
        editor.warn("the search for a valid seed was stopped");
        return;
    }
    if editor.document.design().layout.vaults.is_empty() {
        editor.warn("this design has no vaults: every seed is valid");
        return;
    }
    let seeded = editor.document.seeded();
    let request = SeedSearchRequest {
        seeded: seeded.clone(),
        options: editor.options,
    };
    *search = Some(editor.start(request, seeded));
    editor.done("trying seeds until every vault is placed and reachable");
}

/// Handles the outcome of a search.
pub(super) fn handle_reply(
    state: &mut Option<JobHandle<SeededDesign>>,
    editor: &mut Editor,
    ticket: &Ticket,
    found: Result<SeedSearchReply, JobError>,
) {
    let Some(search) = state.take_if(|search| search.has(ticket)) else {
        return;
    };
    if search.purpose.design() != editor.document.design() {
        editor.warn("the design was edited: the search for a valid seed was cancelled");
        return;
    }
    match found {
        Err(error) => editor.fail(format!("the search failed: {error}")),
        Ok(SeedSearchReply { seed: None, .. }) => {
            editor.warn(format!("none of the next {ATTEMPTS} seeds is valid: see Problems"));
        }
        Ok(SeedSearchReply {
            seed: Some(seed),
            tried: 0,
        }) => editor.done(format!("seed {seed} is valid: every vault is placed and reachable")),
        Ok(SeedSearchReply {
            seed: Some(seed),
            tried,
        }) => {
            let before = editor.document.design().seed;
            let name = format!("seed: {before} → {seed}, {} tried", ordinal(tried));
            editor.edit(name, |design| design.seed = seed);
        }
    }
}

/// Returns an ordinal: `1st`, `2nd`, `3rd`, `11th`, `21st`.
fn ordinal(number: u32) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_have_the_right_endings() {
        let all = [1, 2, 3, 4, 11, 12, 13, 21, 32, 43, 111].map(ordinal);
        assert_eq!(all.join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 32nd 43rd 111th");
    }
}
