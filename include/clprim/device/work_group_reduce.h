// SPDX-License-Identifier: MIT
/* clprim/device/work_group_reduce.h: fold one value of each work-item of a group. OpenCL C 1.2. See base.h for what the
 * macros take, and docs/guides/device_functions.md for examples.
 *
 *     CLPRIM_WORK_GROUP_REDUCE(NAME, TYPE, EXPRESSION, SIZE)
 *         NAME_memory               a type. The kernel declares one in local memory: __local NAME_memory memory;
 *         NAME_reduce(x, &memory)   the fold of the group's values, in the order of the work-items, in all work-items
 *         NAME_reduce_to_first(x, &memory)   the same in work-item 0, and in others any value: they have less to do
 *
 * There is one barrier in each, or two without shuffles. Before `memory` is used again there must be another one. */
#ifndef CLPRIM_DEVICE_WORK_GROUP_REDUCE_H
#define CLPRIM_DEVICE_WORK_GROUP_REDUCE_H

#include <clprim/device/base.h>
#include <clprim/device/rows.h>
#include <clprim/device/sub_group.h>

#if CLPRIM_SUB_GROUPS
#define CLPRIM_WORK_GROUP_REDUCE(NAME, TYPE, EXPRESSION, SIZE)                                                         \
    CLPRIM__DEFINE_COMBINE(NAME, TYPE, EXPRESSION)                                                                     \
    CLPRIM__DEFINE_WORDS(NAME, TYPE)                                                                                   \
    CLPRIM__DEFINE_IS_SUM(NAME, TYPE, EXPRESSION)                                                                      \
    CLPRIM__DEFINE_FOLD(NAME##_inner, NAME, TYPE, SIZE)                                                                \
    typedef struct NAME##_memory {                                                                                     \
        TYPE folds[CLPRIM__MOST_SUB_GROUPS(SIZE)];                                                                     \
    } NAME##_memory;                                                                                                   \
    CLPRIM__INLINE void NAME##_inner_share(CLPRIM_PARAMETERS TYPE x, __local NAME##_memory *memory)                    \
    {                                                                                                                  \
        x = NAME##_inner_fold(CLPRIM_PASSED x);                                                                        \
        if (clprim_sub_group_lane() == 0)                                                                              \
            memory->folds[clprim_sub_group_index()] = x;                                                               \
        barrier(CLK_LOCAL_MEM_FENCE); /* all need what the others wrote */                                             \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_inner_fold_all(CLPRIM_PARAMETERS const __local NAME##_memory *memory)                   \
    {                                                                                                                  \
        const uint count = clprim__sub_group_count(SIZE);                                                              \
        const uint part = count / 4; /* four chains, so that few operations wait for each other */                     \
        TYPE x = memory->folds[0];                                                                                     \
        if (part > 1) {                                                                                                \
            TYPE second = memory->folds[part];                                                                         \
            TYPE third = memory->folds[2 * part];                                                                      \
            TYPE fourth = memory->folds[3 * part];                                                                     \
            for (uint g = 1; g < part; g++) {                                                                          \
                x = NAME##_combine(CLPRIM_PASSED x, memory->folds[g]);                                                 \
                second = NAME##_combine(CLPRIM_PASSED second, memory->folds[part + g]);                                \
                third = NAME##_combine(CLPRIM_PASSED third, memory->folds[2 * part + g]);                              \
                fourth = NAME##_combine(CLPRIM_PASSED fourth, memory->folds[3 * part + g]);                            \
            }                                                                                                          \
            x = NAME##_combine(CLPRIM_PASSED x, second);                                                               \
            x = NAME##_combine(CLPRIM_PASSED x, NAME##_combine(CLPRIM_PASSED third, fourth));                          \
        }                                                                                                              \
        for (uint g = part > 1 ? 4 * part : 1; g < count; g++)                                                         \
            x = NAME##_combine(CLPRIM_PASSED x, memory->folds[g]);                                                     \
        return x;                                                                                                      \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_reduce(CLPRIM_PARAMETERS TYPE x, __local NAME##_memory *memory)                         \
    {                                                                                                                  \
        NAME##_inner_share(CLPRIM_PASSED x, memory);                                                                   \
        if (CLPRIM__BY_LANES(SIZE) && CLPRIM__HAS_SUM && NAME##_inner_is_sum()) {                                      \
            const uint lane = clprim_sub_group_lane();                                                                 \
            const uint word = lane < clprim__sub_group_count(SIZE) ? NAME##_inner_word(memory->folds[lane]) : 0;       \
            return NAME##_inner_value(clprim__sum(word, SIZE));                                                        \
        }                                                                                                              \
        return NAME##_inner_fold_all(CLPRIM_PASSED memory);                                                            \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_reduce_to_first(CLPRIM_PARAMETERS TYPE x, __local NAME##_memory *memory)                \
    {                                                                                                                  \
        NAME##_inner_share(CLPRIM_PASSED x, memory);                                                                   \
        if (clprim_sub_group_index() == 0)                                                                             \
            x = NAME##_inner_fold_all(CLPRIM_PASSED memory);                                                           \
        return x;                                                                                                      \
    }
#else
#define CLPRIM_WORK_GROUP_REDUCE(NAME, TYPE, EXPRESSION, SIZE)                                                         \
    CLPRIM__DEFINE_COMBINE(NAME, TYPE, EXPRESSION)                                                                     \
    typedef struct NAME##_memory {                                                                                     \
        TYPE values[CLPRIM__ROW_VALUES(SIZE)];                                                                         \
    } NAME##_memory;                                                                                                   \
    CLPRIM__INLINE TYPE NAME##_reduce(CLPRIM_PARAMETERS TYPE x, __local NAME##_memory *memory)                         \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        memory->values[CLPRIM__PLACE(SIZE, lid)] = x;                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE); /* all values are there */                                                       \
        if (lid < CLPRIM__ROWS(SIZE)) {                                                                                \
            const uint left = CLPRIM__LEFT_IN_ROW(SIZE, lid);                                                          \
            x = memory->values[lid];                                                                                   \
            for (uint k = 1; k < left; k++)                                                                            \
                x = NAME##_combine(CLPRIM_PASSED x, memory->values[k * CLPRIM__ROW_STEP(SIZE) + lid]);                 \
            memory->values[lid] = x;                                                                                   \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE); /* all rows are folded */                                                        \
        x = memory->values[0];                                                                                         \
        for (uint row = 1; row < CLPRIM__ROWS(SIZE); row++)                                                            \
            x = NAME##_combine(CLPRIM_PASSED x, memory->values[row]);                                                  \
        return x;                                                                                                      \
    }                                                                                                                  \
    CLPRIM__INLINE TYPE NAME##_reduce_to_first(CLPRIM_PARAMETERS TYPE x, __local NAME##_memory *memory)                \
    {                                                                                                                  \
        return NAME##_reduce(CLPRIM_PASSED x, memory);                                                                 \
    }
#endif

#endif
