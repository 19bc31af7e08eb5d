//! Maps that a script places on its level: `dgn.place_map` and `dgn.place_maps`.
//!
//! When a map is resolved, only the map itself is created, not the level around it. So there are three cases. If the
//! script's map has no cells yet, the placed map becomes its grid. If the script's map fills the level and may be
//! overwritten, the placed map replaces some of its cells. Otherwise, the placed map is resolved with all its Lua and
//! stored separately from the script's map, because only the game knows the ground that the placed map would cover.

use std::rc::Rc;

use mlua::Lua;

use super::engine::{Engine, Phase};
use super::map_run::MapRun;
use super::resolve::{Ending, Placement};
use crate::engine::random::Key;
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, SPACE};
use crate::vault::library::MapId;
use crate::vault::map::{MapState, Mask, Origin};
use crate::vault::spec::LEVEL_SIZE;

/// Maximum number of maps that scripts may place while one map is resolved.
const MOST: usize = 100;
/// Number of random positions on a level that are tried for a map.
const POSITIONS: u32 = 200;
/// Tags that prevent a map from being rotated or mirrored. A script's map gets them if its grid comes from a placed
/// map, which has already been rotated and mirrored.
const UPRIGHT: &str = "no_rotate no_hmirror no_vmirror";
/// Child key of the dice that choose the monsters and items of a placed map.
const FINISH: u64 = u64::MAX;

/// A request to place a map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlaceRequest {
    /// Whether to keep the cells of other vaults, and doors, stairs and similar features.
    pub(crate) careful: bool,
    /// Cell of the level at which the middle of the map should lie, if the script gives one.
    pub(crate) at: Option<Cell>,
}

impl Engine {
    /// Resolves `map`, for which a script has a handle, and places it on the level of `host`. Returns whether it was
    /// placed; if not, adds a note with the reason. In a compile run, does nothing and returns true.
    ///
    /// # Errors
    ///
    /// Fails if the map's Lua fails, or if maps place each other endlessly.
    pub(crate) fn place(
        self: &Rc<Self>,
        lua: &Lua,
        host: &Rc<MapRun>,
        map: &Rc<MapRun>,
        request: PlaceRequest,
    ) -> mlua::Result<bool> {
        if self.phase() == Phase::Compile {
            return Ok(true);
        }
        if self.is_too_deep() {
            return Err(mlua::Error::runtime("these maps place each other endlessly"));
        }
        if !self.count_placed(MOST) {
            self.note(format!("a script places more than {MOST} maps; the rest are left out"));
            return Ok(false);
        }
        let key = self.new_key();
        let used = self.session.borrow().used.clone();
        // A map that `resolve_map` returned has been resolved already.
        let is_resolved = map.parts.borrow().is_placed;
        let (run, tries) = if is_resolved {
            (Rc::clone(map), 1)
        } else {
            let attempt = self.attempt(lua, map.map, key, Placement::Turned)?;
            let why = match attempt.ending {
                Ending::Done => None,
                Ending::Vetoed => Some("it rejects this level"),
                Ending::Invalid => Some("no try passed validation"),
            };
            if let Some(why) = why {
                let name = &self.shared.library.map(map.map).name;
                self.note(format!("`{name}` is not placed: {why}"));
                return Ok(false);
            }
            self.use_up(map.map);
            (attempt.run, attempt.tries)
        };
        let placed = self.after_placing(lua, &run).and_then(|()| {
            let state = run.state.borrow().clone();
            self.join_level(host, run.map, state, tries, key, request)
        });
        if !matches!(placed, Ok(true)) {
            self.session.borrow_mut().used = used;
        }
        placed
    }

    /// Chooses and places `count` maps, each with all the tags in `tags`. Stops if there is no such map, or if a chosen
    /// map cannot be placed. Returns whether all were placed.
    ///
    /// # Errors
    ///
    /// Fails if the Lua of a map fails.
    pub(crate) fn place_tagged(
        self: &Rc<Self>,
        lua: &Lua,
        host: &Rc<MapRun>,
        tags: &str,
        count: usize,
        request: PlaceRequest,
    ) -> mlua::Result<bool> {
        for _ in 0..count.min(MOST + 1) {
            let Some(map) = self.draw(tags, |map| map != host.map) else {
                self.note(format!("no map with the tag `{tags}` can be placed here"));
                return Ok(false);
            };
            if !self.place(lua, host, &self.reference(map).0, request)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds a resolved map to the level of `host`. Returns whether there was room for it.
    fn join_level(
        &self,
        host: &Rc<MapRun>,
        map: MapId,
        state: MapState,
        tries: u32,
        key: Key,
        request: PlaceRequest,
    ) -> mlua::Result<bool> {
        let source = self.shared.library.map(map);
        let is_placed = host.parts.borrow().is_placed;
        let mut level = host.state.borrow_mut();
        let (width, height) = (state.glyphs.width(), state.glyphs.height());
        let is_blank = level.glyphs.cells().iter().all(|glyph| *glyph == SPACE);
        let corner = if is_blank && !is_placed {
            level.glyphs.extend(width, height, SPACE);
            level.tags.add(UPRIGHT);
            Some(Cell { x: 0, y: 0 })
        } else if level.takes_maps(request.careful) {
            let found = free_corner(&level, &state, request, &mut self.dice());
            if found.is_none() {
                drop(level);
                self.note(format!("`{}` is not placed: there is no room for it", source.name));
                return Ok(false);
            }
            found
        } else {
            None
        };
        let Some(corner) = corner else {
            let origin = Origin {
                file: self.shared.library.file(map).name.clone(),
                line: source.line,
                seed: self.seed(),
                tries,
            };
            level
                .placed
                .push(state.finish(origin, &mut Dice::new(key.child(FINISH))));
            return Ok(true);
        };
        let mask = Mask {
            corner,
            width,
            height,
            cells: vec![true; width * height],
        };
        let merged = level.merge_subvault(&mask, state, &mut self.dice());
        merged.map_err(|error| mlua::Error::runtime(error.to_string()))?;
        Ok(true)
    }
}

/// Returns the top left cell for a map on a level; `None` if the map does not fit. If the script gives a cell, the
/// map's middle lies there, or as near as the level's edges allow. If it gives none, random positions are tried.
fn free_corner(level: &MapState, map: &MapState, request: PlaceRequest, dice: &mut Dice) -> Option<Cell> {
    let spare_x = level.glyphs.width().checked_sub(map.glyphs.width())?;
    let spare_y = level.glyphs.height().checked_sub(map.glyphs.height())?;
    let cells: Vec<Cell> = (0..map.glyphs.cells().len())
        .map(|at| map.glyphs.cell(at))
        .filter(|cell| map.glyphs.get(cell.x, cell.y) != SPACE)
        .collect();
    let fits = |corner: &Cell| {
        cells.iter().all(|cell| {
            let on = Cell {
                x: corner.x.saturating_add(cell.x),
                y: corner.y.saturating_add(cell.y),
            };
            level.glyphs.holds(on.x, on.y) && (!request.careful || level.may_overwrite(on))
        })
    };
    if let Some(middle) = request.at {
        // A script uses coordinates of the whole level. A host map that is smaller is assumed to lie in the middle of
        // the level.
        let corner = |at: i32, of_level: usize, of_host: usize, own: usize, spare: usize| {
            let border = (of_level.saturating_sub(of_host) / 2) as i32;
            at.saturating_sub(border + own as i32 / 2).clamp(0, spare as i32)
        };
        let (host, own) = (&level.glyphs, &map.glyphs);
        let found = Cell {
            x: corner(middle.x, LEVEL_SIZE.0, host.width(), own.width(), spare_x),
            y: corner(middle.y, LEVEL_SIZE.1, host.height(), own.height(), spare_y),
        };
        return Some(found).filter(fits);
    }
    let mut random = || Cell {
        x: dice.index(spare_x + 1) as i32,
        y: dice.index(spare_y + 1) as i32,
    };
    (0..POSITIONS).map(|_| random()).find(|corner| fits(corner))
}
