// SPDX-License-Identifier: MIT
/* scan_naive: in step d, each element is combined with the one 2^d before it, from one buffer into another. This takes
 * log2(n) steps over all of memory, and n log2(n) operations.
 * Why: each of log2(n) steps is a launch that reads and writes all of memory.
 * Source: Hillis and Steele 1986, Data Parallel Algorithms.
 * Parameters: the operator's prelude; GROUP_SIZE. */
#include "scan/args.h"
#include "scan/parts/elements.cl"
#include "scan/parts/levels.cl"

__kernel GROUP_OF(GROUP_SIZE) void scan_step(ARGS_OF(SCAN_WORK))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const ulong i = get_global_id(0);
    const ulong distance = 1ul << args.level;
    if (i >= args.n)
        return;
    const __global VALUE *from = work + args.work_at;
    work[args.next_at + i] = i >= distance ? COMBINE(from[i - distance], from[i]) : from[i];
}

static ulong scan_place(ulong i, uint bits)
{
    return i;
}

static VALUE scan_before(const __global VALUE *work, ulong i, uint bits)
{
    return i > 0 ? work[i - 1] : IDENTITY;
}
