//! The two digests of a dungeon in the seed catalogue: one of its tiles, one of its history.
//!
//! A digest is the 64-bit FNV-1a hash of bytes that are laid out here, number by number, independent of memory layouts
//! and the standard library. The program in `tests/wasm` computes the same digests.

use wallcrawler::design::{Design, ValidDesign};
use wallcrawler::engine::{
    Birth, Clock, Death, Event, Grid, Growth, Mark, Observer, Opening, Options, Tile, TurnReason,
};
use wallcrawler::geometry::Point;

/// Seeds besides each design's own.
const SEEDS: [u64; 3] = [1, 1_000_003, u64::MAX];

/// FNV-1a of 64 bits.
pub(crate) struct Digest(u64);

impl Digest {
    /// Returns the digest so far.
    #[allow(dead_code, reason = "only the catalog's own test uses it")]
    pub(crate) const fn value(&self) -> u64 {
        self.0
    }

    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// Adds a number as its low 64 bits, least significant byte first.
    fn number(&mut self, number: impl Into<i128>) {
        for byte in (number.into() as u64).to_le_bytes() {
            self.byte(byte);
        }
    }

    fn point(&mut self, at: Point) {
        self.number(at.x);
        self.number(at.y);
    }

    /// Adds the number of a tile's kind. The numbers 1 and 4 belonged to kinds that no longer exist.
    fn tile(&mut self, tile: Tile) {
        self.byte(match tile {
            Tile::Open => 0,
            Tile::Guaranteed => 2,
            Tile::Wall => 3,
            Tile::HighWall => 5,
            Tile::Column => 6,
        });
    }

    fn opening(&mut self, opening: Opening) {
        self.byte(match opening {
            Opening::Closed => 0,
            Opening::End => 1,
            Opening::Start => 2,
        });
    }

    /// Returns the digest of the dimensions, and of every square's tile and origin: 0 the design, else 1 + the
    /// generation.
    fn grid(grid: &Grid) -> u64 {
        let mut digest = Self::new();
        let size = grid.size();
        digest.point(Point::new(size.x, size.y));
        for x in 0..size.x {
            for y in 0..size.y {
                let at = Point::new(x, y);
                digest.tile(grid.tile(at));
                digest.number(match grid.mark(at) {
                    Mark::Design => 0,
                    Mark::Generation(generation) => 1 + i32::from(generation),
                });
            }
        }
        digest.0
    }

    fn birth(&mut self, birth: &Birth) {
        self.number(birth.parent.map_or(-1, |id| i64::from(id.0)));
        self.byte(birth.kind as u8);
        self.number(birth.generation);
        self.point(birth.at);
        self.byte(birth.forward as u8);
        self.byte(birth.direction.map_or(8, |direction| direction as u8));
        self.opening(birth.opening);
        self.number(birth.wakes);
    }
}

/// The digest of the events of a run, with the numbers shown beside it.
struct History {
    digest: Digest,
    births: u64,
    tiles: u64,
}

impl Observer for History {
    fn event(&mut self, event: Event) {
        let digest = &mut self.digest;
        let mut begin = |kind: u8| {
            digest.byte(kind);
            digest.number(event.builder().0);
        };
        match event {
            Event::Born { birth, .. } => {
                begin(1);
                digest.birth(&birth);
                self.births += 1;
            }
            Event::Unborn { living, .. } => {
                begin(2);
                digest.number(living);
            }
            Event::Woke { .. } => begin(3),
            Event::Laid { at, before, tile, .. } => {
                begin(4);
                digest.point(at);
                digest.tile(before);
                digest.tile(tile);
                self.tiles += 1;
            }
            Event::Moved { from, to, .. } => {
                begin(5);
                digest.point(from);
                digest.point(to);
            }
            Event::Turned { from, to, why, .. } => {
                begin(6);
                digest.byte(from as u8);
                digest.byte(to as u8);
                match why {
                    TurnReason::Forced { free, needed, side } => [free, needed, side].map(|n| digest.number(n)),
                    TurnReason::Free { rolled, chance } => [255, rolled, chance].map(|n| digest.number(n)),
                };
            }
            Event::OpeningChanged { from, to, .. } => {
                begin(7);
                digest.opening(from);
                digest.opening(to);
            }
            Event::Joined { distance, .. } => {
                begin(8);
                digest.number(distance);
            }
            Event::Died { cause, .. } => {
                begin(9);
                digest.byte(match cause {
                    Death::Blocked => 0,
                    Death::Aged => 1,
                    Death::Joined => 2,
                });
            }
        }
    }

    fn turn_ended(&mut self, clock: Clock) {
        self.digest.byte(100);
        self.digest.number(clock.turn);
    }

    fn iteration_ended(&mut self, clock: Clock) {
        self.digest.byte(101);
        self.digest.number(clock.iteration);
    }
}

/// Returns the seeds from which a design is grown: its own and some others.
pub(crate) fn seeds(design: &Design) -> Vec<u64> {
    let others = SEEDS.into_iter().filter(|seed| *seed != design.seed);
    std::iter::once(design.seed).chain(others).collect()
}

/// Returns a line of the catalog: the design and seed, the two digests, and the numbers.
pub(crate) fn line(name: &str, design: &ValidDesign, options: Options) -> String {
    let mut history = History {
        digest: Digest::new(),
        births: 0,
        tiles: 0,
    };
    let mut growth = Growth::new(design, options, &mut history);
    growth.finish(&mut history);
    format!(
        "{name} {} {} {:016x} {:016x} {} {} {}\n",
        if options.columns { "columns" } else { "no-columns" },
        design.seed,
        Digest::grid(growth.grid()),
        history.digest.0,
        growth.clock().turn,
        history.births,
        history.tiles
    )
}
