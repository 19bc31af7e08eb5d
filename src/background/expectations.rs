//! Checks a design's expectations in the background, by growing it from many seeds.
//!
//! One core is left to the interface. A new check cancels the one under way, and so does an edit.

use std::sync::mpsc::SyncSender;
use std::time::Duration;

use super::Message;
use super::job::{Cancelled, JobContext, RunId, Worker};
use super::survey::{Pace, SeedSurvey};
use crate::analysis::{MetricSample, MetricValue, expectations};
use crate::document::SeededDesign;
use crate::engine::Options;

/// Time over which results are gathered into one message.
const GATHER: Duration = Duration::from_millis(60);

/// An expectation check over a seed range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectationRequest {
    /// The design; its expectations determine which metrics are measured.
    pub prospect: SeededDesign,
    /// Engine options of the growths.
    pub options: Options,
    /// Number of seeds, from 0 on.
    pub seeds: u64,
}

/// A reply of the expectation service.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpectationReply {
    /// Seeds in order, each with the values of a [`MetricSample`] of the design's expectations; `None` where no
    /// dungeon could be grown.
    Seeds(Vec<(u64, Option<Vec<MetricValue>>)>),
    /// All seeds have been grown.
    Done,
    /// The thread panicked with this message.
    Broken(String),
}

/// The thread of the checks, with helper threads of its own. Dropping it cancels the check under way.
#[derive(Debug)]
pub struct ExpectationService(Worker<Box<ExpectationRequest>>);

impl ExpectationService {
    /// Starts the thread, which sends its messages to `inbox`.
    ///
    /// # Errors
    ///
    /// Returns the system's error if the thread cannot be spawned.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Checked {
            run,
            checked: ExpectationReply::Broken(why),
        };
        Worker::start("checker", inbox, broken, || {
            |run, check: Box<ExpectationRequest>, line: &JobContext<I>| {
                // A cancelled check sends nothing more.
                let _ = work(run, &check, line);
            }
        })
        .map(Self)
    }

    /// Cancels the check under way and begins another; its replies carry the number returned.
    pub fn ask(&self, check: Box<ExpectationRequest>) -> RunId {
        self.0.ask(check)
    }

    /// Cancels the check under way.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

fn work<I: Send>(run: RunId, check: &ExpectationRequest, line: &JobContext<I>) -> Result<(), Cancelled> {
    let expected = expectations(check.prospect.design());
    let sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
    let report = |checked| line.report(run, Message::Checked { run, checked });
    let mut gathered = Vec::new();
    let mut pace = Pace::new(GATHER);
    SeedSurvey::in_background(vec![check.prospect.clone()], check.options).run_while(
        check.seeds,
        || !line.is_stale(run),
        |seed| (0, seed),
        |_, metrics| sample.values_of(metrics),
        |seed, values| {
            gathered.push((seed, values));
            if pace.is_due() {
                report(ExpectationReply::Seeds(std::mem::take(&mut gathered)))?;
            }
            Ok(())
        },
    )?;
    report(ExpectationReply::Seeds(gathered))?;
    report(ExpectationReply::Done)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use super::*;
    use crate::background::Inbox;
    use crate::presets::Preset;

    #[test]
    fn a_check_tells_what_a_survey_tells_in_the_order_of_the_seeds() {
        let design = Arc::new(Preset::find("ammonite").unwrap().design());
        let expected = expectations(&design);
        let sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
        let prospect = SeededDesign::new(design, std::path::PathBuf::new(), None);
        let inbox = Inbox::<()>::new();
        let checker = ExpectationService::new(inbox.sender()).unwrap();
        let check = ExpectationRequest {
            prospect: prospect.clone(),
            options: Options::default(),
            seeds: 20,
        };
        let stale = checker.ask(Box::new(check.clone()));
        let asked = checker.ask(Box::new(check));
        let mut told = Vec::new();
        while let Some(Message::Checked { run, checked }) = inbox.wait(None) {
            assert!(run == asked || run == stale);
            match checked {
                ExpectationReply::Seeds(_) if run == stale => {}
                ExpectationReply::Seeds(seeds) => told.extend(seeds),
                _ => break,
            }
        }
        let mut surveyed = Vec::new();
        SeedSurvey::new(prospect, Options::default()).run(
            20,
            |number| number,
            |_, figures| sample.values_of(figures),
            |seed, values| {
                surveyed.push((seed, values));
                ControlFlow::Continue(())
            },
        );
        assert_eq!(told, surveyed);
    }
}
