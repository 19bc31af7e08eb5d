use super::*;

/// Returns the adapter's answers to the lines of a script. The simulated control socket answers most requests by
/// returning the request itself.
fn conversation(script: &str) -> String {
    let mut output = Vec::new();
    serve(script.as_bytes(), &mut output, |line| {
        let request: Value = serde_json::from_str(line).unwrap();
        Ok(match &request {
            request if request["get"] == "picture" => {
                json!({"id": null, "ok": {"format": "png", "base64": "iVBORw0KGgo=", "rows": 2}}).to_string()
            }
            request if request["get"] == "dungeon" => {
                json!({"id": null, "ok": {"format": "text", "text": "X.\n.X\n", "rows": 2}}).to_string()
            }
            request if request["action"] == "nothing" => {
                json!({"id": null, "error": {"message": "no action", "help": r#"{"get": "actions"} lists them"#}})
                    .to_string()
            }
            request => json!({"id": null, "ok": request}).to_string(),
        })
    })
    .unwrap();
    String::from_utf8(output).unwrap()
}

/// The messages of a client, one per line.
const SCRIPT: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"a","method":"ping"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grow","arguments":{"seed":7,"change":["MaxAge -> 3"]}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"metrics"}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"why","arguments":{"row":12,"column":30}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"why","arguments":{"row":12}}}
{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"picture","arguments":{"scale":4}}}
{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"dungeon","arguments":{}}}
{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"action","arguments":{"name":"map.up","times":3}}}
{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"action","arguments":{"name":"nothing"}}}
{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"undo","arguments":null}}
{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"state","arguments":[]}}
{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"fly"}}
{"jsonrpc":"2.0","id":12,"method":"resources/list"}
{"jsonrpc":"2.0","id":13}
{"jsonrpc":"2.0","id":14,"result":{}}
{"jsonrpc":"2.0","id":null,"method":"ping"}
hello

[]
[{"jsonrpc":"2.0","id":15,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled"}]
{"jsonrpc":"2.0","id":16,"method":"shutdown"}
{"jsonrpc":"2.0","id":17,"method":"ping"}
"#;

#[test]
fn a_conversation_is_answered_as_recorded() {
    insta::assert_snapshot!(conversation(SCRIPT));
}

#[test]
fn every_tool_has_a_schema_and_asks_for_what_it_says() {
    let list = conversation("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    let list: Value = serde_json::from_str(&list).unwrap();
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!(tools.len(), TOOLS.len());
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object");
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        for name in tool["inputSchema"]["required"].as_array().unwrap() {
            assert!(properties.contains_key(name.as_str().unwrap()), "{tool}");
        }
    }
}

#[test]
fn the_schema_of_dungeons_has_every_argument_of_the_socket_with_its_types() {
    let entry = |name: &str| TOOLS.iter().find(|tool| tool.name == name).unwrap().entry();
    let dungeon = &entry("dungeon")["inputSchema"]["properties"];
    for (name, kind) in [("scale", "integer"), ("by", "string"), ("legend", "boolean")] {
        assert_eq!(dungeon[name]["type"], kind, "{dungeon}");
    }
    for name in ["dungeon", "metrics", "picture"] {
        let turn = &entry(name)["inputSchema"]["properties"]["turn"];
        assert_eq!(turn["type"], json!(["integer", "string"]), "{name}");
    }
}

#[test]
fn an_unknown_version_gets_the_newest() {
    for (wanted, spoken) in [
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", VERSIONS[0]),
        ("", VERSIONS[0]),
    ] {
        let answer = initialize(&json!({"protocolVersion": wanted}));
        assert_eq!(answer["protocolVersion"], spoken);
    }
    assert_eq!(initialize(&Value::Null)["protocolVersion"], VERSIONS[0]);
}

#[test]
fn a_message_that_is_too_long_is_refused_and_the_next_one_answered() {
    let long = "x".repeat(3 << 20);
    let answers = conversation(&format!(
        "{long}\n{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}\n"
    ));
    let lines: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2, "{answers}");
    assert_eq!(lines[0]["error"]["code"], INVALID_REQUEST);
    assert_eq!(lines[1]["id"], 1);
}

#[test]
fn the_end_of_the_designer_ends_the_conversation() {
    let call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"undo\"}}\n";
    let ended = serve(call.as_bytes(), Vec::new(), |_| {
        Err(io::Error::other("the designer has ended"))
    });
    assert!(ended.is_err());
}

/// Returns the answer to the call of a tool.
#[expect(clippy::needless_pass_by_value, reason = "JSON that a call makes on the spot")]
fn called(name: &str, arguments: Value) -> String {
    let params = json!({"name": name, "arguments": arguments});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    conversation(&format!("{request}\n"))
}

#[test]
fn an_argument_that_is_required_and_null_is_missing() {
    let answer = called("action", json!({"name": null}));
    assert!(answer.contains("`name` is missing"), "{answer}");
    let answer = called("why", json!({"row": 3, "column": null}));
    assert!(answer.contains("`column` is missing"), "{answer}");
}

#[test]
fn an_argument_that_a_tool_does_not_have_is_rejected() {
    for (name, argument) in [
        ("metrics", "scale"),
        ("dungeon", "colours"),
        ("undo", "times"),
        ("screen", "rows"),
    ] {
        let answer = called(name, json!({argument: 3}));
        assert!(
            answer.contains(&format!("`{name}` has no argument `{argument}`")),
            "{answer}"
        );
    }
}
