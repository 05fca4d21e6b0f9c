// SPDX-License-Identifier: MIT
/* clprim/device/work_group_merge.h: merge sorted ranges, and sort the values of a tile by comparisons. OpenCL C 1.2. See
 * base.h for what the macros take, and docs/guides/device_functions.md for examples.
 *
 * LESS is an expression over `a` and `b`: whether a must come before b (a strict weak order, such as a.x < b.x). Of
 * equal values, those of the first range come first, and sorts are stable.
 *
 *     CLPRIM_MERGE(NAME, TYPE, LESS)                    for work-items on their own, without barriers:
 *         NAME_less(a, b)
 *         NAME_merge_path(a, a_count, b, b_count, diagonal)
 *                                                       how many of the first `diagonal` values of the merged ranges
 *                                                       come from `a`; both ranges are in local memory
 *         NAME_merge_path_global(a, a_count, b, b_count, diagonal)
 *                                                       the same for ranges in global memory
 *         NAME_merge_serial(items, places, count, data, a, a_end, b, b_end)
 *                                                       items[0 .. count) = the first values of the merged ranges
 *                                                       data[a .. a_end) and data[b .. b_end) of local memory;
 *                                                       places[k] (uints) = where in data items[k] was. If they have
 *                                                       fewer values, the rest of items and places stays as it is.
 *                                                       `count` is a constant
 *
 *     CLPRIM_WORK_GROUP_MERGE_SORT(NAME, TYPE, LESS, SIZE, ITEMS)     the above, and
 *         NAME_memory                                   a type. The kernel declares one in local memory:
 *                                                       __local NAME_memory memory;
 *         NAME_sort(items, n, &memory)                  sort the first n values of the tile, 0 <= n <= SIZE * ITEMS;
 *                                                       the others stay after them and are not compared. Values are
 *                                                       blocked (work_group_exchange.h), before and afterwards
 *         NAME_sort_to_striped(items, n, &memory)       the same; the result is striped, for stores to global memory
 *
 *     CLPRIM_WORK_GROUP_MERGE_SORT_PAIRS(NAME, TYPE, VALUE, LESS, SIZE, ITEMS)
 *                                                       sorts with a value of any type for each item; a tile has at
 *                                                       most 65535 items:
 *         NAME_sort(items, values, n, &memory), NAME_sort_to_striped(items, values, n, &memory)
 *
 * A work-item sorts its own items in registers; then runs are merged, with two barriers for each doubling of their length
 * (on NVIDIA's GPUs, of those longer than a warp). Values of pairs move once, at the end, with two barriers, and so do
 * striped results. Sorts are faster if compilers know that n is SIZE * ITEMS. Before `memory` is used again there must be
 * another barrier. Source: Odeh, Green, Mwassi, Shmueli and Birk 2012 (merge path). */
#ifndef CLPRIM_DEVICE_WORK_GROUP_MERGE_H
#define CLPRIM_DEVICE_WORK_GROUP_MERGE_H

#include <clprim/device/base.h>
#include <clprim/device/sub_group.h>
#include <clprim/device/work_group_exchange.h>

#define CLPRIM__DEFINE_MERGE_PATH(NAME, FUNCTION, SPACE, TYPE, COUNT)                                                  \
    CLPRIM__INLINE COUNT FUNCTION(CLPRIM_PARAMETERS const SPACE TYPE *a, COUNT a_count, const SPACE TYPE *b,           \
                                  COUNT b_count, COUNT diagonal)                                                       \
    {                                                                                                                  \
        COUNT begin = diagonal > b_count ? diagonal - b_count : 0;                                                     \
        COUNT end = diagonal < a_count ? diagonal : a_count;                                                           \
        while (begin < end) {                                                                                          \
            const COUNT middle = begin + (end - begin) / 2;                                                            \
            const bool is_behind = NAME##_less(CLPRIM_PASSED b[diagonal - 1 - middle], a[middle]);                     \
            end = is_behind ? middle : end;                                                                            \
            begin = is_behind ? begin : middle + 1;                                                                    \
        }                                                                                                              \
        return begin;                                                                                                  \
    }

/* Each step reads the value after the one that it takes, from either range. Two separate reads, one per range, would
 * double the bank conflicts. The values have gaps for ITEMS (CLPRIM__PADDED). CAN_READ_ON: one value after each range
 * may be read, which saves a comparison in each step. */
#define CLPRIM__DEFINE_MERGE_SERIAL(NAME, FUNCTION, TYPE, CAN_READ_ON, ITEMS)                                          \
    CLPRIM__INLINE void FUNCTION(CLPRIM_PARAMETERS __private TYPE *items, __private uint *places, uint count,          \
                                 uint left, const __local TYPE *data, uint a, uint a_end, uint b, uint b_end)          \
    {                                                                                                                  \
        TYPE x; /* data[a] and data[b], if they exist */                                                               \
        TYPE y;                                                                                                        \
        if (CAN_READ_ON || a < a_end)                                                                                  \
            x = data[CLPRIM__PADDED(ITEMS, a)];                                                                        \
        if (CAN_READ_ON || b < b_end)                                                                                  \
            y = data[CLPRIM__PADDED(ITEMS, b)];                                                                        \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < count; k++)                                                                               \
            if (k < left) {                                                                                            \
                const bool is_b = b < b_end && (a >= a_end || NAME##_less(CLPRIM_PASSED y, x));                        \
                if (is_b)                                                                                              \
                    items[k] = y;                                                                                      \
                else                                                                                                   \
                    items[k] = x;                                                                                      \
                places[k] = is_b ? b : a;                                                                              \
                const uint next = places[k] + 1;                                                                       \
                a = is_b ? a : next;                                                                                   \
                b = is_b ? next : b;                                                                                   \
                if (k + 1 < count && (CAN_READ_ON || next < (is_b ? b_end : a_end))) {                                 \
                    const TYPE read = data[CLPRIM__PADDED(ITEMS, next)];                                               \
                    if (is_b)                                                                                          \
                        y = read;                                                                                      \
                    else                                                                                               \
                        x = read;                                                                                      \
                }                                                                                                      \
            }                                                                                                          \
    }

#define CLPRIM_MERGE(NAME, TYPE, LESS)                                                                                 \
    CLPRIM__INLINE bool NAME##_less(CLPRIM_PARAMETERS TYPE a, TYPE b)                                                  \
    {                                                                                                                  \
        return (LESS);                                                                                                 \
    }                                                                                                                  \
    CLPRIM__DEFINE_MERGE_PATH(NAME, NAME##_merge_path, __local, TYPE, uint)                                            \
    CLPRIM__DEFINE_MERGE_PATH(NAME, NAME##_merge_path_global, __global, TYPE, size_t)                                  \
    CLPRIM__DEFINE_MERGE_SERIAL(NAME, NAME##_inner_serial, TYPE, false, 1)                                             \
    CLPRIM__INLINE void NAME##_merge_serial(CLPRIM_PARAMETERS __private TYPE *items, __private uint *places,           \
                                            uint count, const __local TYPE *data, uint a, uint a_end, uint b,          \
                                            uint b_end)                                                                \
    {                                                                                                                  \
        NAME##_inner_serial(CLPRIM_PASSED items, places, count, a_end - a + (b_end - b), data, a, a_end, b, b_end);    \
    }

/* Synchronise work-items of the same sub-group. This needs no barrier if sub-groups have their own synchronisation,
 * which costs less. `count`: the number of affected work-items, which are consecutive and aligned. */
#if CLPRIM__SUB_GROUPS_BY == 1
#define CLPRIM__SYNC_AMONG(SIZE, count)                                                                                \
    if ((count) <= CLPRIM__WIDTH)                                                                                      \
        clprim__sub_group_sync(SIZE);                                                                                  \
    else                                                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE)
#else
#define CLPRIM__SYNC_AMONG(SIZE, count) barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* The place of value i of the runs, and of value k of work-item w, with gaps as in exchanges. Up to four 32-bit values
 * are stored by one instruction without bank conflicts; gaps would then only cost instructions. */
#define CLPRIM__HOLES(ITEMS)         ((ITEMS) > 4 ? (ITEMS) : 1)
#define CLPRIM__RUNS_AT(ITEMS, w, k) ((ITEMS) > 4 ? CLPRIM__BLOCKED(ITEMS, w, k) : (w) * (ITEMS) + (k))

/* Runs have `run` work-items. If there are values (HAS_VALUES), the places of items are needed. `own` is the number of
 * items that the work-item has to sort: a constant if n is one, so that no step need check it. */
#define CLPRIM__DEFINE_MERGE_PASSES(NAME, TYPE, SIZE, ITEMS, HAS_VALUES)                                               \
    typedef struct NAME##_inner_passes {                                                                               \
        TYPE items[CLPRIM__PADDED(CLPRIM__HOLES(ITEMS), (SIZE) * (ITEMS)) + 1]; /* serial merges read one on */        \
        ushort origins[HAS_VALUES ? CLPRIM__IF((SIZE) * (ITEMS) < 65536,                                               \
                                               CLPRIM__PADDED(CLPRIM__HOLES(ITEMS), (SIZE) * (ITEMS)))                 \
                                  : 1];                                                                                \
    } NAME##_inner_passes;                                                                                             \
    CLPRIM__DEFINE_MERGE_SERIAL(NAME, NAME##_inner_serial_on, TYPE, true, CLPRIM__HOLES(ITEMS))                        \
    CLPRIM__INLINE void NAME##_inner_sort_own(CLPRIM_PARAMETERS __private TYPE *items, __private uint *origins,        \
                                              uint count)                                                              \
    {                                                                                                                  \
        CLPRIM__UNROLL                                                                                                 \
        for (uint round = 0; round < (ITEMS); round++)                                                                 \
            CLPRIM__UNROLL                                                                                             \
        for (uint k = 0; k + 1 < (ITEMS); k++)                                                                         \
            if (k % 2 == round % 2 && k + 1 < count && NAME##_less(CLPRIM_PASSED items[k + 1], items[k])) {            \
                const TYPE item = items[k];                                                                            \
                const uint origin = origins[k];                                                                        \
                items[k] = items[k + 1];                                                                               \
                items[k + 1] = item;                                                                                   \
                origins[k] = origins[k + 1];                                                                           \
                origins[k + 1] = origin;                                                                               \
            }                                                                                                          \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inner_sort(CLPRIM_PARAMETERS __private TYPE *items, __private uint *origins, uint n,    \
                                          bool is_striped, __local NAME##_inner_passes *memory)                        \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        const uint first = lid * (ITEMS);                                                                              \
        const bool is_whole = n >= (SIZE) * (ITEMS);                                                                   \
        const uint own = is_whole ? (ITEMS) : first < n ? min(n - first, (uint)(ITEMS)) : 0;                           \
        const uint most = is_whole && ((SIZE) & ((SIZE)-1)) == 0 ? ~0u : n; /* if no run ends early */                 \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            origins[k] = first + k;                                                                                    \
        NAME##_inner_sort_own(CLPRIM_PASSED items, origins, own);                                                      \
        for (uint run = 1; run < (SIZE); run *= 2) {                                                                   \
            const uint a = min((lid & ~(run * 2 - 1)) * (ITEMS), most);                                                \
            const uint b = min(a + run * (ITEMS), most);                                                               \
            const uint end = min(b + run * (ITEMS), most);                                                             \
            const uint diagonal = min(first, most) - a;                                                                \
            uint places[ITEMS];                                                                                        \
            CLPRIM__SYNC_AMONG(SIZE, run); /* all have read */                                                         \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++) {                                                                       \
                memory->items[CLPRIM__RUNS_AT(ITEMS, lid, k)] = items[k];                                              \
                if (HAS_VALUES)                                                                                        \
                    memory->origins[CLPRIM__RUNS_AT(ITEMS, lid, k)] = (ushort)origins[k];                              \
                places[k] = first + k;                                                                                 \
            }                                                                                                          \
            CLPRIM__SYNC_AMONG(SIZE, run * 2);      /* the runs */                                                     \
            const uint both = a + b + diagonal - 1; /* sum of the places of two values that are compared */            \
            uint low = a + (diagonal > end - b ? diagonal - (end - b) : 0);                                            \
            uint high = a + min(diagonal, b - a);                                                                      \
            while (low < high) { /* as NAME_merge_path does */                                                         \
                const uint middle = (low + high) / 2;                                                                  \
                const bool is_behind =                                                                                 \
                    NAME##_less(CLPRIM_PASSED memory->items[CLPRIM__PADDED(CLPRIM__HOLES(ITEMS), both - middle)],      \
                                memory->items[CLPRIM__PADDED(CLPRIM__HOLES(ITEMS), middle)]);                          \
                high = is_behind ? middle : high;                                                                      \
                low = is_behind ? low : middle + 1;                                                                    \
            }                                                                                                          \
            NAME##_inner_serial_on(CLPRIM_PASSED items, places, ITEMS, own, memory->items, low, b, both + 1 - low,     \
                                   end);                                                                               \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                if (HAS_VALUES)                                                                                        \
                    origins[k] = memory->origins[CLPRIM__PADDED(CLPRIM__HOLES(ITEMS), places[k])];                     \
        }                                                                                                              \
        if (is_striped) {                                                                                              \
            barrier(CLK_LOCAL_MEM_FENCE); /* all have read */                                                          \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++) {                                                                       \
                memory->items[CLPRIM__RUNS_AT(ITEMS, lid, k)] = items[k];                                              \
                if (HAS_VALUES)                                                                                        \
                    memory->origins[CLPRIM__RUNS_AT(ITEMS, lid, k)] = (ushort)origins[k];                              \
            }                                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE); /* the result */                                                             \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++) {                                                                       \
                items[k] = memory->items[CLPRIM__STRIPED(SIZE, CLPRIM__HOLES(ITEMS), lid, k)];                         \
                if (HAS_VALUES)                                                                                        \
                    origins[k] = memory->origins[CLPRIM__STRIPED(SIZE, CLPRIM__HOLES(ITEMS), lid, k)];                 \
            }                                                                                                          \
        }                                                                                                              \
    }

#define CLPRIM__DEFINE_MERGE_SORT(NAME, FUNCTION, TYPE, ITEMS, IS_STRIPED)                                             \
    CLPRIM__INLINE void FUNCTION(CLPRIM_PARAMETERS __private TYPE *items, uint n, __local NAME##_memory *memory)       \
    {                                                                                                                  \
        uint origins[ITEMS];                                                                                           \
        NAME##_inner_sort(CLPRIM_PASSED items, origins, n, IS_STRIPED, memory);                                        \
    }

#define CLPRIM__DEFINE_MERGE_SORT_PAIRS(NAME, FUNCTION, TYPE, VALUE, ITEMS, IS_STRIPED)                                \
    CLPRIM__INLINE void FUNCTION(CLPRIM_PARAMETERS __private TYPE *items, __private VALUE *values, uint n,             \
                                 __local NAME##_memory *memory)                                                        \
    {                                                                                                                  \
        uint origins[ITEMS];                                                                                           \
        NAME##_inner_sort(CLPRIM_PASSED items, origins, n, IS_STRIPED, &memory->passes);                               \
        CLPRIM__MOVE_VALUES(values, origins, ITEMS, memory)                                                            \
    }

#define CLPRIM_WORK_GROUP_MERGE_SORT(NAME, TYPE, LESS, SIZE, ITEMS)                                                    \
    CLPRIM_MERGE(NAME, TYPE, LESS)                                                                                     \
    CLPRIM__DEFINE_MERGE_PASSES(NAME, TYPE, SIZE, ITEMS, 0)                                                            \
    typedef NAME##_inner_passes NAME##_memory;                                                                         \
    CLPRIM__DEFINE_MERGE_SORT(NAME, NAME##_sort, TYPE, ITEMS, false)                                                   \
    CLPRIM__DEFINE_MERGE_SORT(NAME, NAME##_sort_to_striped, TYPE, ITEMS, true)

#define CLPRIM_WORK_GROUP_MERGE_SORT_PAIRS(NAME, TYPE, VALUE, LESS, SIZE, ITEMS)                                       \
    CLPRIM_MERGE(NAME, TYPE, LESS)                                                                                     \
    CLPRIM__DEFINE_MERGE_PASSES(NAME, TYPE, SIZE, ITEMS, 1)                                                            \
    typedef union NAME##_memory {                                                                                      \
        NAME##_inner_passes passes;                                                                                    \
        VALUE values[CLPRIM__PADDED(ITEMS, (SIZE) * (ITEMS)-1) + 1];                                                   \
    } NAME##_memory;                                                                                                   \
    CLPRIM__DEFINE_MERGE_SORT_PAIRS(NAME, NAME##_sort, TYPE, VALUE, ITEMS, false)                                      \
    CLPRIM__DEFINE_MERGE_SORT_PAIRS(NAME, NAME##_sort_to_striped, TYPE, VALUE, ITEMS, true)

#endif
