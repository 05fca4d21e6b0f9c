// SPDX-License-Identifier: MIT
/* clprim/device/work_group_radix_sort.h: sort the keys of a tile by their bits, with or without values. OpenCL C 1.2.
 * See base.h for what the macros take, and docs/guides/device_functions.md for examples.
 *
 * KEY is an unsigned integer type; radix_image.h turns signed integers and floats into such keys. Sorts are stable. They
 * compare bits `begin` to `end` - 1 of the keys, 0 <= begin <= end <= bits of KEY; constants make better code. Given
 * keys and values are blocked (work_group_exchange.h): item k of work-item w is number w * ITEMS + k. A tile has at most
 * 65535 keys. Fill up an incomplete tile with the key that comes last: (KEY)-1, or 0 if the sort descends.
 *
 *     CLPRIM_WORK_GROUP_RADIX_SORT(NAME, KEY, SIZE, ITEMS)
 *         NAME_memory                                a type. The kernel declares one in local memory:
 *                                                    __local NAME_memory memory;
 *         NAME_sort(keys, begin, end, &memory)       keys[0 .. ITEMS) become the work-item's keys of the sorted tile
 *         NAME_sort_descending(keys, begin, end, &memory)              the same, the largest key first
 *         NAME_sort_to_striped(keys, begin, end, &memory)              the same; the results are striped, for stores to
 *         NAME_sort_descending_to_striped(keys, begin, end, &memory)   global memory
 *
 *     CLPRIM_WORK_GROUP_RADIX_SORT_PAIRS(NAME, KEY, VALUE, SIZE, ITEMS)   the same with values of any type:
 *         NAME_sort(keys, values, begin, end, &memory), ...
 *
 * They rank by digits of 8 bits if sub-groups have a constant width, else by 4 bits (work_group_radix_rank.h). A
 * digit takes the barriers of a rank and one more, and moves the keys through local memory; values move once, at the
 * end, with two barriers. Before `memory` is used again there must be another barrier. Source: Satish, Harris and
 * Garland 2009. */
#ifndef CLPRIM_DEVICE_WORK_GROUP_RADIX_SORT_H
#define CLPRIM_DEVICE_WORK_GROUP_RADIX_SORT_H

#include <clprim/device/base.h>
#include <clprim/device/sub_group.h>
#include <clprim/device/work_group_exchange.h>
#include <clprim/device/work_group_radix_rank.h>

/* Bits of a digit. Fewer bits for groups that have few work-items for the counters. */
#ifdef CLPRIM__WIDTH
#define CLPRIM__SORT_BITS(SIZE) ((SIZE) < 32 ? 4 : 8)
#else
#define CLPRIM__SORT_BITS(SIZE) 4
#endif

/* The passes. Ranks need the keys in the order that NAME_index gives. If only whole keys are sorted, their order before
 * the first pass does not matter. Between passes, the barriers of the ranks are enough: all work-items have read their
 * keys before the first of these barriers. A sort by no bits makes one pass, too, which keeps the order. */
#define CLPRIM__DEFINE_RADIX_PASSES(NAME, KEY, SIZE, ITEMS, HAS_VALUES)                                                \
    CLPRIM_WORK_GROUP_RADIX_RANK(NAME##_inner_ranks, KEY, CLPRIM__SORT_BITS(SIZE), SIZE, ITEMS)                        \
    typedef struct NAME##_inner_passes {                                                                               \
        NAME##_inner_ranks_memory ranks;                                                                               \
        KEY keys[CLPRIM__PADDED(ITEMS, (SIZE) * (ITEMS)-1) + 1];                                                       \
        ushort origins[HAS_VALUES ? CLPRIM__PADDED(ITEMS, (SIZE) * (ITEMS)-1) + 1 : 1];                                \
    } NAME##_inner_passes;                                                                                             \
    CLPRIM__INLINE void NAME##_inner_sort(CLPRIM_PARAMETERS __private KEY *keys, __private uint *origins, uint begin,  \
                                          uint end, bool is_descending, bool is_striped,                               \
                                          __local NAME##_inner_passes *memory)                                         \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        const uint index = clprim__anew(NAME##_inner_ranks_index(CLPRIM_PASSED 0));                                    \
        const uint stride = CLPRIM__RANKS_ARE_BLOCKED ? 1 : clprim__sub_group_size(SIZE);                              \
        const bool is_whole = begin == 0 && end == sizeof(KEY) * 8;                                                    \
        const bool is_moved = !CLPRIM__RANKS_ARE_BLOCKED && (HAS_VALUES || !is_whole);                                 \
        uint ranks[ITEMS]; /* for pairs: origins, and ranks << 16 */                                                   \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            if (is_moved)                                                                                              \
                memory->keys[CLPRIM__BLOCKED(ITEMS, lid, k)] = keys[k];                                                \
        clprim__sub_group_sync(SIZE); /* a sub-group's keys remain in it */                                            \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            ranks[k] = index + k * stride;                                                                             \
            if (is_moved)                                                                                              \
                keys[k] = memory->keys[CLPRIM__PADDED_SUM(ITEMS, index, k * stride)];                                  \
        }                                                                                                              \
        bool is_last;                                                                                                  \
        do {                                                                                                           \
            const uint mask = (1u << min((uint)CLPRIM__SORT_BITS(SIZE), end - begin)) - 1;                             \
            is_last = end - begin <= CLPRIM__SORT_BITS(SIZE);                                                          \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                if (!HAS_VALUES)                                                                                       \
                    ranks[k] = 0;                                                                                      \
            NAME##_inner_ranks_inner_add(CLPRIM_PASSED keys, ranks, begin, mask, is_descending ? mask : 0,             \
                                         HAS_VALUES ? 16 : 0, &memory->ranks);                                         \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++) {                                                                       \
                const uint to = CLPRIM__PADDED(ITEMS, HAS_VALUES ? ranks[k] >> 16 : ranks[k]);                         \
                memory->keys[to] = keys[k];                                                                            \
                if (HAS_VALUES)                                                                                        \
                    memory->origins[to] = (ushort)ranks[k];                                                            \
            }                                                                                                          \
            barrier(CLK_LOCAL_MEM_FENCE); /* the keys in their order */                                                \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                if (!is_last) {                                                                                        \
                    const size_t from = CLPRIM__PADDED_SUM(ITEMS, index, k * stride);                                  \
                    keys[k] = memory->keys[from];                                                                      \
                    if (HAS_VALUES)                                                                                    \
                        ranks[k] = memory->origins[from];                                                              \
                }                                                                                                      \
            begin += CLPRIM__SORT_BITS(SIZE);                                                                          \
        } while (!is_last);                                                                                            \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const size_t from = is_striped ? CLPRIM__STRIPED(SIZE, ITEMS, lid, k) : CLPRIM__BLOCKED(ITEMS, lid, k);    \
            keys[k] = memory->keys[from];                                                                              \
            if (HAS_VALUES)                                                                                            \
                origins[k] = memory->origins[from];                                                                    \
        }                                                                                                              \
    }

#define CLPRIM__DEFINE_RADIX_SORT(NAME, FUNCTION, KEY, ITEMS, IS_DESCENDING, IS_STRIPED)                               \
    CLPRIM__INLINE void FUNCTION(CLPRIM_PARAMETERS __private KEY *keys, uint begin, uint end,                          \
                                 __local NAME##_memory *memory)                                                        \
    {                                                                                                                  \
        uint origins[ITEMS];                                                                                           \
        NAME##_inner_sort(CLPRIM_PASSED keys, origins, begin, end, IS_DESCENDING, IS_STRIPED, memory);                 \
    }

#define CLPRIM__DEFINE_RADIX_SORT_PAIRS(NAME, FUNCTION, KEY, VALUE, ITEMS, IS_DESCENDING, IS_STRIPED)                  \
    CLPRIM__INLINE void FUNCTION(CLPRIM_PARAMETERS __private KEY *keys, __private VALUE *values, uint begin, uint end, \
                                 __local NAME##_memory *memory)                                                        \
    {                                                                                                                  \
        uint origins[ITEMS];                                                                                           \
        NAME##_inner_sort(CLPRIM_PASSED keys, origins, begin, end, IS_DESCENDING, IS_STRIPED, &memory->passes);        \
        CLPRIM__MOVE_VALUES(values, origins, ITEMS, memory)                                                            \
    }

#define CLPRIM_WORK_GROUP_RADIX_SORT(NAME, KEY, SIZE, ITEMS)                                                           \
    CLPRIM__DEFINE_RADIX_PASSES(NAME, KEY, SIZE, ITEMS, 0)                                                             \
    typedef NAME##_inner_passes NAME##_memory;                                                                         \
    CLPRIM__DEFINE_RADIX_SORT(NAME, NAME##_sort, KEY, ITEMS, false, false)                                             \
    CLPRIM__DEFINE_RADIX_SORT(NAME, NAME##_sort_descending, KEY, ITEMS, true, false)                                   \
    CLPRIM__DEFINE_RADIX_SORT(NAME, NAME##_sort_to_striped, KEY, ITEMS, false, true)                                   \
    CLPRIM__DEFINE_RADIX_SORT(NAME, NAME##_sort_descending_to_striped, KEY, ITEMS, true, true)

#define CLPRIM_WORK_GROUP_RADIX_SORT_PAIRS(NAME, KEY, VALUE, SIZE, ITEMS)                                              \
    CLPRIM__DEFINE_RADIX_PASSES(NAME, KEY, SIZE, ITEMS, 1)                                                             \
    typedef union NAME##_memory {                                                                                      \
        NAME##_inner_passes passes;                                                                                    \
        VALUE values[CLPRIM__PADDED(ITEMS, (SIZE) * (ITEMS)-1) + 1];                                                   \
    } NAME##_memory;                                                                                                   \
    CLPRIM__DEFINE_RADIX_SORT_PAIRS(NAME, NAME##_sort, KEY, VALUE, ITEMS, false, false)                                \
    CLPRIM__DEFINE_RADIX_SORT_PAIRS(NAME, NAME##_sort_descending, KEY, VALUE, ITEMS, true, false)                      \
    CLPRIM__DEFINE_RADIX_SORT_PAIRS(NAME, NAME##_sort_to_striped, KEY, VALUE, ITEMS, false, true)                      \
    CLPRIM__DEFINE_RADIX_SORT_PAIRS(NAME, NAME##_sort_descending_to_striped, KEY, VALUE, ITEMS, true, true)

#endif
