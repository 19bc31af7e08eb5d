//! Runs programs that would never end, or would crash the process, without the sandbox's limits.

use super::*;

#[track_caller]
fn ends_with(kind: FailureKind, code: &str) -> LuaFailure {
    let sandbox = sandbox();
    let failure = eval(&sandbox, code).expect_err(code);
    assert_eq!(failure.kind, kind, "{code}: {failure}");
    usable(&sandbox, code);
    failure
}

/// Checks that the next run after a failure has its full limits.
#[track_caller]
fn usable(sandbox: &Sandbox, code: &str) {
    let next = eval(
        sandbox,
        "local s = ('x'):rep(1e6) for i = 1, 1e4 do s = s:sub(2) .. 'y' if i > 2 then break end end return #s",
    );
    assert_eq!(next.as_deref(), Ok("1000000"), "after {code}");
}

#[test]
fn endless_loops_are_stopped_and_named() {
    let failure = ends_with(FailureKind::Instructions, "\nlocal i = 0\nwhile true do i = i + 1 end");
    assert_eq!((failure.file.as_deref(), failure.line), (Some("a.des"), Some(3)));
    assert_eq!(
        failure.message,
        "stopped after 200000 instructions: does it loop forever?"
    );
    for code in [
        "repeat until false",
        "for i = 1, math.huge do end",
        "local function f() return f() end f()",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) for i = 1, 1e9 do pcall(function() return t[1] end) end",
    ] {
        ends_with(FailureKind::Instructions, code);
    }
}

#[test]
fn no_code_can_catch_the_end_of_a_run() {
    for code in [
        "while true do pcall(function() while true do end end) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) end",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "while true do pcall(coroutine.wrap(function() while true do end end)) end",
        "local function f() while true do pcall(f) end end f()",
        "local function f() while true do coroutine.resume(coroutine.create(f)) end end f()",
        "local co co = coroutine.create(function() while true do coroutine.yield() end end) while true do coroutine.resume(co) end",
        "while true do coroutine.wrap(function() end)() end",
        "local p = pcall while true do p(p, p, p, function() while true do end end) end",
        "local s = setmetatable({}, {__tostring = function() while true do end end}) while true do pcall(tostring, s) end",
        "while true do pcall(string.gsub, ('x'):rep(100), '.', function() while true do end end) end",
        "while true do pcall(table.sort, {1, 2, 3}, function() while true do end end) end",
        "error(setmetatable({}, {__tostring = function() while true do end end}))",
    ] {
        let sandbox = sandbox();
        let failure = eval(&sandbox, code).expect_err(code);
        if !code.starts_with("error") {
            assert_eq!(failure.kind, FailureKind::Instructions, "{code}: {failure}");
        }
        usable(&sandbox, code);
    }
}

#[test]
fn coroutines_created_in_a_loop_do_not_escape_the_limit() {
    // Each coroutine runs fewer instructions than the hook's slice, and creates more coroutines.
    let code = "local made = 0 local function f(n) made = made + 1 \
                if n > 0 then for i = 1, 20 do coroutine.wrap(f)(n - 1) end end end \
                pcall(f, 30) return made";
    ends_with(FailureKind::Instructions, code);
}

#[test]
fn library_functions_that_loop_are_counted_or_end() {
    for code in [
        "return #string.rep('', 2^31 - 1)",
        "return pcall(string.rep, 'x', 1e300)",
        "return pcall(string.rep, 'x', -1e300)",
        "return pcall(string.format, '%999999999d', 1)",
        "return pcall(string.format, '%99.99f', 1e308)",
        "return pcall(unpack, {}, 1, 1e8)",
        "return pcall(unpack, {}, -2^31, 2^31)",
        "return pcall(unpack, {}, -2^53, 2^53)",
        "return pcall(string.byte, ('x'):rep(1e6), 1, -1)",
        "return pcall(table.concat, {}, 'x', 1, 2^31 - 1)",
        "return pcall(table.concat, {1}, ('x'):rep(1e6), 1, 1)",
        "return select('#', pcall(table.remove, {}, -2^31))",
        "return tonumber(('1'):rep(1e6))",
        "return tonumber(('f'):rep(1e6), 16)",
        "return ('1'):rep(1e6) + 1",
        "return pcall(string.char, unpack({}, 1, 7000))",
        "return #table.concat({('x'):rep(1e6), ('y'):rep(1e6)}, ',')",
        "return pcall(select, -1e9, 1)",
        "return table.maxn({[1e300] = 1})",
        "return pcall(setmetatable, {}, {__metatable = 1})",
    ] {
        let sandbox = sandbox();
        assert!(eval(&sandbox, code).is_ok(), "{code}: {:?}", eval(&sandbox, code));
        usable(&sandbox, code);
    }
    for code in [
        "table.insert({}, -2^31, 1)",
        "table.insert({}, -math.huge, 1)",
        "local t = {} for i = 1, 1e5 do table.insert(t, 1, i) end",
        "local t = {} for i = 1, 1e4 do t[i] = i end while #t > 0 do table.remove(t, 1) end",
        "local t = {} for i = 1, 1e4 do t[i] = -i end table.sort(t, function() return true end)",
        "table.foreachi({1, 2, 3}, function() while true do end end)",
        "local s = ('a'):rep(1e6) while true do local t = s:find('b', 1, true) end",
        "local s = ('a'):rep(1e6) while true do s:gsub('a', 'b') end",
        "while true do local s = ('a'):rep(1e6) end",
    ] {
        ends_with(FailureKind::Instructions, code);
    }
}

#[test]
fn catastrophic_patterns_end() {
    for code in [
        "return ('a'):rep(1e4):find('a*a*a*a*a*b')",
        "return ('a'):rep(1e4):match('.-.-.-.-.-b')",
        "return ('a'):rep(1e4):gsub('a*a*a*b', '')",
        "for x in ('a'):rep(1e4):gmatch('a-a-a-b') do end",
        "return ('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(41))",
        "return ('('):rep(1e5):gsub('%b()', '')",
        "return ('a'):rep(1e5):find('[' .. ('b'):rep(1e5) .. ']')",
        "return ('ab'):rep(1e5):find('(a.*)%1%1%1$')",
    ] {
        ends_with(FailureKind::Instructions, code);
    }
}

#[test]
fn memory_bombs_are_stopped() {
    for code in [
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 1e9 do t[i] = {} end",
        "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
        "return ('x'):rep(1e9)",
        "return ('x'):rep(1e6):rep(1e6)",
        "return ('x'):rep(1e4):gsub('.', ('y'):rep(1e4))",
        "return ('x'):rep(1e4):gsub('.', {x = ('y'):rep(1e4)})",
        "return ('x'):rep(3e3):gsub('', '%0' .. ('y'):rep(3e3))",
        "return ('x'):rep(1e6):gsub('.+', ('%0'):rep(1e6))",
        "local t = {} for i = 1, 100 do t[i] = ('x'):rep(1e5) end return table.concat(t)",
        "coroutine.wrap(function() local s = 'x' while true do s = s .. s end end)()",
        "local f = function() end for i = 1, 1e9 do local g = f f = function() return g end end",
    ] {
        let limits = Limits {
            instructions: 20_000_000,
            ..tight()
        };
        let sandbox = Sandbox::new(limits).expect("the library fits");
        let failure = eval(&sandbox, code).expect_err(code);
        assert!(failure.kind == FailureKind::Memory, "{code}: {failure}");
        usable(&sandbox, code);
    }
    let code = "for i = 1, 3 do pcall(function() local s = 'x' while true do s = s .. s end end) end return 'went on'";
    assert_eq!(
        answer(code),
        "went on",
        "memory comes back, so this error may be caught"
    );
}

/// Recursions as deep as Lua allows, each with a part of the expected error message; an empty text also allows success.
const DEEP: [(&str, &str); 16] = [
    ("local function f() return 1 + f() end f()", "stack overflow"),
    ("local function f() pcall(f) error('x') end f()", ""),
    ("local function f() return (pcall(f)) end return f()", ""),
    ("local function f() local ok, e = xpcall(f, f) error(e) end f()", ""),
    (
        "local function f() return (xpcall(f, function(e) return f() end)) end return f()",
        "",
    ),
    (
        "local function f() coroutine.wrap(f)() return 1 end f()",
        "C stack overflow",
    ),
    (
        "local function f() local co = coroutine.create(f) local ok, e = coroutine.resume(co) error(e) end f()",
        "",
    ),
    (
        "local function f() return (('x'):gsub('x', f)) end f()",
        "C stack overflow",
    ),
    (
        "local function f(s) return (s:gsub('.', function(c) return f(c) end)) end f('x')",
        "C stack overflow",
    ),
    (
        "local t t = setmetatable({}, {__index = function(_, k) return t[k] end}) return t.x",
        "C stack overflow",
    ),
    (
        "local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x",
        "loop in gettable",
    ),
    ("local t = setmetatable({}, {}) getmetatable(t).__call = t t()", ""),
    (
        "local function f() table.sort({1, 2}, f) return true end f()",
        "stack overflow",
    ),
    (
        "local t t = setmetatable({}, {__tostring = function() return tostring(t) end}) return tostring(t)",
        "",
    ),
    (
        "local t t = setmetatable({}, {__concat = function(a, b) return a .. b end}) return t .. t",
        "",
    ),
    (
        "local t t = setmetatable({}, {__eq = function(a, b) return a == b end}) return t == setmetatable({}, getmetatable(t))",
        "",
    ),
];

#[test]
fn deep_recursion_is_an_error_and_never_a_crash() {
    // The code below runs in a thread with the default stack size of Rust's threads.
    let deep = || {
        for (code, words) in DEEP {
            let sandbox = Sandbox::new(Limits {
                instructions: 3_000_000,
                ..tight()
            })
            .expect("the library fits");
            if let Err(failure) = eval(&sandbox, code) {
                assert!(failure.message.contains(words), "{code}: {failure}");
            } else {
                assert_eq!(words, "", "{code}");
            }
            usable(&sandbox, code);
        }
    };
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(deep)
        .expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn deeply_nested_patterns_and_code_do_not_crash() {
    for code in [
        "return pcall(string.find, ('a'):rep(1e5), ('a?'):rep(2e5))",
        "return pcall(string.find, ('a'):rep(40), ('('):rep(40))",
        "return pcall(string.find, ('a'):rep(1e5), ('(a)'):rep(33))",
        "return pcall(string.gsub, ('a'):rep(10), ('(a?)'):rep(32), '%9')",
    ] {
        let sandbox = Sandbox::new(Limits {
            instructions: 3_000_000,
            ..tight()
        })
        .expect("the library fits");
        assert!(eval(&sandbox, code).is_ok(), "{code}: {:?}", eval(&sandbox, code));
    }
    let nested = format!("return {}1{}", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(failure(&nested).kind, FailureKind::Syntax);
    let nested = "{".repeat(100_000);
    assert_eq!(failure(&nested).kind, FailureKind::Syntax);
}

#[test]
fn our_functions_accept_as_many_arguments_as_lua_can_pass() {
    for name in [
        "string.find",
        "string.match",
        "string.gmatch",
        "string.gsub",
        "string.rep",
        "pcall",
        "xpcall",
        "coroutine.create",
        "coroutine.wrap",
        "table.insert",
        "table.remove",
        "table.sort",
    ] {
        for count in [7_900, 7_990, 7_998, 7_999, 8_000] {
            let code = format!("return pcall(function() return {name}(unpack({{}}, 1, {count})) end)");
            let sandbox = sandbox();
            let said = eval(&sandbox, &code);
            assert!(said.is_ok(), "{name} {count}: {said:?}");
            // With more arguments than fit on a function's stack, the call to `pcall` itself fails.
            let code = format!("return pcall({name}, unpack({{}}, 1, {count}))");
            let said = eval(&sandbox, &code);
            assert!(
                said.as_ref()
                    .map_or_else(|failure| failure.kind == FailureKind::Error, |_| true),
                "{name} {count}: {said:?}"
            );
            usable(&sandbox, name);
        }
    }
}

#[test]
fn the_time_limit_ends_runs_that_the_other_limits_allow() {
    let limits = Limits {
        instructions: u64::MAX,
        memory: 64 << 20,
        time: Duration::from_millis(100),
    };
    let sandbox = Sandbox::new(limits).expect("the library fits");
    for code in [
        "while true do end",
        "local function f(...) return f(1, ...) end f()",
        "while true do pcall(function() while true do end end) end",
        "local s = ('x'):rep(1e7) while true do local t = s .. 'y' end",
        "local s = ('x'):rep(1e7) while true do local t = s:upper() end",
        "local a, b = ('x'):rep(1e7), ('x'):rep(1e7) .. 'y' while true do local t = a < b end",
    ] {
        let begin = std::time::Instant::now();
        let failure = eval(&sandbox, code).expect_err(code);
        assert_eq!(failure.kind, FailureKind::Time, "{code}: {failure}");
        assert!(
            begin.elapsed() < Duration::from_mins(4),
            "{code}: {:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn memory_in_use_does_not_cause_a_collection_before_every_run() {
    let sandbox = sandbox();
    let held = vec![b'x'; sandbox.meter().memory() * 2 / 5];
    let held = sandbox.lua().create_string(&held).unwrap();
    for _ in 0..200 {
        assert_eq!(eval(&sandbox, "return 1").as_deref(), Ok("1"));
    }
    assert!(sandbox.tidied() <= 2, "{} collections", sandbox.tidied());
    // Garbage above the limit is still freed: each string takes a twentieth of the memory.
    let code = format!("return #('x'):rep({})", sandbox.meter().memory() / 20);
    for _ in 0..100 {
        assert!(eval(&sandbox, &code).is_ok());
    }
    drop(held);
    usable(&sandbox, "a string that was held");
}
