//! The module `you`. The user sets the player's name, species, background, god and experience level, and the level of
//! the dungeon. All other values are those of a newly created player.

use mlua::Value;

use crate::vault::lua::call::{Call, Module};
use crate::vault::spec::Branch;

/// Adds the functions to `you`.
pub(crate) fn install(you: &Module) -> mlua::Result<()> {
    person(you)?;
    place(you)?;
    stand_ins(you)?;
    // Names from older releases of the game.
    for (old, new) in [
        ("subdepth", "depth"),
        ("levitating", "flying"),
        ("species", "race"),
        ("job", "class"),
    ] {
        let function: Value = you.table.raw_get(new)?;
        you.table.raw_set(old, function)?;
    }
    Ok(())
}

fn person(you: &Module) -> mlua::Result<()> {
    you.add("name", |call| Ok(call.engine.world().name.clone()))?;
    you.add("race", |call| Ok(call.engine.world().race.clone()))?;
    you.add("genus", |call| Ok(call.engine.world().race.to_lowercase()))?;
    you.add("class", |call| Ok(call.engine.world().class.clone()))?;
    you.add("god", |call| Ok(call.engine.world().god.clone()))?;
    you.add("good_god", |call| {
        let world = call.engine.world();
        Ok(["Elyvilon", "Zin", "the Shining One"].contains(&world.god.as_str()))
    })?;
    you.add("xl", |call| Ok(call.engine.world().xl))
}

fn place(you: &Module) -> mlua::Result<()> {
    you.add("branch", |call| Ok(call.engine.world().level.branch.name()))?;
    you.add("depth", |call| Ok(call.engine.world().level.depth))?;
    you.add("absdepth", |call| Ok(call.engine.world().level.absolute))?;
    you.add("where", |call| Ok(call.engine.world().level.to_string()))?;
    you.add("in_branch", |call| {
        let name = call.text(0)?;
        let branch = call.engine.world().level.branch;
        Ok(Branch::by_name(&name) == Some(branch))
    })?;
    you.add("depth_fraction", |call| {
        let level = call.engine.world().level;
        let last = level.branch.levels();
        Ok(if last < 2 {
            1.0
        } else {
            f64::from(level.depth.saturating_sub(1)) / f64::from(last - 1)
        })
    })?;
    you.add("at_branch_bottom", |call| {
        let level = call.engine.world().level;
        Ok(level.depth >= level.branch.levels())
    })?;
    you.add("in_hell", |call| {
        let branch = call.engine.world().level.branch;
        Ok(["Hell", "Dis", "Geh", "Coc", "Tar"].contains(&branch.name()))
    })?;
    for name in ["pos", "position"] {
        you.add(name, |_| Ok((0, 0)))?;
    }
    Ok(())
}

/// Adds functions that return the values of a newly created player. Also adds functions that only the game could carry
/// out; calls to them are recorded.
fn stand_ins(you: &Module) -> mlua::Result<()> {
    you.constants(NOTHING, 0)?;
    you.constants(NO, false)?;
    you.constants("x_pos y_pos dex_max", 0)?;
    you.constants("hp mp mhp mmp base_mp", 10)?;
    you.constants("strength intelligence dexterity", 10)?;
    you.constants("transform status hunger_name constriction", "")?;
    for name in [
        "spells",
        "abilities",
        "ability_table",
        "spell_table",
        "floor_items",
        "inventory",
    ] {
        you.add(name, |call: &Call| call.lua.create_table())?;
    }
    you.recorded(
        "you.",
        "teleport_to die died moveto gain_exp init set_xl losight stop_activity stop_running mutate change_species \
            shopping_list_add random_teleport delete_mutation delete_all_mutations set_training_skills \
            enter_wizard_mode",
    )
}

const NOTHING: &str = "\
    mutation get_base_mutation_level base_skill skill turns time turns_on_level elapsed_time num_runes zigs_completed \
    zigs_max gold piety_rank exp exp_needed xl_progress hunger lives deaths rot poison_survival res_poison res_fire \
    res_cold res_draining res_shock res_statdrain res_mutation res_slowing res_corr spirit_shield see_invisible \
    noise_perception stealth_pips mr willpower ac ev sh experience contaminated max_burden burden unspent_points \
    temp_mutations monster";

const NO: &str = "\
    uniques unrands have_rune have_orb silenced see_cell see_cell_no_trans see_cell_solid_see uniq_tag_used \
    uniq_map_used in_vault is_level_on_stack turn_is_over flying gourmand asleep paralysed caught constricted berserk \
    hasted slowed confused invisible mesmerised on_fire petrified petrifying sick exhausted teleporting transformed \
    swimming wearing_ring has_seen_branch feel_safe under_penance silencing breath_timeout nausea can_consume_corpses \
    can_smell like_chunks saprovorous bloodless extra_resistant airborne undead deaths_door wizard explore \
    is_web_immune vampire";
