//! Metrics of the shown dungeon: requests to the metrics service, and the service's last reply.
//!
//! A request is sent when something on the screen shows metrics and the moment has changed, but only after the reply
//! to the previous request has arrived. So a growing dungeon is measured as often as the service can measure it.
//! [`overlay`] shows metrics on the map.

mod expect;
mod overlay;
mod scatter;

use std::sync::Arc;

use crate::analysis::{GrowthMetrics, LayerKind, MetricParts, Metrics};
use crate::background::{GrowthMoment, JobError, MetricsReply, MetricsRequest, Ticket};
use crate::design::{Entry, EntryText, NamedPlace, Place, Room};
use crate::geometry::Point;
use crate::recording::Recording;
use crate::storage::DesignFiles;
use crate::text::fnv1a;

use self::expect::SeedCheck;
pub(super) use self::expect::{handle_reply, open_failing, reports};
pub(super) use self::overlay::{marks, shown};
use self::scatter::ScatterOrder;
pub(super) use self::scatter::{ScatterState, handle_squares};
use super::editor::{Editor, Request};
use super::jobs::JobHandle;
use super::metric_reports::{ExpectationReport, LatestMetrics};
use super::tabs::View;
use crate::tui::commands::{Action, Endpoint, MetricsCommand, PanelCommand};

/// Runs a metrics command: chooses a layer, sets the entrance or exit, or checks expectations over seeds.
pub(super) fn update(metrics: &mut MetricsState, editor: &mut Editor, command: MetricsCommand) {
    match command {
        MetricsCommand::Turn(by) => overlay::turn(metrics, editor, by),
        MetricsCommand::Show(layer) => overlay::toggle(metrics, editor, layer),
        MetricsCommand::End(end) => set_endpoint(editor, end),
        MetricsCommand::Name => name_place(editor),
        MetricsCommand::Check => expect::check(metrics, editor),
        // [`super::input`] opens the prompt.
        MetricsCommand::Scatter => {}
    }
}

/// Sets the entrance or exit to the cursor's square. If the entrance or exit is already set to this square, resets it,
/// so that it is chosen automatically.
fn set_endpoint(editor: &mut Editor, end: Endpoint) {
    let at = editor.map.cursor();
    let expect = &editor.document.design().expect;
    let (what, before, corner) = match end {
        Endpoint::Entrance => ("entrance", expect.entrance, "top left"),
        Endpoint::Exit => ("exit", expect.exit, "bottom right"),
    };
    let to = Some(at).filter(|_| before != Some(at));
    let open = editor.time.frame().is_none_or(|frame| frame.grid().tile(at).is_open());
    let name = match to {
        Some(at) => format!("{what}: {at}"),
        None => format!("{what}: nearest to the {corner} corner"),
    };
    editor.edit(name.clone(), |design| match end {
        Endpoint::Entrance => design.expect.entrance = to,
        Endpoint::Exit => design.expect.exit = to,
    });
    if to.is_some() && !open {
        editor.warn(format!(
            "{name} is a wall at the moment shown, and no path can begin or end in a wall"
        ));
    } else if let Some(DesignFiles::Legacy { .. }) = editor.document.design_files() {
        editor.warn(format!("{name}; only a TOML file stores it: save the design as TOML"));
    }
}

/// Names the square under the cursor, or renames it; the Rooms panel asks for the name.
fn name_place(editor: &mut Editor) {
    let at = editor.map.cursor();
    let existing = editor.named_places().find(|(.., place)| *place == at);
    let entry = existing.map(|(entry, ..)| entry);
    let entry = entry.unwrap_or_else(|| {
        let new = new_place(editor, at);
        let index = editor.document.design().layout.places.len();
        let name = format!("{} added", Entry::NamedPlace(index).label());
        editor.edit(name, |design| design.layout.places.push(new));
        Entry::NamedPlace(index)
    });
    editor.ask(Request::ShowEntry(Place::field(entry, EntryText::Name)));
    editor.act(Action::Panel(PanelCommand::Edit));
}

/// Returns a new named place on a square. If a vault covers the square, the place belongs to the vault; if the square
/// is the centre of a room, the place belongs to the room; otherwise, it belongs to the dungeon.
fn new_place(editor: &Editor, at: Point) -> NamedPlace {
    let layout = &editor.document.design().layout;
    let number = |index: usize| i32::try_from(index + 1).unwrap_or_default();
    let mut place = NamedPlace {
        name: format!("place {}", layout.places.len() + 1),
        at,
        ..NamedPlace::default()
    };
    let is_center = |room: &Room| {
        room.center_and_reach(layout.size)
            .is_some_and(|(center, _)| center == at)
    };
    if let Some(piece) = editor.document.valid().and_then(|design| design.vault_at(at)) {
        place.at = Point::new(at.x - piece.at.x, at.y - piece.at.y);
        place.vault = number(piece.vault);
    } else if let Some(room) = layout.rooms.iter().position(is_center) {
        place.at = Point::new(0, 0);
        place.room = number(room);
    }
    place
}

/// A moment of a run, with the parts of the design that the metrics depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MetricsMoment {
    /// Number of the run.
    run: u64,
    /// The entrance and exit set by the design.
    ends: [Option<Point>; 2],
    /// A digest of the design's named places.
    places: u64,
    /// The parts of the metrics that the design's expectations need.
    parts: MetricParts,
    /// Number of finished turns.
    pub turn: u64,
}

/// The contents of a request. They are compared with those of the last request, so that an equal one is not sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MetricsQuery {
    moment: MetricsMoment,
    /// Whether to determine which Builders enclosed the areas that cannot be reached.
    causes: bool,
    /// The layer whose squares are requested.
    layer: Option<LayerKind>,
    /// Whether the moment is the end of growth.
    at_end: bool,
}

/// The subject of the request in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MetricsSubject {
    /// The shown moment.
    Shown(MetricsQuery),
    /// The end of the run while another moment is shown.
    End(MetricsMoment),
}

impl MetricsMoment {
    /// Returns the key for the run as a whole: this moment with turn 0.
    const fn whole(self) -> Self {
        Self { turn: 0, ..self }
    }
}

/// The metrics request in progress, the last replies, and the layer chosen for the map.
#[derive(Debug, Default)]
pub(super) struct MetricsState {
    /// The last query about a shown moment.
    last_query: Option<MetricsQuery>,
    /// The request in progress.
    request: Option<JobHandle<MetricsSubject>>,
    /// The last reply about a shown moment.
    found: Option<(MetricsMoment, Result<Box<MetricsReply>, JobError>)>,
    /// The metrics at the end of a run, with the run's key ([`MetricsMoment::whole`]).
    end: Option<(MetricsMoment, Result<Metrics, JobError>)>,
    /// The check over seeds that is in progress or complete.
    survey: Option<SeedCheck>,
    /// The states of the expectations, and the inputs from which they were computed.
    reports: Option<(expect::ReportsKey, Arc<[ExpectationReport]>)>,
    /// The request for squares on which to add places, with the number of the run shown when the request was sent.
    scatter: Option<JobHandle<(ScatterOrder, u64)>>,
    /// The layer chosen for the map.
    overlay: Option<LayerKind>,
    /// While the Metrics view has the focus, the layer of the selected line and the number of the highlighted item in
    /// this layer; set by the app.
    pub pointed: Option<(LayerKind, Option<u16>)>,
}

impl MetricsState {
    /// Returns the initial state for another design, with the same layer chosen.
    pub(super) fn renewed(&self) -> Self {
        Self {
            overlay: self.overlay,
            ..Self::default()
        }
    }

    /// Stores a reply to the request in progress; drops replies to other requests.
    pub(super) fn handle_reply(&mut self, ticket: &Ticket, reply: Result<Box<MetricsReply>, JobError>) {
        let Some(request) = self.request.take_if(|request| request.has(ticket)) else {
            return;
        };
        let measured = reply.as_ref().map(|reply| reply.metrics.clone());
        let end = |moment: MetricsMoment| Some((moment.whole(), measured.map_err(JobError::clone)));
        match request.purpose {
            MetricsSubject::Shown(query) => {
                if query.at_end {
                    self.end = end(query.moment);
                }
                self.found = Some((query.moment, reply));
            }
            MetricsSubject::End(moment) => self.end = end(moment),
        }
    }

    /// Returns the last reply and its moment.
    pub(super) fn found(&self) -> Option<(MetricsMoment, Result<&MetricsReply, &JobError>)> {
        let (moment, reply) = self.found.as_ref()?;
        Some((*moment, reply.as_deref()))
    }
}

/// Returns the last reply, its turn, and whether it is about the shown moment.
pub(super) fn latest<'a>(state: &'a MetricsState, editor: &Editor) -> Option<LatestMetrics<'a>> {
    let (moment, reply) = state.found()?;
    Some(LatestMetrics {
        turn: moment.turn,
        is_current: moment == now(editor),
        reply,
    })
}

/// Returns the last metrics, which may be those of an earlier moment than the one shown.
pub(super) fn last_reply(metrics: &MetricsState) -> Option<&MetricsReply> {
    metrics.found()?.1.ok()
}

/// Returns whether the last reply is about the shown moment.
pub(super) fn is_current(metrics: &MetricsState, editor: &Editor) -> bool {
    metrics.found.as_ref().is_some_and(|(moment, _)| *moment == now(editor))
}

/// Returns the shown moment.
fn now(editor: &Editor) -> MetricsMoment {
    let expect = &editor.document.design().expect;
    MetricsMoment {
        run: editor.time.run_number(),
        ends: [expect.entrance, expect.exit],
        places: digest(&editor.document.design().layout.places),
        parts: MetricParts::of_design(editor.document.design()),
        turn: editor.time.turn(),
    }
}

/// Returns a digest of the named places. The positions of their rooms and vaults are not included, since these
/// depend on the run.
fn digest(places: &[NamedPlace]) -> u64 {
    let numbers = |place: &NamedPlace| [place.at.x, place.at.y, place.room, place.vault].map(i32::to_le_bytes);
    fnv1a(places.iter().flat_map(|place| {
        let name = place.name.bytes().chain([0]);
        name.chain(numbers(place).into_iter().flatten()).collect::<Vec<u8>>()
    }))
}

/// Returns the metrics at the end of the shown run; `None` until they have been measured.
fn at_end<'a>(metrics: &'a MetricsState, editor: &Editor) -> Option<&'a Metrics> {
    let (run, measured) = metrics.end.as_ref()?;
    measured.as_ref().ok().filter(|_| *run == now(editor).whole())
}

/// Returns whether the end of growth is shown.
fn is_at_end(editor: &Editor) -> bool {
    let recording = editor.time.recording();
    recording.is_some_and(|recording| recording.is_finished() && recording.turns() == editor.time.turn())
}

/// Returns whether something on the screen shows metrics.
fn is_wanted(metrics: &MetricsState, editor: &Editor) -> bool {
    editor.shows_view(View::Metrics) || overlay::wanted(metrics, editor).is_some()
}

/// Returns whether the origins of tiles are needed, to report which Builders enclosed areas.
pub(super) fn needs_origins(metrics: &MetricsState, editor: &Editor) -> bool {
    is_wanted(metrics, editor) && last_reply(metrics).is_some_and(|reply| !reply.metrics.enclosed.is_empty())
}

/// Requests metrics of the shown moment, or of the end of the run, if they are needed and missing.
pub(super) fn tick(metrics: &mut MetricsState, editor: &mut Editor) {
    expect::tick(metrics, editor);
    if metrics.request.is_none() {
        let is_end_unknown =
            expect::is_visible(editor) && metrics.end.as_ref().is_none_or(|(run, _)| *run != now(editor).whole());
        let request = (is_wanted(metrics, editor) || (is_end_unknown && is_at_end(editor)))
            .then(|| shown_request(metrics, editor));
        let request = request
            .flatten()
            .or_else(|| end_request(editor).filter(|_| is_end_unknown));
        if let Some((subject, request)) = request {
            if let MetricsSubject::Shown(query) = subject {
                metrics.last_query = Some(query);
            }
            metrics.request = Some(editor.start(request, subject));
        }
    }
}

/// Returns a request about the shown moment; `None` if an equal one was already sent.
fn shown_request(metrics: &MetricsState, editor: &Editor) -> Option<(MetricsSubject, MetricsRequest)> {
    let (frame, run) = (editor.time.frame()?, editor.time.run()?);
    let moment = now(editor);
    let known = is_current(metrics, editor);
    let turn = moment.turn;
    let origins = editor.time.origins().filter(|origins| known && origins.read() >= turn);
    let mut wanted = MetricsQuery {
        moment,
        causes: origins.is_some() && needs_origins(metrics, editor),
        layer: overlay::wanted(metrics, editor),
        at_end: is_at_end(editor),
    };
    if let Some(last) = metrics.last_query.filter(|last| last.moment == moment) {
        // Keep the last query's layer, so that hiding the layer does not start a new request.
        wanted.layer = wanted.layer.or(last.layer);
        let more = MetricsQuery { causes: true, ..wanted };
        if last == wanted || last == more {
            return None;
        }
    }
    let life = GrowthMetrics {
        builders: frame.builders().len() as u32,
        unborn: count_unborn(editor, turn),
        iterations: editor.time.clock().iteration,
    };
    // The document's places may differ from those of the run, because editing them does not regrow the dungeon.
    let now = editor.document.valid().filter(|design| run.design.grows_like(design));
    let request = MetricsRequest {
        design: now.unwrap_or(&run.design).clone(),
        ends: moment.ends,
        subject: GrowthMoment::Now(frame.grid().clone(), life),
        origins: origins.filter(|_| wanted.causes).map(|origins| (origins.clone(), turn)),
        parts: moment.parts,
        layer: wanted.layer,
    };
    Some((MetricsSubject::Shown(wanted), request))
}

/// Returns a request about the end of the run, if growth has ended and an earlier moment is shown.
fn end_request(editor: &Editor) -> Option<(MetricsSubject, MetricsRequest)> {
    // A recording from another version of the program may end with a different dungeon from the one that this version
    // would grow and measure.
    let run = editor.time.run().filter(|run| run.grows_again() == Some(true))?;
    let design = editor.document.valid().filter(|design| run.design.grows_like(design))?;
    let is_over = editor.time.recording().is_some_and(Recording::is_finished);
    (is_over && !is_at_end(editor)).then(|| {
        let moment = now(editor);
        let request = MetricsRequest {
            design: design.clone(),
            ends: [design.expect.entrance, design.expect.exit],
            subject: GrowthMoment::End(run.options),
            origins: None,
            parts: moment.parts,
            layer: None,
        };
        (MetricsSubject::End(moment), request)
    })
}

/// Returns how many babies could not be born in the turns from the start to `turn`. The count covers only those bins of
/// the growth statistics that end by `turn`.
fn count_unborn(editor: &Editor, turn: u64) -> u32 {
    let bins = editor
        .time
        .recording()
        .map_or(&[][..], |recording| recording.stats().bins());
    let counted = bins.iter().take_while(|bin| bin.end() <= turn);
    counted
        .map(|bin| bin.unborn)
        .sum::<u64>()
        .try_into()
        .unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
