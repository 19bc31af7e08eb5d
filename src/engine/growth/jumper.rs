//! What a ColumnJumper does in its turn. The rules are at the head of [`super`].

use super::builder::Builder;
use super::turn::{self, look};
use super::turn_context::TurnContext;
use crate::engine::decision::Decision;
use crate::engine::event::{BuilderKind, Death, Observer};

/// One turn: dies of age or where the squares ahead are not all free, else leaves a column a step ahead and has two
/// babies there. `Err` when the Jumper dies of it.
pub(super) fn act(world: &mut TurnContext<'_, impl Observer>, builder: &mut Builder) -> Result<(), Death> {
    let measures = turn::begin(world, builder)?;
    let &mut Builder { id, at, forward, .. } = builder;
    let needed = measures.needed();
    let free = world.free_rows(builder, forward, &measures, needed);
    let squares = if free < needed { 0 } else { measures.step };
    world.tell(id, |grid| Decision::Builds {
        look: look(grid, builder, forward, &measures, free, needed),
        needed,
        step: measures.step,
        squares,
    });
    if squares == 0 {
        return Err(Death::Blocked);
    }
    let to = at.step(forward, squares);
    world.leave_column(builder, to);
    world.arrive(builder, to);
    if builder.kind != BuilderKind::RoomJumper {
        world.spawn_jumpers(builder, [forward.right(), forward.left()]);
    }
    Ok(())
}
