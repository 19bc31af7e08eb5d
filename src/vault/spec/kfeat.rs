//! KFEAT: assigns a feature to a glyph.

use super::weighted::{Weighted, alternatives};
use super::{Keyed, Keys, SpecError};
use crate::design::feature::Feature;

/// The contents that one alternative places on a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// The default meaning of a glyph: a feature, and the glyph's monster or item, if any.
    Glyph(u8),
    /// A feature.
    Feature(Feature),
    /// A shop, as text. Only the game interprets the stock.
    Shop(String),
}

/// One alternative of a KFEAT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Contents that the alternative places on the cell.
    pub what: What,
    /// If `Some(n)`, the feature is a mimic with a probability of 1/n; `None` means never.
    pub mimic: Option<u32>,
}

/// A parsed KFEAT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kfeat {
    /// Glyphs that the statement applies to.
    pub keys: Keys,
    /// Whether all cells get the same alternative.
    pub once: bool,
    /// Alternatives with weights.
    pub choices: Weighted<Choice>,
}

impl Kfeat {
    /// Parses `keys = feature / feature w:5 / glyph …`. An empty text yields `None`.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing or a feature's name is unknown.
    pub fn parse(source: &[u8]) -> Result<Option<Self>, SpecError> {
        if source.trim_ascii().is_empty() {
            return Ok(None);
        }
        let keyed = Keyed::parse(source)?;
        Ok(Some(Self {
            keys: keyed.keys,
            once: keyed.once,
            choices: alternatives(keyed.value, choice)?,
        }))
    }
}

/// Returns the feature with this name.
///
/// # Errors
///
/// Fails if the name is unknown; the message suggests a similar one.
pub fn feature(name: &str) -> Result<Feature, SpecError> {
    Feature::by_name(name).ok_or_else(|| {
        let hint = Feature::nearest(name).map_or_else(String::new, |(near, feature)| {
            if near == feature.name() {
                format!("; did you mean `{near}`?")
            } else {
                format!("; did you mean `{feature}`, formerly `{near}`?")
            }
        });
        SpecError::new(format!("unknown feature{hint}"), name)
    })
}

fn choice(source: &str) -> Result<Choice, SpecError> {
    // The stock of a shop is not parsed.
    let (head, wares) = source.split_at(source.find(';').unwrap_or(source.len()));
    let mut mimic = None;
    let mut words: Vec<&str> = Vec::new();
    for word in head.split_ascii_whitespace() {
        match word.split_once(':') {
            _ if word == "mimic" => mimic = Some(1),
            _ if word == "no_mimic" => mimic = None,
            Some(("mimic", number)) => mimic = Some(number.parse().unwrap_or(1).max(1)),
            _ => words.push(word),
        }
    }
    let name = words.join(" ");
    let what = match name.as_bytes() {
        [glyph] => What::Glyph(*glyph),
        _ if words.contains(&"shop") => What::Shop(format!("{name} {wares}").trim().to_owned()),
        _ => What::Feature(feature(&name)?),
    };
    Ok(Choice { what, mimic })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whats(source: &str) -> Vec<(What, u32)> {
        let kfeat = Kfeat::parse(source.as_bytes()).expect(source).expect("a statement");
        kfeat
            .choices
            .0
            .into_iter()
            .map(|(choice, weight)| (choice.what, weight))
            .collect()
    }

    fn named(name: &str) -> What {
        What::Feature(Feature::by_name(name).expect(name))
    }

    #[test]
    fn alternatives_are_glyphs_names_traps_and_shops() {
        assert_eq!(
            whats("a = x / w:20 floor / any trap / orb dais w:3"),
            [
                (What::Glyph(b'x'), 10),
                (named("floor"), 20),
                (named("random_trap"), 10),
                (named("orb dais"), 3)
            ]
        );
        assert_eq!(
            whats("S = antique armour shop / general shop type:Odd count:3 ; ring w:3 | any weapon"),
            [
                (What::Shop("antique armour shop".into()), 10),
                (
                    What::Shop("general shop type:Odd count:3 ; ring w:3 | any weapon".into()),
                    10
                )
            ]
        );
        assert_eq!(whats("S = abandoned_shop"), [(named("abandoned_shop"), 10)]);
        assert_eq!(whats("^ = alarm trap"), [(named("trap_alarm"), 10)]);
        assert_eq!(Kfeat::parse(b"  "), Ok(None));
    }

    #[test]
    fn mimics_are_parsed_with_their_number() {
        let mimic = |source: &str| {
            let kfeat = Kfeat::parse(source.as_bytes()).expect(source).expect("a statement");
            kfeat.choices.0[0].0.mimic
        };
        assert_eq!(mimic("a = altar_zin"), None);
        assert_eq!(mimic("a = c mimic"), Some(1));
        assert_eq!(mimic("a = mimic:7 altar_zin"), Some(7));
        assert_eq!(mimic("a = book shop no_mimic ; mimic"), None);
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let error = Kfeat::parse(b"a = floor / granit_statue").expect_err("unknown");
        assert_eq!(error.text, "granit_statue");
        assert!(error.message.contains("granite_statue"), "{error}");
        assert_eq!(whats("a = floor / / x").len(), 2);
        assert!(Kfeat::parse(b"a = /").is_err());
    }
}
