//! Determines whether the expectations hold at the end of the run, and over many seeds.

use std::sync::Arc;

use super::{MetricsMoment, MetricsState};
use crate::analysis::{MetricSample, Outcome, Verdict, evaluate, expectations};
use crate::background::{ExpectationReply, ExpectationRequest, JobError, Ticket};
use crate::design::Design;
use crate::design::expect::{self, Expectation};
use crate::text::counted;
use crate::tui::editor::{Editor, NoticeLevel};
use crate::tui::jobs::JobHandle;
use crate::tui::metric_reports::{ExpectationReport, ExpectationState, SeedVerdict};
use crate::tui::tabs::Panel;

/// Number of seeds that a check covers.
pub(super) const SEEDS: u64 = 100;

/// A check of the expectations over seeds, in progress or done.
#[derive(Debug)]
pub(super) struct SeedCheck {
    /// The checked design, without the fields that do not affect its metrics.
    kernel: Design,
    /// The texts of the design's expectations.
    texts: Vec<String>,
    /// The document's revision when the check was last compared with the document.
    revision: u64,
    request: JobHandle,
    sample: MetricSample,
    /// The checked expectations, each with its index in the design.
    expected: Vec<(usize, Expectation)>,
    /// Number of seeds tried.
    pub looked: u64,
    /// The seeds from which no dungeon could be grown.
    pub not_grown: Vec<u64>,
    pub is_done: bool,
}

impl SeedCheck {
    /// Returns an expectation's verdict so far, with an explanation; `None` before the first dungeon.
    pub(super) fn verdict(&self, index: usize) -> Option<(Verdict, String)> {
        let (_, expectation) = self.expected.iter().find(|(place, _)| *place == index)?;
        if self.sample.is_empty() {
            return None;
        }
        let verdict = self.sample.verdict(expectation);
        let first = verdict.failing.first().copied();
        let description = self.sample.explain(&expectation.condition, first);
        Some((verdict, description))
    }
}

/// Returns the state of an expectation at the end of the run.
fn final_state(metrics: &MetricsState, editor: &Editor, index: usize) -> ExpectationState {
    let design = editor.document.design();
    let Some(text) = design.expect.that.get(index) else {
        return ExpectationState::NotYet;
    };
    if let Some(problem) = expect::problems(text, design).into_iter().next() {
        return ExpectationState::Wrong(problem);
    }
    let Ok(expectation) = expect::parse(text) else {
        return ExpectationState::NotYet;
    };
    let mut over = false;
    expectation.condition.metrics(&mut |_, is_over| over |= is_over);
    if over {
        return ExpectationState::OverSeeds(String::new());
    }
    let Some(measured) = super::at_end(metrics, editor) else {
        return ExpectationState::NotYet;
    };
    let mut sample = MetricSample::new([&expectation]);
    let values = sample.values_of(measured);
    sample.add(design.seed, values);
    let description = sample.explain(&expectation.condition, Some(design.seed));
    if !expectation.is_of_each() {
        return ExpectationState::OverSeeds(description);
    }
    if evaluate(&expectation.condition, measured, &()).holds() {
        ExpectationState::Holds(description)
    } else {
        ExpectationState::Fails(description)
    }
}

/// Starts the check over seeds, or stops the one in progress.
pub(super) fn check(metrics: &mut MetricsState, editor: &mut Editor) {
    if metrics.survey.take_if(|survey| !survey.is_done).is_some() {
        editor.warn("the check over seeds was stopped");
        return;
    }
    let design = editor.document.shared();
    let expected = expectations(&design);
    if expected.is_empty() {
        editor.warn("this design has no expectation that can be checked");
        return;
    }
    if editor.document.valid().is_none() {
        editor.fail(editor.why_not_grown());
        return;
    }
    let sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
    let check = ExpectationRequest {
        seeded: editor.document.seeded(),
        options: editor.options,
        seeds: SEEDS,
    };
    let request = editor.start(check, ());
    metrics.survey = Some(SeedCheck {
        kernel: design.measured(),
        texts: design.expect.that.clone(),
        revision: editor.document.revision(),
        request,
        sample,
        expected,
        looked: 0,
        not_grown: Vec::new(),
        is_done: false,
    });
    editor.done(growing());
}

/// Returns the notice shown while the check runs.
fn growing() -> String {
    format!("growing dungeons from {SEEDS} seeds to check the expectations")
}

/// Shows how many expectations hold over the checked seeds, unless an unrelated notice is shown.
fn report_check(metrics: &MetricsState, editor: &mut Editor) {
    let Some(survey) = &metrics.survey else { return };
    let all = survey.expected.len();
    let outcome = |index: usize| survey.verdict(index).map(|(verdict, _)| verdict.outcome);
    let count = |wanted: Outcome| {
        let found = survey
            .expected
            .iter()
            .filter(|(index, _)| outcome(*index) == Some(wanted));
        found.count()
    };
    let (held, open) = (count(Outcome::Holds), count(Outcome::NeedsMoreSeeds));
    let looked = survey.looked;
    editor.status.notice.take_if(|(_, text)| *text == growing());
    if editor.status.notice.is_none() {
        let level = if held == all {
            NoticeLevel::Done
        } else {
            NoticeLevel::Warning
        };
        let expectations = counted(all, "expectation");
        let verb = if held == 1 { "holds" } else { "hold" };
        let needs = if open == 1 { "needs" } else { "need" };
        let open = match open {
            0 => String::new(),
            open => format!(", {open} {needs} more seeds"),
        };
        editor.say(
            level,
            format!("over {looked} seeds, {held} of {expectations} {verb}{open}"),
        );
    }
}

/// Discards the check if an edit after its start affects its result. Editing the design's seed does not affect the
/// result, because the check covers the same seeds whatever the design's own seed is.
pub(super) fn tick(metrics: &mut MetricsState, editor: &mut Editor) {
    let revision = editor.document.revision();
    let design = editor.document.design();
    let is_stale = |survey: &mut SeedCheck| {
        let was_edited = std::mem::replace(&mut survey.revision, revision) != revision;
        was_edited && (survey.texts != design.expect.that || survey.kernel != design.measured())
    };
    if metrics.survey.take_if(is_stale).is_some_and(|survey| !survey.is_done) {
        editor.warn("the design was edited: the check over seeds was stopped");
    }
}

/// Handles a reply to the check in progress; drops replies to other checks.
pub(in crate::tui) fn handle_reply(
    metrics: &mut MetricsState,
    editor: &mut Editor,
    ticket: &Ticket,
    reply: Result<ExpectationReply, JobError>,
) {
    let Some(survey) = metrics.survey.as_mut().filter(|survey| survey.request.has(ticket)) else {
        return;
    };
    match reply {
        Ok(ExpectationReply::Seeds(seeds)) => {
            for (seed, values) in seeds {
                survey.looked += 1;
                match values {
                    Some(values) => survey.sample.add(seed, values),
                    None => survey.not_grown.push(seed),
                }
            }
        }
        Ok(ExpectationReply::Done) => {
            survey.is_done = true;
            report_check(metrics, editor);
        }
        Err(error) => {
            metrics.survey = None;
            editor.fail(format!("the check failed: {error}"));
        }
    }
}

/// Sets the design's seed to the first checked seed for which the expectation failed. If there is none, says why; for
/// example, an expectation that is only about aggregates, such as `mean(path) >= 180`, cannot fail for a single seed.
pub(in crate::tui) fn open_failing(metrics: &MetricsState, editor: &mut Editor, index: usize) {
    let verdict = metrics.survey.as_ref().and_then(|survey| survey.verdict(index));
    let Some((verdict, _)) = verdict else {
        editor.warn("this expectation has not been checked over seeds yet");
        return;
    };
    let Some(&seed) = verdict.failing.first() else {
        if verdict.is_of_one {
            editor.done("this expectation holds for every checked seed");
        } else {
            editor.warn("this expectation is about all seeds together, so no single seed can fail it");
        }
        return;
    };
    let before = editor.document.design().seed;
    if before == seed {
        editor.done(format!(
            "the design already has seed {seed}, the first where this expectation fails"
        ));
        return;
    }
    let name = format!("seed: {before} → {seed}, where an expectation fails");
    editor.edit(name, |design| design.seed = seed);
}

/// Returns whether the Expect panel is visible and the design has expectations.
pub(super) fn is_visible(editor: &Editor) -> bool {
    editor.panel == Panel::Expect && !editor.areas.panel.is_empty() && !editor.document.design().expect.that.is_empty()
}

/// The inputs from which the reports are computed; if one of the inputs changes, the reports are computed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReportsKey {
    revision: u64,
    run: MetricsMoment,
    is_measured: bool,
    /// The progress of the check over seeds: the number of seeds checked, and whether it is done.
    checked: Option<(u64, bool)>,
}

/// Returns a report on each of the design's expectations; reuses the last reports unless [`ReportsKey`] has changed.
pub(in crate::tui) fn reports(metrics: &mut MetricsState, editor: &Editor) -> Arc<[ExpectationReport]> {
    let key = ReportsKey {
        revision: editor.document.revision(),
        run: super::now(editor).whole(),
        is_measured: super::at_end(metrics, editor).is_some(),
        checked: metrics.survey.as_ref().map(|survey| (survey.looked, survey.is_done)),
    };
    if let Some((_, reports)) = metrics.reports.as_ref().filter(|(known, _)| *known == key) {
        return Arc::clone(reports);
    }
    let all = 0..editor.document.design().expect.that.len();
    let report = |index| ExpectationReport {
        here: final_state(metrics, editor, index),
        over_seeds: over_seeds(metrics, index),
    };
    let reports: Arc<[ExpectationReport]> = all.map(report).collect();
    metrics.reports = Some((key, Arc::clone(&reports)));
    reports
}

/// Returns the verdict of an expectation over the seeds grown so far.
fn over_seeds(metrics: &MetricsState, index: usize) -> Option<SeedVerdict> {
    let survey = metrics.survey.as_ref()?;
    let so_far = if survey.is_done { "" } else { " so far" };
    let Some((verdict, explanation)) = survey.verdict(index) else {
        return (!survey.is_done).then(|| SeedVerdict {
            outcome: None,
            text: "growing dungeons …".into(),
        });
    };
    let checked = format!("over {}{so_far}", counted(survey.looked, "seed"));
    let outcome = verdict.description();
    let text = match (verdict.share(), verdict.failing.first()) {
        (Some(share), first) => {
            let percent = verdict.met() as f64 * 100.0 / verdict.seeds.max(1) as f64;
            let share = format!("{checked}: {outcome}, {percent:.0}% {}", share.percent());
            match first {
                None => share,
                Some(seed) => format!("{share}; first failing seed: {seed} ({explanation})"),
            }
        }
        (None, _) => format!("{checked}: {outcome}, {explanation}"),
    };
    Some(SeedVerdict {
        outcome: Some(verdict.outcome),
        text,
    })
}
