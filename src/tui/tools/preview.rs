//! What will stand once a plan is done, as stage one builds it: the ghost on the map, and why a plan is refused.
//!
//! Stage one is run on the design with the entries and on the same design without them; the squares that differ are
//! the ghost. So it shows doors, decorations and columns, a room that the border shifts, and a wall tile that replaces
//! another, without a second set of rules. It is made once for each frame in which something moved.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::objects;
use super::plan::{self, ToolPlan};
use crate::design::{Design, Diagnostic, Entry, PlacedVault, ValidDesign};
use crate::engine::Tile;
use crate::engine::stage_one::{self, BuiltLayout, Start};
use crate::geometry::Point;
use crate::tui::app::{App, Effect};
use crate::tui::screen::thousands;

/// Dungeons with more squares than this are not built anew for every move of the cursor; what is drawn in them is seen
/// once it is applied.
const MOST: u64 = 1 << 24;

/// What would stand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PreviewTiles {
    /// Squares on which the plan makes a difference, and what stands there then.
    pub squares: Vec<(Point, Tile)>,
    /// First Crawlers that it starts, those of rooms among them.
    pub starts: Vec<Start>,
    /// What is odd about it.
    pub warning: Option<String>,
    /// The name of the step.
    pub name: String,
}

/// What is known of the plan at the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum PlanAtCursor {
    /// There is none.
    #[default]
    Nothing,
    /// What would stand.
    Ghost(PreviewTiles),
    /// Why it cannot be done.
    Refused(String),
}

/// The ghost, and what was needed to find it.
#[derive(Debug, Default)]
pub(super) struct LayoutPreview {
    /// What it was made from, while that is not out of date.
    made_of: Option<(Arc<Design>, Point)>,
    /// Stage one of the document's design.
    base: Option<(Arc<Design>, Box<BuiltLayout>)>,
    /// What would stand, or why nothing can.
    pub found: PlanAtCursor,
    /// Whether the dungeon is too large to be built anew for each move.
    pub(super) large: bool,
    /// The design that is grown in the place of the document's.
    grown: Option<Design>,
}

impl LayoutPreview {
    /// The tool or what it holds has changed.
    pub(super) fn outdate(&mut self) {
        self.made_of = None;
    }

    /// Whether a design is grown in the place of the document's.
    pub(super) const fn is_grown(&self) -> bool {
        self.grown.is_some()
    }

    /// Why there is no ghost, where the dungeon is too large for one.
    pub(super) fn why_none(&self) -> Option<String> {
        let most = thousands(MOST);
        self.large
            .then(|| format!("no ghost in a dungeon of more than {most} squares: see it once it is applied"))
    }

    /// Ends that; whether there was one.
    pub(super) fn stop(&mut self) -> bool {
        self.grown.take().is_some()
    }

    /// The first Crawlers of the document's design, as stage one starts them.
    pub(super) fn starts(&self) -> &[Start] {
        self.base.as_ref().map_or(&[], |(_, built)| &built.starts)
    }
}

/// What stage one makes of a plan.
struct PlanResult {
    valid: ValidDesign,
    /// With the plan, and without its entries; `None` in dungeons that are too large to be built for it.
    built: Option<(Box<BuiltLayout>, Option<Box<BuiltLayout>>)>,
}

/// Builds the document's design, if that was not done yet.
fn build_base(app: &mut App) {
    let design = app.document.shared();
    let known = app.tools.preview.base.as_ref();
    if known.is_some_and(|(of, _)| Arc::ptr_eq(of, &design)) {
        return;
    }
    let small = design.layout.size.squares() <= MOST;
    let built = app.document.valid().filter(|_| small).map(stage_one::build);
    app.tools.preview.large = !small;
    app.tools.preview.base = built.map(|built| (design, Box::new(built)));
}

/// Runs stage one on a plan; `None` where its design cannot be grown.
fn look(app: &mut App, plan: &ToolPlan) -> Option<PlanResult> {
    build_base(app);
    let valid = app.document.trial(&plan.design)?;
    let built = app.tools.preview.base.is_some().then(|| {
        // New entries are what the document's design has not.
        let without = (!plan.new && !plan.entries.is_empty()).then(|| without(&valid, &plan.entries));
        (Box::new(stage_one::build(&valid)), without.flatten())
    });
    Some(PlanResult { valid, built })
}

/// Stage one of a design without some of its entries.
fn without(valid: &ValidDesign, entries: &BTreeSet<Entry>) -> Option<Box<BuiltLayout>> {
    let pieces: Vec<PlacedVault> = valid
        .pieces()
        .iter()
        .filter(|piece| !entries.contains(&Entry::Vault(piece.vault)))
        .cloned()
        .collect();
    let mut design = Design::clone(valid);
    // Vaults are left out by their pieces: the others keep their numbers.
    let others = entries.iter().filter(|entry| !matches!(entry, Entry::Vault(_)));
    objects::remove(&mut design.layout, &others.copied().collect());
    let valid = design.validate(None).design?;
    Some(Box::new(stage_one::build(&valid.with_pieces(pieces))))
}

/// Why stage one would leave out what a plan puts, or something else because of it, if it would.
fn left_out(built: &BuiltLayout, base: &BuiltLayout, entries: &BTreeSet<Entry>) -> Option<String> {
    // To take something away is never refused.
    if entries.is_empty() || built.left_out.len() <= base.left_out.len() {
        return None;
    }
    let own = built.left_out.iter().find(|entry| entries.contains(entry));
    let other = || built.left_out.iter().find(|entry| !base.left_out.contains(entry));
    let entry = own.or_else(other)?;
    let about = |diagnostic: &&Diagnostic| diagnostic.place.is_some_and(|place| place.entry == *entry);
    // What leaves an entry out is the last that is said of it.
    let diagnostic = built.diagnostics.iter().rfind(about)?;
    Some(format!("{}: {}", diagnostic.message, diagnostic.help))
}

/// Why a plan cannot be done, if it cannot.
pub(super) fn refusal(app: &mut App, plan: &ToolPlan) -> Option<String> {
    // Where nothing can be built of the design, whoever draws may be about to mend it.
    app.document.valid()?;
    let Some(looked) = look(app, plan) else {
        return Some("the design could not be grown with it".into());
    };
    let (built, _) = looked.built?;
    let (_, base) = app.tools.preview.base.as_ref()?;
    left_out(&built, base, &plan.entries)
}

/// Finds the ghost anew, if anything that it depends on has changed, and grows the dungeon from it while something is
/// held.
pub(super) fn renew(app: &mut App) -> Vec<Effect> {
    let now = (app.document.shared(), app.map.cursor());
    let same = |before: &(Arc<Design>, Point)| Arc::ptr_eq(&before.0, &now.0) && before.1 == now.1;
    if app.tools.preview.made_of.as_ref().is_some_and(same) {
        return Vec::new();
    }
    app.tools.preview.made_of = Some(now);
    build_base(app);
    let (found, valid) = match plan::plan(app) {
        Ok(None) => (PlanAtCursor::Nothing, None),
        Err(why) => (PlanAtCursor::Refused(why), None),
        Ok(Some(plan)) => examine(app, plan),
    };
    let refused = matches!(found, PlanAtCursor::Refused(_));
    app.tools.preview.found = found;
    if app.tools.held.is_none() {
        return Vec::new();
    }
    match valid {
        Some(valid) if app.tools.preview.grown.as_ref() == Some(&*valid) => Vec::new(),
        Some(valid) => {
            app.tools.preview.grown = Some(Design::clone(&valid));
            app.time.order(valid.clone(), app.options);
            vec![Effect::Grow(valid, app.options)]
        }
        // What was grown last stays in view where the next cannot be.
        None if refused => Vec::new(),
        None => super::back_to_document(app),
    }
}

/// The ghost of a plan, and the design to be grown.
fn examine(app: &mut App, plan: ToolPlan) -> (PlanAtCursor, Option<ValidDesign>) {
    let Some(PlanResult { valid, built }) = look(app, &plan) else {
        return (
            PlanAtCursor::Refused("the design could not be grown with it".into()),
            None,
        );
    };
    let mut ghost = PreviewTiles {
        name: plan.name,
        ..PreviewTiles::default()
    };
    let (Some((built, without)), Some((_, base))) = (built, &app.tools.preview.base) else {
        return (PlanAtCursor::Ghost(ghost), Some(valid));
    };
    if let Some(why) = left_out(&built, base, &plan.entries) {
        return (PlanAtCursor::Refused(why), None);
    }
    let other = without.as_ref().unwrap_or(base);
    if built.grid.size() == other.grid.size() {
        let squares = built.grid.differences(&other.grid);
        ghost.squares = squares.map(|at| (at, built.grid.tile(at))).collect();
    }
    let own = |start: &&Start| plan.entries.contains(&start.origin.entry);
    ghost.starts = built.starts.iter().filter(own).copied().collect();
    let said = |diagnostic: &&Diagnostic| {
        let here = diagnostic
            .place
            .is_some_and(|place| plan.entries.contains(&place.entry));
        here && base.diagnostics.iter().all(|known| known.message != diagnostic.message)
    };
    ghost.warning = built.diagnostics.iter().find(said).map(|said| said.message.clone());
    (PlanAtCursor::Ghost(ghost), Some(valid))
}
