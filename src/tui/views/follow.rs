//! Following a Builder: the map stays centred on it as time moves forward or back.
//!
//! Following ends when the Builder dies, when the user moves the map, or when the user presses the same key again.

use crate::engine::BuilderId;
use crate::recording::BuilderState as Living;
use crate::tui::editor::Editor;
use crate::tui::tabs::View;
use crate::tui::wording;

use super::ViewsState;
use crate::tui::viewport::MapPosition;

/// The followed Builder, and the viewport set for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FollowedBuilder {
    pub builder: BuilderId,
    /// Viewport set last; it differs from the map's once the user moves the map.
    held: Option<MapPosition>,
}

/// Follows the Builder under the cursor, else the inspected one; stops following if a Builder is followed already.
pub(super) fn toggle(views: &mut ViewsState, editor: &mut Editor) {
    if let Some(followed) = views.followed.take() {
        let name = name(editor, followed.builder);
        editor.done(format!("stopped following {name}"));
        return;
    }
    let cursor = editor.map.cursor();
    let Some(frame) = editor.time.frame() else { return };
    // Awake Builders take precedence over sleeping ones, and those under the cursor over the inspected one.
    let awake = |state: Living| state == Living::Awake;
    let here = frame.living().filter(|(_, builder)| builder.at == cursor);
    let here = here.max_by_key(|(_, builder)| awake(builder.state)).map(|(id, _)| id);
    let inspected = views.inspect.subject.and_then(|subject| subject.builder);
    let inspected = inspected.filter(|id| frame.builder(*id).is_some_and(|b| !matches!(b.state, Living::Dead(_))));
    let Some(builder) = here.or(inspected) else {
        let why = "no living Builder is under the cursor: move it to an arrow, or to a wall of a living Builder";
        editor.warn(why);
        return;
    };
    views.followed = Some(FollowedBuilder { builder, held: None });
    editor.view = View::Inspect;
    let name = name(editor, builder);
    editor.done(format!("following {name}: play or step; F or moving the map stops it"));
}

fn name(editor: &Editor, id: BuilderId) -> String {
    let builder = editor.time.frame().and_then(|frame| frame.builder(id));
    builder.map_or_else(
        || format!("Builder {}", wording::builder_number(id)),
        |builder| wording::builder_name(builder.birth.kind, id),
    )
}

/// Keeps the map centred on the followed Builder; stops when it dies or the user moves the map.
pub(super) fn center(views: &mut ViewsState, editor: &mut Editor) {
    let Some(mut followed) = views.followed else { return };
    if followed.held.is_some_and(|held| editor.map.is_moved(&held)) {
        views.followed = None;
        editor.done("the map was moved: stopped following");
        return;
    }
    // When time runs back to before its birth, the map stays in place.
    let frame = editor.time.frame();
    let builder = frame.and_then(|frame| frame.builder(followed.builder)).copied();
    if let Some(builder) = builder {
        if editor.map.cursor() != builder.at || followed.held != Some(editor.map.position()) {
            editor.map.center_on(builder.at, editor.areas.map);
        }
        if let Living::Dead(cause) = builder.state {
            let name = name(editor, followed.builder);
            views.followed = None;
            editor.warn(format!("{name} died: {}; stopped following", wording::death(cause)));
            return;
        }
    }
    followed.held = Some(editor.map.position());
    views.followed = Some(followed);
}
