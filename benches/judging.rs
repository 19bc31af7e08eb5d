//! Time of computing metrics: `cargo bench --bench judging -- --quick`. A survey of a 100 × 100 preset should do 2,000
//! dungeons per second on two cores, growth included, and one dungeon of 1,000 × 1,000 should take less than 100 ms.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wallcrawler::analysis::{MetricsCalculator, MetricsRunner, Scene};
use wallcrawler::design::{Design, ValidDesign};
use wallcrawler::engine::{Growth, Options};
use wallcrawler::geometry::Size;
use wallcrawler::presets::Preset;

/// Returns a preset's character in a dungeon of another size, with the same number of Builders per square.
fn sized(name: &str, side: i32, seed: u64) -> ValidDesign {
    let mut design: Design = Preset::find(name).map(Preset::design).unwrap_or_default();
    design.seed = seed;
    let before = design.layout.size.squares();
    design.layout.size = Size::new(side, side);
    let factor = design.layout.size.squares().div_ceil(before.max(1));
    design.constants.max_crawlers = design.constants.max_crawlers.saturating_mul(factor as i32);
    match design.validate(None).design {
        Some(valid) => valid,
        None => unreachable!("presets are valid"),
    }
}

/// Growth and all metrics, seed after seed.
fn raising(c: &mut Criterion) {
    let mut group = c.benchmark_group("grown and judged, 100 × 100");
    for name in ["weave", "catacombs", "keep", "hypostyle"] {
        let designs: Vec<ValidDesign> = (0..64).map(|seed| sized(name, 100, seed)).collect();
        group.throughput(Throughput::Elements(1));
        let mut runner = MetricsRunner::new();
        let mut next = designs.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                next.next()
                    .map(|design| black_box(runner.grow_and_measure(design, Options::default())))
            });
        });
    }
}

/// All metrics of a large grown dungeon.
fn judging(c: &mut Criterion) {
    let mut group = c.benchmark_group("judged, 1,000 × 1,000");
    for name in ["weave", "catacombs"] {
        let design = sized(name, 1000, 1);
        let mut growth = Growth::new(&design, Options::default(), &mut ());
        growth.finish(&mut ());
        let scene = Scene::new(&design);
        let mut calculator = MetricsCalculator::new();
        group.bench_function(name, |b| {
            b.iter(|| black_box(calculator.measure(growth.grid(), &scene)));
        });
    }
}

criterion_group!(benches, raising, judging);
criterion_main!(benches);
