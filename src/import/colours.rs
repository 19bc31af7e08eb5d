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

/// Maximum number of colours that someone who edits an exported picture may add, and the maximum part of the picture, in
/// percent, that may have these colours.
const MOST_ADDED: (usize, u64) = (4, 20);

/// The meanings of the colours of a picture that Wallcrawler exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnColours {
    /// The meaning of each colour.
    pub(super) shown: Vec<Shown>,
    /// Colours that Wallcrawler does not use, each with its meaning: wall if its brightness is closer to that of the
    /// design's walls than to that of the background, otherwise open.
    pub(super) added: Vec<(Rgb, DrawnSquare)>,
}

/// Returns the meaning of each colour of a picture, given with the number of its pixels. Returns `None` unless almost
/// all pixels have colours of the palette of one background. They must also include the background itself, the colour
/// of the design's walls, and a colour with a channel that is close to neither 0 nor 255.
pub(super) fn own(colours: &[(Rgb, u64)]) -> Option<OwnColours> {
    let all: u64 = colours.iter().map(|(_, pixels)| pixels).sum();
    let of_ground = |ground| {
        let (known, palette) = (known(ground), Palette::of(ground));
        let has = |rgb: Rgb| colours.iter().any(|(own, _)| *own == rgb);
        let (own, added): (Vec<_>, Vec<_>) = colours.iter().partition(|(rgb, _)| known.contains_key(rgb));
        // A picture of only black and white may come from any program, so these two colours do not count. The almost
        // black and almost white pixels of labels on a white background do not count either.
        let is_own = |value: &u8| (6..250).contains(value);
        let is_ours = has(palette.ground) && has(palette.design) && own.iter().flat_map(|(rgb, _)| rgb).any(is_own);
        let strange: u64 = added.iter().map(|(_, pixels)| pixels).sum();
        let (most, percent) = MOST_ADDED;
        if !is_ours || added.len() > most || strange * 100 > all * percent {
            return None;
        }
        let [open, wall] = [palette.ground, palette.design].map(shade);
        let guess = |rgb: Rgb| {
            let is_wall = shade(rgb).abs_diff(wall) < shade(rgb).abs_diff(open);
            if is_wall { DrawnSquare::Wall } else { DrawnSquare::Open }
        };
        let shown = |(rgb, _): &(Rgb, u64)| known.get(rgb).copied().unwrap_or_else(|| Shown::Square(guess(*rgb)));
        let meanings = OwnColours {
            shown: colours.iter().map(shown).collect(),
            added: added.iter().map(|(rgb, _)| (*rgb, guess(*rgb))).collect(),
        };
        Some((strange, meanings))
    };
    let best = GROUNDS
        .into_iter()
        .filter_map(of_ground)
        .min_by_key(|(strange, _)| *strange)?;
    Some(best.1)
}

/// Returns the brightness of a colour, from 0 to 255.
pub(super) fn shade([red, green, blue]: Rgb) -> u8 {
    ((299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) + 500) / 1000) as u8
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
            let mut colours = vec![(palette.ground, 90), (palette.design, 10)];
            colours.extend(palette.generations.map(|rgb| (rgb, 1)));
            let OwnColours { shown, added } = own(&colours).expect("ours");
            assert_eq!(added, []);
            assert_eq!(shown[0], Shown::Square(DrawnSquare::Open));
            assert!(
                shown[1..]
                    .iter()
                    .all(|shown| *shown == Shown::Square(DrawnSquare::Wall))
            );
            colours.push(([1, 2, 3], 40));
            assert_eq!(own(&colours), None);
        }
        assert_eq!(own(&[([0; 3], 9), ([77; 3], 9)]), None);
        // Black walls on white are not specific to Wallcrawler.
        assert_eq!(own(&[([255; 3], 9), ([0; 3], 9)]), None);
        // Neither are the greys of smooth edges.
        let mut smooth = vec![([255; 3], 900), ([0; 3], 900)];
        smooth.extend((1..255).map(|grey| ([grey; 3], 1)));
        assert_eq!(own(&smooth), None);
    }

    #[test]
    fn colours_that_someone_added_are_read_by_their_brightness() {
        use DrawnSquare::{Open, Wall};
        for (ground, meant) in [
            (Ground::Dark, [Open, Wall, Wall]),
            (Ground::Light, [Wall, Wall, Open]),
            (Ground::Print, [Wall, Wall, Open]),
        ] {
            let palette = Palette::of(ground);
            let added = [[1, 2, 3], [255, 0, 0], [250, 240, 230]];
            let mut colours = vec![(palette.ground, 900), (palette.design, 100), (palette.high_wall, 9)];
            colours.extend(added.map(|rgb| (rgb, 1)));
            let read = own(&colours).expect("ours");
            assert_eq!(
                read.added,
                std::array::from_fn::<_, 3, _>(|i| (added[i], meant[i])),
                "{ground:?}"
            );
            assert_eq!(read.shown[3..], meant.map(Shown::Square), "{ground:?}");
        }
    }
}
