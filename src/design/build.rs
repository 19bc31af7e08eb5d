//! Constructors that build designs in code, without a file.
//!
//! The constructors have arguments only for the most common fields. All fields are public: set the remaining fields on
//! the returned values.

use super::{CrawlerStart, Design, Generation, Room};
use crate::geometry::{Forward, Point, Size};

impl Design {
    /// Returns a design of an empty dungeon with `x` rows and `y` columns, and the default character and constants.
    ///
    /// ```
    /// use wallcrawler::design::{CrawlerStart, Design, Room};
    /// use wallcrawler::geometry::Forward;
    ///
    /// let design = Design::sized(40, 60)
    ///     .with_room(Room::new(2, 1, 1, 5))
    ///     .with_crawler(CrawlerStart::new((0, 15), Forward::South))
    ///     .with_crawler(CrawlerStart::new((39, 45), Forward::North))
    ///     .with_generations(|number, generation| {
    ///         generation.corridor_width = 2;
    ///         generation.max_age = if number == 0 { 60 } else { 20 };
    ///     });
    /// let maze = wallcrawler::Maze::grow(&design, 7)?;
    /// assert_eq!((maze.rooms().len(), maze.doors().len()), (1, 4));
    /// # Ok::<(), wallcrawler::InvalidDesign>(())
    /// ```
    pub fn sized(x: i32, y: i32) -> Self {
        let mut design = Self::default();
        design.layout.size = Size::new(x, y);
        design
    }

    /// Adds a room.
    #[must_use]
    pub fn with_room(mut self, room: Room) -> Self {
        self.layout.rooms.push(room);
        self
    }

    /// Adds a Crawler of generation 0 to the layout.
    #[must_use]
    pub fn with_crawler(mut self, crawler: CrawlerStart) -> Self {
        self.layout.crawlers.push(crawler);
        self
    }

    /// Changes the parameters of generations: calls `change` with the number and the parameters of each of the ten
    /// generations.
    #[must_use]
    pub fn with_generations(mut self, mut change: impl FnMut(usize, &mut Generation)) -> Self {
        for (number, generation) in self.character.generations.iter_mut().enumerate() {
            change(number, generation);
        }
        self
    }
}

impl Room {
    /// Returns a walled room with a door in the middle of each side. The dungeon's rows and columns are divided into
    /// `div` equal parts: `xdiv` parts lie above the centre of the room, `ydiv` parts to its left. The walls are
    /// `width` + 1 squares from the centre.
    pub fn new(div: i32, xdiv: i32, ydiv: i32, width: i32) -> Self {
        Self {
            div,
            xdiv,
            ydiv,
            width,
            ..Self::default()
        }
    }
}

impl CrawlerStart {
    /// Returns a Crawler that starts at `at` and faces `forward`, which is also its preferred direction. It is awake
    /// from the beginning and leaves an opening at the end of its wall.
    pub fn new(at: impl Into<Point>, forward: Forward) -> Self {
        let direction = match forward {
            Forward::East => 1,
            Forward::South => 2,
            Forward::West => 3,
            Forward::North => 4,
        };
        Self {
            at: at.into(),
            direction,
            delay: 0,
            termination: 1,
        }
    }
}
