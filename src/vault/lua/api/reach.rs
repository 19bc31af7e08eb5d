//! `dgn` functions for connectivity: a map's validation can check which glyphs and cells a player can reach.
//!
//! A query about a glyph that the map does not contain is an error, because neither true nor false would be correct.

use super::dgn::lua_error;
use crate::vault::connect::{self, Rows};
use crate::vault::glyphs::Cell;
use crate::vault::lua::call::{CELL, Call, Module};
use crate::vault::map::MapState;
use crate::vault::spec::SpecError;

/// Cost of a flood for each cell of the map, in Lua instructions.
const FLOOD: u64 = 8 * CELL;

/// A function that answers a query about glyphs of a map.
type Query = fn(&MapState, Rows, &[u8]) -> Result<bool, SpecError>;

/// A function that answers a query about cells of a map.
type PointQuery = fn(&MapState, Rows, &[Cell]) -> bool;

/// Adds the functions to `dgn`.
pub(crate) fn install(dgn: &Module) -> mlua::Result<()> {
    let queries: [(&'static str, Rows, Query); 6] = [
        ("glyphs_connected", Rows::Now, connect::glyphs_connected),
        ("any_glyph_connected", Rows::Now, connect::any_glyph_connected),
        ("has_exit_from_glyph", Rows::Now, from_first),
        ("orig_glyphs_connected", Rows::Original, connect::glyphs_connected),
        ("orig_any_glyph_connected", Rows::Original, connect::any_glyph_connected),
        ("orig_has_exit_from_glyph", Rows::Original, from_first),
    ];
    for (name, rows, query) in queries {
        dgn.add(name, move |call| {
            let mut glyphs = Vec::new();
            for index in 0..call.len() {
                glyphs.extend(call.bytes(index)?);
            }
            call.charge_cells(FLOOD.saturating_add(CELL.saturating_mul(glyphs.len() as u64)))?;
            let map = call.map()?;
            let state = map.state.borrow();
            query(&state, rows, &glyphs).map_err(|error| lua_error(call, &error))
        })?;
    }
    let points: [(&'static str, PointQuery); 2] = [
        ("points_connected", connect::points_connected),
        ("any_point_connected", connect::any_point_connected),
    ];
    for (name, query) in points {
        dgn.add(name, move |call| {
            let points = cells(call)?;
            call.charge_cells(FLOOD)?;
            let map = call.map()?;
            let state = map.state.borrow();
            Ok(query(&state, Rows::Now, &points))
        })?;
    }
    dgn.add("has_exit_from", |call| {
        let points = cells(call)?;
        call.charge_cells(FLOOD)?;
        let map = call.map()?;
        let state = map.state.borrow();
        Ok(points
            .first()
            .is_some_and(|from| connect::Flood::new(&state, Rows::Now, *from).leaves()))
    })
}

fn from_first(map: &MapState, rows: Rows, glyphs: &[u8]) -> Result<bool, SpecError> {
    let none = || SpecError::new("the glyph to start from is missing", "");
    connect::has_exit_from_glyph(map, rows, *glyphs.first().ok_or_else(none)?)
}

/// Converts the arguments of a call to cells. A cell is given as a table with its coordinates, or as two numbers in
/// succession.
fn cells(call: &Call) -> mlua::Result<Vec<Cell>> {
    let mut numbers = Vec::new();
    for index in 0..call.len() {
        let Ok(point) = call.table(index) else {
            numbers.push(call.int(index)?);
            continue;
        };
        for (name, place) in [("x", 1), ("y", 2)] {
            let named: Option<f64> = point.raw_get(name)?;
            let number = match named {
                Some(number) => Some(number),
                None => point.raw_get(place)?,
            };
            numbers.push(number.ok_or_else(|| call.bad(index, "point"))? as i32);
        }
    }
    Ok(numbers
        .chunks_exact(2)
        .map(|pair| Cell { x: pair[0], y: pair[1] })
        .collect())
}
