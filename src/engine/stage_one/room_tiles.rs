//! Builds a room: its wall and doors, its pyramid (high walls in the middle), its decorations (high walls outside the
//! doors), and its first Builders.

use crate::design::{self, Diagnostic, Entry, Place, RoomField, ValidDesign};
use crate::geometry::{Forward, Point};

use super::layout::{self, BuiltDoor, BuiltLayout, LayoutPart, Start, put};
use super::room::{Code, Room, Site, site_field};
use super::style::PYRAMID;
use super::{columns, decoration};
use crate::engine::event::{BuilderKind, Opening};
use crate::engine::grid::{Grid, Mark, Tile};

/// The order in which Builders start at the sides of a room. Source: the recorded dungeons `rows-*`.
const SIDES: [Forward; 4] = [Forward::North, Forward::South, Forward::East, Forward::West];

impl Room {
    /// Builds walls, doors, pyramid and decorations, and starts the room's Builders. Calls `placed` after each part.
    pub(super) fn place(
        &self,
        design: &ValidDesign,
        requested: &design::Room,
        built: &mut BuiltLayout,
        placed: &mut impl FnMut(LayoutPart, Option<Entry>, &Grid),
    ) {
        if self.style.walls {
            self.walls(&mut built.grid);
            placed(LayoutPart::RoomWall, Some(self.entry), &built.grid);
            self.doors(built);
            placed(LayoutPart::Door, Some(self.entry), &built.grid);
        }
        if self.style.pyramid {
            for x in -PYRAMID..=PYRAMID {
                for y in -PYRAMID..=PYRAMID {
                    put(&mut built.grid, self.at(Forward::South, x, y), Tile::HighWall);
                }
            }
        }
        placed(LayoutPart::Pyramid, Some(self.entry), &built.grid);
        for site in self.door_sites() {
            decoration::place(self, site, built);
        }
        placed(LayoutPart::Decoration, Some(self.entry), &built.grid);
        self.start_builders(design, requested.delay, built);
        placed(LayoutPart::RoomColumns, Some(self.entry), &built.grid);
    }

    fn walls(&self, grid: &mut Grid) {
        let size = grid.size();
        for side in Forward::ALL {
            let corner = self.corner(side, side.left());
            put(grid, corner, Tile::Wall);
            // If the middle of a wall is on the border, so is the whole wall, and the outer wall is already there.
            if !size.on_border(self.center.step(side, self.reach)) {
                grid.lay_wall(corner, side.right(), 2 * self.reach - 1, Mark::Design);
            }
        }
    }

    fn doors(&self, built: &mut BuiltLayout) {
        for site in self.door_sites() {
            let squares = self.door_squares(site);
            let size = built.grid.size();
            let stays_closed = |at: &Point| self.shifted.iter().any(|side| !size.contains(at.step(*side, 1)));
            let on_border = squares.iter().filter(|at| size.on_border(**at));
            let (closed, opened): (Vec<&Point>, Vec<&Point>) = on_border.partition(|at| stays_closed(at));
            let what = if !opened.is_empty() {
                "opens the outer wall, on which the room lies"
            } else if closed.len() == squares.len() {
                "lies on the outer wall, which stays closed"
            } else {
                ""
            };
            if !what.is_empty() {
                built.diagnostics.push(
                    Diagnostic::warning(format!("the {site} door of {} {what}", self.entry.label()))
                        .at(site_field(self.entry, site))
                        .help("move the room away from the border, or remove the door"),
                );
            }
            for at in squares.iter().filter(|at| !stays_closed(at)) {
                built.grid.set(*at, Tile::Open, Mark::Design);
            }
            if let Entry::Room(room) = self.entry {
                built.doors.push(BuiltDoor { room, site, squares });
            }
        }
    }

    /// Returns the squares of a door in order along the wall.
    fn door_squares(&self, door: Site) -> Vec<Point> {
        match door {
            Site::Center(side) => (-self.style.center..=self.style.center)
                .map(|across| self.at(side, self.reach, across))
                .collect(),
            Site::Corner(a, b) => {
                // In a filled door, only two squares at each end are open.
                let first = if self.style.filled { self.style.corner - 1 } else { 0 };
                let corner = self.corner(a, b);
                let there = (first..=self.style.corner)
                    .rev()
                    .map(|beside| corner.step(a.back(), beside));
                // The corner is on both walls, but is listed only once.
                let back = (first.max(1)..=self.style.corner).map(|beside| corner.step(b.back(), beside));
                there.chain(back).collect()
            }
        }
    }

    /// Starts the room's Crawlers and Jumpers site by site, corners last; at each site, the Crawler starts before the
    /// Jumpers. No recorded dungeon shows whether the original program uses this order.
    fn start_builders(&self, design: &ValidDesign, delay: i32, built: &mut BuiltLayout) {
        let before = built.starts.len();
        let corners = Site::ALL.into_iter().filter(|site| matches!(site, Site::Corner(..)));
        for site in SIDES.into_iter().map(Site::Center).chain(corners) {
            if let Some(start) = self.crawler(site) {
                built.starts.push(start);
            }
            if let Site::Center(side) = site
                && self.codes[site.index()] == Code::Door
            {
                columns::start(self, side, built);
            }
        }
        let mut crawlers = built.starts[before..]
            .iter_mut()
            .filter(|start| start.kind == BuilderKind::Crawler)
            .peekable();
        // The delay of a room without Crawlers has no effect and is not checked: the files shipped with the original
        // contain arbitrary delays.
        if crawlers.peek().is_some() {
            let mut stream = layout::stream(design.seed, self.entry);
            let place = Place::field(self.entry, RoomField::Delay);
            let delay = layout::delay(delay, place, &mut stream, &mut built.diagnostics);
            crawlers.for_each(|start| start.delay = delay);
        }
    }

    /// Returns the Crawler that starts at a site, if any.
    fn crawler(&self, site: Site) -> Option<Start> {
        let (forward, direction, opening) = match (site, self.codes[site.index()]) {
            (_, Code::Crawler(forward, direction, opening)) => (forward, direction, opening),
            (Site::Center(toward), Code::Door) if self.style.crawlers => (toward, toward.direction(), Opening::Closed),
            _ => return None,
        };
        Some(Start {
            origin: site_field(self.entry, site),
            kind: BuilderKind::Crawler,
            at: match site {
                Site::Center(toward) => self.center.step(toward, self.reach),
                Site::Corner(a, b) => self.corner(a, b),
            },
            forward,
            direction: Some(direction),
            opening,
            delay: 0,
            turns: None,
        })
    }
}
