-- Environments: what a name means in a map, in a file's prelude and in the library.
--
-- A map's names are looked up first in its own table, then among the functions of dgn (bound to the map when
-- they are first used), then in its file's table, then in the base globals. A name that is defined nowhere but
-- that a file uses becomes an opaque value, whose use is recorded and noted.

local dgn, base, record, lookup, missing, grid_get, grid_put, mark = ...
local rawget, rawset, setmetatable, type, select, pairs, ipairs, pcall =
  rawget, rawset, setmetatable, type, select, pairs, ipairs, pcall

-- A value that only the game would know. It can be called, indexed and joined to text, where a mark on both sides
-- identifies it; as the iterator of a loop it ends the loop at once.
local function opaque(name)
  local meta = {}
  function meta.__index(t, key)
    local member = opaque(name .. "." .. tostring(key))
    rawset(t, key, member)
    return member
  end
  function meta.__call(_, ...)
    if select("#", ...) == 2 and select(1, ...) == nil and select(2, ...) == nil then
      return nil
    end
    record(name, ...)
    return opaque(name .. "()")
  end
  function meta.__tostring() return mark .. name .. mark end
  function meta.__concat(a, b) return tostring(a) .. tostring(b) end
  local function zero() return 0 end
  meta.__add, meta.__sub, meta.__mul, meta.__div, meta.__mod, meta.__pow, meta.__unm =
    zero, zero, zero, zero, zero, zero, zero
  meta.__lt = function() return false end
  meta.__le = meta.__lt
  return setmetatable({}, meta)
end

-- A module of the game: a name that it lacks is an opaque value, and is reported as missing.
local function module(name, table)
  return setmetatable(table, {
    __index = function(t, key)
      missing(t, name, key)
      local member = opaque(name .. "." .. tostring(key))
      rawset(t, key, member)
      return member
    end,
  })
end

-- The glyphs of a map as columns of rows, both from 0.
local function mapgrd(map)
  return setmetatable({}, {
    __index = function(t, x)
      local column = setmetatable({}, {
        __index = function(_, y) return grid_get(map, x, y) end,
        __newindex = function(_, y, glyph) grid_put(map, x, y, glyph) end,
      })
      rawset(t, x, column)
      return column
    end,
  })
end

-- The table of a file, with the names that its prelude defines.
local function file_table()
  local file = setmetatable({}, { __index = base })
  rawset(file, "_G", file)
  return file
end

-- The table of a map.
local function map_table(map, file)
  local env = {}
  env._G = env
  return setmetatable(env, {
    __index = function(t, name)
      local f = rawget(dgn, name)
      if type(f) == "function" then
        local function bound(...) return f(map, ...) end
        rawset(t, name, bound)
        return bound
      elseif name == "mapgrd" then
        local grid = mapgrd(map)
        rawset(t, name, grid)
        return grid
      end
      local value = file[name]
      if value == nil then value = f end
      return value
    end,
  })
end

-- Counters: the numbers among the base globals and in their tables. Once they are stored, a reset restores the values
-- with which their module was loaded, and removes the globals that runs have made.
local kept, made = nil, {}

local function keep_numbers(table)
  for key, value in pairs(table) do
    if type(value) == "number" then kept[#kept + 1] = { table, key, value } end
  end
end

local function keep(table)
  -- `pairs` fails on tables whose keys are objects; such tables hold no counters.
  pcall(keep_numbers, table)
end

local function keep_counters()
  if not kept then
    kept = {}
    keep(base)
    for _, value in pairs(base) do
      if type(value) == "table" and value ~= base then keep(value) end
    end
  end
  for _, name in ipairs(made) do
    local value = rawget(base, name)
    if type(value) == "number" then kept[#kept + 1] = { base, name, value } end
    if type(value) == "table" then keep(value) end
  end
  made = {}
end

local function reset_counters()
  for _, counter in ipairs(kept or {}) do rawset(counter[1], counter[2], counter[3]) end
  for _, name in ipairs(made) do rawset(base, name, nil) end
  made = {}
end

-- A name that the base globals lack may be defined by another file, or nowhere.
setmetatable(base, {
  __index = function(_, name)
    local is_opaque, value = lookup(name)
    if is_opaque then return opaque(name) end
    return value
  end,
  __newindex = function(_, name, value)
    rawset(base, name, value)
    if kept then made[#made + 1] = name end
  end,
})

return { opaque = opaque, module = module, file_table = file_table, map_table = map_table, keep_counters = keep_counters,
  reset_counters = reset_counters }
