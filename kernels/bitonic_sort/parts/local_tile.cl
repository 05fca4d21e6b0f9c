// SPDX-License-Identifier: MIT
/* local_tile.cl: a work-group loads `valid` elements, from element `base` of an array on, into local memory, and stores
 * them back.
 *
 * Parameters: GROUP_SIZE. */
#include "common/items.cl"

#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

static inline void load_tile(local_array tile, array a, INDEX base, uint valid)
{
    for (uint i = (uint)get_local_id(0); i < valid; i += GROUP_SIZE)
        local_store(tile, i, load(a, base + i));
}

static inline void store_tile(local_array tile, array a, INDEX base, uint valid)
{
    for (uint i = (uint)get_local_id(0); i < valid; i += GROUP_SIZE)
        store(a, base + i, local_load(tile, i));
}
