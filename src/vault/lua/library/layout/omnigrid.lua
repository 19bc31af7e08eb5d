-- Grids of rectangles: an area is divided into cells repeatedly; cells know their neighbours and are joined into groups.
--
-- Part of Wallcrawler's own helper library. A cell has x1, y1, x2, y2, `borders` (what it shares with neighbours),
-- `borders_left` (those without a style) and `group` (a list of cells). A border lies on the edge of its cell. It has
-- x1, y1, x2, y2, `dir` (0 north, 1 west, 2 south, 3 east), `len`, `of`, `with`, `inverse` (the neighbour's border)
-- and `style`.

omnigrid = rawget(_G, "omnigrid") or {}

--- A rectangle within the level, min to max cells away from its edge.
function omnigrid.padded_bounds(min, max)
    local gxm, gym = dgn.max_bounds()
    local pad = crawl.random_range(min or 1, max or min or 1)
    return { x1 = pad, y1 = pad, x2 = gxm - 1 - pad, y2 = gym - 1 - pad }
end

local function cut(cells, x1, y1, x2, y2, chance, depth, options)
    local least = math.max(options.minimum_size or 3, 1)
    local wide, high = x2 - x1 + 1 >= 2 * least, y2 - y1 + 1 >= 2 * least
    local wanted = depth < (options.guaranteed_divides_depth or 0) or crawl.random_real() * 100 < chance
    if not (wide or high) or not wanted then
        cells[#cells + 1] = { x1 = x1, y1 = y1, x2 = x2, y2 = y2, borders = {}, borders_left = 0 }
        return
    end
    local along_x = wide
    if wide and high then
        -- The longer side is divided more often.
        along_x = crawl.random2((x2 - x1) + (y2 - y1)) < x2 - x1
    end
    local nextchance = chance * (options.subdivide_level_multiplier or 0.9)
    if along_x then
        local at = crawl.random_range(x1 + least, x2 - least + 1)
        cut(cells, x1, y1, at - 1, y2, nextchance, depth + 1, options)
        cut(cells, at, y1, x2, y2, nextchance, depth + 1, options)
    else
        local at = crawl.random_range(y1 + least, y2 - least + 1)
        cut(cells, x1, y1, x2, at - 1, nextchance, depth + 1, options)
        cut(cells, x1, at, x2, y2, nextchance, depth + 1, options)
    end
end

local function border(of, with, dir, x1, y1, x2, y2)
    local made = {
        of = of, with = with, dir = dir, x1 = x1, y1 = y1, x2 = x2, y2 = y2, len = math.max(x2 - x1, y2 - y1) + 1,
    }
    of.borders[#of.borders + 1] = made
    of.borders_left = of.borders_left + 1
    return made
end

local function join_neighbours(cells)
    for i, a in ipairs(cells) do
        for j = i + 1, #cells do
            local b = cells[j]
            local x1, x2 = math.max(a.x1, b.x1), math.min(a.x2, b.x2)
            local y1, y2 = math.max(a.y1, b.y1), math.min(a.y2, b.y2)
            local mine, theirs
            if x1 <= x2 and a.y2 + 1 == b.y1 then
                mine, theirs = border(a, b, 2, x1, a.y2, x2, a.y2), border(b, a, 0, x1, b.y1, x2, b.y1)
            elseif x1 <= x2 and b.y2 + 1 == a.y1 then
                mine, theirs = border(a, b, 0, x1, a.y1, x2, a.y1), border(b, a, 2, x1, b.y2, x2, b.y2)
            elseif y1 <= y2 and a.x2 + 1 == b.x1 then
                mine, theirs = border(a, b, 3, a.x2, y1, a.x2, y2), border(b, a, 1, b.x1, y1, b.x1, y2)
            elseif y1 <= y2 and b.x2 + 1 == a.x1 then
                mine, theirs = border(a, b, 1, a.x1, y1, a.x1, y2), border(b, a, 3, b.x2, y1, b.x2, y2)
            end
            if mine then
                mine.inverse, theirs.inverse = theirs, mine
            end
        end
    end
end

--- Cuts a rectangle into cells: options minimum_size, guaranteed_divides, subdivide_initial_chance (percent),
--- subdivide_level_multiplier.
function omnigrid.subdivide(x1, y1, x2, y2, options)
    options = util.copy_table(options or {})
    -- The guaranteed divisions, converted to a depth: that of a binary tree with this number of divisions.
    local divides, depth = options.guaranteed_divides or 0, 0
    while 2 ^ depth - 1 < divides do
        depth = depth + 1
    end
    options.guaranteed_divides_depth = depth
    local cells = {}
    cut(cells, x1, y1, x2, y2, options.subdivide_initial_chance or 100, 0, options)
    join_neighbours(cells)
    for _, cell in ipairs(cells) do
        cell.group = { cell }
    end
    return cells
end

local function pick(list, weight)
    local weights = {}
    for i, item in ipairs(list) do
        weights[i] = { item, weight and math.max(weight(item) or 0, 0) or 10 }
    end
    return util.random_choose_weighted(weights)
end

--- Joins cells into groups across borders drawn by weight; style_func returns the style of each such border. Ends when
--- nothing more may be joined or after max_iterations. Returns the groups.
function omnigrid.connect(options)
    local grid = options.grid
    local groups = {}
    for _, cell in ipairs(grid) do
        groups[#groups + 1] = cell.group
    end
    for count = 1, options.max_iterations or #grid do
        if #groups <= (options.min_groups or 1) then
            break
        end
        local group = pick(groups, options.group_weight)
        local cell = group and pick(group, options.cell_weight)
        local edge = cell and pick(cell.borders, function(b)
            if b.style ~= nil or b.len < (options.min_border_length or 1) then
                return 0
            end
            return options.border_weight and options.border_weight(b) or 10
        end)
        if edge then
            local style = options.style_func and options.style_func(edge, cell, groups, count) or "open"
            edge.style, edge.inverse.style = style, style
            edge.of.borders_left = edge.of.borders_left - 1
            edge.with.borders_left = edge.with.borders_left - 1
            local from = edge.with.group
            if from ~= edge.of.group then
                for _, joined in ipairs(from) do
                    table.insert(edge.of.group, joined)
                    joined.group = edge.of.group
                end
                for i, other in ipairs(groups) do
                    if other == from then
                        table.remove(groups, i)
                        break
                    end
                end
            end
        end
    end
    return groups
end
