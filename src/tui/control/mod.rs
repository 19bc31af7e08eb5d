//! Requests from the control socket. Other programs run actions of the key table, as if the user had chosen them in the
//! palette. They also request the state, the dungeon, and the explanation of a square.
//!
//! A request is handled like a key, between two frames, and never blocks the designer. If a request needs more time
//! than a frame, another thread does the work ([`DungeonQuery`]), or the answer is sent before a later frame
//! ([`WaitingRequest`]).

mod action;
mod state;
#[cfg(test)]
mod tests;

use std::fmt::Display;

use serde_json::{Value, json};

use super::app::App;
use super::recorded;
use super::tabs::View;
use crate::background::{
    ControlAnswer, ControlCommand, ControlError, ControlRequest, DungeonArgs, DungeonContent, DungeonMoment,
    DungeonQuery, GrowArgs,
};
use crate::design::Rule;
use crate::engine::why_same;
use crate::export::ExportOptions;
use crate::geometry::Point;
use crate::tui::commands::{Action, Effect, TimeCommand};
use crate::tui::playback::RunInfo;
use crate::tui::waiting::{WaitingFor, WaitingRequest};

/// The answer to a request; `None` if the answer is not known yet.
type Answer = Option<Result<ControlAnswer, ControlError>>;

/// Whether the open design can grow.
enum Growth<'a> {
    /// Not known yet: the design is still being resolved, or its growth is about to restart.
    Unknown,
    /// The design cannot grow, for this reason.
    Impossible(ControlError),
    /// The design can grow. Contains the design and the options of the latest requested growth.
    Of(&'a RunInfo),
}

impl App {
    /// Carries out a request. Answers it at once, or adds it to the requests that are answered before a later frame.
    pub(super) fn handle_request(&mut self, request: ControlRequest) -> Vec<Effect> {
        self.editor.redraw.is_due = true;
        self.editor.redraw.is_urgent = true;
        let ControlRequest { command, reply } = request;
        let mut effects = Vec::new();
        let wait = |until| Ok((None, Some(until)));
        let now = |value| Ok((Some(ControlAnswer::Ready(value)), None));
        let done = match command {
            ControlCommand::Action(name, args) => self.run_named(&name, &args, &mut effects).and_then(now),
            ControlCommand::State(false) => now(self.state_json()),
            ControlCommand::State(true) => wait(WaitingFor::Growth(Vec::new())),
            ControlCommand::Actions => now(self.actions_json()),
            ControlCommand::Screen => now(self.screen_json()),
            ControlCommand::Dungeon(args) => wait(WaitingFor::Design(args)),
            ControlCommand::Why(at) => self.look_at(at).and_then(|found| {
                effects = found;
                wait(WaitingFor::Square(at))
            }),
            ControlCommand::Grow(args) => self
                .change_design(&args)
                .and_then(|warnings| wait(WaitingFor::Growth(warnings))),
        };
        match done {
            Err(error) => reply.send(Err(error)),
            Ok((Some(answer), _)) => reply.send(Ok(answer)),
            Ok((None, until)) => self.waiting.extend(until.map(|until| WaitingRequest { reply, until })),
        }
        effects
    }

    /// Answers the waiting requests whose answer is now known, and drops those whose clients no longer wait.
    pub(super) fn answer_waiting(&mut self) {
        for request in std::mem::take(&mut self.waiting) {
            if request.reply.is_abandoned() {
                continue;
            }
            match self.answer(&request.until) {
                None => self.waiting.push(request),
                Some(answer) => request.reply.send(answer),
            }
        }
    }

    /// Returns the answer to a waiting request, or `None` if the answer is not known yet.
    fn answer(&self, until: &WaitingFor) -> Answer {
        let run = match self.growth() {
            Growth::Unknown => return None,
            Growth::Impossible(error) => return Some(Err(error)),
            Growth::Of(run) => run,
        };
        match until {
            WaitingFor::Design(args) => Some(Ok(self.query(args, run))),
            WaitingFor::Growth(warnings) => self.editor.time.is_grown().then(|| {
                let mut state = self.state_json();
                if !warnings.is_empty() {
                    state["warnings"] = warnings.clone().into();
                }
                Ok(ControlAnswer::Ready(state))
            }),
            WaitingFor::Square(at) => self.editor.time.is_grown().then(|| self.explanation(*at)).flatten(),
        }
    }

    /// Returns whether the open design can grow.
    fn growth(&self) -> Growth<'_> {
        let document = &self.editor.document;
        if document.is_resolving() || self.editor.regrows() {
            return Growth::Unknown;
        }
        if document.valid().is_none() {
            let error = document.diagnostics().max_by_key(|problem| problem.severity);
            let why = error.map_or_else(String::new, |problem| format!(": {}", problem.message));
            return Growth::Impossible(ControlError::new(
                format!("this design cannot grow{why}"),
                "change it, or run the action `everywhere.undo`",
            ));
        }
        self.editor.time.ordered().map_or(Growth::Unknown, Growth::Of)
    }

    /// Returns the query about a dungeon, for another thread to answer.
    fn query(&self, args: &DungeonArgs, ordered: &RunInfo) -> ControlAnswer {
        let time = &self.editor.time;
        let shown = time.run().filter(|_| args.turn == DungeonMoment::Shown);
        let run = shown.unwrap_or(ordered);
        let recorded = self.editor.document.recording_file();
        let recorded = recorded.filter(|file| recorded::shows_growth_of(file, &run.design, run.options));
        let defaults = ExportOptions::default();
        ControlAnswer::Query(Box::new(DungeonQuery {
            design: run.design.clone(),
            recorded: recorded.cloned(),
            turn: match args.turn {
                DungeonMoment::End => None,
                DungeonMoment::Shown => Some(time.turn()),
                DungeonMoment::Turn(turn) => Some(turn),
            },
            content: args.format.map_or(DungeonContent::Metrics, DungeonContent::File),
            options: ExportOptions {
                engine: run.options,
                scale: args.scale,
                by: args.by.unwrap_or(defaults.by),
                legend: args.legend,
                ..defaults
            },
        }))
    }

    /// Changes the design in one undo step, and returns a warning for each rule without an effect.
    fn change_design(&mut self, args: &GrowArgs) -> Result<Vec<String>, ControlError> {
        self.check_free()?;
        let mut changed = self.editor.document.design().clone();
        let mut warnings = Vec::new();
        let mut names = Vec::new();
        for text in &args.change {
            let rejected = |why: &dyn Display, help: &str| {
                let help = if help.is_empty() {
                    "nothing was changed; correct the rule"
                } else {
                    help
                };
                ControlError::new(format!("`{text}`: {why}"), help)
            };
            let rule = Rule::read(text).map_err(|error| rejected(&error.message, &error.help))?;
            let before = changed.clone();
            let replaced = rule.apply(&mut changed).map_err(|error| rejected(&error, ""))?;
            let same = if replaced.is_empty() {
                Some("it changes no value".to_owned())
            } else {
                why_same(&before, self.editor.options, &replaced)
            };
            warnings.extend(same.map(|why| format!("`{text}` has no effect: {why}")));
            names.push(text.clone());
        }
        if let Some(seed) = args.seed.filter(|seed| *seed != changed.seed) {
            names.push(format!("seed: {} → {seed}", changed.seed));
            changed.seed = seed;
        }
        if changed != *self.editor.document.design() {
            self.editor.edit(names.join(", "), |design| *design = changed);
        }
        Ok(warnings)
    }

    /// Seeks to the end of growth, moves the cursor to a square and opens the Inspect view, whose lines explain the
    /// square.
    fn look_at(&mut self, at: Point) -> Result<Vec<Effect>, ControlError> {
        self.check_free()?;
        let size = self.editor.document.design().layout.size;
        check_square(at, size)?;
        let way = self.screens.open.close().into_iter();
        let way = way.chain([Action::Time(TimeCommand::End), Action::FocusView(View::Inspect)]);
        let effects = way.flat_map(|action| self.update(action)).collect();
        self.editor.show_square(at);
        Ok(effects)
    }

    /// Returns the lines of the Inspect view about a square, once the view shows the complete explanation.
    fn explanation(&self, at: Point) -> Answer {
        let editor = &self.editor;
        if editor.map.cursor() != at || !editor.shows_view(View::Inspect) {
            return Some(Err(ControlError::new(
                "the cursor was moved, or the Inspect view was closed, before the explanation was ready",
                "ask again; the terminal must have room for the Inspect view",
            )));
        }
        if editor.time.turn() < editor.time.turns() || !self.views.has_explained(at) {
            return None;
        }
        let story = self.views.story(editor).unwrap_or_default();
        let lines: Vec<&str> = story.lines().map(str::trim_end).collect();
        let tile = editor.time.frame().map(|frame| frame.grid().tile(at).plain());
        Some(Ok(ControlAnswer::Ready(json!({
            "row": at.x,
            "column": at.y,
            "tile": tile.map(String::from),
            "lines": lines,
        }))))
    }

    /// Returns the text on the screen as JSON.
    fn screen_json(&self) -> Value {
        let buffer = self.picture();
        let rows = buffer.area.rows().map(|row| {
            let cells: String = row.positions().map(|position| buffer[position].symbol()).collect();
            cells.trim_end().to_owned()
        });
        json!({
            "rows": buffer.area.height,
            "columns": buffer.area.width,
            "lines": rows.collect::<Vec<_>>(),
        })
    }
}

/// Fails if a square is outside the dungeon.
fn check_square(at: Point, size: crate::geometry::Size) -> Result<(), ControlError> {
    if size.contains(at) {
        return Ok(());
    }
    Err(ControlError::new(
        format!("{at} is outside the dungeon of {size} squares"),
        format!("rows are 0 to {}, columns 0 to {}", size.x - 1, size.y - 1),
    ))
}
