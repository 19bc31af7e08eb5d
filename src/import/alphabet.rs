//! Determines which characters of a text mean walls, open squares and so on: from the user's options, or by a guess
//! based on the characters that mazes are commonly drawn with.

use std::collections::{BTreeMap, BTreeSet};

use super::square::DrawnSquare;
use crate::design::{Feature, PlacedVault};
use crate::export::glyph_means_wall;

/// Characters that mean wall, besides box-drawing characters and block elements.
const BLOCKS: &str = "■◼⬛▪▲";

/// Characters that a guess treats as open squares unless a more specific rule applies.
const FLOORS: &str = ". ,·□◻⬜▫";

/// Characters that Wallcrawler and the original program print for squares, besides the digits for generations.
const OWN: &str = ".XYCo ";

/// ASCII characters that draw walls as lines.
const LINES: &str = "+-|=";

/// The meaning of each character in a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Alphabet {
    known: BTreeMap<char, DrawnSquare>,
    /// The wall character, if it was only guessed from the edge of the drawing.
    pub(super) guess: Option<char>,
}

/// Returns whether a character may occur in a line of a maze.
pub(super) fn is_glyph(c: char) -> bool {
    c.is_ascii_digit() || "#xX@*%".contains(c) || [OWN, LINES, FLOORS].iter().any(|set| set.contains(c)) || is_block(c)
}

/// Returns whether a character is a block or a box-drawing character.
fn is_block(c: char) -> bool {
    ('\u{2500}'..='\u{259f}').contains(&c) || BLOCKS.contains(c) || c == '●'
}

/// Returns whether the glyph of a vault's feature, such as a door, a statue or water, means a wall or an open square.
/// Exports use some glyphs in another sense than the maps of vaults do; the sense of the exports takes precedence.
fn of_vault(c: char) -> Option<DrawnSquare> {
    let glyph = u8::try_from(c).ok().filter(|_| !FLOORS.contains(c))?;
    let of_map = || Feature::of_glyph(glyph).map(PlacedVault::is_wall);
    Some(if glyph_means_wall(c).or_else(of_map)? {
        DrawnSquare::Wall
    } else {
        DrawnSquare::Open
    })
}

impl Alphabet {
    /// Builds the alphabet from the user's options. If the user gives only wall characters, all other characters are
    /// open. If the user gives only open characters, all others are walls, except for spaces, which are blank.
    pub(super) fn of_options(walls: Option<&str>, open: Option<&str>, present: &BTreeMap<char, usize>) -> Self {
        let is_in = |set: Option<&str>, c: char| set.is_some_and(|set| set.contains(c));
        let square = |c: char| match (is_in(walls, c), is_in(open, c)) {
            (true, _) => Some(DrawnSquare::Wall),
            (false, true) => Some(DrawnSquare::Open),
            (false, false) if c == ' ' => Some(if open.is_some() {
                DrawnSquare::Blank
            } else {
                DrawnSquare::Open
            }),
            (false, false) if open.is_none() => Some(DrawnSquare::Open),
            (false, false) if walls.is_none() => Some(DrawnSquare::Wall),
            (false, false) => None,
        };
        Self {
            known: present.keys().filter_map(|c| Some((*c, square(*c)?))).collect(),
            guess: None,
        }
    }

    /// Guesses the alphabet. `present` counts the characters of the whole drawing, `edge` those on its edge.
    pub(super) fn found(present: &BTreeMap<char, usize>, edge: &BTreeMap<char, usize>) -> Self {
        let has = |c: char| present.contains_key(&c);
        let all: BTreeSet<char> = present.keys().copied().collect();
        let digit = all.iter().any(char::is_ascii_digit);
        let mut known = BTreeMap::new();
        let mut guess = None;
        let mut take = |square: DrawnSquare, which: &dyn Fn(char) -> bool| {
            for c in all.iter().copied().filter(|c| which(*c)) {
                known.entry(c).or_insert(square);
            }
        };
        let is_strong = |c: char| is_block(c) && !"░●".contains(c);
        let strong = all.iter().copied().any(is_strong);
        // `#` is taken for a wall if it is the most frequent wall character on the edge. In exports of Wallcrawler it
        // is a grate of a vault, and the edge is `X` or a block.
        let count = |which: &dyn Fn(char) -> bool| -> usize {
            let counts = edge.iter().filter(|(c, _)| which(**c));
            counts.map(|(_, times)| *times).sum()
        };
        let hashes = count(&|c| c == '#');
        let hash = has('#') && hashes >= count(&|c| c == 'X') && hashes >= count(&is_strong);
        if all.iter().all(|c| "01 ".contains(*c)) && has('1') {
            take(DrawnSquare::Wall, &|c| c == '1');
            take(DrawnSquare::Open, &|c| c == '0');
        } else if hash {
            take(DrawnSquare::Wall, &|c| c == '#' || (is_block(c) && c != '░'));
        } else if has('X') || (has('.') && digit && all.iter().all(|c| OWN.contains(*c) || c.is_ascii_digit())) {
            take(DrawnSquare::Wall, &|c| c == 'X' || c == 'Y' || c.is_ascii_digit());
            take(DrawnSquare::Column, &|c| c == 'C');
            take(DrawnSquare::Kept, &|c| c == 'o');
            take(DrawnSquare::Wall, &|c| of_vault(c) == Some(DrawnSquare::Wall));
            take(DrawnSquare::Open, &|c| of_vault(c) == Some(DrawnSquare::Open));
        } else if strong || has('░') {
            take(DrawnSquare::Wall, &|c| {
                is_strong(c) || c == '#' || (c == '░' && !strong)
            });
            take(DrawnSquare::Column, &|c| c == '●');
            take(DrawnSquare::Open, &|c| c == '░');
            if has(' ') && !has('.') {
                take(DrawnSquare::Kept, &|c| c == '·');
                take(DrawnSquare::Wall, &|c| of_vault(c) == Some(DrawnSquare::Wall));
                take(DrawnSquare::Open, &|c| of_vault(c) == Some(DrawnSquare::Open));
            }
        } else if has('+') || has('|') {
            take(DrawnSquare::Wall, &|c| LINES.contains(c));
        } else if has('x') && has('.') {
            take(DrawnSquare::Wall, &|c| c == 'x');
        } else {
            let solid = edge.iter().filter(|(c, _)| !FLOORS.contains(**c));
            guess = solid.max_by_key(|(_, times)| **times).map(|(c, _)| *c);
            take(DrawnSquare::Wall, &|c| Some(c) == guess);
        }
        // If there is a floor character, spaces are blank instead of open.
        let floor = all
            .iter()
            .any(|c| *c != ' ' && FLOORS.contains(*c) && !known.contains_key(c));
        for c in all.iter().copied().filter(|c| FLOORS.contains(*c)) {
            let blank = c == ' ' && floor;
            known
                .entry(c)
                .or_insert(if blank { DrawnSquare::Blank } else { DrawnSquare::Open });
        }
        Self { known, guess }
    }

    /// Returns the meaning of a character, if known.
    pub(super) fn square(&self, c: char) -> Option<DrawnSquare> {
        self.known.get(&c).copied()
    }

    /// Returns the characters that mean `square`.
    pub(super) fn of(&self, square: DrawnSquare) -> impl Iterator<Item = char> {
        let of = self.known.iter().filter(move |(_, other)| **other == square);
        of.map(|(c, _)| *c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Alphabet {
        let mut present = BTreeMap::new();
        for c in text.chars() {
            *present.entry(c).or_default() += 1;
        }
        Alphabet::found(&present, &present)
    }

    #[test]
    fn common_alphabets_are_known() {
        use DrawnSquare::{Blank, Column, Kept, Open, Wall};
        for (text, meant) in [
            ("#.", vec![('#', Wall), ('.', Open)]),
            ("# ", vec![('#', Wall), (' ', Open)]),
            ("#. ", vec![('#', Wall), ('.', Open), (' ', Blank)]),
            ("X.", vec![('X', Wall), ('.', Open)]),
            (
                "X.07CYo",
                vec![('X', Wall), ('0', Wall), ('C', Column), ('Y', Wall), ('o', Kept)],
            ),
            ("0.3", vec![('0', Wall), ('3', Wall), ('.', Open)]),
            ("01", vec![('1', Wall), ('0', Open)]),
            ("█ ", vec![('█', Wall), (' ', Open)]),
            (
                "█▲●· ",
                vec![('█', Wall), ('▲', Wall), ('●', Column), ('·', Kept), (' ', Open)],
            ),
            ("█·", vec![('█', Wall), ('·', Open)]),
            ("▓░", vec![('▓', Wall), ('░', Open)]),
            ("░ ", vec![('░', Wall), (' ', Open)]),
            ("┌─┐│└┘╬ ", vec![('┌', Wall), ('╬', Wall), (' ', Open)]),
            ("+-| ", vec![('+', Wall), ('-', Wall), ('|', Wall), (' ', Open)]),
            ("x.", vec![('x', Wall), ('.', Open)]),
            ("⬛⬜", vec![('⬛', Wall), ('⬜', Open)]),
            ("#.X", vec![('#', Wall), ('.', Open)]),
            ("#.░", vec![('#', Wall), ('.', Open)]),
        ] {
            let alphabet = found(text);
            for (c, square) in meant {
                assert_eq!(alphabet.square(c), Some(square), "{c:?} of {text:?}");
            }
            assert_eq!(alphabet.guess, None, "{text}");
        }
    }

    #[test]
    fn grates_of_an_export_do_not_make_its_walls_unknown() {
        use DrawnSquare::{Column, Kept, Open, Wall};
        let count = |text: &str| -> BTreeMap<char, usize> { text.chars().map(|c| (c, 1)).collect() };
        for (text, edge, meant) in [
            (
                "X.0#CYo_O",
                "X",
                vec![
                    ('X', Wall),
                    ('0', Wall),
                    ('#', Wall),
                    ('C', Column),
                    ('o', Kept),
                    ('_', Open),
                    ('O', Open),
                ],
            ),
            (
                "█ #●▲·'&",
                "█",
                vec![
                    ('█', Wall),
                    ('#', Wall),
                    ('●', Column),
                    ('·', Kept),
                    ('\'', Open),
                    ('&', Open),
                ],
            ),
        ] {
            let alphabet = Alphabet::found(&count(text), &count(edge));
            for (c, square) in meant {
                assert_eq!(alphabet.square(c), Some(square), "{c:?} of {text:?}");
            }
        }
    }

    #[test]
    fn the_most_frequent_character_at_the_edge_is_the_wall_of_other_alphabets() {
        let alphabet = found("@@@@ *");
        assert_eq!(
            (alphabet.square('@'), alphabet.guess),
            (Some(DrawnSquare::Wall), Some('@'))
        );
        assert_eq!(alphabet.square('*'), None);
        // Letters in a maze are unknown, and `+` and `|` are not walls if the text contains `#`.
        let alphabet = found("#.S+|");
        assert_eq!(['S', '+', '|'].map(|c| alphabet.square(c)), [None; 3]);
    }

    #[test]
    fn options_override_the_guess() {
        use DrawnSquare::{Blank, Open, Wall};
        let present: BTreeMap<char, usize> = "ab #".chars().map(|c| (c, 1)).collect();
        let asked = |walls, open| {
            let alphabet = Alphabet::of_options(walls, open, &present);
            ['a', 'b', ' ', '#'].map(|c| alphabet.square(c))
        };
        assert_eq!(asked(Some("a"), None), [Some(Wall), Some(Open), Some(Open), Some(Open)]);
        assert_eq!(
            asked(None, Some("a")),
            [Some(Open), Some(Wall), Some(Blank), Some(Wall)]
        );
        assert_eq!(asked(Some("a"), Some("b ")), [Some(Wall), Some(Open), Some(Open), None]);
    }
}
