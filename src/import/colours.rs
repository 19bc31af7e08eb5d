//! Recognizes pictures that Wallcrawler exported, by their colours.
//!
//! Walls in these pictures may be lighter than the background or of any colour, so brightness does not identify them.

use std::collections::BTreeMap;

use super::square::DrawnSquare;
use crate::design::{Feature, PlacedVault};
use crate::export::{Ground, Palette, Rgb, along, mixed};

/// The meaning of a colour in a picture that Wallcrawler exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// A square with this content.
    Square(DrawnSquare),
    /// A grid line between squares.
    Line,
}

/// The backgrounds for which Wallcrawler exports pictures; each has its own palette.
const GROUNDS: [Ground; 3] = [Ground::Dark, Ground::Light, Ground::Print];

/// Number of colours that an exported picture uses for the ages of walls.
const AGES: usize = 10;

/// Returns the meaning of each colour in pictures exported for a background.
fn known(ground: Ground) -> BTreeMap<Rgb, Shown> {
    let palette = Palette::of(ground);
    let mut known = BTreeMap::new();
    let mut show = |rgb: Rgb, shown: Shown| {
        known.insert(rgb, shown);
    };
    // Later entries override earlier ones, so that a colour shared by doors and walls means wall.
    show(palette.text, Shown::Square(DrawnSquare::Open));
    show(mixed(palette.ground, palette.text, 1, 4), Shown::Line);
    for feature in Feature::all() {
        let square = if PlacedVault::is_wall(feature) {
            DrawnSquare::Wall
        } else {
            DrawnSquare::Open
        };
        if let Some(rgb) = palette.feature(feature) {
            show(rgb, Shown::Square(square));
        }
    }
    for (rgb, part) in [(palette.guaranteed, 3), (palette.kinds[1], 2)] {
        show(mixed(palette.ground, rgb, 1, part), Shown::Square(DrawnSquare::Kept));
    }
    let [high_wall, _, column] = palette.kinds;
    for rgb in [palette.column, column] {
        show(rgb, Shown::Square(DrawnSquare::Column));
    }
    let ages = (0..AGES).map(|age| along(&palette.ages, age, AGES - 1));
    let walls = [palette.design, palette.high_wall, palette.vault, high_wall];
    for rgb in ages.chain(walls).chain(palette.generations) {
        show(rgb, Shown::Square(DrawnSquare::Wall));
    }
    show(palette.ground, Shown::Square(DrawnSquare::Open));
    known
}

/// Returns the meaning of each colour of a picture. Returns `None` unless all colours belong to the palette of one
/// background, and they include the background itself, the colour of the design's walls, and a colour other than black
/// and white.
pub(super) fn own(colours: &[Rgb]) -> Option<Vec<Shown>> {
    GROUNDS.into_iter().find_map(|ground| {
        let (known, palette) = (known(ground), Palette::of(ground));
        // A picture of only black and white may come from any program.
        let is_ours = colours.contains(&palette.ground)
            && colours.contains(&palette.design)
            && colours.iter().any(|rgb| ![[0; 3], [255; 3]].contains(rgb));
        let shown = || colours.iter().map(|rgb| known.get(rgb).copied()).collect();
        is_ours.then(shown).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_of_a_vault_is_recognized() {
        for ground in GROUNDS {
            let (known, palette) = (known(ground), Palette::of(ground));
            for feature in Feature::all() {
                let Some(rgb) = palette.feature(feature) else { continue };
                let square = if PlacedVault::is_wall(feature) {
                    DrawnSquare::Wall
                } else {
                    DrawnSquare::Open
                };
                assert_eq!(known[&rgb], Shown::Square(square), "{ground:?}: {}", feature.name());
            }
        }
    }

    #[test]
    fn columns_have_colours_that_no_wall_has() {
        for ground in GROUNDS {
            let (known, palette) = (known(ground), Palette::of(ground));
            for rgb in [palette.column, palette.kinds[2]] {
                assert_eq!(known[&rgb], Shown::Square(DrawnSquare::Column), "{ground:?}: {rgb:?}");
            }
        }
    }

    #[test]
    fn our_colours_are_recognized_on_every_background_and_others_are_not() {
        for ground in GROUNDS {
            let palette = Palette::of(ground);
            let mut colours = vec![palette.ground, palette.design];
            colours.extend(palette.generations);
            let shown = own(&colours).expect("ours");
            assert_eq!(shown[0], Shown::Square(DrawnSquare::Open));
            assert!(
                shown[1..]
                    .iter()
                    .all(|shown| *shown == Shown::Square(DrawnSquare::Wall))
            );
            colours.push([1, 2, 3]);
            assert_eq!(own(&colours), None);
        }
        assert_eq!(own(&[[0; 3], [77; 3]]), None);
        // Black walls on white are not specific to Wallcrawler.
        assert_eq!(own(&[[255; 3], [0; 3]]), None);
    }
}
