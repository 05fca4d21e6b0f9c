// SPDX-License-Identifier: MIT
/* test_scale_ops.c: the checks of `scale` accept the right result, and no result that is wrong in one place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"
#include "ranks.h"
#include "scale_ops.h"

enum { RANKS = 3, COUNT = 1 << 17, TOTAL = RANKS * COUNT, SEAM = COUNT - 1 }; /* some keys are there twice */

/* Of all ranks. */
static uint32_t keys[TOTAL], keys_out[TOTAL], values_out[TOTAL];
static uint64_t pairs[TOTAL]; /* each key with its number, sorted */

typedef struct test_case {
    const char *name, *text;
    void (*spoil)(void); /* NULL: the result is right */
    bool is_right;
} test_case;

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void make_pairs(void)
{
    keys_generate(0, TOTAL, keys);
    for (size_t i = 0; i < TOTAL; i++)
        pairs[i] = (uint64_t)keys[i] << 32 | i;
    qsort(pairs, TOTAL, sizeof *pairs, compare);
}

static void make_result(const char *name)
{
    uint32_t sum = 0;
    memset(keys_out, 0, sizeof keys_out);
    for (size_t i = 0; i < TOTAL; i++) {
        sum += keys[i];
        if (strcmp(name, "histogram") == 0)
            keys_out[keys[i] >> 24]++;
        else if (strcmp(name, "top_k") == 0 && i < SCALE_K)
            keys_out[i] = (uint32_t)(pairs[TOTAL - 1 - i] >> 32);
        else if (strcmp(name, "scan") == 0 || strcmp(name, "copy") == 0)
            keys_out[i] = name[0] == 's' ? sum : keys[i];
        else if (strcmp(name, "sort") == 0 || strcmp(name, "pairs") == 0)
            keys_out[i] = (uint32_t)(pairs[i] >> 32);
        values_out[i] = (uint32_t)pairs[i];
    }
}

static void swap(uint32_t *array, size_t i)
{
    const uint32_t first = array[i];
    array[i] = array[i + 1];
    array[i + 1] = first;
}

static void swap_keys(void)
{
    swap(keys_out, 1000);
}

static void swap_keys_of_ranks(void)
{
    swap(keys_out, SEAM);
}

static void swap_pairs_of_ranks(void)
{
    swap(keys_out, SEAM);
    swap(values_out, SEAM);
}

static void repeat_key(void)
{
    keys_out[1000] = keys_out[1001];
}

static void repeat_pair(void)
{
    keys_out[SEAM] = keys_out[SEAM + 1];
    values_out[SEAM] = values_out[SEAM + 1];
}

static void swap_values(void)
{
    swap(values_out, 1000);
}

static void swap_values_of_equal_keys(void)
{
    size_t i = 0;
    while (i + 2 < TOTAL && keys_out[i] != keys_out[i + 1])
        i++;
    swap(values_out, i);
}

static void count_one_more(void)
{
    keys_out[SCALE_BINS - 1]++;
}

static void change_last(void)
{
    keys_out[TOTAL - 1]++;
}

/* The largest key but one is missing, so the next one behind the last comes in. */
static void leave_out_key(void)
{
    memmove(keys_out + 1, keys_out + 2, (SCALE_K - 2) * sizeof *keys_out);
    keys_out[SCALE_K - 1] = (uint32_t)(pairs[TOTAL - 1 - SCALE_K] >> 32);
}

/* As if the last key were there twice. */
static void repeat_last_key(void)
{
    keys_out[SCALE_K - 2] = keys_out[SCALE_K - 1];
}

static void swap_largest(void)
{
    swap(keys_out, 0);
}

static bool check(const clprim_comm *comm, unsigned place, const void *user)
{
    const test_case *self = user;
    const size_t first = (size_t)place * COUNT;
    const bool is_whole = strcmp(self->name, "histogram") == 0 || strcmp(self->name, "top_k") == 0;
    uint64_t every[5 * RANKS];
    const scale_piece piece = {.comm = comm,
                               .first = first,
                               .total = TOTAL,
                               .count = COUNT,
                               .keys = keys + first,
                               .keys_out = is_whole ? keys_out : keys_out + first,
                               .values_out = values_out + first,
                               .every = every};
    for (size_t i = 0; i < SCALE_OPERATIONS; i++)
        if (strcmp(scale_operations[i].name, self->name) == 0)
            return scale_operations[i].check(&piece);
    return false;
}

int main(void)
{
    static const test_case cases[] = {
        {"sort", "right", NULL, true},
        {"sort", "two keys in the wrong order", swap_keys, false},
        {"sort", "two keys of two ranks in the wrong order", swap_keys_of_ranks, false},
        {"sort", "a key twice instead of another", repeat_key, false},
        {"pairs", "right", NULL, true},
        {"pairs", "two pairs of two ranks in the wrong order", swap_pairs_of_ranks, false},
        {"pairs", "a pair twice instead of another", repeat_pair, false},
        {"pairs", "two values in the wrong order", swap_values, false},
        {"pairs", "values of equal keys in the wrong order", swap_values_of_equal_keys, false},
        {"scan", "right", NULL, true},
        {"scan", "the last sum is wrong", change_last, false},
        {"histogram", "right", NULL, true},
        {"histogram", "a counter is wrong", count_one_more, false},
        {"top_k", "right", NULL, true},
        {"top_k", "a key is left out", leave_out_key, false},
        {"top_k", "the last key twice instead of another", repeat_last_key, false},
        {"top_k", "two keys in the wrong order", swap_largest, false},
        {"copy", "right", NULL, true},
        {"copy", "the last element is wrong", change_last, false},
    };
    int code = EXIT_SUCCESS;
    make_pairs();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_result(cases[i].name);
        if (cases[i].spoil != NULL)
            cases[i].spoil();
        if (ranks_by_threads(RANKS, check, &cases[i]) != cases[i].is_right) {
            fprintf(stderr, "%s, %s: %s\n", cases[i].name, cases[i].text, cases[i].is_right ? "refused" : "accepted");
            code = EXIT_FAILURE;
        }
    }
    return code;
}
