// SPDX-License-Identifier: MIT
/* transform_cpu_chunk: a chunk for each thread.
 * Parameters: the prelude, as in tiles.cl. */
#include "common/own_chunk.cl"
#include "transform/args.h"

__kernel GROUP_OF(GROUP_SIZE) void transform_cpu_chunk(ARGS_OF(TRANSFORM_OUTPUTS))
{
    const transform_args args = ARGS(TRANSFORM_NUMBERS);
    ulong i;
    ulong end;
    own_chunk(&i, &end, CALL_COUNT_0(args.n));
    for (; i < end; i++) {
        const results x = RESULTS_AT(i);
        STORE(x, i);
    }
}
