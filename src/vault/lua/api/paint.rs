//! `dgn` functions for layouts: they paint glyphs on the map, search for glyphs, and count glyphs. The module
//! `vault::paint` implements the functions.
//!
//! Most of them accept one table of named arguments. An omitted area defaults to the whole map for functions that
//! search or fill, and to the map without its edge for functions that alter its inside, such as those that dig.

use mlua::{Table, Value};

use crate::design::feature::Feature;
use crate::vault::dice::Dice;
use crate::vault::glyphs::{Cell, Glyphs};
use crate::vault::lua::Meter;
use crate::vault::lua::call::{CELL, Call, Module, is_opaque};
use crate::vault::lua::environment::MARK;
use crate::vault::lua::strings::{kind, text_of};
use crate::vault::paint::{self, Area, Brush, Dig, GlyphSet, Passages, Pools, Ragged, Room, Shape, Spots};

/// Default glyphs of the walls that separate rooms.
const WALLS: &[u8] = b"xcvbmnX";

/// Cost of counting the passages around one cell, in Lua instructions.
const WAYS: u64 = 64;

/// Adds the functions to `dgn`.
pub(crate) fn install(dgn: &Module) -> mlua::Result<()> {
    size(dgn)?;
    shapes(dgn)?;
    looking(dgn)?;
    replacing(dgn)?;
    caves(dgn)?;
    rooms(dgn)
}

/// The named arguments of a call.
struct NamedArgs<'a> {
    call: &'a Call<'a>,
    table: Option<Table>,
}

impl<'a> NamedArgs<'a> {
    fn of(call: &'a Call) -> mlua::Result<Self> {
        let table = match call.value(0) {
            Value::Nil => None,
            _ => Some(call.table(0)?),
        };
        Ok(Self { call, table })
    }

    fn value(&self, name: &str) -> mlua::Result<Value> {
        self.table.as_ref().map_or(Ok(Value::Nil), |table| table.get(name))
    }

    fn wrong(&self, name: &str, expected: &str, value: &Value) -> mlua::Error {
        let kind = kind(value);
        self.call.error(&format!("`{name}` must be a {expected}; got {kind}"))
    }

    fn number_if(&self, name: &str) -> mlua::Result<Option<i32>> {
        let value = self.value(name)?;
        let number = match &value {
            Value::Nil => return Ok(None),
            Value::Integer(_) | Value::Number(_) | Value::String(_) => self.call.lua.coerce_number(value.clone())?,
            other => is_opaque(other).then_some(1.0),
        };
        match number {
            // Fractions are truncated, because layouts halve odd numbers; the cast saturates.
            Some(number) => Ok(Some(number as i32)),
            None => Err(self.wrong(name, "number", &value)),
        }
    }

    fn number(&self, name: &str, default: i32) -> mlua::Result<i32> {
        Ok(self.number_if(name)?.unwrap_or(default))
    }

    /// Returns a required number; fails if the argument is absent.
    fn needed(&self, name: &str) -> mlua::Result<i32> {
        self.number_if(name)?
            .ok_or_else(|| self.call.error(&format!("`{name}` is missing")))
    }

    /// Returns the glyphs in an argument; `None` if it is absent or consists of opaque values.
    fn glyphs_if(&self, name: &str) -> mlua::Result<Option<Vec<u8>>> {
        let value = self.value(name)?;
        // A script may write a digit glyph as a number.
        match text_of(self.call.lua, &value)? {
            Some(glyphs) => {
                let glyphs = glyphs.as_bytes();
                // Only the game knows the glyphs between two marks.
                let known = glyphs.split(|byte| *byte == MARK).step_by(2);
                let known: Vec<u8> = known.flatten().copied().collect();
                Ok(Some(known).filter(|known| !known.is_empty() || glyphs.is_empty()))
            }
            None if value.is_nil() || is_opaque(&value) => Ok(None),
            None => Err(self.wrong(name, "string", &value)),
        }
    }

    fn set(&self, name: &str, default: &[u8]) -> mlua::Result<GlyphSet> {
        Ok(GlyphSet::new(self.glyphs_if(name)?.as_deref().unwrap_or(default)))
    }

    fn set_if(&self, name: &str) -> mlua::Result<Option<GlyphSet>> {
        Ok(self.glyphs_if(name)?.map(|glyphs| GlyphSet::new(&glyphs)))
    }

    fn passable(&self) -> mlua::Result<GlyphSet> {
        Ok(self.set_if("passable")?.unwrap_or_else(GlyphSet::passable))
    }

    fn glyph_if(&self, name: &str) -> mlua::Result<Option<u8>> {
        Ok(self.glyphs_if(name)?.and_then(|glyphs| glyphs.first().copied()))
    }

    fn glyph(&self, name: &str, default: u8) -> mlua::Result<u8> {
        Ok(self.glyph_if(name)?.unwrap_or(default))
    }

    fn flag(&self, name: &str) -> mlua::Result<bool> {
        Ok(!matches!(self.value(name)?, Value::Nil | Value::Boolean(false)))
    }

    fn cell(&self) -> mlua::Result<Cell> {
        Ok(Cell {
            x: self.needed("x")?,
            y: self.needed("y")?,
        })
    }

    fn room(&self) -> mlua::Result<Room> {
        Ok(Room {
            wall: self.glyph("wall", b'x')?,
            floor: self.glyph("floor", b'.')?,
            door: self.glyph("door", b'+')?,
            doors: self.number("door_count", 0)?,
        })
    }

    fn area(&self, default: Area) -> mlua::Result<Area> {
        let area = Area {
            x1: self.number("x1", default.x1)?,
            y1: self.number("y1", default.y1)?,
            x2: self.number("x2", default.x2)?,
            y2: self.number("y2", default.y2)?,
        };
        // If the map is too small to have an inside, the default area is empty: `x2` is less than `x1`, or `y2` less
        // than `y1`. `ordered` would swap them, and the area would contain cells.
        Ok(if area == default { area } else { area.ordered() })
    }

    fn whole(&self) -> mlua::Result<Area> {
        let area = with(self.call, |glyphs, _| Area::whole(glyphs))?;
        self.area(area)
    }

    fn inside(&self) -> mlua::Result<Area> {
        let area = with(self.call, |glyphs, _| Area::inside(glyphs))?;
        self.area(area)
    }
}

/// Runs `act` on the grid of the call's map.
fn with<R>(call: &Call, act: impl FnOnce(&mut Glyphs, &mut Dice) -> R) -> mlua::Result<R> {
    let map = call.map()?;
    let mut state = map.state.borrow_mut();
    let mut dice = call.engine.dice();
    Ok(act(&mut state.glyphs, &mut dice))
}

/// Charges `price` instructions for each cell of the grid, then runs `act` as `with` does.
fn paint<R>(call: &Call, price: u64, act: impl FnOnce(&mut Glyphs, &mut Dice) -> R) -> mlua::Result<R> {
    call.charge_cells(price)?;
    with(call, act)
}

fn size(dgn: &Module) -> mlua::Result<()> {
    dgn.add("width", |call| with(call, |glyphs, _| glyphs.width()))?;
    dgn.add("height", |call| with(call, |glyphs, _| glyphs.height()))?;
    dgn.add("extend_map", |call| {
        let args = NamedArgs::of(call)?;
        let (width, height) = (args.number("width", 0)?, args.number("height", 0)?);
        let fill = args.glyph("fill", b'x')?;
        with(call, |glyphs, _| paint::extend_map(glyphs, width, height, fill))?;
        // The work is charged afterwards, when the size of the result is known.
        paint(call, CELL, |_, _| ())
    })?;
    dgn.add("mapgrd_table", |call| {
        let env = call.map()?.env();
        env.map_or(Ok(Value::Nil), |env| env.get("mapgrd"))
    })?;
    // A map is resolved before any other map is placed on its level, so there is no primary vault yet.
    dgn.add("primary_vault_dimensions", |_| Ok(Value::Nil))?;
    dgn.recorded("dgn.", "layout_type")
}

fn shapes(dgn: &Module) -> mlua::Result<()> {
    dgn.add("fill_area", |call| {
        let args = NamedArgs::of(call)?;
        let (area, fill, border) = (args.whole()?, args.glyph("fill", b'x')?, args.glyph_if("border")?);
        paint(call, CELL, |glyphs, _| paint::fill_area(glyphs, area, fill, border))
    })?;
    dgn.add("make_box", |call| {
        let args = NamedArgs::of(call)?;
        let (wall, floor) = (args.glyph("wall", b'x')?, args.glyph("floor", b'.')?);
        let (area, thickness) = (args.whole()?, args.number("width", 1)?);
        paint(call, CELL, |glyphs, _| {
            paint::make_box(glyphs, area, wall, floor, thickness);
        })
    })?;
    dgn.add("make_box_doors", |call| {
        let args = NamedArgs::of(call)?;
        let (area, door, number) = (args.whole()?, args.glyph("door", b'+')?, args.number("number", 1)?);
        paint(call, CELL, |glyphs, dice| {
            paint::add_box_doors(glyphs, area, door, number, dice)
        })
    })?;
    dgn.add("make_round_box", |call| {
        let args = NamedArgs::of(call)?;
        let (area, room) = (args.whole()?, args.room()?);
        paint(call, CELL, |glyphs, dice| {
            paint::make_round_box(glyphs, area, &room, dice)
        })
    })?;
    dgn.add("make_irregular_box", |call| {
        let args = NamedArgs::of(call)?;
        let (area, room) = (args.whole()?, args.room()?);
        let ragged = Ragged {
            div_x: args.number("div_x", 1)?,
            div_y: args.number("div_y", 1)?,
            in_x: args.number("in_x", 1)?,
            in_y: args.number("in_y", 1)?,
        };
        paint(call, CELL, |glyphs, dice| {
            paint::make_irregular_box(glyphs, area, &ragged, &room, dice)
        })
    })?;
    for (name, shape) in [
        ("make_circle", Shape::Circle),
        ("make_diamond", Shape::Diamond),
        ("make_square", Shape::Square),
        ("make_rounded_square", Shape::RoundedSquare),
    ] {
        dgn.add(name, move |call| {
            let args = NamedArgs::of(call)?;
            let (centre, radius, fill) = (args.cell()?, args.needed("radius")?, args.glyph("fill", b'x')?);
            paint(call, CELL, |glyphs, _| {
                paint::make_shape(glyphs, shape, centre, radius, fill);
            })
        })?;
    }
    dgn.add("octa_room", |call| {
        let args = NamedArgs::of(call)?;
        let (area, oblique) = (args.whole()?, args.number_if("oblique")?);
        let (inside, outside) = (args.glyph("inside", b'.')?, args.glyph_if("outside")?);
        let replace = args.set_if("replace")?;
        paint(call, CELL, |glyphs, dice| {
            let short = area.x2.saturating_sub(area.x1).min(area.y2.saturating_sub(area.y1));
            let oblique = oblique.unwrap_or_else(|| dice.range(0, short / 2));
            paint::octa_room(glyphs, area, oblique, inside, outside, replace.as_ref());
        })
    })
}

fn looking(dgn: &Module) -> mlua::Result<()> {
    dgn.add("find_in_area", |call| {
        let args = NamedArgs::of(call)?;
        let (area, find, vaults) = (args.whole()?, args.set("find", b"")?, args.flag("find_vault")?);
        let cells = with(call, |glyphs, _| area.cells(glyphs).count())?;
        Meter::of(call.lua).spend(call.lua, cells as u64 * CELL)?;
        let map = call.map()?;
        let state = map.state.borrow();
        Ok(paint::find_in_area(&state.glyphs, area, &find, |cell| {
            vaults && state.is_copied(cell)
        }))
    })?;
    dgn.add("count_feature_in_box", |call| {
        let args = NamedArgs::of(call)?;
        let (area, find) = (args.whole()?, features(&args, "feat")?);
        paint(call, CELL, |glyphs, _| paint::count_in_area(glyphs, area, &find))
    })?;
    dgn.add("count_antifeature_in_box", |call| {
        let args = NamedArgs::of(call)?;
        let (area, find) = (args.whole()?, features(&args, "antifeat")?);
        paint(call, CELL, |glyphs, _| {
            area.cells(glyphs).count() - paint::count_in_area(glyphs, area, &find)
        })
    })?;
    // Level files of different years spell this name differently.
    for name in ["count_neighbours", "count_neighbors"] {
        dgn.add(name, |call| {
            let args = NamedArgs::of(call)?;
            let (cell, find) = (args.cell()?, features(&args, "feat")?);
            with(call, |glyphs, _| paint::count_neighbours(glyphs, cell, &find))
        })?;
    }
    dgn.add("count_passable_neighbours", |call| {
        let args = NamedArgs::of(call)?;
        let (cell, passable) = (args.cell()?, args.passable()?);
        with(call, |glyphs, _| paint::count_neighbours(glyphs, cell, &passable))
    })?;
    dgn.add("is_valid_coord", |call| {
        let Cell { x, y } = NamedArgs::of(call)?.cell()?;
        with(call, |glyphs, _| glyphs.holds(x, y))
    })?;
    dgn.add("is_passable_coord", |call| {
        let args = NamedArgs::of(call)?;
        let (Cell { x, y }, passable) = (args.cell()?, args.passable()?);
        with(call, |glyphs, _| glyphs.holds(x, y) && passable.has(glyphs.get(x, y)))
    })?;
    dgn.add("farthest_from", |call| {
        let find = GlyphSet::new(&call.bytes(0)?);
        paint(call, CELL, |glyphs, _| {
            let cell = paint::farthest_from(glyphs, &find, &GlyphSet::passable());
            (cell.map(|cell| cell.x), cell.map(|cell| cell.y))
        })
    })
}

/// Returns the glyphs in the argument called `name`, such as `feat`. If the argument is the name of a feature, returns
/// all glyphs of that feature. If the argument is missing, returns the glyphs in the argument called `find`.
fn features(args: &NamedArgs, name: &str) -> mlua::Result<GlyphSet> {
    let Some(text) = args.glyphs_if(name)? else {
        return args.set("find", b".");
    };
    let feature = std::str::from_utf8(&text).ok().and_then(Feature::by_name);
    let Some(feature) = feature else {
        return Ok(GlyphSet::new(&text));
    };
    let glyphs: Vec<u8> = (0..=u8::MAX)
        .filter(|glyph| Feature::of_glyph(*glyph) == Some(feature))
        .collect();
    Ok(GlyphSet::new(&glyphs))
}

fn replacing(dgn: &Module) -> mlua::Result<()> {
    dgn.add("replace_area", |call| {
        let args = NamedArgs::of(call)?;
        let (area, find, brush) = (args.whole()?, args.set("find", b"")?, brush(&args)?);
        paint(call, CELL, |glyphs, dice| {
            paint::replace_area(glyphs, area, &find, Brush(&brush), dice)
        })
    })?;
    dgn.add("replace_first", |call| {
        let args = NamedArgs::of(call)?;
        let (cell, find, brush) = (args.cell()?, args.set("find", b"x")?, brush(&args)?);
        let way = (args.number("xdir", 0)?, args.number("ydir", 0)?);
        paint(call, CELL, |glyphs, dice| {
            paint::replace_first(glyphs, cell, way, &find, Brush(&brush), dice)
        })
    })?;
    dgn.add("replace_random", |call| {
        let args = NamedArgs::of(call)?;
        let (area, find, brush) = (args.whole()?, args.set("find", b"x")?, brush(&args)?);
        paint(call, CELL, |glyphs, dice| {
            paint::replace_random(glyphs, area, &find, Brush(&brush), dice).is_some()
        })
    })?;
    dgn.add("replace_closest", |call| {
        let args = NamedArgs::of(call)?;
        let (cell, find, brush) = (args.cell()?, args.set("find", b"x")?, brush(&args)?);
        paint(call, CELL, |glyphs, dice| {
            paint::replace_closest(glyphs, cell, &find, Brush(&brush), dice).is_some()
        })
    })
}

fn brush(args: &NamedArgs) -> mlua::Result<Vec<u8>> {
    Ok(args.glyphs_if("replace")?.unwrap_or_else(|| b".".to_vec()))
}

fn caves(dgn: &Module) -> mlua::Result<()> {
    dgn.add("spotty_map", |call| {
        let spots = spots(&NamedArgs::of(call)?, "find", "replace")?;
        paint(call, 2 * CELL, |glyphs, dice| paint::spotty_map(glyphs, &spots, dice))
    })?;
    dgn.add("smear_map", |call| {
        let spots = spots(&NamedArgs::of(call)?, "onto", "smear")?;
        paint(call, 8 * CELL, |glyphs, dice| paint::smear_map(glyphs, &spots, dice))
    })?;
    dgn.add("widen_paths", |call| {
        let args = NamedArgs::of(call)?;
        let (find, replace) = (args.set("find", b"x")?, args.glyph("replace", b'.')?);
        let (area, passable, percent) = (args.inside()?, args.passable()?, args.number("percent", 100)?);
        paint(call, 2 * CELL, |glyphs, dice| {
            paint::widen_paths(glyphs, area, (&find, replace), &passable, percent, dice);
        })
    })?;
    dgn.add("remove_isolated_glyphs", |call| {
        let args = NamedArgs::of(call)?;
        let (find, replace) = (args.set("find", b"x")?, args.glyph("replace", b'.')?);
        let (area, percent, boxy) = (args.inside()?, args.number("percent", 100)?, args.flag("boxy")?);
        paint(call, 2 * CELL, |glyphs, dice| {
            paint::remove_isolated_glyphs(glyphs, area, (&find, replace), percent, boxy, dice);
        })
    })?;
    dgn.add("delve", |call| {
        let dig = Dig {
            least: call.int_or(0, 2),
            most: call.int_or(1, 3),
            join_percent: call.int_or(2, 0),
            cells: call.int_or(3, 0),
            newest: call.int_or(4, 125),
            rock: b'x',
            floor: b'.',
        };
        paint(call, 16 * CELL, |glyphs, dice| {
            let area = Area::inside(glyphs);
            paint::delve(glyphs, area, &dig, dice)
        })
    })?;
    dgn.add("add_pools", |call| {
        let args = NamedArgs::of(call)?;
        let pools = Pools {
            area: args.inside()?,
            replace: args.set("replace", b".")?,
            size: args.number("pool_size", 100)?,
            contents: contents(&args)?,
            border: args.glyph_if("border")?,
            percent: args.number("frequency", 100)?,
        };
        paint(call, 4 * CELL, |glyphs, dice| paint::add_pools(glyphs, &pools, dice))
    })
}

fn spots(args: &NamedArgs, find: &str, replace: &str) -> mlua::Result<Spots> {
    let area = args.inside()?;
    let quarter = with(args.call, |glyphs, _| area.cells(glyphs).count() / 4)?;
    Ok(Spots {
        area,
        find: args.set(find, b"x")?,
        replace: args.glyph(replace, b'.')?,
        boxy: args.flag("boxy")?,
        iterations: args.number("iterations", quarter as i32)?,
    })
}

/// Returns the glyphs that may fill a pool, with their weights in hundredths. Negative weights count as 0.
fn contents(args: &NamedArgs) -> mlua::Result<Vec<(u8, u32)>> {
    let table = match args.value("contents")? {
        Value::Table(table) => table,
        other => return Err(args.wrong("contents", "table of glyphs and weights", &other)),
    };
    let mut contents = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (glyph, weight) = pair?;
        let glyph = match &glyph {
            Value::String(text) => text.as_bytes().first().copied(),
            _ => None,
        };
        let weight = args.call.lua.coerce_number(weight)?;
        if let (Some(glyph), Some(weight)) = (glyph, weight) {
            // The cast saturates, so a negative weight becomes 0.
            contents.push((glyph, (weight * 100.0) as u32));
        }
    }
    // Lua tables have no order, but random choices need a fixed order to be reproducible.
    contents.sort_unstable();
    Ok(contents)
}

fn rooms(dgn: &Module) -> mlua::Result<()> {
    dgn.add("connect_adjacent_rooms", |call| {
        let args = NamedArgs::of(call)?;
        let area = args.inside()?;
        let all = with(call, |glyphs, _| area.cells(glyphs).count())?;
        let most = args.number("max", all as i32)?;
        let passages = Passages {
            area,
            wall: args.set("wall", WALLS)?,
            floor: args.set("floor", b".")?,
            replace: args.glyph("replace", b'.')?,
            least: args.number("min", most)?,
            most,
            check_distance: args.number_if("check_distance")?,
        };
        paint(call, WAYS, |glyphs, dice| {
            paint::connect_adjacent_rooms(glyphs, &passages, dice)
        })
    })?;
    dgn.add("add_windows", |call| {
        let args = NamedArgs::of(call)?;
        let (area, window) = (args.inside()?, args.glyph("window", b'm')?);
        let (wall, open) = (args.set("wall", WALLS)?, args.set("open", b".")?);
        paint(call, CELL, |glyphs, dice| {
            paint::add_windows(glyphs, area, (&wall, &open), window, dice)
        })
    })?;
    dgn.add("remove_disconnected_doors", |call| {
        let args = NamedArgs::of(call)?;
        let (area, door) = (args.whole()?, args.set("door", b"+=")?);
        let (passable, replace) = (args.passable()?, args.glyph("replace", b'x')?);
        paint(call, CELL, |glyphs, _| {
            paint::remove_disconnected_doors(glyphs, area, &door, &passable, replace)
        })
    })?;
    dgn.add("fill_disconnected", |call| {
        let args = NamedArgs::of(call)?;
        let (area, passable) = (args.whole()?, args.passable()?);
        let (keep, fill) = (args.set("keep", b"")?, args.glyph("fill", b'x')?);
        paint(call, 4 * CELL, |glyphs, _| {
            paint::fill_disconnected(glyphs, area, &passable, &keep, fill)
        })
    })?;
    dgn.add("join_the_dots", |call| {
        let args = NamedArgs::of(call)?;
        let (x1, y1, x2, y2) = (
            args.needed("x1")?,
            args.needed("y1")?,
            args.needed("x2")?,
            args.needed("y2")?,
        );
        let (passable, fill) = (args.passable()?, args.glyph("fill", b'.')?);
        paint(call, CELL, |glyphs, dice| {
            paint::join_the_dots(
                glyphs,
                Cell { x: x1, y: y1 },
                Cell { x: x2, y: y2 },
                &passable,
                fill,
                dice,
            )
        })
    })
}
