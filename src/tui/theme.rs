//! Colours and styles, by what they mean.
//!
//! Every colour on the screen is named here, once, and brought down to what the terminal can show: true
//! colour, 256 colours, 16 colours or, where NO_COLOR is set, none. The ten colours of generations keep
//! apart for colour-blind people as well; a test simulates that.

use ratatui::style::{Color, Modifier, Style};

use crate::design::Feature;
use crate::design::feature::Class;
use crate::engine::{Mark, Tile};

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// None: NO_COLOR is set.
    None,
    /// The sixteen of old.
    Sixteen,
    /// 256, six steps of red, green and blue.
    Indexed,
    /// Any.
    True,
}

impl Depth {
    /// What the environment says: NO_COLOR, COLORTERM, TERM and Windows Terminal's WT_SESSION, by a function that looks names up.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let has = |name: &str, parts: &[&str]| {
            variable(name).is_some_and(|value| parts.iter().any(|part| value.contains(part)))
        };
        if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            Self::None
        } else if has("COLORTERM", &["truecolor", "24bit"]) || has("TERM", &["direct"]) || has("WT_SESSION", &[""]) {
            Self::True
        } else if has("TERM", &["256color", "kitty", "alacritty", "ghostty", "foot"]) {
            Self::Indexed
        } else {
            Self::Sixteen
        }
    }
}

/// A colour in 8 bits each of red, green and blue.
type Rgb = [u8; 3];

/// The colours of generations 0 to 9; later ones start over.
const GENERATIONS: [Rgb; 10] = [
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
];

const DESIGN: Rgb = [128, 134, 145];
const HIGH_WALL: Rgb = [196, 200, 208];
const COLUMN: Rgb = [255, 244, 214];
/// The walls of vaults, apart from the design's and every generation's by their brightness.
const VAULT: Rgb = [168, 160, 186];
const LAVA: Rgb = [236, 92, 40];
const GUARANTEED: Rgb = [96, 140, 120];
const ACCENT: Rgb = [126, 190, 255];
const BORDER: Rgb = [92, 98, 110];
const QUIET: Rgb = [128, 134, 145];
const WARNING: Rgb = [232, 190, 80];
const ERROR: Rgb = [240, 110, 100];
const GOOD: Rgb = [120, 200, 140];
const HIGHLIGHT: Rgb = [240, 130, 200];
const HIGHLIGHT_GROUND: Rgb = [104, 44, 84];
const INK: Rgb = [16, 18, 22];
const CURSOR: Rgb = [255, 92, 148];
const BRIGHT: Rgb = [255, 255, 255];

/// Styles by meaning, for one depth of colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    depth: Depth,
}

impl Theme {
    /// The theme for a depth of colour.
    pub const fn new(depth: Depth) -> Self {
        Self { depth }
    }

    /// How many colours it uses.
    pub const fn depth(self) -> Depth {
        self.depth
    }

    fn color(self, rgb: Rgb) -> Color {
        match self.depth {
            Depth::None => Color::Reset,
            Depth::Sixteen => nearest_of_sixteen(rgb),
            Depth::Indexed => Color::Indexed(nearest_index(rgb)),
            Depth::True => Color::Rgb(rgb[0], rgb[1], rgb[2]),
        }
    }

    fn style(self, rgb: Rgb) -> Style {
        Style::new().fg(self.color(rgb))
    }

    /// Plain text.
    pub fn text(self) -> Style {
        Style::new()
    }

    /// Text that steps back: labels, units, hints.
    pub fn quiet(self) -> Style {
        self.style(QUIET)
    }

    /// A value that has no effect as things stand.
    pub fn idle(self) -> Style {
        match self.depth {
            Depth::None | Depth::Sixteen => self.quiet().add_modifier(Modifier::DIM),
            Depth::Indexed | Depth::True => self.style(BORDER),
        }
    }

    /// Text that stands out: titles in focus, keys.
    pub fn accent(self) -> Style {
        self.style(ACCENT)
    }

    /// A heading.
    pub fn heading(self) -> Style {
        self.accent().add_modifier(Modifier::BOLD)
    }

    /// The border of a part of the screen.
    pub fn border(self, focused: bool) -> Style {
        if focused { self.accent() } else { self.style(BORDER) }
    }

    /// The title in a border.
    pub fn title(self, focused: bool) -> Style {
        if focused {
            self.heading()
        } else {
            Style::new().fg(Color::Reset)
        }
    }

    /// The entry or field under the cursor.
    pub fn selected(self, focused: bool) -> Style {
        match (self.depth, focused) {
            (Depth::None, true) => Style::new().add_modifier(Modifier::REVERSED),
            (Depth::None, false) => Style::new().add_modifier(Modifier::UNDERLINED),
            (_, true) => self.style(INK).bg(self.color(ACCENT)),
            (_, false) => self.accent().add_modifier(Modifier::UNDERLINED),
        }
    }

    /// Text while it is being typed.
    pub fn typed(self) -> Style {
        self.style(BRIGHT).add_modifier(Modifier::UNDERLINED)
    }

    /// The squares of the entry that is selected in a panel: what stands there, and the ground.
    pub fn highlight(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::REVERSED),
            _ => self.style(HIGHLIGHT).bg(self.color(HIGHLIGHT_GROUND)),
        }
    }

    /// Something the author should know.
    pub fn warning(self) -> Style {
        self.style(WARNING)
    }

    /// Something wrong.
    pub fn error(self) -> Style {
        self.style(ERROR).add_modifier(Modifier::BOLD)
    }

    /// Something done.
    pub fn good(self) -> Style {
        self.style(GOOD)
    }

    /// The colour of a generation's walls.
    pub fn generation(self, generation: u32) -> Color {
        self.color(GENERATIONS[generation as usize % GENERATIONS.len()])
    }

    /// The colour of what stands on a square; `None` where it is open.
    pub fn tile(self, tile: Tile, mark: Mark) -> Option<Color> {
        let rgb = match (tile, mark) {
            (Tile::Open | Tile::Guaranteed, _) => return None,
            (_, Mark::Generation(generation)) => return Some(self.generation(u32::from(generation))),
            (Tile::Wall, Mark::Design) => DESIGN,
            (Tile::HighWall, Mark::Design) => HIGH_WALL,
            (Tile::Column, Mark::Design) => COLUMN,
        };
        Some(self.color(rgb))
    }

    /// A colour that steps back, so that what is drawn over it is seen.
    pub fn faded(self, color: Color) -> Color {
        match color {
            Color::Rgb(red, green, blue) => {
                let part = |value: u8, ink: u8| ((u16::from(value) * 2 + u16::from(ink) * 5) / 7) as u8;
                Color::Rgb(part(red, INK[0]), part(green, INK[1]), part(blue, INK[2]))
            }
            Color::Reset => color,
            _ if self.depth == Depth::Indexed => Color::Indexed(238),
            _ => Color::DarkGray,
        }
    }

    /// The colour of a vault's feature; `None` for floor.
    pub fn feature(self, feature: Feature) -> Option<Color> {
        let rgb = match feature.class() {
            Class::Floor => return None,
            Class::Wall => VAULT,
            Class::ClearWall => [140, 190, 206],
            Class::Grate => [176, 176, 148],
            Class::Door => [212, 156, 88],
            Class::Liquid if feature.name().contains("lava") => LAVA,
            Class::Liquid if feature.name().starts_with("shallow") => [130, 178, 236],
            Class::Liquid => [64, 120, 224],
            Class::Statue => [214, 214, 204],
            Class::Tree => [84, 158, 66],
            Class::Stairs | Class::Hatch => BRIGHT,
            Class::Portal => [232, 124, 232],
            Class::Altar => [250, 222, 140],
            Class::Fountain => [120, 190, 250],
            Class::Trap => [240, 88, 88],
            Class::Shop => [242, 224, 72],
            Class::Other => QUIET,
        };
        Some(self.color(rgb))
    }

    /// Squares that are guaranteed to stay open.
    pub fn guaranteed(self) -> Style {
        self.style(GUARANTEED)
    }

    /// A Builder that acts: bright, so that the heads of growing walls are seen from afar.
    pub(crate) fn builder(self) -> Style {
        self.marked(BRIGHT)
    }

    /// The same where a character is too coarse to be filled.
    pub(crate) fn builder_afar(self) -> Style {
        self.style(BRIGHT).add_modifier(Modifier::BOLD)
    }

    /// A Builder that sleeps, on a wall of a generation's colour.
    pub(crate) fn sleeper(self, wall: Option<Color>) -> Style {
        match wall {
            Some(wall) if self.depth != Depth::None => self.style(INK).bg(wall),
            _ => self.quiet(),
        }
    }

    /// The square under the map's cursor, bright while the map has the focus.
    pub(crate) fn cursor(self, focused: bool) -> Style {
        self.marked(if focused { CURSOR } else { QUIET })
    }

    fn marked(self, rgb: Rgb) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if self.depth == Depth::None {
            style.add_modifier(Modifier::REVERSED)
        } else {
            style.fg(self.color(INK)).bg(self.color(rgb))
        }
    }
}

/// The steps of the 256 colours' cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

fn nearest_index(rgb: Rgb) -> u8 {
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

/// The sixteen colours as terminals commonly show them.
const SIXTEEN: [(Color, Rgb); 15] = [
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
];

fn nearest_of_sixteen(rgb: Rgb) -> Color {
    if rgb == BRIGHT {
        return Color::White;
    }
    SIXTEEN
        .iter()
        .min_by_key(|(_, of)| distance(*of, rgb))
        .map_or(Color::Reset, |(color, _)| *color)
}

fn distance(a: Rgb, b: Rgb) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Colour vision in linear light: normal, and without red, green or blue cones (Machado, Oliveira and
    /// Fernandes 2009, severity 1).
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

    /// CIE Lab of a colour as a vision sees it.
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
        // Each row of the conversion from linear RGB to XYZ is divided by the white of D65.
        let [x, y, z] = [
            [0.433_95, 0.376_22, 0.189_84],
            [0.212_67, 0.715_15, 0.072_18],
            [0.017_76, 0.109_47, 0.872_77],
        ]
        .map(|row| f(row.iter().zip(seen).map(|(a, b)| a * b).sum()));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn generations_and_design_keep_apart_for_every_vision() {
        let colors: Vec<Rgb> = GENERATIONS.into_iter().chain([DESIGN]).collect();
        for (i, a) in colors.iter().enumerate() {
            for b in &colors[i + 1..] {
                for vision in &VISIONS {
                    let (a, b) = (lab(*a, vision), lab(*b, vision));
                    let apart = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    // 2.3 can just be told apart side by side; small squares far apart need much more.
                    assert!(apart > 20.0, "{a:?} and {b:?} are only {apart:.1} apart");
                }
            }
        }
    }

    #[test]
    fn the_environment_decides_how_many_colours() {
        let depth = |set: &[(&str, &str)]| {
            Depth::from_environment(|name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
        };
        assert_eq!(depth(&[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]), Depth::None);
        assert_eq!(depth(&[("NO_COLOR", ""), ("COLORTERM", "truecolor")]), Depth::True);
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Indexed);
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Sixteen);
        assert_eq!(depth(&[("WT_SESSION", "1")]), Depth::True);
        assert_eq!(depth(&[]), Depth::Sixteen);
    }

    #[test]
    fn fewer_colours_take_the_nearest() {
        assert_eq!(nearest_index([255, 0, 0]), 196);
        assert_eq!(nearest_index([128, 128, 128]), 244);
        assert_eq!(nearest_index([0, 0, 0]), 16);
        assert_eq!(nearest_of_sixteen([255, 0, 0]), Color::Red);
        assert_eq!(Theme::new(Depth::None).generation(3), Color::Reset);
        assert_eq!(
            Theme::new(Depth::True).generation(13),
            Theme::new(Depth::True).generation(3)
        );
    }
}
