//! The names with which the settings file overrides colours of the palette.

use super::Theme;
use super::palette::{FEATURES, Ground, Palette, Rgb};
use crate::settings::{Colour, ColourName};

/// Names that colours had in earlier versions and that settings may still use, each with the current name.
const FORMER: [(&str, &str); 5] = [
    ("way", "path"),
    ("reached", "reachable"),
    ("way-sign", "entrance-exit"),
    ("seen", "free"),
    ("highlight-ground", "highlight-background"),
];

impl Palette {
    /// Returns the name of every colour of the palette, with a mutable reference to the colour.
    fn named(&mut self) -> Vec<(String, &mut Rgb)> {
        let numbered = |name: &'static str| move |(i, rgb)| (format!("{name}-{i}"), rgb);
        let mut all: Vec<(String, &mut Rgb)> = Vec::new();
        all.extend(self.generations.iter_mut().enumerate().map(numbered("generation")));
        all.extend(self.ages.iter_mut().enumerate().map(numbered("age")));
        let layers = [
            "path",
            "reachable",
            "enclosed",
            "dead-end",
            "junction",
            "outer-wall",
            "entrance-exit",
        ]
        .map(str::to_owned);
        all.extend(layers.into_iter().zip(&mut self.layers));
        let changes = ["appeared", "vanished", "same"].map(str::to_owned);
        all.extend(changes.into_iter().zip(&mut self.changes));
        let ahead = ["free", "not-free", "next"].map(str::to_owned);
        all.extend(ahead.into_iter().zip(&mut self.ahead));
        let others = [
            ("design", &mut self.design),
            ("high-wall", &mut self.high_wall),
            ("column", &mut self.column),
            ("vault", &mut self.vault),
            ("guaranteed", &mut self.guaranteed),
            ("accent", &mut self.accent),
            ("border", &mut self.border),
            ("quiet", &mut self.quiet),
            ("warning", &mut self.warning),
            ("error", &mut self.error),
            ("good", &mut self.good),
            ("highlight", &mut self.highlight),
            ("highlight-background", &mut self.highlight_ground),
            ("ink", &mut self.ink),
            ("cursor", &mut self.cursor),
            ("bright", &mut self.bright),
        ];
        all.extend(others.map(|(name, rgb)| (name.to_owned(), rgb)));
        all.extend(
            FEATURES
                .map(|(name, _)| name.to_owned())
                .into_iter()
                .zip(&mut self.features),
        );
        all
    }
}

impl Theme {
    /// Returns the names of all colours, with their values on a dark background.
    pub(crate) fn names() -> Vec<ColourName> {
        let mut palette = Palette::of(Ground::Dark);
        let named = palette.named().into_iter();
        let former = |name: &str| FORMER.iter().find(|(_, now)| *now == name).map(|(former, _)| *former);
        named
            .map(|(name, rgb)| ColourName {
                former: former(&name),
                name,
                rgb: *rgb,
            })
            .collect()
    }

    /// Returns the theme with the user's colours; unknown names are ignored.
    #[must_use]
    pub(crate) fn with(mut self, colours: &[Colour]) -> Self {
        for (name, rgb) in self.palette.named() {
            if let Some(colour) = colours.iter().find(|colour| colour.name == name) {
                *rgb = colour.rgb;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Color;

    use super::*;
    use crate::tui::theme::Depth;

    #[test]
    fn former_names_belong_to_one_colour_each() {
        let names = Theme::names();
        for (former, now) in FORMER {
            assert!(names.iter().all(|colour| colour.name != former), "{former}");
            let found = names.iter().find(|colour| colour.former == Some(former));
            assert_eq!(found.map(|colour| colour.name.as_str()), Some(now), "{former}");
        }
    }

    #[test]
    fn every_colour_can_be_changed_by_its_name() {
        let names = Theme::names();
        assert_eq!(names.len(), 10 + 5 + 3 + 3 + 7 + 16 + FEATURES.len());
        let plain = Theme::new(Depth::True).on(Ground::Light);
        for name in &names {
            let colour = |rgb| Colour {
                name: name.name.clone(),
                rgb,
            };
            assert_ne!(plain.with(&[colour([1, 2, 3])]), plain, "{}", name.name);
            assert_eq!(names.iter().filter(|other| other.name == name.name).count(), 1);
        }
        let colour = Colour {
            name: "generation-3".into(),
            rgb: [1, 2, 3],
        };
        assert_eq!(plain.with(&[colour]).generation(13), Color::Rgb(1, 2, 3));
        let unknown = Colour {
            name: "nothing".into(),
            rgb: [1, 2, 3],
        };
        assert_eq!(plain.with(&[unknown]), plain);
    }

    #[test]
    fn colours_can_be_changed_with_sixteen_colours() {
        for plain in [Ground::Dark, Ground::Light].map(|ground| Theme::new(Depth::Sixteen).on(ground)) {
            // The value of the ANSI colour red.
            let red = |name: &str| {
                plain.with(&[Colour {
                    name: name.into(),
                    rgb: [205, 49, 49],
                }])
            };
            assert_eq!(red("generation-3").generation(13), Color::Red);
            assert_eq!(red("generation-3").generation(4), plain.generation(4));
            assert_eq!(red("age-4").age(4, 5), Color::Red);
            assert_eq!(red("age-0").width(1).fg, Some(Color::Red));
            assert_eq!(red("appeared").changes()[0], Color::Red);
            assert_eq!(red("next").lookahead_colors()[2], Color::Red);
            assert_eq!(red("warning").warning().fg, Some(Color::Red));
        }
    }
}
