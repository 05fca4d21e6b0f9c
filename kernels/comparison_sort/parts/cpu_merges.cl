// SPDX-License-Identifier: MIT
/* cpu_merges.cl: a sort by one work-item, that is, one thread of a CPU: short runs, then merges of pairs of runs.
 * Stable.
 *
 *   sort_few(in, out, count)                  1 to RUN elements
 *   sort_by_merges(in, out, other, count)     any number; `other` is used in between
 *
 * `in` may be the same array as `out`, or as `other`.
 *
 * No branch depends on comparisons. Each element of a short run is compared with all of its elements, LANES at a time,
 * so that compilers can use vectors, even for a caller's order. A merge proceeds from both ends at once, which are
 * independent of each other. As long as neither run can end, it does not check for the end.
 *
 * Even if the caller's order is inconsistent, the result is a permutation: a short run whose ranks are not all
 * different stays as it is, and the two ends of a merge do not meet.
 *
 * Parameters: LANES, which divides RUN; GROUP_SIZE 1. */
#include "common/items.cl"

#if GROUP_SIZE != 1
#error "GROUP_SIZE must be 1"
#endif
#if !defined(LANES)
#error "LANES must be given"
#endif

#define CPU_CALLED static __attribute__((noinline)) /* compiled once in each kernel */
#define RUN        64u                              /* number of bits of a ulong */

ALWAYS_INLINE bool is_before(array a, ulong i, ulong j)
{
    return KEY_BEFORE(IMAGE_OF(a.keys[i]), IMAGE_OF(a.keys[j]));
}

ALWAYS_INLINE void put(array to, ulong i, array from, ulong j)
{
    to.keys[i] = from.keys[j];
#if VALUE_SIZE
    to.values[i] = from.values[j];
#endif
}

/* For each element, the number of elements of keys[0 .. count - 1] that come before it. */
ALWAYS_INLINE void count_before(const ELEMENT *keys, uint count, uint *counts)
{
    for (uint i = 0; i < count; i += LANES) {
        uint sums[LANES];
#pragma unroll
        for (uint l = 0; l < LANES; l++)
            sums[l] = 0;
        for (uint j = 0; j < count; j++) {
            const ELEMENT x = keys[j];
#pragma unroll
            for (uint l = 0; l < LANES; l++)
                sums[l] += KEY_BEFORE(x, keys[i + l]);
        }
#pragma unroll
        for (uint l = 0; l < LANES; l++)
            counts[i + l] = sums[l];
    }
}

CPU_CALLED void sort_few(array in, array out, uint count)
{
    ELEMENT keys[RUN];
    uint places[RUN];
    uchar equal[RUN + 1]; /* how many elements have this rank so far; RUN is only reached if an element comes before
                           * itself */
    ulong taken = 0;
#if VALUE_SIZE
    VALUE values[RUN];
#endif
    for (uint i = 0; i < count; i++) {
        keys[i] = IMAGE_OF(in.keys[i]);
#if VALUE_SIZE
        values[i] = in.values[i];
#endif
    }
    for (uint i = count; i % LANES != 0; i++) /* the caller's order must only be called with existing elements */
        keys[i] = keys[0];
    count_before(keys, count, places);
    for (uint i = 0; i <= RUN; i++)
        equal[i] = 0;
    for (uint i = 0; i < count; i++) {
        places[i] += equal[places[i]]++;
        taken |= places[i] < count ? 1ul << places[i] : 0;
    }
    const bool is_order = taken == ~0ul >> (RUN - count);
    for (uint i = 0; i < count; i++) {
        const uint place = is_order ? places[i] : i;
        out.keys[place] = ELEMENT_OF(keys[i]);
#if VALUE_SIZE
        out.values[place] = values[i];
#endif
    }
}

/* A merge in progress: elements a .. a_end - 1 and b .. b_end - 1 are merged to at .. end - 1. */
typedef struct {
    ulong a, a_end, b, b_end, at, end;
} merge;

ALWAYS_INLINE merge merge_of(ulong a, ulong a_end, ulong b, ulong b_end, ulong at)
{
    return (merge){a, a_end, b, b_end, at, at + (a_end - a) + (b_end - b)};
}

/* How many steps are possible at both ends before a run may end. */
ALWAYS_INLINE ulong safe_steps(const merge *m)
{
    return min(m->a_end - m->a, m->b_end - m->b) / 2;
}

ALWAYS_INLINE void merge_step(array to, array from, merge *m)
{
    const bool second = is_before(from, m->b, m->a);
    const bool first = is_before(from, m->b_end - 1, m->a_end - 1);
    m->end--;
    put(to, m->at, from, second ? m->b : m->a);
    put(to, m->end, from, (first ? m->a_end : m->b_end) - 1);
    m->at++;
    m->b += second;
    m->a += !second;
    m->a_end -= first;
    m->b_end -= !first;
}

ALWAYS_INLINE void finish(array to, array from, merge m)
{
    for (ulong steps = safe_steps(&m); steps > 0; steps = safe_steps(&m))
        for (; steps > 0; steps--)
            merge_step(to, from, &m);
    while (m.a < m.a_end && m.b < m.b_end) {
        const bool second = is_before(from, m.b, m.a);
        put(to, m.at++, from, second ? m.b : m.a);
        m.b += second;
        m.a += !second;
    }
    while (m.a < m.a_end)
        put(to, m.at++, from, m.a++);
    while (m.b < m.b_end)
        put(to, m.at++, from, m.b++);
}

/* The merge of the two runs that begin at `begin`, as far as they exist. */
ALWAYS_INLINE merge merge_at(ulong begin, ulong run, ulong count)
{
    const ulong a = min(begin, count);
    const ulong b = min(begin + run, count);
    return merge_of(a, b, b, min(begin + 2 * run, count), a);
}

/* Run two independent merges side by side as long as possible. A loop, which is compiled once, finishes both of
 * them. */
CPU_CALLED void sort_by_merges(array in, array out, array other, INDEX count)
{
    uint passes = 0;
    while ((INDEX)RUN << passes < count)
        passes++;
    array from = passes % 2 == 0 ? out : other;
    array to = passes % 2 == 0 ? other : out;
    for (INDEX i = 0; i < count; i += min((INDEX)RUN, count - i))
        sort_few(array_from(in, i), array_from(from, i), (uint)min((INDEX)RUN, count - i));
    for (ulong run = RUN; run < count; run *= 2) {
        for (ulong a = 0; a < count; a += 4 * run) {
            merge left[2];
            merge m = merge_at(a, run, count);
            merge o = merge_at(a + 2 * run, run, count);
            for (ulong steps = min(safe_steps(&m), safe_steps(&o)); steps > 0;
                 steps = min(safe_steps(&m), safe_steps(&o)))
                for (; steps > 0; steps--) {
                    merge_step(to, from, &m);
                    merge_step(to, from, &o);
                }
            left[0] = m;
            left[1] = o;
#pragma unroll 1
            for (uint k = 0; k < 2; k++)
                finish(to, from, left[k]);
        }
        const array next = from;
        from = to;
        to = next;
    }
}
