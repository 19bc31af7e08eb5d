//! Time of growth, recording and seeking: `cargo bench --bench growth`. If timing is noisy,
//! `benches/instructions.sh` counts the instructions of growing one small preset instead.
//!
//! Throughput is in squares of the dungeon, so that dungeons of different sizes can be compared: 6 µs per 1,000
//! squares are 167 million squares per second.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use wallcrawler::design::{Design, ValidDesign};
use wallcrawler::engine::{Event, Growth, Observer, Options};
use wallcrawler::geometry::Size;
use wallcrawler::presets::Preset;
use wallcrawler::recording::{Playback, Recording};

fn valid(design: &Design) -> ValidDesign {
    match design.validate(None).design {
        Some(valid) => valid,
        None => unreachable!("presets are valid"),
    }
}

fn preset(name: &str) -> ValidDesign {
    match Preset::find(name) {
        Some(preset) => valid(&preset.design()),
        None => unreachable!("no preset {name}"),
    }
}

/// Returns a preset's character in a dungeon of another size, with the same number of Builders per square.
fn sized(name: &str, side: i32, seed: u64) -> ValidDesign {
    let mut design = Preset::find(name).map(Preset::design).unwrap_or_default();
    design.seed = seed;
    let before = design.layout.size.squares();
    design.layout.size = Size::new(side, side);
    let factor = design.layout.size.squares().div_ceil(before.max(1));
    design.constants.max_crawlers = design.constants.max_crawlers.saturating_mul(factor as i32);
    valid(&design)
}

fn record(design: &ValidDesign) -> Recording {
    Recording::of(design, Options::default())
}

fn grow(design: &ValidDesign) -> Growth {
    let mut growth = Growth::new(design, Options::default(), &mut ());
    growth.finish(&mut ());
    growth
}

/// An observer that counts tiles.
struct Laid(u64);

impl Observer for Laid {
    fn event(&mut self, event: Event) {
        self.0 += u64::from(matches!(event, Event::Laid { .. }));
    }
}

fn growth(c: &mut Criterion) {
    for (name, recorded) in [("growth", false), ("growth, recorded", true)] {
        let mut group = c.benchmark_group(name);
        for Preset { name, .. } in Preset::all() {
            let design = preset(name);
            group.throughput(Throughput::Elements(design.layout.size.squares()));
            group.bench_function(*name, |b| {
                b.iter(|| {
                    if recorded {
                        black_box(record(&design).turns());
                    } else {
                        black_box(grow(&design).clock());
                    }
                });
            });
        }
    }
}

/// Measures growth alone at sizes whose areas differ by a factor of ten thousand: the throughput in tiles should not
/// fall with the size. Each growth uses a new seed, since the processor's branch predictor would learn a small growth
/// that is repeated. The largest size uses one seed, because its growth is too long to be learned.
fn linear(c: &mut Criterion) {
    for name in ["weave", "catacombs"] {
        let mut group = c.benchmark_group(format!("linear, {name}"));
        group.sample_size(10).sampling_mode(SamplingMode::Flat);
        for (side, seeds) in [(100, 256), (1000, 4), (10_000, 1)] {
            let designs: Vec<_> = (0..seeds).map(|seed| sized(name, side, seed)).collect();
            let mut laid = Laid(0);
            for design in &designs {
                Growth::new(design, Options::default(), &mut laid).finish(&mut laid);
            }
            group.throughput(Throughput::Elements(laid.0 / seeds));
            let mut next = designs.iter().cycle();
            group.bench_function(format!("{side} × {side}"), |b| {
                b.iter(|| next.next().map(grow));
            });
        }
    }
}

fn seeking(c: &mut Criterion) {
    let recording = record(&sized("catacombs", 1000, 1));
    let mut seen = Playback::new(&recording);
    seen.seek(&recording, recording.turns());
    let mut group = c.benchmark_group("seeking in 1,000 × 1,000");
    for (name, share) in [("one turn back", 1000), ("to the middle", 500), ("near the start", 10)] {
        let target = (recording.turns() * share / 1000).saturating_sub(1);
        group.bench_function(name, |b| {
            b.iter_batched_ref(
                || seen.clone(),
                |cursor| cursor.seek(&recording, target),
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, growth, linear, seeking);
criterion_main!(benches);
