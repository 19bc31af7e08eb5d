//! `dgn` functions for a map that fills cells of another map: they return the size of the mask (the cells to fill) and
//! whether a given cell belongs to the mask, and draw the mask as floor.
//!
//! Such a map is neither rotated nor mirrored once it has called one of these functions, because its cells would no
//! longer match the mask.

use std::rc::Rc;

use crate::vault::lua::call::{Call, Module};
use crate::vault::lua::map_run::MapRun;

/// Glyph with which `default_subvault_glyphs` fills the mask.
const GROUND: u8 = b'.';
/// Tags that prevent a map from being rotated or mirrored.
const UPRIGHT: &str = "no_rotate no_hmirror no_vmirror";

/// Adds the functions to `dgn`.
pub(crate) fn install(dgn: &Module) -> mlua::Result<()> {
    dgn.add("subvault_size", |call| {
        let map = filling_map(call)?;
        Ok(map.mask.as_ref().map_or((0, 0), |mask| (mask.width, mask.height)))
    })?;
    dgn.add("subvault_cell_valid", |call| {
        let map = filling_map(call)?;
        let (x, y) = (call.int(0)?, call.int(1)?);
        Ok(map.mask.as_ref().is_some_and(|mask| mask.holds(x, y)))
    })?;
    dgn.add("default_subvault_glyphs", |call| {
        let map = filling_map(call)?;
        let Some(mask) = &map.mask else { return Ok(()) };
        let mut state = map.state.borrow_mut();
        state.glyphs.extend(mask.width, mask.height, b' ');
        for y in 0..mask.height as i32 {
            for x in 0..mask.width as i32 {
                if mask.holds(x, y) {
                    state.glyphs.set(x, y, GROUND);
                }
            }
        }
        Ok(())
    })
}

/// Returns the calling map. If it fills cells of another map, also adds the tags that prevent it from being rotated
/// or mirrored.
fn filling_map(call: &Call) -> mlua::Result<Rc<MapRun>> {
    let map = call.map()?;
    if map.mask.is_some() {
        map.state.borrow_mut().tags.add(UPRIGHT);
    }
    Ok(map)
}
