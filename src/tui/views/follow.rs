//! Follows a Builder: the map stays centred on the Builder as time moves forward or back.
//!
//! The Builder is still followed at times before its birth and after its death, so that time can be moved back and
//! forth. Following ends when the user moves the map or runs the follow command again.

use crate::engine::{BuilderId, Mark};
use crate::recording::{BuilderState as Living, FrameBuilder};
use crate::text::counted;
use crate::tui::commands::{Action, TimeCommand, TimeUnit, ViewCommand};
use crate::tui::editor::Editor;
use crate::tui::tabs::View;
use crate::tui::widget::form::ring;
use crate::tui::wording;

use super::{ViewsState, inspect};
use crate::tui::viewport::MapPosition;

/// The followed Builder, and the viewport set for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FollowedBuilder {
    pub builder: BuilderId,
    /// The map's position after the last call of [`center`]; once the user moves the map, the current position differs.
    held: Option<MapPosition>,
    /// Whether the Builder is alive at the moment shown.
    lives: bool,
}

impl FollowedBuilder {
    pub(super) const fn of(builder: BuilderId) -> Self {
        Self {
            builder,
            held: None,
            lives: true,
        }
    }
}

/// Stops following if a Builder is followed. Otherwise follows a living Builder: one under the cursor or, if there is
/// none, the Builder that the Inspect view describes.
pub(super) fn toggle(views: &mut ViewsState, editor: &mut Editor) {
    if let Some(followed) = views.followed.take() {
        let name = name(editor, followed.builder);
        editor.done(format!("stopped following {name}"));
        return;
    }
    let cursor = editor.map.cursor();
    let Some(frame) = editor.time.frame() else { return };
    // Builders under the cursor take precedence over the Builder that laid the wall there, and awake ones over sleeping
    // ones.
    let awake = |state: Living| state == Living::Awake;
    let here = frame.living().filter(|(_, builder)| builder.at == cursor);
    let here = here.max_by_key(|(_, builder)| awake(builder.state)).map(|(id, _)| id);
    // While the Inspect view is hidden, its stored subject may be another square, and the origins of tiles may not be
    // tracked. In this case, `keep_origins` reads only the first portion of a long recording.
    if here.is_none() {
        editor.time.keep_origins(true);
    }
    let inspected = inspect::subject(views, editor).and_then(|subject| subject.builder);
    let tile = editor
        .time
        .frame()
        .map(|frame| (frame.grid().tile(cursor), frame.grid().mark(cursor)));
    let by_design = tile.is_some_and(|(tile, mark)| !tile.is_open() && mark == Mark::Design);
    let by_builder = tile.is_some_and(|(tile, mark)| !tile.is_open() && mark != Mark::Design);
    if here.or(inspected).is_none() && by_builder && editor.time.is_reading_origins() {
        // The visible Inspect view keeps the origins tracked.
        editor.view = View::Inspect;
        let follow = key(editor, ViewCommand::Follow);
        editor.warn(format!(
            "still finding out who built the walls: press {follow} again in a moment"
        ));
        return;
    }
    let is_alive = |id: &BuilderId| {
        let builder = editor.time.frame().and_then(|frame| frame.builder(*id));
        builder.is_some_and(|builder| !matches!(builder.state, Living::Dead(_)))
    };
    let Some(builder) = here.or(inspected.filter(is_alive)) else {
        let why = if by_design {
            "the design placed this tile"
        } else {
            "no living Builder is under the cursor"
        };
        editor.warn(format!(
            "{why}: move the cursor to an arrow or to a wall of a living Builder"
        ));
        return;
    };
    views.followed = Some(FollowedBuilder::of(builder));
    editor.view = View::Inspect;
    let name = name(editor, builder);
    let follow = key(editor, ViewCommand::Follow);
    editor.done(format!("following {name}; press {follow} or move the map to stop"));
}

fn key(editor: &Editor, command: ViewCommand) -> String {
    editor.keymap.key_of(Action::View(command))
}

fn name(editor: &Editor, id: BuilderId) -> String {
    let builder = editor.time.frame().and_then(|frame| frame.builder(id));
    builder.map_or_else(
        || format!("Builder {}", wording::builder_number(id)),
        |builder| wording::builder_name(builder.birth.kind, id),
    )
}

/// Goes to the next living Builder, or to the previous one if `by` is negative. The Builders that are awake come first,
/// then the sleeping ones, both in the order of their numbers. Starts from the followed Builder or, if there is none,
/// from the Builder under the cursor. If a Builder is followed, the map follows the new Builder instead.
pub(super) fn next(views: &mut ViewsState, editor: &mut Editor, by: i32) {
    let Some(frame) = editor.time.frame() else { return };
    let mut all: Vec<(BuilderId, FrameBuilder)> = frame.living().map(|(id, builder)| (id, *builder)).collect();
    all.sort_by_key(|(_, builder)| builder.state != Living::Awake);
    let cursor = editor.map.cursor();
    let place_of = |wanted: BuilderId| all.iter().position(|(id, _)| *id == wanted);
    let now = if let Some(followed) = views.followed {
        place_of(followed.builder)
    } else {
        // If several Builders share the square under the cursor, starts from the one to which this function last went
        // or, if that one is not among them, from the first.
        let is_here = |place: &usize| all[*place].1.at == cursor;
        let reached = views.reached.and_then(place_of).filter(is_here);
        reached.or_else(|| (0..all.len()).find(is_here))
    };
    let place = now.map_or_else(
        || {
            // A followed Builder that is dead or not born yet is not in the list. In this case, goes to the awake
            // Builder with the next higher number or, if there is none, to the first in the list.
            let followed = views.followed.map(|followed| followed.builder);
            let is_next = |(id, builder): &(BuilderId, FrameBuilder)| {
                builder.state == Living::Awake && followed.is_some_and(|followed| *id > followed)
            };
            all.iter().position(is_next).unwrap_or(0)
        },
        |now| ring(now, by, all.len()),
    );
    let Some(&(builder, FrameBuilder { at, state, .. })) = all.get(place) else {
        let [back, start] = [TimeCommand::Back(TimeUnit::Turn), TimeCommand::Start]
            .map(|command| editor.keymap.key_of(Action::Time(command)));
        editor.warn(format!(
            "no Builder is alive at this moment: press {back} to go back a turn, or {start} to go to the start"
        ));
        return;
    };
    views.reached = Some(builder);
    let (name, count) = (name(editor, builder), counted(all.len(), "living Builder"));
    let doing = if state == Living::Awake { "awake" } else { "asleep" };
    let which = format!("{doing}, number {} of {count}", place + 1);
    if views.followed.is_some() {
        views.followed = Some(FollowedBuilder::of(builder));
        editor.done(format!("following {name}: {which}"));
    } else {
        editor.show_square(at);
        editor.done(format!(
            "{name} at {at:#}: {which}; {} follows it",
            key(editor, ViewCommand::Follow)
        ));
    }
}

/// Keeps the map centred on the followed Builder; stops when the user moves the map.
pub(super) fn center(views: &mut ViewsState, editor: &mut Editor) {
    let Some(mut followed) = views.followed else { return };
    if followed.held.is_some_and(|held| editor.map.is_moved(&held)) {
        views.followed = None;
        editor.done("the map was moved: stopped following");
        return;
    }
    // Before the Builder's birth and after its death, the map stays in place.
    let frame = editor.time.frame();
    let builder = frame.and_then(|frame| frame.builder(followed.builder)).copied();
    if let Some(builder) = builder {
        editor.map.center_on(builder.at, editor.areas.map);
    }
    let lives = builder.is_some_and(|builder| !matches!(builder.state, Living::Dead(_)));
    if std::mem::replace(&mut followed.lives, lives) && !lives {
        let name = name(editor, followed.builder);
        editor.warn(match builder.map(|builder| builder.state) {
            Some(Living::Dead(cause)) => {
                format!(
                    "{name} died: {}; go back in time to see it alive; {} goes to another Builder",
                    wording::death(cause),
                    key(editor, ViewCommand::NextBuilder(1))
                )
            }
            _ => format!("{name} is not born yet at this moment; go forward in time to see it again"),
        });
    }
    followed.held = Some(editor.map.position());
    views.followed = Some(followed);
}
