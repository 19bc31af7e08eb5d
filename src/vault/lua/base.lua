-- What stands in the sandbox instead of functions of C Lua that loop or catch errors where no limit reaches them.
-- Given are: `plain`, which turns a caught error into text, or raises it again when the run is to end, and `begin`,
-- which pays for the first instructions of a coroutine.
local plain, begin = ...

local pcall, error, type, select, next, tonumber = pcall, error, type, select, next, tonumber
local unpack, rawget, rawset, floor, ceil = unpack, rawget, rawset, math.floor, math.ceil
local resume, create, wrap = coroutine.resume, coroutine.create, coroutine.wrap

-- C Lua's `pcall` has room for few results: many go through it as one, behind a mark of their own.
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

-- As `caught`, but a success without results stays one.
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

-- C Lua calls the handler where the error is, beyond the reach of hooks; here it is called once the error is caught.
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

function table.foreach(t, f)
  need(t, "table", 1, "foreach")
  for key, value in next, t do
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

-- Merges runs of twice the length in each pass: ends after n log n comparisons, whatever they answer. Stable.
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
