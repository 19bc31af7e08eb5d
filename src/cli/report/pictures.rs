//! Draws the pictures of a report: dungeons and a map of the expressive range, each for light and for dark pages.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::page::Picture;
use crate::document::SeededDesign;
use crate::engine::Options;
use crate::export::{
    self, ColourBy, DungeonView, ExportError, ExportKind, ExportOptions, Ground, Painting, RangePicture, Rgb,
};

/// Maximum length in pixels of the longer side of an enlarged picture. The picture of a dungeon that is too large to be
/// enlarged has one pixel for each square.
const SIDE: u32 = 360;

/// Maximum number of squares of a dungeon in a picture; with pictures of larger dungeons, a report would be too large
/// to open.
const MOST_SQUARES: u64 = 1_000_000;

/// Name of the picture of the expressive range.
pub(super) const RANGE: &str = "range";

/// Prefix of the names of dungeon pictures; the seed follows.
const OF_SEED: &str = "seed-";

/// Backgrounds, in the order of [`Picture::png`].
const GROUNDS: [Ground; 2] = [Ground::Light, Ground::Dark];

/// A cache of dungeon pictures, which draws each dungeon only once.
pub(super) struct Pictures<'a> {
    seeded: &'a SeededDesign,
    options: Options,
    made: BTreeMap<u64, Option<Picture>>,
    /// Legend of the dungeons drawn so far: names with their colours on light and on dark pages.
    pub(super) colours: Vec<(String, [Rgb; 2])>,
}

impl<'a> Pictures<'a> {
    pub(super) const fn new(seeded: &'a SeededDesign, options: Options) -> Self {
        Self {
            seeded,
            options,
            made: BTreeMap::new(),
            colours: Vec::new(),
        }
    }

    /// Returns the picture of a seed's dungeon. Returns `None` if the dungeon is too large or cannot be grown.
    pub(super) fn of(&mut self, seed: u64, alt: &str) -> Option<Picture> {
        if !self.made.contains_key(&seed) {
            let picture = self.make(seed).ok();
            self.made.insert(seed, picture);
        }
        let picture = self.made.get(&seed)?.clone()?;
        Some(Picture {
            alt: alt.to_owned(),
            ..picture
        })
    }

    fn make(&mut self, seed: u64) -> Result<Picture, ExportError> {
        let size = self.seeded.design().layout.size;
        let cannot = |why: &str| ExportError::Cannot(why.to_owned());
        if size.squares() > MOST_SQUARES {
            return Err(cannot("the dungeon is too large for a report"));
        }
        let design = self.seeded.seeds().design(seed);
        let design = design.ok_or_else(|| cannot("the design cannot be grown from this seed"))?;
        let mut watch = |_, _| ControlFlow::Continue(());
        let recording = DungeonView::grow(&design, self.options, &mut watch)?;
        let view = DungeonView::new(&design, &recording, recording.turns());
        let [light, dark] = GROUNDS.map(|ground| Painting::new(&view, ColourBy::Generation, ground));
        for (light, dark) in light.parts().iter().zip(dark.parts()).skip(1) {
            let is_new = self.colours.iter().all(|(name, _)| *name != light.name);
            if is_new {
                self.colours.push((light.name.clone(), [light.rgb, dark.rgb]));
            }
        }
        let longer = size.x.max(size.y).max(1) as u32;
        let scale = (SIDE / longer).clamp(1, 8);
        let mut png = [Vec::new(), Vec::new()];
        for (bytes, ground) in png.iter_mut().zip(GROUNDS) {
            let options = ExportOptions {
                ground: Some(ground),
                scale: Some(scale),
                ..ExportOptions::default()
            };
            export::write(ExportKind::Png, &view, &options, "", bytes, &mut watch)?;
        }
        Ok(Picture {
            name: format!("{OF_SEED}{seed}"),
            alt: String::new(),
            png,
            svg: None,
            size: [size.y as u32 * scale, size.x as u32 * scale],
        })
    }
}

/// Returns the seed of the dungeon that a picture with this name shows; `None` if it shows no dungeon.
pub(super) fn seed_of(name: &str) -> Option<u64> {
    name.strip_prefix(OF_SEED)?.parse().ok()
}

/// Draws a map of the expressive range; returns `None` if it cannot be drawn.
pub(super) fn of_map(picture: RangePicture<'_>, alt: String) -> Option<Picture> {
    let mut png = [Vec::new(), Vec::new()];
    let mut svg = png.clone();
    for (place, ground) in GROUNDS.into_iter().enumerate() {
        let picture = RangePicture { ground, ..picture };
        picture.png(&mut png[place]).ok()?;
        picture.svg(&mut svg[place]).ok()?;
    }
    Some(Picture {
        name: RANGE.to_owned(),
        alt,
        size: picture.size(),
        svg: Some(svg),
        png,
    })
}
