//! The turn of a Crawler. The rules are in the documentation of [`super`].

use std::cmp::Ordering;

use super::builder::{Builder, Measures};
use super::join;
use super::turn_context::{TurnContext, look};
use crate::engine::decision::{Decision, ForcedTurnSide, FreeTurnSide, SideLook};
use crate::engine::event::{Death, Event, Opening, TurnReason};
use crate::engine::intervention::RollKind;
use crate::engine::observer::Observer;
use crate::geometry::Forward;

/// Chance, in percent, that a free turn restores the Crawler's heading at birth. The chance applies if both sides are
/// allowed and a turn to one of them restores that heading (recorded dungeons: `decide-dir24-*`, `babies-dir54-*`).
const LEANING: i32 = 75;

/// Reports that a Builder acts, and returns its measures. Returns `Err` if the Builder dies of old age.
#[inline]
pub(super) fn begin<'a, const CHANGED: bool>(
    context: &mut TurnContext<'a, impl Observer, CHANGED>,
    builder: &Builder,
) -> Result<&'a Measures, Death> {
    let measures = context.rules.measures.of(builder);
    let life = measures.life;
    context.report(builder.id, |_| Decision::Acts {
        age: builder.age,
        life,
        at: builder.at,
        forward: builder.forward,
    });
    if builder.age >= i64::from(life) {
        return Err(Death::Aged);
    }
    Ok(measures)
}

/// Makes one turn: the Crawler looks ahead, builds or turns, and spawns. Returns `Err` when it dies.
pub(super) fn act<const CHANGED: bool>(
    context: &mut TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
) -> Result<(), Death> {
    let measures = begin(context, builder)?;
    // Free rows are counted once for all rules, up to the largest limit. A rule with a smaller limit uses at most that
    // many of them. Once the Crawler has left a gap, the count decreases by the gap's length.
    let most = measures.most[builder.opening as usize];
    let mut free = context.free_rows(builder, builder.forward, measures, most);
    if free < measures.needed {
        return act_without_room(context, builder, measures, free);
    }
    if !builder.is_drawn {
        context.rules.draw::<CHANGED>(builder);
    }
    if builder.opening == Opening::Start {
        leave_gap(context, builder, measures, free.min(measures.gap))?;
        free -= measures.corridor;
    }
    if builder.opening == Opening::Closed && join::try_join(context, builder, measures, free) {
        return Err(Death::Joined);
    }
    let free = free.min(measures.limit);
    let squares = measures.step.min(free - measures.corridor);
    report_building(context, builder, measures, free, squares);
    context.step(builder, squares);
    decide(context, builder);
    Ok(())
}

/// Makes the turn of a Crawler that has too little room ahead to build: only `free` free rows.
fn act_without_room<const CHANGED: bool>(
    context: &mut TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
    measures: &Measures,
    free: i32,
) -> Result<(), Death> {
    let aside = context.free_rows_aside(builder, measures);
    if !builder.is_drawn {
        if aside[0].max(aside[1]) < measures.needed {
            // The Crawler would die with any Direction and opening.
            return Err(Death::Blocked);
        }
        context.rules.draw::<CHANGED>(builder);
    }
    if builder.opening == Opening::Start {
        // Always returns an error, so the Crawler dies: a gap needs even more free rows than building does.
        leave_gap(context, builder, measures, free)?;
    }
    if builder.opening == Opening::Closed && join::try_join(context, builder, measures, free) {
        return Err(Death::Joined);
    }
    report_building(context, builder, measures, free, 0);
    turn_aside(context, builder, measures, free, aside)
}

/// Reports how many squares a Crawler builds: `squares`, which is 0 if it does not build. `free` is the number of free
/// rows ahead.
fn report_building<const CHANGED: bool>(
    context: &mut TurnContext<'_, impl Observer, CHANGED>,
    builder: &Builder,
    measures: &Measures,
    free: i32,
    squares: i32,
) {
    let &Measures {
        needed, step, limit, ..
    } = measures;
    context.report(builder.id, |grid| Decision::Builds {
        look: look(grid, builder, builder.forward, measures, free, limit),
        needed,
        step,
        squares,
    });
}

/// Leaves a gap, one corridor wide, where the wall of a Crawler with [`Opening::Start`] will begin; the Crawler is
/// closed from then on. It dies if there is too little room to build beyond the gap (recorded dungeons: `openstart-*`,
/// `sweep-OpenStartProb-50`). `free` is the number of free rows ahead, counted up to [`Measures::gap`].
fn leave_gap<const CHANGED: bool>(
    context: &mut TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
    measures: &Measures,
    free: i32,
) -> Result<(), Death> {
    let needed = measures.gap;
    context.report(builder.id, |grid| Decision::Gap {
        look: look(grid, builder, builder.forward, measures, free, needed),
        needed,
    });
    if free < needed {
        return Err(Death::Blocked);
    }
    context.arrive(builder, builder.at.step(builder.forward, measures.corridor));
    builder.opening = Opening::Closed;
    context.emit(Event::OpeningChanged {
        builder: builder.id,
        from: Opening::Start,
        to: Opening::Closed,
    });
    Ok(())
}

/// Turns a Crawler to an allowed side with enough room, because there is too little room ahead; it neither builds nor
/// spawns. If both sides qualify, the side with more free rows, counted up to [`Measures::ample`], is chosen; a coin
/// toss decides between equal sides. `free` is the number of free rows ahead; `seen` contains the numbers of free rows
/// to the left and to the right.
fn turn_aside<const CHANGED: bool>(
    context: &mut TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
    measures: &Measures,
    free: i32,
    seen: [i32; 2],
) -> Result<(), Death> {
    let &Measures { needed, ample, .. } = measures;
    let (left, right) = (builder.forward.left(), builder.forward.right());
    let room = |side: Forward, rows: i32| {
        if rows >= needed && builder.may_face(side) {
            rows
        } else {
            0
        }
    };
    let (left_room, right_room) = (room(left, seen[0]), room(right, seen[1]));
    let chosen = match left_room.cmp(&right_room) {
        Ordering::Equal if left_room == 0 => None,
        Ordering::Equal => {
            let is_left = context.toss(builder, RollKind::ForcedSide);
            Some((if is_left { left } else { right }, left_room))
        }
        Ordering::Greater => Some((left, left_room)),
        Ordering::Less => Some((right, right_room)),
    };
    context.report(builder.id, |grid| Decision::TurnsAside {
        sides: [(left, seen[0]), (right, seen[1])].map(|(side, rows)| {
            if builder.may_face(side) {
                SideLook::Seen(look(grid, builder, side, measures, rows, ample))
            } else {
                SideLook::Forbidden(side)
            }
        }),
        needed,
        choice: match chosen {
            None => ForcedTurnSide::None,
            Some((to, _)) if left_room == right_room => ForcedTurnSide::Coin(to),
            Some((to, _)) if left_room.min(right_room) == 0 => ForcedTurnSide::Only(to),
            Some((to, _)) => ForcedTurnSide::Roomier(to),
        },
    });
    let Some((to, side)) = chosen else {
        return Err(Death::Blocked);
    };
    let why = TurnReason::Forced {
        free: free as u32,
        needed: needed as u32,
        side: side as u32,
    };
    context.turn(builder, to, why);
    Ok(())
}

/// Decides after building whether the Crawler makes a free turn, and which babies it spawns. Neither decision depends
/// on how much space is around the Crawler. All babies of a turn are of the same kind, because the rolls for Jumpers
/// and for late babies are made once per turn.
fn decide<const CHANGED: bool>(context: &mut TurnContext<'_, impl Observer, CHANGED>, builder: &mut Builder) {
    let generation = context.generation(builder);
    let offspring = context.offspring(builder);
    let Some(why) = wants_to_turn(context, builder) else {
        let straight = context.roll(builder, generation.straight_spawn_prob, RollKind::StraightSpawn);
        let side = straight.succeeds().then(|| {
            if context.toss(builder, RollKind::SpawnSide) {
                builder.forward.left()
            } else {
                builder.forward.right()
            }
        });
        context.report(builder.id, |_| Decision::SpawnsStraight {
            roll: straight,
            forward: side,
        });
        if let Some(side) = side {
            context.spawn(builder, side, offspring);
        }
        return;
    };
    let ahead = builder.forward;
    let leaning = free_side(context, builder);
    context.report(builder.id, |_| Decision::Leans(leaning));
    let (FreeTurnSide::Only(to) | FreeTurnSide::Rolled { to, .. }) = leaning;
    context.turn(builder, to, why);
    context.spawn(builder, to.back(), offspring);
    let double = context.roll(builder, generation.double_spawn_prob, RollKind::DoubleSpawn);
    context.report(builder.id, |_| Decision::SpawnsTwo { roll: double });
    if double.succeeds() {
        context.spawn(builder, ahead, offspring);
    }
}

/// Rolls for ChangeDirProb; a Crawler of generation 0 whose heading is its Direction must pass a roll of
/// chDirOnStraight as well. The returned reason contains the last roll that allowed the turn.
fn wants_to_turn<const CHANGED: bool>(
    context: &mut TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
) -> Option<TurnReason> {
    let percent = context.generation(builder).change_dir_prob;
    let change = context.roll(builder, percent, RollKind::ChangeDir);
    let asks_again = change.succeeds() && builder.generation == 0 && builder.runs_straight();
    let straight = asks_again.then(|| {
        let percent = context.constants().ch_dir_on_straight;
        context.roll(builder, percent, RollKind::ChangeDirOnStraight)
    });
    context.report(builder.id, |_| Decision::TurnsFreely { change, straight });
    let last = straight.unwrap_or(change);
    last.succeeds().then_some(TurnReason::Free {
        rolled: last.rolled,
        chance: last.chance.clamp(0, 100) as u8,
    })
}

/// Chooses the side of a free turn. If the Direction allows only one side, that side is chosen. If it allows both and a
/// turn to one of them restores the Crawler's heading at birth, that side has a chance of [`LEANING`] percent.
/// Otherwise, the chances of both sides are equal.
fn free_side<const CHANGED: bool>(
    context: &TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
) -> FreeTurnSide {
    let (left, right) = (builder.forward.left(), builder.forward.right());
    match (builder.may_face(left), builder.may_face(right)) {
        (true, false) => FreeTurnSide::Only(left),
        (false, true) => FreeTurnSide::Only(right),
        _ => {
            let left_chance = match builder.first_forward {
                first if first == left => LEANING,
                first if first == right => 100 - LEANING,
                _ => 50,
            };
            let rolled = context.roll(builder, left_chance, RollKind::FreeSide);
            let to = if rolled.succeeds() { left } else { right };
            FreeTurnSide::Rolled { to, left: rolled }
        }
    }
}
