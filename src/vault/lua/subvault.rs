//! Maps within maps: SUBVAULT, and the handles through which scripts refer to other maps.

use std::rc::Rc;

use mlua::Lua;

use super::engine::{Engine, Phase};
use super::map_run::{Handle, MapRun};
use super::resolve::{Ending, Placement};
use crate::text::fnv1a;
use crate::vault::library::MapId;
use crate::vault::map::{MapState, Mask};
use crate::vault::spec::SubvaultSpec;

/// Maximum number of maps that are tried for a subvault before its cells are left unchanged.
const TRIES: u64 = 100;
/// Maximum nesting depth of maps.
const DEPTH: usize = 12;

impl Engine {
    /// Handles SUBVAULT: resolves another map and copies it into cells of this one. If no map with the
    /// requested tags fits, the cells stay unchanged and a note gives the reason.
    ///
    /// # Errors
    ///
    /// Fails if the text is malformed, the other map's Lua fails, or maps are nested too deeply.
    pub(crate) fn subvault(self: &Rc<Self>, lua: &Lua, run: &Rc<MapRun>, text: &[u8]) -> mlua::Result<()> {
        let spec = SubvaultSpec::parse(text).map_err(|error| mlua::Error::runtime(error.to_string()))?;
        if self.phase() == Phase::Compile {
            return Ok(());
        }
        let Some(mask) = run.state.borrow().subvault_mask(&spec.keys).map(Rc::new) else {
            return Ok(());
        };
        if self.is_too_deep() {
            return Err(mlua::Error::runtime(format!(
                "subvaults are nested more than {DEPTH} deep: `{}` requests one more",
                run.state.borrow().name
            )));
        }
        let Some(child) = self.filling(lua, run, &spec, &mask)? else {
            let wanted: Vec<String> = spec.choices.iter().map(|(tags, _)| tags.join(" ")).collect();
            self.note(format!(
                "no map with the tag `{}` fits into {} × {} cells here",
                wanted.join("` or `"),
                mask.width,
                mask.height
            ));
            return Ok(());
        };
        let state = child.state.borrow().clone();
        // The copy `state` keeps the unsupported calls made and the maps placed so far. The child's own lists are
        // cleared, so that `gather` later moves only the calls and maps that hooks and epilogues add.
        {
            let mut child = child.state.borrow_mut();
            child.recorded.clear();
            child.placed.clear();
        }
        self.use_up(child.map);
        let merged = {
            let mut outer = run.state.borrow_mut();
            outer.merge_subvault(&mask, state, &mut self.dice())
        };
        merged.map_err(|error| mlua::Error::runtime(error.to_string()))?;
        run.parts.borrow_mut().children.push(child);
        Ok(())
    }

    /// Returns whether maps are nested so deeply that no further map may run within them.
    pub(crate) fn is_too_deep(&self) -> bool {
        self.depth() > DEPTH
    }

    /// Returns a resolved map that fits a mask; `None` if none is found.
    fn filling(
        self: &Rc<Self>,
        lua: &Lua,
        run: &Rc<MapRun>,
        spec: &SubvaultSpec,
        mask: &Rc<Mask>,
    ) -> mlua::Result<Option<Rc<MapRun>>> {
        // The keys of all tries are derived from this one.
        let base = self.new_key();
        for number in 0..TRIES {
            let chosen = self.dice().pick(&spec.choices, |(_, weight)| *weight);
            let Some(chosen) = chosen else { return Ok(None) };
            let tags = spec.choices[chosen].0.join(" ");
            let Some(map) = self.draw(&tags, |map| {
                map != run.map && self.compiled_state(map).is_some_and(|state| fits(&state, mask))
            }) else {
                // With a single alternative, another try would find no map either.
                if spec.choices.len() == 1 {
                    return Ok(None);
                }
                continue;
            };
            let key = base
                .child(number)
                .child(fnv1a(self.shared.library.map(map).name.bytes()));
            let used = self.session.borrow().used.clone();
            let attempt = self.attempt(lua, map, key, Placement::Within(mask))?;
            if attempt.ending == Ending::Done && fits(&attempt.run.state.borrow(), mask) {
                return Ok(Some(attempt.run));
            }
            // The subvaults of a map that is not copied remain available.
            self.session.borrow_mut().used = used;
        }
        Ok(None)
    }

    /// Draws, by weight, a map that has all these tags, is allowed on this level and is not used up.
    pub(crate) fn draw(&self, tags: &str, wanted: impl Fn(MapId) -> bool) -> Option<MapId> {
        let mut words = tags.split_ascii_whitespace();
        let level = self.world().level;
        let mut maps = self.tagged(words.next()?);
        let catalog = &self.findings.borrow().catalog;
        maps.retain(|id| {
            catalog.get(*id).is_some_and(|profile| {
                words.clone().all(|tag| profile.has(tag))
                    && (profile.depths.is_empty() || profile.depths.matches(&level))
                    && self.session.borrow().used.allows(*id, profile, &level)
                    && wanted(*id)
            })
        });
        catalog.choice_by_weight(maps, &level).draw(&mut self.dice())
    }

    /// Returns the state of a map after its compile run.
    fn compiled_state(&self, id: MapId) -> Option<Rc<MapState>> {
        self.report(id).map(|report| report.state)
    }

    /// Records that a map was placed on the current level.
    pub(crate) fn use_up(&self, id: MapId) {
        let level = self.world().level;
        if let Some(profile) = self.findings.borrow().catalog.get(id) {
            self.session.borrow_mut().used.record(id, profile, &level);
        }
    }

    /// Returns a script's handle for a map that is not resolved yet.
    pub(crate) fn reference(&self, map: MapId) -> Handle {
        let state = self
            .compiled_state(map)
            .map_or_else(|| self.state(map), |state| MapState::clone(&state));
        Handle(MapRun::new(map, self.shared.programs.maps[map.index()].file, state))
    }

    /// Resolves a map for which a script has a handle; returns `None` if the map vetoes the level or fails its own
    /// validation.
    ///
    /// # Errors
    ///
    /// Fails if the map's Lua fails or maps are nested too deeply.
    pub(crate) fn resolve_reference(self: &Rc<Self>, lua: &Lua, run: &Rc<MapRun>) -> mlua::Result<Option<Handle>> {
        if self.is_too_deep() {
            return Err(mlua::Error::runtime("maps are nested too deeply within each other"));
        }
        let key = self.new_key();
        let attempt = self.attempt(lua, run.map, key, Placement::Turned)?;
        if attempt.ending != Ending::Done {
            return Ok(None);
        }
        self.use_up(run.map);
        Ok(Some(Handle(attempt.run)))
    }
}

/// Returns whether a map fits into the bounding box of a mask. If its tags allow rotation, it may also fit after a
/// quarter turn. An empty grid always fits, because Lua may still draw it.
fn fits(state: &MapState, mask: &Mask) -> bool {
    let (width, height) = (state.glyphs.width(), state.glyphs.height());
    let fits = |width, height| width <= mask.width && height <= mask.height;
    fits(width, height) || !state.tags.has("no_rotate") && fits(height, width)
}
