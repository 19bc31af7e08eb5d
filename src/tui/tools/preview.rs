//! The preview: shows on the map what stage one would build from a plan, or reports why the plan is rejected.
//!
//! Stage one runs twice: on the design with the plan's entries, and on the design without them. The preview consists
//! of the squares that differ. It therefore shows doors, decorations, columns and replaced wall tiles, and shows a room
//! in its final place if stage one shifts the room away from the border, without repeating the rules of stage one. The
//! preview is computed at most once per frame, and only if the design, its vaults, the cursor or the tool has changed.

use std::collections::BTreeSet;

use super::DrawState;
use super::plan::{self, ToolPlan};
use crate::design::{Design, Diagnostic, Entry, PlacedVault, ValidDesign};
use crate::engine::Tile;
use crate::engine::stage_one::{self, BuiltLayout, Start};
use crate::geometry::Point;
use crate::text::thousands;
use crate::tui::editor::Editor;

/// Maximum size, in squares, of a dungeon that is built or grown for every move of the cursor. In larger dungeons,
/// changes become visible when they are applied.
const MOST: u64 = 1 << 24;

/// The preview of a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PreviewTiles {
    /// Squares that the plan changes, with their new tiles.
    pub squares: Vec<(Point, Tile)>,
    /// The Builders that the plan's entries start: first Crawlers, and the Crawlers and Jumpers of rooms.
    pub starts: Vec<Start>,
    /// Warning about the plan.
    pub warning: Option<String>,
    /// Name of the undo step.
    pub name: String,
}

/// The result of the plan at the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum PlanAtCursor {
    /// No plan.
    #[default]
    Nothing,
    /// The tiles that stage one would build.
    Preview(PreviewTiles),
    /// Why the plan cannot be applied.
    Rejected(String),
}

/// The preview with its caches.
#[derive(Debug, Default)]
pub(super) struct LayoutPreview {
    /// The document's revision and the cursor for which the preview was computed; `None` when it is outdated.
    made_of: Option<(u64, Point)>,
    /// The document's revision, and the layout that stage one builds from the design. The revision also changes when
    /// only the level files of the vaults change.
    base: Option<(u64, Box<BuiltLayout>)>,
    /// Result of the plan at the cursor.
    pub found: PlanAtCursor,
    /// Whether the dungeon is too large to be rebuilt for every move.
    pub(super) large: bool,
    /// Design that is grown instead of the document's during a gesture.
    grown: Option<Design>,
}

impl LayoutPreview {
    /// Marks the preview as outdated, after the tool or its gesture has changed.
    pub(super) fn mark_outdated(&mut self) {
        self.made_of = None;
    }

    /// Returns whether the preview's design is grown instead of the document's.
    pub(super) const fn is_grown(&self) -> bool {
        self.grown.is_some()
    }

    /// Returns why there is no preview; `None` if the dungeon is small enough for one.
    pub(super) fn why_none(&self) -> Option<String> {
        let most = thousands(MOST);
        self.large
            .then(|| format!("no preview in a dungeon of more than {most} squares: apply the change to see the result"))
    }

    /// Stops growing the preview's design. Returns whether that design was grown.
    pub(super) fn stop(&mut self) -> bool {
        self.grown.take().is_some()
    }

    /// Returns the Builders that stage one starts in the document's design.
    pub(super) fn starts(&self) -> &[Start] {
        self.base.as_ref().map_or(&[], |(_, built)| &built.starts)
    }
}

/// The result of stage one for a plan.
struct PlanResult {
    valid: ValidDesign,
    /// The layout with the plan's entries, and the layout without them. The second layout is `None` if the layout of
    /// the document's design serves instead. The field itself is `None` if the dungeon is too large or the document's
    /// design is invalid.
    built: Option<(Box<BuiltLayout>, Option<Box<BuiltLayout>>)>,
}

/// Runs stage one on the document's design, unless the result is cached.
fn build_base(tools: &mut DrawState, editor: &mut Editor) {
    let revision = editor.document.revision();
    let known = tools.preview.base.as_ref();
    if known.is_some_and(|(of, _)| *of == revision) {
        return;
    }
    let small = editor.document.design().layout.size.squares() <= MOST;
    let built = editor.document.valid().filter(|_| small).map(stage_one::build);
    tools.preview.large = !small;
    tools.preview.base = built.map(|built| (revision, Box::new(built)));
}

/// Runs stage one on a plan; returns `None` if its design is invalid.
fn preview_plan(tools: &mut DrawState, editor: &mut Editor, plan: &ToolPlan) -> Option<PlanResult> {
    build_base(tools, editor);
    let valid = editor.document.trial(&plan.design)?;
    let built = tools.preview.base.is_some().then(|| {
        // If the entries are new, the document's design does not contain them, so its cached layout serves as the
        // layout without them.
        let without = (!plan.new && !plan.entries.is_empty()).then(|| without(&valid, &plan.entries));
        (Box::new(stage_one::build(&valid)), without.flatten())
    });
    Some(PlanResult { valid, built })
}

/// Runs stage one on a design without some of its entries.
fn without(valid: &ValidDesign, entries: &BTreeSet<Entry>) -> Option<Box<BuiltLayout>> {
    let pieces: Vec<PlacedVault> = valid
        .pieces()
        .iter()
        .filter(|piece| !entries.contains(&Entry::Vault(piece.vault)))
        .cloned()
        .collect();
    let mut design = Design::clone(valid);
    // Vaults are left out by filtering the placed ones, so that the other vaults keep their indices.
    let others = entries.iter().filter(|entry| !matches!(entry, Entry::Vault(_)));
    design.layout.remove_entries(&others.copied().collect());
    let valid = design.validate(None).design?;
    Some(Box::new(stage_one::build(&valid.with_pieces(pieces))))
}

/// Returns why stage one would leave out an entry of the plan, or another entry because of the plan; `None` if it
/// leaves out neither.
fn left_out(built: &BuiltLayout, base: &BuiltLayout, entries: &BTreeSet<Entry>) -> Option<String> {
    // Removing entries is never rejected.
    if entries.is_empty() || built.left_out.len() <= base.left_out.len() {
        return None;
    }
    let own = built.left_out.iter().find(|entry| entries.contains(entry));
    let other = || built.left_out.iter().find(|entry| !base.left_out.contains(entry));
    let entry = own.or_else(other)?;
    let about = |diagnostic: &&Diagnostic| diagnostic.place.is_some_and(|place| place.entry == *entry);
    // The last diagnostic about an entry is the one that says why it is left out.
    let diagnostic = built.diagnostics.iter().rfind(about)?;
    Some(format!("{}: {}", diagnostic.message, diagnostic.help))
}

/// Returns why a plan cannot be applied; `None` if it can.
pub(super) fn rejection(tools: &mut DrawState, editor: &mut Editor, plan: &ToolPlan) -> Option<String> {
    // If the document's design is already invalid, nothing is rejected, because the plan may repair it.
    editor.document.valid()?;
    let Some(looked) = preview_plan(tools, editor, plan) else {
        return Some("the design cannot be grown with this change".into());
    };
    let (built, _) = looked.built?;
    let (_, base) = tools.preview.base.as_ref()?;
    left_out(&built, base, &plan.entries)
}

/// Recomputes the preview if its inputs have changed. During a gesture, also grows the dungeon from the preview's
/// design.
pub(super) fn renew(tools: &mut DrawState, editor: &mut Editor) {
    let now = Some((editor.document.revision(), editor.map.cursor()));
    if tools.preview.made_of == now {
        return;
    }
    tools.preview.made_of = now;
    build_base(tools, editor);
    let (found, valid) = match plan::plan(tools, editor) {
        Ok(None) => (PlanAtCursor::Nothing, None),
        Err(why) => (PlanAtCursor::Rejected(why), None),
        Ok(Some(plan)) => examine(tools, editor, plan),
    };
    let rejected = matches!(found, PlanAtCursor::Rejected(_));
    tools.preview.found = found;
    if tools.held.is_none() {
        return;
    }
    match valid {
        Some(valid) if tools.preview.grown.as_ref() == Some(&*valid) => {}
        Some(valid) => {
            tools.preview.grown = Some(Design::clone(&valid));
            editor.time.order(valid.clone(), editor.options);
            editor.grow(valid);
        }
        // While a plan is rejected, the dungeon of the last accepted plan stays in view.
        None if rejected => {}
        None => super::back_to_document(tools, editor),
    }
}

/// Returns the preview of a plan, or the reason why the plan is rejected; and the design to grow during a gesture.
/// There is no such design if the plan is rejected or the dungeon is too large.
fn examine(tools: &mut DrawState, editor: &mut Editor, plan: ToolPlan) -> (PlanAtCursor, Option<ValidDesign>) {
    let Some(PlanResult { valid, built }) = preview_plan(tools, editor, &plan) else {
        return (
            PlanAtCursor::Rejected("the design cannot be grown with this change".into()),
            None,
        );
    };
    let mut preview = PreviewTiles {
        name: plan.name,
        ..PreviewTiles::default()
    };
    let (Some((built, without)), Some((_, base))) = (built, &tools.preview.base) else {
        return (PlanAtCursor::Preview(preview), (!tools.preview.large).then_some(valid));
    };
    if let Some(why) = left_out(&built, base, &plan.entries) {
        return (PlanAtCursor::Rejected(why), None);
    }
    let other = without.as_ref().unwrap_or(base);
    if built.grid.size() == other.grid.size() {
        let squares = built.grid.differences(&other.grid);
        preview.squares = squares.map(|at| (at, built.grid.tile(at))).collect();
    }
    let own = |start: &&Start| plan.entries.contains(&start.origin.entry);
    preview.starts = built.starts.iter().filter(own).copied().collect();
    let is_new = |diagnostic: &&Diagnostic| {
        let here = diagnostic
            .place
            .is_some_and(|place| plan.entries.contains(&place.entry));
        here && base.diagnostics.iter().all(|known| known.message != diagnostic.message)
    };
    preview.warning = built
        .diagnostics
        .iter()
        .find(is_new)
        .map(|diagnostic| diagnostic.message.clone());
    (PlanAtCursor::Preview(preview), Some(valid))
}
