//! Matches the records of a changed list with the records of the old list.

use std::collections::HashMap;

/// Returns for each new record the index of the old record that it is matched with: an equal record, otherwise the most
/// similar of the old records that are still unmatched. Returns `None` for a new record if no old record is left.
pub(super) fn matching<T: Eq + std::hash::Hash>(old: &[Vec<T>], new: &[Vec<T>]) -> Vec<Option<usize>> {
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
    let mut equal: HashMap<&[T], Vec<usize>> = HashMap::new();
    for i in (head..old.len() - tail).rev() {
        equal.entry(old[i].as_slice()).or_default().push(i);
    }
    for j in head..new.len() - tail {
        if let Some(i) = equal.get_mut(new[j].as_slice()).and_then(Vec::pop) {
            used[i] = true;
            matched[j] = Some(i);
        }
    }
    let alike = |i: usize, j: usize| old[i].iter().zip(&new[j]).filter(|(a, b)| a == b).count();
    let mut left: Vec<usize> = (0..old.len()).filter(|&i| !used[i]).collect();
    for (j, from) in matched.iter_mut().enumerate() {
        if from.is_none() && !left.is_empty() {
            // For speed, the new record is compared with only the first 100 unmatched old records.
            let best = left
                .iter()
                .take(100)
                .enumerate()
                .rev()
                .max_by_key(|(_, i)| alike(**i, j));
            *from = best.map(|(at, _)| at).map(|at| left.remove(at));
        }
    }
    matched
}
