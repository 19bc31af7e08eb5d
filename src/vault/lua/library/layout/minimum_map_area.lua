-- The minimum open ground of a layout that is worth playing, for use in validation.
--
-- Part of Wallcrawler's own helper library; the numbers of cells are not those of the game.

minimum_map_area = rawget(_G, "minimum_map_area") or {}

minimum_map_area.OPEN_CAVES = 900
minimum_map_area.NARROW_CAVES = 600
minimum_map_area.CAVES = 700
minimum_map_area.DIVISIONS = 700
minimum_map_area.ROOMS = 600
minimum_map_area.CITY = 700
minimum_map_area.ISLANDS = 600
minimum_map_area.OTHER = 500

--- Returns whether the map has at least this many cells of ground.
function minimum_map_area.is_map_big_enough(e, least)
    e = layout.env(e)
    local grid, width, height = layout.grid(e)
    local count = 0
    for x = 0, width - 1 do
        for y = 0, height - 1 do
            if layout.is_open(grid[x][y]) then
                count = count + 1
            end
        end
    end
    return count >= (tonumber(least) or minimum_map_area.OTHER)
end
