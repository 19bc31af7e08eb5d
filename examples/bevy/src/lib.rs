//! A dungeon of Wallcrawler as entities of Bevy: one per wall and floor square, one per door square, and monsters at
//! dead ends.
//!
//! Add [`DungeonPlugin`] to an app. Everything is spawned before the first update; a game then queries the components.

use bevy_app::{App, Plugin, Startup};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use wallcrawler::geometry::Point;
use wallcrawler::{Design, InvalidDesign, Maze};

/// Side of a square, in units of the world.
pub const SIDE: f32 = 8.0;

/// The dungeon that was grown: its tiles, rooms, path and distances.
#[derive(Debug, Resource)]
pub struct Dungeon(pub Maze);

/// The square of an entity, counted from 0 at the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Component)]
pub struct Square {
    /// Row, from the top.
    pub row: i32,
    /// Column, from the left.
    pub column: i32,
}

/// A square that nothing can walk through.
#[derive(Debug, Clone, Copy, Component)]
pub struct Wall;

/// A square to walk on.
#[derive(Debug, Clone, Copy, Component)]
pub struct Floor;

/// An open square of a door, with the number of its room in the design.
#[derive(Debug, Clone, Copy, Component)]
pub struct Door {
    /// Index of the room in the design.
    pub room: usize,
}

/// A monster at the entrance of a dead end. The farther it is from the dungeon's entrance, the stronger it is.
#[derive(Debug, Clone, Copy, Component)]
pub struct Monster {
    /// Strength, from 1 to 10.
    pub level: u32,
}

/// The square where the player starts.
#[derive(Debug, Clone, Copy, Component)]
pub struct Entrance;

/// The square where the player leaves.
#[derive(Debug, Clone, Copy, Component)]
pub struct Exit;

/// Grows a dungeon when the app starts, and spawns its entities.
pub struct DungeonPlugin {
    maze: Maze,
}

impl DungeonPlugin {
    /// Grows a design from a seed. The same design and seed make the same entities everywhere.
    ///
    /// # Errors
    ///
    /// Fails if the design cannot be grown.
    pub fn new(design: &Design, seed: u64) -> Result<Self, InvalidDesign> {
        Maze::grow(design, seed).map(|maze| Self { maze })
    }
}

impl Plugin for DungeonPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Dungeon(self.maze.clone()));
        app.add_systems(Startup, spawn);
    }
}

/// Returns the components that place an entity at the centre of a square. The dungeon's centre is the origin; rows run
/// downwards.
fn place(maze: &Maze, at: Point, layer: f32) -> (Square, Transform) {
    let size = maze.size();
    let x = (at.y as f32 - (size.y - 1) as f32 / 2.0) * SIDE;
    let y = ((size.x - 1) as f32 / 2.0 - at.x as f32) * SIDE;
    let square = Square {
        row: at.x,
        column: at.y,
    };
    (square, Transform::from_xyz(x, y, layer))
}

/// Spawns the entities of the dungeon.
fn spawn(mut commands: Commands, dungeon: Res<Dungeon>) {
    let maze = &dungeon.0;
    for (at, tile) in maze.tiles() {
        let place = place(maze, at, 0.0);
        if tile.is_open() {
            commands.spawn((place, Floor));
        } else {
            commands.spawn((place, Wall));
        }
    }
    for door in maze.doors() {
        for at in maze.open_squares(door) {
            commands.spawn((place(maze, at, 1.0), Door { room: door.room }));
        }
    }
    for (at, level) in monsters(maze) {
        commands.spawn((place(maze, at, 2.0), Monster { level }));
    }
    if let Some(at) = maze.entrance() {
        commands.spawn((place(maze, at, 1.0), Entrance));
    }
    if let Some(at) = maze.exit() {
        commands.spawn((place(maze, at, 1.0), Exit));
    }
}

/// Returns the entrances of the dead ends that can be reached, with the levels of the monsters there: 1 near the
/// dungeon's entrance, 10 farthest from it.
fn monsters(maze: &Maze) -> Vec<(Point, u32)> {
    let ends = maze.metrics().dead_ends.iter().map(|end| end.mouth.from);
    let reached: Vec<(Point, u32)> = ends.filter_map(|at| Some((at, maze.steps(at)?))).collect();
    let farthest = reached.iter().map(|(_, steps)| *steps).max().unwrap_or(0).max(1);
    reached
        .into_iter()
        .map(|(at, steps)| (at, 1 + steps * 9 / farthest))
        .collect()
}
