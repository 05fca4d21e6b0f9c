// SPDX-License-Identifier: MIT
/* suggest.c: find the word that the user may have meant: the one with the fewest letters that are missing, superfluous,
 * wrong or swapped with their neighbour (Damerau 1964), if there are few of them. */
#include "suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The distance of two words of at most SUGGEST_LONGEST characters. Of the table of distances between all their
 * prefixes, three rows are kept. */
static size_t distance_of(const char *a, const char *b)
{
    size_t rows[3][SUGGEST_LONGEST + 1];
    const size_t width = strlen(b);
    size_t i = 0;
    for (size_t j = 0; j <= width; j++)
        rows[0][j] = j;
    for (; a[i] != '\0'; i++) {
        const size_t *before = rows[(i + 2) % 3], *last = rows[i % 3];
        size_t *row = rows[(i + 1) % 3];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            row[j + 1] = least(least(last[j + 1], row[j]) + 1, last[j] + (a[i] != b[j]));
            if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
                row[j + 1] = least(row[j + 1], before[j - 1] + 1);
        }
    }
    return rows[i % 3][width];
}

suggest suggest_for(const char *given)
{
    return (suggest){.given = given};
}

void suggest_add(suggest *self, const char *allowed)
{
    const size_t size = strlen(self->given);
    if (size == 0 || size > SUGGEST_LONGEST || strlen(allowed) > SUGGEST_LONGEST)
        return;
    const size_t distance = distance_of(self->given, allowed);
    const bool is_like = distance <= (size <= 3 ? 1 : size <= 7 ? 2 : 3) && distance < size;
    if (is_like && (self->best == NULL || distance < self->distance)) {
        self->best = allowed;
        self->distance = distance;
    }
}

const char *suggest_text(char out[static SUGGEST_SIZE], const suggest *self, const char *before, const char *otherwise)
{
    if (self->best == NULL)
        return otherwise;
    (void)snprintf(out, SUGGEST_SIZE, "; did you mean %s%s?", before, self->best);
    return out;
}
