//! Renders the designer to a PNG file, or records it as a GIF file:
//! `cargo run --release --example screenshot -- OUT.png [DESIGN.toml] [OPTION…]`.
//!
//! The designer runs as in a terminal, but draws into a buffer; the buffer's characters are
//! painted here. Block, box and Braille characters are drawn geometrically, so that they join without
//! seams; all others come from a monospaced font of the system (DejaVu Sans Mono, or `--font FILE` with
//! `--bold FILE`). Without a design, one with six Crawlers is grown.
//!
//! Options: `--size 120x40` (characters), `--seed N`, `--turn SHARE` (percent of the run, default 100), `--keys TEXT`
//! (typed before the picture is taken; `\t` is Tab, `\n` Enter), `--light` (light background), `--colours 0`, `16` or
//! `256` (instead of true colour), `--octants` (as on a terminal that has them), `--pixels` (as on a terminal that
//! shows pictures by kitty's protocol). After each key the example waits for
//! all background work. `--script FILE` makes an animation instead of a picture, of the keys in the file (see
//! `support/film.rs`), from the moment of `--turn` on. The example `guide` makes the pictures of the README and the
//! guide.

mod support;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::geometry::Point;
use wallcrawler::storage::DesignFiles;
use wallcrawler::tui::Depth;

use support::film;
use support::paint::{self, Fonts};
use support::screen::{self, Look, Stage, size};
use support::sheet::COLOURS;

struct Arguments {
    out: String,
    design: Option<PathBuf>,
    look: Look,
    seed: Option<u64>,
    turn: u64,
    keys: String,
    script: Option<String>,
    fonts: [String; 2],
}

fn arguments() -> Result<Arguments> {
    let mut arguments = Arguments {
        out: String::new(),
        design: None,
        look: Look {
            size: (120, 40),
            light: false,
            depth: Depth::True,
            octants: false,
            pixels: false,
        },
        seed: None,
        turn: 100,
        keys: String::new(),
        script: None,
        fonts: Fonts::default_files(),
    };
    let mut given = std::env::args().skip(1);
    while let Some(argument) = given.next() {
        let mut value = || given.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--size" => arguments.look.size = size(&value()?)?,
            "--seed" => arguments.seed = Some(value()?.parse()?),
            "--turn" => arguments.turn = value()?.parse()?,
            "--keys" => arguments.keys = value()?.replace("\\t", "\t").replace("\\n", "\n"),
            "--script" => arguments.script = Some(value()?),
            "--light" => arguments.look.light = true,
            "--colours" => {
                arguments.look.depth = match value()?.as_str() {
                    "0" => Depth::None,
                    "16" => Depth::Sixteen,
                    "256" => Depth::Indexed,
                    other => bail!("--colours is 0, 16 or 256, not {other}"),
                }
            }
            "--pixels" => arguments.look.pixels = true,
            "--octants" => arguments.look.octants = true,
            "--font" => arguments.fonts[0] = value()?,
            "--bold" => arguments.fonts[1] = value()?,
            _ if argument.starts_with('-') => bail!("unknown option {argument}"),
            _ if arguments.out.is_empty() => arguments.out = argument,
            _ => arguments.design = Some(argument.into()),
        }
    }
    if arguments.out.is_empty() {
        bail!("the name of a PNG file is missing, or of a GIF file for an animation");
    }
    Ok(arguments)
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let fonts = Fonts::read(&arguments.fonts)?;
    let mut design = match &arguments.design {
        Some(path) => read(path)?,
        None => six_crawlers(),
    };
    design.seed = arguments.seed.unwrap_or(design.seed);
    let mut stage = Stage::new(design, arguments.look)?;
    stage.app.seek_share(arguments.turn);
    for key in arguments.keys.chars() {
        let code = match key {
            '\t' => KeyCode::Tab,
            '\n' => KeyCode::Enter,
            c => KeyCode::Char(c),
        };
        stage.press(KeyEvent::new(code, KeyModifiers::NONE))?;
    }
    if let Some(file) = &arguments.script {
        let script = std::fs::read_to_string(file).with_context(|| format!("{file} cannot be read"))?;
        let shots = film::shoot(stage, &script)?;
        let note = screen::digest(shots.iter().map(|(shot, _)| shot));
        let mut bytes = Vec::new();
        film::write(&shots, &fonts, arguments.look.light, &note, &mut bytes)?;
        return std::fs::write(&arguments.out, bytes).with_context(|| format!("{} cannot be written", arguments.out));
    }
    stage.rest()?;
    let mut picture = paint::screen(&stage.screen(), &fonts, arguments.look.light);
    picture.reduce(COLOURS);
    picture.write(Path::new(&arguments.out), None)
}

fn read(path: &Path) -> Result<Design> {
    let loaded = DesignFiles::Toml(path.to_owned()).load();
    let problems: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    loaded.design.with_context(|| problems.join("\n"))
}

/// Returns a design with three Crawlers from the top and three from the bottom.
fn six_crawlers() -> Design {
    let mut design = Design::default();
    for y in [25, 50, 75] {
        for (x, direction) in [(0, 2), (99, 4)] {
            design.layout.crawlers.push(CrawlerStart {
                at: Point::new(x, y),
                direction,
                ..CrawlerStart::default()
            });
        }
    }
    design
}
