//! The normalized name of a place in expressions, stored inline so that it is `Copy`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Maximum length of a name, in bytes of UTF-8.
const LONGEST: usize = 32;

/// The normalized name of a place: letters in lower case, digits and hyphens, beginning with a letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlaceName {
    /// The UTF-8 bytes of the name, followed by zeros.
    bytes: [u8; LONGEST],
}

impl PlaceName {
    /// Normalizes a name: converts it to lower case, and spaces and underscores to hyphens. Returns `None` if the
    /// normalized name contains characters other than letters, digits and hyphens, does not begin with a letter, or is
    /// longer than 32 bytes.
    pub fn new(text: &str) -> Option<Self> {
        let plain: String = text.trim().to_lowercase().replace([' ', '_'], "-");
        let is_allowed = |c: char| c.is_alphanumeric() || c == '-';
        let is_name = plain.starts_with(char::is_alphabetic) && plain.chars().all(is_allowed);
        let mut bytes = [0; LONGEST];
        bytes
            .get_mut(..plain.len())
            .filter(|_| is_name)?
            .copy_from_slice(plain.as_bytes());
        Some(Self { bytes })
    }

    /// Returns the name as a string.
    pub fn as_str(&self) -> &str {
        let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(LONGEST);
        std::str::from_utf8(&self.bytes[..end]).unwrap_or_default()
    }
}

impl fmt::Display for PlaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for PlaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl TryFrom<String> for PlaceName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::new(&text).ok_or_else(|| format!("`{text}` cannot be the name of a place: a name consists of letters, digits and hyphens, begins with a letter and has at most {LONGEST} bytes"))
    }
}

impl From<PlaceName> for String {
    fn from(name: PlaceName) -> Self {
        name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_with_hyphens_for_spaces() {
        let name = PlaceName::new(" Story hook ").unwrap();
        assert_eq!(name.as_str(), "story-hook");
        assert_eq!(PlaceName::new("STORY_HOOK"), Some(name));
        assert_eq!(PlaceName::new("Höhle 2").unwrap().as_str(), "höhle-2");
        for text in ["", " ", "2nd", "-a", "a.b", "a\nb", "a\0", &"a".repeat(33)] {
            assert_eq!(PlaceName::new(text), None, "{text:?}");
        }
        assert_eq!(PlaceName::new(&"a".repeat(32)).unwrap().as_str().len(), 32);
        let saved = serde_json::to_string(&name).unwrap();
        assert_eq!(saved, "\"story-hook\"");
        assert_eq!(serde_json::from_str::<PlaceName>(&saved).unwrap(), name);
    }
}
