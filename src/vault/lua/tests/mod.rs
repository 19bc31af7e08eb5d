//! Tests what the sandbox allows, and how it ends runaway code.

mod heap;
mod patterns;
mod programs;
mod runaway;

use std::time::Duration;

use super::*;

/// Returns low limits that end a run quickly.
fn tight() -> Limits {
    Limits {
        instructions: 200_000,
        memory: 8 << 20,
        time: Duration::from_mins(1),
    }
}

fn sandbox() -> Sandbox {
    Sandbox::new(tight()).expect("the library fits")
}

/// Runs a chunk and returns its results, formatted by Lua's `tostring` and separated by spaces.
fn eval(sandbox: &Sandbox, code: &str) -> Result<String, LuaFailure> {
    let function = sandbox.load("a.des", code.as_bytes())?;
    sandbox.run(|lua| {
        let values: mlua::MultiValue = function.call(())?;
        let tostring: mlua::Function = lua.globals().get("tostring")?;
        let texts: Vec<String> = values
            .into_iter()
            .map(|value| tostring.call(value))
            .collect::<mlua::Result<_>>()?;
        Ok(texts.join(" "))
    })
}

fn answer(code: &str) -> String {
    eval(&sandbox(), code).unwrap_or_else(|failure| panic!("{code}: {failure}"))
}

fn failure(code: &str) -> LuaFailure {
    eval(&sandbox(), code).expect_err(code)
}

#[test]
fn files_have_no_access_outside_the_sandbox() {
    for name in [
        "io",
        "os",
        "debug",
        "package",
        "require",
        "module",
        "load",
        "loadfile",
        "loadstring",
        "dofile",
        "getfenv",
        "setfenv",
        "newproxy",
        "collectgarbage",
        "gcinfo",
        "print",
        "string.dump",
        "math.random",
        "math.randomseed",
    ] {
        assert_eq!(answer(&format!("return {name}")), "nil", "{name}");
    }
    let known = "local names = {} for name in pairs(_G) do names[#names + 1] = name end table.sort(names) \
                 return table.concat(names, ' ')";
    assert_eq!(
        answer(known),
        "_G _VERSION assert coroutine error getmetatable ipairs math next pairs pcall rawequal rawget rawset select \
         setmetatable string table tonumber tostring type unpack xpcall"
    );
    assert_eq!(answer("return table.unpack({1, 2})"), "1 2");
    assert_eq!(answer("return getmetatable('')"), "false");
}

#[test]
fn failures_show_file_line_and_message() {
    let at = |code: &str| failure(code).to_string();
    assert_eq!(
        at("\n\nlocal x = nil + 1"),
        "a.des:3: attempt to perform arithmetic on a nil value"
    );
    assert_eq!(at("\nerror('no')"), "a.des:2: no");
    assert_eq!(at("error('no', 0)"), "a.des:1: no");
    assert_eq!(at("error('D:5: no room')"), "a.des:1: D:5: no room");
    assert_eq!(at("\nassert(false, 'D:5: no room')"), "a.des:2: D:5: no room");
    assert_eq!(at("\nerror({})"), "a.des:2: the error object is a table");
    assert_eq!(at("\n('x'):find('[')"), "a.des:2: malformed pattern (missing ']')");
    assert_eq!(
        at("\ntable.insert(1, 2)"),
        "a.des:2: bad argument #1 to 'insert' (table expected, got number)"
    );
    assert_eq!(
        at("local t = {2, 'a'}\ntable.sort(t)"),
        "a.des:2: attempt to compare string with number"
    );
    assert_eq!(at("coroutine.wrap(function()\nerror('deep') end)()"), "a.des:2: deep");
    let syntax = failure("x =\n= 2");
    assert_eq!((syntax.kind, syntax.line), (FailureKind::Syntax, Some(2)));
    assert_eq!(syntax.file.as_deref(), Some("a.des"));
    let nested = failure("local function f() error('x') end\nlocal function g() f() return 1 end\ng()");
    let lines: Vec<u32> = nested.trace.iter().map(|place| place.line).collect();
    assert_eq!(lines, [1, 2, 3]);
}

#[test]
fn bytecode_is_not_run() {
    let bytecode = b"\x1bLua\x51\0\x01\x04\x08\x04\x08\0";
    let failure = sandbox().load("a.des", bytecode).expect_err("bytecode");
    assert_eq!(failure.kind, FailureKind::Syntax);
}

#[test]
fn caught_errors_are_text_and_keep_their_place() {
    assert_eq!(answer("return pcall(function() error('x') end)"), "false a.des:1: x");
    assert_eq!(
        answer("local ok, text = pcall(string.find, 'x', '%') return ok, type(text), text"),
        "false string a.des:1: malformed pattern (ends with '%')"
    );
    assert_eq!(
        answer("local t = {} local ok, e = pcall(error, t) return ok, e == t"),
        "false true"
    );
    assert_eq!(
        answer("return pcall(function(...) return select('#', ...) end, nil, nil)"),
        "true 2"
    );
    assert_eq!(
        answer("return xpcall(function() error('x', 0) end, function(e) return e .. '!' end)"),
        "false x!"
    );
    assert_eq!(
        answer("return xpcall(function() return 1, nil, 3 end, error)"),
        "true 1 nil 3"
    );
    assert_eq!(
        answer("return (xpcall(function() error('x') end, function() error('y') end))"),
        "false"
    );
    assert_eq!(
        answer("local co = coroutine.create(function() local x = nil .. '' end) return coroutine.resume(co)"),
        "false a.des:1: attempt to concatenate a nil value"
    );
}

#[test]
fn coroutines_pass_values_both_ways() {
    let code = "local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return a + b end) \
                return co(1), co(10), coroutine.status(coroutine.create(function() end))";
    assert_eq!(answer(code), "2 11 suspended");
}

#[test]
fn table_functions_behave_as_in_c_lua() {
    let show = |code: &str| answer(&format!("local t = {{10, 20, 30}} {code} return table.concat(t, ' ')"));
    assert_eq!(show("table.insert(t, 40)"), "10 20 30 40");
    assert_eq!(show("table.insert(t, 1, 5)"), "5 10 20 30");
    assert_eq!(show("table.insert(t, '2', 15)"), "10 15 20 30");
    assert_eq!(show("table.insert(t, 4, 40)"), "10 20 30 40");
    assert_eq!(show("local x = table.remove(t) t[4] = x t[3] = 25"), "10 20 25 30");
    assert_eq!(show("local x = table.remove(t, 1) t[#t + 1] = x"), "20 30 10");
    assert_eq!(show("table.remove(t, 7) table.remove(t, 0)"), "10 20 30");
    assert_eq!(show("table.sort(t, function(a, b) return a > b end)"), "30 20 10");
    assert_eq!(show("table.foreachi(t, function(i, v) t[i] = v + i end)"), "11 22 33");
    assert_eq!(
        answer("return table.foreach({x = 1}, function(k, v) return k .. v end)"),
        "x1"
    );
    assert_eq!(answer("return table.remove({})"), "");
}

#[test]
fn sort_is_correct_for_every_length() {
    let code = "local t, seed = {}, 7 for n = 0, 40 do \
                for i = 1, n do seed = seed * 5 % 97 t[i] = seed end table.sort(t) \
                for i = 2, n do assert(t[i - 1] <= t[i], n) end assert(#t == n) end return 'sorted'";
    assert_eq!(answer(code), "sorted");
}

#[test]
fn a_run_within_a_run_shares_its_budget() {
    let sandbox = sandbox();
    let outer = sandbox.run(|_| {
        for _ in 0..100 {
            if let Err(failure) = eval(&sandbox, "for i = 1, 1e4 do end") {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    });
    assert_eq!(
        outer.expect_err("spent, though swallowed").kind,
        FailureKind::Instructions
    );
    assert!(
        eval(&sandbox, "for i = 1, 1e4 do end").is_ok(),
        "the next run starts from the beginning"
    );
}
