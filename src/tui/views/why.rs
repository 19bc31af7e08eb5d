//! Answers to "why" and "what if". For a wall or an open square, the answer lists changes to the run, each of which
//! alone would make the square different. For a Builder, the answer describes the dungeon without that Builder.
//!
//! The answers come from a job that grows the dungeon again for each change; none is guessed. Each change links to the
//! dungeon that results from it; following the link shows that dungeon on the map, with the differences in colour. A
//! change to what happened in one turn also links to that turn.

use ratatui::text::Span;

use super::page::{Link, ListRow};
use super::subject::InspectSubject;
use crate::analysis::counterfactual::{Alternative, AlternativeSubject, BuilderEffect, Cause};
use crate::background::{CounterfactualReply, CounterfactualRequest, CounterfactualSubject, JobError, Ticket};
use crate::engine::BuilderId;
use crate::geometry::Point;
use crate::recording::Recording;
use crate::text::{counted, thousands};
use crate::tui::commands::{Action, ColourMode, MapCommand, TimeCommand};
use crate::tui::editor::Editor;
use crate::tui::jobs::JobHandle;
use crate::tui::viewport::AlternativeDungeon;

/// Maximum number of changes of one kind that are listed.
const SHOWN: usize = 5;

/// The answer to the question about the subject.
#[derive(Debug)]
enum Answer {
    Causes(Vec<Cause>, u64),
    TooMany(u64),
    Effect(Alternative, BuilderEffect),
}

/// The state of the answers.
#[derive(Debug, Default)]
pub(super) struct WhyState {
    /// The last question about the current run.
    requested: Option<CounterfactualSubject>,
    request: Option<JobHandle>,
    answer: Option<Result<Answer, JobError>>,
    /// The request for a dungeon to show on the map.
    showing: Option<JobHandle<Alternative>>,
    /// Whether the view should scroll to the answers.
    pub(super) is_wanted: bool,
}

impl WhyState {
    /// Discards the question and the answers about the previous run.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns whether a request is under way.
    pub(super) const fn is_under_way(&self) -> bool {
        self.request.is_some()
    }

    /// Cancels the request in progress, because the view is hidden.
    pub(super) fn pause(&mut self) {
        if self.request.take().is_some() {
            self.requested = None;
        }
    }
}

/// Requests the answer about the subject if the question has changed.
pub(super) fn update(state: &mut WhyState, editor: &mut Editor, subject: InspectSubject, followed: bool) {
    let wanted = wanted(editor, subject, followed);
    if state.requested == wanted {
        return;
    }
    state.requested = wanted;
    (state.request, state.answer) = (None, None);
    let (Some(subject), Some(run)) = (wanted, editor.time.run()) else {
        return;
    };
    let request = CounterfactualRequest {
        design: run.design.clone(),
        options: run.options,
        subject,
    };
    state.request = Some(editor.start(request, ()));
}

/// Returns the question about a subject; `None` if there is none. An open square has a question only at the end of the
/// run.
fn wanted(editor: &Editor, subject: InspectSubject, followed: bool) -> Option<CounterfactualSubject> {
    let grows_again = editor.time.run()?.grows_again() == Some(true);
    let recording = editor.time.recording()?;
    if !grows_again || !recording.is_finished() {
        return None;
    }
    match subject {
        InspectSubject {
            laid: None,
            builder: Some(builder),
            ..
        } => Some(CounterfactualSubject::Builder(builder)),
        InspectSubject {
            builder: Some(builder), ..
        } if followed => Some(CounterfactualSubject::Builder(builder)),
        InspectSubject { laid: Some(_), at, .. } => Some(CounterfactualSubject::Square(at)),
        // There is no question about a wall of the design: the view already names the entry that it comes from.
        InspectSubject { at, .. } => {
            let is_open = editor.time.frame()?.grid().tile(at).is_open();
            (is_open && is_at_end(editor, recording)).then_some(CounterfactualSubject::Square(at))
        }
    }
}

fn is_at_end(editor: &Editor, recording: &Recording) -> bool {
    recording.is_finished() && editor.time.turn() == recording.turns()
}

/// Handles a reply: an answer, or a dungeon to show on the map.
pub(super) fn handle_reply(
    state: &mut WhyState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<CounterfactualReply, JobError>,
) {
    if let Some(showing) = state.showing.take_if(|showing| showing.has(ticket)) {
        match reply {
            Ok(CounterfactualReply::Dungeon(Some(grid))) => {
                let run = editor.time.run_number();
                show(
                    editor,
                    AlternativeDungeon {
                        alternative: showing.purpose,
                        grid,
                        run,
                    },
                );
            }
            Ok(_) => editor.warn("the design cannot be grown with this change"),
            Err(error) => editor.warn(format!("the dungeon is not available: {error}")),
        }
        return;
    }
    if state.request.take_if(|request| request.has(ticket)).is_none() {
        return;
    }
    state.answer = match reply {
        Ok(CounterfactualReply::Causes { causes, tried }) => Some(Ok(Answer::Causes(causes, tried))),
        Ok(CounterfactualReply::TooMany(all)) => Some(Ok(Answer::TooMany(all))),
        Ok(CounterfactualReply::Effect(Some((alternative, effect)))) => Some(Ok(Answer::Effect(alternative, effect))),
        Ok(CounterfactualReply::Effect(None) | CounterfactualReply::Dungeon(_)) => None,
        Err(error) => Some(Err(error)),
    };
}

/// Requests the dungeon that results from a change, to show it on the map. If the map already shows it, shows the run's
/// own dungeon again.
pub(super) fn toggle(state: &mut WhyState, editor: &mut Editor, alternative: Alternative) {
    let shown = editor.map.alternative.as_ref();
    if shown.is_some_and(|shown| shown.alternative == alternative) && editor.time.turn() == editor.time.turns() {
        state.showing = None;
        editor.map.end_alternative();
        editor.done("back to the actual dungeon");
        return;
    }
    let Some(run) = editor.time.run() else { return };
    let request = CounterfactualRequest {
        design: run.design.clone(),
        options: run.options,
        subject: CounterfactualSubject::Dungeon(alternative),
    };
    state.showing = Some(editor.start(request, alternative));
}

/// Shows a dungeon on the map, with its differences from the run's finished dungeon in colour.
fn show(editor: &mut Editor, dungeon: AlternativeDungeon) {
    let text = dungeon.alternative.subject.to_string();
    editor.time.command(TimeCommand::End);
    if !matches!(editor.map.colours, ColourMode::Changes | ColourMode::WallFrequency) {
        editor.map.chosen_colours = editor.map.colours;
    }
    editor.map.colours = ColourMode::Changes;
    editor.map.alternative = Some(dungeon);
    let changes = editor.keymap.key_of(Action::Map(MapCommand::Changes));
    editor.done(format!("the dungeon {text}; {changes} shows the actual dungeon again"));
}

/// Returns the lines of the answers; no lines if there is no question.
pub(super) fn rows(state: &WhyState, editor: &Editor, subject: InspectSubject, width: u16) -> Vec<ListRow> {
    let theme = editor.theme;
    if state.requested.is_none() {
        return Vec::new();
    }
    let plain = |text: &str, style, link| ListRow::wrapped(&Span::raw(""), text, style, width, link);
    let mut rows = plain("", theme.quiet(), None);
    match &state.answer {
        None => rows.extend(plain(
            "what if: growing the dungeon again for each change …",
            theme.quiet(),
            None,
        )),
        Some(Err(error)) => rows.extend(plain(&format!("what if: {error}"), theme.quiet(), None)),
        Some(Ok(Answer::TooMany(all))) => {
            let all = thousands(*all);
            let text = format!("what if: too many changes to try here ({all}); run `wallcrawler why` to try them all");
            rows.extend(plain(&text, theme.quiet(), None));
        }
        Some(Ok(Answer::Effect(alternative, effect))) => {
            rows.extend(plain("what if it had not been born?", theme.heading(), None));
            for text in effect.lines() {
                let link = Some(Link::Alternative(*alternative));
                rows.extend(ListRow::wrapped(&Span::raw("  "), &text, theme.text(), width, link));
            }
        }
        Some(Ok(Answer::Causes(causes, tried))) => {
            let head = match (causes.is_empty(), subject.laid) {
                (true, _) => format!(
                    "none of {} makes this square different",
                    counted(*tried, "single change")
                ),
                (_, Some(_)) => "changes that would prevent this wall:".into(),
                (_, None) => "changes after which this square would be different:".into(),
            };
            rows.extend(plain(&head, theme.heading(), None));
            rows.extend(causes_of(causes, editor, subject, width));
        }
    }
    rows
}

/// Returns the lines of a square's causes: the first [`SHOWN`] of each kind.
fn causes_of(causes: &[Cause], editor: &Editor, subject: InspectSubject, width: u16) -> Vec<ListRow> {
    let theme = editor.theme;
    let mut rows = Vec::new();
    for kind in causes.chunk_by(|a, b| kind(a) == kind(b)) {
        for cause in kind.iter().take(SHOWN) {
            let Cause { alternative, walls } = cause;
            let condition = alternative
                .subject
                .condition(subject.builder.filter(|_| subject.laid.is_some()));
            let text = format!("{condition}: {} different", counted(*walls, "wall"));
            let link = Some(Link::Alternative(*alternative));
            rows.extend(ListRow::wrapped(&Span::raw("  "), &text, theme.text(), width, link));
            if let Some((turn, at)) = moment(editor, &alternative.subject, subject.at) {
                let text = format!("go to turn {}", thousands(turn));
                let link = Some(Link::Moment(turn, at));
                rows.extend(ListRow::wrapped(&Span::raw("    "), &text, theme.quiet(), width, link));
            }
        }
        if let Some(more) = kind.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            let text = format!("… {} more of this kind", thousands(more as u64));
            rows.extend(ListRow::wrapped(&Span::raw("  "), &text, theme.quiet(), width, None));
        }
    }
    rows
}

const fn kind(cause: &Cause) -> u8 {
    match cause.alternative.subject {
        AlternativeSubject::Birth { is_ancestor: true, .. } => 0,
        AlternativeSubject::Birth { .. } => 1,
        AlternativeSubject::Parameter { .. } => 2,
        AlternativeSubject::Tile { .. } => 3,
        AlternativeSubject::Roll { .. } => 4,
    }
}

/// Returns the turn of a change, and the square where its Builder was born; `None` for a change without a turn.
fn moment(editor: &Editor, subject: &AlternativeSubject, fallback: Point) -> Option<(u64, Point)> {
    let born = |id: BuilderId| editor.time.frame()?.builder(id).map(|builder| builder.birth.at);
    match *subject {
        AlternativeSubject::Birth { builder, turn, .. } | AlternativeSubject::Roll { builder, turn, .. } => {
            Some((turn, born(builder).unwrap_or(fallback)))
        }
        AlternativeSubject::Parameter { .. } | AlternativeSubject::Tile { .. } => None,
    }
}
