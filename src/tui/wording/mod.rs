//! Wording that several parts of the interface share: names of Builders, tiles, layers and settings, and descriptions
//! of events and merge conflicts.

mod fields;
mod growth;
mod layers;
mod merge;

pub(super) use fields::{
    change_name, codes, crawler_end, crawler_headings, field_name, invalid_references, meaning, other_switch, quoted,
    switch_name,
};
pub(super) use growth::{
    builder_name, builder_number, death, direction, event, marked_generation, moment, next_turn, obstacle, opening,
    room_ahead, tile_name, turn_side,
};
pub(super) use layers::{layer_glyph, layer_name, layer_summary, passage_width};
pub(super) use merge::difference;
