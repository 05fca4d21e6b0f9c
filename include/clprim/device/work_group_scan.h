// SPDX-License-Identifier: MIT
/* clprim/device/work_group_scan.h: all prefixes of the values of a group's work-items. OpenCL C 1.2. See base.h for what
 * the macros take, and docs/guides/device_functions.md for examples.
 *
 *     CLPRIM_WORK_GROUP_SCAN(NAME, TYPE, EXPRESSION, IDENTITY, SIZE)
 *         NAME_memory                          a type. The kernel declares one in local memory:
 *                                              __local NAME_memory memory;
 *         NAME_inclusive(x, &total, &memory)   the fold of the values of the first work-item to one's own
 *         NAME_exclusive(x, &total, &memory)   the fold of the values before one's own; IDENTITY in the first work-item
 *
 * and the same for several values of each work-item, which are consecutive: those of the first one, then those of the
 * second one, ... They are replaced by their prefixes. `count` is a constant, at least 1.
 *
 *         NAME_inclusive_items(items, count, &total, &memory)
 *         NAME_exclusive_items(items, count, &total, &memory)
 *
 * `total` becomes the fold of all values, in all work-items. There is one barrier in each function, or two without
 * shuffles. Before `memory` is used again there must be another one. */
#ifndef CLPRIM_DEVICE_WORK_GROUP_SCAN_H
#define CLPRIM_DEVICE_WORK_GROUP_SCAN_H

#include <clprim/device/base.h>
#include <clprim/device/rows.h>
#include <clprim/device/sub_group.h>

/* MEMORY: the name of the memory's type, which this macro defines. NAME_inner_scan: *before becomes the fold of the
 * values before the work-item's own value; returns the total. In the first work-item, *before stays as it is, or
 * becomes 0 if the operator is known to be a sum, so that it can be used as an operand there, too
 * (NAME_inner_has_before). */
#if CLPRIM_SUB_GROUPS
#define CLPRIM__DEFINE_WORK_GROUP_SCAN(NAME, MEMORY, TYPE, EXPRESSION, SIZE)                                           \
    CLPRIM__DEFINE_WORDS(NAME, TYPE)                                                                                   \
    CLPRIM__DEFINE_IS_SUM(NAME, TYPE, EXPRESSION)                                                                      \
    CLPRIM__DEFINE_INCLUSIVE(NAME##_inner, NAME, TYPE, SIZE)                                                           \
    CLPRIM__DEFINE_MOVE(NAME##_inner, NAME, broadcast, TYPE, SIZE)                                                     \
    typedef struct MEMORY {                                                                                            \
        TYPE folds[CLPRIM__MOST_SUB_GROUPS(SIZE)];                                                                     \
    } MEMORY;                                                                                                          \
    /* The total, and in *before the fold of the sub-groups before one's own, if there are any. */                     \
    CLPRIM__INLINE TYPE NAME##_inner_carry(CLPRIM_PARAMETERS __private TYPE *before, __local MEMORY *memory)           \
    {                                                                                                                  \
        const uint lane = clprim_sub_group_lane();                                                                     \
        const uint mine = clprim_sub_group_index();                                                                    \
        const uint count = clprim__sub_group_count(SIZE);                                                              \
        if (CLPRIM__BY_LANES(SIZE) && CLPRIM__HAS_SUM && NAME##_inner_is_sum()) {                                      \
            const uint word = lane < count ? NAME##_inner_word(memory->folds[lane]) : 0;                               \
            *before = NAME##_inner_value(clprim__sum(lane < mine ? word : 0, SIZE));                                   \
            return NAME##_inner_value(clprim__sum(word, SIZE));                                                        \
        }                                                                                                              \
        if (CLPRIM__BY_LANES(SIZE)) {                                                                                  \
            TYPE x = memory->folds[min(lane, count - 1)];                                                              \
            CLPRIM__UNROLL_LANES                                                                                       \
            for (uint distance = 1; distance < count; distance *= 2) {                                                 \
                const TYPE theirs = NAME##_inner_shuffle_up(CLPRIM_PASSED x, distance);                                \
                if (lane >= distance)                                                                                  \
                    x = NAME##_combine(CLPRIM_PASSED theirs, x);                                                       \
            }                                                                                                          \
            const TYPE left = NAME##_inner_broadcast(CLPRIM_PASSED x, max(mine, 1u) - 1);                              \
            if (mine > 0)                                                                                              \
                *before = left;                                                                                        \
            return NAME##_inner_broadcast(CLPRIM_PASSED x, count - 1);                                                 \
        }                                                                                                              \
        TYPE total = memory->folds[0];                                                                                 \
        for (uint g = 1; g < count; g++) {                                                                             \
            if (g == mine)                                                                                             \
                *before = total;                                                                                       \
            total = NAME##_combine(CLPRIM_PASSED total, memory->folds[g]);                                             \
        }                                                                                                              \
        return total;                                                                                                  \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_inner_scan(CLPRIM_PARAMETERS TYPE x, __private TYPE *before, __local MEMORY *memory)    \
    {                                                                                                                  \
        const uint lane = clprim_sub_group_lane();                                                                     \
        const uint mine = clprim_sub_group_index();                                                                    \
        const TYPE fold = NAME##_inner_inclusive(CLPRIM_PASSED x);                                                     \
        if (lane == clprim__sub_group_size(SIZE) - 1)                                                                  \
            memory->folds[mine] = fold;                                                                                \
        if (NAME##_inner_is_sum()) {                                                                                   \
            barrier(CLK_LOCAL_MEM_FENCE); /* all need what the others wrote */                                         \
            TYPE carry = NAME##_inner_value(0);                                                                        \
            const TYPE total = NAME##_inner_carry(CLPRIM_PASSED(&carry), memory);                                      \
            *before = NAME##_inner_value(NAME##_inner_word(carry) + NAME##_inner_word(fold) - NAME##_inner_word(x));   \
            return total;                                                                                              \
        }                                                                                                              \
        const TYPE left = NAME##_inner_shuffle_up(CLPRIM_PASSED fold, 1);                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all need what the others wrote */                                             \
        const TYPE total = NAME##_inner_carry(CLPRIM_PASSED before, memory);                                           \
        if (lane > 0)                                                                                                  \
            *before = mine > 0 ? NAME##_combine(CLPRIM_PASSED(*before), left) : left;                                  \
        return total;                                                                                                  \
    }                                                                                                                  \
    CLPRIM__INLINE bool NAME##_inner_has_before(void)                                                                  \
    {                                                                                                                  \
        return NAME##_inner_is_sum() || get_local_id(0) > 0;                                                           \
    }                                                                                                                  \
    /* *before; in the first work-item IDENTITY, if *before might be a sum's 0. */                                     \
    CLPRIM__INLINE TYPE NAME##_inner_or(TYPE before, TYPE identity)                                                    \
    {                                                                                                                  \
        const bool is_there = !NAME##_inner_is_sum() || NAME##_inner_word(identity) == 0;                              \
        if (!is_there && get_local_id(0) == 0)                                                                         \
            before = identity;                                                                                         \
        return before;                                                                                                 \
    }
#else
#define CLPRIM__DEFINE_WORK_GROUP_SCAN(NAME, MEMORY, TYPE, EXPRESSION, SIZE)                                           \
    typedef struct MEMORY {                                                                                            \
        TYPE values[CLPRIM__ROW_VALUES(SIZE)];                                                                         \
        TYPE folds[CLPRIM__ROWS(SIZE)];                                                                                \
    } MEMORY;                                                                                                          \
    CLPRIM__INLINE TYPE NAME##_inner_scan(CLPRIM_PARAMETERS TYPE x, __private TYPE *before, __local MEMORY *memory)    \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        const uint mine = lid / CLPRIM__ROW(SIZE);                                                                     \
        memory->values[CLPRIM__PLACE(SIZE, lid)] = x;                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE); /* all values are there */                                                       \
        if (lid < CLPRIM__ROWS(SIZE)) {                                                                                \
            const uint left = CLPRIM__LEFT_IN_ROW(SIZE, lid);                                                          \
            x = memory->values[lid];                                                                                   \
            for (uint k = 1; k < left; k++) {                                                                          \
                x = NAME##_combine(CLPRIM_PASSED x, memory->values[k * CLPRIM__ROW_STEP(SIZE) + lid]);                 \
                memory->values[k * CLPRIM__ROW_STEP(SIZE) + lid] = x;                                                  \
            }                                                                                                          \
            memory->folds[lid] = x;                                                                                    \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all rows are scanned */                                                       \
        TYPE total = memory->folds[0];                                                                                 \
        for (uint row = 1; row < CLPRIM__ROWS(SIZE); row++) {                                                          \
            if (row == mine)                                                                                           \
                *before = total;                                                                                       \
            total = NAME##_combine(CLPRIM_PASSED total, memory->folds[row]);                                           \
        }                                                                                                              \
        if (lid % CLPRIM__ROW(SIZE) > 0) {                                                                             \
            const TYPE left = memory->values[CLPRIM__PLACE(SIZE, lid - 1)];                                            \
            *before = mine > 0 ? NAME##_combine(CLPRIM_PASSED(*before), left) : left;                                  \
        }                                                                                                              \
        return total;                                                                                                  \
    }                                                                                                                  \
    CLPRIM__INLINE bool NAME##_inner_has_before(void)                                                                  \
    {                                                                                                                  \
        return get_local_id(0) > 0;                                                                                    \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_inner_or(TYPE before, TYPE identity)                                                    \
    {                                                                                                                  \
        return before;                                                                                                 \
    }
#endif

#define CLPRIM_WORK_GROUP_SCAN(NAME, TYPE, EXPRESSION, IDENTITY, SIZE)                                                 \
    CLPRIM__DEFINE_COMBINE(NAME, TYPE, EXPRESSION)                                                                     \
    CLPRIM__DEFINE_WORK_GROUP_SCAN(NAME, NAME##_memory, TYPE, EXPRESSION, SIZE)                                        \
    CLPRIM__INLINE TYPE NAME##_exclusive(CLPRIM_PARAMETERS TYPE x, __private TYPE *total,                              \
                                         __local NAME##_memory *memory)                                                \
    {                                                                                                                  \
        const TYPE identity = IDENTITY;                                                                                \
        TYPE before = identity;                                                                                        \
        *total = NAME##_inner_scan(CLPRIM_PASSED x, &before, memory);                                                  \
        return NAME##_inner_or(before, identity);                                                                      \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_inclusive(CLPRIM_PARAMETERS TYPE x, __private TYPE *total,                              \
                                         __local NAME##_memory *memory)                                                \
    {                                                                                                                  \
        TYPE before = IDENTITY;                                                                                        \
        *total = NAME##_inner_scan(CLPRIM_PASSED x, &before, memory);                                                  \
        return NAME##_inner_has_before() ? NAME##_combine(CLPRIM_PASSED before, x) : x;                                \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_inner_items(CLPRIM_PARAMETERS __private TYPE *items, uint count,                        \
                                           __private TYPE *before, __local NAME##_memory *memory)                      \
    {                                                                                                                  \
        TYPE x = items[0];                                                                                             \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 1; k < count; k++)                                                                               \
            x = NAME##_combine(CLPRIM_PASSED x, items[k]);                                                             \
        return NAME##_inner_scan(CLPRIM_PASSED x, before, memory);                                                     \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_exclusive_items(CLPRIM_PARAMETERS __private TYPE *items, uint count,                    \
                                               __private TYPE *total, __local NAME##_memory *memory)                   \
    {                                                                                                                  \
        const TYPE identity = IDENTITY;                                                                                \
        TYPE before = identity;                                                                                        \
        *total = NAME##_inner_items(CLPRIM_PASSED items, count, &before, memory);                                      \
        TYPE own = items[0];                                                                                           \
        items[0] = NAME##_inner_or(before, identity);                                                                  \
        before = NAME##_inner_has_before() ? NAME##_combine(CLPRIM_PASSED before, own) : own;                          \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 1; k < count; k++) {                                                                             \
            own = items[k];                                                                                            \
            items[k] = before;                                                                                         \
            before = NAME##_combine(CLPRIM_PASSED before, own);                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_inclusive_items(CLPRIM_PARAMETERS __private TYPE *items, uint count,                    \
                                               __private TYPE *total, __local NAME##_memory *memory)                   \
    {                                                                                                                  \
        TYPE before = IDENTITY;                                                                                        \
        *total = NAME##_inner_items(CLPRIM_PASSED items, count, &before, memory);                                      \
        if (NAME##_inner_has_before())                                                                                 \
            items[0] = NAME##_combine(CLPRIM_PASSED before, items[0]);                                                 \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 1; k < count; k++)                                                                               \
            items[k] = NAME##_combine(CLPRIM_PASSED items[k - 1], items[k]);                                           \
    }

#endif
