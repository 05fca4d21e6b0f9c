// SPDX-License-Identifier: MIT
/* Sort few elements, in any number of groups that need not wait for each other: each element is compared with every
 * other one, and the number of elements before it is its place. That takes n² comparisons, but only two launches, and
 * each work-group does little. Stable.
 *
 *   comparison_sort_rank    counts, for OWN elements per group, how many elements come before each, and copies the
 *                           element to that place in scratch memory. Equal elements keep their order
 *   comparison_sort_place   copies the result to the output. If the order is inconsistent, two elements may have got
 *                           the same place. Each group detects this by itself; then all elements stay where they were
 *
 * Parameters: MOST, at least n, up to 2^16, a power of two and a multiple of OWN; CHUNK, elements that are in local
 * memory at a time; RANKED_BY_GROUP and RANKED_BY_ONE, the maxima of OWN and WIDTH; GROUP_SIZE, a power of two. Scratch
 * memory has MOST ranks, keys and values, one after another. */
#include "common/items.cl"
#include "bitonic_sort/parts/compare.cl"
#include "comparison_sort/args.h"

#if !defined(MOST) || !defined(CHUNK) || !defined(RANKED_BY_GROUP) || !defined(RANKED_BY_ONE)
#error "MOST, CHUNK, RANKED_BY_GROUP and RANKED_BY_ONE must be given"
#endif

#define WIDTH   RANKED_BY_ONE /* elements of a work-item, which it compares with the same other elements */
#define OWN     (GROUP_SIZE * WIDTH < RANKED_BY_GROUP ? GROUP_SIZE * WIDTH : RANKED_BY_GROUP)
#define SLICES  (GROUP_SIZE * WIDTH / OWN) /* work-items with the same elements share the other elements */

#define AT_ONCE 8 /* independent loads of a work-item; past the end, they load the last element */

#define RANKS   ((__global uint *)scratch)

static inline array sorted_at(__global uchar *scratch)
{
    array a;
    a.keys = (__global ELEMENT *)(scratch + MOST * sizeof(uint));
#if VALUE_SIZE
    a.values = (__global VALUE *)(scratch + MOST * (sizeof(uint) + ELEMENT_SIZE));
#endif
    return a;
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_rank(ARGS_OF(COMPARISON_SORT_LOOK))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    LOCAL_KEYS(keys, CHUNK);
    __local uint ranks[OWN];
    const uint own = (uint)get_local_id(0);
    const uint count = (uint)CALL_COUNT_0(args.n);
    const uint first = (uint)get_group_id(0) * OWN;
    const uint slice = own / (OWN / WIDTH);
    const array from = ARRAY_OF(in);
    item x[WIDTH];
    uint place[WIDTH], rank[WIDTH];
#pragma unroll
    for (uint k = 0; k < WIDTH; k++) {
        place[k] = first + own % (OWN / WIDTH) + k * (OWN / WIDTH);
        x[k] =
            load(from, min(place[k], max(count, 1u) - 1)); /* any element that exists: the order may know no others */
        rank[k] = 0;
    }
    for (uint i = own; i < OWN; i += GROUP_SIZE)
        ranks[i] = 0;
    for (uint begin = 0; begin < count; begin += CHUNK) {
        const uint end = min(begin + CHUNK, count);
        const uint lower = clamp(first, begin, end);
        const uint upper = clamp(first + OWN, begin, end);
        item y;
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the last chunk */
        for (uint i = begin + own; i < end; i += AT_ONCE * GROUP_SIZE) {
            ELEMENT loaded[AT_ONCE];
#pragma unroll
            for (uint k = 0; k < AT_ONCE; k++)
                loaded[k] = IMAGE_OF(global_key(from.keys + min(i + k * GROUP_SIZE, end - 1)));
#pragma unroll
            for (uint k = 0; k < AT_ONCE; k++)
                set_local_key(keys, min(i + k * GROUP_SIZE, end - 1) - begin, loaded[k]);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* the chunk is loaded, and ranks are 0 */
#pragma unroll 4
        for (uint i = begin + slice; i < lower; i += SLICES) {
            KEY_OF(y) = local_key(keys, i - begin);
#pragma unroll
            for (uint k = 0; k < WIDTH; k++)
                rank[k] += !before(x[k], y);
        }
        for (uint i = lower + slice; i < upper; i += SLICES) {
            KEY_OF(y) = local_key(keys, i - begin);
#pragma unroll
            for (uint k = 0; k < WIDTH; k++)
                rank[k] += i < place[k] ? !before(x[k], y) : i > place[k] && before(y, x[k]);
        }
#pragma unroll 4
        for (uint i = upper + slice; i < end; i += SLICES) {
            KEY_OF(y) = local_key(keys, i - begin);
#pragma unroll
            for (uint k = 0; k < WIDTH; k++)
                rank[k] += before(y, x[k]);
        }
    }
#pragma unroll
    for (uint k = 0; k < WIDTH; k++)
        (void)atomic_add((volatile __local uint *)&ranks[place[k] - first], rank[k]);
    barrier(CLK_LOCAL_MEM_FENCE); /* all have counted */
    for (uint i = own; i < OWN && first + i < count; i += GROUP_SIZE) {
        RANKS[first + i] = ranks[i];
        store(sorted_at(scratch), ranks[i], load(from, first + i));
    }
}

static inline void load_ranks(uint *out, const __global uint *ranks, uint from, uint count)
{
#pragma unroll
    for (uint j = 0; j < AT_ONCE; j++)
        out[j] = ranks[min(from + j * GROUP_SIZE, count - 1)];
}

__kernel LIMITED_GROUP_OF(GROUP_SIZE) void comparison_sort_place(ARGS_OF(COMPARISON_SORT_MOVE))
{
    const comparison_sort_args args = ARGS(COMPARISON_SORT_NUMBERS);
    const uint i = (uint)get_global_id(0);
    const ulong n = CALL_COUNT_0(args.n);
    array from = sorted_at(scratch);
#if CUSTOM
    __local ushort taken_by[MOST];
    __local uint is_shared[1];
    const uint own = (uint)get_local_id(0);
    const uint count = (uint)n;
    if (own == 0)
        is_shared[0] = 0;
    for (uint k = own; k < count; k += AT_ONCE * GROUP_SIZE) {
        uint ranks[AT_ONCE];
        load_ranks(ranks, RANKS, k, count);
#pragma unroll
        for (uint j = 0; j < AT_ONCE; j++)
            taken_by[ranks[j]] = (ushort)min(k + j * GROUP_SIZE, count - 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* each place has one of the elements that belong there */
    for (uint k = own; k < count; k += AT_ONCE * GROUP_SIZE) {
        uint ranks[AT_ONCE];
        load_ranks(ranks, RANKS, k, count);
#pragma unroll
        for (uint j = 0; j < AT_ONCE; j++)
            if (taken_by[ranks[j]] != min(k + j * GROUP_SIZE, count - 1))
                is_shared[0] = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all have checked */
    if (is_shared[0] != 0)
        from = ARRAY_OF(in);
#endif
    if (i < n)
        store(ARRAY_OF(out), i, load(from, i));
}
