/* histogram_sub_group_tagged: a table for each sub-group, without atomics: a counter carries the lane that wrote it
 * last, so that a lane sees whether its own addition is the one that stayed, and else tries again. The lanes go through
 * each step together, the more rounds the more of them have the same slot. The tables' sum becomes a row for
 * histogram_merge.
 *
 * The race is meant: of several lanes that write one word in the same step, one wins. It needs steps, so sub-groups;
 * lanes that only happen to run side by side would overwrite what others had already seen as theirs.
 * Parameters: the prelude, sub-groups; TABLES, as many as there can be sub-groups. Source: the lecture's third way;
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
/* A table gets at most this many elements of a tile. */
#define TILES_UNTIL_FULL (TAGGED_MAX / (GROUP_SIZE * ITEMS * PACK))

#define TABLE_PARAMETERS , volatile __local uint *table
#define TABLE_ARGUMENTS  , table

/* slot TABLE: nothing to count, but all lanes are needed for the steps. */
static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    const uint tag = clprim_sub_group_lane() << (32 - TAG_BITS);
    bool is_waiting = slot < TABLE;
    while (clprim_sub_group_any(is_waiting)) {
        const uint mine = is_waiting ? (table[slot] & TAGGED_MAX) + 1 | tag : 0;
        clprim_sub_group_sync(); /* all have read before any writes */
        if (is_waiting)
            table[slot] = mine;
        clprim_sub_group_sync(); /* all have written before any looks */
        if (is_waiting && table[slot] == mine)
            is_waiting = false;
        clprim_sub_group_sync(); /* all have looked before any writes again */
    }
}
#define ALL_COUNT /* see count_tiles.cl */

#include "histogram/parts/count_elements.cl"

ALWAYS_INLINE void add_up(__local uint *sums, __local uint *tables)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all is counted */
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
