// SPDX-License-Identifier: MIT
/* left_values.cl: VALUEs that groups leave for the group that ends last, within one kernel (common/last_group.cl). They
 * are stored as words, by atomics that return the old word.
 *
 * Parameters: VALUE, VALUE_SIZE; those of common/device_scope.cl. */
#include "common/words.cl"
#include "common/device_scope.cl"

#define LEFT volatile __global uint *

/* Store x as value number `number`. Returns bits that are known only when all of it has been stored. */
static inline uint left_store(LEFT values, ulong number, VALUE x)
{
    uint before = 0;
    value_words mine = {{0}};
    mine.value = x;
#pragma unroll
    for (uint w = 0; w < VALUE_WORDS; w++)
        before |= atomic_xchg(values + number * VALUE_WORDS + w, mine.words[w]);
    return before;
}

static inline VALUE left_load(LEFT values, ulong number)
{
    value_words theirs;
#pragma unroll
    for (uint w = 0; w < VALUE_WORDS; w++)
        theirs.words[w] = device_load(values + number * VALUE_WORDS + w);
    return theirs.value;
}
