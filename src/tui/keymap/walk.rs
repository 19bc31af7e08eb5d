//! Key bindings of a walk through the dungeon.

use crossterm::event::KeyCode;

use super::binding::{Binding, Context, bindings};
use super::key::Key;
use crate::geometry::Forward;
use crate::tui::commands::{Action, WalkCommand};

/// Key bindings of a walk.
pub(super) static KEYS: &[Binding] = bindings! {
    Context::Everywhere, "walk", [Key::alt('g')], Action::Walk(WalkCommand::Toggle), false, "Walk through the dungeon shown, from the entrance: by hand, or led by an explorer who searches for the exit. Only what has been seen is drawn.";
    Context::Walk, "step up", [Key::plain(KeyCode::Up), Key::char('k')], Action::Walk(WalkCommand::Step(Forward::North)), false, "Walk one square up.";
    Context::Walk, "step down", [Key::plain(KeyCode::Down), Key::char('j')], Action::Walk(WalkCommand::Step(Forward::South)), false, "Walk one square down.";
    Context::Walk, "step left", [Key::plain(KeyCode::Left), Key::char('h')], Action::Walk(WalkCommand::Step(Forward::West)), false, "Walk one square left.";
    Context::Walk, "step right", [Key::plain(KeyCode::Right), Key::char('l')], Action::Walk(WalkCommand::Step(Forward::East)), false, "Walk one square right.";
    Context::Walk, "explore", [Key::char(' ')], Action::Walk(WalkCommand::Play), true, "Let the explorer walk until the exit is in sight; press again to pause. If the exit has already been seen, the explorer walks until everything has been seen.";
    Context::Walk, "next step", [Key::char('.')], Action::Walk(WalkCommand::By(1)), true, "Go one step forward; at the end of the walk, the explorer takes the next step.";
    Context::Walk, "previous step", [Key::char(',')], Action::Walk(WalkCommand::By(-1)), true, "Go back one step. If you then take a step yourself, this step replaces all later steps of the walk.";
    Context::Walk, "ten steps", [Key::char('>')], Action::Walk(WalkCommand::By(10)), false, "Go ten steps forward.";
    Context::Walk, "ten steps back", [Key::char('<')], Action::Walk(WalkCommand::By(-10)), false, "Go back ten steps.";
    Context::Walk, "to the entrance", [Key::char('g')], Action::Walk(WalkCommand::Start), false, "Go back to the entrance, before the first step.";
    Context::Walk, "to the end of the walk", [Key::char('G')], Action::Walk(WalkCommand::End), false, "Go to the end of the walk; if the exit has not been seen yet, the explorer first walks on until the exit is in sight.";
    Context::Walk, "end the walk", [Key::plain(KeyCode::Esc)], Action::Walk(WalkCommand::Toggle), true, "End the walk, and show the whole dungeon again.";
};
