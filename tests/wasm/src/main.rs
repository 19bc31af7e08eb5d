//! The output of the library without a terminal, as text: the lines of the seed catalogue, a dungeon, its exports, and
//! imported drawings that grow.
//!
//! Natively the text is printed. A browser has no standard output; there it stays in memory between two markers, where
//! `run.mjs` finds it. So nothing here needs `unsafe`, or tools other than the compiler.

#[path = "../../common/digest.rs"]
mod digest;

use std::fmt::Write as _;
use std::ops::ControlFlow;

use wallcrawler::design::ValidDesign;
use wallcrawler::engine::Options;
use wallcrawler::export::{self, DungeonView, ExportKind};
use wallcrawler::import::{self, Drawing, Placement};
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
    let text = report().unwrap_or_else(|error| format!("failed: {error}"));
    // Concatenated here, so that the markers occur nowhere else in memory.
    let marks = ['<', '>'].map(|way| String::from_iter([way; 9]));
    let marked: &'static str = format!("{}{text}{}", marks[0], marks[1]).leak();
    if cfg!(target_family = "wasm") {
        std::hint::black_box(marked);
    } else {
        print!("{text}");
    }
}

fn report() -> Result<String, Box<dyn std::error::Error>> {
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
    let recording = DungeonView::grow(maze.design(), Options::default(), watch)?;
    let dungeon = DungeonView::new(maze.design(), &recording, recording.turns());
    let mut written = Vec::new();
    for kind in [
        ExportKind::Png,
        ExportKind::Svg,
        ExportKind::Json,
        ExportKind::Csv,
        ExportKind::Tmx,
        ExportKind::Tmj,
        ExportKind::Uvtt,
        ExportKind::Gif,
    ] {
        let mut bytes = Vec::new();
        let mut watch = |_, _| ControlFlow::Continue(());
        export::write(
            kind,
            &dungeon,
            &export::ExportOptions::default(),
            "keep",
            &mut bytes,
            &mut watch,
        )?;
        writeln!(text, "{} {} {}", kind.name(), bytes.len(), export::sha256(&bytes))?;
        written.push((format!("keep.{}", kind.name()), bytes));
    }
    text += &taken(written)?;
    Ok(text)
}

/// Returns a text maze with a hall in which Crawlers can live.
fn hall() -> String {
    let hall = format!("#{}#\n", ".".repeat(40)).repeat(26);
    let line = "#".repeat(42);
    format!("A hall:\n\n{line}\n{hall}{line}\n")
}

/// Imports drawings: the exports of this program, a text maze, and files that are cut off at various lengths.
fn taken(mut files: Vec<(String, Vec<u8>)>) -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::new();
    files.retain(|(name, _)| import::DrawingKind::by_file(name).is_some());
    assert!(files.len() >= 5, "pictures, tables and maps are among what is exported");
    files.push(("hall.txt".to_owned(), hall().into_bytes()));
    let plain = import::ImportOptions::default();
    let wide = import::ImportOptions {
        invert: true,
        enlarge: 2,
        threshold: Some(40),
        ..plain.clone()
    };
    for (name, bytes) in &files {
        for (options, label) in [(&plain, "plain"), (&wide, "wide")] {
            let read = read(name, bytes.clone(), options);
            writeln!(text, "{name} {label} {}", of(read.drawing.as_ref()))?;
            for diagnostic in &read.diagnostics {
                writeln!(text, "  {diagnostic}")?;
            }
            let Some(drawing) = read.drawing else { continue };
            let placed = Placement::default().alone(&drawing, name);
            let mut placed = placed.map_err(|error| error.to_string())?;
            placed
                .design
                .layout
                .crawlers
                .extend(import::first_crawler(&placed.design));
            let valid = ValidDesign::try_from(&placed.design)?;
            let grown = digest::line(name, &valid, Options::default());
            // The seed catalogue has no such design.
            text += &grown.replace(" columns ", " across ");
        }
        for part in 0..8 {
            let cut = bytes[..bytes.len() * part / 8].to_vec();
            let read = read(name, cut, &plain);
            writeln!(text, "{name} {part}/8 {}", of(read.drawing.as_ref()))?;
        }
    }
    Ok(text)
}

fn read(name: &str, bytes: Vec<u8>, options: &import::ImportOptions) -> import::ReadResult {
    import::read(name, bytes, options, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })
}

/// Returns the size of a drawing, and its squares.
fn of(drawing: Option<&Drawing>) -> String {
    drawing.map_or_else(
        || "nothing".to_owned(),
        |drawing| {
            let squares: Vec<u8> = drawing.squares().map(|(_, square)| square as u8).collect();
            format!(
                "{} walls {} {}",
                drawing.size(),
                drawing.walls(),
                export::sha256(&squares)
            )
        },
    )
}
