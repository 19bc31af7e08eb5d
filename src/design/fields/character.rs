//! The parameters of the stats file (the character) and of the constants file.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{Field, FieldInfo, Parameter, SavedName, parameters, record};

const PERCENT: RangeInclusive<i32> = 0..=100;

record! {
    /// The parameters of one generation (manual: stats-file page).
    struct Generation;
    /// A parameter in the stats file.
    Stat {
        StepLength "StepLength" step_length in 1..=1000, default 4, "squares",
            "wall tiles that a Crawler lays in one turn when there is room ahead";
        CorridorWidth "CorridorWidth" corridor_width in 0..=1000, default 3, "squares",
            "minimum number of open squares between new walls and existing ones";
        ChangeDirProb "ChangeDirProb" change_dir_prob in PERCENT, default 30, "%",
                        "chance to turn after building; in generation 0, a Crawler that runs straight along its Direction must also pass a roll of chDirOnStraight";
        StraightSpawnProb "StraightSpawnProb" straight_spawn_prob in PERCENT, default 60, "%",
                        "chance of a baby when a Crawler does not turn after building";
        DoubleSpawnProb "DoubleSpawnProb" double_spawn_prob in PERCENT, default 50, "%",
            "chance of two babies instead of one when a Crawler turns after building";
        JumperProb "JumperProb" jumper_prob in PERCENT, default 0, "%",
            "chance that a baby is a Jumper, which leaves single columns instead of a wall";
        OpenStartProb "OpenStartProb" open_start_prob in PERCENT, default 0, "%",
            "chance that a Crawler has its opening at the start of its wall instead of at the end";
        MaxAge "MaxAge" max_age in 0..=1_000_000, default 10, "turns",
            "age in turns at which a Crawler dies: it acts MaxAge times, or MaxAge - 1 times if it starts awake";
        SkipGenerations "SkipGenerations" skip_generations in 0..=1000, default 1, "generations",
            "number of generations by which Jumpers sleep longer than Crawlers; 0: they wake together";
        LateSpawn "LateSpawn" late_spawn in 0..=1000, default 0, "generations",
            "number of generations by which a late baby wakes later than usual";
        LateSpawnProb "LateSpawnProb" late_spawn_prob in PERCENT, default 0, "%",
            "chance that a baby is late, that is, wakes LateSpawn generations later than usual";
        NoDirectionProb "NoDirectionProb" no_direction_prob in PERCENT, default 0, "%",
            "chance that a Crawler has no preferred Direction and may turn back on itself; not used for generation 0";
    }
}

record! {
    /// The constants file: numbers for the whole dungeon.
    struct Constants;
    /// A number in the constants file.
    Constant {
        MaxCrawlers "maxCrawlers" max_crawlers in 0..=100_000_000, default 800, "Builders",
            "maximum number of Builders alive at once, including sleeping ones; at the limit no baby is born";
        MinCorrWidth "minCorrWidth" min_corr_width in 0..=1000, default 2, "squares",
            "minimum corridor width: a smaller CorridorWidth is raised to it; also the number of open squares between the columns of a Jumper that descends from a Crawler (the Jumpers that build the columns of rooms have their own distance)";
        SmallestRoomWidth "smallestRoomWidth" smallest_room_width in 1..=1000, default 3, "squares",
            "rooms with a smaller `width` are not built; a room with `width` 3 is 7 squares wide inside";
        ChDirOnStraight "chDirOnStraight" ch_dir_on_straight in PERCENT, default 30, "%",
                        "chance that a Crawler of generation 0 turns while it moves along its Direction; rolled only if the roll for ChangeDirProb has succeeded";
        JumperLife "jumperLife" jumper_life in 0..=1_000_000, default 7, "turns",
                        "lifetime in turns of a Jumper that descends from a Crawler (the Jumpers that build the columns of rooms have their own lifetime)";
        JoinDist "joinDist" join_dist in 0..=1000, default 13, "squares",
            "a closed Crawler joins the wall ahead if fewer open squares than this lie between them; 0: it never joins";
    }
}
