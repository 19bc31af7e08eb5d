//! Edits of the open design: each has a name, is an undo step and regrows the dungeon with the same seed.

use std::sync::Arc;

use rand::TryRng as _;
use rand::rngs::SysRng;

use super::app::{App, Effect, NoticeLevel};
use super::{compare, files, map, panels, recorded, tools, tuning};
use crate::design::{Design, Place};
use crate::document::{Document, EditGroup};
use crate::engine::Options;

impl App {
    /// Edits the design under a name ("room 2 added") and regrows it. Every edit passes through [`Self::edit_in`].
    pub(super) fn edit(&mut self, name: impl Into<String>, change: impl FnOnce(&mut Design)) -> Vec<Effect> {
        let name = name.into();
        self.edit_in(None, |_, _| name, change)
    }

    /// Like [`Self::edit`], but consecutive changes of one place are one undo step.
    pub(super) fn edit_at(
        &mut self,
        place: Place,
        name: impl Into<String>,
        change: impl FnOnce(&mut Design),
    ) -> Vec<Effect> {
        let name = name.into();
        self.edit_in(Some(place.into()), |_, _| name, change)
    }

    /// Like [`Self::edit`], but consecutive changes of one edit group are one undo step, named from the designs before
    /// the first and after the last of them ("CorridorWidth of generation 2: 4 → 3").
    pub(super) fn edit_in(
        &mut self,
        series: Option<EditGroup>,
        name: impl FnOnce(&Design, &Design) -> String,
        change: impl FnOnce(&mut Design),
    ) -> Vec<Effect> {
        let mut said = None;
        let changed = self
            .document
            .edit_in(series, |before, after| said.insert(name(before, after)).clone(), change);
        if !changed {
            return Vec::new();
        }
        // A group whose changes cancel out is no undo step and has no name.
        self.say(NoticeLevel::Done, said.unwrap_or_else(|| "as it was".into()));
        self.regrow()
    }

    /// Sets a field; consecutive changes of one field are one undo step.
    pub(super) fn edit_field(&mut self, place: Place, value: i32) -> Vec<Effect> {
        self.edit_in(
            Some(place.into()),
            |before, after| panels::change_name(place, before, after),
            |design| {
                if let Some(field) = place.field {
                    design.set(place.entry, field, value);
                }
            },
        )
    }

    /// Sets the seed; consecutive changes of the seed are one undo step.
    pub(super) fn edit_seed(&mut self, seed: u64) -> Vec<Effect> {
        self.edit_in(
            Some(EditGroup::Seed),
            |before, after| format!("seed: {} → {}", before.seed, after.seed),
            |design| design.seed = seed,
        )
    }

    /// Undoes or redoes until `step` undo steps are applied.
    pub(super) fn go_to(&mut self, step: usize) -> Vec<Effect> {
        if !self.document.go_to(step) {
            return Vec::new();
        }
        panels::keep_in_view(self);
        let last = step.checked_sub(1).and_then(|last| self.document.steps().nth(last));
        let name = last.map_or_else(
            || "the design as it was opened".to_owned(),
            |name| format!("after: {name}"),
        );
        self.say(NoticeLevel::Done, name);
        self.regrow()
    }

    /// Undoes the last edit.
    pub(super) fn undo(&mut self) -> Vec<Effect> {
        let name = self.document.undo();
        self.walked(name, "undone", "nothing to undo")
    }

    /// Redoes the edit that was undone last.
    pub(super) fn redo(&mut self) -> Vec<Effect> {
        let name = self.document.redo();
        self.walked(name, "done again", "nothing to redo")
    }

    fn walked(&mut self, name: Option<String>, done: &str, nothing: &str) -> Vec<Effect> {
        panels::keep_in_view(self);
        if let Some(name) = name {
            self.say(NoticeLevel::Done, format!("{done}: {name}"));
            self.regrow()
        } else {
            self.say(NoticeLevel::Warning, nothing);
            Vec::new()
        }
    }

    /// Sets another seed, drawn at random.
    pub(super) fn reroll(&mut self) -> Vec<Effect> {
        match SysRng.try_next_u32() {
            // 32 bits offer enough seeds and are short enough to write down.
            Ok(seed) => {
                let name = format!("seed: {} → {seed}", self.document.design().seed);
                self.edit(name, |design| design.seed = u64::from(seed))
            }
            Err(error) => {
                self.say(
                    NoticeLevel::Error,
                    format!("the system has no random number to give: {error}"),
                );
                Vec::new()
            }
        }
    }

    /// Replaces the open document with another.
    pub(super) fn open(&mut self, document: Document) -> Vec<Effect> {
        let size = document.design().layout.size;
        self.options = document.reel().map_or_else(Options::default, |reel| reel.options);
        let backups = std::mem::take(self.document.backups_mut());
        self.document = document;
        *self.document.backups_mut() = backups;
        self.map = map::MapViewState::new(size);
        self.tools = tools::DrawState::default();
        self.time = self.time.renewed(size);
        self.panels = panels::PanelsState::showing(self.panels.shown);
        self.tune = self.tune.renewed();
        self.judge = self.judge.renewed();
        self.run = None;
        self.vaults.close();
        self.gallery.leave();
        self.compare = compare::CompareState::default();
        self.luck.forget();
        self.dialog = None;
        self.files.renewed();
        self.intake.renewed();
        self.alert = None;
        let opened = || (NoticeLevel::Done, format!("{} opened", self.document.title()));
        let (tone, told) = files::told_of_drawing(&self.document).unwrap_or_else(opened);
        self.say(tone, told);
        self.begin()
    }

    /// Grows the current design once more, for a new recording of it.
    pub fn grow_again(&mut self) -> Vec<Effect> {
        self.regrow()
    }

    /// Grows the current design if it is valid; otherwise the last valid dungeon remains.
    pub(super) fn regrow(&mut self) -> Vec<Effect> {
        if let Some(design) = tuning::grown(self)
            .or_else(|| panels::grown(self))
            .or_else(|| self.document.valid().cloned())
        {
            let grown = self.time.ordered().filter(|run| run.design.expect != design.expect);
            if grown.is_some_and(|run| run.design.grows_like(&design) && run.design.pieces() == design.pieces()) {
                // Only the expectations changed; the dungeon is the same.
                self.time.order_alike(design);
                return Vec::new();
            }
            if let Some(reel) = self
                .document
                .reel()
                .filter(|reel| recorded::holds(reel, &design, self.options))
            {
                let reel = Arc::clone(reel);
                self.time.order_recorded(design, self.options);
                return vec![Effect::Replay(reel)];
            }
            let has_vaults = !design.layout.vaults.is_empty();
            self.time.order(design.clone(), self.options);
            let mut effects = vec![Effect::Grow(design, self.options)];
            if has_vaults {
                // The edit may have named another level file.
                effects.push(self.watch());
            }
            return effects;
        }
        if self.document.is_resolving() {
            // It grows once its vaults are resolved.
            return vec![self.watch()];
        }
        let error = self.document.diagnostics().max_by_key(|problem| problem.severity);
        let why = error.map_or_else(String::new, |problem| format!(": {}", problem.message));
        self.say(NoticeLevel::Error, format!("this design cannot be grown{why}"));
        Vec::new()
    }
}
