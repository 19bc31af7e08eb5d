//! Tests that the results of a run depend neither on the addresses of its values in memory nor on earlier runs.

use super::*;

/// Returns a sandbox with a used heap: tables and functions of many sizes, some of them freed.
fn used(rounds: usize) -> Sandbox {
    let sandbox = Sandbox::new(Limits::default()).unwrap();
    let code = format!(
        "kept = {{}} for i = 1, {rounds} do local t = {{}} for j = 1, i % 7 do t[j] = {{ function() return i end }} end
         if i % 3 > 0 then kept[i] = t end end return tostring(kept)"
    );
    eval(&sandbox, &code).unwrap();
    sandbox
}

/// Returns the results of a chunk in several heaps that have different layouts.
fn answers(code: &str) -> Vec<Result<String, LuaFailure>> {
    let layouts = [0, 5, 333, 2_001];
    layouts.iter().map(|rounds| eval(&used(*rounds), code)).collect()
}

/// Expressions for values that can be keys of a table but have no natural order.
const OBJECTS: [&str; 4] = [
    "{}",
    "function() end",
    "coroutine.create(function() end)",
    "setmetatable({}, {})",
];

#[test]
fn tables_with_several_objects_as_keys_cannot_be_traversed() {
    for object in OBJECTS {
        let iterations = [
            "for key, value in pairs(t) do seen = seen .. value end",
            "for key, value in next, t do seen = seen .. value end",
            "table.foreach(t, function(key, value) seen = seen .. value end)",
            "local key, value = next(t, 'a') seen = seen .. value",
        ];
        for iterate in iterations {
            let code = format!(
                "local t, seen = {{ a = 'a', b = 'b', c = 'c' }}, ''
                 for i = 1, 20 do t[{object}] = ' ' .. i end
                 local ok, why = pcall(function() {iterate} end)
                 return ok, why, seen"
            );
            let answers = answers(&code);
            let first = answers[0].as_ref().unwrap();
            assert!(first.starts_with("false "), "{code}: {first}");
            assert!(first.contains("keep them in a list") && first.ends_with(' '), "{first}");
            assert!(answers.iter().all(|answer| answer == &answers[0]), "{answers:?}");
        }
    }
}

#[test]
fn removed_keys_do_not_affect_the_order() {
    let code = "local t = {} for i = 1, 40 do t[{}] = i end for key in pairs({}) do end
        local gone = {} for i = 1, 40 do local key = {} gone[i] = key t[key] = i end
        t = setmetatable({}, {}) for i, key in ipairs(gone) do t[key] = i end
        for i, name in ipairs({ 'x', 'y', 'long', 'q', 'zz', 'k1', 'k2', 'k3' }) do t[name] = i end
        t[2.5], t[-1], t[true], t[false] = 'half', 'minus', 'yes', 'no'
        for i, key in ipairs(gone) do t[key] = nil end
        local seen = {} for key, value in pairs(t) do seen[#seen + 1] = tostring(key) end
        for key in next, t do seen[#seen + 1] = tostring(key) end
        return table.concat(seen, ' ')";
    let order = "-1 2.5 k1 k2 k3 long q x y zz false true";
    for answer in answers(code) {
        assert_eq!(answer.unwrap(), format!("{order} {order}"));
    }
}

#[test]
fn a_single_object_among_the_keys_is_traversed() {
    let code = "local group = { 'me' } local found = 0
        for key, value in pairs({ [group] = 1, [3] = 2 }) do found = found * 10 + value end
        return found, next({ [group] = 1 }) == group, next({ [group] = 1 }, group)";
    assert_eq!(answer(code), "21 true nil");
}

#[test]
fn objects_are_numbered_from_1_in_each_run() {
    let code = "local a, b = {}, print or function() end return tostring(b), tostring(a), tostring(b), tostring({})";
    for answer in answers(code) {
        assert_eq!(answer.unwrap(), "function: 1 table: 2 function: 1 table: 3");
    }
    let named = "return tostring(setmetatable({}, { __tostring = function() return 'mine' end })), tostring(7)";
    assert_eq!(answer(named), "mine 7");
}

#[test]
fn tables_are_never_weak() {
    let code = "local t = setmetatable({}, { __mode = 'kv' }) for i = 1, 2000 do t[i] = {} end
        local n = 0 for key in pairs(t) do n = n + 1 end return n";
    for answer in answers(code) {
        assert_eq!(answer.unwrap(), "2000");
    }
}

#[test]
fn a_traversal_may_remove_the_keys_that_it_visits() {
    let code = "local t = { 1, 2, 3, a = 4 } local sum = 0
        for key, value in pairs(t) do t[key] = nil sum = sum + value end
        return sum, next(t), pcall(pairs), pcall(next, 5)";
    let description = answer(code);
    assert!(description.starts_with("10 nil false"), "{description}");
    assert!(
        description.contains("bad argument #1 to 'next' (table expected, got number)"),
        "{description}"
    );
}
