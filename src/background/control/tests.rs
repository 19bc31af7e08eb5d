use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::thread::JoinHandle;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::design::ValidDesign;
use crate::export::{ExportKind, ExportOptions};
use crate::presets::Preset;

/// An event loop, its socket, and the folder with the socket. The event loop answers every request except those that
/// wait for growth.
struct Loop {
    socket: Option<ControlSocket>,
    thread: Option<JoinHandle<usize>>,
    sender: std::sync::mpsc::SyncSender<Message<()>>,
    path: PathBuf,
    _folder: TempDir,
}

impl Loop {
    /// Starts an event loop whose answers contain a string of `bytes` bytes.
    fn new(bytes: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("d.sock");
        let inbox = Inbox::<()>::new();
        let sender = inbox.sender();
        let socket = ControlSocket::open(&path, &ControlSender::new(&inbox)).unwrap();
        let thread = std::thread::spawn(move || {
            let mut waiting = Vec::new();
            let mut answered = 0;
            while let Some(message) = inbox.wait(None) {
                match message {
                    Message::Request(request) if request.command == ControlCommand::State(true) => {
                        waiting.push(request);
                    }
                    Message::Request(request) => {
                        request.reply.send(Ok(ControlAnswer::Ready("x".repeat(bytes).into())));
                        answered += 1;
                    }
                    _ => break,
                }
            }
            answered
        });
        Self {
            socket: Some(socket),
            thread: Some(thread),
            sender,
            path,
            _folder: folder,
        }
    }

    fn client(&self) -> Client {
        Client::new(UnixStream::connect(&self.path).unwrap())
    }

    /// Ends the event loop and returns the number of requests that it answered.
    fn end(mut self) -> usize {
        self.socket = None;
        self.sender.send(Message::Stop).unwrap();
        self.thread.take().unwrap().join().unwrap()
    }
}

struct Client {
    output: UnixStream,
    input: BufReader<UnixStream>,
}

impl Client {
    fn new(output: UnixStream) -> Self {
        // Only a failing test waits this long.
        output.set_read_timeout(Some(Duration::from_mins(4))).unwrap();
        let input = BufReader::new(output.try_clone().unwrap());
        Self { output, input }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.output.write_all(bytes).unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.input.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_default()
    }

    fn ask(&mut self, line: &str) -> Value {
        self.write(line.as_bytes());
        self.write(b"\n");
        self.read()
    }
}

const STATE: &str = r#"{"id": 1, "get": "state"}"#;

#[test]
fn garbage_is_answered_with_advice_and_the_next_line_as_ever() {
    let designer = Loop::new(3);
    let mut client = designer.client();
    let huge = format!("{{\"id\": 5, \"action\": \"{}\"}}", "x".repeat(200_000));
    let nested = "[".repeat(50_000);
    for garbage in [
        "hello",
        "{",
        "[]",
        "7",
        "null",
        "\u{0}\u{1b}[31m",
        "{}",
        r#"{"get": 7}"#,
        r#"{"get": "nothing"}"#,
        r#"{"action": "undo", "get": "state"}"#,
        r#"{"action": "undo", "args": {"what": 1}}"#,
        r#"{"action": "undo", "args": 7}"#,
        r#"{"get": "dungeon", "args": {"format": "exe"}}"#,
        r#"{"get": "picture", "args": {"by": "taste"}}"#,
        r#"{"get": "metrics", "args": {"turn": -1}}"#,
        r#"{"why": {"row": 1}}"#,
        r#"{"why": {"row": 1e99, "column": 2}}"#,
        r#"{"grow": {"seed": -1}}"#,
        r#"{"grow": {"change": "MaxAge -> 3"}}"#,
        &huge,
        &nested,
    ] {
        let answer = client.ask(garbage);
        let shown = &garbage[..garbage.len().min(40)];
        assert!(
            !answer["error"]["message"].as_str().unwrap_or_default().is_empty(),
            "{shown}: {answer}"
        );
        assert!(
            !answer["error"]["help"].as_str().unwrap_or_default().is_empty(),
            "{shown}: {answer}"
        );
        assert_eq!(client.ask(STATE), json!({"id": 1, "ok": "xxx"}));
    }
    client.write(&[0xff, 0xfe, b'\n']);
    assert!(client.read()["error"].is_object());
    assert_eq!(designer.end(), 21);
}

#[test]
fn the_identification_of_a_request_comes_back_even_with_an_error() {
    let designer = Loop::new(1);
    let mut client = designer.client();
    assert_eq!(
        client.ask(r#"{"id": {"a": [1]}, "get": "state"}"#)["id"],
        json!({"a": [1]})
    );
    assert_eq!(client.ask(r#"{"id": "b", "unknown": 1}"#)["id"], "b");
    assert_eq!(client.ask(r#"{"get": "state"}"#)["id"], Value::Null);
}

#[test]
fn the_error_of_a_member_names_it() {
    let designer = Loop::new(1);
    let mut client = designer.client();
    for (request, why) in [
        (r#"{"why": {"row": "3", "column": 4}}"#, "invalid `why`: "),
        (r#"{"why": 7}"#, "invalid `why`: "),
        (r#"{"grow": {"change": "MaxAge -> 3"}}"#, "invalid `grow`: "),
        (r#"{"action": 5}"#, "invalid `action`: "),
        (r#"{"get": ["state"]}"#, "invalid `get`: "),
        (r#"{"get": "state", "args": 7}"#, "invalid `args`: "),
        (r#"{"get": "state", "timeout": -1}"#, "invalid `timeout`: "),
        (r#"{"get": "state", "args": {"wait": 1}}"#, "invalid arguments: "),
        (
            r#"{"get": "state", "unknown": 1}"#,
            "cannot read the request: unknown field",
        ),
    ] {
        let error = &client.ask(request)["error"];
        let (message, help) = (error["message"].as_str().unwrap(), error["help"].as_str().unwrap());
        assert!(message.starts_with(why), "{request}: {message}");
        assert!(help.contains("agents.md"), "{request}: {help}");
    }
}

#[test]
fn half_a_line_waits_for_its_rest_and_the_end_of_the_stream_ends_it() {
    let designer = Loop::new(1);
    let mut client = designer.client();
    for part in STATE.as_bytes().chunks(3) {
        client.write(part);
    }
    client.write(b"\n\n  \r\n");
    assert_eq!(client.read()["ok"], "x");
    client.write(STATE.as_bytes());
    client.output.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(client.read()["ok"], "x");
    assert_eq!(client.read(), Value::Null, "the designer hangs up");
}

#[test]
fn a_client_that_never_reads_delays_no_other() {
    let designer = Loop::new(1 << 20);
    let mut deaf = designer.client();
    // The answers exceed the buffers of any socket.
    for _ in 0..50 {
        deaf.write(format!("{STATE}\n").as_bytes());
    }
    let mut other = designer.client();
    for _ in 0..10 {
        assert_eq!(other.ask(STATE)["ok"].as_str().map(str::len), Some(1 << 20));
    }
    drop(deaf);
    let answered = designer.end();
    assert!((10..60).contains(&answered), "{answered}");
}

#[test]
fn one_client_too_many_is_refused_and_may_come_back() {
    let designer = Loop::new(1);
    let mut clients: Vec<Client> = (0..16).map(|_| designer.client()).collect();
    for client in &mut clients {
        assert_eq!(client.ask(STATE)["ok"], "x");
    }
    let mut extra = designer.client();
    assert!(
        extra.read()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("16 clients")
    );
    assert_eq!(extra.read(), Value::Null);
    drop(clients.pop());
    loop {
        let mut client = designer.client();
        // The thread of the disconnected client may not have noticed yet that it is gone.
        if client.output.write_all(format!("{STATE}\n").as_bytes()).is_ok() && client.read()["ok"] == "x" {
            break;
        }
    }
}

#[test]
fn a_waiting_client_gets_the_timeout_and_the_end_as_errors() {
    let mut designer = Loop::new(1);
    let mut client = designer.client();
    let answer = client.ask(r#"{"get": "state", "args": {"wait": true}, "timeout": 0}"#);
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("not ready"),
        "{answer}"
    );
    client.write(b"{\"id\": 2, \"get\": \"state\", \"args\": {\"wait\": true}}\n");
    // Once a later request of another client has been answered, the event loop must have received this request.
    assert_eq!(designer.client().ask(STATE)["ok"], "x");
    designer.socket = None;
    let answer = client.read();
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("has ended"),
        "{answer}"
    );
    designer.end();
}

#[test]
fn a_picture_that_takes_longer_than_the_timeout_is_an_error() {
    let design = Preset::find("first-steps").unwrap().design();
    let query = DungeonQuery {
        design: ValidDesign::try_from(&design).unwrap(),
        recorded: None,
        turn: None,
        content: DungeonContent::File(ExportKind::Gif),
        options: ExportOptions {
            scale: Some(100),
            ..ExportOptions::default()
        },
    };
    let sender = ControlSender {
        send: Arc::new(move |request| {
            request.reply.send(Ok(ControlAnswer::Query(Box::new(query.clone()))));
            true
        }),
        end: Ticket::new(),
    };
    let answer = sender.client().answer(br#"{"get": "picture", "timeout": 0}"#);
    assert!(answer.contains("the answer is not ready after 0 seconds"), "{answer}");
}

#[test]
fn only_the_scales_of_exports_are_accepted() {
    let designer = Loop::new(1);
    let mut client = designer.client();
    for (scale, is_valid) in [(0, false), (1, true), (4096, true), (4097, false), (100_000, false)] {
        for request in [
            json!({"get": "dungeon", "args": {"format": "svg", "scale": scale}}),
            json!({"get": "picture", "args": {"scale": scale}}),
        ] {
            let answer = client.ask(&request.to_string());
            if is_valid {
                assert_eq!(answer["ok"], "x", "{request}");
            } else {
                assert_eq!(answer["error"]["message"], format!("`scale` is {scale}"));
                assert_eq!(answer["error"]["help"], "use a number of pixels from 1 to 4,096");
            }
        }
    }
}

#[test]
fn arguments_without_an_effect_are_rejected() {
    let designer = Loop::new(1);
    let mut client = designer.client();
    for (what, args, why) in [
        ("metrics", json!({"scale": 3}), "unknown field `scale`"),
        ("metrics", json!({"format": "csv"}), "unknown field `format`"),
        ("picture", json!({"format": "text"}), "unknown field `format`"),
        ("dungeon", json!({"scale": 3}), "`scale` has no effect on text"),
        (
            "dungeon",
            json!({"format": "csv", "by": "age"}),
            "`by` has no effect on csv",
        ),
        (
            "dungeon",
            json!({"format": "pdf", "scale": 3}),
            "`scale` has no effect on pdf",
        ),
        (
            "dungeon",
            json!({"format": "json", "legend": true}),
            "`legend` has no effect on json",
        ),
        (
            "dungeon",
            json!({"format": "recording", "turn": 3}),
            "`turn` has no effect on a recording",
        ),
    ] {
        let answer = client.ask(&json!({"get": what, "args": args}).to_string());
        assert!(
            answer["error"]["message"].as_str().unwrap().contains(why),
            "{what} {args}: {answer}"
        );
    }
    for request in [
        r#"{"get": "metrics", "args": {"turn": 3}}"#,
        r#"{"get": "picture", "args": {"turn": "shown", "scale": 3, "by": "age", "legend": true}}"#,
        r#"{"get": "dungeon", "args": {"format": "gif", "scale": 3, "by": "age", "legend": true}}"#,
    ] {
        assert_eq!(client.ask(request)["ok"], "x", "{request}");
    }
}

#[test]
fn only_this_user_can_use_the_socket_and_it_is_removed_at_the_end() {
    let designer = Loop::new(1);
    let found = std::fs::symlink_metadata(&designer.path).unwrap();
    assert!(found.file_type().is_socket());
    assert_eq!(found.permissions().mode() & 0o777, 0o600);
    let folder = designer.path.parent().unwrap().to_owned();
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "nothing else is left beside it"
    );
    let mut designer = designer;
    designer.socket = None;
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_stale_socket_is_replaced_and_nothing_else_is() {
    let folder = tempfile::tempdir().unwrap();
    let inbox = Inbox::<()>::new();
    let sender = ControlSender::new(&inbox);
    let open = |path: &PathBuf| ControlSocket::open(path, &sender).map_err(|error| error.to_string());
    let path = folder.path().join("a");
    drop(UnixListener::bind(&path).unwrap());
    assert!(path.exists(), "a socket without a listener");
    let first = open(&path).unwrap();
    let second = open(&path).err().unwrap();
    assert!(second.contains("another program is listening"), "{second}");
    // A socket or a file that another program has put in place of the socket is kept, and gets no connection.
    std::fs::remove_file(&path).unwrap();
    let other = UnixListener::bind(&path).unwrap();
    other.set_nonblocking(true).unwrap();
    drop(first);
    let connected = other.accept().err().map(|error| error.kind());
    assert_eq!(connected, Some(std::io::ErrorKind::WouldBlock));
    std::fs::remove_file(&path).unwrap();
    let first = open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, "mine").unwrap();
    drop(first);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    let file = open(&path).err().unwrap();
    assert!(file.contains("not a socket"), "{file}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path().join("nowhere"), &link).unwrap();
    assert!(open(&link).err().unwrap().contains("not a socket"));
    let missing = open(&folder.path().join("no/folder")).err().unwrap();
    assert!(
        missing.contains("no; create it first") && !missing.contains(".wc"),
        "{missing}"
    );
    assert!(open(&folder.path().to_owned()).err().unwrap().contains("not a socket"));
    let long = folder.path().join("x".repeat(120));
    let long = open(&long).err().unwrap();
    assert!(long.contains("too long"), "{long}");
}
