//! The designer as programs drive it: the control socket without a terminal, and the Model Context Protocol.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use wallcrawler::Maze;
use wallcrawler::presets::Preset;

/// Timeout for the program. Only a failing test waits this long.
const TIMEOUT: Duration = Duration::from_mins(4);

/// Returns the program with settings and state in a folder.
fn program(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wallcrawler"));
    command
        .current_dir(home)
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_STATE_HOME", home.join("state"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A designer without a terminal.
struct Designer {
    child: Child,
    path: PathBuf,
    home: TempDir,
}

impl Drop for Designer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Designer {
    fn start(args: &[&str]) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("d.sock");
        let mut command = program(home.path());
        command.args(["serve", "--headless", "--socket", "d.sock"]).args(args);
        let child = command.spawn().expect("the program runs");
        Self { child, path, home }
    }

    /// Connects once the socket is open.
    fn connect(&mut self) -> Client {
        let begun = std::time::Instant::now();
        loop {
            if let Ok(stream) = UnixStream::connect(&self.path) {
                stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
                let input = BufReader::new(stream.try_clone().expect("a socket"));
                return Client { output: stream, input };
            }
            assert!(self.child.try_wait().expect("a child").is_none(), "the designer ended");
            assert!(begun.elapsed() < TIMEOUT, "no socket");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end, and returns the exit status.
    fn ended(&mut self) -> Option<i32> {
        self.child.wait().expect("a child").code()
    }
}

struct Client {
    output: UnixStream,
    input: BufReader<UnixStream>,
}

impl Client {
    fn send(&mut self, request: &Value) -> Value {
        writeln!(self.output, "{request}").expect("sent");
        let mut line = String::new();
        self.input.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Returns the result of a request that succeeds.
    #[expect(clippy::needless_pass_by_value, reason = "JSON that a call makes on the spot")]
    fn ask(&mut self, request: Value) -> Value {
        let answer = self.send(&request);
        assert!(answer.get("error").is_none(), "{request}: {answer}");
        answer["ok"].clone()
    }
}

/// Returns what the library grows, one character per square.
fn grown(preset: &str, seed: u64) -> String {
    let design = Preset::find(preset).expect("a preset").design();
    let maze = Maze::grow(&design, seed).expect("a maze");
    let (size, open) = (design.layout.size, |x, y| {
        maze.tiles().any(|(at, tile)| (at.x, at.y) == (x, y) && tile.is_open())
    });
    let mut text = String::new();
    for x in 0..size.x {
        text.extend((0..size.y).map(|y| if open(x, y) { '.' } else { 'X' }));
        text.push('\n');
    }
    text
}

/// Returns a dungeon's text with every open square as `.` and every other one as `X`.
fn plain(text: &str) -> String {
    let plain = |c| match c {
        '\n' => '\n',
        '.' | 'o' | ' ' => '.',
        _ => 'X',
    };
    text.chars().map(plain).collect()
}

#[test]
fn a_designer_without_a_terminal_is_driven_and_ends_on_request() {
    let mut designer = Designer::start(&["--preset", "first-steps"]);
    let mut client = designer.connect();
    let state = client.ask(json!({"get": "state", "args": {"wait": true}}));
    assert_eq!(state["growth"]["grown"], true, "{state}");
    assert_eq!(state["growth"]["turn"], state["growth"]["turns"], "the end is shown");
    assert_eq!(state["design"]["unsaved"], false);
    let dungeon = client.ask(json!({"get": "dungeon"}));
    let seed = state["design"]["seed"].as_u64().expect("a seed");
    assert_eq!(
        plain(dungeon["text"].as_str().expect("text")),
        grown("first-steps", seed)
    );
    let state = client.ask(json!({"grow": {"seed": 7}}));
    assert_eq!(state["design"]["seed"], 7);
    let dungeon = client.ask(json!({"get": "dungeon"}));
    assert_eq!(plain(dungeon["text"].as_str().expect("text")), grown("first-steps", 7));
    let screen = client.ask(json!({"get": "screen"}));
    let lines = screen["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 40);
    assert!(
        lines[0].as_str().expect("a line").contains("Crawler") || screen.to_string().contains("Stats"),
        "{screen}"
    );
    // The changed design is unsaved, so quitting asks for confirmation.
    let asked = client.ask(json!({"action": "everywhere.quit"}));
    assert_eq!(asked["state"]["contexts"][0], "leaving", "{asked}");
    client.ask(json!({"action": "leaving.stay"}));
    client.ask(json!({"action": "undo"}));
    client.ask(json!({"action": "quit"}));
    assert_eq!(designer.ended(), Some(0));
    assert!(!designer.path.exists(), "the socket is removed");
}

#[test]
fn work_that_a_signal_interrupts_is_kept_and_the_socket_removed() {
    let mut designer = Designer::start(&["--preset", "first-steps"]);
    let mut client = designer.connect();
    client.ask(json!({"grow": {"seed": 7}}));
    let pid = designer.child.id().to_string();
    assert!(Command::new("kill").arg(&pid).status().expect("kill").success());
    assert_eq!(designer.ended(), Some(128 + 15));
    assert!(!designer.path.exists());
    let kept = designer.home.path().join("state/wallcrawler/autosave");
    assert!(std::fs::read_dir(&kept).expect("a folder").count() > 0);
}

#[test]
fn a_killed_designer_leaves_a_socket_that_the_next_one_replaces() {
    let mut designer = Designer::start(&[]);
    designer.connect();
    designer.child.kill().expect("a child");
    designer.ended();
    assert!(designer.path.exists());
    let serve = |designer: &Designer| {
        let mut command = program(designer.home.path());
        command.args(["serve", "--headless", "--socket", "d.sock"]);
        command.spawn().expect("the program runs")
    };
    designer.child = serve(&designer);
    designer.connect();
    let second = serve(&designer).wait_with_output().expect("the program ends");
    assert_eq!(second.status.code(), Some(2));
    let message = String::from_utf8_lossy(&second.stderr);
    assert!(message.contains("another program is listening there"), "{message}");
    designer.connect();
}

#[test]
fn a_short_relative_path_of_a_socket_works_in_a_folder_with_a_long_path() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("x".repeat(120));
    std::fs::create_dir(&folder).expect("a folder");
    std::os::unix::fs::symlink(&folder, home.path().join("link")).expect("a link");
    let mut command = program(home.path());
    command.current_dir(&folder);
    command.args(["serve", "--headless", "--socket", "d.sock"]);
    let mut designer = Designer {
        child: command.spawn().expect("the program runs"),
        path: home.path().join("link/d.sock"),
        home,
    };
    let state = designer.connect().ask(json!({"get": "state"}));
    assert!(state["design"].is_object(), "{state}");
}

#[test]
fn a_file_in_place_of_the_socket_is_left_alone() {
    let home = tempfile::tempdir().expect("a folder");
    std::fs::write(home.path().join("castle.toml"), "seed = 1\n").expect("written");
    let mut command = program(home.path());
    command.args(["serve", "--headless", "--socket", "castle.toml"]);
    let ended = command.output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(2));
    let message = String::from_utf8_lossy(&ended.stderr);
    assert!(message.contains("not a socket; choose another path"), "{message}");
    assert_eq!(
        std::fs::read_to_string(home.path().join("castle.toml")).expect("read"),
        "seed = 1\n"
    );
    // Without --headless it needs a terminal, as the designer does.
    let mut command = program(home.path());
    command.args(["serve", "--socket", "d.sock"]);
    let ended = command.output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("needs a terminal"));
}

/// An agent that speaks the Model Context Protocol.
struct Agent {
    child: Child,
    input: Option<std::process::ChildStdin>,
    output: BufReader<std::process::ChildStdout>,
    id: u64,
}

impl Agent {
    fn start(home: &Path, args: &[&str]) -> Self {
        let mut command = program(home);
        command.arg("mcp").args(args).stdin(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut agent = Self {
            input: child.stdin.take(),
            child,
            output,
            id: 0,
        };
        let hello = agent.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}}),
        );
        assert_eq!(hello["protocolVersion"], "2025-06-18");
        agent
    }

    #[expect(clippy::needless_pass_by_value, reason = "JSON that a call makes on the spot")]
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params});
        let input = self.input.as_mut().expect("an open input");
        writeln!(input, "{request}").expect("sent");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(answer["id"], self.id, "{answer}");
        answer["result"].clone()
    }

    /// Calls a tool and returns its content.
    #[expect(clippy::needless_pass_by_value, reason = "JSON that a call makes on the spot")]
    fn call(&mut self, name: &str, arguments: Value) -> Vec<Value> {
        let result = self.ask("tools/call", json!({"name": name, "arguments": arguments}));
        assert_eq!(result["isError"], false, "{result}");
        result["content"].as_array().expect("content").clone()
    }

    /// Calls a tool and returns the JSON of its text.
    fn json(&mut self, name: &str, arguments: Value) -> Value {
        let content = self.call(name, arguments);
        let text = content.last().expect("content")["text"]
            .as_str()
            .expect("text")
            .to_owned();
        serde_json::from_str(&text).expect("JSON")
    }
}

#[test]
fn an_agent_grows_measures_explains_and_undoes() {
    let home = tempfile::tempdir().expect("a folder");
    let mut agent = Agent::start(home.path(), &["--preset", "first-steps", "--seed", "5"]);
    let tools = agent.ask("tools/list", json!({}));
    assert!(
        tools["tools"].as_array().is_some_and(|tools| tools.len() > 8),
        "{tools}"
    );
    let before = agent.json("metrics", json!({}));
    let state = agent.json("grow", json!({"change": ["CorridorWidth -> 4 in 1"]}));
    assert_eq!(state["history"]["done"][0], "CorridorWidth -> 4 in 1", "{state}");
    let after = agent.json("metrics", json!({}));
    assert_ne!(before["metrics"], after["metrics"]);
    agent.json("undo", json!({}));
    assert_eq!(agent.json("metrics", json!({})), before);
    // The same wall as in the guide's page why.md.
    let why = agent.json("why", json!({"row": 9, "column": 31}));
    let text = why["lines"].to_string();
    assert!(text.contains("#13") && text.contains("CorridorWidth"), "{text}");
    let picture = agent.call("picture", json!({"scale": 3}));
    assert_eq!(picture[0]["mimeType"], "image/png");
    let bytes = base64(picture[0]["data"].as_str().expect("data"));
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let frame = reader.next_frame(&mut pixels).expect("pixels");
    let size = Preset::find("first-steps").expect("a preset").design().layout.size;
    assert_eq!((frame.width, frame.height), (size.y as u32 * 3, size.x as u32 * 3));
    drop(agent.input.take());
    assert_eq!(agent.child.wait().expect("a child").code(), Some(0));
}

/// Decodes base64.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values = text.bytes().filter_map(|c| DIGITS.iter().position(|digit| *digit == c));
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for value in values {
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

#[test]
fn an_agent_drives_a_designer_that_runs_already() {
    let mut designer = Designer::start(&["--preset", "first-steps"]);
    let mut watcher = designer.connect();
    let mut agent = Agent::start(designer.home.path(), &["--socket", "d.sock"]);
    agent.json("grow", json!({"seed": 11}));
    assert_eq!(watcher.ask(json!({"get": "state"}))["design"]["seed"], 11);
    watcher.ask(json!({"action": "undo"}));
    assert_ne!(agent.json("state", json!({"wait": true}))["design"]["seed"], 11);
    drop(agent.input.take());
    assert_eq!(agent.child.wait().expect("a child").code(), Some(0));
    assert_eq!(
        watcher.ask(json!({"get": "state"}))["growth"]["grown"],
        true,
        "the designer continues"
    );
    let mut command = program(designer.home.path());
    command.args(["mcp", "--socket", "no socket"]);
    let ended = command.output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("start `wallcrawler serve --socket 'no socket'`"));
}

#[test]
fn saves_and_exports_of_an_agent_that_is_gone_are_written() {
    let home = tempfile::tempdir().expect("a folder");
    let file = |name: &str| home.path().join(name);
    let mut command = program(home.path());
    command.args(["new", "castle.toml", "--template", "first-steps"]);
    assert!(command.status().expect("the program runs").success());
    std::fs::write(file("config.toml"), "[saving]\nautosave = 0\n").expect("written");
    let grow = ("grow", json!({"seed": 4711}));
    let save = ("action", json!({"name": "everywhere.save"}));
    let dialog = ("action", json!({"name": "everywhere.export"}));
    let export = (
        "action",
        json!({"name": "export.next-part", "times": 2, "text": "castle.png"}),
    );
    for calls in [[&grow, &save].as_slice(), &[&dialog, &export]] {
        let lines = calls.iter().map(|(name, arguments)| {
            let params = json!({"name": name, "arguments": arguments});
            format!(
                "{}\n",
                json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
            )
        });
        let mut agent = Agent::start(home.path(), &["castle.toml", "--config", "config.toml"]);
        let state = agent.json("state", json!({"wait": true}));
        assert_eq!(state["growth"]["grown"], true, "{state}");
        let mut input = agent.input.take().expect("an open input");
        input.write_all(lines.collect::<String>().as_bytes()).expect("sent");
        drop(input);
        assert_eq!(agent.child.wait().expect("a child").code(), Some(0));
    }
    let saved = std::fs::read_to_string(file("castle.toml")).expect("read");
    assert!(saved.contains("seed = 4711"), "{saved}");
    assert!(file("castle.png").exists());
}

#[test]
fn options_of_a_designer_are_rejected_for_one_that_runs_already() {
    let home = tempfile::tempdir().expect("a folder");
    for option in [
        ["--stats", "stats4"].as_slice(),
        &["--constants", "constants4"],
        &["--config", "settings.toml"],
        &["--no-config"],
    ] {
        let mut command = program(home.path());
        command.args(["mcp", "--socket", "d.sock"]).args(option);
        let ended = command.output().expect("the program ends");
        assert_eq!(ended.status.code(), Some(2));
        let message = String::from_utf8_lossy(&ended.stderr);
        assert!(message.contains("cannot be used with"), "{message}");
    }
}

#[test]
fn unsaved_work_of_an_agent_that_is_gone_is_kept() {
    let home = tempfile::tempdir().expect("a folder");
    let mut agent = Agent::start(home.path(), &["--preset", "first-steps"]);
    agent.json("grow", json!({"seed": 12}));
    drop(agent.input.take());
    assert_eq!(agent.child.wait().expect("a child").code(), Some(0));
    let mut message = String::new();
    std::io::Read::read_to_string(&mut agent.child.stderr.take().expect("stderr"), &mut message).expect("text");
    assert!(message.contains("the unsaved work is saved in"), "{message}");
    // It does not interrupt the next agent, unless that agent looks for it.
    let mut next = Agent::start(home.path(), &["--preset", "keep"]);
    let contexts = |state: &Value| state["contexts"].to_string();
    for seed in 20..30 {
        let state = next.json("grow", json!({"seed": seed}));
        assert!(!contexts(&state).contains("leftovers"), "{state}");
    }
    next.json("action", json!({"name": "everywhere.recover"}));
    let begun = std::time::Instant::now();
    while !contexts(&next.json("state", json!({}))).contains("leftovers") {
        assert!(begun.elapsed() < TIMEOUT, "nothing is offered");
        std::thread::sleep(Duration::from_millis(5));
    }
}
