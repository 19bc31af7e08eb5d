//! Level files: their bytes, their maps, and the Lua source assembled from a map's headers and Lua lines.
//!
//! [`read`] never fails. For input that it cannot parse, it adds a diagnostic with a position; it also stores this
//! input, so that [`print()`] writes it unchanged. A file consists of bytes, not characters: each cell of a map's rows
//! is one byte. Nothing here runs Lua or applies headers; their values are only checked against the grammars of
//! [`spec`](super::spec).

mod check;
mod format;
mod keyword;
mod print;
mod read;
mod text;
mod translate;

pub use check::help as advice;
pub use format::format;
pub use keyword::{Form, Keyword};
pub use print::{print, statements};
pub use read::read;
pub use translate::quoted;

use crate::design::{Diagnostic, Severity, SourcePosition};

/// A parsed level file.
#[derive(Debug, Clone)]
pub struct VaultFile {
    /// File name shown in messages.
    pub name: String,
    /// Lua outside the maps, run once for the file.
    pub prelude: Option<Chunk>,
    /// Maps, in file order.
    pub maps: Vec<MapSource>,
    /// Diagnostics, in file order.
    pub problems: Vec<Diagnostic>,
    /// All lines of the file, including those that could not be parsed, for printing.
    pub statements: Vec<Statement>,
    /// The bytes of the file, to show its lines in messages.
    bytes: Vec<u8>,
}

impl VaultFile {
    /// Returns whether the file has no errors. The maps of a file with errors can still be used.
    pub fn is_sound(&self) -> bool {
        self.problems.iter().all(|problem| problem.severity < Severity::Error)
    }

    /// Returns the position of the first occurrence of `part` in a range of lines, which are counted from 1. If `part`
    /// does not occur, returns the position of the first of these lines.
    pub fn position(&self, lines: std::ops::RangeInclusive<u32>, part: &str) -> SourcePosition {
        let text = text::Text::new(&self.name, &self.bytes);
        let first = (*lines.start() as usize).saturating_sub(1);
        let last = (*lines.end() as usize).min(text.len());
        let find = |is_word: bool| {
            (first..last).find_map(|index| {
                let at = occurrence(text.line(index), part.as_bytes(), is_word)?;
                let start = text.span(index).start;
                Some(start + at..start + at + part.len())
            })
        };
        // Prefers an occurrence as a whole word to one that is part of a longer word.
        let found = find(true).filter(|_| part.len() > 1).or_else(|| find(false));
        text.source(found.unwrap_or_else(|| text.bare_span(first)))
    }

    /// Returns the position of the byte at `column` in a line; lines and columns are counted from 1.
    pub fn position_of_cell(&self, line: u32, column: u32) -> SourcePosition {
        let text = text::Text::new(&self.name, &self.bytes);
        let span = text.span((line as usize).saturating_sub(1));
        let at = (span.start + (column as usize).saturating_sub(1)).min(span.end);
        text.source(at..(at + 1).min(span.end))
    }

    /// Returns whether `part` occurs as a word in a range of lines, which are counted from 1.
    pub fn has_text(&self, lines: std::ops::RangeInclusive<u32>, part: &str) -> bool {
        let text = text::Text::new(&self.name, &self.bytes);
        let first = (*lines.start() as usize).saturating_sub(1);
        let last = (*lines.end() as usize).min(text.len());
        (first..last).any(|index| occurrence(text.line(index), part.as_bytes(), true).is_some())
    }

    /// Returns whether `part` occurs anywhere in the file, even within a word.
    pub fn mentions(&self, part: &str) -> bool {
        self.bytes
            .windows(part.len().max(1))
            .any(|window| window == part.as_bytes())
    }

    /// Returns the names of the level files that the file's Lua loads: the arguments of calls such as
    /// `load_des_file("name.des")`.
    pub fn loaded_files(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.bytes);
        let calls = text.split("load_des_file").skip(1);
        let names = calls.filter_map(|call| {
            let call = call.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
            let quote = call.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            call.split(quote).nth(1)
        });
        names.map(str::to_owned).collect()
    }

    /// Returns whether a line or block of Lua begins in a range of lines, which are counted from 1. Headers do not
    /// count.
    pub fn has_lua(&self, lines: std::ops::RangeInclusive<u32>) -> bool {
        let is_lua = |kind: &StatementKind| matches!(kind, StatementKind::Lua(_) | StatementKind::Block { .. });
        let mut inside = self
            .statements
            .iter()
            .filter(|statement| lines.contains(&statement.line));
        inside.any(|statement| is_lua(&statement.kind))
    }

    /// Returns the errors and warnings on the lines of a map, and those outside all maps, because these concern every
    /// map.
    pub fn problems_of(&self, map: &MapSource) -> impl Iterator<Item = &Diagnostic> {
        let line = |problem: &Diagnostic| problem.source.as_ref().map_or(0, |source| source.line);
        let within = |map: &MapSource, line: u32| (map.line..=map.last_line).contains(&line);
        self.problems.iter().filter(move |problem| {
            let line = line(problem);
            within(map, line) || !self.maps.iter().any(|other| within(other, line))
        })
    }

    /// Returns whether two files have the same content, line by line, ignoring their names and diagnostics.
    pub fn same_content(&self, other: &Self) -> bool {
        self.statements == other.statements && self.maps == other.maps && self.prelude == other.prelude
    }
}

/// Returns the offset of the first occurrence of `part` in a line. If `is_word`, only an occurrence without a letter,
/// digit or `_` beside it counts.
fn occurrence(line: &[u8], part: &[u8], is_word: bool) -> Option<usize> {
    let is_word_byte = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let is_letter = |at: Option<usize>| at.and_then(|at| line.get(at)).is_some_and(is_word_byte);
    let mut places = (0..=line.len().checked_sub(part.len())?).filter(|at| line[*at..].starts_with(part));
    places
        .find(|at| !part.is_empty() && !(is_word && (is_letter(at.checked_sub(1)) || is_letter(Some(at + part.len())))))
}

/// One map of a level file, before any of its Lua has run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MapSource {
    /// Name of the map. An empty name, and a name that an earlier map has, are reported as errors.
    pub name: String,
    /// Line of the map's `NAME:`, from 1.
    pub line: u32,
    /// Last line of the map, from 1.
    pub last_line: u32,
    /// Depth ranges of the last `default-depth:` line before the map. They apply if the map itself has no depth ranges.
    pub default_depth: Option<String>,
    /// Rows of the map's MAP, without trailing blanks, not yet padded.
    pub rows: Vec<Vec<u8>>,
    /// Line of the first row, from 1; 0 if there is no MAP.
    pub rows_line: u32,
    /// Headers and Lua lines as one Lua source.
    pub body: Chunk,
    /// Lua that runs before the body.
    pub prelude: Option<Chunk>,
    /// Lua that validates a resolved map.
    pub validate: Option<Chunk>,
    /// Lua that can veto the map before the map's other Lua runs.
    pub veto: Option<Chunk>,
    /// Lua that runs after the level is built.
    pub epilogue: Option<Chunk>,
    /// All headers in file order, including those that the Lua around them may skip.
    pub headers: Vec<Header>,
}

impl MapSource {
    /// Returns the values of all headers with this name, in file order, including headers that the Lua around them may
    /// skip.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.headers
            .iter()
            .filter(move |header| header.keyword.name() == name)
            .map(|header| header.value.as_slice())
    }

    /// Returns all Lua chunks of the map with their roles.
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
    /// Kind of header.
    pub keyword: Keyword,
    /// Value with continued lines joined, without surrounding blanks.
    pub value: Vec<u8>,
    /// Line on which the header begins, from 1.
    pub line: u32,
}

impl Header {
    /// Returns advice on how to write the header's value.
    pub fn advice(&self) -> &'static str {
        check::help(self.keyword)
    }
}

/// A piece of Lua source with its position in the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chunk {
    /// Code as bytes. Lines within it that belong to other chunks are empty.
    pub code: Vec<u8>,
    /// Line of the file where the code begins, from 1; 0 if there is no code.
    pub line: u32,
    /// Last line of the code so far.
    end: u32,
}

impl Chunk {
    /// Adds code from a line of the file; the line must not lie before code that was added earlier.
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

    /// Returns the code with empty lines before it, so that the line numbers in Lua's messages are those of the file.
    pub fn source(&self) -> Vec<u8> {
        let before = self.line.saturating_sub(1) as usize;
        let mut source = vec![b'\n'; before];
        source.extend_from_slice(&self.code);
        source
    }
}

/// The role of a Lua chunk in its map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The main part, which includes the headers. Lua with this role outside the maps belongs to the file's prelude.
    Body,
    /// Runs before the body.
    Prelude,
    /// Validates a resolved map.
    Validate,
    /// Can veto the map before the map's other Lua runs.
    Veto,
    /// Runs after the level is built.
    Epilogue,
}

impl Role {
    /// Roles whose blocks need a keyword.
    const NAMED: [Self; 4] = [Self::Prelude, Self::Validate, Self::Veto, Self::Epilogue];

    /// Returns the keyword that opens a block with this role; the body's keyword, `lua`, is optional.
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

/// A statement, which spans one or more lines of a level file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Line on which the statement begins, from 1.
    pub line: u32,
    /// Parsed content.
    pub kind: StatementKind,
}

/// The content of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    /// An empty line.
    Blank,
    /// A comment, including its `#`.
    Comment(Vec<u8>),
    /// `default-depth:`, the ranges for maps that state none.
    DefaultDepth(Value),
    /// `NAME:`, which begins a map.
    Name(Value),
    /// A header of a map.
    Header(Keyword, Value),
    /// A line that has the form of a header but an unknown name.
    Unknown(Vec<u8>, Value),
    /// A line of Lua, without its colon.
    Lua(Vec<u8>),
    /// Lua between `{{` and `}}`.
    Block {
        /// Role of the block in its map.
        role: Role,
        /// Lines: the first is the text after `{{`, the last the text before `}}`.
        lines: Vec<Vec<u8>>,
        /// Whether `}}` was found.
        closed: bool,
    },
    /// Rows of cells between `MAP` and `ENDMAP`.
    Rows {
        /// Rows without trailing blanks.
        rows: Vec<Vec<u8>>,
        /// Whether `ENDMAP` was found.
        closed: bool,
    },
    /// A line that could not be parsed.
    Unread(Vec<u8>),
}

/// The text after the colon of a header, line by line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Value {
    /// Lines without leading blanks, and without the `\` that continues them.
    pub lines: Vec<Vec<u8>>,
    /// Whether the last line also ends in a `\`, although no line continues it.
    pub dangling: bool,
}

impl Value {
    /// Returns the lines joined, without surrounding blanks.
    pub fn joined(&self) -> Vec<u8> {
        self.lines.concat().trim_ascii().to_vec()
    }
}

#[cfg(test)]
mod tests;
