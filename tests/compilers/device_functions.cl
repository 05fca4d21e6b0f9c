// SPDX-License-Identifier: MIT
/* device_functions.cl: calls each function for callers' kernels. compilers.py compiles it for all implementations of
 * sub-groups. */
#ifdef ONLY_BY_DISTANCE
#undef cl_khr_subgroup_shuffle
#undef cl_khr_subgroup_ballot
#undef cl_intel_subgroups
#endif
#include <clprim/device/look_back.h>
#include <clprim/device/radix_image.h>
#include <clprim/device/sub_group.h>
#include <clprim/device/work_group_exchange.h>
#include <clprim/device/work_group_histogram.h>
#include <clprim/device/work_group_load.h>
#include <clprim/device/work_group_merge.h>
#include <clprim/device/work_group_radix_rank.h>
#include <clprim/device/work_group_radix_sort.h>
#include <clprim/device/work_group_reduce.h>
#include <clprim/device/work_group_scan.h>
#include <clprim/device/work_group_tile_scan.h>

typedef struct {
    uint x, y, z;
} three;

typedef struct {
    ulong8 numbers;
} large;

CLPRIM_LOOK_BACK(bytes_before, uchar, a | b, 0, SIZE)
CLPRIM_LOOK_BACK(threes_before, three, ((three){a.x + b.x, a.y ^ b.y, b.z}), {0}, SIZE)
CLPRIM_LOOK_BACK(large_before, large, ((large){max(a.numbers, b.numbers)}), {(ulong8)(0)}, SIZE)
CLPRIM_SUB_GROUP(moves, double)
CLPRIM_SUB_GROUP_SCAN(lanes, char, a + b, 0)
CLPRIM_SUB_GROUP_SCAN(lane_sums, uint, a + b, 0)
CLPRIM_WORK_GROUP_EXCHANGE(exchanges, ushort, SIZE, 3)
CLPRIM_WORK_GROUP_LOAD(tiles, three, SIZE, 4)
CLPRIM_WORK_GROUP_REDUCE(most, float4, max(a, b), SIZE)
CLPRIM_WORK_GROUP_REDUCE(all_sums, uint, a + b, SIZE)
CLPRIM_WORK_GROUP_SCAN(sums, three, ((three){a.x + b.x, a.y ^ b.y, b.z}), {0}, SIZE)
CLPRIM_WORK_GROUP_SCAN(int_sums, int, a + b, 7, SIZE)
CLPRIM_WORK_GROUP_TILE_SCAN(pieces, three, ((three){a.x + b.x, a.y ^ b.y, b.z}), {0}, 0, SIZE, 4)
CLPRIM_WORK_GROUP_TILE_SCAN(uint_pieces, uint, a + b, 0, 1, SIZE, 3)
CLPRIM_WORK_GROUP_RADIX_RANK(ranks, ushort, 7, SIZE, 3)
CLPRIM_WORK_GROUP_RADIX_SORT(keys, uchar, SIZE, 4)
CLPRIM_WORK_GROUP_RADIX_SORT_PAIRS(pairs, ulong, three, SIZE, 3)
CLPRIM_MERGE(runs, float4, a.x < b.x)
CLPRIM_WORK_GROUP_MERGE_SORT(items, three, a.x < b.x, SIZE, 4)
CLPRIM_WORK_GROUP_MERGE_SORT_PAIRS(item_pairs, float, three, a > b, SIZE, 3)
CLPRIM_WORK_GROUP_HISTOGRAM(counts, 100, 4, SIZE)

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void groups(__global three *threes, __global float4 *floats,
                                                                       __global ushort *shorts, uint n)
{
    __local exchanges_memory exchanging;
    __local tiles_memory loading, storing;
    __local most_memory comparing;
    __local sums_memory adding[4];
    __local all_sums_memory adding_all[2];
    __local int_sums_memory adding_ints;
    __local pieces_memory adding_pieces;
    __local uint_pieces_memory adding_uints;
    const uint i = get_global_id(0);
    const three none = {0};
    three threes_here[4], total;
    ushort shorts_here[3] = {shorts[i], shorts[i + SIZE], shorts[i + 2 * SIZE]};
    floats[i] = most_reduce(floats[i], &comparing);
    tiles_load_blocked(threes_here, threes, 0, n, none, &loading);
    threes_here[0] = sums_exclusive(threes_here[0], &total, &adding[0]);
    threes_here[1] = sums_inclusive(threes_here[1], &total, &adding[1]);
    sums_exclusive_items(threes_here, 4, &total, &adding[2]);
    sums_inclusive_items(threes_here, 4, &total, &adding[3]);
    tiles_store_blocked(threes, 0, n, threes_here, &storing);
    tiles_load_striped(threes_here, threes, SIZE, n, total);
    tiles_store_striped(threes, 2 * SIZE, n, threes_here);
    exchanges_striped_to_blocked(shorts_here, &exchanging);
    barrier(CLK_LOCAL_MEM_FENCE);
    exchanges_blocked_to_striped(shorts_here, &exchanging);
    threes[pieces_index(0)] = pieces_fold(threes_here, &total, &adding_pieces);
    pieces_prefixes(threes_here, total, &adding_pieces);
    threes[pieces_index(3)] = threes_here[3];
    uint uints[3] = {i, i, i}, uint_before;
    shorts[uint_pieces_index(1)] = uint_pieces_fold(uints, &uint_before, &adding_uints);
    uint_pieces_prefixes(uints, uint_before, &adding_uints);
    shorts[uint_pieces_index(2)] = uints[2];
    int sum;
    shorts[i] = shorts_here[0] + shorts_here[1] + shorts_here[2];
    shorts[i] += all_sums_reduce(i, &adding_all[0]) + all_sums_reduce_to_first(i, &adding_all[1]);
    shorts[i] += int_sums_exclusive((int)i, &sum, &adding_ints);
}

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void
radix_sorts(__global ushort *shorts, __global uchar *chars, __global double *doubles, __global three *threes)
{
    __local ranks_memory ranking[2];
    __local keys_memory sorting[4];
    __local pairs_memory sorting_pairs;
    const uint i = get_global_id(0);
    ushort shorts_here[3];
    uint places[3];
    uchar chars_here[4];
    ulong keys[3];
    three values[3];
    for (uint k = 0; k < 3; k++)
        shorts_here[k] = shorts[ranks_index(k)];
    ranks_rank(shorts_here, places, 2, 7, &ranking[0]);
    ranks_rank_descending(shorts_here, places, 2, 7, &ranking[1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 3; k++)
        shorts[places[k]] = shorts_here[k] + ranks_begin(i % 100, &ranking[0]);
    for (uint k = 0; k < 4; k++)
        chars_here[k] = clprim_char_to_image((char)chars[i * 4 + k]);
    keys_sort(chars_here, 0, 8, &sorting[0]);
    keys_sort_descending(chars_here, 0, 4, &sorting[1]);
    keys_sort_to_striped(chars_here, i % 3, 7, &sorting[2]);
    keys_sort_descending_to_striped(chars_here, 0, 8, &sorting[3]);
    for (uint k = 0; k < 4; k++)
        chars[k * SIZE + i] = clprim_image_to_char(chars_here[k]);
    for (uint k = 0; k < 3; k++) {
        keys[k] = clprim_double_to_image_nan_last(doubles[i * 3 + k]);
        values[k] = threes[i * 3 + k];
    }
    pairs_sort(keys, values, 0, 64, &sorting_pairs);
    barrier(CLK_LOCAL_MEM_FENCE);
    pairs_sort_descending_to_striped(keys, values, 3, 50, &sorting_pairs);
    for (uint k = 0; k < 3; k++) {
        doubles[k * SIZE + i] = clprim_image_to_double_nan_last(keys[k]);
        threes[k * SIZE + i] = values[k];
    }
}

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void merges(__global three *threes, __global float4 *vectors,
                                                                       __global uint *counters, uint n)
{
    __local items_memory sorting[2];
    __local item_pairs_memory sorting_pairs[2];
    __local counts_memory counting[2];
    __local float4 data[SIZE];
    const uint i = get_global_id(0);
    three values[4];
    float keys[3];
    float4 merged[2];
    uint places[2];
    for (uint k = 0; k < 4; k++)
        values[k] = threes[i * 4 + k];
    items_sort(values, n, &sorting[0]);
    items_sort_to_striped(values, SIZE * 4, &sorting[1]);
    for (uint k = 0; k < 3; k++)
        keys[k] = vectors[i * 3 + k].x;
    item_pairs_sort(keys, values, n, &sorting_pairs[0]);
    item_pairs_sort_to_striped(keys, values, SIZE * 3, &sorting_pairs[1]);
    data[i] = vectors[i + runs_merge_path_global(vectors, n, vectors + n, n, i)];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint a = runs_merge_path(data, 20, data + 20, 20, 2);
    runs_merge_serial(merged, places, 2, data, a, 20, 22 - a, 40);
    places[0] %= 100;
    places[1] %= 100;
    counts_histogram(places, 2, &counting[0]);
    counts_clear(&counting[1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    counts_add(places[0], n, &counting[1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    counts_store_to(counters, &counting[0]);
    counts_add_to(counters + 100, &counting[1]);
    counters[200 + i] = counts_count(i % 100, &counting[0]);
    for (uint k = 0; k < 3; k++) {
        vectors[i * 3 + k] = merged[k % 2] * keys[k];
        threes[k * SIZE + i] = values[k];
    }
}

__kernel void sub_groups(__global double *doubles, __global uint *words)
{
    const uint i = get_global_id(0);
    const double x = doubles[i];
    const bool vote = x > 0;
    doubles[i] = moves_shuffle(x, 0) + moves_broadcast(x, 0) + moves_shuffle_up(x, 1) + moves_shuffle_down(x, 1) +
                 moves_shuffle_xor(x, 1);
    clprim_sub_group_sync();
    words[i] = clprim_sub_group_width() + clprim_sub_group_size() + clprim_sub_group_count() +
               clprim_sub_group_index() + clprim_sub_group_lane() + clprim_sub_group_ballot(vote).x +
               clprim_sub_group_ballot_bit_count(clprim_sub_group_match(i, 4)) +
               clprim_sub_group_ballot_exclusive_scan(clprim_sub_group_match(i, 32)) + clprim_sub_group_votes(vote) +
               clprim_sub_group_any(vote) + clprim_sub_group_all(vote);
    words[i] += lanes_reduce((char)i) + lanes_inclusive((char)i) + lanes_exclusive((char)i);
    words[i] += lane_sums_reduce(i) + lane_sums_inclusive(i) + lane_sums_exclusive(i);
}

__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void look_back(__global uchar *bytes, __global three *threes,
                                                                          __global large *larges, __global ulong *state,
                                                                          uint epoch, uint stride)
{
    __local bytes_before_memory of_bytes;
    __local threes_before_memory of_threes;
    __local large_before_memory of_larges;
    const uint tiles = get_num_groups(0);
    bytes_before_tile byte = bytes_before_begin(state, epoch, tiles, &of_bytes);
    do
        bytes_before_publish(&byte, bytes[byte.at]);
    while (bytes_before_look_back(&byte));
    bytes[byte.own] = byte.prefix;
    threes_before_tile three = threes_before_begin(state + stride, epoch, tiles, &of_threes);
    do
        threes_before_publish(&three, threes[three.at]);
    while (threes_before_look_back(&three));
    threes[three.own] = three.prefix;
    large_before_tile large = large_before_begin(state + 2 * stride, epoch, tiles, &of_larges);
    do
        large_before_publish(&large, larges[large.at]);
    while (large_before_look_back(&large));
    larges[large.own] = large.prefix;
}
