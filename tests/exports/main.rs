//! Exports, each read by a third-party reader and compared square by square with the dungeon: oblong dungeons,
//! wide and tall, with all sorts of room doors, and with vaults.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]
#![allow(
    clippy::float_cmp,
    clippy::too_many_lines,
    reason = "numbers are compared that a file holds exactly, with everything that it contains"
)]

mod command;
mod contents;
mod films;
mod imports;
mod ldtk;
mod outside;
mod paper;
mod pictures;
mod programs;
mod readers;
mod tables;
mod tools;

use std::ops::ControlFlow;

use wallcrawler::design::{CrawlerStart, Design, Room, ValidDesign, style};
use wallcrawler::engine;
use wallcrawler::export::{self, DungeonView, ExportKind, ExportOptions};
use wallcrawler::format::{Text, native};
use wallcrawler::geometry::{Point, Size};
use wallcrawler::recording::Recording;

/// Returns a design with rooms with all sorts of doors, guaranteed squares, columns, and Crawlers from two sides.
pub(crate) fn design(size: Size) -> Design {
    let mut design = Design {
        name: "Rooms <&> \"doors\" – Łódź, Замок, 城".into(),
        seed: u64::MAX,
        ..Design::default()
    };
    let layout = &mut design.layout;
    layout.size = size;
    let doors = [1; 8];
    let room = |xdiv, ydiv, style, sites| Room {
        div: 6,
        xdiv,
        ydiv,
        width: 6,
        sites,
        style,
        delay: 0,
    };
    layout.rooms = vec![
        room(1, 1, style::WALLS | style::PYRAMID, doors),
        room(
            5,
            5,
            style::WALLS | style::FILLED_CORNER_DOORS | style::LARGE_CENTER_DOORS,
            doors,
        ),
        room(1, 5, style::WALLS | style::LARGE_CORNER_DOORS, [0, 1, 1, 0, 0, 1, 0, 0]),
    ];
    layout.open = vec![Point::new(size.x / 2, 3), Point::new(size.x / 2, 4)];
    layout.columns = vec![Point::new(size.x - 4, 4), Point::new(size.x - 4, 6)];
    layout.crawlers = vec![
        CrawlerStart {
            at: Point::new(0, size.y / 2),
            direction: 2,
            ..CrawlerStart::default()
        },
        CrawlerStart {
            at: Point::new(size.x / 2, 0),
            direction: 1,
            delay: 3,
            ..CrawlerStart::default()
        },
    ];
    design.character.generations[2].jumper_prob = 60;
    design
}

/// Returns the designs of the tests: wide, tall, and with vaults.
pub(crate) fn designs() -> Vec<ValidDesign> {
    let valid = |design: Design| design.validate(None).design.expect("a design that can be used");
    vec![
        valid(design(Size::new(50, 91))),
        valid(design(Size::new(84, 47))),
        with_vault(),
    ]
}

/// Returns a design with a vault that has a door, water, a statue, a monster, an item and a portal.
pub(crate) fn with_vault() -> ValidDesign {
    let folder = tempfile::tempdir().expect("a folder");
    let level = "NAME: keep\nMONS: orc warrior ; mace | club\nITEM: any weapon ego:\"fire\"\n\
                 MARKER: O = lua:one_way_stair { desc = \"A dry, \\\"old\\\" <well>\", dst = \"cistern\" }\n\
                 KFEAT: O = enter_portal_vault\n\
                 MAP\nxxxxxxx\nxwwwwwx\n+wxGxw.\nx1.d.Ox\nxxx+xxx\nENDMAP\n";
    std::fs::write(folder.path().join("keep.des"), level).expect("written");
    let text = "seed = 3
        [layout]
        dim_x = 30
        dim_y = 44
        [[crawler]]
        x = 15
        y = 0
        direction = 1
        delay = 0
        termination = 1
        [[vault]]
        file = 'keep.des'
        map = 'keep'
        x = 8
        y = 20
        orientation = 1
        ";
    let path = folder.path().join("design.toml");
    std::fs::write(&path, text).expect("written");
    assert!(native::parse(&Text::new("design.toml", text)).is_usable());
    let files = wallcrawler::storage::DesignFiles::Toml(path);
    let opened = wallcrawler::document::open(
        &files,
        None,
        wallcrawler::document::available_memory(wallcrawler::design::MemoryUse::Showing),
    );
    let valid = opened.valid.expect("a design");
    assert_eq!(valid.pieces().len(), 1, "{:?}", opened.diagnostics);
    valid
}

/// Grows a design to its end.
pub(crate) fn grown(design: &ValidDesign) -> Recording {
    let mut watch = |_, _| ControlFlow::Continue(());
    DungeonView::grow(design, engine::Options::default(), &mut watch).expect("not interrupted")
}

/// Calls `look` with each dungeon of the tests.
pub(crate) fn each(look: impl Fn(&DungeonView<'_>)) {
    for design in designs() {
        let recording = grown(&design);
        let dungeon = DungeonView::new(&design, &recording, u64::MAX);
        assert_eq!(dungeon.turn(), recording.turns());
        look(&dungeon);
    }
}

/// Exports a dungeon as bytes.
pub(crate) fn bytes(kind: ExportKind, dungeon: &DungeonView<'_>, options: &ExportOptions) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last = 0;
    let mut watch = |done: u64, all: u64| {
        assert!(done <= all && done >= last, "{done} of {all} after {last}");
        last = done;
        ControlFlow::Continue(())
    };
    export::write(kind, dungeon, options, "map.x", &mut bytes, &mut watch).expect("written");
    bytes
}

/// Exports a dungeon as text.
pub(crate) fn text(kind: ExportKind, dungeon: &DungeonView<'_>, options: &ExportOptions) -> String {
    String::from_utf8(bytes(kind, dungeon, options)).expect("text")
}
