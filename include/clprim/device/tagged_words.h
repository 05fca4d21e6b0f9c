// SPDX-License-Identifier: MIT
/* clprim/device/tagged_words.h: how a group publishes a value to groups that are at work at the same time. It is for the
 * other headers of this folder. OpenCL C 1.2.
 *
 * OpenCL C 1.2 has no fence between groups, so a value and the sign that it is there must not travel separately. A
 * tagged word has both: it is stored and loaded by one access, which cannot be torn. Whoever finds the tag has the bits.
 * A larger value travels in several words, each with its tag.
 *
 * Words of 64 bits have a tag of 32 bits: by a relaxed access in PTX, or by 64-bit atomics. Without those, words have 32
 * bits and a tag of 16. The accesses that are no PTX are atomics, because they act where all groups see them. Words of 32
 * bits may also be peeked at, by an ordinary load, which costs less. No load tears them, so what has the tag of this launch
 * has been published. A word with another tag may be out of date: then only an atomic can tell. */
#ifndef CLPRIM_DEVICE_TAGGED_WORDS_H
#define CLPRIM_DEVICE_TAGGED_WORDS_H

#include <clprim/device/base.h>
#include <clprim/device/sub_group.h>

#ifndef CLPRIM_INT64_ATOMICS
#define CLPRIM_INT64_ATOMICS 0
#endif
#ifndef CLPRIM_PEEKS
#define CLPRIM_PEEKS 1
#endif

/* A word's bits beside its tag. */
#if CLPRIM__SUB_GROUPS_BY == 1 || CLPRIM_INT64_ATOMICS
#define CLPRIM__TAGGED_BITS 32
#define CLPRIM__CAN_PEEK    0
typedef ulong clprim__tagged_word;
#else
#define CLPRIM__TAGGED_BITS 16
#define CLPRIM__CAN_PEEK    CLPRIM_PEEKS
typedef uint clprim__tagged_word;
#endif

/* How many neighbouring words an access loads. Each has its tag, so it does not matter if it gets them one by one. */
#define CLPRIM__WORDS_AT_ONCE (CLPRIM__SUB_GROUPS_BY == 1 || CLPRIM__CAN_PEEK ? 2 : 1)

/* The number of words for a value of this size: at most 8 bytes for every 4, and an even number if they can be peeked
 * at. */
#define CLPRIM__TAGGED_WORDS(SIZE) (((SIZE) + 3) / 4 * 32 / CLPRIM__TAGGED_BITS)

CLPRIM__INLINE clprim__tagged_word clprim__tagged(uint tag, uint bits)
{
    return (clprim__tagged_word)tag << CLPRIM__TAGGED_BITS | bits;
}

CLPRIM__INLINE uint clprim__tag_of(clprim__tagged_word word)
{
    return (uint)(word >> CLPRIM__TAGGED_BITS);
}

/* clprim__offer stores `word` only if there is `stale`: so it never replaces what another group has stored since. */
#if CLPRIM__SUB_GROUPS_BY == 1
CLPRIM__INLINE void clprim__publish(__global clprim__tagged_word *p, clprim__tagged_word word)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(word) : "memory");
}
CLPRIM__INLINE clprim__tagged_word clprim__look_at(__global clprim__tagged_word *p)
{
    clprim__tagged_word word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(p) : "memory");
    return word;
}
CLPRIM__INLINE void clprim__offer(__global clprim__tagged_word *p, clprim__tagged_word stale, clprim__tagged_word word)
{
    clprim__tagged_word found;
    asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(found)
                 : "l"(p), "l"(stale), "l"(word)
                 : "memory");
}
#elif CLPRIM__TAGGED_BITS == 32
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
CLPRIM__INLINE void clprim__publish(__global clprim__tagged_word *p, clprim__tagged_word word)
{
    (void)atom_xchg((volatile __global ulong *)p, word);
}
CLPRIM__INLINE clprim__tagged_word clprim__look_at(__global clprim__tagged_word *p)
{
    return atom_add((volatile __global ulong *)p, 0ul);
}
CLPRIM__INLINE void clprim__offer(__global clprim__tagged_word *p, clprim__tagged_word stale, clprim__tagged_word word)
{
    (void)atom_cmpxchg((volatile __global ulong *)p, stale, word);
}
#else
CLPRIM__INLINE void clprim__publish(__global clprim__tagged_word *p, clprim__tagged_word word)
{
    (void)atomic_xchg((volatile __global uint *)p, word);
}
CLPRIM__INLINE clprim__tagged_word clprim__look_at(__global clprim__tagged_word *p)
{
    return atomic_or((volatile __global uint *)p, 0u);
}
CLPRIM__INLINE void clprim__offer(__global clprim__tagged_word *p, clprim__tagged_word stale, clprim__tagged_word word)
{
    (void)atomic_cmpxchg((volatile __global uint *)p, stale, word);
}
#endif

#if CLPRIM__SUB_GROUPS_BY != 1
CLPRIM__INLINE void clprim__publish_pair(__global clprim__tagged_word *p, clprim__tagged_word first,
                                         clprim__tagged_word second)
{
    clprim__publish(p, first);
    clprim__publish(p + 1, second);
}
#endif

/* Store `word` and return the old value. Once the old value is there, all groups can see the new one. */
CLPRIM__INLINE clprim__tagged_word clprim__exchange(__global clprim__tagged_word *p, clprim__tagged_word word)
{
#if CLPRIM__SUB_GROUPS_BY == 1
    clprim__tagged_word found;
    asm volatile("atom.relaxed.gpu.global.exch.b64 %0, [%1], %2;" : "=l"(found) : "l"(p), "l"(word) : "memory");
    return found;
#elif CLPRIM__TAGGED_BITS == 32
    return atom_xchg((volatile __global ulong *)p, word);
#else
    return atomic_xchg((volatile __global uint *)p, word);
#endif
}

/* clprim__peek_at: the CLPRIM__WORDS_AT_ONCE words from p on. As they are now; or, if peeking is possible, as
 * they were at some time since the kernel began. clprim__publish_pair: words p and p + 1. p must be aligned to both. */
#if CLPRIM__SUB_GROUPS_BY == 1
CLPRIM__INLINE void clprim__peek_at(__private clprim__tagged_word *words, __global clprim__tagged_word *p)
{
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(words[0]), "=l"(words[1]) : "l"(p) : "memory");
}
CLPRIM__INLINE void clprim__publish_pair(__global clprim__tagged_word *p, clprim__tagged_word first,
                                         clprim__tagged_word second)
{
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(first), "l"(second) : "memory");
}
#elif CLPRIM__CAN_PEEK
CLPRIM__INLINE void clprim__peek_at(__private clprim__tagged_word *words, __global const clprim__tagged_word *p)
{
    const uint2 both = *(const volatile __global uint2 *)p;
    words[0] = both.x;
    words[1] = both.y;
}
#else
CLPRIM__INLINE void clprim__peek_at(__private clprim__tagged_word *words, __global clprim__tagged_word *p)
{
    *words = clprim__look_at(p);
}
#endif

#endif
