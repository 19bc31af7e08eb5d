//! The field tables of the character: the stats file and the constants file.

use std::ops::RangeInclusive;

use super::{Field, FieldInfo, field};
use crate::design::{Constants, Generation};

const PERCENT: RangeInclusive<i32> = 0..=100;

/// The stats file: twelve parameters of a generation, in file order.
pub static STATS: [Field<Generation>; 12] = [
    field!(
        "StepLength",
        "step_length",
        step_length,
        1..=1000,
        4,
        "squares",
        "wall tiles that a Crawler lays in one turn when there is room ahead"
    ),
    field!(
        "CorridorWidth",
        "corridor_width",
        corridor_width,
        0..=1000,
        3,
        "squares",
        "least open squares between new walls and those already there"
    ),
    field!(
        "ChangeDirProb",
        "change_dir_prob",
        change_dir_prob,
        PERCENT,
        30,
        "%",
        "chance to turn after a building turn; generation 0 running straight must pass chDirOnStraight too"
    ),
    field!(
        "StraightSpawnProb",
        "straight_spawn_prob",
        straight_spawn_prob,
        PERCENT,
        60,
        "%",
        "chance of a baby after a building turn without a change of heading"
    ),
    field!(
        "DoubleSpawnProb",
        "double_spawn_prob",
        double_spawn_prob,
        PERCENT,
        50,
        "%",
        "chance of two babies instead of one when it turns after building"
    ),
    field!(
        "JumperProb",
        "jumper_prob",
        jumper_prob,
        PERCENT,
        0,
        "%",
        "chance that a baby is a ColumnJumper"
    ),
    field!(
        "OpenStartProb",
        "open_start_prob",
        open_start_prob,
        PERCENT,
        0,
        "%",
        "chance that a Crawler leaves its opening at the start of its run and closes the end"
    ),
    field!(
        "MaxAge",
        "max_age",
        max_age,
        0..=1_000_000,
        10,
        "turns",
        "age at which it dies without acting: it builds in MaxAge turns, in one less if it starts awake"
    ),
    field!(
        "SkipGenerations",
        "skip_generations",
        skip_generations,
        0..=1000,
        1,
        "generations",
        "generations that its Jumpers sleep longer than a baby; 0: they wake with the next generation"
    ),
    field!(
        "LateSpawn",
        "late_spawn",
        late_spawn,
        0..=1000,
        0,
        "generations",
        "how many generations later than usual a late baby wakes"
    ),
    field!(
        "LateSpawnProb",
        "late_spawn_prob",
        late_spawn_prob,
        PERCENT,
        0,
        "%",
        "chance that a baby is late"
    ),
    field!(
        "NoDirectionProb",
        "no_direction_prob",
        no_direction_prob,
        PERCENT,
        0,
        "%",
        "chance that a Crawler has no preferred Direction and may turn back on itself; never generation 0"
    ),
];

/// The constants file, in file order.
pub static CONSTANTS: [Field<Constants>; 6] = [
    field!(
        "maxCrawlers",
        "max_crawlers",
        max_crawlers,
        0..=100_000_000,
        800,
        "Builders",
        "most Builders alive at once, sleepers counted; at the limit no baby is born"
    ),
    field!(
        "minCorrWidth",
        "min_corr_width",
        min_corr_width,
        0..=1000,
        2,
        "squares",
        "least corridor: a smaller CorridorWidth is raised to it, and Jumpers of JumperProb step by it"
    ),
    field!(
        "smallestRoomWidth",
        "smallest_room_width",
        smallest_room_width,
        1..=1000,
        3,
        "squares",
        "rooms narrower than this are not built"
    ),
    field!(
        "chDirOnStraight",
        "ch_dir_on_straight",
        ch_dir_on_straight,
        PERCENT,
        30,
        "%",
        "generation 0's chance to leave a heading that runs straight along its Direction"
    ),
    field!(
        "jumperLife",
        "jumper_life",
        jumper_life,
        0..=1_000_000,
        7,
        "turns",
        "turns that a ColumnJumper of JumperProb lives"
    ),
    field!(
        "joinDist",
        "join_dist",
        join_dist,
        0..=1000,
        13,
        "squares",
        "how near the wall ahead must be for a closed Crawler to join it"
    ),
];
