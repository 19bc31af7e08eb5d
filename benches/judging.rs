//! Time to compute metrics: `cargo bench --bench judging -- --quick`. A survey of a 100 × 100 preset should grow and
//! measure 2,000 dungeons per second on two cores. All metrics of a grown dungeon of 1,000 × 1,000 should take less
//! than 100 ms, all metrics of sight and walking of a dungeon of 46 × 96 at most 20 ms, and all counterfactuals of one
//! wall of a preset at most 50 ms.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use wallcrawler::analysis::counterfactual::{AlternativeGrower, ObservedRun};
use wallcrawler::analysis::{MetricParts, MetricsCalculator, MetricsRunner, Scene};
use wallcrawler::design::{Design, ValidDesign};
use wallcrawler::engine::{BuilderId, Growth, Options};
use wallcrawler::geometry::{Point, Size};
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

/// Measures the growth of dungeons together with all their metrics, one seed after the other.
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

/// Measures all metrics of a large grown dungeon.
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

/// Measures all metrics of sight and walking in a grown dungeon of 46 × 96.
fn seeing(c: &mut Criterion) {
    let mut group = c.benchmark_group("sight and walking, 46 × 96");
    for name in ["weave", "catacombs", "first-steps", "hypostyle"] {
        let mut design: Design = Preset::find(name).map(Preset::design).unwrap_or_default();
        design.layout.size = Size::new(46, 96);
        let Some(design) = design.validate(None).design else {
            unreachable!("presets are valid")
        };
        let mut growth = Growth::new(&design, Options::default(), &mut ());
        growth.finish(&mut ());
        let scene = Scene::new(&design);
        let mut calculator = MetricsCalculator::new();
        group.bench_function(name, |b| {
            b.iter(|| black_box(calculator.measure_parts(growth.grid(), &scene, MetricParts::SIGHT)));
        });
    }
}

/// Measures counterfactuals: all alternatives for the wall nearest to the middle, and every birth of the preset.
fn asking(c: &mut Criterion) {
    let mut group = c.benchmark_group("counterfactuals");
    for name in ["first-steps", "weave", "catacombs", "keep"] {
        let design: Design = Preset::find(name).map(Preset::design).unwrap_or_default();
        let Some(design) = design.validate(None).design else {
            unreachable!("presets are valid")
        };
        let Some(run) = ObservedRun::of(&design, Options::default(), || true) else {
            unreachable!("nothing cancels it")
        };
        let size = design.layout.size;
        let middle = Point::new(size.x / 2, size.y / 2);
        let squares = (1..size.x - 1).flat_map(|x| (1..size.y - 1).map(move |y| Point::new(x, y)));
        let walls = squares.filter(|at| run.origin(*at).is_some());
        let wall = walls.min_by_key(|at| (at.x - middle.x).pow(2) + (at.y - middle.y).pow(2));
        let question = run.question(wall.unwrap_or(middle));
        group.bench_function(
            format!("a wall of {name}, {} alternatives", question.alternatives.len()),
            |b| {
                b.iter(|| {
                    let mut grower = AlternativeGrower::new(&run);
                    (0..question.alternatives.len())
                        .filter(|number| matches!(question.cause(*number, &run, &mut grower, || true), Ok(Some(_))))
                        .count()
                });
            },
        );
        let ids = (0..run.builders().len()).map(|number| BuilderId(number as u32));
        let births: Vec<_> = ids.filter_map(|id| run.without(id)).collect();
        group.bench_function(format!("each birth of {name}, {}", births.len()), |b| {
            b.iter(|| {
                let mut grower = AlternativeGrower::new(&run);
                for birth in &births {
                    let _ = black_box(grower.dungeon(birth, || true));
                }
            });
        });
    }
}

criterion_group!(benches, raising, judging, seeing, asking);
criterion_main!(benches);
