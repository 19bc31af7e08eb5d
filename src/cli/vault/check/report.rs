//! Machine-readable reports: GitHub workflow commands, SARIF and JSON.

use std::fmt::Write as _;

use clap::ValueEnum;
use serde_json::{Value, json};

use super::super::uri::percent_encoded;
use crate::design::Severity;
use crate::text::is_control;
use crate::vault::lint::{Finding, Rule};

/// Format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Readable text that shows the offending lines
    Text,
    /// GitHub workflow commands, which annotate the offending lines in a pull request
    Github,
    /// SARIF 2.1.0, which code hosts and editors import
    Sarif,
    /// An array of objects with file, line, column, rule, message and advice
    Json,
}

/// Returns the report of findings in a machine-readable format; empty for text, which is printed during the check.
pub(super) fn write(format: Format, findings: &[Finding]) -> String {
    match format {
        Format::Text => String::new(),
        Format::Github => findings.iter().map(github).collect(),
        Format::Sarif => json_text(&sarif(findings)),
        Format::Json => json_text(&Value::from(findings.iter().map(object).collect::<Vec<_>>())),
    }
}

/// Formats a value as JSON and escapes control characters, so that text from a level file cannot control the terminal.
pub(in crate::cli::vault) fn json_text(value: &Value) -> String {
    let mut text = String::new();
    for c in format!("{value:#}\n").chars() {
        if c != '\n' && is_control(c) {
            // JSON escapes UTF-16 code units; a character outside the basic plane has two.
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text
}

/// Returns the file, line and column of a finding; an empty file name, line 1 and column 1 if the place is unknown.
fn place(finding: &Finding) -> (&str, u32, u32) {
    let source = finding.diagnostic.source.as_ref();
    source.map_or(("", 1, 1), |source| (source.file.as_str(), source.line, source.column))
}

/// Returns the message of a finding, followed by the offending text.
fn message(finding: &Finding) -> String {
    let diagnostic = &finding.diagnostic;
    match diagnostic.source.as_ref().map(|source| source.text.as_str()) {
        // Lua's messages already quote the offending text, and for a closet the text is only the glyph of a cell, which
        // does not help.
        Some(text) if !text.is_empty() && !matches!(finding.rule, Rule::Lua | Rule::Closet) => {
            format!("{}: `{text}`", diagnostic.message)
        }
        _ => diagnostic.message.clone(),
    }
}

fn github(finding: &Finding) -> String {
    let level = match finding.diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    // Without these escapes, which GitHub decodes, a message could end the line and begin another command.
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let (file, line, column) = place(finding);
    let mut text = message(finding);
    if !finding.diagnostic.help.is_empty() {
        text = format!("{text}\nhelp: {}", finding.diagnostic.help);
    }
    format!(
        "::{level} file={},line={line},col={column},title={}::{}\n",
        // GitHub compares the path with the names of files in the repository, which have slashes.
        property(&file.replace('\\', "/")),
        property(finding.rule.key()),
        data(&text)
    )
}

fn object(finding: &Finding) -> Value {
    let (file, line, column) = place(finding);
    json!({
        "file": file,
        "line": line,
        "column": column,
        "severity": finding.diagnostic.severity,
        "rule": finding.rule.key(),
        "map": finding.map,
        "message": message(finding),
        "help": finding.diagnostic.help,
    })
}

fn sarif(findings: &[Finding]) -> Value {
    let rules: Vec<Value> = Rule::all()
        .map(|rule| json!({"id": rule.key(), "shortDescription": {"text": rule.sentence()}}))
        .collect();
    let results: Vec<Value> = findings.iter().map(result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "wallcrawler",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(finding: &Finding) -> Value {
    let (file, line, column) = place(finding);
    let level = match finding.diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    json!({
        "ruleId": finding.rule.key(),
        "level": level,
        "message": {"text": format!("{}\n{}", message(finding), finding.diagnostic.help).trim_end()},
        "locations": [{
            "physicalLocation": {
                "artifactLocation": {"uri": percent_encoded(file)},
                "region": {"startLine": line, "startColumn": column},
            },
            "logicalLocations": [{"name": finding.map, "kind": "module"}],
        }],
    })
}
