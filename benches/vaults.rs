//! Time to process level files: to read them, to compile every map, and to resolve every map once.
//!
//! Measures the shared level files next to the project if they exist, otherwise the embedded ones, on one
//! thread. `cargo bench --bench vaults`.

#![allow(clippy::expect_used, missing_docs, reason = "benchmarks")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use wallcrawler::vault::library::Library;
use wallcrawler::vault::lua::{Runtime, RuntimeOptions};
use wallcrawler::vault::source;
use wallcrawler::vault::world::VaultWorld;

/// A name and the bytes of each level file.
type Files = Vec<(String, Vec<u8>)>;

fn collect(folder: &Path, files: &mut Files) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder of level files")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "des") {
            let name = path.to_string_lossy().into_owned();
            files.push((name, std::fs::read(&path).expect("readable")));
        }
    }
}

fn files() -> Files {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../shared/vaults/des", "../../shared/vaults/des", "presets/vaults"];
    let folder = folders.iter().map(|folder| project.join(folder)).find(|p| p.is_dir());
    let mut files = Files::new();
    collect(&folder.expect("level files"), &mut files);
    files
}

fn library(files: &Files) -> Arc<Library> {
    Arc::new(Library::new(
        files.iter().map(|(name, bytes)| source::read(name, bytes)).collect(),
    ))
}

fn vaults(criterion: &mut Criterion) {
    let files = files();
    let library = library(&files);
    let mut group = criterion.benchmark_group(format!("vaults/{} maps", library.len()));
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    group.bench_function("read", |b| b.iter(|| self::library(black_box(&files))));
    group.bench_function("compile", |b| {
        b.iter(|| {
            let runtime = Runtime::new(Arc::clone(&library), RuntimeOptions::default()).expect("a runtime");
            runtime.compile_all().len()
        });
    });
    let runtime = Runtime::new(Arc::clone(&library), RuntimeOptions::default()).expect("a runtime");
    runtime.compile_all();
    let world = VaultWorld::at("D:5").expect("a level");
    let mut seed = 0;
    group.bench_function("resolve", |b| {
        b.iter(|| {
            seed += 1;
            for map in library.ids() {
                black_box(runtime.resolve(map, &world, seed));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, vaults);
criterion_main!(benches);
