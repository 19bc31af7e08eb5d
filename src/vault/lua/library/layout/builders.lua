-- Whole levels in one call: layout_basic() and similar functions.
--
-- Part of Wallcrawler's own helper library. In the game, the program itself builds these levels; here each function
-- draws a similar level on the map with the painting functions. The functions receive the map as their first argument;
-- a map that calls one by its bare name leaves this argument out.

-- Sets dgn[name] unless the runtime has it.
local function offer(name, build)
    if rawget(dgn, name) == nil then
        dgn[name] = function(map, ...)
            -- A call by the full name, such as dgn.layout_swamp(), passes no map: there is nothing to draw on.
            if map == nil then
                return
            end
            return build(layout.env(map), ...)
        end
    end
end

local function room(e, gxm, gym, least, most)
    local w, h = crawl.random_range(least, most), crawl.random_range(least, math.floor(most * 0.8))
    local x, y = crawl.random_range(3, gxm - w - 4), crawl.random_range(3, gym - h - 4)
    e.fill_area { x1 = x, y1 = y, x2 = x + w - 1, y2 = y + h - 1, fill = "." }
    return x + math.floor(w / 2), y + math.floor(h / 2)
end

--- Rooms, each joined to the next by a bent corridor.
offer("layout_basic", function(e)
    local gxm, gym = layout.blank(e, "x")
    local px, py = room(e, gxm, gym, 5, 14)
    for _ = 1, crawl.random_range(14, 28) do
        local x, y = room(e, gxm, gym, 4, 14)
        layout.corridor(e, px, py, x, y)
        px, py = x, y
    end
end)

--- One great room with pillars and pools.
offer("layout_bigger_room", function(e)
    local gxm, gym = layout.blank(e, "x")
    e.fill_area { x1 = 5, y1 = 5, x2 = gxm - 6, y2 = gym - 6, fill = "." }
    local piece = util.random_from({ "x", "W", "G" })
    for x = 11, gxm - 12, crawl.random_range(6, 12) do
        for y = 11, gym - 12, crawl.random_range(6, 12) do
            e.fill_area { x1 = x, y1 = y, x2 = x + 1, y2 = y + 1, fill = piece }
        end
    end
end)

local WALLS = { rock_wall = "x", stone_wall = "c", metal_wall = "v", crystal_wall = "b" }

--- Many boxes that do not overlap, some of them hollow, made of one or several kinds of wall.
offer("layout_chaotic_city", function(e, wall)
    local gxm, gym = layout.blank(e, "x")
    e.fill_area { x1 = 4, y1 = 4, x2 = gxm - 5, y2 = gym - 5, fill = "." }
    for _ = 1, 300 do
        local w, h = crawl.random_range(4, 11), crawl.random_range(4, 9)
        local x, y = crawl.random_range(6, gxm - w - 7), crawl.random_range(6, gym - h - 7)
        local box = { x1 = x - 1, y1 = y - 1, x2 = x + w, y2 = y + h, find = "xcvb+" }
        if not e.find_in_area(box) then
            local glyph = WALLS[wall] or util.random_choose_weighted({ { "x", 6 }, { "c", 3 }, { "v", 1 } })
            e.fill_area { x1 = x, y1 = y, x2 = x + w - 1, y2 = y + h - 1, fill = glyph }
            if crawl.x_chance_in_y(3, 4) then
                e.fill_area { x1 = x + 1, y1 = y + 1, x2 = x + w - 2, y2 = y + h - 2, fill = "." }
                local door = crawl.random_range(1, w - 2)
                e.mapgrd[x + door][crawl.coinflip() and y or y + h - 1] = "+"
            end
        end
    end
end)

--- Islands, shallows and sand in the sea.
offer("layout_shoals", function(e)
    local gxm, gym = layout.blank(e, "x")
    e.fill_area { x1 = 3, y1 = 3, x2 = gxm - 4, y2 = gym - 4, fill = "w" }
    for _ = 1, crawl.random_range(10, 18) do
        local r = crawl.random_range(3, 8)
        local x, y = crawl.random_range(4 + r, gxm - 5 - r), crawl.random_range(4 + r, gym - 5 - r)
        for dy = -r, r do
            for dx = -r, r do
                local d = math.sqrt(dx * dx + dy * dy) + crawl.random_real()
                local glyph = e.mapgrd[x + dx][y + dy]
                if d < r - 1.5 then
                    e.mapgrd[x + dx][y + dy] = "."
                elseif d < r + 0.5 and glyph == "w" then
                    e.mapgrd[x + dx][y + dy] = "W"
                end
            end
        end
    end
end)

--- Ground, water and trees without walls.
offer("layout_swamp", function(e)
    local gxm, gym = layout.blank(e, "t")
    for x = 3, gxm - 4 do
        for y = 3, gym - 4 do
            local wave = math.sin(x / 5) + math.cos(y / 4) + math.sin((x + y) / 9)
            local value = wave + crawl.random_real() * 1.5
            e.mapgrd[x][y] = value > 2 and "t" or value > 0.9 and "." or value > -0.6 and "W" or "w"
        end
    end
end)
