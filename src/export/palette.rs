//! The colours in which exports and the designer's map show dungeons, and the greys for print.

use serde::{Deserialize, Serialize};

use crate::design::feature::Class;
use crate::design::{Feature, PlacedVault};

/// Red, green and blue in 8 bits each.
pub type Rgb = [u8; 3];

/// Background that colours are chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Light colours on a dark background.
    #[default]
    Dark,
    /// Dark colours on white.
    Light,
    /// Black and greys on white, for paper. Doors, other marks and the features of vaults stay coloured.
    Print,
}

/// The colours of a dungeon's squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Palette {
    /// Colour of open squares and of the background.
    pub ground: Rgb,
    /// Colour of text and lines.
    pub text: Rgb,
    /// Colours of generations 0 to 9; later generations repeat the cycle.
    pub generations: [Rgb; 10],
    /// Colour ramp from the first tile laid to the last.
    pub ages: [Rgb; 5],
    /// Colour of walls of the design.
    pub design: Rgb,
    /// Colour of high walls of the design.
    pub high_wall: Rgb,
    /// Colour of columns of the design.
    pub column: Rgb,
    /// Colour of the walls of vaults.
    pub vault: Rgb,
    /// Colour of squares that are guaranteed to stay open.
    pub guaranteed: Rgb,
    /// Colours of high walls, guaranteed squares and columns in pictures that colour squares by their kind. The colour
    /// of columns differs from those of walls in all pictures, so that a picture can be imported again.
    pub kinds: [Rgb; 3],
}

impl Palette {
    /// Returns the palette for a background.
    pub const fn of(ground: Ground) -> Self {
        match ground {
            Ground::Dark => DARK,
            Ground::Light => LIGHT,
            Ground::Print => PRINT,
        }
    }

    /// Returns the colour of a generation.
    pub const fn generation(&self, generation: u32) -> Rgb {
        self.generations[generation as usize % self.generations.len()]
    }

    /// Returns the colour for a mark: that of the feature kind named `kind` in [`FEATURES`], or the colour of text if
    /// there is no such kind.
    pub(super) fn sign(&self, kind: &str) -> Rgb {
        let rgb = FEATURES.iter().find(|(own, _)| *own == kind).map(|(_, rgb)| *rgb);
        let is_dark = self.ground[0] < 128;
        rgb.map_or(self.text, |rgb| if is_dark { rgb } else { darkened(rgb) })
    }

    /// Returns the colour of a label's pixel that is drawn in `ink` over a square or a grid line. Each component of
    /// the colour differs from that of `ink` by 1 to 5. The difference is too small to be seen, but an import can read
    /// from it what the pixel covers.
    pub(crate) fn over(ink: Rgb, covered: Covered) -> Rgb {
        let steps = covered as u8 + 1;
        ink.map(|value| if value < 128 { value + steps } else { value - steps })
    }

    /// Returns the colour of a vault's feature; `None` for floor.
    ///
    /// So that a picture can be imported again, no colour is used for both solid and walkable squares. Two sorts of
    /// features would break this rule and are therefore paler: solid features of a kind that is otherwise walkable
    /// (`open_sea` among the kinds of water), and walkable features in the colour of walls.
    pub fn feature(&self, feature: Feature) -> Option<Rgb> {
        let colour = FeatureColour::of(feature)?;
        let rgb = match colour {
            FeatureColour::Vault => self.vault,
            FeatureColour::Text => self.text,
            FeatureColour::Design => self.design,
            FeatureColour::Own(place) => FEATURES[place].1,
        };
        let is_dark = self.ground[0] < 128;
        let rgb = if is_dark { rgb } else { darkened(rgb) };
        let is_wall = PlacedVault::is_wall(feature);
        let is_pale = match colour {
            FeatureColour::Vault => false,
            FeatureColour::Text => self.text == self.design,
            FeatureColour::Design => !is_wall,
            FeatureColour::Own(_) => is_wall && !is_built(feature),
        };
        Some(if is_pale { mixed(self.ground, rgb, 2, 3) } else { rgb })
    }
}

/// What a pixel of a label covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Covered {
    /// An open square.
    Open,
    /// A square that is guaranteed to stay open.
    Kept,
    /// A wall.
    Wall,
    /// A column that has a colour of its own.
    Column,
    /// A grid line.
    Line,
}

impl Covered {
    /// Every value.
    pub(crate) const ALL: [Self; 5] = [Self::Open, Self::Kept, Self::Wall, Self::Column, Self::Line];
}

/// Returns whether every feature of this feature's class is solid.
fn is_built(feature: Feature) -> bool {
    matches!(
        feature.class(),
        Class::Wall | Class::ClearWall | Class::Grate | Class::Statue | Class::Tree
    )
}

/// Kinds of features that have their own colour: name in the designer's settings, and colour on a dark background.
pub(crate) const FEATURES: [(&str, Rgb); 13] = [
    ("clear-wall", [140, 190, 206]),
    ("grate", [176, 176, 148]),
    ("door", [212, 156, 88]),
    ("lava", [236, 92, 40]),
    ("shallow-water", [130, 178, 236]),
    ("water", [64, 120, 224]),
    ("statue", [214, 214, 204]),
    ("tree", [84, 158, 66]),
    ("portal", [232, 124, 232]),
    ("altar", [250, 222, 140]),
    ("fountain", [120, 190, 250]),
    ("trap", [240, 88, 88]),
    ("shop", [242, 224, 72]),
];

/// Source of a feature's colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FeatureColour {
    /// Colour of the walls of vaults.
    Vault,
    /// Colour of text, which has the strongest contrast.
    Text,
    /// Colour of the design's own walls, which is inconspicuous.
    Design,
    /// A colour of its own; the value is the index in [`FEATURES`].
    Own(usize),
}

impl FeatureColour {
    /// Returns the source of a feature's colour; `None` for floor.
    pub(crate) fn of(feature: Feature) -> Option<Self> {
        let name = match feature.class() {
            Class::Floor => return None,
            Class::Wall => return Some(Self::Vault),
            Class::Stairs | Class::Hatch => return Some(Self::Text),
            Class::Other => return Some(Self::Design),
            Class::ClearWall => "clear-wall",
            Class::Grate => "grate",
            Class::Door => "door",
            Class::Liquid if feature.name().contains("lava") => "lava",
            Class::Liquid if feature.name().starts_with("shallow") => "shallow-water",
            Class::Liquid => "water",
            Class::Statue => "statue",
            Class::Tree => "tree",
            Class::Portal => "portal",
            Class::Altar => "altar",
            Class::Fountain => "fountain",
            Class::Trap => "trap",
            Class::Shop => "shop",
        };
        FEATURES.iter().position(|(own, _)| *own == name).map(Self::Own)
    }
}

/// Palette for a dark background.
pub(crate) const DARK: Palette = Palette {
    ground: [16, 18, 22],
    text: [255, 255, 255],
    generations: [
        [92, 210, 239],
        [238, 126, 16],
        [41, 126, 79],
        [243, 230, 110],
        [152, 69, 161],
        [115, 61, 241],
        [159, 80, 3],
        [211, 240, 230],
        [193, 129, 249],
        [123, 189, 110],
    ],
    ages: [
        [108, 52, 150],
        [58, 106, 196],
        [32, 158, 160],
        [128, 208, 92],
        [254, 236, 96],
    ],
    design: [128, 134, 145],
    high_wall: [196, 200, 208],
    column: [255, 244, 214],
    vault: [168, 160, 186],
    guaranteed: [96, 140, 120],
    kinds: [[238, 126, 16], [41, 126, 79], [243, 230, 111]],
};

/// Palette for a light background.
pub(crate) const LIGHT: Palette = Palette {
    ground: [255, 255, 255],
    text: [0, 0, 0],
    generations: [
        [4, 121, 255],
        [214, 55, 12],
        [49, 197, 109],
        [255, 156, 5],
        [146, 80, 170],
        [37, 5, 219],
        [84, 12, 60],
        [7, 50, 0],
        [237, 154, 254],
        [55, 0, 103],
    ],
    ages: [
        [206, 190, 60],
        [98, 172, 96],
        [28, 132, 142],
        [52, 76, 152],
        [58, 8, 92],
    ],
    design: [128, 134, 145],
    high_wall: [84, 88, 98],
    column: [96, 70, 20],
    vault: [122, 108, 148],
    guaranteed: [70, 130, 100],
    kinds: [[214, 55, 12], [49, 197, 109], [255, 156, 6]],
};

const fn grey(shade: u8) -> Rgb {
    [shade; 3]
}

/// Palette for paper. The greys of consecutive generations are easy to distinguish.
const PRINT: Palette = Palette {
    ground: grey(255),
    text: grey(0),
    generations: [
        grey(30),
        grey(120),
        grey(70),
        grey(160),
        grey(50),
        grey(140),
        grey(90),
        grey(170),
        grey(40),
        grey(105),
    ],
    ages: [grey(190), grey(150), grey(110), grey(65), grey(20)],
    design: grey(0),
    high_wall: grey(80),
    column: grey(45),
    vault: grey(15),
    guaranteed: grey(120),
    kinds: [grey(90), grey(150), grey(51)],
};

/// Returns the shades in which counts are drawn on a background, from low counts to high ones. The shades have one hue,
/// and their lightness changes in even steps, so that readers without colour vision can see the order.
pub(crate) const fn density(ground: Ground) -> [Rgb; 5] {
    match ground {
        Ground::Dark => [
            [27, 55, 88],
            [37, 86, 135],
            [62, 126, 184],
            [124, 178, 222],
            [214, 236, 255],
        ],
        Ground::Light => [
            [205, 222, 240],
            [150, 190, 222],
            [88, 149, 200],
            [33, 99, 163],
            [8, 44, 100],
        ],
        Ground::Print => [grey(212), grey(168), grey(124), grey(80), grey(32)],
    }
}

/// Returns the relative luminance of a colour, from 0 to 1.
pub(crate) fn luminance(rgb: Rgb) -> f64 {
    let [red, green, blue] = rgb.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Returns a colour for light backgrounds, derived from one for dark backgrounds.
pub(crate) fn darkened(rgb: Rgb) -> Rgb {
    /// Maximum brightness (0 to 255) of a colour that has enough contrast with white.
    const MOST: u32 = 150;
    let [red, green, blue] = rgb.map(u32::from);
    let brightness = (3 * red + 6 * green + blue) / 10;
    if brightness <= MOST {
        return rgb;
    }
    rgb.map(|value| (u32::from(value) * MOST / brightness) as u8)
}

/// Returns the colour at step `at` of a ramp whose last step is `of`.
pub(crate) fn along(ramp: &[Rgb; 5], at: usize, of: usize) -> Rgb {
    let of = of.max(1);
    let place = at.min(of) * (ramp.len() - 1);
    let (stop, rest) = (place / of, place % of);
    let (from, to) = (ramp[stop], ramp[(stop + 1).min(ramp.len() - 1)]);
    mixed(from, to, rest as u32, of as u32)
}

/// Returns a mixture of two colours: `from` if `part` is 0, `to` if `part` equals `of`, and in proportion in between.
pub(crate) fn mixed(from: Rgb, to: Rgb, part: u32, of: u32) -> Rgb {
    std::array::from_fn(|i| {
        let (from, to) = (i64::from(from[i]), i64::from(to[i]));
        (from + (to - from) * i64::from(part) / i64::from(of.max(1))) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shades_of_counts_are_evenly_spaced_in_lightness() {
        // CIE lightness, from 0 to 100.
        let lightness = |rgb| 116.0 * luminance(rgb).cbrt() - 16.0;
        for ground in [Ground::Dark, Ground::Light, Ground::Print] {
            let empty = lightness(Palette::of(ground).ground);
            let shades = density(ground).map(lightness);
            let apart: Vec<f64> = (std::iter::once(empty).chain(shades))
                .zip(shades)
                .map(|(before, after)| (after - before).abs())
                .collect();
            assert!(
                apart.iter().all(|apart| (10.0..26.0).contains(apart)),
                "{ground:?}: {apart:?}"
            );
            let is_ordered = shades.is_sorted() || shades.is_sorted_by(|a, b| a > b);
            assert!(is_ordered, "{shades:?}");
        }
    }
}
