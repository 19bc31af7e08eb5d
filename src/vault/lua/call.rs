//! Arguments of Rust functions called from Lua, and tables of such functions.
//!
//! Arguments are converted as leniently as in the game: numbers may be strings, fractions are truncated, absent
//! arguments have defaults. A [`Module`] is a table of functions. A file may also call a function that the module does
//! not define: every undefined name in a module gives an opaque value, which can be called (see `environment.lua`).

use std::rc::Rc;

use mlua::{IntoLuaMulti, Lua, MultiValue, Table, Value};

use super::engine::Engine;
use super::environment::MARK;
use super::map_run::{Handle, MapRun};
use super::meter::Meter;
use super::strings::{kind, text_of};

/// Cost of visiting one cell of a map, in Lua instructions.
pub(crate) const CELL: u64 = 2;

/// One call from Lua to a Rust function.
pub(crate) struct Call<'a> {
    /// The Lua state that makes the call.
    pub(crate) lua: &'a Lua,
    /// State of the runtime, which all functions share.
    pub(crate) engine: &'a Rc<Engine>,
    name: &'static str,
    map: Option<Rc<MapRun>>,
    values: Vec<Value>,
}

impl<'a> Call<'a> {
    fn new(lua: &'a Lua, engine: &'a Rc<Engine>, name: &'static str, arguments: MultiValue) -> Self {
        let mut values: Vec<Value> = arguments.into_iter().collect();
        let mut map = None;
        if let Some(Value::UserData(data)) = values.first()
            && let Ok(handle) = data.borrow::<Handle>()
        {
            map = Some(Rc::clone(&handle.0));
        }
        if map.is_some() {
            values.remove(0);
        }
        Self {
            lua,
            engine,
            name,
            map,
            values,
        }
    }

    /// Returns the map that was passed as the first argument, or else the running map; fails if there is neither.
    pub(crate) fn map(&self) -> mlua::Result<Rc<MapRun>> {
        self.map.clone().or_else(|| self.engine.current()).ok_or_else(|| {
            self.error(&format!(
                "`{}` works only in the Lua code of a map, and this code is outside any map",
                self.name
            ))
        })
    }

    /// Returns the number of arguments, without the map.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the argument at `index`, counted from 0; nil if it is absent.
    pub(crate) fn value(&self, index: usize) -> Value {
        self.values.get(index).cloned().unwrap_or(Value::Nil)
    }

    /// Returns all arguments, without the map.
    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    /// Returns a numeric argument, which may be a numeric string.
    pub(crate) fn number(&self, index: usize) -> mlua::Result<f64> {
        self.number_if(index).ok_or_else(|| self.bad(index, "number"))
    }

    fn number_if(&self, index: usize) -> Option<f64> {
        match self.values.get(index)? {
            Value::Integer(n) => Some(*n as f64),
            Value::Number(n) => Some(*n),
            text @ Value::String(_) => self.lua.coerce_number(text.clone()).ok().flatten(),
            // An opaque value counts as 1.
            value => is_opaque(value).then_some(1.0),
        }
    }

    /// Returns an integer argument; fractions are truncated.
    pub(crate) fn int(&self, index: usize) -> mlua::Result<i32> {
        Ok(self.number(index)? as i32)
    }

    /// Returns an integer argument, or `default` if it is not a number.
    pub(crate) fn int_or(&self, index: usize, default: i32) -> i32 {
        self.number_if(index).map_or(default, |n| n as i32)
    }

    /// Returns the bytes of a string or number argument. For an opaque value, returns its name between two [`MARK`]
    /// bytes.
    pub(crate) fn bytes(&self, index: usize) -> mlua::Result<Vec<u8>> {
        let value = self.values.get(index).unwrap_or(&Value::Nil);
        match text_of(self.lua, value)? {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None if is_opaque(value) => Ok(value.to_string().unwrap_or_default().into_bytes()),
            None => Err(self.bad(index, "string")),
        }
    }

    /// Returns a string argument without marks; invalid UTF-8 is replaced.
    pub(crate) fn text(&self, index: usize) -> mlua::Result<String> {
        let mut bytes = self.bytes(index)?;
        bytes.retain(|byte| *byte != MARK);
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns a table argument.
    pub(crate) fn table(&self, index: usize) -> mlua::Result<Table> {
        match self.value(index) {
            Value::Table(table) => Ok(table),
            _ => Err(self.bad(index, "table")),
        }
    }

    /// Charges the run `price` instructions for each cell of the map.
    pub(crate) fn charge_cells(&self, price: u64) -> mlua::Result<()> {
        let cells = self.map()?.state.borrow().glyphs.cells().len() as u64;
        Meter::of(self.lua).spend(self.lua, cells.saturating_mul(price))
    }

    /// Returns the error for an argument of the wrong type.
    pub(crate) fn bad(&self, index: usize, expected: &str) -> mlua::Error {
        let got = self.values.get(index).map_or("no value", kind);
        self.error(&format!(
            "bad argument #{} to '{}' ({expected} expected, got {got})",
            index + 1,
            self.name
        ))
    }

    /// Returns an error with this message. mlua adds the traceback, which contains the place.
    #[allow(clippy::unused_self, reason = "every error is raised within a call")]
    pub(crate) fn error(&self, message: &str) -> mlua::Error {
        mlua::Error::runtime(message)
    }

    /// Records this call as unsupported, because only the game could carry it out.
    pub(crate) fn record(&self, module: &str) {
        self.engine
            .record(&format!("{module}{}", self.name), &describe_all(self.lua, &self.values));
    }
}

/// Returns whether a value may be opaque: a table with a metatable.
pub(crate) fn is_opaque(value: &Value) -> bool {
    matches!(value, Value::Table(table) if table.metatable().is_some())
}

/// A Lua table to which functions are added.
pub(crate) struct Module<'a> {
    lua: &'a Lua,
    engine: &'a Rc<Engine>,
    /// The Lua table.
    pub(crate) table: Table,
}

impl<'a> Module<'a> {
    /// Creates an empty module.
    pub(crate) fn new(lua: &'a Lua, engine: &'a Rc<Engine>) -> mlua::Result<Self> {
        Ok(Self {
            lua,
            engine,
            table: lua.create_table()?,
        })
    }

    /// Adds a function.
    pub(crate) fn add<R: IntoLuaMulti>(
        &self,
        name: &'static str,
        function: impl Fn(&Call) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()> {
        let engine = Rc::clone(self.engine);
        let function = self
            .lua
            .create_function(move |lua, arguments: MultiValue| function(&Call::new(lua, &engine, name, arguments)))?;
        self.table.raw_set(name, function)
    }

    /// Adds functions that return `value`, whatever their arguments are. White space separates the names.
    pub(crate) fn constants(&self, names: &'static str, value: impl Into<Answer>) -> mlua::Result<()> {
        let answer = value.into();
        for name in names.split_whitespace() {
            self.add(name, move |_| Ok(answer))?;
        }
        Ok(())
    }

    /// Adds functions that return nothing. Calls to them are recorded as unsupported. White space separates the names.
    pub(crate) fn recorded(&self, module: &'static str, names: &'static str) -> mlua::Result<()> {
        for name in names.split_whitespace() {
            self.add(name, move |call| {
                call.record(module);
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// A fixed value that a function returns instead of the value that the game would return.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    /// A boolean.
    Truth(bool),
    /// A number.
    Number(i32),
    /// A string.
    Text(&'static str),
}

impl From<bool> for Answer {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

impl From<i32> for Answer {
    fn from(number: i32) -> Self {
        Self::Number(number)
    }
}

impl From<&'static str> for Answer {
    fn from(text: &'static str) -> Self {
        Self::Text(text)
    }
}

impl mlua::IntoLua for Answer {
    fn into_lua(self, lua: &Lua) -> mlua::Result<Value> {
        match self {
            Self::Truth(truth) => Ok(Value::Boolean(truth)),
            Self::Number(number) => number.into_lua(lua),
            Self::Text(text) => text.into_lua(lua),
        }
    }
}

/// Maximum length of a string in the description of arguments, in characters.
const ARGUMENT: usize = 120;

/// Formats arguments for the list of unsupported calls.
pub(crate) fn describe_all(lua: &Lua, values: &[Value]) -> String {
    let mut text = String::new();
    for value in values {
        if !text.is_empty() {
            text.push_str(", ");
        }
        describe(lua, value, 2, &mut text);
    }
    text
}

/// Appends the description of one value to `text`. The fields of a table are sorted, first those whose keys are whole
/// numbers, so that the text is the same in every run.
fn describe(lua: &Lua, value: &Value, depth: usize, text: &mut String) {
    use std::fmt::Write as _;
    let number = |value: &Value| {
        let text = text_of(lua, value).ok().flatten();
        text.map_or_else(String::new, |text| text.to_string_lossy())
    };
    // Writing to a String cannot fail.
    let _ = match value {
        Value::Nil => write!(text, "nil"),
        Value::Boolean(truth) => write!(text, "{truth}"),
        Value::Integer(_) | Value::Number(_) => write!(text, "{}", number(value)),
        Value::String(s) => {
            let whole = s.to_string_lossy();
            let unmarked = whole.chars().filter(|c| *c != char::from(MARK));
            let short: String = unmarked.take(ARGUMENT).collect();
            write!(text, "\"{short}\"")
        }
        Value::Table(table) if depth > 0 && table.metatable().is_none() => {
            let mut fields: Vec<(mlua::Integer, String, Value)> = table
                .pairs::<Value, Value>()
                .filter_map(Result::ok)
                .filter_map(|(key, value)| {
                    let (number, key) = match &key {
                        Value::Integer(n) => (*n, format!("[{}]", number(&key))),
                        Value::String(s) => (mlua::Integer::MAX, s.to_string_lossy()),
                        Value::Number(_) => (mlua::Integer::MAX, format!("[{}]", number(&key))),
                        Value::Boolean(truth) => (mlua::Integer::MAX, format!("[{truth}]")),
                        // Keys that are objects have no fixed order, so fields with such keys are left out.
                        _ => return None,
                    };
                    Some((number, key, value))
                })
                .collect();
            fields.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
            fields.truncate(16);
            text.push_str("{ ");
            let mut next_element = 1;
            for (i, (number, key, value)) in fields.iter().enumerate() {
                if i > 0 {
                    text.push_str(", ");
                }
                // The elements of a list are written without their keys.
                if *number == next_element {
                    next_element += 1;
                } else {
                    let _ = write!(text, "{key} = ");
                }
                describe(lua, value, depth - 1, text);
            }
            write!(text, " }}")
        }
        other => write!(text, "{}", other.type_name()),
    };
}
