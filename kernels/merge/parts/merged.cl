/* merged.cl: what all variants of the merge are handed.
 * Parameters: GROUP_SIZE. */
#include "common/items.cl"

#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

#define MERGE_KERNEL __kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))

/* a and b are in order, and have so many elements at most; share: elements of the output that a group has, where it has several. */
#define MERGE_PARAMETERS                                                                                               \
    ARRAY_PARAMETERS(a), ulong a_count, ARRAY_PARAMETERS(b), ulong b_count, ARRAY_PARAMETERS(out), ulong share
#define HEED_COUNTS                                                                                                    \
    a_count = CALL_COUNT_0(a_count);                                                                                   \
    b_count = CALL_COUNT_1(b_count);
