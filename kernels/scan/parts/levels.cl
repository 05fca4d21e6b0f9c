/* levels.cl: what the scans over global memory share: naive, work_efficient and bit_reversed. They work level by level
 * on VALUEs in `work`, one launch a level; scan_load fills it, scan_store makes results of it.
 *
 * The variant's own file defines scan_place(i, bits), where the i-th VALUE is kept, and scan_before(work, i, bits), the
 * fold of all elements before the i-th once all levels are done.
 * Parameters: the operator's prelude; GROUP_SIZE. */
#include "scan/parts/elements.cl"

static ulong scan_place(ulong i, uint bits);
static VALUE scan_before(const __global VALUE *work, ulong i, uint bits);

/* work[place of i] = in[i] for each element of the call, the identity from there to padded. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_load(const __global ELEMENT *in, ulong in_offset, ulong n, __global VALUE *work, ulong padded,
          uint bits HEADS_PARAMETERS)
{
    const ulong i = get_global_id(0);
    if (i < padded)
        work[scan_place(i, bits)] = i < CALL_COUNT_0(n) ? SCAN_VALUE(ELEMENT_AT(in + in_offset, i), i) : IDENTITY;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
scan_store(const __global ELEMENT *in, ulong in_offset, ulong n, __global OUTPUT *out, ulong out_offset,
           RESULT initial_result, uint has_initial, const __global VALUE *work, ulong work_offset,
           uint bits HEADS_PARAMETERS)
{
    const ulong i = get_global_id(0);
    if (i >= CALL_COUNT_0(n))
        return;
    const plain_value initial = initial_of(initial_result, has_initial);
    const VALUE own = SCAN_VALUE(ELEMENT_AT(in + in_offset, i), i);
    const VALUE before = COMBINE(scan_begin(initial), scan_before(work + work_offset, i, bits));
    out[out_offset + i] = OUTPUT_OF(scan_result(before, COMBINE(before, own), own, initial), i);
}
