//! GIF and APNG, read by decoders, and casts, played in a terminal.

use std::num::NonZero;

use wallcrawler::design::{CrawlerStart, Design};
use wallcrawler::engine::BuilderId;
use wallcrawler::export::{
    CastVersion, ColourBy, DungeonView, ExportKind, ExportOptions, Ground, MapMarks, Painting, Rgb,
};
use wallcrawler::geometry::Point;

use crate::{bytes, each, text};

/// The last frame of an animation, and the squares that each frame added.
struct Played {
    width: usize,
    rgb: Vec<Rgb>,
    milliseconds: Vec<u32>,
}

/// Returns the colour in the middle of a square.
fn colours(dungeon: &DungeonView<'_>, turn: u64) -> Vec<Rgb> {
    let painting = Painting::new(dungeon, ColourBy::Generation, Ground::Dark);
    let squares = dungeon.squares().map(|at| match dungeon.laid(at) {
        Some((_, laid)) if laid > turn => painting.parts()[0].rgb,
        _ => painting.parts()[painting.part_of(at)].rgb,
    });
    squares.collect()
}

fn check(dungeon: &DungeonView<'_>, scale: usize, first: &Played, last: &Played) {
    let size = dungeon.size();
    assert_eq!(last.width, size.y as usize * scale);
    assert_eq!(last.rgb.len(), last.width * size.x as usize * scale);
    for (played, turn) in [(first, 0), (last, u64::MAX)] {
        for (at, rgb) in dungeon.squares().zip(colours(dungeon, turn)) {
            let Point { x, y } = at;
            let place = (x as usize * scale + scale / 2) * played.width + y as usize * scale + scale / 2;
            assert_eq!(played.rgb[place], rgb, "{at} at {turn}");
        }
    }
    // The growth takes the requested time, and the last frame stays for a while.
    let all: u32 = last.milliseconds.iter().sum();
    assert_eq!(all, 4000 + 3000, "{:?}", last.milliseconds);
    assert!(last.milliseconds.len() > 20);
}

const OPTIONS: fn() -> ExportOptions = || ExportOptions {
    scale: Some(3),
    duration: 4000,
    ..ExportOptions::default()
};

#[test]
fn a_gif_shows_the_growth() {
    each(|dungeon| {
        let file = bytes(ExportKind::Gif, dungeon, &OPTIONS());
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(&file[..]).unwrap();
        let palette: Vec<Rgb> = decoder
            .global_palette()
            .unwrap()
            .chunks(3)
            .map(|c| c.try_into().unwrap())
            .collect();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut rgb = vec![[1, 2, 3]; width * height];
        let mut milliseconds = Vec::new();
        let mut first = None;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (i, number) in frame.buffer.iter().enumerate() {
                let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
                rgb[(y + usize::from(frame.top)) * width + x + usize::from(frame.left)] = palette[usize::from(*number)];
            }
            milliseconds.push(u32::from(frame.delay) * 10);
            first.get_or_insert_with(|| Played {
                width,
                rgb: rgb.clone(),
                milliseconds: Vec::new(),
            });
        }
        let last = Played {
            width,
            rgb,
            milliseconds,
        };
        check(dungeon, 3, &first.unwrap(), &last);
    });
}

#[test]
fn an_apng_shows_the_growth() {
    each(|dungeon| {
        let file = bytes(ExportKind::Apng, dungeon, &OPTIONS());
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let pictures = reader.info().animation_control().unwrap().num_frames;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let mut rgb = vec![[1, 2, 3]; width * height];
        let mut milliseconds = Vec::new();
        let mut first = None;
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        for _ in 0..pictures {
            reader.next_frame(&mut buffer).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            for (i, pixel) in buffer.chunks(3).take((frame.width * frame.height) as usize).enumerate() {
                let (x, y) = (i % frame.width as usize, i / frame.width as usize);
                rgb[(y + frame.y_offset as usize) * width + x + frame.x_offset as usize] = pixel.try_into().unwrap();
            }
            milliseconds.push(u32::from(frame.delay_num) * 1000 / u32::from(frame.delay_den));
            first.get_or_insert_with(|| Played {
                width,
                rgb: rgb.clone(),
                milliseconds: Vec::new(),
            });
        }
        let last = Played {
            width,
            rgb,
            milliseconds,
        };
        check(dungeon, 3, &first.unwrap(), &last);
    });
}

/// Returns the lines of a cast after its header: seconds since the beginning, code and data.
fn events(cast: &str, version: CastVersion) -> Vec<(f64, String, String)> {
    let mut now = 0.0;
    let lines = cast.lines().skip(1).filter(|line| !line.starts_with('#'));
    let event = |line: &str| {
        let (time, code, data): (f64, String, String) = serde_json::from_str(line).unwrap();
        now = match version {
            CastVersion::Two => time,
            CastVersion::Three => now + time,
        };
        (now, code, data)
    };
    lines.map(event).collect()
}

/// Returns the names of a cast's markers.
fn marks(events: &[(f64, String, String)]) -> Vec<&str> {
    let marks = events.iter().filter(|(_, code, _)| code == "m");
    marks.map(|(.., data)| data.as_str()).collect()
}

/// Returns the names of the generations in which Builders act after turn `from`.
pub(crate) fn generations(dungeon: &DungeonView<'_>, from: u64) -> Vec<String> {
    let clocks = (from..=dungeon.turn()).map(|turn| dungeon.recording().clock_at(turn));
    let mut names: Vec<String> = clocks
        .map(|clock| format!("generation {}", clock.generation()))
        .collect();
    names.dedup();
    names
}

fn rgb(colour: vt100::Color) -> Rgb {
    match colour {
        vt100::Color::Rgb(red, green, blue) => [red, green, blue],
        other => panic!("{other:?} is not a true colour"),
    }
}

/// Checks a screen that shows two squares per character, as a terminal does.
pub(crate) fn screen_is(dungeon: &DungeonView<'_>, screen: &vt100::Screen, turn: u64) {
    let columns = dungeon.size().y as usize;
    for (i, expected) in colours(dungeon, turn).into_iter().enumerate() {
        let (x, y) = (i / columns, i % columns);
        let cell = screen.cell((x / 2) as u16, y as u16).unwrap();
        assert_eq!(cell.contents(), "▀");
        let shown = if x % 2 == 0 { cell.fgcolor() } else { cell.bgcolor() };
        assert_eq!(rgb(shown), expected, "({x}, {y}) at {turn}");
    }
}

#[test]
fn casts_play_the_growth_in_a_terminal_with_a_mark_for_each_generation() {
    each(|dungeon| {
        let options = ExportOptions {
            duration: 4000,
            sources: vec![("hall.toml".to_owned(), "ab".repeat(32)).into()],
            ..ExportOptions::default()
        };
        let mut contents = Vec::new();
        for version in [CastVersion::Two, CastVersion::Three] {
            let cast = text(ExportKind::Cast(version), dungeon, &options);
            let header: serde_json::Value = serde_json::from_str(cast.lines().next().unwrap()).unwrap();
            let title = header["title"].as_str().unwrap();
            assert!(title.contains(&format!("seed {}", dungeon.design().seed)));
            assert!(title.contains(&format!("hall.toml sha256:{}", "ab".repeat(32))));
            let term = match version {
                CastVersion::Two => [&header["width"], &header["height"]],
                CastVersion::Three => [&header["term"]["cols"], &header["term"]["rows"]],
            };
            let [columns, rows] = term.map(|side| NonZero::new(side.as_u64().unwrap() as u16).unwrap());
            assert_eq!(header["version"], if version == CastVersion::Two { 2 } else { 3 });
            let events = events(&cast, version);
            let mut terminal = vt100::Parser::new(rows, columns, 0);
            let mut is_first = true;
            for (_, code, data) in &events {
                if code == "o" {
                    terminal.process(data.as_bytes());
                    if std::mem::take(&mut is_first) {
                        screen_is(dungeon, terminal.screen(), 0);
                    }
                }
            }
            screen_is(dungeon, terminal.screen(), u64::MAX);
            let last = terminal.screen().rows(0, columns.get()).last().unwrap();
            assert!(last.contains(&format!("turn {} of", dungeon.turn())), "{last}");
            assert_eq!(marks(&events), generations(dungeon, 0));
            let times: Vec<u64> = events.iter().map(|(time, ..)| (time * 1000.0).round() as u64).collect();
            assert!(times.is_sorted() && times.last() == Some(&7000), "{times:?}");
            contents.push((
                times,
                events
                    .into_iter()
                    .map(|(_, code, data)| (code, data))
                    .collect::<Vec<_>>(),
            ));
        }
        // Both versions have the same contents at the same times.
        assert_eq!(contents[0], contents[1]);
    });
}

#[test]
fn doors_that_are_walled_up_later_are_marked_until_then() {
    let preset = wallcrawler::presets::Preset::find("gallery").unwrap();
    let mut design: wallcrawler::Design = preset.text.parse().unwrap();
    design.seed = 3;
    let design = design.validate(None).design.unwrap();
    let recording = crate::grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    let options = ExportOptions {
        scale: Some(1),
        marks: Some(MapMarks::Doors),
        duration: 500,
        ..ExportOptions::default()
    };
    let file = bytes(ExportKind::Apng, &dungeon, &options);
    let mut decoder = png::Decoder::new(std::io::Cursor::new(&file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut first = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut first).unwrap();
    let start = DungeonView::new(&design, &recording, 0);
    let painting = Painting::marked(&start, ColourBy::Generation, Ground::Dark, MapMarks::Doors);
    let mut walled_up = 0;
    for (at, pixel) in start.squares().zip(first.chunks(3)) {
        let part = &painting.parts()[painting.part_of(at)];
        assert_eq!(pixel, part.rgb, "{at}: {}", part.name);
        walled_up += usize::from(part.name == "door" && dungeon.laid(at).is_some());
    }
    assert!(walled_up > 0);
}

#[test]
fn pauses_longer_than_a_frame_can_be_shown_are_kept() {
    let design = crate::designs().remove(0);
    let recording = crate::grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    let options = ExportOptions {
        scale: Some(1),
        moments: Some("0,10:1,10:700,end:1".parse().unwrap()),
        ..ExportOptions::default()
    };
    let file = bytes(ExportKind::Gif, &dungeon, &options);
    let mut decoder = gif::DecodeOptions::new().read_info(&file[..]).unwrap();
    let mut all = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        all += u32::from(frame.delay) * 10;
    }
    assert_eq!(all, 702_000 + 3000);
    let file = bytes(ExportKind::Apng, &dungeon, &options);
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
    let frames = reader.info().animation_control().unwrap().num_frames;
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let mut all = 0;
    for _ in 0..frames {
        reader.next_frame(&mut buffer).unwrap();
        let frame = reader.info().frame_control().unwrap();
        all += u32::from(frame.delay_num) * 1000 / u32::from(frame.delay_den);
    }
    assert_eq!(all, 702_000 + 3000);
}

#[test]
fn casts_that_start_late_have_no_marks_of_generations_before_their_start() {
    each(|dungeon| {
        let turns = dungeon.turn();
        for from in [0, turns / 3, turns / 2, turns - 1] {
            let options = ExportOptions {
                moments: Some(format!("{from},end:2").parse().unwrap()),
                ..ExportOptions::default()
            };
            let cast = text(ExportKind::Cast(CastVersion::Two), dungeon, &options);
            let events = events(&cast, CastVersion::Two);
            assert_eq!(marks(&events), generations(dungeon, from));
        }
    });
}

#[test]
fn casts_have_no_marks_of_generations_in_which_all_builders_sleep() {
    let mut design = Design::default();
    let awake = CrawlerStart::default();
    let late = CrawlerStart { delay: 51, ..awake };
    design.layout.crawlers = vec![awake, late];
    // The first Crawler dies without babies, long before the second one wakes.
    let stats = &mut design.character.generations[0];
    (stats.max_age, stats.change_dir_prob, stats.straight_spawn_prob) = (10, 0, 0);
    let design = design.validate(None).design.unwrap();
    let recording = crate::grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    let options = ExportOptions {
        duration: 1000,
        ..ExportOptions::default()
    };
    let cast = text(ExportKind::Cast(CastVersion::Two), &dungeon, &options);
    let events = events(&cast, CastVersion::Two);
    assert_eq!(marks(&events), ["generation 0", "generation 5"]);
    assert_eq!(marks(&events), generations(&dungeon, 0));
}

/// Returns the top left squares of all windows of the dungeon after `turn` turns that match the screen, and the one
/// square of the window in the Builder's colour. A character of the screen shows two squares.
fn windows(dungeon: &DungeonView<'_>, screen: &vt100::Screen, turn: u64) -> (Vec<Point>, Point) {
    let (rows, columns) = (dungeon.size().x.min(48), dungeon.size().y.min(48));
    let shown: Vec<Rgb> = (0..rows * columns)
        .map(|i| {
            let cell = screen.cell((i / columns / 2) as u16, (i % columns) as u16).unwrap();
            rgb(if i / columns % 2 == 0 {
                cell.fgcolor()
            } else {
                cell.bgcolor()
            })
        })
        .collect();
    let own = Painting::new(dungeon, ColourBy::Generation, Ground::Dark)
        .palette()
        .text;
    let marked: Vec<usize> = (0..shown.len()).filter(|i| shown[*i] == own).collect();
    let [marked] = marked[..] else {
        panic!("{} squares are marked after {turn} turns", marked.len());
    };
    let whole = colours(dungeon, turn);
    let at = |from: Point, i: usize| {
        let (x, y) = (i as i32 / columns + from.x, i as i32 % columns + from.y);
        whole[(x * dungeon.size().y + y) as usize]
    };
    let all =
        (0..=dungeon.size().x - rows).flat_map(|x| (0..=dungeon.size().y - columns).map(move |y| Point::new(x, y)));
    let fits = |from: &Point| (0..shown.len()).all(|i| i == marked || shown[i] == at(*from, i));
    let marked = Point::new(marked as i32 / columns, marked as i32 % columns);
    (all.filter(fits).collect(), marked)
}

#[test]
fn an_animation_that_follows_a_builder_shows_the_squares_around_it() {
    let moved = std::cell::Cell::new(0);
    each(|dungeon| {
        let recording = dungeon.recording();
        let last = dungeon.frame().builders().len() as u32;
        let distance = |id: &u32| {
            let path = recording.path_of(BuilderId(*id)).unwrap();
            let (from, to) = (path.at(path.from), path.at(path.to));
            (from.x - to.x).abs() + (from.y - to.y).abs()
        };
        let farthest = (0..last).max_by_key(distance).unwrap();
        for id in [0, last - 1, farthest].map(BuilderId) {
            let path = recording.path_of(id).unwrap();
            let options = ExportOptions {
                duration: 2000,
                follow: Some(id),
                ..ExportOptions::default()
            };
            let cast = text(ExportKind::Cast(CastVersion::Two), dungeon, &options);
            let header: serde_json::Value = serde_json::from_str(cast.lines().next().unwrap()).unwrap();
            let [columns, rows] =
                ["width", "height"].map(|side| NonZero::new(header[side].as_u64().unwrap() as u16).unwrap());
            let mut terminal = vt100::Parser::new(rows, columns, 0);
            let mut turns = Vec::new();
            let mut corners = Vec::new();
            for (_, code, data) in events(&cast, CastVersion::Two) {
                if code != "o" || data == "\u{1b}[?25h" {
                    continue;
                }
                terminal.process(data.as_bytes());
                let status = terminal.screen().rows(0, columns.get()).last().unwrap();
                let turn = status.split_once("turn ").unwrap().1.split(' ').next().unwrap();
                let turn: u64 = turn.parse().unwrap();
                let at = path.at(turn);
                let (found, marked) = windows(dungeon, terminal.screen(), turn);
                let corner = Point::new(at.x - marked.x, at.y - marked.y);
                assert!(found.contains(&corner), "{id} at {at} after {turn} turns: {found:?}");
                turns.push(turn);
                corners.push(corner);
            }
            assert_eq!((turns.first(), turns.last()), (Some(&path.from), Some(&path.to)));
            corners.dedup();
            moved.set(moved.get() + corners.len() - 1);
        }
    });
    assert!(moved.get() > 2, "the window moved {} times", moved.get());
}

#[test]
fn an_animation_shows_a_script_of_moments() {
    each(|dungeon| {
        let (last, middle) = (dungeon.turn(), dungeon.turn() / 2);
        // The time is not a multiple of the time between two frames.
        let script = format!("{middle}, {middle}:1, end:2.519");
        let options = ExportOptions {
            moments: Some(script.parse().unwrap()),
            ..ExportOptions::default()
        };
        let cast = text(ExportKind::Cast(CastVersion::Two), dungeon, &options);
        let mut turns = Vec::new();
        for (time, code, data) in events(&cast, CastVersion::Two) {
            if let Some((_, rest)) = data.rsplit_once("turn ").filter(|_| code == "o") {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                turns.push((time, digits.parse::<u64>().unwrap()));
            }
        }
        assert_eq!(turns.first(), Some(&(0.0, middle)), "{turns:?}");
        assert_eq!(turns.last().unwrap().1, last, "{turns:?}");
        assert!(
            turns[1..].iter().all(|(time, _)| *time > 1.0 && *time <= 3.52),
            "{turns:?}"
        );
        assert!(turns.is_sorted_by_key(|(_, turn)| *turn), "{turns:?}");
    });
}

#[test]
fn an_animation_cannot_follow_a_builder_that_is_not_born() {
    let error = |dungeon: &DungeonView<'_>, id: usize| {
        let options = ExportOptions {
            follow: Some(BuilderId(id as u32)),
            ..ExportOptions::default()
        };
        let mut out = Vec::new();
        let result = wallcrawler::export::write(ExportKind::Gif, dungeon, &options, "a.gif", &mut out, &mut |_, _| {
            std::ops::ControlFlow::Continue(())
        });
        result.unwrap_err().to_string()
    };
    each(|dungeon| {
        let born = dungeon.frame().builders().len();
        let said = error(dungeon, born);
        let never = format!(
            "Builder {} was never born: the growth has only ",
            BuilderId(born as u32)
        );
        assert!(said.starts_with(&never), "{said}");
        let early = DungeonView::new(dungeon.design(), dungeon.recording(), 0);
        let there = match early.frame().builders().len() {
            0 => "no Builder has been born by then".to_owned(),
            1 => "the only Builder born by then is #1".to_owned(),
            there => format!("the Builders born by then are #1 to #{there}"),
        };
        let said = error(&early, born - 1);
        let last = BuilderId(born as u32 - 1);
        assert_eq!(said, format!("Builder {last} has not acted by turn 0; {there}"));
    });
}

#[test]
fn an_animation_can_be_cancelled_between_two_rows_of_a_frame() {
    each(|dungeon| {
        let rows = dungeon.size().x as usize * 3;
        for kind in [ExportKind::Gif, ExportKind::Apng] {
            let options = ExportOptions {
                scale: Some(3),
                ..ExportOptions::default()
            };
            // The first call precedes the first frame, which has all rows.
            let mut rest = rows;
            let result = wallcrawler::export::write(kind, dungeon, &options, "a.x", &mut Vec::new(), &mut |done, _| {
                assert_eq!(done, 0, "the first frame");
                rest -= 1;
                if rest == 0 {
                    std::ops::ControlFlow::Break(())
                } else {
                    std::ops::ControlFlow::Continue(())
                }
            });
            assert!(matches!(result, Err(wallcrawler::export::ExportError::Interrupted)));
        }
    });
}
