//! Words that several parts of the designer share: names of Builders, tiles and moments, and descriptions of events.

mod growth;

pub(super) use growth::{
    builder_name, builder_number, death, direction, event, moment, next_turn, obstacle, opening, room_ahead, tile_name,
    turn_side,
};
