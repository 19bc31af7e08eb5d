//! The palettes for dark and light backgrounds, and their reduction to 256 or 16 colours.
//!
//! Both palettes were tuned by a search so that even colour-blind people can distinguish the ten generation colours,
//! the grey of the tiles that the design places, and the background. The tests of this module check that these colours
//! stay distinguishable from each other.

use ratatui::style::Color;

use crate::export;

pub(super) use crate::export::Rgb;
pub(super) use crate::export::{FEATURES, FeatureColour, along, darkened};

/// The brightness of the terminal's background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ground {
    /// Darker than the text.
    #[default]
    Dark,
    /// Lighter than the text.
    Light,
}

impl Ground {
    /// Detects the background from the environment variable COLORFGBG; returns [`Ground::Dark`] if it is not set.
    /// `variable` returns the value of an environment variable. rxvt, Konsole and other terminals set COLORFGBG to the
    /// numbers of the text colour and the background colour among the sixteen ANSI colours (`0;15` or `15;default;0`).
    /// Callers should prefer the background that the terminal itself reports.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let number = variable("COLORFGBG").and_then(|value| value.rsplit(';').next()?.trim().parse::<u8>().ok());
        match number {
            Some(7 | 9..=15) => Self::Light,
            _ => Self::Dark,
        }
    }
}

/// Every colour by its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Palette {
    /// Walls of generations 0 to 9; later generations repeat these colours.
    pub generations: [Rgb; 10],
    /// Tiles by their age: five points of a ramp, from the tiles laid first to those laid last.
    pub ages: [Rgb; 5],
    /// Tiles that appeared, vanished or stayed the same between two runs.
    pub changes: [Rgb; 3],
    /// Metrics layers over the map; the last is for the entrance and exit symbols.
    pub layers: [Rgb; 7],
    pub design: Rgb,
    pub high_wall: Rgb,
    pub column: Rgb,
    /// The walls of vaults; the colour differs in brightness from the design's walls and from those of every
    /// generation.
    pub vault: Rgb,
    pub guaranteed: Rgb,
    /// A Builder's look-ahead: the background of free rows, the background of the first row that is not free, and the
    /// tiles that the Builder may build next.
    pub ahead: [Rgb; 3],
    pub accent: Rgb,
    pub border: Rgb,
    pub quiet: Rgb,
    pub warning: Rgb,
    pub error: Rgb,
    pub good: Rgb,
    pub highlight: Rgb,
    pub highlight_ground: Rgb,
    /// Text on a filled background.
    pub ink: Rgb,
    pub cursor: Rgb,
    /// Maximum contrast with the background.
    pub bright: Rgb,
    /// Features of vaults, in the order of [`FEATURES`].
    pub features: [Rgb; FEATURES.len()],
}

/// Returns the colours of vault features on a dark background.
const fn features_in_the_dark() -> [Rgb; FEATURES.len()] {
    let (mut colours, mut i) = ([[0; 3]; FEATURES.len()], 0);
    while i < FEATURES.len() {
        colours[i] = FEATURES[i].1;
        i += 1;
    }
    colours
}

impl Palette {
    pub(super) fn of(ground: Ground) -> Self {
        match ground {
            Ground::Dark => DARK,
            Ground::Light => Self {
                features: DARK.features.map(darkened),
                ..LIGHT
            },
        }
    }

    /// Returns the palette without the changes of the settings; its `features` are those for a dark background.
    pub(super) const fn unchanged(ground: Ground) -> &'static Self {
        match ground {
            Ground::Dark => &DARK,
            Ground::Light => &LIGHT,
        }
    }
}

const DARK: Palette = Palette {
    generations: export::DARK.generations,
    ages: export::DARK.ages,
    changes: [[90, 190, 255], [240, 120, 20], [112, 116, 124]],
    layers: [
        [90, 255, 160],
        [96, 150, 210],
        [255, 72, 72],
        [255, 120, 200],
        [255, 238, 130],
        [110, 220, 255],
        [90, 255, 160],
    ],
    design: export::DARK.design,
    high_wall: export::DARK.high_wall,
    column: export::DARK.column,
    vault: export::DARK.vault,
    guaranteed: export::DARK.guaranteed,
    ahead: [[30, 50, 84], [122, 34, 44], [255, 214, 90]],
    accent: [126, 190, 255],
    border: [92, 98, 110],
    quiet: [128, 134, 145],
    warning: [232, 190, 80],
    error: [240, 110, 100],
    good: [120, 200, 140],
    highlight: [240, 130, 200],
    highlight_ground: [104, 44, 84],
    ink: [16, 18, 22],
    cursor: [255, 92, 148],
    bright: [255, 255, 255],
    features: features_in_the_dark(),
};

const LIGHT: Palette = Palette {
    generations: export::LIGHT.generations,
    ages: export::LIGHT.ages,
    changes: [[0, 84, 214], [232, 112, 0], [166, 170, 178]],
    layers: [
        [0, 140, 66],
        [70, 120, 190],
        [214, 0, 0],
        [196, 0, 120],
        [140, 100, 0],
        [0, 116, 184],
        [0, 124, 58],
    ],
    design: export::LIGHT.design,
    // Darker than in exports: exports fill the square, but terminals show a pattern that lets the background through.
    high_wall: [36, 40, 50],
    column: export::LIGHT.column,
    vault: export::LIGHT.vault,
    guaranteed: export::LIGHT.guaranteed,
    ahead: [[206, 226, 252], [252, 176, 170], [150, 84, 0]],
    accent: [0, 92, 200],
    border: [150, 156, 168],
    quiet: [104, 110, 122],
    warning: [156, 98, 0],
    error: [192, 32, 32],
    good: [16, 120, 56],
    highlight: [176, 0, 116],
    highlight_ground: [255, 208, 236],
    ink: [255, 255, 255],
    cursor: [214, 0, 92],
    bright: [0, 0, 0],
    features: features_in_the_dark(),
};

/// The values of red, green and blue in the colour cube of the 256 colours.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

pub(super) fn nearest_index(rgb: Rgb) -> u8 {
    let step = |value: u8| {
        let distance = |i: &usize| STEPS[*i].abs_diff(value);
        (0..STEPS.len()).min_by_key(distance).unwrap_or(0)
    };
    let cube = rgb.map(step);
    let mean = (u16::from(rgb[0]) + u16::from(rgb[1]) + u16::from(rgb[2])) / 3;
    let gray = (mean.saturating_sub(3) / 10).min(23) as u8;
    let shade = 8 + 10 * gray;
    if distance(cube.map(|i| STEPS[i]), rgb) <= distance([shade; 3], rgb) {
        (16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8
    } else {
        232 + gray
    }
}

/// Returns the red, green and blue of a colour; `None` for the terminal's default colour.
pub(super) fn rgb_of(color: Color) -> Option<Rgb> {
    match color {
        Color::Reset => None,
        Color::Rgb(red, green, blue) => Some([red, green, blue]),
        Color::Indexed(index @ 232..) => Some([8 + 10 * (index - 232); 3]),
        Color::Indexed(index @ 16..) => Some([36, 6, 1].map(|each| STEPS[usize::from((index - 16) / each % 6)])),
        _ => SIXTEEN.iter().find(|(known, _)| *known == color).map(|(_, rgb)| *rgb),
    }
}

/// The sixteen ANSI colours with the values that terminals commonly use.
const SIXTEEN: [(Color, Rgb); 16] = [
    (Color::Red, [205, 49, 49]),
    (Color::Green, [13, 188, 121]),
    (Color::Yellow, [205, 160, 16]),
    (Color::Blue, [36, 114, 200]),
    (Color::Magenta, [188, 63, 188]),
    (Color::Cyan, [17, 168, 205]),
    (Color::Gray, [210, 210, 210]),
    (Color::DarkGray, [118, 118, 118]),
    (Color::LightRed, [241, 120, 90]),
    (Color::LightGreen, [120, 230, 170]),
    (Color::LightYellow, [245, 245, 67]),
    (Color::LightBlue, [100, 170, 240]),
    (Color::LightMagenta, [214, 130, 214]),
    (Color::LightCyan, [130, 220, 230]),
    (Color::Black, [0, 0, 0]),
    (Color::White, [255, 255, 255]),
];

/// Colours of generations 0 to 9 among the sixteen, on a dark and on a light background. They are distinct, and differ
/// from the background and from the grey of the tiles that the design places.
pub(super) const GENERATIONS_OF_SIXTEEN: [[Color; 10]; 2] = [
    [
        Color::LightCyan,
        Color::Yellow,
        Color::Green,
        Color::LightYellow,
        Color::Magenta,
        Color::LightBlue,
        Color::Red,
        Color::White,
        Color::LightMagenta,
        Color::LightGreen,
    ],
    [
        Color::Blue,
        Color::Red,
        Color::Green,
        Color::Magenta,
        Color::Black,
        Color::LightRed,
        Color::Cyan,
        Color::Yellow,
        Color::LightMagenta,
        Color::LightBlue,
    ],
];

/// Those of the sixteen colours that show the age of tiles, on a dark and on a light background. The tiles laid last
/// have the most conspicuous colour.
pub(super) const AGES_OF_SIXTEEN: [[Color; 5]; 2] = [
    [
        Color::LightBlue,
        Color::Cyan,
        Color::Green,
        Color::Yellow,
        Color::LightYellow,
    ],
    [Color::Yellow, Color::Cyan, Color::Green, Color::Blue, Color::Black],
];

pub(super) fn nearest_of_sixteen(rgb: Rgb) -> Color {
    // Only pure white is reduced to white, so that white stays reserved for the brightest colour.
    let candidates = SIXTEEN
        .iter()
        .filter(|(color, of)| *color != Color::White || *of == rgb);
    candidates
        .min_by_key(|(_, of)| distance(*of, rgb))
        .map_or(Color::Reset, |(color, _)| *color)
}

fn distance(a: Rgb, b: Rgb) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Matrices that simulate colour vision on linear RGB: normal vision, and vision without red, green or blue cones
    /// (Machado, Oliveira and Fernandes 2009, severity 1).
    const VISIONS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];

    /// Common backgrounds: black, white, and the backgrounds of well-known colour schemes.
    const GROUNDS: [(Ground, &[Rgb]); 2] = [
        (Ground::Dark, &[[0, 0, 0], [18, 20, 25], [40, 42, 54], [0, 43, 54]]),
        (Ground::Light, &[[255, 255, 255], [253, 246, 227], [238, 238, 238]]),
    ];

    /// Converts a colour to CIE Lab as a person with this type of colour vision perceives it.
    fn lab(color: Rgb, vision: &[[f64; 3]; 3]) -> [f64; 3] {
        let linear = color.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        });
        let dot = |row: &[f64; 3]| row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0);
        let seen = vision.each_ref().map(dot);
        let f = |t: f64| {
            if t > 0.008_856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        };
        // Each row of the conversion from linear RGB to XYZ is divided by the white point D65.
        let [x, y, z] = [
            [0.433_95, 0.376_22, 0.189_84],
            [0.212_67, 0.715_15, 0.072_18],
            [0.017_76, 0.109_47, 0.872_77],
        ]
        .map(|row| f(row.iter().zip(seen).map(|(a, b)| a * b).sum()));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// Returns the distance between two colours for the type of vision that distinguishes them least.
    fn apart(a: Rgb, b: Rgb) -> f64 {
        let of = |vision: &[[f64; 3]; 3]| {
            let (a, b) = (lab(a, vision), lab(b, vision));
            a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        VISIONS.iter().map(of).fold(f64::INFINITY, f64::min)
    }

    /// Minimum distance between two colours in CIE Lab. A distance of 2.3 is just noticeable side by side; small
    /// squares that are far apart on the screen need a much larger one.
    const FAR: f64 = 20.0;

    fn assert_apart(colors: &[Rgb], grounds: &[Rgb]) {
        for (i, a) in colors.iter().enumerate() {
            for b in colors[i + 1..].iter().chain(grounds) {
                assert!(
                    apart(*a, *b) > FAR,
                    "{a:?} and {b:?} are only {:.1} apart",
                    apart(*a, *b)
                );
            }
        }
    }

    #[test]
    fn generations_design_and_background_differ_for_every_vision() {
        for (ground, grounds) in GROUNDS {
            let palette = Palette::of(ground);
            let colors: Vec<Rgb> = palette.generations.into_iter().chain([palette.design]).collect();
            assert_apart(&colors, grounds);
        }
    }

    #[test]
    fn changes_differ_for_every_vision() {
        for (ground, grounds) in GROUNDS {
            assert_apart(&Palette::of(ground).changes, grounds);
        }
    }

    #[test]
    fn ages_are_a_ramp_of_brightness_for_every_vision() {
        for (ground, grounds) in GROUNDS {
            let ages = Palette::of(ground).ages;
            let steps: Vec<Rgb> = (0..10).map(|step| along(&ages, step, 9)).collect();
            assert_eq!((steps[0], steps[9]), (ages[0], ages[4]));
            for (step, pair) in steps.iter().zip(steps.windows(2)) {
                assert!(
                    apart(pair[0], pair[1]) > 6.0,
                    "{pair:?}: {:.1}",
                    apart(pair[0], pair[1])
                );
                for other in grounds {
                    assert!(apart(*step, *other) > FAR, "{step:?} on {other:?}");
                }
                for vision in &VISIONS {
                    let rise = lab(pair[1], vision)[0] - lab(pair[0], vision)[0];
                    // On both backgrounds, later ages must contrast more.
                    let rise = if ground == Ground::Dark { rise } else { -rise };
                    assert!(rise > 2.0, "{pair:?} {rise:.1}");
                }
            }
        }
    }

    #[test]
    fn text_is_readable_on_its_background() {
        for (ground, grounds) in GROUNDS {
            let p = Palette::of(ground);
            for color in [p.accent, p.quiet, p.warning, p.error, p.good, p.highlight, p.bright] {
                for other in grounds {
                    let contrast = lab(color, &VISIONS[0])[0] - lab(*other, &VISIONS[0])[0];
                    assert!(contrast.abs() > 35.0, "{color:?} on {other:?}: {contrast:.0}");
                }
            }
            for (text, filled) in [(p.ink, p.accent), (p.ink, p.cursor), (p.highlight, p.highlight_ground)] {
                let contrast = lab(text, &VISIONS[0])[0] - lab(filled, &VISIONS[0])[0];
                assert!(contrast.abs() > 35.0, "{text:?} on {filled:?}: {contrast:.0}");
            }
        }
        for value in 0..=255 {
            let [red, green, blue] = darkened([value, 255, 255 - value]);
            assert!((u32::from(red) * 3 + u32::from(green) * 6 + u32::from(blue)) / 10 <= 150);
        }
        assert_eq!(darkened([10, 100, 20]), [10, 100, 20]);
    }

    #[test]
    fn sixteen_colours_are_enough_for_ten_generations() {
        for (table, ground) in GENERATIONS_OF_SIXTEEN.iter().zip([Color::Black, Color::White]) {
            let names: BTreeSet<String> = table.iter().map(|color| format!("{color:?}")).collect();
            assert_eq!(names.len(), 10);
            let grey = nearest_of_sixteen(DARK.design);
            assert!(!table.contains(&ground) && !table.contains(&grey));
        }
    }

    #[test]
    fn ages_of_sixteen_stand_out_from_the_background() {
        for (ages, ground) in AGES_OF_SIXTEEN.iter().zip([[0, 0, 0], [255, 255, 255]]) {
            for age in ages {
                let (_, rgb) = SIXTEEN.iter().find(|(color, _)| color == age).unwrap();
                let contrast = (lab(*rgb, &VISIONS[0])[0] - lab(ground, &VISIONS[0])[0]).abs();
                assert!(contrast > 25.0, "{age:?} on {ground:?}: {contrast:.0}");
            }
        }
    }

    /// Terminals differ most in blue and yellow: the Linux console's blue is nearly black, xterm's yellow nearly white.
    #[test]
    fn sixteen_colours_are_visible_on_any_terminal() {
        let console_blue = [0, 0, 170];
        let xterm_yellow = [205, 205, 0];
        let contrast = |a: Rgb, b: Rgb| (lab(a, &VISIONS[0])[0] - lab(b, &VISIONS[0])[0]).abs();
        assert!(contrast(console_blue, [0, 0, 0]) < 25.0 && contrast(xterm_yellow, [255, 255, 255]) < 25.0);
        let dark = Ground::Dark as usize;
        assert!(!GENERATIONS_OF_SIXTEEN[dark].contains(&Color::Blue) && !AGES_OF_SIXTEEN[dark].contains(&Color::Blue));
        // Without yellow there are not ten colours that are readable on white, so yellow is the colour of a generation
        // that rarely grows.
        let place = GENERATIONS_OF_SIXTEEN[Ground::Light as usize]
            .iter()
            .position(|color| *color == Color::Yellow);
        assert!(place.is_some_and(|place| place >= 6), "{place:?}");
    }

    #[test]
    fn high_walls_differ_from_other_walls_as_drawn() {
        // High walls are drawn three quarters filled.
        for (ground, grounds) in GROUNDS {
            let palette = Palette::of(ground);
            let paper = grounds[0];
            let seen: Rgb =
                std::array::from_fn(|i| ((u16::from(palette.high_wall[i]) * 3 + u16::from(paper[i])) / 4) as u8);
            let apart = (lab(seen, &VISIONS[0])[0] - lab(palette.design, &VISIONS[0])[0]).abs();
            assert!(apart > 5.0, "{ground:?}: {apart:.1}");
        }
    }

    #[test]
    fn each_of_the_256_colours_is_reduced_to_itself() {
        for rgb in [[0, 95, 255], [255, 0, 135], [8, 8, 8], [238, 238, 238], [215, 215, 0]] {
            assert_eq!(rgb_of(Color::Indexed(nearest_index(rgb))), Some(rgb));
        }
        assert_eq!(rgb_of(Color::Reset), None);
        assert_eq!(rgb_of(Color::White), Some([255; 3]));
    }

    #[test]
    fn colours_are_reduced_to_the_nearest() {
        assert_eq!(nearest_index([255, 0, 0]), 196);
        assert_eq!(nearest_index([128, 128, 128]), 244);
        assert_eq!(nearest_index([0, 0, 0]), 16);
        assert_eq!(nearest_of_sixteen([255, 0, 0]), Color::Red);
        assert_eq!(nearest_of_sixteen([255, 255, 255]), Color::White);
        assert_eq!(nearest_of_sixteen([254, 254, 254]), Color::Gray);
    }

    #[test]
    fn the_environment_determines_the_background() {
        let ground = |value: &str| Ground::from_environment(|name| (name == "COLORFGBG").then(|| value.to_owned()));
        assert_eq!(ground("0;15"), Ground::Light);
        assert_eq!(ground("0;7"), Ground::Light);
        assert_eq!(ground("0;default;15"), Ground::Light);
        for dark in ["15;0", "15;default;0", "7;8", "", "what", "1;300", "12;default"] {
            assert_eq!(ground(dark), Ground::Dark, "{dark}");
        }
    }
}
