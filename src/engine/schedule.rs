//! Computes when Crawlers wake and which kinds of babies they have, from the design alone, without growing a dungeon.
//!
//! A delay is inherited: all Crawlers of one generation that descend from the same first Crawler wake at about the same
//! time, 100 iterations after the Crawlers of the previous generation. Tests compare the results with grown dungeons.

use super::EffectAnalysis;
use super::event::BuilderKind;
use super::growth::{ITERATIONS_PER_GENERATION, Options};
use crate::design::{Design, GENERATIONS};

/// A kind of baby that a Crawler may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OffspringShare {
    /// Whether these babies are Crawlers or Jumpers.
    pub kind: BuilderKind,
    /// Generation of these babies.
    pub generation: u32,
    /// Expected share of these babies among all babies of the Crawler, above 0 and at most 1.
    pub share: f64,
}

/// The iterations in which the Crawlers of a generation act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LifeSpan {
    /// The generation.
    pub generation: u32,
    /// Iteration in which they wake. A baby may wake earlier, by at most `generation` iterations; a baby that is born
    /// after this iteration is awake immediately.
    pub from: u32,
    /// Iteration in which they die of old age.
    pub until: u32,
}

/// Returns the kinds of babies that a Crawler of a generation may have, the most frequent first. The list is empty if
/// the Crawler spawns no babies.
pub fn offspring(design: &Design, options: Options, generation: u32) -> Vec<OffspringShare> {
    let place = (generation as usize).min(GENERATIONS - 1);
    if !EffectAnalysis::new(design, options).spawns(place) {
        return Vec::new();
    }
    let stats = design.character.generation(generation);
    let chance = |percent: i32| f64::from(percent.clamp(0, 100)) / 100.0;
    let jumpers = if options.columns {
        chance(stats.jumper_prob)
    } else {
        0.0
    };
    let late = (1.0 - jumpers) * chance(stats.late_spawn_prob);
    let after = |skipped: i32| generation.saturating_add(1).saturating_add(skipped.max(0) as u32);
    let crawler = |generation: u32, share: f64| OffspringShare {
        kind: BuilderKind::Crawler,
        generation,
        share,
    };
    let mut all = vec![
        crawler(after(0), 1.0 - jumpers - late),
        crawler(after(stats.late_spawn), late),
        OffspringShare {
            kind: BuilderKind::Jumper,
            generation: after(stats.skip_generations),
            share: jumpers,
        },
    ];
    if stats.late_spawn <= 0 {
        // Late babies belong to the same generation as other babies, so both are counted as one kind.
        all[0].share += all[1].share;
        all[1].share = 0.0;
    }
    all.retain(|one| one.share > 0.0);
    all.sort_by(|a, b| b.share.total_cmp(&a.share));
    all
}

/// Returns the generations of a first Crawler and of the Crawlers that may descend from it, in order. Generations after
/// the last one in the stats file are left out; they have the parameters of the last one.
pub fn descendants(design: &Design, options: Options) -> Vec<u32> {
    let mut found = [false; GENERATIONS];
    found[0] = true;
    for generation in 0..GENERATIONS {
        if found[generation] {
            for child in offspring(design, options, generation as u32) {
                if child.kind == BuilderKind::Crawler
                    && let Some(place) = found.get_mut(child.generation as usize)
                {
                    *place = true;
                }
            }
        }
    }
    (0..GENERATIONS as u32)
        .filter(|generation| found[*generation as usize])
        .collect()
}

/// Returns when a first Crawler with a delay of `delay` iterations and its descendants act, one entry per generation.
pub fn lifespans(design: &Design, options: Options, delay: u32) -> Vec<LifeSpan> {
    // A first Crawler without a delay has age 1 in its first iteration, which is iteration 0. A first Crawler with a
    // delay has age 0 in the last iteration of the delay.
    let born = i64::from(delay) - 1;
    let span = |generation: u32| {
        let age = i64::from(design.character.generation(generation).max_age.max(0));
        let awake = born + i64::from(generation) * i64::from(ITERATIONS_PER_GENERATION);
        let iteration = |at: i64| u32::try_from(at.max(0)).unwrap_or(u32::MAX);
        LifeSpan {
            generation,
            from: iteration(awake),
            until: iteration(awake + age).max(iteration(awake)),
        }
    };
    descendants(design, options).into_iter().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Birth, Event, Growth, Observer};
    use crate::presets::Preset;

    #[derive(Default)]
    struct Births(Vec<Birth>);

    impl Observer for Births {
        fn event(&mut self, event: Event) {
            if let Event::Born { birth, .. } = event {
                self.0.push(birth);
            }
        }
    }

    #[test]
    fn schedules_agree_with_growths() {
        let mut late = 0;
        for preset in Preset::all() {
            let mut design = preset.design();
            for variant in 0..2 {
                if variant == 1 {
                    for crawler in &mut design.layout.crawlers {
                        crawler.delay = 7;
                    }
                    for generation in &mut design.character.generations {
                        (generation.late_spawn, generation.late_spawn_prob) = (1, 30);
                        (generation.jumper_prob, generation.skip_generations) = (10, 2);
                    }
                }
                let Some(valid) = design.validate(None).design else {
                    continue;
                };
                let options = Options::default();
                let mut births = Births::default();
                Growth::new(&valid, options, &mut births).finish(&mut births);
                let all = &births.0;
                for birth in all {
                    let Some(parent) = birth.parent.map(|id| &all[id.0 as usize]) else {
                        continue;
                    };
                    if parent.kind != BuilderKind::Crawler {
                        continue;
                    }
                    let expected = offspring(&design, options, parent.generation);
                    let is_listed = expected
                        .iter()
                        .any(|one| (one.kind, one.generation) == (birth.kind, birth.generation));
                    assert!(is_listed, "{}: {parent:?} {birth:?} {expected:?}", preset.name);
                    let mut first = parent;
                    while let Some(id) = first.parent {
                        first = &all[id.0 as usize];
                    }
                    let delay = if first.wakes == 0 { 0 } else { first.wakes + 1 };
                    let spans = lifespans(&design, options, delay);
                    let span = spans.iter().find(|span| span.generation == birth.generation);
                    if birth.kind == BuilderKind::Crawler && birth.generation < GENERATIONS as u32 {
                        let span = span.unwrap();
                        let early = span.from.saturating_sub(birth.wakes);
                        assert!(early <= birth.generation, "{}: {birth:?} {span:?}", preset.name);
                        // A Crawler that wakes later than `from` was born after `from`, so its age is above 0.
                        assert!(
                            birth.wakes <= span.from || birth.age > 0,
                            "{}: {birth:?} {span:?}",
                            preset.name
                        );
                        late += usize::from(birth.generation > parent.generation + 1);
                    }
                }
            }
        }
        assert!(late > 100, "{late}");
    }
}
