-- Vault helpers: decorations, statues, clouds and rooms that many vaults have in common.
--
-- Part of Wallcrawler's own helper library. The only sources for these functions were their names, their calls in level
-- files and the documentation of the level-file language. `e` is the map's environment (`_G` in a map); a glyph
-- argument may contain several glyphs. A helper sets what a grid shows: feature, colour, tile and displayed name;
-- effects during play are left out. Without a given tile, the name of the tile is "dngn_" and the displayed name, as in
-- `dngn_broken_pillar`; tile names are opaque text to the grid.

local function words(kind)
    return (string.gsub(kind, "[^%w]+", "_"))
end

-- Feature, colour, tile and displayed name for a set of glyphs.
local function furnish(e, glyphs, feature, kind, colour, tile)
    e.kfeat(glyphs .. " = " .. feature)
    if colour then
        e.colour(glyphs .. " = " .. colour)
    end
    e.tile(glyphs .. " = " .. (tile or ("dngn_" .. words(kind))))
    e.set_feature_name(feature, kind)
end

-- Decorations that can be walked on ---------------------------------------------

local DECORATIONS = {
    ["flower patch"] = "lightmagenta",
    ["garden patch"] = "green",
    ["floral vase"] = "lightcyan",
    ["broken floral vase"] = "cyan",
    ["mourning vase"] = "lightgrey",
    ["broken mourning vase"] = "darkgrey",
    ["orcish standard"] = "brown",
    ["infernal standard"] = "red",
    ["mop and bucket"] = "lightblue",
    ["bloodied mop and bucket"] = "lightred",
    ["assortment of trash"] = "brown",
    ["fur brush"] = "brown",
    ["skull pike"] = "white",
    ["weapon-inlaid floor"] = "lightgrey",
    ["set of bottled spirits"] = "yellow",
    ["djembe set"] = "brown",
    ["empty mutation catalyst"] = "darkgrey",
    ["dead mutation catalyst"] = "darkgrey",
}

--- Decoration on the floor: decorative_floor(e, glyphs, kind).
function decorative_floor(e, glyphs, kind)
    kind = kind or "decoration"
    furnish(e, glyphs, "decorative_floor", kind, DECORATIONS[kind] or "yellow")
end

-- Statues ------------------------------------------------------------------------

local METAL = {
    ["golden statue"] = "yellow",
    ["silver statue"] = "white",
    ["iron statue"] = "cyan",
    ["mystic cage"] = "magenta",
    ["arcane conduit"] = "lightmagenta",
    ["misfortune conduit"] = "darkgrey",
    ["dimensional conduit"] = "lightcyan",
    ["soul conduit"] = "white",
    ["alchemical conduit"] = "green",
    ["fiery conduit"] = "lightred",
    ["icy conduit"] = "lightblue",
    ["earthen conduit"] = "brown",
    ["storm conduit"] = "yellow",
    ["enigmatic dynamo"] = "lightgreen",
    ["nascence circuit"] = "blue",
}

--- A metal statue or machine: vault_metal_statue_setup(e, glyphs, kind).
function vault_metal_statue_setup(e, glyphs, kind)
    kind = kind or "metal statue"
    furnish(e, glyphs, "metal_statue", kind, METAL[kind] or "lightcyan")
end

local GRANITE = {
    ["gravestone"] = "lightgrey",
    ["broken pillar"] = "brown",
    ["scintillating statue"] = "random",
}

--- A stone statue: vault_granite_statue_setup(e, glyphs, kind).
function vault_granite_statue_setup(e, glyphs, kind)
    kind = kind or "granite statue"
    furnish(e, glyphs, "granite_statue", kind, GRANITE[kind] or "lightgrey")
end

--- Statues of snakes and snake-like creatures.
function snake_statue_setup(e, glyphs)
    local kind = util.random_from({ "snake statue", "naga statue", "serpent statue" })
    furnish(e, glyphs, "granite_statue", kind, "green")
end

-- Clouds ---------------------------------------------------------------------------

--- One permanent cloud on each cell with one of the glyphs; it blocks sight if `opaque` is true.
function single_cloud(e, glyphs, cloud, opaque)
    e.lua_marker(glyphs, fog_machine {
        cloud_type = cloud or "thin mist", pow_min = 1000, pow_max = 1000, delay = 10,
        size = 1, walk_dist = 0, start_clouds = 1, excl_rad = -1, opaque = opaque or false,
    })
end

--- Several permanent clouds of one kind.
function vault_cloud_setup(e, glyphs, cloud)
    single_cloud(e, glyphs, cloud, false)
end

-- Rooms of the Vaults -----------------------------------------------------------------

--- The tags of a hard room of the Vaults, and a floor tile if one is given.
--- vaults_hard_standard(e, no_generation = true, floor_tile)
function vaults_hard_standard(e, no_generation, floor_tile)
    e.tags("vaults_hard")
    e.tags("no_wall_fixup")
    if no_generation ~= false then
        e.tags("no_monster_gen no_item_gen")
    end
    if type(floor_tile) == "string" then
        e.ftile("." .. " = " .. floor_tile)
    end
end

local ROOM_THEMES = {
    { wall = "wall_brick_gray", floor = "floor_marble", colour = "lightgrey" },
    { wall = "wall_brick_brown", floor = "floor_mosaic", colour = "brown" },
    { wall = "wall_stone_smooth", floor = "floor_pebble_white", colour = "white" },
    { wall = "wall_lab_metal", floor = "floor_metal_gold", colour = "yellow" },
}

--- One look for a room: tiles for walls (x, c, v) and floor, and a colour. Returns the look.
function index_vaults_room_themes(e, set)
    local theme = type(set) == "number" and ROOM_THEMES[(set - 1) % #ROOM_THEMES + 1] or util.random_from(ROOM_THEMES)
    e.tile("xcv = " .. theme.wall)
    e.ftile(". = " .. theme.floor)
    e.colour("xcv = " .. theme.colour)
    return theme
end

-- The vault of doors ------------------------------------------------------------------------

--- The vault of doors: every cell of `+` and `a` is a separate door, which does not form a gate with its neighbours;
--- those of `a`, the outermost ones, are runed, which keeps monsters in.
function door_vault_setup(e)
    e.marker("a+ = lua:props_marker { connected_exclude = 'true' }")
    e.kfeat("a = runed_door")
end

-- Small rooms with water and trees ----------------------------------------------------------

--- Rooms surrounded by water: c is the outer wall, w the ring of water, H the features at the middle of its sides, F
--- and D-E the exits, t trees, x an inner wall. If `exits` is false, the second exit stays closed.
function ks_random_setup(e, exits)
    e.tags("no_pool_fixup")
    e.nsubst("F = 1:+ / *:c")
    if exits ~= false then
        e.subst("D : +c")
        e.subst("E : .")
    else
        e.subst("D = c")
        e.subst("E = w")
    end
    e.subst("H = .w")
    e.subst("w : w:20 W:10 l:2 .:8")
    e.subst("t : t:12 G:6 T:4 .:8")
    e.subst("x : x:10 c:6 m:4 .:4")
    e.subst("c : c:14 x:10 v:3")
end

-- Walls of the dungeon ---------------------------------------------------------------------

--- Decorated walls by depth: a tile for the wall glyphs that depends on the depth.
function init_hm_decor_walldepth(e, glyphs)
    local depth = you.absdepth()
    local tile = "wall_brick_dark_2"
    if depth > 20 then
        tile = "wall_brick_dark_6"
    elseif depth > 10 then
        tile = "wall_brick_dark_4"
    end
    e.tile(glyphs .. " = " .. tile)
end

--- The tile name of a crackling wall, by branch, for use after "glyphs = ".
function crackle_def(_e)
    if you.in_branch("Snake") then
        return "wall_stone_crackle_2"
    elseif you.in_branch("Zot") or you.in_branch("Depths") then
        return "wall_stone_crackle_4"
    end
    return "wall_stone_crackle_1"
end

-- Item and monster text -----------------------------------------------------------------------

local SPECIES = {
    dungeon = { "human", "elf", "dwarf", "gnoll", "kobold", "orc", "minotaur", "spriggan", "tengu" },
    vaults = { "human", "deep elf", "ogre", "tengu", "minotaur" },
    water = { "merfolk", "octopode", "human" },
    large = { "troll", "ogre", "naga", "minotaur" },
    evil = { "ghoul", "vampire", "demonspawn", "human" },
}

--- Skeletons of adventurers as item text, by category ("dungeon", "all", …).
function vault_species_skeletons(_e, category)
    local kinds = SPECIES[category or "dungeon"]
    if not kinds then
        kinds = util.catlist(SPECIES.dungeon, SPECIES.large, { "merfolk", "octopode", "felid", "draconian" })
    end
    local texts = {}
    for i, kind in ipairs(kinds) do
        texts[i] = kind .. " skeleton"
    end
    return table.concat(texts, " / ")
end

--- A guardian of the elements as monster text; stronger in a sprint.
function master_elementalist_setup(_e, sprint)
    return "deep elf elementalist hd:" .. (sprint and 27 or 20) .. " hp:" .. (sprint and 150 or 100)
        .. " name:master_elementalist n_rpl n_des n_noc ; staff of " .. util.random_from({ "fire", "cold", "air", "earth" })
        .. " . robe"
end

--- Three good dancing weapons of different kinds and egos, in the next three monster slots.
function hall_of_blades_weapon(e)
    local kinds = util.random_subset({ "long sword", "great sword", "battleaxe", "eveningstar", "glaive", "quick blade" }, 3)
    local egos = util.random_subset({ "flaming", "freezing", "electrocution", "speed", "draining", "vampirism" }, 3)
    for i = 1, 3 do
        e.mons("dancing weapon ; " .. kinds[i] .. " ego:" .. egos[i] .. " good_item")
    end
end

-- Entrances and ends --------------------------------------------------------------------------

--- An entrance to the Realm of Zot: O is the gate, which draconians guard on the inside.
--- zot_entry_setup(e, use_default_monsters)
function zot_entry_setup(e, monsters)
    e.place("Depths:$")
    e.tags("zot_entry")
    e.orient("float")
    e.kfeat("O = enter_zot")
    e.kfeat("Z = zot_statue")
    e.set_feature_name("zot_statue", "statue of the Orb's guardian")
    if monsters ~= false then
        e.mons("base draconian")
        e.mons("nonbase draconian")
        e.mons("dragon / golden dragon / quicksilver dragon")
    end
end

--- The serpent at the ends of the hells: glyph D, if a map has it.
function serpent_of_hell_setup(e)
    e.kmons("D = the Serpent of Hell")
    e.kfeat("D = .")
    if e.kitem then
        e.kitem("D = any gold / any jewellery good_item")
    end
end

--- The runes of Pandemonium that the player has: none, since there is no player.
function count_pan_runes()
    local runes = 0
    for _, name in ipairs({ "demonic", "glowing", "magical", "fiery", "dark" }) do
        if you.have_rune and you.have_rune(name) == true then
            runes = runes + 1
        end
    end
    return runes
end
