//! Creates new designs from a size, initial contents and a number of first Crawlers.

use crate::design::{CrawlerStart, Design, Room};
use crate::geometry::{Forward, Point, Size};
use crate::presets::Preset;

/// The contents that a new design starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StartWith {
    /// Nothing but the outer wall.
    #[default]
    Empty,
    /// Four rooms with doors, or a single room in a small dungeon.
    Rooms,
    /// A preset.
    Template(&'static Preset),
}

/// Minimum length of a dungeon's shorter side, in squares, for four rooms instead of one.
const FOUR_ROOMS_FROM: i32 = 40;
/// Maximum width of a room, where width is the number of squares between its centre and each wall.
const WIDEST_ROOM: i32 = 6;

/// Settings for a new design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewDesign {
    /// Number of rows and columns. `None` selects the size of the template, or [`NewDesign::SIZE`] without a template.
    pub size: Option<Size>,
    /// Initial contents of the design.
    pub with: StartWith,
    /// Number of first Crawlers, at most [`NewDesign::MOST_CRAWLERS`]. Each starts in the middle of a different side. A
    /// template ignores this number and keeps its own Crawlers.
    pub crawlers: u32,
}

impl NewDesign {
    /// The default size of a new design.
    pub const SIZE: Size = Size::new(60, 90);

    /// The largest number of first Crawlers: one on each side.
    pub const MOST_CRAWLERS: u32 = 4;

    /// Returns the size that the design will have.
    pub fn size(self) -> Size {
        let own = || match self.with {
            StartWith::Template(preset) => preset.design().layout.size,
            StartWith::Empty | StartWith::Rooms => Self::SIZE,
        };
        self.size.unwrap_or_else(own)
    }

    /// Creates the design. Only a design made from a template has a name: the template's.
    pub fn design(self) -> Design {
        let size = self.size();
        let mut design = match self.with {
            StartWith::Template(preset) => return resized(preset.design(), size),
            StartWith::Empty | StartWith::Rooms => Design::sized(size.x, size.y),
        };
        if self.with == StartWith::Rooms {
            // The width leaves space for corridors between the rooms and the outer wall.
            let least = size.x.min(size.y);
            design.layout.rooms = if least < FOUR_ROOMS_FROM {
                vec![Room::new(2, 1, 1, (least / 2 - 6).clamp(3, WIDEST_ROOM))]
            } else {
                let places = [(1, 1), (1, 3), (3, 1), (3, 3)];
                places.map(|(x, y)| Room::new(4, x, y, WIDEST_ROOM)).into()
            };
        }
        let sides = [
            ((0, size.y / 2), Forward::South),
            ((last(size.x), size.y / 2), Forward::North),
            ((size.x / 2, 0), Forward::East),
            ((size.x / 2, last(size.y)), Forward::West),
        ];
        let starts = sides.into_iter().take(self.crawlers as usize);
        design.layout.crawlers = starts.map(|(at, forward)| CrawlerStart::new(at, forward)).collect();
        design.layout.limits = design.layout.limits.raised_for(&design.layout);
        design
    }
}

/// Returns the number of the last of `side` rows or columns. Saturates, because the size may be invalid: only the
/// validation of the design reports it.
const fn last(side: i32) -> i32 {
    side.saturating_sub(1)
}

/// Changes the size of a design. First Crawlers on the last row or column move to the new last row or column. All other
/// Crawlers and the hand-placed squares keep their positions. Crawlers are removed if they are outside the new dungeon.
/// Hand-placed squares, the entrance and the exit are removed if they are outside it or on its border. The entries of
/// rooms, vaults and named places stay unchanged.
fn resized(mut design: Design, size: Size) -> Design {
    let before = design.layout.size;
    if size == before {
        return design;
    }
    let layout = &mut design.layout;
    layout.size = size;
    for crawler in &mut layout.crawlers {
        let moved = |at: i32, before: i32, now: i32| if at == last(before) { last(now) } else { at };
        crawler.at = Point::new(
            moved(crawler.at.x, before.x, size.x),
            moved(crawler.at.y, before.y, size.y),
        );
    }
    layout.crawlers.retain(|crawler| size.contains(crawler.at));
    let is_inside = |at: &Point| size.contains(*at) && !size.on_border(*at);
    for squares in [&mut layout.open, &mut layout.walls, &mut layout.columns] {
        squares.retain(is_inside);
    }
    for end in [&mut design.expect.entrance, &mut design.expect.exit] {
        end.take_if(|at| !is_inside(at));
    }
    design
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> [Size; 4] {
        [
            Size::new(20, 20),
            Size::new(20, 300),
            Size::new(60, 90),
            Size::new(150, 41),
        ]
    }

    #[test]
    fn every_new_design_is_valid_without_diagnostics_and_grows() {
        for size in sizes() {
            for with in [StartWith::Empty, StartWith::Rooms] {
                for crawlers in 0..=NewDesign::MOST_CRAWLERS {
                    let new = NewDesign {
                        size: Some(size),
                        with,
                        crawlers,
                    };
                    let design = new.design();
                    assert_eq!(
                        (design.layout.size, design.layout.crawlers.len()),
                        (size, crawlers as usize)
                    );
                    let checked = design.validate(None);
                    assert!(checked.diagnostics.is_empty(), "{new:?}: {:?}", checked.diagnostics);
                    let valid = checked.design.unwrap();
                    let built = crate::engine::stage_one::build(&valid);
                    // In the smallest dungeons, the room leaves no space for the corridors beside a Crawler.
                    let is_tight = with == StartWith::Rooms && size.x.min(size.y) < 30;
                    assert!(
                        built.diagnostics.is_empty() || is_tight,
                        "{new:?}: {:?}",
                        built.diagnostics
                    );
                }
            }
        }
    }

    #[test]
    fn the_most_extreme_sizes_are_invalid_but_do_not_overflow() {
        let sides = [i32::MIN, 0, i32::MAX];
        let templates = Preset::all().iter().map(StartWith::Template);
        for with in [StartWith::Empty, StartWith::Rooms].into_iter().chain(templates) {
            for size in sides.iter().flat_map(|x| sides.map(|y| Size::new(*x, y))) {
                let new = NewDesign {
                    size: Some(size),
                    with,
                    crawlers: NewDesign::MOST_CRAWLERS,
                };
                let checked = new.design().validate(None);
                assert_eq!(checked.design, None, "{new:?}");
                let text = checked.diagnostics.iter().map(ToString::to_string).collect::<String>();
                assert!(text.contains("dimX") && text.contains("dimY"), "{new:?}: {text}");
            }
        }
    }

    #[test]
    fn a_template_of_another_size_keeps_the_parts_that_fit() {
        for preset in Preset::all() {
            let own = NewDesign {
                size: None,
                with: StartWith::Template(preset),
                crawlers: 0,
            };
            assert_eq!(own.design(), preset.design());
            for size in sizes() {
                let design = NewDesign {
                    size: Some(size),
                    ..own
                }
                .design();
                let layout = &design.layout;
                assert_eq!(layout.size, size);
                assert_eq!(layout.rooms, preset.design().layout.rooms);
                assert!(layout.crawlers.iter().all(|crawler| size.contains(crawler.at)));
                assert!(layout.walls.iter().all(|at| size.contains(*at)));
                for end in [design.expect.entrance, design.expect.exit].into_iter().flatten() {
                    assert!(size.contains(end) && !size.on_border(end), "{} at {size}", preset.name);
                }
                assert!(design.validate(None).design.is_some(), "{} at {size}", preset.name);
            }
        }
        let keep = Preset::find("two-ways").unwrap();
        let far = |design: &Design| {
            let size = design.layout.size;
            let far = |start: &&CrawlerStart| start.at.x == size.x - 1 || start.at.y == size.y - 1;
            design.layout.crawlers.iter().filter(far).count()
        };
        let wide = NewDesign {
            size: Some(Size::new(100, 100)),
            with: StartWith::Template(keep),
            crawlers: 0,
        };
        assert_eq!(far(&wide.design()), far(&keep.design()));
    }
}
