-- Lists, random choices and text: the small functions of `util` that level files use.
--
-- Part of Wallcrawler's own helper library. The only sources for these functions were their names, their calls in level
-- files and the documentation of the level-file language. Nothing here depends on maps. All random numbers come from
-- `crawl`, so the seed determines them; nothing depends on the order in which Lua stores the keys of a table.

util = rawget(_G, "util") or {}

local function call_or(value, ...)
    if type(value) == "function" then
        return value(...)
    end
    return value
end

-- Keys of different types in an order that does not depend on addresses: numbers, strings, then the rest.
local RANK = { number = 1, string = 2, boolean = 3 }

local function before(a, b)
    local ra, rb = RANK[type(a)] or 4, RANK[type(b)] or 4
    if ra ~= rb then
        return ra < rb
    end
    if ra <= 2 then
        return a < b
    end
    return tostring(a) < tostring(b)
end

--- The keys of a table, numbers first, each kind in order.
function util.keys(map)
    local keys = {}
    for key in pairs(map or {}) do
        keys[#keys + 1] = key
    end
    table.sort(keys, before)
    return keys
end

--- The values of a table, in the order of `util.keys`.
function util.values(map)
    local values = {}
    for _, key in ipairs(util.keys(map)) do
        values[#values + 1] = map[key]
    end
    return values
end

--- Pairs {key, value} of a table, in the order of `util.keys`.
function util.pairs(map)
    local list = {}
    for _, key in ipairs(util.keys(map)) do
        list[#list + 1] = { key, map[key] }
    end
    return list
end

--- Calls fn with each value of one list or of several in parallel; returns the list of results.
function util.map(fn, list, ...)
    local out, others = {}, { ... }
    for i = 1, #(list or {}) do
        local args = { list[i] }
        for j, other in ipairs(others) do
            args[j + 1] = other[i]
        end
        out[i] = fn(unpack(args, 1, 1 + #others))
    end
    return out
end

--- Like `util.map`, with the index as first argument of fn.
function util.indexed_map(fn, list)
    local out = {}
    for i, value in ipairs(list or {}) do
        out[i] = fn(i, value)
    end
    return out
end

--- Calls fn with each value of a list, for its effect.
function util.foreach(list, fn)
    -- Level files use both orders of the arguments.
    if type(list) == "function" then
        list, fn = fn, list
    end
    for _, value in ipairs(list or {}) do
        fn(value)
    end
end

--- The values of a list for which fn returns true.
function util.filter(fn, list)
    if type(fn) == "table" then
        fn, list = list, fn
    end
    local out = {}
    for _, value in ipairs(list or {}) do
        if fn(value) then
            out[#out + 1] = value
        end
    end
    return out
end

--- The values for which fn returns true, and the others: two lists.
function util.partition(fn, list)
    local yes, no = {}, {}
    for _, value in ipairs(list or {}) do
        local to = fn(value) and yes or no
        to[#to + 1] = value
    end
    return yes, no
end

--- Folds a list from the left: fn(accumulated, value).
function util.fold(fn, start, list)
    local value = start
    for _, item in ipairs(list or {}) do
        value = fn(value, item)
    end
    return value
end

util.foldl = util.fold

--- Returns whether the list contains the value.
function util.contains(list, value)
    for _, item in pairs(list or {}) do
        if item == value then
            return true
        end
    end
    return false
end

--- The index of the value in the list, or nil.
function util.index_of(list, value)
    for i, item in ipairs(list or {}) do
        if item == value then
            return i
        end
    end
    return nil
end

--- Returns whether fn returns true for any value.
function util.exists(list, fn)
    for _, item in ipairs(list or {}) do
        if fn(item) then
            return true
        end
    end
    return false
end

util.any = util.exists

--- Returns whether fn returns true for all values.
function util.forall(list, fn)
    for _, item in ipairs(list or {}) do
        if not fn(item) then
            return false
        end
    end
    return true
end

--- Appends the values of the other lists to the first one, and returns it.
function util.append(list, ...)
    for _, other in ipairs({ ... }) do
        for _, value in ipairs(other) do
            list[#list + 1] = value
        end
    end
    return list
end

--- One list with the values of several.
function util.catlist(...)
    return util.append({}, ...)
end

--- One table with the entries of several; of equal keys, the last entry counts.
function util.cathash(...)
    local out = {}
    for _, map in ipairs({ ... }) do
        for key, value in pairs(map) do
            out[key] = value
        end
    end
    return out
end

--- A table whose keys are the values of the list.
function util.set(list)
    local out = {}
    for _, value in ipairs(list or {}) do
        out[value] = true
    end
    return out
end

--- A shallow copy of the table.
function util.copy_table(map)
    local out = {}
    for key, value in pairs(map or {}) do
        out[key] = value
    end
    return setmetatable(out, getmetatable(map))
end

util.copy = util.copy_table

--- The values of a list from index first to last (counted from 1; negative ones from the end).
function util.slice(list, first, last)
    local out, n = {}, #list
    first = first or 1
    last = last or n
    if first < 0 then first = n + first + 1 end
    if last < 0 then last = n + last + 1 end
    for i = math.max(first, 1), math.min(last, n) do
        out[#out + 1] = list[i]
    end
    return out
end

--- A reversed copy of the list.
function util.reverse(list)
    local out, n = {}, #list
    for i = 1, n do
        out[i] = list[n + 1 - i]
    end
    return out
end

--- A sorted copy; fn as for table.sort.
function util.sort(list, fn)
    local out = util.slice(list)
    table.sort(out, fn or before)
    return out
end

--- Numbers from first to last; from 1 with one argument.
function util.range(first, last, step)
    if last == nil then
        first, last = 1, first
    end
    local out = {}
    for i = first, last, step or 1 do
        out[#out + 1] = i
    end
    return out
end

--- Returns whether two values are equal by content, including nested tables.
function util.equal(a, b)
    if type(a) ~= "table" or type(b) ~= "table" then
        return a == b
    end
    for key, value in pairs(a) do
        if not util.equal(value, b[key]) then
            return false
        end
    end
    for key in pairs(b) do
        if a[key] == nil then
            return false
        end
    end
    return true
end

--- A function that calls fn with the given arguments, followed by its own.
function util.curry(fn, ...)
    local given = { ... }
    local n = select("#", ...)
    return function(...)
        local args, more = {}, select("#", ...)
        for i = 1, n do args[i] = given[i] end
        for i = 1, more do args[n + i] = (select(i, ...)) end
        return fn(unpack(args, 1, n + more))
    end
end

--- Returns its argument.
function util.identity(value)
    return value
end

-- Text ------------------------------------------------------------------------

--- The strings of a list, joined with a separator.
function util.join(separator, list)
    if type(separator) == "table" then
        separator, list = list or " ", separator
    end
    local texts = {}
    for i, value in ipairs(list or {}) do
        texts[i] = tostring(value)
    end
    return table.concat(texts, separator)
end

--- The parts of a string between separators (plain text), without blanks around them. The separator comes first, as in
--- util.join; the other order is accepted if the separator is the shorter string.
function util.split(separator, text)
    if text == nil then
        separator, text = " ", separator
    elseif #text < #separator and string.find(separator, text, 1, true) then
        separator, text = text, separator
    end
    local parts, from = {}, 1
    while true do
        local at, last = string.find(text, separator, from, true)
        local part = string.sub(text, from, (at or 0) - 1)
        parts[#parts + 1] = util.trim(part)
        if not at then
            return parts
        end
        from = last + 1
    end
end

--- A string without blanks at its ends.
function util.trim(text)
    return (string.gsub(string.gsub(text, "^%s+", ""), "%s+$", ""))
end

--- Replaces each {name} in a string with the entry of the table.
function util.expand(text, map)
    return (string.gsub(text, "{([%w_]+)}", function(name)
        local value = map[name]
        return value ~= nil and tostring(value) or nil
    end))
end

-- Random choices --------------------------------------------------------------

--- One value of a list, each equally likely; nil for an empty one.
function util.random_from(list)
    if #list == 0 then
        -- A list that only the game has is returned in place of the value that would be drawn from it.
        return getmetatable(list) and list or nil
    end
    return list[crawl.random2(#list) + 1]
end

--- Up to n values of a list, each at most once, in random order.
function util.random_subset(list, n)
    local pool = util.slice(list)
    local out = {}
    for i = 1, math.min(n or #pool, #pool) do
        local j = i + crawl.random2(#pool - i + 1)
        pool[i], pool[j] = pool[j], pool[i]
        out[i] = pool[i]
    end
    return out
end

--- A shuffled copy of a list.
function util.shuffle(list)
    return util.random_subset(list, #list)
end

-- An index drawn by weight; weights below 1 are never drawn; nil if there is no other.
local function draw(weights)
    local total = 0
    for _, weight in ipairs(weights) do
        total = total + math.max(math.floor(weight), 0)
    end
    if total <= 0 then
        return nil
    end
    local roll = crawl.random2(total)
    for i, weight in ipairs(weights) do
        roll = roll - math.max(math.floor(weight), 0)
        if roll < 0 then
            return i
        end
    end
    return nil
end

-- The weights, scaled so that fractions count, because rolls are whole numbers.
local function scaled(weights)
    for _, weight in ipairs(weights) do
        if weight ~= math.floor(weight) then
            return util.map(function(w) return math.floor(w * 1000 + 0.5) end, weights)
        end
    end
    return weights
end

--- The index of one entry of a list of {value, weight}, drawn by weight (default: 10).
function util.random_choose_weighted_i(list)
    return draw(scaled(util.map(function(entry)
        return tonumber(call_or(entry[2] or entry.weight or 10)) or 0
    end, list)))
end

--- One value of a list of {value, weight}, drawn by weight.
function util.random_choose_weighted(list)
    local i = util.random_choose_weighted_i(list)
    return i and list[i][1]
end

--- One entry of a list of tables, drawn by weight: the entry's field `key`, or key(entry).
function util.random_weighted_from(key, list)
    if type(key) == "table" then
        key, list = list or "weight", key
    end
    local i = draw(scaled(util.map(function(entry)
        local weight = type(key) == "function" and key(entry) or entry[key]
        return tonumber(call_or(weight or 10, entry)) or 0
    end, list)))
    return i and list[i]
end

--- One key of a table of weights, drawn by weight.
function util.random_weighted_keys(weight_of, map)
    if map == nil then
        weight_of, map = function(_, w) return w end, weight_of
    end
    local keys = util.keys(map)
    local i = draw(scaled(util.map(function(key)
        return tonumber(weight_of(key, map[key])) or 0
    end, keys)))
    return i and keys[i]
end

--- A real number from low to high.
function util.random_range_real(low, high)
    return low + (high - low) * crawl.random_real()
end

--- The global table called `name`, which is created if necessary.
function util.namespace(name)
    _G[name] = _G[name] or {}
    return _G[name]
end

--- Creates a class: a table whose instances inherit its members.
function util.newclass(name, parent)
    local class = { CLASS = name }
    class.__index = class
    if parent then
        setmetatable(class, { __index = parent })
    end
    return class
end

util.subclass = function(parent, name)
    return util.newclass(name, parent)
end
