//! Undo and redo: the designs that were, with the names of the edits between them.
//!
//! A design is small beside the dungeon it grows, so whole designs are kept; edits of the same field in
//! a row count as one step. Nothing here knows of files.

use std::sync::Arc;

use crate::design::{Design, Place};

/// One edit: what it is called and the design on its other side.
#[derive(Debug, Clone)]
struct Step {
    name: String,
    design: Arc<Design>,
}

/// The design now, and the way back and forth.
#[derive(Debug, Clone)]
pub(super) struct History {
    present: Arc<Design>,
    past: Vec<Step>,
    future: Vec<Step>,
    /// The field that the last edit changed, while further edits of it still belong to the same step.
    open: Option<Place>,
}

impl History {
    pub(super) fn new(design: Design) -> Self {
        Self {
            present: Arc::new(design),
            past: Vec::new(),
            future: Vec::new(),
            open: None,
        }
    }

    pub(super) fn present(&self) -> &Arc<Design> {
        &self.present
    }

    /// Makes `design` the present; false when nothing differs. Edits of one `place` in a row are one step,
    /// which keeps the latest name.
    pub(super) fn edit(&mut self, name: String, place: Option<Place>, design: Design) -> bool {
        if design == *self.present {
            return false;
        }
        let continues = place.is_some() && place == self.open;
        self.open = place;
        self.future.clear();
        let before = std::mem::replace(&mut self.present, Arc::new(design));
        match self.past.last_mut().filter(|_| continues) {
            Some(step) => step.name = name,
            None => self.past.push(Step { name, design: before }),
        }
        true
    }

    /// Later edits of the same field begin a step of their own.
    pub(super) fn seal(&mut self) {
        self.open = None;
    }

    /// Goes back one step and names it.
    pub(super) fn undo(&mut self) -> Option<String> {
        self.open = None;
        let Step { name, design } = self.past.pop()?;
        let after = std::mem::replace(&mut self.present, design);
        self.future.push(Step {
            name: name.clone(),
            design: after,
        });
        Some(name)
    }

    /// Goes forward one step and names it.
    pub(super) fn redo(&mut self) -> Option<String> {
        let Step { name, design } = self.future.pop()?;
        let before = std::mem::replace(&mut self.present, design);
        self.past.push(Step {
            name: name.clone(),
            design: before,
        });
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Entry;

    fn named(name: &str) -> Design {
        Design {
            name: name.into(),
            ..Design::default()
        }
    }

    #[test]
    fn undo_and_redo_walk_the_same_way() {
        let mut history = History::new(named("a"));
        assert!(history.edit("to b".into(), None, named("b")));
        assert!(!history.edit("nothing".into(), None, named("b")));
        assert!(history.edit("to c".into(), None, named("c")));
        assert_eq!(history.undo().as_deref(), Some("to c"));
        assert_eq!(history.present().name, "b");
        assert_eq!(history.redo().as_deref(), Some("to c"));
        assert_eq!(history.redo(), None);
        assert_eq!(history.undo().as_deref(), Some("to c"));
        assert_eq!(history.undo().as_deref(), Some("to b"));
        assert_eq!(history.undo(), None);
        assert!(history.edit("to d".into(), None, named("d")));
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn edits_of_one_field_in_a_row_are_one_step() {
        let place = Place::field(Entry::Generation(1), 0);
        let mut history = History::new(named("a"));
        for name in ["b", "c", "d"] {
            history.edit(name.into(), Some(place), named(name));
        }
        assert_eq!(history.undo().as_deref(), Some("d"));
        assert_eq!(history.present().name, "a");
        history.redo();
        history.edit("e".into(), Some(place), named("e"));
        history.seal();
        history.edit("f".into(), Some(place), named("f"));
        history.undo();
        assert_eq!(history.present().name, "e");
    }
}
