//! Tests of exports and their previews.

use std::path::Path;
use std::time::Instant;

use super::sample::{estimate, sample};
use super::*;
use crate::background::job::{Ticket, run_inline};
use crate::background::{Inbox, JobReply, Jobs, Message};
use crate::export::{CastVersion, Ground, TextStyle};
use crate::presets::Preset;

fn request(kind: ExportKind, to: &Path) -> ExportRequest {
    let design = Preset::find("first-steps").unwrap().design();
    ExportRequest {
        design: design.validate(None).design.unwrap(),
        turn: None,
        kind,
        options: ExportOptions::default(),
        recorded: None,
        sources: Vec::new(),
        to: to.to_owned(),
    }
}

/// Writes an export and returns the result.
fn written(request: ExportRequest) -> Result<ExportReport, ExportError> {
    match run_inline(request, &mut (), &Ticket::new()).pop() {
        Some(ExportReply::Over(written)) => written,
        other => panic!("{other:?}"),
    }
}

/// Returns the preview of an export.
fn previewed(request: &ExportRequest, room: Size, memory: &mut LastGrowth) -> Box<ExportPreview> {
    let request = ExportPreviewRequest {
        export: request.clone(),
        room,
    };
    run_inline(request, memory, &Ticket::new()).remove(0).unwrap()
}

#[test]
fn previews_agree_with_the_written_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut memory = None;
    for about in ExportKind::ALL {
        let mut request = request(about.kind, &folder.path().join(format!("map.{}", about.name)));
        request.options.duration = 2000;
        let sample = previewed(&request, Size::new(30, 40), &mut memory);
        let written = written(request.clone()).unwrap();
        assert_eq!(written.path, request.to);
        let bytes = std::fs::read(&request.to).unwrap();
        assert_eq!(written.bytes, bytes.len() as u64, "{}", about.name);
        assert_eq!(sample.bytes, Some(FileSize::Exact(written.bytes)), "{}", about.name);
        let beside = written.beside.map(|(path, bytes)| {
            assert_eq!(std::fs::metadata(&path).unwrap().len(), bytes);
            (path.file_name().unwrap().to_string_lossy().into_owned(), bytes)
        });
        assert_eq!(sample.beside, beside, "{}", about.name);
        match about.kind {
            ExportKind::Png => assert_eq!(
                sample.pixels,
                Some((
                    request.design.layout.size.y as u32 * 8,
                    request.design.layout.size.x as u32 * 8
                ))
            ),
            ExportKind::Gif => assert!(sample.pixels.is_some() && sample.pictures > Some(10)),
            ExportKind::Text(TextStyle::Digits) => {
                let PreviewContent::Lines(lines) = &sample.shown else {
                    panic!()
                };
                let text = String::from_utf8(bytes).unwrap();
                assert!(lines.len() == 30 && text.starts_with(&lines.join("\n")));
            }
            _ => {}
        }
    }
    let names = std::fs::read_dir(folder.path()).unwrap();
    let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
    assert!(!names.flatten().any(|entry| hidden(&entry.file_name())));
}

#[test]
fn a_file_that_takes_too_long_to_measure_has_no_misleading_size() {
    assert_eq!(estimate(ExportKind::Png, 500, (1, 4)), Some(FileSize::About(2000)));
    assert_eq!(estimate(ExportKind::Png, 0, (1, 4)), None);
    // Only the header was written.
    assert_eq!(estimate(ExportKind::Png, 500, (0, 4)), None);
    assert_eq!(estimate(ExportKind::Gif, 500, (0, 4)), None);
    // The later pictures of an animation are larger.
    assert_eq!(estimate(ExportKind::Gif, 500, (1, 4)), Some(FileSize::MoreThan(500)));
}

#[test]
fn a_preview_of_any_size_has_the_colours_of_the_file() {
    let mut request = request(ExportKind::Png, Path::new("map.png"));
    request.options.ground = Some(Ground::Light);
    let squares = request.design.layout.size;
    for room in [
        Size::new(squares.x * 2, squares.y * 4 + 3),
        Size::new(squares.x, squares.y),
        Size::new(squares.x / 2, squares.y),
        Size::new(squares.x / 4, squares.y / 2),
        Size::new(squares.x / 9, squares.y),
        Size::new(1, 1),
        Size::new(0, 0),
    ] {
        let sample = sample(&request, room, &mut None, &|| false).unwrap();
        let PreviewContent::Picture { rows, ground, legend } = sample.shown else {
            panic!("no picture");
        };
        assert!(
            rows.len() as i32 <= 4 * room.x && rows.iter().all(|row| row.len() as i32 <= 2 * room.y),
            "{room}"
        );
        let known = |rgb: &Rgb| *rgb == ground || legend.iter().any(|(_, own)| own == rgb);
        assert!(rows.iter().flatten().all(known), "{room}");
        if room.x > 9 {
            assert!(rows.iter().flatten().any(|rgb| *rgb != ground), "{room}");
        }
    }
}

#[test]
fn a_recording_is_written_as_it_was_recorded_and_not_grown_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(ExportKind::Text(TextStyle::Digits), &folder.path().join("map.txt"));
    // The recording contains a dungeon that the design does not grow, as if another version of the program had recorded
    // it.
    let other = request.design.with_seed(request.design.seed + 1);
    let recording = DungeonView::grow(&other, request.options.engine, &mut |_, _| ControlFlow::Continue(())).unwrap();
    let mut recorded = Vec::new();
    let dungeon = DungeonView::new(&other, &recording, u64::MAX);
    let mut watch = |_, _| ControlFlow::Continue(());
    export::write(request.kind, &dungeon, &request.options, "", &mut recorded, &mut watch).unwrap();
    written(request.clone()).unwrap();
    assert_ne!(std::fs::read(&request.to).unwrap(), recorded);
    request.recorded = Some(Arc::new(RecordingFile {
        program: String::new(),
        design: request.design.clone(),
        diagnostics: Vec::new(),
        options: request.options.engine,
        sources: Vec::new(),
        recording,
    }));
    let sample = previewed(&request, Size::new(40, 60), &mut None);
    written(request.clone()).unwrap();
    assert_eq!(std::fs::read(&request.to).unwrap(), recorded);
    assert_eq!(sample.bytes, Some(FileSize::Exact(recorded.len() as u64)));
}

#[test]
fn exports_record_the_files_of_the_design_and_level_files_by_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["keep.toml", "levels/cell.des"].map(|name| folder.path().join(name));
    std::fs::create_dir(folder.path().join("levels")).unwrap();
    for path in &files {
        std::fs::write(path, "abc").unwrap();
    }
    let abc = export::sha256(b"abc");
    for (kind, between) in [
        (ExportKind::Json, "\",\"sha256\":\""),
        (ExportKind::Cast(CastVersion::Two), " sha256:"),
    ] {
        let request = ExportRequest {
            sources: [&files[..], &[folder.path().join("gone.des")]].concat(),
            ..request(kind, &folder.path().join("map"))
        };
        written(request.clone()).unwrap();
        let text = std::fs::read_to_string(&request.to).unwrap();
        for name in ["keep.toml", "levels/cell.des"] {
            assert!(text.contains(&format!("{name}{between}{abc}")), "{name}: {text:.400}");
        }
        assert!(!text.contains("gone.des"));
    }
}

#[test]
fn an_export_that_ends_early_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("map.png");
    std::fs::write(&to, "before").unwrap();
    let request = request(ExportKind::Png, &to);
    let recording = DungeonView::grow(&request.design, request.options.engine, &mut |_, _| {
        ControlFlow::Continue(())
    })
    .unwrap();
    let dungeon = DungeonView::new(&request.design, &recording, u64::MAX);
    for kind in [ExportKind::Png, ExportKind::Tmx, ExportKind::Gif] {
        let mut looks = 0;
        // Interrupts at the last progress call, when everything is written but the file is not yet in place.
        let mut watch = |done: u64, all: u64| {
            looks += 1;
            if done == all {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let ended = write_export(kind, &dungeon, &request.options, &to, &mut watch);
        assert!(matches!(ended, Err(ExportError::Interrupted)) && looks > 1, "{ended:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(std::fs::read(&to).unwrap(), b"before");
    }
    let absent = ExportRequest {
        to: folder.path().join("no/such/map.png"),
        ..request.clone()
    };
    let why = written(absent).unwrap_err();
    assert!(why.to_string().contains("no/such/map.png"), "{why}");
    // A later export cancels the previous one.
    let inbox = Inbox::<()>::new();
    let mut jobs = Jobs::new(&inbox, None);
    let giant = ExportRequest {
        options: ExportOptions {
            scale: Some(4000),
            ..ExportOptions::default()
        },
        to: folder.path().join("giant.png"),
        ..request.clone()
    };
    let [first, second] = [Ticket::new(), Ticket::new()];
    jobs.start(first.clone(), giant.into());
    jobs.start(second.clone(), request.into());
    loop {
        match inbox.wait(None) {
            Some(Message::Reply(_, JobReply::Export(Ok(ExportReply::Going(_))))) => {}
            Some(Message::Reply(of, JobReply::Export(Ok(ExportReply::Over(written))))) => {
                assert!(of == second && written.is_ok(), "{written:?}");
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    // Nothing has waited for the first export to end, so it may still be removing its draft file.
    let patience = Instant::now() + Duration::from_mins(4);
    while std::fs::read_dir(folder.path()).unwrap().count() > 1 {
        assert!(Instant::now() < patience, "something is left of the first");
        std::thread::sleep(Duration::from_millis(5));
    }
}
