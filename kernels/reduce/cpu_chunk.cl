/* reduce_cpu_chunk: the shape for a CPU. A work-group is one work-item, that is one thread at a time; it folds one
 * contiguous chunk. No local memory, no barriers.
 * Parameters: the operator's prelude, chunk_fold.cl and passes.cl; GROUP_SIZE 1. */
#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
reduce_cpu_chunk(const __global uchar *in, ulong in_offset, ulong n, __global uchar *out, ulong out_offset, uint pass)
{
    n = pass_count(n, pass);
    const ulong groups = get_num_groups(0);
    const ulong chunk = ((n + groups - 1) / groups + STEP - 1) / STEP * STEP;
    ulong i = min(n, get_group_id(0) * chunk);
    const ulong end = min(n, i + chunk);

    VALUE x = IDENTITY;
#if FOLD_STEPS
    if (pass & FIRST_PASS)
        x = fold_steps((const __global ELEMENT *)in + in_offset, &i, end);
#endif
    for (; i < end; i++)
        x = COMBINE(x, pass_load(in, in_offset, i, pass));
    pass_store(out, out_offset, get_group_id(0), x, pass);
}
