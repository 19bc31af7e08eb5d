-- Geometric halls: rooms of a few shapes, joined along eight directions.
--
-- Part of Wallcrawler's own helper library. A layout adds rooms (centre and radius) and the corridors that might join
-- them; `geoelf.generate` adds corridors until all rooms are joined, then some more, and draws them. A corridor may
-- name another one that it would cross; only one of the two is used.

geoelf = rawget(_G, "geoelf") or {}

geoelf.directions = { N = 0, NE = 1, E = 2, SE = 3, S = 4, SW = 5, W = 6, NW = 7 }

--- Adds a room; returns its index (from 0).
function geoelf.add_room(rooms, x, y, radius)
    local index = rooms.count or 0
    rooms[index] = { x = math.floor(x), y = math.floor(y), radius = radius, corridor = {} }
    rooms.count = index + 1
    return index
end

--- Adds a possible corridor from one room to another in a direction; `blocked_by` is a corridor that excludes it.
--- Returns its index (from 0).
function geoelf.add_corridor(rooms, corridors, from, to, direction, blocked_by)
    local index = corridors.count or 0
    corridors[index] = { from = from, to = to, direction = direction, blocked_by = blocked_by }
    corridors.count = index + 1
    rooms[from].corridor[direction] = index
    rooms[to].corridor[(direction + 4) % 8] = index
    return index
end

-- Marks the corridors to be used: a spanning tree in random order, then a share of the rest.
local function choose(rooms, corridors, extra)
    local parent = {}
    local function root(i)
        while parent[i] do i = parent[i] end
        return i
    end
    local excluded = {}
    local function free(corridor, index)
        return not excluded[index] and not (corridor.blocked_by and corridors[corridor.blocked_by].used)
    end
    local function use(corridor)
        corridor.used = true
        if corridor.blocked_by then
            excluded[corridor.blocked_by] = true
        end
    end
    local order = {}
    for i = 0, (corridors.count or 0) - 1 do
        order[#order + 1] = i
    end
    order = util.shuffle(order)
    for _, index in ipairs(order) do
        local corridor = corridors[index]
        local a, b = root(corridor.from), root(corridor.to)
        if a ~= b and free(corridor, index) then
            parent[a] = b
            use(corridor)
        end
    end
    for _, index in ipairs(order) do
        local corridor = corridors[index]
        if not corridor.used and free(corridor, index) and crawl.random_real() < extra * 0.5 then
            use(corridor)
        end
    end
end

local function octagon(e, room, fill)
    local cut = math.floor((room.radius + 1) / 2)
    for dy = -room.radius, room.radius do
        local inset = math.max(math.abs(dy) - (room.radius - cut), 0)
        e.fill_area {
            x1 = room.x - room.radius + inset, y1 = room.y + dy, x2 = room.x + room.radius - inset, y2 = room.y + dy,
            fill = fill,
        }
    end
end

local function box(e, room, fill)
    e.fill_area {
        x1 = room.x - room.radius, y1 = room.y - room.radius, x2 = room.x + room.radius, y2 = room.y + room.radius,
        fill = fill,
    }
end

local function diamond(e, room, fill)
    for dy = -room.radius, room.radius do
        local reach = room.radius - math.abs(dy)
        e.fill_area { x1 = room.x - reach, y1 = room.y + dy, x2 = room.x + reach, y2 = room.y + dy, fill = fill }
    end
end

local function corridor(e, a, b)
    local steps = math.max(math.abs(b.x - a.x), math.abs(b.y - a.y))
    local px, py = a.x, a.y
    for i = 0, steps do
        local x = math.floor(a.x + (b.x - a.x) * i / math.max(steps, 1) + 0.5)
        local y = math.floor(a.y + (b.y - a.y) * i / math.max(steps, 1) + 0.5)
        e.mapgrd[x][y] = "."
        -- A diagonal step is widened, so that it looks like a passage and not like a chain of corners.
        if x ~= px and y ~= py then
            e.mapgrd[px][y] = "."
        end
        px, py = x, y
    end
end

-- The contents of the middle of a fancy room.
local function furnish(e, room)
    local r = room.radius
    local kind = crawl.random2(4)
    if kind == 0 then
        e.mapgrd[room.x][room.y] = util.random_from({ "G", "T", "U" })
    elseif kind == 1 and r >= 3 then
        for _, d in ipairs({ { -1, -1 }, { 1, -1 }, { -1, 1 }, { 1, 1 } }) do
            e.mapgrd[room.x + d[1] * (r - 2)][room.y + d[2] * (r - 2)] = "x"
        end
    elseif kind == 2 and r >= 3 then
        diamond(e, { x = room.x, y = room.y, radius = r - 2 }, "W")
    else
        e.mapgrd[room.x][room.y] = "x"
    end
end

--- Draws rooms and corridors. `extra` is the share of extra corridors, `fancy` the share of fancy rooms; `all_fancy`
--- makes all rooms fancy, and `doors` adds doors at the ends of corridors.
function geoelf.generate(e, rooms, corridors, extra, fancy, all_fancy, doors)
    e = layout.env(e)
    choose(rooms, corridors, extra or 0)
    for i = 0, (corridors.count or 0) - 1 do
        local way = corridors[i]
        if way.used then
            corridor(e, rooms[way.from], rooms[way.to])
        end
    end
    for i = 0, (rooms.count or 0) - 1 do
        local room = rooms[i]
        util.random_choose_weighted({ { octagon, 5 }, { box, 3 }, { diamond, 2 } })(e, room, ".")
        if all_fancy or crawl.random_real() < (fancy or 0) then
            furnish(e, room)
        end
    end
    if doors then
        e.connect_adjacent_rooms { replace = "+", min = 0, max = 40, check_distance = 3 }
    end
    zonify.map_fill_zones(e, 1, "x")
end
