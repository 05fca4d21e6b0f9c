// SPDX-License-Identifier: MIT
/* levels.cl: shared by the scans in global memory: naive, work_efficient and bit_reversed. They work level by level on
 * VALUEs in `work`, with one launch per level. scan_load fills `work`, and scan_store makes results of it.
 *
 * The variant's own file defines scan_place(i, bits), the place of the i-th VALUE, and scan_before(work, i, bits), the
 * fold of all elements before the i-th after all levels.
 * Parameters: the operator's prelude; GROUP_SIZE. */
#include "scan/args.h"
#include "scan/parts/elements.cl"

static ulong scan_place(ulong i, uint bits);
static VALUE scan_before(const __global VALUE *work, ulong i, uint bits);

/* work[place of i] = in[i] for each element of the call, and the identity up to the end of the tree, if there is a
 * tree. */
__kernel GROUP_OF(GROUP_SIZE) void scan_load(ARGS_OF(SCAN_READ))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const ulong i = get_global_id(0);
    SEGMENTS_HERE
    if (i < max(args.n, 1ul << args.bits))
        work[scan_place(i, args.bits)] =
            i < CALL_COUNT_0(args.n) ? SCAN_VALUE(ELEMENT_AT(in + args.in_offset, i), i) : IDENTITY;
}

__kernel GROUP_OF(GROUP_SIZE) void scan_store(ARGS_OF(SCAN_WRITE))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const ulong i = get_global_id(0);
    if (i >= CALL_COUNT_0(args.n))
        return;
    SEGMENTS_HERE
    const plain_value initial = initial_value();
    const VALUE own = SCAN_VALUE(ELEMENT_AT(in + args.in_offset, i), i);
    const VALUE before = COMBINE(scan_begin(initial), scan_before(work + args.work_at, i, args.bits));
    out[args.out_offset + i] = OUTPUT_OF(scan_result(before, COMBINE(before, own), own, initial), i);
}
