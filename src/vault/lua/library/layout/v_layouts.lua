-- Layouts of the Vaults: areas painted as floor and wall, and rooms set into the walls.
--
-- Part of Wallcrawler's own helper library. `build_vaults_layout(e, name, paint, options)` draws a list of
-- rectangles ({ type = "floor" or "wall", corner1 = { x, y }, corner2 = { x, y } }) and cuts rooms with one door into
-- the solid ground next to the floor. The game places vaults there; here plain rooms replace them.

local function paint_all(e, paint)
    for _, area in ipairs(paint) do
        if area.type == "floor" or area.type == "wall" then
            e.fill_area {
                x1 = math.floor(area.corner1.x), y1 = math.floor(area.corner1.y),
                x2 = math.floor(area.corner2.x), y2 = math.floor(area.corner2.y),
                fill = area.type == "floor" and "." or "x",
            }
        end
    end
end

local SIDES = { { 0, -1 }, { -1, 0 }, { 0, 1 }, { 1, 0 } }

-- Returns whether the rectangle is inside the level and solid.
local function all_solid(e, gxm, gym, x1, y1, x2, y2)
    if x1 < 1 or y1 < 1 or x2 > gxm - 2 or y2 > gym - 2 then
        return false
    end
    for x = x1, x2 do
        local column = e.mapgrd[x]
        for y = y1, y2 do
            if column[y] ~= "x" then
                return false
            end
        end
    end
    return true
end

-- One room behind a wall cell that has floor on one side and rock on the other.
local function try_room(e, gxm, gym, least, most)
    local x, y = crawl.random_range(2, gxm - 3), crawl.random_range(2, gym - 3)
    local side = SIDES[crawl.random2(4) + 1]
    local dx, dy = side[1], side[2]
    if e.mapgrd[x][y] ~= "x" or e.mapgrd[x - dx][y - dy] ~= "." then
        return false
    end
    -- A room of fewer than three cells across would have no inside.
    least = math.max(least, 3)
    local w, h = crawl.random_range(least, most), crawl.random_range(least, most)
    local x1, y1
    if dx == 0 then
        x1 = x - crawl.random_range(1, w - 2)
        y1 = dy < 0 and y - h + 1 or y
    else
        y1 = y - crawl.random_range(1, h - 2)
        x1 = dx < 0 and x - w + 1 or x
    end
    if not all_solid(e, gxm, gym, x1, y1, x1 + w - 1, y1 + h - 1) then
        return false
    end
    local wall = util.random_choose_weighted({ { "c", 6 }, { "v", 3 }, { "b", 1 } })
    e.fill_area { x1 = x1, y1 = y1, x2 = x1 + w - 1, y2 = y1 + h - 1, fill = wall }
    e.fill_area { x1 = x1 + 1, y1 = y1 + 1, x2 = x1 + w - 2, y2 = y1 + h - 2, fill = "." }
    e.mapgrd[x][y] = "+"
    return true
end

local function add_rooms(e, gxm, gym, options)
    local rooms = options.max_rooms or 20
    local placed = 0
    for _ = 1, rooms do
        for _ = 1, (options.max_room_tries or 10) * 10 do
            if try_room(e, gxm, gym, options.min_size or 5, options.max_size or 12) then
                placed = placed + 1
                break
            end
        end
    end
    return placed
end

--- Draws a layout: its name (for messages), its painted areas, options max_rooms, max_room_tries, max_place_tries.
function build_vaults_layout(e, name, paint, options)
    if e.is_validating() then
        return
    end
    e = layout.env(e)
    local gxm, gym = layout.blank(e, "x")
    paint_all(e, paint)
    local placed = add_rooms(e, gxm, gym, options or {})
    zonify.map_fill_zones(e, 1, "x")
    return placed, name
end

local function floor(x1, y1, x2, y2)
    return { type = "floor", corner1 = { x = x1, y = y1 }, corner2 = { x = x2, y = y2 } }
end

local function wall(x1, y1, x2, y2)
    return { type = "wall", corner1 = { x = x1, y = y1 }, corner2 = { x = x2, y = y2 } }
end

--- A ring-shaped corridor, `width` cells wide and 6 to `padding` cells from the level's edge.
function build_vaults_ring_layout(e, width, padding)
    local gxm, gym = dgn.max_bounds()
    local pad = crawl.random_range(6, math.max(padding or 12, 6))
    local w = width or 4
    build_vaults_layout(e, "Ring", {
        floor(pad, pad, gxm - 1 - pad, gym - 1 - pad),
        wall(pad + w, pad + w, gxm - 1 - pad - w, gym - 1 - pad - w),
    })
end

--- A cross of two broad corridors.
function build_vaults_cross_layout(e, width)
    local gxm, gym = dgn.max_bounds()
    local w = width or crawl.random_range(3, 7)
    local cx, cy = math.floor(gxm / 2), math.floor(gym / 2)
    build_vaults_layout(e, "Cross", {
        floor(2, cy - w, gxm - 3, cy + w), floor(cx - w, 2, cx + w, gym - 3),
    })
end

--- One great room in the middle, min to max cells from the edge.
function build_vaults_big_room_layout(e, min, max)
    local gxm, gym = dgn.max_bounds()
    local pad_x, pad_y = crawl.random_range(min or 10, max or 20), crawl.random_range(min or 10, max or 20)
    build_vaults_layout(e, "Big Room", { floor(pad_x, pad_y, gxm - 1 - pad_x, gym - 1 - pad_y) })
end

--- Streets and blocks: the blocks' least size, and the share of blocks left out.
function build_vaults_chaotic_city_layout(e, size, share)
    local gxm, gym = dgn.max_bounds()
    local paint = { floor(2, 2, gxm - 3, gym - 3) }
    for _, cell in ipairs(omnigrid.subdivide(4, 4, gxm - 5, gym - 5, {
        guaranteed_divides = 16, subdivide_initial_chance = 100, subdivide_level_multiplier = 0.9,
        minimum_size = (size or 5) + 3,
    })) do
        if crawl.random_real() >= (share or 0) * 0.5 then
            paint[#paint + 1] = wall(cell.x1 + 1, cell.y1 + 1, cell.x2 - 1, cell.y2 - 1)
        end
    end
    build_vaults_layout(e, "Chaotic City", paint, { max_rooms = 30, max_size = 10 })
end

-- Corridors between the nodes of a coarse grid, grown as a random tree; turn_chance is how often it turns.
local function maze(e, name, turn_chance, loops)
    local gxm, gym = dgn.max_bounds()
    local step, width = 9, 2
    local nx, ny = math.floor((gxm - 6) / step), math.floor((gym - 6) / step)
    local paint, seen = {}, {}
    local function knot(i, j)
        return 3 + i * step, 3 + j * step
    end
    local function link(i, j, k, l)
        local ax, ay = knot(math.min(i, k), math.min(j, l))
        local bx, by = knot(math.max(i, k), math.max(j, l))
        paint[#paint + 1] = floor(ax, ay, bx + width - 1, by + width - 1)
    end
    local path = { { crawl.random2(nx), crawl.random2(ny), 1 } }
    seen[path[1][2] * nx + path[1][1]] = true
    while #path > 0 do
        local at = path[#path]
        local ways = {}
        for d, side in ipairs(SIDES) do
            local i, j = at[1] + side[1], at[2] + side[2]
            if i >= 0 and j >= 0 and i < nx and j < ny then
                if not seen[j * nx + i] then
                    ways[#ways + 1] = { { i, j, d }, d == at[3] and 100 - turn_chance or turn_chance }
                elseif loops > 0 and crawl.random2(100) < loops then
                    link(at[1], at[2], i, j)
                end
            end
        end
        local way = util.random_choose_weighted(ways)
        if way then
            seen[way[2] * nx + way[1]] = true
            link(at[1], at[2], way[1], way[2])
            path[#path + 1] = way
        else
            path[#path] = nil
        end
    end
    build_vaults_layout(e, name, paint, { max_rooms = 30, max_size = 8 })
end

--- A maze of broad corridors.
function build_vaults_maze_layout(e)
    maze(e, "Maze", 50, 2)
end

--- A maze that turns whenever it can.
function build_vaults_maze_snakey_layout(e)
    maze(e, "Snakey Maze", 90, 0)
end

--- A maze with forks and loops.
function build_vaults_maze_bifur_layout(e)
    maze(e, "Bifurcated Maze", 30, 8)
end

--- Painted areas of a grid of cells: some walls, some open.
function layout_primitive_omnigrid()
    local gxm, gym = dgn.max_bounds()
    local paint = { floor(1, 1, gxm - 2, gym - 2) }
    for _, cell in ipairs(omnigrid.subdivide(1, 1, gxm - 2, gym - 2, {
        guaranteed_divides = 3, subdivide_initial_chance = 90, subdivide_level_multiplier = 0.7, minimum_size = 15,
    })) do
        if not crawl.one_chance_in(4) then
            paint[#paint + 1] = wall(cell.x1 + 2, cell.y1 + 2, cell.x2 - 2, cell.y2 - 2)
        end
    end
    return paint
end
