//! The turn of a Jumper. The rules are in the documentation of [`super`].

use super::builder::Builder;
use super::turn;
use super::turn_context::{TurnContext, look};
use crate::engine::decision::Decision;
use crate::engine::event::{BuilderKind, Death};
use crate::engine::observer::Observer;

/// Makes one turn of a Jumper. The Jumper dies if it has reached the age limit of its kind, or if a square ahead is not
/// free. Otherwise it moves one step ahead and leaves a column there. Unless it is a Jumper inside a room, it then
/// spawns two babies. Returns `Err` if the Jumper dies.
pub(super) fn act<const CHANGED: bool>(
    context: &mut TurnContext<'_, impl Observer, CHANGED>,
    builder: &mut Builder,
) -> Result<(), Death> {
    let measures = turn::begin(context, builder)?;
    let &mut Builder { id, at, forward, .. } = builder;
    let needed = measures.needed;
    let free = context.free_rows(builder, forward, measures, needed);
    let squares = if free < needed { 0 } else { measures.step };
    context.report(id, |grid| Decision::Builds {
        look: look(grid, builder, forward, measures, free, needed),
        needed,
        step: measures.step,
        squares,
    });
    if squares == 0 {
        return Err(Death::Blocked);
    }
    let to = at.step(forward, squares);
    context.leave_column(builder, to);
    context.arrive(builder, to);
    if builder.kind != BuilderKind::RoomJumper {
        context.spawn_jumpers(builder, [forward.right(), forward.left()]);
    }
    Ok(())
}
