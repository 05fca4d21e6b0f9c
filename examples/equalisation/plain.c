// SPDX-License-Identifier: MIT
/* plain.c: equalisation by plain loops on one core of the CPU. */
#include "plain.h"

#include <stdlib.h>
#include <string.h>

clprim_status plain_begin(plain_equaliser *out, const image *photo, const tiling *tiles)
{
    *out = (plain_equaliser){.tiles = *tiles,
                             .in = photo->samples,
                             .counts = malloc(tiles->num_counts * sizeof(uint32_t)),
                             .tables = malloc(tiles->num_counts),
                             .out = malloc(tiles->n)};
    if (out->counts == NULL || out->tables == NULL || out->out == NULL)
        return example_fail("no memory for %zu pixels on the host", tiles->n);
    return CLPRIM_SUCCESS;
}

void plain_clear(plain_equaliser *self)
{
    free(self->counts);
    free(self->tables);
    free(self->out);
    *self = (plain_equaliser){0};
}

static void make_tables(plain_equaliser *self)
{
    const tiling *t = &self->tiles;
    memset(self->counts, 0, t->num_counts * sizeof *self->counts);
    for (size_t y = 0; y < t->height; y++)
        for (size_t x = 0; x < t->width; x++)
            self->counts[(y / t->tile_height * t->across + x / t->tile_width) * LEVELS + self->in[y * t->width + x]]++;
    for (size_t tile = 0; tile < t->num_counts; tile += LEVELS) {
        uint32_t *counts = self->counts + tile;
        uint32_t sum = 0;
        for (size_t level = 0; level < LEVELS; level++) {
            const uint32_t count = counts[level] < t->limit ? counts[level] : t->limit;
            counts[level] = sum;
            sum += count;
        }
        const uint64_t all = counts[LEVELS - 1] > 0 ? counts[LEVELS - 1] : 1;
        for (size_t level = 0; level < LEVELS; level++)
            self->tables[tile + level] = (uint8_t)(((uint64_t)counts[level] * 255 + all / 2) / all);
    }
}

/* The two tiles between whose centres a pixel lies, and the share of the second one in 256ths. */
static void place(size_t *tiles, uint32_t *share, size_t at, uint32_t size, uint32_t count, float scale)
{
    const uint32_t halves = 2 * (uint32_t)at + 1 + size; /* from half a tile before the first centre */
    const uint32_t where = (uint32_t)((float)halves * scale);
    const uint32_t second = where >> 8;
    const uint32_t first = second > 0 ? second - 1 : 0;
    tiles[0] = first < count ? first : count - 1;
    tiles[1] = second < count ? second : count - 1;
    *share = where & 255;
}

static uint8_t look_up(const plain_equaliser *self, size_t x, size_t y)
{
    const tiling *t = &self->tiles;
    const uint8_t *table = self->tables + self->in[y * t->width + x];
    size_t column[2];
    size_t row[2];
    uint32_t right = 0;
    uint32_t low = 0;
    place(column, &right, x, t->tile_width, t->across, t->scale.s[0]);
    place(row, &low, y, t->tile_height, t->down, t->scale.s[1]);
    const uint8_t *upper = table + row[0] * t->across * LEVELS;
    const uint8_t *lower = table + row[1] * t->across * LEVELS;
    const uint32_t above = upper[column[0] * LEVELS] * (256 - right) + upper[column[1] * LEVELS] * right;
    const uint32_t below = lower[column[0] * LEVELS] * (256 - right) + lower[column[1] * LEVELS] * right;
    return (uint8_t)((above * (256 - low) + below * low + 32768) >> 16);
}

clprim_status plain_equalise(void *user)
{
    plain_equaliser *self = user;
    make_tables(self);
    for (size_t y = 0; y < self->tiles.height; y++)
        for (size_t x = 0; x < self->tiles.width; x++)
            self->out[y * self->tiles.width + x] = look_up(self, x, y);
    return CLPRIM_SUCCESS;
}
