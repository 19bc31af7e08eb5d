//! Judging the dungeon that is shown: what is asked of the judger, and what it found.
//!
//! A case goes out when something on the screen tells of figures and the moment has changed, and not before the case
//! before it was answered: a growth that is watched is judged as often as there is time for it.

use crate::analysis::Life;
use crate::design::ValidDesign;
use crate::worker::{Case, Judged, RunId};

use super::app::{App, Effect};
use super::views;

/// A moment of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// Which of the runs so far.
    run: u64,
    /// Turns that are over.
    pub turn: u64,
}

/// What was asked and what was found.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The design that was last given to be grown, the one whose run began last, and how many runs began.
    coming: Option<ValidDesign>,
    design: Option<ValidDesign>,
    runs: u64,
    /// The moment that was asked about last, whether it was asked who laid what, and the number of the case until it
    /// is answered.
    asked: Option<(Moment, bool)>,
    case: Option<RunId>,
    found: Option<(Moment, Result<Box<Judged>, String>)>,
}

impl State {
    /// Notes that a design is given to be grown.
    pub(super) fn grown(&mut self, design: ValidDesign) {
        self.coming = Some(design);
    }

    /// Notes that its run began. What was found of the run before stays until there is something newer.
    pub(super) fn started(&mut self) {
        self.design.clone_from(&self.coming);
        self.runs += 1;
    }

    /// For another design.
    pub(super) fn renewed(&self) -> Self {
        Self {
            runs: self.runs,
            ..Self::default()
        }
    }

    /// The number of the last case.
    pub(super) const fn begun(&mut self, run: RunId) {
        self.case = Some(run);
    }

    /// Takes an answer, if it is the last case's.
    pub(super) fn take(&mut self, run: RunId, judged: Result<Box<Judged>, String>) {
        if let Some((moment, _)) = self.asked.filter(|_| self.case.take_if(|case| *case == run).is_some()) {
            self.found = Some((moment, judged));
        }
    }

    /// What was found last, and of which moment.
    pub(super) fn found(&self) -> Option<(Moment, Result<&Judged, &str>)> {
        let (moment, judged) = self.found.as_ref()?;
        Some((*moment, judged.as_deref().map_err(String::as_str)))
    }
}

/// What the dungeon that is shown is like, as far as it is known: of this moment, or of one shortly before.
pub(super) fn judged(app: &App) -> Option<&Judged> {
    app.judge.found()?.1.ok()
}

/// Whether what was found last tells of the moment that is shown.
pub(super) fn is_current(app: &App) -> bool {
    app.judge.found.as_ref().is_some_and(|(moment, _)| *moment == now(app))
}

/// The moment that is shown.
fn now(app: &App) -> Moment {
    Moment {
        run: app.judge.runs,
        turn: app.time.turn(),
    }
}

/// Whether something on the screen tells of figures.
fn is_wanted(app: &App) -> bool {
    views::shows_figures(app)
}

/// Whether it must be known who laid which tile: where areas are enclosed, it is told who closed them.
pub(super) fn needs_origins(app: &App) -> bool {
    is_wanted(app) && judged(app).is_some_and(|judged| !judged.figures.enclosed.is_empty())
}

/// Asks about the moment that is shown, where it has not been asked about.
pub(super) fn tick(app: &mut App) -> Vec<Effect> {
    if app.judge.case.is_some() || !app.time.shows_latest() || !is_wanted(app) {
        return Vec::new();
    }
    let (Some(frame), Some(design)) = (app.time.frame(), &app.judge.design) else {
        return Vec::new();
    };
    let moment = now(app);
    let known = is_current(app);
    let turn = moment.turn;
    let origins = app.time.origins().filter(|origins| known && origins.read() >= turn);
    let wanted = (moment, origins.is_some() && needs_origins(app));
    if app
        .judge
        .asked
        .is_some_and(|asked| asked == wanted || asked == (moment, true))
    {
        return Vec::new();
    }
    let case = Case {
        design: design.clone(),
        grid: frame.grid().clone(),
        life: Life {
            builders: frame.builders().len() as u32,
            unborn: unborn(app, turn),
            iterations: app.time.clock().iteration,
        },
        origins: origins.filter(|_| wanted.1).map(|origins| (origins.clone(), turn)),
    };
    app.judge.asked = Some(wanted);
    vec![Effect::Judge(Box::new(case))]
}

/// Babies that were not born until the end of a turn, as near as the census counts.
fn unborn(app: &App, turn: u64) -> u32 {
    let bins = app
        .time
        .recording()
        .map_or(&[][..], |recording| recording.census().bins());
    let counted = bins.iter().take_while(|bin| bin.end() <= turn);
    counted
        .map(|bin| bin.unborn)
        .sum::<u64>()
        .try_into()
        .unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Figures, Judge, Scene};
    use crate::document::Document;
    use crate::presets::Preset;
    use crate::tui::fixture::Desk;

    fn grown(preset: &str) -> Desk {
        let design = Preset::find(preset).unwrap().design();
        let mut desk = Desk::with(Document::new(design, None), 120, 40);
        desk.grow();
        desk
    }

    /// What was found is what the dungeon on the screen is like.
    fn is_right(desk: &Desk) {
        let app = &desk.app;
        assert!(is_current(app));
        let scene = Scene::new(app.document.valid().unwrap());
        let figures = Judge::new().judge(app.time.frame().unwrap().grid(), &scene);
        let found = judged(app).unwrap().figures.clone();
        assert_eq!(Figures { life: None, ..found }, figures);
    }

    #[test]
    fn the_moment_that_is_shown_is_judged_while_somebody_looks() {
        let mut desk = grown("catacombs");
        desk.keys("G");
        desk.settle();
        assert!(judged(&desk.app).is_none(), "nobody asked");
        desk.keys("A");
        desk.settle();
        is_right(&desk);
        assert_eq!(judged(&desk.app).unwrap().figures.life.unwrap().unborn, 0);
        // Another moment, and another run at the same moment.
        desk.keys("<<<");
        desk.settle();
        is_right(&desk);
        desk.keys("R");
        assert!(judged(&desk.app).is_some(), "what was known stays for so long");
        desk.grow();
        desk.app.advance(std::time::Duration::from_secs(1));
        desk.want();
        desk.settle();
        is_right(&desk);
        // Nothing is asked twice.
        desk.want();
        assert!(desk.app.judge.case.is_none());
    }

    #[test]
    fn one_case_at_a_time_and_answers_of_others_are_dropped() {
        let mut desk = grown("weave");
        desk.keys("GA");
        let first = desk.app.judge.case.unwrap();
        desk.keys("<");
        assert_eq!(desk.app.judge.case, Some(first), "it is not answered yet");
        desk.settle();
        is_right(&desk);
        desk.app.judge.take(first, Err("late".into()));
        is_right(&desk);
    }
}
