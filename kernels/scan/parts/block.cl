/* block.cl: a work-group scans a block of values in local memory, by an up-sweep and a down-sweep of a tree.
 *
 * Parameters: the operator's prelude; GROUP_SIZE; BLOCK a power of two; BANKS: after so many places in local memory one
 * is left out, 0: none is.
 * Source: Blelloch 1990, Prefix Sums and Their Applications. */
#include "scan/parts/elements.cl"

#if BLOCK & (BLOCK - 1)
#error "BLOCK must be a power of two"
#endif

#if BANKS
#define PLACE(i) ((i) + (i) / BANKS)
#else
#define PLACE(i) (i)
#endif
#define BLOCK_PLACES (PLACE(BLOCK - 1) + 1)

/* An exclusive scan of data, in place, by an up-sweep and a down-sweep; returns the fold of all (in every work-item). */
static inline __attribute__((always_inline)) VALUE scan_block(__local VALUE *data)
{
    for (uint distance = 1; distance < BLOCK; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the level below, or the loads, are done */
        for (uint p = (uint)get_local_id(0); p < BLOCK / 2 / distance; p += GROUP_SIZE) {
            const uint right = PLACE(distance * (2 * p + 2) - 1);
            data[right] = COMBINE(data[PLACE(distance * (2 * p + 1) - 1)], data[right]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the root is there */
    const VALUE sum = data[PLACE(BLOCK - 1)];
    for (uint distance = BLOCK / 2; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* the level above is done, and before it all have read the root */
        for (uint p = (uint)get_local_id(0); p < BLOCK / 2 / distance; p += GROUP_SIZE) {
            const uint left = PLACE(distance * (2 * p + 1) - 1);
            const uint right = PLACE(distance * (2 * p + 2) - 1);
            const VALUE before = distance == BLOCK / 2 ? IDENTITY : data[right];
            const VALUE x = data[left];
            data[left] = before;
            data[right] = COMBINE(before, x);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all prefixes are there */
    return sum;
}
