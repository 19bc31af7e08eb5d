//! Lua failures, with their file and line.
//!
//! The message of an error of Lua itself begins with the file and line, an error of a Rust function has a traceback,
//! and a run that is stopped records its call stack. All three are converted to a [`LuaFailure`]. Places in the
//! sandbox's own Lua are left out, because level authors cannot change that code.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Chunk name of the sandbox's own Lua. Places in it are never shown.
pub(super) const OWN_CHUNK: &str = "[wallcrawler]";

/// The kind of failure of a Lua run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The text is not valid Lua.
    Syntax,
    /// A runtime error, including unbounded recursion.
    Error,
    /// The run exceeded its instruction limit.
    Instructions,
    /// The run exceeded its memory limit.
    Memory,
    /// The run exceeded its time limit, or was cancelled.
    Time,
}

/// A line in a chunk of Lua.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Name of the chunk; for vaults, the file name.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The failure of a Lua run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LuaFailure {
    /// Kind of failure.
    pub kind: FailureKind,
    /// File of the failure, if it is known; a memory failure may have no place.
    pub file: Option<String>,
    /// Line in that file, from 1.
    pub line: Option<u32>,
    /// Error message without the place.
    pub message: String,
    /// Call stack, innermost first, as far as it is known.
    pub trace: Vec<Place>,
}

impl fmt::Display for LuaFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: {}", self.message),
            (Some(file), None) => write!(f, "{file}: {}", self.message),
            _ => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for LuaFailure {}

impl LuaFailure {
    /// Creates a failure at the first place in `trace`, which is the innermost one.
    pub fn new(kind: FailureKind, message: impl Into<String>, trace: Vec<Place>) -> Self {
        let place = trace.first();
        Self {
            kind,
            file: place.map(|place| place.file.clone()),
            line: place.map(|place| place.line),
            message: message.into(),
            trace,
        }
    }

    /// Converts an error of mlua to a failure. A failure that was passed through Lua is returned unchanged.
    pub fn from_error(error: &mlua::Error) -> Self {
        if let Some(failure) = error.downcast_ref::<Self>() {
            return failure.clone();
        }
        let parts = Parts::of(error);
        let mut trace = places(&parts.traceback);
        let mut message = parts.message.as_str();
        // Each nested `coroutine.wrap` adds a place in front of the message, so the innermost place comes last.
        while let (Some(place), rest) = split_place(message) {
            let is_own = place.file == OWN_CHUNK;
            // A message may itself begin like a place, because the name of a level is written as `D:5`.
            let is_known = is_own || parts.kind == FailureKind::Syntax || trace.iter().any(|at| at.file == place.file);
            if !is_known && !place.file.contains('.') {
                break;
            }
            message = rest;
            if !is_own && trace.first() != Some(&place) {
                trace.insert(0, place);
            }
        }
        // If a coroutine runs out of memory, standard Lua reports it as a plain error message.
        let kind = if message == OUT_OF_MEMORY {
            FailureKind::Memory
        } else {
            parts.kind
        };
        let message = match object(message) {
            _ if kind == FailureKind::Memory => TOO_MUCH_MEMORY.to_owned(),
            Some(what) => format!("the error object is a {what}"),
            None => message.to_owned(),
        };
        Self::new(kind, message, trace)
    }

    /// Returns the string that Lua's `pcall` returns for the failure: the message, preceded by its place, or Lua's own
    /// message if memory ran out.
    pub(super) fn to_lua_text(&self) -> String {
        if self.kind == FailureKind::Memory {
            OUT_OF_MEMORY.to_owned()
        } else {
            self.to_string()
        }
    }
}

/// Lua's own message for a memory failure.
const OUT_OF_MEMORY: &str = "not enough memory";
/// Message that replaces [`OUT_OF_MEMORY`].
pub(super) const TOO_MUCH_MEMORY: &str = "the Lua code needs more memory than the limit allows";

/// The parts of an mlua error.
struct Parts {
    kind: FailureKind,
    message: String,
    traceback: String,
}

impl Parts {
    fn of(error: &mlua::Error) -> Self {
        let mut traceback = String::new();
        let mut error = error;
        // The innermost traceback is the most complete: it reaches from the cause outward.
        while let mlua::Error::CallbackError { traceback: next, cause } = error {
            traceback.clone_from(next);
            error = cause;
        }
        let (kind, text) = match error {
            mlua::Error::RuntimeError(text) => (FailureKind::Error, text.clone()),
            mlua::Error::SyntaxError { message, .. } => (FailureKind::Syntax, message.clone()),
            mlua::Error::MemoryError(_) => (FailureKind::Memory, OUT_OF_MEMORY.to_owned()),
            other => (FailureKind::Error, other.to_string()),
        };
        match text.split_once("\nstack traceback:\n") {
            Some((message, inner)) => Self {
                kind,
                message: message.to_owned(),
                traceback: inner.to_owned(),
            },
            None => Self {
                kind,
                message: text,
                traceback,
            },
        }
    }
}

/// Returns the type of an error value that is an object, such as a table; `None` for any other value. Lua formats an
/// object as its type and a useless address.
fn object(message: &str) -> Option<&str> {
    let (what, address) = message.split_once(": 0x")?;
    let known = ["table", "function", "thread", "userdata"].contains(&what);
    (known && address.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(what)
}

/// Splits a leading "file:12: " off a message.
fn split_place(text: &str) -> (Option<Place>, &str) {
    for (colon, _) in text.match_indices(':') {
        let Some((digits, rest)) = text[colon + 1..].split_once(": ") else {
            break;
        };
        if colon > 0
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && let Ok(line) = digits.parse()
        {
            let file = text[..colon].to_owned();
            return (Some(Place { file, line }), rest);
        }
    }
    (None, text)
}

/// Returns the files and lines in a traceback, without those of the sandbox's own Lua.
fn places(traceback: &str) -> Vec<Place> {
    traceback
        .lines()
        .filter_map(|line| split_place(line.trim()).0)
        .filter(|place| place.file != OWN_CHUNK)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str, line: u32) -> Place {
        Place {
            file: file.to_owned(),
            line,
        }
    }

    #[test]
    fn the_place_before_a_message_is_parsed() {
        assert_eq!(split_place("a.des:12: bad"), (Some(place("a.des", 12)), "bad"));
        assert_eq!(
            split_place("C:\\a b.des:3: x: 4: y"),
            (Some(place("C:\\a b.des", 3)), "x: 4: y")
        );
        for whole in ["bad", "a.des: bad", ":12: bad", "a:b: c", "a:12", "", "a::12 b"] {
            assert_eq!(split_place(whole), (None, whole), "{whole}");
        }
    }

    #[test]
    fn the_place_of_an_error_is_its_innermost_line_of_a_file() {
        let text = "[wallcrawler]:7: bad\nstack traceback:\n\t[C]: in ?\n\t[wallcrawler]:7: in function 'sort'\n\t\
                    a.des:4: in main chunk";
        let failure = LuaFailure::from_error(&mlua::Error::RuntimeError(text.to_owned()));
        assert_eq!(failure.to_string(), "a.des:4: bad");
        assert_eq!(failure.trace, [place("a.des", 4)]);
    }
}
