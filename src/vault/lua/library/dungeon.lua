-- Points of a map or a level, and the table `callback`, where files put the functions that their triggers name.
--
-- Part of Wallcrawler's own helper library. Functions in `dgn` get the map as first argument when a map calls them by
-- their bare names; `dgn.point(x, y)`, called by its full name, does not. Hooks, connections between
-- cells, and the positions of markers are provided by the runtime.

callback = rawget(_G, "callback") or {}

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
dgn.point = point

--- Points from pairs: dgn.points({1, 2}, {3, 4}); arguments that are points already are returned unchanged.
function dgn.points(...)
    local list = {}
    for _, pair in ipairs({ ... }) do
        list[#list + 1] = point(pair)
    end
    return list
end
