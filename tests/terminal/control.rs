//! A designer on a terminal that a program drives through its socket while the user watches.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

use crate::harness::{LONGEST_WAIT, Session, argument, home};

/// Sends a request and returns the line of the answer.
fn ask(stream: &UnixStream, request: &str) -> String {
    let mut output = stream;
    writeln!(output, "{request}").unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    line
}

fn connect(path: &Path) -> UnixStream {
    let stream = UnixStream::connect(path).unwrap();
    stream.set_read_timeout(Some(LONGEST_WAIT)).unwrap();
    stream
}

#[test]
fn a_program_changes_the_design_while_the_user_watches_and_undoes() {
    let home = home();
    let path = home.path().join("d.sock");
    let mut session = Session::at_home(
        &home,
        40,
        120,
        &["serve", "--preset", "first-steps", "--socket", argument(&path)],
    );
    session.go_to_the_end();
    let stream = connect(&path);
    let answer = ask(&stream, r#"{"id": 1, "grow": {"seed": 4711}}"#);
    assert!(answer.contains(r#""seed":4711"#), "{answer}");
    session.wait_for_text("4711");
    session.press("u");
    session.wait_for("the old seed", |screen| screen.contents().contains("undone: seed"));
    let answer = ask(&stream, r#"{"id": 2, "get": "state"}"#);
    assert!(answer.contains(r#""undone":["seed:"#), "{answer}");
    // The help that the user opens keeps the program's actions away.
    session.press("?");
    session.wait_for_text("Esc close");
    let answer = ask(&stream, r#"{"id": 3, "action": "reroll"}"#);
    assert!(answer.contains("only the actions of `help`"), "{answer}");
    let answer = ask(&stream, r#"{"id": 4, "action": "help.close"}"#);
    assert!(answer.contains(r#""ran":"help.close""#), "{answer}");
    let answer = ask(&stream, r#"{"id": 5, "action": "suspend"}"#);
    assert!(answer.contains("would also stop this connection"), "{answer}");
    session.leave();
    assert!(!path.exists(), "the socket is removed");
}
