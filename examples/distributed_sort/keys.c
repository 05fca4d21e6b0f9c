// SPDX-License-Identifier: MIT
/* keys.c: one rank's piece of the keys. */
#include "keys.h"

#include <stdio.h>
#include <stdlib.h>

/* A number that looks random, for each number (Steele, Lea and Flood 2014). */
static uint64_t mix(uint64_t i)
{
    i += 0x9e3779b97f4a7c15u;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9u;
    i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
    return i ^ (i >> 31);
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fprintf(stderr, "%s: cannot be opened\n", path);
    return file;
}

bool keys_in_file(const char *path, uint64_t *count)
{
    FILE *file = open_file(path);
    if (file == NULL)
        return false;
    const long long size = fseeko(file, 0, SEEK_END) == 0 ? (long long)ftello(file) : -1;
    const bool is_right = size >= 0 && size % (long long)sizeof(uint32_t) == 0;
    if (is_right)
        *count = (uint64_t)size / sizeof(uint32_t);
    else
        fprintf(stderr, "%s: its size is not a multiple of 4 bytes\n", path);
    (void)fclose(file);
    return is_right;
}

bool keys_read(const char *path, uint64_t first, size_t count, uint32_t *keys)
{
    FILE *file = open_file(path);
    if (file == NULL)
        return false;
    const bool is_read =
        fseeko(file, (off_t)(first * sizeof *keys), SEEK_SET) == 0 && fread(keys, sizeof *keys, count, file) == count;
    if (!is_read)
        fprintf(stderr, "%s: cannot be read\n", path);
    (void)fclose(file);
    return is_read;
}

void keys_generate(uint64_t first, size_t count, uint32_t *keys)
{
    for (size_t i = 0; i < count; i++)
        keys[i] = (uint32_t)(mix(first + i) >> 32);
}

/* A sum of hashes: the same for all orders, and hardly the same if a key is lost, or there twice. */
bool keys_summarise(const clprim_comm *comm, const uint32_t *keys, size_t count, keys_summary *out)
{
    uint64_t sums[2] = {count, 0};
    for (size_t i = 0; i < count; i++)
        sums[1] += mix(keys[i]);
    const int code = comm->all_reduce_sum(comm->user, sums, 2);
    *out = (keys_summary){sums[0], sums[1]};
    return code == 0;
}

typedef struct range {
    uint64_t count;
    uint32_t first, last;
    uint64_t is_sorted;
} range;

bool keys_are_sorted(const clprim_comm *comm, const uint32_t *keys, size_t count, bool *out)
{
    range mine = {.count = count, .is_sorted = 1};
    range *all = calloc(comm->size, sizeof *all);
    uint64_t has_none = all == NULL;
    for (size_t i = 1; i < count; i++)
        mine.is_sorted = mine.is_sorted && keys[i - 1] <= keys[i];
    if (count > 0) {
        mine.first = keys[0];
        mine.last = keys[count - 1];
    }
    /* No rank gathers unless all have memory for that. */
    const bool is_known = comm->all_reduce_sum(comm->user, &has_none, 1) == 0 && has_none == 0 && all != NULL &&
                          comm->all_gather(comm->user, &mine, sizeof mine, all) == 0;
    *out = is_known;
    uint32_t last = 0;
    for (unsigned r = 0; r < comm->size && *out; r++) {
        *out = all[r].is_sorted && (all[r].count == 0 || all[r].first >= last);
        last = all[r].count > 0 ? all[r].last : last;
    }
    free(all);
    return is_known;
}
