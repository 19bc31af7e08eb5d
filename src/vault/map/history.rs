//! The history of statements that changed the grid, which lets a script remove one of them later.
//!
//! Older releases of the game applied SUBST and SHUFFLE after the whole script had run, so `subst_remove` and
//! `shuffle_remove` could simply delete earlier statements. Here, statements change the grid immediately. To remove
//! one, the map restores the grid from before that statement and applies the later statements again.

use super::MapState;
use crate::text::thousands;
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Glyphs, Turn};
use crate::vault::spec::{SpecError, items};

/// Maximum number of statements in a history; a script in a loop may apply many more.
const STATEMENT_LIMIT: usize = 1_000;

/// A statement that has been applied, with the grids before and after it.
#[derive(Debug, Clone)]
pub(super) struct AppliedStatement {
    name: &'static str,
    text: Vec<u8>,
    before: Glyphs,
    after: Glyphs,
}

impl AppliedStatement {
    /// Mirrors or rotates both grids.
    pub(super) fn turn(&mut self, turn: Turn) {
        self.before.turn(turn);
        self.after.turn(turn);
    }
}

impl MapState {
    /// Starts a history of SUBST, NSUBST, SHUFFLE and CLEAR statements, which [`Self::remove_statements`] needs.
    pub fn remember_statements(&mut self) {
        self.history = Some(Vec::new());
    }

    /// Applies a SUBST, NSUBST, SHUFFLE or CLEAR statement. If the map has a history of fewer than [`STATEMENT_LIMIT`]
    /// statements, adds the statement to it.
    pub(super) fn glyph_statement(
        &mut self,
        name: &'static str,
        text: &[u8],
        dice: &mut Dice,
    ) -> Result<(), SpecError> {
        if self.history.is_none() {
            return self.apply(name, text, dice);
        }
        let parts = if name == "clear" { vec![text] } else { items(text)? };
        for part in parts {
            let before = self.glyphs.clone();
            self.apply(name, part, dice)?;
            let after = self.glyphs.clone();
            if let Some(history) = &mut self.history
                && history.len() < STATEMENT_LIMIT
            {
                history.push(AppliedStatement {
                    name,
                    text: part.to_vec(),
                    before,
                    after,
                });
            } else {
                self.note(format!(
                    "the map has more than {} statements that change glyphs; `subst_remove` and `shuffle_remove` do not \
                     remove the later ones",
                    thousands(STATEMENT_LIMIT as u64)
                ));
            }
        }
        Ok(())
    }

    fn apply(&mut self, name: &str, text: &[u8], dice: &mut Dice) -> Result<(), SpecError> {
        match name {
            "subst" => self.subst(text, dice),
            "nsubst" => self.nsubst(text, dice),
            "shuffle" => self.shuffle(text, dice),
            _ => self.clear(text),
        }
    }

    /// Removes the earlier statements called `name` whose text equals `text`, ignoring white space; `None` matches any
    /// text. Restores the grid from before the first removed statement, then applies the later statements again.
    /// Changes that scripts made to the grid between statements are kept. Returns the number of removed statements; 0
    /// if the map has no history.
    ///
    /// # Errors
    ///
    /// Fails if a later statement cannot be applied again. This is not expected, because the same text was valid
    /// before.
    pub fn remove_statements(&mut self, name: &str, text: Option<&[u8]>, dice: &mut Dice) -> Result<usize, SpecError> {
        let is_removed = |statement: &AppliedStatement| {
            statement.name == name && text.is_none_or(|text| plain(text) == plain(&statement.text))
        };
        let Some(statements) = self.history.take() else {
            return Ok(0);
        };
        let Some(first) = statements.iter().position(is_removed) else {
            self.history = Some(statements);
            return Ok(0);
        };
        let now = self.glyphs.clone();
        self.glyphs = statements[first].before.clone();
        self.history = Some(statements[..first].to_vec());
        let mut removed = 0;
        for (at, statement) in statements.iter().enumerate().skip(first) {
            if is_removed(statement) {
                removed += 1;
            } else {
                self.glyph_statement(statement.name, &statement.text, dice)?;
            }
            let next = statements.get(at + 1).map_or(&now, |next| &next.before);
            self.repeat_changes(&statement.after, next);
        }
        Ok(removed)
    }

    /// Repeats on the current grid the changes that lead from `before` to `after`, and copies the cells that a subvault
    /// filled. If the current grid and `after` differ in size, copies all of `after`.
    fn repeat_changes(&mut self, before: &Glyphs, after: &Glyphs) {
        let size = |glyphs: &Glyphs| (glyphs.width(), glyphs.height());
        if size(after) != size(&self.glyphs) {
            self.glyphs = after.clone();
            return;
        }
        for at in 0..after.cells().len() {
            let glyph = after.cells()[at];
            let is_filled = self.frozen.get(after.cell(at).x, after.cell(at).y) > 0;
            if is_filled || before.cells().get(at) != Some(&glyph) {
                self.glyphs.cells_mut()[at] = glyph;
            }
        }
    }
}

/// Returns `text` without its white space.
fn plain(text: &[u8]) -> Vec<u8> {
    text.iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Key;

    /// Returns the row of a one-row map after some statements. `set` changes the first cell as a script would, and
    /// `mirror` swaps left and right; a name that ends in `_remove` removes earlier statements.
    fn row(row: &str, statements: &[(&str, &str)]) -> String {
        let mut dice = Dice::new(Key::new(1));
        let mut state = MapState::new("a");
        state.remember_statements();
        state.add_row(row.as_bytes());
        state.pad();
        for (name, text) in statements {
            match name.strip_suffix("_remove") {
                Some(name) => {
                    let text = (!text.is_empty()).then_some(text.as_bytes());
                    state.remove_statements(name, text, &mut dice).expect("removed");
                }
                None if *name == "set" => state.glyphs.cells_mut()[0] = text.as_bytes()[0],
                None if *name == "mirror" => state.turn(Turn::MirrorHorizontal),
                None => state.header(name, text.as_bytes(), &mut dice).expect(name).expect(text),
            }
        }
        String::from_utf8_lossy(state.glyphs.cells()).into_owned()
    }

    #[test]
    fn a_removed_statement_leaves_no_trace() {
        let first = ("subst", "A = x, B = y");
        assert_eq!(row("AB", &[first, ("subst_remove", "A=x")]), "Ay");
        assert_eq!(row("AB", &[first, ("subst_remove", "")]), "AB");
        assert_eq!(
            row("AB", &[first, ("subst_remove", "A = z")]),
            "xy",
            "no such statement"
        );
        assert_eq!(row("AB", &[first, ("shuffle_remove", "")]), "xy", "of another kind");
        assert_eq!(row("AB", &[("clear", "A"), ("subst_remove", "")]), " B");
        assert_eq!(row("AABB", &[("shuffle", "AB"), ("shuffle_remove", "AB")]), "AABB");
    }

    #[test]
    fn a_map_without_a_history_gets_none_from_a_removal() {
        let mut dice = Dice::new(Key::new(1));
        let mut state = MapState::new("a");
        state.add_row(b"AB");
        state.pad();
        assert_eq!(state.remove_statements("subst", None, &mut dice), Ok(0));
        state
            .header("subst", b"A = x", &mut dice)
            .expect("subst")
            .expect("A = x");
        assert!(state.history.is_none());
        assert_eq!(state.remove_statements("subst", None, &mut dice), Ok(0));
        assert_eq!(state.glyphs.cells(), b"xB");
    }

    #[test]
    fn later_statements_apply_to_the_grid_without_the_removed_one() {
        let both = [("subst", "A = x"), ("subst", "A = z"), ("subst_remove", "A = x")];
        assert_eq!(row("AA", &both), "zz");
        let chain = [("subst", "A = x"), ("subst", "x = y"), ("subst_remove", "A = x")];
        assert_eq!(row("Ax", &chain), "Ay");
        // A cell that a script set between the statements keeps that change.
        let set = [
            ("subst", "B = x"),
            ("set", "c"),
            ("subst", "c = d"),
            ("subst_remove", "B=x"),
        ];
        assert_eq!(row("AB", &set), "dB");
        let last = [("subst", "AB = x"), ("set", "c"), ("subst_remove", "AB=x")];
        assert_eq!(row("AB", &last), "cB");
    }

    #[test]
    fn a_loop_of_statements_cannot_fill_the_memory() {
        let mut statements = vec![("subst", "A = x"); STATEMENT_LIMIT];
        statements.extend([("subst", "B = y"), ("subst_remove", "")]);
        assert_eq!(row("AB", &statements), "Ay", "the last statement is not in the history");
    }

    #[test]
    fn statements_are_removed_from_a_map_that_was_mirrored_since() {
        let mirrored = [("subst", "A = x"), ("mirror", ""), ("subst_remove", "A = x")];
        assert_eq!(row("AB", &mirrored), "BA");
    }
}
