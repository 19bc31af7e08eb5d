//! Colours and styles, by what they mean.
//!
//! Every colour on the screen is named in [`palette`], once for dark grounds and once for light ones, and
//! brought down to what the terminal can show: true colour, 256 colours, 16 colours or, where NO_COLOR is set,
//! none. Drawing asks the [`Theme`] for styles by what they mean.

mod named;
mod palette;

use ratatui::style::{Color, Modifier, Style};

pub use self::palette::Ground;
use self::palette::{
    AGES_OF_SIXTEEN, FeatureColour, GENERATIONS_OF_SIXTEEN, Palette, Rgb, along, nearest_index, nearest_of_sixteen,
};
use crate::design::Feature;
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

/// Styles by meaning, for one depth of colour and one ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    depth: Depth,
    ground: Ground,
    palette: Palette,
}

impl Theme {
    /// The theme for a depth of colour, on a dark ground.
    pub fn new(depth: Depth) -> Self {
        Self {
            depth,
            ground: Ground::Dark,
            palette: Palette::of(Ground::Dark),
        }
    }

    /// The same for another ground.
    #[must_use]
    pub fn on(self, ground: Ground) -> Self {
        Self {
            ground,
            palette: Palette::of(ground),
            ..self
        }
    }

    /// How many colours it uses.
    pub const fn depth(&self) -> Depth {
        self.depth
    }

    /// The ground that it is made for.
    pub const fn ground(&self) -> Ground {
        self.ground
    }

    fn color(self, rgb: Rgb) -> Color {
        match self.depth {
            Depth::None => Color::Reset,
            Depth::Sixteen => nearest_of_sixteen(rgb),
            Depth::Indexed => Color::Indexed(nearest_index(rgb)),
            Depth::True => Color::Rgb(rgb[0], rgb[1], rgb[2]),
        }
    }

    /// A colour of something that is not the designer's own: of a picture, say.
    pub(crate) fn exact(self, rgb: Rgb) -> Color {
        self.color(rgb)
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
        self.style(self.palette.quiet)
    }

    /// A value that has no effect as things stand.
    pub fn idle(self) -> Style {
        match self.depth {
            // Not the grey of quiet text: made dim it can hardly be seen.
            Depth::None | Depth::Sixteen => Style::new().add_modifier(Modifier::DIM),
            Depth::Indexed | Depth::True => self.style(self.palette.border),
        }
    }

    /// Text that stands out: titles in focus, keys.
    pub fn accent(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::BOLD),
            _ => self.style(self.palette.accent),
        }
    }

    /// A heading.
    pub fn heading(self) -> Style {
        self.accent().add_modifier(Modifier::BOLD)
    }

    /// The border of a part of the screen.
    pub fn border(self, focused: bool) -> Style {
        if focused {
            self.accent()
        } else {
            self.style(self.palette.border)
        }
    }

    /// The title in a border.
    pub fn title(self, focused: bool) -> Style {
        if focused {
            self.heading()
        } else {
            Style::new().fg(Color::Reset)
        }
    }

    /// A tab in a border, of what is shown or of something else.
    pub fn tab(self, shown: bool) -> Style {
        match (self.depth, shown) {
            (Depth::None, true) => self.heading().add_modifier(Modifier::REVERSED),
            (_, true) => self.heading(),
            // The title around it is bold while it has the focus.
            (_, false) => self.quiet().remove_modifier(Modifier::BOLD),
        }
    }

    /// The entry or field under the cursor.
    pub fn selected(self, focused: bool) -> Style {
        match (self.depth, focused) {
            (Depth::None, true) => Style::new().add_modifier(Modifier::REVERSED),
            (Depth::None, false) => Style::new().add_modifier(Modifier::UNDERLINED),
            (_, true) => self.style(self.palette.ink).bg(self.color(self.palette.accent)),
            (_, false) => self.accent().add_modifier(Modifier::UNDERLINED),
        }
    }

    /// Text while it is being typed.
    pub fn typed(self) -> Style {
        self.style(self.palette.bright).add_modifier(Modifier::UNDERLINED)
    }

    /// The squares of the entry that is selected in a panel: what stands there, and the ground.
    pub fn highlight(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::REVERSED),
            _ => self
                .style(self.palette.highlight)
                .bg(self.color(self.palette.highlight_ground)),
        }
    }

    /// Something the author should know.
    pub fn warning(self) -> Style {
        match (self.depth, self.ground) {
            // The nearest is yellow, which nobody reads on white.
            (Depth::Sixteen, Ground::Light) => Style::new().fg(Color::Magenta),
            _ => self.style(self.palette.warning),
        }
    }

    /// Something wrong.
    pub fn error(self) -> Style {
        self.style(self.palette.error).add_modifier(Modifier::BOLD)
    }

    /// Something done.
    pub fn good(self) -> Style {
        self.style(self.palette.good)
    }

    /// The colour of a generation's walls.
    pub fn generation(self, generation: u32) -> Color {
        let number = generation as usize % self.palette.generations.len();
        match self.depth {
            Depth::Sixteen => GENERATIONS_OF_SIXTEEN[self.ground as usize][number],
            _ => self.color(self.palette.generations[number]),
        }
    }

    /// The colour of what was laid in one of so many equal parts of a run, the first being part 0.
    pub(crate) fn age(self, part: usize, parts: usize) -> Color {
        let last = parts.saturating_sub(1);
        match (self.depth, self.ground) {
            (Depth::Sixteen, ground) => AGES_OF_SIXTEEN[ground as usize][part.min(last) * 4 / last.max(1)],
            _ => self.color(along(&self.palette.ages, part, last)),
        }
    }

    /// The colours of what appeared, what vanished and what stayed between two runs.
    pub(crate) fn changes(self) -> [Color; 3] {
        match self.depth {
            Depth::Sixteen => [Color::LightBlue, Color::Yellow, Color::DarkGray],
            _ => self.palette.changes.map(|rgb| self.color(rgb)),
        }
    }

    /// A layer of figures over the map, by its number: what is marked, and the ground under it.
    pub(crate) fn layer(self, number: usize) -> Style {
        self.over_ground(self.palette.layers[number.min(self.palette.layers.len() - 2)])
    }

    /// Squares in passages of a width: from the narrowest to halls of twelve and more.
    pub(crate) fn width(self, width: usize) -> Style {
        match self.depth {
            Depth::Sixteen => Style::new().fg(AGES_OF_SIXTEEN[self.ground as usize][width.saturating_sub(1).min(4)]),
            _ => self.over_ground(along(&self.palette.ages, width.clamp(1, 12) - 1, 11)),
        }
    }

    fn over_ground(self, rgb: Rgb) -> Style {
        let ink = self.palette.ink;
        let ground = std::array::from_fn(|i| ((u16::from(rgb[i]) * 3 + u16::from(ink[i]) * 5) / 8) as u8);
        match self.depth {
            Depth::None => Style::new(),
            Depth::Sixteen => self.style(rgb),
            Depth::Indexed | Depth::True => self.style(rgb).bg(self.color(ground)),
        }
    }

    /// The signs of entrance and exit.
    pub(crate) fn way_sign(self) -> Style {
        self.marked(self.palette.layers[self.palette.layers.len() - 1])
    }

    /// The colours of what a Builder looks at: the ground of free rows, that of the first row that is not free, and what it
    /// may build next.
    pub(crate) fn ahead(self) -> [Color; 3] {
        match (self.depth, self.ground) {
            (Depth::Sixteen, Ground::Dark) => [Color::Cyan, Color::LightRed, Color::White],
            (Depth::Sixteen, Ground::Light) => [Color::LightCyan, Color::LightYellow, Color::LightGreen],
            _ => self.palette.ahead.map(|rgb| self.color(rgb)),
        }
    }

    /// The frame in the small map of what the window shows.
    pub(crate) fn frame(self) -> Style {
        self.style(self.palette.cursor).add_modifier(Modifier::BOLD)
    }

    /// The colour of what stands on a square; `None` where it is open.
    pub fn tile(self, tile: Tile, mark: Mark) -> Option<Color> {
        let rgb = match (tile, mark) {
            (Tile::Open | Tile::Guaranteed, _) => return None,
            (_, Mark::Generation(generation)) => return Some(self.generation(u32::from(generation))),
            (Tile::Wall, Mark::Design) => self.palette.design,
            (Tile::HighWall, Mark::Design) => self.palette.high_wall,
            (Tile::Column, Mark::Design) => self.palette.column,
        };
        Some(self.color(rgb))
    }

    /// A colour that steps back, so that what is drawn over it is seen.
    pub fn faded(self, color: Color) -> Color {
        // Towards what is written on filled grounds, which is as the ground is.
        let ground = self.palette.ink;
        match color {
            Color::Rgb(red, green, blue) => {
                let part = |value: u8, ground: u8| ((u16::from(value) * 2 + u16::from(ground) * 5) / 7) as u8;
                Color::Rgb(part(red, ground[0]), part(green, ground[1]), part(blue, ground[2]))
            }
            Color::Reset => color,
            _ => match (self.depth, self.ground) {
                (Depth::Indexed, Ground::Dark) => Color::Indexed(238),
                (Depth::Indexed, Ground::Light) => Color::Indexed(252),
                (_, Ground::Dark) => Color::DarkGray,
                (_, Ground::Light) => Color::Gray,
            },
        }
    }

    /// The colour of a kind of tile, whoever put it there.
    pub(crate) fn kind(self, tile: Tile) -> Color {
        // Colours of generations, which keep apart from each other and from the design's.
        match tile {
            Tile::Open => Color::Reset,
            Tile::Wall => self.color(self.palette.design),
            Tile::HighWall => self.generation(1),
            Tile::Guaranteed => self.generation(2),
            Tile::Column => self.generation(3),
        }
    }

    /// The colour of a vault's feature; `None` for floor.
    pub fn feature(self, feature: Feature) -> Option<Color> {
        let rgb = match FeatureColour::of(feature)? {
            FeatureColour::Vault => self.palette.vault,
            FeatureColour::Text => self.palette.bright,
            FeatureColour::Design => self.palette.quiet,
            FeatureColour::Own(place) => self.palette.features[place],
        };
        Some(self.color(rgb))
    }

    /// Squares that are guaranteed to stay open.
    pub fn guaranteed(self) -> Style {
        self.style(self.palette.guaranteed)
    }

    /// A Builder that acts: bright, so that the heads of growing walls are seen from afar.
    pub(crate) fn builder(self) -> Style {
        self.marked(self.palette.bright)
    }

    /// The same where a character is too coarse to be filled.
    pub(crate) fn builder_afar(self) -> Style {
        self.style(self.palette.bright).add_modifier(Modifier::BOLD)
    }

    /// A Builder that sleeps, on a wall of a generation's colour.
    pub(crate) fn sleeper(self, wall: Option<Color>) -> Style {
        match wall {
            Some(wall) if self.depth != Depth::None => self.style(self.palette.ink).bg(wall),
            _ => self.quiet(),
        }
    }

    /// The square under the map's cursor, bright while the map has the focus.
    pub(crate) fn cursor(self, focused: bool) -> Style {
        self.marked(if focused {
            self.palette.cursor
        } else {
            self.palette.quiet
        })
    }

    fn marked(self, rgb: Rgb) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if self.depth == Depth::None {
            style.add_modifier(Modifier::REVERSED)
        } else {
            style.fg(self.color(self.palette.ink)).bg(self.color(rgb))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_matters_is_told_without_colours_too() {
        let plain = Theme::new(Depth::None);
        assert_ne!(plain.accent(), plain.quiet());
        // Drawn over a bold title.
        let over = |style: Style| plain.title(true).patch(style);
        assert_ne!(over(plain.tab(true)), over(plain.tab(false)));
        let light = Theme::new(Depth::Sixteen).on(Ground::Light);
        assert_ne!(light.warning().fg, Some(Color::Yellow));
        for theme in [plain, light, Theme::new(Depth::Sixteen)] {
            assert_ne!(theme.idle(), theme.quiet());
            assert_ne!(theme.idle().fg, Some(Color::DarkGray));
        }
    }

    #[test]
    fn generations_past_nine_follow_on() {
        for theme in [Depth::Sixteen, Depth::Indexed, Depth::True].map(Theme::new) {
            assert_eq!(theme.generation(13), theme.generation(3));
            assert_ne!(theme.generation(13), theme.generation(4));
        }
        assert_eq!(Theme::new(Depth::None).generation(3), Color::Reset);
    }

    #[test]
    fn the_ground_can_be_changed_there_and_back() {
        let dark = Theme::new(Depth::True);
        let light = dark.on(Ground::Light);
        assert_ne!(dark.generation(0), light.generation(0));
        assert_eq!(light.on(Ground::Dark), dark);
    }
}
