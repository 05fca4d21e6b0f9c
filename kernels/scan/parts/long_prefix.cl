// SPDX-License-Identifier: MIT
/* long_prefix.cl: the fold of everything before a tile or a chunk, to which tiles or chunks are added one by one. It is
 * long_sum.cl for the VALUEs of a scan, also with SEGMENTS.
 *
 *     long_prefix p = prefix_begin(x);
 *     p = prefix_then(p, y);       // again and again
 *     ... prefix_value(p)          // the VALUE
 *
 * For sums of floats it is not just a VALUE: then LONG_PREFIX is 1, for look_back.cl. There the second of two PREFIXes
 * is the plain fold of some tiles, whose error is not known. */
#include "common/long_sum.cl"
#include "scan/parts/elements.cl"

#if !FLOAT_SUM
typedef VALUE long_prefix;

static inline long_prefix prefix_begin(VALUE x)
{
    return x;
}

static inline long_prefix prefix_then(long_prefix a, VALUE b)
{
    return COMBINE(a, b);
}

static inline VALUE prefix_value(long_prefix p)
{
    return p;
}
#elif !SEGMENTS
#define LONG_PREFIX       1
#define PREFIX            long_prefix
#define PREFIX_NONE       prefix_begin(IDENTITY)
#define PREFIX_THEN(a, b) prefix_then(a, (b).value)
typedef long_sum long_prefix;

static inline long_prefix prefix_begin(VALUE x)
{
    return long_begin(x);
}

static inline long_prefix prefix_then(long_prefix a, VALUE b)
{
    return long_then(a, b);
}

static inline VALUE prefix_value(long_prefix p)
{
    return long_value(p);
}
#else
#define LONG_PREFIX       1
#define PREFIX            long_prefix
#define PREFIX_NONE       prefix_begin(IDENTITY)
#define PREFIX_THEN(a, b) prefix_then(a, (b).value)
typedef struct {
    VALUE value;
    uint error[PLAIN_WORDS]; /* that of long_sum, in words like the value */
} long_prefix;

static inline long_prefix prefix_of(long_sum sum, run_count begins)
{
    plain_words error = {{0}};
    long_prefix p;
    error.value = sum.error;
    p.value = segment_of(sum.value, begins);
    for (uint w = 0; w < PLAIN_WORDS; w++)
        p.error[w] = error.words[w];
    return p;
}

static inline long_sum prefix_sum(long_prefix p)
{
    plain_words error;
    long_sum sum;
    for (uint w = 0; w < PLAIN_WORDS; w++)
        error.words[w] = p.error[w];
    sum.value = plain_of(p.value);
    sum.error = error.value;
    return sum;
}

static inline long_prefix prefix_begin(VALUE x)
{
    return prefix_of(long_begin(plain_of(x)), begins_of(x));
}

static inline long_prefix prefix_then(long_prefix a, VALUE b)
{
    const long_sum sum = long_then(prefix_sum(a), plain_of(b));
    return prefix_of(begins_of(b) ? long_begin(plain_of(b)) : sum, begins_of(COMBINE(a.value, b)));
}

static inline VALUE prefix_value(long_prefix p)
{
    return segment_of(long_value(prefix_sum(p)), begins_of(p.value));
}
#endif
