//! Replaces the functions of Lua's string library that could run without bound in C: pattern matching and repetition.
//!
//! Arguments, results and errors are those of Lua 5.1. The work of each call is charged to the run's [`Meter`].

use std::cell::Cell;

use mlua::{Function, Lua, LuaString, MultiValue, Table, Value};

use super::meter::Meter;
use super::patterns::{Captured, Matcher, PatternError, find_plain, is_plain};

/// Bytes copied for the price of one instruction.
const BYTES_PER_STEP: usize = 64;

/// Adds the functions to the `string` library.
pub(super) fn install(lua: &Lua, meter: &Meter) -> mlua::Result<()> {
    let string: Table = lua.globals().get("string")?;
    let set = |name: &'static str, function: fn(&Lua, &Meter, &Arguments) -> mlua::Result<MultiValue>| {
        let meter = meter.clone();
        let function = lua.create_function(move |lua, values: MultiValue| {
            let arguments = Arguments { values };
            function(lua, &meter, &arguments)
        })?;
        string.raw_set(name, function)
    };
    set("find", |lua, meter, arguments| find(lua, meter, arguments, true))?;
    set("match", |lua, meter, arguments| find(lua, meter, arguments, false))?;
    set("gmatch", gmatch)?;
    set("gfind", gmatch)?;
    set("gsub", gsub)?;
    set("rep", repeat)
}

/// The arguments of a call.
struct Arguments {
    values: MultiValue,
}

impl Arguments {
    /// Returns an argument, counted from 1.
    fn get(&self, number: usize) -> Option<&Value> {
        self.values.get(number - 1)
    }

    fn string(&self, lua: &Lua, number: usize) -> mlua::Result<LuaString> {
        let text = text_of(lua, self.get(number).unwrap_or(&Value::Nil))?;
        text.ok_or_else(|| self.wrong(lua, number, "string"))
    }

    fn integer(&self, lua: &Lua, number: usize) -> mlua::Result<i64> {
        let value = match self.get(number) {
            Some(value @ (Value::Integer(_) | Value::Number(_) | Value::String(_))) => {
                lua.coerce_number(value.clone())?
            }
            _ => None,
        };
        // The conversion saturates.
        value.map_or_else(|| Err(self.wrong(lua, number, "number")), |value| Ok(value as i64))
    }

    fn integer_or(&self, lua: &Lua, number: usize, default: i64) -> mlua::Result<i64> {
        match self.get(number) {
            None | Some(Value::Nil) => Ok(default),
            Some(_) => self.integer(lua, number),
        }
    }

    fn wrong(&self, lua: &Lua, number: usize, expected: &str) -> mlua::Error {
        let given = self.get(number).map_or("no value", kind);
        bad_argument(lua, number, &format!("{expected} expected, got {given}"))
    }
}

/// Returns a string, or a number in the form that Lua gives it: `3` for 3.0, `0.3` for 0.1 + 0.2, `1e+15` for 10^15.
/// Returns `None` for other values.
pub(super) fn text_of(lua: &Lua, value: &Value) -> mlua::Result<Option<LuaString>> {
    match value {
        Value::String(_) | Value::Integer(_) | Value::Number(_) => lua.coerce_string(value.clone()),
        _ => Ok(None),
    }
}

/// Returns the Lua name of a value's type.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Integer(_) => "number",
        Value::Error(_) => "userdata",
        other => other.type_name(),
    }
}

/// Returns the error that Lua's own library raises for a bad argument.
fn bad_argument(lua: &Lua, number: usize, what: &str) -> mlua::Error {
    let called = lua.inspect_stack(0, |debug| {
        let names = debug.names();
        (
            names.name.map(std::borrow::Cow::into_owned),
            names.name_what == Some("method"),
        )
    });
    let (name, method) = called.unwrap_or_default();
    let name = name.unwrap_or_else(|| "?".to_owned());
    mlua::Error::runtime(match (method, number) {
        (true, 1) => format!("calling '{name}' on bad self ({what})"),
        (true, _) => format!("bad argument #{} to '{name}' ({what})", number - 1),
        (false, _) => format!("bad argument #{number} to '{name}' ({what})"),
    })
}

/// Runs a matcher with the remaining instructions of the run, and charges the instructions that it used.
fn paid<'a, T>(
    lua: &Lua,
    meter: &Meter,
    matcher: &mut Matcher<'a>,
    work: impl FnOnce(&mut Matcher<'a>) -> Result<T, PatternError>,
) -> mlua::Result<T> {
    matcher.fuel = meter.left();
    let result = work(matcher);
    charge_fuel(lua, meter, matcher.fuel, result)
}

/// Charges the run for the instructions that a match used; `fuel` is the number of instructions that remain.
fn charge_fuel<T>(lua: &Lua, meter: &Meter, fuel: u64, result: Result<T, PatternError>) -> mlua::Result<T> {
    match &result {
        // Charge one instruction more than is left, which ends the run.
        Err(PatternError::Spent) => meter.spend(lua, meter.left().saturating_add(1))?,
        _ => meter.spend(lua, meter.left() - fuel)?,
    }
    result.map_err(mlua::Error::runtime)
}

/// Splits the leading `^` off a pattern. Returns the remaining pattern, and whether there was a `^`.
fn anchor(pattern: &[u8]) -> (&[u8], bool) {
    pattern.strip_prefix(b"^").map_or((pattern, false), |rest| (rest, true))
}

/// Returns the Lua values of a match's first `count` captures.
fn captures(lua: &Lua, matcher: &Matcher, span: (usize, usize), count: usize) -> mlua::Result<Vec<Value>> {
    (0..count).map(|index| capture(lua, matcher, span, index)).collect()
}

fn capture(lua: &Lua, matcher: &Matcher, (start, end): (usize, usize), index: usize) -> mlua::Result<Value> {
    match matcher.captured(index, start, end).map_err(mlua::Error::runtime)? {
        Captured::Text(text) => Ok(Value::String(lua.create_string(text)?)),
        Captured::Position(position) => Ok(integer_value(position)),
    }
}

/// Implements `string.find` and `string.match`.
fn find(lua: &Lua, meter: &Meter, arguments: &Arguments, places: bool) -> mlua::Result<MultiValue> {
    let (subject, pattern) = (arguments.string(lua, 1)?, arguments.string(lua, 2)?);
    let (subject, pattern) = (&*subject.as_bytes(), &*pattern.as_bytes());
    let from = match arguments.integer_or(lua, 3, 1)? {
        back if back < 0 => subject.len().saturating_sub(back.unsigned_abs() as usize),
        from => (from as usize).saturating_sub(1).min(subject.len()),
    };
    let plain = arguments
        .get(4)
        .is_some_and(|value| !matches!(value, Value::Nil | Value::Boolean(false)));
    if places && (plain || is_plain(pattern)) {
        let mut fuel = meter.left();
        let found = find_plain(subject, pattern, from, &mut fuel);
        let found = charge_fuel(lua, meter, fuel, found)?;
        return Ok(found.map_or_else(nothing, |start| span_values((start, start + pattern.len())).into()));
    }
    let (pattern, anchored) = anchor(pattern);
    let mut matcher = Matcher::new(subject, pattern);
    let Some(span) = paid(lua, meter, &mut matcher, |matcher| matcher.search(from, anchored))? else {
        return Ok(nothing());
    };
    if places {
        let mut values = span_values(span);
        values.extend(captures(lua, &matcher, span, matcher.captures())?);
        Ok(values.into())
    } else {
        Ok(captures(lua, &matcher, span, matcher.values())?.into())
    }
}

/// Returns a position or a number of matches as a Lua value. mlua's integers are as wide as a pointer, so the
/// number fits.
fn integer_value(number: usize) -> Value {
    Value::Integer(number as mlua::Integer)
}

fn nothing() -> MultiValue {
    vec![Value::Nil].into()
}

/// Returns the positions of the first and the last byte of a match, counted from 1.
fn span_values((start, end): (usize, usize)) -> Vec<Value> {
    vec![integer_value(start + 1), integer_value(end)]
}

/// Implements `string.gmatch`, which returns an iterator over the matches.
fn gmatch(lua: &Lua, meter: &Meter, arguments: &Arguments) -> mlua::Result<MultiValue> {
    let (subject, pattern) = (arguments.string(lua, 1)?, arguments.string(lua, 2)?);
    let meter = meter.clone();
    let next = Cell::new(0);
    let iterator: Function = lua.create_function(move |lua, ()| {
        let (subject, pattern) = (&*subject.as_bytes(), &*pattern.as_bytes());
        if next.get() > subject.len() {
            return Ok(MultiValue::new());
        }
        let mut matcher = Matcher::new(subject, pattern);
        let Some(span) = paid(lua, &meter, &mut matcher, |matcher| matcher.search(next.get(), false))? else {
            return Ok(MultiValue::new());
        };
        // After an empty match, the search continues one byte later, so that it always ends.
        next.set(if span.0 == span.1 { span.1 + 1 } else { span.1 });
        Ok(captures(lua, &matcher, span, matcher.values())?.into())
    })?;
    Ok(vec![Value::Function(iterator)].into())
}

/// The replacement of a match in `string.gsub`.
enum Replacement<'a> {
    Text(LuaString),
    Function(&'a Function),
    Table(&'a Table),
}

impl Replacement<'_> {
    /// Appends the replacement of a match to the result.
    fn add(
        &self,
        lua: &Lua,
        meter: &Meter,
        matcher: &Matcher,
        span: (usize, usize),
        result: &mut Vec<u8>,
    ) -> mlua::Result<()> {
        let value = match self {
            Self::Text(text) => return add_template(meter, matcher, span, &text.as_bytes(), result),
            Self::Function(function) => {
                let values: MultiValue = captures(lua, matcher, span, matcher.values())?.into();
                function.call::<Value>(values)?
            }
            Self::Table(table) => table.get::<Value>(capture(lua, matcher, span, 0)?)?,
        };
        match value {
            Value::Nil | Value::Boolean(false) => result.extend_from_slice(matcher.text(span)),
            value => {
                let wrong = || mlua::Error::runtime(format!("invalid replacement value (a {})", kind(&value)));
                let text = text_of(lua, &value)?.ok_or_else(wrong)?;
                result.extend_from_slice(&text.as_bytes());
            }
        }
        Ok(())
    }
}

/// Appends `template`, with `%0` replaced by the match and `%1` to `%9` by its captures. Fails before a capture makes
/// `result` exceed the memory limit, because a template can repeat a long match many times.
fn add_template(
    meter: &Meter,
    matcher: &Matcher,
    span: (usize, usize),
    template: &[u8],
    result: &mut Vec<u8>,
) -> mlua::Result<()> {
    let mut letters = template.iter();
    while let Some(letter) = letters.next() {
        if *letter != b'%' {
            result.push(*letter);
            continue;
        }
        // As in C, a missing byte at the end counts as 0.
        let captured = match letters.next().copied().unwrap_or(0) {
            b'0' => Captured::Text(matcher.text(span)),
            digit @ b'1'..=b'9' => {
                let captured = matcher.captured(usize::from(digit - b'1'), span.0, span.1);
                captured.map_err(mlua::Error::runtime)?
            }
            letter => {
                result.push(letter);
                continue;
            }
        };
        let number;
        let text = match captured {
            Captured::Text(text) => text,
            Captured::Position(position) => {
                number = position.to_string();
                number.as_bytes()
            }
        };
        meter.fits(result.len() + text.len())?;
        result.extend_from_slice(text);
    }
    Ok(())
}

/// Implements `string.gsub`.
fn gsub(lua: &Lua, meter: &Meter, arguments: &Arguments) -> mlua::Result<MultiValue> {
    let (subject, pattern) = (arguments.string(lua, 1)?, arguments.string(lua, 2)?);
    let replacement = match arguments.get(3) {
        Some(Value::String(_) | Value::Integer(_) | Value::Number(_)) => Replacement::Text(arguments.string(lua, 3)?),
        Some(Value::Function(function)) => Replacement::Function(function),
        Some(Value::Table(table)) => Replacement::Table(table),
        _ => return Err(bad_argument(lua, 3, "string/function/table expected")),
    };
    let (subject, pattern) = (&*subject.as_bytes(), &*pattern.as_bytes());
    let most = arguments.integer_or(lua, 4, subject.len() as i64 + 1)?;
    let (pattern, anchored) = anchor(pattern);
    let mut matcher = Matcher::new(subject, pattern);
    let (mut result, mut at, mut count) = (Vec::new(), 0, 0_usize);
    while (count as i64) < most {
        let end = paid(lua, meter, &mut matcher, |matcher| matcher.match_at(at))?;
        let before = result.len();
        if let Some(end) = end {
            count += 1;
            replacement.add(lua, meter, &matcher, (at, end), &mut result)?;
        }
        match end {
            Some(end) if end > at => at = end,
            _ if at < subject.len() => {
                result.push(subject[at]);
                at += 1;
            }
            _ => break,
        }
        meter.fits(result.len())?;
        meter.spend(lua, ((result.len() - before) / BYTES_PER_STEP) as u64)?;
        if anchored {
            break;
        }
    }
    result.extend_from_slice(&subject[at..]);
    meter.fits(result.len())?;
    let result = lua.create_string(&result)?;
    Ok(vec![Value::String(result), integer_value(count)].into())
}

/// Implements `string.rep`.
fn repeat(lua: &Lua, meter: &Meter, arguments: &Arguments) -> mlua::Result<MultiValue> {
    let text = arguments.string(lua, 1)?;
    let times = usize::try_from(arguments.integer(lua, 2)?).unwrap_or(0);
    let text = &*text.as_bytes();
    let length = text.len().saturating_mul(times);
    meter.fits(length)?;
    meter.spend(lua, (length / BYTES_PER_STEP) as u64)?;
    let result = if length == 0 { Vec::new() } else { text.repeat(times) };
    Ok(vec![Value::String(lua.create_string(&result)?)].into())
}
