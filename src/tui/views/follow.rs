//! Following a Builder: the map keeps it in the middle as time goes on or back.
//!
//! It ends when the Builder dies, when the map is moved by hand, or by the same key again.

use crate::engine::BuilderId;
use crate::recording::BuilderState as Living;
use crate::tui::app::{App, NoticeLevel};
use crate::tui::map;

use super::{View, words};

/// Who is followed, and where the map was put for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FollowedBuilder {
    pub builder: BuilderId,
    /// How the map was put last.
    held: Option<map::Viewport>,
}

/// Begins to follow the Builder under the cursor, the one whose story is told, or ends it.
pub(super) fn toggle(app: &mut App) {
    if let Some(followed) = app.views.followed.take() {
        let name = name(app, followed.builder);
        app.say(NoticeLevel::Done, format!("{name} is followed no longer"));
        return;
    }
    let cursor = app.map.cursor();
    let Some(frame) = app.time.frame() else { return };
    // The awake before the sleepers; then whoever is inspected.
    let awake = |state: Living| state == Living::Awake;
    let here = frame.living().filter(|(_, builder)| builder.at == cursor);
    let here = here.max_by_key(|(_, builder)| awake(builder.state)).map(|(id, _)| id);
    let told = app.views.inspect.subject.and_then(|subject| subject.builder);
    let told = told.filter(|id| frame.builder(*id).is_some_and(|b| !matches!(b.state, Living::Dead(_))));
    let Some(builder) = here.or(told) else {
        let why = "no living Builder is under the cursor: put it on an arrow, or on a wall whose Builder lives";
        app.say(NoticeLevel::Warning, why);
        return;
    };
    app.views.followed = Some(FollowedBuilder { builder, held: None });
    app.views.shown = View::Inspect;
    let name = name(app, builder);
    app.say(
        NoticeLevel::Done,
        format!("following {name}: play or step; F or moving the map ends it"),
    );
}

fn name(app: &App, id: BuilderId) -> String {
    let builder = app.time.frame().and_then(|frame| frame.builder(id));
    builder.map_or_else(
        || format!("Builder {}", words::number(id)),
        |builder| words::name(builder.birth.kind, id),
    )
}

/// Keeps the map on the Builder that is followed.
pub(super) fn tick(app: &mut App) {
    let Some(mut followed) = app.views.followed else { return };
    if followed.held.is_some_and(|held| app.map.is_moved(&held)) {
        app.views.followed = None;
        app.say(NoticeLevel::Done, "the map was moved: nobody is followed any more");
        return;
    }
    // Before its birth, where time runs back, the map waits for it.
    let builder = app
        .time
        .frame()
        .and_then(|frame| frame.builder(followed.builder))
        .copied();
    if let Some(builder) = builder {
        if app.map.cursor() != builder.at || followed.held != Some(app.map.standing()) {
            map::center_on(app, builder.at);
        }
        if let Living::Dead(cause) = builder.state {
            let name = name(app, followed.builder);
            app.views.followed = None;
            app.say(
                NoticeLevel::Warning,
                format!("{name} died: {}; nobody is followed any more", words::death(cause)),
            );
            return;
        }
    }
    followed.held = Some(app.map.standing());
    app.views.followed = Some(followed);
}
