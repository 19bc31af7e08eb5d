//! Local patterns: the arrangements of open and closed squares in windows of 3 × 3 squares.
//!
//! Each of the nine squares of a window is open or closed, so there are 512 different windows. Windows that become
//! equal by rotation or reflection have the same pattern, since Crawlers treat all directions alike; this leaves 102
//! patterns. Windows that contain squares of the outer wall are not counted, so that dungeons of different sizes can be
//! compared.

use super::bit_rows::BitRows;

/// Number of different windows of 3 × 3 squares.
const WINDOWS: usize = 512;

/// Number of patterns. Windows that are equal after rotation or reflection share a pattern.
pub const PATTERNS: usize = 102;

/// Pattern of each window. The bits of a window are its squares in row order, starting with the lowest bit.
const PATTERN_OF: [u8; WINDOWS] = patterns();

/// Returns a window rotated by a quarter turn.
const fn rotated(window: usize) -> usize {
    let mut turned = 0;
    let mut at = 0;
    while at < 9 {
        if window >> at & 1 != 0 {
            let (row, column) = (at / 3, at % 3);
            turned |= 1 << (column * 3 + 2 - row);
        }
        at += 1;
    }
    turned
}

/// Returns a window with its columns in reverse order.
const fn reflected(window: usize) -> usize {
    let left = window & 0b001_001_001;
    let right = window >> 2 & 0b001_001_001;
    window & 0b010_010_010 | left << 2 | right
}

/// Returns the lowest number among a window and all its rotations and reflections.
const fn least(window: usize) -> usize {
    let mut least = window;
    let mut turned = window;
    let mut turns = 0;
    while turns < 4 {
        turned = rotated(turned);
        if turned < least {
            least = turned;
        }
        if reflected(turned) < least {
            least = reflected(turned);
        }
        turns += 1;
    }
    least
}

/// Returns the pattern of each window. Patterns are numbered in the order of their lowest windows.
const fn patterns() -> [u8; WINDOWS] {
    let mut of = [0; WINDOWS];
    let mut count = 0;
    let mut window = 0;
    while window < WINDOWS {
        let least = least(window);
        if least == window {
            of[window] = count;
            count += 1;
        } else {
            of[window] = of[least];
        }
        window += 1;
    }
    of
}

/// Counts the windows of each pattern in a map of open squares that includes the outer wall.
pub(super) fn count(open: &BitRows) -> Vec<u32> {
    let mut counts = vec![0; PATTERNS];
    let (rows, columns) = (open.rows(), open.columns());
    for row in 2..rows.saturating_sub(2) {
        // The window is shifted by one column in each step: two columns remain, and the next one is added.
        let mut window = 0;
        for column in 1..columns.saturating_sub(1) {
            let bit = |row| usize::from(open.get(row, column));
            let next = bit(row - 1) << 2 | bit(row) << 5 | bit(row + 1) << 8;
            window = window >> 1 & 0b011_011_011 | next;
            if column >= 3 {
                counts[usize::from(PATTERN_OF[window])] += 1;
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the windows of each pattern directly from the definition.
    fn counted(open: &[&str]) -> Vec<u32> {
        let squares: Vec<Vec<bool>> = open.iter().map(|row| row.chars().map(|c| c == '.').collect()).collect();
        let mut counts = vec![0; PATTERNS];
        for row in 1..squares.len() - 3 {
            for column in 1..squares[0].len() - 3 {
                let window = (0..9).filter(|at| squares[row + at / 3][column + at % 3]);
                let window: usize = window.map(|at| 1 << at).sum();
                counts[usize::from(PATTERN_OF[window])] += 1;
            }
        }
        counts
    }

    fn bits(open: &[&str]) -> BitRows {
        let mut bits = BitRows::default();
        bits.fit(open.len(), open[0].len());
        for (row, squares) in open.iter().enumerate() {
            for (column, square) in squares.chars().enumerate() {
                if square == '.' {
                    bits.set(row, column);
                }
            }
        }
        bits
    }

    #[test]
    fn windows_equal_by_symmetry_share_a_pattern() {
        assert_eq!(PATTERN_OF.iter().max(), Some(&(PATTERNS as u8 - 1)));
        // A cross and its rotation, and a line along one side of the window.
        assert_eq!(PATTERN_OF[0b010_111_010], PATTERN_OF[rotated(0b010_111_010)]);
        assert_eq!(PATTERN_OF[0b111_000_000], PATTERN_OF[0b001_001_001]);
        assert_ne!(PATTERN_OF[0b111_000_000], PATTERN_OF[0b000_111_000]);
    }

    #[test]
    fn every_window_that_does_not_touch_the_outer_wall_counts_once() {
        let dungeon = [
            "##########",
            "#...#....#",
            "#.#.#.##.#",
            "#.#...#..#",
            "#.###.#.##",
            "#.....#..#",
            "#.###.##.#",
            "##########",
        ];
        assert_eq!(count(&bits(&dungeon)), counted(&dungeon));
        assert_eq!(count(&bits(&dungeon)).iter().sum::<u32>(), 4 * 6);
    }

    #[test]
    fn a_turned_or_mirrored_dungeon_has_the_same_patterns() {
        let dungeon = [
            "#######", "#..#..#", "#.##..#", "#.....#", "###.#.#", "#...#.#", "#######",
        ];
        let turned: Vec<String> = (0..7)
            .map(|column| dungeon.iter().rev().map(|row| &row[column..=column]).collect())
            .collect();
        let turned: Vec<&str> = turned.iter().map(String::as_str).collect();
        let mirrored: Vec<String> = dungeon.iter().map(|row| row.chars().rev().collect()).collect();
        let mirrored: Vec<&str> = mirrored.iter().map(String::as_str).collect();
        let of = |open: &[&str]| count(&bits(open));
        assert_eq!(of(&dungeon), of(&turned));
        assert_eq!(of(&dungeon), of(&mirrored));
        assert_ne!(of(&dungeon), of(&["#######"; 7]));
    }

    #[test]
    fn a_dungeon_without_an_inside_has_no_windows() {
        assert_eq!(count(&bits(&["####", "####"])).iter().sum::<u32>(), 0);
    }
}
