//! The path of one Builder through a recording: when it acts, and where it is in each turn.

use super::{Playback, Recording};
use crate::engine::{Birth, BuilderId, Event};
use crate::geometry::Point;

/// The path of a Builder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuilderPath {
    /// Its state at birth.
    pub birth: Birth,
    /// Number of turns after which it wakes, or is born awake.
    pub from: u64,
    /// Number of turns after which it is dead; the last turn of the recording if it still lives then.
    pub to: u64,
    /// The turns in which it moved, with the squares that it moved to, in order.
    moves: Vec<(u64, Point)>,
}

impl BuilderPath {
    /// Returns the square on which it is after `turn` turns: before its birth, the square of its birth; after its
    /// death, its last square.
    pub fn at(&self, turn: u64) -> Point {
        let moved = self.moves.partition_point(|(of, _)| *of <= turn);
        moved.checked_sub(1).map_or(self.birth.at, |last| self.moves[last].1)
    }
}

impl Recording {
    /// Returns the path of a Builder; `None` if no Builder of this number is born. Events that were dropped are missing
    /// from it.
    pub fn path_of(&self, id: BuilderId) -> Option<BuilderPath> {
        let start = Playback::new(self);
        let mut birth = start.frame().builder(id).map(|builder| (builder.birth, 0));
        let (mut woke, mut died) = (None, None);
        let mut moves = Vec::new();
        self.walk(0, self.turns(), |turn, event| match *event {
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
            to: died.unwrap_or(self.turns()),
            moves,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::presets::Preset;
    use crate::recording::BuilderState;

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
}
