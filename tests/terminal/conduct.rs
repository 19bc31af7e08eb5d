//! The designer's behaviour with new users, terminals, the system and other programs; no work is lost.

use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::harness::{
    ALT_1, CTRL_U, DOWN, ENTER, ESC, F2, Session, argument, castle, home, is_grown, iteration, kept, marked, replace,
    set_step_length, text_of, turn, turns, wait_until,
};
use crate::readme::says;

#[test]
fn the_tour_starts_for_new_users_only() {
    says("F2 repeats the short tour that opens at the first start.");
    let home = home();
    let mark = home.path().join("state/wallcrawler/toured");
    std::fs::remove_file(&mark).unwrap();
    let mut session = Session::at_home(&home, 40, 120, &[]);
    session.wait_for_text("1 of 5: Watch");
    session.press_for(" ", "2 of 5");
    session.press_for(",", "3 of 5");
    set_step_length(&mut session, '7');
    session.wait_for_text("4 of 5");
    // An open square has no story, so the tour stays at this step.
    session.press_for("i", "at (30, 30)");
    session.wait_for_text("4 of 5");
    session.go_to_the_end();
    session.click(session.wall());
    session.wait_for_text("wall of generation 0");
    session.press_for("i", "5 of 5");
    session.wait_for_text("by Crawler #1");
    session.press_for("u", "end of the tour");
    wait_until("the file that records its completion", || mark.exists());
    session.press_for(F2, "1 of 5: Watch");
    session.press_away(ESC, "1 of 5: Watch");
    session.leave();
    let mut session = Session::at_home(&home, 40, 120, &[]);
    session.go_to_the_end();
    assert!(
        !session.screen().contents().contains("1 of 5: Watch"),
        "the tour is not shown twice"
    );
    session.leave();
}

#[test]
fn any_action_is_found_by_its_name() {
    says(
        ": opens the palette, which finds any action by its name and runs it. ? explains the focused pane and lists every key; / searches \
         that list.",
    );
    let mut session = Session::grown(40, 120, &[]);
    session.press_for(":", "type part of a name");
    session.press_for("no such action", "no such action");
    session.press_away(CTRL_U, "no such action");
    session.press_for("plots", "Go to the Plots view");
    session.press_for(ENTER, "births");
    session.press_for("?", "Living Builders, births, deaths by cause");
    session.press(DOWN);
    session.press_away(ESC, "Living Builders, births, deaths by cause");
    session.wait_for_text("Esc to the map");
    session.press_away(ESC, "Esc to the map");
    session.press_for("?", "Move the cursor up.");
    session.press_away("/", "Esc close");
    session.press_for("backup", "no key or action matches these words");
    session.press_away(CTRL_U, "no key or action");
    session.press_for("undo", "Undo the last edit");
    session.press_for(ESC, "Esc close");
    session.wait_for_text("Move the cursor up.");
    session.press_away(ESC, "Move the cursor up.");
    session.leave();
}

#[test]
fn any_window_size_works() {
    says("the designer still works at 40 × 12");
    let mut session = Session::start(24, 80);
    session.wait_for("growth", |screen| turn(screen) > Some(0));
    session.resize(12, 40);
    session.wait_for_text("? help");
    session.resize(8, 30);
    session.wait_for_text("at least 40");
    session.resize(1, 1);
    // The window is enlarged by dragging, which causes many resizes in quick succession.
    for rows in 2..60 {
        session.resize(rows, rows * 3);
    }
    session.resize(60, 200);
    session.wait_for_text("Builder, asleep");
    session.leave();
}

#[test]
fn signals_restore_the_terminal() {
    // Three signals have other numbers on macOS.
    use signal_hook::consts::{SIGSYS, SIGUSR1, SIGUSR2};

    let named = [
        ("TERM", 143),
        ("HUP", 129),
        ("INT", 130),
        ("QUIT", 131),
        ("ABRT", 134),
        ("USR1", 128 + SIGUSR1),
        ("USR2", 128 + SIGUSR2),
        ("ALRM", 142),
        ("VTALRM", 154),
        ("PROF", 155),
        ("XCPU", 152),
        ("SYS", 128 + SIGSYS),
        ("TRAP", 133),
    ];
    #[cfg(target_os = "linux")]
    let more = [("STKFLT", 144), ("PWR", 158), ("IO", 157), ("RTMIN", 162), ("64", 192)];
    #[cfg(not(target_os = "linux"))]
    let more = [];
    for (name, status) in named.into_iter().chain(more) {
        let signal = &format!("-{name}");
        let mut session = Session::start(24, 80);
        session.wait_for("growth", |screen| turn(screen) > Some(0));
        session.signal(signal);
        assert_eq!(session.wait_for_end().cast_signed(), status);
    }
}

#[test]
fn a_kill_or_crash_restores_the_terminal_and_keeps_unsaved_work() {
    // SIGSEGV and SIGBUS are left out: Rust handles the first such signal, and only the next one ends the process.
    for signal in ["-KILL", "-ILL", "-FPE"] {
        let home = home();
        // The shell leads the session and waits, as usual; it sets no terminal modes.
        let script = r#"before=$(stty -g); echo "$$" >shell; "$0" castle.toml
            until [ "$(stty -g)" = "$before" ]; do sleep 0.01; done; echo modes as before; read -r _"#;
        castle(&home);
        let mut session = Session::scripted(&home, 40, 120, script);
        set_step_length(&mut session, '7');
        wait_until("the autosave", || {
            kept(&home).iter().any(|text| text.contains("step_length = 7"))
        });
        let shell = text_of(&home.path().join("shell"));
        let kill = format!("kill {signal} $(pgrep -P {} -x wallcrawler)", shell.trim());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        session.wait_for_text("unsaved work is offered when it starts again");
        session.wait_for_text("modes as before");
        session.wait_for("the shell's screen", |screen| {
            !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste()
        });
    }
}

/// A limit below what the process already uses: its next allocation fails, and the program aborts.
#[cfg(target_os = "linux")]
#[test]
fn running_out_of_memory_restores_the_terminal_and_keeps_unsaved_work() {
    let home = home();
    let path = castle(&home);
    let text = text_of(&path);
    let large = text
        .replace("dim_x = 60\n", "dim_x = 6000\n")
        .replace("dim_y = 60\n", "dim_y = 6000\n");
    assert_ne!(large, text);
    std::fs::write(&path, large).unwrap();
    let script = r#"before=$(stty -g); echo "$$" >shell; "$0" castle.toml; echo "status $?"
        until [ "$(stty -g)" = "$before" ]; do sleep 0.01; done; echo modes as before; read -r _"#;
    let mut session = Session::scripted(&home, 40, 120, script);
    set_step_length(&mut session, '7');
    wait_until("the autosave", || {
        kept(&home).iter().any(|text| text.contains("step_length = 7"))
    });
    let shell = text_of(&home.path().join("shell"));
    let limit = format!(
        "prlimit --as=50000000 --pid $(pgrep -P {} -x wallcrawler)",
        shell.trim()
    );
    assert!(Command::new("sh").args(["-c", &limit]).status().unwrap().success());
    // Another seed allocates another grid.
    session.press_away(ESC, "Esc to the map");
    session.press("R");
    session.wait_for_text("unsaved work is offered when it starts again");
    session.wait_for_text("modes as before");
    assert!(!session.screen().alternate_screen() && !session.screen().hide_cursor());
    assert!(kept(&home).iter().any(|text| text.contains("step_length = 7")));
}

/// Returns how often a sequence is in the output.
fn count(output: &[u8], sequence: &[u8]) -> usize {
    output
        .windows(sequence.len())
        .filter(|window| *window == sequence)
        .count()
}

/// Waits until the program has asked the terminal about its features, and returns the program's output so far.
fn asked(session: &mut Session) -> Vec<u8> {
    let mut output = Vec::new();
    while count(&output, b"\x1b[c") == 0 {
        output.extend(session.drain());
        thread::sleep(Duration::from_millis(1));
    }
    output
}

#[test]
pub(crate) fn the_terminal_is_asked_once_and_gets_whole_frames() {
    says("If it reports its background colour, the designer chooses colours that suit a dark or a light background.");
    let mut session = Session::start(24, 80);
    let mut output = asked(&mut session);
    // The terminal reports a light background and kitty's keyboard protocol; the user types a key meanwhile.
    session.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\:\x1b[?0u\x1b[?62c");
    session.wait_for_text("type part of a name");
    session.press_away("\x1b[27u", "type part of a name");
    // A second answer comes too late. None of its characters may act as a key.
    session.press("\x1b]11;rgb:0000/0000/0000\x1b\\");
    session.press_for(":", "type part of a name");
    session.press_for("copy seed", "Copy the seed");
    session.press_for(ENTER, "the seed is copied");
    session.press("q");
    session.wait_for_end();
    output.extend(session.drain());
    for once in [&b"\x1b]11;?\x1b\\"[..], b"\x1b[?u", b"\x1b[c", b"\x1b[>1u", b"\x1b[<1u"] {
        assert_eq!(count(&output, once), 1, "{:?}", String::from_utf8_lossy(once));
    }
    // 38 in base64.
    assert_eq!(count(&output, b"\x1b]52;c;Mzg=\x1b\\"), 1);
    let (begun, ended) = (count(&output, b"\x1b[?2026h"), count(&output, b"\x1b[?2026l"));
    assert!(
        begun > 3 && ended == begun + 1,
        "{begun} {ended}: one more restores the terminal"
    );
}

#[test]
fn suspending_keeps_unsaved_work_and_continuing_redraws() {
    let home = home();
    let path = castle(&home);
    let mut session = Session::at_home(&home, 24, 80, &[argument(&path)]);
    session.go_to_the_end();
    set_step_length(&mut session, '7');
    session.press(":");
    session.press_for("suspend", "Suspend the program");
    session.press(ENTER);
    session.wait_for("the shell's screen", |screen| !screen.alternate_screen());
    // The screen is restored before the process stops; only then may it be continued.
    wait_until("its stop", || session.is_stopped());
    assert!(
        kept(&home)[0].contains("step_length = 7"),
        "no process may ever continue it"
    );
    session.signal("-CONT");
    session.wait_for("the designer", |screen| screen.alternate_screen() && is_grown(screen));
    session.wait_for_text("castle.toml ●");
    session.press_for("u", "undone");
    session.leave();
}

#[test]
fn suspending_stops_the_script_that_started_the_designer_too() {
    let home = home();
    castle(&home);
    let mut session = Session::scripted(&home, 24, 80, r#""$0" castle.toml; exit "$?""#);
    session.go_to_the_end();
    session.press(":");
    session.press_for("suspend", "Suspend the program");
    session.press(ENTER);
    session.wait_for("the shell's screen", |screen| !screen.alternate_screen());
    wait_until("the stop of the script", || session.is_stopped());
    session.signal_group("-CONT");
    session.wait_for("the designer", |screen| screen.alternate_screen() && is_grown(screen));
    session.leave();
}

#[test]
fn the_preview_of_an_export_fits_a_window_that_was_resized_during_a_stop() {
    let home = home();
    let mut session = Session::at_home(&home, 24, 120, &[argument(&castle(&home))]);
    session.go_to_the_end();
    session.press_for("P", "A picture.");
    session.press_for("\x1b[H", "One character per square.");
    let rows = |screen: &vt100::Screen| screen.contents().lines().filter(|row| row.contains("X..")).count();
    session.wait_for("the preview", |screen| rows(screen) > 3);
    let before = rows(session.screen());
    session.signal("-TSTP");
    session.wait_for("the shell's screen", |screen| !screen.alternate_screen());
    wait_until("its stop", || session.is_stopped());
    session.resize(50, 120);
    session.signal("-CONT");
    session.wait_for("a larger preview", |screen| rows(screen) > before + 10);
    session.press_away(ESC, "Text and data");
    session.leave();
}

#[test]
fn without_a_terminal_there_is_an_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_wallcrawler")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().contains("needs a terminal"));
}

#[test]
fn a_drag_continues_when_the_file_is_reloaded() {
    let home = home();
    let path = castle(&home);
    let mut session = Session::at_home(&home, 40, 120, &[argument(&path)]);
    session.go_to_the_end();
    session.push_down(session.bar(50));
    session.wait_for("a turn in the middle", |screen| turn(screen) < turns(screen));
    let middle = iteration(session.screen());
    replace(&path, &marked(9));
    session.wait_for_text("changed on disk; the dungeon was grown again");
    session.wait_for("the position of before", |screen| {
        is_grown(screen) && iteration(screen) == middle
    });
    session.drag_to(session.bar(2));
    session.wait_for("the drag to continue", |screen| turn(screen) == Some(0));
    session.let_go(session.bar(2));
    session.leave();
}

#[test]
fn pasted_text_goes_only_into_text_fields() {
    let mut session = Session::grown(40, 120, &[]);
    let turns_before = turns(session.screen());
    // Read as keys, these would quit, reroll and draw. A flood of them must not block it either.
    for _ in 0..40 {
        session.paste("qRd\nqRd\n");
    }
    session.press_for("S", "one TOML file with everything");
    session.press(CTRL_U);
    session.paste("from-elsewhere\n.toml");
    session.wait_for_text("from-elsewhere");
    session.press_away(ESC, "one TOML file with everything");
    assert_eq!(turns(session.screen()), turns_before);
    session.press_for(ALT_1, "Enter edit");
    session.press_for("1", "Enter accept");
    session.paste("2");
    session.press_for(ENTER, "6 → 12");
    session.leave_it_unsaved();
}

#[test]
fn unsaved_work_of_a_killed_designer_is_offered_recovered_and_saved() {
    says(
        "Unsaved work is stored separately from your files (under $XDG_STATE_HOME, or ~/.local/state if that is not \
         set). If the designer crashed or was killed, or if its terminal was closed, the next start offers to \
         restore the unsaved work.",
    );
    let home = home();
    let path = castle(&home);
    let mut session = Session::at_home(&home, 40, 120, &[argument(&path)]);
    set_step_length(&mut session, '7');
    wait_until("the autosave", || {
        kept(&home).iter().any(|text| text.contains("step_length = 7"))
    });
    // A second designer that runs at the same time is not offered the work of the first.
    let mut other = Session::at_home(&home, 24, 80, &[]);
    other.wait_for("growth", |screen| turn(screen) > Some(0));
    other.leave();
    session.kill();
    assert!(text_of(&path).contains("step_length = 4"));

    // It is killed again before the user decides, and after.
    let mut session = Session::at_home(&home, 40, 120, &[]);
    session.wait_for_text("Recover unsaved work");
    session.wait_for_text("castle.toml");
    session.kill();
    let mut session = Session::at_home(&home, 40, 120, &[]);
    session.wait_for_text("Recover unsaved work");
    session.press_for("r", "castle.toml recovered");
    session.kill();

    let mut session = Session::at_home(&home, 40, 120, &[argument(&path)]);
    session.wait_for_text("Recover unsaved work");
    session.press_for(ENTER, "castle.toml ●");
    session.press_for("\x13", "saved: castle.toml");
    assert!(text_of(&path).contains("step_length = 7"));
    session.leave();
    let rest = std::fs::read_dir(home.path().join("state/wallcrawler/autosave")).unwrap();
    assert_eq!(rest.count(), 0, "an orderly end leaves nothing");
}

#[test]
fn a_signal_keeps_unsaved_work_and_reports_where() {
    for (signal, status) in [("-TERM", 143), ("-HUP", 129)] {
        let home = home();
        let path = castle(&home);
        let mut session = Session::at_home(&home, 40, 120, &[argument(&path)]);
        set_step_length(&mut session, '8');
        session.signal(signal);
        session.wait_for_text("unsaved work is saved in");
        assert_eq!(session.wait_for_end(), status);
        assert!(kept(&home)[0].contains("step_length = 8"));
        let mut session = Session::at_home(&home, 40, 120, &[argument(&path)]);
        session.wait_for_text("Recover unsaved work");
        session.press_for("D", "Press the key once more");
        session.press_for("D", "discarded");
        session.leave();
        assert_eq!(kept(&home), [""; 0]);
    }
}

/// Only the leader of a session is notified that its terminal is gone; this one ignores the notification.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_that_disappears_ends_the_designer_and_keeps_unsaved_work() {
    let home = home();
    castle(&home);
    let script = r#"trap "" HUP; "$0" castle.toml; echo "$?" >ended"#;
    let mut session = Session::scripted(&home, 40, 120, script);
    set_step_length(&mut session, '8');
    session.hang_up();
    let ended = home.path().join("ended");
    wait_until("its end", || text_of(&ended).ends_with('\n'));
    // The designer ends because of the signal or because drawing fails, whichever comes first.
    let status = text_of(&ended);
    assert!(["129\n", "1\n"].contains(&&*status), "{status}");
    assert!(kept(&home)[0].contains("step_length = 8"));
}

#[test]
fn a_resize_during_the_start_is_noticed() {
    // The program first reads the size, and is notified of changes only from a later moment on. The time in between is
    // short.
    for _ in 0..12 {
        let mut session = Session::start(24, 80);
        session.wait_for("the designer", vt100::Screen::alternate_screen);
        session.resize(40, 120);
        session.go_to_the_end();
        // Press the mouse where the timeline is in the larger window.
        session.push_down(session.bar(100));
        session.wait_for("a turn in the middle", |screen| turn(screen) < turns(screen));
        session.let_go(session.bar(100));
        session.leave();
    }
}

#[test]
fn quitting_without_saving_leaves_nothing_behind() {
    let home = home();
    let mut session = Session::at_home(&home, 40, 120, &[argument(&castle(&home))]);
    set_step_length(&mut session, '8');
    wait_until("the autosave", || !kept(&home).is_empty());
    session.leave_it_unsaved();
    assert_eq!(kept(&home), [""; 0]);
}

#[test]
fn a_terminal_that_blocks_output_does_not_prevent_quitting() {
    let home = home();
    let mut session = Session::at_home(&home, 60, 200, &[argument(&castle(&home))]);
    set_step_length(&mut session, '8');
    session.press_away(ESC, "Esc to the map");
    let gate = Arc::clone(&session.reading);
    let closed = gate.lock().unwrap();
    // From here on nothing reads its output, and the keys make it write whole screens.
    for _ in 0..40 {
        session.press("m");
        thread::sleep(Duration::from_millis(5));
    }
    session.signal("-TERM");
    let status = session.wait_for_exit();
    drop(closed);
    assert_eq!(status, 143);
    assert!(kept(&home)[0].contains("step_length = 8"));
}

#[test]
fn after_an_external_stop_the_designer_takes_over_the_terminal_again() {
    let mut session = Session::grown(24, 80, &[]);
    session.signal("-STOP");
    wait_until("its stop", || session.is_stopped());
    // Another program wrote on the terminal meanwhile and left the alternate screen.
    session.scribble("\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006lsomething else");
    assert!(!session.screen().alternate_screen());
    session.signal("-CONT");
    session.wait_for("the designer", |screen| {
        screen.alternate_screen() && screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None
    });
    session.wait_for("its picture", is_grown);
    session.leave();
}
