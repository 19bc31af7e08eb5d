//! Exports are imported again: the same walls, on oblong dungeons, wide and tall.

use proptest::prelude::*;
use wallcrawler::design::PlacedVault;
use wallcrawler::engine::{Tile, stage_one};
use wallcrawler::export::TextStyle;
use wallcrawler::export::{self, ColourBy, DungeonView, ExportKind, ExportOptions, Ground, MapMarks};
use wallcrawler::geometry::Point;
use wallcrawler::import::{self, Drawing, DrawnSquare, Placement};

use crate::{bytes, each};

fn read(name: &str, bytes: Vec<u8>) -> Drawing {
    let read = import::read(name, bytes, &import::ImportOptions::default(), &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    });
    read.drawing.unwrap_or_else(|| panic!("{name}: {:?}", read.diagnostics))
}

/// Returns how a square must be read. Features of vaults are recognized by their glyphs; walkable ones are open.
fn expected(dungeon: &DungeonView<'_>, at: Point) -> DrawnSquare {
    let feature = dungeon.feature(at);
    match (dungeon.grid().tile(at), feature) {
        (Tile::Guaranteed, None) => DrawnSquare::Kept,
        (Tile::Guaranteed, Some(feature)) if PlacedVault::is_wall(feature) => DrawnSquare::Wall,
        (Tile::Guaranteed, Some(feature)) if feature.name() == "floor" => DrawnSquare::Kept,
        (Tile::Open, _) | (Tile::Guaranteed, Some(_)) => DrawnSquare::Open,
        (Tile::Wall | Tile::HighWall, _) => DrawnSquare::Wall,
        (Tile::Column, _) => DrawnSquare::Column,
    }
}

/// Compares a drawing with the dungeon; with `exactly`, columns and guaranteed squares are distinguished.
fn compare(what: &str, drawing: &Drawing, dungeon: &DungeonView<'_>, exactly: bool) {
    assert_eq!(drawing.size(), dungeon.size(), "{what}");
    for at in dungeon.squares() {
        let (found, expected) = (drawing.square(at), expected(dungeon, at));
        if exactly {
            assert_eq!(found, expected, "{what} {at}");
        } else {
            assert_eq!(found.is_solid(), expected.is_solid(), "{what} {at}");
        }
    }
}

#[test]
fn text_tables_and_maps_are_imported_square_by_square() {
    each(|dungeon| {
        for (kind, name) in [
            (ExportKind::Text(TextStyle::Plain), "a.txt"),
            (ExportKind::Text(TextStyle::Digits), "a"),
            (ExportKind::Text(TextStyle::Ansi), "a.ans"),
            (ExportKind::Json, "a.json"),
            (ExportKind::Tmx, "a.tmx"),
            (ExportKind::Tmj, "a.tmj"),
            (ExportKind::Csv, "a.csv"),
        ] {
            let drawing = read(name, bytes(kind, dungeon, &ExportOptions::default()));
            // CSV and JSON contain tiles, not the features of vaults.
            let exactly = dungeon.design().pieces().is_empty() || matches!(kind, ExportKind::Tmx | ExportKind::Tmj);
            compare(name, &drawing, dungeon, exactly);
        }
    });
}

#[test]
fn pictures_are_imported_in_all_colours_and_sizes_and_with_lines_labels_and_legend() {
    each(|dungeon| {
        for by in [ColourBy::Generation, ColourBy::Age, ColourBy::Lineage, ColourBy::Kind] {
            for ground in [Ground::Dark, Ground::Light, Ground::Print] {
                for (scale, grid, legend, marks) in [
                    (1, None, false, None),
                    (3, Some(1), false, Some(MapMarks::Doors)),
                    (8, None, true, None),
                    (5, Some(4), true, None),
                    // Labels cover squares of all kinds, the corners of the dungeon, and grid lines.
                    (1, None, false, Some(MapMarks::All)),
                    (8, None, false, Some(MapMarks::All)),
                    (12, Some(5), true, Some(MapMarks::All)),
                    (6, Some(1), false, Some(MapMarks::All)),
                ] {
                    let options = ExportOptions {
                        by,
                        ground: Some(ground),
                        scale: Some(scale),
                        grid,
                        legend,
                        marks,
                        ..ExportOptions::default()
                    };
                    let what = format!("{by:?} {ground:?} {scale} {grid:?} {legend} {marks:?}");
                    let drawing = read("a.png", bytes(ExportKind::Png, dungeon, &options));
                    if dungeon.design().pieces().is_empty() {
                        // Only the colours of kinds distinguish the columns of Jumpers from walls. Marked squares are
                        // read as open, even if they are guaranteed to stay open.
                        compare(&what, &drawing, dungeon, by == ColourBy::Kind && marks.is_none());
                    } else {
                        // The colours of water and doors are as dark as walls.
                        assert_eq!(drawing.size(), dungeon.size(), "{what}");
                    }
                }
            }
        }
    });
}

/// A design made from an import has the same walls before anything grows.
#[test]
fn a_design_of_an_export_has_its_walls() {
    each(|dungeon| {
        let drawing = read("a.tmx", bytes(ExportKind::Tmx, dungeon, &ExportOptions::default()));
        let placed = Placement::default().alone(&drawing, "again").expect("it fits");
        let valid = placed.design.validate(None).design.expect("a design");
        let built = stage_one::build(&valid);
        assert_eq!(built.diagnostics, []);
        for at in dungeon.squares() {
            // A room at the border may open the outer wall; a design's own outer wall is closed.
            let is_wall = !dungeon.grid().tile(at).is_open() || dungeon.size().on_border(at);
            assert_eq!(!built.grid.tile(at).is_open(), is_wall, "{at}");
        }
    });
}

/// Exports that are not drawings are refused, not misread.
#[test]
fn exports_that_are_not_drawings_are_refused() {
    let design = crate::with_vault();
    let recording = crate::grown(&design);
    let dungeon = DungeonView::new(&design, &recording, u64::MAX);
    for (kind, name) in [
        (ExportKind::Gif, "a.gif"),
        (ExportKind::Uvtt, "a.uvtt"),
        (ExportKind::Svg, "a.svg"),
    ] {
        let mut file = Vec::new();
        let mut watch = |_, _| std::ops::ControlFlow::Continue(());
        export::write(kind, &dungeon, &ExportOptions::default(), name, &mut file, &mut watch).expect("written");
        let read = import::read(name, file, &import::ImportOptions::default(), &mut |_| {
            Err(std::io::ErrorKind::NotFound.into())
        });
        assert_eq!(read.drawing, None, "{name}");
    }
}

/// Generates beginnings of files after which a reader expects more.
fn begun() -> impl Strategy<Value = Vec<u8>> {
    let heads: [&[u8]; 9] = [
        b"",
        b"<?xml version='1.0'?><map><layer width='2' height='2'><data encoding='csv'>",
        b"<map infinite='1'><layer><data encoding='base64' compression='zlib'><chunk width='2' height='1'>",
        b"{\"layers\":[{\"type\":\"tilelayer\",\"width\":2,\"height\":2,\"data\":[",
        b"{\"format\":\"wallcrawler-dungeon\",\"tiles\":[\"X",
        b"x,y,tile\n0,0,wall\n",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x02\x08\x06\0\0\0",
        b"####\n#..#\n\x1b[",
        b"\xef\xbb\xbf+--+\n|\t",
    ];
    let tail = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        "[#.Xo0-9 ,<>/='\"{}\\[\\]\n\u{2588}a-z-]{0,200}".prop_map(String::into_bytes),
    ];
    (0..heads.len(), tail).prop_map(move |(head, tail)| [heads[head], &tail].concat())
}

proptest! {
    /// Exports that are damaged before they are imported.
    #[test]
    fn damaged_files_are_refused_or_read(
        kind in 0..6_usize,
        cut in proptest::option::weighted(0.3, any::<proptest::sample::Index>()),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..5),
    ) {
        static WHOLE: std::sync::OnceLock<Vec<(&str, Vec<u8>)>> = std::sync::OnceLock::new();
        let whole = WHOLE.get_or_init(|| {
            let design = crate::with_vault();
            let recording = crate::grown(&design);
            let dungeon = DungeonView::new(&design, &recording, u64::MAX);
            let kinds = [
                (ExportKind::Text(TextStyle::Plain), "a.txt"),
                (ExportKind::Png, "a.png"),
                (ExportKind::Tmx, "a.tmx"),
                (ExportKind::Tmj, "a.tmj"),
                (ExportKind::Json, "a.json"),
                (ExportKind::Csv, "a.csv"),
            ];
            kinds.map(|(kind, name)| (name, bytes(kind, &dungeon, &ExportOptions::default()))).into()
        });
        let (name, mut bytes) = whole[kind].clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let read = import::read(name, bytes, &import::ImportOptions::default(), &mut |_| Err(std::io::ErrorKind::NotFound.into()));
        if let Some(drawing) = read.drawing {
            if let Ok(placed) = Placement::default().alone(&drawing, "a") {
                prop_assert!(placed.design.validate(None).design.is_some());
            }
        } else {
            prop_assert!(!read.diagnostics.is_empty());
        }
    }

    #[test]
    fn any_bytes_become_a_design_or_a_diagnostic(
        bytes in begun(),
        name in "(maze|map)\\.(txt|png|tmx|tmj|csv)",
        scale in proptest::option::of(1_u32..9),
        enlarge in 1_u32..4,
        corridors in 1_u32..4,
        [invert, trim, keep_open] in any::<[bool; 3]>(),
        walls in proptest::option::of("[#X1-9a,-]{0,4}"),
    ) {
        let options = import::ImportOptions { walls, invert, trim, scale, corridors, enlarge, ..import::ImportOptions::default() };
        let read = import::read(&name, bytes, &options, &mut |_| Ok(b"<tileset/>".to_vec()));
        if let Some(drawing) = read.drawing {
            let placing = Placement { keep_open, ..Placement::default() };
            if let Ok(mut placed) = placing.alone(&drawing, "a") {
                placed.design.layout.crawlers.extend(import::first_crawler(&placed.design));
                prop_assert!(placed.design.validate(None).design.is_some());
            }
        } else {
            prop_assert!(!read.diagnostics.is_empty());
        }
    }
}
