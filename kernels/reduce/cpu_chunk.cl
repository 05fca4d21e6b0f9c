// SPDX-License-Identifier: MIT
/* reduce_cpu_chunk: for CPUs. A work-group is one work-item, and so one thread at a time; it folds one contiguous
 * chunk. The group that ends last folds what all groups wrote.
 * Why: one work-item with wide vectors for each core suits a CPU, while a GPU needs thousands of work-items to keep
 * its memory busy.
 * Parameters: the operator's prelude; GROUP_SIZE 1. */
#include "common/collect.cl"
#include "common/long_sum.cl"
#include "common/chunk_fold.cl"
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

static inline VALUE fold_chunk(const __global uchar *in, const reduce_args args)
{
    const ulong n = pass_count(args);
    const ulong groups = get_num_groups(0);
    const ulong chunk = ((n + groups - 1) / groups + STEP - 1) / STEP * STEP;
    ulong i = min(n, get_group_id(0) * chunk);
    const ulong end = min(n, i + chunk);

    long_sum x = long_begin(IDENTITY);
#if FOLD_STEPS
    if (args.pass & FIRST_PASS)
        x = long_begin(fold_steps((const __global ELEMENT *)in + args.in_offset, &i, end));
#endif
    for (; i < end; i++)
        x = long_then(x, pass_load(in, i, args));
    return long_value(x);
}

__kernel GROUP_OF(GROUP_SIZE) void reduce_cpu_chunk(ARGS_OF(REDUCE_ONCE))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    __local uint is_last;
    reduce_args once = args;
    once.pass = FIRST_PASS | LAST_PASS; /* a constant for the compiler */
    const VALUE own = fold_chunk(in, once);
    VALUE x = own;
    if (get_num_groups(0) > 1) {
        if (!collect_publish(state, args.epoch, own, &is_last))
            return;
        long_sum all = long_begin(IDENTITY);
        for (uint g = 0; g < get_num_groups(0); g++) {
            const VALUE next =
                g == get_group_id(0) ? own : collect_value(state, args.epoch, g); /* ?: promotes small types */
            all = long_then(all, next);
        }
        x = long_value(all);
    }
    pass_store(out, 0, x, pass_count(once), once);
}
