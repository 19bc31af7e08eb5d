//! Level files: their bytes, their maps, and the Lua source that a map's headers and Lua lines make together.
//!
//! [`read`] never fails: what it cannot understand is told as a diagnostic with its place, and kept, so that
//! [`print()`] writes it again. A file is bytes, not text: a map's rows are cells of one byte each. Nothing
//! here runs Lua or knows what a header does; the values are only checked by the grammars of
//! [`spec`](super::spec).

mod check;
mod keyword;
mod print;
mod read;
mod text;
mod translate;

pub use keyword::{Form, Keyword};
pub use print::print;
pub use read::read;
pub use translate::quoted;

use crate::design::{Diagnostic, Severity};

/// A level file as it was read.
#[derive(Debug, Clone)]
pub struct VaultFile {
    /// The file's name, as messages show it.
    pub name: String,
    /// The Lua that stands before any map: run once for the file.
    pub prelude: Option<Chunk>,
    /// The maps, in the file's order.
    pub maps: Vec<MapSource>,
    /// What is wrong with the file, in its order.
    pub problems: Vec<Diagnostic>,
    /// Every line of the file, understood or not: what printing writes.
    pub statements: Vec<Statement>,
}

impl VaultFile {
    /// Whether nothing in the file is an error. The maps of a file with errors can be used still.
    pub fn is_sound(&self) -> bool {
        self.problems.iter().all(|problem| problem.severity < Severity::Error)
    }

    /// Whether two files say the same, line by line, whatever their names and problems.
    pub fn same_content(&self, other: &Self) -> bool {
        self.statements == other.statements && self.maps == other.maps && self.prelude == other.prelude
    }
}

/// One map of a level file, before any of its Lua has run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MapSource {
    /// Its name; unique in all files together, and empty only where the file is broken.
    pub name: String,
    /// The line of its `NAME:`, from 1.
    pub line: u32,
    /// The last line that belongs to it, from 1.
    pub last_line: u32,
    /// The file's default ranges where the map stands, for a map that gives none itself.
    pub default_depth: Option<String>,
    /// The rows of its MAP, without trailing blanks, not yet padded.
    pub rows: Vec<Vec<u8>>,
    /// The line of the first row, from 1; 0 where there is no MAP.
    pub rows_line: u32,
    /// Its headers and Lua lines as one Lua source.
    pub body: Chunk,
    /// What runs before the body.
    pub prelude: Option<Chunk>,
    /// What says whether a resolved map is good.
    pub validate: Option<Chunk>,
    /// What may refuse the map before anything else of it runs.
    pub veto: Option<Chunk>,
    /// What runs once the level is built.
    pub epilogue: Option<Chunk>,
    /// Its headers, in the file's order, whether or not Lua will reach them.
    pub headers: Vec<Header>,
}

impl MapSource {
    /// The values of every header of this name, in order, whether or not Lua will reach them.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.headers
            .iter()
            .filter(move |header| header.keyword.name() == name)
            .map(|header| header.value.as_slice())
    }

    /// Every piece of Lua of the map, with its role: what must compile.
    pub fn chunks(&self) -> impl Iterator<Item = (Role, &Chunk)> {
        let others = [
            (Role::Prelude, &self.prelude),
            (Role::Validate, &self.validate),
            (Role::Veto, &self.veto),
            (Role::Epilogue, &self.epilogue),
        ];
        std::iter::once((Role::Body, &self.body)).chain(
            others
                .into_iter()
                .filter_map(|(role, chunk)| Some((role, chunk.as_ref()?))),
        )
    }

    fn chunk_mut(&mut self, role: Role) -> &mut Chunk {
        match role {
            Role::Body => &mut self.body,
            Role::Prelude => self.prelude.get_or_insert_default(),
            Role::Validate => self.validate.get_or_insert_default(),
            Role::Veto => self.veto.get_or_insert_default(),
            Role::Epilogue => self.epilogue.get_or_insert_default(),
        }
    }
}

/// A header of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Which.
    pub keyword: Keyword,
    /// Its value with continued lines joined, without blanks around it.
    pub value: Vec<u8>,
    /// The line where it begins, from 1.
    pub line: u32,
}

/// A piece of Lua source, on lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chunk {
    /// The code from its first line on, as bytes; lines between that are none of its own are empty.
    pub code: Vec<u8>,
    /// The line of the file where it begins, from 1; 0 while there is none.
    pub line: u32,
    /// The line on which the code ends so far.
    end: u32,
}

impl Chunk {
    /// Adds a line of code that stands on a line of the file, not before code that was added earlier.
    fn add(&mut self, line: u32, code: &[u8]) {
        if self.line == 0 {
            (self.line, self.end) = (line, line);
        }
        let missing = line.saturating_sub(self.end) as usize;
        self.code.resize(self.code.len() + missing, b'\n');
        self.end = self.end.max(line);
        if missing == 0 && !self.code.is_empty() {
            self.code.push(b' ');
        }
        self.code.extend_from_slice(code);
    }

    /// The code for Lua, whose messages count lines: line N of it is line N of the file.
    pub fn source(&self) -> Vec<u8> {
        let before = self.line.saturating_sub(1) as usize;
        let mut source = vec![b'\n'; before];
        source.extend_from_slice(&self.code);
        source
    }

    /// Whether there is no code at all.
    pub fn is_empty(&self) -> bool {
        self.line == 0
    }
}

/// Which part of a map a piece of Lua is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The main part, to which headers belong too; before any map, the file's prelude.
    Body,
    /// What runs before the body.
    Prelude,
    /// What says whether a resolved map is good.
    Validate,
    /// What may refuse the map before anything else of it runs.
    Veto,
    /// What runs once the level is built.
    Epilogue,
}

impl Role {
    /// Every role that has a word of its own before its block.
    const NAMED: [Self; 4] = [Self::Prelude, Self::Validate, Self::Veto, Self::Epilogue];

    /// The word before the block; the body needs none, and may have `lua`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Body => "lua",
            Self::Prelude => "prelude",
            Self::Validate => "validate",
            Self::Veto => "veto",
            Self::Epilogue => "epilogue",
        }
    }
}

/// One or more lines of a level file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The first line, from 1.
    pub line: u32,
    /// What stands there.
    pub kind: StatementKind,
}

/// What stands on a line of a level file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    /// Nothing.
    Blank,
    /// A comment, with its `#`.
    Comment(Vec<u8>),
    /// `default-depth:`, the ranges of maps without their own.
    DefaultDepth(Value),
    /// `NAME:`, which begins a map.
    Name(Value),
    /// A header of a map.
    Header(Keyword, Value),
    /// What has the form of a header, under a name that is none.
    Unknown(Vec<u8>, Value),
    /// A line of Lua, without its colon.
    Lua(Vec<u8>),
    /// Lua between `{{` and `}}`.
    Block {
        /// Which part of the map it is.
        role: Role,
        /// Its lines: the first is what follows `{{`, the last what stands before `}}`.
        lines: Vec<Vec<u8>>,
        /// Whether `}}` was found.
        closed: bool,
    },
    /// Rows of cells between `MAP` and `ENDMAP`.
    Rows {
        /// The rows without trailing blanks.
        rows: Vec<Vec<u8>>,
        /// Whether `ENDMAP` was found.
        closed: bool,
    },
    /// A line that means nothing.
    Unread(Vec<u8>),
}

/// What stands behind the colon of a header, line by line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Value {
    /// The lines: without the `\` that continues them, and those after the first without leading blanks.
    pub lines: Vec<Vec<u8>>,
    /// Whether the last line, too, ends in a `\`, with nothing to continue it.
    pub dangling: bool,
}

impl Value {
    /// The lines joined, without blanks around them.
    pub fn joined(&self) -> Vec<u8> {
        self.lines.concat().trim_ascii().to_vec()
    }
}

#[cfg(test)]
mod tests;
