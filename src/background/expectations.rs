//! The checker: grows a design from many seeds beside the screen, for what its author expects of them.
//!
//! One core is left to the screen. A new check ends the one under way, and so does an edit.

use std::ops::ControlFlow;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::job::{JobContext, RunId, Worker};
use super::{Message, background_threads, parallel};
use crate::analysis::{MetricSample, MetricValue, MetricsRunner, expectations};
use crate::document::SeededDesign;
use crate::engine::Options;

/// How long outcomes are gathered before they are told.
const GATHER: Duration = Duration::from_millis(60);

/// What is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectationRequest {
    /// The design, whose expectations say which figures are wanted.
    pub prospect: SeededDesign,
    /// Choices of the runs.
    pub options: Options,
    /// How many seeds, from 0 on.
    pub seeds: u64,
}

/// What the checker tells.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpectationReply {
    /// Seeds in order, each with the values of a [`MetricSample`] of the design's expectations; `None` where no dungeon could be
    /// grown.
    Seeds(Vec<(u64, Option<Vec<MetricValue>>)>),
    /// All seeds were grown.
    Done,
    /// A fault of the program ended it, which said this.
    Broken(String),
}

/// The thread of checks, with others of its own. Dropping it ends the one under way.
#[derive(Debug)]
pub struct ExpectationService(Worker<Box<ExpectationRequest>>);

impl ExpectationService {
    /// Starts the thread; its messages go to `inbox`.
    ///
    /// # Errors
    ///
    /// When the system has no thread to give.
    pub fn new<I: Send + 'static>(inbox: SyncSender<Message<I>>) -> std::io::Result<Self> {
        let broken = |run, why| Message::Checked {
            run,
            checked: ExpectationReply::Broken(why),
        };
        Worker::start("checker", inbox, broken, || {
            |run, check: Box<ExpectationRequest>, line: &JobContext<I>| work(run, &check, line)
        })
        .map(Self)
    }

    /// Ends the check under way and begins another: what is told carries the number returned.
    pub fn ask(&self, check: Box<ExpectationRequest>) -> RunId {
        self.0.ask(check)
    }

    /// Ends the check under way.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

fn work<I: Send>(run: RunId, check: &ExpectationRequest, line: &JobContext<I>) {
    let expected = expectations(check.prospect.design());
    let sample = MetricSample::new(expected.iter().map(|(_, expectation)| expectation));
    let mut gathered = Vec::new();
    let mut told = Instant::now();
    let tell = |checked| line.send(run, Message::Checked { run, checked });
    parallel::in_order(
        check.seeds,
        background_threads(),
        || (check.prospect.seeds(), MetricsRunner::new()),
        |(seeds, nursery), seed| {
            if line.is_stale(run) {
                return None;
            }
            let design = seeds.design(seed)?;
            let figures = nursery.raise_while(&design, check.options, || !line.is_stale(run))?;
            Some(sample.values_of(&figures))
        },
        |seed, values| {
            gathered.push((seed, values));
            if told.elapsed() >= GATHER {
                told = Instant::now();
                if !tell(ExpectationReply::Seeds(std::mem::take(&mut gathered))) {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        },
    );
    if tell(ExpectationReply::Seeds(gathered)) {
        tell(ExpectationReply::Done);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::background::{Inbox, SeedSurvey};
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
