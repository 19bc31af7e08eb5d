-- Functions of a place, to shape ground by: procedural(x, y) values that layouts mix.
--
-- Part of Wallcrawler's own helper library. Level files that were studied load this module without naming any of
-- its functions; it offers the few that a layout of our own would want.

procedural = rawget(_G, "procedural") or {}

--- The distance of a point from a centre, 0 there and 1 at a radius.
function procedural.radial(cx, cy, radius)
    return function(x, y)
        return math.sqrt((x - cx) ^ 2 + (y - cy) ^ 2) / radius
    end
end

--- The distance from the border of a box of the given size, 0 at it and 1 in the middle.
function procedural.border(width, height)
    local half = math.min(width, height) / 2
    return function(x, y)
        return math.min(x, y, width - 1 - x, height - 1 - y) / half
    end
end

--- The sum of functions, each times its weight: {fn, weight}, ….
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
