/* Wallcrawler for C, and for every language that calls C: C#, Java, Lua.
 *
 * Designs and dungeons are handles, which the caller frees. Pass strings as UTF-8 with their length in bytes; a zero byte
 * at the end is not necessary. A function that can fail returns NULL or false, and wc_error() then returns the reason.
 * Handles may be used on any thread, each by one thread at a time. A square is given by its row, from the top, and its
 * column, from the left; arrays have one number for each square, row by row.
 *
 *     WcDesign *design = wc_design_preset("keep", 4);
 *     WcDungeon *dungeon = wc_grow(design, 42);
 *     const uint8_t *tiles = wc_tiles(dungeon);
 *     bool is_wall = tiles[12 * wc_columns(dungeon) + 30] >= WC_WALL;
 *     wc_dungeon_free(dungeon);
 *     wc_design_free(design);
 */
#ifndef WALLCRAWLER_H
#define WALLCRAWLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of tile. The first two are walkable. */
enum { WC_OPEN, WC_GUARANTEED, WC_WALL, WC_HIGH_WALL, WC_COLUMN };

typedef struct WcDesign WcDesign;
typedef struct WcDungeon WcDungeon;
typedef struct WcBytes WcBytes;

/* The reason for the last failure on this thread, valid until the next call that fails; never NULL. */
const char *wc_error(void);

/* The version of the program, and the edition of its seed catalogue: with the same edition, a design and a seed grow the
 * same dungeon. */
const char *wc_version(void);
uint32_t wc_seed_catalog(void);

/* Bytes that a function returned. */
const uint8_t *wc_bytes_data(const WcBytes *bytes);
size_t wc_bytes_length(const WcBytes *bytes);
void wc_bytes_free(WcBytes *bytes);

/* A JSON list of the built-in designs: objects with name and summary. */
WcBytes *wc_presets(void);

/* A design from TOML, a rooms file or a dungeon code (wc1:...), or a built-in one. */
WcDesign *wc_design_parse(const char *text, size_t length);
WcDesign *wc_design_preset(const char *name, size_t length);
void wc_design_free(WcDesign *design);

/* Adds a level file for the vaults of the design, under the name by which the design refers to it. */
bool wc_design_add_level(WcDesign *design, const char *name, size_t name_length, const uint8_t *data, size_t length);

/* Changes numbers by a rule, such as "MaxAge -> 3". */
bool wc_design_change(WcDesign *design, const char *rule, size_t length);

/* The design as TOML, and its own seed. */
WcBytes *wc_design_toml(const WcDesign *design);
uint64_t wc_design_seed(const WcDesign *design);

/* The design with a seed as a dungeon code: one line of text, which the program opens. Fails for designs with level
 * files, and for designs that are too large for a code. */
WcBytes *wc_design_code(const WcDesign *design, uint64_t seed);

/* Grows a dungeon and records its growth. Initially, the dungeon is shown after its last turn. */
WcDungeon *wc_grow(const WcDesign *design, uint64_t seed);
void wc_dungeon_free(WcDungeon *dungeon);

/* Messages: warnings about the text that wc_design_parse read, such as unknown keys, and warnings and notes about the
 * design itself, for example about a vault for which there is no space. The result is empty if there are no messages.
 * Each message begins on a new line; its other lines, such as advice, are indented. */
WcBytes *wc_diagnostics(const WcDungeon *dungeon);

int32_t wc_rows(const WcDungeon *dungeon);
int32_t wc_columns(const WcDungeon *dungeon);

/* The number of turns of the growth, and the turn that is shown. wc_seek shows another turn; pointers to the arrays
 * below are then no longer valid. */
uint64_t wc_turns(const WcDungeon *dungeon);
uint64_t wc_turn(const WcDungeon *dungeon);
void wc_seek(WcDungeon *dungeon, uint64_t turn);

/* Arrays of the turn that is shown, valid until wc_seek or wc_dungeon_free: the kind of tile; the generation of the
 * Builder that laid the tile (-1 where none did); the turn in which it was laid, counted from 1 (0 where no Builder laid
 * one); the steps from the entrance (-1 for squares that cannot be reached). */
const uint8_t *wc_tiles(WcDungeon *dungeon);
const int16_t *wc_generations(WcDungeon *dungeon);
const uint32_t *wc_turn_laid(WcDungeon *dungeon);
const int32_t *wc_steps(WcDungeon *dungeon);

/* A JSON list of the events of the turns after `from` up to `to`: [turn, event]. If `from` is 0, the list begins with the
 * events before the first turn, which have turn 0. */
WcBytes *wc_events(const WcDungeon *dungeon, uint64_t from, uint64_t to);

/* The dungeon at the turn that is shown, as a kind of `wallcrawler export`: "png", "tmj", "json", … `name` is the name of
 * the file; kinds that need a companion picture derive the picture's name from it. wc_export_beside returns that picture,
 * and fails for other kinds. `options` is a JSON object with fields of ExportOptions, such as
 * {"scale": 8, "legend": true}, or empty. Unknown names and numbers out of range are errors; options that the kind does
 * not use are ignored. */
WcBytes *wc_export(const WcDungeon *dungeon, const char *kind, size_t kind_length, const char *name, size_t name_length,
                   const char *options, size_t options_length);
WcBytes *wc_export_beside(const WcDungeon *dungeon, const char *kind, size_t kind_length, const char *name,
                          size_t name_length, const char *options, size_t options_length);

/* Allocates and frees memory of the library, for callers that cannot pass their own, such as a page in a browser. */
uint8_t *wc_alloc(size_t length);
void wc_release(uint8_t *memory, size_t length);

#ifdef __cplusplus
}
#endif

#endif
