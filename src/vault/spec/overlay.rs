//! COLOUR, FTILE, RTILE, TILE and FHEIGHT: how a cell looks. The names of looks stay text.

use std::sync::Arc;

use super::weighted::{Weighted, alternatives};
use super::{Keyed, Keys, SpecError};

/// One statement on looks: glyphs and alternatives, `None` for no look of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    /// The glyphs it is about.
    pub keys: Keys,
    /// Whether all cells get the same.
    pub once: bool,
    /// The alternatives.
    pub looks: Weighted<Option<Arc<str>>>,
}

impl Overlay {
    /// Reads `keys = look / look w:5 / look:5 / none`.
    ///
    /// # Errors
    ///
    /// A part is missing, or an alternative is empty.
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
}

/// `name:N`, the short form of a weight.
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
        assert!(Overlay::parse(b"t = a / ").is_ok() && Overlay::parse(b"t = /").is_err());
    }
}
