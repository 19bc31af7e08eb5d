-- Iterators over points: `for p in iter.rect_iterator(a, b) do … end`.
--
-- Part of Wallcrawler's own helper library. Every iterator yields points with x and y, row by row from the top
-- left unless stated otherwise. An optional filter, a function of the point, skips points. Iterators over a level (not
-- a map) matter only inside trigger functions, which a resolution never runs, so they yield nothing.

iter = rawget(_G, "iter") or {}

-- An iterator over a list, filtered.
local function over(list, filter)
    local i = 0
    return function()
        while true do
            i = i + 1
            local p = list[i]
            if p == nil then
                return nil
            end
            if not filter or filter(p) then
                return p
            end
        end
    end
end

local function corners(a, b)
    return math.min(a.x, b.x), math.min(a.y, b.y), math.max(a.x, b.x), math.max(a.y, b.y)
end

--- All points of the rectangle between two corners, both included.
function iter.rect_iterator(a, b, filter)
    local x1, y1, x2, y2 = corners(a, b)
    local list = {}
    for y = y1, y2 do
        for x = x1, x2 do
            list[#list + 1] = dgn.point(x, y)
        end
    end
    return over(list, filter)
end

--- The points on the edge of a rectangle.
function iter.border_iterator(a, b, filter)
    local x1, y1, x2, y2 = corners(a, b)
    local list = {}
    for y = y1, y2 do
        for x = x1, x2 do
            if x == x1 or x == x2 or y == y1 or y == y2 then
                list[#list + 1] = dgn.point(x, y)
            end
        end
    end
    return over(list, filter)
end

iter.rect_border_iterator = iter.border_iterator

--- The points of a list.
function iter.point_iterator(points, filter)
    return over(points or {}, filter)
end

iter.list_iterator = iter.point_iterator

local function here()
    if you and you.pos then
        local x, y = you.pos()
        return dgn.point(tonumber(x) or 0, tonumber(y) or 0)
    end
    return dgn.point(0, 0)
end

--- The points within a radius of a centre (by default the player).
function iter.circle_iterator(radius, centre, filter)
    if type(radius) == "table" then
        radius, centre = centre, radius
    end
    centre = centre or here()
    radius = tonumber(radius) or 0
    local list = {}
    for y = -math.ceil(radius), math.ceil(radius) do
        for x = -math.ceil(radius), math.ceil(radius) do
            if x * x + y * y <= radius * radius then
                list[#list + 1] = dgn.point(centre.x + x, centre.y + y)
            end
        end
    end
    return over(list, filter)
end

--- The eight points around a point (by default the player), optionally with the point itself.
function iter.adjacent_iterator(with_centre, filter, centre)
    if type(with_centre) == "table" then
        with_centre, filter, centre = false, filter, with_centre
    end
    centre = centre or here()
    local list = {}
    for y = -1, 1 do
        for x = -1, 1 do
            if with_centre or x ~= 0 or y ~= 0 then
                list[#list + 1] = dgn.point(centre.x + x, centre.y + y)
            end
        end
    end
    return over(list, filter)
end

--- The four neighbours of a point.
function iter.orthogonal_iterator(centre, filter)
    centre = centre or here()
    return over({
        dgn.point(centre.x, centre.y - 1), dgn.point(centre.x - 1, centre.y),
        dgn.point(centre.x + 1, centre.y), dgn.point(centre.x, centre.y + 1),
    }, filter)
end

--- The points of the line between two points, both included: one for each step along the longer axis.
function iter.line_iterator(a, b, filter)
    local steps = math.max(math.abs(b.x - a.x), math.abs(b.y - a.y))
    local list = {}
    for i = 0, steps do
        local t = steps == 0 and 0 or i / steps
        list[#list + 1] = dgn.point(math.floor(a.x + (b.x - a.x) * t + 0.5), math.floor(a.y + (b.y - a.y) * t + 0.5))
    end
    return over(list, filter)
end

--- The cells that a subvault's map may fill, in the subvault's own coordinates.
function iter.subvault_iterator(e, filter)
    local width, height = e.subvault_size()
    local list = {}
    for y = 0, (tonumber(height) or 0) - 1 do
        for x = 0, (tonumber(width) or 0) - 1 do
            if e.subvault_cell_valid(x, y) then
                list[#list + 1] = dgn.point(x, y)
            end
        end
    end
    return over(list, filter)
end

--- All cells of a map.
function iter.map_iterator(e, filter)
    return iter.rect_iterator(dgn.point(0, 0), dgn.point(e.width() - 1, e.height() - 1), filter)
end

iter.mapgrd_iterator = iter.map_iterator

--- The positions of markers that have a property with a value: none before the game runs.
function iter.replica_iterator(prop, value, filter)
    return over(dgn.find_marker_positions_by_prop(prop, value) or {}, filter)
end

--- The positions in sight: none before the game runs.
function iter.los_iterator()
    return over({})
end

--- Items on the ground, monsters, and inventories: none before the game runs.
function iter.stack_iterator() return over({}) end
function iter.invent_iterator() return over({}) end
function iter.inv_iterator() return over({}) end
function iter.mons_rect_iterator() return over({}) end
iter.monster_iterator = iter.mons_rect_iterator
iter.mons_iterator = iter.mons_rect_iterator

--- Calls an iterator object's methods as the for statement does.
function iter.invoke_iterator(iterator)
    return iterator:iter()
end
