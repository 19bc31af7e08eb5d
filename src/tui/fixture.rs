//! A designer and a run for tests: small, drawn by rule, the same whatever the engine does.
//!
//! The run is no growth: Builders walk inward in a spiral and hand over to the next generation, so that
//! every colour, state and mark of the screen occurs.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{App, Depth, Effect, Theme};
use crate::background::{
    ComparisonReply, ComparisonService, ExpectationReply, ExpectationService, ExportReply, ExportService, ExportTarget,
    Generator, ImportReply, ImportService, Inbox, Message, MetricsService, PreviewReply, PreviewService, ReadRequest,
    RegrowService, RunId, RunNumbers, SeedGalleryReply, SeedGalleryService, SeedSearchReply, SeedSearchService,
    StoryService, TrialReply, TrialService, VaultRunReply, VaultRunService, WallFrequencyReply, WallFrequencyService,
};
use crate::design::Design;
use crate::document::{Document, Saving, VaultRequest};
use crate::engine::{
    Birth, BuilderId, BuilderKind, Clock, Death, Event as Happening, Grid, Observer, Opening, Options, Tile,
};
use crate::geometry::{Forward, Point, Size};
use crate::recording::{EventChunk, Recording};
use crate::storage::{AutosaveSlot, DesignFiles};
use crate::vault::resolver::VaultResolver;

/// A designer with its generator, driven by hand.
#[expect(clippy::struct_excessive_bools, reason = "what a test turns on, each by itself")]
pub(super) struct TestApp {
    pub(super) app: App,
    generator: Generator,
    run: Option<RunId>,
    pub(super) quit: Option<u8>,
    pub(super) toured: bool,
    pub(super) watched: Vec<PathBuf>,
    /// Where unsaved work is kept since it was recovered.
    pub(super) adopted: Option<Arc<AutosaveSlot>>,
    /// The files that were opened or saved last.
    pub(super) opened: Option<DesignFiles>,
    gallery: PreviewService,
    numbers: RunNumbers,
    /// Whether drives do not answer.
    pub(super) hangs: bool,
    /// Whether vaults are not resolved until a test does it, and those that wait.
    pub(super) vaults_wait: bool,
    pub(super) resolving: Option<(RunId, Box<VaultRequest>)>,
    /// What hangs: what was to be opened, and what is looked at again.
    pub(super) opening: Option<(RunId, ReadRequest)>,
    pub(super) looking: Option<(RunId, ReadRequest)>,
    /// The same while the design is saved or copied: what is to be written.
    pub(super) keeps_waiting: bool,
    pub(super) saving: Option<(RunId, Box<Saving>)>,
    pub(super) copying: Option<(RunId, Box<Saving>)>,
    /// The same of where an export is to go.
    pub(super) locating: Option<(RunId, ExportTarget)>,
    /// The picture and the folder that were asked for last, while they are under way.
    pub(super) shown: Option<RunId>,
    pub(super) listed: Option<RunId>,
    /// What the generator says, for those who want a real run; all others deliver their own.
    inbox: Inbox<Event>,
    regrower: RegrowService,
    resolver: VaultResolver,
    workshop: VaultRunService,
    search: SeedSearchService,
    teller: StoryService,
    sheet: SeedGalleryService,
    odds: WallFrequencyService,
    duel: ComparisonService,
    exporter: ExportService,
    /// The export and the look that were asked for last, while they are under way.
    pub(super) exported: Option<RunId>,
    /// No export is written: who presses any key would write wherever the dialog says.
    pub(super) exports_nothing: bool,
    pub(super) sampled: Option<RunId>,
    importer: ImportService,
    /// The proposal and the look at drawings of the design that were asked for last, while they are under way.
    pub(super) proposed: Option<RunId>,
    pub(super) reimported: Option<RunId>,
    /// The two that are grown and compared, while they are.
    traced: Option<RunId>,
    pub(super) contrasted: Option<RunId>,
    /// The count that was asked for last, while it is under way.
    pub(super) counted: Option<RunId>,
    /// The lot and the film that were asked for last, while they are under way.
    pub(super) assessed: Option<RunId>,
    pub(super) filmed: Option<RunId>,
    judger: MetricsService,
    checker: ExpectationService,
    tuner: TrialService,
    /// The last request for trials, while it is under way.
    tried: Option<RunId>,
    /// What the workshop and the search say, until it is delivered.
    said: Inbox<Event>,
    /// The last order and the last search, while they are under way.
    ordered: Option<RunId>,
    sought: Option<RunId>,
    /// The last inquiry, while it is not answered.
    pub(super) inquired: Option<RunId>,
    /// The last case, while it is not judged.
    judged: Option<RunId>,
    /// The last check, while it is under way.
    checked: Option<RunId>,
}

impl TestApp {
    /// A designer with a 40 × 60 design on a screen, before its first run has begun.
    pub(super) fn new(width: u16, height: u16) -> Self {
        let mut design = Design {
            name: "Spiral".into(),
            ..Design::default()
        };
        design.layout.size = Size::new(40, 60);
        Self::with(Document::new(design, None), width, height)
    }

    /// A designer with a document, before its first run has begun.
    pub(super) fn with(document: Document, width: u16, height: u16) -> Self {
        let theme = Theme::new(Depth::True);
        let app = App::new(document, Options::default(), theme, width, height);
        let (inbox, said) = (Inbox::new(), Inbox::new());
        let mut desk = Self {
            app,
            generator: Generator::new(inbox.sender()).unwrap(),
            regrower: RegrowService::new(said.sender()).unwrap(),
            resolver: VaultResolver::default(),
            vaults_wait: false,
            resolving: None,
            workshop: VaultRunService::new(said.sender()).unwrap(),
            search: SeedSearchService::new(said.sender()).unwrap(),
            gallery: PreviewService::new(said.sender(), None),
            numbers: RunNumbers::default(),
            hangs: false,
            opening: None,
            looking: None,
            keeps_waiting: false,
            saving: None,
            copying: None,
            locating: None,
            teller: StoryService::new(said.sender()).unwrap(),
            sheet: SeedGalleryService::new(said.sender()).unwrap(),
            odds: WallFrequencyService::new(said.sender()).unwrap(),
            counted: None,
            duel: ComparisonService::new(said.sender()).unwrap(),
            exporter: ExportService::new(said.sender()).unwrap(),
            exported: None,
            exports_nothing: false,
            sampled: None,
            importer: ImportService::new(&said.sender()),
            proposed: None,
            reimported: None,
            traced: None,
            contrasted: None,
            assessed: None,
            filmed: None,
            judger: MetricsService::new(said.sender()).unwrap(),
            checker: ExpectationService::new(said.sender()).unwrap(),
            tuner: TrialService::new(said.sender()).unwrap(),
            tried: None,
            said,
            ordered: None,
            sought: None,
            inquired: None,
            judged: None,
            checked: None,
            run: None,
            quit: None,
            toured: false,
            watched: Vec::new(),
            adopted: None,
            opened: None,
            shown: None,
            listed: None,
            inbox,
        };
        let effects = desk.app.start();
        desk.perform(effects);
        desk
    }

    /// A designer that shows the end of a finished spiral.
    pub(super) fn grown(width: u16, height: u16) -> Self {
        let mut desk = Self::new(width, height);
        desk.deliver(spiral(5));
        desk.keys("G");
        desk
    }

    /// Resolves vaults and delivers what came of it.
    pub(super) fn resolve_vaults(&mut self, run: RunId, request: VaultRequest) {
        let never: Rc<dyn Fn() -> bool> = Rc::new(|| false);
        let reply = request.resolve(&mut self.resolver, &never).unwrap();
        let reply = Ok(Box::new(reply));
        let effects = self.app.handle(Message::Resolved { run, reply });
        self.perform(effects);
    }

    /// Does what the designer asks for.
    #[expect(clippy::too_many_lines, reason = "a few lines for each effect")]
    pub(super) fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Grow(design, options) => {
                    let run = self.generator.grow(design, options);
                    self.run = Some(run);
                    self.app.run_started(run);
                }
                Effect::Replay(reel) => {
                    let run = self.generator.replay(reel);
                    self.run = Some(run);
                    self.app.run_started(run);
                }
                Effect::Regrow(errand) => self.app.errand_begun(self.regrower.ask(errand)),
                Effect::ResolveVaults(request) if self.vaults_wait => {
                    let run = self.numbers.next();
                    self.resolving = Some((run, request));
                    self.app.resolving_begun(run);
                }
                Effect::ResolveVaults(request) => {
                    // At once, so that a test need not wait for a dungeon.
                    let run = self.numbers.next();
                    self.app.resolving_begun(run);
                    self.resolve_vaults(run, *request);
                }
                Effect::EndResolving => self.resolving = None,
                Effect::Resolve(order) => {
                    let run = self.workshop.ask(order);
                    self.ordered = Some(run);
                    self.app.order_placed(run);
                }
                Effect::Search(prospect, options) => {
                    let run = self.search.begin(prospect, options);
                    self.sought = Some(run);
                    self.app.search_begun(run);
                }
                Effect::Inquire(inquiry) => {
                    let run = self.teller.ask(*inquiry);
                    self.inquired = Some(run);
                    self.app.inquiry_made(run);
                }
                Effect::EndInquiry => {
                    self.teller.cancel();
                    self.inquired = None;
                }
                Effect::Check(check) => {
                    let run = self.checker.ask(check);
                    self.checked = Some(run);
                    self.app.check_begun(run);
                }
                Effect::EndCheck => {
                    self.checker.cancel();
                    self.checked = None;
                }
                Effect::Judge(case) => {
                    let run = self.judger.ask(case);
                    self.judged = Some(run);
                    self.app.case_begun(run);
                }
                Effect::Try(trials) => {
                    let run = self.tuner.ask(*trials);
                    self.tried = Some(run);
                    self.app.trials_begun(run);
                }
                Effect::EndTrials => {
                    self.tuner.cancel();
                    self.tried = None;
                }
                Effect::Assess(lot) => {
                    let run = self.sheet.judge(lot);
                    self.assessed = Some(run);
                    self.app.lot_begun(run);
                }
                Effect::Film(mut film) => {
                    film.pause = Duration::ZERO;
                    let run = self.sheet.show(film);
                    self.filmed = Some(run);
                    self.app.film_begun(run);
                }
                Effect::Count(prospect, options) => {
                    let run = self.odds.count(prospect, options);
                    self.counted = Some(run);
                    self.app.count_begun(run);
                }
                Effect::Trace(pair) => {
                    let run = self.duel.trace(pair);
                    self.traced = Some(run);
                    self.app.traces_begun(run);
                }
                Effect::Contrast(pair, seeds) => {
                    let run = self.duel.compare(pair, seeds);
                    self.contrasted = Some(run);
                    self.app.comparison_begun(run);
                }
                Effect::Export(_) if self.exports_nothing => {}
                Effect::Export(export) => {
                    let run = self.exporter.write(export);
                    self.exported = Some(run);
                    self.app.export_begun(run);
                }
                Effect::EndExport => {
                    self.exporter.cancel();
                    self.exported = None;
                }
                Effect::Sample(export, room) => {
                    let run = self.exporter.sample(export, room);
                    self.sampled = Some(run);
                    self.app.sample_begun(run);
                }
                Effect::LeaveSample => {
                    self.exporter.turn_away();
                    self.sampled = None;
                }
                Effect::Propose(wish) => {
                    let run = self.importer.propose(wish);
                    self.proposed = Some(run);
                    self.app.proposal_begun(run);
                }
                Effect::LeaveProposal => {
                    self.importer.turn_away();
                    self.proposed = None;
                }
                Effect::Reimport(wish) => {
                    let run = self.importer.reimport(wish);
                    self.reimported = Some(run);
                    self.app.reimport_begun(run);
                }
                Effect::LeaveDuel => {
                    self.duel.turn_away();
                    (self.traced, self.contrasted) = (None, None);
                }
                Effect::LeaveOdds => {
                    self.odds.turn_away();
                    self.counted = None;
                }
                Effect::LeaveSheet => {
                    self.sheet.turn_away();
                    (self.assessed, self.filmed) = (None, None);
                }
                Effect::EndSearch => {
                    self.search.cancel();
                    self.sought = None;
                }
                Effect::Quit(status) => self.quit = Some(status),
                Effect::Toured => self.toured = true,
                Effect::Watch(files) => self.watched = files,
                Effect::Adopt(slot) => self.adopted = Some(slot),
                Effect::Remember(files) => self.opened = Some(files),
                Effect::Show(subject, room, options) => {
                    let run = self.gallery.show(subject, room, options);
                    self.shown = Some(run);
                    self.app.picture_begun(run);
                }
                Effect::TurnAway => {
                    self.gallery.turn_away();
                    self.shown = None;
                }
                Effect::List(folder) => {
                    let run = self.gallery.list(folder);
                    self.listed = Some(run);
                    self.app.listing_begun(run);
                }
                Effect::Open(fetch) => {
                    let run = self.numbers.next();
                    self.app.opening_begun(run);
                    self.opening = Some((run, fetch));
                    self.answer();
                }
                Effect::GiveUp => self.opening = None,
                Effect::Save(saving) => {
                    let run = self.numbers.next();
                    self.app.save_begun(run);
                    self.saving = Some((run, saving));
                    self.answer();
                }
                Effect::LeaveSaving => self.saving = None,
                Effect::Copy(saving) => {
                    let run = self.numbers.next();
                    self.app.copy_begun(run);
                    self.copying = Some((run, saving));
                    self.answer();
                }
                Effect::LeaveCopy => self.copying = None,
                Effect::Locate(site) => {
                    let run = self.numbers.next();
                    self.app.locating_begun(run);
                    self.locating = Some((run, site));
                    self.answer();
                }
                Effect::LeaveLocating => self.locating = None,
                Effect::LookAgain(fetch) => {
                    let run = self.numbers.next();
                    self.app.look_begun(run);
                    self.looking = Some((run, fetch));
                    self.answer();
                }
                Effect::Look | Effect::Suspend | Effect::Resume | Effect::Configure | Effect::Fail(_) => {}
            }
        }
    }

    /// The drives answer, unless they hang.
    pub(super) fn answer(&mut self) {
        if !self.keeps_waiting {
            if let Some((run, saving)) = self.saving.take() {
                let saved = Ok(Box::new(saving.write(&|| true)));
                self.send(Message::Saved { run, saved });
            }
            if let Some((run, site)) = self.locating.take() {
                let located = site.find();
                self.send(Message::Located { run, located });
            }
            if let Some((run, saving)) = self.copying.take() {
                let saved = Ok(Box::new(saving.write(&|| true)));
                self.send(Message::Copied { run, saved });
            }
        }
        if self.hangs {
            return;
        }
        if let Some((run, fetch)) = self.opening.take() {
            let fetched = Ok(Box::new(fetch.read()));
            self.send(Message::Fetched { run, fetched });
        }
        if let Some((run, fetch)) = self.looking.take() {
            let fetched = Ok(Box::new(fetch.read()));
            self.send(Message::Seen { run, fetched });
        }
    }

    /// Delivers what the workshop and the search say, until all that was asked of them is told.
    pub(super) fn settle(&mut self) {
        self.settle_by(|_| ());
    }

    /// The same, and looks at the designer after each message.
    pub(super) fn settle_by(&mut self, mut look: impl FnMut(&App)) {
        while self.ordered.is_some()
            || self.sought.is_some()
            || self.inquired.is_some()
            || self.judged.is_some()
            || self.checked.is_some()
            || self.tried.is_some()
            || self.shown.is_some()
            || self.listed.is_some()
            || self.assessed.is_some()
            || self.counted.is_some()
            || self.traced.is_some()
            || self.contrasted.is_some()
            || self.filmed.is_some()
            || self.exported.is_some()
            || self.sampled.is_some()
            || self.proposed.is_some()
            || self.reimported.is_some()
        {
            let message = self.said.wait(None).unwrap();
            match &message {
                Message::Vaults(VaultRunReply::Done { run } | VaultRunReply::Broken { run, .. }) => {
                    self.ordered.take_if(|ordered| ordered == run);
                }
                Message::Gallery(PreviewReply::Picture { run, .. }) => drop(self.shown.take_if(|shown| shown == run)),
                Message::Sheet(
                    SeedGalleryReply::AllJudged { run }
                    | SeedGalleryReply::Over { run }
                    | SeedGalleryReply::Broken { run, .. },
                ) => {
                    let is_lot = matches!(message, Message::Sheet(SeedGalleryReply::AllJudged { .. }));
                    let under_way = if is_lot { &mut self.assessed } else { &mut self.filmed };
                    under_way.take_if(|under_way| under_way == run);
                }
                Message::Duel(ComparisonReply::Traced { run, side: 1, .. }) => {
                    self.traced.take_if(|traced| traced == run);
                }
                Message::Duel(ComparisonReply::Compared { run, is_done: true, .. }) => {
                    self.contrasted.take_if(|contrasted| contrasted == run);
                }
                Message::Luck(WallFrequencyReply { run, is_done: true, .. }) => {
                    self.counted.take_if(|counted| counted == run);
                }
                Message::Exported(ExportReply::Over { run, .. }) => {
                    self.exported.take_if(|exported| exported == run);
                }
                Message::Exported(ExportReply::Sampled { run, .. }) => {
                    self.sampled.take_if(|sampled| sampled == run);
                }
                Message::Imported(ImportReply::Proposed { run, .. }) => {
                    self.proposed.take_if(|proposed| proposed == run);
                }
                Message::Imported(ImportReply::Reimported { run, .. }) => {
                    self.reimported.take_if(|reimported| reimported == run);
                }
                Message::Gallery(PreviewReply::Folder { run, .. }) => drop(self.listed.take_if(|listed| listed == run)),
                Message::Told { run, .. } => drop(self.inquired.take_if(|inquired| inquired == run)),
                Message::Checked {
                    run,
                    checked: ExpectationReply::Done | ExpectationReply::Broken(_),
                } => drop(self.checked.take_if(|checked| checked == run)),
                Message::Judged { run, .. } => drop(self.judged.take_if(|judged| judged == run)),
                Message::Tried {
                    run,
                    trial: TrialReply::Done | TrialReply::Broken(_),
                } => drop(self.tried.take_if(|tried| tried == run)),
                Message::Sought { run, .. } => drop(self.sought.take_if(|sought| sought == run)),
                _ => {}
            }
            self.send(message);
            look(&self.app);
        }
    }

    /// Delivers the next of what the threads say, if one says something soon.
    pub(super) fn listen(&mut self) {
        if let Some(message) = self.said.wait(Some(std::time::Duration::from_millis(2))) {
            self.send(message);
        }
    }

    /// Pretends that the last search found something.
    pub(super) fn find(&mut self, found: SeedSearchReply) {
        let run = self.sought.take().unwrap();
        let found = Ok(found);
        self.send(Message::Sought { run, found });
    }

    /// The number of the last run that the designer asked for.
    pub(super) fn run(&self) -> RunId {
        self.run.unwrap()
    }

    /// Sends a message.
    pub(super) fn send(&mut self, message: Message<Event>) {
        let effects = self.app.handle(message);
        self.perform(effects);
        self.want();
    }

    /// Does what is due for each frame.
    pub(super) fn want(&mut self) {
        let effects = self.app.before_frame();
        self.perform(effects);
    }

    /// Delivers the run that the generator grows for the last request, to its end.
    pub(super) fn grow(&mut self) {
        loop {
            let message = self.inbox.wait(None).unwrap();
            let over = matches!(&message, Message::Finished { run } if Some(*run) == self.run);
            self.send(message);
            if over {
                return;
            }
        }
    }

    /// Delivers what came of growing the recording again that the generator has brought.
    pub(super) fn grow_again(&mut self) {
        loop {
            let message = self.inbox.wait(None).unwrap();
            let told = matches!(&message, Message::Again { run, .. } if Some(*run) == self.run);
            self.send(message);
            if told {
                return;
            }
        }
    }

    /// Sends a whole run in three messages.
    pub(super) fn deliver(&mut self, run: (Grid, EventChunk, EventChunk)) {
        self.deliver_part(run, 3);
    }

    /// Sends the first messages of a run: its start, its growth, its end.
    pub(super) fn deliver_part(&mut self, (start, prelude, track): (Grid, EventChunk, EventChunk), messages: u8) {
        let run = self.run();
        let recording = Box::new(Recording::new(start, prelude));
        let diagnostics = Vec::new();
        let all = [
            Message::Started {
                run,
                recording,
                diagnostics,
            },
            Message::Grown { run, track },
            Message::Finished { run },
        ];
        for message in all.into_iter().take(usize::from(messages)) {
            self.send(message);
        }
    }

    /// Presses a key.
    pub(super) fn press(&mut self, code: KeyCode) {
        self.send(Message::Input(Event::Key(KeyEvent::new(code, KeyModifiers::NONE))));
    }

    /// Presses a key with Ctrl or Alt.
    pub(super) fn chord(&mut self, modifiers: KeyModifiers, c: char) {
        self.send(Message::Input(Event::Key(KeyEvent::new(KeyCode::Char(c), modifiers))));
    }

    /// Types characters; a tab is the Tab key.
    pub(super) fn keys(&mut self, text: &str) {
        for c in text.chars() {
            self.press(if c == '\t' { KeyCode::Tab } else { KeyCode::Char(c) });
        }
    }

    /// Does something with the mouse.
    pub(super) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.send(Message::Input(Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        })));
    }

    /// Clicks with the left button.
    pub(super) fn click(&mut self, column: u16, row: u16) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
        self.mouse(MouseEventKind::Up(MouseButton::Left), column, row);
    }

    /// The screen as it is drawn now.
    pub(super) fn screen(&self) -> Buffer {
        let area = self.app.screen;
        let mut buffer = Buffer::empty(area);
        self.app.draw(area, &mut buffer);
        buffer
    }

    /// The screen's characters, a line a row, blanks kept.
    pub(super) fn text(&self) -> String {
        text(&self.screen())
    }
}

/// A buffer's characters, a line a row, blanks kept.
pub(super) fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in buffer.area.rows() {
        for position in row.positions() {
            text.push_str(buffer[position].symbol());
        }
        text.push('\n');
    }
    text
}

/// What a drawing function makes of an area.
pub(super) fn drawn(width: u16, height: u16, draw: impl FnOnce(Rect, &mut Buffer)) -> Buffer {
    // A larger buffer around it shows when something is drawn outside.
    let area = Rect::new(2, 1, width, height);
    let mut buffer = Buffer::empty(Rect::new(0, 0, width + 4, height + 2));
    draw(area, &mut buffer);
    for position in buffer.area.positions().filter(|position| !area.contains(*position)) {
        assert_eq!(buffer[position].symbol(), " ", "drawn outside at {position}");
    }
    let mut inside = Buffer::empty(Rect::new(0, 0, width, height));
    for position in inside.area.positions() {
        inside[position] = buffer[(position.x + 2, position.y + 1)].clone();
    }
    inside
}

/// Draws a part of the designer in areas of any size, where it must keep to its place; its characters in an
/// area of the last size.
pub(super) fn drawn_at_any_size(draw: impl Fn(Rect, &mut Buffer), last: (u16, u16)) -> String {
    for (width, height) in [
        (0, 0),
        (1, 0),
        (0, 1),
        (1, 1),
        (2, 2),
        (5, 3),
        (3, 30),
        (90, 2),
        (14, 9),
    ] {
        drawn(width, height, &draw);
    }
    text(&drawn(last.0, last.1, &draw))
}

/// A run of some generations in a dungeon of 40 × 60: stage one, the first births, what follows.
pub(super) fn spiral(generations: u32) -> (Grid, EventChunk, EventChunk) {
    let mut start = Grid::new(Size::new(40, 60));
    for at in [(18, 28), (18, 32), (22, 28), (22, 32)] {
        start.set(Point::new(at.0, at.1), Tile::Column, crate::engine::Mark::Design);
    }
    start.set(Point::new(20, 30), Tile::Guaranteed, crate::engine::Mark::Design);
    let grid = start.clone();
    let (mut prelude, mut track) = (EventChunk::default(), EventChunk::default());
    let born = |builder: u32, generation: u32, at: Point| Happening::Born {
        builder: BuilderId(builder),
        birth: Birth {
            parent: builder.checked_sub(1).map(BuilderId),
            kind: BuilderKind::Crawler,
            generation,
            at,
            forward: Forward::East,
            direction: None,
            opening: Opening::End,
            wakes: generation * 100,
            age: 0,
        },
    };
    prelude.event(born(0, 0, Point::new(3, 0)));
    let mut walk = Walk {
        grid,
        at: Point::new(3, 0),
        forward: Forward::East,
    };
    let mut clock = Clock::default();
    for generation in 0..generations {
        let builder = BuilderId(generation);
        track.event(Happening::Woke { builder });
        for turn in 0..7 {
            walk.turn(builder, &mut track);
            if turn == 6 {
                if generation + 1 < generations {
                    track.event(born(generation + 1, generation + 1, walk.at));
                }
                track.event(Happening::Died {
                    builder,
                    cause: Death::Aged,
                });
            }
            clock.turn += 1;
            track.turn_ended(clock);
            clock.iteration = if turn == 6 {
                (generation + 1) * 100
            } else {
                clock.iteration + 1
            };
            track.iteration_ended(clock);
        }
    }
    (start, prelude, track)
}

struct Walk {
    grid: Grid,
    at: Point,
    forward: Forward,
}

impl Walk {
    /// Six tiles on, or to the right where a wall is within three squares.
    fn turn(&mut self, builder: BuilderId, track: &mut EventChunk) {
        let from = self.at;
        let free = |walk: &Self| (1..4).all(|i| walk.grid.tile(walk.at.step(walk.forward, i)).is_open());
        if !free(self) {
            let before = self.forward;
            self.forward = before.right();
            track.event(Happening::Turned {
                builder,
                from: before,
                to: self.forward,
                why: crate::engine::TurnReason::Free { rolled: 0, chance: 1 },
            });
        }
        for _ in 0..6 {
            if !free(self) {
                break;
            }
            self.at = self.at.step(self.forward, 1);
            self.grid.set(self.at, Tile::Wall, crate::engine::Mark::Design);
            track.event(Happening::Laid {
                builder,
                at: self.at,
                before: Tile::Open,
                tile: Tile::Wall,
            });
        }
        track.event(Happening::Moved {
            builder,
            from,
            to: self.at,
        });
    }
}
