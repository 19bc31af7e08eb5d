//! The path of one Builder through a recording: when it is active, and on which square it is after each turn.

use super::{Playback, Recording};
use crate::engine::{Birth, BuilderId, Event};
use crate::geometry::Point;

/// The squares on which one Builder is during a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuilderPath {
    /// The Builder's values at birth.
    pub birth: Birth,
    /// Number of turns finished when the Builder wakes or, if it never wakes, when it is born.
    pub from: u64,
    /// Number of turns finished when the Builder has died. If its death is not found, the number of turns before the
    /// first dropped events or, if no events were dropped, the number of all recorded turns.
    pub to: u64,
    /// Each turn in which the Builder moved, and the square to which it moved, in order.
    moves: Vec<(u64, Point)>,
}

impl BuilderPath {
    /// Returns the square on which the Builder is after `turn` turns. Before its birth, this is the square of its
    /// birth; after its death, its last square.
    pub fn at(&self, turn: u64) -> Point {
        let moved = self.moves.partition_point(|(of, _)| *of <= turn);
        moved.checked_sub(1).map_or(self.birth.at, |last| self.moves[last].1)
    }
}

impl Recording {
    /// Returns the path of a Builder; `None` if no Builder with this id was born before the end of the recording or
    /// before the first events that were dropped.
    pub fn path_of(&self, id: BuilderId) -> Option<BuilderPath> {
        let start = Playback::new(self);
        let mut birth = start.frame().builder(id).map(|builder| (builder.birth, 0));
        let (mut woke, mut died) = (None, None);
        let mut moves = Vec::new();
        let reached = self.walk(0, self.turns(), |turn, event| match *event {
            _ if event.builder() != id => {}
            Event::Born { birth: born, .. } => birth = Some((born, turn)),
            Event::Woke { .. } => woke = Some(turn),
            Event::Moved { to, .. } => moves.push((turn, to)),
            Event::Died { .. } => died = Some(turn),
            _ => {}
        });
        let (birth, born) = birth?;
        Some(BuilderPath {
            birth,
            from: woke.unwrap_or(born),
            to: died.unwrap_or(reached),
            moves,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::presets::Preset;
    use crate::recording::{BuilderState, Recorder};

    #[test]
    fn a_path_has_the_squares_of_the_playback() {
        let design = Preset::find("ammonite")
            .unwrap()
            .design()
            .validate(None)
            .design
            .unwrap();
        let recording = Recording::of(&design, Options::default());
        let mut playback = Playback::new(&recording);
        playback.seek(&recording, recording.turns());
        let born = playback.frame().builders().len() as u32;
        assert!(born > 3);
        for id in (0..born).map(BuilderId) {
            let path = recording.path_of(id).unwrap();
            assert!(path.from <= path.to && path.to <= recording.turns());
            let between = u64::midpoint(path.from, path.to);
            for turn in [path.from, (path.from + 1).min(path.to), between, path.to] {
                playback.seek(&recording, turn);
                let builder = playback.frame().builder(id).unwrap();
                assert_eq!(path.at(turn), builder.at, "{id} after {turn} turns");
                assert_eq!(
                    turn == path.to,
                    matches!(builder.state, BuilderState::Dead(_)),
                    "{id} after {turn}"
                );
            }
        }
        assert_eq!(recording.path_of(BuilderId(born)), None);
    }

    #[test]
    fn a_path_ends_where_events_were_dropped() {
        let design = Preset::find("sunken-city")
            .unwrap()
            .design()
            .validate(None)
            .design
            .unwrap();
        let (mut growth, mut recorder, mut recording) = Recorder::begin(&design, Options::default(), 60_000);
        while growth.iteration(&mut recorder) {
            recording.append(recorder.take_turns(&growth));
        }
        recording.append(recorder.take());
        recording.finish();
        while recording.drop_distant(0, 60_000) {}
        let reached = recording.walk(0, recording.turns(), |_, _| {});
        assert!(reached < recording.turns());
        let mut playback = Playback::new(&recording);
        playback.seek(&recording, reached);
        let living: Vec<BuilderId> = playback.frame().living().map(|(id, _)| id).collect();
        assert!(!living.is_empty());
        for id in living {
            assert_eq!(recording.path_of(id).unwrap().to, reached, "{id}");
        }
    }
}
