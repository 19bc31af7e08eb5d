-- Functions of a position that shape the ground: procedural values f(x, y), which layouts mix and compare with limits.
--
-- Part of Wallcrawler's own helper library, written from the names and from what `crawl.simplex` and `crawl.worley`
-- offer. They are substitutes: similar to the game's functions, but not the same. Each function takes one
-- table of named values; without offsets, noise starts at a random position, so that each map gets different noise.

procedural = rawget(_G, "procedural") or {}

-- The angle of a direction; Lua 5.3 and later have it in math.atan.
local atan2 = math.atan2 or math.atan

-- Cells of a map in one unit of noise at scale 1: a cave of the usual size.
local UNIT = 10

local function number(params, name, default)
    return tonumber(params and params[name]) or default
end

-- The position of a cell in the noise space: scaled, shifted, and at one depth.
local function origin(params)
    local scale = number(params, "scale", 1) / UNIT
    local sx, sy = scale * number(params, "xscale", 1), scale * number(params, "yscale", 1)
    local ox = number(params, "xoff", nil) or crawl.random_real() * 1000
    local oy = number(params, "yoff", nil) or crawl.random_real() * 1000
    local z = number(params, "z", nil) or crawl.random_real() * 1000
    return function(x, y) return x * sx + ox, y * sy + oy, z end
end

-- The value, clamped to 0 to 1.
local function within(value)
    return math.max(0, math.min(1, value))
end

--- Smooth noise from 0 to 1: scale (greater is finer), xscale, yscale, xoff, yoff, z.
function procedural.simplex3d(params)
    local at = origin(params)
    return function(x, y)
        return within((crawl.simplex(at(x, y)) + 1) / 2)
    end
end

procedural.simplex = procedural.simplex3d
procedural.noise = procedural.simplex3d

--- The distance to the nearest scattered point, from 0 at the point to 1; parameters as for simplex3d.
function procedural.worley(params)
    local at = origin(params)
    return function(x, y)
        return within((crawl.worley(at(x, y))))
    end
end

--- By how much the second point is farther than the nearest: 0 on the borders of cells; parameters as for simplex3d.
function procedural.worley_diff(params)
    local at = origin(params)
    return function(x, y)
        return within(crawl.worley_diff(at(x, y)))
    end
end

--- The distance from a centre: 0 at the centre, 1 at a radius: x, y, radius; or the three numbers themselves.
function procedural.distance(params, cy, radius)
    local cx = params
    if type(params) == "table" then
        cx, cy, radius = params.x, params.y, params.radius or params.scale
    end
    cx, cy, radius = tonumber(cx) or 0, tonumber(cy) or 0, tonumber(radius) or 1
    return function(x, y)
        return math.sqrt((x - cx) ^ 2 + (y - cy) ^ 2) / radius
    end
end

--- With a radius, like procedural.distance; without one, the direction from a centre, from 0 (to the right) through 0.25
--- (down) to 1: x, y, phase, cycles.
function procedural.radial(params, cy, radius)
    if type(params) ~= "table" or params.radius then
        return procedural.distance(params, cy, radius)
    end
    local cx, y0 = number(params, "x", 0), number(params, "y", 0)
    local phase, cycles = number(params, "phase", 0), number(params, "cycles", 1)
    return function(x, y)
        if x == cx and y == y0 then
            return 0
        end
        return (atan2(y - y0, x - cx) / (2 * math.pi) * cycles + phase) % 1
    end
end

--- The distance from the border of a box, 0 at it and 1 in the middle, or 1 from `padding` cells inwards: x1, y1, x2, y2;
--- or width and height.
function procedural.border(params, height)
    local x1, y1, x2, y2, padding = 0, 0, params, height, nil
    if type(params) == "table" then
        x1, y1, x2, y2 = number(params, "x1", 0), number(params, "y1", 0), params.x2, params.y2
        padding = params.padding
    else
        x2, y2 = x2 and x2 - 1, y2 and y2 - 1
    end
    local gxm, gym = dgn.max_bounds()
    x2, y2 = tonumber(x2) or gxm - 1, tonumber(y2) or gym - 1
    local full = tonumber(padding) or (math.min(x2 - x1, y2 - y1) + 1) / 2
    return function(x, y)
        return within(math.min(x - x1, y - y1, x2 - x, y2 - y) / math.max(full, 1))
    end
end

--- The same value everywhere.
function procedural.constant(value)
    return function() return value end
end

--- The weighted sum of functions: {fn, weight}, ….
function procedural.mix(...)
    local parts = { ... }
    return function(x, y)
        local sum = 0
        for _, part in ipairs(parts) do
            sum = sum + part[1](x, y) * part[2]
        end
        return sum
    end
end

-- Combines the values of several functions at each place.
local function combined(combine)
    return function(...)
        local parts = { ... }
        return function(x, y)
            local value = parts[1](x, y)
            for i = 2, #parts do
                value = combine(value, parts[i](x, y))
            end
            return value
        end
    end
end

--- The sum, the product, the least and the greatest value of functions.
procedural.add = combined(function(a, b) return a + b end)
procedural.mul = combined(function(a, b) return a * b end)
procedural.min = combined(math.min)
procedural.max = combined(math.max)

--- 1 minus a function.
function procedural.invert(fn)
    return function(x, y) return 1 - fn(x, y) end
end

--- A function whose values from a to b become those from c to d: procedural.map(fn, a, b, c, d).
function procedural.map(fn, a, b, c, d)
    return function(x, y) return c + (fn(x, y) - a) * (d - c) / (b - a) end
end

--- The least and the greatest value of a function over a box of cells: x1, y1, x2, y2, fn.
function procedural.minmax_map(x1, y1, x2, y2, fn)
    local least, most = nil, nil
    for x = x1, x2 do
        for y = y1, y2 do
            local value = fn(x, y)
            least, most = math.min(least or value, value), math.max(most or value, value)
        end
    end
    return least or 0, most or 0
end
