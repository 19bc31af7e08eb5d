//! What the library does without a terminal, told as text: the lines of the seed catalog, a dungeon, a picture.
//!
//! Natively the text is printed. In a browser there is nothing to print to; there it stays in memory between two
//! marks, where `run.mjs` finds it. So nothing here needs `unsafe`, nor a tool beside the compiler.

#[path = "../../common/digest.rs"]
mod digest;

use std::fmt::Write as _;
use std::ops::ControlFlow;

use wallcrawler::design::ValidDesign;
use wallcrawler::engine::Options;
use wallcrawler::export::{self, Dungeon, Kind};
use wallcrawler::presets::Preset;
use wallcrawler::{Design, Maze};

/// The catalog's own designs.
const DESIGNS: [(&str, &str); 4] = [
    ("crowded", include_str!("../../catalog/crowded.toml")),
    ("jumpers", include_str!("../../catalog/jumpers.toml")),
    ("sixty-five", include_str!("../../catalog/sixty-five.toml")),
    ("smallest", include_str!("../../catalog/smallest.toml")),
];

fn main() {
    let text = told().unwrap_or_else(|error| format!("failed: {error}"));
    // Put together here, so that the marks stand nowhere else in memory.
    let marks = ['<', '>'].map(|way| String::from_iter([way; 9]));
    let told: &'static str = format!("{}{text}{}", marks[0], marks[1]).leak();
    if cfg!(target_family = "wasm") {
        std::hint::black_box(told);
    } else {
        print!("{text}");
    }
}

fn told() -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::new();
    let presets = Preset::all().iter().map(|preset| (preset.name, preset.text));
    for (name, design) in presets.chain(DESIGNS) {
        let design: Design = design.parse()?;
        if !design.layout.vaults.is_empty() {
            continue;
        }
        for seed in digest::seeds(&design) {
            let valid = ValidDesign::try_from(&Design { seed, ..design.clone() })?;
            text += &digest::line(name, &valid, Options::default());
        }
    }

    let design: Design = include_str!("../../../presets/keep.toml").parse()?;
    let maze = Maze::grow(&design, 42)?;
    write!(
        text,
        "from {:?} to {:?}, {} steps\n{maze}",
        maze.entrance(),
        maze.exit(),
        maze.way().len()
    )?;

    let watch = &mut |_, _| ControlFlow::Continue(());
    let recording = Dungeon::grow(maze.design(), Options::default(), watch)?;
    let dungeon = Dungeon::new(maze.design(), &recording, recording.turns());
    for kind in [Kind::Png, Kind::Svg, Kind::Json, Kind::Tmj, Kind::Uvtt, Kind::Gif] {
        let mut bytes = Vec::new();
        let mut watch = |_, _| ControlFlow::Continue(());
        export::write(
            kind,
            &dungeon,
            &export::Options::default(),
            "keep",
            &mut bytes,
            &mut watch,
        )?;
        writeln!(text, "{} {} {}", kind.name(), bytes.len(), export::sha256(&bytes))?;
    }
    Ok(text)
}
