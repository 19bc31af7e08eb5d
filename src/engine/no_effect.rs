//! Finds the parameters that have no effect in a design, with the reasons.
//!
//! *No effect* is meant strictly: whatever value in its range such a parameter has, exactly the same dungeon grows
//! (`tests/rules/no_effect.rs` checks this on designs of every kind). A parameter that is a chance can also change the
//! dungeon indirectly: a roll uses up a random number, and so shifts the later rolls of the same Builder. A parameter
//! with this indirect effect is not reported. A parameter that is not reported can still have no effect in a particular
//! dungeon. The analysis reads only the numbers of the design and grows nothing, so its time is linear in the number of
//! rooms and first Crawlers.

use serde::{Deserialize, Serialize};

use super::growth::{LEAST_STEP_OF_BABIES, Options};
use crate::design::{
    Constant, Constants, Design, Entry, GENERATIONS, Generation, Parameter, ReplacedValue, Room, RoomField, SiteCode,
    SitePlace, Stat, VaultField, style,
};
use crate::geometry::{Direction, Forward};

/// Which values of a parameter have the same effect, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoEffectReason {
    /// All values in the range have the same effect, for this reason.
    Whole(String),
    /// Values below this number have the same effect as this number, for this reason.
    Raised(i32, String),
}

impl NoEffectReason {
    /// Returns the reason, a clause without a full stop.
    pub fn why(&self) -> &str {
        match self {
            Self::Whole(why) | Self::Raised(_, why) => why,
        }
    }
}

/// Facts about the first Builders that a layout may start, including those of rooms that stage one will leave out.
#[expect(clippy::struct_excessive_bools, reason = "four independent facts")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct PossibleStarts {
    /// Whether there is at least one first Crawler.
    any: bool,
    /// Whether at least one first Crawler may be closed.
    closed: bool,
    /// Whether at least one first Crawler has a Direction along a row or a column, not a diagonal one.
    straight: bool,
    /// Whether at least one first Crawler may sleep before its first turn.
    delayed: bool,
    /// Whether Jumpers may start outside a decorated center door. Their babies count towards maxCrawlers.
    fields: bool,
}

impl PossibleStarts {
    fn of(design: &Design) -> Self {
        let mut starts = Self::default();
        let mut add = |direction: Option<Direction>, closed: bool, delay: i32| {
            let along = |direction| Forward::ALL.iter().any(|forward| forward.direction() == direction);
            starts.any = true;
            starts.closed |= closed;
            starts.delayed |= delay > 0;
            starts.straight |= direction.is_some_and(along);
        };
        for crawler in &design.layout.crawlers {
            if let Some((_, direction)) = crawler.headings() {
                add(direction, crawler.termination != 1, crawler.delay);
            }
        }
        for room in &design.layout.rooms {
            starts.fields |= has_field(room);
            for (site, place) in SitePlace::ALL.into_iter().enumerate() {
                match (room.site(site), place) {
                    (Some(SiteCode::Crawler { direction, open, .. }), _) => add(Some(direction), !open, room.delay),
                    (Some(SiteCode::Door), SitePlace::Center(side))
                        if room.style & style::CRAWLER_IN_CENTER_DOORS != 0 =>
                    {
                        add(Some(side.direction()), true, room.delay);
                    }
                    _ => {}
                }
            }
        }
        starts
    }
}

/// An analysis of which parameters can have an effect in a design.
#[derive(Debug, Clone)]
pub struct EffectAnalysis<'a> {
    design: &'a Design,
    options: Options,
    starts: PossibleStarts,
    /// For each generation, whether a Crawler can be born into it.
    crawlers: [bool; GENERATIONS],
    /// For each generation, whether a Jumper that descends from a Crawler can be born into it.
    jumpers: [bool; GENERATIONS],
}

impl<'a> EffectAnalysis<'a> {
    /// Analyses a design that is grown with these options.
    pub fn new(design: &'a Design, options: Options) -> Self {
        let starts = PossibleStarts::of(design);
        let mut idle = Self {
            design,
            options,
            starts,
            crawlers: [false; GENERATIONS],
            jumpers: [false; GENERATIONS],
        };
        idle.crawlers[0] = starts.any;
        // Babies belong to later generations than their parents, so one pass in order is enough, except for the last
        // generation: babies of its Builders belong to it as well. It is visited twice, since the first visit can mark
        // Jumpers in this generation.
        for generation in (0..GENERATIONS).chain([GENERATIONS - 1]) {
            if design.constants.max_crawlers > 1 {
                idle.spread(generation);
            }
        }
        idle
    }

    const fn constants(&self) -> &Constants {
        &self.design.constants
    }

    const fn stats(&self, generation: usize) -> &Generation {
        &self.design.character.generations[generation]
    }

    /// Marks the generations to which babies of a Builder of `generation` can belong.
    fn spread(&mut self, generation: usize) {
        let stats = *self.stats(generation);
        let after = |later: i32| (generation + 1 + later.max(0) as usize).min(GENERATIONS - 1);
        if self.jumps(generation) {
            self.jumpers[after(stats.skip_generations)] = true;
        }
        if !self.spawns(generation) {
            return;
        }
        if self.has_jumpers(&stats) {
            self.jumpers[after(stats.skip_generations)] = true;
        }
        if !self.has_only_jumpers(&stats) {
            self.crawlers[after(0)] |= stats.late_spawn_prob < 100;
            self.crawlers[after(stats.late_spawn)] |= stats.late_spawn_prob > 0;
        }
    }

    const fn has_jumpers(&self, stats: &Generation) -> bool {
        self.options.columns && stats.jumper_prob > 0
    }

    const fn has_only_jumpers(&self, stats: &Generation) -> bool {
        self.options.columns && stats.jumper_prob >= 100
    }

    /// Returns whether a Crawler can be born into a generation.
    pub(super) const fn bears_crawlers(&self, generation: usize) -> bool {
        self.crawlers[generation]
    }

    /// Returns whether Crawlers of a generation live long enough to act. First Crawlers without a delay have their
    /// first turn at age 1, all others at age 0.
    const fn crawlers_act(&self, generation: usize) -> bool {
        let max_age = self.stats(generation).max_age;
        self.crawlers[generation] && (max_age > 1 || (max_age == 1 && (generation > 0 || self.starts.delayed)))
    }

    /// Returns the reason why the Crawlers of a generation do not act. `of` is written after `MaxAge`: it is empty, or
    /// ` of generation 0` if the context does not name the generation.
    fn why_dead(&self, generation: usize, of: &str) -> String {
        match self.stats(generation).max_age {
            1 => format!("MaxAge{of} is 1, so first Crawlers without a delay die in their first turn"),
            _ => format!("MaxAge{of} is 0, so the Crawlers of this generation die in their first turn"),
        }
    }

    /// Returns whether Jumpers of a generation live long enough to jump and have babies.
    const fn jumps(&self, generation: usize) -> bool {
        self.jumpers[generation] && self.constants().jumper_life > 0
    }

    /// Returns whether a Crawler of a generation may try to spawn.
    pub(super) const fn spawns(&self, generation: usize) -> bool {
        let stats = self.stats(generation);
        self.crawlers_act(generation) && (stats.change_dir_prob > 0 || stats.straight_spawn_prob > 0)
    }

    /// Returns the reason why a parameter has no effect; `None` if it may have one.
    pub fn of(&self, entry: Entry, parameter: impl Into<Parameter>) -> Option<NoEffectReason> {
        let whole = |why: String| Some(NoEffectReason::Whole(why));
        match (entry, parameter.into()) {
            (Entry::Generation(generation), Parameter::Stat(stat)) if generation < GENERATIONS => {
                self.of_stat(generation, stat)
            }
            (Entry::Constants, Parameter::Constant(constant)) => whole(self.of_constant(constant)?),
            (Entry::Room(room), Parameter::RoomField(field)) => {
                whole(self.of_room(self.design.layout.rooms.get(room)?, field)?)
            }
            (Entry::NamedPlace(_), _) => whole("places do not affect growth".into()),
            (Entry::Vault(vault), Parameter::VaultField(field)) => {
                let is_divided = self.design.layout.vaults.get(vault)?.div >= 1;
                match field {
                    VaultField::Xdiv | VaultField::Ydiv if !is_divided => {
                        whole("div is 0, so x and y place the vault".into())
                    }
                    VaultField::X | VaultField::Y if is_divided => {
                        whole("div is not 0, so Xdiv and Ydiv place the vault".into())
                    }
                    VaultField::Div
                    | VaultField::Xdiv
                    | VaultField::Ydiv
                    | VaultField::X
                    | VaultField::Y
                    | VaultField::Seed
                    | VaultField::Orientation => None,
                }
            }
            (Entry::Limits, _) => {
                whole("only the original program, DungeonMaker, uses it (as the size of a table)".into())
            }
            _ => None,
        }
    }

    fn of_stat(&self, generation: usize, stat: Stat) -> Option<NoEffectReason> {
        if stat == Stat::SkipGenerations && self.starts.fields {
            return None;
        }
        if let Some(why) = self.why_unused(generation, stat) {
            return Some(NoEffectReason::Whole(why));
        }
        let (stats, constants) = (self.stats(generation), self.constants());
        let why = match stat {
            Stat::StepLength if generation > 0 && stats.step_length < LEAST_STEP_OF_BABIES => {
                return Some(NoEffectReason::Raised(
                    LEAST_STEP_OF_BABIES,
                    format!("babies lay at least {LEAST_STEP_OF_BABIES} tiles"),
                ));
            }
            Stat::CorridorWidth if stats.corridor_width < constants.min_corr_width => {
                return Some(NoEffectReason::Raised(
                    constants.min_corr_width,
                    format!("minCorrWidth is {}", constants.min_corr_width),
                ));
            }
            Stat::OpenStartProb if generation == 0 => "the openings of first Crawlers are set in the layout",
            Stat::NoDirectionProb if generation == 0 => "the Directions of first Crawlers are set in the layout",
            Stat::StraightSpawnProb if self.always_turns(generation) => {
                "ChangeDirProb is 100, so Crawlers turn after every step"
            }
            Stat::DoubleSpawnProb if stats.change_dir_prob <= 0 => {
                "ChangeDirProb is 0, so Crawlers make only forced turns, which spawn no babies"
            }
            Stat::DoubleSpawnProb
            | Stat::JumperProb
            | Stat::SkipGenerations
            | Stat::LateSpawn
            | Stat::LateSpawnProb
                if constants.max_crawlers <= 1 =>
            {
                "maxCrawlers is below 2, so no baby can be born"
            }
            Stat::JumperProb | Stat::SkipGenerations | Stat::LateSpawn | Stat::LateSpawnProb => {
                self.of_babies(generation, stat)?
            }
            Stat::StepLength
            | Stat::CorridorWidth
            | Stat::ChangeDirProb
            | Stat::StraightSpawnProb
            | Stat::DoubleSpawnProb
            | Stat::OpenStartProb
            | Stat::MaxAge
            | Stat::NoDirectionProb => return None,
        };
        Some(NoEffectReason::Whole(why.into()))
    }

    /// Returns the reason why no Builder of a generation uses a parameter; `None` if one may use it.
    fn why_unused(&self, generation: usize, stat: Stat) -> Option<String> {
        if !self.crawlers[generation] && !self.jumpers[generation] {
            return Some(if self.starts.any {
                "no Builder is born into this generation".into()
            } else {
                "no Crawler starts in this design".into()
            });
        }
        if stat != Stat::SkipGenerations && !self.crawlers[generation] {
            return Some("only Jumpers are born into this generation".into());
        }
        let of_jumpers = stat == Stat::SkipGenerations && self.jumps(generation);
        if stat == Stat::MaxAge || self.crawlers_act(generation) || of_jumpers {
            return None;
        }
        Some(if self.crawlers[generation] {
            self.why_dead(generation, "")
        } else {
            "jumperLife is 0, so Jumpers die in their first turn".into()
        })
    }

    /// Returns the reason why a parameter that determines the kind of babies has no effect; `None` if it may have one.
    fn of_babies(&self, generation: usize, stat: Stat) -> Option<&'static str> {
        let stats = self.stats(generation);
        let late = matches!(stat, Stat::LateSpawn | Stat::LateSpawnProb);
        if stat == Stat::SkipGenerations && self.jumps(generation) {
            None
        } else if !self.spawns(generation) {
            Some("ChangeDirProb and StraightSpawnProb are 0, so there are no babies")
        } else if !late && !self.options.columns {
            Some("Jumpers are switched off")
        } else if stat == Stat::SkipGenerations && stats.jumper_prob <= 0 {
            Some("JumperProb is 0, so no baby is a Jumper")
        } else if late && self.has_only_jumpers(stats) {
            Some("JumperProb is 100, so every baby is a Jumper, and Jumpers are never late")
        } else if stat == Stat::LateSpawn && stats.late_spawn_prob <= 0 {
            Some("LateSpawnProb is 0, so no baby is late")
        } else if stat == Stat::LateSpawnProb && stats.late_spawn <= 0 {
            Some("LateSpawn is 0, so late babies wake at the same time as other babies")
        } else {
            None
        }
    }

    /// Returns whether the Crawlers of a generation always change their heading (make a free turn) after building.
    const fn always_turns(&self, generation: usize) -> bool {
        self.stats(generation).change_dir_prob >= 100
            && (generation > 0 || !self.starts.straight || self.constants().ch_dir_on_straight >= 100)
    }

    fn of_constant(&self, constant: Constant) -> Option<String> {
        let layout = &self.design.layout;
        let (starts, rooms) = (self.starts.any, !layout.rooms.is_empty());
        let is_used = match constant {
            Constant::SmallestRoomWidth if !rooms => return Some("there are no rooms".into()),
            Constant::SmallestRoomWidth => true,
            Constant::MinCorrWidth => starts || !layout.vaults.is_empty(),
            // maxCrawlers also limits the number of first Builders, which include the Jumpers of rooms.
            Constant::MaxCrawlers => starts || rooms,
            Constant::ChDirOnStraight | Constant::JumperLife | Constant::JoinDist => starts,
        };
        if !is_used {
            return Some("no Crawler starts in this design".into());
        }
        let why = match constant {
            Constant::ChDirOnStraight if !self.crawlers_act(0) => {
                return Some(self.why_dead(0, " of generation 0"));
            }
            Constant::ChDirOnStraight if self.stats(0).change_dir_prob <= 0 => "ChangeDirProb of generation 0 is 0",
            Constant::ChDirOnStraight if !self.starts.straight => {
                "no first Crawler can run straight along its Direction"
            }
            Constant::JumperLife if !self.jumpers.contains(&true) => "no Jumper is born",
            Constant::JoinDist if !self.has_closed() => {
                "no Crawler is ever closed: no first Crawler starts closed, and no baby leaves a gap at its start"
            }
            Constant::ChDirOnStraight
            | Constant::JumperLife
            | Constant::JoinDist
            | Constant::MaxCrawlers
            | Constant::MinCorrWidth
            | Constant::SmallestRoomWidth => return None,
        };
        Some(why.into())
    }

    /// Returns whether a Crawler may be closed, either from birth or after it has left a gap at its start.
    fn has_closed(&self) -> bool {
        let opens = |generation: usize| self.crawlers[generation] && self.stats(generation).open_start_prob > 0;
        self.starts.closed || (1..GENERATIONS).any(opens)
    }

    /// Returns the reason why a room is too narrow or too wide to be built; `None` if its width is suitable.
    fn left_out(&self, room: &Room) -> Option<&'static str> {
        let size = self.design.layout.size;
        let most = size.x.min(size.y).saturating_sub(3) / 2;
        if room.width < self.constants().smallest_room_width || room.width < 0 {
            Some("the room is narrower than smallestRoomWidth and is left out")
        } else if room.width > most {
            Some("the room is larger than the dungeon and is left out")
        } else {
            None
        }
    }

    fn of_room(&self, room: &Room, field: RoomField) -> Option<String> {
        if field != RoomField::Width
            && let Some(why) = self.left_out(room)
        {
            return Some(why.into());
        }
        if !matches!(field, RoomField::Width | RoomField::Div) && room.div < 1 {
            return Some("div of the room is below 1, so the room is left out".into());
        }
        (field == RoomField::Delay && !starts_crawlers(room)).then(|| "no Crawler starts in this room".into())
    }

    /// Returns the reason why a switch of a room's style has no effect; `None` if it may have one. `switch` is the bit
    /// of one of [`style::SWITCHES`].
    pub fn of_switch(&self, room: usize, switch: i32) -> Option<&'static str> {
        let room = self.design.layout.rooms.get(room)?;
        if let Some(why) = self.left_out(room) {
            return Some(why);
        }
        let has = |switch: i32| room.style & switch != 0;
        let doors = |centers: bool| {
            SitePlace::ALL.into_iter().enumerate().any(|(site, place)| {
                matches!(place, SitePlace::Center(_)) == centers && room.site(site) == Some(SiteCode::Door)
            })
        };
        let corner = matches!(
            switch,
            style::LARGE_CORNER_DOORS
                | style::EXTRA_LARGE_CORNER_DOORS
                | style::FILLED_CORNER_DOORS
                | style::CORNER_DECORATION_1
                | style::CORNER_DECORATION_2
        );
        if switch == style::WALLS {
            return None;
        }
        if switch == style::PYRAMID {
            // If the pyramid does not fit, the switch still has an effect: it removes the room's columns.
            let columns = has(style::COLUMNS_BEHIND_DOORS) || has(style::COLUMNS_ALONG_DOORS);
            return (room.width < 4 && !columns).then_some("a room of this width is too small for a pyramid");
        }
        if corner && !doors(false) {
            return Some("no corner has a door");
        }
        if !corner && !doors(true) {
            return Some("no side has a door in its middle");
        }
        let shown = style::CRAWLER_IN_CENTER_DOORS | style::CENTER_DECORATION_1 | style::CENTER_DECORATION_2;
        match switch {
            style::LARGE_CORNER_DOORS | style::EXTRA_LARGE_CORNER_DOORS | style::FILLED_CORNER_DOORS
                if !has(style::WALLS) =>
            {
                Some("the room has no walls")
            }
            style::LARGE_CENTER_DOORS | style::EXTRA_LARGE_CENTER_DOORS if !has(style::WALLS) && !has(shown) => {
                Some("the room has no walls")
            }
            style::LARGE_CORNER_DOORS if room.width < 6 => Some(TOO_SMALL),
            style::EXTRA_LARGE_CORNER_DOORS if room.width < 7 && !has(style::LARGE_CORNER_DOORS) => Some(TOO_SMALL),
            style::LARGE_CENTER_DOORS if room.width < 5 => Some(TOO_SMALL),
            style::EXTRA_LARGE_CENTER_DOORS
                if room.width < 5 || (room.width < 6 && !has(style::LARGE_CENTER_DOORS)) =>
            {
                Some(TOO_SMALL)
            }
            style::CRAWLER_IN_CENTER_DOORS if !has_large_center_doors(room) => {
                Some("doors of normal size are too narrow for a Crawler")
            }
            _ => None,
        }
    }
}

/// Returns whether Jumpers may start outside a room's center doors.
fn has_field(room: &Room) -> bool {
    let decorated = room.style & style::CENTER_DECORATION_1 != 0;
    decorated
        && SitePlace::ALL
            .into_iter()
            .enumerate()
            .any(|(site, place)| matches!(place, SitePlace::Center(_)) && room.site(site) == Some(SiteCode::Door))
}

const TOO_SMALL: &str = "a room of this width is too small for such doors";

/// Returns whether a Crawler may start in a room's wall.
fn starts_crawlers(room: &Room) -> bool {
    SitePlace::ALL
        .into_iter()
        .enumerate()
        .any(|(site, place)| match room.site(site) {
            Some(SiteCode::Crawler { .. }) => true,
            Some(SiteCode::Door) => {
                matches!(place, SitePlace::Center(_)) && room.style & style::CRAWLER_IN_CENTER_DOORS != 0
            }
            _ => false,
        })
}

/// Returns whether a room has center doors of more than normal size, according to its style and width.
fn has_large_center_doors(room: &Room) -> bool {
    let has = |switch: i32| room.style & switch != 0;
    match (has(style::LARGE_CENTER_DOORS), has(style::EXTRA_LARGE_CENTER_DOORS)) {
        (true, false) => room.width >= 5,
        (false, true) => room.width >= 6,
        _ => false,
    }
}

/// Returns the reason why a design grows the same dungeons after values are replaced; `None` if it may grow different
/// ones. If several values are replaced, the reason for the first is returned.
pub fn why_same(design: &Design, options: Options, replaced: &[ReplacedValue]) -> Option<String> {
    let mut design = design.clone();
    let mut why = None;
    // Each value is checked in the design in which the values before it in the list are already replaced, since two
    // changes that have no effect separately can have an effect together.
    for one in replaced {
        let reason = EffectAnalysis::new(&design, options).of(one.entry, one.parameter)?;
        if let NoEffectReason::Raised(least, _) = reason
            && (one.before > least || one.after > least)
        {
            return None;
        }
        why.get_or_insert_with(|| reason.why().to_owned());
        one.put(&mut design);
    }
    why
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{CrawlerStart, Rule};

    /// Returns a design with one first Crawler, which ends open and has babies.
    fn design() -> Design {
        let mut design = Design::default();
        design.layout.crawlers.push(CrawlerStart::default());
        design
    }

    /// Returns a generation's parameters that have no effect.
    fn idle(design: &Design, generation: usize) -> Vec<Stat> {
        let idle = EffectAnalysis::new(design, Options::default());
        let of = |stat: &&Stat| idle.of(Entry::Generation(generation), **stat).is_some();
        Stat::ALL.iter().filter(of).copied().collect()
    }

    fn constants(design: &Design) -> Vec<Constant> {
        let idle = EffectAnalysis::new(design, Options::default());
        let of = |constant: &&Constant| idle.of(Entry::Constants, **constant).is_some();
        Constant::ALL.iter().filter(of).copied().collect()
    }

    #[test]
    fn the_default_character_has_few_parameters_without_effect() {
        let design = design();
        let late = [Stat::SkipGenerations, Stat::LateSpawn, Stat::LateSpawnProb];
        assert_eq!(
            idle(&design, 0),
            [
                Stat::OpenStartProb,
                Stat::SkipGenerations,
                Stat::LateSpawn,
                Stat::LateSpawnProb,
                Stat::NoDirectionProb
            ]
        );
        assert_eq!(idle(&design, 1), late);
        assert_eq!(idle(&design, 9), late);
        // chDirOnStraight is listed because the Direction of the first Crawler is diagonal.
        assert_eq!(
            constants(&design),
            [
                Constant::SmallestRoomWidth,
                Constant::ChDirOnStraight,
                Constant::JumperLife,
                Constant::JoinDist
            ]
        );
    }

    #[test]
    fn chances_that_are_never_rolled_or_never_fail_are_reported() {
        let mut design = design();
        let stats = &mut design.character.generations[1];
        stats.change_dir_prob = 0;
        assert!(idle(&design, 1).contains(&Stat::DoubleSpawnProb));
        design.character.generations[1].change_dir_prob = 100;
        assert!(idle(&design, 1).contains(&Stat::StraightSpawnProb));
        design.character.generations[0].change_dir_prob = 100;
        design.layout.crawlers[0].direction = 2;
        assert!(
            !idle(&design, 0).contains(&Stat::StraightSpawnProb),
            "chDirOnStraight may fail"
        );
        design.layout.crawlers[0].direction = 31;
        assert!(
            idle(&design, 0).contains(&Stat::StraightSpawnProb),
            "it runs along a diagonal"
        );
        assert!(constants(&design).contains(&Constant::ChDirOnStraight));
        design.layout.crawlers[0].termination = 2;
        assert!(!constants(&design).contains(&Constant::JoinDist));
    }

    #[test]
    fn generations_without_births_are_reported() {
        let mut design = design();
        design.character.generations[2].change_dir_prob = 0;
        design.character.generations[2].straight_spawn_prob = 0;
        assert_eq!(idle(&design, 3), Stat::ALL);
        assert_eq!(idle(&design, 9), Stat::ALL);
        assert!(idle(&design, 2).contains(&Stat::JumperProb));
        // Late babies of generation 1 skip the childless generation 2.
        design.character.generations[1].late_spawn = 3;
        design.character.generations[1].late_spawn_prob = 1;
        assert_eq!(idle(&design, 4), Stat::ALL);
        assert!(idle(&design, 5).len() < Stat::ALL.len());
        design.constants.max_crawlers = 1;
        assert_eq!(idle(&design, 1), Stat::ALL);
        design.layout.crawlers.clear();
        assert_eq!(idle(&design, 0), Stat::ALL);
    }

    #[test]
    fn numbers_that_count_as_larger_ones_are_reported() {
        let mut design = design();
        for generation in 0..2 {
            design.character.generations[generation].step_length = 2;
            design.character.generations[generation].corridor_width = 1;
        }
        let of = |generation, stat: Stat| {
            EffectAnalysis::new(&design, Options::default()).of(Entry::Generation(generation), stat)
        };
        assert_eq!(of(0, Stat::StepLength), None);
        assert!(matches!(of(1, Stat::StepLength), Some(NoEffectReason::Raised(3, _))));
        assert!(
            matches!(of(0, Stat::CorridorWidth), Some(NoEffectReason::Raised(2, why)) if why == "minCorrWidth is 2")
        );
    }

    #[test]
    fn values_are_checked_together() {
        let mut design = design();
        design.character.generations[1].late_spawn_prob = 0;
        design.character.generations[1].late_spawn = 0;
        let why = |rules: &[&str]| {
            let mut changed = design.clone();
            let rules = rules.iter().map(|rule| Rule::read(rule).unwrap());
            let replaced: Vec<_> = rules.flat_map(|rule| rule.apply(&mut changed).unwrap()).collect();
            why_same(&design, Options::default(), &replaced)
        };
        let (late, chance) = ("LateSpawn -> 3 in 1", "LateSpawnProb -> 50 in 1");
        assert_eq!(why(&[late]).as_deref(), Some("LateSpawnProb is 0, so no baby is late"));
        assert!(why(&[chance]).is_some_and(|why| why.starts_with("LateSpawn is 0")));
        assert_eq!(why(&[late, chance]), None);
        assert_eq!(why(&["MaxAge -> 5 in 1"]), None);
        let wide = "CorridorWidth -> 0 in 1";
        design.character.generations[1].corridor_width = 1;
        assert_eq!(
            why_same(
                &design,
                Options::default(),
                &Rule::read(wide).unwrap().replaced(&design).unwrap()
            )
            .as_deref(),
            Some("minCorrWidth is 2")
        );
        design.character.generations[1].corridor_width = 3;
        assert_eq!(
            why_same(
                &design,
                Options::default(),
                &Rule::read(wide).unwrap().replaced(&design).unwrap()
            ),
            None
        );
    }

    #[test]
    fn switches_of_a_style_without_effect_are_reported() {
        let mut design = design();
        design.layout.rooms.push(Room {
            width: 5,
            sites: [0, 1, 0, 0, 0, 0, 0, 0],
            ..Room::default()
        });
        let idle = |design: &Design| {
            let idle = EffectAnalysis::new(design, Options::default());
            let switches = style::SWITCHES.iter().enumerate();
            switches
                .filter(|(_, (bit, _))| idle.of_switch(0, *bit).is_some())
                .map(|(i, _)| i)
                .collect::<Vec<_>>()
        };
        // No effect: all switches for corner doors, extra large center doors in a room of width 5, and a Crawler in
        // doors of normal size.
        assert_eq!(idle(&design), [1, 2, 4, 5, 6, 11, 12]);
        design.layout.rooms[0].style |= style::LARGE_CENTER_DOORS;
        assert_eq!(idle(&design), [1, 2, 5, 11, 12]);
        design.layout.rooms[0].width = 2;
        assert_eq!(idle(&design).len(), 14);
        let of = |field: RoomField| EffectAnalysis::new(&design, Options::default()).of(Entry::Room(0), field);
        assert!(of(RoomField::Width).is_none() && of(RoomField::Div).is_some());
    }
}
