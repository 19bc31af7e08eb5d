//! PNG, read by its decoder, and SVG, drawn by resvg.

use resvg::{tiny_skia, usvg};
use wallcrawler::export::{ColourBy, DungeonView, ExportKind, ExportOptions, Ground, MapMarks, Painting, Palette, Rgb};
use wallcrawler::geometry::Point;

use crate::{bytes, each, text};

struct Pixels {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
}

impl Pixels {
    fn at(&self, x: usize, y: usize) -> Rgb {
        let from = (y * self.width + x) * 3;
        self.rgb[from..from + 3].try_into().unwrap()
    }
}

fn decoded(file: &[u8]) -> Pixels {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    Pixels {
        width: info.width as usize,
        height: info.height as usize,
        rgb,
    }
}

fn colour(painting: &Painting, at: Point) -> Rgb {
    painting.parts()[painting.part_of(at)].rgb
}

fn ways() -> impl Iterator<Item = (ColourBy, Ground)> {
    let by = ColourBy::ALL.into_iter().map(|(by, _)| by);
    by.zip([Ground::Dark, Ground::Light, Ground::Print, Ground::Dark])
}

#[test]
fn a_picture_shows_each_square_in_its_colour() {
    each(|dungeon| {
        let size = dungeon.size();
        for (by, ground) in ways() {
            let painting = Painting::new(dungeon, by, ground);
            let tiles: u64 = painting.parts().iter().map(|part| part.tiles).sum();
            assert_eq!(tiles, size.squares());
            for scale in [1, 5] {
                let options = ExportOptions {
                    by,
                    ground: Some(ground),
                    scale: Some(scale),
                    ..ExportOptions::default()
                };
                let scale = scale as usize;
                let picture = decoded(&bytes(ExportKind::Png, dungeon, &options));
                let sides = [size.y, size.x].map(|side| side as usize * scale);
                assert_eq!([picture.width, picture.height], sides);
                for y in 0..picture.height {
                    for x in 0..picture.width {
                        let at = Point::new((y / scale) as i32, (x / scale) as i32);
                        assert_eq!(picture.at(x, y), colour(&painting, at), "{at} {by:?}");
                    }
                }
            }
        }
    });
}

#[test]
fn colours_follow_generation_age_or_lineage() {
    each(|dungeon| {
        let palette = Palette::of(Ground::Dark);
        let by = |by| Painting::new(dungeon, by, Ground::Dark);
        let (generations, ages, lines) = (by(ColourBy::Generation), by(ColourBy::Age), by(ColourBy::Lineage));
        let turns = dungeon.recording().turns();
        for at in dungeon.squares() {
            let Some((_, turn)) = dungeon.laid(at) else {
                assert_eq!(colour(&ages, at), colour(&generations, at));
                continue;
            };
            let generation = dungeon.generation(at).unwrap();
            assert_eq!(colour(&generations, at), palette.generations[generation as usize % 10]);
            let part = (turn - 1) * 10 / turns;
            assert_eq!(part == 0, colour(&ages, at) == palette.ages[0], "{at}");
            assert_eq!(part == 9, colour(&ages, at) == palette.ages[4], "{at}");
            let first = dungeon.line(at).unwrap();
            assert_eq!(colour(&lines, at), palette.generations[first.0 as usize % 10]);
        }
    });
}

#[test]
fn a_grid_and_a_legend_are_drawn_on_request() {
    each(|dungeon| {
        let size = dungeon.size();
        let options = ExportOptions {
            scale: Some(6),
            grid: Some(5),
            legend: true,
            ..ExportOptions::default()
        };
        let picture = decoded(&bytes(ExportKind::Png, dungeon, &options));
        let painting = Painting::new(dungeon, ColourBy::Generation, Ground::Dark);
        let line = picture.at(0, 0);
        assert!(painting.parts().iter().all(|part| part.rgb != line));
        for at in dungeon.squares() {
            let (x, y) = (at.y as usize * 6, at.x as usize * 6);
            assert_eq!(picture.at(x, y) == line, at.x % 5 == 0 || at.y % 5 == 0, "{at}");
            assert_eq!(picture.at(x + 3, y + 3), colour(&painting, at));
        }
        // Below the dungeon are letters, and every colour that occurs in the dungeon.
        let above = size.x as usize * 6;
        assert!(picture.height > above + 20);
        let below: std::collections::BTreeSet<Rgb> = (above..picture.height)
            .flat_map(|y| (0..picture.width).map(move |x| (x, y)))
            .map(|(x, y)| picture.at(x, y))
            .collect();
        let shown = painting.parts().iter().filter(|part| part.tiles > 0);
        assert!(shown.into_iter().all(|part| below.contains(&part.rgb)));
        assert!(below.contains(&Palette::of(Ground::Dark).text));
    });
}

#[test]
fn doors_ends_numbers_and_coordinates_are_marked_on_request() {
    let doors = std::cell::Cell::new(0);
    each(|dungeon| {
        let size = dungeon.size();
        let scale = 8;
        let picture = |marks: Option<MapMarks>| {
            let options = ExportOptions {
                scale: Some(scale as u32),
                marks,
                ..ExportOptions::default()
            };
            decoded(&bytes(ExportKind::Png, dungeon, &options))
        };
        let (plain, none, with_doors, all) = (
            picture(None),
            picture(Some(MapMarks::None)),
            picture(Some(MapMarks::Doors)),
            picture(Some(MapMarks::All)),
        );
        assert_eq!(plain.rgb, none.rgb, "a picture has none by default");
        let painting = Painting::marked(dungeon, ColourBy::Generation, Ground::Dark, MapMarks::Doors);
        let open =
            |at: &&Point| painting.parts()[painting.part_of(**at)].name == "door" && dungeon.feature(**at).is_none();
        for door in dungeon.doors() {
            for at in door.squares.iter().filter(open) {
                let (x, y) = (at.y as usize * scale + 4, at.x as usize * scale + 4);
                assert_eq!(with_doors.at(x, y), colour(&painting, *at), "{at}");
                assert_ne!(with_doors.at(x, y), plain.at(x, y), "{at}");
                doors.set(doors.get() + 1);
            }
        }
        // The ends of the path have colours of their own.
        let metrics = dungeon.metrics();
        for at in [metrics.entrance, metrics.exit].into_iter().flatten() {
            let (x, y) = (at.y as usize * scale + scale - 1, at.x as usize * scale + scale - 1);
            assert_ne!(all.at(x, y), plain.at(x, y), "{at}");
        }
        // Coordinates are on the outer wall, one every ten squares.
        let differs = |from: Point, width: usize| {
            let rows = from.x as usize * scale..(from.x as usize + 1) * scale;
            rows.flat_map(|y| (0..width).map(move |x| (x, y)))
                .any(|(x, y)| all.at(from.y as usize * scale + x, y) != plain.at(from.y as usize * scale + x, y))
        };
        for y in (0..size.y - 2).step_by(10) {
            assert!(differs(Point::new(0, y), scale), "column {y}");
        }
        for x in (10..size.x).step_by(10) {
            assert!(differs(Point::new(x, 0), scale), "row {x}");
        }
        for room in dungeon.rooms() {
            let corner = Point::new(room.center.x, room.center.y - 1);
            assert!(differs(corner, 3 * scale), "room {}", room.index + 1);
        }
        // The same marks in an SVG.
        let options = ExportOptions {
            marks: Some(MapMarks::All),
            ..ExportOptions::default()
        };
        let svg = text(ExportKind::Svg, dungeon, &options);
        assert!(svg.contains(">10</text>"), "{svg}");
        // Every label is an outline in the colour of the background and the text over it; rooms with the same centre
        // share a label.
        let palette = Palette::of(Ground::Dark);
        let hex = |[red, green, blue]: Rgb| format!("#{red:02x}{green:02x}{blue:02x}");
        let centers: std::collections::BTreeSet<Point> = dungeon.rooms().iter().map(|room| room.center).collect();
        let (outlines, texts) = svg
            .split_once(&format!(
                "<g font-family=\"sans-serif\" fill=\"{}\">",
                hex(palette.text)
            ))
            .unwrap();
        assert!(outlines.contains(&format!("stroke=\"{}\"", hex(palette.ground))));
        for labels in [outlines, texts] {
            assert_eq!(labels.matches("text-anchor=\"middle\"").count(), centers.len());
        }
    });
    assert!(doors.get() > 10, "{}", doors.get());
}

/// Renders an SVG with resvg, at twice its size.
fn drawn(svg: &str) -> tiny_skia::Pixmap {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).expect("SVG");
    let size = tree.size();
    let mut pixmap = tiny_skia::Pixmap::new(size.width() as u32 * 2, size.height() as u32 * 2).unwrap();
    resvg::render(&tree, tiny_skia::Transform::from_scale(2.0, 2.0), &mut pixmap.as_mut());
    pixmap
}

fn svg_is_the_dungeon(dungeon: &DungeonView<'_>, by: ColourBy, ground: Ground, options: &ExportOptions) {
    let painting = Painting::new(dungeon, by, ground);
    let svg = text(ExportKind::Svg, dungeon, options);
    let pixmap = drawn(&svg);
    let scale = options.scale.unwrap() * 2;
    assert_eq!(pixmap.width(), dungeon.size().y as u32 * scale);
    for at in dungeon.squares() {
        // Check the four corners of a square as well as its middle, because outlines lie on the edges.
        for (x, y) in [
            (1, 1),
            (scale - 2, 1),
            (1, scale - 2),
            (scale - 2, scale - 2),
            (scale / 2, scale / 2),
        ] {
            let pixel = pixmap.pixel(at.y as u32 * scale + x, at.x as u32 * scale + y).unwrap();
            let rgb = [pixel.red(), pixel.green(), pixel.blue()];
            assert_eq!(rgb, colour(&painting, at), "{at} {by:?}");
        }
    }
    // One path for each part, not one for each square.
    assert!(svg.matches("<path").count() < painting.parts().len() + 1);
}

#[test]
fn outlines_draw_the_same_squares() {
    each(|dungeon| {
        for (by, ground) in ways() {
            let options = ExportOptions {
                by,
                ground: Some(ground),
                scale: Some(2),
                ..ExportOptions::default()
            };
            svg_is_the_dungeon(dungeon, by, ground, &options);
        }
    });
}

#[test]
fn an_svg_with_grid_and_legend_renders() {
    each(|dungeon| {
        let options = ExportOptions {
            grid: Some(10),
            legend: true,
            scale: Some(4),
            ..ExportOptions::default()
        };
        let svg = text(ExportKind::Svg, dungeon, &options);
        let pixmap = drawn(&svg);
        assert!(pixmap.height() > dungeon.size().x as u32 * 8);
        for part in Painting::new(dungeon, ColourBy::Generation, Ground::Dark)
            .parts()
            .iter()
            .skip(1)
        {
            if part.tiles > 0 {
                assert!(
                    svg.contains(&format!(">{}: {}</text>", part.name, part.tiles)),
                    "{}",
                    part.name
                );
            }
        }
        // The name contains characters that XML must escape.
        let is_named = !dungeon.design().name.is_empty();
        assert_eq!(
            svg.contains("Rooms &lt;&amp;&gt; &quot;doors&quot; – Łódź, Замок, 城, seed 18446744073709551615"),
            is_named
        );
    });
}

#[test]
fn pictures_too_large_or_too_small_are_refused_with_a_reason() {
    each(|dungeon| {
        let options = ExportOptions {
            scale: Some(1),
            grid: Some(1),
            ..ExportOptions::default()
        };
        let mut watch = |_, _| std::ops::ControlFlow::Continue(());
        let written =
            wallcrawler::export::write(ExportKind::Png, dungeon, &options, "x.png", &mut Vec::new(), &mut watch);
        assert!(written.unwrap_err().to_string().contains("scale of at least 3"));
        let options = ExportOptions {
            scale: Some(4096),
            ..ExportOptions::default()
        };
        for kind in [ExportKind::Gif, ExportKind::Apng] {
            let written = wallcrawler::export::write(kind, dungeon, &options, "x.gif", &mut Vec::new(), &mut watch);
            let why = written.unwrap_err().to_string();
            assert!(why.contains("pixels is too large"), "{why}");
        }
    });
}
