-- Themes: the material of a level or of one of its rooms, by branch and at random.
--
-- Part of Wallcrawler's own helper library; the weights are not those of the game.

theme = rawget(_G, "theme") or {}
theme.D = rawget(theme, "D") or {}

local WALLS = {
    Crypt = { { "c", 10 } },
    Vaults = { { "c", 6 }, { "v", 4 } },
    Dis = { { "v", 8 }, { "c", 2 } },
    Elf = { { "x", 6 }, { "c", 3 }, { "b", 1 } },
    Depths = { { "x", 7 }, { "c", 4 }, { "v", 1 } },
    D = { { "x", 8 }, { "c", 3 }, { "v", 1 } },
}

--- The wall glyph of one room or building.
function theme.room_material()
    return util.random_choose_weighted(WALLS[you.branch()] or { { "x", 7 }, { "c", 3 } })
end

--- Turns the rock of a whole level into the material of its branch.
function theme.level_material(e)
    local material = theme.room_material()
    if material ~= "x" and crawl.coinflip() then
        e.subst("x = " .. material)
    end
end

--- Caves of the Dungeon: some water, and at greater depth a vein of another stone.
function theme.D.caves(e)
    if crawl.one_chance_in(3) then
        e.subst(". = .:60 W:1")
    end
    if you.absdepth() > 10 and crawl.one_chance_in(4) then
        e.subst("x = x:30 c:1")
    end
end

--- Buildings among canyons: a few small boxes with doors where rock and ground meet.
function theme.add_gehenna_buildings(e)
    local width, height = e.width(), e.height()
    for _ = 1, crawl.random_range(4, 9) do
        local w, h = crawl.random_range(5, 11), crawl.random_range(5, 9)
        local x, y = crawl.random_range(4, width - w - 5), crawl.random_range(4, height - h - 5)
        local open, cells = 0, 0
        for cx = x, x + w - 1 do
            for cy = y, y + h - 1 do
                cells = cells + 1
                if layout.is_open(e.mapgrd[cx][cy]) then
                    open = open + 1
                end
            end
        end
        if open * 10 > cells and open * 10 < cells * 7 then
            e.fill_area { x1 = x, y1 = y, x2 = x + w - 1, y2 = y + h - 1, fill = "x" }
            e.fill_area { x1 = x + 1, y1 = y + 1, x2 = x + w - 2, y2 = y + h - 2, fill = "." }
            -- One door to each side that has ground beyond.
            local mx, my = x + math.floor(w / 2), y + math.floor(h / 2)
            local sides = {
                { mx, y, mx, y - 1 }, { mx, y + h - 1, mx, y + h }, { x, my, x - 1, my }, { x + w - 1, my, x + w, my },
            }
            for _, side in ipairs(sides) do
                if layout.is_open(e.mapgrd[side[3]][side[4]]) then
                    e.mapgrd[side[1]][side[2]] = "+"
                end
            end
        end
    end
end
