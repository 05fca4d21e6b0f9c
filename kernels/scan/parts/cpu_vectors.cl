// SPDX-License-Identifier: MIT
/* cpu_vectors.cl: scans consecutive elements of one segment, without looking for segments. With PLAIN_VECTORS, it also
 * loads 16 elements from an array or an expression, and stores 16 results.
 * Parameters: the operator's prelude. */
#include "scan/modes.h"
#include "common/long_sum.cl"
#include "scan/parts/elements.cl"

#if PLAIN_VECTORS
static inline VALUES(16) load_vector(const __global ELEMENT *in, ulong i)
{
#ifdef INPUT_AT
    ELEMENT x[16];
    for (uint l = 0; l < 16; l++)
        x[l] = INPUT_AT(i + l);
    return VALUES_OF(16, vload16(0, x));
#else
    return VALUES_OF(16, vload16(0, in + i));
#endif
}

/* A vector without alignment is stored as a whole. PoCL 3.1 compiles vstore16 to several stores of 16 bytes. */
typedef struct {
    RESULTS(16) results;
} __attribute__((packed)) unaligned_results;

static inline void store_vector(__global OUTPUT *out, ulong i, VALUES(16) x)
{
#if HAS_OUTPUT
    RESULT results[16];
    vstore16(RESULTS_OF(16, x), 0, results);
    for (uint l = 0; l < 16; l++)
        out[i + l] = OUTPUT_OF(results[l], i + l);
#else
    ((__global unaligned_results *)(out + i))->results = RESULTS_OF(16, x);
#endif
}

/* scan_vectors scans the whole vectors of in[*i .. end), beginning with `before`, and advances *i past them. It returns
 * the fold so far. The carry from one vector to the next is a vector, too, so each vector waits only for one addition
 * of the previous one. */
#if VALUE_SIZE == 4 && ELEMENT_SIZE == 4 && OUTPUT_SIZE == 4 && !defined(WORST_KEY) && !defined(INPUT_AT) && !HAS_OUTPUT
/* Eight elements in two halves: CPUs move values within half a register faster than across all of it. Minima and maxima
 * do not use it, because their images take longer this way. */
typedef struct {
    RESULTS(8) results;
} __attribute__((packed)) unaligned_eight;

static inline plain_value scan_vectors(const __global ELEMENT *in, __global OUTPUT *out, ulong *i, ulong end,
                                       plain_value before)
{
    const plain_value none = plain_identity();
    long_sum sum = long_begin(before);
    while (*i + 8 <= end) {
        const ulong stop = FLOAT_SUM ? min(end, *i + 8 * LONG_BLOCK) : end;
        const VALUES(8) first = (VALUES(8))(long_value(sum));
        VALUES(8) within = FLOAT_SUM ? (VALUES(8))(none) : first; /* the fold within the block */
        for (; *i + 8 <= stop; *i += 8) {
            VALUES(8) x = VALUES_OF(8, vload8(0, in + *i));
            x = plain_combine_8((VALUES(8))(none, x.s012, none, x.s456), x);
            x = plain_combine_8((VALUES(8))(none, none, x.s01, none, none, x.s45), x);
            x = plain_combine_8((VALUES(8))(none, none, none, none, x.s3333), x);
            const VALUES(8) carried = FLOAT_SUM ? plain_combine_8(first, within) : within;
            const VALUES(8) through = plain_combine_8(carried, x);
            const VALUES(8) results = EXCLUSIVE ? (VALUES(8))(carried.s0, through.s0123, through.s456) : through;
            ((__global unaligned_eight *)(out + *i))->results = RESULTS_OF(8, results);
            within = plain_combine_8(within, (VALUES(8))(x.s7));
        }
        sum = FLOAT_SUM ? long_then(sum, within.s0) : long_begin(within.s0);
    }
    return long_value(sum);
}
#else
#define SHIFTED(first, x) ((VALUES(16))(first, x.s0123, x.s4567, x.s89ab, x.scde))

/* Sixteen elements. An exclusive scan shifts the results. If elements are narrower than their sums, it shifts the
 * elements instead, which is cheaper. */
static inline plain_value scan_vectors(const __global ELEMENT *in, __global OUTPUT *out, ulong *i, ulong end,
                                       plain_value before)
{
    const bool shifts_first = EXCLUSIVE && sizeof(ELEMENT) < sizeof(plain_value);
    const VALUES(16) none = (VALUES(16))(plain_identity());
    long_sum sum = long_begin(before);
    while (*i + 16 <= end) {
        const ulong stop = FLOAT_SUM ? min(end, *i + 16 * LONG_BLOCK) : end;
        const VALUES(16) first = (VALUES(16))(long_value(sum));
        VALUES(16) within = FLOAT_SUM ? none : first; /* the fold within the block */
        for (; *i + 16 <= stop; *i += 16) {
            VALUES(16) x = load_vector(in, *i);
            const VALUES(16) last = (VALUES(16))(x.sf);
            if (shifts_first)
                x = SHIFTED(none.s0, x);
            x = plain_combine_16(SHIFTED(none.s0, x), x);
            x = plain_combine_16((VALUES(16))(none.s01, x.s0123, x.s4567, x.s89ab, x.scd), x);
            x = plain_combine_16((VALUES(16))(none.s0123, x.s0123, x.s4567, x.s89ab), x);
            x = plain_combine_16((VALUES(16))(none.s01234567, x.s01234567), x);
            const VALUES(16) carried = FLOAT_SUM ? plain_combine_16(first, within) : within;
            const VALUES(16) through = plain_combine_16(carried, x);
            if (EXCLUSIVE && !shifts_first)
                store_vector(out, *i, SHIFTED(carried.s0, through));
            else
                store_vector(out, *i, through);
            x = (VALUES(16))(x.sf);
            if (shifts_first)
                x = plain_combine_16(x, last);
            within = plain_combine_16(within, x);
        }
        sum = FLOAT_SUM ? long_then(sum, within.s0) : long_begin(within.s0);
    }
    return long_value(sum);
}
#endif
#endif

#if RUNS < RUNS_LENGTHS
/* Scan the elements of one segment. `sum` is the fold so far. Returns the fold of all. */
static inline plain_value scan_one_segment(const __global ELEMENT *in, __global OUTPUT *out, ulong i, ulong end,
                                           plain_value sum)
{
#if PLAIN_VECTORS
    if (i + 16 <= end)
        sum = scan_vectors(in, out, &i, end, sum);
#endif
    long_sum before = long_begin(sum);
    while (i < end) {
        const ulong stop = FLOAT_SUM ? min(end, i + LONG_BLOCK) : end;
        const plain_value first = long_value(before);
        plain_value within = FLOAT_SUM ? plain_identity() : first; /* the fold within the block */
        for (; i < stop; i++) {
            const plain_value carried = FLOAT_SUM ? plain_combine(first, within) : within;
            const plain_value x = plain_value_at(ELEMENT_AT(in, i), i);
            within = plain_combine(within, x);
            const plain_value through = FLOAT_SUM ? plain_combine(first, within) : within;
            out[i] = OUTPUT_OF(RESULT_OF(EXCLUSIVE ? carried : through), i);
        }
        before = FLOAT_SUM ? long_then(before, within) : long_begin(within);
    }
    return long_value(before);
}
#endif
