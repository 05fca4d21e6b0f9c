// SPDX-License-Identifier: MIT
/* histogram_large: for more slots than local memory has words. Counters in local memory have 16 bits. PARTS groups,
 * each with RANGE slots, read the same elements; all but the first find them in the cache. A work-item that brings a
 * counter to 2^15 moves its value to the table in global memory, which is 0 at first.
 *
 * A packet whose elements are all in one bin is counted at once, so that constant and sorted data are no slower than
 * others. Once a counter has reached OVERFULL, each work-item that adds to it must empty it, so no counter overflows.
 * Why: more bins than local memory has words take small counters, and parts that each read the elements again.
 * Parameters: the prelude; PARTS, RANGE, which is even, PARTS * RANGE >= TABLE. */
#include "histogram/args.h"
#include "histogram/parts/slots.cl"

#if !defined(PARTS) || !defined(RANGE)
#error "PARTS and RANGE must be given"
#endif
#define FULL     0x8000u
#define OVERFULL 0xc000u /* above it, there is room for another 2^14 */
#if GROUP_SIZE > 0x4000
#error "so many elements do not fit what a counter has left"
#elif GROUP_SIZE <= 1024
#define COUNTS_AT_ONCE 1 /* equal elements of a packet, up to 16 */
#endif

#define TABLE_PARAMETERS , __local uint *counters, uint part_begin, __global uint *table
#define TABLE_ARGUMENTS  , counters, part_begin, table

static inline void count_at_once(uint slot, uint times TABLE_PARAMETERS)
{
    const uint own = slot - part_begin; /* wraps for a slot before this part: larger than any */
    if (own >= RANGE)
        return;
    const uint shift = own % 2 * 16;
    const uint before = atomic_add(counters + own / 2, times << shift) >> shift & 0xffff;
    const uint after = before + times;
    if ((before < FULL && after >= FULL) || after >= OVERFULL) { /* usually only one of many does this */
        const uint all = atomic_and(counters + own / 2, ~(0xffffu << shift)) >> shift & 0xffff;
        (void)atomic_add(table + slot, all);
    }
}

static inline void count(uint slot, uint k, WORD amount TABLE_PARAMETERS)
{
    count_at_once(slot, 1 TABLE_ARGUMENTS);
}

#include "histogram/parts/count_elements.cl"

__kernel GROUP_OF(GROUP_SIZE) void histogram_large(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const element_source elements = SOURCE_OF(args);
    const ulong n = launch_count(args.n, args.start);
    __global uint *table = scratch;
    __local uint counters[RANGE / 2];
    const uint lid = (uint)get_local_id(0);
    const uint part_begin = (uint)get_group_id(0) % PARTS * RANGE;
    for (uint i = lid; i < RANGE / 2; i += GROUP_SIZE)
        counters[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* all counters are 0 */
    count_share((uint)get_group_id(0) / PARTS, (uint)get_num_groups(0) / PARTS, 0, rows_of(elements, n), elements,
                n TABLE_ARGUMENTS INPUT_OF(args));
    barrier(CLK_LOCAL_MEM_FENCE); /* all elements are counted */
    for (uint own = lid; own < RANGE; own += GROUP_SIZE) {
        const uint sum = counters[own / 2] >> own % 2 * 16 & 0xffff;
        if (sum != 0)
            (void)atomic_add(table + part_begin + own, sum);
    }
}

#include "histogram/cumulate.cl"
#include "histogram/merge.cl"
