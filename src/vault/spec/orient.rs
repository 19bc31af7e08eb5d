//! ORIENT: where on a level a map is placed, and how large it may be there.

use serde::{Deserialize, Serialize};

use super::SpecError;

/// Placement of a map on a level. A map without a placement is a *minivault*: it floats, and is small enough to be
/// placed anywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Orient {
    /// Anywhere.
    Float,
    /// The whole level.
    Encompass,
    /// The middle.
    Centre,
    /// Along the upper edge.
    North,
    /// Along the lower edge.
    South,
    /// Along the right edge.
    East,
    /// Along the left edge.
    West,
    /// In the top right corner.
    NorthEast,
    /// In the top left corner.
    NorthWest,
    /// In the bottom right corner.
    SouthEast,
    /// In the bottom left corner.
    SouthWest,
}

/// Width and height of a whole level of the game, in cells.
pub const LEVEL_SIZE: (usize, usize) = (80, 70);

impl Orient {
    /// Every orientation with its name.
    const NAMES: [(Self, &'static str); 11] = [
        (Self::Float, "float"),
        (Self::Encompass, "encompass"),
        (Self::Centre, "centre"),
        (Self::North, "north"),
        (Self::South, "south"),
        (Self::East, "east"),
        (Self::West, "west"),
        (Self::NorthEast, "northeast"),
        (Self::NorthWest, "northwest"),
        (Self::SouthEast, "southeast"),
        (Self::SouthWest, "southwest"),
    ];

    /// Parses the value of an ORIENT header; `center` is accepted for `centre`.
    ///
    /// # Errors
    ///
    /// Fails if the value is none of the eleven names.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let name = text.trim();
        let known = |(_, known): &&(Self, &str)| *known == name || (name == "center" && *known == "centre");
        Self::NAMES
            .iter()
            .find(known)
            .map(|(orient, _)| *orient)
            .ok_or_else(|| {
                let names: Vec<&str> = Self::NAMES.iter().map(|(_, name)| *name).collect();
                SpecError::new(format!("unknown orientation; use one of {}", names.join(", ")), name)
            })
    }

    /// Returns all orientations.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::NAMES.iter().map(|(orient, _)| *orient)
    }

    /// Returns the name, as written in level files.
    pub fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(orient, _)| *orient == self)
            .map_or("", |(_, name)| name)
    }

    /// Returns the maximum width and height of a map with the orientation `orient`, in cells. Without an orientation,
    /// the map is a minivault. An `encompass` map can fill the whole level. A map on the north or south side can have
    /// the whole width of the level, but only two thirds of its height. A map on the west or east side can have the
    /// whole height, but only two thirds of the width. All other maps can have two thirds of the width and two thirds
    /// of the height.
    pub fn size_limit(orient: Option<Self>) -> (usize, usize) {
        let (width, height) = LEVEL_SIZE;
        let (part_of_width, part_of_height) = (width * 2 / 3, height * 2 / 3);
        match orient {
            Some(Self::Encompass) => (width, height),
            Some(Self::North | Self::South) => (width, part_of_height),
            Some(Self::East | Self::West) => (part_of_width, height),
            _ => (part_of_width, part_of_height),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_unknown_ones_get_the_list() {
        for (orient, name) in Orient::NAMES {
            assert_eq!(Orient::parse(&format!(" {name} ")), Ok(orient));
            assert_eq!(orient.name(), name);
        }
        assert_eq!(Orient::parse("center"), Ok(Orient::Centre));
        let error = Orient::parse("up").expect_err("no orientation");
        assert!(error.message.contains("southwest"), "{error}");
        assert_eq!(error.text, "up");
    }

    #[test]
    fn no_orientation_allows_more_than_the_level() {
        for orient in Orient::NAMES.iter().map(|(orient, _)| Some(*orient)).chain([None]) {
            let (width, height) = Orient::size_limit(orient);
            assert!(width <= LEVEL_SIZE.0 && height <= LEVEL_SIZE.1);
        }
        assert_eq!(Orient::size_limit(None), (53, 46));
    }
}
