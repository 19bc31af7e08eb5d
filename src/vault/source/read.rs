//! Parses bytes into a [`VaultFile`].

use std::collections::BTreeMap;
use std::ops::Range;

use super::keyword::{Form, Keyword};
use super::text::Text;
use super::{Header, MapSource, Role, Statement, StatementKind, Value, VaultFile, check, translate};
use crate::design::Diagnostic;
use crate::vault::spec::Ranges;

/// Maximum number of diagnostics. It limits the output for files that are not level files.
const MOST_PROBLEMS: usize = 200;

/// Parses a level file. Input that cannot be parsed is reported in [`VaultFile::problems`]; the other lines are used.
pub fn read(name: &str, bytes: &[u8]) -> VaultFile {
    let text = Text::new(name, bytes);
    let mut reader = Reader::new(name, &text);
    bytes.clone_into(&mut reader.file.bytes);
    if let Some(why) = text.binary() {
        let problem = Diagnostic::error(format!("this is not a level file: {why}"));
        reader.report(problem.help("use a text file"), 0..0);
        return reader.file;
    }
    if let Some(span) = text.not_utf8() {
        let problem = Diagnostic::warning("these bytes are not UTF-8; each is read as one character");
        reader.report(problem.help("save the file in UTF-8"), span);
    }
    while reader.at < text.len() {
        reader.statement();
    }
    reader.finish()
}

struct Reader<'a> {
    text: &'a Text<'a>,
    /// Next line to read, from 0.
    at: usize,
    file: VaultFile,
    /// Whether the next headers belong to the last map of `file`.
    in_map: bool,
    default_depth: Option<String>,
    /// Line of each map name.
    names: BTreeMap<String, u32>,
}

impl<'a> Reader<'a> {
    fn new(name: &str, text: &'a Text<'a>) -> Self {
        Self {
            text,
            at: 0,
            file: VaultFile {
                name: name.to_owned(),
                prelude: None,
                maps: Vec::new(),
                problems: Vec::new(),
                statements: Vec::new(),
                bytes: Vec::new(),
            },
            in_map: false,
            default_depth: None,
            names: BTreeMap::new(),
        }
    }

    fn report(&mut self, problem: Diagnostic, span: Range<usize>) {
        let description = self.file.problems.len();
        if description < MOST_PROBLEMS {
            self.file.problems.push(problem.from_source(self.text.source(span)));
        } else if description == MOST_PROBLEMS {
            let more = Diagnostic::error("too many problems; further problems are not shown")
                .help("fix the problems above first");
            self.file.problems.push(more.from_source(self.text.source(span)));
        }
    }

    /// Reports a diagnostic on a line, counted from 0; its position excludes leading blanks.
    fn report_line(&mut self, problem: Diagnostic, index: usize) {
        let span = self.text.bare_span(index);
        self.report(problem, span);
    }

    fn map(&mut self) -> Option<&mut MapSource> {
        self.file.maps.last_mut().filter(|_| self.in_map)
    }

    fn push(&mut self, first: usize, kind: StatementKind) {
        let line = number(first);
        let last_line = self.at as u32;
        if !matches!(
            kind,
            StatementKind::Blank | StatementKind::Comment(_) | StatementKind::DefaultDepth(_)
        ) && let Some(map) = self.map()
        {
            map.last_line = last_line;
        }
        self.file.statements.push(Statement { line, kind });
    }

    /// Reads one statement, which ends at the end of a line.
    fn statement(&mut self) {
        let first = self.at;
        let line = self.text.line(first);
        let bare = line.trim_ascii_start();
        self.at += 1;
        if bare.is_empty() {
            self.push(first, StatementKind::Blank);
        } else if bare[0] == b'#' {
            self.push(first, StatementKind::Comment(line.to_vec()));
        } else if let Some(code) = bare.strip_prefix(b":") {
            self.lua(first, code);
        } else if let Some((role, code)) = opening(bare) {
            self.block(first, role, code);
        } else if bare == b"MAP" {
            self.rows(first);
        } else if let Some((name, value)) = header(bare) {
            self.header(first, name, value);
        } else {
            let problem = match bare {
                b"ENDMAP" => Diagnostic::error("ENDMAP without MAP").help("write MAP on a line before the first row"),
                _ if bare.ends_with(b"}}") => Diagnostic::error("there is no open block to close here").help(
                    "remove the `}}`, or write `} }` if it belongs to Lua: a line that ends in `}}` closes its block",
                ),
                _ => Diagnostic::error("this is not a header, comment, Lua line, block or MAP")
                    .help("begin a comment with `#` and a line of Lua with `:`; write rows between MAP and ENDMAP"),
            };
            self.report_line(problem, first);
            self.push(first, StatementKind::Unread(line.to_vec()));
        }
    }

    fn lua(&mut self, first: usize, code: &[u8]) {
        self.add_code(Role::Body, number(first), code);
        self.push(first, StatementKind::Lua(code.to_vec()));
    }

    /// Adds Lua to the current map or, if there is none, to the file's prelude.
    fn add_code(&mut self, role: Role, line: u32, code: &[u8]) {
        if code.trim_ascii().is_empty() {
            return;
        }
        match self.map() {
            Some(map) => map.chunk_mut(role),
            None => self.file.prelude.get_or_insert_default(),
        }
        .add(line, code);
    }

    /// Reads a block of Lua; `code` is the text after its `{{`.
    fn block(&mut self, first: usize, role: Role, code: &[u8]) {
        let mut lines = Vec::new();
        let mut rest = code;
        let closed = loop {
            if let Some(last) = rest.strip_suffix(b"}}") {
                lines.push(last.to_vec());
                break true;
            }
            lines.push(rest.to_vec());
            if self.at >= self.text.len() {
                break false;
            }
            rest = self.text.line(self.at);
            self.at += 1;
        };
        if !closed {
            let problem = Diagnostic::error("this block is not closed before the end of the file");
            self.report_line(problem.help("end it with a line that ends in `}}`"), first);
        }
        if role != Role::Body && self.map().is_none() {
            let problem = Diagnostic::error(format!(
                "`{}` belongs to a map, but no map begins above it",
                role.name()
            ));
            self.report_line(problem.help("write it below the map's NAME"), first);
        } else {
            for (i, line) in lines.iter().enumerate() {
                self.add_code(role, number(first + i), line);
            }
        }
        self.push(first, StatementKind::Block { role, lines, closed });
    }

    /// Reads the rows after MAP.
    fn rows(&mut self, first: usize) {
        let mut rows = Vec::new();
        let mut closed = false;
        while self.at < self.text.len() {
            let row = self.text.line(self.at);
            if row.trim_ascii_start() == b"ENDMAP" {
                self.at += 1;
                closed = true;
                break;
            }
            // A line with `NAME:` cannot be a row, so ENDMAP must be missing. The rows end here, so that the next map
            // is not lost.
            if row.starts_with(b"NAME:") {
                break;
            }
            rows.push(row.to_vec());
            self.at += 1;
        }
        if closed {
            self.check_rows(first, &rows);
        } else {
            let problem = Diagnostic::error("this MAP has no ENDMAP");
            let help = "write ENDMAP on a line of its own after the last row";
            self.report_line(problem.help(help), first);
        }
        if let Some(map) = self.map() {
            let again = map.rows_line > 0;
            if !again {
                map.rows_line = number(first + 1);
            }
            map.rows.extend_from_slice(&rows);
            if again {
                let problem = Diagnostic::warning("this map already has a MAP; the rows are appended to it");
                let help = "give each map its own NAME; Lua cannot choose between two MAPs of one map";
                self.report_line(problem.help(help), first);
            }
        } else {
            let problem = Diagnostic::error("MAP belongs to a map, but no map begins above it");
            self.report_line(problem.help("write `NAME:` and the map's name above it"), first);
        }
        self.push(first, StatementKind::Rows { rows, closed });
    }

    /// Reports blank rows and tabs.
    fn check_rows(&mut self, first: usize, rows: &[Vec<u8>]) {
        for (i, row) in rows.iter().enumerate() {
            let index = first + 1 + i;
            let span = self.text.span(index);
            if row.is_empty() {
                let problem = Diagnostic::error("a row of a MAP is blank");
                let help = "remove it, or write `.` for floor: a space is a cell outside the map";
                self.report(problem.help(help), span);
            } else if let Some(tab) = row.iter().position(|b| *b == b'\t') {
                let problem = Diagnostic::error("a row of a MAP has a tab");
                let at = span.start + tab;
                self.report(problem.help("replace it with spaces, one for each cell"), at..at + 1);
            }
        }
    }

    /// Reads a header with its continuation lines.
    fn header(&mut self, first: usize, name: &[u8], value: &[u8]) {
        let (value, places) = self.value(first, value);
        let joined = value.joined();
        let line = number(first);
        match (name, Keyword::by_name(name)) {
            (b"NAME", _) => {
                self.name(first, &joined, &places);
                self.push(first, StatementKind::Name(value));
            }
            (b"default-depth", _) => {
                self.default_depth(&joined, &places);
                self.push(first, StatementKind::DefaultDepth(value));
            }
            (_, Some(keyword)) => {
                self.known(first, keyword, joined, &places);
                self.push(first, StatementKind::Header(keyword, value));
            }
            (_, None) => {
                let shown = String::from_utf8_lossy(name);
                let problem = Diagnostic::error("this is not a map header");
                let help = match Keyword::nearest(&shown) {
                    Some(near) => format!("write `{near}:`, or begin the line with `#` if it is a comment"),
                    None => "begin the line with `#` if it is a comment, or with `:` if it is Lua".to_owned(),
                };
                let start = self.text.bare_span(first).start;
                self.report(problem.help(help), start..start + name.len());
                self.push(first, StatementKind::Unknown(name.to_vec(), value));
            }
        }
        debug_assert!(
            self.file.statements.last().is_some_and(|s| s.line == line),
            "one statement"
        );
    }

    /// Reads the value of a header with its continuation lines. Also returns the position of each of these lines in the
    /// file.
    fn value(&mut self, first: usize, start: &[u8]) -> (Value, Places) {
        let mut value = Value::default();
        let mut places = Places::default();
        let mut line = start.trim_ascii_start();
        let mut index = first;
        loop {
            let more = line.strip_suffix(b"\\");
            let kept = more.unwrap_or(line);
            places.add(self.text.span(index).end - line.len(), kept);
            value.lines.push(kept.to_vec());
            if more.is_none() {
                break;
            }
            let next = self.text.line(self.at).trim_ascii_start();
            if self.at >= self.text.len() || next.is_empty() || begins_statement(next) {
                value.dangling = true;
                let problem = Diagnostic::error("this line ends in `\\`, but no line continues it");
                let help = "remove the `\\` at its end, or continue the value on the next line";
                self.report_line(problem.help(help), index);
                break;
            }
            line = next;
            index = self.at;
            self.at += 1;
        }
        (value, places)
    }

    /// Begins a map.
    fn name(&mut self, first: usize, name: &[u8], places: &Places) {
        let name = String::from_utf8_lossy(name).into_owned();
        let all = 0..name.len();
        if name.is_empty() {
            let problem = Diagnostic::error("a map needs a name");
            self.report_line(problem.help("write it after `NAME:`"), first);
        } else if name.contains(|c: char| c.is_whitespace()) {
            let problem = Diagnostic::error("the name of a map must be one word");
            let help = "replace the spaces with `_`; a comment needs a line of its own";
            self.report(problem.help(help), places.span(all));
        } else if let Some(other) = self.names.get(&name) {
            let problem = Diagnostic::error(format!("a map with the same name begins in line {other}"));
            self.report(problem.help("rename one of the maps"), places.span(all));
        } else {
            self.names.insert(name.clone(), number(first));
        }
        self.in_map = true;
        self.file.maps.push(MapSource {
            name,
            line: number(first),
            default_depth: self.default_depth.clone(),
            ..MapSource::default()
        });
    }

    fn default_depth(&mut self, value: &[u8], places: &Places) {
        self.in_map = false;
        let text = String::from_utf8_lossy(value).into_owned();
        self.default_depth = None;
        match Ranges::parse(&text) {
            Ok(ranges) if ranges.is_empty() => {}
            Ok(_) => self.default_depth = Some(text),
            Err(error) => {
                let at = check::find(value, error.text.as_bytes()).unwrap_or(0..value.len());
                let problem = Diagnostic::error(error.message);
                let help = "write ranges such as `D:2-4, Lair`, or leave the value empty to clear the default for the maps that follow";
                self.report(problem.help(help), places.span(at));
            }
        }
    }

    /// Checks a known header and adds it to the current map.
    fn known(&mut self, first: usize, keyword: Keyword, value: Vec<u8>, places: &Places) {
        for (at, error) in check::problems(keyword, &value) {
            let help = check::help(keyword);
            self.report(Diagnostic::error(error.message).help(help), places.span(at));
        }
        if keyword.form() == Form::Words
            && let Some(at) = translate::arguments(keyword, &value)
                .into_iter()
                .find(|at| !is_tag(&value[at.clone()]))
        {
            let problem = Diagnostic::error("a tag consists of letters, digits, `_` and `-`");
            self.report(problem.help("separate tags with spaces, not commas"), places.span(at));
        }
        let line = number(first);
        if let Some(map) = self.map() {
            let calls = translate::calls(keyword, &value);
            if !calls.is_empty() {
                map.body.add(line, &calls);
            }
            map.headers.push(Header { keyword, value, line });
        } else {
            let problem = Diagnostic::error(format!(
                "{} belongs to a map, but no map begins above it",
                keyword.name()
            ));
            self.report_line(problem.help("write `NAME:` and the map's name above it"), first);
        }
    }

    fn finish(mut self) -> VaultFile {
        let order = |d: &Diagnostic| d.source.as_ref().map(|source| source.span.start);
        self.file.problems.sort_by_key(order);
        self.file
    }
}

/// A table that converts offsets in the joined value of a header to offsets in the file.
#[derive(Default)]
struct Places {
    /// For each line, its offset in the joined lines and its offset in the file.
    starts: Vec<(usize, usize)>,
    /// Length of the joined lines, in bytes.
    length: usize,
    /// Number of blanks trimmed from the front of the joined lines.
    cut: Option<usize>,
}

impl Places {
    /// Adds a line that begins at an offset in the file.
    fn add(&mut self, start: usize, part: &[u8]) {
        self.starts.push((self.length, start));
        let blanks = part.len() - part.trim_ascii_start().len();
        if self.cut.is_none() && blanks < part.len() {
            self.cut = Some(self.length + blanks);
        }
        self.length += part.len();
    }

    /// Converts a range of the joined and trimmed value to a range of the file.
    fn span(&self, part: Range<usize>) -> Range<usize> {
        let cut = self.cut.unwrap_or(0);
        let at = |offset: usize| {
            let index = self
                .starts
                .partition_point(|(start, _)| *start <= offset)
                .saturating_sub(1);
            self.starts
                .get(index)
                .map_or(0, |(start, place)| place + (offset - start))
        };
        let start = at(part.start + cut);
        start..at((part.end + cut).saturating_sub(1)).max(start) + usize::from(!part.is_empty())
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// Returns the role of the block that a line opens, and the text after its `{{`.
fn opening(bare: &[u8]) -> Option<(Role, &[u8])> {
    let brace = bare.iter().position(|b| *b == b'{')?;
    let code = bare[brace..].strip_prefix(b"{{")?;
    let word = bare[..brace].trim_ascii_end();
    if word.is_empty() || word == b"lua" {
        return Some((Role::Body, code));
    }
    let role = Role::NAMED.into_iter().find(|role| role.name().as_bytes() == word)?;
    Some((role, code))
}

/// Splits a line that has the form of a header into name and value; `None` for other lines.
fn header(bare: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = bare.iter().position(|b| *b == b':')?;
    let name = bare[..colon].trim_ascii_end();
    let letter = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(letter);
    is_name.then(|| (name, &bare[colon + 1..]))
}

/// Returns whether a line clearly begins another statement and therefore does not continue a header.
fn begins_statement(bare: &[u8]) -> bool {
    let known = |name: &[u8]| matches!(name, b"NAME" | b"default-depth") || Keyword::by_name(name).is_some();
    matches!(bare, b"MAP" | b"ENDMAP") || header(bare).is_some_and(|(name, _)| known(name))
}

fn is_tag(word: &[u8]) -> bool {
    word.iter()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}
