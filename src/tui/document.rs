//! The open design and its history, behind the calls that the designer makes.

use std::path::PathBuf;

use crate::design::{Design, Diagnostic, ValidDesign};

/// An open design with undo and redo.
#[derive(Debug)]
pub struct Document {
    design: Design,
    valid: Option<ValidDesign>,
    diagnostics: Vec<Diagnostic>,
    past: Vec<(String, Design)>,
    future: Vec<(String, Design)>,
}

impl Document {
    /// A document without files.
    pub fn new(design: Design) -> Self {
        let mut document = Self {
            design,
            valid: None,
            diagnostics: Vec::new(),
            past: Vec::new(),
            future: Vec::new(),
        };
        document.check();
        document
    }

    fn check(&mut self) {
        let checked = self.design.validate(None);
        self.valid = checked.design;
        self.diagnostics = checked.diagnostics;
    }

    /// The design as it stands.
    pub const fn design(&self) -> &Design {
        &self.design
    }

    /// The design to grow, when it can be grown.
    pub const fn valid(&self) -> Option<&ValidDesign> {
        self.valid.as_ref()
    }

    /// What is wrong with it.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What a person calls it.
    pub fn title(&self) -> String {
        if self.design.name.is_empty() {
            "untitled".into()
        } else {
            self.design.name.clone()
        }
    }

    /// The files to watch.
    pub const fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Whether there are unsaved changes.
    pub const fn is_dirty(&self) -> bool {
        !self.past.is_empty()
    }

    /// Changes the design as one step of its history; false when nothing changed.
    pub fn edit(&mut self, name: impl Into<String>, change: impl FnOnce(&mut Design)) -> bool {
        let mut next = self.design.clone();
        change(&mut next);
        if next == self.design {
            return false;
        }
        let before = std::mem::replace(&mut self.design, next);
        self.past.push((name.into(), before));
        self.future.clear();
        self.check();
        true
    }

    /// Takes the last step back and names it.
    pub fn undo(&mut self) -> Option<String> {
        let (name, before) = self.past.pop()?;
        let after = std::mem::replace(&mut self.design, before);
        self.future.push((name.clone(), after));
        self.check();
        Some(name)
    }

    /// Does the step taken back again and names it.
    pub fn redo(&mut self) -> Option<String> {
        let (name, after) = self.future.pop()?;
        let before = std::mem::replace(&mut self.design, after);
        self.past.push((name.clone(), before));
        self.check();
        Some(name)
    }
}
