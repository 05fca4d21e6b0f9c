// SPDX-License-Identifier: MIT
/* collect.cl: passes the VALUEs of all work-groups to one of them, within one kernel.
 *
 * Parameters: VALUE; COLLECT_HEADER; those of clprim/device/look_back.h.
 *
 * state: COLLECT_HEADER + groups * VALUE_WORDS words of 64 bits, which only this kernel uses, all 0 before the first
 * launch. epoch: not 0, different from the epochs of all earlier launches, and small enough for a tag
 * (clprim__look_back_last_epoch).
 *
 *     if (collect_publish(state, epoch, x, &is_last))    // x in work-item 0
 *         for each group g but one's own: ... collect_value(state, epoch, g) ...
 *
 * Values are published as tagged words. The tag of each word says whether it has been written in this launch, so no
 * fence is needed, and stale words do no harm. One group reads the words of all others, and repeats this for words that
 * are missing:
 * - If groups start in the order of their numbers, it is the group with the highest number. All others have started by
 *   then, and groups that have started continue to run. This takes one store and one load.
 * - Otherwise it is the group that ends last (last_group.cl). All words have been stored then, and no group waits. */
#include "common/words.cl"
#include "common/last_group.cl"
#include "clprim/device/look_back.h"
#include "clprim/device/tagged_words.h"

#ifndef COLLECT_HEADER
#error "COLLECT_HEADER must be given"
#endif

#define COLLECTED_WORDS (VALUE_WORDS * 32 / CLPRIM__TAGGED_BITS)

/* Which of a value's words a tagged word has bits of, and from which bit on. */
#define COLLECTED_FROM(w)  ((w)*CLPRIM__TAGGED_BITS / 32)
#define COLLECTED_SHIFT(w) ((w)*CLPRIM__TAGGED_BITS % 32)
#define COLLECTED_MASK     (0xffffffffu >> (32 - CLPRIM__TAGGED_BITS))

static inline __global clprim__tagged_word *collected_words(__global ulong *state, uint group)
{
    return (__global clprim__tagged_word *)(state + COLLECT_HEADER) + group * (ulong)COLLECTED_WORDS;
}

/* A value's tagged word. */
static inline clprim__tagged_word collected_word(value_words value, uint w, uint epoch)
{
    return clprim__tagged(epoch, value.words[COLLECTED_FROM(w)] >> COLLECTED_SHIFT(w) & COLLECTED_MASK);
}

ALWAYS_INLINE bool collect_publish(__global ulong *state, uint epoch, VALUE x, __local uint *is_last)
{
    const uint group = (uint)get_group_id(0);
    __global clprim__tagged_word *words = collected_words(state, group);
    value_words mine = {{0}};
    mine.value = x;
#if CLPRIM_FORWARD_PROGRESS && CLPRIM_GROUPS_IN_ORDER
    if (group == get_num_groups(0) - 1)
        return true;
    if (get_local_id(0) == 0) {
#pragma unroll
        for (uint w = 0; w < COLLECTED_WORDS; w++)
            clprim__publish(words + w, collected_word(mine, w, epoch));
    }
    return false;
#else
    bool has_been_here = false; /* no word has had this epoch before */
    if (get_local_id(0) == 0) {
#pragma unroll
        for (uint w = 0; w < COLLECTED_WORDS; w++)
            has_been_here |= clprim__tag_of(clprim__exchange(words + w, collected_word(mine, w, epoch))) == epoch;
    }
    return is_last_group((volatile __global uint *)state, has_been_here, is_last);
#endif
}

static inline VALUE collect_value(__global ulong *state, uint epoch, uint group)
{
    __global clprim__tagged_word *words = collected_words(state, group);
    value_words theirs;
    bool are_there;
    do {
        clprim__tagged_word found[COLLECTED_WORDS]; /* loaded in parallel */
        are_there = true;
#pragma unroll
        for (uint w = 0; w < COLLECTED_WORDS; w++)
            found[w] = clprim__look_at(words + w);
#pragma unroll
        for (uint w = 0; w < VALUE_WORDS; w++)
            theirs.words[w] = 0;
#pragma unroll
        for (uint w = 0; w < COLLECTED_WORDS; w++) {
            are_there &= clprim__tag_of(found[w]) == epoch;
            theirs.words[COLLECTED_FROM(w)] |= ((uint)found[w] & COLLECTED_MASK) << COLLECTED_SHIFT(w);
        }
    } while (!are_there);
    return theirs.value;
}
