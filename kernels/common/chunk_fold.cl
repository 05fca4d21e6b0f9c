// SPDX-License-Identifier: MIT
/* chunk_fold.cl: folds a contiguous chunk of elements in one work-item, for CPUs, where a work-item is a thread.
 * Built-in types are folded in four independent vectors of 16 lanes, if their operator allows it: wide enough for the
 * machine's vector units, and enough vectors to hide the operator's latency. Other elements, and custom operators, are
 * folded strictly from left to right. Sums of floats are folded in blocks, in which a lane adds at most LONG_BLOCK
 * elements; the blocks are added as in long_sum.cl.
 *
 * FOLD_STEPS is 1 if fold_steps exists. It folds most of a chunk, all but fewer than STEP elements; the rest is left to
 * the kernel. With FLOAT_SUM it always exists.
 * Parameters: the operator's prelude; VECTORS. */
#include "common/kernel.h"
#include "common/long_sum.cl"

#define STEP 64 /* elements folded at a time; chunks begin at multiples of it */

/* The fold of 16 lanes, in place. */
static inline VALUE fold_lanes(VALUE *lanes)
{
    for (uint s = 8; s > 0; s /= 2)
        for (uint l = 0; l < s; l++)
            lanes[l] = COMBINE(lanes[l], lanes[l + s]);
    return lanes[0];
}

#if VECTORS ? defined(INPUT_AT) : FLOAT_SUM
#define FOLD_STEPS 1
/* Folds whole steps of elements from *i on, and advances *i past them. For elements from an expression, and for
 * halves. */
static inline VALUE fold_steps(const __global ELEMENT *e, ulong *i, ulong end)
{
    long_sum sum = long_begin(IDENTITY);
    do {
        const ulong stop = FLOAT_SUM ? min(end, *i + 16 * LONG_BLOCK) : end;
        VALUE lanes[16];
        for (uint l = 0; l < 16; l++)
            lanes[l] = IDENTITY;
        for (; *i + 16 <= stop; *i += 16)
            for (uint l = 0; l < 16; l++)
                lanes[l] = COMBINE(lanes[l], VALUE_AT(ELEMENT_AT(e, *i + l), *i + l));
        sum = long_then(sum, fold_lanes(lanes));
    } while (*i + 16 <= end);
    return long_value(sum);
}
#elif VECTORS
#define FOLD_STEPS 1
#ifdef NARROW /* bits that overflow an element are not in the result either */
#define FOLDED(W)       NARROW(W)
#define FOLDED_OF(W, x) NARROW_OF(W, x)
#else
#define FOLDED(W)       VALUES(W)
#define FOLDED_OF(W, x) VALUES_OF(W, x)
#endif
#define QUARTERED_FROM     65536 /* bytes */

/* Vectors of elements at any alignment: PoCL 3.1 may compile vload16 to one load per element. */
#define ELEMENTS_16(TYPE)  ELEMENTS_16_(TYPE)
#define ELEMENTS_16_(TYPE) TYPE##16
typedef struct {
    ELEMENTS_16(ELEMENT) at[4];
} __attribute__((packed)) fold_step;

/* The fold of four vectors, which are reset. */
ALWAYS_INLINE VALUE fold_vectors(FOLDED(16) * a, FOLDED(16) * b, FOLDED(16) * c, FOLDED(16) * d)
{
    FOLDED() folded[16];
    VALUE lanes[16]; /* as ints, the product of two shorts might overflow */
    vstore16(COMBINE(COMBINE(*a, *b), COMBINE(*c, *d)), 0, folded);
    *a = *b = *c = *d = (FOLDED(16))(IDENTITY);
    for (uint l = 0; l < 16; l++)
        lanes[l] = folded[l];
    return fold_lanes(lanes);
}

/* Folds whole steps of e[*i .. end) to 16 lanes, and advances *i past them. A large chunk is read in quarters, one step
 * of each in turn, because memory is read faster at four distant places than at one; then the remaining steps follow.
 * With FLOAT_SUM, all blocks except the last one are added to *sum. */
static inline FOLDED(16) fold_steps_to_lanes(const __global ELEMENT *e, ulong *i, ulong end, long_sum *sum)
{
    FOLDED(16) a = (FOLDED(16))(IDENTITY);
    FOLDED(16) b = a;
    FOLDED(16) c = a;
    FOLDED(16) d = a;
#define FOLD_STEP(place)                                                                                               \
    {                                                                                                                  \
        const __global fold_step *step = (const __global fold_step *)(e + (place));                                    \
        a = COMBINE(a, FOLDED_OF(16, step->at[0]));                                                                    \
        b = COMBINE(b, FOLDED_OF(16, step->at[1]));                                                                    \
        c = COMBINE(c, FOLDED_OF(16, step->at[2]));                                                                    \
        d = COMBINE(d, FOLDED_OF(16, step->at[3]));                                                                    \
    }
    const ulong count = *i < end ? end - *i : 0;
    const ulong quarter = count * sizeof(ELEMENT) >= QUARTERED_FROM ? count / (4 * STEP) * STEP : 0;
    const ulong end_of_quarter = *i + quarter;
    while (*i < end_of_quarter) {
        const ulong stop = FLOAT_SUM ? min(end_of_quarter, *i + STEP * LONG_BLOCK / 4) : end_of_quarter;
        for (; *i < stop; *i += STEP) {
            FOLD_STEP(*i)
            FOLD_STEP(*i + quarter)
            FOLD_STEP(*i + 2 * quarter)
            FOLD_STEP(*i + 3 * quarter)
        }
        if (FLOAT_SUM)
            *sum = long_then(*sum, fold_vectors(&a, &b, &c, &d));
    }
    for (*i += 3 * quarter; *i + STEP <= end;) {
        const ulong stop = FLOAT_SUM ? min(end, *i + STEP * LONG_BLOCK) : end;
        for (; *i + STEP <= stop; *i += STEP) {
            FOLD_STEP(*i)
        }
        if (FLOAT_SUM && *i + STEP <= end)
            *sum = long_then(*sum, fold_vectors(&a, &b, &c, &d));
    }
    return COMBINE(COMBINE(a, b), COMBINE(c, d));
}

static inline VALUE fold_steps(const __global ELEMENT *e, ulong *i, ulong end)
{
    long_sum sum = long_begin(IDENTITY);
    FOLDED() folded[16];
    VALUE lanes[16];
    vstore16(fold_steps_to_lanes(e, i, end, &sum), 0, folded);
    for (uint l = 0; l < 16; l++)
        lanes[l] = folded[l];
    return long_value(long_then(sum, fold_lanes(lanes)));
}
#elif defined(INDEXED) && !defined(INPUT_AT)
#define FOLD_STEPS 1
#define KEY_BLOCK  (16 * STEP)

/* The best key of p[0 .. KEY_BLOCK). */
static inline KEY best_key(const __global ELEMENT *p)
{
    KEYS(16) a = (KEYS(16))(WORST_KEY);
    KEYS(16) b = a;
    for (uint j = 0; j < KEY_BLOCK / 16; j += 2) {
        a = BEST_KEY(a, FLIP(vload16(j, p)));
        b = BEST_KEY(b, FLIP(vload16(j + 1, p)));
    }
    KEY lanes[16];
    vstore16(BEST_KEY(a, b), 0, lanes);
    for (uint l = 1; l < 16; l++)
        lanes[0] = BEST_KEY(lanes[0], lanes[l]);
    return lanes[0];
}

/* Folds whole blocks. Only keys are compared, in vectors. The place is looked for only in a block that has a better key
 * than all earlier blocks, which is rare. */
static inline VALUE fold_steps(const __global ELEMENT *e, ulong *i, ulong end)
{
    VALUE best = IDENTITY;
    for (; *i + KEY_BLOCK <= end; *i += KEY_BLOCK) {
        const KEY key = best_key(e + *i);
        if (best.index != ~0ul && BEST_KEY(best.key, key) == best.key)
            continue;
        ulong place = *i;
        while ((KEY)FLIP(e[place]) != key)
            place++;
        best = (VALUE){place, key};
    }
    return best;
}
#else
#define FOLD_STEPS 0
#endif
