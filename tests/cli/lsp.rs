//! The language server, tested through its protocol over standard input and output.

#![allow(clippy::needless_pass_by_value, reason = "calls pass JSON literals as parameters")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::Folder;

/// A language server with an open folder.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: i64,
}

impl Server {
    /// Starts a server and sends nothing to it.
    fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wallcrawler"))
            .args(["vault", "lsp"])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self {
            child,
            input,
            output,
            id: 0,
        }
    }

    /// Starts a server and initializes it, as an editor does.
    fn new(folder: &Folder) -> Self {
        let mut server = Self::start(&["--stdio"]);
        let root = uri(&folder.path(""));
        let answer = server.ask("initialize", json!({"capabilities": {}, "rootUri": root}));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        server.notify("initialized", json!({}));
        server
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("an open input");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("sent");
        input.flush().expect("sent");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).expect("a line") > 0,
                "the server ended"
            );
            match line.trim().strip_prefix("Content-Length:") {
                Some(number) => length = number.trim().parse().expect("a length"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("a message");
        serde_json::from_slice(&text).expect("JSON")
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends text that need not be a message.
    fn send_text(&mut self, text: &str) {
        let input = self.input.as_mut().expect("an open input");
        input.write_all(text.as_bytes()).expect("sent");
        input.flush().expect("sent");
    }

    /// Sends a request and returns the response; notifications before it are dropped.
    fn response(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Sends a request and returns its result.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let message = self.response(method, &params);
        assert!(message.get("error").is_none(), "{message}");
        message["result"].clone()
    }

    /// Sends a request that fails, and returns the code of the error.
    fn refused(&mut self, method: &str, params: Value) -> i64 {
        let message = self.response(method, &params);
        message["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("no error: {message}"))
    }

    /// Opens a document, or changes it, and returns its diagnostics: rule, line and column from 1, message.
    fn set(&mut self, path: &str, text: &str, is_open: bool) -> Vec<(String, u64, u64, String)> {
        let document = json!({"uri": uri(path), "languageId": "des", "version": 1, "text": text});
        if is_open {
            let change = json!([{"text": text}]);
            self.notify(
                "textDocument/didChange",
                json!({"textDocument": {"uri": uri(path), "version": 2}, "contentChanges": change}),
            );
        } else {
            self.notify("textDocument/didOpen", json!({"textDocument": document}));
        }
        loop {
            let message = self.receive();
            if message["method"] != "textDocument/publishDiagnostics" || message["params"]["uri"] != uri(path) {
                continue;
            }
            let found = message["params"]["diagnostics"].as_array().expect("diagnostics");
            let row = |found: &Value| {
                let start = &found["range"]["start"];
                (
                    found["code"].as_str().expect("a rule").to_owned(),
                    start["line"].as_u64().expect("a line") + 1,
                    start["character"].as_u64().expect("a column") + 1,
                    found["message"].as_str().expect("a message").to_owned(),
                )
            };
            return found.iter().map(row).collect();
        }
    }

    /// Sends a request about a position; line and column are counted from 1.
    fn at(&mut self, method: &str, path: &str, line: u64, column: u64) -> Value {
        let position = json!({"line": line - 1, "character": column - 1});
        self.ask(
            method,
            json!({"textDocument": {"uri": uri(path)}, "position": position}),
        )
    }

    fn hover(&mut self, path: &str, line: u64, column: u64) -> String {
        let answer = self.at("textDocument/hover", path, line, column);
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    fn completions(&mut self, path: &str, line: u64, column: u64) -> Vec<String> {
        let answer = self.at("textDocument/completion", path, line, column);
        let items = answer.as_array().expect("items").iter();
        items
            .map(|item| item["label"].as_str().expect("a label").to_owned())
            .collect()
    }

    /// Returns the file names and lines, from 1, of definitions.
    fn definitions(&mut self, path: &str, line: u64, column: u64) -> Vec<(String, u64)> {
        let answer = self.at("textDocument/definition", path, line, column);
        let places = answer.as_array().expect("places").iter();
        places
            .map(|place| {
                let uri = place["uri"].as_str().expect("a URI");
                let file = uri.rsplit('/').next().unwrap_or_default();
                (
                    file.to_owned(),
                    place["range"]["start"]["line"].as_u64().expect("a line") + 1,
                )
            })
            .collect()
    }

    /// Ends the session as an editor should, and returns the exit status.
    fn end(mut self) -> i32 {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.status()
    }

    /// Waits for the server's end without closing its input, and returns the exit status.
    fn status(&mut self) -> i32 {
        self.child.wait().expect("its end").code().expect("a status")
    }
}

fn uri(path: &str) -> String {
    let path = path.replace('\\', "/").replace(' ', "%20");
    // On Windows, a path begins with a drive.
    let slash = if path.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{path}")
}

const GARDEN: &str = "{{\nfunction shared_setup(e)\n  e.tags('no_rotate')\nend\n}}\n\nNAME: garden\nTAGS: small_garden unrand\nMAP\ntt.\nENDMAP\n";

#[test]
fn errors_appear_while_typing_and_disappear_when_fixed() {
    let folder = Folder::empty();
    folder.put("garden.des", GARDEN);
    let mut server = Server::new(&folder);
    let path = folder.path("hall.des");
    let text = "NAME: hall\nDEPTH: Dungeon:3\nKFEAT: é = x\nKFEAT: A = granit_statue\n: you.dpeth()\n: shared_setup(_G)\nMAP\nA.+\nENDMAP\n";
    let found = server.set(&path, text, false);
    let rows: Vec<(&str, u64, u64)> = found
        .iter()
        .map(|(rule, line, column, _)| (rule.as_str(), *line, *column))
        .collect();
    assert!(
        rows.contains(&("grammar", 2, 8)) && rows.contains(&("grammar", 4, 12)),
        "{found:?}"
    );
    assert!(
        found.iter().any(|(.., message)| message.contains("did you mean `D`?")),
        "{found:?}"
    );
    let mended =
        "NAME: hall\nDEPTH: D:3\nKFEAT: A = granite_statue\n: you.depth()\n: shared_setup(_G)\nMAP\nA.+\nENDMAP\n";
    assert!(server.set(&path, mended, true).is_empty());
    let closed = "NAME: hall\nDEPTH: D:3\nMAP\nxxx\nENDMAP\n";
    let found = server.set(&path, closed, true);
    assert_eq!((found.len(), found[0].0.as_str()), (1, "exit"), "{found:?}");
    let at_random = "NAME: hall\nDEPTH: D:3\nSUBST: x = x .\nMAP\nxxx\nENDMAP\n";
    assert!(server.set(&path, at_random, true).is_empty(), "only seeds show it");
    let endless = "NAME: hall\nDEPTH: D:3\n: while true do end\nMAP\n..+\nENDMAP\n";
    let found = server.set(&path, endless, true);
    assert_eq!(
        (found.len(), found[0].0.as_str(), found[0].1),
        (1, "lua", 3),
        "{found:?}"
    );
    assert_eq!(server.end(), 0);
}

#[test]
fn hover_completion_and_definition_work_at_the_cursor() {
    let folder = Folder::empty();
    folder.put("garden.des", GARDEN);
    let mut server = Server::new(&folder);
    let path = folder.path("my hall.des");
    let text = "NAME: hall\nDEPTH: D:3\nKFEAT: A = altar_zin\n: shared_setup(_G)\n: local n = crawl.random2(3)\n\
                SUBVAULT: B : small_garden\nTAGS: \nMAP\nABx@\nENDMAP\n";
    server.set(&path, text, false);
    assert!(server.hover(&path, 3, 2).contains("gives a glyph a feature"));
    assert!(server.hover(&path, 3, 14).contains("altar"));
    assert!(server.hover(&path, 5, 21).contains("A random number from 0 to n - 1."));
    assert!(server.hover(&path, 9, 3).contains("rock_wall"));
    let altar = server.hover(&path, 9, 1);
    assert!(altar.contains("line 3: `KFEAT: A = altar_zin`"), "{altar}");
    assert!(server.hover(&path, 8, 1).contains("begins the rows"));
    assert!(server.hover(&path, 2, 9).contains("Dungeon"));
    assert!(server.hover(&path, 6, 18).contains("the tag of 1 map: garden"));
    assert_eq!(server.hover(&path, 1, 8), "the map `hall` at my hall.des:1");

    let has = |items: &[String], names: &[&str]| {
        for name in names {
            assert!(items.iter().any(|item| item == name), "{name}: {items:?}");
        }
    };
    has(&server.completions(&path, 3, 14), &["altar_zin", "granite_statue"]);
    has(&server.completions(&path, 2, 8), &["Lair", "D"]);
    has(&server.completions(&path, 7, 7), &["no_rotate", "small_garden"]);
    has(&server.completions(&path, 6, 15), &["small_garden"]);
    has(&server.completions(&path, 5, 19), &["random2", "coinflip"]);
    has(
        &server.completions(&path, 4, 3),
        &["crawl", "lua_marker", "props_marker"],
    );
    has(&server.completions(&path, 3, 3), &["KFEAT:", "NAME:", "ENDMAP"]);
    assert_eq!(server.completions(&path, 9, 2), [""; 0]);

    assert_eq!(server.definitions(&path, 6, 18), [("garden.des".to_owned(), 7)]);
    assert_eq!(server.definitions(&path, 4, 6), [("garden.des".to_owned(), 2)]);
    assert!(server.definitions(&path, 9, 2).is_empty());

    let symbols = server.ask(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": uri(&path)}}),
    );
    assert_eq!(
        (&symbols[0]["name"], symbols.as_array().map(Vec::len)),
        (&json!("hall"), Some(1))
    );
    assert_eq!(symbols[0]["range"]["end"], json!({"line": 9, "character": 6}));

    // The name occurs in the word `NAME`, too.
    let short = folder.path("short.des");
    server.set(&short, "NAME:   A\nTAGS: short_tag\nMAP\n..\nENDMAP\n", false);
    let name = json!({"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 9}});
    let symbols = server.ask(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": uri(&short)}}),
    );
    assert_eq!(symbols[0]["selectionRange"], name);
    let definition = server.at("textDocument/definition", &short, 2, 8);
    assert_eq!(definition[0]["range"], name);

    let edits = server.ask(
        "textDocument/formatting",
        json!({"textDocument": {"uri": uri(&path)}, "options": {"tabSize": 4, "insertSpaces": true}}),
    );
    assert!(
        edits[0]["newText"]
            .as_str()
            .expect("a text")
            .contains("KFEAT:    A = altar_zin"),
        "{edits}"
    );
    assert_eq!(server.end(), 0);
}

#[test]
fn completions_replace_the_word_before_the_cursor() {
    let folder = Folder::empty();
    folder.put(
        "names.json",
        r#"{"format": 1, "monsters": ["orc", "orc warrior"], "items": ["dagger", "long sword"]}"#,
    );
    let mut server = Server::start(&["--names", &folder.path("names.json")]);
    server.ask("initialize", json!({"capabilities": {}}));
    let path = folder.path("a.des");
    let text = "NAME: a\nKMONS: é = 𝄞 orc wa\ndef\nTAGS: a no-way no_r\n: dgn.map_by_tag(\"no-w\n\
                ITEM:   w:10 long sw\nKMONS:  A = generate_awake orc\nKMONS: A = Orc_wa\nITEM: w:10 \nMAP\n..\nENDMAP\n";
    server.set(&path, text, false);
    let replaced = |server: &mut Server, line: u64, column: u64, label: &str| {
        let answer = server.at("textDocument/completion", &path, line, column);
        let items = answer.as_array().expect("items").clone();
        let item = items.iter().find(|item| item["label"] == label);
        let item = item.unwrap_or_else(|| panic!("no {label} in {answer}"));
        let range = &item["textEdit"]["range"];
        assert_eq!(range["end"]["character"], column - 1);
        range["start"]["character"].as_u64().expect("a column") + 1
    };
    // The clef takes two units of UTF-16, and no name of the language contains it.
    assert_eq!(replaced(&mut server, 2, 21, "orc warrior"), 15);
    assert_eq!(replaced(&mut server, 3, 4, "default-depth:"), 1);
    assert_eq!(replaced(&mut server, 4, 19, "no_rotate"), 16);
    assert_eq!(replaced(&mut server, 5, 23, "no-way"), 19);
    // Weights and modifiers are not part of a name.
    assert_eq!(replaced(&mut server, 6, 21, "long sword"), 14);
    assert_eq!(replaced(&mut server, 7, 31, "orc warrior"), 28);
    assert_eq!(replaced(&mut server, 8, 18, "orc warrior"), 12);
    assert_eq!(replaced(&mut server, 9, 12, "dagger"), 12);
    assert_eq!(server.end(), 0);
}

#[test]
fn a_broken_message_or_position_does_not_end_the_server() {
    let folder = Folder::empty();
    folder.put("garden.des", GARDEN);
    let mut server = Server::start(&[]);
    assert_eq!(
        server.refused("textDocument/hover", json!({})),
        -32002,
        "before `initialize`"
    );
    server.send_text("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    server.send_text("Content-Length: 5\r\n\r\n{\"a\":");
    server.send_text("Content-Length: 2\r\n\r\n[]");
    let roots = json!([{"uri": uri(&folder.path(""))}, {"uri": 3}, {"uri": "file:///no/such/folder"}]);
    server.ask("initialize", json!({"processId": "x", "workspaceFolders": roots}));
    assert_eq!(server.refused("initialize", json!({})), -32600, "a second time");
    assert_eq!(server.refused("textDocument/rename", json!({})), -32601);
    assert_eq!(server.refused("textDocument/hover", json!([1])), -32602);
    server.notify("textDocument/didChange", json!({"textDocument": 7}));
    server.notify("textDocument/didOpen", Value::Null);
    server.notify("$/setTrace", json!({"value": "off"}));

    // A missing file, a document that is not a file, and positions outside the text.
    let missing = folder.path("missing.des");
    assert_eq!(server.hover(&missing, 1, 1), "");
    assert!(server.completions(&missing, 1, 1).is_empty());
    assert!(server.definitions(&missing, 1, 1).is_empty());
    server.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&missing)}}));
    let changes = json!([{"uri": uri(&missing), "type": 3}, {"uri": uri(&folder.path("")), "type": 2}]);
    server.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    let path = folder.path("odd.des");
    let text = "NAME: 𝄞odd\nTAGS: 𝄞 small_garden\nKFEAT: \u{301} = é\nMAP\n𝄞é.\n\u{0}\nENDMAP\nNAME:\nMAP\n\n: x\u{2028}\r\n{{";
    server.set(&path, text, false);
    for line in 1..16 {
        for column in 1..20 {
            server.hover(&path, line, column);
            server.completions(&path, line, column);
            server.definitions(&path, line, column);
        }
    }
    let far = json!({"textDocument": {"uri": uri(&path)}, "position": {"line": u32::MAX, "character": u32::MAX}});
    for method in ["hover", "completion", "definition"] {
        server.ask(&format!("textDocument/{method}"), far.clone());
    }
    server.ask(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": uri(&path)}}),
    );
    assert_eq!(server.definitions(&path, 2, 12), [("garden.des".to_owned(), 7)]);
    assert_eq!(server.end(), 0);
}

#[test]
fn default_depth_is_described_and_comments_define_no_function() {
    let folder = Folder::empty();
    folder.put("garden.des", GARDEN);
    let mut server = Server::new(&folder);
    let path = folder.path("own.des");
    let text = "# calls function shared_setup(e)\ndefault-depth: D:3\nNAME: own\n\
                : shared_setup(_G) -- function shared_setup(e)\nMAP\nx@\nENDMAP\n";
    server.set(&path, text, false);
    for column in [3, 10] {
        let described = server.hover(&path, 2, column);
        assert!(described.contains("the DEPTH of all later maps"), "{described}");
    }
    assert_eq!(server.definitions(&path, 4, 6), [("garden.des".to_owned(), 2)]);
    assert_eq!(server.end(), 0);
}

#[test]
fn columns_are_units_of_utf_16_and_an_untitled_document_is_checked() {
    let folder = Folder::empty();
    let mut server = Server::new(&folder);
    let document = json!({"uri": "untitled:1", "languageId": "des", "version": 1,
        "text": "NAME: a\nDEPTH: D:3\nKMASK: é𝄞 = vualt\nMAP\n..+\nENDMAP\n"});
    server.notify("textDocument/didOpen", json!({"textDocument": document}));
    let found = loop {
        let message = server.receive();
        if message["method"] == "textDocument/publishDiagnostics" {
            break message["params"]["diagnostics"].clone();
        }
    };
    // `KMASK: ` has 7 characters; `é` is one unit, the clef two, ` = ` three.
    let range = json!({"start": {"line": 2, "character": 13}, "end": {"line": 2, "character": 18}});
    assert_eq!(
        (&found[0]["range"], found.as_array().map(Vec::len)),
        (&range, Some(1)),
        "{found}"
    );
    assert_eq!(server.end(), 0);
}

#[test]
fn other_open_documents_are_checked_again_and_closed_ones_are_cleared() {
    let folder = Folder::empty();
    let (user, maker) = (folder.path("user.des"), folder.path("maker.des"));
    let mut server = Server::new(&folder);
    let text = "NAME: user\nDEPTH: D:3\n: shared_setup(_G)\nMAP\n..+\nENDMAP\n";
    assert!(server.set(&user, text, false).is_empty());
    let making = "{{\nfunction shared_setup(e)\n  error(\"broken\")\nend\n}}\n";
    server.set(&maker, making, false);
    let published = |server: &mut Server, path: &str| loop {
        let message = server.receive();
        if message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri(path) {
            return message["params"]["diagnostics"]
                .as_array()
                .expect("diagnostics")
                .clone();
        }
    };
    let found = published(&mut server, &user);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0]["message"].to_string().contains("broken") && found[0]["range"]["start"]["line"] == 2,
        "{found:?}"
    );
    server.notify("textDocument/didClose", json!({"textDocument": {"uri": uri(&maker)}}));
    assert!(published(&mut server, &maker).is_empty());
    assert!(
        published(&mut server, &user).is_empty(),
        "the function is gone with its file"
    );
    assert_eq!(server.end(), 0);
}

#[test]
fn the_server_ends_with_its_editor() {
    let folder = Folder::empty();
    let mut server = Server::new(&folder);
    server.notify("exit", Value::Null);
    assert_eq!(server.status(), 1, "without `shutdown`");
    let mut server = Server::new(&folder);
    server.input = None;
    assert_eq!(server.status(), 1, "the editor is gone");
    let mut server = Server::new(&folder);
    server.ask("shutdown", Value::Null);
    assert_eq!(server.refused("textDocument/hover", json!({})), -32600);
    server.notify("exit", Value::Null);
    assert_eq!(server.status(), 0);
}

/// Returns the text of a file in the guide's page on vaults.
fn of_guide(name: &str) -> String {
    let page = include_str!("../../assets/guide/vaults.md");
    let (_, rest) = page.split_once(&format!("\n`{name}`:\n")).expect(name);
    let block = rest.split("```").nth(1).expect("a block");
    block.split_once('\n').expect("its language").1.to_owned()
}

/// Follows the workflow in the guide's page on vaults: an author writes a vault in an editor, views it, checks it,
/// fixes it and compares it with its old version, and continuous integration checks it.
#[test]
fn the_guide_leads_from_the_editor_to_continuous_integration() {
    let page = include_str!("../../assets/guide/vaults.md");
    let folder = Folder::empty();
    std::fs::create_dir(folder.path("levels")).expect("a folder");
    let path = folder.path("levels/cell.des");
    let old = of_guide("cell.des");

    let mut server = Server::new(&folder);
    let slip = old.replace("DEPTH:  D:2-", "DEPTH:  Dungeon:2-");
    let found = server.set(&path, &slip, false);
    assert!(
        matches!(&found[..], [(rule, 2, 9, message)] if rule == "grammar" && message.contains("`D`")),
        "{found:?}"
    );
    assert_eq!(server.set(&path, &old, true), [], "fixed while typing");
    assert!(server.hover(&path, 3, 2).contains("SUBST"));
    folder.put("levels/cell.des", &old);
    assert_eq!(server.end(), 0);

    let shown = super::run(&["vault", "show", "wc_cell", &path, "--seed", "1", "--bare"]);
    assert!(!shown.out.contains(['+', 'w']), "a wall in the middle: {}", shown.out);
    assert_eq!(
        super::run(&["vault", "check", &path]).status,
        0,
        "closets show over seeds only"
    );

    // Run the command of the workflow unchanged.
    let mut steps = page
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: wallcrawler "));
    let step: Vec<&str> = steps.next_back().expect("a step").split(' ').collect();
    let integrate = || {
        let mut command = super::program();
        let ran = command.args(&step).current_dir(folder.path("")).output().expect("runs");
        (ran.status.code(), String::from_utf8(ran.stdout).expect("text"))
    };
    let (status, annotations) = integrate();
    assert_eq!(status, Some(1), "{annotations}");
    assert!(
        annotations.starts_with("::error file=levels/cell.des,line=6,col=2,title=closet::"),
        "{annotations}"
    );
    assert!(
        annotations.contains(" on D:2: 6 cells)%0Ahelp: "),
        "the glyph of a cell says nothing: {annotations}"
    );

    folder.put("old.des", &old);
    folder.put("levels/cell.des", &old.replace("' = +:20 x w", "' = +"));
    let compared = super::run(&["vault", "diff", &folder.path("old.des"), &path]);
    assert_eq!(compared.status, 1);
    assert!(compared.out.contains("x..x..@   x..+..@"), "{}", compared.out);
    assert_eq!(integrate(), (Some(0), String::new()));

    // Run the command that checks the files that git reports as changed.
    let line = page
        .lines()
        .find(|line| line.starts_with("git diff "))
        .expect("a command");
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(args)
            .current_dir(folder.path(""));
        git.output().is_ok_and(|ran| ran.status.success())
    };
    if !(git(&["init", "-q"]) && git(&["add", "levels"]) && git(&["commit", "-q", "-m", "one"])) {
        let _ = writeln!(std::io::stderr(), "SKIPPED the check of changed files: install git");
        return;
    }
    folder.put("levels/cell.des", &slip);
    let line = line.replace("wallcrawler", &env!("CARGO_BIN_EXE_wallcrawler").replace('\\', "/"));
    let ran = Command::new("sh")
        .args(["-c", &line])
        .current_dir(folder.path(""))
        .output();
    let Ok(ran) = ran else {
        let _ = writeln!(std::io::stderr(), "SKIPPED the check of changed files: install a shell");
        return;
    };
    let out = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(!ran.status.success() && out.contains("levels/cell.des:2:9"), "{out}");
}
