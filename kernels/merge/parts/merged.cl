/* merged.cl: what all variants of the merge are handed.
 * Parameters: GROUP_SIZE. */
#include "common/items.cl"

#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

/* a_count and b_count, which heeds numbers of elements that are on the device. */
#define HEED_COUNTS                                                                                                    \
    const ulong a_count = CALL_COUNT_0(args.a_count);                                                                  \
    const ulong b_count = CALL_COUNT_1(args.b_count);
