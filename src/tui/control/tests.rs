use std::sync::mpsc::Receiver;

use serde_json::{Value, json};

use super::action::{accepts_text, cancels_text, full_name};
use crate::background::{
    ActionArgs, ControlAnswer, ControlCommand, ControlError, ControlReply, ControlRequest, DungeonArgs, GrowArgs,
    Message, Ticket,
};
use crate::document::Document;
use crate::export::ExportKind;
use crate::geometry::Point;
use crate::presets::Preset;
use crate::tui::app::HANG_UP;
use crate::tui::commands::Action;
use crate::tui::fixture::{TestApp, WRITING};
use crate::tui::keymap::{self, Context};
use crate::tui::tabs::{Panel, View};

type Receipt = Receiver<Result<ControlAnswer, ControlError>>;

/// Sends a request; the answer may arrive later.
fn send(designer: &mut TestApp, command: ControlCommand) -> Receipt {
    let (reply, answer) = ControlReply::new(Ticket::new());
    designer.send(Message::Request(Box::new(ControlRequest { command, reply })));
    answer
}

/// Returns an answer, which must have arrived already.
fn received(answer: &Receipt) -> Result<Value, ControlError> {
    match answer.try_recv().expect("an answer")? {
        ControlAnswer::Ready(value) => Ok(value),
        ControlAnswer::Query(query) => query.answer(&Ticket::new()),
    }
}

/// Sends a request and returns its answer.
fn ask(designer: &mut TestApp, command: ControlCommand) -> Result<Value, ControlError> {
    let answer = send(designer, command);
    received(&answer)
}

fn act(designer: &mut TestApp, name: &str, args: ActionArgs) -> Result<Value, ControlError> {
    ask(designer, ControlCommand::Action(name.to_owned(), args))
}

/// Runs an action without arguments.
fn run(designer: &mut TestApp, name: &str) -> Result<Value, ControlError> {
    act(designer, name, ActionArgs::default())
}

fn typed(text: &str) -> ActionArgs {
    ActionArgs {
        text: Some(text.to_owned()),
        ..ActionArgs::default()
    }
}

/// Returns a designer with a grown preset.
fn keep() -> TestApp {
    let design = Preset::find("keep").unwrap().design();
    let mut designer = TestApp::with(Document::new(design, None), 120, 40);
    designer.grow();
    designer
}

#[test]
fn every_action_of_the_palette_is_run_or_refused_with_advice() {
    let mut counts = [0, 0];
    for binding in keymap::table() {
        let name = full_name(binding);
        let mut designer = TestApp::grown(120, 40);
        designer.hold(&WRITING);
        let done = act(&mut designer, &name, typed("7"));
        let is_quit = matches!(binding.action, Action::Quit);
        match &done {
            Ok(answer) => assert_eq!(answer["ran"], name),
            Err(error) => assert!(!error.message.is_empty() && !error.help.is_empty(), "{name}: {error:?}"),
        }
        // An action of the whole workspace or the map is available, unless it has nothing to act on.
        let is_open = matches!(binding.context, Context::Everywhere | Context::Map);
        let refused = done
            .as_ref()
            .is_err_and(|error| error.message.contains("is not available now"));
        if is_open && binding.action != Action::Suspend && designer.app.why_unavailable(binding).is_none() {
            assert!(!refused, "{name}: {done:?}");
        }
        counts[usize::from(refused)] += 1;
        designer.run_jobs();
        designer.text();
        let state = ask(&mut designer, ControlCommand::State(false)).unwrap();
        assert_eq!(state["design"]["rows"], 40, "{name}");
        assert_eq!(designer.quit.is_some(), is_quit && !refused, "{name}");
    }
    assert!(counts[0] > 150 && counts[1] > 100, "{counts:?}");
}

#[test]
fn one_designer_survives_every_action_one_after_the_other() {
    let mut designer = TestApp::grown(120, 40);
    designer.hold(&WRITING);
    let mut ran = 0;
    for round in 0..3 {
        for binding in keymap::table() {
            let args = match round {
                0 => ActionArgs::default(),
                1 => typed("12"),
                _ => ActionArgs {
                    times: Some(3),
                    row: Some(12),
                    column: Some(30),
                    text: None,
                },
            };
            ran += u32::from(act(&mut designer, &full_name(binding), args).is_ok());
            designer.run_jobs();
            designer.text();
            // While a dialog is open, all other actions are unavailable.
            if let Some(close) = keymap::table()
                .find(|row| row.action == Action::CloseDialog && designer.app.contexts().first() == Some(&row.context))
            {
                run(&mut designer, &full_name(close)).unwrap();
            }
        }
    }
    assert!(ran > 300, "{ran}");
}

#[test]
fn an_action_is_undone_like_one_of_the_user() {
    let mut designer = keep();
    let before = designer.app.document().design().clone();
    let done = run(&mut designer, "reroll").unwrap();
    assert_eq!(done["ran"], "everywhere.reroll");
    assert_eq!(done["state"]["history"]["done"].as_array().unwrap().len(), 1);
    assert_ne!(designer.app.document().design().seed, before.seed);
    designer.keys("u");
    assert_eq!(*designer.app.document().design(), before);
    run(&mut designer, "everywhere.redo").unwrap();
    let undone = run(&mut designer, "undo").unwrap();
    assert_eq!(*designer.app.document().design(), before);
    assert!(
        undone["state"]["message"]["text"]
            .as_str()
            .unwrap()
            .starts_with("undone: seed")
    );
}

#[test]
fn a_change_is_one_step_and_is_answered_when_it_has_grown() {
    let mut designer = keep();
    let before = designer.app.document().design().clone();
    let args = GrowArgs {
        seed: Some(7),
        change: vec!["MaxAge -> 3 in 1".into(), "MaxAge -> 3 in 1".into()],
    };
    let answer = send(&mut designer, ControlCommand::Grow(args));
    assert!(answer.try_recv().is_err(), "it has not grown yet");
    designer.grow();
    let state = received(&answer).unwrap();
    assert_eq!(state["design"]["seed"], 7);
    assert_eq!(state["growth"]["grown"], true);
    assert_eq!(state["warnings"].as_array().unwrap().len(), 1, "{state}");
    assert_eq!(state["history"]["done"].as_array().unwrap().len(), 1);
    run(&mut designer, "undo").unwrap();
    assert_eq!(*designer.app.document().design(), before);
}

#[test]
fn a_wrong_change_changes_nothing() {
    let mut designer = keep();
    let before = designer.app.document().design().clone();
    for wrong in [
        "MaxAgee -> 3",
        "MaxAge -> 3 in 77",
        "StepLength -> 4000000000",
        "",
        "\u{1b}[31m",
    ] {
        let args = GrowArgs {
            seed: Some(9),
            change: vec!["MaxAge -> 4".into(), wrong.into()],
        };
        let error = ask(&mut designer, ControlCommand::Grow(args)).unwrap_err();
        assert!(error.message.contains(wrong) && !error.help.is_empty(), "{error:?}");
        assert_eq!(*designer.app.document().design(), before, "{wrong}");
    }
}

#[test]
fn a_design_that_cannot_grow_is_an_error_with_its_reason() {
    let mut designer = keep();
    let change = vec!["dimX -> 1".into()];
    let answer = send(&mut designer, ControlCommand::Grow(GrowArgs { seed: None, change }));
    designer.want();
    match received(&answer) {
        Err(error) => assert!(
            error.help.contains("undo") || error.help.contains("correct"),
            "{error:?}"
        ),
        Ok(state) => panic!("{state}"),
    }
}

#[test]
fn the_dungeon_is_the_one_that_is_shown() {
    let mut designer = keep();
    designer.keys("G");
    let shown = designer.app.editor.time.frame().unwrap().grid().clone();
    let text = DungeonArgs {
        format: ExportKind::by_name("text"),
        ..DungeonArgs::default()
    };
    let dungeon = ask(&mut designer, ControlCommand::Dungeon(text)).unwrap();
    let rows: Vec<&str> = dungeon["text"].as_str().unwrap().lines().collect();
    assert_eq!(rows.len(), shown.size().x as usize);
    for (x, row) in rows.iter().enumerate() {
        for (y, c) in row.chars().enumerate() {
            let tile = shown.tile(Point::new(x as i32, y as i32));
            assert_eq!(tile.is_open(), matches!(c, '.' | 'o' | ' '), "{x},{y}: {c}");
        }
    }
    let metrics = ask(&mut designer, ControlCommand::Dungeon(DungeonArgs::default())).unwrap();
    assert!(
        metrics["metrics"]["path"].as_u64().is_some_and(|path| path > 10),
        "{metrics}"
    );
    let png = DungeonArgs {
        format: Some(ExportKind::Png),
        scale: Some(2),
        ..DungeonArgs::default()
    };
    let picture = ask(&mut designer, ControlCommand::Dungeon(png)).unwrap();
    assert!(
        picture["base64"].as_str().unwrap().starts_with("iVBORw0KGgo"),
        "{picture}"
    );
}

#[test]
fn a_square_is_explained_by_the_lines_of_the_inspect_view() {
    let mut designer = keep();
    designer.keys("G");
    let grid = designer.app.editor.time.frame().unwrap().grid().clone();
    let size = grid.size();
    let laid = (1..size.x - 1)
        .flat_map(|x| (1..size.y - 1).map(move |y| Point::new(x, y)))
        .find(|at| matches!(grid.mark(*at), crate::engine::Mark::Generation(_)) && !grid.tile(*at).is_open())
        .unwrap();
    let answer = send(&mut designer, ControlCommand::Why(laid));
    assert!(answer.try_recv().is_err(), "its story is not known yet");
    designer.run_jobs();
    designer.want();
    let why = received(&answer).unwrap();
    let lines = why["lines"].as_array().unwrap();
    let shown = designer.app.views.story(&designer.app.editor).unwrap();
    assert_eq!(lines.len(), shown.lines().count());
    assert!(shown.contains("would not stand") || shown.contains("turn"), "{shown}");
    assert_eq!(designer.app.editor.view, View::Inspect);
    let outside = ask(&mut designer, ControlCommand::Why(Point::new(-1, 5))).unwrap_err();
    assert!(outside.help.starts_with("rows are 0 to"), "{outside:?}");
}

#[test]
fn an_explanation_is_refused_when_the_user_moves_on() {
    let mut designer = keep();
    designer.keys("G");
    let answer = send(&mut designer, ControlCommand::Why(Point::new(3, 3)));
    designer.keys("\t\t");
    designer.app.editor.show_square(Point::new(9, 9));
    designer.want();
    assert!(received(&answer).unwrap_err().message.contains("cursor was moved"));
}

#[test]
fn a_number_of_times_outside_the_range_is_refused() {
    let mut designer = TestApp::grown(120, 40);
    for times in [0, 101] {
        let args = ActionArgs {
            times: Some(times),
            ..typed("5")
        };
        let error = act(&mut designer, "everywhere.go-to", args).unwrap_err();
        assert_eq!(error.message, "`times` must be from 1 to 100");
        assert!(error.help.starts_with("use a number in this range"), "{error:?}");
    }
    assert!(designer.app.dialogs.open.is_none());
}

#[test]
fn a_dialog_keeps_other_actions_away() {
    let mut designer = TestApp::grown(120, 40);
    designer.keys("?");
    let error = run(&mut designer, "undo").unwrap_err();
    assert!(error.message.contains("only the actions of `help`"), "{error:?}");
    let grow = ControlCommand::Grow(GrowArgs::default());
    assert!(ask(&mut designer, grow).unwrap_err().help.contains("`help`"));
    let actions = ask(&mut designer, ControlCommand::Actions).unwrap();
    let available = actions["actions"].as_array().unwrap().iter();
    let available: Vec<&str> = available
        .filter(|row| row["available"] == true)
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert!(
        !available.is_empty() && available.iter().all(|name| name.starts_with("help.")),
        "{available:?}"
    );
    run(&mut designer, "help.close").unwrap();
    assert!(run(&mut designer, "map.zoom-in").is_ok());
}

#[test]
fn text_goes_into_the_field_that_an_action_opens() {
    let mut designer = TestApp::grown(120, 40);
    act(&mut designer, "go-to", typed("5")).unwrap();
    assert_eq!(designer.app.editor.time.turn(), 5);
    act(&mut designer, "search-and-replace", typed("MaxAge -> 9 in 2")).unwrap();
    assert_eq!(designer.app.document().step(), 1);
    assert!(designer.app.editor.document.steps().any(|name| name.contains("MaxAge")));
    // The new text replaces the text that is already in the field.
    run(&mut designer, "everywhere.design").unwrap();
    assert_eq!(designer.app.editor.panel, Panel::Design);
    run(&mut designer, "panels.first").ok();
    act(&mut designer, "panels.edit", typed("Castle")).unwrap();
    assert_eq!(designer.app.document().design().name, "Castle");
    let error = act(&mut designer, "map.zoom-in", typed("x")).unwrap_err();
    assert!(error.message.contains("no text field"), "{error:?}");
}

#[test]
fn a_rejected_text_is_an_error_with_its_reason_and_leaves_no_field_open() {
    let mut designer = TestApp::grown(120, 40);
    let before = designer.app.document().design().clone();
    run(&mut designer, "everywhere.stats").unwrap();
    for (name, text, why) in [
        ("everywhere.go-to", "abc", "type a turn number"),
        ("everywhere.go-to", "99999", "is the last one"),
        ("panels.edit", "abc", "not abc"),
        ("panels.search-and-replace", "MaxAgee -> 3", "unknown parameter"),
        ("expect.add", "pth >= 3", "unknown"),
        ("everywhere.palette", "no such action", "no action matches"),
        ("everywhere.open", "wc1:!", "code"),
    ] {
        let error = act(&mut designer, name, typed(text)).unwrap_err();
        assert!(
            error.message.contains("rejected the text: ") && error.message.contains(why),
            "{name}: {error:?}"
        );
        assert!(designer.app.dialogs.open.is_none(), "{name}");
        assert!(
            !designer.app.contexts().iter().any(|context| context.takes_text()),
            "{name}"
        );
        let state = ask(&mut designer, ControlCommand::State(false)).unwrap();
        assert_eq!(state["message"], Value::Null, "{name}");
        run(&mut designer, "everywhere.stats").unwrap();
    }
    assert_eq!(*designer.app.document().design(), before);
}

#[test]
fn every_text_field_is_accepted_by_enter_and_cancelled_by_escape() {
    for row in keymap::table().filter(|row| row.context.takes_text()) {
        let accepts = keymap::table().any(|other| other.context == row.context && accepts_text(other));
        let cancels = keymap::table().any(|other| other.context == row.context && cancels_text(other));
        assert!(accepts && cancels, "{:?}", row.context);
    }
}

#[test]
fn a_name_that_several_actions_have_must_be_complete() {
    let mut designer = TestApp::grown(120, 40);
    let error = run(&mut designer, "undoo").unwrap_err();
    assert!(error.help.contains("did you mean"), "{error:?}");
    designer.app.editor.focus = crate::tui::editor::Focus::Panel;
    let done = run(&mut designer, "inspect").unwrap();
    assert_eq!(done["ran"], "everywhere.inspect");
    for (name, args) in [
        ("map.up", json!({"times": 101})),
        ("map.up", json!({"row": 400})),
        ("map.up", json!({"row": i32::MAX, "column": i32::MIN})),
    ] {
        let args: ActionArgs = serde_json::from_value(args).unwrap();
        let error = act(&mut designer, name, args).unwrap_err();
        assert!(!error.help.is_empty(), "{error:?}");
    }
}

#[test]
fn an_unavailable_action_is_named_only_if_it_is_the_one_that_is_meant() {
    let mut designer = keep();
    let message = |designer: &mut TestApp, name: &str| run(designer, name).unwrap_err().message;
    let suspend = message(&mut designer, "suspend");
    assert!(
        suspend.starts_with("`everywhere.suspend` is not available now: "),
        "{suspend}"
    );
    assert_eq!(
        message(&mut designer, "close"),
        "no action called `close` is available now"
    );
    run(&mut designer, "everywhere.save-as").unwrap();
    let close = message(&mut designer, "close");
    assert!(
        close.starts_with("`close` is not available now: ") && close.contains("only the actions of `form`"),
        "{close}"
    );
}

/// Returns what the open dialog says, according to the state.
fn dialog(designer: &mut TestApp) -> Value {
    ask(designer, ControlCommand::State(false)).unwrap()["dialog"].clone()
}

#[test]
fn a_failed_save_open_or_export_is_in_the_state_until_its_dialog_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("there.toml"), "seed = 1\n").unwrap();
    std::fs::write(path("broken.toml"), "[[[").unwrap();
    let mut designer = keep();
    assert_eq!(dialog(&mut designer), Value::Null);
    for (name, times, file, context) in [
        ("everywhere.save-as", 1, "no/x.toml", "form"),
        ("everywhere.save-as", 1, "there.toml", "replacing"),
        ("everywhere.open", 1, "none.toml", "presets"),
        ("everywhere.open", 1, "broken.toml", "presets"),
        ("export.next-part", 2, "no/e.png", "export-path"),
    ] {
        if context == "export-path" {
            run(&mut designer, "everywhere.export").unwrap();
        }
        let args = ActionArgs {
            times: Some(times),
            ..typed(&path(file))
        };
        act(&mut designer, name, args).unwrap();
        designer.run_jobs();
        let state = ask(&mut designer, ControlCommand::State(false)).unwrap();
        assert_eq!(state["contexts"][0], context, "{name} {file}: {state}");
        let said = state["dialog"].as_str().unwrap_or_default();
        assert!(!said.is_empty(), "{name} {file}: {state}");
        if context == "replacing" {
            assert!(
                said.starts_with("Overwrite the file? ") && said.contains("exists already"),
                "{said}"
            );
        }
        run(&mut designer, &format!("{context}.cancel")).unwrap();
        assert_eq!(dialog(&mut designer), Value::Null, "{name} {file}");
    }
}

#[test]
fn the_designer_ends_only_when_the_saves_of_a_client_that_is_gone_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut designer = keep();
    designer.hold(&WRITING);
    let path = folder.path().join("x.toml");
    act(&mut designer, "everywhere.save-as", typed(&path.display().to_string())).unwrap();
    designer.send(Message::ClientGone);
    assert_eq!(designer.quit, None);
    designer.release(&WRITING);
    designer.run_jobs();
    assert_eq!(designer.quit, Some(HANG_UP));
    assert!(path.exists());
}

#[test]
fn the_exit_status_shows_that_the_last_save_or_export_of_a_client_that_is_gone_failed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // A save and an export into a folder that does not exist, and the same after success.
    for (names, status) in [
        (["no/x.toml", "e.png"], 1),
        (["x.toml", "no/e.png"], 1),
        (["y.toml", "f.png"], HANG_UP),
    ] {
        let mut designer = keep();
        act(&mut designer, "everywhere.save-as", typed(&path(names[0]))).unwrap();
        designer.run_jobs();
        if names[0].starts_with("no/") {
            run(&mut designer, "form.cancel").unwrap();
        }
        run(&mut designer, "everywhere.export").unwrap();
        let args = ActionArgs {
            times: Some(2),
            ..typed(&path(names[1]))
        };
        act(&mut designer, "export.next-part", args).unwrap();
        designer.send(Message::ClientGone);
        designer.run_jobs();
        assert_eq!(designer.quit, Some(status), "{names:?}");
        assert_eq!(
            folder.path().join(names[1]).exists(),
            !names[1].starts_with("no/"),
            "{names:?}"
        );
    }
}

#[test]
fn what_is_copied_is_in_the_answer() {
    let mut designer = keep();
    let done = run(&mut designer, "copy seed").unwrap();
    assert_eq!(done["copied"], designer.app.document().design().seed.to_string());
}

#[test]
fn a_request_whose_client_is_gone_is_forgotten() {
    let mut designer = keep();
    let ticket = Ticket::new();
    let (reply, answer) = ControlReply::new(ticket.clone());
    let command = ControlCommand::Grow(GrowArgs {
        seed: Some(1),
        change: Vec::new(),
    });
    designer.send(Message::Request(Box::new(ControlRequest { command, reply })));
    assert_eq!(designer.app.waiting.len(), 1);
    drop(answer);
    ticket.cancel();
    designer.want();
    assert!(designer.app.waiting.is_empty());
}
