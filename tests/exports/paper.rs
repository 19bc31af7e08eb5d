//! PDF, rendered by hayro: every square is in its place, to scale, over all pages.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::Rect;
use hayro::hayro_syntax::object::dict::keys::TRIM_BOX;
use hayro::hayro_syntax::page::Page;
use hayro::vello_cpu::Pixmap;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use wallcrawler::design::ValidDesign;
use wallcrawler::export::{
    self, ColourBy, DungeonView, ExportKind, ExportOptions, Ground, Length, MapMarks, Pages, Painting, Paper,
    PrintLayout, Rgb,
};
use wallcrawler::geometry::{Point, Size};
use wallcrawler::presets::Preset;

use crate::{bytes, each, grown};

/// Pixels per point: few, since rendering is slow without optimization.
const SCALE: f32 = 1.0;

/// Returns a length in points.
fn points(length: Length) -> f32 {
    length.in_micrometres() as f32 * 72.0 / 25_400.0
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() < 0.01
}

fn drawn<'a>(page: &'a Page<'a>) -> Pixmap {
    let settings = PixmapSettings {
        x_scale: SCALE,
        y_scale: SCALE,
        bg_color: WHITE,
    };
    let (cache, interpreter) = (RenderCache::new(), InterpreterSettings::default());
    render(page, &cache, &interpreter, &RenderSettings::default(), &settings)
}

/// Returns the colour at a place of the paper, in points from its bottom left corner.
fn rgb(pixmap: &Pixmap, height: f32, x: f32, y: f32) -> Rgb {
    let pixel = pixmap.sample((x * SCALE) as u16, ((height - y) * SCALE) as u16);
    [pixel.r, pixel.g, pixel.b]
}

fn is(shown: Rgb, expected: Rgb) -> bool {
    shown.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 1)
}

/// Checks a file and returns its number of pages.
fn check(dungeon: &DungeonView<'_>, options: &ExportOptions, ground: Ground) -> usize {
    let file = bytes(ExportKind::Pdf, dungeon, options);
    let pdf = Pdf::new(file).expect("a PDF");
    let title = format!("{}, {}, by generation", dungeon.title(), dungeon.size());
    let written = pdf.metadata().title.clone().expect("a title");
    assert_eq!(decoded(&written), title);
    let painting = Painting::marked(dungeon, ColourBy::Generation, ground, MapMarks::Doors);
    let size = dungeon.size();
    let [short, long] = options.print.paper.sides().map(Length::micrometres).map(points);
    let all = pdf.pages();
    let has_overview = all[0].raw().get::<Rect>(TRIM_BOX).is_none();
    assert_eq!(has_overview, all.len() > 1 || options.legend);
    let mut seen = vec![0; size.squares() as usize];
    let (mut from, mut square) = (Point::new(0, 0), None);
    for page in &all[usize::from(has_overview)..] {
        let (width, height) = page.render_dimensions();
        let paper = [width.min(height), width.max(height)];
        assert!(near(paper[0], short) && near(paper[1], long), "{paper:?}");
        // The part that is left when the page is cut along its marks.
        let trim = page.raw().get::<Rect>(TRIM_BOX).expect("a trim box");
        let (left, top) = (trim.x0 as f32, trim.y1 as f32);
        let [across, down] = [(trim.x1 - trim.x0) as f32, (trim.y1 - trim.y0) as f32];
        let length = *square.get_or_insert_with(|| match options.print.square {
            Some(square) => points(square),
            None => points(Pages::new(size, &options.print).unwrap().square()),
        });
        let own = Size::new((down / length).round() as i32, (across / length).round() as i32);
        assert!(
            near(own.y as f32 * length, across) && near(own.x as f32 * length, down),
            "to scale"
        );
        let pixmap = drawn(page);
        for x in from.x..from.x + own.x {
            for y in from.y..from.y + own.y {
                let at = Point::new(x, y);
                seen[(x * size.y + y) as usize] += 1;
                let place = |square: i32| (square as f32 + 0.5) * length;
                let shown = rgb(&pixmap, height, left + place(y - from.y), top - place(x - from.x));
                let part = &painting.parts()[painting.part_of(at)];
                assert!(is(shown, part.rgb), "{at} {shown:?} is not {}", part.name);
            }
        }
        // The strip shows the same as the neighbour: compared in the middle, where there is no line between squares.
        let strip = points(options.print.overlap).min(length) / 2.0;
        if from.y + own.y < size.y {
            for x in from.x..from.x + own.x {
                let at = Point::new(x, from.y + own.y);
                let shown = rgb(
                    &pixmap,
                    height,
                    left + across + strip,
                    top - ((x - from.x) as f32 + 0.5) * length,
                );
                assert!(
                    is(shown, painting.parts()[painting.part_of(at)].rgb),
                    "{at} beyond the edge"
                );
            }
        }
        // Nothing is printed in the margin that printers cannot reach.
        let margin = points(options.print.margin);
        for pixel in 0..pixmap.width() {
            let x = f32::from(pixel) / SCALE;
            for y in [margin / 2.0, height - margin / 2.0] {
                assert_eq!(rgb(&pixmap, height, x, y), [255; 3]);
            }
        }
        from.y += own.y;
        if from.y == size.y {
            from = Point::new(from.x + own.x, 0);
        }
    }
    assert!(
        seen.iter().all(|times| *times == 1),
        "each square is on a page of its own"
    );
    all.len()
}

/// Decodes text of a PDF: Latin letters, or UTF-16 with its mark.
fn decoded(bytes: &[u8]) -> String {
    match bytes.strip_prefix(&[0xfe, 0xff]) {
        Some(wide) => {
            let units: Vec<u16> = wide
                .chunks(2)
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
                .collect();
            String::from_utf16(&units).unwrap()
        }
        None => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

#[test]
fn a_map_on_paper_shows_each_square_to_scale() {
    each(|dungeon| {
        let pages = check(dungeon, &ExportOptions::default(), Ground::Print);
        assert!((1..=10).contains(&pages), "{pages}");
    });
}

#[test]
fn squares_for_miniatures_are_an_inch_and_colours_are_right() {
    each(|dungeon| {
        let options = ExportOptions {
            ground: Some(Ground::Dark),
            legend: true,
            print: PrintLayout {
                paper: Paper::Tabloid,
                square: Some("1in".parse().unwrap()),
                ..PrintLayout::default()
            },
            ..ExportOptions::default()
        };
        let pages = check(dungeon, &options, Ground::Dark);
        // About 10 × 16 of the 11 × 17 inches of the paper are left for the map.
        let least = dungeon.size().squares() as usize / (9 * 15);
        assert!(pages > least && pages < 3 * least + 8, "{pages}");
    });
}

#[test]
fn a_whole_map_fits_on_one_page_on_request() {
    each(|dungeon| {
        let options = ExportOptions {
            print: PrintLayout {
                paper: Paper::A3,
                square: Some("4mm".parse().unwrap()),
                ..PrintLayout::default()
            },
            ..ExportOptions::default()
        };
        assert_eq!(check(dungeon, &options, Ground::Print), 1);
    });
}

#[test]
fn the_first_page_shows_the_whole_map_and_how_the_others_join() {
    each(|dungeon| {
        let options = ExportOptions {
            print: PrintLayout {
                square: Some("12mm".parse().unwrap()),
                ..PrintLayout::default()
            },
            ..ExportOptions::default()
        };
        let pdf = Pdf::new(bytes(ExportKind::Pdf, dungeon, &options)).unwrap();
        let page = &pdf.pages()[0];
        let pixmap = drawn(page);
        let painting = Painting::marked(dungeon, ColourBy::Generation, Ground::Print, MapMarks::Doors);
        let size = dungeon.size();
        // The map fills the page from margin to margin in one direction; the line around it is black.
        let (width, height) = page.render_dimensions();
        let margin = points(options.print.margin);
        let is_black = |x: f32, y: f32| rgb(&pixmap, height, x, y)[0] < 128;
        let middle = height / 2.0;
        let left = (0..(width * 2.0) as i32)
            .map(|x| x as f32 / 2.0)
            .find(|x| is_black(*x, middle));
        let left = left.expect("a map");
        let across = width - 2.0 * left;
        let length = across / size.y as f32;
        assert!(left >= margin - 1.0 && length > 2.0);
        let top = (0..(height * 2.0) as i32)
            .map(|y| height - y as f32 / 2.0)
            .find(|y| (0..20).all(|i| is_black(left + across * (i as f32 + 0.5) / 20.0, *y)));
        let top = top.expect("its upper edge");
        let pages = Pages::new(size, &options.print).unwrap();
        let grid = pages.grid();
        let page = |x: i32, y: i32| {
            (0..grid.x)
                .flat_map(|row| (0..grid.y).map(move |column| Point::new(row, column)))
                .find(|page| {
                    let (from, own) = pages.squares(*page);
                    (from.x..from.x + own.x).contains(&x) && (from.y..from.y + own.y).contains(&y)
                })
        };
        // Lines between the pages cover squares, as do the page names in the middle of each page.
        let is_edge = |at: Point| {
            let own = page(at.x, at.y);
            (-1..=1).any(|x| (-1..=1).any(|y| page(at.x + x, at.y + y) != own))
        };
        let is_named = |at: Point| {
            let (from, own) = pages.squares(page(at.x, at.y).unwrap());
            let [across, down] = [own.y, own.x].map(|squares| squares as f32 * length);
            let letters = (across / 3.0).min(down / 2.0).clamp(3.0, 24.0);
            let apart = |at: i32, from: i32, own: i32| ((at - from) as f32 + 0.5 - own as f32 / 2.0).abs() * length;
            apart(at.y, from.y, own.y) < letters + length && apart(at.x, from.x, own.x) < letters * 0.6 + length
        };
        let (mut same, mut all) = (0, 0);
        for at in dungeon.squares().filter(|at| !is_edge(*at) && !is_named(*at)) {
            let place = |square: i32| (square as f32 + 0.5) * length;
            let shown = rgb(&pixmap, height, left + place(at.y), top - place(at.x));
            all += 1;
            same += usize::from(is(shown, painting.parts()[painting.part_of(at)].rgb));
        }
        assert!(all > size.squares() as usize / 3 && same == all, "{same} of {all}");
    });
}

#[test]
fn a_legend_leaves_room_for_the_map() {
    each(|dungeon| {
        let shapes = |margin: &str, legend| {
            let options = ExportOptions {
                legend,
                print: PrintLayout {
                    paper: Paper::A5,
                    margin: margin.parse().unwrap(),
                    ..PrintLayout::default()
                },
                ..ExportOptions::default()
            };
            let pdf = Pdf::new(bytes(ExportKind::Pdf, dungeon, &options)).unwrap();
            let (mut operations, mut rectangles, mut texts) = (pdf.pages()[0].operations(), 0, 0);
            while let Some(operation) = operations.next() {
                rectangles += usize::from(**operation.operator == *b"re");
                texts += usize::from(**operation.operator == *b"Tj");
            }
            (rectangles, texts)
        };
        let parts = Painting::marked(dungeon, ColourBy::Generation, Ground::Print, MapMarks::Doors)
            .parts()
            .len()
            - 1;
        let (with, without) = (shapes("7mm", true), shapes("7mm", false));
        assert_eq!(
            with.0 - without.0,
            2 * parts,
            "a swatch and a line around it for each part"
        );
        assert_eq!(with.1 - without.1, parts);
        // Parts for which there is no room are only counted.
        let (with, without) = (shapes("55mm", true), shapes("55mm", false));
        let shown = (with.0 - without.0) / 2;
        assert!(shown > 0 && shown < parts, "{shown} of {parts}");
        assert_eq!(with.1 - without.1, shown + 1);
    });
}

#[test]
fn a_grid_is_printed_on_request() {
    let design: ValidDesign = crate::designs().remove(0);
    let recording = grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    let options = |grid| ExportOptions {
        grid,
        print: PrintLayout {
            square: Some("12mm".parse().unwrap()),
            ..PrintLayout::default()
        },
        ..ExportOptions::default()
    };
    let strokes = |grid| {
        let pdf = Pdf::new(bytes(ExportKind::Pdf, &dungeon, &options(grid))).unwrap();
        let of = |page: &Page<'_>| {
            let (mut operations, mut strokes) = (page.operations(), 0);
            while let Some(operation) = operations.next() {
                strokes += usize::from(**operation.operator == *b"S");
            }
            strokes
        };
        pdf.pages().iter().skip(1).map(of).sum::<usize>()
    };
    let (none, each, fifth) = (strokes(None), strokes(Some(1)), strokes(Some(5)));
    let sides = |apart: i32| {
        let pages = Pages::new(dungeon.size(), &options(None).print).unwrap();
        let Size { x, y } = pages.grid();
        let all = (0..x).flat_map(|row| (0..y).map(move |column| Point::new(row, column)));
        all.map(|page| {
            let (from, own) = pages.squares(page);
            let along = |from: i32, own: i32| (from..=from + own).filter(|at| at % apart == 0).count();
            along(from.x, own.x) + along(from.y, own.y)
        })
        .sum::<usize>()
    };
    assert_eq!((each - none, fifth - none), (sides(1), sides(5)));
    check(&dungeon, &options(Some(1)), Ground::Print);
}

/// Returns the preset *keep*.
fn keep() -> ValidDesign {
    let design = Preset::find("keep").expect("a preset").design();
    design.validate(None).design.expect("a design that can be used")
}

#[test]
fn labels_at_a_seam_are_whole_on_the_glued_pages() {
    let design = keep();
    let recording = grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    // A square of a quarter inch measures a whole number of pixels, so that the pixels of pages and sheet are the same.
    let length = 18;
    let print = |paper| PrintLayout {
        paper,
        square: Some("0.25in".parse().unwrap()),
        ..PrintLayout::default()
    };
    let pdf = |paper| {
        let options = ExportOptions {
            marks: Some(MapMarks::All),
            print: print(paper),
            ..ExportOptions::default()
        };
        Pdf::new(bytes(ExportKind::Pdf, &dungeon, &options)).unwrap()
    };
    let sheet = pdf(Paper::A1);
    assert_eq!(sheet.pages().len(), 1);
    let sheet = drawn(&sheet.pages()[0]);
    let pages = Pages::new(dungeon.size(), &print(Paper::A4)).unwrap();
    let (_, own) = pages.squares(Point::new(0, 0));
    let room = dungeon.rooms()[0].center;
    assert!((room.x - own.x).abs() <= 1, "the room's number is on two pages");
    let corner = 33;
    let strip = points(print(Paper::A4).overlap) as i32;
    let pdf = pdf(Paper::A4);
    let grid = pages.grid();
    let each = (0..grid.x).flat_map(|x| (0..grid.y).map(move |y| Point::new(x, y)));
    for (page, at) in pdf.pages()[1..].iter().zip(each) {
        let pixmap = drawn(page);
        let (from, own) = pages.squares(at);
        let shown = |own: i32, is_last: bool| own * length + if is_last { 0 } else { strip } - 2;
        let (down, across) = (shown(own.x, at.x + 1 == grid.x), shown(own.y, at.y + 1 == grid.y));
        for y in corner..corner + down {
            for x in corner..corner + across {
                let pixel = |pixmap: &Pixmap, x: i32, y: i32| {
                    let pixel = pixmap.sample(x as u16, y as u16);
                    [pixel.r, pixel.g, pixel.b]
                };
                let whole = pixel(&sheet, x + from.y * length, y + from.x * length);
                let part = pixel(&pixmap, x, y);
                let most = part.iter().zip(whole).map(|(a, b)| a.abs_diff(b)).max();
                assert!(
                    most < Some(32),
                    "page {}: ({x}, {y}) {part:?} {whole:?}",
                    Pages::name(at)
                );
            }
        }
    }
}

#[test]
fn the_first_page_shows_labels() {
    let design = keep();
    let recording = grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    let texts = |marks| {
        let options = ExportOptions {
            legend: false,
            marks: Some(marks),
            ..ExportOptions::default()
        };
        let pdf = Pdf::new(bytes(ExportKind::Pdf, &dungeon, &options)).unwrap();
        assert!(pdf.pages().len() > 1);
        let (mut operations, mut texts) = (pdf.pages()[0].operations(), 0);
        while let Some(operation) = operations.next() {
            texts += usize::from(**operation.operator == *b"Tj");
        }
        texts
    };
    // One label for the three nested rooms, and one for every tenth column and row, each with its outline.
    let labels = 1 + 11 + 5;
    assert_eq!(texts(MapMarks::All) - texts(MapMarks::Doors), 2 * labels);
}

#[test]
fn a_large_page_reports_progress_and_can_be_cancelled() {
    each(|dungeon| {
        let print = PrintLayout {
            paper: Paper::A0,
            square: Some("1mm".parse().unwrap()),
            ..PrintLayout::default()
        };
        for legend in [false, true] {
            let options = ExportOptions {
                print,
                legend,
                ..ExportOptions::default()
            };
            let mut steps: Vec<(u64, u64)> = Vec::new();
            let mut watch = |done, all| {
                steps.push((done, all));
                std::ops::ControlFlow::Continue(())
            };
            let mut file = Vec::new();
            export::write(ExportKind::Pdf, dungeon, &options, "x.pdf", &mut file, &mut watch).unwrap();
            let pages = Pdf::new(file).unwrap().pages().len();
            assert_eq!(pages, 1 + usize::from(legend));
            let all = steps[0].1;
            assert_eq!((steps[0].0, *steps.last().unwrap()), (0, (all, all)));
            // Progress is reported for outlining and for drawing; a page this small is packed in one step.
            for two in steps.windows(2) {
                assert!(two[0].0 <= two[1].0 && two[1].1 == all);
                let most = all / pages as u64 / 2 + 1;
                assert!(two[1].0 - two[0].0 <= most, "{two:?}");
            }
            let mut different = steps.clone();
            different.dedup();
            assert!(different.len() > 20, "{different:?}");
            for number in [0, 1, steps.len() / 4, steps.len() / 2, steps.len() - 1] {
                let mut called = 0;
                let mut watch = |_, _| {
                    called += 1;
                    if called > number {
                        std::ops::ControlFlow::Break(())
                    } else {
                        std::ops::ControlFlow::Continue(())
                    }
                };
                let mut file = Vec::new();
                let written = export::write(ExportKind::Pdf, dungeon, &options, "x.pdf", &mut file, &mut watch);
                assert!(matches!(written, Err(export::ExportError::Interrupted)) && file.is_empty());
                assert_eq!(called, number + 1, "nothing runs after that");
            }
        }
    });
}

#[test]
fn a_map_too_large_for_paper_is_refused_with_a_reason() {
    each(|dungeon| {
        let print = PrintLayout {
            square: Some("30cm".parse().unwrap()),
            ..PrintLayout::default()
        };
        let options = ExportOptions {
            print,
            ..ExportOptions::default()
        };
        let mut watch = |_, _| std::ops::ControlFlow::Continue(());
        let written = export::write(ExportKind::Pdf, dungeon, &options, "x.pdf", &mut Vec::new(), &mut watch);
        assert!(written.unwrap_err().to_string().contains("no room for a square"));
    });
}
