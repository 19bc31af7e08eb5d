//! Draws a resolved vault: its features in the colours of the map, its contents as numbers, and a legend below.

use std::collections::BTreeMap;
use std::io::Write;

use super::chart::{Anchor, Chart};
use super::palette::{luminance, mixed};
use super::{ExportError, Ground, Palette, Rgb, font};
use crate::design::feature::{Class, Feature};
use crate::design::{PlacedVault, VaultContent};
use crate::geometry::Point;

/// Side length of a square in pixels.
const SQUARE: u32 = 16;
/// Number of pixels per font pixel in the title and the legend.
const TEXT: u32 = 2;
/// Height of a line of the legend, and gap between the elements of the picture, in pixels.
const LINE: u32 = font::HEIGHT * TEXT + 8;
const GAP: u32 = 10;
/// Minimum width of the picture in pixels, so that a small vault has a readable legend.
const LEAST_WIDTH: u32 = 480;
/// Maximum number of characters in an entry of the legend.
const LONGEST: usize = 90;

/// A picture of a vault.
#[derive(Debug, Clone, Copy)]
pub struct VaultPicture<'a> {
    /// The vault to draw.
    pub vault: &'a PlacedVault,
    /// Title, such as the map's name and seed.
    pub title: &'a str,
    /// Background that the colours are chosen for.
    pub ground: Ground,
}

/// An entry of the legend.
struct LegendEntry {
    /// `Ok` with the colour of a feature, or `Err` with the number of a monster, an item or other content.
    sign: Result<Rgb, usize>,
    text: String,
}

impl VaultPicture<'_> {
    /// Writes the picture as SVG.
    ///
    /// # Errors
    ///
    /// Fails if writing fails.
    pub fn svg(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        self.chart().svg(out)
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    ///
    /// Fails if writing fails or the picture would be too large.
    pub fn png(&self, out: &mut dyn Write) -> Result<(), ExportError> {
        self.chart().png(out)
    }

    fn chart(&self) -> Chart {
        let palette = Palette::of(self.ground);
        let (numbers, legend) = self.legend(&palette);
        let [wide, high] = [self.vault.size.y, self.vault.size.x].map(|side| side.max(0) as u32 * SQUARE);
        let length = |text: &str| font::width(text) * TEXT;
        let longest = legend.iter().map(|entry| length(&entry.text)).max().unwrap_or(0);
        let width = (wide.max(length(self.title)).max(longest + 2 * LINE + GAP) + 2 * GAP).max(LEAST_WIDTH);
        let top = GAP + LINE + GAP;
        let below = top + high + 2 * GAP;
        let mut chart = Chart::new(
            width,
            below + legend.len() as u32 * LINE + GAP,
            self.title,
            palette.ground,
        );
        chart.text([GAP, GAP], Anchor::Start, self.title, palette.text, TEXT);
        for (at, feature) in self.vault.features() {
            self.square(&mut chart, [GAP, top], at, feature, &palette, &numbers);
        }
        for (row, entry) in (0..).zip(&legend) {
            let place = [GAP, below + row * LINE];
            match entry.sign {
                Ok(fill) => chart.rect([place[0], place[1], LINE, LINE - 6], fill, String::new()),
                Err(number) => chart.text(place, Anchor::Start, &number.to_string(), palette.text, TEXT),
            }
            let beside = [GAP + 2 * LINE, place[1]];
            chart.text(beside, Anchor::Start, &entry.text, palette.text, TEXT);
        }
        chart
    }

    /// Draws a square. If it has contents, also draws the number that the first of them has in the legend.
    fn square(
        &self,
        chart: &mut Chart,
        [left, top]: [u32; 2],
        at: Point,
        feature: Feature,
        palette: &Palette,
        numbers: &BTreeMap<String, usize>,
    ) {
        let (down, across) = ((at.x - self.vault.at.x) as u32, (at.y - self.vault.at.y) as u32);
        let place = [left + across * SQUARE, top + down * SQUARE];
        let fill = colour(feature, palette);
        let mut hint = vec![feature.name().replace('_', " ")];
        hint.extend(self.vault.contents_at(at).map(ToString::to_string));
        chart.rect([place[0], place[1], SQUARE, SQUARE], fill, hint.join("; "));
        let number = self
            .vault
            .contents_at(at)
            .find_map(|content| numbers.get(&label(content)));
        if let Some(number) = number {
            let ink = if luminance(fill) > 0.18 { [0; 3] } else { [255; 3] };
            let middle = [place[0] + SQUARE / 2, place[1] + (SQUARE - font::HEIGHT) / 2];
            chart.text(middle, Anchor::Middle, &number.to_string(), ink, 1);
        }
    }

    /// Numbers the contents. Returns a map from the text of each content to its number, and the legend: the features
    /// sorted by class, then the contents.
    fn legend(&self, palette: &Palette) -> (BTreeMap<String, usize>, Vec<LegendEntry>) {
        let mut features: Vec<Feature> = self.vault.features().map(|(_, feature)| feature).collect();
        features.sort_by_key(|feature| (feature.class(), feature.name()));
        features.dedup();
        let mut legend: Vec<LegendEntry> = features
            .into_iter()
            .map(|feature| LegendEntry {
                sign: Ok(colour(feature, palette)),
                text: feature.name().replace('_', " "),
            })
            .collect();
        let mut numbers = BTreeMap::new();
        for content in &self.vault.contents {
            let label = label(content);
            if numbers.contains_key(&label) {
                continue;
            }
            let number = numbers.len() + 1;
            legend.push(LegendEntry {
                sign: Err(number),
                text: label.clone(),
            });
            numbers.insert(label, number);
        }
        (numbers, legend)
    }
}

/// Returns the text that describes a monster, an item or other content in the legend, shortened to [`LONGEST`]
/// characters.
fn label(content: &VaultContent) -> String {
    let text = content.to_string();
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST - 3).collect::<String>() + "..."
}

/// Returns the colour of a feature. The colour of floor differs slightly from that of squares outside the vault.
fn colour(feature: Feature, palette: &Palette) -> Rgb {
    if feature.class() == Class::Floor {
        return mixed(palette.ground, palette.text, 1, 8);
    }
    palette.feature(feature).unwrap_or(palette.guaranteed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::ContentKind;
    use crate::geometry::Size;

    #[test]
    fn a_vault_is_drawn_with_its_contents_numbered_in_the_legend() {
        let feature = |name: &str| Feature::by_name(name);
        let content = |y: i32, kind: ContentKind, text: &str| VaultContent {
            at: Point::new(5, 6 + y),
            kind,
            text: text.to_owned(),
            properties: Vec::new(),
        };
        let vault = PlacedVault {
            vault: 0,
            name: "hall".into(),
            at: Point::new(5, 6),
            size: Size::new(1, 4),
            squares: vec![feature("rock_wall"), feature("floor"), feature("floor"), None],
            exits: Vec::new(),
            contents: vec![
                content(1, ContentKind::Monster, "orc"),
                content(2, ContentKind::Monster, "orc"),
                content(2, ContentKind::Item, "<ring>"),
            ],
        };
        let picture = VaultPicture {
            vault: &vault,
            title: "hall, seed 1",
            ground: Ground::Light,
        };
        let mut svg = Vec::new();
        picture.svg(&mut svg).expect("an SVG");
        let svg = String::from_utf8(svg).expect("text");
        assert_eq!(svg.matches(">1</text>").count(), 3, "two squares and the legend: {svg}");
        for text in [
            ">monster: orc</text>",
            ">item: &lt;ring&gt;</text>",
            ">rock wall</text>",
            "<title>floor; monster: orc; item",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let mut png = Vec::new();
        picture.png(&mut png).expect("a PNG");
        let mut reader = png::Decoder::new(std::io::Cursor::new(&png))
            .read_info()
            .expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        let palette = reader.info().palette.clone().expect("colours");
        let at = |x: usize, y: usize| {
            let number = usize::from(pixels[y * info.line_size + x]);
            [palette[3 * number], palette[3 * number + 1], palette[3 * number + 2]]
        };
        let light = Palette::of(Ground::Light);
        let top = (GAP + LINE + GAP) as usize;
        assert_eq!(at(11, top + 1), colour(feature("rock_wall").expect("rock"), &light));
        assert_eq!(at(11 + 16, top + 1), mixed(light.ground, light.text, 1, 8));
        assert_eq!(at(11 + 48, top + 1), light.ground);
    }
}
