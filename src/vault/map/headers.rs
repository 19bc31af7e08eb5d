//! Applies headers to a map by name, and handles those that determine where the map may occur (DEPTH, PLACE, WEIGHT,
//! CHANCE, ORIENT).

use super::appearance::Look;
use super::level_properties::{BRANCH_FLAGS, LEVEL_FLAGS};
use super::{MapState, TEXT_LIMIT};
use crate::vault::dice::Dice;
use crate::vault::spec::{self, Orient, Ranges, SpecError, numbers_by_depth};

/// Headers that [`MapState::header`] handles, by the names of their Lua functions.
pub const HEADERS: [&str; 34] = [
    "subst",
    "nsubst",
    "shuffle",
    "clear",
    "kfeat",
    "kmons",
    "kitem",
    "kmask",
    "kprop",
    "mons",
    "item",
    "colour",
    "color",
    "ftile",
    "rtile",
    "tile",
    "fheight",
    "tags",
    "flags",
    "tags_remove",
    "orient",
    "weight",
    "chance",
    "depth",
    "place",
    "desc",
    "order",
    "welcome",
    "lfloorcol",
    "lfloortile",
    "lrockcol",
    "lrocktile",
    "bflags",
    "lflags",
];

impl MapState {
    /// Applies the header with this name and text; `None` if no header has this name. MARKER and SUBVAULT need scripts
    /// and other maps, and have functions of their own.
    ///
    /// The inner result is an error if the text is malformed or longer than 64 KiB, or if the statements that the map
    /// stores would have more than 2²⁰ bytes in total.
    pub fn header(&mut self, name: &str, text: &[u8], dice: &mut Dice) -> Option<Result<(), SpecError>> {
        if let Err(error) = self.bounded(name, text) {
            return HEADERS.contains(&name).then_some(Err(error));
        }
        Some(match name {
            "subst" => self.glyph_statement("subst", text, dice),
            "nsubst" => self.glyph_statement("nsubst", text, dice),
            "shuffle" => self.glyph_statement("shuffle", text, dice),
            "clear" => self.glyph_statement("clear", text, dice),
            "kfeat" => self.kfeat(text, dice),
            "kmons" => self.kmons(text, dice),
            "kitem" => self.kitem(text, dice),
            "kmask" => self.kmask(text),
            "kprop" => self.kprop(text, dice),
            "mons" => self.mons(text),
            "item" => self.item(text),
            "colour" | "color" => self.overlay(Look::Colour, text, dice),
            "ftile" => self.overlay(Look::FloorTile, text, dice),
            "rtile" => self.overlay(Look::RockTile, text, dice),
            "tile" => self.overlay(Look::Tile, text, dice),
            "fheight" => self.overlay(Look::Height, text, dice),
            _ => return self.place_header(name, &spec::text(text)),
        })
    }

    fn bounded(&mut self, name: &str, text: &[u8]) -> Result<(), SpecError> {
        if text.len() > TEXT_LIMIT {
            let begin = spec::text(&text[..40]);
            return Err(SpecError::new("the statement has more than 65,536 bytes", begin));
        }
        // These statements act immediately and store no text.
        match name {
            "subst" | "nsubst" | "shuffle" | "clear" | "kprop" => Ok(()),
            _ => self.keep(text.len()),
        }
    }

    fn place_header(&mut self, name: &str, text: &str) -> Option<Result<(), SpecError>> {
        match name {
            "tags" | "flags" => self.tags.add(text),
            "tags_remove" => self.tags.remove(text),
            "orient" => return Some(self.orient(text)),
            "weight" => return Some(self.weight(text)),
            "chance" => return Some(self.chance(text)),
            "depth" => return Some(self.depth(text)),
            "place" => return Some(self.place(text)),
            "desc" => text.clone_into(&mut self.description),
            "order" => return Some(self.order(text)),
            "lfloorcol" | "lfloortile" | "lrockcol" | "lrocktile" => {
                self.level_looks.push((name.to_owned(), text.to_owned()));
            }
            "lflags" => _ = self.change_flags(LEVEL_FLAGS, text),
            "bflags" => _ = self.change_flags(BRANCH_FLAGS, text),
            // Only the game can show a welcome message.
            "welcome" => self.record(name, text),
            _ => return None,
        }
        Some(Ok(()))
    }

    /// Handles ORIENT: sets where on a level the map is placed. An empty text removes the orientation.
    ///
    /// # Errors
    ///
    /// Fails if the text is not an orientation.
    pub fn orient(&mut self, text: &str) -> Result<(), SpecError> {
        self.orient = match text.trim() {
            "" => None,
            name => Some(Orient::parse(name)?),
        };
        Ok(())
    }

    /// Handles DEPTH: adds levels on which the map may be placed.
    ///
    /// # Errors
    ///
    /// Fails if a range is malformed.
    pub fn depth(&mut self, text: &str) -> Result<(), SpecError> {
        self.depths.add(Ranges::parse(text)?);
        Ok(())
    }

    /// If the map has no depths, sets them to the file's default.
    pub fn default_depth(&mut self, ranges: &Ranges) {
        if self.depths.is_empty() {
            self.depths = ranges.clone();
        }
    }

    /// Handles PLACE: sets the levels that the map is made for, and replaces those of an earlier PLACE.
    ///
    /// # Errors
    ///
    /// Fails if a level is malformed.
    pub fn place(&mut self, text: &str) -> Result<(), SpecError> {
        self.places = Ranges::parse(text)?;
        Ok(())
    }

    /// Handles WEIGHT: sets, by level, the weight with which the map is drawn at random.
    ///
    /// # Errors
    ///
    /// Fails if a number or range is malformed.
    pub fn weight(&mut self, text: &str) -> Result<(), SpecError> {
        for (value, ranges) in numbers_by_depth(text)? {
            match ranges {
                Some(ranges) => self.weights.set_at(Ranges::parse(ranges)?, spec::weight(value)?),
                None => self.weights.set(spec::weight(value)?),
            }
        }
        Ok(())
    }

    /// Handles CHANCE: sets, by level, the chance that the game uses the map. The game rolls for the chances first, and
    /// chooses a map by weight only if no roll succeeds.
    ///
    /// # Errors
    ///
    /// Fails if a number or range is malformed.
    pub fn chance(&mut self, text: &str) -> Result<(), SpecError> {
        for (value, ranges) in numbers_by_depth(text)? {
            match ranges {
                Some(ranges) => self.chances.set_at(Ranges::parse(ranges)?, spec::chance(value)?),
                None => self.chances.set(spec::chance(value)?),
            }
        }
        Ok(())
    }

    /// Handles a WEIGHT for which a script passes the ranges of levels as a separate argument.
    ///
    /// # Errors
    ///
    /// Fails if the number or a range is malformed.
    pub fn depth_weight(&mut self, ranges: &str, value: &str) -> Result<(), SpecError> {
        self.weights.set_at(Ranges::parse(ranges)?, spec::weight(value)?);
        Ok(())
    }

    /// Handles a CHANCE for which a script passes the ranges of levels as a separate argument.
    ///
    /// # Errors
    ///
    /// Fails if the number or a range is malformed.
    pub fn depth_chance(&mut self, ranges: &str, value: &str) -> Result<(), SpecError> {
        self.chances.set_at(Ranges::parse(ranges)?, spec::chance(value)?);
        Ok(())
    }

    fn order(&mut self, text: &str) -> Result<(), SpecError> {
        self.order = text
            .trim()
            .parse()
            .map_err(|_| SpecError::new("the order must be a whole number", text))?;
        Ok(())
    }
}
