//! Edits of the open design: each has a name, is a step of undo and grows the dungeon again with the same seed.

use rand::TryRng as _;
use rand::rngs::SysRng;

use super::app::{App, Effect, Tone};
use super::{map, panels, time, tools};
use crate::design::{Design, Place};
use crate::document::Document;

impl App {
    /// Edits the design under a name ("CorridorWidth 3 in generation 2") and grows it again. Every panel's
    /// edits come through here.
    pub(super) fn edit(&mut self, name: impl Into<String>, change: impl FnOnce(&mut Design)) -> Vec<Effect> {
        let name = name.into();
        let changed = self.document.edit(name.clone(), change);
        self.after_edit(changed, name)
    }

    /// The same, where changes of one place in a row are one step.
    pub(super) fn edit_at(
        &mut self,
        place: Place,
        name: impl Into<String>,
        change: impl FnOnce(&mut Design),
    ) -> Vec<Effect> {
        let name = name.into();
        let changed = self.document.edit_at(Some(place), name.clone(), change);
        self.after_edit(changed, name)
    }

    /// Sets a field; changes of one field in a row are one step.
    pub(super) fn edit_field(&mut self, place: Place, name: String, value: i32) -> Vec<Effect> {
        let changed = self.document.edit_at(Some(place), name.clone(), |design| {
            if let Some(field) = place.field {
                design.set(place.entry, field, value);
            }
        });
        self.after_edit(changed, name)
    }

    fn after_edit(&mut self, changed: bool, name: String) -> Vec<Effect> {
        if !changed {
            return Vec::new();
        }
        self.say(Tone::Done, name);
        self.regrow()
    }

    /// Takes the last edit back.
    pub(super) fn undo(&mut self) -> Vec<Effect> {
        let name = self.document.undo();
        self.walked(name, "undone", "nothing to undo")
    }

    /// Does the edit that was taken back again.
    pub(super) fn redo(&mut self) -> Vec<Effect> {
        let name = self.document.redo();
        self.walked(name, "done again", "nothing to redo")
    }

    fn walked(&mut self, name: Option<String>, done: &str, nothing: &str) -> Vec<Effect> {
        panels::keep_in_view(self);
        if let Some(name) = name {
            self.say(Tone::Done, format!("{done}: {name}"));
            self.regrow()
        } else {
            self.say(Tone::Warning, nothing);
            Vec::new()
        }
    }

    /// Another seed, drawn by chance.
    pub(super) fn reroll(&mut self) -> Vec<Effect> {
        match SysRng.try_next_u32() {
            // 32 bits are enough to choose from and short enough to write down.
            Ok(seed) => self.edit(format!("seed {seed}"), |design| design.seed = u64::from(seed)),
            Err(error) => {
                self.say(Tone::Error, format!("the system has no random number to give: {error}"));
                Vec::new()
            }
        }
    }

    /// Puts another document in the place of the open one.
    pub(super) fn open(&mut self, document: Document) -> Vec<Effect> {
        let size = document.design().layout.size;
        self.document = document;
        self.map = map::State::new(size);
        self.tools = tools::State::default();
        self.time = time::State::new(size);
        self.panels = panels::State::showing(self.panels.shown);
        self.run = None;
        self.vaults.close();
        self.dialog = None;
        self.alert = None;
        self.say(Tone::Done, format!("{} opened", self.document.title()));
        self.start()
    }

    /// Grows the design as it stands, if it can be grown; the last good dungeon stays otherwise.
    pub(super) fn regrow(&mut self) -> Vec<Effect> {
        if let Some(design) = self.document.valid() {
            let mut effects = vec![Effect::Grow(design.clone(), self.options)];
            if !design.layout.vaults.is_empty() {
                // The edit may have named another level file.
                effects.push(self.watch());
            }
            return effects;
        }
        let error = self.document.diagnostics().max_by_key(|problem| problem.severity);
        let why = error.map_or_else(String::new, |problem| format!(": {}", problem.message));
        self.say(Tone::Error, format!("this design cannot be grown{why}"));
        Vec::new()
    }
}
