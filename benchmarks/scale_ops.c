// SPDX-License-Identifier: MIT
/* scale_ops.c: the operations that `scale` times, from host to host, and their checks. */
#include "scale_ops.h"

#include <clprim/distributed.h>
#include <string.h>

#include "keys.h"

static clprim_status run_sort(const clprim_comm *comm, clprim_runtime *runtime, const scale_piece *piece)
{
    const clprim_radix_sort_call call = {
        .keys_in = {.host = piece->keys}, .count = piece->count, .keys_out = {.host = piece->keys_out}};
    return clprim_distributed_radix_sort(comm, runtime, NULL, &call, NULL, NULL);
}

/* The order, across ranks, too; the number of keys; and their hash. */
static bool check_sort(const scale_piece *piece)
{
    keys_summary before, after;
    bool is_sorted = false;
    return keys_summarise(piece->comm, piece->keys, piece->count, &before) &&
           keys_summarise(piece->comm, piece->keys_out, piece->count, &after) &&
           keys_are_sorted(piece->comm, piece->keys_out, piece->count, &is_sorted) && is_sorted &&
           before.count == after.count && before.hash == after.hash;
}

static clprim_status run_pairs(const clprim_comm *comm, clprim_runtime *runtime, const scale_piece *piece)
{
    const clprim_radix_sort_desc desc = {.value_size = sizeof *piece->values};
    const clprim_radix_sort_call call = {.keys_in = {.host = piece->keys},
                                         .values_in = {.host = piece->values},
                                         .count = piece->count,
                                         .keys_out = {.host = piece->keys_out},
                                         .values_out = {.host = piece->values_out}};
    return clprim_distributed_radix_sort(comm, runtime, &desc, &call, NULL, NULL);
}

static uint64_t pair_at(const scale_piece *piece, size_t i)
{
    return (uint64_t)piece->keys_out[i] << 32 | piece->values_out[i];
}

/* Each value is the number of the key beside it, and the pairs ascend strictly: the keys, and the numbers of equal
 * keys. So none is there twice, none is lost, and the sort is stable. */
static bool check_pairs(const scale_piece *piece)
{
    enum { COUNT, FIRST, LAST, SIZE };
    const size_t count = piece->count;
    uint64_t mine[SIZE] = {count}, last = 0;
    bool is_right = true, is_first = true;
    for (size_t i = 0; i < count && is_right; i++) {
        uint32_t key = 0;
        keys_generate(piece->values_out[i], 1, &key);
        is_right = key == piece->keys_out[i] && piece->values_out[i] < piece->total &&
                   (i == 0 || pair_at(piece, i - 1) < pair_at(piece, i));
    }
    if (count > 0) {
        mine[FIRST] = pair_at(piece, 0);
        mine[LAST] = pair_at(piece, count - 1);
    }
    if (piece->comm->all_gather(piece->comm->user, mine, sizeof mine, piece->every) != 0)
        return false;
    for (unsigned r = 0; r < piece->comm->size; r++) {
        const uint64_t *its = piece->every + (size_t)r * SIZE;
        if (its[COUNT] == 0)
            continue;
        is_right = is_right && (is_first || last < its[FIRST]);
        is_first = false;
        last = its[LAST];
    }
    return is_right;
}

static clprim_status run_scan(const clprim_comm *comm, clprim_runtime *runtime, const scale_piece *piece)
{
    const clprim_scan_desc desc = {.type = CLPRIM_U32};
    const clprim_scan_call call = {
        .in = {.host = piece->keys}, .count = piece->count, .out = {.host = piece->keys_out}};
    return clprim_distributed_scan(comm, runtime, &desc, &call);
}

/* Every prefix, modulo 2^32. */
static bool check_scan(const scale_piece *piece)
{
    uint64_t sum = 0;
    uint32_t prefix = 0;
    for (size_t i = 0; i < piece->count; i++)
        sum += piece->keys[i];
    if (piece->comm->all_gather(piece->comm->user, &sum, sizeof sum, piece->every) != 0)
        return false;
    for (unsigned r = 0; r < piece->comm->rank; r++)
        prefix += (uint32_t)piece->every[r];
    for (size_t i = 0; i < piece->count; i++) {
        prefix += piece->keys[i];
        if (piece->keys_out[i] != prefix)
            return false;
    }
    return true;
}

static clprim_status run_histogram(const clprim_comm *comm, clprim_runtime *runtime, const scale_piece *piece)
{
    const clprim_histogram_desc desc = {
        .type = CLPRIM_U32, .mapping = CLPRIM_HISTOGRAM_EVEN, .bins = SCALE_BINS, .high = 4294967296.0};
    const clprim_histogram_call call = {
        .in = {.host = piece->keys}, .count = piece->count, .out = {.host = piece->keys_out}};
    return clprim_distributed_histogram(comm, runtime, &desc, &call);
}

/* Every counter: a bin is the highest eight bits of a key. */
static bool check_histogram(const scale_piece *piece)
{
    uint64_t counters[SCALE_BINS] = {0};
    bool is_right = true;
    for (size_t i = 0; i < piece->count; i++)
        counters[piece->keys[i] >> 24]++;
    if (piece->comm->all_reduce_sum(piece->comm->user, counters, SCALE_BINS) != 0)
        return false;
    for (size_t bin = 0; bin < SCALE_BINS; bin++)
        is_right = is_right && counters[bin] == piece->keys_out[bin];
    return is_right;
}

static clprim_status run_top_k(const clprim_comm *comm, clprim_runtime *runtime, const scale_piece *piece)
{
    const clprim_top_k_desc desc = {.k = SCALE_K};
    const clprim_top_k_call call = {
        .keys_in = {.host = piece->keys}, .count = piece->count, .keys_out = {.host = piece->keys_out}};
    return clprim_distributed_top_k(comm, runtime, &desc, &call);
}

/* The keys do not ascend. Those above the last one are all that the input has above it, by number and hash; all ranks
 * have the same ones. The others equal the last one, and the input has at least as many. */
static bool check_top_k(const scale_piece *piece)
{
    const size_t num = piece->total < SCALE_K ? (size_t)piece->total : SCALE_K;
    const uint32_t *found = piece->keys_out, last = found[num - 1];
    uint32_t above[SCALE_K];
    size_t num_above = 0, found_above = 0;
    uint64_t num_last = 0;
    keys_summary wanted, all_found;
    bool is_right = true;
    for (size_t i = 0; i < num; i++) {
        is_right = is_right && (i == 0 || found[i - 1] >= found[i]);
        found_above += found[i] > last;
    }
    for (size_t i = 0; i < piece->count; i++) {
        num_last += piece->keys[i] == last;
        if (piece->keys[i] > last && num_above < SCALE_K) /* of more, the result is wrong anyway */
            above[num_above++] = piece->keys[i];
    }
    if (!keys_summarise(piece->comm, above, num_above, &wanted) ||
        !keys_summarise(piece->comm, found, found_above, &all_found) ||
        piece->comm->all_reduce_sum(piece->comm->user, &num_last, 1) != 0)
        return false;
    return is_right && wanted.count == found_above && all_found.count == wanted.count * piece->comm->size &&
           all_found.hash == wanted.hash * piece->comm->size && num_last >= num - found_above;
}

static clprim_status run_copy(const clprim_comm *comm, clprim_runtime *runtime, const scale_piece *piece)
{
    const clprim_transform_desc desc = {.expressions = {"x[i]"},
                                        .types = {CLPRIM_U32},
                                        .text.parameters = {{.name = "x", .type = CLPRIM_U32, .is_array = true}}};
    const clprim_transform_call call = {
        .arguments = {{.host = piece->keys}}, .count = piece->count, .out = {{.host = piece->keys_out}}};
    return clprim_distributed_transform(comm, runtime, &desc, &call);
}

static bool check_copy(const scale_piece *piece)
{
    return memcmp(piece->keys, piece->keys_out, piece->count * sizeof *piece->keys) == 0;
}

const scale_operation scale_operations[SCALE_OPERATIONS] = {
    {"sort", true, false, run_sort, check_sort},     {"pairs", true, true, run_pairs, check_pairs},
    {"scan", false, false, run_scan, check_scan},    {"histogram", false, false, run_histogram, check_histogram},
    {"top_k", false, false, run_top_k, check_top_k}, {"copy", false, false, run_copy, check_copy},
};
