// SPDX-License-Identifier: MIT
/* histogram_global_atomic: one table in global memory, which is 0 at first. For each element, an atomic adds to the
 * word of its bin. What is wrong with it: the additions of all work-items of the device go to global memory, and
 * additions to the same word wait for each other.
 * Why: every element is an atomic on global memory, and equal elements wait for each other across the whole device.
 * Source: the lecture's first way.
 * Parameters: the prelude. With float weights, a second table follows the first: see atomics.cl. */
#include "histogram/modes.h"
#include "histogram/args.h"
#include "histogram/parts/slots.cl"
#include "histogram/parts/atomics.cl"

#define TABLE_PARAMETERS , __global WORD *table
#define TABLE_ARGUMENTS  , table

/* Count one element in this slot of the table. The amount is 1, or the element's weight. */
static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
#if WEIGHT_KIND == WEIGHTS_NONE
    (void)atomic_inc(table + slot);
#else
    global_add(table, slot, amount);
#endif
}

#include "histogram/parts/count_elements.cl"

__kernel GROUP_OF(GROUP_SIZE) void histogram_global_atomic(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    __global WORD *table = scratch;
    COUNT_ELEMENTS(args)
}

#include "histogram/cumulate.cl"
#include "histogram/merge.cl"
