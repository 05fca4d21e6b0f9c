// SPDX-License-Identifier: MIT
/* histogram_local_atomic: each group has a table in local memory, where atomics are fast. Each table becomes a row in
 * global memory; histogram_merge (merge.cl) adds up the rows. What is wrong with it: work-items of a group that add to
 * the same word at the same time still wait for each other.
 * Why: atomics on the group's own table in local memory are fast, and only elements of the same group wait for each
 * other.
 * Source: Podlozhnyuk 2007.
 * Parameters: the prelude. With float weights, a row has the sums of more than one table: see float_blocks.cl. */
#include "histogram/modes.h"
#include "histogram/args.h"
#include "histogram/parts/slots.cl"
#include "histogram/parts/atomics.cl"

#define TABLE_PARAMETERS , __local WORD *table
#define TABLE_ARGUMENTS  , table

/* Count one element in this slot of the table. The amount is 1, or the element's weight. */
static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
#if WEIGHT_KIND == WEIGHTS_NONE
    (void)atomic_inc(table + slot);
#else
    local_add(table, slot, amount);
#endif
}

#include "histogram/parts/count_elements.cl"
#include "histogram/parts/float_blocks.cl"

__kernel GROUP_OF(GROUP_SIZE) void histogram_local_atomic(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    __local WORD table[TABLE];
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        table[slot] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
#if WEIGHT_KIND == WEIGHTS_FLOATS
    count_blocks(table, scratch, SOURCE_OF(args), launch_count(args.n, args.start) INPUT_OF(args));
#else
    COUNT_ELEMENTS(args)
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        scratch[get_group_id(0) * TABLE + slot] = table[slot];
#endif
}

#include "histogram/cumulate.cl"
#include "histogram/merge.cl"
