//! Words that users type for actions with other names.
//!
//! Users may search for a feature that the designer does not have. The palette then lists the most similar action. For
//! "full screen", this is `map only`. For "settings", it is `help`, because users change the settings in a file, not in
//! the designer.

use crate::tui::keymap::Binding;

/// A row for each action: context and name as in the settings, and its synonyms in lower case.
const SYNONYMS: &str = "\
everywhere.play: pause, start, stop, resume, replay, animate, animation, run
everywhere.faster: speed, speed up, accelerate, quicker
everywhere.slower: slow down, decelerate
everywhere.to-the-start: rewind, beginning, restart, back to the start
everywhere.to-the-end: skip, finish, fast forward, jump to the end
everywhere.turn: step, step forward, next step, next frame
everywhere.previous-turn: step back, backwards, previous step, previous frame
everywhere.go-to: seek, jump, jump to, goto, scrub
everywhere.bookmark: marker, flag
everywhere.visible-area: line of sight, field of view, fov, isovist, sight
everywhere.seen-from-the-path: fog, hidden squares
everywhere.walk-of-an-explorer: route of an explorer, wander
everywhere.walk: explore, walk it, walkthrough, first person, fog of war, play the dungeon
everywhere.loop: repeat
everywhere.follow: track, camera
everywhere.what-if: why not, why not otherwise, cause, causes, counterfactual, alternatives
everywhere.reroll: random, random seed, randomise, randomize, new seed, next seed, regenerate, generate, shuffle, dice
everywhere.gallery: thumbnails, seed gallery, many seeds, browse seeds
everywhere.presets: templates, examples, samples
everywhere.open: load, open file, recent, recent files, browse, import, import picture, tiled
everywhere.new: create, blank, empty, from scratch, new design, new file, template
everywhere.resize: size, dimensions, rows, columns, width, height, bigger, smaller
everywhere.larger-map: wider, split, layout of the screen, pane size
everywhere.fold-views: collapse, hide views
everywhere.save: write, store
everywhere.save-as: save copy, save a copy, save to
everywhere.export: screenshot, png, gif, svg, pdf, json, tmx, ldtk, picture, image, print, render, video, movie, convert
everywhere.export-again: re-export, reexport
everywhere.cancel-export: cancel export, abort export, stop export
everywhere.recover: restore, crash, autosave, backup
everywhere.undo: revert, take back, mistake
everywhere.history: versions, edits, undo list
everywhere.quit: exit, close, leave
everywhere.help: keys, keyboard, shortcuts, hotkeys, keybindings, manual, settings, preferences, configuration
everywhere.tour: tutorial, introduction, getting started, learn to use it
everywhere.suspend: shell, terminal
everywhere.next-pane: focus, switch pane
everywhere.vaults: prefab, prefabs, level files, des
everywhere.rooms: layout, add room, new room
everywhere.stats: parameters, character, sliders
everywhere.design: rename, title, notes, description, set seed, enter seed, type seed
everywhere.problems: errors, warnings, diagnostics, issues
everywhere.expectations: conditions, goals, constraints, requirements
everywhere.metrics: figures, statistics, measure, analysis
everywhere.plots: charts, graph, graphs, diagram
everywhere.events: log, what happened
map.inspect: why, explain, info, details, story
everywhere.shortest-path: path, shortest path, route, solution, solve
everywhere.reachable-squares: reachable, connectivity, flood fill
everywhere.enclosed-areas: unreachable, isolated
everywhere.remedies: fix, repair, improve, advice
everywhere.tune: optimise, optimize, optimiser, optimizer
everywhere.learn: more like this, similar, like this, imitate, example, learn from examples, train, style transfer
everywhere.atlas: explore variety, explore designs, variety, diversity, quality diversity, map elites, map-elites, \
    what else, what else could it be, other designs, breed
gallery.more-like-these: more like the marked ones, like the marked
everywhere.compare: diff, difference, before and after
everywhere.wall-frequency: heat map, heatmap, probability, luck, luck map
map.colour-by: color, colors, colour, colours
map.light-background: theme, dark mode, light mode, dark theme, light theme, appearance
map.pixels: graphics, kitty, resolution, sharp, pixel art
map.zoom-in: zoom, enlarge, magnify
map.zoom-out: shrink
map.fit: zoom to fit, fit to screen, whole map, reset zoom
map.map-only: fullscreen, full screen, maximise, maximize, hide panels
map.small-map: minimap, mini map
map.centre: center, recenter
map.draw: paint, brush, pencil, eraser, edit map, tools, paste
rooms.remove: delete, delete entry
panels.variation: cross, crossover, mutate, vary, random parameters, randomise parameters
";

/// Returns the rows: the action, and its synonyms separated by commas.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    SYNONYMS.lines().filter_map(|row| row.split_once(": "))
}

/// Returns the synonyms of an action; empty if it has none.
pub(super) fn of(binding: &Binding) -> Vec<&'static str> {
    let id = format!("{}.{}", binding.context.id(), binding.id());
    let found = rows().find(|(action, _)| *action == id);
    found.map_or_else(Vec::new, |(_, words)| words.split(", ").collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tui::keymap;

    #[test]
    fn every_synonym_belongs_to_exactly_one_action() {
        let ids: BTreeSet<String> = keymap::table()
            .map(|row| format!("{}.{}", row.context.id(), row.id()))
            .collect();
        let mut words = BTreeSet::new();
        assert_eq!(rows().count(), SYNONYMS.lines().count());
        for (id, synonyms) in rows() {
            assert!(ids.contains(id), "{id}");
            for word in synonyms.split(", ") {
                assert_eq!(word, word.to_lowercase());
                assert!(words.insert(word), "{word} belongs to two actions");
            }
        }
    }
}
