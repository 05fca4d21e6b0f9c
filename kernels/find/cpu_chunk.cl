// SPDX-License-Identifier: MIT
/* find_cpu_chunk: for CPUs. A work-group is one work-item, and so one thread at a time. It takes one chunk after
 * another, in ascending order, and tests it block by block, as vectors. Only if the condition holds somewhere in a
 * block, it searches for the place. Once a place is found, no thread takes another chunk: all chunks before it are
 * taken already.
 * Parameters: GROUP_SIZE 1; ITEMS, the minimum number of elements of a chunk. */
#include "find/args.h"
#include "find/parts/condition.cl"
#include "find/parts/finish.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#ifndef ITEMS
#error "ITEMS must be given"
#endif

#define BLOCK       1024ul
#define LOG2_CHUNKS 30 /* maximum, so that the number of the next chunk fits a word */

/* The first place in in[begin .. end). */
static inline VALUE place_in_chunk(const __global ELEMENT *in, ulong begin, ulong end)
{
    for (ulong i = begin; i < end; i += BLOCK) {
        const uint length = (uint)min(BLOCK, end - i);
        const __global ELEMENT *own = in + i;
        uint any = 0;
        for (uint k = 0; k < length; k++)
            any |= (uint)holds_at(own, i, k);
        for (uint k = 0; any != 0 && k < length; k++)
            if (holds_at(own, i, k))
                return i + k;
    }
    return NOWHERE;
}

__kernel GROUP_OF(GROUP_SIZE) void find_cpu_chunk(ARGS_OF(FIND_LOOK))
{
    const find_args args = ARGS(FIND_NUMBERS);
    const ulong n = CALL_COUNT_0(args.n);
    volatile __global uint *next = HINT_OF(state); /* find_finish resets it */
    const bool is_alone = get_num_groups(0) == 1;  /* then the chunk is the whole array */
    const ulong chunk = is_alone ? n : max((ulong)ITEMS, n >> LOG2_CHUNKS);
    const uint chunks = is_alone ? 1 : (uint)(n / chunk + 1);
    VALUE least = NOWHERE;
    for (uint c = is_alone ? 0 : atomic_inc(next); c < chunks; c = is_alone ? chunks : atomic_inc(next)) {
        const ulong begin = c * chunk;
        least = place_in_chunk(in + args.in_offset, max(begin, (ulong)FIRST_PLACE), min(n, begin + chunk));
        if (least != NOWHERE) {
            if (!is_alone)
                (void)atomic_max(next, chunks);
            break;
        }
    }
    finish_or_hand_on(least, n, state, out + args.out_offset);
}
