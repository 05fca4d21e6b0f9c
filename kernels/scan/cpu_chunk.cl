// SPDX-License-Identifier: MIT
/* scan_cpu_chunk: for CPUs. A work-group is one work-item, which runs on one thread and has one contiguous chunk.
 * scan_chunk_sums folds it. scan_chunks folds the sums of all earlier chunks and then scans the chunk.
 *
 * If types are built in, a chunk is scanned 16 elements at a time: each of log2(16) steps shifts and combines a whole
 * vector. A plain loop would wait for the operator's latency at each element. With segments or RUNS, scan_chunk_sums
 * folds only a chunk's last segment or run, which may continue in the next chunk. If an array does not fit the caches,
 * both kernels are launched once for each piece of it: a piece begins with chunk first_chunk, and all pieces together
 * have `chunks` chunks.
 * Why: a chunk for each core, scanned in wide vectors, suits a CPU, while a GPU has far more lanes than there are
 * chunks.
 * Parameters: the operator's prelude; GROUP_SIZE 1. `work` holds one VALUE per chunk, its sum. */
#include "scan/args.h"
#include "common/chunk_fold.cl"
#include "scan/parts/elements.cl"
#include "scan/parts/spans.cl"
#include "scan/parts/long_prefix.cl"
#include "scan/parts/cpu_runs.cl"
#include "scan/parts/cpu_spans.cl"
#include "scan/parts/cpu_vectors.cl"
#include "scan/parts/cpu_segments.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif

static inline void nth_chunk(ulong *begin, ulong *end, ulong n, ulong number, ulong chunks)
{
    const ulong chunk = ((n + chunks - 1) / chunks + STEP - 1) / STEP * STEP;
    *begin = min(n, number * chunk);
    *end = min(n, *begin + chunk);
}

__kernel GROUP_OF(GROUP_SIZE) void scan_chunk_sums(ARGS_OF(SCAN_READ))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const uint own = args.first_chunk + (uint)get_group_id(0);
    SEGMENTS_HERE
    ulong i;
    ulong end;
    nth_chunk(&i, &end, CALL_COUNT_0(args.n), own, args.chunks);
    in += args.in_offset;
    VALUE sum = IDENTITY;
#if RUNS
    sum = runs_of_chunk(in, i, end, segments);
#elif SEGMENTS_APART
    sum = segments_of_chunk(in, i, end, segments);
#else
#if FOLD_STEPS && !SEGMENTS
    sum = fold_steps(in, &i, end);
#endif
    for (; i < end; i++)
        sum = COMBINE(sum, SCAN_VALUE(ELEMENT_AT(in, i), i));
#endif
    work[own] = sum;
}

__kernel GROUP_OF(GROUP_SIZE) void scan_chunks(ARGS_OF(SCAN_WRITE))
{
    const scan_args args = ARGS(SCAN_NUMBERS);
    const uint own = args.first_chunk + (uint)get_group_id(0);
    const plain_value initial = initial_value();
    const ulong n = CALL_COUNT_0(args.n);
    RUNS_HERE
    ulong i;
    ulong end;
    nth_chunk(&i, &end, n, own, args.chunks);
    in += args.in_offset;
    out += args.out_offset;
    long_prefix chunks_before = prefix_begin(scan_begin(initial));
    for (uint g = 0; g < own; g++)
        chunks_before = prefix_then(chunks_before, work[g]);
    VALUE before = prefix_value(chunks_before);
    store_no_runs(n, segments);
#if RUNS
    write_runs(in, out, i, end, n, before, segments);
#elif SEGMENTS_APART
    scan_segments(in, out, i, end, plain_combine(initial, plain_of(before)), initial, segments);
#elif !SEGMENTS
    (void)scan_one_segment(in, out, i, end, before);
#else
    for (; i < end; i++) {
        const VALUE x = SCAN_VALUE(ELEMENT_AT(in, i), i);
        const VALUE through = COMBINE(before, x);
        out[i] = OUTPUT_OF(scan_result(before, through, x, initial), i);
        before = through;
    }
#endif
}
