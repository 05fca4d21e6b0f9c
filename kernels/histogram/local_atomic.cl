/* histogram_local_atomic: each group has a table in local memory, which becomes a row for histogram_merge. Of float
 * weights the table is one of a block of elements, and a row has the group's sums; behind the rows of all groups lie
 * those of what sums have rounded away.
 * Parameters: the prelude. */
#include "histogram/modes.h"
#include "histogram/args.h"
#include "histogram/parts/slots.cl"
#include "histogram/parts/atomics.cl"

#define TABLE_PARAMETERS , __local WORD *table
#define TABLE_ARGUMENTS  , table

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    local_add(table, slot, amount);
}
DECLARE_COUNT_TILES

#if WEIGHT_KIND == WEIGHTS_FLOATS
/* What is counted in the table, which is 0 then, goes to the sums of the group. Each work-item has slots of its own. */
static inline void add_block(__local WORD *table, __global WORD *sums, __global WORD *errors, bool is_first)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE) {
        const WORD block = table[slot];
        const WORD sum = is_first ? 0 : sums[slot];
        const WORD error = is_first ? 0 : errors[slot];
        sums[slot] = word_sum(slot, sum, block);
        errors[slot] = word_sum(slot, error, word_error(slot, sum, block));
        table[slot] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
}
#endif

__kernel GROUP_OF(GROUP_SIZE) void histogram_local_atomic(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const element_source elements = SOURCE_OF(args);
    const ulong n = launch_count(args.n, args.start);
    __local WORD table[TABLE];
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        table[slot] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the table is empty */
#if WEIGHT_KIND == WEIGHTS_FLOATS
    const uint group = (uint)get_group_id(0);
    const uint groups = (uint)get_num_groups(0);
    __global WORD *sums = scratch + group * TABLE;
    __global WORD *errors = scratch + (groups + group) * TABLE;
    const uint rows = rows_of(elements, n);
    const uint block = groups * max((uint)(BLOCK_ELEMENTS / ROW), 1u); /* rows, of all groups */
    for (uint begin = 0, end; begin < rows; begin = end) {
        end = begin + min(block, rows - begin);
        count_share(group, groups, begin, end, elements, n TABLE_ARGUMENTS INPUT_OF(args));
        add_block(table, sums, errors, begin == 0);
    }
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        sums[slot] = rows == 0 ? 0 : corrected(slot, sums[slot], errors[slot]);
#else
    count_share((uint)get_group_id(0), (uint)get_num_groups(0), 0, rows_of(elements, n), elements,
                n TABLE_ARGUMENTS INPUT_OF(args));
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        scratch[get_group_id(0) * TABLE + slot] = table[slot];
#endif
}

#include "histogram/parts/count_lines.cl"
#include "histogram/cumulate.cl"
#include "histogram/merge.cl"
