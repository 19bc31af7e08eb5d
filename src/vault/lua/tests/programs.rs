//! Runs random programs that are composed of potentially endless pieces: every run must end.

use proptest::prelude::*;

use super::*;

/// Generates expressions, some of which fail.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "x",
        "n",
        "t",
        "s",
        "f",
        "nil",
        "'aab'",
        "#t",
        "#s",
        "1e9",
        "-1",
        "2^31",
        "{}",
        "co",
        "t.x",
        "t[n]",
        "'.-a*a*b'",
        "'a?'",
        "function() end",
        "function(...) return ... end",
        "function() n = n + 1 return n < 5 end",
        "math.huge",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let function = prop::sample::select(vec![
            "f", "pcall", "xpcall", "tostring", "select", "unpack", "type", "next", "rawset", "rawget", "setmetatable",
            "getmetatable", "pairs", "ipairs", "error", "assert", "tonumber", "coroutine.wrap", "coroutine.create",
            "coroutine.resume", "coroutine.status", "coroutine.yield", "coroutine.running", "string.rep", "string.find", "string.gsub",
            "string.gmatch", "string.match", "string.format", "string.byte", "string.char", "string.sub", "table.insert",
            "table.remove", "table.concat", "table.sort", "table.foreach", "table.foreachi", "table.maxn", "pcall(f, ", "co",
        ]);
        let sign = prop::sample::select(vec!["+", "..", "<", "==", "and", "or", "*", "%"]);
        prop_oneof![
            4 => (function, prop::collection::vec(inner.clone(), 0..4)).prop_map(|(name, arguments)| {
                let arguments = arguments.join(", ");
                if name.ends_with(", ") { format!("({name}{}))", if arguments.is_empty() { "nil" } else { &arguments }) } else { format!("({name}({arguments}))") }
            }),
            1 => (inner.clone(), sign, inner.clone()).prop_map(|(a, sign, b)| format!("({a} {sign} {b})")),
            1 => inner.prop_map(|value| format!("(function(...) n = n + 1 return {value} end)")),
        ]
    })
}

/// Generates statements: loops, definitions, protected calls, coroutines, memory.
fn statements() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => (prop::sample::select(vec!["x", "s", "t.x", "t[#t + 1]", "t[n]", "f", "co", "n"]), expression())
            .prop_map(|(place, value)| format!("{place} = {value}")),
        2 => expression().prop_map(|value| format!("x = pcall(function() return {value} end)")),
        1 => prop::sample::select(vec![
            "s = s .. s", "n = n + 1", "t = {t}", "s = s:rep(99)", "f(f)", "x = pcall(f, f)", "setmetatable(t, {__index = f, __newindex = f, __call = f, \
             __concat = f, __lt = f, __eq = f, __tostring = f})", "coroutine.wrap(f)()", "s:gsub('.', f)", "table.sort(t, f)",
            "coroutine.yield(n)", "error(t)",
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 24, 4, |inner| {
        let block = prop::collection::vec(inner, 1..4).prop_map(|lines| lines.join(" "));
        let head = prop::sample::select(vec![
            "while true do B end",
            "while pcall(function() B end) do end",
            "while true do pcall(function() B end) end",
            "repeat B until n > 1e9",
            "for i = 1, 1e9 do B end",
            "for i = 1, 3 do B end",
            "for i = 1, 30 do pcall(function() B end) end",
            "for k, v in pairs(t) do B end",
            "for w in s:gmatch('.-') do B end",
            "f = function(...) B end",
            "f = function(...) B return f(...) end",
            "co = coroutine.wrap(function(...) B end)",
            "co = coroutine.wrap(function(...) while true do B coroutine.yield(n) end end)",
            "coroutine.resume(coroutine.create(function() B end))",
            "while true do coroutine.wrap(function() B end)() end",
            "pcall(f, function() B end)",
            "xpcall(function() B end, function() B end)",
            "if n < 50 then n = n + 1 B end",
            "do local x, s, t = n, 'aaab', {} B end",
        ]);
        (head, block).prop_map(|(head, block)| head.replace('B', &block))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_program_ends(lines in prop::collection::vec(statements(), 1..5)) {
        let code = format!("local x, n, t, s, f, co = 0, 1, {{1, 2, 3}}, 'aaab', type, tostring\n{}", lines.join("\n"));
        let limits = Limits { instructions: 100_000, memory: 4 << 20, time: Duration::from_mins(10) };
        let sandbox = Sandbox::new(limits).expect("the library fits");
        if let Err(failure) = eval(&sandbox, &code) {
            prop_assert_ne!(failure.kind, FailureKind::Time, "{}", failure);
            prop_assert_ne!(failure.kind, FailureKind::Syntax, "{}\n{}", failure, code);
        }
        let next = eval(&sandbox, "return 'usable'");
        prop_assert_eq!(next.as_deref(), Ok("usable"));
    }
}
