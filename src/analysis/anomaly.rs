//! Anomalies: flaws of a dungeon, such as enclosed areas, that are reported even if no expectation forbids them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::lines::PassageLine;
use super::metrics::Metrics;
use crate::design::expect::AreaIndex;

/// A corridor along the outer wall is an anomaly if it covers more than this share of one side.
const LONG_CORRIDOR: f64 = 0.9;

/// A flaw of a dungeon that may interest its designer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anomaly {
    /// No path leads from the entrance to the exit.
    NoWay,
    /// Some squares outside vaults are enclosed.
    Enclosed,
    /// A room or vault was not placed.
    LeftOut(AreaIndex),
    /// A room or vault was placed but cannot be reached.
    Unreached(AreaIndex),
    /// One generation laid more than 70% of the tiles, and at least one other generation also laid some.
    TakesOver(u32),
    /// A straight corridor runs along more than nine tenths of a side of the outer wall.
    OuterCorridor,
    /// Some babies were not born because the limit maxCrawlers was reached.
    Unborn,
    /// The seed yields no dungeon.
    NotGrown,
}

impl Anomaly {
    /// Returns the key that identifies the anomaly in files, such as `no-way` or `room-2-unreached`.
    pub fn key(self) -> String {
        let name = |area: AreaIndex| area.label().replace(' ', "-");
        match self {
            Self::NoWay => "no-way".into(),
            Self::Enclosed => "enclosed".into(),
            Self::LeftOut(area) => format!("{}-absent", name(area)),
            Self::Unreached(area) => format!("{}-unreached", name(area)),
            Self::TakesOver(generation) => format!("generation-{generation}-takes-over"),
            Self::OuterCorridor => "outer-corridor".into(),
            Self::Unborn => "unborn".into(),
            Self::NotGrown => "not-grown".into(),
        }
    }
}

impl std::str::FromStr for Anomaly {
    type Err = ();

    /// Parses a key that [`Anomaly::key`] returned.
    fn from_str(key: &str) -> Result<Self, ()> {
        let plain = [
            Self::NoWay,
            Self::Enclosed,
            Self::OuterCorridor,
            Self::Unborn,
            Self::NotGrown,
        ];
        if let Some(anomaly) = plain.into_iter().find(|anomaly| anomaly.key() == key) {
            return Ok(anomaly);
        }
        let parts: Vec<&str> = key.splitn(3, '-').collect();
        let [kind, number, what] = parts[..] else {
            return Err(());
        };
        let number: u32 = number.parse().map_err(|_| ())?;
        let index = (number as usize).checked_sub(1);
        let area = match kind {
            "room" => index.map(AreaIndex::Room),
            "vault" => index.map(AreaIndex::Vault),
            _ => None,
        };
        match (area, what) {
            (Some(area), "absent") => Ok(Self::LeftOut(area)),
            (Some(area), "unreached") => Ok(Self::Unreached(area)),
            (None, "takes-over") if kind == "generation" => Ok(Self::TakesOver(number)),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Anomaly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoWay => f.write_str("no path from the entrance to the exit"),
            Self::Enclosed => f.write_str("enclosed areas"),
            Self::LeftOut(area) => write!(f, "{} is not placed", area.label()),
            Self::Unreached(area) => write!(f, "{} cannot be reached", area.label()),
            Self::TakesOver(generation) => write!(f, "generation {generation} takes over"),
            Self::OuterCorridor => f.write_str("a straight corridor along the outer wall"),
            Self::Unborn => f.write_str("babies not born because of maxCrawlers"),
            Self::NotGrown => f.write_str("no dungeon could be grown"),
        }
    }
}

impl Metrics {
    /// Returns the straight corridor that covers the largest share of one side of the outer wall, and that share.
    pub fn side_corridor(&self) -> Option<(PassageLine, f64)> {
        let share = |line: &PassageLine| {
            let side = if line.from.x == line.to.x {
                self.size.y
            } else {
                self.size.x
            };
            f64::from(line.length()) / f64::from((side - 2).max(1))
        };
        let all = self.outer.iter().map(|line| (*line, share(line)));
        all.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    /// Returns the anomalies of the dungeon, in the order of the variants of [`Anomaly`], except that
    /// [`Anomaly::LeftOut`] and [`Anomaly::Unreached`] are listed together: first those of the rooms in order, then
    /// those of the vaults.
    pub fn anomalies(&self) -> Vec<Anomaly> {
        let mut found = Vec::new();
        if !self.is_reachable() {
            found.push(Anomaly::NoWay);
        }
        if self.enclosed().next().is_some() {
            found.push(Anomaly::Enclosed);
        }
        let rooms = self
            .rooms
            .iter()
            .enumerate()
            .map(|(i, room)| (AreaIndex::Room(i), room));
        let vaults = self
            .vaults
            .iter()
            .enumerate()
            .map(|(i, vault)| (AreaIndex::Vault(i), vault));
        for (area, ground) in rooms.chain(vaults) {
            if !ground.is_placed {
                found.push(Anomaly::LeftOut(area));
            } else if !ground.reached {
                found.push(Anomaly::Unreached(area));
            }
        }
        found.extend(self.takes_over().map(|(generation, _)| Anomaly::TakesOver(generation)));
        if self.side_corridor().is_some_and(|(_, share)| share > LONG_CORRIDOR) {
            found.push(Anomaly::OuterCorridor);
        }
        if self.life.is_some_and(|life| life.unborn > 0) {
            found.push(Anomaly::Unborn);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_anomaly_is_parsed_from_its_key() {
        for anomaly in [
            Anomaly::NoWay,
            Anomaly::Enclosed,
            Anomaly::LeftOut(AreaIndex::Room(11)),
            Anomaly::Unreached(AreaIndex::Vault(0)),
            Anomaly::TakesOver(0),
            Anomaly::OuterCorridor,
            Anomaly::Unborn,
            Anomaly::NotGrown,
        ] {
            assert_eq!(anomaly.key().parse(), Ok(anomaly));
        }
        for wrong in ["", "room-0-absent", "room-x-absent", "generation-1-absent", "room-1"] {
            assert_eq!(wrong.parse::<Anomaly>(), Err(()), "{wrong}");
        }
    }
}
