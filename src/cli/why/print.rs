//! Prints answers as text, as JSON, or as a map of the differences between two dungeons.

use serde_json::{Value, json};

use super::{Answer, Args, SHOWN, Statement};
use crate::analysis::counterfactual::{Alternative, AlternativeSubject, ObservedRun, walls_between};
use crate::cli::output::Output;
use crate::cli::progress::grouped;
use crate::cli::selection::columns_option;
use crate::design::{Design, Field};
use crate::engine::{BuilderId, Grid};
use crate::geometry::Point;
use crate::recording_file::PROGRAM_VERSION;
use crate::text::{counted, plural, shell_quoted};

/// The beginnings of the suggested command lines, which show or grow a changed dungeon.
pub(super) struct Commands {
    why: String,
    grow: String,
}

impl Commands {
    pub(super) fn new(args: &Args, seed: u64) -> Self {
        let columns = columns_option(args.growth.options());
        let options = format!(" --seed {seed}{}{columns}", args.change.command());
        let of = |name: &str| args.design.command_of(name) + &options;
        let subject = match (args.at, args.builder, &args.metric) {
            (Some(at), ..) => format!("--at {},{}", at.x, at.y),
            (_, Some(number), _) => format!("--builder {number}"),
            (.., text) => format!("--metric {}", shell_quoted(text.as_deref().unwrap_or_default())),
        };
        Self {
            why: format!("{}{} {subject}", of("why"), args.ends.command()),
            grow: of("grow"),
        }
    }

    /// Returns the command that shows the dungeon of statement `number`.
    fn show(&self, number: usize) -> String {
        format!("{} --show {number}", self.why)
    }

    /// Returns the command that grows the dungeon of a statement; `None` unless all its changes are changes to
    /// parameters.
    fn grow(&self, statement: &Statement) -> Option<String> {
        let rules: Option<Vec<String>> = statement.changes.iter().map(Alternative::rule).collect();
        let rules = rules?
            .into_iter()
            .map(|rule| format!(" --change {}", shell_quoted(&rule)));
        Some(self.grow.clone() + &rules.collect::<String>())
    }
}

/// Prints a changed dungeon and marks the squares that differ from the original dungeon.
pub(super) fn show(run: &ObservedRun, grid: &Grid, changes: &[Alternative], output: &mut Output) {
    let before = run.grid();
    for x in 0..before.size().x {
        let sign = |y: i32| {
            let at = Point::new(x, y);
            match (before.tile(at).is_open(), grid.tile(at).is_open()) {
                (true, true) => '.',
                (false, false) => '#',
                (true, false) => '+',
                (false, true) => '-',
            }
        };
        output.line(&(0..before.size().y).map(sign).collect::<String>());
        if output.is_closed() {
            return;
        }
    }
    let walls = walls_between(before, grid);
    output.summary(&format!(
        "{} {}: {} {}",
        "the dungeon",
        describe(changes, None),
        grouped(walls),
        differ(walls)
    ));
}

/// Returns a statement's changes as a condition: `if Crawler #41 (not an ancestor of the wall's Builder) had not been
/// born`.
fn describe(changes: &[Alternative], built_by: Option<BuilderId>) -> String {
    let parts: Vec<String> = changes
        .iter()
        .map(|change| change.subject.condition(built_by))
        .collect();
    parts.join(" and ")
}

fn differ(walls: u64) -> String {
    format!(
        "{} {}",
        plural(walls, "wall"),
        if walls == 1 { "differs" } else { "differ" }
    )
}

/// Returns the kind of a statement. Consecutive statements of the same kind are counted together when the list is
/// shortened.
fn kind(statement: &Statement) -> &'static str {
    match &statement.changes[..] {
        [only] => match only.subject {
            AlternativeSubject::Birth { is_ancestor: true, .. } => "line",
            AlternativeSubject::Birth { .. } => "birth",
            AlternativeSubject::Parameter { .. } => "parameter",
            AlternativeSubject::Tile { .. } => "tile",
            AlternativeSubject::Roll { .. } => "roll",
        },
        _ => "pair",
    }
}

/// Prints the statements as text.
pub(super) fn print(answer: &Answer, command: &Commands, all: bool, output: &mut Output) {
    for fact in &answer.facts {
        output.line(fact);
    }
    if answer.statements.is_empty() {
        output.line(&answer.nothing);
        return;
    }
    if !answer.facts.is_empty() {
        output.line("");
    }
    output.line(&format!("{}:", answer.conclusion));
    let number = answer.statements.len().to_string().len();
    let mut of_kind = ("", 0);
    let mut hidden = 0;
    for (index, statement) in answer.statements.iter().enumerate() {
        let kind = kind(statement);
        of_kind = if of_kind.0 == kind {
            (kind, of_kind.1 + 1)
        } else {
            (kind, 1)
        };
        if !all && of_kind.1 > SHOWN && kind != "line" {
            hidden += 1;
            let next = answer.statements.get(index + 1);
            if next.is_none_or(|next| self::kind(next) != kind) {
                output.line(&format!("{:number$}  … {} more of this kind", "", of_kind.1 - SHOWN));
            }
            continue;
        }
        let condition = describe(&statement.changes, answer.built_by);
        let walls = format!("{} {}", grouped(statement.walls), differ(statement.walls));
        output.line(&format!("{:>number$}  {condition}: {walls}", index + 1));
        if let Some(command) = command.grow(statement) {
            output.line(&format!("{:number$}  {command}", ""));
        }
    }
    let shown = if hidden > 0 { "; --all lists all" } else { "" };
    output.line(&format!(
        "{} found by growing {}{shown}; show the dungeon with the first change: `{}`",
        counted(answer.statements.len() as u64, "change"),
        counted(answer.grown, "dungeon"),
        command.show(1)
    ));
}

/// Returns the answer as JSON.
pub(super) fn object(answer: &Answer, command: &Commands, design: &Design) -> Value {
    let statements = answer.statements.iter().enumerate().map(|(index, statement)| {
        json!({
            "number": index + 1,
            "text": describe(&statement.changes, answer.built_by),
            "changes": statement.changes.iter().map(change).collect::<Vec<_>>(),
            "walls_differ": statement.walls,
            "show": command.show(index + 1),
            "grow": command.grow(statement),
        })
    });
    let mut all = json!({
        "version": PROGRAM_VERSION,
        "seed": design.seed,
        "conclusion": answer.conclusion,
        "grown": answer.grown,
        "statements": statements.collect::<Vec<_>>(),
    });
    if let (Some(all), Some(members)) = (all.as_object_mut(), answer.members.as_object()) {
        all.extend(members.clone());
    }
    all
}

/// Returns a change as JSON. Builders are numbered from 1, as everywhere in the interface.
fn change(alternative: &Alternative) -> Value {
    match alternative.subject {
        AlternativeSubject::Birth {
            builder,
            builder_kind,
            turn,
            is_ancestor,
        } => {
            json!({"kind": "birth", "builder": builder.0 + 1, "builder_kind": builder_kind, "turn": turn, "ancestor": is_ancestor})
        }
        AlternativeSubject::Parameter { place, before, after } => {
            json!({"kind": "parameter", "entry": place.entry.label(), "parameter": place.field.map(Field::name), "before": before, "after": after})
        }
        AlternativeSubject::Tile { list, at } => json!({"kind": "tile", "list": list, "row": at.x, "column": at.y}),
        AlternativeSubject::Roll {
            builder,
            builder_kind,
            turn,
            roll,
            rolled,
            ..
        } => {
            json!({"kind": "roll", "builder": builder.0 + 1, "builder_kind": builder_kind, "turn": turn, "roll": roll, "rolled": rolled.map(|roll| roll.rolled), "chance": rolled.map(|roll| roll.chance)})
        }
    }
}
