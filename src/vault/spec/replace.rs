//! SUBST, NSUBST and SHUFFLE: replacement of glyphs.
//!
//! This module only parses the statements and chooses the replacements at random; the map applies them to its grid.

use super::keyed::{Keyed, Keys, split};
use super::{SpecError, text};
use crate::vault::dice::Dice;
use crate::vault::glyphs::SPACE;

/// Glyphs with weights. One of them is drawn at random to replace another glyph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GlyphChoice(Vec<(u8, u32)>);

/// Default weight of a glyph.
const WEIGHT: u32 = 10;

impl GlyphChoice {
    /// Parses tokens separated by blanks: `c:N` is the glyph c with weight N; in any other token, each byte is a glyph
    /// with weight 10. The weights of a repeated glyph add up.
    ///
    /// # Errors
    ///
    /// Fails if there is no glyph, or a weight is not a whole number of at least 1.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let mut choice = Self::default();
        for token in source.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()) {
            if let [glyph, b':', weight @ ..] = token {
                let weight = number(weight).filter(|weight| *weight > 0);
                let weight = weight.ok_or_else(|| {
                    SpecError::new(
                        "the weight of a glyph must be a whole number of at least 1",
                        text(token),
                    )
                })?;
                choice.0.push((*glyph, weight));
            } else {
                choice.0.extend(token.iter().map(|glyph| (*glyph, WEIGHT)));
            }
        }
        if choice.0.is_empty() {
            return Err(SpecError::new("no glyph to place", text(source)));
        }
        Ok(choice)
    }

    /// Chooses one of the glyphs at random.
    pub fn draw(&self, dice: &mut Dice) -> u8 {
        match self.0.as_slice() {
            [(only, _)] => *only,
            many => dice.pick(many, |(_, weight)| *weight).map_or(SPACE, |at| many[at].0),
        }
    }
}

/// Parses a whole number that fits into 32 bits.
fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.trim().parse().ok()
}

/// A parsed SUBST: glyphs and their replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subst {
    /// Glyphs to replace.
    pub keys: Keys,
    /// Whether all cells get the same glyph.
    pub once: bool,
    /// Replacement glyphs.
    pub choice: GlyphChoice,
}

impl Subst {
    /// Parses `keys = glyphs` or `keys : glyphs`.
    ///
    /// # Errors
    ///
    /// Fails if the separator, the keys or the glyphs are missing, or a weight is malformed.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let keyed = Keyed::parse(source)?;
        Ok(Self {
            keys: keyed.keys,
            once: keyed.once,
            choice: GlyphChoice::parse(keyed.value)?,
        })
    }
}

/// The number of cells that one segment of an NSUBST replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// This number of cells, or all remaining cells if there are fewer.
    Cells(u32),
    /// All remaining cells.
    Rest,
}

/// One segment of an NSUBST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Number of cells that the segment replaces.
    pub count: Count,
    /// Whether all cells of the segment get the same glyph.
    pub once: bool,
    /// Replacement glyphs.
    pub choice: GlyphChoice,
}

/// A parsed NSUBST: the glyphs to replace, and segments. Each segment replaces some occurrences of these glyphs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nsubst {
    /// Glyphs to replace.
    pub keys: Keys,
    /// Segments, in order.
    pub segments: Vec<Segment>,
}

impl Nsubst {
    /// Parses `keys = segment / segment …`, where a segment is `N=glyphs`, `N:glyphs`, `*=glyphs` or `*:glyphs`. A
    /// segment without a separator replaces one cell or, if it is the last segment, all remaining cells.
    ///
    /// # Errors
    ///
    /// Fails if a part is missing, or a count is neither `*` nor a whole number of at least 1.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let keyed = Keyed::parse(source)?;
        let parts: Vec<&[u8]> = keyed
            .value
            .split(|byte| *byte == b'/')
            .map(<[u8]>::trim_ascii)
            // Superfluous slashes are ignored, as in the game.
            .filter(|part| !part.is_empty())
            .collect();
        let Some(last) = parts.len().checked_sub(1) else {
            return Err(SpecError::new("there is nothing between the slashes", text(source)));
        };
        let segments = parts.iter().enumerate().map(|(at, part)| segment(part, at == last));
        Ok(Self {
            keys: keyed.keys,
            segments: segments.collect::<Result<_, _>>()?,
        })
    }
}

fn segment(source: &[u8], last: bool) -> Result<Segment, SpecError> {
    let Some((count, once, value)) = split(source) else {
        let count = if last { Count::Rest } else { Count::Cells(1) };
        return Ok(Segment {
            count,
            once: false,
            choice: GlyphChoice::parse(source)?,
        });
    };
    let count = match count {
        b"*" => Count::Rest,
        digits => match number(digits) {
            Some(0) => return Err(SpecError::new("the number of cells must be at least 1", text(source))),
            Some(cells) => Count::Cells(cells),
            None => {
                return Err(SpecError::new(
                    "expected a number of cells or `*` before `=` or `:`; to give a glyph a weight, begin with the number \
                     of cells, as in `1=x:5`",
                    text(source),
                ));
            }
        },
    };
    Ok(Segment {
        count,
        once,
        choice: GlyphChoice::parse(value)?,
    })
}

/// A parsed SHUFFLE: blocks of glyphs to permute, all of the same length. Single glyphs are blocks of length 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shuffle {
    /// Blocks, in order.
    pub blocks: Vec<Vec<u8>>,
}

impl Shuffle {
    /// Parses `abc` (three glyphs to permute) or `ab/cd/ef` (three blocks to permute).
    ///
    /// # Errors
    ///
    /// Fails if there is no glyph or the blocks differ in length.
    pub fn parse(source: &[u8]) -> Result<Self, SpecError> {
        let glyphs: Vec<u8> = source
            .iter()
            .copied()
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect();
        let blocks: Vec<Vec<u8>> = if glyphs.contains(&b'/') {
            glyphs.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect()
        } else {
            glyphs.iter().map(|glyph| vec![*glyph]).collect()
        };
        let Some(length) = blocks.first().map(Vec::len).filter(|length| *length > 0) else {
            return Err(SpecError::new("there are no glyphs to shuffle", text(source)));
        };
        if blocks.iter().any(|block| block.len() != length) {
            return Err(SpecError::new(
                "the blocks between `/` must be of the same length",
                text(source),
            ));
        }
        Ok(Self { blocks })
    }

    /// Chooses a random permutation of the blocks, and returns the replacement of each glyph. If a glyph occurs several
    /// times, its first occurrence determines its replacement.
    pub fn draw(&self, dice: &mut Dice) -> [u8; 256] {
        let mut order: Vec<usize> = (0..self.blocks.len()).collect();
        dice.shuffle(&mut order);
        let mut becomes: [u8; 256] = std::array::from_fn(|glyph| glyph as u8);
        let mut seen = Keys::default();
        for (block, from) in self.blocks.iter().zip(order) {
            for (glyph, new) in block.iter().zip(&self.blocks[from]) {
                if !seen.holds(*glyph) {
                    seen.add(*glyph);
                    becomes[usize::from(*glyph)] = *new;
                }
            }
        }
        becomes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Key;

    #[test]
    fn tokens_and_weights_add_up() {
        let choice = GlyphChoice::parse(b"ab c:3 a:1 ..").expect("choice");
        assert_eq!(
            choice.0,
            [(b'a', 10), (b'b', 10), (b'c', 3), (b'a', 1), (b'.', 10), (b'.', 10)]
        );
        // A colon is a glyph, unless it is the second byte of its token.
        assert_eq!(GlyphChoice::parse(b":.").expect("choice").0, [(b':', 10), (b'.', 10)]);
        for wrong in ["c:0", "c:", "c:x", "c:-1", "", "  "] {
            assert!(GlyphChoice::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn segments_count_cells() {
        let counts = |source: &str| -> Vec<(Count, bool)> {
            let parsed = Nsubst::parse(source.as_bytes()).expect(source);
            parsed.segments.iter().map(|s| (s.count, s.once)).collect()
        };
        assert_eq!(
            counts("A = 2=xy / 3:z / w / *:."),
            [
                (Count::Cells(2), false),
                (Count::Cells(3), true),
                (Count::Cells(1), false),
                (Count::Rest, true)
            ]
        );
        assert_eq!(counts("ab = * = xy"), [(Count::Rest, false)]);
        assert_eq!(counts("a = x / y"), [(Count::Cells(1), false), (Count::Rest, false)]);
        for wrong in [
            "A = 0=x",
            "A = c:30 / .",
            "A = 2-4=x",
            "A = 2=",
            "A",
            "A = /",
            "A = !=x",
        ] {
            assert!(Nsubst::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn blocks_have_one_length() {
        assert_eq!(Shuffle::parse(b"ab / cd").expect("shuffle").blocks, [b"ab", b"cd"]);
        assert_eq!(Shuffle::parse(b"a bc").expect("shuffle").blocks, [b"a", b"b", b"c"]);
        for wrong in ["", " ", "ab/c", "/", "ab/"] {
            assert!(Shuffle::parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_glyph_in_several_blocks_follows_the_first() {
        let shuffle = Shuffle::parse(b"PQ/PQ/QP").expect("shuffle");
        let mut dice = Dice::new(Key::new(1));
        let mut swapped = 0;
        for _ in 0..3000 {
            let becomes = shuffle.draw(&mut dice);
            let pair = (becomes[usize::from(b'P')], becomes[usize::from(b'Q')]);
            assert!(pair == (b'P', b'Q') || pair == (b'Q', b'P'));
            swapped += u32::from(pair.0 == b'Q');
        }
        assert!((900..1100).contains(&swapped), "one time in three: {swapped}");
    }
}
