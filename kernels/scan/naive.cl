/* scan_naive: in step d each element takes in the one 2^d before it, from one buffer into another: log2(n) steps over
 * all of memory, n log2(n) operations.
 * Source: Hillis and Steele 1986, Data Parallel Algorithms.
 * Parameters: the operator's prelude; GROUP_SIZE. */
#include "scan/parts/elements.cl"
#include "scan/parts/levels.cl"

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_step(__global VALUE *work, ulong from, ulong to, ulong n, ulong distance)
{
    const ulong i = get_global_id(0);
    if (i >= n)
        return;
    const VALUE x = work[from + i];
    work[to + i] = i >= distance ? COMBINE(work[from + i - distance], x) : x;
}

static ulong scan_place(ulong i, uint bits)
{
    return i;
}

static VALUE scan_before(const __global VALUE *work, ulong i, uint bits)
{
    return i > 0 ? work[i - 1] : IDENTITY;
}
