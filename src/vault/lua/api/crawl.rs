//! The module `crawl`: random draws, text functions and game messages.
//!
//! Draws come from the dice of the running map. Messages are recorded as unsupported calls. Functions that query the
//! player or the screen return fixed values, because there is neither.

use std::cmp::Ordering;

use mlua::{Function, Table, Value};
use regex_lite::RegexBuilder;

use crate::vault::lua::Meter;
use crate::vault::lua::call::{Call, Module};
use crate::vault::lua::engine::Phase;
use crate::vault::noise;

/// Maximum size of a compiled regular expression, in bytes.
const REGEX_LIMIT: usize = 1 << 16;
/// Maximum number of states of a compiled regular expression, each of which occupies at least 16 bytes.
const REGEX_STATES: usize = REGEX_LIMIT / 16;

/// Adds the functions to `crawl`.
pub(crate) fn install(crawl: &Module) -> mlua::Result<()> {
    chance(crawl)?;
    noise(crawl)?;
    texts(crawl)?;
    crawl.add("game_started", |call| Ok(call.engine.phase() != Phase::Compile))?;
    crawl.add("err_trace", |call| match call.value(0) {
        Value::Function(function) => function.call::<mlua::MultiValue>(rest(call, 1)),
        _ => Err(call.bad(0, "function")),
    })?;
    crawl.add("args", |call| call.lua.create_table())?;
    crawl.constants(
        "is_tiles is_touch_ui is_webtiles unavailable_god kbhit yesno message_filter",
        false,
    )?;
    crawl.constants("getch c_input_line msgch_num hints_type seed", 0)?;
    crawl.constants("msgch_name version game_type", "")?;
    crawl.recorded("crawl.", MESSAGES)?;
    // Names from older releases of the game.
    for (old, new) in [
        ("mesclr", "clear_messages"),
        ("input_line", "c_input_line"),
        ("random_real_number", "random_real"),
    ] {
        let function: Value = crawl.table.raw_get(new)?;
        crawl.table.raw_set(old, function)?;
    }
    Ok(())
}

/// Functions that print messages or act on the game.
const MESSAGES: &str = "\
    mpr formatted_mpr dpr stderr god_speaks more more_autoclear flush_prev_message take_note mark_milestone \
    mark_game_won set_max_runes clear_messages redraw_screen redraw_view redraw_stats tutorial_msg tutorial_hint \
    tutorial_skill flush_input sendkeys playsound runmacro bindkey setopt read_options delay dump_char \
    do_targeted_command process_command call_dlua";

fn chance(crawl: &Module) -> mlua::Result<()> {
    crawl.add("random2", |call| {
        let n = call.int(0)?;
        Ok(draw(call, n))
    })?;
    crawl.add("random2avg", |call| {
        let (n, rolls) = (call.int(0)?, call.int_or(1, 2).max(1));
        Ok(average(call, n, rolls))
    })?;
    crawl.add("random_range", |call| {
        let (low, high) = (call.int(0)?, call.int(1)?);
        let rolls = call.int_or(2, 1).max(1);
        Ok(if high < low {
            low
        } else {
            low.saturating_add(average(call, high.saturating_sub(low).saturating_add(1), rolls))
        })
    })?;
    crawl.add("random_real", |call| Ok(call.engine.dice().real()))?;
    crawl.add("one_chance_in", |call| {
        let n = call.int(0)?.max(1);
        Ok(call.engine.dice().one_chance_in(n))
    })?;
    crawl.add("coinflip", |call| Ok(call.engine.dice().coinflip()))?;
    crawl.add("x_chance_in_y", |call| {
        // Level files pass computed fractions, so the arguments are not truncated to integers.
        let (x, y) = (call.number(0)?, call.number(1)?);
        Ok(call.engine.dice().real() * y < x)
    })?;
    crawl.add("roll_dice", |call| {
        let (count, sides) = if call.len() > 1 {
            (call.int(0)?, call.int(1)?)
        } else {
            (1, call.int(0)?)
        };
        let rolls = count.clamp(0, MAX_ROLLS);
        Ok((0..rolls).map(|_| i64::from(draw(call, sides)) + 1).sum::<i64>())
    })?;
    crawl.add("div_rand_round", |call| {
        let (n, by) = (call.int(0)?, call.int(1)?.max(1));
        let up = draw(call, by) < n.rem_euclid(by);
        Ok(n.div_euclid(by) + i32::from(up))
    })?;
    crawl.add("random_element", |call| {
        let list = call.table(0)?;
        let n = list.raw_len() as i32;
        list.raw_get::<Value>(draw(call, n) + 1)
    })
}

/// Adds the noise functions that layouts use. `simplex` accepts one to four coordinates and returns a value from −1 to
/// 1; `worley` accepts one to three coordinates and returns the distances to the two nearest random points and the
/// numbers that identify these points. `worley_diff` returns the difference between the two distances.
fn noise(crawl: &Module) -> mlua::Result<()> {
    crawl.add("simplex", |call| Ok(noise::simplex(coordinates(call)?)))?;
    crawl.add("worley", |call| {
        let [x, y, z] = coordinates(call)?;
        let found = noise::worley([x, y, z]);
        let ([first, second], [nearest, next]) = (found.distances, found.points);
        Ok((first, second, nearest, next))
    })?;
    crawl.add("worley_diff", |call| {
        let [first, second] = noise::worley(coordinates(call)?).distances;
        Ok(second - first)
    })
}

/// Returns the arguments of a call as coordinates. The first argument is required; the others default to 0.
fn coordinates<const N: usize>(call: &Call) -> mlua::Result<[f64; N]> {
    let mut at = [0.0; N];
    for (index, value) in at.iter_mut().enumerate().take(call.len().max(1)) {
        *value = call.number(index)?;
    }
    Ok(at)
}

/// Maximum number of dice or draws in one call; larger numbers are clamped.
const MAX_ROLLS: i32 = 10_000;

/// Returns a random number from 0 to `n` − 1; 0 if `n` is 1 or less.
fn draw(call: &Call, n: i32) -> i32 {
    if n <= 1 {
        0
    } else {
        call.engine.dice().below(n as u32) as i32
    }
}

/// Returns the mean of `rolls` random numbers from 0 to `n` − 1, rounded down.
fn average(call: &Call, n: i32, rolls: i32) -> i32 {
    let rolls = rolls.min(MAX_ROLLS);
    let sum: i64 = (0..rolls).map(|_| i64::from(draw(call, n))).sum();
    (sum / i64::from(rolls)) as i32
}

fn texts(crawl: &Module) -> mlua::Result<()> {
    crawl.add("trim", |call| Ok(call.text(0)?.trim().to_owned()))?;
    crawl.add("split", |call| {
        let (text, separator) = (call.text(0)?, call.text(1).unwrap_or_else(|_| ",".to_owned()));
        let parts = text
            .split(separator.as_str())
            .map(str::trim)
            .filter(|part| !part.is_empty());
        call.lua.create_sequence_from(parts.map(str::to_owned))
    })?;
    crawl.add("lowercase", |call| Ok(call.text(0)?.to_lowercase()))?;
    crawl.add("uppercase", |call| Ok(call.text(0)?.to_uppercase()))?;
    crawl.add("string_compare", |call| {
        Ok(match call.bytes(0)?.cmp(&call.bytes(1)?) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        })
    })?;
    crawl.add("article_a", |call| {
        let text = call.text(0)?;
        let article = if text.starts_with(|c: char| "aeiouAEIOU".contains(c)) {
            "an"
        } else {
            "a"
        };
        Ok(format!("{article} {text}"))
    })?;
    crawl.add("grammar", |call| call.text(0))?;
    crawl.add("make_name", |call| Ok(name(call)))?;
    crawl.add("regex", |call| {
        // The expression matches anywhere in a text, as in the game.
        let pattern = call.text(0)?;
        // An expression has a few states for each of its characters, unless it contains a counted repetition.
        let states = if pattern.contains('{') {
            REGEX_STATES
        } else {
            pattern.len()
        };
        Meter::of(call.lua).spend(call.lua, states as u64)?;
        let compiled = RegexBuilder::new(&pattern).size_limit(REGEX_LIMIT).build();
        let compiled =
            compiled.map_err(|error| call.error(&format!("`{pattern}` is not a regular expression: {error}")))?;
        let regex = call.lua.create_table()?;
        let matches = call.lua.create_function(move |lua, (_, text): (Table, String)| {
            // Each byte of the text is compared with every state.
            Meter::of(lua).spend(lua, text.len().saturating_mul(states) as u64)?;
            Ok(compiled.is_match(&text))
        })?;
        regex.raw_set("matches", matches)?;
        Ok(regex)
    })?;
    crawl.add("setfenv", |call| {
        let (Value::Function(function), Value::Table(environment)) = (call.value(0), call.value(1)) else {
            return Err(call.bad(0, "function and table"));
        };
        function.set_environment(environment)?;
        Ok::<Function, _>(function)
    })
}

/// Generates a name of two to four syllables.
fn name(call: &Call) -> String {
    const HEADS: [&str; 16] = [
        "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z",
    ];
    const TAILS: [&str; 12] = ["a", "e", "i", "o", "u", "an", "el", "ir", "or", "us", "ath", "ym"];
    let mut name = String::new();
    for _ in 0..2 + draw(call, 3) {
        name.push_str(HEADS[draw(call, HEADS.len() as i32) as usize]);
        name.push_str(TAILS[draw(call, TAILS.len() as i32) as usize]);
    }
    name[..1].to_uppercase() + &name[1..]
}

/// Returns the arguments from index `from` on.
fn rest(call: &Call, from: usize) -> mlua::MultiValue {
    call.values().iter().skip(from).cloned().collect()
}
