-- Triggers: markers that call a function when something happens (a plate is stepped on, a monster dies, turns pass).
--
-- Part of Wallcrawler's own helper library. `TriggerableFunction:new { func = "callback.name", data = {…} }` with
-- `add_triggerer(DgnTriggerer:new { type = "pressure_plate" })` builds the marker; a resolution places it and keeps
-- its arguments, but nothing is ever triggered, since no game is running.

Triggerable = setmetatable({ CLASS = "Triggerable" }, { __index = Marker })
Triggerable.__index = Triggerable

-- The arguments of a marker are also its fields, but do not hide its methods.
local function own_fields(made, props)
    for key, value in pairs(props) do
        if rawget(made, key) == nil and rawget(Triggerable, key) == nil and rawget(Marker, key) == nil then
            made[key] = value
        end
    end
end

--- A marker to which triggerers can be added.
function Triggerable:new(props)
    props = props or {}
    local made = setmetatable({ class = self.CLASS, props = props, triggerers = {} }, self)
    own_fields(made, props)
    made.data = props.data or {}
    return made
end

Triggerable._new = Triggerable.new

--- Adds a triggerer: something that may trigger the marker.
function Triggerable:add_triggerer(triggerer)
    self.triggerers[#self.triggerers + 1] = triggerer
    return self
end

function Triggerable:remove_all_triggerers()
    self.triggerers = {}
end

--- Runs the marker's effect in the game; does nothing here.
function Triggerable:on_trigger() end
function Triggerable:do_trigger() end

--- A marker, or a function that makes one, for lua_marker: the first cell is the primary, the others its replicas.
function Triggerable.synchronized_markers(marker, ...)
    local given = { marker, ... }
    local count = 0
    return function()
        count = count + 1
        local source = given[math.min(count, #given)]
        local copy = setmetatable(util.copy_table(source), getmetatable(source))
        copy.props = util.copy_table(source.props or {})
        copy.props.replica = count > 1
        return copy
    end
end

local function subclass(name, parent)
    local made = setmetatable({ CLASS = name }, { __index = parent })
    made.__index = made
    return made
end

--- Calls the function whose name is `func`: func, repeated, data.
TriggerableFunction = subclass("TriggerableFunction", Triggerable)

--- Shows a message: msg, channel, repeated.
TriggerableMessage = subclass("TriggerableMessage", Triggerable)

--- Changes the terrain of its cell.
TriggerableTerrainChanger = subclass("TriggerableTerrainChanger", Triggerable)

--- A triggerer: type ("pressure_plate", "player_los", "player_at", "monster_dies", "turn", …), target, delay_min, …
DgnTriggerer = setmetatable({ CLASS = "DgnTriggerer" }, { __index = Marker })
DgnTriggerer.__index = DgnTriggerer

function DgnTriggerer:new(props)
    props = props or {}
    local made = setmetatable({ class = self.CLASS, props = props }, self)
    own_fields(made, props)
    return made
end

DgnTriggerer._new = DgnTriggerer.new

--- A function that is called when the player steps on the cell: function name, data, repeated, more properties.
function function_at_spot(func, data, repeated, props)
    local marker = TriggerableFunction:new(util.cathash(props or {}, {
        func = func, data = data, repeated = repeated or false,
    }))
    marker:add_triggerer(DgnTriggerer:new { type = "player_move" })
    return marker
end

--- A message that is shown when the player steps on the cell.
function message_at_spot(msg, repeated, channel, props)
    if type(channel) == "table" then
        channel, props = nil, channel
    end
    local marker = TriggerableMessage:new(util.cathash(props or {}, {
        msg = msg, repeated = repeated or false, channel = channel,
    }))
    marker:add_triggerer(DgnTriggerer:new { type = "player_move" })
    return marker
end

--- A monster that appears where another died: death_monster, new_monster, message_seen, message_unseen, …
function monster_on_death(props)
    local made = Triggerable:new(props or {})
    made.class = "monster_on_death"
    made:add_triggerer(DgnTriggerer:new { type = "monster_dies", target = (props or {}).death_monster })
    return made
end
