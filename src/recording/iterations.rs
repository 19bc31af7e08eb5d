//! Iterates over a recording, one iteration of the growth at a time.

use super::Recording;
use crate::engine::{Clock, Iteration};

impl Recording {
    /// Iterates over the recorded iterations in order and yields the same items as [`Growth::iterations`]. Ends before
    /// the first iteration whose events were dropped.
    ///
    /// A [`Playback`](super::Playback) can seek to the dungeon after each iteration:
    ///
    /// ```
    /// use wallcrawler::design::ValidDesign;
    /// use wallcrawler::engine::Options;
    /// use wallcrawler::recording::{Playback, Recording};
    /// # let design: wallcrawler::Design = include_str!("../../presets/first-steps.toml").parse()?;
    /// # let design = ValidDesign::try_from(&design)?;
    ///
    /// let (mut growth, mut recording) = Recording::begin(&design, Options::default());
    /// growth.finish(&mut recording);
    /// recording.finish();
    ///
    /// let mut cursor = Playback::new(&recording);
    /// for iteration in recording.by_iteration() {
    ///     cursor.seek(&recording, iteration.clock.turn); // Seeking backwards also works.
    ///     println!("{}: {} Builders", iteration.clock.iteration, cursor.frame().awake());
    /// }
    /// assert_eq!(cursor.frame().grid(), growth.grid());
    /// # Ok::<(), wallcrawler::InvalidDesign>(())
    /// ```
    ///
    /// [`Growth::iterations`]: crate::engine::Growth::iterations
    pub fn by_iteration(&self) -> impl Iterator<Item = Iteration> {
        let mut from = 0;
        self.iterations.iter().map_while(move |mark| {
            let mut events = Vec::new();
            let reached = self.walk(from, mark.turn, |_, event| events.push(*event));
            from = mark.turn;
            let clock = Clock {
                turn: mark.turn,
                iteration: mark.iteration,
            };
            (reached == mark.turn).then_some(Iteration { clock, events })
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::design::ValidDesign;
    use crate::engine::{Iteration, Options};
    use crate::presets::Preset;
    use crate::recording::{Recorder, Recording};

    #[test]
    fn a_recording_shows_the_iterations_of_its_growth() {
        for name in ["ammonite", "weave", "sunken-city"] {
            let design = Preset::find(name).unwrap().design();
            let design = ValidDesign::try_from(&design).unwrap();
            let (mut growth, mut recording) = Recording::begin(&design, Options::default());
            let mut again = growth.clone();
            growth.finish(&mut recording);
            recording.finish();
            let iterations: Vec<Iteration> = again.iterations().collect();
            assert_eq!(again.grid(), growth.grid());
            assert!(iterations.len() > 20, "{name}: {}", iterations.len());
            assert!(
                iterations
                    .iter()
                    .eq(recording.by_iteration().collect::<Vec<_>>().iter()),
                "{name}"
            );
            assert_eq!(iterations.last().unwrap().clock, growth.clock());
        }
    }

    #[test]
    fn it_ends_where_events_were_dropped() {
        let design = Preset::find("sunken-city").unwrap().design();
        let design = ValidDesign::try_from(&design).unwrap();
        let (mut growth, mut recorder, mut recording) = Recorder::begin(&design, Options::default(), 60_000);
        while growth.iteration(&mut recorder) {
            recording.append(recorder.take_turns(&growth));
        }
        recording.append(recorder.take());
        recording.finish();
        let all = recording.by_iteration().count();
        while recording.drop_distant(0, 60_000) {}
        assert!(recording.regrows());
        let left: Vec<Iteration> = recording.by_iteration().collect();
        assert!(left.len() < all, "{} of {all}", left.len());
        let whole = left.last().map_or(0, |iteration| iteration.clock.turn);
        let next = recording.next_iteration(whole);
        assert!((whole..next).any(|turn| recording.regrow_request(turn + 1).is_some()));
    }
}
