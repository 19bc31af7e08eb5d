//! Renders diagnostics in cargo's layout: severity and message, position, the line of the file with carets under the
//! offending text, and help.
//!
//! A diagnostic marks a single span on a single line, so this code is shorter than a call to `annotate-snippets`. That
//! crate would also count the column from the start of the excerpt instead of the start of the line.

use unicode_width::UnicodeWidthStr as _;

use crate::design::{Diagnostic, Excerpt, Severity, SourcePosition};
use crate::text::escape_line;

/// Returns a diagnostic as text for a terminal. The text ends in a line feed; text of several lines also ends in a
/// blank line, which separates it from the next diagnostic. For a note without help, the line of the file is left
/// out, because the reader does not have to change anything there.
pub(super) fn render(diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        severity,
        message,
        help,
        ..
    } = diagnostic;
    let is_note = *severity == Severity::Note && help.is_empty();
    let help = |gutter: &str| match help.as_str() {
        "" => String::new(),
        help => format!("{gutter} = help: {help}\n"),
    };
    let Some(source) = &diagnostic.source else {
        let place = diagnostic.place.map(|place| format!("{}: ", place.entry.label()));
        let end = if help("").is_empty() { "" } else { "\n" };
        return format!("{severity}: {}{message}\n{}{end}", place.unwrap_or_default(), help(" "));
    };
    let line = source.line.to_string();
    let gutter = " ".repeat(line.len());
    let (excerpt, text) = if is_note || source.excerpt.line.trim().is_empty() {
        let text = escape_line(&source.text);
        (
            String::new(),
            if text.is_empty() {
                String::new()
            } else {
                format!(": `{text}`")
            },
        )
    } else {
        let (shown, carets) = underlined(&source.excerpt);
        (
            format!("{gutter} |\n{line} | {shown}\n{gutter} | {carets}\n"),
            String::new(),
        )
    };
    let position = position(source);
    format!(
        "{severity}: {message}{text}\n{gutter}--> {position}\n{excerpt}{}\n",
        help(&gutter)
    )
}

/// Returns the text of a position: file, line and column.
pub(super) fn position(source: &SourcePosition) -> String {
    format!("{}:{}:{}", escape_line(&source.file), source.line, source.column)
}

/// Returns the line as a terminal shows it, and a line with carets below the offending text (at least one caret).
fn underlined(Excerpt { line, span }: &Excerpt) -> (String, String) {
    let shown = |text: &str| escape_line(&text.replace('\t', "    ")).into_owned();
    let (before, rest) = line.split_at(span.start);
    let (text, after) = rest.split_at(span.len());
    let [before, text, after] = [before, text, after].map(shown);
    let carets = "^".repeat(text.width().max(1));
    (
        format!("{before}{text}{after}"),
        format!("{}{carets}", " ".repeat(before.width())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Text;

    #[test]
    fn carets_are_below_the_offending_text() {
        let content = "first\n\twide 漢字 \u{1b}[2J x\u{202e}y\n";
        let at = content.find("漢").unwrap();
        let error = Diagnostic::error("wrong").help("write it");
        let error = error.from_source(Text::new("a\u{1b}b", content).source(at..at + 6));
        let expected = [
            "error: wrong",
            " --> a\\u{1b}b:2:7",
            "  |",
            "2 |     wide 漢字 \\u{1b}[2J x\\u{202e}y",
            "  |          ^^^^",
            "  = help: write it\n\n",
        ];
        assert_eq!(render(&error), expected.join("\n"));
        let note = Diagnostic::note("seen").from_source(Text::new("file", content).source(0..5));
        assert_eq!(render(&note), "note: seen: `first`\n --> file:1:1\n\n");
        assert_eq!(render(&Diagnostic::error("a").help("b")), "error: a\n  = help: b\n\n");
    }
}
