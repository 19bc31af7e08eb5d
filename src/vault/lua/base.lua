-- Replacements for functions of standard Lua that loop or catch errors out of reach of the sandbox's limits.
-- Arguments: `plain`, which turns a caught error into text, or raises it again if the run must end; and `begin`,
-- which charges the first instructions of a coroutine. Returns a function that begins a run and restarts the
-- numbering of objects.
local plain, begin = ...

local pcall, error, type, select, next, tonumber = pcall, error, type, select, next, tonumber
local unpack, rawget, rawset, floor, ceil = unpack, rawget, rawset, math.floor, math.ceil
local resume, create, wrap = coroutine.resume, coroutine.create, coroutine.wrap
local setmetatable, tostring, sort, find = setmetatable, tostring, table.sort, string.find

-- Standard Lua's `pcall` returns only a few results: many are passed through it as one, after a mark that identifies them.
local MANY = {}

local function few(...)
  local count = select("#", ...)
  if count <= 15 then return ... end
  return MANY, {...}, count
end

local function call(f, ...)
  return few(f(...))
end

local function caught(ok, first, ...)
  if not ok then return false, plain(first) end
  if first ~= MANY then return true, first, ... end
  local results, count = ...
  return true, unpack(results, 1, count)
end

-- Like `caught`, but a success without results stays one.
local function returned(...)
  if select("#", ...) == 1 then return true end
  return caught(...)
end

function _G.pcall(f, ...)
  return returned(pcall(call, f, ...))
end

local function handled(handler, ok, ...)
  if ok then return returned(ok, ...) end
  return false, select(2, caught(pcall(call, handler, plain((...)))))
end

-- Standard Lua calls the handler where the error occurs, out of reach of hooks; here it is called once the error is caught.
function _G.xpcall(f, handler, ...)
  return handled(handler, pcall(call, f, ...))
end

function coroutine.resume(thread, ...)
  return returned(resume(thread, ...))
end

function coroutine.create(f)
  begin()
  return (create(f))
end

function coroutine.wrap(f)
  begin()
  return (wrap(f))
end

local function need(value, kind, number, name)
  if type(value) ~= kind then
    local given = value == nil and "no value" or type(value)
    error("bad argument #" .. number .. " to '" .. name .. "' (" .. kind .. " expected, got " .. given .. ")", 3)
  end
end

local function whole(value, name)
  local number = tonumber(value)
  if not number then
    error("bad argument #2 to '" .. name .. "' (number expected, got " .. type(value) .. ")", 3)
  end
  return number < 0 and ceil(number) or floor(number)
end

function table.insert(t, ...)
  need(t, "table", 1, "insert")
  local last, count = #t + 1, select("#", ...)
  local pos, value = ...
  if count == 1 then
    rawset(t, last, pos)
    return
  elseif count ~= 2 then
    error("wrong number of arguments to 'insert'", 2)
  end
  pos = whole(pos, "insert")
  for i = last, pos + 1, -1 do
    rawset(t, i, rawget(t, i - 1))
  end
  rawset(t, pos, value)
end

function table.remove(t, pos)
  need(t, "table", 1, "remove")
  local last = #t
  pos = pos == nil and last or whole(pos, "remove")
  if pos < 1 or pos > last then return end
  local value = rawget(t, pos)
  for i = pos, last - 1 do
    rawset(t, i, rawget(t, i + 1))
  end
  rawset(t, last, nil)
  return value
end

-- Standard Lua orders keys by their hashes, and those of tables and functions by their addresses. Here numbers come first,
-- then strings, false and true, each in order, and at most one object, since nothing determines the order of two
-- objects.
local RANK = { number = 1, string = 2, boolean = 3 }

local function unordered(level)
  error("the keys of this table are objects (tables, functions), which have no order of their own: keep them in a list",
    level + 1)
end

local function ordered(t, level)
  local lists, counts, object = { {}, {}, {} }, { 0, 0, 0 }, nil
  for key in next, t do
    local rank = RANK[type(key)]
    if rank then
      counts[rank] = counts[rank] + 1
      lists[rank][counts[rank]] = key
    elseif object == nil then
      object = key
    else
      unordered(level + 1)
    end
  end
  local keys, flags = lists[1], lists[3]
  local count = counts[1]
  sort(keys)
  sort(lists[2])
  for i = 1, counts[2] do
    keys[count + i] = lists[2][i]
  end
  count = count + counts[2]
  if flags[1] and counts[3] == 2 then flags[1], flags[2] = false, true end
  for i = 1, counts[3] do
    keys[count + i] = flags[i]
  end
  count = count + counts[3]
  if object ~= nil then
    count = count + 1
    keys[count] = object
  end
  return keys, count
end

local function each(t, level)
  local keys, count = ordered(t, level + 1)
  local at = 0
  return function()
    while at < count do
      at = at + 1
      local key = keys[at]
      local value = rawget(t, key)
      if value ~= nil then return key, value end
    end
  end
end

function _G.pairs(t)
  need(t, "table", 1, "pairs")
  return each(t, 2), t, nil
end

local function before(a, b)
  local one, other = RANK[type(a)] or 4, RANK[type(b)] or 4
  if one ~= other then return one < other end
  if one == 3 then return not a and b end
  return one < 3 and a < b
end

function _G.next(t, last)
  need(t, "table", 1, "next")
  local least, object
  for key in next, t do
    if not RANK[type(key)] then
      if object ~= nil then unordered(2) end
      object = key
    end
    if (last == nil or before(last, key)) and (least == nil or before(key, least)) then
      least = key
    end
  end
  if least == nil then return nil end
  return least, rawget(t, least)
end

-- Objects are numbered in the order in which they are first converted to text, not by their addresses.
local named, names = setmetatable({}, { __mode = "k" }), 0

function _G.tostring(...)
  local text, value = tostring(...), (...)
  local kind = type(value)
  if RANK[kind] or value == nil or not find(text, "^" .. kind .. ": 0?x?%x+$") then return text end
  local name = named[value]
  if not name then
    names = names + 1
    name = names
    named[value] = name
  end
  return kind .. ": " .. name
end

-- The contents of a weak table depend on when garbage is collected; those of other tables do not.
function _G.setmetatable(...)
  local _, meta = ...
  if type(meta) == "table" then rawset(meta, "__mode", nil) end
  return (setmetatable(...))
end

function table.foreach(t, f)
  need(t, "table", 1, "foreach")
  for key, value in each(t, 2) do
    local answer = f(key, value)
    if answer ~= nil then return answer end
  end
end

function table.foreachi(t, f)
  need(t, "table", 1, "foreachi")
  for i = 1, #t do
    local answer = f(i, rawget(t, i))
    if answer ~= nil then return answer end
  end
end

local function less(a, b)
  return a < b
end

-- Merges runs of twice the length in each pass: ends after n log n comparisons, regardless of their results. Stable.
function table.sort(t, before)
  need(t, "table", 1, "sort")
  if before == nil then before = less else need(before, "function", 2, "sort") end
  local n, from, to = #t, {}, {}
  for i = 1, n do from[i] = rawget(t, i) end
  local length = 1
  while length < n do
    for start = 1, n, 2 * length do
      local middle, stop = start + length, start + 2 * length
      if middle > n then middle = n + 1 end
      if stop > n then stop = n + 1 end
      local a, b = start, middle
      for k = start, stop - 1 do
        if a < middle and (b >= stop or not before(from[b], from[a])) then
          to[k], a = from[a], a + 1
        else
          to[k], b = from[b], b + 1
        end
      end
    end
    from, to, length = to, from, 2 * length
  end
  for i = 1, n do rawset(t, i, from[i]) end
end

table.unpack = unpack

return function()
  if names > 0 then
    named, names = setmetatable({}, { __mode = "k" }), 0
  end
end
