//! SUBVAULT: a part of a map that another map fills.

use super::weighted::{WEIGHT, take_weight};
use super::{Keyed, Keys, SpecError, text};

/// A parsed SUBVAULT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubvaultSpec {
    /// Glyphs whose cells are filled.
    pub keys: Keys,
    /// Alternatives: the tags that the other map must have, and a weight.
    pub choices: Vec<(Vec<String>, u32)>,
}

impl SubvaultSpec {
    /// Parses `keys : tag tag / tag:5 / tag w:5`.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing, or if the separator is `=`. That separator means one roll for each cell, but a
    /// single map must fill all cells.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let keyed = Keyed::parse(source)?;
        if !keyed.once {
            return Err(SpecError::new(
                "one map fills all cells; write `:` in place of `=`",
                text(source),
            ));
        }
        let choices = text(keyed.value);
        let choices = choices.split('/').map(|part| {
            let (mut tags, mut weight) = take_weight(part);
            if let Some((name, number)) = tags.rsplit_once(':') {
                weight = number.trim().parse().unwrap_or(WEIGHT);
                tags = name.to_owned();
            }
            let tags: Vec<String> = tags.split_ascii_whitespace().map(str::to_owned).collect();
            if tags.is_empty() {
                return Err(SpecError::new("an alternative is empty", text(source)));
            }
            Ok((tags, weight))
        });
        Ok(Self {
            keys: keyed.keys,
            choices: choices.collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_weights_are_read() {
        let spec = SubvaultSpec::parse(b"AB : one_tag other_tag / third:3 / w:7 fourth").expect("subvault");
        let choices: Vec<(String, u32)> = spec
            .choices
            .iter()
            .map(|(tags, weight)| (tags.join("+"), *weight))
            .collect();
        assert_eq!(
            choices,
            [
                ("one_tag+other_tag".into(), 10),
                ("third".into(), 3),
                ("fourth".into(), 7)
            ]
        );
        for wrong in ["A = tag", "A : ", "A : tag /", "A"] {
            assert!(SubvaultSpec::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
