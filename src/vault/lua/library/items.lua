-- Item text: builds the item lists of shops and vaults.
--
-- Part of Wallcrawler's own helper library. Monsters and items are opaque text to Wallcrawler, so these functions only
-- compose text in the form that level files use (`name w:N / name ego:x`). What to create from it is left to the game.

-- Calls a function of a map, given its environment or the map itself.
local function on(e, name, ...)
    if type(e) == "table" and e[name] then
        return e[name](...)
    end
    return dgn[name](e, ...)
end

--- Decayed corpses: a KITEM on the glyphs.
function dgn.delayed_decay(e, glyphs, corpse)
    on(e, "kitem", glyphs .. " = " .. corpse)
end

--- Like dgn.delayed_decay, with more items on the same cell.
function dgn.delayed_decay_extra(e, glyphs, corpse, extra)
    local text = corpse
    if extra and extra ~= "" then
        text = text .. ", " .. extra
    end
    on(e, "kitem", glyphs .. " = " .. text)
end

-- The names and weights in a table, which maps names to weights, or is a list of names or of {name, weight}.
local function entries(list)
    local out = {}
    if #list > 0 then
        for _, entry in ipairs(list) do
            if type(entry) == "table" then
                out[#out + 1] = { entry[1] or entry.name, entry[2] or entry.weight }
            else
                out[#out + 1] = { entry }
            end
        end
    else
        for _, name in ipairs(util.keys(list)) do
            out[#out + 1] = { name, list[name] }
        end
    end
    return out
end

local function described(name, ego, quality, weight)
    local text = name
    if ego and ego ~= "" then
        text = text .. " ego:" .. ego
    end
    if quality and quality ~= "" then
        text = text .. " " .. quality
    end
    if type(weight) == "number" and weight ~= 10 then
        text = text .. " w:" .. weight
    end
    return text
end

--- Alternatives of items as text. `list` is a table name -> weight or a list of names; `ego` is one ego for all items
--- or a table ego -> weight; `words` are added to every item; `separator` is "/" (the default) or "|". The weight of
--- an item with an ego is the product of both weights.
function dgn.random_item_def(list, ego, words, separator)
    local egos = type(ego) == "table" and entries(ego) or { { ego } }
    local texts = {}
    for _, entry in ipairs(entries(list)) do
        for _, other in ipairs(egos) do
            local weight = entry[2] or other[2]
            if entry[2] and other[2] then
                weight = entry[2] * other[2]
            end
            texts[#texts + 1] = described(entry[1], other[1], words, weight)
        end
    end
    return table.concat(texts, " " .. (separator or "/") .. " ")
end

--- A string of alternatives with a word such as a weight at the end of each: dgn.random_entry_arg("rat / bat", "w:5").
function dgn.random_entry_arg(text, word, separator)
    separator = separator or "/"
    local texts = util.map(function(entry) return entry .. " " .. word end, util.split(separator, text))
    return table.concat(texts, " " .. separator .. " ")
end

-- The usual weapons of the monsters that vaults arm; all other monsters get a default choice.
local ARMS = {
    kobold = { "dagger", "short sword", "club", "whip" },
    goblin = { "dagger", "club", "spear" },
    gnoll = { "spear", "halberd", "flail", "whip" },
    orc = { "hand axe", "short sword", "falchion", "flail" },
    ["orc warrior"] = { "war axe", "long sword", "great sword", "battleaxe", "halberd" },
    ["orc knight"] = { "great sword", "long sword", "battleaxe", "halberd", "glaive" },
    ["deep elf"] = { "rapier", "long sword", "longbow" },
    human = { "long sword", "war axe", "mace", "quarterstaff" },
}

--- Weapons of a kind of monster, as alternatives of its equipment; ego and words as for dgn.random_item_def.
function dgn.monster_weapon(kind, ego, words)
    local names = ARMS[kind or ""] or { "dagger", "short sword", "mace", "hand axe", "spear" }
    return dgn.random_item_def(names, ego, words, "|")
end

-- A scythe is treated as a halberd.
function scythe(ego)
    return described("halberd name:scythe n_rpl n_des n_spe", ego)
end

--- Lists of items that a vault may offer, as item text.
local LOOT = {
    loot_potions = "potion of haste / potion of might / potion of brilliance / potion of heal wounds / "
        .. "potion of resistance / potion of cancellation / potion of invisibility",
    loot_scrolls = "scroll of teleportation / scroll of fog / scroll of fear / scroll of blinking / "
        .. "scroll of vulnerability / scroll of immolation",
    good_scrolls = "scroll of acquirement w:1 / scroll of blinking / scroll of brand weapon w:5 / scroll of enchant armour",
    good_potions = "potion of experience w:1 / potion of heal wounds / potion of haste / potion of brilliance",
    good_aux_armour = "cloak good_item / helmet good_item / pair of gloves good_item / pair of boots good_item",
    good_armour = "plate armour good_item / chain mail good_item / scale mail good_item",
    good_weapons = "any weapon good_item",
    good_jewellery = "any jewellery good_item",
    good_books = "any book",
    good_wands = "any wand",
    loot_wands = "any wand",
    loot_books = "any book",
    loot_jewellery = "any jewellery",
    loot_weapons = "any weapon",
    loot_armour = "any armour",
    loot_misc = "any misc",
}

for name, text in pairs(LOOT) do
    if rawget(dgn, name) == nil then
        dgn[name] = text
    end
end
