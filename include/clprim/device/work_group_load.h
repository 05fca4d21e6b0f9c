// SPDX-License-Identifier: MIT
/* clprim/device/work_group_load.h: read and write the tile of an array that a group works on. OpenCL C 1.2. See base.h
 * for what the macros take, and docs/guides/device_functions.md for examples.
 *
 * A tile is SIZE * ITEMS consecutive elements, from number `first` on, of an array of n elements. Of a tile that goes
 * beyond the end of the array, loads give `fill` for elements that do not exist, and stores leave them out. Neighbouring
 * work-items access neighbouring elements. Striped and blocked are explained in work_group_exchange.h, whose functions
 * this macro defines, too.
 *
 *     CLPRIM_WORK_GROUP_LOAD(NAME, TYPE, SIZE, ITEMS)
 *         NAME_memory                                          a type. The kernel declares one in local memory:
 *                                                              __local NAME_memory memory;
 *         NAME_load_striped(items, in, first, n, fill)         items[0 .. ITEMS) = the work-item's elements of the tile
 *         NAME_load_blocked(items, in, first, n, fill, &memory)
 *         NAME_store_striped(out, first, n, items)             out[first ...] = the elements of the tile
 *         NAME_store_blocked(out, first, n, items, &memory)
 *
 * `in` and `out` are in global memory. There is one barrier in each function for blocked elements, and none in those for
 * striped ones. Before `memory` is used again there must be another one. */
#ifndef CLPRIM_DEVICE_WORK_GROUP_LOAD_H
#define CLPRIM_DEVICE_WORK_GROUP_LOAD_H

#include <clprim/device/base.h>
#include <clprim/device/work_group_exchange.h>

#define CLPRIM_WORK_GROUP_LOAD(NAME, TYPE, SIZE, ITEMS)                                                                \
    CLPRIM_WORK_GROUP_EXCHANGE(NAME, TYPE, SIZE, ITEMS)                                                                \
    CLPRIM__INLINE void NAME##_load_striped(CLPRIM_PARAMETERS __private TYPE *items, const __global TYPE *in,          \
                                            size_t first, size_t n, TYPE fill)                                         \
    {                                                                                                                  \
        first += get_local_id(0);                                                                                      \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            if (first + k * (SIZE) < n)                                                                                \
                items[k] = in[first + k * (SIZE)];                                                                     \
            else                                                                                                       \
                items[k] = fill;                                                                                       \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_load_blocked(CLPRIM_PARAMETERS __private TYPE *items, const __global TYPE *in,          \
                                            size_t first, size_t n, TYPE fill, __local NAME##_memory *memory)          \
    {                                                                                                                  \
        NAME##_load_striped(CLPRIM_PASSED items, in, first, n, fill);                                                  \
        NAME##_striped_to_blocked(CLPRIM_PASSED items, memory);                                                        \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_store_striped(CLPRIM_PARAMETERS __global TYPE *out, size_t first, size_t n,             \
                                             __private TYPE *items)                                                    \
    {                                                                                                                  \
        first += get_local_id(0);                                                                                      \
        CLPRIM__UNROLL                                                                                                 \
        for (uint k = 0; k < (ITEMS); k++)                                                                             \
            if (first + k * (SIZE) < n)                                                                                \
                out[first + k * (SIZE)] = items[k];                                                                    \
    }                                                                                                                  \
    CLPRIM__INLINE void NAME##_store_blocked(CLPRIM_PARAMETERS __global TYPE *out, size_t first, size_t n,             \
                                             __private TYPE *items, __local NAME##_memory *memory)                     \
    {                                                                                                                  \
        NAME##_blocked_to_striped(CLPRIM_PASSED items, memory);                                                        \
        NAME##_store_striped(CLPRIM_PASSED out, first, n, items);                                                      \
    }

#endif
