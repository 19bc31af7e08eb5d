/* Grows a preset through the C interface and prints it as `wallcrawler grow --format plain` does. */
#include "wallcrawler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s fails: %s\n", __FILE__, __LINE__, #condition, wc_error()); \
            return 1; \
        } \
    } while (0)

static WcBytes *export_with(const WcDungeon *dungeon, const char *kind, const char *options) {
    return wc_export(dungeon, kind, strlen(kind), "a", 1, options, strlen(options));
}

/* Whether an export with these options fails for this reason. */
static int is_refused(const WcDungeon *dungeon, const char *options, const char *reason) {
    return export_with(dungeon, "cast", options) == NULL && strstr(wc_error(), reason) != NULL;
}

/* Whether diagnostics contain this text; an empty text stands for no diagnostics. */
static int has_diagnostic(const WcDungeon *dungeon, const char *text) {
    WcBytes *bytes = wc_diagnostics(dungeon);
    char copy[4096] = "";
    memcpy(copy, wc_bytes_data(bytes), wc_bytes_length(bytes) < 4095 ? wc_bytes_length(bytes) : 4095);
    wc_bytes_free(bytes);
    return *text == '\0' ? *copy == '\0' : strstr(copy, text) != NULL;
}

/* A vault in a level file that was not added, in one that is no level file, and in one that has its map. */
static int check_levels(void) {
    const char *text = "[layout]\ndim_x = 40\ndim_y = 60\n[[vault]]\nfile = \"cell.des\"\nmap = \"cell\"\n";
    const char *name = "cell.des", *junk = "junk", *level = "NAME: cell\nMAP\nxxx\nx.+\nxxx\nENDMAP\n";
    WcDesign *design = wc_design_parse(text, strlen(text));
    CHECK(design != NULL);
    CHECK(wc_grow(design, 1) == NULL && strstr(wc_error(), "wc_design_add_level") != NULL);
    CHECK(strstr(wc_error(), "LevelFiles") == NULL);
    CHECK(wc_design_add_level(design, name, strlen(name), (const uint8_t *)junk, strlen(junk)));
    WcDungeon *dungeon = wc_grow(design, 1);
    CHECK(dungeon != NULL && has_diagnostic(dungeon, "cell"));
    wc_dungeon_free(dungeon);
    CHECK(wc_design_add_level(design, name, strlen(name), (const uint8_t *)level, strlen(level)));
    dungeon = wc_grow(design, 1);
    CHECK(dungeon != NULL && has_diagnostic(dungeon, ""));
    wc_dungeon_free(dungeon);
    wc_design_free(design);
    return 0;
}

/* A key that designs do not have. */
static int check_unknown_key(void) {
    const char *text = "[layout]\ndim_x = 40\ndim_y = 60\ndim_z = 3\n";
    WcDesign *design = wc_design_parse(text, strlen(text));
    CHECK(design != NULL);
    WcDungeon *dungeon = wc_grow(design, 1);
    CHECK(dungeon != NULL && has_diagnostic(dungeon, "design:4:1: warning: unknown key"));
    wc_dungeon_free(dungeon);
    wc_design_free(design);
    return 0;
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    const char *name = arguments[1];
    WcDesign *design = wc_design_preset(name, strlen(name));
    CHECK(design != NULL);
    WcDungeon *dungeon = wc_grow(design, strtoull(arguments[2], NULL, 10));
    CHECK(dungeon != NULL);

    const int32_t rows = wc_rows(dungeon), columns = wc_columns(dungeon);
    const uint8_t *tiles = wc_tiles(dungeon);
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t column = 0; column < columns; column++) {
            putchar(".oXYC"[tiles[row * columns + column]]);
        }
        putchar('\n');
    }

    const uint32_t *laid = wc_turn_laid(dungeon);
    const int16_t *generations = wc_generations(dungeon);
    const int32_t *steps = wc_steps(dungeon);
    size_t built = 0, reached = 0;
    for (int32_t square = 0; square < rows * columns; square++) {
        CHECK((laid[square] > 0) == (generations[square] >= 0));
        CHECK(steps[square] < 0 || tiles[square] <= WC_GUARANTEED);
        built += laid[square] > 0;
        reached += steps[square] >= 0;
    }
    CHECK(built > 100 && reached > 100);

    /* An earlier turn has fewer walls. */
    wc_seek(dungeon, wc_turns(dungeon) / 2);
    laid = wc_turn_laid(dungeon);
    size_t earlier = 0;
    for (int32_t square = 0; square < rows * columns; square++) {
        earlier += laid[square] > 0;
    }
    CHECK(0 < earlier && earlier < built);
    CHECK(wc_turn(dungeon) == wc_turns(dungeon) / 2);

    WcBytes *events = wc_events(dungeon, 0, 10);
    CHECK(events != NULL && strncmp((const char *)wc_bytes_data(events), "[[0,{\"born\"", 11) == 0);
    wc_bytes_free(events);
    const char *options = "{\"scale\": 4, \"legend\": true}";
    WcBytes *picture = wc_export(dungeon, "png", 3, "a.png", 5, options, strlen(options));
    CHECK(picture != NULL && memcmp(wc_bytes_data(picture), "\x89PNG", 4) == 0);
    wc_bytes_free(picture);
    picture = export_with(dungeon, "pdf", "{\"print\": {\"paper\": \"a3\"}, \"marks\": null, \"moments\": null}");
    CHECK(picture != NULL && memcmp(wc_bytes_data(picture), "%PDF", 4) == 0);
    wc_bytes_free(picture);
    WcBytes *growth = export_with(dungeon, "cast", "{\"duration\": 3600000, \"follow\": 0}");
    CHECK(growth != NULL);
    wc_bytes_free(growth);
    WcBytes *beside = wc_export_beside(dungeon, "tmj", 3, "a.tmj", 5, "", 0);
    CHECK(beside != NULL && memcmp(wc_bytes_data(beside), "\x89PNG", 4) == 0);
    wc_bytes_free(beside);

    /* Turns after the last have no events. */
    events = wc_events(dungeon, UINT64_MAX, UINT64_MAX);
    CHECK(events != NULL && wc_bytes_length(events) == 2 && memcmp(wc_bytes_data(events), "[]", 2) == 0);
    wc_bytes_free(events);

    /* Failures have reasons. */
    CHECK(is_refused(dungeon, "{\"scael\": 8}", "unknown option `scael`"));
    CHECK(is_refused(dungeon, "{\"engine\": {\"columns\": false}}", "unknown option `engine`"));
    CHECK(is_refused(dungeon, "{\"sources\": []}", "unknown option `sources`"));
    CHECK(is_refused(dungeon, "{\"on\": \"light\"}", "ground"));
    CHECK(is_refused(dungeon, "{\"print\": {\"papr\": \"a4\"}}", "`print.papr`; use one of margin, overlap, paper, square"));
    CHECK(is_refused(dungeon, "{\"scale\": 0}", "`scale` must be from 1 to 4096"));
    CHECK(is_refused(dungeon, "{\"scale\": 5000}", "`scale`"));
    CHECK(is_refused(dungeon, "{\"grid\": 0}", "`grid`"));
    CHECK(is_refused(dungeon, "{\"duration\": 0}", "`duration`"));
    CHECK(is_refused(dungeon, "{\"duration\": 4294967295}", "`duration` must be from 1 to 3600000"));
    CHECK(is_refused(dungeon, "[]", "not a JSON object"));
    CHECK(has_diagnostic(dungeon, ""));
    CHECK(check_levels() == 0);
    CHECK(check_unknown_key() == 0);
    CHECK(wc_export(dungeon, "jpeg", 4, "a", 1, "", 0) == NULL && strstr(wc_error(), "`jpeg`") != NULL);
    CHECK(!wc_design_change(design, "MaxAgee -> 3", 12) && strstr(wc_error(), "MaxAge") != NULL);
    CHECK(wc_design_parse("dim", 3) == NULL && *wc_error() != '\0');

    /* A changed design is another one, and is written so that it can be parsed again. */
    CHECK(wc_design_change(design, "MaxAge * 2", 10));
    WcBytes *toml = wc_design_toml(design);
    WcDesign *again = wc_design_parse((const char *)wc_bytes_data(toml), wc_bytes_length(toml));
    CHECK(again != NULL && wc_design_seed(again) == wc_design_seed(design));
    wc_design_free(again);
    wc_bytes_free(toml);
    WcBytes *code = wc_design_code(design, 77);
    CHECK(code != NULL);
    again = wc_design_parse((const char *)wc_bytes_data(code), wc_bytes_length(code));
    CHECK(again != NULL && wc_design_seed(again) == 77);
    wc_bytes_free(code);
    wc_design_free(again);
    wc_dungeon_free(dungeon);
    wc_design_free(design);
    wc_design_free(NULL);
    return 0;
}
