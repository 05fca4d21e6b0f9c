// SPDX-License-Identifier: MIT
/* columns.cl: what a CPU compares at once (a column): a vector of WIDTH adjacent elements, with a vector of their
 * values if there are any. For a caller's order, or for values that do not fit a vector, a column is a single item.
 *
 *   column_load, _store(a, i)             elements i .. i + WIDTH - 1
 *   column_of, _put(e, at)                the same from, and to, place `at` of an edge: private memory for STREAMS
 *                                         columns
 *   edge_item, edge_put(e, at)            one item of it
 *   column_compare(x, y, mirrors)         move the first ones into x; mirrors: compare lane k of x with lane
 *                                         WIDTH - 1 - k of y
 *   column_sorted(x)                      sort within the vector: the first three stages
 *   column_merged(x)                      merge within the vector: the last three steps of a stage */
#include "common/items.cl"

#define WIDTH (1u << WIDTH_LOG)
#ifndef STREAMS_LOG
#error "STREAMS_LOG must be given"
#endif
#define STREAMS (1u << STREAMS_LOG)
#define EDGE    (STREAMS * WIDTH)

#if CUSTOM || VALUE_SIZE > 8
#define WIDTH_LOG 0
typedef item column;

ALWAYS_INLINE column column_load(array a, INDEX i)
{
    return load(a, i);
}
ALWAYS_INLINE void column_store(array a, INDEX i, column x)
{
    store(a, i, x);
}
ALWAYS_INLINE column column_sorted(column x)
{
    return x;
}
ALWAYS_INLINE column column_merged(column x)
{
    return x;
}

ALWAYS_INLINE void column_compare(column *x, column *y, bool mirrors)
{
    const bool wrong = before(*y, *x);
    const column first = pick(wrong, *y, *x);
    *y = pick(wrong, *x, *y);
    *x = first;
}
#else
#define WIDTH_LOG   3
#define GLUE_(a, b) a##b
#define GLUE(a, b)  GLUE_(a, b)
typedef GLUE(ELEMENT, 8) keys8;
typedef keys8 __attribute__((aligned(ELEMENT_SIZE))) packed_keys8; /* with the alignment that it has in memory */

/* Convert all lanes to images, and back; see compare.cl. */
ALWAYS_INLINE keys8 keys_load(const __global ELEMENT *from)
{
    keys8 x = *(const __global packed_keys8 *)from;
#if ELEMENT_KIND >= 2
    x ^= SIGN | ((keys8)(0) - (x >> (ELEMENT)(ELEMENT_BITS - 1)));
#if ELEMENT_KIND == 3
    x -= NEGATIVE_NANS;
#endif
#elif ELEMENT_KIND == 1
    x ^= SIGN;
#endif
    return x ^ FLIP;
}

ALWAYS_INLINE void keys_store(__global ELEMENT *to, keys8 x)
{
    x ^= FLIP;
#if ELEMENT_KIND == 3
    x += NEGATIVE_NANS;
#endif
#if ELEMENT_KIND >= 2
    x ^= SIGN | ((x >> (ELEMENT)(ELEMENT_BITS - 1)) - (keys8)(1));
#elif ELEMENT_KIND == 1
    x ^= SIGN;
#endif
    *(__global packed_keys8 *)to = x;
}

#if VALUE_SIZE
typedef GLUE(VALUE, 8) values8;
typedef values8 __attribute__((aligned(VALUE_SIZE))) packed_values8;
typedef struct {
    keys8 keys;
    values8 values;
} column;

ALWAYS_INLINE column column_load(array a, INDEX i)
{
    return (column){keys_load(a.keys + i), *(const __global packed_values8 *)(a.values + i)};
}

ALWAYS_INLINE void column_store(array a, INDEX i, column x)
{
    keys_store(a.keys + i, x.keys);
    *(__global packed_values8 *)(a.values + i) = x.values;
}

/* A comparison sets all bits of a lane, or none. Convert such a mask to the width of keys, or of values. */
#define KEYS_MASK(m)   GLUE(as_, GLUE(ELEMENT, 8))(m)
#define VALUES_MASK(m) (GLUE(convert_, GLUE(VALUE, 8))(m) != (VALUE)0)

/* The lanes of y where the mask is set, and of x elsewhere. */
ALWAYS_INLINE column column_pick(column x, column y, keys8 mask)
{
    return (column){mask ? y.keys : x.keys, VALUES_MASK(mask) ? y.values : x.values};
}

ALWAYS_INLINE column column_reversed(column x)
{
    return (column){x.keys.s76543210, x.values.s76543210};
}

ALWAYS_INLINE void column_compare(column *x, column *y, bool mirrors)
{
    const column other = mirrors ? column_reversed(*y) : *y;
    const keys8 wrong = KEYS_MASK(other.keys < (*x).keys);
    const column last = column_pick(other, *x, wrong);
    *x = column_pick(*x, other, wrong);
    *y = mirrors ? column_reversed(last) : last;
}

/* A step within the vector: `order` has each lane's partner; `second` is set in the lanes that receive the element that
 * comes last. */
#define COLUMN_STEP(x, order, second)                                                                                  \
    {                                                                                                                  \
        const column other = {x.keys.order, x.values.order};                                                           \
        const keys8 wrong = second ? KEYS_MASK(x.keys < other.keys) : KEYS_MASK(other.keys < x.keys);                  \
        x = column_pick(x, other, wrong);                                                                              \
    }
#define NOT          LAST_IMAGE
#define SECOND_HALF  ((keys8)(0, 0, 0, 0, NOT, NOT, NOT, NOT))
#define SECOND_PAIRS ((keys8)(0, 0, NOT, NOT, 0, 0, NOT, NOT))
#define SECOND_ONES  ((keys8)(0, NOT, 0, NOT, 0, NOT, 0, NOT))

ALWAYS_INLINE column column_merged(column x)
{
    COLUMN_STEP(x, s45670123, SECOND_HALF)
    COLUMN_STEP(x, s23016745, SECOND_PAIRS)
    COLUMN_STEP(x, s10325476, SECOND_ONES)
    return x;
}

ALWAYS_INLINE column column_sorted(column x)
{
    COLUMN_STEP(x, s10325476, SECOND_ONES)
    COLUMN_STEP(x, s32107654, SECOND_PAIRS)
    COLUMN_STEP(x, s10325476, SECOND_ONES)
    COLUMN_STEP(x, s76543210, SECOND_HALF)
    COLUMN_STEP(x, s23016745, SECOND_PAIRS)
    COLUMN_STEP(x, s10325476, SECOND_ONES)
    return x;
}
#else
typedef keys8 column;

ALWAYS_INLINE column column_load(array a, INDEX i)
{
    return keys_load(a.keys + i);
}
ALWAYS_INLINE void column_store(array a, INDEX i, column x)
{
    keys_store(a.keys + i, x);
}

ALWAYS_INLINE void column_compare(column *x, column *y, bool mirrors)
{
    const column other = mirrors ? (*y).s76543210 : *y;
    const column last = max(*x, other);
    *x = min(*x, other);
    *y = mirrors ? last.s76543210 : last;
}

ALWAYS_INLINE column column_merged(column x)
{
    x = (column)(min(x.lo, x.hi), max(x.lo, x.hi));
    x = (column)(min(x.s0145, x.s2367), max(x.s0145, x.s2367)).s01452367;
    return (column)(min(x.even, x.odd), max(x.even, x.odd)).s04152637;
}

ALWAYS_INLINE column column_sorted(column x)
{
    x = (column)(min(x.even, x.odd), max(x.even, x.odd)).s04152637;
    x = (column)(min(x.s0145, x.s3276), max(x.s0145, x.s3276)).s01542376;
    x = (column)(min(x.even, x.odd), max(x.even, x.odd)).s04152637;
    x = (column)(min(x.s0123, x.s7654), max(x.s0123, x.s7654)).s01237654;
    x = (column)(min(x.s0145, x.s2367), max(x.s0145, x.s2367)).s01452367;
    return (column)(min(x.even, x.odd), max(x.even, x.odd)).s04152637;
}
#endif
#endif

#if VALUE_SIZE
typedef struct {
    ELEMENT keys[EDGE];
    VALUE values[EDGE];
} edge;
#else
typedef struct {
    ELEMENT keys[EDGE];
} edge;
#endif

ALWAYS_INLINE item edge_item(const edge *e, uint at)
{
    item x;
    KEY_OF(x) = e->keys[at];
#if VALUE_SIZE
    x.value = e->values[at];
#endif
    return x;
}

ALWAYS_INLINE void edge_put(edge *e, uint at, item x)
{
    e->keys[at] = KEY_OF(x);
#if VALUE_SIZE
    e->values[at] = x.value;
#endif
}

ALWAYS_INLINE column column_of(const edge *e, uint at)
{
#if WIDTH_LOG == 0
    return edge_item(e, at);
#elif VALUE_SIZE
    return (column){*(const packed_keys8 *)(e->keys + at), *(const packed_values8 *)(e->values + at)};
#else
    return *(const packed_keys8 *)(e->keys + at);
#endif
}

ALWAYS_INLINE void column_put(edge *e, uint at, column x)
{
#if WIDTH_LOG == 0
    edge_put(e, at, x);
#elif VALUE_SIZE
    *(packed_keys8 *)(e->keys + at) = x.keys;
    *(packed_values8 *)(e->values + at) = x.values;
#else
    *(packed_keys8 *)(e->keys + at) = x;
#endif
}
