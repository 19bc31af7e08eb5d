-- Zones of a map: all but the largest ones are filled.
--
-- Part of Wallcrawler's own helper library. The functions whose names begin with map_ act on a map. In the game,
-- those that begin with grid_ act on a level under construction; here there is no such level, so they do nothing.

zonify = rawget(_G, "zonify") or {}

local function fill(e, keep, glyph, open)
    e = layout.env(e)
    local grid, width, height = layout.grid(e)
    local zones = layout.zones(grid, width, height, open)
    for i = (keep or 1) + 1, #zones do
        for _, cell in ipairs(zones[i]) do
            e.mapgrd[cell[1]][cell[2]] = glyph or "x"
        end
    end
    return #zones
end

--- Keeps the largest zones of ground and fills the others: map_fill_zones(e, how_many, glyph).
function zonify.map_fill_zones(e, keep, glyph)
    return fill(e, keep, glyph, layout.is_open)
end

--- The same, with lava counted as ground: pools that touch no ground are filled.
function zonify.map_fill_lava_zones(e, keep, glyph)
    return fill(e, keep, glyph, function(g) return g == "l" or layout.is_open(g) end)
end

--- The same, with deep water counted as ground.
function zonify.map_fill_water_zones(e, keep, glyph)
    return fill(e, keep, glyph, function(g) return g == "w" or layout.is_open(g) end)
end

--- The number of zones of ground of a map.
function zonify.map_count_zones(e)
    local grid, width, height = layout.grid(layout.env(e))
    return #layout.zones(grid, width, height, layout.is_open)
end

function zonify.grid_fill_zones() end
function zonify.grid_fill_water_zones() end
function zonify.grid_fill_lava_zones() end
