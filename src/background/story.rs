//! Builder stories: grows a design again to record what happened to one Builder, and finds which part of the design
//! determined the state of a square before growth.

use super::job::{Cancelled, Job, JobCx};
use crate::design::ValidDesign;
use crate::engine::stage_one::{self, SquareSource, Start};
use crate::engine::{BuilderId, Growth, Options};
use crate::geometry::Point;
use crate::recording::{Story, StoryRecorder};

/// Request for the story of a Builder and the source of a square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryRequest {
    /// Design to grow again.
    pub design: ValidDesign,
    /// Engine options of the original growth.
    pub options: Options,
    /// The Builder whose story is requested, and its ancestors, nearest first; `None` requests no story.
    pub builder: Option<(BuilderId, Vec<BuilderId>)>,
    /// Square whose source is requested.
    pub at: Point,
}

/// Reply to a [`StoryRequest`]: the story of the Builder and the source of the square.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoryReply {
    /// The Builder's story; empty if none was requested.
    pub story: Story,
    /// The entry in the design that started the Builder's earliest ancestor. For a Builder without ancestors, the entry
    /// that started the Builder itself.
    pub first: Option<Start>,
    /// Part of the design that determined the square's state before growth; `None` for a plain open square.
    pub source: Option<SquareSource>,
}

impl Job for StoryRequest {
    const NAME: &'static str = "story";
    type Memory = ();
    type Reply = StoryReply;

    fn run(self, (): &mut (), cx: &JobCx<'_, StoryReply>) -> Result<(), Cancelled> {
        cx.send(report(&self, &|| cx.is_cancelled()).ok_or(Cancelled)?)
    }
}

/// Number of turns to grow between two checks for cancellation.
const TURNS_PER_STEP: u64 = 256;

/// Grows the design until the story is complete, and returns the reply. Returns `None` as soon as `is_stale` returns
/// true.
fn report(request: &StoryRequest, is_stale: &dyn Fn() -> bool) -> Option<StoryReply> {
    let source = stage_one::source(&request.design, request.at);
    let Some((subject, ancestors)) = &request.builder else {
        return Some(StoryReply {
            source,
            ..StoryReply::default()
        });
    };
    let mut recorder = StoryRecorder::new(*subject, ancestors.iter().copied());
    let mut growth = Growth::new(&request.design, request.options, &mut recorder);
    recorder.begin();
    while !recorder.is_finished() && growth.advance(TURNS_PER_STEP, &mut recorder) {
        if is_stale() {
            return None;
        }
    }
    let story = recorder.into_story();
    let first = ancestors.last().unwrap_or(subject);
    let first = growth.starts().get(first.0 as usize).copied();
    Some(StoryReply { story, first, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Birth, Decision, Event};
    use crate::presets::Preset;
    use crate::recording::{Recording, StoryEvent};

    /// Returns a preset's design, its recording and the births of all Builders.
    fn recorded(preset: &str) -> (ValidDesign, Recording, Vec<Birth>) {
        let design = Preset::find(preset).unwrap().design().validate(None).design.unwrap();
        let recording = Recording::of(&design, Options::default());
        let births = (0..=recording.turns()).flat_map(|turn| recording.events_of(turn));
        let births = births.filter_map(|event| match event {
            Event::Born { birth, .. } => Some(birth),
            _ => None,
        });
        let births = births.collect();
        (design, recording, births)
    }

    fn request(design: &ValidDesign, births: &[Birth], id: BuilderId) -> StoryRequest {
        let parent = |id: &BuilderId| births[id.0 as usize].parent;
        let ancestors = std::iter::successors(parent(&id), parent).collect();
        StoryRequest {
            design: design.clone(),
            options: Options::default(),
            builder: Some((id, ancestors)),
            at: births[id.0 as usize].at,
        }
    }

    #[test]
    fn a_story_has_every_recorded_turn_of_a_builder_and_the_births_of_its_ancestors() {
        for preset in ["weave", "catacombs", "river"] {
            let (design, recording, births) = recorded(preset);
            for id in (0..births.len() as u32).step_by(births.len() / 7 + 1).map(BuilderId) {
                let request = request(&design, &births, id);
                let reply = report(&request, &|| false).unwrap();
                let mut acted = 0;
                for turn in reply.story.turns() {
                    let events = recording.events_of(turn[0].turn);
                    for moment in turn {
                        match moment.what {
                            StoryEvent::Happened(event) => assert!(events.contains(&event), "{preset} {event:?}"),
                            StoryEvent::Decided(Decision::Acts { .. }) if moment.builder == id => acted += 1,
                            StoryEvent::Decided(_) => {}
                        }
                    }
                }
                let is_of_builder =
                    |event: &Event| event.builder() == id && !matches!(event, Event::Born { .. } | Event::Woke { .. });
                let turns = (1..=recording.turns()).filter(|turn| recording.events_of(*turn).iter().any(is_of_builder));
                assert_eq!(acted, turns.count(), "{preset}: every turn of {id:?} is reported");
                // The story contains the births of the Builder and of all its ancestors.
                let (_, ancestors) = request.builder.unwrap();
                for one in ancestors.into_iter().chain([id]) {
                    let is_birth = |what: StoryEvent| matches!(what, StoryEvent::Happened(Event::Born { builder, .. }) if builder == one);
                    assert!(
                        reply.story.moments.iter().any(|moment| is_birth(moment.what)),
                        "{preset} {one:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_stale_request_ends_without_a_reply() {
        let (design, _, births) = recorded("sunken-city");
        let last = BuilderId(births.len() as u32 - 1);
        assert_eq!(report(&request(&design, &births, last), &|| true), None);
    }
}
