// SPDX-License-Identifier: MIT
/* histogram_item_tables: each work-item has its own counters, and needs no atomics. So many counters fit local memory
 * only as bytes. Before one could overflow, the group adds all of them to sums, which become a row for histogram_merge
 * (merge.cl). The counters of a work-item are adjacent. What is wrong with that: the bank of local memory that a
 * work-item uses depends on its element, so bank conflicts depend on the data.
 * Why: no atomics are needed, but there is a counter for each bin of each work-item to add up, and the bank that a
 * lane uses depends on the data.
 * Source: the lecture's second way, tid * 64 + bin.
 * Parameters: the prelude; ITEMS * PACK <= 255; IS_SHUFFLED, if counters are arranged differently
 * (per_item_shuffled.cl). */
#include "common/packet.cl"
#include "histogram/args.h"
#include "histogram/parts/slots.cl"

#define TABLE_PARAMETERS , __local uchar *counters
#define TABLE_ARGUMENTS  , counters
#define TILES_UNTIL_FULL (255 / (ITEMS * PACK)) /* a work-item counts ITEMS * PACK elements of a tile */

#ifndef IS_SHUFFLED
/* The index of a work-item's counter of a slot. */
static inline uint counter_at(uint item, uint slot)
{
    return item * TABLE + slot;
}
#endif

/* Count one element in this slot. */
static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    counters[counter_at((uint)get_local_id(0), slot)]++;
}

#include "histogram/parts/count_elements.cl"

/* Add all counters to the sums. */
ALWAYS_INLINE void add_up(__local uint *sums, __local uchar *counters)
{
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
    for (uint slot = (uint)get_local_id(0); slot < TABLE; slot += GROUP_SIZE) {
        for (uint k = 0; k < GROUP_SIZE; k++) { /* each slot begins elsewhere: fewer bank conflicts */
            const uint at = counter_at((k + slot) % GROUP_SIZE, slot);
            sums[slot] += counters[at];
            counters[at] = 0;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* all counters are 0 */
}

__kernel GROUP_OF(GROUP_SIZE) void histogram_item_tables(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const element_source elements = SOURCE_OF(args);
    const ulong n = launch_count(args.n, args.start);
    __local uint sums[TABLE];
    __local uchar counters[TABLE * GROUP_SIZE];
    const uint lid = (uint)get_local_id(0);
    const uint tiles = tiles_of(elements, n);
    uint counted = 0;
    for (uint slot = lid; slot < TABLE; slot += GROUP_SIZE)
        sums[slot] = 0;
    for (uint i = lid; i < TABLE * GROUP_SIZE; i += GROUP_SIZE)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* all counters are 0 */
    for (uint tile = (uint)get_group_id(0); tile < tiles; tile += (uint)get_num_groups(0)) {
        count_tile(tile, elements, n TABLE_ARGUMENTS INPUT_OF(args));
        if (++counted % TILES_UNTIL_FULL == 0)
            add_up(sums, counters);
    }
    add_up(sums, counters);
    for (uint slot = lid; slot < TABLE; slot += GROUP_SIZE)
        scratch[get_group_id(0) * TABLE + slot] = sums[slot];
}

#include "histogram/cumulate.cl"
#include "histogram/merge.cl"
