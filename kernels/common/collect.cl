/* collect.cl: bring the VALUEs of all work-groups together in one of them, within one kernel.
 *
 * Parameters: VALUE; COLLECT_HEADER; those of clprim/device/look_back.h.
 *
 * state is memory that only this kernel uses, COLLECT_HEADER + groups * VALUE_WORDS words of 64 bits, all 0 before the
 * first launch. epoch differs from that of every launch before; 0 is not used.
 *
 *     if (collect_publish(state, epoch, x, &is_last))    // x in work-item 0
 *         for each group g but one's own: ... collect_value(state, epoch, g) ...
 *
 * By tagged words: the group with the highest number waits for each word to carry the epoch. Where groups start in the
 * order of their numbers all others have started by then, and started groups run on, so all words come. It takes one
 * store and one load where the other path has two fences and an atomic between them: that is a microsecond on an H200,
 * and some four where words travel by atomics.
 * By tickets: the group that draws the last ticket finds the others' values complete; nobody waits. That group sets the
 * counter back for the next launch. Source: NVIDIA's threadFenceReduction sample. */
#include "common/words.cl"
#include "common/device_scope.cl"
#include "clprim/device/look_back.h"
#include "clprim/device/tagged_words.h"

#ifndef COLLECT_HEADER
#error "COLLECT_HEADER must be given"
#endif

#if CLPRIM_FORWARD_PROGRESS && CLPRIM_GROUPS_IN_ORDER && CLPRIM__TAGGED_BITS == 32
static inline bool collect_publish(__global ulong *state, uint epoch, VALUE x, __local uint *is_last)
{
    const uint group = (uint)get_group_id(0);
    if (group == get_num_groups(0) - 1)
        return true;
    if (get_local_id(0) == 0) {
        value_words mine = {{0}};
        mine.value = x;
#pragma unroll
        for (uint w = 0; w < VALUE_WORDS; w++)
            clprim__publish(state + COLLECT_HEADER + group * VALUE_WORDS + w, clprim__tagged(epoch, mine.words[w]));
    }
    return false;
}

static inline VALUE collect_value(__global ulong *state, uint epoch, uint group)
{
    value_words theirs;
#pragma unroll
    for (uint w = 0; w < VALUE_WORDS; w++) {
        clprim__tagged_word word;
        do
            word = clprim__look_at(state + COLLECT_HEADER + group * VALUE_WORDS + w);
        while (clprim__tag_of(word) != epoch);
        theirs.words[w] = (uint)word;
    }
    return theirs.value;
}
#else
static inline bool collect_publish(__global ulong *state, uint epoch, VALUE x, __local uint *is_last)
{
    volatile __global uint *words = (volatile __global uint *)(state + COLLECT_HEADER);
    volatile __global uint *counter = (volatile __global uint *)state;
    if (get_local_id(0) == 0) {
        value_words mine = {{0}};
        mine.value = x;
        for (uint w = 0; w < VALUE_WORDS; w++)
            device_store(words + get_group_id(0) * VALUE_WORDS + w, mine.words[w]);
        device_fence(); /* the value before the ticket */
        *is_last = atomic_inc(counter) == get_num_groups(0) - 1;
        if (*is_last)
            (void)atomic_xchg(counter, 0u); /* for the next launch, which cannot begin before this one ends */
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* is_last */
    device_fence();               /* the tickets before the values */
    return *is_last;
}

static inline VALUE collect_value(__global ulong *state, uint epoch, uint group)
{
    volatile __global uint *words = (volatile __global uint *)(state + COLLECT_HEADER);
    value_words theirs;
    for (uint w = 0; w < VALUE_WORDS; w++)
        theirs.words[w] = device_load(words + group * VALUE_WORDS + w);
    return theirs.value;
}
#endif
