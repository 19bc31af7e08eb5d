//! An adapter that offers the requests of the control socket as tools of the Model Context Protocol. It reads messages
//! from one stream and writes the answers to another.
//!
//! Messages are JSON-RPC 2.0, one per line. The adapter keeps no state: it sends one request to the control socket for
//! each tool call, and converts the socket's answer into the result of the call. An AI agent can therefore do
//! everything that a person can do in the designer, and the edits of both are in the same undo history.

use std::io::{self, BufRead, Write};

use serde_json::{Map, Value, json};

use crate::text::escape_json;

/// Versions of the protocol that the adapter supports, newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// Maximum length of a message, in bytes.
const LONGEST: u64 = 1 << 20;

/// Time that a tool call waits for the answer of the control socket, in seconds.
const TIMEOUT: u64 = 600;

const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const UNKNOWN_METHOD: i64 = -32_601;
const INVALID_PARAMS: i64 = -32_602;

/// Instructions that the adapter sends to an AI agent at the start.
const INSTRUCTIONS: &str = "Wallcrawler grows dungeons: Crawlers build walls turn by turn, and the design (rooms, \
Crawlers at the start, twelve numbers per generation) and its seed determine every tile. Use `grow` to change numbers \
or the seed, `dungeon` or `picture` to see the result, `metrics` to judge it, `why` to learn why a wall is there, and \
`undo` to go back. `action` can run anything else in the designer; `actions` lists the names. A square is given by its \
row and column, from 0 at the top left.";

/// A tool that an AI agent can call.
struct Tool {
    name: &'static str,
    description: &'static str,
    /// Name, JSON type (or several types, separated by `|`) and description of each argument.
    arguments: &'static [(&'static str, &'static str, &'static str)],
    /// Names of the arguments that a call must contain.
    required: &'static [&'static str],
    /// Converts the arguments of a call into a request to the control socket.
    request: fn(Map<String, Value>) -> Value,
}

const TURN: (&str, &str, &str) = (
    "turn",
    "integer|string",
    "number of turns to grow, or `shown` for the turn that the designer shows; omit it, or use `end`, for the finished \
     dungeon",
);

const BY: (&str, &str, &str) = (
    "by",
    "string",
    "what the colours mean: generation, age, lineage or kind",
);

const LEGEND: (&str, &str, &str) = ("legend", "boolean", "whether to add a title and a legend");

const SCALE: (&str, &str, &str) = ("scale", "integer", "pixels per side of a square, from 1 to 4096");

const TOOLS: &[Tool] = &[
    Tool {
        name: "grow",
        description: "Change parameters or the seed of the open design in one undo step, grow the design, and return the state",
        arguments: &[
            ("seed", "integer", "the new seed"),
            (
                "change",
                "array",
                "rules such as `MaxAge -> 3`, `CorridorWidth + 1 in 1-4`, `dimX, dimY -> 60`, `width * 2 in room 1`",
            ),
        ],
        required: &[],
        request: |args| json!({"grow": args}),
    },
    Tool {
        name: "metrics",
        description: "Return the metrics of the dungeon: path length, dead ends, enclosed squares, fill and more",
        arguments: &[TURN],
        required: &[],
        request: |args| json!({"get": "metrics", "args": args}),
    },
    Tool {
        name: "why",
        description: "Explain a square of the finished dungeon: which Builder laid its wall, when and why, and which \
                      small changes to the growth would make the square different",
        arguments: &[
            ("row", "integer", "row, from 0 at the top"),
            ("column", "integer", "column, from 0 at the left"),
        ],
        required: &["row", "column"],
        request: |args| json!({"why": args}),
    },
    Tool {
        name: "dungeon",
        description: "Return the dungeon as text (`.` open, `o` kept open, `X` wall, `Y` high wall of a pyramid or a \
                      door's decoration, `C` column), or in another file format",
        arguments: &[
            TURN,
            (
                "format",
                "string",
                "text, json, csv, svg, or any other kind that `wallcrawler export` writes; `scale`, `by` and `legend` \
                 apply only to some of them",
            ),
            SCALE,
            BY,
            LEGEND,
        ],
        required: &[],
        request: |args| json!({"get": "dungeon", "args": args}),
    },
    Tool {
        name: "picture",
        description: "Return the dungeon as a picture",
        arguments: &[TURN, SCALE, BY, LEGEND],
        required: &[],
        request: |args| json!({"get": "picture", "args": args}),
    },
    Tool {
        name: "state",
        description: "Return the state of the designer: design, diagnostics, growth, undo history, cursor, messages",
        arguments: &[("wait", "boolean", "whether to wait until the design has grown")],
        required: &[],
        request: |args| json!({"get": "state", "args": args}),
    },
    Tool {
        name: "screen",
        description: "Return the designer's screen as text",
        arguments: &[],
        required: &[],
        request: |args| json!({"get": "screen", "args": args}),
    },
    Tool {
        name: "actions",
        description: "List every action of the designer with its name and help, and whether it is available now",
        arguments: &[],
        required: &[],
        request: |args| json!({"get": "actions", "args": args}),
    },
    Tool {
        name: "action",
        description: "Run a designer action by its name, as in the command palette",
        arguments: &[
            ("name", "string", "name of the action, such as everywhere.undo"),
            ("times", "integer", "how many times to run it, 1 to 100"),
            ("row", "integer", "row to which the map's cursor moves first"),
            ("column", "integer", "column to which the map's cursor moves first"),
            (
                "text",
                "string",
                "text to submit in the text field that the action opens",
            ),
        ],
        required: &["name"],
        request: |mut args| {
            let name = args.remove("name");
            json!({"action": name, "args": args})
        },
    },
    Tool {
        name: "undo",
        description: "Undo the last edit of the design",
        arguments: &[],
        required: &[],
        request: |args| json!({"action": "everywhere.undo", "args": args}),
    },
];

impl Tool {
    /// Returns the tool's entry in the list of tools.
    fn entry(&self) -> Value {
        let property = |(name, kind, description): &(&str, &str, &str)| {
            let kinds: Vec<&str> = kind.split('|').collect();
            let types = if kinds.len() == 1 { json!(kind) } else { json!(kinds) };
            let mut schema = json!({"type": types, "description": description});
            if *kind == "array" {
                schema["items"] = json!({"type": "string"});
            }
            ((*name).to_owned(), schema)
        };
        let properties: Map<String, Value> = self.arguments.iter().map(property).collect();
        json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": self.required,
                "additionalProperties": false,
            },
        })
    }
}

/// The error of a method: a JSON-RPC error code and a message.
type MethodError = (i64, String);

/// Reads messages from `input` and writes the answers to `output`, until `input` ends or the client asks to shut down.
/// `ask` sends a request (a line without its line break) to the control socket and returns the answer.
///
/// # Errors
///
/// Returns an error from a stream or from `ask`, or an error if the answer of `ask` is not JSON.
pub fn serve(
    mut input: impl BufRead,
    mut output: impl Write,
    mut ask: impl FnMut(&str) -> io::Result<String>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if io::Read::take(&mut input, LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            skip_line(&mut input)?;
            let why = format!("the message is longer than {LONGEST} bytes");
            write_line(&mut output, &failure(&Value::Null, (INVALID_REQUEST, why)))?;
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (answer, is_last) = match serde_json::from_slice(&line) {
            Ok(message) => answer_all(message, &mut ask)?,
            Err(error) => (Some(failure(&Value::Null, (PARSE_ERROR, error.to_string()))), false),
        };
        if let Some(answer) = answer {
            write_line(&mut output, &answer)?;
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Discards the rest of the line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let part = input.fill_buf()?;
        let end = part.iter().position(|byte| *byte == b'\n');
        let (used, is_over) = (end.map_or(part.len(), |end| end + 1), end.is_some() || part.is_empty());
        input.consume(used);
        if is_over {
            return Ok(());
        }
    }
}

fn write_line(output: &mut impl Write, message: &Value) -> io::Result<()> {
    writeln!(output, "{}", escape_json(&message.to_string()))?;
    output.flush()
}

/// Answers a message, or each message of a batch. Also returns whether the client asked to shut down.
fn answer_all(message: Value, ask: &mut impl FnMut(&str) -> io::Result<String>) -> io::Result<(Option<Value>, bool)> {
    let Value::Array(batch) = message else {
        return answer_one(&message, ask);
    };
    if batch.is_empty() {
        return Ok((
            Some(failure(
                &Value::Null,
                (INVALID_REQUEST, "the batch is empty".to_owned()),
            )),
            false,
        ));
    }
    let (mut answers, mut is_last) = (Vec::new(), false);
    for one in &batch {
        let (answer, ends) = answer_one(one, ask)?;
        answers.extend(answer);
        is_last |= ends;
    }
    Ok(((!answers.is_empty()).then_some(Value::Array(answers)), is_last))
}

/// Answers one message. Returns no answer to a notification, which expects none, or to a response, since the adapter
/// sends no requests to the client. Also returns whether the client asked to shut down.
fn answer_one(message: &Value, ask: &mut impl FnMut(&str) -> io::Result<String>) -> io::Result<(Option<Value>, bool)> {
    let is_response = message.get("result").is_some() || message.get("error").is_some();
    let id = message.get("id").filter(|id| id.is_string() || id.is_number());
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        let why = "the request has no `method`".to_owned();
        let answer = failure(id.unwrap_or(&Value::Null), (INVALID_REQUEST, why));
        return Ok(((!is_response).then_some(answer), false));
    };
    let is_last = matches!(method, "shutdown" | "exit");
    let Some(id) = id else {
        return Ok((None, is_last));
    };
    let params = message.get("params").cloned().unwrap_or_default();
    let done = match method {
        "initialize" => Ok(initialize(&params)),
        "ping" | "shutdown" => Ok(json!({})),
        "tools/list" => Ok(json!({"tools": TOOLS.iter().map(Tool::entry).collect::<Vec<_>>()})),
        "tools/call" => call(&params, ask)?,
        other => Err((UNKNOWN_METHOD, format!("unknown method `{other}`"))),
    };
    let answer = match done {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => failure(id, error),
    };
    Ok((Some(answer), is_last))
}

fn failure(id: &Value, (code, message): MethodError) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Returns the description of the server. The protocol version is the one that the client asks for if the adapter
/// supports it, otherwise the newest.
fn initialize(params: &Value) -> Value {
    let wanted = params
        .get("protocolVersion")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let version = VERSIONS
        .iter()
        .find(|version| **version == wanted)
        .unwrap_or(&VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "wallcrawler", "version": env!("CARGO_PKG_VERSION")},
        "instructions": INSTRUCTIONS,
    })
}

/// Sends the request for a tool call and returns its result, or an error if the call is invalid.
fn call(params: &Value, ask: &mut impl FnMut(&str) -> io::Result<String>) -> io::Result<Result<Value, MethodError>> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        return Ok(Err((INVALID_PARAMS, format!("unknown tool `{name}`"))));
    };
    let args = match params.get("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(args)) => args.clone(),
        Some(_) => return Ok(Err((INVALID_PARAMS, "`arguments` must be an object".to_owned()))),
    };
    let is_unknown = |name: &&String| tool.arguments.iter().all(|(own, ..)| own != name);
    if let Some(unknown) = args.keys().find(is_unknown) {
        return Ok(Err((
            INVALID_PARAMS,
            format!("`{}` has no argument `{unknown}`", tool.name),
        )));
    }
    let is_missing = |name: &&&str| args.get(**name).is_none_or(Value::is_null);
    if let Some(missing) = tool.required.iter().find(is_missing) {
        return Ok(Err((INVALID_PARAMS, format!("`{missing}` is missing"))));
    }
    let mut request = (tool.request)(args);
    request["timeout"] = json!(TIMEOUT);
    let answer = ask(&request.to_string())?;
    let answer: Value = serde_json::from_str(&answer)?;
    Ok(Ok(result(&answer)))
}

/// Returns a help text of the control socket with tools in place of requests: `{"get": "actions"}` becomes "the tool
/// `actions`".
fn naming_tools(help: &str) -> String {
    TOOLS.iter().fold(help.to_owned(), |help, tool| {
        let request = format!(r#"{{"get": "{}"}}"#, tool.name);
        help.replace(&request, &format!("the tool `{}`", tool.name))
    })
}

/// Converts an answer of the control socket to the result of a tool call: a picture becomes an image, all else text.
fn result(answer: &Value) -> Value {
    if let Some(error) = answer.get("error") {
        let part = |name| error.get(name).and_then(Value::as_str).unwrap_or_default();
        let text = format!("{}; {}", part("message"), naming_tools(part("help")));
        return json!({"content": [{"type": "text", "text": text}], "isError": true});
    }
    let mut done = answer.get("ok").cloned().unwrap_or_default();
    let mut content = Vec::new();
    if done["format"] == "png"
        && let Some(data) = done.as_object_mut().and_then(|done| done.remove("base64"))
    {
        content.push(json!({"type": "image", "data": data, "mimeType": "image/png"}));
    }
    // An agent reads a dungeon more easily as plain text than as a JSON string, so return its text separately.
    let text = done.as_object_mut().and_then(|done| done.remove("text"));
    content.push(json!({"type": "text", "text": done.to_string()}));
    if let Some(text) = text {
        content.push(json!({"type": "text", "text": text}));
    }
    json!({"content": content, "isError": false})
}

#[cfg(test)]
mod tests;
