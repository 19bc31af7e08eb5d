//! All public data survives serde, and inconsistent data is rejected.
//!
//! [`samples`] pins the serialized form of each type; a change there changes what users have saved. A public type
//! with neither a sample nor a reason in [`EXCEPTIONS`] is found in the source and fails a test.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    clippy::too_many_lines,
    reason = "helpers of tests"
)]

use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wallcrawler::analysis::tune::{TunedParameter, VariantChange};
use wallcrawler::analysis::{
    MetricValues, MetricsCalculator, ScatterOptions, Scene, SurveySummary, WallFrequency, columns, row,
};
use wallcrawler::design::{
    Constant, Design, Entry, EntryText, Feature, Place, PlacedVault, RoomField, Rule, Stat, Validated, VaultField,
    expect,
};
use wallcrawler::engine::{BuilderId, Event, Grid, Growth, Iteration, Mark, Options, Tile};
use wallcrawler::geometry::{Forward, Point, Size};
use wallcrawler::presets::{self, Preset};
use wallcrawler::recording::{Frame, Playback, Recording, StoryRecorder};
use wallcrawler::vault::lua::{self, ResolveOutcome, Runtime};
use wallcrawler::vault::{Library, ResolvedMap, VaultWorld};
use wallcrawler::{Maze, analysis, design, engine, export, format, geometry, import, recording, recording_file, vault};

/// Modules that are not part of the library: they need a terminal, threads or files, or serve the program only.
const OUTSIDE: [&str; 6] = ["background", "cli", "document", "settings", "storage", "tui"];

/// Public types, or all types of a module, that are not serializable, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "analysis::counterfactual",
        "answers about a run, which its design and seed yield again",
    ),
    ("vault::resolver", "the runner of level files, with its state"),
    (
        "vault::lua::budget::Budget",
        "the remaining budget of Lua code that runs",
    ),
    ("recording::replay", "parts of the file format of recordings"),
    (
        "design::rule::ApplyError",
        "an error, which a rule and its design yield again",
    ),
    (
        "export::paper::ParsePaperError",
        "an error, which reading the text yields again",
    ),
    (
        "recording::moment_script::ParseScriptError",
        "an error, which reading the text yields again",
    ),
    (
        "format::compact::CompactError",
        "an error, which reading the text yields again",
    ),
    ("code", "is text itself: DungeonCode::write and DungeonCode::read"),
    ("engine::schedule", "computed from a design"),
    ("export::paper::Pages", "computed from a map and the print options"),
    ("import::ReadResult", "holds a drawing that becomes part of a design"),
    ("import::square::Drawing", "a drawing that becomes part of a design"),
    (
        "import::setting::ImportSetting",
        "a row of the table of options, which is part of the program",
    ),
    (
        "recording_file",
        "a file format of its own: recording_file::write and RecordingFile::read",
    ),
    (
        "design::fields",
        "rows of the table of parameters, and fields, which are saved with their entry",
    ),
    (
        "design::expect::metric::MetricInfo",
        "a row of the table of metrics, which is part of the program",
    ),
    (
        "design::placed_vault::PlacementError",
        "borrows the vault that is in the way",
    ),
    ("analysis::row::Column", "made from a design: analysis::columns"),
    (
        "export::kind::KindInfo",
        "a row of the table of kinds, which is part of the program",
    ),
    ("presets::Preset", "part of the program"),
    (
        "engine::no_effect::EffectAnalysis",
        "borrows a design and answers questions about it",
    ),
    (
        "engine::growth::Growth",
        "a run in progress: its design and seed make it again",
    ),
    ("engine::growth::iterations::Iterations", "borrows a run in progress"),
    ("engine::random", "a random stream in use: the seed makes it again"),
    ("recording::Recording", "has a file format of its own, far smaller"),
    ("recording::stats", "counted from a recording"),
    (
        "recording::playback::Playback",
        "a position in a recording: its turn identifies it",
    ),
    ("recording::tile_origins::TileOrigins", "computed from a recording"),
    ("recording::replay", "a recording while it is written or read"),
    ("recording_file", "a file format of its own"),
    ("recording::recorder::Recorder", "observes a run in progress"),
    ("recording::log", "work in progress on a recording"),
    (
        "recording::story::StoryRecorder",
        "observes a run in progress; its Story is data",
    ),
    ("recording::trace::Trace", "an index of a run in progress"),
    (
        "recording::chunk::EventChunk",
        "a part of a recording before it is appended",
    ),
    (
        "analysis::runner::MetricsRunner",
        "reuses its memory for the next dungeon",
    ),
    (
        "engine::growth::seeds::SeedGrower",
        "reuses its memory for the next dungeon",
    ),
    ("maze::Distances", "computed from a maze"),
    ("maze::grower::MazeGrower", "reuses its memory for the next dungeon"),
    ("maze::grower::LevelFiles", "texts of files: saved as those files"),
    (
        "rows",
        "rows of files and arrays of NumPy, made from the metrics and squares of a dungeon",
    ),
    (
        "analysis::calculator::MetricsCalculator",
        "reuses its memory for the next dungeon; its Metrics are data",
    ),
    ("analysis::parts::MetricParts", "chosen by code, not saved"),
    (
        "analysis::range::RangeAxis",
        "computed from the metrics of many dungeons",
    ),
    (
        "analysis::range::RangeCell",
        "computed from the metrics of many dungeons",
    ),
    (
        "analysis::range::RangeMap",
        "computed from the metrics of many dungeons",
    ),
    ("analysis::regions::Regions", "computed from a grid"),
    ("analysis::row::CellKind", "computed from a design's columns"),
    ("recording::path::BuilderPath", "computed from a recording"),
    ("analysis::cover::SquareLayer", "computed from a grid and its metrics"),
    (
        "analysis::metric_sample::MetricSample",
        "intermediate values of a Verdict",
    ),
    (
        "analysis::walk::Walk",
        "holds memory of the analysis; computed again from a dungeon",
    ),
    ("analysis::walk::NoWalk", "an error, which a dungeon yields again"),
    (
        "analysis::tune::atlas::Atlas",
        "a search in progress; its AtlasState is data",
    ),
    ("analysis::tune::atlas::AtlasRequest", "holds compiled expectations"),
    ("analysis::tune::cma::Cma", "a search in progress"),
    ("analysis::tune::learn::Learning", "a search in progress"),
    ("analysis::tune::learn::LearnPhase", "the phase of such a search"),
    ("analysis::tune::learnt::LearnRequest", "a request, which is made again"),
    (
        "analysis::tune::learnt::LearntMetric",
        "an intermediate result of a report",
    ),
    (
        "analysis::tune::curve::Curve",
        "a search in progress; its Bands are data",
    ),
    (
        "analysis::tune::search::Tuning",
        "a search in progress; its candidates are data",
    ),
    ("export::dungeon::DungeonView", "borrows a recording"),
    ("export::ExportError", "holds an I/O error"),
    ("export::paint::Painting", "an intermediate form of a picture"),
    ("export::picture::Picture", "borrows a painting"),
    ("export::atlas_picture::AtlasPicture", "borrows dungeons and texts"),
    ("export::dungeon_rows::DungeonRows", "borrows dungeons and texts"),
    ("export::range_map::RangePicture", "borrows a map and its texts"),
    (
        "export::frequency_map::FrequencyPicture",
        "borrows the counts and texts",
    ),
    ("export::text::TextWriter", "borrows a design"),
    (
        "format::text",
        "a text with its lines, and places in it: saved as the text",
    ),
    ("export::vault_picture::VaultPicture", "borrows a vault and its texts"),
    ("vault::connect::Flood", "computed from a map"),
    ("vault::noise::Nearest", "computed from a place"),
    (
        "vault::lua::outcome::UndefinedUse",
        "a part of a report, which a level file yields again",
    ),
    ("vault::dice::Dice", "a random stream in use"),
    ("vault::glyphs::Glyphs", "a map while it is made"),
    (
        "vault::library",
        "numbers and tables of the level files that were read: saved as those files",
    ),
    ("vault::lint::placeable::Exits", "a count of a check in progress"),
    ("vault::lint::portals::PortalFacts", "a count of a check in progress"),
    ("vault::lua::measure::Measured", "borrows a runtime"),
    ("vault::lua::outcome::CompileReport", "holds a map while it is made"),
    ("vault::lua::runtime::RuntimeOptions", "holds a function"),
    ("vault::lua::runtime::Runtime", "a running Lua interpreter"),
    ("vault::lua::meter::Meter", "a running Lua interpreter"),
    ("vault::lua::sandbox::Sandbox", "a running Lua interpreter"),
    ("vault::map::MapState", "a map while it is made; ResolvedMap is data"),
    ("vault::map::subvault::Mask", "a map while it is made"),
    ("vault::paint", "requests of a map's Lua code"),
    (
        "vault::portals::PortalEdge",
        "refers to maps by their numbers in a library",
    ),
    (
        "vault::portals::Portals",
        "refers to maps by their numbers in a library",
    ),
    ("vault::source", "a level file as it was read: saved as its text"),
    (
        "vault::spec",
        "a line of a level file as it was read: saved as its text",
    ),
    ("vault::stats::MapOdds", "refers to maps by their numbers in a library"),
    (
        "vault::stats::VaultSurvey",
        "refers to maps by their numbers in a library; its counts are data",
    ),
];

fn saved<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_else(|error| panic!("{}: {error}", type_name::<T>()))
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// Asserts that a value survives serialization.
fn keeps<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let again: T = read(saved(value)).unwrap_or_else(|error| panic!("{}: {error}", type_name::<T>()));
    assert_eq!(&again, value);
}

/// Asserts that invalid data is rejected for this reason.
fn refused<T: DeserializeOwned>(value: Value, why: &str) {
    let Err(said) = read::<T>(value) else {
        panic!("{} accepts it", type_name::<T>());
    };
    assert!(said.contains(why), "{said}");
}

/// The types that have samples, with the number of checks of each.
#[derive(Default)]
struct Samples(BTreeMap<&'static str, usize>);

impl Samples {
    /// Checks that a value is serialized and deserialized exactly in this form.
    fn of<T: Serialize + DeserializeOwned>(&mut self, sample: Value) -> &mut Self {
        let name = type_name::<T>();
        let value: T = read(sample.clone()).unwrap_or_else(|error| panic!("{name}: {error}: {sample}"));
        assert_eq!(saved(&value), sample, "{name}");
        *self.0.entry(name).or_default() += 1;
        self
    }

    /// Checks that a type has exactly these words as values.
    fn words<T: Serialize + DeserializeOwned>(&mut self, words: &str) -> &mut Self {
        for word in words.split_ascii_whitespace() {
            self.of::<T>(json!(word));
        }
        assert!(read::<T>(json!("no_such_word")).is_err());
        self
    }
}

fn samples() -> Samples {
    let mut all = Samples::default();
    let at = json!({"x": 3, "y": 4});
    let line = json!({"from": {"x": 3, "y": 4}, "to": {"x": 3, "y": 9}});

    all.of::<geometry::Point>(at.clone())
        .of::<geometry::Size>(json!({"x": 20, "y": 30}))
        .of::<ScatterOptions>(json!({"count": 3, "apart": 5, "dead_ends": true, "seed": 7, "taken": [at]}))
        .words::<geometry::Forward>("north east south west")
        .words::<geometry::Direction>("north northeast east southeast south southwest west northwest");

    let constants = json!({
        "max_crawlers": 800, "min_corr_width": 2, "smallest_room_width": 3, "ch_dir_on_straight": 30,
        "jumper_life": 7, "join_dist": 13,
    });
    let limits = json!({"rooms": 2, "open": 1, "closed": 1, "columns": 1, "crawlers": 2});
    let room = json!({
        "div": 2, "xdiv": 1, "ydiv": 1, "width": 5, "sites": [0, 1, 0, 1, 0, 1, 0, 12], "style": 1, "delay": 0,
    });
    let crawler = json!({"at": at, "direction": 12, "delay": 0, "termination": 1});
    let entry = json!({
        "file": "", "map": "cloister", "tag": "", "place": "D:5", "div": 2, "xdiv": 1, "ydiv": 1,
        "at": {"x": 0, "y": 0}, "seed": 0, "orientation": 1,
    });
    let layout = json!({
        "size": {"x": 20, "y": 30}, "limits": limits, "rooms": [room], "open": [at], "walls": [], "columns": [],
        "crawlers": [crawler], "protuberances": 2, "vaults": [entry],
    });
    let generation = json!({
        "step_length": 4, "corridor_width": 3, "change_dir_prob": 30, "straight_spawn_prob": 60,
        "double_spawn_prob": 50, "jumper_prob": 0, "open_start_prob": 0, "max_age": 10, "skip_generations": 1,
        "late_spawn": 0, "late_spawn_prob": 0, "no_direction_prob": 0,
    });
    let character = json!({"generations": vec![generation.clone(); design::GENERATIONS]});
    let expect = json!({"entrance": null, "exit": at, "that": ["reachable"]});
    let whole = json!({
        "name": "Hall", "notes": "", "seed": u64::MAX, "constants": constants, "layout": layout,
        "character": character, "expect": expect,
    });
    let piece = json!({
        "vault": 0, "name": "cell", "at": {"x": 5, "y": 5}, "size": {"x": 1, "y": 3},
        "squares": [null, "floor", "rock_wall"], "exits": [{"x": 5, "y": 6}],
    });
    let place = json!({"entry": {"room": 0}, "field": "ltc"});
    let source = json!({"file": "f", "line": 2, "column": 3, "span": {"start": 9, "end": 12}, "text": "abc",
        "excerpt": {"line": "an abc", "span": {"start": 3, "end": 6}}});
    let diagnostic = json!({
        "severity": "warning", "place": place, "source": source, "message": "it is wrong", "help": "mend it",
    });
    all.of::<design::Design>(whole.clone())
        .of::<design::Constants>(constants)
        .of::<design::Layout>(layout)
        .of::<design::Limits>(limits)
        .of::<design::Room>(room)
        .of::<design::CrawlerStart>(crawler)
        .of::<design::VaultEntry>(entry)
        .of::<design::Character>(character)
        .of::<design::Generation>(generation)
        .of::<design::Expectations>(expect)
        .of::<design::ValidDesign>(json!({"design": whole, "pieces": [piece]}))
        .of::<design::Validated>(json!({"design": null, "diagnostics": [diagnostic]}))
        .of::<design::PlacedVault>(piece)
        .of::<design::VaultContent>(json!({
            "at": {"x": 3, "y": 4}, "kind": "portal", "text": "Temple", "properties": [["dst", "Temple"]],
        }))
        .words::<design::ContentKind>("monster item shop portal marker")
        .of::<design::InvalidDesign>(json!({"diagnostics": [diagnostic]}))
        .of::<design::Diagnostic>(diagnostic.clone())
        .of::<design::SourcePosition>(source)
        .of::<design::Excerpt>(json!({"line": "an abc", "span": {"start": 3, "end": 6}}))
        .words::<design::Severity>("note warning error")
        .of::<design::Place>(place.clone())
        .words::<design::Stat>("step_length corridor_width max_age no_direction_prob")
        .words::<design::Constant>("max_crawlers join_dist")
        .words::<design::RoomField>("div xdiv ltc lc style delay")
        .words::<design::CrawlerField>("x y direction delay termination")
        .words::<design::VaultField>("div xdiv ydiv x y seed orientation")
        .words::<design::EntryText>("map tag file place name")
        .words::<design::PlaceField>("x y room vault")
        .words::<design::SquareField>("x y")
        .words::<design::Dimension>("dim_x dim_y")
        .words::<design::Limit>("rooms open closed columns crawlers")
        .words::<design::OuterWall>("protuberances")
        .words::<design::Entry>("dimensions limits protuberances constants");
    for list in [
        "room",
        "open",
        "wall",
        "column",
        "crawler",
        "vault",
        "named_place",
        "generation",
        "expectation",
    ] {
        all.of::<design::Entry>(json!({list: 3}));
    }
    all.words::<design::List>("rooms open walls columns crawlers vaults places")
        .words::<design::feature::Class>(
            "floor wall clear_wall door liquid statue tree stairs hatch portal altar fountain trap shop grate other",
        )
        .words::<design::Feature>("floor rock_wall closed_door random_trap enter_shop")
        .words::<design::SiteCode>("nothing door")
        .of::<design::SiteCode>(json!({"crawler": {"forward": "north", "direction": "northeast", "open": true}}))
        .of::<design::SitePlace>(json!({"center": "west"}))
        .of::<design::SitePlace>(json!({"corner": ["north", "west"]}))
        .words::<design::MemoryUse>("printing showing")
        .of::<design::Memory>(json!({"available": 1_u64 << 40, "purpose": "showing"}))
        .of::<design::ReplacedValue>(json!({
            "entry": {"generation": 2}, "parameter": "corridor_width", "before": 4, "after": 3,
        }))
        .of::<design::Rule>(json!("CorridorWidth 4 -> 3"))
        .of::<design::RuleTarget>(json!("width in room 2"))
        .of::<design::RuleChange>(json!({"to": 3}))
        .of::<design::RuleError>(json!({"span": {"start": 0, "end": 4}, "message": "m", "help": ""}));

    let compared = json!({"two": ["at_most", [{"metric": {"plain": "dead_ends"}}, {"number": 40.0}]]});
    all.of::<expect::Expectation>(json!({"condition": compared, "share": 0.95}))
        .of::<expect::Expression>(json!({"over": ["mean", {"metric": {"generation": 3}}]}))
        .of::<expect::Expression>(json!({"minus": {"not": compared}}))
        .of::<expect::Aggregate>(json!("mean"))
        .of::<expect::Aggregate>(json!({"quantile": 500}))
        .words::<expect::Operator>("and or add subtract times divide less at_most more at_least equal differs")
        .words::<expect::DungeonMetric>(
            "reachable path detour squares fill enclosed enclosed_squares dead_ends blind junctions loops pillars width \
             tiles generations dominant outer_wall outer_corridor unreached severable builders unborn iterations \
             visible_area unseen integration intelligibility choke_points found explored",
        )
        .of::<expect::Metric>(json!({"widths": [1, 3]}))
        .of::<expect::Metric>(json!({"area": ["needs", {"room": 1}]}))
        .of::<expect::AreaIndex>(json!({"vault": 1}))
        .of::<expect::PlaceName>(json!("story-hook"))
        .of::<analysis::PlaceMetrics>(json!({"name": "boss", "at": {"x": 3, "y": 4}, "steps": 80}))
        .of::<design::NamedPlace>(json!({"name": "Boss", "at": {"x": 3, "y": 4}, "room": 0, "vault": 1}))
        .words::<expect::AreaPredicate>("crosses needs severs")
        .of::<expect::ExpectationError>(json!({"span": {"start": 0, "end": 4}, "message": "m", "help": ""}));

    let look = json!({
        "forward": "east", "corridor": 3, "free": 2, "limit": 9,
        "end": {"tile": {"at": at, "tile": "high_wall", "mark": {"generation": 2}}},
    });
    let roll = json!({"rolled": 12, "chance": 30});
    let birth = json!({
        "parent": 4, "kind": "crawler", "generation": 1, "at": at, "forward": "south", "direction": null,
        "opening": "end", "wakes": 100, "age": 0,
    });
    let clock = json!({"turn": 12, "iteration": 100});
    let start = json!({
        "origin": {"entry": {"crawler": 0}, "field": null}, "kind": "crawler", "turns": null,
        "at": at, "forward": "south", "direction": "south",
        "opening": "closed", "delay": 10,
    });
    let grid = json!({
        "size": {"x": 2, "y": 3}, "tiles": [".oX", "YCX"], "generations": [[-1, -1, 0], [-1, 123, -1]],
    });
    let built_room = json!({"index": 0, "center": at, "width": 5});
    let built_door = json!({"room": 0, "site": {"center": "west"}, "squares": [at]});
    let laid = json!({"laid": {"builder": 4, "at": at, "before": "open", "tile": "wall"}});
    all.of::<engine::Grid>(grid.clone())
        .words::<engine::Tile>("open guaranteed wall high_wall column")
        .words::<engine::Mark>("design")
        .of::<engine::Mark>(json!({"generation": 3}))
        .of::<engine::Options>(json!({"columns": false}))
        .of::<engine::Clock>(clock.clone())
        .of::<engine::Iteration>(json!({"clock": clock, "events": [laid]}))
        .of::<engine::Roll>(roll.clone())
        .of::<engine::LookAhead>(look.clone())
        .of::<engine::Obstacle>(json!("edge"))
        .of::<engine::SideLook>(json!({"forbidden": "west"}))
        .of::<engine::SideLook>(json!({"seen": look}))
        .words::<engine::ForcedTurnSide>("none")
        .of::<engine::FreeTurnSide>(json!({"rolled": {"to": "west", "left": roll}}))
        .of::<engine::NoEffectReason>(json!({"whole": "why"}))
        .of::<engine::NoEffectReason>(json!({"raised": [3, "why"]}))
        .of::<engine::BuilderSnapshot>(json!({
            "kind": "jumper", "generation": 2, "at": at, "forward": "west", "direction": "southwest",
            "opening": "start", "age": -3,
        }))
        .of::<engine::LookFrom>(json!({"from": at, "look": look}))
        .words::<engine::PredictedOutcome>("ages blocked joins builds turns")
        .of::<engine::TurnPrediction>(json!({
            "looks": [{"from": at, "look": look}], "outcome": "builds", "squares": [at], "headings": ["north"],
        }))
        .of::<engine::BuilderId>(json!(7))
        .of::<engine::Birth>(birth.clone())
        .words::<engine::BuilderKind>("crawler jumper")
        .words::<engine::Opening>("closed end start")
        .words::<engine::Death>("blocked aged joined")
        .of::<engine::TurnReason>(json!({"forced": {"free": 1, "needed": 4, "side": 3}}))
        .of::<engine::TurnReason>(json!({"free": {"rolled": 3, "chance": 30}}))
        .of::<engine::WallRun>(json!({"builder": 4, "from": at, "forward": "east", "squares": 4, "moves": true}))
        .of::<engine::stage_one::Start>(start.clone())
        .of::<engine::stage_one::BuiltRoom>(built_room.clone())
        .of::<engine::stage_one::BuiltDoor>(built_door.clone())
        .of::<engine::stage_one::BuiltLayout>(json!({
            "grid": grid, "starts": [start], "refused": [], "rooms": [built_room], "doors": [built_door],
            "diagnostics": [diagnostic], "left_out": [{"crawler": 2}],
        }))
        .words::<engine::stage_one::LayoutPart>(
            "border room_wall door pyramid decoration room_columns hand_placed vault protuberance",
        )
        .of::<engine::stage_one::SquareSource>(json!({"part": "room_wall", "entry": {"room": 0}}));
    for choice in ["only", "roomier", "coin"] {
        all.of::<engine::ForcedTurnSide>(json!({choice: "north"}));
    }
    for event in [
        json!({"born": {"builder": 4, "birth": birth}}),
        json!({"unborn": {"parent": 4, "living": 800}}),
        json!({"woke": {"builder": 4}}),
        laid,
        json!({"moved": {"builder": 4, "from": at, "to": at}}),
        json!({"turned": {"builder": 4, "from": "north", "to": "east", "why": {"free": {"rolled": 3, "chance": 30}}}}),
        json!({"opening_changed": {"builder": 4, "from": "start", "to": "closed"}}),
        json!({"joined": {"builder": 4, "distance": 3}}),
        json!({"died": {"builder": 4, "cause": "aged"}}),
    ] {
        all.of::<engine::Event>(event);
    }
    for decision in [
        json!({"acts": {"age": 0, "life": 10, "at": at, "forward": "north"}}),
        json!({"gap": {"look": look, "needed": 4}}),
        json!({"joins": {"look": look, "to": ["north", 3], "coin": true}}),
        json!({"builds": {"look": look, "needed": 4, "step": 4, "squares": 2}}),
        json!({"turns_aside": {
            "sides": [{"forbidden": "west"}, {"seen": look}], "needed": 4, "choice": {"only": "east"},
        }}),
        json!({"brood": {"jumper": roll, "late": roll, "kind": "crawler", "generations": 1}}),
        json!({"turns_freely": {"change": roll, "straight": null}}),
        json!({"leans": {"only": "west"}}),
        json!({"spawns_straight": {"roll": roll, "forward": "west"}}),
        json!({"spawns_two": {"roll": roll}}),
        json!({"unborn": {"living": 3, "most": 3}}),
        json!({"sets_out": {"aimless": roll, "direction": null, "open_start": roll, "opening": "end"}}),
        json!({"dies": {"cause": "blocked", "age": 3}}),
    ] {
        all.of::<engine::Decision>(decision);
    }
    for intervention in [
        json!({"unborn": 7}),
        json!({"reversed": {"builder": 7, "age": 3, "roll": "change_dir"}}),
        json!({"parameter": {"place": {"entry": {"generation": 2}, "field": "max_age"}, "value": 9}}),
        json!({"bare": at}),
    ] {
        all.of::<engine::Intervention>(intervention);
    }
    all.words::<engine::RollKind>(
        "jumper late_spawn change_dir change_dir_on_straight free_side double_spawn straight_spawn spawn_side \
         forced_side join_side no_direction direction_side open_start",
    )
    .of::<engine::random::Key>(json!(7));

    let shown = json!({
        "birth": birth, "at": at, "forward": "east", "opening": "end", "state": {"dead": "aged"}, "laid": 3,
    });
    let moment = json!({"turn": 3, "builder": 4, "what": {"happened": {"woke": {"builder": 4}}}});
    all.of::<recording::IterationStart>(json!({"iteration": 2, "turn": 7}))
        .of::<recording::TileOrigin>(json!({"builder": 4, "turn": 7}))
        .words::<recording::BuilderState>("asleep awake")
        .of::<recording::BuilderState>(json!({"dead": "joined"}))
        .of::<recording::FrameBuilder>(shown.clone())
        .of::<recording::Frame>(json!({"grid": grid, "builders": [shown], "first_kinds": [1, 1, 2, 1, 1]}))
        .of::<recording::MomentScript>(json!("0,300:4,300:2,end:5"))
        .words::<recording::SeekResult>("there busy")
        .of::<recording::SeekResult>(json!({"missing": 3}))
        .of::<recording::StoryMoment>(moment.clone())
        .of::<recording::StoryEvent>(json!({"decided": {"spawns_two": {"roll": roll}}}))
        .of::<recording::Story>(json!({"moments": [moment]}));

    let ground = json!({
        "stands": true, "name": "", "reached": true, "crossed": false, "needed": false, "severed_by": line,
    });
    let sight = json!({
        "visible_area": 40, "unseen": 0.5, "integration": 1.5, "intelligibility": null, "choke_points": 0, "found": 120,
        "explored": 0.25,
    });
    let growth = json!({"builders": 30, "unborn": 2, "iterations": 400});
    let area = json!({"at": at, "squares": 12, "in_vault": false, "holds_entrance": false});
    let dead_end = json!({"mouth": line, "squares": 9});
    let junction = json!({"at": at, "width": 2, "ways": 3});
    let island = json!({"at": at, "rows": 2, "columns": 3});
    let odd = json!(["no_way", {"left_out": {"room": 1}}, {"takes_over": 3}]);
    let shares = json!({"count": 2, "seeds": [3, 9]});
    let verdict = json!({
        "holds": false, "outcome": "fails", "more_seeds": null, "failing": [3], "seeds": 100, "is_of_one": true,
    });
    let reading = json!({"values": [{"number": 3.0}, {"truth": true}], "odd": odd, "corridor": line, "gap": []});
    let change = json!({"set": [{"generation": 1}, "max_age", 30]});
    let atlas_cell = json!({
        "cell": [1, -2], "values": [3, 4], "medians": [120.0, 9.5], "met": 1, "shortfall": 0.5,
        "deviations": [6.0, 1.25], "seed": 17,
    });
    let paired_change = json!({
        "counts": {"pairs": 9, "higher": 5, "lower": 3}, "change": {"mean": 1.5, "low": 0.5, "high": 2.5}, "p": 0.01,
        "p_adjusted": 0.03,
    });
    let measured = json!({"count": 3, "dungeons": 100, "weight": 7.5});
    all.of::<Maze>(json!({
        "design": saved(&design::ValidDesign::try_from(&Design::sized(20, 20)).expect("a valid design")),
        "grid": saved(&Grid::new(Size::new(20, 20))), "clock": clock, "diagnostics": [],
    }))
    .of::<analysis::Metrics>(json!({
        "size": {"x": 20, "y": 30}, "entrance": at, "exit": null, "way": [at], "gap": [], "squares": 90, "inside": 504,
        "filled": 3, "enclosed": [area], "dead_ends": [dead_end], "blind": 9, "shape": 80, "widths": [1, 2],
        "junctions": [junction], "islands": [island], "tiles": [3], "outer": [line], "outer_squares": 90,
        "rooms": [ground], "vaults": [], "life": growth, "gap": [at], "sight": sight,
    }))
    .of::<analysis::EnclosedArea>(area)
    .of::<analysis::AreaMetrics>(ground)
    .of::<analysis::GrowthMetrics>(growth)
    .of::<analysis::SightMetrics>(sight)
    .of::<analysis::DeadEnd>(dead_end)
    .of::<analysis::Junction>(junction)
    .of::<analysis::Island>(island)
    .of::<analysis::PassageLine>(line)
    .of::<analysis::Scene>(
        json!({"entrance": null, "exit": at, "rooms": [{"name": "", "squares": [at]}], "vaults": []}),
    )
    .of::<analysis::Ground>(json!({"name": "cell", "squares": []}))
    .of::<analysis::MetricValue>(json!({"number": null}))
    .of::<analysis::MetricValue>(json!({"truth": false}))
    .words::<analysis::Anomaly>("no_way enclosed outer_corridor unborn not_grown")
    .of::<analysis::Anomaly>(json!({"unreached": {"vault": 1}}))
    .of::<analysis::MetricValues>(json!({
        "plain": vec![json!({"number": 1.0}); expect::METRICS.len()], "tiles": [1], "widths": [1], "shape": 1,
        "rooms": [{"crossed": true, "needed": false, "severed": false}], "vaults": [], "odd": odd,
        "sight": vec![json!({"number": null}); expect::SIGHT_METRICS.len()],
    }))
    .words::<analysis::Cell>("nothing")
    .of::<analysis::Cell>(json!({"number": 30_000}))
    .of::<analysis::Cell>(json!({"truth": true}))
    .of::<analysis::Cell>(json!({"word": "open"}))
    .of::<analysis::ValueCounts>(json!({"counts": [[{"number": 3}, 7], [{"word": "a"}, 2]]}))
    .of::<analysis::AnomalySeeds>(shares.clone())
    .of::<analysis::SurveySummary>(json!({
        "dungeons": 9, "tallies": [{"counts": [["nothing", 9]]}], "odd": [["no_way", shares]],
    }))
    .of::<analysis::EnclosureCause>(json!({"at": at, "builder": 3, "turn": 9, "around": [1, 2]}))
    .words::<analysis::Difference>("chance shift spread")
    .of::<analysis::MetricComparison>(json!({
        "metric": "path", "values": [[1.0, 2.0], [3.0]], "p": 0.01, "p_adjusted": 0.03, "difference": "shift",
        "higher": 0.9, "change": {"mean": 1.5, "low": 0.5, "high": 2.5}, "pairs": null,
    }))
    .of::<analysis::MeanDifference>(json!({"mean": 1.5, "low": 0.5, "high": 2.5}))
    .of::<analysis::PairCounts>(json!({"pairs": 9, "higher": 5, "lower": 3}))
    .of::<analysis::PairedChange>(paired_change.clone())
    .of::<analysis::PairedValues>(json!({"pairs": [[1.0, 2.0], null], "is_truth": false}))
    .words::<analysis::LayerKind>(
        "way reached enclosed dead_ends junctions outer widths visible_area seen choke_points walk",
    )
    .words::<analysis::SquareOrigin>("wall open")
    .of::<analysis::SquareOrigin>(json!({"chance": 12}))
    .of::<analysis::WallFrequency>(json!({
        "size": {"x": 1, "y": 2}, "dungeons": 3, "squares": [{"walls": 3, "given": 3}, {"walls": 1, "given": 0}],
    }))
    .of::<analysis::WallFrequencySummary>(
        json!({"walls": 1, "open": 2, "never": 3, "chance": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}),
    )
    .words::<analysis::Outcome>("holds fails needs_more_seeds")
    .of::<analysis::Interval>(json!({"low": 0.5, "high": 0.75}))
    .of::<analysis::Verdict>(verdict)
    .of::<analysis::sweep::Factor>(json!({"target": "MaxAge in 3", "levels": [{"to": 4}, {"times": 1.5}]}))
    .of::<analysis::sweep::SweepPlan>(json!({
        "factors": [{"target": "dimX", "levels": [{"add": 4}]}], "designs": 2, "sample": [[0, 0]],
    }))
    .of::<analysis::sweep::Correlation>(json!({"columns": [0, 3], "rows": 60, "pearson": 0.5, "spearman": 0.25}))
    .of::<analysis::sweep::Sensitivity>(json!({
        "share": 0.5, "interval": {"low": 0.25, "high": 0.75}, "without_influence": 0.125, "designs": 60,
    }))
    .of::<analysis::tune::Band>(json!({"low": 1.0, "median": 2.0, "high": 3.5}))
    .of::<analysis::tune::VariantChange>(change.clone())
    .of::<analysis::tune::VariantChange>(json!({"open": at}))
    .of::<analysis::tune::Variant>(json!({"changes": [change]}))
    .of::<analysis::tune::TrialMetrics>(reading.clone())
    .of::<analysis::tune::TrialTable>(json!({"metrics": [{"plain": "path"}], "rows": [reading, null]}))
    .of::<analysis::tune::TunedParameter>(
        json!({"entry": "constants", "field": "min_corr_width", "least": 0, "most": 9}),
    )
    .of::<analysis::tune::AtlasCell>(atlas_cell.clone())
    .of::<analysis::tune::AtlasState>(json!({
        "tried": 50, "widths": [10_000, 20_000], "cells": [atlas_cell], "verified": [atlas_cell], "design": null,
    }))
    .words::<analysis::tune::TuningPhase>("searching pruning verifying done")
    .of::<analysis::tune::TuningCandidate>(json!({
        "values": [1], "shortfalls": [0.5], "margins": [0.75], "broken": 0, "cost": 1.5, "moved": 1,
    }))
    .of::<analysis::tune::Flaw>(json!({"odd": "no_way"}))
    .of::<analysis::tune::Flaw>(json!("short_path"))
    .of::<analysis::tune::Flaw>(json!({"unmet": 0}))
    .of::<analysis::tune::RemedyEffect>(json!({"before": measured, "after": measured, "change": paired_change}))
    .of::<analysis::tune::FlawAmount>(measured);

    let rgb = json!([1, 2, 3]);
    all.words::<wallcrawler::recording_file::ReproductionCheck>("same another_start")
        .of::<wallcrawler::recording_file::ReproductionCheck>(json!({"another": 12}));
    for kind in export::ExportKind::ALL {
        all.of::<export::ExportKind>(json!(kind.name));
    }
    all.words::<export::CastVersion>("two three")
        .words::<export::Group>("text picture film game_tool")
        .words::<export::ExportSetting>("generations by ground scale grid legend marks print open_doors duration")
        .words::<export::TextStyle>("plain digits ansi")
        .words::<export::Ground>("dark light print")
        .words::<export::ColourBy>("generation age lineage kind")
        .words::<export::Paper>("a5 a4 a3 a2 a1 a0 letter legal tabloid")
        .of::<export::Length>(json!(25_400))
        .of::<export::PrintLayout>(json!({"paper": "a4", "square": null, "margin": 7_000, "overlap": 5_000}))
        .words::<import::DrawingKind>("text png tmx tmj csv")
        .words::<import::DrawnSquare>("blank open kept wall column")
        .of::<import::ImportOptions>(saved(&import::ImportOptions::default()))
        .of::<import::Placement>(json!({"size": {"x": 20, "y": 30}, "at": at, "keep_open": true}))
        .of::<import::Placed>(json!({"design": saved(&Design::default()), "at": at, "diagnostics": []}))
        .words::<export::MapMarks>("none doors all")
        .of::<export::ExportOptions>(saved(&export::ExportOptions::default()))
        .of::<export::Palette>(json!({
            "ground": rgb, "text": rgb, "generations": vec![rgb.clone(); 10], "ages": vec![rgb.clone(); 5],
            "design": rgb, "high_wall": rgb, "column": rgb, "vault": rgb, "guaranteed": rgb,
            "kinds": vec![rgb.clone(); 3],
        }))
        .of::<export::ColourPart>(json!({"name": "generation 0", "rgb": rgb, "tiles": 9}))
        .of::<export::Door>(json!({"of": {"vault": [0, "closed_door"]}, "squares": [at]}))
        .of::<export::DoorOf>(json!({"room": [0, {"center": "west"}]}))
        .words::<format::Kind>("toml rooms stats constants")
        .words::<recording_file::ReproductionCheck>("same another_start")
        .of::<recording_file::SourceFile>(json!(["keep.toml", "0123abcd"]))
        .of::<recording_file::ReproductionCheck>(json!({"another": 3}));

    let cell = json!({"x": 1, "y": 2});
    let resolved_cell = json!({
        "glyph": 46, "feature": "floor", "shop": null, "mimic": false, "monster": "rat", "items": ["gold"],
        "colour": null, "floor_tile": null, "rock_tile": null, "tile": null, "height": null, "mask": 1, "props": 0,
    });
    let marker = json!({"cell": cell, "body": {"lua": {"source": "x", "props": [["a", "b"]]}}});
    let level = json!({"branch": "D", "depth": 3, "absolute": 3});
    let resolved = json!({
        "name": "cell", "origin": {"file": "f.des", "line": 1, "seed": 3, "tries": 1}, "width": 1, "height": 2,
        "cells": [resolved_cell, null], "tags": ["float"], "orient": "float", "markers": [marker], "exits": [cell],
        "feature_names": [["floor", "moss"]], "level_looks": [], "recorded": [{"name": "n", "arguments": "1"}],
        "notes": [],
    });
    let refusal = json!({"level": 0, "seed": 3, "why": {"lua": "failed"}, "times": 1});
    let share = json!({"count": 2, "of": 3});
    all.of::<vault::ResolvedMap>(resolved.clone())
        .of::<vault::ResolvedCell>(resolved_cell)
        .of::<vault::map::Origin>(json!({"file": "f.des", "line": 1, "seed": 3, "tries": 1}))
        .of::<vault::map::Marker>(marker)
        .of::<vault::map::MarkerBody>(json!({"feature": "floor"}))
        .of::<vault::map::UnsupportedCall>(json!({"name": "n", "arguments": "1"}))
        .of::<vault::map::Tags>(json!(["a", "b"]))
        .of::<vault::glyphs::Cell>(cell)
        .words::<vault::map::Look>("colour floor_tile rock_tile tile height")
        .words::<vault::glyphs::Turn>("mirror_horizontal mirror_vertical clockwise counter_clockwise")
        .words::<vault::spec::Orient>(
            "float encompass centre north south east west north_east north_west south_east south_west",
        )
        .of::<vault::spec::Marks>(json!(3))
        .of::<vault::spec::SpecError>(json!({"message": "m", "text": "t"}))
        .words::<vault::spec::Branch>("D Lair Temple")
        .of::<vault::spec::Level>(level.clone())
        .of::<vault::VaultWorld>(json!({
            "level": level, "name": "n", "race": "r", "class": "c", "god": "g", "xl": 3,
        }))
        .words::<vault::connect::Rows>("now original")
        .of::<vault::portals::PortalKind>(json!({"branch": "Lair"}))
        .of::<vault::portals::PortalKind>(json!({"subvault": ["a"]}))
        .of::<vault::stats::MakeResult>(json!({"resolved": resolved}))
        .of::<vault::stats::MakeResult>(json!("vetoed"))
        .of::<vault::stats::SurveyPlan>(json!({"levels": [level], "dungeons": 2, "seed": 3}))
        .of::<vault::stats::LevelCount>(json!({"tried": 1, "built": 1, "failed": 0, "empty": 0, "vetoes": 0}))
        .of::<vault::stats::MapCount>(json!({
            "tried": 1, "made": 1, "used": 1, "vetoed": 0, "invalid": 0, "failed": 1, "places": {"3": 1},
            "rejections": [refusal],
        }))
        .of::<vault::stats::RefusedMap>(refusal)
        .words::<vault::stats::RefusalReason>("veto validation")
        .words::<vault::stats::MapList>("main chance minivault further")
        .of::<vault::summary::Share>(share.clone())
        .of::<vault::summary::LibrarySummary>(json!({
            "files": share, "maps": share, "round_trips": share, "chunks": share, "clean_runs": share,
            "without_failure": share, "with_grid": share, "same": share, "differing": share,
            "undefined_names": 2,
        }))
        .words::<vault::lint::Rule>("grammar lua validation rows size exit selection glyph name closet portal")
        .of::<vault::lint::Finding>(json!({
            "rule": "exit", "map": "a",
            "diagnostic": {"severity": "error", "place": null, "source": null, "message": "m", "help": "h"},
        }))
        .of::<vault::lint::Names>(json!({
            "format": 1, "monsters": ["orc"], "items": ["bell"], "spells": ["haste"], "brands": ["flaming"],
            "tiles": ["floor_crypt"],
        }))
        .words::<lua::FailureKind>("syntax error instructions memory time")
        .of::<lua::Place>(json!({"file": "f", "line": 3}))
        .of::<lua::LuaFailure>(json!({
            "kind": "time", "file": null, "line": 3, "message": "m", "trace": [{"file": "f", "line": 3}],
        }))
        .of::<lua::Limits>(json!({"instructions": 9, "memory": 9, "time": {"secs": 2, "nanos": 0}}))
        .of::<lua::ResolveOutcome>(json!("vetoed"))
        .of::<lua::ResolveOutcome>(json!({"invalid": resolved}));
    all
}

/// Returns the source files of the library with the paths of their modules.
fn modules(folder: &Path, path: &str, found: &mut Vec<(String, PathBuf)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the source") {
        let file = entry.expect("an entry").path();
        let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let inner = if path.is_empty() {
            stem.clone()
        } else {
            format!("{path}::{stem}")
        };
        if file.is_dir() {
            if !OUTSIDE.contains(&inner.as_str()) && stem != "tests" {
                modules(&file, &inner, found);
            }
        } else if stem == "mod" {
            found.push((path.to_owned(), file));
        } else if !matches!(inner.as_str(), "lib" | "main") && stem != "tests" && stem != "brute" {
            found.push((inner, file));
        }
    }
}

/// Returns the types that `record!` and `parameters!` declare. These implement both `Serialize` and `Deserialize`.
fn declared_types(text: &str) -> Vec<&str> {
    let declares = |line: &&str| line.starts_with("record! {") || line.starts_with("parameters! {");
    let starts = text
        .lines()
        .enumerate()
        .filter(|(_, line)| declares(line))
        .map(|(at, _)| at);
    let mut names = Vec::new();
    for at in starts {
        let block = text.lines().skip(at + 1).take_while(|line| *line != "}");
        let heads = block.filter(|line| line.starts_with("    ") && !line.starts_with("     "));
        names.extend(
            heads.filter_map(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["struct", record] => Some(record.trim_end_matches(';')),
                [name, "{"] | [name, "of", _, "{"] => Some(name),
                _ => None,
            }),
        );
    }
    names
}

/// Returns the path of each public type of the library, and whether the type implements both `Serialize` and
/// `Deserialize`.
fn public_types() -> BTreeMap<String, bool> {
    let mut found = Vec::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    let mut types = BTreeMap::new();
    for (module, file) in found {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let text = text.split("\n#[cfg(test)]\nmod tests {").next().expect("a first part");
        types.extend(
            declared_types(text)
                .into_iter()
                .map(|name| (format!("{module}::{name}"), true)),
        );
        let mut derives = String::new();
        for line in text.lines() {
            let item = line
                .strip_prefix("pub struct ")
                .or_else(|| line.strip_prefix("pub enum "));
            if let Some(item) = item {
                let end = item.find(|c: char| !c.is_alphanumeric() && c != '_');
                let name = &item[..end.unwrap_or(item.len())];
                let by_hand = |half: &str| text.contains(&format!("{half} for {name} "));
                let has = |half: &str| derives.contains(half) || by_hand(half);
                // The grid implements `Serialize` and `Deserialize` in another file.
                let is_grid = module == "engine::grid" && name == "Grid";
                types.insert(
                    format!("{module}::{name}"),
                    is_grid || has("Serialize") && has("Deserialize"),
                );
            }
            if line.starts_with("#[") || line.starts_with("    ") && !derives.is_empty() && !derives.contains(")]") {
                derives.push_str(line);
            } else if !line.starts_with("///") {
                derives.clear();
            }
        }
    }
    types
}

#[test]
fn all_public_data_can_be_saved() {
    let types = public_types();
    assert!(types.len() > 150, "{}: the source was not understood", types.len());
    let samples = samples().0;
    let known: BTreeSet<&str> = samples
        .keys()
        .filter_map(|name| name.strip_prefix("wallcrawler::"))
        .collect();
    let excepted = |name: &str| {
        let covers = |(of, _): &&(&str, &str)| name == *of || name.starts_with(&format!("{of}::"));
        EXCEPTIONS.iter().find(covers)
    };
    let mut wrong = Vec::new();
    for (name, derives) in &types {
        match (derives, known.contains(name.as_str()), excepted(name)) {
            (true, true, _) | (false, false, Some(_)) => {}
            (false, true, _) => wrong.push(format!("{name}: is it saved? The source was not understood")),
            (true, false, _) => wrong.push(format!("{name} has no sample in tests/files/serialized.rs")),
            (false, false, None) => wrong.push(format!(
                "{name} is public and cannot be saved: derive Serialize and Deserialize and give it a sample in \
                 tests/files/serialized.rs, or an exception with its reason"
            )),
        }
    }
    for (of, _) in EXCEPTIONS {
        let used = types
            .iter()
            .any(|(name, derives)| !derives && excepted(name).is_some_and(|found| found.0 == *of));
        if !used {
            wrong.push(format!("the exception {of} is of no use any more"));
        }
    }
    for name in known {
        if !types.contains_key(name) {
            wrong.push(format!("{name} has a sample and was not found"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lists_of_names_from_before_spells_brands_and_tiles_are_read() {
    let names: vault::lint::Names = read(json!({"format": 1, "monsters": ["orc"], "items": ["bell"]})).expect("names");
    assert!(names.monsters.contains("orc") && names.spells.is_empty());
}

#[test]
fn parameters_that_were_saved_by_their_column_are_read() {
    let place = |entry: Value, field: usize| read::<Place>(json!({"entry": entry, "field": field}));
    let vault = Entry::Vault(1);
    assert_eq!(
        place(json!({"room": 0}), 4),
        Ok(Place::field(Entry::Room(0), RoomField::LeftTopCorner))
    );
    assert_eq!(
        place(json!({"vault": 1}), 6),
        Ok(Place::field(vault, VaultField::Orientation))
    );
    assert_eq!(place(json!({"vault": 1}), 7), Ok(Place::field(vault, EntryText::Map)));
    assert_eq!(
        place(json!("constants"), 5),
        Ok(Place::field(Entry::Constants, Constant::JoinDist))
    );
    refused::<Place>(json!({"entry": "constants", "field": 6}), "no parameter 6");
    refused::<Place>(
        json!({"entry": "constants", "field": "max_age"}),
        "no parameter `max_age`",
    );
    let change: VariantChange = read(json!({"set": [{"generation": 1}, 7, 30]})).expect("a change");
    assert_eq!(
        change,
        VariantChange::Set(Entry::Generation(1), Stat::MaxAge.into(), 30)
    );
    let tuned: TunedParameter =
        read(json!({"entry": "constants", "field": 1, "least": 0, "most": 9})).expect("a parameter");
    assert_eq!(tuned.parameter, Constant::MinCorrWidth.into());
    let replaced: design::ReplacedValue =
        read(json!({"generation": 2, "parameter": 1, "before": 4, "after": 3})).expect("a value");
    assert_eq!(replaced.parameter, Stat::CorridorWidth.into());
}

/// Returns a recording with its design.
fn recorded(name: &str, seed: u64) -> (design::ValidDesign, Recording) {
    let design = Preset::find(name).expect("a preset").design();
    let design = design::ValidDesign::try_from(&Design { seed, ..design }).expect("a valid design");
    let recording = Recording::of(&design, Options::default());
    (design, recording)
}

#[test]
fn dungeons_and_recordings_survive_serde() {
    for (name, seed) in [("keep", 1), ("hypostyle", 7), ("two-ways", 3)] {
        let (design, recording) = recorded(name, seed);
        let iterations: Vec<Iteration> = recording.by_iteration().collect();
        keeps(&iterations);
        let mut cursor = Playback::new(&recording);
        for turn in [0, recording.turns() / 2, recording.turns()] {
            cursor.seek(&recording, turn);
            keeps::<Frame>(cursor.frame());
        }
        let scene = Scene::new(&design);
        let metrics = MetricsCalculator::new().measure(cursor.frame().grid(), &scene);
        keeps(&scene);
        keeps(&metrics);
        keeps(&MetricValues::of(&metrics));
        let columns = columns(&design);
        keeps(&row(&metrics, &columns));
        let mut wall_frequency = WallFrequency::new(design.layout.size);
        wall_frequency.add(cursor.frame().grid());
        keeps(&wall_frequency);
        keeps(&design);
        keeps(&engine::stage_one::build(&design).doors);
        let mut summary = SurveySummary::default();
        summary
            .anomalies
            .insert(analysis::Anomaly::NoWay, analysis::AnomalySeeds::default());
        keeps(&summary);
        let maze = Maze::of(&design);
        keeps(&maze);
        let again: Maze = read(saved(&maze)).expect("a maze");
        assert_eq!((again.way(), again.clock()), (maze.way(), maze.clock()));
    }
}

#[test]
fn decisions_survive_serde() {
    let (design, _) = recorded("hypostyle", 7);
    let mut witness = StoryRecorder::new(BuilderId(0), Vec::new());
    let mut growth = Growth::new(&design, Options::default(), &mut witness);
    growth.finish(&mut witness);
    let story = witness.into_story();
    assert!(story.moments.len() > 10);
    keeps(&story);
}

#[test]
fn vaults_survive_serde() {
    let library = Library::new(presets::level_files().collect());
    let runtime = Runtime::new(library.into(), lua::RuntimeOptions::default()).expect("a runtime");
    let mut kept = 0;
    for map in runtime.library().ids() {
        if let ResolveOutcome::Resolved(resolved) = runtime.resolve(map, &VaultWorld::default(), 3) {
            keeps::<ResolvedMap>(&resolved);
            kept += 1;
        }
    }
    assert!(kept > 15, "{kept}");
}

#[test]
fn rules_and_expectations_survive_serde() {
    for text in [
        "CorridorWidth 4 -> 3",
        "StepLength >20 -> 20",
        "MaxAge * 2.5 in 3-9",
        "all 100 -> 90",
    ] {
        keeps(&Rule::read(text).expect("a rule"));
    }
    for text in [
        "reachable",
        "path >= 180 in 95%",
        "median dead-ends <= 40",
        "not (share(generation 3) > 0.35)",
    ] {
        keeps(&expect::parse(text).expect("an expectation"));
    }
}

#[test]
fn missing_values_of_a_design_have_defaults() {
    assert_eq!(read::<Design>(json!({})), Ok(Design::default()));
    let small: Design = read(json!({"seed": 3, "layout": {"size": {"x": 30, "y": 40}}})).expect("a design");
    assert_eq!(
        small,
        Design {
            seed: 3,
            ..Design::sized(30, 40)
        }
    );
    assert_eq!(
        read::<export::ExportOptions>(json!({})),
        Ok(export::ExportOptions::default())
    );
}

/// Invalid data is rejected with a reason, and causes no panic later.
#[test]
fn inconsistent_data_is_refused() {
    let row = |tiles: &str| json!({"size": {"x": 1, "y": 2}, "tiles": [tiles], "generations": [[-1, -1]]});
    assert!(read::<Grid>(row(".X")).is_ok());
    refused::<Grid>(row("."), "each row of `tiles` needs 2 characters");
    refused::<Grid>(row(".?"), "`?` is not a tile");
    refused::<Grid>(
        json!({"size": {"x": 2, "y": 2}, "tiles": [".."], "generations": [[-1, -1]]}),
        "2 rows",
    );
    refused::<Grid>(
        json!({"size": {"x": 1, "y": 1}, "tiles": ["."], "generations": [[124]]}),
        "is not a generation",
    );
    refused::<Grid>(
        json!({"size": {"x": 0, "y": -1}, "tiles": [], "generations": []}),
        "-1 characters",
    );
    refused::<Grid>(
        json!({"size": {"x": i32::MAX, "y": i32::MAX}, "tiles": [], "generations": []}),
        "rows",
    );
    keeps(&Grid::empty());

    let design = |design: &Design| json!({"design": saved(design)});
    assert!(read::<design::ValidDesign>(design(&Design::sized(20, 20))).is_ok());
    refused::<design::ValidDesign>(design(&Design::sized(20, 19)), "at least 20 rows");
    let mut wild = Design::sized(20, 20);
    wild.character.generations[0].max_age = -9;
    let tamed: design::ValidDesign = read(design(&wild)).expect("a design");
    assert_eq!(tamed.character.generations[0].max_age, 0);

    let piece = PlacedVault {
        vault: 0,
        name: String::new(),
        at: Point::new(3, 3),
        size: Size::new(1, 2),
        squares: vec![None; 2],
        exits: Vec::new(),
        contents: Vec::new(),
    };
    keeps(&piece);
    refused::<PlacedVault>(
        saved(&PlacedVault {
            squares: vec![None],
            ..piece.clone()
        }),
        "lists 1 square; it must list each of its squares",
    );
    refused::<PlacedVault>(
        saved(&PlacedVault {
            at: Point::new(i32::MAX, 0),
            ..piece
        }),
        "outside the dungeon",
    );

    let valid = saved(&design::ValidDesign::try_from(&Design::sized(20, 20)).expect("a valid design"));
    let clock = json!({"turn": 0, "iteration": 0});
    let grid = saved(&Grid::new(Size::new(20, 21)));
    refused::<Maze>(
        json!({"design": valid, "grid": grid, "clock": clock, "diagnostics": []}),
        "20 × 21",
    );
    refused::<WallFrequency>(
        json!({"size": {"x": 1, "y": 1}, "dungeons": 1, "squares": [{"walls": 2, "given": 0}]}),
        "counts",
    );
    refused::<MetricValues>(
        json!({"plain": [], "tiles": [], "widths": [], "shape": 0, "rooms": [], "vaults": [], "odd": []}),
        "found 0 metrics",
    );
    refused::<Feature>(json!("dragon"), "unknown feature `dragon`");
    refused::<export::ExportKind>(json!("tape"), "`tape`");
    let mut resolved = json!({
        "name": "", "origin": {"file": "", "line": 0, "seed": 0, "tries": 0}, "width": usize::MAX, "height": 0,
        "cells": [], "tags": [], "orient": null, "markers": [], "exits": [], "feature_names": [], "level_looks": [],
        "recorded": [], "notes": [],
    });
    refused::<ResolvedMap>(resolved.clone(), "has 0 cells");
    resolved["width"] = json!(2);
    resolved["height"] = json!(usize::MAX);
    refused::<ResolvedMap>(resolved, "has 0 cells");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any grid at all, including grids that no growth makes.
    #[test]
    fn grids_survive_serde(
        (x, y) in (0..12_i32, 0..12_i32),
        squares in prop::collection::vec((0..5_usize, prop::option::of(0..=Mark::LAST)), 144),
    ) {
        let mut grid = Grid::new(Size::new(x, y));
        for ((at, tile), mark) in (0..x)
            .flat_map(|row| (0..y).map(move |column| Point::new(row, column)))
            .zip(&squares)
            .map(|(at, (tile, mark))| ((at, Tile::ALL[*tile]), *mark))
        {
            grid.set(at, tile, mark.map_or(Mark::Design, Mark::Generation));
        }
        keeps(&grid);
        // The predictions of the deserialized growth equal those of the serialized one.
        let again: Grid = read(saved(&grid)).expect("a grid");
        for forward in Forward::ALL {
            let at = Point::new(x / 2, y / 2);
            prop_assert_eq!(again.free_rows(at, forward, 1, 20), grid.free_rows(at, forward, 1, 20));
        }
    }

    /// Designs with any numbers, and their diagnostics.
    #[test]
    fn designs_and_their_diagnostics_survive_serde(
        numbers in prop::collection::vec(any::<i32>(), 30),
        seed in any::<u64>(),
        text in ".{0,20}",
    ) {
        let mut design = Preset::find("stronghold").expect("a preset").design();
        design.seed = seed;
        design.notes.clone_from(&text);
        design.expect.that.push(text);
        let entries: Vec<_> = design.entries();
        for (number, entry) in numbers.iter().zip(entries.iter().cycle().skip(numbers[0].unsigned_abs() as usize % 7)) {
            let all = entry.parameters();
            design.set(*entry, all[number.unsigned_abs() as usize % all.len()], *number);
        }
        keeps(&design);
        keeps::<Validated>(&design.validate(None));
        keeps(&entries.iter().map(|entry| Place::entry(*entry)).collect::<Vec<_>>());
    }

    /// Events with any numbers.
    #[test]
    fn events_survive_serde(builder in any::<u32>(), x in any::<i32>(), y in any::<i32>(), distance in any::<u32>()) {
        let builder = BuilderId(builder);
        for event in [
            Event::Moved { builder, from: Point::new(x, y), to: Point::new(y, x) },
            Event::Joined { builder, distance },
        ] {
            keeps(&event);
        }
    }
}

/// Data with the names of earlier versions is read, and written with the present names.
#[test]
fn former_names_of_saved_data_are_read() {
    fn same<T: serde::de::DeserializeOwned + Serialize>(saved: &str, renamed: &str) {
        let before: T = serde_json::from_str(saved).unwrap();
        let now: Value = serde_json::to_value(before).unwrap();
        assert_eq!(now, serde_json::from_str::<Value>(renamed).unwrap());
    }
    let saved = r#"{"minus": {"figure": {"plain": "path"}}}"#;
    same::<expect::Expression>(saved, &saved.replace("figure", "metric"));
    let saved = r#"{"figures": [{"plain": "path"}], "rows": []}"#;
    same::<analysis::tune::TrialTable>(saved, &saved.replace("figures", "metrics"));
    let saved = r#"{"sights": [], "outlook": "builds", "squares": [], "headings": []}"#;
    let renamed = saved.replace("sights", "looks").replace("outlook", "outcome");
    same::<engine::TurnPrediction>(saved, &renamed);
}
