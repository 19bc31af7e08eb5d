-- Functions that all layouts share: a map as a table of glyphs, its zones, and the areas around a first vault.
--
-- Part of Wallcrawler's own helper library. Layouts draw a whole level with the painting functions of the map
-- (fill_area, make_box, …). They draw the same kind of place as the game's layouts of the same names,
-- but not the same level.

layout = rawget(_G, "layout") or {}

local SOLID = {}
for glyph in string.gmatch("xXcvbmnotGI", ".") do
    SOLID[glyph] = true
end

--- Returns whether a glyph is walkable by its default meaning. Space is not.
function layout.is_open(glyph)
    return not SOLID[glyph] and glyph ~= " " and glyph ~= "w" and glyph ~= "l"
end

--- The environment of a map: the argument if it is one, otherwise a substitute made from the map itself.
function layout.env(e)
    if type(e) == "table" and e.extend_map then
        return e
    end
    local grid = rawget(dgn, "mapgrd_table")
    return setmetatable({ mapgrd = grid and grid(e) }, {
        __index = function(_, name)
            local member = rawget(dgn, name)
            if type(member) ~= "function" then
                return member
            end
            return function(...) return member(e, ...) end
        end,
    })
end

--- A copy of the map's glyphs: grid[x][y], from 0; and its width and height.
function layout.grid(e)
    local width, height = e.width(), e.height()
    local grid = {}
    for x = 0, width - 1 do
        local column, from = {}, e.mapgrd[x]
        for y = 0, height - 1 do
            column[y] = from[y]
        end
        grid[x] = column
    end
    return grid, width, height
end

--- The zones of cells for which open(glyph) is true, connected in eight directions: lists of {x, y}, the largest first.
function layout.zones(grid, width, height, open)
    local seen, zones = {}, {}
    for y = 0, height - 1 do
        for x = 0, width - 1 do
            if not seen[y * width + x] and open(grid[x][y]) then
                local zone = { { x, y } }
                seen[y * width + x] = true
                local at = 1
                while at <= #zone do
                    local cx, cy = zone[at][1], zone[at][2]
                    at = at + 1
                    for dy = -1, 1 do
                        for dx = -1, 1 do
                            local nx, ny = cx + dx, cy + dy
                            if nx >= 0 and ny >= 0 and nx < width and ny < height
                                and not seen[ny * width + nx] and open(grid[nx][ny]) then
                                seen[ny * width + nx] = true
                                zone[#zone + 1] = { nx, ny }
                            end
                        end
                    end
                end
                zones[#zones + 1] = zone
            end
        end
    end
    -- Ties stay in the order of their first cells; table.sort alone is not stable.
    for i, zone in ipairs(zones) do
        zone.order = i
    end
    table.sort(zones, function(a, b)
        if #a ~= #b then
            return #a > #b
        end
        return a.order < b.order
    end)
    return zones
end

--- Fills a whole map with one glyph, except for its border.
function layout.blank(e, fill)
    local gxm, gym = dgn.max_bounds()
    e.extend_map { width = gxm, height = gym, fill = fill or "x" }
    return gxm, gym
end

--- A straight or bent corridor, one cell wide: along x first or along y first, at random.
function layout.corridor(e, x1, y1, x2, y2, fill)
    fill = fill or "."
    local bend_x, bend_y = x2, y1
    if crawl.coinflip() then
        bend_x, bend_y = x1, y2
    end
    local function leg(ax, ay, bx, by)
        e.fill_area {
            x1 = math.min(ax, bx), y1 = math.min(ay, by), x2 = math.max(ax, bx), y2 = math.max(ay, by), fill = fill,
        }
    end
    leg(x1, y1, bend_x, bend_y)
    leg(bend_x, bend_y, x2, y2)
end

--- The areas around the vault that is placed first on a level, or the whole area if there is none: tables with
--- x_min, x_max, y_min, y_max, and for each side whether it is soft (another area lies beyond, not a wall).
function layout.get_areas_around_primary_vault(e, x_min, y_min, x_max, y_max)
    local whole = { x_min = x_min, y_min = y_min, x_max = x_max, y_max = y_max }
    local x1, x2, y1, y2
    if e.primary_vault_dimensions then
        x1, x2, y1, y2 = e.primary_vault_dimensions()
    end
    for _, value in ipairs({ x1 or false, x2 or false, y1 or false, y2 or false }) do
        if type(value) ~= "number" then
            return { whole }
        end
    end
    local areas = {}
    local function add(area)
        if area.x_max >= area.x_min and area.y_max >= area.y_min then
            areas[#areas + 1] = area
        end
    end
    add { x_min = x_min, x_max = x_max, y_min = y_min, y_max = y1 - 1, y_max_is_soft = true }
    add { x_min = x_min, x_max = x_max, y_min = y2 + 1, y_max = y_max, y_min_is_soft = true }
    add { x_min = x_min, x_max = x1 - 1, y_min = y1, y_max = y2, y_min_is_soft = true, y_max_is_soft = true }
    add { x_min = x2 + 1, x_max = x_max, y_min = y1, y_max = y2, y_min_is_soft = true, y_max_is_soft = true }
    return areas
end
