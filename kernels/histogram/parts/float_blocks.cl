// SPDX-License-Identifier: MIT
/* float_blocks.cl: with WEIGHTS_FLOATS, count a group's share of the elements block by block. A table has the sums of
 * one block, which are then added to the sums of the group. Each group has a row for its sums in scratch memory, and
 * one for their rounding errors; the rows of errors come after the rows of sums of all groups. */
#include "common/kernel.h"
#include "histogram/modes.h"
#include "histogram/parts/slots.cl"
#include "histogram/parts/count_tiles.cl"
#include "histogram/parts/count_lines.cl"

#if WEIGHT_KIND == WEIGHTS_FLOATS
/* Add what is counted in the table to the sums of the group, and reset the table to 0. Each work-item has its own
 * slots. */
static inline void add_block(__local WORD *table, __global WORD *sums, __global WORD *errors, bool is_first)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
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

ALWAYS_INLINE void count_blocks(__local WORD *table, __global WORD *scratch, element_source elements,
                                ulong n INPUT_PARAMETERS)
{
    const uint group = (uint)get_group_id(0);
    const uint groups = (uint)get_num_groups(0);
    __global WORD *sums = scratch + group * TABLE;
    __global WORD *errors = scratch + (groups + group) * TABLE;
    const uint rows = rows_of(elements, n);
    const uint block = groups * max((uint)(BLOCK_ELEMENTS / ROW), 1u); /* number of rows, over all groups */
    for (uint begin = 0, end; begin < rows; begin = end) {
        end = begin + min(block, rows - begin);
        count_share(group, groups, begin, end, elements, n TABLE_ARGUMENTS INPUT_ARGUMENTS);
        add_block(table, sums, errors, begin == 0);
    }
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        sums[slot] = rows == 0 ? 0 : corrected(slot, sums[slot], errors[slot]);
}
#endif
