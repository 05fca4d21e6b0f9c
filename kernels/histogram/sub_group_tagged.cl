// SPDX-License-Identifier: MIT
/* histogram_sub_group_tagged: a table for each sub-group, without atomics. A counter contains the number of the lane
 * that wrote it last. So a lane sees whether its own addition succeeded, and otherwise tries again. The lanes make each
 * step together; the more of them have the same slot, the more rounds it takes. The sum of the tables becomes a row for
 * histogram_merge.
 *
 * The race is intended: if several lanes write the same word in the same step, one of them wins. This requires that
 * lanes run in steps, and so sub-groups. Lanes that merely happen to run side by side could overwrite a value that
 * another lane has already recognised as its own.
 * Why: a table for a sub-group instead of one for each work-item leaves less to add up, but lanes that meet in a bin
 * need another round.
 * Parameters: the prelude, sub-groups; TABLES, the maximum number of sub-groups. Source: the lecture's third way;
 * NVIDIA's histogram256 sample. */
#include "common/subgroup.cl"
#include "common/packet.cl"
#include "histogram/args.h"
#include "histogram/parts/slots.cl"

#if !defined(TABLES)
#error "TABLES must be given"
#endif
#define TAG_BITS   7 /* up to 128 lanes */
#define TAGGED_MAX ((1u << (32 - TAG_BITS)) - 1)
/* The number of tiles after which a counter of a table may be full. */
#define TILES_UNTIL_FULL (TAGGED_MAX / (GROUP_SIZE * ITEMS * PACK))

#define TABLE_PARAMETERS , volatile __local uint *table
#define TABLE_ARGUMENTS  , table

/* With slot TABLE there is nothing to count, but all lanes must take part in the steps. */
static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    const uint tag = clprim_sub_group_lane() << (32 - TAG_BITS);
    bool is_waiting = slot < TABLE;
    while (clprim_sub_group_any(is_waiting)) {
        const uint mine = is_waiting ? (table[slot] & TAGGED_MAX) + 1 | tag : 0;
        clprim_sub_group_sync(); /* all have read before any lane writes */
        if (is_waiting)
            table[slot] = mine;
        clprim_sub_group_sync(); /* all have written before any lane checks */
        if (is_waiting && table[slot] == mine)
            is_waiting = false;
        clprim_sub_group_sync(); /* all have checked before any lane writes again */
    }
}
#define ALL_COUNT /* see count_tiles.cl */

#include "histogram/parts/count_elements.cl"

ALWAYS_INLINE void add_up(__local uint *sums, __local uint *tables)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE)
        for (uint t = 0; t < TABLES; t++) {
            sums[slot] += tables[t * TABLE + slot] & TAGGED_MAX;
            tables[t * TABLE + slot] = 0;
        }
    barrier(CLK_LOCAL_MEM_FENCE); /* all tables are empty */
}

__kernel GROUP_OF(GROUP_SIZE) void histogram_sub_group_tagged(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const element_source elements = SOURCE_OF(args);
    const ulong n = launch_count(args.n, args.start);
    __local uint sums[TABLE];
    __local uint tables[TABLES * TABLE];
    volatile __local uint *table = tables + clprim_sub_group_index() * TABLE;
    const uint lid = (uint)get_local_id(0);
    const uint tiles = tiles_of(elements, n);
    uint counted = 0;
    for (uint slot = lid; slot < TABLE; slot += GROUP_SIZE)
        sums[slot] = 0;
    for (uint i = lid; i < TABLES * TABLE; i += GROUP_SIZE)
        tables[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* the tables are empty */
    for (uint tile = (uint)get_group_id(0); tile < tiles; tile += (uint)get_num_groups(0)) {
        count_tile(tile, elements, n TABLE_ARGUMENTS INPUT_OF(args));
        if (++counted % TILES_UNTIL_FULL == 0)
            add_up(sums, tables);
    }
    add_up(sums, tables);
    for (uint slot = lid; slot < TABLE; slot += GROUP_SIZE)
        scratch[get_group_id(0) * TABLE + slot] = sums[slot];
}

#include "histogram/cumulate.cl"
#include "histogram/merge.cl"
