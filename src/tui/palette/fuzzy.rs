//! Fuzzy matching: scores how well a text matches the letters that the user typed. The letters must occur in the text
//! in the same order; letters at the start of a word and consecutive letters score higher.

/// Bonus for a letter at the start of a word.
const START: i32 = 8;

/// Bonus for a letter that directly follows the previous matched letter.
const ROW: i32 = 6;

/// Maximum penalty for a gap before the first letter or between letters.
const GAP: i32 = 3;

/// Returns how well `text` matches the typed `word` (higher is better), and the indexes of the matched characters of
/// `text`; `None` if a letter is missing. Case is ignored. If there are several ways to match, returns the best one.
pub(in crate::tui) fn score(word: &str, text: &str) -> Option<(i32, Vec<usize>)> {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (word, text) = (lower(word), lower(text));
    if word.is_empty() {
        return Some((0, Vec::new()));
    }
    // best[i][j]: the best score with letter i of the word at character j of the text, and the position of the
    // previous letter.
    let mut best: Vec<Vec<Option<(i32, usize)>>> = Vec::with_capacity(word.len());
    for (i, letter) in word.iter().enumerate() {
        let row = (0..text.len()).map(|j| {
            if text[j] != *letter {
                return None;
            }
            let start = j == 0 || !text[j - 1].is_alphanumeric();
            let here = 1 + if start { START } else { 0 };
            let Some(before) = i.checked_sub(1) else {
                return Some((here - (j as i32).min(GAP), j));
            };
            let earlier = (0..j).filter_map(|k| {
                let (score, _) = best[before][k]?;
                let gap = (j - k - 1) as i32;
                Some((score + if gap == 0 { ROW } else { -gap.min(GAP) }, k))
            });
            earlier
                .max_by_key(|(score, _)| *score)
                .map(|(score, k)| (score + here, k))
        });
        let row = row.collect();
        best.push(row);
    }
    let last = best.last()?.iter().enumerate();
    let (score, mut at) = last
        .filter_map(|(j, cell)| Some((cell.as_ref()?.0, j)))
        .max_by_key(|(score, _)| *score)?;
    let mut places = vec![at];
    for row in best[1..].iter().rev() {
        at = row[at]?.1;
        places.push(at);
    }
    places.reverse();
    Some((score, places))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn better(word: &str, a: &str, b: &str) {
        let score = |text| score(word, text).map(|(score, _)| score);
        assert!(score(a) > score(b), "{word}: {a} {:?}, {b} {:?}", score(a), score(b));
    }

    #[test]
    fn letters_are_found_in_their_order() {
        assert_eq!(score("zi", "zoom in").unwrap().1, [0, 5]);
        assert_eq!(score("ZOOM", "zoom in").unwrap().1, [0, 1, 2, 3]);
        assert_eq!(score("iz", "zoom in"), None);
        assert_eq!(score("", "zoom in"), Some((0, vec![])));
        assert_eq!(score("x", ""), None);
        assert_eq!(score("é", "cafÉ").unwrap().1, [3]);
    }

    #[test]
    fn word_starts_and_consecutive_letters_score_higher() {
        better("un", "undo", "turn");
        better("pt", "previous turn", "apartment");
        better("in", "zoom in", "iteration");
        better("gen", "generation", "go to the end");
    }

    #[test]
    fn the_best_match_is_returned() {
        assert_eq!(score("ba", "abbba back").unwrap().1, [6, 7]);
    }
}
