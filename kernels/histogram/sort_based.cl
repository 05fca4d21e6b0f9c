// SPDX-License-Identifier: MIT
/* histogram_map, histogram_edges: for more bins than fit any table in local memory. Each element is replaced by its
 * slot, and a radix sort sorts the slots (kernels/radix_sort). The beginning and end of a slot's elements in the sorted
 * order give their number. The time does not depend on how many elements share a bin.
 * Why: the elements are sorted first, which takes long but hardly depends on the bins, and so pays only for very many
 * of them.
 * Parameters: the prelude; WEIGHTS_NONE; GROUP_SIZE. `slots` has a uint for each element; it is TABLE for elements that
 * are not counted. A table is 0 at first. */
#include "histogram/modes.h"
#include "histogram/args.h"
#include "histogram/parts/bins.cl"
#include "histogram/parts/slots.cl"

#if WEIGHT_KIND != WEIGHTS_NONE
#error "this counts, and takes no weights"
#endif

__kernel GROUP_OF(GROUP_SIZE) void histogram_map(ARGS_OF(HISTOGRAM_COUNT))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const element_source elements = SOURCE_OF(args);
    const ulong n = args.n;
    const ulong counted = launch_count(n, args.start);
    __global uint *slots = scratch + args.slots_at;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint c = CHANNELS > 1 ? (uint)(i % CHANNELS) : 0; /* the channel */
        uint slot = TABLE;
        if (c < ACTIVE && i < counted)
            slot = c * SLOTS + BIN_IN_CHANNEL(SOURCE_AT(elements, i), c);
        slots[i] = slot;
    }
}

__kernel GROUP_OF(GROUP_SIZE) void histogram_edges(ARGS_OF(HISTOGRAM_SCRATCH))
{
    const histogram_args args = ARGS(HISTOGRAM_NUMBERS);
    const __global uint *slots = scratch + args.slots_at;
    __global uint *table = scratch + args.table_at;
    const ulong n = args.n;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint slot = slots[i];
        if (slot == TABLE)
            continue;
        /* Compute end - begin by atomics, because different work-items find the two edges of a slot. */
        if (i == 0 || slots[i - 1] != slot)
            (void)atomic_sub(table + slot, (uint)i);
        if (i + 1 == n || slots[i + 1] != slot)
            (void)atomic_add(table + slot, (uint)i + 1);
    }
}

#include "histogram/merge.cl"
#include "histogram/cumulate.cl"
