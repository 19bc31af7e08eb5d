//! Grows a dungeon and counts its entities; with the feature `window`, shows them as sprites.
//!
//! `cargo run -- 7` uses seed 7.

use std::error::Error;

use wallcrawler::Design;
use wallcrawler_bevy::DungeonPlugin;

#[cfg(not(feature = "window"))]
fn show(plugin: DungeonPlugin) {
    use bevy_app::App;
    use wallcrawler_bevy::{Door, Floor, Monster, Wall};

    let mut app = App::new();
    app.add_plugins(plugin);
    app.update();
    let world = app.world_mut();
    let floors = world.query::<&Floor>().iter(world).count();
    let walls = world.query::<&Wall>().iter(world).count();
    let doors = world.query::<&Door>().iter(world).count();
    let monsters = world.query::<&Monster>().iter(world).count();
    println!("{floors} floor squares, {walls} walls, {doors} squares of doors, {monsters} monsters");
}

#[cfg(feature = "window")]
fn show(plugin: DungeonPlugin) {
    use bevy::prelude::*;
    use wallcrawler_bevy::{Door, Entrance, Exit, Monster, SIDE, Wall};

    /// Returns a system that draws every new entity with a component as a square of this colour.
    fn colour<T: Component>(color: Color) -> impl Fn(Commands, Query<Entity, Added<T>>) {
        move |mut commands, entities| {
            for entity in &entities {
                commands
                    .entity(entity)
                    .insert(Sprite::from_color(color, Vec2::splat(SIDE)));
            }
        }
    }

    App::new()
        .add_plugins((DefaultPlugins, plugin))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(Camera2d);
        })
        .add_systems(
            Update,
            (
                colour::<Wall>(Color::srgb(0.6, 0.6, 0.7)),
                colour::<Door>(Color::srgb(0.5, 0.35, 0.2)),
                colour::<Monster>(Color::srgb(0.8, 0.2, 0.2)),
                colour::<Entrance>(Color::srgb(0.2, 0.7, 0.3)),
                colour::<Exit>(Color::srgb(0.9, 0.8, 0.3)),
            ),
        )
        .run();
}

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(42), |seed| seed.parse())?;
    let design: Design = include_str!("../../../presets/keep.toml").parse()?;
    show(DungeonPlugin::new(&design, seed)?);
    Ok(())
}
