// SPDX-License-Identifier: MIT
/* compare.cl: the comparator, and the pairs of a bitonic sort.
 *
 *   compare_exchange(a, i, j, down)        the comparator: swap elements i and j > i if they are in the wrong order;
 *                                          with `down`, the order is reversed
 *   local_compare_exchange(a, i, j, down)  the same in local memory
 *   descends(place, block, n)              whether the block (of `block` elements) that contains the place is sorted in
 *                                          descending order
 *   place_of_pair(p, distance)             the place of the first element of the p-th of all pairs at a distance
 *
 * Every second block is sorted in descending order, so that two neighbours together are a bitonic sequence. Here these
 * are the left blocks, and only if a right one follows. If n is not a power of two, the elements missing at the end
 * would then always follow ascending elements. If they compared greater than all others, they would never move, so they
 * need not exist.
 *
 * Parameters: GROUP_SIZE. */
#include "common/items.cl"

#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

static inline void compare_exchange(array a, INDEX i, INDEX j, bool down)
{
    const item x = load(a, i);
    const item y = load(a, j);
    if (before(y, x) != down) {
        store(a, i, y);
        store(a, j, x);
    }
}

static inline void local_compare_exchange(local_array a, uint i, uint j, bool down)
{
    const item x = local_load(a, i);
    const item y = local_load(a, j);
    if (before(y, x) != down) {
        local_store(a, i, y);
        local_store(a, j, x);
    }
}

static inline INDEX place_of_pair(INDEX p, INDEX distance)
{
    return 2 * p - (p & (distance - 1));
}

static inline bool descends(INDEX place, INDEX block, INDEX n)
{
    return (place & block) == 0 && (place | (block - 1)) < n - 1;
}
