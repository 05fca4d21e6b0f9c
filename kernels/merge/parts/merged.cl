// SPDX-License-Identifier: MIT
/* merged.cl: the arguments of all variants of the merge.
 * Parameters: GROUP_SIZE. */
#include "common/items.cl"

#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

/* Define a_count and b_count, limited by counts on the device. */
#define HEED_COUNTS                                                                                                    \
    const ulong a_count = CALL_COUNT_0(args.a_count);                                                                  \
    const ulong b_count = CALL_COUNT_1(args.b_count);
