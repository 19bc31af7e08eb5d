//! Matches the records of a changed list with the records of the old list.

use std::collections::HashMap;
use std::hash::Hash;

/// Returns the number of equal values at the same places of two records.
pub(super) fn equal_values<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a == b).count()
}

/// Returns for each new record the index of the old record that it is matched with: an equal record, otherwise the most
/// similar of the first 100 old records that are still unmatched. Returns `None` for a new record if no old record is
/// left that can be matched with it. `similarity` compares the old record at the first index with the new record at the
/// second; it returns `None` if they cannot be matched.
pub(super) fn matching<T: Eq + Hash>(
    old: &[T],
    new: &[T],
    similarity: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Option<usize>> {
    let mut used = vec![false; old.len()];
    let mut matched = vec![None; new.len()];
    let least = old.len().min(new.len());
    let head = (0..least).take_while(|&i| old[i] == new[i]).count();
    let tail = (0..least - head)
        .take_while(|&i| old[old.len() - 1 - i] == new[new.len() - 1 - i])
        .count();
    let ends = (0..head).map(|i| (i, i));
    let ends = ends.chain((0..tail).map(|i| (old.len() - 1 - i, new.len() - 1 - i)));
    for (i, j) in ends {
        used[i] = true;
        matched[j] = Some(i);
    }
    let mut equal: HashMap<&T, Vec<usize>> = HashMap::new();
    for i in (head..old.len() - tail).rev() {
        equal.entry(&old[i]).or_default().push(i);
    }
    for j in head..new.len() - tail {
        if let Some(i) = equal.get_mut(&new[j]).and_then(Vec::pop) {
            used[i] = true;
            matched[j] = Some(i);
        }
    }
    let mut left: Vec<usize> = (0..old.len()).filter(|&i| !used[i]).collect();
    for j in 0..new.len() {
        if matched[j].is_none() && !left.is_empty() {
            // If several old records are equally similar to this new record, prefer the old record that follows the
            // match of the previous new record.
            let below = j.checked_sub(1).map_or(Some(0), |above| Some(matched[above]? + 1));
            // For speed, the new record is compared with only the first 100 unmatched old records.
            let best = left
                .iter()
                .take(100)
                .enumerate()
                .rev()
                .filter_map(|(at, i)| Some(((similarity(*i, j)?, Some(*i) == below), at)))
                .max_by_key(|(rank, _)| *rank);
            matched[j] = best.map(|(_, at)| left.remove(at));
        }
    }
    matched
}
