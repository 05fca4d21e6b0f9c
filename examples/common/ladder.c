// SPDX-License-Identifier: MIT
/* ladder.c: see ladder.h. */
#include "ladder.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *operation, *variant;
    bool is_step;
    const char *why;
} rows[] = {
#include "ladder_rows.inc"
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

static size_t find(const char *operation, const char *variant)
{
    size_t i = 0;
    while (i < NUM_ROWS && (strcmp(rows[i].operation, operation) != 0 || strcmp(rows[i].variant, variant) != 0))
        i++;
    return i;
}

bool ladder_is_step(const char *operation, const char *variant)
{
    const size_t i = find(operation, variant);
    return i < NUM_ROWS && rows[i].is_step;
}

const char *ladder_why(const char *operation, const char *variant)
{
    const size_t i = find(operation, variant);
    return i < NUM_ROWS ? rows[i].why : "";
}
