//! COLOUR, FTILE, RTILE, TILE and FHEIGHT: the appearance of cells. The names of colours and tiles are kept as text and
//! not checked.

use std::sync::Arc;

use super::weighted::{Weighted, alternatives};
use super::{Keyed, Keys, SpecError};

/// A parsed appearance statement: glyphs and alternatives, where `None` means the default appearance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// Glyphs that the statement applies to.
    pub keys: Keys,
    /// Whether all cells get the same alternative.
    pub once: bool,
    /// Alternatives with weights.
    pub looks: Weighted<Option<Arc<str>>>,
}

impl Overlay {
    /// Parses `keys = look / look w:5 / look:5 / none`.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let keyed = Keyed::parse(source)?;
        let mut looks = alternatives(keyed.value, |name| Ok(Some(Arc::from(name))))?;
        for (look, weight) in &mut looks.0 {
            let name = look.as_deref().unwrap_or_default();
            if let Some((short, number)) = short_weight(name) {
                *weight = number;
                *look = Some(Arc::from(short));
            }
            if look.as_deref() == Some("none") {
                *look = None;
            }
        }
        Ok(Self {
            keys: keyed.keys,
            once: keyed.once,
            looks,
        })
    }

    /// Parses `keys = number / number w:5 / none`, the form of FHEIGHT.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing or an alternative is not a whole number.
    pub fn heights(source: &[u8]) -> Result<Self, SpecError> {
        let overlay = Self::parse(source)?;
        let mut heights = overlay.looks.0.iter().filter_map(|(look, _)| look.as_deref());
        match heights.find(|height| height.parse::<i32>().is_err()) {
            Some(wrong) => Err(SpecError::new("a height is a whole number", wrong)),
            None => Ok(overlay),
        }
    }
}

/// Splits `name:N`, the short form of a weight; `None` for text in another form.
fn short_weight(name: &str) -> Option<(&str, u32)> {
    let (short, number) = name.rsplit_once(':')?;
    Some((short.trim(), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_weight_are_read() {
        let overlay = Overlay::parse(b"t. : green:20 / brown w:5 / none / no_random dngn_tree").expect("overlay");
        let looks: Vec<(Option<&str>, u32)> = overlay
            .looks
            .0
            .iter()
            .map(|(look, weight)| (look.as_deref(), *weight))
            .collect();
        assert_eq!(
            looks,
            [
                (Some("green"), 20),
                (Some("brown"), 5),
                (None, 10),
                (Some("no_random dngn_tree"), 10)
            ]
        );
        assert!(overlay.once);
        assert!(Overlay::parse(b"t = ").is_err());
        assert_eq!(Overlay::parse(b"t = a / ").expect("overlay").looks.0.len(), 1);
        assert!(Overlay::parse(b"t = / ").is_err());
    }

    #[test]
    fn heights_are_numbers() {
        for right in ["x = 2", "x = -3 / 4 w:5 / none", "x : 2:5"] {
            assert!(Overlay::heights(right.as_bytes()).is_ok(), "{right}");
        }
        for wrong in ["x = high", "x = 2 / high", "x = 1.5"] {
            assert!(Overlay::heights(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
