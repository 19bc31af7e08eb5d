//! Layers: a value for every cell of a map, allocated when the first value is set.

use crate::vault::glyphs::{Glyphs, Turn};

/// A value for every cell of a map; cells without a value of their own have the default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Layer<T> {
    width: usize,
    height: usize,
    values: Vec<T>,
}

impl<T: Copy + Default + PartialEq> Layer<T> {
    /// Returns whether no value was ever set.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the value of a cell.
    pub(super) fn get(&self, x: i32, y: i32) -> T {
        match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.width && y < self.height => self.values[y * self.width + x],
            _ => T::default(),
        }
    }

    /// Sets the value of a cell; does nothing if the cell lies outside the map.
    pub(super) fn set(&mut self, map: &Glyphs, x: i32, y: i32, value: T) {
        if self.values.is_empty() && value == T::default() {
            return;
        }
        if let Some(at) = map.index(x, y) {
            self.fit(map);
            self.values[at] = value;
        }
    }

    /// Resizes the layer to the map, which may have grown since the last value was set.
    fn fit(&mut self, map: &Glyphs) {
        if (self.width, self.height) == (map.width(), map.height()) {
            return;
        }
        let cells = (0..map.width() * map.height()).map(|at| map.cell(at));
        let values = cells.map(|cell| self.get(cell.x, cell.y)).collect();
        *self = Self {
            width: map.width(),
            height: map.height(),
            values,
        };
    }

    /// Rotates or mirrors the layer; must be called before the map itself is turned.
    pub(super) fn turn(&mut self, map: &Glyphs, turn: Turn) {
        if !self.values.is_empty() {
            self.fit(map);
            turn.apply(self.width, self.height, &mut self.values);
            (self.width, self.height) = turn.size(self.width, self.height);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_on_their_cells_when_the_map_grows_and_turns() {
        let mut map = Glyphs::from_rows(&["ab", "cd"]);
        let mut layer = Layer::<u8>::default();
        layer.set(&map, 0, 0, 0);
        assert!(layer.is_empty());
        layer.set(&map, 1, 0, 7);
        layer.set(&map, 5, 5, 9);
        map.extend(3, 2, b'.');
        assert_eq!((layer.get(1, 0), layer.get(-1, 0), layer.get(2, 2)), (7, 0, 0));
        layer.turn(&map, Turn::Clockwise);
        map.turn(Turn::Clockwise);
        assert_eq!((map.get(1, 1), layer.get(1, 1)), (b'b', 7));
    }
}
