//! MARKER: markers on cells. The game acts on them during play.

use super::kfeat::feature;
use super::{Keyed, Keys, SpecError, text};
use crate::design::feature::Feature;

/// A parsed MARKER.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerSpec {
    /// Glyphs that the statement applies to.
    pub keys: Keys,
    /// Kind of marker.
    pub kind: MarkerKind,
}

/// The kind of a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkerKind {
    /// A feature that appears when the marker is activated.
    Feature(Feature),
    /// A Lua expression that creates a table; it is evaluated once for each cell.
    Lua(Vec<u8>),
}

impl MarkerSpec {
    /// Parses `keys = feat:NAME` or `keys = lua:EXPRESSION`.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing, the value begins with neither `feat:` nor `lua:`, or the feature is unknown.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let keyed = Keyed::parse(source)?;
        let kind = if let Some(name) = keyed.value.strip_prefix(b"feat:") {
            MarkerKind::Feature(feature(text(name).trim())?)
        } else if let Some(code) = keyed.value.strip_prefix(b"lua:") {
            // A trailing semicolon is a common mistake of authors, and is ignored.
            let code = code.trim_ascii();
            MarkerKind::Lua(code.strip_suffix(b";").unwrap_or(code).trim_ascii_end().to_vec())
        } else {
            return Err(SpecError::new(
                "a marker is `feat:` with a feature, or `lua:` with an expression",
                text(source),
            ));
        };
        Ok(Self { keys: keyed.keys, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_read() {
        let lua = MarkerSpec::parse(b"O = lua: one_way_stair { dst = \"x\" };").expect("marker");
        assert_eq!(lua.kind, MarkerKind::Lua(b"one_way_stair { dst = \"x\" }".to_vec()));
        let feat = MarkerSpec::parse(b"AB = feat: stone_arch").expect("marker");
        assert_eq!(
            feat.kind,
            MarkerKind::Feature(Feature::by_name("stone_arch").expect("arch"))
        );
        for wrong in ["O", "O = stone_arch", "O = feat:stone_arc", "O = "] {
            assert!(MarkerSpec::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
