//! Alternatives with weights: `a / b w:5 / c`, the form shared by features, monsters, items and appearance.

use super::{SpecError, text};
use crate::vault::dice::Dice;

/// Default weight of an alternative.
pub const WEIGHT: u32 = 10;

/// Removes the weight tag, `w:N` or `weight:N`, from a text, and returns the remaining text and the weight. Without a
/// tag or a valid number, the weight is [`WEIGHT`]. Tags after a `;` stay in the text.
pub fn take_weight(source: &str) -> (String, u32) {
    let (head, tail) = source.split_at(source.find(';').unwrap_or(source.len()));
    let mut weight = WEIGHT;
    let mut words: Vec<&str> = Vec::new();
    for word in head.split_ascii_whitespace() {
        match word.strip_prefix("w:").or_else(|| word.strip_prefix("weight:")) {
            Some(number) => weight = number.parse().unwrap_or(WEIGHT),
            None => words.push(word),
        }
    }
    let mut rest = words.join(" ");
    if !tail.is_empty() {
        rest.push(' ');
        rest.push_str(tail.trim_end());
    }
    (rest.trim().to_owned(), weight)
}

/// Parses the alternatives of a text and their weights, using `read` for each alternative. Blank alternatives are
/// ignored, because files sometimes have a superfluous `/`.
///
/// # Errors
///
/// Fails if all alternatives are blank, or `read` fails for one of them.
pub(crate) fn alternatives<T>(
    source: &[u8],
    read: impl Fn(&str) -> Result<T, SpecError>,
) -> Result<Weighted<T>, SpecError> {
    let source = text(source);
    let all = source
        .split('/')
        .map(take_weight)
        .filter(|(rest, _)| !rest.is_empty())
        .map(|(rest, weight)| Ok((read(&rest)?, weight)));
    let all: Vec<(T, u32)> = all.collect::<Result<_, SpecError>>()?;
    if all.is_empty() {
        return Err(SpecError::new("the list of alternatives is empty", source));
    }
    Ok(Weighted(all))
}

/// Values with weights. One of them is drawn at random.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighted<T>(pub Vec<(T, u32)>);

impl<T> Weighted<T> {
    /// Draws the index of a value by weight; 0 if no weight is above 0.
    pub fn draw(&self, dice: &mut Dice) -> usize {
        match self.0.len() {
            1 => 0,
            _ => dice.pick(&self.0, |(_, weight)| *weight).unwrap_or(0),
        }
    }

    /// Returns the value at an index.
    pub fn get(&self, at: usize) -> Option<&T> {
        self.0.get(at).map(|(thing, _)| thing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_removed_from_any_position() {
        for (source, rest, weight) in [
            ("floor", "floor", 10),
            ("w:30 floor", "floor", 30),
            ("floor weight:4 ", "floor", 4),
            ("orc w:x knight", "orc knight", 10),
            (
                "general shop type:Odd ; ring w:5 | any weapon",
                "general shop type:Odd ; ring w:5 | any weapon",
                10,
            ),
            ("orc w:3 ; dagger w:5", "orc ; dagger w:5", 3),
            ("saw:3", "saw:3", 10),
        ] {
            assert_eq!(take_weight(source), (rest.to_owned(), weight), "{source}");
        }
    }
}
