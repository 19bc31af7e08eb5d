//! Vaults in a dungeon: whatever grows around them, they stay as they are, and no Builder builds inside.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use crate::common::designs;
use proptest::prelude::*;
use wallcrawler::design::{Design, Feature, PlacedVault, VaultEntry};
use wallcrawler::engine::{Growth, Mark, Options, Tile, stage_one};
use wallcrawler::geometry::{Point, Size};

/// Generates a vault of any shape and features, with any of its squares as exits.
fn piece(vault: usize, dungeon: Size) -> impl Strategy<Value = Option<PlacedVault>> {
    let names = [
        "floor",
        "rock_wall",
        "closed_door",
        "deep_water",
        "granite_statue",
        "lava",
        "tree",
    ];
    let features: Vec<Option<Feature>> = names.iter().map(|name| Feature::by_name(name)).chain([None]).collect();
    let square = prop::sample::select(features);
    let exits = prop::collection::vec(any::<prop::sample::Index>(), 0..4);
    (
        1..9i32,
        1..9i32,
        prop::collection::vec(square, 81),
        exits,
        0..9i32,
        0..9i32,
    )
        .prop_map(move |(rows, columns, mut squares, exits, xdiv, ydiv)| {
            let size = Size::new(rows, columns);
            let entry = VaultEntry {
                div: 8,
                xdiv,
                ydiv,
                ..VaultEntry::default()
            };
            let at = entry.top_left(size, dungeon)?;
            squares.truncate((rows * columns) as usize);
            let exits = exits.iter().map(|exit| {
                let index = exit.index(squares.len()) as i32;
                Point::new(at.x + index / columns, at.y + index % columns)
            });
            Some(PlacedVault {
                vault,
                name: format!("vault {vault}"),
                at,
                size,
                exits: exits.collect(),
                contents: Vec::new(),
                squares,
            })
        })
}

fn with_pieces() -> impl Strategy<Value = (Design, Vec<PlacedVault>)> {
    designs::design(70).prop_flat_map(|design| {
        let size = design.layout.size;
        let pieces = (0..4usize).map(|vault| piece(vault, size)).collect::<Vec<_>>();
        (Just(design), pieces).prop_map(|(design, pieces)| (design, pieces.into_iter().flatten().collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn vault_squares_stay_and_no_builder_builds_inside((design, pieces) in with_pieces()) {
        let valid = design.validate(None).design.expect("its size is allowed").with_pieces(pieces);
        let built = stage_one::build(&valid);
        let left_out: Vec<&str> = built
            .diagnostics
            .iter()
            .filter(|problem| problem.message.contains("is left out"))
            .map(|problem| problem.message.as_str())
            .collect();
        let stands = |piece: &&PlacedVault| {
            let start = format!("vault {} (", piece.vault + 1);
            left_out.iter().all(|message| !message.starts_with(&start))
        };
        let mut growth = Growth::new(&valid, Options::default(), &mut ());
        growth.finish(&mut ());
        let standing: Vec<&PlacedVault> = valid.pieces().iter().filter(stands).collect();
        for piece in &standing {
            for (at, feature) in piece.features() {
                let wanted = if PlacedVault::is_wall(feature) { Tile::Wall } else { Tile::Guaranteed };
                prop_assert_eq!(built.grid.tile(at), wanted, "{} at {}", piece.name, at);
                prop_assert_eq!(growth.grid().tile(at), wanted, "{} at {} after growth", piece.name, at);
                prop_assert_eq!(growth.grid().mark(at), Mark::Design);
            }
        }
        for (i, a) in standing.iter().enumerate() {
            prop_assert!(standing[i + 1..].iter().all(|b| !a.overlaps(b)));
        }
    }
}

/// The exits of a vault in the middle of a dense maze lead out of it, unless a Crawler closes their corridor.
#[test]
fn the_square_before_an_exit_stays_open() {
    let floor = Feature::by_name("floor");
    let piece = PlacedVault {
        vault: 0,
        name: "cell".into(),
        at: Point::new(20, 20),
        size: Size::new(1, 1),
        squares: vec![floor],
        exits: vec![Point::new(20, 20)],
        contents: Vec::new(),
    };
    for preset in wallcrawler::presets::Preset::all() {
        let valid = preset
            .design()
            .validate(None)
            .design
            .expect("valid")
            .with_pieces(vec![piece.clone()]);
        let mut growth = Growth::new(&valid, Options::default(), &mut ());
        growth.finish(&mut ());
        let reach = valid.constants.min_corr_width.max(1);
        for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            for steps in 0..=reach {
                let at = Point::new(20 + x * steps, 20 + y * steps);
                assert_eq!(growth.grid().tile(at), Tile::Guaranteed, "{} at {at}", preset.name);
            }
        }
    }
}
