-- Marker constructors for `MARKER: O = lua:…` and `lua_marker`.
--
-- Part of Wallcrawler's own helper library. Each constructor returns a table with `class` (the constructor's name)
-- and `props` (all its arguments), and with methods that work without a game: they read and set
-- properties, return the position and a description. What the marker would do in play (spread fog, lock a door, count
-- down a timer) is left out; its properties are kept, and the graph of portals is read from them.

Marker = rawget(_G, "Marker") or {}
Marker.__index = Marker

local function text_of(value)
    if type(value) == "table" or type(value) == "function" then
        return nil
    end
    return value
end

--- A marker of a class with properties.
function Marker.of(class, props)
    return setmetatable({ class = class, props = props or {} }, Marker)
end

--- The value of a property, or "" if the marker has no property with that name.
function Marker:property(name)
    local value = self.props[name]
    if value == nil then
        return ""
    end
    return text_of(value) or value
end

function Marker:set_property(name, value)
    self.props[name] = value
end

--- The position of the marker: 0, 0 until it is placed.
function Marker:pos()
    return self.x or 0, self.y or 0
end

function Marker:move(x, y)
    self.x, self.y = x, y
end

function Marker:describe()
    return self.class
end

-- The game calls these in play; they are defined here so that a file may call or replace them.
function Marker:activate() end
function Marker:event() return false end
function Marker:remove() end
function Marker:notify_listener() end
function Marker:feature() return self.props.feature end
function Marker:feature_name() return self.props.feature end
function Marker:read() return self end
function Marker:write() end
function Marker:unmarshall() return self end
function Marker:marshall() end

-- A class whose instances are markers: CLASS:new { … }, CLASS:_new() and CLASS { … } each create one.
local function class(name, from_args)
    local made = setmetatable({ CLASS = name }, {
        __index = Marker,
        __call = function(self, ...) return self:new(...) end,
    })
    made.__index = made
    function made:new(...)
        local props = (...)
        if from_args then
            props = from_args(...)
        end
        if props == nil then
            props = {}
        elseif type(props) ~= "table" then
            props = { value = props }
        end
        return setmetatable({ class = name, props = props }, self)
    end
    made._new = made.new
    return made
end

-- A function that creates markers of a new class.
local function constructor(name, from_args)
    local made = class(name, from_args)
    return function(...) return made:new(...) end
end

-- Fog --------------------------------------------------------------------------

--- A source of clouds: cloud_type, pow_min/pow_max, delay_min/delay_max, size_min/size_max, walk_dist, start_clouds,
--- spread_rate, excl_rad, colour, name.
fog_machine = constructor("fog_machine")

--- Like fog_machine, for a chain of machines that start each other.
chained_fog_machine = constructor("chained_fog_machine")

-- Properties -------------------------------------------------------------------

--- Properties of a cell: veto_destroy, door_description_prefix, feature_description, stop_explore, …
props_marker = constructor("props_marker")

--- Properties for the monster placed on the cell: description, quote, speech_key, monster_dies_lua_key, …
MonPropsMarker = class("MonPropsMarker")

--- A door that monsters cannot open until a player has opened it: restrict_door { … } or restrict_door().
restrict_door = constructor("restrict_door")

-- Connections ----------------------------------------------------------------------

--- A portal: desc, dst (the tag of its destination's maps), dstname, overmap, floor (the feature left behind), …
one_way_stair = constructor("one_way_stair")

--- A description for a portal's entrance: portal_desc { desc = … } or portal_desc "…".
portal_desc = constructor("portal_desc", function(given)
    return type(given) == "table" and given or { desc = given }
end)

-- A named end of a connection between two cells of a level: the property with the constructor's name holds the name.
local function named(constructor_name)
    return constructor(constructor_name, function(name)
        if type(name) == "table" then
            name = name.name or name[1]
        end
        return { [constructor_name] = tostring(name or ""), name = tostring(name or "") }
    end)
end

--- A transporter, or the named place to which it leads.
transp_loc = named("transp_loc")
transp_dest_loc = named("transp_dest_loc")

--- A hatch, or the named place to which it leads.
hatch_name = named("hatch_name")
hatch_dest_name = named("hatch_dest_name")

-- Timers -------------------------------------------------------------------------

--- The messages of a timed portal: initmsg, finalmsg, verb, noisemaker, adjectives, ranges {turns, word}.
timed_msg = constructor("timed_msg")

--- A portal that disappears: low/high or turns (until it does), disappear, entity, msg, floor, feat_tile, dst, …
local TimedMarker = class("timed_marker")

function timed_marker(props)
    local marker = TimedMarker:new(props or {})
    local low = tonumber(marker.props.low or marker.props.turns) or 0
    local high = tonumber(marker.props.high or marker.props.turns) or low
    marker.low, marker.high = math.min(low, high), math.max(low, high)
    return marker
end

--- The number of turns until the portal disappears, drawn between its bounds.
function TimedMarker:draw_turns()
    return crawl.random_range(self.low, self.high)
end
