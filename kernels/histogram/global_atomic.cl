/* histogram_global_atomic: every element goes to one table in global memory, by an atomic. The table is 0 before; so is
 * another one behind it, where weights are floats, for what sums have rounded away.
 * Parameters: the prelude.
 * Source: the lecture's first way. */
#include "histogram/args.h"
#include "histogram/parts/slots.cl"
#include "histogram/parts/atomics.cl"

#define TABLE_PARAMETERS , __global WORD *table
#define TABLE_ARGUMENTS  , table

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    global_add(table, slot, amount);
}
DECLARE_COUNT_TILES

__kernel GROUP_OF(GROUP_SIZE) void histogram_global_atomic(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const element_source elements = SOURCE_OF(args);
    const ulong n = launch_count(args.n, args.start);
    __global WORD *table = scratch;
    count_share((uint)get_group_id(0), (uint)get_num_groups(0), 0, rows_of(elements, n), elements,
                n TABLE_ARGUMENTS INPUT_OF(args));
}

#include "histogram/parts/count_lines.cl"
#include "histogram/cumulate.cl"
#include "histogram/merge.cl"
