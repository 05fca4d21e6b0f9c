/* compare.cl: the comparator, and the pairs of a bitonic sort.
 *
 *   compare_exchange(a, i, j, down)        the comparator: elements i and j > i change places if they are in the wrong
 *                                          order; with `down` the one that comes last shall be in front
 *   local_compare_exchange(a, i, j, down)  the same in local memory
 *   descends(place, block, n)              is the block (of `block` elements) in which the place lies sorted downwards?
 *   place_of_pair(p, distance)             where the first element of the p-th of all pairs at a distance lies
 *
 * Every second block is sorted downwards, so that two neighbours are one bitonic sequence. Here these are the left
 * ones, and only where a right one follows: what is behind the last element, if n is no power of two, then always lies
 * behind elements that ascend, where elements that come last would stay anyway; so there need not be any.
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
