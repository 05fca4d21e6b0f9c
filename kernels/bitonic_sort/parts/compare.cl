/* compare.cl: the comparator, and the pairs of a bitonic sort.
 *
 *   is_wrong(x, y, down)          must x, which lies before y, lie behind it?
 *   exchange, local_exchange      two elements of an array, where they are wrong
 *   place_of_pair(p, distance)    where the first element of the p-th of all pairs at a distance lies
 *   descends(place, block, n)     is the block (of `block` elements) sorted downwards?
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

static inline bool is_wrong(item x, item y, bool down)
{
    return before(y, x) != down;
}

/* The comparator: elements i and j > i, upwards or down. */
static inline void exchange(array a, INDEX i, INDEX j, bool down)
{
    const item x = load(a, i);
    const item y = load(a, j);
    if (is_wrong(x, y, down)) {
        store(a, i, y);
        store(a, j, x);
    }
}

static inline void local_exchange(local_array a, uint i, uint j, bool down)
{
    const item x = local_load(a, i);
    const item y = local_load(a, j);
    if (is_wrong(x, y, down)) {
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
