//! A script of moments: which turns a playback or an animation shows, and when.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A moment of a growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// The state after this number of turns.
    Turn(u64),
    /// The end of the growth.
    End,
}

impl Moment {
    /// Returns the turn of this moment in a growth of `turns` turns, limited to the end of the growth.
    fn turn(self, turns: u64) -> u64 {
        match self {
            Self::Turn(turn) => turn.min(turns),
            Self::End => turns,
        }
    }
}

/// Moments in the order in which they are shown, and the time from each to the next.
///
/// As text, a script begins with the first moment. Each later moment is followed by a colon and the number of seconds
/// since the previous moment. Commas or whitespace separate the moments. For example, `0, 300:4, 300:2, end:5` plays
/// the first 300 turns in 4 seconds, pauses for 2 seconds, and plays the remaining turns in 5 seconds. No moment is
/// earlier in the growth than the previous one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct MomentScript {
    first: Moment,
    /// The later moments, each with the milliseconds since the moment before it.
    legs: Vec<(Moment, u32)>,
}

impl MomentScript {
    /// Maximum time from one moment to the next, in seconds.
    const MOST_SECONDS: f64 = 3600.0;
    /// Maximum number of moments after the first.
    const MOST_STEPS: usize = 1000;

    /// Returns the time from the first moment to the last one.
    pub fn duration(&self) -> Duration {
        self.legs
            .iter()
            .map(|(_, time)| Duration::from_millis((*time).into()))
            .sum()
    }

    /// Returns the latest turn that the script names; `None` if it names only the end.
    pub fn latest_turn(&self) -> Option<u64> {
        let moments = std::iter::once(&self.first).chain(self.legs.iter().map(|(moment, _)| moment));
        let turns = moments.filter_map(|moment| match moment {
            Moment::Turn(turn) => Some(*turn),
            Moment::End => None,
        });
        turns.max()
    }

    /// Returns the turn to show at `time`, measured from the first moment, in a growth of `turns` turns. Interpolates
    /// between moments.
    pub fn turn_at(&self, time: Duration, turns: u64) -> u64 {
        let (mut from, mut left) = (self.first.turn(turns), time.as_millis());
        for (to, length) in &self.legs {
            let (to, length) = (to.turn(turns), u128::from(*length));
            if left < length {
                return from + (u128::from(to.saturating_sub(from)) * left / length) as u64;
            }
            left -= length;
            from = to;
        }
        from
    }
}

/// Reason why text is not a valid script of moments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseScriptError(String);

fn moment(text: &str) -> Result<Moment, ParseScriptError> {
    match text {
        "end" => Ok(Moment::End),
        turn => {
            let wrong = || ParseScriptError(format!("`{turn}` is not a turn; write a number or `end`"));
            turn.parse().map(Moment::Turn).map_err(|_| wrong())
        }
    }
}

impl FromStr for MomentScript {
    type Err = ParseScriptError;

    fn from_str(text: &str) -> Result<Self, ParseScriptError> {
        let is_between = |c: char| c == ',' || c.is_whitespace();
        let mut items = text.split(is_between).filter(|item| !item.is_empty());
        let first = moment(items.next().unwrap_or_default())?;
        let (mut last, mut legs) = (first, Vec::new());
        for item in items {
            let wrong = || ParseScriptError(format!("`{item}` has no number of seconds; write it like 300:4"));
            let (to, seconds) = item.split_once(':').ok_or_else(wrong)?;
            let to = moment(to)?;
            let seconds = seconds.parse().ok();
            let seconds = seconds.filter(|seconds: &f64| (0.0..=Self::MOST_SECONDS).contains(seconds));
            let seconds =
                seconds.ok_or_else(|| ParseScriptError(format!("`{item}`: use 0 to 3600 seconds after the colon")))?;
            if last == Moment::End && to != Moment::End
                || matches!((last, to), (Moment::Turn(a), Moment::Turn(b)) if b < a)
            {
                return Err(ParseScriptError(format!(
                    "`{item}` is earlier than the previous moment"
                )));
            }
            legs.push((to, (seconds * 1000.0).round() as u32));
            last = to;
        }
        if legs.is_empty() || legs.len() > Self::MOST_STEPS {
            return Err(ParseScriptError(format!(
                "write the first moment and 1 to {} others, such as 0,300:4,end:5",
                Self::MOST_STEPS
            )));
        }
        let script = Self { first, legs };
        if script.duration().is_zero() {
            return Err(ParseScriptError(
                "the script takes no time; write more than 0 seconds for at least one moment".into(),
            ));
        }
        Ok(script)
    }
}

impl TryFrom<String> for MomentScript {
    type Error = ParseScriptError;

    fn try_from(text: String) -> Result<Self, ParseScriptError> {
        text.parse()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Turn(turn) => turn.fmt(f),
            Self::End => f.write_str("end"),
        }
    }
}

impl From<MomentScript> for String {
    fn from(script: MomentScript) -> Self {
        let legs = script.legs.iter();
        let legs = legs.map(|(moment, time)| format!(",{moment}:{}", f64::from(*time) / 1000.0));
        format!("{}{}", script.first, legs.collect::<Self>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_interpolated_between_the_moments() {
        let script: MomentScript = "0, 300:4\n300:2 end:5".parse().unwrap();
        assert_eq!(script.duration(), Duration::from_secs(11));
        let turn = |seconds: f64| script.turn_at(Duration::from_secs_f64(seconds), 800);
        let turns = [0.0, 2.0, 4.0, 5.5, 6.0, 8.5, 11.0, 99.0].map(turn);
        assert_eq!(turns, [0, 150, 300, 300, 300, 550, 800, 800]);
        // In a growth with fewer turns than the script, later turns are limited to the end of the growth.
        assert_eq!(script.turn_at(Duration::from_secs(2), 100), 50);
        assert_eq!(script.turn_at(Duration::from_secs(8), 100), 100);
        let text = String::from(script.clone());
        assert_eq!(text, "0,300:4,300:2,end:5");
        assert_eq!(text.parse(), Ok(script.clone()));
        assert_eq!(script.latest_turn(), Some(300));
    }

    #[test]
    fn texts_that_are_no_scripts_are_refused() {
        for (text, why) in [
            ("", "`` is not a turn; write a number or `end`"),
            (
                "5",
                "write the first moment and 1 to 1000 others, such as 0,300:4,end:5",
            ),
            ("0,300", "`300` has no number of seconds; write it like 300:4"),
            ("0,x:3", "`x` is not a turn; write a number or `end`"),
            ("0,9:-1", "`9:-1`: use 0 to 3600 seconds after the colon"),
            ("0,9:NaN", "`9:NaN`: use 0 to 3600 seconds after the colon"),
            ("9,5:1", "`5:1` is earlier than the previous moment"),
            ("end,5:1", "`5:1` is earlier than the previous moment"),
            (
                "0,9:0",
                "the script takes no time; write more than 0 seconds for at least one moment",
            ),
        ] {
            let error = text.parse::<MomentScript>().unwrap_err();
            assert_eq!(error.to_string(), why, "{text}");
        }
    }
}
