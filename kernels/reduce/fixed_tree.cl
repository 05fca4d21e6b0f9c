// SPDX-License-Identifier: MIT
/* reduce_fixed_tree: the shape of the computation depends only on n, so that float results have the same bits on every
 * device. In one pass, a chunk of CHUNK consecutive values, x[0], x[1], ..., becomes one value:
 *     lane l (of LANES) folds x[l], x[l + LANES], x[l + 2 LANES], ... from left to right; missing lanes are IDENTITY;
 *     then for s = LANES / 2, LANES / 4, ..., 1: lane l becomes lane l OP lane l + s, for all l < s.
 * The values of all chunks, in order, are the input of the next pass; the pass with one chunk is the last one. Its
 * value is the right operand of the initial value, if there is one. Work-groups of any size divide the lanes among
 * their work-items, without changing what each lane computes. Contraction is not allowed (FP_CONTRACT is off in the
 * prelude).
 * Why: the tree has the same shape on every device, and takes a launch for each of its levels.
 * Parameters: the operator's prelude; LANES, ROWS; GROUP_SIZE, a power of two, at most LANES. */
#include "reduce/args.h"
#include "reduce/parts/passes.cl"

#if !defined(LANES) || !defined(ROWS)
#error "LANES and ROWS must be given"
#endif
#define CHUNK (LANES * ROWS)
#if (GROUP_SIZE & (GROUP_SIZE - 1)) || GROUP_SIZE > LANES
#error "GROUP_SIZE must be a power of two and LANES at most"
#endif
#define OWN (LANES / GROUP_SIZE) /* lanes of one work-item, at a distance of GROUP_SIZE */

__kernel GROUP_OF(GROUP_SIZE) void reduce_fixed_tree(ARGS_OF(REDUCE_PASS))
{
    const reduce_args args = ARGS(REDUCE_NUMBERS);
    __local VALUE data[LANES];
    const ulong n = pass_count(args);
    const uint lid = (uint)get_local_id(0);
    const ulong begin = (ulong)get_group_id(0) * CHUNK;
    const uint length = (uint)min(n - min(begin, n), (ulong)CHUNK);

    VALUE lanes[OWN];
    for (uint k = 0; k < OWN; k++) {
        const uint l = k * GROUP_SIZE + lid;
        lanes[k] = l < length ? pass_load(in, begin + l, args) : IDENTITY;
    }
    if (length == CHUNK) {
#pragma unroll
        for (uint r = 1; r < ROWS; r++)
            for (uint k = 0; k < OWN; k++)
                lanes[k] = COMBINE(lanes[k], pass_load(in, begin + r * LANES + k * GROUP_SIZE + lid, args));
    } else {
        for (uint r = 1; r < ROWS; r++)
            for (uint k = 0; k < OWN; k++) {
                const uint l = r * LANES + k * GROUP_SIZE + lid;
                if (l < length)
                    lanes[k] = COMBINE(lanes[k], pass_load(in, begin + l, args));
            }
    }
    for (uint k = 0; k < OWN; k++)
        data[k * GROUP_SIZE + lid] = lanes[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = LANES / 2; s > 0; s /= 2) {
        for (uint l = lid; l < s; l += GROUP_SIZE)
            data[l] = COMBINE(data[l], data[l + s]);
        barrier(CLK_LOCAL_MEM_FENCE); /* the next step reads what other work-items wrote in this one */
    }
    if (lid == 0)
        pass_store(out, get_group_id(0), data[0], n, args);
}
