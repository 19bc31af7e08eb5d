//! What a Builder does in its turn. The page of rules is at the head of [`super`].

use std::cmp::Ordering;

use super::builder::{Builder, Measures};
use super::join;
use super::world::World;
use crate::engine::chance::Stream;
use crate::engine::event::{Death, Event, Kind, Observer, Opening, TurnReason};
use crate::geometry::Forward;

/// Percent with which a free turn to either side goes to the heading that the Builder was born with
/// (recorded: `decide-dir24-*`, `babies-dir54-*`).
const LEANING: u32 = 75;

/// One turn: looks, builds or turns, spawns. `Err` when the Builder dies of it.
pub(super) fn act(world: &mut World<'_, impl Observer>, builder: &mut Builder) -> Result<(), Death> {
    let measures = world.measures.of(builder);
    if builder.age >= i64::from(measures.life) {
        return Err(Death::Aged);
    }
    if builder.opening == Opening::Start {
        leave_gap(world, builder, &measures)?;
    }
    if builder.opening == Opening::Closed && join::try_join(world, builder, &measures) {
        return Err(Death::Joined);
    }
    let needed = measures.needed();
    let free = world.free_rows(
        builder,
        builder.forward,
        &measures,
        needed.saturating_add(measures.step - 1),
    );
    if free < needed {
        return turn_aside(world, builder, &measures, free);
    }
    build(world, builder, measures.step.min(free - measures.corridor));
    decide(world, builder);
    Ok(())
}

/// A Crawler that is open at its start leaves one corridor's breadth unbuilt and is closed from then on. It
/// needs room to build behind the gap, and dies without (recorded: `openstart-*`, `sweep-OpenStartProb-50`).
fn leave_gap(world: &mut World<'_, impl Observer>, builder: &mut Builder, measures: &Measures) -> Result<(), Death> {
    let needed = measures.needed().saturating_add(measures.corridor);
    if world.free_rows(builder, builder.forward, measures, needed) < needed {
        return Err(Death::Blocked);
    }
    world.arrive(builder, builder.at.step(builder.forward, measures.corridor));
    builder.opening = Opening::Closed;
    world.emit(Event::OpeningChanged {
        builder: builder.id,
        from: Opening::Start,
        to: Opening::Closed,
    });
    Ok(())
}

/// Moves `squares` ahead: a Crawler leaves a wall behind, a Jumper one column where it lands.
fn build(world: &mut World<'_, impl Observer>, builder: &mut Builder, squares: i32) {
    match builder.kind {
        Kind::Crawler => world.step(builder, squares),
        Kind::Jumper => {
            let to = builder.at.step(builder.forward, squares);
            world.leave_column(builder, to);
            world.arrive(builder, to);
        }
    }
}

/// Not enough room ahead: turns to a side that is legal and has room, without building or spawning. With
/// room at both sides the roomier one is taken, as far as the smaller is cramped; else chance decides.
fn turn_aside(
    world: &mut World<'_, impl Observer>,
    builder: &mut Builder,
    measures: &Measures,
    free: i32,
) -> Result<(), Death> {
    let needed = measures.needed();
    let ample = measures.ample().max(needed);
    let sides = [builder.forward.left(), builder.forward.right()].map(|side| {
        let room = if builder.may_face(side) {
            world.free_rows(builder, side, measures, ample)
        } else {
            0
        };
        (side, if room >= needed { room } else { 0 })
    });
    let [(left, left_room), (right, right_room)] = sides;
    let (to, side) = match left_room.cmp(&right_room) {
        Ordering::Equal if left_room == 0 => return Err(Death::Blocked),
        Ordering::Equal => (if builder.chance.below(2) == 0 { left } else { right }, left_room),
        Ordering::Greater => (left, left_room),
        Ordering::Less => (right, right_room),
    };
    let why = TurnReason::Forced {
        free: free as u32,
        needed: needed as u32,
        side: side as u32,
    };
    world.turn(builder, to, why);
    Ok(())
}

/// After building: whether to turn of its own will, and what to spawn. Room plays no part. Babies of one
/// turn are of one brood: whether they are Jumpers or late is rolled once for both.
fn decide(world: &mut World<'_, impl Observer>, builder: &mut Builder) {
    let generation = world.generation(builder);
    let brood = world.brood(builder);
    let Some(why) = wants_to_turn(world, builder) else {
        if roll(&mut builder.chance, generation.straight_spawn_prob) {
            let side = if builder.chance.below(2) == 0 {
                builder.forward.left()
            } else {
                builder.forward.right()
            };
            world.spawn(builder, side, brood);
        }
        return;
    };
    let ahead = builder.forward;
    let to = free_side(builder);
    world.turn(builder, to, why);
    world.spawn(builder, to.back(), brood);
    if roll(&mut builder.chance, generation.double_spawn_prob) {
        world.spawn(builder, ahead, brood);
    }
}

/// Rolls for ChangeDirProb; a Crawler of generation 0 that runs straight along its Direction must roll
/// chDirOnStraight as well. The reason carries the roll that was the last to allow the turn.
fn wants_to_turn(world: &World<'_, impl Observer>, builder: &mut Builder) -> Option<TurnReason> {
    let rolled_below = |builder: &mut Builder, chance: i32| {
        let rolled = builder.chance.percent();
        (i32::from(rolled) < chance).then_some(TurnReason::Free {
            rolled,
            chance: chance.clamp(0, 100) as u8,
        })
    };
    let why = rolled_below(builder, world.generation(builder).change_dir_prob)?;
    if builder.generation == 0 && builder.runs_straight() {
        return rolled_below(builder, world.constants().ch_dir_on_straight);
    }
    Some(why)
}

/// The side of a free turn. A Direction that allows one side decides; between two the Builder leans
/// towards the heading it was born with, and where neither is that, the coin decides.
fn free_side(builder: &mut Builder) -> Forward {
    let (left, right) = (builder.forward.left(), builder.forward.right());
    match (builder.may_face(left), builder.may_face(right)) {
        (true, false) => left,
        (false, true) => right,
        _ => {
            let left_chance = match builder.first_forward {
                first if first == left => LEANING,
                first if first == right => 100 - LEANING,
                _ => 50,
            };
            if u32::from(builder.chance.percent()) < left_chance {
                left
            } else {
                right
            }
        }
    }
}

/// Rolls whether an event of so many percent happens.
pub(super) fn roll(chance: &mut Stream, percent: i32) -> bool {
    i32::from(chance.percent()) < percent
}
