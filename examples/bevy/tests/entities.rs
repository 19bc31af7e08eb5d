//! The entities of an app without a window are those of the dungeon.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::HashMap;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;
use wallcrawler::geometry::Point;
use wallcrawler::{Design, Maze};
use wallcrawler_bevy::{Door, Dungeon, DungeonPlugin, Entrance, Exit, Floor, Monster, SIDE, Square, Wall};

const PRESETS: [&str; 2] = [
    include_str!("../../../presets/keep.toml"),
    include_str!("../../../presets/monastery.toml"),
];

/// Returns an app in which a dungeon was spawned.
fn app(design: &Design, seed: u64) -> App {
    let mut app = App::new();
    app.add_plugins(DungeonPlugin::new(design, seed).unwrap());
    app.update();
    app
}

/// Returns the squares of the entities with a component.
fn squares<T: Component>(app: &mut App) -> Vec<Point> {
    let world = app.world_mut();
    let mut query = world.query_filtered::<&Square, With<T>>();
    query
        .iter(world)
        .map(|square| Point::new(square.row, square.column))
        .collect()
}

#[test]
fn every_square_is_one_entity_where_the_dungeon_has_it() {
    for text in PRESETS {
        let design: Design = text.parse().unwrap();
        let maze = Maze::grow(&design, 5).unwrap();
        let mut app = app(&design, 5);
        let (floors, walls) = (squares::<Floor>(&mut app), squares::<Wall>(&mut app));
        let size = maze.size();
        assert_eq!(floors.len() + walls.len(), (size.x * size.y) as usize);
        assert!(floors.len() > 100 && walls.len() > 100);
        assert!(floors.iter().all(|at| maze.is_open(*at)));
        assert!(walls.iter().all(|at| !maze.is_open(*at)));
    }
}

#[test]
fn doors_monsters_and_ends_are_on_the_floor() {
    let mut doors = 0;
    for text in PRESETS {
        let design: Design = text.parse().unwrap();
        let maze = Maze::grow(&design, 5).unwrap();
        let mut app = app(&design, 5);
        for at in squares::<Door>(&mut app) {
            assert!(maze.is_open(at), "{at}");
            doors += 1;
        }
        let monsters = squares::<Monster>(&mut app);
        assert!(!monsters.is_empty());
        assert!(
            monsters.iter().all(|at| maze.steps(*at).is_some()),
            "each can be reached"
        );
        assert_eq!(squares::<Entrance>(&mut app), Vec::from_iter(maze.entrance()));
        assert_eq!(squares::<Exit>(&mut app), Vec::from_iter(maze.exit()));
        let world = app.world_mut();
        let levels: Vec<u32> = world
            .query::<&Monster>()
            .iter(world)
            .map(|monster| monster.level)
            .collect();
        assert!(levels.iter().all(|level| (1..=10).contains(level)), "{levels:?}");
        assert!(levels.contains(&10));
    }
    assert!(doors > 0, "a preset has doors");
}

#[test]
fn neighbours_are_one_side_apart_and_rows_go_down() {
    let design: Design = PRESETS[0].parse().unwrap();
    let mut app = app(&design, 5);
    let size = app.world().resource::<Dungeon>().0.size();
    let world = app.world_mut();
    let mut query = world.query_filtered::<(&Square, &Transform), Or<(With<Floor>, With<Wall>)>>();
    let places: HashMap<(i32, i32), (f32, f32)> = query
        .iter(world)
        .map(|(square, at)| ((square.row, square.column), (at.translation.x, at.translation.y)))
        .collect();
    let (x, y) = places[&(0, 0)];
    assert_eq!(places[&(0, 1)], (x + SIDE, y));
    assert_eq!(places[&(1, 0)], (x, y - SIDE));
    assert_eq!(
        places[&(size.x - 1, size.y - 1)],
        (-x, -y),
        "the origin is in the middle"
    );
}

#[test]
fn the_same_seed_makes_the_same_entities() {
    let design: Design = PRESETS[0].parse().unwrap();
    let walls = |seed| squares::<Wall>(&mut app(&design, seed));
    assert_eq!(walls(9), walls(9));
    assert_ne!(walls(9), walls(10));
}
