//! Undo and redo: the steps that led to the present design, followed by the steps that were undone.
//!
//! Every step has a name and stores only the parts of the design that it changed. Consecutive edits of one undo group
//! (such as edits of one field, or one mouse drag) form a single step. This module does not access files; it only
//! records at which step the files were last saved, and what they contained at earlier steps.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::change::EditSide;
use crate::design::{Design, Place};
use crate::storage::{LoadedDesign, MovedLevelFiles};

/// The largest total size of the earlier contents of the file, in bytes. The oldest are discarded.
const EARLIER_BYTES: usize = 16 << 20;

/// An undo group. Consecutive edits of the same group form one undo step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditGroup {
    /// Edits of this field.
    Field(Place),
    /// Edits of the seed.
    Seed,
    /// Edits of the mouse drag with this number.
    Drag(u64),
}

impl From<Place> for EditGroup {
    fn from(place: Place) -> Self {
        Self::Field(place)
    }
}

/// One undo step.
#[derive(Debug, Clone)]
struct EditStep {
    name: String,
    /// Values of the changed parts of the design. If the step is currently applied, these are the values from before
    /// the step. If the step is currently undone, these are the values from after the step.
    change: EditSide,
}

/// An undo group that is still open: further edits can join its step.
#[derive(Debug, Clone)]
struct OpenGroup {
    group: EditGroup,
    /// Design before the first edit of the group.
    start: Arc<Design>,
    /// Number of steps applied before the group.
    step: usize,
}

/// The present design, the applied steps that led to it, and the undone steps.
#[derive(Debug, Clone)]
pub(super) struct History {
    present: Arc<Design>,
    steps: Vec<EditStep>,
    /// Number of applied steps; the steps from this index on are undone.
    now: usize,
    /// How many steps are applied when the design equals the files; `None` if undo and redo cannot reach that design.
    saved: Option<usize>,
    /// Contents of the TOML file that later saves have replaced. Each has the number of steps that were applied when
    /// the design equalled this content. If another program changes the file, all these contents are discarded.
    earlier: Vec<(usize, Arc<LoadedDesign>)>,
    /// Undo group of the last edit, if further edits can still join it.
    open: Option<OpenGroup>,
}

/// A function that builds the name of a step from the designs before and after it.
type StepName<'a> = dyn FnOnce(&Design, &Design) -> String + 'a;

impl History {
    pub(super) fn new(design: Design) -> Self {
        Self {
            present: Arc::new(design),
            steps: Vec::new(),
            now: 0,
            saved: Some(0),
            earlier: Vec::new(),
            open: None,
        }
    }

    pub(super) fn present(&self) -> &Arc<Design> {
        &self.present
    }

    /// Makes `design` the present design, and discards the undone steps. Returns false if `design` equals the present
    /// one. `name` builds the step's name from the designs before and after the step. If the edits of an undo group
    /// lead back to the design before the group, the group's step is removed.
    pub(super) fn edit(
        &mut self,
        group: Option<EditGroup>,
        design: Design,
        name: impl FnOnce(&Design, &Design) -> String,
    ) -> bool {
        self.edit_step(group, design, Box::new(name))
    }

    /// Implements [`Self::edit`]. `name` is boxed, because a copy of the function for each type of closure would take
    /// a long time to compile.
    fn edit_step(&mut self, group: Option<EditGroup>, design: Design, name: Box<StepName<'_>>) -> bool {
        if design == *self.present {
            return false;
        }
        let (start, step) = match &self.open {
            Some(open) if Some(open.group) == group => (Arc::clone(&open.start), open.step),
            _ => (Arc::clone(&self.present), self.now),
        };
        self.steps.truncate(step);
        self.saved.take_if(|saved| *saved > step);
        self.earlier.retain(|(saved, _)| *saved <= step);
        self.open = group.map(|group| OpenGroup {
            group,
            start: Arc::clone(&start),
            step,
        });
        if design == *start {
            self.present = start;
        } else {
            self.steps.push(EditStep {
                name: name(&start, &design),
                change: EditSide::between(&design, &start),
            });
            self.present = Arc::new(design);
        }
        self.now = self.steps.len();
        true
    }

    /// Returns whether this undo group is open, so that its next edit joins the last step.
    pub(super) fn is_open_group(&self, group: EditGroup) -> bool {
        self.open.as_ref().is_some_and(|open| open.group == group)
    }

    /// Closes the undo group: later edits of the same group begin a new step.
    pub(super) fn close_group(&mut self) {
        self.open = None;
    }

    /// Undoes one step and returns its name.
    pub(super) fn undo(&mut self) -> Option<String> {
        let to = self.now.checked_sub(1)?;
        self.go_to(to);
        Some(self.steps[to].name.clone())
    }

    /// Returns the name of the last applied step and the design before it.
    pub(super) fn before(&self) -> Option<(&str, Design)> {
        let step = self.steps.get(self.now.checked_sub(1)?)?;
        let mut design = Design::clone(&self.present);
        step.change.clone().exchange(&mut design);
        Some((&step.name, design))
    }

    /// Redoes one step and returns its name.
    pub(super) fn redo(&mut self) -> Option<String> {
        let name = self.steps.get(self.now)?.name.clone();
        self.go_to(self.now + 1);
        Some(name)
    }

    /// Undoes or redoes until `step` steps are applied. Returns false if exactly `step` steps are applied already, or
    /// if fewer than `step` steps exist.
    pub(super) fn go_to(&mut self, step: usize) -> bool {
        if step == self.now || step > self.steps.len() {
            return false;
        }
        self.open = None;
        let mut design = Design::clone(&self.present);
        while self.now > step {
            self.now -= 1;
            self.steps[self.now].change.exchange(&mut design);
        }
        while self.now < step {
            self.steps[self.now].change.exchange(&mut design);
            self.now += 1;
        }
        self.present = Arc::new(design);
        true
    }

    /// Returns the names of all steps: the applied ones, then the undone ones.
    pub(super) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.steps.iter().map(|step| step.name.as_str())
    }

    /// Returns the number of applied steps.
    pub(super) const fn now(&self) -> usize {
        self.now
    }

    /// Returns how many steps are applied when the design equals the files; `None` if undo and redo cannot reach that
    /// design.
    pub(super) const fn saved(&self) -> Option<usize> {
        self.saved
    }

    /// Returns the names of the level files in the present design and in all steps.
    pub(super) fn level_files(&self) -> BTreeSet<String> {
        let stepped = self.steps.iter().flat_map(|step| step.change.vaults());
        let vaults = self.present.layout.vaults.iter().chain(stepped);
        vaults.map(|vault| vault.file.clone()).collect()
    }

    /// Changes the names of level files in the present design and in all steps. Closes the undo group.
    pub(super) fn rename_level_files(&mut self, moved: &MovedLevelFiles) {
        self.open = None;
        moved.rename_in(Arc::make_mut(&mut self.present));
        for step in &mut self.steps {
            moved.rename(step.change.vaults_mut());
        }
    }

    /// Records that the files contain `design`, which was the present design when `step` steps were applied. If undo
    /// and redo no longer lead to that design, no step is recorded as saved.
    pub(super) fn note_saved_at(&mut self, step: usize, design: &Arc<Design>) {
        let is_present = step == self.now && Arc::ptr_eq(design, &self.present);
        let leads_there = is_present
            || step <= self.steps.len() && {
                let mut walk = self.clone();
                walk.go_to(step);
                *walk.present == **design
            };
        self.saved = leads_there.then_some(step);
    }

    /// Keeps the content of the TOML file, which is about to be replaced by another save.
    pub(super) fn keep_earlier(&mut self, content: &LoadedDesign) {
        let Some(step) = self.saved.filter(|_| content.design.is_some()) else {
            return;
        };
        self.earlier.retain(|(saved, _)| *saved != step);
        self.earlier.push((step, Arc::new(content.clone())));
        let bytes =
            |(_, content): &(usize, Arc<LoadedDesign>)| content.only_text().map_or(0, |text| text.content().len());
        while self.earlier.iter().map(bytes).sum::<usize>() > EARLIER_BYTES {
            self.earlier.remove(0);
        }
    }

    /// Discards the earlier contents of the TOML file.
    pub(super) fn forget_earlier(&mut self) {
        self.earlier.clear();
    }

    /// Searches the applied steps, the last one first, for a step after which the design equalled an earlier content of
    /// the TOML file, and returns this content. Returns `None` if there is no such step, or if the design equalled the
    /// file's present content after the same step or a later applied step.
    pub(super) fn earlier(&self) -> Option<&LoadedDesign> {
        let applied = self.earlier.iter().filter(|(step, _)| *step <= self.now);
        let (step, content) = applied.max_by_key(|(step, _)| *step)?;
        let is_later = |saved: usize| (*step..=self.now).contains(&saved);
        (!self.saved.is_some_and(is_later)).then_some(&**content)
    }

    /// Records whether the files contain the present design. If not, no step is recorded as saved.
    pub(super) fn note_saved(&mut self, present: bool) {
        self.saved = present.then_some(self.now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Entry, Stat};
    use crate::geometry::Point;

    fn named(name: &str) -> Design {
        Design {
            name: name.into(),
            ..Design::default()
        }
    }

    fn edit(history: &mut History, group: Option<EditGroup>, to: &str) -> bool {
        history.edit(group, named(to), |before, after| {
            format!("{} → {}", before.name, after.name)
        })
    }

    #[test]
    fn undo_and_redo_visit_the_same_designs() {
        let mut history = History::new(named("a"));
        assert!(edit(&mut history, None, "b"));
        assert!(!edit(&mut history, None, "b"));
        assert!(edit(&mut history, None, "c"));
        assert_eq!(history.undo().as_deref(), Some("b → c"));
        assert_eq!(history.present().name, "b");
        assert_eq!(history.redo().as_deref(), Some("b → c"));
        assert_eq!(history.present().name, "c");
        assert_eq!(history.redo(), None);
        assert_eq!(history.undo().as_deref(), Some("b → c"));
        assert_eq!(history.undo().as_deref(), Some("a → b"));
        assert_eq!(history.undo(), None);
        assert_eq!(history.present().name, "a");
        assert!(edit(&mut history, None, "d"));
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn edits_of_one_field_in_a_row_are_one_step() {
        let group = Some(EditGroup::Field(Place::field(Entry::Generation(1), Stat::StepLength)));
        let mut history = History::new(named("a"));
        for name in ["b", "c", "d"] {
            edit(&mut history, group, name);
        }
        assert_eq!(history.names().collect::<Vec<_>>(), ["a → d"]);
        assert_eq!(history.undo().as_deref(), Some("a → d"));
        assert_eq!(history.present().name, "a");
        history.redo();
        edit(&mut history, group, "e");
        history.close_group();
        edit(&mut history, group, "f");
        history.undo();
        assert_eq!(history.present().name, "e");
    }

    #[test]
    fn an_undo_group_that_returns_to_its_start_leaves_no_step() {
        let drag = Some(EditGroup::Drag(1));
        let mut history = History::new(named("a"));
        edit(&mut history, drag, "b");
        assert!(edit(&mut history, drag, "a"));
        assert_eq!((history.names().len(), history.now()), (0, 0));
        edit(&mut history, drag, "c");
        edit(&mut history, Some(EditGroup::Drag(2)), "d");
        assert_eq!(history.names().collect::<Vec<_>>(), ["a → c", "c → d"]);
    }

    #[test]
    fn any_step_is_reached_with_one_call() {
        let mut history = History::new(named("0"));
        for i in 1..=9 {
            edit(&mut history, None, &i.to_string());
        }
        for step in [3, 9, 0, 0, 5, 4] {
            let moves = history.now() != step;
            assert_eq!(history.go_to(step), moves);
            assert_eq!(history.present().name, step.to_string());
        }
        assert!(!history.go_to(10));
        assert_eq!((history.names().len(), history.now()), (9, 4));
    }

    #[test]
    fn the_saved_step_is_forgotten_when_no_step_leads_to_it() {
        let mut history = History::new(named("a"));
        assert_eq!(history.saved(), Some(0));
        edit(&mut history, None, "b");
        history.note_saved(true);
        history.undo();
        assert_eq!(history.saved(), Some(1));
        edit(&mut history, None, "c");
        assert_eq!(history.saved(), None);
    }

    #[test]
    fn a_design_saved_earlier_is_found_while_a_step_leads_to_it() {
        let mut history = History::new(named("a"));
        edit(&mut history, None, "b");
        let (step, design) = (history.now(), Arc::clone(history.present()));
        edit(&mut history, None, "c");
        history.note_saved_at(step, &design);
        assert_eq!(history.saved(), Some(1));
        history.go_to(0);
        history.note_saved_at(step, &design);
        assert_eq!(history.saved(), Some(1), "though it was undone");
        edit(&mut history, None, "d");
        history.note_saved_at(step, &design);
        assert_eq!(history.saved(), None, "another step is in its place");
        history.go_to(0);
        edit(&mut history, None, "b");
        history.note_saved_at(step, &design);
        assert_eq!(history.saved(), Some(1));
        history.note_saved_at(7, &design);
        assert_eq!(history.saved(), None);
    }

    #[test]
    fn ten_thousand_steps_of_a_large_design_take_a_few_megabytes() {
        let mut design = Design::default();
        design.layout.walls = (0..4000).map(|i| Point::new(1 + i / 98, 1 + i % 98)).collect();
        design.notes = "what it is for, at some length ".repeat(40);
        let mut history = History::new(design.clone());
        for i in 0..10_000_usize {
            // Repeats these edits: change a number, move a tile, add a tile, remove a tile.
            match i % 4 {
                0 => design.character.generations[i % 10].max_age += 1,
                1 => design.layout.walls[i % 4000].y += 1,
                2 => design.layout.walls.insert(i % 4000, Point::new(50, 50)),
                _ => drop(design.layout.walls.remove(i % 4000)),
            }
            let name = |_: &Design, _: &Design| format!("CorridorWidth of generation 2: 4 → {i}");
            assert!(history.edit(None, design.clone(), name));
        }
        let bytes: usize = history
            .steps
            .iter()
            .map(|step| step.change.bytes() + step.name.capacity() + size_of::<String>())
            .sum();
        assert!(bytes < 6 << 20, "{bytes}");
        history.go_to(0);
        assert_eq!(history.present().layout.walls[17], Point::new(1, 18));
        history.go_to(10_000);
        assert_eq!(**history.present(), design);
    }
}
