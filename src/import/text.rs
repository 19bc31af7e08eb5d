//! Reads text mazes: one line per row, and one or more characters per square.
//!
//! Terminal colours are ignored, tabs advance to the next multiple of eight columns, and lines may differ in length.
//! Lines of prose before and after the maze are skipped and reported. [`super::alphabet`] determines which characters
//! are walls.

use std::collections::BTreeMap;
use std::ops::Range;

use super::alphabet::{Alphabet, is_glyph};
use super::square::{Drawing, DrawnSquare};
use super::{ImportOptions, MOST_SQUARES};
use crate::design::{Diagnostic, MAX_DIMENSION};
use crate::format::Text;

/// Distance from one tab stop to the next, in characters.
const TAB: usize = 8;

/// Maximum number of lines, and of columns per line. Four times the maximum dimension of a dungeon leaves room for
/// prose around the maze and for squares drawn with several characters.
const MOST_LINES: usize = 4 * MAX_DIMENSION as usize;

/// Maximum number of unknown characters that get their own warning.
const MAX_REPORTED: usize = 6;

/// A character and its byte offset in the text.
type Cell = (char, usize);

pub(super) fn read(text: &Text, options: &ImportOptions, diagnostics: &mut Vec<Diagnostic>) -> Option<Drawing> {
    let lines = match cells(text.content()) {
        Ok(lines) => lines,
        Err(excess) => {
            diagnostics.push(too_large(text, &excess));
            return None;
        }
    };
    rows(text, lines, options, diagnostics)
}

/// Converts lines of a text to a drawing.
fn rows(
    text: &Text,
    lines: Vec<Vec<Cell>>,
    options: &ImportOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Drawing> {
    let extra = [options.walls.as_deref(), options.open.as_deref()];
    let found = maze(&lines, &|c| extra.iter().flatten().any(|set| set.contains(c)));
    let Some(found) = found else {
        diagnostics.push(
            Diagnostic::error("no line of this text looks like a row of a maze")
                .from_source(text.source(0..text.content().find('\n').unwrap_or(text.content().len())))
                .help("use `wallcrawler import --walls` to say which characters are walls"),
        );
        return None;
    };
    report_left_out(text, &lines, &found, diagnostics);
    let mut lines = lines;
    lines.truncate(found.end);
    lines.drain(..found.start);
    split_numbers(&mut lines);
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    if lines.len() as u64 * columns as u64 > MOST_SQUARES {
        diagnostics.push(too_large(text, &too_many_squares()));
        return None;
    }
    let mut present: BTreeMap<char, usize> = BTreeMap::new();
    for (c, _) in lines.iter().flatten() {
        *present.entry(*c).or_default() += 1;
    }
    let alphabet = if options.walls.is_some() || options.open.is_some() {
        Alphabet::of_options(extra[0], extra[1], &present)
    } else {
        Alphabet::found(&present, &edge(&lines))
    };
    report_unknown(text, &lines, &present, &alphabet, diagnostics);
    let row = |line: &Vec<Cell>| -> Vec<DrawnSquare> {
        let square = |(c, _): &Cell| alphabet.square(*c).unwrap_or(DrawnSquare::Open);
        line.iter().map(square).collect()
    };
    let rows: Vec<Vec<DrawnSquare>> = lines.iter().map(row).collect();
    let mut drawing = Drawing::of_rows(&rows);
    describe_alphabet(&alphabet, diagnostics);
    let [across, down] = drawing.grain();
    let wide = match options.scale {
        Some(scale) => scale as usize,
        // Characters are about twice as tall as they are wide, so mazes often draw each square with two characters. If
        // the runs of equal squares have even lengths down as well as across, the maze may simply have wide corridors
        // and thick walls: do not shrink it.
        None if across % 2 == 0 && down % 2 == 1 && across > 0 => 2,
        None => 1,
    };
    if wide > 1 {
        drawing = drawing.shrunk(wide, 1);
        let help = if options.scale.is_none() {
            "use --scale 1 if each character is a square"
        } else {
            ""
        };
        diagnostics
            .push(Diagnostic::note(format!("every {wide} consecutive characters are read as one square")).help(help));
    }
    Some(drawing)
}

/// Returns an error if a file has too many lines. Called before decoding, since an index of the lines would take more
/// memory than the file itself.
#[expect(clippy::naive_bytecount, reason = "runs once per file: not worth a crate")]
pub(super) fn too_many_lines(bytes: &[u8]) -> Option<Diagnostic> {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    (lines > MOST_LINES).then(|| larger_than(&format!("this text has more than {MOST_LINES} lines")))
}

fn too_many_squares() -> String {
    format!("this text has more than {MOST_SQUARES} squares")
}

fn too_large(text: &Text, excess: &str) -> Diagnostic {
    larger_than(excess).from_source(text.source(0..0))
}

fn larger_than(excess: &str) -> Diagnostic {
    Diagnostic::error(format!("{excess}, the maximum")).help(format!(
        "use a smaller maze; a dungeon has at most {MAX_DIMENSION} rows and columns"
    ))
}

/// Returns the visible characters of each line; `Err` says which limit was exceeded.
fn cells(content: &str) -> Result<Vec<Vec<Cell>>, String> {
    let mut lines = vec![Vec::new()];
    let mut count = 0;
    let mut characters = content.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let Some(line) = lines.last_mut() else { break };
        match c {
            '\n' => lines.push(Vec::new()),
            '\r' => {
                if characters.peek().is_none_or(|(_, next)| *next != '\n') {
                    lines.push(Vec::new());
                }
            }
            '\t' => {
                let to = (line.len() / TAB + 1) * TAB;
                count += to - line.len();
                line.resize(to, (' ', at));
            }
            '\u{1b}' => skip_escape(&mut characters),
            '\u{feff}' => {}
            c if c.is_control() => {}
            c => {
                count += 1;
                line.push((c, at));
            }
        }
        if count as u64 > MOST_SQUARES {
            return Err(too_many_squares());
        }
        if lines.len() > MOST_LINES {
            return Err(format!("this text has more than {MOST_LINES} lines"));
        }
        if lines.last().is_some_and(|line| line.len() > MOST_LINES) {
            return Err(format!(
                "line {} of this text has more than {MOST_LINES} columns",
                lines.len()
            ));
        }
    }
    Ok(lines)
}

/// Skips the rest of an escape sequence: a control sequence such as a colour, or a command such as a window title.
fn skip_escape(characters: &mut std::iter::Peekable<std::str::CharIndices<'_>>) {
    match characters.next() {
        Some((_, '[')) => {
            // The sequence ends with a character from `@` to `~`. If there is none, stop at the end of the line.
            while let Some((_, c)) = characters.next_if(|(_, c)| *c != '\n') {
                if ('@'..='~').contains(&c) {
                    break;
                }
            }
        }
        Some((_, ']')) => {
            while let Some((_, c)) = characters.next_if(|(_, c)| *c != '\n') {
                if c == '\u{7}' {
                    break;
                }
                if c == '\u{1b}' {
                    characters.next_if(|(_, c)| *c == '\\');
                    break;
                }
            }
        }
        _ => {}
    }
}

/// Returns whether the start of a text looks like a maze: at least three lines, and more than half of the lines that
/// are not blank, look like rows of three or more characters.
pub(super) fn looks_like(begin: &str) -> bool {
    const FEWEST: usize = 3;
    let Ok(lines) = cells(begin) else { return false };
    let drawn = lines.iter().filter(|line| line.iter().any(|(c, _)| *c != ' ')).count();
    let is_wide_row = |line: &&Vec<Cell>| line.len() >= FEWEST && looks_like_row(line, &|_| false);
    let found = maze(&lines, &|_| false).map(|found| lines[found].iter().filter(is_wide_row).count());
    found.is_some_and(|rows| rows >= FEWEST && rows * 2 > drawn)
}

/// Returns whether a line looks like a row of a maze. `is_said` returns whether a character is in the option `walls` or
/// `open`.
fn looks_like_row(line: &[Cell], is_said: &dyn Fn(char) -> bool) -> bool {
    let drawn = line.iter().filter(|(c, _)| *c != ' ');
    let (known, all) = drawn.fold((0, 0), |(known, all), (c, _)| {
        (known + usize::from(is_glyph(*c) || is_said(*c)), all + 1)
    });
    all > 0 && known * 5 >= all * 4
}

/// Returns the range from the first line that looks like a row of a maze to the last such line. `is_said` returns
/// whether a character is in the option `walls` or `open`.
fn maze(lines: &[Vec<Cell>], is_said: &dyn Fn(char) -> bool) -> Option<Range<usize>> {
    let looks = |line: &Vec<Cell>| looks_like_row(line, is_said);
    let widest = lines.iter().filter(|line| looks(line)).map(Vec::len).max()?;
    // A line that contains only a short number is not a row: it may be a seed printed before a dungeon.
    let is_number = |line: &Vec<Cell>| line.len() * 2 < widest && line.iter().all(|(c, _)| c.is_ascii_digit());
    let mut rows = lines.iter().map(|line| looks(line) && !is_number(line));
    let start = rows.position(|looks| looks)?;
    let more = rows.rposition(|looks| looks).map_or(0, |last| last + 1);
    Some(start..start + 1 + more)
}

/// Removes the separators between the digits if all lines are lists of single digits.
fn split_numbers(lines: &mut [Vec<Cell>]) {
    let all = || lines.iter().flatten().map(|(c, _)| *c);
    let is_table = all().all(|c| c.is_ascii_digit() || " ,;".contains(c)) && all().any(|c| c.is_ascii_digit());
    let is_between = |line: &Vec<Cell>| {
        let mut digits = line.iter().map(|(c, _)| c.is_ascii_digit());
        let mut before = false;
        digits.all(|digit| !(std::mem::replace(&mut before, digit) && digit))
    };
    let separated = all().any(|c| " ,;".contains(c)) && lines.iter().all(is_between);
    if is_table && separated {
        for line in lines {
            line.retain(|(c, _)| c.is_ascii_digit());
        }
    }
}

/// Returns how often each character occurs on the edge of the drawing. Corners count twice.
fn edge(lines: &[Vec<Cell>]) -> BTreeMap<char, usize> {
    let mut edge = BTreeMap::new();
    let ends = lines
        .iter()
        .flat_map(|line| line.first().into_iter().chain(line.last()));
    let sides = lines.first().into_iter().chain(lines.last()).flatten();
    for (c, _) in ends.chain(sides) {
        *edge.entry(*c).or_default() += 1;
    }
    edge
}

fn report_left_out(text: &Text, lines: &[Vec<Cell>], maze: &Range<usize>, diagnostics: &mut Vec<Diagnostic>) {
    for (part, description) in [(&lines[..maze.start], "before"), (&lines[maze.end..], "after")] {
        let prose = part.iter().filter(|line| line.iter().any(|(c, _)| *c != ' '));
        let (count, first) = (prose.clone().count(), prose.clone().next());
        if let Some((_, at)) = first.and_then(|line| line.first()) {
            let end = text.content()[*at..]
                .find('\n')
                .map_or(text.content().len(), |end| at + end);
            let lines = if count == 1 {
                "a line".into()
            } else {
                format!("{count} lines")
            };
            diagnostics.push(
                Diagnostic::note(format!("ignored {lines} {description} the maze")).from_source(text.source(*at..end)),
            );
        }
    }
}

fn report_unknown(
    text: &Text,
    lines: &[Vec<Cell>],
    present: &BTreeMap<char, usize>,
    alphabet: &Alphabet,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut unknown: Vec<char> = present
        .keys()
        .copied()
        .filter(|c| alphabet.square(*c).is_none())
        .collect();
    unknown.sort_by_key(|c| std::cmp::Reverse(present[c]));
    let more = unknown.len().saturating_sub(MAX_REPORTED);
    for c in unknown.into_iter().take(MAX_REPORTED) {
        let Some((_, at)) = lines.iter().flatten().find(|(other, _)| *other == c) else {
            continue;
        };
        let times = match present[&c] {
            1 => "once".into(),
            times => format!("{times} times"),
        };
        diagnostics.push(
            Diagnostic::warning(format!(
                "this character, found {times}, is not known to mean a wall or an open square; it is read as open"
            ))
            .from_source(text.source(*at..at + c.len_utf8()))
            .help("use --walls and --open of `wallcrawler import` to set the characters of walls and open squares"),
        );
    }
    if more > 0 {
        let characters = if more == 1 { "character is" } else { "characters are" };
        diagnostics.push(Diagnostic::warning(format!("{more} other {characters} read as open")));
    }
}

fn describe_alphabet(alphabet: &Alphabet, diagnostics: &mut Vec<Diagnostic>) {
    let named = |square: DrawnSquare| {
        let all: Vec<String> = alphabet.of(square).map(|c| format!("`{c}`")).collect();
        (!all.is_empty()).then(|| all.join(" "))
    };
    let description = [
        (DrawnSquare::Wall, "walls are"),
        (DrawnSquare::Column, "columns"),
        (DrawnSquare::Open, "open squares"),
        (DrawnSquare::Kept, "kept open"),
    ];
    let description: Vec<String> = description
        .into_iter()
        .filter_map(|(square, what)| Some(format!("{what} {}", named(square)?)))
        .collect();
    if description.is_empty() {
        return;
    }
    let note = Diagnostic::note(description.join(", "));
    diagnostics.push(match alphabet.guess {
        Some(_) => Diagnostic {
            severity: crate::design::Severity::Warning,
            ..note.help("this is a guess from the edge of the maze; use --walls to say which characters are walls")
        },
        None => note,
    });
}

/// Returns the meaning of a character in the rows of tiles that Wallcrawler writes in JSON; `None` for an unknown
/// character.
pub(super) const fn own_square(c: char) -> Option<DrawnSquare> {
    Some(match c {
        '.' => DrawnSquare::Open,
        'o' => DrawnSquare::Kept,
        'X' | 'Y' => DrawnSquare::Wall,
        'C' => DrawnSquare::Column,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Severity;
    use crate::geometry::{Point, Size};
    use crate::import::ReadResult;

    fn read(content: &str, options: &ImportOptions) -> ReadResult {
        crate::import::read("maze.txt", content.as_bytes().to_vec(), options, &mut |_| {
            Err(std::io::ErrorKind::NotFound.into())
        })
    }

    /// Returns the rows of a drawing: `#` is a wall, `C` a column, `o` guaranteed open, `.` open, a space blank.
    fn shown(read: &ReadResult) -> Vec<String> {
        let drawing = read
            .drawing
            .as_ref()
            .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
        let glyph = |square| match square {
            DrawnSquare::Blank => ' ',
            DrawnSquare::Open => '.',
            DrawnSquare::Kept => 'o',
            DrawnSquare::Wall => '#',
            DrawnSquare::Column => 'C',
        };
        let Size { x, y } = drawing.size();
        (0..x)
            .map(|x| (0..y).map(|y| glyph(drawing.square(Point::new(x, y)))).collect())
            .collect()
    }

    fn rows(content: &str) -> Vec<String> {
        shown(&read(content, &ImportOptions::default()))
    }

    #[test]
    fn lines_are_rows_with_every_line_ending() {
        assert_eq!(rows("####\r\n#..#\r\n###.\r\n"), ["####", "#..#", "###."]);
        assert_eq!(rows("\u{feff}####\r#..#\r"), ["####", "#..#"]);
        assert_eq!(rows("#####\n#\n\n# #"), ["#####", "#    ", "     ", "#.#  "]);
        assert_eq!(rows("#\t#\n#.......#"), ["#       #", "#.......#"]);
    }

    #[test]
    fn coloured_text_is_read_without_its_colours() {
        let printed = "\x1b]0;title\x07\x1b[38;5;102m███\x1b[0m\n\x1b[38;5;102m█\x1b[0m·\x1b[31m●\x1b[0m\n█ ▲";
        assert_eq!(rows(printed), ["###", "#oC", "#.#"]);
    }

    #[test]
    fn prose_around_a_maze_is_left_out_and_reported() {
        let read = read(
            "The random seed is\n12345\n\nXXXXXXXXXXXX\nX....01...oX\nXXXXXXCXXXXX\nThat took a second.\n",
            &ImportOptions::default(),
        );
        assert_eq!(shown(&read), ["############", "#....##...o#", "######C#####"]);
        let description: Vec<String> = read.diagnostics.iter().map(ToString::to_string).collect();
        assert_eq!(
            description[0],
            "maze.txt:1:1: note: ignored 2 lines before the maze: `The random seed is`"
        );
        assert_eq!(
            description[1],
            "maze.txt:7:1: note: ignored a line after the maze: `That took a second.`"
        );
        assert!(description[2].contains("walls are `0` `1` `X`, columns `C`, open squares `.`, kept open `o`"));
    }

    #[test]
    fn unknown_characters_are_reported_with_their_place() {
        let read = read("#####\n#S.E#\n#..E#\n#####", &ImportOptions::default());
        assert_eq!(shown(&read), ["#####", "#...#", "#...#", "#####"]);
        let description = read.diagnostics[0].to_string();
        assert!(description.starts_with("maze.txt:2:4: warning:"), "{description}");
        assert!(
            description.contains("2 times, is not known to mean a wall or an open square; it is read as open: `E`"),
            "{description}"
        );
        assert!(read.diagnostics[1].to_string().starts_with("maze.txt:2:2:"));
        let all = ImportOptions {
            walls: Some("#S".into()),
            ..ImportOptions::default()
        };
        let read = self::read("#####\n#S.E#\n#..E#\n#####", &all);
        assert_eq!(shown(&read)[1], "##..#");
        assert!(read.diagnostics.iter().all(|d| d.severity == Severity::Note));
    }

    #[test]
    fn other_characters_are_walls_depending_on_their_position() {
        let read = read("@@@@@\n@...@\n@@.@@", &ImportOptions::default());
        assert_eq!(shown(&read), ["#####", "#...#", "##.##"]);
        assert_eq!(read.diagnostics[0].severity, Severity::Warning);
        assert_eq!(rows("+--+\n|  |\n+--+"), ["####", "#..#", "####"]);
        assert_eq!(rows("┌──┐\n│  │\n└─ ┘"), ["####", "#..#", "##.#"]);
    }

    #[test]
    fn tables_of_ones_and_zeros_are_mazes() {
        let maze = ["###", "#.#", "..#"];
        assert_eq!(rows("111\n101\n001"), maze);
        assert_eq!(rows("1 1 1\n1 0 1\n0 0 1"), maze);
        assert_eq!(rows("1,1,1\n1,0,1\n0,0,1,\n"), maze);
    }

    #[test]
    fn squares_two_characters_wide_are_one_square() {
        let wide = "██████\n██  ██\n████  \n";
        assert_eq!(rows(wide), ["###", "#.#", "##."]);
        let each = ImportOptions {
            scale: Some(1),
            ..ImportOptions::default()
        };
        assert_eq!(shown(&read(wide, &each))[1], "##..##");
        // All runs are even down as well as across, so the drawing keeps its size.
        assert_eq!(rows("####..\n####..\n").len(), 2);
        assert_eq!(rows("####..\n####..\n")[0], "####..");
    }

    #[test]
    fn options_apply_to_every_drawing() {
        let options = |change: &dyn Fn(&mut ImportOptions)| {
            let mut options = ImportOptions::default();
            change(&mut options);
            options
        };
        let inverted = read("#.#\n##.", &options(&|o| o.invert = true));
        assert_eq!(shown(&inverted), [".#.", "..#"]);
        assert!(inverted.diagnostics.iter().any(|d| d.message.contains("are swapped")));
        let trimmed = read("....\n.##.\n..#.\n", &options(&|o| o.trim = true));
        assert_eq!(shown(&trimmed), ["##", ".#"]);
        let large = read("#.#\n##.", &options(&|o| o.enlarge = 2));
        assert_eq!(shown(&large), ["##..##", "##..##", "####..", "####.."]);
        let description = read("#.\n", &options(&|o| o.enlarge = 40_000));
        assert!(description.drawing.is_none() && description.diagnostics.iter().any(|d| d.help.contains("enlarge")));
    }

    #[test]
    fn mazes_are_distinguished_from_prose_by_their_beginning() {
        assert!(looks_like("seed 5\n#####\n#...#\n#####\n"));
        assert!(looks_like("\u{1b}[38;5;102m████\u{1b}[0m\n█  █\n████"));
        assert!(!looks_like("Dear reader,\n\n# A heading\n\nand more.\n"));
        assert!(!looks_like("1\n2\n3\n") && !looks_like(""));
        let prose = "and a sentence\n".repeat(9);
        assert!(!looks_like(&format!("=====\n=====\n{prose}=====\n")));
    }

    #[test]
    fn options_that_name_no_character_of_the_text_cause_no_empty_note() {
        let options = ImportOptions {
            walls: Some("Z".into()),
            open: Some("Q".into()),
            ..ImportOptions::default()
        };
        let read = read("###\n#.#\n###", &options);
        assert_eq!(read.drawing, None);
        assert!(
            read.diagnostics.iter().all(|d| !d.message.is_empty()),
            "{:?}",
            read.diagnostics
        );
    }

    #[test]
    fn a_text_without_a_maze_says_what_to_do() {
        let read = read("Dear reader,\nthe condition is empty.\n", &ImportOptions::default());
        assert_eq!(read.drawing, None);
        let description = read.diagnostics[0].to_string();
        assert!(
            description.contains("maze.txt:1:1: error: no line of this text looks like a row"),
            "{description}"
        );
        assert!(
            description.contains("`Dear reader,`") && description.contains("--walls"),
            "{description}"
        );
    }

    #[test]
    fn texts_with_more_lines_or_columns_than_any_maze_are_refused() {
        for (content, expected) in [
            ("#\n".repeat(MOST_LINES + 9), "this text has more than 131068 lines"),
            (
                "#".repeat(MOST_LINES + 1),
                "line 1 of this text has more than 131068 columns",
            ),
            (
                format!("##\n{}", "\t".repeat(MOST_LINES)),
                "line 2 of this text has more than 131068 columns",
            ),
        ] {
            let read = super::super::read("a.txt", content.into_bytes(), &ImportOptions::default(), &mut |_| {
                Err(std::io::ErrorKind::NotFound.into())
            });
            assert_eq!(read.drawing, None);
            let error = read.diagnostics.last().unwrap();
            assert_eq!(error.message, format!("{expected}, the maximum"));
            assert!(error.help.contains("32767"), "{}", error.help);
        }
        let lines = cells(&"\n".repeat(MOST_LINES - 1)).unwrap();
        assert_eq!(lines.len(), MOST_LINES);
    }
}
