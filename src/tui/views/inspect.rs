//! The Inspect view: the tile under the map's cursor, and which Builder laid it, when and why.
//!
//! The view finds the Builder in the recording. The reasons come from the story service, which grows the design once
//! more in the background. Following a link in the view keeps the subject until the user moves the cursor.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::ViewsState;
use super::page::{Link, ListPage, ListRow};
use super::story::StoryContext;
use super::subject::InspectSubject;
use super::why::{self, WhyState};
use crate::background::{JobError, StoryReply, StoryRequest, Ticket};
use crate::design::feature::Class;
use crate::design::{Entry, GENERATIONS, Place};
use crate::engine::stage_one::{LayoutPart, SquareSource, Start};
use crate::engine::{BuilderId, Clock, Mark, Tile};
use crate::geometry::Point;
use crate::recording::{BuilderState as Living, Frame, FrameBuilder};
use crate::text::counted;
use crate::tui::editor::{Editor, Focus};
use crate::tui::jobs::JobHandle;
use crate::tui::playback::RunInfo;
use crate::tui::tabs::View;
use crate::tui::widget::list::ListState;
use crate::tui::widget::text::wrapped;
use crate::tui::wording;

/// The state of the view.
#[derive(Debug, Default)]
pub(super) struct InspectState {
    pub(super) list: ListState,
    pub(super) subject: Option<InspectSubject>,
    /// The square to which a link in the view moved the cursor; the subject is kept while the cursor is on that square.
    linked: Option<Point>,
    /// The square and the Builder of the last request about the current run.
    requested: Option<(Point, Option<BuilderId>)>,
    /// The story request in progress; `None` once its reply has arrived.
    request: Option<JobHandle>,
    story: Option<Result<StoryReply, JobError>>,
    /// The answers to the questions "why" and "what if" about the subject.
    pub(super) why: WhyState,
}

impl InspectState {
    /// Resets the state when another run is shown: replies about the previous one are outdated.
    pub(super) fn forget(&mut self) {
        (self.requested, self.request) = (None, None);
        self.story = None;
        self.linked = None;
        self.why.forget();
    }

    /// Returns whether the subject is this square and all requests about it have been answered.
    pub(super) fn has_explained(&self, at: Point) -> bool {
        let is_subject = self.subject.is_some_and(|subject| subject.at == at);
        is_subject && self.requested.is_some() && self.request.is_none() && !self.why.is_under_way()
    }

    /// Notes that a link of the view moved the cursor to a square.
    pub(super) const fn note_link(&mut self, at: Point) {
        self.linked = Some(at);
    }

    /// Stores the reply to the request in progress; drops replies to other requests.
    pub(super) fn handle_reply(&mut self, ticket: &Ticket, reply: Result<StoryReply, JobError>) {
        if self.request.take_if(|request| request.has(ticket)).is_some() {
            self.story = Some(reply);
        }
    }
}

/// Updates the subject from the cursor, and requests its story. While the view is hidden, cancels a pending request
/// instead.
pub(super) fn update(views: &mut ViewsState, editor: &mut Editor, is_visible: bool) {
    if !is_visible {
        let state = &mut views.inspect;
        if state.request.take().is_some() {
            state.requested = None;
        }
        state.why.pause();
        return;
    }
    let cursor = editor.map.cursor();
    views.inspect.linked.take_if(|linked| *linked != cursor);
    let found = subject(views, editor);
    let followed = views.followed().is_some();
    let state = &mut views.inspect;
    if state.subject != found {
        // If only the square of a followed Builder has changed, the list stays as it is.
        if !followed || state.subject.and_then(|subject| subject.builder) != found.and_then(|found| found.builder) {
            state.list = ListState::default();
            state.why.is_wanted &= state.subject.is_none();
        }
        state.subject = found;
    }
    let Some(subject) = found else { return };
    why::update(&mut state.why, editor, subject, followed);
    // The story of a followed Builder does not depend on its place.
    let at = if followed { Point::new(-1, -1) } else { subject.at };
    let wanted = (at, subject.builder);
    let Some(run) = editor.time.run().filter(|_| state.requested != Some(wanted)) else {
        return;
    };
    // The request is sent only after a check of whether this program can reproduce the recording. If it cannot, the
    // request omits the Builder, whose decisions cannot be found.
    let Some(grows_again) = run.grows_again() else { return };
    let ancestors = |id: BuilderId| {
        let parent = |id: BuilderId| editor.time.frame()?.builder(id)?.birth.parent;
        std::iter::successors(parent(id), |id| parent(*id)).collect()
    };
    let request = StoryRequest {
        design: run.design.clone(),
        options: run.options,
        builder: subject.builder.filter(|_| grows_again).map(|id| (id, ancestors(id))),
        at: subject.at,
    };
    state.requested = Some(wanted);
    state.story = None;
    state.request = Some(editor.start(request, ()));
}

/// Returns the current subject: the followed Builder; or the previous subject if a link moved the cursor; or what is
/// under the cursor.
pub(super) fn subject(views: &ViewsState, editor: &Editor) -> Option<InspectSubject> {
    let frame = editor.time.frame()?;
    let cursor = editor.map.cursor();
    let before = views.inspect.subject;
    if let Some(builder) = views.followed() {
        return Some(InspectSubject {
            at: cursor,
            builder: Some(builder),
            laid: None,
        });
    }
    if views.inspect.linked == Some(cursor) && before.is_some() {
        return before;
    }
    let now = editor.time.clock().turn;
    let origin = editor.time.origins().and_then(|origins| origins.of(cursor, now));
    let builder_here = || {
        frame
            .living()
            .find(|(_, builder)| builder.at == cursor)
            .map(|(id, _)| id)
    };
    Some(InspectSubject {
        at: cursor,
        builder: origin.map(|origin| origin.builder).or_else(builder_here),
        laid: origin.map(|origin| origin.turn),
    })
}

/// Returns the lines of the view.
pub(super) fn page(views: &ViewsState, editor: &Editor, inside: Rect) -> ListPage {
    let theme = editor.theme;
    let state = &views.inspect;
    let list = state.list;
    let Some((frame, subject)) = editor.time.frame().zip(state.subject) else {
        let waiting = Line::styled("the growth has not started yet", theme.quiet());
        return ListPage::new(vec![waiting], Vec::new(), 0, list, inside);
    };
    let mut head = vec![square(editor, frame, subject.at)];
    for text in contents(editor, subject.at) {
        head.extend(wrapped(&text, inside.width, theme.accent()));
    }
    let mut rows = Vec::new();
    let mut suggested = 0;
    if let Some(turn) = subject.laid {
        head.push(Line::styled(
            format!("laid in {}", wording::moment(moment_of(editor, turn))),
            theme.text(),
        ));
    }
    if let Some(id) = subject.builder {
        let builder = frame.builder(id);
        let (who, how) = builder.map_or_else(
            || {
                (
                    format!("Builder {}, not born yet", wording::builder_number(id)),
                    String::new(),
                )
            },
            |builder| builder_lines(id, builder, subject, editor.time.clock().iteration),
        );
        for (text, style) in [(who, theme.text()), (how, theme.quiet())] {
            head.extend(wrapped(&text, inside.width, style));
        }
        let grows_again = editor.time.run().and_then(RunInfo::grows_again);
        // Predicting the next turn also requires that this program can reproduce the recording.
        if let Some(next) = editor.time.describe_next_turn(id).filter(|_| grows_again == Some(true)) {
            head.extend(wrapped(&next, inside.width, theme.accent()));
        }
        rows.extend(others(editor, frame, subject, inside.width));
        match &state.story {
            _ if grows_again == Some(false) => rows.extend(note(
                editor,
                "the reasons are not available: the dungeon that this program grows from the recorded design differs from the recording; see Events for what happened",
                inside.width,
            )),
            Some(Ok(reply)) => {
                let context = StoryContext {
                    theme,
                    size: frame.grid().size(),
                    story: &reply.story,
                    subject: id,
                    first: reply.first.as_ref(),
                    laid: subject.laid,
                    about: story_turn(views, editor, subject),
                    now: editor.time.clock().turn,
                    width: inside.width,
                };
                rows.extend(
                    reply
                        .first
                        .iter()
                        .flat_map(|start| descent(editor, id, start, inside.width)),
                );
                let (story, line) = context.rows();
                suggested = rows.len() + line;
                rows.extend(story);
            }
            Some(Err(error)) => rows.extend(note(
                editor,
                &format!("cannot look up the reasons: {error}"),
                inside.width,
            )),
            None => rows.extend(note(editor, "looking up the reasons …", inside.width)),
        }
        if let Some(builder) = builder {
            let generation = builder.birth.generation;
            let name = format!("generation {generation}");
            rows.extend(parameters(editor, &name, generation, inside.width));
        }
    } else {
        rows.extend(unlaid(state.story.as_ref(), editor, frame, subject, inside.width));
        rows.extend(others(editor, frame, subject, inside.width));
    }
    rows.extend(places(editor, subject.at, inside.width));
    let why = why::rows(&state.why, editor, subject, inside.width);
    if state.why.is_wanted && !why.is_empty() {
        // Suggests the first line that has a link or, if there is none, the line below the heading.
        suggested = rows.len() + why.iter().position(|row| row.link.is_some()).unwrap_or(1);
    }
    rows.extend(why);
    ListPage::new(head, rows, suggested, list, inside)
}

/// Shows the view, scrolled to the answers to "why" and "what if".
pub(super) fn show_why(views: &mut ViewsState, editor: &mut Editor) {
    editor.view = View::Inspect;
    editor.focus = Focus::View;
    // The previous subject is discarded, so that the next update does not reset `is_wanted`.
    views.inspect.subject = None;
    views.inspect.list = ListState::default();
    views.inspect.why.is_wanted = true;
}

/// Returns a turn with the iteration to which it belongs.
fn moment_of(editor: &Editor, turn: u64) -> Clock {
    let recording = editor.time.recording();
    Clock {
        turn,
        iteration: recording.map_or(0, |recording| recording.iteration_of(turn)),
    }
}

/// Returns the turn of the story that is selected at first. This is the turn in which the tile was laid. If no Builder
/// laid the tile, if a Builder is followed or if a link moved the cursor, it is the turn of the moment shown.
fn story_turn(views: &ViewsState, editor: &Editor, subject: InspectSubject) -> u64 {
    let now = editor.time.clock().turn;
    match subject.laid {
        Some(laid) if views.followed().is_none() && views.inspect.linked.is_none() => laid,
        _ => now,
    }
}

fn note(editor: &Editor, text: &str, width: u16) -> Vec<ListRow> {
    ListRow::wrapped(&Span::raw(""), text, editor.theme.quiet(), width, None)
}

/// Returns the line that describes the tile on a square.
fn square(editor: &Editor, frame: &Frame, at: Point) -> Line<'static> {
    let theme = editor.theme;
    let (tile, mark) = (frame.grid().tile(at), frame.grid().mark(at));
    let color = theme
        .tile(tile, mark)
        .map_or(theme.quiet(), |color| Style::new().fg(color));
    let whose = match mark {
        Mark::Generation(generation) => format!(" of {}", wording::marked_generation(generation)),
        Mark::Design if tile.is_open() => String::new(),
        Mark::Design => " of the design".into(),
    };
    let sign = if tile == Tile::Open { "□ " } else { "■ " };
    Line::from(vec![
        Span::styled(sign, color),
        Span::styled(format!("{}{whose}", wording::tile_name(tile)), theme.heading()),
        Span::styled(format!(" at {at:#}"), theme.quiet()),
    ])
}

/// Returns what a vault places on a square: its feature, unless that is a wall or floor, and its contents.
fn contents(editor: &Editor, at: Point) -> Vec<String> {
    let piece = editor.time.run().and_then(|run| run.design.vault_at(at));
    let Some((piece, feature)) = piece.and_then(|piece| Some((piece, piece.feature(at)?))) else {
        return Vec::new();
    };
    let is_plain = matches!(feature.class(), Class::Wall | Class::Floor);
    let feature = (!is_plain).then(|| feature.name().replace('_', " "));
    let contents = piece.contents_at(at).map(ToString::to_string);
    feature.into_iter().chain(contents).collect()
}

/// Returns two lines about a Builder: its name and state, and its details.
fn builder_lines(id: BuilderId, builder: &FrameBuilder, subject: InspectSubject, iteration: u32) -> (String, String) {
    let by = if subject.laid.is_some() { "by " } else { "" };
    let doing = match builder.state {
        Living::Asleep => match builder.birth.wakes.saturating_sub(iteration) {
            0 => "wakes in this iteration".into(),
            iterations => format!("wakes in {}", counted(iterations, "iteration")),
        },
        Living::Awake => "awake".into(),
        Living::Dead(_) => "dead".into(),
    };
    let who = format!(
        "{by}{} {} of generation {}, {doing}",
        wording::builder_name(builder.birth.kind, id),
        builder.forward.arrow(),
        builder.birth.generation
    );
    let how = format!(
        "{} laid, {}, {}",
        counted(u64::from(builder.laid), "tile"),
        wording::direction(builder.birth.direction),
        wording::opening(builder.opening)
    );
    (who, how)
}

/// Returns the line about a Builder's origin: which first Builder it is, or from which first Builder it descends. The
/// line links to the entry of the design that starts the first Builder.
fn descent(editor: &Editor, id: BuilderId, start: &Start, width: u16) -> Vec<ListRow> {
    let builder = editor.time.frame().and_then(|frame| frame.builder(id));
    let is_first = builder.is_some_and(|builder| builder.birth.parent.is_none());
    let how = if is_first { "it is" } else { "it is descended from" };
    let text = format!("{how} {}, at {:#}", start.description(), start.at);
    let link = Some(Link::Entry(start.origin));
    ListRow::wrapped(&Span::raw(""), &text, editor.theme.text(), width, link)
}

/// Returns lines about the Builders on the square other than the inspected Builder.
fn others(editor: &Editor, frame: &Frame, subject: InspectSubject, width: u16) -> Vec<ListRow> {
    let others = frame
        .living()
        .filter(|(id, builder)| builder.at == subject.at && Some(*id) != subject.builder);
    others
        .flat_map(|(id, builder)| {
            let (who, _) = builder_lines(
                id,
                builder,
                InspectSubject { laid: None, ..subject },
                editor.time.clock().iteration,
            );
            let text = format!("here: {who}");
            ListRow::wrapped(&Span::raw(""), &text, editor.theme.accent(), width, None)
        })
        .collect()
}

/// Returns the lines for a square whose tile has no known Builder. They name the part of the design that the square
/// comes from, explain why the square is open, or report that its Builder is being looked up.
fn unlaid(
    story: Option<&Result<StoryReply, JobError>>,
    editor: &Editor,
    frame: &Frame,
    subject: InspectSubject,
    width: u16,
) -> Vec<ListRow> {
    let theme = editor.theme;
    let at = subject.at;
    let mark = frame.grid().mark(at);
    if let Mark::Generation(generation) = mark {
        let read = editor.time.origins().map_or(0, crate::recording::TileOrigins::read);
        let text = format!("looking up who laid it … ({} read)", counted(read, "turn"));
        let mut rows = note(editor, &text, width);
        let name = wording::marked_generation(generation);
        rows.extend(parameters(editor, &name, generation.into(), width));
        return rows;
    }
    let source = match story {
        Some(Ok(reply)) => reply.source,
        Some(Err(error)) => return note(editor, &format!("its origin is not available: {error}"), width),
        None => return note(editor, "looking up where it comes from …", width),
    };
    let feature = editor.time.run().and_then(|run| run.design.feature(at));
    let open = frame.grid().tile(at).is_open();
    let (mut text, link) = match source {
        Some(source) => describe_source(editor, source, open),
        None => ("no Builder has built here up to the moment shown".to_owned(), None),
    };
    if let Some(feature) = feature {
        text = format!("{text}: {}", feature.name().replace('_', " "));
    }
    let mut rows = ListRow::wrapped(&Span::raw(""), &text, theme.text(), width, link);
    if frame.grid().tile(at) == Tile::Open {
        for (room, place) in rooms_around(editor, at) {
            let text = format!("inside room {room}, where Crawlers build if a corridor fits");
            rows.extend(ListRow::wrapped(
                &Span::raw(""),
                &text,
                theme.text(),
                width,
                Some(Link::Entry(place)),
            ));
        }
    }
    rows
}

/// Describes the part of the design that a square comes from, and links to its entry.
fn describe_source(editor: &Editor, source: SquareSource, open: bool) -> (String, Option<Link>) {
    let label = source.entry.map_or_else(String::new, Entry::label);
    let text = match source.part {
        LayoutPart::Border => "the border: the outer wall is the same in every dungeon, and nothing replaces it".into(),
        LayoutPart::RoomWall => format!("the wall of {label}"),
        LayoutPart::Door => {
            format!("a door of {label}: if it is wide enough, Crawlers can build in it and pass through it")
        }
        LayoutPart::Pyramid => format!("the pyramid in the middle of {label}"),
        LayoutPart::Decoration => format!("the decoration of a door of {label}"),
        LayoutPart::RoomColumns => format!("a column of {label}, from which Jumpers start"),
        LayoutPart::HandPlaced if open => format!("{label} of the design: no wall is ever built here"),
        LayoutPart::HandPlaced => format!("{label}, placed by hand"),
        LayoutPart::Vault if source.entry.is_none() => "the way out of a vault: it is kept open".into(),
        LayoutPart::Vault => match (source.entry, open) {
            (Some(Entry::Vault(vault)), false) => format!("{label} ({})", vault_name(editor, vault)),
            (Some(Entry::Vault(vault)), true) => {
                format!(
                    "inside {label} ({}), where no Builder can build",
                    vault_name(editor, vault)
                )
            }
            _ => label,
        },
        LayoutPart::Protuberance => "a protuberance of the outer wall".into(),
    };
    (text, source.entry.map(|entry| Link::Entry(Place::entry(entry))))
}

fn vault_name(editor: &Editor, vault: usize) -> String {
    let pieces = editor.time.run().map_or(&[][..], |run| run.design.pieces());
    let piece = pieces.iter().find(|piece| piece.vault == vault);
    piece.map_or_else(String::new, |piece| piece.name.clone())
}

/// Returns the rooms that contain a square, numbered from 1.
fn rooms_around(editor: &Editor, at: Point) -> Vec<(usize, Place)> {
    let Some(layout) = editor.time.run().map(|run| &run.design.layout) else {
        return Vec::new();
    };
    let inside = |room: &crate::design::Room| {
        room.center_and_reach(layout.size)
            .is_some_and(|(center, reach)| (at.x - center.x).abs() < reach && (at.y - center.y).abs() < reach)
    };
    let rooms = layout.rooms.iter().enumerate().filter(|(_, room)| inside(room));
    rooms.map(|(i, _)| (i + 1, Place::entry(Entry::Room(i)))).collect()
}

/// Returns lines with the named places on a square, linked to their entries.
fn places(editor: &Editor, at: Point, width: u16) -> Vec<ListRow> {
    let here = editor.named_places().filter(|(.., square)| *square == at);
    here.flat_map(|(entry, place, _)| {
        let link = Some(Link::Entry(Place::entry(entry)));
        let text = format!("place: {}", place.name);
        ListRow::wrapped(&Span::raw(""), &text, editor.theme.text(), width, link)
    })
    .collect()
}

/// Returns lines with the parameters of a generation, which determine the behaviour of its Builders. `name` is the
/// generation's name.
fn parameters(editor: &Editor, name: &str, generation: u32, width: u16) -> Vec<ListRow> {
    let column = (generation as usize).min(GENERATIONS - 1);
    let entry = Entry::Generation(column);
    let values = entry.parameters().iter().filter_map(|parameter| {
        let value = editor.time.run()?.design.get(entry, *parameter)?;
        Some(format!("{} {value}", parameter.info().name))
    });
    let text = format!("{name}: {}", values.collect::<Vec<_>>().join(", "));
    let link = Some(Link::Entry(Place::entry(entry)));
    ListRow::wrapped(&Span::raw(""), &text, editor.theme.quiet(), width, link)
}
