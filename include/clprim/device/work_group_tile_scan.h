// SPDX-License-Identifier: MIT
/* clprim/device/work_group_tile_scan.h: scans the values of a tile that a group has loaded in pieces, for kernels that look
 * back (look_back.h): a tile's fold is there before its prefixes are, so that it is published early. OpenCL C 1.2. See base.h
 * for what the macros take, and docs/guides/device_functions.md for examples.
 *
 *     CLPRIM_WORK_GROUP_TILE_SCAN(NAME, TYPE, EXPRESSION, IDENTITY, COMMUTES, SIZE, ITEMS)
 *         NAME_memory                          a type. The kernel declares one in local memory:
 *                                              __local NAME_memory memory;
 *         NAME_index(k)                        the number in the tile of what the work-item must have as values[k]
 *         NAME_fold(values, &before, &memory)  the fold of the tile, in all work-items. `before`, a TYPE, is for
 *         NAME_prefixes(values, before, &memory)   values[k] = the fold of all before number NAME_index(k) of the tile;
 *                                              IDENTITY for number 0
 *
 * values[0 .. ITEMS) may be the folds of what a work-item loads at once, as 16 bytes. Neighbouring work-items have
 * neighbours in the tile, as loads from global memory want it. With shuffles each sub-group has rows that are as long as it
 * is wide, and values stay where they are; else they go through local memory, where each work-item folds consecutive
 * ones.
 *
 * COMMUTES is a constant: 1 if operands may change places; then the fold does not wait for the scans of the rows. IDENTITY
 * is an identity of the operator, since here it may be an operand.
 *
 * There is one barrier in fold and none in prefixes; without shuffles three and one, or two and none if ITEMS is 1. Prefixes
 * may be left out. Before `memory` is used again there must be another barrier.
 *
 * Source: rows in registers after CUB's warp-striped layout; publishing early: measured. */
#ifndef CLPRIM_DEVICE_WORK_GROUP_TILE_SCAN_H
#define CLPRIM_DEVICE_WORK_GROUP_TILE_SCAN_H

#include <clprim/device/base.h>
#include <clprim/device/sub_group.h>
#include <clprim/device/work_group_exchange.h>
#include <clprim/device/work_group_scan.h>

#if CLPRIM_SUB_GROUPS
#define CLPRIM__TILE_INDEX(SIZE, ITEMS, k)                                                                             \
    (clprim_sub_group_index() * (ITEMS)*clprim_sub_group_width() + (k)*clprim__sub_group_size(SIZE) +                  \
     clprim_sub_group_lane())

/* NAME_inner_rows: the rows of a sub-group, one after the other, from `carry` on; returned is the fold of carry and all
 * rows. The scans of all rows run side by side, because each waits for its shuffles. */
#define CLPRIM__DEFINE_TILE_SCAN(NAME, TYPE, COMMUTES, SIZE, ITEMS)                                                    \
    CLPRIM__DEFINE_FOLD(NAME##_inner, NAME, TYPE, SIZE)                                                                \
    typedef NAME##_inner_memory NAME##_memory;                                                                         \
    CLPRIM__INLINE TYPE NAME##_inner_rows(CLPRIM_PARAMETERS __private TYPE *values, TYPE carry)                        \
    {                                                                                                                  \
        CLPRIM__UNROLL_LANES                                                                                           \
        for (uint distance = 1; distance < clprim_sub_group_width(); distance *= 2) {                                  \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                values[k] = NAME##_inner_step(CLPRIM_PASSED values[k], distance);                                      \
        }                                                                                                              \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const TYPE row = NAME##_inner_broadcast(CLPRIM_PASSED values[k], clprim__sub_group_size(SIZE) - 1);        \
            const TYPE left = NAME##_inner_shuffle_up(CLPRIM_PASSED values[k], 1);                                     \
            values[k] = carry;                                                                                         \
            if (clprim_sub_group_lane() > 0)                                                                           \
                values[k] = NAME##_combine(CLPRIM_PASSED carry, left);                                                 \
            carry = NAME##_combine(CLPRIM_PASSED carry, row);                                                          \
        }                                                                                                              \
        return carry;                                                                                                  \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_inner_tile(CLPRIM_PARAMETERS __private TYPE *values, TYPE identity,                     \
                                          __private TYPE *before, __local NAME##_memory *memory)                       \
    {                                                                                                                  \
        TYPE x = values[0];                                                                                            \
        if (COMMUTES) {                                                                                                \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 1; k < (ITEMS); k++)                                                                         \
                x = NAME##_combine(CLPRIM_PASSED x, values[k]);                                                        \
            x = NAME##_inner_fold(CLPRIM_PASSED x);                                                                    \
        } else {                                                                                                       \
            x = NAME##_inner_rows(CLPRIM_PASSED values, identity);                                                     \
        }                                                                                                              \
        if (clprim_sub_group_lane() == 0)                                                                              \
            memory->folds[clprim_sub_group_index()] = x;                                                               \
        barrier(CLK_LOCAL_MEM_FENCE); /* all need what the others wrote */                                             \
        *before = identity;                                                                                            \
        return NAME##_inner_carry(CLPRIM_PASSED before, memory);                                                       \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_prefixes(CLPRIM_PARAMETERS __private TYPE *values, TYPE before,                         \
                                        __local NAME##_memory *memory)                                                 \
    {                                                                                                                  \
        if (COMMUTES) {                                                                                                \
            (void)NAME##_inner_rows(CLPRIM_PASSED values, before);                                                     \
        } else {                                                                                                       \
            CLPRIM__UNROLL                                                                                             \
            for (uint k = 0; k < (ITEMS); k++)                                                                         \
                values[k] = NAME##_combine(CLPRIM_PASSED before, values[k]);                                           \
        }                                                                                                              \
    }
#else
#define CLPRIM__TILE_INDEX(SIZE, ITEMS, k) ((k) * (SIZE) + (uint)get_local_id(0))

#define CLPRIM__DEFINE_TILE_SCAN(NAME, TYPE, COMMUTES, SIZE, ITEMS)                                                    \
    typedef struct NAME##_memory {                                                                                     \
        TYPE values[(ITEMS) > 1 ? CLPRIM__PADDED(ITEMS, (SIZE) * (ITEMS)-1) + 1 : 1];                                  \
        NAME##_inner_memory scan;                                                                                      \
    } NAME##_memory;                                                                                                   \
    CLPRIM__INLINE TYPE NAME##_inner_tile(CLPRIM_PARAMETERS __private TYPE *values, TYPE identity,                     \
                                          __private TYPE *before, __local NAME##_memory *memory)                       \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        TYPE x = values[0];                                                                                            \
        *before = identity;                                                                                            \
        if ((ITEMS) == 1) {                                                                                            \
            const TYPE total = NAME##_inner_scan(CLPRIM_PASSED x, before, &memory->scan);                              \
            values[0] = *before;                                                                                       \
            return total;                                                                                              \
        }                                                                                                              \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            memory->values[CLPRIM__STRIPED(SIZE, ITEMS, lid, k)] = values[k];                                          \
        barrier(CLK_LOCAL_MEM_FENCE); /* the values change hands */                                                    \
        x = memory->values[CLPRIM__BLOCKED(ITEMS, lid, 0)];                                                            \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 1; k < (ITEMS); k++)                                                                             \
            x = NAME##_combine(CLPRIM_PASSED x, memory->values[CLPRIM__BLOCKED(ITEMS, lid, k)]);                       \
        const TYPE total = NAME##_inner_scan(CLPRIM_PASSED x, before, &memory->scan);                                  \
        x = *before;                                                                                                   \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++) {                                                                           \
            const TYPE own = memory->values[CLPRIM__BLOCKED(ITEMS, lid, k)];                                           \
            memory->values[CLPRIM__BLOCKED(ITEMS, lid, k)] = x;                                                        \
            x = NAME##_combine(CLPRIM_PASSED x, own);                                                                  \
        }                                                                                                              \
        return total;                                                                                                  \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_prefixes(CLPRIM_PARAMETERS __private TYPE *values, TYPE before,                         \
                                        __local NAME##_memory *memory)                                                 \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        if ((ITEMS) == 1)                                                                                              \
            return;                                                                                                    \
        barrier(CLK_LOCAL_MEM_FENCE); /* the prefixes go back to whom the values belong */                             \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            values[k] = memory->values[CLPRIM__STRIPED(SIZE, ITEMS, lid, k)];                                          \
    }
#endif

#define CLPRIM_WORK_GROUP_TILE_SCAN(NAME, TYPE, EXPRESSION, IDENTITY, COMMUTES, SIZE, ITEMS)                           \
    CLPRIM__DEFINE_COMBINE(NAME, TYPE, EXPRESSION)                                                                     \
    CLPRIM__DEFINE_WORK_GROUP_SCAN(NAME, NAME##_inner_memory, TYPE, EXPRESSION, SIZE)                                  \
    CLPRIM__INLINE uint NAME##_index(CLPRIM_PARAMETERS uint k)                                                         \
    {                                                                                                                  \
        return CLPRIM__TILE_INDEX(SIZE, ITEMS, k);                                                                     \
    }                                                                                                                  \
    CLPRIM__DEFINE_TILE_SCAN(NAME, TYPE, COMMUTES, SIZE, ITEMS)                                                        \
    CLPRIM__INLINE TYPE NAME##_fold(CLPRIM_PARAMETERS __private TYPE *values, __private TYPE *before,                  \
                                    __local NAME##_memory *memory)                                                     \
    {                                                                                                                  \
        const TYPE identity = IDENTITY;                                                                                \
        return NAME##_inner_tile(CLPRIM_PASSED values, identity, before, memory);                                      \
    }

#endif
