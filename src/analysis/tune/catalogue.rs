//! Variants of a design that may reduce one of its flaws. If the manual has advice on a flaw, the variants follow it:
//! for example, protuberances and additional Crawlers break up a pathway along the outer wall, and a generation that
//! takes over gets a lower MaxAge. For other flaws, the variants change parameters by a step in either direction.

use std::collections::BTreeSet;

use super::remedy::Flaw;
use super::{TrialTable, Variant, VariantChange};
use crate::analysis::Anomaly;
use crate::design::expect::{AreaIndex, DungeonMetric, Expectation, Expression, Metric};
use crate::design::{
    Constant, CrawlerField, CrawlerStart, Design, Entry, GENERATIONS, OuterWall, Parameter, RoomField, Stat,
};
use crate::engine::{EffectAnalysis, NoEffectReason, Options};
use crate::geometry::Point;

/// Largest number of places at which variants open a path to the exit.
const PLACES: usize = 4;

/// Minimum distance between two places at which a path is opened, in squares.
const APART: i32 = 8;

/// Largest number of wall squares through which a variant opens a path to the exit.
const THICKEST: usize = 6;

/// A collection of variants, each different from the design and from all other variants.
struct Catalogue<'a> {
    design: &'a Design,
    idle: EffectAnalysis<'a>,
    variants: Vec<Variant>,
}

impl Catalogue<'_> {
    /// Adds variants with other values of a generation's parameter, clamped to its range.
    fn stat(&mut self, generation: usize, stat: Stat, values: impl IntoIterator<Item = i32>) {
        self.parameter(Entry::Generation(generation), stat, values);
    }

    /// Adds variants with other values of a constant, clamped to its range.
    fn constant(&mut self, constant: Constant, values: impl IntoIterator<Item = i32>) {
        self.parameter(Entry::Constants, constant, values);
    }

    fn parameter(&mut self, entry: Entry, parameter: impl Into<Parameter>, values: impl IntoIterator<Item = i32>) {
        let parameter = parameter.into();
        let Some(now) = self.design.get(entry, parameter) else {
            return;
        };
        if matches!(self.idle.of(entry, parameter), Some(NoEffectReason::Whole(_))) {
            return;
        }
        let info = parameter.info();
        for value in values {
            let value = value.clamp(info.min, info.max);
            if value != now {
                self.add(vec![VariantChange::Set(entry, parameter, value)]);
            }
        }
    }

    fn add(&mut self, changes: Vec<VariantChange>) {
        let variant = Variant { changes };
        if variant.of(self.design) != *self.design && !self.variants.contains(&variant) {
            self.variants.push(variant);
        }
    }

    /// Adds variants in which more babies of a generation are born late, so that other Builders claim the space first.
    fn late(&mut self, generation: usize) {
        let stats = &self.design.character.generations[generation];
        let late = stats.late_spawn.max(2);
        let set = |stat: Stat, value| VariantChange::Set(Entry::Generation(generation), stat.into(), value);
        let idle = self.idle.of(Entry::Generation(generation), Stat::LateSpawnProb);
        if matches!(idle, Some(NoEffectReason::Whole(_))) && stats.late_spawn > 0 {
            return;
        }
        for more in [30, 60] {
            let chance = (stats.late_spawn_prob + more).min(100);
            if chance == stats.late_spawn_prob {
                continue;
            }
            let mut changes = vec![set(Stat::LateSpawnProb, chance)];
            if late != stats.late_spawn {
                changes.push(set(Stat::LateSpawn, late));
            }
            self.add(changes);
        }
    }

    /// Adds variants with more protuberances.
    fn protuberances(&mut self) {
        let now = self.design.layout.protuberances;
        // A protuberance is three squares deep and three wide; more than one for every eight squares of a side would
        // form a wall.
        let room = self.design.layout.size.x.min(self.design.layout.size.y) / 8;
        let more = [1, 2, 4, 8].map(|more| (now + more).min(room.max(now)));
        self.parameter(Entry::Protuberances, OuterWall::Protuberances, more);
    }

    /// Adds two variants with a new Crawler that starts at the outer wall and heads inwards: one with a delay of 9, and
    /// one without a delay. `at` is a square of the corridor along the outer wall; the Crawler starts beside this
    /// square.
    fn start(&mut self, at: Point) {
        let size = self.design.layout.size;
        let (start, direction) = if at.x <= 1 {
            (Point::new(0, at.y), 2)
        } else if at.x >= size.x - 2 {
            (Point::new(size.x - 1, at.y), 4)
        } else if at.y <= 1 {
            (Point::new(at.x, 0), 1)
        } else {
            (Point::new(at.x, size.y - 1), 3)
        };
        for delay in [9, 0] {
            self.add(vec![VariantChange::Start(CrawlerStart {
                at: start,
                direction,
                delay,
                termination: 1,
            })]);
        }
    }

    /// Checks the centre of each side of a room. If nothing is there, adds a variant with a door there. If several of
    /// these centres are free, also adds a variant with doors at all of them.
    fn doors(&mut self, room: usize) {
        let Some(of) = self.design.layout.rooms.get(room) else {
            return;
        };
        // The sites at the centres of the sides have odd numbers.
        let closed: Vec<usize> = (1..8).step_by(2).filter(|site| of.sites[*site] == 0).collect();
        let door = |site: &usize| VariantChange::Set(Entry::Room(room), RoomField::SITES[*site].into(), 1);
        for site in &closed {
            self.add(vec![door(site)]);
        }
        if closed.len() > 1 {
            self.add(closed.iter().map(door).collect());
        }
    }

    /// Adds variants with an opening where the fewest walls separate the exit from the reachable part of the dungeon.
    /// These openings are at least [`APART`] squares from each other. If such an opening is in a hand-placed wall, also
    /// adds variants with openings elsewhere along this wall.
    fn openings(&mut self, readings: &TrialTable) {
        let size = self.design.layout.size;
        let mut places: Vec<Point> = Vec::new();
        for gap in readings.rows.iter().flatten().map(|row| &row.gap) {
            let Some(&middle) = gap.get(gap.len() / 2).filter(|_| gap.len() <= THICKEST) else {
                continue;
            };
            let is_near = |other: &Point| (other.x - middle.x).abs() + (other.y - middle.y).abs() < APART;
            if places.len() == PLACES || places.iter().any(is_near) {
                continue;
            }
            places.push(middle);
            // The neighbouring squares are also opened, since a Builder would close a single square again.
            let mut squares: Vec<Point> = Vec::new();
            for at in gap {
                let about = [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)].map(|(x, y)| Point::new(at.x + x, at.y + y));
                let inside = about
                    .into_iter()
                    .filter(|at| size.contains(*at) && !size.on_border(*at));
                let new: Vec<Point> = inside.filter(|at| !squares.contains(at)).collect();
                squares.extend(new);
            }
            self.add(squares.into_iter().map(VariantChange::Open).collect());
            self.openings_along(middle);
        }
    }

    /// Adds variants with one opening each, at up to three places along the hand-placed wall that contains `through`.
    fn openings_along(&mut self, through: Point) {
        let mut left: BTreeSet<Point> = self.design.layout.walls.iter().copied().collect();
        let mut wall = BTreeSet::new();
        let mut edge: Vec<Point> = left.take(&through).into_iter().collect();
        while let Some(at) = edge.pop() {
            wall.insert(at);
            let about = (-1..=1).flat_map(|x| (-1..=1).map(move |y| Point::new(at.x + x, at.y + y)));
            edge.extend(about.filter_map(|near| left.take(&near)));
        }
        // The squares in the order in which they were placed, which usually follows the wall.
        let mut placed = self.design.layout.walls.clone();
        placed.retain(|at| wall.contains(at));
        for quarter in 1..4 {
            let middle = placed.len() * quarter / 4;
            let three = middle.saturating_sub(1)..(middle + 2).min(placed.len());
            let changes: Vec<VariantChange> = placed[three].iter().map(|&wall| VariantChange::Open(wall)).collect();
            if !changes.is_empty() {
                self.add(changes);
            }
        }
    }

    /// Adds variants that keep Builders from enclosing open areas.
    fn keep_open(&mut self, used: &[usize]) {
        for &generation in used {
            let stats = self.design.character.generations[generation];
            self.stat(generation, Stat::OpenStartProb, [0, stats.open_start_prob / 2]);
            self.stat(generation, Stat::NoDirectionProb, [0]);
            self.stat(generation, Stat::CorridorWidth, [stats.corridor_width + 1]);
            self.stat(generation, Stat::MaxAge, [stats.max_age / 2]);
        }
        let join = self.design.constants.join_dist;
        self.constant(Constant::JoinDist, [join / 2, 0, join * 2]);
        for (i, crawler) in self.design.layout.crawlers.iter().enumerate() {
            if crawler.termination != 1 {
                let termination = CrawlerField::Termination.into();
                self.add(vec![VariantChange::Set(Entry::Crawler(i), termination, 1)]);
            }
        }
    }

    /// Adds variants that change parameters by a step in either direction.
    fn steps(&mut self, used: &[usize]) {
        for &generation in used {
            let stats = self.design.character.generations[generation];
            let age = stats.max_age;
            self.stat(
                generation,
                Stat::MaxAge,
                [age / 2, age * 3 / 4, (age * 3 + 1) / 2, age.saturating_mul(2)],
            );
            let width = stats.corridor_width.max(self.design.constants.min_corr_width);
            self.stat(generation, Stat::CorridorWidth, [width - 1, width + 1, width + 2]);
            let turn = stats.change_dir_prob;
            self.stat(generation, Stat::ChangeDirProb, [turn - 20, turn + 20]);
            let spawn = stats.straight_spawn_prob;
            self.stat(generation, Stat::StraightSpawnProb, [spawn - 30, spawn + 30]);
            self.stat(
                generation,
                Stat::StepLength,
                [stats.step_length / 2, stats.step_length * 2],
            );
            self.late(generation);
        }
        let straight = self.design.constants.ch_dir_on_straight;
        self.constant(Constant::ChDirOnStraight, [straight - 20, straight + 20]);
        let join = self.design.constants.join_dist;
        self.constant(Constant::JoinDist, [join / 2, join * 2]);
        self.protuberances();
    }

    /// Adds variants that leave more space for other generations, for designs in which `generation` takes over.
    fn hold_back(&mut self, generation: usize) {
        let stats = self.design.character.generations[generation];
        let age = stats.max_age;
        self.stat(generation, Stat::MaxAge, [age * 3 / 4, age / 2, age / 4, age / 8]);
        let width = stats.corridor_width.max(self.design.constants.min_corr_width);
        self.stat(generation, Stat::CorridorWidth, [width + 1, width + 2, width + 4]);
        for parent in [generation.checked_sub(1), Some(generation)].into_iter().flatten() {
            let of = self.design.character.generations[parent];
            let spawn = of.straight_spawn_prob;
            self.stat(parent, Stat::StraightSpawnProb, [spawn / 2, spawn + 30]);
            self.stat(parent, Stat::DoubleSpawnProb, [of.double_spawn_prob / 2]);
            self.late(parent);
        }
        if let Some(next) = Some(generation + 1).filter(|next| *next < GENERATIONS) {
            let age = self.design.character.generations[next].max_age;
            self.stat(next, Stat::MaxAge, [age.saturating_mul(2), age.saturating_mul(8)]);
        }
    }
}

/// Returns variants that may reduce a flaw of a design. `readings` contains the metrics of some of the design's
/// dungeons. Each variant differs from the design. The caller must try the variants to find those that help.
pub fn remedies(
    flaw: Flaw,
    design: &Design,
    options: Options,
    readings: &TrialTable,
    expectations: &[Expectation],
) -> Vec<Variant> {
    let mut catalogue = Catalogue {
        design,
        idle: EffectAnalysis::new(design, options),
        variants: Vec::new(),
    };
    let used = used(readings);
    match flaw {
        Flaw::Anomaly(anomaly) => of_anomaly(&mut catalogue, anomaly, readings, &used),
        Flaw::ShortPath => catalogue.steps(&used),
        Flaw::Unmet(index) => {
            let condition = expectations.get(index).map(|expectation| &expectation.condition);
            for anomaly in condition.map(related).unwrap_or_default() {
                of_anomaly(&mut catalogue, anomaly, readings, &used);
            }
            catalogue.steps(&used);
        }
    }
    catalogue.variants
}

fn of_anomaly(catalogue: &mut Catalogue, anomaly: Anomaly, readings: &TrialTable, used: &[usize]) {
    match anomaly {
        Anomaly::OuterCorridor => {
            catalogue.protuberances();
            let spots = readings.rows.iter().flatten().filter_map(|row| row.corridor);
            for line in spots.take(2) {
                let middle = |from: i32, to: i32| i32::midpoint(from, to);
                catalogue.start(Point::new(
                    middle(line.from.x, line.to.x),
                    middle(line.from.y, line.to.y),
                ));
            }
            for &generation in used {
                let turn = catalogue.design.character.generations[generation].change_dir_prob;
                catalogue.stat(generation, Stat::ChangeDirProb, [turn + 20, turn + 40]);
                let age = catalogue.design.character.generations[generation].max_age;
                catalogue.stat(generation, Stat::MaxAge, [age / 2]);
            }
        }
        Anomaly::TakesOver(generation) => catalogue.hold_back((generation as usize).min(GENERATIONS - 1)),
        Anomaly::Enclosed => {
            for room in 0..catalogue.design.layout.rooms.len() {
                if catalogue.design.layout.rooms[room].sites.iter().all(|site| *site == 0) {
                    catalogue.doors(room);
                }
            }
            catalogue.keep_open(used);
        }
        Anomaly::NoWay => {
            catalogue.openings(readings);
            catalogue.keep_open(used);
        }
        Anomaly::Unreached(AreaIndex::Room(room)) => {
            catalogue.doors(room);
            catalogue.keep_open(used);
        }
        Anomaly::Unreached(AreaIndex::Vault(_)) => catalogue.keep_open(used),
        Anomaly::LeftOut(AreaIndex::Room(room)) => {
            if let Some(width) = catalogue.design.layout.rooms.get(room).map(|room| room.width) {
                catalogue.parameter(Entry::Room(room), RoomField::Width, [width - 1, width - 2, width / 2]);
                catalogue.constant(Constant::SmallestRoomWidth, [width, 1]);
            }
        }
        Anomaly::Unborn => {
            let most = catalogue.design.constants.max_crawlers;
            catalogue.constant(Constant::MaxCrawlers, [most.saturating_mul(2), most.saturating_mul(4)]);
            for &generation in used {
                let stats = catalogue.design.character.generations[generation];
                catalogue.stat(generation, Stat::StraightSpawnProb, [stats.straight_spawn_prob / 2]);
                catalogue.stat(generation, Stat::DoubleSpawnProb, [0]);
                catalogue.stat(generation, Stat::MaxAge, [stats.max_age / 2]);
            }
        }
        Anomaly::LeftOut(AreaIndex::Vault(_)) | Anomaly::NotGrown => {}
    }
}

/// Returns the generations, at most four, that laid the most tiles. Generations that laid 2% of the tiles or less in
/// the median dungeon are left out.
fn used(readings: &TrialTable) -> Vec<usize> {
    let mut shares: Vec<(usize, f64)> = (0..GENERATIONS)
        .filter_map(|generation| {
            let share = readings.median(Metric::Generation(generation as u32))?;
            (share > 0.02).then_some((generation, share))
        })
        .collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares.truncate(4);
    let mut used: Vec<usize> = shares.into_iter().map(|(generation, _)| generation).collect();
    used.sort_unstable();
    used
}

/// Returns the anomalies whose remedies are likely to help a design to meet a condition.
fn related(condition: &Expression) -> Vec<Anomaly> {
    let mut related = Vec::new();
    condition.metrics(&mut |metric, _| {
        related.extend(match metric {
            Metric::Generation(generation) => Some(Anomaly::TakesOver(generation)),
            Metric::Plain(DungeonMetric::OuterWall | DungeonMetric::OuterCorridor) => Some(Anomaly::OuterCorridor),
            Metric::Plain(DungeonMetric::Enclosed | DungeonMetric::EnclosedSquares) => Some(Anomaly::Enclosed),
            Metric::Plain(DungeonMetric::Reachable) => Some(Anomaly::NoWay),
            Metric::Plain(DungeonMetric::Unborn) => Some(Anomaly::Unborn),
            _ => None,
        });
    });
    related
}
