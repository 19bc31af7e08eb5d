//! One run of a map, and the Lua value by which functions of `dgn` find the run.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, Table, UserData};

use crate::vault::library::MapId;
use crate::vault::map::{MapState, Mask};

/// One run of a map: its state, and the Lua values that belong to it.
#[derive(Debug)]
pub(crate) struct MapRun {
    /// Id of the map.
    pub(crate) map: MapId,
    /// Index of the map's file.
    pub(crate) file: usize,
    /// State that the map has built up so far.
    pub(crate) state: RefCell<MapState>,
    /// The map's environment, hooks and subvaults.
    pub(crate) parts: RefCell<RunParts>,
    /// Cells of another map that this run is to fill, if any.
    pub(crate) mask: Option<Rc<Mask>>,
}

/// The data of a run that is not part of the map's state.
#[derive(Debug, Default)]
pub(crate) struct RunParts {
    /// The map's environment table.
    pub(crate) env: Option<Table>,
    /// Hooks with their full names, in the order in which they were set.
    pub(crate) hooks: Vec<(String, Function)>,
    /// Subvaults that fill parts of the map.
    pub(crate) children: Vec<Rc<MapRun>>,
    /// Whether the map is resolved. If so, Lua's queries about the level use this map.
    pub(crate) is_placed: bool,
}

impl MapRun {
    /// Creates a run that starts with `state`.
    pub(crate) fn new(map: MapId, file: usize, state: MapState) -> Rc<Self> {
        Self::filling(map, file, state, None)
    }

    /// Creates a run that starts with `state`. `mask` contains the cells of another map that the run fills, if any.
    pub(crate) fn filling(map: MapId, file: usize, state: MapState, mask: Option<&Rc<Mask>>) -> Rc<Self> {
        Rc::new(Self {
            map,
            file,
            state: RefCell::new(state),
            parts: RefCell::default(),
            mask: mask.cloned(),
        })
    }

    /// Returns the map's environment table.
    pub(crate) fn env(&self) -> Option<Table> {
        self.parts.borrow().env.clone()
    }

    /// Restarts the run with `state`. Keeps the environment, but drops hooks and subvaults.
    pub(crate) fn restart(&self, state: MapState) {
        *self.state.borrow_mut() = state;
        let env = self.env();
        *self.parts.borrow_mut() = RunParts {
            env,
            ..RunParts::default()
        };
    }
}

/// The Lua value that represents a map's run. Functions of `dgn` accept it as their first argument.
#[derive(Debug, Clone)]
pub(crate) struct Handle(pub(crate) Rc<MapRun>);

impl UserData for Handle {}
