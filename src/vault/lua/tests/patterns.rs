//! Compares our pattern matching with that of standard Lua.

use mlua::{Lua, LuaString, MultiValue, Value};
use proptest::prelude::*;

use super::*;

/// Returns the results of a run as text; for an error, returns its message without the place.
fn call(run: impl Fn() -> mlua::Result<(bool, MultiValue)>) -> String {
    let (ok, values) = run().expect("memory");
    let shown: Vec<String> = values
        .iter()
        .map(|value| match value {
            Value::String(text) => format!("{:?}", &*text.as_bytes()),
            Value::Integer(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Nil => "nil".to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    if ok {
        return shown.join(" ");
    }
    let text: LuaString = values
        .front()
        .and_then(Value::as_string)
        .cloned()
        .expect("an error is text");
    let text = text.to_string_lossy();
    let text = text.rsplit_once("a.des:1: ").map_or(text.as_str(), |(_, text)| text);
    format!("error: {text}")
}

/// Runs `code`, which uses `s`, `p` and `x`, in standard Lua and in the sandbox, and returns both results.
fn both(plain: &Lua, sandbox: &Sandbox, code: &str, s: &[u8], p: &[u8], x: &Value) -> (String, String) {
    // Standard Lua's `pcall` can return only a few results, so the results are packed in a table.
    let code = format!(
        "local s, p, x = ... local function all(...) return {{n = select('#', ...), ...}} end \
         local ok, said = pcall(function() return all((function() {code} end)()) end) \
         if ok then return ok, unpack(said, 1, said.n) end return ok, said"
    );
    let ask = |lua: &Lua| -> mlua::Result<(bool, MultiValue)> {
        let function = lua.load(&code).set_name("@a.des").into_function()?;
        let x = match x {
            Value::String(text) => Value::String(lua.create_string(&*text.as_bytes())?),
            other => other.clone(),
        };
        function.call((lua.create_string(s)?, lua.create_string(p)?, x))
    };
    let theirs = call(|| ask(plain));
    let ours = call(|| sandbox.run(ask).map_err(mlua::Error::external));
    (theirs, ours)
}

/// Generates pieces of patterns, including invalid ones.
fn pattern() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec![
            "a", "b", "c", ".", "%a", "%d", "%s", "%p", "%z", "%W", "%S", "%x", "%l", "%u", "%c", "[ab]", "[^a]", "[a-c]", "[%a_]",
            "[^%s]", "(", ")", "()", "(a)", "(.-)", "(b*)", "%1", "%2", "%b()", "%bab", "%f[%a]", "%f[^a]", "^", "$", " ",
            "[]]", "[^]a]", "[a-]", "[%]]", "-", "%%", "%.",
        ]),
        4 => prop::sample::select(vec!["*", "+", "-", "?"]),
        1 => prop::sample::select(vec!["[", "%", "]", "%b", "%bx", "%f", "%fa", "%0", "%9", "[a", "[%", "[^", "\0", "\0a", "\u{e9}"]),
    ];
    prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat().into_bytes())
}

fn subject() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        12 => prop::sample::select(b"aabbc()".to_vec()),
        3 => prop::sample::select(b" _1.A\t\n]-^%".to_vec()),
        1 => any::<u8>(),
    ];
    prop::collection::vec(byte, 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn patterns_match_as_in_c(s in subject(), p in pattern(), init in -16_i32..18, template in "[ab%0-9]{0,5}") {
        thread_local! {
            static STATES: (Lua, Sandbox) = (Lua::new(), sandbox());
        }
        STATES.with(|(plain, sandbox)| {
            let init = Value::Integer(init.into());
            let text = Value::String(plain.create_string(&template).expect("memory"));
            for (code, x) in [
                ("return s:find(p, x)", &init),
                ("return s:match(p, x)", &init),
                ("return s:find(p, x, true)", &init),
                ("return s:gsub(p, '<%0>', x)", &init),
                ("return s:gsub(p, x)", &text),
                ("local all = {} for a, b, c in s:gmatch(p) do all[#all + 1] = tostring(a) .. '|' .. tostring(b) .. '|' .. tostring(c) end return unpack(all)", &init),
                ("local all = {} local r, n = s:gsub(p, function(...) all[#all + 1] = select('#', ...) all[#all + 1] = (...) return all[2] end) return r, n, unpack(all)", &init),
                ("return s:gsub(p, {a = 'x', b = false, [1] = 2.5, [2] = 'y', c = 1e15})", &init),
            ] {
                let (theirs, ours) = both(plain, sandbox, code, &s, &p, x);
                prop_assert_eq!(theirs, ours, "{} with {:?} {:?} {:?}", code, s, p, x);
            }
            Ok(())
        })?;
    }
}

#[test]
fn bad_arguments_get_the_messages_of_c() {
    let (plain, sandbox) = (Lua::new(), sandbox());
    for code in [
        "return string.find()",
        "return string.find('x')",
        "return string.find({}, 'x')",
        "return string.find('x', {})",
        "return string.find('x', 'x', {})",
        "return string.find('x', 'x', 'a')",
        "return string.find('xx', 'x', '2')",
        "return string.find('xx', 'x', 1.9)",
        "return string.find(123, 2)",
        "return string.match(1.5, '%d')",
        "return s.find({}, 'x')",
        "return s:find()",
        "return s:find(nil)",
        "return s:find({})",
        "return s:gsub('x')",
        "return s:gsub('x', nil)",
        "return s:gsub('x', true)",
        "return s:gsub('x', 5)",
        "return s:gsub('.', function() return {} end)",
        "return s:gsub('.', function() return true end)",
        "return s:gsub('.', {a = {}})",
        "return s:gsub('.', 'x', 'y')",
        "return s:gsub('.', 'x', 1.9)",
        "return s:gsub('.', 'x', -1)",
        "return s:gsub('.', '%')",
        "return s:gsub('.', '%2')",
        "return s:gmatch()",
        "return string.gmatch({}, '')",
        "return string.rep()",
        "return string.rep('x')",
        "return string.rep('x', '3')",
        "return string.rep('x', 2.9)",
        "return string.rep('x', {})",
        "return string.rep(7, 2)",
        "return s:rep(-3)",
        "return s:rep(0)",
        "return string.gsub('abc', '', '-')",
        "return string.gsub('abc', '^a', '-')",
        "return string.gsub('hello world', 'o', {o = '0'}, 1)",
        "return string.gsub('abc', '%w', '%0%0')",
        "return string.find('a\\0b', '\\0')",
        "return string.find('a\\0b', 'a\\0b')",
        "return string.find('a\\0b', '%z')",
        "return string.find('abc', 'b', -1)",
        "return string.find('abc', '', 10)",
        "return string.find('', '')",
        "return string.gfind('aa', 'a')()",
    ] {
        let (theirs, ours) = both(&plain, &sandbox, code, b"abc", b"", &Value::Nil);
        assert_eq!(ours, theirs, "{code}");
    }
}
