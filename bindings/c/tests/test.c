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
    WcBytes *beside = wc_export_beside(dungeon, "tmj", 3, "a.tmj", 5, "", 0);
    CHECK(beside != NULL && memcmp(wc_bytes_data(beside), "\x89PNG", 4) == 0);
    wc_bytes_free(beside);

    /* Failures have reasons. */
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
