// SPDX-License-Identifier: MIT
/* chunk_run.cl: fold_run, the fold of consecutive elements by one work-item, for CPUs. If segments are short, most time
 * would be lost to mispredicted branches, because no processor can predict where a loop over a segment ends. So for
 * built-in types, for which FEW is defined, up to FEW elements are folded without such a branch: whole vectors are
 * loaded, and IDENTITY replaces the elements after the end. Narrower vectors fold 16 segments of up to TINY elements
 * each.
 *
 * Parameters: the operator's prelude. */
#include "common/long_sum.cl"
#include "common/chunk_fold.cl"
#include "segmented_reduce/parts/segments.cl"

#if VECTORS && !defined(INPUT_AT)
#define FEW 32 /* elements, in two vectors */

#ifdef NARROW
#define FOLDED_SIZE ELEMENT_SIZE
#else
#define FOLDED_SIZE VALUE_SIZE
#endif
#if FOLDED_SIZE == 1
#define NUMBERS(W) char##W
#elif FOLDED_SIZE == 2
#define NUMBERS(W) short##W
#elif FOLDED_SIZE == 4
#define NUMBERS(W) int##W
#else
#define NUMBERS(W) long##W
#endif

/* e[0 .. count) in W lanes, and IDENTITY in the other lanes. `lanes` are the numbers of the lanes. It may read as many
 * elements as there are lanes. */
#define FIRST_LANES(W, e, count, lanes)                                                                                \
    select((FOLDED(W))(IDENTITY), FOLDED_OF(W, vload##W(0, e)), (lanes) < (NUMBERS(W))((NUMBERS())(count)))

static inline FOLDED(16) sixteen_lanes(const __global ELEMENT *e, int count)
{
    return FIRST_LANES(16, e, count, (NUMBERS(16))(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

static inline VALUE fold_four_lanes(FOLDED(4) x)
{
    const FOLDED(2) y = COMBINE(x.lo, x.hi);
    return COMBINE((VALUE)y.lo, (VALUE)y.hi);
}

static inline VALUE fold_sixteen_lanes(FOLDED(16) x)
{
    const FOLDED(8) y = COMBINE(x.lo, x.hi);
    return fold_four_lanes(COMBINE(y.lo, y.hi));
}

/* The fold of e[0 .. count). count is at most FEW; FEW elements may be read. */
static inline VALUE fold_few(const __global ELEMENT *e, int count)
{
    return fold_sixteen_lanes(COMBINE(sixteen_lanes(e, count), sixteen_lanes(e + 16, count - 16)));
}
#endif

static inline VALUE fold_serially(const __global ELEMENT *in, ulong i, ulong end)
{
    VALUE x = IDENTITY;
    for (; i < end; i++)
        x = COMBINE(x, VALUE_AT(ELEMENT_AT(in, i), i));
    return x;
}

/* Not inlined, so that the code for short segments stays short. */
static __attribute__((noinline)) VALUE fold_many(const __global ELEMENT *in, ulong i, ulong end, ulong n)
{
#ifdef FEW
    long_sum sum = long_begin(IDENTITY);
    FOLDED(16) lanes = fold_steps_to_lanes(in, &i, end, &sum);
    for (; i + 16 <= end; i += 16)
        lanes = COMBINE(lanes, FOLDED_OF(16, vload16(0, in + i)));
    const bool is_room = i + 16 <= n;
    if (is_room)
        lanes = COMBINE(lanes, sixteen_lanes(in + i, (int)(end - i)));
    const VALUE x = FLOAT_SUM ? long_value(long_then(sum, fold_sixteen_lanes(lanes))) : fold_sixteen_lanes(lanes);
    if (is_room)
        return x;
#elif FOLD_STEPS
    const VALUE x = end - i >= STEP ? fold_steps(in, &i, end) : IDENTITY;
#else
    const VALUE x = IDENTITY;
#endif
    return COMBINE(x, fold_serially(in, i, end));
}

/* The fold of in[i .. end). end is at most n; elements before n may be read. */
static inline VALUE fold_run(const __global ELEMENT *in, ulong i, ulong end, ulong n)
{
#ifdef FEW
    if (end - i <= FEW && i + FEW <= n)
        return fold_few(in + i, (int)(end - i));
#endif
    return fold_many(in, i, end, n);
}

#define BLOCK_OF_SEGMENTS 16
#define TINY              4 /* elements */

/* Fold BLOCK_OF_SEGMENTS segments from s on, whose first element is i, if all have at most TINY elements. Returns
 * whether it did. */
static inline bool fold_tiny_segments(const segments_of *all, const __global ELEMENT *in, uint s, ulong i)
{
#ifdef FEW
    const __global OFFSET *begins = all->offsets + s;
    uint are_tiny = i == begins[0] && i + BLOCK_OF_SEGMENTS * TINY <= all->n; /* not a bool, for which the compiler
                                                                               * would use branches */
    for (uint j = 0; j < BLOCK_OF_SEGMENTS; j++)
        are_tiny &= (OFFSET)(begins[j + 1] - begins[j]) <= TINY;
    if (are_tiny == 0)
        return false;
#pragma unroll
    for (uint j = 0; j < BLOCK_OF_SEGMENTS; j++) {
        const int count = (int)(begins[j + 1] - begins[j]);
        const VALUE x = fold_four_lanes(FIRST_LANES(4, in + begins[j], count, (NUMBERS(4))(0, 1, 2, 3)));
        all->out[s + j] = segment_output_of(all, s + j, x, count == 0);
    }
    return true;
#else
    return false;
#endif
}
