/* reduce_cpu_chunk: the shape for a CPU. A work-group is one work-item, that is one thread at a time; it folds one
 * contiguous chunk. In one launch, if the last group to end can read what the others have left; else in passes.
 * Parameters: the operator's prelude; GROUP_SIZE 1; COLLECTS: 1, in one launch. */
#include "common/collect.cl"
#include "common/long_sum.cl"
#include "common/chunk_fold.cl"
#include "reduce/parts/passes.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#ifndef COLLECTS
#error "COLLECTS must be given"
#endif

static inline VALUE fold_chunk(const __global uchar *in, ulong in_offset, ulong n, uint pass)
{
    n = pass_count(n, pass);
    const ulong groups = get_num_groups(0);
    const ulong chunk = ((n + groups - 1) / groups + STEP - 1) / STEP * STEP;
    ulong i = min(n, get_group_id(0) * chunk);
    const ulong end = min(n, i + chunk);

    long_sum x = long_begin(IDENTITY);
#if FOLD_STEPS
    if (pass & FIRST_PASS)
        x = long_begin(fold_steps((const __global ELEMENT *)in + in_offset, &i, end));
#endif
    for (; i < end; i++)
        x = long_then(x, pass_load(in, in_offset, i, pass));
    return long_value(x);
}

#if COLLECTS
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
reduce_cpu_chunk(const __global uchar *in, ulong in_offset, ulong n, __global uchar *out, ulong out_offset,
                 __global ulong *state, uint epoch)
{
    __local uint is_last;
    const VALUE own = fold_chunk(in, in_offset, n, FIRST_PASS);
    VALUE x = own;
    if (get_num_groups(0) > 1) {
        if (!collect_publish(state, epoch, own, &is_last))
            return;
        long_sum all = long_begin(IDENTITY);
        for (uint g = 0; g < get_num_groups(0); g++) {
            const VALUE next = g == get_group_id(0) ? own : collect_value(state, epoch, g); /* not a promoted one */
            all = long_then(all, next);
        }
        x = long_value(all);
    }
    pass_store(out, out_offset, 0, x, pass_count(n, FIRST_PASS), LAST_PASS);
}
#else
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
reduce_cpu_chunk(const __global uchar *in, ulong in_offset, ulong n, __global uchar *out, ulong out_offset, uint pass)
{
    pass_store(out, out_offset, get_group_id(0), fold_chunk(in, in_offset, n, pass), pass_count(n, pass), pass);
}
#endif
