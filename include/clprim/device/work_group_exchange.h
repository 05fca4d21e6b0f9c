// SPDX-License-Identifier: MIT
/* clprim/device/work_group_exchange.h: move the values of a group's work-items between two orders. OpenCL C 1.2. See
 * base.h for what the macros take, and docs/guides/device_functions.md for examples.
 *
 *     blocked   value k of work-item w is number w * ITEMS + k of the group: a work-item has consecutive values
 *     striped   value k of work-item w is number k * SIZE + w: neighbouring work-items have neighbouring values, as they
 *               should when they access global memory
 *
 *     CLPRIM_WORK_GROUP_EXCHANGE(NAME, TYPE, SIZE, ITEMS)
 *         NAME_memory                               a type. The kernel declares one in local memory:
 *                                                   __local NAME_memory memory;
 *         NAME_striped_to_blocked(items, &memory)   items[0 .. ITEMS) get the other order
 *         NAME_blocked_to_striped(items, &memory)
 *
 * There is one barrier in each function. Before `memory` is used again there must be another one. */
#ifndef CLPRIM_DEVICE_WORK_GROUP_EXCHANGE_H
#define CLPRIM_DEVICE_WORK_GROUP_EXCHANGE_H

#include <clprim/device/base.h>

/* The place of a value. Neighbouring work-items access every ITEMS-th value. If ITEMS is odd, there are no bank
 * conflicts. Otherwise, there are few with a gap after every 32 values. */
#define CLPRIM__PADDED(ITEMS, i) ((ITEMS) % 2 == 0 ? (i) + (i) / 32 : (i))

/* The place of value i + far, and of value k of work-item w in both orders, for constants `far`, k and SIZE. Compilers
 * do not find out by themselves that only one of these places must be computed. */
#define CLPRIM__PADDED_SUM(ITEMS, i, far)                                                                              \
    ((far) % 32 == 0 ? (size_t)CLPRIM__PADDED(ITEMS, i) + CLPRIM__PADDED(ITEMS, far)                                   \
                     : CLPRIM__PADDED(ITEMS, (i) + (far)))
#define CLPRIM__BLOCKED(ITEMS, w, k)                                                                                   \
    (32 % (ITEMS) == 0 ? (size_t)CLPRIM__PADDED(ITEMS, (w) * (ITEMS)) + (k)                                            \
                       : CLPRIM__PADDED(ITEMS, (w) * (ITEMS) + (k)))
#define CLPRIM__STRIPED(SIZE, ITEMS, w, k) CLPRIM__PADDED_SUM(ITEMS, w, (k) * (SIZE))

#define CLPRIM__DEFINE_EXCHANGE(NAME, FUNCTION, TYPE, ITEMS, FROM, TO)                                                 \
    CLPRIM__INLINE void FUNCTION(CLPRIM_PARAMETERS __private TYPE *items, __local NAME##_memory *memory)               \
    {                                                                                                                  \
        const uint lid = (uint)get_local_id(0);                                                                        \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            memory->values[FROM] = items[k];                                                                           \
        barrier(CLK_LOCAL_MEM_FENCE); /* the values change hands */                                                    \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            items[k] = memory->values[TO];                                                                             \
    }

/* For sorts of pairs: value k becomes that of number origins[k] of the tile; before, values are blocked. memory->values
 * has room for a tile, with holes. */
#define CLPRIM__MOVE_VALUES(values_here, origins, ITEMS, memory)                                                       \
    barrier(CLK_LOCAL_MEM_FENCE); /* all have read the keys; values take their place */                                \
    CLPRIM__UNROLL                                                                                                     \
    for (uint k = 0; k < (ITEMS); k++)                                                                                 \
        memory->values[CLPRIM__BLOCKED(ITEMS, (uint)get_local_id(0), k)] = values_here[k];                             \
    barrier(CLK_LOCAL_MEM_FENCE); /* all values are there */                                                           \
    CLPRIM__UNROLL                                                                                                     \
    for (uint k = 0; k < (ITEMS); k++)                                                                                 \
        values_here[k] = memory->values[CLPRIM__PADDED(ITEMS, origins[k])];

#define CLPRIM_WORK_GROUP_EXCHANGE(NAME, TYPE, SIZE, ITEMS)                                                            \
    typedef struct NAME##_memory {                                                                                     \
        TYPE values[CLPRIM__PADDED(ITEMS, (SIZE) * (ITEMS)-1) + 1];                                                    \
    } NAME##_memory;                                                                                                   \
    CLPRIM__DEFINE_EXCHANGE(NAME, NAME##_striped_to_blocked, TYPE, ITEMS, CLPRIM__STRIPED(SIZE, ITEMS, lid, k),        \
                            CLPRIM__BLOCKED(ITEMS, lid, k))                                                            \
    CLPRIM__DEFINE_EXCHANGE(NAME, NAME##_blocked_to_striped, TYPE, ITEMS, CLPRIM__BLOCKED(ITEMS, lid, k),              \
                            CLPRIM__STRIPED(SIZE, ITEMS, lid, k))

#endif
