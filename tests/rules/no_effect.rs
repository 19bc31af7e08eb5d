//! Parameters that are reported to have no effect have none: they get other values, and the same dungeon grows.

#![allow(clippy::expect_used, reason = "tests")]

use crate::common::designs;
use proptest::prelude::*;
use wallcrawler::design::{Design, Entry, Parameter, Stat, VaultEntry, VaultField, style};
use wallcrawler::engine::{EffectAnalysis, Grid, Growth, NoEffectReason, Options};
use wallcrawler::geometry::{Point, Size};

fn grown(design: &Design, options: Options) -> Grid {
    let design = design.validate(None).design.expect("its size is allowed");
    let mut growth = Growth::new(&design, options, &mut ());
    growth.finish(&mut ());
    growth.grid().clone()
}

/// Values at which parameters have no effect.
fn extreme(stat: Stat) -> BoxedStrategy<i32> {
    match stat {
        Stat::StepLength => (1..=3).boxed(),
        Stat::CorridorWidth => (0..=2).boxed(),
        Stat::SkipGenerations | Stat::LateSpawn => prop_oneof![Just(0), 0..=4, 5..=1000].boxed(),
        Stat::MaxAge => prop_oneof![Just(0), 1..=12].boxed(),
        _ => prop_oneof![Just(0), Just(stat.info().max)].boxed(),
    }
}

/// Returns designs in which many parameters have such values.
fn design() -> impl Strategy<Value = Design> {
    let stats = Stat::ALL.iter().map(|stat| extreme(*stat)).collect::<Vec<_>>();
    let generation = (stats, prop::collection::vec(prop::bool::weighted(0.4), Stat::ALL.len()));
    let generations = prop::collection::vec(generation, 4);
    let crowd = prop_oneof![1 => Just(1), 8 => 2..400_i32];
    (designs::design(40), generations, crowd).prop_map(|(mut design, generations, crowd)| {
        design.constants.max_crawlers = crowd;
        for (i, generation) in design.character.generations.iter_mut().enumerate() {
            let (values, chosen) = &generations[i % generations.len()];
            for ((stat, value), chosen) in Stat::ALL.iter().zip(values).zip(chosen) {
                if *chosen {
                    stat.set(generation, *value);
                }
            }
        }
        design
    })
}

/// Returns every field of the design that is reported to have no effect, with other values for it.
fn claims(design: &Design, options: Options, any: i32) -> Vec<(Entry, Parameter, Vec<i32>)> {
    let idle = EffectAnalysis::new(design, options);
    let mut claims = Vec::new();
    for entry in design.entries() {
        for &parameter in entry.parameters() {
            let info = parameter.info();
            let within = |least: i32, most: i32| {
                let span = i64::from(most) - i64::from(least) + 1;
                least + i64::from(any).rem_euclid(span) as i32
            };
            let values = match idle.of(entry, parameter) {
                Some(NoEffectReason::Whole(_)) => vec![info.min, info.max, within(info.min, info.max)],
                Some(NoEffectReason::Raised(used, _)) => vec![used, within(info.min, used.max(info.min))],
                None => continue,
            };
            claims.push((entry, parameter, values));
        }
    }
    claims
}

proptest! {
    #![proptest_config(designs::config())]

    #[test]
    fn parameters_without_effect_change_no_square(design in design(), columns: bool, any: i32) {
        let options = Options { columns };
        let before = grown(&design, options);
        for (entry, parameter, values) in claims(&design, options, any) {
            for value in values {
                let mut other = design.clone();
                other.set(entry, parameter, value);
                prop_assert!(
                    grown(&other, options) == before,
                    "{} of {} is {:?}, and {} makes another dungeon",
                    parameter.info().name,
                    entry.label(),
                    design.get(entry, parameter),
                    value
                );
            }
        }
    }

    #[test]
    fn switches_without_effect_change_no_square(design in designs::design(60)) {
        let before = grown(&design, Options::default());
        let idle = EffectAnalysis::new(&design, Options::default());
        for room in 0..design.layout.rooms.len() {
            for (bit, name) in style::SWITCHES {
                if idle.of_switch(room, bit).is_some() {
                    let mut other = design.clone();
                    other.layout.rooms[room].style ^= bit;
                    prop_assert!(grown(&other, Options::default()) == before, "{name} of room {}", room + 1);
                }
            }
        }
    }

    #[test]
    fn vault_parameters_without_effect_do_not_move_it(div in 0..5_i32, x in 0..60_i32, y in 0..60_i32, other: i32) {
        let vault = VaultEntry { div, xdiv: x, ydiv: y, at: Point::new(x, y), ..VaultEntry::default() };
        let mut design = Design::default();
        design.layout.vaults.push(vault.clone());
        let idle = EffectAnalysis::new(&design, Options::default());
        let (map, size) = (Size::new(5, 7), Size::new(60, 80));
        for &field in VaultField::ALL {
            if idle.of(Entry::Vault(0), field).is_some() {
                let mut changed = design.clone();
                changed.set(Entry::Vault(0), field, other);
                prop_assert_eq!(changed.layout.vaults[0].top_left(map, size), vault.top_left(map, size));
            }
        }
    }
}
