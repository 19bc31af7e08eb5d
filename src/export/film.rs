//! Divides the growth into the frames of an animation. The frames show the whole dungeon, or the squares around one
//! Builder.

use std::collections::BTreeMap;
use std::time::Duration;

use super::marks::{self, Label, MapMarks, SquareMark};
use super::paint::Painting;
use super::{DungeonView, ExportError, ExportOptions};
use crate::engine::BuilderId;
use crate::geometry::{Point, Size};
use crate::recording::{BuilderPath, Playback};
use crate::text::{counted, thousands};

/// A frame of an animation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AnimationStep {
    /// Number of completed turns.
    pub(super) turn: u64,
    /// Milliseconds since the start of the animation.
    pub(super) time: u32,
    /// Number of tiles laid in the completed turns. They are the first `laid` entries of `GrowthAnimation::order`.
    pub(super) laid: usize,
}

/// Milliseconds between two frames.
pub(super) const BETWEEN: u32 = 50;

/// Milliseconds for which the last frame is shown.
pub(super) const HOLD: u32 = 3000;

/// Maximum number of milliseconds for which a frame other than the last is shown. APNG cannot show a frame for more
/// than 65.5 seconds.
const LONGEST: u32 = 60_000;

/// Maximum number of rows, and of columns, that an animation shows when it follows a Builder.
const WINDOW: i32 = 48;

/// The growth as a sequence of frames. Each frame shows the first [`AnimationStep::laid`] tiles of `order`. Builders
/// lay at most one tile on each square, so no tile replaces another.
pub(super) struct GrowthAnimation {
    /// The dungeon at the current frame.
    now: Painting,
    /// The tiles that Builders laid, in order: the turn, the square, and the index of the square's part in the
    /// painting.
    order: Vec<(u64, Point, u32)>,
    pub(super) steps: Vec<AnimationStep>,
    camera: Option<Camera>,
}

/// The difference between a frame and the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FrameChange {
    /// All squares may have changed.
    All,
    /// Only these squares of [`GrowthAnimation::shown`] may have changed.
    Squares(Vec<Point>),
}

impl GrowthAnimation {
    /// Creates an animation that ends at the turn of `dungeon`; its painting starts without the tiles that Builders
    /// laid. Frames in which no tile is laid are left out, except for the first, the last, and those that divide a long
    /// pause.
    ///
    /// # Errors
    ///
    /// Fails if the animation is to follow a Builder that was never born or has not acted by the turn of `dungeon`.
    pub(super) fn new(dungeon: &DungeonView<'_>, options: &ExportOptions) -> Result<Self, ExportError> {
        let (ground, marks) = (
            options.ground.unwrap_or_default(),
            options.marks.unwrap_or(MapMarks::None),
        );
        let mut now = Painting::marked(dungeon, options.by, ground, marks);
        let mut order: Vec<(u64, Point, u32)> = dungeon
            .squares()
            .filter_map(|at| dungeon.laid(at).map(|(_, turn)| (turn, at, now.part_of(at) as u32)))
            .collect();
        order.sort_by_key(|(turn, at, _)| (*turn, *at));
        let marked: BTreeMap<Point, SquareMark> = marks::candidates(dungeon, marks).into_iter().collect();
        for (_, at, _) in &order {
            // A door may be walled up during the growth, and is marked until then.
            let part = marked.get(at).map_or(0, |mark| now.part_of_mark(*mark));
            now.set(*at, part);
        }
        let path = options.follow.map(|id| path(dungeon, id)).transpose()?;
        let (from, to) = path
            .as_ref()
            .map_or((0, dungeon.turn()), |path| (path.from, path.to.min(dungeon.turn())));
        let steps = if let Some(script) = &options.moments {
            let duration = u32::try_from(script.duration().as_millis()).unwrap_or(u32::MAX);
            // The last frame shows the last moment, even if the duration is not a multiple of the time between two
            // frames.
            let turn = |time: u32| {
                let is_last = duration.saturating_sub(time) < BETWEEN;
                let time = Duration::from_millis(if is_last { duration } else { time }.into());
                script.turn_at(time, to).max(from)
            };
            steps(&order, duration, turn)
        } else {
            let pictures = pictures(options.duration);
            let turn =
                |time: u32| from + (u128::from(to - from) * u128::from(time / BETWEEN) / u128::from(pictures)) as u64;
            steps(&order, options.duration, turn)
        };
        let camera = options
            .follow
            .zip(path)
            .map(|(id, path)| Camera::new(&mut now, &format!("{} {id}", path.birth.kind.name()), path));
        Ok(Self {
            now,
            order,
            steps,
            camera,
        })
    }

    /// Returns the picture of the current frame.
    pub(super) fn shown(&self) -> &Painting {
        self.camera.as_ref().map_or(&self.now, |camera| &camera.shown)
    }

    /// Returns those of the dungeon's labels that lie in the current frame, moved to their positions in the frame.
    pub(super) fn labels(&self, labels: &[Label]) -> Vec<Label> {
        let from = self.camera.as_ref().map_or(Point::new(0, 0), |camera| camera.from);
        let moved = labels.iter().map(|label| Label {
            at: Point::new(label.at.x - from.x, label.at.y - from.y),
            ..label.clone()
        });
        moved.filter(|label| self.shown().size().contains(label.at)).collect()
    }

    /// Advances from the previous step to `step` and returns what changed.
    pub(super) fn show(&mut self, step: usize) -> FrameChange {
        let from = step.checked_sub(1).map_or(0, |before| self.steps[before].laid);
        let changed = &self.order[from..self.steps[step].laid];
        for (_, at, part) in changed {
            self.now.set(*at, *part);
        }
        let squares = changed.iter().map(|(_, at, _)| *at);
        let change = match &mut self.camera {
            None => FrameChange::Squares(squares.collect()),
            Some(camera) => camera.show(&self.now, self.steps[step].turn, squares),
        };
        if step == 0 { FrameChange::All } else { change }
    }

    /// Returns for how many milliseconds the frame of a step is shown.
    pub(super) fn shown_for(&self, step: usize) -> u32 {
        let next = self.steps.get(step + 1);
        next.map_or(HOLD, |next| next.time - self.steps[step].time)
    }
}

/// Returns the path of a Builder. Fails if the Builder was never born, or has not acted by the turn of `dungeon`.
fn path(dungeon: &DungeonView<'_>, id: BuilderId) -> Result<BuilderPath, ExportError> {
    let recording = dungeon.recording();
    let Some(path) = recording.path_of(id) else {
        let mut last = Playback::new(recording);
        last.seek(recording, recording.turns());
        let born = counted(last.frame().builders().len(), "Builder");
        return Err(ExportError::Options(format!(
            "Builder {id} was never born: the growth has only {born}"
        )));
    };
    if path.from < dungeon.turn() {
        return Ok(path);
    }
    let born = match dungeon.frame().builders().len() {
        0 => "no Builder has been born by then".to_owned(),
        1 => "the only Builder born by then is #1".to_owned(),
        last => format!("the Builders born by then are #1 to #{}", thousands(last as u64)),
    };
    Err(ExportError::Options(format!(
        "Builder {id} has not acted by turn {}; {born}",
        thousands(dungeon.turn())
    )))
}

/// Returns how many frames follow the first one in `duration` milliseconds, at intervals of [`BETWEEN`] milliseconds.
fn pictures(duration: u32) -> u32 {
    (duration / BETWEEN).max(1)
}

/// Returns the frames of an animation that takes `duration` milliseconds. For a time in milliseconds, `turn` returns
/// the turn to show.
fn steps(order: &[(u64, Point, u32)], duration: u32, turn: impl Fn(u32) -> u64) -> Vec<AnimationStep> {
    let pictures = pictures(duration);
    let mut steps: Vec<AnimationStep> = Vec::new();
    for picture in 0..=pictures {
        let turn = turn(picture * BETWEEN);
        let laid = order.partition_point(|(laid, ..)| *laid <= turn);
        let time = picture * BETWEEN;
        let is_new = |last: &AnimationStep| last.laid < laid || time - last.time >= LONGEST;
        if steps.last().is_none_or(is_new) || picture == pictures {
            steps.push(AnimationStep { turn, time, laid });
        }
    }
    steps
}

/// A window of squares that follows a Builder: the window moves when the Builder leaves the window's middle half.
struct Camera {
    path: BuilderPath,
    /// Top left square of the window.
    from: Point,
    /// The squares in the window.
    shown: Painting,
    /// The Builder's square, relative to the window.
    marked: Point,
    /// Index of the part in whose colour the Builder's square is painted.
    part: u32,
}

impl Camera {
    /// Creates the camera at the start of the path; `name` is the Builder's name in the legend.
    fn new(dungeon: &mut Painting, name: &str, path: BuilderPath) -> Self {
        let part = dungeon.add_part(name.to_owned(), dungeon.palette().text);
        let whole = dungeon.size();
        let size = Size::new(whole.x.min(WINDOW), whole.y.min(WINDOW));
        let at = path.at(path.from);
        let middle = Point::new(at.x - size.x / 2, at.y - size.y / 2);
        let from = inside(middle, size, whole);
        Self {
            shown: dungeon.window(from, size),
            from,
            marked: Point::new(at.x - from.x, at.y - from.y),
            part,
            path,
        }
    }

    /// Updates the window to show the dungeon after `turn` turns. `changed` are the squares that changed since the
    /// previous frame.
    fn show(&mut self, dungeon: &Painting, turn: u64, changed: impl Iterator<Item = Point>) -> FrameChange {
        let at = self.path.at(turn);
        let size = self.shown.size();
        let kept = |from: i32, at: i32, size: i32| from.clamp(at - size * 3 / 4, at - size / 4);
        let from = Point::new(kept(self.from.x, at.x, size.x), kept(self.from.y, at.y, size.y));
        let from = inside(from, size, dungeon.size());
        let mut change = if from == self.from {
            let moved = changed.map(|at| Point::new(at.x - from.x, at.y - from.y));
            let mut squares: Vec<Point> = moved.filter(|at| size.contains(*at)).collect();
            let part_of = |at: Point| dungeon.part_of(Point::new(at.x + from.x, at.y + from.y)) as u32;
            squares.push(self.marked);
            for square in &squares {
                self.shown.set(*square, part_of(*square));
            }
            FrameChange::Squares(squares)
        } else {
            self.shown = dungeon.window(from, size);
            self.from = from;
            FrameChange::All
        };
        self.marked = Point::new(at.x - from.x, at.y - from.y);
        self.shown.set(self.marked, self.part);
        if let FrameChange::Squares(squares) = &mut change {
            squares.push(self.marked);
        }
        change
    }
}

/// Moves the top left square of a window of `size` so that the window is inside a dungeon of size `whole`.
fn inside(from: Point, size: Size, whole: Size) -> Point {
    Point::new(
        from.x.clamp(0, (whole.x - size.x).max(0)),
        from.y.clamp(0, (whole.y - size.y).max(0)),
    )
}
