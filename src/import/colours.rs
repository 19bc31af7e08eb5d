//! Recognizes pictures that Wallcrawler exported, by their colours.
//!
//! Walls in these pictures may have any colour and may be lighter than the background, so brightness does not identify
//! them.

use std::collections::BTreeMap;

use super::square::DrawnSquare;
use crate::design::{Feature, PlacedVault};
use crate::export::{Covered, Ground, Palette, Rgb, along, mixed};

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
    for (ink, covered) in labels(&palette) {
        let shown = match covered {
            Covered::Open => Shown::Square(DrawnSquare::Open),
            Covered::Kept => Shown::Square(DrawnSquare::Kept),
            Covered::Wall => Shown::Square(DrawnSquare::Wall),
            Covered::Column => Shown::Square(DrawnSquare::Column),
            Covered::Line => Shown::Line,
        };
        show(Palette::over(ink, covered), shown);
    }
    known
}

/// Returns every pair of a label colour and a kind of content that a label may cover.
fn labels(palette: &Palette) -> impl Iterator<Item = (Rgb, Covered)> {
    let inks = [palette.ground, palette.text].into_iter();
    inks.flat_map(|ink| Covered::ALL.map(|covered| (ink, covered)))
}

/// Returns the meaning of each colour of a picture. Returns `None` unless all colours belong to the palette of one
/// background. They must also include the background itself, the colour of the design's walls, and a colour with a
/// channel that is close to neither 0 nor 255.
pub(super) fn own(colours: &[Rgb]) -> Option<Vec<Shown>> {
    GROUNDS.into_iter().find_map(|ground| {
        let (known, palette) = (known(ground), Palette::of(ground));
        // A picture of only black and white may come from any program, so these two colours do not count. The almost
        // black and almost white pixels of labels on a white background do not count either.
        let is_own = |value: &u8| (6..250).contains(value);
        let is_ours = colours.contains(&palette.ground)
            && colours.contains(&palette.design)
            && colours.iter().flatten().any(is_own);
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
    fn labels_have_colours_of_their_own() {
        for ground in GROUNDS {
            let (known, palette) = (known(ground), Palette::of(ground));
            let of_labels: Vec<Rgb> = labels(&palette)
                .map(|(ink, covered)| Palette::over(ink, covered))
                .collect();
            let is_other = |rgb: &Rgb| !of_labels.contains(rgb);
            let ages = (0..AGES).map(|age| along(&palette.ages, age, AGES - 1));
            let features = Feature::all().filter_map(|feature| palette.feature(feature));
            let others = [
                palette.ground,
                palette.text,
                palette.design,
                palette.high_wall,
                palette.column,
            ];
            let others = others
                .into_iter()
                .chain(ages)
                .chain(palette.generations)
                .chain(features);
            let others = others.chain(palette.kinds).chain([palette.vault]);
            assert!(others.into_iter().all(|rgb| is_other(&rgb)), "{ground:?}");
            assert_eq!(
                known.keys().filter(|rgb| !is_other(rgb)).count(),
                2 * Covered::ALL.len()
            );
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
