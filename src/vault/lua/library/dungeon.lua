-- Points and ways: what level files take from the game's start beside its C functions.
--
-- Part of Wallcrawler's own helper library. Functions in `dgn` get the map as first argument; in a map they are
-- called without it, as every function of `dgn`. Whatever the runtime offers itself is left as it is: only absent
-- names are filled. The table `callback` is where files put the functions that their triggers name.

callback = rawget(_G, "callback") or {}
dgn = rawget(_G, "dgn") or {}
dgn.persist = rawget(dgn, "persist") or {}

-- Sets dgn[name] unless the runtime has it.
local function offer(name, value)
    if rawget(dgn, name) == nil then
        dgn[name] = value
    end
end

-- Points ----------------------------------------------------------------------

local Point = {}
Point.__index = Point

local function point(x, y)
    if type(x) == "table" then
        x, y = x.x or x[1], x.y or x[2]
    elseif type(x) == "function" then
        x, y = x()
    end
    return setmetatable({ x = tonumber(x) or 0, y = tonumber(y) or 0 }, Point)
end

function Point.__eq(a, b) return a.x == b.x and a.y == b.y end
function Point.__add(a, b) return point(a.x + b.x, a.y + b.y) end
function Point.__sub(a, b) return point(a.x - b.x, a.y - b.y) end
function Point.__unm(a) return point(-a.x, -a.y) end
function Point.__mul(a, k)
    if type(a) == "number" then a, k = k, a end
    return point(a.x * k, a.y * k)
end
function Point.__tostring(a) return "(" .. a.x .. "," .. a.y .. ")" end

--- Both coordinates of a point.
function Point:xy() return self.x, self.y end

--- The greater of the distances along x and y to another point.
function Point:distance(other)
    return math.max(math.abs(self.x - other.x), math.abs(self.y - other.y))
end

local SIDES = { up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } }
for name, step in pairs(SIDES) do
    Point[name] = function(self, n)
        n = n or 1
        return point(self.x + step[1] * n, self.y + step[2] * n)
    end
end

--- A point with x, y, arithmetic and comparison: dgn.point(x, y).
offer("point", point)

--- Points of pairs: dgn.points({1, 2}, {3, 4}); single points pass through.
offer("points", function(...)
    local list = {}
    for _, pair in ipairs({ ... }) do
        list[#list + 1] = point(pair)
    end
    return list
end)

-- Ways ------------------------------------------------------------------------
-- The runtime floods the grid itself; these are for a runtime that only knows points.

local function points_of(map, original, glyphs)
    local list = {}
    local find = original and dgn.orig_gly_points or dgn.gly_points
    for i = 1, #glyphs do
        local found = { find(map, string.sub(glyphs, i, i)) }
        for j = 1, #found do
            list[#list + 1] = found[j]
        end
    end
    return list
end

local function connected(original, test)
    return function(map, ...)
        local flat = {}
        for _, glyph in ipairs({ ... }) do
            local found = points_of(map, original, glyph)
            if #found == 0 then
                error("no glyph '" .. tostring(glyph) .. "' in the map")
            end
            flat[#flat + 1] = found[1]
            flat[#flat + 1] = found[2]
        end
        local whole = original and dgn.original_map(map) or map
        return dgn[test](whole, unpack(flat))
    end
end

offer("glyphs_connected", connected(false, "points_connected"))
offer("any_glyph_connected", connected(false, "any_point_connected"))
offer("orig_glyphs_connected", connected(true, "points_connected"))
offer("orig_any_glyph_connected", connected(true, "any_point_connected"))

--- Can the vault be left on foot from the first cell that shows the glyph?
offer("has_exit_from_glyph", function(map, glyph)
    local found = points_of(map, false, glyph)
    if #found == 0 then
        error("no glyph '" .. tostring(glyph) .. "' in the map")
    end
    return dgn.has_exit_from(map, found[1], found[2])
end)

offer("orig_has_exit_from_glyph", function(map, glyph)
    local found = points_of(map, true, glyph)
    if #found == 0 then
        error("no glyph '" .. tostring(glyph) .. "' in the map")
    end
    return dgn.has_exit_from(dgn.original_map(map), found[1], found[2])
end)

-- Markers that were placed: none before the game runs --------------------------

offer("find_marker_positions_by_prop", function() return {} end)
offer("find_markers_by_prop", function() return {} end)
offer("find_marker_position_by_prop", function() return nil end)
offer("find_marker_prop", function() return nil end)
offer("marker_at", function() return nil end)
offer("num_matching_markers", function() return 0 end)

--- The number of a feature by its name; the name itself where the runtime has no numbers.
offer("fnum", function(name)
    local number = rawget(dgn, "feature_number")
    return number and number(name) or name
end)

offer("fnum_map", function(names)
    local out = {}
    for _, name in ipairs(names) do
        out[dgn.fnum(name)] = name
    end
    return out
end)

-- Sizes of the world -----------------------------------------------------------

offer("max_bounds", function() return 80, 70 end)
offer("builder_bounds", function() return 80, 70 end)
offer("GXM", 80)
offer("GYM", 70)
