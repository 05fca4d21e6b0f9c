// SPDX-License-Identifier: MIT
/* histogram_merge: fold the tables of all groups, which are rows of TABLE words, slot by slot. A group has COLUMNS
 * neighbouring slots, so that it reads adjacent words, and as many rows at a time as it has work-items for. On a CPU, a
 * group is one work-item, which sums its slots in vectors.
 * Parameters: the prelude; GROUP_SIZE. Source: the lecture's merge of histograms. */
#include "histogram/modes.h"
#include "histogram/args.h"
#include "histogram/parts/slots.cl"
#include "histogram/parts/finish.cl"

#ifndef MERGE_COLUMNS
#error "MERGE_COLUMNS must be given"
#endif
#define COLUMNS (GROUP_SIZE > 1 && GROUP_SIZE < MERGE_COLUMNS ? GROUP_SIZE : MERGE_COLUMNS)

__kernel GROUP_OF(GROUP_SIZE) void histogram_merge(ARGS_OF(HISTOGRAM_MERGE))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const __global WORD *tables = scratch + args.table_at;
    const ulong rows = args.rows;
    __global OUTPUT *counters = out + args.out_offset;
    __global ulong *missed = outside + args.outside_offset;
#if GROUP_SIZE == 1
    for (uint first = (uint)get_group_id(0) * COLUMNS; first < TABLE; first += (uint)get_num_groups(0) * COLUMNS) {
        const uint columns = min((uint)COLUMNS, (uint)TABLE - first);
        WORD sums[COLUMNS] = {0}; /* also 0 for floats */
#if WEIGHT_KIND == WEIGHTS_FLOATS
        WORD errors[COLUMNS] = {0};
        for (ulong row = 0; row < rows; row++)
            for (uint c = 0; c < columns; c++) {
                const WORD word = tables[row * TABLE + first + c];
                errors[c] = word_sum(first + c, errors[c], word_error(first + c, sums[c], word));
                sums[c] = word_sum(first + c, sums[c], word);
            }
        for (uint c = 0; c < columns; c++)
            sums[c] = corrected(first + c, sums[c], errors[c]);
#else
        for (ulong row = 0; row < rows; row++)
            for (uint c = 0; c < columns; c++)
                sums[c] = word_sum(first + c, sums[c], tables[row * TABLE + first + c]);
#endif
        for (uint c = 0; c < columns; c++)
            finish(first + c, sums[c], counters, missed, args.flags);
    }
#else
    __local WORD sums[GROUP_SIZE];
    const uint lid = (uint)get_local_id(0);
    for (uint first = (uint)get_group_id(0) * COLUMNS; first < TABLE; first += (uint)get_num_groups(0) * COLUMNS) {
        const uint slot = first + lid % COLUMNS;
        WORD sum = 0; /* also 0 for floats */
        if (slot < TABLE)
            for (ulong row = lid / COLUMNS; row < rows; row += GROUP_SIZE / COLUMNS)
                sum = word_sum(slot, sum, tables[row * TABLE + slot]);
        sums[lid] = sum;
        for (uint distance = GROUP_SIZE / 2; distance >= COLUMNS; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE); /* the sums so far */
            if (lid < distance)
                sums[lid] = word_sum(slot, sums[lid], sums[lid + distance]);
        }
        if (lid < COLUMNS && slot < TABLE)
            finish(slot, sums[lid], counters, missed, args.flags);
        barrier(CLK_LOCAL_MEM_FENCE); /* the sums may be replaced */
    }
#endif
}
