//! Following a Builder: the map stays centred on it as time moves forward or back.
//!
//! Following ends when the Builder dies, when the user moves the map, or when the user presses the same key again.

use crate::engine::BuilderId;
use crate::recording::BuilderState as Living;
use crate::tui::app::{App, NoticeLevel};
use crate::tui::map;
use crate::tui::tabs::View;

use super::words;

/// The followed Builder, and the viewport set for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FollowedBuilder {
    pub builder: BuilderId,
    /// Viewport set last; it differs from the map's once the user moves the map.
    held: Option<map::Viewport>,
}

/// Follows the Builder under the cursor, else the inspected one; stops following if a Builder is followed already.
pub(super) fn toggle(app: &mut App) {
    if let Some(followed) = app.views.followed.take() {
        let name = name(app, followed.builder);
        app.editor
            .say(NoticeLevel::Done, format!("{name} is followed no longer"));
        return;
    }
    let cursor = app.editor.map.cursor();
    let Some(frame) = app.editor.time.frame() else { return };
    // Awake Builders take precedence over sleeping ones, and those under the cursor over the inspected one.
    let awake = |state: Living| state == Living::Awake;
    let here = frame.living().filter(|(_, builder)| builder.at == cursor);
    let here = here.max_by_key(|(_, builder)| awake(builder.state)).map(|(id, _)| id);
    let told = app.views.inspect.subject.and_then(|subject| subject.builder);
    let told = told.filter(|id| frame.builder(*id).is_some_and(|b| !matches!(b.state, Living::Dead(_))));
    let Some(builder) = here.or(told) else {
        let why = "no living Builder is under the cursor: put it on an arrow, or on a wall whose Builder lives";
        app.editor.say(NoticeLevel::Warning, why);
        return;
    };
    app.views.followed = Some(FollowedBuilder { builder, held: None });
    app.editor.view = View::Inspect;
    let name = name(app, builder);
    app.editor.say(
        NoticeLevel::Done,
        format!("following {name}: play or step; F or moving the map ends it"),
    );
}

fn name(app: &App, id: BuilderId) -> String {
    let builder = app.editor.time.frame().and_then(|frame| frame.builder(id));
    builder.map_or_else(
        || format!("Builder {}", words::number(id)),
        |builder| words::name(builder.birth.kind, id),
    )
}

/// Keeps the map centred on the followed Builder; stops when it dies or the user moves the map.
pub(super) fn tick(app: &mut App) {
    let Some(mut followed) = app.views.followed else { return };
    if followed.held.is_some_and(|held| app.editor.map.is_moved(&held)) {
        app.views.followed = None;
        app.editor
            .say(NoticeLevel::Done, "the map was moved: nobody is followed any more");
        return;
    }
    // When time runs back to before its birth, the map stays in place.
    let builder = app
        .editor
        .time
        .frame()
        .and_then(|frame| frame.builder(followed.builder))
        .copied();
    if let Some(builder) = builder {
        if app.editor.map.cursor() != builder.at || followed.held != Some(app.editor.map.standing()) {
            map::center_on(app, builder.at);
        }
        if let Living::Dead(cause) = builder.state {
            let name = name(app, followed.builder);
            app.views.followed = None;
            app.editor.say(
                NoticeLevel::Warning,
                format!("{name} died: {}; nobody is followed any more", words::death(cause)),
            );
            return;
        }
    }
    followed.held = Some(app.editor.map.standing());
    app.views.followed = Some(followed);
}
