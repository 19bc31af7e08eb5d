//! The theme: colours and styles, named by their meaning.
//!
//! [`palette`] defines every colour on the screen twice, for dark and for light backgrounds. The [`Theme`] reduces the
//! colours to those that the terminal supports: true colour, 256 colours, 16 colours or, if NO_COLOR is set, none.
//! Drawing code requests styles from the theme by their meaning, never by colour.

mod named;
mod palette;

use ratatui::style::{Color, Modifier, Style};

pub use self::palette::Ground;
use self::palette::{
    AGES_OF_SIXTEEN, FeatureColour, GENERATIONS_OF_SIXTEEN, Palette, Rgb, along, nearest_index, nearest_of_sixteen,
    rgb_of,
};
use crate::design::Feature;
use crate::engine::{Mark, Tile};
use crate::export;

/// The number of colours that the terminal supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// No colours, because NO_COLOR is set.
    None,
    /// The 16 ANSI colours.
    Sixteen,
    /// 256 colours, which include a cube of six steps each of red, green and blue.
    Indexed,
    /// 24-bit colour.
    True,
}

impl Depth {
    /// Detects the depth from the environment variables NO_COLOR, COLORTERM, TERM and WT_SESSION (Windows Terminal).
    /// `variable` returns the value of an environment variable.
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

/// Styles by meaning, for one colour depth and one background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    depth: Depth,
    ground: Ground,
    palette: Palette,
}

impl Theme {
    /// Creates the theme for a colour depth and a dark background.
    pub fn new(depth: Depth) -> Self {
        Self {
            depth,
            ground: Ground::Dark,
            palette: Palette::of(Ground::Dark),
        }
    }

    /// Returns the theme for another background.
    #[must_use]
    pub fn on(self, ground: Ground) -> Self {
        Self {
            ground,
            palette: Palette::of(ground),
            ..self
        }
    }

    /// Returns the colour depth.
    pub const fn depth(&self) -> Depth {
        self.depth
    }

    /// Returns the background for which the theme is made.
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

    /// Returns the red, green and blue of a colour; for the sixteen ANSI colours, the values that terminals commonly
    /// use. Returns `None` for the terminal's default colour.
    pub(crate) fn rgb(color: Color) -> Option<Rgb> {
        rgb_of(color)
    }

    /// Reduces a colour that is not part of the palette, such as one of a picture, to the terminal's colours.
    pub(crate) fn exact(self, rgb: Rgb) -> Color {
        self.color(rgb)
    }

    fn style(self, rgb: Rgb) -> Style {
        Style::new().fg(self.color(rgb))
    }

    /// Returns whether the colours that `part` returns are replaced by colours chosen from the 16 ANSI colours, instead
    /// of the nearest ones: the terminal has 16 colours, and the settings do not change this part of the palette.
    fn uses_sixteen_table<T: PartialEq>(&self, part: impl Fn(&Palette) -> T) -> bool {
        self.depth == Depth::Sixteen && part(&self.palette) == part(Palette::unchanged(self.ground))
    }

    /// Returns the style of plain text.
    pub fn text(self) -> Style {
        Style::new()
    }

    /// Returns the style of subdued text: labels, units, hints.
    pub fn quiet(self) -> Style {
        self.style(self.palette.quiet)
    }

    /// Returns the style of a value that currently has no effect.
    pub fn idle(self) -> Style {
        match self.depth {
            // Keeps the default colour, since the grey of quiet text is hardly visible when dimmed.
            Depth::None | Depth::Sixteen => Style::new().add_modifier(Modifier::DIM),
            Depth::Indexed | Depth::True => self.style(self.palette.border),
        }
    }

    /// Returns the style of emphasized text: focused titles, keys.
    pub fn accent(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::BOLD),
            _ => self.style(self.palette.accent),
        }
    }

    /// Returns the style of a heading.
    pub fn heading(self) -> Style {
        self.accent().add_modifier(Modifier::BOLD)
    }

    /// Returns the style of a border.
    pub fn border(self, focused: bool) -> Style {
        if focused {
            self.accent()
        } else {
            self.style(self.palette.border)
        }
    }

    /// Returns the style of a title in a border.
    pub fn title(self, focused: bool) -> Style {
        if focused {
            self.heading()
        } else {
            Style::new().fg(Color::Reset)
        }
    }

    /// Returns the style of a tab's title in a border; `shown` means that the pane shows the content of this tab.
    pub fn tab(self, shown: bool) -> Style {
        match (self.depth, shown) {
            (Depth::None, true) => self.heading().add_modifier(Modifier::REVERSED),
            (_, true) => self.heading(),
            // While the pane is focused, its title is bold, but the titles of the other tabs must not be bold.
            (_, false) => self.quiet().remove_modifier(Modifier::BOLD),
        }
    }

    /// Returns the style of the selected entry or field.
    pub fn selected(self, focused: bool) -> Style {
        match (self.depth, focused) {
            (Depth::None, true) => Style::new().add_modifier(Modifier::REVERSED),
            (Depth::None, false) => Style::new().add_modifier(Modifier::UNDERLINED),
            (_, true) => self.style(self.palette.ink).bg(self.color(self.palette.accent)),
            (_, false) => self.accent().add_modifier(Modifier::UNDERLINED),
        }
    }

    /// Returns the style of text being typed.
    pub fn typed(self) -> Style {
        self.style(self.palette.bright).add_modifier(Modifier::UNDERLINED)
    }

    /// Returns the style of the squares that belong to a panel's selected entry: foreground and background.
    pub fn highlight(self) -> Style {
        match self.depth {
            Depth::None => Style::new().add_modifier(Modifier::REVERSED),
            _ => self
                .style(self.palette.highlight)
                .bg(self.color(self.palette.highlight_ground)),
        }
    }

    /// Returns the style of a warning.
    pub fn warning(self) -> Style {
        match self.ground {
            // The nearest of the sixteen colours is yellow, which is unreadable on white.
            Ground::Light if self.uses_sixteen_table(|palette| palette.warning) => Style::new().fg(Color::Magenta),
            _ => self.style(self.palette.warning),
        }
    }

    /// Returns the style of an error.
    pub fn error(self) -> Style {
        self.style(self.palette.error).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of success.
    pub fn good(self) -> Style {
        self.style(self.palette.good)
    }

    /// Returns the colour of a generation's walls.
    pub fn generation(self, generation: u32) -> Color {
        let number = generation as usize % self.palette.generations.len();
        if self.uses_sixteen_table(|palette| palette.generations[number]) {
            GENERATIONS_OF_SIXTEEN[self.ground as usize][number]
        } else {
            self.color(self.palette.generations[number])
        }
    }

    /// Returns the colour of text about a generation: the colour of its walls. On a light background, this colour is
    /// darkened until the text is readable: letters need more contrast than filled squares.
    pub fn generation_text(self, generation: u32) -> Color {
        let rgb = self.palette.generations[generation as usize % self.palette.generations.len()];
        match (self.depth, self.ground) {
            // With 256 colours, several generations would get the same darkened colour.
            (Depth::True, Ground::Light) => self.color(readable_on_white(rgb)),
            _ => self.generation(generation),
        }
    }

    /// Returns the colour of tiles by their age. The run is divided into `parts` equal parts; the tiles were laid in
    /// the part with the index `part`, counted from 0.
    pub(crate) fn age(self, part: usize, parts: usize) -> Color {
        let last = parts.saturating_sub(1);
        if self.uses_sixteen_table(|palette| palette.ages) {
            AGES_OF_SIXTEEN[self.ground as usize][part.min(last) * 4 / last.max(1)]
        } else {
            self.color(along(&self.palette.ages, part, last))
        }
    }

    /// Returns the background colour for a shade of the heat map, from 0 (for the lowest counts) to 4 (for the
    /// highest), and the colour of text on this background; `None` if the terminal has too few colours for an even
    /// scale.
    pub(crate) fn density(self, shade: usize) -> Option<(Color, Color)> {
        let ground = match self.ground {
            Ground::Dark => export::Ground::Dark,
            Ground::Light => export::Ground::Light,
        };
        let shades = export::density(ground);
        let rgb = shades[shade.min(shades.len() - 1)];
        // At this luminance, black and white text have the same contrast.
        let ink = if export::luminance(rgb) > 0.18 {
            [0; 3]
        } else {
            [255; 3]
        };
        matches!(self.depth, Depth::Indexed | Depth::True).then(|| (self.color(rgb), self.color(ink)))
    }

    /// Returns the colours of tiles that appeared, vanished or stayed the same between two runs.
    pub(crate) fn changes(self) -> [Color; 3] {
        match self.ground {
            _ if !self.uses_sixteen_table(|palette| palette.changes) => self.palette.changes.map(|rgb| self.color(rgb)),
            Ground::Dark => [Color::LightBlue, Color::Yellow, Color::DarkGray],
            Ground::Light => [Color::Blue, Color::Red, Color::DarkGray],
        }
    }

    /// Returns the style (foreground and background) of the metrics layer with the index `number`.
    pub(crate) fn layer(self, number: usize) -> Style {
        self.over_ground(self.palette.layers[number.min(self.palette.layers.len() - 2)])
    }

    /// Returns the style of squares in passages that are `width` squares wide. All widths from 12 up share a style; with
    /// the built-in choice of 16 colours, all widths from 5 up.
    pub(crate) fn width(self, width: usize) -> Style {
        if self.uses_sixteen_table(|palette| palette.ages) {
            Style::new().fg(AGES_OF_SIXTEEN[self.ground as usize][width.saturating_sub(1).min(4)])
        } else {
            self.over_ground(along(&self.palette.ages, width.clamp(1, 12) - 1, 11))
        }
    }

    /// Returns the style of squares in a layer of 12 levels, such as twelfths of the largest view; `level` is 1 to 12.
    pub(crate) fn level(self, level: usize) -> Style {
        match self.depth {
            Depth::Sixteen => Style::new().fg(self.age(level.saturating_sub(1), 12)),
            _ => self.width(level),
        }
    }

    /// Returns the colour of floor that a walker sees now (`in_sight`) or has seen before.
    pub(crate) fn walked(self, in_sight: bool) -> Color {
        match (self.depth, self.ground, in_sight) {
            (Depth::Sixteen, Ground::Dark, true) | (Depth::Sixteen, Ground::Light, false) => Color::Gray,
            (Depth::Sixteen, Ground::Dark, false) => Color::DarkGray,
            (Depth::Sixteen, Ground::Light, true) => Color::LightYellow,
            (_, _, true) => self.color(self.on_ground(self.palette.layers[0], 3)),
            (_, _, false) => self.color(self.on_ground(self.palette.quiet, 2)),
        }
    }

    /// Blends a colour with `ink`, which is close to the terminal's background; `eighths` is the colour's share in
    /// eighths.
    fn on_ground(self, rgb: Rgb, eighths: u16) -> Rgb {
        let ink = self.palette.ink;
        std::array::from_fn(|i| ((u16::from(rgb[i]) * eighths + u16::from(ink[i]) * (8 - eighths)) / 8) as u8)
    }

    fn over_ground(self, rgb: Rgb) -> Style {
        let ground = self.on_ground(rgb, 3);
        match self.depth {
            Depth::None => Style::new(),
            Depth::Sixteen => self.style(rgb),
            Depth::Indexed | Depth::True => self.style(rgb).bg(self.color(ground)),
        }
    }

    /// Returns the style of the entrance and exit symbols.
    pub(crate) fn endpoint_style(self) -> Style {
        self.marked(self.palette.layers[self.palette.layers.len() - 1])
    }

    /// Returns the colours of a Builder's look-ahead: the background of free rows, the background of the first row
    /// that is not free, and the colour of tiles that the Builder may build next.
    pub(crate) fn lookahead_colors(self) -> [Color; 3] {
        match self.ground {
            _ if !self.uses_sixteen_table(|palette| palette.ahead) => self.palette.ahead.map(|rgb| self.color(rgb)),
            Ground::Dark => [Color::Cyan, Color::LightRed, Color::White],
            Ground::Light => [Color::LightCyan, Color::LightYellow, Color::LightGreen],
        }
    }

    /// Returns the style of the viewport's frame in the minimap.
    pub(crate) fn frame(self) -> Style {
        self.style(self.palette.cursor).add_modifier(Modifier::BOLD)
    }

    /// Returns the colour of a tile by what placed it; `None` for open squares.
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

    /// Returns a subdued form of a colour, so that symbols drawn over it stay visible.
    pub fn faded(self, color: Color) -> Color {
        // `ink`, the colour of text on filled backgrounds, is close to the terminal's background.
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

    /// Returns the colour of a kind of tile, regardless of what placed it.
    pub(crate) fn kind(self, tile: Tile) -> Color {
        // The colours of generations are used because they differ clearly from each other and from the grey of walls.
        match tile {
            Tile::Open => Color::Reset,
            Tile::Wall => self.color(self.palette.design),
            Tile::HighWall => self.generation(1),
            Tile::Guaranteed => self.generation(2),
            Tile::Column => self.generation(3),
        }
    }

    /// Returns the colour of a vault's feature; `None` for floor.
    pub fn feature(self, feature: Feature) -> Option<Color> {
        let rgb = match FeatureColour::of(feature)? {
            FeatureColour::Vault => self.palette.vault,
            FeatureColour::Text => self.palette.bright,
            FeatureColour::Design => self.palette.quiet,
            FeatureColour::Own(place) => self.palette.features[place],
        };
        Some(self.color(rgb))
    }

    /// Returns the style of squares that are guaranteed to stay open.
    pub fn guaranteed(self) -> Style {
        self.style(self.palette.guaranteed)
    }

    /// Returns the style of an acting Builder: bright, so that the heads of growing walls stand out.
    pub(crate) fn builder(self) -> Style {
        self.marked(self.palette.bright)
    }

    /// Returns the style of an acting Builder while the map is drawn in dots. The timelines use the same style for the
    /// current moment.
    pub(crate) fn distant_builder(self) -> Style {
        self.style(self.palette.bright).add_modifier(Modifier::BOLD)
    }

    /// Returns the style of a sleeping Builder. `wall` is the colour of the wall under the Builder; `None` or
    /// [`Color::Reset`] if the Builder is not on a coloured wall.
    pub(crate) fn sleeper(self, wall: Option<Color>) -> Style {
        match wall {
            Some(wall) if wall != Color::Reset => self.style(self.palette.ink).bg(wall),
            _ => self.quiet(),
        }
    }

    /// Returns the style of the square under the map's cursor: conspicuous while the map is focused, subdued otherwise.
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

/// Returns a colour, darkened until its contrast to white is at least 4.5 to 1.
fn readable_on_white(rgb: Rgb) -> Rgb {
    const MOST: f64 = 1.05 / 4.5 - 0.05;
    let darker = |parts: u32| rgb.map(|value| (u32::from(value) * parts / 20) as u8);
    (0..=20)
        .rev()
        .map(darker)
        .find(|rgb| export::luminance(*rgb) <= MOST)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_determines_the_colour_depth() {
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
    fn important_styles_differ_without_colours() {
        let plain = Theme::new(Depth::None);
        assert_ne!(plain.accent(), plain.quiet());
        // Tabs are drawn over a bold title.
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
    fn a_sleeper_on_a_wall_without_colour_is_visible() {
        for theme in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True].map(Theme::new) {
            assert_eq!(theme.sleeper(Some(Color::Reset)), theme.quiet());
        }
        assert_eq!(
            Theme::new(Depth::Sixteen).sleeper(Some(Color::Red)).bg,
            Some(Color::Red)
        );
    }

    #[test]
    fn changes_can_be_read_on_white_with_sixteen_colours() {
        for color in Theme::new(Depth::Sixteen).on(Ground::Light).changes() {
            let contrast = 1.05 / (export::luminance(Theme::rgb(color).unwrap()) + 0.05);
            assert!(contrast >= 4.5, "{color:?}: {contrast:.1}");
        }
    }

    #[test]
    fn the_upper_levels_of_a_layer_differ_with_sixteen_colours() {
        for ground in [Ground::Dark, Ground::Light] {
            let styles = [1, 6, 12].map(|level| Theme::new(Depth::Sixteen).on(ground).level(level));
            assert!(styles[0] != styles[1] && styles[1] != styles[2], "{styles:?}");
        }
    }

    #[test]
    fn generations_past_nine_repeat_the_colours() {
        for theme in [Depth::Sixteen, Depth::Indexed, Depth::True].map(Theme::new) {
            assert_eq!(theme.generation(13), theme.generation(3));
            assert_ne!(theme.generation(13), theme.generation(4));
        }
        assert_eq!(Theme::new(Depth::None).generation(3), Color::Reset);
    }

    #[test]
    fn the_background_can_be_switched_and_switched_back() {
        let dark = Theme::new(Depth::True);
        let light = dark.on(Ground::Light);
        assert_ne!(dark.generation(0), light.generation(0));
        assert_eq!(light.on(Ground::Dark), dark);
    }

    #[test]
    fn text_about_generations_can_be_read_on_white() {
        let theme = Theme::new(Depth::True).on(Ground::Light);
        for generation in 0..10 {
            let rgb = theme.palette.generations[generation as usize];
            let text = readable_on_white(rgb);
            let contrast = 1.05 / (export::luminance(text) + 0.05);
            assert!(contrast >= 4.5, "generation {generation}: {contrast:.1}");
            let is_readable = 1.05 / (export::luminance(rgb) + 0.05) >= 4.5;
            assert_eq!(text == rgb, is_readable, "generation {generation}");
            let mut others = (0..generation).map(|other| theme.generation_text(other));
            let own = theme.generation_text(generation);
            assert!(others.all(|other| other != own), "generation {generation}");
        }
        let dark = Theme::new(Depth::True);
        assert_eq!(dark.generation_text(6), dark.generation(6));
    }
}
