//! The story of a Builder in plain words: its decisions in each turn, with the numbers and the reasons.

use ratatui::text::Span;

use super::page::{Link, ListRow};
use crate::design::{Constant, Parameter, Stat};
use crate::engine::stage_one::Start;
use crate::engine::{
    BuilderId, BuilderKind, Decision, Event, ForcedTurnSide, FreeTurnSide, LookAhead, Opening, Roll, SideLook, Tile,
};
use crate::geometry::{Forward, Point, Size};
use crate::recording::{Story, StoryEvent, StoryMoment};
use crate::text::{counted, thousands};
use crate::tui::theme::Theme;
use crate::tui::wording;

/// Number of turns shown before the turn that is selected at first ([`StoryContext::about`]). The same number of turns
/// is shown from that turn on.
const TURNS_ABOUT: usize = 40;

/// Width in columns of the turn numbers.
const MARGIN: usize = 8;

/// The context for formatting a story.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoryContext<'a> {
    pub theme: Theme,
    /// Size of the dungeon.
    pub size: Size,
    pub story: &'a Story,
    pub subject: BuilderId,
    /// The first ancestor's start in the design.
    pub first: Option<&'a Start>,
    /// The turn in which the tile on the inspected square was laid.
    pub laid: Option<u64>,
    /// Turn that is selected at first.
    pub about: u64,
    /// Turn of the moment shown.
    pub now: u64,
    pub width: u16,
}

impl StoryContext<'_> {
    /// Returns the lines of the story, and the index of the first line of the turn `about`.
    pub(super) fn rows(&self) -> (Vec<ListRow>, usize) {
        let turns: Vec<&[StoryMoment]> = self.story.turns().collect();
        let about = turns.partition_point(|turn| turn[0].turn < self.about);
        let about = about.min(turns.len().saturating_sub(1));
        let (from, to) = (
            about.saturating_sub(TURNS_ABOUT),
            (about + TURNS_ABOUT).min(turns.len()),
        );
        let acts = |moment: &StoryMoment| {
            moment.builder == self.subject && matches!(moment.what, StoryEvent::Decided(Decision::Acts { .. }))
        };
        let births = turns.iter().take_while(|turn| !turn.iter().any(acts)).count();
        let (mut rows, mut suggested) = (Vec::new(), 0);
        for (i, turn) in turns.iter().enumerate() {
            // The last turn is always shown, and so is all that precedes the first turn of the Builder: its birth and
            // the births of its ancestors.
            if i < births || (from..to).contains(&i) || i + 1 == turns.len() {
                if i == about {
                    suggested = rows.len();
                }
                rows.extend(self.turn(turn));
            } else if i == to || i + 1 == from {
                let hidden = if i == to {
                    counted(turns.len() - 1 - to, "later turn")
                } else {
                    counted(from - births, "earlier turn")
                };
                let text = format!("… {hidden}");
                let link = place(turn).map(|at| Link::Moment(turn[0].turn, at));
                rows.extend(ListRow::wrapped(
                    &Span::raw("  "),
                    &text,
                    self.theme.quiet(),
                    self.width,
                    link,
                ));
            }
        }
        (rows, suggested)
    }

    /// Returns the lines of one turn: its decisions, with the turn's number beside the first.
    fn turn(&self, moments: &[StoryMoment]) -> Vec<ListRow> {
        let (Some(first), Some(at)) = (moments.first(), place(moments)) else {
            return Vec::new();
        };
        let theme = self.theme;
        let turn = first.turn;
        let link = Some(Link::Moment(turn, at));
        let mut number = format!("{:>6}  ", thousands(turn));
        if self.laid == Some(turn) && first.builder == self.subject {
            number = format!("{:>6}▸ ", thousands(turn));
        }
        let style = match turn.cmp(&self.now) {
            std::cmp::Ordering::Less => theme.text(),
            std::cmp::Ordering::Equal => theme.accent(),
            std::cmp::Ordering::Greater => theme.quiet(),
        };
        let mut rows = Vec::new();
        for sentence in sentences(moments, self) {
            let margin = Span::styled(std::mem::replace(&mut number, " ".repeat(MARGIN)), theme.quiet());
            rows.extend(ListRow::wrapped(&margin, &sentence, style, self.width, link));
        }
        for row in &mut rows {
            row.now = turn == self.now;
        }
        rows
    }
}

/// Returns the Builder's position at the end of a turn.
fn place(moments: &[StoryMoment]) -> Option<Point> {
    moments.iter().rev().find_map(|moment| match moment.what {
        StoryEvent::Happened(Event::Moved { to, .. }) => Some(to),
        StoryEvent::Decided(Decision::Acts { at, .. }) => Some(at),
        StoryEvent::Happened(Event::Born { birth, builder }) if builder == moment.builder => Some(birth.at),
        _ => None,
    })
}

/// Returns the sentences about a turn, one for each decision that had an effect.
fn sentences(moments: &[StoryMoment], describing: &StoryContext<'_>) -> Vec<String> {
    let (size, subject) = (describing.size, describing.subject);
    let actor = moments[0].builder;
    let mut description = Vec::new();
    let mut leaning = None;
    let mut offspring = None;
    let mut setting_out = None;
    let mut heading = Forward::North;
    for moment in moments {
        if let StoryEvent::Decided(Decision::Leans(leans)) = moment.what {
            leaning = Some(leans);
        }
    }
    for moment in moments {
        match moment.what {
            StoryEvent::Decided(decision) => match decision {
                Decision::Acts { forward, age, life, .. } => {
                    heading = forward;
                    let who = if actor == subject {
                        String::new()
                    } else {
                        format!("{}, ", wording::builder_number(actor))
                    };
                    description.push(format!(
                        "{who}age {age} of {}, heading {forward}",
                        thousands(life.max(0) as u64)
                    ));
                }
                Decision::Offspring { .. } => offspring = Some(decision),
                Decision::SetsOut { .. } => setting_out = Some(decision),
                Decision::Leans(_) => {}
                Decision::Builds {
                    look,
                    needed,
                    step,
                    squares,
                } => description.push(match squares {
                    ..=0 => format!("did not build: {}; {needed} needed", wording::room_ahead(&look, size)),
                    _ if jumped(moments) => {
                        format!("jumped {} and left a column", counted(squares as u64, "square"))
                    }
                    _ => built(&look, step, squares, size),
                }),
                _ => description.extend(decided(&decision, heading, leaning, size)),
            },
            StoryEvent::Happened(Event::Born { builder, birth }) => {
                if let Some(Decision::Offspring {
                    jumper,
                    late,
                    kind,
                    generations,
                }) = offspring
                {
                    description.extend(kind_of_baby(jumper, late, kind, generations));
                }
                let mut text = match birth.parent {
                    None => describing.first.map_or_else(
                        || "started".to_owned(),
                        |start| format!("started as {}", start.description()),
                    ),
                    Some(_) => "born".into(),
                };
                text = format!(
                    "{} of generation {} {text} at {}, heading {}, {}, {}",
                    wording::builder_name(birth.kind, builder),
                    birth.generation,
                    birth.at,
                    birth.forward,
                    wording::direction(birth.direction),
                    wording::opening(birth.opening),
                );
                if birth.wakes > 0 {
                    text = format!("{text}; wakes in iteration {}", thousands(u64::from(birth.wakes)));
                }
                description.push(text);
                if let Some(Decision::SetsOut {
                    aimless,
                    open_start,
                    opening,
                    ..
                }) = setting_out.take()
                {
                    description.extend(sets_out(aimless, open_start, opening));
                }
            }
            StoryEvent::Happened(Event::Woke { builder }) if builder == subject => description.push("woke".into()),
            StoryEvent::Happened(_) => {}
        }
    }
    description
}

/// Returns whether the Builder left a column in this turn, which only Jumpers do.
fn jumped(moments: &[StoryMoment]) -> bool {
    let column = |what: StoryEvent| matches!(what, StoryEvent::Happened(Event::Laid { tile: Tile::Column, .. }));
    moments.iter().any(|moment| column(moment.what))
}

/// Formats a roll: `rolled 34, below ChangeDirProb 40`, or `not below` if the roll failed. If the chance is 0 or less,
/// states only the chance.
fn rolled(roll: Roll, parameter: impl Into<Parameter>) -> String {
    let name = parameter.into().info().name;
    if roll.chance <= 0 {
        return format!("{name} is {}", roll.chance);
    }
    let sign = if roll.succeeds() { "below" } else { "not below" };
    format!("rolled {}, {sign} {name} {}", roll.rolled, roll.chance)
}

/// Describes how far a Crawler built.
fn built(look: &LookAhead, step: i32, squares: i32, size: Size) -> String {
    let built = counted(squares as u64, "square");
    if squares == step {
        return format!("built {built}, a whole step");
    }
    format!(
        "built {built} of a step of {step} and stopped {} before {}",
        counted(look.corridor.max(0) as u64, "square"),
        wording::obstacle(look.end, size)
    )
}

/// Describes a decision of a kind that [`sentences`] does not handle itself.
fn decided(decision: &Decision, heading: Forward, leaning: Option<FreeTurnSide>, size: Size) -> Vec<String> {
    let one = |text: String| vec![text];
    match *decision {
        Decision::Gap { look, needed } if look.free < needed => one(format!(
            "open at its start, but the gap needs {}: {}",
            counted(needed.max(0) as u64, "free square"),
            wording::room_ahead(&look, size)
        )),
        Decision::Gap { look, .. } => one(format!(
            "left a gap of {} at its start, and is closed from now on",
            counted(look.corridor.max(0) as u64, "square")
        )),
        Decision::Joins {
            look,
            to: Some((_, aside)),
            coin,
        } => {
            let by = if coin {
                "; of two walls equally near, a coin toss chose this one"
            } else {
                ""
            };
            one(format!(
                "joined {} across {}: fewer free rows ahead than joinDist {}{by}",
                wording::obstacle(look.end, size),
                counted((look.free + aside).max(0) as u64, "square"),
                look.limit
            ))
        }
        Decision::Joins { look, to: None, .. } if look.end.is_some() => one(format!(
            "is closed, but does not join {}: a Crawler joins only walls, and only where its new tiles touch nothing else",
            wording::obstacle(look.end, size)
        )),
        Decision::TurnsAside { sides, needed, choice } => one(aside(sides, needed, choice, size)),
        Decision::TurnsFreely { change, straight } => one(turns_freely(change, straight, heading, leaning)),
        Decision::SpawnsStraight { roll, forward } => {
            if roll.chance <= 0 {
                return Vec::new();
            }
            let roll = rolled(roll, Stat::StraightSpawnProb);
            one(forward.map_or_else(
                || format!("no baby: {roll}"),
                |forward| format!("a baby heading {forward} (coin toss), after building straight on: {roll}"),
            ))
        }
        Decision::SpawnsTwo { roll } => {
            if roll.chance <= 0 {
                return Vec::new();
            }
            let what = if roll.succeeds() {
                "a second baby, straight on"
            } else {
                "no second baby"
            };
            one(format!("{what}: {}", rolled(roll, Stat::DoubleSpawnProb)))
        }
        Decision::Unborn { living, most } => one(format!(
            "no baby is born: {} {} alive, and maxCrawlers is {most}",
            counted(living, "Builder"),
            if living == 1 { "is" } else { "are" }
        )),
        Decision::Dies { cause, .. } => one(format!("its life ends: {}", wording::death(cause))),
        _ => Vec::new(),
    }
}

fn turns_freely(change: Roll, straight: Option<Roll>, heading: Forward, leaning: Option<FreeTurnSide>) -> String {
    let mut why = rolled(change, Stat::ChangeDirProb);
    if let Some(straight) = straight {
        let joint = if straight.succeeds() { "and" } else { "but" };
        why = format!(
            "{why}, {joint}, because it ran straight along its Direction, {}",
            rolled(straight, Constant::ChDirOnStraight)
        );
    }
    let Some(leaning) = leaning else {
        return format!("did not turn: {why}");
    };
    let (to, how) = match leaning {
        FreeTurnSide::Only(to) => (to, "the only side that its Direction allows".to_owned()),
        FreeTurnSide::Rolled { to, left } => (
            to,
            format!("rolled {} for the side (left if below {})", left.rolled, left.chance),
        ),
    };
    format!("turned {} to {to}: {why}; {how}", wording::turn_side(heading, to))
}

fn aside(sides: [SideLook; 2], needed: i32, choice: ForcedTurnSide, size: Size) -> String {
    let description = |side: SideLook| match side {
        SideLook::Forbidden(to) => format!("its Direction forbids {to}"),
        SideLook::Seen(look) => {
            let only = if look.free < needed { "only " } else { "" };
            format!("{} has {only}{}", look.forward, wording::room_ahead(&look, size))
        }
    };
    let [left, right] = sides.map(description);
    let what = match choice {
        ForcedTurnSide::None => "had nowhere to turn".into(),
        ForcedTurnSide::Only(to) => format!("had to turn, and turned {to}"),
        ForcedTurnSide::Roomier(to) => format!("had to turn, and turned {to}, where there is more room"),
        ForcedTurnSide::Coin(to) => format!("had to turn, and turned {to} by a coin toss"),
    };
    format!("{what}: {left}; {right}")
}

/// Explains the kind and the generation of a baby if they depended on rolls.
fn kind_of_baby(jumper: Roll, late: Roll, kind: BuilderKind, generations: u32) -> Vec<String> {
    let mut description = Vec::new();
    if jumper.chance > 0 {
        let what = match (jumper.succeeds(), kind) {
            (true, BuilderKind::Crawler) => "a Crawler, because Jumpers are not born in this dungeon".into(),
            (true, _) => format!(
                "a Jumper, {} after its parent",
                counted(u64::from(generations), "generation")
            ),
            (false, _) => "no Jumper".into(),
        };
        description.push(format!("{what}: {}", rolled(jumper, Stat::JumperProb)));
    }
    if late.chance > 0 && kind == BuilderKind::Crawler {
        let what = if late.succeeds() {
            format!(
                "late, {} after its parent",
                counted(u64::from(generations), "generation")
            )
        } else {
            "not late".into()
        };
        description.push(format!("{what}: {}", rolled(late, Stat::LateSpawnProb)));
    }
    description
}

/// Describes the rolls at a birth; leaves out a roll whose chance is 0 or less.
fn sets_out(aimless: Roll, open_start: Roll, opening: Opening) -> Vec<String> {
    let mut description = Vec::new();
    if aimless.chance > 0 {
        let what = if aimless.succeeds() {
            "no Direction"
        } else {
            "a Direction"
        };
        description.push(format!("{what}: {}", rolled(aimless, Stat::NoDirectionProb)));
    }
    if open_start.chance > 0 {
        let what = match opening {
            Opening::Start => "open at its start",
            Opening::Closed | Opening::End => "not open at its start",
        };
        description.push(format!("{what}: {}", rolled(open_start, Stat::OpenStartProb)));
    }
    description
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::Depth;

    #[test]
    fn hidden_turns_are_counted_without_the_births() {
        let acts = |builder, turn: u64| StoryMoment {
            turn,
            builder: BuilderId(builder),
            what: StoryEvent::Decided(Decision::Acts {
                age: turn as i64,
                life: 200,
                at: Point::new(5, 5),
                forward: Forward::North,
            }),
        };
        let turns = (2..=101).map(|turn| acts(1, turn));
        let story = Story {
            moments: [acts(0, 1)].into_iter().chain(turns).collect(),
        };
        let hidden = |about| {
            let context = StoryContext {
                theme: Theme::new(Depth::None),
                size: Size::new(20, 20),
                story: &story,
                subject: BuilderId(1),
                first: None,
                laid: None,
                about,
                now: 0,
                width: 80,
            };
            let lines: Vec<String> = context.rows().0.iter().map(|row| row.text.to_string()).collect();
            let hidden = lines.iter().filter_map(|line| line.trim().strip_prefix("… "));
            hidden.map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(hidden(52), ["10 earlier turns", "9 later turns"]);
        assert_eq!(hidden(43), ["1 earlier turn", "18 later turns"]);
        assert_eq!(hidden(60), ["18 earlier turns", "1 later turn"]);
        assert_eq!(hidden(101), ["59 earlier turns"]);
    }

    #[test]
    fn a_side_that_is_free_up_to_the_limit_has_at_least_this_room() {
        let east = LookAhead {
            forward: Forward::East,
            corridor: 1,
            free: 9,
            limit: 9,
            end: None,
        };
        let sides = [SideLook::Forbidden(Forward::West), SideLook::Seen(east)];
        assert_eq!(
            aside(sides, 5, ForcedTurnSide::Only(Forward::East), Size::new(20, 20)),
            "had to turn, and turned East: its Direction forbids West; East has at least 9 squares free"
        );
    }
}
