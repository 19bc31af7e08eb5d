//! The native format: one TOML file for everything that determines a dungeon.
//!
//! Keys, ranges and explanations come from the table of parameters in the module `design`. [`write()`] writes a new
//! commented file. [`update()`] changes an existing text only where it differs from the design, so that the author's
//! comments, order, quoting and blank lines survive; its documentation lists the exceptions. Like the readers of the
//! other formats, [`parse()`] tolerates mistakes, except for a TOML syntax error, which makes the design unusable.
//!
//! The largest TOML integer is 2⁶³ − 1; a larger seed is written as a string of digits. The reader accepts a seed as a
//! number or a string, in decimal or hexadecimal (`0x`) notation.

mod edit;
mod matching;
mod outline;
mod read;
mod update;
mod write;

#[cfg(feature = "terminal")]
pub(crate) use read::in_order;
pub use read::parse;
pub use update::update;
pub use write::write;

use crate::design::{Field, Layout, Limits, RoomField, style};

/// The format version that is written, and the only one that is read.
const VERSION: i64 = 1;

/// Keys at the top of the file, outside any table.
const TOP: [&str; 4] = ["format", "name", "notes", "seed"];

/// The tables of the file. `layout` contains the dimensions, the protuberances and the lists of squares.
const TABLES: [&str; 9] = [
    "constants",
    "layout",
    "limits",
    "room",
    "crawler",
    "generation",
    "vault",
    "expect",
    "place",
];

/// The keys of the `expect` table: the expectations, and the squares of the entrance and the exit.
const EXPECT: [&str; 3] = ["that", "entrance", "exit"];

/// The lists of squares in the `layout` table.
const LISTS: [&str; 3] = ["open", "walls", "columns"];

/// Returns whether a line of a text looks like a table of a design (in any notation), like the key `seed`, or like the
/// key `format` with a number.
pub fn is_design(text: &str) -> bool {
    let is_table = |name: &str| TABLES.contains(&name.trim());
    text.trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim_start)
        .any(|line| {
            if line.starts_with('[') {
                let header = line.trim_start_matches('[').split(']').next();
                return header.is_some_and(is_table);
            }
            let Some((key, value)) = line.split_once('=') else {
                return false;
            };
            let (key, value) = (key.trim_end(), value.trim_start());
            match key.split_once('.') {
                Some((table, _)) => is_table(table),
                None if key == "format" => value.starts_with(|c: char| c.is_ascii_digit()),
                None => key == "seed" || is_table(key) && value.starts_with(['{', '[']),
            }
        })
}

/// Returns whether a text begins like a design: with a comment, a table header or a key of a design.
pub(super) fn looks_like(begins: &str) -> bool {
    let key = begins
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default();
    let after = begins[key.len()..].trim_start();
    let known = TOP.contains(&key) || TABLES.contains(&key);
    begins.starts_with(['#', '[']) || known && after.starts_with(['=', '.'])
}

/// Returns whether a field is a room's style.
fn is_style(field: Field) -> bool {
    field == RoomField::Style.into()
}

/// Returns the limits that need not be written: the defaults, raised just enough to fit the lists.
fn plain_limits(layout: &Layout) -> Limits {
    Limits::default().raised_for(layout)
}

/// Returns a style as a list of the names of its switches, or as a number if it has undefined switches.
fn style_literal(value: i32) -> String {
    if !(0..=style::ALL).contains(&value) {
        return value.to_string();
    }
    let names: Vec<String> = style::SWITCHES
        .iter()
        .filter(|(bit, _)| value & bit != 0)
        .map(|(_, name)| format!("\"{name}\""))
        .collect();
    format!("[{}]", names.join(", "))
}

/// Returns a seed as a number if it fits a TOML integer, otherwise as a string.
fn seed_literal(seed: u64) -> String {
    if i64::try_from(seed).is_ok() {
        seed.to_string()
    } else {
        format!("\"{seed}\"")
    }
}

/// Returns a TOML string literal with the quotes that suit its content.
fn string_literal(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
