//! What is kept of a dungeon where thousands are looked at: the value of every figure, without the places.
//!
//! A [`Gist`] answers every expression as the [`Figures`] that it was made of do, and takes less than a kilobyte.

use serde::{Deserialize, Serialize};

use super::figures::{Figures, GroundFigures, share};
use super::oddity::Oddity;
use super::values::{Known, Value};
use crate::design::expect::{Area, FIGURES, Figure, Plain, Says};

/// What an expression may ask of a room or vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct GroundGist {
    crossed: bool,
    needed: bool,
    severed: bool,
}

impl From<&GroundFigures> for GroundGist {
    fn from(ground: &GroundFigures) -> Self {
        Self {
            crossed: ground.crossed,
            needed: ground.needed,
            severed: ground.severed_by.is_some(),
        }
    }
}

/// The values of a dungeon's figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Wire")]
pub struct Gist {
    /// In the order of [`FIGURES`].
    plain: Vec<Value>,
    tiles: Vec<u32>,
    widths: Vec<u32>,
    shape: u32,
    rooms: Vec<GroundGist>,
    vaults: Vec<GroundGist>,
    /// What is odd about it, in the order of the kinds.
    pub odd: Vec<Oddity>,
}

/// What is read for a [`Gist`].
#[derive(Deserialize)]
struct Wire {
    plain: Vec<Value>,
    tiles: Vec<u32>,
    widths: Vec<u32>,
    shape: u32,
    rooms: Vec<GroundGist>,
    vaults: Vec<GroundGist>,
    odd: Vec<Oddity>,
}

impl TryFrom<Wire> for Gist {
    type Error = String;

    fn try_from(wire: Wire) -> Result<Self, String> {
        if wire.plain.len() != FIGURES.len() {
            let (has, wanted) = (wire.plain.len(), FIGURES.len());
            return Err(format!("this version of the program knows {wanted} figures, not {has}"));
        }
        for counts in [&wire.tiles, &wire.widths] {
            let sum = counts.iter().try_fold(0_u32, |sum, count| sum.checked_add(*count));
            sum.ok_or("no dungeon has so many squares")?;
        }
        Ok(Self {
            plain: wire.plain,
            tiles: wire.tiles,
            widths: wire.widths,
            shape: wire.shape,
            rooms: wire.rooms,
            vaults: wire.vaults,
            odd: wire.odd,
        })
    }
}

impl Gist {
    /// The gist of a dungeon.
    pub fn of(figures: &Figures) -> Self {
        let values = FIGURES.iter().map(|info| figures.value(Figure::Plain(info.figure)));
        Self {
            plain: values.collect(),
            tiles: figures.tiles.clone(),
            widths: figures.widths.clone(),
            shape: figures.shape,
            rooms: figures.rooms.iter().map(Into::into).collect(),
            vaults: figures.vaults.iter().map(Into::into).collect(),
            odd: figures.oddities(),
        }
    }

    /// The number of a figure of the table, 1 and 0 for true and false; `None` where the dungeon has none.
    pub fn number(&self, figure: Plain) -> Option<f64> {
        self.value(Figure::Plain(figure)).number()
    }
}

impl Known for Gist {
    fn value(&self, figure: Figure) -> Value {
        match figure {
            Figure::Plain(plain) => self.plain.get(plain as usize).copied().unwrap_or(Value::Number(None)),
            Figure::Generation(generation) => {
                let laid = self.tiles.get(generation as usize).copied().unwrap_or(0);
                share(laid, self.tiles.iter().sum()).into()
            }
            Figure::Widths(least, most) => {
                let squares = self.widths.iter().zip(1..);
                let within = squares.filter(|(_, width)| (least..=most).contains(width));
                share(within.map(|(squares, _)| *squares).sum(), self.shape).into()
            }
            Figure::Area(says, area) => {
                let ground = match area {
                    Area::Room(index) => self.rooms.get(index),
                    Area::Vault(index) => self.vaults.get(index),
                };
                Value::Truth(ground.is_some_and(|ground| match says {
                    Says::Crosses => ground.crossed,
                    Says::Needs => ground.needed,
                    Says::Severs => ground.severed,
                }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Nursery;
    use crate::engine::Options;
    use crate::presets::Preset;

    #[test]
    fn a_gist_answers_as_the_figures_do() {
        for preset in ["catacombs", "keep", "halls"] {
            let Some(preset) = Preset::find(preset) else { continue };
            let design = preset.design().validate(None).design.unwrap();
            let figures = Nursery::new().raise(&design, Options::default());
            let gist = Gist::of(&figures);
            let plain = FIGURES.iter().map(|info| Figure::Plain(info.figure));
            let generations = (0..12).map(Figure::Generation);
            let widths = [(1, 1), (2, 5), (3, u32::MAX)].map(|(least, most)| Figure::Widths(least, most));
            let areas = (0..4).flat_map(|i| [Area::Room(i), Area::Vault(i)]);
            let areas =
                areas.flat_map(|area| [Says::Crosses, Says::Needs, Says::Severs].map(|says| Figure::Area(says, area)));
            for figure in plain.chain(generations).chain(widths).chain(areas) {
                assert_eq!(gist.value(figure), figures.value(figure), "{figure}");
            }
            assert_eq!(gist.odd, figures.oddities());
        }
    }
}
